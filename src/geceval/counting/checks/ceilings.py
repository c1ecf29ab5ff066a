"""Ceilings of text: scores of the gold's own corrected texts. Texts of suggestions, scored next to the suggestions.

An annotator may find other edits in a corrected text than the given gold edits. The corrected text of the gold itself
then scores less than the best possible score, and no system given as text can be expected to score more. Suggestions of
a checker may have other spans than the gold edits, and then score less than the text that they make.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from geceval.base.errors import InputError
from geceval.counting.checks.text_checks import Finding
from geceval.counting.consumers import ScoredCounts
from geceval.counting.counts import Counts, Floats, SignatureInputs
from geceval.counting.results import Result, RunFacts
from geceval.counting.run_options import RunOptions
from geceval.counting.stream import Constants, add_constant_sums, by_constant, count_part, with_constants
from geceval.edits.corpus_edits import closest_profile
from geceval.edits.languages import make_annotator
from geceval.text.columns import CompleteText
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE, SUGGESTIONS, has_ending
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import EditColumns

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric

#: Ceilings of metrics in per cent that are lower are reported.
REPORTED_BELOW = 0.995
#: Largest number of annotators with a ceiling: the text of each one is compared with the edits of all.
MOST_ANNOTATORS = 100
#: Smallest reported difference between the scores of a text and of the suggestions that make it.
REPORTED_LOSS = 0.01


def has_ceiling(source: TextSource, metric: AnyMetric, system: str) -> bool:
    """Return whether given gold edits meet edits found in a system's text."""
    is_given = source.gold is not None and source.gold_edits == "as-given"
    return metric.matches_edits and is_given and system != SOURCE and system not in source.m2_systems


class BesideSystems(ABC):
    """Texts that are scored beside the systems of a run: systems of a second run over the same parts, in no pool.

    Args:
        metrics: Distinct metrics that score the texts.
        threads: Number of threads (0: one per processor).
    """

    def __init__(self, metrics: Sequence[AnyMetric], threads: int) -> None:
        self._metrics, self._options = metrics, RunOptions(threads)
        self._sums: dict[Hashable, dict[str, Floats]] = {key: {} for key in by_constant(metrics)}

    @abstractmethod
    def texts(self, part: Corpus) -> Mapping[str, CompleteText]:
        """Return the texts of a part by name."""

    @abstractmethod
    def add(self, name: str, metric: AnyMetric, counts: Counts) -> None:
        """Add the counts of a text of the part."""

    @abstractmethod
    def see(self, name: str, metric: AnyMetric, counts: Counts) -> None:
        """Receive the counts of a system of the part."""

    @abstractmethod
    def ceilings(
        self, signature_inputs: Callable[[str, AnyMetric], SignatureInputs]
    ) -> Mapping[AnyMetric, dict[str, Result]]:
        """Return ceilings by metric and annotator, after the last part."""

    @abstractmethod
    def remarks(self) -> Iterator[Finding]:
        """Yield warnings, after the last part."""

    def add_constant_sums(self, part: Corpus, preparations: dict[Hashable, Any]) -> None:
        """Take the next part of a first pass."""
        if self._sums and (texts := self.texts(part)):
            add_constant_sums(self._sums, part, self._metrics, self._options, preparations, texts)

    def count(self, part: Corpus, preparations: dict[Hashable, Any]) -> None:
        """Count the texts of the next part."""
        if self._metrics and (texts := self.texts(part)):
            rows = count_part(part, self._metrics, self._options, preparations, self._constants, texts)
            for name, metric, counts in rows:
                self.add(name, metric, counts)

    @cached_property
    def _constants(self) -> Constants:
        """Metrics with their constant, after the first pass."""
        return with_constants(self._metrics, self._sums)


