"""Metrics that compare a correction with its source by networks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from geceval.counting.contract import EvidenceOf, Given, P
from geceval.counting.metric import Metric
from geceval.counting.settings import Bounds, setting
from geceval.metrics.neural.pretrained import Precision


@dataclass(frozen=True)
class ReferenceFree(Metric[P]):
    """A metric by networks, without references.

    One of its ``columns`` is ``cut``: sentences that were cut. ``device`` (``auto``, ``cpu``, ``cuda``) and ``batch``
    (texts computed at a time) change no number; ``precision``, the number format of the weights, does.
    """

    evidence_of: ClassVar[EvidenceOf] = "nothing"
    extra: ClassVar[str | None] = "neural"
    #: Enough to find sentences of one length, few enough for the progress bar.
    block: ClassVar[int] = 1 << 10

    device: str = setting("auto", "unsigned", meaning="device that computes: auto, cpu, cuda, …")
    batch: int = setting(64, "unsigned", Bounds(1), meaning="number of texts computed at a time")
    precision: Precision = setting("float32", meaning="number format of the model's weights")

    @property
    @abstractmethod
    def networks(self) -> Any:
        """The networks, loaded on first use.

        Errors: see pretrained.Pretrained.
        """

    def held(self) -> Any:
        """Return the networks, so that a run signs and counts with the same weights."""
        return self.networks

    @property
    @abstractmethod
    def signed_networks(self) -> dict[str, Any]:
        """The entries of the signature for the networks.

        They replace the settings of these names: each network by its name and the fingerprint of its weights, and the
        length of its texts; None: no entry.
        """

    def signed(self, given: Given) -> dict[str, Any]:
        own = self.signed_networks
        entries = own | {name: value for name, value in super().signed(given).items() if name not in own}
        return {name: value for name, value in entries.items() if value is not None}

    @property
    def watched(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.columns

    def sentences(self, sums: Mapping[str, float]) -> float:
        """Return the number of sentences in sums of the columns."""
        return sums["sentences"]

    def final_remarks(self, sums: Mapping[str, float]) -> Sequence[str]:
        if not sums["cut"]:
            return ()
        few, many, length = sums["cut"], self.sentences(sums), self.signed_networks["length"]
        what = f"more than {length} pieces; what comes after them was not seen"
        return [f"{self.name}: in {few:,.0f} of {many:,.0f} sentences a text, or the pair, has {what}"]
