"""Old names of commands and options of geceval 0.2.

Using one of them fails with a hint that names the new one; renamed.tsv has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from geceval.base.data_files import table_rows

#: The commands that compute metrics, and therefore had or may be expected to have the options of ``score``.
WITH_METRICS = ("score", "compare", "rank", "report", "show", "explain", "gate", "filter")


@cache
def hints() -> Mapping[tuple[str, str], str]:
    """Return the hint by command and old option, which is empty for an old command."""
    return {
        (command, option): hint
        for name, option, hint in table_rows(Path(__file__).with_suffix(".tsv"))
        for command in (WITH_METRICS if name == "METRICS" else [name])
    }
