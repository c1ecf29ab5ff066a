"""Files that grow as rows come, take their names when they are complete, and are gone on with after an interruption.

``FILE`` is written as ``FILE.part``. Beside it ``FILE.part.json`` says how many sentences it holds in how many bytes,
and of which run. That is written after the bytes and replaced as a whole, so that whatever ends the process, even
``kill -9``, the file cut to those bytes is the start of the file that an uninterrupted run writes.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from geceval.base.errors import InputError, UsageError
from geceval.base.output_files import replacement, write_errors

SCHEMA = "geceval/part@1"
#: The least seconds between two notes of how far a file has come.
EVERY = 1.0
#: Bytes that the name of a file may have, with room for the endings.
_LONGEST = 240


@dataclass
class State:
    """How far files have come: after so many ``sentences`` they hold ``bytes``, with the checksums ``crc``.

    ``kept``: sentences of which something was written.
    """

    sentences: int = 0
    kept: int = 0
    bytes: list[int] = field(default_factory=list)
    crc: list[int] = field(default_factory=list)


class ResumableOutput:
    """Files that grow together, the first of which has the note of how far they are.

    ``run``: what made them, by which a resumed run is recognised; None: they cannot be resumed. ``resume``: go on where
    a run was interrupted; ``state`` says where. ``tell`` is called with notes on what is done with existing files.
    Entering raises UsageError for files of another run, and InputError for what cannot be written and for files that
    were changed.
    """

    def __init__(
        self,
        paths: Sequence[str],
        run: Mapping[str, Any] | None,
        *,
        resume: bool = False,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._given, self._run, self._resume, self._tell = list(paths), run, resume, tell
        self._targets = [Path(os.path.realpath(path)) for path in paths]
        names = [os.fsdecode(os.fsencode(target.name)[:_LONGEST]) for target in self._targets]
        self._parts = [target.with_name(f"{name}.part") for target, name in zip(self._targets, names, strict=True)]
        self._note = self._parts[0].with_name(f"{self._parts[0].name}.json")
        self._files: list[IO[bytes]] = []
        self._taken: list[tuple[Path, Path]] = []
        self._noted = time.monotonic()
        self.state = State(bytes=[0] * len(paths), crc=[0] * len(paths))

    # --- from start to end ---

    def __enter__(self) -> ResumableOutput:
        try:
            if self._resume:
                self._taken_back()
            for path, part in zip(self._given, self._parts, strict=True):
                with write_errors(path):
                    if Path(path).is_dir():
                        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                    self._files.append(self._opened(part))
            self._begin()
        except BaseException:
            self._close()
            for part, target in self._taken:  # complete files keep their names
                with contextlib.suppress(OSError):
                    part.replace(target)
            self._swept()
            raise
        return self

    def _taken_back(self) -> None:
        """A run that ended while files took their names left a note about complete files."""
        old = self._old()
        if old is None:
            return
        self._check_run(old[1])
        for part, target, size, crc in zip(self._parts, self._targets, old[0].bytes, old[0].crc, strict=True):
            with write_errors(target):
                if not part.exists() and target.exists() and target.stat().st_size == size:
                    with target.open("rb") as file:
                        same = _checksum(file, size) == crc
                    if same:
                        target.replace(part)
                        self._taken.append((part, target))

    def _swept(self) -> None:
        """Nothing stays of files to which nothing was written."""
        for part in self._parts[: len(self._files)]:
            with contextlib.suppress(OSError):
                if not self._note.exists() and part.stat().st_size == 0:
                    part.unlink()

    def _opened(self, part: Path) -> IO[bytes]:
        # Not through a buffer: what was written is in the file, and what could not be is not written again at the end.
        file = open(os.open(part, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)  # noqa: PTH123, SIM115
        with contextlib.suppress(ImportError, OSError):  # there are systems without locks
            import fcntl

            same = False
            with contextlib.suppress(BlockingIOError, FileNotFoundError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                same = os.path.samestat(os.fstat(file.fileno()), part.stat())
            if not same:  # or has just given it its name
                file.close()
                raise UsageError(f"{part}: another run is writing it")
        return file

    def _begin(self) -> None:
        old = self._old()
        if old is not None and self._resume:
            self._go_on(old)
            return
        if self._taken:  # and the note went meanwhile: their run was not dead
            raise UsageError(f"{self._parts[0]}: another run is writing it")
        if old is not None and old[0].sentences:
            self._tell(f"{self._parts[0]}, with {old[0].sentences:,} sentences, is started over (--resume goes on)")
        elif self._resume:
            self._tell("there is nothing to go on with: it starts at the first sentence")
        with write_errors(self._note):
            self._note.unlink(missing_ok=True)
        for path, file in zip(self._given, self._files, strict=True):
            with write_errors(path):
                file.truncate(0)

    def _old(self) -> tuple[State, Mapping[str, Any]] | None:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            document = json.loads(self._note.read_text(encoding="utf-8"))
            state = State(**document["state"])
            if document["schema"] == SCHEMA and len(state.bytes) == len(self._parts):
                return state, document["run"]
        return None

    def _go_on(self, old: tuple[State, Mapping[str, Any]]) -> None:
        state, run = old
        self._check_run(run)
        for part, file, size, crc in zip(self._parts, self._files, state.bytes, state.crc, strict=True):
            if _checksum(file, size) != crc:
                hint = "without --resume it is started over"
                raise InputError(f"is not what was written, as {self._note.name} says", path=str(part), hint=hint)
            with write_errors(part):
                file.truncate(size)
                file.seek(size)
        self.state = state
        self._tell(f"goes on after {state.sentences:,} sentences")

    def _check_run(self, run: Mapping[str, Any]) -> None:
        """Raise UsageError for files of another run."""
        assert self._run is not None
        differing = differences(run, json.loads(json.dumps(self._run)))
        if differing:
            shown = "".join(f"\n  {one}" for one in differing)
            hint = "without --resume it is started over"
            raise UsageError(f"{self._parts[0]} is of another run:{shown}", hint=hint)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        finished = False
        try:
            if kind is None:
                self._finish()
                finished = True
            elif self._run is not None and self.state.sentences:
                with contextlib.suppress(OSError, InputError):  # a full disk: the last note holds
                    self._take_note()
        finally:
            self._close()
            if not finished:
                self._leave()

    def _finish(self) -> None:
        if self._run is not None:
            self._take_note()
        for path, file, part, target in zip(self._given, self._files, self._parts, self._targets, strict=True):
            with write_errors(path):
                os.fsync(file.fileno())
                part.replace(target)
        with contextlib.suppress(OSError):
            self._note.unlink()

    def _leave(self) -> None:
        """After a failure: files stay where they can be gone on with."""
        if self._note.exists() and self._run is not None:
            noted = self._old()
            sentences = noted[0].sentences if noted else 0
            self._tell(f"{self._parts[0]} has the first {sentences:,} sentences: --resume goes on with it")
            return
        for part in self._parts:
            with contextlib.suppress(OSError):
                part.unlink()

    def _close(self) -> None:
        for file in self._files:
            with contextlib.suppress(OSError):
                file.close()

    # --- writing ---

    def write(self, texts: Sequence[bytes], sentences: int, kept: int = 0) -> None:
        """Add to each file what the next ``sentences`` came to. Raises InputError where that cannot be written."""
        for path, file, text in zip(self._given, self._files, texts, strict=True):
            with write_errors(path):
                rest = memoryview(text)
                while rest:
                    rest = rest[file.write(rest) :]
        for at, text in enumerate(texts):
            self.state.bytes[at] += len(text)
            self.state.crc[at] = zlib.crc32(text, self.state.crc[at])
        self.state.sentences += sentences
        self.state.kept += kept
        if self._run is not None and time.monotonic() - self._noted >= EVERY:
            self._take_note()

    def _take_note(self) -> None:
        text = json.dumps({"schema": SCHEMA, "state": vars(self.state), "run": self._run}, ensure_ascii=False, indent=1)
        with write_errors(self._note):
            for file in self._files:
                os.fsync(file.fileno())
            with replacement(self._note) as new:
                new.write_text(text, encoding="utf-8", errors="surrogateescape")
        self._noted = time.monotonic()


def _checksum(file: IO[bytes], size: int) -> int | None:
    """Return that of the first bytes of a file; None if it has fewer."""
    crc = 0
    file.seek(0)
    while size and (data := file.read(min(size, 1 << 20))):
        crc, size = zlib.crc32(data, crc), size - len(data)
    return None if size else crc


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return what is not the same in two runs, a line each."""
    return [
        f"{key}: {_said(old.get(key))} then, {_said(new.get(key))} now"
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]


def _said(value: Any) -> str:
    if value is None:
        return "nothing"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
