"""Requests for the validity of edits that no reference has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from geceval.metrics.judging.judge import Question, Request
from geceval.metrics.judging.judged_metric import JudgedMetric
from geceval.metrics.judging.templates import read_template

#: Name of the template of the requests.
TEMPLATE = "validity-1"
#: Largest number of edits in a request.
MOST_EDITS = 20


@dataclass(frozen=True)
class SingleEdit:
    """Replaced text, new text, and the sentence with this edit alone."""

    before: str
    after: str
    sentence: str


@dataclass(frozen=True)
class EditsInView:
    """The edits of a sentence that are judged, beside its references."""

    source: str
    references: Sequence[str]
    edits: Sequence[SingleEdit]


def validity_requests(metric: JudgedMetric, sentences: Iterable[EditsInView]) -> Iterator[Request]:
    """Yield the requests for the edits of sentences.

    Args:
        metric: A judged metric, whose settings are the settings of the requests.
        sentences: The sentences.
    """
    for one in sentences:
        for first in range(0, len(one.edits), MOST_EDITS):
            own = {f"change_{at}": edit for at, edit in enumerate(one.edits[first : first + MOST_EDITS], first + 1)}
            data: dict[str, Any] = {"source": one.source, "references": list(one.references)}
            for key, edit in own.items():
                data[key] = {"from": edit.before, "to": edit.after, "sentence": edit.sentence}
            yield metric.request(0, read_template(TEMPLATE), data, list(own), 0, 100)


def judge_validity(metric: JudgedMetric, sentences: Sequence[EditsInView]) -> list[list[int | None]]:
    """Return the confidence that each edit of each sentence is valid, from 0 to 100.

    It is None for edits without a readable answer.

    Raises:
        JudgeError: As JudgedMetric.ask.
    """
    requests = list(validity_requests(metric, sentences))
    replies = metric.ask(list(map(Question, requests)), "their edits are not proposed")
    answers = iter(
        None if reply.meaning is None else reply.meaning[key]
        for request, reply in zip(requests, replies, strict=True)
        for key in request.keys
    )
    return [[next(answers) for _ in one.edits] for one in sentences]
