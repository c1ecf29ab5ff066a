"""``geceval completion``: print a completion script."""

from __future__ import annotations

from geceval.app.main import build_parser
from geceval.base.errors import require_extra
from geceval.base.requests import CommandRequest, option
from geceval.cli.parsing import Command


class CompletionRequest(CommandRequest):
    """The shell of the script."""

    shell: str = option(required=True, choices=["bash", "zsh", "tcsh"])


def run(request: CompletionRequest) -> None:
    """Print the script."""
    with require_extra("completion", "completion scripts need shtab"):
        import shtab
    print(shtab.complete(build_parser(), request.shell))


COMMAND = Command(CompletionRequest, run)
