"""Processor time of tokenising on one thread against spaCy's English rules, and the cost of --tokenise."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from geceval._kernel import Text, normalised, tokenised
from geceval.text.reading.lines import read_lines
from harness import (
    BIN,
    Limit,
    Options,
    Row,
    corpus_files,
    cpu_seconds,
    median_run,
    resampled,
    run_checked,
    side_by_side,
)

#: Microseconds a sentence and thread.
BUDGET = 3.0
#: Microseconds a line and thread of the other steps.
STEP = 1.0
#: Smallest speed-up over spaCy.
FASTER = 40
#: Largest ratio of the time for tokenising and scoring four texts to that for scoring them.
WITHIN = 2.0

PEER = """
import json, sys, time, spacy
make = spacy.blank("en").make_doc
lines = open(sys.argv[1], encoding="utf-8").read().split("\\n")[:-1]
start = time.process_time()
for line in lines:
    " ".join(token.text for token in make(line))
print(json.dumps({"seconds": time.process_time() - start}))
"""


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    text = Text(read_lines(files.source))

    def spacy() -> float:
        command = [str(options.peer_python), "-c", PEER, files.source]
        return float(json.loads(run_checked(command, options).output)["seconds"])

    peers = {"english; peer: spaCy": spacy if options.has_peer("spacy") else None, "treebank": None}
    for work, peer in peers.items():
        rules: Any = work.partition(";")[0]
        ours, peer_time = side_by_side(lambda r=rules: cpu_seconds(lambda: tokenised(text, r, 1)), peer, options.runs)
        microseconds = 1e6 * ours / len(text)
        note = f"{microseconds:.2f} us a sentence and thread; {len(text):,} sentences, {files.name}"
        limits = () if options.smoke else (Limit(microseconds, BUDGET, "us a sentence"),)
        yield Row(f"tokenising, processor time, {work}", ours, peer_time, FASTER, note, limits=limits)
    yield from _steps(options, text)
    yield _scores(options)


def _steps(options: Options, text: Text) -> Iterator[Row]:
    """Time normalisation in the kernel against Python's unicodedata."""
    steps: dict[str, Callable[[], object]] = {
        "--normalise nfc": lambda: normalised(text, "nfc", 1),
        "--normalise quotes": lambda: normalised(text, "quotes", 1),
        "--normalise whitespace": lambda: normalised(text, "blanks", 1),
    }

    def python() -> float:
        return cpu_seconds(lambda: Text([unicodedata.normalize("NFC", line or "") for line in text]))

    for work, step in steps.items():
        ours, peer = side_by_side(lambda run=step: cpu_seconds(run), python, options.runs)
        microseconds = 1e6 * ours / len(text)
        limits = () if options.smoke else (Limit(microseconds, STEP, "us a line"),)
        yield Row(f"{work}; peer: unicodedata's NFC", ours, peer, note=f"{microseconds:.2f} us a line", limits=limits)


def _scores(options: Options) -> Row:
    """Time whole processes with and without --tokenise: GREEN on pairs with two references."""
    large = resampled(corpus_files(options), 2_000 if options.smoke else 100_000, distinct=True)
    command = [str(BIN / "geceval"), "score", "-s", large.source, "-r", *large.references, "-c", *large.systems]
    command += ["-m", "green", "-j", "2"]
    pairs = [
        (run_checked([*command, "--tokenise", "english"], options), run_checked(command, options))
        for _ in range(options.runs)
    ]
    ours, peer = (median_run([pair[at] for pair in pairs]) for at in (0, 1))
    work = "score -m green --tokenise english, 100,000 pairs; peer: the same without --tokenise"
    return Row(work, ours.seconds, peer.seconds, within=None if options.smoke else WITHIN)
