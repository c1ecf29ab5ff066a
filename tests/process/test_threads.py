"""Eight threads at a time: every call gives what one thread gives, with the GIL and without it."""

from __future__ import annotations

import random
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

import geceval
import geceval.errant
from geceval.integrations.rewards import rewards
from support.effort import examples

THREADS = 8
SOURCE = ["He go home .", "She have a cats .", "I like it .", "We was there yesterday ."]
REFERENCE = ["He goes home .", "She has cats .", "I like it .", "We were there yesterday ."]
ROWS = [[line] for line in REFERENCE]
#: Systems.
HYPOTHESES = [
    [line.replace(" .", f" {word} .").replace("have", verb) for line in SOURCE]
    for word in ("", "now", "at home")
    for verb in ("have", "has", "had")
]
ANNOTATOR = geceval.errant.load("en")
SCORER = geceval.Scorer(["green", "gleu", "errant", "cleme", "cleme2", "goto"], SOURCE, [REFERENCE], checks=False)
REWARD = rewards("errant")


def scores_of_a_new_scorer(hypotheses: list[str]) -> Any:
    """Return scores under metrics, a corpus and a scorer that are made for this call."""
    scorer = geceval.Scorer(["green", "errant"], SOURCE, [REFERENCE], checks=False, clean="llm", tokenise="english")
    return scorer.score(hypotheses)


def edits(hypotheses: list[str]) -> list[str]:
    pairs = zip(SOURCE, hypotheses, strict=True)
    parse = ANNOTATOR.parse
    return [edit.to_m2() for source, line in pairs for edit in ANNOTATOR.annotate(parse(source), parse(line))]


def message(hypotheses: list[str]) -> str:
    """Return the error for a system of the wrong length."""
    with pytest.raises(geceval.GecevalError) as caught:
        SCORER.score(hypotheses[1:])
    return str(caught.value)


#: Functions of the hypotheses, with the number of calls of all threads.
CALLS: dict[str, tuple[Callable[[list[str]], Any], int]] = {
    "one scorer": (SCORER.score, 10_000),
    "sentence scores": (lambda lines: {name: list(row) for name, row in SCORER.sentence_scores(lines).items()}, 2000),
    "new scorers": (scores_of_a_new_scorer, 2000),
    "one sentence": (lambda lines: geceval.Errant().sentence_score(SOURCE[1], lines[1], [REFERENCE[1]]), 10_000),
    "errant": (edits, 10_000),
    "errors": (message, 2000),
    "explain": (lambda lines: geceval.explain(SOURCE[1], lines[1], [REFERENCE[1]]).columns("edits"), 400),
    "rewards": (
        lambda lines: REWARD(completions=lines, source=SOURCE, references=[[line] for line in REFERENCE]),
        2000,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_in_eight_threads_give_the_results_of_one(name: str) -> None:
    function, calls = CALLS[name]
    expected = [repr(function(hypotheses)) for hypotheses in HYPOTHESES]
    assert len(set(expected)) > 1 or name == "errors"
    start = Barrier(THREADS)

    def differing(thread: int) -> list[int]:
        order = random.Random(thread).choices(range(len(HYPOTHESES)), k=examples(calls // THREADS))
        start.wait()
        return [at for at in order if repr(function(HYPOTHESES[at])) != expected[at]]

    with ThreadPoolExecutor(THREADS) as pool:
        assert [*pool.map(differing, range(THREADS))] == [[]] * THREADS


#: Eight threads use everything for the first time: modules, tables of languages and cached settings.
FIRST_USE = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
import geceval
source, reference, hypothesis = ["She go to a school ."], ["She goes to school ."], ["She goes to schools ."]
start = threading.Barrier(8)
def work(thread):
    start.wait()
    names = ["green", "gleu", "errant", "cleme", "cleme2", "goto"]
    names = names[thread % 6:] + names[: thread % 6]
    scores = {}
    for name in names:
        scores |= geceval.Scorer([name], source, [reference], checks=True, clean="llm").score(hypothesis)
    scores["english"] = geceval.Scorer(["green"], source, [reference], tokenise="english").score(hypothesis)
    scores["explained"] = geceval.explain(source[0], hypothesis[0], [reference[0]]).columns("edits")
    return sorted((name, str(score)) for name, score in scores.items())
with ThreadPoolExecutor(8) as pool:
    results = list(pool.map(work, range(8)))
assert all(result == results[0] for result in results), results
print(getattr(sys, "_is_gil_enabled", lambda: True)())
"""


def test_first_use_in_eight_threads() -> None:
    """The kernel does not switch the GIL on where Python has none."""
    has_gil = not sysconfig.get_config_var("Py_GIL_DISABLED")
    for _ in range(examples(6)):
        command = [sys.executable, "-W", "error", "-c", FIRST_USE]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert (result.stdout, result.stderr) == (f"{has_gil}\n", "")
