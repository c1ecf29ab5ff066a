"""What a judge is asked and what it answers: requests, and the strict reading of answers."""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from geceval.base.errors import GecevalError

#: How the form of the answer is asked of a server: by a JSON schema, as a JSON object of whatever keys, or not at all.
Structured: TypeAlias = Literal["schema", "object", "no"]


class JudgeError(GecevalError):
    """A judge cannot be asked, does not answer, or costs more than is allowed; what it answered before is kept."""


class UnreadableError(ValueError):
    """An answer that is not what was asked for; the message says why."""


@dataclass(frozen=True)
class Request:
    """All that an answer depends on, but for the judge: two messages, the whole numbers asked for, and the sampling.

    ``keys``: the names of the numbers. ``temperature`` None: the server's own. ``seed`` differs for repetitions and for
    questions asked anew; ``seeds`` says whether it is sent.
    """

    system: str
    user: str
    keys: tuple[str, ...]
    low: int
    high: int
    temperature: float | None
    seed: int
    max_tokens: int
    structured: Structured
    seeds: bool = True

    @property
    def schema(self) -> dict[str, Any]:
        """The answer's form as a JSON schema."""
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {
            "type": "object",
            "properties": dict.fromkeys(self.keys, number),
            "required": list(self.keys),
            "additionalProperties": False,
        }

    def digest(self, judge: str) -> str:
        """The key under which the answer of a judge is kept: it depends on all of the request."""
        whole = json.dumps([judge, asdict(self)], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(whole.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """What a judge said, and how many tokens of it are to be paid for, where it told so."""

    text: str
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


class Judge(ABC):
    """Whoever answers requests. ``name`` stands in signatures and tells judges of different answers apart.

    ``answer`` is called by several threads at a time; it raises JudgeError if there is none to be had.
    """

    #: Whether answers cost money or much time, so that they are kept in a file unless told otherwise.
    dear: ClassVar[bool] = False

    @property
    @abstractmethod
    def name(self) -> str:
        """The model and what else answers depend on, such as a server or a fingerprint of weights."""

    @abstractmethod
    def answer(self, request: Request) -> Answer:
        """The answer to a request."""


#: What a question's numbers are made into; raises UnreadableError for numbers that do not fit each other.
Meaning: TypeAlias = Callable[[Mapping[str, int]], Any]


@dataclass(frozen=True)
class Question:
    """A request, and how its answer is understood."""

    request: Request
    meaning: Meaning = dict

    def read(self, text: str) -> Any:
        """The meaning of an answer. Raises UnreadableError."""
        return self.meaning(read_numbers(text, self.request))


#: A code fence around the whole answer, which models put there unasked.
_FENCE = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)


def read_numbers(text: str, request: Request) -> dict[str, int]:
    """The numbers of an answer: one JSON object, alone or in one code fence, with the keys that were asked for and no
    others, each once, each a whole number in range. Raises UnreadableError that says what else it is."""
    text = text.strip()
    fenced = _FENCE.fullmatch(text)
    try:
        found = json.loads(fenced[1] if fenced else text, object_pairs_hook=_refuse_repeated)
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(f"not JSON: {shorten(text)}") from None
    if not isinstance(found, dict):
        raise UnreadableError(f"not a JSON object: {shorten(text)}")
    missing, odd = [key for key in request.keys if key not in found], [key for key in found if key not in request.keys]
    if missing or odd:
        named = [("missing", missing), ("not asked for", odd)]
        raise UnreadableError("; ".join(f"{what}: {', '.join(map(shorten, names))}" for what, names in named if names))
    for key, value in found.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise UnreadableError(f"{key} is not a whole number: {shorten(json.dumps(value))}")
        if not request.low <= value <= request.high:
            raise UnreadableError(f"{key} is {shorten(str(value))}, not in {request.low} to {request.high}")
    return found


def _refuse_repeated(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UnreadableError("a key stands there twice")
    return found


def shorten(text: str, length: int = 60) -> str:
    """A text in one line, cut where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[: length - 1]}…"
