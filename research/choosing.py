"""Write the claims, tables and costs of research/choosing-evidence.md.

    python research/choosing.py [--data ../shared/data] [--costs] [--print]
    python research/choosing.py -m METRIC …

Replaces the text between the markers of the page: agreement of each metric with people on four sets of judgments,
at each β if it has an F, and significant differences between metrics (computed by ``judged.py``). A claim is a
sentence, its cells of evidence and a condition on them. If a condition does not hold, the claim is printed and the
pages are not changed. ``-m`` prints the tables of other metrics, such as those that need a model. ``--costs`` also
times the metrics on this machine. ``--print`` prints the tables, and more, without changing the pages.
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from judged import SETS, Estimate, JudgedSet, MetricRow, with_systems

import geceval
from geceval import m2
from geceval.base.errors import GecevalError
from geceval.counting.metric_names import metrics_of
from geceval.statistics.correlation import spearman
from geceval.statistics.intervals import Interval
from geceval.statistics.multiple_tests import holm
from geceval.tables.file_formats import as_markdown
from geceval.tables.number_text import round_half_up
from geceval.tables.table import ReportTable, plain_table
from geceval.text.reading.lines import read_lines

#: The page with the claims and the evidence.
PAGE = Path(__file__).with_name("choosing-evidence.md")
#: Replicates of the page; the tests take fewer.
REPLICATES = 10_000
ALPHA = 0.05

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
#: What people may reward. F with β 0 is the precision, with a large one the recall.
PEOPLE = (
    MetricRow("precision", "errant", beta=0.0),
    MetricRow("recall", "errant", beta=1000.0),
    MetricRow("number of edits", "edits"),
)

NAMES = tuple(data_set.name for data_set in SETS)
OLD, NEW = NAMES[:2], NAMES[2:]
#: Additional systems: label and name.
JOINING = (("source", "INPUT"), ("GPT-3.5", "GPT-3.5"), ("REF-F", "REF-F"))
#: Data sets with one additional system, by the name of the column.
OUTLIERS = {
    f"{data_set.name} + {label}": with_systems(data_set, name) for data_set in SETS[2:] for label, name in JOINING
}
DATA_SETS = {data_set.name: data_set for data_set in SETS} | OUTLIERS

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


def errant_differences(
    rows: Sequence[MetricRow] = METRICS, betas: Sequence[float] = EXTREMES
) -> dict[str, tuple[MetricRow, MetricRow]]:
    """Return pairs of each metric and ERRANT at each β; a metric without an F has a pair for each, too."""
    errant = next(row for row in WITH_F if row.metric == "ERRANT")
    return {
        f"{row.metric} − ERRANT, β {beta:g}": (at_beta(row, beta), at_beta(errant, beta))
        for beta in betas
        for row in rows
        if row != errant
    }


@dataclass
class Evidence:
    """Cells of the page's tables, computed lazily and cached."""

    data: Path
    replicates: int
    rows: Sequence[MetricRow] = METRICS
    judged_sets: dict[str, JudgedSet] = field(default_factory=dict)
    estimates: dict[CellKey, Estimate] = field(default_factory=dict)

    def judged(self, name: str) -> JudgedSet:
        """Return a set of judgments."""
        return self.judged_sets.setdefault(name, JudgedSet(self.data, DATA_SETS[name], self.replicates))

    def estimate(self, table: str, row: str, column: str) -> Estimate:
        """Return the number in a cell."""
        cell = table, row, column
        if cell not in self.estimates:
            self.estimates[cell] = ALL_TABLES[table].compute(self, ALL_TABLES[table].rows(self)[row], column)
        return self.estimates[cell]

    def table(self, name: str) -> ReportTable:
        """Return a table with stars at differences that are significant by Holm's p over all cells."""
        table = ALL_TABLES[name]
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
        of_sets = table.startswith(("systems", "sentences"))
        return f"{column} ({len(self.judged(column).study().systems)})" if of_sets else column


# --- cells ---


