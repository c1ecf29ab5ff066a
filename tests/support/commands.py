"""Commands run in the test process: their exit status, stdout and stderr."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass

from geceval.app.main import main


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


Run = Callable[..., Result]


class Stream(io.TextIOWrapper):
    """A stream in memory in place of stdout or stderr."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)


def run_main(*arguments: object) -> Result:
    """Return what a geceval command does with these arguments."""
    streams = [Stream(), Stream()]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = int(stop.code or 0)
    out, err = (stream.buffer.getvalue().decode() for stream in streams)  # type: ignore[attr-defined]
    return Result(status, out, err)
