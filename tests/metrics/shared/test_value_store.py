"""Values stay in their file, the first one of a key, whichever thread or process stores it."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from geceval.base.errors import InputError
from geceval.metrics.shared.value_store import ValueStore


def test_stored_values_are_read_by_another_store(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "answers.sqlite"
    store = ValueStore(path)
    assert store.get(["1"]) == {}
    assert not path.exists()
    assert store.put({"1": ["é\u2028", 3, None], "2": 0.1}) == {"1": ["é\u2028", 3, None], "2": 0.1}
    assert ValueStore(path).get(["2", "3", "1"]) == {"1": ["é\u2028", 3, None], "2": 0.1}
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]  # no write-ahead log


@pytest.mark.parametrize("name", ["answers.sqlite", None])
def test_a_key_keeps_its_first_value(tmp_path: Path, name: str | None) -> None:
    path = None if name is None else tmp_path / name
    first, second = ValueStore(path), ValueStore(path)
    assert first.put({"1": "first"}) == {"1": "first"}
    if path is not None:
        assert second.put({"1": "second"}) == {"1": "first"}
    assert first.put({"1": "third"}) == {"1": "first"}


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for content in (b"buy milk\n", b'{"request": "1", "answer": ""}\n' * 100, b"\x00" * 4096):
        path.write_bytes(content)
        for use in (lambda store: store.get(["1"]), lambda store: store.put({"1": 1})):
            with pytest.raises(InputError, match=r"notes\.txt: not a cache file \(SQLite\)") as refusal:
                use(ValueStore(path))
            assert refusal.value.__context__ is None or refusal.value.__suppress_context__
        assert path.read_bytes() == content


def test_files_that_cannot_be_used_are_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "answers.sqlite"):
        with pytest.raises(InputError, match="the cache cannot be used: "):
            ValueStore(path).put({"1": 1})
    with sqlite3.connect(tmp_path / "other.sqlite") as connection:
        connection.execute("CREATE TABLE answers (name TEXT)")
    connection.close()
    with pytest.raises(InputError, match="no such column"):
        ValueStore(tmp_path / "other.sqlite").get(["1"])


def test_threads_share_a_file(tmp_path: Path) -> None:
    stores = [ValueStore(tmp_path / "answers.sqlite") for _ in range(2)]

    def put(number: int) -> None:
        for key in range(20):
            stores[number % 2].put({f"{number}-{key}": "x" * 500, "shared": number})

    threads = [threading.Thread(target=put, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    keys = ["shared", *(f"{number}-{key}" for number in range(6) for key in range(20))]
    stored = ValueStore(tmp_path / "answers.sqlite").get(keys)
    assert len(stored) == 121
    assert stores[0].get(keys) == stores[1].get(keys) == stored
