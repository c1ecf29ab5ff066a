"""Two annotations of one text beside each other: for a terminal, as TSV and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TextIO

from geceval.counting.contract import Outcome
from geceval.report.documents import as_json
from geceval.report.inline import hanging, marked, visible
from geceval.report.numbers import percent, round_half_up
from geceval.report.tables import Table, as_text, written
from geceval.studies.explaining.sentence_segments import Judged, segments
from geceval.text.m2.m2_differences import Diff, DiffRow, Where

if TYPE_CHECKING:
    from rich.text import Text

#: What becomes of an edit if the second annotation is taken for the reference: correct is in both, wrong only in the
#: first, missed only in the second; what is in both with other types is none of these.
SIGNS: dict[Outcome | None, str] = {"correct": "=", "wrong": "<", "missed": ">", None: "~"}
COLOURS: dict[Outcome | None, str] = {"correct": "green", "wrong": "red", "missed": "blue", None: "yellow"}


def render_text(
    diff: Diff,
    names: Sequence[str],
    out: TextIO,
    *,
    sentences: bool = True,
    types: bool = False,
    digits: int = 2,
    width: int | None = None,
) -> None:
    """The sentences in which something differs, coloured where ``out`` is a terminal, and tables below; ``width``: of
    the terminal, None where there is none: lines are not folded then. ``types``: of all edits."""
    from rich.console import Console

    console = Console(file=out, width=width, highlight=False, emoji=False, soft_wrap=True)
    if sentences and not diff.is_equal:
        for (at, pair), rows in groupby(diff.rows(all=True), lambda row: (row.sentence, row.pair)):
            own = list(rows)
            if all(row.is_same for row in own):
                continue
            console.print(f"{at + 1}{_who(diff, pair)}", style="bold", markup=False)
            tokens = str(diff.one.source[at]).split()
            lines = [
                (visible(name), _line(tokens, lane, terminal=width is not None))
                for side, name in enumerate(names)
                for lane in _lanes([row for row in own if row.types[side] is not None], side, types)
            ]
            hanging(console, lines, width)
            console.print()
        legend = f"= in both   < only in {names[0]}   > only in {names[1]}   ~ in both, with another type"
        console.print(visible(legend), style="dim", markup=False)
        console.print()
    for table in (_summary(diff, names, digits), _types(diff, names, digits)):
        if table.rows:
            console.print(as_text(table, width), markup=False)


def _line(tokens: Sequence[str], lane: Iterable[Judged], *, terminal: bool) -> Text:
    return marked(segments(tokens, lane), types=True, terminal=terminal, signs=SIGNS, colours=COLOURS)


def _lanes(rows: Iterable[DiffRow], side: int, types: bool) -> list[list[Judged]]:
    """A side's edits, in as many lines as it takes so that none overlap; one line where there are none. Types are shown
    where they differ, or of all edits."""
    lanes: list[list[Judged]] = [[]]
    for row in rows:
        outcome: Outcome | None = "correct" if row.is_same else _ALONE[row.where]
        type_ = row.types[side] if types or (row.where == "both" and not row.is_same) else ""
        edit = Judged(row.start, row.end, row.correction, type_ or "", outcome)
        lane = next((lane for lane in lanes if not lane or lane[-1].end <= edit.start), None)
        if lane is None:
            lanes.append(lane := [])
        lane.append(edit)
    return lanes


_ALONE: dict[Where, Outcome | None] = {"one": "wrong", "other": "missed", "both": None}


def _summary(diff: Diff, names: Sequence[str], digits: int) -> Table:
    """One row a figure."""
    kappa = "-" if diff.kappa is None else round_half_up(diff.kappa, digits)
    rows = [
        ["sentences", str(len(diff))],
        ["  with the same edits", str(diff.alike)],
        [f"edits in {names[0]}", str(diff.edits[0])],
        [f"edits in {names[1]}", str(diff.edits[1])],
        ["edits in both", str(diff.shared)],
        ["  with another type", str(diff.retyped)],
        ["F1 of edits", percent(diff.f1, digits)],
        ["F1 of spans", percent(diff.spans_f1, digits)],
        ["kappa of wrong tokens", kappa],
    ]
    notes = [
        f"{name}: no line in {count} sentence{'' if count == 1 else 's'}, taken as no edit"
        for name, count in zip(names, diff.absent, strict=True)
        if count
    ]
    return Table(["", "figure"], rows, right=frozenset({1}), notes=notes)


def _types(diff: Diff, names: Sequence[str], digits: int) -> Table:
    rows = [[name, *map(str, own.edits), str(own.both), percent(own.f1, digits)] for name, own in diff.types.items()]
    return Table(["type", *names, "in both", "F1"], rows, right=frozenset({1, 2, 3, 4}))


def _who(diff: Diff, pair: int) -> str:
    """Which annotators, where there are several."""
    if len(diff.pairs) == 1:
        return ""
    one, other = diff.pairs[pair]
    return f", annotator {one}" if one == other else f", annotators {one} and {other}"


# --- for programs ---


def render_tsv(diff: Diff) -> str:
    """A row for each edit of either annotation: sentence from 1 on, annotators, span, source tokens, correction, where
    it is, and its type in the first and in the second."""
    heads = ["sentence", "annotators", "start", "end", "source", "correction", "in", "type_1", "type_2"]
    names = {"one": "1", "other": "2", "both": "both"}
    rows = [
        [
            str(row.sentence + 1),
            "{}:{}".format(*diff.pairs[row.pair]),
            str(row.start),
            str(row.end),
            _tokens(diff, row),
            row.correction,
            names[row.where],
            *(type_ or "" for type_ in row.types),
        ]
        for row in diff.rows(all=True)
    ]
    return written(Table(heads, rows), "tsv")


def _tokens(diff: Diff, row: DiffRow) -> str:
    return " ".join(str(diff.one.source[row.sentence]).split()[row.start : row.end])


def render_json(diff: Diff, names: Sequence[str]) -> str:
    """All figures, and every edit of either annotation."""
    content: dict[str, Any] = {
        "files": list(names),
        "annotators": [list(pair) for pair in diff.pairs],
        "equal": diff.is_equal,
        "sentences": len(diff),
        "alike": diff.alike,
        "edits": list(diff.edits),
        "shared": diff.shared,
        "retyped": diff.retyped,
        "absent": list(diff.absent),
        "f1": diff.f1,
        "spans_f1": diff.spans_f1,
        "kappa": diff.kappa,
        "types": {name: {"edits": list(own.edits), "both": own.both, "f1": own.f1} for name, own in diff.types.items()},
        "rows": [
            {
                "sentence": row.sentence + 1,
                "annotators": list(diff.pairs[row.pair]),
                "start": row.start,
                "end": row.end,
                "source": _tokens(diff, row),
                "correction": row.correction,
                "in": {"one": [1], "other": [2], "both": [1, 2]}[row.where],
                "types": list(row.types),
            }
            for row in diff.rows(all=True)
        ],
    }
    return as_json("geceval/m2-diff@1", content)
