"""Files of edits, which are read as a whole: M2, whose annotators must be known before, and suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from geceval._kernel import Text
from geceval.base.caller_warnings import warn
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.doubtful_edits import doubtful_edits
from geceval.text.m2.edit import Block, Dialect, Misfits, Overlaps
from geceval.text.m2.m2_json import read_json_lines
from geceval.text.m2.operations import fitting_blocks, resolve_overlaps
from geceval.text.m2.suggestion_rows import NO_ANSWER_NOTE
from geceval.text.preparation import NOTHING, Preparation
from geceval.text.reading.file_columns import FileContent
from geceval.text.reading.input_files import InputFile


def open_m2(
    file: InputFile, *, dialect: Dialect = "auto", shared: bool = False, misfits: Misfits | None = "error"
) -> FileContent:
    """Return the blocks of an M2 file.

    Args:
        file: the file.
        dialect: the dialect of the file.
        shared: see Blocks.parse.
        misfits: treatment of edits that do not fit their sentence.

    Raises:
        InputError: for a file that is not M2; names file and line.
    """
    with file.open() as stream:
        blocks = Blocks.parse(stream.read(), file.name, shared=shared, dialect=dialect)
    for fault, hint in doubtful_edits(blocks):
        warn(f"{file.name}: {fault}", hint)
    return FileContent.of_values(file, fitting_blocks(blocks, misfits), "m2")


def open_suggestions(
    file: InputFile,
    source: Sequence[str],
    preparation: Preparation,
    offsets: str,
    overlaps: Overlaps | None,
    misfits: Misfits = "error",
) -> FileContent:
    """Return the suggestions of a grammar checker as blocks.

    Args:
        file: the file.
        source: the sentences to which the offsets refer, before the preparation.
        preparation: the preparation of the texts.
        offsets: how places are read.
        overlaps: see resolve_overlaps; None: overlapping suggestions stay.
        misfits: treatment of quoted texts that are no place.

    Raises:
        InputError: for a file of another form, and for a sentence that differs from the source.
    """
    tokens = preparation.apply("source", Text(source))
    blocks = Blocks.of(list(_suggestion_blocks(file.path, source, tokens, preparation, offsets, misfits)))
    if len(blocks) == len(tokens) and (differing := blocks.source.differing(tokens)):
        s = differing[0]
        hint = f"{blocks.source[s]}\n  {tokens[s]}"
        raise blocks[s].error(f"sentence {s + 1} differs from the source", hint=hint)
    blocks = blocks if overlaps is None else resolve_overlaps(blocks, overlaps)
    return FileContent.of_values(file, blocks, "suggestions")


def warn_of_no_answers(system: str, blocks: Blocks) -> None:
    """Warn of sentences that a checker did not answer, whose scores are those of sentences without suggestions."""
    number = blocks.table.notes.count(NO_ANSWER_NOTE)
    if number:
        message = f"{number} of {len(blocks)} lines {'has' if number == 1 else 'have'} no answer (null)"
        warn(f"system {system}: {message}", "check these sentences again: they count as sentences without suggestions")


def suggestion_blocks(
    path: str,
    source: Sequence[str] | None,
    preparation: Preparation = NOTHING,
    offsets: str = "auto",
    misfits: Misfits = "error",
) -> Iterator[Block]:
    """Yield the blocks of a file of suggestions.

    Args:
        path: the file.
        source: the sentences to which the offsets refer, before the preparation; None: the file contains them.
        preparation: the preparation of the texts.
        offsets: how places are read.
        misfits: treatment of quoted texts that are no place.

    Raises:
        InputError: see read_json_lines.
    """
    tokens = None if source is None else preparation.apply("source", Text(source))
    return _suggestion_blocks(path, source, tokens, preparation, offsets, misfits)


def _suggestion_blocks(
    path: str, source: Sequence[str] | None, tokens: Any, preparation: Preparation, offsets: str, misfits: Misfits
) -> Iterator[Block]:
    """Yield the blocks of a file of suggestions; ``tokens`` are the sentences after the preparation."""
    steps = replace(preparation, clean=())

    def split(text: str) -> Sequence[str]:
        return str(steps.apply("systems", Text([text]))[0]).split()

    def normalise(text: str) -> str:
        return str(letters.apply("source", Text([text]))[0])

    letters = replace(steps, tokenise=None, detokenise=None)
    options: dict[str, Any] = {"offsets": offsets, "misfits": misfits}
    options |= {"split": split} if "systems" in steps.roles else {}
    options |= {"normalise": normalise} if "source" in letters.roles else {}
    return read_json_lines(path, source, tokens=tokens, **options)
