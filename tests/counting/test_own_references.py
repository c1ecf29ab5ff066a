"""References of a single system: each system is scored as if it were alone with its references."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval import Corpus, CorpusFiles, Errant, Gleu, Goto, Green, compare, evaluate, read_corpus
from geceval.base.errors import GecevalError, InputError, UsageError
from geceval.counting.run import Run
from geceval.counting.system_results import kept_counts
from geceval.extending import Metric
from geceval.inspection.examination import examine
from geceval.metrics.kept import Kept
from geceval.resampling.comparison_results import Pair
from geceval.text.files import SOURCE
from support.commands import run_main
from support.instances import instances
from support.strategies import sentences
from support.written_files import write

#: Metrics with references that need no gold edits and score each system alone; texts that must stay are the same for
#: all systems: test_only_common_references_decide_what_must_stay.
METRICS = [
    metric
    for metric in [*instances().values(), Gleu(selection="mean"), Errant(selection="optimum")]
    if metric.uses_references and metric.pool is None and not metric.needs_gold and metric.judging is None
    if not isinstance(metric, Kept)
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.label)

SOURCES = ["He go to home .", "I has it .", "She like the tea .", "We was here", "It is good ."]
COMMON = ["He goes home .", "I have it .", "She likes tea .", "We were here .", "It is good ."]
OWN_A = ["He goes to his home .", "I have it .", "She likes the tea .", "We were here", "It is good ."]
OWN_B = ["He is going home .", "I own it .", "Tea is what she likes .", "We were there .", "It is good ."]
A = ["He goes to home .", "I have it .", "She likes the tea .", "We was here", "It is good ."]
B = ["He is going home .", "I own it .", "Tea is what she like .", "We were there .", "It is good ."]
SYSTEMS = {"A": A, "B": B}
EACH = {"A": [OWN_A], "B": [OWN_B]}
TOGETHER = {None: [COMMON], **EACH}


def scores(corpus: Corpus, metric: Metric, **options: object) -> dict[str, float]:
    return {name: row[0].score().value for name, row in evaluate(corpus, [metric], **options).items()}  # type: ignore[arg-type]


@every_metric
@pytest.mark.parametrize(
    "references", [EACH, TOGETHER, {None: [COMMON], "B": [OWN_B, OWN_A]}], ids=["own", "both", "B"]
)
def test_each_system_scores_as_if_alone_with_its_references(metric: Metric, references: dict) -> None:
    corpus = Corpus(SOURCES, references, SYSTEMS)
    results = evaluate(corpus, [metric], details=True)
    for name, lines in SYSTEMS.items():
        texts = [*references.get(None, ()), *references.get(name, ())]
        [alone] = evaluate(Corpus(SOURCES, texts, {name: lines}), [metric], details=True)[name]
        [result] = results[name]
        assert result.score().value == alone.score().value
        assert result.score().totals == alone.score().totals
        assert np.array_equal(result.sentence_scores(), alone.sentence_scores())


@every_metric
def test_a_system_equal_to_its_reference_scores_highest(metric: Metric) -> None:
    same = scores(Corpus(SOURCES, EACH, {"A": OWN_A, "B": OWN_B}), metric)
    other = scores(Corpus(SOURCES, EACH, SYSTEMS), metric)
    for name in SYSTEMS:
        assert metric.scale.best([same[name], other[name]]) == same[name]


@every_metric
def test_parts_threads_and_pickles_change_no_score(metric: Metric) -> None:
    corpus = Corpus(SOURCES, TOGETHER, SYSTEMS)
    expected = scores(corpus, metric)
    assert scores(corpus, metric, block=2) == expected
    assert scores(corpus, metric, threads=2) == expected
    copied = pickle.loads(pickle.dumps(corpus))
    assert copied == corpus
    assert scores(copied, metric) == expected
    assert scores(corpus.take(range(5)), metric) == expected


@every_metric
def test_own_references_that_are_equal_are_common_ones(metric: Metric) -> None:
    own = scores(Corpus(SOURCES, {"A": [COMMON, OWN_A], "B": [COMMON, OWN_A]}, SYSTEMS), metric)
    assert own == scores(Corpus(SOURCES, [COMMON, OWN_A], SYSTEMS), metric)


@every_metric
def test_evidence_sums_to_the_counts(metric: Metric) -> None:
    for counts in kept_counts(Corpus(SOURCES, TOGETHER, SYSTEMS), metric, evidence=True).values():
        if counts.evidence is not None:
            assert np.allclose(counts.evidence.sums(counts.array.shape), counts.array)


@given(st.lists(st.tuples(*[sentences] * 6), min_size=1, max_size=6))
def test_drawn_systems_score_as_if_alone(rows: list[tuple[str, ...]]) -> None:
    source, common, own_first, own_second, first, second = map(list, zip(*rows, strict=True))
    corpus = Corpus(source, {None: [common], "x": [own_first], "y": [own_second]}, {"x": first, "y": second})
    for metric in (Green(), Gleu(iterations=20), Errant(), geceval.Cleme()):
        both = scores(corpus, metric, checks=False)
        for name, own, lines in (("x", own_first, first), ("y", own_second, second)):
            assert both[name] == scores(Corpus(source, [common, own], {name: lines}), metric, checks=False)[name]


# --- comparison ---


@pytest.mark.parametrize("metric", [Green(), Gleu(), Gleu(selection="mean"), Errant(), Errant(selection="optimum")])
@pytest.mark.parametrize("references", [EACH, TOGETHER, {"A": [OWN_A], "B": [OWN_B, COMMON]}])
def test_compared_scores_are_those_of_the_systems(metric: Metric, references: dict) -> None:
    corpus = Corpus(SOURCES, references, SYSTEMS)
    [compared] = compare(corpus, [metric], samples=99).values()
    expected = scores(corpus, metric)
    assert {score.system: score.value for score in compared.systems} == pytest.approx(expected, abs=1e-12)
    [pair] = compared.pairs
    assert abs(pair.difference) == pytest.approx(abs(expected["A"] - expected["B"]), abs=1e-9)
    assert not compared.by_annotator


def first_pair(corpus: Corpus) -> Pair:
    [compared] = compare(corpus, [Errant()], samples=99).values()
    return compared.pairs[0]


def test_systems_that_exchange_outputs_and_references_exchange_scores() -> None:
    """A swap exchanges the counts that each system has under its own references."""
    first = first_pair(Corpus(SOURCES, EACH, SYSTEMS))
    exchanged = Corpus(SOURCES, {"A": [OWN_B], "B": [OWN_A]}, {"A": B, "B": A})
    second = first_pair(exchanged)
    assert (first.difference, first.p) == (-second.difference, second.p)


def test_one_reference_for_each_system_is_no_choice() -> None:
    assert "frozen" not in compare(Corpus(SOURCES, EACH, SYSTEMS), [Errant()], samples=99).signature


def test_systems_with_and_without_own_references_are_not_compared() -> None:
    corpus = Corpus(SOURCES, {None: [COMMON], "A": [OWN_A]}, SYSTEMS)
    with pytest.raises(UsageError, match="A has references of its own, B has not"):
        compare(corpus, [Green()])
    three = Corpus(SOURCES, {None: [COMMON], "A": [OWN_A], "B": [OWN_B]}, SYSTEMS | {"C": COMMON})
    with pytest.raises(UsageError, match="A has references of its own, C has not"):
        compare(three, [Green()], baseline="C")
    [compared] = compare(three, [Green()], samples=99).values()
    assert [(pair.a, pair.b) for pair in compared.pairs] == [("A", "B")]
    assert compared.forms == {"A": "own references", "B": "own references", "C": "common references"}


def test_net_benefits_under_own_references_are_not_compared() -> None:
    """Systems with references of their own have different edits to find."""
    systems = {name: lines * 4 for name, lines in SYSTEMS.items()}
    common, own = [COMMON * 4], {name: [lines * 4 for lines in texts] for name, texts in EACH.items()}
    [compared] = compare(Corpus(SOURCES * 4, common, systems), [Errant()], samples=99).values()
    assert compared.decisions is not None
    [compared] = compare(Corpus(SOURCES * 4, own, systems), [Errant()], samples=99).values()
    assert compared.decisions is None


# --- what is refused, and what is not shown ---


def test_metrics_that_pool_systems_refuse_own_references() -> None:
    with pytest.raises(UsageError, match="scores all systems together"):
        evaluate(Corpus(SOURCES, EACH, SYSTEMS), [Goto()])


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ({"C": [OWN_A]}, "references of C, which is not a system"),
        ({"A": [OWN_A]}, "system B has no references"),
        ({"A": [[*OWN_A[:4], None]], "B": [OWN_B]}, r"sentence 4 \(counted from 0\) has no reference of system A"),
        ({"A": [OWN_A[:4]], "B": [OWN_B]}, "not the same number"),
    ],
)
def test_references_that_a_system_lacks_are_refused(references: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Corpus(SOURCES, references, SYSTEMS)


def test_own_references_next_to_gold_edits_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot be combined with gold edits"):
        Corpus(SOURCES, EACH, SYSTEMS, gold=[geceval.m2.Block(line, ()) for line in SOURCES])


def test_common_references_may_lack_sentences_that_own_ones_have() -> None:
    partial = [*COMMON[:3], None, None]
    Corpus(SOURCES, {None: [partial], **EACH}, SYSTEMS)
    with pytest.raises(InputError, match="sentence 3"):
        Corpus(SOURCES, {None: [partial], "A": [OWN_A]}, SYSTEMS)


def test_the_unchanged_source_needs_common_references() -> None:
    assert SOURCE in Corpus(SOURCES, TOGETHER, SYSTEMS).with_unchanged().system_names
    assert SOURCE not in Corpus(SOURCES, EACH, SYSTEMS).with_unchanged().system_names


def test_signatures_say_which_references_belong_to_the_system() -> None:
    corpus = Corpus(SOURCES, {None: [COMMON], "A": [OWN_A]}, SYSTEMS)
    results = evaluate(corpus, [Green()])
    assert "|refs:own(2)|" in results["A"][0].score().signature
    assert "|refs:1|" in results["B"][0].score().signature


def test_sentences_show_the_reference_of_each_system() -> None:
    examined = examine(Corpus(SOURCES, TOGETHER, SYSTEMS), [Errant(), Green()], [3])
    [sentence] = examined.sentences
    assert list(sentence.references) == ["0", "A", "B"]
    for name, output in sentence.outputs.items():
        assert output.reference is not None
        assert output.reference.name in ("0", name)
        assert [against.reference for against in output.scores["GREEN"].against] == ["0", name]


# --- files ---


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {"source": SOURCES, "ref": COMMON, "a.closest": OWN_A, "b.closest": OWN_B, "a": A, "b": B}
    for name, lines in texts.items():
        write(tmp_path / f"{name}.txt", "".join(f"{line}\n" for line in lines))
    return tmp_path


FILES = ["-s", "source.txt", "-c", "A=a.txt", "B=b.txt", "-r", "A=a.closest.txt", "B=b.closest.txt", "-q"]


def test_files_of_each_system_are_read(folder: Path) -> None:
    corpus = read_corpus("source.txt", {"A": ["a.closest.txt"], "B": ["b.closest.txt"]}, {"A": "a.txt", "B": "b.txt"})
    assert corpus == Corpus(SOURCES, EACH, SYSTEMS)
    result = run_main("score", *FILES, "-m", "errant", "green", "-f", "csv")
    expected = {metric: scores(corpus, metric) for metric in (Errant(), Green())}
    rows = [line.split(",") for line in result.out.splitlines()[1:]]
    assert [name for name, *_ in rows] == ["A", "B"]
    for name, *values in rows:
        percents = [100 * expected[metric][name] for metric in (Errant(), Green())]
        assert list(map(float, values)) == pytest.approx(percents, abs=0.01)


def test_columns_of_one_table_belong_to_a_system(folder: Path) -> None:
    columns = {"source": SOURCES, "A": A, "B": B, "for A": OWN_A, "for B": OWN_B, "ref": COMMON}
    rows = [columns, *zip(*columns.values(), strict=True)]
    path = str(write(folder / "wide.tsv", "".join("\t".join(row) + "\n" for row in rows)))
    own = {"A": "for A", "B": ["for B"]}
    assert geceval.read_table(path, hypothesis=["A", "B"], references=own) == Corpus(SOURCES, EACH, SYSTEMS)
    together = geceval.read_table(path, hypothesis=["A", "B"], references={None: "ref", **own})
    assert together == Corpus(SOURCES, TOGETHER, SYSTEMS)
    words = ["score", "-i", path, "--hypothesis-column", "A", "B", "-m", "errant", "-f", "csv", "--reference-column"]
    result = run_main(*words, "A=for A", "B=for B", "ref")
    assert "wide.tsv: source: source; references: ref; references of one system: A=for A, B=for B" in result.err
    expected = scores(Corpus(SOURCES, TOGETHER, SYSTEMS), Errant())
    assert result.out.splitlines()[1:] == [f"{name},{100 * value:.2f}" for name, value in expected.items()]
    unknown = run_main(*words, "C=for A", "ref", "-q")
    assert (unknown.status, "references of C, which is not a system" in unknown.err) == (2, True)
    runs = ["score", "-i", path, "-c", "A=a.txt,b.txt", "-m", "errant", "-q", "--reference-column", "A=for A"]
    assert run_main(*runs).out.count("refs:own(1)") == 1


def test_a_comma_separates_annotators_and_all_runs_share_references(folder: Path) -> None:
    words = ["-s", "source.txt", "-c", "A=a.txt,b.txt", "-r", "A=a.closest.txt,b.closest.txt", "-m", "errant", "-q"]
    assert "refs:own(2)" in run_main("score", *words).out


def test_a_file_with_the_form_of_a_name_is_a_file(folder: Path) -> None:
    write(folder / "A=x.txt", "".join(f"{line}\n" for line in COMMON))
    out = run_main("score", "-s", "source.txt", "-c", "A=a.txt", "-r", "A=x.txt", "-m", "green", "-q").out
    assert "|refs:1|" in out


def test_an_unknown_system_is_an_error_that_lists_the_systems(folder: Path) -> None:
    result = run_main("score", *FILES[:-1], "C=ref.txt", "-m", "green", "-q")
    assert result.status == 2
    assert "references of C, which is not a system" in result.err
    assert "the systems: A, B" in result.err


@pytest.mark.parametrize(
    "words", [["show"], ["compare"], ["report", "-o", "page.html"], ["gate", "--fail-under", "errant=10"]]
)
def test_other_commands_take_own_references(folder: Path, words: list[str]) -> None:
    result = run_main(words[0], *FILES, "-m", "errant", "green", *words[1:])
    assert result.status == 0, result.err


def test_suites_take_own_references(folder: Path) -> None:
    write(
        folder / "suite.toml",
        '[sets.dev]\nsource = "source.txt"\nreferences = ["A=a.closest.txt", "B=b.closest.txt"]\n'
        'metrics = ["errant"]\n',
    )
    for name in ("a", "b"):
        (folder / "outputs" / name.upper()).mkdir(parents=True)
        write(folder / "outputs" / name.upper() / "dev.txt", (folder / f"{name}.txt").read_text(encoding="utf-8"))
    result = run_main("suite", "suite.toml", "-c", "outputs", "-q")
    assert result.status == 0, result.err
    assert "refs:own(1)" in result.out


def test_lists_and_tables_in_memory_have_own_references() -> None:
    corpus = Corpus.of(SYSTEMS, {None: COMMON, "A": OWN_A, "B": [OWN_B]}, SOURCES)
    assert corpus == Corpus(SOURCES, TOGETHER, SYSTEMS)
    columns = {"source": SOURCES, "A": A, "B": B, "for a": OWN_A, "for b": OWN_B}
    table = Corpus.of(columns, {"A": ["for a"], "B": ["for b"]}, source="source", hypothesis=["A", "B"])
    assert table == Corpus(SOURCES, EACH, SYSTEMS)


def test_a_stream_of_files_has_the_scores_of_the_corpus(folder: Path) -> None:
    files = CorpusFiles("source.txt", {None: ["ref.txt"], "A": ["a.closest.txt"]}, {"A": "a.txt", "B": "b.txt"})
    corpus = Corpus(SOURCES, {None: [COMMON], "A": [OWN_A]}, SYSTEMS)
    for metric in (Errant(), Green(), geceval.Cleme()):
        assert scores(files.open(), metric, block=2) == scores(corpus, metric)  # type: ignore[arg-type]
    assert files.open().numbers_by_system() == corpus.numbers_by_system() == {"A": 2, "B": 1}
    assert Run(files.open(), [Green()]).source.most_references == 2


def test_a_broken_file_is_named_with_its_system(folder: Path) -> None:
    write(folder / "a.closest.txt", "one line\n")
    with pytest.raises(GecevalError, match="reference of A"):
        CorpusFiles("source.txt", {"A": ["a.closest.txt"], "B": ["b.closest.txt"]}, {"A": "a.txt", "B": "b.txt"}).read()


def test_only_common_references_decide_what_must_stay() -> None:
    def sums(references: dict) -> dict[str, list[int]]:
        counts = kept_counts(Corpus(SOURCES, references, SYSTEMS), Kept(tokens="unchanged"))
        return {name: of_system.array.sum(axis=(0, 1)).tolist() for name, of_system in counts.items()}

    tokens = sum(len(line.split()) for line in SOURCES)
    assert sums(TOGETHER) == sums({None: [COMMON]})
    assert sum(sums(TOGETHER)["A"]) == sum(sums(TOGETHER)["B"]) < tokens
    assert [sum(of_system) for of_system in sums(EACH).values()] == [tokens] * 2
