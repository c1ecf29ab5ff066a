"""Read human rankings and ratings of system outputs by sentence.

Rankings: one *item* is one annotator's ranking of the distinct outputs for one source sentence. Systems with the same
output are *collapsed* into one group and share its rank. The layout of a file is detected from its content:

* Appraise XML as published by Grundkiewicz et al. (2015, "GJG15") and Kobayashi et al. (2024, "SEEDA"):
  groups separated by white space, number of the sentence in ``src-id``;
* Appraise XML as published by Napoles et al. (2015, "NSPT15"): groups separated by commas, no ``src-id``, number of
  the sentence in ``id``;
* the CSV of pairs published with NSPT15: each row is an item of two systems.

Ratings, as published by GMEG (Napoles et al. 2019): a CSV file has one column per system, whose head is the system's
name, and one row per sentence, in the order of the outputs. The cell of an unrated sentence is empty. Ratings determine
rankings: each rated sentence is an item whose systems are ranked by their ratings.

Sentence numbers are mapped to lines of the system outputs. Published data sets differ: GJG15 counts lines from 0, SEEDA
from 1, and SEEDA's ``outputs/subset`` contains only the judged sentences in ascending order. The numbering is detected
from the judgments: systems collapsed into one group must have the same output on their line, which is rare with a wrong
numbering.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import choices, shown
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.statistics import Floats
from geceval.text.files import read_text
from geceval.text.reading.delimited import read_rows


@dataclass(frozen=True)
class Item:
    """One annotator's ranking of the outputs for one sentence.

    Attributes:
        source_id: Number of the sentence in the file.
        annotator: Name of the annotator.
        groups: Groups of systems with the same output.
        ranks: Rank of each group, from 1, the best.
        line: Line of the item in the file.
    """

    source_id: int
    annotator: str
    groups: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]
    line: int


@dataclass(frozen=True)
class Judgments:
    """All items of one file, in file order, including repeated and empty ones."""

    path: str
    items: tuple[Item, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of all judged systems, sorted by code point."""
        return tuple(sorted({name for item in self.items for group in item.groups for name in group}))

    @property
    def source_ids(self) -> tuple[int, ...]:
        """Sorted numbers of the judged sentences; skipped items judge no sentence."""
        return tuple(sorted({item.source_id for item in self.items if item.groups}))

    def without(self, annotator: str) -> Judgments:
        """Return the judgments of all other annotators.

        Args:
            annotator: Name of an annotator.

        Raises:
            InputError: If the file has no annotator of this name.
        """
        items = tuple(item for item in self.items if item.annotator != annotator)
        if len(items) == len(self.items):
            names = choices(sorted({item.annotator for item in self.items}))
            raise InputError(f"unknown annotator {annotator!r}: choose from {names}", path=self.path)
        return Judgments(self.path, items)


def is_number(text: str, least: int) -> bool:
    """Return whether a text is an integer of at most nine digits, from ``least``."""
    return text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least


def read_judgments(path: str | os.PathLike[str]) -> Judgments:
    """Read a file of judgments, XML or CSV.

    Args:
        path: Path of the file.

    Returns:
        All items of the file, in file order.

    Raises:
        InputError: If the file cannot be read, has none of the layouts, or has an invalid rank, a system that is
            listed twice in an item, or an item without a sentence number; names file and line.
    """
    text = read_text(path)
    items = tuple(_read_xml(text, path) if text.lstrip().startswith("<") else _read_csv(text, path))
    if not any(item.groups for item in items):
        raise InputError("the file has no judgments", path=path, hint="expected Appraise XML or the CSV of NSPT15")
    return Judgments(os.fspath(path), items)


