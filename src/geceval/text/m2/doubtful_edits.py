"""Edits of M2 files that probably do not mean what they say: at the wrong token, or with what no annotator wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

import numpy as np

from geceval.base.arguments import counted
from geceval.base.caller_warnings import warn
from geceval.text.m2.blocks import Blocks, portions_of, streamed
from geceval.text.m2.edit import NOOP, UNKNOWN, Block, EditColumns

#: Number of edits that are examined, smallest number of those with a fault, and likeness of a word and its correction.
EXAMINED, LEAST, RESEMBLING = 300, 3, 0.6
#: Number of the first blocks that are examined in a file that is not read as a whole.
HEAD = 1000
#: Texts that programs write for a missing value or a deletion.
_MISSING = frozenset(("None", "nan", "NaN", "NULL", "null", "<NA>", "∅", "ε", "-DEL-", "[DEL]", "<DEL>"))

#: A text in quotes, which it does not contain.
_QUOTED = re.compile(r"""(["'])(?:(?!\1).)+\1|[“‘«`][^”’»']+[”’»']""")

#: An edit: the tokens of its sentence, its start and end, and its correction.
_Span = tuple[Sequence[str], int, int, str]


def doubtful_edits(blocks: Blocks) -> Iterator[tuple[str, str]]:
    """Yield what is probably wrong in most edits of a file, or in some corrections, each with a hint."""
    columns = EditColumns(blocks.edits)
    corrections = columns.corrections
    edits = (
        (index, int(columns.sentence[index]), int(columns.start[index]), int(columns.end[index]))
        for index in columns.is_edit.nonzero()[0][:EXAMINED]
    )
    spans = [
        (str(blocks.source[sentence]).split(), start, end, corrections[int(columns.edits.text[index])])
        for index, sentence, start, end in edits
    ]
    if spans and all(start == end for _, start, end, _ in spans):
        yield from _insertions(spans)
    else:
        yield from _shifted(spans)
    yield from _empty_spans(columns)
    yield from _quoted_corrections(columns)
    yield from _missing_values(blocks, columns)
    yield from _deleting_marks(columns)
    if not blocks.is_cherrant:  # where NA is a sentence that could not be corrected
        yield from _misnamed_noops(columns)


def warn_of_doubtful_edits(blocks: Blocks, name: str) -> None:
    """Warn of what is probably wrong in the edits of the file with this name."""
    for fault, hint in doubtful_edits(blocks):
        warn(f"{name}: {fault}", hint)


@streamed
def with_doubts_warned(blocks: Iterable[Block], name: str) -> Iterator[Blocks]:
    """Yield the blocks of the file with this name, then warn of what is probably wrong in the first ones."""
    head: list[Block] = []
    for portion in portions_of(blocks):
        head.extend(portion[: HEAD - len(head)])
        yield portion
    warn_of_doubtful_edits(Blocks.of(head, dialect=None), name)


def _insertions(spans: Sequence[_Span]) -> Iterator[tuple[str, str]]:
    """Yield a fault if most edits insert next to a word that resembles the correction: they should replace it."""
    for shift, where in ((0, "before"), (-1, "after")):
        pairs = (
            (correction, " ".join(tokens[max(0, start + shift) : start + shift + 1]))
            for tokens, start, _, correction in spans
        )
        resembling = [pair for pair in pairs if _are_alike(*pair)]
        if len(spans) >= LEAST and 2 * len(resembling) > len(spans):
            correction, neighbour = resembling[0]
            example = f"{correction!r} {where} {neighbour!r}"
            hint = "an edit that replaces token 2 is A 2 3; the JSON of GreynirCorrect has its places"
            yield f"all {len(spans)} edits insert, most {where} a word like the correction: {example}", hint


def _shifted(spans: Sequence[_Span]) -> Iterator[tuple[str, str]]:
    """Yield a fault if most corrections resemble the tokens before, or after, those that they replace."""
    replacing = [
        (tokens, start, end, correction)
        for tokens, start, end, correction in spans
        if 0 <= start < end <= len(tokens) and correction
    ]
    for shift, where in ((-1, "before"), (1, "after")):
        examples = [example for example in _elsewhere(replacing, shift) if example is not None]
        if len(examples) >= LEAST and 2 * len(examples) > len(replacing):
            replaced, correction, neighbour = examples[0]
            message = (
                f"{len(examples)} of {len(replacing)} corrections resemble the words {where} those that they replace: "
                f"{correction!r} replaces {replaced!r}, next to {neighbour!r}"
            )
            yield message, "tokens are counted from 0: the first token is 0 1"


def _elsewhere(spans: Sequence[_Span], shift: int) -> Iterator[tuple[str, str, str] | None]:
    """Yield the replaced tokens, the correction and tokens next to them that are like it; None for other edits.

    Ends where the first edits show that no span is shifted.
    """
    unshifted = 0
    for number, (tokens, start, end, correction) in enumerate(spans):
        replaced = " ".join(tokens[start:end])
        neighbour = " ".join(tokens[max(0, start + shift) : end + shift])
        is_elsewhere = _are_alike(correction, neighbour) and not _are_alike(correction, replaced)
        unshifted += not is_elsewhere
        yield (replaced, correction, neighbour) if is_elsewhere else None
        if unshifted > max(LEAST, (number + 1) // 2) and number >= 2 * LEAST:
            return


def _are_alike(first: str, second: str) -> bool:
    return SequenceMatcher(None, first.lower(), second.lower()).ratio() >= RESEMBLING


def _empty_spans(columns: EditColumns) -> Iterator[tuple[str, str]]:
    """Yield a fault if most replacements and deletions of ERRANT's types have an empty span."""
    removing = [index for index, text in enumerate(columns.strings) if text.startswith(("R:", "U:"))]
    is_removing = columns.is_edit & np.isin(columns.type, removing)
    number, total = int((is_removing & (columns.start == columns.end)).sum()), int(is_removing.sum())
    if number >= LEAST and 2 * number > total:
        message = f"{number} of {total} edits of types R: and U:, which replace or delete, have an empty span"
        yield message, "the end is the token after the last one: an edit that replaces token 2 is A 2 3"


def _quoted_corrections(columns: EditColumns) -> Iterator[tuple[str, str]]:
    """Yield a fault if most corrections are in quotes, as a program writes texts."""
    texts, corrections = columns.edits.text[columns.is_edit], columns.corrections.items()
    quoted = texts[np.isin(texts, [index for index, text in corrections if _QUOTED.fullmatch(text)])]
    total = int(np.isin(texts, [index for index, text in corrections if text]).sum())
    if len(quoted) >= LEAST and 2 * len(quoted) > total:
        message = f"{len(quoted)} of {total} corrections are in quotes, such as {columns.corrections[int(quoted[0])]}"
        yield message, "write the words without quotes: these count as words"


def _missing_values(blocks: Blocks, columns: EditColumns) -> Iterator[tuple[str, str]]:
    """Yield a fault for corrections that are a missing value, unless sentences contain the word."""
    missing = {index: text for index, text in columns.corrections.items() if text in _MISSING}
    if not missing:
        return
    texts = columns.edits.text[columns.is_edit].tolist()
    counts = Counter(missing[index] for index in texts if index in missing)
    text, number = counts.most_common(1)[0] if counts else ("", 0)
    if number >= LEAST and not any(text in str(line).split() for line in blocks.source):
        message = (
            f"{number} corrections are {text!r}, which programs write for a missing value: they are read as a word"
        )
        yield message, "an empty correction, or -NONE-, deletes"


#: Command that writes the words of an edit of type UNK in place of -NONE-.
_KEEP_WORDS = (
    """awk '/^S /{split(substr($0,3),t," ")} (k=index($0,"|||UNK|||-NONE-|||")){c="";for(i=$2+1;i<=$3+0;i++)"""
    """c=c (c==""?"":" ") t[i];$0=substr($0,1,k+8) c substr($0,k+15)} 1' FILE.m2 > OTHER.m2"""
    " writes the words themselves, which stay"
)


def _deleting_marks(columns: EditColumns) -> Iterator[tuple[str, str]]:
    """Yield a fault for edits of type UNK that delete: they mark an error without a correction."""
    is_empty = (columns.words == 0) & (columns.end > columns.start)
    number = int((is_empty & columns.is_edit & ~columns.is_correction).sum())
    if number:
        message = f"{counted(number, 'edit')} of type {UNKNOWN}, an error without a correction, with -NONE-"
        yield f"{message}: text made of them lacks their words", _KEEP_WORDS


def _misnamed_noops(columns: EditColumns) -> Iterator[tuple[str, str]]:
    """Yield a fault for edits with the span -1 -1 and another type than noop, which ERRANT counts as missed."""
    has_span = (columns.start == -1) & (columns.end == -1)
    types = Counter(columns.strings[type_] for type_ in columns.type[has_span].tolist())
    types.pop(NOOP, None)
    if types:
        message = f"the type of {types.total()} edits with the span -1 -1 is {types.most_common(1)[0][0]}, not {NOOP}"
        yield f"{message}: ERRANT counts them as missed edits", f"A -1 -1|||{NOOP}|||-NONE-|||REQUIRED|||-NONE-|||0"
