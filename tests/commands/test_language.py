"""``geceval language``, and the options that state the language of the texts."""

from __future__ import annotations

import gzip
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.text import tokenisers
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


def test_language_made_from_a_treebank_is_used(run: Run, text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(text)
    Path("tiny.conllu.gz").write_bytes(gzip.compress(CONLLU.encode()))
    result = run("language", "make", "--conllu", "tiny.conllu.gz", "--code", "xx", "--version", "3")
    assert (result.status, result.out) == (0, "")
    assert result.err.startswith("xx.lexicon: lexicon-xx-3, 22 forms, ")
    assert result.err.endswith("; use it with --language xx.lexicon\n")
    annotated = run("annotate", "-s", "source.txt", "-c", "target.txt", "--language", "xx.lexicon")
    assert annotated.status == 0
    assert annotated.out.splitlines()[-2] == "A 2 2|||M:NOUN|||das|||REQUIRED|||-NONE-|||0"
    scored = run("score", *"-s source.txt -r target.txt -c source.txt -m errant green --language xx.lexicon".split())
    assert "|annotator:lexicon-xx-3|" in scored.out
    assert "|types:universal|" in scored.out


def test_table_of_a_language_goes_to_standard_output_on_request(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tiny.conllu").write_text(CONLLU)
    result = run("language", "make", "--conllu", tmp_path / "tiny.conllu", "--code", "xx", "-o", "-")
    assert result.out.startswith("geceval-lexicon 1\ncode\txx\nversion\t")


@pytest.mark.parametrize(
    "options",
    [
        ["--code", "s v"],
        ["--code", "sv", "--version", "1|2"],
        ["--code", "sv", "--origin", "a\tb"],
        ["--code", "sv", "--words", "nowhere.txt"],
        ["--code", "sv", "--words", "counts.txt"],
        ["--code", ""],
        [],
    ],
    ids=" ".join,
)
def test_language_with_an_invalid_option_is_not_made(
    run: Run, tmp_path: Path, options: list[str], monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tiny.conllu").write_text(CONLLU)
    Path("counts.txt").write_text("a\nb\t12\n")
    assert run("language", "make", "--conllu", "tiny.conllu", *options, "-o", "out") == snapshot
    assert not Path("out").exists()


def test_list_has_a_row_for_each_language(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("language", "list") == snapshot


@pytest.mark.parametrize("language", TEXTS)
def test_auto_selects_the_language_of_the_words(run: Run, tmp_path: Path, language: str) -> None:
    text = TEXTS[language]
    (tmp_path / "source.txt").write_text(f"{text}\n" * 2, encoding="utf-8")
    (tmp_path / "target.txt").write_text(f"{text} .\n" * 2, encoding="utf-8")
    (tmp_path / "gold.m2").write_text(f"S {text}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n" * 2)
    options = ["-c", tmp_path / "target.txt", "-m", "errant", "--language", "auto"]
    result = run("score", "-s", tmp_path / "source.txt", "-r", tmp_path / "target.txt", *options, "--no-checks")
    assert result.err.startswith(f"note: --language auto: {language} (of the words known: en ")
    gold = run("score", "--gold", tmp_path / "gold.m2", *options, "-q")
    assert gold.err == ""
    annotator = {"de": "lexicon-de-3", "en": "builtin:3-2", "plain": "plain-1"}[language]
    assert f"|annotator:{annotator}|" in result.out
    assert f"|annotator:{annotator}|" in gold.out


@pytest.mark.parametrize("source", ["pipe", "few.txt", "-"])
def test_auto_without_enough_words_is_an_error(
    run: Run, tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("few.txt").write_text("only a few words\n")
    assert run("annotate", "-s", source, "-c", "few.txt", "--language", "auto") == snapshot


@pytest.mark.parametrize("command", ["score", "compare", "rank", "annotate -f chunks", "m2 weights", "show"])
def test_language_selects_the_annotator_of_every_metric(
    run: Run, text: Path, command: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(text)
    metrics = {"compare": "-m errant --samples 100", "rank": "-m errant", "score": "-m errant,cleme"}
    line = f"{command} -s source.txt -r target.txt -c A=target.txt B=source.txt {metrics.get(command, '')}".split()
    result = run(*line, "--language", "de")
    assert result.status == 0
    assert "English" not in result.err
    if command in metrics:
        assert result.out.count("|annotator:lexicon-de-3|") == (2 if command == "score" else 1)
    assert run(*line, "--language", "xx") == snapshot


def test_setting_of_a_metric_takes_precedence_over_the_annotator_option(run: Run, text: Path) -> None:
    texts = ["-s", text / "source.txt", "-r", text / "target.txt", "-c", text / "target.txt", "--no-checks"]
    result = run("score", *texts, "-m", "errant:annotator=plain", "cleme", "--language", "cs:generic")
    assert "ERRANT|mode:cs|beta:0.5|size:all|annotator:plain-1|" in result.out
    assert "|annotator:lexicon-cs-3+generic|" in result.out


@pytest.mark.parametrize(
    "line",
    [
        "prepare raw.txt --language en",
        "prepare raw.txt --tokenise auto",
        "prepare raw.txt --tokenise auto --language zh",
        "prepare raw.txt --tokenise char --language en",
        "prepare --language auto",
        "score -s raw.txt -r raw.txt -c raw.txt -m green --no-checks --tokenise auto",
        "score -s raw.txt -r raw.txt -c raw.txt -m green --no-checks --tokenise auto --language plain",
        "annotate -s raw.txt -c raw.txt --no-checks --tokenise auto --language plain",
    ],
)
def test_language_selects_the_tokeniser(
    run: Run, tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("raw.txt").write_text("It isn't.\n")
    assert run(*line.split()) == snapshot


def test_auto_tokenises_a_detected_language(run: Run, tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("¿Dónde viven tus hermanos mayores?\nNuestra madre trabaja mucho.\n")
    texts = [item for flag in ("-s", "-r", "-c") for item in (flag, tmp_path / "raw.txt")]
    result = run("score", *texts, "-m", "green", "--tokenise", "auto")
    assert result.err.startswith("note: --tokenise auto: plain (of the words known: en 0 %")
    assert "|tok:plain-1|" in result.out
    assert "|tok:plain-1|" in run("score", *texts, "-m", "green", "--tokenise", "spanish").out


@pytest.mark.parametrize("options", ["--tokenise auto --language German", "--tokenise german", "--tokenise auto"])
def test_tokeniser_of_the_language_that_is_not_installed_is_an_error_with_two_steps(
    run: Run, tmp_path: Path, options: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sacremoses", None)
    tokenisers._make_cached.cache_clear()
    (tmp_path / "raw.txt").write_text("Das ist, denke ich, ein gutes Buch, und wir haben gestern lange gelesen.\n")
    result = run("prepare", tmp_path / "raw.txt", *options.split())
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {' '.join(options.split()[:2])}: moses:de, the tokeniser of ")
    assert result.err.endswith("hint: pip install 'geceval[moses]', or --tokenise plain, which gives other scores\n")
    mended = run("prepare", tmp_path / "raw.txt", "--tokenise", "plain")
    assert mended.out == "Das ist , denke ich , ein gutes Buch , und wir haben gestern lange gelesen .\n"


JAPANESE = {
    "source": ["昨日友達に映画を見ました。", "私はりんごを好きです。"],
    "corrected": ["昨日友達と映画を見ました。", "私はりんごが好きです。"],
}


@pytest.fixture
def japanese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    for name, lines in JAPANESE.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    return "-s source.txt -r corrected.txt -c corrected.txt source.txt"


def test_text_without_blanks_is_scored_by_characters(run: Run, japanese: str) -> None:
    result = run("score", *japanese.split(), "-m", "errant", "green")
    assert result.err.startswith("note: Japanese without spaces between words is split into characters: --language ja")
    assert result.err.count("\n") == 1
    assert "|annotator:plain-1|" in result.out
    assert result.out.count("|tok:char-1|") == 2
    # The options of the note give the same scores.
    options = ["-m", "errant", "green", "--language", "ja", "--tokenise", "char"]
    assert run("score", *japanese.split(), *options) == replace(result, err="")
    edits = run("annotate", "-s", "source.txt", "-c", "corrected.txt").out.splitlines()
    assert [line for line in edits if line.startswith("A")] == [
        "A 4 5|||R:X|||と|||REQUIRED|||-NONE-|||0",
        "A 5 6|||R:X|||が|||REQUIRED|||-NONE-|||0",
    ]


@pytest.mark.parametrize("options", ["-m green --tokenise english", "-m green:unit=char", "-m green green:unit=char"])
def test_chosen_tokens_and_characters_stay(run: Run, japanese: str, options: str) -> None:
    result = run("score", *japanese.split(), *options.split())
    assert "|tok:char-1|" not in result.out
    assert "split into characters" not in result.err
    assert ("it has no spaces between words" in result.err) == (options != "-m green:unit=char")


def test_segmented_text_stays(run: Run, japanese: str) -> None:
    run("prepare", "source.txt", "--tokenise", "ja", "-o", "segmented.txt")
    result = run("score", *"-s segmented.txt -r segmented.txt -c corrected.txt -m green".split())
    [warning] = result.err.splitlines()
    assert warning.startswith("warning: system corrected: it is not tokenised; the source is tokenised (hint:")
    assert "--tokenise auto" in warning
    hinted = run("score", *"-s segmented.txt -r segmented.txt -c corrected.txt -m green --tokenise auto".split())
    assert "warning" not in hinted.err


def test_systems_are_tokenised_as_the_gold(run: Run, japanese: str) -> None:
    run("annotate", "-s", "source.txt", "-c", "corrected.txt", "-o", "gold.m2")
    line = "score --gold gold.m2 -c corrected.txt -m maxmatch -f csv".split()
    hint = "--tokenise auto --tokenise-only systems"
    assert hint in run(*line).err
    assert run(*line, *hint.split()).out == "system,MaxMatch\ncorrected,100.00\n"


def test_guessed_language_selects_the_tokeniser(run: Run, tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text(TEXTS["en"] + "\nIt isn't.\n")
    result = run("prepare", "--language", "auto", tmp_path / "raw.txt")
    assert result.out.endswith("It is n't .\n")
    first, second, _ = result.err.splitlines()
    assert first.startswith("note: --language auto: en (")
    assert second == "note: --tokenise auto: english"


def test_errant_parallel_tokenises_with_the_tokeniser_of_the_language(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """A lexicon that names a tokeniser, and plain."""
    monkeypatch.chdir(tmp_path)
    Path("tiny.conllu").write_text(CONLLU)
    run(*"language make --conllu tiny.conllu --code xx --tokeniser char".split())
    Path("raw.txt").write_text("ab\n")
    Path("fixed.txt").write_text("abc\n")
    line = "errant_parallel -orig raw.txt -cor fixed.txt -out - -tok --annotator"
    assert run(*line.split(), tmp_path / "xx.lexicon").out == "S a b\nA 2 2|||M:X|||c|||REQUIRED|||-NONE-|||0\n\n"
    assert run(*line.split(), "plain") == snapshot
