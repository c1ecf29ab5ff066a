"""Definition of a suite: data files with checksums, test sets, judged sets, published numbers."""

from __future__ import annotations

import functools
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from geceval.base.arguments import choice, is_text
from geceval.base.errors import UsageError
from geceval.base.package_tables import table_rows
from geceval.counting.metric import Metric
from geceval.counting.metric_names import metrics_of_specs, parse_specs, spec_of
from geceval.text.blank_texts import Blank
from geceval.text.files import has_ending, is_read_once, open_bytes
from geceval.text.m2.edit import GoldEdits
from geceval.text.reading.corpus_files import CorpusFiles

#: Number of characters that are read at a time.
CHARACTERS_PER_READ = 1 << 20


@dataclass(frozen=True)
class KnownFile:
    """A file with a checksum.

    Attributes:
        checksum: The ``text_checksum`` of its content.
        id: Name in suites, such as ``@conll14/gold`` without ``@``.
        name: Published file name.
        origin: Place of publication.
        path: Path below the data folder (None: any file with the checksum).
    """

    checksum: str
    id: str
    name: str
    origin: str = ""
    path: str | None = None

    def __str__(self) -> str:
        origin = f", {self.origin}" if self.origin else ""
        return f"@{self.id} is {self.name}, SHA-256 {self.checksum[:16]}…{origin}"

    @property
    def is_m2(self) -> bool:
        """Whether it contains edits; CLEME publishes edits of ERRANT as ``.errant``."""
        return has_ending(self.name, ".m2", ".errant")


@functools.cache
def known_files() -> Mapping[str, KnownFile]:
    """Return the published files by id."""
    files = (KnownFile(*row) for row in table_rows(Path(__file__).with_name("known_files.tsv")))
    return {file.id: file for file in files}


def text_checksum(path: str, longest: int | None = None) -> str | None:
    """Return the SHA-256 of a file with LF line ends, without byte order mark.

    The last line has a line end as well. The file may be compressed. None if the text is longer than ``longest``
    characters, the rest of which are not read.

    Raises InputError if the file cannot be read.
    """
    digest, length, last = sha256(), 0, ""
    with (
        open_bytes(path, tracked=False) as stream,
        io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline=None) as text,
    ):
        while part := text.read(CHARACTERS_PER_READ):
            digest.update(part.encode("utf-8", "surrogateescape"))
            length, last = length + len(part), part[-1]
            if longest is not None and length > longest:
                return None
    if last != "\n":
        digest.update(b"\n")
    return digest.hexdigest()


def files_below(folder: str, refused: Callable[[OSError], None]) -> Iterator[str]:
    """Yield the files in a folder and its subfolders, by path.

    Hidden files, pipes and links to folders are left out. ``refused`` receives errors of folders.
    """
    for root, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = str(Path(root, name))
            path = path if path != "-" else "./-"  # "-" is standard input
            if not name.startswith(".") and not is_read_once(path):
                yield path


#: Published correlations of a metric with people, by symbol.
AGREEMENTS = {"r": "pearson", "ρ": "spearman"}
#: Key of a reason for all numbers.
EVERY = "*"

#: Objectives of metrics: head in tables, and the texts that are rewarded.
OBJECTIVES = {
    "precision": ("precision-oriented", "corrections that annotators made; a wrong one costs more than a missed one"),
    "recall": (
        "recall-oriented",
        "text that has the annotators' corrections; a missed one costs more than a wrong one",
    ),
    "reference-free": (
        "reference-free",
        "text that a model finds correct and close to the source; references are not read",
    ),
}


