"""Tables, notes, warnings and errors on a terminal of 80 columns are not wider."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion

from geceval.terminal.messages import say
from support.examples import EXAMPLES
from support.processes import Forks
from support.terminals import Terminal

SYSTEMS = "-s source.txt -r ref0.txt ref1.txt -c systems/careful.txt systems/eager.txt systems/noisy.txt"
LINES = [
    "language list", "prepare --list", "suite --list", "metrics", "metrics cleme2",
    "suite bench.toml", f"score {SYSTEMS} -m errant green gleu cleme2 cleme --parts",
    f"score {SYSTEMS} -m errant --by type", f"score {SYSTEMS} -m green gleu --group length --parts",
    f"score {SYSTEMS} -m green --level sentence", f"compare {SYSTEMS} -m green cleme2",
    f"rank {SYSTEMS} -m green errant", f"show {SYSTEMS} --all", f"explain {SYSTEMS} --sentence 3",
    f"annotate {SYSTEMS} -f chunks --sentences 1 2 3", "m2 stats gold.m2", "m2 diff gold.m2 --annotators 0,1",
    "m2 check gold.m2", "detect -g gold.m2 -c systems/careful.txt", "meta --judgments judgments.xml --level human",
    f"score -s source.txt -r ref0.txt -c {'x' * 90}=systems/careful.txt -m green",
]  # fmt: skip


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.close()


@pytest.mark.parametrize("line", LINES)
def test_no_line_is_wider_than_the_terminal(line: str, forks: Forks, terminal: Terminal) -> None:
    lines = terminal.lines(forks, line, EXAMPLES)
    assert len(lines) > 1
    assert not lines[0].startswith(("Traceback", "error: "))
    # A signature or a path is one word, and stays whole so that it can be copied.
    assert [text for text in lines if cell_len(text) > 80 and " " in text.strip()] == []


def test_warning_is_wrapped_at_words_and_keeps_names_whole(forks: Forks, terminal: Terminal) -> None:
    lines = terminal.lines(forks, f"score -s source.txt -r ref0.txt -c {'x' * 90}=source.txt -m green", EXAMPLES)
    assert lines[:2] == ["warning: system", f"  {'x' * 90}:"]
    assert lines[2].startswith("  it is equal to the source, line by line")


def test_error_is_wrapped_with_its_hint(forks: Forks, terminal: Terminal, snapshot: SnapshotAssertion) -> None:
    line = f"score -s source.txt -r ref0.txt -c systems/careful.txt -m green -o {'x' * 40}.html"
    assert terminal.lines(forks, line, EXAMPLES) == snapshot


def test_lines_are_whole_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("note: " + "word " * 40)
    assert capsys.readouterr().err == "note: " + "word " * 40 + "\n"
