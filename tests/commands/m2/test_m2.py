"""``geceval m2``: the output and exit status of its actions, and ChERRANT's dialect."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import m2
from support.commands import Result, Run
from support.written_files import CHERRANT_BLOCK

GOLD = """\
S He go to home yesterday .
A 1 2|||Verb|||went|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||Verb|||went|||REQUIRED|||-NONE-|||1

S Nothing wrong .
A 0 1|||Style|||Not a thing is|||REQUIRED|||-NONE-|||0

"""


OTHER_FILES = {
    "empty": "",
    "bad": "S a\nA 0 2|||X|||b|||R|||N|||0\nA 0 1|||X\n\noops\n",
    "overlap": "S a b\nA 0 2|||X|||b|||R|||N|||0\nA 0 1|||X|||c|||R|||N|||0\n",
    "other": "S He go to home yesterday .\n\nS Nothing wrong .\nA 2 2|||X|||here|||REQUIRED|||-NONE-|||5\n",
    "checker": "S a\nI latency 0.25\n\nS b\nI latency 0.5\n\nS c\nI no answer\n",
}


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    return Path("gold.m2")


@pytest.mark.usefixtures("gold")
@pytest.mark.parametrize(
    "line",
    [
        "m2 apply bad.m2",
        "m2 vote bad.m2 bad.m2",
        "m2 convert bad.m2 --to spans",
        "m2 convert bad.m2 --to cherrant",
        "m2 diff bad.m2 bad.m2 --totals",
        "detect -g bad.m2 -c bad.m2",
        "annotate -c new.txt --gold bad.m2 -f chunks",
        "score --gold bad.m2 -c new.txt -m errant",
        "compare --gold bad.m2 -c new.txt bad.m2 -m maxmatch",
        "show --gold bad.m2 -c new.txt",
        "m2 weights --gold bad.m2 -c new.txt",
    ],
)
def test_every_command_that_stops_for_a_misfit_names_the_option_that_goes_on(run: Run, line: str) -> None:
    good = "S a b .\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n"
    Path("good.m2").write_text(good, encoding="utf-8")
    Path("bad.m2").write_text(f"{good}A 7 8|||R|||x|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    Path("new.txt").write_text("x b .\n", encoding="utf-8")
    stopped = run(*line.split())
    assert (stopped.status, "bad.m2:3: the edit spans 7 to 8" in stopped.err) == (2, True)
    assert "--misfits drop leaves out such edits" in stopped.err
    assert "geceval m2 filter FILE --misfits drop writes a file without them" in stopped.err
    dropped = run(*line.split(), "--misfits", "drop")
    assert dropped.status == 0
    assert "warning: bad.m2:3: dropped: 1 edit that does not fit its sentence" in dropped.err
    run("m2", "filter", "bad.m2", "--misfits", "drop", "-o", "fix.m2")
    assert Path("fix.m2").read_text(encoding="utf-8") == good
    fixed = run(*line.replace("bad.m2", "fix.m2").split())
    assert fixed.out.replace("fix", "bad") == dropped.out.replace("|misfits:drop", "")


@pytest.mark.parametrize(
    "line",
    [
        "check gold.m2",
        "check gold.m2 gold.m2",
        "check gold.m2 --quiet",
        "check empty.m2",
        "check gold.m2 bad.m2",
        "check gold.m2 bad.m2 -q",
        "check absent.m2",
        "apply gold.m2",
        "apply gold.m2 --annotator 1",
        "apply gold.m2 -a 1 --missing plain",
        "apply gold.m2 --annotator 7",
        "apply overlap.m2",
        "merge gold.m2 other.m2",
        "merge gold.m2 -",
        "stats gold.m2",
        "stats gold.m2 -f markdown",
        "stats checker.m2",
        "stats checker.m2 -f csv",
    ],
)
def test_action_prints_its_output_or_a_refusal(run: Run, gold: Path, line: str, snapshot: SnapshotAssertion) -> None:
    for name, text in OTHER_FILES.items():
        Path(f"{name}.m2").write_text(text, encoding="utf-8")
    assert run("m2", *line.split()) == snapshot


@pytest.mark.parametrize("line", ["apply gold.m2 -a 1", "merge gold.m2 other.m2"])
def test_output_file_has_the_printed_text(run: Run, gold: Path, line: str) -> None:
    Path("other.m2").write_text(OTHER_FILES["other"], encoding="utf-8")
    assert run("m2", *line.split(), "-o", "out") == Result(0, "", "")
    assert Path("out").read_text(encoding="utf-8") == run("m2", *line.split()).out


REFUSED_BY_ONE = """\
S 甲 乙
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0
T1-A0 丙 乙
A 0 1|||S|||丙|||REQUIRED|||-NONE-|||1
T1-A1 丁
A 0 2|||S|||丁|||REQUIRED|||-NONE-|||1