@dataclass(frozen=True)
class Measured:
    """A test set or a judged set.

    Attributes:
        name: Name of the set.
        texts: Source, references or gold edits, and their preparation.
        metrics: Specifications of the metrics.
        title: Title in tables.
        unit: Unit of metrics with this setting.
        annotator: Annotator of metrics with this setting.
        systems: Outputs that belong to the definition, by system.
        judge: Settings of metrics that use a judge.
        path: Path of the definition (empty: path of the suite); file names are relative to its folder.
        known: Files with paths and checksums that the definition lists, by id.
    """

    name: str
    texts: CorpusFiles
    metrics: tuple[str, ...]
    title: str = ""
    unit: str | None = None
    annotator: str | None = None
    systems: Mapping[str, str] = field(default_factory=dict)
    judge: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""
    known: Mapping[str, KnownFile] = field(default_factory=dict)
    #: Roles of its files.
    roles: ClassVar[tuple[str, ...]] = ("source", "references", "gold")

    @property
    def files(self) -> tuple[str, ...]:
        """All files that the definition names."""
        return (*self.texts.paths, *self.systems.values())

    def with_file(self, role: str, paths: Sequence[str]) -> Self:
        """Return the set with other files in a role.

        Raises UsageError if the role does not exist, or has one file and several are given.
        """
        choice(f"a file of {self.name}", role, self.roles)
        if len(paths) > 1 and role != "references":
            raise UsageError(f"{self.name}.{role} must be one file, not {len(paths)}")
        changed: dict[str, Any] = {role: tuple(paths) if role == "references" else paths[0]}
        return replace(self, **({"texts": replace(self.texts, **changed)} if role in Measured.roles else changed))

    def with_metrics(self, specs: tuple[str, ...]) -> Self:
        """Return the set with other metrics."""
        return replace(self, metrics=specs)

    def make_metrics(self, specs: Sequence[str] | None = None) -> list[Metric[Any]]:
        """Return the metrics of the set or of other specifications.

        Raises UsageError if a specification is not valid.
        """
        defaults = {"unit": self.unit, "annotator": self.annotator}
        return metrics_of_specs(self.metrics if specs is None else specs, defaults, judge=self.judge)


@dataclass(frozen=True)
class DataSet(Measured):
    """A test set.

    Attributes:
        primary: Specification of the metric in the table, which ranks the systems.
        outputs: Names of the systems' files, ``OUTPUTS/SYSTEM/NAME.txt``, of which the first existing one is read.
        blocks: File with a label per sentence, such as its essay; intervals and tests draw whole blocks.
        objectives: Objectives of metrics, by specification.
    """

    primary: str = ""
    outputs: tuple[str, ...] = ()
    blocks: str | None = None
    objectives: Mapping[str, str] = field(default_factory=dict)

    roles: ClassVar[tuple[str, ...]] = (*Measured.roles, "blocks")

    @property
    def files(self) -> tuple[str, ...]:
        """All files that the definition names."""
        return (*super().files, *self.inputs_beside)

    @property
    def inputs_beside(self) -> tuple[str, ...]:
        """The file of blocks, if the set has one."""
        return () if self.blocks is None else (self.blocks,)

    def with_metrics(self, specs: tuple[str, ...]) -> Self:
        """Return the set with other metrics, of which the first is the primary one."""
        return replace(self, metrics=specs, primary=specs[0])


@dataclass(frozen=True)
class JudgedSet(Measured):
    """A set of systems that people judged, with options of ``geceval meta``."""

    judgments: str = ""
    human: str | None = None
    aggregation: str = "corpus"
    numbering: str = "auto"
    exclude: tuple[str, ...] = ()
    judged_only: bool = False

    roles: ClassVar[tuple[str, ...]] = (*Measured.roles, "judgments")

    @property
    def files(self) -> tuple[str, ...]:
        """All files that the definition names."""
        return (*super().files, self.judgments)


@dataclass(frozen=True)
class Published:
    """Published numbers of a metric on a set, for verification.

    Attributes:
        of: Name of the set.
        metric: Specification of the metric.
        scores: Numbers as printed, scores times 100, by system, or by AGREEMENTS for a judged set.
        by: Publication, or, if ``recorded``, the public tool.
        recorded: Whether the numbers were recorded from a public tool on these files.
        level: Level of the scores: "corpus", or "mean" of sentence scores.
        here: Numbers that geceval computes, by key, if known to differ from ``scores``.
        why: Reasons for the differences, by key or for EVERY one.
    """

    of: str
    metric: str
    scores: Mapping[str, str]
    by: str
    recorded: bool = False
    level: Literal["corpus", "mean"] = "corpus"
    here: Mapping[str, str] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)

    def reason(self, key: str) -> str | None:
        """Return why a number is known to differ; None if it must be equal."""
        return self.why.get(key, self.why.get(EVERY)) if key in self.here else None


