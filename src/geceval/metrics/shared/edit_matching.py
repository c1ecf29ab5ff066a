"""Edits of a system compared with edits of references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from geceval._kernel import Edits, compare_edits
from geceval.base.arguments import is_text
from geceval.counting.counts import Counts, Evidence

#: The criterion of equal edits: span and correction (cs), and type (cse); span (ds); token (dt).
Mode: TypeAlias = Literal["cs", "cse", "ds", "dt"]
#: Only edits of at most one token on either side, only others, or all.
Size: TypeAlias = Literal["all", "single", "multi"]

COLUMNS = ("tp", "fp", "fn")


@dataclass(frozen=True)
class Matching:
    """The edits that count, and the criterion by which two are the same.

    An error without a correction (UNK) counts in detection only (ds, dt). ``exclude``: types that do not count.
    ``literal``: the correction ``-NONE-`` is a word, as for errant_compare, and not a deletion.
    """

    mode: Mode = "cs"
    size: Size = "all"
    exclude: frozenset[str] = frozenset()
    literal: bool = False

    def compare(self, hypothesis: Edits, references: Edits, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return true positives, false positives and false negatives ``array[s, r, k]``.

        r runs over the pairs (version of the hypothesis, version of the references), the latter faster. A match counts
        once for each reference edit that is the same, under its type; a miss once for each edit. Evidence in that
        order: matches and false positives as the hypothesis has them, then misses; start and end in mode dt are the
        token's. Raises KernelError for millions of tokens inside edits.
        """
        # A text with a lone surrogate is the type of no edit.
        settings = self.mode, self.size, sorted(filter(is_text, self.exclude)), self.literal
        array, present, columns = compare_edits(hypothesis, references, settings, threads, evidence)
        rows = None if columns is None else Evidence(**columns)
        return Counts(array, COLUMNS, present, rows)
