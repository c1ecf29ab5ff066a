"""``geceval prepare``, and the options of raw text that commands share."""

from __future__ import annotations

import bz2
import io
import json
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.text.reading.lines import read_lines
from support.commands import Run
from support.detokenise import detokenise

RAW = "He can’t — “go”.\u200b  Next one.\n\nend"


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.txt"
    path.write_text(RAW, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "options",
    [
        "--tokenise english",
        "--tokenise english --normalise whitespace",
        "--tokenise treebank --normalise quotes,dashes,whitespace -j 1",
        "--normalise whitespace",
    ],
)
def test_lines_are_tokenised_and_normalised(run: Run, raw: Path, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("prepare", raw, *options.split()) == snapshot


def test_files_are_joined_into_a_file(run: Run, raw: Path, tmp_path: Path) -> None:
    compressed, out = tmp_path / "more.txt.bz2", tmp_path / "out.txt"
    compressed.write_bytes(bz2.compress(b"It's\r\nhere.\n"))
    result = run("prepare", compressed, raw, compressed, "--tokenise", "english", "-o", out)
    assert (result.status, result.out, result.err) == (0, "", "note: 5 of 7 lines changed by tok:english-1\n")
    lines = list(read_lines(out))
    assert (lines[:2], lines[4], lines[5:]) == (["It 's", "here ."], "end", lines[:2])


def test_standard_input_is_prepared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"It's.\n"))))
    assert run("prepare", "--tokenise", "treebank").out == "It 's .\n"


def test_list_has_a_row_for_each_tokeniser(run: Run) -> None:
    result = run("prepare", "--list")
    rows = dict(line.split()[:2] for line in result.out.splitlines()[2:] if line)
    assert (rows["english"], rows["treebank"], rows["char"]) == ("english-1", "treebank-1", "char-1")
    assert {"moses", "moses:LANG", "icu", "spacy:NAME"} < set(rows)


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--tokenise englsh",
        "gold.m2.gz --tokenise char",
        "- - --tokenise char",
        "none.txt --tokenise char",
        "source.txt --clean llm",
        "source.txt --clean llm,quots -s source.txt",
        "source.txt --clean none.toml -s source.txt",
        "source.txt --detokenise llm",
    ],
)
def test_invalid_step_or_file_is_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("prepare", *options.split()) == snapshot


@pytest.mark.parametrize("option", ["-s", "--align"])
def test_answers_in_json_lines_are_cleaned_across_line_breaks(run: Run, tmp_path: Path, option: str) -> None:
    source, answers = tmp_path / "source.txt", tmp_path / "answers.jsonl"
    source.write_text("He go .\nShe stay here .\n", encoding="utf-8")
    texts = ["Sure! Here is the corrected sentence:\n\nHe goes .", "She stays here ."]
    answers.write_text("".join(json.dumps({"output": text}) + "\n" for text in texts), encoding="utf-8")
    assert run("prepare", "--clean", "llm", option, source, answers).out == "He goes .\nShe stays here .\n"
    hint = run("prepare", option, source, "--detokenise", "english", answers).err
    assert "hint: --normalise whitespace" in hint
    assert run("prepare", option, source, "--normalise", "whitespace", answers).status == 0
    diff = run("prepare", "--clean", "llm", option, source, answers, "--diff").out.splitlines()[1:]
    assert diff == ["- Sure! Here is the corrected sentence:", "- ", "- He goes .", "+ He goes ."]


OUTPUT = """\
Sure! Here is the corrected sentence: He goes home.
**"I can't, go."**
Well-known (as a "place"): fine.
"""


