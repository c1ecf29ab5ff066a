"""``geceval prepare``, and the options of raw text that commands share."""

from __future__ import annotations

import bz2
import io
import json
import sys
from pathlib import Path

import pytest

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
    ("options", "expected"),
    [
        (["--tokenise", "english"], "He ca n’t — “ go ” .\u200b Next one .\n\nend\n"),
        (["--tokenise", "english", "--normalise", "whitespace"], "He ca n’t — “ go ” . Next one .\n\nend\n"),
        (
            ["--tokenise", "treebank", "--normalise", "quotes,dashes,whitespace", "-j", "1"],
            'He ca n\'t -- " go " . Next one .\n\nend\n',
        ),
        (["--normalise", "whitespace"], "He can’t — “go”. Next one.\n\nend\n"),
    ],
)
def test_lines_are_cut(run: Run, raw: Path, options: list[str], expected: str) -> None:
    result = run("prepare", raw, *options)
    assert (result.status, result.out) == (0, expected)
    assert {line.partition(" by ")[0] for line in result.err.splitlines()} == {"note: 1 of 3 lines changed"}


def test_files_one_after_another_compressed_or_not_into_a_file(run: Run, raw: Path, tmp_path: Path) -> None:
    packed, out = tmp_path / "more.txt.bz2", tmp_path / "out.txt"
    packed.write_bytes(bz2.compress(b"It's\r\nhere.\n"))
    result = run("prepare", packed, raw, packed, "--tokenise", "english", "-o", out)
    assert (result.status, result.out, result.err) == (0, "", "note: 5 of 7 lines changed by tok:english-1\n")
    lines = list(read_lines(out))
    assert (lines[:2], lines[4], lines[5:]) == (["It 's", "here ."], "end", lines[:2])


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"It's.\n"))))
    assert run("prepare", "--tokenise", "treebank").out == "It 's .\n"


def test_the_list(run: Run) -> None:
    result = run("prepare", "--list")
    rows = dict(line.split()[:2] for line in result.out.splitlines()[2:] if line)
    assert (rows["english"], rows["treebank"], rows["char"]) == ("english-1", "treebank-1", "char-1")
    assert {"moses", "moses:LANG", "icu", "spacy:NAME"} < set(rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "error: nothing to do\n  hint: --clean llm"),
        (["--tokenise", "englsh"], "error: unknown tokeniser 'englsh': choose from english"),
        (["gold.m2.gz", "--tokenise", "char"], "error: gold.m2.gz: an M2 file cannot be prepared"),
        (["-", "-", "--tokenise", "char"], "error: standard input (-) can be given only once"),
        (["none.txt", "--tokenise", "char"], "error: none.txt: cannot read: No such file"),
        (["source.txt", "--clean", "llm"], "error: --clean requires the sentences"),
        (["source.txt", "--clean", "llm,quots", "-s", "source.txt"], "error: clean is one of llm, reasoning, json"),
        (["source.txt", "--clean", "none.toml", "-s", "source.txt"], "error: none.toml: cannot read: No such file"),
        (["source.txt", "--detokenise", "llm"], "error: detokenise is one of english, treebank, moses, plain, bea19"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, arguments: list[str], message: str) -> None:
    result = run("prepare", *arguments)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(message)


# --- cleaning and detokenising ---

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


def test_cleaning_and_its_differences(run: Run, chatty: tuple[Path, Path]) -> None:
    source, raw = chatty
    result = run("prepare", raw, "--clean", "llm", "-s", source)
    assert (result.status, result.out) == (0, CLEANED)
    assert result.err == "note: 2 of 3 lines changed by clean:llm-2\n"
    shown = run("prepare", raw, "--clean", "llm", "-s", source, "--diff")
    assert shown.out == (
        f"{raw}:1\n- Sure! Here is the corrected sentence: He goes home.\n+ He goes home.\n"
        f"{raw}:2\n- **\"I can't, go.\"**\n+ I can't, go.\n"
    )
    assert shown.err == result.err
    some = run("prepare", raw, raw, "--clean", "bold,labels", "-s", source)
    assert some.err == "note: 2 of 6 lines changed by clean:bold+labels-2\n"
    assert run("prepare", source, "--clean", "llm", "-s", source).out == source.read_text(encoding="utf-8")
    source.write_text("He go home.\n", encoding="utf-8")
    short = run("prepare", raw, "--clean", "llm", "-s", source)
    assert (short.status, short.out) == (2, "")
    assert "3   <- 2 more" in short.err


