"""Comparisons do not depend on other systems and metrics, nor on order, partitions or threads."""

from __future__ import annotations

import dataclasses
import itertools
import math
import pickle
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import (
    Cleme,
    Cleme2,
    Corpus,
    CorpusFiles,
    Errant,
    FalseAlarms,
    Gleu,
    Green,
    compare,
    evaluate,
    intervals,
    m2,
)
from geceval._kernel import resampling_weights
from geceval.base.errors import UsageError
from geceval.counting.comparison_options import Options
from geceval.counting.groupings import CountGroups
from geceval.counting.policies import Optimum
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.system_results import kept_counts
from geceval.extending import Metric
from geceval.metrics.change_rate import ChangeRate
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import Comparison, Pair, SystemScore
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.resampled_systems import references_of, resample_systems
from geceval.resampling.weighted_sums import narrowed
from geceval.statistics.resampling import sentence_keys
from support.effort import examples
from support.messages import message_of

RNG = np.random.default_rng(0)
WORDS = ["the", "a", "cat", "cats", "sat", "sits", "on", "mat", "mats", "and"]


def sentences(count: int) -> list[str]:
    return [" ".join(RNG.choice(WORDS, size=RNG.integers(3, 9))) for _ in range(count)]


def changed(lines: Sequence[str], share: float) -> list[str]:
    """Return the lines with a share of the words replaced."""
    return [
        " ".join(str(RNG.choice(WORDS)) if RNG.random() < share else word for word in line.split()) for line in lines
    ]


SOURCE = sentences(60)
REFERENCES = [changed(SOURCE, 0.3), changed(SOURCE, 0.3)]
SYSTEMS = {
    "near": changed(REFERENCES[0], 0.1),
    "far": changed(SOURCE, 0.5),
    "middle": changed(REFERENCES[1], 0.25),
}
METRICS: list[Metric[Any]] = [Green(n=2), Gleu(n=2), Errant(), Cleme(), Cleme2()]
FEW = {"samples": 300}


def corpus(names: Sequence[str] = tuple(SYSTEMS), rows: slice = slice(None)) -> Corpus:
    chosen = {name: SYSTEMS[name][rows] for name in names}
    return Corpus(SOURCE[rows], [reference[rows] for reference in REFERENCES], chosen)


def pair_of(comparison: Comparison, a: str, b: str, metric: str, group: str | None = None) -> Pair:
    [pair] = [p for p in comparison.pairs if (p.a, p.b, p.metric, p.group) == (a, b, metric, group)]
    return pair


def score_of(comparison: Comparison, system: str, metric: str, group: str | None = None) -> SystemScore:
    [score] = [s for s in comparison.systems if (s.system, s.metric, s.group) == (system, metric, group)]
    return score


def without_adjustment(pair: Pair) -> Pair:
    """Return a pair without the p-value that depends on the other tests."""
    return dataclasses.replace(pair, p_adjusted=0.0)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_numbers_do_not_depend_on_other_systems_nor_on_threads(test: Any) -> None:
    options: Any = {"test": test, "samples": 300}
    all_systems = compare(corpus(), METRICS, **options)
    assert compare(corpus(), METRICS, threads=1, **options) == all_systems
    assert compare(corpus(), METRICS, threads=3, **options) == all_systems
    for metric in METRICS:
        two_systems = compare(corpus(["middle", "near"]), [metric], **options)
        pair, same = two_systems.pairs[0], pair_of(all_systems, "near", "middle", metric.name)
        assert (pair.p, pair.differing, pair.exact) == (same.p, same.differing, same.exact)
        assert (pair.difference, pair.effect) == (-same.difference, -same.effect)
        # The bounds of -d are those of d.
        assert (pair.low, pair.high) == pytest.approx((-same.high, -same.low), abs=1e-12)
        assert (pair.better, pair.worse) == (same.worse, same.better)
        for name in ("near", "middle"):
            first, second = score_of(two_systems, name, metric.name), score_of(all_systems, name, metric.name)
            assert (first.value, first.low, first.high) == (second.value, second.low, second.high)


