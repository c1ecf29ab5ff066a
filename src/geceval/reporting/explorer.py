"""Data of the sentence explorer, and counts of sentences with some of their edits.

The scripts html/data.js and html/sentence.js read arrays with indices into tables of strings. Equal records are written
once. For sentence s:

    sentences[s] = [number, source, label, edits, references, outputs]
    edits        = start, length, text and type of each edit of the sentence, flat
    references   = [[name, text or 0 if its edits make it, indices of its edits or 0], …]
    outputs      = [[edits, reference, missed, scores, alarm] or the index of an equal record, …], by system
                   edits: for each edit its index × 4 + the index of its outcome
                   reference: index of a reference, or -1
                   missed: indices of the edits of the reference that are missed
                   alarm: 1 for a false alarm, else 0
    evidence[s]  = [names, text, …], a text for each distinct output
                   names: for each metric the names of its references, or 0 for the references of the sentence
                   text: parts of all metrics, separated by "/"; of each metric, separated by ";":
                   against, chosen, counts, correct, wrong, missed; whole numbers have base 36
                   against: score against each reference
                   counts: a digit for each column, or numbers; trailing zeros are omitted
                   correct, wrong, missed: pieces of evidence, with "*" and their weight if it is not 1
                   piece: index of an edit; or of an n-gram: twice the index of its first word + its order - 1,
                   in the words of the source, the output and the references; or "$" and the index of its text

Scores are multiplied by SCALE. Labels, texts and types are indices into tables. Outcomes are indices into OUTCOMES; the
next index is no outcome.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.comparison.comparison_results import ordered, shown_group
from geceval.counting.consumers import KeptCounts
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AsksJudge
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.inspection.examination import Examination
from geceval.inspection.examined_sentences import Output, Scored, Sentence, Version
from geceval.inspection.marked_edits import OUTCOMES, JudgedEdit
from geceval.inspection.sentence_selection import Order
from geceval.reporting.overview import LONGEST, Overview
from geceval.tables.charts import Systems
from geceval.tables.svg import printable
from geceval.text.corpus import Corpus
from geceval.text.files import SOURCE
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import DELETE
from geceval.text.m2.operations import confidences

Places: TypeAlias = NDArray[np.intp]
#: Maximum number of edits in all variants of a system.
MOST_EDITS = 50_000_000


@dataclass(frozen=True)
class ConfidentSystem:
    """A system given as edits with confidences, and the metrics that count it.

    Attributes:
        corpus: The corpus, with source, references and gold edits.
        name: Name of the system.
        metrics: The metrics, which count each sentence alone.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of variants counted since its last call.

    Raises:
        UsageError: If a metric does not count each sentence alone.
    """

    corpus: Corpus
    name: str
    metrics: Sequence[AnyMetric]
    threads: int = 0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        for metric in self.metrics:
            if metric.pooled or metric.constant is not None or isinstance(metric, AsksJudge):
                why = "needs all systems, a constant of the corpus or a judge"
                raise UsageError(f"{metric.name} counts no sentence alone: it {why}", hint="-m errant maxmatch green")

    @cached_property
    def blocks(self) -> Blocks:
        """The edits. Raises InputError for a system given as text."""
        blocks = self.corpus.systems[self.name]
        if isinstance(blocks, Blocks):
            return blocks
        hint = "FILE.m2 with a number in the comment field of each edit: A 1 2|||R|||goes|||REQUIRED|||0.93|||0"
        raise InputError(f"system {self.name} is text, which has no confidences", hint=hint)

    @cached_property
    def confidences(self) -> Floats:
        """Confidences [E] of the edits, NaN for noops.

        Raises InputError if an edit has none.
        """
        values = confidences(self.blocks)
        if np.isnan(values).all():
            raise InputError(f"system {self.name} has no edits")
        return values

    @cached_property
    def sentence(self) -> Places:
        """Sentence [E] of each edit."""
        return np.repeat(np.arange(len(self.blocks)), np.diff(self.blocks.edits.offsets))

    def rows(self, sentences: Places) -> tuple[Places, Places]:
        """Return the edits of sentences in order, and the place of each edit's sentence."""
        offsets = self.blocks.edits.offsets
        sizes = np.diff(offsets)[sentences]
        if sizes.sum() > MOST_EDITS:
            message = f"system {self.name}: sentences with too many confidences, {sizes.sum():,} edits in all variants"
            raise UsageError(message, hint="--steps N for fewer thresholds")
        variant = np.repeat(np.arange(len(sentences)), sizes)
        return np.arange(len(variant)) + (offsets[sentences] - np.cumsum(sizes) + sizes)[variant], variant

    def counted(self, sentences: Places, keep: NDArray[np.bool_]) -> list[Counts]:
        """Return the counts of variants under each metric.

        Args:
            sentences: Sentence [V] of each variant.
            keep: Whether each of the edits ``rows(sentences)`` is in its variant.
        """
        variants = Blocks(Blocks(self.blocks.table.at(sentences.tolist())).table.kept(keep))
        corpus = replace(self.corpus, systems={}).take(sentences.tolist()).with_system(self.name, variants)
        run = Run(corpus, self.metrics, threads=self.threads, progress=self.progress)
        stores = run.consume(lambda _, metric: KeptCounts(metric))
        return [stores[self.name, metric].result() for metric in self.metrics]


