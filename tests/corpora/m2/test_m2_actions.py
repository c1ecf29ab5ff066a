"""``geceval m2``: filter, source, split, diff, convert, and stats of several files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pytest

from geceval.base.errors import UsageError
from geceval.cli.options import OutputFile
from geceval.corpora.m2_edit_commands import EditFilterRequest
from support.commands import Result, Run

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


# --- filter, source ---

VERBS = """\
S He go to home yesterday .
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||1

S Nothing wrong .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


def test_filter(run: Run, gold: Path) -> None:
    assert run("m2", "filter", gold, "--type", "R:VERB*") == Result(0, VERBS, "")
    assert run("m2", "filter", "--type", "VERB:TENSE,VERB", gold, "-o", "verbs.m2") == Result(0, "", "")
    assert Path("verbs.m2").read_text(encoding="utf-8") == VERBS
    changed = run("m2", "filter", gold, "--operation", "R", "--longest", "1", "--changed").out
    assert changed == VERBS.split("\n\n")[0] + "\n\n"
    rest = run("m2", "filter", gold, "--type", "VERB*", "--type", "U", "--not", "--annotators", "1").out
    assert rest == ("S He go to home yesterday .\nA 5 5|||M:ADV|||too|||REQUIRED|||-NONE-|||1\n\nS Nothing wrong .\n\n")
    assert run("m2", "filter", gold, "-a", "0,1", "--shortest", "3").out.count("noop") == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "error: a condition is required"),
        (("--not", "--changed"), "error: --not requires --type"),
        (("-a", "0,7"), "error: gold.m2 has no annotator 7: choose from 0, 1\n"),
        (("-a", "x"), "-a: 'x' is not a whole number"),
        (("--operation", "M,X"), "error: --operation: unknown value 'X': choose from M, R, U"),
        (("--shortest", "4", "--longest", "2"), "error: no edit is at least 4 tokens long and at most 2"),
        (("--type", "X", "absent.m2"), "unexpected argument 'absent.m2'"),
    ],
)
def test_filter_refuses(run: Run, gold: Path, options: tuple[str, ...], message: str) -> None:
    result = run("m2", "filter", gold, *options, "-o", "out.m2")
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert names() == ["gold.m2"]


def test_file_with_faults_leaves_the_edits_before_them(run: Run, gold: Path) -> None:
    Path("bad.m2").write_text(GOLD + "S a\nA 0 1\n", encoding="utf-8")
    result = run("m2", "filter", "bad.m2", "--type", "X", "-o", "out.m2")
    assert result.err.startswith(
        "note: out.m2.partial contains the output so far\nerror: bad.m2:12: expected 6 fields, found 1: 'A 0 1'"
    )
    assert names() == ["bad.m2", "gold.m2", "out.m2.partial"]


def test_source_of_several_files(run: Run, gold: Path) -> None:
    Path("dos.m2").write_bytes(b"\xef\xbb\xbfS  a  b\r\n\r\nS c")
    assert run("m2", "source", gold, "dos.m2").out == "He go to home yesterday .\nNothing wrong .\n a  b\nc\n"
    assert run("m2", "source", "-", "-").err.startswith("error: standard input (-) can be given only once\n")


@pytest.mark.parametrize("command", ["filter --annotators 0", "apply --annotator 0"])
def test_hint_for_a_system_of_two_annotators_works(run: Run, gold: Path, command: str) -> None:
    score = ("score", "--gold", gold, "-m", "errant", "-q", "-c")
    result = run(*score, gold)
    assert result.status == 2
    assert f"m2 {command.removesuffix('0')}ID" in result.err
    name = "one.m2" if "filter" in command else "one.txt"
    assert run("m2", *command.split(), gold, "-o", name).status == 0
    assert run(*score, name).status == 0


# --- stats ---


def test_stats_of_several_files(run: Run, gold: Path) -> None:
    Path("other.m2").write_text("S a b\n\n", encoding="utf-8")
    out = run("m2", "stats", gold, "other.m2").out
    head, *rows = [line.split() for line in out.splitlines()[:4]]
    assert head == ["file", "sentences", "tokens", "annotators", "edits", "types"]
    assert rows[1:] == [["gold.m2", "2", "9", "2", "6", "5"], ["other.m2", "1", "2", "1", "0", "0"]]
    assert run("m2", "stats", gold).out.split("\n", 2)[2] in out


