"""The tests of gec-metrics pass with ``geceval.errant`` in the place of ``errant``, and its scores are geceval's.

The modules of gec-metrics and gecommon are imported one by one: their packages import torch.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import geceval
from geceval import errant
from support.examples import CAREFUL, REFERENCES, SOURCE

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("gec_metrics") is None, reason="gec-metrics is not installed"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning"),
]


def folder_of(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@pytest.fixture(autouse=True)
def _replaced_import(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = folder_of("gec_metrics")
    for name in [name for name in sys.modules if name.split(".")[0] in ("errant", "gec_metrics", "gecommon")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "errant", errant)
    monkeypatch.setitem(sys.modules, "trueskill", types.ModuleType("trueskill"))
    for name, path in (("gec_metrics", folder), ("gec_metrics.metrics", folder / "metrics")):
        package = types.ModuleType(name)
        package.__path__ = [str(path)]
        monkeypatch.setitem(sys.modules, name, package)
    yield
    for name in [name for name in sys.modules if name.split(".")[0] in ("errant", "gec_metrics", "gecommon")]:
        monkeypatch.delitem(sys.modules, name)


def checks(module: str) -> list[Callable[[], None]]:
    """The tests of a module, with each of their cases."""
    calls: list[Callable[[], None]] = []
    for class_name, cls in inspect.getmembers(import_module(module), inspect.isclass):
        for name, method in inspect.getmembers(cls, inspect.isfunction) if class_name.startswith("Test") else ():
            if name.startswith("test"):
                [mark] = getattr(method, "pytestmark", None) or [None]
                for values in mark.args[1] if mark else [()]:
                    calls.append(lambda cls=cls, method=method, values=values: method(cls(), *values))
    return calls


@pytest.mark.parametrize("name", ["errant", "gleu", "green", "gotoscorer"])
def test_the_public_tests_pass_with_the_replaced_import(name: str) -> None:
    calls = checks(f"gec_metrics.metrics.{name}_test")
    assert calls
    for call in calls:
        call()


@pytest.mark.parametrize(
    ("module", "name", "metric", "levels"),
    [
        ("errant", "ERRANT", geceval.Errant(), ("corpus", "sentence")),
        ("green", "GREEN", geceval.Green(), ("sentence",)),  # the corpus score has others of equal references
        ("gleu", "GLEU", geceval.Gleu(cut="none"), ("corpus", "sentence")),
        ("gleu", "GLEUOfficial", geceval.Gleu(draws="python3"), ("corpus", "sentence")),
    ],
)
def test_our_scores_are_those_of_gec_metrics(module: str, name: str, metric: Any, levels: tuple[str, ...]) -> None:
    theirs = getattr(import_module(f"gec_metrics.metrics.{module}"), name)()
    texts = SOURCE, CAREFUL, REFERENCES
    if "corpus" in levels:
        assert metric.corpus_score(*texts).value == pytest.approx(theirs.score_corpus(*texts), abs=1e-9)
    assert metric.sentence_scores(*texts).tolist() == pytest.approx(theirs.score_sentence(*texts), abs=1e-9)
