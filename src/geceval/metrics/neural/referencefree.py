"""Base class of neural metrics that compare a correction with its source only."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from geceval.counting.metric import Metric, P
from geceval.counting.observed import EvidenceOf, Given
from geceval.counting.settings import Bounds, setting
from geceval.metrics.neural.pretrained import Precision


@dataclass(frozen=True)
class ReferenceFree(Metric[P]):
    """Metric of pretrained networks, without references.

    The column ``cut`` counts sentences that a network did not read to their end. ``device`` and ``batch`` do not change
    scores, but ``precision`` does.
    """

    evidence_of: ClassVar[EvidenceOf] = "nothing"
    #: Large enough for batches of equally long sentences, small enough for the progress bar.
    block: ClassVar[int] = 1 << 10

    device: str = setting("auto", "unsigned", meaning="device that computes: auto, cpu, cuda, …")
    batch: int = setting(64, "unsigned", Bounds(1), meaning="number of texts computed at a time")
    precision: Precision = setting("float32", meaning="number format of the model's weights")

    @property
    @abstractmethod
    def networks(self) -> Any:
        """The networks, which are loaded at the first access.

        Raises the errors of pretrained.Pretrained.
        """

    def held(self) -> Any:
        """Return the networks, so that a run signs and counts with the same weights."""
        return self.networks

    @property
    @abstractmethod
    def signed_networks(self) -> dict[str, Any]:
        """The entries of the signature that describe the networks.

        They replace the settings of the same names: name and fingerprint of each network, and ``length``, the maximum
        number of pieces. None: the signature has no entry of this name.
        """

    def signed(self, given: Given) -> dict[str, Any]:
        own = self.signed_networks
        entries = own | {name: value for name, value in super().signed(given).items() if name not in own}
        return {name: value for name, value in entries.items() if value is not None}

    def sentences(self, sums: Mapping[str, float]) -> float:
        """Return the number of sentences in the sums of the columns."""
        return sums["sentences"]

    def final_remarks(self, sums: Mapping[str, float]) -> Sequence[str]:
        if not sums["cut"]:
            return ()
        cut, total, length = sums["cut"], self.sentences(sums), self.signed_networks["length"]
        limit = f"a text or pair of more than {length} pieces; the rest of it was ignored"
        return [f"{self.name}: {cut:,.0f} of {total:,.0f} sentences have {limit}"]
