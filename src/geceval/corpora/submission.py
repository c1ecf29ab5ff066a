"""Submissions to the sites of test sets: their number of lines, and archives."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import TextIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from geceval.base.errors import InputError
from geceval.cli.output import write_text, writing_bytes
from geceval.cli.stderr import quantity, warn
from geceval.text.files import display_name

#: Number of lines of the test sets.
LINES = {"bea19": 4477, "conll14": 1312}


@contextlib.contextmanager
def writing_submission(test_set: str, path: str, target: str | None) -> Iterator[TextIO]:
    """Yield a stream for the lines of ``path``, and write them if all are valid.

    A target named ``.zip`` is an archive of one file, equal for equal lines.

    Raises:
        InputError: if the test set has another number of lines; names the first line that is missing or superfluous.
    """
    text, number, path = io.StringIO(newline="\n"), LINES[test_set], display_name(path)
    yield text
    lines = text.getvalue().split("\n")[:-1]
    if len(lines) != number:
        message = f"{quantity(len(lines), 'line')}, and the test set {test_set} has {number}"
        raise InputError(message, path=path, line=min(len(lines), number) + 1)
    if empty := [str(at) for at, line in enumerate(lines, 1) if not line.strip()]:
        warn(f"{path}: {quantity(len(empty), 'line')} without text: {', '.join(empty[:10])}")
    if sum(line[-2:-1].isalpha() and line[-1] in ".?!" for line in lines) > number // 2:
        warn(f"{path}: most full stops are part of a word, but tokens in the test set (hint: --preset {test_set})")
    if not str(target).endswith(".zip"):
        write_text(target, text.getvalue())
        return
    with writing_bytes(str(target)) as raw, ZipFile(raw, "w") as archive:
        entry = ZipInfo(f"{test_set}.txt")  # of 1980, and of no system
        entry.create_system = 0
        archive.writestr(entry, text.getvalue().encode("utf-8", "surrogateescape"), ZIP_DEFLATED)
