"""``geceval false-alarms``: what systems change in sentences that need no change."""

from __future__ import annotations

from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import ChecksOption, CorpusOptions, OutputOptions
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected
from geceval.counting.metric_names import make_metric

EXAMPLES = """\
examples:
  geceval false-alarms -s source.txt -r ref0.txt ref1.txt -c sys1.txt sys2.txt
  geceval false-alarms --gold gold.m2 -c sys1.m2 --rule all any each

A sentence needs no change if all references leave it alone (all, the default), if any does, or by each reference by
itself, of which the mean is taken. Texts are compared as they are: case and blanks count.
"""


class FalseAlarmsRequest(ChecksOption, CommandRequest):
    """Systems, and which sentences need no change."""

    data: CorpusOptions = CorpusOptions()
    rule: tuple[str, ...] = option(
        "--rule",
        nargs="+",
        choices=["all", "any", "each"],
        default=("all",),
        help="which references leave the sentence alone (default: all)",
    )
    output: OutputOptions = OutputOptions()


def run(request: FalseAlarmsRequest) -> None:
    """Write the false alarms of each system."""
    from geceval.counting.run import evaluate
    from geceval.report.scores.false_alarm_report import false_alarm_report

    output = request.output
    inputs = CorpusInputs(request.data, quiet=output.quiet, threads=output.threads)
    annotator = inputs.language.annotator_or_default
    metrics = [make_metric("false-alarms", rule=rule, annotator=annotator) for rule in dict.fromkeys(request.rule)]
    with collected(quiet=output.quiet) as found:
        results = evaluate(inputs.corpus(), metrics, views=["corpus"], threads=output.threads, checks=request.checks)
    write_report(
        output.target, false_alarm_report(results, inputs.to_document(found)), output.written_format, output.digits
    )


COMMAND = Command(FalseAlarmsRequest, run, EXAMPLES)
