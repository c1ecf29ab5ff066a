"""Record errant's answers for tests/edits/test_extract.py, on sentences made here.

GECEVAL_ERRANT_PYTHON=… PYTHONPATH=tests python tests/differential/record_errant.py
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from differential.pseudo import PseudoAnnotator
from differential.test_errant import OPTIONS, VOCABULARY, noisy, peer
from geceval.edits.extraction import AnnotatedSentences
from support.words import PATH, english_words

NOISE = 3
ROOT = Path(__file__).parents[2]


def pairs() -> list[tuple[str, str]]:
    """The example corpus and random sentences, each pair once."""
    chance = random.Random(20)
    examples = ROOT / "examples"
    source = (examples / "source.txt").read_text(encoding="utf-8").splitlines()
    targets = [examples / "ref0.txt", examples / "ref1.txt", *sorted((examples / "systems").glob("*.txt"))]
    drawn = [
        pair for path in targets for pair in zip(source, path.read_text(encoding="utf-8").splitlines(), strict=True)
    ]
    for _ in range(2500):
        words = chance.choices(VOCABULARY, k=chance.randrange(8))
        drawn.append((" ".join(words), " ".join(noisy(words, chance))))
    for _ in range(1500):
        drawn.append((chance.choice(VOCABULARY), chance.choice(VOCABULARY)))
    families = [[word for word in VOCABULARY if word[:2].lower() == start] for start in ("ea", "fr", "st", "he", "ca")]
    families += [["getted", "gets", "get", "getting"], ["furnitures", "furniture", "furnish", "furnitured"]]
    for _ in range(1200):
        frame = chance.choice([["he"], ["they", "have"], ["to", "be"], []])
        old, new = (chance.choice(family) for family in [chance.choice(families)] * 2)
        drawn.append((" ".join([*frame, old, "."]), " ".join([*frame, new, "."])))
    return [(a, b) for a, b in dict.fromkeys(drawn) if a.split() != b.split()]


def main() -> None:
    drawn = pairs()
    asked = AnnotatedSentences(PseudoAnnotator(noise=NOISE)).adding(text.split() for pair in drawn for text in pair)
    ids = [[asked.number(text.split()) for text in pair] for pair in drawn]
    [annotated] = asked.batches
    jobs = [{"lev": lev, "merging": merging, "pairs": ids} for lev, merging in OPTIONS]
    words = str(PATH)
    rows = [annotated.sentence(s) for s in range(len(annotated))]
    answers = peer("errant_peer.py", {"words": words, "sentences": rows, "jobs": jobs})
    recorded = []
    for (lev, merging), answer in zip(OPTIONS, answers, strict=True):
        edits = [
            [[start, end, type_, " ".join(target.split()[c:d])] for start, end, c, d, type_ in row]
            for (_, target), row in zip(drawn, answer, strict=True)
        ]
        recorded.append({"lev": lev, "merging": merging, "edits": edits})
    sample = [*sorted({word.lower() for word in english_words()})[::60], "re-use", "don't", "x", "'s"]
    stems = dict(zip(sample, peer("stemmer_peer.py", sample), strict=True))
    document = {"tool": "errant 3.0.2", "noise": NOISE, "pairs": drawn, "jobs": recorded, "stems": stems}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    (ROOT / "tests" / "edits" / "errant_oracle.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
