"""``green``, ``sgreen`` and ``mgreen``: flags, names and refusals that recorded outputs do not have."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.dropins.ngrams import boxed
from support.commands import Run

DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/noisy.txt")
pytestmark = pytest.mark.usefixtures("examples")


def test_output_is_that_of_the_public_tool(run: Run) -> None:
    # As printed by the public tool, version 0.1.0, on the same files.
    assert run("green", *DATA, "-b", "0.5", "2").out == (
        "alpha\t0.80\t0.20\nbeta\t0.50\t2.00\nsystems/careful.txt\t86.44\t62.28\nsystems/noisy.txt\t73.68\t52.53\n"
    )


@pytest.mark.parametrize(
    "flag", ["-c", "--cor", "--cors", "--corrected", "-o", "--out", "--hyp", "--hyps", "--hypotheses"]
)
def test_option_of_the_systems_has_every_name(run: Run, flag: str) -> None:
    arguments = [flag if argument == "-c" else argument for argument in DATA]
    assert run("green", *arguments).out == run("green", *DATA).out


def test_repeated_file_is_scored_twice(run: Run) -> None:
    lines = run("mgreen", *DATA, "systems/noisy.txt").out.splitlines()
    assert len(lines) == 2 + 3
    assert lines[-1] == lines[-2]


def test_infinite_beta_is_recall(run: Run) -> None:
    out = run("green", *DATA, "-b", "inf").out.splitlines()
    assert out[:2] == ["alpha\t0.00", "beta\tinf"]
    assert out[2].split("\t")[1] == run("green", *DATA, "-v", "-l", "-b", "1e9").out.splitlines()[0].split("\t")[3]


@pytest.mark.parametrize("options", ["-c judgments.xml", "-n 0", "-t grapheme"])
def test_invalid_file_or_number_is_refused(run: Run, options: str) -> None:
    assert run("green", *DATA, *options.split()).status == 2


def test_boxes_are_those_of_prettytable(snapshot: SnapshotAssertion) -> None:
    """As prettytable 3.18 draws them: extra room is right of odd cells and left of even ones."""
    assert boxed([["", "TP", "cumF"], [1, 10, "99.5"], [10, 7, "7.25"], ["abc", 12345, "1"]]) == snapshot
