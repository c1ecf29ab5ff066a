"""Chains of partial corrections, and how often a further correct edit lowers a score."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.agreement.stress import PARTIAL, Stress, partial_corrections, stress
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric_names import metrics_of
from geceval.extending import Counts, Metric, Scale
from geceval.m2 import Block, Edit, noop
from geceval.text.corpus import Corpus
from geceval.text.m2.edit import Tier
from support.commands import Run
from support.examples import example_corpus

SOURCE = "a b c d"
GOLD = [
    Block(
        SOURCE,
        (
            Edit(1, 2, "R:X", ("B",)),
            Edit(2, 2, "M:Y", ("new",)),
            Edit(3, 4, "U:Z", ("",)),
            noop(1),
            Edit(0, 1, "UNK", ("",), annotator=2),
            Edit(2, 3, "R:X", ("C", "other"), annotator=2),
        ),
    ),
    Block("e f", (noop(0),)),
]


@dataclass(frozen=True)
class Tokens(Metric[np.ndarray]):
    """Number of tokens of the output; five have no score, and fewer may be better."""

    name: ClassVar[str] = "tokens"
    uses_references: ClassVar[bool] = False
    columns: ClassVar[tuple[str, ...]] = ("tokens",)

    fewer: bool = False

    @property
    def scale(self) -> Scale:  # type: ignore[override]
        return Scale(0, math.inf, higher_is_better=not self.fewer)

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> np.ndarray:
        return np.zeros(0)

    def count(self, prepared: np.ndarray, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        return Counts(np.array([[[len(str(line).split())]] for line in hypothesis]), self.columns)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return np.where(totals[..., 0] == 5, np.nan, totals[..., 0])


def effects(result: Stress) -> tuple[int, int, int]:
    lowered, equal, raised = result.edits["all"].values()
    return lowered, equal, raised


def test_chains_apply_the_edits_of_each_annotator_from_left_to_right() -> None:
    chains = partial_corrections(Corpus([SOURCE, "e f"], (), {}, GOLD))
    assert [*chains.corpus.systems[PARTIAL]] == [
        "a b c d", "a B c d", "a B new c d", "a B new c",
        "a b c d", "a b C d",
    ]  # fmt: skip
    assert [*chains.corpus.references[0]] == ["a B new c"] * 4 + ["a b C d"] * 2
    assert chains.types == [None, "R:X", "M:Y", "U:Z", None, "R:X"]
    assert len(chains) == 2
    assert chains.corpus.gold is not None
    assert [{edit.type for edit in block.edits} for block in chains.corpus.gold] == [{"R:X", "M:Y", "U:Z"}] * 4 + [
        {"UNK", "R:X"}
    ] * 2


def test_texts_without_a_score_are_not_counted() -> None:
    """The second and third edit have a text of five tokens before or after them, which has no score."""
    chains = partial_corrections(Corpus([SOURCE, "e f"], (), {}, GOLD))
    [result] = stress(chains, [Tokens()], by="full")
    assert effects(result) == (0, 2, 0)
    assert sum(result.edits["M:Y"].values()) == 0
    assert math.isnan(result.share("lowered", "M:Y"))


def test_lower_score_is_better_if_the_metric_says_so() -> None:
    chains = partial_corrections(Corpus(["a b c"], [["a c"]]))
    assert [effects(stress(chains, [Tokens(fewer)])[0]) for fewer in (False, True)] == [(1, 0, 0), (0, 0, 1)]


@pytest.mark.parametrize("spec", ["green", "gleu", "errant", "cleme", "maxmatch", "net-benefit:cost=4"])
def test_effects_are_those_of_scores_one_by_one(spec: str) -> None:
    corpus = example_corpus(gold=True)
    chains = partial_corrections(corpus)
    [result] = stress(chains, [spec])
    [metric] = metrics_of([spec])
    needs_gold = spec == "maxmatch"
    counted = {-1: 0, 0: 0, 1: 0}
    assert chains.corpus.gold is not None
    texts = chains.corpus.systems[PARTIAL]
    rows = zip(chains.corpus.source, texts, chains.corpus.references[0], chains.corpus.gold, chains.types, strict=True)
    previous = 0.0
    for source, text, reference, block, type_ in rows:
        gold = [block] if needs_gold or metric.matches_edits else None
        score = metric.sentence_scores([source], [text], [[reference]], gold=gold)[0]
        if type_ is not None:
            counted[0 if abs(score - previous) <= 1e-9 else 1 if score > previous else -1] += 1
        previous = score
    assert effects(result) == (counted[-1], counted[0], counted[1])


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from(["a", "b", "X", "Y"]), max_size=6), min_size=1, max_size=4), st.data())
@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
def test_every_edit_is_a_step_and_types_sum_to_all(references: list[list[str]], data: st.DataObject) -> None:
    tier: Tier = data.draw(st.sampled_from(["full", "type", "operation"]))
    corpus = Corpus(["a b c d e"], [[" ".join(tokens)] for tokens in references])
    chains = partial_corrections(corpus)
    ends = [k for k, type_ in enumerate([*chains.types[1:], None]) if type_ is None]
    texts = chains.corpus.systems[PARTIAL]
    assert [texts[k] for k in ends] == [" ".join(tokens) for tokens in references if " ".join(tokens) != "a b c d e"]
    for result in stress(chains, ["green", "errant"], by=tier):
        assert sum(effects(result)) == len(chains.types) - len(chains)
        _, *groups = result.edits.values()
        assert [sum(numbers) for numbers in zip(*(group.values() for group in groups), strict=True)] == [
            *effects(result)
        ]


def test_pooled_metric_and_unknown_tier_are_refused() -> None:
    chains = partial_corrections(Corpus([SOURCE, "e f"], (), {}, GOLD))
    with pytest.raises(UsageError, match="goto scores all systems of a run together"):
        stress(chains, ["goto"])
    tier: Any = "length"
    with pytest.raises(UsageError, match="by must be one of operation, type, full, not length"):
        stress(chains, ["green"], by=tier)


def test_gold_without_corrections_is_an_error() -> None:
    with pytest.raises(InputError, match="no annotator corrects a sentence"):
        partial_corrections(Corpus(["e f"], (), {}, [Block("e f", (noop(0),))]))


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    "options",
    ["--gold gold.m2", "-s source.txt -r ref0.txt ref1.txt -m green cleme --by operation -f csv", "-m green", ""],
)
def test_table_and_messages(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("meta", "--stress", *options.split()) == snapshot


@pytest.mark.usefixtures("examples")
def test_json_has_all_types(run: Run) -> None:
    document = json.loads(run("meta", "--stress", "--gold", "gold.m2", "-m", "green", "-f", "json", "--by", "type").out)
    [result] = document["stress"]
    assert sum(edits["raised"] for edits in result["edits"].values()) == 2 * result["edits"]["all"]["raised"] == 282
    assert result["chains"] == 76


@pytest.mark.usefixtures("examples")
def test_own_metric_is_stressed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "metric.py"
    toys = Path(__file__).parents[1] / "support" / "toys.py"
    file.write_text(toys.read_text("utf-8"), "utf-8")
    out = run("meta", "--stress", "--gold", "gold.m2", "-m", f"{file}:Shortening", "-f", "tsv").out
    assert out.splitlines()[1].startswith("SHORTENING\tall\t141\t")
