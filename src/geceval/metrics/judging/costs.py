"""Tokens and costs of requests: estimates before a run, and a limit during it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from geceval.metrics.judging.judge import Answer, JudgeError, Request

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
    except Exception:  # not installed, unknown model, no tables: the types of errors are undocumented
        return BYTES
    return TokenCounter(f"tiktoken, {encoding.name}", lambda text: len(encoding.encode(text, disallowed_special=())))


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens of requests and of answers, in any currency.

    None: unknown.
    """

    prompt: float | None = None
    answer: float | None = None

    def of(self, prompt_tokens: int, answer_tokens: int) -> float | None:
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
                hint = "answers are cached: a larger --judge max_cost=… sends only the remaining requests"
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
