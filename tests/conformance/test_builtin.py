"""The builtin annotator against a treebank it was not trained on, and against edits that ERRANT published.

The bounds are what the project promises of it; benchmarks print the figures themselves.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from geceval.edits.annotated_m2 import annotate
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.languages.english.builtin import Builtin
from geceval.metrics.errant import Errant
from geceval.text.m2 import Block, read
from geceval.text.reading.lines import read_lines
from support.loaded import loaded

ROOT = Path(__file__).resolve().parents[2]
CONLL = "AMU CAMB CUUI IITB IPN NTHU PKU POST RAC SJTU UFC UMC".split()
BEA = ["GECToR-XLNet", "T5-Large"]

Key = tuple[int, int, int, int, tuple[str, ...]]


@pytest.fixture(scope="module")
def treebank() -> ModuleType:
    return loaded(ROOT / "tools" / "treebank.py")


@pytest.mark.parametrize("part", ["dev", "test"])
def test_accuracy_on_ewt(shared: Path, treebank: ModuleType, part: str) -> None:
    trees = list(treebank.read(shared / "data" / "ewt" / f"{part}.conllu.gz"))
    found = Builtin().annotate([[word.form for word in tree] for tree in trees])
    tokens = [token for s in range(len(trees)) for token in found.sentence(s)]
    words = [word for tree in trees for word in tree]
    labels = [label for tree in trees for label in treebank.labels(tree)]

    def share(right: list[bool]) -> float:
        return sum(right) / len(right)

    assert share([token.tag == word.tag for token, word in zip(tokens, words, strict=True)]) >= 0.945
    assert share([token.dep == label for token, label in zip(tokens, labels, strict=True)]) >= 0.92
    # Pronouns and contractions have other lemmas by ERRANT's convention, so open classes only.
    lemmas = [
        token.lemma.lower() == word.lemma.lower()
        for token, word in zip(tokens, words, strict=True)
        if token.tag == word.tag and word.tag.startswith(("N", "V", "J", "RB")) and word.form != "n't"
    ]
    assert share(lemmas) >= 0.97


def edits(blocks: list[Block]) -> dict[Key, str]:
    return {
        (s, edit.annotator, edit.start, edit.end, edit.alternatives): edit.type
        for s, block in enumerate(blocks)
        for edit in block.edits
        if not edit.is_noop
    }


def extracted(profile: str, source: list[str], targets: list[list[str]]) -> list[Block]:
    rows = [[line.split() for line in row] for row in zip(source, *targets, strict=True)]
    return list(annotate(Extractor(make_annotator(profile)), rows))


def agreement(official: list[Block], own: list[Block]) -> tuple[float, int, int]:
    """F1 of the spans with their corrections, number of spans that both have, and of equal types among them."""
    theirs, ours = edits(official), edits(own)
    common = theirs.keys() & ours.keys()
    return (
        2 * len(common) / (len(theirs) + len(ours)),
        len(common),
        sum(theirs[key] == ours[key] for key in common),
    )


def check(
    profile: str,
    source: list[str],
    gold: tuple[Path, list[Path]],
    systems: list[tuple[Path, Path]],
    span_bound: float,
) -> None:
    official_gold = list(read(gold[0]))
    own_gold = extracted(profile, source, [read_lines(path) for path in gold[1]])
    rows = [agreement(official_gold, own_gold)]
    for m2, text in systems:
        official, own = list(read(m2)), extracted(profile, source, [read_lines(text)])
        rows.append(agreement(official, own))
        scores = [
            Errant().corpus_score(source, hypothesis, gold=reference).value
            for hypothesis, reference in ((official, official_gold), (own, own_gold))
        ]
        assert abs(scores[0] - scores[1]) <= 0.003, m2.stem
    assert sum(f1 for f1, _, _ in rows) / len(rows) >= span_bound
    assert sum(equal for _, _, equal in rows) / sum(common for _, common, _ in rows) >= TYPE_BOUND[profile]


TYPE_BOUND = {"builtin": 0.955, "builtin:classic": 0.96}


def test_agreement_with_errant_on_conll14(shared: Path) -> None:
    data, official = shared / "data" / "conll14", shared / "data" / "conll14-errant"
    check(
        "builtin",
        read_lines(data / "source.txt"),
        (official / "gold.m2", [data / f"ref{r}.txt" for r in range(2)]),
        [(official / f"{name}.m2", data / "systems" / f"{name}.txt") for name in CONLL],
        0.995,
    )


def test_agreement_with_errant_on_bea19(shared: Path) -> None:
    data = shared / "data" / "bea19-dev"
    check(
        "builtin:classic",
        read_lines(data / "source.txt"),
        (data / "gold.m2", [data / "ref0.txt"]),
        [(data / "errant" / f"{name}.m2", data / "systems" / f"{name}.txt") for name in BEA],
        0.993,
    )
