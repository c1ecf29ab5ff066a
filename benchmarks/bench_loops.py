"""Repeated scoring: one pair with prepared references, rewards of a batch, candidates against each other.

The peer of one pair is a corpus of one sentence; the peer of a Scorer is a new corpus per call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import geceval
from geceval import Corpus, Errant, Green, Scorer, evaluate
from geceval.extending import Metric
from harness import Files, Limit, Options, Row, corpus_files, cpu_seconds, numbered, side_by_side

#: Microseconds of one pair, and of one line under a Scorer; seconds of 1,000 sentences of 16 candidates.
PAIR = {"green": 10.0, "errant": 60.0}
LINE = {"green": 30.0, "errant": 80.0}
MBR = 2.0
#: CPU microseconds per pair of a batch of rewards: 100,000 and 5,000 pairs per second on two cores.
REWARD = {"green": 20.0, "errant": 400.0}


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    source, *references = ([*map(str, lines(path))] for path in (files.source, *files.references))
    systems = [lines(path) for path in files.systems]
    for metric in (Green(), Errant()):
        yield one_pair(options, files, metric, source, systems[0], references)
        yield one_line(options, metric, source, systems[0], references)
        yield scorer(options, files, metric, source, systems[0], references)
        yield rewards(options, files, metric, source, systems, references)
        yield candidates(options, files, metric, source, systems)


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def one_pair(
    options: Options, files: Files, metric: Metric, source: list[str], system: list[str], references: list[list[str]]
) -> Row:
    """Time the pair of median length, repeatedly."""
    s = sorted(range(len(source)), key=lambda s: len(source[s]))[len(source) // 2]
    references_of_pair, repetitions = [text[s] for text in references], 10 if options.smoke else 2000

    def warm() -> None:
        for _ in range(repetitions):
            metric.sentence_score(source[s], system[s], references_of_pair)

    def cold() -> None:
        for _ in range(repetitions):
            metric.sentence_scores([source[s]], [system[s]], [[text] for text in references_of_pair])

    ours, peer = side_by_side(lambda: cpu_seconds(warm), lambda: cpu_seconds(cold), options.runs)
    microseconds = 1e6 * ours / repetitions
    return Row(
        f"one pair, warm references, {metric.name}",
        ours / repetitions,
        (peer or 0.0) / repetitions,
        note=f"CPU; {microseconds:.1f} us, {len(source[s].split())} tokens; peer: as a corpus of one",
        limits=() if options.smoke else (Limit(microseconds, PAIR[metric.name], "us"),),
    )


def one_line(
    options: Options, metric: Metric, source: list[str], system: list[str], references: list[list[str]]
) -> Row:
    """Time a Scorer for the sentence of ``one_pair``."""
    s = sorted(range(len(source)), key=lambda s: len(source[s]))[len(source) // 2]
    line_scorer = Scorer([metric], [source[s]], [[text[s]] for text in references], checks=False)
    repetitions = 10 if options.smoke else 1000

    def ours() -> None:
        for _ in range(repetitions):
            line_scorer.sentence_scores([system[s]])

    seconds, _ = side_by_side(lambda: cpu_seconds(ours), None, options.runs)
    microseconds = 1e6 * seconds / repetitions
    limits = () if options.smoke else (Limit(microseconds, LINE[metric.name], "us"),)
    return Row(
        f"Scorer.sentence_scores of one line, {metric.name}",
        seconds / repetitions,
        note=f"CPU; {microseconds:.1f} us",
        limits=limits,
    )


def scorer(
    options: Options, files: Files, metric: Metric, source: list[str], system: list[str], references: list[list[str]]
) -> Row:
    """Time a Scorer with prepared references against a new corpus; hypotheses differ in each run."""
    known_references = Scorer([metric], source, references, checks=False)
    counter = iter(range(10**9))

    def new_hypotheses() -> list[str]:
        n = next(counter)
        return [numbered(line, n) for line in system]

    def ours() -> float:
        hypotheses = new_hypotheses()
        return cpu_seconds(lambda: known_references.score(hypotheses))

    def peer() -> float:
        hypotheses = new_hypotheses()
        new_corpus = lambda: Corpus(source, references, {"it": hypotheses})  # noqa: E731
        return cpu_seconds(lambda: evaluate(new_corpus(), [metric], views=["corpus"], checks=False)["it"][0].score())

    our_seconds, peer_seconds = side_by_side(ours, peer, options.runs)
    return Row(
        f"Scorer.score, {metric.name}",
        our_seconds,
        peer_seconds,
        note=f"CPU; {files.name}; peer: evaluate, all read anew",
    )


def rewards(
    options: Options,
    files: Files,
    metric: Metric,
    source: list[str],
    systems: list[list[str]],
    references: list[list[str]],
) -> Row:
    """Time rewards: the outputs of all systems for a source are a group; numbers prevent reuse of cached counts."""
    reward, counter = geceval.rewards(metric), iter(range(10**9))
    columns = {
        "source": [line for line in source for _ in systems],
        "references": [list(lines) for lines in zip(*references, strict=True) for _ in systems],
    }

    def ours() -> float:
        n = next(counter)
        completions = [numbered(system[s], n) for s in range(len(source)) for system in systems]
        return cpu_seconds(lambda: reward(completions=completions, **columns))

    seconds, _ = side_by_side(ours, None, options.runs)
    pairs = len(columns["source"])
    microseconds = 1e6 * seconds / pairs
    limits = () if options.smoke else (Limit(microseconds, REWARD[metric.name], "us a pair"),)
    note = f"CPU; {files.name}; {pairs / seconds:,.0f} pairs a second of one core"
    return Row(f"rewards of {pairs:,} completions, {metric.name}", seconds, note=note, limits=limits)


def candidates(
    options: Options,
    files: Files,
    metric: Metric,
    source: list[str],
    systems: list[list[str]],
    candidates_per_sentence: int = 16,
) -> Row:
    """Time MBR with distinct candidates for each of 1,000 sentences: outputs with a number in the middle."""
    size = min(len(source), 10 if options.smoke else 1000)
    texts: list[Callable[[int], str]] = [
        lambda s, k=k: numbered(systems[k % len(systems)][s], k)  # type: ignore[misc]
        for k in range(candidates_per_sentence)
    ]
    candidate_texts = [[text(s) for text in texts] for s in range(size)]
    seconds, _ = side_by_side(
        lambda: cpu_seconds(lambda: geceval.mbr(candidate_texts, metric, source[:size])), None, options.runs
    )
    limits = () if options.smoke else (Limit(seconds, MBR, "s"),)
    return Row(
        f"MBR, {size:,} x {candidates_per_sentence} candidates, {metric.name}",
        seconds,
        note=f"CPU; {files.name}",
        limits=limits,
    )
