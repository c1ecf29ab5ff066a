"""Columns of a corpus: texts, and edits of systems, of the same sentences."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload

from geceval._kernel import Text, normalised
from geceval.base.arguments import LISTS_BY_SENTENCE, NO_OUTPUT, ONE_SENTENCE, as_sequence, lone_surrogate
from geceval.base.errors import InputError
from geceval.base.hints import AnyHint
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Misfits
from geceval.text.m2.operations import fitting_blocks

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    #: A text without missing lines.
    CompleteText: TypeAlias = Text[str]
else:
    CompleteText = Text  # the kernel's class takes no type arguments

Lines: TypeAlias = Sequence[str]
#: A system's corrections, one per sentence, as text or as M2 blocks of one annotator.
Hypothesis: TypeAlias = CompleteText | Blocks
#: Corrections as users give them, all as text or all as M2 blocks; system_column converts them.
HypothesisLike: TypeAlias = Sequence[str | Block]
#: ``references[r][s]`` as users give them; None if sentence s has no reference r.
References: TypeAlias = Sequence[Sequence[str | None]]
#: References of each system by its name, of which None stands for all systems.
OwnReferences: TypeAlias = Mapping[str | None, References | Sequence[str]]
#: How an answer ended: at the limit of tokens, or since the provider or the model refused; empty otherwise.
AnswerEnd: TypeAlias = Literal["", "cut", "refusals"]

T = TypeVar("T")
#: ``str``, or ``str | None`` in texts with missing lines.
Line = TypeVar("Line", bound=str | None)
Column = TypeVar("Column", bound=Text | Blocks)


# --- conversion ---


@overload
def text_of(name: str, lines: Sequence[object]) -> CompleteText: ...
@overload
def text_of(name: str, lines: Sequence[object], *, optional: Literal[True]) -> Text: ...
def text_of(name: str, lines: Sequence[Any], *, optional: bool = False) -> Text:
    """Return lines in the form that the kernel stores.

    Lines in this form are returned unchanged.

    Raises:
        InputError: For values other than strings (and None, if ``optional``), and for lone surrogates.
    """
    lines = as_sequence(name, lines)
    try:
        text = Text(lines)
    except (TypeError, UnicodeEncodeError):
        if optional and any(map(_is_undefined, lines)):
            return text_of(name, [None if _is_undefined(line) else line for line in lines], optional=True)
        _check_sentences(name, lines, optional)
        raise
    if not (optional or text.complete):
        _check_sentences(name, text, optional)
    return text


def _check_sentences(name: str, lines: Sequence[Any], optional: bool) -> None:
    for s, line in enumerate(lines):
        if line is None and optional:
            continue
        if not isinstance(line, str):
            kind = type(line).__name__
            is_nested = isinstance(line, (list, tuple)) or (hasattr(line, "tolist") and bool(getattr(line, "ndim", 0)))
            nested = is_nested and name.startswith("reference")
            message = f"{name}, sentence {s} (counted from 0): expected a string, not {kind}"
            hint = _MISSING_TEXT.get(name.split()[0]) if line is None or _is_undefined(line) else None
            lists = ONE_SENTENCE if len(lines) == 1 else LISTS_BY_SENTENCE
            raise InputError(message, hint=lists if nested else hint, sentence=s)
        if fault := lone_surrogate(line):
            raise InputError(f"{name}, sentence {s} (counted from 0): {fault} is not text", sentence=s)


#: Hints for a missing text, by the first word of the name of its column.
_MISSING_TEXT = {"system": NO_OUTPUT, "source": "leave out sentences, or rows of a table, without a source"}


def _is_undefined(value: Any) -> bool:
    """Return whether a value is NaN, or pandas' NA, whose comparison is neither true nor false."""
    return type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def complete_text(text: Text) -> CompleteText:
    """Return a text in which no line is missing. Raises ValueError for other texts, which a caller has excluded."""
    if not is_complete(text):
        raise ValueError("a line of the text is missing")
    return text


def is_complete(text: Text) -> TypeIs[CompleteText]:
    """Return whether no line of a text is missing."""
    return text.complete


