"""mbrs: its decoder with our metric class."""

from __future__ import annotations

import mbrs.metrics
import numpy as np
import pytest
from mbrs.decoders import DecoderMBR

import geceval
from geceval.counting.scoring.candidate_choice import utilities
from geceval.integrations.mbrs import metric_class

CANDIDATES = ["He goes home .", "He go home .", "He goes home .", "He went home now ."]
SOURCE = "He go home ."


def test_a_decoder_takes_the_candidate_that_the_others_agree_with() -> None:
    cls = metric_class("errant")
    assert mbrs.metrics.get_metric("geceval_errant") is cls
    assert issubclass(cls, mbrs.metrics.Metric)
    metric = cls(cls.Config())
    found = DecoderMBR(DecoderMBR.Config(), metric).decode(CANDIDATES, CANDIDATES, SOURCE, nbest=4)
    assert found.idx[:2] == [0, 2]
    [expected] = utilities(geceval.Errant(), [SOURCE], [CANDIDATES])
    np.testing.assert_allclose(found.score, expected.mean(axis=1)[found.idx])
    matrix = metric.pairwise_scores(CANDIDATES, CANDIDATES, SOURCE)
    np.testing.assert_array_equal(matrix.numpy(), expected)


def test_a_name_is_registered_once() -> None:
    assert metric_class("green") is metric_class("green")
    with pytest.raises(ValueError, match="already registered"):
        metric_class("green:beta=1")
    assert metric_class("green:beta=1", name="geceval_green_1").scored == geceval.Green(beta=1.0)
