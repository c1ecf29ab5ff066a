"""``geceval m2 diff``: compare two annotations of a text, edit by edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from geceval.base.arguments import PLACES, choices, counted
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.commands.m2.m2_options import Annotators, Files
from geceval.commands.shared.corpus_options import (
    BlankOption,
    CorpusOptions,
    FileOptions,
    IdOption,
    LanguageOptions,
    MisfitsOption,
    RawTextOptions,
    TableOptions,
)
from geceval.commands.shared.corrected_texts import read_corrections, warn_of_corrections
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import DATA
from geceval.commands.shared.option_values import changed, check_whole, flag
from geceval.commands.shared.options import Digits, TargetOption, TypeNamesOption, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.counting.checks.blank_corrections import warn_of_blocks
from geceval.counting.metric import Outcome
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.m2_annotation import annotate, corrected_rows
from geceval.edits.type_names import TypeNames, type_name
from geceval.results.marked_edits import Marks, marked, segments, visible
from geceval.tables.report import Block, Report
from geceval.tables.table import ReportTable, TableCell, TableColumn, TableRow, plain_table, table_columns
from geceval.tables.views import HangingLines, ViewPart
from geceval.terminal.messages import note
from geceval.terminal.progress import reading
from geceval.text.files import check_standard_input, display_name, unpacked_name
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.doubtful_edits import warn_of_doubtful_edits
from geceval.text.m2.edit import Edit
from geceval.text.m2.m2_statistics import Diff, DiffRow, Where, diff
from geceval.text.reading.input_tables import column_names

#: Sign and colour of each outcome, with the second annotation as the reference: correct edits are in both annotations,
#: wrong ones only in the first, missed ones only in the second. Edits in both with different types have no outcome.
MARKS: Marks = {"correct": ("=", "green"), "wrong": ("<", "red"), "missed": (">", "blue"), None: ("~", "yellow")}
_ALONE: dict[Where, Outcome | None] = {"one": "wrong", "other": "missed", "both": None}
#: Explanations of the figures, in the first sheet of a workbook.
_MEANINGS = (
    "An edit is a change of words. It is in both if both correctors change the same words in the same way.",
    "F1 of edits: share of the edits on which the correctors agree, from 0 to 100.",
    "F1 of spans: the same, whatever the words that replace them.",
    "kappa: agreement on which words are wrong, corrected for chance: 1 is full agreement, 0 is chance.",
    "The next sheet has the edits that differ, the last one has the sentences.",
)
#: Keys of edits in JSON. Sentences are counted from 1, ``in`` contains the annotations with the edit, and ``types`` its
#: type in each.
_KEYS = ("sentence", "annotators", "start", "end", "source", "correction", "in", "types")


@written_as(
    "text", "csv", "tsv", "json", help="text: sentences and tables; csv, tsv: a row per edit; .xlsx: tables and edits"
)
class DiffOutput(TargetOption):
    """The output."""

    show_types: bool = False
    """show the types of all edits, not only where they differ"""
    totals: bool = False
    """print the tables without the sentences"""
    type_names: TypeNamesOption = "codes"
    digits: Digits = 2


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class DiffRequest:
    """The annotators or correctors, and the output."""

    output: DiffOutput = DiffOutput()
    source: Annotated[str | None, Parameter(alias=("-s", "--src"), metavar="FILE")] = None
    """sentences of the corrections in a table (default: its column)"""
    table: TableOptions = TableOptions()
    blank: BlankOption = None
    id: IdOption = ()
    raw: RawTextOptions = RawTextOptions()
    language: LanguageOptions = LanguageOptions()
    annotators: Annotators = ()
    """annotators to compare: one of each file (default: all with the same number, or the only one of each file, or the
    two of one file)"""
    misfits: MisfitsOption = "error"

    def corpus_options(self) -> CorpusOptions:
        """Return the options of two corrections in a table."""
        files = FileOptions.of_source(self.source, blank=self.blank, id=self.id)
        return CorpusOptions(files=files, table=self.table, raw=self.raw, language=self.language)

    def __post_init__(self) -> None:
        self.corpus_options()
        check_whole(self, annotators=PLACES)
        if len(self.annotators) > 2:
            raise UsageError(f"one or two annotators are required, not {len(self.annotators)}")


def diff_annotations(files: Files = (), /, *, request: DiffRequest = DiffRequest()) -> None:
    """Write the differences; the exit status is 1 if there is a difference.

    Examples:
      geceval m2 diff anna.m2 ben.m2
      geceval m2 diff gold.m2 --annotators 0,1 --totals
      geceval m2 diff old.m2 new.m2 -f tsv | cut -f 1,4-6
      geceval m2 diff -i sheet.xlsx --source-column B --reference-column C D --totals
      geceval m2 diff -i sheet.xlsx --reference-column Anna Ben -o agreement.xlsx

    Edits: {are→is =} in both, {the→a <} in the first only, {+of >} in the second
    only, {go→goes ~} in both with different types. Exit status: 0 no difference,
    1 a difference.
    """
    if request.table.input:
        differences, names = _diff_of_table(files, request)
    else:
        differences, names = _diff_of_files(files, request)
    report = m2_diff_report(
        differences,
        names,
        sentences=not request.output.totals,
        types=request.output.show_types,
        type_names=request.output.type_names,
    )
    write_report(report, request.output, request.output.digits)
    if request.output.target not in (None, "-"):
        number = len(differences) - differences.alike
        verb = "differs" if number == 1 else "differ"
        note(f"{request.output.target}: {number} of {counted(len(differences), 'sentence')} {verb}")
    if not differences.is_equal:
        raise SystemExit(1)


def _diff_of_table(files: Sequence[str], request: DiffRequest) -> tuple[Diff, list[str]]:
    """Return the differences between the edits of two corrections in a table, and the names of the corrections."""
    if files or request.annotators:
        raise UsageError("-i compares two corrections of a table, without M2 files and --annotators")
    inputs = CorpusInputs(request.corpus_options(), counts_words=True)
    extractor = Extractor(make_annotator(inputs.language.annotator))
    corpus, names = read_corrections(inputs, extractor)
    if len(names) != 2:
        hint = Hint(Option("reference_column", "COL COL"), f", two of {choices(column_names(inputs.tables))}")
        raise UsageError(f"two corrections are compared, not {len(names)}", hint=hint)
    warn_of_corrections(inputs, corpus, names)
    blocks = Blocks.of(list(annotate(extractor, list(corrected_rows(corpus.source, corpus.references)))))
    return diff(blocks, blocks, (0, 1), request.misfits), names


def _diff_of_files(files: Sequence[str], request: DiffRequest) -> tuple[Diff, list[str]]:
    """Return the differences between annotators in M2 files, and the names of their annotations."""
    if not files:
        hint = Hint("two M2 files, or ", Option("table", "TABLE"), " with two corrections")
        raise UsageError("two annotations are required", hint=hint)
    if names := list(changed(request.corpus_options())):
        hint = Hint("it applies to two corrections in a table: ", Option("table", "TABLE"))
        raise UsageError(f"{flag(names[0])} has no effect with M2 files", hint=hint)
    check_standard_input(files)
    if len(files) > 2:
        raise UsageError(f"one or two files are required, not {len(files)}")
    if len(request.annotators) == len(files) == 1:
        raise UsageError("one file requires two annotators", hint="--annotators 0,1")
    with reading(files):
        first = Blocks.read(files[0])
        second = first if len(files) == 1 else Blocks.read(files[1])
        for path, blocks in zip(files, (first, second), strict=False):
            warn_of_blocks(blocks, display_name(path))
            warn_of_doubtful_edits(blocks, display_name(path))
        differences = diff(first, second, _compared_annotators(files, request.annotators, first), request.misfits)
    return differences, _names(files, differences.pairs[0])


def stem(path: str) -> str:
    """Return the name of a file without folder and endings: gold of data/gold.m2.gz."""
    name = "part" if path == "-" else Path(path).name
    return unpacked_name(name).removesuffix(".m2") or "part"


def _names(paths: Sequence[str], annotators: Sequence[int]) -> list[str]:
    """Return the names of the two annotations."""
    if len(paths) == 1:
        return [f"{stem(paths[0])}:{annotator}" for annotator in annotators]
    names = [stem(path) for path in paths]
    return names if names[0] != names[1] else [display_name(path) for path in paths]


def _compared_annotators(files: Sequence[str], annotators: Sequence[int], blocks: Blocks) -> tuple[int, int] | None:
    """Return the annotators to compare; None for the default of two files."""
    if annotators:
        return annotators[0], annotators[-1]
    if len(files) == 2:
        return None
    available = blocks.annotators
    if len(available) != 2:
        known = choices(available) or "none"
        raise UsageError(f"two annotators are required; {files[0]} has {known}", hint="--annotators ID,ID")
    return available[0], available[1]


def m2_diff_report(diff: Diff, names: Sequence[str], *, sentences: bool, types: bool, type_names: TypeNames) -> Report:
    """Return the differences of two annotations.

    CSV and JSON have all edits of both annotations.

    Args:
        diff: The differences.
        names: Names of the two annotations.
        sentences: Show the sentences with differences, above the tables.
        types: Show the types of all edits, not only of retyped ones.
        type_names: Names of types, except in JSON.
    """
    return Report(
        "geceval/m2-diff@1",
        lambda: _document(diff, names),
        lambda: [_edit_table(diff, type_names)],
        view=lambda digits, terminal: _view(diff, names, sentences, types, type_names, terminal),
        sheets=lambda: _sheets(diff, names, type_names),
    )


def _sheets(diff: Diff, names: Sequence[str], type_names: TypeNames) -> dict[str, list[Block]]:
    """Return the sheets of a workbook: the agreement for readers, edits that differ, and sentences."""
    explanation = plain_table(["how to read the figures"], [[line] for line in _MEANINGS])
    differing = [row for row in _edit_rows(diff, names, type_names) if row[-1] != "both"]
    heads = ["sentence", "source", "words", *names, "type", "in"]
    texts = zip(diff.one.source, *(blocks.version(who) for blocks, who in _annotations(diff)), strict=True)
    sentences: list[TableRow] = [[number, *map(str, row)] for number, row in enumerate(texts, 1)]
    return {
        "agreement": [_summary(diff, names), _types(diff, names, type_names), explanation],
        "edits that differ": [plain_table(heads, differing)],
        "sentences": [plain_table(["sentence", "source", *names], sentences)],
    }


def _annotations(diff: Diff) -> Iterator[tuple[Blocks, int]]:
    """Yield the blocks and the number of the two annotators."""
    yield from zip((diff.one, diff.other), diff.pairs[0], strict=True)


def _edit_rows(diff: Diff, names: Sequence[str], type_names: TypeNames) -> Iterator[list[Any]]:
    """Yield sentence, source, the words of each edit, their two corrections, its type, and who made it."""
    source = diff.one.source
    for sentence, _, _, _, text, correction, where, types in _edits(diff):
        corrections = [correction if side in where else "" for side in (1, 2)]
        type_ = " / ".join(dict.fromkeys(type_name(name, type_names) for name in types if name is not None))
        who = "both" if types[0] == types[1] else " and ".join(names[side - 1] for side in where)
        yield [sentence, str(source[sentence - 1]), text, *corrections, type_, who]


def _view(
    diff: Diff, names: Sequence[str], sentences: bool, types: bool, type_names: TypeNames, terminal: bool
) -> Iterator[ViewPart]:
    if sentences and not diff.is_equal:
        source, visible_names = diff.one.source, [*map(visible, names)]
        for (s, pair), rows in groupby(diff.rows(all=True), lambda row: row[:2]):
            edits = list(rows)
            if all(row.is_same for row in edits):
                continue
            yield [(f"{s + 1}{_who(diff, pair)}", "bold")]
            tokens = str(source[s]).split()
            yield HangingLines(
                [
                    (name, marked(segments(tokens, lane), types=True, terminal=terminal, marks=MARKS))
                    for side, name in enumerate(visible_names)
                    for lane in _lanes([row for row in edits if row.types[side] is not None], side, types, type_names)
                ]
            )
            yield ""
        legend = f"= in both   < only in {names[0]}   > only in {names[1]}   ~ in both, with another type"
        yield [(visible(legend), "dim")]
        yield ""
    for table in (_summary(diff, names), _types(diff, names, type_names)):
        if table.rows:
            yield table
            yield ""


def _lanes(
    rows: Iterable[DiffRow], side: int, types: bool, type_names: TypeNames
) -> list[list[tuple[Edit, Outcome | None]]]:
    """Return the edits of one annotation in lanes without overlaps, at least one.

    Types are included where they differ, or for all edits with ``types``.
    """
    lanes: list[list[tuple[Edit, Outcome | None]]] = [[]]
    for row in rows:
        outcome: Outcome | None = "correct" if row.is_same else _ALONE[row.where]
        type_ = row.types[side] if types or (row.where == "both" and not row.is_same) else ""
        lane = next((lane for lane in lanes if not lane or lane[-1][0].end <= row.start), None)
        if lane is None:
            lanes.append(lane := [])
        lane.append((Edit(row.start, row.end, type_name(type_ or "", type_names), (row.correction,)), outcome))
    return lanes


def _summary(diff: Diff, names: Sequence[str]) -> ReportTable:
    """Return a row for each figure."""
    rows: list[TableRow] = [
        ["sentences", len(diff)],
        ["  with the same edits", diff.alike],
        [f"edits in {names[0]}", diff.edits[0]],
        [f"edits in {names[1]}", diff.edits[1]],
        ["edits in both", diff.shared],
        ["  with another type", diff.retyped],
        ["F1 of edits", TableCell(diff.f1, percent=True)],
        ["F1 of spans", TableCell(diff.spans_f1, percent=True)],
        ["kappa of wrong tokens", diff.kappa],
    ]
    notes = [
        f"{name}: no line in {counted(count, 'sentence')}, read as no edit"
        for name, count in zip(names, diff.absent, strict=True)
        if count
    ]
    return ReportTable([TableColumn(""), TableColumn("figure", "score", missing="-")], rows, notes)


def _types(diff: Diff, names: Sequence[str], type_names: TypeNames) -> ReportTable:
    counts = table_columns("count", *names, "in both")
    columns = [TableColumn("type"), *counts, TableColumn("F1", "score", percent=True)]
    rows: list[TableRow] = [
        [type_name(name, type_names), *row.edits, row.both, row.f1] for name, row in diff.types.items()
    ]
    return ReportTable(columns, rows)


def _who(diff: Diff, pair: int) -> str:
    """Return the annotators of a pair as text; empty if each file has one annotator."""
    if len(diff.pairs) == 1:
        return ""
    first, second = diff.pairs[pair]
    return f", annotator {first}" if first == second else f", annotators {first} and {second}"


def _edits(diff: Diff) -> Iterator[tuple[Any, ...]]:
    """Yield the values of each edit of the two annotations."""
    source, sides = diff.one.source, {"one": [1], "other": [2], "both": [1, 2]}
    for sentence, rows in groupby(diff.rows(all=True), lambda row: row.sentence):
        tokens = str(source[sentence]).split()
        for row in rows:
            text = " ".join(tokens[row.start : row.end])
            span = row.start, row.end, text, row.correction
            yield sentence + 1, diff.pairs[row.pair], *span, sides[row.where], row.types


def _edit_table(diff: Diff, type_names: TypeNames) -> ReportTable:
    rows = [
        [
            sentence,
            "{}:{}".format(*pair),
            *span,
            "both" if len(where) == 2 else where[0],
            *(None if name is None else type_name(name, type_names) for name in types),
        ]
        for sentence, pair, *span, where, types in _edits(diff)
    ]
    heads = ["sentence", "annotators", "start", "end", "source", "correction", "in", "type_1", "type_2"]
    return plain_table(heads, rows)


def _document(diff: Diff, names: Sequence[str]) -> dict[str, Any]:
    figures = ("edits", "shared", "retyped", "absent", "f1", "spans_f1", "kappa")
    return {
        "files": names,
        "annotators": diff.pairs,
        "equal": diff.is_equal,
        "sentences": len(diff),
        "alike": diff.alike,
        **{name: getattr(diff, name) for name in figures},
        "types": {name: {"edits": row.edits, "both": row.both, "f1": row.f1} for name, row in diff.types.items()},
        "rows": [dict(zip(_KEYS, edit, strict=True)) for edit in _edits(diff)],
    }
