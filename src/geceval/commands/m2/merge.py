"""``geceval m2 merge``: merge the annotators of several files."""

from __future__ import annotations

from geceval.base.errors import UsageError
from geceval.commands.m2.m2_options import Files, M2TargetOption, read_examined
from geceval.terminal.progress import reading
from geceval.terminal.writing import writing
from geceval.text.files import is_read_once
from geceval.text.m2 import operations
from geceval.text.m2.m2_files import read, write
from geceval.text.m2.operations import annotators


def merge(files: Files, /, *, request: M2TargetOption = M2TargetOption()) -> None:
    """Write one file with the annotators of all files, in their order.

    Each file is read twice, which bounds the memory.
    """
    if any(map(is_read_once, files)):
        raise UsageError("merge reads every file twice and cannot read standard input or pipes")
    with reading(files):
        ids = [annotators(read(path)) for path in files]
    with writing(request.target) as out, reading(files, target=request.target):
        write(operations.merge([*map(read_examined, files)], ids), out)
