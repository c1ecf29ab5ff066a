"""Blocks whose edits are stored in columns of the kernel, and messages for faults of M2 files."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, ParamSpec, get_args, overload

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import BlockTable, Edits, KernelError, Text
from geceval.base.arguments import as_sequence, choice, shown, whole
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, input_error
from geceval.base.hints import Hint, Option, Step
from geceval.base.package_tables import table_rows
from geceval.text.files import PathLike, display_name, has_kind, kind_of, not_text_error, open_bytes
from geceval.text.m2.edit import NUMBERS, Block, Dialect, Edit, Missing, block_of, errant_block, is_refused

#: The remedy for edits that do not fit their sentence.
FITTING = Hint(
    Option("misfits", "drop"),
    " leaves out such edits",
    Step(
        ' (in suites misfits = "drop", in Python Corpus(misfits="drop"), m2.fitting)',
        ": an argument of Corpus, read_corpus and m2.fitting",
    ),
    "; geceval m2 filter FILE --misfits drop writes a file without them",
)
#: Kinds of faulty lines that are read.
LISTED = ("more fields", "bar", "empty alternative")


#: Kinds of faults of lines of which the text shows the cause, by the kernel's kind: a pattern of their beginning.
_LINES = {"comment": "#", "quoted": '"[SA] '}
_KINDS_OF_TEXT = {
    "no source": _LINES,
    "no edit": _LINES,
    "no block": {"quoted": _LINES["quoted"]},
    "annotator": {"annotator name": r"[^\W\d_]\w*$", "annotator cells": r"\d+[;,\t]+$"},
}


def fault_error(fault: Mapping[str, Any], path: str) -> InputError:
    """Return the error for a faulty line, see BlockTable.parse."""
    text = fault["text"]
    patterns = _KINDS_OF_TEXT.get(fault["kind"], {})
    fault_kind = next((kind for kind, pattern in patterns.items() if re.match(pattern, text)), fault["kind"])
    rows = table_rows(Path(__file__).with_name("faults.tsv"))
    [(message, *hints)] = (columns for kind, *columns in rows if kind == fault_kind)
    text = repr(text if len(text) <= 60 else text[:57] + "...")
    message = message.format(first=fault["first"], second=fault["second"], text=text)
    return InputError(message, path=path, line=fault["line"], hint=next(iter(hints), None))


def unreadable(faults: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the faults of lines that cannot be read."""
    return [fault for fault in faults if fault["kind"] not in LISTED]


def first_fault_error(fault: Mapping[str, Any], path: str) -> InputError:
    """Return the error for the first faulty line, or for a file of another form."""
    is_encoded = fault["kind"] == "not utf-8"
    if fault["line"] == 1 and fault["kind"] in ("no source", "not utf-8", "nul"):
        kind = kind_of(path, ["m2"])
        if kind is not None:
            return kind.error(path, "M2")
        if not has_kind(path, "m2"):
            fault = {**fault, "kind": fault["kind"].replace("no source", "no block")}
    error = fault_error(fault, path)
    return not_text_error(path, error.message, error.line) if is_encoded else error


def misfits_of(block: Block, edits: Iterable[Edit]) -> Iterator[InputError]:
    """Yield the fault of every edit whose offsets do not fit the sentence."""
    length = len(block.tokens)
    for edit in edits:
        if edit.is_noop or 0 <= edit.start <= edit.end <= length:
            continue
        if edit.start < 0 or edit.end < 0:
            message = f"negative offsets {edit.start} {edit.end} (only a noop has -1 -1)"
        elif max(edit.start, edit.end) > length:
            message = f"the edit spans {edit.start} to {edit.end} but the sentence has {length} tokens"
        else:
            message = f"the edit ends at token {edit.end}, before it starts at {edit.start}"
        yield block.error(message, line=edit.line, hint=Hint(f"{edit}\n  ", FITTING))


def clashes(block: Block, annotator: int, alignment: int) -> Iterator[InputError]:
    """Yield the faults of one annotator's edits that concern several edits.

    Only one alignment is considered.
    """
    edits = block.edits_of(annotator, alignment)
    noops = [edit for edit in block.edits if edit.annotator == annotator and edit.is_noop]
    if edits and noops:
        yield block.error(f"annotator {annotator} has a noop and edits", line=noops[0].line)
    yield from repeats_and_overlaps(block, edits)
    length = len(block.tokens)
    fitting = [edit for edit in dict.fromkeys(originals(edits)) if 0 <= edit.start <= edit.end <= length]
    for earlier, later in pairwise(fitting):
        if (later.start, later.end) < (earlier.start, earlier.end):
            spans = f"{later.start} {later.end} follows {earlier.start} {earlier.end}"
            yield block.error(f"annotator {annotator}: edits out of order: {spans}", line=later.line)


