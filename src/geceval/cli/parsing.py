"""Parse the command line into requests. No other module uses argparse.

A command is a module with a request and a function that runs it::

    class WeightsRequest(TargetOption, ThreadsOption, CommandRequest):
        data: CorpusOptions = CorpusOptions()
        ref_id: int = option("--ref-id", bounds=COUNT, default=0)

        def check(self) -> None:
            if …:
                raise UsageError("--this and --that exclude each other")

    def run(request: WeightsRequest) -> None:
        inputs = CorpusInputs(request.data, quiet=False, threads=request.threads)
        …

    COMMAND = Command(WeightsRequest, run)

a line in geceval/app/commands.tsv, and three examples in examples.txt, the end of the help, which has at most
70 lines.

- **Options.** A field made by ``option(flags…)`` is an option; one without flags is a
  positional argument. options.tsv has its help, a line for its class or for all classes (``*``),
  to which a default is added. ``geceval.base.requests.Option`` lists the facts of an option. A ``bool`` is a
  flag that inverts the default, which is True for ``--no-…``: ``checks: bool = option("--no-checks")``.
  A ``tuple`` takes one or more values, or ``nargs`` of them, and is empty without the option. ``reads_file=True``
  marks an option that names files to read, ``effect="files"`` one that names a file to write or sets
  its form, which ``--record`` leaves out. ``rare=True`` hides an option from ``--help``; ``--help-all`` shows it.
- **Parts.** A field whose default is an instance of an ``OptionGroup`` is a part: a group of the help
  if its class has a title. Options of a base class without a title are the command's own. Change a
  default with ``output: OutputOptions = OutputOptions(digits=3)``, and choices in a subclass that
  defines the field again. ``geceval.cli.options`` has the parts that commands share,
  ``geceval.text.inputs`` the parts of texts. Names of options are unique in a request.
- **Checks.** Types, choices and bounds follow from the facts. ``check()`` of the class raises
  UsageError for options that exclude each other, for Python callers as well.
- **Running.** ``run`` does not change the request. ``geceval.cli.inputs.CorpusInputs`` holds what a
  run opens, ``geceval.cli.output`` writes files and standard output, ``geceval.cli.stderr`` prints
  notes.
- **Actions.** Each action, such as ``geceval m2 check``, has a ``Command`` and a line in commands.tsv.

Python constructs the same request::

    WeightsRequest(data=CorpusOptions(files=FileOptions(gold="gold.m2")), ref_id=1)
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar

from geceval.base.arguments import did_you_mean
from geceval.base.data_files import table_rows
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, Option, OptionGroup, from_document
from geceval.cli.stderr import say

if TYPE_CHECKING:
    from geceval.tables.report import Report

R = TypeVar("R", bound=CommandRequest)

#: Class of an option, or *, and its name -> the text of its help.
HELP = {(kind, name): text for kind, name, text in table_rows(Path(__file__).with_name("options.tsv"))}
#: The name of a command's action in usage lines.
ACTION = "ACTION"
#: Positional arguments in usage lines, by their ``nargs``.
_POSITIONAL = {"+": "{} …", "*": "[{} …]", "?": "[{}]"}
#: Titles of the groups of argparse itself.
_UNTITLED = ("positional arguments", "options", "actions")
#: Titles of the groups that come first in the help, in this order.
_FIRST = ("positional arguments", "actions", "data", "condition", "metrics", "output")


@dataclass(frozen=True)
class Command(Generic[R]):
    """A command.

    Attributes:
        request: The class of its requests.
        run: The function that runs a request.
        report: The function that returns the report of a request; only commands with ``--record``.
    """

    request: type[R]
    run: Callable[[R], None]
    report: Callable[[R], Report] | None = None


#: A command with actions: functions that return the command of each action, by its name.
Actions: TypeAlias = Mapping[str, Callable[[], Command[Any]]]


class HelpFormatter(argparse.HelpFormatter):
    """Format an option as ``-r, --references FILE …``.

    Only its first and last flag are printed, and its argument once.
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        flags = action.option_strings
        if not flags or action.nargs == 0:
            return super()._format_action_invocation(action)
        names = " ".join(self._metavar_formatter(action, action.dest.upper())(1))
        more = " …" if action.nargs in ("+", "*") else ""
        return f"{', '.join(flags if len(flags) < 3 else [flags[0], flags[-1]])} {names}{more}"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are two lines: the cause, and the help to read."""

    def __init__(self, **facts: Any) -> None:
        formatter: Any = partial(HelpFormatter, max_help_position=27)
        facts = {"formatter_class": formatter, "allow_abbrev": False, "add_help": False, **facts}
        super().__init__(exit_on_error=False, **facts)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        for word in args or ():  # -hyp is -h with the argument yp
            if len(word) > 2 and word[0] == "-" != word[1] and f"-{word}" in self.flags:
                self.error(f"unknown option {word}; did you mean -{word}?")
        try:
            found, rest = super().parse_known_args(args, namespace)
        except argparse.ArgumentError as error:
            if error.argument_name == ACTION:
                self.refuse_name("action", args[0], self.actions)
            flags = str(error.argument_name).split("/")
            self.error(f"{typed_flag(flags, args)}: {error.message}")
        if rest:
            self.refuse(rest[0])
        return found, rest

    def format_help(self) -> str:
        ends = Path(__file__).with_name("examples.txt").read_text(encoding="utf-8").split("\n== ")
        self.epilog = dict(end.split("\n", 1) for end in ends).get(self.prog.removeprefix("geceval "))
        return super().format_help()

    @property
    def flags(self) -> list[str]:
        """The flags of the command's options."""
        return [flag for action in self._actions for flag in action.option_strings]

    @property
    def actions(self) -> list[str]:
        """The names of the command's actions."""
        return [name for action in self._actions if action.dest == "action" for name in action.choices or ()]

    def refuse(self, argument: str) -> NoReturn:
        """Exit with the error of an argument that the command does not have."""
        name = argument.partition("=")[0]
        if not name.startswith("-"):
            self.error(f"unexpected argument {name!r}")
        words = [flag.lstrip("-") for flag in self.flags if len(flag) > 2]
        longer = [word for word in words if len(name) > 3 and word.startswith(name.lstrip("-"))]
        near = f"did you mean {longer[0]}?" if longer else did_you_mean(name.lstrip("-"), words)
        self.error(f"unknown option {name}" + (f"; {near}".replace("mean ", "mean --") if near else ""))

    def refuse_name(self, kind: str, name: str, names: Sequence[str], hint: str | None = None) -> NoReturn:
        """Exit with the error of an unknown command or action.

        Args:
            kind: "command" or "action".
            name: The unknown name.
            names: The known names.
            hint: Replaces the list of names.
        """
        if hint is not None:
            self.error(f"unknown {kind} {name!r}\n  hint: {hint}")
        near = did_you_mean(name, names)
        self.error(f"unknown {kind} {name!r}" + (f"; {near}" if near else ""))

    def error(self, message: str) -> NoReturn:
        missing = message.removeprefix("the following arguments are required: ")
        if missing == ACTION:
            message = f"an action is required: {', '.join(self.actions)}"
        elif missing != message:
            message = f"{missing} {'are' if ', ' in missing else 'is'} required"
        say(f"error: {message}\n{see(self.prog)}")
        self.exit(UsageError.exit_status)


