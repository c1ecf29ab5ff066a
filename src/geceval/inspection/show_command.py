"""``geceval show``: show sentences with their edits inline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar, Literal

from cyclopts import Group, Parameter

from geceval.base.arguments import COUNT, KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import OUTPUT, Checks, MetricOptions, OutputOptions, changed, check_whole, flag
from geceval.cli.output import collected, progress, write_report
from geceval.inspection.examination import examine
from geceval.inspection.examined_sentences import Examined, Output, Scored, Sentence, Version
from geceval.inspection.marked_edits import OUTCOMES, SIGNS, marked, visible
from geceval.inspection.sentence_selection import Wanted, known_system
from geceval.tables.report import HangingLines, Report, StyledLine, ViewPart, plain
from geceval.tables.table import ReportTable, TableColumn, TableRow, round_half_up, shown, table_columns


@dataclass(frozen=True)
class ScoreDigits:
    """Format of scores.

    Attributes:
        in_percent: Whether the scores of a metric, by its label, are shown times 100.
        digits: Number of decimals.
    """

    in_percent: Mapping[str, bool]
    digits: int

    def shown(self, metric: str, value: float) -> str:
        """Return a score, or a difference of scores, as text."""
        return shown(value, self.digits, self.in_percent.get(metric, True))


def sentences_report(examined: Examined, inputs: Mapping[str, Any], *, head: str, types: bool = False) -> Report:
    """Return a report of sentences below the line ``head``.

    Tables have a row for each sentence and system, with typed edits inline.
    """
    return Report(
        "geceval/sentences@1",
        lambda: {**inputs, **_document(examined)},
        lambda: [_table(examined)],
        view=lambda digits, terminal: _view(examined, ScoreDigits(examined.in_percent, digits), head, types, terminal),
    )


def _view(examined: Examined, scores: ScoreDigits, head: str, types: bool, terminal: bool) -> Iterator[ViewPart]:
    yield head
    for sentence in examined.sentences:
        systems, lines = [], []
        for name, output in sentence.outputs.items():
            figures = [f"{label} {scores.shown(label, output.scores[label].score)}" for label in examined.metrics]
            figures += ["false alarm"] if output.is_false_alarm else []
            systems.append(visible(f"{name}: {', '.join(figures)}" if figures else name))
            lines += version_lines(visible(name), output, types=types, terminal=terminal)
        yield ""
        yield HangingLines([(str(sentence.number), [("   ".join(systems), "")])], indent=0, style="bold")
        yield HangingLines(lines)
    if examined.sentences:
        yield ""
        yield [(legend(examined), "dim")]


def legend(examined: Examined) -> str:
    """Return the meaning of the signs, and the metric that assigns them."""
    if examined.judge is None:
        return f"{SIGNS[None]} an edit; whether it is right is not known without references"
    names = [f"{SIGNS[outcome]} {outcome}" for outcome in OUTCOMES]
    return "   ".join([*names, f"{SIGNS[None]} not counted", f"by {examined.judge}"])


def version_lines(name: str, output: Output, *, types: bool, terminal: bool) -> list[tuple[str, StyledLine]]:
    """Return the version of a system and its reference, each with its name."""
    versions = [(name, output.version)]
    if output.reference is not None:
        versions.append((f"ref {output.reference.name}", output.reference))
    return [(who, marked(version.segments, types=types, terminal=terminal)) for who, version in versions]


# --- for programs ---


def _table(examined: Examined) -> ReportTable:
    columns = [
        TableColumn("sentence", "count"),
        TableColumn("system"),
        *(TableColumn(label, "score", examined.in_percent.get(label, True)) for label in examined.metrics),
        *table_columns("count", *OUTCOMES),
        *table_columns("text", "source", "text", "reference", "edits", "missed_edits"),
        TableColumn("false_alarm", "count"),
    ]
    rows = [
        _row(sentence, name, output, examined)
        for sentence in examined.sentences
        for name, output in sentence.outputs.items()
    ]
    return ReportTable(columns, rows)


def _row(sentence: Sentence, name: str, output: Output, examined: Examined) -> TableRow:
    version, reference = output.version, output.reference
    missed = [] if reference is None else [edit for edit in reference.edits if edit.outcome == "missed"]
    edits = [*version.edits, *missed]
    return [
        sentence.number,
        name,
        *(output.scores[label].score for label in examined.metrics),
        *(sum(edit.outcome == outcome for edit in edits) for outcome in OUTCOMES),
        sentence.source,
        version.text,
        "" if reference is None else reference.text,
        plain(marked(version.segments, types=True)),
        "" if reference is None else plain(marked(reference.segments, types=True)),
        int(output.is_false_alarm),
    ]


def _document(examined: Examined) -> dict[str, Any]:
    """Return all values except the evidence for JSON; see docs/explaining.md."""
    return {
        "total": examined.total,
        "fit": examined.fit,
        "judge": examined.judge,
        "agreement": examined.agreement,
        "signatures": examined.signatures,
        "sentences": [sentence_document(sentence, examined) for sentence in examined.sentences],
    }


def sentence_document(sentence: Sentence, examined: Examined, evidence: bool = False) -> dict[str, Any]:
    """Return a sentence as JSON values.

    ``evidence`` adds the evidence of each score.
    """
    systems = {}
    for name, output in sentence.outputs.items():
        scores = {label: scored for label, scored in output.scores.items() if label in examined.metrics}
        systems[name] = {
            **version_document(output.version),
            "name": name,
            "reference": None if output.reference is None else version_document(output.reference),
            "false_alarm": output.is_false_alarm,
            "scores": {label: scored_document(scored, evidence) for label, scored in scores.items()},
        }
    common = {"number": sentence.number, "source": sentence.source, "references": dict(sentence.references)}
    return common | ({} if sentence.label is None else {"label": sentence.label}) | {"systems": systems}


def version_document(version: Version) -> dict[str, Any]:
    """Return a version with its edits as JSON values."""
    return {"name": version.name, "text": version.text, "edits": [asdict(edit) for edit in version.edits]}


def scored_document(scored: Scored, evidence: bool) -> dict[str, Any]:
    """Return a score with its parts as JSON values.

    ``evidence`` adds the scores of all references and the rows of the chosen one.
    """
    score = {"score": scored.score, "parts": scored.parts, "reference": scored.reference}
    if not evidence:
        return score
    rows = [{name: value for name, value in asdict(row).items() if value is not None} for row in scored.evidence]
    return score | {"averaged": scored.averaged, "against": scored.against, "evidence": rows}


def number(value: float) -> str:
    """Return a count or a weight as text: an integer, or with three decimals."""
    return f"{value:g}" if float(value).is_integer() else round_half_up(value, 3)


WHICH = Group.create_ordered("selection of sentences", sort_key=2)


@Parameter(name="*", group=WHICH)
@dataclass(frozen=True, kw_only=True)
class SelectionOptions:
    """Selection and order of the sentences."""

    limit: int = 20
    """number of sentences to show"""
    all: bool = False
    """show all matching sentences"""
    sentences: tuple[int, ...] = ()
    """show the sentences with these numbers, from 1"""
    system: Annotated[str | None, Parameter(metavar="NAME")] = None
    """system to show (default: all)"""
    worse_than: Annotated[str | None, Parameter(metavar="NAME")] = None
    """show only sentences with a lower score than the output of system NAME"""
    against: Annotated[str | None, Parameter(metavar="NAME")] = None
    """show the output of system NAME next to --system"""
    disagree: bool = False
    """show only sentences on which two metrics disagree"""
    type: Annotated[str | None, Parameter(metavar="TYPE")] = None
    """show only sentences with an edit of this type: R:VERB:TENSE, VERB:TENSE, R, VERB*"""
    outcome: Literal["correct", "wrong", "missed", "false-alarm"] | None = None
    """show only sentences with an edit of this outcome, or that only the system changes (false-alarm)"""
    grep: Annotated[str | None, Parameter(metavar="REGEX")] = None
    """show only sentences whose texts match; (?i) ignores case"""
    sort: Literal["worst", "best", "difference", "random", "given"] | None = None
    """order of the sentences (default: worst; difference with --worse-than and --disagree)"""
    seed: int = 0
    """seed of --sort random"""

    def __post_init__(self) -> None:
        check_whole(self, limit=COUNT, seed=KERNEL_SEEDS, sentences=COUNT)
        if self.all and self.limit != 20:
            raise UsageError("--all and --limit exclude each other")
        if self.sentences:
            for name in changed(self):
                if name not in ("limit", "sentences", "seed"):
                    raise UsageError(f"--sentences and {flag(name)} exclude each other")
        elif self.worse_than is not None and self.against is not None:
            raise UsageError("--worse-than and --against exclude each other")

    def wanted(self, names: Sequence[str]) -> Wanted:
        """Return the selection for these systems.

        Args:
            names: The names of all systems. With two systems, naming one of them is enough.
        """
        compared = self.worse_than if self.worse_than is not None else self.against
        if compared is not None:
            known_system(compared, names)
        system = self.system
        if len(names) == 2 and (self.disagree or compared is not None):
            system = system or next((name for name in names if name != compared), None)
            compared = compared or next((name for name in names if name != system), None)
        if system is None and compared is not None:
            raise UsageError(f"the system to compare with {compared} is needed", hint="--system NAME")
        if self.disagree and compared is None:
            raise UsageError("--disagree needs two systems", hint="--system NAME --against NAME")
        return Wanted(
            number=None if self.all else self.limit,
            sort=self.sort,
            system=system,
            against=compared,
            worse=self.worse_than is not None,
            disagree=self.disagree,
            type=self.type,
            outcome=self.outcome,
            grep=self.grep,
            seed=self.seed,
        )


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ShowOutputOptions(OutputOptions):
    """Options of the output."""

    formats: ClassVar[tuple[str, ...]] = ("text", "tsv", "json")
    format: Annotated[str | None, Parameter(alias="-f", choices=("text", "tsv", "json"))] = None
    """output format (default: by the ending of -o, or text)"""
    types: bool = False
    """show the types of edits (default with --type)"""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ShowRequest:
    """Systems, metrics, of which the first one sorts, and the sentences to show."""

    data: CorpusOptions = CorpusOptions()
    metric: MetricOptions = MetricOptions()
    which: SelectionOptions = SelectionOptions()
    output: ShowOutputOptions = ShowOutputOptions()
    checks: Checks = True


def show(*, request: ShowRequest = ShowRequest()) -> None:
    """Write the sentences.

    Examples:
      geceval show -s source.txt -r ref0.txt ref1.txt -c system.txt
      geceval show --gold gold.m2 -c system.txt --type VERB:TENSE --outcome missed
      geceval show -s source.txt -r ref*.txt -c old.txt new.txt --system new --worse-than old

    Edits: {are→is ✓} correct, {the→a ✗} wrong, {+of ○} missed, {-to ·} ignored.

    documentation: docs/explaining.md
    """
    output, which = request.output, request.which
    inputs = CorpusInputs(request.data, threads=output.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus()
    with progress() as advance, collected() as caught:
        examined = examine(
            corpus,
            metrics,
            list(which.sentences) or which.wanted(corpus.system_names),
            annotator=inputs.language.annotator,
            threads=output.threads,
            checks=request.checks,
            progress=advance,
        )
    report = sentences_report(
        examined,
        inputs.to_document(caught),
        head=summary(examined, by_number=bool(which.sentences)),
        types=output.types or which.type is not None,
    )
    write_report(output.target, report, output.written_format, output.digits)


def summary(examined: Examined, *, by_number: bool) -> str:
    """Return the number of sentences, and the agreement of two metrics."""
    here, fit, total = len(examined.sentences), examined.fit, examined.total
    if by_number or fit == total:
        text = f"{here} of {total} sentences"
    else:
        text = f"{here} of {fit} matching sentences, of {total}" if fit else f"none of the {total} sentences matches"
    agreement = examined.agreement
    if agreement is None:
        return text
    first, second = examined.metrics[:2]
    a, b = examined.systems
    return (
        f"{text}\n{first} and {second} agree on {a} and {b} in {agreement.alike} sentences and disagree in "
        f"{agreement.opposite}; in {agreement.one_sees_none} one of them has equal scores"
    )
