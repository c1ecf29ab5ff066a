"""Kinds of slow tests, and tests that need more than the development packages; a line names those that are left out."""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from support.effort import examples
from support.instances import HAS_ENCODER

# No test is timed: a busy machine is no fault of the program.
settings.register_profile("desk", deadline=None, max_examples=examples(100))
# The same examples in every run of CI, so that a change is judged by itself; new ones at every desk.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

# argparse looks for a translation of each of its texts, file by file, unless the language needs none.
os.environ["LANGUAGE"] = "C"
# Terminals of tests have a width of their own.
os.environ.pop("COLUMNS", None)

#: Fixtures that run commands.
pytest_plugins = ["support.command_fixtures"]

#: Where the corpora and the recorded outputs of the public tools are.
SHARED = Path(os.environ.get("GECEVAL_SHARED", Path(__file__).resolve().parents[2] / "shared"))
HAS_GOLDEN = (SHARED / "golden").is_dir()
REQUIRED = os.environ.get("GECEVAL_CONFORMANCE") == "1"
HAS_SCIPY = importlib.util.find_spec("scipy") is not None
HAS_SPACY = importlib.util.find_spec("spacy") is not None
HAS_TOKENISERS = HAS_SPACY and all(map(importlib.util.find_spec, ("sacremoses", "icu4py", "nltk")))
HAS_SEGMENTERS = all(
    map(importlib.util.find_spec, ("syntok", "jieba", "fugashi", "sudachipy", "kiwipiepy", "pythainlp"))
)

#: Debian's, or another one.
CHROMIUM = os.environ.get("GECEVAL_CHROMIUM") or shutil.which("chromium")
HAS_BROWSER = CHROMIUM is not None and all(map(importlib.util.find_spec, ("playwright", "axe_playwright_python")))
HAS_SPARK = importlib.util.find_spec("pyspark") is not None and importlib.util.find_spec("dask") is not None
#: The framework that each of these tests is about.
FRAMEWORKS = {
    "dataloader": "torch",
    "evaluate": "evaluate",
    "inspect": "inspect_ai",
    "lm_eval": "lm_eval",
    "notebook": "nbclient",
    "sacrebleu": "sacrebleu",
    "torchmetrics": "torchmetrics",
    "trainer": "accelerate",
}

#: Those that must be there.
WANTED = os.environ.get("GECEVAL_FRAMEWORKS", "").split()

#: (tests, whether they run, why not and what runs them)
OPTIONAL = [
    ("conformance", HAS_GOLDEN or REQUIRED, "no recorded outputs here; GECEVAL_SHARED names their folder"),
    ("metrics/neural", HAS_ENCODER, "no torch and transformers here; make test-neural runs them"),
    ("statistics/test_scipy.py", HAS_SCIPY, "no scipy here; the extra dev has it"),
    ("edits/test_spacy.py", HAS_SPACY, "no spaCy here; make test-peers runs them"),
    (
        "text/test_other_tokenisers.py",
        HAS_TOKENISERS,
        "no spaCy, sacremoses, icu4py and NLTK here; make test-peers runs them",
    ),
    ("latex", os.environ.get("GECEVAL_LATEX") == "1", "make test-latex runs them, with pdflatex and xelatex"),
    ("browser", HAS_BROWSER, "no chromium, Playwright and axe here; make test-browser runs them"),
    ("integrations/spark", HAS_SPARK, "no PySpark and Dask here; make test-spark runs them"),
    *(
        (
            f"integrations/test_{adapter}.py",
            importlib.util.find_spec(package) is not None or package in WANTED,
            f"no {package} here; make test-integrations runs them",
        )
        for adapter, package in FRAMEWORKS.items()
    ),
    ("installation", "GECEVAL_DIST" in os.environ, "no wheel here; make test-wheel builds one and runs them"),
    ("text/test_segmenters.py", HAS_SEGMENTERS, "no segmenters here; make test-peers runs them"),
    ("differential", "GECEVAL_ERRANT_PYTHON" in os.environ, "no errant here; make test-peers runs them"),
]
collect_ignore = [tests for tests, can_run, _ in OPTIONAL if not can_run]

#: Kind -> its folders. ``make test`` runs one test of each kind, ``make test-slow`` all of them.
KINDS = {
    "process": ("process",),
    "fuzz": ("fuzz",),
    "pages": ("pages",),
    "evidence": ("conformance", "differential", "simulations"),
}
#: The tests of these kinds that ``make test`` runs, too.
SMOKE = frozenset(
    {
        "fuzz/test_any_argument.py::test_evaluate",
        "pages/test_blocks.py::test_the_code_runs_and_prints_what_the_page_shows[README.md]",
        "process/test_interrupt.py::test_signal_ends_a_long_computation_without_output[errant-2-2]",
        "simulations/test_levels.py::test_perm_both_keeps_its_level",
    }
)
TESTS = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with the kind of its folder."""
    kind_of = {folder: kind for kind, folders in KINDS.items() for folder in folders}
    for item in items:
        path = item.path.relative_to(TESTS)
        if kind := kind_of.get(path.parts[0]):
            item.add_marker(kind)
        if f"{path}::{item.name}" in SMOKE:
            item.add_marker("smoke")


def pytest_collection_finish() -> None:
    """Leave the collected tests and the packages to themselves; looking through them again is a tenth of the time."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for tests, can_run, why in OPTIONAL:
        if not can_run:
            terminalreporter.write_line(f"left out: tests/{tests} ({why})")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the corpora and recorded outputs; required if GECEVAL_CONFORMANCE=1."""
    if not HAS_GOLDEN:
        (pytest.fail if REQUIRED else pytest.skip)(f"no recorded outputs in {SHARED}")
    return SHARED
