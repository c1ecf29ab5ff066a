"""Error detection token by token, as MultiGED-2023 scores it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import GecevalWarning, detection
from geceval.app.main import main
from geceval.base.errors import GecevalError, UsageError
from geceval.m2 import Block, Blocks, Edit, noop
from geceval.scoring.detection import (
    Detection,
    Extraction,
    Labelled,
    of_correction,
    of_edits,
    of_m2,
    read_labelled,
    score,
)
from support.commands import Run, run_main
from support.examples import EXAMPLES
from support.messages import message_of
from support.written_files import write

GOLD = 'I\tc\nsaws\ti\nthe\tc\nshow\tc\nlast\tc\nnigt\ti\n.\tc\n\n\\"\tc\n'
SYSTEM = 'I\tc\nsaws\ti\nthe\tc\nshow\ti\nlast\tc\nnigt\tc\n.\tc\n\n"\tc\n\n'


def files(tmp_path: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    return [str(tmp_path / f"{name}.tsv") for name in texts]


def test_example_of_the_task_has_one_hit_one_false_alarm_and_one_miss(tmp_path: Path) -> None:
    gold, system = (read_labelled(path) for path in files(tmp_path, gold=GOLD, sys=SYSTEM))
    result = score(gold, system)
    assert (result.tp, result.fp, result.fn, result.tokens) == (1, 1, 1, 8)
    assert (result.precision, result.recall, result.f) == (0.5, 0.5, 0.5)
    assert list(gold.tokens[1]) == ['"']
    assert detection.score is score
    assert read_labelled(files(tmp_path, written=str(system))[0]) == system


@pytest.mark.parametrize(
    ("counts", "figures"),
    [
        ((0, 0, 0), (math.nan, math.nan, 1)),
        ((0, 0, 5), (math.nan, 0, 0)),
        ((0, 3, 0), (0, math.nan, 0)),
        ((0, 1, 1), (0, 0, 0)),
        ((4, 0, 0), (1, 1, 1)),
    ],
)
def test_figures_of_zero_counts_are_nan_or_defined(
    counts: tuple[int, int, int], figures: tuple[float, float, float]
) -> None:
    result = Detection(*counts, 10)
    assert (result.precision, result.recall, result.f) == pytest.approx(figures, nan_ok=True)


@pytest.mark.parametrize(
    "text",
    ["a\tc\nb\n", "a\tc\tx\n", "a\tc\n\nb\tok\n", "a b\tc\n", "\tc\n", "\n\n"],
    ids=["no label", "two labels", "unknown label", "blank in a token", "empty token", "no token"],
)
def test_malformed_line_is_refused(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_labelled, files(tmp_path, bad=text)[0]) == snapshot


@pytest.mark.parametrize(
    "text",
    [SYSTEM.replace("last", "least"), SYSTEM.replace(".\tc\n", ""), SYSTEM.rpartition('"')[0]],
    ids=["another token", "fewer tokens", "fewer sentences"],
)
def test_other_tokens_are_refused(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    gold, system = files(tmp_path, gold=GOLD, sys=text)
    assert message_of(score, read_labelled(gold), read_labelled(system)) == snapshot
    assert main(["detect", "-g", gold, "-c", system]) == 2


def test_negative_beta_is_refused(tmp_path: Path) -> None:
    gold = read_labelled(files(tmp_path, gold=GOLD)[0])
    with pytest.raises(UsageError, match="beta"):
        score(gold, gold, beta=-1)


def test_tokens_in_edits_and_after_insertions_are_labelled_wrong(tmp_path: Path) -> None:
    """Tokens in an edit and right of an insertion are wrong; UNK, noops and insertions at the end label nothing."""
    edits = (Edit(0, 2, "R:X", ("b",)), Edit(3, 3, "M:X", ("c",)), Edit(5, 5, "M:X", ("d",)), Edit(4, 5, "UNK", ("",)))
    blocks = Blocks.of(
        [
            Block("v w x y z", edits),
            Block("v", (noop(0), Edit(-1, -1, "NA", ("",)), Edit(0, 1, "X", ("w",), annotator=1))),
        ]
    )
    assert of_edits(blocks.source, blocks.edits).wrong == [[True, True, False, True, False], [False]]
    path = tmp_path / "some.m2"
    path.write_text("S v w\nA 1 3|||X|||y|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    with pytest.raises(GecevalError, match="spans 1 to 3"):
        of_m2(path)


@pytest.mark.parametrize("empty", ["gold.m2", "sys.m2"])
def test_empty_file_of_edits_is_refused(tmp_path: Path, empty: str, run: Run, snapshot: SnapshotAssertion) -> None:
    """Its score would be perfect."""
    paths = {name: tmp_path / name for name in ("gold.m2", "sys.m2")}
    for name, path in paths.items():
        path.write_text("" if name == empty else "S a\nA 0 1|||X|||b|||REQUIRED|||-NONE-|||0\n\n")
    assert run("detect", "-g", paths["gold.m2"], "-c", paths["sys.m2"]) == snapshot


def test_corrected_text_is_scored_by_its_edits(tmp_path: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    [gold] = files(tmp_path, gold=GOLD.partition("\n\n")[0])
    corrected = tmp_path / "fixed.txt"
    corrected.write_text("I saw the show last night .\n", encoding="utf-8")
    labelled = of_correction(read_labelled(gold), ["I saw the show last night ."], Extraction("plain"))
    assert score(read_labelled(gold), labelled).f == 1
    line = ("detect", "-g", gold, "-c", corrected, "--language", "plain")
    document = json.loads(run(*line, "-f", "json").out)
    assert document["schema"] == "geceval/detection@1"
    [result] = document["results"]
    assert (result["system"], result["tp"], result["f"], result["beta"]) == ("fixed", 2, 1.0, 0.5)
    assert result["from"] == "annotator:plain-1|types:generic"
    assert run(*line).out == snapshot
    corrected.write_text("", encoding="utf-8")
    assert run(*line) == snapshot


def test_table_has_a_row_for_each_system(tmp_path: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    gold, system = files(tmp_path, gold=GOLD, sys=SYSTEM)
    assert run("detect", "-g", gold, "-c", system, f"itself={gold}", "--beta", "1", "-d", "1").out == snapshot


LABELS = st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5), min_size=1, max_size=4)


@given(LABELS, st.sampled_from([0.5, 1.0, 2.0]))
def test_counts_are_the_twins(pairs: list[list[tuple[bool, bool]]], beta: float) -> None:
    """The twin counts tokens by the definition of the task."""
    tokens = [["w"] * len(row) for row in pairs]
    gold, system = (Labelled(tokens, [[pair[side] for pair in row] for row in pairs]) for side in (0, 1))
    flat = [pair for row in pairs for pair in row]
    tp, fp, fn = flat.count((True, True)), flat.count((False, True)), flat.count((True, False))
    p, r = tp / (tp + fp) if fp else 1.0, tp / (tp + fn) if fn else 1.0
    f = (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0
    result = score(gold, system, beta)
    assert (result.tp, result.fp, result.fn) == (tp, fp, fn)
    p, r = p if tp + fp else math.nan, r if tp + fn else math.nan
    assert (result.precision, result.recall, result.f) == pytest.approx((p, r, f), nan_ok=True)


# --- several annotators ---


def test_labels_are_of_one_annotator(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "gold.m2"
    path.write_text(
        "S We was there\nA 1 2|||R|||were|||REQUIRED|||-NONE-|||0\nA 2 3|||R|||here|||REQUIRED|||-NONE-|||1\n\n"
        "S Dogs barks loud\nA 2 3|||R|||loudly|||REQUIRED|||-NONE-|||1\n\n"
        "S Cats sleep\n\n"
        "S Cows moo\nA 1 2|||R|||mooed|||REQUIRED|||-NONE-|||1\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )
    with pytest.warns(GecevalWarning, match="gold.m2: 1 sentence has no line of annotator 0, .*such as sentence 2"):
        gold = of_m2(path)
    assert gold.wrong == [[False, True, False], [False] * 3, [False] * 2, [False] * 2]
    system = tmp_path / "system.txt"
    system.write_text("We were there\nDogs barks loudly\nCats sleep\nCows moo\n")
    result = run("detect", "-g", path, "-c", system, "-f", "json")
    assert "no line of annotator 0" in result.err
    [scores] = json.loads(result.out)["results"]
    assert (scores["tp"], scores["fp"], scores["fn"]) == (1, 1, 0)
    other = tmp_path / "other.m2"
    assert run("m2", "filter", path, "--annotators", "1", "-o", other).status == 0
    assert of_m2(other).wrong == [[False, False, True], [False, False, True], [False] * 2, [False, True]]


def test_json_of_a_system_is_refused_with_a_step(tmp_path: Path) -> None:
    gold = write(tmp_path / "g.m2", "S We likes tea .\nA 1 2|||R|||like|||REQUIRED|||-NONE-|||0\n")
    row = '{"text": "We likes tea .", "errs": [["likes", 3, 8, "x", "", ["like"]]]}\n'
    path, source = write(tmp_path / "it.jsonl", row), write(tmp_path / "s.txt", "We likes tea .\n")
    refused = run_main("detect", "-g", str(gold), "-c", str(path))
    assert (refused.status, f"geceval m2 convert {path} -s SOURCE --to m2 -o FILE.m2" in refused.err) == (2, True)
    edits = str(tmp_path / "it.m2")
    assert run_main("m2", "convert", str(path), "-s", str(source), "--to", "m2", "-o", edits).status == 0
    assert "100.00" in run_main("detect", "-g", str(gold), "-c", edits).out


@pytest.mark.parametrize("labels", ["0 1 0 0\n0 1 0 0 0\n", "c i c c\nc i c c c\n", "O B-E O O\nO B-E O O O\n"])
def test_lines_of_labels_are_no_corrected_text(tmp_path: Path, labels: str, run: Run) -> None:
    [gold] = files(tmp_path, gold="He\tc\ngo\ti\nhome\tc\n.\tc\n\nI\tc\nhas\ti\na\tc\ndog\tc\n.\tc\n")
    system = write(tmp_path / "labels.txt", labels)
    refused = run("detect", "-g", gold, "-c", system)
    assert (refused.status, refused.out) == (2, "")
    assert "labels.txt: labels (" in refused.err
    assert "write a token, a tab and c or i per line" in refused.err


def test_corrected_text_is_checked(tmp_path: Path, run: Run) -> None:
    lines = (EXAMPLES / "systems/careful.txt").read_text(encoding="utf-8").splitlines()
    system = write(tmp_path / "sorted.txt", "".join(f"{line}\n" for line in sorted(lines)))
    checked = run("detect", "-g", EXAMPLES / "gold.m2", "-c", system)
    assert "warning: system sorted: most of its lines share few tokens with the source" in checked.err
