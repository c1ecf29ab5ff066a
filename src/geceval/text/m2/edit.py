"""Edits and sentences with edits, as M2 files contain them, in ERRANT's and ChERRANT's dialect.

In ChERRANT's dialect an annotator's answer may be aligned with the sentence in several ways. A ``T`` line with the
text of the answer precedes the edits of each alignment. ``A`` lines name the answer but not the alignment::

    S 他 来 到 北 京
    T0-A0 他 来 了 北 京
    A 2 3|||S|||了|||REQUIRED|||-NONE-|||0
    T1 没有错误
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

``T1 无法标注`` and the type ``NA`` mark a sentence that cannot be corrected. Types are ``M`` missing, ``R``
*redundant*, ``S`` substituted, ``W`` word order; types of words have a category. ``R:NOUN`` is ERRANT's ``U:NOUN``,
and ERRANT's ``R:NOUN`` is ``S:NOUN`` in this dialect. ``T`` lines identify a file of this dialect.

Scoring uses ERRANT's letters and the first alignment of each answer, see :func:`errant_block`.

Source: Zhang et al., MuCGEC, NAACL 2022, section 4.2; the files of its repository.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import starmap
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import BlockTable, Edits
from geceval.base.arguments import PLACES, Bounds, as_sequence, check_bounds, lone_surrogate, plain_number, shown
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import AnyHint

T = TypeVar("T")

Missing = Literal["fallback", "plain"]
Misfits = Literal["error", "drop"]
#: Treatment of edits of an annotator that overlap; see operations.resolve_overlaps.
Overlaps = Literal["error", "first", "longest", "confident", "skip"]
#: The gold edits of metrics on edits: as annotated, or extracted from the gold's corrected texts.
GoldEdits = Literal["as-given", "reannotated"]
#: Form in which suggestions of a checker are scored: edits with their spans, or the text that they make.
Suggested = Literal["as-edits", "as-text"]

#: Effect of an edit: start, end and correction.
Effect: TypeAlias = tuple[int, int, str]
#: The part of a type such as R:NOUN:NUM: the operation (R), the rest (NOUN:NUM), or all of it.
Tier: TypeAlias = Literal["operation", "type", "full"]

#: Bounds of the numbers that the kernel stores.
NUMBERS = Bounds(-PLACES.high, PLACES.high)
DELETE = "-NONE-"
#: The type of an edit that marks an error without a correction.
UNKNOWN = "UNK"
NOOP = "noop"
#: The type, in ChERRANT's dialect, of a sentence that cannot be corrected.
NOT_ANNOTATABLE = "NA"


@dataclass(frozen=True, slots=True)
class Edit:
    """One ``A`` line: source tokens ``[start, end)`` become one of ``corrections``.

    Attributes:
        start: First token; ``start == end`` inserts before it.
        end: Token after the last one.
        type: The error type.
        corrections: The alternative corrections, which get single spaces between tokens and none at their ends.
        required: A field that no scorer reads.
        comment: A field that no scorer reads.
        annotator: Number of the annotator.
        line: The line of the file, from 1; ignored by comparisons.
        alignment: The alignment of the annotator's answer that it belongs to (ChERRANT).

    Raises:
        UsageError: For fields of other types, numbers of more than 31 bits, text that UTF-8 cannot encode, and an edit
            without a correction.
    """

    start: int
    end: int
    type: str
    corrections: tuple[str, ...]
    required: str = "REQUIRED"
    comment: str = DELETE
    annotator: int = 0
    line: int | None = field(default=None, compare=False, repr=False)
    alignment: int = 0

    def __post_init__(self) -> None:
        _check_fields(self, "an edit", _EDIT_FIELDS)
        if not self.corrections:
            raise UsageError("an edit must have at least one correction", hint='to delete, write ("",)')
        object.__setattr__(self, "corrections", tuple(" ".join(text.split()) for text in self.corrections))

    @property
    def is_noop(self) -> bool:
        """Whether it marks an annotator without changes: type ``noop`` or the span -1 -1."""
        return self.type == NOOP or self.start == self.end == -1

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The corrections as text, with ``-NONE-`` as the empty string."""
        return tuple(map(corrected_text, self.corrections))

    @property
    def correction(self) -> str:
        """The first of the alternatives."""
        return corrected_text(self.corrections[0])

    @property
    def effect(self) -> Effect:
        """Its effect on the sentence; equal for edits that differ in their types only."""
        return self.start, self.end, self.correction

    @property
    def confidence(self) -> float | None:
        """The number in the comment field, if it is one."""
        return number_in(self.comment)

    def __str__(self) -> str:
        corrections = "||".join(self.corrections)
        fields = (self.type, corrections, self.required, self.comment, str(self.annotator))
        return f"A {self.start} {self.end}|||{'|||'.join(fields)}"