class _AppraiseReader:
    """Collector of ``ranking-item`` elements; the name of their parent varies."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.items: list[Item] = []
        #: Attributes and line of the open item, and the ranks of its groups.
        self.current: tuple[dict[str, str], int] | None = None
        self.ranks: dict[tuple[str, ...], int] = {}
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype

    def fail(self, message: str, line: int | None = None) -> InputError:
        return InputError(message, path=self.path, line=line or self.parser.CurrentLineNumber)

    def refuse_doctype(self, *_: object) -> None:
        # Judgments never have one, and its entities could expand a small file until the memory is full.
        raise self.fail("a document type declaration is not allowed")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "ranking-item":
            self.current, self.ranks = (attributes, self.parser.CurrentLineNumber), {}
        elif tag == "translation":
            self.translation(attributes)

    def translation(self, attributes: dict[str, str]) -> None:
        if self.current is None:
            raise self.fail("a translation outside a ranking-item")
        names = attributes.get("system", "").replace(",", " ").split()
        if not names:
            raise self.fail("a translation without a system")
        rank = attributes.get("rank", "")
        if not is_number(rank, 1):
            raise self.fail(f"rank must be an integer from 1, not {shown(rank)}")
        ranked = {name for group in self.ranks for name in group}
        for name in names:
            if name in ranked:
                raise self.fail(f"system {name} is listed twice in this item")
            ranked.add(name)
        self.ranks[tuple(sorted(names))] = int(rank)

    def end(self, tag: str) -> None:
        if tag != "ranking-item" or self.current is None:
            return
        (attributes, line), self.current = self.current, None
        key = "src-id" if "src-id" in attributes else "id"
        value = attributes.get(key, "")
        if not is_number(value, 0):
            raise self.fail(f"{key} must be the number of a sentence, not {shown(value)}", line)
        groups, ranks = tuple(self.ranks), tuple(self.ranks.values())
        self.items.append(Item(int(value), attributes.get("user", ""), groups, ranks, line))


def _read_xml(text: str, path: str | os.PathLike[str]) -> list[Item]:
    reader = _AppraiseReader(path)
    try:
        reader.parser.Parse(text, True)
    except expat.ExpatError as error:
        message = f"not well-formed XML: {expat.ErrorString(error.code)}"
        raise InputError(message, path=path, line=error.lineno) from error
    return reader.items


_COLUMNS = ("srcIndex", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank")


def _read_csv(text: str, path: str | os.PathLike[str]) -> Iterator[Item]:
    rows = read_rows(text, path)
    _, names = next(rows, (1, []))
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        message = f"neither Appraise XML nor a CSV of judgments: no column {', '.join(missing)}"
        ratings = Step(Hint(Option("ratings", "FILE")), "geceval.agreement.judgments.read_ratings(FILE)")
        hint = Hint(ratings, " reads ratings, a column per system")
        raise InputError(message, path=path, line=1, hint=hint)
    for line, row in rows:
        if row:
            yield _pair_of(dict(zip(names, row, strict=False)), path, line)


def _pair_of(row: dict[str, str], path: str | os.PathLike[str], line: int) -> Item:
    numbers = []
    for name, least in (("srcIndex", 0), ("system1rank", 1), ("system2rank", 1)):
        value = row.get(name, "")
        if not is_number(value, least):
            raise InputError(f"{name} must be an integer from {least}, not {shown(value)}", path=path, line=line)
        numbers.append(int(value))
    first, second = row.get("system1Id", ""), row.get("system2Id", "")
    if not first or not second or first == second:
        raise InputError("a judgment requires two different systems", path=path, line=line)
    source_id, *ranks = numbers
    return Item(source_id, row.get("judgeID", ""), ((first,), (second,)), tuple(ranks), line)


@dataclass(frozen=True)
class Ratings:
    """Ratings of systems by sentence.

    Attributes:
        path: Path of the file.
        systems: Names of the systems, sorted by code point.
        values: Ratings [systems, S], high is good; NaN if not rated.
    """

    path: str
    systems: tuple[str, ...]
    values: Floats

    @property
    def source_ids(self) -> tuple[int, ...]:
        """Numbers of the rated sentences, from 0."""
        return tuple(np.flatnonzero(~np.isnan(self.values).all(axis=0)).tolist())

    def means(self) -> Floats:
        """Return the mean rating [systems]; NaN without ratings."""
        return np.asarray(self.weighted(np.ones((1, self.values.shape[1]), np.int64))[0])

    def weighted(self, weights: NDArray[np.int64]) -> Floats:
        """Return the mean ratings [replicates, systems] under weights [replicates, S]."""
        rated = ~np.isnan(self.values)
        counts = weights @ rated.T
        sums = weights @ np.where(rated, self.values, 0.0).T
        return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))

    def of(self, lines: Sequence[int]) -> Ratings:
        """Return the ratings of sentences, in the given order."""
        return Ratings(self.path, self.systems, self.values[:, list(lines)])

    def judgments(self) -> Judgments:
        """Return the rankings by rating; equal ratings share a rank, 1 is the highest."""
        items = [self._item(row) for row in range(self.values.shape[1])]
        return Judgments(self.path, tuple(item for item in items if item.groups))

    def _item(self, row: int) -> Item:
        ratings = self.values[:, row]
        rated = [k for k in range(len(self.systems)) if not math.isnan(ratings[k])]
        ranks = tuple(1 + int((ratings[rated] > ratings[k]).sum()) for k in rated)
        return Item(row, "", tuple((self.systems[k],) for k in rated), ranks, row + 2)


def rankings_of(human: Judgments | Ratings) -> Judgments:
    """Return judgments as they are, ratings as rankings."""
    return human.judgments() if isinstance(human, Ratings) else human


def read_ratings(path: str | os.PathLike[str]) -> Ratings:
    """Read a CSV file of ratings.

    Args:
        path: Path of the file.

    Returns:
        Ratings [systems, S]; high is good.

    Raises:
        InputError: If the file cannot be read, a system has two columns or no rating, a row and the head differ in
            length, or a cell is neither empty nor a finite number; names file and line.
    """
    rows = [row for _, row in read_rows(read_text(path), path)]
    if len(rows) < 2 or len(rows[0]) < 2:
        hint = "expected a column of ratings for each system, headed by its name, and a row for each sentence"
        raise InputError("the file has no ratings of at least two systems", path=path, hint=hint)
    names = [name.strip() for name in rows[0]]
    for name in names:
        if not name or names.count(name) > 1:
            raise InputError(f"two columns are named {name}" if name else "a column has no name", path=path, line=1)
    cells = [_row(row, len(names), path, line) for line, row in enumerate(rows[1:], 2)]
    order = sorted(range(len(names)), key=names.__getitem__)
    values = np.array(cells, np.float64).T[order]
    unrated = np.isnan(values).all(axis=1)
    if unrated.any():
        message = (
            "the file has no ratings" if unrated.all() else f"system {names[order[unrated.argmax()]]} has no ratings"
        )
        raise InputError(message, path=path)
    return Ratings(os.fspath(path), tuple(names[k] for k in order), values)


def _row(row: list[str], columns: int, path: str | os.PathLike[str], line: int) -> list[float]:
    if len(row) != columns:
        raise InputError(f"number of cells: {len(row)} in the row, {columns} in the header", path=path, line=line)
    return [_rating(cell.strip(), path, line) for cell in row]


def _rating(cell: str, path: str | os.PathLike[str], line: int) -> float:
    try:
        value = float(cell) if cell else math.nan
    except ValueError:
        value = math.inf
    if math.isinf(value) or (cell and math.isnan(value)):
        raise InputError(f"a rating must be a finite number or an empty cell, not {shown(cell)}", path=path, line=line)
    return value


NUMBERINGS: Mapping[str, Callable[[Sequence[int]], dict[int, int]]] = {
    "0": lambda ids: {number: number for number in ids},
    "1": lambda ids: {number: number - 1 for number in ids},
    "judged": lambda ids: {number: k for k, number in enumerate(sorted(ids))},
}
"""Functions from the sentence numbers of a file to 0-based lines, by name.

