"""Options of ``geceval score --level sentence``, and what goes together."""

from __future__ import annotations

import argparse
import errno
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

from geceval.base.errors import UsageError
from geceval.base.output_files import write_errors
from geceval.cli.common import name_and_file
from geceval.report.report import ROW_FORMATS
from geceval.text.files import is_file

#: Formats of sentence scores alone, beside report.FORMATS.
ALONE = ("jsonl", "parquet")
#: Options that change nothing of what is written.
WITHOUT_EFFECT = frozenset(
    "command parser run output keep_out resume quiet threads progress signatures checks cache concurrency rate "
    "max_cost price_prompt price_answer dry_run summary".split()
)


def add_streaming_arguments(parser: argparse.ArgumentParser) -> None:
    """What is for sentences alone."""
    group = parser.add_argument_group(
        "sentences", "with --level sentence; tsv, csv, jsonl and parquet are written as the sentences are scored"
    )
    group.add_argument(
        "--keep",
        metavar="CONDITION",
        help="write the pairs that pass, with their texts: 'green >= 0.9 and errant.precision > 50%%'; numbers are "
        "raw, 0 to 1, or percent (tsv, csv, jsonl, parquet: by -f, or the ending of -o)",
    )
    group.add_argument(
        "--keep-out", nargs=2, metavar=("SOURCE", "HYPOTHESIS"), help="write the pairs that pass to two parallel texts"
    )
    group.add_argument(
        "--resume",
        action="store_true",
        help="go on where an interrupted run with the same -o ended (FILE.part; not for parquet)",
    )
    group.add_argument(
        "--signatures", metavar="FILE", help="write what the columns are, signatures and settings, as JSON"
    )


def check_streaming(args: argparse.Namespace) -> None:
    """Raise UsageError for what does not go together, and complete the format."""
    if args.format is None and args.keep is None:
        args.format = "table"
    if args.level != "sentence":
        for option in ("keep", "keep_out", "resume", "signatures"):
            if getattr(args, option) not in (None, False):
                raise UsageError(f"{option_name(option)} is for sentences", hint="--level sentence")
        if args.format in ALONE:
            raise UsageError(f"--format {args.format} is for sentences", hint="--level sentence, or --format json")
        return
    if args.keep_out and args.keep is None:
        raise UsageError("--keep-out is where the pairs of --keep go", hint="--keep 'green >= 0.9'")
    if args.keep is not None:
        args.format = _kept_format(args)
    if args.format not in ROW_FORMATS:
        for option in ("resume", "signatures"):
            if getattr(args, option):
                hint = f"-f {', '.join(ROW_FORMATS[:-1])} or {ROW_FORMATS[-1]}"
                raise UsageError(f"{option_name(option)} is for formats that are written row by row", hint=hint)
    elif args.sort not in orders():
        hint = "--sort name, or -f table or json, which hold all in memory"
        raise UsageError(f"--sort {args.sort} needs all scores before the first is written", hint=hint)
    else:
        _check_output(args)


def _check_output(args: argparse.Namespace) -> None:
    """Before anything is read, which may take long. Raises UsageError for places that do not go together, and where a
    run cannot be gone on with and is to be."""
    paths = output_files(args)
    if goes_by(args) and (len(paths) > 1 or (paths and args.output == "-")):
        raise UsageError("pairs go to files or to standard output, not to both and not to several devices")
    _check_files(args, [*paths, *_signatures_file(args)])
    if not args.resume:
        return
    if goes_by(args):
        raise UsageError("--resume goes on with a file", hint="-o FILE")
    if args.format == "parquet":
        why = "a Parquet file has its index at its end, and cannot be gone on with"
        raise UsageError(f"--resume: {why}", hint="-f jsonl or csv, which pyarrow turns into Parquet")
    if reads_once(args):
        raise UsageError("--resume: standard input and pipes cannot be known again", hint="give files")


def _signatures_file(args: argparse.Namespace) -> list[str]:
    """The file of ``--signatures``, if it is one; raises InputError unless it can be written."""
    from geceval.text.reading import is_read_once

    path = args.signatures
    if path is None or path == "-" or is_read_once(path):
        return []
    target = Path(os.path.realpath(path))
    with write_errors(path):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with TemporaryFile(dir=target.parent):
            return [path]


def _check_files(args: argparse.Namespace, paths: Sequence[str]) -> None:
    """Raise UsageError for a file that would be written twice, or is read."""
    real = [os.path.realpath(path) for path in paths]
    if len(set(real)) < len(real):
        raise UsageError(f"the same file is to be written twice: {', '.join(paths)}")
    given = {os.path.realpath(path) for path in named_files(args)}
    for path, own in zip(paths, real, strict=True):
        if own in given:
            raise UsageError(f"{path} is read, and cannot be written as well", hint="write to another file")


def output_files(args: argparse.Namespace) -> list[str]:
    """The files that are written."""
    return [*([] if args.output in (None, "-") else [args.output]), *(args.keep_out or ())]


def goes_by(args: argparse.Namespace) -> bool:
    """Whether rows go to standard output, a device or a pipe, and are gone."""
    from geceval.text.reading import is_read_once

    paths = output_files(args)
    return args.output == "-" or not paths or any(map(is_read_once, paths))


def reads_once(args: argparse.Namespace) -> bool:
    """Whether something is read that cannot be read again."""
    from geceval.text.reading import is_read_once

    return any(text == "-" or is_read_once(text) for text in _texts(args))


def named_files(args: argparse.Namespace) -> list[str]:
    """The files that options name."""
    return [text for text in _texts(args) if is_file(text)]


def _texts(args: argparse.Namespace) -> list[str]:
    """What may be the name of a file among the values of options."""
    found: list[str] = []
    for key, value in vars(args).items():
        if key not in WITHOUT_EFFECT | {"metrics", "keep"}:
            texts = [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]
            found += [name_and_file(text)[1] for text in texts] if key == "systems" else texts
    return list(dict.fromkeys(text for text in found if text and "\0" not in text))


def orders() -> tuple[str, str]:
    """The orders of systems that no score decides."""
    from geceval.report.scores.score_report import BY_NAME, GIVEN

    return GIVEN, BY_NAME


def _kept_format(args: argparse.Namespace) -> str:
    """What ``-f`` says, else the ending of ``-o``, else TSV."""
    if args.format in ROW_FORMATS:
        return str(args.format)
    if args.format is not None:
        raise UsageError(f"--keep writes {', '.join(ROW_FORMATS)}, not {args.format}")
    if args.output in (None, "-"):
        return "tsv"
    ending = Path(args.output).suffix[1:].lower()
    if ending not in ROW_FORMATS:
        raise UsageError(f"--keep: in which format is {args.output} to be?", hint=f"-f {', '.join(ROW_FORMATS)}")
    return ending


def is_streamed(args: argparse.Namespace) -> bool:
    """Whether the scores are written as they come."""
    return args.level == "sentence" and args.format in ROW_FORMATS


def option_name(name: str) -> str:
    """An option as it is given."""
    return f"--{name.replace('_', '-')}"


def lines_file(args: argparse.Namespace) -> str | None:
    """A file with a line a sentence, if one is known."""
    path: str | None = args.source
    return path if path is not None and Path(path).is_file() and not path.endswith((".m2", ".md")) else None
