"""Implied edit weights are those of statsmodels' logistic model."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from geceval.agreement.edit_weights import implied_weights
from support.verdicts import correct_and_outside, differences, edit_counts, simulated_study

pytestmark = pytest.mark.skipif(importlib.util.find_spec("statsmodels") is None, reason="statsmodels is not installed")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("systems", [False, True])
def test_weights_are_those_of_statsmodels(seed: int, systems: bool) -> None:
    from statsmodels.discrete.discrete_model import Logit

    edits = edit_counts(80, 4, seed)
    columns = correct_and_outside(edits)
    study = simulated_study(edits, columns @ [0.9, -0.4], seed)
    if systems:
        presence = np.broadcast_to(np.eye(4)[:, np.newaxis, 1:], (4, 80, 3))
        columns = np.concatenate([columns, presence], axis=2)
    # Logit needs verdicts of both signs: every second one is written the other way round.
    rows = differences(study, columns)
    signs = np.where(np.arange(len(rows)) % 2, -1, 1)
    expected = Logit((signs > 0).astype(float), rows * signs[:, np.newaxis]).fit(disp=0).params
    [result] = implied_weights(study, systems=systems, resamples=0)
    [weight] = result.weights
    assert [weight.correct, weight.outside, *[*result.effects.values()][1:]] == pytest.approx(expected, abs=1e-6)
