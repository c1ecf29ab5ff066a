"""The report of a run as one page of HTML, which needs no network: what stands in it, as the template reads it."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from geceval._kernel import __version__
from geceval.base.errors import MissingExtraError, installing
from geceval.report.charts import length_chart, precision_recall_chart, score_chart, type_chart, value_name
from geceval.report.comparison import comparison_dict, pair_table
from geceval.report.documents import as_json
from geceval.report.explorer import explorer
from geceval.report.layout import (
    BY_SCORE,
    Layout,
    interval,
    label_of,
    ordered,
    overall,
    shown_figure,
    shown_group,
    sign_of,
)
from geceval.report.numbers import round_half_up
from geceval.report.scores import SOURCE_NOTE, best_cells, confidence, minus, with_formula
from geceval.report.svg import drawing, printable
from geceval.report.tables import Table
from geceval.report.words import verdicts
from geceval.studies.comparison.comparison_results import SystemScore
from geceval.studies.explaining.overview import GroupTable, Overview
from geceval.text.source_row import SOURCE

SCHEMA = "geceval/report@1"
FILES = Path(__file__).parent / "html"
#: The page's program, in this order.
SCRIPTS = ("data.js", "state.js", "sentence.js", "evidence.js", "explorer.js", "page.js")
#: Shades of the table of agreement.
SHADES = 8


@dataclass(frozen=True)
class About:
    """What a report says of itself: its ``title``, what was warned of, and the files of the run."""

    title: str = "Evaluation of grammatical error correction"
    warnings: Sequence[str] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Chart:
    """A figure: its SVG, None if there is nothing to draw, and what stands above it."""

    title: str
    svg: Any


def required() -> None:
    """Raises MissingExtraError without Jinja2 or matplotlib."""
    _environment()
    with drawing():
        pass


def render(overview: Overview, about: About | None = None, digits: int = 2) -> str:
    """The page; the same input gives the same bytes. Raises MissingExtraError without Jinja2 or matplotlib."""
    about = about or About()
    environment = _environment()
    script = program()
    style = (FILES / "report.css").read_text(encoding="utf-8")
    with drawing():
        page = _Page(overview, about, digits).content()
    safe = environment.filters["safe"]
    explorer = page["explorer"]
    return str(
        environment.get_template("page.html.jinja").render(
            page=page,
            style=safe(style),
            script=safe(script),
            policy=policy(script, style),
            report=safe(in_script(as_json(SCHEMA, overview_dict(overview, about), short=True))),
            type_charts=safe(compact([[[one.title, one.svg] for one in own["charts"]] for own in page["types"]])),
            sentences=safe(compact(explorer.data)) if explorer else "",
            evidence=safe(compact(explorer.evidence)) if explorer else "",
        )
    )


def _environment() -> Any:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingExtraError("a report needs Jinja2", hint=installing("report")) from None
    return Environment(
        loader=FileSystemLoader(FILES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )


def program() -> str:
    """The page's program: its files in a block, so that nothing of it is global."""
    files = "".join((FILES / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return f'"use strict";\n{{\n{files}}}\n'


def policy(script: str, style: str) -> str:
    """The content security policy: this script and this style alone, and nothing from anywhere."""

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    own = f"script-src {source(script)}; style-src {source(style)}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def in_script(document: str) -> str:
    """JSON that can stand in a script element: none of its text can end or comment the element."""
    return document.replace("<", "\\u003c")


def overview_dict(overview: Overview, about: About) -> dict[str, Any]:
    """The numbers of the report as JSON has them."""
    return {
        "title": about.title,
        "inputs": about.inputs,
        "comparison": comparison_dict(overview.comparison),
        "parts": overview.parts,
        "betas": overview.betas,
        "types": overview.types,
        "lengths": overview.lengths,
        "groups": overview.groups,
        "agreement": overview.agreement,
    }


class _Page:
    """What the template reads."""

    def __init__(self, overview: Overview, about: About, digits: int) -> None:
        self.overview, self.about, self.digits = overview, about, digits
        self.comparison = overview.comparison
        self.order = ordered(self.comparison, BY_SCORE)
        self.labels = {metric: label_of(self.comparison, metric) for metric in overview.metrics}

    def content(self) -> dict[str, Any]:
        tested = bool(self.comparison.pairs)
        guard = SOURCE in self.overview.systems
        content = {
            "version": __version__,
            "title": self.about.title,
            "facts": self.facts(),
            "warnings": list(dict.fromkeys([*self.about.warnings, *self.comparison.warnings])),
            "confidence": confidence(self.comparison.alpha),
            "alpha": f"{self.comparison.alpha:g}",
            "ranked": tested and self.comparison.baseline is None,
            "guard": SOURCE_NOTE if guard else "",
            "metrics": self.metrics(),
            "systems": self.overview.systems,
            "shown": [self.overview.systems.index(name) for name in (self.order(self.overview.metrics[0]) * 2)[:2]],
            "summary": self.summary(),
            "verdicts": verdicts(self.comparison, Layout(digits=self.digits)) if tested else [],
            "pairs": self.pairs(),
            "score_charts": [self.chart(metric, score_chart) for metric in self.overview.metrics],
            "precision_recall_charts": [self.chart(m, precision_recall_chart) for m in self.overview.betas],
            "parts": [self.parts(metric) for metric in self.overview.metrics if self.has_parts(metric)],
            "types": [self.types(table) for table in self.overview.types],
            "length_charts": [self.length_chart(table) for table in self.overview.lengths],
            "lengths": [self.group_table(table, "tokens") for table in self.overview.lengths],
            "groups": [self.group_table(table, "group") for table in self.overview.groups],
            "agreement": self.agreement() if len(self.overview.metrics) > 1 else [],
            "signatures": [*self.comparison.signatures.values(), self.comparison.signature],
            "explorer": explorer(self.overview) if self.overview.examined else None,
        }
        return content | {"sections": self.sections(content)}

    def facts(self) -> list[tuple[str, str]]:
        systems = sum(system != SOURCE for system in self.overview.systems)
        numbers = [
            (f"{self.comparison.sentences:,}", "sentence"),
            (str(systems), "system"),
            (self.references(), "reference"),
            (str(len(self.overview.metrics)), "metric"),
        ]
        if self.comparison.blocks != self.comparison.sentences:
            numbers.insert(1, (f"{self.comparison.blocks:,}", "block"))
        return [(number, what if number == "1" else f"{what}s") for number, what in numbers]

    def references(self) -> str:
        few, many = self.overview.references
        return str(many) if few == many else f"{few}–{many}"

    def metrics(self) -> list[dict[str, str]]:
        signatures = self.comparison.signatures
        return [
            {"label": label, "head": self.head(metric), "signature": signatures[metric]}
            for metric, label in self.labels.items()
        ]

    def head(self, metric: str) -> str:
        """ERRANT F₀.₅ where the score is an F."""
        label = self.labels[metric]
        return with_formula(label, self.comparison.signatures[metric]) if metric in self.overview.betas else label

    @staticmethod
    def sections(content: Mapping[str, Any]) -> list[tuple[str, str]]:
        named = {
            "Summary": "summary",
            "Scores": "score_charts",
            "Precision and recall": "precision_recall_charts",
            "Types": "types",
            "Lengths": "lengths",
            "Groups": "groups",
            "Agreement": "agreement",
            "Sentences": "explorer",
            "Signatures": "signatures",
        }
        anchors = {"Precision and recall": "precision-recall"}
        return [(anchors.get(name, name.lower()), name) for name, key in named.items() if content[key]]

    # --- scores ---

    def figure(self, metric: str, value: float) -> str:
        return shown_figure(self.comparison, metric, value, self.digits)

    def summary(self) -> list[dict[str, Any]]:
        """A row for each system, the best by the first metric on top."""
        own = {
            (score.metric, score.system): score for m in self.overview.metrics for score in overall(self.comparison, m)
        }
        metrics, order = self.overview.metrics, self.order(self.overview.metrics[0])
        signs = [sign_of(self.comparison, metric) for metric in metrics]
        # The unchanged source stands last.
        values = [
            [sign * own[metric, system].value for sign, metric in zip(signs, metrics, strict=True)]
            for system in order
            if system != SOURCE
        ]
        best = best_cells(values, range(len(metrics)))
        return [
            {
                "system": system,
                "apart": system == SOURCE,
                "cells": [
                    self.summary_cell(own[metric, system], best=(row, column) in best)
                    for column, metric in enumerate(metrics)
                ],
            }
            for row, system in enumerate(order)
        ]

    def summary_cell(self, score: SystemScore, *, best: bool) -> dict[str, Any]:
        return {
            "value": repr(score.value),
            "shown": self.figure(score.metric, score.value),
            "bounds": interval(self.comparison, score, self.digits).strip("[]").replace(", ", " – "),
            "first": score.rank_low == 1,
            "ranks": str(score.rank_low)
            if score.rank_low == score.rank_high
            else f"{score.rank_low}–{score.rank_high}",
            "best": best,
        }

    def pairs(self) -> list[Table]:
        if not self.comparison.pairs:
            return []
        layout = Layout(digits=self.digits)
        return [pair_table(self.comparison, metric, self.order(metric), layout) for metric in self.overview.metrics]

    def has_parts(self, metric: str) -> bool:
        return any(self.overview.parts[metric].values())

    def parts(self, metric: str) -> Table:
        """Precision, recall and the like of every system."""
        parts = self.overview.parts[metric]
        names = list(next(iter(parts.values())))
        rows = [
            [system, *(self.figure(metric, parts[system][name]) for name in names)] for system in self.order(metric)
        ]
        heads = ["system", *(name.replace("_", " ") for name in names)]
        return Table(heads, rows, (), frozenset(range(1, len(heads))), f"{self.labels[metric]}: parts")

    def chart(self, metric: str, draw: Callable[[Overview, str, int], str]) -> Chart:
        return Chart(self.labels[metric], self.safe(draw(self.overview, metric, self.digits)))

    @staticmethod
    def safe(svg: str) -> Any:
        from markupsafe import Markup

        return Markup(svg)  # what is text in it was escaped when it was written

    # --- groups ---

    def types(self, table: GroupTable) -> dict[str, Any]:
        label = self.labels[table.metric]
        charts = []
        for system in self.overview.systems:
            svg = type_chart(self.overview, table, system)
            title = f"{label}: {system}"
            charts.append(Chart(title, None if svg is None else self.safe(svg)))
        return {"label": label, "charts": charts, "table": self.group_table(table, "type")}

    def length_chart(self, table: GroupTable) -> Chart:
        return Chart(self.labels[table.metric], self.safe(length_chart(self.overview, table)))

    def group_table(self, table: GroupTable, head: str) -> Table:
        """Groups × systems: the score, or where types give none the recall."""
        systems, sizes = self.order(table.metric), table.sentences or {}
        score = any(cell.value is not None for own in table.cells.values() for cell in own.values() if cell is not None)
        rows, values = [], []
        for group in table.groups:
            there = [table.cells[system][group] for system in systems]
            own = [None if cell is None else cell.value if score else cell.parts.get("recall") for cell in there]
            if all(value is None for value in own):
                continue  # what is of no kind
            values.append(own)
            cells = ["" if value is None else self.figure(table.metric, value) for value in own]
            rows.append([shown_group(group), *([f"{sizes[group]:,}"] if sizes else []), *cells])
        first = 2 if sizes else 1
        heads = [head, *(["sentences"] if sizes else []), *systems]
        name = value_name(self.overview, table.metric) if score else "recall"
        title = f"{self.labels[table.metric]} by {head}, {name}"
        best = self._best(values, table.metric, first)
        return Table(heads, rows, (), frozenset(range(1, len(heads))), title, (), best)

    def _best(self, values: Sequence[Sequence[float | None]], metric: str, first: int) -> frozenset[tuple[int, int]]:
        """The best system of every group, if there are several."""
        sign = sign_of(self.comparison, metric)
        columns = [[-math.inf if value is None else sign * value for value in own] for own in values]
        turned = best_cells(list(zip(*columns, strict=True)), range(len(values)))
        return frozenset((row, first + system) for system, row in turned if values[row][system] is not None)

    def agreement(self) -> list[dict[str, Any]]:
        """The matrix: below the diagonal over outputs, above it over systems."""
        found = self.overview.agreement
        rows = []
        for i, metric in enumerate(found.metrics):
            cells = []
            for j in range(len(found.metrics)):
                rho = (found.of_outputs if j < i else found.of_systems)[i][j]
                same = i == j or math.isnan(rho)
                shade = -1 if not same and rho < 0 else 0 if same else min(int(rho * SHADES), SHADES - 1)
                text = "–" if same else minus(round_half_up(rho, 2))
                cells.append({"shown": text, "css": "same" if same else f"heat-{shade}"})
            rows.append({"label": self.labels[metric], "cells": cells})
        return rows


def compact(document: Any) -> str:
    """JSON in as few bytes as can be, for the page's own program."""
    return in_script(json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
