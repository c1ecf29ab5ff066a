"""How well metrics agree with people, and what they cost: the tables of docs/choosing-a-metric.md.

    python tools/choosing.py [--data ../shared/data] [-m METRIC …] [--costs] [--print]

Writes the tables between the markers of the page. Agreement is what ``geceval meta`` says, for each data set of DATA,
of all metrics that need no download, or those of ``-m``: their Pearson's r and Spearman's ρ with people's scores of the
systems, with intervals over systems, their accuracy on people's verdicts on two outputs of a sentence, with intervals
over sentences, and r in windows of systems that people find close. ``--costs`` times the metrics as well: figures of
the machine it runs on. ``--print`` prints the tables and leaves the page as it is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import geceval
from geceval.base.errors import GecevalError
from geceval.counting.scoring.scorer import resolve_metrics
from geceval.report.formats.markdown import as_markdown
from geceval.report.numbers import round_half_up
from geceval.report.table import ReportTable, plain_table
from geceval.statistics.intervals import Interval
from geceval.studies.meta.judgments import read_judgments
from geceval.studies.meta.study import MetricResult, StudyOptions, StudyResults, evaluate_metrics, make_study
from geceval.text import m2
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines

PAGE = Path(__file__).parents[1] / "docs" / "choosing-a-metric.md"
#: How many systems a window holds.
WINDOW = 4
RESAMPLES = 1000

#: The metrics that need no download: how the tables call them, their names with settings, whether they need gold edits.
METRICS = (
    ("GREEN", "green", False),
    ("GREEN, characters", "green:unit=char,n=6", False),
    ("GLEU", "gleu", False),
    ("MaxMatch", "maxmatch", True),
    ("ERRANT", "errant", False),
    ("CLEME", "cleme", False),
    ("CLEME2.0", "cleme2", False),
    ("GoToScorer", "goto", False),
    ("I-measure", "imeasure", False),
)


@dataclass(frozen=True)
class DataSet:
    """Judgments, and the outputs they are about; ``exclude`` are systems left out, ``measure`` how people's scores of
    the systems come about."""

    name: str
    judgments: str
    outputs: str
    measure: str
    exclude: Sequence[str] = ()
    judged_only: bool = False


CONLL14 = ("conll14/systems", "expected-wins", ["NULL"])
SEEDA = ("meta/seeda/all", "trueskill")
#: As each is used in the field. SEEDA's standard set leaves out the source and the two systems that rewrite most, which
#: "+" has.
DATA = (
    DataSet("GJG15", "gjg15/judgments.xml", *CONLL14),
    DataSet("NSPT15", "nspt15/all_judgments.xml", *CONLL14),
    DataSet("SEEDA-S", "seeda/judgments_sent.xml", *SEEDA, ["INPUT", "REF-F", "GPT-3.5"], True),
    DataSet("SEEDA-E", "seeda/judgments_edit.xml", *SEEDA, ["INPUT", "REF-F", "GPT-3.5"], True),
    DataSet("SEEDA-S +", "seeda/judgments_sent.xml", *SEEDA, ["INPUT"], True),
    DataSet("SEEDA-E +", "seeda/judgments_edit.xml", *SEEDA, ["INPUT"], True),
)


# --- agreement ---


@dataclass(frozen=True)
class Agreed:
    """Agreement by data set: how many systems, and the results of each metric in order."""

    systems: Mapping[str, int]
    results: Mapping[str, Sequence[MetricResult]]
    windows: Mapping[str, Sequence[Sequence[float]]] = field(default_factory=dict)


def agreement(data: Path, metrics: Sequence[tuple[str, str, bool]], sets: Sequence[DataSet], resamples: int) -> Agreed:
    """All metrics on all data sets: the references are CoNLL-2014's two texts, the gold
    edits its official ones. Raises what reading and scoring raise."""
    conll = data / "conll14"
    source, references = read_lines(conll / "source.txt"), [read_lines(conll / f"ref{r}.txt") for r in (0, 1)]
    gold = list(m2.read(conll / "gold.m2"))
    systems, results, close = {}, {}, {}
    for one in sets:
        outputs = {path.stem: read_lines(path) for path in sorted((data / one.outputs).glob("*.txt"))}
        judgments = read_judgments(data / "meta" / one.judgments)
        options = StudyOptions(measure=one.measure, resamples=resamples)
        own: dict[int, tuple[StudyResults, MetricResult]] = {}
        for needs_gold in (False, True):
            places = [k for k, metric in enumerate(metrics) if metric[2] == needs_gold]
            if places:
                corpus = Corpus(source, references, outputs, gold if needs_gold else None)
                study = make_study(judgments, corpus, exclude=one.exclude, judged_only=one.judged_only)
                found = evaluate_metrics(study, resolve_metrics([metrics[k][1] for k in places]), options)
                own |= {k: (found, result) for k, result in zip(places, found.metrics, strict=True)}
                systems[one.name] = len(study.systems)
        results[one.name] = [own[k][1] for k in range(len(metrics))]
        close[one.name] = [
            [window.agreement.pearson for window in own[k][0].windows(own[k][1], WINDOW)] for k in range(len(metrics))
        ]
    return Agreed(systems, results, close)


def with_interval(value: float, interval: Interval | None) -> str:
    """``.741 [.39, .90]``."""
    if interval is None:
        return short(value, 3)
    return f"{short(value, 3)} [{short(interval.low, 2)}, {short(interval.high, 2)}]"


def short(value: float, digits: int) -> str:
    """A number of at most 1, without its leading 0."""
    return round_half_up(value, digits).replace("0.", ".").replace("-", "−")


def agreement_tables(names: Sequence[str], agreed: Agreed) -> list[ReportTable]:
    """A row for each metric, a column for each data set: r, ρ, accuracy on pairs of outputs, r among close systems."""

    def correlation(which: str) -> Callable[[str, int], str]:
        def cell(data: str, k: int) -> str:
            result = agreed.results[data][k]
            interval = None if result.intervals is None else result.intervals.systems[which]
            return with_interval(getattr(result.agreement, which), interval)

        return cell

    def accuracy(data: str, k: int) -> str:
        result = agreed.results[data][k]
        return with_interval(result.accuracy["half"], None if result.intervals is None else result.intervals.accuracy)

    def close(data: str, k: int) -> str:
        values = agreed.windows[data][k]
        return f"{short(sum(values) / len(values), 2)} ({short(min(values), 2)} to {short(max(values), 2)})"

    parts = (
        ("Systems: Pearson's r with people, 95 % over systems", correlation("pearson")),
        ("Systems: Spearman's ρ with people, 95 % over systems", correlation("spearman")),
        (
            "Sentences: share of people's verdicts on two outputs that the metric shares, 95 % over sentences",
            accuracy,
        ),
        (f"Close systems: r in windows of {WINDOW} systems next to each other, mean (lowest to highest)", close),
    )
    heads = ["metric", *(f"{name} ({count})" for name, count in agreed.systems.items())]
    return [
        plain_table(
            heads,
            [[name, *(cell(data, k) for data in agreed.systems)] for k, name in enumerate(names)],
            right=frozenset(range(1, len(heads))),
            title=title,
        )
        for title, cell in parts
    ]


# --- costs ---

#: Sentences that are scored one by one.
ALONE = 200
#: Prints the most memory, in kB, of what it runs.
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def cost_table(data: Path, metrics: Sequence[tuple[str, str, bool]]) -> ReportTable:
    """What each metric costs on one processor, with CoNLL-2014's 1312 sentences and two references: microseconds a
    sentence to prepare the references and for each system, microseconds for a pair by itself, and the memory of
    ``geceval score``. Each in a process of its own: edits are remembered across metrics."""
    folder = data / "conll14"
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        figures = [
            [
                name,
                *pool.apply(together, (folder, spec, gold)),
                pool.apply(alone, (folder, spec, gold)),
                memory(folder, spec, gold),
            ]
            for name, spec, gold in metrics
        ]
    rows = [[name, *(f"{number:.0f}" for number in numbers)] for name, *numbers in figures]
    heads = ["metric", "references, µs a sentence", "a system, µs a sentence", "one pair alone, µs", "memory, MB"]
    return plain_table(heads, rows, right=frozenset(range(1, len(heads))))


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


def as_page(tables: Sequence[ReportTable]) -> str:
    """Tables as they stand between markers."""
    return "".join(f"\n{as_markdown(table).rstrip()}\n" for table in tables) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), metavar="FOLDER")
    parser.add_argument("-m", "--metrics", nargs="+", metavar="METRIC", help="others than those that need no download")
    parser.add_argument("--costs", action="store_true", help="time the metrics, too")
    parser.add_argument("--print", action="store_true", help="print the tables, leave the page")
    args = parser.parse_args(arguments)
    metrics = METRICS if args.metrics is None else [(spec, spec, False) for spec in args.metrics]
    warnings.simplefilter("ignore", geceval.GecevalWarning)
    try:
        parts = {
            "agreement": agreement_tables(
                [name for name, *_ in metrics], agreement(args.data, metrics, DATA, RESAMPLES)
            )
        }
        if args.costs:
            parts["costs"] = [cost_table(args.data, metrics)]
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if args.print or args.metrics is not None:
        print("".join(map(as_page, parts.values())))
        return 0
    page = PAGE.read_text(encoding="utf-8")
    for name, tables in parts.items():
        page = replaced(page, name, as_page(tables))
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