def test_stats_for_programs(run: Run, gold: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("m2", "stats", gold, gold, "-f", "csv").out)))
    assert len(rows) == 2 * len({tuple(row.items()) for row in rows})
    values = {(row["about"], row["of"], row["figure"]): row["value"] for row in rows}
    assert values["file", "", "edits"] == "6"
    assert values["annotator", "1", "edits"] == "3"
    assert values["type", "U:PREP", "edits"] == "2"
    assert values["length", "1 -> 4", "edits"] == "1"
    assert float(values["agreement", "0 and 1", "f1"]) == 0.8
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
    assert "| R:OTHER | 1 | 16.7 |" in run("m2", "stats", gold, "-f", "markdown").out
    assert r"R:OTHER & 1 & 16.7 \\" in run("m2", "stats", gold, "-f", "latex").out


# --- vote ---


def test_annotators_of_one_file_vote(run: Run, gold: Path) -> None:
    assert run("m2", "vote", gold, "--text").out == "He went home yesterday .\nNothing wrong .\n"
    assert run("m2", "vote", gold, "-k", "1", "--text").out == "He went home yesterday too .\nNot a thing is wrong .\n"
    assert run("m2", "vote", gold, "-k", "3").err == "error: -k must be 1 to 2, the number of annotators, not 3\n"


# --- diff ---

DIFFERENCE = """\
1
    gold:0  He {go→went ~ R:VERB:TENSE} {-to =} home yesterday .
    gold:1  He {go→went ~ R:VERB} {-to =} home yesterday {+too >} .

2
    gold:0  {Nothing→Not a thing is <} wrong .
    gold:1  Nothing wrong .

= in both   < only in gold:0   > only in gold:1   ~ in both, with another type

                        figure
──────────────────────────────
sentences                    2
  with the same edits        0
edits in gold:0              3
edits in gold:1              3
edits in both                2
  with another type          1
F1 of edits              66.67
F1 of spans              66.67
kappa of wrong tokens     0.50

gold:1: no line in 1 sentence, read as no edit

type           gold:0   gold:1   in both       F1
─────────────────────────────────────────────────
U:PREP              1        1         1   100.00
M:ADV               0        1         0     0.00
R:OTHER             1        0         0     0.00
R:VERB              0        1         0     0.00
R:VERB:TENSE        1        0         0     0.00

"""


def test_diff_of_two_annotators(run: Run, gold: Path) -> None:
    assert run("m2", "diff", gold) == Result(1, DIFFERENCE, "")
    tables = DIFFERENCE.split("another type\n\n", 1)[1]
    assert run("m2", "diff", gold, "-a", "0,1", "--summary") == Result(1, tables, "")
    assert "{-to = U:PREP}" in run("m2", "diff", gold, "--types").out


def test_diff_of_equal_annotations(run: Run, gold: Path) -> None:
    result = run("m2", "diff", gold, gold)
    assert (result.status, result.err) == (0, "")
    assert "{" not in result.out
    assert "edits in gold.m2             6\n" in result.out


def test_diff_of_files(run: Run, gold: Path) -> None:
    Path("other.m2").write_text(GOLD.replace("too", "also"), encoding="utf-8")
    out = run("m2", "diff", gold, "other.m2", "--digits", "0").out
    assert out.splitlines()[:3] == [
        "1, annotator 1",
        "    gold   He {go→went =} {-to =} home yesterday {+too <} .",
        "    other  He {go→went =} {-to =} home yesterday {+also >} .",
    ]
    assert re.search("F1 of edits +83\n", out)
    assert run("m2", "diff", gold, "other.m2", "-a", "0").status == 0
    assert run("m2", "diff", gold, "other.m2", "-a", "0,1").status == 1


def test_diff_draws_edits_that_overlap_in_several_lines(run: Run, gold: Path) -> None:
    Path("a.m2").write_text(
        "S a b c\nA 0 2|||X|||x|||R|||N|||0\nA 1 3|||X|||y|||R|||N|||0\nA 2 3|||X|||z|||R|||N|||0\n"
    )
    Path("b.m2").write_text("S a b c\n")
    assert run("m2", "diff", "a.m2", "b.m2").out.splitlines()[1:4] == [
        "    a  {a b→x <} {c→z <}",
        "    a  a {b c→y <}",
        "    b  a b c",
    ]