@dataclass(frozen=True, slots=True)
class Target:
    """One ``T`` line of ChERRANT's dialect: the text of an answer.

    Attributes:
        annotator: Number of the annotator.
        alignment: The alignment that follows; None: the text is a remark on the sentence.
        text: The answer.

    Raises:
        UsageError: For fields of other types.
    """

    annotator: int
    alignment: int | None
    text: str

    def __post_init__(self) -> None:
        _check_fields(self, "a target", _TARGET_FIELDS)


@dataclass(frozen=True, slots=True)
class Block:
    """One sentence: the text after ``S``, and its edits in file order.

    The edits include noops.

    Attributes:
        source: The sentence.
        edits: Its edits.
        notes: Its ``I`` lines.
        ended: Whether an empty line follows; ignored by comparisons, as ``path`` and ``line`` are.
        path: The file.
        line: The line of the ``S`` line, from 1.
        targets: Its ``T`` lines (ChERRANT).

    Raises:
        UsageError: For fields of other types.
    """

    source: str
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    ended: bool = field(default=True, compare=False, repr=False)
    path: str | None = field(default=None, compare=False, repr=False)
    line: int | None = field(default=None, compare=False, repr=False)
    targets: tuple[Target, ...] = ()

    def __post_init__(self) -> None:
        _check_fields(self, "a block", _BLOCK_FIELDS)

    @property
    def tokens(self) -> list[str]:
        """The source split at white space."""
        return self.source.split()

    @property
    def annotators(self) -> tuple[int, ...]:
        """Annotators with a line in this block, in order of first appearance.

        A block without ``A`` lines has the annotator 0.
        """
        return tuple(dict.fromkeys(edit.annotator for edit in self.edits)) or (0,)

    def edits_of(self, annotator: int, alignment: int | None = 0) -> tuple[Edit, ...]:
        """Return the annotator's edits in file order, without noops.

        The result is empty if the annotator has no line.

        Args:
            annotator: Number of the annotator.
            alignment: The alignment of the answer (ChERRANT); None: all.
        """
        return tuple(
            edit
            for edit in self.edits
            if edit.annotator == annotator and alignment in (None, edit.alignment) and not edit.is_noop
        )

    def error(
        self, message: str, *, line: int | None = None, hint: AnyHint | None = None, sentence: int | None = None
    ) -> InputError:
        """Return an :class:`InputError` with the place of this block, or of ``line``."""
        return InputError(message, path=self.path, line=line or self.line, hint=hint, sentence=sentence)

    def __str__(self) -> str:
        text = BlockTable([self]).written()
        return text[:-1] if self.ended else text


#: A check of a field: it receives the field's name for messages, and returns the value as it is stored.
Check: TypeAlias = Callable[[str, Any], Any]


def _whole(subject: str, value: Any, bounds: Bounds = NUMBERS, nouns: str = "an integer") -> int:
    number = plain_number(value)
    if not isinstance(number, int) or isinstance(number, bool):
        raise UsageError(f"{subject} must be {nouns}, not {shown(number)}")
    check_bounds(subject, number, bounds)
    return number


def _place(subject: str, value: Any) -> int | None:
    """Check a number of a line or of an alignment, which may be missing."""
    return None if value is None else _whole(subject, value, PLACES, "an integer or None")


