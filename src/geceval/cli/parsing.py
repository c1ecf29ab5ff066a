"""Requests from the command line. This module alone knows the option parser.

How a command is written
========================

A command is a module of ``geceval.cli`` with a request and a function that runs it::

    EXAMPLES = \"\"\"\\
    examples:
      geceval m2 weights --gold gold.m2 -c sys1.m2 sys2.m2 -o pool.txt
    \"\"\"

    class WeightsRequest(TargetOption, ThreadsOption, CommandRequest):
        data: CorpusOptions = CorpusOptions()
        ref_id: int = option("--ref-id", bounds=COUNT, default=0,  help="…")

        def check(self) -> None:
            if …:
                raise UsageError("--this and --that exclude each other")

    def run(request: WeightsRequest) -> None:
        inputs = CorpusInputs(request.data, quiet=False, threads=request.threads)
        …

    COMMAND = Command(WeightsRequest, run, EXAMPLES)

and a line in the table ``COMMANDS`` of ``geceval.cli.main``.

- **Options.** A field made by ``option(flags…, help=…)`` is an option (``geceval.base.requests.Option`` lists
  the facts it can have), one without flags a positional argument. A ``bool`` is a flag that turns the default round:
  ``checks: bool = option("--no-checks", default=True)``. Values of ``nargs="+"`` and of repeatable options
  are tuples, empty without the option. Say ``reads_file=True`` of an option that names files to read,
  ``effect="files"`` of one that names a file to write or only shapes it, ``effect="none"`` of one that changes no
  output (threads, quiet): ``--record`` and ``--resume`` go by that.
- **Parts.** A field whose default is an instance of an ``OptionGroup`` is a part: a group of the help if its class has
  a title. Options of a base class without a title stand among the command's own. Another default for this command:
  ``output: OutputOptions = OutputOptions(digits=3)``; other choices: a subclass that defines the field anew.
  ``geceval.cli.options`` has the parts that commands share, ``geceval.text.inputs`` those of texts. Names of options
  are unique in a request.
- **Checks.** Types, choices and bounds follow from the facts. What goes together is checked by ``check()`` of the
  class, which raises UsageError; so it holds from Python, too. Nothing is checked later that can be checked there.
- **Running.** ``run`` never changes the request. What is opened on the way (the table of ``-i``, the language that is
  guessed) is held by ``geceval.cli.inputs.CorpusInputs``. ``geceval.cli.output`` writes files and standard output,
  ``geceval.cli.stderr`` prints notes.
- **Actions.** A command with actions, as ``geceval m2 check``, has
  ``COMMAND = Actions({"check": (summary, Command(…)), …}, EXAMPLES)``.

Python constructs the same request::

    WeightsRequest(data=CorpusOptions(files=FileOptions(gold="gold.m2")), ref_id=1)
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from geceval.base.arguments import did_you_mean
from geceval.base.errors import InputError, UsageError
from geceval.base.requests import CommandRequest, Option, OptionGroup, from_document

if TYPE_CHECKING:
    from geceval.report.report import Report

R = TypeVar("R", bound=CommandRequest)


@dataclass(frozen=True)
class Command(Generic[R]):
    """The class of a command's requests, what runs one, and the text under its help.

    ``report``: returns the report of a request, where there are records of the command.
    """

    request: type[R]
    run: Callable[[R], None]
    examples: str = ""
    report: Callable[[R], Report] | None = None


@dataclass(frozen=True)
class Actions:
    """A command with actions: the summary and the command of each by its name, and the text under its help."""

    actions: Mapping[str, tuple[str, Command[Any]]]
    examples: str = ""


class Parser(argparse.ArgumentParser):
    """A parser whose errors show the usage of the command they are about, and the nearest name."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            command: Parser = getattr(found, "parser", self)
            options = [name for action in command._actions for name in action.option_strings]
            hint = did_you_mean(rest[0].partition("=")[0], options)
            command.error(f"unrecognized arguments: {' '.join(rest)}" + (f"; {hint}" if hint else ""))
        return found

    def error(self, message: str) -> NoReturn:
        wrong = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        hint = wrong and did_you_mean(wrong[1], [name.strip(" '") for name in wrong[2].split(",")])
        super().error(message + (f"; {hint}" if hint else ""))

    def unknown_command(self, name: str, names: Sequence[str]) -> NoReturn:
        """Exit with an error that lists the commands."""
        hint = did_you_mean(name, names)
        super().error(f"unknown command {name!r}: choose from {', '.join(names)}" + (f"; {hint}" if hint else ""))


