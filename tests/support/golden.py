"""Reading the recorded outputs of the public tools (their layout: golden/README.md)."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from geceval._kernel import LineCutter
from geceval.text.reading.lines import read_lines

DATASETS = ("conll14", "conll14-plain", "jfleg-dev", "jfleg-dev-ref0-vs-ref123", "bea19-dev")


@cache
def lines(path: Path) -> list[str]:
    return list(read_lines(path))


def split_lines(text: str) -> list[str]:
    """The lines of a text, as if it was read from a file."""
    cutter = LineCutter()
    assert cutter.push(text.encode()) is None
    assert cutter.finish() is None
    return [line or "" for line in cutter.take(len(text))]


@cache
def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Texts:
    source: list[str]
    references: list[list[str]]


def texts(shared: Path, document: Any) -> Texts:
    """Source and references of a GREEN or GLEU document."""
    return Texts(lines(shared / document["source"]), [lines(shared / path) for path in document["references"]])


@dataclass(frozen=True)
class Capture:
    """A recorded command: its words, where it ran, and what it printed (perhaps only the first lines)."""

    command: list[str]
    folder: Path
    output: str
    whole: bool


def capture(shared: Path, path: Path) -> Capture:
    head, command, *output = path.read_text(encoding="utf-8").split("\n", 2)
    folder = head.removeprefix("# working directory: ").split(";")[0]
    return Capture(shlex.split(command.removeprefix("$ ")), shared / folder, output[0], "whole" in head)
