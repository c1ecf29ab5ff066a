"""Building a corpus: lists, tables and M2 blocks that users give become checked columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias, TypedDict

from geceval._kernel import Text
from geceval.base.arguments import NO_REFERENCE, as_sequence, check_per_sentence, shown, transpose_references
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.text.blank_texts import Blank, BlankTexts, no_line
from geceval.text.columns import (
    AnswerEnd,
    CompleteText,
    Hypothesis,
    HypothesisLike,
    Lines,
    OwnReferences,
    References,
    check_lengths,
    has_edits,
    other_rows,
    select_rows,
    system_column,
    text_of,
)
from geceval.text.frames import FrameColumns, is_frame, plain_values
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Misfits, Overlaps
from geceval.text.m2.headings import described, headings_of
from geceval.text.m2.operations import fitting_blocks, resolve_overlaps
from geceval.text.written_values import warn_of_written_values

# --- checked columns ---


class CorpusColumns(TypedDict, total=False):
    """Columns of a corpus, each with a row for every sentence [S]; see Corpus."""

    source: CompleteText
    own_sources: Mapping[str, CompleteText]
    answer_ends: Mapping[str, Sequence[AnswerEnd]]
    references: tuple[Text, ...]
    systems: Mapping[str, Hypothesis]
    gold: Blocks | None
    labels: Sequence[Any] | None
    index: Sequence[Any] | None


def references_by_owner(
    references: References | OwnReferences,
) -> tuple[list[Sequence[Any]], dict[str, tuple[int, ...]]]:
    """Return the references ``[r][s]`` in one list, and the positions of those that belong to a system alone.

    Args:
        references: References of all systems, or those of each system by its name, with None for all systems.

    Raises:
        InputError: For other nesting.
    """
    if not isinstance(references, Mapping):
        return _reference_rows(references), {}
    rows: list[Sequence[Any]] = _reference_rows(references.get(None, ()))
    positions: dict[str, tuple[int, ...]] = {}
    for owner, texts in references.items():
        if owner is not None:
            rows_of_owner = _rows_of_owner(texts)
            positions[owner] = tuple(range(len(rows), len(rows) + len(rows_of_owner)))
            rows += rows_of_owner
    return rows, {owner: indices for owner, indices in positions.items() if indices}


def sources_by_owner(source: Lines | Mapping[str | None, Lines]) -> tuple[Lines, dict[str, Lines]]:
    """Return the source of gold edits and references, and the sources that belong to a system alone.

    Raises UsageError for sources by system without a common one.
    """
    if not isinstance(source, Mapping):
        return source, {}
    if None not in source:
        hint = "{None: common, …}: gold edits and references belong to the common source"
        raise UsageError("a source that all systems have in common is required", hint=hint)
    return source[None], {name: lines for name, lines in source.items() if name is not None}


def _rows_of_owner(texts: Any) -> list[Sequence[Any]]:
    """Return the references of a system; one may be given without a list around it."""
    lines = as_sequence("references", texts, "reference", dimensions=2)
    is_single = len(lines) > 0 and all(isinstance(line, str) for line in lines)
    return _reference_rows([lines] if is_single else lines)


def checked_columns(
    source: Lines,
    references: References,
    systems: Mapping[str, HypothesisLike],
    gold: Sequence[Block] | None,
    labels: Sequence[Any] | None,
    overlaps: Overlaps | None,
    misfits: Misfits | None,
    own_references: Mapping[str, Sequence[int]],
    own_sources: Mapping[str, Lines],
) -> CorpusColumns:
    """Return the columns of a corpus from the arguments of Corpus. Raises its errors.

    ``own_references``: positions of the references that belong to a system alone; see references_by_owner.
    ``own_sources``: the sources that belong to a system alone.
    """
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
    lengths += [(f"source of {name}", len(text)) for name, text in own_sources.items()]
    lengths += [(f"system {name}", len(output)) for name, output in outputs.items()]
    lengths += [] if labels is None else [("labels", len(labels))]
    _check_nesting(len(lines), rows)
    check_lengths(lengths, noun="sentences")
    texts = tuple([text_of(f"reference {r}", row, optional=True) for r, row in enumerate(rows)])
    hypotheses = {name: system_column(name, output, misfits) for name, output in outputs.items()}
    text = text_of("source", lines)
    check_candidates(texts, hypotheses, own_references, has_gold=gold is not None)
    if len(texts) == len(lines):
        _check_order(text, texts)
    if unknown := [name for name in own_sources if name not in hypotheses]:
        hint = f"the systems: {', '.join(hypotheses) or 'none'}"
        raise InputError(f"there is a source of {unknown[0]}, which is not a system", hint=hint)
    return {
        "source": text,
        "own_sources": {name: text_of(f"source of {name}", lines) for name, lines in own_sources.items()},
        "answer_ends": {},
        "references": texts,
        "systems": hypotheses,
        "gold": blocks,
        "labels": labels,
        "index": None,
    }


def check_indexes(source: Any, references: Any, systems: Any) -> None:
    """Raise InputError for columns of pandas with one index in several orders: texts are read by position."""
    columns: list[tuple[str | int, Any]] = [("source", source)]
    columns += enumerate(references if isinstance(references, list | tuple) else [references])
    columns += systems.items() if isinstance(systems, Mapping) else ()
    indexed = [(name, column.index) for name, column in columns if hasattr(getattr(column, "index", None), "equals")]
    for name, index in indexed[1:]:
        first, expected = indexed[0]
        if len(index) == len(expected) and not index.equals(expected) and set(index) == set(expected):
            label = f"reference {name}" if isinstance(name, int) else name
            message = f"{label} has the index of {first} in another order, and texts are read by position"
            hint = "align the columns with .reindex, or use .to_list() of each if their positions are right"
            raise InputError(message, hint=hint)


def check_candidates(
    texts: Sequence[Text],
    systems: Collection[str],
    own_references: Mapping[str, Sequence[int]],
    *,
    has_gold: bool = False,
) -> None:
    """Check that each system has a reference for each sentence.

    Args:
        texts: The references.
        systems: Names of the systems.
        own_references: Positions of the references that belong to a system alone.
        has_gold: Whether there are gold edits.

    Raises:
        InputError: For a sentence without a reference, for references of a system that does not exist, and if only some
            systems have references.
        UsageError: For references of a system next to gold edits.
    """
    if own_references and has_gold:
        hint = "geceval m2 apply, or geceval.m2.references, makes references from gold edits"
        raise UsageError("references of a single system cannot be combined with gold edits", hint=hint)
    unknown = [owner for owner in own_references if owner not in systems]
    if unknown:
        names = ", ".join(systems) or "none"
        raise InputError(f"there are references of {unknown[0]}, which is not a system", hint=f"the systems: {names}")
    owned = frozenset(position for positions in own_references.values() for position in positions)
    common = [text for position, text in enumerate(texts) if position not in owned]
    candidates: dict[str, list[Text]] = {} if owned else {"": common}
    candidates |= {name: [*common, *[texts[p] for p in own_references.get(name, ())]] for name in systems if owned}
    for name, of_system in candidates.items():
        if owned and not of_system:
            hint = "give references to each system, or references that all systems have in common"
            raise InputError(f"system {name} has no references, and {next(iter(own_references))} has", hint=hint)
        if of_system and not any(text.complete for text in of_system):
            for s, versions in enumerate(zip(*of_system, strict=True)):
                if all(version is None for version in versions):
                    whose = f" of system {name}" if name else ""
                    message = f"sentence {s} (counted from 0) has no reference{whose}"
                    raise InputError(message, hint=NO_REFERENCE, sentence=s)


def select_columns(columns: CorpusColumns, rows: slice | Sequence[int]) -> CorpusColumns:
    """Return the rows of all columns."""
    gold, labels, index = columns["gold"], columns["labels"], columns["index"]
    return {
        "source": select_rows(columns["source"], rows),
        "own_sources": {name: select_rows(text, rows) for name, text in columns["own_sources"].items()},
        "answer_ends": {name: select_rows(ends, rows) for name, ends in columns["answer_ends"].items()},
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
    if len(references) == sentences > 0 and all(len(row) != sentences for row in references):
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

#: Names of columns, or names of systems with their columns.
ColumnNames: TypeAlias = str | Sequence[str] | Mapping[str, str]


@dataclass(frozen=True)
class GivenColumns:
    """Source, references ``[r][s]``, also by system, and systems, with Python values that are not checked yet."""

    source: Sequence[Any]
    references: Sequence[Sequence[Any]] | Mapping[str | None, Sequence[Sequence[Any]]]
    systems: Mapping[str, Any]
    #: Reading of blank cells, which is warned of.
    blank: BlankTexts | None = None

    def warn_of_written_values(self) -> None:
        """Warn of texts that are other values, which a library wrote as text."""
        owned = self.references if isinstance(self.references, Mapping) else {None: self.references}
        columns = [(f"reference {r}", row) for rows in owned.values() for r, row in enumerate(rows)]
        columns += [(f"system {name}", lines) for name, lines in self.systems.items()]
        for name, texts in columns:
            if isinstance(texts, (list, tuple, Text)):
                warn_of_written_values(name, texts, self.source)


def columns_of_lists(
    hypotheses: Any, references: Any, sources: Any, per_sentence: Any, gold: Sequence[Block] | None, blank: Blank | None
) -> GivenColumns:
    """Return the columns of lists, arrays or Series, in which blank texts have a given reading; see Corpus.of.

    Raises:
        UsageError: For a table whose columns are not named, without sources, and for references that are given twice.
        InputError: For references that are not nested by sentence.
    """
    if is_frame(hypotheses):
        raise _columns_required()
    if sources is None and gold is None:
        raise UsageError("sources are required", hint="sources=[…], one sentence per hypothesis")
    if sources is None:
        sources = Blocks.of(gold or (), "gold").source
    source = as_sequence("sources", plain_values(sources))
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"hypothesis": hypotheses}
    check_indexes(sources, references, systems)
    outputs = {name: plain_values(lines) for name, lines in systems.items()}
    references = () if references is None else references
    if per_sentence is not None:
        rows = _transposed(references, plain_values(per_sentence), len(source))
        return _with_readings(GivenColumns(source, rows, outputs), blank, has_nulls=False)
    if isinstance(references, Mapping):
        by_owner = {name: _reference_lists(texts) for name, texts in references.items()}
        return _with_readings(GivenColumns(source, by_owner, outputs), blank)
    return _with_readings(GivenColumns(source, _reference_lists(references), outputs), blank)


def _with_readings(columns: GivenColumns, reading: Blank | None, *, has_nulls: bool = True) -> GivenColumns:
    """Return columns in which blank texts have the given reading; without one, checks of lines report them.

    ``has_nulls``: whether None is a reference that may be blank.
    """
    if reading is None:
        return columns
    read = partial(BlankTexts(reading).read, source=columns.source, is_cell=False, place=no_line)

    def references_of(rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
        named = ((f"reference {r}", row) for r, row in enumerate(rows))
        return [read(name, as_sequence(name, row), has_nulls=has_nulls) for name, row in named]

    owned = columns.references
    references: Any = (
        {owner: references_of(rows) for owner, rows in owned.items()}
        if isinstance(owned, Mapping)
        else references_of(owned)
    )
    systems = {
        name: lines if has_edits(lines) else read(f"system {name}", as_sequence(name, lines), is_system=True)
        for name, lines in columns.systems.items()
    }
    return GivenColumns(columns.source, references, systems)


def _reference_lists(references: Any) -> list[Any]:
    """Return references as ``[r][s]``; one may be given without a list around it, several as a table of columns."""
    if is_frame(references):
        table = FrameColumns(references)
        return [table[name] for name in table.names]
    rows = as_sequence("references", plain_values(references), "reference", dimensions=2)
    rows = [list(row) if isinstance(row, Iterator) else plain_values(row) for row in rows]
    is_nested = all(hasattr(row, "__len__") and not isinstance(row, str) for row in rows)
    return rows if is_nested else [rows]


def columns_of_frame(
    frame: Any, source: str, hypothesis: ColumnNames, references: Any, per_sentence: Any, reading: Blank | None
) -> GivenColumns:
    """Return the columns of a table by their names, with None for missing references; see Corpus.of.

    Raises:
        UsageError: For a column that does not exist, without columns of hypotheses, and for references given twice.
        InputError: For a value that is no table, and for too many blank cells; see BlankTexts.
    """
    blank = BlankTexts(reading)
    columns = _frame_columns(frame, source, hypothesis, references, per_sentence, blank)
    blank.check()
    return replace(columns, blank=blank)


def _frame_columns(
    frame: Any, source: str, hypothesis: ColumnNames, references: Any, per_sentence: Any, blank: BlankTexts
) -> GivenColumns:
    """Return the columns of a table; ``blank`` reads blank cells."""
    systems = hypothesis if isinstance(hypothesis, Mapping) else _by_title(_names("hypothesis", hypothesis))
    if not len(systems):
        raise _columns_required()
    references = () if references is None else references
    table = FrameColumns(frame)
    lines = table[source]
    if isinstance(frame, Mapping) and source in frame:
        check_indexes(frame[source], (), frame)
    read = partial(blank.read, source=lines, is_cell=True, place=no_line)
    outputs = {title: read(f"column {name}", table[name], is_system=True) for title, name in systems.items()}
    if per_sentence is not None:
        lists = [plain_values(cell) for cell in table[per_sentence]]
        if not all(isinstance(cell, str) for cell in lists):  # a text next to lists is a list of one
            lists = [[cell] if isinstance(cell, str) else cell for cell in lists]
        rows = _transposed(references, lists, len(lines))
        name = f"column {per_sentence}"
        return GivenColumns(lines, [read(name, row, has_nulls=False) for row in rows], outputs)

    def texts_of(names: Any) -> list[Sequence[Any]]:
        return [read(f"column {name}", table[name]) for name in _names("references", names)]

    if isinstance(references, Mapping):
        return GivenColumns(lines, {owner: texts_of(names) for owner, names in references.items()}, outputs)
    return GivenColumns(lines, texts_of(references), outputs)


def _columns_required() -> UsageError:
    return UsageError("the columns of the table are required", hint='source="…", hypothesis="…", references=[…]')


def _transposed(references: Sequence[Any], per_sentence: Any, sentences: int) -> list[list[Any]]:
    """Return the references of each sentence, ``per_sentence[s][r]``, as ``[r][s]``."""
    if len(references):
        raise UsageError("references and per_sentence cannot be combined")
    per_sentence = as_sequence("per_sentence", per_sentence, "list", dimensions=2)
    check_per_sentence("per_sentence", per_sentence, sentences)
    return transpose_references(per_sentence)


def _by_title(names: Sequence[Any]) -> dict[str, Any]:
    """Return the names of columns by the names of systems; pandas numbers the columns of a file without header."""
    return {name if isinstance(name, str) else str(name): name for name in names}


def _names(argument: str, columns: str | Sequence[str]) -> Sequence[str]:
    return [columns] if isinstance(columns, str) else as_sequence(argument, columns, "column")
