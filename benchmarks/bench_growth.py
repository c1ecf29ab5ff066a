"""Growth of processor time with each dimension of a corpus (research/simulations.md).

Each command runs with one thread in a copy of this process at four sizes, each twice the one before. An exponent of 1
means that twice the size takes twice the time. The time of eight sentences, which the start takes, is subtracted.
"""

from __future__ import annotations

import math
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from geceval.app.main import main
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import plain_table
from harness import ROOT, Limit, Options, Row

#: Each size, in multiples of the smallest.
STEPS = (1, 2, 4, 8)
#: The largest exponent in sentences.
LARGEST_EXPONENT = 1.05
#: Number of sentences whose time is subtracted.
START_SENTENCES = 8
PAGE = ROOT / "research" / "simulations.md"


@dataclass(frozen=True)
class Shape:
    """The size of a corpus: numbers of sentences, systems, references, candidates and metrics; sizes of a sentence."""

    sentences: int
    systems: int = 2
    references: int = 1
    candidates: int = 4
    metrics: int = 1
    tokens: int = 20
    edits: int = 1


#: What grows in each dimension, with the smallest sizes; "tokens with edits" has an edit for each 20 tokens.
DIMENSIONS: Mapping[str, Mapping[str, int]] = {
    "sentences": {},
    "systems": {"systems": 6},
    "references": {"references": 1},
    "tokens": {"tokens": 20},
    "edits": {"edits": 1},
    "tokens with edits": {"tokens": 100, "edits": 5},
    "metrics": {"metrics": 1},
    "candidates": {"candidates": 4},
}
OF_METRICS = ("sentences", "systems", "references", "tokens", "edits", "tokens with edits")


@dataclass(frozen=True)
class Work:
    """A command, its smallest number of sentences (half for other dimensions), and its dimensions."""

    command: str
    sentences: int
    dimensions: tuple[str, ...] = OF_METRICS


STUDY = ("sentences", "systems")
TEXTS = "-s source.txt -r {references} -c {systems} -o result.json"
#: The metrics that need no download, and the studies.
WORKS = {
    "green": Work(f"score -m green {TEXTS}", 16000),
    "gleu": Work(f"score -m gleu {TEXTS}", 12000),
    "maxmatch": Work("score -m maxmatch --gold gold.m2 -c {systems} -o result.json", 4000),
    "errant": Work(f"score -m errant {TEXTS}", 4000),
    "net-benefit": Work(f"score -m net-benefit {TEXTS}", 4000),
    "goto": Work(f"score -m goto {TEXTS}", 2000),
    "cleme": Work(f"score -m cleme {TEXTS}", 3000),
    "cleme2": Work(f"score -m cleme2 {TEXTS}", 2000),
    "spans": Work(f"score -m spans {TEXTS}", 2000),
    "false-alarms": Work(f"score -m false-alarms {TEXTS}", 2000),
    "success": Work(f"score -m success {TEXTS}", 4000),
    "type-detection": Work(f"score -m type-detection {TEXTS}", 4000),
    "kept": Work(f"score -m kept {TEXTS}", 4000),
    "change-rate": Work(f"score -m change-rate {TEXTS}", 16000),
    "compare": Work(f"compare -m green {TEXTS}", 1000, STUDY),
    "rank": Work(f"rank -m green {TEXTS}", 4000, STUDY),
    "meta": Work(f"meta -m green --judgments judgments.xml --numbering 0 {TEXTS}", 1500, STUDY),
    "report": Work(f"report -m {{metrics}} {TEXTS}".replace("json", "html"), 400, (*STUDY, "metrics")),
    "suite": Work("suite suite.toml -o result.json", 1000, STUDY),
    "select": Work(
        "select -s source.txt -c samples.txt --per-sentence {candidates} --criterion mbr -m green -o chosen.txt",
        2000,
        ("sentences", "tokens", "candidates"),
    ),
}
#: Metrics of the report, with a mean cost for each number of them.
METRICS = [f"green:n={n}" for n in (4, 5, 3, 6, 2, 7, 1, 8)]
#: Number of different sentences; further sentences differ by a number only.
DRAWN = 1000
#: Placeholder of the number in a sentence.
NUMBER = "@"
#: The largest number of systems that are ranked at a time.
RANKED = 5
JUDGMENTS = """<appraise-results>
<error-correction-ranking-result id="drawn" source-language="err" target-language="cor">
{}</error-correction-ranking-result></appraise-results>
"""
SUITE = """
[sets.made-up]
source = "source.txt"
references = {references}
metrics = ["green", "errant"]
[sets.made-up.systems]
{systems}
"""


def rows(options: Options) -> Iterator[Row]:
    """Yield an exponent for each work and dimension; write the table of the page, except with --smoke."""
    table = []
    for name, work in WORKS.items():
        cells = [name]
        for dimension in STUDY if options.smoke else DIMENSIONS:
            if dimension not in work.dimensions:
                cells.append("")
                continue
            measured = step_seconds(work, dimension, options)
            slope = exponent(measured)
            cells.append(f"{slope:.2f}")
            note = f"exponent {slope:.2f}; ms: {', '.join(f'{1000 * seconds:.0f}' for seconds in measured)}"
            limits = (
                (Limit(slope, LARGEST_EXPONENT, "as exponent"),)
                if dimension == "sentences" and not options.smoke
                else ()
            )
            yield Row(f"{name}, {dimension}", measured[-1], note=note, limits=limits)
        table.append(cells)
    if not options.smoke:
        right = range(1, len(DIMENSIONS) + 1)
        text = as_markdown(plain_table(["work", *DIMENSIONS], table, right=right))
        PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")


