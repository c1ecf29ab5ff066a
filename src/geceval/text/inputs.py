"""Names of files and their preparation, of which ``Texts.corpus`` makes a corpus.

Commands and suites share this. Modules that need numpy are imported when a corpus is opened.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geceval.base.errors import UsageError
from geceval.text.files import duplicate_system_error, named_systems
from geceval.text.preparation import Preparation

if TYPE_CHECKING:
    from geceval.text.m2.cherrant_dialect import Dialect
    from geceval.text.m2.conversion.suggestions import Offsets
    from geceval.text.m2.edit import GoldEdits, Missing, Overlaps
    from geceval.text.reading.corpus_files import CorpusFiles
    from geceval.text.reading.table_columns import TableColumns


@dataclass(frozen=True)
class Texts:
    """The texts of a corpus by the names of their files, and their preparation.

    Attributes:
        source: file of sentences; by default the source is taken from ``gold``.
        references: files of references; by default references are made from ``gold``.
        gold: M2 file of gold edits.
        missing: the text of an annotator without a line in a block of ``gold``.
        overlaps: treatment of edits of ``gold`` that overlap.
        dialect: dialect of M2 files.
        offsets: unit of the offsets of suggestions.
        gold_edits: the gold edits of metrics on edits; see Corpus.
        steps: the arguments of Preparation.
    """

    source: str | None = None
    references: tuple[str, ...] = ()
    gold: str | None = None
    missing: Missing = "fallback"
    overlaps: Overlaps = "error"
    dialect: Dialect = "auto"
    offsets: Offsets = "auto"
    gold_edits: GoldEdits = "as-given"
    steps: Mapping[str, Any] = field(default_factory=dict)

    def preparation(self, threads: int = 0) -> Preparation:
        """Return the preparation of the texts. Raises the errors of Preparation."""
        return Preparation(**self.steps, threads=threads)

    @property
    def paths(self) -> tuple[str, ...]:
        """All files of the texts."""
        return tuple(path for path in (self.source, *self.references, self.gold) if path is not None)

    def corpus(
        self,
        systems: Mapping[str, str],
        *,
        labels: str | None = None,
        table: TableColumns | None = None,
        m2_systems: Collection[str] = (),
        threads: int = 0,
    ) -> CorpusFiles:
        """Return the corpus of these texts and the systems' files; see corpus_files.

        Args:
            systems: name -> file.
            labels: file of labels, one per sentence.
            table: the table that contains other texts.
            m2_systems: names of the systems whose files are M2.
            threads: number of threads that prepare texts; 0 means one per processor.

        Returns:
            A corpus that is read in parts.
        """
        from geceval.text.reading.corpus_files import corpus_files

        return corpus_files(
            self.source,
            self.references,
            systems,
            self.gold,
            missing=self.missing,
            overlaps=self.overlaps,
            labels=labels,
            prepare=self.preparation(threads),
            dialect=self.dialect,
            offsets=self.offsets,
            table=table,
            m2_systems=m2_systems,
            gold_edits=self.gold_edits,
        )


def name_and_file(argument: str) -> tuple[str | None, str]:
    """Split ``NAME=FILE`` into name and file; the name is None without one.

    An argument that names an existing file is that file. A name contains no slash, so ./a=b.txt is a file.
    """
    name, equals, path = argument.partition("=")
    if not (name and equals and path) or "/" in name or Path(argument).exists():
        return None, argument
    return name, path


def systems_of(given: Sequence[str], *, runs: bool = False) -> dict[str, str]:
    """Return name -> file, from ``FILE``, ``NAME=FILE`` or ``NAME=FILE,FILE``.

    Several files are runs of one system, with names by number from 1. They are written as in CSV: a file with a comma
    in its name is quoted. The name of an existing file is not split.

    Raises UsageError if a system is given twice, or has several runs, without ``runs``.
    """
    files, names, taken = list[str](), list[str | None](), list[str | None]()
    for argument in given:
        name, path = name_and_file(argument)
        own = [path] if name is None or Path(path).exists() else next(csv.reader([path]))
        if len(own) > 1 and not runs:
            hint = f"name one run: -c {name}={own[0]}; the corpus scores of geceval score and compare take all"
            raise UsageError(f"{name} has {len(own)} runs; one can be used here", hint=hint)
        if name is not None and name in taken:
            raise duplicate_system_error(name)
        taken.append(name)
        files += own
        names += [f"{name} run {number}" for number in range(1, len(own) + 1)] if len(own) > 1 else [name]
    return named_systems(files, names)
