"""Templates of requests: files by name and version, with a digest in signatures.

A template's file has parts under ``=== system``, ``=== user`` and ``=== criterion NAME``. A word in double braces is
filled in. Texts of others are inserted as JSON, in the place of ``{{data}}`` only and in one pass: they cannot end
their string, their line or the marked block, and are not filled in themselves.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

#: Characters that end a line in some programs, and that JSON does not escape.
_BREAKS = str.maketrans({"\x7f": "\\u007f", "\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


@dataclass(frozen=True)
class Template:
    """The system's and the user's message of a request, and the criteria."""

    name: str
    system: str
    user: str
    criteria: Mapping[str, str]
    digest: str

    @property
    def signed(self) -> str:
        """Name, version and digest, ``sentence-1@0a1b2c3d``."""
        return f"{self.name}@{self.digest}"

    def filled(self, data: Any, **words: str) -> str:
        """Return the user's message with its data and words."""
        values = {"data": encode_data(data), **words}
        return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], self.user)


def encode_data(data: Any) -> str:
    """Return texts in JSON, an entry per line, without other line breaks."""
    return json.dumps(data, ensure_ascii=False, indent=1).translate(_BREAKS)


@cache
def read_template(name: str) -> Template:
    """Return the template of a name and version, such as ``sentence-1``."""
    text = resources.files("geceval.metrics.judging").joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    pieces = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)[1:]
    parts = {head: body.strip() for head, body in zip(pieces[::2], pieces[1::2], strict=True)}
    criteria = {head.split()[1]: body for head, body in parts.items() if head.startswith("criterion ")}
    return Template(name, parts["system"], parts["user"], criteria, digest)
