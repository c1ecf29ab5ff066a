"""torchmetrics: a metric whose state is additive over processes and batches."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from geceval.base.errors import InputError, UsageError, framework
from geceval.counting.counts import Counts
from geceval.counting.observations import ALONE, SignatureInputs
from geceval.counting.policies import Best, Mean
from geceval.counting.signature import signature_of
from geceval.counting.system_results import kept_counts
from geceval.integrations.framework_rows import AnyMetric, Extract, RowConversion, figures_of, last_message, one_metric

torchmetrics: Any = framework("torchmetrics")
torch: Any = framework("torch")

#: Numbers of the objects so far with a metric and its settings.
_NUMBERS = Counter[str]()


def metric(
    metric: AnyMetric | str, *, references: int = 1, extract: Extract = last_message, ragged: bool = False, **more: Any
) -> Any:
    """Return a ``torchmetrics.Metric`` that computes corpus scores.

    ``update(preds, target, sources)`` adds a batch: predictions [S], references [S] or [S][R], sources [S].
    ``compute()`` returns tensors by name, ``{"errant": …, "errant_precision": …, "errant_recall": …}``, over all
    sentences of all processes.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        references: Number of references, if the metric averages over them.
        extract: Function from a prediction to the corrected sentence.
        ragged: Whether sentences may have different numbers of references.
        more: Arguments of torchmetrics.

    Returns:
        The metric. With several references, the choice of a sentence must not depend on other sentences (``green``,
        ``gleu:selection=best``); ``update`` raises InputError otherwise.

    Raises:
        UsageError: If the metric requires all systems or the whole corpus before counting.
    """
    scored = one_metric(metric)
    if scored.pool is not None or scored.constant is not None:
        required = "all systems of a run together" if scored.pool is not None else "the whole corpus before counting"
        hint = "keep the texts and score them at the end by geceval.Scorer"
        raise UsageError(f"{scored.name} requires {required} and cannot be computed from sums of batches", hint=hint)
    return TorchmetricsMetric(scored, references, RowConversion(extract, ragged), **more)


class TorchmetricsMetric(torchmetrics.Metric):
    """Metric of torchmetrics; see ``metric``."""

    is_differentiable: ClassVar[bool] = False
    full_state_update: ClassVar[bool] = False
    #: States: number of sentences, smallest and largest number of references of a sentence.
    sentences: Any
    fewest: Any
    most: Any

    def __init__(self, metric: AnyMetric, references: int, rows: RowConversion, **more: Any) -> None:
        super().__init__(**more)
        self.scored, self.rows = metric, rows
        self.choices = references if isinstance(self.scored.policy, Mean) else 1
        if self.choices < 1:
            raise UsageError(f"references is {references}; it must be at least 1")
        self.state = _state_name(repr((self.scored.name, self.scored.settings)))
        shape = (self.choices, len(self.scored.columns))
        self.add_state(self.state, torch.zeros(shape, dtype=torch.float64), dist_reduce_fx="sum")
        for name, start, reduce in (("sentences", 0, "sum"), ("fewest", 1 << 31, "min"), ("most", 0, "max")):
            self.add_state(name, torch.tensor(start), dist_reduce_fx=reduce)

    def update(self, preds: Sequence[Any], target: Sequence[str | Sequence[str]], sources: Sequence[str]) -> None:
        """Add a batch, or one sentence; raises InputError if lengths differ."""
        if isinstance(sources, str):
            preds, target, sources = [preds], [target], [sources]  # type: ignore[list-item]
        corpus = self.rows.corpus(sources, preds, target)
        totals = self._totals(kept_counts(corpus, self.scored)[ALONE])
        state = getattr(self, self.state)
        setattr(self, self.state, state + torch.as_tensor(totals, dtype=state.dtype, device=state.device))
        few, many = corpus.reference_numbers()
        self.sentences = self.sentences + len(corpus)
        self.fewest, self.most = self.fewest.clamp(max=few), self.most.clamp(min=many)

    def _totals(self, counts: Counts) -> Any:
        """Return the sums [m, K] of the counts of a batch."""
        policy, numbers = self.scored.policy, counts.mask.sum(axis=1)
        if isinstance(policy, Mean):
            if (numbers != self.choices).any():
                message = f"{self.scored.name} averages over {self.choices} references, but sentences have"
                actual = ", ".join(map(str, sorted(set(numbers.tolist()))))
                raise InputError(f"{message} {actual}", hint="set the number of references: references=N")
        elif not isinstance(policy, Best):
            if (numbers != 1).any():
                hint = 'use one reference, or a metric that chooses by sentence: "green", "gleu:selection=best"'
                message = f"{self.scored.name} chooses references by the choices of other sentences ({policy.name})"
                raise InputError(f"{message} and cannot be computed from sums of batches", hint=hint)
            return counts.array.sum(axis=1).sum(axis=0, keepdims=True)
        return self.scored.totals(counts)

    def compute(self) -> dict[str, Any]:
        """Return the score of all batches and its parts; raises UsageError if none."""
        if not self.sentences:
            raise UsageError("no sentences were counted", hint="call update() before compute()")
        state = getattr(self, self.state)
        figures = figures_of(self.scored, state.cpu().numpy())
        return {name: torch.tensor(value, dtype=state.dtype, device=state.device) for name, value in figures.items()}

    @property
    def higher_is_better(self) -> bool:
        """Whether high scores are good."""
        return self.scored.scale.higher_is_better

    @property
    def signature(self) -> str:
        """Signature of the batches of this process so far."""
        return signature_of(self.scored, SignatureInputs(SignatureInputs.number(int(self.fewest), int(self.most))))


def _state_name(metric: str) -> str:
    """Return a name of a state for each object.

    A MetricCollection merges metrics whose states have equal names and, after the first batch, equal values; their
    ``extract``, which it does not see, may differ.
    """
    number = _NUMBERS[metric]
    _NUMBERS[metric] += 1
    return f"counts_{zlib.crc32(metric.encode()):08x}_{number}"
