"""Marks of wrong edits in the report: set, undone, stored, exported, counted and imported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import geceval
from browser.conftest import Open
from geceval import m2
from support.examples import REFERENCES, SOURCE
from support.reports import labelled_examples

WRONG = "#list mark.edit.wrong"
FOUND = "#marks-found"


def with_marking_box(page: Page) -> Page:
    page.click("#marking > summary")
    return page


def exported(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click("[data-mark=export]")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def previewed(page: Page) -> dict[str, list[str]]:
    """Return the scores of each system: gold alone, and with the marks."""
    rows = page.locator("#marks-preview tbody tr").all()
    return {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in rows}


def scored(valid: Path | None) -> dict[str, str]:
    """Return the score of each system as ``geceval score`` prints it."""
    metric, corpus = geceval.Errant(valid=None if valid is None else str(valid)), labelled_examples()
    return {
        name: f"{100 * metric.corpus_score(SOURCE, system, REFERENCES).value:.2f}"
        for name, system in corpus.systems.items()
    }


def test_exported_marks_give_the_scores_of_the_preview(opened: Open, examples: Path, tmp_path: Path) -> None:
    page = with_marking_box(opened(examples))
    for at in range(6):
        page.locator(WRONG).nth(at).press("v" if at % 3 else "x")
    expect(page.locator(FOUND)).to_contain_text(re.compile(r"^\d valid, \d not valid; \d+ of \d+ wrong edits left$"))
    path = exported(page, tmp_path)
    assert path.name == "accepted.m2"
    assert not m2.check(path).faults
    preview, before, after = previewed(page), scored(None), scored(path)
    assert preview == {name: [before[name], after[name]] for name in preview}
    assert set(preview) == set(before)
    assert before != after


def test_marking_all_edits_in_order_leaves_none(opened: Open, examples: Path, tmp_path: Path) -> None:
    page = with_marking_box(opened(examples))
    page.click("[data-do=all]")
    for _ in range(200):
        if " 0 of " in page.locator(FOUND).inner_text():
            break
        page.click("[data-mark=next]")
        page.keyboard.press("v")
    expect(page.locator(FOUND)).to_contain_text("; 0 of ")
    preview, after = previewed(page), scored(exported(page, tmp_path))
    assert {name: scores[1] for name, scores in preview.items()} == after


def test_marks_are_undone_commented_stored_and_imported(opened: Open, examples: Path, tmp_path: Path) -> None:
    page = with_marking_box(opened(examples))
    edit = page.locator(WRONG).first
    edit.press("v")
    expect(edit).to_have_attribute("data-verdict", "valid")
    edit.press("x")
    expect(edit).to_have_attribute("data-verdict", "rejected")
    edit.press("u")
    expect(edit).to_have_attribute("data-verdict", "valid")
    edit.press("n")
    page.keyboard.type("a note ||| with bars")
    page.keyboard.press("Enter")
    page.locator(WRONG).nth(1).click()
    page.click("#marker [data-verdict=rejected]")
    path = exported(page, tmp_path)
    edits = [edit for block in m2.read(path) for edit in block.edits]
    assert [edit.comment for edit in edits if not edit.is_noop] == ["a note with bars"]
    page.reload()
    expect(page.locator(WRONG).first).to_have_attribute("data-verdict", "valid")
    expect(page.locator(WRONG).nth(1)).to_have_attribute("data-verdict", "rejected")
    fresh = with_marking_box(opened(examples))
    fresh.set_input_files("#marks-file", path)
    expect(fresh.locator(FOUND)).to_contain_text("1 valid, 1 not valid")
    expect(fresh.locator(FOUND)).to_contain_text("; 2 taken from accepted.m2")
    assert exported(fresh, tmp_path).read_bytes() == path.read_bytes()
    for at in range(2):
        fresh.locator(WRONG).nth(at).press("c")
    expect(fresh.locator(FOUND)).to_contain_text("0 valid, 0 not valid")


def test_proposals_do_not_count_and_do_not_replace_marks(opened: Open, examples: Path, tmp_path: Path) -> None:
    page = with_marking_box(opened(examples))
    for at in range(3):
        page.locator(WRONG).nth(at).press("v")
    path = exported(page, tmp_path)
    proposed = tmp_path / "proposed.m2"
    proposed.write_text(path.read_text("utf-8").replace("REQUIRED|||-NONE-", "PROPOSED|||0.9"), encoding="utf-8")
    page.locator(WRONG).nth(0).press("x")
    for at in (1, 2):
        page.locator(WRONG).nth(at).press("c")
    page.set_input_files("#marks-file", proposed)
    expect(page.locator(FOUND)).to_contain_text("0 valid, 1 not valid, 2 proposed by a judge")
    assert all(edit.is_noop for block in m2.read(exported(page, tmp_path)) for edit in block.edits)
    assert all(before == after for before, after in previewed(page).values())


def test_valid_corrections_of_one_place_are_of_several_annotators(opened: Open, examples: Path, tmp_path: Path) -> None:
    page = with_marking_box(opened(examples))
    overlapping = [(0, 1, "x"), (0, 1, "y"), (0, 2, "z"), (1, 2, "w"), (2, 2, "v"), (2, 2, "u"), (2, 3, "")]
    edits = "".join(f"A {a} {b}|||R|||{word or '-NONE-'}|||REQUIRED|||-NONE-|||0\n" for a, b, word in overlapping)
    marked = tmp_path / "marked.m2"
    marked.write_text(
        f'S a b c\n{edits}A -1 -1|||noop|||-NONE-|||REQUIRED|||rejected [[1,2,"q","R",""]]|||1\n\n', "utf-8"
    )
    page.set_input_files("#marks-file", marked)
    expect(page.locator(FOUND)).to_contain_text("; 8 taken from marked.m2")
    path = exported(page, tmp_path)
    assert not m2.check(path).faults
    [block] = m2.read(path)
    accepted = [edit for edit in block.edits if not edit.is_noop]
    assert sorted((edit.start, edit.end, edit.correction) for edit in accepted) == sorted(overlapping)
    assert {edit.annotator for edit in accepted} == {0, 1, 2}
    for annotator in range(3):
        assert m2.apply(block, annotator)
    assert scored(path) == scored(None)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_marks_have_no_violation_of_accessibility(
    opened: Open, examples: Path, hostile: Path, width: int, scheme: Any
) -> None:
    for path in (examples, hostile):
        page = with_marking_box(opened(path, width=width, color_scheme=scheme, reduced_motion="reduce"))
        if path == examples:  # the other one has no wrong edits
            page.locator(WRONG).first.press("v")
        violations = Axe().run(page).response["violations"]
        assert not [
            (violation["id"], violation["impact"], violation["nodes"][0]["html"][:200]) for violation in violations
        ]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
