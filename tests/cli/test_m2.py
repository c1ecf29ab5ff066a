"""``geceval m2``: each action, its output and its exit status."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Result, Run

GOLD = """\
S He go to home yesterday .
A 1 2|||Verb|||went|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||Verb|||went|||REQUIRED|||-NONE-|||1

S Nothing wrong .
A 0 1|||Style|||Not a thing is|||REQUIRED|||-NONE-|||0

"""


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    return Path("gold.m2")


def test_check_is_silent_on_a_sound_file(run: Run, gold: Path) -> None:
    assert run("m2", "check", gold) == Result(0, "", "")


def test_check_lists_all_faults_of_all_files(run: Run, gold: Path) -> None:
    Path("bad.m2").write_text("S a\nA 0 2|||X|||b|||R|||N|||0\nA 0 1|||X\n\noops\n", encoding="utf-8")
    result = run("m2", "check", gold, "bad.m2")
    assert result.status == 2
    assert result.out == (
        "bad.m2:2: the edit spans 0 to 2 but the sentence has 1 tokens\n"
        "bad.m2:3: expected 6 fields, found 2: 'A 0 1|||X'\n"
        "bad.m2:5: expected a line that starts with 'S ', found 'oops'\n"
    )
    assert result.err == "error: 3 faults found\n"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "He went home yesterday .\nNot a thing is wrong .\n"),
        (("--annotator", "1"), "He went to home yesterday .\nNot a thing is wrong .\n"),
        (("-a", "1", "--missing", "plain"), "He went to home yesterday .\nNothing wrong .\n"),
    ],
)
def test_apply(run: Run, gold: Path, options: tuple[str, ...], expected: str) -> None:
    assert run("m2", "apply", gold, *options) == Result(0, expected, "")
    assert run("m2", "apply", gold, *options, "-o", "ref.txt") == Result(0, "", "")
    assert Path("ref.txt").read_text(encoding="utf-8") == expected


def test_apply_refuses(run: Run, gold: Path) -> None:
    result = run("m2", "apply", gold, "--annotator", "7")
    assert (result.status, result.err) == (2, "error: gold.m2 has no annotator 7: choose from 0, 1\n")
    Path("bad.m2").write_text("S a b\nA 0 2|||X|||b|||R|||N|||0\nA 0 1|||X|||c|||R|||N|||0\n", encoding="utf-8")
    result = run("m2", "apply", "bad.m2")
    assert result.status == 2
    assert result.err.startswith("error: bad.m2:2: annotator 0: the edit 0 2 overlaps 0 1 of line 3")


MERGED = """\
S He go to home yesterday .
A 1 2|||Verb|||went|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||Verb|||went|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S Nothing wrong .
A 0 1|||Style|||Not a thing is|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A 2 2|||X|||here|||REQUIRED|||-NONE-|||2

"""


def test_merge(run: Run, gold: Path) -> None:
    other = "S He go to home yesterday .\n\nS Nothing wrong .\nA 2 2|||X|||here|||REQUIRED|||-NONE-|||5\n"
    Path("other.m2").write_text(other, encoding="utf-8")
    assert run("m2", "merge", gold, "other.m2") == Result(0, MERGED, "")
    assert run("m2", "merge", gold, "other.m2", "-o", "merged.m2") == Result(0, "", "")
    assert Path("merged.m2").read_text(encoding="utf-8") == MERGED


def test_merge_refuses_and_leaves_the_output_alone(run: Run, gold: Path) -> None:
    Path("other.m2").write_text("S He go to home yesterday .\n\nS Something else .\n", encoding="utf-8")
    Path("out.m2").write_text("precious", encoding="utf-8")
    result = run("m2", "merge", gold, "other.m2", "-o", "out.m2")
    assert result.status == 2
    assert "other.m2:3: not the same sentence as gold.m2:6" in result.err
    assert Path("out.m2").read_text(encoding="utf-8") == "precious"
    assert sorted(path.name for path in Path().iterdir()) == ["gold.m2", "other.m2", "out.m2"]
    assert run("m2", "merge", gold, "-").status == 2


STATS = """\
2 sentences, 9 tokens

annotator   sentences   changed   edits   edits a sentence
──────────────────────────────────────────────────────────
        0           2         2       3               1.50
        1           1         1       1               1.00

type    edits      %
────────────────────
Verb        2   50.0
Prep        1   25.0
Style       1   25.0

tokens   -> 0   -> 1   -> 2   -> 3   -> 4   -> 5+
─────────────────────────────────────────────────
     1      1      2      0      0      1       0

annotators   sentences   % the same   edits   in common   F1 of edits
─────────────────────────────────────────────────────────────────────
0 and 1              1          0.0       3           2          66.7
"""


def test_stats(run: Run, gold: Path) -> None:
    assert run("m2", "stats", gold) == Result(0, STATS, "")
    assert "| Verb | 2 | 50.0 |" in run("m2", "stats", gold, "-f", "markdown").out


def test_head_of_a_compressed_file_on_standard_input(gold: Path) -> None:
    command = [Path(sys.executable).with_name("geceval"), "m2", "head", "-n", "1", "-"]
    done = subprocess.run(command, input=gzip.compress(GOLD.encode()), capture_output=True, check=True)
    assert done.stdout.decode() == GOLD.split("\n\n")[0] + "\n\n"


def test_an_action_is_needed(run: Run) -> None:
    assert run("m2").status == 2
    assert run("m2", "check", "absent.m2").err == "error: absent.m2: cannot read: No such file or directory\n"
