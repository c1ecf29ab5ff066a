"""Ratings of texts by a sequence classifier with one output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal, TypeAlias

from geceval.base.errors import InputError, UsageError
from geceval.metrics.neural.pretrained import NetworkInput, Precision, Pretrained

Pooling: TypeAlias = Literal["cls", "mean"]


class Regressor(Pretrained[float]):
    """Rating of a text or of a pair of texts: the one logit of a classifier.

    Args:
        model: As for pretrained.Pretrained, like the other arguments without a description.
        pooling: Vector from which ModernBERT's head computes the logit: the vector of the first piece (``cls``) or the
            mean of all. None: as in the model's configuration.

    Raises:
        InputError: If the model has several outputs.
        UsageError: If the model does not support ``pooling``.
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
            raise InputError(f"the model {model!r} has {config.num_labels} outputs; a rating requires one")
        if pooling is not None:
            if self.pooling is None:
                message = f"pooling requires a classifier of ModernBERT; the type of {model} is {config.model_type}"
                raise UsageError(message)
            config.classifier_pooling = pooling

    @property
    def pooling(self) -> Pooling | None:
        """The pooling of the classifier's head; None if it cannot be chosen."""
        found: Pooling | None = getattr(self._network.config, "classifier_pooling", None)
        return found

    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[float]:
        found: list[float] = self._network(**self._arguments(batch)).logits[:, 0].float().tolist()
        return found