@dataclass(frozen=True)
class Suite:
    """Definition of a suite.

    Attributes:
        path: Path of the definition, or name of a bundled one.
        title: Title of the suite.
        sets: Test sets by name.
        judged: Judged sets by name.
        published: Published numbers.
        average: Whether the table has a column with the mean of the primary scores.
        about: Origin of the data, in words.
    """

    path: str
    title: str
    sets: Mapping[str, DataSet] = field(default_factory=dict)
    judged: Mapping[str, JudgedSet] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    average: bool = False
    about: str = ""

    @property
    def all_sets(self) -> dict[str, Measured]:
        """Test sets and judged sets by name."""
        return {**self.sets, **self.judged}

    def with_metrics(self, specs: Sequence[str]) -> Suite:
        """Return the suite with other metrics on all sets.

        Args:
            specs: Specifications of metrics, such as "green:unit=char".

        Raises:
            UsageError: If a specification is not valid.
        """
        if not all(map(is_text, specs)):
            raise UsageError("metrics must be specifications, such as green:unit=char")
        metrics = tuple(spec_of(*spec) for spec in parse_specs(specs))
        if not metrics:
            raise UsageError("metrics is empty")
        return self._with_each(lambda measured: measured.with_metrics(metrics))

    def with_gold_edits(self, gold_edits: GoldEdits) -> Suite:
        """Return the suite with these gold edits on all sets that have some."""

        def changed(texts: CorpusFiles) -> CorpusFiles:
            return texts if texts.gold is None else replace(texts, gold_edits=gold_edits)

        return self._with_each(lambda measured: replace(measured, texts=changed(measured.texts)))

    def with_blank(self, blank: Blank) -> Suite:
        """Return the suite with this reading of empty texts on all sets."""
        return self._with_each(lambda measured: replace(measured, texts=replace(measured.texts, blank=blank)))

    def with_judge(self, settings: Mapping[str, Any]) -> Suite:
        """Return the suite with additional settings of metrics that use a judge."""
        return self._with_each(lambda measured: replace(measured, judge={**measured.judge, **settings}))

    def with_files(self, files: Mapping[str, Sequence[str]]) -> Suite:
        """Return the suite with other files of its sets.

        Args:
            files: Paths by set and role, relative to the working directory: ``{"conll14.gold": ["gold.m2"]}``.

        Raises:
            UsageError: If a set or a role does not exist, or several files have a role of one file.
        """
        sets_by_name = self.all_sets
        for key, paths in files.items():
            name, _, role = key.rpartition(".")
            choice("a set", name, sets_by_name)
            absolute = [path if path.startswith("@") else str(Path(path).absolute()) for path in paths]
            sets_by_name[name] = sets_by_name[name].with_file(role, absolute)
        return self._with_each(lambda measured: sets_by_name[measured.name])

    def _with_each(self, change: Callable[[Any], Any]) -> Suite:
        """Return the suite with each set changed."""
        sets = {name: change(data_set) for name, data_set in self.sets.items()}
        judged = {name: change(judged_set) for name, judged_set in self.judged.items()}
        return replace(self, sets=sets, judged=judged)

    def metrics(self) -> Iterator[Metric[Any]]:
        """Yield the metrics of all sets."""
        for measured in self.all_sets.values():
            yield from measured.make_metrics()

    def only(self, names: Sequence[str]) -> Suite:
        """Return the suite with some sets only.

        Args:
            names: Names of the sets.

        Raises:
            UsageError: If a set does not exist.
        """
        for name in names:
            choice("a set", name, self.all_sets)
        return replace(
            self,
            sets={name: data_set for name, data_set in self.sets.items() if name in names},
            judged={name: judged_set for name, judged_set in self.judged.items() if name in names},
            published=tuple(numbers for numbers in self.published if numbers.of in names),
        )

    @staticmethod
    def joined(suites: Sequence[Suite]) -> Suite:
        """Return one suite with the sets of several.

        Raises UsageError if two sets have the same name.
        """
        suite_of_set: dict[str, Suite] = {}
        for suite in suites:
            for name in suite.all_sets:
                if name in suite_of_set:
                    raise UsageError(f"{name} is a set of {suite_of_set[name].path} and of {suite.path}")
                suite_of_set[name] = suite
        parts = [suite._with_each(partial(_in_file, suite.path)) for suite in suites]
        return Suite(
            " ".join(suite.path for suite in suites),
            ", ".join(suite.title for suite in suites),
            {name: data_set for suite in parts for name, data_set in suite.sets.items()},
            {name: judged_set for suite in parts for name, judged_set in suite.judged.items()},
            tuple(number for suite in suites for number in suite.published),
            all(suite.average for suite in suites),
            "".join(suite.about for suite in suites),
        )


def _in_file(path: str, measured: Measured) -> Measured:
    """Return a set with the path of its definition."""
    return replace(measured, path=measured.path or path)
