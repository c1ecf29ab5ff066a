"""One sentence explained: for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TextIO

from geceval.report.documents import as_json
from geceval.report.inline import SIGNS, hanging, marked, visible
from geceval.report.scores import minus
from geceval.report.sentences import Figures, legend, number, sentence_dict
from geceval.report.tables import Table, as_text
from geceval.studies.explaining.attribution import Attribution
from geceval.studies.explaining.evidence_rows import Row
from geceval.studies.explaining.examined_sentences import Output, Scored
from geceval.studies.explaining.explanation import Explanation
from geceval.studies.explaining.sentence_segments import Segment

if TYPE_CHECKING:
    from rich.console import Console

#: How much of a list is shown unless all is asked for.
FEW = 12
#: What the methods of attribution do, in words.
METHODS = {
    "shapley": "the mean gain over all orders of making the edits",
    "add": "the gain of each edit alone, scaled to the sum",
    "sub": "what is lost without each edit, scaled to the sum",
}


@dataclass(frozen=True)
class Shown:
    """How an explanation is shown: its figures, ``full`` lists, for a terminal of this width (None: for none)."""

    figures: Figures
    full: bool = False
    width: int | None = None

    @property
    def few(self) -> int | None:
        """How many things of a list are shown."""
        return None if self.full else FEW


def render_text(explanation: Explanation, how: Shown, out: TextIO) -> None:
    """The sentence, then for each system its version, what edits are worth, and what every metric gives it and why."""
    from rich.console import Console
    from rich.text import Text

    sentence = explanation.sentence
    console = Console(file=out, width=how.width, highlight=False, emoji=False, soft_wrap=True)
    texts = {"source": sentence.source, **{f"ref {name}": text for name, text in sentence.references.items()}}
    console.print(f"sentence {sentence.number}", style="bold")
    hanging(console, [(name, Text(visible(text))) for name, text in texts.items()], how.width)
    for name in sentence.outputs:
        _print_system(console, name, explanation, how)
    for label, why in explanation.without.items():
        console.print(f"\nwhat edits are worth to {label} is not shown: {why}", markup=False)
    console.print()
    console.print(legend(explanation.examined), style="dim", markup=False)


def _print_system(console: Console, name: str, explanation: Explanation, how: Shown) -> None:
    from rich.text import Text

    output, values = explanation.sentence.outputs[name], explanation.attributions.get(name, {})
    console.print()
    console.print(visible(name), style="bold", markup=False)
    named = {"text": output.version} | ({f"ref {output.reference.name}": output.reference} if output.reference else {})
    terminal = how.width is not None
    lines = [(who, marked(version.segments, types=True, terminal=terminal)) for who, version in named.items()]
    hanging(console, lines, how.width)
    if values and output.version.edits:
        console.print()
        console.print(as_text(_worth(output, values, how.figures), how.width).rstrip("\n"), markup=False)
    for label in explanation.examined.metrics:
        scored = output.scores[label]
        console.print()
        console.print(_score_line(label, scored, how.figures), style="bold", markup=False)
        hanging(console, [(who, Text(text)) for who, text in _why(label, scored, how)], how.width)


def _score_line(label: str, scored: Scored, figures: Figures) -> str:
    parts = ", ".join(f"{name} {figures.shown(label, value)}" for name, value in scored.parts.items())
    said = f"  {label} {figures.shown(label, scored.score)}" + (f"  ({parts})" if parts else "")
    if scored.averaged:
        return f"{said}  the mean over {len(scored.names)} references; counts against ref {scored.reference}"
    return f"{said}  against ref {scored.reference}" if scored.reference else said


def _why(label: str, scored: Scored, how: Shown) -> list[tuple[str, str]]:
    """The counts against the chosen reference with their evidence, then what the other references give. Counts that do
    not say what became of something are numbers only, unless all is asked for."""
    rows: dict[str, list[Row]] = {}
    for row in scored.evidence:
        rows.setdefault(row.column, []).append(row)
    lines, plain = [], []
    for column, count in scored.against[scored.chosen].counts.items():
        own = rows.get(column, [])
        if own and (how.full or any(row.outcome is not None for row in own)):
            lines.append((f"{column} {number(count)}", _listed(map(_said, _together(own)), how.few)))
        elif count:
            plain.append(f"{column} {number(count)}")
    if plain:
        lines.append(("counts" if not lines else "further", ", ".join(plain)))
    others = sorted(
        (one for at, one in enumerate(scored.against) if at != scored.chosen), key=lambda one: one.score, reverse=True
    )
    for one in others[: how.few]:
        counts = ", ".join(f"{column} {number(count)}" for column, count in one.counts.items() if count)
        lines.append((f"ref {one.reference}", f"{how.figures.shown(label, one.score)}  ({counts})"))
    if len(others[: how.few]) < len(others):
        lines.append(("", f"and {len(others) - FEW} more references (--full)"))
    return lines


def _listed(items: Iterable[str], few: int | None) -> str:
    all_ = list(items)
    rest = len(all_) - len(all_[:few])
    return ", ".join(all_[:few]) + (f", and {rest} more (--full)" if rest else "")


def _together(rows: Sequence[Row]) -> list[tuple[Row, float]]:
    """Rows that say the same, once, with the sum of their weights."""
    weights: dict[tuple[Any, ...], tuple[Row, float]] = {}
    for row in rows:
        key = (row.text, row.start, row.end, row.type, row.of_reference, row.order)
        first, before = weights.get(key, (row, 0.0))
        weights[key] = first, before + row.weight
    return list(weights.values())


def _said(item: tuple[Row, float]) -> str:
    """An n-gram in quotes, an edit as 3-4 text TYPE; weights other than 1 behind it."""
    row, weight = item
    text = visible(row.text or "")
    if row.start is None or row.end is None:
        said = f"“{text}”" if text else ""
    else:
        said = " ".join(filter(None, [f"{row.start}-{row.end}", text or "∅", visible(row.type or "")]))
    return said if weight == 1 else f"{said} ×{number(weight)}"


def _worth(output: Output, values: Mapping[str, Attribution], figures: Figures) -> Table:
    """A row for each edit, a column for each metric, and below the scores that the values lie between."""
    changed = [segment for segment in output.version.segments if segment.kind != "kept"]  # one for each edit
    said = [
        [f"{SIGNS[segment.outcome]} {_what(segment)}", visible(segment.type), *cells]
        for segment, *cells in zip(
            changed, *(_values(label, own, figures) for label, own in values.items()), strict=True
        )
    ]
    first = next(iter(values.values()))
    edges = [
        ["unchanged", "", *(minus(figures.shown(label, own.source_score)) for label, own in values.items())],
        ["with all edits", "", *(minus(figures.shown(label, own.score)) for label, own in values.items())],
    ]
    notes = [f"what each edit is worth: {first.method}, {METHODS[first.method]}"]
    if first.errors is not None:
        notes.append(f"±: the standard error over {first.orders} orders that were drawn")
    right = frozenset(range(2, 2 + len(values)))
    return Table(["edit", "type", *values], [*said, *edges], right=right, legend=notes, sections=frozenset([len(said)]))


def _what(segment: Segment) -> str:
    source, text = visible(segment.source), visible(segment.text)
    return f"{source}→{text}" if source and text else f"+{text}" if text else f"-{source}"


def _values(label: str, own: Attribution, figures: Figures) -> list[str]:
    values = [("+" if value > 0 else "") + minus(figures.shown(label, value)) for value in own.values]
    if own.errors is None:
        return values
    errors = (figures.shown(label, error) for error in own.errors)
    return [f"{value} ±{error}" for value, error in zip(values, errors, strict=True)]


def render_json(explanation: Explanation, inputs: Mapping[str, Any]) -> str:
    """Everything, evidence included, as numbers; see docs/explaining.md."""
    sentence = sentence_dict(explanation.sentence, explanation.examined, evidence=True)
    values = {
        name: {label: {**asdict(one), "delta": one.delta} for label, one in own.items()}
        for name, own in explanation.attributions.items()
    }
    about = {"judge": explanation.examined.judge, "signatures": explanation.examined.signatures, "sentence": sentence}
    content = {**inputs, **about, "attributions": values, "without_attribution": dict(explanation.without)}
    return as_json("geceval/explanation@1", content)
