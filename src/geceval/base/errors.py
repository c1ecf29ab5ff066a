"""One family of errors: a message for people, where it happened, a hint, and an exit status.

The command line prints ``str(error)`` on stderr and exits with ``error.exit_status``; nobody sees a traceback.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import ClassVar

from geceval._kernel import SentenceError


class GecevalError(Exception):
    """Anything the user can put right. ``path`` and ``line`` (1-based) say where, ``hint`` what to try.

    ``sentence``: the place, counted from 0, of the sentence that the message names by its number.
    """

    exit_status: ClassVar[int] = 2

    def __init__(
        self,
        message: str,
        *,
        path: str | os.PathLike[str] | None = None,
        line: int | None = None,
        hint: str | None = None,
        sentence: int | None = None,
    ) -> None:
        self.message = message
        self.path = None if path is None else os.fspath(path)
        self.line = line
        self.hint = hint
        self.sentence = sentence
        super().__init__(message)

    @property
    def where(self) -> str:
        """``path:line: `` as far as known, else the empty string."""
        parts = [part for part in (self.path, None if self.line is None else str(self.line)) if part]
        return ":".join(parts) + ": " if parts else ""

    def __str__(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.where}{self.message}{hint}"


class GecevalWarning(UserWarning):
    """Something the user should know of that changes a number or may be a mistake; shown once for each place.

    ``str`` of it is one line. What a check found (docs/checks.md) says so: ``check`` is the check's name and ``file``
    what it is about, ``message`` and ``hint`` are apart.
    """

    def __init__(self, text: str, *, check: str = "", file: str = "", message: str = "", hint: str = "") -> None:
        self.check, self.file, self.message, self.hint = check, file, message or text, hint
        super().__init__(text)

    def to_dict(self) -> dict[str, str]:
        """As JSON has it."""
        return {name: getattr(self, name) for name in ("check", "file", "message", "hint")}


class InputError(GecevalError, ValueError):
    """The data are unusable: undecodable, malformed, or of the wrong shape."""

    def moved(self, sentences: int, where: str) -> InputError:
        """Return the error for a part of a corpus as one of the corpus, where ``sentences`` stand before the part;
        ``where`` is added to the message."""
        sentence = None if self.sentence is None else self.sentence + sentences
        message = f"{self.message} {where}"
        return InputError(message, path=self.path, line=self.line, hint=self.hint, sentence=sentence)


def of_kernel(error: ValueError) -> InputError:
    """Return what the kernel raised for texts that it cannot take as an InputError."""
    if isinstance(error, SentenceError):
        message, sentence = error.args
        return InputError(message, sentence=sentence)
    return InputError(str(error))


class UsageError(GecevalError, ValueError):
    """A setting that does not exist or does not fit the others."""


class BelowTheBarError(GecevalError):
    """Scores are not what was asked of them (``--fail-under``, ``--baseline``); exit status 1, as of other tests."""

    exit_status: ClassVar[int] = 1


class MissingExtraError(GecevalError):
    """An optional package is not installed; the hint says which command installs it."""


@contextlib.contextmanager
def needing(extra: str, message: str, limits: str = "") -> Iterator[None]:
    """Raise MissingExtraError with this message where an import within fails; the hint is to install the extra, with
    its ``limits``."""
    try:
        yield
    except ImportError:
        raise MissingExtraError(message, hint=installing(extra) + limits) from None


def installing(extra: str) -> str:
    """The command that installs an extra, for hints: geceval itself is there, so that pip looks only for the rest, and
    it is true of a wheel or clone that no index knows."""
    return f"pip install 'geceval[{extra}]'"
