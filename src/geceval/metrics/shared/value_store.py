"""Values in a SQLite file: answers of judges, scores of networks."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from geceval.base.errors import InputError


class ValueStore:
    """JSON values by key, in memory and in a SQLite file.

    Threads and processes can share a file. It is in the folder of a user, which may be on a network file system, so it
    has a rollback journal, and each operation opens it, waits for others and closes it. Both methods raise InputError
    if the file cannot be used.

    Args:
        path: The file. None: memory only.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._values: dict[str, Any] = {}
        self._lock = threading.Lock()  # threads that wait for SQLite's lock would poll it

    def get(self, keys: Iterable[str]) -> dict[str, Any]:
        """Return the values of the keys that have one."""
        keys = list(keys)
        unknown = [key for key in keys if key not in self._values]
        if unknown and self.path is not None and self.path.exists():
            with self._connection(self.path) as connection:
                for key in unknown:
                    for (value,) in connection.execute("SELECT value FROM answers WHERE key = ?", (key,)):
                        self._values[key] = json.loads(value)
        return {key: self._values[key] for key in keys if key in self._values}

    def put(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Store values in one transaction, and return the stored ones.

        A key keeps its first value, which another process may have stored.
        """
        if self.path is None:
            for key, value in values.items():
                self._values.setdefault(key, value)
        else:
            rows = [(key, json.dumps(value)) for key, value in values.items()]
            with self._lock, self._connection(self.path) as connection:
                connection.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?)", rows)
        return self.get(values)

    @contextlib.contextmanager
    def _connection(self, path: Path) -> Iterator[sqlite3.Connection]:
        try:
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(mode=0o600)
            with contextlib.closing(sqlite3.connect(path, timeout=60)) as connection, connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"
                )
                yield connection
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                hint = "give another file as cache"
                raise InputError("not a cache file (SQLite)", path=path, hint=hint) from None
            raise InputError(f"the cache cannot be used: {error}", path=path) from None
        except OSError as error:
            raise InputError(f"the cache cannot be used: {error.strerror}", path=path) from None
