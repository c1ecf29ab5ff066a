"""Which metric to choose: the claims, tables and costs of docs/choosing-a-metric.md and docs/choosing-evidence.md.

    python research/choosing.py [--data ../shared/data] [--costs] [--print]
    python research/choosing.py -m METRIC …

Writes what stands between the markers of the two pages: how far each metric agrees with people, at each β if it has an
F, on four sets of judgments, and which differences between metrics are more than chance (``judged.py`` computes them).
A claim is a sentence, the cells that carry it and a condition on them. If one does not hold any more, it is named and
the pages stay as they are. ``-m`` prints the tables of other metrics, such as those that need a model. ``--costs`` also
times the metrics: figures of the machine it runs on. ``--print`` prints and leaves the pages as they are.
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

from judged import SETS, Figure, Judged, Row, best_beta, joined

import geceval
from geceval import m2
from geceval.agreement.study import windows
from geceval.base.errors import GecevalError
from geceval.counting.scorer import resolve_metrics
from geceval.statistics.correlation import leave_one_out, spearman
from geceval.statistics.intervals import Interval
from geceval.statistics.significance import holm
from geceval.tables.formats.markdown import as_markdown
from geceval.tables.numbers import round_half_up
from geceval.tables.table import ReportTable, plain_table
from geceval.text.reading.lines import read_lines

DOCS = Path(__file__).parents[1] / "docs"
#: The page, and the page of its evidence.
PAGES = (DOCS / "choosing-a-metric.md", DOCS / "choosing-evidence.md")
#: How many systems a window holds.
WINDOW = 4
#: Replicates of the page; the tests take fewer.
REPLICATES = 10_000
ALPHA = 0.05
#: Replicates of the β that fits best.
FITTED = 1000

#: The metrics that need no download: those with an F, and the others.
WITH_F = (
    Row("GREEN", "green"),
    Row("GREEN, characters", "green:unit=char,n=6"),
    Row("MaxMatch", "maxmatch", gold=True),
    Row("ERRANT", "errant"),
    Row("CLEME", "cleme"),
    Row("GoToScorer", "goto"),
)
OTHERS = (Row("GLEU", "gleu"), Row("CLEME2.0", "cleme2"))
METRICS = (*WITH_F, *OTHERS)
BETAS = (0.5, 1.0, 2.0)
#: Where the β that fits best is looked for, in steps of √2.
GRID = tuple(2 ** (k / 2) for k in range(-6, 7))
#: What people may reward. F with β 0 is the precision, with a large one the recall.
PEOPLE = (Row("precision", "errant", beta=0.0), Row("recall", "errant", beta=1000.0), Row("number of edits", "edits"))

NAMES = tuple(one.name for one in SETS)
OLD, NEW = NAMES[:2], NAMES[2:]
#: One system more, by the name of the column.
OUTLIERS = {
    f"{one.name} + {shown}": joined(one, name)
    for one in SETS[2:]
    for shown, name in (("source", "INPUT"), ("GPT-3.5", "GPT-3.5"), ("REF-F", "REF-F"))
}
#: Sets that the β is not fitted on.
HELD_OUT = {**{name: (name,) for name in NAMES}, " and ".join(OLD): OLD, " and ".join(NEW): NEW}

At: TypeAlias = tuple[str, str, str]


def at(row: Row, beta: float | None) -> Row:
    """The metric with this β, if it has an F."""
    return replace(row, beta=beta) if row in WITH_F else row


def every(rows: Sequence[Row] = METRICS) -> dict[str, Row]:
    """The rows of a table: metrics with an F at each β, then the others."""
    made = (own for row in rows for own in ([at(row, beta) for beta in BETAS] if row in WITH_F else [row]))
    return {row.label: row for row in made}


def against(rows: Sequence[Row] = METRICS) -> dict[str, tuple[Row, Row]]:
    """Each metric beside ERRANT of the same β; one without an F beside ERRANT of each β."""
    errant = next(row for row in WITH_F if row.metric == "ERRANT")
    return {
        f"{row.metric} − ERRANT, β {beta:g}": (at(row, beta), at(errant, beta))
        for beta in BETAS
        for row in rows
        if row != errant
    }


@dataclass
class Evidence:
    """The cells of the page's tables, each computed when it is first asked for."""

    data: Path
    replicates: int
    rows: Sequence[Row] = METRICS
    known: dict[tuple[str, int], Judged] = field(default_factory=dict)
    figures: dict[At, Figure] = field(default_factory=dict)

    def judged(self, name: str, replicates: int | None = None) -> Judged:
        """A set of judgments; one with an outlier has no replicates."""
        one = {own.name: own for own in SETS}.get(name)
        replicates = (self.replicates if replicates is None else min(replicates, self.replicates)) if one else 0
        return self.known.setdefault((name, replicates), Judged(self.data, one or OUTLIERS[name], replicates))

    def figure(self, table: str, row: str, column: str) -> Figure:
        """The number in a cell."""
        key = table, row, column
        if key not in self.figures:
            self.figures[key] = TABLES[table].compute(self, TABLES[table].rows(self)[row], column)
        return self.figures[key]

    def table(self, name: str) -> ReportTable:
        """A whole table, with stars where Holm's p, over all its cells, shows a difference."""
        table = TABLES[name]
        cells = [[self.figure(name, row, column) for column in table.columns] for row in table.rows(self)]
        p = [figure.p for row in cells for figure in row if figure.p is not None]
        shown = dict(zip(p, holm(p).tolist(), strict=True)) if p else {}
        texts = [
            [row, *(table.text(own) + ("\\*" if own.p is not None and shown[own.p] < ALPHA else "") for own in line)]
            for row, line in zip(table.rows(self), cells, strict=True)
        ]
        columns = [self.head(name, column) for column in table.columns]
        return plain_table([table.corner, *columns], texts, right=frozenset(range(1, len(columns) + 1)))

    def head(self, table: str, column: str) -> str:
        """The name of a column, with the number of systems where it is one set."""
        return f"{column} ({len(self.judged(column).study().systems)})" if table in ("systems", "sentences") else column


