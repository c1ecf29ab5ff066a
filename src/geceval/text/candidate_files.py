"""Files of several candidates per sentence.

A file has either a fixed number of lines per sentence or is a table. The cells of a table are the number of the
sentence, counted from 1, the candidate, and optionally its score, separated by tabs. Its rows are sorted by sentence,
and no sentence is missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from geceval.base.errors import InputError
from geceval.text.files import PathLike
from geceval.text.reading.lines import read_lines


@dataclass(frozen=True)
class Candidates:
    """``texts[s][c]``, and ``scores[s][c]`` if the file contains scores."""

    texts: Sequence[Sequence[str]]
    scores: Sequence[Sequence[float]] | None = None

    def __len__(self) -> int:
        return len(self.texts)


def read_candidates(path: PathLike, each: int | None = None) -> Candidates:
    """Return the candidates in a file.

    Args:
        path: the file; ``-`` is standard input.
        each: number of lines per sentence; None for a table.

    Raises:
        InputError: if the file is malformed; names file and line.
    """
    lines = [str(line) for line in read_lines(path)]
    if each is None:
        return _table(path, lines)
    if len(lines) % each:
        message = f"{len(lines)} lines are not {each} for each sentence: {len(lines) % each} are left"
        raise InputError(message, path=path, line=len(lines))
    return Candidates([lines[first : first + each] for first in range(0, len(lines), each)])


def _table(path: PathLike, lines: Iterable[str]) -> Candidates:
    texts: list[list[str]] = []
    scores: list[list[float]] = []
    width: int | None = None
    for at, line in enumerate(lines, 1):
        number, *cells = line.split("\t")
        if width not in (None, len(cells)) or len(cells) not in (1, 2):
            wanted = "1 or 2" if width is None else str(width)
            hint = "sentence number, tab, candidate, optionally tab and score; or plain lines with --per-sentence N"
            raise InputError(f"{len(cells)} cells after the number, not {wanted}", path=path, line=at, hint=hint)
        width = len(cells)
        allowed = [str(s) for s in (len(texts), len(texts) + 1) if s]
        if number not in allowed:
            message = f"the number of the sentence is {' or '.join(allowed)} here, not {number[:40]!r}"
            raise InputError(message, path=path, line=at)
        if number == allowed[-1]:
            texts.append([])
            scores.append([])
        texts[-1].append(cells[0])
        scores[-1] += [_score(path, at, cell) for cell in cells[1:]]
    return Candidates(texts, scores if width == 2 else None)


def _score(path: PathLike, at: int, cell: str) -> float:
    try:
        score = float(cell)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise InputError(f"a score is a number, not {cell[:40]!r}", path=path, line=at)
    return score


def candidate_lines(texts: Sequence[Sequence[str]], scores: Sequence[Sequence[float]]) -> Iterator[str]:
    """Yield the rows of a table. Raises InputError for a candidate with a tab."""
    for s, (candidates, values) in enumerate(zip(texts, scores, strict=True), 1):
        if any("\t" in text for text in candidates):
            raise InputError(f"a candidate of sentence {s} contains a tab, which separates cells")
        for text, value in zip(candidates, values, strict=True):
            yield f"{s}\t{text}\t{value!r}"
