"""The compiled kernel, typed. A test compares the names here with the binary."""

from collections.abc import Sequence
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

@final
class NgramTable:
    """The n-grams of sources and references, ready to be compared with hypotheses.

    ``texts[s]`` is the source of sentence s followed by its R references. ``threads`` 0 means all processors.
    """

    def __new__(
        cls,
        texts: Sequence[Sequence[str]],
        n: int,
        unit: Literal["word", "char", "grapheme"],
        threads: int = 0,
    ) -> NgramTable: ...
    def count(self, hypotheses: Sequence[str], threads: int = 0) -> NDArray[np.int32]:
        """Counts ``[sentence, reference, order, 8]``: tk td ti od oi ud ui, and ud absent from the reference."""
    def __len__(self) -> int: ...

def sampled_references(present: NDArray[np.bool_], iterations: int, seed: int | None = None) -> NDArray[np.uint32]:
    """The references [iterations, S] drawn among those ``present`` [S, R]. Seed None: the original scorer's draws."""

def sampled_sums(
    counts: NDArray[np.int32],
    present: NDArray[np.bool_],
    iterations: int,
    seed: int | None = None,
    threads: int = 0,
) -> NDArray[np.int64]:
    """The sums [iterations, K] of counts [S, R, K] over the references drawn among those ``present`` [S, R]."""

@final
class GoldTable:
    """Sources and the gold edits of their annotators, ready to be compared with hypotheses (MaxMatch).

    ``gold[s][a]`` are the edits (start, end, alternatives) of annotator a of sentence s, in file order.
    """

    def __new__(
        cls,
        sources: Sequence[str],
        gold: Sequence[Sequence[Sequence[tuple[int, int, Sequence[str]]]]],
    ) -> GoldTable: ...
    def count(
        self,
        hypotheses: Sequence[str],
        max_unchanged: int,
        ignore_whitespace_casing: bool,
        timeout: float | None = None,
        method: Literal["auto", "exact", "search"] = "auto",
        threads: int = 0,
    ) -> NDArray[np.int32]:
        """Counts ``[sentence, annotator, 4]``: correct, proposed, gold, and 1 where ``timeout`` seconds ran out."""
    def views(
        self,
        sentence: int,
        hypothesis: str,
        max_unchanged: int,
        ignore_whitespace_casing: bool,
        timeout: float | None = None,
        method: Literal["auto", "exact", "search"] = "auto",
    ) -> list[tuple[list[tuple[int, int, int, int]], list[tuple[int, int]]]] | None:
        """Every annotator's (edits, matches); None if the time ran out.

        An edit (start, end, from, to) turns source tokens start..end into hypothesis tokens from..to; a match is the
        place of an edit and that of a gold edit.
        """
    def __len__(self) -> int: ...

def trueskill_in_order(
    players: int,
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    outcome: NDArray[np.int8],
    sigma: float,
    beta: float,
    draw_margin: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(means, variances) of the players' skills after games ``first[g]`` against ``second[g]``, in order.

    ``outcome[g]`` > 0: the first won; < 0: the second won; 0: a draw.
    """

def trueskill_runs(
    wins: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    updates: int,
    sigma: float,
    beta: float,
    draw_margin: float,
    seed: int,
    runs: int,
    threads: int = 0,
) -> NDArray[np.float64]:
    """Skill means [runs, players] of runs over games drawn from ``wins[i, j]`` and ``draws[i, j]``.

    Run k is seeded with ``seed + k``. ``threads`` 0 means all processors.
    """
