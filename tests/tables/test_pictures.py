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
from geceval.tables.pictures import MILLIMETRES, SIZES, save_picture
from support.drawings import problems_of
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


#: The pictures of the results, by the parameter of the fixture.
NAMES = {"score": ["scores", "precision-recall"], "compare": ["scores", "net-benefit"], "meta": ["agreement"]}


def texts_of(svg: str) -> str:
    return "\n".join(ET.fromstring(svg).itertext())


def test_results_are_drawn_and_saved(results: Any, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    results.save(tmp_path / "x.svg")
    saved = (tmp_path / "x.svg").read_text(encoding="utf-8")
    texts = texts_of(saved)
    assert all(name in texts for name in ("ERRANT", "GLEU", "GREEN", "careful", "eager"))
    assert "var(--" not in saved
    page = results._repr_html_()
    names = NAMES[request.node.callspec.params["results"]]
    codes = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    drawn = [base64.b64decode(code).decode() for code in codes]
    for name in names:
        results.save(tmp_path / f"{name}.svg", name)
    assert drawn == [(tmp_path / f"{name}.svg").read_text(encoding="utf-8") for name in names]
    assert drawn[0] == saved
    assert "<table" in page


def test_a_picture_has_the_width_of_a_column_or_a_page(results: Any, tmp_path: Path) -> None:
    scales = []
    for size, width in SIZES.items():
        results.save(tmp_path / "x.svg", size=size)
        svg = ET.parse(tmp_path / "x.svg").getroot()
        assert svg.get("width") == f"{width:g}mm"
        scales.append(width / float(svg.get("viewBox", "").split()[2]))
    assert scales == pytest.approx([MILLIMETRES] * 2, rel=1e-3), "text has one size"


def test_saved_again_the_file_has_the_same_bytes(results: Any, tmp_path: Path) -> None:
    for name in ("first.svg", "second.SVG"):
        results.save(str(tmp_path / name))
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.SVG").read_bytes()


@pytest.mark.parametrize("ending", ["pdf", "png"])
def test_pdf_and_png_are_written_by_cairosvg(results: Any, tmp_path: Path, ending: str) -> None:
    pytest.importorskip("cairosvg")
    results.save(tmp_path / f"x.{ending}")
    content = (tmp_path / f"x.{ending}").read_bytes()
    assert content[:4] == {"pdf": b"%PDF", "png": b"\x89PNG"}[ending]
    if ending == "png":
        assert int.from_bytes(content[16:20], "big") == pytest.approx(77 / 25.4 * 600, abs=1)


def test_a_file_that_cannot_be_written_is_named(results: Any, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    messages = [
        message_of(lambda: results.save("x.jpg")),
        message_of(lambda: results.save("x")),
        message_of(lambda: results.save(tmp_path / "folder" / "x.svg")).replace(str(tmp_path), "FOLDER"),
        message_of(lambda: results.save("x.svg", "score")),
        message_of(lambda: results.save("x.svg", size="collumn")),
        message_of(lambda: save_picture({}, "x.svg")),
    ]
    assert messages == snapshot(name="messages")


def test_scores_of_sentences_and_many_systems_are_drawn_or_not() -> None:
    corpus = example_corpus()
    of_sentences = geceval.evaluate(corpus, METRICS, views=["sentence"], checks=False)
    assert "<img" not in of_sentences._repr_html_()
    lines = list(corpus.systems["eager"])
    many = geceval.Corpus(corpus.source, corpus.references, {f"<{k}>&": lines for k in range(30)})
    page = geceval.evaluate(many, ["errant", "gleu"], checks=False)._repr_html_()
    code = re.findall(r'base64,([^"]+)"', page)[0]
    assert "<29>&" in texts_of(base64.b64decode(code).decode())


def test_scores_of_groups_have_a_map() -> None:
    corpus = example_corpus()
    lines = {name: list(system) for name, system in corpus.systems.items()}
    results = geceval.score(lines, [*map(list, corpus.references)], list(corpus.source), groups=["a", "b"] * 20)
    assert [*results._pictures()] == ["scores", "precision-recall", "groups"]
    chart = results._pictures()["groups"](300.0)
    assert chart.element.count('class="cell"') == 2 * 3 * 3
    assert problems_of(chart.element) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", [2, 3, 14])
def test_labels_of_results_are_free(number: int, size: str) -> None:
    corpus = example_corpus()
    source, reference = list(corpus.source), list(corpus.references[0])
    systems = {
        f"transformer-large-seed-{k:05}": [
            *reference[: 2 * k],
            *list(corpus.systems["noisy"])[2 * k : 30],
            *source[30:],
        ]
        for k in range(1, number + 1)
    }
    several = geceval.Corpus(source, corpus.references, systems)
    compared = geceval.compare(several, METRICS, samples=200, adjust="none", checks=False)
    scored = geceval.evaluate(several, METRICS, checks=False)
    for draw in (*compared._pictures().values(), *scored._pictures().values()):
        assert problems_of(draw(SIZES[size] / MILLIMETRES).element) == []
