"""A comparison of systems: scores with intervals and ranks, differences with p, and what they mean in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from geceval.comparison.ranking import Ranking
from geceval.comparison.results import Comparison, Pair, Power, SystemScore
from geceval.report.documents import as_json
from geceval.report.numbers import percent, round_half_up
from geceval.report.scores import (
    BY_NAME,
    GIVEN,
    best_cells,
    bounds,
    confidence,
    figure_name,
    metric_named,
    minus,
    with_formula,
)
from geceval.report.tables import Table, written
from geceval.statistics.rankings import AGGREGATIONS

SCHEMA = "geceval/comparison@1"

#: An order of the systems: in each table by its own metric.
BY_SCORE = "score"

#: How groups are called in a head, by what they were asked for.
KIND_HEADS = {"type": "type", "full": "type", "operation": "operation", "length": "length"}


@dataclass(frozen=True)
class Layout:
    """How a comparison is shown: one of report.tables.FORMATS, decimals, the order of the systems (a metric's name,
    or GIVEN, BY_NAME, or BY_SCORE: each table by its own metric), how groups are called, the terminal's width."""

    output: str = "table"
    digits: int = 2
    sort: str = BY_SCORE
    groups: str = "group"
    width: int | None = None

    @property
    def for_programs(self) -> bool:
        """Numbers as they are, all in one table."""
        return self.output in ("csv", "tsv")


def render(comparison: Comparison, layout: Layout, inputs: Mapping[str, Any], power: Sequence[Power] = ()) -> str:
    """The comparison in one of report.tables.FORMATS, and what ``power`` says of the sentences that it takes.

    Text and Markdown have tables for each metric and end in words; CSV and TSV have one of systems and one of pairs;
    LaTeX has systems × metrics and one of pairs. Raises UsageError for an order that does not exist.
    """
    if layout.output == "json":
        more = {"power": power} if power else {}
        return as_json(SCHEMA, comparison_dict(comparison) | more | {"inputs": inputs})
    order = ordered(comparison, layout.sort)
    make = {"csv": _for_programs, "tsv": _for_programs, "latex": _for_papers}.get(layout.output, _for_people)
    tables = make(comparison, order, layout)
    if power:
        tables.insert(0 if layout.output == "latex" else len(tables), _power_table(comparison, power, layout))
    if layout.output not in ("csv", "tsv", "latex"):
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


# --- order ---


def ordered(comparison: Comparison, sort: str) -> Callable[[str], list[str]]:
    """The names of the systems in the order in which a metric's tables show them."""
    given = list(dict.fromkeys(score.system for score in comparison.systems))
    if sort in (GIVEN, BY_NAME):
        names = sorted(given) if sort == BY_NAME else given
        return lambda metric: names
    called = {_label(comparison, metric): metric for metric in metrics_of(comparison)}
    named = None if sort == BY_SCORE else called[metric_named(sort, list(called))]

    def by_score(metric: str) -> list[str]:
        own, sign = named or metric, _sign(comparison, named or metric)
        values = {score.system: -sign * score.value for score in _overall(comparison, own)}
        return sorted(given, key=values.__getitem__)

    return by_score


def metrics_of(comparison: Comparison) -> list[str]:
    """The metrics in the order given."""
    return list(dict.fromkeys(score.metric for score in comparison.systems))


def groups_of(comparison: Comparison) -> list[str]:
    """The groups in the order given; that of all sentences is none."""
    return list(dict.fromkeys(score.group for score in comparison.systems if score.group is not None))


def shown_group(group: str | None) -> str:
    """What a group is called in a table; None are all sentences."""
    return "all" if group is None else group or "(none)"


def _overall(comparison: Comparison, metric: str, group: str | None = None) -> list[SystemScore]:
    """A metric's scores of the whole corpus, or of the first group where only groups were compared."""
    own = [score for score in comparison.systems if score.metric == metric]
    groups = {score.group for score in own}
    wanted = group if group in groups else own[0].group
    return [score for score in own if score.group == wanted]