def test_values_are_those_of_evaluate() -> None:
    comparison, results = compare(corpus(), METRICS, **FEW), evaluate(corpus(), METRICS)
    for system, row in results.items():
        for metric, result in zip(METRICS, row, strict=True):
            score = score_of(comparison, system, metric.name)
            assert score.value == result.score().value
            assert score.low <= score.value <= score.high
            assert comparison[metric.name].signature == result.signature()
    pair = pair_of(comparison, "near", "far", "green")
    near, far = (results[name][0].sentence_scores() for name in ("near", "far"))
    assert (pair.better, pair.equal, pair.worse) == ((near > far).mean(), (near == far).mean(), (near < far).mean())


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_system_against_itself_has_no_difference(metric: Metric[Any], test: Any) -> None:
    same = Corpus(SOURCE, REFERENCES, {"one": SYSTEMS["near"], "two": SYSTEMS["near"]})
    [pair] = compare(same, [metric], test=test, **FEW).pairs
    assert (pair.p, pair.p_adjusted, pair.difference, pair.effect, pair.differing) == (1, 1, 0, 0, 0)
    assert (pair.low, pair.high, pair.equal) == (0, 0, 1)


@settings(max_examples=examples(25))
@given(st.lists(st.integers(1, 59), max_size=4), st.sampled_from([20, 400]), st.booleans(), st.booleans())
def test_partitions_yield_the_same_bytes(cuts: list[int], samples: int, blocks: bool, grouped: bool) -> None:
    """Parts are counted separately, pickled and merged; with few samples, sums replace counts while they are added."""
    options = Options(samples=samples, adjust="bh")
    metrics: list[Metric[Any]] = [Green(n=2), Gleu(n=2, selection="mean"), Errant(selection="optimum")]
    metrics.append(Cleme(x0=1.3, selection="optimum"))  # real counts; the constant is that of the corpus
    labels = [number // 7 for number in range(60)]
    levels = [f"level {number % 3}" for number in range(60)]
    count_groups = CountGroups(labels if blocks else None, labels=levels if grouped else None)
    unpartitioned = comparison_of(
        corpus(), resample_systems(corpus(), metrics, options, count_groups, RunOptions(checks=True)), options
    )
    pairs = options.pairs_of(list(SYSTEMS))
    bounds = [0, *sorted(set(cuts)), 60]
    merged: dict[Any, Resampled] = {}
    for first, end in itertools.pairwise(bounds):
        rows = slice(first, end)
        part = corpus(rows=rows)
        for metric in metrics:
            resampled = Resampled(
                metric,
                part.system_names,
                options,
                pairs,
                references=references_of(corpus(), metric),
                grouping=count_groups.grouping,
                first=first,
            )
            run = Run(part, [metric], RunOptions(labels=(lambda _, rows=rows: levels[rows]) if grouped else None))
            counts = {name: counts for _, name, _, counts in run.stream()}
            resampled.add(counts, blocks=labels[rows] if blocks else None)
            resampled = pickle.loads(pickle.dumps(resampled))
            if metric in merged:
                merged[metric].merge(resampled)
            else:
                merged[metric] = resampled
    assert comparison_of(corpus(), merged, options) == unpartitioned


def test_annotators_that_share_no_sentence_are_one_reference() -> None:
    """The file has two annotators, and each sentence one: references do not depend on other sentences."""
    edits = [m2.Edit(1, 2, "R:VERB", ("goes",), annotator=s % 2) for s in range(4)]
    gold = [m2.Block("he go .", (edit,)) for edit in edits]
    systems = {"a": ["he goes ."] * 4, "b": ["he go ."] * 4}
    comparison = compare(Corpus(["he go ."] * 4, (), systems, gold), [Errant()], samples=20)
    assert "|ref:" not in comparison.signature
    assert "|refs:1(gold)|" in comparison["errant"].signature


def test_stream_of_small_blocks_gives_the_same_comparison(tmp_path: Path) -> None:
    """Sums replace counts as soon as there are as many sentences as samples."""
    paths = {}
    for name, lines in {"source": SOURCE, "r0": REFERENCES[0], "r1": REFERENCES[1], **SYSTEMS}.items():
        paths[name] = str(tmp_path / f"{name}.txt")
        Path(paths[name]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = CorpusFiles(paths["source"], [paths["r0"], paths["r1"]], [paths[name] for name in SYSTEMS]).open()

    class Small(Green):
        block = 7

    metric = Small(n=2)
    for samples in (60, 500):
        assert compare(files, [metric], samples=samples) == compare(corpus(), [Green(n=2)], samples=samples)


def test_order_of_lines_does_not_matter_where_all_labellings_are_tried() -> None:
    order = RNG.permutation(10)
    ordered = corpus(rows=slice(0, 10))
    shuffled = Corpus(
        [ordered.source[s] for s in order],
        [[reference[s] for s in order] for reference in REFERENCES],
        {name: [lines[s] for s in order] for name, lines in SYSTEMS.items()},
    )
    for metric in (Green(n=2), Errant(selection="optimum")):
        ordered_pairs, shuffled_pairs = (compare(texts, [metric]).pairs for texts in (ordered, shuffled))
        assert all(pair.exact for pair in ordered_pairs)
        assert [pair.p for pair in ordered_pairs] == [pair.p for pair in shuffled_pairs]


@pytest.mark.parametrize("by_block", [False, True])
@pytest.mark.parametrize("metric", [Errant(), Green(n=2), Cleme()], ids=lambda metric: metric.name)
def test_exact_p_is_that_of_brute_force(metric: Metric[Any], by_block: bool) -> None:
    """With one reference, scores are functions of sums; each of the 2^m labellings is scored."""
    count = 10
    blocks = [s // 3 for s in range(count)] if by_block else list(range(count))
    two_systems = Corpus(SOURCE[:count], [REFERENCES[0][:count]], {n: SYSTEMS[n][:count] for n in ("near", "far")})
    counts = {name: rows.array[:, 0].astype(float) for _, name, _, rows in Run(two_systems, [metric]).stream()}
    near, far = counts["near"], counts["far"]
    units = max(blocks) + 1
    observed = float(metric.score(near.sum(axis=0)) - metric.score(far.sum(axis=0)))
    number_beyond = 0
    for labelling in range(1 << units):
        swap = np.array([labelling >> block & 1 for block in blocks])[:, np.newaxis]
        first, second = np.where(swap, far, near).sum(axis=0), np.where(swap, near, far).sum(axis=0)
        number_beyond += abs(float(metric.score(first) - metric.score(second))) >= abs(observed) - 1e-9
    [pair] = compare(two_systems, [metric], blocks=blocks if by_block else None).pairs
    assert pair.exact
    assert pair.p == pytest.approx(number_beyond / (1 << units))


@pytest.mark.parametrize("metric", [Errant(), Errant(selection="optimum"), Cleme()], ids=str)
def test_replicates_keep_the_best_references_of_the_whole_corpus(metric: Metric[Any]) -> None:
    """Each replicate sums the counts of the references that the policy ``optimum`` selects for the whole corpus."""
    comparison = compare(corpus(), [metric], **FEW)
    assert f"|ref:{metric.label}=frozen|" in comparison.signature
    best = {
        name: counts.chosen(Optimum().choices(metric.figure, counts)[0])
        for name, counts in kept_counts(corpus(), metric).items()
    }
    weights = resampling_weights(sentence_keys(0, 60), "poisson", 0, 300).astype(np.int64)
    for name, rows in best.items():
        scores = metric.score(weights @ rows)
        assert score_of(comparison, name, metric.name).deviation == pytest.approx(scores.std(ddof=1))


def test_optimum_of_a_single_reference_is_that_reference() -> None:
    one_reference = Corpus(SOURCE, REFERENCES[:1], SYSTEMS)
    running, optimum = (compare(one_reference, [metric], **FEW) for metric in (Errant(), Errant(selection="optimum")))
    assert optimum.systems == running.systems
    assert optimum.pairs == running.pairs


def test_ranks_and_clusters_follow_the_adjusted_tests() -> None:
    comparison = compare(corpus(), [Green(n=2)], samples=2000)
    near, middle, far = (score_of(comparison, name, "green") for name in ("near", "middle", "far"))
    assert (near.rank_low, near.rank_high, near.cluster) == (1, 1, 1)
    assert (far.rank_low, far.rank_high) == (3, 3)
    assert near.cluster < middle.cluster < far.cluster
    untested = intervals(corpus(), [Green(n=2)], samples=2000)
    assert [(s.low, s.high) for s in untested] == [(s.low, s.high) for s in comparison.systems]
    assert {(s.rank_low, s.rank_high, s.cluster) for s in untested} == {(1, 3, 1)}


def test_baseline_limits_the_pairs_and_changes_no_test() -> None:
    without_baseline, comparison = (
        compare(corpus(), [Green(n=2)], **FEW),
        compare(corpus(), [Green(n=2)], baseline="far", **FEW),
    )
    assert [(pair.a, pair.b) for pair in comparison.pairs] == [("near", "far"), ("middle", "far")]
    assert without_adjustment(comparison.pairs[0]) == without_adjustment(
        pair_of(without_baseline, "near", "far", "green")
    )
    assert comparison.baseline == "far"


def test_comparison_is_a_mapping_of_metrics() -> None:
    comparison = compare(corpus(), [Green(n=2), Errant(), FalseAlarms()], groups=["a", "b"] * 30, **FEW)
    assert list(comparison) == ["green", "errant", "false-alarms"]
    for name, metric in comparison.items():
        assert metric.name == name
        assert metric.systems == tuple(score for score in comparison.systems if score.metric == name)
        assert metric.pairs == tuple(pair for pair in comparison.pairs if pair.metric == name)
        assert metric.by_annotator == tuple(pair for pair in comparison.by_annotator if pair.metric == name)
        assert [score.group for score in metric.scores_of("b")] == ["b"] * 3
    assert [pair.annotator for pair in comparison.by_annotator] == [0] * 6 + [1] * 6
    assert comparison["green"].higher_is_better
    assert not comparison["false-alarms"].higher_is_better
    assert "gleu" not in comparison
    assert repr(pickle.loads(pickle.dumps(comparison))) == repr(comparison)  # nan, of few sentences, equals nothing


def test_metrics_of_one_name_are_refused() -> None:
    class Same(Green):
        pass

    with pytest.raises(UsageError, match="two metrics have the name green"):
        compare(corpus(), [Green(n=2), Same(n=2)], **FEW)


def test_p_is_corrected_for_all_metrics_and_pairs() -> None:
    unadjusted = compare(corpus(), [Green(n=2), Green(n=2, beta=1.0)], adjust="none", **FEW)
    assert {pair.metric for pair in unadjusted.pairs} == {"green:beta=2", "green:beta=1"}
    raw = sorted(pair.p for pair in unadjusted.pairs)
    corrected = sorted(pair.p_adjusted for pair in compare(corpus(), [Green(n=2), Green(n=2, beta=1.0)], **FEW).pairs)
    assert raw == sorted(pair.p_adjusted for pair in unadjusted.pairs)
    assert corrected[0] == pytest.approx(min(1, 6 * raw[0]))


def test_group_has_the_numbers_of_a_corpus_of_its_sentences() -> None:
    labels = ["early"] * 30 + ["late"] * 30
    metrics = [Green(n=2), Errant(), Gleu(n=2)]
    comparison = compare(corpus(), metrics, groups=labels, **FEW)
    early = compare(corpus(rows=slice(0, 30)), metrics, **FEW)
    for system in SYSTEMS:
        for name in ("green", "gleu"):
            of_group, of_part = score_of(comparison, system, name, "early"), score_of(early, system, name)
            assert of_group.deviation == pytest.approx(of_part.deviation)
            assert (of_group.low, of_group.high) == pytest.approx((of_part.low, of_part.high), abs=2e-3)
    pair = pair_of(comparison, "near", "far", "green", "early")
    expected = pair_of(early, "near", "far", "green")
    for name in ("difference", "p", "better", "differing"):
        assert getattr(pair, name) == getattr(expected, name)
    assert "adj:holm+bh" in comparison.signature


@pytest.mark.parametrize("by", ["operation", "type", "full", "length"])
def test_kinds_of_edits_have_scores_in_their_intervals(by: Any) -> None:
    comparison = compare(corpus(), [Errant(), Cleme(selection="optimum")], by=by, **FEW)
    assert {score.group for score in comparison.systems} > {None}
    for score in comparison.systems:
        assert score.low <= score.value + 1e-9
        assert score.value <= score.high + 1e-9
    for pair in comparison.pairs:
        assert pair.better + pair.equal + pair.worse == pytest.approx(1)
    two_systems = compare(corpus(["far", "near"]), [Errant()], by=by, **FEW)
    group = next(score.group for score in two_systems.systems if score.group is not None)
    assert (
        pair_of(two_systems, "far", "near", "errant", group).p == pair_of(comparison, "near", "far", "errant", group).p
    )
    if by == "operation":
        assert {score.group for score in two_systems.systems if score.group} == {"M", "R", "U"}


def test_blocks_are_drawn_as_units() -> None:
    """Six copies of each sentence are no more evidence than one if they are a block."""
    systems = {name: [line for line in lines for _ in range(6)] for name, lines in SYSTEMS.items()}
    source = [line for line in SOURCE for _ in range(6)]
    references = [[line for line in reference for _ in range(6)] for reference in REFERENCES]
    blocks = [s // 6 for s in range(360)]
    once = compare(corpus(), [Green(n=2)], samples=2000)
    blocked = compare(Corpus(source, references, systems), [Green(n=2)], samples=2000, blocks=blocks)
    unblocked = compare(Corpus(source, references, systems), [Green(n=2)], samples=2000)
    for single, block, sentence in zip(once.systems, blocked.systems, unblocked.systems, strict=True):
        assert block.deviation == pytest.approx(single.deviation, rel=0.1)
        assert sentence.deviation == pytest.approx(single.deviation / math.sqrt(6), rel=0.1)
    assert (blocked.blocks, blocked.sentences) == (60, 360)
    assert "unit:block" in blocked.signature


def test_seed_determines_the_intervals() -> None:
    first, repeated, reseeded = (compare(corpus(), [Green(n=2)], seed=seed, **FEW) for seed in (0, 0, 1))
    assert first == repeated
    assert first.systems[0].low != reseeded.systems[0].low
    assert "ar:300|boot:300|seed:0|ci:percentile" in first.signature


@pytest.mark.parametrize(
    ("sentences", "warning"),
    [
        (1, "only 1 sentence: intervals require at least 10, and none is computed"),
        (9, "only 9 sentences: intervals require at least 10, and none is computed"),
        (10, "only 10 sentences: intervals from fewer than 20 are unreliable"),
    ],
)
def test_few_sentences_have_no_interval_or_a_warning(sentences: int, warning: str) -> None:
    comparison = compare(corpus(rows=slice(0, sentences)), [Green(n=2)], **FEW)
    assert comparison.warnings == (warning,)
    rows = [*comparison.systems, *comparison.pairs]
    assert all(math.isnan(row.low) == math.isnan(row.high) == (sentences < 10) for row in rows)
    assert not any(math.isnan(score.value) for score in comparison.systems)
    assert not any(math.isnan(pair.p) for pair in comparison.pairs)


def test_few_blocks_have_no_interval() -> None:
    comparison = compare(corpus(rows=slice(0, 30)), [Green(n=2)], blocks=[index % 9 for index in range(30)], **FEW)
    assert comparison.warnings == ("only 9 blocks: intervals require at least 10, and none is computed",)
    assert all(math.isnan(score.low) for score in comparison.systems)


def test_few_correct_sentences_have_no_interval_of_false_alarms() -> None:
    source = [*["He go ."] * 30, *["It is ."] * 9]
    right = [line.replace("go", "goes") for line in source]
    systems = {"x": right, "y": [line.replace("is", "was") for line in source]}
    metrics = [Errant(), FalseAlarms(), FalseAlarms(per="words"), FalseAlarms(rule="each"), ChangeRate()]
    comparison = compare(Corpus(source, [right, right], systems), metrics, **FEW, checks=False)
    [warning] = comparison.warnings
    assert warning.startswith(
        "FALSE-ALARMS rule=all per=sentence, FALSE-ALARMS rule=all per=words, FALSE-ALARMS rule=each"
    )
    assert warning.endswith(" count only 9 sentences: intervals require at least 10, and none is computed")
    assert [metric.sentences for metric in comparison.values()] == [39, 9, 9, 9, 39]
    for metric in comparison.values():
        assert all(math.isnan(row.low) == (metric.sentences < 10) for row in [*metric.systems, *metric.pairs])


def test_more_changes_are_no_better() -> None:
    source = ["He go home ."] * 40
    systems = {"some": ["He goes home ."] * 20 + source[20:], "all": ["He goes home ."] * 40, "none": source}
    comparison = compare(Corpus(source, (), systems), [ChangeRate()], **FEW, checks=False)
    assert {(score.rank_low, score.rank_high, score.cluster) for score in comparison.systems} == {(0, 0, 0)}
    text = str(comparison)
    assert "better" not in text
    assert "all changes more than some under CHANGE-RATE by 50.00" in text
    assert "all changes more than every other system; some changes more than none." in text


def test_few_sentences_of_a_group_have_no_interval() -> None:
    comparison = compare(corpus(rows=slice(0, 30)), [Green(n=2)], groups=["few"] * 9 + ["many"] * 21, **FEW)
    assert {score.group for score in comparison.systems if math.isnan(score.low)} == {"few"}


def test_samples_without_an_edit_are_a_warning() -> None:
    source, right = ["a b"] * 40, ["a b"] * 38 + ["a c"] * 2
    rare = Corpus(source, [right], {"one": right, "two": source})
    comparison = compare(rare, [Errant()], samples=2000, checks=False)
    [warning] = comparison.warnings
    share = math.exp(-2)  # of samples with weights from the Poisson distribution
    shares = re.fullmatch(
        r"ERRANT: samples .* without an edit score 100, .* \(one (\d+) %, two (\d+) %\), so .*", warning
    )
    assert shares is not None
    assert [int(text) / 100 for text in shares.groups()] == pytest.approx([share] * 2, abs=0.03)
    assert [score.high for score in comparison.systems] == [1, 1]


def test_samples_without_an_edit_are_no_warning_among_many_edits() -> None:
    source, right = ["a b"] * 40, ["a b"] * 30 + ["a c"] * 10
    many = Corpus(source, [right], {"one": right, "two": source})
    assert compare(many, [Errant()], **FEW, checks=False).warnings == ()


def test_choice_of_references_in_order_that_lowers_a_score_is_a_warning() -> None:
    """References of the first sentence: one hit and five misses, or nothing. In order, the first one is better; in view
    of the second sentence, which is all right, the second one."""
    unchanged = "a k b k c k d k e k f"
    six_edits, right = "u k v k w k x k y k z", "m k n k o k p k q k r"
    system = ["a k b k c k d k e k z", right]
    corpus = Corpus([unchanged, unchanged], [[six_edits, right], [unchanged, right]], {"one": system, "two": system})
    ordered = compare(corpus, [Errant()], **FEW)
    assert [score.value for score in ordered.systems] == pytest.approx([0.875] * 2)
    gaps = [text for text in ordered.warnings if "references chosen in order" in text]
    expected = "ERRANT of one: 0.875000 with references chosen in order, 0.882353 with the best references"
    assert gaps[0].startswith(expected)
    assert len(gaps) == 2
    optimal = compare(corpus, [Errant(selection="optimum")], **FEW)
    assert [score.value for score in optimal.systems] == pytest.approx([7.5 / 8.5] * 2)
    assert not [text for text in optimal.warnings if "in order" in text]


@dataclass(frozen=True)
class PooledGreen(Green):
    """A metric that scores all systems of a run together."""

    @property
    def pool(self) -> Any:
        return lambda prepared, systems, threads: prepared


def test_randomisation_of_systems_that_are_scored_together_is_refused() -> None:
    with pytest.raises(UsageError, match="scores all systems together") as error:
        compare(corpus(), [PooledGreen()], **FEW)
    assert str(error.value.hint) == 'use test="bootstrap"'
    assert compare(corpus(), [PooledGreen()], test="bootstrap", **FEW).pairs


@pytest.mark.parametrize(
    "options",
    [
        {"baseline": "nobody"},
        {"test": "t"},
        {"adjust": "bonferroni"},
        {"samples": 0},
        {"seed": -1},
        {"seed": 1.5},
        {"alpha": "much"},
        {"alpha": 1.0},
        {"by": "colour"},
        {"by": "type"},
        {"by": "type", "groups": ["a"] * 60},
        {"blocks": [1, 2, 3]},
    ],
    ids=",".join,
)
def test_invalid_option_is_refused(options: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(compare, corpus(), [Green()], **options) == snapshot


def test_references_that_a_metric_chooses_in_order_are_kept() -> None:
    assert "ref:CLEME2.0=frozen" in compare(corpus(), [Cleme2()], **FEW).signature


def test_too_few_systems_metrics_or_labels_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert message_of(compare, corpus(["near"]), [Green()]) == snapshot
    assert message_of(compare, corpus(), []) == snapshot
    assert len(intervals(corpus(["near"]), [Green()], **FEW)) == 1
    path = str(tmp_path / "it.txt")
    Path(path).write_text("a b\nb\n", encoding="utf-8")
    files = CorpusFiles(path, [path], [path]).open()
    assert message_of(intervals, files, [Green()], blocks=[1]) == snapshot
    assert message_of(intervals, files, [Green()], groups=[1, 2, 3]) == snapshot


@given(st.lists(st.integers(-(2**62), 2**62) | st.integers(-200, 200) | st.integers(0, 5), max_size=5))
def test_narrowed_counts_are_equal(numbers: list[int]) -> None:
    rows = np.array(numbers, dtype=np.int64)
    narrow = narrowed(rows)
    assert narrow.tolist() == numbers
    largest = max(map(abs, numbers), default=0)
    assert narrow.itemsize <= (1 if largest < 127 else 2 if largest < 2**15 else 8)


def test_intervals_without_a_system_are_refused() -> None:
    with pytest.raises(UsageError, match="intervals require at least one system, not 0"):
        intervals(Corpus(["a b"], [["a"]], {}), [Green()], samples=5)
