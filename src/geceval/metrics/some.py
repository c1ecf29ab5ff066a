"""SOME: weighted ratings of grammaticality, fluency and meaning preservation.

Source: Yoshimura et al. (COLING 2020), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import About, Scale
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.metrics.neural.networks import Regressor
from geceval.metrics.neural.pretrained import ReferenceFree, load_shared
from geceval.text.columns import Lines
from geceval.text.corpus import Corpus

#: The parts, and the folder that the authors' download has for each.
FOLDERS = {"g": "grammer", "f": "fluency", "m": "meaning"}
LAYOUT = "model=FOLDER with grammer/, fluency/ and meaning/ in it, or g=FOLDER,f=FOLDER,m=FOLDER"
#: The ratings that the networks were trained on.
LOWEST, HIGHEST = 1, 4


@dataclass(frozen=True)
class Some(ReferenceFree[Lines]):
    """The mean over sentences of the weighted sum of three ratings.

    Each is scaled from 1 … 4 to 0 … 1, and not clipped. ``model``: a folder with one model for each part; ``g``, ``f``,
    ``m``: a model for one part, by name or folder. ``length``: pieces at which a text, or a pair of texts, is cut.
    Weights need not sum to 1. The other settings: see ReferenceFree.

    Source: Yoshimura, Kaneko, Kajiwara and Komachi, SOME (COLING 2020).
    """

    name: ClassVar[str] = "some"
    about: ClassVar[About] = About("grammar, fluency and meaning", "model=./my-some", extra="neural")
    columns: ClassVar[tuple[str, ...]] = ("g", "f", "m", "cut", "sentences")
    #: A rating may lie outside of what the networks were trained on.
    scale: ClassVar[Scale] = Scale(-np.inf, np.inf)

    model: str | None = setting(None, meaning="folder with the three models")
    g: str | None = setting(
        None,
        meaning="model of grammaticality: a name known to transformers, or a folder",
        network=True,
    )
    f: str | None = setting(None, meaning="model of fluency", network=True)
    m: str | None = setting(None, meaning="model of meaning preservation", network=True)
    weight_g: float = setting(0.55, "scoring", FINITE, meaning="weight of grammaticality")
    weight_f: float = setting(0.43, "scoring", FINITE, meaning="weight of fluency")
    weight_m: float = setting(0.02, "scoring", FINITE, meaning="weight of meaning preservation")
    length: int = setting(128, bounds=Bounds(4), meaning="number of subword pieces at which a text is cut")

    @property
    def models(self) -> dict[str, str]:
        """The model of each part.

        Raises UsageError if one is not given or does not exist.
        """
        models = {}
        for part, folder in FOLDERS.items():
            model = getattr(self, part)
            if model is None and self.model is None:
                raise UsageError("some needs three models, which have no default", hint=LAYOUT)
            path = Path(self.model or "", folder)
            if model is None and not path.is_dir():
                raise UsageError(f"some: folder {path} does not exist", hint=LAYOUT)
            models[part] = str(path) if model is None else model
        return models

    @property
    def networks(self) -> dict[str, Regressor]:
        common = (self.length, self.device, self.batch, self.precision)
        return {part: load_shared(Regressor, model, *common) for part, model in self.models.items()}

    @property
    def signed_networks(self) -> dict[str, Any]:
        signed = {part: network.signed for part, network in self.networks.items()}
        return {"model": None, **signed, "length": self.length}

    def prepare(self, corpus: Corpus, threads: int = 0) -> Lines:
        return list(corpus.source)

    def count(self, prepared: Lines, hypothesis: Lines, threads: int = 0, *, evidence: bool = False) -> Counts:
        correction = list(hypothesis)
        columns, cuts = [], []
        for part, network in self.networks.items():
            inputs, cut = network.inputs(prepared, correction) if part == "m" else network.inputs(correction)
            ratings = network.values(inputs)
            columns.append((np.array([ratings[item] for item in inputs]) - LOWEST) / (HIGHEST - LOWEST))
            cuts.append(cut)
        rows = np.stack([*columns, np.any(cuts, axis=0), np.ones(len(correction))], axis=-1)
        return Counts(rows[:, np.newaxis], self.columns)

    def score(self, totals: NDArray[Any]) -> Floats:
        weighted = totals[..., :3] @ np.array([self.weight_g, self.weight_f, self.weight_m])
        means: Floats = weighted / np.maximum(totals[..., 4], 1)
        return means

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        means = totals[..., :3] / np.maximum(totals[..., 4:], 1)
        return dict(zip(("grammaticality", "fluency", "meaning"), np.moveaxis(means, -1, 0), strict=True))