# --- what stands in the cells ---


@dataclass(frozen=True)
class Table:
    """The heading of a table on the page of the evidence, its rows and columns, how a cell is computed and written."""

    title: str
    corner: str
    rows: Callable[[Evidence], Mapping[str, Sequence[Row]]]
    columns: Sequence[str]
    compute: Callable[[Evidence, Sequence[Row], str], Figure]
    text: Callable[[Figure], str]


def short(value: float, digits: int = 3) -> str:
    """A number without the 0 before its point."""
    text = round_half_up(value, digits)
    return (text.replace("0.", ".", 1) if abs(value) < 1 else text).replace("-", "−")


def bounds(interval: Interval | None) -> str:
    return "" if interval is None else f" [{short(interval.low, 2)}, {short(interval.high, 2)}]"


def with_interval(figure: Figure) -> str:
    """``.741 [.39, .90]``, and ρ behind it."""
    rank = "".join(f" ρ {short(value, 2)}" for value in figure.beside)
    return f"{short(figure.value)}{bounds(figure.interval)}{rank}"


def with_range(figure: Figure) -> str:
    """``.34 (−.77 to .99)``."""
    return f"{short(figure.value, 2)} ({short(figure.beside[0], 2)} to {short(figure.beside[1], 2)})"


def as_beta(value: float) -> str:
    """A β of the grid; its ends mean that or beyond."""
    return f"{'≤ ' if value <= GRID[0] else '≥ ' if value >= GRID[-1] else ''}{value:.3g}"


def with_beta(figure: Figure) -> str:
    """``β 2 [1.4, ≥ 8]: .741``."""
    assert figure.interval is not None
    spread = f"[{as_beta(figure.interval.low)}, {as_beta(figure.interval.high)}]"
    return f"β {as_beta(figure.value)} {spread}: {', '.join(map(short, figure.beside))}"


def of_systems(evidence: Evidence, rows: Sequence[Row], column: str) -> Figure:
    return evidence.judged(column).figure(*rows)