def _flag(subject: str, value: Any) -> bool:
    flag = plain_number(value)
    if not isinstance(flag, bool):
        raise UsageError(f"{subject} must be True or False, not {shown(flag)}")
    return flag


def _text(subject: str, value: Any, nouns: str = "text") -> str:
    if type(value) is not str:
        value = plain_number(value)
        if not isinstance(value, str):
            raise UsageError(f"{subject} must be {nouns}, not {shown(value)}")
    _check_encoding(subject, value)
    return value


def _path(subject: str, value: Any) -> str | None:
    return None if value is None else _text(subject, value, "text or None")


def _texts(subject: str, value: Any) -> tuple[str, ...]:
    texts = value if type(value) is tuple else tuple(as_sequence(subject, value, "text"))
    for text in texts:
        if not isinstance(text, str):
            raise UsageError(f"{subject[:-1]} must be text, not {shown(text)}")
        _check_encoding(subject, text)
    return texts


def _items(kind: type[Any], noun: str) -> Check:
    """Return the check of a sequence of edits or targets."""

    def check(subject: str, value: Any) -> tuple[Any, ...]:
        items = value if type(value) is tuple else tuple(as_sequence(subject, value, noun))
        for item in items:
            if not isinstance(item, kind):
                raise UsageError(f"{subject} must be of the type {noun}, not {shown(item)}")
        return items

    return check


def _check_encoding(subject: str, text: str) -> None:
    if not text.isascii() and (fault := lone_surrogate(text)):
        raise UsageError(f"{subject}: {fault} is not text")


#: The checks of the fields of edits, targets and blocks.
_EDIT_FIELDS: Mapping[str, Check] = {
    "start": _whole,
    "end": _whole,
    "type": _text,
    "corrections": _texts,
    "required": _text,
    "comment": _text,
    "annotator": _whole,
    "line": _place,
    "alignment": _whole,
}
_TARGET_FIELDS: Mapping[str, Check] = {"annotator": _whole, "alignment": _place, "text": _text}
_BLOCK_FIELDS: Mapping[str, Check] = {
    "source": _text,
    "edits": _items(Edit, "m2.Edit"),
    "notes": _texts,
    "ended": _flag,
    "path": _path,
    "line": _place,
    "targets": _items(Target, "m2.Target"),
}


def _check_fields(owner: Any, what: str, checks: Mapping[str, Check]) -> None:
    """Store the fields as their checks return them: numbers of Python, tuples.

    Raises:
        UsageError: A field has another type, or a number or a text that cannot be stored.
    """
    for name, check in checks.items():
        object.__setattr__(owner, name, check(f"{what}'s {name}", getattr(owner, name)))


@cache
def trusted(cls: type[T]) -> Callable[..., T]:
    """Return a function that makes an edit or a block from the kernel's values, without checks."""
    setters = [vars(cls)[name].__set__ for name in cls.__slots__]  # type: ignore[attr-defined]

    def make(*values: Any) -> T:
        instance = object.__new__(cls)
        for set_field, value in zip(setters, values, strict=True):
            set_field(instance, value)
        return instance

    return make


def block_of(row: tuple[Any, ...]) -> Block:
    """Return the block of a row of the kernel's BlockTable."""
    make_edit, (source, rows, notes, ended, path, line, targets) = trusted(Edit), row
    edits = [
        make_edit(start, end, type_, tuple(text.split("||")), required, comment, annotator, number, alignment)
        for start, end, type_, text, required, comment, annotator, number, alignment in rows
    ]
    answers = tuple(starmap(Target, targets)) if targets else ()
    make_block: Callable[..., Block] = trusted(Block)
    return make_block(source, tuple(edits), tuple(notes), ended, path, line, answers)


