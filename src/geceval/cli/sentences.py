"""Options of ``geceval score --level sentence``, and what goes together."""

from __future__ import annotations

import argparse
from pathlib import Path

from geceval.errors import UsageError
from geceval.report.tables import ROW_FORMATS

#: Formats of sentence scores alone, beside report.tables.FORMATS.
ALONE = ("jsonl", "parquet")


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
    """Raise UsageError for what does not go together, and complete the format of what is kept."""
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


def orders() -> tuple[str, str]:
    """The orders of systems that no score decides."""
    from geceval.report.scores import BY_NAME, GIVEN

    return GIVEN, BY_NAME


def _kept_format(args: argparse.Namespace) -> str:
    """What ``-f`` says, else the ending of ``-o``, else TSV."""
    if args.format in ROW_FORMATS:
        return str(args.format)
    if args.format != "table":  # the default
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
