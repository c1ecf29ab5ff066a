"""What is in M2 files, in tables, as rows for programs and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from geceval.report.documents import as_json
from geceval.report.numbers import percent
from geceval.report.tables import TABLE_FORMATS, Table
from geceval.text.m2 import Stats

#: Files by name, and what is in them.
Counted: TypeAlias = Sequence[tuple[str, Stats]]


def rendered(files: Counted, output: str) -> str:
    """What is in the files, in one of FORMATS: for programs all figures of all files in one table or document; else
    tables, and of several files one of all and then those of each."""
    if output == "json":
        return as_json("geceval/m2-stats@1", {"files": [_object(name, found) for name, found in files]})
    if output in ("csv", "tsv"):
        heads = ["file", "about", "of", "figure", "value"]
        rows = [[name, *row] for name, found in files for row in _figures(found)]
        return TABLE_FORMATS[output](Table(heads, rows, right=frozenset({4})))
    render = TABLE_FORMATS[output]
    if len(files) == 1:
        [(_, found)] = files
        return f"{found.sentences} sentences, {found.tokens} tokens\n\n" + _tables(found, render)
    parts = [render(_together(files))]
    parts += [f"{name}\n\n{_tables(found, render)}" for name, found in files]
    return "\n".join(parts)


def _tables(found: Stats, render: Callable[[Table], str]) -> str:
    tables = (_annotators(found), _types(found), _lengths(found), _agreement(found))
    return "\n".join(render(table) for table in tables if table.rows)


def _together(files: Counted) -> Table:
    heads = ["file", "sentences", "tokens", "annotators", "edits", "types"]
    rows = [
        [name, *map(str, (one.sentences, one.tokens, len(one.annotators), one.edits, len(one.types)))]
        for name, one in files
    ]
    return Table(heads, rows, right=frozenset(range(1, 6)))


def _annotators(found: Stats) -> Table:
    rows = [
        [str(who), str(a.sentences), str(a.changed), str(a.edits), f"{a.edits / max(a.sentences, 1):.2f}"]
        for who, a in sorted(found.annotators.items())
    ]
    heads = ["annotator", "sentences", "changed", "edits", "edits a sentence"]
    return Table(heads, rows, right=frozenset(range(5)))


def _types(found: Stats) -> Table:
    rows = [[name, str(count), percent(count / found.edits, 1)] for name, count in found.types.most_common()]
    return Table(["type", "edits", "%"], rows, right=frozenset({1, 2}))


def _lengths(found: Stats) -> Table:
    """Rows: source tokens; columns: correction tokens; the last of each stands for all above."""
    most = 5
    cells = [[0] * (most + 1) for _ in range(most + 1)]
    for (source, correction), count in found.lengths.items():
        cells[min(max(source, 0), most)][min(correction, most)] += count
    names = [*map(str, range(most)), f"{most}+"]
    rows = [[name, *map(str, row)] for name, row in zip(names, cells, strict=True) if any(row)]
    return Table(["tokens", *(f"-> {name}" for name in names)], rows, right=frozenset(range(most + 2)))


def _agreement(found: Stats) -> Table:
    rows = [
        [
            f"{one} and {other}", str(a.sentences), percent(a.same / a.sentences, 1),
            str(a.edits), str(2 * a.shared), percent(a.f1, 1),
        ]
        for (one, other), a in sorted(found.agreement.items())
    ]  # fmt: skip
    heads = ["annotators", "sentences", "% the same", "edits", "in common", "F1 of edits"]
    return Table(heads, rows, right=frozenset(range(1, 6)))


# --- for programs ---


def _figures(found: Stats) -> Iterator[list[str]]:
    """Everything as rows: what it is about, of which one, figure, value."""
    for name in ("sentences", "tokens", "edits"):
        yield ["file", "", name, str(getattr(found, name))]
    for who, annotator in sorted(found.annotators.items()):
        for name, value in asdict(annotator).items():
            yield ["annotator", str(who), name, str(value)]
    for name, count in found.types.most_common():
        yield ["type", name, "edits", str(count)]
    for (source, correction), count in sorted(found.lengths.items()):
        yield ["length", f"{source} -> {correction}", "edits", str(count)]
    for (one, other), agreement in sorted(found.agreement.items()):
        for name, value in {**asdict(agreement), "f1": agreement.f1}.items():
            yield ["agreement", f"{one} and {other}", name, str(value)]


def _object(name: str, found: Stats) -> dict[str, Any]:
    return {
        "file": name,
        "sentences": found.sentences,
        "tokens": found.tokens,
        "edits": found.edits,
        "annotators": {str(who): asdict(own) for who, own in sorted(found.annotators.items())},
        "types": dict(found.types.most_common()),
        "lengths": [
            {"source": source, "correction": correction, "edits": count}
            for (source, correction), count in sorted(found.lengths.items())
        ],
        "agreement": [
            {"annotators": list(pair), **asdict(own), "f1": own.f1} for pair, own in sorted(found.agreement.items())
        ],
    }
