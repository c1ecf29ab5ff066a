"""``geceval explain``: texts and files, both formats, and what cannot be explained."""

from __future__ import annotations

import json

import pytest

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")

FILES = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/noisy.txt")

TEXTS = ("He go to school .", "He goes to the school .", "He goes to school .")
TABLE = """\
edit             type         ERRANT
────────────────────────────────────
✓ go→goes        R:VERB:SVA   +77.78
✗ +the           M:DET        −22.22
────────────────────────────────────
unchanged                       0.00
with all edits                 55.56
"""


def test_texts(run: Run) -> None:
    result = run("explain", *TEXTS, "-m", "errant")
    assert (result.status, result.err) == (0, "")
    out = result.out
    assert "text   He {go→goes ✓ R:VERB:SVA} to {+the ✗ M:DET} school .\n" in out
    assert "  ERRANT 55.56  (precision 50.00, recall 100.00)  against ref 0\n    tp 1  1-2 goes R:VERB:SVA\n" in out
    assert f"\n{TABLE}\n" in out


def test_what_the_others_would_have_given(run: Run) -> None:
    out = run("explain", *TEXTS, "He went to school .", "-m", "errant", "green", "gleu", "--method", "none").out
    assert "    ref 1  0.00  (fp 2, fn 1)\n" in out
    assert "the mean over 2 references; counts against ref 0" in out
    assert "unchanged" not in out


def test_long_lists_are_cut_and_say_so(run: Run) -> None:
    sentence = " ".join(f"w{n}" for n in range(20))
    few = run("explain", sentence, sentence, sentence + " .", "-m", "green").out
    assert "“w11”, and 8 more (--full)" in few
    assert "“w12”" not in few
    full = run("explain", sentence, sentence, sentence + " .", "-m", "green", "--full").out
    assert "“w19”" in full
    assert "--full" not in full


def test_one_of_a_corpus(run: Run) -> None:
    result = run("explain", *FILES, "--sentence", "3", "-m", "errant", "cleme", "goto")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("sentence 3\n    source  The childrens was playing in garden .\n")
    assert "no edit values under GoTo: goto scores all systems of a run together\n" in result.out


def test_orders_that_are_drawn_have_standard_errors(run: Run) -> None:
    out = run("explain", *TEXTS, "-m", "green", "--exact", "1", "--orders", "50", "--seed", "3").out
    assert "±: standard error over 50 random orders" in out
    assert out == run("explain", *TEXTS, "-m", "green", "--exact", "1", "--orders", "50", "--seed", "3").out


def test_json_says_everything(run: Run) -> None:
    document = json.loads(run("explain", *FILES, "--sentence", "3", "-f", "json", "-m", "errant", "green").out)
    assert document["schema"] == "geceval/explanation@1"
    assert (document["source"], document["judge"]) == ("source.txt", "ERRANT")
    system = document["sentence"]["systems"]["noisy"]
    for label in ("ERRANT", "GREEN"):
        score = system["scores"][label]
        chosen = next(one for one in score["against"] if one["reference"] == score["reference"])
        sums: dict[str, float] = {}
        for row in score["evidence"]:
            sums[row["column"]] = sums.get(row["column"], 0) + row["weight"]
        assert sums == {name: count for name, count in chosen["counts"].items() if count}
        own = document["attributions"]["noisy"][label]
        assert own["score"] == pytest.approx(score["score"])
        assert sum(own["values"]) == pytest.approx(own["delta"])
        assert len(own["values"]) == len(own["edits"]) == len(system["edits"])


def test_raw_text_is_tokenised_on_demand(run: Run) -> None:
    out = run("explain", "He go home.", "He goes home.", "He goes home.", "-m", "errant", "--tokenise", "english").out
    assert "{go→goes ✓ R:VERB:SVA} home .\n" in out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "nothing to explain"),
        (("a",), "a source and its correction are required"),
        (("a", "b"), "references"),
        (FILES, "a sentence number is needed"),
        ((*FILES, "--sentence", "41"), "choose from 1 to 40"),
        (("a", "b", "c", *FILES), "exclude each other"),
        (("a", "b", "c", "--sentence", "1"), "--sentence requires files"),
        ((*FILES, "--sentence", "1", "--method", "guess"), "unknown value"),
    ],
)
def test_what_cannot_be_explained(run: Run, arguments: tuple[str, ...], why: str) -> None:
    result = run("explain", *arguments)
    assert result.status == 2
    assert why in result.err