"""


def test_references_of_a_file_of_cherrant_are_those_that_are_scored(run: Run, gold: Path) -> None:
    """An answer NA is ignored where there is another one."""
    Path("zh.m2").write_text(REFUSED_BY_ONE, encoding="utf-8")
    assert run("m2", "apply", "zh.m2") == Result(0, "丙 乙\n", "")
    assert [list(lines) for lines in m2.references(m2.read("zh.m2"))] == [["丙 乙"]]
    refused = run("m2", "apply", "zh.m2", "-a", "0")
    assert (refused.status, refused.err) == (2, "error: zh.m2 has no annotator 0: choose from 1\n")
    Path("hyp.txt").write_text("丙 乙\n", encoding="utf-8")
    assert "|refs:1(gold)|" in run("score", "--gold", "zh.m2", "-c", "hyp.txt", "-m", "errant").out


def test_refused_merge_leaves_the_output(run: Run, gold: Path, snapshot: SnapshotAssertion) -> None:
    Path("other.m2").write_text("S He go to home yesterday .\n\nS Something else .\n", encoding="utf-8")
    Path("out.m2").write_text("precious", encoding="utf-8")
    assert run("m2", "merge", gold, "other.m2", "-o", "out.m2") == snapshot
    assert Path("out.m2").read_text(encoding="utf-8") == "precious"
    assert sorted(path.name for path in Path().iterdir()) == ["gold.m2", "other.m2", "out.m2", "out.m2.partial"]


def test_json_of_stats_has_answers_and_latencies(run: Run, gold: Path) -> None:
    Path("checker.m2").write_text(OTHER_FILES["checker"], encoding="utf-8")
    [file] = json.loads(run("m2", "stats", "checker.m2", "-f", "json").out)["files"]
    assert file["operation"] == {"sentences": 3, "answered": 2, "p50": 0.25, "p95": 0.5, "p99": 0.5}


def test_compressed_file_on_standard_input_is_read(gold: Path) -> None:
    command = [Path(sys.executable).with_name("geceval"), "m2", "convert", "--to", "m2", "-"]
    converted = subprocess.run(command, input=gzip.compress(GOLD.encode()), capture_output=True, check=True)
    assert converted.stdout.decode() == GOLD


def test_m2_without_an_action_prints_its_help(run: Run) -> None:
    assert run("m2").out == run("m2", "--help").out


CHINESE = (
    CHERRANT_BLOCK
    + """\

S 好 的
T0 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
)


@pytest.fixture
def chinese(gold: Path) -> Path:
    Path("zh.m2").write_text(CHINESE, encoding="utf-8")
    return Path("zh.m2")


def test_dialect_of_cherrant_is_checked_applied_and_counted(run: Run, chinese: Path) -> None:
    assert run("m2", "check", chinese, "--quiet") == Result(0, "", "")
    assert run("m2", "convert", chinese, "--to", "m2") == Result(0, CHINESE, "")
    assert run("m2", "apply", chinese) == Result(0, "他 来 了 北 京\n好 的\n", "")
    assert run("m2", "vote", chinese, chinese, "--text").out == "他 来 了 北 京\n好 的\n"
    rows = [line.split() for line in run("m2", "stats", chinese).out.splitlines()]
    assert ["0", "2", "1", "3", "1.50"] in rows  # of all alignments
    assert [row[0] for row in rows if len(row) == 3 and row[1] == "1"] == ["S", "R", "M"]


def test_dialect_is_scored_by_its_first_alignment_with_types_of_errant(run: Run, chinese: Path) -> None:
    Path("sys.txt").write_text("他来了北京\n好的\n", encoding="utf-8")
    options = ["--language", "zh", "--tokenise", "char", "--tokenise-only", "systems", "--no-checks"]
    for metric in ("errant:mode=cse", "maxmatch"):
        result = run("score", "--gold", chinese, "-c", "sys.txt", "-m", metric, *options)
        assert result.out.splitlines()[2].split() == ["sys", "100.00"]
    table = run("score", "--gold", chinese, "-c", "sys.txt", "-m", "errant", "--by", "operation", *options).out
    assert ["sys", "R"] in [line.split()[:2] for line in table.splitlines()]


def test_file_without_t_lines_is_converted_from_the_dialect(run: Run, chinese: Path) -> None:
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


def test_errant_compare_of_the_dialect_is_refused(run: Run, chinese: Path, snapshot: SnapshotAssertion) -> None:
    assert run("errant_compare", "-hyp", chinese, "-ref", chinese) == snapshot


def test_annotate_writes_the_dialect(run: Run, chinese: Path) -> None:
    Path("source.txt").write_text("他来到北京\n好的\n", encoding="utf-8")
    Path("fixed.txt").write_text("他来了北京\n好的\n", encoding="utf-8")
    options = ["--language", "zh", "--tokenise", "auto", "--dialect", "cherrant"]
    result = run("annotate", "-s", "source.txt", "-c", "fixed.txt", *options)
    first, second = CHINESE.split("\n\n")[:2]
    assert result.out == "\n".join([*first.splitlines()[:3], "", *second.splitlines(), "", ""])


def test_apply_notes_the_other_annotators(run: Run, examples: Path) -> None:
    note = "note: gold.m2 has the annotators 0, 1: the text is by 0, --annotator N selects another\n"
    assert run("m2", "apply", "gold.m2").err == note
    assert run("m2", "apply", "gold.m2", "--annotator", "1").err == ""
