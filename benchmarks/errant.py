"""ERRANT: speed against errant 3.0.2, and agreement of the builtin annotator with published edits.

    python benchmarks/errant.py [--shared ../shared] [--peer PYTHON]

PYTHON is that of an environment with errant 3.0.2. The peer is timed on the same annotation of the tokens, so without
its spaCy pipeline, which takes most of the 12-15 s a CoNLL-2014 system costs it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from geceval.annotation import make_annotator
from geceval.annotation.extract import Extractor, Sentences
from geceval.m2 import Block, Edit, read
from geceval.metrics.errant import Errant

SYSTEMS = "AMU CAMB CUUI IITB IPN NTHU PKU POST RAC SJTU UFC UMC".split()
ROOT = Path(__file__).parents[1]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def timed(work: object, times: int = 5) -> float:
    """Seconds, the best of a few."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()  # type: ignore[operator]
        best = min(best, time.perf_counter() - start)
    return best


def speed(data: Path, peer: str | None) -> None:
    folder = data / "conll14"
    source, hypothesis = lines(folder / "source.txt"), lines(folder / "systems" / "AMU.txt")
    gold = list(read(data / "conll14-errant" / "gold.m2"))
    extractor = Extractor(make_annotator("builtin"))
    extractor.extract([("warm up", "warmed up")])
    pairs = list(zip(source, hypothesis, strict=True))
    metric = Errant()

    def score() -> None:
        metric.corpus_score([block.source for block in gold], hypothesis, gold=gold)

    print("CoNLL-2014, AMU, 1312 sentences")
    print(f"  annotate                      {timed(lambda: extractor.extract(pairs)):8.3f} s")
    ours = timed(score)
    print(f"  annotate and compare          {ours:8.3f} s    1/50 of errant's 15 s is 0.300 s")
    if peer:
        theirs = time_peer(peer, extractor, pairs)
        print(f"  errant 3.0.2, without parsing {theirs:8.3f} s    {theirs / ours:.0f} times ours with tagging")
    words = [word for line in source for word in line.split()]
    chance = random.Random(0)
    typical = [pair for pair in pairs if 15 <= len(pair[0].split()) <= 22 and pair[0] != pair[1]]
    many = [
        (f"{a} {extra}", f"{b} {extra}")
        for a, b in (chance.choice(typical) for _ in range(100_000))
        for extra in [chance.choice(words)]
    ]
    tokens = sum(len(a.split()) for a, _ in many) / len(many)
    seconds = timed(lambda: extractor.extract(many), times=1)
    print(f"100,000 pairs of {tokens:.1f} tokens   {seconds:8.3f} s    budget 20 s on two cores")


def time_peer(peer: str, extractor: Extractor, pairs: list[tuple[str, str]]) -> float:
    changed = [(a.split(), b.split()) for a, b in pairs if a.split() != b.split()]
    batch = Sentences()
    ids = [[batch.add(a), batch.add(b)] for a, b in changed]
    annotated = extractor.annotator.annotate(batch.tokens)
    request = {
        "words": str(files("geceval.annotation") / "words-en.txt.gz"),
        "sentences": [annotated.sentence(s) for s in range(len(annotated))],
        "jobs": [{"lev": False, "merging": "rules", "pairs": ids}],
    }
    script = ROOT / "tests" / "differential" / "errant_peer.py"
    done = subprocess.run(
        [peer, str(script), "--time"], input=json.dumps(request), capture_output=True, text=True, check=True
    )
    return float(done.stderr.split()[-1])


def agreement(data: Path) -> None:
    """Spans, types and scores of the builtin annotator against edits published with their text."""
    folder = data / "conll14-errant"
    gold = list(read(folder / "gold.m2"))
    source = [block.source for block in gold]
    references = [lines(data / "conll14" / f"ref{r}.txt") for r in range(2)]
    print("\nAgreement of the annotator builtin with conll14-errant (ERRANT 2.3.3)")
    print(f"  {'':12} span F1    types   F0.5 theirs   ours")
    extractor = Extractor(make_annotator("builtin"))
    own_gold = extracted(extractor, source, references)
    rows = []
    for name in [*SYSTEMS, "gold"]:
        theirs = gold if name == "gold" else list(read(folder / f"{name}.m2"))
        ours = (
            own_gold
            if name == "gold"
            else extracted(extractor, source, [lines(data / "conll14" / "systems" / f"{name}.txt")])
        )
        spans, types = agree(theirs, ours)
        rows.append((spans, types))
        scores = [Errant().corpus_score(source, h, gold=g).value for h, g in ((theirs, gold), (ours, own_gold))]
        print(f"  {name:12} {spans:.4f}   {types:.4f}        {scores[0] * 100:6.2f} {scores[1] * 100:6.2f}")
    print(f"  {'mean':12} {sum(s for s, _ in rows) / len(rows):.4f}   {sum(t for _, t in rows) / len(rows):.4f}")
    print("\nAgreement of the annotator builtin:classic with bea19-dev (ERRANT 2.0)")
    folder = data / "bea19-dev"
    source = lines(folder / "source.txt")
    extractor = Extractor(make_annotator("builtin:classic"))
    files_ = {"gold": (folder / "gold.m2", folder / "ref0.txt")}
    files_ |= {
        name: (folder / "errant" / f"{name}.m2", folder / "systems" / f"{name}.txt")
        for name in ("GECToR-XLNet", "T5-Large")
    }
    for name, (m2, text) in files_.items():
        spans, types = agree(list(read(m2)), extracted(extractor, source, [lines(text)]))
        print(f"  {name:12} {spans:.4f}   {types:.4f}")


def extracted(extractor: Extractor, source: list[str], targets: list[list[str]]) -> list[Block]:
    """Blocks with the edits of every target, as annotators 0, 1, ..."""
    from geceval.annotation.m2files import annotate

    return list(annotate(extractor, [[line.split() for line in row] for row in zip(source, *targets, strict=True)]))


def spans_of(blocks: list[Block]) -> Iterator[tuple[tuple[object, ...], str]]:
    for s, block in enumerate(blocks):
        edit: Edit
        for edit in block.edits:
            if not edit.is_noop:
                yield (s, edit.annotator, edit.start, edit.end, edit.alternatives), edit.type


def agree(theirs: list[Block], ours: list[Block]) -> tuple[float, float]:
    """F1 of the spans with their corrections, and the share of equal types among the spans both have."""
    a, b = list(spans_of(theirs)), list(spans_of(ours))
    common = sum((Counter(key for key, _ in a) & Counter(key for key, _ in b)).values())
    typed = sum((Counter(a) & Counter(b)).values())
    return 2 * common / (len(a) + len(b)), typed / common


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = os.environ.get("GECEVAL_SHARED", ROOT.parent / "shared")
    parser.add_argument("--shared", type=Path, default=shared)
    parser.add_argument("--peer", default=os.environ.get("GECEVAL_ERRANT_PYTHON"))
    args = parser.parse_args()
    data = Path(args.shared) / "data"
    if not data.is_dir():
        sys.exit(f"no corpora in {data}")
    speed(data, args.peer)
    agreement(data)


if __name__ == "__main__":
    main()
