"""Tests of lines that fit neighbouring lines of the source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval._kernel import Text
from geceval.counting.checks.displaced_lines import DisplacedLines

SOURCE = [" ".join(f"w{line}{letter}" for letter in "abcdef") for line in range(60)]


def displaced(source: list[str], text: list[str], ends: list[int]) -> tuple[int, int, int, int]:
    """Return the number, the number of all lines, the first and its distance, of texts in parts that end at lines."""
    checked = DisplacedLines()
    for start, end in zip([0, *ends], [*ends, len(source)], strict=True):
        checked.add(Text(source[start:end]), Text(text[start:end]))
    checked.end()
    return checked.number, checked.lines, checked.first, checked.shift


@pytest.mark.parametrize(("start", "end"), [(0, 60), (10, 20), (31, 34), (57, 60)])
@pytest.mark.parametrize("shift", [-3, -2, -1, 1, 2, 3])
def test_a_run_of_displaced_lines_is_found_wherever_it_is(start: int, end: int, shift: int) -> None:
    lines = [line for line in range(start, end) if 0 <= line + shift < 60]
    text = [SOURCE[line + shift] if line in lines else SOURCE[line] for line in range(60)]
    expected = (len(lines), 60, lines[0] + 1, shift) if len(lines) >= 3 else (0, 60, 0, 0)
    assert displaced(SOURCE, text, []) == expected


@given(st.lists(st.sampled_from([0, 0, 0, -1, 1, 2, 9]), min_size=60, max_size=60), st.sets(st.integers(0, 60)))
def test_parts_change_nothing(shifts: list[int], ends: set[int]) -> None:
    text = [SOURCE[(line + shift) % 60] for line, shift in enumerate(shifts)]
    assert displaced(SOURCE, text, sorted(ends)) == displaced(SOURCE, text, [])
