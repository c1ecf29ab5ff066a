"""Ceilings of text: scores of the gold's own corrected texts. Texts of suggestions, scored next to the suggestions.

An annotator may find other edits in a corrected text than the given gold edits. The corrected text of the gold itself
then scores less than the best possible score, and no system given as text can be expected to score more. Suggestions of
a checker may have other spans than the gold edits, and then score less than the text that they make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from geceval.base.errors import InputError
from geceval.counting.checks.text_checks import Finding
from geceval.counting.consumers import Result
from geceval.counting.counts import Counts, SignatureInputs
from geceval.counting.stream import AnyMetric, annotator_of
from geceval.edits.corpus_edits import closest_profile
from geceval.edits.languages import make_annotator
from geceval.text.columns import CompleteText
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE, SUGGESTIONS, has_ending
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import EditColumns

#: Prefixes of the names of the corrected texts, and of the texts that suggestions make. No system has such a name.
GOLD, SUGGESTED = "\0gold ", "\0suggested "
#: Ceilings of metrics in per cent that are lower are reported.
REPORTED_BELOW = 0.995
#: Largest number of annotators with a ceiling: the text of each one is compared with the edits of all.
MOST_ANNOTATORS = 100
#: Smallest reported difference between the scores of a text and of the suggestions that make it.
REPORTED_LOSS = 0.01


def has_ceiling(source: TextSource, metric: AnyMetric, system: str) -> bool:
    """Return whether given gold edits meet edits found in a system's text."""
    is_given = source.gold is not None and source.gold_edits == "as-given"
    return metric.evidence_of == "edits" and is_given and system != SOURCE and system not in source.m2_systems


class Ceilings:
    """The gold's corrected texts, one per annotator, scored like systems of a run.

    Args:
        source: Source with systems and gold edits.
        metrics: Metrics of the run.
    """

    def __init__(self, source: TextSource, metrics: Sequence[AnyMetric]) -> None:
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
            metric: {annotator: Result(metric, ["corpus", "mean"]) for annotator in annotators}
            for metric in dict.fromkeys(metrics)
            if any(has_ceiling(source, metric, name) for name in systems)
        }
        #: Gold edits of the first part.
        self.gold: Blocks | None = None
        #: First sentence of the current part, and its corrected texts.
        self._first_sentence = -1
        self._texts: dict[str, CompleteText] = {}

    def texts(self, part: Corpus, metric: AnyMetric) -> Mapping[str, CompleteText]:
        """Return the corrected texts of a part by name, if the metric has a ceiling."""
        if metric not in self.results or self.obstacle is not None or part.gold is None:
            return {}
        if self._first_sentence != part.first:
            # Edits outside their sentence are left out. A sentence without a line of an annotator has the correction of
            # its first one.
            self.gold = part.gold if self.gold is None else self.gold
            annotators = self.results[metric]
            try:
                self._texts = {f"{GOLD}{annotator}": part.gold.corrected(int(annotator)) for annotator in annotators}
            except InputError as error:
                reason = f"edits of the gold cannot be applied: {error.where}{error.message}"
                self.obstacle = reason, "geceval m2 check GOLD lists them"
                return {}
            self._first_sentence = part.first
        return self._texts

    def add(self, metrics: Sequence[AnyMetric], name: str, counts: Counts) -> None:
        """Add the counts of a part to the results of metrics, if they are of one of the texts."""
        if name in self._texts:
            for metric in metrics:
                self.results[metric][name.removeprefix(GOLD)].add(counts)

    def end(self, signature_inputs: Callable[[str, AnyMetric], SignatureInputs]) -> dict[AnyMetric, dict[str, Result]]:
        """Return the results by metric and annotator; none if a text cannot be made."""
        if self.obstacle is not None:
            return {}
        for metric, results in self.results.items():
            for result in results.values():
                result.end(signature_inputs(SOURCE, metric))
        return self.results

    def remarks(self) -> Iterator[Finding]:
        """Yield a warning if a ceiling is low or unknown."""
        if self.obstacle is not None and self.results:
            labels = ", ".join(dict.fromkeys(metric.label for metric in self.results))
            reason, hint = self.obstacle
            yield Finding("ceiling", "", f"the ceiling of {labels} is unknown, since {reason}", hint)
            return
        low_ceilings = {}
        for metric, results in self.results.items():
            ceiling = best_of(metric, {annotator: result.score().value for annotator, result in results.items()})
            # Scores of pooled metrics depend on the other systems.
            is_fixed = metric.scale.in_percent and metric.scale.higher_is_better and not metric.pooled
            if is_fixed and ceiling < REPORTED_BELOW:
                low_ceilings[f"{metric.label} {100 * ceiling:.2f}"] = metric
        if low_ceilings and self.gold is not None and EditColumns(self.gold.edits).is_edit.any():
            yield _low_ceiling_warning(low_ceilings, self.gold)


