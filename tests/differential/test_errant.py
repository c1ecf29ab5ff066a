"""Our edits and types are errant's, given the same annotation of the tokens.

Needs an environment with errant 3.0.2 (``pip install errant==3.0.2``); its Python is named by the environment variable
GECEVAL_ERRANT_PYTHON. Corpora are those of ../shared where they are, and random sentences always.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from differential.pseudo import PseudoAnnotator
from geceval.edits.annotation import Annotator
from geceval.edits.extraction import MERGINGS, AnnotatedSentences, Extractor
from support.words import PATH, english_words
from twins.classify import stem

PEER = os.environ["GECEVAL_ERRANT_PYTHON"]
HERE = Path(__file__).parent
SHARED = Path(os.environ.get("GECEVAL_SHARED", HERE.parents[2] / "shared")) / "data"
OPTIONS = [(False, merging) for merging in MERGINGS] + [(True, "rules")]

Pairs = list[tuple[str, str]]


def peer(script: str, request: object) -> object:
    """What a script in the peer's environment answers."""
    completed = subprocess.run(
        [PEER, str(HERE / script)], input=json.dumps(request), capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


def compare(pairs: Pairs, annotator: Annotator, options: list[tuple[bool, str]] = OPTIONS) -> None:
    """Assert that both give the same edits to every pair under every option."""
    pairs = [pair for pair in dict.fromkeys(pairs) if pair[0].split() != pair[1].split()]
    assert pairs
    asked = AnnotatedSentences(annotator).adding(text.split() for pair in pairs for text in pair)
    ids = [[asked.number(text.split()) for text in pair] for pair in pairs]
    [annotated] = asked.batches
    jobs = [{"lev": lev, "merging": merging, "pairs": ids} for lev, merging in options]
    words = str(PATH)
    sentences = [annotated.sentence(s) for s in range(len(annotated))]
    answers = peer("errant_peer.py", {"words": words, "sentences": sentences, "jobs": jobs})
    for (lev, merging), expected in zip(options, answers, strict=True):
        ours = Extractor(annotator, merging, lev).extract(pairs)
        for pair, edits, rows in zip(pairs, ours, expected, strict=True):
            target = pair[1].split()
            rows_expected = [(start, end, type_, " ".join(target[c:d])) for start, end, c, d, type_ in rows]
            got = [(edit.start, edit.end, edit.type, edit.corrections[0]) for edit in edits]
            assert got == rows_expected, (lev, merging, pair)


def lines(path: str) -> list[str]:
    if not SHARED.exists():
        pytest.skip(f"no corpora at {SHARED}")
    return (SHARED / path).read_text(encoding="utf-8").splitlines()


CORPORA = {
    **{f"conll14/{name}": ("conll14/source.txt", [f"conll14/systems/{name}.txt"])
       for name in "AMU CAMB CUUI IITB IPN NTHU PKU POST RAC SJTU UFC UMC".split()},
    "conll14/references": ("conll14/source.txt", ["conll14/ref0.txt", "conll14/ref1.txt"]),
    "bea19-dev": ("bea19-dev/source.txt", ["bea19-dev/ref0.txt", "bea19-dev/systems/T5-Large.txt",
                                           "bea19-dev/systems/GECToR-XLNet.txt"]),
    "jfleg-dev": ("jfleg-dev/source.txt", [f"jfleg-dev/ref{r}.txt" for r in range(4)]),
    "fuzz": ("fuzz/source.txt", ["fuzz/hyp.txt", "fuzz/ref0.txt", "fuzz/ref1.txt", "fuzz/ref2.txt"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.timeout(3600)
def test_corpora(name: str) -> None:
    source, targets = CORPORA[name]
    pairs = [pair for target in targets for pair in zip(lines(source), lines(target), strict=True)]
    options = OPTIONS if name in {"conll14/AMU", "fuzz"} else [(False, "rules")]
    compare(pairs, PseudoAnnotator(), options)


VOCABULARY = (
    "the a an The A This is are was were be has have had will wo can ca n't 's ' 're to To of in on at up "
    "out and cat Cat cats Cats cat's eat eats eating eaten ate free freer more most health healthy stress "
    "stressed other another your yours no not the that what good well after later therefor therefore "
    "though thought all everything house houses domestic - -- , . ; ( ) !? acat sub way subway sub-way "
    "friend friends colour color teh hte i I he she it they them their there 1 2 one É é naïve STRASSE "
    "straße ǅ 中文 don t dont"
).split()


def noisy(words: list[str], chance: random.Random) -> list[str]:
    """A few words of a sentence changed, dropped, doubled, moved, re-cased, joined."""
    words = list(words)
    for _ in range(chance.randrange(6)):
        at = chance.randrange(len(words) + 1)
        match chance.randrange(7):
            case 0:
                words[at:at] = [chance.choice(VOCABULARY)]
            case 1:
                words[at : at + 1] = [chance.choice(VOCABULARY)]
            case 2:
                del words[at : at + chance.randrange(3)]
            case 3:
                words[at : at + 2] = words[at : at + 2][::-1]
            case 4:
                words[at : at + 1] = [word.swapcase() for word in words[at : at + 1]]
            case 5:
                words[at : at + 2] = ["".join(words[at : at + 2])] if words[at : at + 2] else []
            case _:
                part = words[at : at + 4]
                chance.shuffle(part)
                words[at : at + 4] = part
    return words


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.timeout(3600)
def test_random_sentences(seed: int) -> None:
    chance = random.Random(seed)
    pairs = []
    for _ in range(3000):
        source = chance.choices(VOCABULARY, k=chance.randrange(9))
        target = noisy(source, chance) if chance.random() < 0.7 else chance.choices(VOCABULARY, k=chance.randrange(9))
        pairs.append((" ".join(source), " ".join(target)))
    compare(pairs, PseudoAnnotator(noise=2))


@pytest.mark.timeout(3600)
def test_stems_of_the_twin() -> None:
    words = sorted(
        {word.lower() for word in english_words()} | set(VOCABULARY) | {"re-use", "x", "'s", "a1ing", "don't"}
    )
    expected = peer("stemmer_peer.py", words)
    assert [stem(word.lower()) for word in words] == expected
