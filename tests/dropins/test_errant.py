"""``errant_parallel``, ``errant_m2``, ``errant_compare`` and ``geceval annotate``: files and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Result, Run
from support.examples import EXAMPLES

SOURCE = "He go  home \n\nThe cats is here .\nFine .\n"
TARGET = "He goes home\nHello\nThe cat is here .\nFine .\n"
GOLD = """\
S He go home
A 1 3|||Wci|||goes home|||REQUIRED|||-NONE-|||3
A 2 3|||Um|||home|||REQUIRED|||-NONE-|||10

"""
#: The edits of the first annotator of GOLD.
SYSTEM = GOLD.replace("A 2 3|||Um|||home|||REQUIRED|||-NONE-|||10\n", "")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"source.txt": SOURCE, "target.txt": TARGET, "gold.m2": GOLD, "system.m2": SYSTEM, "short.txt": "a\n"}
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")


def test_parallel_omits_empty_originals_and_writes_noops_for_equal_texts_only(
    run: Run, snapshot: SnapshotAssertion
) -> None:
    # The first line of the source has doubled blanks, so that it is not a noop against itself.
    line = ("errant_parallel", "-orig", "source.txt", "-cor", "target.txt", "source.txt", "-out")
    assert run(*line, "out.m2") == Result(0, "Loading resources...\nProcessing parallel files...\n", "")
    written = Path("out.m2").read_text(encoding="utf-8")
    assert written == snapshot
    assert run(*line, "-").out == written


def test_parallel_tokenises_on_request(run: Run, snapshot: SnapshotAssertion) -> None:
    Path("raw.txt").write_text("He doesn't go home, he said.\n", encoding="utf-8")
    Path("fixed.txt").write_text("He doesn't go home , he says.\n", encoding="utf-8")
    line = "errant_parallel -orig raw.txt -cor fixed.txt raw.txt -out - -tok"
    assert run(*line.split()).out == snapshot


@pytest.mark.parametrize("options", ["-gold gold.m2", "-gold -no_min -old_cats gold.m2", "-auto gold.m2"])
def test_m2_types_and_minimises_edits(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("errant_m2", *options.split(), "-out", "-").out == snapshot


def test_annotate_keeps_empty_lines_and_writes_all_noops(run: Run, snapshot: SnapshotAssertion) -> None:
    line = ("annotate", "-s", "source.txt", "-c", "target.txt", "source.txt")
    assert run(*line, "-o", "out.m2", "--no-checks") == Result(0, "", "")
    assert Path("out.m2").read_text(encoding="utf-8") == snapshot
    assert run(*line, "--language", "builtin:classic").status == 0


@pytest.mark.parametrize("correction", ["||", "|||", "|", "x|", "-NONE-"])
def test_annotate_refuses_text_that_m2_cannot_contain(run: Run, correction: str, snapshot: SnapshotAssertion) -> None:
    Path("old.txt").write_text("Fine .\nHe goes home .\n", encoding="utf-8")
    Path("new.txt").write_text(f"Fine .\nHe goes {correction} home .\n", encoding="utf-8")
    result = run("annotate", "-s", "old.txt", "-c", "new.txt", "-o", "out.m2")
    assert result == snapshot
    assert not Path("out.m2").exists()
    if "-f spans" in result.err:
        assert run("annotate", "-s", "old.txt", "-c", "new.txt", "-o", "out.jsonl").status == 0
        spans = json.loads(Path("out.jsonl").read_text(encoding="utf-8").splitlines()[1])
        assert spans["corrected"] == f"He goes {correction} home ."


@pytest.mark.parametrize("correction", ["||", "x|", "-NONE-"])
def test_parallel_refuses_text_that_m2_cannot_contain(run: Run, correction: str) -> None:
    Path("old.txt").write_text("\nHe goes home .\n", encoding="utf-8")
    Path("new.txt").write_text(f"\nHe goes {correction} home .\n", encoding="utf-8")
    result = run("errant_parallel", "-orig", "old.txt", "-cor", "new.txt", "-out", "out.m2")
    assert (result.status, result.err.startswith("error: new.txt:2: ")) == (2, True)
    assert not Path("out.m2").exists()


def test_annotate_writes_a_bar_at_the_start_of_a_word(run: Run) -> None:
    Path("old.txt").write_text("He goes home .\n", encoding="utf-8")
    Path("new.txt").write_text("He goes |x home .\n", encoding="utf-8")
    assert run("annotate", "-s", "old.txt", "-c", "new.txt", "-o", "out.m2").status == 0
    assert run("m2", "apply", "out.m2").out == "He goes |x home .\n"


@pytest.mark.parametrize(
    "line",
    [
        "errant_parallel -orig source.txt -cor short.txt -out o",
        "errant_parallel -orig none.txt -cor target.txt -out o",
        "errant_parallel -orig source.txt -cor target.txt -out no/o",
        "errant_m2 -gold source.txt -out o",
        "annotate -s source.txt -c target.txt --language x",
        "annotate -s source.txt -c target.txt --merging x",
    ],
)
def test_invalid_file_or_option_is_refused(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run(*line.split()) == snapshot


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


@pytest.mark.parametrize("language", "en cs de el et is it lv ru sl sv uk Czech".split())
def test_parallel_and_m2_take_a_language(run: Run, language: str) -> None:
    for line in ("errant_parallel -orig source.txt -cor target.txt -out -", "errant_m2 -auto gold.m2 -out -"):
        by_language, by_annotator = (run(*line.split(), option, language) for option in ("-lang", "--annotator"))
        assert by_language == by_annotator
        assert "A " in by_language.out
    assert run(*line.split(), "-lang", language, "--annotator", "plain").status == 2
    assert run(*line.split(), "-lang", "xx") == run(*line.split(), "--annotator", "plain")


def test_edits_of_millions_of_tokens_are_refused_where_tokens_are_compared(run: Run) -> None:
    Path("system.m2").write_text(SYSTEM.replace("A 1 3", "A 1 999999999"), encoding="utf-8")
    assert run("errant_compare", "-hyp", "system.m2", "-ref", "gold.m2").status == 0
    refused = run("errant_compare", "-hyp", "system.m2", "-ref", "gold.m2", "-dt")
    assert (refused.status, refused.err) == (2, "error: system.m2:1: the edits cover more than 4194304 tokens\n")


def test_compare_warns_of_different_sentences(run: Run, snapshot: SnapshotAssertion) -> None:
    Path("other.m2").write_text(GOLD.replace("home\nA", "away\nA"), encoding="utf-8")
    equal, different = (run("errant_compare", "-hyp", "system.m2", "-ref", name) for name in ("gold.m2", "other.m2"))
    assert (equal.status, different.status, equal.err) == (0, 0, "")
    assert different.out == equal.out
    assert different.err == snapshot


def test_compare_warns_of_several_annotators_of_a_system(run: Run) -> None:
    Path("wrong.m2").write_text(GOLD.replace("goes", "gone"), encoding="utf-8")
    one, best, wrong = (
        run("errant_compare", "-hyp", name, "-ref", "system.m2") for name in ("system.m2", "gold.m2", "wrong.m2")
    )
    assert one.out == best.out != wrong.out
    assert one.err == ""
    assert best.err == (
        "warning: gold.m2:1: several annotators of -hyp, of which the best is scored\n  sentences with several: 1\n"
    )


@pytest.mark.usefixtures("examples")
def test_counts_by_type_add_up_to_those_of_all(run: Run) -> None:
    line = ("score", "--gold", "gold.m2", "-c", "systems/noisy.txt", "-m", "errant", "--by", "operation", "-f", "csv")
    head, *table = run(*line).out.splitlines()
    assert head == "system,type,TP,FP,FN,P,R,F"
    *rows, total = (row.split(",") for row in table)
    assert [sum(int(row[k]) for row in rows) for k in (2, 3, 4)] == [int(cell) for cell in total[2:5]]
    assert total[1] == "all"


def test_alternatives_are_written_as_read(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "gold.m2"
    lines = ("S He go home .", "A 1 2|||R:VERB|||goes||went|||REQUIRED|||-NONE-|||0", "", "")
    path.write_text("\n".join(lines), encoding="utf-8")
    for option in ("-gold", "-auto"):
        assert run("errant_m2", str(path), option, "-out", "-").out == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("beta", ["1e155", "-1", "inf", "nan"])
@pytest.mark.parametrize("command", ["errant_compare", "cherrant_compare"])
def test_a_beta_out_of_range_is_refused(run: Run, command: str, beta: str) -> None:
    gold = str(EXAMPLES / "gold.m2")
    result = run(command, "-hyp", gold, "-ref", gold, "--beta", beta)
    assert result.status == 2
    assert "--beta is" in result.err


@pytest.mark.parametrize("command", ["errant_compare", "cherrant_compare"])
def test_f_is_zero_if_beta_and_recall_are_zero(run: Run, command: str) -> None:
    # The system's only edit is wrong, and before it a sentence without edits: errant divides by zero.
    edit = "S He go\nA 1 2|||R:VERB|||{}|||REQUIRED|||-NONE-|||0\n\n"
    Path("wrong.m2").write_text("S He went\n\n" + edit.format("gone"), encoding="utf-8")
    Path("right.m2").write_text(edit.format("went").replace("go", "went") + edit.format("goes"), encoding="utf-8")
    result = run(command, "-hyp", "wrong.m2", "-ref", "right.m2", "--beta", "0")
    assert result.status == 0
    assert ["0", "1", "2"] in [line.split()[:3] for line in result.out.splitlines()]
