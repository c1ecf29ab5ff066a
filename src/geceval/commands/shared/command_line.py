"""The adapter to cyclopts: ``-``, messages of errors, and the help (layout: help_formatter.py).

A command is a function whose parameters are options, or dataclasses of options (geceval.commands.shared.options); its
docstring has the examples of its help. ``geceval.app.main`` names the commands.
"""

from __future__ import annotations

import inspect
import itertools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import is_dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts import exceptions as refused

from geceval.base.arguments import did_you_mean
from geceval.base.errors import GecevalError, UsageError
from geceval.base.hints import AnyHint
from geceval.base.output_files import PARTIAL, write_errors
from geceval.base.package_tables import table_rows
from geceval.commands.shared.help_formatter import HelpFormatter
from geceval.commands.shared.option_groups import OTHER
from geceval.commands.shared.option_values import GivenOption, OutputFile, changed, changed_options, files_of
from geceval.terminal.exit_status import hints_of_command
from geceval.terminal.messages import collected
from geceval.text.files import decoding, path_text

if TYPE_CHECKING:
    from inspect import BoundArguments

    from cyclopts import Argument, ArgumentCollection

#: Stands for a hyphen during parsing, because cyclopts takes values with hyphens for options: standard input, also in
#: NAME=-, and texts with spaces.
HYPHEN = "\ue000"
VALUE = re.compile(r"^-(?=$|[^=]*\s)|(?<==)-$")
#: One dash and several letters: flags, such as -vq, or an option of the public tools.
GROUP = re.compile(r"-([A-Za-z_]{2,})(?:=.*)?", re.DOTALL)
LONG = re.compile(r"--[A-Za-z][\w-]*")
#: The flag of the help with the texts of all options.
HELP_ALL = "--help-all"
HELP_FLAGS = ("-h", "--help", HELP_ALL)
#: The option of all commands that reads files that are not UTF-8.
ENCODING_FLAG = "--encoding"
ARGUMENTS = Group.create_ordered("arguments", sort_key=0)


def make_app(name: str, summary: str, **facts: Any) -> App:
    """Return a command with commands."""
    app = App(
        name=name,
        help=f"{summary[0].upper()}{summary[1:]}.",
        help_format="plaintext",
        help_formatter=HelpFormatter(shows_all=False),
        default_parameter=Parameter(negative=(), consume_multiple=(1, 1 << 20)),
        config=_prepare_values,
        group_arguments=ARGUMENTS,
        group_parameters=OTHER,
        version_flags=(),
        result_action="return_value",
        **facts,
    )
    for help_flag in app.help_flags:
        app[help_flag].show = False
    return app


