"""The example corpus of the repository, in memory."""

from __future__ import annotations

from pathlib import Path

import geceval

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(gold: bool = True) -> geceval.Corpus:
    """40 sentences of three systems, with two references and, if wanted, their gold edits."""
    systems = {name: str(EXAMPLES / "systems" / f"{name}.txt") for name in ("careful", "eager", "noisy")}
    references = [str(EXAMPLES / f"ref{r}.txt") for r in (0, 1)]
    m2_file = str(EXAMPLES / "gold.m2") if gold else None
    return geceval.read_corpus(str(EXAMPLES / "source.txt"), references, systems, m2_file)
