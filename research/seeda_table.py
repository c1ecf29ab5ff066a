"""Recompute SEEDA's scores and the agreement of metrics aggregated by TrueSkill; compare with the published numbers.

    python research/seeda_table.py [--data ../shared/data] [--output build]

Two tables, for the metrics that need no model: the scores of SEEDA's 15 systems on all of CoNLL-2014 (README of
tmu-nlp/SEEDA), and Spearman's ρ with people on SEEDA's 12 base systems, for corpus scores and for scores aggregated by
TrueSkill (Goto et al. 2025, arXiv 2502.09416). Writes seeda.md and seeda.json. The exit status is 1 if a number differs
from the published one without a reason in its row.
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
from geceval.base.errors import GecevalError
from geceval.counting.metric_names import make_metric
from geceval.counting.scores import Level
from geceval.counting.system_results import system_results
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import ReportTable, plain_table
from geceval.tables.terminal import as_text
from geceval.text.columns import HypothesisLike
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines

SYSTEMS = (
    *("BART", "BERT-fuse", "GECToR-BERT", "GECToR-ens", "GPT-3.5", "INPUT", "LM-Critic", "PIE", "REF-F", "REF-M"),
    *("Riken-Tohoku", "T5", "TemplateGEC", "TransGEC", "UEDIN-MS"),
)
#: Not among SEEDA's base systems.
NOT_BASE = ("INPUT", "REF-F", "GPT-3.5")

ANNOTATOR = "the published edits of the systems are errant's with a spaCy model, these our own annotator's"
DRAWS = "references are drawn at random, and other seeds were drawn from"
ONE_SENTENCE = "it amounts to 0.79 of one sentence's score; which one, and why, the published data do not tell"


@dataclass(frozen=True)
class Scores:
    """A column of SEEDA's README: percentages by system; ``why`` has reasons for differences by system."""

    name: str
    metric: str
    settings: Mapping[str, Any]
    data: str
    level: Level
    published: Sequence[float]
    why: Mapping[str, str] = field(default_factory=dict)


SCORES = (
    Scores(
        *("M²", "maxmatch", {"beta": 0.5}, "gold", "corpus"),
        (50.3, 62.77, 61.83, 63.53, 53.5, 0.0, 55.5, 59.93, 47.48, 60.12, 64.74, 65.07, 56.29, 68.08, 64.55),
    ),
    Scores(
        *("SentM²", "maxmatch", {"beta": 0.5}, "gold", "mean"),
        (51.29, 63.21, 61.23, 60.37, 53.28, 31.33, 58.0, 60.7, 48.99, 62.3, 64.22, 65.2, 57.59, 68.33, 62.68),
        {"REF-F": ONE_SENTENCE},
    ),
    Scores(
        *("ERRANT", "errant", {"beta": 0.5, "annotator": "builtin:2"}, "ERRANT's gold", "corpus"),
        (46.66, 58.99, 58.05, 61.43, 44.12, 0.0, 52.38, 55.89, 33.24, 54.77, 61.88, 60.65, 51.34, 64.43, 61.33),
        dict.fromkeys(SYSTEMS, ANNOTATOR),
    ),
    Scores(
        *("SentERRANT", "errant", {"beta": 0.5, "annotator": "builtin:2"}, "ERRANT's gold", "mean"),
        (50.31, 61.81, 59.76, 59.64, 49.23, 31.4, 56.41, 59.35, 41.41, 60.11, 63.13, 63.24, 56.08, 66.76, 61.38),
        dict.fromkeys(SYSTEMS, ANNOTATOR),
    ),
    Scores(
        *("GoToScorer", "goto", {"beta": 0.5}, "ERRANT's gold", "corpus"),
        (15.86, 21.1, 18.98, 16.58, 22.85, 0.0, 16.23, 21.07, 21.7, 23.92, 20.94, 20.46, 14.7, 21.93, 18.94),
        dict.fromkeys(SYSTEMS, ANNOTATOR),
    ),
    Scores(
        *("GLEU", "gleu", {}, "texts", "corpus"),
        (63.46, 68.5, 66.56, 65.08, 65.93, 56.6, 64.39, 67.83, 60.34, 67.27, 68.37, 68.81, 65.07, 70.2, 67.41),
        dict.fromkeys(SYSTEMS, DRAWS),
    ),
)


@dataclass(frozen=True)
class Agreement:
    """A metric of Goto et al. with the published ρ on SEEDA-S (base) of its corpus scores and of TrueSkill's.

    The paper was not available; the numbers are quoted from readers' notes on it.
    """

    name: str
    metric: str
    settings: Mapping[str, Any]
    usual: float
    trueskill: float
    why: Mapping[str, str] = field(default_factory=dict)


