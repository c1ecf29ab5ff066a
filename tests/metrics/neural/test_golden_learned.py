"""Scribendi, IMPARA and SOME against the recorded numbers of gec-metrics, with the same stand-in networks."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import Impara, Scribendi, Some
from geceval.extending import Metric
from geceval.metrics.scribendi import levenshtein_distance_ratios, token_sort_ratios
from support.golden import lines, load
from support.scripts import import_script

#: The texts of the file, and those made by hand.
SETS = ("AMU", "CAMB", "CUUI", "extra")
PERPLEXITY, RATIO, VALUE = 1e-5, 1e-12, 2e-6

#: Some texts have more than 128 pieces.
pytestmark = pytest.mark.filterwarnings("ignore:.* more than 128 pieces")
every_set = pytest.mark.parametrize("name", SETS)


@pytest.fixture(scope="session")
def models(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the networks that the recorded figures were made with."""
    folder = tmp_path_factory.mktemp("models")
    import_script(shared / "golden" / "learned" / "make_models.py").make(folder)
    return folder


def recorded(shared: Path, file: str, name: str) -> tuple[list[str], list[str], Any]:
    """Source, hypothesis and the figures of one set."""
    document = load(shared / "golden" / "learned" / f"{file}.json")
    if name == "extra":
        inputs = document["extra"]
        source, hypothesis = zip(*inputs["pairs"], strict=True)
        return list(source), list(hypothesis), inputs
    data = shared / "data" / "conll14"
    texts = [lines(path) for path in (data / "source.txt", data / "systems" / f"{name}.txt")]
    source, hypothesis = ([text[at].rstrip() for at in document["indices"]] for text in texts)
    return list(source), list(hypothesis), document["systems"][name]


def check(metric: Metric, source: list[str], hypothesis: list[str], expected: Any, tolerance: float) -> None:
    assert metric.sentence_scores(source, hypothesis) == pytest.approx(expected["sentences"], abs=tolerance)
    assert metric.corpus_score(source, hypothesis).value == pytest.approx(expected["corpus"], abs=tolerance)


@every_set
def test_perplexities_and_ratios(shared: Path, models: Path, name: str) -> None:
    source, hypothesis, expected = recorded(shared, "scribendi", name)
    network = Scribendi(model=str(models / "gpt2")).networks
    for side, texts in (("source", source), ("hypothesis", hypothesis)):
        inputs, _ = network.inputs(texts)
        values = network.values(inputs)
        figures = [math.nan if figure == "nan" else figure for figure in expected[f"ppl_{side}"]]
        assert [values[key] for key in inputs] == pytest.approx(figures, rel=PERPLEXITY, nan_ok=True)
    assert token_sort_ratios(source, hypothesis) == pytest.approx(expected["tsr"], abs=RATIO)
    ratios = levenshtein_distance_ratios(source, hypothesis)
    for ratio, figure in zip(ratios, expected["ldr"], strict=True):
        assert figure is None or ratio == pytest.approx(figure, abs=RATIO)  # None: two empty texts, which are equal


@every_set
def test_scribendi(shared: Path, models: Path, name: str) -> None:
    source, hypothesis, expected = recorded(shared, "scribendi", name)
    for threshold, run in expected["runs"].items():
        settings: dict[str, Any] = {"model": str(models / "gpt2"), "threshold": float(threshold)}
        check(Scribendi(**settings), source, hypothesis, run, tolerance=0)
        mean = Scribendi(**settings, total="mean").corpus_score(source, hypothesis).value
        assert mean == pytest.approx(run["mean"], abs=1e-15)


@every_set
@pytest.mark.parametrize("similarity", ["se", "minilm"])
def test_impara(shared: Path, models: Path, request: pytest.FixtureRequest, name: str, similarity: str) -> None:
    folder = request.getfixturevalue("minilm") if similarity == "minilm" else str(models / "se")
    source, hypothesis, rows = recorded(shared, "impara", name)
    expected = rows[similarity]
    for threshold, run in expected["runs"].items():
        metric = Impara(model=str(models / "qe"), similarity=folder, threshold=float(threshold))
        check(metric, source, hypothesis, run, VALUE)
        gated = metric.counts(source, hypothesis).array[:, 0, 1]
        assert np.flatnonzero(gated).tolist() == run["gated"]
    ungated = Impara(model=str(models / "qe"), threshold=None)
    assert ungated.sentence_scores(source, hypothesis) == pytest.approx(expected["qe"], abs=VALUE)
    network = metric.networks.similarity
    assert network is not None
    pairs = [network.inputs(texts)[0] for texts in (source, hypothesis)]
    assert network.cosines(list(zip(*pairs, strict=True))) == pytest.approx(expected["cosine"], abs=VALUE)


@every_set
def test_some(shared: Path, models: Path, name: str) -> None:
    source, hypothesis, expected = recorded(shared, "some", name)
    metric = Some(**{part: str(models / f"some_{part}") for part in "gfm"})
    counts = metric.counts(source, hypothesis).array[:, 0]
    run = {"sentences": expected["default"], "corpus": expected["corpus"]}
    check(metric, source, hypothesis, run, VALUE)
    for column, part in enumerate("gfm"):
        assert counts[:, column] == pytest.approx(expected[part], abs=VALUE)
    if name == "AMU":
        assert counts[:, 3].sum() == 27  # 27 of 60 pairs are longer than 128 pieces: the cutting is tested


def test_a_text_of_too_many_pieces_is_an_error_where_the_public_code_has_one(shared: Path, models: Path) -> None:
    metric = Scribendi(model=str(models / "gpt2"))
    long = "the family " * 600
    with pytest.raises(ValueError, match=r"sentence 0 .* the source has \d+ pieces, but .* supports at most 1024"):
        metric.corpus_score([long + "x"], [long + "y"])
