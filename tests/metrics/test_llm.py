"""Systems judged against each other."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import GecevalWarning, Llm
from geceval.counting.signature import signature_of
from geceval.extending import Request
from geceval.metrics.judging.judge import JudgeError
from geceval.metrics.llm import JudgmentTables, compare_grades, count_columns, trueskill_means, win_shares
from geceval.text.files import SOURCE
from support.effort import examples
from support.judges import Loopback, Reaction, Ruled, Scripted, answered, data_of, loopback
from support.messages import message_of
from support.strategies import sentences

SOURCES = ["He go home .", "She have cats .", "Fine ."]
pytestmark = pytest.mark.filterwarnings("ignore:.*1 of its 3 lines is empty", "ignore:.*3 lines, 1 empty")

SYSTEMS = {
    "one": ["He goes home .", "She has cats .", "Fine ."],
    "two": ["He went home .", "She has cats .", "Fine ."],
    "three": ["He go home .", "She has a cats .", ""],
}
CORPUS = geceval.Corpus(SOURCES, (), SYSTEMS)
GRADES = {"He goes home .": 5, "He went home .": 4, "She has cats .": 5, "She has a cats .": 2, "Fine .": 5, "": 1}


def graded(request: Request, grades: dict[str, int] = GRADES) -> str:
    targets = data_of(request.user)["targets"]
    return json.dumps({f"target_{number}": grades.get(text, 1) for number, text in targets.items()})


def values(results: dict[str, list[Any]]) -> dict[str, float]:
    return {name: row[0].score().value for name, row in results.items()}


def test_expected_wins_by_hand() -> None:
    """one wins against two once (ties elsewhere), against three and the source three and two times of as many."""
    scores = values(geceval.evaluate(CORPUS.with_unchanged(), [Llm(model=Scripted(graded))]))
    assert scores["one"] == 1.0
    assert scores["two"] == pytest.approx((0 + 1 + 1) / 3)
    # three loses all of one and two; against the source it wins sentence 2 and loses sentence 3
    assert scores["three"] == pytest.approx((0 + 0 + 1 / 2) / 3)
    assert scores[SOURCE] == pytest.approx((0 + 0 + 1 / 2) / 3)


def test_counts_and_parts_by_hand() -> None:
    [result] = geceval.evaluate(CORPUS, [Llm(model=Scripted(graded), source=False)])["one"]
    score = result.score()
    assert score.parts == pytest.approx({"won": 4 / 6, "tied": 2 / 6, "lost": 0, "apart": 0, "unread": 0})
    totals = score.totals
    assert (totals["one>two"], totals["one=two"], totals["two=one"], totals["one>three"]) == (1, 2, 2, 3)
    assert (totals["own:one"], totals["own:two"], totals["unread"]) == (3, 0, 0)
    assert result.sentence_scores().tolist() == [1.0, 1.0, 1.0]


def test_the_source_is_judged_with_or_without_the_guard(snapshot: SnapshotAssertion) -> None:
    judge = Scripted(graded)
    metric = Llm(model=judge)
    without = geceval.evaluate(CORPUS, [metric])
    requests = len(judge.asked)
    with_guard = geceval.evaluate(CORPUS.with_unchanged(), [metric])
    assert len(judge.asked) == requests == 3
    for name, [result] in without.items():
        assert result.score() == with_guard[name][0].score()
    assert "|pool:(source)+one+three+two|" in without["one"][0].signature()
    alone = metric.corpus_score(SOURCES, SYSTEMS["one"])
    assert alone.value == 1.0
    assert metric.corpus_score(SOURCES, SOURCES).value == 0.5
    assert message_of(lambda: replace(metric, source=False).corpus_score(SOURCES, SYSTEMS["one"])) == snapshot


def test_the_order_of_systems_changes_nothing() -> None:
    first = None
    for aggregation in ("wins", "trueskill"):
        for order in permutations(SYSTEMS):
            judge = Scripted(graded)
            corpus = geceval.Corpus(SOURCES, (), {name: SYSTEMS[name] for name in order})
            results = geceval.evaluate(corpus, [Llm(model=judge, most=2, aggregation=aggregation)])
            scores = {name: results[name][0].score() for name in sorted(results)}
            first = scores if first is None or aggregation not in str(first) else first
            assert scores == first


def test_what_is_shown() -> None:
    """Each correction once; of too many the most frequent, then the first by code points; in an order by lot."""
    judge = Scripted(graded)
    systems = {name: ["b"] for name in "xy"} | {"1": ["e"], "2": ["a"], "3": ["c"], "4": ["d"]}
    metric = Llm(model=judge, most=3, source=False, repeats=20)
    geceval.evaluate(geceval.Corpus(["s"], (), systems), [metric])
    targets = [list(data_of(request.user)["targets"].values()) for request in judge.asked]
    assert {tuple(sorted(row)) for row in targets} == {("a", "b", "c")}
    assert len({tuple(row) for row in targets}) > 3
    assert len({request.seed for request in judge.asked}) == 20
    judge.asked.clear()
    geceval.evaluate(geceval.Corpus(["s"], (), systems), [replace(metric, order="sorted", repeats=1)])
    assert [list(data_of(request.user)["targets"].values()) for request in judge.asked] == [["a", "b", "c"]]
    [result] = geceval.evaluate(geceval.Corpus(["s"], (), systems), [metric])["4"]
    assert result.score().parts["apart"] == 1.0
    assert result.score().value == 0.5


def test_where_all_agree_nobody_is_asked() -> None:
    judge = Scripted(graded)
    metric = Llm(model=judge, source=False)
    [result] = geceval.evaluate(geceval.Corpus(["a"], (), {"x": ["b"], "y": ["b"]}), [metric])["x"]
    assert not judge.asked
    assert result.score().parts == {"won": 0, "tied": 1, "lost": 0, "apart": 0, "unread": 0}


def test_edits_are_shown_as_such() -> None:
    judge = Scripted(lambda request: json.dumps(dict.fromkeys(request.keys, 3)))
    m2 = [
        geceval.m2.Block(text, tuple(edits) or (geceval.m2.noop(0),))
        for text, edits in zip(SOURCES, [[geceval.m2.Edit(1, 2, "R:VERB", ("goes",))], [], []], strict=True)
    ]
    corpus = geceval.Corpus(SOURCES, (), {**SYSTEMS, "m2": m2})
    results = geceval.evaluate(corpus, [Llm(model=judge, prompt="edits")])
    prompts = [data_of(request.user) for request in judge.asked]  # in any order
    targets = sorted(prompts, key=lambda data: SOURCES.index(data["source"]))
    edits_of_targets = [json.dumps(target) for target in targets[0]["targets"].values()]
    assert sorted(edits_of_targets) == sorted(
        ["[]", *(json.dumps([{"at": 1, "from": "go", "to": to}]) for to in ("goes", "went"))]
    )
    assert [{"at": 0, "from": "Fine .", "to": ""}] in targets[2]["targets"].values()
    assert "|annotator:builtin:3-2|" in results["one"][0].signature()
    assert "annotator" not in results["m2"][0].signature()
    assert results["one"][0].signature().startswith("LLM-E|")


def test_the_signature_says_who_judged_by_which_words() -> None:
    signature = signature_of(Llm(model=Ruled(), seed=5, temperature=0.7), 1)
    assert signature.startswith("LLM-S|temperature:0.7|seed:5|repeats:1|")
    assert "|model:ruled|template:sentence-1@" in signature
    assert "refs" not in signature
    server = signature_of(Llm(model="m", server="http://127.0.0.1:1/v1", cache="no"), 1)
    assert "|model:m@http://127.0.0.1:1/v1|" in server


def test_criteria_are_asked_for_in_their_own_words() -> None:
    words = set()
    for prompt in ("sentence", "edits"):
        for criterion in ("overall", "grammaticality", "fluency", "meaning", "difficulty", "impact"):
            judge = Scripted(lambda request: json.dumps(dict.fromkeys(request.keys, 3)))
            metric = Llm(model=judge, prompt=prompt, criterion=criterion)  # type: ignore[arg-type]
            geceval.evaluate(CORPUS, [metric])
            words.add(judge.asked[0].user)
    assert len(words) == 12


# --- answers that cannot be read ---


def test_unread_answers_are_counted_and_told_of_and_decide_nothing() -> None:
    judge = Scripted(lambda request: "no" if "cats" in request.user else graded(request))
    metric = Llm(model=judge, tries=2)
    with pytest.warns(GecevalWarning, match="1 of 3 questions have no readable answer after 2 tries.*not JSON: no"):
        [result] = geceval.evaluate(CORPUS, [metric])["one"]
    assert len(judge.asked) == 4
    assert result.score().parts["unread"] == pytest.approx(1 / 3)
    assert result.score().parts["apart"] == pytest.approx(1 / 3)
    assert result.sentence_scores().tolist() == [1.0, 0.5, 1.0]
    with pytest.raises(JudgeError, match="1 of 3 questions"):
        geceval.evaluate(CORPUS, [replace(metric, refuse_unread=True)])


def test_repetitions_and_their_spread() -> None:
    """The judge changes its mind in one repetition of four."""
    moody = {**GRADES, "He goes home .": 3}
    judge = Scripted(lambda request: graded(request, moody if request.seed == 778 else GRADES))
    [result] = geceval.evaluate(CORPUS, [Llm(model=judge, repeats=4, source=False)])["one"]
    score = result.score()
    assert score.totals["one>two#1"] == 1
    assert score.totals["two>one#2"] == 1
    assert score.value == pytest.approx((3 / 4 + 1) / 2)
    each = [1.0, 0.5, 1.0, 1.0]
    assert score.parts["spread"] == pytest.approx(np.std(each))
    skilled = geceval.evaluate(CORPUS, [Llm(model=judge, repeats=4, source=False, aggregation="trueskill")])
    assert skilled["one"][0].score().value > skilled["three"][0].score().value
    assert skilled["one"][0].score().parts["spread"] > 0
    names, sums = sorted(SYSTEMS), score.totals
    wins, ties = (
        np.array([[sum(sums[f"{a}{sign}{b}#{k}"] for k in range(1, 5)) for b in names] for a in names]) for sign in ">="
    )
    metric = skilled["one"][0].metric
    assert [values(skilled)[name] for name in names] == pytest.approx(
        trueskill_means(wins, ties, metric.runs, metric.seed)
    )


# --- arithmetic ---


@given(
    size=st.integers(1, 5),
    repeats=st.integers(1, 3),
    data=st.data(),
)
@settings(max_examples=examples(60))
def test_columns_and_tables_are_one(size: int, repeats: int, data: st.DataObject) -> None:
    names = "abcde"[:size]
    columns = count_columns(names, repeats)
    numbers = np.arange(1, len(columns) + 1)
    unpacked = JudgmentTables.of(numbers, repeats)
    assert unpacked.unread == 1
    i, a, b = data.draw(st.integers(0, repeats - 1)), *(data.draw(st.integers(0, size - 1)) for _ in range(2))
    mark = f"#{i + 1}" if repeats > 1 else ""
    assert columns[unpacked.wins[i, a, b] - 1] == f"{names[a]}>{names[b]}{mark}"
    assert columns[unpacked.ties[i, a, b] - 1] == f"{names[a]}={names[b]}{mark}"
    assert columns[unpacked.counted[a] - 1] == f"own:{names[a]}"


@given(st.data())
@settings(max_examples=examples(60))
def test_comparisons_follow_from_the_grades(data: st.DataObject) -> None:
    systems, size = data.draw(st.integers(2, 4)), data.draw(st.integers(1, 3))
    views = [data.draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size)) for _ in range(systems)]
    grades = [[data.draw(st.dictionaries(st.sampled_from("abc"), st.integers(1, 5)))] for _ in range(size)]
    wins, ties = compare_grades(views, grades)
    for s in range(size):
        for a in range(systems):
            for b in range(systems):
                first_grade, second_grade = (grades[s][0].get(views[k][s]) for k in (a, b))
                graded_both = a != b and first_grade is not None and second_grade is not None
                assert wins[s, 0, a, b] == (graded_both and first_grade > second_grade)  # type: ignore[operator]
                assert ties[s, 0, a, b] == (graded_both and first_grade == second_grade)


def test_aggregations_where_nobody_met_or_decided() -> None:
    nothing = np.zeros((3, 3), int)
    ties = 5 * (1 - np.eye(3, dtype=int))
    assert win_shares(nothing).tolist() == [0.5] * 3
    assert trueskill_means(nothing, nothing, 10, 1).tolist() == [0, 0, 0]
    assert np.abs(trueskill_means(nothing, ties, 50, 1)).max() < 0.05
    wins = np.array([[0, 4, 0], [1, 0, 0], [0, 0, 0]])
    assert win_shares(wins).tolist() == [0.8, 0.2, 0.5]
    first, second, third = trueskill_means(wins, nothing, 50, 1)
    assert first > 0 > second
    assert third == 0
    assert trueskill_means(np.stack([nothing, wins]), nothing, 50, 1).tolist() == [[0, 0, 0], [first, second, third]]


# --- arguments ---


def test_a_judge_must_be_named(monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    monkeypatch.delenv("GECEVAL_BASE_URL", raising=False)
    assert message_of(lambda: Llm().corpus_score(["a"], ["b"])) == snapshot
    assert message_of(lambda: Llm(model="some-model").corpus_score(["a"], ["b"])) == snapshot
    assert (
        message_of(lambda: Llm(model="m", server="http://127.0.0.1:1/v1", max_cost=1.0).corpus_score(["a"], ["b"]))
        == snapshot
    )


def test_a_system_that_was_not_judged(snapshot: SnapshotAssertion) -> None:
    metric = Llm(model=Ruled())
    judged = metric.pool(metric.prepare(CORPUS), CORPUS.systems)
    assert metric.count(judged, list(CORPUS.systems["two"])).array[0, 0, 1:5].tolist() == [0, 0, 0, 1]
    assert message_of(metric.count, judged, ["a", "b", "c"]) == snapshot


# --- a server ---


@given(st.lists(st.tuples(sentences, sentences, sentences), min_size=1, max_size=6))
@settings(max_examples=examples(15))
def test_concurrency_changes_no_number(rows: list[tuple[str, str, str]]) -> None:
    source, one, two = map(list, zip(*rows, strict=True))
    corpus = geceval.Corpus(source, (), {"one": one, "two": two})

    def troubled(number: int, body: dict[str, Any]) -> Reaction:
        """By what is asked, not by when: sometimes nonsense, sometimes late."""
        mood = sum(map(ord, body["messages"][1]["content"])) + body["seed"]
        if mood % 3 == 0:
            return Reaction(body=answered("hm"), delay=0.005)
        return Reaction(delay=0.01 * (mood % 2))

    scores_by_concurrency = []
    with loopback() as state, warnings.catch_warnings():
        warnings.simplefilter("ignore", GecevalWarning)
        state.react = troubled
        for concurrency in (1, 7):
            metric = Llm(model="m", server=state.base_url, concurrency=concurrency, cache="no", repeats=2)
            results = geceval.evaluate(corpus, [metric])
            scores_by_concurrency.append({name: row[0].score() for name, row in results.items()})
    assert scores_by_concurrency[0] == scores_by_concurrency[1]


def test_a_server_in_trouble_gives_the_numbers_of_a_good_one(there: Loopback) -> None:
    metric = Llm(model="m", server=there.base_url, cache="no", concurrency=2)
    good = values(geceval.evaluate(CORPUS, [metric]))
    trouble = [Reaction(500), Reaction(429, {"Retry-After": "0.01"}), Reaction(cut=True)]
    there.requests.clear()
    there.react = lambda number, body: trouble[number] if number < len(trouble) else Reaction()
    assert values(geceval.evaluate(CORPUS, [replace(metric, attempts=7)])) == good
    assert len(there.requests) == 3 + len(trouble)
    assert good == values(geceval.evaluate(CORPUS, [Llm(model=Ruled())]))


def test_a_server_that_dies_costs_nothing_twice(there: Loopback, tmp_path: Path) -> None:
    there.react = lambda number, body: Reaction() if number < 2 else Reaction(502)
    metric = Llm(model="m", server=there.base_url, attempts=2, concurrency=1)
    with pytest.raises(JudgeError, match="502"):
        geceval.evaluate(CORPUS, [metric])
    assert (tmp_path / "answers.sqlite").exists()
    there.requests.clear()
    there.react = lambda number, body: Reaction()
    # Other settings that change no number: another client, which reads the file.
    results = geceval.evaluate(CORPUS, [replace(metric, attempts=3)])
    assert len(there.requests) == 1
    assert values(results) == values(geceval.evaluate(CORPUS, [Llm(model=Ruled())]))
