"""Chains of partial corrections: each further correct edit should not lower a metric's score.

A chain starts with the source and applies an annotator's edits from left to right until the annotator's text is
reached. Its texts are scored against this annotator alone, so that a lower score is the metric's and no disagreement of
annotators.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from geceval.agreement.meta_report import SCHEMA
from geceval.base.arguments import choice
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.consumers import SentenceScores
from geceval.counting.metric_names import Metrics, labels, metrics_of
from geceval.counting.run import Run
from geceval.counting.stream import Progress
from geceval.edits.changes import CorpusChanges, apply_changes
from geceval.edits.corpus_edits import Extraction
from geceval.inspection.attribution import refusal
from geceval.statistics import Floats
from geceval.statistics.rankings import signs
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn, TableRow
from geceval.text.corpus import Corpus
from geceval.text.m2.edit import Block, Tier, cut_at_colons

#: Name of the partial corrections as a system.
PARTIAL = "partial"


@dataclass(frozen=True)
class Chains:
    """Partial corrections, one sentence per text.

    Attributes:
        corpus: The texts as a system, with the annotator of each as its only reference and gold.
        types: Full type of the edit that each text adds to the previous one; None at the start of a chain.
    """

    corpus: Corpus
    types: Sequence[str | None]

    def __len__(self) -> int:
        return self.types.count(None)


@dataclass(frozen=True)
class Steps:
    """Numbers of further correct edits by their effect on the sentence score.

    Edits without a score before or after them are not counted.
    """

    lowered: int
    equal: int
    raised: int

    @classmethod
    def of(cls, effects: Floats) -> Steps:
        """Return the numbers of effects: -1, 0 or 1."""
        return cls(*(int((effects == effect).sum()) for effect in (-1, 0, 1)))

    @property
    def total(self) -> int:
        """Number of steps."""
        return self.lowered + self.equal + self.raised

    def share(self, name: str) -> float:
        """Return the share of "lowered", "equal" or "raised" steps, NaN without steps."""
        return float(getattr(self, name) / self.total) if self.total else float("nan")


@dataclass(frozen=True)
class Stress:
    """Effects of further correct edits on the sentence scores of one metric.

    Attributes:
        metric: Label of the metric.
        signature: Signature of its sentence scores.
        steps: All steps.
        types: Steps by type of the added edit.
        chains: Number of chains.
    """

    metric: str
    signature: str
    steps: Steps
    types: Mapping[str, Steps]
    chains: int


def partial_corrections(corpus: Corpus, threads: int = 0) -> Chains:
    """Return the chains of all annotators with edits, or of all references if there are no gold edits.

    Edits without a correction (UNK) are left out.

    Raises:
        InputError: Without gold edits and references, and if no annotator corrects anything.
    """
    versions = CorpusChanges(replace(corpus, systems={}, gold_edits="as-given"), Extraction("builtin"), threads)
    source, references, texts = [], [], []
    gold: list[Block] = []
    types: list[str | None] = []
    for s, (tokens, row) in enumerate(zip(versions.tokens, versions.references, strict=True)):
        annotators = None if corpus.gold is None else corpus.gold[s].annotators
        for v, (_, edits) in enumerate(row):
            if not edits:
                continue
            steps = [apply_changes(tokens, edits[:count]) for count in range(len(edits) + 1)]
            texts += steps
            types += [None, *(edit.type for edit in edits)]
            source += [" ".join(tokens)] * len(steps)
            references += [steps[-1]] * len(steps)
            if annotators is not None and corpus.gold is not None:
                gold += [Block(" ".join(tokens), corpus.gold[s].edits_of(annotators[v]))] * len(steps)
    if not texts:
        raise InputError("no annotator corrects anything: there are no partial corrections")
    chained = Corpus(source, [references], {PARTIAL: texts}, gold or None, gold_edits=corpus.gold_edits)
    return Chains(chained, types)


def stress(
    chains: Chains, metrics: Metrics, *, by: Tier = "full", threads: int = 0, progress: Progress | None = None
) -> list[Stress]:
    """Return how often a further correct edit lowers the sentence score of each metric.

    Args:
        chains: Partial corrections.
        metrics: Metrics or specifications.
        by: Part of the types by which the steps are grouped: "full", "type" or "operation".
        threads: Number of threads (0: one per processor).
        progress: Called with the number of texts scored since its last call.

    Raises:
        UsageError: If a metric scores all systems of a run together.
    """
    metrics = metrics_of(metrics)
    choice("by", by, get_args(Tier))
    for metric in metrics:
        if (why := refusal(metric)) is not None:
            raise UsageError(f"partial corrections have no separate scores: {why}")
    run = Run(chains.corpus, metrics, threads=threads, progress=progress)
    with warnings.catch_warnings():  # the user did not supply this corpus
        warnings.simplefilter("ignore", GecevalWarning)
        scores = run.consume(lambda _, metric: SentenceScores(metric))
    added = np.array([position for position, type_ in enumerate(chains.types) if type_ is not None])
    groups = np.array([cut_at_colons(type_, by) for type_ in chains.types if type_ is not None])
    results = []
    for label, metric in zip(labels(metrics), metrics, strict=True):
        values = scores[PARTIAL, metric].result()
        effects = signs(values[added] - values[added - 1]) * (1 if metric.scale.higher_is_better else -1)
        names, sizes = np.unique(groups, return_counts=True)
        types = {name: Steps.of(effects[groups == name]) for name in names[np.argsort(-sizes, kind="stable")].tolist()}
        signature = metric.signature(run.signature_inputs(PARTIAL, metric), "sentence")
        results.append(Stress(label, signature, Steps.of(effects), types, len(chains)))
    return results


# --- report ---

#: Heads of the effects in tables.
HEADS = {"lowered": "lower", "equal": "equal", "raised": "higher"}


def stress_report(results: Sequence[Stress], inputs: Mapping[str, Any]) -> Report:
    """Return the shares of further correct edits by their effect, and by type those that lower a score."""

    def tables() -> list[ReportTable]:
        by_type = type_table(results)
        return [stress_table(results), *([by_type] if by_type.rows else [])]

    return Report(SCHEMA, lambda: {**inputs, "stress": results}, tables)


def stress_table(results: Sequence[Stress]) -> ReportTable:
    """Return the shares of further correct edits that lower, keep or raise the sentence score of each metric."""
    columns = [TableColumn("metric"), TableColumn("edits", "count")]
    columns += [TableColumn(head, "share", percent=True, digits=1) for head in HEADS.values()]
    rows: list[TableRow] = [
        [result.metric, result.steps.total, *(result.steps.share(name) for name in HEADS)] for result in results
    ]
    legend = [
        "sentence score after one more correct edit, against the annotator of the edits alone",
        f"{results[0].chains} chains from the source to an annotator's text",
    ]
    return ReportTable(columns, rows, [result.signature for result in results], legend=legend)


def type_table(results: Sequence[Stress]) -> ReportTable:
    """Return the shares of edits that lower a score, by types with such edits, the most frequent first."""
    columns = [TableColumn("type"), TableColumn("edits", "count")]
    columns += [TableColumn(result.metric, "share", percent=True, digits=1, undefined=True) for result in results]
    rows: list[TableRow] = [
        [name, steps.total, *(result.types[name].share("lowered") for result in results)]
        for name, steps in results[0].types.items()
        if any(result.types[name].lowered for result in results)
    ]
    return ReportTable(columns, rows, title="Edits that lower the score, by type")
