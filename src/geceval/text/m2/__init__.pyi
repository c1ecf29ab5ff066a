"""The public names; `__init__.py` imports each when it is first used."""

from geceval.text.m2.blocks import Blocks as Blocks
from geceval.text.m2.cherrant_dialect import Dialect as Dialect
from geceval.text.m2.cherrant_dialect import cherrant_blocks as cherrant_blocks
from geceval.text.m2.cherrant_dialect import cherrant_type as cherrant_type
from geceval.text.m2.cherrant_dialect import errant_block as errant_block
from geceval.text.m2.cherrant_dialect import errant_type as errant_type
from geceval.text.m2.conversion.m2_json import WRITERS as WRITERS
from geceval.text.m2.conversion.m2_json import read_json_lines as read_json_lines
from geceval.text.m2.conversion.m2_json import write_json_lines as write_json_lines
from geceval.text.m2.conversion.m2_json import write_spans as write_spans
from geceval.text.m2.conversion.suggestions import Offsets as Offsets
from geceval.text.m2.conversion.suggestions import Split as Split
from geceval.text.m2.edit import DELETE as DELETE
from geceval.text.m2.edit import NOOP as NOOP
from geceval.text.m2.edit import NOT_ANNOTATABLE as NOT_ANNOTATABLE
from geceval.text.m2.edit import UNKNOWN as UNKNOWN
from geceval.text.m2.edit import Block as Block
from geceval.text.m2.edit import Edit as Edit
from geceval.text.m2.edit import Misfits as Misfits
from geceval.text.m2.edit import Missing as Missing
from geceval.text.m2.edit import Overlaps as Overlaps
from geceval.text.m2.edit import Target as Target
from geceval.text.m2.edit import minimal as minimal
from geceval.text.m2.edit import noop as noop
from geceval.text.m2.edit_confidences import confidence as confidence
from geceval.text.m2.edit_confidences import confidences as confidences
from geceval.text.m2.faults import ordered as ordered
from geceval.text.m2.m2_differences import Diff as Diff
from geceval.text.m2.m2_differences import diff as diff
from geceval.text.m2.m2_files import Checked as Checked
from geceval.text.m2.m2_files import check as check
from geceval.text.m2.m2_files import checked as checked
from geceval.text.m2.m2_files import read as read
from geceval.text.m2.m2_files import write as write
from geceval.text.m2.m2_summary import AnnotatorAgreement as _Agreement
from geceval.text.m2.m2_summary import AnnotatorCounts as _Annotator
from geceval.text.m2.m2_summary import Stats as Stats
from geceval.text.m2.m2_summary import stats as stats
from geceval.text.m2.merging import annotators as annotators
from geceval.text.m2.merging import apply as apply
from geceval.text.m2.merging import fitting as fitting
from geceval.text.m2.merging import merge as merge
from geceval.text.m2.merging import references as references
from geceval.text.m2.merging import vote as vote
from geceval.text.m2.overlaps import resolve_overlaps as resolve_overlaps
from geceval.text.m2.subsets import Filter as Filter
from geceval.text.m2.subsets import Operation as Operation
from geceval.text.m2.subsets import filter as filter
from geceval.text.m2.subsets import split_by_annotator as split_by_annotator

#: Short public names.
Agreement = _Agreement
Annotator = _Annotator
