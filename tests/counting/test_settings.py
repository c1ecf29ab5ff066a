"""Settings: what each is for, and that every value is checked, from Python as from a command line."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from syrupy.assertion import SnapshotAssertion

from differential.pseudo import PseudoAnnotator
from geceval import (
    Cleme,
    Cleme2,
    Corpus,
    DsGram,
    Errant,
    Gleu,
    Green,
    Llm,
    MaxMatch,
    PtM2,
    Scribendi,
    evaluate,
    make_metric,
)
from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.hints import Hint
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import Best, Optimum, Policy
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.settings import Bounds, setting, settings_of
from geceval.counting.signature import signature_of
from geceval.edits.annotation import Rules
from geceval.edits.extraction import Extractor
from geceval.edits.languages.english import Builtin
from geceval.extending import Counts, Metric
from geceval.m2 import Block, Edit, noop
from support.effort import examples
from support.instances import instances
from support.messages import message_of
from support.pages import PAGES
from support.strategies import corpora


@pytest.mark.parametrize(
    "make",
    [
        lambda: Cleme(weights="lenght"),
        lambda: Cleme(assumption="Dependent"),
        lambda: Cleme2(factors="x"),
        lambda: Cleme(beta=math.inf),
        lambda: Cleme(merge_distance=-1),
        lambda: Errant(mode="xx"),
        lambda: Errant(merging="none"),
        lambda: MaxMatch(selection="runing"),
        lambda: MaxMatch(selection="best"),
        lambda: MaxMatch(timeout=0),
        lambda: PtM2(base="foo"),
        lambda: Green(beta="2"),
        lambda: Green(n=2.0),
        lambda: Green(n=True),
        lambda: Green(n=0),
        lambda: Green(unit="byte"),
        lambda: Green(beta=-1),
        lambda: Green(beta=math.nan),
        lambda: Gleu(seed=-1),
        lambda: Errant(lev="yes"),
        lambda: Errant(annotator=3),
        lambda: Gleu(variant="new"),
        lambda: Gleu(selection="worst"),
        lambda: Gleu(iterations=0),
        lambda: MaxMatch(beta=-1.0),
        lambda: MaxMatch(max_unchanged_words=-1),
        lambda: Scribendi(threshold=1.5),
        lambda: Scribendi(length=1),
        lambda: Scribendi(total="median"),
        lambda: Scribendi(precision="float8"),
        lambda: DsGram(weights="some"),
        lambda: Llm(most=1),
        lambda: Llm(prompt="text"),
    ],
)
def test_values_that_do_not_exist_are_refused(make: Any, snapshot: SnapshotAssertion) -> None:
    assert message_of(make) == snapshot


def test_strings_of_a_command_line_become_values(snapshot: SnapshotAssertion) -> None:
    metric = make_metric("gleu", n="3", seed="none", selection="mean")
    assert metric.settings == Gleu(n=3, selection="mean").settings
    assert make_metric("errant", lev="yes", beta="1") == Errant(lev=True, beta=1.0)
    for values in ({"n": "three"}, {"seed": "x"}, {"size": "3"}):
        assert message_of(make_metric, "gleu", **values) == snapshot


def test_an_unknown_role_is_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(setting, True, "count") == snapshot


@dataclass(frozen=True)
class Noise(Metric[None]):
    """A metric of somebody else's, with settings that happen to be called as ours are."""

    name: ClassVar[str] = "noise"

    seed: int = 0
    beta: float = 1.0
    quick: bool = setting(False, "unsigned")
    cut: float = setting(0.5, "scoring", Bounds(0, 1))
    kind: Literal["a", "b"] = "a"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("noise",)

    @property
    def policy(self) -> Policy:
        return Best()

    def prepare(self, corpus: Any, threads: int = 0) -> None:
        return None

    def count(self, prepared: None, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        drawn = np.random.RandomState(self.seed).randint(0, 9, (len(hypothesis), 1, 1))
        return Counts(drawn, self.columns)

    def score(self, totals: Any) -> Any:
        return np.where(totals[..., 0] > self.cut, 1.0, 0.0)


def test_the_name_of_a_setting_decides_nothing(snapshot: SnapshotAssertion) -> None:
    assert Noise(seed=1).count_key != Noise(seed=2).count_key
    assert Noise(beta=1).count_key != Noise(beta=2).count_key
    assert signature_of(Noise(seed=1), 1) != signature_of(Noise(seed=2), 1)
    assert Noise(cut=0.1).count_key == Noise(cut=0.2).count_key
    assert signature_of(Noise(cut=0.1), 1) != signature_of(Noise(cut=0.2), 1)
    assert signature_of(Noise(quick=True), 1) == signature_of(Noise(), 1)
    assert message_of(Noise, cut=2) == snapshot
    assert message_of(Noise, kind="c") == snapshot


# --- signatures name what a number depends on ---


SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEM = ["He goes home .", "She have a cat ."]

EXTRACTOR = Extractor(Builtin())
ON_EDITS = [metric for metric in instances().values() if metric.matches_edits]
on_edits = pytest.mark.parametrize("metric", ON_EDITS, ids=lambda metric: metric.name)


def blocks(source: Sequence[str], texts: Sequence[Sequence[str | None]]) -> list[Block]:
    """The edits between the source and each of the texts."""
    annotated = []
    for line, *versions in zip(source, *texts, strict=True):
        edits: list[Edit] = []
        for annotator, version in enumerate(versions):
            if version is not None:
                [extracted] = EXTRACTOR.extract([(line, version)])
                edits += [replace(edit, annotator=annotator) for edit in extracted] or [noop(annotator)]
        annotated.append(Block(line, tuple(edits)))
    return annotated


def given_as(
    source: Sequence[str], references: Sequence[Sequence[str | None]], system: Sequence[str]
) -> Mapping[str, Corpus]:
    """One corpus, with texts or gold edits, and with the system as text or as edits."""
    gold, m2 = blocks(source, references), blocks(source, [system])
    return {
        "texts": Corpus(source, references, {"it": system}),
        "gold": Corpus(source, (), {"it": system}, gold),
        "gold, m2": Corpus(source, (), {"it": m2}, gold),
        "texts, m2": Corpus(source, references, {"it": m2}),
    }


CORPORA = given_as(SOURCE, REFERENCES, SYSTEM)


def signature(metric: Metric, form: str) -> str:
    [result] = evaluate(CORPORA[form], [metric])["it"]
    return result.signature()


@on_edits
def test_what_the_references_and_the_system_were_is_named(metric: Metric) -> None:
    texts, gold, both, m2 = (signature(metric, form) for form in ("texts", "gold", "gold, m2", "texts, m2"))
    assert "|refs:2|level" in texts
    assert "|refs:2(gold)|level" in gold
    assert "|refs:2(gold)|hyp:m2|level" in both
    assert "|refs:2|hyp:m2|level" in m2
    assert len({texts, gold, both, m2}) == 4
    for annotated, expected in ((texts, True), (gold, True), (both, False), (m2, True)):
        assert ("|annotator:builtin:3-2|" in annotated) == expected
        assert "types:" not in annotated


def test_texts_made_from_gold_edits_are_named() -> None:
    assert "|refs:2|level" in signature(Green(), "texts")
    assert "|refs:2(fallback)|level" in signature(Green(), "gold")
    assert "|refs:2(fallback)|hyp:m2|level" in signature(Green(), "gold, m2")
    corpus = replace(CORPORA["gold"], missing="plain")
    assert "|refs:2(plain)|level" in evaluate(corpus, [Gleu()])["it"][0].signature()
    assert "|refs:2(gold)|level" in signature(MaxMatch(), "gold")


@on_edits
def test_generic_types_are_named_where_text_is_annotated(metric: Metric) -> None:
    rules: Rules
    for rules, named in (("generic", True), ("errant-3", False)):
        annotated: Metric = replace(metric, annotator=PseudoAnnotator(rules))  # type: ignore[type-var]
        assert "|annotator:pseudo|" in signature(annotated, "texts")
        assert ("|types:generic|" in signature(annotated, "texts")) == named
        assert "pseudo" not in signature(annotated, "gold, m2")


# --- equal signatures, equal numbers ---

#: Settings of which some decide nothing on some inputs.
VARIANTS: list[Metric] = [
    *(Gleu(n=2, selection=how, seed=seed) for how in ("best", "mean") for seed in (None, 1)),
    *(Gleu(n=2, selection="sampled", seed=seed, iterations=20) for seed in (None, 1)),
    *(Gleu(n=2, iterations=draws) for draws in (10, 20)),
    *(Errant(annotator=annotator, lev=lev) for annotator in ("builtin:2", "builtin:classic") for lev in (False, True)),
    *(Errant(selection="optimum", merging=merging) for merging in ("rules", "all-split")),
    *(MaxMatch(selection=how) for how in ("running", "optimum")),
    *(replace(metric, annotator=name) for metric in ON_EDITS for name in ("builtin:2", "builtin:classic")),  # type: ignore[type-var]
]


@pytest.mark.filterwarnings("ignore:the ceiling of")
@settings(max_examples=examples(6))  # an example is scored under 29 metrics in eight ways
@given(texts=corpora())
def test_equal_signatures_on_equal_inputs_mean_equal_numbers(texts: Any) -> None:
    for name, corpus in given_as(*texts).items():
        metrics = [metric for metric in VARIANTS if corpus.gold is not None or not metric.needs_gold]
        values: dict[str, float] = {}
        for metrics_, block in ((metrics, None), (metrics[::-1], 2)):
            for result in evaluate(corpus, metrics_, block=block, checks=False)["it"]:
                for level in ("corpus", "mean"):
                    score = result.score(level)
                    value = values.setdefault(score.signature, score.value)
                    assert score.value == pytest.approx(value, rel=0, abs=0, nan_ok=True), (name, score.signature)


@pytest.mark.parametrize("metric", instances().values(), ids=lambda metric: metric.name)
def test_every_entry_is_a_setting_or_explained_on_the_page(metric: Metric) -> None:
    page = PAGES["docs/scoring.md"].read_text(encoding="utf-8").partition("## Signatures\n")[2].partition("\n## ")[0]
    explained = [
        name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    ]
    entries = [
        entry.partition(":")[0] for entry in signature_of(metric, SignatureInputs("2", pool=("a", "b"))).split("|")[1:]
    ]
    assert set(entries) <= {*settings_of(type(metric)), *explained}


def test_signature_before_counting_leaves_checks_to_the_count() -> None:
    lines = [f"he go to school {s} ." for s in range(40)]
    run = Run(Corpus(lines, [lines], {"a": lines, "b": lines}), [Green()], RunOptions(checks=True))
    assert "|refs:1|" in signature_of(Green(), run.signature_inputs("a", Green()))
    with pytest.warns(GecevalWarning, match="equal to the"):
        list(run.stream())


def test_an_unknown_selection_is_refused(snapshot: SnapshotAssertion) -> None:
    @dataclass(frozen=True)
    class First(Green):
        selection: str = setting("first", "selecting")

    assert First(selection="optimum").policy == Optimum()
    assert message_of(lambda: First().policy) == snapshot


@pytest.mark.parametrize(
    "metric",
    [
        Green(unit="char", n=6),
        Gleu(selection="mean", variant="paper"),
        Errant(mode="cse", selection="optimum", exclude="R:PUNCT+DET"),
        Cleme(weights="none", merge_distance=2),
    ],
    ids=lambda metric: metric.name,
)
def test_signature_in_place_of_a_metric_is_refused_with_its_settings(metric: Metric[Any]) -> None:
    corpus = Corpus(["He go home ."], [["He goes home ."]], {"a": ["He goes home ."]})
    [[result]] = evaluate(corpus, [metric]).values()
    with pytest.raises(UsageError, match="is a signature, not a metric with settings") as caught:
        evaluate(corpus, result.signature())
    assert isinstance(caught.value.hint, Hint)
    specification = re.search("-m (.*) has its settings", caught.value.hint.for_command())
    assert specification is not None
    assert make_metric(specification[1]) == metric
