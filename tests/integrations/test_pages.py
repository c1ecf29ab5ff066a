"""The code of docs/integrations/ runs, where its framework is there."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from integrations_corpus import EXAMPLES

PAGES = Path(__file__).parents[2] / "docs" / "integrations"
#: The package that a page needs, if any.
NEEDS = {
    "ci": None,
    "evaluate": "evaluate",
    "inspect": "inspect_ai",
    "lighteval": "lighteval",
    "lm-eval": "lm_eval",
    "mbrs": "mbrs",
    "rewards": "trl",
    "sacrebleu": "sacrebleu",
    "torchmetrics": "torchmetrics",
    "trainer": "accelerate",
}
#: What starts each language that is run.
RUN = {"python": [sys.executable, "-c"], "sh": ["bash", "-euc"]}


def blocks(page: str) -> list[tuple[str, str]]:
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```({'|'.join(RUN)})\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", NEEDS)
def test_every_page_has_code(page: str) -> None:
    assert blocks(page)


def can_run(package: str | None) -> bool:
    wanted = os.environ.get("GECEVAL_FRAMEWORKS", "").split()
    return package is None or package in wanted or importlib.util.find_spec(package) is not None


@pytest.mark.parametrize("page", [page for page, package in NEEDS.items() if can_run(package)])
def test_the_code_runs(page: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    offline = {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    path = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for language, code in blocks(page):
        done = subprocess.run(
            [*RUN[language], code],
            capture_output=True,
            text=True,
            cwd=tmp_path / "examples",
            env=os.environ | offline | path,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        for shown in re.findall(r"^print\(.*\)\n# (.*)$", code, re.MULTILINE):
            assert all(part in done.stdout for part in shown.split("…")), done.stdout