``judged``: the outputs contain only the judged sentences, in ascending order of their numbers.
"""


def lines_by_sentence(judgments: Judgments, numbering: str) -> dict[int, int]:
    """Return the 0-based line of each judged sentence.

    Raises UsageError if the numbering is unknown.
    """
    if numbering not in NUMBERINGS:
        raise UsageError(f"unknown sentence numbering {numbering!r}: choose from {', '.join(NUMBERINGS)}")
    return NUMBERINGS[numbering](judgments.source_ids)


def agreeing_groups(
    judgments: Judgments, lines: Mapping[int, int], outputs: Mapping[str, Sequence[str]]
) -> tuple[int, int]:
    """Return the number of collapsed groups with equal outputs, and of those checked.

    ``outputs`` are lines by system; systems without outputs are ignored. White space at the ends of a line is ignored,
    as it was when outputs were collapsed.
    """
    verdicts = []
    for item in judgments.items:
        for group in item.groups:
            known = [outputs[name] for name in group if name in outputs]
            if len(known) > 1:
                line = lines[item.source_id]
                inside = all(0 <= line < len(output) for output in known)
                verdicts.append(inside and len({output[line].strip() for output in known}) == 1)
    return sum(verdicts), len(verdicts)


def find_numbering(judgments: Judgments, outputs: Mapping[str, Sequence[str]]) -> str:
    """Return the numbering with which all collapsed groups have equal outputs.

    Raises InputError, with the number of fitting groups by numbering, if none or several fit.
    """
    lines = {name: lines_by_sentence(judgments, name) for name in NUMBERINGS}
    counts = {name: agreeing_groups(judgments, lines[name], outputs) for name in NUMBERINGS}
    fitting = [name for name, (agree, checked) in counts.items() if agree == checked > 0]
    if fitting and all(lines[name] == lines[fitting[0]] for name in fitting):
        return fitting[0]
    shares = ", ".join(f"{name}: {agree} of {checked}" for name, (agree, checked) in counts.items())
    if not any(checked for _, checked in counts.values()):
        raise InputError(
            "no numbering fits with certainty: it cannot be detected, since no two of the outputs were judged as one",
            path=judgments.path,
            hint=Hint(
                Option("numbering", "0"),
                " counts lines from 0, as in the CSV of NSPT15; ",
                Option("numbering", "1"),
                " from 1",
            ),
        )
    verdict = "several numberings fit" if fitting else "no numbering fits"
    hint = Hint(
        "check that these outputs were judged, or set the numbering: ", Option("numbering", "0"), ", 1 or judged"
    )
    raise InputError(f"{verdict} the system outputs (groups that agree: {shares})", path=judgments.path, hint=hint)
