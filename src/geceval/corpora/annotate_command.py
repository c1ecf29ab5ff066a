"""``geceval annotate``: extract the edits of corrected text, as M2 or as tables of chunks.

A table has the chunks of a sentence: source, corrections and references.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, cast

from cyclopts import Group, Parameter

from geceval._kernel import Text
from geceval.base.arguments import COUNT, PLACES, THREADS
from geceval.base.errors import UsageError
from geceval.cli.corpus_options import (
    GoldEditsOption,
    LanguageOptions,
    MisfitsOption,
    OverlapsOption,
    RawTextOptions,
)
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import DATA, OUTPUT, TEXT, Checks, TargetOption, Threads, changed, check_whole, flag
from geceval.cli.output import Steps, advancing, note, note_cleaned, progress, terminal_width, warn_of, writing
from geceval.counting.breakdown import evidence_of
from geceval.counting.checks.check import check
from geceval.counting.counts import Evidence
from geceval.counting.evaluate import kept_counts
from geceval.counting.metric import Metric
from geceval.counting.metric_names import make_metric
from geceval.edits.annotation import Merging
from geceval.edits.changes import Chunks, ChunkTexts
from geceval.edits.extraction import Extractor, check_corrections
from geceval.edits.extraction import annotate as annotated
from geceval.edits.languages import make_annotator
from geceval.tables.report import json_of_many
from geceval.tables.table import ReportTable, plain_table
from geceval.tables.terminal import as_text
from geceval.text.columns import CompleteText, complete_text
from geceval.text.corpus import Corpus
from geceval.text.files import display_name, is_m2, systems_of
from geceval.text.line_rules import CleanedLines, LineRules
from geceval.text.m2.edit import NO_ANSWER, NO_ERROR
from geceval.text.m2.m2_files import write
from geceval.text.m2.m2_json import WRITERS
from geceval.text.m2.operations import cherrant_blocks
from geceval.text.reading.corpus_files import CorpusFiles, read_lines_together

#: Mark of a changed cell, and sign for empty text.
CHANGED, NOTHING = " *", "∅"

#: Short names of the classes, in the order of cleme.COLUMNS.
CLASSES = ("TP", "FP necessary", "FP unnecessary", "FN", "TN")


@dataclass(frozen=True)
class ChunkCell:
    """The text of a chunk in one version."""

    text: str
    changed: bool

    def __str__(self) -> str:
        return (self.text or NOTHING) + CHANGED if self.changed else self.text


@dataclass(frozen=True)
class ChunkRow:
    """A chunk of the source tokens start..end, with its class for each reference."""

    start: int
    end: int
    source: str
    hypothesis: ChunkCell
    references: list[ChunkCell]
    classes: list[str]


@dataclass(frozen=True)
class ChunkedSentence:
    """The chunks of a sentence in several versions.

    Attributes:
        number: Number of the sentence, from 1.
        system: System that is compared with references; None if all versions are corrections.
        columns: Names of the versions.
        classes: Number of classes of each chunk that are shown.
        rows: The chunks.
    """

    number: int
    system: str | None
    columns: tuple[str, ...]
    classes: int
    rows: list[ChunkRow]

    def only_changed(self) -> ChunkedSentence:
        """Return the sentence without the chunks that no version changes."""
        return replace(self, rows=[row for row in self.rows if any(cell.changed for cell in self._cells(row))])

    def _cells(self, row: ChunkRow) -> list[ChunkCell]:
        return [row.hypothesis, *row.references][: len(self.columns)]

    def table(self) -> ReportTable:
        """Return a row for each chunk."""
        classes = ["class"] if self.classes == 1 else [f"class {r}" for r in range(self.classes)]
        cells = [
            [f"{row.start}-{row.end}", row.source, *map(str, self._cells(row)), *row.classes[: self.classes]]
            for row in self.rows
        ]
        return plain_table(["tokens", "source", *self.columns, *classes], cells, [f"sentence {self.number}"])

    def to_document(self) -> dict[str, Any]:
        """Return the sentence as JSON values."""
        if self.system is not None:
            return {"system": self.system, "sentence": self.number, "chunks": self.rows}
        chunks = [
            {"start": row.start, "end": row.end, "source": row.source, "corrections": self._cells(row)}
            for row in self.rows
        ]
        return {"sentence": self.number, "corrections": self.columns, "chunks": chunks}


#: Number of sentences whose chunks are in memory at once.
PART = 1000


def compared_chunks(corpus: Corpus, metric: Metric[Any], threads: int = 0) -> Iterator[ChunkedSentence]:
    """Yield the chunks of each system and sentence, with their classes, in parts.

    Without references, a sentence is yielded once, with all systems side by side.

    Args:
        corpus: The corpus.
        metric: CLEME without weights.
        threads: Number of threads, 0: all processors.

    Raises:
        UsageError: If there are no references and a system is M2.
    """
    parts = corpus.parts(PART)
    if corpus.references or corpus.gold is not None:
        return chain.from_iterable(_chunked_sentences(part, metric, threads) for part in parts)
    for name in corpus.system_names:
        if name in corpus.m2_systems:
            raise UsageError(f"the corrections {name} are M2", hint="-r or --gold compares M2 with references")
    return chain.from_iterable(_side_by_side(part, metric, threads) for part in parts)


def _side_by_side(corpus: Corpus, metric: Metric[Any], threads: int) -> Iterator[ChunkedSentence]:
    # CLEME requires a reference: the other corrections, or the only correction.
    names, texts = zip(*corpus.systems.items(), strict=True)
    corrections = Corpus(corpus.source, texts[1:] or texts, {names[0]: texts[0]})
    presence = metric.prepare(corrections, threads).versions.present
    sentences = zip(_chunked_sentences(corrections, metric, threads), presence, strict=True)
    for s, (sentence, is_present) in enumerate(sentences):
        other_names = tuple(name for name, present in zip(names[1:], is_present, strict=False) if present)
        yield replace(sentence, number=corpus.place(s) + 1, system=None, columns=(names[0], *other_names), classes=0)


def _chunked_sentences(corpus: Corpus, metric: Metric[Any], threads: int) -> Iterator[ChunkedSentence]:
    prepared = metric.prepare(corpus, threads)
    for name, counts in kept_counts(corpus, metric, evidence=True, threads=threads).items():
        system = corpus.systems[name]
        sentences = chunk_rows(prepared.chunks(system, threads), prepared.texts(system, threads), evidence_of(counts))
        for s, rows in enumerate(sentences):
            references = len(rows[0].references) if rows else 0
            columns = (name, *(f"reference {r}" for r in range(references)))
            classes = 1 if metric.settings["assumption"] == "independent" else references
            yield ChunkedSentence(corpus.place(s) + 1, name, columns, classes, rows)


def chunk_rows(chunks: Chunks, texts: ChunkTexts, evidence: Evidence) -> Iterator[list[ChunkRow]]:
    """Yield the chunks of each sentence, without references that do not count.

    ``evidence`` has a row for each chunk and reference, in this order, as CLEME without weights returns it.
    """
    classes = iter(evidence.column.tolist())
    for s, present in enumerate(chunks.present):
        versions = [0, *(present.nonzero()[0] + 1).tolist()]
        rows = []
        for c in range(chunks.offsets[s], chunks.offsets[s + 1]):
            version_texts = [texts.strings[index] for index in texts.text[c, versions]]
            system, *references = map(ChunkCell, version_texts, chunks.changed[c, versions].tolist())
            class_names = [CLASSES[next(classes)] for _ in references]
            source = texts.strings[texts.source[c]]
            rows.append(ChunkRow(int(chunks.start[c]), int(chunks.end[c]), source, system, references, class_names))
        yield rows


EDITS = Group.create_ordered("edits", sort_key=2)
CHUNKS = Group.create_ordered("chunks (-f chunks, -f json)", sort_key=2)
#: Formats of edits.
EDIT_FORMATS = ("m2", "spans", "languagetool", "csv", "tsv")
FORMATS = (*EDIT_FORMATS, "chunks", "json")


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class AnnotatedFiles:
    """Options of the source and its corrections."""

    source: Annotated[str | None, Parameter(alias=("-s", "--src"), metavar="FILE")] = None
    """sentences with errors, one per line"""
    corrections: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="FILE")]
    """corrected sentences, one file per annotator"""


@Parameter(name="*", group=EDITS)
@dataclass(frozen=True, kw_only=True)
class ExtractionOptions:
    """Options of M2."""

    merging: Merging = "rules"
    """merging of adjacent operations"""
    lev: bool = False
    """align by plain Levenshtein distance"""
    dialect: Literal["errant", "cherrant"] = "errant"
    """dialect of the output; cherrant has T lines and the types M, R, S, W"""


@Parameter(name="*", group=CHUNKS)
@dataclass(frozen=True, kw_only=True)
class ChunkOptions:
    """Options of CLEME's chunks."""

    references: Annotated[tuple[str, ...], Parameter(alias=("-r", "--ref"), metavar="FILE")] = ()
    """corrected sentences to compare with; without -r and --gold one table has all corrections"""
    gold: Annotated[str | None, Parameter(metavar="FILE")] = None
    """gold edits (M2) to compare with"""
    gold_edits: Annotated[GoldEditsOption, Parameter(group=CHUNKS)] = "as-given"
    overlaps: Annotated[OverlapsOption, Parameter(group=CHUNKS)] = "error"
    misfits: Annotated[MisfitsOption, Parameter(group=CHUNKS)] = "error"
    sentences: tuple[int, ...] = ()
    """show the sentences with these numbers, from 1 (default: all)"""
    changed: bool = False
    """show only chunks that a correction or reference changes"""
    assumption: Literal["dependent", "independent"] = "dependent"
    """classify chunks by each reference (dependent), or once by all references (independent)"""
    merge_distance: int = 0
    """number of unchanged tokens between edits of one chunk"""

    def __post_init__(self) -> None:
        check_whole(self, sentences=COUNT, merge_distance=PLACES)


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class AnnotateOutput(TargetOption):
    """Options of the output."""

    formats: ClassVar[tuple[str, ...]] = FORMATS
    format: Annotated[str | None, Parameter(alias="-f", choices=FORMATS)] = None
    """m2: edits; csv, tsv: one row per edit; spans: edits with character offsets as JSON Lines; languagetool: these as
    LanguageTool's matches; chunks: table of CLEME's chunks; json: chunks as JSON (default: by the ending of -o, or
    m2)"""
    threads: Threads = 0
    checks: Checks = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, threads=THREADS)


