"""``geceval signature``: the settings of a score, and the command that gives it."""

from __future__ import annotations

from geceval.base.requests import CommandRequest, option
from geceval.cli.options import FormatOption
from geceval.cli.output import text_of, write_text
from geceval.cli.parsing import Command


class SignatureRequest(FormatOption, CommandRequest):
    """The signature, and the format of its settings."""

    signature: str = option(metavar="SIGNATURE", default="", required=True)
    format: str | None = option("-f", "--format", choices=["table", "json"])


def run(request: SignatureRequest) -> None:
    """Write the settings and the command."""
    from geceval.counting.catalogue.signatures import read_signature
    from geceval.report.metric_reports import signature_report

    report = signature_report(read_signature(request.signature))
    write_text(request.target, text_of(report, request.written_format, request.target))


COMMAND = Command(SignatureRequest, run)
