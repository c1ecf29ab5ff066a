"""GoToScorer's chunks, slow and plain: what a system makes of each chunk of the gold (Gotou et al., COLING 2020)."""

from __future__ import annotations

from dataclasses import dataclass

Edit = tuple[int, int, str]


@dataclass(frozen=True)
class Chunk:
    start: int
    end: int
    correction: str
    is_edit: bool


def chunks(tokens: list[str], edits: list[Edit]) -> list[Chunk]:
    """Each edit, each token outside them, and an empty slot before each of these and at the end, unless there is an
    insertion. The edits are in order."""
    plain = [(i, i + 1, token) for i, token in enumerate(tokens) if not any(s <= i < e for s, e, _ in edits)]
    solid = [Chunk(*row, False) for row in plain] + [Chunk(*edit, True) for edit in edits if edit[0] < edit[1]]
    inserted = [Chunk(*edit, True) for edit in edits if edit[0] == edit[1]]
    inserted_at = {chunk.start for chunk in inserted}
    starts = {chunk.start for chunk in solid} | {len(tokens)}
    slots = [Chunk(start, start, "", False) for start in starts - inserted_at]
    return sorted([*solid, *inserted, *slots], key=lambda chunk: (chunk.start, chunk.end))


def verdict(gold: Chunk, system: list[Chunk]) -> tuple[bool, bool]:
    """Whether the chunk is right and whether it is modified."""
    wrong = modified = False
    for proposed in system:
        if (proposed.start, proposed.end) == (gold.start, gold.end):
            if proposed.correction == gold.correction:
                return True, proposed.is_edit
            wrong, modified = True, modified or proposed.is_edit
        elif gold.start < gold.end and (
            gold.start <= proposed.start < gold.end or proposed.start <= gold.start < proposed.end
        ):
            wrong, modified = True, modified or proposed.is_edit
    return not wrong and not gold.is_edit, modified


def verdicts(tokens: list[str], gold: list[Edit], system: list[Edit]) -> list[tuple[bool, bool, bool]]:
    """(is an edit, right, modified) for each chunk of the gold."""
    proposed = chunks(tokens, system)
    return [(chunk.is_edit, *verdict(chunk, proposed)) for chunk in chunks(tokens, gold)]
