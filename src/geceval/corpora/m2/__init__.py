"""``geceval m2``: check, count, compare, filter, merge and convert M2 files."""

from __future__ import annotations

from geceval.corpora.m2.annotation_diff import DIFF
from geceval.corpora.m2.derived_files import APPLY, FILTER, MERGE, VOTE, WEIGHTS
from geceval.corpora.m2.format_conversion import CONVERT
from geceval.corpora.m2.inspection import CHECK, SOURCE, STATS
from geceval.corpora.m2.proposals import PROPOSE

COMMAND = {
    "check": CHECK,
    "stats": STATS,
    "source": SOURCE,
    "diff": DIFF,
    "apply": APPLY,
    "filter": FILTER,
    "merge": MERGE,
    "vote": VOTE,
    "propose": PROPOSE,
    "convert": CONVERT,
    "weights": WEIGHTS,
}
