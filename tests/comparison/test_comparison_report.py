"""How a comparison is shown, on numbers made up for it."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from geceval.comparison.comparison_report import comparison_report
from geceval.comparison.comparison_results import Comparison, Pair, SystemScore
from geceval.comparison.output_changes import verdicts
from geceval.counting.metric_names import MetricHeads
from geceval.tables.report import render
from geceval.tables.table import p_value, with_minus

VALUES = {"eager": 0.9279, "careful": 0.6228, "noisy": 0.6053}


def comparison(
    names: Sequence[str] = ("noisy", "eager", "careful"),
    metrics: Sequence[str] = ("GREEN", "ERRANT"),
    groups: Sequence[str | None] = (None,),
    baseline: str | None = None,
) -> Comparison:
    """Eager differs from the others by more than chance, careful and noisy do not."""
    systems, pairs = [], []
    for metric, group in itertools.product(metrics, groups):
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
    betas = {"GREEN": "2", "ERRANT": "0.5"}
    signatures = {metric: f"{metric}|beta:{betas[metric]}|v:1" for metric in metrics}
    made = tuple(systems), tuple(pairs)
    heads = {"GREEN": MetricHeads("GREEN", "F₂"), "ERRANT": MetricHeads("ERRANT", "F₀.₅")}
    return Comparison(*made, "ar:10000|seed:0|adj:holm", signatures, 40, 40, 0.05, baseline, heads=heads)


def shown(
    comparison: Comparison,
    output: str = "table",
    *,
    groups: str = "group",
    digits: int = 2,
    width: int | None = None,
) -> str:
    return render(comparison_report(comparison, {"source": "s.txt"}, groups=groups), output, digits, width)


def test_tables_of_one_metric_and_the_answer_in_words() -> None:
    assert (
        shown(comparison(metrics=["GREEN"]))
        == """\
GREEN, 40 sentences

system       F₂    95 % interval   s.d.   ranks   cluster
─────────────────────────────────────────────────────────
eager     92.79   [87.79, 96.79]   2.10     1-1         1
─────────────────────────────────────────────────────────
careful   62.28   [57.28, 66.28]   2.10     2-3         2
noisy     60.53   [55.53, 64.53]   2.10     2-3         2

GREEN: differences

system    against   difference    95 % interval       p   p adjusted   effect   better   equal   worse
──────────────────────────────────────────────────────────────────────────────────────────────────────
eager     careful       +30.51   [22.51, 38.51]   <.001       <.001*     7.63     60 %    25 %    15 %
eager     noisy         +32.26   [24.26, 40.26]   <.001       <.001*     8.07     60 %    25 %    15 %
careful   noisy          +1.75    [−6.25, 9.75]    .130        .390      0.44     60 %    25 %    15 %

* more than chance: adjusted p < 0.05; better, equal, worse: share of the sentences

ar:10000|seed:0|adj:holm
GREEN|beta:2|v:1

