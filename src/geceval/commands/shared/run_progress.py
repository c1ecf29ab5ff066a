"""Progress of a counting run."""

from __future__ import annotations

import codecs
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from geceval.base.errors import GecevalWarning
from geceval.counting.run import Run
from geceval.counting.run_options import Progress
from geceval.terminal.messages import collected
from geceval.terminal.progress import Steps, progress
from geceval.text.files import is_file

#: Number of bytes from which the number of lines of a file is estimated.
_SAMPLE = 1 << 20


def steps_of(run: Run, source: str | None, passes: int = 1) -> Steps:
    """Return the work of ``passes`` over the texts whose source is in a file."""
    each = passes * run.work_of_a_sentence()
    if run.work is not None:
        return Steps(passes * run.work, each)
    lines, estimated = _number_of_lines(source or "")
    return Steps(lines and lines * each, each, estimated=estimated)


def _number_of_lines(path: str) -> tuple[int | None, bool]:
    """Return the number of lines of a plain text, and whether it is estimated.

    None: the file is missing, compressed or no text with a sentence per line.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if is_file(path) and not path.endswith((".m2", ".md")):
            with Path(path).open("rb") as file:
                sample, size = file.read(_SAMPLE), os.fstat(file.fileno()).st_size
            codecs.getincrementaldecoder("utf-8")().decode(sample[:1024])  # a compressed file fails here
            if (lines := sample.count(b"\n")) and size > len(sample):
                return round(lines * size / len(sample)), True
            return (lines + (not sample.endswith(b"\n")) if lines else None), False
    return None, False


@contextlib.contextmanager
def watching(
    run: Run | None = None, source: str | None = None, passes: int = 1
) -> Iterator[tuple[Progress | None, list[GecevalWarning]]]:
    """Show the progress of a block, and collect its warnings.

    Args:
        run: The run of the block (None: an unknown amount of work).
        source: The file of the source.
        passes: How often the run counts all sentences.
    """
    work = None if run is None else lambda: steps_of(run, source, passes)
    with progress(work) as advance, collected() as collection:
        yield advance, collection