def see(prog: str) -> str:
    """Return the last line of a usage error."""
    return f"see: {prog} --help"


def typed_flag(flags: Sequence[str], arguments: Sequence[str]) -> str:
    """Return the flag of an option that was typed (default: its last one)."""
    words = {word.partition("=")[0] for word in arguments}
    return next((flag for flag in flags if flag in words), flags[-1])


def with_typed_flags(text: str, request: type[OptionGroup], arguments: Sequence[str]) -> str:
    """Return a message that names the request's options as they were typed."""
    for _, facts, _ in request.all_options():
        flag = typed_flag(facts.flags, arguments) if facts.flags else ""
        if flag and flag != facts.flags[-1]:
            text = re.sub(rf"(?<![\w-]){facts.flags[-1]}(?![\w-])", flag, text)
    return text


class _HelpAll(argparse.Action):
    """Print the help with all options of the command."""

    def __call__(self, parser: argparse.ArgumentParser, *values: object) -> None:
        complete = Parser(prog=parser.prog)
        add_command(complete, parser.get_default("command"), parser.get_default("summaries"), only=(), rare=True)
        complete.print_help()
        parser.exit()


def add_command(
    parser: argparse.ArgumentParser,
    command: Command[Any] | Actions,
    summaries: Mapping[str, str],
    *,
    only: Sequence[str] | None = None,
    rare: bool = False,
) -> None:
    """Add the options of a command, or its actions, to its parser.

    Args:
        parser: A parser without options.
        command: The command.
        summaries: Summaries of commands and actions, by name.
        only: The action whose options are added; None for all actions.
        rare: Whether the help shows rare options.
    """
    prog = parser.prog.removeprefix("geceval ")
    parser.description = f"{summaries[prog][0].upper()}{summaries[prog][1:]}."
    is_complete = True
    if not isinstance(command, Command):
        parsers = parser.add_subparsers(dest="action", metavar=ACTION, title="actions", required=True)
        for name, load in command.items():
            action_parser = parsers.add_parser(name, help=summaries[f"{prog} {name}"])
            if only is None or name in only:
                add_command(action_parser, load(), summaries, rare=rare)
    else:
        options = command.request.all_options()
        positional = [(str(facts.metavar or name), str(facts.nargs)) for name, facts, _ in options if not facts.flags]
        words = [_POSITIONAL.get(nargs, "{}").format(name) for name, nargs in positional]
        parser.usage = " ".join(["%(prog)s", "[OPTIONS]", *words])
        is_complete = _add_group(parser, parser, command.request, rare=rare)
    parser.set_defaults(parser=parser, command=command, summaries=summaries)
    groups, last = parser._action_groups, parser._optionals
    if any(group.title not in _UNTITLED for group in groups):
        last.title = "other options"
    first = [group for title in _FIRST for group in groups if group.title == title]
    groups[:] = [*first, *(group for group in groups if group not in [*first, last]), last]
    last.add_argument("-h", "--help", action="help", help="print this help")
    complete = argparse.SUPPRESS if is_complete else "print this help with all options"
    last.add_argument("--help-all", action=_HelpAll, nargs=0, help=complete)


