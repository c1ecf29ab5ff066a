"""A comparison: the same numbers whatever is listed beside, in whatever order, parts or threads."""

from __future__ import annotations

import dataclasses
import itertools
import math
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import Cleme, Cleme2, Corpus, CorpusFiles, Errant, Gleu, Green, compare, evaluate, intervals, m2
from geceval._kernel import resampling_weights
from geceval.base.errors import InputError, UsageError
from geceval.comparison.compare import make_grouping, references_of, resample_systems
from geceval.comparison.comparison_results import Comparison, Pair, SystemScore
from geceval.comparison.pair_tests import comparison_of
from geceval.comparison.resampled_counts import Resampled, narrowed
from geceval.counting.comparison_options import Options
from geceval.counting.policies import choose_optimal
from geceval.counting.run import Run, kept_counts
from geceval.extending import Metric
from geceval.statistics.resampling import sentence_keys
from support.effort import examples

RNG = np.random.default_rng(0)
WORDS = ["the", "a", "cat", "cats", "sat", "sits", "on", "mat", "mats", "and"]


def sentences(count: int) -> list[str]:
    return [" ".join(RNG.choice(WORDS, size=RNG.integers(3, 9))) for _ in range(count)]


def changed(lines: Sequence[str], share: float) -> list[str]:
    """The lines with some words replaced."""
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


def pair_of(found: Comparison, a: str, b: str, metric: str, group: str | None = None) -> Pair:
    [pair] = [p for p in found.pairs if (p.a, p.b, p.metric, p.group) == (a, b, metric, group)]
    return pair


def score_of(found: Comparison, system: str, metric: str, group: str | None = None) -> SystemScore:
    [score] = [s for s in found.systems if (s.system, s.metric, s.group) == (system, metric, group)]
    return score


def alone(pair: Pair) -> Pair:
    """What does not depend on the other tests."""
    return dataclasses.replace(pair, p_adjusted=0.0)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_nothing_depends_on_what_else_is_listed_nor_on_threads(test: Any) -> None:
    options: Any = {"test": test, "samples": 300}
    whole = compare(corpus(), METRICS, **options)
    assert compare(corpus(), METRICS, threads=1, **options) == whole
    assert compare(corpus(), METRICS, threads=3, **options) == whole
    for metric in METRICS:
        small = compare(corpus(["middle", "near"]), [metric], **options)
        pair, same = small.pairs[0], pair_of(whole, "near", "middle", metric.name)
        assert (pair.p, pair.differing, pair.exact) == (same.p, same.differing, same.exact)
        assert (pair.difference, pair.effect) == (-same.difference, -same.effect)
        # The bounds of -d are those of d.
        assert (pair.low, pair.high) == pytest.approx((-same.high, -same.low), abs=1e-12)
        assert (pair.better, pair.worse) == (same.worse, same.better)
        for name in ("near", "middle"):
            mine, theirs = score_of(small, name, metric.name), score_of(whole, name, metric.name)
            assert (mine.value, mine.low, mine.high) == (theirs.value, theirs.low, theirs.high)


def test_values_are_those_of_evaluate() -> None:
    found, results = compare(corpus(), METRICS, **FEW), evaluate(corpus(), METRICS)
    for system, row in results.items():
        for metric, result in zip(METRICS, row, strict=True):
            score = score_of(found, system, metric.name)
            assert score.value == result.score().value
            assert score.low <= score.value <= score.high
            assert found.signatures[metric.name] == result.signature()
    pair = pair_of(found, "near", "far", "green")
    near, far = (results[name][0].sentence_scores() for name in ("near", "far"))
    assert (pair.better, pair.equal, pair.worse) == ((near > far).mean(), (near == far).mean(), (near < far).mean())


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_system_against_itself(metric: Metric[Any], test: Any) -> None:
    same = Corpus(SOURCE, REFERENCES, {"one": SYSTEMS["near"], "two": SYSTEMS["near"]})
    [pair] = compare(same, [metric], test=test, **FEW).pairs
    assert (pair.p, pair.p_adjusted, pair.difference, pair.effect, pair.differing) == (1, 1, 0, 0, 0)
    assert (pair.low, pair.high, pair.equal) == (0, 0, 1)


