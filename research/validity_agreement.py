"""Measure the agreement of a judge of edits with PEVData (JELV, AAAI 2026): docs/valid-edits.md.

    python research/validity_agreement.py PEVData.json [--model NAME --server URL]

PEVData.json is data/benchmark/PEVData.json of github.com/yuhao-zhan/JELV. Its pairs have no references. Without
``--model`` the judges are two simple rules, as baselines.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from geceval.base.errors import GecevalError, InputError
from geceval.metrics.judging.judge import Answer, Judge, Request
from geceval.metrics.judging.judged_metric import EditsInView, SingleEdit, judge_validity
from geceval.metrics.llm import Llm
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import ReportTable, TableColumn, TableRow, table_columns


@dataclass(frozen=True)
class StandIn(Judge):
    """A judge with confidence 100 for each edit, or with the similarity of the characters of both sides."""

    rule: str

    @property
    def name(self) -> str:
        return self.rule

    def answer(self, request: Request) -> Answer:
        data = json.loads(request.user.split("----- data begin -----\n")[1].split("\n----- data end -----")[0])
        return Answer(json.dumps({key: self._confidence(data[key]) for key in request.keys}))

    def _confidence(self, change: dict[str, str]) -> int:
        if self.rule == "always valid":
            return 100
        return round(100 * difflib.SequenceMatcher(None, change["from"], change["to"], autojunk=False).ratio())


def read_pairs(path: Path) -> tuple[list[EditsInView], list[bool]]:
    """Return the edits of the data and whether people judged them valid."""
    try:
        rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        sides = [[side.partition("]: ")[2] for side in row["Edit"].split(" -> ")] for row in rows]
        edits = [SingleEdit(before, after, row["S2-hyp"]) for (before, after), row in zip(sides, rows, strict=True)]
        views = [EditsInView(row["S1-src"], [], [edit]) for row, edit in zip(rows, edits, strict=True)]
        return views, [bool(row["Human Judgment"]) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"not PEVData: {error!r}", path=path) from None


def agreement_scores(confidences: Sequence[int | None], valid: Sequence[bool], least: int) -> list[float | None]:
    """Return accuracy, precision, recall and F1 of valid edits, Cohen's kappa, area under the ROC curve."""
    certainty = np.array([-1 if confidence is None else confidence for confidence in confidences])
    people, judge = np.array(valid), certainty >= least
    agreed, accuracy = (judge & people).sum(), (judge == people).mean()
    precision, recall = agreed / judge.sum() if judge.any() else None, agreed / people.sum()
    chance = judge.mean() * people.mean() + (1 - judge.mean()) * (1 - people.mean())
    gaps = certainty[people][:, np.newaxis] - certainty[~people]
    area = ((gaps > 0) + (gaps == 0) / 2).mean()
    f1 = 2 * agreed / (judge.sum() + people.sum())
    return [accuracy, precision, recall, f1, (accuracy - chance) / (1 - chance), area]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--server")
    parser.add_argument("--least", type=int, default=50)
    options = parser.parse_args(arguments)
    try:
        views, valid = read_pairs(options.data)
        models = [options.model] if options.model else [StandIn("always valid"), StandIn("alike characters")]
        rows: list[TableRow] = []
        for model in models:
            answers = [confidences[0] for confidences in judge_validity(Llm(model=model, server=options.server), views)]
            rows.append(
                [
                    str(getattr(model, "name", model)),
                    *agreement_scores(answers, valid, options.least),
                    answers.count(None),
                ]
            )
    except GecevalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    scores = table_columns("score", "accuracy", "precision", "recall", "F1", "kappa", "ROC area", percent=True)
    table = ReportTable([TableColumn("judge"), *scores, TableColumn("unread", "count", digits=0)], rows)
    print(f"{len(valid)} edits, {sum(valid)} of them valid\n\n{as_markdown(table, 1)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
