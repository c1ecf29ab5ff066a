"""Client of a judge: concurrent requests, further tries, cache and budget."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from geceval.metrics.judging.answers import Answers
from geceval.metrics.judging.costs import Budget, Prices
from geceval.metrics.judging.judge import Judge, Question, Request, UnreadableError

#: Distance between the seeds of the tries of one question; repetitions use the seeds between them.
STRIDE = 1_000_003


@dataclass(frozen=True)
class Reply:
    """Converted answer to a question, or the reason why the last try is unreadable."""

    meaning: Any = None
    unreadable: str | None = None


class JudgeClient:
    """A judge with its cache of answers and its budget.

    Replies do not depend on the order or the concurrency of requests.

    Args:
        judge: The judge.
        path: File of cached answers. None: memory only.
        prices: Prices of tokens.
        limit: Cost limit. None: no limit.
        tries: Maximum number of requests per question, each with another seed, until an answer can be read.
        concurrency: Number of concurrent requests.
    """

    def __init__(
        self, judge: Judge, path: Path | None, prices: Prices, limit: float | None, tries: int, concurrency: int
    ) -> None:
        self.judge, self.answers, self.budget = judge, Answers(path), Budget(prices, limit)
        self.tries, self.concurrency = tries, concurrency
        self._name = judge.name

    def ask(self, questions: Sequence[Question]) -> list[Reply]:
        """Return the reply to each question; equal requests are sent once.

        Raises:
            JudgeError: If the judge gives no answer, or if the budget is exhausted. Earlier answers remain cached.
        """
        distinct = list({question.request: question for question in questions}.values())
        if all(question.request.digest(self._name) in self.answers for question in distinct):
            replies = list(map(self._reply, distinct))  # cached answers need no threads
        else:
            with ThreadPoolExecutor(max(1, min(self.concurrency, len(distinct)))) as pool:
                try:
                    replies = list(pool.map(self._reply, distinct))
                except BaseException:
                    pool.shutdown(wait=True, cancel_futures=True)  # answers in transit are paid for: cache them
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
        if known is not None:
            return known.text
        with self.answers.claimed(digest):
            known = self.answers.get(digest)  # another process may have sent the request
            if known is not None:
                return known.text
            reserved = self.budget.reserve(request)
            try:
                known = self.judge.answer_within(request, partial(self.budget.charge, request))
                self.answers.put(digest, known)
            finally:
                self.budget.settle(reserved, request, known)
        return known.text
