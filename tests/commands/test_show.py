"""``geceval show``: selected sentences in each format, and refusals."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run, Stream

pytestmark = pytest.mark.usefixtures("examples")

FILES = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
ONE = (*FILES, "-c", "systems/noisy.txt")
TWO = (*FILES, "-c", "systems/eager.txt", "systems/noisy.txt")
THREE = (*TWO, "systems/careful.txt")


def numbers(text: str) -> list[int]:
    """Return the numbers of the sentences in an output."""
    return [int(line.split()[0]) for line in text.splitlines() if line[:1].isdigit() and ": " in line]


@pytest.mark.parametrize(
    "options",
    [
        "--sentences 2",
        "--type DET --limit 2",
        "--show-types --limit 2",
        "--grep nowhere",
        "-m green errant --limit 2 -f tsv",
    ],
)
def test_sentences_are_shown_with_their_edits(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("show", *ONE, *options.split()) == snapshot


def test_number_of_sentences_is_twenty_or_that_of_the_options(run: Run) -> None:
    assert len(numbers(run("show", *ONE).out)) == 20
    assert len(numbers(run("show", *ONE, "--limit", "3").out)) == 3
    everything = run("show", *ONE, "--all", "--sort", "given").out
    assert numbers(everything) == list(range(1, 41))
    assert everything.startswith("40 of 40 sentences\n")


def test_worse_than_selects_sentences_with_a_lower_score(run: Run) -> None:
    result = run("show", *TWO, "--worse-than", "eager", "-m", "errant")
    assert result == run("show", *THREE, "--system", "noisy", "--worse-than", "eager", "-m", "errant")
    assert result.status == 0
    assert " matching sentences, of 40" in result.out
    assert "careful" not in result.out
    for line in result.out.splitlines():
        if line[:1].isdigit() and ": " in line:
            noisy, eager = (float(part.split()[0]) for part in line.split("ERRANT ")[1:])
            assert noisy < eager


def test_numbers_of_agreement_add_up_to_the_corpus(run: Run) -> None:
    options = ("--system", "careful", "--against", "eager", "--disagree", "-m", "errant", "gleu")
    out = run("show", *THREE, *options).out
    match = re.fullmatch(
        r"ERRANT and GLEU agree on careful and eager in (\d+) sentences and disagree in (\d+);"
        r" in (\d+) one of them has equal scores",
        out.splitlines()[1],
    )
    assert match is not None
    agree, disagree, undecided = map(int, match.groups())
    assert agree + disagree + undecided == 40
    assert len(numbers(out)) == disagree > 0


def test_expression_selects_sentences_that_it_matches(run: Run) -> None:
    out = run("show", *ONE, "--grep", "^I ", "--sort", "given").out
    source = Path("source.txt").read_text("utf-8").splitlines()
    assert set(numbers(out)) >= {n for n, line in enumerate(source, 1) if line.startswith("I ")}


def test_tsv_has_a_row_for_each_sentence_and_system(run: Run) -> None:
    out = run("show", *TWO, "--limit", "3", "-f", "tsv", "-m", "green", "errant").out
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["system"] for row in rows] == ["eager", "noisy"] * 3
    assert all(row["GREEN"] and row["ERRANT"] and row["source"] and row["edits"] for row in rows)
    for row in rows:
        assert row["edits"].count("✓") == int(row["correct"])
        assert row["edits"].count("✗") == int(row["wrong"])
        assert row["missed_edits"].count("○") == int(row["missed"])


def test_json_has_scores_and_edits_with_outcomes(run: Run) -> None:
    document = json.loads(run("show", *TWO, "--limit", "2", "-f", "json", "--worse-than", "eager").out)
    assert document["schema"] == "geceval/sentences@1"
    assert (document["total"], document["judge"], document["source"]) == (40, "ERRANT", "source.txt")
    assert document["fit"] >= 2 == len(document["sentences"])
    system = document["sentences"][0]["systems"]["noisy"]
    assert system["scores"]["ERRANT"]["score"] < 1
    assert {edit["outcome"] for edit in system["edits"]} <= {"correct", "wrong", None}
    assert {edit["outcome"] for edit in system["reference"]["edits"]} <= {"correct", "missed", None}
    assert document["signatures"]["noisy"]["ERRANT"].startswith("ERRANT|")


def test_colours_are_for_terminals_only(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert "\x1b" not in run("show", *ONE, "--limit", "3").out
    monkeypatch.setattr(Stream, "isatty", lambda self: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = run("show", *ONE, "--limit", "3").out
    assert "\x1b[32m" in coloured or "\x1b[31m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = run("show", *ONE, "--limit", "3").out
    assert "\x1b[31m" not in plain
    assert "✗" in plain
    path = tmp_path / "out.txt"
    assert run("show", *ONE, "--limit", "3", "-o", path).out == ""
    assert "\x1b" not in path.read_text("utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "ONE --worse-than eager",
        "THREE --worse-than eager",
        "THREE --disagree -m errant gleu",
        "TWO --disagree -m green",
        "TWO --against eager --worse-than noisy",
        "ONE --system nosy",
        "ONE --type DETT",
        "ONE --grep (",
        "ONE --sort difference",
        "ONE --sentences 41",
        "ONE --sentences 4 --sort best",
        "TWO --sentences 4 --worse-than eager",
        "-s source.txt -c systems/noisy.txt",
        "ONE -m gren",
    ],
)
def test_invalid_selection_is_refused(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    for name, files in {"ONE": ONE, "TWO": TWO, "THREE": THREE}.items():
        line = line.replace(name, " ".join(files))
    assert run("show", *line.split()) == snapshot
