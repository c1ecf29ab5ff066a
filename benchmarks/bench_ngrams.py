"""GREEN and GLEU against shotakoyama/green and shotakoyama/gleu, and growth of time and memory."""

from __future__ import annotations

from collections.abc import Iterator

from geceval import CorpusFiles, Gleu, Green, evaluate
from geceval.counting.metric import Metric
from harness import BIN, Files, Options, Row, corpus_files, peer_seconds, resampled, run_checked, seconds, side_by_side


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    available = {
        "green": options.green is not None and options.has_peer("green"),
        "gleu": options.has_peer("gleu.main"),
    }
    work: list[tuple[str, str, Metric, list[str], float]] = [
        ("GREEN word", "green", Green(beta=1), [], 50),
        ("GREEN char", "green", Green(beta=1, unit="char"), ["-t", "char"], 25),
        ("GREEN char, n = 6", "green", Green(beta=1, unit="char", n=6), ["-t", "char", "-n", "6"], 50),
        ("GLEU word, 500 samples", "gleu", Gleu(), ["-f"], 40),
    ]
    systems = len(files.systems)
    for name, tool, metric, flags, budget in work:
        arguments = command_line(files, tool) + flags

        def ours(metric: Metric = metric) -> float:
            return seconds(lambda: score(files, metric)) / systems

        def peer(tool: str = tool, arguments: list[str] = arguments) -> float:
            return peer_seconds(tool, arguments, options) / systems

        our_seconds, their_seconds = side_by_side(ours, peer if available[tool] else None, options.runs)
        yield Row(f"{name}, per system, in process", our_seconds, their_seconds, budget, files.name)
    for tool, budget in (("green", 8), ("gleu", 10)):
        arguments = command_line(files, tool) + (["-f"] if tool == "gleu" else [])
        code = f"from {tool}.main import {tool}; {tool}()"

        def ours_whole(tool: str = tool, arguments: list[str] = arguments) -> float:
            return run_checked([str(BIN / "geceval"), tool, *arguments], options).seconds

        def peer_whole(code: str = code, arguments: list[str] = arguments) -> float:
            return run_checked([str(options.peer_python), "-c", code, *arguments], options).seconds

        our_seconds, their_seconds = side_by_side(ours_whole, peer_whole if available[tool] else None, options.runs)
        yield Row(f"{tool} command, {systems} systems, whole process", our_seconds, their_seconds, budget, files.name)
    yield from growth(options, files)


def command_line(files: Files, tool: str) -> list[str]:
    systems = "-c" if tool == "green" else "-o"
    return ["-s", files.source, "-r", *files.references, systems, *files.systems]


def score(files: Files, metric: Metric) -> None:
    """Read, count and score in this process."""
    systems = {str(index): path for index, path in enumerate(files.systems)}
    corpus = CorpusFiles(files.source, files.references, systems, blank="empty").open()
    results = evaluate(corpus, [metric], views=["corpus"])
    for [result] in results.values():
        result.score()


def growth(options: Options, files: Files) -> Iterator[Row]:
    """Measure time and peak memory of whole processes on large corpora."""
    sizes = [2_000] if options.smoke else [10_000, 100_000, *([1_000_000] if options.full else [])]
    for size in sizes:
        large = resampled(files, size)
        for metric in ("green", "gleu:selection=best"):
            for threads in ("1", "2"):
                arguments = ["-s", large.source, "-r", *large.references, "-c", *large.systems]
                command = [str(BIN / "geceval"), "score", *arguments, "-m", metric, "-j", threads]
                result = run_checked(command, options)
                note = f"{1e6 * result.seconds / size:.1f} us a sentence, peak {result.peak:.0f} MiB"
                yield Row(f"score -m {metric}, {size:,} sentences, {threads} threads", result.seconds, note=note)
