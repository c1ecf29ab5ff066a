"""``geceval m2 check``: list every fault of M2 files with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any, TextIO

from geceval.base.arguments import counted
from geceval.base.errors import CheckFailedError, InputError
from geceval.commands.m2.m2_options import Files
from geceval.commands.shared.options import TargetOption, written_as
from geceval.counting.checks.blank_corrections import checked_blocks
from geceval.edits.corpus_edits import COMPARED, ProfileAgreement, closest_profile
from geceval.inspection.m2_self_test import SelfTest
from geceval.tables.report import Report, render
from geceval.tables.table import plain_table
from geceval.terminal.progress import reading
from geceval.terminal.writing import writing
from geceval.text.files import check_standard_input, display_name, is_read_once
from geceval.text.m2 import m2_files
from geceval.text.m2.blocks import Blocks, BlockStream
from geceval.text.m2.m2_files import read

#: Number of lines that are shown of each cause of the self-test.
SHOWN = 5


@written_as(
    "text",
    "json",
    "csv",
    "tsv",
    help="output format: text has the first blocks of each cause of the self-test, others all",
)
class CheckRequest(TargetOption):
    """The output of the faults."""


@dataclass(frozen=True)
class CheckedFile:
    """The faults of a file, its size, its annotator and its self-test.

    The last two are None for standard input and pipes, which are read once; the annotator also with faults. Text
    contains faults as they are found, which are then not kept, and the first blocks of each cause of the self-test.
    """

    name: str
    checked: m2_files.Checked
    faults: int
    closest: ProfileAgreement | None = None
    self_test: SelfTest | None = None


def check(files: Files, /, *, request: CheckRequest = CheckRequest()) -> None:
    """Print all faults of all files, the size of each file, its annotator, and its self-test.

    Raises:
        CheckFailedError: A file has a fault.

    Examples:
      geceval m2 check gold.m2
      geceval m2 check *.m2 --quiet && echo sound
      geceval m2 check gold.m2 -f json -o check.json

    The self-test scores the corrected text of each annotator against the
    annotator's edits by MaxMatch. A block not at 100 has edits that the official
    scorer cannot match; it is not a fault.
    """
    check_standard_input(files)
    is_text = request.written_format == "text"
    results: list[CheckedFile] = []
    with writing(request.target) as out:
        for path in files:
            with reading([path], target=request.target):
                results.append(_checked(path, out if is_text else None, quiet=request.quiet))
            if is_text and not request.quiet:
                out.writelines(f"{line}\n" for line in _check_lines(results[-1]))
        if not is_text:
            out.write(render(_check_report(results), request.written_format))
    total = sum(result.faults for result in results)
    if total:
        raise CheckFailedError(f"{counted(total, 'fault')} found")


def _checked(path: str, text: TextIO | None, *, quiet: bool) -> CheckedFile:
    """Return the result of a file; its faults are written to ``text``, or kept without it."""
    name, number = display_name(path), 0
    faults: list[InputError] = []

    def report(new_faults: Sequence[InputError]) -> None:
        nonlocal number
        number += len(new_faults)
        if text is None:
            faults.extend(new_faults)
        else:
            text.writelines(f"{fault.where}{fault.message}\n" for fault in new_faults)

    checked = replace(m2_files.check_each(path, report), faults=faults)
    if (text is not None and quiet) or is_read_once(path):
        return CheckedFile(name, checked, number)
    self_test = SelfTest(checked.annotators, None if text is None else SHOWN)
    for blocks in checked_blocks(BlockStream(blocks for blocks, _ in m2_files.parse_portions(path)), name).portions:
        self_test.add(blocks)
    closest = None if number else closest_profile(Blocks.of(list(islice(read(path), COMPARED))))
    return CheckedFile(name, checked, number, closest, self_test)


def _check_lines(file: CheckedFile) -> Iterator[str]:
    """Yield the text for readers after the faults: the size, the annotator and the self-test."""
    checked = file.checked
    sizes = {"sentence": checked.sentences, "edit": checked.edits, "annotator": len(checked.annotators)}
    contents = ", ".join(counted(size, noun) for noun, size in sizes.items())
    yield f"{file.name}: {contents}: {counted(file.faults, 'fault') if file.faults else 'no faults'}"
    if file.closest is not None:
        yield f"{file.name}: closest annotator: {file.closest}"
    if file.self_test is None or not checked.edits:
        return
    applied = file.self_test.scores("fallback")
    scores = [f"{100 * score:.2f} ({annotator})" for annotator, score in file.self_test.scores("plain").items()]
    yield f"{file.name}: MaxMatch of each annotator's text: {', '.join(scores)}"
    filled = [f"{100 * score:.2f} ({annotator})" for annotator, score in applied.items()]
    if filled != scores:
        yield f"  with missing lines filled, as m2 apply does: {', '.join(filled)}"
    for cause, number in file.self_test.causes.most_common():
        lines = [str(block.line) for block in file.self_test.unmatched if block.cause == cause]
        listed_lines = ", ".join(lines[:SHOWN]) + (", …" if number > SHOWN else "")
        yield f"  {number} not at 100: {cause}: {'line' if number == 1 else 'lines'} {listed_lines}"


def _check_report(files: Sequence[CheckedFile]) -> Report:
    """Return the report of all faults and all blocks of the self-test."""
    heads = ["file", "line", "about", "annotator", "correct", "proposed", "gold", "message"]
    rows: list[list[str]] = []
    for file in files:
        for fault in file.checked.faults:
            rows.append([file.name, str(fault.line or ""), "fault", "", "", "", "", fault.message])
        for block in () if file.self_test is None else file.self_test.unmatched:
            line, *numbers, cause = map(str, asdict(block).values())
            rows.append([file.name, line, "not at 100", *numbers, cause])
    return Report(
        "geceval/m2-check@1",
        lambda: {"files": [_check_document(file) for file in files]},
        lambda: [plain_table(heads, rows)],
    )


def _check_document(file: CheckedFile) -> dict[str, Any]:
    checked, self_test = file.checked, file.self_test
    document: dict[str, Any] = {
        "file": file.name,
        "sentences": checked.sentences,
        "edits": checked.edits,
        "annotators": checked.annotators,
        "faults": [{"line": fault.line, "message": fault.message} for fault in checked.faults],
        "closest_annotator": None if file.closest is None else asdict(file.closest),
        "self_test": None,
    }
    if self_test is not None:
        document["self_test"] = {
            "scores": self_test.scores("plain"),
            "scores_fallback": self_test.scores("fallback"),
            "causes": self_test.causes,
            "below": [asdict(block) for block in self_test.unmatched],
        }
    return document
