"""Sentence scores and alignments of words against gec-metrics, sacrebleu, rapidfuzz and jiwer.

Each works on one system of CoNLL-2014 with one thread, after its imports, on strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from geceval import Gleu, Green
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.text.reading.lines import read_lines
from harness import Options, Row, corpus_files, peer_seconds, seconds, side_by_side


@dataclass(frozen=True)
class Peer:
    """A work of benchmarks/peer.py, and the module it needs."""

    work: str
    module: str


GEC_METRICS = {name: Peer(f"gec-metrics-{name}", "gec_metrics") for name in ("green", "gleu")}
SENTENCE_BLEU = Peer("sentence-bleu", "sacrebleu")
ALIGNERS = (Peer("editops", "rapidfuzz"), Peer("process-words", "jiwer"))


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    source, hypothesis = read_lines(files.source), read_lines(files.systems[0])
    texts = source, hypothesis, [read_lines(path) for path in files.references]
    pairs = list(zip(source, hypothesis, strict=True))
    extractor = Extractor(make_annotator("builtin:3"))
    green, gleu = Green(), Gleu(draws="python3")
    works: list[tuple[str, Callable[[], object], tuple[Peer, ...]]] = [
        ("GREEN of sentences", lambda: green.sentence_scores(*texts, threads=1), (GEC_METRICS["green"], SENTENCE_BLEU)),
        ("GLEU of sentences", lambda: gleu.sentence_scores(*texts, threads=1), (GEC_METRICS["gleu"],)),
        ("edits with tags and types", lambda: extractor.extract(pairs, threads=1), ALIGNERS),
    ]
    paths = [files.source, files.systems[0], *files.references]
    for name, ours, peers in works:
        for peer in peers:
            times = side_by_side(
                lambda ours=ours: seconds(ours),
                (lambda peer=peer: peer_seconds(peer.work, paths, options)) if options.has_peer(peer.module) else None,
                options.runs,
            )
            note = f"{1e6 * times[0] / len(source):.1f} us a sentence; peer: {peer.module} ({peer.work}); {files.name}"
            yield Row(f"{name}, in process", *times, note=note)
