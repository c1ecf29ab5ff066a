"""Names of the columns that have a role by default."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from geceval.text.preparation import Role

#: Number of the first rows, whose fields are columns and whose values show whether a column has sentences.
HEAD = 100
#: Names, ignoring case, of the columns that are used by default.
USUAL: Mapping[Role, str] = {
    "source": "source",
    "references": r"references?|reference[ _.-]?\d+",
    "systems": r"hypothesis|hypothesis[ _.-]?\d+",
}
#: Paths of the answers in files of OpenAI, Anthropic, Google, Bedrock, vLLM, Ollama and lm-evaluation-harness.
_ANSWERS = (
    r"(?!.*(?:request|input|messages|prompt))(?:.+\.)?(?:choices\.0\.message\.content|choices\.0\.text|content\.0\.text"
    r"|content\.parts\.0\.text|outputs\.0\.text)|(?:response\.)?message\.content|filtered_resps\.0"
)
#: Names of columns and of files with errors.
_SOURCES = ["source", "src", "input", "original", "incorrect", "ungrammatical", "wrong"]
_SOURCE_NAME = re.compile(rf"(?:.*[._ -])?(?:{'|'.join(_SOURCES)}|orig)s?(?:[._ -]?\d+)?(?:[._ -].*)?", re.IGNORECASE)
#: Further names of roles without a usual one. Each line is searched in this order, the best name first, for a column
#: that has no role yet: of input, output and prediction, output is a reference, and without prediction a system.
_FURTHER: Sequence[tuple[Role, Sequence[str]]] = (
    ("source", [*_SOURCES, "error", "sentence", "text"]),
    (
        "references",
        ["reference", "ref", "target", "tgt", "gold", "expected", "correct", "corrected", "correction", "label"],
    ),
    ("systems", ["hypothesis", "hyp", "prediction", "pred", "predicted", "generated", "generation", "generated_text"]),
    ("systems", ["response", "completion", "model_output", _ANSWERS, "output", "answer"]),
    ("references", [_ANSWERS, "output", "answer", "completion", "response"]),
    ("systems", ["corrected", "correction", "correct", "target", "text"]),
)
#: Names of columns of identifiers in batch files of providers, which need not keep the order, and all of them, best
#: first.
UNORDERED_KEYS = ("custom_id", "recordId")
KEYS = (
    *UNORDERED_KEYS,
    *("id", "ID", "sentence_id", "sent_id", "example_id", "sample_id", "uid", "uuid", "key", "idx"),
    *("doc_id", "item_id", "instance_id", "question_id", "segment_id", "seg_id"),
)
#: Names of further columns that may have identifiers of rows, and of those that may if their values are numbers.
_KEY_NAME = re.compile(r"(?:.*[ _.-])?(?:[a-z]{0,5}id|idx|index|key|no|nr|num|number|#)|.*[a-z](?:Id|ID|Idx|Index)")
_NUMBER_NAME = re.compile(
    r"line|row|item|sample|example|instance|segment|sent|sentence|nr?|i|unnamed: 0", re.IGNORECASE
)
#: Names of columns of names of systems.
SYSTEM_NAMES = re.compile("(?:system|model)(?:[ _.-]?(?:name|id))?", re.IGNORECASE)
#: Names of columns that distinguish several outputs for each source.
RUN_NAMES = re.compile(
    "(?:run|repeat|repetition|epoch|seed|trial|attempt|iteration|iter|round|prompt|template|temperature|shots?|n_shots?"
    "|filter|method|approach|team|participant|setting|config|condition|variant|version|checkpoint|ckpt|decoding|beam"
    "|engine|llm)s?(?:[ _.-]?(?:name|id|no|idx|index|number))?",
    re.IGNORECASE,
)
FURTHER = [
    (role, [rf"(?:(?:translation|doc)\.)?(?:{name})s?(?:[ _.-]?\d+)?" for name in names]) for role, names in _FURTHER
]
#: Patterns of names that references have even next to systems with usual names, best first.
REFERENCES = next(patterns for role, patterns in FURTHER if role == "references")
#: Names of columns of a further table that must not differ from the references of another one.
LIKE_REFERENCES = r"(?:.*[ _.-])?ref(?:erence)?s?(?:[ _.-].*)?"


def names_source(name: str) -> bool:
    """Return whether a column or file has the name of a source, such as ``dev.src`` or ``data/source.txt.gz``."""
    return _SOURCE_NAME.fullmatch(PurePath(name).name) is not None


def usual_names(names: Sequence[str], role: Role) -> list[str]:
    """Return the names of the columns that have a role by default."""
    return _matching(names, USUAL[role])


def further_names(names: Sequence[str], patterns: Sequence[str], has_sentences: Callable[[str], bool]) -> list[str]:
    """Return the names of columns of sentences that the first pattern with one matches."""
    matches = ([name for name in _matching(names, pattern) if has_sentences(name)] for pattern in patterns)
    return next(filter(None, matches), [])


def may_be_key(name: str) -> bool:
    """Return whether a column may have identifiers of rows by its name, which is not within a list."""
    above, _, last = name.rpartition(".")
    if any(step.isdecimal() for step in above.split(".")):
        return False
    return last.lower() in map(str.lower, KEYS) or _KEY_NAME.fullmatch(last) is not None


def may_be_numbers(name: str) -> bool:
    """Return whether a column of numbers has identifiers of rows by its name."""
    return _NUMBER_NAME.fullmatch(name) is not None


def is_answer(name: str) -> bool:
    """Return whether a column is the path of the answers of a language model."""
    return re.fullmatch(_ANSWERS, name, re.IGNORECASE) is not None


def is_text_or_texts(value: Any) -> bool:
    """Return whether a value is a text, or a list of them."""
    return isinstance(value, str) or (isinstance(value, list) and bool(value) and all(map(is_text_or_texts, value)))


def is_sentence(value: Any) -> bool:
    """Return whether a value may be a sentence, or several: a text with spaces or letters beyond a to z, a list."""
    return is_text_or_texts(value) and (isinstance(value, list) or " " in value.strip() or not value.isascii())


def has_source(names: Sequence[str]) -> bool:
    """Return whether a column may be a source by its name."""
    patterns = [USUAL["source"], *(pattern for role, patterns in FURTHER if role == "source" for pattern in patterns)]
    return any(_matching(names, pattern) for pattern in patterns)


def names_role(name: str) -> bool:
    """Return whether a name is one of a role."""
    patterns = [*USUAL.values(), *(pattern for _, patterns in FURTHER for pattern in patterns)]
    return any(_matching([name], pattern) for pattern in patterns)


def _matching(names: Sequence[str], pattern: str) -> list[str]:
    """Return the matching names, ignoring case, without the items of a list whose name matches."""
    matches = [name for name in names if re.fullmatch(pattern, name, re.IGNORECASE)]
    return [name for name in matches if name.rpartition(".")[0] not in matches]


#: Items of lists after the third.
_LATER = re.compile(r"\.(?:[3-9]|\d\d+)(?=\.|$)")


def listed_names(names: Collection[str]) -> list[str]:
    """Return names for a message: of the items of lists the first three."""
    return [name for name in names if (first := _LATER.sub(".0", name)) == name or first not in names]


def numbers_in(identifiers: Sequence[str]) -> list[int]:
    """Return the numbers in identifiers that differ in nothing else; empty for others."""
    matches = [re.fullmatch(r"(.*?)(\d{1,15})(\D*)", identifier, re.DOTALL) for identifier in identifiers]
    forms = {match and (match[1], match[3]) for match in matches}
    return [int(match[2]) for match in matches if match] if len(forms) == 1 and None not in forms else []
