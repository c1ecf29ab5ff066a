"""``-o FILE``: the extension selects the format and the compression, in every command."""

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
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import UsageError
from geceval.commands.shared.option_values import OutputFile, changed
from geceval.commands.shared.options import OutputOptions
from geceval.commands.shared.output_formats import ENDINGS, format_of
from geceval.tables.report import FORMATS
from geceval.terminal.writing import writing
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
def test_format_is_that_of_the_extension_or_the_option_or_refused(
    ending: str, compression: str, option: str | None
) -> None:
    possible = [name for name in FORMATS if name in ENDINGS.get(ending, FORMATS)]
    target = f"a.b/scores{ending}{compression}"
    if option in (None, *possible) and possible:
        assert format_of(target, option, FORMATS) == (option or possible[0])
        return
    with pytest.raises(UsageError, match=r"contradict each other|does not write") as error:
        format_of(target, option, FORMATS)
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
def test_extension_selects_the_format(run: Run, tmp_path: Path, ending: str, start: str) -> None:
    target = tmp_path / f"scores{ending}"
    assert run(*SCORE, "-o", target).status == 0
    assert target.read_text(encoding="utf-8").startswith(start)


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize("compression", OPENERS)
def test_extension_compresses_the_same_text_to_the_same_bytes(
    run: Run, tmp_path: Path, compression: str, level: str
) -> None:
    first, second = tmp_path / f"first.csv{compression}", tmp_path / f"second.csv{compression}"
    for target in (first, second):
        assert run(*SCORE, "--level", level, "-o", target).status == 0
    assert first.read_bytes() == second.read_bytes()
    with OPENERS[compression](first, "rt", encoding="utf-8") as file:
        assert file.read() == run(*SCORE, "--level", level, "-f", "csv").out
    assert sorted(tmp_path.iterdir()) == [first, second]


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    "line",
    [
        "-o a.json -f csv",
        "-o a.csv.gz -f json",
        "-o a.html",
        "-o a.m2",
        "-o a.ods -f csv",
        "-o a.html.gz",
        "-o a.unknown",
        "-o a.jsonl",
    ],
)
def test_extension_that_contradicts_the_format_or_command_is_refused(
    run: Run, line: str, snapshot: SnapshotAssertion
) -> None:
    assert run(*SCORE, *line.split()) == snapshot
    assert not list(Path().glob("a.*"))


@pytest.mark.usefixtures("examples")
def test_unknown_extension_is_accepted_with_a_format(run: Run, tmp_path: Path) -> None:
    refused = run(*SCORE, "-o", tmp_path / "scores.v2")
    assert refused.err.endswith(".txt (table); any other with --format\n")
    assert run(*SCORE, "-o", tmp_path / "scores.v2", "-f", "csv").status == 0
    assert (tmp_path / "scores.v2").read_text(encoding="utf-8").startswith("system,GREEN\n")


@pytest.mark.usefixtures("examples")
def test_sentences_may_have_any_extension_but_that_of_another_kind_of_file(run: Run, tmp_path: Path) -> None:
    assert run("prepare", "--normalise", "whitespace", "source.txt", "-o", tmp_path / "source.en").status == 0
    refused = run("prepare", "--normalise", "whitespace", "source.txt", "-o", tmp_path / "source.docx")
    assert (refused.status, [path.name for path in tmp_path.iterdir()]) == (2, ["source.en"])


@pytest.mark.usefixtures("examples")
def test_text_page_and_sentences_have_their_extensions(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert run("prepare", "--normalise", "whitespace", "source.txt", "-o", tmp_path / "a.csv") == snapshot
    assert run("report", *SCORE[1:], "-o", tmp_path / "a.json") == snapshot
    assert not list(tmp_path.iterdir())
    assert run("show", *SCORE[1:8], "-o", tmp_path / "a.json").status == 0
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["schema"].startswith("geceval/")


def test_zstd_without_its_package_is_refused_before_any_file_is_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    for module in ("compression", "backports", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    result = run("score", "-s", "missing", "-r", "missing", "-c", "missing", "-m", "green", "-o", "a.csv.zst")
    assert result == snapshot


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


def test_output_options_derive_the_format_from_the_extension() -> None:
    options = OutputOptions(target=OutputFile("scores.csv.gz"))
    assert (options.format, options.written_format) == (None, "csv")
    assert changed(options) == {"target": "scores.csv.gz"}
    with pytest.raises(UsageError, match="contradict each other"):
        OutputOptions(target=OutputFile("scores.csv"), format="json")
