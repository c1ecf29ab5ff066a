"""``errant.commands.m2_to_m2``: ``errant_m2``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from geceval.dropins.errant import m2_parser
from geceval.edits.extraction import DETECTION
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
        orig: the tokenised original text.
        edits: edits of one annotator: start, end, type and correction.

    Returns:
        The text, and edits: ``[o_start, o_end, c_start, c_end, type, correction]``.
    """
    source = orig.split()
    target, spans, shift = list(source), [], 0
    for start, end, type_, correction in sorted(edits, key=lambda edit: (edit[0], edit[1])):
        words = source[start:end] if type_ in DETECTION else correction.split()
        target[start + shift : end + shift] = words
        c_start = start + shift
        spans.append([start, end, c_start, c_start + len(words), type_, " ".join(correction.split())])
        shift += len(words) - (end - start)
    return " ".join(target), spans


if __name__ == "__main__":
    main()
