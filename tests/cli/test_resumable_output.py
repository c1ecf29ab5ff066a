"""Files that are written row by row: a resumed run writes the bytes of an uninterrupted run."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval.base.errors import InputError, UsageError
from geceval.cli import resumable_output
from geceval.cli.resumable_output import ResumableOutput, differences
from support.effort import examples

RUN = {"geceval": "1", "--digits": 2, "source.txt": "12 bytes"}


def pieces(files: int, parts: int) -> list[list[bytes]]:
    return [[f"{file}:{part}:{'x' * (part % 3)}\n".encode() for file in range(files)] for part in range(parts)]


@given(
    files=st.integers(1, 3),
    parts=st.integers(1, 8),
    deaths=st.lists(st.tuples(st.integers(0, 8), st.binary(max_size=4), st.booleans()), max_size=4),
)
@settings(max_examples=examples(60))
def test_resumed_files_are_complete(files: int, parts: int, deaths: list[tuple[int, bytes, bool]]) -> None:
    """A killed process leaves its files, perhaps with more bytes than the note records."""
    texts = pieces(files, parts)
    whole = [b"".join(text[at] for text in texts) for at in range(files)]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        targets = [Path(folder) / f"out{at}" for at in range(files)]
        paths = list(map(str, targets))
        for most, more, noted in deaths:
            patch.setattr(resumable_output, "EVERY", 0.0 if noted else 1e9)
            own = ResumableOutput(paths, RUN, resume=True)
            own.__enter__()
            for text in texts[own.state.sentences :][:most]:
                own.write(text, 1)
            own._close()  # as the end of a process does
            for at in range(files):
                with Path(f"{paths[at]}.part").open("ab") as file:
                    file.write(more)
            assert not any(target.exists() for target in targets)
        with ResumableOutput(paths, RUN, resume=True) as own:
            for text in texts[own.state.sentences :]:
                own.write(text, 1, kept=2)
        assert [target.read_bytes() for target in targets] == whole
        assert sorted(path.name for path in Path(folder).iterdir()) == [target.name for target in targets]


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_run_that_ended_while_renaming_is_resumed(
    tmp_path: Path, renamed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumable_output, "EVERY", 0.0)
    paths = [str(tmp_path / name) for name in ("a", "b")]
    own = ResumableOutput(paths, RUN)
    own.__enter__()
    own.write([b"1", b"2"], 1)
    own.write([b"", b"end"], 0)
    own._close()
    for path in paths[:renamed]:
        Path(f"{path}.part").rename(path)
    with ResumableOutput(paths, RUN, resume=True) as own:
        assert own.state.sentences == 1
    assert [Path(path).read_bytes() for path in paths] == [b"1", b"2end"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("why", ["another run", "another text", "a second file", "held"])
def test_complete_file_keeps_its_name_if_refused(tmp_path: Path, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused run leaves complete files, whatever the note records."""
    monkeypatch.setattr(resumable_output, "EVERY", 0.0)
    paths = [str(tmp_path / name) for name in ("a", "b")]
    own = ResumableOutput(paths, RUN)
    own.__enter__()
    own.write([b"1", b"2"], 1)
    own._close()
    Path(f"{paths[0]}.part").rename(paths[0])
    if why == "another text":
        Path(paths[0]).write_bytes(b"!")
    if why == "a second file":
        Path(f"{paths[1]}.part").write_bytes(b"!")
    other = ResumableOutput([f"{paths[1]}"], RUN) if why == "held" else contextlib.nullcontext()
    before = Path(paths[0]).read_bytes()
    with other, pytest.raises((UsageError, InputError)):
        ResumableOutput(paths, {"other": 1} if why == "another run" else RUN, resume=True).__enter__()
    assert Path(paths[0]).read_bytes() == before


class Messages(list[str]):
    def __call__(self, text: str) -> None:
        self.append(text)


def interrupted(path: Path, run: dict[str, object] | None = RUN, sentences: int = 7) -> Messages:
    messages = Messages()
    with contextlib.suppress(KeyboardInterrupt), ResumableOutput([str(path)], run, notify=messages) as own:
        own.write([b"1\n"], sentences)
        raise KeyboardInterrupt
    return messages


