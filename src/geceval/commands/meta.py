"""``geceval meta``: agreement of metrics with human judgments."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from geceval.agreement.edit_weights import implied_weights
from geceval.agreement.edit_weights_report import edit_weights_report
from geceval.agreement.human_ranking import rank_by_people
from geceval.agreement.judgments import Judgments, Ratings, rankings_of, read_judgments, read_ratings
from geceval.agreement.meta_evaluation import evaluate_metrics, study_work
from geceval.agreement.meta_report import human_ranking_report, meta_report
from geceval.agreement.stress import partial_corrections, stress, stress_report
from geceval.agreement.study import Study, StudyOptions, make_study, note_of_unjudged
from geceval.base.arguments import RESAMPLES, SEEDS
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.commands.shared.corpus_options import (
    CorpusOptions,
    FileOptions,
    LanguageOptions,
    RawTextOptions,
    ReferenceOptions,
)
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import DATA, METRICS, OTHER, OUTPUT, STATISTICS
from geceval.commands.shared.option_values import check_whole, flag
from geceval.commands.shared.options import Checks, Digits, MetricOptions, PictureOutputOptions, Record, written_as
from geceval.commands.shared.run_records import check_record, write_recorded
from geceval.commands.shared.run_warnings import warn_of_corpus
from geceval.commands.shared.statistics_options import Replicates
from geceval.counting.metric import Metric
from geceval.counting.run import Run
from geceval.tables.report import FORMATS, Report
from geceval.tables.svg import PICTURES
from geceval.terminal.messages import collected, note
from geceval.terminal.progress import Steps, progress
from geceval.text.corpus import Corpus
from geceval.text.files import is_folder, path_text, record_opened_files
from geceval.text.m2.edit import Tier
from geceval.text.reading.lines import read_lines
from geceval.text.system_files import files_of_folder, name_and_file, named_systems

AGREEMENT = Group.create_ordered("agreement", sort_key=2)

AgreementLevel = Literal["system", "sentence", "test", "scores", "edits", "human"]
#: Levels of the agreement of metrics; JSON has all of them.
FIGURES = ("system", "sentence", "test", "scores")
#: Options of texts and metrics, which are not read to rank systems by people.
TEXT_OPTIONS = (
    *(field.name for options in (ReferenceOptions, RawTextOptions, LanguageOptions) for field in fields(options)),
    *("id", "metrics", "judge"),
)
#: Levels that an option affects, and "stress"; the option is refused with the others.
AFFECTED = {
    **dict.fromkeys(["aggregation", "ties", "timings"], FIGURES),
    **dict.fromkeys(["systems", "exclude", "only", "judged_only", "numbering", "checks"], (*FIGURES, "edits")),
    "human": (*FIGURES, "human"),
    **dict.fromkeys(
        ["level", "judgments", "ratings", "without_annotator", "pairs", "samples", "seed"], (*FIGURES, "edits", "human")
    ),
    **dict.fromkeys(TEXT_OPTIONS, (*FIGURES, "edits", "stress")),
    "by": ("edits", "stress"),
    "system_effects": ("edits",),
}


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class JudgedFileOptions(FileOptions):
    """Human judgments, and the judged outputs and texts."""

    id: Annotated[tuple[str, ...], Parameter(metavar="COL")] = ()
    """match rows of .para files by the identifiers in this column (default: by position, checked)"""
    judgments: Annotated[str | None, Parameter(metavar="FILE")] = None
    """human rankings: Appraise XML, or the CSV of NSPT15"""
    ratings: Annotated[str | None, Parameter(metavar="FILE")] = None
    """human ratings: CSV, one column per system, one row per sentence (GMEG)"""
    systems: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="DIR")] = ()
    """folders with outputs, NAME.txt or NAME.m2, or files, also NAME/FILE or NAME=FILE; names as in the judgments"""
    exclude: Annotated[tuple[str, ...], Parameter(metavar="NAME", group=OTHER)] = ()
    """exclude these systems"""
    only: Annotated[tuple[str, ...], Parameter(metavar="NAME", group=OTHER)] = ()
    """use these systems only"""
    judged_only: Annotated[bool, Parameter(group=OTHER)] = False
    """score the judged sentences only"""
    numbering: Annotated[Literal["auto", "0", "1", "judged"], Parameter(group=OTHER)] = "auto"
    """sentence numbers of the judgments: from 0 (GJG15, NSPT15), from 1 (SEEDA), or in the order of the judged
    sentences (default: auto, detected)"""
    without_annotator: Annotated[str | None, Parameter(metavar="NAME", group=OTHER)] = None
    """exclude this annotator (NSPT15: non-native)"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.judgments is not None and self.ratings is not None:
            raise UsageError("--judgments and --ratings exclude each other")
        for name, value in (("--without-annotator", self.without_annotator), ("--numbering", self.numbering)):
            if self.ratings is not None and value not in (None, "auto"):
                raise UsageError(f"{name} requires --judgments")


