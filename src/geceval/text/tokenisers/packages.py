"""Tokenisers of other packages: segmenters, Moses, ICU, syntok and spaCy.

Signatures contain the versions of packages and dictionaries, since only texts of the same version are comparable.
spaCy has pipelines (``spacy:NAME``) and languages (``spacy:de``).
"""

from __future__ import annotations

import functools
import itertools
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any

from geceval.base.errors import MissingExtraError, UsageError, require_extra

#: A function that splits a line.
Cut = Callable[[str], Iterable[str]]


class Segmenter:
    """The tokeniser of a package, without white space.

    Args:
        make: Called with ``which``; returns the tokeniser's name and the function that splits a line.
        which: The variant, such as a language or a mode.
        extra: The extra of geceval that installs the package.
        packages: The required packages, for the error.

    Raises:
        MissingExtraError: If a package is missing; contains the command that installs it.
    """

    def __init__(
        self, make: Callable[[str], tuple[str, Cut]], which: str, extra: str, packages: str = "other packages"
    ) -> None:
        self._made_by = make, which, extra, packages
        with require_extra(extra, f"the tokeniser {extra} needs {packages}"):
            self.name, self._cut = make(which)

    def tokenise(self, text: str) -> list[str]:
        """Return the tokens of a line, in order."""
        return [token for piece in self._cut(text) for token in piece.split()]

    def __reduce__(self) -> Any:
        return type(self), self._made_by


def _fugashi(_: str) -> tuple[str, Cut]:
    import_module("unidic_lite")
    tagger: Any = import_module("fugashi").Tagger()
    name = f"fugashi-{version('fugashi')}+unidic-lite-{version('unidic-lite')}"
    return name, lambda text: [word.surface for word in tagger(text)]


def _sudachi(mode: str) -> tuple[str, Cut]:
    package: Any = import_module("sudachipy")
    import_module("sudachidict_core")
    dictionary = package.Dictionary(dict="core")
    make = getattr(dictionary, "tokenizer", None) or dictionary.create  # the older name
    cutter, size = make(), getattr(package.SplitMode, mode)
    name = f"sudachi:{mode}-{version('sudachipy')}+core-{version('sudachidict-core')}"
    return name, lambda text: [morpheme.surface() for morpheme in cutter.tokenize(text, size)]


def _kiwi(_: str) -> tuple[str, Cut]:
    cutter: Any = import_module("kiwipiepy").Kiwi()
    name = f"kiwi-{version('kiwipiepy')}+model-{version('kiwipiepy-model')}"
    return name, lambda text: _surfaces(text, [(token.start, token.end) for token in cutter.tokenize(text)])


