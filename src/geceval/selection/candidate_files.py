"""Files with several corrections of each sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.text.files import PathLike, has_ending, kind_of, path_text
from geceval.text.reading.aligned_files import Rows
from geceval.text.reading.file_columns import FileContent
from geceval.text.reading.file_kinds import AMBIGUOUS, DECODER_KINDS, SUGGESTIONS
from geceval.text.reading.formats import table_format
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.input_tables import has_values
from geceval.text.reading.lines import read_lines
from geceval.text.reading.nbest import corrections_in
from geceval.text.reading.role_names import usual_names
from geceval.text.reading.row_keys import KeyCheck
from geceval.text.reading.text_files import open_text


@dataclass(frozen=True)
class Candidates:
    """``texts[s][c]``, and ``scores[s][c]`` if the file contains scores."""

    texts: Sequence[Sequence[str]]
    scores: Sequence[Sequence[float]] | None = None

    def __len__(self) -> int:
        return len(self.texts)


def read_candidates(path: PathLike, each: int | None = None, *, breaks: bool = False) -> Candidates:
    """Return the candidates in a file.

    Args:
        path: The file; ``-`` is standard input.
        each: Number of lines per sentence; None for a table, JSON, fairseq's output or an n-best list.
        breaks: Whether candidates in JSON may have line breaks.

    Raises:
        InputError: If the file is malformed; names file and line.
        UsageError: If ``each`` is given for JSON.
    """
    if has_ending(str(path), *SUGGESTIONS):
        if each is not None:
            hint = Hint("omit ", Option("per_sentence"))
            raise UsageError("--per-sentence is for text, and JSON has a list of candidates per row", hint=hint)
        return _lists(str(path), breaks)
    if each is None:
        kind = kind_of(path_text(path), AMBIGUOUS)
        if kind is not None and kind.key in DECODER_KINDS:
            return _of_decoder(path_text(path), kind.key)
    lines = [str(line) for line in read_lines(path)]
    if each is None:
        return _table(path, lines)
    if len(lines) % each:
        message = f"{len(lines)} lines cannot be divided into {each} candidates per sentence"
        raise InputError(message, path=path, line=len(lines))
    return Candidates([lines[first : first + each] for first in range(0, len(lines), each)])


def _of_decoder(path: str, kind: str) -> Candidates:
    """Return the corrections in the output of a decoder, with its scores."""
    rows = corrections_in(InputFile(path), kind)
    texts = [[correction.text for correction in row] for row in rows]
    return Candidates(texts, [[correction.score for correction in row] for row in rows])


def _lists(path: str, breaks: bool) -> Candidates:
    """Return the candidates in the column of a JSON table that has lists: texts, or choices of a language model."""
    content = table_format(path)(InputFile(path))
    references = usual_names(content.names, "references")
    names = [name for name in content.names if name not in references and has_lists(content, name)]
    if len(names) != 1:
        message = f"{content.file.name} has {len(names)} columns of lists of candidates, not 1"
        raise UsageError(message, hint='{"samples": ["a candidate", "another one"]}, one object per sentence')
    column = content.column("candidates", content.names.index(names[0]))
    check = KeyCheck([content, open_text(InputFile(""))], (), "sort the rows in the order of the source")
    check.add(Rows(0, {key: key.all_values() for key in check.keys}))
    texts: list[list[str]] = []
    for s, cell in enumerate(column.all_values()):
        if not _is_list(cell):
            raise column.error(s, "the candidates must be a list, with at least one text")
        texts.append([str(column.checked([_text_in(item)], s, breaks=breaks)[0]) for item in cell])
    return Candidates(texts)


def _text_in(item: Any) -> Any:
    """Return the text of a choice of a language model, and any other value unchanged."""
    choice = item.get("message", item) if isinstance(item, dict) else None
    if not isinstance(choice, dict):
        return item
    return choice.get("text" if choice is item else "content")


def has_lists(content: FileContent, name: str) -> bool:
    """Return whether a column has lists of candidates."""
    return has_values(content, name, _is_list)


def _is_list(cell: Any) -> bool:
    """Return whether a cell is a list that has candidates."""
    return isinstance(cell, list) and any(isinstance(_text_in(item), str) for item in cell)


def _table(path: PathLike, lines: Iterable[str]) -> Candidates:
    texts: list[list[str]] = []
    scores: list[list[float]] = []
    width: int | None = None
    for line_number, line in enumerate(lines, 1):
        number, *cells = line.split("\t")
        if width not in (None, len(cells)) or len(cells) not in (1, 2):
            message = f"{len(cells)} cells after the number, not {'1 or 2' if width is None else width}"
            columns = "sentence number, tab, candidate, optionally tab and score"
            hint = Hint(f"{columns}; or plain lines with ", Option("per_sentence", "N"))
            raise InputError(message, path=path, line=line_number, hint=hint)
        width = len(cells)
        allowed = [str(s) for s in (len(texts), len(texts) + 1) if s]
        if number not in allowed:
            message = f"the sentence number must be {' or '.join(allowed)} here, not {number[:40]!r}"
            raise InputError(message, path=path, line=line_number)
        if number == allowed[-1]:
            texts.append([])
            scores.append([])
        texts[-1].append(cells[0])
        scores[-1] += [_score(path, line_number, cell) for cell in cells[1:]]
    return Candidates(texts, scores if width == 2 else None)


def _score(path: PathLike, line_number: int, cell: str) -> float:
    try:
        score = float(cell)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise InputError(f"a score must be a number, not {cell[:40]!r}", path=path, line=line_number)
    return score


def candidate_lines(texts: Sequence[Sequence[str]], scores: Sequence[Sequence[float]]) -> Iterator[str]:
    """Yield the rows of a table. Raises InputError for a candidate with a tab."""
    for s, (candidates, values) in enumerate(zip(texts, scores, strict=True), 1):
        if any("\t" in text for text in candidates):
            raise InputError(f"a candidate of sentence {s} contains a tab, which separates cells")
        for text, value in zip(candidates, values, strict=True):
            yield f"{s}\t{text}\t{value!r}"
