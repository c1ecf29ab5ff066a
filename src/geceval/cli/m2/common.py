"""What the actions of ``geceval m2`` share: arguments, and several files that are written together."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO, TypeVar

from geceval.base.errors import InputError, UsageError
from geceval.base.output_files import replacement, write_errors
from geceval.text.files import COMPRESSED, is_folder, unpacked_name

T = TypeVar("T")


def add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an M2 file, plain or compressed; - is standard input")


def add_files(parser: argparse.ArgumentParser, then: str = "") -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=f"M2 files, plain or compressed; - is standard input{then}"
    )


def add_examples(parser: argparse.ArgumentParser, examples: str) -> None:
    parser.epilog = f"examples:\n{examples}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter


def listed(kind: Callable[[str], T]) -> Callable[[str], list[T]]:
    """A type for argparse: several of a kind with commas between them; options that have it are of action extend."""

    def convert(text: str) -> list[T]:
        return [kind(part) for part in text.split(",")]

    return convert


def stem(path: str) -> str:
    """The name of a file without folder and endings: gold of data/gold.m2.gz."""
    name = "part" if path == "-" else Path(path).name
    return unpacked_name(name).removesuffix(".m2") or "part"


def check_output(path: str | None) -> None:
    """Raise UsageError for the name of a compressed file: what is written is not."""
    if path is not None and path.endswith(COMPRESSED):
        raise UsageError(f"{path}: what is written is not compressed", hint="write to standard output, and | gzip")


def asked_folder(output: str) -> Path | None:
    """The folder that ``--output`` names, made if need be; None where it is the name of files."""
    if not (output.endswith("/") or is_folder(output)):
        return None
    with write_errors(output):
        Path(output).mkdir(parents=True, exist_ok=True)
    return Path(output)


def counted(number: int, noun: str) -> str:
    """1 edit, 2 edits."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def write_together(files: Mapping[str, Callable[[TextIO], object]], *, force: bool) -> None:
    """Files by name and what writes each: all of them, or none.

    Raises InputError if one cannot be written, or is there already unless ``force``.
    """
    for path in files:
        if Path(path).is_dir() or (Path(path).exists() and not force):
            hint = None if Path(path).is_dir() else "--force writes over it"
            raise InputError("is there already", path=path, hint=hint)
    with contextlib.ExitStack() as stack:
        for path, write in files.items():
            stack.enter_context(write_errors(path))
            with stack.enter_context(replacement(path)).open("w", encoding="utf-8", newline="\n") as out:
                write(out)
