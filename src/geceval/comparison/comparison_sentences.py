"""Results of a comparison as sentences, readable without statistics."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.comparison.comparison_results import Comparison, Pair, Power
from geceval.comparison.system_tables import power_facing, shown_figure, shown_group, shown_interval
from geceval.tables.numbers import p_value, shown

#: Maximum number of pairs that are named; more pairs are counted.
NAMED = 3


def verdicts(comparison: Comparison, groups: str, digits: int) -> list[str]:
    """Return the results as sentences.

    ``groups`` is the name of the grouping, as in "by length".
    """
    said: list[str] = []
    for metric in comparison.metrics:
        pairs = [pair for pair in comparison.pairs if pair.metric == metric]
        whole = [pair for pair in pairs if pair.group is None]
        if comparison.baseline is not None or len(whole) == 1:
            said += [sentence(pair, comparison, digits) for pair in whole]
        forms: dict[str, list[Pair]] = {}
        for pair in [] if comparison.baseline is not None or len(whole) == 1 else whole:
            forms.setdefault(comparison.form(metric, pair.a), []).append(pair)
        for form, own in sorted(forms.items()):
            about = _about_the_best(own, metric, comparison, digits)
            said.append(f"Systems given as {form}: {about}" if form else about)
        grouped = [pair for pair in pairs if pair.group is not None]
        if grouped:
            said.append(_about_groups(grouped, metric, comparison, groups, digits))
    runs = dict.fromkeys(f"{len(own.runs)} of {own.system}" for own in comparison.systems if own.runs)
    if runs:
        said.append(f"Intervals and p account for the choice of sentences and of runs ({', '.join(runs)}).")
    if any(not comparison.is_shown(pair) for pair in comparison.pairs):
        said.append("(No difference shown does not mean equal: more sentences might show one.)")
    return said


def sentence(pair: Pair, comparison: Comparison, digits: int) -> str:
    """Return the result of one pair as a sentence."""
    pair = comparison.from_the_better(pair)
    metric = comparison.heads[pair.metric].label
    size = shown_figure(comparison, pair.metric, abs(pair.difference), digits)
    facing = pair if pair.difference >= 0 else pair.turned()
    how = f"{size} {shown_interval(comparison, facing, digits)}, {_said_p(pair, comparison)}"
    if comparison.is_shown(pair):
        return f"{pair.a} is better than {pair.b} under {metric} by {how}."
    return f"No difference shown between {pair.a} and {pair.b} under {metric}: {how}."


def _about_the_best(pairs: Sequence[Pair], metric: str, comparison: Comparison, digits: int) -> str:
    """Return the result of the best system against all others, the nearest one first."""
    there = {name for pair in pairs for name in (pair.a, pair.b)}
    order = [score.system for score in comparison.best_first(metric) if score.system in there]
    best = order[0]
    own = [pair if pair.a == best else pair.turned() for pair in pairs if best in (pair.a, pair.b)]
    own.sort(key=lambda pair: order.index(pair.b))
    beaten = [pair.b for pair in own if comparison.is_shown(pair)]
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
    """Return the results of pairs without the best system, by name if they are few."""
    rest = [comparison.from_the_better(pair) for pair in pairs if best not in (pair.a, pair.b)]
    shown = [pair for pair in rest if comparison.is_shown(pair)]
    open_ = [pair for pair in rest if not comparison.is_shown(pair)]
    if len(rest) > NAMED and len(open_) > NAMED:
        return f"; among the others no difference is shown in {len(open_)} of {len(rest)} pairs"
    said = [f"{pair.a} is better than {pair.b}" for pair in shown] if len(rest) <= NAMED else []
    if open_:
        said.append(f"no difference shown between {', nor between '.join(f'{pair.a} and {pair.b}' for pair in open_)}")
    return "".join(f"; {part}" for part in said)


def _about_groups(pairs: Sequence[Pair], metric: str, comparison: Comparison, groups: str, digits: int) -> str:
    shown = [comparison.from_the_better(pair) for pair in pairs if comparison.is_shown(pair)]
    about = f"By {groups} under {comparison.heads[metric].label}"
    tested = f"{len(pairs)} {'comparison' if len(pairs) == 1 else 'comparisons'}"
    if not shown:
        return f"{about}: no difference shown in {tested}."
    said: dict[tuple[str, str], list[str]] = {}
    for pair in shown:
        said.setdefault((pair.a, pair.b), []).append(shown_group(pair.group))
    parts = [f"{a} is better than {b} in {_listed(own)}" for (a, b), own in said.items()]
    rest = len(pairs) - len(shown)
    tail = f"; no difference shown in {rest} of {tested}" if rest else ""
    return f"{about}: {'; '.join(parts)}{tail}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def power_verdicts(comparison: Comparison, power: Sequence[Power], digits: int) -> list[str]:
    """Return the number of sentences that the difference of each pair requires.

    The result is empty if the comparison has more than ``NAMED`` pairs.
    """
    whole = [power_facing(comparison, row) for row in power if row.group is None]
    return [_power_sentence(comparison, row, digits) for row in whole] if len(whole) <= NAMED else []


def _power_sentence(comparison: Comparison, row: Power, digits: int) -> str:
    chance, percent = f"{100 * row.power:g} %", comparison.in_percent(row.metric)
    about = f"{row.a} and {row.b} under {comparison.heads[row.metric].label}"
    these = f"{row.sentences} sentences show differences of at least {shown(row.detectable, digits, percent)}"
    if row.needed is None:
        return f"{about} do not differ, so no number of sentences would show it; {these} with a chance of {chance}."
    size = shown(abs(row.difference), digits, percent)
    takes = f"it takes about {row.needed} sentences to show a difference of {size} with a chance of {chance}"
    return f"Power: {takes} ({about}); {these}."


def _said_p(pair: Pair, comparison: Comparison) -> str:
    p = p_value(pair.p_adjusted)
    value = f"p {p[0]} {p[1:]}" if p.startswith("<") else f"p = {p}"
    together = [other for other in comparison.pairs if (other.group is None) == (pair.group is None)]
    return f"{value} (adjusted)" if len(together) > 1 else value
