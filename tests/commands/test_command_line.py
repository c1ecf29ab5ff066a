"""Command lines: those of pages, README and help have the recorded values, and options have any order."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.base.errors import UsageError
from geceval.commands.command_list import ACTIONS, SUMMARIES, make_command_line
from geceval.commands.shared.command_line import parse
from geceval.commands.shared.option_values import changed, flag
from support.commands import Run
from support.pages import PAGES, blocks, commands

#: Command lines, and the values that differ from their defaults: {line: {flag: value}}.
TABLE: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("command_lines.json").read_text("utf-8"))
FILES = "-s source.txt -r ref0.txt ref1.txt -c systems/*.txt"
#: Flags that are not the names of their fields.
FLAGS = {"target": "--output", "metric": "--metrics", "invert": "--not", "from_format": "--from", "to_format": "--to"}
APP = make_command_line()


def values_of(words: list[str]) -> dict[str, Any]:
    """Return the positional arguments of a line, and the options that differ from their defaults."""
    _, bound, _ = parse(APP, words)
    values: dict[str, Any] = dict.fromkeys(["positional"][: len(bound.args)], *bound.args)
    for name, argument in bound.kwargs.items():
        for field, value in (changed(argument) if is_dataclass(argument) else {name: argument}).items():
            values[FLAGS.get(field) or (f"--no-{field}" if value is False else flag(field))] = value
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def typed_lines() -> set[str]:
    """Return the command lines of pages and README, and of the examples of the help."""
    texts = [line for page in PAGES for block in blocks(page) if block.kind == "typed"
             for command in commands(block) for line in command.line.split("\n")]  # fmt: skip
    for name in SUMMARIES:
        for words in [[name, action] for action in ACTIONS[name]] if name in ACTIONS else [[name]]:
            documentation = inspect.getdoc(APP.parse_commands(words)[1][-1].default_command) or ""
            texts += [line for line in documentation.replace("\\\n", "").splitlines() if line.startswith("  geceval")]
    pieces = (piece for text in texts for piece in re.findall(r"geceval (?:[^|>;&#\"'\n]|\"[^\"]*\"|'[^']*')+", text))
    lines = {re.sub(" +", " ", piece.replace(" … ", f" {FILES} ")).strip() for piece in pieces}
    return {line for line in lines if line.split()[1] in SUMMARIES and not line.endswith(")")}


@pytest.fixture(autouse=True)
def in_examples(examples: Path) -> None:
    """Run in examples/, where the outputs that the lines name do not exist."""


def test_lines_of_pages_and_help_give_the_values_of_the_table() -> None:
    lines = typed_lines()
    assert sorted(lines ^ TABLE.keys()) == []
    different = {line: values for line in lines if (values := values_of(shlex.split(line)[1:])) != TABLE[line]}
    assert different == {}


PATHS = ["a", "b.txt", "-", "x/y", "é"]
NAMED = [*PATHS, "NAME=-", "NAME=a", "N=a,b"]


def option(flags: list[str], words: list[str]) -> st.SearchStrategy[list[str]]:
    """Return an option with some values, each after the flag or after its own flag."""
    values = st.lists(st.sampled_from(words), min_size=1, max_size=3)
    after_one_flag = st.tuples(st.sampled_from(flags), values).map(lambda pair: [pair[0], *pair[1]])
    after_own_flags = st.tuples(st.sampled_from(flags), values).map(
        lambda pair: [word for value in pair[1] for word in (pair[0], value)]
    )
    return after_one_flag | after_own_flags


def values_after(words: list[str], flags: list[str]) -> list[str]:
    """Return the values of an option, read word by word."""
    values, is_open = [], False
    for word in words:
        if word.startswith("-") and word != "-":
            is_open = word in flags
        elif is_open:
            values.append(word)
    return values


R, C, M = ["-r", "--ref", "--references"], ["-c", "--hyp", "--systems"], ["-m", "--metrics"]


@given(
    st.lists(option(R, PATHS) | option(C, NAMED) | option(M, ["green", "errant"]), max_size=5),
    st.sampled_from([[], ["-s", "-"], ["--source", "a"], ["-sb.txt"], ["--src=-"]]),
    st.integers(0, 5),
)
def test_order_and_repetition_do_not_matter(parts: list[list[str]], source: list[str], position: int) -> None:
    parts = [*parts[:position], source, *parts[position:]]
    words = [word for part in parts for word in part]
    values = values_of(["score", *words])
    assert values.get("--references", []) == values_after(words, R)
    assert values.get("--systems", []) == values_after(words, C)
    assert values.get("--metrics", []) == values_after(words, M)
    assert (
        values.get("--source")
        == {"": None, "-s": ["-"], "--source": ["a"], "-sb.txt": ["b.txt"], "--src=-": ["-"]}[
            source[0] if source else ""
        ]
    )


@pytest.mark.parametrize("words", [["-r", "-c", "a"], ["-c", "a", "-r"], ["-r", "--", "a"], ["-m", "-q"]])
def test_option_without_its_values_is_an_error(words: list[str]) -> None:
    with pytest.raises(UsageError, match="takes one or more values"):
        values_of(["score", *words])


def test_text_may_begin_with_a_hyphen() -> None:
    assert values_of(["explain", "- he go .", "- he goes ."])["positional"] == ["- he go .", "- he goes ."]
    assert values_of(["show", "--grep", "-s or -es", "-c", "a"]) == {"--grep": "-s or -es", "--systems": ["a"]}
    assert values_of(["filter", "--keep=- 5 < errant", "-i", "-"]) == {"--keep": "- 5 < errant", "--input": ["-"]}


def test_flag_without_a_field_of_its_name_is_known() -> None:
    assert values_of(["m2", "filter", "gold.m2", "--type", "R", "--not"]) == {
        "positional": "gold.m2",
        "--type": ["R"],
        "--not": True,
    }


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    "line",
    [
        "prepare --tokenise auto source.txt",
        "annotate -s source.txt -c ref0.txt --language auto",
        "detect -g gold.m2 -c confident.m2",
        "m2 apply gold.m2",
        "m2 filter gold.m2 --changed",
        "m2 vote gold.m2 -k 1",
    ],
)
def test_quiet_prints_the_output_only(run: Run, line: str) -> None:
    result = run(*line.split())
    assert result.status == 0
    assert run(*line.split(), "-q") == replace(result, err="")