@Parameter(name="*", group=TEXT)
@dataclass(frozen=True, kw_only=True)
class AnnotatedTextOptions(RawTextOptions):
    """Options of the steps that prepare text."""

    tokenise_only: Annotated[
        tuple[str, ...], Parameter(metavar="ROLE", choices=("source", "corrections", "references"))
    ] = ()
    """prepare only these texts: source, corrections, references (default: all)"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AnnotateRequest:
    """Texts, the extraction of their edits, and the output."""

    files: AnnotatedFiles
    output: AnnotateOutput = AnnotateOutput()
    extraction: ExtractionOptions = ExtractionOptions()
    chunks: ChunkOptions = ChunkOptions()
    raw: AnnotatedTextOptions = AnnotatedTextOptions()
    language: LanguageOptions = LanguageOptions()

    def __post_init__(self) -> None:
        format, gold, raw = self.output.written_format, self.chunks.gold, self.raw
        writes_edits = format in EDIT_FORMATS
        for name in changed(self.chunks if writes_edits else self.extraction):
            if writes_edits or name != "dialect":
                raise UsageError(f"{flag(name)} requires -f {'chunks' if writes_edits else 'm2'}")
        if format in ("spans", "languagetool") and (
            len(self.files.corrections) > 1 or self.extraction.dialect == "cherrant"
        ):
            raise UsageError(f"-f {format} requires one correction and ERRANT's dialect", hint="-f m2 for several")
        if self.files.source is None and gold is None:
            raise UsageError("the source is required", hint="-s FILE")
        if gold is not None and raw.has_steps and "source" in (raw.tokenise_only or ["source"]):
            hint = "--tokenise-only corrections"
            raise UsageError("the source cannot be prepared: the edits of --gold refer to its tokens", hint=hint)


def annotate(*, request: AnnotateRequest) -> None:
    """Write the edits or the chunks.

    Examples:
      geceval annotate -s source.txt -c ref0.txt ref1.txt -o gold.m2
      geceval annotate -s quelle.txt -c korrigiert.txt --language de -o gold.m2
      geceval annotate -s source.txt -c system.txt -f spans -o edits.jsonl
      geceval annotate -s source.txt -c system.txt -o edits.csv
      geceval annotate --gold gold.m2 -c system.txt -f chunks --sentences 1 7

    In a table of chunks a changed cell ends in *, and ∅ stands for empty text.

    documentation: docs/annotation.md
    """
    source = request.files.source if request.files.source is not None else request.chunks.gold
    language = LanguageChoice(request.language.language, lambda: first_lines(source))
    (_write_edits if request.output.written_format in EDIT_FORMATS else _write_chunks)(request, language)


def _write_edits(request: AnnotateRequest, language: LanguageChoice) -> None:

    files, edits, threads = request.files, request.extraction, request.output.threads
    annotator = language.annotator
    extractor = Extractor(make_annotator(annotator), edits.merging, edits.lev)
    roles = ["source", *(f"correction {c}" for c in range(len(files.corrections)))]
    source, *corrections = read_lines_together([cast(str, files.source), *files.corrections], roles)
    if extractor.annotator.rules == "chinese":
        corrections = [_without_statements(source, lines) for lines in corrections]
    tokeniser = language.tokeniser(request.raw.tokenise, is_text=True)
    preparation = request.raw.preparation(tokeniser, threads, language=language.option).of_source(lambda: source)
    if isinstance(preparation.clean, LineRules):
        for index, lines in enumerate(corrections):
            cleaned = complete_text(preparation.clean.apply(lines, source))
            corrections[index] = cleaned
            note_cleaned(CleanedLines.of(lines, cleaned, source), len(lines))
    sentences = complete_text(preparation.apply("source", source, source))
    texts = [preparation.apply("references", lines, source) for lines in corrections]
    if request.output.checks:
        corpus = Corpus(sentences, texts, {})
        for finding in check(corpus, [make_metric("errant", annotator=annotator)]):
            finding._replace(file=finding.file.replace("reference", "correction")).warn()
    together = zip(sentences, *texts, strict=True)
    rows = [[str(line).split() for line in row] for row in together]
    steps = Steps(len(rows), label="annotating")
    hidden = terminal_width(request.output.target) is not None
    with writing(request.output.target) as out, progress(lambda: steps, quiet=hidden) as advance:
        blocks = advancing(annotated(extractor, rows, threads), advance)
        names, bars = [*map(display_name, files.corrections)], request.output.written_format != "m2"
        blocks = (check_corrections(block, s, names, bars=bars) for s, block in enumerate(blocks))
        write_blocks = WRITERS.get(str(request.output.written_format), write)
        write_blocks(cherrant_blocks(blocks) if edits.dialect == "cherrant" else blocks, out)


def _without_statements(source: CompleteText, corrections: CompleteText) -> CompleteText:
    """Return corrections in which ChERRANT's statements that nothing is corrected are the source."""
    lines = list(zip(source, corrections, strict=True))
    is_statement = ["".join(correction.split()).strip("。") in (NO_ERROR, NO_ANSWER) for _, correction in lines]
    if any(is_statement):
        note(f"{sum(is_statement)} of {len(lines)} corrections are {NO_ERROR} or {NO_ANSWER}: read as the source")
    return Text([pair[not statement] for pair, statement in zip(lines, is_statement, strict=True)])


