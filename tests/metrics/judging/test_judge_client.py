"""Many questions: once each, several at a time, anew where unreadable, and for no more than may be spent."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from geceval.metrics.judging.answers import Answers
from geceval.metrics.judging.costs import AROUND, BYTES, Budget, Prices, token_counter
from geceval.metrics.judging.judge import Answer, Judge, JudgeError, Question, Request
from geceval.metrics.judging.judge_client import JudgeClient
from support.judges import Scripted

REQUEST = Request("é", "user", ("a",), 1, 5, 0.0, 7, 300, "schema")
QUESTIONS = [Question(replace(REQUEST, user=f"question {number % 20}")) for number in range(30)]


def client(
    judge: Judge, path: Path | None = None, tries: int = 3, concurrency: int = 4, limit: float | None = None
) -> JudgeClient:
    return JudgeClient(judge, path, Prices(1.0, 2.0), limit, tries, concurrency)


def by_number(request: Request) -> str:
    return f'{{"a": {1 + int(request.user.split()[1]) % 5}}}'


@pytest.mark.parametrize("concurrency", [1, 3, 64])
def test_each_question_is_asked_once_and_answered_in_its_place(concurrency: int) -> None:
    judge = Scripted(by_number)
    own = client(judge, concurrency=concurrency)
    for _ in range(2):
        replies = own.ask(QUESTIONS)
        assert [reply.meaning["a"] for reply in replies] == [1 + number % 20 % 5 for number in range(30)]
    assert len(judge.asked) == 20
    assert own.budget.answered == 20
    assert own.budget.spent == pytest.approx(20 * (10 * 1 + 5 * 2) / 1e6)
    assert own.budget.reserved == pytest.approx(0, abs=1e-15)
    assert own.ask([]) == []


def test_several_are_asked_at_a_time() -> None:
    barrier = threading.Barrier(4, timeout=10)

    def together(request: Request) -> str:
        barrier.wait()
        return '{"a": 1}'

    client(Scripted(together), concurrency=4).ask(QUESTIONS[:4])


def test_what_cannot_be_read_is_asked_anew_with_another_seed_and_then_reported() -> None:
    judge = Scripted(lambda request: "well" if request.seed < 1_000_000 else '{"a": 3}')
    [reply] = client(judge).ask(QUESTIONS[:1])
    assert reply.meaning == {"a": 3}
    assert [request.seed for request in judge.asked] == [7, 7 + 1_000_003]
    judge = Scripted(lambda request: f'{{"a": {len(judge.asked) + 5}}}')
    [reply] = client(judge).ask(QUESTIONS[:1])
    assert (reply.meaning, reply.unreadable) == (None, "a is 8, not from 1 to 5")
    assert len(judge.asked) == 3


def test_what_was_answered_before_somebody_died_is_kept(tmp_path: Path) -> None:
    def dying(request: Request) -> str:
        if request.user == "question 13":
            raise JudgeError("gone")
        time.sleep(0.01)
        return by_number(request)

    path = tmp_path / "answers.jsonl"
    judge = Scripted(dying)
    with pytest.raises(JudgeError, match="gone"):
        client(judge, path, concurrency=3).ask(QUESTIONS)
    answered = len(judge.asked) - 1
    assert len(Answers(path)) == answered
    assert 13 <= answered < 19
    rest = Scripted(by_number)
    replies = client(rest, path).ask(QUESTIONS)
    assert [reply.meaning["a"] for reply in replies] == [1 + number % 20 % 5 for number in range(30)]
    assert len(rest.asked) == 20 - answered


def test_answers_of_another_judge_or_request_are_not_taken(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    client(Scripted(by_number), answers).ask(QUESTIONS)

    class Other(Scripted):
        @property
        def name(self) -> str:
            return "other"

    other = Other(by_number)
    client(other, answers).ask(QUESTIONS[:2])
    warmer = Scripted(by_number)
    client(warmer, answers).ask([Question(replace(QUESTIONS[0].request, temperature=1.0))])
    assert (len(other.asked), len(warmer.asked)) == (2, 1)


# --- costs ---


def test_no_more_is_spent_than_allowed() -> None:
    """A request can cost its bytes and its largest answer; it does cost 10 tokens and 5."""
    most = (BYTES.of(QUESTIONS[0].request) + 2 * 300) / 1e6
    judge = Scripted(by_number)
    own = client(judge, concurrency=8, limit=most + 2.5 * 20e-6)
    for question in QUESTIONS[:3]:
        own.ask([question])
    with pytest.raises(JudgeError, match=r"the next request may cost .* is spent") as refusal:
        own.ask(QUESTIONS)
    assert len(judge.asked) == 3
    assert own.budget.spent == pytest.approx(60e-6)
    assert "larger --judge max_cost=" in str(refusal.value)
    with pytest.raises(JudgeError):
        client(judge, limit=0.9 * most).ask(QUESTIONS)


@pytest.mark.parametrize("concurrency", [1, 16])
def test_what_is_under_way_counts(concurrency: int) -> None:
    def slow(request: Request) -> str:
        time.sleep(0.01)
        return by_number(request)

    own = client(Scripted(slow), concurrency=concurrency, limit=5 * (BYTES.of(QUESTIONS[0].request) + 600) / 1e6)
    own.budget.prices = Prices(1e6, 1e6)  # dearer than thought: nothing may be sent
    with pytest.raises(JudgeError):
        own.ask(QUESTIONS)
    assert own.budget.answered == 0


def test_tokens_of_answers_that_do_not_say_are_taken_at_most() -> None:
    budget = Budget(Prices(1.0, 1.0), None)
    budget.settle(budget.reserve(REQUEST), REQUEST, Answer("x"))
    assert budget.spent == pytest.approx((BYTES.of(REQUEST) + 300) / 1e6)
    budget.settle(budget.reserve(REQUEST), REQUEST, None)
    assert budget.answered == 1


def test_tiktoken_counts_where_it_knows_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding:
        name = "words"

        def encode(self, text: str, disallowed_special: tuple[str, ...]) -> list[str]:
            return text.split()

    class Library:
        @staticmethod
        def encoding_for_model(model: str) -> Encoding:
            if model != "known":
                raise KeyError(model)
            return Encoding()

    monkeypatch.setitem(sys.modules, "tiktoken", Library)
    token_counter.cache_clear()
    counter = token_counter("known")
    assert (counter.name, counter.of(REQUEST)) == ("tiktoken, words", AROUND + 2)
    assert token_counter("unknown") is BYTES
    token_counter.cache_clear()


def test_tokens_are_counted_and_it_is_said_how() -> None:
    assert BYTES.of(REQUEST) == AROUND + len("é".encode()) + len("user")
    assert token_counter("some-model-nobody-knows").name == "upper bound: number of bytes"
    assert Prices(1.0, None).of(10, 10) is None
    assert Prices(2.0, 3.0).of(1_000_000, 2_000_000) == 8.0
