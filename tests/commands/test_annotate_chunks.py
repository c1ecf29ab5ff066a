"""``geceval annotate -f chunks`` and ``-f spans``: the table, JSON, and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.inspection import compared_chunks
from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")

M2 = ("--gold", "gold.m2", "-c", "systems/careful.txt")


@pytest.mark.parametrize(
    "options",
    ["--sentences 2", "--sentences 2 --changed --assumption independent", "--sentences 99", "--tokenise english"],
)
def test_table_of_chunks(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("annotate", *M2, "-f", "chunks", *options.split()) == snapshot


@pytest.mark.parametrize("versions", [M2, ("-s", "source.txt", "-c", "ref0.txt", "ref1.txt")])
@pytest.mark.parametrize("numbers", [(), ("--sentences", "9", *map(str, range(1, 8)))])
def test_sentences_keep_their_numbers_in_any_parts(
    run: Run, monkeypatch: pytest.MonkeyPatch, versions: tuple[str, ...], numbers: tuple[str, ...]
) -> None:
    line = ("annotate", *versions, "-f", "json", *numbers)
    printed = run(*line).out
    monkeypatch.setattr(compared_chunks, "PART", 3)
    assert run(*line).out == printed
    sentences = [sentence["sentence"] for sentence in json.loads(printed)["sentences"]]
    assert sentences == ([9, *range(1, 8)] if numbers else list(range(1, 41)))


def test_json_has_every_sentence_of_every_system(run: Run) -> None:
    document = json.loads(run("annotate", *M2, "systems/noisy.txt", "-f", "json").out)
    assert document["schema"] == "geceval/chunks@1"
    systems = [sentence["system"] for sentence in document["sentences"]]
    assert sorted(set(systems)) == ["careful", "noisy"]
    chunk = document["sentences"][1]["chunks"][1]
    assert chunk["hypothesis"] == {"text": "visited", "changed": True}
    assert (chunk["start"], chunk["end"], chunk["classes"]) == (1, 3, ["TP", "FP necessary"])


def test_corrections_without_references_have_columns(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    texts = {
        "source": "I has a cat .\n\nShe go home .\n",
        "a": "I have a cat .\n\nShe goes home .\n",
        "b": "I have cats .\n\n\n",
    }
    source, *corrections = (tmp_path / f"{name}.txt" for name in texts)
    for path in (source, *corrections):
        path.write_text(texts[path.stem], encoding="utf-8")
    line = ("annotate", "-s", source, "-c", *corrections, "-f")
    assert run(*line, "chunks", "--changed") == snapshot
    document = json.loads(run(*line, "json").out)
    assert [sentence["corrections"] for sentence in document["sentences"]] == [["a", "b"]] * 3


@pytest.mark.parametrize(
    "line",
    [
        "annotate -s source.txt -c ref0.txt --sentences 1",
        "annotate --gold gold.m2 -c ref0.txt",
        "annotate -s source.txt -c ref0.txt -f chunks --lev",
        "annotate -c ref0.txt",
        "annotate -s source.txt -c ref0.txt ref1.txt -f spans",
        "annotate -s source.txt -c ref0.txt --dialect cherrant -f spans",
        "annotate -s source.txt -c ref0.txt --changed -f spans",
        "m2 convert gold.m2 --to spans",
    ],
)
def test_options_that_do_not_fit_the_format_are_refused(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run(*line.split()) == snapshot


def test_merge_distance_joins_chunks(run: Run) -> None:
    near, far = (json.loads(run("annotate", *M2, "-f", "json", "--merge-distance", d).out) for d in (0, 9))
    count = [sum(len(sentence["chunks"]) for sentence in document["sentences"]) for document in (near, far)]
    assert count[1] < count[0]


def test_spans_are_written_and_read_as_m2_and_as_a_table(run: Run, tmp_path: Path) -> None:
    texts = ("-s", "source.txt", "-c", "ref0.txt")
    spans, edits, back = (str(tmp_path / name) for name in ("spans.jsonl", "edits.m2", "back.m2"))
    assert run("annotate", *texts, "-o", spans).status == 0
    first = json.loads(run("annotate", *texts, "-f", "spans").out.splitlines()[0])
    assert json.loads(Path(spans).read_text(encoding="utf-8").splitlines()[0]) == first
    [edit, *_] = first["edits"]
    assert (edit["start"], edit["end"], edit["replacement"], edit["type"]) == (4, 6, "goes", "R:VERB:SVA")
    assert run("annotate", *texts, "-o", edits).status == 0
    assert run("m2", "convert", spans, "-o", back).status == 0
    assert Path(back).read_bytes() == Path(edits).read_bytes()
    converted = run("m2", "convert", back, "--to", "spans").out
    assert converted == Path(spans).read_text(encoding="utf-8")
    table = run("score", "-i", spans, "--hypothesis-column", "corrected", "-r", "ref0.txt", "-m", "green", "-q").out
    assert "corrected   100.00" in table
