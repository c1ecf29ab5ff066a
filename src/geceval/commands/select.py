"""``geceval select``: choose one of several corrections of each sentence.

Several files have a candidate per line and sentence each. One file has a fixed number of lines per sentence, is JSON
with lists, or is a table. The cells of a table are the number of the sentence, counted from 1, the candidate, and
optionally its score, separated by tabs. Its rows are sorted by sentence, and no sentence is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Group, Parameter

from geceval._kernel import Text
from geceval.base.arguments import Bounds
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.commands.shared.corpus_options import (
    BlankOption,
    CorpusOptions,
    FileOptions,
    LanguageOptions,
    RawTextOptions,
    TableOptions,
)
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.language_choice import LanguageChoice
from geceval.commands.shared.option_groups import DATA
from geceval.commands.shared.option_values import check_whole
from geceval.commands.shared.options import Judge, TargetOption, Threads, settings_of_judge, written_as
from geceval.commands.shared.run_warnings import warn_of_corpus
from geceval.counting.judge_settings import check_judge_is_asked
from geceval.counting.metric import AnyMetric, Metric
from geceval.counting.metric_names import metrics_of_specs, only
from geceval.selection.candidate_choice import Ranked, by_scores, mbr, rerank
from geceval.selection.candidate_files import Candidates, candidate_lines, has_lists, read_candidates
from geceval.tables.json_text import as_json
from geceval.terminal.progress import Steps, progress
from geceval.terminal.writing import write_text
from geceval.text.columns import check_lengths
from geceval.text.corpus import Corpus
from geceval.text.files import check_standard_input
from geceval.text.preparation import Preparation
from geceval.text.reading.corpus_files import read_lines_together

#: Values of ``--criterion`` that are not metrics.
RISK, SCORES = "mbr", "scores"
#: The work of scoring candidates.
CANDIDATES = Steps(unit="candidates")
#: Range of the number of candidates of a sentence.
PER_SENTENCE = Bounds(1, 1 << 20)
CHOICE = Group.create_ordered("choice", sort_key=2)


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class CandidateOptions:
    """Options of the source, the candidates and the references."""

    source: Annotated[str | None, Parameter(alias=("-s", "--src"), metavar="FILE")] = None
    """sentences with errors, one per line"""
    candidates: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="FILE")] = ()
    """several files: one candidate of each sentence per file; one file: table of sentence number (from 1), candidate
    and, optionally, score, separated by tabs; fairseq's output or an n-best list; JSON with a list of candidates per
    row; or text with --per-sentence"""
    per_sentence: int | None = None
    """number of candidates per sentence, if -c is text with one candidate per line"""
    references: Annotated[tuple[str, ...], Parameter(alias=("-r", "--ref"), metavar="FILE")] = ()
    """corrected sentences, one file per annotator; --criterion METRIC then selects the best possible candidate"""
    blank: BlankOption = None

    def __post_init__(self) -> None:
        check_whole(self, per_sentence=PER_SENTENCE)
        if self.per_sentence is not None and self.candidates[1:]:
            message = "--per-sentence requires one file: several have one candidate of each sentence"
            raise UsageError(message, hint="omit --per-sentence")


@Parameter(name="*", group=CHOICE)
@dataclass(frozen=True, kw_only=True)
class ChoiceOptions:
    """Options of the criterion."""

    criterion: Annotated[str, Parameter(metavar="mbr|scores|METRIC")]
    """minimum Bayes risk under the metric of -m (mbr), the scores in the file (scores), or a metric without
    references or with -r, such as impara or errant:beta=1"""
    metric: Annotated[str | None, Parameter(name=("--metrics", "-m"), metavar="METRIC")] = None
    """metric of --criterion mbr, such as green or errant:beta=1"""
    judge: Judge = ()
    weights: Literal["equal", "given", "log"] = "equal"
    """weight of a candidate as a reference of --criterion mbr: equal, its score in the file (given), or e to the power
    of its score (log, for log-probabilities)"""


@written_as(
    "text",
    "tsv",
    "json",
    help="text: the selected candidate of each sentence; tsv: all candidates with scores, the best first, "
    "which -c reads again; json: also the signature and the utilities",
)
class SelectedOutput(TargetOption):
    """Options of the output."""

    threads: Threads = 0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SelectRequest:
    """Candidates of each sentence and the criterion by which one is selected."""

    choice: ChoiceOptions
    files: CandidateOptions = CandidateOptions()
    table: TableOptions = TableOptions()
    raw: RawTextOptions = RawTextOptions()
    language: LanguageOptions = LanguageOptions()
    output: SelectedOutput = SelectedOutput()

    def __post_init__(self) -> None:
        by, metric, has_references = self.choice.criterion, self.choice.metric, bool(self.files.references)
        if by == RISK and metric is None:
            raise UsageError("--criterion mbr requires a metric", hint="-m green")
        if by == RISK and has_references:
            hint = f"--criterion {metric} -r … selects by references"
            raise UsageError("--criterion mbr compares the candidates with each other, not with references", hint=hint)
        if by != RISK and metric is not None:
            hint = f"--criterion mbr -m {metric}, or --criterion {metric}"
            raise UsageError(f"-m requires --criterion mbr, not --criterion {by}", hint=hint)
        if by != RISK and self.choice.weights != "equal":
            raise UsageError(f"--weights requires --criterion mbr, not --criterion {by}")
        if by == SCORES and self.choice.judge:
            raise UsageError("--criterion scores asks no judge", hint="omit --judge")
        if self.table.input and self.files.candidates:
            raise UsageError(
                "the candidates are given twice, by a table and by files",
                hint=Hint("omit ", Option("systems"), " or ", Option("table")),
            )
        if self.raw.clean and self.files.source is None and not self.table.input:
            raise UsageError("--clean requires the source", hint="-s FILE")
        self.corpus_options()
        if by == SCORES and has_references:
            raise UsageError(
                "--criterion scores uses no references", hint="--criterion METRIC -r … selects by references"
            )

    def corpus_options(self) -> CorpusOptions:
        """Return the options of the texts in a table, and of source and references in files."""
        files = FileOptions.of_source(self.files.source, references=self.files.references, blank=self.files.blank)
        return CorpusOptions(files=files, table=self.table, language=self.language)


def select(*, request: SelectRequest) -> None:
    """Write the selected candidates.

    Examples:
      geceval select -s source.txt -c samples.txt --per-sentence 16 --criterion mbr -m green
      geceval select -s source.txt -c samples.jsonl --criterion mbr -m green --clean llm
      geceval select -s source.txt -c nbest.tsv --criterion impara -o chosen.txt
      geceval select -s source.txt -c nbest.tsv --criterion errant -r ref0.txt ref1.txt
      geceval select -i outputs.xlsx --hypothesis-column C D E --criterion mbr -m green

    documentation: docs/training.md
    """
    by, inputs = request.choice.criterion, CorpusInputs(request.corpus_options())
    language = inputs.language
    tokeniser = language.tokeniser(request.raw.tokenise)
    preparation = request.raw.preparation(tokeniser, request.output.threads, language=language.option)
    preparation = preparation.of_source(language.head)
    if by == SCORES:
        candidates, *_ = _read_texts(request, inputs, preparation, [])
        ranked = by_scores(candidates.texts, _scores_of(candidates, "--criterion scores"))
    elif request.choice.metric is not None:
        ranked = _by_risk(request, inputs, _metric(request, request.choice.metric, language), preparation)
    else:
        ranked = _by_metric(request, inputs, _metric(request, by, language), preparation)
    steps = "".join(f"|{key}:{value}" for key, value in preparation.signed.items())
    _write(request, replace(ranked, signature=f"{ranked.signature}{steps}"))


def _by_risk(request: SelectRequest, inputs: CorpusInputs, metric: Metric[Any], preparation: Preparation) -> Ranked:
    if not metric.uses_references:
        hint = f"--criterion {metric.name}, or a metric such as -m green"
        raise UsageError(f"{metric.name} does not compare candidates", hint=hint)
    (candidates, source, _), weights = _read_texts(request, inputs, preparation, [metric]), None
    if request.choice.weights != "equal":
        weights = _weights(request, _scores_of(candidates, f"--weights {request.choice.weights}"))
    with progress(lambda: CANDIDATES) as advance:
        return mbr(candidates.texts, metric, source, weights=weights, threads=request.output.threads, progress=advance)


def _by_metric(request: SelectRequest, inputs: CorpusInputs, metric: Metric[Any], preparation: Preparation) -> Ranked:
    if request.files.references and not metric.uses_references:
        raise UsageError(f"{metric.name} uses no references", hint="omit -r")
    if metric.uses_references and not inputs.has_references:
        hint = f"-r FILE …; without references: --criterion mbr -m {metric.name}, or a metric such as impara"
        raise UsageError(f"{metric.name} needs references", hint=hint)
    candidates, source, references = _read_texts(request, inputs, preparation, [metric])
    per_sentence = None
    if metric.uses_references:
        per_sentence = [[text for text in row if text is not None] for row in zip(*references, strict=True)]
    threads = request.output.threads
    with progress(lambda: CANDIDATES) as advance:
        return rerank(candidates.texts, metric, source, per_sentence=per_sentence, threads=threads, progress=advance)


def _metric(request: SelectRequest, spec: str, language: LanguageChoice) -> Metric[Any]:
    """Return the metric of a specification, in the language of the texts."""
    judge = settings_of_judge(request.choice.judge)
    metric = only(metrics_of_specs([spec], {"annotator": language.name}, judge))
    if judge:
        check_judge_is_asked([metric])
    return metric


def _read_texts(
    request: SelectRequest, inputs: CorpusInputs, preparation: Preparation, metrics: Sequence[AnyMetric]
) -> tuple[Candidates, Sequence[str], Sequence[Text]]:
    """Return the candidates, the source and the references, prepared; warn of texts that do not fit together.

    The source is empty if it is not given and --criterion scores needs none.

    Raises:
        InputError: There are no candidates, or the numbers of sentences differ.
        UsageError: There is no source, or there are no candidates.
    """
    files = request.files
    if not (files.candidates or request.table.input):
        raise UsageError("candidates are required", hint=inputs.systems_hint())
    check_standard_input([files.source or "", *files.candidates, *files.references])
    source: Sequence[str] = ()
    references: Sequence[Text] = ()
    if request.table.input:
        candidates, source, references = _columns(inputs)
    else:
        candidates = _read_candidates(files, preparation)
        if files.source is None and request.choice.criterion != SCORES:
            raise UsageError(f"--criterion {request.choice.criterion} requires the source", hint="-s FILE")
        if files.source is not None:
            source, references = _read_source(files, inputs, candidates)
    corrected = [line for line, row in zip(source, candidates.texts, strict=False) for _ in row]
    lines = preparation.apply("systems", Text(chain.from_iterable(candidates.texts)), Text(corrected))
    texts = map(str, lines)
    candidates = replace(candidates, texts=[list(islice(texts, len(row))) for row in candidates.texts])
    prepared = list(map(str, preparation.apply("source", Text(source))))
    references = [preparation.apply("references", lines) for lines in references]
    if prepared:
        corpus = Corpus(prepared, references, _as_systems(request, candidates))
        warn_of_corpus(corpus, metrics, request.files.blank)
    return candidates, prepared, references


def _as_systems(request: SelectRequest, candidates: Candidates) -> dict[str, Sequence[str]]:
    """Return the candidates by file, or the first one of each sentence."""
    files = request.files.candidates if request.files.candidates[1:] else ["first candidates"]
    return {name: [row[number] for row in candidates.texts] for number, name in enumerate(files)}


def _columns(inputs: CorpusInputs) -> tuple[Candidates, Sequence[str], Sequence[Text]]:
    """Return the candidates, the source and the references of a table, one candidate of each sentence per column."""
    reader = inputs.corpus()
    for column in inputs.columns.systems.values() if inputs.columns else ():
        if has_lists(column.content, column.name):
            [path, *_] = inputs.options.table.paths
            both = Hint(Option("source", path), " ", Option("systems", path))
            hint = Hint(both, " reads JSON with a list of candidates in each row")
            raise InputError(f"the column {column.name} has lists of candidates", path=path, hint=hint)
    corpus = reader.whole()
    rows = zip(*corpus.text_systems.values(), strict=True)
    return Candidates([list(map(str, row)) for row in rows]), list(map(str, corpus.source)), corpus.references


def _read_candidates(files: CandidateOptions, preparation: Preparation) -> Candidates:
    """Return the candidates in files."""
    if files.candidates[1:]:
        roles = [f"candidate {number}" for number in range(len(files.candidates))]
        rows = zip(*read_lines_together(files.candidates, roles), strict=True)
        return Candidates([list(map(str, row)) for row in rows])
    breaks = preparation.joins_lines("systems")
    candidates = read_candidates(files.candidates[0], files.per_sentence, breaks=breaks)
    if not len(candidates):
        raise InputError("the file has no candidates", path=files.candidates[0])
    return candidates


def _read_source(
    files: CandidateOptions, inputs: CorpusInputs, candidates: Candidates
) -> tuple[Sequence[str], Sequence[Text]]:
    """Return the source and the references in files; raises InputError if the numbers of sentences differ."""
    corpus = inputs.corpus_files().read()
    source = corpus.source
    lengths = [(f"source      {files.source}", len(source)), (f"candidates  {files.candidates[0]}", len(candidates))]
    lines = sum(map(len, candidates.texts))
    fits = files.per_sentence is not None and len(source) and lines % len(source) == 0
    check_lengths(lengths, noun="sentences", hint=f"--per-sentence {lines // len(source)}" if fits else None)
    return source, corpus.references


def _scores_of(candidates: Candidates, option: str) -> Sequence[Sequence[float]]:
    """Return the scores in the file.

    Raises:
        UsageError: The file has no scores; the message names ``option``.
    """
    if candidates.scores is None:
        hint = "a table with scores: sentence number, tab, candidate, tab, score"
        raise UsageError(f"{option}: the candidates have no scores", hint=hint)
    return candidates.scores


def _weights(request: SelectRequest, scores: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the weights of candidates.

    Logarithms are scaled so that the highest weight of a sentence is 1; otherwise all of them might underflow.

    Raises:
        InputError: A score is not a weight, or no weight of a sentence is above 0; names file and line.
    """
    path, line = request.files.candidates[0], 1
    weights = list[list[float]]()
    for row in scores:
        array, is_log = np.array(row), request.choice.weights == "log"
        wrong = np.flatnonzero(array == np.inf if is_log else ~np.isfinite(array) | (array < 0))
        if wrong.size:
            kind, hint = ("log-probability", None) if is_log else ("weight", "log-probabilities: --weights log")
            message = f"a {kind} must be {'below infinity' if is_log else 'a number from 0'}, not {array[wrong[0]]:g}"
            raise InputError(message, path=path, line=line + int(wrong[0]), hint=hint)
        if not (np.isfinite(array) if is_log else array).any():
            message = f"no candidate of the sentence has a weight above 0{' (a finite logarithm)' if is_log else ''}"
            raise InputError(message, path=path, line=line)
        weights.append((np.exp(array - array.max()) if is_log else array).tolist())
        line += len(row)
    return weights


