"""Names of the tokenisers of geceval, by module."""

from __future__ import annotations

from pathlib import Path

from geceval import _kernel
from geceval.base.package_tables import table_rows

TABLE = Path(_kernel.__file__).parent / "text" / "tokenisers" / "tokenisers.tsv"


def tokeniser_names(module: str) -> list[str]:
    """Return the names whose functions are in a module of ``geceval.text.tokenisers``."""
    rows = table_rows(TABLE)
    return [name for name, function, *_ in rows if function.startswith(f"geceval.text.tokenisers.{module}:")]
