"""``geceval meta``: agreement of metrics with human judgments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from geceval.agreement.judgments import Judgments, read_judgments
from geceval.base.arguments import COUNT, SEEDS
from geceval.base.errors import InputError, UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import REPLICATES, ChecksOption, CorpusOptions, MetricOptions, OutputOptions, RecordOption
from geceval.cli.output import check_record, write_recorded
from geceval.cli.parsing import Command
from geceval.cli.stderr import Steps, collected, note, progress, warn_of
from geceval.edits.languages.language_options import LanguageOptions
from geceval.tables.report import Report
from geceval.text.files import has_ending, named_systems, path_text, read_errors, record_opened_files
from geceval.text.inputs import FileOptions, RawTextOptions, name_and_file

if TYPE_CHECKING:
    from geceval.agreement.ratings import Ratings
    from geceval.agreement.study import StudyOptions, StudyResults
    from geceval.text.corpus import Corpus


LEVELS = ("system", "sentence", "segment", "ranks", "window", "left-out", "test", "scores", "human")


class JudgedFileOptions(FileOptions, title="data"):
    """Human judgments, and the judged outputs and texts."""

    judgments: str | None = option("--judgments", reads_file=True)
    ratings: str | None = option("--ratings", reads_file=True)
    systems: tuple[str, ...] = option("-c", "--hyp", "--systems", metavar="DIR", reads_file=True)
    exclude: tuple[str, ...] = option("--exclude", metavar="NAME", rare=True)
    only: tuple[str, ...] = option("--only", metavar="NAME", rare=True)
    judged_only: bool = option("--judged-only", rare=True)
    numbering: Literal["auto", "0", "1", "judged"] = option("--numbering", default="auto", rare=True)
    without_annotator: str | None = option("--without-annotator", metavar="NAME", rare=True)

    def check(self) -> None:
        super().check()
        if self.judgments is not None and self.ratings is not None:
            raise UsageError("--judgments and --ratings exclude each other")
        for name, value in (("--without-annotator", self.without_annotator), ("--numbering", self.numbering)):
            if self.ratings is not None and value not in (None, "auto"):
                raise UsageError(f"{name} requires --judgments")


class JudgedMetricOptions(MetricOptions, title="metrics"):
    """Metrics, and the score of a system."""

    aggregation: Literal["corpus", "mean", "expected-wins", "trueskill"] = option("--aggregation", default="corpus")


class AgreementOptions(OptionGroup, title="agreement"):
    """Options of agreement."""

    level: str = option("--level", choices=LEVELS, default="system")
    human: Literal["expected-wins", "trueskill", "mean-rating"] | None = option("--human")
    ties: Literal["half", "loss", "skipped", "seeda"] = option("--ties", default="half", rare=True)
    window: int = option("--window", bounds=COUNT, default=4, metavar="W", rare=True)
    resamples: int = REPLICATES
    seed: int = option("--seed", bounds=SEEDS, default=1, rare=True)


class MetaRequest(RecordOption, ChecksOption, CommandRequest):
    """Judgments, outputs, metrics, and the measure of agreement."""

    files: JudgedFileOptions = JudgedFileOptions()
    raw: RawTextOptions = RawTextOptions()
    language: LanguageOptions = LanguageOptions()
    metric: JudgedMetricOptions = JudgedMetricOptions()
    agreement: AgreementOptions = AgreementOptions()
    output: OutputOptions = OutputOptions(digits=3)
    plot: str | None = option("--plot", metavar="DIR", effect="files")
    plot_formats: tuple[str, ...] = option(
        "--plot-formats", choices=("svg", "pdf", "png"), metavar="FORMAT", effect="files", rare=True
    )

    timings: bool = option("--timings", rare=True)

    def check(self) -> None:
        check_record(self.record, self.output.target)
        if self.files.judgments is None and self.files.ratings is None:
            raise UsageError("--judgments or --ratings is required")
        if self.plot is None and self.plot_formats:
            raise UsageError("--plot-formats requires --plot")
        if self.agreement.level != "human":
            for name, values in (("--metrics", self.metric.metrics), ("--systems", self.files.systems)):
                if not values:
                    raise UsageError(f"{name} is required", hint="--level human ranks systems without metrics")

    def study_options(self) -> StudyOptions:
        """Return the options of the study."""
        from geceval.agreement.study import StudyOptions

        own = self.agreement
        return StudyOptions(
            measure=own.human,
            aggregation=self.metric.aggregation,
            ties=own.ties,
            resamples=own.resamples,
            seed=own.seed,
            threads=self.output.threads,
            tests=own.level == "test",
        )


def run(request: MetaRequest) -> None:
    """Write the agreement or the ranking."""
    with record_opened_files() as inputs:
        report = evaluated(request)
    write_recorded("meta", request, report, inputs)


def evaluated(request: MetaRequest) -> Report:
    """Return the agreement or the ranking."""
    from geceval.agreement.ratings import read_ratings

    files = request.files
    show = _ranking if request.agreement.level == "human" else _agreement
    if files.ratings is not None:
        return show(request, read_ratings(files.ratings), {"ratings": files.ratings})
    assert files.judgments is not None
    judgments = read_judgments(files.judgments)
    if files.without_annotator is not None:
        judgments = judgments.without(files.without_annotator)
    return show(request, judgments, {"judgments": files.judgments})


def _ranking(request: MetaRequest, said: Judgments | Ratings, inputs: dict[str, Any]) -> Report:
    from geceval.agreement.meta_report import human_ranking_report
    from geceval.agreement.study import rank_by_people

    options = request.study_options()
    with progress(lambda: Steps(options.resamples, unit="resamples"), quiet=request.output.quiet) as advance:
        ranking = rank_by_people(said, options, advance)
    return human_ranking_report(ranking, inputs)


def _agreement(request: MetaRequest, said: Judgments | Ratings, inputs: dict[str, Any]) -> Report:
    from geceval.agreement.meta_report import meta_report

    output, level, window = request.output, request.agreement.level, request.agreement.window
    if request.plot is not None:
        from geceval.agreement.meta_plots import plot_writers, write_plots

        writers = plot_writers(request.plot_formats or ("svg",))
    with collected(quiet=output.quiet) as found:
        results = _evaluate(request, said)
    if request.plot is not None:
        for path in write_plots(results, request.plot, window, writers):
            note(f"written: {path}", quiet=output.quiet)
        systems = len(results.study.systems)
        if window > systems:
            text = f"no window analysis: {systems} systems are fewer than a window of {window} (--window)"
            note(text, quiet=output.quiet)
    inputs |= {name: getattr(request.files, name) for name in ("source", "references", "gold")}
    inputs |= {"warnings": [warning.to_dict() for warning in found]}
    return meta_report(results, level, window, inputs, timed=request.timings)


def _evaluate(request: MetaRequest, said: Judgments | Ratings) -> StudyResults:
    from geceval.agreement.study import evaluate_metrics, make_study, study_work

    files, output = request.files, request.output
    options = CorpusOptions(files=files, raw=request.raw, language=request.language)
    inputs = CorpusInputs(options, quiet=output.quiet, threads=output.threads)
    metrics = inputs.metrics(request.metric)
    if request.agreement.level == "test" and len(metrics) < 2:
        raise UsageError("--level test requires two or more metrics", hint="-m green errant")
    study = make_study(
        said,
        _read_corpus(files, inputs, said),
        numbering=files.numbering,
        exclude=files.exclude,
        only=files.only or None,
        judged_only=files.judged_only,
    )
    note(*study.notes, quiet=output.quiet)
    how = request.study_options()
    if request.checks:
        warn_of(study.corpus, metrics)
    with progress(
        lambda: Steps(study_work(study, metrics, how), unit="sentences and resamples"), quiet=output.quiet
    ) as advance:
        return evaluate_metrics(study, metrics, how, advance)


def _read_corpus(files: JudgedFileOptions, inputs: CorpusInputs, said: Judgments | Ratings) -> Corpus:
    from geceval.text.reading.lines import read_lines

    named = [pair for given in files.systems for pair in _outputs(given)]
    paths = [path for _, path in named]
    # One at a time: the same name twice is an error here, not two files in different folders.
    names = [name or next(iter(named_systems([path]))) for name, path in named]
    systems = named_systems(paths, names)
    try:
        return inputs.texts().corpus(systems, threads=inputs.threads).whole()
    except InputError as error:
        judged = len(said.source_ids)
        if error.path is not None or {len(read_lines(path)) for path in paths if path != "-"} != {judged}:
            raise
        only = f"the outputs have the {judged} judged sentences only, as in SEEDA's outputs/subset"
        hint = f"{only}: give the outputs of all sentences (outputs/all), or source and references of the judged ones"
        raise InputError(error.message, hint=hint) from None


def _outputs(given: str) -> list[tuple[str | None, str]]:
    """Return the outputs in a folder, or a file with its name (``NAME=FILE``)."""
    name, path = name_and_file(given)
    folder = Path(path_text(path))
    with read_errors(path):
        if not folder.is_dir():
            return [(name, path)]
        if name is not None:
            raise UsageError(f"{path} is a folder, but NAME={name} names a file")
        files = [str(path) for path in folder.iterdir() if path.is_file()]
        paths = sorted(path for path in files if has_ending(path, ".txt", ".m2"))
    if not paths:
        raise InputError("the folder has no *.txt or *.m2 files", path=given)
    return [(None, path) for path in paths]


COMMAND = Command(MetaRequest, run, evaluated)
