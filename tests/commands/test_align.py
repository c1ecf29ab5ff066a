"""``geceval prepare --align``: texts whose lines do not correspond."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval._kernel import Text, divided_lines
from support.commands import Run

SOURCE = ["He go home .", "She stay .", "", "They is here , I think .", "So what .", "We lost this line", "End ."]
OUTPUT = ["He goes home . She stays .", "", "They are here ,", "I think .", "So what .", "End ."]

WORDS = st.sampled_from(["He", "goes", "home", ".", "The", "cat", ",", "«", "学", "校", "é"])
LINES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=8)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"source.txt": SOURCE, "out.txt": OUTPUT, "other.txt": ["Quite another text"] * 9}.items():
        Path(name).write_text("\n".join([*lines, ""]), encoding="utf-8")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "line",
    [
        "prepare --align source.txt out.txt",
        "prepare --align source.txt --detokenise english --clean llm out.txt",
        "prepare --align source.txt other.txt",
        "prepare --align source.txt -s source.txt out.txt",
        "prepare --align none.txt out.txt",
        "score -s source.txt -r source.txt -c out.txt -m green",
    ],
)
def test_lines_are_aligned_and_every_change_is_reported(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run(*line.split()) == snapshot


@given(LINES.filter(bool), LINES)
def test_all_text_is_kept_in_order(source: list[str], text: list[str]) -> None:
    divided = divided_lines(Text(source), Text(text))
    assert divided is not None
    assert len(divided["lines"]) == len(source)
    assert "".join(map(str, divided["lines"])).replace(" ", "") == "".join(text).replace(" ", "")
    assert 0 <= divided["word_share"] <= 1
    assert all(0 <= line < len(text) for line in divided["merged"])
    changed = divided["split"] + divided["lost"] + divided["doubtful"]
    assert all(0 <= line < len(source) for line in changed)


@given(LINES.filter(bool))
def test_equal_texts_are_not_changed(source: list[str]) -> None:
    divided = divided_lines(Text(source), Text(source))
    assert divided is not None
    assert list(divided["lines"]) == source
    assert divided["merged"] + divided["split"] + divided["lost"] + divided["doubtful"] == []


def test_work_is_bounded() -> None:
    source = [f"{n} words of line {n % 7}" for n in range(20_000)]
    assert divided_lines(Text(source), Text([". . ."] * 20_000)) is None
    assert divided_lines(Text(["a" * 10**6]), Text(["b" * 10**6])) is not None
