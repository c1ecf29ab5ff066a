"""Memory of a process that makes many calls with texts it never saw: it grows with none of them."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

from support.effort import examples
from support.pages import ROOT

#: Python and Rust allocate by malloc, which knows the number of bytes in use. The caches are made small, and every call
#: has another text. The largest numbers of bytes of the sixths of the calls are compared.
PROGRAM = """
import ctypes, random, sys
import geceval, geceval.errant
from geceval.edits.corpus_edits import MEMORY
from geceval.integrations.rewards import rewards
from geceval.metrics.shared.chunk_metric import FIRST_PASS_CHUNKS

class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usm fsm uord ford keep".split()]

mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Mallinfo
def used():
    info = mallinfo()
    return info.uord + info.hblkhd

draw = random.Random(1)
def new_words(number):
    return ["".join(draw.choices("abcdefghijklmnop", k=9)) for _ in range(number)]
VOCABULARY = new_words(300)
def line(start):
    return " ".join([start, *draw.choices(VOCABULARY, k=4), "."])

METRICS = ["green", "gleu", "errant", "cleme", "cleme2", "goto"]
FIXED = ["She go to school .", "I like cat ."]
SCORER = geceval.Scorer(METRICS, FIXED, ["She goes to school .", "I like cats ."], checks=False)
ERRANT = geceval.errant.load("en")
REWARD = rewards("errant")

def annotate_new_words():
    words = new_words(1000)
    geceval.Errant().sentence_score(" ".join(words), " ".join([*words, "now"]), [" ".join(["the", *words])])

def refuse():
    for call in (
        lambda: geceval.make_metric(line("no")),
        lambda: geceval.Green(unit=line("no")),
        lambda: geceval.Corpus([line("a")], [[line("a")]] * 2, {line("a"): []}),
        lambda: SCORER.score([line("a")]),
    ):
        try:
            call()
        except geceval.GecevalError:
            continue
        raise AssertionError("no error")

CALLS = {
    "new words": annotate_new_words,
    "scorer": lambda: SCORER.score([line("She goes"), line("I likes")]),
    "new scorer": lambda: geceval.Scorer(METRICS, [line("He go")], [line("He goes")], checks=False).score([line("Ho")]),
    "sentence": lambda: geceval.Cleme().sentence_score(line("He go"), line("He goes"), [line("He went")]),
    "corpus": lambda: geceval.Cleme2().corpus_score([line("He go")], [line("He goes")], [[line("He went")]]),
    "errors": refuse,
    "errant": lambda: [str(e) for e in ERRANT.annotate(ERRANT.parse(line("He go")), ERRANT.parse(line("He goes")))],
    "rewards": lambda: REWARD(completions=[line("He goes")], source=[line("He go")], references=[[line("He went")]]),
    "explain": lambda: geceval.explain(line("He go"), line("He goes"), [line("He went")]),
    "prepared": lambda: geceval.Scorer(
        ["green"], [line("He go")], [line("He goes")], checks=False, clean="llm", tokenise="english"
    ).score(["Corrected: " + line("He goes")]),
}
MEMORY.budget = FIRST_PASS_CHUNKS.budget = 1 << 19
call, calls = CALLS[sys.argv[1]], int(sys.argv[2])
before, peaks = used(), []
for _ in range(6):
    peaks.append(0)
    for number in range(calls // 6):
        call()
        if number % 8 == 0:
            peaks[-1] = max(peaks[-1], used() - before)
print(*peaks)
"""

has_mallinfo = hasattr(ctypes.CDLL(None) if os.name == "posix" else None, "mallinfo2")


def peaks(name: str, calls: int) -> list[int]:
    """Return the largest number of bytes in use, beyond those before the first call, in each sixth of the calls."""
    environment = os.environ | {"PYTHONMALLOC": "malloc", "PYTHONPATH": str(ROOT / "tests")}
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, name, str(calls)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=280, env=environment, check=False)
    assert process.returncode == 0, process.stderr
    return [*map(int, process.stdout.split())]


@pytest.mark.skipif(not has_mallinfo, reason="no glibc with mallinfo2 here")
@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("new words", 3000),
        ("scorer", 6000),
        ("new scorer", 9000),
        ("sentence", 20_000),
        ("corpus", 20_000),
        ("errors", 1800),
        ("errant", 20_000),
        ("rewards", 20_000),
        ("explain", 3000),
        ("prepared", 9000),
    ],
)
def test_memory_of_many_calls_is_flat(name: str, calls: int) -> None:
    sizes = peaks(name, examples(calls))
    assert max(sizes[4:]) < 1.1 * max(sizes[1:4]), sizes
