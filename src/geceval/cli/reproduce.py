"""``geceval reproduce``: score again what a record says, and say what differs."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geceval.base.errors import BelowTheBarError, GecevalError, InputError, UsageError
from geceval.cli.common import add_output, add_quiet, add_threads, write_output
from geceval.cli.recording import RECORDED, CapturedError
from geceval.text.files import is_file, is_folder

if TYPE_CHECKING:
    from geceval.studies.suites.run_records import RecordDifference, RecordedFile, RunRecord

EXAMPLES = """\
examples:
  geceval score -s source.txt -r ref0.txt -c sys.txt -m green --record run.json
  geceval reproduce run.json

Exit status: 0 where every number and signature is the recorded one, 1 where one is not, 2 where it cannot be scored.
Only geceval's own score, compare, meta and suite are run, nothing is written, and no server is asked. docs/suites.md
"""
#: Options that write files or ask for bars; a reproduction does without.
SILENT = {"output": None, "record": None, "plot": None, "cache": None, "summary": None, "quiet": True}
#: Options with which there are no scores to be recorded, so that no record has them.
REFUSED = ("keep_out", "signatures", "resume", "list")
#: Differences that are told; all are counted.
SHOWN = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("recorded", metavar="RECORD", help="a file that --record wrote")
    parser.add_argument("--folder", metavar="DIR", help="where the command is run (default: as the record says)")
    add_output(parser)
    add_threads(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> None:
    import json

    from geceval.studies.suites.run_records import differences, read_record

    record = read_record(args.recorded)
    folder = Path(args.folder) if args.folder is not None else Path(args.recorded).parent / record.folder
    if not is_folder(folder):
        raise InputError(f"the folder of the run, {folder}, is not there", path=args.recorded, hint="--folder DIR")
    with _within(folder):
        changed = _inputs(record, args.recorded)
        document = json.loads(_again(record, args))
    found = list(differences(record.document, document))
    write_output(args, "".join(f"{line}\n" for line in _told(record, changed, found)))
    if found:
        raise BelowTheBarError(f"{len(found)} number{'s' if len(found) > 1 else ''} or signatures differ")


@contextlib.contextmanager
def _within(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    try:
        os.chdir(folder)
    except OSError as error:
        raise InputError(f"cannot enter: {error.strerror}", path=str(folder)) from None
    try:
        yield
    finally:
        os.chdir(before)


def _inputs(record: RunRecord, path: str) -> list[RecordedFile]:
    """The inputs that are others now. Raises InputError that lists those that are not there."""
    from geceval.studies.suites.run_records import state

    missing = [one.path for one in record.inputs if not is_file(one.path)]
    if missing:
        raise InputError(f"inputs are missing: {', '.join(missing)}", path=path, hint="--folder DIR")
    return [one for one in record.inputs if state(one.path) != (one.sha256, one.size)]


def _again(record: RunRecord, args: argparse.Namespace) -> str:
    """The document of the command, run anew. Raises UsageError for what no record has."""
    from geceval.cli.main import build_parser

    command = record.command[0]
    if command not in RECORDED:
        raise UsageError(f"a record of {command!r}: there are those of {', '.join(RECORDED)}")
    with _quietly():
        own: Any = build_parser(command).parse_args(list(record.command))
    for name, value in SILENT.items():
        if hasattr(own, name):
            setattr(own, name, value)
    _check(own)
    own.reproduced, own.threads = True, args.threads
    try:
        with _without_server(), _quietly():
            own.run(own)
    except CapturedError as captured:
        return captured.document
    raise GecevalError("the recorded command gives no scores")


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Nothing within is printed, and what would end this program is an error: the command asks for help, say."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    except SystemExit:
        raise InputError("the record's command cannot be read") from None


@contextlib.contextmanager
def _without_server() -> Iterator[None]:
    """The environment names no judge within: who reproduces a record has not asked to pay for answers."""
    from geceval.metrics.judging.judged_metric import BASE_URL

    named = os.environ.pop(BASE_URL, None)
    try:
        yield
    finally:
        if named is not None:
            os.environ[BASE_URL] = named


def _check(own: argparse.Namespace) -> None:
    """Refuse what would send something to a server that the record names, or write a file of its naming."""
    from geceval.counting.metric_names import parse_specs

    asked = {key for _, settings in parse_specs(getattr(own, "metrics", None) or ()) for key in settings}
    if own.command == "score" and own.level == "sentence":
        raise UsageError("there are no records of scores of sentences, which may be written anywhere")
    for name in REFUSED:
        if getattr(own, name, None):
            raise UsageError(f"no record is made with --{name.replace('_', '-')}")
    given = [value for name, value in vars(own).items() if name not in SILENT]
    words = [word for value in given for word in (value if isinstance(value, (list, tuple)) else [value])]
    if any(isinstance(word, str) and (word == "-" or word.endswith("=-")) for word in words):
        raise UsageError("the recorded command reads standard input, which no record keeps")
    for name in ("base_url", "cache"):
        if name in asked or getattr(own, name, None) is not None:
            what = "asks a server" if name == "base_url" else "keeps answers in a file"
            raise UsageError(f"the recorded command {what}: run it yourself", hint="its words are in the record")


def _told(record: RunRecord, changed: list[RecordedFile], found: list[RecordDifference]) -> Iterator[str]:
    import platform

    import numpy as np

    from geceval._kernel import __version__

    now = {"version": __version__, "python": platform.python_version(), "numpy": np.__version__}
    for name, value in now.items():
        if getattr(record, name) != value:
            yield f"{'geceval' if name == 'version' else name}: {getattr(record, name)} → {value}"
    for one in changed:
        yield f"input changed: {one.path}"
    for difference in found[:SHOWN]:
        yield f"{difference.where}: {_value(difference.old)} → {_value(difference.new)}"
    if len(found) > SHOWN:
        yield f"… and {len(found) - SHOWN} more"
    if not found:
        yield f"reproduced: {len(record.signatures)} signatures and all numbers are the recorded ones"


def _value(value: object) -> str:
    return "nothing" if value is None else str(value)