def _prepare_values(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Restore hyphens, and refuse numbers that cyclopts would round: 2.5 for 2."""
    for argument in arguments:
        argument.tokens[:] = [token.evolve(value=token.value.replace(HYPHEN, "-")) for token in argument.tokens]
        if int in (argument.hint, *get_args(argument.hint)):
            for token in argument.tokens:
                for number in token.value.split(","):
                    try:
                        int(number)
                    except ValueError:
                        raise UsageError(f"{token.keyword} must be an integer, not {number!r}") from None


def run(app: App, words: Sequence[str]) -> None:
    """Run a command line, or print its help.

    Raises:
        UsageError: The words are no command line, or options contradict each other.
    """
    if set(HELP_FLAGS) & set(words):
        _print_help(app, [word for word in words if word not in HELP_FLAGS], shows_all=HELP_ALL in words)
        return
    encoding, words = split_encoding(words)
    with decoding(encoding), hints_of_command(partial(flags_of, app, words)):
        command, bound, _ = parse(app, words)
        options = dict(bound.arguments)
        for argument in filter(is_dataclass, bound.arguments.values()):
            options |= changed(argument)
        with collected(quiet=options.get("quiet", False)):
            command(*bound.args, **bound.kwargs)


def _print_help(app: App, words: Sequence[str], *, shows_all: bool) -> None:
    """Print the help of a command, with the examples of its docstring.

    Args:
        app: The command line.
        words: The words of the command.
        shows_all: Print the texts of all options, also of the groups FURTHER.

    Raises:
        UsageError: The command does not exist.
    """
    _, path, rest = app.parse_commands(words)
    if rest and not rest[0].startswith("-") and not path[-1].default_command:
        parse(app, words)  # refuses the word
    command = [word for word in words if word not in rest]
    path[-1].help_formatter = formatter = HelpFormatter(shows_all=shows_all)
    app.help_print(command)
    if formatter.further:
        print()
        print(*formatter.further, sep="\n")
        print(f"{' '.join([*app.name, *command])} {HELP_ALL} prints their texts.")
    _, head, examples = (inspect.getdoc(path[-1].default_command) or "").partition("\nExamples:\n")
    if head:
        print(f"\nexamples:\n{examples}")


def flags_of(app: App, words: Sequence[str]) -> dict[str, bool]:
    """Return the flags of a command line's command, and whether each takes a value."""
    _, path, _ = app.parse_commands(words)
    arguments = path[-1].assemble_argument_collection() if path[-1].default_command else ()
    return _flags_in(arguments) | {ENCODING_FLAG: True}


def _flags_in(arguments: Iterable[Argument]) -> dict[str, bool]:
    """Return the flags of arguments that a command line may have, and whether each takes a value."""
    return {name: argument.token_count()[0] > 0 for argument in arguments if argument.parse for name in argument.names}


def split_encoding(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the value of ``--encoding``, which all commands have, and the other words.

    Raises:
        UsageError: The value is missing.
    """
    positions = [index for index, word in enumerate(words) if word.partition("=")[0] == ENCODING_FLAG]
    if not positions:
        return None, list(words)
    if len(positions) > 1:
        raise UsageError(f"{ENCODING_FLAG} is given twice")
    [position] = positions
    _, equals, name = words[position].partition("=")
    following = [] if equals else list(words[position + 1 : position + 2])
    if not (name or following):
        raise UsageError(f"{ENCODING_FLAG} takes a value", hint=f"{ENCODING_FLAG} cp1252")
    return name or following[0], [*words[:position], *words[position + 1 + len(following) :]]


def parse(app: App, words: Sequence[str]) -> Any:
    """Return the function of a command line, its bound arguments, and ignored ones.

    Raises:
        UsageError: The words are no command line, or options contradict each other.
    """
    hyphens = [VALUE.sub(HYPHEN, word) for word in words]
    try:
        _check_groups(app, hyphens)
        command, bound, ignored = app.parse_args(hyphens, exit_on_error=False, print_error=False)
        _check_outputs(given_options(command, bound))
        return command, bound, ignored
    except (CycloptsError, UsageError) as error:
        unknown = _unknown_option(app, words)
        if unknown is not None:
            problem = unknown
        elif isinstance(error, UsageError):
            problem = error
        elif isinstance(error.__cause__, GecevalError):
            raise error.__cause__ from None
        else:
            message, hint = _message(error, hyphens)
            problem = UsageError(message.replace(HYPHEN, "-"), hint=hint)
    chain, _, _ = app.parse_commands(hyphens)
    problem.hint = problem.hint or f"{' '.join([*app.name, *chain])} --help"
    raise problem from None


def _check_groups(app: App, words: Sequence[str]) -> None:
    """Raise UsageError for one dash and several letters that are no flags: cyclopts takes errant's -cat for -c at."""
    for match in filter(None, map(GROUP.fullmatch, itertools.takewhile(lambda word: word != "--", words))):
        takes_value = flags_of(app, words)
        *first, last = (f"-{letter}" for letter in match[1])
        if last not in takes_value or any(takes_value.get(flag, True) for flag in first):
            word = match[0].partition("=")[0]
            error = _no_option(word, takes_value)
            if not error.hint and takes_value.get(word[:2]):
                error.hint = f"did you mean {word[:2]} {word[2:]}?"
            raise error


def given_options(command: Callable[..., Any], bound: BoundArguments) -> list[GivenOption]:
    """Return the bound arguments of a command and their options."""
    options = [
        option
        for argument in bound.arguments.values()
        if is_dataclass(argument)
        for option in changed_options(argument)
    ]
    arguments = {name: argument for name, argument in bound.arguments.items() if not is_dataclass(argument)}
    if arguments and not command.__module__.startswith("cyclopts"):  # its help, which reads no files
        hints = get_type_hints(command, include_extras=True)
        options += [GivenOption(name, value, files_of(name, hints[name])) for name, value in arguments.items()]
    return options


def _check_outputs(options: Sequence[GivenOption]) -> None:
    """Raise UsageError for an output file, or its partial file, that is also read, and InputError without its folder.

    A missing folder is an error before the work whose result could not be written.
    """
    words = [word for option in options for word in option.texts()]
    for word in words:
        if isinstance(word, OutputFile):
            with write_errors(path_text(word)):
                os.stat(os.path.join(os.path.dirname(word), "."))  # noqa: PTH116, PTH118, PTH120
    outputs = [path for word in words if isinstance(word, OutputFile) for path in (word, f"{word}{PARTIAL}")]
    existing = {os.path.realpath(path): path for path in outputs if os.path.exists(path)}  # noqa: PTH110
    if existing:
        for path in (path for option in options for path in option.inputs()):
            output = existing.get(os.path.realpath(path)) if "\0" not in path else None
            if output is not None:
                raise UsageError(f"{output} is both an input and an output", hint="write to another file")


# --- errors ---


def _unknown_option(app: App, words: Sequence[str]) -> UsageError | None:
    """Return the error of the first long option that the command does not have.

    cyclopts reports missing and contradictory options first, which an old name often causes.
    """
    flags = flags_of(app, words)
    for word in itertools.takewhile(lambda word: word != "--", words):
        name = word.partition("=")[0]
        if LONG.fullmatch(name) and name not in flags:
            return _no_option(name, flags)
    return None


def _no_option(name: str, flags: Iterable[str]) -> UsageError:
    """Return the error of an option that a command with these flags does not have."""
    return UsageError(f"unknown option {name}", hint=_known_elsewhere(name, flags) or did_you_mean(name, flags))


def _message(error: CycloptsError, words: Sequence[str]) -> tuple[str, AnyHint | None]:
    """Return the message and the hint of an error of parsing."""
    match error:
        case refused.UnknownOptionError():
            word = (error.token.keyword or error.token.value).partition("=")[0]
            unknown = _no_option(word, _flags_in(error.argument_collection))
            return unknown.message, unknown.hint
        case refused.UnknownCommandError():
            word = (error.unused_tokens or [""])[0]
            commands = [name for name in error.app or () if not name.startswith("-")]
            return f"unknown command {word!r}", did_you_mean(word, commands)
        case refused.UnusedCliTokensError():
            word = (error.unused_tokens or [""])[0]
            takes_files = error.app is not None and {"-i", "-s"} <= set(flags_of(error.app, words))
            hint = "-i FILE reads a table; -s, -r and -c FILE read one sentence per line"
            return f"unexpected argument {word!r}", hint if takes_files and Path(word).exists() else None
        case refused.RepeatArgumentError():
            options = error.app.assemble_argument_collection() if error.app else ()
            names = next(option.names for option in options if error.token.keyword in option.names)
            used = [name for name in names if name in {word.partition("=")[0] for word in words}]
            return f"{' and '.join(used)} {'are one option, which ' * (len(used) > 1)}is given twice", None
        case refused.CoercionError():
            return _wrong_value(error)
        case refused.MissingArgumentError():
            return _missing_value(error)
    return str(error), None


def _known_elsewhere(word: str, flags: Iterable[str]) -> str | None:
    """Return the hint for an option of other programs; None for any other word."""
    for names, option, hint in table_rows(Path(__file__).with_name("option_hints.tsv")):
        if word.lstrip("-").lower().replace("_", "-") in names.split():
            return f"did you mean {option}?" if option in flags else hint
    return None


def _wrong_value(error: refused.CoercionError) -> tuple[str, str | None]:
    argument = error.argument
    assert argument is not None
    token = error.token or argument.tokens[0]
    name, choices = token.keyword or _name(argument), argument.get_choices(force=True)
    if choices:
        wrong = next((word for word in token.value.split(",") if word not in choices), token.value)
        return f"{name}: unknown value {wrong!r}: choose from {', '.join(choices)}", did_you_mean(wrong, choices)
    return f"{name}: {token.value!r} is not a number", None


def _missing_value(error: refused.MissingArgumentError) -> tuple[str, str | None]:
    argument = error.argument
    assert argument is not None
    if error.keyword is None:
        missing = [leaf for leaf in _leaves(argument) if leaf.required and not leaf.tokens]
        names = [_name(leaf) for leaf in missing] or [_name(argument)]
        return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} required", None
    count, takes_all = argument.token_count()
    if takes_all or isinstance(error, refused.ConsumeMultipleError):
        return f"{error.keyword} takes one or more values", None
    return f"{error.keyword} takes {'a value' if count == 1 else f'{count} values'}", None


def _leaves(argument: Argument) -> list[Argument]:
    """Return the options within a group, in order."""
    children = list(argument.children)
    return [leaf for child in children for leaf in _leaves(child)] if children else [argument]


def _name(argument: Argument) -> str:
    """Return the name of an option in messages: its long flag, or its placeholder."""
    return argument.name if argument.name.startswith("-") else argument.name.upper()
