"""Charts of results: in notebooks, and as files."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.tables.pictures import save_charts
from support.examples import example_corpus
from support.messages import message_of

METRICS = ["errant", "gleu", "green"]


@pytest.fixture(scope="module", params=["score", "compare", "meta"])
def results(request: pytest.FixtureRequest) -> Any:
    corpus = example_corpus()
    if request.param == "score":
        return geceval.evaluate(corpus, METRICS, checks=False)
    if request.param == "compare":
        return geceval.compare(corpus, METRICS, samples=200, checks=False)
    from geceval.agreement.judgments import read_judgments
    from geceval.agreement.meta_evaluation import evaluate_metrics
    from geceval.agreement.study import StudyOptions, make_study
    from support.examples import EXAMPLES

    study = make_study(read_judgments(EXAMPLES / "judgments.xml"), corpus)
    return evaluate_metrics(study, METRICS, StudyOptions(resamples=0))


def texts_of(svg: str) -> str:
    return "\n".join(ET.fromstring(svg).itertext())


def test_results_are_drawn_and_saved(results: Any, tmp_path: Path) -> None:
    results.save(tmp_path / "x.svg")
    saved = (tmp_path / "x.svg").read_text(encoding="utf-8")
    texts = texts_of(saved)
    assert all(name in texts for name in ("ERRANT", "GLEU", "GREEN", "careful", "eager"))
    assert "var(--" not in saved
    page = results._repr_html_()
    [code] = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert base64.b64decode(code).decode() == saved
    assert "<table" in page


def test_saved_again_the_file_has_the_same_bytes(results: Any, tmp_path: Path) -> None:
    for name in ("first.svg", "second.SVG"):
        results.save(str(tmp_path / name))
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.SVG").read_bytes()


@pytest.mark.parametrize("ending", ["pdf", "png"])
def test_pdf_and_png_are_written_by_cairosvg(results: Any, tmp_path: Path, ending: str) -> None:
    pytest.importorskip("cairosvg")
    results.save(tmp_path / f"x.{ending}")
    assert (tmp_path / f"x.{ending}").read_bytes()[:4] == {"pdf": b"%PDF", "png": b"\x89PNG"}[ending]


def test_a_file_that_cannot_be_written_is_named(results: Any, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    messages = [
        message_of(lambda: results.save("x.jpg")),
        message_of(lambda: results.save("x")),
        message_of(lambda: results.save(tmp_path / "folder" / "x.svg")).replace(str(tmp_path), "FOLDER"),
        message_of(lambda: save_charts([], "x.svg")),
    ]
    assert messages == snapshot(name="messages")


def test_scores_of_sentences_and_many_systems_are_drawn_or_not() -> None:
    corpus = example_corpus()
    of_sentences = geceval.evaluate(corpus, METRICS, views=["sentence"], checks=False)
    assert "<img" not in of_sentences._repr_html_()
    lines = list(corpus.systems["eager"])
    many = geceval.Corpus(corpus.source, corpus.references, {f"<{k}>&": lines for k in range(30)})
    page = geceval.evaluate(many, ["errant", "gleu"], checks=False)._repr_html_()
    [code] = re.findall(r'base64,([^"]+)"', page)
    assert "<29>&" in texts_of(base64.b64decode(code).decode())
