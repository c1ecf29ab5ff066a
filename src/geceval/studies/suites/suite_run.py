"""A suite from end to end: outputs in, the table of a paper out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from geceval.base.arguments import as_sequence
from geceval.base.errors import GecevalError, InputError, UsageError
from geceval.counting.metric import Metric
from geceval.counting.metric_names import check_judge_is_asked, judge_settings, labels, names
from geceval.counting.stream import Progress, shows_source
from geceval.studies.comparison.compare import comparison_of, resampled
from geceval.studies.comparison.comparison_options import USUAL, Test
from geceval.studies.comparison.comparison_options import Options as ComparisonOptions
from geceval.studies.comparison.comparison_results import Comparison, SystemScore
from geceval.studies.meta.judgments import read_judgments
from geceval.studies.meta.study import StudyOptions, StudyResults, evaluate_metrics, make_study
from geceval.studies.suites.file_locations import Places
from geceval.studies.suites.suite_definition import DataSet, JudgedSet, Measured, Suite
from geceval.studies.suites.suite_files import read_suite
from geceval.text.corpus import TextSource, WithSource
from geceval.text.files import COMPRESSED, SOURCE, is_file, is_folder, path_text
from geceval.text.inputs import Texts
from geceval.text.reading.corpus_files import CorpusFiles

#: What files of outputs may end with, plain or compressed.
ENDINGS = (".txt", ".m2")


@dataclass(frozen=True)
class SetResults:
    """The scores of the systems on a test set.

    ``files``: what was read, by role. ``comparison``: all metrics' scores and intervals, ranks and clusters by tests
    under the ``primary`` one; None where no system has an output. ``metrics``: by their names there, what tables call
    them. ``missing``: systems without an output here.
    """

    of: DataSet
    files: Mapping[str, Any]
    comparison: Comparison | None
    metrics: Mapping[str, str]
    primary: str
    missing: tuple[str, ...] = ()

    def score(self, system: str, metric: str | None = None) -> SystemScore | None:
        """A system's score under a metric (None: the primary one); None where it has no output."""
        rows = () if self.comparison is None else self.comparison.systems
        own = (row for row in rows if (row.system, row.metric) == (system, metric or self.primary))
        return next(own, None)


@dataclass(frozen=True)
class JudgedResults:
    """How metrics agree with people on a judged set."""

    of: JudgedSet
    files: Mapping[str, Any]
    results: StudyResults


@dataclass(frozen=True)
class SuiteResults:
    """All of a run. ``systems``: those that the table has, in order; ``notes``: what is to be told of the files."""

    suite: Suite
    systems: tuple[str, ...]
    sets: tuple[SetResults, ...]
    judged: tuple[JudgedResults, ...] = ()
    notes: tuple[str, ...] = ()

    def average(self, system: str) -> float | None:
        """The mean of a system's primary scores; None where it lacks one."""
        values = [score.value for own in self.sets if (score := own.score(system)) is not None]
        return sum(values) / len(values) if values and len(values) == len(self.sets) else None


