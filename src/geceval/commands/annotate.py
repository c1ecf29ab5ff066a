"""``geceval annotate``: extract the edits of corrected text, as M2 or as tables of chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from geceval.base.arguments import COUNT, PLACES
from geceval.base.errors import UsageError
from geceval.commands.shared.corpus_options import (
    BlankOption,
    CorpusOptions,
    FileOptions,
    GoldEditsOption,
    IdOption,
    LanguageOptions,
    MisfitsOption,
    OverlapsOption,
    RawTextOptions,
    TableOptions,
)
from geceval.commands.shared.corrected_texts import read_corrections, warn_of_corrections
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import DATA, OTHER, TEXT
from geceval.commands.shared.option_values import changed, check_whole, flag
from geceval.commands.shared.options import Checks, TargetOption, Threads, written_as
from geceval.commands.shared.run_warnings import warn_of_corpus
from geceval.counting.metric_names import make_metric
from geceval.edits.annotation import Merging
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.m2_annotation import annotate as annotated
from geceval.edits.m2_annotation import check_corrections, corrected_rows
from geceval.inspection.compared_chunks import compared_chunks
from geceval.tables.json_text import json_of_many
from geceval.tables.terminal import as_text
from geceval.terminal.messages import terminal_width
from geceval.terminal.progress import Steps, advancing, progress
from geceval.terminal.writing import writing
from geceval.text.m2.edit import Dialect
from geceval.text.m2.m2_files import write
from geceval.text.m2.m2_json import WRITERS
from geceval.text.m2.operations import cherrant_blocks
from geceval.text.preparation import Role

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
    corrections: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="FILE")] = ()
    """corrected sentences, one file per annotator"""
    blank: BlankOption = None
    id: IdOption = ()


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
    gold_edits: GoldEditsOption = "as-given"
    overlaps: OverlapsOption = "error"
    misfits: MisfitsOption = "error"
    sentences: tuple[int, ...] = ()
    """show the sentences with these numbers, from 1 (default: all)"""
    changed: bool = False
    """show only chunks that a correction or reference changes"""
    assumption: Annotated[Literal["dependent", "independent"], Parameter(group=OTHER)] = "dependent"
    """classify chunks by each reference (dependent), or once by all references (independent)"""
    merge_distance: Annotated[int, Parameter(group=OTHER)] = 0
    """number of unchanged tokens between edits of one chunk"""

    def __post_init__(self) -> None:
        check_whole(self, sentences=COUNT, merge_distance=PLACES)


@written_as(
    *FORMATS,
    help="m2: edits; csv, tsv: one row per edit; spans: edits with character offsets as JSON Lines; languagetool: "
    "these as LanguageTool's matches; chunks: table of CLEME's chunks; json: chunks as JSON",
)
class AnnotateOutput(TargetOption):
    """Options of the output."""

    threads: Threads = 0
    checks: Checks = True


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

    files: AnnotatedFiles = AnnotatedFiles()
    table: TableOptions = TableOptions()
    output: AnnotateOutput = AnnotateOutput()
    extraction: ExtractionOptions = ExtractionOptions()
    chunks: ChunkOptions = ChunkOptions()
    raw: AnnotatedTextOptions = AnnotatedTextOptions()
    language: LanguageOptions = LanguageOptions()

    def corpus_options(self) -> CorpusOptions:
        """Return the texts as those of a corpus, whose systems are the corrections."""
        files, chunks = self.files, self.chunks
        return CorpusOptions(
            files=FileOptions.of_source(
                files.source,
                references=chunks.references,
                systems=files.corrections,
                gold=chunks.gold,
                gold_edits=chunks.gold_edits,
                overlaps=chunks.overlaps,
                misfits=chunks.misfits,
                blank=files.blank,
                id=files.id,
            ),
            table=self.table,
            raw=self.raw,
            language=self.language,
        )

    def __post_init__(self) -> None:
        format, gold, raw = self.output.written_format, self.chunks.gold, self.raw
        self.corpus_options()
        writes_edits = format in EDIT_FORMATS
        for name in changed(self.chunks if writes_edits else self.extraction):
            if writes_edits or name != "dialect":
                raise UsageError(f"{flag(name)} requires -f {'chunks' if writes_edits else 'm2'}")
        if gold is not None and raw.has_steps and "source" in (raw.tokenise_only or ["source"]):
            hint = "--tokenise-only corrections"
            raise UsageError("the source cannot be prepared: the edits of --gold refer to its tokens", hint=hint)


def annotate(*, request: AnnotateRequest = AnnotateRequest()) -> None:
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
    writes_edits = request.output.written_format in EDIT_FORMATS
    role: Role = "references" if writes_edits else "systems"
    options = request.corpus_options()
    inputs = CorpusInputs(options, threads=request.output.threads, corrections_role=role, counts_words=True)
    (_write_edits if writes_edits else _write_chunks)(request, inputs)


def _write_edits(request: AnnotateRequest, inputs: CorpusInputs) -> None:
    edits, threads, format = request.extraction, request.output.threads, str(request.output.written_format)
    extractor = Extractor(make_annotator(inputs.language.annotator), edits.merging, edits.lev)
    corpus, names = read_corrections(inputs, extractor)
    if format in ("spans", "languagetool") and (names[1:] or edits.dialect == "cherrant"):
        raise UsageError(f"-f {format} requires one correction and ERRANT's dialect", hint="-f m2 for several")
    if request.output.checks:
        warn_of_corrections(inputs, corpus, names)
    rows = list(corrected_rows(corpus.source, corpus.references))
    steps = Steps(len(rows), label="annotating")
    hidden = terminal_width(request.output.target) is not None
    with writing(request.output.target) as out, progress(lambda: steps, quiet=hidden) as advance:
        blocks = advancing(annotated(extractor, rows, threads), advance)
        blocks = (check_corrections(block, s, names, bars=format != "m2") for s, block in enumerate(blocks))
        write_blocks = WRITERS.get(format, write)
        write_blocks(cherrant_blocks(blocks) if edits.dialect == "cherrant" else blocks, out)


# --- chunks ---


def _write_chunks(request: AnnotateRequest, inputs: CorpusInputs) -> None:
    options, output = request.chunks, request.output
    dialect: Dialect = "cherrant" if request.extraction.dialect == "cherrant" else "auto"
    corpus = inputs.corpus(dialect=dialect).whole()
    for number in options.sentences or ():
        if number > len(corpus):
            raise UsageError(f"sentence {number} does not exist: choose from 1 to {len(corpus)}")
    metric: Any = make_metric(
        "cleme",
        assumption=options.assumption,
        weights="none",
        merge_distance=options.merge_distance,
        annotator=inputs.language.annotator,
    )
    if output.checks:
        warn_of_corpus(corpus, [metric])
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
