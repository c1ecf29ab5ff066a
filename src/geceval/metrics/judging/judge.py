"""Requests to a judge, and the strict reading of its answers."""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from geceval.base.errors import GecevalError

#: The form of answers that a server is asked for: a JSON schema, a JSON object of any keys, or none.
Structured: TypeAlias = Literal["schema", "object", "no"]


class JudgeError(GecevalError):
    """A judge that cannot be asked, does not answer, or exceeds the costs.

    Earlier answers are in the cache.
    """


class UnreadableError(ValueError):
    """An answer that differs from the requested form; the message says how."""


@dataclass(frozen=True)
class Request:
    """A request: two messages, the requested numbers, and the sampling.

    An answer depends on the request and the judge alone. ``keys``: the names of the numbers. ``temperature`` None: the
    server's. ``seed`` differs for repetitions and further tries; ``seeds`` says whether it is sent.
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
        """Return the form of the answer as a JSON schema."""
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {
            "type": "object",
            "properties": dict.fromkeys(self.keys, number),
            "required": list(self.keys),
            "additionalProperties": False,
        }

    def digest(self, judge: str) -> str:
        """Return the key under which the answer of a judge is cached.

        It depends on the whole request.
        """
        whole = json.dumps([judge, asdict(self)], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(whole.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """The answer of a judge, with its numbers of tokens if the judge states them."""

    text: str
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


class Judge(ABC):
    """A judge that answers requests.

    ``name`` is in signatures and identifies judges with different answers. ``answer`` is called by several threads at a
    time; it raises JudgeError without an answer.
    """

    #: Whether answers cost money or much time, so that they are cached in a file by default.
    dear: ClassVar[bool] = False

    @property
    @abstractmethod
    def name(self) -> str:
        """The model, and the server or the fingerprint of the weights."""

    @abstractmethod
    def answer(self, request: Request) -> Answer:
        """Return the answer to a request."""


#: Converts the numbers of an answer; raises UnreadableError for inconsistent numbers.
Meaning: TypeAlias = Callable[[Mapping[str, int]], Any]


@dataclass(frozen=True)
class Question:
    """A request, and the function that reads its answer."""

    request: Request
    meaning: Meaning = dict

    def read(self, text: str) -> Any:
        """Return the value of an answer. Raises UnreadableError."""
        return self.meaning(read_numbers(text, self.request))


#: A code fence around the whole answer, which models often add.
_FENCE = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)


def read_numbers(text: str, request: Request) -> dict[str, int]:
    """Return the numbers of an answer.

    The answer is one JSON object, alone or in one code fence, with exactly the requested keys, each once, each a whole
    number in range. Raises UnreadableError that says what it is instead.
    """
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
        raise UnreadableError("a key is repeated")
    return found


def shorten(text: str, length: int = 60) -> str:
    """Return a text in one line, cut to a length."""
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[: length - 1]}…"
