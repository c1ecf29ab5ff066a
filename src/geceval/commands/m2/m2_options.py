"""Files and options of the actions of ``geceval m2``.

Annotations are evaluated, as in geceval.commands.shared.options.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from cyclopts import Parameter

from geceval.base.arguments import choices
from geceval.base.errors import UsageError
from geceval.commands.shared.option_values import COMMAS
from geceval.commands.shared.options import TargetOption
from geceval.text.files import display_name
from geceval.text.m2 import operations
from geceval.text.m2.blocks import BlockStream
from geceval.text.m2.doubtful_edits import with_doubts_warned
from geceval.text.m2.edit import Block, Misfits
from geceval.text.m2.m2_files import read

File = Annotated[str, Parameter(name="FILE", help="an M2 file, plain or compressed; - is standard input")]
Files = Annotated[tuple[str, ...], Parameter(name="FILE", help="M2 files, plain or compressed; - is standard input")]
Annotators = Annotated[tuple[int, ...], COMMAS, Parameter(alias="-a", metavar="ID,…")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class M2TargetOption(TargetOption):
    """The output of M2."""

    formats: ClassVar[tuple[str, ...]] = ("m2",)


def check_annotators(path: str, required: Sequence[int], available: Sequence[int]) -> None:
    """Raise UsageError for an annotator without a line in the file."""
    for annotator in required:
        if annotator not in available:
            raise UsageError(f"{path} has no annotator {annotator}: choose from {choices(available)}")


def read_examined(path: str) -> BlockStream:
    """Return the blocks of a file; warn at their end of what is probably wrong in its edits."""
    return with_doubts_warned(read(path), display_name(path))


def without_misfits(blocks: Iterable[Block], misfits: Misfits) -> Iterable[Block]:
    """Return blocks without the edits that do not fit; such edits are an error only where they are used."""
    return blocks if misfits == "error" else operations.fitting(blocks, misfits)
