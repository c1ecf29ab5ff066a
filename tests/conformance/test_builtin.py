"""The builtin annotator against a treebank, against spaCy's annotation, and against ERRANT's edits.

It was trained on none of these texts. The bounds are a little below the figures that the tests reach.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from types import ModuleType

import pytest

from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.languages.english import Builtin
from geceval.edits.m2_annotation import annotate
from geceval.m2 import Block, read
from geceval.metrics.errant import Errant
from geceval.text.reading.lines import read_lines
from support.scripts import import_script

ROOT = Path(__file__).resolve().parents[2]
CONLL = "AMU CAMB CUUI IITB IPN NTHU PKU POST RAC SJTU UFC UMC".split()
BEA = ["GECToR-XLNet", "T5-Large"]

Key = tuple[int, int, int, int, tuple[str, ...]]


@pytest.fixture(scope="module")
def treebank() -> ModuleType:
    return import_script("research/treebank.py")


def share(right: Iterable[bool]) -> float:
    counts = Counter(right)
    return counts[True] / counts.total()


@pytest.mark.parametrize("part", ["dev", "test"])
def test_accuracy_on_ewt(shared: Path, treebank: ModuleType, part: str) -> None:
    trees = list(treebank.read(shared / "data" / "ewt" / f"{part}.conllu.gz"))
    annotated = Builtin().annotate([[word.form for word in tree] for tree in trees])
    tokens = [token for s in range(len(trees)) for token in annotated.sentence(s)]
    words = [word for tree in trees for word in tree]
    labels = [label for tree in trees for label in treebank.labels(tree)]

    # The annotator follows spaCy, whose tags and labels keep other conventions than the treebank: "Internet" is a
    # proper noun there and a noun here, a dash is ":" there and "," here.
    assert share(token.tag == word.tag for token, word in zip(tokens, words, strict=True)) >= 0.925
    # The treebank's relations are mapped to the labels of ERRANT's rules, which lack the four that only the profiles
    # read; the heads of clauses and markers are no distinction of theirs.
    predicted = ["dep" if token.dep in {"ROOT", "expl", "mark", "quantmod"} else token.dep for token in tokens]
    assert share(dep == label for dep, label in zip(predicted, labels, strict=True)) >= 0.9
    # Pronouns and contractions have other lemmas by ERRANT's convention, so open classes only.
    lemmas = (
        token.lemma.lower() == word.lemma.lower()
        for token, word in zip(tokens, words, strict=True)
        if token.tag == word.tag and word.tag.startswith(("N", "V", "J", "RB")) and word.form != "n't"
    )
    assert share(lemmas) >= 0.975


def rows(path: Path) -> Iterator[list[str]]:
    """The rows of a table with a header."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        yield from (line.rstrip("\n").split("\t") for line in lines)


def test_annotation_of_spacy_3(shared: Path) -> None:
    table = rows(shared / "golden" / "errant3" / "annotation.tsv.gz")
    expected = [[row[2:6] for row in group] for _, group in groupby(table, lambda row: row[:2])]
    annotated = Builtin("builtin:3").annotate([[form for form, *_ in sentence] for sentence in expected])
    tokens = [token for s in range(len(expected)) for token in annotated.sentence(s)]
    pairs = list(zip(tokens, (row for sentence in expected for row in sentence), strict=True))
    assert share(token.tag == tag for token, (_, tag, _, _) in pairs) >= 0.978
    assert share(token.pos == pos for token, (_, _, pos, _) in pairs) >= 0.98
    assert share(token.lemma == lemma for token, (_, _, _, lemma) in pairs) >= 0.99


@pytest.mark.parametrize(
    ("corpus", "span_bound", "type_bound"),
    [("conll14", 0.997, 0.975), ("jfleg-dev", 0.993, 0.983), ("bea19-dev", 0.993, 0.983)],
)
def test_agreement_with_errant_3(shared: Path, corpus: str, span_bound: float, type_bound: float) -> None:
    table = list(rows(shared / "golden" / "errant3" / f"{corpus}.edits.tsv.gz"))
    names = sorted({target for target, *_ in table})
    expected = {
        (int(s), names.index(target), int(start), int(end), (correction,)): type_
        for target, s, start, end, type_, correction in table
    }
    source = read_lines(shared / "data" / corpus / "source.txt")
    targets = [read_lines(shared / "data" / f"{name}.txt") for name in names]
    f1, common, equal = agreement(expected, edits(extracted("builtin:3", source, targets)))
    assert f1 >= span_bound
    assert equal / common >= type_bound


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


def agreement(expected: dict[Key, str], found: dict[Key, str]) -> tuple[float, int, int]:
    """F1 of the spans with their corrections, number of spans that both have, and of equal types among them."""
    common = expected.keys() & found.keys()
    return (
        2 * len(common) / (len(expected) + len(found)),
        len(common),
        sum(expected[key] == found[key] for key in common),
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
    agreements = [agreement(edits(official_gold), edits(own_gold))]
    for m2, text in systems:
        official, extracted_blocks = list(read(m2)), extracted(profile, source, [read_lines(text)])
        agreements.append(agreement(edits(official), edits(extracted_blocks)))
        scores = [
            Errant().corpus_score(source, hypothesis, gold=reference).value
            for hypothesis, reference in ((official, official_gold), (extracted_blocks, own_gold))
        ]
        assert abs(scores[0] - scores[1]) <= 0.002, m2.stem
    assert sum(f1 for f1, _, _ in agreements) / len(agreements) >= span_bound
    assert sum(equal for _, _, equal in agreements) / sum(common for _, common, _ in agreements) >= TYPE_BOUND[profile]


TYPE_BOUND = {"builtin:2": 0.965, "builtin:classic": 0.968}


def test_agreement_with_errant_on_conll14(shared: Path) -> None:
    data, official = shared / "data" / "conll14", shared / "data" / "conll14-errant"
    check(
        "builtin:2",
        read_lines(data / "source.txt"),
        (official / "gold.m2", [data / f"ref{r}.txt" for r in range(2)]),
        [(official / f"{name}.m2", data / "systems" / f"{name}.txt") for name in CONLL],
        0.998,
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
