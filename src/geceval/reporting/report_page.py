"""Report of a run as one HTML page without external resources, or as a summary."""

from __future__ import annotations

import base64
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from statistics import fmean, pstdev
from typing import Any
from urllib.parse import urlencode

from geceval.base.errors import GecevalWarning
from geceval.comparison.comparison_report import comparison_document
from geceval.comparison.comparison_tables import ComparisonTables
from geceval.comparison.output_changes import OutputChanges, change_tables
from geceval.comparison.verdicts import verdicts
from geceval.counting.scores import number_of
from geceval.reporting.charts import FEW, Charts, value_name
from geceval.reporting.explorer import Explorer, compact_json, compressed
from geceval.reporting.overview import GroupTable, Overview
from geceval.reporting.page_template import program, render_page, table_rows
from geceval.resampling.system_tables import group_table, ordered, shown_figure, shown_with_interval
from geceval.tables.file_formats import as_markdown
from geceval.tables.number_text import round_half_up, with_minus
from geceval.tables.svg import printable
from geceval.tables.table import (
    SOURCE_NOTE,
    FilledColumns,
    ReportTable,
    TableColumn,
    TableRow,
    column_table,
    table_columns,
)
from geceval.text.files import SOURCE

SCHEMA = "geceval/report@2"
#: Explanation of the column effect in tables of differences.
EFFECT = "effect: the difference divided by its standard deviation over bootstrap samples"
#: Number of shades in the table of agreement, and smallest number of systems whose order is compared.
SHADES, FEW_SYSTEMS = 8, 4
#: Number of sentences in lists of notable ones, and of rows in tables of substitutions.
NOTABLE, SUBSTITUTIONS = 10, 12
#: Counts of an output's lines in the summary, with their heads, and explanations of columns.
LINE_COUNTS = {"equal": "unchanged", "empty": "empty", "refusals": "refused"}
EXPLANATIONS = {
    "ranks": "ranks: range of ranks consistent with the tests of all pairs",
    "false alarms": "false alarms: sentences that the system changes and no reference does",
    "refused": "unchanged, empty, refused: numbers of output lines",
    "cost": "cost: mean per sentence",
    "latency": "latency: mean per sentence, in seconds",
}
#: Identifiers of the sections.
SECTIONS = (
    "summary examples types scores precision-recall cost lengths groups agreement changes sentences signatures"
).split()


@dataclass(frozen=True)
class PageFacts:
    """Description of a report.

    Attributes:
        title: Title of the page.
        warnings: Warnings of the run.
        inputs: Description of the input files.
        changes: Names of two systems whose changes are shown, the earlier one first; empty for none.
        expenses: Mean cost or latency per sentence by name of the column and system.
    """

    title: str = "Evaluation of grammatical error correction"
    warnings: Sequence[str] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)
    changes: Sequence[str] = ()
    expenses: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def render(overview: Overview, about: PageFacts | None = None, digits: int = 2) -> str:
    """Return the page; equal input gives equal bytes.

    Raises:
        MissingExtraError: If Jinja2 is not installed.
    """
    return ReportPage(overview, about or PageFacts(), digits).page()


def overview_document(overview: Overview, about: PageFacts) -> dict[str, Any]:
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


