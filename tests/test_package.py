"""The package as users meet it: quick to import, typed, its documentation true."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import geceval

ROOT = Path(__file__).parents[1]

#: What ``import geceval`` may load beside the standard library: nothing heavy before it is used.
HEAVY = {"numpy", "rich", "shtab", "jinja2", "spacy", "torch", "transformers", "scipy", "pyspark", "argparse"}


def modules_after(statement: str) -> set[str]:
    code = f"{statement}; import json, sys; print(json.dumps(sorted(sys.modules)))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(json.loads(output.splitlines()[-1]))


def test_importing_loads_nothing_heavy() -> None:
    assert not modules_after("import geceval") & HEAVY
    assert "numpy" in modules_after("import geceval; geceval.Green")


def test_the_version_is_told_without_numpy() -> None:
    statement = (
        "import contextlib, geceval.cli.main as m\nwith contextlib.suppress(SystemExit): m.main(['--version'])\n0"
    )
    loaded = modules_after(statement)
    assert not loaded & (HEAVY - {"argparse"})


def test_every_public_name_can_be_had() -> None:
    for name in geceval.__all__:
        assert getattr(geceval, name) is not None
    assert set(geceval.__all__) <= set(dir(geceval))


def test_the_docstring_is_true() -> None:
    results = doctest.testmod(geceval)
    assert results.attempted > 0
    assert results.failed == 0


def test_every_document_that_is_linked_exists() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_documents_show_signatures_of_this_version() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {found for page in pages for found in re.findall(r"\|v:([\d.]*\d)", page.read_text(encoding="utf-8"))}
    assert shown == {geceval.__version__}
