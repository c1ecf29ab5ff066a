"""Signatures of scores: settings of a metric, and properties of the input, that affect a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geceval._kernel import __version__
from geceval.counting.observations import Observed, SignatureInputs
from geceval.counting.scores import Level
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric


def signature_of(metric: AnyMetric, inputs: SignatureInputs | int | str, level: Level = "corpus") -> str:
    """Return the signature of a score.

    For example ``GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.3.0``.

    Args:
        metric: Metric of the score.
        inputs: Properties of the input, or the number of reference texts.
        level: Level of the score.

    Returns:
        All settings and properties of the input that affect a number.
    """
    inputs = inputs if isinstance(inputs, SignatureInputs) else SignatureInputs(str(inputs))
    entries = metric.signed(inputs) | metric.policy.settings
    pool = entries.pop("pool", "+".join(inputs.pool))
    if metric.pool is not None:
        entries["pool"] = pool
    if metric.uses_references:
        origin = f"({inputs.origin})" if inputs.origin else ""
        entries["refs"] = f"own({inputs.references})" if inputs.has_own_references else inputs.references + origin
    for treatment in ("overlaps", "misfits"):
        if name := getattr(inputs, treatment):
            entries[treatment] = name
    if inputs.m2:
        entries["hyp"] = "m2"
    if inputs.own_source:
        entries["source"] = "own"
    entries |= dict(inputs.prepared)
    entries |= {"level": level, "v": __version__}
    return "|".join([metric.label, *(f"{key}:{_plain(value)}" for key, value in entries.items())])


def signature_inputs(metric: AnyMetric, source: TextSource, system: str, observed: Observed) -> SignatureInputs:
    """Return the properties of the input of a metric that the signature of a system's scores has."""
    m2 = system in source.m2_systems
    pool = source.system_names if metric.pool is not None else ()
    if system != SOURCE and metric.judges_source_apart:
        pool = tuple(name for name in pool if name != SOURCE)
    numbers, origin = observed.texts, ""
    if not metric.uses_references:
        numbers = None
    elif source.gold is not None and metric.takes_gold:
        is_reannotated = metric.extracts_edits and source.gold_edits == "reannotated"
        numbers, origin = observed.gold, "reannotated" if is_reannotated else "gold"
    elif source.gold is not None and not source.has_references:
        numbers, origin = (len(source.annotators),) * 2, source.missing
    has_own = metric.uses_references and system in observed.own_references
    if has_own:
        numbers = observed.own_references[system]
    treatments = source.overlaps or "kept", source.misfits or "official"
    overlaps, misfits = (name if (origin or m2) and name != "error" else "" for name in treatments)
    references = "" if numbers is None else SignatureInputs.number(*numbers)
    blank: dict[str, str] = {} if source.blank is None else {"blank": source.blank}
    if source.skipped:
        blank |= {"skipped": str(source.skipped)}
    prepared = tuple((blank | source.prepared_by.signed).items())
    own_source = system in source.systems_with_own_sources
    return SignatureInputs(references, origin, overlaps, misfits, m2, pool, prepared, has_own, own_source)


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
