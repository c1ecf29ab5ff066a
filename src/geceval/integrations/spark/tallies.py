"""What executors do with the rows of a partition: sentence scores, and tallies of groups of rows, which merge."""

from __future__ import annotations

import contextlib
import pickle
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import GecevalWarning, InputError
from geceval.counting.consumers import Result
from geceval.counting.contract import Given
from geceval.counting.counts import Counts, Level
from geceval.counting.metric import Metric
from geceval.counting.run import Run, hold
from geceval.counting.stream import ALONE, Watched, surveyed
from geceval.integrations.framework_rows import framework
from geceval.integrations.spark.columns import Batch, Columns, Key, Places, Read, batches
from geceval.studies.comparison.compare import references_of
from geceval.studies.comparison.comparison_options import Options
from geceval.studies.comparison.resampled_counts import Resampled
from geceval.text.corpus import Corpus, SourceFacts, TextSource
from geceval.text.preparation import NOTHING

AnyMetric: TypeAlias = Metric[Any]
#: Warnings of a group that are remembered.
WARNINGS = 20
#: Rows of tallies: partition, label of the group, and a pickled (key, tally).
SCHEMA = "partition int, label string, tally binary"
#: Partitions whose tallies are merged at a time.
FAN = 64


class RowsRead(TextSource):
    """A group of rows that were read where they are; their texts are not here any more."""

    def __init__(self, facts: SourceFacts) -> None:
        self._facts = facts

    @property
    def facts(self) -> SourceFacts:
        return self._facts

    def parts(self, size: int) -> Iterator[Corpus]:
        raise AssertionError("the rows were read where they are")

    def with_texts(self) -> RowsRead:
        return self


@dataclass
class SeenRows:
    """What is known of a group of rows before they are counted.

    ``texts``, ``gold``: the fewest and the most references and annotators of a row. ``who``, ``types``: the annotators
    and the types of edits. ``sums``: of ``survey``, by the metrics' places. ``of_partition``: the rows of each one.
    """

    rows: int = 0
    texts: tuple[int, int] | None = None
    gold: tuple[int, int] | None = None
    who: frozenset[int] = frozenset()
    types: frozenset[str] = frozenset()
    sums: dict[int, Any] = field(default_factory=dict)
    of_partition: dict[int, int] = field(default_factory=dict)

    def add(self, read: Read, places: Places | None, partition: int) -> None:
        """Take in the rows in these places, None for all."""
        texts, gold = read.texts, read.annotators
        if places is not None:
            texts, gold = texts[places], None if gold is None else gold[places]
        self.rows += len(texts)
        self.of_partition[partition] = self.of_partition.get(partition, 0) + len(texts)
        self.texts = _span(self.texts, (int(texts.min()), int(texts.max())))
        if gold is not None:
            self.gold = _span(self.gold, (int(gold.min()), int(gold.max())))
            facts = read.corpus.facts
            self.who |= facts.annotators()
            self.types |= facts.edit_types()

    def merge(self, other: SeenRows) -> None:
        """Take in what another one took in."""
        self.rows += other.rows
        self.texts, self.gold = _span(self.texts, other.texts), _span(self.gold, other.gold)
        self.who, self.types = self.who | other.who, self.types | other.types
        for at, sums in other.sums.items():
            self.sums[at] = np.add(self.sums.get(at, 0.0), sums)
        for partition, rows in other.of_partition.items():
            self.of_partition[partition] = self.of_partition.get(partition, 0) + rows

    def start(self, partition: int) -> int:
        """How many rows of the group stand before this partition."""
        return sum(rows for other, rows in self.of_partition.items() if other < partition)

    def described(self) -> RowsRead:
        """Return the group as a source whose facts are known."""
        texts, gold = self.texts or (0, 0), self.gold or (0, 0)
        return RowsRead(
            SourceFacts(
                system_names=(ALONE,),
                sentences=self.rows,
                m2_systems=frozenset(),
                has_gold=self.gold is not None,
                made_by="",
                prepared_by=NOTHING,
                references=lambda: texts,
                reference_texts=lambda: texts[1],
                gold_versions=lambda: gold,
                annotators=lambda: self.who,
                edit_types=lambda: self.types,
            )
        )


def _span(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])


