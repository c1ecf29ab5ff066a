"""``geceval``: the command line.

The modules of commands are imported when they run.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from geceval._kernel import __version__
from geceval.base.errors import GecevalError, UsageError
from geceval.base.output_files import standard_output
from geceval.cli import renamed
from geceval.cli.dropin import DROPINS
from geceval.cli.parsing import Actions, Command, Parser, add_command, request_of, see, with_typed_flags
from geceval.cli.stderr import printed_warnings, say

#: Group of commands -> command -> (module with a ``COMMAND``, summary).
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Score": {
        "score": ("geceval.cli.score", "score systems; --parts adds precision and recall"),
        "compare": ("geceval.cli.compare", "test whether one system is better than another"),
        "rank": ("geceval.cli.rank", "rank systems by a metric's verdicts on pairs of outputs"),
        "suite": ("geceval.cli.suite", "score the test sets of a benchmark in one table"),
        "gate": ("geceval.cli.gate", "fail if a score is below a bar, for continuous integration"),
        "detect": ("geceval.cli.detect", "score error detection, token by token"),
    },
    "Look": {
        "report": ("geceval.cli.report", "write scores, differences and sentences to one HTML file"),
        "show": ("geceval.cli.show", "show sentences with their edits: wrong, missed, false alarms"),
        "explain": ("geceval.cli.explain", "explain the scores of one sentence, edit by edit"),
    },
    "Text and edits": {
        "annotate": ("geceval.cli.annotate", "extract the edits of corrected text: M2, chunks"),
        "m2": ("geceval.cli.m2", "check, count, compare, filter, merge, convert M2 files"),
        "prepare": ("geceval.cli.prepare", "clean, tokenise and normalise raw text"),
        "language": ("geceval.cli.language", "list the languages, or make one from a treebank"),
        "data": ("geceval.cli.data", "identify known corpora and report damaged files"),
    },
    "Choose": {
        "filter": ("geceval.cli.filter", "keep pairs of a table or of files that meet a condition"),
        "select": ("geceval.cli.select", "choose one of several corrections of each sentence"),
    },
    "People": {
        "meta": ("geceval.cli.meta", "measure the agreement of metrics with human judgments"),
    },
    "Set up": {
        "metrics": ("geceval.cli.metrics", "list the metrics, or the settings (modes, models) of one"),
        "signature": ("geceval.cli.signature", "explain a signature and print the command of its score"),
        "reproduce": ("geceval.cli.reproduce", "repeat a run recorded by --record, list the differences"),
        "install-scripts": ("geceval.cli.install_scripts", "install the public tools' commands as scripts"),
        "completion": ("geceval.cli.completion", "print a completion script for bash, zsh or tcsh"),
    },
}
#: Command -> (module with a ``COMMAND``, summary).
COMMANDS: dict[str, tuple[str, str]] = {name: about for group in GROUPS.values() for name, about in group.items()}


class MainParser(Parser):
    """The parser of ``geceval``, whose help lists the commands in groups."""

    def format_help(self) -> str:
        lines = ["usage: geceval COMMAND [OPTIONS]", "", "Evaluate grammatical error correction."]
        for title, commands in GROUPS.items():
            lines += ["", f"{title}:", *(f"  {name:<16} {summary}" for name, (_, summary) in commands.items())]
        names = " ".join(DROPINS)
        lines += ["", "Commands of the public tools, with their options and output:"]
        lines += textwrap.wrap(names, 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        lines += ["", "geceval help COMMAND prints the options and examples of a command.", ""]
        return "\n".join(lines)


def build_parser(only: str | None = None) -> Parser:
    """Return the parser of ``geceval``.

    Args:
        only: The command whose options are added; None for all commands, which takes longer.
    """
    parser = MainParser(prog="geceval", description="Evaluate grammatical error correction.")
    parser.add_argument("-h", "--help", action="help", help="print this help")
    parser.add_argument("--version", action="version", version=f"geceval {__version__}", help="print the version")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", prog="geceval", parser_class=Parser)
    for name, (module, summary) in COMMANDS.items():
        if only is None or only == name:
            command = importlib.import_module(module).COMMAND
            add_command(subparsers.add_parser(name, help=summary), command, summary, rare=only is None)
    return parser


def command_named(name: str) -> Command[Any] | Actions:
    """Return a command."""
    command: Command[Any] | Actions = importlib.import_module(COMMANDS[name][0]).COMMAND
    return command


def guarded(run: Callable[[], None]) -> int:
    """Run a command, print an error of the user on stderr, return the exit status."""
    try:
        with standard_output(), endings(), printed_warnings():
            run()
    except GecevalError as error:
        say(f"error: {error}")
        return error.exit_status
    except MemoryError as error:
        say(f"error: not enough memory: {error}".rstrip(": "))
        return GecevalError.exit_status
    except KeyboardInterrupt as interrupt:
        return 128 + ended_by(interrupt)
    except RuntimeError as error:
        if not by_interrupt(error):
            raise
        return 128 + ended_by(error)
    except BrokenPipeError:  # the reader is done
        return 128 + signal.SIGPIPE
    return 0


class Ended(KeyboardInterrupt):
    """A signal other than SIGINT ended the command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def endings() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the command like SIGINT.

    A second signal ends it immediately.
    """

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
    """Return the number of the signal that ended the command."""
    while error is not None:
        if isinstance(error, Ended):
            return error.number
        error = error.__context__
    return signal.SIGINT


def by_interrupt(error: BaseException) -> bool:
    """Return whether the error follows an interrupt.

    Inside a lock, Python raises an error about the lock.
    """
    before = error.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or by_interrupt(before))


def utf8_output() -> None:
    """Write UTF-8 in every locale."""
    # Names of files may be other bytes, which stdout keeps and stderr escapes.
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    The status is 0 on success, 1 if a bar is not kept or a check finds a difference, 2 for wrong usage
    or input, 130 after SIGINT, 143 after SIGTERM. A bug is a traceback and 1.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    utf8_output()
    words = [*arguments[1:], "--help"] if arguments[:1] == ["help"] else arguments
    if words and words[0] in DROPINS:
        return dropin(words[0], words[1:], prog=f"geceval {words[0]}")
    return guarded(partial(_run, words))


def _run(arguments: Sequence[str]) -> None:
    name = next((word for word in arguments if not word.startswith("-")), None)
    parser = build_parser(name if name in COMMANDS else "")
    if name is not None and name not in COMMANDS:
        metrics = importlib.import_module("geceval.counting.metric_names").METRICS.builtin  # only for this error
        hint = renamed.COMMANDS.get(name) or (f"geceval score -m {name}" if name in metrics else None)
        parser.refuse_name("command", name, [*COMMANDS, *DROPINS], hint)
    args = parser.parse_args(arguments)
    if args.command is None:
        parser.print_help()
        return
    try:
        command, request = request_of(args)
    except UsageError as error:
        request_type = args.command.request
        error.message = with_typed_flags(error.message, request_type, arguments)
        if error.hint is not None:
            error.hint = with_typed_flags(error.hint, request_type, arguments)
        else:
            error.message += f"\n{see(args.parser.prog)}"
        raise
    command.run(request)


def dropin(name: str, arguments: Sequence[str] | None = None, prog: str | None = None) -> int:
    """Run a public tool's command by its name."""
    utf8_output()
    arguments = list(sys.argv[1:] if arguments is None else arguments)

    def run() -> None:
        module, function = DROPINS[name]
        getattr(importlib.import_module(module), function)(arguments, prog or name)

    return guarded(run)
