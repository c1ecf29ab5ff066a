"""The corpus of examples/ for adapters, two references a sentence, and its rows as frameworks have them."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


SOURCE = lines("source.txt")
REFERENCES = [lines("ref0.txt"), lines("ref1.txt")]
CAREFUL, NOISY = lines("systems/careful.txt"), lines("systems/noisy.txt")
#: ``ROWS[s]``: the references of a sentence.
ROWS = [list(row) for row in zip(*REFERENCES, strict=True)]