def of_sentences(evidence: Evidence, rows: Sequence[Row], column: str) -> Figure:
    return evidence.judged(column).figure(*rows, sentences=True)


def with_rank(evidence: Evidence, rows: Sequence[Row], column: str) -> Figure:
    own, [metric] = evidence.judged(column), rows
    return replace(own.figure(metric), beside=(float(spearman(own.of(metric).values, own.people)),))


def of_fitted(evidence: Evidence, rows: Sequence[Row], column: str) -> Figure:
    out, betas = HELD_OUT[column], {row.beta: row for row in rows if row.beta is not None}
    found = best_beta([evidence.judged(name, FITTED) for name in NAMES if name not in out], betas)
    return replace(found, beside=tuple(evidence.judged(name, FITTED).r(betas[found.value]) for name in out))


def of_close(evidence: Evidence, rows: Sequence[Row], column: str) -> Figure:
    own, [metric] = evidence.judged(column), rows
    found = windows(own.study().systems, own.of(metric).values, own.people, size=WINDOW)
    r = [window.agreement.pearson for window in found]
    return Figure(sum(r) / len(r), beside=(min(r), max(r)))


def of_left_out(evidence: Evidence, rows: Sequence[Row], column: str) -> Figure:
    own, [metric] = evidence.judged(column), rows
    r = [found.pearson for found in leave_one_out(own.of(metric).values, own.people)]
    return Figure(own.r(metric), beside=(min(r), max(r)))


def all_rows(evidence: Evidence) -> Mapping[str, Sequence[Row]]:
    return {name: (row,) for name, row in every(evidence.rows).items()}


def differences(evidence: Evidence) -> Mapping[str, Sequence[Row]]:
    return against(evidence.rows)


def effects_of_beta(evidence: Evidence) -> Mapping[str, Sequence[Row]]:
    return {row.metric: (at(row, BETAS[-1]), at(row, BETAS[0])) for row in evidence.rows if row in WITH_F}


def grids(evidence: Evidence) -> Mapping[str, Sequence[Row]]:
    return {row.metric: [at(row, beta) for beta in GRID] for row in evidence.rows if row in WITH_F}


def of_people(*beside: tuple[Row, Row]) -> Callable[[Evidence], Mapping[str, Sequence[Row]]]:
    """What people may reward, and differences."""
    rows: dict[str, Sequence[Row]] = {row.metric: (row,) for row in PEOPLE}
    return lambda evidence: rows | {f"{one.metric} − {less.metric}": (one, less) for one, less in beside}


TABLES = {
    "people": Table(
        *("what people reward in systems", "r of"),
        *(of_people((PEOPLE[1], PEOPLE[0])), NAMES, of_systems, with_interval),
    ),
    "verdicts": Table(
        *("what people reward in sentences", "verdicts for the output with more"),
        *(of_people((PEOPLE[2], OTHERS[0])), NAMES, of_sentences, with_interval),
    ),
    "systems": Table("systems", "metric", all_rows, NAMES, with_rank, with_interval),
    "differences": Table(
        *("systems, differences between metrics", "difference of r", differences, NAMES, of_systems, with_interval)
    ),
    "betas": Table(
        *("systems, the effect of beta", "r with β 2 − r with β 0.5", effects_of_beta, NAMES, of_systems, with_interval)
    ),
    "fitted": Table("the beta that fits best", "metric", grids, tuple(HELD_OUT), of_fitted, with_beta),
    "sentences": Table("sentences", "metric", all_rows, NAMES, of_sentences, with_interval),
    "sentence-differences": Table(
        *("sentences, differences between metrics", "difference of the share"),
        *(differences, NAMES, of_sentences, with_interval),
    ),
    "close": Table("close systems", "metric", all_rows, NAMES, of_close, with_range),
    "left-out": Table("without one system", "metric", all_rows, NAMES, of_left_out, with_range),
    "outliers": Table("with one system more", "metric", all_rows, tuple(OUTLIERS), of_systems, with_interval),
}


