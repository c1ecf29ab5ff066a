"""Laws that every metric obeys, tried on a small corpus.

A law returns what is wrong, or an empty text. ``tests/test_contract.py`` tries them on drawn corpora.
"""

from __future__ import annotations

import json
import math
import pickle
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from geceval.base.errors import GecevalError
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.scores import Score
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.text.corpus import Corpus
from geceval.text.m2.edit import Block, Edit, noop

#: Transport spreads mass over edits that are near, so that other edits than the reference's may receive more.
SOFT = ("uot-errant",)
#: These find a system's edits by the fewest operations. Gold edits that are made otherwise (`the b The` to `the` by
#: deleting `the b` and lower-casing `The`) are not among those of the very text they make, as with the official scorer.
BY_FEWEST = ("maxmatch", "ptm2")


def gold_block(source: str, references: Sequence[str | None]) -> Block:
    """Return the edits between a source and its references as M2, as metrics find them in text."""
    edits: list[Edit] = []
    for annotator, reference in enumerate(references):
        if reference is not None:
            [extracted] = Extractor(make_annotator("builtin:3")).extract([(source, reference)])
            edits += [replace(edit, annotator=annotator) for edit in extracted] or [noop(annotator)]
    return Block(source, tuple(edits))


@dataclass
class Case:
    """A small corpus and the output of a system, with its references as text and as edits."""

    source: list[str]
    references: list[list[str | None]]
    hypothesis: list[str]

    @cached_property
    def gold(self) -> list[Block]:
        rows = zip(self.source, *self.references, strict=True)
        return [gold_block(str(source), references) for source, *references in rows]

    def pick(self, order: Sequence[int]) -> Case:
        """Return the case with some of its sentences, in another order."""
        references = [[text[s] for s in order] for text in self.references]
        return Case([self.source[s] for s in order], references, [self.hypothesis[s] for s in order])

    def score(self, metric: AnyMetric, hypothesis: Sequence[Any] | None = None, **options: Any) -> Score:
        """Return the corpus score of the output, or of another one."""
        output = self.hypothesis if hypothesis is None else hypothesis
        return metric.corpus_score(self.source, output, self.references, gold=self.gold, **options)

    def sentence_scores(self, metric: AnyMetric) -> npt.NDArray[np.float64]:
        """Return the sentence scores [S] of the output."""
        return metric.sentence_scores(self.source, self.hypothesis, self.references, gold=self.gold)

    def with_constant(self, metric: AnyMetric) -> AnyMetric:
        """Return the metric with its constant of the corpus, if it needs one."""
        if metric.constant is None:
            return metric
        prepared = metric.prepare(Corpus(self.source, self.references, {}, self.gold))
        constant: AnyMetric = metric.constant.with_constant(metric.constant.sums(prepared, self.hypothesis))
        return constant

    def counts(self, metric: AnyMetric, **options: Any) -> Counts:
        """Return the counts [S, R, K] of the output."""
        return metric.counts(self.source, self.hypothesis, self.references, gold=self.gold, **options)


Law: TypeAlias = Callable[[AnyMetric, Case], str]


def tolerance(metric: AnyMetric, exact: float = 1e-12) -> float:
    """Return how far equal figures may be apart: an encoder's last bits depend on what is encoded together."""
    return 1e-5 if metric.about.extra else exact


def differs(metric: AnyMetric, value: float, expected: float) -> bool:
    """Return whether two scores differ; scores without a value are equal."""
    return not (math.isnan(value) and math.isnan(expected)) and not abs(value - expected) <= tolerance(metric)


def of_parts(metric: AnyMetric, case: Case) -> str:
    """Return where counting in parts is not counting the whole."""
    metric = case.with_constant(metric)
    expected, size = case.counts(metric), len(case.source)
    for cut in range(1, size):
        first, second = (case.pick(part) for part in (range(cut), range(cut, size)))
        parts = first.counts(metric) + second.counts(metric)
        is_close = np.allclose(parts.array, expected.array, rtol=0, atol=tolerance(metric, exact=0.0), equal_nan=True)
        if not (is_close and np.array_equal(parts.mask, expected.mask)):
            return f"the counts of sentences 1 to {cut} and of the others are not those of all: count sees a part only"
    return ""


def of_order(metric: AnyMetric, case: Case) -> str:
    """Return how the order of the sentences changes the score."""
    if not metric.policy.order_free:
        return ""
    order = range(len(case.source) - 1, -1, -1)
    value, expected = case.pick(order).score(metric).value, case.score(metric).value
    if differs(metric, value, expected):
        return f"{value:g} with the sentences in reverse order, {expected:g} before"
    return ""