def originals(edits: Sequence[Edit]) -> list[Edit]:
    """Return, for each edit, the first one with its span and alternatives, which may be the edit."""
    first: dict[tuple[int, int, tuple[str, ...]], Edit] = {}
    return [first.setdefault((edit.start, edit.end, edit.alternatives), edit) for edit in edits]


def repeats_and_overlaps(block: Block, edits: Sequence[Edit]) -> Iterator[InputError]:
    """Yield the faults of edits that are there twice, then of edits that overlap."""
    for edit, original in zip(edits, originals(edits), strict=True):
        if original is not edit:
            where = f" is in line {original.line}" if original.line else f" occurs twice: {edit}"
            yield block.error(f"duplicate: the same edit{where}", line=edit.line)
    yield from _overlaps(block, dict.fromkeys(originals(edits)))


def _overlaps(block: Block, edits: Iterable[Edit]) -> Iterator[InputError]:
    """Yield the faults of edits that overlap.

    Insertions at one point or at the border of a span do not.
    """
    widest: Edit | None = None
    for edit in sort_edits(edits):
        if widest is not None and edit.start < widest.end:
            where = f" of line {widest.line}" if widest.line else ""
            span, earlier_span = (f"{overlapping.start} {overlapping.end}" for overlapping in (edit, widest))
            message = f"annotator {edit.annotator}: the edit {span} overlaps {earlier_span}{where}"
            yield block.error(message, line=edit.line)
        if widest is None or edit.end > widest.end:
            widest = edit


