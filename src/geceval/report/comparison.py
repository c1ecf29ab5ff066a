"""A comparison of systems: scores with intervals and ranks, differences with p, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from geceval.report.documents import as_json
from geceval.report.layout import (
    Layout,
    best_first,
    figure,
    from_the_better,
    groups_of,
    interval,
    is_shown,
    label_of,
    metrics_of,
    ordered,
    overall,
    p_value,
    power_facing,
    score_rows,
    shown_figure,
    shown_group,
    sign_of,
    turned,
)
from geceval.report.numbers import percent, round_half_up
from geceval.report.scores import SOURCE_NOTE, best_cells, confidence, figure_name, minus, with_formula
from geceval.report.tables import Table, written
from geceval.report.words import power_verdicts, verdicts
from geceval.studies.comparison.comparison_results import Comparison, Pair, Power, SystemScore
from geceval.text.source_row import SOURCE

SCHEMA = "geceval/comparison@1"


def render(comparison: Comparison, layout: Layout, inputs: Mapping[str, Any], power: Sequence[Power] = ()) -> str:
    """The comparison in one of report.tables.FORMATS, and what ``power`` says of the sentences that it takes.

    Text and Markdown have tables for each metric and end in words; CSV and TSV have one of systems and one of pairs;
    LaTeX has systems × metrics and one of pairs. Raises UsageError for an order that does not exist.
    """
    if layout.output == "json":
        more = {"power": power} if power else {}
        return as_json(SCHEMA, comparison_dict(comparison) | more | {"inputs": inputs})
    order = ordered(comparison, layout.sort)
    make = _for_people if layout.for_people else _for_programs if layout.for_programs else _for_papers
    tables = make(comparison, order, layout)
    if power:
        tables.append(_power_table(comparison, power, layout))
    if layout.for_people:
        tables[-1] = replace(tables[-1], notes=_notes(comparison))
    said = [*verdicts(comparison, layout), *power_verdicts(comparison, power, layout)]
    return "\n".join(written(table, layout.output, layout.width) for table in tables) + _words(said, layout)


def comparison_dict(comparison: Comparison) -> dict[str, Any]:
    """All there is to know, in raw numbers: differences are a − b, what was asked for first."""
    first = ("a", "b", "metric", "difference", "low", "high", "p", "p_adjusted", "better", "equal", "worse")
    pairs = [{name: vars(pair)[name] for name in first} | vars(pair) for pair in comparison.pairs]
    rest = {field.name: getattr(comparison, field.name) for field in fields(comparison)}
    return {"systems": comparison.systems, "pairs": pairs, "signature": comparison.signature} | {
        name: value for name, value in rest.items() if name not in ("systems", "pairs", "signature")
    }


# --- tables for people ---


def _for_people(comparison: Comparison, order: Callable[[str], list[str]], layout: Layout) -> list[Table]:
    tables = []
    groups = groups_of(comparison)
    for metric in metrics_of(comparison):
        names = order(metric)
        if any(score.group is None for score in comparison.systems if score.metric == metric):
            tables.append(_system_table(comparison, metric, names, layout))
            if any(pair.group is None and pair.metric == metric for pair in comparison.pairs):
                tables.append(pair_table(comparison, metric, names, layout))
        if any(score.group is not None for score in comparison.systems if score.metric == metric):
            tables += _group_tables(comparison, metric, names, groups, layout)
    return tables


def _notes(comparison: Comparison) -> list[str]:
    guard = [SOURCE_NOTE] if any(score.system == SOURCE for score in comparison.systems) else []
    return [*guard, comparison.signature, *comparison.signatures.values()]


def _size(comparison: Comparison) -> str:
    blocks = f" in {comparison.blocks} blocks" if comparison.blocks != comparison.sentences else ""
    return f"{comparison.sentences} sentences{blocks}"


def _system_table(comparison: Comparison, metric: str, names: Sequence[str], layout: Layout) -> Table:
    name = figure_name(comparison.signatures.get(metric, ""))
    rows, sections, best = score_rows(
        overall(comparison, metric),
        names,
        lambda value: shown_figure(comparison, metric, value, layout.digits),
        sign_of(comparison, metric),
    )
    heads = ["system", name, f"{confidence(comparison.alpha)} interval", "s.d.", "ranks", "cluster"]
    title = f"{label_of(comparison, metric)}, {_size(comparison)}"
    table = Table(heads, rows, (), frozenset(range(1, 6)), title, (), best, sections, spare=(3, 5))
    if len(comparison.pairs) and comparison.baseline is None:
        return table
    # Places need a test of every pair.
    return replace(table.columns(range(4)), sections=frozenset())


def pair_table(comparison: Comparison, metric: str, names: Sequence[str], layout: Layout) -> Table:
    pairs = _sorted_pairs(comparison, names, [p for p in comparison.pairs if p.metric == metric and p.group is None])
    heads = ["system", "against", *_pair_heads(comparison)]
    rows = [[pair.a, pair.b, *_pair_cells(pair, comparison, layout)] for pair in pairs]
    legend = [_mark_legend(comparison)]
    against = "" if comparison.baseline is None else f" from {comparison.baseline}, the baseline"
    title = f"{label_of(comparison, metric)}: differences{against}"
    return Table(heads, rows, (), frozenset(range(2, len(heads))), title, legend, spare=_spare(heads))


def _spare(heads: Sequence[str]) -> list[int]:
    return [heads.index(head) for head in ("effect", "p", "equal", "worse", "better")]


def _pair_heads(comparison: Comparison) -> list[str]:
    return [
        "difference",
        f"{confidence(comparison.alpha)} interval",
        "p",
        "p adjusted",
        "effect",
        "better",
        "equal",
        "worse",
    ]


def _pair_cells(pair: Pair, comparison: Comparison, layout: Layout) -> list[str]:
    shares = [f"{percent(share, 0)} %" for share in (pair.better, pair.equal, pair.worse)]
    return [
        _signed(figure(comparison, pair.metric, pair.difference, layout.digits)),
        interval(comparison, pair, layout.digits),
        p_value(pair.p),
        p_value(pair.p_adjusted) + ("*" if is_shown(pair, comparison.alpha) else ""),
        minus(round_half_up(pair.effect, 2)),
        *shares,
    ]


def _signed(difference: str) -> str:
    shown = minus(difference)
    return shown if shown.startswith("−") or not shown.strip("0.") else f"+{shown}"


def _sorted_pairs(comparison: Comparison, names: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
    """Each from the better system's side (or from that of what is held against the baseline), in the systems' order."""
    place = {name: at for at, name in enumerate(names)}
    if comparison.baseline is None:
        facing = [from_the_better(pair, comparison) for pair in pairs]
    else:
        facing = [turned(pair) if pair.a == comparison.baseline else pair for pair in pairs]
    return sorted(facing, key=lambda pair: (place[pair.a], place[pair.b]))


def _mark_legend(comparison: Comparison) -> str:
    return f"* more than chance: adjusted p < {comparison.alpha:g}; better, equal, worse: share of the sentences"


def _group_tables(
    comparison: Comparison, metric: str, names: Sequence[str], groups: Sequence[str], layout: Layout
) -> list[Table]:
    """Groups × systems; the difference beside them where there is but one pair, else pairs in a table of their own."""
    pairs = [pair for pair in comparison.pairs if pair.metric == metric and pair.group is not None]
    by_group = {group: [pair for pair in pairs if pair.group == group] for group in groups}
    alone = bool(pairs) and all(len(own) <= 1 for own in by_group.values())
    scores = {(score.group, score.system): score for score in comparison.systems if score.metric == metric}
    rows: list[list[str]] = []
    best, top = set(), max if sign_of(comparison, metric) > 0 else min
    for group in groups:
        own = [scores[group, name].value if (group, name) in scores else None for name in names]
        known = [value for value in own if value is not None]
        best |= {(len(rows), 1 + at) for at, value in enumerate(own) if known and value == top(known)}
        cells = ["" if value is None else shown_figure(comparison, metric, value, layout.digits) for value in own]
        between = _alone_cells(by_group[group], names, comparison, layout) if alone else []
        rows.append([shown_group(group), *cells, *between])
    heads = [layout.groups, *names]
    heads += ["difference", f"{confidence(comparison.alpha)} interval", "p", "p adjusted"] if alone else []
    name = figure_name(comparison.signatures.get(metric, ""))
    label = f"{label_of(comparison, metric)} by {layout.groups}"
    title = f"{label}, {name}, {_size(comparison)}"
    legend = [f"* more than chance: adjusted p < {comparison.alpha:g}"] if alone else []
    table = Table(heads, rows, (), frozenset(range(1, len(heads))), title, legend, frozenset(best))
    if alone or not pairs:
        return [table]
    heads = [layout.groups, "system", "against", *_pair_heads(comparison)]
    rows = [
        [shown_group(group), pair.a, pair.b, *_pair_cells(pair, comparison, layout)]
        for group in groups
        for pair in _sorted_pairs(comparison, names, by_group[group])
    ]
    begins = [at for at in range(1, len(rows)) if rows[at][0] != rows[at - 1][0]]
    return [
        table,
        Table(
            heads, rows, (), frozenset(range(3, len(heads))), f"{label}: differences",
            [_mark_legend(comparison)], sections=frozenset(begins), spare=_spare(heads),
        ),
    ]  # fmt: skip


def _alone_cells(pairs: Sequence[Pair], names: Sequence[str], comparison: Comparison, layout: Layout) -> list[str]:
    """The difference of the first column's system from the second's, whichever is better in the group."""
    if not pairs:
        return [""] * 4
    [pair] = pairs
    ahead = pair.b == comparison.baseline or names.index(pair.a) < names.index(pair.b)
    difference, limits, p, adjusted, *_ = _pair_cells(pair if ahead else turned(pair), comparison, layout)
    return [difference, limits, p, adjusted]


# --- tables for programs and papers ---


def _for_programs(comparison: Comparison, order: Callable[[str], list[str]], layout: Layout) -> list[Table]:
    """All systems, all pairs; a − b as given, p in full."""
    grouped = [layout.groups] if groups_of(comparison) else []
    sides = ("low", "high")
    heads = ["metric", *grouped, "system", "value", *sides, "deviation", "rank_low", "rank_high", "cluster"]
    places = {(metric, name): at for metric in metrics_of(comparison) for at, name in enumerate(order(metric))}
    groups = [None, *groups_of(comparison)]
    metrics = metrics_of(comparison)
    by_place = sorted(
        comparison.systems,
        key=lambda s: (metrics.index(s.metric), groups.index(s.group), places[s.metric, s.system]),
    )
    rows = [
        [
            *_labels(score, grouped),
            score.system,
            *(
                figure(comparison, score.metric, value, layout.digits)
                for value in (score.value, score.low, score.high, score.deviation)
            ),
            *map(str, (score.rank_low, score.rank_high, score.cluster)),
        ]
        for score in by_place
    ]
    tables = [Table(heads, rows)]
    if comparison.pairs:
        heads = ["metric", *grouped, "a", "b", "difference", *sides, "p", "p_adjusted", "effect"]
        heads += ["better", "equal", "worse", "differing"]
        rows = [
            [
                *_labels(pair, grouped),
                pair.a,
                pair.b,
                *(
                    figure(comparison, pair.metric, value, layout.digits)
                    for value in (pair.difference, pair.low, pair.high)
                ),
                *(p_value(p, exact=True) for p in (pair.p, pair.p_adjusted)),
                round_half_up(pair.effect, layout.digits),
                *(percent(share, layout.digits) for share in (pair.better, pair.equal, pair.worse)),
                str(pair.differing),
            ]
            for pair in comparison.pairs
        ]
        tables.append(Table(heads, rows))
    return tables


def _labels(of: SystemScore | Pair, grouped: Sequence[str]) -> list[str]:
    return [of.metric, *([shown_group(of.group)] if grouped else ())]


def _for_papers(comparison: Comparison, order: Callable[[str], list[str]], layout: Layout) -> list[Table]:
    """Systems × metrics, and pairs, of the whole corpus; then groups × systems."""
    tables = [_paper_scores(comparison, order, layout)]
    if comparison.pairs:
        tables.append(_paper_pairs(comparison, order, layout))
    groups = groups_of(comparison)
    for metric in metrics_of(comparison):
        if any(score.group is not None for score in comparison.systems if score.metric == metric):
            tables += _group_tables(comparison, metric, order(metric), groups, layout)
    return tables


def _paper_scores(comparison: Comparison, order: Callable[[str], list[str]], layout: Layout) -> Table:
    metrics = metrics_of(comparison)
    names = order(metrics[0])
    values = {(score.metric, score.system): score for score in comparison.systems if score.group is None}
    marks = _paper_marks(comparison)
    rows = [
        [
            name,
            *(
                shown_figure(comparison, metric, values[metric, name].value, layout.digits)
                + marks.get((metric, name), "")
                for metric in metrics
            ),
        ]
        for name in names
    ]
    numbers = [[sign_of(comparison, metric) * values[metric, name].value for metric in metrics] for name in names]
    best = best_cells(numbers, range(1, 1 + len(metrics)))
    signed = comparison.signatures
    heads = ["system", *(with_formula(label_of(comparison, metric), signed.get(metric, "")) for metric in metrics)]
    legend = [_paper_legend(comparison)] if comparison.pairs else []
    return Table(heads, rows, _notes(comparison), frozenset(range(1, len(heads))), "", legend, best)


def _paper_marks(comparison: Comparison) -> dict[tuple[str, str], str]:
    """* differs from the baseline; without one, † is not shown to differ from the best."""
    alpha, marks = comparison.alpha, {}
    whole = [pair for pair in comparison.pairs if pair.group is None]
    if comparison.baseline is not None:
        for pair in whole:
            if is_shown(pair, alpha):
                other = pair.b if pair.a == comparison.baseline else pair.a
                marks[pair.metric, other] = "*"
        return marks
    for metric in metrics_of(comparison):
        best = best_first(comparison, metric)[0].system
        for pair in whole:
            if pair.metric == metric and best in (pair.a, pair.b) and not is_shown(pair, alpha):
                marks[metric, pair.b if pair.a == best else pair.a] = "†"
    return marks


def _paper_legend(comparison: Comparison) -> str:
    if comparison.baseline is not None:
        return f"* differs from {comparison.baseline} by more than chance (adjusted p < {comparison.alpha:g})"
    return f"† not shown to differ from the best (adjusted p ≥ {comparison.alpha:g})"


def _paper_pairs(comparison: Comparison, order: Callable[[str], list[str]], layout: Layout) -> Table:
    metrics = metrics_of(comparison)
    several = len(metrics) > 1
    heads = [*(["metric"] if several else []), "system", "against", "difference"]
    heads += [f"{confidence(comparison.alpha)} interval", "p adjusted"]
    rows: list[list[str]] = []
    begins = []
    for metric in metrics:
        begins.append(len(rows))
        own = [pair for pair in comparison.pairs if pair.metric == metric and pair.group is None]
        named = [label_of(comparison, metric)] if several else []
        for pair in _sorted_pairs(comparison, order(metric), own):
            difference, limits, _, adjusted, *_ = _pair_cells(pair, comparison, layout)
            rows.append([*named, pair.a, pair.b, difference, limits, adjusted])
    first = 2 + several
    legend = [f"* more than chance (adjusted p < {comparison.alpha:g})"]
    return Table(heads, rows, (), frozenset(range(first, len(heads))), "", legend, sections=frozenset(begins[1:]))


def _words(said: Sequence[str], layout: Layout) -> str:
    if not layout.for_people or not said:
        return ""
    end = "  \n" if layout.output == "markdown" else "\n"
    return "\n" + "".join(line + end for line in said)


# --- power ---


def _power_table(comparison: Comparison, power: Sequence[Power], layout: Layout) -> Table:
    """A row for each pair: the sentences that would show its difference, the difference that these sentences show."""
    grouped = [layout.groups] if any(row.group is not None for row in power) else []
    chance = f"{100 * power[0].power:g} %"
    heads = ["metric", *grouped, "system", "against", "difference", "sentences", f"needed for {chance}", "detectable"]
    facing = [power_facing(comparison, row) for row in power]
    rows = [
        [
            label_of(comparison, row.metric),
            *([shown_group(row.group)] if grouped else ()),
            row.a,
            row.b,
            (str if layout.for_programs else _signed)(figure(comparison, row.metric, row.difference, layout.digits)),
            str(row.sentences),
            "" if row.needed is None else str(row.needed),
            figure(comparison, row.metric, row.detectable, layout.digits),
        ]
        for row in facing
    ]
    right = frozenset(range(len(heads) - 4, len(heads)))
    note = f"detectable: the smallest difference that these sentences show in {chance} of cases, by one test"
    return Table(heads, rows, (), right, "" if layout.for_programs else "Power", [note])
