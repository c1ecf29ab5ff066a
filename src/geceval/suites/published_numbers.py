"""Verify the published numbers of a suite on its data."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from geceval.base.arguments import as_sequence
from geceval.base.errors import UsageError
from geceval.base.hints import Hint
from geceval.counting.metric_names import labels
from geceval.counting.run_options import Progress
from geceval.counting.system_results import system_results
from geceval.suites.file_locations import FileLocations
from geceval.suites.suite_definition import AGREEMENTS, DataSet, JudgedSet, Measured, Published, Suite
from geceval.suites.suite_files import read_suite
from geceval.suites.suite_run import agreement, read_files
from geceval.text.files import path_text

#: equal: in all printed digits; explained: different for a reason that the definition gives; different; missing: files
#: are missing.
VerdictOutcome: TypeAlias = Literal["equal", "explained", "different", "missing"]


@dataclass(frozen=True)
class Verdict:
    """A published number and the number that geceval computes.

    Attributes:
        published: Published numbers of which this is one.
        what: Name of the system or of the correlation.
        value: Published number, as printed.
        ours: Computed number on the published scale; None if files are missing.
        metric: Label of the metric.
        signature: Signature of the metric.
        missing: Missing files and their origin.
    """

    published: Published
    what: str
    value: str
    ours: float | None
    metric: str
    signature: str = ""
    missing: str = ""

    @property
    def outcome(self) -> VerdictOutcome:
        """Result of the comparison of both numbers."""
        if self.ours is None:
            return "missing"
        if _prints_as(self.ours, self.value):
            return "equal"
        here = self.published.here.get(self.what)
        return "explained" if here is not None and _prints_as(self.ours, here) else "different"


def digits_of(printed: str) -> int:
    """Return the number of printed decimals."""
    return len(printed.partition(".")[2])


def _prints_as(value: float, printed: str) -> bool:
    # Halves may be rounded up or down.
    return bool(abs(value - float(printed)) <= 0.5 * 10 ** -digits_of(printed) + 1e-9)


@dataclass(frozen=True)
class Verification:
    """Result of a verification.

    Attributes:
        verdicts: One verdict per published number.
        notes: Notes on the files.
        faults: Files of the definition that are missing or altered, whether a number depends on them or not.
        remedy: Hint for these files.
    """

    verdicts: list[Verdict]
    notes: list[str]
    faults: list[str]
    remedy: Hint | None


def verify_suite(
    suite: Suite | str | os.PathLike[str],
    *,
    data: str | None = None,
    sets: Sequence[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> tuple[list[Verdict], list[str]]:
    """Compare the published numbers of a suite with numbers computed from its data.

    Args:
        suite: Suite, path of a definition, or name of a bundled suite.
        data: Folder of the files that are known by checksum.
        sets: Names of the sets to verify (None: all).
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.

    Returns:
        One verdict per published number, and notes on the files.

    Raises:
        UsageError: If the suite has no published numbers, or a set does not exist.
        InputError: If a file is not valid.
    """
    suite = suite if isinstance(suite, Suite) else read_suite(suite)
    verification = verified_suite(suite, data, sets, threads, progress)
    return verification.verdicts, verification.notes


def verified_suite(
    suite: Suite, data: str | None, sets: Sequence[str] | None, threads: int, progress: Progress | None
) -> Verification:
    """Verify the published numbers and the files of a suite; see ``verify_suite``."""
    if sets is not None:
        suite = suite.only(as_sequence("sets", sets, "name"))
    if not suite.published:
        raise UsageError(f"{suite.title} has no published numbers", hint="add [[published]] to the definition")
    locations = FileLocations(suite, None if data is None else path_text(data))
    verdicts: list[Verdict] = []
    for name in dict.fromkeys(number.of for number in suite.published):
        numbers = [number for number in suite.published if number.of == name]
        measured = suite.all_sets[name]
        if isinstance(measured, DataSet):
            verdicts += _verify_scores(measured, numbers, locations, threads, progress)
        elif isinstance(measured, JudgedSet):
            verdicts += _verify_agreements(measured, numbers, locations, threads, progress)
    faults: list[str] = []
    for measured in suite.all_sets.values():
        faults += locations.faults(measured, measured.files)
    return Verification(verdicts, locations.notes, list(dict.fromkeys(faults)), locations.remedy if faults else None)


def _find_missing(measured: Measured, locations: FileLocations, paths: Mapping[str, str]) -> dict[str, str]:
    """Return the reason for each missing file by name, with the file's origin."""
    faults = {name: locations.fault(measured, path) for name, path in paths.items()}
    return {name: fault for name, fault in faults.items() if fault is not None}


def _verify_scores(
    data_set: DataSet, numbers: Sequence[Published], locations: FileLocations, threads: int, progress: Progress | None
) -> Iterator[Verdict]:
    texts = _find_missing(data_set, locations, {path: path for path in data_set.texts.paths})
    systems_named = dict.fromkeys(name for number in numbers for name in number.scores)
    absent = _find_missing(data_set, locations, {name: data_set.systems[name] for name in systems_named})
    systems = {name: locations.path(data_set, data_set.systems[name]) for name in systems_named if name not in absent}
    metrics = [data_set.make_metrics([number.metric])[0] for number in numbers]
    heads = dict(zip(metrics, labels(metrics), strict=True))
    results: Mapping[str, Sequence[Any]] = {}
    if systems and not texts:
        corpus = read_files(data_set, locations, systems, threads)
        views = list(dict.fromkeys(number.level for number in numbers))
        results = system_results(corpus, list(heads), views=views, threads=threads, progress=progress, checks=False)
    for number, metric in zip(numbers, metrics, strict=True):
        for name, value in number.scores.items():
            missing = "; ".join(texts.values()) or absent.get(name, "")
            if missing:
                yield Verdict(number, name, value, None, heads[metric], missing=missing)
                continue
            score = results[name][list(heads).index(metric)].score(number.level)
            ours = score.value * metric.scale.factor
            yield Verdict(number, name, value, ours, heads[metric], score.signature)


def _verify_agreements(
    judged_set: JudgedSet,
    numbers: Sequence[Published],
    locations: FileLocations,
    threads: int,
    progress: Progress | None,
) -> Iterator[Verdict]:
    missing_files = _find_missing(judged_set, locations, {path: path for path in judged_set.files})
    missing = "; ".join(dict.fromkeys(missing_files.values()))
    metrics = [judged_set.make_metrics([number.metric])[0] for number in numbers]
    heads = labels(metrics)
    results = [] if missing else agreement(judged_set, locations, metrics, 0, threads, progress).metrics
    for index, number in enumerate(numbers):
        for name, value in number.scores.items():
            if missing:
                yield Verdict(number, name, value, None, heads[index], missing=missing)
            else:
                ours = float(getattr(results[index].agreement, AGREEMENTS[name]))
                yield Verdict(number, name, value, ours, heads[index], results[index].scores.signature)
