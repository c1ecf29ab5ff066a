"""The console that prints views and tables."""

from __future__ import annotations

from rich import console


class Console(console.Console):
    """A console of rich that leaves the end of its reader to the caller, as other outputs do."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError; rich would end the process with exit status 1."""
        raise BrokenPipeError
