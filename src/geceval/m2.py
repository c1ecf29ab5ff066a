"""Read, count, compare, filter, merge and convert M2 files (docs/m2.md)."""

from geceval.text.m2.blocks import Blocks, ordered
from geceval.text.m2.edit import (
    DELETE,
    NOOP,
    UNKNOWN,
    Block,
    Edit,
    Overlaps,
    Target,
    cherrant_type,
    errant_block,
    errant_type,
    noop,
)
from geceval.text.m2.m2_files import Checked, check, read, write
from geceval.text.m2.m2_json import read_json_lines, write_json_lines, write_spans
from geceval.text.m2.m2_statistics import AnnotatorAgreement as Agreement
from geceval.text.m2.m2_statistics import AnnotatorCounts as Annotator
from geceval.text.m2.m2_statistics import Diff, Stats, diff, stats
from geceval.text.m2.operations import (
    annotators,
    apply,
    cherrant_blocks,
    confidences,
    filter,
    fitting,
    merge,
    references,
    resolve_overlaps,
    split_by_annotator,
    vote,
)

__all__ = [
    "DELETE",
    "NOOP",
    "UNKNOWN",
    "Agreement",
    "Annotator",
    "Block",
    "Blocks",
    "Checked",
    "Diff",
    "Edit",
    "Overlaps",
    "Stats",
    "Target",
    "annotators",
    "apply",
    "check",
    "cherrant_blocks",
    "cherrant_type",
    "confidences",
    "diff",
    "errant_block",
    "errant_type",
    "filter",
    "fitting",
    "merge",
    "noop",
    "ordered",
    "read",
    "read_json_lines",
    "references",
    "resolve_overlaps",
    "split_by_annotator",
    "stats",
    "vote",
    "write",
    "write_json_lines",
    "write_spans",
]
