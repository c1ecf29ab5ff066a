"""Comparison of M2 edits in dictionaries, with the names, arguments and results of errant's ``compare_m2``.

``geceval.errant.commands.compare_m2`` has these functions for scripts; errant_compare and cherrant_compare print with
them. ``args`` are the options of :func:`comparison_parser`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any, TypeAlias

from geceval.base.arguments import check_bounds
from geceval.counting.settings import FINITE
from geceval.text.m2.edit import NOOP, UNKNOWN

#: Start, end, type, correction and annotator.
Row: TypeAlias = Sequence[Any]
#: The types of the edits that are equal, by what makes them equal.
TypesByEdit: TypeAlias = dict[tuple[Any, ...], list[str]]
EditsByAnnotator: TypeAlias = dict[int, TypesByEdit]
#: Number of a sentence, edits of the hypothesis, edits of the reference.
ComparedSentence: TypeAlias = tuple[int, EditsByAnnotator, EditsByAnnotator]
#: True positives, false positives and false negatives by type.
CountsByType: TypeAlias = dict[str, list[int]]
#: The counts by name (tp, fp, fn), and by type.
SentenceCounts: TypeAlias = tuple[dict[str, int], CountsByType]

_COUNTS = ("tp", "fp", "fn")
#: Titles of the tables by criterion of equality, where it is not span and correction.
TITLES = {
    "dt": " Token-Based Detection ",
    "ds": " Span-Based Detection ",
    "cse": " Span-Based Correction + Classification ",
}


def comparison_parser(prog: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of errant_compare, to which cherrant_compare adds options."""
    description = "F-scores of error detection and correction: the edits of one M2 file against another file."
    usage = "%(prog)s [options] -hyp HYP -ref REF"
    parser = argparse.ArgumentParser(prog=prog, description=description, usage=usage)
    parser.add_argument("-hyp", required=True, metavar="FILE", help="M2 file with the system's edits")
    parser.add_argument("-ref", required=True, metavar="FILE", help="M2 file with the annotators' edits")
    parser.add_argument("-b", "--beta", type=float, default=0.5, help="weight of recall (default: %(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every sentence with its counts")
    exclusive = {
        "dt": "detection: tokens",
        "ds": "detection: spans",
        "cs": "correction: spans and corrections (default)",
        "cse": "correction: spans, corrections and types",
    }, {
        "single": "only edits of at most one token on each side",
        "multi": "only edits of two or more tokens on at least one side",
    }  # fmt: skip
    for flags in exclusive:
        group = parser.add_mutually_exclusive_group()
        for flag, text in flags.items():
            group.add_argument(f"-{flag}", action="store_true", help=text)
    parser.add_argument("-filt", nargs="+", default=[], metavar="TYPE", help="error types to ignore")
    parser.add_argument(
        "-cat", type=int, choices=(1, 2, 3), metavar="N", help="scores by 1: operation, 2: type, 3: both"
    )
    return parser


def simplify_edits(sent: str) -> list[list[Any]]:
    """Return the rows of the ``A`` lines of a block of M2."""
    rows = []
    for line in sent.split("\n")[1:]:
        span, type_, correction, *_, annotator = line.removeprefix("A ").split("|||")
        start, end = span.split()
        rows.append([int(start), int(end), type_, correction, int(annotator)])
    return rows


def process_edits(edits: Iterable[Row], args: Any) -> EditsByAnnotator:
    """Return the edits that count, by annotator.

    Without edits there is a noop of annotator 0. An edit without correction (UNK) counts in detection only.
    """
    annotators: EditsByAnnotator = {}
    for start, end, type_, correction, annotator in list(edits) or [(-1, -1, NOOP, "-NONE-", 0)]:
        by_edit = annotators.setdefault(annotator, {})
        is_multi = end - start >= 2 or len(correction.split()) >= 2
        is_left_out = (args.single and is_multi) or (args.multi and not is_multi) or type_ in (args.filt or ())
        if is_left_out or (type_ == UNKNOWN and not (args.dt or args.ds)):
            continue
        for key in _keys(start, end, type_, correction, args):
            by_edit.setdefault(key, []).append(type_)
    return annotators


