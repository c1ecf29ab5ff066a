"""Write the claims, tables and costs of docs/choosing-a-metric.md and docs/choosing-evidence.md.

    python research/choosing.py [--data ../shared/data] [--costs] [--print]
    python research/choosing.py -m METRIC …

Replaces the text between the markers of the two pages: agreement of each metric with people on four sets of judgments,
at each β if it has an F, and significant differences between metrics (computed by ``judged.py``). A claim is a
sentence, its cells of evidence and a condition on them. If a condition does not hold, the claim is printed and the
pages are not changed. ``-m`` prints the tables of other metrics, such as those that need a model. ``--costs`` also
times the metrics on this machine. ``--print`` prints the tables without changing the pages.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from judged import SETS, Estimate, JudgedSet, MetricRow, best_beta, with_systems

import geceval
from geceval import m2
from geceval.base.errors import GecevalError
from geceval.counting.metric_names import metrics_of
from geceval.statistics.correlation import spearman
from geceval.statistics.resampling import Interval
from geceval.statistics.significance import holm
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import ReportTable, plain_table, round_half_up
from geceval.text.reading.lines import read_lines

DOCS = Path(__file__).parents[1] / "docs"
#: The page with the claims, and the page with the evidence.
PAGES = (DOCS / "choosing-a-metric.md", DOCS / "choosing-evidence.md")
#: Replicates of the page; the tests take fewer.
REPLICATES = 10_000
ALPHA = 0.05
#: Replicates of the best-fitting β.
FITTED = 1000

#: Metrics without a download and with an F.
WITH_F = (
    MetricRow("GREEN", "green"),
    MetricRow("GREEN, characters", "green:unit=char,n=6"),
    MetricRow("MaxMatch", "maxmatch", gold=True),
    MetricRow("ERRANT", "errant"),
    MetricRow("CLEME", "cleme"),
    MetricRow("GoToScorer", "goto"),
)
OTHERS = (MetricRow("GLEU", "gleu"), MetricRow("CLEME2.0", "cleme2"))
METRICS = (*WITH_F, *OTHERS)
BETAS = (0.5, 1.0, 2.0)
EXTREMES = (0.5, 2.0)
#: Candidates for the best-fitting β, in steps of √2.
GRID = tuple(2 ** (k / 2) for k in range(-6, 7))
#: What people may reward. F with β 0 is the precision, with a large one the recall.
PEOPLE = (
    MetricRow("precision", "errant", beta=0.0),
    MetricRow("recall", "errant", beta=1000.0),
    MetricRow("number of edits", "edits"),
)

NAMES = tuple(data_set.name for data_set in SETS)
OLD, NEW = NAMES[:2], NAMES[2:]
#: Data sets with one additional system, by the name of the column.
OUTLIERS = {
    f"{data_set.name} + {label}": with_systems(data_set, name)
    for data_set in SETS[2:]
    for label, name in (("source", "INPUT"), ("GPT-3.5", "GPT-3.5"), ("REF-F", "REF-F"))
}
DATA_SETS = {data_set.name: data_set for data_set in SETS} | OUTLIERS
#: Data sets held out when β is fitted, by the name of the column.
HELD_OUT = {**{name: (name,) for name in NAMES}, " and ".join(OLD): OLD, " and ".join(NEW): NEW}

CellKey: TypeAlias = tuple[str, str, str]


def at_beta(row: MetricRow, beta: float | None) -> MetricRow:
    """Return the metric with this β if it has an F."""
    return replace(row, beta=beta) if row in WITH_F else row


def rows_at_betas(rows: Sequence[MetricRow] = METRICS, betas: Sequence[float] = BETAS) -> dict[str, MetricRow]:
    """Return the rows of a table by label: metrics with an F at each β, then the others."""
    variants = (
        variant for row in rows for variant in ([at_beta(row, beta) for beta in betas] if row in WITH_F else [row])
    )
    return {row.label: row for row in variants}


def errant_differences(rows: Sequence[MetricRow] = METRICS) -> dict[str, tuple[MetricRow, MetricRow]]:
    """Return pairs of each metric and ERRANT with β 0.5 and 2; a metric without an F stands beside both."""
    errant = next(row for row in WITH_F if row.metric == "ERRANT")
    return {
        f"{row.metric} − ERRANT, β {beta:g}": (at_beta(row, beta), at_beta(errant, beta))
        for beta in EXTREMES
        for row in rows
        if row != errant
    }


@dataclass
class Evidence:
    """Cells of the page's tables, computed lazily and cached."""

    data: Path
    replicates: int
    rows: Sequence[MetricRow] = METRICS
    judged_sets: dict[tuple[str, int], JudgedSet] = field(default_factory=dict)
    estimates: dict[CellKey, Estimate] = field(default_factory=dict)

    def judged(self, name: str, replicates: int | None = None) -> JudgedSet:
        """Return a set of judgments with this number of replicates, at most that of the page."""
        replicates = self.replicates if replicates is None else min(replicates, self.replicates)
        return self.judged_sets.setdefault((name, replicates), JudgedSet(self.data, DATA_SETS[name], replicates))

    def estimate(self, table: str, row: str, column: str) -> Estimate:
        """Return the number in a cell."""
        cell = table, row, column
        if cell not in self.estimates:
            self.estimates[cell] = TABLES[table].compute(self, TABLES[table].rows(self)[row], column)
        return self.estimates[cell]

    def table(self, name: str) -> ReportTable:
        """Return a table with stars at differences that are significant by Holm's p over all cells."""
        table = TABLES[name]
        cells = [[self.estimate(name, row, column) for column in table.columns] for row in table.rows(self)]
        p = [estimate.p for row in cells for estimate in row if estimate.p is not None]
        adjusted = dict(zip(p, holm(p).tolist(), strict=True)) if p else {}
        texts = [
            [
                row,
                *(
                    table.text(estimate) + ("\\*" if estimate.p is not None and adjusted[estimate.p] < ALPHA else "")
                    for estimate in row_estimates
                ),
            ]
            for row, row_estimates in zip(table.rows(self), cells, strict=True)
        ]
        columns = [self.head(name, column) for column in table.columns]
        return plain_table([table.corner, *columns], texts, right=frozenset(range(1, len(columns) + 1)))

    def head(self, table: str, column: str) -> str:
        """Return the heading of a column, with the number of systems if it is one data set."""
        return f"{column} ({len(self.judged(column).study().systems)})" if table in ("systems", "sentences") else column