class SuggestedTexts:
    """The texts that suggestions of checkers make, scored like systems of a run, next to the suggestions.

    Args:
        source: Source with systems.
        metrics: Metrics of the run.
    """

    def __init__(self, source: TextSource, metrics: Sequence[AnyMetric]) -> None:
        names = list(source.m2_systems)
        on_edits = [metric for metric in dict.fromkeys(metrics) if metric.evidence_of == "edits" and not metric.pooled]
        #: Results of suggestions and of their texts, by metric and name.
        self._results = {
            metric: {prefix + name: Result(metric, ["corpus"]) for name in names for prefix in ("", SUGGESTED)}
            for metric in on_edits
            if metric.scale.in_percent and metric.scale.higher_is_better
        }
        self._files: dict[str, str] = {}

    def texts(self, part: Corpus, metric: AnyMetric) -> Mapping[str, CompleteText]:
        """Return the texts that the suggestions of a part make, by name, if the metric compares edits."""
        texts = {}
        for name, blocks in part.m2_systems.items() if metric in self._results else ():
            path = next((block.path for block in blocks[:1] if block.path is not None), "")
            if has_ending(str(path), *SUGGESTIONS):
                self._files[name] = str(path)
                texts[SUGGESTED + name] = blocks.version(0)
        return texts

    def add(self, metrics: Sequence[AnyMetric], name: str, counts: Counts) -> None:
        """Add the counts of a part to the results of metrics, if they are of suggestions or one of their texts."""
        if name.removeprefix(SUGGESTED) in self._files:
            for metric in metrics:
                if metric in self._results:
                    self._results[metric][name].add(counts)

    def remarks(self) -> Iterator[Finding]:
        """Yield a warning for each system that scores less than the text that it makes."""
        for name, path in self._files.items():
            losses = []
            for metric, results in self._results.items():
                score, text_score = (results[prefix + name].score().value for prefix in ("", SUGGESTED))
                if text_score - score > REPORTED_LOSS:
                    losses.append(f"{metric.label} {100 * score:.2f} as suggestions, {100 * text_score:.2f} as text")
            if losses:
                message = f"{'; '.join(losses)}: the suggestions have other spans than the same corrections of the gold"
                hint = (
                    f"score the text: geceval m2 convert {path} -s SOURCE -o FILE.m2 (with the same --offsets and"
                    " --tokenise); geceval m2 apply FILE.m2 > FILE.txt"
                )
                yield Finding("ceiling", f"system {name}", message, hint)


def _low_ceiling_warning(low_ceilings: Mapping[str, AnyMetric], gold: Blocks) -> Finding:
    message = (
        f"the ceiling of text against these gold edits is {', '.join(low_ceilings)}, the score of the gold's own "
        "corrected text, since the annotator extracts other edits from it"
    )
    hint = "--gold-edits reannotated"
    annotator = annotator_of(next(iter(low_ceilings.values())))
    closest = None if annotator is None else closest_profile(gold, annotator)
    if annotator is not None and closest is not None:
        message += f"; the gold agrees most with the annotator {closest}"
        is_in_force = make_annotator(closest.annotator) is make_annotator(annotator)
        hint += "" if is_in_force else f", or --annotator {closest.annotator}"
    return Finding("ceiling", "", message, hint)


def best_of(metric: AnyMetric, scores: Mapping[str, float]) -> float:
    """Return the best of the scores."""
    return (max if metric.scale.higher_is_better else min)(scores.values())
