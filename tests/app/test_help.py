"""The help of every command: short, complete with ``--help-all``, and errors of usage that lead to it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest

from geceval.app.main import ACTIONS, COMMANDS, GROUPS, MODULES, command_named
from geceval.base.requests import OptionGroup
from geceval.cli.parsing import HELP
from geceval.dropins import DROPINS
from support.commands import Run


def groups(kind: type[OptionGroup]) -> Iterator[type[OptionGroup]]:
    for group in kind.__subclasses__():
        yield group
        yield from groups(group)


def test_every_line_of_the_help_of_options_is_used() -> None:
    for module in {*(name.partition(":")[0] for name in MODULES.values()), *(name for name, _ in DROPINS.values())}:
        importlib.import_module(module)
    names = {name for group in groups(OptionGroup) for name in group.__dataclass_fields__}
    own = {(group.__name__, name) for group in groups(OptionGroup) for name in ("", *group.__dataclass_fields__)}
    assert [key for key in HELP if key not in own and not (key[0] == "*" and key[1] in names)] == []
    assert [text for text in HELP.values() if not text.strip() or text.endswith(".")] == []


def every_command() -> list[str]:
    """Return the names of all commands and actions."""
    return [*COMMANDS, *(f"{name} {action}" for name, actions in ACTIONS.items() for action in actions)]


@pytest.fixture(autouse=True)
def terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_help_lists_the_commands_in_groups(run: Run) -> None:
    text = run("--help").out
    assert run("help").out == run().out == text
    assert len(text.splitlines()) <= 45
    assert max(map(len, text.splitlines())) <= 80
    for title, commands in GROUPS.items():
        block = text.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in block.splitlines()] == list(commands)


@pytest.mark.parametrize("name", every_command())
def test_help_of_a_command_fits_seventy_lines(run: Run, name: str) -> None:
    result = run(*name.split(), "--help")
    assert (result.status, result.err) == (0, "")
    assert len(result.out.splitlines()) <= 70
    assert result.out.startswith(f"usage: geceval {name}")
    assert run("help", *name.split()).out == result.out


@pytest.mark.parametrize("name", every_command())
def test_examples_of_the_help_are_whole_commands(run: Run, name: str) -> None:
    examples = run(*name.split(), "--help").out.partition("examples:\n")[2]
    assert f"geceval {name}" in examples or " " in name  # an action may have none
    assert all(line.count("geceval ") <= 1 for line in examples.splitlines())


@pytest.mark.parametrize("name", sorted(MODULES))
def test_help_all_has_every_option(run: Run, name: str) -> None:
    command = command_named(name)
    text = run(*name.split(), "--help-all").out
    flags = {facts.flags[-1] for _, facts, _ in command.request.all_options() if facts.flags}
    assert not {flag for flag in flags if flag not in text}
    assert len(text.splitlines()) >= len(run(*name.split(), "--help").out.splitlines())


@pytest.mark.parametrize(
    ("line", "first", "prog"),
    [
        ("scroe", "error: unknown command 'scroe'; did you mean score?", "geceval"),
        ("frobnicate", "error: unknown command 'frobnicate'", "geceval"),
        ("m2 cehck gold.m2", "error: unknown action 'cehck'; did you mean check?", "geceval m2"),
        ("score --refernces a", "error: unknown option --refernces; did you mean --references?", "geceval score"),
        ("score --gol a", "error: unknown option --gol; did you mean --gold?", "geceval score"),
        ("score -hyp a", "error: unknown option -hyp; did you mean --hyp?", "geceval score"),
        ("m2", "error: an action is required: check, stats, source, ", "geceval m2"),
        ("completion", "error: shell is required", "geceval completion"),
        ("score extra", "error: unexpected argument 'extra'", "geceval score"),
        ("score -f jsn", "error: -f: unknown value 'jsn': choose from table, ", "geceval score"),
        ("score --digits -1", "error: --digits: -1; it must be at least 0 and at most 20", "geceval score"),
        ("compare -m", "error: -m: expected at least one argument", "geceval compare"),
    ],
)
def test_usage_errors_are_two_lines(run: Run, line: str, first: str, prog: str) -> None:
    result = run(*line.split())
    assert (result.status, result.out) == (2, "")
    [cause, see] = result.err.splitlines()
    assert cause.startswith(first)
    assert see == f"see: {prog} --help"


def test_metric_as_a_command_has_a_hint(run: Run) -> None:
    result = run("errant", "-s", "source.txt")
    assert result.err.startswith("error: unknown command 'errant'\n  hint: geceval score -m errant\n")


def test_errors_name_the_option_that_was_typed(run: Run) -> None:
    for flag in ("-f", "--format"):
        assert run("score", flag, "jsn").err.startswith(f"error: {flag}: unknown value")
