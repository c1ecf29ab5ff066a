"""Error detection token by token, as MultiGED-2023 scores it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import detection
from geceval.app.main import main
from geceval.base.errors import GecevalError, InputError, UsageError
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

GOLD = 'I\tc\nsaws\ti\nthe\tc\nshow\tc\nlast\tc\nnigt\ti\n.\tc\n\n\\"\tc\n'
SYSTEM = 'I\tc\nsaws\ti\nthe\tc\nshow\ti\nlast\tc\nnigt\tc\n.\tc\n\n"\tc\n\n'


def files(tmp_path: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    return [str(tmp_path / f"{name}.tsv") for name in texts]


def test_the_example_of_the_task(tmp_path: Path) -> None:
    gold, system = (read_labelled(path) for path in files(tmp_path, gold=GOLD, sys=SYSTEM))
    found = score(gold, system)
    assert (found.tp, found.fp, found.fn, found.tokens) == (1, 1, 1, 8)
    assert (found.precision, found.recall, found.f) == (0.5, 0.5, 0.5)
    assert list(gold.tokens[1]) == ['"']
    assert detection.score is score
    assert read_labelled(files(tmp_path, again=str(system))[0]) == system


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
def test_where_there_is_nothing(counts: tuple[int, int, int], figures: tuple[float, float, float]) -> None:
    found = Detection(*counts, 10)
    assert (found.precision, found.recall, found.f) == pytest.approx(figures, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\tc\nb\n", 2, "one token and one label are expected, found 'b'"),
        ("a\tc\tx\n", 1, "one token and one label"),
        ("a\tc\n\nb\tok\n", 3, "the label is c or i, not 'ok'"),
        ("a b\tc\n", 1, "a token holds no white space and is not empty: 'a b'"),
        ("\tc\n", 1, "a token holds no white space and is not empty: ''"),
        ("\n\n", None, "there is no token"),
    ],
)
def test_lines_that_are_none(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_labelled(files(tmp_path, bad=text)[0])
    assert message in raised.value.message
    assert raised.value.line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SYSTEM.replace("last", "least"), "sys.tsv:5 has the token 'least', "),
        (SYSTEM.replace(".\tc\n", ""), "sys.tsv:1: the sentence has 6 tokens, but 7 in "),
        (SYSTEM.rpartition('"')[0], "not the same number of sentences\n  gold"),
    ],
)
def test_other_tokens_are_refused(tmp_path: Path, text: str, message: str) -> None:
    gold, system = files(tmp_path, gold=GOLD, sys=text)
    with pytest.raises(InputError) as raised:
        score(read_labelled(gold), read_labelled(system))
    assert message in str(raised.value)
    assert main(["detect", "-g", gold, "-c", system]) == 2


def test_beta_is_a_number(tmp_path: Path) -> None:
    gold = read_labelled(files(tmp_path, gold=GOLD)[0])
    with pytest.raises(UsageError, match="beta"):
        score(gold, gold, beta=-1)


def test_labels_of_edits(tmp_path: Path) -> None:
    """Inside an edit; to the right of an insertion, unless it is the end; nothing for UNK and noops."""
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
def test_an_empty_file_of_edits_is_told(tmp_path: Path, empty: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no perfect score over no token."""
    paths = {name: tmp_path / name for name in ("gold.m2", "sys.m2")}
    for name, path in paths.items():
        path.write_text("" if name == empty else "S a\nA 0 1|||X|||b|||REQUIRED|||-NONE-|||0\n\n")
    assert main(["detect", "-g", str(paths["gold.m2"]), "-c", str(paths["sys.m2"])]) == 2
    assert capsys.readouterr().err.startswith(f"error: {paths[empty]}: the file has no sentences")


def test_a_corrector_is_scored_by_its_edits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [gold] = files(tmp_path, gold=GOLD.partition("\n\n")[0])
    (tmp_path / "fixed.txt").write_text("I saw the show last night .\n", encoding="utf-8")
    own = of_correction(read_labelled(gold), ["I saw the show last night ."], Extraction("plain"))
    assert score(read_labelled(gold), own).f == 1
    arguments = ["detect", "-g", gold, "-c", str(tmp_path / "fixed.txt"), "-f", "json", "--language", "plain"]
    assert main(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "geceval/detection@1"
    [result] = document["results"]
    assert (result["system"], result["tp"], result["f"], result["beta"]) == ("fixed", 2, 1.0, 0.5)
    assert result["from"] == "annotator:plain-1|types:generic"
    assert main([*arguments[:4], str(tmp_path / "fixed.txt"), "--language", "plain"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "annotator:plain-1|types:generic"
    (tmp_path / "fixed.txt").write_text("", encoding="utf-8")
    assert main(arguments) == 2
    assert "not the same number of sentences\n  gold" in capsys.readouterr().err


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = files(tmp_path, gold=GOLD, sys=SYSTEM)
    assert main(["detect", "-g", gold, "-c", system, f"itself={gold}", "--beta", "1", "-d", "1"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["system", "P", "R", "F1", "TP", "FP", "FN", "tokens"]
    assert rows[2:] == [
        ["sys", "50.0", "50.0", "50.0", "1", "1", "1", "8"],
        ["itself", "100.0", "100.0", "100.0", "2", "0", "0", "8"],
    ]


LABELS = st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5), min_size=1, max_size=4)


@given(LABELS, st.sampled_from([0.5, 1.0, 2.0]))
def test_counts_are_the_twins(pairs: list[list[tuple[bool, bool]]], beta: float) -> None:
    """The task's definition, token by token."""
    tokens = [["w"] * len(row) for row in pairs]
    gold, system = (Labelled(tokens, [[pair[side] for pair in row] for row in pairs]) for side in (0, 1))
    flat = [pair for row in pairs for pair in row]
    tp, fp, fn = flat.count((True, True)), flat.count((False, True)), flat.count((True, False))
    p, r = tp / (tp + fp) if fp else 1.0, tp / (tp + fn) if fn else 1.0
    f = (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0
    found = score(gold, system, beta)
    assert (found.tp, found.fp, found.fn) == (tp, fp, fn)
    p, r = p if tp + fp else math.nan, r if tp + fn else math.nan
    assert (found.precision, found.recall, found.f) == pytest.approx((p, r, f), nan_ok=True)