@Parameter(name="*", group=METRICS)
@dataclass(frozen=True, kw_only=True)
class JudgedMetricOptions(MetricOptions):
    """Metrics, and the score of a system."""

    metrics: Annotated[tuple[str, ...], Parameter(alias="-m", metavar="METRIC")] = ()
    """metrics, such as errant:mode=ds (list: geceval metrics)"""
    aggregation: Annotated[Literal["corpus", "mean", "expected-wins", "trueskill"], Parameter(group=STATISTICS)] = (
        "corpus"
    )
    """score of a system: corpus score, mean of sentence scores, or a ranking from verdicts on pairs of outputs"""


@Parameter(name="*", group=AGREEMENT)
@dataclass(frozen=True, kw_only=True)
class AgreementOptions:
    """Options of agreement."""

    level: AgreementLevel = "system"
    """system: correlation of system scores; sentence: accuracy on judged pairs of outputs; test: tests of the
    difference between two metrics; scores: human and metric scores, and correlation without each system; edits: weights
    of edits that human judgments imply; human: human ranking without metrics"""
    human: Annotated[Literal["expected-wins", "trueskill", "mean-rating"] | None, Parameter(group=STATISTICS)] = None
    """ranking of systems from human judgments (default: expected-wins; for ratings, mean-rating)"""
    ties: Annotated[Literal["half", "loss", "skipped", "seeda"], Parameter(group=STATISTICS)] = "half"
    """value of a metric's tie with --level sentence"""
    pairs: Annotated[Literal["systems", "outputs"], Parameter(group=STATISTICS)] = "systems"
    """count a judgment of two outputs once for each pair of systems with these outputs (systems), or once (outputs)"""
    by: Annotated[Tier | None, Parameter(group=STATISTICS)] = None
    """with --level edits or --stress: by operation (R), type (NOUN:NUM) or full type (R:NOUN:NUM) of edits"""
    system_effects: Annotated[bool, Parameter(group=STATISTICS)] = False
    """with --level edits: add an effect of each system to the model"""
    stress: bool = False
    """count how often a further correct edit, of --gold or of -r, lowers a metric's sentence score; needs no judgments
    and no systems"""
    samples: Replicates = 1000
    seed: Annotated[int, Parameter(group=STATISTICS)] = 1
    """seed of TrueSkill and of resampling"""

    def __post_init__(self) -> None:
        check_whole(self, samples=RESAMPLES, seed=SEEDS)


@written_as(*FORMATS, *PICTURES)
class MetaOutputOptions(PictureOutputOptions):
    """Format, also a picture of scores against scores by people, file, digits, threads and quiet."""

    digits: Digits = 3


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class MetaRequest:
    """Judgments, outputs, metrics, and the measure of agreement."""

    files: JudgedFileOptions = JudgedFileOptions()
    raw: RawTextOptions = RawTextOptions()
    language: LanguageOptions = LanguageOptions()
    metric: JudgedMetricOptions = JudgedMetricOptions()
    agreement: AgreementOptions = AgreementOptions()
    output: MetaOutputOptions = MetaOutputOptions()
    timings: Annotated[bool, Parameter(group=OTHER)] = False
    """also write the seconds per system, which differ between runs"""
    record: Record = None
    checks: Checks = True

    def __post_init__(self) -> None:
        check_record(self.record, self.output.target)
        level = "stress" if self.agreement.stress else self.agreement.level
        if self.output.written_format in PICTURES and level not in FIGURES:
            mode = "--stress" if self.agreement.stress else f"--level {level}"
            raise UsageError(f"{mode} has no picture", hint="--level system")
        for part in (self.files, self.raw, self.language, self.metric, self.agreement, self):
            for field in fields(part):
                levels = AFFECTED.get(field.name, (level,))
                value = getattr(part, field.name)
                if level not in levels and value != field.default:
                    mode = "--stress" if self.agreement.stress else f"--level {level}"
                    hint = f"use it with --level {', '.join(levels).replace(', stress', ' or --stress')}"
                    option = f"--no-{field.name}" if value is False else flag(field.name)
                    raise UsageError(f"{option} has no effect with {mode}", hint=hint)

    def study_options(self) -> StudyOptions:
        """Return the options of the study."""
        agreement = self.agreement
        return StudyOptions(
            measure=agreement.human,
            aggregation=self.metric.aggregation,
            ties=agreement.ties,
            pairs=agreement.pairs,
            resamples=agreement.samples,
            seed=agreement.seed,
            threads=self.output.threads,
            tests=agreement.level == "test",
        )


