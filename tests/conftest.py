"""Tests that need more than the development packages run where that is there; else a line says they are left out."""

from __future__ import annotations

import importlib.util
import os

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