def test_answers_without_a_sentence_are_counted(run: Run, tmp_path: Path) -> None:
    source, raw = tmp_path / "s.txt", tmp_path / "raw.txt"
    source.write_text("Birds sing .\nBirds sings .\nIt rain .\n", encoding="utf-8")
    raw.write_text("The sentence is correct as it is.\nBirds sing.\n<think>Let me see: it\n", encoding="utf-8")
    result = run("prepare", raw, "--clean", "llm", "-s", source)
    assert result.out == "Birds sing .\nBirds sing.\n\n"
    assert result.err == (
        "note: 2 of 3 lines changed by clean:llm-2\n"
        "note: 1 of 3 lines only state that nothing is wrong, and are read as the source\n"
        "warning: 1 of 3 lines contain no correction but reasoning, and are read as empty"
        " (hint: allow more tokens per answer)\n"
    )
    annotated = run("annotate", "-s", source, "-c", raw, "--clean", "llm", "--no-checks")
    assert annotated.out.startswith("S Birds sing .\nA -1 -1|||noop|||")
    assert "note: 1 of 3 lines only state that nothing is wrong" in annotated.err


def test_tokens_to_text_and_back(run: Run, chatty: tuple[Path, Path], tmp_path: Path) -> None:
    source, raw = chatty
    both = run("prepare", raw, "--clean", "llm", "-s", source, "--tokenise", "english")
    tokens = 'He goes home .\nI ca n\'t , go .\nWell - known ( as a " place " ): fine .\n'.replace("):", ") :")
    assert both.out == tokens
    tokenised = tmp_path / "tokens.txt"
    tokenised.write_text(tokens, encoding="utf-8")
    result = run("prepare", tokenised, "--detokenise", "english")
    assert (result.out, result.err) == (CLEANED, "note: 3 of 3 lines changed by detok:english-1\n")
    again = run("prepare", tokenised, "--detokenise", "english", "--tokenise", "treebank")
    assert again.out == tokens.replace("Well - known", "Well-known")
    tokenised.write_text("can not\nU.S. .\ncan not gon na\n", encoding="utf-8")
    lossy = run("prepare", tokenised, "--detokenise", "english")
    assert lossy.out == "can not\nU.S..\ncan not gonna\n"
    assert f"\nnote: detokenised, 1 of 3 lines do not have the same tokens again: {tokenised}:2\n" in lossy.err


def test_scores_of_cleaned_outputs(run: Run, examples: Path, tmp_path: Path) -> None:
    chatty = tmp_path / "careful.txt"
    lines = read_lines("systems/careful.txt")
    chatty.write_text("".join(f'Corrected: "{line}"\n' for line in lines), encoding="utf-8")
    given = run("score", *TEXTS, "-c", "systems/careful.txt", "-m", "green").out
    damaged = run("score", *TEXTS, "-c", chatty, "-m", "green", "--no-checks").out
    cleaned = run("score", *TEXTS, "-c", chatty, "-m", "green", "--clean", "llm").out
    assert value(damaged) < value(cleaned) == value(given)
    assert "|refs:2|clean:llm-2|level:" in cleaned
    systems = ("-c", f"chatty={chatty}", "systems/eager.txt")
    account = json.loads(run("score", *TEXTS, *systems, "-m", "green", "--clean", "llm", "-f", "json").out)["outputs"]
    assert {name: own["cleaned"] for name, own in account.items()} == {"chatty": len(lines), "eager": 0}
    with_gold = run("score", "--gold", "gold.m2.gz", "-c", chatty, "-m", "maxmatch", "--clean", "llm")
    assert (
        with_gold.out.splitlines()[:3]
        == run("score", "--gold", "gold.m2.gz", "-c", "systems/careful.txt", "-m", "maxmatch").out.splitlines()[:3]
    )
    edits = run("annotate", "-s", "source.txt", "-c", "systems/careful.txt").out
    assert run("annotate", "-s", "source.txt", "-c", chatty, "--clean", "llm", "--no-checks").out == edits
    chunks = ("-f", "chunks", "--sentences", "1")
    given = run("annotate", "-s", "source.txt", "-r", "ref0.txt", "-c", "systems/careful.txt", *chunks).out
    raw = run("annotate", "-s", "source.txt", "-r", "ref0.txt", "-c", chatty, *chunks, "--clean", "llm").out
    assert raw == given


# --- score, chunks, annotate ---


