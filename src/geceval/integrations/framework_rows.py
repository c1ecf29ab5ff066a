"""What adapters share: rows of a framework become a corpus, scores become plain numbers.

Frameworks hand over sources, predictions and references sentence by sentence, ``references[s][r]``; predictions may be
wrapped in the markup of a chat. Here they are unwrapped and turned around, in one place.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, check_per_sentence, shown, transpose_references
from geceval.base.errors import InputError, MissingExtraError
from geceval.counting.counts import Score
from geceval.counting.metric import Metric
from geceval.counting.metric_names import names
from geceval.counting.run import evaluate
from geceval.counting.scoring.scorer import made_metrics
from geceval.counting.scoring.scorer import one_metric as one_metric
from geceval.counting.stream import ALONE
from geceval.text.corpus import Corpus
from geceval.text.reading.table_columns import no_column

AnyMetric: TypeAlias = Metric[Any]
#: A metric, its name or specification (``green:beta=0.5``), or several.
Metrics: TypeAlias = AnyMetric | str | Sequence[AnyMetric | str]
#: What makes the corrected sentence of what a model said.
Extract: TypeAlias = Callable[[Any], str]
#: Whose messages corrections are.
ASSISTANT = "assistant"


def last_message(output: Any) -> str:
    """The corrected sentence in what a model said: a text, or the assistant's last of a list of messages, without the
    blanks around it.

    Messages are mappings with ``content``, a text or a list of parts with ``text``, and perhaps ``role``. Raises
    InputError for anything else.
    """
    if isinstance(output, str):
        return output.strip()
    messages = output if isinstance(output, (list, tuple)) else [output]
    said = [own for own in messages if isinstance(own, Mapping) and own.get("role", ASSISTANT) == ASSISTANT]
    content = said[-1].get("content") if said else None
    if isinstance(content, (list, tuple)):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        texts = [text for text in parts if isinstance(text, str)]
        content = "".join(texts) if texts or not content else None
    if isinstance(content, str):
        return content.strip()
    raise InputError(f"a prediction is a text or a list of messages, not {shown(output)}")


def metrics_of(metrics: Metrics) -> list[AnyMetric]:
    """The metrics that an adapter is asked for. Raises UsageError for what is none, and for none at all."""
    return made_metrics([metrics] if isinstance(metrics, (str, Metric)) else metrics)


def by_annotator(
    rows: Sequence[str | Sequence[str]], sentences: int, *, ragged: bool = False
) -> list[list[str | None]]:
    """Return ``references[r][s]`` of ``rows[s][r]``; a text alone is the only reference of its sentence.

    Raises InputError that names the row where sentences have different numbers of references, unless ``ragged``, and
    where one has none; and for rows that are nested the other way round.
    """
    several = [[row] if isinstance(row, str) else row for row in as_sequence("references", rows)]
    turned = transpose_references(several)
    check_per_sentence("references", several, sentences)
    for s, row in enumerate(several):
        if not len(row):
            raise InputError(f"row {s} (counted from 0) has no references")
        if len(row) != len(several[0]) and not ragged:
            message = f"row {s} (counted from 0) has {len(row)} references, and row 0 has {len(several[0])}"
            raise InputError(message, hint="ragged=True where sentences may have different numbers of references")
    return turned


@dataclass(frozen=True)
class RowConversion:
    """How rows become a corpus: ``extract`` makes the correction of a prediction; ``ragged``: sentences may have
    different numbers of references."""

    extract: Extract = last_message
    ragged: bool = False

    def corpus(
        self, sources: Sequence[str], predictions: Sequence[Any], references: Sequence[str | Sequence[str]]
    ) -> Corpus:
        """The corpus with one system, ALONE. Raises InputError where rows do not fit together."""
        predictions = [self.extract(output) for output in as_sequence("predictions", predictions, "prediction")]
        return Corpus(sources, by_annotator(references, len(sources), ragged=self.ragged), {ALONE: predictions})


def scores(corpus: Corpus, metrics: Sequence[AnyMetric], *, checks: bool = True) -> dict[str, Score]:
    """The corpus scores of ALONE, by the metrics' names. ``checks``: warn of input that cannot mean what it is taken
    for, such as chatter around corrections."""
    results = evaluate(corpus, metrics, views=["corpus"], checks=checks)[ALONE]
    return {name: result.score() for name, result in zip(names(metrics), results, strict=True)}


def figures(scores: Mapping[str, Score]) -> dict[str, float]:
    """Scores and their parts as plain numbers: ``errant``, ``errant_precision``, ``errant_recall``."""
    found: dict[str, float] = {}
    for name, score in scores.items():
        found |= {name: score.value} | {f"{name}_{part}": value for part, value in score.parts.items()}
    return found


def figures_of(metric: AnyMetric, totals: NDArray[Any]) -> dict[str, float]:
    """The same of the sums [m, K] of counts."""
    parts = {f"{metric.name}_{part}": float(np.mean(values)) for part, values in metric.parts(totals).items()}
    return {metric.name: float(np.mean(metric.score(totals)))} | parts


def check_column(name: Any, names: Sequence[Any], table: str = "the table") -> None:
    """Raise UsageError, with the nearest name, for a column that is not there."""
    if not isinstance(name, Hashable) or name not in names:
        raise no_column(table, name, names)


def framework(name: str, *packages: str) -> Any:
    """A module of somebody's package. Raises MissingExtraError that says what to install."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        install = " ".join(packages or [name.partition(".")[0]])
        raise MissingExtraError(f"this needs {name} ({error})", hint=f"pip install {install}") from None


def framework_classes(module: str, **classes: tuple[type, str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module with classes of ours, each on a class of a framework: (ours, its module, its
    name). They are made when they are first asked for."""

    def find_class(name: str) -> Any:
        if name not in classes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        own, package, base = classes[name]
        return _subclass(module, name, own, getattr(framework(package), base))

    return find_class


@functools.cache
def _subclass(module: str, name: str, mixin: type, base: type) -> type:
    """A class that pickle finds again as ``module.name``."""
    return type(name, (mixin, base), {"__module__": module, "__doc__": mixin.__doc__})
