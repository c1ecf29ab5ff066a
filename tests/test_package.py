"""The package as users meet it: quick to import, typed, its documentation true."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

import pytest

import geceval

ROOT = Path(__file__).parents[1]

#: What ``import geceval`` may load beside the standard library: nothing heavy before it is used.
HEAVY = set("cyclopts numpy openai rich jinja2 spacy torch transformers scipy pyspark argparse".split())


def modules_after(statement: str) -> set[str]:
    code = f"{statement}; import json, sys; print(json.dumps(sorted(sys.modules)))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(json.loads(output.splitlines()[-1]))


def test_importing_loads_nothing_heavy() -> None:
    assert not modules_after("import geceval") & HEAVY
    assert "numpy" in modules_after("import geceval; geceval.Green")


def test_no_public_name_loads_the_command_line() -> None:
    statements = [
        "import geceval.detection, geceval.errant, geceval.extending, geceval.integrations.rewards, geceval.m2",
        "import geceval.integrations.spark, geceval.testing",
        "[getattr(geceval, name) for name in geceval.__all__]",
        "[getattr(geceval.extending, name) for name in geceval.extending.__all__]",
    ]
    loaded = modules_after("; ".join(statements))
    assert "geceval.comparison.compare" in loaded
    assert not {name for name in loaded if name.split(".")[:2] in (["geceval", "commands"], ["geceval", "app"])}
    assert "cyclopts" not in loaded


def test_modules_are_attributes() -> None:
    for code in ("import geceval; geceval.m2.read; geceval.detection.score", "import geceval.m2, geceval.detection"):
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_public_name_can_be_had() -> None:
    for name in geceval.__all__:
        assert getattr(geceval, name) is not None
    assert set(geceval.__all__) <= set(dir(geceval))
    names: dict[str, object] = {}
    exec("from geceval import *", names)
    assert set(geceval.__all__) <= set(names)
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(geceval, "nonsense")  # noqa: B009


def test_the_docstring_is_true() -> None:
    results = doctest.testmod(geceval)
    assert results.attempted > 0
    assert results.failed == 0


def test_the_documents_show_signatures_of_this_version() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    texts = (page.read_text(encoding="utf-8") for page in pages)
    versions = {version for text in texts for version in re.findall(r"\|v:([\d.]+(?:dev)?\d)", text)}
    assert versions == {geceval.__version__}


def test_every_extra_that_is_named_exists() -> None:
    extras = set(metadata("geceval").get_all("Provides-Extra") or [])
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    texts = [place.read_text(encoding="utf-8") for place in files]
    named = {name for text in texts for names in re.findall(r"geceval\[([\w,-]+)\]", text) for name in names.split(",")}
    hinted = {names for text in texts for names in re.findall(r"install_command\([\"'](\w+)[\"']\)", text)}
    assert {"neural", "report"} <= named | hinted
    assert named | hinted <= extras


def test_few_packages_are_needed() -> None:
    needed = [need for need in metadata("geceval").get_all("Requires-Dist") or [] if "extra ==" not in need]
    assert {re.split(r"[^\w-]", need)[0] for need in needed} == {"cyclopts", "lazy-loader", "numpy", "rich"}


def test_the_citation_is_of_this_version() -> None:
    match = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None
    assert match[1] == geceval.__version__
    release = geceval.__version__.partition(".dev")[0]
    assert f"## {release} (" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