def parse(request: type[R], arguments: Sequence[str], prog: str, description: str, usage: str | None = None) -> R:
    """Return the request of one of the public tools' commands."""
    parser = argparse.ArgumentParser(prog=prog, description=description, usage=usage)
    _add_group(parser, parser, request, rare=True)
    required = {name for name, facts, default in request.all_options() if facts.required and not default}
    for action in parser._actions:
        action.required |= action.dest in required
    return from_document(request, vars(parser.parse_args(list(arguments))))


def request_of(namespace: argparse.Namespace) -> tuple[Command[Any], Any]:
    """Return the parsed command and its request.

    Raises:
        UsageError: Options exclude each other.
    """
    given = vars(namespace)
    command: Command[Any] = given["command"]
    names = [name for name, _, _ in command.request.all_options()]
    return command, from_document(command.request, {name: given[name] for name in names if name in given})


def _add_group(
    parser: argparse.ArgumentParser,
    group: Any,
    options: type[OptionGroup] | OptionGroup,
    *,
    rare: bool,
    hidden: bool = False,
) -> bool:
    """Add the options of a class, or of an instance that has the defaults.

    Args:
        parser: The parser.
        group: The group of the parser that options are added to.
        options: The options.
        rare: Whether the help shows rare options.
        hidden: Whether they are options of a rare group.

    Returns:
        Whether the help shows all of them.
    """
    is_complete = True
    for own in fields(options):
        default = own.default if isinstance(options, type) else getattr(options, own.name)
        if not isinstance(default, OptionGroup):
            facts = own.metadata["option"]
            is_shown = rare or not (hidden or facts.rare)
            text = help_of(options, own.name, facts, default) if is_shown else argparse.SUPPRESS
            _add_option(group, own.name, facts, default, text, is_own=isinstance(parser, Parser))
            is_complete &= is_shown
            continue
        inner, is_hidden = group, hidden or default.group_is_rare
        if default.group_title:
            about = None if is_hidden and not rare else HELP.get((type(default).__name__, ""))
            same = [group for group in parser._action_groups if group.title == default.group_title]
            inner = same[0] if same else parser.add_argument_group(default.group_title, about)
        is_complete &= _add_group(parser, inner, default, rare=rare, hidden=is_hidden)
    return is_complete


def help_of(options: type[OptionGroup] | OptionGroup, name: str, facts: Option, default: Any) -> str:
    """Return the help of an option of a class, with its default."""
    classes = [own.__name__ for own in (options if isinstance(options, type) else type(options)).__mro__]
    text = next(HELP[own, name] for own in [*classes, "*"] if (own, name) in HELP)
    known = facts.known or facts.choices
    text = text.replace("{known}", ", ".join(known)).replace("{first}", next(iter(known), ""))
    if "default" not in text and facts.kind is not bool and default not in (None, "", ()):
        text += f" (default: {default})"
    return text.replace("%", "%%")


def _add_option(group: Any, name: str, facts: Option, default: Any, text: str, *, is_own: bool) -> None:
    """Add an option. Without it the namespace lacks the name.

    Args:
        group: The group of the parser.
        name: The name of the field.
        facts: The facts of the option.
        default: Its default.
        text: Its help.
        is_own: Whether values of a repeated option are added; the public tools keep the last ones.
    """
    arguments: dict[str, Any] = {"help": text, "default": argparse.SUPPRESS}
    if facts.flags:
        arguments["dest"] = name
    if facts.kind is bool:
        group.add_argument(*facts.flags, action="store_false" if default else "store_true", **arguments)
        return
    if facts.repeatable or (facts.nargs == "+" and is_own):
        arguments["action"] = "extend"
    if facts.choices or facts.separator or facts.kind is not str:
        arguments["type"] = partial(_read, facts)
    if facts.choices and not facts.separator:
        arguments["choices"] = facts.choices
    group.add_argument(*(facts.flags or (name,)), nargs=facts.nargs, metavar=facts.metavar, **arguments)


def _read(facts: Option, text: str) -> Any:
    """Return the value of an option, with the errors of argparse."""
    try:
        return facts.read(text)
    except UsageError as error:
        message = error.message + (f"; {error.hint}" if error.hint else "")
        raise argparse.ArgumentTypeError(message) from None
