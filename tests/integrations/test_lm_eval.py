"""lm-evaluation-harness: the shipped tasks on a dummy model, end to end, and what tasks of one's own use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import geceval
from geceval.integrations import lm_eval as adapter
from support.examples import CAREFUL, EXAMPLES, NOISY, REFERENCES, ROWS, SOURCE

#: What the dummy model answers to everything.
ANSWER = "lol"
HARNESS = str(Path(sys.executable).parent / "lm_eval")


def lm_eval(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    offline = {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    return subprocess.run(
        [HARNESS, *arguments], capture_output=True, text=True, env=os.environ | offline, cwd=tmp_path, check=False
    )


def deviation(name: str, references: Any = (), gold: Any = None) -> float:
    """Return the standard error of the answers' score, as ``geceval score --intervals`` computes it."""
    corpus = geceval.Corpus(SOURCE, references, {"": [ANSWER] * len(SOURCE)}, gold)
    [score] = geceval.intervals(corpus, [geceval.make_metric(name)], checks=False)
    return score.deviation


def test_the_shipped_tasks(tmp_path: Path) -> None:
    where = {"jfleg": str(EXAMPLES), "conll14": str(EXAMPLES / "gold.m2"), "bea_dev": str(EXAMPLES / "gold.m2")}
    completed = lm_eval(
        tmp_path,
        *("--model", "dummy", "--include_path", adapter.TASKS, "--tasks", "gec_jfleg,gec_conll14,gec_bea_dev"),
        *("--metadata", json.dumps(where), "--output_path", "out", "--log_samples"),
    )
    assert completed.returncode == 0, completed.stderr[-3000:]
    [path] = tmp_path.glob("out/*/results_*.json")
    results = json.loads(path.read_text(encoding="utf-8"))["results"]
    answers = [ANSWER] * len(SOURCE)
    gold = list(geceval.m2.read(EXAMPLES / "gold.m2"))
    for name in ("gleu", "green"):
        score = geceval.make_metric(name).corpus_score(SOURCE, answers, REFERENCES)
        assert results["gec_jfleg"][f"{name},none"] == score.value
        assert results["gec_jfleg"][f"{name}_stderr,none"] == deviation(name, references=REFERENCES)
    for task in ("gec_conll14", "gec_bea_dev"):
        for name in ("errant", "maxmatch"):
            score = geceval.make_metric(name).corpus_score(SOURCE, answers, gold=gold)
            assert results[task][f"{name},none"] == score.value
            assert results[task][f"{name}_stderr,none"] == deviation(name, gold=gold)
    table = [line.split("|") for line in completed.stdout.splitlines() if line.count("|") > 8]
    printed = {row[5].strip(): (row[8].strip(), float(row[9])) for row in table if row[8].strip() == "±"}
    expected = {name: deviation(name, references=REFERENCES) for name in ("gleu", "green")}
    expected |= {name: deviation(name, gold=gold) for name in ("errant", "maxmatch")}
    assert printed == {name: ("±", pytest.approx(error, abs=6e-5)) for name, error in expected.items()}
    assert len(list(tmp_path.glob("out/*/samples_gec_*.jsonl"))) == 3


def test_where_the_corpus_is_must_be_said(tmp_path: Path) -> None:
    completed = lm_eval(tmp_path, "--model", "dummy", "--include_path", adapter.TASKS, "--tasks", "gec_conll14")
    assert completed.returncode != 0
    assert "the path of conll14 is required: its M2 file is not part of geceval" in completed.stderr
    assert """--metadata '{"conll14": "…"}'""" in completed.stderr


def test_rows_become_corpora() -> None:
    processed = adapter.process_results("errant,green", source="src", references="refs")
    docs = [{"src": source, "refs": rows} for source, rows in zip(SOURCE, ROWS, strict=True)]
    values = [processed(doc, [f" {text}\n"]) for doc, text in zip(docs, CAREFUL, strict=True)]
    assert set(values[0]) == {"errant", "green"}
    json.dumps(values)
    for name in ("errant", "green"):
        aggregated = adapter.aggregation(name)([value[name] for value in values])
        assert aggregated == geceval.make_metric(name).corpus_score(SOURCE, CAREFUL, REFERENCES).value
    # As they come back from a log of samples.
    again = [json.loads(json.dumps(value["errant"])) for value in values]
    assert adapter.aggregation("errant")(again) == geceval.Errant().corpus_score(SOURCE, CAREFUL, REFERENCES).value