# --- cells ---


def p_value(p: float, *, exact: bool = False) -> str:
    """A p-value as papers print it: .003, <.001; ``exact``: as a number for programs."""
    if exact or p != p:
        return f"{p:.6g}"
    if p < 0.001:
        return "<.001"
    return "1" if p >= 0.9995 else f"{p:.3f}".removeprefix("0")


def _said_p(pair: Pair, comparison: Comparison) -> str:
    shown = p_value(pair.p_adjusted)
    value = f"p {shown[0]} {shown[1:]}" if shown.startswith("<") else f"p = {shown}"
    together = [other for other in comparison.pairs if (other.group is None) == (pair.group is None)]
    return f"{value} (adjusted)" if len(together) > 1 else value


def _is_shown(pair: Pair, alpha: float) -> bool:
    return pair.p_adjusted < alpha and pair.difference != 0


def _sign(comparison: Comparison, metric: str) -> int:
    """-1 for a metric of which a low score is a good one."""
    return -1 if metric in comparison.lower_is_better else 1


def _label(comparison: Comparison, metric: str) -> str:
    """GREEN beta=0.5: what a metric is called in its signature, and the settings that its name has."""
    label, _, rest = comparison.signatures.get(metric, "").partition("|")
    settings = metric.partition(":")[2].replace(",", " ")
    return f"{label if rest else metric} {settings}".strip() if rest else metric


def _from_the_better(pair: Pair, comparison: Comparison) -> Pair:
    """The same pair with the better system first."""
    return _turned(pair) if _sign(comparison, pair.metric) * pair.difference < 0 else pair


def _turned(pair: Pair) -> Pair:
    """The same pair with the other system first."""
    return replace(
        pair, a=pair.b, b=pair.a, difference=-pair.difference, low=-pair.high, high=-pair.low, effect=-pair.effect,
        better=pair.worse, worse=pair.better,
    )  # fmt: skip


# --- tables for people ---


def _for_people(comparison: Comparison, order: Callable[[str], list[str]], layout: Layout) -> list[Table]:
    tables = []
    groups = groups_of(comparison)
    for metric in metrics_of(comparison):
        names = order(metric)
        if any(score.group is None for score in comparison.systems if score.metric == metric):
            tables.append(_system_table(comparison, metric, names, layout))
            if any(pair.group is None and pair.metric == metric for pair in comparison.pairs):
                tables.append(_pair_table(comparison, metric, names, layout))
        if any(score.group is not None for score in comparison.systems if score.metric == metric):
            tables += _group_tables(comparison, metric, names, groups, layout)
    return tables


def _notes(comparison: Comparison) -> list[str]:
    return [
        *(f"warning: {text}" for text in comparison.warnings),
        comparison.signature,
        *comparison.signatures.values(),
    ]


def _size(comparison: Comparison) -> str:
    blocks = f" in {comparison.blocks} blocks" if comparison.blocks != comparison.sentences else ""
    return f"{comparison.sentences} sentences{blocks}"


def score_rows(
    scores: Sequence[SystemScore], names: Sequence[str], shown: Callable[[float], str], sign: int = 1
) -> tuple[list[list[str]], frozenset[int], frozenset[tuple[int, int]]]:
    """Rows of system, score, interval, deviation, ranks and cluster; where clusters begin, if the best come first; and
    the cell of the best score."""
    by_name = {score.system: score for score in scores}
    own = [by_name[name] for name in names if name in by_name]
    rows = [
        [
            score.system,
            shown(score.value),
            f"[{shown(score.low)}, {shown(score.high)}]",
            shown(score.deviation),
            f"{score.rank_low}-{score.rank_high}",
            str(score.cluster),
        ]
        for score in own
    ]
    clusters = [score.cluster for score in own]
    begins = [at for at in range(1, len(own)) if clusters[at] != clusters[at - 1]]
    top = (max if sign > 0 else min)((score.value for score in own), default=0.0)
    best = frozenset((at, 1) for at, score in enumerate(own) if score.value == top)
    return rows, frozenset(begins if clusters == sorted(clusters) else ()), best


