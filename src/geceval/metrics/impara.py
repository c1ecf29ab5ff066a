"""IMPARA and IMPARA-GED: a trained rating of corrections similar to the source.

Sources: Maeda et al., IMPARA (COLING 2022), section 3; for IMPARA-GED the card of naist-nlp/IMPARA-GED.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import About
from geceval.counting.settings import Bounds, setting
from geceval.metrics.neural.networks import MeanVectors, Pooling, Regressor
from geceval.metrics.neural.pretrained import Inputs, ReferenceFree, load_shared
from geceval.text.columns import Lines
from geceval.text.corpus import Corpus

COSINES = Bounds(-1, 1)


class ImparaNetworks(NamedTuple):
    """The network that rates, and the encoder that compares with the source.

    ``similarity`` is None where nothing is compared.
    """

    quality: Regressor
    similarity: MeanVectors | None


@dataclass(frozen=True)
class Impara(ReferenceFree[Inputs | None]):
    """The mean over sentences of sigmoid(rating of the correction).

    A correction too dissimilar to its source scores 0: the cosine between the means of their vectors, by the encoder
    ``similarity``, must be at least ``threshold`` (None: no comparison). ``model`` rates. ``length``: pieces at which
    texts are cut; ``pooling``: see networks.Regressor. The other settings: see ReferenceFree.

    Source: Maeda, Kaneko and Okazaki, IMPARA (COLING 2022).
    """

    name: ClassVar[str] = "impara"
    about: ClassVar[About] = About("quality as rated by a model", "threshold=none", extra="neural")
    columns: ClassVar[tuple[str, ...]] = ("value", "gated", "cut", "sentences")

    model: str = setting(
        "gotutiyan/IMPARA-QE",
        meaning="model that rates corrections: a name known to transformers, or a folder",
        network=True,
    )
    similarity: str = setting("bert-base-cased", meaning="encoder that compares source and correction", network=True)
    threshold: float | None = setting(
        0.9,
        bounds=COSINES,
        hint="threshold=none disables this comparison",
        meaning="smallest cosine similarity of source and correction; none: no comparison",
    )
    length: int = setting(128, bounds=Bounds(3), meaning="number of subword pieces at which a text is cut")
    pooling: Pooling | None = setting(
        None, meaning="pooling of ModernBERT's classifiers; none: by the model's configuration"
    )

    @property
    def networks(self) -> ImparaNetworks:
        common = (self.length, self.device, self.batch, self.precision)
        quality = load_shared(Regressor, self.model, *common, self.pooling)
        similarity = None if self.threshold is None else load_shared(MeanVectors, self.similarity, *common)
        return ImparaNetworks(quality, similarity)

    @property
    def signed_networks(self) -> dict[str, Any]:
        networks, similarity = self.networks, self.networks.similarity
        return {
            "model": networks.quality.signed,
            "similarity": None if similarity is None else similarity.signed,
            "threshold": self.threshold,
            "gate": "off" if similarity is None else None,
            "length": self.length,
            "pooling": networks.quality.pooling,
        }

    def prepare(self, corpus: Corpus, threads: int = 0) -> Inputs | None:
        similarity = self.networks.similarity
        return None if similarity is None else similarity.inputs(corpus.source)

    def count(self, prepared: Inputs | None, hypothesis: Lines, threads: int = 0, *, evidence: bool = False) -> Counts:
        networks, correction = self.networks, list(hypothesis)
        inputs, cut = networks.quality.inputs(correction)
        gated = np.zeros(len(inputs), dtype=bool)
        if prepared is not None and networks.similarity is not None and self.threshold is not None:
            (sources, source_cut), (corrections, correction_cut) = prepared, networks.similarity.inputs(correction)
            gated = networks.similarity.cosines(list(zip(sources, corrections, strict=True))) < self.threshold
            cut = cut | correction_cut | source_cut
        passed = [item for item, is_gated in zip(inputs, gated, strict=True) if not is_gated]
        ratings = networks.quality.values(passed)
        values = np.zeros(len(inputs))
        values[~gated] = np.exp(-np.logaddexp(0.0, -np.array([ratings[item] for item in passed])))  # the sigmoid
        rows = np.stack([values, gated, cut, np.ones(len(inputs))], axis=-1)
        return Counts(rows[:, np.newaxis], self.columns)

    def score(self, totals: NDArray[Any]) -> Floats:
        means: Floats = totals[..., 0] / np.maximum(totals[..., 3], 1)
        return means

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return {"gated": totals[..., 1] / np.maximum(totals[..., 3], 1)}


@dataclass(frozen=True)
class ImparaGed(Impara):
    """IMPARA with a model trained on error detection, without the comparison.

    Its card requires the mean of all vectors. A model whose configuration differs is refused unless ``pooling`` is
    given. The other settings are the same as for Impara.
    """

    name: ClassVar[str] = "impara-ged"
    about: ClassVar[About] = About("quality as rated by a model", "model=./my-impara-ged", extra="neural")

    model: str = setting(
        "naist-nlp/IMPARA-GED",
        meaning="model that rates corrections: a name known to transformers, or a folder",
        network=True,
    )
    threshold: float | None = setting(
        None, bounds=COSINES, meaning="smallest cosine similarity of source and correction; none: no comparison"
    )

    @property
    def networks(self) -> ImparaNetworks:
        networks = super().networks
        if self.pooling is None and networks.quality.pooling == "cls":
            message = f"the configuration of {self.model} has pooling=cls, but the card of IMPARA-GED requires mean"
            raise UsageError(message, hint="set pooling=mean or pooling=cls")
        return networks
