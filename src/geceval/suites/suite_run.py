"""Run a suite: score the systems' outputs on all of its sets."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, get_args

from geceval.agreement.judgments import read_judgments
from geceval.agreement.meta_evaluation import evaluate_metrics
from geceval.agreement.study import StudyOptions, make_study
from geceval.agreement.study_results import StudyResults
from geceval.base.arguments import as_sequence, choice
from geceval.base.caller_warnings import deferred_warnings, warn
from geceval.base.errors import GecevalError, GecevalWarning, InputError, UsageError, short_traceback
from geceval.base.hints import AnyHint, Hint, Option, Step
from geceval.counting.comparison_options import Options as ComparisonOptions
from geceval.counting.comparison_options import Test, TestedPairs, members_of
from geceval.counting.groupings import CountGroups
from geceval.counting.judge_settings import check_judge_is_asked, judge_settings
from geceval.counting.metric import Metric
from geceval.counting.metric_names import labels, names
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.stream import USUAL_BLOCK, shows_source
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import Comparison
from geceval.resampling.resampled_systems import resample_systems
from geceval.suites.file_locations import FileLocations
from geceval.suites.output_folders import OutputFolders
from geceval.suites.suite_definition import DataSet, JudgedSet, Measured, Suite, text_checksum
from geceval.suites.suite_files import KEYS_OF_OPTIONS, read_suite
from geceval.suites.suite_results import JudgedResults, Rejected, SetResults, SuiteResults
from geceval.text.blank_texts import Blank, check_reading
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE, is_read_once, path_text
from geceval.text.m2.edit import GoldEdits
from geceval.text.reading.corpus_files import CorpusFiles, CorpusReader
from geceval.text.reading.lines import read_lines

#: Parts of scores by metric and system.
PartsOfMetrics: TypeAlias = Mapping[Metric[Any], Mapping[str, Mapping[str, float | None]]]


@short_traceback
def evaluate_suite(
    suite: Suite | str | os.PathLike[str],
    outputs: str | os.PathLike[str] | None = None,
    *,
    data: str | None = None,
    sets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    judge: Mapping[str, Any] | None = None,
    gold_edits: GoldEdits | None = None,
    blank: Blank | None = None,
    beside: bool = False,
    baseline: str | None = None,
    samples: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    resamples: int = 1000,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> SuiteResults:
    """Score systems on all test sets of a suite, and metrics on judged sets.

    A system without an output for a set is missing there, and is not scored as empty. Outputs that cannot be read are
    rejected; the others are scored.

    Args:
        suite: Suite, path of a definition, or name of a bundled suite.
        outputs: Folder with one folder per system, ``OUTPUTS/SYSTEM/SET.txt`` or ``.m2``, optionally compressed
            (None: score the systems of the definition). A system that was run several times has one folder per run,
            ``OUTPUTS/SYSTEM/RUN/SET.txt``; its scores are means.
        data: Folder of the files that are known by checksum.
        sets: Names of the sets to score (None: all).
        metrics: Specifications that replace the metrics of all sets; the first one is the primary metric.
        judge: Settings of metrics that use a judge, as in ``--judge``, by name.
        gold_edits: Gold edits of metrics on edits, "as-given" or "reannotated" (None: as each set states).
        blank: Reading of empty references and outputs next to a sentence, "unchanged", "missing" (references only) or
            "empty" (None: as each set states).
        beside: Also score the systems of the definition.
        baseline: System that every other system is tested against, on the sets where it has an output (None: test all
            pairs).
        samples: Number of replicates of intervals and tests, from 1 to 1,000,000 (None: enough for all tests).
        seed: Seed of the replicates, from 0 to 2**64 - 1.
        alpha: Significance level, above 0 and at most 0.999.
        resamples: Number of replicates of intervals of agreement on judged sets; 0 computes no intervals.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        Scores on all test sets, agreement on all judged sets, and notes on the files.

    Raises:
        InputError: If a required file of the definition is missing, altered or invalid, a system has files but no
            output, or the output of the baseline cannot be scored.
        UsageError: If a set or metric does not exist, or no system can be scored.
    """
    suite = suite if isinstance(suite, Suite) else read_suite(suite)
    stems = {stem for data_set in suite.sets.values() for stem in data_set.outputs}
    suite = _changed(suite, sets, metrics, judge, gold_edits, blank)
    locations = FileLocations(suite, None if data is None else path_text(data))
    folders = OutputFolders.of(None if outputs is None else path_text(outputs))
    beside = beside or outputs is None
    of_definition = [name for data_set in suite.sets.values() for name in data_set.systems] if beside else []
    systems = tuple(dict.fromkeys([*folders.folders, *of_definition]))
    names = tuple(dict.fromkeys([*folders.systems, *of_definition]))
    if baseline is not None:
        choice("baseline", baseline, names)
    options = ComparisonOptions(baseline, seed=seed, alpha=alpha, threads=threads, runs=folders.runs)
    scoring = _SuiteScoring(locations, options, samples, resamples, progress, checks)
    outputs_of = {data_set.name: folders.outputs(data_set) for data_set in suite.sets.values()}
    requested = {
        set_name: {name: path for name, path in suite.sets[set_name].systems.items() if beside and name not in files}
        for set_name, files in outputs_of.items()
    }
    _check_files(suite, locations, requested, judges=not folders.systems)
    notes, misnamed = folders.unused_files(suite, outputs_of, stems)
    locations.notes += notes
    if baseline in misnamed or (misnamed and not any(outputs_of.values())):
        raise misnamed.get(baseline or "", next(iter(misnamed.values())))
    unread = [Rejected(system, str(folders.folders[system]), error) for system, error in misnamed.items()]
    scored = []
    for data_set in suite.sets.values():
        files = {name: locations.path(data_set, path) for name, path in requested[data_set.name].items()}
        files |= outputs_of[data_set.name]
        with _naming(data_set):
            results = scoring.score(data_set, systems, {name: files[name] for name in systems if name in files})
            scored.append(replace(results, rejected=(*results.rejected, *unread)))
    if scored and all(results.comparison is None for results in scored):
        for results in scored:
            for rejected in results.rejected:
                with _naming(results.of):
                    raise rejected.error
    judged = [] if folders.systems else [scoring.judge(data_set) for data_set in suite.judged.values()]
    if not scored and not judged:
        message = f"{suite.title} has no test set: it measures agreement with people and takes no outputs"
        raise UsageError(message, hint=Hint("omit ", Step(Hint(Option("systems")), "outputs=")))
    if scored and not systems:
        message = f"no systems to score on {suite.title}"
        raise UsageError(
            message,
            hint=Hint(
                "use ",
                Step(Hint(Option("systems", "OUTPUTS")), "outputs=OUTPUTS"),
                ", a folder with one folder per system",
            ),
        )
    return SuiteResults(suite, names, tuple(scored), tuple(judged), tuple(locations.notes))


def _changed(
    suite: Suite,
    sets: Sequence[str] | None,
    metrics: Sequence[str] | None,
    judge: Mapping[str, Any] | None,
    gold_edits: GoldEdits | None,
    blank: Blank | None,
) -> Suite:
    """Return a suite with the sets, metrics and settings of a run; see evaluate_suite."""
    if sets is not None:
        suite = suite.only(as_sequence("sets", sets, "name"))
    if metrics is not None:
        suite = suite.with_metrics(as_sequence("metrics", metrics, "specification"))
    if gold_edits is not None:
        choice("gold_edits", gold_edits, get_args(GoldEdits))
        suite = suite.with_gold_edits(gold_edits)
    if blank is not None:
        check_reading(blank)
        suite = suite.with_blank(blank)
    if judge:
        suite = suite.with_judge(judge_settings(judge, "--judge"))
        check_judge_is_asked(suite.metrics())
    return suite


def _check_files(
    suite: Suite, locations: FileLocations, requested: Mapping[str, Mapping[str, str]], *, judges: bool
) -> None:
    """Raise InputError that lists the files that cannot be used: known ones of the texts, and requested outputs."""
    faults: list[str] = []
    for judged_set in suite.judged.values() if judges else ():
        faults += locations.faults(judged_set, judged_set.files)
    for data_set in suite.sets.values():
        known = [path for path in (*data_set.texts.paths, *data_set.inputs_beside) if path.startswith("@")]
        faults += locations.faults(data_set, (*known, *requested[data_set.name].values()))
    if faults:
        message = f"files of {suite.title} cannot be used:\n  " + "\n  ".join(dict.fromkeys(faults))
        raise InputError(
            message,
            hint=Hint(
                locations.remedy,
                ", and ",
                Step(Hint(Option("systems", "OUTPUTS")), "outputs=OUTPUTS"),
                " your systems only",
            ),
        )


@contextlib.contextmanager
def _naming(measured: Measured) -> Iterator[None]:
    """Add the name of the set to the messages of errors and warnings within."""
    warnings: list[GecevalWarning] = []
    try:
        with deferred_warnings() as warnings:
            yield
    except GecevalError as error:
        error.message, error.hint = f"{measured.name}: {error.message}", _with_key(measured, error.hint)
        raise
    finally:
        for warning in warnings:
            message, hint = f"{measured.name}: {warning.message}", _with_key(measured, warning.hint) or ""
            warn(GecevalWarning(message, hint, check=warning.check, file=warning.file, minor=warning.minor))


def _with_key(measured: Measured, hint: AnyHint | None) -> AnyHint | None:
    """Return a hint with the keys of the definition that its options have."""
    if not isinstance(hint, Hint):
        return hint
    keys = [name for name in dict.fromkeys(option.name for option in hint.options) if name in KEYS_OF_OPTIONS]
    if not keys:
        return hint
    kind = "sets" if isinstance(measured, DataSet) else "judged"
    noun = "key" if len(keys) == 1 else "keys"
    return Hint(hint, f" (in the definition, the {noun} {' and '.join(keys)} of [{kind}.{measured.name}])")


def read_files(
    measured: Measured, locations: FileLocations, systems: Mapping[str, str], threads: int = 0
) -> CorpusReader:
    """Return the corpus of a set with the outputs of ``systems``, paths by name.

    Raises InputError if a file is missing.
    """
    m2 = [name for name, path in systems.items() if path in locations.m2_paths]
    files = _located(measured, locations)
    preparation = replace(files.prepare, threads=threads)
    return replace(files, systems=systems, m2_systems=m2, prepare=preparation).open()


def _located(measured: Measured, locations: FileLocations) -> CorpusFiles:
    """Return the files of a set with paths in place of the names in the definition."""
    files = measured.texts
    return replace(
        files,
        source=None if files.common_source is None else locations.path(measured, files.common_source),
        references={
            name: [locations.path(measured, path) for path in paths]
            for name, paths in files.references_by_system.items()
        },
        gold=None if files.gold is None else locations.path(measured, files.gold),
    )


def named_files(measured: Measured, locations: FileLocations, systems: Mapping[str, str]) -> dict[str, Any]:
    """Return the files of a set, by role."""
    files = _located(measured, locations)
    references: list[str] = []
    for name, paths in files.references_by_system.items():
        references += [path if name is None else f"{name}={path}" for path in paths]
    roles: dict[str, Any] = {"source": files.common_source, "references": references, "gold": files.gold}
    if isinstance(measured, DataSet) and measured.blocks is not None:
        roles["blocks"] = locations.path(measured, measured.blocks)
    return roles | {"systems": dict(systems)}


def _copies(files: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of systems whose files have the same text."""
    by_checksum: dict[str | None, list[str]] = {}
    for name, path in files.items():
        if not is_read_once(path):
            by_checksum.setdefault(text_checksum(path), []).append(name)
    return tuple(tuple(group) for group in by_checksum.values() if len(group) > 1)


