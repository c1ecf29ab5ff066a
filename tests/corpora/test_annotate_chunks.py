"""``geceval annotate -f chunks`` and ``-f spans``: the table, JSON, and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geceval.corpora import annotate_command
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
    result = run("annotate", *M2, "-f", "chunks", "--sentences", "2")
    assert (result.status, result.out, result.err) == (0, TABLE, "")


@pytest.mark.parametrize("versions", [M2, ("-s", "source.txt", "-c", "ref0.txt", "ref1.txt")])
@pytest.mark.parametrize("numbers", [(), ("--sentences", "9", *map(str, range(1, 8)))])
def test_sentences_keep_their_numbers_in_any_parts(
    run: Run, monkeypatch: pytest.MonkeyPatch, versions: tuple[str, ...], numbers: tuple[str, ...]
) -> None:
    command = ("annotate", *versions, "-f", "json", *numbers)
    whole = run(*command).out
    monkeypatch.setattr(annotate_command, "PART", 3)
    assert run(*command).out == whole
    shown = [sentence["sentence"] for sentence in json.loads(whole)["sentences"]]
    assert shown == ([9, *range(1, 8)] if numbers else list(range(1, 41)))


def test_only_changed_chunks_and_one_class_if_references_are_independent(run: Run) -> None:
    out = run("annotate", *M2, "-f", "chunks", "--sentences", "2", "--changed", "--assumption", "independent").out
    assert out.splitlines()[2:] == [
        "1-3      have visited   visited *   visited *     went to *     TP",
        "",
        "sentence 2",
    ]


def test_json_holds_every_sentence(run: Run) -> None:
    document = json.loads(run("annotate", *M2, "systems/noisy.txt", "-f", "json").out)
    assert document["schema"] == "geceval/chunks@1"
    systems = [sentence["system"] for sentence in document["sentences"]]
    assert sorted(set(systems)) == ["careful", "noisy"]
    chunk = document["sentences"][1]["chunks"][1]
    assert chunk["hypothesis"] == {"text": "visited", "changed": True}
    assert (chunk["start"], chunk["end"], chunk["classes"]) == (1, 3, ["TP", "FP necessary"])


SIDE_BY_SIDE = """\
tokens   source      a              b
───────────────────────────────────────────────
1-4      has a cat   have a cat *   have cats *

sentence 1

tokens   source          a                   b
────────────────────────────────────────────────
0-4      She go home .   She goes home . *   ∅ *

sentence 3
"""


def test_corrections_without_references_stand_side_by_side(run: Run, tmp_path: Path) -> None:
    texts = {
        "source": "I has a cat .\n\nShe go home .\n",
        "a": "I have a cat .\n\nShe goes home .\n",
        "b": "I have cats .\n\n\n",
    }
    source, *corrections = (tmp_path / f"{name}.txt" for name in texts)
    for path in (source, *corrections):
        path.write_text(texts[path.stem], encoding="utf-8")
    result = run("annotate", "-s", source, "-c", *corrections, "-f", "chunks", "--changed")
    assert (result.status, result.out, result.err) == (0, SIDE_BY_SIDE, "")
    document = json.loads(run("annotate", "-s", source, "-c", *corrections, "-f", "json").out)
    assert [sentence["corrections"] for sentence in document["sentences"]] == [["a", "b"]] * 3
    one = run("annotate", "-s", source, "-c", corrections[0], "-f", "chunks", "--changed", "--sentences", "1").out
    assert one.splitlines()[0].split() == ["tokens", "source", "a"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-s", "source.txt", "-c", "ref0.txt", "--sentences", "1"), "--sentences requires -f chunks"),
        (("--gold", "gold.m2", "-c", "ref0.txt"), "--gold requires -f chunks"),
        (("-s", "source.txt", "-c", "ref0.txt", "-f", "chunks", "--lev"), "--lev requires -f m2"),
        (("-c", "ref0.txt"), "the source is required\n  hint: -s FILE"),
        ((*M2, "-f", "chunks", "--tokenise", "english"), "hint: --tokenise-only corrections"),
    ],
)
def test_options_that_do_not_fit_the_format_are_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("annotate", *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err


def test_a_sentence_that_does_not_exist(run: Run) -> None:
    result = run("annotate", *M2, "-f", "chunks", "--sentences", "99")
    assert result.status == 2
    assert "there is no sentence 99: choose from 1 to" in result.err


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
    again = run("m2", "convert", back, "--to", "spans").out
    assert again == Path(spans).read_text(encoding="utf-8")
    table = run("score", "-i", spans, "--hypothesis-column", "corrected", "-r", "ref0.txt", "-m", "green", "-q").out
    assert "corrected   100.00" in table


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-c", "ref0.txt", "ref1.txt"), "-f spans requires one correction"),
        (("-c", "ref0.txt", "--dialect", "cherrant"), "-f spans requires one correction and ERRANT's dialect"),
        (("-c", "ref0.txt", "--changed"), "--changed requires -f chunks"),
    ],
)
def test_spans_with_other_options_are_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    result = run("annotate", "-s", "source.txt", *words, "-f", "spans")
    assert result.status == 2
    assert result.err.startswith(f"error: {message}")


def test_m2_of_two_annotators_is_refused_as_spans(run: Run) -> None:
    result = run("m2", "convert", "gold.m2", "--to", "spans")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: gold.m2:1: spans have one annotator and no alignments")
