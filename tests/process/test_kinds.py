"""The kinds of slow tests, and the smoke tests of each kind."""

from __future__ import annotations

import subprocess
import sys

from conftest import KINDS, SMOKE, TESTS


def test_each_kind_has_a_smoke_test_that_exists() -> None:
    """A name that no test has would leave a kind out of ``make test`` without a word."""
    folders = {name.partition("/")[0] for name in SMOKE}
    assert [kind for kind, names in KINDS.items() if not folders & {*names}] == []
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *(str(TESTS / name) for name in SMOKE)]
    completed = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stdout
