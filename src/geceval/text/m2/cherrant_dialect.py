"""ChERRANT's dialect of M2, and the way from it to ERRANT's and back.

An answer of an annotator may be aligned with the sentence in several ways. A ``T`` line, the text of the answer, stands
before the edits of each; ``A`` lines name the answer, not the alignment::

    S 他 来 到 北 京
    T0-A0 他 来 了 北 京
    A 2 3|||S|||了|||REQUIRED|||-NONE-|||0
    T1 没有错误
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

``T1 无法标注`` and the type ``NA`` say that the sentence cannot be corrected. Types are ``M`` missing, ``R``
*redundant*, ``S`` substituted, ``W`` word order, by words with a category: ``R:NOUN`` is ERRANT's ``U:NOUN``, and its
``R:NOUN`` is ``S:NOUN`` here. A file is of the dialect if it has ``T`` lines, or is said to be.

Scoring takes ERRANT's letters and, of each answer, the first alignment: see :func:`errant_block`.
Source: Zhang et al., MuCGEC, NAACL 2022, section 4.2; the files of its repository.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from geceval.base.errors import InputError
from geceval.text.m2.edit import DELETE, NOT_ANNOTATABLE, Block, Edit, Target, noop
from geceval.text.m2.faults import apply_edits, ordered

#: Which dialect a file is in: told by its ``T`` lines, or said.
Dialect = Literal["auto", "cherrant"]

NO_ERROR = "没有错误"

_WORD_ORDER, _ERRANT_WORD_ORDER = "W", "R:WO"
_LETTERS = {"M": "M", "R": "U", "S": "R"}
_OWN_LETTERS = {errant: own for own, errant in _LETTERS.items()}


def errant_type(name: str) -> str:
    """A type of the dialect with ERRANT's letter: ``R:NOUN`` is ``U:NOUN``, ``S`` is ``R``, ``W`` is ``R:WO``."""
    return _ERRANT_WORD_ORDER if name == _WORD_ORDER else _with_letter(name, _LETTERS)


def cherrant_type(name: str) -> str:
    """The inverse of :func:`errant_type`; a type without ERRANT's letters stays."""
    return _WORD_ORDER if name == _ERRANT_WORD_ORDER else _with_letter(name, _OWN_LETTERS)


def _with_letter(name: str, letters: dict[str, str]) -> str:
    letter, colon, category = name.partition(":")
    return f"{letters.get(letter, letter)}{colon}{category}"


def errant_block(block: Block) -> Block:
    """The block without ``T`` lines, with the edits of the first alignment of each answer (0, or the lowest that it
    has), under ERRANT's types.

    An answer without edits has a noop. One that says ``NA`` is none, unless there is no other: then it changes nothing.
    """
    kept: dict[int, list[Edit]] = {target.annotator: [] for target in block.targets}
    first = {who: min(target.alignment or 0 for target in block.targets if target.annotator == who) for who in kept}
    kept |= {who: [] for who in block.annotators if not kept or block.edits}
    for edit in block.edits:
        if edit.alignment == first.get(edit.annotator, 0) and edit.type != NOT_ANNOTATABLE:
            kept[edit.annotator].append(replace(edit, type=errant_type(edit.type), alignment=0))
    refusing = {edit.annotator for edit in block.edits if edit.type == NOT_ANNOTATABLE}
    answers = {who: own for who, own in kept.items() if own or who not in refusing} or kept
    edits = tuple(edit for who, own in answers.items() for edit in own or [noop(who)])
    return replace(block, edits=edits, targets=())


def in_errant(block: Block) -> Block:
    """The block, as :func:`errant_block` makes it if it has ``T`` lines."""
    return errant_block(block) if block.targets else block


def is_refused(block: Block) -> bool:
    """Whether all that is said of the sentence is that it cannot be corrected."""
    return bool(block.edits) and all(edit.type == NOT_ANNOTATABLE for edit in block.edits)


def cherrant_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks with ERRANT's types as ChERRANT writes them: each annotator an answer with one alignment.

    Those that have ``T`` lines stay as they are. Raises InputError if edits overlap or do not fit, and for an edit
    with several corrections, which the dialect cannot say.
    """
    return (block if block.targets else _cherrant_block(block) for block in blocks)


def _cherrant_block(block: Block) -> Block:
    targets: list[Target] = []
    edits: list[Edit] = []
    for who in block.annotators:
        own_edits = ordered(block, who)
        targets.append(Target(who, 0, apply_edits(block, own_edits)) if own_edits else Target(who, None, NO_ERROR))
        edits += [_cherrant_edit(block, edit) for edit in own_edits] or [noop(who)]
    return replace(block, edits=tuple(edits), targets=tuple(targets))


def _cherrant_edit(block: Block, edit: Edit) -> Edit:
    if len(edit.corrections) > 1:
        raise block.error("ChERRANT's M2 has no alternatives, and the edit has several", line=edit.line, hint=f"{edit}")
    return replace(edit, type=cherrant_type(edit.type), corrections=(edit.correction or DELETE,))


def check_target(block: Block, target: Target) -> Iterator[InputError]:
    """The fault of a ``T`` line that is not what its edits make of the sentence."""
    if target.alignment is None:
        return
    try:
        text = apply_edits(block, ordered(block, target.annotator, target.alignment))
    except InputError:
        return  # that is a fault of its edits
    if "".join(text.split()) != "".join(target.text.split()):  # words may be cut in another way
        yield block.error(f"T{target.annotator}-A{target.alignment} is not what its edits make: {text}")
