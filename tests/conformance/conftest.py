"""Where the recorded numbers are: GECEVAL_SHARED, else ../shared. Required when GECEVAL_CONFORMANCE=1."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = Path(os.environ.get("GECEVAL_SHARED", ROOT.parent / "shared"))
    if not (folder / "golden").is_dir():
        if os.environ.get("GECEVAL_CONFORMANCE") == "1":
            pytest.fail(f"no golden data in {folder}")
        pytest.skip(f"no golden data in {folder}")
    return folder
