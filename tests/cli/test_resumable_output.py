"""Files that grow: whatever ends a run, the next one goes on, and the bytes are those of a run without an end."""

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

RUN = {"geceval": "1", "--digits": 2, "source.txt": "12 bytes"}


def pieces(files: int, parts: int) -> list[list[bytes]]:
    return [[f"{file}:{part}:{'x' * (part % 3)}\n".encode() for file in range(files)] for part in range(parts)]


@given(
    files=st.integers(1, 3),
    parts=st.integers(1, 8),
    deaths=st.lists(st.tuples(st.integers(0, 8), st.binary(max_size=4), st.booleans()), max_size=4),
)
@settings(deadline=None, max_examples=60)
def test_what_is_gone_on_with_is_the_whole(files: int, parts: int, deaths: list[tuple[int, bytes, bool]]) -> None:
    """A process that is killed leaves its files as they are, perhaps with more than the note says of them."""
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
def test_an_end_while_files_take_their_names(tmp_path: Path, renamed: int, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_complete_file_keeps_its_name(tmp_path: Path, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused leaves the files that have their names, whatever a note beside them says."""
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


class Told(list[str]):
    def __call__(self, text: str) -> None:
        self.append(text)


def interrupted(path: Path, run: dict[str, object] | None = RUN, sentences: int = 7) -> Told:
    told = Told()
    with contextlib.suppress(KeyboardInterrupt), ResumableOutput([str(path)], run, tell=told) as own:
        own.write([b"1\n"], sentences)
        raise KeyboardInterrupt
    return told


def test_what_is_left_after_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert interrupted(path) == [f"{path}.part has the first 7 sentences: --resume goes on with it"]
    assert sorted(own.name for own in tmp_path.iterdir()) == ["out.part", "out.part.json"]
    assert json.loads((tmp_path / "out.part.json").read_text())["state"]["sentences"] == 7
    told = Told()
    with ResumableOutput([str(path)], RUN, tell=told) as own:
        own.write([b"2\n"], 1)
    assert told == [f"{path}.part, with 7 sentences, is started over (--resume goes on)"]
    assert path.read_bytes() == b"2\n"
    assert sorted(own.name for own in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize("run", [None, RUN])
def test_nothing_is_left_of_what_cannot_be_gone_on_with(tmp_path: Path, run: dict[str, object] | None) -> None:
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
        f"{path}.part is of another run:\n  --digits: 2 then, 4 now\n  source.txt: 12 bytes then, 13 bytes now"
        "\n  --parts: nothing then, True now"
    )
    assert (tmp_path / "out.part").read_bytes() == kept


@pytest.mark.parametrize("content", [b"", b"1", b"2\n", b"2\nmore"])
def test_a_changed_file_is_refused(tmp_path: Path, content: bytes) -> None:
    interrupted(tmp_path / "out")
    (tmp_path / "out.part").write_bytes(content)
    with pytest.raises(InputError, match=r"is not what was written, as out\.part\.json says"):
        ResumableOutput([str(tmp_path / "out")], RUN, resume=True).__enter__()
    assert (tmp_path / "out.part").read_bytes() == content


@pytest.mark.parametrize(
    "note", ["", "{", "[]", '{"schema": "geceval/part@1"}', '{"schema": 1, "state": {}, "run": {}}']
)
def test_a_note_that_says_nothing_is_no_note(tmp_path: Path, note: str) -> None:
    interrupted(tmp_path / "out")
    (tmp_path / "out.part.json").write_text(note)
    told = Told()
    with ResumableOutput([str(tmp_path / "out")], RUN, resume=True, tell=told) as own:
        assert own.state.sentences == 0
        own.write([b"3\n"], 1)
    assert told == ["there is nothing to go on with: it starts at the first sentence"]
    assert (tmp_path / "out").read_bytes() == b"3\n"


def test_one_run_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "out")
    with ResumableOutput([path], RUN) as own:
        own.write([b"1\n"], 1)
        with pytest.raises(UsageError, match="another run is writing it"), ResumableOutput([path], RUN):
            pass
        own.write([b"2\n"], 1)
    assert Path(path).read_bytes() == b"1\n2\n"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
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
    assert differences({"a": 1, "c": [1, 2]}, {"a": 1, "c": [3]}) == ["c: 1 2 then, 3 now"]
