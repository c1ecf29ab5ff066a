"""``geceval annotate``: extract the edits of corrected text, as M2 or as chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from geceval._kernel import Text
from geceval.base.arguments import COUNT, PLACES
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import ChecksOption, FormatOption, ThreadsOption
from geceval.cli.output import terminal_width, writing
from geceval.cli.parsing import Command
from geceval.cli.stderr import Steps, advancing, note_cleaned, progress, warn_of
from geceval.counting.metric_names import make_metric
from geceval.edits.languages import make_annotator
from geceval.edits.languages.language_options import LanguageOptions
from geceval.tables.documents import json_of_many
from geceval.tables.formats.terminal import as_text
from geceval.text.files import display_name
from geceval.text.inputs import GOLD_EDITS, OVERLAPS, RawTextOptions, ReferenceOptions, systems_of
from geceval.text.line_rules import CleanedLines, LineRules
from geceval.text.m2.cherrant_dialect import cherrant_blocks
from geceval.text.m2.conversion.m2_json import WRITERS
from geceval.text.m2.edit import Overlaps
from geceval.text.m2.m2_files import write
from geceval.text.preparation import prepared

if TYPE_CHECKING:
    from geceval.edits.extraction import Merging
    from geceval.text.corpus import GoldEdits
    from geceval.text.reading.corpus_files import CorpusFiles


#: Formats of edits.
EDIT_FORMATS = ("m2", "spans", "languagetool")


class AnnotatedFiles(OptionGroup, title="data"):
    """Options of the source and its corrections."""

    source: str | None = option("-s", "--src", "--source", reads_file=True)
    corrections: tuple[str, ...] = option("-c", "--hyp", "--corrections", required=True, reads_file=True)


class ExtractionOptions(OptionGroup, title="edits"):
    """Options of M2."""

    merging: Merging = option("--merging", default="rules", metavar="NAME", rare=True)
    lev: bool = option("--lev", rare=True)
    dialect: Literal["errant", "cherrant"] = option("--dialect", choices=["errant", "cherrant"], default="errant")


class ChunkOptions(OptionGroup, title="chunks (-f chunks, -f json)"):
    """Options of CLEME's chunks."""

    references: tuple[str, ...] = option("-r", "--ref", "--references", reads_file=True)
    gold: str | None = option("--gold", reads_file=True)
    gold_edits: GoldEdits = GOLD_EDITS
    overlaps: Overlaps = OVERLAPS
    sentences: tuple[int, ...] = option("--sentences", bounds=COUNT)
    changed: bool = option("--changed")
    assumption: str = option("--assumption", choices=["dependent", "independent"], default="dependent")
    merge_distance: int = option("--merge-distance", bounds=PLACES, default=0)


class AnnotateOutput(ChecksOption, ThreadsOption, FormatOption, title="output"):
    """Options of the output."""

    format: str | None = option("-f", "--format", choices=[*EDIT_FORMATS, "chunks", "json"], effect="files")


class AnnotatedTextOptions(RawTextOptions, title="language and preparation of text"):
    """Options of the steps that prepare text."""

    tokenise_only: tuple[str, ...] = option(
        "--tokenise-only", choices=["source", "corrections", "references"], metavar="ROLE", rare=True
    )


class AnnotateRequest(CommandRequest):
    """Texts, the extraction of their edits, and the output."""

    files: AnnotatedFiles = AnnotatedFiles()
    output: AnnotateOutput = AnnotateOutput()
    extraction: ExtractionOptions = ExtractionOptions()
    chunks: ChunkOptions = ChunkOptions()
    raw: AnnotatedTextOptions = AnnotatedTextOptions()
    language: LanguageOptions = LanguageOptions()

    def check(self) -> None:
        format, gold, raw = self.output.written_format, self.chunks.gold, self.raw
        is_m2 = format in EDIT_FORMATS
        for name, facts, _ in (self.chunks if is_m2 else self.extraction).changed_options():
            if is_m2 or name != "dialect":
                raise UsageError(f"{facts.name(name)} requires -f {'chunks' if is_m2 else 'm2'}")
        if format in ("spans", "languagetool") and (
            len(self.files.corrections) > 1 or self.extraction.dialect == "cherrant"
        ):
            raise UsageError(f"-f {format} requires one correction and ERRANT's dialect", hint="-f m2 for several")
        if self.files.source is None and gold is None:
            raise UsageError("the source is required", hint="-s FILE")
        if gold is not None and raw.has_steps and "source" in (raw.tokenise_only or ["source"]):
            hint = "--tokenise-only corrections"
            raise UsageError("the source cannot be prepared: the edits of --gold count its tokens", hint=hint)