def of_reference(metric: AnyMetric, case: Case) -> str:
    """Return what scores higher than a system that is equal to the only reference."""
    if not metric.uses_references or metric.name in SOFT:
        return ""
    case = replace(case, references=case.references[:1])
    best = case.score(metric, [line or "" for line in case.references[0]])
    if metric.name in BY_FEWEST and best.recall < 1:
        return ""
    value = case.score(metric).value
    gain = (best.value - value) * metric.scale.sign
    is_best = math.isnan(gain) or gain >= -tolerance(metric)
    return "" if is_best else f"the reference scores {best.value:g}, another text {value:g}"


def of_range(metric: AnyMetric, case: Case) -> str:
    """Return a score outside the range of the metric's scale."""
    low, high = metric.scale.low, metric.scale.high + tolerance(metric)
    for values, what in (([case.score(metric).value], "corpus"), (case.sentence_scores(metric), "sentence")):
        outside = [value for value in values if not (math.isnan(value) or low <= value <= high)]
        if outside:
            return f"a {what} score of {outside[0]:g} is not within {low:g} to {metric.scale.high:g}: set scale"
    return ""


def of_arrays(metric: AnyMetric, case: Case) -> str:
    """Return how scores of many sums at once differ from those of each alone."""
    rows = case.counts(case.with_constant(metric)).array
    totals = np.stack([rows[:, 0].sum(axis=0), rows[0, 0], rows[-1, 0]])
    many = np.asarray(metric.score(totals[:, np.newaxis]))
    if many.shape != (len(totals), 1):
        return f"score of sums of shape {(len(totals), 1, totals.shape[1])} has the shape {many.shape}, not {(3, 1)}"
    alone = [float(metric.score(row)) for row in totals]
    wrong = any(differs(metric, float(value), expected) for value, expected in zip(many[:, 0], alone, strict=True))
    return "score of several sums differs from the score of each: sum over the last axis (axis=-1)" if wrong else ""


def of_evidence(metric: AnyMetric, case: Case) -> str:
    """Return how the evidence does not sum to the counts."""
    counts = case.counts(metric, evidence=True)
    if not np.array_equal(counts.array, case.counts(metric).array, equal_nan=True):
        return "counts with evidence are not those without"
    if counts.evidence is None:
        return ""  # show and tables by type refuse the metric
    sums = counts.evidence.sums(counts.array.shape)
    exact = 0 if np.issubdtype(counts.array.dtype, np.integer) else 1e-12
    is_close = np.allclose(sums, counts.array, rtol=exact, atol=exact)
    return "" if is_close else "the weights of the evidence do not sum to the counts of its sentence and reference"


def of_pickle(metric: AnyMetric, case: Case) -> str:
    """Return what pickling and JSON change."""
    if pickle.loads(pickle.dumps(metric)) != metric:
        return "the metric differs after pickling"
    score = case.score(metric)
    if math.isnan(score.value):
        return ""
    again = Score(**json.loads(json.dumps(score.to_dict(), allow_nan=False)))
    return "" if again == score == pickle.loads(pickle.dumps(score)) else "a score differs after pickling or JSON"


def of_blanks(metric: AnyMetric, case: Case) -> str:
    """Return how blanks at the ends of lines change the score."""
    value, expected = case.score(metric, [f" {line} \t" for line in case.hypothesis]).value, case.score(metric).value
    return f"{value:g} with blanks at the ends, {expected:g} before" if differs(metric, value, expected) else ""


#: Laws by what they say.
LAWS: Mapping[str, Law] = MappingProxyType(
    {
        "counts of parts are counts of the whole": of_parts,
        "the order of sentences changes nothing": of_order,
        "a reference scores as high as any text": of_reference,
        "scores are in range": of_range,
        "sums are scored together as alone": of_arrays,
        "evidence sums to the counts": of_evidence,
        "pickling and JSON change nothing": of_pickle,
        "blanks at the ends change nothing": of_blanks,
    }
)

#: The corpus on which commands try a metric: an unchanged line, missing references, a line that is not corrected.
EXAMPLE = Case(
    ["He go home .", "It is fine .", "She have two cat", "", "They was here , yesterday ."],
    [
        ["He goes home .", "It is fine .", "She has two cats .", "", "They were here yesterday ."],
        ["He went home .", "It is fine .", None, None, "They were here , yesterday ."],
    ],
    ["He goes home .", "It is fine !", "She have two cats .", "", "They was here yesterday ."],
)


def broken_laws(metric: AnyMetric) -> dict[str, str]:
    """Return what is wrong with a metric by law, with an empty text for laws that hold.

    An exception of the metric is what is wrong, with its last line of the metric's own file.
    """
    return {name: _tried(law, metric) for name, law in LAWS.items()}


def _tried(law: Law, metric: AnyMetric) -> str:
    try:
        return law(metric, EXAMPLE)
    except GecevalError as error:
        return str(error)
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "geceval" not in frame.filename]
        where = f", line {frames[-1].lineno}" if frames else ""
        return f"{type(error).__name__}{where}: {error}"