class ReportPage:
    """The page of an overview, and its summary.

    Args:
        overview: The results.
        about: Title, warnings and inputs.
        digits: Number of decimals of scores.
    """

    def __init__(self, overview: Overview, about: PageFacts, digits: int) -> None:
        self.overview, self.about, self.digits = overview, about, digits
        self.comparison, self.metrics = overview.comparison, overview.metrics
        self.order, self.charts = ordered(self.comparison), Charts(overview, digits)
        #: Names of the systems, the best by the first metric first.
        self.systems = [name for name in self.order[self.metrics[0]] if name != SOURCE]
        self.tables, self.is_tested = ComparisonTables(self.comparison), bool(self.comparison.pairs)
        self.labels = {metric: self.comparison[metric].label for metric in self.metrics}

    def page(self) -> str:
        """Return the page with its data."""
        data = {name: base64.b64encode(content).decode() for name, content in self.data.items()}
        with warnings.catch_warnings():  # the overview emitted them
            warnings.simplefilter("ignore", GecevalWarning)
            content, document = self.content(), overview_document(self.overview, self.about)
        values = {"page": content, "rows_of": partial(table_rows, digits=self.digits), "data": data}
        return render_page("page.html.jinja", SCHEMA, document, program(), **values)

    def markdown(self) -> str:
        """Return the results in words and the tables of scores."""
        lines = [f"# {self.about.title}", *self.headline()]
        tables = [replace(table, notes=()) for table in self.summary()]
        lines += [as_markdown(table, self.digits).rstrip("\n") for table in tables]
        lines += ["\n".join(f"- {line}" for line in texts) for texts in (self.verdicts, self.warnings) if texts]
        return "\n\n".join(lines) + "\n"

    @cached_property
    def explorer(self) -> Explorer | None:
        """The sentences of the page, if any."""
        return Explorer(self.overview, self.overview.examined) if self.overview.examined else None

    @cached_property
    def data(self) -> dict[str, bytes]:
        """The documents that the script reads, by name, as compressed JSON."""
        data = {"charts": compressed([compact_json(self.type_charts)])} if self.overview.types else {}
        if self.explorer is None:
            return data
        return data | {
            "sentences": compressed([compact_json(self.explorer.document())]),
            "evidence": self.explorer.evidence,
        }

    def content(self) -> dict[str, Any]:
        """Return the values for the template."""
        overview, labels, charts = self.overview, self.labels, self.charts
        content = {
            "title": self.about.title,
            "facts": self.facts(),
            "headline": self.headline(),
            "warnings": self.warnings,
            "summary": self.summary(),
            "verdicts": self.verdicts,
            "examples": self.notable(),
            "metrics": list(labels.values()),
            "systems": overview.systems,
            "source": SOURCE,
            "colours": charts.systems.colours,
            "shown": [overview.systems.index(name) for name in (self.systems * 2)[:2]],
            "scores": [(labels[metric], charts.scores(metric)) for metric in self.metrics],
            "score_tables": {label: self.score_tables(metric) for metric, label in labels.items()},
            "precision-recall": [
                (labels[metric], chart) for metric in overview.betas if (chart := charts.precision_recall(metric))
            ],
            "cost": [(labels[metric], chart) for metric in self.metrics if (chart := charts.decisions(metric))],
            "bins": f"Groups of fewer than {FEW} sentences are faint.",
            "types": [
                {"label": labels[table.metric], "charts": table_charts, "table": self.group_table(table, "type")}
                for table, table_charts in zip(overview.types, self.type_charts, strict=True)
            ],
            "totals_differ": overview.references[1] > 1,
            "substitutions": self.substitutions(),
            "length_charts": [(labels[table.metric], charts.lengths(table)) for table in overview.lengths],
            "lengths": [self.group_table(table, "tokens") for table in overview.lengths],
            "group_charts": [(labels[table.metric], charts.groups(table)) for table in overview.groups],
            "groups": [self.group_table(table, "group") for table in overview.groups],
            "size": self.tables.size,
            "agreement": self.agreement() if len(self.metrics) > 1 else [],
            "few_systems": FEW_SYSTEMS if len(self.systems) < FEW_SYSTEMS else None,
            "changes": self.changes() if self.about.changes else None,
            "signatures": [*self.comparison.signatures.values(), self.comparison.signature],
            "sentences": self.explorer,
        }
        return content | {"sections": [name for name in SECTIONS if content.get(name)]}

    def facts(self) -> list[tuple[str, str]]:
        few, many = self.overview.references
        numbers = [
            (f"{self.comparison.sentences:,}", "sentence"),
            (str(len(self.systems)), "system"),
            (str(many) if few == many else f"{few}–{many}", "reference"),
            (str(len(self.metrics)), "metric"),
        ]
        if self.comparison.blocks != self.comparison.sentences:
            numbers.insert(1, (f"{self.comparison.blocks:,}", "block"))
        return [(number, what if number == "1" else f"{what}s") for number, what in numbers]

    def shown(self, value: float) -> str:
        """Return a score under the first metric as text."""
        return shown_figure(self.comparison[self.metrics[0]], value, self.digits)

    # --- summary ---

    @property
    def warnings(self) -> list[str]:
        """Warnings of the run and of the comparison."""
        return list(dict.fromkeys([*self.about.warnings, *self.comparison.warnings]))

    @property
    def verdicts(self) -> list[str]:
        """The results of the tests in words."""
        return verdicts(self.comparison, "group", self.digits) if self.is_tested else []

    def headline(self) -> list[str]:
        """Return which systems are best, whether this is certain, and what the best changes without need."""
        results: dict[str, list[str]] = {}
        for metric, label in self.labels.items():
            results.setdefault(self.result(metric), []).append(label)
        lines = [f"{', '.join(labels)}: {result}" for result, labels in results.items()]
        if self.systems[0] in self.overview.false_alarms:
            changed, correct = self.overview.false_alarms[self.systems[0]]
            lines.append(f"{self.systems[0]} changes {changed} of the {correct} sentences that need no correction.")
        if self.systems[0] in self.overview.kept:
            unchanged, due = self.overview.kept[self.systems[0]]
            texts = f"{unchanged} of the {due} numbers, dates, addresses, codes and quotations"
            lines.append(f"{self.systems[0]} keeps {texts} that no reference changes.")
        return lines

    def result(self, metric: str) -> str:
        """Return the result of the tests under a metric as a sentence."""
        comparison, compared, baseline = self.comparison, self.comparison[metric], self.comparison.baseline
        scores = [score for score in compared.best_first if score.system != SOURCE]
        undefined = [score.system for score in scores if math.isnan(score.value)]
        if len(undefined) == len(scores) or baseline in undefined:
            return f"the score has no value for {', '.join(undefined)}."
        best, *rest = [score for score in scores if score.system not in undefined]
        if not self.is_tested:
            return f"{best.system} scores {shown_with_interval(compared, best.value, best, self.digits)}."
        if compared.is_description:
            score = shown_with_interval(compared, best.value, best, self.digits)
            return f"{best.system} has the highest score, {score}, which is neither good nor bad."
        if baseline is not None:
            pairs = [compared.from_the_better(pair) for pair in compared.pairs if comparison.is_shown(pair)]
            better = ", ".join(pair.a for pair in pairs if pair.b == baseline) or "no system"
            worse = ", ".join(pair.b for pair in pairs if pair.a == baseline) or "no system"
            return f"{better} is shown to be better than {baseline}, {worse} to be worse."
        if not rest:
            return f"{best.system} is the only system with a score."
        form = compared.form(best.system)
        of_form = [score for score in rest if compared.form(score.system) == form]
        *names, last = [score.system for score in of_form if score.rank_low == 1] or [""]
        if not last:
            return f"{best.system} is shown to be better than {rest[0].system if len(rest) == 1 else 'all others'}."
        ties = f"{', '.join(names)} or {last}" if names else last
        return f"{best.system} has the best score, but is not shown to be better than {ties}."

    def summary(self) -> list[ReportTable]:
        """Return the table of the first metric, and the scores under all metrics if there are several."""
        metric, table = self.metrics[0], self.tables.systems(self.comparison[self.metrics[0]])
        names, alarms, outputs = self.order[metric], self.overview.false_alarms, self.comparison.outputs
        chosen = [index for index, column in enumerate(table.columns) if column.head not in ("s.d.", "cluster")]
        columns: FilledColumns = [(table.columns[index], [row[index] for row in table.rows]) for index in chosen]
        columns += self.parts(metric, ("precision", "recall"))
        if alarms:
            cells = [" of ".join(map(str, alarms[name])) if name in alarms else None for name in names]
            columns.append((TableColumn("false alarms", "count"), cells))
        columns += [
            (TableColumn(head, "count", missing="–"), [outputs.get(name, {}).get(key) for name in names])
            for key, head in (LINE_COUNTS if outputs else {}).items()
        ]
        columns += [
            (TableColumn(head, "exact", missing="–", undefined=True), [values.get(name) for name in names])
            for head, values in self.about.expenses.items()
        ]
        heads = [column.head for column, _ in columns]
        legend = [*table.legend, *([SOURCE_NOTE] if SOURCE in names else [])]
        legend += [text for head, text in EXPLANATIONS.items() if head in heads]
        title = f"{self.labels[metric]}, {self.tables.size}"
        scores = column_table(columns, (), title, legend, table.sections, table.above)
        all_metrics = replace(self.tables.for_papers()[0], title=f"All metrics, {self.tables.size}")
        return [scores, *([all_metrics] if len(self.metrics) > 1 else [])]

    def score_tables(self, metric: str) -> list[ReportTable]:
        """Return scores, differences and parts of the scores under a metric."""
        compared, parts = self.comparison[metric], self.parts(metric)
        pairs = self.tables.pairs(compared)
        systems, size = (TableColumn("system"), self.order[metric]), self.tables.size
        tables = (
            replace(pairs, title=f"{pairs.title}, {size}", legend=[*pairs.legend, EFFECT]),
            column_table([systems, *parts], title=f"{self.labels[metric]}: parts, {size}"),
        )
        return [
            replace(self.tables.systems(compared), title=f"{self.labels[metric]}: scores, {size}"),
            *(table for table in tables if table.rows and len(table.columns) > 1),
        ]

    def parts(self, metric: str, names: Sequence[str] = ()) -> FilledColumns:
        """Return columns with parts of the score of each system: these, or all."""
        parts, scale = self.overview.parts[metric], self.comparison[metric].scale
        systems = self.order[metric]
        return [
            (
                TableColumn(name.replace("_", " "), "figure", scale.part_in_percent(name), undefined=True),
                [number_of(parts[system][name]) for system in systems],
            )
            for name in parts[systems[0]]
            if name in names or not names
        ]

    # --- sentences ---

    def notable(self) -> dict[str, list[tuple[str, int, str, str]]]:
        """Return address, number, scores and source of the worst sentences and of the most different ones."""
        metric, systems = self.metrics[0], self.overview.systems
        sign, several = self.comparison[metric].sign, len(self.systems) > 1
        worst, different = [], []
        for sentence in () if self.explorer is None else self.explorer.sentences:
            number, source, outputs = sentence["number"], sentence["source"], sentence["outputs"]
            by_system = {systems[at]: output["scores"][0] for output in outputs for at in output["systems"]}
            scores = {name: by_system[name] for name in self.systems if by_system[name] is not None}
            if not scores:
                continue
            # Of equal scores, those of more edits come first.
            edits = sum(len(output["edits"]) + len(output["missed"]) for output in outputs)
            mean, deviation = fmean(scores.values()), pstdev(scores.values())
            text = f"{'mean ' if several else ''}{self.shown(mean)}"
            worst.append((round(sign * mean, 9), -edits, (address(number), number, text, source)))
            low, high = (pick(scores, key=lambda name: sign * scores[name]) for pick in (min, max))
            text = f"{self.shown(scores[low])} ({low}) to {self.shown(scores[high])} ({high})"
            different.append((-round(deviation, 9), -edits, (address(number, high, low), number, text, source)))
        lists = {"The worst": worst, "The most different between systems": different if several else []}
        return {
            f"{title}, by {self.labels[metric]}": [row for *_, row in sorted(rows)[:NOTABLE]]
            for title, rows in lists.items()
            if rows
        }

    def substitutions(self) -> list[ReportTable]:
        """Return the most frequent wrong and missed substitutions in the corpus, by system."""
        counted = self.overview.substitutions
        if counted is None:
            return []
        positions = [counted.systems.index(name) for name in self.systems]
        columns = [*table_columns("text", "substitution", "type"), *table_columns("count", "total", *self.systems)]
        tables = []
        for outcome, counts in counted.of_outcome.items():
            frequencies, lacking = counts.most_frequent(SUBSTITUTIONS)
            rows: list[TableRow] = [
                [row.substitution.shown, row.substitution.type, row.total, *(row.by_system[at] for at in positions)]
                for row in frequencies
            ]
            title = f"Most frequent {outcome} substitutions, {self.tables.size}"
            legend = [f"Numbers may lack up to {lacking:,} edits."] if lacking else []
            if rows:
                tables.append(ReportTable(columns, rows, title=title, legend=legend))
        return tables

    def changes(self) -> dict[str, Any]:
        """Return the tables of changes, and addresses of sentences."""
        assert self.overview.examined is not None
        before, after = pair = self.about.changes
        examined = self.overview.examined.examined(pair)
        changes, scores = OutputChanges(before, after, examined), {}
        for metric, label in zip(self.metrics, examined.metrics, strict=True):
            values = {score.system: score.value for score in self.comparison[metric].overall}
            scores[label] = values[before], values[after]
        examples = {}
        for name, gains in (("Largest gains", True), ("Largest losses", False)):
            numbers = [change.sentence.number for change in changes.largest(next(iter(scores)), 10, gains=gains)]
            if numbers:
                examples[name] = [(number, address(number, before, after)) for number in numbers]
        by_difference = address(None, before, after, sort="difference", a=after, b=before)
        return {"tables": change_tables(changes, scores), "address": by_difference, "examples": examples}

    # --- groups ---

    @cached_property
    def type_charts(self) -> list[list[tuple[str, str | None]]]:
        """Title and chart of the types of each system, by metric."""
        systems = self.overview.systems
        return [
            [(f"{self.labels[table.metric]}: {name}", self.charts.types(table, name)) for name in systems]
            for table in self.overview.types
        ]

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
            self.comparison[table.metric],
            head,
            groups,
            systems,
            title=f"{self.labels[table.metric]} by {head}, {name}, {self.tables.size}",
            uncorrected=self.comparison.uncorrected,
            sizes=[table.sentences[group] for group, _ in groups] if table.sentences else None,
        )

    def agreement(self) -> list[dict[str, Any]]:
        """Return correlations of metrics: below the diagonal over outputs, above systems."""
        agreement = self.overview.agreement
        rows = []
        for i, metric in enumerate(agreement.metrics):
            cells = []
            for j in range(len(agreement.metrics)):
                rho = (agreement.of_outputs if j < i else agreement.of_systems)[i][j]
                text, css = "–", "same"
                if i != j and not math.isnan(rho) and (j < i or len(self.systems) >= FEW_SYSTEMS):
                    shade = -1 if rho < 0 else min(int(rho * SHADES), SHADES - 1)
                    text, css = with_minus(round_half_up(rho, 2)), f"heat-{shade}"
                cells.append({"shown": text, "css": css})
            rows.append({"label": self.labels[metric], "cells": cells})
        return rows


def address(number: int | None, *systems: str, **state: str) -> str:
    """Return the address of a sentence, or of all, with these systems and values of the form."""
    sentence = [] if number is None else [("s", str(number))]
    pairs = [*sentence, *(("system", printable(name)) for name in systems)]
    return f"#{urlencode([*pairs, *((name, printable(value)) for name, value in state.items())])}"