@dataclass
class Tally:
    """The counts of a group of rows, taken in by a consumer for each metric."""

    consumers: list[Any]
    seen: SeenRows = field(default_factory=SeenRows)
    watched: Watched = field(default_factory=Watched)
    warnings: dict[str, None] = field(default_factory=dict)

    def merge(self, other: Tally) -> None:
        """Take in what another one took in, in partitions that follow."""
        for own, more in zip(self.consumers, other.consumers, strict=True):
            own.merge(more)
        self.seen.merge(other.seen)
        self.watched.merge(other.watched)
        self.warn(other.warnings)

    def warn(self, told: Mapping[str, None] | Sequence[str]) -> None:
        """Remember warnings, each once."""
        self.warnings |= dict.fromkeys([*told][: WARNINGS - len(self.warnings)])


@dataclass(frozen=True)
class Work:
    """What executors are sent: which columns, which metrics, and what a first pass found of each group.

    ``level``: of which scores will be asked for; ``options``: how intervals are drawn.
    """

    columns: Columns
    metrics: tuple[AnyMetric, ...]
    threads: int = 1
    level: Level = "corpus"
    options: Options | None = None
    seen: Mapping[Key, SeenRows] | None = None

    def known(self, key: Key) -> SeenRows:
        """What the first pass found of a group. Raises InputError for a group it did not find."""
        assert self.seen is not None
        if key not in self.seen:
            raise changed(f"there are rows of the group {key} that were not there before")
        return self.seen[key]

    def tally(self, key: Key, partition: int) -> Tally:
        """An empty one."""
        if self.options is None:
            return Tally([Result(metric, Given(), [self.level]) for metric in self.metrics])
        numbered = self.columns.order is None
        first = self.known(key).start(partition) if numbered else 0
        return Tally([self.resampled(metric, key, first) for metric in self.metrics])

    def resampled(self, metric: AnyMetric, key: Key, first: int = 0, options: Options | None = None) -> Resampled:
        """A consumer for intervals of a group; ``first``: the number of the first sentence that it will see."""
        most = 1 if self.seen is None else references_of(self.known(key).described(), metric)
        chosen = options or self.options
        assert chosen is not None
        return Resampled(metric, [ALONE], chosen, references=most, first=first)

    def counts(self, batch: Batch, read: Read, watched: Watched) -> Iterator[tuple[Key, Places, int, Counts]]:
        """The counts of the batch's rows: (group, rows, place of the metric, counts).

        Metrics with a corpus constant count each group with its own, all others the whole batch at once.
        """
        groups = batch.groups()
        own = {at: metric for at, metric in enumerate(self.metrics) if not metric.has_constant}
        for at, rows, counts in self._stream(batch, read.corpus, own, watched):
            for key, places in groups.items():
                if places is None:
                    yield key, rows, at, counts
                    continue
                there = places[slice(*np.searchsorted(places, (rows[0], rows[-1] + 1)))]
                if len(there):
                    yield key, there, at, counts.at(there - rows[0])
        constant = {at: metric for at, metric in enumerate(self.metrics) if metric.has_constant}
        for key, places in groups.items() if constant else ():
            sums = self.known(key).sums
            settled = {at: metric.settled(sums[at]) for at, metric in constant.items()}
            corpus = read.corpus if places is None else read.corpus.picked(places.tolist())
            for at, rows, counts in self._stream(batch, corpus, settled, watched):  # type: ignore[arg-type]
                yield key, rows if places is None else places[rows], at, counts

    def _stream(
        self, batch: Batch, corpus: Corpus, metrics: Mapping[int, AnyMetric], watched: Watched
    ) -> Iterator[tuple[int, Places, Counts]]:
        """The counts of all rows of a corpus, with their places in it and those of the metrics."""
        if not metrics:
            return
        done = dict.fromkeys(metrics, 0)
        with rows_from(batch):
            run = Run(corpus, [*metrics.values()], threads=self.threads, watched=watched)
            for _, metric, counts in run.stream():
                for at in [at for at, other in metrics.items() if other == metric]:
                    yield at, np.arange(done[at], done[at] + len(counts)), counts
                    done[at] += len(counts)


@contextlib.contextmanager
def rows_from(batch: Batch) -> Iterator[None]:
    """Metrics number the sentences of a batch; errors raised within say where the batch stands in the data frame."""
    try:
        yield
    except InputError as error:
        raise error.moved(batch.first, f"(sentences counted from {batch.where(0)} on)") from error


def changed(what: str) -> InputError:
    """The error for a data frame that yields other rows each time."""
    return InputError(
        f"the data frame is not the same when it is read again: {what}",
        hint="keep it, by df.cache() or df.checkpoint(), or write it down and read it",
    )


# --- what runs in the tasks ---


def partition_number() -> int:
    """The number of the partition whose task this is."""
    return int(framework("pyspark").TaskContext.get().partitionId())


