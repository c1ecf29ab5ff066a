"""Roles that the names of columns and files state."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePath

from geceval.text.preparation import Role

#: Names, ignoring case, of the columns that are used by default.
USUAL: Mapping[Role, str] = {
    "source": "source",
    "references": r"references?|reference[ _.-]?\d+",
    "systems": r"hypothesis|hypothesis[ _.-]?\d+",
}
#: Paths of the answers in files of OpenAI, Anthropic, Google, Bedrock, vLLM, Ollama and lm-evaluation-harness.
_ANSWERS = (
    r"(?!.*(?:request|input|messages|prompt))(?:.+\.)?(?:choices\.0\.message\.content|choices\.0\.text|content\.0\.text"
    r"|outputs\.0\.text)|(?:response\.)?message\.content|filtered_resps\.0"
)
#: Paths of the answer in a list of output items, and of the text of a list of parts; see jsonlines.
_OUTPUT_ITEMS = r"(?:.+\.)?output\.assistant"
_PARTS = r"(?!.*(?:request|input|messages|prompt))(?:.+\.)?content\.(?:parts\.)?text"
#: Path of the last answer in a conversation; see jsonlines.
_LAST_ANSWER = r"(?!.*(?:request|input|prompt))(?:.+\.)?(?:messages|conversations?|completion|response)\.assistant"
_ANSWER_PATHS = (_OUTPUT_ITEMS, _PARTS, _ANSWERS, _LAST_ANSWER)
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
    ("systems", ["response", "completion", "model_output", *_ANSWER_PATHS, "output", "answer"]),
    ("references", [*_ANSWER_PATHS[:-1], "output", "answer", "completion", "response"]),
    ("systems", ["corrected", "correction", "correct", "target", "text"]),
)
FURTHER = [
    (role, [rf"(?:(?:translation|doc)\.)?(?:{name})s?(?:[ _.-]?\d+)?" for name in names]) for role, names in _FURTHER
]
#: Patterns of names that references have even next to systems with usual names, best first.
REFERENCES = next(patterns for role, patterns in FURTHER if role == "references")
#: Names of columns of a further table that must not differ from the references of another one.
LIKE_REFERENCES = r"(?:.*[ _.-])?ref(?:erence)?s?(?:[ _.-].*)?"
#: Items of lists after the third.
_LATER = re.compile(r"\.(?:[3-9]|\d\d+)(?=\.|$)")


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


def is_answer(name: str) -> bool:
    """Return whether a column is the path of the answers of a language model."""
    return re.fullmatch("|".join(_ANSWER_PATHS), name, re.IGNORECASE) is not None


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


def listed_names(names: Collection[str]) -> list[str]:
    """Return names for a message: of the items of lists the first three."""
    return [name for name in names if (first := _LATER.sub(".0", name)) == name or first not in names]
