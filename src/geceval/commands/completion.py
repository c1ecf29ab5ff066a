"""``geceval completion``: print a completion script."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from geceval.commands.command_list import make_command_line


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(name="SHELL", help="bash, zsh or fish")], /
) -> None:
    """Print the script.

    Examples:
      eval "$(geceval completion bash)"
    """
    print(make_command_line().generate_completion(shell=shell))
