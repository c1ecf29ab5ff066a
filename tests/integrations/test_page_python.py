"""The code of docs/python.md, docs/mbr.md and README.md runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def blocks(page: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    return "\n\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("page", ["docs/python.md", "docs/mbr.md", "README.md"])
def test_the_code_of_the_page_runs(page: str, tmp_path: Path) -> None:
    if page == "README.md":
        pytest.importorskip("pandas")
    code = blocks(page)
    assert "geceval" in code
    path = tmp_path / "page.py"
    path.write_text(code, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT / "examples")
    assert done.returncode == 0, done.stderr


def test_the_readme_is_short() -> None:
    """A loop, a reward and a data frame in fifteen lines."""
    code = [line for line in blocks("README.md").splitlines() if line.strip()]
    assert len(code) <= 15
    for name in ("Scorer", "rewards", "to_pandas"):
        assert any(name in line for line in code)
