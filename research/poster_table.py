"""Recompute the two tables of GREEN's poster and compare them with the published numbers.

    python research/poster_table.py [--data ../shared/data] [--output build] [--encoder MODEL [--layer N]]

Correlations with Expected Wins on CoNLL-2014 (Koyama et al., the poster of GREEN), and the scores of four outputs by
metric. Writes poster.md and poster.json. PT-M² needs an encoder: a folder, or a name known to transformers (the
poster's is bert-base-uncased). The exit status is 1 if a number differs from the published one without a reason in
``ROWS``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from published import compare_with_published, format_pair, reasons, unexplained

from geceval import m2
from geceval.agreement.judgments import read_judgments
from geceval.agreement.meta_evaluation import evaluate_metrics
from geceval.agreement.study import StudyOptions, make_study
from geceval.agreement.study_results import MetricResult
from geceval.base.errors import GecevalError
from geceval.counting.metric import Metric
from geceval.counting.metric_names import make_metric
from geceval.counting.system_results import system_results
from geceval.tables.file_formats import as_markdown
from geceval.tables.number_text import round_half_up
from geceval.tables.table import ReportTable, plain_table
from geceval.tables.terminal import as_text
from geceval.text.columns import HypothesisLike
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines

#: Outputs of the second table: best system by people, unchanged source, worst system, empty lines.
OUTPUTS = ("AMU", "INPUT", "IPN", "NULL")
BERT = "bert-base-uncased"
RELEASE = "the poster used another release of ERRANT than the published files (2.3.3)"
EMPTY = (
    "CLEME 1.0 drops empty texts, the hypothesis among them; 33.44 is most likely annotator 0 against annotator 1"
    " (33.46 with the published edits). An empty output hits nothing"
)
ANNOTATOR = "the poster's edits are an ERRANT release's with a spaCy model, these our own annotator's"


@dataclass(frozen=True)
class Row:
    """A row of the poster: published r, rho, seconds per system and, if published, scores of ``OUTPUTS``.

    ``data`` is the name of the corpus (see ``corpora``); ``why`` has reasons for differences by column.
    """

    name: str
    metric: str
    settings: Mapping[str, Any]
    data: str
    correlation: tuple[float, float] | None
    seconds: float | None
    scores: tuple[float, float, float, float] | None = None
    why: Mapping[str, str] = field(default_factory=dict)


ROWS = (
    Row("M²", "maxmatch", {"beta": 0.5}, "gold", (0.623, 0.687), 4.34, (35.01, 0.0, 7.09, 28.01)),
    Row(
        *("ERRANT, published edits", "errant", {"beta": 0.5}, "published edits", (0.644, 0.687), 12.35),
        (31.97, 0.0, 5.95, 0.20),
        dict.fromkeys(("r", "ρ", "AMU", "IPN"), RELEASE),
    ),
    Row(
        *("ERRANT, own annotator", "errant", {"beta": 0.5, "annotator": "builtin:2"}, "text", (0.644, 0.687), 12.35),
        (31.97, 0.0, 5.95, 0.20),
        dict.fromkeys(("r", "ρ", "AMU", "IPN", "NULL"), ANNOTATOR),
    ),
    Row(
        *("CLEME", "cleme", {"weights": "length"}, "published edits", (0.648, 0.709), 10.15),
        (25.14, 0.0, 4.41, 33.44),
        {"NULL": EMPTY},
    ),
    Row(
        *("wordGLEU", "gleu", {"n": 4, "variant": "paper"}, "text", (0.696, 0.445), 2.69),
        (58.08, 56.34, 55.08, 0.0),
    ),
    Row(
        "charGLEU", "gleu", {"n": 6, "unit": "char", "blanks": "all", "variant": "paper"}, "text", (0.606, 0.593), 5.00
    ),
    Row(
        *("wordGREEN", "green", {"n": 4, "beta": 2.0}, "text", (0.741, 0.698), 0.55),
        (79.26, 76.93, 76.31, 43.46),
        {"AMU": "the released green tool, too, gives 79.2482"},
    ),
    Row("charGREEN", "green", {"n": 6, "unit": "char", "blanks": "all", "beta": 2.0}, "text", (0.786, 0.813), 1.94),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), metavar="FOLDER")
    parser.add_argument("--output", type=Path, default=Path("build"), metavar="FOLDER")
    parser.add_argument("--encoder", metavar="MODEL", help="for PT-M²: a folder or a name known to transformers")
    parser.add_argument("--layer", type=int, metavar="N", help="of the encoder, from 1 (default: the usual one)")
    args = parser.parse_args(arguments)
    rows = ROWS if args.encoder is None else (*ROWS, ptm2_row(args.encoder, args.layer))
    try:
        document = build(args.data, rows)
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    tables = [correlation_table(document), score_table(document)]
    args.output.mkdir(parents=True, exist_ok=True)
    (args.output / "poster.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (args.output / "poster.md").write_text("\n".join(as_markdown(table) for table in tables), "utf-8")
    print("\n".join(as_text(table) for table in tables))
    differences = unexplained(document["rows"])
    for text in differences:
        print(f"differs from the poster without a reason: {text}", file=sys.stderr)
    return 1 if differences else 0


def ptm2_row(encoder: str, layer: int | None) -> Row:
    """Return the row of PT-M²; an encoder other than the poster's explains every difference."""
    reason = f"the poster's encoder is {BERT}, this one {encoder}"
    why = {} if encoder == BERT and layer is None else dict.fromkeys(("r", "ρ", *OUTPUTS), reason)
    settings = {"model": encoder, "layer": layer, "beta": 0.5}
    return Row("PT-M²", "ptm2", settings, "gold", (0.686, 0.786), 109.82, (35.94, 0.0, 5.72, 2.44), why)


