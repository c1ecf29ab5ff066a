"""``m2scorer`` as of the NUS MaxMatch scorer 3.2."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from geceval.counting.counts import Counts
from geceval.counting.groupings import evidence_of
from geceval.counting.metric_names import make_metric
from geceval.counting.system_results import kept_counts
from geceval.metrics.shared.edit_matching import CORRECT, PROPOSED, edits_by_cell
from geceval.text.m2.edit import Block, Edit, minimal
from geceval.text.reading.corpus_files import CorpusFiles

#: Start, end, source tokens, corrected tokens.
PrintedEdit: TypeAlias = tuple[int, int, list[str], list[str]]


def _parse(arguments: Sequence[str], prog: str) -> argparse.Namespace:
    description = "MaxMatch (M²): precision, recall and F of a system's edits against gold edits."
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("system", metavar="SYSTEM", help="the system's corrections, one sentence per line")
    parser.add_argument("gold", metavar="SOURCE_GOLD", help="the sources with gold edits, an M2 file")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show the edits of every sentence for the chosen annotator"
    )
    parser.add_argument("--very_verbose", action="store_true", help="show them for every annotator")
    parser.add_argument(
        "--max_unchanged_words",
        type=int,
        default=2,
        metavar="N",
        help="maximum number of unchanged words within an edit (default: %(default)s)",
    )
    parser.add_argument("--beta", type=float, default=0.5, metavar="B", help="weight of recall (default: %(default)s)")
    parser.add_argument(
        "--ignore_whitespace_casing", action="store_true", help="ignore edits that change only spaces and case"
    )
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="a sentence that takes longer counts as unmatched, with a warning",
    )
    return parser.parse_args(arguments)


def m2scorer(arguments: Sequence[str], prog: str) -> None:
    """Print precision, recall and F, with -v after every sentence."""
    options = _parse(arguments, prog)
    metric = make_metric(
        "maxmatch",
        beta=options.beta,
        max_unchanged_words=options.max_unchanged_words,
        ignore_whitespace_casing=options.ignore_whitespace_casing,
        timeout=options.timeout,
    )
    corpus = CorpusFiles(systems=[options.system], gold=options.gold, overlaps=None, misfits=None, blank="empty").read()
    verbose = options.verbose or options.very_verbose
    [counts] = kept_counts(corpus, metric, evidence=verbose).values()
    if verbose:
        [hypothesis] = corpus.systems.values()
        _print_sentences(metric, corpus.gold or (), list(map(str, hypothesis)), counts, options.very_verbose)
    precision, recall, f = _figures(metric, metric.totals(counts)[0].tolist())
    print(f"Precision   : {precision}")
    print(f"Recall      : {recall}")
    print(f"{_f_name(metric):<12}: {f}")


def _f_name(metric: Any) -> str:
    return f"F_{float(metric.beta)}"


def _figures(metric: Any, totals: Sequence[int]) -> list[str]:
    sums = np.array(totals)
    return [f"{float(figure):.4f}" for figure in (*metric.precision_recall(sums), metric.score(sums))]


def _print_sentences(
    metric: Any, blocks: Sequence[Block], hypothesis: Sequence[str], counts: Counts, all_annotators: bool
) -> None:
    edits = edits_by_cell(evidence_of(counts))
    [choice] = metric.choices(counts)
    totals = counts.chosen(choice).cumsum(axis=0).tolist()
    for s, (block, line) in enumerate(zip(blocks, hypothesis, strict=True)):
        late = counts.given_up is not None and counts.given_up[s]
        print(f"sentence   {s + 1}")
        print(f"source     {block.source}")
        print(f"hypothesis {line}")
        tokens = block.tokens
        for r, annotator in enumerate(block.annotators):
            if not all_annotators and r != choice[s]:
                continue
            print(f"annotator  {annotator}{' (chosen)' if r == choice[s] else ''}")
            cells = (edits.get((s, r, column), ()) for column in (CORRECT, PROPOSED))
            correct, proposed = ([with_tokens(tokens, edit) for edit in cell] for cell in cells)
            gold = [
                (edit.start, edit.end, tokens[edit.start : edit.end], [" | ".join(edit.alternatives)])
                for edit in block.edits_of(annotator)
            ]
            if late:
                print("  not matched: time limit exceeded")
            else:
                _print_edits("proposed", list(map(trimmed, proposed)))
            _print_edits("gold", gold)
            if not late:
                _print_edits("correct", correct)
        names, values = (*metric.columns, "P", "R", _f_name(metric)), (*totals[s], *_figures(metric, totals[s]))
        print("so far     " + "  ".join(f"{name} {value}" for name, value in zip(names, values, strict=True)))
        print()


def with_tokens(tokens: Sequence[str], edit: Edit) -> PrintedEdit:
    """Return an edit of the hypothesis with its source tokens."""
    return edit.start, edit.end, list(tokens[edit.start : edit.end]), edit.correction.split()


def trimmed(edit: PrintedEdit) -> PrintedEdit:
    """Return the edit without unchanged tokens at its ends, as the tool prints it."""
    offset, _, old, new = edit
    start, end, first, last = minimal(old, new, (0, len(old), 0, len(new)))
    return offset + start, offset + end, old[start:end], new[first:last]


def _print_edits(name: str, edits: Sequence[PrintedEdit]) -> None:
    if not edits:
        print(f"  {name:<8} none")
    for start, end, old, new in edits:
        print(f"  {name:<8} {start} {end}  [{' '.join(old)}] -> [{' '.join(new)}]")
        name = ""  # printed once
