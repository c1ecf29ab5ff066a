"""A signature in words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from geceval.counting.catalogue.signatures import SignedScore
from geceval.report.report import Report

#: Columns of the text.
WIDTH = 80


def signature_report(score: SignedScore) -> Report:
    """Return the settings of a score and the command that gives it."""
    lines = "".join(f"{line}\n" for line in _lines(score))
    return Report("geceval/signature@1", score.to_dict, lambda: [lines])


def _lines(score: SignedScore) -> Iterator[str]:
    yield score.metric
    keys = max(len(key) for key, _, _ in score.entries)
    values = min(max(len(value) for _, value, _ in score.entries), 24)
    indent = 2 + keys + 2 + values + 2
    for key, value, meaning in score.entries:
        head = f"  {key:{keys}}  {value:{values}}  "
        lines = textwrap.wrap(meaning, WIDTH - indent) or [""]
        if len(head) > indent:
            yield head.rstrip()
            head = " " * indent
        yield (head + lines[0]).rstrip()
        yield from (" " * indent + line for line in lines[1:])
    yield ""
    yield "command:"
    data, options = score.command.split(" -m ", 1)
    pieces = textwrap.wrap(f"-m {options}", WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    yield " \\\n    ".join([f"  {data}", *pieces])
    yield ""
    yield "not in the signature:"
    for text in score.untold:
        yield from textwrap.wrap(text, WIDTH - 2, initial_indent="  ", subsequent_indent="  ")
