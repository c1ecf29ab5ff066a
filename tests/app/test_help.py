"""The help of every command, and errors of usage that lead to it."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from geceval.app.commands import ACTIONS, COMMANDS, SUMMARIES, make_command_line
from support.commands import Run
from support.examples import EXAMPLES

#: All commands and actions.
NAMES = [
    *(name for name in SUMMARIES if name not in ACTIONS),
    *(f"{name} {action}" for name, actions in ACTIONS.items() for action in actions),
]


@pytest.fixture(autouse=True, params=[80, 120])
def columns(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


def test_help_lists_the_commands_in_groups(run: Run, columns: int) -> None:
    text = run("--help").out
    assert run("help").out == run().out == text
    assert max(map(len, text.splitlines())) <= columns
    for title, commands in COMMANDS.items():
        block = text.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert re.findall(r"^  (\S+)", block, re.MULTILINE) == list(commands)


@pytest.mark.parametrize("name", NAMES)
def test_help_of_a_command_has_every_option_and_fits_the_terminal(run: Run, name: str, columns: int) -> None:
    result = run(*name.split(), "--help")
    assert (result.status, result.err) == (0, "")
    options, _, examples = result.out.partition("\nexamples:\n")
    assert options.startswith(f"usage: geceval {name}")
    assert max(map(len, options.splitlines())) < columns
    assert f"geceval {name}" in examples or name == "m2 merge"
    assert "default: ()" not in options
    assert run("help", *name.split()).out == run(*name.split(), "-h").out == result.out


@pytest.mark.parametrize("name", NAMES)
def test_help_of_an_option_is_a_phrase(name: str) -> None:
    _, path, _ = make_command_line().parse_commands(name.split())
    arguments = path[-1].assemble_argument_collection(parse_docstring=True)
    for argument in arguments:
        if argument.name != "*" and not argument.children:
            text = argument.parameter.help or ""
            assert text, argument.name
            assert not text.endswith(".")
            assert not re.match("what|those|the one", text, re.IGNORECASE)


def test_commands_of_many_options_have_at_most_forty() -> None:
    for name in ("score", "compare"):
        arguments = make_command_line()[name].assemble_argument_collection()
        assert len([argument for argument in arguments if argument.name != "*"]) <= 40


def test_a_command_with_actions_lists_them(run: Run) -> None:
    for name, actions in ACTIONS.items():
        assert run(name).out == run(name, "--help").out
        assert re.findall(r"^  (\S+)", run(name).out, re.MULTILINE) == list(actions)


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("scroe", "unknown command 'scroe'", "did you mean score?"),
        ("frobnicate", "unknown command 'frobnicate'", "geceval --help"),
        ("errant -s source.txt", "unknown command 'errant'", "geceval score -m errant"),
        ("m2 cehck gold.m2", "unknown command 'cehck'", "did you mean check?"),
        ("help m2 cehck", "unknown command 'cehck'", "did you mean check?"),
        ("score --refernces a", "unknown option --refernces", "did you mean --references?"),
        ("score --gol a", "unknown option --gol", "did you mean --gold?"),
        ("score -hyp a", "unknown option -hyp", "did you mean --hyp?"),
        ("completion", "SHELL is required", "geceval completion --help"),
        ("completion csh", "SHELL: unknown value 'csh': choose from bash, zsh, fish", "did you mean zsh?"),
        ("score extra", "unexpected argument 'extra'", "geceval score --help"),
        ("score -f jsn", "-f: unknown value 'jsn': choose from table, ", "did you mean json?"),
        ("score --format jsn", "--format: unknown value 'jsn': choose from table, ", "did you mean json?"),
        ("score --digits -1", "--digits is -1; it must be at least 0 and at most 20", "geceval score --help"),
        ("score --digits 2.5", "--digits: '2.5' is not a whole number", "geceval score --help"),
        ("show --sentences 1 0x2", "--sentences: '0x2' is not a whole number", "geceval show --help"),
        ("compare --alpha x", "--alpha: 'x' is not a number", "geceval compare --help"),
        ("compare -m", "-m takes one or more values", "geceval compare --help"),
        ("compare --baseline", "--baseline takes a value", "geceval compare --help"),
        ("compare --changes a", "--changes takes 2 values", "geceval compare --help"),
        ("compare --seed 1 --seed 2", "--seed is given twice", "geceval compare --help"),
        ("detect", "--gold is required", "geceval detect --help"),
        ("detect -g gold.m2", "--systems is required", "geceval detect --help"),
        ("filter", "--keep is required", "geceval filter --help"),
        ("m2 filter gold.m2 --annotators 1,x", "--annotators: 'x' is not a whole number", "geceval m2 filter --help"),
        ("prepare --normalise nfc,nfx", "--normalise: unknown value 'nfx': choose from nfc, ", "did you mean nfd?"),
    ],
)
def test_errors_of_usage_have_a_hint(run: Run, line: str, message: str, hint: str) -> None:
    result = run(*line.split())
    assert (result.status, result.out) == (2, "")
    first, second = result.err.splitlines()
    assert first.startswith(f"error: {message}")
    assert second == f"  hint: {hint}"


@pytest.mark.parametrize(
    ("words", "command", "line"),
    [
        (["score", "precision and recall"], "score", "-s source.txt -r ref0.txt -c systems/eager.txt --parts"),
        (["compare", "better than another"], "compare", "--gold gold.m2 -c systems/eager.txt systems/noisy.txt"),
        (["show", "false alarms"], "show", "--gold gold.m2 -c systems/noisy.txt --outcome false-alarm"),
        (["filter", "pairs of a table"], "filter", "-i pairs.tsv --keep 'edits <= 3' -o kept.tsv"),
        (["gate", "continuous integration"], "gate", "--gold gold.m2 -c systems/eager.txt --fail-under errant=40"),
        (["metrics", "settings (modes"], "score", "--gold gold.m2 -c systems/eager.txt -m errant:mode=ds"),
    ],
)
def test_the_list_of_commands_leads_to_the_command(
    run: Run, words: list[str], command: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newcomer finds P and R, a comparison, false alarms, pairs to keep, a threshold and a mode of ERRANT."""
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "examples"))
    Path("pairs.tsv").write_text("source\thypothesis\nHe go .\tHe goes .\n", encoding="utf-8")
    commands = run("--help").out
    assert all(word in " ".join(commands.split()) for word in words)
    options = run(command, "--help").out
    assert all(word in options for word in re.findall("--[a-z-]+", line))
    assert run(command, *shlex.split(line)).status == 0
