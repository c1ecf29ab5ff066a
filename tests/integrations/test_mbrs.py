"""mbrs: utilities in one batch, against a stand-in of its base class; test_mbrs_itself.py has the real one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import geceval
from geceval.integrations import mbrs as adapter
from geceval.metrics.false_alarms import FalseAlarms
from support.examples import CAREFUL, NOISY, REFERENCES, SOURCE


class StandIn:
    """The methods of ``mbrs.metrics.Metric`` that decoders call and the adapter leaves to it."""

    def __init__(self, cfg: object) -> None:
        self.cfg = cfg

    class Config: ...

    def expected_scores(self, hypotheses: list[str], references: list[str], source: str | None = None) -> Any:
        return self.pairwise_scores(hypotheses, references, source).mean(axis=1)  # type: ignore[attr-defined]


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, type]]:
    """What is registered with the stand-in; numpy stands for torch."""
    found: dict[str, type] = {}
    mbrs, torch = ModuleType("mbrs.metrics"), ModuleType("torch")
    mbrs.Metric = StandIn  # type: ignore[attr-defined]
    mbrs.register = lambda name: lambda cls: found.setdefault(name, cls)  # type: ignore[attr-defined]
    torch.float32, torch.as_tensor = np.float32, np.asarray  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mbrs.metrics", mbrs)
    monkeypatch.setitem(sys.modules, "torch", torch)
    adapter._make_class.cache_clear()
    yield found
    adapter._make_class.cache_clear()


CANDIDATES = ["He goes home .", "He go home .", " He goes home .\n", "He went home now ."]
GOES = "He go home ."


@pytest.mark.parametrize("name", ["errant", "green", "gleu", "cleme"])
def test_utilities_are_sentence_scores(registered: dict[str, type], name: str) -> None:
    cls = adapter.metric_class(name)
    assert registered == {f"geceval_{name}": cls}
    metric = cls(cls.Config())
    matrix = metric.pairwise_scores(CANDIDATES, CANDIDATES[:3], GOES)
    texts = [text.strip() for text in CANDIDATES]
    expected = geceval.make_metric(name)
    assert matrix.shape == (4, 3)
    for h, hypothesis in enumerate(texts):
        for r, reference in enumerate(texts[:3]):
            value = expected.sentence_score(GOES, hypothesis, [reference])
            assert matrix[h, r] == np.float32(value)
            assert metric.score(CANDIDATES[h], CANDIDATES[r], GOES) == value
    np.testing.assert_array_equal(metric.expected_scores(CANDIDATES, CANDIDATES[:3], GOES), matrix.mean(axis=1))


def test_scores_of_many_sentences(registered: dict[str, type]) -> None:
    cls = adapter.metric_class("errant", name="mine")
    metric = cls(cls.Config())
    assert [*registered] == ["mine"]
    expected = geceval.Errant().corpus_score(SOURCE, CAREFUL, REFERENCES)
    assert metric.corpus_score(CAREFUL, REFERENCES, SOURCE) == expected.value


@pytest.mark.parametrize("name", ["errant", "green", "gleu", "cleme"])
def test_scores_are_those_of_the_pairs(name: str, registered: dict[str, type]) -> None:
    cls = adapter.metric_class(name)
    metric = cls(cls.Config())
    each = [metric.score(*pair) for pair in zip(CAREFUL, NOISY, SOURCE, strict=True)]
    np.testing.assert_array_equal(metric.scores(CAREFUL, NOISY, SOURCE), np.array(each, np.float32))


def test_where_less_is_better_nothing_is_chosen(registered: dict[str, type]) -> None:
    with pytest.raises(geceval.GecevalError, match="its lower scores are better"):
        adapter.metric_class(FalseAlarms())


def test_the_source_is_needed(registered: dict[str, type]) -> None:
    cls = adapter.metric_class("errant")
    metric = cls(cls.Config())
    for call in (metric.pairwise_scores, metric.scores, lambda h, r: metric.score(h[0], r[0]), metric.corpus_score):
        with pytest.raises(geceval.GecevalError, match="the source is required"):
            call(["a"], ["a"])
    for wrong in ("goto", "maxmatch"):
        with pytest.raises(geceval.GecevalError, match=f"{wrong} does not compare a text with a reference"):
            adapter.metric_class(wrong)
