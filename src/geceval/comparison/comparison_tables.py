"""Tables of a comparison for readers, programs and papers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from geceval.base.arguments import listed
from geceval.base.ties import TOLERANCE
from geceval.resampling.comparison_results import Comparison, MetricComparison, Pair, Power, SystemScore
from geceval.resampling.system_tables import (
    RANKING_COLUMNS,
    ceiling_lines,
    group_table,
    marked_systems,
    mixed_forms_lines,
    ordered,
    power_facing,
    ranking_cells,
    ranking_table,
    score_cells,
    shown_group,
)
from geceval.statistics.significance import fewest_differences
from geceval.tables.number_text import UNDEFINED, confidence
from geceval.tables.table import (
    SOURCE_NOTE,
    ColumnKind,
    FilledColumns,
    ReportTable,
    TableCell,
    TableColumn,
    TableRow,
    Value,
    column_table,
    has_marks,
    sections_of,
    stacked,
    table_columns,
)
from geceval.text.files import SOURCE


def _share_heads(metric: MetricComparison) -> tuple[str, str, str]:
    """Return the heads of the shares of sentences of a pair."""
    return ("more", "equal", "less") if metric.is_description else ("better", "equal", "worse")


def _shares(metric: MetricComparison) -> str:
    """Return the legend of the shares of sentences of a pair."""
    return f"{', '.join(_share_heads(metric))}: share of the sentences"


def not_in_percent(metric: MetricComparison) -> Iterator[str]:
    """Yield the metric, and its parts ("metric part"), that tables do not multiply by 100."""
    if not metric.in_percent:
        yield metric.name
    yield from (f"{metric.name} {part}" for part in sorted(metric.scale.plain_parts))


@dataclass(frozen=True)
class ComparisonTables:
    """The tables of a comparison."""

    comparison: Comparison
    group_head: str = "group"
    power: Sequence[Power] = ()

    def for_readers(self) -> list[ReportTable]:
        """Return tables of systems and pairs for each metric, then groups × systems."""
        tables = list[ReportTable]()
        for metric in self.comparison.values():
            tables += [table for table in (self.systems(metric), self.pairs(metric)) if table.rows]
            tables += self._groups(metric)
        if self.power:
            tables.append(self._power("difference", "Power"))
        return [*tables[:-1], replace(tables[-1], notes=self._notes)]

    def for_programs(self) -> list[ReportTable]:
        """Return a table of all systems, then of all pairs, with a − b as requested; ``row`` has the kind of a row."""
        comparison = self.comparison
        tables = {"system": self._system_records()}
        tables |= {"pair": self._pair_records(comparison.pairs)} if comparison.pairs else {}
        tables |= {"annotator": self._pair_records(comparison.by_annotator)} if comparison.by_annotator else {}
        tables |= {"power": self._power("score")} if self.power else {}
        return [stacked("row", tables)]

    def for_papers(self) -> list[ReportTable]:
        """Return systems × metrics and pairs on the whole corpus, then groups × systems."""
        tables = [self._paper_scores(), *([self._paper_pairs()] if self.comparison.pairs else [])]
        for metric in self.comparison.values():
            tables += self._groups(metric)
        return [*tables, *([self._power("difference", "Power")] if self.power else [])]

    @cached_property
    def _order(self) -> Mapping[str, list[str]]:
        """The systems, in the order of the tables of each metric."""
        return ordered(self.comparison)

    @property
    def _notes(self) -> list[str]:
        guard = [SOURCE_NOTE] if any(score.system == SOURCE for score in self.comparison.systems) else []
        return [*guard, self.comparison.signature, *self.comparison.signatures.values()]

    @property
    def size(self) -> str:
        """The number of sentences, and of blocks of several sentences, as text."""
        sentences, blocks = self.comparison.sentences, self.comparison.blocks
        in_blocks = f" in {blocks:,} block{'' if blocks == 1 else 's'}" if blocks != sentences else ""
        return f"{sentences:,} sentence{'' if sentences == 1 else 's'}{in_blocks}"

    # --- for readers ---

    def systems(self, metric: MetricComparison) -> ReportTable:
        """Return scores, intervals and ranks of all systems under a metric."""
        comparison = self.comparison
        table = ranking_table(
            sorted(metric.scores_of(None), key=lambda score: self._order[metric.name].index(score.system)),
            metric.heads.figure,
            comparison.alpha,
            f"{metric.label}, {self.size}",
            percent=metric.in_percent,
            higher_is_better=metric.higher_is_better,
            forms=metric.forms,
            uncorrected=[score.system for score in metric.systems] if metric.is_description else comparison.uncorrected,
            legend=ceiling_lines([metric]),
            above=mixed_forms_lines([metric]),
        )
        if comparison.is_tested(metric.name) and comparison.baseline is None and not metric.is_description:
            return table
        # Ranks require a test of every pair.
        return replace(table, columns=table.columns[:-2], rows=[row[:-2] for row in table.rows], sections=())

    def pairs(self, metric: MetricComparison) -> ReportTable:
        """Return the differences of all pairs under a metric."""
        comparison = self.comparison
        annotators = sorted({pair.annotator or 0 for pair in metric.by_annotator})
        of_annotators = [TableColumn(f"annotator {number}", "difference", spare=6) for number in annotators]
        columns = [*table_columns("text", "system", "against"), *self._pair_columns_of(metric), *of_annotators]
        rows = self._pair_rows(metric, metric.pairs_of(None))
        against = "" if comparison.baseline is None else f" from {comparison.baseline}, the baseline"
        title = f"{metric.label}: differences{against}"
        legend = f"{self._star_legend}; {_shares(metric)}"
        if not comparison.is_tested(metric.name):
            columns = [column for column in columns if column.head != "p adjusted"]
            rows = [[*row[:5], *row[6:]] for row in rows]
            primary = comparison[comparison.primary].label if comparison.primary else ""
            legend = f"not tested: the primary metric is {primary}; {_shares(metric)}"
        return ReportTable(columns, rows, title=title, legend=[legend])

    @property
    def _pair_columns(self) -> list[TableColumn]:
        return [
            TableColumn("difference", "difference"),
            TableColumn(f"{confidence(self.comparison.alpha)} interval", "interval"),
            TableColumn("p", "p", missing=UNDEFINED, spare=2),
            TableColumn("p adjusted", "p", missing=UNDEFINED),
            TableColumn("effect", "figure", digits=2, missing=UNDEFINED, spare=1),
        ]

    def _pair_columns_of(self, metric: MetricComparison) -> list[TableColumn]:
        """Return the columns of pairs with those of the shares of sentences."""
        shares = [
            TableColumn(head, "share", percent=True, digits=0, spare=spare)
            for head, spare in zip(_share_heads(metric), (5, 3, 4), strict=True)
        ]
        return [*self._pair_columns, *shares]

    def _pair_cells(self, metric: MetricComparison, pair: Pair) -> list[Value | TableCell]:
        percent = metric.in_percent
        numbers = [TableCell(value, percent=percent) for value in (pair.difference, (pair.low, pair.high))]
        tests: list[Value | TableCell] = [None] * 3
        if pair.is_defined:
            tests = [pair.p, TableCell(pair.p_adjusted, mark=self._star(pair)), pair.effect]
        annotators = [
            TableCell(row.difference, percent=percent, mark=self._star(row))
            for row in metric.of_annotators(pair)
            if pair.group is None
        ]
        return [*numbers, *tests, pair.better, pair.equal, pair.worse, *annotators]

    def _star(self, pair: Pair) -> str:
        return "*" if self.comparison.is_shown(pair) else ""

    @property
    def _star_legend(self) -> str:
        return f"* more than chance: adjusted p < {self.comparison.alpha:g}"

    def _pair_rows(self, metric: MetricComparison, pairs: Sequence[Pair]) -> list[TableRow]:
        """Return a row for each pair of a metric, in the order of the systems.

        Each pair starts with its better system, or with the system that is compared with the baseline.
        """
        facing = [pair.swapped() if self.comparison.is_swapped(pair) else pair for pair in pairs]
        order = self._order[metric.name]
        facing.sort(key=lambda pair: [order.index(name) for name in (pair.a, pair.b)])
        return [[pair.a, pair.b, *self._pair_cells(metric, pair)] for pair in facing]

    # --- groups ---

    def _groups(self, metric: MetricComparison) -> list[ReportTable]:
        """Return a table of groups × systems, and a second one for the differences.

        A single pair per group is shown in the first table, next to the scores.
        """
        comparison, names = self.comparison, self._order[metric.name]
        scores = {(score.group, score.system): score.value for score in metric.systems}
        if all(group is None for group, _ in scores):
            return []
        groups = [group for group in comparison.groups if any((group, name) in scores for name in names)]
        by_group = {group: metric.pairs_of(group) for group in groups}
        label = f"{metric.label} by {self.group_head}"
        table = group_table(
            metric,
            self.group_head,
            [(group, [scores.get((group, name)) for name in names]) for group in groups],
            names,
            title=f"{label}, {metric.heads.figure}, {self.size}",
            uncorrected=comparison.uncorrected,
        )
        most = max(map(len, by_group.values()))
        if most == 0:
            return [table]
        legend = [self._star_legend, *self.doubtful_groups(by_group)]
        if most == 1:
            pair_cells = [self._only_pair(metric, pairs_of_group, names) for pairs_of_group in by_group.values()]
            columns = [*table.columns, *self._pair_columns[:4]]
            rows: list[TableRow] = [[*row, *cells] for row, cells in zip(table.rows, pair_cells, strict=True)]
            return [replace(table, columns=columns, rows=rows, legend=legend)]
        columns = [*table_columns("text", self.group_head, "system", "against"), *self._pair_columns[:4]]
        rows = [
            [shown_group(group), *row[:6]]
            for group, pairs_of_group in by_group.items()
            for row in self._pair_rows(metric, pairs_of_group)
        ]
        return [table, ReportTable(columns, rows, (), f"{label}: differences", legend, sections_of(rows))]

    def doubtful_groups(self, pairs: Mapping[str, Sequence[Pair]]) -> Iterator[str]:
        """Yield the groups in which no permutation test can show a difference, and those whose interval disagrees."""
        alpha = self.comparison.alpha
        if not self.comparison.signature.startswith("ar:"):
            return
        defined = {group: [pair for pair in tested if pair.is_defined] for group, tested in pairs.items()}
        fewest = fewest_differences(alpha)
        few = [group for group, tested in defined.items() if tested and max(pair.differing for pair in tested) < fewest]
        if few:
            names = listed([*map(shown_group, few)])
            yield f"{names}: outputs differ in fewer than {fewest} sentences, too few for p < {alpha:g}"
        unlike = [
            group for group in defined if group not in few and any(disagrees(pair, alpha) for pair in defined[group])
        ]
        if unlike:
            names = listed([*map(shown_group, unlike)])
            yield f"{names}: p is by permutation, with which the interval of a difference disagrees"

    def _only_pair(
        self, metric: MetricComparison, pairs: Sequence[Pair], names: Sequence[str]
    ) -> list[Value | TableCell]:
        """Return the difference of the two systems, in the order of the columns."""
        if not pairs:
            return [None] * 4
        [pair] = pairs
        ahead = pair.b == self.comparison.baseline or names.index(pair.a) < names.index(pair.b)
        return self._pair_cells(metric, pair if ahead else pair.swapped())[:4]

    # --- for programs ---

    def _labels(self, of: SystemScore | Pair) -> list[str]:
        return [of.metric, *([shown_group(of.group)] if self.comparison.groups else ())]

    @property
    def _label_heads(self) -> list[str]:
        return ["metric", *([self.group_head] if self.comparison.groups else ())]

    def _system_records(self) -> ReportTable:
        scores = {(score.metric, score.group, score.system): score for score in self.comparison.systems}
        groups = [None, *self.comparison.groups]
        keys = [(metric, group, name) for metric, names in self._order.items() for group in groups for name in names]
        rows: list[TableRow] = [
            [*self._labels(score), score.system, *ranking_cells(score, self.comparison[score.metric].in_percent)]
            for score in (scores[key] for key in keys if key in scores)
        ]
        return ReportTable([*table_columns("text", *self._label_heads, "system"), *RANKING_COLUMNS], rows)

    def _pair_records(self, pairs: Sequence[Pair]) -> ReportTable:
        of_annotators = pairs[0].annotator is not None
        columns = [
            *table_columns("text", *self._label_heads, *(["annotator"] if of_annotators else []), "a", "b"),
            *table_columns("score", "difference", "low", "high"),
            *table_columns("exact", "p", "p_adjusted"),
            TableColumn("effect", "score"),
            *table_columns("score", "better", "equal", "worse", percent=True),
            TableColumn("differing", "count"),
        ]
        rows: list[TableRow] = []
        for pair in pairs:
            percent = self.comparison[pair.metric].in_percent
            annotator = [str(pair.annotator)] if of_annotators else []
            numbers = [TableCell(value, percent=percent) for value in (pair.difference, pair.low, pair.high)]
            tests = (pair.p, pair.p_adjusted, pair.effect, pair.better, pair.equal, pair.worse, pair.differing)
            rows.append([*self._labels(pair), *annotator, pair.a, pair.b, *numbers, *tests])
        return ReportTable(columns, rows)

    # --- for papers ---

    def _paper_scores(self) -> ReportTable:
        comparison, (mark, legend) = self.comparison, mark_of(self.comparison)
        names = next(iter(self._order.values()))
        columns: FilledColumns = [(TableColumn("system"), names)]
        for metric in comparison.values():
            values = {score.system: score.value for score in metric.scores_of(None)}
            scores, marked = [values[name] for name in names], marked_systems(comparison, metric)
            cells = zip(names, score_cells(metric, names, scores, comparison.uncorrected), strict=True)
            column = TableColumn(metric.heads.formula, "figure", metric.in_percent)
            columns.append((column, [replace(cell, mark=mark if name in marked else "") for name, cell in cells]))
        is_marked = has_marks(cell for _, cells in columns for cell in cells)
        metrics = list(comparison.values())
        below = [*([legend] if is_marked else []), *ceiling_lines(metrics)]
        if comparison.primary is not None and len(metrics) > 1:
            below.append(f"only {comparison[comparison.primary].label} is tested: other columns have no {mark}")
        return column_table(columns, self._notes, legend=below, above=mixed_forms_lines(metrics))

    def _paper_pairs(self) -> ReportTable:
        several = len(self.comparison) > 1
        rows, begins = list[TableRow](), []
        for name in filter(self.comparison.is_tested, self.comparison):
            begins.append(len(rows))
            metric = self.comparison[name]
            label = [metric.label] if several else []
            rows += [[*label, *row[:4], row[5]] for row in self.pairs(metric).rows]
        difference, limits, _, adjusted, _ = self._pair_columns
        heads = [*(["metric"] if several else []), "system", "against"]
        marked = has_marks(cell for row in rows for cell in row)
        legend = [f"* more than chance (adjusted p < {self.comparison.alpha:g})"] if marked else []
        columns = [*table_columns("text", *heads), difference, limits, adjusted]
        return ReportTable(columns, rows, legend=legend, sections=begins[1:])

    # --- power ---

    def _power(self, kind: ColumnKind, title: str = "") -> ReportTable:
        """Return the power of each pair.

        Each row has the number of sentences that its difference requires and the difference that the present sentences
        can detect.
        """
        power = [power_facing(self.comparison, row) for row in self.power]
        grouped, chance = any(row.group is not None for row in power), f"{100 * power[0].power:g} %"
        columns = [
            *table_columns("text", "metric", *([self.group_head] if grouped else ()), "system", "against"),
            TableColumn("difference", kind),
            *table_columns("count", "sentences", f"needed for {chance}"),
            TableColumn("detectable", "score"),
        ]
        rows: list[TableRow] = []
        for row in power:
            metric = self.comparison[row.metric]
            labels = [metric.label, *([shown_group(row.group)] if grouped else ())]
            difference, detectable = (
                TableCell(value, percent=metric.in_percent) for value in (row.difference, row.detectable)
            )
            rows.append([*labels, row.a, row.b, difference, row.sentences, row.needed, detectable])
        note = f"detectable: the smallest difference that these sentences show in {chance} of cases, by one test"
        return ReportTable(columns, rows, title=title, legend=[note])


def mark_of(comparison: Comparison) -> tuple[str, str]:
    """Return the mark of systems in tables of scores, and its legend; see marked_systems."""
    alpha = f"{comparison.alpha:g}"
    if comparison.baseline is None:
        return "†", f"† not shown to differ from the best (adjusted p ≥ {alpha})"
    return "*", f"* differs from {comparison.baseline} by more than chance (adjusted p < {alpha})"


def disagrees(pair: Pair, alpha: float) -> bool:
    """Return whether the interval of a difference excludes 0 and p is not below alpha, or the reverse."""
    excludes = pair.low > TOLERANCE or pair.high < -TOLERANCE
    return pair.is_defined and not math.isnan(pair.low) and excludes != (pair.p < alpha)
