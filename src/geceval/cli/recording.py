"""``--record``: the request of a run, what it read and what came out, in a file that ``geceval reproduce`` scores
again."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest
from geceval.cli.output import write_text
from geceval.report.documents import as_json
from geceval.report.report import render
from geceval.text.files import is_file, opened

if TYPE_CHECKING:
    from geceval.report.report import Report


def check_record(record: str | None, target: str | None) -> None:
    """Raise UsageError where a record cannot go to the file that ``--record`` names."""
    if record is None:
        return
    if record == "-":
        raise UsageError("--record takes a file: standard output is for the scores")
    if target is not None and os.path.realpath(target) == os.path.realpath(record):
        raise UsageError("--record and --output are one file")


class WriteRecorded(Protocol):
    """Writes the text of a report to a file or standard output, and the record of the run."""

    def __call__(self, report: Report, text: str, target: str | None) -> None: ...


@contextlib.contextmanager
def recording(command: str, request: CommandRequest, record: str | None) -> Iterator[WriteRecorded]:
    """Yield the writer of a run. All files that are read within are inputs of its record."""
    with opened() as inputs:

        def write(report: Report, text: str, target: str | None) -> None:
            content = None if record is None else _record(command, request, record, inputs, report)
            write_text(target, text)
            if content is not None:
                write_text(record, content)

        yield write


def _record(command: str, request: CommandRequest, record: str, inputs: Mapping[str, None], report: Report) -> str:
    """The text of a record. Raises UsageError where an input cannot be read again."""
    from geceval.studies.suites.run_records import SCHEMA, made_record

    for path in inputs:
        if path == "-" or not is_file(path):
            raise UsageError(f"--record: {path} cannot be read again", hint="name a file")
        if os.path.realpath(path) == os.path.realpath(record):
            raise UsageError(f"--record: {path} is a file that was read, and is not written over")
    folder, document = str(Path(record).resolve().parent), render(report, "json")
    return as_json(SCHEMA, made_record(command, recorded_options(request), inputs, document, folder).to_dict())


def recorded_options(request: CommandRequest) -> dict[str, Any]:
    """Return the options of a request that a record keeps: those that do not write files."""
    written = {name for name, facts, _ in request.options() if facts.effect == "files"}
    return {name: value for name, value in request.to_document().items() if name not in written}
