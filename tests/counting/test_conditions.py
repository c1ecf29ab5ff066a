"""Conditions on scores: what they say, and where what is wrong with them stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval.base.errors import UsageError
from geceval.counting.groups.conditions import ORDERS, conditions

NAMES = ["green", "errant.precision", "errant:beta=0.5", "GREEN beta=0.5", "errant:annotator=spacy:en.recall", "land"]
BLANKS = st.sampled_from(["", " ", "  ", "\t"])


@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(list(ORDERS)), st.floats(-1e6, 1e6), st.booleans()),
        min_size=1,
        max_size=4,
    ),
    BLANKS,
    BLANKS,
    st.sampled_from([" and ", "  AND\t", " And "]),
)
@settings(deadline=None)
def test_what_is_written_is_read(
    asked: list[tuple[str, str, float, bool]], before: str, after: str, joint: str
) -> None:
    text = joint.join(f"{n}{before}{order}{after}{v!r}{'%' if percent else ''}" for n, order, v, percent in asked)
    found = conditions(text)
    assert [(one.name, one.order, one.percent) for one in found] == [(n, o, p) for n, o, _, p in asked]
    assert [one.bound for one in found] == pytest.approx([v / 100 if p else v for _, _, v, p in asked])
    assert all(text[one.at :].startswith(one.name) for one in found)


@given(st.text(alphabet="agren.:=<>0159% andort&|()\n\t", max_size=40))
@settings(deadline=None)
def test_anything_else_is_told(text: str) -> None:
    try:
        found = conditions(text)
    except UsageError as error:
        message, shown, carets = error.message.split("\n")
        assert message
        assert len(shown) == len(text) + 2
        assert carets.strip(" ^") == ""
        assert "^" in carets
    else:
        assert all(one.name and one.order in ORDERS for one in found)


@pytest.mark.parametrize(
    ("text", "message", "under"),
    [
        ("", "a condition is missing here", 0),
        ("green >= 0.9 and", "a condition is missing here", 16),
        ("and green >= 0.9", "a condition is missing here", 0),
        ("green", "a condition compares by one of <=, >=, <, >", 0),
        ("green == 0.9", "a condition compares by one of", 0),
        ("green >= 0.9 or gleu > 1", "conditions are joined by 'and' alone", 13),
        ("green >= 0.9 && gleu > 1", "conditions are joined by 'and' alone", 13),
        ("0.5 < green < 0.9", "one comparison at a time", 12),
        ("0.5 < green", "a number is needed here", 6),
        ("green >=", "a number is missing here", 8),
        ("green >= 0,9", "a number is needed here", 9),
        ("green >= nan", "a number is needed here", 9),
        ("green >= \u0660.\u0669", "a number is needed here", 9),
        ("green >= -1e400", "a number is needed here that is not beyond all others", 9),
        (">= 0.9", "the name of a metric is missing", 0),
    ],
)
def test_errors_point_at_it(text: str, message: str, under: int) -> None:
    with pytest.raises(UsageError) as error:
        conditions(text)
    assert error.value.message.startswith(message)
    assert error.value.message.split("\n")[2].index("^") == 2 + under


def test_what_is_no_number_never_passes() -> None:
    values = np.array([np.nan, 0.0, 0.9, 1.0])
    for text, expected in (
        ("x >= 0.9", [False, False, True, True]),
        ("x > 90%", [False, False, False, True]),
        ("x <= 1", [False, True, True, True]),
        ("x < .9", [False, True, False, False]),
    ):
        [one] = conditions(text)
        assert one.holds(values).tolist() == expected
