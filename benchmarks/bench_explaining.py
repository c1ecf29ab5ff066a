"""Sentences shown, and what edits are worth: whole processes, beside one that scores the same files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval import Errant, Green
from geceval.extending import attribute
from geceval.m2 import Block, Edit
from harness import BIN, Limit, Options, Row, checked, corpus, cpu_seconds, side_by_side

#: The most edits whose values are exact, and the CPU milliseconds they may take by metric: 4,096 texts are scored.
EDITS, EXACT = 12, {"errant": 150.0, "green": 200.0}


def rows(options: Options) -> Iterator[Row]:
    """What a user waits for."""
    files = corpus(options)
    systems = files.systems[:2]
    given = ["-q", "-s", files.source, "-r", *files.references, "-c", *systems]
    found = (["--type", "DET", "--outcome", "missed"], ["--sort", "difference"])
    for more, work in zip(found, ("missed determiners", "the largest differences"), strict=True):
        shown, scored = ["show", *given, *more], ["score", *given, "-m", "errant"]
        ours, peer = side_by_side(lambda c=shown: _wall(c, options), lambda c=scored: _wall(c, options), options.runs)
        yield Row(f"geceval show, {work}, {files.name}, 2 systems", ours, peer, within=2.0, note="peer: geceval score")
    for metric in (Errant(), Green()):
        yield _worth(metric)


def _wall(arguments: Sequence[str], options: Options) -> float:
    return checked([str(BIN / "geceval"), *arguments], options).seconds


def _worth(metric: Errant | Green) -> Row:
    source = " ".join(f"w{n}" for n in range(30))
    edits = tuple(Edit(2 * n, 2 * n + 1, "R:OTHER", (f"v{n}",)) for n in range(EDITS))
    gold, system = Block(source, edits[::2]), Block(source, edits)
    ours = cpu_seconds(lambda: attribute(metric, source, system, gold=gold))
    limit = Limit(1000 * ours, EXACT[metric.name], "ms")
    return Row(f"what {EDITS} edits are worth to {metric.label}, exactly", ours, limits=(limit,))