def add_command(parser: argparse.ArgumentParser, command: Command[Any] | Actions) -> None:
    """Add the options of a command, or its actions, to its parser."""
    parser.epilog = command.examples or None
    if isinstance(command, Command):
        _add_group(parser, parser, command.request)
        parser.set_defaults(parser=parser, command=command)
        return
    parsers = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    for name, (summary, action) in command.actions.items():
        formatter = argparse.RawDescriptionHelpFormatter
        add_command(parsers.add_parser(name, help=summary, description=summary, formatter_class=formatter), action)


def parse(request: type[R], arguments: Sequence[str], prog: str, description: str, usage: str | None = None) -> R:
    """Return the request of a program of its own, one of the public tools' commands."""
    parser = argparse.ArgumentParser(prog=prog, description=description, usage=usage)
    _add_group(parser, parser, request)
    return from_document(request, vars(parser.parse_args(list(arguments))))


def parsed_without_output(command: Command[R], name: str, arguments: Sequence[str]) -> R:
    """Return the request of a command's arguments, writing nothing to standard output.

    Raises InputError for arguments that the parser refuses or that ask for help.
    """
    parser = Parser(prog=name)
    add_command(parser, command)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            namespace = parser.parse_args(list(arguments))
    except SystemExit:
        raise InputError("the record's command cannot be read") from None
    request: R = request_of(namespace)[1]
    return request


def request_of(namespace: argparse.Namespace) -> tuple[Command[Any], Any]:
    """Return the command that was parsed, and its request. Raises UsageError for options that do not go together."""
    given = vars(namespace)
    command: Command[Any] = given["command"]
    names = [name for name, _, _ in command.request.all_options()]
    return command, from_document(command.request, {name: given[name] for name in names if name in given})


def _add_group(parser: argparse.ArgumentParser, group: Any, options: type[OptionGroup] | OptionGroup) -> None:
    """Add options and, at their places, parts; an instance has the defaults."""
    for own in fields(options):
        default = own.default if isinstance(options, type) else getattr(options, own.name)
        if isinstance(default, OptionGroup):
            title = default.group_title
            inner = parser.add_argument_group(title, default.group_about or None) if title else group
            _add_group(parser, inner, default)
        else:
            _add_option(group, own.name, own.metadata["option"], default)


def _add_option(group: Any, name: str, facts: Option, default: Any) -> None:
    """Add an option. Without it the namespace has nothing of that name."""
    asked: dict[str, Any] = {"help": facts.help.replace("%", "%%"), "default": argparse.SUPPRESS}
    if facts.flags:
        asked |= {"dest": name, "required": facts.required and not default}
    if facts.kind is bool:
        group.add_argument(*facts.flags, action="store_false" if default else "store_true", **asked)
        return
    if facts.repeatable:
        asked["action"] = "extend"
    if facts.choices and not facts.separator:
        asked["choices"] = facts.choices
    elif facts.separator or facts.kind is not str:
        asked["type"] = _reader(facts)
    group.add_argument(*(facts.flags or (name,)), nargs=facts.nargs, metavar=facts.metavar, **asked)


def _reader(facts: Option) -> Callable[[str], Any]:
    """Return the option's reader, whose errors are those of the parser."""

    def read(text: str) -> Any:
        try:
            return facts.read(text)
        except UsageError as error:
            raise argparse.ArgumentTypeError(error.message) from None

    return read
