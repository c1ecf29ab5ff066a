"""Scribendi and IMPARA against gec-metrics with the same networks: processor time of one thread.

The networks have random weights and are small (benchmarks/networks.py), except for one row with gpt2's size, where
arithmetic dominates. Not tested on a GPU.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness import ROOT, Files, Limit, Options, Row, corpus_files, run_checked

WORKER = str(ROOT / "benchmarks" / "networks.py")
#: Sentences and systems, fewer for the slower peer.
SIZES = {"scribendi": (100, 12), "impara": (60, 3)}
FASTER = 4.0
FASTER_LARGE = 2.5
GROWTH = 150.0
"""Largest memory of scoring in MiB beyond the loaded networks, for any length of text."""


def rows(options: Options) -> Iterator[Row]:
    if options.neural_python is None:
        print("no metrics by networks: --neural-python PYTHON names one with geceval[neural,neural-test]")
        return
    if options.gec_metrics is None:
        print("no peer for them: --gec-metrics CHECKOUT names a copy of github.com/gotutiyan/gec-metrics")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    files = corpus_files(options)
    with tempfile.TemporaryDirectory() as folder:
        run_checked([str(options.neural_python), WORKER, "make", folder, files.source], options)
        for metric, (sentences, number) in SIZES.items():
            size = (10, 2) if options.smoke else (sentences, number)
            yield against_peer(options, files, Path(folder), metric, size)
        if not options.smoke:
            yield memory(options, files, Path(folder))
            yield against_peer(options, files, Path(folder) / "large", "scribendi", (60, 1), large=True)


def against_peer(
    options: Options, files: Files, models: Path, metric: str, size: tuple[int, int], *, large: bool = False
) -> Row:
    sentences, number = size
    arguments = (metric, models, sentences, files.source, files.systems[:number])
    ours = timed("ours", options, *arguments)
    peer = None if options.gec_metrics is None else timed("peer", options, *arguments)
    note = f"{len(files.systems[:number])} systems, {sentences} sentences of {files.name}"
    if peer is not None:
        largest_difference = max(abs(a - b) for a, b in zip(ours["values"], peer["values"], strict=True))
        note += f"; scores at most {largest_difference:.0e} apart"
    work = f"{metric}{' with a network like gpt2' if large else ''}, one thread, processor time"
    faster = FASTER_LARGE if large else FASTER
    return Row(work, ours["seconds"], None if peer is None else peer["seconds"], faster, note)


def memory(options: Options, files: Files, models: Path) -> Row:
    """Measure the memory of scoring beyond the loaded networks, for few and for many sentences."""
    few, many = (
        timed("ours", options, "scribendi", models, sentences, files.source, files.systems[:2])
        for sentences in (100, 1000)
    )
    growth = [run["peak"] - run["before"] for run in (few, many)]
    note = f"100 sentences {growth[0]:.0f} MiB, 1,000 sentences {growth[1]:.0f} MiB beyond the networks"
    return Row("scribendi, memory", many["seconds"], note=note, limits=(Limit(growth[1], GROWTH, "MiB"),))


def timed(
    side: str, options: Options, metric: str, models: Path, sentences: int, source: str, systems: Sequence[str]
) -> dict[str, Any]:
    """Return the measurements of benchmarks/networks.py."""
    arguments = [side, metric, str(models), str(options.gec_metrics), str(sentences), source, *systems]
    measurement: dict[str, Any] = json.loads(
        run_checked([str(options.neural_python), WORKER, *arguments], options).output
    )
    return measurement
