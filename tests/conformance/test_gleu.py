"""GLEU against the recorded numbers of shotakoyama/gleu 1.1.0, which are the original scorer's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import Gleu
from geceval.statistics.reference_draws import ReferenceDraws
from support.golden import DATASETS, Texts, lines, load, texts

UNITS = ("word", "char")
EXACT = {"rel": 1e-12, "abs": 1e-15}


def check_system(texts: Texts, hypothesis: list[str], unit: str, recorded: dict[str, Any]) -> None:
    arguments = (texts.source, hypothesis, texts.references)
    sampled = Gleu(unit=unit, blanks="all")  # type: ignore[arg-type]
    best = replace(sampled, selection="best")
    score = sampled.corpus_score(*arguments)
    assert score.value == pytest.approx(recorded["sampled"], **EXACT)
    if score.deviation is not None and "sampled_std" in recorded:
        assert score.deviation == pytest.approx(recorded["sampled_std"], rel=1e-9, abs=1e-15)
    if "sampled_first_10_iterations" in recorded and len(texts.references) > 1:
        counts = sampled.counts(*arguments)
        values = sampled.score(sampled.totals(counts))[:10]
        np.testing.assert_allclose(values, recorded["sampled_first_10_iterations"], rtol=1e-12, atol=1e-15)
    table = recorded["max"]
    score = best.corpus_score(*arguments)
    assert score.value == pytest.approx(table["gleu"], **EXACT)
    assert score.totals["reference_length"] == table["reference_length"]
    assert score.totals["hypothesis_length"] == table["hypothesis_length"]
    for row in table["table"]:
        counted = [score.totals[f"{name}_{row['n']}"] for name in ("match", "penalty", "total")]
        assert counted == [row["match"], row["penal"], row["denom"]]
    sentences = sampled.sentence_scores(*arguments)
    sentences_best = best.sentence_scores(*arguments)
    assert sentences.mean() == pytest.approx(recorded["mean"], **EXACT)
    assert sentences_best.mean() == pytest.approx(recorded["mean_max"], **EXACT)
    if "sentences" in recorded:
        np.testing.assert_allclose(sentences, recorded["sentences"], rtol=1e-12, atol=1e-15)
    if "sentences_max" in recorded:
        np.testing.assert_allclose(sentences_best, recorded["sentences_max"], rtol=1e-12, atol=1e-15)
    if "max_chosen_reference" in recorded:
        [choice] = best.choices(best.counts(*arguments))
        assert choice.tolist() == recorded["max_chosen_reference"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("dataset", DATASETS)
def test_corpora(shared: Path, dataset: str, unit: str) -> None:
    document = load(shared / "golden" / dataset / f"gleu.{unit}.json")
    for recorded in document["systems"].values():
        check_system(texts(shared, document), lines(shared / recorded["file"]), unit, recorded)


@pytest.mark.parametrize("unit", UNITS)
def test_fuzz(shared: Path, unit: str) -> None:
    folder = shared / "data" / "fuzz"
    corpus = Texts(lines(folder / "source.txt"), [lines(folder / f"ref{r}.txt") for r in range(3)])
    check_system(corpus, lines(folder / "hyp.txt"), unit, load(shared / "golden" / "fuzz.json")["gleu"][unit])


@pytest.mark.parametrize("unit", UNITS)
def test_edge_cases(shared: Path, tmp_path: Path, unit: str) -> None:
    for name, case in load(shared / "golden" / "edge_cases.json")["ngram"].items():
        if ("lines" in name.split("_") and "several" not in name) or name in (
            "empty_files",
            "byte_order_mark_in_hypothesis",
        ):
            continue  # refused, or read without the mark: tests/conformance/test_green.py, docs/other-tools.md
        paths = []
        for at, text in enumerate([case["source"], *case["references"], case["hypothesis"]]):
            path = tmp_path / f"{name}.{at}"
            path.write_bytes(text.encode())
            paths.append(path)
        source, *references, hypothesis = (lines(path) for path in paths)
        check_system(Texts(source, references), hypothesis, unit, case["outputs"]["gleu"][unit])


def test_published_numbers(shared: Path) -> None:
    """The README of the public tool, and the poster's, which used the formula of the paper."""
    folder = shared / "data" / "conll14"
    corpus = (lines(folder / "source.txt"), [lines(folder / "ref0.txt"), lines(folder / "ref1.txt")])

    def score(system: str, **settings: Any) -> float:
        name = "ref0.txt" if system == "REF0" else f"systems/{system}.txt"
        return 100 * Gleu(**settings).corpus_score(corpus[0], lines(folder / name), corpus[1]).value

    sampled = {name: round(score(name), 4) for name in ("AMU", "CAMB", "INPUT", "REF0")}
    assert sampled == {"AMU": 58.3256, "CAMB": 59.2553, "INPUT": 56.6048, "REF0": 81.8462}
    python3 = {name: round(score(name, draws="python3"), 3) for name in ("AMU", "CAMB", "INPUT")}
    assert python3 == {"AMU": 58.354, "CAMB": 59.266, "INPUT": 56.630}
    best = {name: round(score(name, selection="best"), 2) for name in ("AMU", "CAMB", "INPUT", "REF0")}
    assert best == {"AMU": 68.81, "CAMB": 68.55, "INPUT": 68.34, "REF0": 100.00}
    paper = {name: round(score(name, variant="paper"), 2) for name in ("AMU", "INPUT", "IPN")}
    assert paper == {"AMU": 58.08, "INPUT": 56.34, "IPN": 55.08}