# --- cells ---


@dataclass(frozen=True)
class Table:
    """A table of the evidence: heading, rows, columns, and how a cell is computed and formatted."""

    title: str
    corner: str
    rows: Callable[[Evidence], Mapping[str, Sequence[MetricRow]]]
    columns: Sequence[str]
    compute: Callable[[Evidence, Sequence[MetricRow], str], Estimate]
    text: Callable[[Estimate], str]


def format_number(value: float, digits: int = 3) -> str:
    """Return a number without the zero before its decimal point."""
    text = round_half_up(value, digits)
    return (text.replace("0.", ".", 1) if abs(value) < 1 else text).replace("-", "−")


def format_bounds(interval: Interval | None) -> str:
    return "" if interval is None else f" [{format_number(interval.low, 2)}, {format_number(interval.high, 2)}]"


def format_interval(estimate: Estimate) -> str:
    """``.741 [.39, .90]``."""
    return f"{format_number(estimate.value)}{format_bounds(estimate.interval)}"


def format_with(*labels: str) -> Callable[[Estimate], str]:
    """Return a format with further numbers: ``.741 [.39, .90] ρ .70``."""
    return lambda estimate: " ".join(
        [
            format_interval(estimate),
            *(f"{label} {format_number(value, 2)}" for label, value in zip(labels, estimate.secondary, strict=True)),
        ]
    )


def format_tested(estimate: Estimate) -> str:
    """``.136 [−.12, .29] p .157``."""
    return format_interval(estimate) + ("" if estimate.p is None else f" p {format_number(estimate.p)}")


