"""``geceval score --by`` and ``--group``: tables by kinds of edits and by groups of sentences."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from support.commands import Run

TEXTS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
SYSTEM = ("-c", "systems/noisy.txt")
GOLD = ("--gold", "gold.m2")
pytestmark = pytest.mark.usefixtures("examples")


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


# --- by kinds of edits ---

MAXMATCH = """\
system   type          correct   proposed   gold       P       R       F
────────────────────────────────────────────────────────────────────────
noisy    M                   2          2      5           40.00
noisy    R                   8          8     39           20.51
noisy    U                   2          2     13           15.38
noisy    (unmatched)         0          7      0
noisy    all                12         19     57   63.16   21.05   45.11

MaxMatch|beta:0.5|max_unchanged_words:2|ignore_whitespace_casing:False|misfits:error|policy:running|refs:2(gold)|level:\
corpus|v:0.3.0.dev0
"""


def test_no_precision_of_a_type_is_made_up(run: Run) -> None:
    result = run("score", *GOLD, *SYSTEM, "-m", "maxmatch", "--by", "operation")
    assert (result.status, result.out, result.err) == (0, MAXMATCH, "")
    [document] = json.loads(run("score", *GOLD, *SYSTEM, "-m", "maxmatch", "--by", "type", "-f", "json").out)["results"]
    preposition = {"correct": 2, "proposed": 2, "gold": 7, "precision": None, "recall": 2 / 7, "f": None}
    assert document["types"]["PREP"] == preposition
    unmatched = {"correct": 0, "proposed": 7, "gold": 0, "precision": None, "recall": None, "f": None}
    assert document["types"]["(unmatched)"] == unmatched


@pytest.mark.parametrize("by", ["operation", "type", "full", "length"])
@pytest.mark.parametrize("metric", ["errant", "cleme:weights=none", "cleme2:weights=none", "maxmatch"])
def test_kinds_add_up_to_the_whole(run: Run, metric: str, by: str) -> None:
    document = json.loads(run("score", *GOLD, *SYSTEM, "-m", metric, "--by", by, "-f", "json").out)
    assert (document["schema"], document["by"]) == ("geceval/types@1", by)
    [result] = document["results"]
    for column, total in result["totals"].items():
        assert sum(kind[column] for kind in result["types"].values()) == total


def test_unchanged_chunks_stand_apart(run: Run) -> None:
    for by in ("full", "length"):
        *kinds, unchanged, all_ = rows(run("score", *GOLD, *SYSTEM, "-m", "cleme", "--by", by, "-f", "csv").out)[1:]
        assert unchanged[:2] == ["noisy", "(unchanged)"]
        assert unchanged[6:] == ["115.00", "", "", "", ""]
        assert {kind[6] for kind in kinds} == {"0.00"}
        assert {kind[9] for kind in kinds} == {""}, "without them there is no accuracy"
        assert all_[9] == "74.03"


def test_metrics_with_other_counts_have_tables_of_their_own(run: Run) -> None:
    out = run("score", *GOLD, *SYSTEM, "-m", "errant,maxmatch,errant:mode=ds", "--by", "operation").out
    first, second = out.split("\n\nsystem")
    assert first.splitlines()[0].split() == ["system", "metric", "type", "TP", "FP", "FN", "P", "R", "F"]
    assert ["noisy", "ERRANT", "mode=ds", "R"] in [line.split()[:4] for line in first.splitlines()]
    assert first.count("|policy:") == 2
    assert second.split()[:3] == ["metric", "type", "correct"]


def test_types_of_other_schemes(run: Run, tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    edits = "A 0 1|||ArtOrDet|||A|||REQUIRED|||-NONE-|||0\nA 2 3|||R:VERB|||c|||REQUIRED|||-NONE-|||0\n"
    gold.write_text(f"S the b d e\n{edits}\n", encoding="utf-8")
    (tmp_path / "it.txt").write_text("A b d e\n", encoding="utf-8")
    for by, names in (("operation", ["(none)", "R"]), ("type", ["ArtOrDet", "VERB"]), ("full", ["ArtOrDet", "R:VERB"])):
        table = rows(
            run("score", "--gold", gold, "-c", tmp_path / "it.txt", "-m", "maxmatch", "--by", by, "-f", "csv").out
        )
        assert [row[1] for row in table[1:]] == [*names, "all"]
        assert [row[2] for row in table[1:]] == ["1", "0", "1"]


# --- groups of sentences ---

LENGTHS = """\
system   group   sentences   GREEN    GLEU   ERRANT
───────────────────────────────────────────────────
noisy    1-10           39   52.90   21.02    42.97
noisy    11-20           1   41.44    0.00     0.00
noisy    all            40   52.53   20.68    41.35
"""


def test_lengths_of_the_source(run: Run) -> None:
    result = run("score", *TEXTS, *SYSTEM, "-m", "green,gleu,errant", "--group", "length")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(LENGTHS)


def test_labels_of_a_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = "A\nB\n" * 20
    plain, packed = tmp_path / "levels.txt", tmp_path / "levels.gz"
    plain.write_text(levels, encoding="utf-8")
    packed.write_bytes(gzip.compress(levels.encode()))
    arguments = ("score", *TEXTS, *SYSTEM, "-m", "errant,green", "--group")
    table = rows(run(*arguments, plain, "-f", "csv", "--parts").out)
    assert table[0][:4] == ["system", "group", "sentences", "ERRANT precision"]
    assert [row[:3] for row in table[1:]] == [["noisy", "A", "20"], ["noisy", "B", "20"], ["noisy", "all", "40"]]
    assert rows(run(*arguments, packed, "-f", "csv", "--parts").out) == table
    with plain.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert rows(run(*arguments, "-", "-f", "csv", "--parts").out) == table
    document = json.loads(run(*arguments, plain, "-f", "json").out)
    assert (document["schema"], document["group"]) == ("geceval/groups@1", str(plain))
    for result in document["results"]:
        groups = result["groups"]
        assert set(groups) == {"A", "B"}
        assert set(groups["A"]) == {"sentences", "value", "parts", "totals"}
        for column, total in result["totals"].items():
            assert groups["A"]["totals"][column] + groups["B"]["totals"][column] == total


def test_as_many_labels_as_sentences(run: Run, tmp_path: Path) -> None:
    levels = tmp_path / "levels.txt"
    for number, odd in ((39, "1 fewer"), (41, "1 more")):
        levels.write_text("A\n" * number, encoding="utf-8")
        result = run("score", *TEXTS, *SYSTEM, "-m", "green", "--group", levels)
        assert (result.status, result.out) == (2, "")
        assert "\n  source       source.txt" in result.err
        assert f"{number}   <- {odd}\n" in result.err
        assert f"labels       {levels}" in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "green", "--by", "type"), "GREEN has no types: a table by types is for metrics on edits"),
        (("-m", "errant,gleu", "--by", "length"), "GLEU has no lengths: a table by lengths is for metrics on edits"),
        (("-m", "errant", "--by", "type", "--level", "mean"), "--by is for corpus scores, not for --level mean"),
        (("-m", "errant", "--group", "length", "--level", "sentence"), "--group is for corpus scores"),
        (("-m", "errant", "--group", "length", "--by", "type"), "--by and --group exclude each other"),
        (("-m", "errant", "--group", "nowhere"), "nowhere: cannot read"),
        (("-m", "errant", "--group", "-", "-c", "-"), "standard input (-) can be given only once"),
    ],
)
def test_what_cannot_be_said_is_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("score", *TEXTS, *SYSTEM, *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