def edits_at(edits: Edits, positions: NDArray[Any]) -> list[Edit]:
    """Return the edits at positions of the columns."""
    make_edit, strings = trusted(Edit), edits.strings
    texts = {
        text: tuple(
            " ".join(part.split()) for part in ([strings[text]] if edits.literal else strings[text].split("||"))
        )
        for text in np.unique(edits.text[positions]).tolist()
    }
    annotators = np.repeat(edits.annotator, np.diff(edits.offsets))
    columns = (edits.start, edits.end, edits.type, edits.text, annotators)
    return [
        make_edit(start, end, strings[type_], texts[text], "REQUIRED", DELETE, annotator, None, 0)
        for start, end, type_, text, annotator in zip(*(column[positions].tolist() for column in columns), strict=True)
    ]


@cache
def noop(annotator: int) -> Edit:
    """Return the edit of an annotator who changes nothing.

    Args:
        annotator: Number of the annotator.

    Returns:
        An edit with the span -1 -1.
    """
    return Edit(-1, -1, NOOP, (DELETE,), annotator=annotator)


def as_written(alternatives: Sequence[str]) -> tuple[str, ...]:
    """Return alternatives as M2 writes them: an empty one of several as ``-NONE-``."""
    return tuple(text or DELETE for text in alternatives) if len(alternatives) > 1 else tuple(alternatives)


def corrected_text(written: str) -> str:
    """Return an alternative as text, which is empty for ``-NONE-``."""
    return "" if written == DELETE else written


def alternatives_of(written: str, literal: bool = False) -> list[str]:
    """Return the alternatives of a correction, with one space between tokens.

    ``literal``: the edit was extracted from text, where ``||`` has no meaning.
    """
    return [corrected_text(" ".join(text.split())) for text in ([written] if literal else written.split("||"))]


def correction_of(written: str, literal: bool = False) -> str:
    """Return the first of the alternatives."""
    return alternatives_of(written, literal)[0]


def overlap(first: Any, second: Any) -> bool:
    """Return whether two edits share a token, or one inserts within the other."""
    overlapping: bool = first.start < second.end and second.start < first.end
    return overlapping


def number_in(text: str) -> float | None:
    """Return the finite number that a text is, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def minimal(source: Sequence[str], target: Sequence[str], span: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return a span without equal tokens at its ends: a b -> a c becomes b -> c.

    Args:
        source: The tokens of the source.
        target: The tokens of the correction.
        span: Start and end in the source, start and end in the correction.

    Returns:
        The smaller span.
    """
    start, end, target_start, target_end = span
    while start < end and target_start < target_end and source[start] == target[target_start]:
        start, target_start = start + 1, target_start + 1
    while start < end and target_start < target_end and source[end - 1] == target[target_end - 1]:
        end, target_end = end - 1, target_end - 1
    return start, end, target_start, target_end


def cut_at_colons(types: str, tier: Tier) -> str:
    """Return the parts of types joined by ``+``, without duplicates.

    UNK is kept whole.

    The operation of a type without M, R or U is ``(none)``.
    """
    if tier == "full":
        return types
    parts: dict[str, None] = {}
    for type_ in types.split("+"):
        operation, _, rest = type_.partition(":")
        has_operation = type_ == UNKNOWN or operation in ("M", "R", "U")
        if tier == "operation":
            parts[operation if has_operation else "(none)"] = None
        else:
            parts[(has_operation and rest) or type_] = None
    return "+".join(parts)


#: The dialect of a file: detected from ``T`` lines, or given.
Dialect = Literal["auto", "cherrant"]

#: Answers without edits: nothing is wrong, and the sentence cannot be corrected.
NO_ERROR, NO_ANSWER = "没有错误", "无法标注"


def is_statement(text: str) -> bool:
    """Return whether a text is one of these statements, spaces and a full stop aside."""
    return "".join(text.split()).strip("。") in (NO_ERROR, NO_ANSWER)


_WORD_ORDER, _ERRANT_WORD_ORDER = "W", "R:WO"
_LETTERS = {"M": "M", "R": "U", "S": "R"}
_CHERRANT_LETTERS = {errant: cherrant for cherrant, errant in _LETTERS.items()}


