"""``geceval m2 apply|filter|merge|vote|weights``: make files from M2 files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from geceval.base.arguments import COUNT, PLACES
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import CorpusOptions, TargetOption, ThreadsOption
from geceval.cli.output import format_of, write_text, writing
from geceval.cli.parsing import Command
from geceval.cli.stderr import reading
from geceval.corpora.m2.m2_options import ANNOTATORS, FILES, FileArgument, FilesArgument, M2TargetOption
from geceval.counting.metric_names import make_metric
from geceval.text.files import is_read_once
from geceval.text.inputs import MISSING, OVERLAPS
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Missing, Overlaps
from geceval.text.m2.m2_files import read_pieces, write_pieces
from geceval.text.m2.merging import annotators_of, merge_pieces, vote_pieces
from geceval.text.m2.overlaps import resolve_overlaps
from geceval.text.m2.subsets import Filter, Operation, split_by_annotator


def check_annotators(path: str, asked: Sequence[int], there: Sequence[int]) -> None:
    """Raise UsageError for an annotator without a line in the file."""
    for annotator in asked:
        if annotator not in there:
            raise UsageError(f"{path} has no annotator {annotator}: choose from {', '.join(map(str, there))}")


# --- apply ---


class ApplyRequest(TargetOption, FileArgument, CommandRequest):
    """A file, and the annotator to apply."""

    annotator: int | None = option("-a", "--annotator", bounds=PLACES)
    missing: Missing | None = MISSING
    overlaps: Overlaps = OVERLAPS


def apply(request: ApplyRequest) -> None:
    """Write the sentences as corrected by the annotator."""
    with reading([request.file]):
        blocks = resolve_overlaps(Blocks.read(request.file).as_errant(), request.overlaps)
    there = blocks.table.annotators or [0]
    annotator = there[0] if request.annotator is None else request.annotator
    check_annotators(request.file, [annotator], there)
    corrected = blocks.corrected(annotator, request.missing or "fallback")
    write_text(request.target, "".join(f"{line}\n" for line in corrected))


# --- filter ---


class EditFilterRequest(M2TargetOption, FileArgument, CommandRequest):
    """A file, and the conditions of its edits."""

    types: tuple[str, ...] = option("--type", separator=",", repeatable=True, metavar="TYPE,…")
    operations: tuple[Operation, ...] = option("--operation", separator=",", repeatable=True, metavar="M|R|U,…")
    shortest: int = option("--shortest", bounds=COUNT, default=0)
    longest: int | None = option("--longest", bounds=COUNT)
    invert: bool = option("--not")
    annotators: tuple[int, ...] = ANNOTATORS
    changed: bool = option("--changed")

    def check(self) -> None:
        super().check()
        asked = self.types or self.operations or self.shortest or self.longest is not None
        if not (asked or self.annotators or self.changed):
            hint = "--type, --operation, --shortest, --longest, --annotators or --changed"
            raise UsageError("a condition is required", hint=hint)
        if self.invert and not asked:
            raise UsageError("--not requires --type, --operation, --shortest or --longest")
        self.filter()

    def filter(self) -> Filter:
        """Return the filter."""
        ids = self.annotators or None
        return Filter(self.types, self.operations, ids, self.shortest, self.longest, self.invert, self.changed)


def filter(request: EditFilterRequest) -> None:
    """Write the kept edits."""
    keep = request.filter()
    parts: Iterable[Blocks] = read_pieces(request.file)
    if request.annotators:
        whole = Blocks.read(request.file)  # its annotators are known at its end
        check_annotators(request.file, request.annotators, whole.table.annotators)
        parts = [whole]
    with writing(request.target) as out, reading([request.file], target=request.target):
        write_pieces(map(keep, parts), out)


# --- merge, vote ---


class MergeRequest(M2TargetOption, CommandRequest):
    """The files to merge."""

    files: tuple[str, ...] = FILES

    def check(self) -> None:
        super().check()
        if any(path == "-" or is_read_once(path) for path in self.files):
            raise UsageError("merge reads every file twice and cannot read standard input or pipes")


def merge(request: MergeRequest) -> None:
    """Write one file with the annotators of all files.

    Each file is read twice, which bounds the memory.
    """
    with reading(request.files):
        ids = [annotators_of(read_pieces(path)) for path in request.files]
    with writing(request.target) as out, reading(request.files, target=request.target):
        write_pieces(merge_pieces([read_pieces(path) for path in request.files], ids), out)


class VoteRequest(M2TargetOption, FilesArgument, CommandRequest):
    """The files, the number of votes, and the output."""

    least: int | None = option("-k", "--least", bounds=COUNT)
    text: bool = option("--text")

    @property
    def written_format(self) -> str:
        """The format of the output."""
        return format_of(self.target, None, ("text",) if self.text else self.formats)


def vote(request: VoteRequest) -> None:
    """Write the edits with enough votes, or the text they make."""
    voters: list[Iterable[Blocks]] = [read_pieces(path) for path in request.files]
    what = "files"
    if len(voters) == 1:
        whole = Blocks.read(request.files[0])
        what, voters = "annotators", [[own] for own in split_by_annotator(whole).values()]
    least = len(voters) // 2 + 1 if request.least is None else request.least
    if not 1 <= least <= len(voters):
        raise UsageError(f"-k must be 1 to {len(voters)}, the number of {what}, not {least}")
    voted = vote_pieces(voters, least)
    with writing(request.target) as out, reading(request.files, target=request.target):
        if request.text:
            out.writelines(f"{line}\n" for blocks in voted for line in blocks.corrected(0))
        else:
            write_pieces(voted, out)


class WeightsRequest(ThreadsOption, TargetOption, CommandRequest):
    """Gold edits, systems, and the reference that counts."""

    data: CorpusOptions = CorpusOptions()
    ref_id: int = option("--ref-id", bounds=COUNT, default=0)


def weights(request: WeightsRequest) -> None:
    """Write the number of systems that have each gold chunk right."""
    inputs = CorpusInputs(request.data, threads=request.threads)
    metric: Any = make_metric("goto", ref_id=request.ref_id, annotator=inputs.language.annotator_or_default)
    corpus = inputs.corpus()
    with writing(request.target) as out:
        out.writelines(f"{line}\n" for line in metric.weight_lines(corpus, request.threads))


APPLY = Command(ApplyRequest, apply)
FILTER = Command(EditFilterRequest, filter)
MERGE = Command(MergeRequest, merge)
VOTE = Command(VoteRequest, vote)
WEIGHTS = Command(WeightsRequest, weights)
