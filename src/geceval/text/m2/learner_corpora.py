r"""Essays of learner corpora with edits of characters, as rows of suggestions.

A row of W&I+LOCNESS and FCE is a text with edits by annotator; an edit without a text marks an error::

    {"text": "He go .\nBye", "edits": [[0, [[3, 5, "goes", "AGV"], [8, 11, null]]]]}

In the release for Hugging Face its edits are one object of lists, ``{"start": [3], "end": [5], "text": ["goes"]}``. In
the markup of UA-GEC the text contains its edits, ``He {go=>goes:::error_type=G/Number} .``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError

_MARKUP = re.compile(r"\{([^{}]*?)=>([^{}]*?)(?::::([^{}]*))?\}")
_TYPE = re.compile(r"error_type=([^:]*)")


def is_essay(row: Any) -> bool:
    """Return whether a row is a text with edits of W&I+LOCNESS or FCE."""
    edits = row.get("edits") if isinstance(row, Mapping) else None
    is_by_annotator = isinstance(edits, list) and edits != [] and all(isinstance(run, list) for run in edits)
    return is_by_annotator or (isinstance(edits, Mapping) and {"start", "end", "text"} <= {*edits})


def essay_of_markup(text: str) -> dict[str, Any]:
    """Return a text in the markup of UA-GEC as a row of W&I+LOCNESS."""
    parts, edits, position, length = list[str](), list[Any](), 0, 0
    for match in _MARKUP.finditer(text):
        parts += [text[position : match.start()], match[1]]
        length += match.start() - position
        types = _TYPE.search(match[3] or "")
        edits.append([length, length + len(match[1]), match[2], types[1] if types else None])
        length, position = length + len(match[1]), match.end()
    return {"text": "".join([*parts, text[position:]]), "edits": [[0, edits]]}


def rows_of_essay(essay: Mapping[str, Any], path: str, line: int) -> Iterator[dict[str, Any]]:
    """Yield a row of suggestions for each line of an essay that is not blank.

    A warning reports edits of several lines, which are left out.

    Args:
        essay: The essay.
        path: The name of the file in errors.
        line: The line of the essay in the file.

    Raises:
        InputError: For edits of another form.
    """
    runs = essay["edits"]
    try:
        if isinstance(runs, Mapping):
            runs = [[0, list(zip(runs["start"], runs["end"], runs["text"], strict=True))]]
        edits = [(annotator, *edit) for annotator, run in runs for edit in run]
        spans = [(annotator, int(start), int(end), rest) for annotator, start, end, *rest in edits]
        lines = essay["text"].split("\n")
    except (ValueError, TypeError, KeyError, AttributeError):
        message = "not a text with edits [annotator, [[start, end, correction or null, type], …]]"
        raise InputError(message, path=path, line=line) from None
    position, count = 0, 0
    for text in lines:
        within = [span for span in spans if position <= span[1] <= span[2] <= position + len(text)]
        rows = [
            {"start": start - position, "end": end - position, "annotator": annotator}
            | dict(zip(("replacement", "type"), rest, strict=False))
            for annotator, start, end, rest in within
        ]
        position += len(text) + 1
        count += len(within)
        if text.strip():
            yield {"source": text, "annotators": [annotator for annotator, _ in runs], "edits": rows}
    if count < len(spans):
        warn(f"{path}: ignored edits that span several lines: {len(spans) - count}")
