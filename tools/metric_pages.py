"""Fill the pages of metrics for the site: settings and agreement with people.

    .venv/bin/python tools/metric_pages.py -o build    # part of make docs; writes docs/metrics/*.md in the folder

Settings come from the catalogue that ``geceval metrics NAME`` prints, agreement from the tables of
``research/choosing-evidence.md``. They stand in place of a marker, such as ``<!-- settings: errant -->``.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import geceval
from geceval.counting.metric import Scale
from geceval.inspection.metric_facts import PAGES, MetricFacts, SettingFacts, metric_facts

DOCS = Path(__file__).resolve().parents[1] / "docs"
EVIDENCE = DOCS.parent / "research" / "choosing-evidence.md"
AGREEMENT = "[Agreement with people](../../research/choosing-evidence.md):"
HEAD = ("setting and default", "values", "meaning")
#: Metrics whose table leaves out the settings that equal those of another metric.
SHARED_WITH = {
    "maxmatch": "errant",
    "net-benefit": "errant",
    "cleme": "errant",
    "cleme2": "cleme",
    "spans": "errant",
    "pterrant": "ptm2",
    "impara": "scribendi",
    "impara-ged": "impara",
    "some": "scribendi",
    "dsgram": "llm",
}
#: Metrics with their names in the tables of the evidence, and the ends of the names of their rows.
AT_BETAS = (", β 0.5", ", β 2")
MEASURED = {
    "green": ("GREEN", AT_BETAS),
    "gleu": ("GLEU", ("",)),
    "maxmatch": ("MaxMatch", AT_BETAS),
    "errant": ("ERRANT", AT_BETAS),
    "goto": ("GoToScorer", AT_BETAS),
    "cleme": ("CLEME", AT_BETAS),
    "cleme2": ("CLEME2.0", ("",)),
}
#: Rows of agreement: table of the evidence, label, and whether the row is shown at β 0.5, too.
FIGURES = (("systems", "r of systems", True), ("sentences", "share of verdicts", False))


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose first row is its head."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "".join(f"{line}\n" for line in (head, f"|{'---|' * len(rows[0])}", *body))


def wrapped(text: str) -> str:
    """Return text in lines of at most 100 characters that do not end inside code."""
    unbreakable = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)
    return textwrap.fill(unbreakable, 100, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def setting_row(setting: SettingFacts) -> list[str]:
    """Return the cells of a setting: its name with the default, as typed, and the values and the meaning."""
    default = "" if setting.default_text == "empty" else setting.default_text
    values = ", ".join(f"`{value}`" for value in setting.values.split(", ")) if setting.choices else setting.values
    return [f"`{setting.name}={default}`", values, setting.meaning]


def settings_part(facts: MetricFacts) -> str:
    """Return the facts, the table of settings, and the names of the settings that are not in it."""
    roles = {field.name: field.metadata.get("role") for field in dataclasses.fields(facts.cls)}
    equal = metric_facts(SHARED_WITH[facts.name]) if facts.name in SHARED_WITH else None
    rows, shared, unsigned = [], [], []
    for setting in facts.settings:
        if roles[setting.name] == "unsigned":
            unsigned.append(setting)
        elif equal is not None and setting in equal.settings:
            shared.append(setting)
        else:
            rows.append(setting_row(setting))
    parts = []
    if equal is not None and shared:
        parts.append(f"As in {reference_to(equal, facts.page)}: {names(shared)}.")
    if unsigned:
        parts.append(f"Without effect on numbers: {names(unsigned)}.")
    text = f"{wrapped(facts_line(facts))}\n\n{pipe_table([HEAD, *rows])}"
    return f"{text}\n{wrapped(' '.join(parts))}\n" if parts else text


def names(settings: Sequence[SettingFacts]) -> str:
    """Return the names of settings."""
    return ", ".join(f"`{setting.name}`" for setting in settings)


def section_of(facts: MetricFacts) -> str:
    """Return the section of a page that describes a metric: the one with its marker."""
    assert facts.page is not None
    sections = re.split(r"^(?=## )", (DOCS / facts.page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return next(section for section in sections if marker_of(facts.name) in section)


def marker_of(name: str) -> str:
    """Return the line of a page in whose place the settings and the agreement of a metric stand."""
    return f"<!-- settings: {name} -->\n"


def reference_to(facts: MetricFacts, page: str | None) -> str:
    """Return the title of a metric's section, with a link if it is on another page."""
    title = section_of(facts).splitlines()[0].removeprefix("## ")
    return title if facts.page == page else f"[{title}]({Path(facts.page or '').name}#{title.lower()})"


def range_text(scale: Scale) -> str:
    """Return the range of a score as tables show it."""
    factor = 100 if scale.in_percent else 1
    low, high = factor * scale.low, factor * scale.high
    text = f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
    text = "any number" if math.isinf(low) else text
    return text if scale.higher_is_better else f"{text}, lower is better"


def facts_line(facts: MetricFacts) -> str:
    """Return the range of the score, the needs of the metric and its class."""
    metric, class_name = facts.cls(), facts.cls.__name__
    about = {
        "Range in tables": range_text(metric.scale),
        "needs": facts.needs + (", all systems" if metric.pool is not None else ""),
        **({"extra": f"`{facts.cls.about.extra}`"} if facts.cls.about.extra else {}),
        "Python": f"`{'geceval' if hasattr(geceval, class_name) else facts.cls.__module__}.{class_name}`",
    }
    return "; ".join(f"{name}: {value}" for name, value in about.items()) + "."


def evidence_table(text: str, name: str) -> list[list[str]]:
    """Return the cells of a table of the evidence, with its head."""
    table = re.search(r"(?:^\|.*\n)+", text[text.index(f"<!-- begin: {name} -->") :], re.MULTILINE)
    assert table is not None
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table[0].splitlines()]
    return [rows[0], *rows[2:]]


def agreement_part(name: str) -> str:
    """Return the figures of a metric in the evidence."""
    text = EVIDENCE.read_text(encoding="utf-8")
    title, suffixes = MEASURED[name]
    rows: list[list[str]] = []
    for table, figure, at_all_betas in FIGURES:
        head, *body = evidence_table(text, table)
        rows = rows or [["", *(re.sub(r" \(\d+\)", "", column) for column in head[1:])]]
        cells = {row[0]: row[1:] for row in body}
        for suffix in suffixes if at_all_betas else suffixes[-1:]:
            rows.append([f"{figure}{suffix}", *(cell.split()[0] for cell in cells[f"{title}{suffix}"])])
    return pipe_table(rows)


def parts(name: str) -> str:
    """Return what stands in place of a metric's marker."""
    settings = settings_part(metric_facts(name))
    return f"{settings}\n{AGREEMENT}\n\n{agreement_part(name)}" if name in MEASURED else settings


def with_parts(page: str, names: Iterable[str]) -> str:
    """Return a page with the settings and the agreement of its metrics in place of their markers."""
    for name in names:
        before, after = page.split(marker_of(name))
        page = f"{before}{parts(name)}{after}"
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    folder = parser.parse_args().output / "docs" / "metrics"
    folder.mkdir(parents=True, exist_ok=True)
    for page in dict.fromkeys(PAGES.values()):
        metrics = [name for name in PAGES if PAGES[name] == page]
        text = (DOCS / page).read_text(encoding="utf-8")
        (folder.parent / page).write_text(with_parts(text, metrics), encoding="utf-8")


if __name__ == "__main__":
    main()
