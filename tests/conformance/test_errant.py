"""errant_compare and the metric against the recorded numbers of errant 3.0.2, to the last of its 4 digits."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import errant, m2
from geceval.app.main import main
from geceval.counting.breakdown import group_counts
from geceval.counting.groupings import ByType
from geceval.dropins.edit_comparison import processCategories
from geceval.m2 import read
from geceval.metrics.errant import Errant
from support.commands import run_main
from support.golden import lines, load

DATASETS = ("conll14", "bea19-dev")

#: Faults of the files, which the public tool crashes on: ours refuses them or, for empty lines, reads on.
REFUSED = {"different_number_of_blocks", "missing_fields"}
READ = {"extra_blank_line"}


def table(output: str) -> dict[str, Any]:
    """The numbers that errant_compare printed."""
    lines = output.splitlines()
    totals = lines[lines.index("=" * 46) - 1].split("\t")
    categories = {}
    if "Category" in output:
        start = next(i for i, line in enumerate(lines) if line.startswith("Category"))
        for line in lines[start + 1 : lines.index("", start)]:
            name, *numbers = line[:14].rstrip(), *line[14:].split()
            categories[name] = numbers
    return {"totals": totals, "categories": categories}


def numbers(recorded: dict[str, Any]) -> list[str]:
    return [str(recorded[key]) for key in ("tp", "fp", "fn", "p", "r", "f")]


def check(recorded: dict[str, Any], hyp: Path, ref: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["errant_compare", "-hyp", str(hyp), "-ref", str(ref), *recorded["options"]]) == 0
    output = capsysbinary.readouterr().out.decode()
    if "stdout" in recorded:
        assert output == recorded["stdout"]
    printed = table(output)
    assert printed["totals"] == numbers(recorded)
    expected = {name: numbers(row) for name, row in recorded.get("categories", {}).items()}
    assert printed["categories"] == expected


def metric_of(options: list[str]) -> tuple[Errant, str]:
    """The metric and the tier that a command line asks for."""
    settings: dict[str, Any] = {}
    arguments = dict(itertools.zip_longest(options, options[1:]))
    settings["mode"] = next((mode for mode in ("cse", "cs", "ds", "dt") if f"-{mode}" in arguments), "cs")
    settings["size"] = next((size for size in ("single", "multi") if f"-{size}" in arguments), "all")
    settings["beta"] = float(arguments.get("-b", 0.5))
    settings["exclude"] = arguments.get("-filt")
    return Errant(**settings), int(arguments.get("-cat", "3"))


@pytest.mark.parametrize("dataset", DATASETS)
def test_corpora(shared: Path, dataset: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    for pair in load(shared / "golden" / dataset / "errant.json")["pairs"]:
        for run in pair["runs"]:
            check(run, shared / pair["hyp"], shared / pair["ref"], capsysbinary)


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_metric(shared: Path, dataset: str) -> None:
    for pair in load(shared / "golden" / dataset / "errant.json")["pairs"]:
        hypothesis, gold = list(read(shared / pair["hyp"])), list(read(shared / pair["ref"]))
        source = [block.source for block in gold]
        for run in pair["runs"]:
            metric, tier = metric_of(run["options"])
            counts = metric.counts(source, hypothesis, gold=gold, evidence=True)
            totals = metric.totals(counts)
            assert totals.tolist() == [[run["tp"], run["fp"], run["fn"]]]
            assert np.round(metric.score(totals), 4).tolist() == [run["f"]]
            groups = group_counts(counts, metric.choices(counts), ByType())
            by_full_type = dict(zip(groups.labels, groups.sums[0].tolist(), strict=True))
            by_type = {name: tuple(row) for name, row in processCategories(by_full_type, tier).items()}
            recorded = {name: (row["tp"], row["fp"], row["fn"]) for name, row in run.get("categories", {}).items()}
            assert by_type == recorded or not recorded


def test_fuzz(shared: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    folder = shared / "data" / "fuzz"
    for run in load(shared / "golden" / "fuzz.json")["errant"]:
        check(run, folder / "hyp.m2", folder / "gold.m2", capsysbinary)


def test_edge_cases(shared: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    cases = load(shared / "golden" / "edge_cases.json")["errant"]
    assert set(cases) >= REFUSED | READ
    hyp, ref = tmp_path / "hyp.m2", tmp_path / "ref.m2"
    for name, case in cases.items():
        hyp.write_bytes(case["hyp_m2"].encode())
        ref.write_bytes(case["ref_m2"].encode())
        for run in case["outputs"]["errant_compare"]:
            if "exception" not in run:
                check(run, hyp, ref, capsysbinary)
                continue
            assert name in REFUSED | READ, (name, run)
            status = main(["errant_compare", "-hyp", str(hyp), "-ref", str(ref), *run["options"]])
            assert status == (2 if name in REFUSED else 0), name
            capsysbinary.readouterr()


# --- whole corpora through geceval.errant ---


@pytest.mark.parametrize(("corpus", "target"), [("conll14", "systems/AMU"), ("jfleg-dev", "ref0"), ("fuzz", "hyp")])
def test_edits_of_a_corpus(shared: Path, tmp_path: Path, corpus: str, target: str) -> None:
    files = [str(shared / "data" / corpus / f"{name}.txt") for name in ("source", target)]
    out = tmp_path / "edits.m2"
    assert run_main(*["annotate", "-s", files[0], "-c", files[1], "-o", str(out)]).status == 0
    blocks = list(m2.read(out))
    pairs = list(zip(*(lines(Path(path)) for path in files), strict=True))
    annotator = errant.load("en")
    for block, (source, corrected), edits in zip(blocks, pairs, annotator.annotate_many(pairs), strict=True):
        assert [edit.to_m2() for edit in edits] == [str(edit) for edit in block.edits if not edit.is_noop]
        for edit in edits:
            assert source[edit.o_start_char : edit.o_end_char].split() == edit.o_str.split()
            assert corrected[edit.c_start_char : edit.c_end_char].split() == edit.c_str.split()
    spans = tmp_path / "spans.jsonl"
    text = io.StringIO()
    m2.write_spans(blocks, text)
    spans.write_text(text.getvalue(), encoding="utf-8")
    assert list(m2.read_json_lines(spans)) == blocks