@settings(max_examples=examples(25))
@given(st.lists(st.integers(1, 59), max_size=4), st.sampled_from([20, 400]), st.booleans(), st.booleans())
def test_partitions_yield_the_same_bytes(cuts: list[int], samples: int, blocks: bool, grouped: bool) -> None:
    """Counted apart, pickled, merged in any order of the cuts; few samples, so that sums are taken on the way."""
    options = Options(samples=samples, adjust="bh")
    metrics: list[Metric[Any]] = [Green(n=2), Gleu(n=2, selection="mean"), Errant(selection="optimum")]
    metrics.append(Cleme(x0=1.3, selection="optimum"))  # real counts; the constant is the whole corpus's
    labels = [number // 7 for number in range(60)]
    levels = [f"level {number % 3}" for number in range(60)]
    given: dict[str, Any] = {"blocks": labels if blocks else None, "groups": levels if grouped else None}
    whole = comparison_of(corpus(), resample_systems(corpus(), metrics, options, **given), options)
    pairs = options.pairs_of(list(SYSTEMS))
    bounds = [0, *sorted(set(cuts)), 60]
    merged: dict[Any, Resampled] = {}
    for first, end in itertools.pairwise(bounds):
        part = corpus(rows=slice(first, end))
        for metric in metrics:
            own = Resampled(
                metric,
                part.system_names,
                options,
                pairs,
                references=references_of(corpus(), metric),
                grouping=make_grouping(None, given["groups"]),
                first=first,
            )
            here = slice(first, end)
            run = Run(part, [metric], labels=(lambda _, here=here: levels[here]) if grouped else None)
            counts = {name: own_counts for _, name, _, own_counts in run.stream()}
            own.add(counts, blocks=labels[here] if blocks else None)
            own = pickle.loads(pickle.dumps(own))
            if metric in merged:
                merged[metric].merge(own)
            else:
                merged[metric] = own
    found = comparison_of(corpus(), merged, options)
    assert found == whole


def test_annotators_that_share_no_sentence_leave_nothing_to_choose() -> None:
    """The file has two annotators, and each sentence one: references do not depend on other sentences."""
    edits = [m2.Edit(1, 2, "R:VERB", ("goes",), annotator=s % 2) for s in range(4)]
    gold = [m2.Block("he go .", (edit,)) for edit in edits]
    systems = {"a": ["he goes ."] * 4, "b": ["he go ."] * 4}
    found = compare(Corpus(["he go ."] * 4, (), systems, gold), [Errant()], samples=20)
    assert "|ref:" not in found.signature
    assert "|refs:1(gold)|" in found.signatures["errant"]


def test_a_stream_in_small_parts_is_the_whole(tmp_path: Path) -> None:
    """Sums are taken while sentences come in, as soon as they are as many as the samples."""
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
    few = corpus(rows=slice(0, 10))
    shuffled = Corpus(
        [few.source[s] for s in order],
        [[reference[s] for s in order] for reference in REFERENCES],
        {name: [lines[s] for s in order] for name, lines in SYSTEMS.items()},
    )
    for metric in (Green(n=2), Errant(selection="optimum")):
        one, other = (compare(own, [metric]).pairs for own in (few, shuffled))
        assert all(pair.exact for pair in one)
        assert [pair.p for pair in one] == [pair.p for pair in other]


@pytest.mark.parametrize("by_block", [False, True])
@pytest.mark.parametrize("metric", [Errant(), Green(n=2), Cleme()], ids=lambda metric: metric.name)
def test_exact_p_is_that_of_brute_force(metric: Metric[Any], by_block: bool) -> None:
    """One reference, so that scores are functions of sums; 2^m labellings, each scored anew."""
    count = 10
    blocks = [s // 3 for s in range(count)] if by_block else list(range(count))
    own = Corpus(SOURCE[:count], [REFERENCES[0][:count]], {n: SYSTEMS[n][:count] for n in ("near", "far")})
    counts = {name: rows.array[:, 0].astype(float) for _, name, _, rows in Run(own, [metric]).stream()}
    near, far = counts["near"], counts["far"]
    units = max(blocks) + 1
    observed = float(metric.score(near.sum(axis=0)) - metric.score(far.sum(axis=0)))
    beyond = 0
    for labelling in range(1 << units):
        swap = np.array([labelling >> block & 1 for block in blocks])[:, np.newaxis]
        first, second = np.where(swap, far, near).sum(axis=0), np.where(swap, near, far).sum(axis=0)
        beyond += abs(float(metric.score(first) - metric.score(second))) >= abs(observed) - 1e-9
    [pair] = compare(own, [metric], blocks=blocks if by_block else None).pairs
    assert pair.exact
    assert pair.p == pytest.approx(beyond / (1 << units))


@pytest.mark.parametrize("metric", [Errant(), Errant(selection="optimum"), Cleme()], ids=str)
def test_replicates_keep_the_best_references_of_the_whole_corpus(metric: Metric[Any]) -> None:
    """Also of few sentences: each replicate sums the counts of the references of the policy ``optimum``."""
    found = compare(corpus(), [metric], **FEW)
    assert f"|ref:{metric.label}=frozen|" in found.signature
    best = {
        name: counts.chosen(choose_optimal(metric.figure, counts))
        for name, counts in kept_counts(corpus(), metric).items()
    }
    weights = resampling_weights(sentence_keys(0, 60), "poisson", 0, 300).astype(np.int64)
    for name, rows in best.items():
        scores = metric.score(weights @ rows)
        assert score_of(found, name, metric.name).deviation == pytest.approx(scores.std(ddof=1))


def test_a_single_reference_is_the_best_one() -> None:
    one = Corpus(SOURCE, REFERENCES[:1], SYSTEMS)
    running, optimum = (compare(one, [metric], **FEW) for metric in (Errant(), Errant(selection="optimum")))
    assert optimum.systems == running.systems
    assert optimum.pairs == running.pairs


def test_ranks_and_clusters_follow_the_adjusted_tests() -> None:
    found = compare(corpus(), [Green(n=2)], samples=2000)
    near, middle, far = (score_of(found, name, "green") for name in ("near", "middle", "far"))
    assert (near.rank_low, near.rank_high, near.cluster) == (1, 1, 1)
    assert (far.rank_low, far.rank_high) == (3, 3)
    assert near.cluster < middle.cluster < far.cluster
    none = intervals(corpus(), [Green(n=2)], samples=2000)
    assert [(s.low, s.high) for s in none] == [(s.low, s.high) for s in found.systems]
    assert {(s.rank_low, s.rank_high, s.cluster) for s in none} == {(1, 3, 1)}


def test_against_a_baseline() -> None:
    whole, found = compare(corpus(), [Green(n=2)], **FEW), compare(corpus(), [Green(n=2)], baseline="far", **FEW)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("near", "far"), ("middle", "far")]
    assert alone(found.pairs[0]) == alone(pair_of(whole, "near", "far", "green"))
    assert found.baseline == "far"


def test_corrections_are_over_all_that_was_tested() -> None:
    found = compare(corpus(), [Green(n=2), Green(n=2, beta=1.0)], adjust="none", **FEW)
    assert {pair.metric for pair in found.pairs} == {"green:beta=2", "green:beta=1"}
    raw = sorted(pair.p for pair in found.pairs)
    corrected = sorted(pair.p_adjusted for pair in compare(corpus(), [Green(n=2), Green(n=2, beta=1.0)], **FEW).pairs)
    assert raw == sorted(pair.p_adjusted for pair in found.pairs)
    assert corrected[0] == pytest.approx(min(1, 6 * raw[0]))


def test_groups_of_sentences_are_corpora_of_their_own() -> None:
    """With the numbers that the sentences have in the whole corpus."""
    labels = ["early"] * 30 + ["late"] * 30
    metrics = [Green(n=2), Errant(), Gleu(n=2)]
    found = compare(corpus(), metrics, groups=labels, **FEW)
    early = compare(corpus(rows=slice(0, 30)), metrics, **FEW)
    for system in SYSTEMS:
        for name in ("green", "gleu"):
            mine, theirs = score_of(found, system, name, "early"), score_of(early, system, name)
            assert mine.deviation == pytest.approx(theirs.deviation)
            assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=2e-3)
    pair = pair_of(found, "near", "far", "green", "early")
    same = pair_of(early, "near", "far", "green")
    for name in ("difference", "p", "better", "differing"):
        assert getattr(pair, name) == getattr(same, name)
    assert "adj:holm+bh" in found.signature