@pytest.fixture
def written(examples: Path, tmp_path: Path) -> Path:
    """The example corpus as people write it."""
    for path in ("source.txt", "ref0.txt", "ref1.txt", "systems/careful.txt"):
        lines = (detokenise(line) for line in read_lines(examples / path))
        (tmp_path / Path(path).name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def value(out: str) -> float:
    return float(out.splitlines()[2].split()[1])


TEXTS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")


def test_scores_of_raw_text(run: Run, written: Path) -> None:
    raw = (
        "-s",
        written / "source.txt",
        "-r",
        written / "ref0.txt",
        written / "ref1.txt",
        "-c",
        written / "careful.txt",
    )
    given = run("score", *TEXTS, "-c", "systems/careful.txt", "-m", "green").out
    all_raw = run("score", *raw, "-m", "green", "--tokenise", "english")
    assert "|refs:2|tok:english-1|level:corpus" in all_raw.out
    assert value(all_raw.out) == pytest.approx(value(given), abs=1)
    mixed = run("score", *TEXTS, "-c", written / "careful.txt", "-m", "green")
    assert value(mixed.out) < value(given) - 5
    options = (
        "--tokenise",
        "english",
        "--tokenise-only",
        "systems",
        "--normalise",
        "nfc,quotes,whitespace",
    )
    repaired = run("score", *TEXTS, "-c", written / "careful.txt", "-m", "green", *options)
    signed = "|norm:nfc+quotes(systems)|ws:repair(systems)|tok:english-1(systems)|"
    assert signed in repaired.out
    assert value(repaired.out) == pytest.approx(value(given), abs=1)


def test_gold_edits_are_not_tokenised(run: Run, written: Path) -> None:
    command = ("score", "--gold", "gold.m2", "-c", written / "careful.txt", "-m", "maxmatch", "--tokenise", "english")
    result = run(*command)
    assert (result.status, result.out) == (2, "")
    assert result.err == (
        "error: the source cannot be prepared: the gold edits (M2) count its tokens as they are\n"
        "  hint: prepare other texts only: --tokenise-only systems\n"
    )
    assert "|tok:english-1(systems)|" in run(*command, "--tokenise-only", "systems").out


def test_annotate(run: Run, written: Path) -> None:
    source, corrected = written / "source.txt", written / "ref0.txt"
    for path in (source, corrected):
        run("prepare", path, "--tokenise", "english", "-o", path.with_suffix(".tok"))
    tokenised = run("annotate", "-s", source.with_suffix(".tok"), "-c", corrected.with_suffix(".tok")).out
    raw = ("annotate", "-s", source, "-c", corrected, "--tokenise", "english")
    assert run(*raw).out == tokenised
    assert run("annotate", "-s", source, "-c", corrected.with_suffix(".tok")).out == (
        run(*raw, "--tokenise-only", "corrections").out
    )
    assert run(*raw, "--tokenise-only", "systems").status == 2


def test_chunks(run: Run, written: Path) -> None:
    raw = ("-s", written / "source.txt", "-r", written / "ref0.txt", "-c", written / "careful.txt")
    chunks = ("-f", "chunks", "--sentences", "1")
    given = run("annotate", "-s", "source.txt", "-r", "ref0.txt", "-c", "systems/careful.txt", *chunks).out
    assert run("annotate", *raw, *chunks, "--tokenise", "english").out == given


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tokenise-only", "systems"], "--tokenise-only selects texts but no step is given"),
        (["--normalise", "nfc,nfx"], "unknown value 'nfx': choose from nfc, nfd"),
        (["--tokenise", "english", "--tokenise-only", "gold"], "unknown value 'gold'"),
        (["--tokenise", "trebank"], "did you mean treebank?"),
    ],
)
def test_wrong_options_are_refused(run: Run, examples: Path, options: list[str], message: str) -> None:
    result = run("score", *TEXTS, "-c", "systems/careful.txt", "-m", "green", *options)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("options", [(), ("--judged-only", "--level", "sentence"), ("--level", "scores")])
def test_meta(run: Run, examples: Path, options: tuple[str, ...]) -> None:
    data = ("--judgments", "judgments.xml", "--systems", "systems", *TEXTS, "-m", "green", *options)
    result = run("meta", *data, "--tokenise", "treebank", "--tokenise-only", "systems")
    assert (result.status, result.err) == (0, "")
    assert "|refs:2|tok:treebank-1(systems)|level:" in result.out
