"""``geceval show``: show sentences with their edits inline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from geceval.base.arguments import COUNT, KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import OTHER
from geceval.commands.shared.option_values import TypesOption, changed, check_whole, flag
from geceval.commands.shared.options import Checks, MetricOptions, OutputOptions, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.commands.shared.run_progress import watching
from geceval.inspection.examination import examine
from geceval.inspection.sentence_selection import Order, Wanted, known_system
from geceval.results.examined_sentences import Examined
from geceval.results.sentence_views import sentences_report

#: Default number of sentences.
LIMIT = 20
WHICH = Group.create_ordered("selection of sentences", sort_key=2)


@Parameter(name="*", group=WHICH)
@dataclass(frozen=True, kw_only=True)
class SelectionOptions:
    """Selection and order of the sentences."""

    limit: int | None = None
    """number of sentences to show (default: 20)"""
    all: Annotated[bool, Parameter(group=OTHER)] = False
    """show all matching sentences"""
    sentences: Annotated[tuple[int, ...], Parameter(group=OTHER)] = ()
    """show the sentences with these numbers, from 1"""
    system: Annotated[str | None, Parameter(metavar="NAME")] = None
    """system to show (default: all)"""
    worse_than: Annotated[str | None, Parameter(metavar="NAME")] = None
    """show only sentences with a lower score than the output of system NAME"""
    against: Annotated[str | None, Parameter(metavar="NAME", group=OTHER)] = None
    """show the output of system NAME next to --system"""
    disagree: Annotated[bool, Parameter(group=OTHER)] = False
    """show only sentences on which two metrics disagree"""
    type: TypesOption = ()
    """show only sentences with an edit of one of these types: R:VERB:TENSE, VERB:TENSE, R, VERB*"""
    outcome: Literal["correct", "wrong", "missed", "false-alarm"] | None = None
    """show only sentences with an edit of this outcome, or that only the system changes (false-alarm)"""
    grep: Annotated[str | None, Parameter(metavar="REGEX")] = None
    """show only sentences whose texts match; (?i) ignores case"""
    sort: Annotated[Order | None, Parameter(group=OTHER)] = None
    """order of the sentences (default: worst; difference with --worse-than and --disagree)"""
    seed: Annotated[int, Parameter(group=OTHER)] = 0
    """seed of --sort random"""

    def __post_init__(self) -> None:
        check_whole(self, limit=COUNT, seed=KERNEL_SEEDS, sentences=COUNT)
        if self.all and self.limit is not None:
            raise UsageError("--all and --limit exclude each other")
        if self.sentences:
            for name in changed(self):
                if name != "sentences":
                    raise UsageError(f"--sentences and {flag(name)} exclude each other")
        elif self.worse_than is not None and self.against is not None:
            raise UsageError("--worse-than and --against exclude each other")
        if self.seed != 0 and self.sort != "random":
            raise UsageError("--seed requires --sort random", hint="add --sort random")

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
            number=None if self.all else LIMIT if self.limit is None else self.limit,
            sort=self.sort,
            system=system,
            against=compared,
            worse=self.worse_than is not None,
            disagree=self.disagree,
            type="+".join(self.type) or None,
            outcome=self.outcome,
            grep=self.grep,
            seed=self.seed,
        )


@written_as("text", "tsv", "json")
class ShowOutputOptions(OutputOptions):
    """Options of the output."""

    show_types: bool = False
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
    with watching() as (advance, warnings):
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
        inputs.to_document(warnings),
        head=summary(examined, by_number=bool(which.sentences)),
        types=output.show_types or bool(which.type),
    )
    write_report(report, output, output.digits)


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
