"""Corpora for tests of the report: the examples, and texts that want to be more than text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import geceval
from geceval.counting.comparison_options import Options
from geceval.reporting.overview import Overview, overview
from geceval.reporting.report_page import PageFacts, render
from support.examples import REFERENCES, SOURCE, example_lines

#: Few, since these tests are not about the statistics.
OPTIONS = Options(samples=300)

#: Names and texts that break out of elements, attributes, scripts, comments, mathematics and lines, if they are let.
HOSTILE = (
    "<script>window.hurt = 1</script>",
    "</script><img src=x onerror='window.hurt=1'>",
    "</title></style></template><b>",
    '"><svg onload="window.hurt=1">',
    "<!-- ${alert(1)} {{ 7 * 7 }} {% raw %}",
    "$x_1$ \\frac & 'quoted' `ticks`",
    "مرحبا بالعالم \u202eevil",
    "👩‍👩‍👧 e\u0301 ，",
)


def labelled_examples(labels: Sequence[str] | None = None) -> geceval.Corpus:
    """Return the corpus of examples/ without its files, with labels of its sentences."""
    systems = {name: example_lines(f"systems/{name}") for name in ("careful", "eager", "noisy")}
    return geceval.Corpus(SOURCE, REFERENCES, systems, labels=labels)


def hostile_corpus() -> geceval.Corpus:
    """Every hostile text as source, reference, system, label and name; and a sentence of 10^4 tokens."""
    long = " ".join(f"w{k}" for k in range(10_000))
    source = [f"{text} is here" for text in HOSTILE] + [long]
    reference = [f"{text} are here" for text in HOSTILE] + [long]
    systems = {name: [*reference[:at], *source[at:]] for at, name in enumerate(HOSTILE)}
    labels = [*HOSTILE, "long"]
    return geceval.Corpus(source, [reference], systems, labels=labels)


def seen(corpus: geceval.Corpus, metrics: Sequence[Any], sentences: int = 1000, options: Options = OPTIONS) -> Overview:
    groups = corpus.labels
    return overview(corpus, metrics, options, groups=groups, sentences=sentences, checks=False)


def example_page(sentences: int = 1000) -> str:
    """The report of examples/ under some metrics."""
    metrics = [geceval.Errant(), geceval.Green(), geceval.Gleu(), geceval.Cleme2()]
    labels = [f"essay {k % 3}" for k in range(40)]
    return render(seen(labelled_examples(labels), metrics, sentences), PageFacts("Examples"))


def hostile_page() -> str:
    """The report of texts that want to be more than text, and so does its title."""
    return render(seen(hostile_corpus(), [geceval.Errant(), geceval.Green()]), PageFacts(HOSTILE[1], warnings=HOSTILE))
