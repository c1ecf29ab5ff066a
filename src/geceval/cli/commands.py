"""Commands with their groups and summaries, and the help of options (*.tsv)."""

from __future__ import annotations

from pathlib import Path

from geceval.base.data_files import table_rows

_ROWS = table_rows(Path(__file__).with_suffix(".tsv"))
#: Commands, and actions such as ``m2 check`` -> summary.
SUMMARIES = {name: summary for _, name, summary in _ROWS}
#: Group -> its commands.
GROUPS = {title: [name for own, name, _ in _ROWS if own == title] for title, _, _ in _ROWS if title}
COMMANDS = [name for names in GROUPS.values() for name in names]
#: Class of an option, or *, and its name -> the text of its help.
HELP = {(kind, name): text for kind, name, text in table_rows(Path(__file__).with_name("options.tsv"))}
