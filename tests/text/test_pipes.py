"""What can be read only once is kept while it is read."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, CorpusFiles, read_table
from geceval.base.errors import InputError
from geceval.text.reading import lines
from geceval.text.reading.formats import InputFile
from geceval.text.reading.lines import Pipe


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return str(path)  # type: ignore[return-value]


def fed(path: str, data: bytes) -> threading.Thread:
    def feed() -> None:
        Path(path).write_bytes(data)

    thread = threading.Thread(target=feed)
    thread.start()
    return thread


@pytest.mark.parametrize("in_memory", [4, 1 << 20])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_as_often_as_asked(
    pipe: str, monkeypatch: pytest.MonkeyPatch, in_memory: int, pack: object
) -> None:
    monkeypatch.setattr(lines, "IN_MEMORY", in_memory)
    assert callable(pack)
    data = "source\thypothesis\n" + "".join(f"a {n}\tb {n}\n" for n in range(500))
    thread = fed(pipe, pack(data.encode()))
    files = CorpusFiles.of_table(pipe, format="tsv").open()
    for size in (7, 1000):
        assert [line for part in files.parts(size) for line in part.source] == [f"a {n}" for n in range(500)]
    thread.join()


def test_a_pipe_given_up_is_read_to_its_end_later(pipe: str) -> None:
    thread = fed(pipe, b"a\n" * 200_000)
    files = CorpusFiles(pipe, [], []).open()
    parts = files.parts(10)
    next(parts)
    parts.close()
    assert sum(map(len, files.parts(50_000))) == 200_000
    thread.join()


@given(st.binary(max_size=60), st.lists(st.tuples(st.integers(0, 70), st.integers(1, 20)), max_size=12))
def test_any_place_of_a_pipe_can_be_read(data: bytes, reads: list[tuple[int, int]]) -> None:
    kept = Pipe("nowhere")
    kept._stream = io.BytesIO(data)
    with kept.open() as stream:
        for at, most in reads:
            stream.seek(min(at, len(data)))
            assert stream.read(most) == data[min(at, len(data)) :][:most]
    with kept.open() as stream:
        assert stream.read() == data
        assert stream.seek(-min(3, len(data)), io.SEEK_END) == max(0, len(data) - 3)


def test_parquet_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"source": ["a", "b"], "hypothesis": ["c", "d"]}), out)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(out.getvalue()))))
    assert read_table("-", format="parquet") == Corpus(["a", "b"], (), {"hypothesis": ["c", "d"]})


def test_a_full_disk_is_told(pipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", lambda max_size: Full())
    thread = fed(pipe, b"a\n")
    with pytest.raises(
        InputError, match=r"pipe: cannot be stored while it is read: No space left on device\n  hint: set TMPDIR"
    ):
        list(InputFile(pipe).lines(5))
    thread.join()