def test_standard_error_is_the_deviation_of_bootstrap_samples() -> None:
    processed = adapter.process_results("green,errant", stderr=True)
    docs = [{"source": source, "references": rows} for source, rows in zip(SOURCE, ROWS, strict=True)]
    values = [processed(doc, [text]) for doc, text in zip(docs, CAREFUL, strict=True)]
    # The harness writes N/A after each metric; the standard error comes later and replaces it.
    assert list(values[0]) == ["green", "errant", "green_stderr", "errant_stderr"]
    corpus = geceval.Corpus(SOURCE, REFERENCES, {"": CAREFUL})
    for name, metric in (("green", geceval.Green()), ("errant", geceval.Errant())):
        estimated = adapter.standard_error(name, samples=300, seed=5)([value[f"{name}_stderr"] for value in values])
        [score] = geceval.intervals(corpus, [metric], samples=300, seed=5, checks=False)
        assert estimated == score.deviation > 0
    with pytest.raises(geceval.GecevalError, match=r"row 1 .* has 1 references"):
        adapter.standard_error("green")([values[0]["green"], (*values[1]["green"][:2], ["x"], "", None)])


def test_gold_edits_are_used_themselves() -> None:
    [split] = adapter.from_gold(str(EXAMPLES / "gold.m2")).values()
    assert [doc["source"] for doc in split] == SOURCE
    assert split[0]["target"] == geceval.m2.apply(next(geceval.m2.read(EXAMPLES / "gold.m2")), 0)
    processed = adapter.process_results("maxmatch", gold="gold")
    rows = [processed(doc, [text])["maxmatch"] for doc, text in zip(split, CAREFUL, strict=True)]
    gold = list(geceval.m2.read(EXAMPLES / "gold.m2"))
    assert adapter.aggregation("maxmatch")(rows) == geceval.MaxMatch().corpus_score(SOURCE, CAREFUL, gold=gold).value
    with pytest.raises(geceval.GecevalError, match=r"row 1 .* has no gold edits, but others have"):
        adapter.aggregation("maxmatch")([rows[0], (*rows[1][:3], "", 1)])


