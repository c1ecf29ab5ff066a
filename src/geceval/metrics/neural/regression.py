"""Ratings of texts by a sequence classifier with one output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal, TypeAlias

from geceval.base.errors import InputError, UsageError
from geceval.metrics.neural.pretrained import NetworkInput, Precision, Pretrained

Pooling: TypeAlias = Literal["cls", "mean"]


class Regressor(Pretrained[float]):
    """The one output, a logit, of a network for a text or a pair of texts.

    ``pooling``: the vector of ModernBERT's head, of the first piece or the mean of all; None: by the model's
    configuration. Other arguments and errors: see pretrained.Pretrained; InputError for a model with several outputs,
    UsageError for a pooling that it does not have.
    """

    kind: ClassVar[str] = "AutoModelForSequenceClassification"
    needless: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        model: str,
        length: int | None = None,
        device: str = "auto",
        batch: int = 64,
        precision: Precision = "float32",
        pooling: Pooling | None = None,
    ) -> None:
        super().__init__(model, length, device, batch, precision)
        config: Any = self._network.config
        if config.num_labels != 1:
            raise InputError(f"the model {model!r} has {config.num_labels} outputs; one, a rating, is needed")
        if pooling is not None:
            if self.pooling is None:
                raise UsageError(f"pooling is for ModernBERT's classifiers; {model} is of the kind {config.model_type}")
            config.classifier_pooling = pooling

    @property
    def pooling(self) -> Pooling | None:
        """The pooling of the head, if it has a choice."""
        found: Pooling | None = getattr(self._network.config, "classifier_pooling", None)
        return found

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[float]:
        found: list[float] = self._network(**self._arguments(batch)).logits[:, 0].float().tolist()
        return found