#: Number of n-grams that are listed for each outcome.
LISTED = 6
#: Scores are whole numbers of this fraction; tables show them times 100 with two decimals.
SCALE = 10_000
#: Number of decimals of weights.
DECIMALS = 3
#: Index of each outcome; no outcome is the last.
OUTCOME_PLACES = {outcome: place for place, outcome in enumerate((*OUTCOMES, None))}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
ONE_DIGIT = frozenset(range(len(DIGITS)))
#: Numbers up to 36 ** 2 in base 36.
BASED: list[str] = [*DIGITS, *(high + low for high in DIGITS[1:] for low in DIGITS)]
CORRECT = OUTCOMES.index("correct")


#: Description of the sentences of each order.
ORDER_TEXTS: Mapping[Order, str] = {
    "worst": "the {} worst by {}",
    "best": "the {} best by {}",
    "difference": "the {} on which the systems differ most by {}",
    "random": "{} drawn at random",
}


def explorer(overview: Overview) -> dict[str, Any]:
    """Return the explorer of the examined sentences for the template.

    ``data``, ``evidence`` and ``marks`` are documents for the script: the sentences, the evidence, and numbers for the
    preview of scores with accepted edits, if any.
    """
    examined = overview.examined
    assert examined is not None
    writer = _Writer(examined, overview)
    written: list[list[Any]] = []
    evidence, previews = [], []
    for sentence in examined:
        record, reasons = writer.sentence(sentence)
        written.append(record)
        evidence.append(reasons)
        previews.append(without_repeats([output.preview for output in sentence.outputs.values()]))
    systems, order = list(examined.systems), ordered(overview.comparison)[overview.metrics[0]]
    colours = Systems(order).colours
    data = {
        "systems": [printable(name) for name in systems],
        "colours": [colours[name] for name in systems],
        "ranked": [systems.index(name) for name in order if name != SOURCE],
        "guard": systems.index(SOURCE) if SOURCE in systems else -1,
        "metrics": [_metric(overview, *row) for row in zip(overview.metrics, examined.labels.items(), strict=False)],
        "judge": examined.judge_label,
        "strings": list(writer.strings),
        "labels": list(writer.labels),
        "sentences": written,
    }
    judge: Any = examined.judge
    return {
        "said": description(overview, examined),
        "types": sorted(writer.types - {""}),
        "labels": sorted(writer.labels),
        "judge": examined.judge_label,
        "data": data,
        "evidence": evidence,
        "marks": {"beta": judge.beta, "counts": previews} if examined.has_preview else None,
    }


def _metric(overview: Overview, name: str, labelled: tuple[AnyMetric, str]) -> dict[str, Any]:
    """Return the label, the format and the columns of a metric."""
    comparison, metric = overview.comparison, labelled[0]
    columns, unit = list(metric.columns), "edit" if metric.by_kind is not None else "word"
    outcomes = [OUTCOME_PLACES[metric.outcomes.columns.get(column)] for column in columns]
    orders = [int(column.rpartition("_")[2]) if column.rpartition("_")[2].isdecimal() else 0 for column in columns]
    return {
        "label": comparison.heads[name].label,
        "percent": comparison.in_percent(name),
        "higher": comparison.higher_is_better(name),
        "unit": "character" if name in overview.of_characters else unit,
        "averages": metric.policy.averages,
        "again": metric.outcomes.again,
        "columns": columns,
        "outcomes": outcomes,
        "orders": orders,
    }


