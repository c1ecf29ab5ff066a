"""What executors do with the rows of a partition: sentence scores, and tallies of groups of rows, which merge."""

from __future__ import annotations

import contextlib
import pickle
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from geceval.base.errors import GecevalWarning, InputError
from geceval.counting.consumers import Result
from geceval.counting.contract import Given
from geceval.counting.counts import Counts, Level
from geceval.counting.run import Run
from geceval.counting.stream import ALONE, AnyMetric, Watched, surveyed
from geceval.integrations.framework_rows import framework
from geceval.integrations.spark.columns import Batch, Columns, Key, Places, batches
from geceval.studies.comparison.compare import references_of
from geceval.studies.comparison.comparison_options import Options
from geceval.studies.comparison.resampled_counts import Resampled
from geceval.text.corpus import Corpus, SourceFacts, TextSource
from geceval.text.preparation import NOTHING

#: Warnings of a group that are remembered.
WARNINGS = 20
#: Rows of tallies: partition, label of the group, and a pickled (key, tally).
SCHEMA = "partition int, label string, tally binary"
#: Partitions whose tallies are merged at a time.
FAN = 64


@dataclass
class SeenRows(TextSource):
    """What is known of a group of rows before they are counted; their texts stay where they are.

    ``of_partition``: the rows of each one. ``references``, ``gold``: the fewest and the most references and annotators
    of a row (None: without gold edits). ``who``, ``types``: the annotators and the types of edits. ``sums``: of
    ``survey``, by metric.
    """

    of_partition: Counter[int] = field(default_factory=Counter)
    references: tuple[int, int] | None = None
    gold: tuple[int, int] | None = None
    who: frozenset[int] = frozenset()
    types: frozenset[str] = frozenset()
    sums: dict[AnyMetric, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Corpus, partition: int) -> SeenRows:
        """Rows of a partition."""
        facts = rows.facts
        gold = facts.gold_versions() if facts.has_gold else None
        who, types = facts.annotators(), facts.edit_types()
        return cls(Counter({partition: len(rows)}), facts.references(), gold, who, types)

    def merge(self, other: SeenRows) -> None:
        """Take in what another one took in."""
        self.of_partition += other.of_partition
        self.references, self.gold = _span(self.references, other.references), _span(self.gold, other.gold)
        self.who, self.types = self.who | other.who, self.types | other.types
        for metric, sums in other.sums.items():
            self.sums[metric] = np.add(self.sums.get(metric, 0.0), sums)

    def start(self, partition: int) -> int:
        """How many rows of the group stand before this partition."""
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
            prepared_by=NOTHING,
            references=lambda: references,
            reference_texts=lambda: references[1],
            gold_versions=lambda: gold,
            annotators=lambda: self.who,
            edit_types=lambda: self.types,
        )

    def parts(self, size: int) -> Iterator[Corpus]:
        raise AssertionError("the rows were read where they are")

    def with_texts(self) -> SeenRows:
        return self


def _span(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])


