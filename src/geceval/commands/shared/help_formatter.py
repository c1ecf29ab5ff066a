"""The layout of the help of a command."""

from __future__ import annotations

import io
import textwrap
from functools import cache
from typing import TYPE_CHECKING, Any

from geceval.commands.shared.option_groups import FURTHER

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

#: Columns of the help at which the texts of options and of commands begin.
COLUMN, COMMAND_COLUMN = 26, 19
#: Placeholders of cyclopts in the help, and ours.
_PLACEHOLDERS = {"INT": "N", "FLOAT": "X", "STR": "TEXT"}


class HelpFormatter:
    """Print an option as ``-r, --references FILE …``, and its help next to it.

    Attributes:
        shows_all: Print the texts of all options, also of the groups FURTHER.
        further: Lines with the flags of these groups, if their texts are not printed.
    """

    def __init__(self, *, shows_all: bool) -> None:
        self.shows_all = shows_all
        self.further: list[str] = []

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print the line of usage."""
        _print(console, f"usage: {_plain(usage).removeprefix('Usage: ')}\n")

    def render_description(self, console: Console, options: ConsoleOptions, description: Any) -> None:
        """Print the summary of the command."""
        _print(console, textwrap.fill(_plain(description), _width(console)))

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a group of options or commands."""
        if not panel.entries:
            return
        if panel.title in FURTHER and not self.shows_all:
            flags = " ".join((entry.negative_names or entry.positive_names)[0] for entry in panel.entries)
            self.further += textwrap.wrap(
                f"{panel.title}: {flags}", _width(console), subsequent_indent="  ", break_on_hyphens=False
            )
            return
        _print(console, f"\n{panel.title}:")
        for line in filter(None, map(str.strip, _printed(panel.description).splitlines())):
            _print(console, textwrap.fill(line, _width(console), initial_indent="  ", subsequent_indent="  "))
        for entry in panel.entries:
            text = _plain(entry.description)
            if entry.default not in (None, '""', "()", "True", "False") and "default" not in text:
                text += f" (default: {entry.default})"
            _print_entry(console, self._label(entry), text, COMMAND_COLUMN if panel.format == "command" else COLUMN)

    def _label(self, entry: HelpEntry) -> str:
        """Return the flags of an option, the main one first, and its placeholder; aliases with ``shows_all``."""
        if entry.positional_label:
            return f"{entry.positional_label} …" if "..." in str(entry.type) else entry.positional_label
        names = entry.positive_names if self.shows_all else entry.positive_names[:1]
        flags = entry.negative_names or (*entry.positive_shorts, *names)
        placeholder = (entry.metavar or "").removesuffix("...")
        several = " …" if "..." in str(entry.type) and "…" not in placeholder else ""
        if placeholder == "CHOICE" and entry.choices:
            placeholder = "|".join(entry.choices)
        return f"{', '.join(flags)} {_PLACEHOLDERS.get(placeholder, placeholder)}{several}".rstrip()


def _print_entry(console: Console, label: str, text: str, column: int) -> None:
    indent = " " * column
    lines = textwrap.wrap(text, _width(console), initial_indent=indent, subsequent_indent=indent) or [""]
    head = f"  {label}"
    if len(head) < column:
        lines[0] = head.ljust(column) + lines[0][column:]
    else:
        lines.insert(0, head)
    _print(console, "\n".join(line.rstrip() for line in lines))


def _width(console: Console) -> int:
    """Return the width of the help, which has room for words next to the options."""
    return max(console.width, 60) - 1


def _plain(text: Any) -> str:
    """Return a text of rich as one line."""
    return " ".join(_printed(text).split())


def _printed(text: Any) -> str:
    console = _text_console()
    with console.capture() as capture:
        console.print(text)
    return capture.get()


@cache
def _text_console() -> Console:
    from rich.console import Console

    return Console(file=io.StringIO(), width=1 << 16)


def _print(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)