def glance(evidence: Evidence) -> ReportTable:
    """What people reward, a row for each set: the first table of the page."""
    cells = (("people", "recall"), ("people", "precision"), ("verdicts", "number of edits"))
    heads = ["judgments", "r of recall", "r of precision", "verdicts for the output with more edits"]
    rows = [[name, *(with_interval(evidence.figure(*cell, name)) for cell in cells)] for name in NAMES]
    return plain_table(heads, rows, right=frozenset(range(1, len(heads))))


def pairs_that_differ(evidence: Evidence) -> str:
    """How many of all pairs of metrics with an F differ at equal β, by Holm over all of them."""
    found: list[tuple[str, float]] = []
    for name in NAMES:
        own = evidence.judged(name)
        for beta in BETAS:
            rows = [at(row, beta) for row in WITH_F]
            for k, one in enumerate(rows):
                for other in rows[:k]:
                    low, high = sorted((one, other), key=own.r)
                    p = own.figure(high, low).p
                    found.append((f"{low.metric} < {high.metric} ({name}, β {beta:g})", 1.0 if p is None else p))
    adjusted = holm([p for _, p in found]).tolist()
    differing = [text for (text, _), p in zip(found, adjusted, strict=True) if p < ALPHA]
    count = f"{len(differing)} differ: {'; '.join(differing)}" if differing else "none differs by more than chance"
    return f"Of all {len(found)} pairs of metrics with an F (β 0.5, 1 and 2, four sets), {count}."


# --- the claims of the page ---


@dataclass(frozen=True)
class Cells:
    """Cells of a table: rows by columns. ``called`` names many, of which the page gives the lowest and the highest."""

    table: str
    rows: Sequence[str]
    columns: Sequence[str]
    called: str = ""

    def figures(self, evidence: Evidence) -> list[Figure]:
        return [evidence.figure(self.table, row, column) for row in self.rows for column in self.columns]

    def shown(self, evidence: Evidence) -> str:
        """The cells as the page names them: rows, numbers and columns."""
        figures = self.figures(evidence)
        if self.called:
            values = sorted(figure.value for figure in figures)
            return f"{self.called} {short(values[0])} to {short(values[-1])}"
        brief = (
            TABLES[self.table].text
            if self.table in ("people", "betas", "fitted", "close")
            else lambda figure: short(figure.value)
        )
        width = len(self.columns)
        rows = (
            f"{row} {', '.join(map(brief, figures[k * width : (k + 1) * width]))}" for k, row in enumerate(self.rows)
        )
        return f"{'; '.join(rows)} ({', '.join(self.columns)})"


def link(table: str) -> str:
    """A table by its number, with a link to its heading."""
    number = list(TABLES).index(table) + 1
    anchor = re.sub(r"[^\w -]", "", f"table {number}: {TABLES[table].title}").replace(" ", "-")
    return f"[table {number}](choosing-evidence.md#{anchor})"


@dataclass(frozen=True)
class Claim:
    """A sentence of the page, the cells that carry it, and what has to hold of their figures, by block of cells."""

    text: str
    cells: Sequence[Cells]
    holds: Callable[..., bool]

    def numbers(self, evidence: Evidence) -> list[list[Figure]]:
        return [cells.figures(evidence) for cells in self.cells]


def values(figures: Sequence[Figure]) -> list[float]:
    return [figure.value for figure in figures]


NOT_E = NAMES[:3]