def description(overview: Overview, examined: Examination) -> str:
    """Return a description of the selection of sentences and of the judging metric."""
    here, total = len(examined), examined.total
    if here == total:
        which = f"All {total:,} sentences."
    else:
        first = overview.comparison.heads[overview.metrics[0]].label
        selections = [
            ORDER_TEXTS[order].format(f"{number:,}", first) for order, number in overview.selected.items() if number
        ]
        mean = " (means over the systems)" if len(overview.systems) > 1 else ""
        which = f"{here:,} of {total:,} sentences: {', '.join(selections)}{mean}."
    judged = "" if examined.judge is None else f" {examined.judge_label} classifies edits as correct, wrong or missed."
    return which + judged


class _Writer:
    """Converter of sentences to arrays, which collects strings in tables."""

    def __init__(self, examined: Examination, overview: Overview) -> None:
        self.systems, self.metrics = examined.systems, [examined.labels[metric] for metric in examined.metrics]
        pairs = zip(self.metrics, overview.metrics, strict=True)
        #: Labels of the metrics on n-grams of characters.
        self.spelled = {label for label, metric in pairs if metric in overview.of_characters}
        self.strings: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.types: set[str] = set()

    def string_index(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def sentence(self, sentence: Sentence) -> tuple[list[Any], list[Any]]:
        """Return a sentence and the evidence of its scores."""
        label = -1
        if sentence.label is not None:
            label = self.labels.setdefault(printable(shown_group(str(sentence.label))), len(self.labels))
        edits = _Edits(self, sentence.source)
        references: dict[str, list[Any]] = {
            name: [name, text, edits.indices(sentence.edits[name]) if name in sentence.edits else 0]
            for name, text in sentence.references.items()
        }
        outputs = without_repeats([
            self.output(sentence.outputs[system], references, edits) for system in self.systems
        ])  # fmt: skip
        distinct = [system for system, output in zip(self.systems, outputs, strict=True) if isinstance(output, list)]
        reasons = self.evidence(sentence, [sentence.outputs[system] for system in distinct], references, edits)
        return [
            sentence.number,
            sentence.source,
            label,
            edits.flat,
            [edits.without_text(*reference) for reference in references.values()],
            outputs,
        ], reasons

    def output(self, output: Output, references: dict[str, list[Any]], edits: _Edits) -> list[Any]:
        marks = [edits.index(edit) * 4 + OUTCOME_PLACES[edit.outcome] for edit in output.version.edits]
        reference, missed = -1, []
        if output.reference is not None:
            name, gold = output.reference.name, output.reference.edits
            references.setdefault(name, [name, output.reference.text, edits.indices(gold)])
            reference = list(references).index(name)
            missed = [edits.index(edit) for edit in gold if edit.outcome == "missed"]
        scores = [scaled(output.scores[label].score) for label in self.metrics]
        return [marks, reference, missed, scores, int(output.is_false_alarm)]

    # --- evidence ---

    def evidence(
        self, sentence: Sentence, outputs: Sequence[Output], references: Mapping[str, list[Any]], edits: _Edits
    ) -> list[Any]:
        texts = [text for _, text, _ in references.values()]
        words, characters = _Words(sentence.source, texts), _Words(sentence.source, texts, of_characters=True)
        text_names = [list(outputs[0].scores[label].names) for label in self.metrics]
        evidence: list[Any] = [[0 if names == list(references) else names for names in text_names]]
        for output in outputs:
            pieces = []
            for label in self.metrics:
                words_of = characters if label in self.spelled else words
                words_of.enter(output.version.text)
                pieces.append(self.metric_evidence(output.scores[label], words_of, edits))
            evidence.append("/".join(pieces))
        return evidence

    def metric_evidence(self, scored: Scored, words: _Words, edits: _Edits) -> str:
        scores, counts = scored.numbers
        pieces: list[list[tuple[int, str]]] = [[] for _ in OUTCOMES]
        table = scored.table
        for weight, (_, outcome, text, _, start, end, kind, order) in scored.listed(LONGEST):
            assert table is not None
            string = table.strings[text]
            if text < 0 or (order > 0 and outcome == CORRECT and string in words.shared):
                continue
            if order > 0:
                position = words.positions.get(string)
                piece = f"${based(self.string_index(string))}" if position is None else based(position)
            else:
                type_ = "" if kind < 0 else table.strings[kind]
                piece = based(edits.index_of(start, end, string.removesuffix(DELETE), type_))
            pieces[outcome].append((order, piece if weight == 1 else f"{piece}*{short(weight)}"))
        listed = [" ".join(_shortest(group)) for group in pieces]
        against = " ".join(["" if (rounded := scaled(score)) is None else based(rounded) for score in scores])
        return ";".join([against, based(scored.chosen), written_counts(counts), *listed]).rstrip(";")


def _shortest(pieces: list[tuple[int, str]]) -> list[str]:
    """Return all edits, or the shortest n-grams."""
    pieces.sort(key=itemgetter(0))
    return [piece for order, piece in pieces[: LISTED if pieces and pieces[0][0] > 0 else None]]


class _Edits:
    """Table of the edits of a sentence."""

    def __init__(self, writer: _Writer, source: str) -> None:
        self.writer, self.tokens = writer, source.split(" ")
        self.flat: list[int] = []
        self.known: dict[tuple[int, int, str, str], int] = {}

    def index_of(self, start: int, end: int, text: str, type_: str) -> int:
        """Return the index of an edit."""
        key = start, end, text, type_
        if key not in self.known:
            self.known[key] = len(self.known)
            label = printable(type_)
            self.writer.types.add(label)
            self.flat += [start, end - start, self.writer.string_index(text), self.writer.string_index(label)]
        return self.known[key]

    def index(self, edit: JudgedEdit) -> int:
        return self.index_of(edit.start, edit.end, edit.text, edit.type)

    def indices(self, edits: Iterable[JudgedEdit]) -> list[int]:
        return [self.index(edit) for edit in edits]

    def without_text(self, name: str, text: str, indices: Sequence[int] | Literal[0]) -> list[Any]:
        """Return a reference; its text is 0 if it follows from the edits."""
        known = list(self.known)
        edits = [JudgedEdit(*known[index]) for index in indices] if indices != 0 else None
        is_derived = edits is not None and Version.of(name, self.tokens, edits).text == text
        return [name, 0 if is_derived else text, indices]


class _Words:
    """Positions of the n-grams of a sentence, up to LONGEST words or characters."""

    def __init__(self, source: str, references: Sequence[str], *, of_characters: bool = False) -> None:
        self.of_characters = of_characters
        self.source, self.references = self._pieces(source), [self._pieces(text) for text in references]
        self.of_source = set(_ngrams(self.source))
        self.text: str | None = None
        self.positions: dict[str, int] = {}
        #: N-grams of both the source and the output.
        self.shared: Set[str] = frozenset()

    def enter(self, text: str) -> None:
        """Set the output whose n-grams have positions."""
        if text == self.text:
            return
        output = self._pieces(text)
        self.text, self.shared = text, self.of_source & set(_ngrams(output))
        every = [self.source, output, *self.references]
        self.positions, first = {}, 0
        for pieces in every:
            for size in range(1, LONGEST + 1):
                for start in range(len(pieces) - size + 1):
                    self.positions.setdefault(" ".join(pieces[start : start + size]), 2 * (first + start) + size - 1)
            first += len(pieces)

    def _pieces(self, text: str) -> list[str]:
        return list(text) if self.of_characters else [piece for piece in text.split(" ") if piece]


def _ngrams(pieces: Sequence[str]) -> Iterable[str]:
    """Yield the n-grams up to LONGEST pieces."""
    for size in range(1, LONGEST + 1):
        for start in range(len(pieces) - size + 1):
            yield " ".join(pieces[start : start + size])


def written_counts(counts: Sequence[float]) -> str:
    """Return counts as digits of base 36, or as numbers if one has no digit."""
    last = max((index for index, count in enumerate(counts) if count), default=-1)
    counts = counts[: last + 1]
    if all(count in ONE_DIGIT for count in counts):
        return "".join([DIGITS[int(count)] for count in counts])
    return " ".join([str(short(count)) for count in counts]) + " "


def based(value: int) -> str:
    """Return a whole number in base 36."""
    if 0 <= value < len(BASED):
        return BASED[value]
    return f"-{based(-value)}" if value < 0 else f"{based(value // 36)}{DIGITS[value % 36]}"


def scaled(value: float) -> int | None:
    """Return a score as a whole number; None for NaN and infinity."""
    return round(value * SCALE) if math.isfinite(value) else None


def short(value: float) -> float | int | None:
    """Return a number with the decimals of the page; None for NaN and infinity."""
    if not math.isfinite(value):
        return None
    rounded = round(float(value), DECIMALS)
    return int(rounded) if rounded.is_integer() else rounded


def without_repeats(records: Sequence[Any]) -> list[Any]:
    """Return the records with repeated ones replaced by the index of the first."""
    positions: dict[str, int] = {}
    shortened: list[Any] = []
    for index, record in enumerate(records):
        first = positions.setdefault(str(record), index)
        shortened.append(record if first == index else first)
    return shortened