def replace_table(page: str, text: str) -> str:
    """Return the page with a new table between its markers."""
    before, begin, rest = page.partition("<!-- begin: growth -->\n")
    _, end, after = rest.partition("<!-- end: growth -->")
    return f"{before}{begin}\n{text}\n{end}{after}"


def step_seconds(work: Work, dimension: str, options: Options) -> list[float]:
    """Return processor seconds at each size, without those of the start."""
    sentences = START_SENTENCES if options.smoke else work.sentences
    sizes = DIMENSIONS[dimension] or {"sentences": sentences}
    smallest = replace(Shape(sentences), **sizes)
    if dimension != "sentences":
        times_larger = max(getattr(smallest, name) // getattr(Shape(sentences), name) for name in sizes)
        smallest = replace(smallest, sentences=max(START_SENTENCES, sentences // 2 // times_larger))
    shapes = [
        replace(smallest, sentences=START_SENTENCES),
        *(replace(smallest, **{name: size * step for name, size in sizes.items()}) for step in STEPS),
    ]
    with tempfile.TemporaryDirectory() as folder:
        commands = [write_inputs(Path(folder) / str(number), work, total) for number, total in enumerate(shapes)]
        main(commands[0])  # imports modules and loads the annotator for all copies of this process
        runs = [[processor_seconds(command) for command in commands] for _ in range(min(options.runs, 3))]
    start, *at_steps = map(statistics.median, zip(*runs, strict=True))
    return [max(total - start, 1e-4) for total in at_steps]


def processor_seconds(command: list[str]) -> float:
    """Return the processor seconds of a command in a fork of this process, so that caches are discarded."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = main(command)
        finally:
            os._exit(status)
    _, status, used = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"benchmark: geceval {' '.join(command)} failed")
    return used.ru_utime + used.ru_stime


def exponent(seconds: list[float]) -> float:
    """Return the slope of log time by log size, by least squares."""
    return statistics.linear_regression(
        [math.log(step) for step in STEPS], [math.log(step_time) for step_time in seconds]
    ).slope


def write_inputs(folder: Path, work: Work, shape: Shape) -> list[str]:
    """Write a corpus into a new folder; return the command."""
    folder.mkdir()
    columns = draw_corpus(replace(shape, sentences=DRAWN))
    for name, lines in columns.items():
        text = "".join(lines[n % DRAWN].replace(NUMBER, str(n)) for n in range(shape.sentences))
        (folder / name).write_text(JUDGMENTS.format(text) if name == "judgments.xml" else text, encoding="utf-8")
    systems, references = ([name for name in columns if name.startswith(kind)] for kind in ("system", "reference"))
    outputs = "\n".join(f'{name.partition(".")[0]} = "{name}"' for name in systems)
    (folder / "suite.toml").write_text(SUITE.format(references=references, systems=outputs), encoding="utf-8")
    words_of = {
        "{systems}": systems,
        "{references}": references,
        "{metrics}": METRICS[: shape.metrics],
        "{candidates}": [str(shape.candidates)],
    }
    words = [name for word in work.command.split() for name in words_of.get(word, [word])]
    return [str(folder / word) if "." in word else word for word in [*words, "-q", "-j", "1"]]


@cache
def draw_corpus(shape: Shape) -> dict[str, list[str]]:
    """Return lines of source, references, systems, gold and judgments by file name.

    Each correction has a random half of the sentence's edits, so that corrections share edits.
    """
    generator = random.Random(0)
    words = sorted(set((ROOT / "examples" / "ref0.txt").read_text(encoding="utf-8").split()))
    references, systems = (range(shape.references), range(shape.systems))
    corrections = [*(f"reference{n}.txt" for n in references), *(f"system{n}.txt" for n in systems)]
    columns: dict[str, list[str]] = {
        name: [] for name in ("source.txt", *corrections, "samples.txt", "gold.m2", "judgments.xml")
    }
    for _ in range(shape.sentences):
        source = [*generator.choices(words, k=shape.tokens - 1), NUMBER]
        columns["source.txt"].append(" ".join(source) + "\n")
        edits = {
            position: generator.choice(["", generator.choice(words)])
            for position in generator.sample(range(shape.tokens - 1), 2 * shape.edits)
        }
        gold = f"S {' '.join(source)}\n"
        for annotator, name in enumerate(corrections):
            corrected = source.copy()
            for position in sorted(generator.sample(list(edits), shape.edits)):
                corrected[position] = edits[position]
                if annotator < shape.references:
                    gold += (
                        f"A {position} {position + 1}|||R:OTHER|||{edits[position]}|||REQUIRED|||-NONE-|||{annotator}\n"
                    )
            columns[name].append(" ".join(filter(None, corrected)) + "\n")
        columns["gold.m2"].append(f"{gold}\n")
        samples = (generator.sample(range(shape.tokens - 1), shape.edits) for _ in range(shape.candidates))
        changed = ({position: generator.choice(words) for position in sample} for sample in samples)
        lines = (" ".join(edit.get(n, word) for n, word in enumerate(source)) for edit in changed)
        columns["samples.txt"].append("".join(f"{line}\n" for line in lines))
        ranked = generator.sample(systems, min(shape.systems, RANKED))
        ranks = "".join(f'<translation rank="{generator.randint(1, 3)}" system="system{n}"/>' for n in ranked)
        item = f'<ranking-item doc-id="drawn" id="{NUMBER}" src-id="{NUMBER}" user="one">{ranks}</ranking-item>\n'
        columns["judgments.xml"].append(item)
    return columns
