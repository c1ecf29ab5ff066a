"""``geceval m2``: each action, its output and its exit status."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from geceval import m2
from support.commands import Result, Run

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


#: The annotator that finds most edits of the fixture, which a person made.
CLOSEST = "gold.m2: closest annotator: plain (F1 of spans 57.1, equal types 0.0 %)\n"


def test_check_says_what_it_checked(run: Run, gold: Path) -> None:
    said = "gold.m2: 2 sentences, 4 edits, 2 annotators: no faults\n" + CLOSEST
    assert run("m2", "check", gold) == Result(0, said, "")
    assert run("m2", "check", gold, gold).out == 2 * said
    assert run("m2", "check", gold, "--quiet") == Result(0, "", "")
    Path("empty.m2").write_bytes(b"")
    assert run("m2", "check", "empty.m2").out == "empty.m2: 0 sentences, 0 edits, 0 annotators: no faults\n"


def test_check_lists_all_faults_of_all_files(run: Run, gold: Path) -> None:
    Path("bad.m2").write_text("S a\nA 0 2|||X|||b|||R|||N|||0\nA 0 1|||X\n\noops\n", encoding="utf-8")
    result = run("m2", "check", gold, "bad.m2")
    assert result.status == 2
    assert result.out == (
        f"gold.m2: 2 sentences, 4 edits, 2 annotators: no faults\n{CLOSEST}"
        "bad.m2:2: the edit spans 0 to 2 but the sentence has 1 tokens\n"
        "bad.m2:3: expected 6 fields, found 2: 'A 0 1|||X'\n"
        "bad.m2:5: expected a line that starts with 'S ', found 'oops'\n"
        "bad.m2: 1 sentence, 1 edit, 1 annotator: 3 faults\n"
    )
    assert run("m2", "check", gold, "bad.m2", "-q").out.count("\n") == 3
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


REFUSED_BY_ONE = """\
S 甲 乙
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0
T1-A0 丙 乙
A 0 1|||S|||丙|||REQUIRED|||-NONE-|||1
T1-A1 丁
A 0 2|||S|||丁|||REQUIRED|||-NONE-|||1

"""


def test_the_references_of_a_file_of_cherrant_are_those_that_are_scored(run: Run, gold: Path) -> None:
    """An answer NA is none where there is another."""
    Path("zh.m2").write_text(REFUSED_BY_ONE, encoding="utf-8")
    assert run("m2", "apply", "zh.m2") == Result(0, "丙 乙\n", "")
    assert [list(lines) for lines in m2.references(m2.read("zh.m2"))] == [["丙 乙"]]
    refused = run("m2", "apply", "zh.m2", "-a", "0")
    assert (refused.status, refused.err) == (2, "error: zh.m2 has no annotator 0: choose from 1\n")
    Path("hyp.txt").write_text("丙 乙\n", encoding="utf-8")
    assert "|refs:1(gold)|" in run("score", "--gold", "zh.m2", "-c", "hyp.txt", "-m", "errant").out


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
    assert sorted(path.name for path in Path().iterdir()) == ["gold.m2", "other.m2", "out.m2", "out.m2.partial"]
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


def test_stats_of_a_checker_have_answers_and_latencies(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "checker.m2"
    path.write_text("S a\nI latency 0.25\n\nS b\nI latency 0.5\n\nS c\nI no answer\n", encoding="utf-8")
    head, _, row = run("m2", "stats", path).out.splitlines()[2:5]
    assert head.split("   ") == ["sentences", "answered", "latency p50", "latency p95", "latency p99"]
    assert row.split() == ["3", "2", "0.25", "0.5", "0.5"]
    [found] = json.loads(run("m2", "stats", path, "-f", "json").out)["files"]
    assert found["operation"] == {"sentences": 3, "answered": 2, "p50": 0.25, "p95": 0.5, "p99": 0.5}
    rows = run("m2", "stats", path, "-f", "csv").out.splitlines()
    assert f"{path},operation,,p95,0.5" in rows


def test_stats(run: Run, gold: Path) -> None:
    assert run("m2", "stats", gold) == Result(0, STATS, "")
    assert "| Verb | 2 | 50.0 |" in run("m2", "stats", gold, "-f", "markdown").out


def test_compressed_file_on_standard_input_is_read(gold: Path) -> None:
    command = [Path(sys.executable).with_name("geceval"), "m2", "convert", "--to", "m2", "-"]
    converted = subprocess.run(command, input=gzip.compress(GOLD.encode()), capture_output=True, check=True)
    assert converted.stdout.decode() == GOLD


def test_an_action_is_needed(run: Run) -> None:
    assert run("m2").out == run("m2", "--help").out
    assert run("m2", "check", "absent.m2").err == "error: absent.m2: cannot read: No such file or directory\n"


CHINESE = """\
S 他 来 到 北 京
T0-A0 他 来 了 北 京
A 2 3|||S|||了|||REQUIRED|||-NONE-|||0
T0-A1 他 来 了 北 京
A 2 3|||R|||-NONE-|||REQUIRED|||-NONE-|||0
A 3 3|||M|||了|||REQUIRED|||-NONE-|||0

