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
    """The judged edits of a sentence, and its references."""

    source: str
    references: Sequence[str]
    edits: Sequence[SingleEdit]


def validity_requests(metric: JudgedMetric, sentences: Iterable[EditsInView]) -> Iterator[Request]:
    """Yield the requests for the edits of sentences.

    Args:
        metric: A judged metric, whose settings are the settings of the requests.
        sentences: The sentences.
    """
    for sentence in sentences:
        for first in range(0, len(sentence.edits), MOST_EDITS):
            edits = enumerate(sentence.edits[first : first + MOST_EDITS], first + 1)
            changes = {
                f"change_{number}": {"from": edit.before, "to": edit.after, "sentence": edit.sentence}
                for number, edit in edits
            }
            data: dict[str, Any] = {"source": sentence.source, "references": list(sentence.references), **changes}
            yield metric.request(0, read_template(TEMPLATE), data, list(changes), 0, 100)


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
    return [[next(answers) for _ in sentence.edits] for sentence in sentences]
