"""``geceval m2 diff -i``: the agreement of two correctors in one sheet."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.edits.type_names import CATEGORY_WORDS, type_name
from geceval.metrics.shared.edit_matching import CATEGORIES
from geceval.text.reading.lines import read_lines
from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    """The references of the examples in two columns, of which Ben's is blank for correct sentences."""
    book = openpyxl.Workbook()
    book.active.append(["Nr.", "Learner", "Anna", "Ben"])
    rows = zip(*(map(str, read_lines(path)) for path in ("source.txt", "ref0.txt", "ref1.txt")), strict=True)
    for number, (source, anna, ben) in enumerate(rows, 1):
        book.active.append([number, source, anna, "" if ben == source else ben])
    book.save(tmp_path / "sheet.xlsx")
    return str(tmp_path / "sheet.xlsx")


def table(sheet: str, *options: str) -> tuple[str, ...]:
    columns = ("--source-column", "Learner", "--reference-column", "Anna", "Ben")
    return ("m2", "diff", "-i", sheet, *columns, *options)


def test_columns_have_the_differences_of_their_m2_files(run: Run, sheet: str, tmp_path: Path) -> None:
    for number in (0, 1):
        run("annotate", "-s", "source.txt", "-c", f"ref{number}.txt", "-o", tmp_path / f"{number}.m2")
    files = json.loads(run("m2", "diff", tmp_path / "0.m2", tmp_path / "1.m2", "-f", "json").out)
    assert "empty next to a sentence" in run(*table(sheet)).err
    result = run(*table(sheet, "--blank", "unchanged", "-f", "json"))
    assert result.status == 1
    columns = json.loads(result.out)
    assert columns.pop("files") == ["Anna", "Ben"]
    for key in ("kappa", "f1", "edits", "shared", "types"):
        assert columns[key] == files[key]


@pytest.mark.parametrize("names", ["codes", "words", "german"])
def test_tables_have_types_in_words(run: Run, sheet: str, names: str, snapshot: SnapshotAssertion) -> None:
    assert run(*table(sheet, "--blank", "unchanged", "--totals", "--type-names", names)) == snapshot


def test_workbook_has_the_agreement_in_its_first_sheet(run: Run, sheet: str, tmp_path: Path) -> None:
    output = tmp_path / "agreement.xlsx"
    options = ("--blank", "unchanged", "--type-names", "words", "-o", str(output))
    result = run(*table(sheet, *options))
    assert (result.status, result.out) == (1, "")
    assert "sentences differ" not in run(*table(sheet, *options, "-q")).err
    book = openpyxl.load_workbook(output)
    assert book.sheetnames == ["agreement", "edits that differ", "sentences"]
    agreement, edits, sentences = (list(book[name].iter_rows(values_only=True)) for name in book.sheetnames)
    document = json.loads(run(*table(sheet, "--blank", "unchanged", "-f", "json")).out)
    figures = {row[0]: row[1] for row in agreement}
    number = figures["sentences"] - figures["  with the same edits"]
    assert result.err == f"note: {output}: {number} of 40 sentences differ\n"
    assert figures["kappa of wrong tokens"] == round(document["kappa"], 2)
    assert figures["F1 of edits"] == round(100 * document["f1"], 2)
    assert any("corrected for chance" in str(row[0]) for row in agreement)
    assert len(edits) - 1 == sum(row["types"][0] != row["types"][1] for row in document["rows"])
    assert [row[1] for row in sentences[1:]] == [*map(str, read_lines("source.txt"))]
    assert any(row[0] == "subject-verb agreement" for row in agreement)


@pytest.mark.parametrize(
    ("text", "options"), [("He goes home, she said.", ""), ("เขากลับบ้านเมื่อวานนี้และนอนหลับสบายมาก", "--tokenise english")]
)
def test_hint_for_untokenised_text_names_options_of_the_command(
    run: Run, tmp_path: Path, text: str, options: str
) -> None:
    rows = "".join(f"{text}\t{text}\t{text}\n" for _ in range(30))
    (tmp_path / "t.tsv").write_text(f"Learner\tAnna\tBen\n{rows}", encoding="utf-8")
    source = tmp_path / "s.txt"
    source.write_text(f"{text}\n" * 30, encoding="utf-8")
    for command in (table(str(tmp_path / "t.tsv")), ("annotate", "-s", source, "-c", source)):
        err = run(*command, *options.split()).err
        assert "warning: source: it " in err
        assert "--tokenise auto" in err
        assert "-m " not in err


def test_other_numbers_of_corrections_are_refused(run: Run, sheet: str, snapshot: SnapshotAssertion) -> None:
    assert run("m2", "diff") == snapshot
    assert run("m2", "diff", "-i", sheet, "--source-column", "B", "--reference-column", "C") == snapshot
    assert run(*table(sheet), "gold.m2") == snapshot


def test_every_category_has_words() -> None:
    for words in CATEGORY_WORDS.values():
        assert words.keys() == CATEGORIES | {"UNK"}
    assert type_name("R:VERB:FORM", "words") == "verb form"
    assert type_name("M:PUNCT", "german") == "fehlt: Zeichensetzung"
    assert type_name("U:DET", "words") == "unnecessary: article or determiner"
    assert [type_name(code, "words") for code in ("ArtOrDet", "R", "noop", "SPELL")] == [
        "ArtOrDet",
        "R",
        "noop",
        "spelling",
    ]