def _keys(start: int, end: int, type_: str, correction: str, args: Any) -> Iterator[tuple[Any, ...]]:
    """Yield what makes an edit equal to another; in detection of tokens an insertion is at the token after it."""
    if args.dt:
        last = start if start == -1 else end + (start == end)
        yield from [(start, start)] if start == -1 else ((t, t + 1) for t in range(start, last))
    elif args.ds:
        yield start, end
    else:
        yield (start, end, type_, correction) if args.cse else (start, end, correction)


def compareEdits(hyp_edits: TypesByEdit, ref_edits: TypesByEdit) -> tuple[int, int, int, CountsByType]:  # noqa: N802
    """Return true positives, false positives and false negatives, in total and by type.

    A match counts under each type of the reference. Edits whose first type is noop do not count.
    """
    counts: CountsByType = {}
    hypothesis = {edit: types for edit, types in hyp_edits.items() if types[0] != NOOP}
    matches = [(0, ref_edits[edit]) if edit in ref_edits else (1, types) for edit, types in hypothesis.items()]
    misses = [(2, types) for edit, types in ref_edits.items() if types[0] != NOOP and edit not in hyp_edits]
    for column, types in matches + misses:
        for type_ in types:
            counts.setdefault(type_, [0, 0, 0])[column] += 1
    tp, fp, fn = (sum(row[column] for row in counts.values()) for column in range(3))
    return tp, fp, fn, counts


def computeFScore(tp: int, fp: int, fn: int, beta: float) -> tuple[float, float, float]:  # noqa: N802
    """Return precision, recall and F, rounded to 4 digits; a part without errors is 1."""
    precision = tp / (tp + fp) if fp else 1.0
    recall = tp / (tp + fn) if fn else 1.0
    weighted = beta**2 * precision + recall
    f = (1 + beta**2) * precision * recall / weighted if weighted else 0.0
    return round(precision, 4), round(recall, 4), round(f, 4)


def _scores(counts: Sequence[int], beta: float) -> tuple[float, float, float]:
    tp, fp, fn = counts
    return computeFScore(tp, fp, fn, beta)


def evaluate_edits(
    hyp_dict: EditsByAnnotator,
    ref_dict: EditsByAnnotator,
    best: Mapping[str, int],
    sent_id: int,
    original_sentence: Any,
    args: Any = None,
) -> SentenceCounts:
    """Return the counts of the best pair of annotators, in total and by type; print all pairs with ``args.verbose``.

    Args:
        hyp_dict: Edits of the hypothesis, from :func:`process_edits`.
        ref_dict: Edits of the reference.
        best: Counts of the sentences before.
        sent_id: Number of the sentence, printed.
        original_sentence: The sentence, printed.
        args: The options; errant 2 has them in the place of the sentence.
    """
    if args is None:
        original_sentence, args = "", original_sentence
    if args.verbose:
        print(f"{'':-^40}\nOriginal sentence {sent_id}: {original_sentence}")
    counts, by_type = evaluate_answers(hyp_dict, ref_dict, best, sent_id, args)
    if args.verbose:
        print("Local results:")
        print_table([["Category", "TP", "FP", "FN"], *([type_, *row] for type_, row in by_type.items())])
    return counts, by_type


def evaluate_answers(
    hyp_dict: EditsByAnnotator,
    ref_dict: EditsByAnnotator,
    best: Mapping[str, int],
    number: int,
    args: Any,
    *,
    head: str = "",
    typed: bool = True,
) -> SentenceCounts:
    """Return the counts of the first pair of annotators with the highest F of the sentences so far.

    With ``args.verbose`` every pair is printed after ``head``, with types of edits if ``typed``, then the chosen pair.
    """
    pairs = []
    for (hypothesis, hyp_edits), (reference, ref_edits) in product(hyp_dict.items(), ref_dict.items()):
        tp, fp, fn, by_type = compareEdits(hyp_edits, ref_edits)
        local = [tp, fp, fn]
        totals = [count + best[name] for name, count in zip(_COUNTS, local, strict=True)]
        pairs.append(((_scores(totals, args.beta)[2], tp, -fp, -fn), local, by_type, (hypothesis, reference)))
        if args.verbose:
            print(f"{head}{'':-^40}\nSENTENCE {number} - HYP {hypothesis} - REF {reference}")
            print("HYPOTHESIS EDITS :", _printed(hyp_edits, typed=typed))
            print("REFERENCE EDITS  :", _printed(ref_edits, typed=typed))
            for name, counts in (("Local", local), ("Global", totals)):
                print(f"{name} TP/FP/FN".ljust(17) + ":", *counts)
                print(f"{name} P/R/F{args.beta}  :", *_scores(counts, args.beta))
    nothing = ((0.0, 0, 0, 0), [0, 0, 0], CountsByType(), (0, 0))
    _, local, by_type, chosen = max(pairs, key=itemgetter(0), default=nothing)
    if args.verbose:
        print(f"{'':-^40}\n^^ HYP {chosen[0]}, REF {chosen[1]} chosen for sentence {number}")
    return dict(zip(_COUNTS, local, strict=True)), by_type