AGREEMENT = (
    Agreement("ERRANT", "errant", {"annotator": "builtin:2"}, 0.343, 0.706),
    Agreement("GLEU+", "gleu", {"cut": "none"}, 0.902, 0.846),
    Agreement("GREEN", "green", {}, 0.881, 0.846),
)
JUDGMENTS = {"SEEDA-S": "judgments_sent.xml", "SEEDA-E": "judgments_edit.xml"}
AGGREGATIONS = {"usual": "corpus", "TrueSkill": "trueskill"}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), metavar="FOLDER")
    parser.add_argument("--output", type=Path, default=Path("build"), metavar="FOLDER")
    args = parser.parse_args(arguments)
    try:
        document = {"scores": scores(args.data), "agreement": agreement(args.data)}
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    tables = [score_table(document["scores"]), agreement_table(document["agreement"])]
    args.output.mkdir(parents=True, exist_ok=True)
    (args.output / "seeda.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (args.output / "seeda.md").write_text("\n".join(as_markdown(table) for table in tables), "utf-8")
    print("\n".join(as_text(table) for table in tables))
    differences = unexplained([*document["scores"], *document["agreement"]])
    for text in differences:
        print(f"differs from the published number without a reason: {text}", file=sys.stderr)
    return 1 if differences else 0


def outputs(data: Path) -> dict[str, HypothesisLike]:
    """Return the outputs of the systems on all 1312 sentences."""
    return {name: read_lines(data / f"meta/seeda/all/{name}.txt") for name in SYSTEMS}


def scores(data: Path) -> list[dict[str, Any]]:
    """Return the first table as plain data."""
    conll, systems = data / "conll14", outputs(data)
    source = read_lines(conll / "source.txt")
    corpora = {
        "texts": Corpus(source, [read_lines(conll / f"ref{r}.txt") for r in (0, 1)], systems),
        "gold": Corpus(source, [], systems, list(m2.read(conll / "gold.m2"))),
        "ERRANT's gold": Corpus(source, [], systems, list(m2.read(data / "conll14-errant/gold.m2"))),
    }
    rows = []
    for row in SCORES:
        results = system_results(
            corpora[row.data], [make_metric(row.metric, **row.settings)], views=[row.level], checks=False
        )
        ours = {name: 100 * system_results[0].score(row.level).value for name, system_results in results.items()}
        published = {name: (value, 2) for name, value in zip(SYSTEMS, row.published, strict=True)}
        signature = results[SYSTEMS[0]][0].signature(row.level)
        rows.append({"name": row.name, "signature": signature, **compare_with_published(ours, published, row.why)})
    return rows


def agreement(data: Path) -> list[dict[str, Any]]:
    """Return the second table as plain data: ρ and r by data set and aggregation.

    As in gec-metrics, the source is the reference where an annotator has no edits.
    """
    conll, systems = data / "conll14", outputs(data)
    references = [read_lines(conll / f"ref{r}_plain.txt") for r in (0, 1)]
    corpus = Corpus(read_lines(conll / "source.txt"), references, systems)
    metrics = [make_metric(row.metric, **row.settings) for row in AGREEMENT]
    by_column: dict[str, list[dict[str, float]]] = {}
    for judgment_set, name in JUDGMENTS.items():
        judgments = read_judgments(data / "meta/seeda" / name)
        study = make_study(judgments, corpus, numbering="1", exclude=NOT_BASE, judged_only=True)
        for label, aggregation in AGGREGATIONS.items():
            options = StudyOptions(measure="trueskill", aggregation=aggregation, resamples=0)
            results = evaluate_metrics(study, metrics, options).metrics
            by_column[f"{judgment_set} {label}"] = [vars(result.agreement) for result in results]
    return [_agreement(row, {key: rows[k] for key, rows in by_column.items()}) for k, row in enumerate(AGREEMENT)]


def _agreement(row: Agreement, by_column: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    published = {"SEEDA-S usual": (row.usual, 3), "SEEDA-S TrueSkill": (row.trueskill, 3)}
    why = {f"SEEDA-S {label}": reason for label, reason in row.why.items()}
    ours = {key: correlations["spearman"] for key, correlations in by_column.items()}
    return {"name": row.name, **compare_with_published(ours, published, why), "agreement": by_column}


def score_table(rows: Sequence[Mapping[str, Any]]) -> ReportTable:
    """Return a table of our and the published score of each metric, one row per system."""
    heads = ["system", *(head for row in rows for head in (row["name"], "README"))]
    cells = [[name, *(cell for row in rows for cell in format_pair(row, name, 2))] for name in SYSTEMS]
    notes = [*reasons(rows, SYSTEMS), *(f"{row['name']}: {row['signature']}" for row in rows)]
    return plain_table(heads, cells, notes, frozenset(range(1, len(heads))))


def agreement_table(rows: Sequence[Mapping[str, Any]]) -> ReportTable:
    """Return a table of ρ with people's TrueSkill ranking for each aggregation, one row per metric."""
    keys = [f"{judgment_set} {label}" for judgment_set in JUDGMENTS for label in AGGREGATIONS]
    heads = ["metric", *(head for key in keys for head in (key, "paper"))]
    cells = [[row["name"], *(cell for key in keys for cell in format_pair(row, key, 3))] for row in rows]
    notes = [
        "Spearman's ρ over SEEDA's 12 base systems; the paper's figures as readers' notes quote them",
        *reasons(rows, keys),
    ]
    return plain_table(heads, cells, notes, frozenset(range(1, len(heads))))


if __name__ == "__main__":
    sys.exit(main())