@pytest.fixture
def chatty(tmp_path: Path) -> tuple[Path, Path]:
    """A source and its raw corrections."""
    for name, text in (
        ("source.txt", 'He go home.\nI cant, go.\nWell-know (as a "place"): fine.\n'),
        ("raw.txt", OUTPUT),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "source.txt", tmp_path / "raw.txt"


CLEANED = 'He goes home.\nI can\'t, go.\nWell-known (as a "place"): fine.\n'


def test_cleaned_lines_are_counted_and_shown_on_request(
    run: Run, chatty: tuple[Path, Path], snapshot: SnapshotAssertion
) -> None:
    source, raw = chatty
    result = run("prepare", raw, "--clean", "llm", "-s", source)
    assert (result.status, result.out) == (0, CLEANED)
    assert run("prepare", raw, "--clean", "llm", "-s", source, "--diff") == snapshot
    assert run("prepare", raw, raw, "--clean", "bold,labels", "-s", source).err == snapshot
    assert run("prepare", source, "--clean", "llm", "-s", source).out == source.read_text(encoding="utf-8")
    source.write_text("He go home.\n", encoding="utf-8")
    short = run("prepare", raw, "--clean", "llm", "-s", source)
    assert (short.status, short.out) == (2, "")
    assert "3   <- 2 more" in short.err


def test_answers_without_a_sentence_are_counted(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source, raw = tmp_path / "s.txt", tmp_path / "raw.txt"
    source.write_text("Birds sing .\nBirds sings .\nIt rain .\n", encoding="utf-8")
    raw.write_text("The sentence is correct as it is.\nBirds sing.\n<think>Let me see: it\n", encoding="utf-8")
    assert run("prepare", raw, "--clean", "llm", "-s", source) == snapshot
    assert run("annotate", "-s", source, "-c", raw, "--clean", "llm", "--no-checks") == snapshot


def test_tokens_are_detokenised_and_back(run: Run, chatty: tuple[Path, Path], tmp_path: Path) -> None:
    source, raw = chatty
    tokenised_text = run("prepare", raw, "--clean", "llm", "-s", source, "--tokenise", "english")
    tokens = 'He goes home .\nI ca n\'t , go .\nWell - known ( as a " place " ): fine .\n'.replace("):", ") :")
    assert tokenised_text.out == tokens
    tokenised = tmp_path / "tokens.txt"
    tokenised.write_text(tokens, encoding="utf-8")
    result = run("prepare", tokenised, "--detokenise", "english")
    assert (result.out, result.err) == (CLEANED, "note: 3 of 3 lines changed by detok:english-1\n")
    retokenised = run("prepare", tokenised, "--detokenise", "english", "--tokenise", "treebank")
    assert retokenised.out == tokens.replace("Well - known", "Well-known")
    tokenised.write_text("can not\nU.S. .\ncan not gon na\n", encoding="utf-8")
    lossy = run("prepare", tokenised, "--detokenise", "english")
    assert lossy.out == "can not\nU.S..\ncan not gonna\n"
    assert f"\nnote: detokenised: 1 of 3 lines have other tokens when tokenised: {tokenised}:2\n" in lossy.err


def test_cleaned_outputs_are_scored_and_annotated_like_the_corrections(
    run: Run, examples: Path, tmp_path: Path
) -> None:
    chatty = tmp_path / "careful.txt"
    lines = read_lines("systems/careful.txt")
    chatty.write_text("".join(f'Corrected: "{line}"\n' for line in lines), encoding="utf-8")
    score = ("score", *TEXTS, "-m", "green", "-c")
    correct = run(*score, "systems/careful.txt").out
    cleaned = run(*score, chatty, "--clean", "llm").out
    assert value(run(*score, chatty, "--no-checks").out) < value(cleaned) == value(correct)
    assert "|refs:2|clean:llm-4|level:" in cleaned
    document = json.loads(run(*score, f"chatty={chatty}", "systems/eager.txt", "--clean", "llm", "-f", "json").out)
    cleaned_lines = {name: counts["cleaned"] for name, counts in document["outputs"].items()}
    assert cleaned_lines == {"chatty": len(lines), "eager": 0}
    gold = ("score", "--gold", "gold.m2.gz", "-m", "maxmatch", "-c")
    tables = [
        run(*gold, *words).out.splitlines()[:3] for words in ((chatty, "--clean", "llm"), ("systems/careful.txt",))
    ]
    assert tables[0] == tables[1]
    for options in ((), ("-r", "ref0.txt", "-f", "chunks", "--sentences", "1")):
        annotate = ("annotate", "-s", "source.txt", *options, "-c")
        edits = run(*annotate, "systems/careful.txt").out
        assert run(*annotate, chatty, "--clean", "llm", "--no-checks").out == edits


@pytest.fixture
def written(examples: Path, tmp_path: Path) -> Path:
    """The examples as raw text."""
    for path in ("source.txt", "ref0.txt", "ref1.txt", "systems/careful.txt"):
        lines = (detokenise(line) for line in read_lines(examples / path))
        (tmp_path / Path(path).name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def value(out: str) -> float:
    return float(out.splitlines()[2].split()[1])


TEXTS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")


def test_scores_of_raw_text_are_close_to_those_of_tokens(run: Run, written: Path) -> None:
    line = ("score", *TEXTS, "-m", "green", "-c")
    of_tokens = value(run(*line, "systems/careful.txt").out)
    raw = (
        "-s",
        written / "source.txt",
        "-r",
        written / "ref0.txt",
        written / "ref1.txt",
        "-c",
        written / "careful.txt",
    )
    all_raw = run("score", *raw, "-m", "green", "--tokenise", "english")
    assert "|refs:2|tok:english-1|level:corpus" in all_raw.out
    assert value(all_raw.out) == pytest.approx(of_tokens, abs=1)
    assert value(run(*line, written / "careful.txt").out) < of_tokens - 5
    options = "--tokenise english --tokenise-only systems --normalise nfc,quotes,whitespace"
    repaired = run(*line, written / "careful.txt", *options.split())
    assert "|norm:nfc+quotes(systems)|ws:repair(systems)|tok:english-1(systems)|" in repaired.out
    assert value(repaired.out) == pytest.approx(of_tokens, abs=1)


def test_source_of_gold_edits_is_not_tokenised(run: Run, written: Path, snapshot: SnapshotAssertion) -> None:
    line = ("score", "--gold", "gold.m2", "-c", written / "careful.txt", "-m", "maxmatch", "--tokenise", "english")
    assert run(*line) == snapshot
    assert "|tok:english-1(systems)|" in run(*line, "--tokenise-only", "systems").out


def test_raw_text_is_annotated_like_its_tokens(run: Run, written: Path) -> None:
    source, corrected = written / "source.txt", written / "ref0.txt"
    for path in (source, corrected):
        run("prepare", path, "--tokenise", "english", "-o", path.with_suffix(".tok"))
    tokenised = run("annotate", "-s", source.with_suffix(".tok"), "-c", corrected.with_suffix(".tok")).out
    raw = ("annotate", "-s", source, "-c", corrected, "--tokenise", "english")
    assert run(*raw).out == tokenised
    only_corrections = run(*raw, "--tokenise-only", "corrections").out
    assert only_corrections == run("annotate", "-s", source, "-c", corrected.with_suffix(".tok")).out
    assert run(*raw, "--tokenise-only", "systems").status == 2
    chunks = ("-f", "chunks", "--sentences", "1")
    expected = run("annotate", "-s", "source.txt", "-r", "ref0.txt", "-c", "systems/careful.txt", *chunks).out
    texts = ("-s", source, "-r", corrected, "-c", written / "careful.txt")
    assert run("annotate", *texts, *chunks, "--tokenise", "english").out == expected


@pytest.mark.parametrize(
    "options",
    [
        "--tokenise-only systems",
        "--normalise nfc,nfx",
        "--tokenise english --tokenise-only gold",
        "--tokenise trebank",
    ],
)
def test_invalid_preparation_is_refused(run: Run, examples: Path, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("score", *TEXTS, "-c", "systems/careful.txt", "-m", "green", *options.split()) == snapshot


@pytest.mark.parametrize("options", [(), ("--judged-only", "--level", "sentence"), ("--level", "scores")])
def test_signatures_of_meta_have_the_preparation(run: Run, examples: Path, options: tuple[str, ...]) -> None:
    data = ("--judgments", "judgments.xml", "--systems", "systems", *TEXTS, "-m", "green", *options)
    result = run("meta", *data, "--tokenise", "treebank", "--tokenise-only", "systems")
    assert (result.status, result.err) == (0, "")
    assert "|refs:2|tok:treebank-1(systems)|level:" in result.out
