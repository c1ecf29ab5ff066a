"""docs/extending.md is true: its code runs, with public names only."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import geceval

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"
CODE = "\n\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))


def test_the_code_of_the_page_runs(tmp_path: Path) -> None:
    path = tmp_path / "page.py"
    path.write_text(CODE, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)  # it writes a file
    assert done.returncode == 0, done.stderr


def test_the_code_of_the_page_uses_public_names_only() -> None:
    tree = ast.parse(CODE)
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "geceval"
    }
    assert {"Metric", "FMetric", "OnEdits", "Annotated"} <= used <= set(geceval.__all__)
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [module for module in modules if module.startswith("geceval")]