def _system_table(comparison: Comparison, metric: str, names: Sequence[str], layout: Layout) -> Table:
    name = figure_name(comparison.signatures.get(metric, ""))
    rows, sections, best = score_rows(
        _overall(comparison, metric),
        names,
        lambda value: minus(percent(value, layout.digits)),
        _sign(comparison, metric),
    )
    heads = ["system", name, f"{confidence(comparison.alpha)} interval", "s.d.", "ranks", "cluster"]
    title = f"{_label(comparison, metric)}, {_size(comparison)}"
    table = Table(heads, rows, (), frozenset(range(1, 6)), title, (), best, sections, spare=(3, 5))
    if len(comparison.pairs) and comparison.baseline is None:
        return table
    # Places need a test of every pair.
    return replace(table.columns(range(4)), sections=frozenset())


def _pair_table(comparison: Comparison, metric: str, names: Sequence[str], layout: Layout) -> Table:
    pairs = _sorted_pairs(comparison, names, [p for p in comparison.pairs if p.metric == metric and p.group is None])
    heads = ["system", "against", *_pair_heads(comparison)]
    rows = [[pair.a, pair.b, *_pair_cells(pair, comparison, layout)] for pair in pairs]
    legend = [_mark_legend(comparison)]
    against = "" if comparison.baseline is None else f" from {comparison.baseline}, the baseline"
    title = f"{_label(comparison, metric)}: differences{against}"
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
        _signed(pair.difference, layout.digits),
        bounds(pair, layout.digits),
        p_value(pair.p),
        p_value(pair.p_adjusted) + ("*" if _is_shown(pair, comparison.alpha) else ""),
        minus(round_half_up(pair.effect, 2)),
        *shares,
    ]


def _signed(difference: float, digits: int) -> str:
    shown = minus(percent(difference, digits))
    return shown if shown.startswith("−") or not shown.strip("0.") else f"+{shown}"