def sort_edits(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits by position, insertions first; equal spans stay in file order."""
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def ordered(block: Block, annotator: int, alignment: int = 0) -> list[Edit]:
    """Return the annotator's edits by position.

    Edits of equal span stay in file order.

    Args:
        block: The sentence.
        annotator: Number of the annotator.
        alignment: The alignment of the answer (ChERRANT).

    Returns:
        A list of edits without noops.

    Raises:
        InputError: If two edits overlap or one does not fit the sentence.
    """
    edits = block.edits_of(annotator, alignment)
    for fault in (*misfits_of(block, edits), *_overlaps(block, edits)):
        raise fault
    return sort_edits(edits)


@contextmanager
def explain_faults(blocks: Sequence[Block] | None, alignment: int = 0) -> Iterator[None]:
    """Raise InputError for an edit that the kernel cannot make.

    M2 blocks give file and line.
    """
    try:
        yield
    except KernelError as error:
        if blocks is not None and error.sentence is not None and error.version is not None:
            block = blocks[error.sentence]
            ordered(block, block.annotators[error.version], alignment)
        raise input_error(error) from None


def corrected_sentence(block: Block, annotator: int, alignment: int = 0) -> str:
    """Return a sentence after an annotator's edits, unchanged without a line of the annotator.

    ``alignment`` belongs to the answer (ChERRANT). Raises InputError for edits that overlap or do not fit.
    """
    [text] = Blocks.of([block], dialect=None).corrected(annotator, "plain", alignment)
    return str(text)


P = ParamSpec("P")

#: Numbers of annotators from which on they are only numbered by their order.
_MOST = 256
#: Number of blocks converted to columns at a time.
BATCH = 1024


class Blocks(Sequence[Block]):
    """Blocks whose edits are stored in columns; indexing makes a :class:`Block`.

    A slice shares the columns. In columns, the correction of an edit is one text with alternatives joined by ``||``.
    """

    def __init__(self, columns: BlockTable, indices: range | None = None) -> None:
        self._columns = columns
        self._indices = range(len(columns)) if indices is None else indices

    @classmethod
    def of(cls, blocks: Iterable[Block], name: str = "blocks", dialect: Dialect | None = "auto") -> Blocks:
        """Return blocks in columns, in the form that is scored.

        Columns in this form are returned unchanged.

        Args:
            blocks: The blocks.
            name: Their name in messages.
            dialect: See as_errant; None: the blocks stay as they are written.

        Raises:
            InputError: For values that are not blocks.
        """
        if not isinstance(blocks, Blocks):
            blocks = cls(table_of(check_blocks(as_sequence(name, blocks, "m2.Block"), name)))
        return blocks if dialect is None else blocks.as_errant(dialect)

    @classmethod
    def read(cls, path: PathLike, dialect: Dialect | None = "auto") -> Blocks:
        """Return all blocks of an M2 file. Raises the errors of :func:`read`.

        Args:
            path: The file, plain or compressed; ``-`` is standard input.
            dialect: See as_errant; None: the blocks stay as they are written.
        """
        with open_bytes(path) as stream:
            return cls.parse(stream.read(), display_name(path), dialect=dialect)

    @classmethod
    def parse(cls, data: bytes, name: str = "M2", *, shared: bool = False, dialect: Dialect | None = "auto") -> Blocks:
        """Return all blocks of the bytes of an M2 file.

        Args:
            data: The content of the file.
            name: The name of the file in errors.
            shared: Several ``S`` lines in one block share its edits, as in the official scorer; else they are an error.
            dialect: See as_errant; None: the blocks stay as they are written.

        Raises:
            InputError: The errors of :func:`read`.
        """
        columns, faults = BlockTable.parse(data, name, 1, True, shared)
        if stopping := unreadable(faults):
            raise first_fault_error(stopping[0], name)
        return cls.of(cls(columns), dialect=dialect)

    @cached_property
    def table(self) -> BlockTable:
        """The columns of these blocks only."""
        is_complete = len(self._indices) == len(self._columns)
        return self._columns if is_complete else self._columns.at(self._indices)

    @property
    def is_cherrant(self) -> bool:
        """Whether they have ``T`` lines, as ChERRANT writes them."""
        return self.table.first_target is not None

    def as_errant(self, dialect: Dialect = "auto") -> Blocks:
        """Return the blocks in the form that is scored.

        Blocks in ChERRANT's dialect get the edits of the first alignment of each answer and ERRANT's types, see
        :mod:`geceval.text.m2.edit`. Other blocks are returned unchanged. A sentence that no annotator could
        correct (``NA``) counts as correct, and a GecevalWarning reports it.

        Args:
            dialect: "cherrant", or "auto" to detect the dialect from ``T`` lines.
        """
        choice("dialect", dialect, get_args(Dialect))
        if dialect == "auto" and not self.is_cherrant:
            return self
        refused = [s for s, block in enumerate(self) if is_refused(block)]
        if refused:
            message = f"{len(refused)} of {len(self)} sentences could not be corrected (NA): they count as correct"
            first = self[refused[0]].error(message)
            warn(str(first))
        return Blocks.of([errant_block(block) for block in self], dialect=None)

    @property
    def source(self) -> Text[str]:
        """The sentences."""
        return self._columns.source[self._indices.start : self._indices.stop]

    @cached_property
    def edits(self) -> Edits:
        """All edits, including noops.

        The versions of a block are its annotators, in the order of their first lines. The edits of a version are in
        file order. A block without ``A`` lines has the version 0 without edits.
        """
        return self.table.edits

    @property
    def annotators(self) -> list[int]:
        """All annotators with a line, in ascending order."""
        with_lines = np.diff(self.edits.offsets) > 0
        return sorted(set(self.edits.annotator[with_lines].tolist()))

    @cached_property
    def present(self) -> NDArray[np.bool_] | None:
        """``present[s, a]``: whether sentence s has an annotator in place a.

        It is None if all sentences have the same number.
        """
        annotators = np.diff(self.edits.versions)
        most = annotators.max(initial=0)
        return None if (annotators == most).all() else np.arange(most) < annotators[:, np.newaxis]

    @property
    def with_several_annotators(self) -> NDArray[np.intp]:
        """Indices of the sentences that have several annotators."""
        return np.flatnonzero(np.diff(self.edits.versions) > 1)

    def check_one_annotator(self, name: str) -> None:
        """Raise InputError that names the first block with several annotators.

        ``name`` is the system.
        """
        several = self.with_several_annotators
        if several.size:
            s = int(several[0])
            block = self[s]
            who = block.annotators
            ids = ", ".join(map(str, who))
            raise block.error(
                f"system {name}, sentence {s + 1}: the M2 of a system must have one annotator, found {len(who)}: {ids}",
                hint="geceval m2 apply --annotator ID writes the text of one, m2 filter --annotators ID its edits",
            )

    def corrected(self, annotator: int, missing: Missing = "fallback", alignment: int = 0) -> Text[str]:
        """Return the sentences as an annotator corrects them.

        ``missing`` and errors are as for :func:`references`; ``alignment`` belongs to the answer (ChERRANT).
        """
        choice("missing", missing, get_args(Missing))
        annotator = whole("annotator", annotator, NUMBERS)
        with explain_faults(self, alignment):
            return self.table.corrected(annotator, missing, alignment)

    def texts_of_annotators(self) -> list[Text]:
        """Return the corrected texts by number of the annotator.

        Sentences without a line of an annotator have None. Raises InputError as :func:`apply` does.
        """
        numbers = sorted(set(self.edits.annotator.tolist()))
        if numbers[0] >= 0 and numbers[-1] < _MOST:
            numbers = [*range(numbers[-1] + 1)]
        with explain_faults(self):
            return [self.table.corrected(annotator, "absent") for annotator in numbers]

    @overload
    def version(self, position: Literal[0]) -> Text[str]: ...
    @overload
    def version(self, position: int) -> Text: ...
    def version(self, position: int) -> Text:
        """Return the sentences as corrected by the annotator at that position of each block.

        Blocks with fewer annotators give None; each has a correction at 0. Raises InputError as :func:`apply` does.
        """
        with explain_faults(self):
            return self.table.version(position)

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> Blocks: ...
    def __getitem__(self, index: int | slice) -> Block | Blocks:
        if not isinstance(index, slice):
            return self._block(self._indices[index])
        indices = self._indices[index]
        return Blocks(self._columns, indices) if indices.step == 1 else Blocks(self._columns.at(list(indices)))

    def __iter__(self) -> Iterator[Block]:
        return map(self._block, self._indices)

    def _block(self, index: int) -> Block:
        return block_of(self._columns.block(index))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(Block.__eq__, self, other))

    def __repr__(self) -> str:
        return f"<Blocks of {len(self)} sentences>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks.of, (list(self), "blocks", None)


class BlockStream(Iterator[Block]):
    """Blocks one after the other; memory holds a portion of them in columns.

    Attributes:
        portions: The portions, an iterator that this one consumes.
    """

    def __init__(self, portions: Iterator[Blocks]) -> None:
        self.portions = portions
        self._blocks = itertools.chain.from_iterable(portions)

    def __next__(self) -> Block:
        return next(self._blocks)


def streamed(function: Callable[P, Iterator[Blocks]]) -> Callable[P, BlockStream]:
    """Return a function that returns the yielded portions as a stream of blocks."""

    @functools.wraps(function)
    def stream(*args: P.args, **kwargs: P.kwargs) -> BlockStream:
        return BlockStream(function(*args, **kwargs))

    return stream


def portions_of(blocks: Iterable[Block]) -> Iterator[Blocks]:
    """Yield blocks in columns, as they are written, a portion at a time.

    Raises the errors of Blocks.of.
    """
    if isinstance(blocks, Blocks):
        yield blocks
        return
    if isinstance(blocks, BlockStream):
        yield from blocks.portions
        return
    checked = check_blocks(blocks)
    while batch := [*itertools.islice(checked, BATCH)]:
        yield Blocks(table_of(batch))


def table_of(blocks: Iterable[Block]) -> BlockTable:
    """Return the columns of blocks.

    Raises InputError for a correction that contains a separator of alternatives.
    """

    def checked(block: Block) -> Block:
        for edit in block.edits:
            for text in edit.corrections:
                if "||" in text:
                    hint = f"give {' and '.join(map(repr, text.split('||')))} as alternatives"
                    message = f"M2 cannot contain the correction {text!r}: || separates alternatives"
                    raise block.error(message, line=edit.line, hint=hint)
        return block

    return BlockTable(map(checked, blocks))


def check_blocks(blocks: Iterable[Block], name: str = "blocks") -> Iterator[Block]:
    """Yield blocks.

    Raises InputError for other values, and the errors of as_sequence.
    """
    for s, block in enumerate(blocks if isinstance(blocks, Iterator) else as_sequence(name, blocks, "m2.Block")):
        if not isinstance(block, Block):
            raise InputError(
                f"{name}, sentence {s} (counted from 0): expected an M2 block, not {shown(block)}",
                hint="geceval.m2.read(path) reads them",
            )
        yield block
