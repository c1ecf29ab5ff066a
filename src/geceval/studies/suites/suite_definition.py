"""What a suite is: test sets with their metrics, judged sets for meta-evaluation, and published numbers as a check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from geceval.base.arguments import choice, is_text
from geceval.base.errors import UsageError
from geceval.counting.metric import Metric
from geceval.counting.metric_names import metrics_of_specs, parse_specs, spec_of
from geceval.text.inputs import Texts

#: What a published number is: a score of a system, or how a metric agrees with people.
AGREEMENTS = {"r": "pearson", "ρ": "spearman"}
#: Where a reason holds for all numbers.
EVERY = "*"


@dataclass(frozen=True)
class Measured:
    """A set of any kind: its name, its texts, its metrics by specification, values for those with such a setting,
    outputs that belong to the definition, by system, and settings of the metrics that ask a judge."""

    name: str
    texts: Texts
    metrics: tuple[str, ...]
    title: str = ""
    unit: str | None = None
    annotator: str | None = None
    systems: Mapping[str, str] = field(default_factory=dict)
    judge: Mapping[str, Any] = field(default_factory=dict)

    def make_metrics(self, specs: Sequence[str] | None = None) -> list[Metric[Any]]:
        """Return the metrics, or those of other specifications. Errors: see metrics.make_metric."""
        defaults = {"unit": self.unit, "annotator": self.annotator}
        return metrics_of_specs(self.metrics if specs is None else specs, defaults, judge=self.judge)


@dataclass(frozen=True)
class DataSet(Measured):
    """A test set. ``primary`` is the metric that stands in the table and decides; ``outputs`` what the systems' files
    are called, ``OUTPUTS/SYSTEM/NAME.txt``, the first of them that is there."""

    primary: str = ""
    outputs: tuple[str, ...] = ()

    def with_metrics(self, specs: tuple[str, ...]) -> DataSet:
        """With other metrics, the first of which decides."""
        return replace(self, metrics=specs, primary=specs[0])


@dataclass(frozen=True)
class JudgedSet(Measured):
    """Systems that people judged; options as of ``geceval meta``."""

    judgments: str = ""
    human: str | None = None
    aggregation: str = "corpus"
    numbering: str = "auto"
    exclude: tuple[str, ...] = ()
    judged_only: bool = False


@dataclass(frozen=True)
class Published:
    """Numbers to be checked: of a metric on a set, by system, or by AGREEMENTS for a judged set.

    ``scores`` as they were printed (times 100, with their decimals); ``by`` says who published them, or, if
    ``recorded``, which public tool gave them on these files. ``here``: what geceval makes of the published files where
    that is known to be another number, and ``why``, by key or for EVERY one of them.
    """

    of: str
    metric: str
    scores: Mapping[str, str]
    by: str
    recorded: bool = False
    level: Literal["corpus", "mean"] = "corpus"
    here: Mapping[str, str] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)

    def reason(self, key: str) -> str | None:
        """Why a number is known not to come out; None where it must."""
        return self.why.get(key, self.why.get(EVERY)) if key in self.here else None


@dataclass(frozen=True)
class Suite:
    """A definition. ``path``: of its file, or the name of one that comes with geceval. ``average``: a column with the
    mean of the primary scores is asked for. ``about``: where the data come from, in words."""

    path: str
    title: str
    sets: Mapping[str, DataSet] = field(default_factory=dict)
    judged: Mapping[str, JudgedSet] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    average: bool = False
    about: str = ""

    def with_metrics(self, specs: Sequence[str]) -> Suite:
        """With other metrics on all sets. Errors: see metrics.parse_specs."""
        if not all(map(is_text, specs)):
            raise UsageError("metrics are named by specifications, such as green:unit=char")
        metrics = tuple(spec_of(*spec) for spec in parse_specs(specs))
        if not metrics:
            raise UsageError("no metrics are named")
        sets = {name: of.with_metrics(metrics) for name, of in self.sets.items()}
        return replace(self, sets=sets, judged={name: replace(of, metrics=metrics) for name, of in self.judged.items()})

    def with_judge(self, settings: Mapping[str, Any]) -> Suite:
        """Return the suite with these settings of the metrics that ask a judge, and those that it has."""
        sets = {name: replace(of, judge={**of.judge, **settings}) for name, of in self.sets.items()}
        judged = {name: replace(of, judge={**of.judge, **settings}) for name, of in self.judged.items()}
        return replace(self, sets=sets, judged=judged)

    def metrics(self) -> Iterator[Metric[Any]]:
        """Yield the metrics of all sets."""
        for of in (*self.sets.values(), *self.judged.values()):
            yield from of.make_metrics()

    def only(self, names: Sequence[str]) -> Suite:
        """With these sets alone. Raises UsageError for one that there is not."""
        for name in names:
            choice("a set", name, [*self.sets, *self.judged])
        return replace(
            self,
            sets={name: of for name, of in self.sets.items() if name in names},
            judged={name: of for name, of in self.judged.items() if name in names},
            published=tuple(own for own in self.published if own.of in names),
        )

    def measured(self, name: str) -> Measured:
        """The set of this name, of either kind."""
        return self.sets[name] if name in self.sets else self.judged[name]