def _sorted_pairs(comparison: Comparison, names: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
    """Each from the better system's side (or from that of what is held against the baseline), in the systems' order."""
    place = {name: at for at, name in enumerate(names)}
    if comparison.baseline is None:
        facing = [_from_the_better(pair, comparison) for pair in pairs]
    else:
        facing = [_turned(pair) if pair.a == comparison.baseline else pair for pair in pairs]
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
    best, top = set(), max if _sign(comparison, metric) > 0 else min
    for group in groups:
        own = [scores[group, name].value if (group, name) in scores else None for name in names]
        known = [value for value in own if value is not None]
        best |= {(len(rows), 1 + at) for at, value in enumerate(own) if known and value == top(known)}
        cells = ["" if value is None else minus(percent(value, layout.digits)) for value in own]
        rows.append(
            [shown_group(group), *cells, *(_alone_cells(by_group[group], names, comparison, layout) if alone else ())]
        )
    heads = [layout.groups, *names]
    heads += ["difference", f"{confidence(comparison.alpha)} interval", "p", "p adjusted"] if alone else []
    name = figure_name(comparison.signatures.get(metric, ""))
    label = f"{_label(comparison, metric)} by {layout.groups}"
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
    difference, bounds, p, adjusted, *_ = _pair_cells(pair if ahead else _turned(pair), comparison, layout)
    return [difference, bounds, p, adjusted]


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
            *(percent(value, layout.digits) for value in (score.value, score.low, score.high, score.deviation)),
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
                *(percent(value, layout.digits) for value in (pair.difference, pair.low, pair.high)),
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
    metrics = metrics_of(comparison)
    if groups_of(comparison):
        people = [table for table in _for_people(comparison, order, layout) if layout.groups in table.heads]
        return [*people[:-1], replace(people[-1], notes=_notes(comparison))]
    names = order(metrics[0])
    values = {(score.metric, score.system): score for score in comparison.systems}
    marks = _paper_marks(comparison)
    rows = [
        [
            name,
            *(
                minus(percent(values[metric, name].value, layout.digits)) + marks.get((metric, name), "")
                for metric in metrics
            ),
        ]
        for name in names
    ]
    numbers = [[_sign(comparison, metric) * values[metric, name].value for metric in metrics] for name in names]
    best = best_cells(numbers, range(1, 1 + len(metrics)))
    signed = comparison.signatures
    heads = ["system", *(with_formula(_label(comparison, metric), signed.get(metric, "")) for metric in metrics)]
    legend = [_paper_legend(comparison)] if comparison.pairs else []
    table = Table(heads, rows, _notes(comparison), frozenset(range(1, len(heads))), "", legend, best)
    if not comparison.pairs:
        return [table]
    return [table, _paper_pairs(comparison, metrics, order, layout)]


def _paper_marks(comparison: Comparison) -> dict[tuple[str, str], str]:
    """* differs from the baseline; without one, † is not shown to differ from the best."""
    alpha, marks = comparison.alpha, {}
    if comparison.baseline is not None:
        for pair in comparison.pairs:
            if _is_shown(pair, alpha):
                other = pair.b if pair.a == comparison.baseline else pair.a
                marks[pair.metric, other] = "*"
        return marks
    for metric in metrics_of(comparison):
        best = _best_first(comparison, metric)[0].system
        for pair in comparison.pairs:
            if pair.metric == metric and best in (pair.a, pair.b) and not _is_shown(pair, alpha):
                marks[metric, pair.b if pair.a == best else pair.a] = "†"
    return marks


def _best_first(comparison: Comparison, metric: str) -> list[SystemScore]:
    return sorted(_overall(comparison, metric), key=lambda score: -_sign(comparison, metric) * score.value)


def _paper_legend(comparison: Comparison) -> str:
    if comparison.baseline is not None:
        return f"* differs from {comparison.baseline} by more than chance (adjusted p < {comparison.alpha:g})"
    return f"† not shown to differ from the best (adjusted p ≥ {comparison.alpha:g})"


def _paper_pairs(
    comparison: Comparison, metrics: Sequence[str], order: Callable[[str], list[str]], layout: Layout
) -> Table:
    several = len(metrics) > 1
    heads = [
        *(["metric"] if several else []),
        "system",
        "against",
        "difference",
        f"{confidence(comparison.alpha)} interval",
    ]
    heads += ["p adjusted"]
    rows: list[list[str]] = []
    begins = []
    for metric in metrics:
        begins.append(len(rows))
        own = [pair for pair in comparison.pairs if pair.metric == metric]
        for pair in _sorted_pairs(comparison, order(metric), own):
            difference, bounds, _, adjusted, *_ = _pair_cells(pair, comparison, layout)
            rows.append(
                [*([_label(comparison, metric)] if several else []), pair.a, pair.b, difference, bounds, adjusted]
            )
    first = 2 + several
    legend = [f"* more than chance (adjusted p < {comparison.alpha:g})"]
    return Table(heads, rows, (), frozenset(range(first, len(heads))), "", legend, sections=frozenset(begins[1:]))


# --- words ---

#: Pairs without a difference that are named; more are counted.
NAMED = 3


def _words(said: Sequence[str], layout: Layout) -> str:
    if layout.output not in ("table", "markdown") or not said:
        return ""
    end = "  \n" if layout.output == "markdown" else "\n"
    return "\n" + "".join(line + end for line in said)


def verdicts(comparison: Comparison, layout: Layout) -> list[str]:
    """What came out, in sentences for people who never took statistics."""
    said: list[str] = []
    for metric in metrics_of(comparison):
        pairs = [pair for pair in comparison.pairs if pair.metric == metric]
        whole = [pair for pair in pairs if pair.group is None]
        if comparison.baseline is not None or len(whole) == 1:
            said += [sentence(pair, comparison, layout.digits) for pair in whole]
        elif whole:
            said.append(_about_the_best(whole, metric, comparison, layout.digits))
        grouped = [pair for pair in pairs if pair.group is not None]
        if grouped:
            said.append(_about_groups(grouped, metric, comparison, layout))
    if any(not _is_shown(pair, comparison.alpha) for pair in comparison.pairs):
        said.append("(No difference shown does not mean equal: more sentences might show one.)")
    return said


def sentence(pair: Pair, comparison: Comparison, digits: int) -> str:
    """One pair in words."""
    pair = _from_the_better(pair, comparison)
    metric = _label(comparison, pair.metric)
    size = minus(percent(abs(pair.difference), digits))
    how = f"{size} {bounds(pair if pair.difference >= 0 else _turned(pair), digits)}, {_said_p(pair, comparison)}"
    if _is_shown(pair, comparison.alpha):
        return f"{pair.a} is better than {pair.b} under {metric} by {how}."
    return f"No difference shown between {pair.a} and {pair.b} under {metric}: {how}."


def _about_the_best(pairs: Sequence[Pair], metric: str, comparison: Comparison, digits: int) -> str:
    """The best system against all others, and the nearest of them."""
    scores = _best_first(comparison, metric)
    best = scores[0].system
    rank = {score.system: at for at, score in enumerate(scores)}
    own = [pair if pair.a == best else _turned(pair) for pair in pairs if best in (pair.a, pair.b)]
    own.sort(key=lambda pair: rank[pair.b])
    beaten = [pair.b for pair in own if _is_shown(pair, comparison.alpha)]
    others = [pair.b for pair in own if pair.b not in beaten]
    nearest = sentence(own[0], comparison, digits)
    if not others:
        about = f"{best} is better than every other system"
    elif not beaten:
        about = f"{best} has the best score, but is not shown to be better than any other system"
    else:
        about = f"{best} is better than {_listed(beaten)}; no difference shown from {_listed(others)}"
    return f"{nearest} {about}{_about_the_rest(pairs, best, comparison)}."


def _about_the_rest(pairs: Sequence[Pair], best: str, comparison: Comparison) -> str:
    """The pairs without the best system in which no difference is shown, by name if they are few."""
    rest = [_from_the_better(pair, comparison) for pair in pairs if best not in (pair.a, pair.b)]
    open_ = [pair for pair in rest if not _is_shown(pair, comparison.alpha)]
    if not open_:
        return ""
    if len(open_) > NAMED:
        return f"; among the others no difference is shown in {len(open_)} of {len(rest)} pairs"
    return f"; no difference shown between {', nor between '.join(f'{pair.a} and {pair.b}' for pair in open_)}"


def _about_groups(pairs: Sequence[Pair], metric: str, comparison: Comparison, layout: Layout) -> str:
    shown = [_from_the_better(pair, comparison) for pair in pairs if _is_shown(pair, comparison.alpha)]
    about = f"By {layout.groups} under {_label(comparison, metric)}"
    tested = f"{len(pairs)} {'comparison' if len(pairs) == 1 else 'comparisons'}"
    if not shown:
        return f"{about}: no difference shown in {tested}."
    said: dict[tuple[str, str], list[str]] = {}
    for pair in shown:
        said.setdefault((pair.a, pair.b), []).append(shown_group(pair.group))
    parts = [f"{a} is better than {b} in {_listed(groups)}" for (a, b), groups in said.items()]
    rest = len(pairs) - len(shown)
    tail = f"; no difference shown in {rest} of {tested}" if rest else ""
    return f"{about}: {'; '.join(parts)}{tail}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# --- power ---


def _power_table(comparison: Comparison, power: Sequence[Power], layout: Layout) -> Table:
    """A row for each pair: the sentences that would show its difference, the difference that these sentences show."""
    grouped = [layout.groups] if any(row.group is not None for row in power) else []
    chance = f"{100 * power[0].power:g} %"
    heads = ["metric", *grouped, "system", "against", "difference", "sentences", f"needed for {chance}", "detectable"]
    facing = [_power_facing(comparison, row) for row in power]
    rows = [
        [
            _label(comparison, row.metric),
            *([shown_group(row.group)] if grouped else ()),
            row.a,
            row.b,
            _signed(row.difference, layout.digits),
            str(row.sentences),
            "" if row.needed is None else str(row.needed),
            percent(row.detectable, layout.digits),
        ]
        for row in facing
    ]
    right = frozenset(range(len(heads) - 4, len(heads)))
    note = (
        f"detectable: the smallest difference that these sentences show in {chance} of cases (one test, not adjusted)"
    )
    return Table(heads, rows, (), right, "Power", [note])


def power_verdicts(comparison: Comparison, power: Sequence[Power], layout: Layout) -> list[str]:
    """What it takes to tell each pair apart, in a sentence for each if they are few."""
    whole = [row for row in power if row.group is None]
    said = [_power_sentence(comparison, _power_facing(comparison, row), layout.digits) for row in whole]
    return said if len(whole) <= NAMED else []


def _power_sentence(comparison: Comparison, row: Power, digits: int) -> str:
    chance, detectable = f"{100 * row.power:g} %", percent(row.detectable, digits)
    about = f"{row.a} and {row.b} under {_label(comparison, row.metric)}"
    these = f"the {row.sentences} at hand show differences from {detectable} on"
    if row.needed is None:
        return f"{about} do not differ, so no number of sentences would show it; {these} with a chance of {chance}."
    size = percent(abs(row.difference), digits)
    takes = f"it takes about {row.needed} sentences to show a difference of {size} with a chance of {chance}"
    return f"Power: {takes} ({about}); {these}."


def _power_facing(comparison: Comparison, row: Power) -> Power:
    """The better system first, or the one that is held against the baseline."""
    if comparison.baseline is not None:
        turned = row.a == comparison.baseline
    else:
        turned = _sign(comparison, row.metric) * row.difference < 0
    return replace(row, a=row.b, b=row.a, difference=-row.difference) if turned else row


# --- rankings ---

RANKING_SCHEMA = "geceval/ranking@1"


def render_ranking(ranking: Ranking, layout: Layout, inputs: Mapping[str, Any]) -> str:
    """Places by a metric's verdicts, in one of report.tables.FORMATS: a table for each metric, one for programs."""
    if layout.output == "json":
        return as_json(RANKING_SCHEMA, vars(ranking) | {"inputs": inputs})
    metrics = list(dict.fromkeys(place.metric for place in ranking.systems))
    heads = ["system", AGGREGATIONS[ranking.aggregation].label, f"{confidence(ranking.alpha)} interval"]
    heads += ["s.d.", "ranks", "cluster"]
    if layout.for_programs:
        heads = ["metric", "system", "value", "low", "high", "deviation", "rank_low", "rank_high", "cluster"]
        rows = [
            [
                place.metric,
                place.system,
                *(round_half_up(value, layout.digits) for value in (place.value, place.low, place.high)),
                round_half_up(place.deviation, layout.digits),
                *map(str, (place.rank_low, place.rank_high, place.cluster)),
            ]
            for place in ranking.systems
        ]
        return written(Table(heads, rows), layout.output)
    tables = []
    for metric in metrics:
        own = [place for place in ranking.systems if place.metric == metric]
        names = [place.system for place in own]
        rows, sections, best = score_rows(own, names, lambda value: minus(round_half_up(value, layout.digits)))
        title = f"{metric}, {ranking.sentences} sentences"
        notes = [ranking.signature, *ranking.signatures.values()] if metric == metrics[-1] else []
        right = frozenset(range(1, len(heads)))
        tables.append(Table(heads, rows, notes, right, title, (), best, sections, spare=(3, 5)))
    return "\n".join(written(table, layout.output, layout.width) for table in tables)