def scored(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """The record batches with the sentence scores behind their columns."""
    arrow = framework("pyarrow")
    held = hold(work.metrics)
    first = 0
    partition = partition_number()
    for own in rows:
        scores: list[NDArray[np.float64]] = [np.empty(own.num_rows) for _ in work.metrics]
        if own.num_rows:
            batch = Batch(work.columns, own, partition, first)
            for _, places, at, counts in work.counts(batch, batch.read(), Watched()):
                scores[at][places] = work.metrics[at].sentence_scores_of(counts)
        first += own.num_rows
        names = [f"column {at}" for at in range(own.num_columns + len(scores))]
        yield arrow.RecordBatch.from_arrays([*own.columns, *map(arrow.array, scores)], names=names)
    del held


def surveyed_rows(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """The first pass over a partition: what has to be known of each group before it is counted."""
    partition = partition_number()
    found: dict[Key, Tally] = {}
    for batch in batches(work.columns, partition, rows):
        read = batch.read()
        for key, places in batch.groups().items():
            tally = found.setdefault(key, Tally([]))
            own = SeenRows()
            own.add(read, places, partition)
            corpus = read.corpus
            constant = {at: metric for at, metric in enumerate(work.metrics) if metric.has_constant}
            if constant and places is not None:
                corpus = corpus.picked(places.tolist())
            with rows_from(batch):
                own.sums = {at: surveyed(corpus, metric, work.threads)[ALONE] for at, metric in constant.items()}
            tally.seen.merge(own)
    yield from pickled(partition, found)


def tallied(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """The tallies of a partition's groups."""
    partition = partition_number()
    held = hold(work.metrics)
    found: dict[Key, Tally] = {}
    for batch in batches(work.columns, partition, rows):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", GecevalWarning)
            for tally in tallied_batch(work, batch, found):
                tally.warn([str(one.message) for one in told if isinstance(one.message, GecevalWarning)])
    for key, tally in found.items():
        before = None if work.seen is None else work.known(key).of_partition.get(partition, 0)
        if before not in (None, tally.seen.rows):
            raise changed(f"partition {partition} had {before} rows of the group {key}, and now has {tally.seen.rows}")
    yield from pickled(partition, found)
    del held


def tallied_batch(work: Work, batch: Batch, found: dict[Key, Tally]) -> list[Tally]:
    """Take in the rows of a batch; the tallies that did."""
    read, numbers = batch.read(), batch.numbers()
    groups = batch.groups()
    watched = Watched()
    for key, places in groups.items():
        if key not in found:
            found[key] = work.tally(key, batch.partition)
        found[key].seen.add(read, places, batch.partition)
    for key, places, at, counts in work.counts(batch, read, watched):
        consumer = found[key].consumers[at]
        if isinstance(consumer, Resampled):
            consumer.add({ALONE: counts}, numbers=None if numbers is None else numbers[places])
        else:
            consumer.add(counts)
    tallies = [found[key] for key in groups]
    tallies[0].watched.merge(watched)  # what is watched is told of all groups together
    return tallies


def pickled(partition: int, found: Mapping[Key, Tally]) -> Iterator[Any]:
    """Tallies as rows of SCHEMA."""
    arrow = framework("pyarrow")
    for key, tally in found.items():
        columns = [[partition], [repr(key)], [pickle.dumps((key, tally), pickle.HIGHEST_PROTOCOL)]]
        types = [arrow.int32(), arrow.string(), arrow.binary()]
        arrays = [arrow.array(column, kind) for column, kind in zip(columns, types, strict=True)]
        yield arrow.RecordBatch.from_arrays(arrays, names=["partition", "label", "tally"])


def merged(rows: Sequence[tuple[int, bytes]]) -> dict[Key, tuple[int, Tally]]:
    """The tallies of groups, those of the first partitions first; with the first partition of each."""
    found: dict[Key, tuple[int, Tally]] = {}
    for partition, data in sorted(rows, key=lambda row: row[0]):
        key, tally = pickle.loads(data)
        if key in found:
            found[key][1].merge(tally)
        else:
            found[key] = partition, tally
    return found


def merged_rows(table: Any) -> Any:
    """Rows of SCHEMA, one for each group, out of those of some partitions."""
    rows = list(zip(table["partition"].to_pylist(), table["tally"].to_pylist(), strict=True))
    arrow = framework("pyarrow")
    done = [batch for key, (first, tally) in merged(rows).items() for batch in pickled(first, {key: tally})]
    return arrow.Table.from_batches(done)
