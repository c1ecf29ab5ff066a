"""ChERRANT's dialect of M2, and its conversion to ERRANT's and back.

An annotator's answer may be aligned with the sentence in several ways. A ``T`` line with the text of the answer
precedes the edits of each alignment. ``A`` lines name the answer but not the alignment::

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

from dataclasses import replace
from typing import Literal

from geceval.text.m2.edit import NOT_ANNOTATABLE, Block, Edit, noop

#: The dialect of a file: detected from ``T`` lines, or given.
Dialect = Literal["auto", "cherrant"]

#: Answers without edits: nothing is wrong, and the sentence cannot be corrected.
NO_ERROR, NO_ANSWER = "没有错误", "无法标注"

_WORD_ORDER, _ERRANT_WORD_ORDER = "W", "R:WO"
_LETTERS = {"M": "M", "R": "U", "S": "R"}
_OWN_LETTERS = {errant: own for own, errant in _LETTERS.items()}


def errant_type(name: str) -> str:
    """Return a type of the dialect with ERRANT's letter.

    ``R:NOUN`` becomes ``U:NOUN``, ``S`` becomes ``R``, ``W`` becomes ``R:WO``.

    Args:
        name: the type.

    Returns:
        The type in ERRANT's letters.
    """
    return _ERRANT_WORD_ORDER if name == _WORD_ORDER else _with_letter(name, _LETTERS)


def cherrant_type(name: str) -> str:
    """Return an ERRANT type in ChERRANT's letters; inverts :func:`errant_type`.

    Args:
        name: the type; without one of ERRANT's letters it is returned unchanged.

    Returns:
        The type in ChERRANT's letters.
    """
    return _WORD_ORDER if name == _ERRANT_WORD_ORDER else _with_letter(name, _OWN_LETTERS)


def _with_letter(name: str, letters: dict[str, str]) -> str:
    letter, colon, category = name.partition(":")
    return f"{letters.get(letter, letter)}{colon}{category}"


def errant_block(block: Block) -> Block:
    """Return a block as it is scored: no ``T`` lines, ERRANT's types.

    Of each answer one alignment is kept.

    The alignment of an answer is 0, or else its lowest one. An answer without edits becomes a noop. An answer ``NA`` is
    dropped; if all answers are ``NA``, they become noops.

    Args:
        block: a block in ChERRANT's dialect.

    Returns:
        A block in ERRANT's dialect.
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


def convert_to_errant(block: Block) -> Block:
    """Apply errant_block to a block with ``T`` lines; return others unchanged."""
    return errant_block(block) if block.targets else block


def is_refused(block: Block) -> bool:
    """Return whether all edits mark the sentence as impossible to correct."""
    return bool(block.edits) and all(edit.type == NOT_ANNOTATABLE for edit in block.edits)
