"""``geceval chunks``: the table, JSON, and messages."""

from __future__ import annotations

import json
import sys

import pytest

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")

M2 = ("--gold", "gold.m2", "-c", "systems/careful.txt")

TABLE = """\
tokens   source               careful              reference 0          reference 1          class 0   class 1
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────
0-1      I                    I                    I                    I                    TN        TN
1-3      have visited         visited *            visited *            went to *            TP        FP necessary
3-7      Lisbon last year .   Lisbon last year .   Lisbon last year .   Lisbon last year .   TN        TN

sentence 2
"""


def test_table(run: Run) -> None:
    result = run("chunks", *M2, "-n", "2")
    assert (result.status, result.out, result.err) == (0, TABLE, "")


def test_only_changed_chunks_and_one_class_if_references_are_independent(run: Run) -> None:
    out = run("chunks", *M2, "-n", "2", "--changed", "--assumption", "independent", "-f", "markdown").out
    assert out.splitlines()[2:] == [
        "| 1-3 | have visited | visited * | visited * | went to * | TP |",
        "",
        "`sentence 2`  ",
    ]


def test_json_holds_every_sentence(run: Run) -> None:
    document = json.loads(run("chunks", *M2, "systems/noisy.txt", "-f", "json").out)
    assert document["schema"] == "geceval/chunks@1"
    systems = [sentence["system"] for sentence in document["sentences"]]
    assert sorted(set(systems)) == ["careful", "noisy"]
    chunk = document["sentences"][1]["chunks"][1]
    assert chunk["hypothesis"] == {"text": "visited", "changed": True}
    assert (chunk["start"], chunk["end"], chunk["classes"]) == (1, 3, ["TP", "FP necessary"])


def test_a_sentence_that_does_not_exist(run: Run) -> None:
    result = run("chunks", *M2, "-n", "99")
    assert result.status == 2
    assert "there is no sentence 99: choose from 1 to" in result.err


def test_merge_distance_joins_chunks(run: Run) -> None:
    near, far = (json.loads(run("chunks", *M2, "-f", "json", "--merge-distance", d).out) for d in (0, 9))
    count = [sum(len(sentence["chunks"]) for sentence in document["sentences"]) for document in (near, far)]
    assert count[1] < count[0]


def test_one_run_scores_with_all_metrics_on_edits(run: Run) -> None:
    result = run("score", *M2, "-m", "errant,cleme:assumption=independent,cleme2:assumption=independent", "-f", "tsv")
    assert result.status == 0
    assert result.out.splitlines()[0].split("\t")[1:] == ["ERRANT", "CLEME", "CLEME2.0"]


def test_without_the_extra_one_line_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    result = run("score", *M2, "-m", "ptm2")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: a pretrained model needs torch and transformers (")
    assert result.err.endswith("hint: pip install 'geceval[neural]'\n")
