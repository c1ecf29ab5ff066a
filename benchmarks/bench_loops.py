"""Scoring again and again: one pair with warm references, rewards of a batch, candidates among each other.

The peer of one pair is the same sentence as a corpus of its own, the peer of a Scorer a new corpus each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import geceval
from geceval import Corpus, Errant, Green, Scorer, evaluate
from geceval.extending import Metric
from harness import Files, Limit, Options, Row, corpus, cpu_seconds, numbered, side_by_side

#: Microseconds of one pair, and of one line under a Scorer; seconds of 1,000 sentences of 16 candidates.
PAIR = {"green": 10.0, "errant": 60.0}
LINE = {"green": 30.0, "errant": 80.0}
MBR = 2.0
#: Microseconds of CPU a pair of a batch of rewards may take: on two cores 100,000 and 5,000 a second.
REWARD = {"green": 20.0, "errant": 400.0}


def rows(options: Options) -> Iterator[Row]:
    files = corpus(options)
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
    """The CPU time of the pair in the middle by its length, over all of several rounds."""
    s = sorted(range(len(source)), key=lambda s: len(source[s]))[len(source) // 2]
    own, times = [text[s] for text in references], 10 if options.smoke else 2000

    def warm() -> None:
        for _ in range(times):
            metric.sentence_score(source[s], system[s], own)

    def cold() -> None:
        for _ in range(times):
            metric.sentence_scores([source[s]], [system[s]], [[text] for text in own])

    ours, peer = side_by_side(lambda: cpu_seconds(warm), lambda: cpu_seconds(cold), options.runs)
    each = 1e6 * ours / times
    return Row(
        f"one pair, warm references, {metric.name}",
        ours / times,
        (peer or 0.0) / times,
        note=f"CPU; {each:.1f} us, {len(source[s].split())} tokens; peer: as a corpus of one",
        limits=() if options.smoke else (Limit(each, PAIR[metric.name], "us"),),
    )


def one_line(
    options: Options, metric: Metric, source: list[str], system: list[str], references: list[list[str]]
) -> Row:
    """Sentence scores of a Scorer of one sentence, the one of one_pair."""
    s = sorted(range(len(source)), key=lambda s: len(source[s]))[len(source) // 2]
    made = Scorer([metric], [source[s]], [[text[s]] for text in references], checks=False)
    times = 10 if options.smoke else 1000

    def ours() -> None:
        for _ in range(times):
            made.sentence_scores([system[s]])

    mine, _ = side_by_side(lambda: cpu_seconds(ours), None, options.runs)
    each = 1e6 * mine / times
    limits = () if options.smoke else (Limit(each, LINE[metric.name], "us"),)
    return Row(
        f"Scorer.sentence_scores of one line, {metric.name}", mine / times, note=f"CPU; {each:.1f} us", limits=limits
    )


def scorer(
    options: Options, files: Files, metric: Metric, source: list[str], system: list[str], references: list[list[str]]
) -> Row:
    """A system whose references are known, against reading all anew; its hypotheses are new each time."""
    made = Scorer([metric], source, references, checks=False)
    number = iter(range(10**9))

    def fresh() -> list[str]:
        n = next(number)
        return [numbered(line, n) for line in system]

    def ours() -> float:
        hypotheses = fresh()
        return cpu_seconds(lambda: made.score(hypotheses))

    def peer() -> float:
        hypotheses = fresh()
        whole = lambda: Corpus(source, references, {"it": hypotheses})  # noqa: E731
        return cpu_seconds(lambda: evaluate(whole(), [metric], views=["corpus"], checks=False)["it"][0].score())

    mine, theirs = side_by_side(ours, peer, options.runs)
    return Row(f"Scorer.score, {metric.name}", mine, theirs, note=f"CPU; {files.name}; peer: evaluate, all read anew")


def rewards(
    options: Options,
    files: Files,
    metric: Metric,
    source: list[str],
    systems: list[list[str]],
    references: list[list[str]],
) -> Row:
    """All systems as completions of a group each, made different so that nothing is remembered from the run before."""
    reward, number = geceval.rewards(metric), iter(range(10**9))
    columns = {
        "source": [line for line in source for _ in systems],
        "references": [list(own) for own in zip(*references, strict=True) for _ in systems],
    }

    def ours() -> float:
        n = next(number)
        completions = [numbered(system[s], n) for s in range(len(source)) for system in systems]
        return cpu_seconds(lambda: reward(completions=completions, **columns))

    mine, _ = side_by_side(ours, None, options.runs)
    pairs = len(columns["source"])
    each = 1e6 * mine / pairs
    limits = () if options.smoke else (Limit(each, REWARD[metric.name], "us a pair"),)
    note = f"CPU; {files.name}; {pairs / mine:,.0f} pairs a second of one core"
    return Row(f"rewards of {pairs:,} completions, {metric.name}", mine, note=note, limits=limits)


def candidates(
    options: Options, files: Files, metric: Metric, source: list[str], systems: list[list[str]], each: int = 16
) -> Row:
    """Distinct candidates for each of 1,000 sentences: those of the systems, with a number in the middle."""
    size = min(len(source), 10 if options.smoke else 1000)
    texts: list[Callable[[int], str]] = [
        lambda s, k=k: numbered(systems[k % len(systems)][s], k)  # type: ignore[misc]
        for k in range(each)
    ]
    drawn = [[text(s) for text in texts] for s in range(size)]
    mine, _ = side_by_side(lambda: cpu_seconds(lambda: geceval.mbr(drawn, metric, source[:size])), None, options.runs)
    limits = () if options.smoke else (Limit(mine, MBR, "s"),)
    return Row(f"MBR, {size:,} x {each} candidates, {metric.name}", mine, note=f"CPU; {files.name}", limits=limits)
