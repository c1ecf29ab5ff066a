"""``geceval explain``: texts and files, tables, JSON, and refusals."""

from __future__ import annotations

import json

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")

FILES = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/noisy.txt")

TEXTS = ("He go to school .", "He goes to the school .", "He goes to school .")
SENTENCE = " ".join(f"w{n}" for n in range(20))


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        (TEXTS, "-m errant"),
        ((*TEXTS, "He went to school ."), "-m errant green gleu --method none"),
        ((SENTENCE, SENTENCE, f"{SENTENCE} ."), "-m green"),
        ((SENTENCE, SENTENCE, f"{SENTENCE} ."), "-m green --full"),
        (TEXTS, "-m green --exact 1 --orders 50 --seed 3"),
        (("He go home.", "He goes home.", "He goes home."), "-m errant --tokenise english"),
        (FILES, "--sentence 3 -m errant cleme goto"),
    ],
    ids=["edits", "several references", "long lists", "full lists", "random orders", "raw text", "corpus"],
)
def test_explanation(run: Run, texts: tuple[str, ...], options: str, snapshot: SnapshotAssertion) -> None:
    assert run("explain", *texts, *options.split()) == snapshot


def test_evidence_and_values_of_json_add_up_to_counts_and_gain(run: Run) -> None:
    document = json.loads(run("explain", *FILES, "--sentence", "3", "-f", "json", "-m", "errant", "green").out)
    assert document["schema"] == "geceval/explanation@1"
    assert (document["source"], document["judge"]) == ("source.txt", "ERRANT")
    system = document["sentence"]["systems"]["noisy"]
    for label in ("ERRANT", "GREEN"):
        score = system["scores"][label]
        chosen = next(row for row in score["against"] if row["reference"] == score["reference"])
        sums: dict[str, float] = {}
        for row in score["evidence"]:
            sums[row["column"]] = sums.get(row["column"], 0) + row["weight"]
        assert sums == {name: count for name, count in chosen["counts"].items() if count}
        attribution = document["attributions"]["noisy"][label]
        assert attribution["score"] == pytest.approx(score["score"])
        assert sum(attribution["values"]) == pytest.approx(attribution["delta"])
        assert len(attribution["values"]) == len(attribution["edits"]) == len(system["edits"])


@pytest.mark.parametrize(
    "line",
    [
        "",
        "a",
        "a b",
        "FILES",
        "FILES --sentence 41",
        "a b c FILES",
        "a b c --sentence 1",
        "FILES --sentence 1 --method guess",
    ],
)
def test_incomplete_or_contradictory_input_is_refused(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run("explain", *line.replace("FILES", " ".join(FILES)).split()) == snapshot