def evaluate_suite(
    suite: Suite | str | os.PathLike[str],
    outputs: str | os.PathLike[str] | None = None,
    *,
    data: str | None = None,
    sets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    judge: Mapping[str, Any] | None = None,
    beside: bool = False,
    samples: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    resamples: int = 1000,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> SuiteResults:
    """Score the systems' outputs on all test sets of a suite, and its metrics on the sets that people judged.

    ``suite``: a definition, the path of one, or the name of one that comes with geceval. ``outputs``: a folder with
    one for each system, ``OUTPUTS/SYSTEM/SET.txt`` (or .m2, compressed, too); without it, or also where ``beside``, the
    systems that belong to the definition are scored. ``data``: the folder of the files that are known by checksum.
    ``sets``: the names of those to do (None: all). ``metrics``: specifications, in place of the suite's on every set;
    the first one decides. ``judge``: settings of the metrics that ask a judge, as of ``--judge``, by name.
    ``samples`` replicates by ``seed`` for intervals and tests at ``alpha`` (see compare), ``resamples`` for the
    intervals of agreement. A system without an output for a set is left out there (``missing``), never scored as empty.
    Raises InputError for files that are not there or cannot be, UsageError for what does not exist.
    """
    suite = suite if isinstance(suite, Suite) else read_suite(suite)
    if sets is not None:
        suite = suite.only(as_sequence("sets", sets, "name"))
    if metrics is not None:
        suite = suite.with_metrics(as_sequence("metrics", metrics, "specification"))
    if judge:
        suite = suite.with_judge(judge_settings(judge, "--judge"))
        check_judge_is_asked(suite.metrics())
    places = Places(suite, None if data is None else path_text(data))
    folders = {} if outputs is None else system_folders(path_text(outputs))
    beside = beside or outputs is None
    belonging = [name for of in suite.sets.values() for name in of.systems] if beside else []
    systems = tuple(dict.fromkeys([*folders, *belonging]))
    options = ComparisonOptions(samples=USUAL if samples is None else samples, seed=seed, alpha=alpha, threads=threads)
    scoring = _SuiteScoring(places, options, samples, resamples, progress, checks)
    scored = []
    for of in suite.sets.values():
        files = _outputs(of, folders)
        if beside:
            files = _definition_outputs(of, places, files) | files
        with _naming(of):
            scored.append(scoring.score(of, systems, {name: files[name] for name in systems if name in files}))
    judged = [] if folders else [scoring.judge(of) for of in suite.judged.values()]
    if not scored and not judged:
        raise UsageError(f"{suite.title} has no test set for outputs: it measures agreement with people", hint="no -c")
    if scored and not systems:
        raise UsageError(f"no systems to score on {suite.title}", hint="-c OUTPUTS: a folder with one for each system")
    return SuiteResults(suite, systems, tuple(scored), tuple(judged), tuple(places.notes))


@contextlib.contextmanager
def _naming(of: Measured) -> Iterator[None]:
    """Add the name of the set to the message of what fails within."""
    try:
        yield
    except GecevalError as error:
        error.message = f"{of.name}: {error.message}"
        raise


def system_folders(folder: str) -> dict[str, Path]:
    """Return the systems' folders by name. Raises InputError where there are none."""
    if not is_folder(folder):
        raise InputError("is not a folder", path=folder, hint="outputs stand there as SYSTEM/SET.txt")
    found = {path.name: path for path in sorted(Path(folder).iterdir()) if path.is_dir() and path.name[0] != "."}
    if not found:
        raise InputError("no folders of systems here", path=folder, hint="outputs stand there as SYSTEM/SET.txt")
    if SOURCE in found:
        raise InputError(f"a system is called {SOURCE}, as the unchanged source is", path=folder)
    return found


def _outputs(of: DataSet, folders: Mapping[str, Path]) -> dict[str, str]:
    """Return the systems' outputs for a set, by system; some may have none."""
    outputs: dict[str, str] = {}
    for system, folder in folders.items():
        for stem in of.outputs:
            names = [f"{stem}{ending}{packed}" for ending in ENDINGS for packed in ("", *COMPRESSED)]
            files = [name for name in (stem, *names) if is_file(folder / name)]
            if len(files) > 1:
                message = f"more than one output of {system} for {of.name}: {', '.join(files)}"
                raise InputError(message, path=str(folder), hint='keep one, or name it: outputs = "NAME.m2"')
            if files:
                outputs.setdefault(system, str(folder / files[0]))
    return outputs


def _definition_outputs(of: DataSet, places: Places, outputs: Mapping[str, str]) -> dict[str, str]:
    """Return the outputs that belong to the definition of a set, but for systems that have another one.

    ``places`` notes why one cannot be used.
    """
    faults = {name: places.fault(path) for name, path in of.systems.items() if name not in outputs}
    places.notes += [fault for fault in faults.values() if fault is not None and fault not in places.notes]
    return {name: places.path(of.systems[name]) for name, fault in faults.items() if fault is None}


def read_files(of: Measured, places: Places, systems: Mapping[str, str], threads: int = 0) -> CorpusFiles:
    """The corpus of a set, with ``systems`` by name: the path of an output. Raises InputError for what is not there."""
    m2 = [name for name, path in of.systems.items() if places.is_m2(path) and systems.get(name) == places.path(path)]
    return _located(of.texts, places).corpus(systems, m2_systems=m2, threads=threads)


def _located(texts: Texts, places: Places) -> Texts:
    """The texts by the paths of their files."""
    return replace(
        texts,
        source=None if texts.source is None else places.path(texts.source),
        references=tuple(places.path(path) for path in texts.references),
        gold=None if texts.gold is None else places.path(texts.gold),
    )


def named_files(of: Measured, places: Places, systems: Mapping[str, str]) -> dict[str, Any]:
    """The files of a set, by role."""
    texts = _located(of.texts, places)
    named = {"source": texts.source, "references": list(texts.references), "gold": texts.gold}
    return named | {"systems": dict(systems)}


@dataclass(frozen=True)
class _SuiteScoring:
    """How the sets of a suite are scored; see ``evaluate_suite``."""

    places: Places
    options: ComparisonOptions
    samples: int | None
    resamples: int
    progress: Progress | None
    checks: bool

    def score(self, of: DataSet, systems: Sequence[str], files: Mapping[str, str]) -> SetResults:
        """Score the systems that have a file. Errors: see ``evaluate_suite``."""
        metrics: list[Metric[Any]] = list(dict.fromkeys(of.make_metrics()))
        labels_by_name = dict(zip(names(metrics), labels(metrics), strict=True))
        decisive = metrics[metrics.index(of.make_metrics([of.primary])[0])]
        primary = list(labels_by_name)[metrics.index(decisive)]
        missing = tuple(name for name in systems if name not in files)
        comparison = self._compare(of, metrics, decisive, files) if files else None
        roles = named_files(of, self.places, files)
        return SetResults(of, roles, comparison, labels_by_name, primary, missing)

    def _compare(
        self, of: DataSet, metrics: Sequence[Metric[Any]], decisive: Metric[Any], files: Mapping[str, str]
    ) -> Comparison:
        corpus: TextSource = read_files(of, self.places, files, self.options.threads)
        if shows_source(metrics):
            corpus = WithSource(corpus)
        test: Test = "bootstrap" if decisive.pooled else "randomisation"
        options = replace(self.options, test=test, pairs="all" if len(files) > 1 else "none")
        if self.samples is None:
            options = options.with_enough(corpus.system_names, 1)
        counts = resampled(corpus, metrics, options, progress=self.progress, checks=self.checks, under=[decisive])
        return comparison_of(corpus, counts, options)

    def judge(self, of: JudgedSet) -> JudgedResults:
        """Compare the metrics of a judged set with people."""
        systems = {name: self.places.path(path) for name, path in of.systems.items()}
        with _naming(of):
            metrics, threads = of.make_metrics(), self.options.threads
            results = agreement(of, self.places, metrics, self.resamples, threads, self.progress)
        files = named_files(of, self.places, systems) | {"judgments": self.places.path(of.judgments)}
        return JudgedResults(of, files, results)


def agreement(
    of: JudgedSet,
    places: Places,
    metrics: Sequence[Metric[Any]],
    resamples: int,
    threads: int,
    progress: Progress | None = None,
) -> StudyResults:
    """Return how metrics agree with people on a judged set. Errors: see studies.meta.study."""
    options = StudyOptions(measure=of.human, aggregation=of.aggregation, resamples=resamples, threads=threads)
    systems = {name: places.path(path) for name, path in of.systems.items()}
    corpus = read_files(of, places, systems, threads).whole()
    judgments = read_judgments(places.path(of.judgments))
    study = make_study(judgments, corpus, numbering=of.numbering, exclude=of.exclude, judged_only=of.judged_only)
    return evaluate_metrics(study, metrics, options, progress)
