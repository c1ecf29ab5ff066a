"""The number of requests that a judged metric would send."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RequestPlan:
    """The number of requests that a judged metric would send, and their price.

    Of ``questions``, the answers to ``kept`` are in the cache. The requests for the others send ``prompt_tokens``
    (counted by ``counted_by``) and return at most ``answer_tokens``; ``cost`` is their price, if known. Retries after
    an unreadable answer are not included.
    """

    model: str
    questions: int
    kept: int
    prompt_tokens: int
    answer_tokens: int
    counted_by: str
    cost: float | None
