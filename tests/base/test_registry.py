"""Metrics of other packages, found by their entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from geceval import make_metric
from geceval.base.errors import UsageError
from geceval.counting.metric_names import METRICS, parse_specs
from support.installed import install
from support.toys import Shortening


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(tmp_path, monkeypatch, {"geceval.metrics": {"shortening": "support.toys:Shortening"}})


@pytest.mark.usefixtures("installed")
def test_an_installed_metric_is_found_by_name() -> None:
    assert METRICS.names()[-1] == "shortening"
    assert parse_specs(["green,shortening:most=0.5"]) == [("green", {}), ("shortening", {"most": "0.5"})]
    assert make_metric("shortening", most="0.5") == Shortening(most=0.5)
    with pytest.raises(UsageError, match="shortening has no setting 'least': choose from most"):
        make_metric("shortening", least="1")


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(
        UsageError, match=r"(?s)unknown metric 'gren': choose from green, gleu.*hint: did you mean green"
    ):
        make_metric("gren")
    assert "shortening" not in METRICS
