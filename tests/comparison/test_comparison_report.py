"""Reports of comparisons with invented numbers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.comparison.comparison_report import comparison_report
from geceval.comparison.verdicts import verdicts
from geceval.counting.metric import Scale
from geceval.counting.metric_names import MetricHeads
from geceval.resampling.comparison_results import Comparison, MetricComparison, Pair, SystemScore
from geceval.tables.number_text import p_value, with_minus
from geceval.tables.report import render

VALUES = {"eager": 0.9279, "careful": 0.6228, "noisy": 0.6053}


def comparison(
    names: Sequence[str] = ("noisy", "eager", "careful"),
    metrics: Sequence[str] = ("GREEN", "ERRANT"),
    groups: Sequence[str | None] = (None,),
    baseline: str | None = None,
) -> Comparison:
    """Return a comparison in which eager differs from the others, and careful and noisy do not differ."""
    by_metric = {metric: metric_comparison(names, metric, groups, baseline) for metric in metrics}
    return Comparison(by_metric, "ar:10000|seed:0|adj:holm", 40, 40, 0.05, baseline)


def metric_comparison(
    names: Sequence[str], metric: str, groups: Sequence[str | None], baseline: str | None
) -> MetricComparison:
    systems, pairs = [], []
    for group in groups:
        for name in names:
            value, first = VALUES[name], name == "eager"
            places = (1, 1, 1) if first else (2, 3, 2)
            systems.append(SystemScore(name, metric, value, value - 0.05, value + 0.04, 0.021, *places, group))
        for a, b in itertools.combinations(names, 2):
            if baseline in (None, a, b):
                gap = VALUES[a] - VALUES[b]
                p = 0.0001 if abs(gap) > 0.1 else 0.13
                shares = (0.6, 0.25, 0.15) if gap > 0 else (0.15, 0.25, 0.6)
                bounds = (gap - 0.08, gap + 0.08)
                pairs.append(
                    Pair(a, b, metric, gap, *bounds, p, min(1.0, 3 * p), gap / 0.04, *shares, 30, False, group)
                )
    heads, beta = {"GREEN": (MetricHeads("GREEN", "F₂"), "2"), "ERRANT": (MetricHeads("ERRANT", "F₀.₅"), "0.5")}[metric]
    return MetricComparison(
        metric, heads, Scale(), f"{metric}|beta:{beta}|v:1", tuple(systems), tuple(pairs)
    )  # fmt: skip


def with_metrics(comparison: Comparison, changed: Callable[[MetricComparison], MetricComparison]) -> Comparison:
    return replace(comparison, by_metric={name: changed(metric) for name, metric in comparison.items()})


def lower_is_better(comparison: Comparison) -> Comparison:
    return with_metrics(comparison, lambda metric: replace(metric, scale=Scale(higher_is_better=False)))


def rendered(
    comparison: Comparison, output: str = "table", *, groups: str = "group", digits: int = 2, width: int | None = None
) -> str:
    return render(comparison_report(comparison, {"source": "s.txt"}, groups=groups), output, digits, width)


GREEN = comparison(metrics=["GREEN"])
TWO = comparison(["careful", "eager"], ["GREEN"])
TYPES = ("DET", "NOUN:NUM")
LOWER_IS_BETTER = lower_is_better(GREEN)
#: Comparisons and options of their report.
REPORTS: dict[str, tuple[Comparison, dict[str, Any]]] = {
    "one metric": (GREEN, {}),
    "narrow": (GREEN, {"width": 60}),
    "markdown": (GREEN, {"output": "markdown"}),
    "baseline": (comparison(metrics=["GREEN"], baseline="careful"), {}),
    "lower is better": (LOWER_IS_BETTER, {}),
    "csv": (comparison(groups=[None, "DET"]), {"output": "csv"}),
    "latex": (comparison(), {"output": "latex"}),
    "latex, baseline": (comparison(baseline="noisy"), {"output": "latex"}),
    "latex, no difference": (comparison(["careful", "noisy"], ["GREEN"]), {"output": "latex"}),
    "latex, lower is better": (LOWER_IS_BETTER, {"output": "latex"}),
    "types": (comparison(["careful", "eager"], ["ERRANT"], TYPES), {"groups": "type", "digits": 1}),
    "types, three systems": (comparison(metrics=["ERRANT"], groups=TYPES), {"groups": "type"}),
    "types, corpus": (comparison(["careful", "eager"], ["ERRANT"], [None, "DET"]), {"groups": "type"}),
}


@pytest.mark.parametrize("name", REPORTS)
def test_report_has_tables_and_conclusions(name: str, snapshot: SnapshotAssertion) -> None:
    comparison, options = REPORTS[name]
    assert rendered(comparison, **options) == snapshot


def with_pairs(comparison: Comparison, **values: float) -> Comparison:
    def changed(metric: MetricComparison) -> MetricComparison:
        return replace(metric, pairs=tuple(replace(pair, **values) for pair in metric.pairs))

    return with_metrics(comparison, changed)


VERDICTS = {
    "two systems": with_pairs(TWO, p=0.003, p_adjusted=0.003),
    "no difference, small p": with_pairs(TWO, difference=0.0, p=0.001, p_adjusted=0.001),
    "no difference shown": with_pairs(GREEN, p=0.5, p_adjusted=0.9),
    "all differences shown": with_pairs(GREEN, p_adjusted=0.01),
    "lower is better, baseline": lower_is_better(comparison(metrics=["GREEN"], baseline="eager")),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_verdict_states_only_differences_that_are_shown(name: str, snapshot: SnapshotAssertion) -> None:
    assert verdicts(VERDICTS[name], "group", 2) == snapshot


def test_narrow_table_fits_its_width() -> None:
    table = rendered(GREEN, width=60).split("GREEN: differences\n\n")[1].split("\n\n")[0]
    assert max(map(len, table.splitlines())) <= 60


def test_json_has_the_fields_of_the_schema_in_raw_numbers() -> None:
    original = comparison()
    document = json.loads(rendered(original, "json"))
    assert document["schema"] == "geceval/comparison@1"
    assert list(document["systems"][0])[:9] == [
        "system", "metric", "value", "low", "high", "deviation", "rank_low", "rank_high", "cluster"
    ]  # fmt: skip
    assert list(document["pairs"][0])[:11] == [
        "a", "b", "metric", "difference", "low", "high", "p", "p_adjusted", "better", "equal", "worse"
    ]  # fmt: skip
    assert [Pair(**pair) for pair in document["pairs"]] == list(original.pairs)
    assert [SystemScore(**score) for score in document["systems"]] == list(original.systems)
    assert document["signature"] == original.signature
    assert document["inputs"] == {"source": "s.txt"}


@pytest.mark.parametrize(
    ("p", "expected"),
    [(1.0, "1"), (0.9996, "1"), (0.05, ".050"), (0.0031, ".003"), (0.001, ".001"), (0.00099, "<.001")],
)
def test_p_is_written_as_in_papers(p: float, expected: str) -> None:
    assert p_value(p) == expected


def test_negative_number_has_a_minus_sign_and_zero_none() -> None:
    assert (with_minus("-1.20"), with_minus("-0.00"), with_minus("3")) == ("−1.20", "0.00", "3")


@pytest.mark.parametrize(("baseline", "mark"), [("noisy", r"$^{*}$"), (None, r"$^{\dagger}$")])
def test_a_table_for_a_paper_names_the_only_tested_metric(baseline: str | None, mark: str) -> None:
    tested = replace(comparison(baseline=baseline), primary="GREEN")
    assert f"only GREEN is tested: other columns have no {mark}" in render(comparison_report(tested, {}), "latex")
    alone = replace(comparison(metrics=("GREEN",), baseline=baseline), primary="GREEN")
    assert "is tested" not in render(comparison_report(alone, {}), "latex")
