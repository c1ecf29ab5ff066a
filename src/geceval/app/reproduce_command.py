"""``geceval reproduce``: repeat a recorded run and list the differences."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geceval._kernel import __version__
from geceval.app.main import command_named
from geceval.base.errors import BelowTheBarError, InputError, UsageError
from geceval.base.requests import CommandRequest, from_document, option
from geceval.cli.options import QuietOption, TargetOption, ThreadsOption
from geceval.cli.output import working_directory, write_text
from geceval.cli.parsing import Command
from geceval.counting.metric_names import parse_specs
from geceval.tables.report import Report, render
from geceval.text.files import is_file, is_folder

if TYPE_CHECKING:
    from geceval.cli.run_records import RecordDifference, RecordedFile, RunRecord

#: The commands with ``--record``. No other command is run from a record.
RECORDED = ("score", "compare", "meta", "suite")
#: Number of differences to print.
SHOWN = 50


class ReproduceRequest(QuietOption, ThreadsOption, TargetOption, CommandRequest):
    """A record, and the folder of the run."""

    recorded: str = option(metavar="RECORD", default="", required=True)
    folder: str | None = option("--folder", metavar="DIR")


def run(request: ReproduceRequest) -> None:
    """Write the differences.

    Raises:
        BelowTheBarError: A number or a signature differs.
    """
    from geceval.cli.run_records import differences, read_record

    path = request.recorded
    record = read_record(path)
    folder = Path(request.folder) if request.folder is not None else Path(path).parent / record.folder
    if not is_folder(folder):
        raise InputError(f"folder of the run not found: {folder}", path=path, hint="--folder DIR")
    with _surroundings(folder):
        changed = _inputs(record, path)
        own, make = _recorded(record, request.threads)
        document = json.loads(render(make(own), "json"))
    found = list(differences(record.document, document))
    write_text(request.target, "".join(f"{line}\n" for line in _lines(record, changed, found)))
    if found:
        raise BelowTheBarError(f"{len(found)} number{'s' if len(found) > 1 else ''} or signatures differ")


@contextlib.contextmanager
def _surroundings(folder: Path) -> Iterator[None]:
    """Change to a folder, without the address of a judge in the environment.

    Answers of a judge may cost money.
    """
    from geceval.metrics.judging.judged_metric import BASE_URL

    before = working_directory()
    try:
        os.chdir(folder)
    except OSError as error:
        raise InputError(f"cannot enter: {error.strerror}", path=str(folder)) from None
    server = os.environ.pop(BASE_URL, None)
    try:
        yield
    finally:
        os.chdir(before)
        if server is not None:
            os.environ[BASE_URL] = server


def _inputs(record: RunRecord, path: str) -> list[RecordedFile]:
    """Return the inputs that have changed.

    Raises:
        InputError: An input is missing.
    """
    from geceval.cli.run_records import state

    missing = [one.path for one in record.inputs if not is_file(one.path)]
    if missing:
        raise InputError(f"inputs are missing: {', '.join(missing)}", path=path, hint="--folder DIR")
    return [one for one in record.inputs if state(one.path) != (one.sha256, one.size)]


def _recorded(record: RunRecord, threads: int) -> tuple[CommandRequest, Callable[[Any], Report]]:
    """Return the recorded request and the function that makes its report.

    The request has no output files.

    Raises:
        UsageError: The command or an option cannot be reproduced.
    """
    name = record.command
    if name not in RECORDED:
        raise UsageError(f"records of {name!r} cannot be reproduced: choose from {', '.join(RECORDED)}")
    command = command_named(name)
    assert command.report is not None
    request = from_document(command.request, {**record.options, "quiet": True, "threads": threads})
    _check(name, request)
    return request, command.report


def _check(command: str, request: CommandRequest) -> None:
    """Raise UsageError for a request that would call a server or write a file."""
    values = {}
    for name, facts, value in request.options():
        values[name] = value
        if facts.effect == "files" and value not in (None, ()):
            raise UsageError(f"{facts.name(name)} cannot be recorded")
        words = value if isinstance(value, tuple) else (value,)
        if any(isinstance(word, str) and (word == "-" or word.endswith("=-")) for word in words):
            raise UsageError("the recorded command reads standard input, which is not recorded")
    if command == "score" and values["level"] == "sentence":
        raise UsageError("sentence scores cannot be recorded")
    asked = {key for _, settings in parse_specs(values["metrics"]) for key in settings}
    for name, what in (("server", "asks a server"), ("cache", "keeps answers in a file")):
        if name in asked:
            raise UsageError(f"the recorded command {what}: run it yourself", hint="the record has its options")


def _lines(record: RunRecord, changed: list[RecordedFile], found: list[RecordDifference]) -> Iterator[str]:
    import platform

    import numpy as np

    now = {"version": __version__, "python": platform.python_version(), "numpy": np.__version__}
    for name, value in now.items():
        if getattr(record, name) != value:
            yield f"{'geceval' if name == 'version' else name}: {getattr(record, name)} → {value}"
    for one in changed:
        yield f"input changed: {one.path}"
    for difference in found[:SHOWN]:
        old, new = ("nothing" if value is None else value for value in (difference.old, difference.new))
        yield f"{difference.where}: {old} → {new}"
    if len(found) > SHOWN:
        yield f"… and {len(found) - SHOWN} more"
    if not found:
        yield f"reproduced: {len(record.signatures)} signatures and all numbers are equal"


COMMAND = Command(ReproduceRequest, run)
