"""What can be told from what was given, before a line is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from geceval.counting.checks.findings import Finding
from geceval.text.corpus import TextSource
from geceval.text.m2 import NOOP, UNKNOWN

#: What a metric holds a system against; see counting.contract.EvidenceOf.
Against: TypeAlias = Literal["texts", "gold", "edits", "nothing"]


class Use(NamedTuple):
    """What a metric makes of a corpus. ``english``: it finds edits in text with an annotator of English; ``words``: it
    counts what stands between blanks."""

    label: str
    against: Against
    english: bool = False
    words: bool = False


def found_in_given(corpus: TextSource, uses: Sequence[Use]) -> Iterator[Finding]:
    """Gold edits beside references, and gold edits of other types than those they are compared with."""
    given = corpus.reference_numbers(of_gold=False)[1] > 0 and not corpus.made_by
    if corpus.has_gold and given:
        yield Finding("evidence", "", f"gold edits and references are both given: {_shares(uses)}")
    if corpus.has_gold and any(use.english and use.against == "edits" for use in uses):
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
