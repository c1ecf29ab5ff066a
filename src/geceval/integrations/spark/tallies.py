"""Tasks of executors: score the rows of a partition, and tally groups of rows."""

from __future__ import annotations

import contextlib
import pickle
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from geceval.base.errors import GecevalWarning, InputError, framework
from geceval.comparison.compare import references_of
from geceval.comparison.resampled_counts import Resampled
from geceval.counting.comparison_options import Options
from geceval.counting.consumers import Result
from geceval.counting.contract import Given
from geceval.counting.counts import Counts, Level
from geceval.counting.run import Run
from geceval.counting.stream import ALONE, AnyMetric, Watched, survey_systems
from geceval.integrations.spark.columns import Batch, Columns, Key, Places, batches
from geceval.text.corpus import Corpus, SourceFacts, TextSource
from geceval.text.preparation import NOTHING

#: Largest number of warnings of a group.
WARNINGS = 20
#: Schema of rows of tallies: partition, label of the group, and a pickled (key, tally).
SCHEMA = "partition int, label string, tally binary"
#: Number of partitions whose tallies are merged together.
FAN = 64


@dataclass
class SeenRows(TextSource):
    """Facts about a group of rows, without their texts.

    Attributes:
        of_partition: Number of rows by partition.
        references: Smallest and largest number of references of a row.
        gold: Smallest and largest number of annotators of a row (None: no gold edits).
        who: Annotators.
        types: Types of edits.
        sums: Sums of ``survey`` by metric.
    """

    of_partition: Counter[int] = field(default_factory=Counter)
    references: tuple[int, int] | None = None
    gold: tuple[int, int] | None = None
    who: frozenset[int] = frozenset()
    types: frozenset[str] = frozenset()
    sums: dict[AnyMetric, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Corpus, partition: int) -> SeenRows:
        """Return the facts about rows of a partition."""
        facts = rows.facts
        gold = facts.gold_versions() if facts.has_gold else None
        who, types = facts.annotators(), facts.edit_types()
        return cls(Counter({partition: len(rows)}), facts.references(), gold, who, types)

    def merge(self, other: SeenRows) -> None:
        """Add the facts of other rows."""
        self.of_partition += other.of_partition
        self.references, self.gold = _span(self.references, other.references), _span(self.gold, other.gold)
        self.who, self.types = self.who | other.who, self.types | other.types
        for metric, sums in other.sums.items():
            self.sums[metric] = np.add(self.sums.get(metric, 0.0), sums)

    def start(self, partition: int) -> int:
        """Return the number of the group's rows in preceding partitions."""
        return sum(rows for other, rows in self.of_partition.items() if other < partition)

    @property
    def facts(self) -> SourceFacts:
        references, gold = self.references or (0, 0), self.gold or (0, 0)
        return SourceFacts(
            system_names=(ALONE,),
            sentences=self.of_partition.total,
            m2_systems=frozenset(),
            has_gold=self.gold is not None,
            made_by="",
            overlaps="error",
            prepared_by=NOTHING,
            references=lambda: references,
            reference_texts=lambda: references[1],
            gold_versions=lambda: gold,
            annotators=lambda: self.who,
            edit_types=lambda: self.types,
        )

    def parts(self, size: int) -> Iterator[Corpus]:
        raise AssertionError("the texts are on the executors")

    def with_texts(self) -> SeenRows:
        return self


def _span(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])


@dataclass
class Tally:
    """Consumers of the counts of a group of rows, by metric."""

    consumers: dict[AnyMetric, Any] = field(default_factory=dict)
    seen: SeenRows = field(default_factory=SeenRows)
    watched: Watched = field(default_factory=Watched)
    warnings: dict[str, None] = field(default_factory=dict)

    def merge(self, other: Tally) -> None:
        """Add a tally of following partitions."""
        for metric, own in self.consumers.items():
            own.merge(other.consumers[metric])
        self.seen.merge(other.seen)
        self.watched.merge(other.watched)
        self.warn(other.warnings)

    def warn(self, messages: Iterable[str]) -> None:
        """Keep distinct warnings."""
        self.warnings |= dict.fromkeys([*messages][: WARNINGS - len(self.warnings)])


