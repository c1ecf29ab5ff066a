"""Page that lists reports of one folder, with their scores over time."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from geceval.base.errors import InputError
from geceval.report.numbers import shown
from geceval.report.page.charts import COLOURED, shortened
from geceval.report.page.report_page import SCHEMA, render_page
from geceval.report.page.svg import LINE, Drawing, Point, Scale, line, mark, spread
from geceval.text.files import SOURCE

RUNS_SCHEMA = "geceval/runs@1"
#: Schemas of reports that an index can contain; geceval 0.2.0 wrote the first.
READABLE = ("geceval/report@1", SCHEMA)
#: The JSON in a report, and in a page of reports.
_DOCUMENT = re.compile(r'<script type="application/json" id="(report|runs)">(.*?)</script>', re.DOTALL)
#: Size of a chart, and its margins.
WIDTH, HEIGHT, LEFT, RIGHT = 360.0, 170.0, 50.0, 100.0


@dataclass(frozen=True)
class ReportedRun:
    """The scores that a report carries.

    Attributes:
        file: Name of the file in its folder.
        title: Title of the report.
        version: Version of geceval that wrote it.
        sentences: Number of sentences.
        scores: Score of each system, without the unchanged source, by metric.
        signatures: Signatures of the metrics.
        in_percent: Metrics whose scores are shown times 100.
        lower: Metrics whose lower scores are better.
    """

    file: str
    title: str
    version: str
    sentences: int
    scores: Mapping[str, Mapping[str, float]]
    signatures: Mapping[str, str]
    in_percent: Mapping[str, bool]
    lower: Sequence[str]

    def best(self, metric: str) -> str | None:
        """Return the system with the best score; None without scores of the metric."""
        scores = self.scores.get(metric, {})
        return (min if metric in self.lower else max)(scores, key=scores.__getitem__, default=None)

    def shown(self, metric: str, system: str) -> str:
        """Return a score as text."""
        return shown(self.scores[metric][system], 2, self.in_percent[metric])

    def is_comparable(self, other: ReportedRun, metric: str) -> bool:
        """Return whether two reports have the same signature and number of sentences."""
        return (self.sentences, self.signatures.get(metric)) == (other.sentences, other.signatures.get(metric))


def read_runs(folder: Path) -> tuple[list[ReportedRun], list[str]]:
    """Return the reports of a folder by name, and the names of other pages.

    Numbers in names are compared as numbers. Pages of reports are left out.

    Raises:
        InputError: If the folder cannot be read or has no report.
    """
    if not folder.is_dir():
        raise InputError("is not a folder", path=folder)
    runs, others = [], []
    for path in sorted(folder.glob("*.html"), key=lambda path: _natural(path.name)):
        found = _DOCUMENT.search(path.read_text(encoding="utf-8", errors="replace"))
        if found is None:
            others.append(path.name)
        elif found[1] == "report":
            runs.append(_run(path, found[2]))
    if not runs:
        raise InputError("has no report", path=folder, hint="geceval report … -o FOLDER/NAME.html writes one")
    return runs, others


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _run(path: Path, document: str) -> ReportedRun:
    try:
        report = json.loads(document)
        if report["schema"] not in READABLE:
            raise InputError(f"has the schema {report['schema']}, not {SCHEMA}", path=path)
        comparison = report["comparison"]
        scores: dict[str, dict[str, float]] = {}
        for row in comparison["systems"]:
            if row["group"] is None and row["system"] != SOURCE:
                scores.setdefault(row["metric"], {})[row["system"]] = row["value"]
        in_percent = {metric: metric not in comparison["not_in_percent"] for metric in scores}
        facts = (report["version"], comparison["sentences"], scores, comparison["signatures"], in_percent)
        return ReportedRun(path.name, report["title"], *facts, comparison["lower_is_better"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"is no complete report: {error!r}", path=path) from None


def render_runs(runs: Sequence[ReportedRun], folder: str = "") -> str:
    """Return the page; equal reports give equal bytes.

    Args:
        runs: The reports.
        folder: Path from the page to the reports, with a slash at the end.
    """
    colours = _colours(runs)
    metrics = list(dict.fromkeys(metric for run in runs for metric in run.scores))
    return render_page(
        "runs.html.jinja",
        RUNS_SCHEMA,
        {"runs": [vars(run) for run in runs]},
        runs=[(quote(folder + run.file), run) for run in runs],
        metrics=metrics,
        charts=[(metric, _chart(f"runs-{at}", runs, metric, colours)) for at, metric in enumerate(metrics)],
    )


def _chart(name: str, runs: Sequence[ReportedRun], metric: str, colours: Mapping[str, str]) -> str:
    """Return the scores of a metric over the reports as an SVG element.

    There is a line for each system that several reports have, and one for the best score. Lines break where signatures
    or numbers of sentences differ.
    """
    values = [value for run in runs for value in run.scores.get(metric, {}).values()]
    across = Scale(0, max(len(runs) - 1, 1), LEFT, WIDTH - RIGHT)
    along = Scale(min(values), max(values), HEIGHT - LINE, LINE)
    drawing, ends = Drawing(name, WIDTH, HEIGHT), []
    for system, kind in ("", "best"), *colours.items():
        points: list[Point] = []
        for connected in _lines(runs, metric, system):
            points = [(across(place), along(value)) for place, value in connected]
            drawing.shape(line(*points), f"{kind} trend")
            for point, (place, _) in zip(points, connected, strict=True):
                run = runs[int(place)]
                own = system or run.best(metric) or ""
                drawing.shape(mark(*point, 0), f"{kind} mark", f"{run.file}: {own} {run.shown(metric, own)}")
        if system and points:
            ends.append((points[-1][1], system))
    for value in dict.fromkeys((along.high, along.low)):
        text = shown(value, 2, next(run.in_percent[metric] for run in runs if metric in run.in_percent))
        drawing.text(LEFT - 10, along(value) + 4, text, "end quiet")
    heights = spread((height for height, _ in sorted(ends)), LINE)
    for height, (_, system) in zip(heights, sorted(ends), strict=True):
        drawing.text(WIDTH - RIGHT + 10, height + 4, shortened(system), f"{colours[system]} name")
    drawing.height = max([HEIGHT, *(height + LINE for height in heights)])
    described = "Hover over a point to see its report, system and score; the tables below have all scores."
    return drawing.element(f"{metric}: scores from {runs[0].file} to {runs[-1].file}", described)


def _colours(runs: Sequence[ReportedRun]) -> dict[str, str]:
    """Return the class of each system that several reports have."""
    counts = Counter(name for run in runs for name in dict.fromkeys(chain.from_iterable(run.scores.values())))
    several = [name for name, count in counts.items() if count > 1]
    return {name: f"s{at % COLOURED + 1}" for at, name in enumerate(several)}


def _lines(runs: Sequence[ReportedRun], metric: str, system: str) -> Iterator[list[Point]]:
    """Yield connected points (report, score) of a system, or of the best systems."""
    line: list[Point] = []
    last: ReportedRun | None = None
    for place, run in enumerate(runs):
        name = system or run.best(metric)
        if name is None or name not in run.scores.get(metric, {}):
            continue
        if last is not None and not run.is_comparable(last, metric):
            yield line
            line = []
        line.append((place, run.scores[metric][name]))
        last = run
    if line:
        yield line
