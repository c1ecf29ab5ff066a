"""Files of edits, which are read as a whole: M2, whose annotators must be known before, and suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from geceval._kernel import Text
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError
from geceval.text.columns import CompleteText
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.doubtful_edits import warn_of_doubtful_edits
from geceval.text.m2.edit import Block, Dialect, Misfits, Overlaps
from geceval.text.m2.m2_json import read_json_lines
from geceval.text.m2.operations import fitting_blocks, resolve_overlaps
from geceval.text.m2.suggestion_rows import NO_ANSWER_NOTE
from geceval.text.m2.suggestions import read_suggestions
from geceval.text.preparation import NOTHING, Preparation
from geceval.text.reading.file_columns import FileColumn, FileContent, is_null
from geceval.text.reading.input_files import InputFile
from geceval.text.written_values import written_value


def open_m2(
    file: InputFile, *, dialect: Dialect = "auto", shared: bool = False, misfits: Misfits | None = "error"
) -> FileContent:
    """Return the blocks of an M2 file.

    Args:
        file: The file.
        dialect: The dialect of the file.
        shared: See Blocks.parse.
        misfits: Treatment of edits that do not fit their sentence.

    Raises:
        InputError: For a file that is not M2; names file and line.
    """
    with file.open() as stream:
        blocks = Blocks.parse(stream.read(), file.name, shared=shared, dialect=dialect)
    warn_of_doubtful_edits(blocks, file.name)
    return FileContent.of_values(file, fitting_blocks(blocks, misfits), "m2")


@dataclass(frozen=True)
class SuggestionReader:
    """Reads suggestions of a grammar checker as blocks.

    Args:
        preparation: The preparation of the texts.
        offsets: How places are read.
        misfits: Treatment of quoted texts that are no place.
        overlaps: See resolve_overlaps; None: overlapping suggestions stay.
    """

    preparation: Preparation = NOTHING
    offsets: str = "auto"
    misfits: Misfits = "error"
    overlaps: Overlaps | None = None

    def open_file(self, file: InputFile, source: Sequence[str]) -> FileContent:
        """Return the suggestions in a file; ``source``: the sentences to which they refer, before the preparation.

        Raises:
            InputError: For a file of another form, and for a sentence that differs from the source.
        """
        options = self._options(source)
        return self._content(file, options["tokens"], read_json_lines(file.path, source, **options))

    def open_column(self, column: FileColumn, source: Sequence[str]) -> FileContent:
        """Return the suggestions in the cells of a table; see ``open_file``."""
        cells = enumerate(column.all_values(), 1)
        rows = [(row, None if is_null(cell) else written_value(cell)) for row, cell in cells]
        options = self._options(source)
        try:
            blocks = read_suggestions(rows, column.title, source, **options)
            return self._content(column.content.file, options["tokens"], blocks)
        except InputError as error:
            if error.line is None:
                raise
            raise column.error(error.line - 1, error.message, error.hint) from None

    def blocks(self, path: str, source: Sequence[str] | None) -> Iterator[Block]:
        """Yield the blocks of a file; see ``open_file``, but without ``source`` the file contains the sentences."""
        return read_json_lines(path, source, **self._options(source))

    def _content(self, file: InputFile, tokens: CompleteText, rows: Iterable[Block]) -> FileContent:
        blocks = Blocks.of(list(rows))
        if len(blocks) == len(tokens) and (differing := blocks.source.differing(tokens)):
            s = differing[0]
            hint = f"{blocks.source[s]}\n  {tokens[s]}"
            raise blocks[s].error(f"sentence {s + 1} differs from the source", hint=hint)
        blocks = blocks if self.overlaps is None else resolve_overlaps(blocks, self.overlaps)
        return FileContent.of_values(file, blocks, "suggestions")

    def _options(self, source: Sequence[str] | None) -> dict[str, Any]:
        """Return the arguments of read_suggestions."""
        steps = replace(self.preparation, clean=())
        letters = replace(steps, tokenise=None, detokenise=None)

        def split(text: str) -> Sequence[str]:
            return str(steps.apply("systems", Text([text]))[0]).split()

        def normalise(text: str) -> str:
            return str(letters.apply("source", Text([text]))[0])

        tokens = None if source is None else self.preparation.apply("source", Text(source))
        options: dict[str, Any] = {"tokens": tokens, "offsets": self.offsets, "misfits": self.misfits}
        options |= {"split": split} if "systems" in steps.roles else {}
        return options | ({"normalise": normalise} if "source" in letters.roles else {})


def warn_of_no_answers(system: str, blocks: Blocks) -> None:
    """Warn of sentences that a checker did not answer, whose scores are those of sentences without suggestions."""
    number = blocks.table.notes.count(NO_ANSWER_NOTE)
    if number:
        message = f"{number} of {len(blocks)} lines {'has' if number == 1 else 'have'} no answer (null)"
        warn(f"system {system}: {message}", "check these sentences again: they count as sentences without suggestions")
