"""Texts of suggestions, scored next to the suggestions.

Suggestions of a checker may have other spans than the gold edits, and then score less than the text that they make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from geceval.base.hints import Hint, Option
from geceval.counting.checks.beside_systems import BesideSystems
from geceval.counting.checks.findings import Finding
from geceval.counting.consumers import ScoredCounts
from geceval.counting.counts import Counts
from geceval.text.columns import CompleteText
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import may_be_suggestions

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric

#: Smallest reported difference between the scores of a text and of the suggestions that make it.
REPORTED_LOSS = 0.01
#: The remedy for suggestions that score less than the text that they make.
AS_TEXT = Hint(Option("suggestions", "as-text"), " scores the text")


class SuggestedTexts(BesideSystems):
    """The texts that suggestions of checkers make, scored next to the suggestions."""

    def __init__(self, source: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> None:
        on_edits = [
            metric
            for metric in dict.fromkeys(metrics)
            if metric.matches_edits
            and metric.pool is None
            and metric.scale.in_percent
            and metric.scale.higher_is_better
        ]
        #: Results of suggestions by metric and name of the system.
        self._suggestions = _results(on_edits, source.m2_systems)
        #: Systems that are suggestions.
        self._systems: set[str] = set()
        super().__init__(_results(on_edits, source.m2_systems), threads)

    def texts(self, part: Corpus) -> Mapping[str, CompleteText]:
        """Return the texts that the suggestions of a part make, by name of the system."""
        texts = {}
        for name, blocks in part.m2_systems.items():
            path = blocks[0].path if len(blocks) else None
            if path is not None and may_be_suggestions(str(path)):
                self._systems.add(name)
                texts[name] = blocks.version(0)
        return texts

    def see(self, name: str, metric: AnyMetric, counts: Counts) -> None:
        if name in self._systems and metric in self._suggestions:
            self._suggestions[metric][name].add(counts)

    def remarks(self) -> Iterator[Finding]:
        """Yield a warning for each system that scores less than the text that it makes."""
        for name in sorted(self._systems):
            losses = []
            for metric, results in self._suggestions.items():
                score, text_score = (scored[name].result().score().value for scored in (results, self.results[metric]))
                if text_score - score > REPORTED_LOSS:
                    losses.append(f"{metric.label} {100 * score:.2f} as suggestions, {100 * text_score:.2f} as text")
            if losses:
                message = f"{'; '.join(losses)}: the suggestions have other spans than the same corrections of the gold"
                yield Finding("ceiling", f"system {name}", message, AS_TEXT)


def _results(metrics: Sequence[AnyMetric], names: Iterable[str]) -> dict[AnyMetric, dict[str, ScoredCounts]]:
    return {metric: {name: ScoredCounts(metric, ["corpus"]) for name in names} for metric in metrics}
