"""``errant.commands.compare_m2``: ``errant_compare``."""

from __future__ import annotations

import argparse

from geceval.dropins.edit_comparison import (
    compareEdits,
    comparison_parser,
    computeFScore,
    evaluate_edits,
    merge_dict,
    print_results,
    print_table,
    process_edits,
    processCategories,
    simplify_edits,
)
from geceval.errant.commands import run

__all__ = [
    "compareEdits", "computeFScore", "evaluate_edits", "main", "merge_dict", "parse_args", "print_results",
    "print_table", "processCategories", "process_edits", "simplify_edits",
]  # fmt: skip


def main() -> None:
    """Print F of the edits of one M2 file against another file."""
    run("errant_compare")


def parse_args() -> argparse.Namespace:
    """Return the arguments of the command line."""
    return comparison_parser().parse_args()


if __name__ == "__main__":
    main()
