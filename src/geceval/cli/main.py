"""``geceval``: the umbrella command. Subcommands live in files of their own and import heavy things when they run."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from geceval._kernel import __version__
from geceval.base.errors import GecevalError
from geceval.base.output_files import standard_output
from geceval.cli.dropin import DROPINS
from geceval.cli.parsing import Actions, Command, Parser, add_command, request_of
from geceval.cli.stderr import printed_warnings

#: Subcommand -> (module with a ``COMMAND``, one line of help).
COMMANDS: dict[str, tuple[str, str]] = {
    "score": ("geceval.cli.score", "score systems with one or more metrics"),
    "suite": ("geceval.cli.suite", "score all test sets of a benchmark: a whole paper's table, with published numbers"),
    "compare": ("geceval.cli.compare", "is one system better than another? intervals, tests, clusters"),
    "report": ("geceval.cli.report", "write a report of systems and sentences as one HTML file"),
    "show": ("geceval.cli.show", "show sentences with their edits, the ones worth looking at first"),
    "explain": ("geceval.cli.explain", "explain one sentence: scores, evidence, what each edit is worth"),
    "rank": ("geceval.cli.rank", "rank systems without people, by a metric's verdicts on pairs of outputs"),
    "gate": ("geceval.cli.gate", "hold scores against bars in continuous integration, with an exit status"),
    "m2": ("geceval.cli.m2", "check, count, compare, filter, split, merge, apply and convert M2 files"),
    "annotate": ("geceval.cli.annotate", "extract the edits of corrected text, as M2 or as a table of chunks"),
    "prepare": ("geceval.cli.prepare", "tokenise and normalise raw text, repair its white space"),
    "data": ("geceval.cli.data", "recognise known data files by checksum, and say what is off with them"),
    "language": ("geceval.cli.language", "list the languages, or make one from a treebank"),
    "meta": ("geceval.cli.meta", "measure how well metrics agree with people's judgments"),
    "select": ("geceval.cli.select", "choose one of several candidate corrections of each sentence"),
    "detect": ("geceval.cli.detect", "score the detection of errors, token by token"),
    "false-alarms": ("geceval.cli.false_alarms", "show what systems change in sentences that need no change"),
    "reproduce": ("geceval.cli.reproduce", "score again what --record wrote, and say what differs"),
    "install-scripts": (
        "geceval.cli.install_scripts",
        "write launchers named as the public tools' commands",
    ),
    "metrics": ("geceval.cli.metrics", "list the metrics, or the settings of one"),
    "completion": ("geceval.cli.completion", "print a shell completion script"),
}


def build_parser(only: str | None = None) -> Parser:
    """The parser; with ``only``, the other subcommands stay empty, which is quicker."""
    parser = Parser(
        prog="geceval",
        description="Evaluate grammatical error correction.",
        epilog="The public tools' own commands, with their flags and output:\n  "
        + "\n  ".join(f"geceval {name} …" for name in DROPINS)
        + "\n\nExample:\n  geceval score -s source.txt -r ref0.txt ref1.txt -c system.txt -m green",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"geceval {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (_, summary) in COMMANDS.items():
        formatter = argparse.RawDescriptionHelpFormatter
        subparser = subparsers.add_parser(name, help=summary, description=summary, formatter_class=formatter)
        if only is None or only == name:
            add_command(subparser, command_named(name))
    return parser


def command_named(name: str) -> Command[Any] | Actions:
    """Return a command by its name."""
    command: Command[Any] | Actions = importlib.import_module(COMMANDS[name][0]).COMMAND
    return command


def guarded(run: Callable[[], None]) -> int:
    """Run a command; errors people can put right become a message on stderr and their exit status."""
    try:
        with standard_output(), endings(), printed_warnings():
            run()
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except MemoryError as error:
        print(f"error: not enough memory: {error}".rstrip(": "), file=sys.stderr)
        return GecevalError.exit_status
    except KeyboardInterrupt as interrupt:
        return 128 + ended_by(interrupt)
    except RuntimeError as error:
        if not by_interrupt(error):
            raise
        return 128 + ended_by(error)
    except BrokenPipeError:  # the reader has what it wanted
        return 128 + signal.SIGPIPE
    return 0


class Ended(KeyboardInterrupt):
    """Another signal than Ctrl-C asked for the end; it is as orderly."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def endings() -> Iterator[None]:
    """Within, SIGTERM and SIGHUP end the command as Ctrl-C does; a second one ends it at once."""

    def end(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise Ended(number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    mine = threading.current_thread() is threading.main_thread()
    numbers = [number for number in numbers if mine and signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def ended_by(error: BaseException | None) -> int:
    """The signal that was the reason."""
    while error is not None:
        if isinstance(error, Ended):
            return error.number
        error = error.__context__
    return signal.SIGINT


def by_interrupt(error: BaseException) -> bool:
    """Whether Ctrl-C came before: within a lock of the standard library Python ends in an error about that lock."""
    before = error.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or by_interrupt(before))


def utf8_output() -> None:
    """Write UTF-8 whatever the locale says: output must not depend on it."""
    # Names of files need not be UTF-8: they are written as they are, and in messages so that they can be read.
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status: 0 done, 1 a bar is not kept or m2 diff finds a difference, 2 usage or
    input, 130 interrupted, 143 asked to end (SIGTERM).

    A bug is 1, too, with a traceback.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in DROPINS:
        return dropin(arguments[0], arguments[1:], prog=f"geceval {arguments[0]}")
    utf8_output()
    return guarded(partial(_run, arguments))


def _run(arguments: Sequence[str]) -> None:
    command = next((word for word in arguments if not word.startswith("-")), None)
    parser = build_parser(command if command in COMMANDS else "")
    if command is not None and command not in COMMANDS:
        parser.unknown_command(command, [*COMMANDS, *DROPINS])
    args = parser.parse_args(arguments)
    if args.command is None:
        parser.print_help()
    else:
        asked, request = request_of(args)
        asked.run(request)


def dropin(name: str, arguments: Sequence[str] | None = None, prog: str | None = None) -> int:
    """Run a public tool's command by its name."""
    utf8_output()
    arguments = list(sys.argv[1:] if arguments is None else arguments)

    def run() -> None:
        module, function = DROPINS[name]
        getattr(importlib.import_module(module), function)(arguments, prog or name)

    return guarded(run)
