"""Concurrent requests to a judge: unreadable answers again, nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from geceval.metrics.judging.answers import Answers
from geceval.metrics.judging.costs import Budget, Prices
from geceval.metrics.judging.judge import Judge, Question, Request, UnreadableError

#: Distance between the seeds of the tries of one question; repetitions use the seeds between them.
STRIDE = 1_000_003


@dataclass(frozen=True)
class Reply:
    """The value of an answer, or the reason why the last try was unreadable."""

    meaning: Any = None
    unreadable: str | None = None


class JudgeClient:
    """A judge with its cache and its budget.

    ``path``: the cache file (None: in memory only). ``tries``: number of requests, each with another seed, for an
    answer that can be read; ``concurrency``: number of concurrent requests. Answers depend on neither order nor
    concurrency.
    """

    def __init__(
        self, judge: Judge, path: Path | None, prices: Prices, limit: float | None, tries: int, concurrency: int
    ) -> None:
        self.judge, self.answers, self.budget = judge, Answers(path), Budget(prices, limit)
        self.tries, self.concurrency = tries, concurrency
        self._name = judge.name

    def ask(self, questions: Sequence[Question]) -> list[Reply]:
        """Return the replies, one for each question; equal requests are sent once.

        Raises JudgeError if the judge cannot be asked or the budget is empty; the answers until then are cached.
        """
        distinct = list({question.request: question for question in questions}.values())
        if all(question.request.digest(self._name) in self.answers for question in distinct):
            replies = list(map(self._reply, distinct))  # no threads for what is known
        else:
            with ThreadPoolExecutor(max(1, min(self.concurrency, len(distinct)))) as pool:
                try:
                    replies = list(pool.map(self._reply, distinct))
                except BaseException:
                    pool.shutdown(wait=True, cancel_futures=True)  # those under way are paid for, and kept
                    raise
        known = dict(zip((question.request for question in distinct), replies, strict=True))
        return [known[question.request] for question in questions]

    def _reply(self, question: Question) -> Reply:
        why = ""
        for attempt in range(self.tries):
            request = replace(question.request, seed=question.request.seed + attempt * STRIDE)
            try:
                return Reply(question.read(self._text(request)))
            except UnreadableError as error:
                why = str(error)
        return Reply(unreadable=why)

    def _text(self, request: Request) -> str:
        digest = request.digest(self._name)
        known = self.answers.get(digest)
        if known is None:
            reserved, known = self.budget.reserve(request), None
            try:
                known = self.judge.answer(request)
                self.answers.put(digest, known)
            finally:
                self.budget.settle(reserved, request, known)
        return known.text
