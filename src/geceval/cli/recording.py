"""``--record``: what was run, on what, and what came out, in a file that ``geceval reproduce`` scores again."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from geceval.base.errors import UsageError
from geceval.cli.common import write_output, writing
from geceval.text.files import is_file, opened

#: The commands of which there are records; no other one is ever run from a record.
RECORDED = ("score", "compare", "meta", "suite")


class CapturedError(Exception):
    """Carries the document of a run that is reproduced past what the command would do after it."""

    def __init__(self, document: str) -> None:
        super().__init__("captured")
        self.document = document


def add_record_argument(parser: argparse.ArgumentParser) -> None:
    """Where the record goes."""
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="write there, too, what was run, versions, signatures, checksums of all that was read, and all scores; "
        "geceval reproduce FILE scores again and says what differs",
    )


@contextlib.contextmanager
def recording(args: argparse.Namespace, arguments: Sequence[str]) -> Iterator[None]:
    """What is read within is known to write_rendered, if a record is asked for."""
    if getattr(args, "record", None) is None:
        yield
        return
    if args.record == "-":
        raise UsageError("--record takes a file: standard output is for the scores")
    if args.output is not None and os.path.realpath(args.output) == os.path.realpath(args.record):
        raise UsageError("--record and --output are one file")
    with opened() as inputs:
        args.inputs, args.arguments, args.recorded = inputs, list(arguments), False
        yield
    if not args.recorded:
        raise UsageError("--record: this run has no scores to be recorded")


def also_recorded(args: argparse.Namespace, *words: str) -> None:
    """What a command takes from the environment stands in its record as if it had been typed."""
    if getattr(args, "record", None) is not None:
        args.arguments[1:1] = words  # before a --, behind which there are no options


def write_rendered(args: argparse.Namespace, make: Callable[[str], str]) -> None:
    """What was found, made in a format, to ``--output`` or standard output, and the record. Raises CapturedError
    instead where the run is reproduced."""
    if getattr(args, "reproduced", False):
        raise CapturedError(make("json"))
    text = make(args.format)
    record = None if args.record is None else _record(args, text if args.format == "json" else make("json"))
    write_output(args, text)
    if record is not None:
        with writing(args.record) as out:
            out.write(record)
        args.recorded = True


def _record(args: argparse.Namespace, document: str) -> str:
    from geceval.report.documents import as_json
    from geceval.studies.suites.run_records import SCHEMA, made_record

    inputs: Mapping[str, None] = args.inputs
    for path in inputs:
        if path == "-" or not is_file(path):
            raise UsageError(f"--record: {path} cannot be read again", hint="name a file")
        if os.path.realpath(path) == os.path.realpath(args.record):
            raise UsageError(f"--record: {path} is a file that was read, and is not written over")
    folder = str(Path(args.record).resolve().parent)
    record = made_record(without_outputs(args.arguments), inputs, document, folder)
    return as_json(SCHEMA, record.to_dict())


def _is_record(option: str) -> bool:
    """Whether argparse takes it for --record; shorter ones are those of other options, too."""
    return option.startswith("--rec") and "--record".startswith(option)


def without_outputs(arguments: Sequence[str]) -> list[str]:
    """The arguments without where the record goes; where else output goes is not followed when they are run again."""
    kept: list[str] = []
    rest = iter(arguments)
    for word in rest:
        option, equals, _ = word.partition("=")
        if word == "--":
            kept += [word, *rest]
        elif not _is_record(option):
            kept.append(word)
        elif not equals:
            next(rest, None)
    return kept