def _printed(by_edit: TypesByEdit, *, typed: bool) -> list[tuple[Any, ...]]:
    rows = [edit + (types[0],) * typed for edit, types in sorted(by_edit.items())]
    return [] if rows and rows[0][0] == -1 else rows


def merge_dict(dict1: CountsByType, dict2: Mapping[str, list[int]]) -> CountsByType:
    """Add the counts of the second dictionary to the first, and return the first."""
    for type_, counts in dict2.items():
        dict1[type_] = [first + second for first, second in zip(dict1.get(type_, (0, 0, 0)), counts, strict=True)]
    return dict1


def processCategories(cat_dict: CountsByType, setting: int) -> CountsByType:  # noqa: N802
    """Return counts by operation (1), by type without operation (2) or as they are (3).

    Types are cut by position: the operation is the first letter, the type starts at the third. UNK is not cut.
    """
    if setting not in (1, 2):
        return cat_dict
    cut: CountsByType = {}
    for type_, counts in cat_dict.items():
        merge_dict(cut, {type_ if type_ == UNKNOWN else type_[:1] if setting == 1 else type_[2:]: counts})
    return cut


def print_results(best: Mapping[str, int], best_cats: CountsByType, args: Any) -> None:
    """Print the scores by category if ``args.cat`` is set, then the scores."""
    title = next((title for flag, title in TITLES.items() if getattr(args, flag)), " Span-Based Correction ")
    f_name = f"F{args.beta}"
    if args.cat:
        print(f"\n{title:=^66}")
        print("Category".ljust(14), *(head.ljust(8) for head in ("TP", "FP", "FN", "P", "R")), f_name)
        for type_, counts in sorted(processCategories(best_cats, args.cat).items()):
            precision, recall, f = _scores(counts, args.beta)
            print(type_.ljust(14), *(str(cell).ljust(8) for cell in (*counts, precision, recall)), f)
    totals = [best[name] for name in _COUNTS]
    print(f"\n{title:=^46}")
    print("TP", "FP", "FN", "Prec", "Rec", f_name, sep="\t")
    print(*totals, *_scores(totals, args.beta), sep="\t")
    print(f"{'':=^46}\n")


def print_table(table: Sequence[Sequence[object]]) -> None:
    """Print rows, each column right-aligned with at least three blanks before it."""
    widths = [max(len(str(cell)) for cell in column) + 3 for column in zip(*table, strict=True)]
    for row in table:
        print("".join(str(cell).rjust(width) for cell, width in zip(row, widths, strict=True)))


def compare_sentences(
    sentences: Iterable[ComparedSentence], args: Any, evaluate: Callable[..., SentenceCounts]
) -> None:
    """Compare sentences in order, and print the scores of all.

    ``evaluate`` has the first four arguments and the result of :func:`evaluate_edits`.

    Raises UsageError for a beta that is negative or whose square is infinite.
    """
    check_bounds("--beta", args.beta, FINITE)
    totals, by_type = Counter(tp=0, fp=0, fn=0), CountsByType()
    for number, hyp_dict, ref_dict in sentences:
        counts, counts_by_type = evaluate(hyp_dict, ref_dict, totals, number)
        totals.update(counts)
        merge_dict(by_type, counts_by_type)
    print_results(totals, by_type, args)