class Ceilings(BesideSystems):
    """The gold's corrected texts, one per annotator.

    Args:
        source: Source with systems and gold edits.
        metrics: Metrics of the run.
        threads: Number of threads (0: one per processor).
    """

    def __init__(self, source: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> None:
        systems = source.system_names
        #: Reason why there is no ceiling, and a hint.
        self.obstacle: tuple[str, str] | None = None
        annotators = list(map(str, source.annotators))
        if len(annotators) > MOST_ANNOTATORS:
            reason = f"the gold has {len(annotators)} annotators, more than {MOST_ANNOTATORS}"
            self.obstacle = reason, "--gold-edits reannotated"
            annotators = []
        #: Results by metric and number of the annotator.
        self.results = {
            metric: {annotator: ScoredCounts(metric, ["corpus", "mean"]) for annotator in annotators}
            for metric in dict.fromkeys(metrics)
            if any(has_ceiling(source, metric, name) for name in systems)
        }
        self._annotators = annotators
        #: Gold edits of the first part.
        self.gold: Blocks | None = None
        super().__init__(list(self.results), threads)

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

    def add(self, name: str, metric: AnyMetric, counts: Counts) -> None:
        self.results[metric][name].add(counts)

    def see(self, name: str, metric: AnyMetric, counts: Counts) -> None:
        """Ignore the systems."""

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
            ceiling = best_of(
                metric, {annotator: result.result().score().value for annotator, result in results.items()}
            )
            # Scores of pooled metrics depend on the other systems.
            is_fixed = metric.scale.in_percent and metric.scale.higher_is_better and metric.pool is None
            if is_fixed and ceiling < REPORTED_BELOW:
                low_ceilings[f"{metric.label} {100 * ceiling:.2f}"] = metric
        if low_ceilings and self.gold is not None and EditColumns(self.gold.edits).is_edit.any():
            yield _low_ceiling_warning(low_ceilings, self.gold)


class SuggestedTexts(BesideSystems):
    """The texts that suggestions of checkers make, scored beside the suggestions.

    Args:
        source: Source with systems.
        metrics: Metrics of the run.
        threads: Number of threads (0: one per processor).
    """

    def __init__(self, source: TextSource, metrics: Sequence[AnyMetric], threads: int = 0) -> None:
        on_edits = [
            metric
            for metric in dict.fromkeys(metrics)
            if metric.matches_edits
            and metric.pool is None
            and metric.scale.in_percent
            and metric.scale.higher_is_better
        ]
        #: Results of suggestions, and of the texts that they make, by metric and name of the system.
        self._suggestions = _results(on_edits, source.m2_systems)
        self._texts = _results(on_edits, source.m2_systems)
        #: File of each system that is suggestions.
        self._files: dict[str, str] = {}
        super().__init__(on_edits, threads)

    def texts(self, part: Corpus) -> Mapping[str, CompleteText]:
        """Return the texts that the suggestions of a part make, by name of the system."""
        texts = {}
        for name, blocks in part.m2_systems.items():
            path = blocks[0].path if len(blocks) else None
            if path is not None and has_ending(str(path), *SUGGESTIONS):
                self._files[name] = str(path)
                texts[name] = blocks.version(0)
        return texts

    def add(self, name: str, metric: AnyMetric, counts: Counts) -> None:
        self._texts[metric][name].add(counts)

    def see(self, name: str, metric: AnyMetric, counts: Counts) -> None:
        if name in self._files and metric in self._suggestions:
            self._suggestions[metric][name].add(counts)

    def ceilings(
        self, signature_inputs: Callable[[str, AnyMetric], SignatureInputs]
    ) -> Mapping[AnyMetric, dict[str, Result]]:
        return {}

    def remarks(self) -> Iterator[Finding]:
        """Yield a warning for each system that scores less than the text that it makes."""
        for name, path in self._files.items():
            losses = []
            for metric, results in self._suggestions.items():
                score, text_score = (scored[name].result().score().value for scored in (results, self._texts[metric]))
                if text_score - score > REPORTED_LOSS:
                    losses.append(f"{metric.label} {100 * score:.2f} as suggestions, {100 * text_score:.2f} as text")
            if losses:
                message = f"{'; '.join(losses)}: the suggestions have other spans than the same corrections of the gold"
                hint = (
                    f"score the text: geceval m2 convert {path} -s SOURCE -o FILE.m2 (with the same --offsets and"
                    " --tokenise); geceval m2 apply FILE.m2 > FILE.txt"
                )
                yield Finding("ceiling", f"system {name}", message, hint)


def _results(metrics: Sequence[AnyMetric], names: Iterable[str]) -> dict[AnyMetric, dict[str, ScoredCounts]]:
    return {metric: {name: ScoredCounts(metric, ["corpus"]) for name in names} for metric in metrics}


def _low_ceiling_warning(low_ceilings: Mapping[str, AnyMetric], gold: Blocks) -> Finding:
    message = (
        f"the ceiling of text against these gold edits is {', '.join(low_ceilings)}, the score of the gold's own "
        "corrected text, since the annotator extracts other edits from it"
    )
    hint = "--gold-edits reannotated"
    annotator = next(iter(low_ceilings.values())).text_annotator
    closest = None if annotator is None else closest_profile(gold, annotator)
    if annotator is not None and closest is not None:
        message += f"; the gold agrees most with the annotator {closest}"
        is_in_force = make_annotator(closest.annotator) is make_annotator(annotator)
        hint += "" if is_in_force else f", or --annotator {closest.annotator}"
    return Finding("ceiling", "", message, hint)


def best_of(metric: AnyMetric, scores: Mapping[str, float]) -> float:
    """Return the best of the scores."""
    return (max if metric.scale.higher_is_better else min)(scores.values())