def _surfaces(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the text split at the ends of morphemes.

    Morphemes that share a syllable stay together (갔: 가 and 었).
    """
    cuts, reached = [], 0
    for start, end in spans:
        if start >= reached:
            cuts += [start, end]
        reached = max(reached, end)
        cuts[-1] = reached
    cuts = sorted({0, *cuts, len(text)})
    return [text[start:end] for start, end in itertools.pairwise(cuts)]


def _jieba(_: str) -> tuple[str, Cut]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba's own code warns
        package: Any = import_module("jieba")
    package.setLogLevel("ERROR")
    return f"jieba-{version('jieba')}", package.lcut


def _pythainlp(engine: str) -> tuple[str, Cut]:
    cut: Any = import_module("pythainlp.tokenize").word_tokenize
    return f"pythainlp:{engine}-{version('pythainlp')}", lambda text: cut(text, engine=engine)


def _syntok(_: str) -> tuple[str, Cut]:
    cutter: Any = import_module("syntok.tokenizer").Tokenizer()
    return f"syntok-{version('syntok')}", lambda text: [str(token) for token in cutter.tokenize(text)]


def _moses(language: str) -> tuple[str, Cut]:
    """Make Moses without XML escapes and without splitting at hyphens.

    Its tokens: ``can 't``, ``well-known``, ``"``.
    """
    package: Any = import_module("sacremoses")
    known = sorted(set(import_module("sacremoses.corpus").NonbreakingPrefixes().available_langs.values()))
    if language not in known:
        raise UsageError(f"moses has no rules for {language!r}: choose from {', '.join(known)}")
    cutter = package.MosesTokenizer(lang=language)
    name = "moses" if language == "en" else f"moses:{language}"
    return f"{name}-{version('sacremoses')}", lambda text: cutter.tokenize(text, escape=False)


def _icu(_: str) -> tuple[str, Cut]:
    """Make ICU's word breaks of the root locale: UAX #29 and dictionaries."""
    package: Any = import_module("icu4py")
    breaker: Any = import_module("icu4py.breakers").WordBreaker
    return f"icu-{package.icu_version}", lambda text: breaker(text, "root")


def moses(language: str = "en") -> Segmenter:
    """Split English or another language (moses:de) like Moses (geceval[moses])."""
    return Segmenter(_moses, language, "moses", "sacremoses")


def icu() -> Segmenter:
    """Split at ICU's word breaks, with many dictionaries (geceval[icu])."""
    return Segmenter(_icu, "", "icu", "icu4py")


def syntok() -> Segmenter:
    """Split European languages with syntok; writes n't as not (geceval[syntok])."""
    return Segmenter(_syntok, "", "syntok")


def fugashi() -> Segmenter:
    """Split Japanese with MeCab and UniDic, short units (geceval[fugashi])."""
    return Segmenter(_fugashi, "", "fugashi")


def sudachi(mode: str = "") -> Segmenter | None:
    """Split Japanese with Sudachi, units A, B or C: sudachi:A (geceval[sudachi])."""
    return Segmenter(_sudachi, mode or "C", "sudachi") if mode in ("", "A", "B", "C") else None


def kiwi() -> Segmenter:
    """Split Korean into morphemes with Kiwi, not within syllables (geceval[kiwi])."""
    return Segmenter(_kiwi, "", "kiwi")


def jieba() -> Segmenter:
    """Split Chinese into words with jieba (geceval[jieba])."""
    return Segmenter(_jieba, "", "jieba")


def pythainlp() -> Segmenter:
    """Split Thai into words with PyThaiNLP, engine newmm (geceval[pythainlp])."""
    return Segmenter(_pythainlp, "newmm", "pythainlp")


#: Components that change neither tokens nor the annotations that ERRANT's rules read.
UNUSED = ["ner"]

_LANGUAGE = re.compile(r"[a-z]{2,3}")


class SpacyTokeniser:
    """The tokeniser of an installed pipeline, of a folder, or of a language.

    A language needs no pipeline.

    Raises:
        MissingExtraError: If a package is missing; contains the command that installs it.
    """

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self._nlp = load(pipeline, "tokeniser")

    @property
    def name(self) -> str:
        """``spacy-en_core_web_sm-3.8.0``, or ``spacy-de-3.8.18`` for a language.

        The version is the pipeline's, or spaCy's for a language.
        """
        if _LANGUAGE.fullmatch(self.pipeline):
            import spacy

            return f"spacy-{self.pipeline}-{spacy.__version__}"
        meta = self._nlp.meta
        return f"spacy-{meta['lang']}_{meta['name']}-{meta['version']}"

    def tokenise(self, text: str) -> Sequence[str]:
        """Return the tokens of a line without white space."""
        return [token.text for token in self._nlp.make_doc(text) if not token.is_space]

    def __reduce__(self) -> Any:
        return type(self), (self.pipeline,)


@functools.cache
def load(pipeline: str, what: str) -> Any:
    """Load a pipeline, once per process.

    Args:
        pipeline: Name or folder of a pipeline; for a tokeniser also the code of a language.
        what: The object that needs it, "tokeniser" or "annotator", for the error.
    """
    with require_extra("spacy", f"the {what} spacy:{pipeline} needs spaCy"):
        import spacy
    if what == "tokeniser" and _LANGUAGE.fullmatch(pipeline):
        try:
            return spacy.blank(pipeline)
        except ImportError as error:  # an unknown language, or a missing package of it
            [first, *_] = str(error).splitlines()
            raise MissingExtraError(f"spaCy cannot tokenise the language {pipeline}: {first}") from None
    try:
        return spacy.load(pipeline, exclude=UNUSED)
    except OSError:
        raise MissingExtraError(
            f"the spaCy pipeline {pipeline} is not installed", hint=f"python -m spacy download {pipeline}"
        ) from None


def pipeline(name: str = "") -> SpacyTokeniser | None:
    """Split with a spaCy pipeline, or a language of it: spacy:de (geceval[spacy])."""
    return SpacyTokeniser(name) if name else None
