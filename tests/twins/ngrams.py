"""The slow and obvious form of kernel/core/src/ngrams: multisets as Counters, regions as in the paper."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray


def tokens(text: str, unit: str) -> list[str]:
    return text.split() if unit == "word" else list(text)


def ngrams(text: str, order: int, unit: str) -> Counter[tuple[str, ...]]:
    units = tokens(text, unit)
    return Counter(tuple(units[at : at + order]) for at in range(len(units) - order + 1))


def regions(source: str, reference: str, hypothesis: str, order: int, unit: str) -> list[int]:
    """TK, TD, TI, OD, OI, UD, UI (Koyama et al. 2024), and the part of UD that the reference lacks altogether."""
    s, r, h = (ngrams(text, order, unit) for text in (source, reference, hypothesis))
    return [
        sum((s & r & h).values()),
        sum((s - (r | h)).values()),
        sum(((r & h) - s).values()),
        sum(((s & r) - h).values()),
        sum((h - (s | r)).values()),
        sum(((s & h) - r).values()),
        sum((r - (s | h)).values()),
        sum(count for gram, count in (s & h).items() if gram not in r),
    ]


def count(texts: list[list[str]], hypotheses: list[str], n: int, unit: str) -> NDArray[np.int32]:
    """[sentence, reference, order, 8]; ``texts[s]`` is the source followed by its references."""
    return np.array(
        [
            [
                [regions(source, reference, hypothesis, order, unit) for order in range(1, n + 1)]
                for reference in references
            ]
            for (source, *references), hypothesis in zip(texts, hypotheses, strict=True)
        ],
        dtype=np.int32,
    )


def evidence(
    source: list[str], references: list[list[str | None]], hypotheses: list[str], n: int, unit: str
) -> list[tuple[int, int, int, int, int, str]]:
    """(sentence, reference, order, region, weight, n-gram) for every n-gram alone; its regions as in ``regions``."""
    rows = []
    for r, reference in enumerate(references):
        for s, line in enumerate(reference):
            if line is None:
                continue
            for order in range(1, n + 1):
                versions = [ngrams(text, order, unit) for text in (source[s], line, hypotheses[s])]
                for gram in dict.fromkeys(gram for version in versions for gram in version):
                    a, b, c = (Counter([gram] * version[gram]) for version in versions)
                    numbers = [a & b & c, a - (b | c), (b & c) - a, (a & b) - c, c - (a | b), (a & c) - b, b - (a | c)]
                    numbers.append(Counter() if b else a & c)
                    weights = [sum(number.values()) for number in numbers]
                    rows += [(s, r, order, k, weight, " ".join(gram)) for k, weight in enumerate(weights) if weight]
    return rows
