"""``geceval m2 apply|filter|merge|vote|weights``: make files from M2 files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Group, Parameter

from geceval.base.arguments import COUNT, PLACES, THREADS
from geceval.base.errors import UsageError
from geceval.cli.corpus_options import CorpusOptions, MissingOption, OverlapsOption
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import COMMAS, OUTPUT, Target, TargetOption, Threads, check_whole
from geceval.cli.output import format_of, write_text, writing
from geceval.cli.stderr import reading
from geceval.corpora.m2.m2_options import Annotators, File, Files, M2TargetOption
from geceval.counting.metric_names import make_metric
from geceval.text.files import check_standard_input, is_read_once
from geceval.text.m2 import operations
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block
from geceval.text.m2.m2_files import read, write
from geceval.text.m2.operations import Operation, annotators, resolve_overlaps, split_by_annotator

CONDITIONS = Group.create_ordered("conditions", sort_key=2)


def check_annotators(path: str, asked: Sequence[int], there: Sequence[int]) -> None:
    """Raise UsageError for an annotator without a line in the file."""
    for annotator in asked:
        if annotator not in there:
            raise UsageError(f"{path} has no annotator {annotator}: choose from {', '.join(map(str, there))}")


# --- apply ---


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ApplyRequest(TargetOption):
    """The annotator to apply, and the output."""

    annotator: Annotated[int | None, Parameter(alias="-a")] = None
    """annotator to apply (default: the smallest number)"""
    missing: MissingOption = None
    overlaps: OverlapsOption = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, annotator=PLACES)


def apply(file: File, /, *, request: ApplyRequest = ApplyRequest()) -> None:
    """Write the sentences as corrected by the annotator.

    Examples:
      geceval m2 apply gold.m2 --annotator 1 > ref1.txt
    """
    with reading([file]):
        blocks = resolve_overlaps(Blocks.read(file), request.overlaps)
    there = blocks.annotators or [0]
    annotator = there[0] if request.annotator is None else request.annotator
    check_annotators(file, [annotator], there)
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
    """edits that insert what is missing (M), replace (R), or delete what is unnecessary (U), by the letter of the type;
    types without a letter: by what the edit does"""
    shortest: int = 0
    """keep edits with N tokens or more"""
    longest: int | None = None
    """keep edits with N tokens or fewer"""
    invert: Annotated[bool, Parameter(name="--not")] = False
    """keep the edits that do not meet these conditions"""
    annotators: Annotators = ()
    """only these annotators, also with --not"""
    changed: bool = False
    """keep only sentences with an edit"""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, shortest=COUNT, longest=COUNT, annotators=PLACES)

    def filtered(self, blocks: Iterable[Block]) -> Iterable[Block]:
        """Return the blocks with the kept edits.

        Raises:
            UsageError: There is no condition, or a type is not valid.
        """
        asked = self.type or self.operation or self.shortest or self.longest is not None
        if not (asked or self.annotators or self.changed):
            hint = "--type, --operation, --shortest, --longest, --annotators or --changed"
            raise UsageError("a condition is required", hint=hint)
        if self.invert and not asked:
            raise UsageError("--not requires --type, --operation, --shortest or --longest")
        return operations.filter(
            blocks,
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
    sentences stay.
    """
    kept: Iterable[Block] = request.filtered(read(file))
    if request.annotators:
        blocks = Blocks.read(file, dialect=None)  # its annotators are known at its end
        check_annotators(file, request.annotators, blocks.annotators)
        kept = request.filtered(blocks)
    with writing(request.target) as out, reading([file], target=request.target):
        write(kept, out)


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
    voters: list[Iterable[Block]] = [*map(read, files)]
    what = "files"
    if len(voters) == 1:
        what, voters = "annotators", [*split_by_annotator(Blocks.read(files[0], dialect=None)).values()]
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
    number of systems that have each chunk right.

    documentation: docs/metrics/goto.md
    """
    inputs = CorpusInputs(request.data, threads=request.threads)
    metric: Any = make_metric("goto", ref_id=request.ref_id, annotator=inputs.language.annotator)
    corpus = inputs.corpus()
    with writing(request.target) as out:
        out.writelines(f"{line}\n" for line in metric.weight_lines(corpus, request.threads))