def _write(request: SelectRequest, ranked: Ranked) -> None:
    """Write the selected candidates, or all candidates with their scores."""
    output = request.output
    if not output.quiet and output.written_format != "json":
        print(ranked.signature, file=sys.stderr)
    if output.written_format == "json":
        text = as_json("geceval/candidates@1", _document(request, ranked))
    elif output.written_format == "tsv":
        orders = [ranked.order(s) for s in range(len(ranked))]
        texts = [[row[c] for c in order] for row, order in zip(ranked.candidates, orders, strict=True)]
        scores = [row[order].tolist() for row, order in zip(ranked.scores, orders, strict=True)]
        text = "".join(f"{line}\n" for line in candidate_lines(texts, scores))
    else:
        text = "".join(f"{line}\n" for line in ranked.texts)
    write_text(output.target, text)


def _document(request: SelectRequest, ranked: Ranked) -> dict[str, Any]:
    """Return files, signature, and the candidates of each sentence with their scores."""
    rows = [
        {"choice": choice, "candidates": texts, "scores": scores.tolist()}
        for choice, texts, scores in zip(ranked.choice.tolist(), ranked.candidates, ranked.scores, strict=True)
    ]
    for row, table in zip(rows, ranked.utilities, strict=False):  # empty except for minimum Bayes risk
        row["utilities"] = table.tolist()
    files = {"source": request.files.source, "candidates": request.files.candidates}
    return {**files, "signature": ranked.signature, "sentences": rows}
