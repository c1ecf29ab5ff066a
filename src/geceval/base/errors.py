"""Exceptions and warnings for users: message, place, hint and exit status.

The command line prints ``error.for_command()`` on stderr and exits with ``error.exit_status``, without a traceback.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, ParamSpec, TypeVar

from geceval._kernel import KernelError
from geceval.base.hints import AnyHint, command_words
from geceval.base.kernel_errors import kernel_hint, kernel_message

P = ParamSpec("P")
R = TypeVar("R")


class GecevalError(Exception):
    """An error that the user can fix.

    Attributes:
        message: The error in one line, without place and hint.
        path: The file that contains the error.
        line: Its line, counted from 1.
        hint: How to fix it; ``str(hint)`` names arguments of Python.
        sentence: The index, counted from 0, of the sentence whose number the message contains.
    """

    exit_status: ClassVar[int] = 2

    def __init__(
        self,
        message: str,
        *,
        path: str | os.PathLike[str] | None = None,
        line: int | None = None,
        hint: AnyHint | None = None,
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
        """The place as ``path:line: ``, as far as it is known, or the empty string."""
        parts = [part for part in (self.path, None if self.line is None else str(self.line)) if part]
        return ":".join(parts) + ": " if parts else ""

    def __str__(self) -> str:
        return self._with_hint("" if self.hint is None else str(self.hint))

    def for_command(self) -> str:
        """Return the error with options of the command line in its hint."""
        return self._with_hint("" if self.hint is None else command_words(self.hint))

    def _with_hint(self, hint: str) -> str:
        lines = f"{self.where}{self.message}" + (f"\n  hint: {hint}" if hint else "")
        # JSON can contain lone surrogates, which no output can.
        return lines.encode(errors="backslashreplace").decode()


class GecevalWarning(UserWarning):
    """A warning about input that changes a number or may be a mistake.

    Each is shown once per place.

    Its string is one line. Warnings of checks (docs/checks.md) have a name and often a file.

    Attributes:
        check: The name of the check.
        file: The file that the warning is about.
        message: The warning without file and hint.
        hint: How to fix it; ``str(hint)`` names arguments of Python.
        minor: Whether numbers mean what they say all the same; the option ``-q`` hides only such warnings.
    """

    def __init__(
        self, message: str, hint: AnyHint = "", *, check: str = "", file: str = "", minor: bool = False
    ) -> None:
        self.check, self.file, self.message, self.hint, self.minor = check, file, message, hint, minor
        super().__init__(message)

    def __str__(self) -> str:
        place = f"{self.file}: " if self.file else ""
        return f"{place}{self.message}" + (f" (hint: {self.hint})" if self.hint else "")

    def for_command(self) -> GecevalWarning:
        """Return the warning with options of the command line in its hint."""
        hint = command_words(self.hint)
        return GecevalWarning(self.message, hint, check=self.check, file=self.file, minor=self.minor)

    def to_dict(self) -> dict[str, str]:
        """Return the parts as JSON values, by name."""
        return {name: str(getattr(self, name)) for name in ("check", "file", "message", "hint")}


class InputError(GecevalError, ValueError):
    """Data that cannot be used: undecodable, malformed, or of the wrong shape."""

    def relocate(self, sentences: int, where: str) -> InputError:
        """Return this error of a part of a corpus as an error of the whole corpus.

        Args:
            sentences: Number of sentences before the part.
            where: Added to the message.
        """
        sentence = None if self.sentence is None else self.sentence + sentences
        message = f"{self.message} {where}"
        return InputError(message, path=self.path, line=self.line, hint=self.hint, sentence=sentence)


def input_error(error: ValueError | OverflowError) -> InputError:
    """Return an error of the kernel about its input as an InputError."""
    if isinstance(error, KernelError):
        message, hint = kernel_message(error), kernel_hint(error)
        return InputError(message, line=error.line, hint=hint, sentence=error.sentence)
    return InputError(str(error))


class UsageError(GecevalError, ValueError):
    """A setting that does not exist or does not fit the others."""


class CheckFailedError(GecevalError):
    """A bar that is not kept, a fault of M2, or a difference from published or recorded numbers; exit status 1."""

    exit_status: ClassVar[int] = 1


class MissingExtraError(GecevalError):
    """An optional package that is not installed; the hint says how to install it."""


def short_traceback(function: Callable[P, R]) -> Callable[P, R]:
    """Leave the frames within geceval out of the traceback of a GecevalError: it ends at the call of the function.

    ``python -X dev`` shows them.
    """

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True  # for IPython and pytest
        try:
            return function(*args, **kwargs)
        except GecevalError as error:
            if sys.flags.dev_mode:
                raise
            raise error.with_traceback(None) from error.__cause__

    return called


@contextlib.contextmanager
def require_extra(extra: str, message: str) -> Iterator[None]:
    """Raise MissingExtraError if an import in the block fails.

    The error has the cause, unless the missing package is the one that the message names.

    Args:
        extra: The extra of geceval that contains the package, for the hint.
        message: The message of the error.
    """
    try:
        yield
    except ImportError as error:
        is_named = isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] in message
        cause = "" if is_named or not str(error) else f" ({error})"
        raise MissingExtraError(f"{message}{cause}", hint=install_command(extra)) from None


def install_command(extra: str) -> str:
    """Return the command that installs an extra, for hints.

    It names geceval, which is already installed, so pip installs only what is missing. It also works for a wheel or a
    clone that no package index contains.
    """
    return f"pip install 'geceval[{extra}]'"


def framework(name: str, *packages: str) -> Any:
    """Import a module of a framework.

    Args:
        name: Name of the module.
        packages: Packages to install if the module is missing (default: its first component).

    Returns:
        The module.

    Raises:
        MissingExtraError: If the module cannot be imported; its hint is the installation command.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        install = " ".join(packages or [name.partition(".")[0]])
        raise MissingExtraError(f"{name} is required ({error})", hint=f"pip install {install}") from None
