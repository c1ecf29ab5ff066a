"""``green``, ``sgreen`` and ``mgreen`` beyond what the recorded outputs show: flags, names, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from geceval.dropins.ngrams import boxed
from support.commands import Run

DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/noisy.txt")
pytestmark = pytest.mark.usefixtures("examples")


def test_output(run: Run) -> None:
    # As printed by the public tool, version 0.1.0, on the same files.
    assert run("green", *DATA, "-b", "0.5", "2").out == (
        "alpha\t0.80\t0.20\nbeta\t0.50\t2.00\nsystems/careful.txt\t86.44\t62.28\nsystems/noisy.txt\t73.68\t52.53\n"
    )


@pytest.mark.parametrize(
    "flag", ["-c", "--cor", "--cors", "--corrected", "-o", "--out", "--hyp", "--hyps", "--hypotheses"]
)
def test_every_name_of_the_systems(run: Run, flag: str) -> None:
    arguments = [flag if argument == "-c" else argument for argument in DATA]
    assert run("green", *arguments).out == run("green", *DATA).out


def test_a_file_given_twice_is_scored_twice(run: Run) -> None:
    lines = run("mgreen", *DATA, "systems/noisy.txt").out.splitlines()
    assert len(lines) == 2 + 3
    assert lines[-1] == lines[-2]


def test_infinite_beta_is_recall(run: Run) -> None:
    out = run("green", *DATA, "-b", "inf").out.splitlines()
    assert out[:2] == ["alpha\t0.00", "beta\tinf"]
    assert out[2].split("\t")[1] == run("green", *DATA, "-v", "-l", "-b", "1e9").out.splitlines()[0].split("\t")[3]


def test_refusals(run: Run, tmp_path: Path) -> None:
    longer = tmp_path / "longer.txt"
    longer.write_text("a\n" * 41)
    result = run("green", "-s", "source.txt", "-r", "ref0.txt", longer, "-c", "source.txt")
    assert result.status == 2
    assert "<- 1 more" in result.err
    assert run("green", *DATA, "-n", "0").status == 2
    assert run("green", *DATA, "-t", "grapheme").status == 2


def test_boxes() -> None:
    # As prettytable 3.18 draws them: the room left over goes to the right of odd cells and to the left of even ones.
    drawn = boxed([["", "TP", "cumF"], [1, 10, "99.5"], [10, 7, "7.25"], ["abc", 12345, "1"]])
    assert drawn.splitlines() == [
        "+-----+-------+------+",
        "|     |   TP  | cumF |",
        "+-----+-------+------+",
        "|  1  |   10  | 99.5 |",
        "|  10 |   7   | 7.25 |",
        "| abc | 12345 |  1   |",
        "+-----+-------+------+",
    ]
