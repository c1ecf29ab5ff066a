"""Slow and obvious merging of M2 files, and votes on their edits, block by block."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from geceval.m2 import Block, Edit, Target, errant_block, noop, ordered


def merge(files: Sequence[Sequence[Block]], ids: Sequence[Sequence[int]]) -> Iterator[Block]:
    """Blocks with the edits of all files, whose annotators ``ids`` get new numbers."""
    fresh = itertools.count()
    numbers = [[(annotator, next(fresh)) for annotator in annotators] for annotators in ids]
    for row in zip(*files, strict=True):
        blocks = row if all(block.targets for block in row) else [*map(_in_errant, row)]
        edits: list[Edit] = []
        targets: list[Target] = []
        for block, annotators in zip(blocks, numbers, strict=True):
            for annotator, number in annotators:
                lines = [edit for edit in block.edits if edit.annotator == annotator] or [noop(number)]
                edits += [replace(edit, annotator=number) for edit in lines]
                answers = [target for target in block.targets if target.annotator == annotator]
                targets += [
                    replace(answer, annotator=number) for answer in answers or [Target(number, None, "没有错误")]
                ]
        notes = tuple(note for block in blocks for note in block.notes)
        in_cherrant = all(block.targets for block in blocks)
        yield replace(blocks[0], edits=tuple(edits), notes=notes, targets=tuple(targets) if in_cherrant else ())


def vote(files: Sequence[Sequence[Block]], minimum: int) -> Iterator[Block]:
    """Blocks with the edits that at least ``least`` files have; raises what makes a block faulty."""
    for row in zip(*files, strict=True):
        blocks = [*map(_in_errant, row)]
        votes: dict[tuple[int, int, str], dict[int, Edit]] = {}
        for voter, block in enumerate(blocks):
            if len(block.annotators) > 1:
                raise block.error(f"each file of a vote must have one annotator, found {len(block.annotators)}")
            for edit in ordered(block, block.annotators[0]):
                key = edit.start, edit.end, " ".join(edit.correction.split())
                votes.setdefault(key, {}).setdefault(voter, edit)
        accepted: list[dict[int, Edit]] = []
        for voters in sorted(votes.values(), key=len, reverse=True):
            if len(voters) >= minimum and not any(_exclude_each_other(voters, previous) for previous in accepted):
                accepted.append(voters)
        edits = sorted((next(iter(voters.values())) for voters in accepted), key=lambda edit: (edit.start, edit.end))
        edits_of_votes = [replace(edit, corrections=(edit.corrections[0],), annotator=0) for edit in edits]
        yield replace(blocks[0], edits=tuple(edits_of_votes) or (noop(0),), notes=())


def _in_errant(block: Block) -> Block:
    return errant_block(block) if block.targets else block


def _exclude_each_other(first: dict[int, Edit], second: dict[int, Edit]) -> bool:
    """Whether they overlap or have the same span or point, and no file has both."""
    edit, rival = next(iter(first.values())), next(iter(second.values()))
    same = (edit.start, edit.end) == (rival.start, rival.end)
    return (same or (edit.start < rival.end and rival.start < edit.end)) and first.keys().isdisjoint(second)
