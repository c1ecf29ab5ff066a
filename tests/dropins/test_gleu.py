"""GLEU on the command line: selections of ``geceval score``, and flags of the drop-ins."""

from __future__ import annotations

import json

import pytest

from support.commands import Run

FILES = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
SYSTEMS = ("systems/careful.txt", "systems/noisy.txt")
SELECTIONS = ("gleu", "gleu:selection=best", "gleu:selection=mean")
pytestmark = pytest.mark.usefixtures("examples")


def test_selections_are_those_of_the_drop_in(run: Run) -> None:
    result = run("score", *FILES, "-c", *SYSTEMS, "-m", *SELECTIONS, "-f", "tsv")
    head, *rows = [line.split("\t") for line in result.out.splitlines()]
    assert head == ["system", "GLEU selection=sampled", "GLEU selection=best", "GLEU selection=mean"]
    by_drop_in = [run("gleu", *FILES, "-o", *SYSTEMS, *options).out.split() for options in ([], ["-m"])]
    assert [rows[0][1], rows[0][2]] == [by_drop_in[0][1], by_drop_in[1][1]]


def test_json_has_the_parts_of_each_order(run: Run) -> None:
    [result] = json.loads(run("score", *FILES, "-c", SYSTEMS[0], "-m", "gleu:seed=0", "-f", "json").out)["results"]
    assert {"precision", "brevity_penalty", "precision_1", "precision_4"} <= set(result["parts"])
    assert result["deviation"] > 0
    assert "seed:0" in result["signature"]


def test_flags_without_effect_change_nothing(run: Run) -> None:
    printed = run("gleu", *FILES, "-o", *SYSTEMS).out
    assert printed
    for options in (["-f"], ["-p", "4"], ["-v"], ["-i", "500"]):
        assert run("gleu", *FILES, "-o", *SYSTEMS, *options).out == printed
    assert run("mgleu", *FILES, "-o", *SYSTEMS, "-v").out == run("mgleu", *FILES, "-o", *SYSTEMS).out


def test_iterations_or_order_of_zero_are_refused(run: Run) -> None:
    assert run("gleu", *FILES, "-o", *SYSTEMS, "-i", "0").status == 2
    assert run("gleu", *FILES, "-o", *SYSTEMS, "-n", "0").status == 2
