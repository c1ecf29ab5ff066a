"""Report of a comparison by type of edit: a table sorted by frequency, differences, and pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from geceval.base.arguments import joined
from geceval.comparison.compared_types import ComparedTypes
from geceval.comparison.comparison_report import comparison_document
from geceval.comparison.comparison_tables import ComparisonTables, mark_of
from geceval.resampling.comparison_results import Comparison, MetricComparison, Pair, SystemScore
from geceval.resampling.system_tables import marked_systems, score_cells
from geceval.tables.charts import Chart, Pictures, Systems, panel_chart
from geceval.tables.heat_map import MapCell, heat_chart
from geceval.tables.number_text import confidence
from geceval.tables.report import Report
from geceval.tables.table import (
    ReportTable,
    TableCell,
    TableColumn,
    TableRow,
    forms_note,
    has_marks,
    sections_of,
    table_columns,
)

#: Name of all types in tables.
ANY = "(any)"
#: Number of types with a panel.
PANEL_TYPES = 6


@dataclass(frozen=True)
class TypeCell:
    """Results under a metric for a type of edits.

    Attributes:
        type: Selector of the type; None: any type.
        label: Name of the metric without the type.
        figure: Name of the metric's scores without the type.
        results: Scores and differences.
    """

    type: str | None
    label: str
    figure: str
    results: MetricComparison


@dataclass(frozen=True)
class TypeTables(ComparisonTables):
    """The tables of a comparison by type."""

    types: ComparedTypes = field(default_factory=lambda: ComparedTypes({}, (), ()))

    @cached_property
    def cells(self) -> list[TypeCell]:
        """The results in the order of the comparison: types by frequency, then any type."""
        heads = self.types.heads
        pairs = zip(self.types.cells, self.comparison.values(), strict=True)
        return [
            TypeCell(type_, heads[metric].label, heads[metric].formula, results) for (type_, metric), results in pairs
        ]

    def of_type(self, type_: str | None) -> list[TypeCell]:
        """Return the results for a type, one for each metric."""
        return [cell for cell in self.cells if cell.type == type_]

    @property
    def systems_in_order(self) -> list[str]:
        """The systems, in the order of the corpus."""
        return [score.system for score in self.cells[0].results.scores_of(None)]

    # --- tables ---

    def for_readers(self) -> list[ReportTable]:
        """Return the scores by type, the scores of any type, and the differences."""
        tables = [self._scores(), *(self.systems(cell.results) for cell in self.of_type(None))]
        tables += [self._differences()] if self.comparison.pairs else []
        return [*tables[:-1], replace(tables[-1], notes=self._notes)]

    def for_papers(self) -> list[ReportTable]:
        """Return the tables for readers; long ones break over pages."""
        return self.for_readers()

    def _scores(self) -> ReportTable:
        """Return a row for each type and system."""
        first = self.of_type(self.cells[0].type)
        columns = [TableColumn("type"), TableColumn("edits", "count"), TableColumn("system")]
        for cell in first:
            percent = cell.results.in_percent
            columns.append(TableColumn(cell.figure, "figure", percent))
            columns.append(TableColumn(f"{confidence(self.comparison.alpha)} interval", "interval", percent, spare=1))
        rows: list[TableRow] = []
        for type_, edits in self.types.edits.items():
            filled = [self._score_cells(cell.results) for cell in self.of_type(type_)] or self._absent_cells(first)
            for index, system in enumerate(self.systems_in_order):
                rows.append([type_, edits, system, *(value for cells in filled for value in cells[index])])
        pairs = {
            type_: [pair for cell in self.of_type(type_) for pair in cell.results.pairs] for type_ in self.types.edits
        }
        sections = range(len(self.systems_in_order), len(rows), len(self.systems_in_order))
        marks = [mark_of(self.comparison)[1]] if has_marks(cell for row in rows for cell in row) else []
        legend = ["edits: gold edits of all annotators", *marks, *self.doubtful_groups(pairs)]
        if self.types.absent:
            legend.append(f"{joined(self.types.absent)}: no edit of references or systems")
        above = forms_note({cell.label: cell.results.forms for cell in first if cell.results.forms})
        title = f"Types by frequency, {self.size}"
        return ReportTable(columns, rows, (), title, legend, sections, above)

    def _score_cells(self, results: MetricComparison) -> list[tuple[TableCell, tuple[float, float]]]:
        """Return the score, with a mark, and the interval of each system."""
        scores, marked = results.scores_of(None), marked_systems(self.comparison, results)
        mark, _ = mark_of(self.comparison)
        values = [score.value for score in scores]
        cells = score_cells(results, self.systems_in_order, values, self.comparison.uncorrected)
        return [
            (replace(cell, mark=mark if score.system in marked else ""), (score.low, score.high))
            for cell, score in zip(cells, scores, strict=True)
        ]

    def _absent_cells(self, columns: Sequence[TypeCell]) -> list[list[tuple[TableCell, tuple[float, float]]]]:
        """Return cells without a value for each metric and system."""
        return [[(TableCell(math.nan), (math.nan, math.nan))] * len(self.systems_in_order) for _ in columns]

    def _differences(self) -> ReportTable:
        """Return a row for each type, metric and pair."""
        rows: list[TableRow] = []
        for cell in self.cells:
            if self.comparison.is_tested(cell.results.name):
                pairs = self._pair_rows(cell.results, cell.results.pairs_of(None))
                rows += [[cell.type or ANY, cell.label, *row[:6]] for row in pairs]
        columns = [*table_columns("text", "type", "metric", "system", "against"), *self._pair_columns[:4]]
        return ReportTable(columns, rows, title="Differences", legend=[self._star_legend], sections=sections_of(rows))

    # --- for programs ---

    @cached_property
    def _labels_of(self) -> dict[str, list[str]]:
        return {
            cell.results.name: [
                cell.type or ANY,
                "" if cell.type is None else str(self.types.edits[cell.type]),
                cell.label,
            ]
            for cell in self.cells
        }

    def _labels(self, of: SystemScore | Pair) -> list[str]:
        return self._labels_of[of.metric]

    @property
    def _label_heads(self) -> list[str]:
        return ["type", "edits", "metric"]

    # --- sentences ---

    def sentences(self, digits: int) -> list[str]:
        """Return the differences that are shown, a sentence for each pair of systems, and the number of the others."""
        comparison = self.comparison
        tested = [cell for cell in self.cells if comparison.is_tested(cell.results.name)]
        pairs = [(cell, pair) for cell in tested for pair in cell.results.pairs_of(None)]
        results: dict[tuple[str, str], dict[str, list[str]]] = {}
        for cell, pair in pairs:
            if comparison.is_shown(pair):
                facing = pair.swapped() if pair.a == comparison.baseline else pair
                of_pair = results.setdefault((facing.a, facing.b), {})
                of_pair.setdefault(f"{_direction(cell, facing)} under {cell.label} for", []).append(cell.type or ANY)
        lines = [
            f"{a} against {b}: {'; '.join(f'{result} {joined(types)}' for result, types in of_pair.items())}."
            for (a, b), of_pair in results.items()
        ]
        undefined = dict.fromkeys(f"{cell.label} of {cell.type or ANY}" for cell, pair in pairs if not pair.is_defined)
        if undefined:
            lines.append(f"Not tested, since a score has no value: {joined(list(undefined))}.")
        open_ = [pair for _, pair in pairs if pair.is_defined and not comparison.is_shown(pair)]
        if open_:
            number = f"{len(open_)} of {len(pairs)} comparisons"
            lines.append(f"No difference shown in {number}, which does not mean that the systems are equal.")
        return lines

    # --- pictures ---

    def pictures(self) -> Pictures:
        """Return "types", a map of types × systems, and "over-correction" if a metric of it was compared."""
        return {"types": self._map, **({"over-correction": self._over_correction} if self._harms else {})}

    @cached_property
    def _first(self) -> dict[str, TypeCell]:
        """The results of each type under the first metric."""
        return {cell.type: cell for cell in self.cells if cell.label == self.cells[0].label and cell.type is not None}

    @cached_property
    def _harms(self) -> dict[str, TypeCell]:
        """The results of each type under a metric of over-correction."""
        return {cell.type: cell for cell in self.cells if cell.type and not cell.results.higher_is_better}

    def _head(self, type_: str) -> str:
        """Return a type with the number of its edits."""
        return f"{type_} ({self.types.edits[type_]})"

    def _map(self, width: float) -> Chart:
        rows = {self._head(type_): self._map_cells(cell) for type_, cell in self._first.items()}
        figure = self.cells[0].figure
        marks = [mark_of(self.comparison)[1]] if any(cell.mark for row in rows.values() for cell in row) else []
        notes = [f"{figure} by type (gold edits)", *marks]
        return heat_chart("types", f"{figure} by type", self.systems_in_order, {figure: rows}, notes, width=width)

    def _map_cells(self, cell: TypeCell) -> list[MapCell]:
        """Return the scores of a cell, with marks."""
        marked = [cell.mark for cell, _ in self._score_cells(cell.results)]
        return [MapCell(value, mark) for value, mark in zip(_values(cell), marked, strict=True)]

    def _over_correction(self, width: float) -> Chart:
        """Return the scores of the first metric against over-correction, with a panel for each frequent type."""
        panels = {
            self._head(type_): dict(
                zip(self.systems_in_order, zip(_values(self._harms[type_]), _values(cell), strict=True), strict=True)
            )
            for type_, cell in list(self._first.items())[:PANEL_TYPES]
            if type_ in self._harms
        }
        axes = next(iter(self._harms.values())).figure, self.cells[0].figure
        title = f"{axes[1]} against {axes[0]}, most frequent types (gold edits)"
        systems = Systems(self._order[self.cells[0].results.name])
        return panel_chart("panels", title, axes, panels, systems, width)


def _direction(cell: TypeCell, pair: Pair) -> str:
    is_ahead = cell.results.sign * pair.difference > 0
    if cell.results.is_description:
        return f"{cell.results.scale.description} {'more' if is_ahead else 'less'}"
    return "better" if is_ahead else "worse"


def _values(cell: TypeCell) -> list[float]:
    scale = 100.0 if cell.results.in_percent else 1.0
    return [scale * score.value for score in cell.results.scores_of(None)]


def type_report(comparison: Comparison, types: ComparedTypes, inputs: Mapping[str, Any]) -> Report:
    """Return the report of a comparison by type.

    The tables for readers and papers have the scores of each type and system, and the differences; CSV has one table
    of scores and one of differences; the pictures are "types" and "over-correction".

    Args:
        comparison: The comparison under ``types.metrics``.
        types: The types and their metrics.
        inputs: Description of the input files, for JSON.
    """
    tables = TypeTables(comparison, types=types)
    documents = [{"type": cell.type, "metric": cell.results.name} for cell in tables.cells]
    return Report(
        "geceval/comparison@1",
        lambda: comparison_document(comparison) | {"types": types.edits, "by_type": documents} | {"inputs": inputs},
        tables.for_readers,
        tables.for_programs,
        tables.for_papers,
        tables.sentences,
        pictures=tables.pictures,
    )
