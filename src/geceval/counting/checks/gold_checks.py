"""Checks of gold edits: their types, their form, and references next to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval.base.arguments import counted
from geceval.counting.checks.findings import Finding
from geceval.counting.checks.metric_uses import Use, who_uses
from geceval.text.corpus import TextSource
from geceval.text.m2.blank_tokens import blank_tokens
from geceval.text.m2.edit import NOOP, UNKNOWN
from geceval.text.m2.headings import described, headings_of


def gold_findings(corpus: TextSource, uses: Sequence[Use]) -> Iterator[Finding]:
    """Yield findings on gold edits: more references, other types, other forms."""
    if corpus.has_references:
        yield Finding("evidence", "", f"gold edits and references are both given: {who_uses(uses)}")
    gold = corpus.gold
    if gold is not None and (headings := headings_of(gold)):
        message = f"{described(gold, headings)}: they count as correct sentences"
        yield Finding("headings", "gold", message)
    if gold is not None and (faulty_blocks := blank_tokens(gold)):
        blocks = counted(len(faulty_blocks), "block")
        message = f"{blocks} with blanks that ERRANT -tok counts as tokens: their edits are shifted"
        yield Finding("blank_tokens", "gold", message)
    as_given = corpus.gold_edits == "as-given"
    if as_given and any(use.english and use.edits for use in uses):
        types = sorted(
            type_
            for type_ in corpus.edit_types
            if type_ not in (NOOP, UNKNOWN) and not type_.startswith(("M:", "R:", "U:"))
        )
        if types:
            examples = ", ".join(types[:3]) + (", ..." if len(types) > 3 else "")
            reason = f"its types, and perhaps its spans, are not ERRANT's ({examples})"
            yield Finding("types", "gold", f"{reason}, but ERRANT's edits are compared with it")
    m2 = [name for name in corpus.system_names if name in corpus.m2_systems]
    if not as_given and m2 and any(use.edits for use in uses):
        message = f"its edits are found in its text, but {', '.join(m2)} are given as M2"
        yield Finding("forms", "gold", message)