@dataclass
class Tally:
    """The counts of a group of rows, taken in by a consumer for each metric."""

    consumers: dict[AnyMetric, Any] = field(default_factory=dict)
    seen: SeenRows = field(default_factory=SeenRows)
    watched: Watched = field(default_factory=Watched)
    warnings: dict[str, None] = field(default_factory=dict)

    def merge(self, other: Tally) -> None:
        """Take in what another one took in, in partitions that follow."""
        for metric, own in self.consumers.items():
            own.merge(other.consumers[metric])
        self.seen.merge(other.seen)
        self.watched.merge(other.watched)
        self.warn(other.warnings)

    def warn(self, told: Iterable[str]) -> None:
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

    def tally(self, key: Key, partition: int = 0) -> Tally:
        """An empty one, for what follows from the beginning of the partition on."""
        if self.options is None:
            return Tally({metric: Result(metric, Given(), [self.level]) for metric in self.metrics})
        first = self.known(key).start(partition) if self.columns.order is None else 0
        consumers = {}
        for metric in self.metrics:
            most = 1 if self.seen is None else references_of(self.known(key), metric)
            consumers[metric] = Resampled(metric, [ALONE], self.options, references=most, first=first)
        return Tally(consumers)

    def counts(self, batch: Batch, corpus: Corpus, watched: Watched) -> Iterator[tuple[Key, Places, AnyMetric, Counts]]:
        """The counts of the batch's rows: (group, rows, metric, counts).

        Metrics with a corpus constant count each group with its own, all others the whole batch at once.
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
            for rows, metric, counts in self._stream(batch, picked(corpus, places), settled, watched):
                yield key, places[rows], metric, counts

    def _stream(
        self, batch: Batch, corpus: Corpus, metrics: Mapping[AnyMetric, AnyMetric], watched: Watched
    ) -> Iterator[tuple[Places, AnyMetric, Counts]]:
        """The counts of all rows of a corpus, with their places in it, and the metrics that ``metrics`` stand for."""
        if not metrics:
            return
        with rows_from(batch):
            for part, found in Run(corpus, list(metrics), threads=self.threads, watched=watched).parts():
                rows = part.first + np.arange(len(part))
                for _, metric, counts in found:
                    yield rows, metrics[metric], counts


def picked(corpus: Corpus, places: Places) -> Corpus:
    """The rows in these places."""
    return corpus if len(places) == len(corpus) else corpus.picked(places.tolist())


@contextlib.contextmanager
def rows_from(batch: Batch) -> Iterator[None]:
    """Metrics number the sentences of a batch; errors raised within say where the batch stands in the data frame."""
    try:
        yield
    except InputError as error:
        raise error.relocate(batch.first, f"(sentences counted from {batch.where(0)} on)") from error


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
    held = [metric.held() for metric in work.metrics]
    for batch in batches(work.columns, partition_number(), rows):
        scores = {metric: np.empty(batch.rows.num_rows) for metric in work.metrics}
        for _, places, metric, counts in work.counts(batch, batch.read(), Watched()):
            scores[metric][places] = metric.sentence_scores_of(counts)
        columns = [*batch.rows.columns, *map(arrow.array, scores.values())]
        yield arrow.RecordBatch.from_arrays(columns, names=[f"column {at}" for at in range(len(columns))])
    del held


def surveyed_rows(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """The first pass over a partition: what has to be known of each group before it is counted."""
    partition = partition_number()
    found: dict[Key, Tally] = {}
    for batch in batches(work.columns, partition, rows):
        corpus = batch.read()
        for key, places in batch.groups().items():
            own = picked(corpus, places)
            seen = SeenRows.of(own, partition)
            with rows_from(batch):
                for metric in work.metrics:
                    if metric.has_constant:
                        seen.sums[metric] = surveyed(own, metric, work.threads)[ALONE]
            found.setdefault(key, Tally()).seen.merge(seen)
    yield from pickled(partition, found)


def tallied(work: Work, rows: Iterator[Any]) -> Iterator[Any]:
    """The tallies of a partition's groups."""
    partition = partition_number()
    held = [metric.held() for metric in work.metrics]
    found: dict[Key, Tally] = {}
    for batch in batches(work.columns, partition, rows):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", GecevalWarning)
            for tally in tallied_batch(work, batch, found):
                tally.warn(str(one.message) for one in told if isinstance(one.message, GecevalWarning))
    for key, tally in found.items() if work.seen is not None else ():
        before, now = work.known(key).of_partition[partition], tally.seen.of_partition[partition]
        if before != now:
            raise changed(f"partition {partition} had {before} rows of the group {key}, and now has {now}")
    yield from pickled(partition, found)
    del held


def tallied_batch(work: Work, batch: Batch, found: dict[Key, Tally]) -> list[Tally]:
    """Take in the rows of a batch; the tallies that did."""
    corpus, numbers = batch.read(), batch.numbers()
    groups = batch.groups()
    watched = Watched()
    for key, places in groups.items():
        if key not in found:
            found[key] = work.tally(key, batch.partition)
        found[key].seen.merge(SeenRows.of(picked(corpus, places), batch.partition))
    for key, places, metric, counts in work.counts(batch, corpus, watched):
        consumer = found[key].consumers[metric]
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
    schema = arrow.schema({"partition": arrow.int32(), "label": arrow.string(), "tally": arrow.binary()})
    for key, tally in found.items():
        row = {"partition": partition, "label": repr(key), "tally": pickle.dumps((key, tally), pickle.HIGHEST_PROTOCOL)}
        yield arrow.RecordBatch.from_pylist([row], schema)


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
