"""``m2scorer`` beyond the recorded outputs: flags, the readable -v, refusals, time limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import Result, Run

GOLD = """\
S The cat sat at mat .
A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
A 4 4|||Det|||the||a|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

"""
VERBOSE = """\
sentence   1
source     The cat sat at mat .
hypothesis A cat sat on the mat .
annotator  0 (chosen)
  proposed 0 1  [The] -> [A]
           3 4  [at] -> [on]
           4 4  [] -> [the]
  gold     3 4  [at] -> [on]
           4 4  [] -> [the | a]
  correct  3 4  [at] -> [on]
           4 4  [] -> [the]
so far     correct 2  proposed 3  gold 2  P 0.6667  R 1.0000  F_0.5 0.7143

Precision   : 0.6667
Recall      : 1.0000
F_0.5       : 0.7143
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    Path("system.txt").write_text("A cat sat on the mat .\n", encoding="utf-8")


def test_figures(run: Run) -> None:
    assert run("m2scorer", "system.txt", "gold.m2") == Result(0, VERBOSE[VERBOSE.index("Precision") :], "")
    out = run("m2scorer", "--beta", "2", "system.txt", "gold.m2").out
    assert out.splitlines()[2] == "F_2.0       : 0.9091"


def test_verbose(run: Run) -> None:
    assert run("m2scorer", "-v", "system.txt", "gold.m2") == Result(0, VERBOSE, "")
    everybody = run("m2scorer", "--very_verbose", "system.txt", "gold.m2").out
    assert "annotator  1\n  proposed 0 4  [The cat sat at] -> [A cat sat on the]\n  gold     none\n" in everybody


def test_options_as_in_the_original_shortened_ones_too(run: Run) -> None:
    few = run("m2scorer", "--max_unchanged_words=0", "--very", "system.txt", "gold.m2").out
    assert "annotator  1\n  proposed 0 1  [The] -> [A]\n           3 4  [at] -> [on the]\n" in few
    Path("case.txt").write_text("the cat sat at mat .\n", encoding="utf-8")
    assert "Precision   : 0.0000" in run("m2scorer", "case.txt", "gold.m2").out
    assert "Precision   : 1.0000" in run("m2scorer", "--ignore", "case.txt", "gold.m2").out


def test_refusals(run: Run) -> None:
    Path("long.txt").write_text("a\nb\n", encoding="utf-8")
    result = run("m2scorer", "long.txt", "gold.m2")
    assert result.status == 2
    assert "<- 1 more" in result.err
    Path("bad.m2").write_text(GOLD.replace("A 4 4", "A 9 9"), encoding="utf-8")
    result = run("m2scorer", "system.txt", "bad.m2")
    assert result.status == 2
    assert result.err.startswith(
        "error: bad.m2:3: the edit spans 9 to 9 but the sentence has 6 tokens\n  hint: A 9 9|||"
    )
    assert "F_0.5       : 0.3846" in run("m2scorer", "--misfits", "drop", "system.txt", "bad.m2").out
    for option in ("--beta=-1", "--max_unchanged_words=-1", "--timeout=0"):
        assert run("m2scorer", option, "system.txt", "gold.m2").status == 2


def test_a_sentence_that_takes_too_long_is_named(run: Run) -> None:
    phrase = " ".join(f"w{k}" for k in range(15))
    Path("gold.m2").write_text(f"{GOLD}S {' '.join([phrase] * 20)}\nA 0 1|||X|||x|||R|||N|||0\n", encoding="utf-8")
    Path("system.txt").write_text(f"A cat sat on the mat .\n{' '.join([phrase] * 60)}\n", encoding="utf-8")
    result = run("m2scorer", "-v", "--timeout", "0.0005", "system.txt", "gold.m2")
    assert result.status == 0
    assert result.err.startswith("warning: gold.m2:6: unmatched, for it took more than 0.0005 s (sentence 2)\n")
    assert "  not matched: it took too long\n  gold     0 1  [w0] -> [x]\n" in result.out
    assert result.out.endswith("Precision   : 0.6667\nRecall      : 0.6667\nF_0.5       : 0.6667\n")
