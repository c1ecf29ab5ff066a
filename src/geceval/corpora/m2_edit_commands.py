"""``geceval m2 apply|filter|merge|vote|weights|convert``: make files from M2 files, and convert their format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from cyclopts import Group, Parameter

from geceval.base.arguments import COUNT, PLACES, THREADS
from geceval.base.errors import UsageError
from geceval.cli.corpus_options import CorpusOptions, MisfitsOption, MissingOption, OffsetsOption, OverlapsOption
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import COMMAS, OUTPUT, Quiet, Target, TargetOption, Threads, changed, check_whole, flag
from geceval.cli.output import format_of, note, quantity, reading, write_text, writing
from geceval.corpora.m2_check_command import Annotators, File, Files, M2TargetOption
from geceval.counting.metric_names import make_metric
from geceval.text.content_forms import JSON_FORMS
from geceval.text.files import SUGGESTIONS, check_standard_input, display_name, has_form, is_read_once, unpacked_name
from geceval.text.m2 import m2_files, operations
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOT_ANNOTATABLE, Block, Dialect, Misfits
from geceval.text.m2.headings import left_out, without
from geceval.text.m2.m2_files import read, write
from geceval.text.m2.m2_json import WRITERS
from geceval.text.m2.operations import (
    Operation,
    annotators,
    cherrant_blocks,
    fitting_blocks,
    resolve_overlaps,
    split_by_annotator,
)
from geceval.text.preparation import Preparation
from geceval.text.reading.formats import Suggestions
from geceval.text.reading.lines import read_lines

CONDITIONS = Group.create_ordered("conditions", sort_key=2)


def check_annotators(path: str, required: Sequence[int], available: Sequence[int]) -> None:
    """Raise UsageError for an annotator without a line in the file."""
    for annotator in required:
        if annotator not in available:
            raise UsageError(f"{path} has no annotator {annotator}: choose from {', '.join(map(str, available))}")


def _fitting(blocks: Iterable[Block], misfits: Misfits) -> Iterable[Block]:
    """Return blocks without the edits that do not fit; such edits are an error only where they are used."""
    return blocks if misfits == "error" else operations.fitting(blocks, misfits)


# --- apply ---


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ApplyRequest(TargetOption):
    """The annotator to apply, and the output."""

    annotator: Annotated[int | None, Parameter(alias="-a")] = None
    """annotator to apply (default: the smallest number)"""
    missing: MissingOption = None
    overlaps: OverlapsOption = "error"
    misfits: MisfitsOption = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, annotator=PLACES)


def apply(file: File, /, *, request: ApplyRequest = ApplyRequest()) -> None:
    """Write the sentences as corrected by the annotator.

    Examples:
      geceval m2 apply gold.m2 --annotator 1 > ref1.txt
    """
    with reading([file]):
        blocks = resolve_overlaps(fitting_blocks(Blocks.read(file), request.misfits), request.overlaps)
    available = blocks.annotators or [0]
    annotator = available[0] if request.annotator is None else request.annotator
    check_annotators(file, [annotator], available)
    if request.annotator is None and len(available) > 1:
        numbers = ", ".join(map(str, available))
        note(f"{file} has the annotators {numbers}: the text is by {annotator}, --annotator N selects another")
    corrected = blocks.corrected(annotator, request.missing or "fallback")
    write_text(request.target, "".join(f"{line}\n" for line in corrected))


# --- filter ---


@Parameter(name="*", group=CONDITIONS)
@dataclass(frozen=True, kw_only=True)
class EditFilterRequest(M2TargetOption):
    """The conditions of the edits, and the output."""

    type: Annotated[tuple[str, ...], COMMAS, Parameter(metavar="TYPE,…")] = ()
    """keep edits of these types: R:VERB:TENSE, VERB:TENSE, R, VERB*"""
    operation: Annotated[tuple[Operation, ...], COMMAS, Parameter(metavar="M|R|U,…")] = ()
    """keep edits that insert what is missing (M), replace (R), or delete what is unnecessary (U), by the letter of the
    type; types without a letter: by what the edit does"""
    shortest: int = 0
    """keep edits with N tokens or more"""
    longest: int | None = None
    """keep edits with N tokens or fewer"""
    invert: Annotated[bool, Parameter(name="--not")] = False
    """keep the edits that do not meet these conditions"""
    annotators: Annotators = ()
    """keep only these annotators, also with --not"""
    changed: bool = False
    """keep only sentences with an edit"""
    misfits: MisfitsOption = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, shortest=COUNT, longest=COUNT, annotators=PLACES)

    def filtered(self, blocks: Iterable[Block]) -> Iterable[Block]:
        """Return the blocks with the kept edits.

        Raises:
            UsageError: There is no condition, or a type is not valid.
        """
        selects_edits = self.type or self.operation or self.shortest or self.longest is not None
        if not (selects_edits or self.annotators or self.changed or self.misfits == "drop"):
            hint = "--type, --operation, --shortest, --longest, --annotators, --changed or --misfits drop"
            raise UsageError("a condition is required", hint=hint)
        if self.invert and not selects_edits:
            raise UsageError("--not requires --type, --operation, --shortest or --longest")
        return operations.filter(
            _fitting(blocks, self.misfits),
            types=self.type,
            operations=self.operation,
            annotators=self.annotators or None,
            shortest=self.shortest,
            longest=self.longest,
            invert=self.invert,
            changed=self.changed,
        )


def filter_edits(file: File, /, *, request: EditFilterRequest = EditFilterRequest()) -> None:
    """Write the kept edits.

    Examples:
      geceval m2 filter gold.m2 --type 'R:VERB*,DET' -o some.m2
      geceval m2 filter gold.m2 --type UNK --not -o corrections.m2
      geceval m2 filter gold.m2 --operation M --longest 1 --changed -o missing.m2
      geceval m2 filter gold.m2 --annotators 0,2 -o two.m2

    An edit stays if it meets all conditions; noops always stay. Its tokens are
    those in the sentence or in the correction, whichever are more. An annotator
    who loses all edits of a sentence keeps a noop there. Without --changed all
    sentences stay; --misfits drop leaves out headings of documents.
    """
    edited: Iterable[Block] = request.filtered(read(file))
    if request.annotators or request.misfits == "drop":
        blocks = Blocks.read(file, dialect=None)  # its annotators and headings are known at its end
        check_annotators(file, request.annotators, blocks.annotators)
        headings = left_out(blocks, display_name(file)) if request.misfits == "drop" else []
        edited = request.filtered(without(blocks, headings))
    with writing(request.target) as out, reading([file], target=request.target):
        write(edited, out)


# --- merge, vote ---


def merge(files: Files, /, *, request: M2TargetOption = M2TargetOption()) -> None:
    """Write one file with the annotators of all files, in their order.

    Each file is read twice, which bounds the memory.
    """
    if any(path == "-" or is_read_once(path) for path in files):
        raise UsageError("merge reads every file twice and cannot read standard input or pipes")
    with reading(files):
        ids = [annotators(read(path)) for path in files]
    with writing(request.target) as out, reading(files, target=request.target):
        write(operations.merge([*map(read, files)], ids), out)


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class VoteRequest:
    """The number of votes, and the output."""

    target: Target = None
    least: Annotated[int | None, Parameter(alias="-k")] = None
    """number of files that must have an edit (default: more than half)"""
    text: bool = False
    """write the corrected sentences, not M2"""
    misfits: MisfitsOption = "error"
    quiet: Quiet = False

    def __post_init__(self) -> None:
        check_whole(self, least=COUNT)
        format_of(self.target, None, ("text",) if self.text else ("m2",))


def vote(files: Files, /, *, request: VoteRequest = VoteRequest()) -> None:
    """Write the edits with enough votes, or the text they make.

    Examples:
      geceval m2 vote sys1.m2 sys2.m2 sys3.m2 -o voted.m2
      geceval m2 vote gold.m2 -k 2 -o agreed.m2           # what two of its annotators agree on
    """
    check_standard_input(files)
    voters = [_fitting(read(path), request.misfits) for path in files]
    what = "files"
    if len(voters) == 1:
        what, voters = "annotators", [*split_by_annotator(voters[0]).values()]
    least = len(voters) // 2 + 1 if request.least is None else request.least
    if not 1 <= least <= len(voters):
        raise UsageError(f"-k must be 1 to {len(voters)}, the number of {what}, not {least}")
    voted = operations.vote(voters, least)
    with writing(request.target) as out, reading(files, target=request.target):
        if request.text:
            out.writelines(f"{line}\n" for portion in voted.portions for line in portion.corrected(0))
        else:
            write(voted, out)


# --- weights ---


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class WeightsRequest(TargetOption):
    """Gold edits, systems, and the reference that counts."""

    data: CorpusOptions = CorpusOptions()
    ref_id: int = 0
    """number of the reference"""
    threads: Threads = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, ref_id=COUNT, threads=THREADS)


def weights(*, request: WeightsRequest = WeightsRequest()) -> None:
    """Write the number of systems that have each gold chunk right.

    Examples:
      geceval m2 weights --gold gold.m2 -c sys1.m2 sys2.m2 sys3.txt -o pool.txt
      geceval score --gold gold.m2 -c new.txt -m goto:weights=pool.txt

    One line per sentence: a digest of the sentence and its gold edits, then the
    number of systems that correct each chunk.

    documentation: docs/metrics/goto.md
    """
    inputs = CorpusInputs(request.data, threads=request.threads)
    metric: Any = make_metric("goto", ref_id=request.ref_id, annotator=inputs.language.annotator)
    corpus = inputs.corpus()
    with writing(request.target) as out:
        out.writelines(f"{line}\n" for line in metric.weight_lines(corpus, request.threads))


Written = Literal["m2", "errant", "cherrant", "jsonl", "spans", "languagetool", "csv", "tsv"]
FORMATS = Group.create_ordered("formats", sort_key=2)
SUGGESTED = Group.create_ordered("suggestions (jsonl)", sort_key=5)


@Parameter(name="*", group=SUGGESTED)
@dataclass(frozen=True, kw_only=True)
class SuggestionOptions:
    """Options of the texts that suggestions refer to."""

    source: Annotated[str | None, Parameter(alias=("-s", "--src"), metavar="FILE")] = None
    """sentences of the suggestions, one per line (default: the texts in the file)"""
    tokenise: Annotated[str | None, Parameter(alias="--preset", metavar="NAME")] = None
    """tokenise sentences and suggestions: english, bea19, …"""
    offsets: Annotated[OffsetsOption, Parameter(group=SUGGESTED)] = "auto"

    def blocks(self, path: str) -> Iterator[Block]:
        """Yield the blocks of a file."""
        source = None if self.source is None else read_lines(self.source)
        return Suggestions(source, Preparation(tokenise=self.tokenise), self.offsets).blocks(path)


@Parameter(name="*", group=FORMATS)
@dataclass(frozen=True, kw_only=True)
class ConvertRequest:
    """The formats to read and to write."""

    from_format: Annotated[Literal["jsonl", "m2"] | None, Parameter(name="--from")] = None
    """format of the input (default: by the ending, or m2)"""
    to_format: Annotated[Written | None, Parameter(name="--to")] = None
    """m2: M2 in the dialect of the input; errant, cherrant: M2 in that dialect; jsonl: one object per sentence; spans:
    jsonl with character offsets; languagetool: jsonl with LanguageTool's matches; csv, tsv: one row per edit (default:
    by the ending of -o)"""
    misfits: MisfitsOption = "error"
    dialect: Dialect = "auto"
    """dialect of M2 files: detected from T lines unless cherrant is given"""
    target: Target = None
    quiet: Quiet = False
    suggestions: SuggestionOptions = SuggestionOptions()

    def written_format(self) -> str:
        """Return the format of the output, by ``--to`` or the ending.

        Raises:
            UsageError: Neither names a format.
        """
        written = format_of(self.target, self.to_format, ("", *get_args(Written)), "--to")
        if not written:
            raise UsageError(f"a format is required: --to {', '.join(get_args(Written))}")
        return written

    def read_format(self, file: str) -> str:
        """Return the format of the input, by ``--from`` or the name of the file.

        Raises:
            UsageError: Options contradict it.
        """
        is_m2 = has_form(file, "m2")
        is_json = not is_m2 and (unpacked_name(file).endswith(SUGGESTIONS) or has_form(file, *JSON_FORMS))
        read = self.from_format or ("jsonl" if is_json else "m2")
        if self.dialect != "auto" and (read, self.written_format()) != ("m2", "errant"):
            raise UsageError("--dialect requires --to errant")
        for name in changed(self.suggestions):
            if read != "jsonl":
                raise UsageError(f"{flag(name)} requires --from jsonl")
        return read


def convert(file: File, /, *, request: ConvertRequest = ConvertRequest()) -> None:
    """Write the input in another format.

    Examples:
      geceval m2 convert gold.m2 -o gold.jsonl
      geceval m2 convert gold.jsonl --to m2 > gold.m2
      geceval m2 convert system.m2 --to spans -o system.jsonl
      geceval m2 convert zh.m2 --to errant -o zh.errant.m2

    Content that the output format cannot represent causes an error or a warning;
    see docs/m2.md.
    """
    written, is_m2 = request.written_format(), request.read_format(file) == "m2"
    with reading([file], target=request.target):
        blocks: Iterable[Block] = m2_files.read(file) if is_m2 else request.suggestions.blocks(file)
        blocks = _fitting(blocks, request.misfits)
        if written == "errant":
            blocks = _as_errant(request, blocks)
        elif written == "cherrant":
            blocks = cherrant_blocks(blocks)
        with writing(request.target) as out:
            WRITERS.get(written, m2_files.write)(blocks, out)


def _as_errant(request: ConvertRequest, blocks: Iterable[Block]) -> Iterable[Block]:
    """Return the blocks in ERRANT's dialect, with notes on what it cannot express."""
    original = Blocks.of(list(blocks), dialect=None)
    converted = original.as_errant(request.dialect)
    if converted is original:
        return converted
    further = sum(
        len({(target.annotator, target.alignment) for target in block.targets})
        - len({target.annotator for target in block.targets})
        for block in original
    )
    if further:
        text = f"{quantity(further, 'further alignment')} of answers ignored: the first of each answer is kept"
        note(text)
    refused = sum(edit.type == NOT_ANNOTATABLE for block in original for edit in block.edits)
    if refused:
        text = f"{quantity(refused, 'answer')} NA (cannot be corrected) ignored, or a noop if it is the only answer"
        note(text)
    return converted
