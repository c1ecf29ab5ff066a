"""``geceval show``: what is asked for is shown, in each format, and what cannot be asked for is said."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")

FILES = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
ONE = (*FILES, "-c", "systems/noisy.txt")
TWO = (*FILES, "-c", "systems/eager.txt", "systems/noisy.txt")
THREE = (*TWO, "systems/careful.txt")


def numbers(text: str) -> list[int]:
    """The numbers of the sentences that are shown."""
    return [int(line.split()[0]) for line in text.splitlines() if line[:1].isdigit() and ": " in line]


def test_one_sentence(run: Run) -> None:
    result = run("show", *ONE, "--sentences", "2")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("1 of 40 sentences\n\n2  noisy: ERRANT ")
    assert result.out.endswith("✓ correct   ✗ wrong   ○ missed   · not counted   by ERRANT\n")


def test_number_and_all(run: Run) -> None:
    assert len(numbers(run("show", *ONE).out)) == 20
    assert len(numbers(run("show", *ONE, "--limit", "3").out)) == 3
    everything = run("show", *ONE, "--all", "--sort", "given").out
    assert numbers(everything) == list(range(1, 41))
    assert everything.startswith("40 of 40 sentences\n")


def test_worse_than_needs_one_name_of_two(run: Run) -> None:
    short = run("show", *TWO, "--worse-than", "eager", "-m", "errant")
    long = run("show", *THREE, "--system", "noisy", "--worse-than", "eager", "-m", "errant")
    assert short.status == 0
    assert short.out == long.out
    assert " matching sentences, of 40" in short.out
    assert "careful" not in short.out
    for line in short.out.splitlines():
        if line[:1].isdigit() and ": " in line:
            noisy, eager = (float(part.split()[0]) for part in line.split("ERRANT ")[1:])
            assert noisy < eager


def test_disagree_says_how_often(run: Run) -> None:
    options = ("--system", "careful", "--against", "eager", "--disagree", "-m", "errant", "gleu")
    out = run("show", *THREE, *options).out
    said = re.fullmatch(
        r"ERRANT and GLEU agree on careful and eager in (\d+) sentences and disagree in (\d+);"
        r" in (\d+) one of them has equal scores",
        out.splitlines()[1],
    )
    assert said is not None
    alike, opposite, none = map(int, said.groups())
    assert alike + opposite + none == 40
    assert len(numbers(out)) == opposite > 0


def test_types_are_shown_where_they_are_asked_for(run: Run) -> None:
    assert ":DET}" in run("show", *ONE, "--type", "DET").out
    assert ":DET}" not in run("show", *ONE).out
    assert ":DET}" in run("show", *ONE, "--types").out


def test_expressions(run: Run) -> None:
    out = run("show", *ONE, "--grep", "^I ", "--sort", "given").out
    source = Path("source.txt").read_text("utf-8").splitlines()
    assert set(numbers(out)) >= {n for n, line in enumerate(source, 1) if line.startswith("I ")}
    assert run("show", *ONE, "--grep", "nowhere at all").out == "none of the 40 sentences matches\n"


def test_tsv_has_a_row_for_each_sentence_and_system(run: Run) -> None:
    out = run("show", *TWO, "--limit", "3", "-f", "tsv", "-m", "green", "errant").out
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["system"] for row in rows] == ["eager", "noisy"] * 3
    assert all(row["GREEN"] and row["ERRANT"] and row["source"] and row["edits"] for row in rows)
    for row in rows:
        assert row["edits"].count("✓") == int(row["correct"])
        assert row["edits"].count("✗") == int(row["wrong"])
        assert row["missed_edits"].count("○") == int(row["missed"])


def test_json(run: Run) -> None:
    document = json.loads(run("show", *TWO, "--limit", "2", "-f", "json", "--worse-than", "eager").out)
    assert document["schema"] == "geceval/sentences@1"
    assert (document["total"], document["judge"], document["source"]) == (40, "ERRANT", "source.txt")
    assert document["fit"] >= 2 == len(document["sentences"])
    system = document["sentences"][0]["systems"]["noisy"]
    assert system["scores"]["ERRANT"]["score"] < 1
    assert {edit["outcome"] for edit in system["edits"]} <= {"correct", "wrong", None}
    assert {edit["outcome"] for edit in system["reference"]["edits"]} <= {"correct", "missed", None}
    assert document["signatures"]["noisy"]["ERRANT"].startswith("ERRANT|")


def test_colours_on_a_terminal_only(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert "\x1b" not in run("show", *ONE, "--limit", "3").out
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda self: True)
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
    ("arguments", "why"),
    [
        ((*ONE, "--worse-than", "eager"), "unknown system 'eager' (available: "),
        ((*THREE, "--worse-than", "eager"), "the system to compare with eager is needed"),
        ((*THREE, "--disagree", "-m", "errant", "gleu"), "--disagree needs two systems"),
        ((*TWO, "--disagree", "-m", "green"), "disagree requires two metrics"),
        ((*TWO, "--against", "eager", "--worse-than", "noisy"), "exclude each other"),
        ((*ONE, "--system", "nosy"), "did you mean noisy?"),
        ((*ONE, "--type", "DETT"), "did you mean DET?"),
        ((*ONE, "--grep", "("), "regular expression"),
        ((*ONE, "--sort", "difference"), "sort=difference requires two systems"),
        ((*ONE, "--sentences", "41"), "choose from 1 to 40"),
        ((*ONE, "--sentences", "4", "--sort", "best"), "--sort exclude each other"),
        ((*TWO, "--sentences", "4", "--worse-than", "eager"), "--worse-than exclude each other"),
        (("-s", "source.txt", "-c", "systems/noisy.txt"), "references"),
        ((*ONE, "-m", "gren"), "did you mean green?"),
    ],
)
def test_what_cannot_be_shown(run: Run, arguments: tuple[str, ...], why: str) -> None:
    result = run("show", *arguments)
    assert result.status == 2
    assert result.err.startswith("error: ")
    assert why in result.err