#: The conditions leave room for a change of some hundredths.
CLAIMS = (
    Claim(
        "**SEEDA rewards finding errors and changing much.** Recall agrees with people far better than precision. Of "
        "two outputs, people mostly prefer the one with more edits: this rule agrees with more verdicts than any "
        "metric here. On SEEDA-S both differences are more than chance.",
        (
            Cells("people", ("recall", "precision"), NEW),
            Cells("people", ("recall − precision",), NEW),
            Cells("verdicts", ("number of edits", "number of edits − GLEU"), NEW),
            Cells("sentences", tuple(every()), NEW, "all metrics on SEEDA"),
        ),
        lambda parts, gaps, edits, metrics: (
            min(values(parts[:2])) > 0.8
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
            Cells("differences", tuple(row for row in against() if row.endswith("β 2")), ("SEEDA-S",), "SEEDA-S"),
            Cells("differences", tuple(row for row in against() if row.endswith("β 2")), NAMES, "all sets"),
        ),
        lambda betas, new, every_set: (
            min(values(betas)) > 0.2
            and max(map(abs, values(new))) < 0.1
            and min(figure.p for figure in every_set) > 2 * ALPHA
        ),
    ),
    Claim(
        "**GREEN needs β 2.** It counts kept words, so that its recall is not the share of the errors found. With "
        "β 0.5 or 1 it ranks the systems of GJG15 against people.",
        (
            Cells("systems", tuple(row for row in every() if row.startswith("GREEN")), ("GJG15",)),
            Cells("betas", ("GREEN", "GREEN, characters"), ("GJG15", "SEEDA-S")),
        ),
        lambda green, betas: (
            max(values([*green[:2], *green[3:5]])) < -0.05
            and min(green[2].value, green[5].value) > 0.6
            and min(own.interval.low for own in betas) > 0
        ),
    ),
    Claim(
        "**The data do not say which β is right for metrics on edits.** Fitted on three sets, its interval "
        "is very wide. Fitted on GJG15 and NSPT15, it fails on SEEDA.",
        (Cells("fitted", ("ERRANT",), NAMES), Cells("fitted", ("ERRANT",), tuple(HELD_OUT)[-1:])),
        lambda single, both: (
            all(own.interval.high >= 5 * own.interval.low for own in single) and max(both[0].beside) < 0.6
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
            Cells("close", tuple(every()), NOT_E, "all metrics, mean r"),
        ),
        lambda some, found: all(own.beside[0] < -0.2 for own in [*some, *found]),
    ),
    Claim(
        "**On single sentences every metric is often wrong.** None shares three quarters of people's verdicts. GLEU "
        "shares most on SEEDA, GoToScorer fewest on GJG15 and NSPT15.",
        (
            Cells("sentences", ("GLEU",), NEW),
            Cells("sentences", tuple(row for row in every() if row != "GLEU"), NEW, "other metrics on SEEDA"),
            Cells(
                "sentences",
                tuple(row for row in every() if "GoTo" in row),
                OLD,
                "GoToScorer on GJG15 and NSPT15",
            ),
            Cells(
                "sentences",
                tuple(row for row in every() if "GoTo" not in row),
                OLD,
                "other metrics there",
            ),
        ),
        lambda gleu, others, goto, rest: (
            max(values([*gleu, *others, *goto, *rest])) < 0.75
            and min(values(gleu)) > max(values(others)) + 0.01
            and max(values(goto)) < min(values(rest)) - 0.02
        ),
    ),
)


def claims_text(evidence: Evidence) -> str:
    """The claims as a numbered list, each with its cells."""
    lines = []
    for k, claim in enumerate(CLAIMS, 1):
        cells = (
            f"{link(table)}: {'; '.join(own.shown(evidence) for own in group)}"
            for table, group in groupby(claim.cells, key=lambda own: own.table)
        )
        lines += [f"{k}. {claim.text}", "", f"   Carried by {'; '.join(cells)}.", ""]
    return "\n".join(wrapped(line) for line in lines)


def wrapped(text: str) -> str:
    """A line of Markdown, broken at 100 characters and never in a link, with its indent."""
    indent = "   "
    held = re.sub(r"\[table \d+\]", lambda found: found[0].replace(" ", "\0"), text)
    return textwrap.fill(held, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False).replace(
        "\0", " "
    )


# --- costs ---

#: Sentences that are scored one by one.
ALONE = 200
#: Prints the most memory, in kB, of what it runs.
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def cost_table(data: Path, rows: Sequence[Row]) -> ReportTable:
    """What each metric costs on one processor, with CoNLL-2014's 1312 sentences and two references: microseconds a
    sentence to prepare the references and for each system, microseconds for a pair by itself, and the memory of
    ``geceval score``. Each in a process of its own: edits are remembered across metrics."""
    folder = data / "conll14"
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        figures = [
            [
                row.metric,
                *pool.apply(together, (folder, row.spec, row.gold)),
                pool.apply(alone, (folder, row.spec, row.gold)),
                memory(folder, row.spec, row.gold),
            ]
            for row in rows
        ]
    texts = [[name, *(f"{number:.0f}" for number in numbers)] for name, *numbers in figures]
    heads = ["metric", "references, µs a sentence", "a system, µs a sentence", "one pair alone, µs", "memory, MB"]
    return plain_table(heads, texts, right=frozenset(range(1, len(heads))))


