"""``geceval show``: show sentences with their edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from geceval.base.arguments import COUNT, KERNEL_SEEDS
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import ChecksOption, CorpusOptions, MetricOptions, OutputOptions
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, progress

if TYPE_CHECKING:
    from geceval.inspection.examined_sentences import Examined
    from geceval.inspection.sentence_selection import Wanted


class ShowMetricOptions(MetricOptions, title="metrics"):
    """The metrics, of which the first one sorts."""


class SelectionOptions(OptionGroup, title="which sentences"):
    """Selection and order of the sentences."""

    limit: int = option("--limit", bounds=COUNT, default=20)
    all: bool = option("--all")
    sentences: tuple[int, ...] = option("--sentences", bounds=COUNT)
    system: str | None = option("--system", metavar="NAME")
    worse_than: str | None = option("--worse-than", metavar="NAME")
    against: str | None = option("--against", metavar="NAME")
    disagree: bool = option("--disagree")
    type: str | None = option("--type", metavar="TYPE")
    outcome: Literal["correct", "wrong", "missed", "false-alarm"] | None = option("--outcome")
    grep: str | None = option("--grep", metavar="REGEX")
    sort: Literal["worst", "best", "difference", "random", "given"] | None = option("--sort")
    seed: int = option("--seed", bounds=KERNEL_SEEDS, default=0, rare=True)

    def check(self) -> None:
        if self.all and self.limit != 20:
            raise UsageError("--all and --limit exclude each other")
        if self.sentences:
            for name, facts, _ in self.changed_options():
                if name not in ("limit", "sentences", "seed"):
                    option = facts.name(name)
                    raise UsageError(f"--sentences and {option} exclude each other")
        elif self.worse_than is not None and self.against is not None:
            raise UsageError("--worse-than and --against exclude each other")

    def wanted(self, names: Sequence[str]) -> Wanted:
        """Return the selection for these systems.

        Args:
            names: The names of all systems. With two systems, naming one of them is enough.
        """
        from geceval.inspection.sentence_selection import Wanted, known_system

        other = self.worse_than if self.worse_than is not None else self.against
        if other is not None:
            known_system(other, names)
        system = self.system
        if len(names) == 2 and (self.disagree or other is not None):
            system = system or next((name for name in names if name != other), None)
            other = other or next((name for name in names if name != system), None)
        if system is None and other is not None:
            raise UsageError(f"the system to compare with {other} is needed", hint="--system NAME")
        if self.disagree and other is None:
            raise UsageError("--disagree needs two systems", hint="--system NAME --against NAME")
        return Wanted(
            number=None if self.all else self.limit,
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
    """Options of the output."""

    types: bool = option("--types", rare=True)
    format: str | None = option("-f", "--format", choices=["text", "tsv", "json"], effect="files")


class ShowRequest(ChecksOption, CommandRequest):
    """Systems, metrics, and the sentences to show."""

    data: CorpusOptions = CorpusOptions()
    metric: ShowMetricOptions = ShowMetricOptions()
    which: SelectionOptions = SelectionOptions()
    output: ShowOutputOptions = ShowOutputOptions()


def run(request: ShowRequest) -> None:
    """Write the sentences."""
    from geceval.inspection.examination import examine
    from geceval.inspection.shown_sentences import sentences_report

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


COMMAND = Command(ShowRequest, run)
