"""``geceval show``: sentences with their edits inline, the ones worth looking at first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from geceval.base.arguments import COUNT, KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import (
    ChecksOption,
    CorpusOptions,
    MetricOptions,
    OutputOptions,
    format_option,
    metrics_option,
)
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, progress

if TYPE_CHECKING:
    from geceval.studies.explaining.examined_sentences import Examined
    from geceval.studies.explaining.sentence_selection import Wanted

EXAMPLES = """\
examples:
  geceval show -s source.txt -r ref0.txt ref1.txt -c system.txt
  geceval show --gold gold.m2 -c system.txt --type VERB:TENSE --outcome missed
  geceval show -s source.txt -r ref*.txt -c old.txt new.txt --system new --worse-than old
  geceval show -s source.txt -r ref*.txt -c system.txt -m green --grep '\\bhowever\\b' --sort given
  geceval show -s source.txt -r ref*.txt -c sys*.txt --system sys1 --against sys2 -m errant gleu --disagree
  geceval show -s source.txt -r ref*.txt -c system.txt --all --format tsv | cut -f 1,3,11

An edit stands in braces: {are→is ✓} is correct, {the→a ✗} wrong, {+of ○} missed by the system, in the line of
the reference; {-to ·} does not count. All of it: docs/explaining.md.
"""


class ShowMetricOptions(MetricOptions, title="metrics"):
    """The metrics, of which the first one sorts."""

    metrics: tuple[str, ...] = metrics_option(", of which the first sorts")


class SelectionOptions(OptionGroup, title="which sentences"):
    """Which sentences are shown, and in which order."""

    number: int = option(
        *("-n", "--number"), bounds=COUNT, default=20, help="number of sentences to show (default: 20)"
    )
    all: bool = option("--all", help="all that fit")
    sentences: tuple[int, ...] = option(
        "--sentences", nargs="+", bounds=COUNT, help="the sentences with these numbers, from 1; nothing is chosen"
    )
    system: str | None = option(
        "--system", metavar="NAME", help="of this system (default: all; scores are means over them)"
    )
    worse_than: str | None = option("--worse-than", metavar="NAME", help="where the system scores lower than this one")
    against: str | None = option("--against", metavar="NAME", help="show this system beside it, whoever is better")
    disagree: bool = option("--disagree", help="where two metrics of -m rank the two systems the other way round")
    type: str | None = option(
        "--type", metavar="TYPE", help="with an edit of this type: R:VERB:TENSE, VERB:TENSE, R; * stands for anything"
    )
    outcome: Literal["correct", "wrong", "missed"] | None = option(
        "--outcome", choices=["correct", "wrong", "missed"], help="with an edit of this outcome"
    )
    grep: str | None = option(
        "--grep", metavar="REGEX", help="found in the source, a reference or the system's text; (?i): in any case"
    )
    sort: Literal["worst", "best", "difference", "random", "given"] | None = option(
        "--sort",
        choices=["worst", "best", "difference", "random", "given"],
        help="what comes first: the lowest or highest score, the largest difference of the systems, a sentence drawn "
        "by --seed, or as given (default: worst; difference with --worse-than and --disagree)",
    )
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0, help="seed of --sort random (default: 0)")

    def check(self) -> None:
        if self.sentences:
            for name, facts, _ in self.given():
                if name not in ("number", "sentences", "seed"):
                    option = facts.name(name)
                    raise UsageError(f"--sentences says which sentences are shown; {option} would choose others")
        elif self.worse_than is not None and self.against is not None:
            raise UsageError("--worse-than and --against both name the other system; one of them is enough")

    def wanted(self, names: Sequence[str]) -> Wanted:
        """Return what is wanted of these systems. Where there are two, naming one of them is enough."""
        from geceval.studies.explaining.sentence_selection import Wanted, known_system

        other = self.worse_than if self.worse_than is not None else self.against
        if other is not None:
            known_system(other, names)
        system = self.system
        if len(names) == 2 and (self.disagree or other is not None):
            system = system or next((name for name in names if name != other), None)
            other = other or next((name for name in names if name != system), None)
        if system is None and other is not None:
            raise UsageError(f"which system is to be compared with {other}? --system NAME says it")
        if self.disagree and other is None:
            raise UsageError("--disagree is about two systems: --system NAME --against NAME")
        return Wanted(
            number=None if self.all else self.number,
            sort=self.sort,
            system=system,
            against=other,
            worse=self.worse_than is not None,
            disagree=self.disagree,
            type=self.type,
            outcome=self.outcome,
            grep=self.grep,
            seed=self.seed,
        )


class ShowOutputOptions(OutputOptions, title="output"):
    """How sentences are shown."""

    types: bool = option("--types", help="show the types of edits (on with --type)")
    format: str | None = format_option("text", "tsv", "json", effect="files")


class ShowRequest(ChecksOption, CommandRequest):
    """Systems, metrics, which sentences and how they are shown."""

    data: CorpusOptions = CorpusOptions()
    metric: ShowMetricOptions = ShowMetricOptions()
    which: SelectionOptions = SelectionOptions()
    output: ShowOutputOptions = ShowOutputOptions()


def run(request: ShowRequest) -> None:
    """Write the sentences."""
    from geceval.report.sentences.shown_sentences import sentences_report
    from geceval.studies.explaining.examination import examine

    output, which = request.output, request.which
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    metrics, corpus = inputs.metrics(request.metric), inputs.corpus()
    with progress(quiet=output.quiet) as advance, collected(quiet=output.quiet) as found:
        examined = examine(
            corpus,
            metrics,
            list(which.sentences) or which.wanted(corpus.system_names),
            annotator=inputs.language.annotator_or_default,
            threads=output.threads,
            checks=request.checks,
            progress=advance,
        )
    report = sentences_report(
        examined,
        inputs.to_document(found),
        head=summary(examined, by_number=bool(which.sentences)),
        types=output.types or which.type is not None,
    )
    write_report(output.target, report, output.written_format, output.digits)


def summary(examined: Examined, *, by_number: bool) -> str:
    """Return how many sentences there are, and how the two metrics that may disagree go together."""
    here, fit, total = len(examined.sentences), examined.fit, examined.total
    if by_number or fit == total:
        text = f"{here} of {total} sentences"
    else:
        text = f"{here} of {fit} that fit, of {total} sentences" if fit else f"none of the {total} sentences fits"
    agreement = examined.agreement
    if agreement is None:
        return text
    first, second = examined.metrics[:2]
    a, b = examined.systems
    return (
        f"{text}\n{first} and {second} rank {a} and {b} alike in {agreement.alike} sentences, the other way round in "
        f"{agreement.opposite}; in {agreement.one_sees_none} one of them sees no difference"
    )


COMMAND = Command(ShowRequest, run, EXAMPLES)
