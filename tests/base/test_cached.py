"""What is worked out once: kept in the object, and no lock while it is worked out."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from geceval.base.cached import cached_property


@dataclass(frozen=True)
class Thing:
    number: int
    made: list[int]

    @cached_property
    def twice(self) -> int:
        """Documented."""
        self.made.append(self.number)
        return 2 * self.number


def test_once_for_each_object() -> None:
    one, two = Thing(1, []), Thing(2, [])
    assert [one.twice, one.twice, two.twice] == [2, 2, 4]
    assert (one.made, two.made) == ([1], [2])
    assert Thing.twice.__doc__ == "Documented."


def test_one_object_does_not_wait_for_another() -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow:
        @cached_property
        def it(self) -> str:
            if not begun.is_set():
                begun.set()
                assert go_on.wait(60)
            return "made"

    slow = Slow()
    thread = threading.Thread(target=lambda: slow.it)
    thread.start()
    try:
        assert begun.wait(60)
        assert Slow().it == "made"
    finally:
        go_on.set()
        thread.join()


def test_threads_do_not_wait_for_each_other() -> None:
    """As in functools from Python 3.12 on, each may make one."""
    both = threading.Barrier(2)

    class Shared:
        @cached_property
        def it(self) -> str:
            both.wait(60)
            return "made"

    shared, found = Shared(), []
    threads = [threading.Thread(target=lambda: found.append(shared.it)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["made", "made"]
    assert shared.it is shared.it
