"""Error detection token by token: precision, recall and F of the tokens labelled as in need of correction.

The figures are those of MultiGED-2023 (Volodina et al., NLP4CALL 2023): precision is 1 where nothing is labelled
wrongly, recall 1 where nothing is missed, as in errant_compare. Labels may be given, or follow from edits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from geceval._kernel import Edits
from geceval.base.arguments import number
from geceval.base.errors import InputError
from geceval.counting.figures import F
from geceval.counting.settings import FINITE
from geceval.edits.corpus_edits import Extraction, hypothesis_edits
from geceval.text.corpus import Corpus, Hypothesis
from geceval.text.files import PathLike, display_name
from geceval.text.m2 import NOOP, UNKNOWN, Blocks
from geceval.text.token_labels import Labelled
from geceval.text.token_labels import read_labelled as read

__all__ = ["Detection", "Extraction", "Labelled", "of_correction", "of_edits", "of_m2", "read", "score"]


@dataclass(frozen=True)
class Detection:
    """Tokens labelled incorrect rightly (tp) and wrongly (fp), and missed (fn); ``tokens``: all of them."""

    tp: int
    fp: int
    fn: int
    tokens: int
    beta: float = 0.5

    @property
    def _figure(self) -> F:
        tp, fp, fn = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        return F(self.beta, tp, (1.0, 1.0, 0.0), (1.0, 0.0, 1.0), fp, fn, ())

    @property
    def precision(self) -> float:
        """In [0, 1]; 1 if no token is labelled incorrect wrongly."""
        return float(self._figure.precision_recall(np.array([self.tp, self.fp, self.fn]))[0])

    @property
    def recall(self) -> float:
        """In [0, 1]; 1 if no incorrect token is missed."""
        return float(self._figure.precision_recall(np.array([self.tp, self.fp, self.fn]))[1])

    @property
    def f(self) -> float:
        """F of both with ``beta``, 0 where both are 0."""
        return float(self._figure.score(np.array([self.tp, self.fp, self.fn])))

    def to_dict(self) -> dict[str, float]:
        """The counts and the figures."""
        counts = {name: getattr(self, name) for name in ("tokens", "tp", "fp", "fn")}
        return {**counts, "precision": self.precision, "recall": self.recall, "f": self.f}


def score(gold: Labelled, system: Labelled, beta: float = 0.5) -> Detection:
    """What a system labels, held against the gold labels.

    Raises InputError, with file and line, unless both have the same tokens, and UsageError for a beta that is no
    number from 0 on.
    """
    beta = number("beta", beta, FINITE)
    _check_tokens(gold, system)
    right = np.fromiter((label for labels in gold.wrong for label in labels), bool)
    said = np.fromiter((label for labels in system.wrong for label in labels), bool)
    tp, fp, fn = (int(np.count_nonzero(both)) for both in (said & right, said & ~right, right & ~said))
    return Detection(tp, fp, fn, len(right), beta)


def _check_tokens(gold: Labelled, system: Labelled) -> None:
    for s, (theirs, own) in enumerate(zip(gold.tokens, system.tokens, strict=False)):
        for t, (one, other) in enumerate(zip(theirs, own, strict=False)):
            if one != other:
                raise InputError(f"{system.place(s, t)}: the token is {other!r}, and {one!r} in {gold.place(s, t)}")
        if len(theirs) != len(own):
            lengths = f"{len(own)} tokens, and {len(theirs)} in {gold.place(s, 0)}"
            raise InputError(f"{system.place(s, 0)}: the sentence has {lengths}")
    _check_number(gold, len(system), system.path)


def _check_number(gold: Labelled, sentences: int, path: str | None) -> None:
    if len(gold) != sentences:
        lengths = f"\n  gold    {gold.path or ''}  {len(gold)}\n  system  {path or ''}  {sentences}"
        raise InputError(f"not the same number of sentences{lengths}")


def of_edits(source: Sequence[str], edits: Edits, path: str | None = None) -> Labelled:
    """What a correction says of the tokens: those inside an edit are incorrect, and so is the token to the right of an
    insertion, if there is one. Edits without a correction (UNK) and noops say nothing; of several versions of a
    sentence the first counts.

    ``source``: the sentences, tokens between blanks; ``path`` stands in errors. That is how the organisers' script
    turns M2 into labels; docs/detection.md says how near it comes to the labels of their files.
    """
    tokens = [sentence.split() for sentence in source]
    wrong = [[False] * len(row) for row in tokens]
    for s, labels in enumerate(wrong):
        versions = edits.sentence(s)
        for start, end, type_, _ in versions[0][1] if versions else ():
            if start < 0 or type_ in (NOOP, UNKNOWN):
                continue
            for t in range(start, min(max(end, start + 1), len(labels))):
                labels[t] = True
    return Labelled(tokens, wrong, path)


def of_m2(path: PathLike) -> Labelled:
    """What the edits of the first annotator of an M2 file say of its tokens: see :func:`of_edits`.

    Raises InputError as m2.read, for a file without any sentence, and for edits that do not fit theirs.
    """
    blocks = Blocks.read(path).as_errant().fitting()
    if not len(blocks):
        raise InputError("there is no sentence", path=display_name(path))
    return of_edits([str(line) for line in blocks.source], blocks.edits, display_name(path))


def of_correction(gold: Labelled, corrected: Hypothesis, extraction: Extraction, path: str | None = None) -> Labelled:
    """What a system's correction says of the gold's tokens: see :func:`of_edits`.

    ``corrected``: text, of which ``extraction`` finds the edits, or M2 blocks. Raises InputError if there are not as
    many sentences, and for M2 that is about others.
    """
    _check_number(gold, len(corrected), path)
    corpus = Corpus(gold.source, systems={"system": corrected})
    edits = hypothesis_edits(corpus, corpus.systems["system"], extraction)
    return of_edits(gold.source, edits, path)
