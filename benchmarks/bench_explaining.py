"""``geceval show`` against ``geceval score`` on the same files, and exact values of edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval import Errant, Green
from geceval.extending import attribute
from geceval.m2 import Block, Edit
from harness import BIN, Limit, Options, Row, corpus_files, cpu_seconds, run_checked, side_by_side

#: Largest number of edits with exact values (4,096 texts are scored), and CPU milliseconds by metric.
EDITS, EXACT = 12, {"errant": 150.0, "green": 200.0}


def rows(options: Options) -> Iterator[Row]:
    """Time whole processes of ``show``, and the attribution of a score to edits."""
    files = corpus_files(options)
    systems = files.systems[:2]
    inputs = ["-q", "-s", files.source, "-r", *files.references, "-c", *systems]
    filters = (["--type", "DET", "--outcome", "missed"], ["--sort", "difference"])
    for show_options, work in zip(filters, ("missed determiners", "the largest differences"), strict=True):
        show, score = ["show", *inputs, *show_options], ["score", *inputs, "-m", "errant"]
        ours, peer = side_by_side(
            lambda c=show: _wall_seconds(c, options), lambda c=score: _wall_seconds(c, options), options.runs
        )
        yield Row(f"geceval show, {work}, {files.name}, 2 systems", ours, peer, within=2.0, note="peer: geceval score")
    for metric in (Errant(), Green()):
        yield _attribution(metric)


def _wall_seconds(arguments: Sequence[str], options: Options) -> float:
    return run_checked([str(BIN / "geceval"), *arguments], options).seconds


def _attribution(metric: Errant | Green) -> Row:
    source = " ".join(f"w{n}" for n in range(30))
    edits = tuple(Edit(2 * n, 2 * n + 1, "R:OTHER", (f"v{n}",)) for n in range(EDITS))
    gold, system = Block(source, edits[::2]), Block(source, edits)
    ours = cpu_seconds(lambda: attribute(metric, source, system, gold=gold))
    limit = Limit(1000 * ours, EXACT[metric.name], "ms")
    return Row(f"what {EDITS} edits are worth to {metric.label}, exactly", ours, limits=(limit,))
