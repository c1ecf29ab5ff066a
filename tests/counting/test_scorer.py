"""A Scorer gives the numbers of evaluate, whoever asks it and from wherever."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, GecevalWarning, Scorer, evaluate, m2
from geceval.counting.stream import PreparedParts
from geceval.counting.system_results import kept_counts
from geceval.edits.extraction import Extractor
from geceval.edits.languages.english import Builtin
from geceval.extending import Metric
from support.effort import examples
from support.instances import instances
from support.messages import message_of
from support.strategies import corpora

SOURCE = ["He go home .", "She have a cats .", "I like it .", "We was there yesterday ."] * 40
ONE = ["He goes home .", "She has a cat .", "I like it .", "We were there yesterday ."] * 40
TWO = ["He went home .", "She has cats .", "I like that .", "We were there yesterday ."] * 40
SYSTEMS = [
    ["He goes home .", "She has a cats .", "I like it .", "We was there ."] * 40,
    ["He go house .", "She had cats .", "I liked it .", "We were there yesterday ."] * 40,
    SOURCE,
    ONE,
]
NAMES = ["green", "gleu", "errant", "cleme"]
ALL = instances()
every_metric = pytest.mark.parametrize("metric", ALL.values(), ids=ALL)


def gold() -> list[m2.Block]:
    """What ``ONE`` and ``TWO`` change, as M2."""
    extractor = Extractor(Builtin())
    rows = [extractor.extract(zip(SOURCE, texts, strict=True)) for texts in (ONE, TWO)]
    return [
        m2.Block(line, tuple(replace(edit, annotator=a) for a, row in enumerate(rows) for edit in row[s]))
        for s, line in enumerate(SOURCE)
    ]


GOLD = gold()


def scored(scorer: Scorer, system: list[str]) -> list[Any]:
    """All it says of a system."""
    alone = {name: values.tobytes() for name, values in scorer.sentence_scores(system).items()}
    counts = {name: values.array.tobytes() for name, values in scorer.counts(system).items()}
    return [scorer.score(system), scorer.score(system, "mean"), alone, counts]


@every_metric
@pytest.mark.parametrize("given_as", ["references", "gold", "both"])
def test_the_numbers_are_those_of_evaluate(metric: Metric[Any], given_as: str) -> None:
    references = () if given_as == "gold" else [ONE, TWO]
    blocks = None if given_as == "references" else GOLD
    if metric.name in ("maxmatch", "ptm2") and blocks is None:
        pytest.skip("needs gold edits")
    scorer = Scorer([metric], SOURCE, references, gold=blocks, checks=False)
    for system in [*SYSTEMS, SYSTEMS[0]]:
        corpus = Corpus(SOURCE, references, {"hypothesis": system}, blocks)
        [[result]] = evaluate(corpus, [metric], checks=False).values()
        expected = kept_counts(corpus, metric)["hypothesis"]
        [name] = scorer.names
        for level in ("corpus", "mean"):
            assert str(scorer.score(system, level)) == str({name: result.score(level)})  # nan equals nan
        assert scorer.sentence_scores(system)[name].tobytes() == result.sentence_scores().tobytes()
        counts = scorer.counts(system)[name]
        assert (counts.array.tobytes(), counts.columns) == (expected.array.tobytes(), expected.columns)


def test_several_parts_are_counted_with_what_was_prepared_of_each() -> None:
    """More sentences than a part has."""
    many = 3 * geceval.Green.block // len(SOURCE)
    source, reference, system = SOURCE * many, ONE * many, SYSTEMS[0] * many
    scorer = Scorer(["green", "errant"], source, [reference])
    assert len(scorer._prepared_parts.parts) == 3
    [expected] = evaluate(Corpus(source, [reference], {"hypothesis": system}), scorer.metrics, checks=False).values()
    assert list(scorer.score(system).values()) == [result.score() for result in expected]


@settings(max_examples=examples(40))
@given(corpora())
def test_scores_of_any_texts_are_those_of_evaluate(texts: tuple[list[str], list[list[str]], list[str]]) -> None:
    source, references, system = texts
    metrics = [geceval.Green(), geceval.Errant(), geceval.Cleme()]
    [expected] = evaluate(Corpus(source, references, {"hypothesis": system}), metrics, checks=False).values()
    scores = Scorer(metrics, source, references, checks=False).score(system)
    assert list(scores.values()) == [result.score() for result in expected]


def test_nothing_is_prepared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = Scorer([*NAMES, "maxmatch"], SOURCE, [ONE, TWO], gold=GOLD, checks=False)
    expected = [scored(scorer, system) for system in SYSTEMS]
    for metric in scorer.metrics:
        monkeypatch.setattr(type(metric), "prepare", None)
    assert [scored(scorer, system) for system in SYSTEMS] == expected


def test_references_of_each_sentence() -> None:
    rows = [[first] if s % 3 else [first, second] for s, (first, second) in enumerate(zip(ONE, TWO, strict=True))]
    ragged = [ONE, [None if s % 3 else second for s, second in enumerate(TWO)]]
    scorer = Scorer(NAMES, SOURCE, per_sentence=rows)
    assert scored(scorer, SYSTEMS[0]) == scored(Scorer(NAMES, SOURCE, ragged), SYSTEMS[0])
    assert "|refs:1-2|" in scorer.score(SYSTEMS[0])["green"].signature


def test_names_tell_metrics_apart() -> None:
    scorer = Scorer(
        ["green", geceval.Green(beta=0.5), "green:n=2,unit=char", "m2"], SOURCE, [ONE], gold=GOLD, checks=False
    )
    assert len(set(scorer.score(SYSTEMS[0]))) == 4
    scorer = Scorer(["green", "m2"], SOURCE, [ONE], gold=GOLD, checks=False)
    assert repr(scorer) == "Scorer(['green', 'maxmatch'], 160 sentences)"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Scorer([], SOURCE, [ONE]),
        lambda: Scorer(["gren"], SOURCE, [ONE]),
        lambda: Scorer([geceval.Green], SOURCE, [ONE]),
        lambda: Scorer(["green"], SOURCE, [ONE], per_sentence=[["a"]] * 160),
        lambda: Scorer(["green"], SOURCE, per_sentence=ONE),
        lambda: Scorer(["green"], SOURCE, per_sentence=[[]] * 160),
        lambda: Scorer(["green"], SOURCE, [ONE[1:]]),
        lambda: Scorer(["green"], SOURCE, [ONE]).score(ONE[1:]),
        lambda: Scorer(["green"], SOURCE, [ONE]).score("a"),
        lambda: Scorer(["green"], SOURCE, [ONE]).score(ONE, "sentence"),
        lambda: Scorer(["green"], SOURCE, [ONE], threads=-1),
    ],
)
def test_arguments_that_cannot_be_scored_are_refused(make: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(make) == snapshot


def test_the_input_is_checked_once() -> None:
    unrelated = [f"quite another text {s}, of which nothing is in the source" for s in range(len(SOURCE))]
    with pytest.warns(GecevalWarning, match="reference 0: it is not tokenised") as caught:
        Scorer(["green"], SOURCE, [unrelated])
    assert [Path(warning.filename) for warning in caught] == [Path(__file__)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Scorer(["green"], SOURCE, [unrelated], checks=False).score(SYSTEMS[0])


# --- threads and processes ---

CROWD = [*NAMES, "maxmatch", "goto"]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer(CROWD, SOURCE, [ONE, TWO], gold=GOLD, checks=False)


@pytest.fixture(scope="module")
def expected(scorer: Scorer) -> list[Any]:
    return [scored(scorer, system) for system in SYSTEMS]


def test_threads_that_share_a_scorer_get_the_same_scores(scorer: Scorer, expected: list[Any]) -> None:
    start = threading.Barrier(8)

    def work(number: int) -> bool:
        start.wait()
        return all(scored(scorer, SYSTEMS[k % 4]) == expected[k % 4] for k in range(number, number + 4))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_pickled_scorer_gives_the_same_scores(scorer: Scorer, expected: list[Any]) -> None:
    copied = pickle.loads(pickle.dumps(scorer))
    assert [scored(copied, system) for system in SYSTEMS] == expected
    assert pickle.loads(pickle.dumps(copied)).names == scorer.names


@pytest.mark.parametrize("change", [{"unit": ...}, {"new": 1}, {"unit": "byte"}], ids=["lacking", "unknown", "value"])
def test_pickle_of_a_version_with_other_settings_is_refused(
    change: dict[str, Any], snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geceval.counting.metric.__version__", "0.3.0")
    state = {key: value for key, value in {**vars(geceval.Green()), **change}.items() if value is not ...}
    monkeypatch.setattr(geceval.Green, "__getstate__", lambda _: state, raising=False)
    assert message_of(pickle.loads, pickle.dumps(geceval.Green())) == snapshot


_SHARED: dict[str, Any] = {}


def in_a_process(number: int) -> bool:
    scorer, expected = _SHARED["made"]
    return bool(scored(scorer, SYSTEMS[number % 4]) == expected[number % 4])


def keep(scorer: Scorer, expected: list[Any]) -> None:
    _SHARED["made"] = scorer, expected


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("way", ["fork", "spawn", "forkserver"])
def test_scorer_in_another_process_gives_the_same_scores(way: str, scorer: Scorer, expected: list[Any]) -> None:
    """Forked while other threads are scoring, so that whoever holds a lock is left behind; spawned ones unpickle it."""
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {way} here")
    over = threading.Event()

    def busily() -> None:
        while not over.is_set():
            scorer.score(SYSTEMS[1])

    threads = [threading.Thread(target=busily) for _ in range(3 if way == "fork" else 0)]
    for thread in threads:
        thread.start()
    try:
        context = multiprocessing.get_context(way)
        with context.Pool(2, keep, (scorer, expected)) as pool:
            assert all(pool.map_async(in_a_process, range(16), chunksize=1).get(timeout=240))
    finally:
        over.set()
        for thread in threads:
            thread.join()


# --- one sentence ---


@every_metric
def test_one_sentence_is_as_in_a_corpus(metric: Metric[Any]) -> None:
    for s, blocks in [(0, None), (1, GOLD), (2, None), (3, GOLD)]:
        if metric.needs_gold and blocks is None:
            continue
        for system in SYSTEMS:
            block = None if blocks is None else blocks[s]
            expected = metric.sentence_scores(
                SOURCE[s : s + 1],
                system[s : s + 1],
                [ONE[s : s + 1], TWO[s : s + 1]],
                gold=blocks and blocks[s : s + 1],
            )
            for _ in range(2):  # as it was made, and as it was remembered
                value = metric.sentence_score(SOURCE[s], system[s], [ONE[s], TWO[s]], gold=block)
                assert np.array([value]).tobytes() == expected.tobytes()


@settings(max_examples=examples(60))
@given(corpora(), st.sampled_from([geceval.Green(), geceval.Errant(), geceval.Gleu(), geceval.Cleme()]))
def test_sentence_alone_has_its_score(texts: tuple[list[str], list[list[str]], list[str]], metric: Metric[Any]) -> None:
    source, rows, system = texts
    for s, line in enumerate(source):
        [expected] = metric.sentence_scores([line], [system[s]], [[row[s]] for row in rows])
        assert metric.sentence_score(line, system[s], [row[s] for row in rows]) == expected


def test_long_sentences_are_scored_and_not_remembered() -> None:
    from geceval.counting.alone import _prepare_cached

    green, long = geceval.Green(), "a " * 20_000
    before = _prepare_cached.cache_info()
    assert green.sentence_score(long, long, [long]) == 1.0
    assert _prepare_cached.cache_info() == before


@pytest.mark.parametrize(
    ("source", "hypothesis", "references"),
    [
        (3, "a", ["a"]),
        ("a", None, ["a"]),
        ("a", "\ud800", ["a"]),
        ("a", "a", "a"),
        ("a", "a", []),
        ("a", "a", [None]),
        ("a", "a", [["a"]]),
    ],
)
def test_a_sentence_that_is_none(source: Any, hypothesis: Any, references: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(geceval.Green().sentence_score, source, hypothesis, references) == snapshot


def test_what_is_ready_is_of_the_same_parts() -> None:
    corpus = Corpus(SOURCE, [ONE])
    ready = PreparedParts.made(corpus, [geceval.Green(), geceval.Green(beta=1), geceval.Errant()])
    assert {first: len(preparations) for first, preparations in ready.parts.items()} == {0: 2}
    assert ready.of(corpus) is ready.parts[0]


def test_prepared_scores_and_signatures_are_those_of_evaluate(snapshot: SnapshotAssertion) -> None:
    source, references = ["He go home.", "She stay."], [["He goes home.", "She stays."]]
    system = ["Sure! Here is the corrected sentence: He goes home.", "She stay."]
    steps = geceval.Preparation("english", clean="llm")
    corpus = geceval.Corpus(source, references, {"mine": system}).prepared(steps)
    scorer = geceval.Scorer(["errant", "green"], source, references, clean="llm", tokenise="english", checks=False)
    expected = geceval.evaluate(corpus, [geceval.Errant(), geceval.Green()])["mine"]
    for prepared in (scorer, pickle.loads(pickle.dumps(scorer))):
        assert [score.value for score in prepared.score(system).values()] == [
            result.score().value for result in expected
        ]
    blocks = [geceval.m2.Block("He go home ."), geceval.m2.Block("She stay .")]
    assert message_of(scorer.score, blocks) == snapshot


def test_first_system_is_checked() -> None:
    source = [f"He go to place {n} with friend {n} ." for n in range(30)]
    reference = [line.replace("go", "goes") for line in source]
    scorer = Scorer(["green"], source, [reference])
    with pytest.warns(geceval.GecevalWarning, match="share few tokens with the source") as caught:
        scorer.score([f"one two three four {n}" for n in range(30)])
    assert [warning.message.file for warning in caught] == ["system hypothesis"]  # type: ignore[union-attr]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scorer.score([f"one two three four {n}" for n in range(30)])
        Scorer(["green"], source, [reference]).score(reference[:1] + source[1:-1] + reference[-1:])
