"""``errant.commands.m2_to_m2``: ``errant_m2``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from geceval.dropins.errant import m2_parser
from geceval.edits.m2_annotation import apply_in_order
from geceval.errant.commands import compare_m2, run
from geceval.errant.commands.parallel_to_m2 import noop_edit

__all__ = ["get_cor_and_edits", "main", "noop_edit", "parse_args", "simplify_edits"]


def main() -> None:
    """Convert M2 to M2: extract edits again, or type the existing ones."""
    run("errant_m2")


def parse_args() -> argparse.Namespace:
    """Return the arguments of the command line."""
    return m2_parser().parse_args()


def simplify_edits(edits: Sequence[str]) -> dict[str, list[list[Any]]]:
    """Return start, end, type and correction of the edits in ``A`` lines, by annotator."""
    by_annotator: dict[str, list[list[Any]]] = {}
    for *edit, annotator in compare_m2.simplify_edits("\n".join(["S", *edits])):
        by_annotator.setdefault(str(annotator), []).append(edit)
    return by_annotator


def get_cor_and_edits(orig: str, edits: Iterable[Sequence[Any]]) -> tuple[str, list[list[Any]]]:
    """Return the corrected text, and the edits with their spans in both texts.

    An edit that only marks an error changes nothing.

    Args:
        orig: The tokenised original text.
        edits: Edits of one annotator: start, end, type and correction.

    Returns:
        The text, and edits: ``[o_start, o_end, c_start, c_end, type, correction]``.
    """
    ordered = [(start, end, type_, text) for start, end, type_, text in sorted(edits, key=itemgetter(0, 1))]
    target, spans = apply_in_order(orig.split(), ordered)
    rows = [[*span, type_, " ".join(text.split())] for span, (_, _, type_, text) in zip(spans, ordered, strict=True)]
    return " ".join(target), rows


if __name__ == "__main__":
    main()