# --- chunks ---


def _write_chunks(request: AnnotateRequest, language: LanguageChoice) -> None:

    options, output = request.chunks, request.output
    corpus = _corpus_files(request, language).read()
    for number in options.sentences or ():
        if number > len(corpus):
            raise UsageError(f"sentence {number} does not exist: choose from 1 to {len(corpus)}")
    metric: Any = make_metric(
        "cleme",
        assumption=options.assumption,
        weights="none",
        merge_distance=options.merge_distance,
        annotator=language.annotator,
    )
    if output.checks:
        warn_of(corpus, [metric])
    picked = corpus.take([number - 1 for number in options.sentences]) if options.sentences else corpus
    sentences = compared_chunks(picked, metric, output.threads)
    if options.changed:
        sentences = (sentence.only_changed() for sentence in sentences)
    if output.written_format == "json":
        written = json_of_many("geceval/chunks@1", "sentences", (sentence.to_document() for sentence in sentences))
    else:
        width = terminal_width(output.target)
        tables = (as_text(sentence.table(), width=width) for sentence in sentences if sentence.rows)
        written = (f"\n{table}" if index else table for index, table in enumerate(tables))
    with writing(output.target) as out:
        out.writelines(written)


def _corpus_files(request: AnnotateRequest, language: LanguageChoice) -> CorpusFiles:
    """Return the source, the corrections as systems, and the references."""
    files, chunks, raw = request.files, request.chunks, request.raw
    is_text = chunks.gold is None and not any(map(is_m2, files.corrections))
    return CorpusFiles(
        files.source,
        chunks.references,
        systems_of(files.corrections),
        chunks.gold,
        dialect="cherrant" if request.extraction.dialect == "cherrant" else "auto",
        gold_edits=chunks.gold_edits,
        overlaps=chunks.overlaps,
        misfits=chunks.misfits,
        prepare=raw.preparation(
            language.tokeniser(raw.tokenise, is_text=is_text), request.output.threads, "systems", language.option
        ),
    )
