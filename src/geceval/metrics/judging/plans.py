"""What a judged metric would ask: how many questions, how many tokens, at what price. Nothing is sent."""

from __future__ import annotations

from dataclasses import dataclass

from geceval.base.errors import UsageError
from geceval.metrics.judging.costs import token_counter
from geceval.metrics.judging.judged_metric import JudgedMetric
from geceval.text.corpus import TextSource


@dataclass(frozen=True)
class Plan:
    """``questions`` there are, of which the answers to ``kept`` are there; of the others the tokens sent, by
    ``counted_by``, and the largest number of tokens answered; ``cost``: their price, if it is known. Questions that are
    asked anew because an answer could not be read come on top of it, as many as ``tries`` times as much at worst."""

    model: str
    questions: int
    kept: int
    prompt_tokens: int
    answer_tokens: int
    counted_by: str
    cost: float | None


def plan(corpus: TextSource, metric: JudgedMetric) -> Plan:
    """What the metric would ask about all systems of a corpus. A server need not be known yet."""
    model = metric.model if isinstance(metric.model, str) else getattr(metric.model, "name", None)
    if not model:
        raise UsageError("which language model is the judge?", hint="--model NAME")
    counter, desk = token_counter(model), metric.desk_if_known()
    seen: set[str] = set()
    kept = prompt = answer = 0
    for part in corpus.parts(metric.block):
        for request in metric.requests(metric.prepare(part), part.systems):
            digest = request.digest(desk.judge.name if desk else "")
            if digest in seen:
                continue
            seen.add(digest)
            if desk is not None and digest in desk.answers:
                kept += 1
                continue
            prompt += counter.of(request)
            answer += request.max_tokens
    return Plan(model, len(seen), kept, prompt, answer, counter.name, metric.prices.of(prompt, answer))