def has_edits(hypothesis: HypothesisLike) -> TypeIs[Sequence[Block]]:
    """Return whether corrections that a user gives are M2 blocks."""
    return len(hypothesis) > 0 and isinstance(hypothesis[0], Block)


def system_column(name: str, hypothesis: HypothesisLike, misfits: Misfits | None) -> Hypothesis:
    """Return a system's corrections as a column.

    Args:
        name: The system.
        hypothesis: The corrections.
        misfits: Treatment of edits that do not fit their sentence, see m2.fitting.

    Raises:
        InputError: For other values than text or M2 blocks of one annotator.
    """
    if not has_edits(hypothesis):
        return text_of(f"system {name}", hypothesis)
    if not isinstance(hypothesis, Blocks) and not all(isinstance(block, Block) for block in hypothesis):
        raise InputError(f"system {name} mixes text and M2 blocks")
    blocks = Blocks.of(hypothesis)
    blocks.check_one_annotator(name)
    return fitting_blocks(blocks, misfits)


# --- columns ---


@overload
def select_rows(column: Column, rows: slice | Sequence[int]) -> Column: ...
@overload
def select_rows(column: Sequence[T], rows: slice | Sequence[int]) -> Sequence[T]: ...
def select_rows(column: Sequence[Any], rows: slice | Sequence[int]) -> Sequence[Any]:
    """Return the rows of a column, as the same type; a slice shares its content."""
    if isinstance(rows, slice):
        return column[rows]
    if isinstance(column, Blocks):
        return Blocks(column.table.at(rows))
    values = [column[row] for row in rows]
    return Text(values) if isinstance(column, Text) else values


def other_rows(number: int, left_out: Collection[int]) -> list[int]:
    """Return the rows of a table with that number of rows, without those that are left out."""
    excluded = frozenset(left_out)
    return [row for row in range(number) if row not in excluded]


#: Share of the sentences in several rows whose references must differ: annotators may agree.
DIFFERING = 0.1


def repeated_rows(keys: Iterable[Hashable]) -> list[list[int]]:
    """Return the rows of each key that occurs again, if most rows have such a key; else none."""
    rows_of_keys: dict[Hashable, list[int]] = {}
    for row, key in enumerate(keys):
        rows_of_keys.setdefault(key, []).append(row)
    repeated = [rows for rows in rows_of_keys.values() if len(rows) > 1]
    are_most = len(repeated) > 1 and 2 * sum(map(len, repeated)) > sum(map(len, rows_of_keys.values()))
    return repeated if are_most else []


def as_text(hypothesis: Hypothesis) -> CompleteText:
    """Return a system's corrections as sentences, with the edits of M2 blocks applied."""
    return hypothesis.version(0) if isinstance(hypothesis, Blocks) else hypothesis


def leaves_unchanged(source: CompleteText, hypothesis: Hypothesis) -> bool:
    """Return whether a hypothesis has the words of the source in every sentence.

    M2 does if it has no edits but noops.
    """
    if isinstance(hypothesis, Blocks):
        return bool((hypothesis.edits.start < 0).all())
    return source.has_words_of(hypothesis)


def single_blanks(text: Text[Line]) -> Text[Line]:
    """Return lines with single spaces between words and none at their ends."""
    return normalised(text, "words", 1)


def check_lengths(lengths: Sequence[tuple[str, int]], *, noun: str, hint: AnyHint | None = None) -> None:
    """Raise InputError unless all lengths are equal and positive.

    The message lists all lengths and marks the different ones.
    """
    expected = lengths[0][1]
    if any(length != expected for _, length in lengths):
        width = max(len(name) for name, _ in lengths)
        digits = max(len(str(length)) for _, length in lengths)
        rows = []
        for name, length in lengths:
            than = "fewer" if length < expected else "more"
            odd = "" if length == expected else f"   <- {abs(length - expected)} {than}"
            rows.append(f"\n  {name:<{width}}  {length:>{digits}}{odd}")
        raise InputError(f"not the same number of {noun}" + "".join(rows), hint=hint)
    if expected == 0:
        raise InputError(f"there are no {noun}: {', '.join(name for name, _ in lengths)}")