S 好 的
T0 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


@pytest.fixture
def chinese(gold: Path) -> Path:
    Path("zh.m2").write_text(CHINESE, encoding="utf-8")
    return Path("zh.m2")


def test_cherrants_dialect_stays_what_it_is(run: Run, chinese: Path) -> None:
    assert run("m2", "check", chinese, "--quiet") == Result(0, "", "")
    assert run("m2", "convert", chinese, "--to", "m2") == Result(0, CHINESE, "")
    assert run("m2", "apply", chinese) == Result(0, "他 来 了 北 京\n好 的\n", "")
    assert run("m2", "vote", chinese, chinese, "--text").out == "他 来 了 北 京\n好 的\n"
    rows = [line.split() for line in run("m2", "stats", chinese).out.splitlines()]
    assert ["0", "2", "1", "3", "1.50"] in rows  # of all alignments
    assert [row[0] for row in rows if len(row) == 3 and row[1] == "1"] == ["S", "R", "M"]


def test_it_is_scored_by_its_first_alignment_under_errants_types(run: Run, chinese: Path) -> None:
    Path("sys.txt").write_text("他来了北京\n好的\n", encoding="utf-8")
    options = ["--language", "zh", "--tokenise", "char", "--tokenise-only", "systems", "--no-checks"]
    for metric in ("errant:mode=cse", "maxmatch"):
        result = run("score", "--gold", chinese, "-c", "sys.txt", "-m", metric, *options)
        assert result.out.splitlines()[2].split() == ["sys", "100.00"]
    table = run("score", "--gold", chinese, "-c", "sys.txt", "-m", "errant", "--by", "operation", *options).out
    assert ["sys", "R"] in [line.split()[:2] for line in table.splitlines()]


def test_a_file_without_its_texts_is_converted_from_a_dialect(run: Run, chinese: Path) -> None:
    bare = [
        line
        for line in CHINESE.split("\n")
        if not line.startswith("T") and "A 3 3" not in line and "-NONE-|||R" not in line
    ]
    Path("bare.m2").write_text("\n".join(bare), encoding="utf-8")
    Path("sys.m2").write_text(CHINESE, encoding="utf-8")
    arguments = ["score", "--gold", "bare.m2", "-c", "sys.m2", "-m", "errant:mode=cse", "--no-checks"]
    assert run(*arguments).out.splitlines()[2].split() == ["sys", "0.00"]
    assert run("m2", "convert", "bare.m2", "--to", "errant", "--dialect", "cherrant", "-o", "gold.m2").status == 0
    arguments[2] = "gold.m2"
    assert run(*arguments).out.splitlines()[2].split() == ["sys", "100.00"]


def test_other_commands_are_named_for_it(run: Run, chinese: Path) -> None:
    result = run("errant_compare", "-hyp", chinese, "-ref", chinese)
    assert result.status == 2
    assert "zh.m2:1: T lines: this is ChERRANT's dialect of M2" in result.err
    assert "cherrant_compare compares it" in result.err


def test_annotate_writes_it(run: Run, chinese: Path) -> None:
    Path("source.txt").write_text("他来到北京\n好的\n", encoding="utf-8")
    Path("fixed.txt").write_text("他来了北京\n好的\n", encoding="utf-8")
    options = ["--language", "zh", "--tokenise", "auto", "--dialect", "cherrant"]
    result = run("annotate", "-s", "source.txt", "-c", "fixed.txt", *options)
    first, second = CHINESE.split("\n\n")[:2]
    assert result.out == "\n".join([*first.splitlines()[:3], "", *second.splitlines(), "", ""])
