"""``-o FILE``: the ending decides the format and the compression, in every command alike."""

from __future__ import annotations

import bz2
import gzip
import importlib.util
import json
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.app.main import MODULES, command_named
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup
from geceval.cli.options import FormatOption, OutputOptions, TargetOption
from geceval.cli.output import ENDINGS, format_of, writing
from geceval.tables.formats import FORMATS
from geceval.text.files import COMPRESSED
from support.commands import Run

SCORE = "score -s source.txt -r ref0.txt ref1.txt -c systems/careful.txt -m green -q".split()
HAS_ZSTD = sys.version_info >= (3, 14) or importlib.util.find_spec("backports") is not None
OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def requests() -> Iterator[tuple[str, type[CommandRequest]]]:
    """Yield the class of the requests of each command and action."""
    for name in MODULES:
        yield name, command_named(name).request


def groups(request: type[CommandRequest]) -> Iterator[type[OptionGroup]]:
    """Yield a request and its parts."""
    yield request
    for own in request.__dataclass_fields__.values():
        if isinstance(own.default, OptionGroup):
            yield type(own.default)


WRITING = [
    (name, own) for name, request in requests() for own in groups(request) if "target" in own.__dataclass_fields__
]


@pytest.mark.parametrize(("name", "group"), WRITING, ids=[name for name, _ in WRITING])
def test_every_output_option_resolves_its_format_alike(name: str, group: type[OptionGroup]) -> None:
    assert issubclass(group, TargetOption)
    assert issubclass(group, FormatOption) == ("format" in group.__dataclass_fields__)
    if issubclass(group, FormatOption):
        assert group.__dataclass_fields__["format"].default is None


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
            "-o a.json and -f csv contradict each other",
            ".csv for csv, or no ",
        ),
        (("-o", "a.csv.gz", "-f", "json"), "-o a.csv.gz and -f json contradict", ".json for json, or no "),
        (("-o", "a.html"), "-o a.html: this command does not write .html files", "endings of this command: .csv"),
        (("-o", "a.m2"), "-o a.m2: this command does not write .m2 files", "endings of this command: .csv, .tsv"),
        (("-o", "a.xlsx"), "-o a.xlsx: this command does not write .xlsx files", "endings of this command: .csv"),
        (("-o", "a.xlsx", "-f", "csv"), "-o a.xlsx: this command does not write .xlsx files", "endings of this"),
        (("-o", "a.pdf.gz"), "-o a.pdf.gz: this command does not write .pdf files", "endings of this command: .csv"),
        (
            ("-o", "a.unknown"),
            "-o a.unknown: this command does not write .unknown files",
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
    assert run("prepare", "--whitespace", "repair", "source.txt", "-o", tmp_path / "source.en").status == 0
    refused = run("prepare", "--whitespace", "repair", "source.txt", "-o", tmp_path / "source.docx")
    assert (refused.status, [path.name for path in tmp_path.iterdir()]) == (2, ["source.en"])


@pytest.mark.usefixtures("examples")
def test_text_and_pages_know_their_endings(run: Run, tmp_path: Path) -> None:
    text = run("prepare", "--whitespace", "repair", "source.txt", "-o", tmp_path / "a.csv")
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
    own = OutputOptions(target="scores.csv.gz")
    assert (own.format, own.written_format) == (None, "csv")
    assert own.to_document() == {"target": "scores.csv.gz"}
    with pytest.raises(UsageError, match="contradict each other"):
        OutputOptions(target="scores.csv", format="json")
