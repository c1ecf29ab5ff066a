"""``geceval m2 filter``: keep edits by type, operation, length or annotator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Group, Parameter

from geceval.base.arguments import COUNT, PLACES
from geceval.base.errors import UsageError
from geceval.commands.m2.m2_options import Annotators, File, M2TargetOption, check_annotators, without_misfits
from geceval.commands.shared.corpus_options import MisfitsOption
from geceval.commands.shared.option_values import COMMAS, check_whole
from geceval.terminal.progress import reading
from geceval.terminal.writing import writing
from geceval.text.columns import other_rows, select_rows
from geceval.text.files import display_name
from geceval.text.m2 import operations
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.doubtful_edits import with_doubts_warned
from geceval.text.m2.edit import Block
from geceval.text.m2.headings import left_out
from geceval.text.m2.m2_files import read, write
from geceval.text.m2.operations import Operation

CONDITIONS = Group.create_ordered("conditions", sort_key=2)


@Parameter(name="*", group=CONDITIONS)
@dataclass(frozen=True, kw_only=True)
class EditFilterRequest(M2TargetOption):
    """The conditions of the edits, and the output."""

    type: Annotated[tuple[str, ...], COMMAS, Parameter(metavar="TYPE,…")] = ()
    """keep edits of these types: R:VERB:TENSE, VERB:TENSE, R, VERB*"""
    operation: Annotated[tuple[Operation, ...], COMMAS, Parameter(metavar="M|R|U,…")] = ()
    """keep edits that insert what is missing (M), replace (R), or delete what is unnecessary (U), by the letter of the
    type; types without a letter: by what the edit does"""
    shortest: int = 0
    """keep edits with N tokens or more"""
    longest: int | None = None
    """keep edits with N tokens or fewer"""
    invert: Annotated[bool, Parameter(name="--not")] = False
    """keep the edits that do not meet these conditions"""
    annotators: Annotators = ()
    """keep only these annotators, also with --not"""
    changed: bool = False
    """keep only sentences with an edit"""
    misfits: MisfitsOption = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, shortest=COUNT, longest=COUNT, annotators=PLACES)

    def filtered(self, blocks: Iterable[Block]) -> Iterable[Block]:
        """Return the blocks with the kept edits.

        Raises:
            UsageError: There is no condition, or a type is not valid.
        """
        selects_edits = self.type or self.operation or self.shortest or self.longest is not None
        if not (selects_edits or self.annotators or self.changed or self.misfits == "drop"):
            hint = "--type, --operation, --shortest, --longest, --annotators, --changed or --misfits drop"
            raise UsageError("a condition is required", hint=hint)
        if self.invert and not selects_edits:
            raise UsageError("--not requires --type, --operation, --shortest or --longest")
        return operations.filter(
            without_misfits(blocks, self.misfits),
            types=self.type,
            operations=self.operation,
            annotators=self.annotators or None,
            shortest=self.shortest,
            longest=self.longest,
            invert=self.invert,
            changed=self.changed,
        )


def filter_edits(file: File, /, *, request: EditFilterRequest = EditFilterRequest()) -> None:
    """Write the kept edits.

    Examples:
      geceval m2 filter gold.m2 --type 'R:VERB*,DET' -o some.m2
      geceval m2 filter gold.m2 --type UNK --not -o corrections.m2
      geceval m2 filter gold.m2 --operation M --longest 1 --changed -o missing.m2
      geceval m2 filter gold.m2 --annotators 0,2 -o two.m2

    An edit stays if it meets all conditions; noops always stay. Its tokens are
    those in the sentence or in the correction, whichever are more. An annotator
    who loses all edits of a sentence keeps a noop there. Without --changed all
    sentences stay; --misfits drop leaves out headings of documents.
    """
    edited: Iterable[Block] = request.filtered(read(file))
    if request.annotators or request.misfits == "drop":
        blocks = Blocks.read(file, dialect=None)  # its annotators and headings are known at its end
        check_annotators(file, request.annotators, blocks.annotators)
        headings = left_out(blocks, display_name(file)) if request.misfits == "drop" else []
        edited = request.filtered(select_rows(blocks, other_rows(len(blocks), headings)))
    with writing(request.target) as out, reading([file], target=request.target):
        write(with_doubts_warned(edited, display_name(file)), out)
