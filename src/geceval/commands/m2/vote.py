"""``geceval m2 vote``: keep the edits that at least N files contain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from geceval.base.arguments import COUNT
from geceval.base.errors import UsageError
from geceval.commands.m2.m2_options import Files, read_examined, without_misfits
from geceval.commands.shared.corpus_options import MisfitsOption
from geceval.commands.shared.option_groups import OUTPUT
from geceval.commands.shared.option_values import check_whole
from geceval.commands.shared.options import Quiet, Target
from geceval.commands.shared.output_formats import format_of
from geceval.terminal.progress import reading
from geceval.terminal.writing import writing
from geceval.text.files import check_standard_input
from geceval.text.m2 import operations
from geceval.text.m2.m2_files import write
from geceval.text.m2.operations import split_by_annotator


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class VoteRequest:
    """The number of votes, and the output."""

    target: Target = None
    least: Annotated[int | None, Parameter(alias="-k")] = None
    """number of files that must have an edit (default: more than half)"""
    text: bool = False
    """write the corrected sentences, not M2"""
    misfits: MisfitsOption = "error"
    quiet: Quiet = False

    def __post_init__(self) -> None:
        check_whole(self, least=COUNT)
        format_of(self.target, None, ("text",) if self.text else ("m2",))


def vote(files: Files, /, *, request: VoteRequest = VoteRequest()) -> None:
    """Write the edits with enough votes, or the text they make.

    Examples:
      geceval m2 vote sys1.m2 sys2.m2 sys3.m2 -o voted.m2
      geceval m2 vote gold.m2 -k 2 -o agreed.m2           # what two of its annotators agree on
    """
    check_standard_input(files)
    voters = [without_misfits(read_examined(path), request.misfits) for path in files]
    what = "files"
    if len(voters) == 1:
        what, voters = "annotators", [*split_by_annotator(voters[0]).values()]
    least = len(voters) // 2 + 1 if request.least is None else request.least
    if not 1 <= least <= len(voters):
        raise UsageError(f"-k must be 1 to {len(voters)}, the number of {what}, not {least}")
    voted = operations.vote(voters, least)
    with writing(request.target) as out, reading(files, target=request.target):
        if request.text:
            out.writelines(f"{line}\n" for portion in voted.portions for line in portion.corrected(0))
        else:
            write(voted, out)
