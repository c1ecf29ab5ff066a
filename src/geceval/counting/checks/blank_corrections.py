"""Corrections that are empty where the source is not, and the reverse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from geceval.counting.checks.findings import Finding
from geceval.counting.checks.text_checks import OutputAccount
from geceval.text.blank_texts import Blank
from geceval.text.corpus import Corpus
from geceval.text.line_marks import mark_bits
from geceval.text.m2.blocks import Blocks, portions_of, streamed
from geceval.text.m2.edit import Block, EditColumns

_BLANK, _FILLED = map(mark_bits, ("blank", "filled"))


@streamed
def checked_blocks(blocks: Iterable[Block], file: str) -> Iterator[Blocks]:
    """Yield the blocks of an M2 file in portions; then warn of corrections that are empty where the source is not.

    The reverse, words in empty sentences, is also reported.
    """
    accounts: dict[str, OutputAccount] = {}
    for portion in portions_of(blocks):
        _add_one_sided_versions(accounts, file, portion, is_single=False)
        yield portion
    for finding in line_findings(accounts, None):
        finding.warn()


def warn_of_blocks(blocks: Blocks, file: str) -> None:
    """Warn of empty corrections as ``checked_blocks`` does."""
    for _ in checked_blocks(blocks, file).portions:
        pass


def line_findings(accounts: Mapping[str, OutputAccount], blank: Blank | None) -> Iterator[Finding]:
    """Yield the findings of checks of lines, and of cleaning, by name of the file.

    Empty lines of references with a requested reading (``blank``) are none; of a system they are failures all the same.
    """
    for name, account in accounts.items():
        has_reading = blank is not None and account.form == "text"
        checks = [check for check in account.reported() if not (has_reading and check.name == "blank")]
        yield from account.findings(name, checks)
        yield from account.cleaned_findings(name)


def add_one_sided_edits(accounts: dict[str, OutputAccount], part: Corpus) -> None:
    """Count the sentences that annotators and M2 systems empty, and empty sentences to which they add words."""
    if part.gold is not None:
        _add_one_sided_versions(accounts, "gold", part.gold, is_single=len(part.annotators) < 2)
    for name, blocks in part.m2_systems.items():
        _add_one_sided_versions(accounts, f"system {name}", blocks, is_single=True)


def _add_one_sided_versions(accounts: dict[str, OutputAccount], file: str, blocks: Blocks, *, is_single: bool) -> None:
    """Count the sentences of each annotator whose corrected text is empty, unlike the source, or the reverse.

    ``is_single``: the file has one annotator, who is not named.
    """
    columns = EditColumns(blocks.edits)
    lengths = blocks.table.lengths()[columns.version_sentence]
    removed, added = columns.removed_and_added()
    is_emptied = (removed >= lengths) & (added == 0) & (lengths > 0)
    bits = np.where(is_emptied, _BLANK, np.where((lengths == 0) & (added > 0), _FILLED, 0))
    annotators = blocks.edits.annotator
    for annotator in np.unique(annotators).tolist():
        of_annotator = annotators == annotator
        odd_versions = np.flatnonzero(of_annotator & (bits > 0))
        odd = list(zip(columns.version_sentence[odd_versions].tolist(), bits[odd_versions].tolist(), strict=True))
        name = file if is_single else f"{file}, annotator {annotator}"
        account = accounts.setdefault(name, OutputAccount("edits"))
        account.add(0, odd, len(blocks), len(blocks) - int(of_annotator.sum()))
