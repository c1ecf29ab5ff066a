"""Cache of a judge's answers: a file with one JSON line per answer."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

from geceval.base.errors import InputError
from geceval.metrics.judging.judge import Answer


class Answers(dict[str, Answer]):
    """Answers of judges, by the digests of their requests.

    A line of the file contains the digest, the answer and its numbers of tokens, but no text of the request and no API
    key. It is written as a whole when the answer arrives, so that an interrupted process loses no answer and several
    processes can write. An incomplete last line is removed when the file is read.

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
        if path is not None:
            try:
                self._read(path)
            except OSError as error:
                raise InputError(f"answers cannot be read: {error.strerror}", path=path) from None

    def put(self, digest: str, answer: Answer) -> None:
        """Store an answer, which is in the file when the method returns."""
        tokens = {"prompt_tokens": answer.prompt_tokens, "answer_tokens": answer.answer_tokens}
        line = {"request": digest, "answer": answer.text, **tokens}
        with self._lock:
            self[digest] = answer
            if self.path is not None:
                self._append(self.path, json.dumps(line, ensure_ascii=True).encode() + b"\n")

    def _append(self, path: Path, line: bytes) -> None:
        try:
            if self._file is None:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            if os.write(self._file, line) < len(line):
                raise OSError(None, "the line was not written completely; is the disk full?")
        except OSError as error:
            raise InputError(f"answers cannot be written: {error.strerror}", path=path) from None

    def _read(self, path: Path) -> None:
        if not path.exists():
            return
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                entry = json.loads(line)
                self[entry["request"]] = Answer(entry["answer"], entry["prompt_tokens"], entry["answer_tokens"])
            except (ValueError, KeyError, TypeError):
                hint = "use another file (--judge cache=FILE), or remove the damaged line"
                raise InputError("not a cached answer of a judge", path=path, line=number, hint=hint) from None
        if whole < len(content):  # a process ended while writing it
            os.truncate(path, whole)

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)


def default_cache_file() -> Path:
    """Return the file in which answers of servers are cached by default.

    Its folder is ``$GECEVAL_CACHE`` or, without this variable, ``~/.cache/geceval``.
    """
    folder = os.environ.get("GECEVAL_CACHE")
    return (Path(folder) if folder else Path.home() / ".cache" / "geceval") / "answers.jsonl"
