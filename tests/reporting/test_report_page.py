"""The page of a report: its parts, the escaping of texts, and its independence of the network."""

from __future__ import annotations

import base64
import builtins
import gzip
import hashlib
import json
import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any, ClassVar

import numpy as np
import pytest

import geceval
from geceval.base.errors import MissingExtraError
from geceval.extending import Best, Counts, Metric
from geceval.reporting.overview import overview
from geceval.reporting.report_page import PageFacts, ReportPage, render
from geceval.tables.svg import printable
from support.examples import EXAMPLES
from support.reports import HOSTILE, OPTIONS, example_page, hostile_page, labelled_examples, seen

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Reader(HTMLParser):
    """Elements in order, with their attributes and texts; all must be closed in turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.open: list[int] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))
        if tag not in VOID:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self.open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.elements[self.open[-1]][2].append(data)

    def named(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, "".join(text)) for name, attributes, text in self.elements if name == tag]


@pytest.fixture(scope="module")
def page() -> str:
    return example_page()


@pytest.fixture(scope="module")
def hostile() -> str:
    return hostile_page()


def document(page: str, name: str) -> Any:
    """Return a document of the page, of which those with an ending are compressed."""
    [text] = [text for attributes, text in Reader(page).named("script") if attributes.get("id") == name]
    return json.loads(gzip.decompress(base64.b64decode(text)) if name.endswith("-data") else text)


def test_page_has_all_sections_and_links_to_them(page: str) -> None:
    reader = Reader(page)
    anchors = [attributes["href"] for attributes, _ in reader.named("a")]
    sections = {attributes["id"] for attributes, _ in reader.named("section")}
    assert sections == {
        "summary", "examples", "types", "scores", "precision-recall", "cost", "lengths", "groups", "agreement",
        "sentences",
        "signatures",
    }  # fmt: skip
    assert {anchor[1:] for anchor in anchors if anchor and "=" not in anchor} == sections
    ids = [attributes["id"] for _, attributes, _ in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert [text for _, text in reader.named("h1")] == ["Examples"]


def test_page_has_the_scores_and_parts(page: str) -> None:
    corpus = labelled_examples()
    [[result]] = geceval.evaluate(
        geceval.Corpus(corpus.source, corpus.references, {"eager": corpus.systems["eager"]}), [geceval.Green()]
    ).values()
    assert f"<strong>{100 * result.score().value:.2f}</strong>" in page
    report = document(page, "report")
    assert report["schema"] == "geceval/report@2"
    scores = {(row["system"], row["metric"]): row["value"] for row in report["comparison"]["systems"]}
    assert scores["eager", "green"] == result.score().value
    assert report["parts"]["green"]["eager"] == pytest.approx(dict(result.score().parts))


def test_every_table_states_the_number_of_its_sentences(page: str) -> None:
    captions = re.findall(r"<caption><span>(.*?)</span></caption>", page)
    assert len(captions) == page.count("<caption") > 10
    assert [caption for caption in captions if "40 sentences" not in caption] == []


def test_every_chart_has_a_title_and_a_description(page: str) -> None:
    reader = Reader(page)
    charts = [attributes for attributes, _ in reader.named("svg") if attributes["class"] == "chart"]
    texts = {attributes.get("id"): text for tag in ("title", "desc") for attributes, text in reader.named(tag)}
    assert (
        len(charts) == 4 + 2 + 2 + 1 + 4 + 4
    )  # scores; precision and recall; types of two systems; cost; lengths; groups
    of_types = [[svg is not None for _, svg in charts_of_metric] for charts_of_metric in document(page, "charts-data")]
    assert of_types == [[True] * 3, [False] * 3]  # ERRANT, CLEME2.0
    for chart in charts:
        assert chart["role"] == "img"
        title, description = (chart["aria-labelledby"] or "").split()
        assert texts[title]
        assert texts[description]
    assert any("eager 92.79" in text for text in texts.values())


def test_page_loads_nothing(page: str) -> None:
    for _, attributes, _ in Reader(page).elements:
        for name, value in attributes.items():
            assert not name.startswith("on"), "handlers are the program's"
            assert name != "style", "the policy forbids it"
            if name in ("src", "href", "xlink:href", "action", "data", "srcset"):
                assert value is None or value.startswith("#"), value
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", page)


def test_policy_allows_only_the_script_and_style_of_the_page(page: str) -> None:
    reader = Reader(page)
    [policy] = [a["content"] for a, _ in reader.named("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    [style] = [text for _, text in reader.named("style")]
    [script] = [text for attributes, text in reader.named("script") if "type" not in attributes]
    for text, rule in ((script, "script-src"), (style, "style-src")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert "eval(" not in script
    assert "innerHTML" not in script


def test_hostile_texts_are_escaped(hostile: str) -> None:
    reader = Reader(hostile)
    assert {tag for tag, _, _ in reader.elements}.isdisjoint({"img", "b"})
    assert len(reader.named("script")) == 5
    assert [text for _, text in reader.named("h1")] == [HOSTILE[1]]
    shown = [text for _, text in reader.named("option")]
    for name in HOSTILE:
        assert printable(name) in shown
    assert document(hostile, "sentences-data")["systems"] == [printable(name) for name in HOSTILE]
    assert HOSTILE[0] in document(hostile, "sentences-data")["sentences"][0]["source"]


def test_names_that_are_not_text_are_replaced() -> None:
    """Names of files that are not UTF-8 or have line breaks."""
    corpus = geceval.Corpus(["a b"], [["a c"]], {"\udcff\n\x07\x1b": ["a c"], "b": ["a b"]})
    page = render(seen(corpus, [geceval.Green()]))
    assert "����" in page
    Reader(page)


def test_same_input_gives_the_same_bytes(page: str) -> None:
    assert example_page() == page
    assert json.dumps(document(page, "report"))


def test_page_has_the_requested_number_of_notable_sentences(page: str) -> None:
    few = example_page(sentences=8)
    which = "the 2 worst by ERRANT, the 2 best by ERRANT, the 2 on which the systems differ most by ERRANT, "
    assert f"8 of 40 sentences: {which}" in few
    assert len(document(few, "sentences-data")["sentences"]) == len(document(few, "evidence-data")) == 8
    assert "All 40 sentences." in page
    none = example_page(sentences=0)
    assert "sentences-data" not in none.split("<script>")[0]
    assert 'id="sentences"' not in none


def test_page_of_one_system_and_metric_has_fewer_sections() -> None:
    corpus = geceval.Corpus(["a b", "c"], [["a c", "c"]], {"only": ["a c", "d"]})
    of_texts = overview(corpus, [geceval.Green()], replace(OPTIONS, pairs="none"), sentences=5, checks=False)
    reader = Reader(render(of_texts))
    sections = {attributes["id"] for attributes, _ in reader.named("section")}
    assert not sections & {"agreement", "types", "groups"}
    of_edits = overview(corpus, [geceval.Errant()], replace(OPTIONS, pairs="none"), sentences=5, checks=False)
    assert "types" in {attributes["id"] for attributes, _ in Reader(render(of_edits)).named("section")}


@dataclass(frozen=True)
class Shorter(Metric[Any]):
    """A metric without references: the share of the source that remains."""

    name: ClassVar[str] = "shorter"
    uses_references: ClassVar[bool] = False
    columns = ("kept", "all")
    policy = Best()

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> Any:
        return corpus

    def count(self, prepared: Any, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        rows = [[[len(text), len(line)]] for text, line in zip(hypothesis, prepared.source, strict=True)]
        return Counts(np.array(rows), self.columns)

    def score(self, totals: Any) -> Any:
        return totals[..., 0] / np.maximum(totals[..., 1], 1)


def test_page_without_references_has_no_classified_edits() -> None:
    corpus = geceval.Corpus(["a b c", "c d"], [], {"A": ["a b", "c d"], "B": ["a b c", "c"]})
    page = render(seen(corpus, [Shorter()]))
    assert "classifies edits" not in page
    assert document(page, "sentences-data")["judge"] is None


def test_report_without_jinja_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_jinja(module: str, *args: Any, **kwargs: Any) -> Any:
        if module.split(".")[0] == "jinja2":
            raise ImportError(module)
        return real(module, *args, **kwargs)

    summary = seen(labelled_examples(), [geceval.Green()], 0)
    monkeypatch.setattr(builtins, "__import__", without_jinja)
    with pytest.raises(MissingExtraError, match="report needs") as error:
        render(summary, PageFacts("x"))
    assert error.value.hint == "pip install 'geceval[report]'"


def test_lines_of_the_outputs_are_counted_if_the_input_is_checked() -> None:
    corpus = labelled_examples()
    refused = [*corpus.systems["careful"][:-5], *["I'm sorry, but I can't help with that ."] * 5]
    corpus = geceval.Corpus(corpus.source, corpus.references, {"careful": corpus.systems["careful"], "mute": refused})
    with pytest.warns(geceval.GecevalWarning) as warned:
        summary = overview(corpus, [geceval.Green()], OPTIONS)
    assert any("5 of its 40 lines are refusals" in str(warning.message) for warning in warned)
    outputs_of_mute = summary.comparison.outputs["mute"]
    assert outputs_of_mute["refusals"] == 5
    page = ReportPage(summary, PageFacts("Outputs"), 2)
    table = page.summary()[0]
    [mute] = [row for row in table.rows if row[0] == "mute"]
    assert (table.heads[-3:], list(mute[-3:])) == (["unchanged", "empty", "refused"], [outputs_of_mute["equal"], 0, 5])
    assert "refused" in page.page()
    assert "refused" not in example_page(3)


def test_every_system_has_one_colour_and_the_source_a_row(tmp_path: Any) -> None:
    corpus = labelled_examples()
    gold = geceval.Corpus(corpus.source, gold=list(geceval.m2.read(EXAMPLES / "gold.m2")), systems=corpus.systems)
    summary = overview(gold.with_unchanged(), [geceval.Errant(), geceval.MaxMatch()], OPTIONS, sentences=5)
    page = render(summary)
    colours = dict(zip(["eager", "careful", "noisy", "(source)"], ["s1", "s2", "s3", "source"], strict=True))
    for name, colour in colours.items():
        assert f'<span class="dot {colour}" aria-hidden="true"></span>{name}</th>' in page
        for title in re.findall(rf'<path class="(\w+) mark[^"]*" d="[^"]*"><title>{re.escape(name)}:', page):
            assert title == colour
    names = [text for attributes, text in Reader(page).named("th") if attributes.get("scope") == "row"]
    assert "(source)" in names
    assert "(gold as text) " in "".join(text for _, text in Reader(page).named("desc"))
    sentences = document(page, "sentences-data")
    assert sentences["systems"][sentences["guard"]] == "(source)"
    assert sentences["guard"] not in sentences["ranked"]


def test_false_alarms_of_all_sentences_are_in_the_summary(page: str) -> None:
    corpus = labelled_examples()
    metric = geceval.make_metric("false-alarms")
    [[result]] = geceval.evaluate(
        geceval.Corpus(corpus.source, corpus.references, {"A": corpus.systems["eager"]}), [metric]
    ).values()
    changed = round(result.score().value * result.score().parts["sentences"])
    assert f"<td>{changed} of {result.score().parts['sentences']:g}</td>" in page
    assert changed > 0


def test_systems_are_correlated_if_there_are_enough() -> None:
    corpus = labelled_examples()
    metrics = [geceval.Errant(), geceval.Green()]
    systems = corpus.systems | {"reference": list(corpus.references[0]), "source": list(corpus.source)}
    for names, is_shown in ((["careful", "eager"], False), ([*systems], True)):
        chosen = geceval.Corpus(corpus.source, corpus.references, {name: systems[name] for name in names})
        rows = ReportPage(seen(chosen, metrics, 0, replace(OPTIONS, samples=500)), PageFacts(), 2).agreement()
        assert rows[1]["cells"][0]["shown"] != "–"
        assert (rows[0]["cells"][1]["shown"] != "–") == is_shown


def test_results_in_words_name_the_systems_that_are_not_shown_to_be_worse() -> None:
    corpus = labelled_examples()
    careful = list(corpus.systems["careful"])
    systems = {"careful": careful, "again": [*careful[:-1], corpus.source[-1]], "source": list(corpus.source)}
    pages = {}
    for baseline in (None, "source"):
        options = replace(OPTIONS, baseline=baseline)
        summary = seen(geceval.Corpus(corpus.source, corpus.references, systems), [geceval.Gleu()], 0, options)
        pages[baseline] = ReportPage(summary, PageFacts(), 2).headline()[0]
    assert re.fullmatch(r"GLEU: \w+ has the best score, but is not shown to be better than \w+\.", pages[None])
    better = "(careful, again|again, careful)"
    assert re.fullmatch(f"GLEU: {better} is shown to be better than source, no system to be worse\\.", pages["source"])


@pytest.mark.parametrize("baseline", [None, "careful"])
def test_a_change_rate_is_no_result_in_words(baseline: str | None) -> None:
    corpus = labelled_examples()
    metric = geceval.make_metric("change-rate")
    page = ReportPage(seen(corpus, [metric], 0, replace(OPTIONS, baseline=baseline)), PageFacts(), 2)
    first, *_ = page.headline()
    assert re.fullmatch(
        r"CHANGE-RATE: \w+ has the highest score, 100\.00 \[.*\], which is neither good nor bad\.", first
    )
    assert "shown to be better" not in page.markdown()


def test_examples_are_the_worst_and_the_most_different_sentences() -> None:
    source, reference = ["a b", "c d", "e f", "g h"], ["a B", "c D", "e F", "g h"]
    systems = {"A": ["a B", "c d", "e x", "g h"], "B": ["a b", "c d", "e x", "g h"]}
    summary = seen(geceval.Corpus(source, [reference], systems), [geceval.Errant()])
    worst, different = ReportPage(summary, PageFacts(), 2).notable().values()
    assert [number for _, number, _, _ in worst] == [3, 2, 1, 4]
    assert different[0] == ("#s=1&system=A&system=B", 1, "0.00 (B) to 100.00 (A)", "a b")
