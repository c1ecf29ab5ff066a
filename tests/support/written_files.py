"""Files that a test writes."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from geceval import m2
from geceval.m2 import Block

#: A sentence in ChERRANT's dialect, with two alignments of the answer of its first annotator.
CHERRANT_BLOCK = """\
S 他 来 到 北 京
T0-A0 他 来 了 北 京
A 2 3|||S|||了|||REQUIRED|||-NONE-|||0
T0-A1 他 来 了 北 京
A 2 3|||R|||-NONE-|||REQUIRED|||-NONE-|||0
A 3 3|||M|||了|||REQUIRED|||-NONE-|||0
"""


def write(path: Path, data: bytes | str) -> Path:
    """Write a file in UTF-8, without translating line ends, and return its path."""
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def m2_text(blocks: Iterable[Block]) -> str:
    """Return the blocks as the text of an M2 file."""
    out = io.StringIO()
    m2.write(blocks, out)
    return out.getvalue()
