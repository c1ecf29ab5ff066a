"""Forks while threads score: every child gives its result."""

from __future__ import annotations

import subprocess
import sys

from support.effort import examples

#: Three threads score, and the main thread forks; each child scores with two threads, and its status says whether
#: the result is the parent's. SIGALRM ends a child that hangs.
FORKING = """
import os, signal, sys, threading
import geceval
from geceval.statistics.threads import run_in_threads

lines = [f"the {s} cat sat on a mat" for s in range(300)]
others = [line.replace("cat", "cats") for line in lines]
green, errant = geceval.Green(), geceval.Errant()
def value(metric, threads):
    return metric.corpus_score(lines, others, [lines], threads=threads).value
expected, over = value(green, 1), threading.Event()
def score():
    while not over.is_set():
        value(green, 2)
scorers = [threading.Thread(target=score) for _ in range(3)]
for thread in scorers:
    thread.start()
failed = []
for number in range(int(sys.argv[1])):
    child = os.fork()
    if not child:
        signal.alarm(20)
        right = value(green, 2) == expected and run_in_threads(lambda at: at, 9, 2) == list(range(9))
        os._exit(0 if right and threading.active_count() == 1 else 3)
    status = os.waitpid(child, 0)[1]
    failed += [status] if status else []
over.set()
for thread in scorers:
    thread.join()
assert not failed, failed
alone = os.fork()  # without other threads, the child may start some
if not alone:
    from geceval._kernel import is_single_threaded
    os._exit(is_single_threaded())
assert os.waitpid(alone, 0)[1] == 0
"""


def test_children_of_a_process_with_threads_give_their_results() -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKING, str(examples(500))]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stderr) == (0, "")