def conll14(folder: Path, gold: bool) -> tuple[list[str], dict[str, Any], list[list[str]]]:
    """Source, references or gold edits, and the systems' outputs but for those that change nothing or drop all."""
    evidence: dict[str, Any] = {"references": [read_lines(folder / f"ref{r}.txt") for r in (0, 1)]}
    if gold:
        evidence = {"gold": list(m2.read(folder / "gold.m2"))}
    systems = [path for path in sorted((folder / "systems").glob("*.txt")) if path.stem not in ("INPUT", "NULL")]
    return read_lines(folder / "source.txt"), evidence, [read_lines(path) for path in systems]


def together(folder: Path, spec: str, gold: bool) -> tuple[float, float]:
    """Microseconds a sentence, of the processor: the references, and each of twelve systems."""
    source, evidence, outputs = conll14(folder, gold)
    start = time.process_time()
    scorer = geceval.Scorer([spec], source, **evidence, threads=1, checks=False)
    scorer.score(source)
    ready = time.process_time()
    for output in outputs:
        scorer.score(output)
    seconds = time.process_time() - ready
    return 1e6 * (ready - start) / len(source), 1e6 * seconds / len(outputs) / len(source)


def alone(folder: Path, spec: str, gold: bool) -> float:
    """Microseconds of the processor for one sentence with its references, scored by itself."""
    source, evidence, [output, *_] = conll14(folder, gold)
    [metric] = resolve_metrics([spec])

    def score(k: int) -> None:
        own = {"gold": evidence["gold"][k]} if gold else {"references": [text[k] for text in evidence["references"]]}
        metric.sentence_score(source[k], output[k], **own)

    score(ALONE)  # what is loaded once
    start = time.process_time()
    for k in range(ALONE):
        score(k)
    return 1e6 * (time.process_time() - start) / ALONE


def memory(folder: Path, spec: str, gold: bool) -> float:
    """The most memory, in MB, of ``geceval score`` of one system."""
    evidence = ["--gold", "gold.m2"] if gold else ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt"]
    score = [sys.executable, "-m", "geceval", "score", *evidence, "-c", "systems/AMU.txt", "-m", spec, "-q"]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *score], cwd=folder, capture_output=True, text=True, check=True
    )
    return int(done.stdout) / 1024


# --- the page ---


def replaced(page: str, name: str, text: str) -> str:
    """A page with the text between its markers ``<!-- begin: NAME -->`` and ``<!-- end: NAME -->`` replaced."""
    begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
    before, rest = page.split(begin)
    return before + begin + text + end + rest.split(end)[1]


def as_page(text: str) -> str:
    """A text as it stands between markers."""
    return f"\n{text.rstrip()}\n\n"


def parts(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """What stands between the markers of the page, by name."""
    for name in TABLES:
        yield name, as_page(as_markdown(evidence.table(name)))
    yield "glance", as_page(as_markdown(glance(evidence)))
    yield "pairs", as_page(textwrap.fill(pairs_that_differ(evidence), 100))
    yield "claims", as_page(claims_text(evidence))


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
            evidence = Evidence(args.data, args.replicates, [Row(spec, spec) for spec in args.metrics])
            for name in ("systems", "sentences", "close", "left-out", "outliers"):
                print(f"{name}\n{as_page(as_markdown(evidence.table(name)))}")
            return 0
        evidence = Evidence(args.data, args.replicates)
        texts = dict(parts(evidence))
        if args.costs:
            texts["costs"] = as_page(as_markdown(cost_table(args.data, METRICS)))
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
            page = replaced(page, name, text) if f"<!-- begin: {name} -->" in page else page
        path.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