def test_diff_for_programs(run: Run, gold: Path) -> None:
    result = run("m2", "diff", gold, "-f", "tsv", "-o", "diff.tsv")
    assert result == Result(1, "", "")
    rows = list(csv.reader(Path("diff.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"))
    assert rows == [
        ["sentence", "annotators", "start", "end", "source", "correction", "in", "type_1", "type_2"],
        ["1", "0:1", "1", "2", "go", "went", "both", "R:VERB:TENSE", "R:VERB"],
        ["1", "0:1", "2", "3", "to", "", "both", "U:PREP", "U:PREP"],
        ["1", "0:1", "5", "5", "", "too", "2", "", "M:ADV"],
        ["2", "0:1", "0", "1", "Nothing", "Not a thing is", "1", "R:OTHER", ""],
    ]
    document = json.loads(run("m2", "diff", gold, "-f", "json").out)
    assert document["schema"] == "geceval/m2-diff@1"
    assert (document["equal"], document["shared"], document["edits"], document["alike"]) == (False, 2, [3, 3], 0)
    assert document["rows"][0]["types"] == ["R:VERB:TENSE", "R:VERB"]
    assert document["rows"][3] == {
        "sentence": 2, "annotators": [0, 1], "start": 0, "end": 1, "source": "Nothing",
        "correction": "Not a thing is", "in": [1], "types": ["R:OTHER", None],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold.m2", "gold.m2", "gold.m2"), "error: one or two files are required, not 3"),
        (("gold.m2", "-a", "0"), "error: one file requires two annotators\n  hint: --annotators 0,1"),
        (("gold.m2", "-a", "0,1,2"), "error: one or two annotators are required, not 3"),
        (
            ("gold.m2", "single.m2"),
            "error: the annotators are 0, 1 in the first and 0 in the second\n  hint: name the annotators",
        ),
        (("one.m2",), "error: two annotators are required; one.m2 has 0"),
        (("gold.m2", "-a", "0,5"), "error: there is no annotator 5: choose from 0, 1"),
        (("one.m2", "two.m2"), "error: two.m2:4: the first has 1 sentences, the second 2"),
    ],
)
def test_diff_refuses(run: Run, gold: Path, arguments: tuple[str, ...], message: str) -> None:
    Path("one.m2").write_text("S a\nA 0 1|||X|||b|||R|||N|||0\n", encoding="utf-8")
    Path("single.m2").write_text(GOLD.replace("|||1\n", "|||0\n"), encoding="utf-8")
    Path("two.m2").write_text("S a\nA 0 1|||X|||b|||R|||N|||0\n\nS b\n", encoding="utf-8")
    result = run("m2", "diff", *arguments)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(message)


# --- convert ---


def test_convert_there_and_back(run: Run, gold: Path) -> None:
    assert run("m2", "convert", gold, "-o", "x.jsonl") == Result(0, "", "")
    assert run("m2", "convert", "x.jsonl", "--to", "m2") == Result(0, GOLD, "")
    assert run("m2", "convert", "x.jsonl", "--from", "jsonl", "-o", "again.m2").status == 0
    assert Path("again.m2").read_text(encoding="utf-8") == GOLD


CHINESE = """\
S 他 来 到 北 京
T0-A0 他 来 了 北 京
A 2 3|||S|||了|||REQUIRED|||-NONE-|||0
T0-A1 他 来 了 北 京
A 2 3|||R|||-NONE-|||REQUIRED|||-NONE-|||0
A 3 3|||M|||了|||REQUIRED|||-NONE-|||0
T1 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1

"""


def test_packed_files_are_converted(run: Run, gold: Path) -> None:
    run("m2", "convert", gold, "-o", "x.jsonl")
    Path("x.jsonl.gz").write_bytes(gzip.compress(Path("x.jsonl").read_bytes()))
    assert run("m2", "convert", "x.jsonl.gz", "--to", "m2") == Result(0, GOLD, "")
    before = sorted(Path().iterdir())
    assert "--output x.m2 and --to jsonl contradict" in run("m2", "convert", gold, "--to", "jsonl", "-o", "x.m2").err
    assert sorted(Path().iterdir()) == before
    assert run("m2", "filter", gold, "--annotators", "0,1", "-o", "o.m2.xz").status == 0
    assert run("m2", "filter", "o.m2.xz", "--annotators", "0,1").out == GOLD


