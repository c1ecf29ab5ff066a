"""A comparison of systems: scores with intervals and ranks, differences with p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from geceval.report.comparisons.comparison_sentences import power_verdicts, verdicts
from geceval.report.comparisons.comparison_terms import (
    BY_SCORE,
    best_first,
    from_the_better,
    groups_of,
    in_percent,
    is_shown,
    metrics_of,
    not_shown_to_differ,
    ordered,
    overall,
    power_facing,
    shown_group,
    sign_of,
    turned,
)
from geceval.report.comparisons.place_tables import PLACE_COLUMNS, place_cells, place_table
from geceval.report.group_table import group_table
from geceval.report.report import Report
from geceval.report.scores.score_report import SOURCE_NOTE, confidence
from geceval.report.table import Kind, ReportTable, TableCell, TableColumn, TableRow, Value, best_cells, table_columns
from geceval.studies.comparison.comparison_results import Comparison, Pair, Power, SystemScore
from geceval.text.source_row import SOURCE


def comparison_report(
    comparison: Comparison,
    inputs: Mapping[str, Any],
    power: Sequence[Power] = (),
    *,
    sort: str = BY_SCORE,
    groups: str = "group",
) -> Report:
    """The comparison, and the ``power`` of its tests. ``sort``: the order of the systems, see ``ordered``; ``groups``:
    how groups are called.

    Readers get tables for each metric and sentences; programs one table of systems and one of pairs; papers systems ×
    metrics and a table of pairs.
    """
    tables = ComparisonTables(comparison, sort, groups, power)
    return Report(
        "geceval/comparison@1",
        lambda: comparison_document(comparison) | ({"power": power} if power else {}) | {"inputs": inputs},
        tables.for_readers,
        tables.for_programs,
        tables.for_papers,
        lambda digits: [*verdicts(comparison, groups, digits), *power_verdicts(comparison, power, digits)],
    )


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """A comparison in raw numbers: differences are a − b, what was asked for first."""
    first = ("a", "b", "metric", "difference", "low", "high", "p", "p_adjusted", "better", "equal", "worse")
    pairs = [{name: vars(pair)[name] for name in first} | vars(pair) for pair in comparison.pairs]
    rest = {field.name: getattr(comparison, field.name) for field in fields(comparison)}
    return {"systems": comparison.systems, "pairs": pairs, "signature": comparison.signature} | {
        name: value for name, value in rest.items() if name not in ("systems", "pairs", "signature", "heads")
    }


@dataclass(frozen=True)
class ComparisonTables:
    """The tables of a comparison; see comparison_report."""

    comparison: Comparison
    sort: str = BY_SCORE
    group_head: str = "group"
    power: Sequence[Power] = ()

    def for_readers(self) -> list[ReportTable]:
        """A table of systems and one of pairs for each metric, then groups × systems."""
        comparison, tables = self.comparison, list[ReportTable]()
        for metric in metrics_of(comparison):
            if any(score.group is None for score in comparison.systems if score.metric == metric):
                tables.append(self._systems(metric))
                if any(pair.group is None and pair.metric == metric for pair in comparison.pairs):
                    tables.append(self.pairs(metric))
            tables += self._groups(metric)
        if self.power:
            tables.append(self._power("difference", "Power"))
        return [*tables[:-1], replace(tables[-1], notes=self._notes)]

    def for_programs(self) -> list[ReportTable]:
        """All systems, all pairs; a − b as given, p in full."""
        tables = [self._system_records(), *([self._pair_records()] if self.comparison.pairs else [])]
        return [*tables, *([self._power("score")] if self.power else [])]

    def for_papers(self) -> list[ReportTable]:
        """Systems × metrics, and pairs, of the whole corpus; then groups × systems."""
        tables = [self._paper_scores(), *([self._paper_pairs()] if self.comparison.pairs else [])]
        for metric in metrics_of(self.comparison):
            tables += self._groups(metric)
        return [*tables, *([self._power("difference", "Power")] if self.power else [])]

    @cached_property
    def _order(self) -> Mapping[str, list[str]]:
        """The systems in the order of each metric's tables."""
        order = ordered(self.comparison, self.sort)
        return {metric: order(metric) for metric in metrics_of(self.comparison)}

    @property
    def _notes(self) -> list[str]:
        guard = [SOURCE_NOTE] if any(score.system == SOURCE for score in self.comparison.systems) else []
        return [*guard, self.comparison.signature, *self.comparison.signatures.values()]

    @property
    def _size(self) -> str:
        sentences, blocks = self.comparison.sentences, self.comparison.blocks
        return f"{sentences} sentences{f' in {blocks} blocks' if blocks != sentences else ''}"

    # --- for readers ---

    def _systems(self, metric: str) -> ReportTable:
        comparison, heads = self.comparison, self.comparison.heads[metric]
        scores = {score.system: score for score in overall(comparison, metric)}
        table = place_table(
            [scores[name] for name in self._order[metric] if name in scores],
            heads.figure,
            comparison.alpha,
            f"{heads.label}, {self._size}",
            percent=in_percent(comparison, metric),
            higher_is_better=sign_of(comparison, metric) > 0,
        )
        if comparison.pairs and comparison.baseline is None:
            return table
        # Places need a test of every pair.
        return replace(table, columns=table.columns[:4], rows=[row[:4] for row in table.rows], sections=())

    def pairs(self, metric: str) -> ReportTable:
        """The differences of all pairs under a metric."""
        comparison = self.comparison
        columns = [*table_columns("text", "system", "against"), *self._pair_columns(metric)]
        own = [pair for pair in comparison.pairs if pair.metric == metric and pair.group is None]
        rows: list[TableRow] = [[pair.a, pair.b, *self._pair_cells(pair)] for pair in self._sorted_pairs(metric, own)]
        against = "" if comparison.baseline is None else f" from {comparison.baseline}, the baseline"
        title = f"{comparison.heads[metric].label}: differences{against}"
        return ReportTable(columns, rows, title=title, legend=[self._pair_legend])

    def _pair_columns(self, metric: str) -> list[TableColumn]:
        percent = in_percent(self.comparison, metric)
        return [
            TableColumn("difference", "difference", percent),
            TableColumn(f"{confidence(self.comparison.alpha)} interval", "interval", percent),
            TableColumn("p", "p", spare=2),
            TableColumn("p adjusted", "p"),
            TableColumn("effect", "figure", digits=2, spare=1),
            TableColumn("better", "share", percent=True, digits=0, spare=5),
            TableColumn("equal", "share", percent=True, digits=0, spare=3),
            TableColumn("worse", "share", percent=True, digits=0, spare=4),
        ]

    def _pair_cells(self, pair: Pair) -> list[Value | TableCell]:
        adjusted = TableCell(pair.p_adjusted, mark="*" if is_shown(pair, self.comparison.alpha) else "")
        shares = (pair.better, pair.equal, pair.worse)
        return [pair.difference, (pair.low, pair.high), pair.p, adjusted, pair.effect, *shares]

    @property
    def _pair_legend(self) -> str:
        alpha = f"{self.comparison.alpha:g}"
        return f"* more than chance: adjusted p < {alpha}; better, equal, worse: share of the sentences"

    def _sorted_pairs(self, metric: str, pairs: Sequence[Pair]) -> list[Pair]:
        """Each from the better system's side (or from that of what is held against the baseline), in the systems'
        order."""
        place = {name: at for at, name in enumerate(self._order[metric])}
        baseline = self.comparison.baseline
        if baseline is None:
            facing = [from_the_better(pair, self.comparison) for pair in pairs]
        else:
            facing = [turned(pair) if pair.a == baseline else pair for pair in pairs]
        return sorted(facing, key=lambda pair: (place[pair.a], place[pair.b]))

    # --- groups ---

    def _groups(self, metric: str) -> list[ReportTable]:
        """Groups × systems; the difference beside them where there is but one pair, else pairs in a table of their
        own."""
        comparison, heads, names = self.comparison, self.comparison.heads[metric], self._order[metric]
        scores = {(score.group, score.system): score.value for score in comparison.systems if score.metric == metric}
        if all(group is None for group, _ in scores):
            return []
        groups = groups_of(comparison)
        pairs = [pair for pair in comparison.pairs if pair.metric == metric and pair.group is not None]
        by_group = {group: [pair for pair in pairs if pair.group == group] for group in groups}
        label = f"{heads.label} by {self.group_head}"
        table = group_table(
            self.group_head,
            names,
            [(shown_group(group), [scores.get((group, name)) for name in names]) for group in groups],
            percent=in_percent(comparison, metric),
            higher_is_better=sign_of(comparison, metric) > 0,
            title=f"{label}, {heads.figure}, {self._size}",
        )
        if not pairs:
            return [table]
        if all(len(own) <= 1 for own in by_group.values()):
            beside = [self._only_pair(own, names) for own in by_group.values()]
            return [
                replace(
                    table,
                    columns=[*table.columns, *self._pair_columns(metric)[:4]],
                    rows=[[*row, *cells] for row, cells in zip(table.rows, beside, strict=True)],
                    legend=[f"* more than chance: adjusted p < {comparison.alpha:g}"],
                )
            ]
        columns = [*table_columns("text", self.group_head, "system", "against"), *self._pair_columns(metric)]
        rows: list[TableRow] = [
            [shown_group(group), pair.a, pair.b, *self._pair_cells(pair)]
            for group, own in by_group.items()
            for pair in self._sorted_pairs(metric, own)
        ]
        begins = [at for at in range(1, len(rows)) if rows[at][0] != rows[at - 1][0]]
        differences = f"{label}: differences"
        return [table, ReportTable(columns, rows, (), differences, [self._pair_legend], begins)]

    def _only_pair(self, pairs: Sequence[Pair], names: Sequence[str]) -> list[Value | TableCell]:
        """The difference of the first column's system from the second's, whichever is better in the group."""
        if not pairs:
            return [None] * 4
        [pair] = pairs
        ahead = pair.b == self.comparison.baseline or names.index(pair.a) < names.index(pair.b)
        return self._pair_cells(pair if ahead else turned(pair))[:4]

    # --- for programs ---

    def _labels(self, of: SystemScore | Pair) -> list[str]:
        return [of.metric, *([shown_group(of.group)] if groups_of(self.comparison) else ())]

    @property
    def _label_columns(self) -> list[TableColumn]:
        return [TableColumn("metric"), *([TableColumn(self.group_head)] if groups_of(self.comparison) else ())]

    def _system_records(self) -> ReportTable:
        metrics, groups = metrics_of(self.comparison), [None, *groups_of(self.comparison)]
        by_place = sorted(
            self.comparison.systems,
            key=lambda score: (
                metrics.index(score.metric),
                groups.index(score.group),
                self._order[score.metric].index(score.system),
            ),
        )
        rows: list[TableRow] = [
            [*self._labels(score), score.system, *place_cells(score, in_percent(self.comparison, score.metric))]
            for score in by_place
        ]
        return ReportTable([*self._label_columns, TableColumn("system"), *PLACE_COLUMNS], rows)

    def _pair_records(self) -> ReportTable:
        columns = [
            *self._label_columns,
            *table_columns("text", "a", "b"),
            *table_columns("score", "difference", "low", "high"),
            *table_columns("exact", "p", "p_adjusted"),
            *table_columns("score", "effect"),
            *table_columns("score", "better", "equal", "worse", percent=True),
            *table_columns("count", "differing"),
        ]
        rows: list[TableRow] = []
        for pair in self.comparison.pairs:
            percent = in_percent(self.comparison, pair.metric)
            numbers = [TableCell(value, percent=percent) for value in (pair.difference, pair.low, pair.high)]
            tests = (pair.p, pair.p_adjusted, pair.effect, pair.better, pair.equal, pair.worse, pair.differing)
            rows.append([*self._labels(pair), pair.a, pair.b, *numbers, *tests])
        return ReportTable(columns, rows)

    # --- for papers ---

    def _paper_scores(self) -> ReportTable:
        comparison = self.comparison
        metrics = metrics_of(comparison)
        names = self._order[metrics[0]]
        values = {(score.metric, score.system): score.value for score in comparison.systems if score.group is None}
        columns, rows = [TableColumn("system")], [list[Value | TableCell]([name]) for name in names]
        for metric in metrics:
            columns.append(TableColumn(comparison.heads[metric].formula, "figure", in_percent(comparison, metric)))
            own = [values[metric, name] for name in names]
            cells, marked = best_cells(own, higher_is_better=sign_of(comparison, metric) > 0), self._marked(metric)
            for name, row, cell in zip(names, rows, cells, strict=True):
                row.append(replace(cell, mark=self._mark if name in marked else ""))
        legend = []
        if comparison.pairs and comparison.baseline is not None:
            legend = [f"* differs from {comparison.baseline} by more than chance (adjusted p < {comparison.alpha:g})"]
        elif comparison.pairs:
            legend = [f"† not shown to differ from the best (adjusted p ≥ {comparison.alpha:g})"]
        return ReportTable(columns, rows, self._notes, legend=legend)

    @property
    def _mark(self) -> str:
        return "†" if self.comparison.baseline is None else "*"

    def _marked(self, metric: str) -> list[str]:
        """The systems that differ from the baseline; without one, those that are not shown to differ from the best."""
        comparison = self.comparison
        if comparison.baseline is None:
            return not_shown_to_differ(comparison, metric, best_first(comparison, metric)[0].system)
        return [
            pair.b if pair.a == comparison.baseline else pair.a
            for pair in comparison.pairs
            if pair.metric == metric and pair.group is None and is_shown(pair, comparison.alpha)
        ]

    def _paper_pairs(self) -> ReportTable:
        comparison = self.comparison
        metrics = metrics_of(comparison)
        several = [TableColumn("metric")] if len(metrics) > 1 else []
        difference, limits, _, adjusted = self._pair_columns(metrics[0])[:4]
        rows, begins = list[TableRow](), []
        for metric in metrics:
            begins.append(len(rows))
            own = [pair for pair in comparison.pairs if pair.metric == metric and pair.group is None]
            named, percent = [comparison.heads[metric].label] if several else [], in_percent(comparison, metric)
            for pair in self._sorted_pairs(metric, own):
                numbers = [TableCell(value, percent=percent) for value in (pair.difference, (pair.low, pair.high))]
                rows.append([*named, pair.a, pair.b, *numbers, self._pair_cells(pair)[3]])
        legend = [f"* more than chance (adjusted p < {comparison.alpha:g})"]
        columns = [*several, *table_columns("text", "system", "against"), difference, limits, adjusted]
        return ReportTable(columns, rows, legend=legend, sections=begins[1:])

    # --- power ---

    def _power(self, kind: Kind, title: str = "") -> ReportTable:
        """A row for each pair: the sentences that would show its difference, the difference that these sentences
        show."""
        comparison, power = self.comparison, [power_facing(self.comparison, row) for row in self.power]
        grouped, chance = any(row.group is not None for row in power), f"{100 * power[0].power:g} %"
        columns = [
            TableColumn("metric"),
            *([TableColumn(self.group_head)] if grouped else ()),
            *table_columns("text", "system", "against"),
            TableColumn("difference", kind),
            TableColumn("sentences", "count"),
            TableColumn(f"needed for {chance}", "count"),
            TableColumn("detectable", "score"),
        ]
        rows: list[TableRow] = []
        for row in power:
            named = [comparison.heads[row.metric].label, *([shown_group(row.group)] if grouped else ())]
            difference, detectable = (
                TableCell(value, percent=in_percent(comparison, row.metric))
                for value in (row.difference, row.detectable)
            )
            rows.append([*named, row.a, row.b, difference, row.sentences, row.needed, detectable])
        note = f"detectable: the smallest difference that these sentences show in {chance} of cases, by one test"
        return ReportTable(columns, rows, title=title, legend=[note])