def meta(*, request: MetaRequest = MetaRequest()) -> None:
    """Write the agreement or the ranking.

    Examples:
      geceval meta --judgments judgments.xml --systems outputs/ -s source.txt -r ref0.txt ref1.txt -m green
      geceval meta --judgments judgments.xml --level human --human trueskill
      geceval meta --stress --gold gold.m2 -m green errant --gold-edits reannotated
      geceval meta --ratings fce-segment-scores.csv --systems fce/amu fce/nus -s fce/source -r fce/ref? -m green

    documentation: docs/meta-evaluation.md
    """
    with record_opened_files() as inputs:
        report = report_of(request)
    write_recorded("meta", request, report, inputs)


def report_of(request: MetaRequest) -> Report:
    """Return the agreement or the ranking."""
    files = request.files
    if request.agreement.stress:
        return _stress(request)
    if files.judgments is None and files.ratings is None:
        raise UsageError("--judgments or --ratings is required", hint="geceval meta --help")
    level = request.agreement.level
    if level != "human":
        for name, values in (("--metrics", request.metric.metrics or level == "edits"), ("--systems", files.systems)):
            if not values:
                raise UsageError(f"{name} is required", hint="--level human ranks systems without metrics")
    show = {"human": _ranking, "edits": _edit_weights}.get(level, _agreement)
    if files.ratings is not None:
        return show(request, read_ratings(files.ratings), {"ratings": files.ratings})
    assert files.judgments is not None
    judgments = read_judgments(files.judgments)
    if files.without_annotator is not None:
        judgments = judgments.without(files.without_annotator)
    return show(request, judgments, {"judgments": files.judgments})


def _ranking(request: MetaRequest, human: Judgments | Ratings, inputs: dict[str, Any]) -> Report:
    options = request.study_options()
    with progress(lambda: Steps(options.resamples, unit="resamples")) as advance:
        ranking = rank_by_people(human, options, advance)
    return human_ranking_report(ranking, inputs)


def _agreement(request: MetaRequest, human: Judgments | Ratings, inputs: dict[str, Any]) -> Report:
    with collected() as warnings:
        study, metrics = _study(request, human)
        options = request.study_options()
        work = study_work(study, metrics, options)
        with progress(lambda: Steps(work, unit="sentences and resamples")) as advance:
            results = evaluate_metrics(study, metrics, options, advance)
    return meta_report(results, request.agreement.level, inputs | _texts(request, warnings), timed=request.timings)


def _edit_weights(request: MetaRequest, human: Judgments | Ratings, inputs: dict[str, Any]) -> Report:
    agreement, output = request.agreement, request.output
    with collected() as warnings:
        study, metrics = _study(request, human)
        work = (Run(study.corpus, metrics).work or 0) + len(metrics) * agreement.samples
        with progress(lambda: Steps(work, unit="sentences and resamples")) as advance:
            results = implied_weights(
                study,
                metrics,
                resamples=agreement.samples,
                seed=agreement.seed,
                by=agreement.by,
                systems=agreement.system_effects,
                pairs=agreement.pairs,
                threads=output.threads,
                progress=advance,
            )
    return edit_weights_report(results, inputs | _texts(request, warnings))


