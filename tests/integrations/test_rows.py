"""What adapters share: rows turned around, predictions unwrapped, metrics by name, missing frameworks."""

from __future__ import annotations

import importlib
import json
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval.base.errors import framework
from geceval.integrations.framework_rows import (
    RowConversion,
    by_annotator,
    figures,
    figures_of,
    last_message,
    metrics_of,
    one_metric,
    scores,
)
from support.strategies import corpora

FRAMEWORKS = (
    "torch transformers datasets trl evaluate lm_eval inspect_ai torchmetrics sacrebleu pandas polars pyarrow IPython"
).split()


def test_adapters_without_subclasses_import_no_framework() -> None:
    adapters = ("inspect", "lm_eval", "trainer")
    code = "import json, sys\n" + "".join(f"import geceval.integrations.{name}\n" for name in adapters)
    completed = subprocess.run([sys.executable, "-c", f"{code}print(json.dumps([*sys.modules]))"], capture_output=True)
    assert completed.returncode == 0, completed.stderr.decode()
    assert not set(json.loads(completed.stdout)) & set(FRAMEWORKS)


@pytest.mark.parametrize("name", ["evaluate", "inspect", "lm_eval", "sacrebleu", "torchmetrics"])
def test_a_missing_framework_is_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package = {"inspect": "inspect_ai.scorer", "lm_eval": "datasets"}.get(name, name)
    for part in ("", ".metrics", ".metrics.base"):
        monkeypatch.setitem(sys.modules, f"{package}{part}", None)
    monkeypatch.delitem(sys.modules, f"geceval.integrations.{name}", raising=False)

    def use() -> None:
        adapter = importlib.import_module(f"geceval.integrations.{name}")
        adapter.scorer("errant") if name == "inspect" else adapter.from_gold("examples/gold.m2")

    with pytest.raises(geceval.GecevalError, match=rf"^{package.split('.')[0]}.*\n  hint: pip install "):
        use()


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
@given(corpora())
def test_references_are_turned_around_and_back(corpus: tuple[list[str], list[list[str]], list[str]]) -> None:
    source, references, hypothesis = corpus
    rows = [list(row) for row in zip(*references, strict=True)]
    assert by_annotator(rows, len(rows)) == references
    assert by_annotator([row[0] for row in rows], len(rows)) == references[:1]
    converted = RowConversion().corpus(source, hypothesis, rows)
    expected = geceval.Green().corpus_score(source, [text.strip() for text in hypothesis], references)
    score = scores(converted, [geceval.Green()])["green"]
    assert (score.value, score.signature) == (expected.value, expected.signature)


def test_ragged_rows_are_refused_by_their_number() -> None:
    rows = [["a", "b"], ["c"], ["d", "e"]]
    with pytest.raises(geceval.GecevalError, match=r"^row 1 \(counted from 0\) has 1 references, but row 0 has 2\n"):
        by_annotator(rows, len(rows))
    assert by_annotator(rows, len(rows), ragged=True) == [["a", "c", "d"], ["b", None, "e"]]
    for ragged in (False, True):
        with pytest.raises(geceval.GecevalError, match=r"^row 1 \(counted from 0\) has no references"):
            by_annotator([["a"], []], 2, ragged=ragged)
    with pytest.raises(geceval.GecevalError, match="sentence 1"):
        by_annotator([["a"], 3], 2)  # type: ignore[list-item]


@pytest.mark.parametrize(
    "prediction",
    [
        " He goes .\n",
        [{"role": "assistant", "content": "He goes ."}],
        [{"role": "user", "content": "He go ."}, {"role": "assistant", "content": "He goes . "}],
        {"role": "assistant", "content": "He goes ."},
        [{"role": "assistant", "content": "He goes ."}, {"role": "tool", "content": "done"}],
        [{"role": "assistant", "content": [{"type": "text", "text": "He "}, {"type": "text", "text": "goes ."}]}],
    ],
)
def test_predictions_are_unwrapped(prediction: object) -> None:
    assert last_message(prediction) == "He goes ."
    assert (
        RowConversion(extract=lambda text: str(text)[1:]).corpus(["a"], ["xb"], ["b"]).systems["hypothesis"][0] == "b"
    )


@pytest.mark.parametrize(
    "prediction", [3, None, {"text": "a"}, [], [3], [{"role": "user", "content": "He go ."}], [[]]]
)
def test_what_is_no_prediction(prediction: object) -> None:
    with pytest.raises(geceval.GecevalError, match="a prediction must be text or a list of messages, not"):
        last_message(prediction)


def test_metrics_by_name_by_specification_and_as_such() -> None:
    errant = geceval.Errant(mode="cse")
    assert metrics_of("errant:mode=cse") == metrics_of(errant) == [errant]
    assert metrics_of(["green,gleu", errant]) == [geceval.Green(), geceval.Gleu(), errant]
    assert one_metric("green") == geceval.Green()
    for wrong in ([], [3], 3, "grean"):
        with pytest.raises(geceval.GecevalError):
            metrics_of(wrong)  # type: ignore[arg-type]
    with pytest.raises(geceval.GecevalError, match="one metric is required, not 2: green:beta=1, green:beta=2"):
        one_metric("green:beta=1,green")


def test_figures_are_named_by_metric_and_part() -> None:
    corpus = RowConversion().corpus(["He go home ."], ["He goes home ."], [["He goes home ."]])
    by_name = figures(scores(corpus, metrics_of("errant,green:beta=1,green:beta=2")))
    assert (
        by_name["errant"]
        == by_name["errant_precision"]
        == by_name["green:beta=1"]
        == by_name["green:beta=2_recall"]
        == 1.0
    )
    [errant] = metrics_of("errant")
    totals = errant.totals(errant.counts(["He go home ."], ["He goes home ."], [["He goes home ."]]))  # type: ignore[attr-defined]
    assert figures_of(errant, totals) == {
        name: by_name[name] for name in ("errant", "errant_precision", "errant_recall")
    }


@given(st.sampled_from([RowConversion(), RowConversion(ragged=True)]))
def test_rows_can_be_pickled(rows: RowConversion) -> None:
    assert pickle.loads(pickle.dumps(rows)) == rows


def test_a_framework_that_is_there() -> None:
    assert framework("json") is json
