"""How well edits found in text agree with published ones, and how much tables of treebanks know.

    PYTHONPATH=tests python -m support.language_table [--data ../shared/data/languages]

Agreement is in spans and corrections, whatever the types: F1 over all edits of annotator 0, the target being what the
published edits make of the source. The third table scores corpora of four languages by every metric
that needs no network and no judge: a system that corrects every second sentence as the first annotator does, beside
the source. docs/languages.md has the first table, tests/conformance/languages.md the other two.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from textwrap import fill

from geceval import Corpus, evaluate
from geceval.base.errors import GecevalError, GecevalWarning
from geceval.counting.metric_names import make_metric, parse_specs
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.languages.treebanks import Word, make_table, read_words
from geceval.m2 import Block, Blocks, Overlaps, fitting, read, resolve_overlaps
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import ReportTable, plain_table

FILES = {
    "German, published": "de/fm-dev/gold.m2",
    "German, jp_errant": "de/fm-dev/jp-errant.m2",
    "Czech, published": "cs/geccc/gold.m2",
    "Czech, jp_errant": "cs/geccc-small/jp-errant.m2",
    "Ukrainian": "uk/ua-gec-train/gold.m2",
}
LANGUAGES = ("plain", "de", "cs", "cs:generic", "builtin:3")
#: Corpora by name, with the rule for their overlapping edits.
SCORED: dict[str, tuple[str, Overlaps]] = {
    "Estonian, EstGEC-L2": ("et/estgec-dev/gold.m2", "longest"),
    "Russian, LORuGEC val": ("ru/lorugec/val.m2", "error"),
    "Russian, LORuGEC test": ("ru/lorugec/test.m2", "error"),
    "Arabic, QALB-2014": ("ar/qalb/qalb14-dev.m2", "error"),
    "Arabic, QALB-2015": ("ar/qalb/qalb15-dev.m2", "error"),
    "Korean, KoLLA": ("ko/kolla/kolla.tsv", "error"),
}
METRICS = "errant maxmatch cleme cleme2 goto green gleu false-alarms".split()
TREEBANKS = {"German": "de_gsd", "Czech": "cs_cac", "Ukrainian": "uk_iu"}


def span_f1(blocks: Sequence[Block], extractor: Extractor) -> float:
    """See the module."""
    targets = Blocks.of(blocks).corrected(0, "plain")
    extracted = extractor.extract([(block.source, str(target)) for block, target in zip(blocks, targets, strict=True)])
    shared = total = 0
    for block, proposed in zip(blocks, extracted, strict=True):
        published, ours = (
            {(edit.start, edit.end, " ".join(edit.correction.split())) for edit in edits}
            for edits in (block.edits_of(0), proposed)
        )
        shared += len(published & ours)
        total += len(published) + len(ours)
    return 2 * shared / total


@cache
def fitting_blocks(path: Path) -> list[Block]:
    return list(fitting(read(path)))


@cache
def span_f1_of(path: Path, annotator: str) -> float:
    """Return the span F1 of an annotator, by name, with the fitting blocks of a file."""
    return span_f1(fitting_blocks(path), Extractor(make_annotator(annotator)))


def agreement(data: Path) -> ReportTable:
    """Span F1 of each language with each file."""
    rows = [
        [name, *(f"{span_f1_of(data / where, language):.3f}" for language in LANGUAGES)]
        for name, where in FILES.items()
    ]
    heads = ["edits of", *(f"`{language}`" for language in LANGUAGES)]
    return plain_table(heads, rows, right=frozenset(range(1, len(heads))))


def treebank(data: Path, name: str, part: str) -> Iterator[Word]:
    return read_words(str(data / "ud" / f"{name}-{part}.conllu.gz"))


def whole_treebank(data: Path, name: str) -> Iterator[Word]:
    """Both parts that are there, as the tables in the package are made of them."""
    return chain.from_iterable(treebank(data, name, part) for part in ("dev", "test"))


def knowledge(data: Path) -> ReportTable:
    """Of the dev part, what a table of the test part has right: part of speech, lemma, and the lemma of ``plain``."""
    rows = []
    for language, name in TREEBANKS.items():
        table = make_table(treebank(data, name, "test"), "xx")
        words = list(treebank(data, name, "dev"))
        answers = [(table.lemma_and_pos(word.form), word) for word in words]
        right = [
            sum(pos == word.pos for (_, pos), word in answers),
            sum(lemma == word.lemma.casefold() for (lemma, _), word in answers),
            sum(word.form.casefold() == word.lemma.casefold() for word in words),
            sum(word.form not in table.forms and word.form.casefold() not in table.forms for word in words),
        ]
        rows.append([language, f"{len(words):,}", *(f"{number / len(words):.3f}" for number in right)])
    heads = ["treebank", "words", "part of speech", "lemma", "lemma by `plain`", "unseen"]
    return plain_table(heads, rows, right=frozenset(range(1, len(heads))))


def half_corrected(path: Path, overlaps: Overlaps) -> Corpus:
    """A corpus with two systems: every second sentence as the first annotator corrects it, and the source."""
    if path.suffix == ".m2":
        # EstGEC lacks empty lines between some blocks.
        gold = resolve_overlaps(Blocks.parse(re.sub(rb"(?m)^S ", b"\nS ", path.read_bytes())), overlaps)
        source, corrected, references = list(map(str, gold.source)), gold.corrected(0, "plain"), []
    else:
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        source, *references = map(list, zip(*(row for row in rows if len(row) > 1), strict=True))  # 8 lack corrections
        gold, corrected = None, references[0]  # type: ignore[assignment]
    half = [str(corrected[s]) if s % 2 else line for s, line in enumerate(source)]
    return Corpus(source, references, {"half": half, "source": source}, gold, overlaps=overlaps)


def every_metric(data: Path) -> tuple[ReportTable, list[str]]:
    """The scores of the corpora by every metric, and why there is none."""
    rows, reasons = [], []
    for name, (where, overlaps) in SCORED.items():
        corpus = half_corrected(data / where, overlaps)
        cells = []
        for spec in METRICS:
            [(metric, settings)] = parse_specs([spec])
            instance = make_metric(metric, **settings)
            instance = replace(instance, annotator="plain") if "annotator" in instance.settings else instance
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", GecevalWarning)
                    score = evaluate(corpus, [instance], views=["corpus"], checks=False)["half"][0].score()
                cells.append(f"{100 * score.value:.2f}")
            except (GecevalError, GecevalWarning) as error:
                cells.append("–")
                reasons.append(f"- {name}, {instance.label}: {getattr(error, 'message', error)}")
        rows.append([name, f"{len(corpus):,}", f"`{overlaps}`" if overlaps != "error" else "", *cells])
    heads = ["corpus", "sentences", "overlaps", *(make_metric(name).label for name in METRICS)]
    return plain_table(heads, rows, right=frozenset({1, *range(3, len(heads))})), reasons


def page_table(table: ReportTable) -> str:
    """The table as the page has it: its heads contain code."""
    return as_markdown(table).replace("\\`", "`")


def scores_section(data: Path) -> str:
    """The third table, in Markdown."""
    table, reasons = every_metric(data)
    return "\n".join([page_table(table), *(fill(reason, 100, subsequent_indent="  ") for reason in reasons), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(__file__).resolve().parents[3] / "shared"
    parser.add_argument("--data", type=Path, default=shared / "data" / "languages")
    args = parser.parse_args()
    for table in (agreement(args.data), knowledge(args.data)):
        sys.stdout.write(page_table(table) + "\n")
    sys.stdout.write(scores_section(args.data))


if __name__ == "__main__":
    main()
