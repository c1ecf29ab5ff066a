"""Client of a judge: concurrent requests, stored answers, further attempts."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from geceval.metrics.judging.judge import (
    Answer,
    AttemptError,
    Budget,
    Judge,
    Prices,
    Question,
    Request,
    UnreadableError,
)
from geceval.metrics.shared.value_store import ValueStore

#: Distance between the seeds of the tries of one question; repetitions use the seeds between them.
STRIDE = 1_000_003
#: Seconds before the second attempt; they double with each further one.
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0


@dataclass(frozen=True)
class Reply:
    """Converted answer to a question, or the reason why the last try is unreadable."""

    meaning: Any = None
    unreadable: str | None = None


class RequestPace:
    """Time of the next request.

    There are at most ``per_minute`` requests, and none during a pause that the server requires.
    """

    def __init__(self, per_minute: float | None) -> None:
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Sleep until the next request may be sent."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._gap
        time.sleep(max(0.0, turn - time.monotonic()))

    def pause(self, seconds: float) -> None:
        """Pause all requests."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


class JudgeClient:
    """A judge with its stored answers and its budget.

    Replies do not depend on the order or the concurrency of requests.

    Args:
        judge: The judge.
        path: File of stored answers. None: memory only.
        prices: Prices of tokens.
        limit: Cost limit. None: no limit.
        tries: Maximum number of requests per question, each with another seed, until an answer can be read.
        concurrency: Number of concurrent requests.
        attempts: Maximum number of attempts per request while the server is busy, fails or cannot be reached.
        rate: Maximum number of attempts per minute. None: no limit.
    """

    def __init__(
        self,
        judge: Judge,
        path: Path | None,
        prices: Prices,
        limit: float | None,
        tries: int,
        concurrency: int,
        attempts: int = 1,
        rate: float | None = None,
    ) -> None:
        self.judge, self.answers, self.budget = judge, ValueStore(path), Budget(prices, limit)
        self.tries, self.concurrency, self.attempts = tries, concurrency, attempts
        self._pace = RequestPace(rate)
        self._locks: dict[str, threading.Lock] = {}
        self._name = judge.name

    def ask(self, questions: Sequence[Question]) -> list[Reply]:
        """Return the reply to each question; equal requests are sent once.

        Raises:
            JudgeError: If the judge gives no answer, or if the budget is exhausted. Earlier answers remain stored.
        """
        distinct = {question.request: question for question in questions}
        self.answers.get(request.digest(self._name) for request in distinct)  # all in one operation
        pool = ThreadPoolExecutor(max(1, min(self.concurrency, len(distinct))))
        try:
            replies = dict(zip(distinct, pool.map(self._reply, distinct.values()), strict=True))
        finally:
            pool.shutdown(cancel_futures=True)  # answers in transit are paid for: store them
        return [replies[question.request] for question in questions]

    def _reply(self, question: Question) -> Reply:
        """Return the reply to a question, after up to ``tries`` unreadable answers."""
        why = ""
        for number in range(self.tries):
            request = replace(question.request, seed=question.request.seed + number * STRIDE)
            try:
                return Reply(question.read(self._answer(request).text))
            except UnreadableError as error:
                why = str(error)
        return Reply(unreadable=why)

    def _answer(self, request: Request) -> Answer:
        """Return the stored answer to a request, which is sent if it has none."""
        key = request.digest(self._name)
        with self._locks.setdefault(key, threading.Lock()):
            stored = self.answers.get([key]) or self.answers.put({key: astuple(self._send(request))})
        return Answer(*stored[key])

    def _send(self, request: Request) -> Answer:
        """Return the judge's answer to a request, after up to ``attempts`` attempts."""
        attempt = 1
        while True:
            self._pace.wait()
            reserved, paid, answers = self.budget.reserve(request), 0.0, 0
            try:
                answer = self.judge.answer(request)
                paid, answers = self.budget.price(request, answer), 1
                return answer
            except AttemptError as failure:
                paid = reserved if failure.paid else 0.0
                if not failure.again or attempt >= self.attempts:
                    raise
                self._pace.pause(failure.pause)
            finally:
                self.budget.settle(reserved, paid, answers)
            time.sleep(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0))
            attempt += 1
