"""``-o FILE``: the ending decides the format and the compression, in every command alike."""

from __future__ import annotations

import bz2
import gzip
import importlib.util
import json
import lzma
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.base.errors import UsageError
from geceval.cli.options import OutputFile, OutputOptions, changed
from geceval.cli.output import ENDINGS, format_of, writing
from geceval.tables.report import FORMATS
from geceval.text.files import COMPRESSED
from support.commands import Run

SCORE = "score -s source.txt -r ref0.txt ref1.txt -c systems/careful.txt -m green -q".split()
HAS_ZSTD = sys.version_info >= (3, 14) or importlib.util.find_spec("backports") is not None
OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@given(
    st.sampled_from([*ENDINGS, "", ".txt", ".out"]),
    st.sampled_from(["", *COMPRESSED[:3]]),
    st.none() | st.sampled_from(FORMATS),
)
def test_format_is_of_the_ending_or_given_or_refused(ending: str, packing: str, asked: str | None) -> None:
    held = [name for name in FORMATS if name in ENDINGS.get(ending, FORMATS)]
    target = f"a.b/scores{ending}{packing}"
    if asked in (None, *held) and held:
        assert format_of(target, asked, FORMATS) == (asked or held[0])
        return
    with pytest.raises(UsageError, match=r"contradict each other|does not write") as error:
        format_of(target, asked, FORMATS)
    assert error.value.hint is not None


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("ending", "start"),
    [
        (".csv", "system,GREEN\ncareful,62.28\n"),
        (".tsv", "system\tGREEN\n"),
        (".json", "{"),
        (".md", "| system | GREEN |\n"),
        (".tex", "% GREEN|"),
        (".txt", "system    GREEN\n"),
        ("", "system    GREEN\n"),
        (".MD", "| system | GREEN |\n"),
    ],
)
def test_ending_decides_the_format(run: Run, tmp_path: Path, ending: str, start: str) -> None:
    target = tmp_path / f"scores{ending}"
    assert run(*SCORE, "-o", target).status == 0
    assert target.read_text(encoding="utf-8").startswith(start)


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("packing", OPENERS)
def test_ending_compresses_the_same_text_to_the_same_bytes(run: Run, tmp_path: Path, packing: str) -> None:
    one, other = tmp_path / f"one.csv{packing}", tmp_path / f"other.csv{packing}"
    for target in (one, other):
        assert run(*SCORE, "-o", target).status == 0
    assert one.read_bytes() == other.read_bytes()
    with OPENERS[packing](one, "rt", encoding="utf-8") as file:
        assert file.read() == run(*SCORE, "-f", "csv").out


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("packing", OPENERS)
def test_sentence_scores_are_compressed_as_they_come(run: Run, tmp_path: Path, packing: str) -> None:
    target = tmp_path / f"scores.jsonl{packing}"
    assert run(*SCORE, "--level", "sentence", "-o", target).status == 0
    with OPENERS[packing](target, "rt", encoding="utf-8") as file:
        assert file.read() == run(*SCORE, "--level", "sentence", "-f", "jsonl").out
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (
            ("-o", "a.json", "-f", "csv"),
            "--output a.json and --format csv contradict each other",
            ".csv for csv, or no ",
        ),
        (("-o", "a.csv.gz", "-f", "json"), "--output a.csv.gz and --format json contradict", ".json for json, or no "),
        (("-o", "a.html"), "--output a.html: this command does not write .html files", "endings of this command: .csv"),
        (("-o", "a.m2"), "--output a.m2: this command does not write .m2 files", "endings of this command: .csv, .tsv"),
        (("-o", "a.xlsx"), "--output a.xlsx: this command does not write .xlsx files", "endings of this command: .csv"),
        (("-o", "a.xlsx", "-f", "csv"), "--output a.xlsx: this command does not write .xlsx files", "endings of this"),
        (
            ("-o", "a.pdf.gz"),
            "--output a.pdf.gz: this command does not write .pdf files",
            "endings of this command: .csv",
        ),
        (
            ("-o", "a.unknown"),
            "--output a.unknown: this command does not write .unknown files",
            "endings of this command: .csv",
        ),
        (("-o", "a.jsonl"), "--format jsonl is for sentences", "--level sentence"),
    ],
)
def test_contradictions_are_refused(run: Run, arguments: tuple[str, ...], message: str, hint: str) -> None:
    result = run(*SCORE, *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert f"hint: {hint}" in result.err
    assert not list(Path().glob("a.*"))


@pytest.mark.usefixtures("examples")
def test_an_unknown_ending_is_accepted_with_a_format_as_the_hint_says(run: Run, tmp_path: Path) -> None:
    refused = run(*SCORE, "-o", tmp_path / "scores.v2")
    assert refused.err.endswith(".txt (table); any other with --format\n")
    assert run(*SCORE, "-o", tmp_path / "scores.v2", "-f", "csv").status == 0
    assert (tmp_path / "scores.v2").read_text(encoding="utf-8").startswith("system,GREEN\n")


@pytest.mark.usefixtures("examples")
def test_sentences_may_have_any_ending_but_that_of_another_kind_of_file(run: Run, tmp_path: Path) -> None:
    assert run("prepare", "--normalise", "whitespace", "source.txt", "-o", tmp_path / "source.en").status == 0
    refused = run("prepare", "--normalise", "whitespace", "source.txt", "-o", tmp_path / "source.docx")
    assert (refused.status, [path.name for path in tmp_path.iterdir()]) == (2, ["source.en"])


@pytest.mark.usefixtures("examples")
def test_text_and_pages_know_their_endings(run: Run, tmp_path: Path) -> None:
    text = run("prepare", "--normalise", "whitespace", "source.txt", "-o", tmp_path / "a.csv")
    assert "does not write .csv files\n  hint: endings of this command: .txt (text)\n" in text.err
    page = run("report", *SCORE[1:], "-o", tmp_path / "a.json")
    assert "does not write .json files\n  hint: endings of this command: .html" in page.err
    assert not list(tmp_path.iterdir())
    sentences = run(
        "show", "-s", "source.txt", "-r", "ref0.txt", "-c", "systems/careful.txt", "-o", tmp_path / "a.json"
    )
    assert sentences.status == 0
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["schema"].startswith("geceval/")


def test_zstd_without_its_package_is_refused_before_anything_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("compression", "backports", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    result = run("score", "-s", "missing", "-r", "missing", "-c", "missing", "-m", "green", "-o", "a.csv.zst")
    assert result.status == 2
    assert result.err == "error: zstd files need a package\n  hint: pip install 'geceval[zst]'\n"


@pytest.mark.skipif(not HAS_ZSTD, reason="no zstd package here")
def test_zstd_is_written_and_read(tmp_path: Path) -> None:
    from geceval.text.files import open_bytes

    target = str(tmp_path / "a.txt.zst")
    with writing(target) as out:
        out.write("é\n")
    with open_bytes(target) as file:
        assert file.read() == "é\n".encode()


def test_failure_leaves_a_valid_compressed_file(tmp_path: Path) -> None:
    with pytest.raises(UnicodeDecodeError), writing(str(tmp_path / "a.gz")) as out:
        out.writelines(text.decode() for text in (b"started", b"\xff"))
    assert [path.name for path in tmp_path.iterdir()] == ["a.gz.partial"]
    assert gzip.decompress((tmp_path / "a.gz.partial").read_bytes()) == b"started"


def test_request_stays_as_given_and_resolves_its_format() -> None:
    options = OutputOptions(target=OutputFile("scores.csv.gz"))
    assert (options.format, options.written_format) == (None, "csv")
    assert changed(options) == {"target": "scores.csv.gz"}
    with pytest.raises(UsageError, match="contradict each other"):
        OutputOptions(target=OutputFile("scores.csv"), format="json")
