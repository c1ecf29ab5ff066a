"""Every number that a release printed for the corpora is printed today."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.releases_comparing import check, names


@pytest.mark.parametrize(("record", "name"), names(ours=False))
def test_no_number_has_moved(record: Path, name: str, shared: Path) -> None:
    check(record, name, shared / "data")
