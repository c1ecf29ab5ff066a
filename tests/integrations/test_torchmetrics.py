"""torchmetrics: sums over batches, processes and epochs are the corpus's; what are no sums is refused."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
import torchmetrics
from hypothesis import given, settings
from hypothesis import strategies as st

import geceval
from geceval.counting.metric_names import parse_specs
from geceval.extending import Score
from geceval.integrations import torchmetrics as adapter
from support.effort import examples
from support.examples import CAREFUL, EXAMPLES, NOISY, REFERENCES, ROWS, SOURCE

ONE = [row[0] for row in ROWS]
#: Specifications, and whether several references can be given.
METRICS = [
    ("errant", False),
    ("errant:mode=cse,beta=1", False),
    ("green", True),
    ("green:unit=char,beta=1", True),
    ("gleu", False),
    ("gleu:selection=best", True),
]


def expected(spec: str, hypothesis: list[str], references: list[list[str]]) -> Score:
    [(name, values)] = parse_specs([spec])
    return geceval.make_metric(name, **values).corpus_score(SOURCE, hypothesis, references)


def numbers(computed: dict[str, Any]) -> dict[str, float]:
    return {name: value.item() for name, value in computed.items()}


@pytest.mark.parametrize(("spec", "several"), METRICS)
@settings(max_examples=examples(10))
@given(cuts=st.lists(st.integers(1, 39), max_size=4).map(lambda cuts: [0, *sorted(set(cuts)), 40]))
def test_batches_add_up_to_the_corpus(spec: str, several: bool, cuts: list[int]) -> None:
    metric = adapter.metric(spec)
    for start, end in pairwise(cuts):
        target = ROWS[start:end] if several else ONE[start:end]
        metric.update(CAREFUL[start:end], target, SOURCE[start:end])
    score = expected(spec, CAREFUL, REFERENCES if several else [ONE])
    name = spec.partition(":")[0]
    assert numbers(metric.compute()) == pytest.approx(
        {name: score.value} | {f"{name}_{part}": value for part, value in score.parts.items()}, abs=1e-15
    )
    assert metric.signature == score.signature


def test_the_mean_over_references() -> None:
    metric = adapter.metric("gleu:selection=mean", references=2)
    for part in (slice(0, 15), slice(15, 40)):
        metric.update(CAREFUL[part], ROWS[part], SOURCE[part])
    score = expected("gleu:selection=mean", CAREFUL, REFERENCES)
    assert metric.compute()["gleu"].item() == pytest.approx(score.value, abs=1e-15)
    with pytest.raises(geceval.GecevalError, match="averages over 2 references, but sentences have 1"):
        metric.update(CAREFUL, ONE, SOURCE)


@pytest.mark.parametrize("spec", ["errant", "errant:selection=optimum", "gleu"])
def test_policies_that_are_no_sums_are_refused(spec: str) -> None:
    with pytest.raises(
        geceval.GecevalError, match="cannot be computed from sums of batches\n  hint: use one reference"
    ):
        adapter.metric(spec).update(CAREFUL, ROWS, SOURCE)


@pytest.mark.parametrize("spec", ["cleme", "goto"])
def test_metrics_that_need_the_whole_corpus_are_refused(spec: str) -> None:
    with pytest.raises(geceval.GecevalError, match=f"{spec} requires .* cannot be computed from sums of batches"):
        adapter.metric(spec)


def test_life_of_a_metric() -> None:
    metric = adapter.metric("errant")
    assert isinstance(metric, torchmetrics.Metric)
    assert metric.higher_is_better
    with pytest.raises(geceval.GecevalError, match="no sentences were counted"):
        metric.compute()
    batch = metric(CAREFUL[:20], ONE[:20], SOURCE[:20])
    alone = adapter.metric("errant")
    alone.update(CAREFUL[:20], ONE[:20], SOURCE[:20])
    assert numbers(batch) == numbers(alone.compute())
    metric.update(CAREFUL[20:], ONE[20:], SOURCE[20:])
    of_all = numbers(metric.compute())
    assert of_all["errant"] == expected("errant", CAREFUL, [ONE]).value
    assert numbers(pickle.loads(pickle.dumps(metric)).compute()) == of_all
    assert numbers(metric.clone().compute()) == of_all
    metric.reset()
    metric.update(NOISY[0], ONE[0], SOURCE[0])  # one sentence
    assert int(metric.sentences) == 1
    metric.reset()
    metric.update([{"content": f" {text}\n"} for text in CAREFUL], ONE, SOURCE)
    assert numbers(metric.compute()) == of_all


def test_a_collection_keeps_metrics_apart() -> None:
    """torchmetrics shares states that are equal after the first batch: no two metrics' may be."""
    specs = {"cs": "errant", "cse": "errant:mode=cse", "f1": "errant:beta=1", "mm": "green:beta=1", "g": "green"}
    collection = torchmetrics.MetricCollection({name: adapter.metric(spec) for name, spec in specs.items()})
    for start in range(0, 40, 8):
        part = slice(start, start + 8)
        collection.update(NOISY[part], ONE[part], SOURCE[part])
    computed = numbers(collection.compute())
    for name, spec in specs.items():
        value = computed[f"{name}_{spec.partition(':')[0]}"]
        assert value == pytest.approx(expected(spec, NOISY, [ONE]).value, abs=1e-15)


