"""``geceval completion SHELL``."""

from __future__ import annotations

import argparse

from geceval.base.errors import MissingExtraError, installing

SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell to complete in")
    parser.epilog = 'Example:\n  eval "$(geceval completion bash)"'


def run(args: argparse.Namespace) -> None:
    try:
        import shtab
    except ImportError:
        raise MissingExtraError("completion scripts need shtab", hint=installing("completion")) from None

    from geceval.cli.main import build_parser

    print(shtab.complete(build_parser(), args.shell))
