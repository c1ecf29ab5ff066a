"""Templates of requests: files with a name and a version, identified by a digest.

A file has sections ``=== system``, ``=== user`` and ``=== criterion NAME``. A word in double braces is a placeholder.
Users' texts replace only ``{{data}}``, as JSON and in one pass. They can therefore not end their string, line or block,
and placeholders in them are not replaced.
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
    """System message, user message and criteria of a request."""

    name: str
    system: str
    user: str
    criteria: Mapping[str, str]
    digest: str

    @property
    def signed(self) -> str:
        """The name, version and digest, for example ``sentence-1@0a1b2c3d``.

        Templates with equal digests have equal words.
        """
        return f"{self.name}@{self.digest}"

    def filled(self, data: Any, **words: str) -> str:
        """Return the user message with its placeholders replaced."""
        values = {"data": encode_data(data), **words}
        return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], self.user)


def encode_data(data: Any) -> str:
    """Return texts as JSON with one entry per line and no other line breaks."""
    return json.dumps(data, ensure_ascii=False, indent=1).translate(_BREAKS)


@cache
def read_template(name: str) -> Template:
    """Return the template of a name and version, for example ``sentence-1``."""
    text = resources.files("geceval.metrics.judging").joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    pieces = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)[1:]
    parts = {head: body.strip() for head, body in zip(pieces[::2], pieces[1::2], strict=True)}
    criteria = {head.split()[1]: body for head, body in parts.items() if head.startswith("criterion ")}
    return Template(name, parts["system"], parts["user"], criteria, digest)
