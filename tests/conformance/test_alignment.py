"""Merged and split lines of real systems come back: at least 99.5 % of all lines exactly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from geceval import m2
from geceval._kernel import Text, divided_lines
from geceval.text.reading.lines import read_lines

ENGLISH = [
    *(f"conll14/systems/{name}" for name in ("AMU", "CAMB", "CUUI", "IITB", "IPN", "PKU", "POST", "RAC", "UMC")),
    *(f"bea19-dev/systems/{name}" for name in ("GECToR-XLNet", "T5-Large")),
    *(f"jfleg-dev/ref{number}" for number in range(4)),
]
GOLD = ["de/fm-dev/gold", "cs/geccc/gold", "uk/ua-gec-train/gold", "ar/qalb/qalb14-dev", "zh/nlpcc18/ref.char"]


def damaged(lines: Sequence[str], seed: int, joiner: str = " ") -> list[str]:
    """Return lines of which 10 % are merged or split, 2 to 4 at a time."""
    rng = random.Random(seed)
    pieces, at = [], 0
    while at < len(lines):
        size, chance = rng.randint(2, 4), rng.random()
        words = lines[at].split(" ") if joiner else list(lines[at])
        if chance < 0.05 / 3:
            pieces.append(joiner.join(lines[at : at + size]))
            at += size
            continue
        cuts = sorted(rng.sample(range(1, len(words)), size - 1)) if chance > 0.95 and len(words) >= size else []
        pieces += [joiner.join(words[a:b]) for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]
        at += 1
    return pieces


def restored(source: Sequence[str], output: Sequence[str], joiner: str = " ") -> float:
    """Return the mean share of lines that come back with the same words."""
    shares = []
    for seed in range(3):
        divided = divided_lines(Text(source), Text(damaged(output, seed, joiner)))
        assert divided is not None
        shares += [line.split() == expected.split() for line, expected in zip(divided["lines"], output, strict=True)]
    return sum(shares) / len(shares)


@pytest.mark.parametrize("name", ENGLISH)
def test_english_systems_come_back(name: str, shared: Path) -> None:
    path = shared / "data" / f"{name}.txt"
    source = read_lines(shared / "data" / name.partition("/")[0] / "source.txt")
    assert restored(source, read_lines(path)) >= 0.995


@pytest.mark.parametrize("name", GOLD)
def test_other_languages_come_back(name: str, shared: Path) -> None:
    blocks = m2.resolve_overlaps(m2.read(shared / "data" / "languages" / f"{name}.m2"), "first")
    assert restored([block.source for block in blocks], m2.references(blocks)[0]) >= 0.995


def test_chinese_without_blanks_comes_back(shared: Path) -> None:
    path = shared / "data" / "languages" / "zh" / "mucgec-dev" / "hyp.para.tsv"
    rows = [line.split("\t") for line in read_lines(path)]
    assert restored([row[1] for row in rows], [row[2] for row in rows], "") >= 0.995


def test_unrelated_texts_have_little_in_common(shared: Path) -> None:
    lines = read_lines(shared / "data" / "conll14" / "source.txt")
    divided = divided_lines(Text(lines), Text(lines[::-1]))
    assert divided is None or divided["word_share"] < 0.2