@pytest.mark.parametrize("by", ["operation", "type", "full", "length"])
def test_kinds_of_edits(by: Any) -> None:
    found = compare(corpus(), [Errant(), Cleme(selection="optimum")], by=by, **FEW)
    assert {score.group for score in found.systems} > {None}
    for score in found.systems:
        assert score.low <= score.value + 1e-9
        assert score.value <= score.high + 1e-9
    for pair in found.pairs:
        assert pair.better + pair.equal + pair.worse == pytest.approx(1)
    again = compare(corpus(["far", "near"]), [Errant()], by=by, **FEW)
    group = next(score.group for score in again.systems if score.group is not None)
    assert pair_of(again, "far", "near", "errant", group).p == pair_of(found, "near", "far", "errant", group).p
    if by == "operation":
        assert {score.group for score in again.systems if score.group} == {"M", "R", "U"}


def test_blocks_are_drawn_whole() -> None:
    """Every sentence six times over: as blocks they say no more than once, as sentences they seem to."""
    many = {name: [line for line in lines for _ in range(6)] for name, lines in SYSTEMS.items()}
    source = [line for line in SOURCE for _ in range(6)]
    references = [[line for line in reference for _ in range(6)] for reference in REFERENCES]
    blocks = [s // 6 for s in range(360)]
    once = compare(corpus(), [Green(n=2)], samples=2000)
    blocked = compare(Corpus(source, references, many), [Green(n=2)], samples=2000, blocks=blocks)
    loose = compare(Corpus(source, references, many), [Green(n=2)], samples=2000)
    for one, block, sentence in zip(once.systems, blocked.systems, loose.systems, strict=True):
        assert block.deviation == pytest.approx(one.deviation, rel=0.1)
        assert sentence.deviation == pytest.approx(one.deviation / math.sqrt(6), rel=0.1)
    assert (blocked.blocks, blocked.sentences) == (60, 360)
    assert "unit:block" in blocked.signature


def test_seeds_are_seeds() -> None:
    first, zero, other = (compare(corpus(), [Green(n=2)], seed=seed, **FEW) for seed in (0, 0, 1))
    assert first == zero
    assert first.systems[0].low != other.systems[0].low
    assert "ar:300|boot:300|seed:0|ci:percentile" in first.signature


def test_what_the_numbers_cannot_bear_is_said() -> None:
    few = compare(corpus(rows=slice(0, 5)), [Green(n=2)], **FEW)
    assert few.warnings == ("only 5 sentences: intervals from fewer than 20 are unreliable",)


def test_a_choice_that_the_order_of_sentences_made_is_said() -> None:
    """The first sentence's first reference has one hit and five misses, its second one nothing: by itself the first
    one is better, in view of the second sentence, where all is right, the other one."""
    kept = "a k b k c k d k e k f"
    many, right = "u k v k w k x k y k z", "m k n k o k p k q k r"
    system = ["a k b k c k d k e k z", right]
    corpus = Corpus([kept, kept], [[many, right], [kept, right]], {"one": system, "two": system})
    found = compare(corpus, [Errant()], **FEW)
    assert [score.value for score in found.systems] == pytest.approx([0.875] * 2)
    gaps = [text for text in found.warnings if "references chosen in order" in text]
    expected = "ERRANT of one: 0.875000 with references chosen in order, 0.882353 with the best references"
    assert gaps[0].startswith(expected)
    assert len(gaps) == 2
    free = compare(corpus, [Errant(selection="optimum")], **FEW)
    assert [score.value for score in free.systems] == pytest.approx([7.5 / 8.5] * 2)
    assert not [text for text in free.warnings if "in order" in text]


@dataclass(frozen=True)
class Together(Green):
    """A metric that looks at all systems of a run."""

    def pool(self, prepared: Any, systems: Any, threads: int = 0) -> Any:
        return prepared


def test_labels_are_not_swapped_where_systems_are_scored_together() -> None:
    with pytest.raises(UsageError, match="scores all systems together") as caught:
        compare(corpus(), [Together()], **FEW)
    assert caught.value.hint == "use test=bootstrap"
    assert compare(corpus(), [Together()], test="bootstrap", **FEW).pairs


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "nobody"}, r"unknown baseline 'nobody' \(available systems: near, far, middle\)"),
        ({"test": "t"}, "test is one of randomisation, bootstrap, not t"),
        ({"adjust": "bonferroni"}, "adjust is one of holm, bh, none, not bonferroni"),
        ({"samples": 0}, "samples is 0; it must be at least 1"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 1.5}, "seed takes a whole number, not 1.5"),
        ({"alpha": "much"}, "alpha takes a number, not 'much'"),
        ({"alpha": 1.0}, "alpha is 1.0; it must be more than 0 and at most 0.999"),
        ({"by": "colour"}, "unknown kind of group 'colour'"),
        ({"by": "type"}, "GREEN has no types"),
        ({"by": "type", "groups": ["a"] * 60}, "cannot be combined"),
    ],
)
def test_wrong_options_are_refused(options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compare(corpus(), [Green()], **options)


def test_references_that_a_metric_chooses_in_order_are_kept() -> None:
    assert "ref:CLEME2.0=frozen" in compare(corpus(), [Cleme2()], **FEW).signature


def test_wrong_lengths_and_too_few_systems_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="3 blocks for 60 sentences"):
        compare(corpus(), [Green()], blocks=[1, 2, 3])
    with pytest.raises(UsageError, match="at least two systems, not 1"):
        compare(corpus(["near"]), [Green()])
    with pytest.raises(UsageError, match="at least one metric"):
        compare(corpus(), [])
    assert len(intervals(corpus(["near"]), [Green()], **FEW)) == 1
    path = str(tmp_path / "it.txt")
    Path(path).write_text("a b\nb\n", encoding="utf-8")
    files = CorpusFiles(path, [path], [path]).open()
    with pytest.raises(InputError, match="1 blocks for at least 2 sentences"):
        intervals(files, [Green()], blocks=[1])
    with pytest.raises(InputError, match="3 groups for 2 sentences"):
        intervals(files, [Green()], groups=[1, 2, 3])


@given(st.lists(st.integers(-(2**62), 2**62) | st.integers(-200, 200) | st.integers(0, 5), max_size=5))
def test_narrowed_counts_are_equal(numbers: list[int]) -> None:
    rows = np.array(numbers, dtype=np.int64)
    found = narrowed(rows)
    assert found.tolist() == numbers
    largest = max(map(abs, numbers), default=0)
    assert found.itemsize <= (1 if largest < 127 else 2 if largest < 2**15 else 8)
