"""Read, count, compare, filter, merge and convert M2 files (docs/m2.md)."""

from geceval.text.m2.blocks import Blocks
from geceval.text.m2.cherrant_dialect import Dialect, cherrant_type, errant_block, errant_type
from geceval.text.m2.conversion.m2_json import WRITERS, read_json_lines, write_json_lines, write_spans
from geceval.text.m2.conversion.suggestions import Offsets, Split
from geceval.text.m2.edit import (
    DELETE,
    NOOP,
    NOT_ANNOTATABLE,
    UNKNOWN,
    Block,
    Edit,
    Misfits,
    Missing,
    Overlaps,
    Target,
    minimal,
    noop,
)
from geceval.text.m2.faults import ordered
from geceval.text.m2.m2_files import Checked, check, read, write
from geceval.text.m2.m2_statistics import AnnotatorAgreement as Agreement
from geceval.text.m2.m2_statistics import AnnotatorCounts as Annotator
from geceval.text.m2.m2_statistics import Diff, Stats, diff, stats
from geceval.text.m2.operations import (
    Operation,
    annotators,
    apply,
    cherrant_blocks,
    confidence,
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
    "NOT_ANNOTATABLE",
    "UNKNOWN",
    "WRITERS",
    "Agreement",
    "Annotator",
    "Block",
    "Blocks",
    "Checked",
    "Dialect",
    "Diff",
    "Edit",
    "Misfits",
    "Missing",
    "Offsets",
    "Operation",
    "Overlaps",
    "Split",
    "Stats",
    "Target",
    "annotators",
    "apply",
    "check",
    "cherrant_blocks",
    "cherrant_type",
    "confidence",
    "confidences",
    "diff",
    "errant_block",
    "errant_type",
    "filter",
    "fitting",
    "merge",
    "minimal",
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
