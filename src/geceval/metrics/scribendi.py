"""The Scribendi score: corrections more probable than the source and similar.

Source: Islam and Magnani (EMNLP 2021), section 3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text, indel_distances
from geceval.base.errors import InputError
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import About, Scale
from geceval.counting.settings import Bounds, setting
from geceval.metrics.neural.networks import LanguageModel
from geceval.metrics.neural.pretrained import ReferenceFree, load_shared
from geceval.text.columns import Lines
from geceval.text.corpus import Corpus, InputForm

#: The letters that fuzzywuzzy drops, and the characters that it does not treat as letters.
LATIN_1 = dict.fromkeys(range(0x80, 0x100))
NO_LETTER = re.compile(r"\W")


@dataclass(frozen=True)
class Scribendi(ReferenceFree[Text]):
    """A score of 1, 0 or -1 for each sentence, without references.

    0 if the correction equals the source, 1 if its perplexity is lower and it is similar, else -1. ``model``: a
    causal language model by its name, or a folder; ``threshold``: smallest similarity; ``length``: pieces at which
    texts are cut (None: a text longer than the model's limit is an error); ``total``: whether a corpus scores the sum
    of its sentences (the paper) or their mean (MultiGEC-2025). ``precision`` and the other settings: see ReferenceFree.

    Source: Islam and Magnani, Is this the end of the gold standard? (EMNLP 2021).
    """

    name: ClassVar[str] = "scribendi"
    about: ClassVar[About] = About("gain in perplexity", "model=./my-gpt2,total=mean", extra="neural")
    columns: ClassVar[tuple[str, ...]] = ("plus", "zero", "minus", "cut")
    #: The perplexity reads spaces between words, as in the public code.
    input_form: ClassVar[InputForm] = "lines"

    model: str = setting(
        "gpt2",
        meaning="causal language model: a name known to transformers, or a folder",
        network=True,
    )
    threshold: float = setting(0.8, bounds=Bounds(0, 1), meaning="smallest similarity of source and correction")
    length: int | None = setting(
        None, bounds=Bounds(2), meaning="number of subword pieces at which a text is cut; none: error for longer texts"
    )
    total: Literal["sum", "mean"] = setting("sum", "scoring", meaning="score of a corpus: sum or mean of the sentences")

    @property
    def scale(self) -> Scale:  # type: ignore[override]
        # A sum has no bounds.
        return Scale(-np.inf, np.inf, in_percent=self.total == "mean")

    @property
    def networks(self) -> LanguageModel:
        return load_shared(LanguageModel, self.model, self.length, self.device, self.batch, self.precision)

    @property
    def signed_networks(self) -> dict[str, Any]:
        return {"model": self.networks.signed, "bos": "prefix"} | ({"length": self.length} if self.length else {})

    def sentences(self, sums: Mapping[str, float]) -> float:
        return sums["plus"] + sums["zero"] + sums["minus"]

    def prepare(self, corpus: Corpus, threads: int = 0) -> Text:
        return Text(str(line).strip() for line in corpus.source)

    def count(self, prepared: Text, hypothesis: Lines, threads: int = 0, *, evidence: bool = False) -> Counts:
        source, correction = [str(line) for line in prepared], [line.strip() for line in hypothesis]
        changed = [s for s, text in enumerate(source) if text != correction[s]]
        plus, cut = np.zeros(len(source), dtype=bool), np.zeros(len(source), dtype=bool)
        before, after = ([text[s] for s in changed] for text in (source, correction))
        similar = similarities(before, after, threads) >= self.threshold
        candidates = [s for s, is_similar in zip(changed, similar, strict=True) if is_similar]
        plus[candidates], cut[candidates] = self._likelier(candidates, source, correction)
        zero = np.ones(len(source), dtype=bool)
        zero[changed] = False
        return Counts(np.stack([plus, zero, ~(plus | zero), cut], axis=-1)[:, np.newaxis], self.columns)

    def _likelier(
        self, sentences: Sequence[int], source: Lines, correction: Lines
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return for each sentence whether the correction is more probable, and if cut.

        An empty text has no perplexity, which is never lower or higher. The similarity then decides alone, as in the
        public code.
        """
        network = self.networks
        inputs, cut = network.inputs([text[s] for text in (source, correction) for s in sentences])
        if self.length is None and cut.any():
            long = int(cut.argmax())
            side, index = divmod(long, len(sentences))
            raise InputError(
                f"sentence {sentences[index]} (counted from 0): the {('source', 'correction')[side]} has "
                f"{len(inputs[long].pieces)} pieces, but {self.model} supports at most {network.positions}",
                hint=f"length={network.positions} cuts longer texts and is in the signature",
                sentence=sentences[index],
            )
        values = network.values(inputs)
        before, after = np.array([values[item] for item in inputs]).reshape(2, len(sentences))
        lower: NDArray[np.bool_] = ~(before <= after)
        return lower, np.logical_or(*cut.reshape(2, len(sentences)))

    def score(self, totals: NDArray[Any]) -> Floats:
        difference: Floats = np.asarray(totals[..., 0] - totals[..., 2], dtype=np.float64)
        return difference if self.total == "sum" else difference / np.maximum(totals[..., :3].sum(axis=-1), 1)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        shares = totals[..., :3] / np.maximum(totals[..., :3].sum(axis=-1, keepdims=True), 1)
        return dict(zip(self.columns, np.moveaxis(shares, -1, 0), strict=False))


def similarities(source: Lines, correction: Lines, threads: int = 0) -> Floats:
    """Return the larger of the two ratios, [S], for pairs of different texts."""
    ratios = token_sort_ratios(source, correction, threads)
    return np.maximum(ratios, levenshtein_distance_ratios(source, correction, threads))


def levenshtein_distance_ratios(source: Lines, correction: Lines, threads: int = 0) -> Floats:
    """Return 1 - d / (sum of lengths), [S]; 1 if both are empty.

    A substitution costs 2, an insertion or deletion 1.
    """
    lengths = np.array([len(a) + len(b) for a, b in zip(source, correction, strict=True)], dtype=np.int64)
    return np.asarray(1 - indel_distances(Text(source), Text(correction), threads) / np.maximum(lengths, 1))


def token_sort_ratios(source: Lines, correction: Lines, threads: int = 0) -> Floats:
    """Return the ratios of the words in alphabetical order, [S].

    They are rounded to the hundredth, as in fuzzywuzzy 0.18.0 with python-Levenshtein: 0 if one of the texts has no
    word, 1 if both have none.
    """
    first, second = (
        [" ".join(sorted(NO_LETTER.sub(" ", line.translate(LATIN_1)).lower().split())) for line in text]
        for text in (source, correction)
    )
    empty = np.array([bool(a) != bool(b) for a, b in zip(first, second, strict=True)], dtype=bool)
    hundredths = np.rint(100 * levenshtein_distance_ratios(first, second, threads)) / 100
    return np.where(empty, 0.0, hundredths)
