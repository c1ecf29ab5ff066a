"""Checks of gold edits, before a line is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval.counting.checks.findings import Finding, Use
from geceval.text.corpus import TextSource
from geceval.text.m2 import NOOP, UNKNOWN


def found_beside_gold(corpus: TextSource, uses: Sequence[Use]) -> Iterator[Finding]:
    """Yield what is odd about gold edits: beside references, and of other types than those they are compared with."""
    if corpus.reference_numbers(of_gold=False)[1] > 0 and not corpus.made_by:
        yield Finding("evidence", "", f"gold edits and references are both given: {_shares(uses)}")
    if any(use.english and use.against == "edits" for use in uses):
        strange = sorted(name for name in corpus.facts.edit_types() if not _is_errants(name))
        if strange:
            shown = ", ".join(strange[:3]) + (", ..." if len(strange) > 3 else "")
            message = (
                f"its types are not ERRANT's ({shown}), nor perhaps its spans, but edits of text are compared with it"
            )
            yield Finding("types", "gold", message)


def _shares(uses: Sequence[Use]) -> str:
    """Who uses what."""
    names = {"the gold edits": ("gold", "edits"), "the references": ("texts",)}
    parts = []
    for what, kinds in names.items():
        users = list(dict.fromkeys(use.label for use in uses if use.against in kinds))
        verb = "uses" if len(users) == 1 else "use"
        parts.append(f"{', '.join(users)} {verb} {what}" if users else f"nothing uses {what}")
    return "; ".join(parts)


def _is_errants(name: str) -> bool:
    return name in (NOOP, UNKNOWN) or name.startswith(("M:", "R:", "U:"))
