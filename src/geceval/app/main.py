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
from pathlib import Path
from typing import Any

from geceval._kernel import __version__
from geceval.base.data_files import table_rows
from geceval.base.errors import GecevalError, UsageError
from geceval.base.output_files import open_standard_streams, standard_output
from geceval.cli.parsing import Command, Parser, add_command, request_of, see, with_typed_flags
from geceval.cli.stderr import printed_warnings, say
from geceval.dropins import DROPINS

_ROWS = table_rows(Path(__file__).with_name("commands.tsv"))
#: Commands, and actions such as ``m2 check`` -> summary.
SUMMARIES = {name: summary for _, name, _, summary in _ROWS}
#: Command or action -> its module, imported when it runs, with ":NAME" if its name there is not COMMAND.
MODULES = {name: f"geceval.{module}" for _, name, module, _ in _ROWS if module}
#: Group -> its commands.
GROUPS = {title: [name for group, name, *_ in _ROWS if group == title] for title, *_ in _ROWS if title}
COMMANDS = [name for names in GROUPS.values() for name in names]
#: Command -> its actions.
ACTIONS = {name: [row[1].split()[1] for row in _ROWS if row[1].startswith(f"{name} ")] for name in COMMANDS}


class MainParser(Parser):
    """The parser of ``geceval``, whose help lists the commands in groups."""

    def format_help(self) -> str:
        lines = ["usage: geceval COMMAND [OPTIONS]", "", "Evaluate grammatical error correction."]
        for title, commands in GROUPS.items():
            lines += ["", f"{title}:", *(f"  {name:<16} {SUMMARIES[name]}" for name in commands)]
        names = " ".join(DROPINS)
        lines += ["", "Commands of the public tools, with their options and output:"]
        lines += textwrap.wrap(names, 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        lines += ["", "geceval help COMMAND prints the options and examples of a command.", ""]
        return "\n".join(lines)


def build_parser(only: Sequence[str] | None = None) -> Parser:
    """Return the parser of ``geceval``.

    Args:
        only: The command whose options are added, and its action; None for all commands, which takes longer.
    """
    parser = MainParser(prog="geceval", description="Evaluate grammatical error correction.")
    parser.add_argument("-h", "--help", action="help", help="print this help")
    parser.add_argument("--version", action="version", version=f"geceval {__version__}", help="print the version")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", prog="geceval", parser_class=Parser)
    for name in COMMANDS:
        if only is None or name in only[:1]:
            command_parser = subparsers.add_parser(name, help=SUMMARIES[name])
            actions = {action: partial(command_named, f"{name} {action}") for action in ACTIONS[name]}
            command = actions or command_named(name)
            add_command(command_parser, command, SUMMARIES, only=only and only[1:], rare=only is None)
    return parser


def command_named(name: str) -> Command[Any]:
    """Return a command or an action by its name."""
    module, _, constant = MODULES[name].partition(":")
    command: Command[Any] = getattr(importlib.import_module(module), constant or "COMMAND")
    return command


def guarded(run: Callable[[], None]) -> int:
    """Run a command, print an error of the user on stderr, return the exit status."""
    received: list[int] = []
    open_standard_streams()
    try:
        with endings(received), standard_output(), printed_warnings():
            run()
    except BaseException as error:
        if received:  # an interrupted lock or generator raises other errors
            return 128 + received[0]
        if isinstance(error, KeyboardInterrupt):
            return 128 + signal.SIGINT
        if isinstance(error, BrokenPipeError):  # the reader is done
            return 128 + signal.SIGPIPE
        if isinstance(error, MemoryError):
            error = GecevalError(f"not enough memory: {error}".rstrip(": "))
        if not isinstance(error, GecevalError):
            raise
        say(f"error: {error}")
        return error.exit_status
    return 128 + received[0] if received else 0


class Ended(KeyboardInterrupt):
    """A signal ended the command.

    A plain KeyboardInterrupt within ``exec`` would make Python end itself by SIGINT, even if it is handled.
    """


@contextlib.contextmanager
def endings(received: list[int]) -> Iterator[None]:
    """End the command by an exception after SIGINT, SIGTERM or SIGHUP.

    Their number is added to ``received``. A second signal ends it immediately. Ignored signals stay ignored.
    """

    def end(number: int, frame: object) -> None:
        received.append(number)
        for other in before:
            signal.signal(other, signal.SIG_DFL)
        raise Ended

    names = ("SIGINT", "SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.getsignal(number) for name in names if (number := getattr(signal, name, None))}
    before = {number: own for number, own in before.items() if own in (signal.SIG_DFL, signal.default_int_handler)}
    try:
        for number in before:
            signal.signal(number, end)
        yield
    finally:
        for number, own in before.items():
            signal.signal(number, own)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    The status is 0 on success, 1 if a bar is not kept or a check finds a difference, 2 for wrong usage
    or input, 130 after SIGINT, 143 after SIGTERM. A bug is a traceback and 1.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    words = [*arguments[1:], "--help"] if arguments[:1] == ["help"] else arguments
    if words and words[0] in DROPINS:
        return dropin(words[0], words[1:], prog=f"geceval {words[0]}")
    return guarded(partial(_run, words))


def _run(arguments: Sequence[str]) -> None:
    words = [word for word in arguments if not word.startswith("-")]
    parser = build_parser(words[:2])
    name = next(iter(words), None)
    if name is not None and name not in COMMANDS:
        metrics = importlib.import_module("geceval.counting.metric_names").METRICS.builtin  # only for this error
        hint = f"geceval score -m {name}" if name in metrics else None
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
    arguments = list(sys.argv[1:] if arguments is None else arguments)

    def run() -> None:
        module, function = DROPINS[name]
        getattr(importlib.import_module(module), function)(arguments, prog or name)

    return guarded(run)
