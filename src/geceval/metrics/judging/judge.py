"""Requests to a judge, and the strict parsing of its answers."""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from geceval.base.arguments import printable
from geceval.base.errors import GecevalError

#: Constraint on the form of answers: a JSON schema, a JSON object with any keys, or none.
Structured: TypeAlias = Literal["schema", "object", "no"]


class JudgeError(GecevalError):
    """A judge that is not available, gives no answer or would exceed the cost limit.

    Earlier answers remain cached.
    """


class AttemptError(JudgeError):
    """An attempt without an answer.

    Attributes:
        again: Whether a further attempt may give an answer.
        pause: Seconds without requests that the server requires.
        paid: Whether the server may have generated an answer, which costs money.
    """

    def __init__(
        self, message: str, *, hint: str | None = None, again: bool = True, pause: float = 0.0, paid: bool = False
    ) -> None:
        super().__init__(message, hint=hint)
        self.again, self.pause, self.paid = again, pause, paid


class UnreadableError(ValueError):
    """An answer without the requested form; the message gives the reason."""


@dataclass(frozen=True)
class Request:
    """Everything that an answer depends on, except the judge.

    Attributes:
        system: System message.
        user: User message.
        keys: Names of the requested integers.
        low: Smallest valid integer.
        high: Largest valid integer.
        temperature: Temperature of sampling. None: the server's default.
        seed: Seed of sampling; each repetition and each further try has another one.
        max_tokens: Maximum number of tokens of the answer.
        structured: Constraint on the form of the answer.
        seeds: Whether the seed is sent.
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
        """The JSON schema of the answer."""
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        properties = {"type": "object", "properties": dict.fromkeys(self.keys, number)}
        return {**properties, "required": list(self.keys), "additionalProperties": False}

    def digest(self, judge: str) -> str:
        """Return the key under which a judge's answer to this request is cached."""
        content = json.dumps([judge, asdict(self)], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """Answer of a judge, with its numbers of tokens if the judge reports them."""

    text: str
    prompt_tokens: int | None = None
    answer_tokens: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text.encode(errors="replace").decode())  # lone surrogates


class Judge(ABC):
    """Language model that answers requests.

    Several threads call ``answer`` at a time.
    """

    #: Whether answers are expensive or slow, so that they are cached in a file by default.
    costly: ClassVar[bool] = False

    @property
    @abstractmethod
    def name(self) -> str:
        """The identity of the judge in signatures and in the cache.

        Judges whose answers differ have different names: model and server, or a fingerprint of the weights.
        """

    @abstractmethod
    def answer(self, request: Request) -> Answer:
        """Return the answer to a request.

        Raises:
            JudgeError: If the judge gives no answer.
        """


#: Converts the numbers of an answer; raises UnreadableError for inconsistent numbers.
Meaning: TypeAlias = Callable[[Mapping[str, int]], Any]


@dataclass(frozen=True)
class Question:
    """A request, and the function that converts the numbers of its answer."""

    request: Request
    meaning: Meaning = dict

    def read(self, text: str) -> Any:
        """Return the converted numbers of an answer.

        Raises:
            UnreadableError: If the answer does not have the requested form.
        """
        return self.meaning(read_numbers(text, self.request))


#: Code fence around the whole answer, which models often add.
_FENCE = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)


def read_numbers(text: str, request: Request) -> dict[str, int]:
    """Return the integers of an answer.

    A valid answer is one JSON object, alone or in one code fence, with exactly the requested keys, each once and with
    an integer in range.

    Raises:
        UnreadableError: If the answer is not valid; the message gives the reason.
    """
    text = text.strip()
    fenced = _FENCE.fullmatch(text)
    try:
        numbers = json.loads(fenced[1] if fenced else text, object_pairs_hook=_refuse_repeated)
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(f"not JSON: {shorten(text)}") from None
    if not isinstance(numbers, dict):
        raise UnreadableError(f"not a JSON object: {shorten(text)}")
    missing = [key for key in request.keys if key not in numbers]
    unexpected = [key for key in numbers if key not in request.keys]
    if missing or unexpected:
        kinds = {"missing": missing, "unexpected": unexpected}.items()
        raise UnreadableError("; ".join(f"{kind}: {', '.join(map(shorten, keys))}" for kind, keys in kinds if keys))
    for key, value in numbers.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise UnreadableError(f"{key} is not an integer: {shorten(json.dumps(value))}")
        if not request.low <= value <= request.high:
            raise UnreadableError(f"{key} is {shorten(str(value))}, not from {request.low} to {request.high}")
    return numbers


def _refuse_repeated(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise UnreadableError("a key is repeated")
    return dict(pairs)


def shorten(text: str, length: int = 60) -> str:
    """Return a text in one printable line of at most ``length`` characters."""
    text = printable(" ".join(text.split()))
    return text if len(text) <= length else f"{text[: length - 1]}…"