def test_draws(shared: Path) -> None:
    for name, recorded in load(shared / "golden" / "edge_cases.json")["gleu_fixed_seed_reference_indices"].items():
        if name != "note":
            references = int(name.split("_")[0])
            drawn = ReferenceDraws(4, None, randint=False).next(np.ones((25, references), bool))
            assert np.broadcast_to(drawn, (4, 25)).tolist() == recorded


# --- GLEU without the cut ---


def stripped(path: Path) -> list[str]:
    return [line.strip() for line in lines(path)]


@pytest.mark.parametrize("system", ["AMU", "CAMB", "CUUI", "INPUT"])
def test_conll14(shared: Path, system: str) -> None:
    document = load(shared / "golden" / "learned" / "gleu_uncut.json")
    recorded, rows = document["systems"][system], document["sentence_indices"]
    folder = shared / "data" / "conll14"
    source, hypothesis, *references = (
        stripped(folder / name) for name in ("source.txt", f"systems/{system}.txt", "ref0.txt", "ref1.txt")
    )
    gleu = Gleu(cut="none")
    assert gleu.corpus_score(source, hypothesis, references).value == pytest.approx(recorded["corpus"], rel=1e-9)
    sentences = gleu.sentence_scores(source, hypothesis, references)[rows]
    np.testing.assert_allclose(sentences, recorded["sentences"], rtol=0, atol=1e-12)

    first_reference, score = recorded["ref0_only"], gleu.corpus_score(source, hypothesis, references[:1])
    assert score.value == pytest.approx(first_reference["corpus"], rel=1e-12)
    for order, (tp, fp) in enumerate(first_reference["tp_fp"], 1):
        match, penalty, total = (score.totals[f"{name}_{order}"] for name in ("match", "penalty", "total"))
        assert (match - penalty, total - match + penalty) == (tp, fp)
    lengths = score.totals["hypothesis_length"], score.totals["reference_length"]
    assert lengths == (first_reference["hypothesis_length"], first_reference["reference_length"])


def test_small_lists_with_empty_texts(shared: Path) -> None:
    for toy in load(shared / "golden" / "learned" / "gleu_uncut.json")["toy"]:
        texts = toy["source"], toy["hypothesis"], toy["references"]
        tolerance = 1e-12 if len(toy["references"]) == 1 else 1e-9
        assert Gleu(cut="none").corpus_score(*texts).value == pytest.approx(toy["corpus"], abs=tolerance)
        np.testing.assert_allclose(Gleu(cut="none").sentence_scores(*texts), toy["sentences"], rtol=0, atol=1e-12)
        char = Gleu(cut="none", unit="char").corpus_score(*texts).value
        assert char == pytest.approx(toy["char"], abs=tolerance)


def test_the_three_sentences_of_gec_metrics() -> None:
    source = ["This sentences contain gramamtical error .", "This is a sentence .", "This is no change ."]
    hypothesis = [
        "This sentence contains a grammatical error .",
        "the sentence was corrected into completely different one .",
        "This is no change .",
    ]
    assert Gleu(cut="none").sentence_scores(source, hypothesis, [hypothesis]).tolist() == [1.0, 1.0, 1.0]
