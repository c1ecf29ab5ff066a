"""Systems that correct a source of their own: edits in the common source, without those on misheard words."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval import Cleme, Corpus, CorpusFiles, Errant, GecevalWarning, Green, compare, evaluate, read_corpus
from geceval.base.errors import InputError, UsageError
from geceval.edits.corpus_edits import Extraction
from geceval.edits.own_sources import _ALIGNMENT, Misheard, _Alignment, carry_over
from geceval.edits.versions import edits_by_version
from geceval.extending import Metric, Score
from geceval.text.m2.edit import Edit
from support.commands import run_main
from support.instances import instances
from support.strategies import sentences
from support.written_files import write

METRICS = [
    metric
    for metric in instances().values()
    if metric.carries_edits and metric.pool is None and metric.about.extra is None
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)

COMMON = ["in the evening i go to the market with my sister", "she buy three apples and one bread", "we was very tired"]
GOLD = ["in the evening i went to the market with my sister", "she bought three apples and one loaf of bread",
        "we were very tired"]  # fmt: skip
HEARD = ["in evening i go to the market with my cistern", "she buy tree apples and one bread", "we was very tired"]
OUTPUT = ["in evening i went to the market with my cistern", HEARD[1].replace("buy", "bought"), "we were very tired"]


def value(corpus: Corpus, metric: Metric, name: str = "A") -> Score:
    [result] = evaluate(corpus, [metric])[name]
    return result.score()


def test_recognition_errors_are_no_edits_of_the_corrector() -> None:
    corpus = Corpus({None: COMMON, "A": HEARD}, [GOLD], {"A": OUTPUT})
    with pytest.warns(GecevalWarning, match=r"word error rate of its source 13\.6 %; 0 of 4 gold edits and 0 of 3"):
        score = value(corpus, Errant())
    assert 100 * score.value == pytest.approx(93.75)
    assert (score.totals["tp"], score.totals["fp"], score.totals["fn"]) == (3, 0, 1)
    assert "|source:own|" in score.signature


@every_metric
@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
def test_an_own_source_equal_to_the_common_one_changes_no_score(metric: Metric) -> None:
    common = Corpus(COMMON, [GOLD, COMMON], {"A": OUTPUT[2:] + HEARD[1:], "B": GOLD})
    own = Corpus({None: COMMON, "A": COMMON, "B": COMMON}, [GOLD, COMMON], dict(common.systems))
    for name in common.systems:
        first, second = value(common, metric, name), value(own, metric, name)
        assert (first.value, first.totals) == (second.value, second.totals)


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
@given(st.lists(st.tuples(*[sentences] * 3), min_size=1, max_size=5))
def test_drawn_sources_that_are_equal_change_no_score(rows: list[tuple[str, ...]]) -> None:
    source, reference, output = map(list, zip(*rows, strict=True))
    for metric in (Errant(), Cleme()):
        expected = value(Corpus(source, [reference], {"A": output}), metric)
        assert value(Corpus({None: source, "A": source}, [reference], {"A": output}), metric).totals == expected.totals


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
@given(st.lists(st.tuples(*[sentences] * 4), min_size=1, max_size=5))
def test_a_system_that_changes_nothing_has_no_edits(rows: list[tuple[str, ...]]) -> None:
    source, reference, heard, _ = map(list, zip(*rows, strict=True))
    totals = value(Corpus({None: source, "A": heard}, [reference], {"A": heard}), Errant()).totals
    assert (totals["tp"], totals["fp"]) == (0, 0)


@given(sentences, sentences)
def test_alignments_map_equal_tokens_and_certain_places_both_ways(first: str, second: str) -> None:
    corpus = Corpus([first], [[second]])
    [edits] = _ALIGNMENT.edits(corpus.source, [corpus.references[0]])
    [[version]] = edits_by_version(corpus.source, edits)
    one, two = first.split(), second.split()
    alignment = _Alignment.of(version, len(one))
    assert all(one[here] == two[there] for here, there in alignment.tokens.items())
    assert len(one) - len(alignment.tokens) <= len(version)
    for edit in (Edit(here, here + 1, "R", ("x",)) for here in alignment.tokens):
        carried = alignment.carried(edit)
        assert carried is not None
        assert alignment.inverse.carried(carried) == edit
    for place in alignment.places:
        carried = alignment.carried(Edit(place, place, "M", ("x",)))
        assert carried is not None
        assert alignment.inverse.carried(carried) == Edit(place, place, "M", ("x",))


@pytest.mark.parametrize(
    ("edit", "carried"),
    [
        ((0, 1), (0, 1)),  # a
        ((1, 2), None),  # b was misheard
        ((1, 1), (1, 1)),  # before it: the place is certain
        ((2, 2), (2, 2)),
        ((3, 3), None),  # next to d, which was lost
        ((4, 4), None),
        ((2, 3), (2, 3)),
        ((2, 5), None),
        ((5, 7), None),  # z was added within
        ((4, 6), (3, 5)),
        ((6, 6), None),
        ((6, 7), (6, 7)),
        ((7, 7), (7, 7)),
    ],
)
def test_edits_are_carried_by_equal_tokens(edit: tuple[int, int], carried: tuple[int, int] | None) -> None:
    corpus = Corpus(["a b c d e f g"], [["a x c e f z g"]])
    [edits] = _ALIGNMENT.edits(corpus.source, [corpus.references[0]])
    [[version]] = edits_by_version(corpus.source, edits)
    result = _Alignment.of(version, 7).carried(Edit(*edit, "R", ("y",)))
    assert (None if result is None else (result.start, result.end)) == carried


def test_edits_on_misheard_words_are_counted_and_left_out() -> None:
    corpus = Corpus({None: ["he go home now"], "A": ["he got home"]}, [["he goes home ."]], {"A": ["he gets home ."]})
    part, misheard = carry_over(corpus, "A", Extraction("builtin:3"))
    assert misheard == Misheard(tokens=4, errors=2, gold=2, gold_left_out=2, edits=2, edits_left_out=2)
    assert part.gold is not None
    assert all(edit.is_noop for block in part.gold for edit in block.edits)


# --- the rest of the program ---


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
def test_parts_and_own_references_change_no_score() -> None:
    rng = random.Random(3)
    heard = [" ".join(word for word in line.split() if rng.random() > 0.1) for line in COMMON * 4]
    source, gold, output = COMMON * 4, GOLD * 4, [line.replace("was", "were") for line in heard]
    for references in ([gold], {"A": [gold], "B": [source]}):
        corpus = Corpus({None: source, "A": heard}, references, {"A": output, "B": gold})
        for metric in (Errant(), Cleme()):
            for name in corpus.systems:
                expected = value(corpus, metric, name).totals
                for options in ({"block": 5}, {"threads": 2}):
                    [result] = evaluate(corpus, [metric], **options)[name]
                    assert result.score().totals == expected
    assert compare(corpus, [Errant()], samples=99)


@pytest.mark.parametrize(
    ("source", "system", "metric", "error"),
    [
        ({None: COMMON, "A": HEARD}, OUTPUT, Green(), "GREEN compares texts, or edits with one source"),
        ({None: COMMON, "B": HEARD}, OUTPUT, Errant(), "a source of B, which is not a system"),
        ({"A": HEARD}, OUTPUT, Errant(), "a source that all systems have in common is required"),
        ({None: COMMON, "A": HEARD[1:]}, OUTPUT, Errant(), "not the same number"),
        (
            {None: COMMON, "A": HEARD},
            [geceval.m2.Block(line, ()) for line in COMMON],
            Errant(),
            "A has a source of its own, and is given as edits",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(source: dict, system: list, metric: Metric, error: str) -> None:
    with pytest.raises((InputError, UsageError), match=error):
        evaluate(Corpus(source, [GOLD], {"A": system}), [metric], checks=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"manual": COMMON, "heard": HEARD, "gold": GOLD, "output": OUTPUT}.items():
        write(tmp_path / f"{name}.txt", "".join(f"{line}\n" for line in lines))
    return tmp_path


WORDS = ["-s", "manual.txt", "A=heard.txt", "-r", "gold.txt", "-c", "A=output.txt"]


def test_files_of_sources_are_read(folder: Path) -> None:
    corpus = read_corpus({None: "manual.txt", "A": "heard.txt"}, ["gold.txt"], {"A": "output.txt"})
    assert corpus == Corpus({None: COMMON, "A": HEARD}, [GOLD], {"A": OUTPUT})
    assert CorpusFiles({None: "manual.txt", "A": "heard.txt"}, systems={"A": "output.txt"}).paths == (
        "manual.txt",
        "heard.txt",
    )
    result = run_main("score", *WORDS, "-m", "errant")
    assert (result.status, "93.75" in result.out) == (0, True)
    assert "0 of 4 gold edits" in result.err


@pytest.mark.parametrize("line", ["score -f json", "rank", "gate --fail-under errant=10"])
def test_other_commands_take_own_sources(folder: Path, line: str) -> None:
    command, *words = line.split()
    result = run_main(command, *WORDS, "B=gold.txt", "-m", "errant", *words)
    assert result.status == 0, result.err


def test_sentences_are_not_shown(folder: Path) -> None:
    result = run_main("show", *WORDS, "-m", "errant")
    assert (result.status, "cannot be shown" in result.err) == (2, True)


@pytest.mark.parametrize("systems", [["A=output.txt"], ["A=output.txt", "B=gold.txt"]], ids=["own", "own and common"])
def test_gold_edits_are_carried_over_with_checks(folder: Path, systems: list[str]) -> None:
    assert run_main("annotate", "-s", "manual.txt", "-c", "gold.txt", "-o", "gold.m2").status == 0
    words = ["--gold", "gold.m2", "-s", "manual.txt", "A=heard.txt", "-c", *systems, "-m", "errant", "-f", "csv"]
    assert run_main("score", *words).out.splitlines()[1] == "A,93.75"


def test_suggestions_have_their_places_in_the_own_source(folder: Path) -> None:
    heard = ["well " + HEARD[0], *HEARD[1:]]
    write(folder / "heard.txt", "".join(f"{line}\n" for line in heard))
    fixes = [(heard[0], "go", "went"), (heard[1], "buy", "bought"), (heard[2], "was", "were")]
    rows = [
        {"suggestions": [{"start": line.index(f" {wrong} ") + 1, "length": len(wrong), "replacement": right}]}
        for line, wrong, right in fixes
    ]
    write(folder / "checker.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    words = ["-s", "manual.txt", "A=heard.txt", "-r", "gold.txt", "-c", "A=checker.jsonl", "-m", "errant", "-f", "csv"]
    refused = run_main("score", *words)
    assert (refused.status, "--suggestions as-text scores the text that they make" in refused.err) == (2, True)
    assert run_main("score", *words, "--suggestions", "as-text").out.splitlines()[1] == "A,93.75"


def test_m2_of_a_system_with_its_own_source_is_refused_for_this_reason(folder: Path) -> None:
    assert run_main("annotate", "-s", "heard.txt", "-c", "output.txt", "-o", "A.m2").status == 0
    words = ["-s", "manual.txt", "A=heard.txt", "-r", "gold.txt", "-c", "A=A.m2", "-m", "errant"]
    refused = run_main("score", *words)
    assert "system A has a source of its own, and is given as M2\n  hint: give its corrections as text" in refused.err
    assert run_main("m2", "apply", "A.m2", "-o", "A.txt").status == 0
    assert run_main("score", *words[:-3], "A=A.txt", "-m", "errant").status == 0
