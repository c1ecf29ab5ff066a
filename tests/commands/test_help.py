"""The help of every command, and the hints of usage errors."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.commands.command_list import ACTIONS, COMMANDS, EXAMPLE
from support.commands import Run
from support.examples import EXAMPLES


@pytest.fixture(params=[80, 120])
def columns(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


def test_help_lists_the_commands_in_groups(run: Run, columns: int) -> None:
    text = run("--help").out
    assert run("help").out == run().out == text
    assert max(map(len, text.splitlines())) <= columns
    for title, commands in COMMANDS.items():
        block = text.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        lines = [line for line in block.splitlines() if line.strip() not in EXAMPLE.splitlines()]
        assert re.findall(r"^  (\S+)", "\n".join(lines), re.MULTILINE) == list(commands)


def test_help_begins_with_four_commands_and_their_example(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "examples"))
    for name, system in (("old", "careful"), ("new", "eager")):
        shutil.copy(f"systems/{system}.txt", f"{name}.txt")
    block = run("--help").out.split("\n\n")[2]
    assert block.startswith("Start here:\n" + "".join(f"  {line}\n" for line in EXAMPLE.splitlines()))
    assert re.findall(r"^  (\w+)  ", block, re.MULTILINE) == ["score", "compare", "show", "report"]
    for line in EXAMPLE.splitlines():
        assert run(*shlex.split(line)[1:]).status == 0


@pytest.mark.parametrize("name", ACTIONS)
def test_command_with_actions_lists_them(run: Run, name: str) -> None:
    assert run(name).out == run(name, "--help").out
    assert re.findall(r"^  (\S+)", run(name).out, re.MULTILINE) == list(ACTIONS[name])


@pytest.mark.parametrize(
    "line",
    [
        "scroe",
        "frobnicate",
        "errant -s source.txt",
        "m2 cehck gold.m2",
        "help m2 cehck",
        "score --refernces a",
        "score --gol a",
        "score -hyp a",
        "completion",
        "completion csh",
        "score extra",
        "score -f jsn",
        "score --format jsn",
        "score --digits -1",
        "score --digits 2.5",
        "show --sentences 1 0x2",
        "compare --alpha x",
        "compare -m",
        "compare --baseline",
        "compare --changes a",
        "compare --seed 1 --seed 2",
        "score --tokenise auto --preset=bea19",
        "detect",
        "detect -g gold.m2",
        "filter",
        "m2 filter gold.m2 --annotators 1,x",
        "m2 filter gold.m2 --longest 100000000000000000000",
        "meta --judgments x --seed 4294967296",
        "meta --judgments x --samples 100000000",
        "prepare --normalise nfc,nfx",
    ],
)
def test_usage_error_has_a_hint(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run(*line.split()) == snapshot


@pytest.mark.parametrize(
    ("phrases", "command", "line"),
    [
        (["score", "precision and recall"], "score", "-s source.txt -r ref0.txt -c systems/eager.txt --parts"),
        (["compare", "better than another"], "compare", "--gold gold.m2 -c systems/eager.txt systems/noisy.txt"),
        (["show", "false alarms"], "show", "--gold gold.m2 -c systems/noisy.txt --outcome false-alarm"),
        (["filter", "pairs of a table"], "filter", "-i pairs.tsv --keep 'edits <= 3' -o kept.tsv"),
        (["gate", "continuous integration"], "gate", "--gold gold.m2 -c systems/eager.txt --fail-under errant=40"),
        (["metrics", "settings (modes"], "score", "--gold gold.m2 -c systems/eager.txt -m errant:mode=ds"),
    ],
)
def test_list_of_commands_leads_to_the_command_for_a_task(
    run: Run, phrases: list[str], command: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "examples"))
    Path("pairs.tsv").write_text("source\thypothesis\nHe go .\tHe goes .\n", encoding="utf-8")
    commands = " ".join(run("--help").out.split())
    assert all(phrase in commands for phrase in phrases)
    options = run(command, "--help-all").out
    assert all(option in options for option in re.findall("--[a-z-]+", line))
    assert run(command, *shlex.split(line)).status == 0
