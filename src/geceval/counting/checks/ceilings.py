"""Ceilings of text: scores of the gold's own corrected texts.

An annotator may find other edits in a corrected text than the given gold edits. The corrected text of the gold itself
then scores less than the highest score, and a system given as text can hardly be expected to score more: only one
that is like another annotator in each sentence can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from geceval.base.errors import InputError
from geceval.base.hints import AnyHint, Hint, Option
from geceval.counting.checks.beside_systems import BesideSystems, has_ceiling
from geceval.counting.checks.findings import Finding
from geceval.counting.consumers import ScoredCounts
from geceval.counting.observations import SignatureInputs
from geceval.counting.results import Result, RunFacts
from geceval.edits.corpus_edits import closest_profile
from geceval.edits.languages import make_annotator
from geceval.text.columns import CompleteText
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import EditColumns

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric

#: Ceilings of metrics in per cent that are lower are reported.
REPORTED_BELOW = 0.995
#: Largest number of annotators with a ceiling: the text of each one is compared with the edits of all.
MOST_ANNOTATORS = 100


class Ceilings(BesideSystems):
    """The gold's corrected texts, one per annotator."""

    def __init__(self, source: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> None:
        systems = source.system_names
        #: Reason why there is no ceiling, and a hint.
        self.obstacle: tuple[str, AnyHint] | None = None
        annotators = list(map(str, source.annotators))
        if len(annotators) > MOST_ANNOTATORS:
            reason = f"the gold has {len(annotators)} annotators, more than {MOST_ANNOTATORS}"
            self.obstacle = reason, Hint(Option("gold_edits", "reannotated"))
            annotators = []
        results = {
            metric: {annotator: ScoredCounts(metric, ["corpus", "mean"]) for annotator in annotators}
            for metric in dict.fromkeys(metrics)
            if any(has_ceiling(source, metric, name) for name in systems)
        }
        self._annotators = annotators
        #: Gold edits of the first part.
        self.gold: Blocks | None = None
        super().__init__(results, threads)

    def texts(self, part: Corpus) -> Mapping[str, CompleteText]:
        """Return the corrected texts of a part by annotator.

        Edits outside their sentence are left out. A sentence without a line of an annotator has the correction of its
        first one.
        """
        if self.obstacle is not None or part.gold is None:
            return {}
        gold = part.gold
        self.gold = gold if self.gold is None else self.gold
        try:
            return {annotator: gold.corrected(int(annotator)) for annotator in self._annotators}
        except InputError as error:
            reason = f"edits of the gold cannot be applied: {error.where}{error.message}"
            self.obstacle = reason, "geceval m2 check GOLD lists them"
            return {}

    def ceilings(
        self, signature_inputs: Callable[[str, AnyMetric], SignatureInputs]
    ) -> Mapping[AnyMetric, dict[str, Result]]:
        """Return the results by metric and annotator; none if a text cannot be made."""
        if self.obstacle is not None:
            return {}
        for metric, results in self.results.items():
            for result in results.values():
                result.end(RunFacts(signature_inputs(SOURCE, metric)))
        return {
            metric: {annotator: result.result() for annotator, result in results.items()}
            for metric, results in self.results.items()
        }

    def remarks(self) -> Iterator[Finding]:
        """Yield a warning if a ceiling is low or unknown."""
        if self.obstacle is not None and self.results:
            labels = ", ".join(dict.fromkeys(metric.label for metric in self.results))
            reason, hint = self.obstacle
            yield Finding("ceiling", "", f"the ceiling of {labels} is unknown, since {reason}", hint)
            return
        low_ceilings = {}
        for metric, results in self.results.items():
            ceiling = metric.scale.best(result.result().score().value for result in results.values())
            # Scores of pooled metrics depend on the other systems.
            is_fixed = metric.scale.in_percent and metric.scale.higher_is_better and metric.pool is None
            if is_fixed and ceiling < REPORTED_BELOW:
                low_ceilings[f"{metric.label} {100 * ceiling:.2f}"] = metric
        if low_ceilings and self.gold is not None and EditColumns(self.gold.edits).is_edit.any():
            yield _low_ceiling_warning(low_ceilings, self.gold)


def _low_ceiling_warning(low_ceilings: Mapping[str, AnyMetric], gold: Blocks) -> Finding:
    message = (
        f"the ceiling of text against these gold edits is {', '.join(low_ceilings)}, the score of the gold's own "
        "corrected text, since the annotator extracts other edits from it"
    )
    hint = Hint(Option("gold_edits", "reannotated"))
    annotator = next(iter(low_ceilings.values())).text_annotator
    closest = None if annotator is None else closest_profile(gold, annotator)
    if annotator is not None and closest is not None:
        message += f"; the gold agrees most with the annotator {closest}"
        is_in_force = make_annotator(closest.annotator) is make_annotator(annotator)
        if not is_in_force:
            hint = Hint(hint, ", or ", Option("annotator", str(closest.annotator)))
    return Finding("ceiling", "", message, hint)
