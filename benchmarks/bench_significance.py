"""Comparison of systems after counting, and randomisation tests against sacrebleu's code on the same counts."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from geceval.counting.comparison_options import Options as ComparisonOptions
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import make_metric
from geceval.counting.run import Run
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.resampled_systems import by_metric, references_of
from geceval.text.corpus import Corpus, TextSource
from geceval.text.reading.corpus_files import read_corpus
from harness import Limit, Options, Row, corpus_files, run_checked, seconds, side_by_side

METRICS = ("green", "gleu", "errant", "maxmatch", "cleme", "cleme2")

#: sacrebleu's paired randomisation test with a metric that has counts already: F0.5 of correct, proposed, gold.
PEER = """
import json, sys, time
from types import SimpleNamespace
import numpy as np
from sacrebleu import significance

class F:
    def _extract_corpus_statistics(self, hypotheses, references):
        return hypotheses
    def _aggregate_and_compute(self, stats):
        correct, proposed, gold = np.sum(stats, axis=0)
        return SimpleNamespace(score=1.25 * correct / max(proposed + 0.25 * gold, 1))

counts = [np.array(rows) for rows in json.load(open(sys.argv[1]))]
start = time.perf_counter()
metric = F()
baseline = {"F": (counts[0], metric._aggregate_and_compute(counts[0]))}
for rows in counts[1:]:
    significance._paired_ar_test(baseline, "", rows, None, {"F": metric}, int(sys.argv[2]), seed=12345)
print(json.dumps({"seconds": time.perf_counter() - start}))
"""


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    source = read_corpus(files.source, files.references, files.systems, gold=files.gold)
    samples = 1000 if options.smoke else 10000  # enough for the correction of all tests
    metrics = [make_metric(name) for name in METRICS]
    parts = list(Run(source, metrics).stream())
    systems, maxmatch = len(source.system_names), metrics[METRICS.index("maxmatch")]
    maxmatch_counts = [counts for _, _, metric, counts in parts if metric is maxmatch]
    with_baseline = ComparisonOptions(baseline=source.system_names[0], samples=samples)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.json"
        path.write_text(json.dumps([counts.chosen(maxmatch.choices(counts)[0]).tolist() for counts in maxmatch_counts]))

        def peer() -> float:
            command = [str(options.peer_python), "-c", PEER, str(path), str(samples)]
            return float(json.loads(run_checked(command, options).output)["seconds"])

        maxmatch_parts = [part for part in parts if part[2] is maxmatch]
        ours, peer_time = side_by_side(
            lambda: seconds(lambda: compare_systems(source, maxmatch_parts, [maxmatch], with_baseline)),
            peer if options.has_peer("sacrebleu") else None,
            options.runs,
        )
    note = f"{files.name}; ours with intervals"
    faster = None if options.smoke else 15
    yield Row(f"{systems - 1} randomisation tests, {samples:,} swaps", ours, peer_time, faster, note)
    all_pairs = ComparisonOptions(samples=samples)
    start = time.process_time()
    wall = seconds(lambda: compare_systems(source, parts, metrics, all_pairs))
    cpu_seconds = time.process_time() - start
    work = f"{systems} systems × {len(metrics)} metrics, all pairs, {samples:,} resamples"
    yield Row(work, wall, note="after counting", limits=(Limit(cpu_seconds, 5, "s of all processors"),))


def compare_systems(
    source: TextSource,
    parts: list[tuple[Corpus, str, AnyMetric, Counts]],
    metrics: list[AnyMetric],
    options: ComparisonOptions,
) -> None:
    """Run everything after counting."""
    pairs = options.pairs_of(source.system_names)
    resampled = {
        metric: Resampled(metric, source.system_names, options, pairs, references=references_of(source, metric))
        for metric in metrics
    }
    for metric, counts in by_metric(iter(parts), source.system_names):
        resampled[metric].add(counts)
    comparison_of(source, resampled, options)