@dataclass(frozen=True)
class _SuiteScoring:
    """Options of the scoring of all sets; see ``evaluate_suite``."""

    locations: FileLocations
    options: ComparisonOptions
    samples: int | None
    resamples: int
    progress: Progress | None
    checks: bool

    def score(self, data_set: DataSet, systems: Sequence[str], files: Mapping[str, str]) -> SetResults:
        """Score the systems that have a file."""
        metrics: list[Metric[Any]] = list(dict.fromkeys(data_set.make_metrics()))
        labels_by_name = dict(zip(names(metrics), labels(metrics), strict=True))
        names_by_metric = dict(zip(metrics, labels_by_name, strict=True))
        [decisive] = data_set.make_metrics([data_set.primary])
        comparison, options, parts, rejected = self._compare_valid(data_set, metrics, decisive, files)
        files = {name: path for name, path in files.items() if name not in {row.system for row in rejected}}
        missing = tuple(name for name in systems if name not in files)
        roles = named_files(data_set, self.locations, files)
        objectives: dict[str, str] = {}
        for spec in data_set.metrics:
            if spec in data_set.objectives:
                objectives[names_by_metric[data_set.make_metrics([spec])[0]]] = data_set.objectives[spec]
        return SetResults(
            data_set,
            roles,
            comparison,
            labels_by_name,
            names_by_metric[decisive],
            missing,
            tuple(rejected),
            _copies(files),
            {names_by_metric[metric]: parts_by_system for metric, parts_by_system in parts.items()},
            objectives,
            options,
        )

    def _compare_valid(
        self, data_set: DataSet, metrics: Sequence[Metric[Any]], decisive: Metric[Any], files: Mapping[str, str]
    ) -> tuple[Comparison | None, ComparisonOptions | None, PartsOfMetrics, list[Rejected]]:
        """Return the comparison of the systems whose outputs can be read, and the other ones."""
        if not files:
            return None, None, {}, []
        try:
            return *self._compare(data_set, metrics, decisive, files), []
        except InputError:
            rejected = list(self._rejected(data_set, files))
            if not rejected:
                raise
            valid = {name: path for name, path in files.items() if name not in {row.system for row in rejected}}
            fault = next((row.error for row in rejected if row.system == self.options.baseline), None)
            if fault is not None:
                raise fault from None
        comparison, options, parts, failed = self._compare_valid(data_set, metrics, decisive, valid)
        return comparison, options, parts, [*rejected, *failed]

    def _rejected(self, data_set: DataSet, files: Mapping[str, str]) -> Iterator[Rejected]:
        """Yield the systems whose output cannot be read next to the texts of the set; none if these cannot be read."""
        if self._fault(data_set, {}) is None:
            for name, path in files.items():
                if (error := self._fault(data_set, {name: path})) is not None:
                    yield Rejected(name, path, error)

    def _fault(self, data_set: DataSet, files: Mapping[str, str]) -> InputError | None:
        """Return the error of reading a set with these outputs, if there is one."""
        try:
            with deferred_warnings():  # valid outputs are read again
                for _ in read_files(data_set, self.locations, files, self.options.threads).parts(USUAL_BLOCK):
                    pass
        except InputError as error:
            error.hint = _with_key(data_set, error.hint)
            return error
        return None

    def _compare(
        self, data_set: DataSet, metrics: Sequence[Metric[Any]], decisive: Metric[Any], files: Mapping[str, str]
    ) -> tuple[Comparison, ComparisonOptions, PartsOfMetrics]:
        corpus: TextSource = read_files(data_set, self.locations, files, self.options.threads)
        if shows_source(metrics):
            corpus = corpus.with_unchanged()
        runs: dict[str, list[str]] = {}
        for name, runs_of_system in self.options.runs.items():
            if with_output := [run for run in runs_of_system if run in files]:
                runs[name] = with_output
        systems = members_of(runs, corpus.system_names)
        test: Test | None = "bootstrap" if decisive.pool is not None and not runs else None
        baseline = self.options.baseline if self.options.baseline in systems else None
        is_tested = len(systems.keys() - {SOURCE}) > 1 and baseline == self.options.baseline
        pairs: TestedPairs = "all" if is_tested else "none"
        options = replace(self.options, baseline=baseline, test=test, pairs=pairs, runs=runs)
        options = options.with_samples(self.samples, corpus.system_names, 1)
        blocks = None
        if data_set.blocks is not None:
            blocks = [str(label) for label in read_lines(self.locations.path(data_set, data_set.blocks))]
        run_options = RunOptions(progress=self.progress, checks=self.checks)
        counts = resample_systems(corpus, metrics, options, CountGroups(blocks), run_options, under=[decisive])
        parts = {metric: counts[metric].official_parts() for metric in metrics}
        return comparison_of(corpus, counts, options), options, parts

    def judge(self, judged_set: JudgedSet) -> JudgedResults:
        """Measure the agreement of a judged set's metrics with people."""
        systems = {name: self.locations.path(judged_set, path) for name, path in judged_set.systems.items()}
        with _naming(judged_set):
            metrics, threads = judged_set.make_metrics(), self.options.threads
            results = agreement(judged_set, self.locations, metrics, self.resamples, threads, self.progress)
        judgments = self.locations.path(judged_set, judged_set.judgments)
        files = named_files(judged_set, self.locations, systems) | {"judgments": judgments}
        return JudgedResults(judged_set, files, results)


def agreement(
    judged_set: JudgedSet,
    locations: FileLocations,
    metrics: Sequence[Metric[Any]],
    resamples: int,
    threads: int,
    progress: Progress | None = None,
) -> StudyResults:
    """Return the agreement of metrics with people on a judged set."""
    options = StudyOptions(
        measure=judged_set.human, aggregation=judged_set.aggregation, resamples=resamples, threads=threads
    )
    systems = {name: locations.path(judged_set, path) for name, path in judged_set.systems.items()}
    corpus = read_files(judged_set, locations, systems, threads).whole()
    judgments = read_judgments(locations.path(judged_set, judged_set.judgments))
    kwargs = {name: getattr(judged_set, name) for name in ("numbering", "exclude", "judged_only")}
    study = make_study(judgments, corpus, **kwargs)
    return evaluate_metrics(study, metrics, options, progress)
