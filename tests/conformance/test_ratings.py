"""Correlations of GMEG's systems as numpy and scipy computed them from the same scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from geceval.statistics.correlation import Correlations
from support.golden import load

SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "source", "transformer")


@pytest.mark.parametrize("metric", ["green", "gleu", "errant"])
@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_system_level_follows_from_the_scores(domain: str, metric: str, shared: Path) -> None:
    golden: Any = load(shared / "golden/learned/gmeg.json")[domain]
    own = golden["metrics"][metric]
    for key, systems in (
        ("system_level_7", SYSTEMS),
        ("system_level_6_without_source", tuple(name for name in SYSTEMS if name != "source")),
    ):
        found = Correlations.of([own["corpus"][name] for name in systems], [golden["human_corpus"][s] for s in systems])
        expected = own[key]
        assert (found.pearson, found.spearman, found.kendall) == pytest.approx(
            (expected["pearson"], expected["spearman"], expected["kendall_b"]), abs=1e-9
        )