def corpora(data: Path) -> dict[str, Corpus]:
    """Return the corpora by the name that rows use."""
    conll = data / "conll14"
    source = read_lines(conll / "source.txt")
    references = [read_lines(conll / f"ref{r}.txt") for r in (0, 1)]
    texts: dict[str, HypothesisLike] = {path.stem: read_lines(path) for path in sorted(conll.glob("systems/*.txt"))}
    folder = data / "conll14-errant"
    edits: dict[str, HypothesisLike] = {
        path.stem: list(m2.read(path)) for path in sorted(folder.glob("*.m2")) if path.stem != "gold"
    }
    edits["NULL"] = texts["NULL"]  # its edits are not published
    return {
        "text": Corpus(source, references, texts),
        "gold": Corpus(source, references, texts, list(m2.read(conll / "gold.m2"))),
        "published edits": Corpus(source, references, edits, list(m2.read(folder / "gold.m2"))),
    }


def build(data: Path, rows: Sequence[Row] = ROWS) -> dict[str, Any]:
    """Return both tables as plain data."""
    judgments = read_judgments(data / "meta/gjg15/judgments.xml")
    corpora_by_data = corpora(data)
    studies = {kind: make_study(judgments, corpus, numbering="0") for kind, corpus in corpora_by_data.items()}
    rows_of_table = []
    for row in rows:
        metric = make_metric(row.metric, **row.settings)
        [result] = evaluate_metrics(studies[row.data], [metric], StudyOptions(resamples=0)).metrics
        rows_of_table.append(compare_row(row, result, output_scores(metric, corpora_by_data[row.data])))
    return {"people": "Expected Wins", "rows": rows_of_table}


def output_scores(metric: Metric, corpus: Corpus) -> dict[str, float]:
    """Return the corpus scores in percent of those ``OUTPUTS`` that the corpus has."""
    systems = {name: corpus.systems[name] for name in OUTPUTS if name in corpus.systems}
    subset = Corpus(corpus.source, corpus.references, systems, corpus.gold)
    return {
        name: 100 * tallies[0].score().value for name, tallies in system_results(subset, [metric], checks=False).items()
    }


def compare_row(row: Row, result: MetricResult, scores: Mapping[str, float]) -> dict[str, Any]:
    """Return a row of the document: our and the published numbers, and reasons for differences."""
    agreement = result.agreement
    published: dict[str, tuple[float, int]] = {}
    if row.correlation is not None:
        published |= {key: (value, 3) for key, value in zip(("r", "ρ"), row.correlation, strict=True)}
    if row.scores is not None:
        published |= {key: (value, 2) for key, value in zip(OUTPUTS, row.scores, strict=True)}
    ours = {"r": agreement.pearson, "ρ": agreement.spearman, **scores}
    return {
        "name": row.name,
        "signature": result.scores.signature,
        "data": row.data,
        "seconds": {"ours": result.scores.seconds, "published": row.seconds},
        **compare_with_published(ours, published, row.why),
    }


def correlation_table(document: Mapping[str, Any]) -> ReportTable:
    """Return the first table: correlation with people, and seconds for evaluating one system."""
    heads = ["metric", "r", "poster", "ρ", "poster", "s/system", "poster"]
    rows = []
    for row in document["rows"]:
        seconds = row["seconds"]
        times = [round_half_up(seconds["ours"], 3), round_half_up(seconds["published"], 2)]
        rows.append([row["name"], *format_pair(row, "r", 3), *format_pair(row, "ρ", 3), *times])
    notes = [
        f"people: {document['people']} on CoNLL-2014, 12 systems and INPUT",
        *reasons(document["rows"], ("r", "ρ")),
    ]
    notes.append(
        "seconds: ours here, all cores, the references prepared once for all systems; the poster's on its machine"
    )
    notes += [f"{row['name']}: {row['signature']}, from {row['data']}" for row in document["rows"]]
    return plain_table(heads, rows, notes, frozenset(range(1, len(heads))))


def score_table(document: Mapping[str, Any]) -> ReportTable:
    """Return the second table: scores of ``OUTPUTS``."""
    heads = ["metric", *(head for name in OUTPUTS for head in (name, "poster"))]
    rows = [
        [row["name"], *(cell for name in OUTPUTS for cell in format_pair(row, name, 2))] for row in document["rows"]
    ]
    return plain_table(heads, rows, reasons(document["rows"], OUTPUTS), frozenset(range(1, len(heads))))


if __name__ == "__main__":
    sys.exit(main())
