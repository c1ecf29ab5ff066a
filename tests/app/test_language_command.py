"""``geceval language``, and the options that say what language texts are in."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from support.commands import Run

WORDS = "der die das und Haus Häuser Hund Hunde geht gehen sehr gut alt alte alten nicht kein keine".split()
CONLLU = "".join(f"{at}\t{word}\t{word}\tNOUN\t_\t_\t0\troot\t_\t_\n" for at, word in enumerate(WORDS, 1))

#: Each has more than fifty words, so that a language can be guessed.
TEXTS = {
    "de": "die alten und guten Menschen gehen nicht immer nach dem Essen in das kleine Haus , weil sie dort wohnen ."
    " wir haben sie oft gesehen , und es war sehr schön . dann kam der andere und hat uns nicht mehr gefragt , was wir"
    " machen oder wo wir sind , denn das wissen alle , die hier leben und arbeiten . aber man kann nie wissen , ob es"
    " so bleibt oder ob alles anders wird",
    "en": "the old and good people do not always go into the little house after the meal , because they live there . we"
    " have often seen them and it was very nice . then the other came and did not ask us any more what we do or where"
    " we are , since all who live and work here know that . but one can never know whether it stays like this",
    "plain": "кіт сидить там на вікні і дивиться на двір де бігають діти та собаки " * 6,
}


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """A pair of German texts: source.txt and target.txt."""
    (tmp_path / "source.txt").write_text(TEXTS["de"] + "\nDas ist Haus .\n", encoding="utf-8")
    (tmp_path / "target.txt").write_text(TEXTS["de"] + "\nDas ist das Haus .\n", encoding="utf-8")
    return tmp_path


def test_a_language_is_made_and_used(run: Run, text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(text)
    Path("tiny.conllu.gz").write_bytes(gzip.compress(CONLLU.encode()))
    made = run("language", "make", "--conllu", "tiny.conllu.gz", "--code", "xx", "--version", "3")
    assert (made.status, made.out) == (0, "")
    assert made.err.startswith("xx.lexicon: lexicon-xx-3, 22 forms, ")
    assert made.err.endswith("; use it with --language xx.lexicon\n")
    found = run("annotate", "-s", "source.txt", "-c", "target.txt", "--language", "xx.lexicon")
    assert found.status == 0
    assert found.out.splitlines()[-2] == "A 2 2|||M:NOUN|||das|||REQUIRED|||-NONE-|||0"
    scored = run("score", *"-s source.txt -r target.txt -c source.txt -m errant green --language xx.lexicon".split())
    assert "|annotator:lexicon-xx-3|" in scored.out
    assert "|types:universal|" in scored.out


def test_a_table_goes_to_standard_output(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tiny.conllu").write_text(CONLLU)
    made = run("language", "make", "--conllu", tmp_path / "tiny.conllu", "--code", "xx", "-o", "-")
    assert made.out.startswith("geceval-lexicon 1\ncode\txx\nversion\t")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--code", "s v"], "--code: 's v' is not valid in a signature"),
        (["--code", "sv", "--version", "1|2"], "--version: '1|2' is not valid in a signature"),
        (["--code", "sv", "--source", "a\tb"], "--source: 'a\\tb' is not valid in a table"),
        (["--code", "sv", "--words", "nowhere.txt"], "nowhere.txt"),
        (
            ["--code", "sv", "--words", "counts.txt"],
            "counts.txt:2: a word list has one word per line, found 'b\\t12'",
        ),
        (["--code", ""], "--code: '' is not valid in a signature"),
        ([], "--code is required"),
    ],
)
def test_what_cannot_be_made_is_told(
    run: Run, tmp_path: Path, options: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tiny.conllu").write_text(CONLLU)
    Path("counts.txt").write_text("a\nb\t12\n")
    made = run("language", "make", "--conllu", "tiny.conllu", *options, "-o", "out")
    assert made.status == 2
    assert message in made.err
    assert not (tmp_path / "out").exists()


def test_the_list(run: Run) -> None:
    lines = run("language", "list").out.splitlines()
    assert lines[0].split() == ["name", "language", "in", "signatures", "rules", "types"]
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:]}
    assert rows["cs"] == ["cs", "lexicon-cs-1", "czech", "universal"]
    assert rows["plain"] == ["any", "plain-1", "generic", "generic"]
    assert rows["lexicon:FILE"] == ["any:", "FILE"]


@pytest.mark.parametrize("language", TEXTS)
def test_auto_says_what_it_chose(run: Run, tmp_path: Path, language: str) -> None:
    (tmp_path / "source.txt").write_text(f"{TEXTS[language]}\n" * 2, encoding="utf-8")
    (tmp_path / "target.txt").write_text(f"{TEXTS[language]} .\n" * 2, encoding="utf-8")
    given = ["-s", tmp_path / "source.txt", "-r", tmp_path / "target.txt", "-c", tmp_path / "target.txt"]
    result = run("score", *given, "-m", "errant", "--language", "auto", "--no-checks")
    assert result.err.startswith(f"note: --language auto: {language} (of the words known: en ")
    name = {"de": "lexicon-de-1", "en": "builtin-2", "plain": "plain-1"}[language]
    assert f"|annotator:{name}|" in result.out
    # The same from the gold's sentences, and quietly.
    gold = tmp_path / "gold.m2"
    gold.write_text("".join(f"S {TEXTS[language]}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n" for _ in "12"))
    again = run("score", "--gold", gold, "-c", tmp_path / "target.txt", "-m", "errant", "--language", "auto", "-q")
    assert again.err == ""
    assert f"|annotator:{name}|" in again.out


def test_auto_that_cannot_tell_is_an_error(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = run("annotate", "-s", tmp_path / "pipe", "-c", tmp_path / "pipe", "--language", "auto")
    assert (pipe.status, "requires a source that can be read twice" in pipe.err) == (2, True)
    (tmp_path / "few.txt").write_text("only a few words\n")
    given = ["-s", tmp_path / "few.txt", "-c", tmp_path / "few.txt"]
    result = run("annotate", *given, "--language", "auto")
    assert (result.status, result.out) == (2, "")
    assert "from 3 words" in result.err
    piped = run("annotate", "-s", "-", "-c", tmp_path / "few.txt", "--language", "auto")
    assert piped.status == 2
    assert "requires a source that can be read twice" in piped.err


@pytest.mark.parametrize("command", ["score", "compare", "rank", "annotate -f chunks", "m2 weights", "show"])
def test_every_command_knows_the_language(run: Run, text: Path, command: str) -> None:
    """It is the annotator of all metrics that have one and were told no other; none of them takes it for English."""
    given = ["-s", text / "source.txt", "-r", text / "target.txt", "-c", f"A={text / 'target.txt'}"]
    more = {"compare": ["-m", "errant", "--samples", "100"], "rank": ["-m", "errant"], "score": ["-m", "errant,cleme"]}
    given += [f"B={text / 'source.txt'}", *more.get(command, [])]
    result = run(*command.split(), *given, "--language", "de")
    assert result.status == 0
    assert "English" not in result.err
    if command in more:
        assert result.out.count("|annotator:lexicon-de-1|") == (2 if command == "score" else 1)
    unknown = run(*command.split(), *given, "--language", "sv")
    assert unknown.status == 2
    assert "unknown language 'sv': choose from en, builtin, " in unknown.err
    assert "geceval language make" in unknown.err


def test_an_annotator_is_a_language_and_a_setting_goes_before_it(run: Run, text: Path) -> None:
    given = ["-s", text / "source.txt", "-r", text / "target.txt", "-c", text / "target.txt", "--no-checks"]
    result = run("score", *given, "-m", "errant:annotator=plain", "cleme", "--annotator", "cs:generic")
    assert "ERRANT|mode:cs|beta:0.5|size:all|annotator:plain-1|" in result.out
    assert "|annotator:lexicon-cs-1+generic|" in result.out


def test_the_tokeniser_of_a_language(run: Run, tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("It isn't.\n")
    result = run("prepare", "--language", "en", tmp_path / "raw.txt")
    notes = "note: --tokenise auto: english\nnote: 1 of 1 lines changed by tok:english-1\n"
    assert (result.out, result.err) == ("It is n't .\n", notes)
    assert run("prepare", "--tokenise", "auto", tmp_path / "raw.txt").out == "It is n't .\n"
    both = run("prepare", "--tokenise", "char", "--language", "en", tmp_path / "raw.txt")
    assert (both.status, both.out) == (2, "")
    assert both.err == (
        "error: --language en selects a tokeniser, and --tokenise char another one\n  hint: omit one of them\n"
    )
    named = run("prepare", "--tokenise", "auto", "--language", "zh", tmp_path / "raw.txt")
    assert named.err.startswith("note: --tokenise auto: char\n")
    given = ["-s", tmp_path / "raw.txt", "-r", tmp_path / "raw.txt", "-c", tmp_path / "raw.txt", "-m", "green"]
    scored = run("score", *given, "--tokenise", "auto")
    assert scored.err.startswith("note: --tokenise auto: english\n")
    assert "|tok:english-1|" in scored.out
    pair = ["-s", tmp_path / "raw.txt", "-c", tmp_path / "raw.txt"]
    with_annotator = run("annotate", *pair, "--tokenise", "auto", "--annotator", "plain")
    assert (with_annotator.status, "plain has no tokeniser" in with_annotator.err) == (2, True)
    without = run("score", *given, "--tokenise", "auto", "--language", "plain")
    assert without.status == 2
    assert "the language plain has no tokeniser" in without.err


def test_the_tokeniser_of_a_guessed_language(run: Run, tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text(TEXTS["en"] + "\nIt isn't.\n")
    guessed = run("prepare", "--language", "auto", tmp_path / "raw.txt")
    assert guessed.out.endswith("It is n't .\n")
    first, second, _ = guessed.err.splitlines()
    assert first.startswith("note: --language auto: en (")
    assert second == "note: --tokenise auto: english"
    piped = run("prepare", "--language", "auto")
    assert (piped.status, piped.out) == (2, "")
    assert "that can be read twice\n  hint: --language NAME" in piped.err


def test_errant_parallel_cuts_raw_text_as_the_language_does(run: Run, tmp_path: Path) -> None:
    """A language whose table names a tokeniser; plain names none."""
    (tmp_path / "tiny.conllu").write_text(CONLLU)
    table = tmp_path / "xx.lexicon"
    run("language", "make", "--conllu", tmp_path / "tiny.conllu", "--code", "xx", "--tokeniser", "char", "-o", table)
    (tmp_path / "raw.txt").write_text("ab\n")
    (tmp_path / "fixed.txt").write_text("abc\n")
    given = ["-orig", tmp_path / "raw.txt", "-cor", tmp_path / "fixed.txt", "-out", "-", "-tok", "--annotator"]
    assert run("errant_parallel", *given, table).out == "S a b\nA 2 2|||M:X|||c|||REQUIRED|||-NONE-|||0\n\n"
    refused = run("errant_parallel", *given, "plain")
    assert refused.status == 2
    assert "plain-1 does not tokenise" in refused.err