def _stress(request: MetaRequest) -> Report:
    files, output = request.files, request.output
    if files.gold is None and not files.references:
        raise UsageError("--stress requires gold edits or references", hint="--gold FILE")
    with collected() as warnings:
        inputs = _corpus_inputs(request)
        metrics = inputs.metrics(request.metric)
        chains = partial_corrections(inputs.corpus_files().read(), output.threads)
        with progress(lambda: Steps(Run(chains.corpus, metrics).work)) as advance:
            results = stress(chains, metrics, by=request.agreement.by, threads=output.threads, progress=advance)
    return stress_report(results, _texts(request, warnings))


def _corpus_inputs(request: MetaRequest) -> CorpusInputs:
    options = CorpusOptions(files=request.files, raw=request.raw, language=request.language)
    return CorpusInputs(options, threads=request.output.threads)


def _texts(request: MetaRequest, warnings: Sequence[GecevalWarning]) -> dict[str, Any]:
    """Return the files of texts and the warnings, for JSON."""
    files = request.files
    named = {"source": files.common_source, "references": files.references, "gold": files.gold}
    return {**named, "warnings": [warning.to_dict() for warning in warnings]}


def _study(request: MetaRequest, human: Judgments | Ratings) -> tuple[Study, list[Metric[Any]]]:
    files = request.files
    inputs = _corpus_inputs(request)
    metrics = inputs.metrics(replace(request.metric, metrics=request.metric.metrics or ("errant",)))
    if request.agreement.level == "test" and len(metrics) < 2:
        raise UsageError("--level test requires two or more metrics", hint="-m green errant")
    judged_names = rankings_of(human).systems
    corpus, unread = _read_corpus(files, inputs, human, judged_names)
    if ignored := [name for name in unread if name not in files.exclude]:
        note(note_of_unjudged(ignored))
    study = make_study(
        human,
        corpus,
        numbering=files.numbering,
        exclude=[name for name in files.exclude if name not in unread or name in judged_names],
        only=files.only or None,
        judged_only=files.judged_only,
    )
    note(*study.notes)
    if request.checks:
        warn_of_corpus(study.corpus, metrics)
    return study, metrics


def _read_corpus(
    files: JudgedFileOptions, inputs: CorpusInputs, human: Judgments | Ratings, judged_names: Collection[str]
) -> tuple[Corpus, Sequence[str]]:
    """Return the corpus of the judged systems, and the names of the others."""
    outputs = [pair for text in files.systems for pair in _outputs(text)]
    paths = [path for _, path in outputs]
    systems = named_systems(paths, _names(outputs, judged_names))
    # They are not read: NULL of CoNLL-2014 is nearly empty, and an excluded output may be broken.
    unread = [name for name in systems if name in files.exclude or name not in (*judged_names, *files.only)]
    unread = unread if len(unread) < len(systems) else []
    try:
        judged_files = {name: path for name, path in systems.items() if name not in unread}
        return replace(inputs.corpus_files(), systems=judged_files).read(), unread
    except InputError as error:
        judged = len(human.source_ids)
        if error.path is not None or {len(read_lines(path)) for path in paths if path != "-"} != {judged}:
            raise
        only = f"the outputs have the {judged} judged sentences only, as in SEEDA's outputs/subset"
        hint = f"{only}: give the outputs of all sentences (outputs/all), or source and references of the judged ones"
        raise InputError(error.message, hint=hint) from None


def _names(outputs: Sequence[tuple[str | None, str]], judged_names: Collection[str]) -> list[str]:
    """Return the names of outputs: of the file without ending, or of its folder if only that is judged or unique."""
    # One at a time: a judged name twice is an error, not two files in different folders.
    stems = [next(iter(named_systems([path]))) for _, path in outputs]
    folders = [Path(path).absolute().parent.name for _, path in outputs]
    is_folder_used = [
        stem not in judged_names and (folder in judged_names or stems.count(stem) > 1)
        for stem, folder in zip(stems, folders, strict=True)
    ]
    candidates = zip(outputs, is_folder_used, folders, stems, strict=True)
    return [name or (folder if uses_folder else stem) for (name, _), uses_folder, folder, stem in candidates]


def _outputs(text: str) -> list[tuple[str | None, str]]:
    """Return the outputs in a folder, or a file with its name (``NAME=FILE``)."""
    name, path = name_and_file(text)
    if not is_folder(path_text(path)):
        return [(name, path)]
    if name is not None:
        raise UsageError(f"{path} is a folder, but NAME={name} names a file")
    return [(None, path) for path in files_of_folder(path)]