def test_failed_run_leaves_files_that_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert interrupted(path) == [f"{path}.part has the first 7 sentences: --resume continues it"]
    assert sorted(own.name for own in tmp_path.iterdir()) == ["out.part", "out.part.json"]
    assert json.loads((tmp_path / "out.part.json").read_text())["state"]["sentences"] == 7
    messages = Messages()
    with ResumableOutput([str(path)], RUN, notify=messages) as own:
        own.write([b"2\n"], 1)
    assert messages == [f"{path}.part, with 7 sentences, is started again (--resume continues it)"]
    assert path.read_bytes() == b"2\n"
    assert sorted(own.name for own in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize("run", [None, RUN])
def test_failed_run_that_cannot_be_resumed_leaves_nothing(tmp_path: Path, run: dict[str, object] | None) -> None:
    assert interrupted(tmp_path / "out", run, sentences=7 if run is None else 0) == []
    assert list(tmp_path.iterdir()) == []


def test_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out"
    interrupted(path)
    kept = (tmp_path / "out.part").read_bytes()
    other = {"geceval": "1", "--digits": 4, "source.txt": "13 bytes", "--parts": True}
    with pytest.raises(UsageError) as error, ResumableOutput([str(path)], other, resume=True):
        pass
    assert error.value.message == (
        f"{path}.part belongs to another run:\n  --digits: 2 before, 4 now\n  source.txt: 12 bytes before, 13 bytes now"
        "\n  --parts: nothing before, True now"
    )
    assert (tmp_path / "out.part").read_bytes() == kept


@pytest.mark.parametrize("content", [b"", b"1", b"2\n", b"2\nmore"])
def test_changed_file_is_refused(tmp_path: Path, content: bytes) -> None:
    interrupted(tmp_path / "out")
    (tmp_path / "out.part").write_bytes(content)
    with pytest.raises(InputError, match=r"was changed after out\.part\.json was written"):
        ResumableOutput([str(tmp_path / "out")], RUN, resume=True).__enter__()
    assert (tmp_path / "out.part").read_bytes() == content


@pytest.mark.parametrize(
    "note", ["", "{", "[]", '{"schema": "geceval/part@1"}', '{"schema": 1, "state": {}, "run": {}}']
)
def test_malformed_note_is_ignored(tmp_path: Path, note: str) -> None:
    interrupted(tmp_path / "out")
    (tmp_path / "out.part.json").write_text(note)
    messages = Messages()
    with ResumableOutput([str(tmp_path / "out")], RUN, resume=True, notify=messages) as own:
        assert own.state.sentences == 0
        own.write([b"3\n"], 1)
    assert messages == ["nothing to resume: the run starts at the first sentence"]
    assert (tmp_path / "out").read_bytes() == b"3\n"


def test_second_run_on_one_file_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "out")
    with ResumableOutput([path], RUN) as own:
        own.write([b"1\n"], 1)
        with pytest.raises(UsageError, match="another run is writing it"), ResumableOutput([path], RUN):
            pass
        own.write([b"2\n"], 1)
    assert Path(path).read_bytes() == b"1\n2\n"


def test_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    for place, why in (("no/where", "No such file or directory"), (".", "Is a directory")):
        with pytest.raises(InputError, match=f"cannot write: {why}"), ResumableOutput([str(tmp_path / place)], RUN):
            pass
    assert list(tmp_path.iterdir()) == []


def test_links_and_long_names(tmp_path: Path) -> None:
    target, link = tmp_path / ("x" * 255), tmp_path / "link"
    link.symlink_to(target)
    with ResumableOutput([str(link)], RUN) as own:
        own.write([b"1"], 1)
    assert link.is_symlink()
    assert target.read_bytes() == b"1"
    shutil.rmtree(tmp_path)


def test_lists_that_differ_are_shown_as_words() -> None:
    assert differences({"a": 1, "c": [1, 2]}, {"a": 1, "c": [3]}) == ["c: 1 2 before, 3 now"]


def test_leftover_of_a_killed_note_is_removed(tmp_path: Path) -> None:
    (tmp_path / "out.part.json.123.4.part").write_text("{", encoding="utf-8")
    with ResumableOutput([str(tmp_path / "out")], RUN, resume=True) as own:
        own.write([b"a\n"], 1)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"out": b"a\n"}
