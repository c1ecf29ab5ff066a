"""The sentences that docs/comparison.md explains are printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from geceval import Corpus, compare
from geceval.comparison.verdicts import verdicts
from support.examples import example_corpus

PAGE = Path(__file__).parents[2] / "docs" / "comparison.md"
TABLE = PAGE.read_text(encoding="utf-8").partition("| sentence | what is shown |")[2].partition("\n\n")[0]
#: Sentences of the table; A, B, C and M are names, … is any text.
TEMPLATES = [line.split("`")[1] for line in TABLE.splitlines()[2:]]
WORDS = "a b c d e f g h".split()


def printed() -> list[str]:
    """Return the sentences of comparisons in which everything in the table is shown or not shown."""
    rng = np.random.default_rng(5)
    source = [" ".join(rng.choice(WORDS, 7)) for _ in range(80)]

    def corrected(share: float, letters: str) -> list[str]:
        return [
            " ".join(word.upper() if word in letters and rng.random() < share else word for word in line.split())
            for line in source
        ]

    references = [corrected(0.9, "abcd"), corrected(0.9, "abgh")]
    systems = {"x": corrected(0.7, "abc"), "y": corrected(0.7, "abg"), "z": corrected(0.4, "ab")}
    alike = {name: corrected(0.7, "abc") for name in "uvw"}
    at_all_costs = {
        name: [right if rng.random() < share else line for line, right in zip(source, references[0], strict=True)]
        for name, share in (("more", 0.9), ("less", 0.3), ("least", 0.05))
    }
    first_two = {name: at_all_costs[name] for name in ("more", "less")}
    pairs = [systems, {name: systems[name] for name in "xz"}, alike, first_two, at_all_costs]
    comparisons = [compare(Corpus(source, references, some), ["green", "errant"], samples=400) for some in pairs]
    comparisons += [compare(Corpus(source, references, first_two), ["change-rate"], samples=400)]
    comparisons += [compare(example_corpus(), ["errant"], samples=400, by="operation")]
    comparisons += [compare(example_corpus(), ["errant"], samples=400, baseline="noisy")]
    return [sentence for comparison in comparisons for sentence in verdicts(comparison, "operation", 2)]


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    return printed()


@pytest.mark.parametrize("template", TEMPLATES)
def test_sentences_of_the_table_are_printed(template: str, sentences: list[str]) -> None:
    pattern = re.sub(r"\b[ABCM]\b", r"\\S+", re.escape(template).replace("…", ".*"))
    assert any(re.match(pattern, sentence) for sentence in sentences), "\n".join(sentences)
