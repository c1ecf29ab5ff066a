"""``m2scorer``: flags, verbose output, refusals and time limits that recorded outputs do not have."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run

GOLD = """\
S The cat sat at mat .
A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
A 4 4|||Det|||the||a|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    Path("system.txt").write_text("A cat sat on the mat .\n", encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "system.txt gold.m2",
        "--beta 2 system.txt gold.m2",
        "-v system.txt gold.m2",
        "--very_verbose system.txt gold.m2",
        "--max_unchanged_words=0 --very system.txt gold.m2",
        "case.txt gold.m2",
        "--ignore case.txt gold.m2",
        "long.txt gold.m2",
        "system.txt bad.m2",
    ],
)
def test_output_or_refusal(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    Path("case.txt").write_text("the cat sat at mat .\n", encoding="utf-8")
    Path("long.txt").write_text("a\nb\n", encoding="utf-8")
    Path("bad.m2").write_text(GOLD.replace("A 4 4", "A 9 9"), encoding="utf-8")
    assert run("m2scorer", *line.split()) == snapshot


@pytest.mark.parametrize("option", ["--beta=-1", "--max_unchanged_words=-1", "--timeout=0"])
def test_number_out_of_range_is_refused(run: Run, option: str) -> None:
    assert run("m2scorer", option, "system.txt", "gold.m2").status == 2


def test_sentence_that_exceeds_the_time_limit_is_a_warning(run: Run) -> None:
    phrase = " ".join(f"w{k}" for k in range(15))
    Path("gold.m2").write_text(f"{GOLD}S {' '.join([phrase] * 80)}\nA 0 1|||X|||x|||R|||N|||0\n", encoding="utf-8")
    Path("system.txt").write_text(f"A cat sat on the mat .\n{' '.join([phrase] * 200)}\n", encoding="utf-8")
    result = run("m2scorer", "-v", "--timeout", "0.05", "system.txt", "gold.m2")
    assert result.status == 0
    assert result.err.startswith("warning: gold.m2:6: sentence 2 is unmatched: it took more than 0.05 s\n")
    assert "  not matched: time limit exceeded\n  gold     0 1  [w0] -> [x]\n" in result.out
    assert result.out.endswith("Precision   : 0.6667\nRecall      : 0.6667\nF_0.5       : 0.6667\n")
