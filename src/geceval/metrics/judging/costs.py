"""Tokens and their costs, counted before a request and limited during a run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from geceval.metrics.judging.judge import Answer, JudgeError, Request

#: Upper bound of the tokens that servers put around the messages of a request.
AROUND = 32


@dataclass(frozen=True)
class TokenCounter:
    """A way to count tokens, with a ``name`` for readers."""

    name: str
    of_text: Callable[[str], int]

    def of(self, request: Request) -> int:
        """Return the number of tokens of a request's messages."""
        return AROUND + self.of_text(request.system) + self.of_text(request.user)


#: No vocabulary of pieces of bytes makes more tokens of a text than it has bytes.
BYTES = TokenCounter("an upper bound: the bytes of the text", lambda text: len(text.encode()))


@cache
def token_counter(model: str) -> TokenCounter:
    """Return tiktoken's counter for a model, else an upper bound.

    tiktoken must be installed and support the model.
    """
    try:
        import tiktoken

        encoding = tiktoken.encoding_for_model(model)
    except Exception:  # not installed, an unknown model, or no tables: each package raises other errors
        return BYTES
    return TokenCounter(f"tiktoken, {encoding.name}", lambda text: len(encoding.encode(text, disallowed_special=())))


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens, of requests and of answers; None: unknown.

    The currency is not defined.
    """

    prompt: float | None = None
    answer: float | None = None

    def of(self, prompt_tokens: int, answer_tokens: int) -> float | None:
        """Return the price of tokens; None if it is unknown."""
        if self.prompt is None or self.answer is None:
            return None
        return (prompt_tokens * self.prompt + answer_tokens * self.answer) / 1e6


@dataclass
class Budget:
    """Costs so far and their limit.

    No request is sent that could cost more than the rest.
    """

    prices: Prices
    limit: float | None
    spent: float = 0.0
    reserved: float = 0.0
    asked: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def reserve(self, request: Request) -> float:
        """Set aside the largest cost of a request.

        Raises JudgeError if the rest is too small.
        """
        most = self.prices.of(BYTES.of(request), request.max_tokens) or 0.0
        with self._lock:
            if self.limit is not None and self.spent + self.reserved + most > self.limit:
                raise JudgeError(
                    f"the next question may cost {most:.2g}, and {self.spent:.4g} of {self.limit:g} is spent",
                    hint="answers are cached: a larger --judge max_cost=… sends only the remaining requests",
                )
            self.reserved += most
        return most

    def settle(self, reserved: float, request: Request, answer: Answer | None) -> None:
        """Pay for an answer (None: no answer) out of its reserve."""
        paid = 0.0
        if answer is not None:
            prompt = BYTES.of(request) if answer.prompt_tokens is None else answer.prompt_tokens
            tokens = request.max_tokens if answer.answer_tokens is None else answer.answer_tokens
            paid = self.prices.of(prompt, tokens) or 0.0
        with self._lock:
            self.reserved -= reserved
            self.spent += paid
            self.asked += answer is not None