def test_lines_after_a_second_sentence_in_a_block_are_checked_as_its_own(run: Run, gold: Path) -> None:
    del gold
    edit = "A 2 3|||R|||x|||REQUIRED|||-NONE-|||0\n"
    Path("two.m2").write_text(f"S a b\nS c d e\n{edit}{edit}\nS f\n", encoding="utf-8")
    result = run("m2", "check", "two.m2")
    assert result.out == (
        "two.m2:2: a second S line in one block\n"
        "two.m2:4: duplicate: the same edit is in line 3\n"
        "two.m2: 3 sentences, 2 edits, 1 annotator: 2 faults\n"
    )


def test_convert_dialects(run: Run, gold: Path) -> None:
    Path("zh.m2").write_text(CHINESE, encoding="utf-8")
    result = run("m2", "convert", "zh.m2", "--to", "errant", "-o", "errant.m2")
    assert result.err == (
        "note: 1 further alignment of answers left out: the first of each stays\n"
        "note: 1 answer NA (cannot be corrected) left out, or a noop where there is no other\n"
    )
    errant = "S 他 来 到 北 京\nA 2 3|||R|||了|||REQUIRED|||-NONE-|||0\n\n"
    assert Path("errant.m2").read_text(encoding="utf-8") == errant
    back = run("m2", "convert", "errant.m2", "--to", "cherrant").out
    assert back == "\n".join([*CHINESE.splitlines()[:3], "", ""])
    assert run("m2", "convert", "zh.m2", "--to", "m2") == Result(0, CHINESE, "")
    run("m2", "convert", "zh.m2", "-o", "zh.jsonl")
    assert run("m2", "convert", "zh.jsonl", "--to", "m2") == Result(0, CHINESE, "")
    Path("bare.m2").write_text("S 他\nA 0 1|||R|||-NONE-|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    assert "|||U|||" in run("m2", "convert", "bare.m2", "--to", "errant", "--dialect", "cherrant").out
    assert "|||R|||" in run("m2", "convert", "bare.m2", "--to", "errant").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold.m2",), "error: a format is required: --to m2, errant, cherrant, jsonl, spans, languagetool"),
        (("gold.m2", "-o", "x.xml"), "error: --output x.xml: this command does not write .xml files"),
        (("gold.m2", "gold.m2", "--to", "jsonl"), "error: unexpected argument 'gold.m2'"),
        (("gold.m2", "-o", "x.txt"), "error: a format is required"),
        (("gold.m2", "--to", "jsonl", "--dialect", "cherrant"), "error: --dialect requires --to errant"),
        (("gold.m2", "--from", "jsonl", "--to", "m2"), "error: gold.m2:1: not JSON: Expecting value"),
        (("absent.m2", "--to", "jsonl"), "error: absent.m2: cannot read: No such file or directory"),
        (("several.m2", "--to", "cherrant"), "error: several.m2:2: ChERRANT's M2 has no alternatives"),
    ],
)
def test_convert_refuses(run: Run, gold: Path, arguments: tuple[str, ...], message: str) -> None:
    Path("zh.m2").write_text(CHINESE, encoding="utf-8")
    Path("several.m2").write_text("S a\nA 0 1|||R|||b||c|||R|||N|||0\n", encoding="utf-8")
    before = names()
    result = run("m2", "convert", *arguments)
    assert (result.status, result.err[: len(message)]) == (2, message)
    assert names() == before


def test_edits_above_the_t_lines_are_faults(run: Run, gold: Path) -> None:
    Path("zh.m2").write_text(
        "S 他 来\nA 0 1|||S|||我|||REQUIRED|||-NONE-|||0\nT0-A0 我 来\nA 0 1|||S|||我|||REQUIRED|||-NONE-|||0\n\n",
        encoding="utf-8",
    )
    result = run("m2", "check", "zh.m2", "-q")
    assert result.out == "zh.m2:2: the edit precedes the T lines of its block, which begin in line 3\n"
    assert run("m2", "apply", "zh.m2").err.startswith("error: zh.m2:2: the edit precedes the T lines")
