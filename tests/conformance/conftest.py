"""What tests of whole corpora share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from geceval.statistics import trueskill

#: The second annotator of CoNLL-2014 deletes three sentences, of which readers of its text warn.
DELETED = "ignore:.*3 of 1312 lines are empty"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.filterwarnings(DELETED))


@pytest.fixture(scope="session", autouse=True)
def _kept_runs() -> Iterator[None]:
    """Keep the runs of TrueSkill, which take seconds, for other tests of the same judgments."""
    compute, cache = trueskill.trueskill_runs, {}

    def runs(wins: NDArray[np.uint64], ties: NDArray[np.uint64], *rest: Any) -> NDArray[np.float64]:
        key = len(wins), wins.tobytes(), ties.tobytes(), rest
        if key not in cache:
            cache[key] = compute(wins, ties, *rest)
        return cache[key].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trueskill, "trueskill_runs", runs)
        yield