@dataclass(frozen=True)
class Work:
    """Task description for executors.

    Attributes:
        columns: Columns to read.
        metrics: Metrics.
        threads: Number of threads of a task.
        level: Level of the scores.
        options: Options of intervals, if requested.
        seen: Facts about each group from a first pass.
    """

    columns: Columns
    metrics: tuple[AnyMetric, ...]
    threads: int = 1
    level: Level = "corpus"
    options: Options | None = None
    seen: Mapping[Key, SeenRows] | None = None

    def known(self, key: Key) -> SeenRows:
        """Return the facts about a group; raises InputError if the group is new."""
        assert self.seen is not None
        if key not in self.seen:
            raise changed_error(f"the group {key} is new")
        return self.seen[key]

    def tally(self, key: Key, partition: int = 0) -> Tally:
        """Return an empty tally for rows from the beginning of a partition."""
        if self.options is None:
            return Tally({metric: Result(metric, Given(), [self.level]) for metric in self.metrics})
        first = self.known(key).start(partition) if self.columns.order is None else 0
        consumers = {}
        for metric in self.metrics:
            most = 1 if self.seen is None else references_of(self.known(key), metric)
            consumers[metric] = Resampled(metric, [ALONE], self.options, references=most, first=first)
        return Tally(consumers)

    def counts(self, batch: Batch, corpus: Corpus, watched: Watched) -> Iterator[tuple[Key, Places, AnyMetric, Counts]]:
        """Yield the counts of a batch as (group, rows, metric, counts).

        Metrics with a corpus constant count each group separately, other metrics the whole batch.
        """
        groups = batch.groups()
        others = {metric: metric for metric in self.metrics if not metric.has_constant}
        for rows, metric, counts in self._stream(batch, corpus, others, watched):
            for key, places in groups.items():
                there = places[slice(*np.searchsorted(places, (rows[0], rows[-1] + 1)))]
                if len(there):
                    yield key, there, metric, counts.at(there - rows[0])
        for key, places in groups.items() if len(others) < len(self.metrics) else ():
            settled = {metric.settled(sums): metric for metric, sums in self.known(key).sums.items()}
            for rows, metric, counts in self._stream(batch, pick_sentences(corpus, places), settled, watched):
                yield key, places[rows], metric, counts

    def _stream(
        self, batch: Batch, corpus: Corpus, metrics: Mapping[AnyMetric, AnyMetric], watched: Watched
    ) -> Iterator[tuple[Places, AnyMetric, Counts]]:
        """Yield rows, metric and counts of a corpus; ``metrics`` maps settled metrics."""
        if not metrics:
            return
        with rows_from(batch):
            run = Run(corpus, list(metrics), threads=self.threads, watched=watched)
            for part, found in run.parts(lambda _, own, counts: counts):
                rows = part.first + np.arange(len(part))
                for (_, metric), counts in found.items():
                    yield rows, metrics[metric], counts


def pick_sentences(corpus: Corpus, places: Places) -> Corpus:
    """Return the rows at some indices.

    Args:
        corpus: Corpus of all rows.
        places: Sorted indices.

    Returns:
        A corpus of these rows.
    """
    return corpus if len(places) == len(corpus) else corpus.picked(places.tolist())


@contextlib.contextmanager
def rows_from(batch: Batch) -> Iterator[None]:
    """Add the position of a batch to errors raised within.

    Args:
        batch: Batch that is counted.

    Yields:
        None.
    """
    try:
        yield
    except InputError as error:
        raise error.relocate(batch.first, f"(sentences counted from {batch.where(0)} on)") from error


def changed_error(what: str) -> InputError:
    """Return the error for a data frame that yields other rows when it is read again.

    Args:
        what: Description of the change.

    Returns:
        The error.
    """
    return InputError(
        f"the data frame differs when it is read again: {what}",
        hint="use df.cache() or df.checkpoint(), or write the data frame to a file",
    )


# --- tasks ---


def partition_number() -> int:
    """Return the number of the task's partition.

    Returns:
        The number, from 0.
    """
    return int(framework("pyspark").TaskContext.get().partitionId())