def run(request: AnnotateRequest) -> None:
    """Write the edits or the chunks."""
    source = request.files.source if request.files.source is not None else request.chunks.gold
    language = LanguageChoice(request.language, lambda: first_lines(source))
    (_write_edits if request.output.written_format in EDIT_FORMATS else _write_chunks)(request, language)


def _write_edits(request: AnnotateRequest, language: LanguageChoice) -> None:
    from geceval.edits.annotated_m2 import annotate, check_corrections
    from geceval.edits.extraction import Extractor
    from geceval.text.corpus import Corpus, Lines
    from geceval.text.reading.file_columns import read_lines_together

    files, edits, threads = request.files, request.extraction, request.output.threads
    annotator = language.annotator_or_default
    extractor = Extractor(make_annotator(annotator), edits.merging, edits.lev)
    roles = ["source", *(f"correction {c}" for c in range(len(files.corrections)))]
    source, *corrections = read_lines_together([cast(str, files.source), *files.corrections], roles)
    preparation = request.raw.preparation(language.tokeniser(request.raw.tokenise), threads)
    if isinstance(preparation.clean, LineRules):
        sentences = Text(source)
        for at, lines in enumerate(map(Text, corrections)):
            cleaned = preparation.clean.apply(lines, sentences)
            corrections[at] = cast(Lines, cleaned)
            note_cleaned(CleanedLines.of(lines, cleaned, sentences), len(lines))
    texts = prepared(preparation, {"source": [source], "references": corrections})
    if request.output.checks:
        corpus = Corpus(cast(Lines, texts["source"][0]), texts["references"], {})
        warn_of(corpus, [make_metric("errant", annotator=annotator)])
    together = zip(*texts["source"], *texts["references"], strict=True)
    rows = [[str(line).split() for line in row] for row in together]
    steps = Steps(len(rows), label="annotating")
    hidden = terminal_width(request.output.target) is not None
    with writing(request.output.target) as out, progress(lambda: steps, quiet=hidden) as advance:
        blocks = advancing(annotate(extractor, rows, threads), advance)
        names, bars = [*map(display_name, files.corrections)], request.output.written_format != "m2"
        blocks = (check_corrections(block, s, names, bars=bars) for s, block in enumerate(blocks))
        write_blocks = WRITERS.get(str(request.output.written_format), write)
        write_blocks(cherrant_blocks(blocks) if edits.dialect == "cherrant" else blocks, out)


# --- chunks ---


def _write_chunks(request: AnnotateRequest, language: LanguageChoice) -> None:
    from geceval.corpora.chunk_table import compared_chunks

    options, output = request.chunks, request.output
    corpus = _corpus(request, language).whole()
    for number in options.sentences or ():
        if number > len(corpus):
            raise UsageError(f"there is no sentence {number}: choose from 1 to {len(corpus)}")
    metric: Any = make_metric(
        "cleme",
        assumption=options.assumption,
        weights="none",
        merge_distance=options.merge_distance,
        annotator=language.annotator_or_default,
    )
    if output.checks:
        warn_of(corpus, [metric])
    picked = corpus.picked([number - 1 for number in options.sentences]) if options.sentences else corpus
    shown = compared_chunks(picked, metric, output.threads)
    if options.changed:
        shown = (sentence.only_changed() for sentence in shown)
    if output.written_format == "json":
        written = json_of_many("geceval/chunks@1", "sentences", (sentence.to_document() for sentence in shown))
    else:
        width = terminal_width(output.target)
        tables = (as_text(sentence.table(), width=width) for sentence in shown if sentence.rows)
        written = (f"\n{table}" if at else table for at, table in enumerate(tables))
    with writing(output.target) as out:
        out.writelines(written)


def _corpus(request: AnnotateRequest, language: LanguageChoice) -> CorpusFiles:
    """Return the source, the corrections as systems, and the references."""
    files, chunks, raw = request.files, request.chunks, request.raw
    texts = replace(
        raw.texts(ReferenceOptions(), language.tokeniser(raw.tokenise), "systems"),
        source=files.source,
        references=chunks.references,
        gold=chunks.gold,
        dialect="cherrant" if request.extraction.dialect == "cherrant" else "auto",
        gold_edits=chunks.gold_edits,
        overlaps=chunks.overlaps,
    )
    return texts.corpus(systems_of(files.corrections), threads=request.output.threads)


COMMAND = Command(AnnotateRequest, run)
