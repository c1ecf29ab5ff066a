"""errant_parallel, errant_m2, errant_compare and geceval annotate beyond what is recorded: files, messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import Run

SOURCE = "He go  home \n\nThe cats is here .\nFine .\n"
TARGET = "He goes home\nHello\nThe cat is here .\nFine .\n"
PARALLEL = """\
S He go home
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S The cats is here .
A 1 2|||R:NOUN:NUM|||cat|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

"""
GOLD = """\
S He go home
A 1 3|||Wci|||goes home|||REQUIRED|||-NONE-|||3
A 2 3|||Um|||home|||REQUIRED|||-NONE-|||10

"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"source.txt": SOURCE, "target.txt": TARGET, "gold.m2": GOLD, "short.txt": "a\n"}.items():
        Path(name).write_text(text, encoding="utf-8")


def test_parallel_leaves_out_empty_originals_and_writes_noops_for_equal_texts_only(run: Run) -> None:
    # The source has doubled blanks in its first line, so that it is no noop for itself.
    result = run("errant_parallel", "-orig", "source.txt", "-cor", "target.txt", "source.txt", "-out", "out.m2")
    assert (result.status, result.out, result.err) == (0, "Loading resources...\nProcessing parallel files...\n", "")
    assert Path("out.m2").read_text(encoding="utf-8") == PARALLEL
    assert (
        run("errant_parallel", "-orig", "source.txt", "-cor", "target.txt", "source.txt", "-out", "-").out == PARALLEL
    )


