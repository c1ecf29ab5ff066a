"""Workbooks are tables, Word documents are text, and CSV is written as a workbook."""

from __future__ import annotations

import csv
import io
import re
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.base.errors import GecevalError
from geceval.text.office import WorkbookWriter
from geceval.text.reading.lines import read_lines
from support.commands import Run
from support.messages import message_of

openpyxl = pytest.importorskip("openpyxl")
docx = pytest.importorskip("docx")

HEAD = ["source", "reference", "hypothesis"]
ROW = ["Tom sing .", "Tom sings .", "Tom sings ."]


def workbook(path: Path, **sheets: Sequence[Sequence[Any]]) -> str:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


def with_fonts(path: str) -> str:
    """Replace the tags <strike> and <b> in cells by fonts, as Excel stores them: in the table of shared texts."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    texts: list[str] = []

    def shared(cell: re.Match[str]) -> str:
        runs = re.findall(r"&lt;(strike|b)&gt;(.*?)&lt;/\1&gt;|([^&<]+)", cell[1])
        fonts = (
            f"<r>{f'<rPr><{font}/></rPr>' * bool(font)}<t>{marked or plain}</t></r>" for font, marked, plain in runs
        )
        texts.append(f"<si>{''.join(fonts)}</si>")
        return f't="s"><v>{len(texts) - 1}</v></c>'

    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = re.sub(r't="inlineStr"><is><t[^>]*>([^<]*&lt;[^<]*)</t></is></c>', shared, parts[sheet])
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{main}">{"".join(texts)}</sst>'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace("</Types>", override)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def document(path: Path, *paragraphs: str) -> str:
    text = docx.Document()
    for paragraph in paragraphs:
        text.add_paragraph(paragraph)
    text.save(path)
    return str(path)


def test_workbook_is_a_table(tmp_path: Path) -> None:
    rows = [[*HEAD, "level"], [*ROW, 2.0], [], [7, 7, None, "B"], [None], [None]]
    corpus = geceval.read_table(workbook(tmp_path / "t.xlsx", Data=rows, Notes=[]), labels="level", blank="empty")
    assert list(corpus.source) == ["Tom sing .", "7"]
    assert corpus.systems["hypothesis"] == ["Tom sings .", ""]
    assert corpus.labels == ["2", "B"]
    bare = geceval.read_table(workbook(tmp_path / "u.xlsx", Data=[ROW] * 3), header=False, source="1", hypothesis="2")
    assert len(bare) == 3


def test_sheet_is_the_one_with_the_columns_or_is_named(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", Notes=[["note"], ["x"]], Data=[HEAD, ROW])
    assert list(geceval.read_table(path).source) == ["Tom sing ."]
    path = workbook(tmp_path / "u.xlsx", One=[HEAD, ROW], Two=[HEAD, ["We was .", "We were .", ""]])
    assert list(geceval.read_table(path, format="xlsx:Two", blank="unchanged").source) == ["We was ."]


def test_workbooks_that_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    damaged = tmp_path / "damaged.xlsx"
    damaged.write_bytes(Path(workbook(tmp_path / "whole.xlsx", Data=[HEAD, ROW])).read_bytes()[:2000])
    paths = [
        workbook(tmp_path / "two.xlsx", One=[HEAD, ROW], Two=[HEAD, ROW]),
        workbook(tmp_path / "other.xlsx", One=[["a"], ["b"]], Two=[["c"], ["d"]]),
        workbook(tmp_path / "empty.xlsx", One=[]),
        workbook(tmp_path / "error.xlsx", One=[HEAD, ["#NAME?", "a", "b"]]),
        workbook(tmp_path / "wide.xlsx", One=[HEAD, [*ROW, "", "more"]]),
        workbook(tmp_path / "blank.xlsx", One=[HEAD, ROW, [], ["Tom\nsing", "a", "b"]]),
        str(damaged),
    ]
    assert "\n".join(message_of(geceval.read_table, path) for path in paths) == snapshot
    assert message_of(geceval.read_table, paths[0], format="xlsx:Ones") == snapshot


def test_paragraphs_of_word_are_lines_under_any_name(tmp_path: Path, run: Run) -> None:
    source = document(tmp_path / "essay.docx", "Er gehen nach Hause.", "", "  ", "Ich bin da.\nGut\tso.")
    assert list(read_lines(source)) == ["Er gehen nach Hause.", "Ich bin da.", "Gut so."]
    corrected = document(tmp_path / "corrected.txt", "Er geht nach Hause.", "Ich bin da.", "", "Gut so.")
    result = run("score", "-s", source, "-r", corrected, "-c", corrected, "-m", "errant", "--language", "de")
    assert "100.00" in result.out
    assert "S Er gehen nach Hause.\nA 1 2" in run("annotate", "-s", source, "-c", corrected).out


def test_tracked_changes_and_damaged_documents_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    text = docx.Document()
    run_element = text.add_paragraph("Tom ").add_run("sings")._element
    insertion = docx.oxml.OxmlElement("w:ins")
    run_element.addprevious(insertion)
    insertion.append(run_element)
    text.save(tmp_path / "tracked.docx")
    damaged = tmp_path / "damaged.docx"
    damaged.write_bytes((tmp_path / "tracked.docx").read_bytes().replace(b"word/document", b"word/dokument", 1))
    cut = tmp_path / "cut.docx"
    cut.write_bytes((tmp_path / "tracked.docx").read_bytes()[:9000])
    for path in (tmp_path / "tracked.docx", damaged, cut):
        assert message_of(read_lines, str(path)) == snapshot


def test_struck_out_words_are_refused_in_columns_that_are_read(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    struck = [HEAD, ROW, ["Tom <strike>sing</strike><b>sings</b> .", "Tom sings .", "Tom sings ."]]
    assert message_of(geceval.read_table, with_fonts(workbook(tmp_path / "struck.xlsx", Data=struck))) == snapshot
    # Words in bold, a cell that is struck out as a whole, and columns that are not read are no reason to stop.
    row = ["Tom <b>sings</b> .", "<strike>sing</strike>", "Tom sings .", "or <strike>sing</strike>"]
    corpus = geceval.read_table(with_fonts(workbook(tmp_path / "other.xlsx", Data=[[*HEAD, "remark"], row])))
    assert (list(corpus.source), [list(texts) for texts in corpus.references]) == (["Tom sings ."], [["sing"]])

    text = docx.Document()
    paragraph = text.add_paragraph("Tom ")
    paragraph.add_run("sings").font.strike = False
    run_element = paragraph.add_run("sing")
    text.save(tmp_path / "plain.docx")
    assert list(read_lines(tmp_path / "plain.docx")) == ["Tom singssing"]
    for name, attribute in (("single", "strike"), ("double", "double_strike")):
        setattr(run_element.font, attribute, True)
        text.save(tmp_path / f"{name}.docx")
        assert message_of(read_lines, str(tmp_path / f"{name}.docx")) == snapshot
        setattr(run_element.font, attribute, None)


def test_text_of_tables_and_of_alternative_content_is_read_once(tmp_path: Path) -> None:
    text = docx.Document()
    text.add_paragraph("One")
    text.add_table(1, 2).rows[0].cells[1].text = "Two"
    text.save(tmp_path / "table.docx")
    assert list(read_lines(tmp_path / "table.docx")) == ["One", "Two"]


def written(rows: Sequence[Sequence[str]]) -> list[tuple[Any, ...]]:
    text, raw = io.StringIO(), io.BytesIO()
    csv.writer(text).writerows(rows)
    with WorkbookWriter(raw) as stream:
        stream.write(text.getvalue().encode())
    return list(openpyxl.load_workbook(raw).active.iter_rows(values_only=True))


@given(st.lists(st.text("a=-+@'\"1.,\n ü", min_size=1), min_size=1))
def test_texts_of_a_workbook_are_texts(cells: list[str]) -> None:
    [row] = written([cells])
    for cell, value in zip(cells, row, strict=True):
        assert str(value) == cell or float(value) == float(cell)


def test_tables_are_written_as_workbooks(examples: None, run: Run, tmp_path: Path) -> None:
    files = ("-s", "source.txt", "-r", "ref0.txt", "-c", "systems/careful.txt", "-m", "errant", "-d", "3")
    target = str(tmp_path / "scores.xlsx")
    assert run("score", *files, "-o", target).status == 0
    head, row = openpyxl.load_workbook(target).active.iter_rows()
    assert [cell.value for cell in head] == ["system", "ERRANT"]
    assert (row[1].data_type, row[1].number_format) == ("n", "0.000")
    sentences = str(tmp_path / "sentences.xlsx")
    assert run("score", *files, "--level", "sentence", "-o", sentences).status == 0
    plain = run("score", *files, "--level", "sentence", "-f", "csv").out
    rows = list(openpyxl.load_workbook(sentences).active.iter_rows(values_only=True))
    assert [float(row[1]) for row in rows[1:]] == [float(row[1]) for row in list(csv.reader(io.StringIO(plain)))[1:]]


def test_what_a_workbook_cannot_hold_is_an_error() -> None:
    for text in ("a\x01b", "x" * 40_000):
        with pytest.raises(GecevalError, match="a workbook"):
            written([[text]])


def test_missing_packages_are_named(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    table, text = workbook(tmp_path / "t.xlsx", Data=[HEAD, ROW]), document(tmp_path / "t.docx", "Tom")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    monkeypatch.setitem(sys.modules, "docx", None)
    for command in (("-i", table), ("-s", text, "-r", text, "-c", text), ("-i", table, "-o", str(tmp_path / "o.xlsx"))):
        assert "hint: pip install 'geceval[office]'" in run("score", *command).err


def test_merged_cells_have_the_text_of_the_first_row(tmp_path: Path) -> None:
    rows = [HEAD, ROW, [None, "Tom sang .", None], ["We was .", "We were .", "We is ."], [None, "We are .", None]]
    path = workbook(tmp_path / "t.xlsx", Data=rows)
    book = openpyxl.load_workbook(path)
    for cells in ("A2:A3", "C2:C3", "A4:A5", "C4:C5"):
        book.active.merge_cells(cells)
    book.save(path)
    with pytest.warns(match=r"cells that are merged with one above have its text: 4 \(first A3\)"):
        corpus = geceval.read_table(path, id="source")
    assert (list(corpus.source), list(corpus.systems["hypothesis"])) == (
        ["Tom sing .", "We was ."],
        [ROW[2], "We is ."],
    )
    assert [list(texts) for texts in corpus.references] == [["Tom sings .", "We were ."], ["Tom sang .", "We are ."]]


def test_struck_out_words_that_a_program_wrote_into_the_sheet_are_refused(tmp_path: Path) -> None:
    from openpyxl.cell.rich_text import CellRichText, TextBlock
    from openpyxl.cell.text import InlineFont

    path = workbook(tmp_path / "t.xlsx", Data=[HEAD, ROW])
    book = openpyxl.load_workbook(path)
    book.active["B2"] = CellRichText("Tom ", TextBlock(InlineFont(strike=True), "sing "), "sings .")
    book.save(path)
    with pytest.raises(GecevalError, match="the cell in column reference has struck-out words"):
        geceval.read_table(path)


def test_hidden_rows_are_read_with_a_warning(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", Data=[HEAD, ROW, ROW, ROW])
    book = openpyxl.load_workbook(path)
    for row in (3, 4, 9):  # the last one is empty
        book.active.row_dimensions[row].hidden = True
    book.save(path)
    with pytest.warns(match=r"rows that are hidden, as by a filter, are read, too: 2 \(first 3\)"):
        assert len(geceval.read_table(path).source) == 3


def test_formulas_without_a_value_are_refused_in_columns_that_are_read(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", Data=[[*HEAD, "copy"], ROW, [*ROW[:2], "=B2", "=A2"]])
    with pytest.raises(GecevalError, match="the cell in column hypothesis has a formula without a value") as caught:
        geceval.read_table(path)
    assert caught.value.line == 3
    assert list(geceval.read_table(path, hypothesis="reference", references=[]).source) == [ROW[0]] * 2


def test_formulas_have_their_stored_values_also_an_empty_one(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", Data=[[*HEAD, "reference 2"], [*ROW[:2], "=B2", "=IF(1,A9,A9)"]])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            content = re.sub(rb'(<c r="C2")(><f>.*?</f>)<v ?/?>(?:</v>)?', rb'\1 t="str"\2<v>Tom sings .</v>', content)
            archive.writestr(name, re.sub(rb'(<c r="D2")(><f>)', rb'\1 t="str"\2', content))
    with pytest.warns(match="reference 2: 1 of 1 rows is empty"):
        corpus = geceval.read_table(path)
    assert list(corpus.systems["hypothesis"]) == ["Tom sings ."]
    assert [list(texts) for texts in corpus.references] == [["Tom sings ."], [None]]


def test_header_that_is_repeated_in_a_sheet_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", one=[HEAD, ROW, HEAD, ROW])
    with pytest.raises(GecevalError, match="the header again: tables were joined") as caught:
        geceval.read_table(path)
    assert caught.value.line == 3  # type: ignore[attr-defined]


def test_notes_of_cells_are_warned_of(tmp_path: Path) -> None:
    from openpyxl.comments import Comment

    path = workbook(tmp_path / "t.xlsx", one=[HEAD, ROW])
    book = openpyxl.load_workbook(path)
    book.active["C2"].comment = Comment("Tom sang .", "a teacher")
    book.save(path)
    with pytest.warns(geceval.GecevalWarning, match="t.xlsx: notes of cells are not read"):
        assert list(geceval.read_table(path).systems["hypothesis"]) == [ROW[2]]
