"""The corpus of examples/: its folder, its lines, and the whole of it in memory."""

from __future__ import annotations

from pathlib import Path

import geceval

EXAMPLES = Path(__file__).parents[2] / "examples"


def example_lines(name: str) -> list[str]:
    """Return the lines of a file of examples/, without the extension in its name."""
    return (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()


SOURCE = example_lines("source")
REFERENCES = [example_lines("ref0"), example_lines("ref1")]
CAREFUL, NOISY = example_lines("systems/careful"), example_lines("systems/noisy")
#: ``ROWS[s]``: the references of a sentence.
ROWS = [list(row) for row in zip(*REFERENCES, strict=True)]


def example_corpus(*, references: int = 2, gold: bool = False) -> geceval.Corpus:
    """Return the 40 sentences of three systems, with their first references and, if wanted, their gold edits."""
    systems = {name: str(EXAMPLES / "systems" / f"{name}.txt") for name in ("careful", "eager", "noisy")}
    texts = [str(EXAMPLES / f"ref{r}.txt") for r in range(references)]
    m2_file = str(EXAMPLES / "gold.m2") if gold else None
    return geceval.read_corpus(str(EXAMPLES / "source.txt"), texts, systems, m2_file)
