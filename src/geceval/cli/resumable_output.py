"""Files that are written row by row and can be resumed after an interruption.

``FILE`` is written as ``FILE.part`` and renamed when it is complete. The note, ``FILE.part.json``, records the run and
the number of sentences and bytes; it is written after the bytes and replaced as a whole. So if the process ends, even
by ``kill -9``, the file cut to that number of bytes is the start of the file that an uninterrupted run writes.
"""

from __future__ import annotations

import contextlib
import errno
import glob
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
#: Seconds between two notes, at least.
EVERY = 1.0
#: Bytes of the name of a file, without the endings.
_LONGEST = 240


@dataclass
class State:
    """The progress of files.

    Attributes:
        sentences: Number of sentences that are done.
        kept: Number of sentences that have a row.
        bytes: Size of each file.
        crc: Checksum of each file.
    """

    sentences: int = 0
    kept: int = 0
    bytes: list[int] = field(default_factory=list)
    crc: list[int] = field(default_factory=list)


class ResumableOutput:
    """Files that are written together; the note is beside the first of them.

    Entering raises UsageError for files of another run, and InputError for files that cannot be written or were
    changed.

    Args:
        paths: The files.
        run: The properties of the run, by which a resumed run is recognised; None if it cannot be resumed.
        resume: Whether to continue an interrupted run; ``state`` is then its progress.
        notify: Called with messages about existing files.
    """

    def __init__(
        self,
        paths: Sequence[str],
        run: Mapping[str, Any] | None,
        *,
        resume: bool = False,
        notify: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._given, self._run, self._resume, self._notify = list(paths), run, resume, notify
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
                self._reclaim()
            for path, part in zip(self._given, self._parts, strict=True):
                with write_errors(path):
                    if Path(path).is_dir():
                        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                    self._files.append(self._open(part))
            self._begin()
        except BaseException:
            self._close()
            for part, target in self._taken:  # complete files keep their names
                with contextlib.suppress(OSError):
                    part.replace(target)
            self._remove_empty()
            raise
        return self

    def _reclaim(self) -> None:
        """Rename complete files back if their run ended while it renamed files."""
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

    def _remove_empty(self) -> None:
        """Remove files without content."""
        for part in self._parts[: len(self._files)]:
            with contextlib.suppress(OSError):
                if not self._note.exists() and part.stat().st_size == 0:
                    part.unlink()

    def _open(self, part: Path) -> IO[bytes]:
        # Without a buffer: closing the file does not repeat a write that failed.
        file = open(os.open(part, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)  # noqa: PTH123, SIM115
        with contextlib.suppress(ImportError, OSError):  # some systems have no locks
            import fcntl

            same = False
            with contextlib.suppress(BlockingIOError, FileNotFoundError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                same = os.path.samestat(os.fstat(file.fileno()), part.stat())
            if not same:  # or has just renamed it
                file.close()
                raise UsageError(f"{part}: another run is writing it")
        return file

    def _begin(self) -> None:
        old = self._old()
        if old is not None and self._resume:
            self._continue(old)
            return
        if self._taken:  # their run had not ended: it has removed the note meanwhile
            raise UsageError(f"{self._parts[0]}: another run is writing it")
        if old is not None and old[0].sentences:
            part = f"{self._parts[0]}, with {old[0].sentences:,} sentences"
            self._notify(f"{part}, is started again (--resume continues it)")
        elif self._resume:
            self._notify("nothing to resume: the run starts at the first sentence")
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

    def _continue(self, old: tuple[State, Mapping[str, Any]]) -> None:
        state, run = old
        self._check_run(run)
        for part, file, size, crc in zip(self._parts, self._files, state.bytes, state.crc, strict=True):
            if _checksum(file, size) != crc:
                hint = "without --resume the run starts again"
                raise InputError(f"was changed after {self._note.name} was written", path=str(part), hint=hint)
            with write_errors(part):
                file.truncate(size)
                file.seek(size)
        self.state = state
        self._notify(f"resumed after {state.sentences:,} sentences")

    def _check_run(self, run: Mapping[str, Any]) -> None:
        """Raise UsageError for files of another run."""
        assert self._run is not None
        differing = differences(run, json.loads(json.dumps(self._run)))
        if differing:
            shown = "".join(f"\n  {one}" for one in differing)
            hint = "without --resume the run starts again"
            raise UsageError(f"{self._parts[0]} belongs to another run:{shown}", hint=hint)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        finished = False
        try:
            if kind is None:
                self._finish()
                finished = True
            elif self._run is not None and self.state.sentences:
                with contextlib.suppress(OSError, InputError):  # on a full disk the last note remains valid
                    self._write_note()
        finally:
            self._close()
            if not finished:
                self._leave()

    def _finish(self) -> None:
        if self._run is not None:
            self._write_note()
        for path, file, part, target in zip(self._given, self._files, self._parts, self._targets, strict=True):
            with write_errors(path):
                os.fsync(file.fileno())
                part.replace(target)
        # A run that was killed while it wrote its note left the temporary file of the replacement.
        for left in (self._note, *self._note.parent.glob(f"{glob.escape(self._note.name[:40])}.*.part")):
            with contextlib.suppress(OSError):
                left.unlink()

    def _leave(self) -> None:
        """Keep the files of a failed run if they can be resumed."""
        if self._note.exists() and self._run is not None:
            noted = self._old()
            sentences = noted[0].sentences if noted else 0
            self._notify(f"{self._parts[0]} has the first {sentences:,} sentences: --resume continues it")
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
        """Write the rows of the next ``sentences`` to each file.

        Raises:
            InputError: A file cannot be written.
        """
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
            self._write_note()

    def _write_note(self) -> None:
        text = json.dumps({"schema": SCHEMA, "state": vars(self.state), "run": self._run}, ensure_ascii=False, indent=1)
        with write_errors(self._note):
            for file in self._files:
                os.fsync(file.fileno())
            with replacement(self._note) as new:
                new.write_text(text, encoding="utf-8", errors="surrogateescape")
        self._noted = time.monotonic()


def _checksum(file: IO[bytes], size: int) -> int | None:
    """Return the checksum of the first bytes of a file; None if it has fewer."""
    crc = 0
    file.seek(0)
    while size and (data := file.read(min(size, 1 << 20))):
        crc, size = zlib.crc32(data, crc), size - len(data)
    return None if size else crc


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the differences between the properties of two runs, a line each."""
    return [
        f"{key}: {_written(old.get(key))} before, {_written(new.get(key))} now"
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]


def _written(value: Any) -> str:
    if value is None:
        return "nothing"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
