"""Differences without a value: no p, no effect, no verdict, and no share in the correction of other tests."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from geceval import Corpus, Errant, FalseAlarms, compare, power, rank
from geceval.base.errors import InputError
from geceval.counting.counts import Counts
from geceval.extending import Metric
from geceval.resampling.comparison_results import Comparison
from geceval.statistics.multiple_tests import ADJUSTMENTS, Adjustment
from geceval.statistics.significance import centred_p, count_extreme
from support.commands import Run

WRONG = ["We was late .", "Birds flies south .", "I seen it .", "Him left .", "Two dog bark .", "She sing ."]
RIGHT = ["We were late .", "Birds fly south .", "I saw it .", "He left .", "Two dogs bark .", "She sings ."]
SOURCE, REFERENCE = WRONG * 5, RIGHT * 5


def output(*corrected: int) -> list[str]:
    """Return the source with some of each six sentences corrected."""
    return [REFERENCE[s] if s % 6 in corrected else line for s, line in enumerate(SOURCE)]


SYSTEMS = {"bold": output(0, 1, 2, 3), "shy": output(0), "middle": output(1, 4)}


@dataclass(frozen=True)
class ShareOfRight(Metric[Any]):
    """Share of the changed sentences that equal the reference, which has no value without changes."""

    name: ClassVar[str] = "share-of-right"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("right", "changed")

    def prepare(self, corpus: Corpus, threads: int = 0) -> Corpus:
        return corpus

    def count(self, prepared: Corpus, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        rows = zip(prepared.source, prepared.references[0], hypothesis, strict=True)
        counts = [(text == right and text != line, text != line) for line, right, text in rows]
        return Counts(np.array(counts, np.int64)[:, np.newaxis], self.columns)

    def score(self, totals: Any) -> Any:
        right, changed = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        return right / np.where(changed > 0, changed, np.nan)

    def own_score(self, counts: Any) -> Any:
        return np.nan_to_num(self.score(counts))


def compared(systems: dict[str, list[str]], *metrics: Metric[Any], **options: Any) -> Comparison:
    return compare(Corpus(SOURCE, [REFERENCE], systems), metrics, samples=900, checks=False, **options)


@pytest.mark.parametrize("adjust", ["holm", "bh", "none"])
@pytest.mark.parametrize("options", [{}, {"test": "bootstrap"}, {"runs": {"two": ["shy", "middle"]}}], ids=str)
def test_metric_without_a_value_does_not_change_the_tests_of_another(adjust: Adjustment, options: Any) -> None:
    alone = compared(SYSTEMS, Errant(), adjust=adjust, **options)
    together = compared(SYSTEMS, Errant(), FalseAlarms(), adjust=adjust, **options)
    assert [pair for pair in together.pairs if pair.metric == "errant"] == list(alone.pairs)
    undefined = [pair for pair in together.pairs if pair.metric == "false-alarms"]
    assert undefined
    for pair in undefined:
        assert all(map(math.isnan, (pair.difference, pair.p, pair.p_adjusted, pair.effect)))
        assert not pair.exact
        assert not together.is_shown(pair)


def test_only_the_system_without_a_score_is_left_out() -> None:
    comparison = compared(SYSTEMS | {"silent": SOURCE}, ShareOfRight())
    scores = {score.system: score for score in comparison.systems}
    assert math.isnan(scores["silent"].value)
    assert (scores["silent"].rank_low, scores["silent"].rank_high, scores["silent"].cluster) == (0, 0, 0)
    assert {score.rank_high for name, score in scores.items() if name != "silent"} == {3}
    assert [pair.is_defined for pair in comparison.pairs if "silent" in (pair.a, pair.b)] == [False] * 3
    assert all(pair.is_defined for pair in comparison.pairs if "silent" not in (pair.a, pair.b))


def test_system_without_a_score_leaves_intervals_of_runs_of_others() -> None:
    runs = {"two": ["shy", "middle"]}
    alone = compared(SYSTEMS, ShareOfRight(), runs=runs)
    together = compared(SYSTEMS | {"silent": SOURCE}, ShareOfRight(), runs=runs)
    assert [score for score in together.systems if score.system != "silent"] == list(alone.systems)


def test_groups_have_the_tests_of_the_systems_with_scores() -> None:
    groups = ["first" if s < 12 else "second" for s in range(len(SOURCE))]
    systems = SYSTEMS | {"late": [line if s < 12 else REFERENCE[s] for s, line in enumerate(SOURCE)]}
    comparison = compared(systems, ShareOfRight(), groups=groups)
    defined = {(pair.group, pair.a, pair.b) for pair in comparison.pairs if pair.is_defined}
    assert ("first", "bold", "shy") in defined
    assert ("first", "bold", "late") not in defined
    assert ("second", "bold", "late") in defined


def test_samples_without_a_value_are_left_out() -> None:
    """One changed sentence is in about 63 % of the bootstrap samples."""
    rare = [REFERENCE[s] if s == 4 else line for s, line in enumerate(SOURCE)]
    poor = [f"{line} indeed" if s in (4, 5, 6) else line for s, line in enumerate(SOURCE)]
    [pair] = compared({"rare": rare, "poor": poor}, ShareOfRight(), test="bootstrap").pairs
    assert pair.difference == 1
    assert pair.effect == math.inf
    mixed = [line if s % 2 else f"{REFERENCE[s]}" for s, line in enumerate(poor)]
    [pair] = compared({"rare": rare, "mixed": mixed}, ShareOfRight(), test="bootstrap").pairs
    assert math.isfinite(pair.effect)
    assert 0.01 < pair.p < 1


def test_power_has_no_number_of_sentences_for_an_undefined_difference() -> None:
    corpus = Corpus(SOURCE, [REFERENCE], SYSTEMS)
    for row in power(corpus, FalseAlarms(), samples=200, checks=False):
        assert math.isnan(row.difference)
        assert row.needed is None


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
def test_corrections_leave_out_undefined_tests(adjust: Adjustment) -> None:
    p = [0.04, 0.001, 0.3, 0.02]
    expected = ADJUSTMENTS[adjust](p).tolist()
    adjusted = ADJUSTMENTS[adjust]([math.nan, *p[:2], math.nan, *p[2:]])
    assert adjusted[[1, 2, 4, 5]].tolist() == expected
    assert np.isnan(adjusted[[0, 3]]).all()
    assert np.isnan(ADJUSTMENTS[adjust]([math.nan] * 2)).all()
    assert not len(ADJUSTMENTS[adjust]([]))


def test_replicates_without_a_value_count_against_significance() -> None:
    assert count_extreme([0.5, math.nan, 0.1], 0.4) == 2
    assert count_extreme([0.5, 0.1], math.nan) == 2
    assert centred_p([0.5, math.nan, 0.4, 0.6], 0.3) == centred_p([0.5, 0.4, 0.6], 0.3)
    assert centred_p([math.nan], 0.3) == 1


# --- commands ---


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"source": SOURCE, "ref": REFERENCE, **SYSTEMS}.items():
        Path(f"{name}.txt").write_text("\n".join(lines) + "\n")
    return ("-s", "source.txt", "-r", "ref.txt", "-c", "bold.txt", "shy.txt", "middle.txt")


def test_compare_prints_no_test_of_an_undefined_difference(run: Run, files: tuple[str, ...]) -> None:
    result = run("compare", *files, "-m", "false-alarms", "errant", "-f", "json")
    pairs = [pair for pair in json.loads(result.out)["pairs"] if pair["metric"] == "false-alarms"]
    assert [[pair[name] for name in ("difference", "p", "p_adjusted", "effect")] for pair in pairs] == [[None] * 4] * 3
    text = run("compare", *files, "-m", "false-alarms").out
    rows = [line.split() for line in text.splitlines() if line.startswith(("bold ", "shy ", "middle "))]
    assert {tuple(row[2:7]) for row in rows if len(row) > 7} == {("–",) * 5}
    assert "nan" not in text
    assert "FALSE-ALARMS has no value for bold, shy and middle, so their differences are not tested." in text
    assert "No difference shown" not in text
    assert "best score" not in text
    table = csv.DictReader(run("compare", *files, "-m", "false-alarms", "-f", "csv").out.splitlines())
    differences = [row for row in table if row["row"] == "pair"]
    assert len(differences) == 3
    for row in differences:
        assert {row[name] for name in ("difference", "p", "p_adjusted", "effect")} == {"nan"}
    assert "*" not in run("compare", *files, "-m", "false-alarms", "--baseline", "shy", "-f", "latex").out
    assert "†" not in run("compare", *files, "-m", "false-alarms", "-f", "markdown").out


def test_report_has_no_best_system_without_scores(run: Run, files: tuple[str, ...]) -> None:
    run("report", *files, "-m", "false-alarms", "-o", "summary.md")
    summary = Path("summary.md").read_text()
    assert "FALSE-ALARMS: the score has no value for bold, shy, middle." in summary
    assert "**nan**" not in summary
    assert "best score" not in summary
    assert run("report", *files, "-m", "false-alarms", "errant", "-o", "report.html").status == 0
    assert Path("report.html").read_text().count('"p":null') == 3


def test_gate_fails_without_a_difference(run: Run, files: tuple[str, ...]) -> None:
    result = run("gate", *files, "-m", "false-alarms", "--not-worse-than", "shy.txt", "-f", "json")
    assert result.status == 1
    assert {check["p"] for check in json.loads(result.out)["checks"]} == {None}
    assert "bold: FALSE-ALARMS –, shy.txt –: the difference is undefined" in result.err


@dataclass(frozen=True)
class UndefinedSentences(ShareOfRight):
    """ShareOfRight, without a value for unchanged sentences either."""

    def own_score(self, counts: Any) -> Any:
        return self.score(counts)


def test_ranking_by_sentences_without_a_score_is_refused() -> None:
    with pytest.raises(InputError, match="no score for a sentence"):
        rank(Corpus(SOURCE, [REFERENCE], {"bold": output(0, 1), "shy": output(2)}), [UndefinedSentences()])
