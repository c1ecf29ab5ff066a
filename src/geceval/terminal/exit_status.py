"""Running of commands: errors and signals become messages and exit statuses."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import traceback
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from geceval.base.errors import GecevalError
from geceval.base.hints import Hint
from geceval.base.output_files import open_standard_streams, standard_output
from geceval.terminal.messages import printed_warnings, say

#: Exit status after a fault of geceval or of a plug-in; 1 is a check that failed.
FAULT = 3


def guarded(run: Callable[[], None]) -> int:
    """Run a command, print an error on stderr, return the exit status.

    A fault of geceval or of a plug-in is printed as a traceback.
    """
    received: list[int] = []
    open_standard_streams()
    try:
        with handle_signals(received), standard_output(), printed_warnings():
            run()
    except BaseException as error:
        if received:  # an interrupted lock or generator raises other errors
            return 128 + received[0]
        if isinstance(error, KeyboardInterrupt):
            return 128 + signal.SIGINT
        # rich turns the error of a closed pipe into an exit.
        cause = error.__context__ if isinstance(error, SystemExit) else error
        if isinstance(cause, BrokenPipeError):  # the reader is done
            return 128 + signal.SIGPIPE
        if isinstance(error, MemoryError):
            error = GecevalError(f"not enough memory: {error}".rstrip(": "))
        if isinstance(error, SystemExit) and _is_own_exit(error):
            raise
        if not isinstance(error, GecevalError):
            begin_in_metric_file(error)
            with contextlib.suppress(OSError):  # stderr is closed or full
                traceback.print_exception(error)
            return FAULT
        say(f"error: {error.for_command()}")
        return error.exit_status
    return 128 + received[0] if received else 0


@contextlib.contextmanager
def hints_of_command(flags: Callable[[], Collection[str]]) -> Iterator[None]:
    """Adapt the hints of errors in the block that begin with options to the options of its command.

    Args:
        flags: Returns the options of the command of the block.
    """
    try:
        yield
    except GecevalError as error:
        if isinstance(error.hint, Hint) and error.hint.options:
            error.hint = error.hint.of_flags(flags())
        raise


def _is_own_exit(error: SystemExit) -> bool:
    """Return whether geceval, or argparse in the public tools' commands, raised the exit, and not a plug-in."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame.f_globals.get("__name__", "").partition(".")[0] in ("geceval", "argparse")


def begin_in_metric_file(error: BaseException) -> None:
    """Begin the traceback of an error in the file of a metric (``-m FILE.py:CLASS``) that raised it; name its method.

    The modules of these files are registered under their paths (geceval.counting.metric_names).
    """
    frames = error.__traceback__
    while frames is not None:
        if os.sep in frames.tb_frame.f_globals.get("__name__", ""):
            code = frames.tb_frame.f_code
            error.__traceback__ = frames
            error.add_note(f"error: {Path(code.co_filename).name}:{code.co_qualname} of the metric failed")
            return
        frames = frames.tb_next


class Ended(KeyboardInterrupt):
    """A signal ended the command.

    A plain KeyboardInterrupt within ``exec`` would make Python end itself by SIGINT, even if it is handled.
    """


@contextlib.contextmanager
def handle_signals(received: list[int]) -> Iterator[None]:
    """End the command by an exception after SIGINT, SIGTERM or SIGHUP.

    Their number is added to ``received``. A second signal ends it immediately. Ignored signals stay ignored.
    """

    def end(number: int, frame: object) -> None:
        received.append(number)
        for signal_number in handlers:
            signal.signal(signal_number, signal.SIG_DFL)
        raise Ended

    names = ("SIGINT", "SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    defaults = signal.SIG_DFL, signal.default_int_handler
    handlers = {number: handler for number in numbers if (handler := signal.getsignal(number)) in defaults}
    try:
        for number in handlers:
            signal.signal(number, end)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
