"""Commands with their groups, modules and summaries (commands.tsv)."""

from __future__ import annotations

from pathlib import Path

from geceval.base.data_files import table_rows

_ROWS = table_rows(Path(__file__).with_suffix(".tsv"))
#: Commands, and actions such as ``m2 check`` -> summary.
SUMMARIES = {name: summary for _, name, _, summary in _ROWS}
#: Command -> its module, imported when the command runs.
MODULES = {name: f"geceval.{module}" for _, name, module, _ in _ROWS if module}
#: Group -> its commands.
GROUPS = {title: [name for group, name, *_ in _ROWS if group == title] for title, *_ in _ROWS if title}
COMMANDS = list(MODULES)
