"""``geceval m2 apply``: print the sentences as corrected by one annotator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from geceval.base.arguments import PLACES
from geceval.commands.m2.m2_options import File, check_annotators
from geceval.commands.shared.corpus_options import MisfitsOption, MissingOption, OverlapsOption
from geceval.commands.shared.option_groups import OUTPUT
from geceval.commands.shared.option_values import check_whole
from geceval.commands.shared.options import TargetOption
from geceval.terminal.messages import note
from geceval.terminal.progress import reading
from geceval.terminal.writing import write_text
from geceval.text.files import display_name
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.doubtful_edits import warn_of_doubtful_edits
from geceval.text.m2.operations import fitting_blocks, resolve_overlaps


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ApplyRequest(TargetOption):
    """The annotator to apply, and the output."""

    annotator: Annotated[int | None, Parameter(alias="-a")] = None
    """annotator to apply (default: the smallest number)"""
    missing: MissingOption = None
    overlaps: OverlapsOption = "error"
    misfits: MisfitsOption = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, annotator=PLACES)


def apply(file: File, /, *, request: ApplyRequest = ApplyRequest()) -> None:
    """Write the sentences as corrected by the annotator.

    Examples:
      geceval m2 apply gold.m2 --annotator 1 > ref1.txt
    """
    with reading([file]):
        file_blocks = Blocks.read(file)
        warn_of_doubtful_edits(file_blocks, display_name(file))
        blocks = resolve_overlaps(fitting_blocks(file_blocks, request.misfits), request.overlaps)
    available = blocks.annotators or [0]
    annotator = available[0] if request.annotator is None else request.annotator
    check_annotators(file, [annotator], available)
    if request.annotator is None and len(available) > 1:
        numbers = ", ".join(map(str, available))
        note(f"{file} has the annotators {numbers}: the text is by {annotator}, --annotator N selects another")
    corrected = blocks.corrected(annotator, request.missing or "fallback")
    write_text(request.target, "".join(f"{line}\n" for line in corrected))
