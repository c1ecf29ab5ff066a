"""The laws that every registered metric obeys; a new metric joins by being registered."""

from __future__ import annotations

import dataclasses
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from geceval import Corpus, Gleu, Goto, Green, evaluate, m2
from geceval.base.errors import UsageError
from geceval.counting.breakdown import Breakdown, Groups
from geceval.counting.consumers import Consumer, CorpusTotals, KeptCounts, Means, SentenceScores
from geceval.counting.counts import Counts, Evidence
from geceval.counting.groupings import BySentence, ByType, given_labels
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import best
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.scores import LEVELS
from geceval.counting.settings import Bounds, settings_of
from geceval.counting.signature import signature_of
from geceval.extending import Metric
from geceval.inspection.metric_facts import metric_facts
from geceval.inspection.metric_laws import LAWS, Case, gold_block, tolerance
from support.effort import examples
from support.instances import HAS_ENCODER, instances
from support.strategies import SPACES, corpora, sentences
from support.tiny_bert import tiny_bert
from support.toys import TOYS

DOCS = Path(__file__).parents[1] / "docs"

ALL = list(instances().values())
#: Their networks, which would else be loaded again for each score.
HELD = [metric.resources() for metric in ALL if metric.about.extra == "neural"]
every_metric = pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
#: Metrics with settings under which they count in another way than by default.
VARIANTS: list[Metric] = [Gleu(cut="none"), Goto(weights="none")]
VARIANTS += [Gleu(unit="char"), Green(unit="grapheme")]
#: Those of other people too.
ANY = [*ALL, *VARIANTS, *TOYS]
any_metric = pytest.mark.parametrize("metric", ANY, ids=lambda metric: metric.name)


def each(metrics: Sequence[Metric]) -> Iterator[Metric]:
    """The metrics one by one; the report of a failure names the one that fails."""
    for metric in metrics:
        note(metric.name)
        yield metric


def quick(metric: Metric) -> Metric:
    """The metric with few draws of references, if it draws any: how many there are changes no law."""
    return replace(metric, iterations=20) if isinstance(metric, Gleu) else metric


def together(law: Callable[[Metric], bool], metrics: Sequence[Metric] = ALL) -> pytest.MarkDecorator:
    """Parametrize a law that is tried with the same drawn corpora on all metrics that it is about."""
    groups = {
        extra or "core": [quick(metric) for metric in metrics if metric.about.extra == extra and law(metric)]
        for extra in {metric.about.extra: None for metric in metrics}
    }
    given_groups = [pytest.param(group, id=name) for name, group in groups.items() if group]
    return pytest.mark.parametrize("metrics", given_groups)


of_any_metrics = together(lambda metric: True, ANY)


