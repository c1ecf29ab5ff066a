"""torchmetrics: a Metric whose state is the sums of counts, so that processes, batches and epochs simply add up."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, ClassVar

from geceval.base.errors import InputError, UsageError
from geceval.counting.contract import Given
from geceval.counting.counts import Counts
from geceval.counting.policies import Best, Mean
from geceval.counting.run import kept_counts
from geceval.counting.stream import ALONE
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    RowConversion,
    figures_of,
    framework_classes,
    last_message,
    one_metric,
)


def metric(
    metric: AnyMetric | str, *, references: int = 1, extract: Extract = last_message, ragged: bool = False, **more: Any
) -> Any:
    """A ``torchmetrics.Metric``: ``update(preds, target, sources)``, and ``compute()`` yields a dictionary of tensors,
    ``{"errant": …, "errant_precision": …, "errant_recall": …}``, the scores of all sentences of all processes.

    ``preds[s]``, ``sources[s]``, and ``target[s]`` or ``target[s][r]``. ``references``: how many there are, where the
    metric takes the mean over them. ``more`` goes to torchmetrics. With several references the choice must be each
    sentence's own (``green``, ``gleu:selection=best``): InputError where it depends on other sentences. Raises
    UsageError for metrics that look at the whole corpus before they count.
    """
    scored = one_metric(metric)
    if scored.pooled or scored.has_constant:
        what = "at all systems of a run together" if scored.pooled else "at the whole corpus before it counts"
        hint = "keep the texts, and score them at the end: geceval.Scorer"
        raise UsageError(f"{scored.name} looks {what}, and sums of batches are not enough for it", hint=hint)
    return __getattr__("CorpusMetric")(scored, references, RowConversion(extract, ragged), **more)


class _TorchMetric:
    """See ``metric``."""

    is_differentiable: ClassVar[bool] = False
    full_state_update: ClassVar[bool] = False
    #: States: how many sentences there are, and the fewest and the most references that one has.
    sentences: Any
    fewest: Any
    most: Any

    def __init__(self, metric: AnyMetric, references: int, rows: RowConversion, **more: Any) -> None:
        super().__init__(**more)
        import torch

        self.scored, self.rows = metric, rows
        self.choices = references if isinstance(self.scored.policy, Mean) else 1
        if self.choices < 1:
            raise UsageError(f"references is {references}; it must be at least 1")
        # Metrics of a MetricCollection with equal states of equal names share them: those must be the same metric.
        self.state = f"counts_{zlib.crc32(repr((self.scored.name, self.scored.settings)).encode()):08x}"
        shape = (self.choices, len(self.scored.columns))
        add_state: Any = self.add_state  # type: ignore[attr-defined]
        add_state(self.state, torch.zeros(shape, dtype=torch.float64), dist_reduce_fx="sum")
        for name, start, reduce in (("sentences", 0, "sum"), ("fewest", 1 << 31, "min"), ("most", 0, "max")):
            add_state(name, torch.tensor(start), dist_reduce_fx=reduce)

    def update(self, preds: Sequence[Any], target: Sequence[str | Sequence[str]], sources: Sequence[str]) -> None:
        """Take in a batch; one sentence may stand alone. Raises InputError where its parts do not fit together."""
        import torch

        if isinstance(sources, str):
            preds, target, sources = [preds], [target], [sources]  # type: ignore[list-item]
        corpus = self.rows.corpus(sources, preds, target)
        totals = self._totals(kept_counts(corpus, self.scored)[ALONE])
        state = getattr(self, self.state)
        setattr(self, self.state, state + torch.as_tensor(totals, dtype=state.dtype, device=state.device))
        few, many = corpus.reference_numbers(of_gold=False)
        self.sentences = self.sentences + len(corpus)
        self.fewest, self.most = self.fewest.clamp(max=few), self.most.clamp(min=many)

    def _totals(self, counts: Counts) -> Any:
        """The sums [m, K] of the counts of a batch."""
        policy, numbers = self.scored.policy, counts.mask.sum(axis=1)
        if isinstance(policy, Mean):
            if (numbers != self.choices).any():
                message = f"{self.scored.name} takes the mean over {self.choices} references, and here are"
                found = ", ".join(map(str, sorted(set(numbers.tolist()))))
                raise InputError(f"{message} {found}", hint="say how many there are: references=N")
        elif not isinstance(policy, Best):
            if (numbers != 1).any():
                hint = 'give one reference, or take a metric whose sentences choose: "green", "gleu:selection=best"'
                message = f"{self.scored.name} chooses among references by what other sentences chose ({policy.name})"
                raise InputError(f"{message}: sums of parts are not its sums", hint=hint)
            return counts.array.sum(axis=1).sum(axis=0, keepdims=True)
        return self.scored.totals(counts)

    def compute(self) -> dict[str, Any]:
        """The score of all that came in, and its parts. Raises UsageError if nothing did."""
        import torch

        if not self.sentences:
            raise UsageError("nothing was counted")
        state = getattr(self, self.state)
        found = figures_of(self.scored, state.cpu().numpy())
        return {name: torch.tensor(value, dtype=state.dtype, device=state.device) for name, value in found.items()}

    @property
    def higher_is_better(self) -> bool:
        """The metric's direction."""
        return self.scored.higher_is_better

    @property
    def signature(self) -> str:
        """The signature of what came in to this process so far."""
        return self.scored.signature(Given(Given.number(int(self.fewest), int(self.most))))


__getattr__ = framework_classes(__name__, CorpusMetric=(_TorchMetric, "torchmetrics", "Metric"))
