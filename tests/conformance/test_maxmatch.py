"""MaxMatch against the recorded counts of the official scorer: every sentence, every setting, exactly."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import Corpus, MaxMatch, m2
from geceval.base.errors import GecevalWarning, InputError
from geceval.counting.counts import Counts
from geceval.dropins.m2scorer import PrintedEdit, trimmed, with_tokens
from geceval.metrics.shared.edit_matching import CORRECT, PROPOSED, Gold, edits_by_cell
from support.golden import lines, load, split_lines

DOCUMENTS = {
    "m2scorer-example/m2.json": "m2scorer-example/source_gold",
    "conll14/m2.json": "conll14/gold.m2",
    "bea19-dev/m2.json": "bea19-dev/gold.m2",
    "jfleg-dev/m2.json": "jfleg-dev/gold.m2",
    "jfleg-dev/m2_without_annotator0.json": "jfleg-dev/gold.m2",
}


def prepare(blocks: list[m2.Block]) -> Gold:
    # JFLEG has edits outside their sentences, which the official scorer drops.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GecevalWarning)
        corpus = Corpus([block.source for block in blocks], gold=blocks, overlaps=None, misfits=None)
    return MaxMatch().prepare(corpus)


def metric_of(run: dict[str, Any]) -> MaxMatch:
    ignore = bool(run["ignore_whitespace_casing"])
    return MaxMatch(run["beta"], run["max_unchanged_words"], ignore)


def check(metric: MaxMatch, counts: Counts, recorded: dict[str, Any]) -> None:
    """Rows, totals and figures of one system."""
    [choice] = metric.choices(counts)
    assert counts.chosen(choice).tolist() == recorded["sentences"]
    [totals] = metric.totals(counts)
    assert totals.tolist() == [recorded[name] for name in metric.columns]
    precision, recall = metric.precision_recall(totals)
    figures = [float(precision), float(recall), float(metric.score(totals))]
    assert figures == pytest.approx([recorded["p"], recorded["r"], recorded["f"]], rel=1e-12, abs=0)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_corpora(shared: Path, name: str) -> None:
    blocks = list(m2.read(shared / "data" / DOCUMENTS[name]))
    if "without_annotator0" in name:
        blocks = [replace(b, edits=tuple(e for e in b.edits if e.annotator != 0)) for b in blocks]
    prepared = prepare(blocks)
    for run in load(shared / "golden" / name)["runs"]:
        metric = metric_of(run)
        for recorded in run["systems"].values():
            assert recorded["complete"]
            counts = metric.count(prepared, lines(shared / recorded["file"]))
            check(metric, counts, recorded)
            if "chosen_annotator" in recorded:
                [choice] = metric.choices(counts)
                names = [block.annotators[at] for block, at in zip(prepared.blocks, choice, strict=True)]
                assert names == recorded["chosen_annotator"]


def fuzz(shared: Path) -> tuple[Gold, list[str]]:
    folder = shared / "data" / "fuzz"
    return prepare(list(m2.read(folder / "gold.m2"))), lines(folder / "hyp.txt")


def test_fuzz(shared: Path) -> None:
    prepared, hypothesis = fuzz(shared)
    for run in load(shared / "golden" / "fuzz.json")["m2"]:
        metric = metric_of(run)
        counts = metric.count(prepared, hypothesis)
        check(metric, counts, run)
        for s, recorded in enumerate(run["alone"]):
            sentence = Counts(counts.array[s : s + 1], counts.columns, counts.mask[s : s + 1])
            assert metric.totals(sentence).tolist() == [recorded], s


#: What the official scorer trips over and ours reads; docs/other-tools.md has the list.
KINDER = {
    "empty_source_S_without_space": [[0, 1, 0]],
    "line_separator_in_S": [[1, 1, 1]],
    "next_line_char_in_S": [[1, 1, 1]],
    "crlf_gold": [[1, 1, 1], [1, 1, 1]],
    "blank_line_with_space": [[1, 1, 1], [0, 0, 0]],
    "byte_order_mark": [[1, 1, 1]],
}


def test_edge_cases(shared: Path, tmp_path: Path) -> None:
    for name, case in load(shared / "golden" / "edge_cases.json")["m2"].items():
        path = tmp_path / "gold.m2"
        path.write_bytes(case["gold_m2"].encode())
        for run in case["outputs"]["m2scorer"]:
            metric = metric_of(run)
            if "exception" in run and name not in KINDER:
                with pytest.raises(InputError):
                    score(metric, path, split_lines(case["hypothesis"]))
                continue
            blocks = m2.Blocks.parse(path.read_bytes(), str(path), shared=True)
            counts = metric.count(prepare(blocks), split_lines(case["hypothesis"]))
            if name in KINDER:
                [choice] = metric.choices(counts)
                assert counts.chosen(choice).tolist() == KINDER[name], name
            else:
                check(metric, counts, run)


def score(metric: MaxMatch, path: Path, hypothesis: list[str]) -> None:
    blocks = list(m2.read(path))
    metric.corpus_score([block.source for block in blocks], hypothesis, gold=blocks)


def test_misfits_are_an_error_unless_told_otherwise(shared: Path) -> None:
    path = shared / "data" / "jfleg-dev" / "gold.m2"
    with pytest.raises(InputError, match=r"gold\.m2:340: .*sentence has 11 tokens"):
        score(MaxMatch(), path, lines(shared / "data" / "jfleg-dev" / "systems" / "spellchecked.txt"))


def test_the_optimum_is_never_below_the_running_choice(shared: Path) -> None:
    prepared, hypothesis = fuzz(shared)
    for beta in (0.5, 1.0, 2.0):
        counts = MaxMatch(beta).count(prepared, hypothesis)
        running, optimum = (
            float(metric.score(metric.totals(counts))[0])
            for metric in (MaxMatch(beta), MaxMatch(beta, selection="optimum"))
        )
        assert optimum >= running
        best = max(brute_force(MaxMatch(beta), Counts(counts.array[:9], counts.columns, counts.mask[:9])))
        part = Counts(counts.array[:9], counts.columns, counts.mask[:9])
        metric = MaxMatch(beta, selection="optimum")
        assert float(metric.score(metric.totals(part))[0]) == pytest.approx(best)


def brute_force(metric: MaxMatch, counts: Counts) -> list[float]:
    """The scores of all combinations of annotators."""
    sums = np.zeros((1, 3), dtype=np.int64)
    for rows, mask in zip(counts.array, counts.mask, strict=True):
        sums = np.unique((sums[:, np.newaxis] + rows[mask]).reshape(-1, 3), axis=0)
    return list(metric.score(sums))


def plain(edit: PrintedEdit) -> tuple[int, int, str, str]:
    start, end, old, new = edit
    return start, end, " ".join(old), " ".join(new)


def test_edits_of_the_edge_cases(shared: Path, tmp_path: Path) -> None:
    """The proposed and correct edits of every annotator are those of the official verbose output."""
    seen = 0
    for name, case in load(shared / "golden" / "edge_cases.json")["m2"].items():
        (tmp_path / "gold.m2").write_bytes(case["gold_m2"].encode())
        for run in case["outputs"]["m2scorer"]:
            if "verbose_stdout" not in run:
                continue
            metric, prepared = metric_of(run), prepare(m2.Blocks.parse(case["gold_m2"].encode(), shared=True))
            hypothesis = split_lines(case["hypothesis"])
            evidence = metric.count(prepared, hypothesis, evidence=True).evidence
            assert evidence is not None
            edits = edits_by_cell(evidence)
            cells = [(s, a) for s, block in enumerate(prepared.blocks) for a in range(len(block.annotators))]
            ours = {
                column: [
                    [with_tokens(prepared.blocks[s].tokens, edit) for edit in edits.get((s, a, column), ())]
                    for s, a in cells
                ]
                for column in (CORRECT, PROPOSED)
            }
            printed = dict[str, list[Any]].fromkeys(("EDIT SEQ", "CORRECT EDITS"))
            for field in printed:
                rows = re.findall(rf"^{field} *: (\[.*\])$", run["verbose_stdout"], re.MULTILINE)
                printed[field] = [ast.literal_eval(edits) for edits in rows]
            assert [[plain(trimmed(e)) for e in row] for row in ours[PROPOSED]] == printed["EDIT SEQ"], name
            assert [[plain(edit) for edit in row] for row in ours[CORRECT]] == printed["CORRECT EDITS"], name
            seen += 1
    assert seen > 50
