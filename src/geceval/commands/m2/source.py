"""``geceval m2 source``: print the sentences as text."""

from __future__ import annotations

from itertools import chain

from geceval.commands.m2.m2_options import Files
from geceval.commands.shared.options import TargetOption
from geceval.terminal.progress import reading
from geceval.terminal.writing import writing
from geceval.text.files import check_standard_input
from geceval.text.m2.m2_files import read


def source(files: Files, /, *, request: TargetOption = TargetOption()) -> None:
    """Write the sentences of the files as text.

    Examples:
      geceval m2 source gold.m2 > source.txt
    """
    check_standard_input(files)
    with writing(request.target) as out, reading(files, target=request.target):
        for portion in chain.from_iterable(read(path).portions for path in files):
            out.writelines(f"{line}\n" for line in portion.source)
