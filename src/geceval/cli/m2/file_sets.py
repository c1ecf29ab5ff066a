"""Write several files together, and name them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

from geceval.base.errors import InputError
from geceval.base.output_files import replacement, write_errors
from geceval.cli.output import text_stream
from geceval.text.files import compressed, is_file, is_folder, unpacked_name


def stem(path: str) -> str:
    """Return the name of a file without folder and endings: gold of data/gold.m2.gz."""
    name = "part" if path == "-" else Path(path).name
    return unpacked_name(name).removesuffix(".m2") or "part"


def output_folder(target: str) -> Path | None:
    """Return the folder of ``--output``, created if missing; None for a file name."""
    if not (target.endswith("/") or is_folder(target)):
        return None
    with write_errors(target):
        Path(target).mkdir(parents=True, exist_ok=True)
    return Path(target)


def write_together(files: Mapping[str, Callable[[TextIO], object]], *, force: bool) -> None:
    """Write all files or none, each by its function.

    Raises:
        InputError: A file cannot be written, or exists and ``force`` is not set.
    """
    for path in files:
        if is_folder(path) or (is_file(path) and not force):
            hint = None if is_folder(path) else "--force writes over it"
            raise InputError("exists already", path=path, hint=hint)
    with contextlib.ExitStack() as stack:
        for path, write in files.items():
            stack.enter_context(write_errors(path))
            part = stack.enter_context(replacement(path))
            with part.open("wb") as raw, compressed(raw, path) as packed, text_stream(packed) as out:
                write(out)