def test_corpora_of_texts(tmp_path: Path) -> None:
    [split] = adapter.from_texts(str(EXAMPLES)).values()
    assert [doc["source"] for doc in split] == SOURCE
    assert [doc["references"] for doc in split] == ROWS
    paths = [str(EXAMPLES / name) for name in ("source.txt", "ref1.txt")]
    [split] = adapter.from_texts(paths).values()
    assert [doc["references"] for doc in split] == [[row[1]] for row in ROWS]
    for name, text in (("test.src", "a\nb\n"), ("test.ref0", "a\nc\n"), ("test.ref1", "a\nd\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    [split] = adapter.from_texts(str(tmp_path)).values()
    assert split[1] == {"number": 1, "source": "b", "target": "c", "references": ["c", "d"]}
    (tmp_path / "dev.src").write_text("a\n", encoding="utf-8")
    with pytest.raises(geceval.GecevalError, match="the folder has 2 sources and 2 references"):
        adapter.from_texts(str(tmp_path))
    with pytest.raises(geceval.GecevalError, match="not the same number of lines"):
        adapter.from_texts([str(tmp_path / "dev.src"), str(tmp_path / "test.ref0")])
    with pytest.raises(geceval.GecevalError, match="a source and references are required"):
        adapter.from_texts([str(tmp_path / "dev.src")])


def test_ragged_rows_are_refused_unless_they_are_allowed() -> None:
    rows: list[Any] = [("a b", "a c", ["a c", "a d"], "", 0), ("b", "b", ["b"], "", 1)]
    with pytest.raises(geceval.GecevalError, match=r"row 1 \(counted from 0\) has 1 references"):
        adapter.aggregation("green")(rows)
    assert adapter.aggregation("green:n=1", ragged=True)(rows) == 1.0


def test_metrics_of_the_harness_with_several_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page states how the harness itself reads several references."""
    from lm_eval.api.metrics import chrf
    from lm_eval.api.task import ConfigurableTask

    equal = [(["He goes .", "He went ."], "He went .")]
    assert chrf(equal) == pytest.approx(100)
    assert chrf([*equal, (["She sings ."], "She sings .")]) < 80
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    row = {"source": "He go .", "references": ["He goes .", "He went ."]}
    (tmp_path / "test.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")

    def half(references: list[str], predictions: list[str]) -> float:
        return 0.5

    for target, score in (("{{references[0]}}", 0.5), ("references", 1)):
        task = ConfigurableTask(
            config={
                "task": "gec",
                "dataset_path": "json",
                "dataset_kwargs": {
                    "data_files": {"test": str(tmp_path / "test.jsonl")},
                    "cache_dir": str(tmp_path / "cache"),
                },
                "test_split": "test",
                "output_type": "generate_until",
                "doc_to_text": "{{source}}",
                "doc_to_target": target,
                "metric_list": [{"metric": half, "aggregation": "mean", "higher_is_better": True}],
            }
        )
        assert task.process_results(row, ["He goes ."]) == {"half": score}


PROCESS = """
import json, sys, warnings
import lm_eval, torch
import torch.distributed as dist
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
from geceval import GecevalWarning
from geceval.integrations.lm_eval import TASKS
rank, processes, store, examples = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
answers = dict(zip(*(open(f"{examples}/{name}").read().splitlines() for name in ("source.txt", "systems/noisy.txt"))))

class Corrector(LM):
    def __init__(self):
        super().__init__()
        self._rank, self._world_size = rank, processes
    def generate_until(self, requests, disable_tqdm=False):
        return [answers[request.doc["source"]] for request in requests]
    def all_gather(self, tensor):
        gathered = [torch.zeros_like(tensor) for _ in range(processes)]
        dist.all_gather(gathered, tensor)
        return torch.stack(gathered)
    def gather_object(self, obj, dst=0):
        gathered = [None] * processes if rank == dst else None
        dist.gather_object(obj, gathered, dst=dst)
        return gathered
    loglikelihood = loglikelihood_rolling = None

Corrector.__abstractmethods__ = frozenset()
if processes > 1:
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=processes)
tasks = TaskManager(include_path=TASKS, metadata={"jfleg": examples, "conll14": f"{examples}/gold.m2"})
results = lm_eval.simple_evaluate(Corrector(), tasks=["gec_jfleg", "gec_conll14"], task_manager=tasks)
if rank == 0:
    print(json.dumps(results["results"]))
"""


def test_two_processes_equal_one(tmp_path: Path) -> None:
    offline = {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}

    def results_of(processes: int) -> dict[str, Any]:
        arguments = [str(processes), str(tmp_path / "store"), str(EXAMPLES)]
        started = [
            subprocess.Popen(
                [sys.executable, "-c", PROCESS, str(rank), *arguments],
                stdout=subprocess.PIPE, text=True, env=os.environ | offline, cwd=tmp_path,
            )
            for rank in range(processes)
        ]  # fmt: skip
        outputs = [process.communicate(timeout=240)[0] for process in started]
        assert [process.returncode for process in started] == [0] * processes
        results: dict[str, Any] = json.loads(outputs[0].splitlines()[-1])
        return results

    assert results_of(2) == results_of(1)


def test_rows_of_processes_are_sorted_or_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = [
        {"source": source, "references": rows, "row": number}
        for number, (source, rows) in enumerate(zip(SOURCE, ROWS, strict=True))
    ]
    rows = {}
    for field in ("row", "number"):
        processed = adapter.process_results("gleu:iterations=5", number=field)
        values = [processed(doc, [text])["gleu"] for doc, text in zip(docs, NOISY, strict=True)]
        rows[field] = values[::2] + values[1::2]
    aggregated = adapter.aggregation("gleu:iterations=5")
    expected = geceval.make_metric("gleu", iterations=5).corpus_score(SOURCE, NOISY, REFERENCES).value
    assert aggregated(rows["row"]) == expected
    monkeypatch.setattr(adapter, "number_of_processes", lambda: 2)
    assert aggregated(rows["row"]) == expected
    with pytest.warns(geceval.GecevalWarning, match="rows of several processes are not in the order"):
        assert aggregated(rows["number"]) != expected
