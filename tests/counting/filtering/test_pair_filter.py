"""Filters of pairs: what names stand for, and conditions that nothing or everything passes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import pytest

from geceval.base.errors import GecevalWarning, UsageError
from geceval.counting.filtering.features import Feature, FeatureReader
from geceval.counting.filtering.pair_filter import PairFilter
from geceval.counting.metric_names import metrics_of_specs
from geceval.counting.run import Run
from geceval.counting.sentence_scores import score_parts
from geceval.counting.stream import AnyMetric
from support.examples import example_corpus


def made(specs: Sequence[str]) -> list[AnyMetric]:
    return list(metrics_of_specs(specs, {}))


def filter_of(text: str, *metrics: str) -> PairFilter:
    return PairFilter.of(text, made(metrics), made)


def test_metrics_of_the_condition_follow_those_of_the_run() -> None:
    kept = filter_of("errant.precision > 50 or green:beta=0.5 > 50 or edits > 3 or errant > 20 or edits > 9", "gleu")
    assert kept.metrics == made(["gleu", "errant", "green:beta=0.5"])
    assert kept.features == [Feature("edits")]
    assert kept.has_parts
    assert filter_of("green > 50", "green:beta=1").metrics == made(["green:beta=1"])
    assert not filter_of("green > 50 and identical").has_parts


def test_pairs_that_pass_are_those_of_the_scores() -> None:
    corpus = example_corpus()
    kept = filter_of("green >= 60 and (errant.precision > 30 or not edits <= 1) and length_ratio < 1.1")
    [part] = score_parts(Run(corpus, kept.metrics), parts=True)
    green, errant = kept.metrics
    rows = zip(
        part.figures["noisy", green][""],
        part.figures["noisy", errant]["precision"],
        FeatureReader("builtin").values(Feature("edits"), corpus, "noisy"),
        FeatureReader("builtin").values(Feature("length_ratio"), corpus, "noisy"),
        strict=True,
    )
    expected = [
        place
        for place, (score, precision, edits, ratio) in enumerate(rows)
        if score >= 0.6 and (not precision <= 0.3 or edits > 1) and ratio < 1.1
    ]
    assert 0 < len(expected) < 40
    assert kept.passing(part, "noisy", FeatureReader("builtin")).tolist() == expected


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("green >= 0.9", "green is in points of 100\n  green >= 0.9\n           ^^^", "90, not 0.9"),
        ("green.recall > .5", "green.recall is in points of 100", "50, not 0.5"),
        ("green", "green is a number and needs a comparison", "such as: green >= 90"),
        ("edits.R", "edits.R is a number and needs a comparison", "such as: edits.R >= 1"),
        ("identical >= 1", "identical is true or false", "write identical or not identical"),
        ("gren > 1", "unknown name 'gren'\n  gren > 1\n  ^^^^", "did you mean green?"),
        ("edit > 1", "unknown name 'edit'", "did you mean edits?"),
        (
            "xyz > 1",
            "unknown name 'xyz'",
            "choose from edits, edits.TYPE, length_ratio, identical, duplicate and the metrics",
        ),
        ("edits > 1 and errant.precison > 5", "ERRANT has no precison; its parts: precision, recall", None),
        ("green:betta=2 > 5", "green has no setting 'betta'", "did you mean beta?"),
        ("edits. > 1", "the type of the edits is missing", "such as edits.R:VERB:TENSE"),
    ],
)
def test_mistake_is_reported_with_its_place_and_a_hint(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as error:
        filter_of(text)
    assert error.value.message.startswith(message)
    assert hint is None or (error.value.hint or "").startswith(hint)


@pytest.mark.parametrize(
    ("text", "piece", "hint"),
    [
        ("green > 100", "green > 100", "green is between 0 and 100"),
        ("errant.precision < 0", "errant.precision < 0", "errant.precision is between 0 and 100"),
        ("green > 90 and green < 50", "green > 90 and green < 50", "'green > 90' and 'green < 50' exclude each other"),
        (
            "identical and (edits > 5 or gleu > 3) and edits <= 4 and gleu <= 3",
            "identical and (edits > 5 or gleu > 3) and edits <= 4 and gleu <= 3",
            None,
        ),
        ("gleu > 5 and not (edits >= 0 or identical)", "not (edits >= 0 or identical)", None),
        ("edits > 2 and edits < 3", "edits > 2 and edits < 3", "'edits > 2' and 'edits < 3' exclude each other"),
        ("edits == 2.5", "edits == 2.5", "edits is a whole number, at least 0"),
        ("identical and not identical", "identical and not identical", None),
        ("length_ratio < 0", "length_ratio < 0", "length_ratio is a number, at least 0"),
    ],
)
def test_condition_that_no_pair_can_pass_is_refused(text: str, piece: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as error:
        filter_of(text)
    message, shown, carets = error.value.message.split("\n")
    assert message == "no pair can pass this condition"
    assert shown[carets.index("^") : len(carets)] == piece
    assert hint is None or error.value.hint == hint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("green >= 0", ["the condition 'green >= 0' always holds: green is between 0 and 100"]),
        ("green > 50 or gleu > 100", ["the condition 'gleu > 100' never holds: gleu is between 0 and 100"]),
        ("green > 50 or not green > 50", ["the condition 'green > 50 or not green > 50' always holds"]),
        (
            "green > 50 and (edits > -1 or identical)",
            ["the condition '(edits > -1 or identical)' always holds"],
        ),
        ("scribendi >= 0 and maxmatch <= 100", []),
        ("green > 50 and gleu <= 99", []),
    ],
)
def test_condition_that_always_or_never_holds_is_warned_of(text: str, expected: list[str]) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        filter_of(text)
    assert [str(one.message) for one in found if one.category is GecevalWarning] == expected
