"""``geceval``: the umbrella command. Subcommands live in files of their own and import heavy things when they run."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import TextIO

from geceval._kernel import __version__
from geceval.cli.dropin import DROPINS
from geceval.errors import GecevalError, GecevalWarning

#: Subcommand -> (module with ``add_arguments(parser)`` and ``run(args)``, one line of help).
COMMANDS: dict[str, tuple[str, str]] = {
    "score": ("geceval.cli.score", "score systems with one or more metrics"),
    "m2": ("geceval.cli.m2", "check, apply, merge and count M2 files"),
    "annotate": ("geceval.cli.annotate", "extract the edits of corrected text and write them as M2"),
    "meta": ("geceval.cli.meta", "measure how well metrics agree with people's judgments"),
    "chunks": ("geceval.cli.chunks", "print the chunks in which CLEME compares a system with the references"),
    "weights": ("geceval.cli.weights", "write how hard each chunk of the gold is for the systems, for GoToScorer"),
    "completion": ("geceval.cli.completion", "print a shell completion script"),
}


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with ``only``, the other subcommands stay empty, which is quicker."""
    parser = argparse.ArgumentParser(
        prog="geceval",
        description="Evaluate grammatical error correction.",
        epilog="The public tools' own commands, with their flags and output:\n  "
        + "\n  ".join(f"geceval {name} …" for name in DROPINS)
        + "\n\nExample:\n  geceval score -s source.txt -r ref0.txt ref1.txt -c system.txt -m green",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"geceval {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (module, summary) in COMMANDS.items():
        formatter = argparse.RawDescriptionHelpFormatter
        subparser = subparsers.add_parser(name, help=summary, description=summary, formatter_class=formatter)
        if only is None or only == name:
            commands = importlib.import_module(module)
            commands.add_arguments(subparser)
            subparser.set_defaults(run=commands.run)
    return parser


def guarded(run: Callable[[], None]) -> int:
    """Run a command; errors people can put right become a message on stderr and their exit status."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GecevalWarning)
            warnings.showwarning = show_warning
            run()
        sys.stdout.flush()
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The reader has what it wanted; without this Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13
    return 0


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Our warnings as a line for people, others as Python prints them."""
    ours = issubclass(category, GecevalWarning)
    text = f"warning: {message}\n" if ours else warnings.formatwarning(message, category, filename, lineno, line)
    (file or sys.stderr).write(text)


def utf8_output() -> None:
    """Write UTF-8 whatever the locale says: output must not depend on it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status: 0 done, 2 usage or input, 130 interrupted, 1 (a traceback) a bug."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    utf8_output()
    if arguments and arguments[0] in DROPINS:
        return dropin(arguments[0], arguments[1:], prog=f"geceval {arguments[0]}")
    only = next((word for word in arguments if not word.startswith("-")), None)
    parser = build_parser(only if only in COMMANDS else "")
    args = parser.parse_args(arguments)
    if args.command is None:
        parser.print_help()
        return 0
    return guarded(lambda: args.run(args))


def dropin(name: str, arguments: Sequence[str] | None = None, prog: str | None = None) -> int:
    """Run a public tool's command by its name."""
    utf8_output()
    module, function = DROPINS[name]
    run = getattr(importlib.import_module(module), function)
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    return guarded(lambda: run(arguments, prog or name))
