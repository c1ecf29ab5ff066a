"""MaxMatch against the official scorer's recorded times and against the slow reference implementation of the tests.

The official scorer is GPL and not on PyPI; its times on this class of machine are recorded with its counts.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from geceval import Corpus, MaxMatch, evaluate, m2
from geceval.text.reading.corpus_files import read_corpus
from geceval.text.reading.lines import read_lines
from geceval.text.system_files import named_systems
from harness import BIN, ROOT, Files, Limit, Options, Row, corpus_files, cpu_seconds, run_checked, seconds, side_by_side

#: The reference implementation tries all triples of nodes and needs minutes for longer sentences.
TOKENS = 18


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    assert files.gold is not None
    yield from systems(options, files)
    yield from against_twin(options, files)
    yield from degenerate(options)


def systems(options: Options, files: Files) -> Iterator[Row]:
    """Time reading the gold once, then reading, counting and scoring each system."""
    recorded = official_seconds(options)
    read_seconds, _ = side_by_side(lambda: seconds(lambda: prepare_gold(files.gold)), None, options.runs)
    yield Row("read and prepare the gold, once", read_seconds, note=files.name)
    gold = prepare_gold(files.gold)
    total, official_total = 0.0, 0.0
    for path, name in zip(files.systems, named_systems(files.systems), strict=True):
        for threads in (1, 2):
            ours, _ = side_by_side(lambda p=path, t=threads: seconds(lambda: score(gold, p, t)), None, options.runs)
            if threads == 1:
                total += ours
                official_total += recorded.get(name, 0.0)
                if name in ("AMU", "NTHU") or options.smoke:
                    yield Row(f"MaxMatch {name}, 1 thread", ours, recorded.get(name), note="peer: as recorded")
    number = len(files.systems)
    peer = official_total / number if recorded else None
    yield Row("MaxMatch, per system, 1 thread", total / number, peer, note=f"{files.name}; peer: as recorded")
    size = len(read_lines(files.source))
    whole_seconds, _ = side_by_side(lambda: cpu_seconds(lambda: from_m2(files)), None, options.runs)
    limit = Limit(1e6 * whole_seconds / size, 7, "us a sentence")
    note = f"{files.name}, CPU, {limit.measured:.1f} us a sentence"
    yield Row(
        "MaxMatch from M2: read, prepare, count, choose, score",
        whole_seconds,
        note=note,
        limits=() if options.smoke else (limit,),
    )
    command = [str(BIN / "geceval"), "m2scorer", files.systems[0], str(files.gold)]
    whole_seconds, _ = side_by_side(lambda: run_checked(command, options).seconds, None, options.runs)
    yield Row("m2scorer command, whole process", whole_seconds, note=files.name)


def from_m2(files: Files) -> None:
    """Read, prepare, count, choose and score on one thread."""
    read = read_corpus(None, [], files.systems[:1], files.gold)
    [[result]] = evaluate(read, [MaxMatch()], views=["corpus"], threads=1).values()
    result.score()


def official_seconds(options: Options) -> dict[str, float]:
    """Return recorded seconds by system with beta 0.5 on CoNLL-2014; empty without a record."""
    path = options.shared / "golden" / "conll14" / "m2.json"
    if options.smoke or not path.is_file():
        return {}
    [first, *_] = json.loads(path.read_text(encoding="utf-8"))["runs"]
    return {name: system["seconds"] for name, system in first["systems"].items()}


def prepare_gold(gold: str | None) -> object:
    blocks = m2.Blocks.read(str(gold))
    return MaxMatch().prepare(Corpus(blocks.source, gold=blocks))


def score(gold: object, path: str, threads: int) -> None:
    metric = MaxMatch()
    counts = metric.count(gold, read_lines(path), threads)  # type: ignore[arg-type]
    metric.score(metric.totals(counts))


def against_twin(options: Options, files: Files) -> Iterator[Row]:
    """Time short sentences in the kernel and in tests/twins/lattice.py."""
    sys.path.insert(0, str(ROOT / "tests"))
    from twins import lattice as twin

    [hypothesis] = read_corpus(None, [], files.systems[:1], files.gold).systems.values()
    pairs = zip(m2.read(str(files.gold)), map(str, hypothesis), strict=True)
    short = [(b, h) for b, h in pairs if len(b.tokens) <= TOKENS and h.split() != b.tokens][
        : 5 if options.smoke else 60
    ]
    blocks, lines = [block for block, _ in short], [line for _, line in short]
    gold = MaxMatch().prepare(Corpus([block.source for block in blocks], gold=blocks))

    def run_twin() -> None:
        for block, line in short:
            gold_edits = [
                [twin.Gold(edit.start, edit.end, edit.alternatives) for edit in block.edits_of(annotator)]
                for annotator in block.annotators
            ]
            twin.counts(block.tokens, line.split(), gold_edits)

    ours, twin_seconds = side_by_side(
        lambda: seconds(lambda: MaxMatch().count(gold, lines, 1)), lambda: seconds(run_twin), min(options.runs, 3)
    )
    budget = None if options.smoke else 100
    work = f"{len(short)} changed sentences of at most {TOKENS} tokens"
    yield Row(work, ours, twin_seconds, budget, "peer: the tests' twin")


def degenerate(options: Options) -> Iterator[Row]:
    """Time sentences on which the official scorer hangs, each in a new process."""
    generator = random.Random(5)
    head, phrase = "this is how a normal sentence begins", " ".join(f"w{k}" for k in range(15))
    cases = {
        "a phrase 60 times after a sentence": (head, head + " there is no legal obligation" * 60),
        "10 lists of 15 tokens against 30": (
            f"{head} {phrase}" + f" {phrase}" * 9,
            drop_tokens(head, phrase, 30, generator),
        ),
        "10 lists of 15 tokens against 60": (
            f"{head} {phrase}" + f" {phrase}" * 9,
            drop_tokens(head, phrase, 60, generator),
        ),
    }
    with tempfile.TemporaryDirectory() as folder:
        gold, system = Path(folder) / "gold.m2", Path(folder) / "system.txt"
        for name, (source, hypothesis) in cases.items():
            gold.write_text(f"S {source}\nA 3 4|||X|||one|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
            system.write_text(f"{hypothesis}\n", encoding="utf-8")
            result = run_checked([str(BIN / "geceval"), "m2scorer", str(system), str(gold)], options)
            yield Row(name, result.seconds, note=f"whole process, peak {result.peak:.0f} MiB")


def drop_tokens(head: str, phrase: str, repeats: int, generator: random.Random) -> str:
    """Return the repeated phrase with 3 % of its tokens dropped."""
    return " ".join([head, *(token for token in phrase.split() * repeats if generator.random() >= 0.03)])
