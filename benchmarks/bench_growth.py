"""Growth: how processor time grows with sentences, systems, references, tokens and edits (docs/scale.md).

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
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

from geceval.app.main import main
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import plain_table
from harness import ROOT, Limit, Options, Row

#: Each size, in multiples of the smallest.
STEPS = (1, 2, 4, 8)
#: The largest exponent in sentences and in systems.
MOST = 1.05
#: Number of sentences whose time is subtracted.
FEW = 8
PAGE = ROOT / "docs" / "scale.md"


@dataclass(frozen=True)
class Shape:
    """The size of a corpus: numbers of sentences, systems and references; tokens and edits of a sentence."""

    sentences: int
    systems: int = 2
    references: int = 1
    tokens: int = 20
    edits: int = 1


DIMENSIONS = tuple(field.name for field in fields(Shape))


@dataclass(frozen=True)
class Work:
    """A command, the smallest of its numbers of sentences (half for other dimensions), and its dimensions."""

    command: str
    sentences: int
    dimensions: tuple[str, ...] = DIMENSIONS


STUDY = ("sentences", "systems")
TEXTS = "-s source.txt -r {references} -c {systems} -o result.json"
#: The metrics that need no download, and the studies.
WORKS = {
    "green": Work(f"score -m green {TEXTS}", 16000),
    "gleu": Work(f"score -m gleu {TEXTS}", 12000),
    "maxmatch": Work("score -m maxmatch --gold gold.m2 -c {systems} -o result.json", 4000),
    "errant": Work(f"score -m errant {TEXTS}", 4000),
    "goto": Work(f"score -m goto {TEXTS}", 2000),
    "cleme": Work(f"score -m cleme {TEXTS}", 3000),
    "cleme2": Work(f"score -m cleme2 {TEXTS}", 2000),
    "spans": Work(f"score -m spans {TEXTS}", 2000),
    "false-alarms": Work(f"score -m false-alarms {TEXTS}", 2000),
    "compare": Work(f"compare -m green {TEXTS}", 1000, STUDY),
    "rank": Work(f"rank -m green {TEXTS}", 4000, STUDY),
    "meta": Work(f"meta -m green --judgments judgments.xml --numbering 0 {TEXTS}", 1500, STUDY),
    "report": Work(f"report -m green errant {TEXTS}".replace("json", "html"), 400, STUDY),
    "suite": Work("suite suite.toml -o result.json", 1000, STUDY),
}
#: Number of different sentences; more are the same ones with other numbers.
DRAWN = 1000
#: The place of the number in a sentence.
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
    """An exponent for each work and dimension. Writes the table of the page, except with --smoke."""
    table = []
    for name, work in WORKS.items():
        cells = [name]
        for dimension in DIMENSIONS[:2] if options.smoke else DIMENSIONS:
            if dimension not in work.dimensions:
                cells.append("")
                continue
            measured = times(work, dimension, options)
            found = exponent(measured)
            cells.append(f"{found:.2f}")
            note = f"exponent {found:.2f}; ms: {', '.join(f'{1000 * one:.0f}' for one in measured)}"
            limits = (Limit(found, MOST, "as exponent"),) if dimension in STUDY and not options.smoke else ()
            yield Row(f"{name}, {dimension}", measured[-1], note=note, limits=limits)
        table.append(cells)
    if not options.smoke:
        right = range(1, len(DIMENSIONS) + 1)
        text = as_markdown(plain_table(["work", *DIMENSIONS], table, right=right))
        PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")


def replaced(page: str, text: str) -> str:
    """The page with another table between its markers."""
    before, begin, rest = page.partition("<!-- begin: growth -->\n")
    _, end, after = rest.partition("<!-- end: growth -->")
    return f"{before}{begin}\n{text}\n{end}{after}"


def times(work: Work, dimension: str, options: Options) -> list[float]:
    """Processor seconds at each size, without those of the start."""
    usual = work.sentences if dimension == "sentences" else work.sentences // 2
    shape = Shape(FEW if options.smoke else usual)
    first = getattr(shape, dimension)
    shapes = [replace(shape, sentences=FEW), *(replace(shape, **{dimension: first * step}) for step in STEPS)]
    with tempfile.TemporaryDirectory() as folder:
        commands = [prepared(Path(folder) / str(at), work, own) for at, own in enumerate(shapes)]
        main(commands[0])  # imports modules and loads the annotator for all copies of this process
        runs = [[processor_seconds(command) for command in commands] for _ in range(min(options.runs, 3))]
    start, *sizes = map(statistics.median, zip(*runs, strict=True))
    return [max(own - start, 1e-4) for own in sizes]


def processor_seconds(command: list[str]) -> float:
    """What a command takes in a copy of this process, whose caches are lost."""
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
    """The slope of log time by log size, by least squares."""
    return statistics.linear_regression([math.log(step) for step in STEPS], [math.log(own) for own in seconds]).slope


def prepared(at: Path, work: Work, shape: Shape) -> list[str]:
    """Write a corpus into a new folder; return the command."""
    at.mkdir()
    columns = drawn(replace(shape, sentences=DRAWN))
    for name, lines in columns.items():
        text = "".join(lines[n % DRAWN].replace(NUMBER, str(n)) for n in range(shape.sentences))
        (at / name).write_text(JUDGMENTS.format(text) if name == "judgments.xml" else text, encoding="utf-8")
    systems, references = ([name for name in columns if name.startswith(kind)] for kind in ("system", "reference"))
    outputs = "\n".join(f'{name.partition(".")[0]} = "{name}"' for name in systems)
    (at / "suite.toml").write_text(SUITE.format(references=references, systems=outputs), encoding="utf-8")
    paths = {"{systems}": systems, "{references}": references}
    words = [name for word in work.command.split() for name in paths.get(word, [word])]
    return [str(at / word) if "." in word else word for word in [*words, "-q", "-j", "1"]]


@cache
def drawn(shape: Shape) -> dict[str, list[str]]:
    """Lines of the source, the references, the systems, the gold and the judgments by the name of their file.

    Each correction has a random half of the sentence's edits, so that corrections share edits.
    """
    draw = random.Random(0)
    words = sorted(set((ROOT / "examples" / "ref0.txt").read_text(encoding="utf-8").split()))
    references, systems = (range(shape.references), range(shape.systems))
    corrections = [*(f"reference{n}.txt" for n in references), *(f"system{n}.txt" for n in systems)]
    columns: dict[str, list[str]] = {name: [] for name in ("source.txt", *corrections, "gold.m2", "judgments.xml")}
    for _ in range(shape.sentences):
        source = [*draw.choices(words, k=shape.tokens - 1), NUMBER]
        columns["source.txt"].append(" ".join(source) + "\n")
        edits = {
            at: draw.choice(["", draw.choice(words)]) for at in draw.sample(range(shape.tokens - 1), 2 * shape.edits)
        }
        gold = f"S {' '.join(source)}\n"
        for annotator, name in enumerate(corrections):
            corrected = source.copy()
            for at in sorted(draw.sample(list(edits), shape.edits)):
                corrected[at] = edits[at]
                if annotator < shape.references:
                    gold += f"A {at} {at + 1}|||R:OTHER|||{edits[at]}|||REQUIRED|||-NONE-|||{annotator}\n"
            columns[name].append(" ".join(filter(None, corrected)) + "\n")
        columns["gold.m2"].append(f"{gold}\n")
        ranked = draw.sample(systems, min(shape.systems, RANKED))
        ranks = "".join(f'<translation rank="{draw.randint(1, 3)}" system="system{n}"/>' for n in ranked)
        item = f'<ranking-item doc-id="drawn" id="{NUMBER}" src-id="{NUMBER}" user="one">{ranks}</ranking-item>\n'
        columns["judgments.xml"].append(item)
    return columns