def errant_type(name: str) -> str:
    """Return a type of the dialect with ERRANT's letter.

    ``R:NOUN`` becomes ``U:NOUN``, ``S`` becomes ``R``, ``W`` becomes ``R:WO``.

    Args:
        name: The type.

    Returns:
        The type in ERRANT's letters.
    """
    return _ERRANT_WORD_ORDER if name == _WORD_ORDER else _with_letter(name, _LETTERS)


def cherrant_type(name: str) -> str:
    """Return an ERRANT type in ChERRANT's letters; inverts :func:`errant_type`.

    Args:
        name: The type; without one of ERRANT's letters it is returned unchanged.

    Returns:
        The type in ChERRANT's letters.
    """
    return _WORD_ORDER if name == _ERRANT_WORD_ORDER else _with_letter(name, _CHERRANT_LETTERS)


def _with_letter(name: str, letters: dict[str, str]) -> str:
    letter, colon, category = name.partition(":")
    return f"{letters.get(letter, letter)}{colon}{category}"


def errant_block(block: Block) -> Block:
    """Return a block as it is scored: no ``T`` lines, ERRANT's types.

    Of each answer one alignment is kept.

    The alignment of an answer is 0, or else its lowest one. An answer without edits becomes a noop. An answer ``NA`` is
    dropped; if all answers are ``NA``, they become noops.

    Args:
        block: A block in ChERRANT's dialect.

    Returns:
        A block in ERRANT's dialect.
    """
    answers: dict[int, list[Edit]] = {target.annotator: [] for target in block.targets}
    first = {who: min(target.alignment or 0 for target in block.targets if target.annotator == who) for who in answers}
    answers |= {who: [] for who in block.annotators if not answers or block.edits}
    for edit in block.edits:
        if edit.alignment == first.get(edit.annotator, 0) and edit.type != NOT_ANNOTATABLE:
            answers[edit.annotator].append(replace(edit, type=errant_type(edit.type), alignment=0))
    refusing = {edit.annotator for edit in block.edits if edit.type == NOT_ANNOTATABLE}
    scored = {who: version for who, version in answers.items() if version or who not in refusing} or answers
    edits = tuple(edit for who, version in scored.items() for edit in version or [noop(who)])
    return replace(block, edits=edits, targets=())


def convert_to_errant(block: Block) -> Block:
    """Apply errant_block to a block with ``T`` lines; return others unchanged."""
    return errant_block(block) if block.targets else block


def is_refused(block: Block) -> bool:
    """Return whether all edits mark the sentence as impossible to correct."""
    return bool(block.edits) and all(edit.type == NOT_ANNOTATABLE for edit in block.edits)


def used_types(edits: Edits) -> dict[int, str]:
    """Return the types of edits, also of noops, by their index in ``strings``."""
    strings = edits.strings  # each access copies all of them
    return {index: strings[index] for index in np.unique(edits.type).tolist()}


