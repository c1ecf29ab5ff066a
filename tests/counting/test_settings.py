"""Settings: what each is for, and that every value is checked, from Python as from a command line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pytest

from geceval import Cleme, Cleme2, Errant, GecevalError, Gleu, Green, MaxMatch, PtM2, make_metric
from geceval.base.errors import UsageError
from geceval.counting.policies import Best, Policy
from geceval.counting.settings import Bounds, setting
from geceval.extending import Counts, Metric


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cleme(weights="lenght"), "cleme: weights is one of none, length, length-sentence, not lenght"),
        (lambda: Cleme(assumption="Dependent"), "cleme: assumption is one of dependent, independent, not Dependent"),
        (lambda: Cleme2(factors="x"), "cleme2: factors is one of corpus, sentence, class, not x"),
        (lambda: Cleme(beta=math.inf), "cleme: beta is inf; it must be at least 0"),
        (lambda: Cleme(merge_distance=-1), "cleme: merge_distance is -1; it must be at least 0"),
        (lambda: Errant(mode="xx"), "errant: mode is one of cs, cse, ds, dt, not xx"),
        (lambda: Errant(merging="none"), "errant: merging is one of rules"),
        (lambda: MaxMatch(misfits="dropp"), "maxmatch: misfits is one of error, drop, not dropp"),
        (lambda: MaxMatch(selection="best"), "maxmatch: selection is one of running, optimum, not best"),
        (lambda: MaxMatch(timeout=0), "maxmatch: timeout is 0; it must be more than 0"),
        (lambda: PtM2(base="foo"), "ptm2: base is one of m2, errant, not foo"),
        (lambda: Green(beta="2"), "green: beta takes a number, not '2'"),
        (lambda: Green(n=2.0), "green: n takes a whole number, not 2.0"),
        (lambda: Green(n=True), "green: n takes a whole number, not True"),
        (lambda: Green(n=0), "green: n is 0; it must be at least 1"),
        (lambda: Green(unit="byte"), "green: unit is one of word, char, grapheme, not byte"),
        (lambda: Green(beta=-1), "green: beta is -1; it must be at least 0"),
        (lambda: Green(beta=math.nan), "green: beta is nan; it must be at least 0"),
        (lambda: Gleu(seed=-1), "gleu: seed is -1; it must be at least 0"),
        (lambda: Errant(lev="yes"), "errant: lev takes yes or no, not 'yes'"),
        (lambda: Errant(annotator=3), "errant: annotator takes Annotator or text, not 3"),
    ],
)
def test_values_that_do_not_exist_are_refused(make: Any, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, GecevalError)


def test_strings_of_a_command_line_become_values() -> None:
    metric = make_metric("gleu", n="3", seed="none", selection="mean")
    assert metric.settings == Gleu(n=3, selection="mean").settings
    assert make_metric("errant", lev="yes", beta="1") == Errant(lev=True, beta=1.0)
    for settings, message in (
        ({"n": "three"}, "gleu: n takes a whole number, not 'three'"),
        ({"seed": "x"}, "gleu: seed takes a whole number or none, not 'x'"),
        ({"size": "3"}, "gleu has no setting 'size': choose from n, unit"),
    ):
        with pytest.raises(UsageError, match=message):
            make_metric("gleu", **settings)


@dataclass(frozen=True)
class Noise(Metric[None]):
    """A metric of somebody else's, with settings that happen to be called as ours are."""

    name: ClassVar[str] = "noise"

    seed: int = 0
    beta: float = 1.0
    quick: bool = setting(False, "unsigned")
    cut: float = setting(0.5, "scoring", Bounds(0, 1))
    kind: Literal["a", "b"] = "a"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("noise",)

    @property
    def policy(self) -> Policy:
        return Best()

    def prepare(self, corpus: Any, threads: int = 0) -> None:
        return None

    def count(self, prepared: None, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        drawn = np.random.RandomState(self.seed).randint(0, 9, (len(hypothesis), 1, 1))
        return Counts(drawn, self.columns)

    def score(self, totals: Any) -> Any:
        return np.where(totals[..., 0] > self.cut, 1.0, 0.0)


def test_the_name_of_a_setting_decides_nothing() -> None:
    assert Noise(seed=1).count_key != Noise(seed=2).count_key
    assert Noise(beta=1).count_key != Noise(beta=2).count_key
    assert Noise(seed=1).signature(1) != Noise(seed=2).signature(1)
    assert Noise(cut=0.1).count_key == Noise(cut=0.2).count_key
    assert Noise(cut=0.1).signature(1) != Noise(cut=0.2).signature(1)
    assert Noise(quick=True).signature(1) == Noise().signature(1)
    with pytest.raises(UsageError, match="noise: cut is 2; it must be at least 0 and at most 1"):
        Noise(cut=2)
    with pytest.raises(UsageError, match="noise: kind is one of a, b, not c"):
        Noise(kind="c")  # type: ignore[arg-type]