def format_grid_beta(value: float) -> str:
    """Format a β of the grid; its ends stand for smaller and larger values too."""
    return f"{'≤ ' if value <= GRID[0] else '≥ ' if value >= GRID[-1] else ''}{value:.3g}"


def format_beta(estimate: Estimate) -> str:
    """``β 2 [1.4, ≥ 8]: .741``."""
    assert estimate.interval is not None
    spread = f"[{format_grid_beta(estimate.interval.low)}, {format_grid_beta(estimate.interval.high)}]"
    return f"β {format_grid_beta(estimate.value)} {spread}: {', '.join(map(format_number, estimate.secondary))}"


def system_correlation(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    return evidence.judged(column).estimate(*rows)


def sentence_accuracy(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    return evidence.judged(column).estimate(*rows, sentences=True)


def correlation_and_rank(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    judged, [metric] = evidence.judged(column), rows
    return replace(
        judged.estimate(metric), secondary=(float(spearman(judged.scores_of(metric).values, judged.people)),)
    )


def fitted_beta(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    held_out, betas = HELD_OUT[column], {row.beta: row for row in rows if row.beta is not None}
    fitted = best_beta([evidence.judged(name, FITTED) for name in NAMES if name not in held_out], betas)
    return replace(fitted, secondary=tuple(evidence.judged(name, FITTED).r(betas[fitted.value]) for name in held_out))


def separated_pairs(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    judged, [metric] = evidence.judged(column), rows
    return judged.separated_order(metric, judged.separated)


def without_one_system(*, lowest: bool) -> Callable[[Evidence, Sequence[MetricRow], str], Estimate]:
    return lambda evidence, rows, column: evidence.judged(column).left_out(rows[0], lowest=lowest)


def all_rows(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return {name: (row,) for name, row in rows_at_betas(evidence.rows).items()}


def extreme_rows(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return {name: (row,) for name, row in rows_at_betas(evidence.rows, EXTREMES).items()}


def differences(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return errant_differences(evidence.rows)


def effects_of_beta(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return {row.metric: (at_beta(row, BETAS[-1]), at_beta(row, BETAS[0])) for row in evidence.rows if row in WITH_F}


def grids(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return {row.metric: [at_beta(row, beta) for beta in GRID] for row in evidence.rows if row in WITH_F}


def people_rows(*pairs: tuple[MetricRow, MetricRow]) -> Callable[[Evidence], Mapping[str, Sequence[MetricRow]]]:
    """Return rows for the properties that people may reward, and for differences between pairs of them."""
    rows: dict[str, Sequence[MetricRow]] = {row.metric: (row,) for row in PEOPLE}
    return lambda evidence: rows | {f"{first.metric} − {second.metric}": (first, second) for first, second in pairs}


TABLES = {
    "people": Table(
        *("what people reward in systems", "r of"),
        *(people_rows((PEOPLE[1], PEOPLE[0])), NAMES, system_correlation, format_interval),
    ),
    "verdicts": Table(
        *("what people reward in sentences", "verdicts for the output with more"),
        *(people_rows((PEOPLE[2], OTHERS[0])), NAMES, sentence_accuracy, format_interval),
    ),
    "systems": Table("systems", "metric", all_rows, NAMES, correlation_and_rank, format_interval),
    "differences": Table(
        *(
            "systems, differences between metrics",
            "difference of r",
            differences,
            NAMES,
            system_correlation,
            format_interval,
        )
    ),
    "betas": Table(
        *(
            "systems, the effect of beta",
            "r with β 2 − r with β 0.5",
            effects_of_beta,
            NAMES,
            system_correlation,
            format_interval,
        )
    ),
    "fitted": Table("the beta that fits best", "metric", grids, tuple(HELD_OUT), fitted_beta, format_beta),
    "sentences": Table("sentences", "metric", all_rows, NAMES, sentence_accuracy, format_interval),
    "sentence-differences": Table(
        *("sentences, differences between metrics", "difference of the share"),
        *(differences, NAMES, sentence_accuracy, format_interval),
    ),
    "close": Table("close systems", "metric", all_rows, NAMES, close_systems, format_range),
    "left-out": Table("without one system", "metric", all_rows, NAMES, leave_one_out_range, format_range),
    "outliers": Table("with one system more", "metric", all_rows, tuple(OUTLIERS), system_correlation, format_interval),
}


def glance(evidence: Evidence) -> ReportTable:
    """Return the first table of the page: what people reward, one row per data set."""
    cells = (("people", "recall"), ("people", "precision"), ("verdicts", "number of edits"))
    heads = ["judgments", "r of recall", "r of precision", "verdicts for the output with more edits"]
    rows = [[name, *(format_interval(evidence.estimate(*cell, name)) for cell in cells)] for name in NAMES]
    return plain_table(heads, rows, right=frozenset(range(1, len(heads))))


def pairs_that_differ(evidence: Evidence) -> str:
    """Return a sentence with the pairs of metrics with an F that differ at equal β, by Holm over all pairs."""
    tests: list[tuple[str, float]] = []
    for name in NAMES:
        judged = evidence.judged(name)
        for beta in BETAS:
            rows = [at_beta(row, beta) for row in WITH_F]
            for k, first in enumerate(rows):
                for second in rows[:k]:
                    low, high = sorted((first, second), key=judged.r)
                    p = judged.estimate(high, low).p
                    tests.append((f"{low.metric} < {high.metric} ({name}, β {beta:g})", 1.0 if p is None else p))
    adjusted = holm([p for _, p in tests]).tolist()
    differing = [text for (text, _), p in zip(tests, adjusted, strict=True) if p < ALPHA]
    count = f"{len(differing)} differ: {'; '.join(differing)}" if differing else "none differs by more than chance"
    return f"Of all {len(tests)} pairs of metrics with an F (β 0.5, 1 and 2, four sets), {count}."


# --- the claims of the page ---


@dataclass(frozen=True)
class Cells:
    """Rows by columns of a table. With ``summary``, the page gives only the lowest and the highest number."""

    table: str
    rows: Sequence[str]
    columns: Sequence[str]
    summary: str = ""

    def estimates(self, evidence: Evidence) -> list[Estimate]:
        return [evidence.estimate(self.table, row, column) for row in self.rows for column in self.columns]

    def text(self, evidence: Evidence) -> str:
        """Return the cells as text of the page: rows, numbers and columns."""
        estimates = self.estimates(evidence)
        if self.summary:
            values = sorted(estimate.value for estimate in estimates)
            return f"{self.summary} {format_number(values[0])} to {format_number(values[-1])}"
        brief = (
            TABLES[self.table].text
            if self.table in ("people", "betas", "fitted", "close")
            else lambda estimate: format_number(estimate.value)
        )
        width = len(self.columns)
        rows = (
            f"{row} {', '.join(map(brief, estimates[k * width : (k + 1) * width]))}" for k, row in enumerate(self.rows)
        )
        return f"{'; '.join(rows)} ({', '.join(self.columns)})"


def link(table: str) -> str:
    """Return a link to the heading of a table."""
    number = list(TABLES).index(table) + 1
    anchor = re.sub(r"[^\w -]", "", f"table {number}: {TABLES[table].title}").replace(" ", "-")
    return f"[table {number}](choosing-evidence.md#{anchor})"


@dataclass(frozen=True)
class Claim:
    """A claim of the page, its evidence, and a condition on the estimates of each block of cells."""

    text: str
    cells: Sequence[Cells]
    holds: Callable[..., bool]

    def numbers(self, evidence: Evidence) -> list[list[Estimate]]:
        return [cells.estimates(evidence) for cells in self.cells]


def values(estimates: Sequence[Estimate]) -> list[float]:
    return [estimate.value for estimate in estimates]


NOT_E = NAMES[:3]

#: The conditions tolerate changes of some hundredths.
CLAIMS = (
    Claim(
        "**SEEDA rewards finding errors and changing much.** Recall agrees with people far better than precision. Of "
        "two outputs, people mostly prefer the one with more edits: this rule agrees with more verdicts than any "
        "metric here. On SEEDA-S both differences are more than chance.",
        (
            Cells("people", ("recall", "precision"), NEW),
            Cells("people", ("recall − precision",), NEW),
            Cells("verdicts", ("number of edits", "number of edits − GLEU"), NEW),
            Cells("sentences", tuple(rows_at_betas()), NEW, "all metrics on SEEDA"),
        ),
        lambda rewards, gaps, edits, metrics: (
            min(values(rewards[:2])) > 0.8
            and min(values(gaps)) > 0.35
            and gaps[0].p < ALPHA
            and min(values(edits[:2])) - max(values(metrics)) > 0.03
            and edits[2].p < ALPHA
        ),
    ),
    Claim(
        "**GJG15 and NSPT15 do not.** No difference between recall and precision is shown, and people do not prefer "
        "the output with more edits.",
        (
            Cells("people", ("recall − precision",), OLD),
            Cells("verdicts", ("number of edits",), OLD),
        ),
        lambda gaps, edits: min(gap.p for gap in gaps) > 0.2 and max(values(edits)) < 0.55,
    ),
    Claim(
        "**On SEEDA-S β matters more than the metric.** The step from β 0.5 to β 2 changes r of MaxMatch, ERRANT and "
        "CLEME by more than the choice among metrics at β 2 does. At β 2, no difference from ERRANT is shown "
        "on any set.",
        (
            Cells("betas", ("MaxMatch", "ERRANT", "CLEME"), ("SEEDA-S",)),
            Cells(
                "differences",
                tuple(row for row in errant_differences() if row.endswith("β 2")),
                ("SEEDA-S",),
                "SEEDA-S",
            ),
            Cells("differences", tuple(row for row in errant_differences() if row.endswith("β 2")), NAMES, "all sets"),
        ),
        lambda betas, new, every_set: (
            min(values(betas)) > 0.2
            and max(map(abs, values(new))) < 0.1
            and min(estimate.p for estimate in every_set) > 2 * ALPHA
        ),
    ),
    Claim(
        "**GREEN needs β 2.** It counts kept words, so that its recall is not the share of the errors found. With "
        "β 0.5 or 1 it ranks the systems of GJG15 against people.",
        (
            Cells("systems", tuple(row for row in rows_at_betas() if row.startswith("GREEN")), ("GJG15",)),
            Cells("betas", ("GREEN", "GREEN, characters"), ("GJG15", "SEEDA-S")),
        ),
        lambda green, betas: (
            max(values([*green[:2], *green[3:5]])) < -0.05
            and min(green[2].value, green[5].value) > 0.6
            and min(estimate.interval.low for estimate in betas) > 0
        ),
    ),
    Claim(
        "**The data do not say which β is right for metrics on edits.** Fitted on three sets, its interval "
        "is very wide. Fitted on GJG15 and NSPT15, it fails on SEEDA.",
        (Cells("fitted", ("ERRANT",), NAMES), Cells("fitted", ("ERRANT",), tuple(HELD_OUT)[-1:])),
        lambda single, both: (
            all(estimate.interval.high >= 5 * estimate.interval.low for estimate in single)
            and max(both[0].secondary) < 0.6
        ),
    ),
    Claim(
        "**One system can turn r around.** With the uncorrected source ERRANT's r with β 0.5 is much higher, with one "
        "rewriter (REF-F) it is negative, and GREEN's is low.",
        (
            Cells("systems", ("ERRANT, β 0.5", "GREEN, β 2"), ("SEEDA-S",)),
            Cells("outliers", ("ERRANT, β 0.5", "GREEN, β 2"), ("SEEDA-S + source", "SEEDA-S + REF-F")),
        ),
        lambda without, joining: (
            joining[0].value - without[0].value > 0.2
            and joining[2].value >= without[1].value - 0.02
            and joining[1].value < -0.2
            and joining[3].value < 0.5
        ),
    ),
    Claim(
        "**Close systems are not told apart.** On every set but SEEDA-E every metric has four neighbours that it ranks "
        "against people.",
        (
            Cells("close", ("ERRANT, β 2", "GREEN, β 2"), NOT_E),
            Cells("close", tuple(rows_at_betas()), NOT_E, "all metrics, mean r"),
        ),
        lambda examples, means: all(estimate.secondary[0] < -0.2 for estimate in [*examples, *means]),
    ),
    Claim(
        "**On single sentences every metric is often wrong.** None shares three quarters of people's verdicts. GLEU "
        "shares most on SEEDA, GoToScorer fewest on GJG15 and NSPT15.",
        (
            Cells("sentences", ("GLEU",), NEW),
            Cells("sentences", tuple(row for row in rows_at_betas() if row != "GLEU"), NEW, "other metrics on SEEDA"),
            Cells(
                "sentences",
                tuple(row for row in rows_at_betas() if "GoTo" in row),
                OLD,
                "GoToScorer on GJG15 and NSPT15",
            ),
            Cells(
                "sentences",
                tuple(row for row in rows_at_betas() if "GoTo" not in row),
                OLD,
                "other metrics there",
            ),
        ),
        lambda gleu, not_gleu, goto, not_goto: (
            max(values([*gleu, *not_gleu, *goto, *not_goto])) < 0.75
            and min(values(gleu)) > max(values(not_gleu)) + 0.01
            and max(values(goto)) < min(values(not_goto)) - 0.02
        ),
    ),
)


def claims_text(evidence: Evidence) -> str:
    """Return the claims as a numbered list with their cells."""
    lines = []
    for k, claim in enumerate(CLAIMS, 1):
        cells = (
            f"{link(table)}: {'; '.join(block.text(evidence) for block in group)}"
            for table, group in groupby(claim.cells, key=lambda block: block.table)
        )
        lines += [f"{k}. {claim.text}", "", f"   Carried by {'; '.join(cells)}.", ""]
    return "\n".join(wrapped(line) for line in lines)


def wrapped(text: str) -> str:
    """Wrap a line of Markdown at 100 characters, but not inside a link."""
    indent = "   "
    unbreakable = re.sub(r"\[table \d+\]", lambda match: match[0].replace(" ", "\0"), text)
    return textwrap.fill(
        unbreakable, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ).replace("\0", " ")


# --- costs ---

#: Number of sentences scored one by one.
SINGLE_SENTENCES = 200
#: Program that runs a command and prints its peak memory in kB.
MEMORY_PROBE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def cost_table(data: Path, rows: Sequence[MetricRow]) -> ReportTable:
    """Return the costs of each metric on one processor, for CoNLL-2014's 1312 sentences and two references.

    Each is measured in a new process, because metrics share cached edits.
    """
    folder = data / "conll14"
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        figures = [
            [
                row.metric,
                *pool.apply(batch_costs, (folder, row.spec, row.gold)),
                pool.apply(pair_cost, (folder, row.spec, row.gold)),
                peak_memory(folder, row.spec, row.gold),
            ]
            for row in rows
        ]
    texts = [[name, *(f"{number:.0f}" for number in numbers)] for name, *numbers in figures]
    heads = ["metric", "references, µs a sentence", "a system, µs a sentence", "one pair alone, µs", "memory, MB"]
    return plain_table(heads, texts, right=frozenset(range(1, len(heads))))


def conll14(folder: Path, gold: bool) -> tuple[Sequence[str], dict[str, Any], list[list[str]]]:
    """Return the source, references or gold edits, and the outputs of all systems except INPUT and NULL."""
    evidence: dict[str, Any] = {"references": [read_lines(folder / f"ref{r}.txt") for r in (0, 1)]}
    if gold:
        evidence = {"gold": list(m2.read(folder / "gold.m2"))}
    systems = [path for path in sorted((folder / "systems").glob("*.txt")) if path.stem not in ("INPUT", "NULL")]
    return read_lines(folder / "source.txt"), evidence, [read_lines(path) for path in systems]


def batch_costs(folder: Path, spec: str, gold: bool) -> tuple[float, float]:
    """Return CPU microseconds per sentence for preparing the references and for scoring a system."""
    source, evidence, outputs = conll14(folder, gold)
    start = time.process_time()
    scorer = geceval.Scorer([spec], source, **evidence, threads=1, checks=False)
    scorer.score(source)
    ready = time.process_time()
    for output in outputs:
        scorer.score(output)
    seconds = time.process_time() - ready
    return 1e6 * (ready - start) / len(source), 1e6 * seconds / len(outputs) / len(source)


def pair_cost(folder: Path, spec: str, gold: bool) -> float:
    """Return CPU microseconds for one sentence with its references, scored separately."""
    source, evidence, [output, *_] = conll14(folder, gold)
    [metric] = metrics_of([spec])

    def score(k: int) -> None:
        sentence_evidence = (
            {"gold": evidence["gold"][k]} if gold else {"references": [text[k] for text in evidence["references"]]}
        )
        metric.sentence_score(source[k], output[k], **sentence_evidence)

    score(SINGLE_SENTENCES)  # load models and tables
    start = time.process_time()
    for k in range(SINGLE_SENTENCES):
        score(k)
    return 1e6 * (time.process_time() - start) / SINGLE_SENTENCES


def peak_memory(folder: Path, spec: str, gold: bool) -> float:
    """Return the peak memory in MB of ``geceval score`` for one system."""
    evidence = ["--gold", "gold.m2"] if gold else ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt"]
    score = [sys.executable, "-m", "geceval", "score", *evidence, "-c", "systems/AMU.txt", "-m", spec, "-q"]
    completed = subprocess.run(
        [sys.executable, "-c", MEMORY_PROBE, *score], cwd=folder, capture_output=True, text=True, check=True
    )
    return int(completed.stdout) / 1024


# --- the page ---


def replace_part(page: str, name: str, text: str) -> str:
    """Return the page with new text between ``<!-- begin: NAME -->`` and ``<!-- end: NAME -->``."""
    begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
    before, rest = page.split(begin)
    return before + begin + text + end + rest.split(end)[1]


def padded(text: str) -> str:
    """Return a text with blank lines around it."""
    return f"\n{text.rstrip()}\n\n"


def page_parts(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield the parts of the pages: name of the markers, text between them."""
    for name in TABLES:
        yield name, padded(as_markdown(evidence.table(name)))
    yield "glance", padded(as_markdown(glance(evidence)))
    yield "pairs", padded(textwrap.fill(pairs_that_differ(evidence), 100))
    yield "claims", padded(claims_text(evidence))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), metavar="FOLDER")
    parser.add_argument("-m", "--metrics", nargs="+", metavar="METRIC", help="print the tables of these metrics")
    parser.add_argument("--replicates", type=int, default=REPLICATES, metavar="N", help=f"default: {REPLICATES}")
    parser.add_argument("--costs", action="store_true", help="time the metrics, too")
    parser.add_argument("--print", action="store_true", help="print, and leave the page")
    args = parser.parse_args(arguments)
    warnings.simplefilter("ignore", geceval.GecevalWarning)
    try:
        if args.metrics is not None:
            evidence = Evidence(args.data, args.replicates, [MetricRow(spec, spec) for spec in args.metrics])
            for name in ("systems", "sentences", "close", "left-out", "outliers"):
                print(f"{name}\n{padded(as_markdown(evidence.table(name)))}")
            return 0
        evidence = Evidence(args.data, args.replicates)
        texts = dict(page_parts(evidence))
        if args.costs:
            texts["costs"] = padded(as_markdown(cost_table(args.data, METRICS)))
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if args.print:
        for name, text in texts.items():
            print(f"{name}\n{text}")
    broken = [claim.text for claim in CLAIMS if not claim.holds(*claim.numbers(evidence))]
    for text in broken:
        print(f"error: a claim of the page does not hold: {text}", file=sys.stderr)
    if broken:
        return 1
    for path in () if args.print else PAGES:
        page = path.read_text(encoding="utf-8")
        for name, text in texts.items():
            page = replace_part(page, name, text) if f"<!-- begin: {name} -->" in page else page
        path.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
