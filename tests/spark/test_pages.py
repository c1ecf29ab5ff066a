"""The code of the pages about scale runs, and prints what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from integrations_corpus import EXAMPLES

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def promised(code: str) -> list[list[str]]:
    """What stands under a print, in pieces that are there in this order."""
    lines = re.findall(r"print\(.*\)\n((?: *# .*\n)+)", code)
    return [line.strip().removeprefix("# ").split("…") for told in lines for line in told.splitlines()]


def holds(output: str, pieces: list[str]) -> bool:
    return re.search(".*".join(map(re.escape, pieces)), output) is not None


def test_the_page_about_spark(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one session, block by block."""
    monkeypatch.chdir(EXAMPLES)
    names: dict[str, Any] = {}
    told = 0
    for code in blocks("integrations/spark.md"):
        exec(compile(code, "spark.md", "exec"), names)
        output = capsys.readouterr().out
        for pieces in promised(code):
            assert holds(output, pieces), (pieces, output)
            told += 1
    assert told >= 4
    assert names["spark"] is spark


@pytest.mark.parametrize("page", ["scale.md"])
def test_pages_without_a_session(page: str, tmp_path: Path) -> None:
    """A process of their own, which starts others."""
    [code] = blocks(page)
    path = tmp_path / "page.py"
    path.write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False, cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr
    assert len(promised(code)) == 1
    for pieces in promised(code):
        assert holds(done.stdout, pieces), done.stdout
