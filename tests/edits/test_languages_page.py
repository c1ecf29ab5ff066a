"""docs/languages.md is true: its languages are as it says."""

from __future__ import annotations

from pathlib import Path

from geceval.edits.languages import LANGUAGES, language_of, make_annotator, types_of
from support.commands import Run

PAGE = (Path(__file__).parents[2] / "docs" / "languages.md").read_text(encoding="utf-8")


def test_each_language_says_what_the_page_says() -> None:
    rows = {cells[0]: cells[2:] for cells in table_after("| part | |")}
    for column, name in enumerate((*LANGUAGES, "plain")):
        annotator = make_annotator(name)
        language = language_of(annotator)
        assert rows["name and version"][column] == f"`{annotator.name}`"
        assert rows["tokeniser"][column] == (f"`{language.tokeniser}`" if language.tokeniser else "")
        assert rows["rules"][column] == f"`{annotator.rules}`"
        said = rows["types"][column]
        assert said == "ERRANT's" if name == "en" else said == f"`{types_of(annotator)}`"
        assert bool(rows["word list"][column]) == (language.words is not None)


def test_pages_and_help_name_every_language(run: Run) -> None:
    for command in ("score", "prepare"):
        assert ", ".join(LANGUAGES) in " ".join(run(command, "--help").out.split())
    assert all(f"`{name}`" in PAGE for name in LANGUAGES)
    changes = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"`--language {'|'.join(LANGUAGES[1:])}|plain|FILE|auto`" in changes


def table_after(head: str) -> list[list[str]]:
    """The rows of the table with this head."""
    lines = PAGE[PAGE.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
