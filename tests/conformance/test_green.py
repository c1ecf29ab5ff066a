"""GREEN against the recorded numbers of shotakoyama/green 0.1.0: scores to 1e-12, counts and choices exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import Green
from geceval.metrics.shared.ngram_counting import REGIONS
from support.golden import DATASETS, Texts, lines, load, texts

UNITS = ("word", "char")


def check_system(texts: Texts, hypothesis: list[str], n: int, unit: str, recorded: dict[str, Any]) -> None:
    """Everything recorded of one system: corpus, mean and sentence scores, tables and chosen references."""
    for beta, value in recorded["corpus"].items():
        green = Green(n, float(beta), unit, "all")
        counts = green.counts(texts.source, hypothesis, texts.references)
        sentences = green.sentence_scores(texts.source, hypothesis, texts.references)
        score = green.corpus_score(texts.source, hypothesis, texts.references)
        assert score.value == pytest.approx(value, rel=1e-12, abs=0)
        assert sentences.mean() == pytest.approx(recorded["mean"][beta], rel=1e-12, abs=0)
        if beta in recorded.get("sentences", {}):
            np.testing.assert_allclose(sentences, recorded["sentences"][beta], rtol=1e-12, atol=0)
        if beta in recorded.get("chosen_reference", {}):
            [choice] = green.choices(counts)
            assert choice.tolist() == recorded["chosen_reference"][beta]
        tables = recorded.get("corpus_table", {})
        tables = tables if isinstance(tables, dict) else {"1": tables}  # the edge cases have the default beta's only
        for row in tables.get(beta, []):
            assert {region: score.totals[f"{region}_{row['n']}"] for region in REGIONS} == {
                region: row[region] for region in REGIONS
            }


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("dataset", DATASETS)
def test_corpora(shared: Path, dataset: str, unit: str) -> None:
    document = load(shared / "golden" / dataset / f"green.{unit}.json")
    for run in document["runs"]:
        for recorded in run["systems"].values():
            check_system(texts(shared, document), lines(shared / recorded["file"]), run["n"], unit, recorded)


@pytest.mark.parametrize("unit", UNITS)
def test_fuzz(shared: Path, unit: str) -> None:
    folder = shared / "data" / "fuzz"
    corpus = Texts(lines(folder / "source.txt"), [lines(folder / f"ref{r}.txt") for r in range(3)])
    for n, recorded in load(shared / "golden" / "fuzz.json")["green"][unit].items():
        check_system(corpus, lines(folder / "hyp.txt"), int(n), unit, recorded)


#: Where ours refuses, or reads the file otherwise, with the reason in docs/other-tools.md.
REFUSED = {
    "empty_files",
    "hypothesis_has_fewer_lines",
    "hypothesis_has_more_lines",
    "reference_has_fewer_lines",
    "second_reference_has_fewer_lines",
    "second_reference_has_more_lines",
}


@pytest.mark.parametrize("unit", UNITS)
def test_edge_cases(shared: Path, tmp_path: Path, unit: str) -> None:
    for name, case in load(shared / "golden" / "edge_cases.json")["ngram"].items():
        paths = []
        for at, text in enumerate([case["source"], *case["references"], case["hypothesis"]]):
            path = tmp_path / f"{name}.{at}"
            path.write_bytes(text.encode())
            paths.append(path)
        recorded = case["outputs"]["green"][unit]
        if name in REFUSED:
            with pytest.raises(ValueError, match=r"number of|no lines|no sentences"):
                refuse(paths, unit)
        elif name == "byte_order_mark_in_hypothesis":
            source, reference, hypothesis = (lines(path) for path in paths)
            assert Green(unit=unit, blanks="all").corpus_score(source, hypothesis, [reference]).value == 1.0
        else:
            source, *references, hypothesis = (lines(path) for path in paths)
            check_system(Texts(source, references), hypothesis, 4, unit, recorded)


def refuse(paths: list[Path], unit: str) -> None:
    source, *references, hypothesis = (lines(path) for path in paths)
    Green(unit=unit, blanks="all").corpus_score(source, hypothesis, references)
