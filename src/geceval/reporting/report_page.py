"""Report of a run as one HTML page without external resources."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from geceval._kernel import __version__
from geceval.base.errors import GecevalWarning, require_extra
from geceval.comparison.comparison_report import ComparisonTables, comparison_document
from geceval.comparison.comparison_results import (
    SystemScore,
    ceiling_lines,
    group_table,
    mixed_forms_lines,
    ordered,
    score_cells,
    shown_figure,
    shown_interval,
)
from geceval.comparison.output_changes import OutputChanges, change_tables, verdicts
from geceval.counting.counts import number_of
from geceval.reporting.charts import FEW, Charts, value_name
from geceval.reporting.explorer import explorer
from geceval.reporting.overview import GroupTable, Overview
from geceval.tables.charts import CEILING
from geceval.tables.pictures import CHART_STYLE
from geceval.tables.report import as_json
from geceval.tables.svg import printable
from geceval.tables.table import (
    SOURCE_NOTE,
    ReportTable,
    TableCell,
    TableColumn,
    TableRow,
    confidence,
    round_half_up,
    with_minus,
)
from geceval.text.files import SOURCE

SCHEMA = "geceval/report@2"
FILES = Path(__file__).parent / "html"
#: Files of the script, in this order.
SCRIPTS = ("data.js", "sentence.js", "explorer.js", "marks.js", "page.js")
#: Explanation of the column effect in tables of differences.
EFFECT = "effect: the difference divided by its standard deviation over bootstrap samples"
#: Number of shades in the table of agreement.
SHADES = 8


@dataclass(frozen=True)
class About:
    """Description of a report.

    Attributes:
        title: Title of the page.
        warnings: Warnings of the run.
        inputs: Description of the input files.
        changes: Names of two systems whose changes are shown, the earlier one first; empty for none.
    """

    title: str = "Evaluation of grammatical error correction"
    warnings: Sequence[str] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)
    changes: Sequence[str] = ()


def render(overview: Overview, about: About | None = None, digits: int = 2) -> str:
    """Return the page; equal input gives equal bytes.

    Raises:
        MissingExtraError: If Jinja2 is not installed.
    """
    about = about or About()
    with warnings.catch_warnings():  # the overview emitted them
        warnings.simplefilter("ignore", GecevalWarning)
        page = PageContent(overview, about, digits).content()
    values = {"page": page, "rows_of": partial(table_rows, digits=digits), "compact": compact}
    return render_page("page.html.jinja", SCHEMA, overview_document(overview, about), program(), **values)


def page_environment() -> Any:
    """Return the templates' environment; raises MissingExtraError without Jinja2."""
    with require_extra("report", "a report needs Jinja2"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    return Environment(
        loader=FileSystemLoader(FILES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )


def render_page(template: str, schema: str, document: Mapping[str, Any], script: str = "", **values: Any) -> str:
    """Return a page; equal values give equal bytes.

    Args:
        template: Name of the template.
        schema: Name of the schema of the document.
        document: The JSON document in the page.
        script: The script of the page.
        values: Further values of the template, whose charts are pairs of title and SVG element.

    Returns:
        The page as HTML.

    Raises:
        MissingExtraError: If Jinja2 is not installed.
    """
    style = "".join(path.read_text(encoding="utf-8") for path in (CHART_STYLE, FILES / "report.css"))
    return str(
        page_environment()
        .get_template(template)
        .render(
            version=__version__,
            style=style,
            script=script,
            policy=policy(script, style),
            document=in_script(as_json(schema, document, short=True)),
            **values,
        )
    )


def table_rows(table: ReportTable, digits: int) -> list[list[tuple[str, bool, bool]]]:
    """Return the rows of a table for the template.

    Each cell has its text, whether it is a number, and whether it is the best.
    """
    return [
        [
            (text, column.right, isinstance(cell, TableCell) and cell.best)
            for text, column, cell in zip(texts, table.columns, row, strict=True)
        ]
        for texts, row in zip(table.texts(digits), table.rows, strict=True)
    ]


def program() -> str:
    """Return the script of the page: all files in one block, without global names."""
    files = "".join((FILES / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return f'"use strict";\n{{\n{files}}}\n'


def policy(script: str, style: str) -> str:
    """Return a content security policy that allows only this script and this style."""

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    hashes = f"script-src {source(script)}; style-src {source(style)}"
    return f"default-src 'none'; {hashes}; base-uri 'none'; form-action 'none'"


def in_script(document: str) -> str:
    """Return JSON for a script element, escaped so that text cannot end the element."""
    return document.replace("<", "\\u003c")


def overview_document(overview: Overview, about: About) -> dict[str, Any]:
    """Return the numbers of the report as JSON values."""
    figures = {name: getattr(overview, name) for name in ("parts", "betas", "agreement")}
    tables = {kind: list(map(_group_document, getattr(overview, kind))) for kind in ("types", "lengths", "groups")}
    comparison = comparison_document(overview.comparison)
    return {"title": about.title, "inputs": about.inputs, "comparison": comparison} | figures | tables


def _group_document(table: GroupTable) -> dict[str, Any]:
    """Return a table by group as JSON values, with the numbers of CELL."""
    cells = {
        system: [None if row[group] is None else [getattr(row[group], name) for name in CELL] for group in table.groups]
        for system, row in table.cells.items()
    }
    return {
        "metric": table.metric,
        "groups": table.groups,
        "sentences": table.sentences,
        "columns": CELL,
        "cells": cells,
    }


#: Numbers of a cell of a table by group.
CELL = ("value", "found", "wrong", "missed")


class PageContent:
    """Values for the template."""

    def __init__(self, overview: Overview, about: About, digits: int) -> None:
        self.overview, self.about, self.digits = overview, about, digits
        self.comparison = overview.comparison
        self.order, self.charts = ordered(self.comparison), Charts(overview, digits)
        self.labels = {metric: self.comparison.heads[metric].label for metric in overview.metrics}

    def content(self) -> dict[str, Any]:
        tested, tables = bool(self.comparison.pairs), ComparisonTables(self.comparison)
        overview, digits, labels, charts = self.overview, self.digits, self.labels, self.charts
        content = {
            "title": self.about.title,
            "facts": self.facts(),
            "warnings": list(dict.fromkeys([*self.about.warnings, *self.comparison.warnings])),
            "confidence": confidence(self.comparison.alpha),
            "alpha": f"{self.comparison.alpha:g}",
            "ranked": tested and self.comparison.baseline is None,
            "above": mixed_forms_lines(self.comparison, overview.metrics),
            "below": ceiling_lines(self.comparison, overview.metrics),
            "guard": SOURCE_NOTE if SOURCE in overview.systems else "",
            "metrics": self.metrics(),
            "systems": overview.systems,
            "source": SOURCE,
            "colours": charts.systems.colours,
            "false_alarms": overview.false_alarms,
            "shown": [overview.systems.index(name) for name in (self.order[overview.metrics[0]] * 2)[:2]],
            "summary": self.summary(),
            "verdicts": verdicts(self.comparison, "group", digits) if tested else [],
            "pairs": [
                replace(table, legend=[*table.legend, EFFECT])
                for table in map(tables.pairs, overview.metrics if tested else [])
            ],
            "score_charts": [(labels[metric], charts.scores(metric)) for metric in overview.metrics],
            "precision_recall_charts": [
                (labels[metric], chart) for metric in overview.betas if (chart := charts.precision_recall(metric))
            ],
            "parts": [self.parts(metric) for metric, values in overview.parts.items() if any(values.values())],
            "outputs": self.outputs(),
            "bins": f"Groups of fewer than {FEW} sentences are faint.",
            "types": [self.types(table) for table in overview.types],
            "length_charts": [(labels[table.metric], charts.lengths(table)) for table in overview.lengths],
            "lengths": [self.group_table(table, "tokens") for table in overview.lengths],
            "group_charts": [(labels[table.metric], charts.groups(table)) for table in overview.groups],
            "groups": [self.group_table(table, "group") for table in overview.groups],
            "agreement": self.agreement() if len(overview.metrics) > 1 else [],
            "changes": self.changes() if self.about.changes else None,
            "signatures": [*self.comparison.signatures.values(), self.comparison.signature],
            "explorer": explorer(overview) if overview.examined else None,
        }
        return content | {"sections": self.sections(content)}

    def facts(self) -> list[tuple[str, str]]:
        systems = sum(system != SOURCE for system in self.overview.systems)
        few, many = self.overview.references
        numbers = [
            (f"{self.comparison.sentences:,}", "sentence"),
            (str(systems), "system"),
            (str(many) if few == many else f"{few}–{many}", "reference"),
            (str(len(self.overview.metrics)), "metric"),
        ]
        if self.comparison.blocks != self.comparison.sentences:
            numbers.insert(1, (f"{self.comparison.blocks:,}", "block"))
        return [(number, what if number == "1" else f"{what}s") for number, what in numbers]

    def metrics(self) -> list[dict[str, str]]:
        signatures = self.comparison.signatures
        formulas = {metric: self.comparison.heads[metric].formula for metric in self.overview.betas}
        return [
            {"label": label, "head": formulas.get(metric, label), "signature": signatures[metric]}
            for metric, label in self.labels.items()
        ]

    @staticmethod
    def sections(content: Mapping[str, Any]) -> list[tuple[str, str]]:
        keys = {
            "Summary": "summary",
            "Scores": "score_charts",
            "Precision and recall": "precision_recall_charts",
            "Types": "types",
            "Lengths": "lengths",
            "Groups": "groups",
            "Agreement": "agreement",
            "Changes": "changes",
            "Sentences": "explorer",
            "Signatures": "signatures",
        }
        return [(name.lower().replace(" and ", "-"), name) for name, key in keys.items() if content[key]]

    # --- scores ---

    def summary(self) -> list[dict[str, Any]]:
        """Return a row for each system, the best by the first metric first."""
        order = self.order[self.overview.metrics[0]]
        rows: list[dict[str, Any]] = [{"system": system, "apart": system == SOURCE, "cells": []} for system in order]
        for metric in self.overview.metrics:
            scores = {score.system: score for score in self.comparison.overall(metric)}
            values = [scores[system].value for system in order]
            cells = score_cells(self.comparison, metric, order, values)
            for system, row, cell in zip(order, rows, cells, strict=True):
                row["cells"].append(self.summary_cell(scores[system], best=cell.best))
        ceilings = {metric: self.comparison.ceiling(metric) for metric in self.overview.metrics}
        if any(ceiling is not None for ceiling in ceilings.values()):
            row_cells = [None if value is None else self.cell(metric, value) for metric, value in ceilings.items()]
            rows.append({"system": CEILING, "apart": True, "cells": row_cells})
        return rows

    def cell(self, metric: str, value: float) -> dict[str, Any]:
        """Return a cell of the summary without an interval."""
        return {"value": repr(value), "shown": shown_figure(self.comparison, metric, value, self.digits)}

    def summary_cell(self, score: SystemScore, *, best: bool) -> dict[str, Any]:
        return self.cell(score.metric, score.value) | {
            "bounds": shown_interval(self.comparison, score, self.digits).strip("[]").replace(", ", " – "),
            "first": score.rank_low == 1 and score.system not in self.comparison.uncorrected,
            "ranks": "–".join(map(ordinal, dict.fromkeys((score.rank_low, score.rank_high)))),
            "best": best,
        }

    def outputs(self) -> ReportTable | None:
        """Return the numbers of lines of each system, if they were checked."""
        outputs = {name: self.comparison.outputs.get(name) for name in self.order[self.overview.metrics[0]]}
        rows: list[TableRow] = [[name, *numbers.values()] for name, numbers in outputs.items() if numbers is not None]
        if not rows:
            return None
        heads = next(numbers for numbers in outputs.values() if numbers is not None)
        columns = [TableColumn("equal to the source" if head == "equal" else head, "count") for head in heads]
        return ReportTable([TableColumn("system"), *columns], rows, title="Lines of the outputs")

    def parts(self, metric: str) -> ReportTable:
        """Return precision, recall and other parts of the score of each system."""
        parts, percent = self.overview.parts[metric], self.comparison.in_percent
        scaled = percent(metric)
        names = list(next(iter(parts.values())))
        in_percent = {name: scaled and percent(f"{metric} {name}") for name in names}
        columns = [TableColumn(name.replace("_", " "), "figure", in_percent[name], undefined=True) for name in names]
        rows: list[TableRow] = [
            [system, *(number_of(parts[system][name]) for name in names)] for system in self.order[metric]
        ]
        return ReportTable([TableColumn("system"), *columns], rows, title=f"{self.labels[metric]}: parts")

    # --- groups ---

    def types(self, table: GroupTable) -> dict[str, Any]:
        label = self.labels[table.metric]
        charts = [(f"{label}: {system}", self.charts.types(table, system)) for system in self.overview.systems]
        return {"label": label, "charts": charts, "table": self.group_table(table, "type")}

    def group_table(self, table: GroupTable, head: str) -> ReportTable:
        """Return the scores of groups × systems, or recall if types have no score."""
        systems = self.order[table.metric]
        score = any(cell.value is not None for row in table.cells.values() for cell in row.values() if cell is not None)
        groups = []
        for group in table.groups:
            cells = [table.cells[system][group] for system in systems]
            values = [None if cell is None else cell.value if score else cell.parts.get("recall") for cell in cells]
            if any(value is not None for value in values):
                groups.append((group, values))
        name = value_name(self.overview, table.metric) if score else "recall"
        return group_table(
            self.comparison,
            table.metric,
            head,
            groups,
            systems,
            title=f"{self.labels[table.metric]} by {head}, {name}",
            sizes=[table.sentences[group] for group, _ in groups] if table.sentences else None,
        )

    def changes(self) -> dict[str, Any]:
        """Return the tables of changes, and addresses of sentences."""
        assert self.overview.examined is not None
        before, after = pair = self.about.changes
        examined = self.overview.examined.examined(pair)
        changes, scores = OutputChanges(before, after, examined), {}
        for metric, label in zip(self.overview.metrics, examined.metrics, strict=True):
            values = {score.system: score.value for score in self.comparison.overall(metric)}
            scores[label] = values[before], values[after]
        view = [("system", before), ("system", after)]
        by_difference = [*view, ("sort", "difference"), ("a", after), ("b", before)]
        examples = {}
        for name, gains in (("Largest gains", True), ("Largest losses", False)):
            numbers = [change.sentence.number for change in changes.largest(next(iter(scores)), 10, gains=gains)]
            if numbers:
                examples[name] = [(number, f"#{urlencode([('s', number), *view])}") for number in numbers]
        address = f"#{urlencode(by_difference)}"
        return {"tables": change_tables(changes, scores), "address": address, "examples": examples}

    def agreement(self) -> list[dict[str, Any]]:
        """Return correlations of metrics: below the diagonal over outputs, above systems."""
        agreement = self.overview.agreement
        rows = []
        for i, metric in enumerate(agreement.metrics):
            cells = []
            for j in range(len(agreement.metrics)):
                rho = (agreement.of_outputs if j < i else agreement.of_systems)[i][j]
                text, css = "–", "same"
                if i != j and not math.isnan(rho):
                    shade = -1 if rho < 0 else min(int(rho * SHADES), SHADES - 1)
                    text, css = with_minus(round_half_up(rho, 2)), f"heat-{shade}"
                cells.append({"shown": text, "css": css})
            rows.append({"label": self.labels[metric], "cells": cells})
        return rows


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th and so on."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def compact(document: Any) -> str:
    """Return JSON without spaces, for the script of the page."""
    return in_script(json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