#: Few, since an example is tried on some thirty metrics.
relaxed = settings(
    max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


def repeats_an_edit(case: Case) -> bool:
    """Whether an annotator has an edit twice, such as one word inserted twice; one edit of a system may match both.

    MaxMatch and PT-M² then score above 1, as the official scorer does: tests/metrics/test_maxmatch.py.
    """
    return any(len(set(block.edits)) < len(block.edits) for block in case.gold)


cases = corpora().map(lambda texts: Case(texts[0], texts[1], texts[2])).filter(lambda case: not repeats_an_edit(case))


@pytest.mark.parametrize("law", LAWS)
@of_any_metrics
@relaxed
@given(case=cases)
def test_laws_hold(law: str, metrics: list[Metric], case: Case) -> None:
    for metric in each(metrics):
        assert LAWS[law](metric, case) == ""


@any_metric
def test_sentence_scores_have_a_number_for_each_sentence(metric: Metric) -> None:
    case = Case(["a b", "c"], [["a", "c"]], ["a b", "d"])
    assert case.sentence_scores(metric).shape == (2,)
    assert case.counts(metric).evidence is None
    if metric.uses_references:
        assert case.counts(metric, evidence=True).evidence is not None, "a metric says what it found"


@of_any_metrics
@relaxed
@given(case=cases)
def test_blocks_change_nothing(metrics: list[Metric], case: Case) -> None:
    corpus = Corpus(case.source, case.references, {"it": case.hypothesis}, case.gold)
    for metric in each(metrics):
        [expected] = evaluate(corpus, [metric], checks=False)["it"]
        [parts] = evaluate(corpus, [metric], block=2, checks=False)["it"]
        for level in LEVELS:
            value = pytest.approx(expected.score(level).value, abs=tolerance(metric), nan_ok=True)
            assert parts.score(level).value == value
            assert parts.signature(level) == expected.signature(level)


@any_metric
def test_threads_change_nothing(metric: Metric) -> None:
    random = np.random.default_rng(1)
    words = np.array(["a", "b", "the", "cat", "sat", "on", "mat", "."])
    texts = [[" ".join(random.choice(words, random.integers(0, 12))) for _ in range(520)] for _ in range(4)]
    case = Case(texts[0], [texts[1], texts[2]], texts[3])
    single, several = (case.counts(metric, threads=threads, evidence=True) for threads in (1, 4))
    assert pickle.dumps(several.evidence) == pickle.dumps(single.evidence)
    assert_same(replace(several, evidence=None), replace(single, evidence=None), tolerance=0.0)
    assert case.score(metric, threads=1) == case.score(metric, threads=4)


# A further reference makes fewer texts due under kept, of which more may be lost.
@together(lambda metric: metric.policy.name == "best" and metric.name != "kept")
@relaxed
@given(case=cases, data=st.data())
def test_a_further_reference_never_lowers_a_best_sentence_score(
    metrics: list[Metric], case: Case, data: st.DataObject
) -> None:
    size = len(case.source)
    more = data.draw(st.lists(st.one_of(st.none(), sentences), min_size=size, max_size=size))
    richer = replace(case, references=[*case.references, more])
    for metric in each(metrics):
        assert (richer.sentence_scores(metric) >= case.sentence_scores(metric) - tolerance(metric)).all()


@together(lambda metric: not metric.matches_edits, ANY)
@relaxed
@given(case=cases)
def test_a_system_scores_the_same_as_m2_and_as_text(metrics: list[Metric], case: Case) -> None:
    blocks = [gold_block(source, [line]) for source, line in zip(case.source, case.hypothesis, strict=True)]
    texts = [m2.apply(block, 0) for block in blocks]
    for metric in each(metrics):
        value = pytest.approx(case.score(metric, texts).value, abs=tolerance(metric), nan_ok=True)
        assert case.score(metric, blocks).value == value


@of_any_metrics
@relaxed
@given(case=cases, data=st.data())
def test_blanks_at_ends_and_their_kind_and_number_never_count(
    metrics: list[Metric], case: Case, data: st.DataObject
) -> None:
    blanks = st.lists(st.sampled_from([*SPACES, "\r"]), min_size=1, max_size=2).map("".join)
    ends = st.one_of(st.just(""), blanks)
    drawn = [(data.draw(ends), data.draw(blanks), data.draw(ends)) for _ in case.hypothesis]
    for metric in each(metrics):
        plain = case.score(metric, [" ".join(line.split()) for line in case.hypothesis]).value
        # A metric that takes lines reads the blanks between words (Scribendi).
        inner = [" " if metric.input_form == "lines" else between for _, between, _ in drawn]
        odd = [
            f"{before}{between.join(line.split())}{after}"
            for line, between, (before, _, after) in zip(case.hypothesis, inner, drawn, strict=True)
        ]
        assert case.score(metric, odd).value == pytest.approx(plain, abs=tolerance(metric), nan_ok=True)


@of_any_metrics
@relaxed
@given(case=cases)
def test_sums_of_condensed_counts_have_the_same_scores(metrics: list[Metric], case: Case) -> None:
    for metric in each(metrics):
        rows = case.counts(metric).array[:, 0]
        condensed, first = metric.reduced_columns(rows), len(rows) // 2
        assert metric.score(condensed.sum(axis=0)).tobytes() == metric.score(rows.sum(axis=0)).tobytes()
        # Sums of real counts depend on the order: both are made of the same two.
        parts = [rows[:first].sum(axis=0) + table[first:].sum(axis=0) for table in (rows, condensed)]
        assert len({metric.score(table).tobytes() for table in parts}) == 1


@of_any_metrics
@relaxed
@given(case=cases)
def test_tests_of_pairs_compare_the_scores(metrics: list[Metric], case: Case) -> None:
    for metric, formula in ((metric, metric.tested_formula) for metric in each(metrics)):
        if formula is None:
            continue
        rows = case.counts(metric).array[:, 0]
        totals, moved = np.stack([rows.sum(axis=0), rows[0]]), np.stack([rows[::2].sum(axis=0), np.zeros_like(rows[0])])
        first, second = metric.score(np.stack([totals[0] - moved[0], totals[1] + moved[0]]))
        for excess, count in ((0, 1), (2e-9, 0)):
            observed = np.array([abs(first - second) + excess])
            assert formula.count_extreme(
                totals, moved[np.newaxis], np.array([0]), np.array([1]), observed, 1e-9
            ).tolist() == [count]


@together(lambda metric: not metric.policy.averages)
@relaxed
@given(case=cases)
def test_a_sentence_scores_what_its_best_reference_gives(metrics: list[Metric], case: Case) -> None:
    for metric in each(metrics):
        counts = case.counts(metric)
        rows = counts.chosen(best(metric.figure, counts))
        assert metric.sentence_scores_of(counts).tobytes() == metric.own_score(rows).tobytes()


@together(
    lambda metric: (
        metric.uses_references and not (metric.needs_gold or metric.references_together or metric.pool is not None)
    )
)
@relaxed
@given(case=cases)
def test_what_is_counted_of_a_reference_depends_on_no_other(metrics: list[Metric], case: Case) -> None:
    for metric in each(metrics):
        of_all = metric.own_score(metric.counts(case.source, case.hypothesis, case.references).array)
        for r, reference in enumerate(case.references):
            alone = metric.own_score(metric.counts(case.source, case.hypothesis, [reference]).array)
            np.testing.assert_allclose(of_all[:, r], alone[:, 0], rtol=0, atol=tolerance(metric, exact=0.0))


@any_metric
def test_the_mean_is_the_mean_of_the_sentences(metric: Metric) -> None:
    case = Case(["a b c d", "the cat"], [["a c d e", "the cats"]], ["a c d", "the cats"])
    mean = metric.mean_score(case.source, case.hypothesis, case.references, gold=case.gold)
    assert mean.value == pytest.approx(case.sentence_scores(metric).mean())
    assert "level:mean" in mean.signature


# --- evidence ---


@any_metric
def test_outcomes_are_about_columns(metric: Metric) -> None:
    """What metrics on edits find is correct, wrong or missed."""
    outcomes = metric.outcomes.columns
    assert set(outcomes) <= set(metric.columns)
    if metric.name in instances() and metric.uses_references:
        # Success is a recall.
        found = {"correct", "missed" if metric.name == "success" else "wrong"}
        assert set(outcomes.values()) >= (found if metric.scale.higher_is_better else {"wrong"})


# --- consumers ---

CONSUMERS: dict[str, Callable[[Metric], Consumer[Any]]] = {
    "totals": CorpusTotals,
    "sentences": SentenceScores,
    "means": Means,
    "kept": KeptCounts,
    "labels": lambda metric: Breakdown(metric, BySentence()),
    "types": lambda metric: Breakdown(metric, ByType()),
}
#: Those that choose references for the whole corpus.
CHOOSING = ("totals", "labels", "types")


def consumers(metric: Metric) -> dict[str, Consumer[Any]]:
    names = [name for name in CONSUMERS if name != "types" or metric.by_kind is not None]
    return {name: CONSUMERS[name](metric) for name in names}


@of_any_metrics
@settings(parent=relaxed, max_examples=examples(20))
@given(case=cases, data=st.data())
def test_consumers_take_parts_as_the_whole(metrics: list[Metric], case: Case, data: st.DataObject) -> None:
    """Any split, added part by part, through pickle; and merged, unless references depend on the sentences before."""
    size = len(case.source)
    labels = data.draw(st.lists(st.sampled_from("AB"), min_size=size, max_size=size))
    corpus = Corpus(case.source, case.references, {"it": case.hypothesis}, case.gold, labels=labels)
    block = data.draw(st.integers(1, size))
    cut = data.draw(st.integers(0, -(-size // block)))
    for metric in each(metrics):
        options: dict[str, Any] = {"evidence": metric.uses_references, "labels": given_labels}
        [all_counts] = [counts for *_, counts in Run(corpus, [metric], RunOptions(block=size, **options)).stream()]
        parts = [counts for *_, counts in Run(corpus, [metric], RunOptions(block=block, **options)).stream()]
        for name, expected in consumers(metric).items():
            expected.add(all_counts)
            added, early, late = (consumers(metric)[name] for _ in range(3))
            for at, part in enumerate(parts):
                for consumer in (added, early if at < cut else late):
                    consumer.add(part)
                added = pickle.loads(pickle.dumps(added))
            assert_same(added.result(), expected.result(), tolerance(metric, exact=0.0))
            if name in CHOOSING and not metric.policy.order_free and 0 < cut < len(parts):
                with pytest.raises(UsageError, match="cannot be merged"):
                    early.merge(late)
            elif name not in CHOOSING or metric.policy.order_free:
                early.merge(pickle.loads(pickle.dumps(late)))
                assert_same(early.result(), expected.result(), tolerance(metric))


def spelled_out(evidence: Evidence) -> list[tuple[Any, ...]]:
    """The rows in one order, with their texts and types in place of numbers and the weight at the end."""
    columns: list[Any] = []
    for name in ("sentence", "reference", "column", "side", "start", "end", "order", "text", "type", "weight"):
        column = getattr(evidence, name)
        if column is not None:
            texts = name in ("text", "type")
            columns.append([evidence.strings[place] for place in column] if texts else column.tolist())
    return sorted(zip(*columns, strict=True))


def assert_same(found: Any, expected: Any, tolerance: float) -> None:
    """Equal field by field, floats up to a tolerance; of groups and of evidence in any order."""
    if isinstance(expected, Groups):
        found, expected = found.sorted(), expected.sorted()
    if isinstance(expected, Evidence):
        first, second = spelled_out(found), spelled_out(expected)
        if first != second:  # most are equal, and comparing number by number takes long
            assert_same(first, second, tolerance)
    elif isinstance(expected, (Counts, Groups)):
        for field in (field for field in dataclasses.fields(expected) if field.init):
            assert_same(getattr(found, field.name), getattr(expected, field.name), tolerance)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)
    elif isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for first, second in zip(found, expected, strict=True):
            assert_same(first, second, tolerance)
    elif isinstance(expected, (float, dict)):
        assert found == pytest.approx(expected, abs=tolerance, nan_ok=True)
    else:
        assert found == expected


def other_values(field: dataclasses.Field[Any], kind: Any, value: Any) -> list[Any]:
    """Values of a setting other than the given one, within its bounds."""
    if get_origin(kind) is Literal:
        return [choice for choice in get_args(kind) if choice != value]
    kinds = get_args(kind) or (kind,)
    if get_origin(kinds[0]) is Literal:
        return other_values(field, kinds[0], value)
    if bool in kinds:
        return [not value]
    if int in kinds or float in kinds:
        bounds = field.metadata.get("bounds") or Bounds()
        tried = [(value or 0) + 1, (value or 0) / 2, int(max(bounds.low, 0))]
        return [next(candidate for candidate in tried if candidate != value and bounds.hold(candidate))]
    return []


def uses_encoder(metric: Metric) -> bool:
    return getattr(metric, "uses_encoder", False)


#: What a model has by itself: the signature says what is used, whether it was asked for or not (tests/metrics/neural).
OF_THE_MODEL = {"pooling"}
#: Settings that matter with others only: tests/test_setting_effects.py.
IN_CASE = {"runs"}


@every_metric
def test_the_signature_names_every_setting(metric: Metric) -> None:
    gold = SignatureInputs("2", "gold")
    signature = signature_of(metric, gold)
    assert re.fullmatch(r"[\w.+-]+(\|[\w.]+:[^|]*)+", signature)
    if not (metric.about.extra or metric.judging is not None):
        return  # test_setting_effects.py changes the settings of other metrics, and compares scores, too
    for name, (field, kind) in settings_of(type(metric)).items():
        if field.metadata.get("role") == "unsigned" or name in OF_THE_MODEL | IN_CASE:
            continue
        for value in other_values(field, kind, getattr(metric, name)):
            changed = replace(metric, **{name: value})  # type: ignore[type-var]
            if uses_encoder(changed) and not uses_encoder(metric):
                if not HAS_ENCODER:
                    continue
                changed = replace(changed, model=tiny_bert(), layer=2)
            assert signature_of(changed, gold) != signature, (name, value)


COLUMNS = {"metric", "source", "hypothesis", "score"}


@every_metric
def test_empty_lines_score_as_the_page_says(metric: Metric) -> None:
    name = str(metric_facts(metric.name).page)
    page = (DOCS / name).read_text(encoding="utf-8")
    tables = [table.splitlines() for table in re.findall(r"(?:^\|.*\|\n)+", page, re.MULTILINE)]
    parsed = [[re.split(r" *\| *", row.strip("| ")) for row in table] for table in tables]
    rows = [dict(zip(head, row, strict=True)) for head, _, *body in parsed for row in body if set(head) >= COLUMNS]
    rows = [cells for cells in rows if metric.name in re.findall(r"(?:^|[ `])([\w-]+)", cells["metric"])]
    assert rows, f"docs/{name} needs a row of {metric.name}: metric, source, reference (if any), hypothesis, score"
    for cells in rows:
        if cells["score"].startswith("as judged"):  # what a judge says of them is not up to us
            continue
        source, hypothesis, reference = (
            "" if text == "*empty*" else text.strip("`")
            for text in (cells["source"], cells["hypothesis"], cells.get("reference", ""))
        )
        case = Case([source], [[reference]], [hypothesis])
        assert case.score(metric).value == pytest.approx(float(cells["score"]), abs=5e-5, nan_ok=True), cells


@every_metric
def test_wrong_lengths_are_named(metric: Metric) -> None:
    case = Case(["a", "b"], [["a", "b"]], ["a", "b"])
    with pytest.raises(ValueError, match=r"(?s)source +2.*reference 0 +2.*hypothesis +1   <- 1 fewer"):
        metric.corpus_score(case.source, ["a"], case.references)
    with pytest.raises(ValueError, match=r"references\[r\]\[s\]"):
        metric.corpus_score(["a"], ["a"], ["a"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="no sentences"):
        metric.corpus_score([], [], [[]])
