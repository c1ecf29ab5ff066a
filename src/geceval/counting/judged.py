"""Define metrics that ask a language model, and plans of their requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from geceval.text.corpus import TextSource


@dataclass(frozen=True)
class RequestPlan:
    """The number of requests that a judged metric would send, and their price.

    Of ``questions``, the answers to ``kept`` are in the cache. ``prompt_tokens`` (counted by ``counted_by``) are sent
    for the others and at most ``answer_tokens`` are answered; ``cost`` is their price, if known. Questions that are
    repeated because an answer could not be read are not included.
    """

    model: str
    questions: int
    kept: int
    prompt_tokens: int
    answer_tokens: int
    counted_by: str
    cost: float | None


@runtime_checkable
class AsksJudge(Protocol):
    """A metric that sends requests to a language model, which may cost money."""

    def request_plan(self, corpus: TextSource) -> RequestPlan:
        """Return the requests that counting would send, without sending them."""

    def spending(self) -> str | None:
        """Return a line with the cost so far; None without price."""
