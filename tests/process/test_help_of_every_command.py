"""The help and the completion of every command."""

from __future__ import annotations

import re

import pytest

from geceval.commands.command_list import make_command_line
from geceval.commands.shared.option_groups import FURTHER
from support.command_lines import COMMANDS
from support.commands import Run


@pytest.mark.parametrize("flag", ["--help", "--help-all"])
@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_examples_and_fits_the_terminal(
    run: Run, name: str, columns: int, flag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = run(*name.split(), flag)
    assert (result.status, result.err) == (0, "")
    options, _, examples = result.out.partition("\nexamples:\n")
    assert options.startswith(f"usage: geceval {name}")
    assert max(map(len, options.splitlines())) < columns
    assert f"geceval {name}" in examples or name == "m2 merge"
    assert "default: ()" not in options
    if flag == "--help":
        assert run("help", *name.split()).out == run(*name.split(), "-h").out == result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_every_option_and_explains_those_of_main_groups(run: Run, name: str) -> None:
    _, path, _ = make_command_line().parse_commands(name.split())
    main, whole = (run(*name.split(), flag).out for flag in ("--help", "--help-all"))
    panels = re.split(r"^[a-z ]+: --", main, maxsplit=1, flags=re.MULTILINE)[0]
    listed = re.findall(r"^  (?:-\w, )?(--[\w-]+)", panels, re.MULTILINE)
    for argument in path[-1].assemble_argument_collection(parse_docstring=True):
        if argument.name == "*" or argument.children or not argument.parse:
            continue
        flags = [argument.name, f"--no-{argument.name.removeprefix('--')}"]
        is_further = {group.name for group in argument.parameter.group} & FURTHER
        assert not (argument.required and is_further)
        if argument.name.startswith("-"):
            assert any(flag in main and flag in whole for flag in flags), argument.name
            assert any(flag in listed for flag in flags) == (not is_further), argument.name
        if not is_further:
            assert argument.name in main


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_an_option_is_a_phrase(name: str) -> None:
    _, path, _ = make_command_line().parse_commands(name.split())
    for argument in path[-1].assemble_argument_collection(parse_docstring=True):
        if argument.name != "*" and argument.parse and not argument.children:
            text = argument.parameter.help or ""
            assert text, argument.name
            assert not text.endswith(".")


def test_completion_names_options_and_commands(run: Run) -> None:
    assert "complete" in run("completion", "bash").out
    assert "--metrics" in run("completion", "zsh").out
