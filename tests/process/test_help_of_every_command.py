"""The help and the completion of every command."""

from __future__ import annotations

import pytest

from geceval.commands.command_list import make_command_line
from support.command_lines import COMMANDS
from support.commands import Run


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_examples_and_fits_the_terminal(
    run: Run, name: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = run(*name.split(), "--help")
    assert (result.status, result.err) == (0, "")
    options, _, examples = result.out.partition("\nexamples:\n")
    assert options.startswith(f"usage: geceval {name}")
    assert max(map(len, options.splitlines())) < columns
    assert f"geceval {name}" in examples or name == "m2 merge"
    assert "default: ()" not in options
    assert run("help", *name.split()).out == run(*name.split(), "-h").out == result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_an_option_is_a_phrase(name: str) -> None:
    _, path, _ = make_command_line().parse_commands(name.split())
    for argument in path[-1].assemble_argument_collection(parse_docstring=True):
        if argument.name != "*" and not argument.children:
            text = argument.parameter.help or ""
            assert text, argument.name
            assert not text.endswith(".")


def test_completion_names_options_and_commands(run: Run) -> None:
    assert "complete" in run("completion", "bash").out
    assert "--metrics" in run("completion", "zsh").out
