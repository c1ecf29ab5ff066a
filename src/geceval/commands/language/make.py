"""``geceval language make``: build the table of a language from a treebank."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Literal

from cyclopts import Parameter

from geceval.base.errors import UsageError
from geceval.commands.shared.option_groups import OUTPUT
from geceval.commands.shared.options import TargetOption
from geceval.edits.languages.lexicon import NAMES_HAVE, is_name
from geceval.edits.languages.treebanks import make_table, read_word_list, read_words
from geceval.terminal.messages import say
from geceval.terminal.writing import writing


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class LanguageMakeRequest(TargetOption):
    """Treebanks, contents of the table, and its name."""

    conllu: Annotated[tuple[str, ...], Parameter(metavar="FILE")]
    """treebanks, plain or compressed"""
    code: Annotated[str, Parameter(metavar="XX")]
    """ISO 639 code of the language, for signatures: sv"""
    version: Annotated[str, Parameter(metavar="NAME")] = ""
    """version for signatures (default: fingerprint of the table)"""
    rules: Literal["generic", "czech"] = "generic"
    """rules for alignment and merging"""
    types: Literal["generic", "universal", "russian", "korean"] = "universal"
    """generic: parts of speech, ORTH and WO; universal (default): INFL, MORPH, DIACR, … and SPELL in addition;
    russian, korean: in addition types by features (NOUN:CASE, PARTICLE)"""
    tokeniser: Annotated[str, Parameter(metavar="NAME")] = ""
    """tokeniser of raw text (--tokenise auto), such as moses:sv or icu"""
    words: Annotated[str | None, Parameter(metavar="FILE")] = None
    """file of correct words, one per line, for the type SPELL"""
    origin: str = ""
    """origin of the data, kept in the table"""
    licence: str = ""
    """licence of the data, kept in the table"""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, text in (("code", self.code), ("version", self.version)):
            if not is_name(text) and (text or name == "code"):
                raise UsageError(f"--{name}: {text!r} is not valid in a signature", hint=NAMES_HAVE)
        for name, text in (("tokeniser", self.tokeniser), ("origin", self.origin), ("licence", self.licence)):
            if text != " ".join(text.split()):
                raise UsageError(f"--{name}: {text!r} is not valid in a table")


def make_language(*, request: LanguageMakeRequest) -> None:
    """Write the table and print its size on stderr.

    Examples:
      geceval language make --conllu sv_talbanken-ud-train.conllu --code sv
      geceval score -s source.txt -r ref.txt -c system.txt -m errant --language sv.lexicon

    Treebanks: https://universaldependencies.org
    """
    table = make_table(
        chain.from_iterable(map(read_words, request.conllu)),
        request.code,
        request.version,
        rules=request.rules,
        types=request.types,
        tokeniser=request.tokeniser,
        source=request.origin,
        licence=request.licence,
        right=() if request.words is None else read_word_list(request.words),
    )
    path = request.target or f"{request.code}.lexicon"
    with writing(path) as out:
        out.writelines(f"{line}\n" for line in table.lines())
    sizes = f"{len(table.forms)} forms, {len(table.suffixes)} endings, {len(table.lemmas)} lemmas"
    say(f"{path}: lexicon-{table.code}-{table.version}, {sizes}; use it with --language {path}")
