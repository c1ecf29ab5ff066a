"""Building a corpus: lists, tables and M2 blocks that users give become checked columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from geceval._kernel import Text
from geceval.base.arguments import (
    NO_REFERENCE,
    as_sequence,
    check_per_sentence,
    shown,
    transpose_references,
)
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.text.columns import (
    CompleteText,
    Hypothesis,
    HypothesisLike,
    Lines,
    References,
    check_lengths,
    select_rows,
    system_column,
    text_of,
)
from geceval.text.frames import FrameColumns, is_frame, plain_values
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Misfits, Overlaps
from geceval.text.m2.headings import described, headings_of
from geceval.text.m2.operations import fitting_blocks, resolve_overlaps
from geceval.text.missing_references import given_references, number_of_blank, warn_of_blank_references

# --- checked columns ---


class CorpusColumns(TypedDict, total=False):
    """Columns of a corpus, each with a row for every sentence [S]; see Corpus."""

    source: CompleteText
    references: tuple[Text, ...]
    systems: Mapping[str, Hypothesis]
    gold: Blocks | None
    labels: Sequence[Any] | None
    index: Sequence[Any] | None


def checked_columns(
    source: Lines,
    references: References,
    systems: Mapping[str, HypothesisLike],
    gold: Sequence[Block] | None,
    labels: Sequence[Any] | None,
    overlaps: Overlaps | None,
    misfits: Misfits | None,
) -> CorpusColumns:
    """Return the columns of a corpus from the arguments of Corpus. Raises its errors."""
    lines = as_sequence("source", source)
    rows = _reference_rows(references)
    outputs = {name: as_sequence(f"system {name}", output) for name, output in _by_name(systems)}
    blocks = None if gold is None else fitting_blocks(Blocks.of(gold, "gold"), misfits)
    if blocks is not None and overlaps is not None:
        blocks = resolve_overlaps(blocks, overlaps)
    labels = None if labels is None else as_sequence("labels", labels, "label")
    lengths = [("source", len(lines))]
    lengths += [(f"reference {r}", len(row)) for r, row in enumerate(rows)]
    lengths += [] if blocks is None else [("gold", len(blocks))]
    lengths += [(f"system {name}", len(output)) for name, output in outputs.items()]
    lengths += [] if labels is None else [("labels", len(labels))]
    _check_nesting(len(lines), rows)
    check_lengths(lengths, noun="sentences")
    texts = tuple([text_of(f"reference {r}", row, optional=True) for r, row in enumerate(rows)])
    hypotheses = {name: system_column(name, output, misfits) for name, output in outputs.items()}
    text = text_of("source", lines)
    if not all(text.complete for text in texts):
        for s, versions in enumerate(zip(*texts, strict=True)):
            if all(version is None for version in versions):
                raise InputError(f"sentence {s} (counted from 0) has no reference", hint=NO_REFERENCE, sentence=s)
    if len(texts) == len(lines):
        _check_order(text, texts)
    return {"source": text, "references": texts, "systems": hypotheses, "gold": blocks, "labels": labels, "index": None}


def select_columns(columns: CorpusColumns, rows: slice | Sequence[int]) -> CorpusColumns:
    """Return the rows of all columns."""
    gold, labels, index = columns["gold"], columns["labels"], columns["index"]
    return {
        "source": select_rows(columns["source"], rows),
        "references": tuple([select_rows(reference, rows) for reference in columns["references"]]),
        "systems": {name: select_rows(system, rows) for name, system in columns["systems"].items()},
        "gold": None if gold is None else select_rows(gold, rows),
        "labels": None if labels is None else select_rows(labels, rows),
        "index": None if index is None else select_rows(index, rows),
    }


def without_headings(columns: CorpusColumns) -> CorpusColumns:
    """Return the rows whose block of gold edits is no heading of a document, and warn of those that are left out.

    If all blocks are headings, all rows are returned.
    """
    gold = columns["gold"]
    headings = [] if gold is None else headings_of(gold)
    if gold is None or not 0 < len(headings) < len(gold):
        return columns
    warn(f"left out: {described(gold, headings)}")
    return select_columns(columns, other_rows(len(gold), headings))


def other_rows(number: int, left_out: Collection[int]) -> list[int]:
    """Return the rows of a table with that number of rows, without those that are left out."""
    excluded = frozenset(left_out)
    return [row for row in range(number) if row not in excluded]


_TURNED = "references = list(zip(*references)) exchanges sentences and references"
_NESTING = "references must be a list of references, each a list of sentences: references[r][s]"


def _reference_rows(references: References) -> list[Sequence[Any]]:
    """Return the references, each with its sentences.

    Raises InputError for other nesting.
    """
    rows = as_sequence("references", references, "reference", dimensions=2)
    if any(isinstance(row, str) for row in rows):
        raise InputError(_NESTING, hint="for one reference write [reference]")
    return [as_sequence(f"reference {r}", row) for r, row in enumerate(rows)]


def _by_name(systems: Mapping[str, HypothesisLike]) -> list[tuple[str, HypothesisLike]]:
    """Return the systems with their names.

    A table of columns, such as a DataFrame, is accepted as a mapping.
    """
    if not hasattr(systems, "keys"):
        raise InputError(
            f"systems must be a mapping from names to sentences, not {shown(systems)}", hint='write {"name": sentences}'
        )
    names = list(systems.keys())
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"the name of a system must be text, not {shown(name)}")
        if "\0" in name:
            raise InputError(f"the name of a system must not contain NUL: {shown(name)}")
    return [(name, systems[name]) for name in names]


def _check_nesting(sentences: int, references: References) -> None:
    """Raise InputError if the lengths of references show ``references[s][r]``."""
    if len(references) == sentences and all(len(row) != sentences for row in references):
        message = "references must be nested by reference, references[r][s], not by sentence, references[s][r]"
        raise InputError(message, hint=_TURNED)


def _check_order(source: Lines, references: References) -> None:
    """Raise InputError if references are given as references[s][r].

    Only a corpus with as many references as sentences is ambiguous. Its words decide: transposed, every reference
    shares four words and at least half of the words with its sentence; as given, they share at most a quarter as many.
    """
    words = [frozenset(line.split()) for line in source]
    pairs = [(s, r) for s in range(len(words)) for r in range(len(words)) if s != r]
    same = transposed = 0
    for s, r in pairs:
        words_in_common = words[s].intersection((references[s][r] or "").split())
        if len(words_in_common) < max(4, len(words[s]) / 2):
            return
        transposed += len(words_in_common)
        same += len(words[s].intersection((references[r][s] or "").split()))
    if pairs and 4 * same <= transposed:
        message = "references are nested the wrong way round: references[s][r] resemble the sentences s, not r"
        raise InputError(message, hint=_TURNED)


# --- input of Corpus.of ---


@dataclass(frozen=True)
class GivenColumns:
    """Source, references ``[r][s]`` and systems, with Python values that are not checked yet."""

    source: Sequence[Any]
    references: Sequence[Sequence[Any]]
    systems: Mapping[str, Any]


def columns_of_lists(
    hypotheses: Any, references: Any, sources: Any, per_sentence: Any, gold: Sequence[Block] | None
) -> GivenColumns:
    """Return the columns of lists, arrays or Series; see Corpus.of.

    Raises:
        UsageError: for a table whose columns are not named, without sources, and for references that are given twice.
        InputError: for references that are not nested by sentence.
    """
    if is_frame(hypotheses):
        raise _columns_required()
    if sources is None and gold is None:
        raise UsageError("sources are required", hint="sources=[…], one sentence per hypothesis")
    if sources is None:
        sources = Blocks.of(gold or (), "gold").source
    source = as_sequence("sources", plain_values(sources))
    rows = as_sequence("references", plain_values(references), "reference", dimensions=2)
    rows = [plain_values(row) for row in rows]
    if len(rows) and not all(hasattr(row, "__len__") and not isinstance(row, str) for row in rows):
        rows = [rows]
    if per_sentence is not None:
        rows = _transposed(rows, per_sentence, len(source))
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"hypothesis": hypotheses}
    return GivenColumns(source, rows, {name: plain_values(lines) for name, lines in systems.items()})


def columns_of_frame(
    frame: Any, source: str, hypothesis: str | Sequence[str], references: Any, per_sentence: Any
) -> GivenColumns:
    """Return the columns of a table by their names, with None for missing references; see Corpus.of.

    Raises:
        UsageError: for a column that does not exist, without columns of hypotheses, and for references given twice.
        InputError: for a value that is no table.
    """
    systems = _names("hypothesis", hypothesis)
    if not len(systems):
        raise _columns_required()
    table = FrameColumns(frame)
    lines, outputs = table[source], {name: table[name] for name in systems}
    names = _names("references", references)
    rows: Sequence[Sequence[Any]] = [table[name] for name in names]
    titles = [f"column {name}" for name in names]
    if per_sentence is not None:
        lists = [plain_values(cell) for cell in table[per_sentence]]
        if not all(isinstance(cell, str) for cell in lists):  # a text beside lists is a list of one
            lists = [[cell] if isinstance(cell, str) else cell for cell in lists]
        rows = _transposed(rows, lists, len(lines))
        titles = [f"reference {r}" for r in range(len(rows))]
    texts = [given_references(row, lines) for row in rows]
    for title, cells, text in zip(titles, rows, texts, strict=True):
        warn_of_blank_references(title, number_of_blank(cells, text), len(lines))
    return GivenColumns(lines, texts, outputs)


def _columns_required() -> UsageError:
    return UsageError("the columns of the table are required", hint='source="…", hypothesis="…", references=[…]')


def _transposed(references: Sequence[Any], per_sentence: Any, sentences: int) -> list[list[Any]]:
    """Return the references of each sentence, ``per_sentence[s][r]``, as ``[r][s]``."""
    if len(references):
        raise UsageError("references and per_sentence cannot be combined")
    per_sentence = as_sequence("per_sentence", per_sentence, "list", dimensions=2)
    check_per_sentence("per_sentence", per_sentence, sentences)
    return transpose_references(per_sentence)


def _names(argument: str, columns: str | Sequence[str]) -> Sequence[str]:
    return [columns] if isinstance(columns, str) else as_sequence(argument, columns, "column")
