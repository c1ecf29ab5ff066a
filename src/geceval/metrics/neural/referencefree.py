"""What metrics share that hold a correction against nothing but its source, by pretrained networks."""

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
    """A metric by networks, without references. One of its ``columns`` is ``cut``: sentences not seen to their end.

    ``device`` (``auto``, ``cpu``, ``cuda``) and ``batch`` (texts computed at a time) do not change what is computed;
    ``precision``, in which weights are held, does.
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
        """The networks, loaded when first asked for. Errors: see pretrained.Pretrained."""

    def held(self) -> Any:
        """The networks, so that a run signs and counts with the same weights."""
        return self.networks

    @property
    @abstractmethod
    def signed_networks(self) -> dict[str, Any]:
        """What the signature says of the networks in place of the settings of these names: each by its name and the
        fingerprint of its weights, and how long a text they see; None: nothing."""

    def signed(self, given: Given) -> dict[str, Any]:
        own = self.signed_networks
        entries = own | {name: value for name, value in super().signed(given).items() if name not in own}
        return {name: value for name, value in entries.items() if value is not None}

    @property
    def watched(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.columns

    def sentences(self, sums: Mapping[str, float]) -> float:
        """The number of sentences that the sums of the columns are of."""
        return sums["sentences"]

    def final_remarks(self, sums: Mapping[str, float]) -> Sequence[str]:
        if not sums["cut"]:
            return ()
        few, many, length = sums["cut"], self.sentences(sums), self.signed_networks["length"]
        what = f"more than {length} pieces; what comes after them was not seen"
        return [f"{self.name}: in {few:,.0f} of {many:,.0f} sentences a text, or the pair, has {what}"]