def test_parallel_tokenises_if_asked(run: Run) -> None:
    Path("raw.txt").write_text("He doesn't go home, he said.\n", encoding="utf-8")
    Path("fixed.txt").write_text("He doesn't go home , he says.\n", encoding="utf-8")
    assert run("errant_parallel", "-orig", "raw.txt", "-cor", "fixed.txt", "raw.txt", "-out", "-", "-tok").out == (
        "S He does n't go home , he said .\n"
        "A 7 8|||R:VERB:TENSE|||says|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )


def test_m2_types_and_minimises_given_edits(run: Run) -> None:
    assert run("errant_m2", "-gold", "gold.m2", "-out", "-").out == (
        "S He go home\n"
        "A 2 3|||UNK|||home|||REQUIRED|||-NONE-|||10\n"
        "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||3\n\n"
    )
    kept = run("errant_m2", "-gold", "-no_min", "-old_cats", "gold.m2", "-out", "-").out
    assert "A 1 3|||Wci|||goes home|||REQUIRED|||-NONE-|||3\n" in kept
    auto = run("errant_m2", "-auto", "gold.m2", "-out", "-").out
    assert "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||3\n" in auto


def test_annotate_keeps_empty_lines_and_writes_all_noops(run: Run) -> None:
    result = run("annotate", "-s", "source.txt", "-c", "target.txt", "source.txt", "-o", "out.m2")
    assert (result.status, result.out, result.err) == (0, "", "")
    written = Path("out.m2").read_text(encoding="utf-8")
    assert written.startswith("S He go home\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\nA -1 -1|||noop")
    assert "\nS \nA 0 0|||M:OTHER|||Hello|||" in written or "\nS \nA 0 0|||M:" in written
    again = run("annotate", "-s", "source.txt", "-c", "target.txt", "source.txt", "--annotator", "builtin:classic")
    assert again.status == 0


@pytest.mark.parametrize(
    ("correction", "message"),
    [
        ("He goes || home .", "new.txt:2: M2 cannot contain the correction '||'"),
        ("He goes home ||| .", "new.txt:2: M2 cannot contain the correction '|||'"),
        ("He goes home | .", "new.txt:2: M2 cannot contain the correction '|'"),
        ("He goes x| home .", "new.txt:2: M2 cannot contain the correction 'x|'"),
        ("He goes |x home .", ""),
        ("He goes -NONE- home .", "new.txt:2: the correction -NONE- would be read as a deletion"),
    ],
)
def test_annotate_refuses_text_that_m2_cannot_contain(run: Run, correction: str, message: str) -> None:
    Path("old.txt").write_text("Fine .\nHe goes home .\n", encoding="utf-8")
    Path("new.txt").write_text(f"Fine .\n{correction}\n", encoding="utf-8")
    result = run("annotate", "-s", "old.txt", "-c", "new.txt", "-o", "out.m2")
    assert message in result.err
    assert (result.status, Path("out.m2").exists()) == ((2, False) if message else (0, True))
    if not message:
        assert run("m2", "apply", "out.m2").out == f"Fine .\n{correction}\n"
    elif "-f spans" in result.err:
        assert run("annotate", "-s", "old.txt", "-c", "new.txt", "-o", "out.jsonl").status == 0
        assert json.loads(Path("out.jsonl").read_text(encoding="utf-8").splitlines()[1])["corrected"] == correction


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["errant_parallel", "-orig", "source.txt", "-cor", "short.txt", "-out", "o"], "not the same number of lines"),
        (["errant_parallel", "-orig", "none.txt", "-cor", "target.txt", "-out", "o"], "none.txt: cannot read"),
        (["errant_parallel", "-orig", "source.txt", "-cor", "target.txt", "-out", "no/o"], "no/o: cannot write"),
        (["errant_m2", "-gold", "source.txt", "-out", "o"], "source.txt:1: expected a line that starts with 'S '"),
        (
            ["annotate", "-s", "source.txt", "-c", "target.txt", "--annotator", "x"],
            "unknown language 'x': choose from",
        ),
        (["annotate", "-s", "source.txt", "-c", "target.txt", "--merging", "x"], "--merging: unknown value 'x'"),
    ],
)
def test_faults_are_one_message_and_status_2(run: Run, arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.status == 2
    assert result.err.startswith("error: ")
    assert message in result.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("errant_compare -hyp gold.m2 -ref gold.m2 -single -multi", "-multi: not allowed with argument -single"),
        ("errant_compare -hyp gold.m2 -ref gold.m2 -cse -dt", "-dt: not allowed with argument -cse"),
        ("errant_compare -hyp gold.m2 -ref gold.m2 -cat 4", "-cat: invalid choice: 4"),
        ("errant_m2 gold.m2 -auto -gold -out -", "-gold: not allowed with argument -auto"),
    ],
)
def test_contradicting_options_are_usage_errors(run: Run, line: str, message: str) -> None:
    result = run(*line.split())
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"usage: geceval {line.split()[0]} ")
    assert f"error: argument {message}" in result.err


def test_compare_warns_of_different_sentences(run: Run) -> None:
    Path("other.m2").write_text(GOLD.replace("home\nA", "away\nA"), encoding="utf-8")
    same, other = (run("errant_compare", "-hyp", "gold.m2", "-ref", name) for name in ("gold.m2", "other.m2"))
    assert (same.status, other.status, same.err) == (0, 0, "")
    assert other.out == same.out
    assert other.err.startswith("warning: gold.m2:1: not the sentence of the reference")


@pytest.mark.usefixtures("examples")
def test_score_by_type(run: Run) -> None:
    arguments = ["score", "--gold", "gold.m2", "-c", "systems/noisy.txt", "-m", "errant"]
    table = run(*arguments, "--by", "operation", "-f", "csv").out.splitlines()
    assert table[0] == "system,type,TP,FP,FN,P,R,F"
    rows = [line.split(",") for line in table[1:]]
    assert [sum(int(row[k]) for row in rows[:-1]) for k in (2, 3, 4)] == [int(cell) for cell in rows[-1][2:5]]
    assert rows[-1][1] == "all"
    assert '"by": "full"' in run(*arguments, "--by", "full", "-f", "json").out
    assert run(*arguments[:-1], "green", "-r", "ref0.txt", "--by", "full").status == 2
