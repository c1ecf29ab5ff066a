"""Tests that need the extra neural run where it is installed; elsewhere a line says that they are left out."""

from __future__ import annotations

import pytest

from instances import HAS_ENCODER

collect_ignore = [] if HAS_ENCODER else ["neural"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not HAS_ENCODER:
        terminalreporter.write_line(
            "left out: tests/neural (no torch and transformers here; make test-neural runs them)"
        )
