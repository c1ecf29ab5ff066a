"""``geceval m2``: filter, source, split, diff, convert, and stats of several files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import UsageError
from geceval.commands.m2.filter import EditFilterRequest
from geceval.commands.shared.option_values import OutputFile
from support.commands import Result, Run
from support.written_files import CHERRANT_BLOCK

GOLD = """\
S He go to home yesterday .
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||1
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||1
A 5 5|||M:ADV|||too|||REQUIRED|||-NONE-|||1

S Nothing wrong .
A 0 1|||R:OTHER|||Not a thing is|||REQUIRED|||-NONE-|||0

"""
CHINESE = (
    CHERRANT_BLOCK
    + """\
T1 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1

"""
)
EDIT, ZH_EDIT = "A 2 3|||R|||x|||REQUIRED|||-NONE-|||0\n", "A 0 1|||S|||我|||REQUIRED|||-NONE-|||0\n"
OTHER_FILES = {
    "dos": "\ufeffS  a  b\r\n\r\nS c",
    "other": "S a b\n\n",
    "also": GOLD.replace("too", "also"),
    "overlapping": "S a b c\nA 0 2|||X|||x|||R|||N|||0\nA 1 3|||X|||y|||R|||N|||0\nA 2 3|||X|||z|||R|||N|||0\n",
    "abc": "S a b c\n",
    "one": "S a\nA 0 1|||X|||b|||R|||N|||0\n",
    "single": GOLD.replace("|||1\n", "|||0\n"),
    "two": "S a\nA 0 1|||X|||b|||R|||N|||0\n\nS b\n",
    "zh": CHINESE,
    "bare": "S 他\nA 0 1|||R|||-NONE-|||REQUIRED|||-NONE-|||0\n\n",
    "several": "S a\nA 0 1|||R|||b||c|||R|||N|||0\n",
    "second": f"S a b\nS c d e\n{EDIT}{EDIT}\nS f\n",
    "edits-first": f"S 他 来\n{ZH_EDIT}T0-A0 我 来\n{ZH_EDIT}\n",
}


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    return Path("gold.m2")


def names() -> list[str]:
    return sorted(str(path) for path in Path().rglob("*") if path.is_file())


def test_request_from_python_is_checked_as_on_the_command_line() -> None:
    with pytest.raises(UsageError, match="a condition is required"):
        EditFilterRequest().filtered(())
    with pytest.raises(UsageError, match=r"--output gold\.tsv\.gz: this command does not write \.tsv files"):
        EditFilterRequest(type=("R",), target=OutputFile("gold.tsv.gz"))


@pytest.mark.parametrize(
    "line",
    [
        "filter gold.m2 --type R:VERB*",
        "filter --type VERB:TENSE,VERB gold.m2",
        "filter gold.m2 --operation R --longest 1 --changed",
        "filter gold.m2 --type VERB* --type U --not --annotators 1",
        "filter gold.m2 -a 0,1 --shortest 3",
        "filter gold.m2",
        "filter gold.m2 --not --changed",
        "filter gold.m2 -a 0,7",
        "filter gold.m2 -a x",
        "filter gold.m2 --operation M,X",
        "filter gold.m2 --shortest 4 --longest 2",
        "filter gold.m2 --type X absent.m2",
        "source gold.m2 dos.m2",
        "source - -",
        "stats gold.m2 other.m2",
        "stats gold.m2 other.m2 -f csv",
        "stats gold.m2 -f markdown",
        "stats gold.m2 -f latex",
        "vote gold.m2 --text",
        "vote gold.m2 -k 1 --text",
        "vote gold.m2 -k 3",
        "diff gold.m2",
        "diff gold.m2 -a 0,1 --totals",
        "diff gold.m2 --show-types",
        "diff gold.m2 gold.m2",
        "diff gold.m2 also.m2 --digits 0",
        "diff gold.m2 also.m2 -a 0",
        "diff gold.m2 -f tsv",
        "diff overlapping.m2 abc.m2",
        "diff gold.m2 gold.m2 gold.m2",
        "diff gold.m2 -a 0",
        "diff gold.m2 -a 0,1,2",
        "diff gold.m2 single.m2",
        "diff one.m2",
        "diff gold.m2 -a 0,5",
        "diff one.m2 two.m2",
        "convert zh.m2 --to errant",
        "convert bare.m2 --to errant --dialect cherrant",
        "convert bare.m2 --to errant",
        "convert gold.m2",
        "convert gold.m2 -o x.xml",
        "convert gold.m2 gold.m2 --to jsonl",
        "convert gold.m2 -o x.txt",
        "convert gold.m2 --to jsonl -o x.m2",
        "convert gold.m2 --to jsonl --dialect cherrant",
        "convert gold.m2 --from jsonl --to m2",
        "convert absent.m2 --to jsonl",
        "convert several.m2 --to cherrant",
        "check second.m2",
        "check edits-first.m2 -q",
        "apply edits-first.m2",
    ],
)
def test_action_prints_its_output_or_a_refusal(run: Run, gold: Path, line: str, snapshot: SnapshotAssertion) -> None:
    for name, text in OTHER_FILES.items():
        Path(f"{name}.m2").write_text(text, encoding="utf-8", newline="")
    before = names()
    assert run("m2", *line.split()) == snapshot
    assert names() == before


def test_file_with_faults_leaves_the_edits_before_them(run: Run, gold: Path, snapshot: SnapshotAssertion) -> None:
    Path("bad.m2").write_text(GOLD + "S a\nA 0 1\n", encoding="utf-8")
    assert run("m2", "filter", "bad.m2", "--type", "X", "-o", "out.m2") == snapshot
    assert names() == ["bad.m2", "gold.m2", "out.m2.partial"]


@pytest.mark.parametrize("command", ["filter --annotators 0", "apply --annotator 0"])
def test_hint_for_a_system_of_two_annotators_works(run: Run, gold: Path, command: str) -> None:
    score = ("score", "--gold", gold, "-m", "errant", "-q", "-c")
    result = run(*score, gold)
    assert result.status == 2
    assert f"m2 {command.removesuffix('0')}ID" in result.err
    name = "one.m2" if "filter" in command else "one.txt"
    assert run("m2", *command.split(), gold, "-o", name).status == 0
    assert run(*score, name).status == 0


def test_json_of_stats_has_the_figures(run: Run, gold: Path) -> None:
    document = json.loads(run("m2", "stats", gold, "-f", "json").out)
    assert document["schema"] == "geceval/m2-stats@1"
    [file] = document["files"]
    assert (file["file"], file["sentences"], file["tokens"], file["edits"]) == ("gold.m2", 2, 9, 6)
    assert file["annotators"]["0"] == {"sentences": 2, "changed": 2, "edits": 3}
    assert file["types"]["U:PREP"] == 2
    assert {"source": 0, "correction": 1, "edits": 1} in file["lengths"]
    assert file["agreement"] == [
        {"annotators": [0, 1], "sentences": 1, "edits": 5, "shared": 2, "same": 0, "f1": 0.8}
    ]  # fmt: skip


def test_json_of_diff_has_the_edits(run: Run, gold: Path) -> None:
    document = json.loads(run("m2", "diff", gold, "-f", "json").out)
    assert document["schema"] == "geceval/m2-diff@1"
    assert (document["equal"], document["shared"], document["edits"], document["alike"]) == (False, 2, [3, 3], 0)
    assert document["rows"][0]["types"] == ["R:VERB:TENSE", "R:VERB"]
    assert document["rows"][3] == {
        "sentence": 2, "annotators": [0, 1], "start": 0, "end": 1, "source": "Nothing",
        "correction": "Not a thing is", "in": [1], "types": ["R:OTHER", None],
    }  # fmt: skip


def test_json_lines_are_converted_back(run: Run, gold: Path) -> None:
    assert run("m2", "convert", gold, "-o", "x.jsonl") == Result(0, "", "")
    assert run("m2", "convert", "x.jsonl", "--to", "m2") == Result(0, GOLD, "")
    assert run("m2", "convert", "x.jsonl", "--from", "jsonl", "-o", "back.m2").status == 0
    assert Path("back.m2").read_text(encoding="utf-8") == GOLD


def test_compressed_files_are_converted_and_filtered(run: Run, gold: Path) -> None:
    run("m2", "convert", gold, "-o", "x.jsonl.gz")
    assert run("m2", "convert", "x.jsonl.gz", "--to", "m2") == Result(0, GOLD, "")
    assert run("m2", "filter", gold, "--annotators", "0,1", "-o", "o.m2.xz").status == 0
    assert run("m2", "filter", "o.m2.xz", "--annotators", "0,1").out == GOLD


def test_dialects_are_converted_back(run: Run, gold: Path) -> None:
    Path("zh.m2").write_text(CHINESE, encoding="utf-8")
    run("m2", "convert", "zh.m2", "--to", "errant", "-o", "errant.m2")
    back = run("m2", "convert", "errant.m2", "--to", "cherrant").out
    assert back == "\n".join([*CHINESE.splitlines()[:3], "", ""])
    assert run("m2", "convert", "zh.m2", "--to", "m2") == Result(0, CHINESE, "")
    run("m2", "convert", "zh.m2", "-o", "zh.jsonl")
    assert run("m2", "convert", "zh.jsonl", "--to", "m2") == Result(0, CHINESE, "")
