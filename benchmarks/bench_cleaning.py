"""CPU of scores and rewards of answers with an introduction, which ``--clean llm`` removes, against plain text."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import geceval
from harness import BIN, Options, Row, corpus_files, cpu_seconds, resampled, run_checked, side_by_side

INTRODUCTION = "Sure! Here is the corrected sentence: "
#: Largest ratio of the time of answers to the time of plain text.
WITHIN = 3


def rows(options: Options) -> Iterator[Row]:
    """Yield a row for scores and one for rewards."""
    drawn = resampled(corpus_files(options), 500 if options.smoke else 20_000, distinct=True)
    source, references, [system] = drawn.source, drawn.references, drawn.systems
    plain = Path(system).read_text(encoding="utf-8").splitlines()
    answers = [INTRODUCTION + line for line in plain]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.txt"
        path.write_text("".join(f"{line}\n" for line in answers), encoding="utf-8")
        score = [str(BIN / "geceval"), "score", "-s", source, "-r", *references, "-j", "1", "-q", "-c"]
        ours, peer = side_by_side(
            lambda: run_checked([*score, str(path), "--clean", "llm"], options).cpu,
            lambda: run_checked([*score, system], options).cpu,
            options.runs,
        )
        yield Row("score --clean llm, CPU; peer: plain text", ours, peer, within=WITHIN, note=drawn.name)
    sources, texts = (Path(name).read_text(encoding="utf-8").splitlines() for name in (source, references[0]))
    columns = {"source": sources, "references": texts}
    clean, direct = geceval.rewards(clean="llm", threads=1), geceval.rewards(threads=1)
    ours, peer = side_by_side(
        lambda: cpu_seconds(lambda: clean(completions=answers, **columns)),
        lambda: cpu_seconds(lambda: direct(completions=plain, **columns)),
        options.runs,
    )
    yield Row("rewards(clean='llm'), CPU; peer: plain text", ours, peer, within=WITHIN, note=drawn.name)
