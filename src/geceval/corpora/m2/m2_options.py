"""Options that the actions of ``geceval m2`` share.

As in geceval.cli.options, annotations are evaluated.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from cyclopts import Parameter

from geceval.cli.options import COMMAS, TargetOption

File = Annotated[str, Parameter(name="FILE", help="an M2 file, plain or compressed; - is standard input")]
Files = Annotated[tuple[str, ...], Parameter(name="FILE", help="M2 files, plain or compressed; - is standard input")]
Annotators = Annotated[tuple[int, ...], COMMAS, Parameter(alias="-a", metavar="ID,…")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class M2TargetOption(TargetOption):
    """The output of M2."""

    formats: ClassVar[tuple[str, ...]] = ("m2",)