@dataclass(frozen=True)
class Table:
    """A table of the evidence: heading, rows, columns, and how a cell is computed and formatted."""

    title: str
    corner: str
    rows: Callable[[Evidence], Mapping[str, Sequence[Any]]]
    columns: Sequence[str]
    compute: Callable[[Evidence, Sequence[Any], str], Estimate]
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
            *(
                f"{label} {format_number(value, 2)}"
                for label, value in zip(labels, estimate.secondary, strict=True)
                if not math.isnan(value)
            ),
        ]
    )


def format_tested(estimate: Estimate) -> str:
    """``.136 [−.12, .29] p .157``."""
    return format_interval(estimate) + ("" if estimate.p is None else f" p {format_number(estimate.p)}")


def system_correlation(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    return evidence.judged(column).estimate(*rows)


def sentence_accuracy(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    return evidence.judged(column).estimate(*rows, sentences=True)


def correlation_and_rho(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    judged, [metric] = evidence.judged(column), rows
    rho = float(spearman(judged.scores_of(metric).values, judged.people))
    return replace(judged.estimate(metric), secondary=(rho,))


def further_correlations(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    judged, [metric] = evidence.judged(column), rows
    return replace(judged.estimate(metric), secondary=(judged.r_once(metric), judged.soft_accuracy(metric)))


def further_accuracies(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    judged, [metric] = evidence.judged(column), rows
    secondary = judged.accuracy_once(metric), judged.tie_calibrated(metric)
    return replace(judged.estimate(metric, sentences=True), secondary=secondary)


def separated_pairs(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    return evidence.judged(column).separated_order(*rows)


def one_person(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    return Estimate(evidence.judged(column).with_one_person(*rows))


def human_ceiling(evidence: Evidence, figures: Sequence[str], column: str) -> Estimate:
    """Return a figure of people's agreement with each other."""
    judged = evidence.judged(column)
    ceilings, pairs = judged.ceilings, judged.study().pairs.among(judged.study().systems)
    if figures == ("ties",):
        return Estimate(float((pairs.once()[0].outcome == 0).mean()))
    if figures == ("separated",):
        return Estimate(ceilings.separated / ceilings.pairs)
    if figures == ("two people",):
        assert ceilings.two_people is not None
        return Estimate(ceilings.two_people.share, known_interval=ceilings.two_people.interval)
    return Estimate(ceilings.reliability if figures == ("reliability",) else ceilings.r)


def implied_weight(evidence: Evidence, rows: Sequence[Any], column: str) -> Estimate:
    """Return the worth of an edit outside the references, with the row's options of ``implied_weights``."""
    systems, pairs = rows
    [weight] = evidence.judged(column).implied_weights(systems=systems, pairs=pairs).weights
    return Estimate(weight.ratio, known_interval=weight.intervals["ratio"])


def without_one_system(evidence: Evidence, rows: Sequence[MetricRow], column: str) -> Estimate:
    return evidence.judged(column).lowest_without_one(*rows)


def all_rows(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return {name: (row,) for name, row in rows_at_betas(evidence.rows).items()}


def extreme_rows(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return {name: (row,) for name, row in rows_at_betas(evidence.rows, EXTREMES).items()}


def differences(*betas: float) -> Callable[[Evidence], Mapping[str, Sequence[MetricRow]]]:
    return lambda evidence: errant_differences(evidence.rows, betas)


def effects_of_beta(evidence: Evidence) -> Mapping[str, Sequence[MetricRow]]:
    return {row.metric: (at_beta(row, BETAS[-1]), at_beta(row, BETAS[0])) for row in evidence.rows if row in WITH_F}


def people_rows(*pairs: tuple[MetricRow, MetricRow]) -> Callable[[Evidence], Mapping[str, Sequence[MetricRow]]]:
    """Return rows for the properties that people may reward, and for differences between pairs of them."""
    rows: dict[str, Sequence[MetricRow]] = {row.metric: (row,) for row in PEOPLE}
    return lambda evidence: rows | {f"{first.metric} − {second.metric}": (first, second) for first, second in pairs}


#: Rows of people's agreement: the label, and the name of the figure.
CEILINGS: Mapping[str, Sequence[Any]] = {
    "ties": ("ties",),
    "two people agree": ("two people",),
    "reliability of scores of systems": ("reliability",),
    "highest r to expect": ("r",),
    "separated pairs of systems": ("separated",),
}

#: Rows of implied weights: whether systems have effects, and how a verdict on two outputs counts.
IMPLIED_WEIGHTS: Mapping[str, Sequence[Any]] = {
    f"{edits}{once}": (systems, pairs)
    for edits, systems in (("edits alone", False), ("with effects of systems", True))
    for once, pairs in (("", "systems"), (", once", "outputs"))
}

TABLES = {
    "people": Table(
        *("what people reward in systems", "r of"),
        *(people_rows((PEOPLE[1], PEOPLE[0])), NAMES, system_correlation, format_tested),
    ),
    "verdicts": Table(
        *("what people reward in sentences", "verdicts for the output with more"),
        *(people_rows((PEOPLE[2], OTHERS[0])), NAMES, sentence_accuracy, format_interval),
    ),
    "weights": Table(
        *("implied weights of edits", "edits outside the references"),
        *(lambda _: IMPLIED_WEIGHTS, NAMES, implied_weight),
        format_interval,
    ),
    "ceilings": Table("what people reach", "people", lambda _: CEILINGS, NAMES, human_ceiling, format_interval),
    "one person": Table("metrics and one person", "metric", extreme_rows, NAMES, one_person, format_interval),
    "systems": Table("systems", "metric", all_rows, NAMES, correlation_and_rho, format_with("ρ")),
    "differences": Table(
        *(
            "systems, differences between metrics",
            "difference of r",
            differences(BETAS[-1]),
            NAMES,
            system_correlation,
            format_tested,
        )
    ),
    "betas": Table(
        *(
            "systems, the effect of beta",
            "r with β 2 − r with β 0.5",
            effects_of_beta,
            NAMES,
            system_correlation,
            format_tested,
        )
    ),
    "sentences": Table("sentences", "metric", extreme_rows, NAMES, sentence_accuracy, format_interval),
    "separated": Table(
        "pairs of systems that people separate", "metric", extreme_rows, NAMES, separated_pairs, format_interval
    ),
    "outliers": Table(
        *("with one system more", "metric", extreme_rows, tuple(OUTLIERS)[: len(JOINING)]),
        *(system_correlation, format_interval),
    ),
}
#: Tables that ``--print`` prints and the page does not show.
MORE_TABLES = {
    "systems-more": Table(
        "systems, further figures", "metric", all_rows, NAMES, further_correlations, format_with("once", "SPA")
    ),
    "sentences-more": Table(
        *("sentences, further figures", "metric", all_rows, NAMES),
        *(further_accuracies, format_with("once", "acc_eq")),
    ),
    "differences-more": Table(
        *("systems, differences between metrics with β 0.5", "difference of r"),
        *(differences(BETAS[0]), NAMES, system_correlation, format_tested),
    ),
    "sentence-differences": Table(
        *("sentences, differences between metrics", "difference of the share"),
        *(differences(*EXTREMES), NAMES, sentence_accuracy, format_interval),
    ),
    "left-out": Table("without one system", "metric", extreme_rows, NAMES, without_one_system, format_interval),
    "outliers-more": Table(
        *("with one system more, SEEDA-E", "metric", extreme_rows, tuple(OUTLIERS)[len(JOINING) :]),
        *(system_correlation, format_interval),
    ),
}
ALL_TABLES = TABLES | MORE_TABLES


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
    """Rows by columns of a table. With ``spans``, a claim shows only the lowest and the highest number."""

    table: str
    rows: Sequence[str]
    columns: Sequence[str] = NAMES
    spans: bool = False

    def estimates(self, evidence: Evidence) -> list[Estimate]:
        return [evidence.estimate(self.table, row, column) for row in self.rows for column in self.columns]

    def text(self, evidence: Evidence) -> str:
        """Return the numbers: ``.741, .503``, or ``.503 to .741``."""
        numbers = [estimate.value for estimate in self.estimates(evidence)]
        return " to ".join(map(format_number, (min(numbers), max(numbers)))) if self.spans else listed(numbers)


def listed(numbers: Sequence[float]) -> str:
    """``.741, .503 and .918``."""
    *first, last = map(format_number, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def link(table: str) -> str:
    """Return a link to the heading of a table."""
    number = list(TABLES).index(table) + 1
    anchor = re.sub(r"[^\w -]", "", f"table {number}: {TABLES[table].title}").replace(" ", "-")
    return f"[table {number}](#{anchor})"


@dataclass(frozen=True)
class Claim:
    """A claim of the page with a field for each block of cells, and a condition on the estimates of each block."""

    text: str
    cells: Sequence[Cells]
    holds: Callable[..., bool]

    def numbers(self, evidence: Evidence) -> list[list[Estimate]]:
        return [cells.estimates(evidence) for cells in self.cells]

    def filled(self, evidence: Evidence) -> str:
        """Return the claim with its numbers and links to their tables."""
        tables = dict.fromkeys(cells.table for cells in self.cells)
        numbers = (cells.text(evidence) for cells in self.cells)
        return f"{self.text.format(*numbers)} ({', '.join(map(link, tables))})"


def values(estimates: Sequence[Estimate]) -> list[float]:
    return [estimate.value for estimate in estimates]


AT_BETA_2 = tuple(errant_differences(betas=BETAS[-1:]))
#: The conditions tolerate changes of some hundredths.
CLAIMS = (
    Claim(
        "**People disagree, too.** Two people agree on {0} of the pairs of outputs that both decided (GJG15, NSPT15, "
        "SEEDA-S, SEEDA-E), the metrics here with one person on {1}. People tie {2} of all pairs.",
        (
            Cells("ceilings", ("two people agree",)),
            Cells("one person", tuple(rows_at_betas(betas=EXTREMES)), spans=True),
            Cells("ceilings", ("ties",), spans=True),
        ),
        lambda people, metrics, ties: (
            min(values(people)) > 0.75 and max(values(metrics)) < min(values(people)) and min(values(ties)) > 0.1
        ),
    ),
    Claim(
        "**SEEDA's judges prefer the output that changes more, those of 2015 do not.** r of recall is {0} on "
        "SEEDA-S and SEEDA-E, of precision {1}; in 2015 no difference of the two is shown. “More edits are "
        "better” shares {2} of SEEDA's verdicts and {4} of those of 2015, the metrics here {3} of SEEDA's. Edits "
        "outside the references may be right.",
        (
            Cells("people", ("recall",), NEW),
            Cells("people", ("precision",), NEW),
            Cells("verdicts", ("number of edits",), NEW),
            Cells("sentences", tuple(rows_at_betas(betas=EXTREMES)), NEW, spans=True),
            Cells("verdicts", ("number of edits",), OLD),
            Cells("people", ("recall − precision",), OLD),
            Cells("verdicts", ("number of edits − GLEU",), ("SEEDA-S",)),
        ),
        lambda recall, precision, edits, metrics, old_edits, gaps, more_than_gleu: (
            min(values(recall)) > 0.8
            and max(values(precision)) < 0.4
            and min(values(edits)) - max(values(metrics)) > 0.03
            and max(values(old_edits)) < 0.55
            and min(gap.p for gap in gaps) > 0.2
            and more_than_gleu[0].p < ALPHA
        ),
    ),
    Claim(
        "**No single β serves both.** An edit that no reference has is worth {0} of a correct edit in 2015 (a cost), "
        "and {1} in SEEDA.",
        (Cells("weights", ("edits alone",), OLD), Cells("weights", ("edits alone",), NEW)),
        lambda old, new: (
            max(estimate.interval.high for estimate in old) < 0 and min(estimate.interval.low for estimate in new) > 0
        ),
    ),
    Claim(
        "**β matters more than the metric on SEEDA-S.** r with β 2 is higher than with β 0.5 by {0} for MaxMatch, "
        "ERRANT and CLEME; at β 2 other metrics differ from ERRANT by {1} there, and on no set is a difference shown.",
        (
            Cells("betas", ("MaxMatch", "ERRANT", "CLEME"), ("SEEDA-S",)),
            Cells("differences", AT_BETA_2, ("SEEDA-S",), spans=True),
            Cells("differences", AT_BETA_2),
        ),
        lambda betas, new, every_set: (
            min(values(betas)) > 0.2
            and max(estimate.p for estimate in betas) < ALPHA
            and max(map(abs, values(new))) < 0.1
            and min(estimate.p for estimate in every_set) > ALPHA
        ),
    ),
    Claim(
        "**GREEN needs β 2.** It counts kept words. On GJG15 r is {0} with β 0.5 and 1, and {1} with β 2.",
        (
            Cells("systems", ("GREEN, β 0.5", "GREEN, β 1"), ("GJG15",)),
            Cells("systems", ("GREEN, β 2",), ("GJG15",)),
            Cells("betas", ("GREEN", "GREEN, characters"), ("GJG15", "SEEDA-S")),
        ),
        lambda low, high, betas: (
            max(values(low)) < -0.05
            and high[0].value > 0.6
            and min(estimate.interval.low for estimate in betas) > 0
            and max(estimate.p for estimate in betas) < ALPHA
        ),
    ),
    Claim(
        "**One system can change the sign of r.** On SEEDA-S r of ERRANT with β 0.5 is {0}; {1} with the uncorrected "
        "source, and {2} with one rewriter (REF-F).",
        (
            Cells("systems", ("ERRANT, β 0.5",), ("SEEDA-S",)),
            Cells("outliers", ("ERRANT, β 0.5",), ("SEEDA-S + source",)),
            Cells("outliers", ("ERRANT, β 0.5",), ("SEEDA-S + REF-F",)),
        ),
        lambda without, source, rewriter: (
            source[0].value - without[0].value > 0.2 and rewriter[0].value < -0.2 and without[0].value > 0.4
        ),
    ),
    Claim(
        "**People do not separate close systems.** They separate {0} of the pairs; metrics with β 2 order {1} "
        "of these as people do on SEEDA, {2} in 2015.",
        (
            Cells("ceilings", ("separated pairs of systems",)),
            Cells("separated", tuple(rows_at_betas(betas=(2.0,))), NEW, spans=True),
            Cells("separated", tuple(rows_at_betas(betas=(2.0,))), OLD, spans=True),
        ),
        lambda separated, new, old: max(values(separated)) < 0.8 and min(values(new)) > 0.85 and min(values(old)) < 0.8,
    ),
)


def claims_text(evidence: Evidence) -> str:
    """Return the claims as a numbered list."""
    return "\n".join(f"{wrapped(f'{number}. {claim.filled(evidence)}')}\n" for number, claim in enumerate(CLAIMS, 1))


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
            for name in ("systems", "sentences", "separated", "left-out", "outliers", "outliers-more"):
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
        texts |= {name: padded(as_markdown(evidence.table(name))) for name in MORE_TABLES}
        for name, text in texts.items():
            print(f"{name}\n{text}")
    broken = [claim.text for claim in CLAIMS if not claim.holds(*claim.numbers(evidence))]
    for text in broken:
        print(f"error: a claim of the page does not hold: {text}", file=sys.stderr)
    if broken:
        return 1
    if not args.print:
        page = PAGE.read_text(encoding="utf-8")
        for name, text in texts.items():
            page = replace_part(page, name, text) if f"<!-- begin: {name} -->" in page else page
        PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