eager is better than careful under GREEN by 30.51 [22.51, 38.51], p < .001 (adjusted). \
eager is better than every other system; no difference shown between careful and noisy.
(No difference shown does not mean equal: more sentences might show one.)
"""
    )


def test_against_a_baseline_each_system_has_its_sentence() -> None:
    made = comparison(metrics=["GREEN"], baseline="careful")
    text = shown(made)
    assert "GREEN: differences from careful, the baseline" in text
    rows = [line.split()[:3] for line in text.splitlines() if " careful  " in line]
    assert rows == [["eager", "careful", "+30.51"], ["noisy", "careful", "−1.75"]]
    assert verdicts(made, "group", 2) == [
        "No difference shown between careful and noisy under GREEN: 1.75 [−6.25, 9.75], p = .390 (adjusted).",
        "eager is better than careful under GREEN by 30.51 [22.51, 38.51], p < .001 (adjusted).",
        "(No difference shown does not mean equal: more sentences might show one.)",
    ]


def test_words_for_two_systems_say_nothing_of_adjusting() -> None:
    made = comparison(["careful", "eager"], ["GREEN"])
    made = replace(made, pairs=(replace(made.pairs[0], p=0.003, p_adjusted=0.003),))
    assert verdicts(made, "group", 1) == ["eager is better than careful under GREEN by 30.5 [22.5, 38.5], p = .003."]


def test_a_difference_of_nothing_is_not_shown_whatever_p() -> None:
    made = comparison(["careful", "eager"], ["GREEN"])
    made = replace(made, pairs=(replace(made.pairs[0], difference=0.0, p=0.001, p_adjusted=0.001),))
    assert verdicts(made, "group", 2)[0].startswith("No difference shown between careful and eager")


def test_the_best_is_not_said_to_be_better_where_nothing_shows_it() -> None:
    made = comparison(metrics=["GREEN"])
    made = replace(made, pairs=tuple(replace(pair, p=0.5, p_adjusted=0.9) for pair in made.pairs))
    [about, _] = verdicts(made, "group", 2)
    assert about.startswith("No difference shown between eager and careful")
    assert "eager has the best score, but is not shown to be better than any other system" in about
    clear = replace(made, pairs=tuple(replace(pair, p_adjusted=0.01) for pair in made.pairs))
    assert verdicts(clear, "group", 2) == [
        "eager is better than careful under GREEN by 30.51 [22.51, 38.51], p = .010 (adjusted). "
        "eager is better than every other system; careful is better than noisy."
    ]


def test_latex_of_all_metrics() -> None:
    lines = shown(comparison(), "latex").splitlines()
    assert lines[3:12] == [
        r"\begin{tabular}{lcc}",
        r"\toprule",
        r"system & GREEN $F_{2}$ & ERRANT $F_{0.5}$ \\",
        r"\midrule",
        r"eager & \textbf{92.79} & \textbf{92.79} \\",
        r"careful & 62.28 & 62.28 \\",
        r"noisy & 60.53 & 60.53 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert "not shown to differ" not in lines
    assert r"GREEN & careful & noisy & +1.75 & [$-$6.25, 9.75] & .390 \\" in lines
    against = shown(comparison(baseline="noisy"), "latex")
    assert r"eager & \textbf{92.79}\rlap{$^{*}$} & \textbf{92.79}\rlap{$^{*}$} \\" in against
    assert r"$^{*}$ differs from noisy by more than chance" in against
    close = comparison(["careful", "noisy"], ["GREEN"])
    assert r"noisy & 60.53\rlap{$^{\dagger}$} \\" in shown(close, "latex")
    legend = r"{\footnotesize $^{\dagger}$ not shown to differ from the best (adjusted p $\ge$ 0.05)\par}"
    assert legend in shown(close, "latex").splitlines()


def test_types_are_rows_and_systems_columns() -> None:
    made = comparison(["careful", "eager"], ["ERRANT"], ["DET", "NOUN:NUM"])
    text = shown(made, groups="type", digits=1)
    assert text.startswith("ERRANT by type, F₀.₅, 40 sentences\n\ntype       eager   careful   difference")
    assert "DET         92.8      62.3        +30.5    [22.5, 38.5]   <.001       <.001*" in text
    assert "By type under ERRANT: eager is better than careful in DET and NOUN:NUM.\n" in text
    three = shown(comparison(metrics=["ERRANT"], groups=["DET", "NOUN:NUM"]), groups="type")
    assert "DET        92.79     62.28   60.53" in three
    assert "NOUN:NUM   careful   noisy          +1.75" in three
    assert "no difference shown in 2 of 6 comparisons" in three


def test_the_whole_corpus_beside_groups() -> None:
    text = shown(comparison(["careful", "eager"], ["ERRANT"], [None, "DET"]), groups="type")
    assert text.index("ERRANT: differences") < text.index("ERRANT by type")
    rows = list(csv.DictReader(io.StringIO(text_of_csv(comparison(groups=[None, "DET"])))))
    assert {row["group"] for row in rows} == {"all", "DET"}


def text_of_csv(made: Comparison) -> str:
    """The first of the two tables."""
    return shown(made, "csv").split("\n\n")[0]


def test_csv_has_plain_numbers() -> None:
    systems, pairs = shown(comparison(), "csv").split("\n\n")
    rows = list(csv.DictReader(io.StringIO(systems)))
    assert [(row["metric"], row["system"], row["value"], row["low"]) for row in rows[:2]] == [
        ("GREEN", "eager", "92.79", "87.79"), ("GREEN", "careful", "62.28", "57.28")
    ]  # fmt: skip
    first = next(csv.DictReader(io.StringIO(pairs)))
    assert (first["a"], first["b"], first["difference"], first["p"]) == ("noisy", "eager", "-32.26", "0.0001")


def test_json_is_the_schema_in_raw_numbers() -> None:
    made = comparison()
    document = json.loads(shown(made, "json"))
    assert document["schema"] == "geceval/comparison@1"
    assert list(document["systems"][0])[:9] == [
        "system", "metric", "value", "low", "high", "deviation", "rank_low", "rank_high", "cluster"
    ]  # fmt: skip
    assert list(document["pairs"][0])[:11] == [
        "a", "b", "metric", "difference", "low", "high", "p", "p_adjusted", "better", "equal", "worse"
    ]  # fmt: skip
    assert [Pair(**pair) for pair in document["pairs"]] == list(made.pairs)
    assert [SystemScore(**score) for score in document["systems"]] == list(made.systems)
    assert document["signature"] == made.signature
    assert document["inputs"] == {"source": "s.txt"}


def test_the_best_system_is_first() -> None:
    assert rows_of(shown(comparison())) == ["eager", "careful", "noisy"]


def rows_of(text: str) -> list[str]:
    """The systems of the first table."""
    table = text.split("\n\n")[1].splitlines()
    return [line.split()[0] for line in table[2:] if not line.startswith("─")]


def test_a_terminal_is_fitted() -> None:
    text = shown(comparison(metrics=["GREEN"]), width=60)
    table = text.split("GREEN: differences\n\n")[1].split("\n\n")[0]
    assert max(map(len, table.splitlines())) <= 60
    assert "no room for: effect, p, equal, worse, better" in text


def test_markdown() -> None:
    text = shown(comparison(metrics=["GREEN"]), "markdown")
    assert "**GREEN, 40 sentences**" in text
    assert "| eager | careful | +30.51 | [22.51, 38.51] | <.001 | <.001* |" in text
    assert "\neager is better than careful under GREEN" in text


@pytest.mark.parametrize(
    ("p", "shown"), [(1.0, "1"), (0.9996, "1"), (0.05, ".050"), (0.0031, ".003"), (0.001, ".001"), (0.00099, "<.001")]
)
def test_p_as_papers_print_it(p: float, shown: str) -> None:
    assert p_value(p) == shown


def test_minus_signs() -> None:
    assert (with_minus("-1.20"), with_minus("-0.00"), with_minus("3")) == ("−1.20", "0.00", "3")


def test_a_metric_of_which_low_scores_are_good() -> None:
    made = replace(comparison(metrics=["GREEN"]), lower_is_better=("GREEN",))
    assert rows_of(shown(made)) == ["noisy", "careful", "eager"]
    assert r"noisy & \textbf{60.53}" in shown(made, "latex")
    text = shown(made)
    assert re.search(r"^noisy +careful +−1.75 +\[−9.75, 6.25\]", text, re.M)
    assert "No difference shown between noisy and careful under GREEN: 1.75 [−6.25, 9.75]" in text
    assert "noisy is better than eager; no difference shown from careful" in text
    against = verdicts(replace(comparison(metrics=["GREEN"], baseline="eager"), lower_is_better=("GREEN",)), "group", 2)
    assert against[0] == "noisy is better than eager under GREEN by 32.26 [24.26, 40.26], p < .001 (adjusted)."