def test_a_collection_keeps_metrics_of_one_setting_apart() -> None:
    """Their first batch is alike, and ``extract`` differs."""
    wrapped = [CAREFUL[0], *(f"Sure: {text}" for text in CAREFUL[1:])]
    answers = {"raw": str, "answer": lambda text: text.rpartition(": ")[2]}
    collection = torchmetrics.MetricCollection(
        {name: adapter.metric("green", extract=extract) for name, extract in answers.items()}
    )
    for part in (slice(0, 1), slice(1, 40)):
        collection.update(wrapped[part], ONE[part], SOURCE[part])
    computed = numbers(collection.compute())
    for name, extract in answers.items():
        expected_score = expected("green", [*map(extract, wrapped)], [ONE]).value
        assert computed[f"{name}_green"] == pytest.approx(expected_score, abs=1e-15)
    assert computed["raw_green"] != computed["answer_green"]


PROCESS = """
import json, sys
import torch.distributed as dist
from geceval.integrations import torchmetrics
rank, file, examples = int(sys.argv[1]), sys.argv[2], sys.argv[3]
dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
def lines(name): return open(f"{examples}/{name}", encoding="utf-8").read().splitlines()
source, one, two, system = map(lines, ("source.txt", "ref0.txt", "ref1.txt", "systems/careful.txt"))
found = {}
for spec in ("errant", "green", "gleu:selection=mean"):
    metric = torchmetrics.metric(spec, references=2)
    rows = [list(row) for row in zip(one, two)] if spec != "errant" else one
    mine = range(0, 13) if rank == 0 else range(13, 40)  # not halves
    for start in range(mine.start, mine.stop, 5):
        part = slice(start, min(start + 5, mine.stop))
        metric.update(system[part], rows[part], source[part])
    found[spec] = {name: value.item() for name, value in metric.compute().items()}
print(json.dumps(found))
dist.destroy_process_group()
"""


def test_two_processes_equal_one(tmp_path: Path) -> None:
    arguments = [str(tmp_path / "store"), str(EXAMPLES)]
    started = [
        subprocess.Popen([sys.executable, "-c", PROCESS, str(rank), *arguments], stdout=subprocess.PIPE, text=True)
        for rank in range(2)
    ]
    told = [process.communicate(timeout=240)[0].splitlines()[-1] for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert told[0] == told[1]
    computed = json.loads(told[0])
    assert set(computed) == {"errant", "green", "gleu:selection=mean"}
    for spec, figures in computed.items():
        score = expected(spec, CAREFUL, [ONE] if spec == "errant" else REFERENCES)
        assert figures[score.metric] == score.value


def test_states_are_sums_on_the_device() -> None:
    metric = adapter.metric("errant")
    metric.update(CAREFUL, ONE, SOURCE)
    state = getattr(metric, metric.state)
    assert (state.dtype, state.shape) == (torch.float64, (1, 3))
    assert metric._reductions[metric.state] is torchmetrics.utilities.dim_zero_sum
