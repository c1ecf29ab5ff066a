"""Slow and obvious M2: reading line by line, dropping edits that do not fit, making edits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from geceval.base.errors import InputError
from geceval.m2 import Block, Edit, Target, noop

_SPAN = re.compile(r"A +(-?[0-9]{1,9}) +(-?[0-9]{1,9}) *")
_TARGET = re.compile(r"T([0-9]{1,9})(-A[0-9]{1,9})?(?: (.*))?", re.DOTALL)
_ANNOTATOR = re.compile(r" *([0-9]{1,9}) *")
_FILTER = "an empty line ends a block; this filter inserts the missing ones: awk '/^S( |$)/ { print \"\" } { print }'"
_FIELDS = "A start end|||type|||correction|||required|||comment|||annotator"

_Report: TypeAlias = Callable[[InputError], None]


def parse(path: Path, report: _Report, *, shared: bool = False) -> Iterator[Block]:
    """Blocks of the file. ``report`` hears of every malformed line; if it returns, the line is skipped.

    ``shared``: several ``S`` lines in one block share its edits, and are no fault.
    """
    name = str(path)
    pending: list[tuple[int, str]] = []
    for number, text in _lines(path, name, report):
        if _is_source(text) and not shared and any(_is_source(line) for _, line in pending):
            yield from _blocks(pending, name, False, report)
            pending = []
            report(InputError("a second S line in one block", path=name, line=number, hint=_FILTER))
        if text.strip():
            pending.append((number, text))
        elif pending:
            yield from _blocks(pending, name, True, report)
            pending = []
    yield from _blocks(pending, name, False, report)


def _is_source(text: str) -> bool:
    return text == "S" or text.startswith("S ")


def _blocks(lines: list[tuple[int, str]], path: str, ended: bool, report: _Report) -> list[Block]:
    """The lines between two empty ones: a block for each ``S`` line, nearly always one; the last may be ``ended``."""
    sources: list[tuple[int, str]] = []
    edits: list[Edit] = []
    notes: list[str] = []
    targets: list[Target] = []
    for number, text in lines:
        try:
            if _is_source(text):
                sources.append((number, text[2:]))
            elif not sources:
                raise InputError("expected a line that starts with 'S '")
            elif text.startswith("A "):
                edits.append(_edit(text, number, targets))
            elif text.startswith("I "):
                notes.append(text)
            elif (match := _TARGET.fullmatch(text)) is not None:
                for edit in () if targets else edits:
                    message = f"the edit precedes the T lines of its block, which begin in line {number}"
                    hint = "an edit follows the T line of its answer"
                    report(InputError(message, path=path, line=edit.line, hint=hint))
                edits = edits if targets else []
                targets.append(_target(match, targets, text))
            else:
                raise InputError(f"expected a line that starts with 'A ', found {_shown(text)}")
        except InputError as error:
            report(InputError(error.message, path=path, line=number, hint=error.hint))
    last = len(sources) - 1
    blocks = [
        Block(text, tuple(edits), tuple(notes), ended and at == last, path, number, tuple(targets))
        for at, (number, text) in enumerate(sources)
    ]
    return _shared(blocks) if len(blocks) > 1 else blocks


def _shared(blocks: Sequence[Block]) -> list[Block]:
    """Each sentence keeps the edits that fit it; one that fits none stays with all, to be reported."""
    misfits = [set(misfits_of(block)) for block in blocks]
    lost = set.intersection(*misfits)
    return [without(block, misfit_places - lost) for block, misfit_places in zip(blocks, misfits, strict=True)]


def misfits_of(block: Block) -> list[int]:
    """Places of the edits that lie outside the sentence or end before they start."""
    length = len(block.tokens)
    return [
        place for place, edit in enumerate(block.edits) if not (edit.is_noop or 0 <= edit.start <= edit.end <= length)
    ]


def fitting(block: Block) -> Block:
    """The block without the edits that lie outside the sentence; one that ends before it starts stays."""
    length = len(block.tokens)
    inside = {place for place, edit in enumerate(block.edits) if 0 <= edit.end < edit.start <= length}
    return without(block, set(misfits_of(block)) - inside)


def without(block: Block, indices: Set[int]) -> Block:
    """The block without some of its edits; an annotator who loses all of them keeps a noop, where the first one was."""
    present = {edit.annotator for place, edit in enumerate(block.edits) if place not in indices}
    edits: list[Edit] = []
    for place, edit in enumerate(block.edits):
        if place not in indices:
            edits.append(edit)
        elif edit.annotator not in present:
            edits.append(noop(edit.annotator))
            present.add(edit.annotator)
    return replace(block, edits=tuple(edits))


def _target(match: re.Match[str], targets: Sequence[Target], text: str) -> Target:
    target = Target(int(match[1]), None if match[2] is None else int(match[2][2:]), match[3] or "")
    if (target.annotator, target.alignment) in {(previous.annotator, previous.alignment) for previous in targets}:
        raise InputError(f"the block already has a T line of this answer and alignment: {_shown(text)}")
    return target


def _edit(text: str, line: int, targets: Sequence[Target]) -> Edit:
    fields = text.split("|||")
    if len(fields) < 6:
        raise InputError(f"expected 6 fields, found {len(fields)}: {_shown(text)}", hint=_FIELDS)
    span, type_, correction, required, *comment, annotator = fields
    offsets = _SPAN.fullmatch(span)
    if not offsets:
        raise InputError(f"expected 'A start end' with integers, found {_shown(span)}", hint=_FIELDS)
    who = _ANNOTATOR.fullmatch(annotator)
    if not who:
        raise InputError(
            f"the annotator must be an integer from 0 to 999999999, found {_shown(annotator)}", hint=_FIELDS
        )
    start, end = int(offsets[1]), int(offsets[2])
    corrections = tuple(correction.split("||"))
    last = targets[-1] if targets else Target(int(who[1]), None, "")
    if last.annotator != int(who[1]):
        raise InputError(f"the edit is not of answer {last.annotator}, whose T line precedes it: {_shown(text)}")
    rest = "|||".join(comment)
    return Edit(start, end, type_, corrections, required, rest, int(who[1]), line, last.alignment or 0)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _lines(path: Path, name: str, report: _Report) -> Iterator[tuple[int, str]]:
    """(number, text) of every line, which ends with ``\\n`` after any number of ``\\r``; a leading BOM is removed."""
    with path.open("rb") as stream:
        for number, raw in enumerate(stream, 1):
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                message = f"not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} of the line"
                report(InputError(message, path=name, line=number))
                text = raw.decode("utf-8", "replace")
            if "\0" in text:
                report(InputError(f"NUL byte at offset {raw.index(0)} of the line", path=name, line=number))
                text = text.replace("\0", "\ufffd")
            text = text.removeprefix("\ufeff") if number == 1 else text
            yield number, text.removesuffix("\n").rstrip("\r")


def made(block: Block, annotator: int) -> str | None:
    """The sentence after the annotator's edits; None if two overlap or one does not fit."""
    tokens = block.tokens
    end = 0
    pieces: list[str] = []
    for edit in sorted(block.edits_of(annotator), key=lambda edit: (edit.start, edit.end)):
        if not end <= edit.start <= edit.end <= len(tokens):
            return None
        pieces += tokens[end : edit.start] + edit.correction.split()
        end = edit.end
    return " ".join(pieces + tokens[end:])
