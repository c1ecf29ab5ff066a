"""The code of docs/significance.md runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_code_of_the_page_runs() -> None:
    page = (ROOT / "docs/significance.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    green, errant, signature, power = done.stdout.splitlines()
    assert green.startswith("green: -0.3051 [")
    assert errant.startswith("errant: ")
    assert signature.startswith(
        "ar:10000|boot:10000|seed:0|ci:percentile|weights:poisson|unit:sentence|ref:ERRANT=optimum"
    )
    assert "sentences to show a difference" in power
