"""Results of a comparison as sentences, readable without statistics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from geceval.base.arguments import counted, joined
from geceval.resampling.break_even import Decisions
from geceval.resampling.break_even_report import decision_sentences
from geceval.resampling.comparison_results import Comparison, MetricComparison, Pair, Power
from geceval.resampling.system_tables import NAMED, power_facing, shown_figure, shown_group, shown_with_interval
from geceval.tables.number_text import p_value, shown


def verdicts(comparison: Comparison, groups: str, digits: int) -> list[str]:
    """Return the results as sentences.

    ``groups`` is the name of the grouping, as in "by length".
    """
    sentences: list[str] = []
    written: list[Decisions] = []
    for name in filter(comparison.is_tested, comparison):
        metric = comparison[name]
        pairs = [pair for pair in metric.pairs if pair.is_defined]
        corpus_pairs = [pair for pair in pairs if pair.group is None]
        sentences += _about_undefined(metric)
        if comparison.baseline is not None or len(corpus_pairs) == 1:
            sentences += [sentence(pair, comparison, digits) for pair in corpus_pairs]
        forms: dict[str, list[Pair]] = {}
        for pair in [] if comparison.baseline is not None or len(corpus_pairs) == 1 else corpus_pairs:
            forms.setdefault(metric.form(pair.a), []).append(pair)
        for form, of_form in sorted(forms.items()):
            about = _about_the_best(of_form, metric, comparison, digits)
            sentences.append(f"Systems given as {form}: {about}" if form else about)
            if any(map(metric.of_annotators, of_form)):
                sentences += by_annotators(of_form, metric, comparison)
        decisions = metric.decisions
        # Metrics on the same edits, as errant and net-benefit, share the sentences.
        if decisions is not None and decisions not in written:
            several = comparison.baseline is None and len(corpus_pairs) > 1
            best = metric.best_first[0].system if several else None
            sentences += decision_sentences(decisions, metric.label, best)
            written.append(decisions)
        grouped = [pair for pair in pairs if pair.group is not None]
        if grouped:
            sentences.append(_about_groups(grouped, metric, comparison, groups))
    runs = dict.fromkeys(f"{len(score.runs)} of {score.system}" for score in comparison.systems if score.runs)
    if runs:
        sentences.append(f"Intervals and p account for the choice of sentences and of runs ({', '.join(runs)}).")
    tested = [pair for pair in comparison.pairs if comparison.is_tested(pair.metric) and pair.is_defined]
    if not all(map(comparison.is_shown, tested)):
        sentences.append("(No difference shown does not mean equal: more sentences might show one.)")
    return sentences


def _about_undefined(metric: MetricComparison) -> Iterator[str]:
    """Yield a sentence about the systems whose score has no value."""
    tested = {name for pair in metric.pairs for name in (pair.a, pair.b)}
    undefined = [score.system for score in metric.scores_of(None) if score.system in tested and math.isnan(score.value)]
    if undefined:
        whose = "its" if len(undefined) == 1 else "their"
        yield f"{metric.label} has no value for {joined(undefined)}, so {whose} differences are not tested."


def sentence(pair: Pair, comparison: Comparison, digits: int) -> str:
    """Return the result of one pair as a sentence."""
    metric = comparison[pair.metric]
    pair = metric.from_the_better(pair)
    facing = pair if pair.difference >= 0 else pair.swapped()
    details = f"{shown_with_interval(metric, facing.difference, facing, digits)}, {_said_p(pair, comparison)}"
    details += for_annotators(pair, comparison, digits)
    if comparison.is_shown(pair):
        return f"{pair.a} {metric.better_than} {pair.b} under {metric.label} by {details}."
    return f"No difference shown between {pair.a} and {pair.b} under {metric.label}: {details}."


def for_annotators(pair: Pair, comparison: Comparison, digits: int) -> str:
    """Return what the references of each annotator show, without those of the others."""
    rows = comparison[pair.metric].of_annotators(pair)
    if not rows:
        return ""
    results: dict[str, list[str]] = {}
    for row in rows:
        results.setdefault(_of_annotator(pair, row, comparison, digits), []).append(str(row.annotator))
    if [*results] == [OF_ANNOTATOR["holds"]]:
        return f"; {OF_ANNOTATOR['holds']} for {_all_annotators(len(rows))}"
    if [*results] == [OF_ANNOTATOR["undecided"]]:
        return f"; {OF_ANNOTATOR['undecided']} for {'either' if len(rows) == 2 else 'any'} annotator"
    parts = [
        f"{result} for annotator{'s' if len(numbers) > 1 else ''} {joined(numbers)}"
        for result, numbers in results.items()
    ]
    return f"; {'; '.join(parts)}"


def _all_annotators(count: int) -> str:
    return "both annotators" if count == 2 else f"all {count} annotators"


def _of_annotator(pair: Pair, of_annotator: Pair, comparison: Comparison, digits: int) -> str:
    """Return the result with the references of one annotator."""
    outcome, metric = comparison.holds(pair, of_annotator), comparison[pair.metric]
    better = metric.from_the_better(of_annotator)
    if not comparison.is_shown(of_annotator):
        return f"{better.a} scores higher, which is not shown," if outcome == "reversed" else OF_ANNOTATOR["undecided"]
    if outcome == "holds":
        return OF_ANNOTATOR[outcome]
    size = shown_figure(metric, abs(better.difference), digits)
    return f"{better.a} is better by {size}, {_said_p(of_annotator, comparison)},"


#: Results with the references of one annotator, compared with those of all references.
OF_ANNOTATOR = {
    "holds": "also shown",
    "undecided": "not shown",
    "reversed": "in the other direction, shown or not,",
}


def by_annotators(pairs: Sequence[Pair], metric: MetricComparison, comparison: Comparison) -> Iterator[str]:
    """Yield which results of many pairs differ with the references of an annotator alone."""
    annotators = sorted({row.annotator or 0 for pair in pairs for row in metric.of_annotators(pair)})
    shown_pairs = [metric.from_the_better(pair) for pair in pairs if comparison.is_shown(pair)]
    if shown_pairs:
        yield _about_holding(shown_pairs, annotators, metric, comparison)
    unclear = [row for pair in pairs if not comparison.is_shown(pair) for row in metric.of_annotators(pair)]
    alone = [metric.from_the_better(row) for row in unclear if comparison.is_shown(row)]
    if not (shown_pairs or alone):
        yield f"Under {metric.label} no difference is shown with the references of any annotator alone."
    for annotator in annotators:
        better = [f"{row.a} is better than {row.b}" for row in alone if row.annotator == annotator]
        if better:
            about = f"that {joined(better)}" if len(better) <= NAMED else f"{len(better)} differences"
            yield f"Under {metric.label}, the references of annotator {annotator} show {about}; all references do not."


def _about_holding(
    pairs: Sequence[Pair], annotators: Sequence[int], metric: MetricComparison, comparison: Comparison
) -> str:
    """Return whether the differences that all references show hold for every annotator."""
    departing: dict[tuple[str, int], list[Pair]] = {
        (result, annotator): [] for result in ("undecided", "reversed") for annotator in annotators
    }
    for pair in pairs:
        for row in metric.of_annotators(pair):
            outcome = comparison.holds(pair, row)
            if outcome != "holds":
                departing[outcome, row.annotator or 0].append(pair)
    holding = len(pairs) - len({(pair.a, pair.b) for of_result in departing.values() for pair in of_result})
    count = f"{holding} of the {len(pairs)} differences"
    if holding == len(pairs):
        count = "the difference" if holding == 1 else "all differences"
    verb = "is" if holding == 1 else "are"
    also = f"shown with all references {verb} also shown for {_all_annotators(len(annotators))}"
    about = f"By annotator under {metric.label}: {count} {also}"
    for (result, annotator), of_result in departing.items():
        if not of_result:
            continue
        are = "is" if len(of_result) == 1 else "are"
        if len(of_result) > NAMED:
            about += f"; {len(of_result)} {are} {OF_ANNOTATOR[result]} for annotator {annotator}"
        elif result == "undecided":
            named = joined([f"{pair.a} is better than {pair.b}" for pair in of_result])
            about += f"; that {named} {are} not shown for annotator {annotator}"
        else:
            named = joined([f"{pair.b} scores higher than {pair.a}" for pair in of_result])
            about += f"; for annotator {annotator} {named}, shown or not"
    return f"{about}."


def _about_the_best(pairs: Sequence[Pair], metric: MetricComparison, comparison: Comparison, digits: int) -> str:
    """Return the result of the best system against all others, the nearest one first."""
    there = {name for pair in pairs for name in (pair.a, pair.b)}
    order = [score.system for score in metric.best_first if score.system in there]
    best = order[0]
    facing = [pair if pair.a == best else pair.swapped() for pair in pairs if best in (pair.a, pair.b)]
    facing.sort(key=lambda pair: order.index(pair.b))
    worse = [pair.b for pair in facing if comparison.is_shown(pair)]
    unclear = [pair.b for pair in facing if pair.b not in worse]
    nearest = sentence(facing[0], comparison, digits)
    if not unclear:
        about = f"{best} {metric.better_than} every other system"
    elif not worse:
        top = "highest" if metric.is_description else "best"
        about = f"{best} has the {top} score, but no difference from any other system is shown"
    else:
        about = f"{best} {metric.better_than} {joined(worse)}; no difference shown from {joined(unclear)}"
    whose = "With all references " if metric.of_annotators(facing[0]) else ""
    return f"{nearest} {whose}{about}{_about_the_rest(pairs, best, metric, comparison)}."


def _about_the_rest(pairs: Sequence[Pair], best: str, metric: MetricComparison, comparison: Comparison) -> str:
    """Return the results of pairs without the best system, by name if they are few."""
    rest = [metric.from_the_better(pair) for pair in pairs if best not in (pair.a, pair.b)]
    clear = [pair for pair in rest if comparison.is_shown(pair)]
    open_ = [pair for pair in rest if not comparison.is_shown(pair)]
    if len(rest) > NAMED and len(open_) > NAMED:
        return f"; among the others no difference is shown in {len(open_)} of {len(rest)} pairs"
    statements = [f"{pair.a} {metric.better_than} {pair.b}" for pair in clear] if len(rest) <= NAMED else []
    if open_:
        statements.append(
            f"no difference shown between {', nor between '.join(f'{pair.a} and {pair.b}' for pair in open_)}"
        )
    return "".join(f"; {part}" for part in statements)


def _about_groups(pairs: Sequence[Pair], metric: MetricComparison, comparison: Comparison, groups: str) -> str:
    clear = [metric.from_the_better(pair) for pair in pairs if comparison.is_shown(pair)]
    about = f"By {groups} under {metric.label}"
    tested = counted(len(pairs), "comparison")
    if not clear:
        return f"{about}: no difference shown in {tested}."
    groups_of: dict[tuple[str, str], list[str]] = {}
    for pair in clear:
        groups_of.setdefault((pair.a, pair.b), []).append(shown_group(pair.group))
    parts = [f"{a} {metric.better_than} {b} in {joined(labels)}" for (a, b), labels in groups_of.items()]
    rest = len(pairs) - len(clear)
    tail = f"; no difference shown in the remaining {rest} of {tested}" if rest else ""
    return f"{about}: {'; '.join(parts)}{tail}."


def power_verdicts(comparison: Comparison, power: Sequence[Power], digits: int) -> list[str]:
    """Return the number of sentences that the difference of each pair requires.

    The result is empty if the comparison has more than ``NAMED`` pairs.
    """
    defined = [row for row in power if row.group is None and not math.isnan(row.difference)]
    rows = [power_facing(comparison, row) for row in defined]
    return [_power_sentence(comparison, row, digits) for row in rows] if len(rows) <= NAMED else []


def _power_sentence(comparison: Comparison, row: Power, digits: int) -> str:
    metric, chance = comparison[row.metric], f"{100 * row.power:g} %"
    percent, about = metric.in_percent, f"{row.a} and {row.b} under {metric.label}"
    these = f"{row.sentences} sentences show differences of at least {shown(row.detectable, digits, percent)}"
    if row.needed is None:
        return f"{about} do not differ, so no number of sentences would show it; {these} with a chance of {chance}."
    size = shown(abs(row.difference), digits, percent)
    takes = f"it takes about {row.needed} sentences to show a difference of {size} with a chance of {chance}"
    return f"Power: {takes} ({about}); {these}."


def _said_p(pair: Pair, comparison: Comparison) -> str:
    p = p_value(pair.p_adjusted)
    value = f"p {p[0]} {p[1:]}" if p.startswith("<") else f"p = {p}"
    tested_pairs = [tested for tested in comparison.pairs if comparison.is_tested(tested.metric) and tested.is_defined]
    together = [tested for tested in tested_pairs if (tested.group is None) == (pair.group is None)]
    return f"{value} (adjusted)" if len(together) > 1 else value