def score_rows(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """Add columns of sentence scores to record batches.

    Args:
        work: Task description.
        rows: Record batches of a partition.

    Yields:
        Record batches with a column of scores for each metric.
    """
    arrow = framework("pyarrow")
    held = [metric.held() for metric in work.metrics]
    for batch in batches(work.columns, partition_number(), rows):
        scores = {metric: np.empty(batch.rows.num_rows) for metric in work.metrics}
        for _, places, metric, counts in work.counts(batch, batch.read(), Watched()):
            scores[metric][places] = metric.sentence_scores_of(counts)
        columns = [*batch.rows.columns, *map(arrow.array, scores.values())]
        yield arrow.RecordBatch.from_arrays(columns, names=[f"column {at}" for at in range(len(columns))])
    del held


def survey_rows(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """Collect facts about the groups of a partition, before counting.

    Args:
        work: Task description.
        rows: Record batches of a partition.

    Yields:
        Rows of SCHEMA.
    """
    partition = partition_number()
    found: dict[Key, Tally] = {}
    for batch in batches(work.columns, partition, rows):
        corpus = batch.read()
        for key, places in batch.groups().items():
            own = pick_sentences(corpus, places)
            seen = SeenRows.of(own, partition)
            with rows_from(batch):
                surveyed = survey_systems(own, work.metrics, work.threads)
            seen.sums.update({metric: sums[ALONE] for metric, sums in surveyed.items() if sums})
            found.setdefault(key, Tally()).seen.merge(seen)
    yield from pickle_tallies(partition, found)


def tally_rows(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """Tally the groups of a partition.

    Args:
        work: Task description.
        rows: Record batches of a partition.

    Yields:
        Rows of SCHEMA.
    """
    partition = partition_number()
    held = [metric.held() for metric in work.metrics]
    found: dict[Key, Tally] = {}
    for batch in batches(work.columns, partition, rows):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", GecevalWarning)
            for tally in tally_batch(work, batch, found):
                tally.warn(str(one.message) for one in caught if isinstance(one.message, GecevalWarning))
    for key, tally in found.items() if work.seen is not None else ():
        before, now = work.known(key).of_partition[partition], tally.seen.of_partition[partition]
        if before != now:
            raise changed_error(f"partition {partition} had {before} rows of the group {key}, but now has {now}")
    yield from pickle_tallies(partition, found)
    del held


def tally_batch(work: Work, batch: Batch, found: dict[Key, Tally]) -> list[Tally]:
    """Add the rows of a batch to the tallies of their groups.

    Args:
        work: Task description.
        batch: Batch of rows.
        found: Tallies of the partition by group, which are updated.

    Returns:
        The updated tallies.
    """
    corpus, numbers = batch.read(), batch.numbers()
    groups = batch.groups()
    watched = Watched()
    for key, places in groups.items():
        if key not in found:
            found[key] = work.tally(key, batch.partition)
        found[key].seen.merge(SeenRows.of(pick_sentences(corpus, places), batch.partition))
    for key, places, metric, counts in work.counts(batch, corpus, watched):
        consumer = found[key].consumers[metric]
        if isinstance(consumer, Resampled):
            consumer.add({ALONE: counts}, numbers=None if numbers is None else numbers[places])
        else:
            consumer.add(counts)
    tallies = [found[key] for key in groups]
    tallies[0].watched.merge(watched)  # warnings about watched columns concern all groups together
    return tallies


def pickle_tallies(partition: int, found: Mapping[Key, Tally]) -> Iterator[Any]:
    """Convert tallies to rows of SCHEMA.

    Args:
        partition: Number of the partition.
        found: Tallies by group.

    Yields:
        One record batch per group.
    """
    arrow = framework("pyarrow")
    schema = arrow.schema({"partition": arrow.int32(), "label": arrow.string(), "tally": arrow.binary()})
    for key, tally in found.items():
        row = {"partition": partition, "label": repr(key), "tally": pickle.dumps((key, tally), pickle.HIGHEST_PROTOCOL)}
        yield arrow.RecordBatch.from_pylist([row], schema)


def merge_tallies(rows: Sequence[tuple[int, bytes]]) -> dict[Key, tuple[int, Tally]]:
    """Merge tallies in the order of their partitions.

    Args:
        rows: Partition and pickled (key, tally) of each row.

    Returns:
        First partition and merged tally by group.
    """
    found: dict[Key, tuple[int, Tally]] = {}
    for partition, data in sorted(rows, key=lambda row: row[0]):
        key, tally = pickle.loads(data)
        if key in found:
            found[key][1].merge(tally)
        else:
            found[key] = partition, tally
    return found


def merge_rows(table: Any) -> Any:
    """Merge rows of SCHEMA of several partitions.

    Args:
        table: Arrow table of rows.

    Returns:
        Arrow table with one row per group.
    """
    rows = list(zip(table["partition"].to_pylist(), table["tally"].to_pylist(), strict=True))
    arrow = framework("pyarrow")
    merged = merge_tallies(rows).items()
    done = [batch for key, (first, tally) in merged for batch in pickle_tallies(first, {key: tally})]
    return arrow.Table.from_batches(done)
