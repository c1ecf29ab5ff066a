"""Chains of partial corrections: each further correct edit should not lower a metric's score.

A chain starts with the source and applies an annotator's edits from left to right until the annotator's text is
reached. Its texts are scored against this annotator alone, so that a lower score is the metric's and no disagreement of
annotators.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from geceval.agreement.meta_report import ALL_EDITS, SCHEMA
from geceval.base.arguments import choice
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.consumers import SentenceScores
from geceval.counting.metric_names import Metrics, labels, metrics_of
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.counting.signature import signature_of
from geceval.edits.corpus_edits import Extraction
from geceval.edits.versions import ReferenceEdits, apply_edits
from geceval.results.attribution import refusal
from geceval.statistics.judged_pairs import signs
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn, TableRow, table_columns
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


#: Effects of a further correct edit on the sentence score; edits without a score before or after them have none.
EFFECTS = {"lowered": -1, "equal": 0, "raised": 1}


@dataclass(frozen=True)
class Stress:
    """Effects of further correct edits on the sentence scores of one metric.

    Attributes:
        metric: Label of the metric.
        signature: Signature of its sentence scores.
        chains: Number of chains.
        edits: Numbers of edits that "lowered", kept "equal" or "raised" the score, of "all" edits and by type.
    """

    metric: str
    signature: str
    chains: int
    edits: Mapping[str, Mapping[str, int]]

    def share(self, effect: str, group: str = ALL_EDITS) -> float:
        """Return the share of the edits of a group with an effect, NaN without edits."""
        numbers = self.edits[group]
        return numbers[effect] / sum(numbers.values()) if any(numbers.values()) else math.nan


def partial_corrections(corpus: Corpus, threads: int = 0) -> Chains:
    """Return the chains of all annotators with edits, or of all references if there are no gold edits.

    Edits without a correction (UNK) are left out.

    Raises:
        InputError: Without gold edits and references, and if no annotator corrects anything.
    """
    versions = ReferenceEdits(replace(corpus.with_systems({}), gold_edits="as-given"), Extraction(), threads)
    corrected = [(s, v, edits) for s, row in enumerate(versions.references) for v, (_, edits) in enumerate(row)]
    rows = [(s, v, edits, count) for s, v, edits in corrected if edits for count in range(len(edits) + 1)]
    if not rows:
        raise InputError("no annotator corrects a sentence, so no partial corrections exist")
    source = [" ".join(versions.tokens[s]) for s, *_ in rows]
    texts = [apply_edits(versions.tokens[s], edits[:count]) for s, _, edits, count in rows]
    complete = [apply_edits(versions.tokens[s], edits) for s, _, edits, _ in rows]
    blocks = [*(corpus.gold or ())]
    gold = [Block(blocks[s].source, blocks[s].edits_of(blocks[s].annotators[v])) for s, v, *_ in rows if blocks]
    chained = Corpus(source, [complete], {PARTIAL: texts}, gold or None, gold_edits=corpus.gold_edits)
    return Chains(chained, [edits[count - 1].type if count else None for _, _, edits, count in rows])


def stress(
    chains: Chains, metrics: Metrics, *, by: Tier | None = None, threads: int = 0, progress: Progress | None = None
) -> list[Stress]:
    """Return how often a further correct edit lowers the sentence score of each metric.

    Args:
        chains: Partial corrections.
        metrics: Metrics or specifications.
        by: Also group the edits by "operation", "type" or "full" type.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of texts scored since its last call.

    Raises:
        UsageError: If a metric scores all systems of a run together, or ``by`` is another grouping.
    """
    metrics = metrics_of(metrics)
    for metric in metrics:
        if (why := refusal(metric)) is not None:
            raise UsageError(f"partial corrections have no separate scores: {why}")
    choice("by", by or "full", get_args(Tier))
    run = Run(chains.corpus, metrics, RunOptions(threads=threads, progress=progress))
    with warnings.catch_warnings():  # the user did not supply this corpus
        warnings.simplefilter("ignore", GecevalWarning)
        scores = run.consume(lambda _, metric: SentenceScores(metric))
    added = np.array([position for position, type_ in enumerate(chains.types) if type_ is not None])
    types = np.array([cut_at_colons(type_, by or "full") for type_ in chains.types if type_ is not None])
    groups = {ALL_EDITS: np.ones(len(added), bool)}
    if by is not None:
        groups |= {name: types == name for name, _ in Counter(types.tolist()).most_common()}
    results = []
    for label, metric in zip(labels(metrics), metrics, strict=True):
        values = scores[PARTIAL, metric].result()
        signs_of_edits = signs(values[added] - values[added - 1]) * metric.scale.sign
        edits = {
            name: {effect: int((signs_of_edits[chosen] == sign).sum()) for effect, sign in EFFECTS.items()}
            for name, chosen in groups.items()
        }
        signature = signature_of(metric, run.signature_inputs(PARTIAL, metric), "sentence")
        results.append(Stress(label, signature, len(chains), edits))
    return results


def stress_report(results: Sequence[Stress], inputs: Mapping[str, Any]) -> Report:
    """Return the shares of further correct edits that lower, keep or raise the sentence score of each metric."""
    columns = [*table_columns("text", "metric", "edits"), TableColumn("number", "count")]
    columns += [TableColumn(f"{head} %", "score", percent=True, digits=1, undefined=True) for head in EFFECTS]
    rows: list[TableRow] = [
        [result.metric, group, sum(numbers.values()), *(result.share(effect, group) for effect in EFFECTS)]
        for result in results
        for group, numbers in result.edits.items()
    ]
    legend = f"sentence scores in {results[0].chains} chains from the source to an annotator's text, against this text"
    table = ReportTable(columns, rows, [result.signature for result in results], legend=[legend])
    return Report(SCHEMA, lambda: {**inputs, "stress": results}, lambda: [table])