class EditColumns:
    """Edits [E] in columns, and properties derived from them.

    ``type`` contains indices of ``strings``, ``version`` the version of each edit, and ``version_sentence`` the
    sentence of each version.
    """

    def __init__(self, edits: Edits) -> None:
        self.edits = edits
        self.start, self.end, self.type, self.strings = edits.start, edits.end, edits.type, edits.strings
        self.version = np.repeat(np.arange(len(edits.annotator)), np.diff(edits.offsets))
        self.version_sentence = np.repeat(np.arange(len(edits)), np.diff(edits.versions))
        self.sentence, self.annotator = self.version_sentence[self.version], edits.annotator[self.version]

    @cached_property
    def is_edit(self) -> NDArray[np.bool_]:
        """[E]: False for noops, by their type or the span -1 -1."""
        noop: NDArray[np.bool_] = (self.start == -1) & (self.end == -1)
        return ~(noop | self.are_of_type(lambda name: name == NOOP))

    @cached_property
    def is_correction(self) -> NDArray[np.bool_]:
        """[E]: False for noops, and for UNK, an error without a correction."""
        return self.is_edit & ~self.are_of_type(lambda name: name == UNKNOWN)

    def are_of_type(self, is_chosen: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return which edits [E] have a chosen type; ``is_chosen`` is called once per type."""
        types = [type_ for type_ in np.unique(self.type).tolist() if is_chosen(self.strings[type_])]
        return np.isin(self.type, types).astype(np.bool_)

    @cached_property
    def corrections(self) -> dict[int, str]:
        """Index in ``strings`` -> first alternative."""
        return {text: correction_of(self.strings[text]) for text in np.unique(self.edits.text).tolist()}

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """[E]: number of tokens of the corrections."""
        counts = np.zeros(len(self.strings) + 1, np.int64)
        for index, text in self.corrections.items():
            counts[index] = len(text.split())
        return counts[self.edits.text]

    def removed_and_added(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers [V] of tokens that the edits of each version remove and add; UNK removes none."""
        is_counted, numbers = self.is_correction, (self.end.astype(np.int64) - self.start, self.words)
        versions, total = self.version[is_counted], len(self.edits.annotator)
        removed, added = (np.bincount(versions, tokens[is_counted], total).astype(np.int64) for tokens in numbers)
        return removed, added

    def operations(self, *, is_cherrant: bool = False) -> NDArray[np.str_]:
        """Return the operations [E]: M inserts, U deletes, R replaces.

        Noops and UNK have an empty operation.

        Types determine the operation by ERRANT's or ChERRANT's letters; for other types the effect of the edit does.
        """
        operations = np.where(self.start == self.end, "M", np.where(self.words == 0, "U", "R"))
        types, in_errant = np.unique(self.type).tolist(), errant_type if is_cherrant else str
        for letter in "MRU":
            indices = [index for index in types if in_errant(self.strings[index]).partition(":")[0] == letter]
            operations[np.isin(self.type, indices)] = letter
        return np.where(self.is_correction, operations, "")

    def fit(self, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which edits [E] fit sentences of lengths [S] in tokens, or are noops."""
        fits = (self.start >= 0) & (self.end >= self.start) & (self.end <= lengths[self.sentence])
        return ~self.is_edit | fits

    def are_reversed(self, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which edits [E] lie in sentences of lengths [S] but end too early."""
        inside = (self.end >= 0) & (self.start <= lengths[self.sentence])
        return inside & (self.end < self.start)

    def suspects(self, lengths: NDArray[np.int64]) -> list[int]:
        """Return the sentences that may contain a fault, for lengths [S] in tokens.

        Cost: O(edits · log edits).

        Faults are an edit that does not fit, a noop with other edits, and two edits of one annotator that overlap, have
        the same span or are out of order.
        """
        with_others = ~self.is_edit & (np.diff(self.edits.offsets)[self.version] > 1)
        wrong = ~self.fit(lengths) | with_others | self.are_early | self.are_crowded(same_points=True)
        return sorted(set(self.sentence[wrong].tolist()))

    @cached_property
    def are_early(self) -> NDArray[np.bool_]:
        """[E]: whether the edit precedes the one that comes before it in its version."""
        start, end, early = self.start, self.end, np.zeros(len(self.start), bool)
        is_before = (start[1:] < start[:-1]) | ((start[1:] == start[:-1]) & (end[1:] < end[:-1]))
        early[1:] = is_before & (self.version[1:] == self.version[:-1])
        return early

    def are_crowded(self, *, same_points: bool) -> NDArray[np.bool_]:
        """Return which edits [E] begin within another edit or have its span.

        Cost: O(edits · log edits).

        Args:
            same_points: Also edits that insert at the point where another one does.
        """
        start, end, version = (column.astype(np.int64) for column in (self.start, self.end, self.version))
        order = np.lexsort((end, start, version))
        start, end, version = start[order], end[order], version[order]
        widest = np.maximum.accumulate(end + (version << 32))  # keeps edits of different versions apart
        same = (version[1:] == version[:-1]) & (start[1:] == start[:-1]) & (end[1:] == end[:-1])
        crowded: NDArray[np.bool_] = np.zeros(len(order), bool)
        crowded[order[1:]] = (start[1:] + (version[1:] << 32) < widest[:-1]) | (same & same_points)
        return crowded
