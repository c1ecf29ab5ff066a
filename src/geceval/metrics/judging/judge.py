"""Requests to a judge: templates, strict parsing of answers, tokens and costs.

A template is a file with a name and a version, identified by a digest. It has sections ``=== system``, ``=== user`` and
``=== criterion NAME``. A word in double braces is a placeholder. Users' texts replace only ``{{data}}``, as JSON and in
one pass. They can therefore not end their string, line or block, and placeholders in them are not replaced.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Literal, TypeAlias

from geceval.base.arguments import printable
from geceval.base.errors import GecevalError
from geceval.base.hints import AnyHint, Hint, Option

#: Characters that end a line in some programs, and that JSON does not escape.
_BREAKS = str.maketrans({"\x7f": "\\u007f", "\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


@dataclass(frozen=True)
class Template:
    """System message, user message and criteria of a request."""

    name: str
    system: str
    user: str
    criteria: Mapping[str, str]
    digest: str

    @property
    def signed(self) -> str:
        """The name, version and digest, for example ``sentence-1@0a1b2c3d``.

        Templates with equal digests have equal words.
        """
        return f"{self.name}@{self.digest}"

    def filled(self, data: Any, **words: str) -> str:
        """Return the user message with its placeholders replaced."""
        values = {"data": encode_data(data), **words}
        return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], self.user)


def encode_data(data: Any) -> str:
    """Return texts as JSON with one entry per line and no other line breaks."""
    return json.dumps(data, ensure_ascii=False, indent=1).translate(_BREAKS)


@cache
def read_template(name: str) -> Template:
    """Return the template of a name and version, for example ``sentence-1``."""
    text = resources.files("geceval.metrics.judging").joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    pieces = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)[1:]
    parts = {head: body.strip() for head, body in zip(pieces[::2], pieces[1::2], strict=True)}
    criteria = {head.split()[1]: body for head, body in parts.items() if head.startswith("criterion ")}
    return Template(name, parts["system"], parts["user"], criteria, digest)


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
        self, message: str, *, hint: AnyHint | None = None, again: bool = True, pause: float = 0.0, paid: bool = False
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

    Several threads call ``answer`` concurrently.
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


#: Upper bound of the tokens that servers add to the messages of a request.
AROUND = 32


@dataclass(frozen=True)
class TokenCounter:
    """Function that counts tokens, with a name that reports print."""

    name: str
    of_text: Callable[[str], int]

    def of(self, request: Request) -> int:
        """Return the number of tokens of a request's messages."""
        return AROUND + self.of_text(request.system) + self.of_text(request.user)


#: A vocabulary of byte sequences never splits a text into more tokens than it has bytes.
BYTES = TokenCounter("upper bound: number of bytes", lambda text: len(text.encode()))


@cache
def token_counter(model: str) -> TokenCounter:
    """Return tiktoken's counter for a model, or an upper bound.

    The bound is used if tiktoken is not installed or does not know the model.
    """
    try:
        import tiktoken

        encoding = tiktoken.encoding_for_model(model)
    except (ImportError, KeyError, ValueError, OSError):  # not installed, unknown model, damaged or no tables
        return BYTES
    return TokenCounter(f"tiktoken, {encoding.name}", lambda text: len(encoding.encode(text, disallowed_special=())))


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens of requests and of answers, in any currency.

    None: unknown.
    """

    prompt: float | None = None
    answer: float | None = None

    def of(self, prompt_tokens: float, answer_tokens: float) -> float | None:
        """Return the price of these numbers of tokens; None if a price is unknown."""
        if self.prompt is None or self.answer is None:
            return None
        return (prompt_tokens * self.prompt + answer_tokens * self.answer) / 1e6


class Budget:
    """Money spent on answers, and its limit.

    A request is not sent if its maximum cost exceeds the remaining budget.

    Attributes:
        spent: Cost of all attempts, with the maximum cost of the ones in transit.
        answered: Number of answers.
    """

    def __init__(self, prices: Prices, limit: float | None) -> None:
        self.prices, self.limit = prices, limit
        self.spent, self.answered = 0.0, 0
        self._lock = threading.Lock()

    def reserve(self, request: Request) -> float:
        """Reserve and return the maximum cost of an attempt.

        Raises:
            JudgeError: If the remaining budget is smaller.
        """
        most = self.price(request, Answer(""))
        with self._lock:
            if self.limit is not None and self.spent + most > self.limit:
                spent = f"{self.spent:.4g} of max_cost={self.limit:g} is spent or reserved"
                hint = Hint(
                    "answers are cached: a larger ",
                    Option("judge", "max_cost=…"),
                    " sends only the remaining requests",
                )
                raise JudgeError(f"the next request may cost {most:.2g}, but {spent}", hint=hint)
            self.spent += most
        return most

    def settle(self, reserved: float, paid: float, answers: int) -> None:
        """Replace the maximum cost of an attempt by its cost."""
        with self._lock:
            self.spent += paid - reserved
            self.answered += answers

    def price(self, request: Request, answer: Answer) -> float:
        """Return the cost of an answer.

        An unknown number of tokens counts as the largest possible one.
        """
        prompt = BYTES.of(request) if answer.prompt_tokens is None else answer.prompt_tokens
        tokens = request.max_tokens if answer.answer_tokens is None else answer.answer_tokens
        return self.prices.of(prompt, tokens) or 0.0
