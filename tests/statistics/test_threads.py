"""One function for many numbers, by several threads."""

from __future__ import annotations

import threading
import time

import pytest

from geceval.statistics.sums import run_in_threads


@pytest.mark.parametrize("threads", [0, 1, 2, 7])
@pytest.mark.parametrize("count", [0, 1, 5, 1000])
def test_every_number_once_and_in_order(count: int, threads: int) -> None:
    seen: list[int] = []

    def square(number: int) -> int:
        seen.append(number)
        return number**2

    assert run_in_threads(square, count, threads) == [number**2 for number in range(count)]
    assert sorted(seen) == list(range(count))


@pytest.mark.parametrize("threads", [1, 2])
def test_after_an_error_nothing_more_is_begun(threads: int) -> None:
    seen: list[int] = []

    def failing(number: int) -> int:
        seen.append(number)
        raise ValueError(number)

    with pytest.raises(ValueError, match=r"^\d+$"):
        run_in_threads(failing, 1000, threads)
    assert sorted(seen) == list(range(len(seen)))
    assert len(seen) <= threads


def test_an_error_in_any_thread_ends_the_others() -> None:
    seen: list[int] = []

    def failing(number: int) -> None:
        seen.append(number)
        time.sleep(0.01)
        if number == 1:
            raise ValueError(number)

    with pytest.raises(ValueError, match="1"):
        run_in_threads(failing, 1000, 3)
    assert len(seen) < 100


def test_several_work_at_once() -> None:
    all_of_them = threading.Barrier(5, timeout=30)
    assert run_in_threads(lambda number: all_of_them.wait() >= 0 and number >= 0, 5, 5) == [True] * 5
