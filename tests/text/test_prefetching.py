"""Calls in a thread while the caller goes on."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import geceval
from geceval.base.caller_warnings import warn
from geceval.text.prefetching import OneCall


@pytest.mark.parametrize("threads", [0, 1])
def test_a_call_gives_its_result_or_error_once(threads: int) -> None:
    with ThreadPoolExecutor(1) as executor:
        call = OneCall[int](executor if threads else None)
        assert call.result() is None
        call.start(threading.get_ident)
        assert (call.result() == threading.get_ident()) == (threads == 0)
        assert call.result() is None
        with pytest.raises(ZeroDivisionError):  # noqa: PT012
            call.start(lambda: 1 // 0)
            call.result()
        assert call.result() is None


def test_warnings_of_a_call_are_issued_by_its_caller() -> None:
    def call() -> int:
        warn("odd", "even")
        return 3

    with ThreadPoolExecutor(1) as executor:
        one_call = OneCall[int](executor)
        one_call.start(call)
        with pytest.warns(geceval.GecevalWarning, match="odd") as caught:
            assert one_call.result() == 3
        assert caught[0].filename == __file__
