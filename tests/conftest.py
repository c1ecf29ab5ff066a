"""Tests that need more than the development packages run where that is there; else a line says they are left out."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from instances import HAS_ENCODER

HAS_SPACY = importlib.util.find_spec("spacy") is not None

#: (tests, whether they can run, what is missing, what runs them)
OPTIONAL = [
    ("neural", HAS_ENCODER, "no torch and transformers here", "make test-neural"),
    ("annotation/test_spacy.py", HAS_SPACY, "no spaCy here", "make test-peers"),
    ("differential", "GECEVAL_ERRANT_PYTHON" in os.environ, "GECEVAL_ERRANT_PYTHON is not set", "make test-peers"),
]
collect_ignore = [tests for tests, can_run, _, _ in OPTIONAL if not can_run]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for tests, can_run, missing, command in OPTIONAL:
        if not can_run:
            terminalreporter.write_line(f"left out: tests/{tests} ({missing}; {command} runs them)")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Where the corpora and recorded numbers are: GECEVAL_SHARED, else ../shared; required if GECEVAL_CONFORMANCE=1."""
    folder = Path(os.environ.get("GECEVAL_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    if not (folder / "golden").is_dir():
        if os.environ.get("GECEVAL_CONFORMANCE") == "1":
            pytest.fail(f"no golden data in {folder}")
        pytest.skip(f"no golden data in {folder}")
    return folder
