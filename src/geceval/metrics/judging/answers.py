"""Cache of a judge's answers: a file with one JSON line per answer."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from geceval.base.errors import InputError
from geceval.metrics.judging.judge import Answer


class Answers(dict[str, Answer]):
    """Answers of judges, by the digests of their requests.

    A line of the file contains the digest, the answer and its numbers of tokens, but no text of the request and no API
    key. It is written as a whole when the answer arrives, so that an interrupted process loses no answer. Several
    processes can share a file: one of them sends a request, the others wait and read its answer. Requests are locked in
    another file, ``FILE.lock``. The next answer removes an incomplete last line, which an ended process left.

    Args:
        path: File of answers. None: memory only.

    Raises:
        InputError: If the file cannot be read or written, or if it has other lines.
    """

    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self.path = path
        self._lock = threading.Lock()
        self._file: int | None = None
        self._locks: int | None = None
        self._read_bytes = self._read_lines = 0
        if path is not None:
            self._read(path)

    @contextlib.contextmanager
    def claimed(self, digest: str) -> Iterator[None]:
        """Let no other process send this request during the block.

        The answers of other processes are read before.
        """
        if self.path is None:
            yield
            return
        with self._lock:
            self._locks = self._opened(f"{self.path}.lock") if self._locks is None else self._locks
        # The file stays open: closing it would release the locks of all threads.
        with _locked(self._locks, int(digest[:12], 16)):
            with self._lock:
                self._read(self.path)
            yield

    def put(self, digest: str, answer: Answer) -> None:
        """Store an answer, which is in the file when the method returns."""
        tokens = {"prompt_tokens": answer.prompt_tokens, "answer_tokens": answer.answer_tokens}
        line = {"request": digest, "answer": answer.text, **tokens}
        with self._lock:
            self[digest] = answer
            if self.path is not None:
                self._append(self.path, json.dumps(line, ensure_ascii=True).encode() + b"\n")

    def _opened(self, path: str | Path) -> int:
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError as error:
            raise InputError(f"answers cannot be written: {error.strerror}", path=path) from None

    def _append(self, path: Path, line: bytes) -> None:
        self._file = self._opened(path) if self._file is None else self._file
        try:
            with _locked(self._file):
                rest = self._rest(path)
                whole = rest.rfind(b"\n") + 1
                if whole < len(rest):
                    os.truncate(path, self._read_bytes + whole)
                if os.write(self._file, line) < len(line):
                    raise OSError(None, "the line was not written completely; is the disk full?")
        except OSError as error:
            raise InputError(f"answers cannot be written: {error.strerror}", path=path) from None

    def _read(self, path: Path) -> None:
        """Read the complete lines that were added since the last call."""
        try:
            content = self._rest(path)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise InputError(f"answers cannot be read: {error.strerror}", path=path) from None
        whole = content.rfind(b"\n") + 1
        for at, line in enumerate(content[:whole].splitlines(), self._read_lines + 1):
            try:
                entry = json.loads(line)
                self[entry["request"]] = Answer(entry["answer"], entry["prompt_tokens"], entry["answer_tokens"])
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                hint = "use another file (--judge cache=FILE), or remove the damaged line"
                raise InputError("not a cached answer of a judge", path=path, line=at, hint=hint) from None
        self._read_bytes, self._read_lines = self._read_bytes + whole, self._read_lines + content.count(b"\n")

    def _rest(self, path: Path) -> bytes:
        with path.open("rb") as file:
            file.seek(self._read_bytes)
            return file.read()

    def __del__(self) -> None:
        for file in (self._file, self._locks):
            if file is not None:
                os.close(file)


@contextlib.contextmanager
def _locked(file: int, place: int | None = None) -> Iterator[None]:
    """Lock a file, or one of its bytes against other processes, where locks exist."""
    try:
        import fcntl
    except ImportError:
        yield
        return

    def lock(operation: int) -> None:
        if place is None:
            fcntl.flock(file, operation)
        else:
            fcntl.lockf(file, operation, 1, place)

    while True:  # waiting in the system would report a deadlock of processes whose threads wait for each other
        try:
            lock(fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except (BlockingIOError, PermissionError):
            time.sleep(0.01)
    try:
        yield
    finally:
        lock(fcntl.LOCK_UN)


def default_cache_file() -> Path:
    """Return the file in which answers of servers are cached by default.

    Its folder is ``$GECEVAL_CACHE`` or, without this variable, ``~/.cache/geceval``.
    """
    folder = os.environ.get("GECEVAL_CACHE")
    return (Path(folder) if folder else Path.home() / ".cache" / "geceval") / "answers.jsonl"
