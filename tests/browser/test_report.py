"""The report in use: filters, orders, links, evidence, export, themes, and accessibility."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.conftest import Open
from geceval.tables.svg import printable
from support.reports import HOSTILE

FOUND = "#found"


def numbers(page: Page) -> list[int]:
    """Return the numbers of the listed sentences."""
    return [int(text.removeprefix("Sentence #")) for text in page.locator("#list h3").all_text_contents()]


def rows(page: Page, system: str) -> list[float]:
    """Return the listed scores of a system under the metric of the order."""
    cells = page.locator(f"#list tr.is-system:has(th[title*='{system}']) td.sorted").all_text_contents()
    return [float(cell.replace("−", "-")) for cell in cells]


def test_page_lists_all_sentences_with_the_largest_losses_first(opened: Open, examples: Path) -> None:
    page = opened(examples)
    expect(page.locator("h1")).to_have_text("Examples")
    order = "largest losses of eager against the best other system by ERRANT first"
    expect(page.locator(FOUND)).to_have_text(f"40 of 40 sentences, {order}")
    first = numbers(page)
    page.click(".pager >> nth=0 >> text=next")
    assert sorted([*first, *numbers(page)]) == list(range(1, 41))
    expect(page.locator(".pager >> nth=0 >> [data-turn=next]")).to_be_disabled()


def test_systems_are_selected(opened: Open, examples: Path) -> None:
    page = opened(examples, "#sort=number")
    names = page.locator("#s-1 tr.is-system .who")
    page.uncheck("input[name=system] >> nth=2")
    assert names.all_text_contents() == ["eager", "careful"]
    page.click("[data-do=all]")
    assert names.all_text_contents() == ["eager", "careful", "noisy"]


def test_order_by_loss_has_the_largest_losses_first(opened: Open, examples: Path) -> None:
    page = opened(examples, "#a=noisy&metric=GREEN")
    losses = [
        noisy - max(others)
        for noisy, *others in zip(*(rows(page, name) for name in ("noisy", "careful", "eager")), strict=True)
    ]
    assert losses == pytest.approx(sorted(losses))
    assert losses[0] < -20
    expect(page.locator(FOUND)).to_contain_text("largest losses of noisy against the best other system by GREEN")
    page.select_option("#filters select[name=down]", "1")
    expect(page.locator(FOUND)).to_contain_text("largest gains of noisy against the best other system by GREEN")


def test_systems_with_the_same_output_share_a_row(opened: Open, examples: Path) -> None:
    page = opened(examples, "#sort=number&system=careful&system=noisy&system=eager")
    cards = page.locator("#list article").all()
    texts = [card.locator("tr.is-system td.text").all_text_contents() for card in cards]
    names = [card.locator("tr.is-system .who").all_text_contents() for card in cards]
    assert all(len(set(row)) == len(row) for row in texts)
    assert all(sorted(row) == ["careful", "eager", "noisy"] for row in names)
    assert min(map(len, texts)) < 3


def test_every_reference_has_its_edits_marked(opened: Open, examples: Path) -> None:
    for view in ("inline", "aligned"):
        page = opened(examples, f"#sort=number&view={view}")
        references = page.locator("#s-1 tr.is-reference")
        expect(references).to_have_count(2)
        for reference in references.all():
            assert reference.locator("mark.edit").count()
        expect(page.locator("#s-1 button.why").first).to_be_visible()
        assert page.locator("#s-1 tr.is-system td.num").first.text_content()


def test_aligned_view_has_each_insertion_once(opened: Open, examples: Path) -> None:
    inline = opened(examples, "#sort=number").locator("tr.is-system mark.edit:not(.missed)").count()
    aligned = opened(examples, "#sort=number&view=aligned").locator("tr.is-system mark.edit").count()
    assert inline == aligned


@pytest.mark.parametrize("width", [1280, 375])
def test_filters_are_behind_one_button_on_a_phone(opened: Open, examples: Path, width: int) -> None:
    page = opened(examples, width=width)
    if width < 700:
        expect(page.locator("#filters")).to_be_hidden()
        page.click(".filters-box summary")
    expect(page.locator("#filters")).to_be_visible()


def test_system_has_one_colour(opened: Open, examples: Path) -> None:
    page = opened(examples)
    colour = "(element) => getComputedStyle(element).color"
    for name in ("eager", "careful", "noisy"):
        dots = page.locator(f"[data-sortable] th:has-text('{name}') .dot, label:has-text('{name}') .dot").all()
        dots += page.locator(f"svg path.mark:has(title:text-matches('^{name}: '))").all()
        assert len(dots) >= 4
        assert len({dot.evaluate(colour) for dot in dots}) == 1


def test_sentences_are_filtered_by_type_and_outcome(opened: Open, examples: Path) -> None:
    page = opened(examples)
    page.select_option("#filters select[name=type]", "R:VERB:SVA")
    page.check("input[name=outcome][value=missed]")
    assert page.locator(".pager:visible").count() == 0
    assert 0 < len(numbers(page)) < 40
    for card in page.locator("#list article").all():
        assert card.locator("mark.edit.missed:has-text('R:VERB:SVA')").count()


def test_false_alarms_are_filtered_and_marked(opened: Open, examples: Path) -> None:
    page = opened(examples)
    page.check("input[name=outcome][value=false-alarm]")
    assert page.locator(".pager:visible").count() == 0
    assert numbers(page) == [16, 40]
    eager = page.locator("#s-16 tr:has(th[title=eager]) td.text").text_content() or ""
    assert eager.endswith("(false alarm)")


def test_sentences_are_filtered_by_group(opened: Open, examples: Path) -> None:
    page = opened(examples)
    page.select_option("#filters select[name=group]", "essay 1")
    assert sorted(numbers(page)) == [n for n in range(1, 41) if (n - 1) % 3 == 1]


def test_sentences_are_filtered_by_expression(opened: Open, examples: Path) -> None:
    page = opened(examples)
    page.fill("input[name=text]", r"\bmarket\b|Lisbon")
    assert sorted(numbers(page)) == [1, 2]
    page.fill("input[name=text]", "(")
    expect(page.locator("#text-error")).to_contain_text("not a regular expression")
    expect(page.locator("input[name=text]")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(FOUND)).to_contain_text("0 of 40 sentences")
    page.click("button[type=reset]")
    expect(page.locator("#text-error")).to_be_empty()
    expect(page.locator(FOUND)).to_contain_text("40 of 40 sentences")


def test_sentences_are_ordered_by_score(opened: Open, examples: Path) -> None:
    page = opened(examples)
    page.select_option("#filters select[name=metric]", label="GREEN")
    page.select_option("#filters select[name=sort]", "score")
    page.select_option("#filters select[name=a]", label="noisy")
    scores = rows(page, "noisy")
    assert scores == sorted(scores)
    assert len(set(scores)) > 3
    page.select_option("#filters select[name=down]", "1")
    scores = rows(page, "noisy")
    assert scores == sorted(scores, reverse=True)


def test_sentences_are_ordered_by_difference(opened: Open, examples: Path) -> None:
    page = opened(examples)
    page.select_option("#filters select[name=sort]", "difference")
    page.select_option("#filters select[name=a]", label="careful")
    page.select_option("#filters select[name=b]", label="eager")
    differences = [a - b for a, b in zip(rows(page, "careful"), rows(page, "eager"), strict=True)]
    assert differences == pytest.approx(sorted(differences))
    assert differences[0] < 0


def test_links_restore_the_state_of_the_page(opened: Open, examples: Path) -> None:
    page = opened(examples, "#s=23&system=noisy&sort=score&metric=GREEN&a=noisy&down=1&view=aligned")
    card = page.locator("#s-23")
    expect(card).to_be_focused()
    expect(card).to_have_class("sentence target")
    assert card.locator("table.aligned tr.is-system .who").all_text_contents() == ["noisy"]
    assert page.input_value("#filters select[name=sort]") == "score"
    reopened = opened(examples, "#" + page.url.split("#")[1])
    assert numbers(reopened) == numbers(page)
    first = numbers(page)[0]
    page.click(f"#s-{first} h3 a")
    expect(page.locator(f"#s-{first}")).to_be_focused()
    expect(card).to_have_class("sentence")
    page.evaluate("location.hash = '#s=2&text=market'")
    expect(page.locator(FOUND)).to_contain_text("; sentence 2 is not among them")
    page.click("nav >> text=Types")
    expect(page.locator(FOUND)).to_contain_text("1 of 40")


def test_address_follows_the_form(opened: Open, examples: Path) -> None:
    page = opened(examples)
    page.select_option("#filters select[name=type]", "R:PREP")
    assert page.url.endswith("#type=R%3APREP")
    page.click("button[type=reset]")
    assert page.url.endswith("#")


def test_edit_has_a_tooltip(opened: Open, examples: Path) -> None:
    page = opened(examples)
    mark = page.locator("#s-1 tr.is-system mark.edit.correct").first
    tip = page.locator("[role=tooltip]")
    expect(tip).to_be_hidden()
    mark.hover()
    expect(tip).to_have_text("R:VERB:SVA · ✓ correct (ERRANT) · go → goes")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    mark.focus()
    expect(tip).to_be_visible()
    page.mouse.move(0, 0)
    page.select_option("#filters select[name=sort]", "length")
    expect(tip).to_be_hidden()


def test_edits_have_signs_besides_colours(opened: Open, examples: Path) -> None:
    page = opened(examples)
    for outcome, sign in (("correct", "✓"), ("wrong", "✗"), ("missed", "○")):
        mark = page.locator(f"#list mark.edit.{outcome}").first
        assert (mark.text_content() or "").startswith(f"{sign}{outcome}")


def test_evidence_of_a_score_is_shown_on_request(opened: Open, examples: Path) -> None:
    page = opened(examples, "#s=1&metric=GREEN")
    why = page.locator("#s-1 tr:has(th[title=noisy]) button.why")
    why.focus()
    page.keyboard.press("Enter")
    expect(why).to_have_attribute("aria-expanded", "true")
    evidence = page.locator("#s-1 tr.evidence")
    expect(evidence).to_have_count(1)
    headings = evidence.locator("h4").all_text_contents()
    assert headings[0].startswith("ERRANT ")
    assert headings[1].startswith("GREEN ")
    green = evidence.locator(".metric-evidence > div").nth(1)
    expect(green).to_contain_text("Best reference: 0, of 0 (69.14), 1 (34.01).")
    expect(green).to_contain_text("8 of 10 words right, 0 wrong")
    expect(green.locator("details p")).to_be_hidden()
    green.locator("summary").click()
    expect(green.locator("details p")).to_contain_text("tk_1 6, td_1 1")
    missed = green.locator("p:has(strong:has-text('missed')) code").all_text_contents()
    assert missed[:4] == ["go", "goes", "She go", "go to"]
    assert "goes" in green.locator("p:has(strong:has-text('missed')) code").all_text_contents()
    why.click()
    expect(evidence).to_have_count(0)


def test_filtered_sentences_are_exported(opened: Open, examples: Path, tmp_path: Path) -> None:
    page = opened(examples, "#text=market&system=eager&system=noisy")
    with page.expect_download() as download:
        page.click("[data-do=export]")
    assert download.value.suggested_filename == "sentences.tsv"
    path = tmp_path / "sentences.tsv"
    download.value.save_as(path)
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    head = ["sentence", "group", "system", "ERRANT", "GREEN", "GLEU", "CLEME2.0"]
    assert lines[0] == [*head, "correct", "wrong", "missed", "source", "output", "edits", "false-alarm"]
    assert [line[:3] for line in lines[1:]] == [["1", "essay 0", "eager"], ["1", "essay 0", "noisy"]]
    assert lines[1][7:10] == ["2", "0", "0"]
    assert lines[1][11] == "She goes to the market every Saturday ."


def test_summary_is_sorted_by_its_heads(opened: Open, examples: Path) -> None:
    page = opened(examples)
    table = page.locator("table[data-sortable]").first
    heads, names = table.locator("thead button"), table.locator("tbody th")
    heads.nth(1).click()
    assert names.all_text_contents() == ["eager", "careful", "noisy"]
    heads.nth(1).click()
    assert names.all_text_contents() == ["noisy", "careful", "eager"]
    heads.nth(0).click()
    assert names.all_text_contents() == ["careful", "eager", "noisy"]


def test_charts_of_types_are_selected(opened: Open, examples: Path) -> None:
    page = opened(examples)
    captions = page.locator("#types-shown figcaption")
    assert captions.all_text_contents() == ["ERRANT: eager", "ERRANT: careful"]
    page.select_option("#types-picker select[name=first]", label="noisy")
    expect(captions).to_have_text(["ERRANT: noisy", "ERRANT: careful"])


def test_theme_is_switched(opened: Open, examples: Path) -> None:
    page = opened(examples, color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.click("#theme")
    expect(page.locator("#theme")).to_have_text("Theme: light")
    light = page.evaluate(paper)
    assert light != dark
    page.click("#theme")
    assert page.evaluate(paper) == dark
    ink = "getComputedStyle(document.querySelector('svg.chart text')).fill"
    of_dark = page.evaluate(ink)
    page.emulate_media(color_scheme="light")
    page.click("#theme")
    assert page.evaluate(ink) != of_dark


def test_program_has_no_globals(opened: Open, examples: Path) -> None:
    page = opened(examples)
    kinds = page.evaluate("[typeof Explorer, typeof Sentences, typeof make, typeof tips, typeof readData]")
    assert kinds == ["undefined"] * 5  # typeof also sees names that are not properties of the window


def test_hostile_text_is_escaped(opened: Open, hostile: Path) -> None:
    page = opened(hostile)
    page.click("[data-do=all]")
    page.locator("#list button.why").first.click()
    page.select_option("#filters select[name=view]", "aligned")
    assert page.evaluate("window.hurt") is None
    assert page.locator("img, b, main svg:not(.chart, .shares)").count() == 0
    for at, name in enumerate(HOSTILE, 1):
        assert name in (page.locator(f"#s-{at} tr.is-source").text_content() or "")
        page.select_option("#filters select[name=group]", label=printable(name))
        assert numbers(page) == [at]
        page.select_option("#filters select[name=group]", "")
    page.fill("input[name=text]", "w9999")
    assert numbers(page) == [len(HOSTILE) + 1]
    url = page.url
    reopened = opened(hostile, "#" + url.split("#")[1])
    assert numbers(reopened) == numbers(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_page_has_no_violation_of_accessibility(
    opened: Open, examples: Path, hostile: Path, scheme: Any, width: int
) -> None:
    for path in (examples, hostile):
        page = opened(path, width=width, color_scheme=scheme, reduced_motion="reduce")
        page.locator("#list button.why").first.click()
        for details in page.locator("details").all():
            details.evaluate("(element) => { element.open = true }")
        violations = Axe().run(page).response["violations"]
        faults = [
            (violation["id"], violation["impact"], violation["nodes"][0]["html"][:200]) for violation in violations
        ]
        assert not faults


@pytest.mark.parametrize("width", [1280, 800, 360])
def test_page_is_not_wider_than_the_window(opened: Open, examples: Path, hostile: Path, width: int) -> None:
    for path in (examples, hostile):
        page = opened(path, width=width)
        page.locator("#list button.why").first.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("name", "width", "scheme"), [("light", 1280, "light"), ("dark", 1280, "dark"), ("narrow", 400, "light")]
)
def test_pictures_are_taken_in_both_themes(opened: Open, examples: Path, name: str, width: int, scheme: Any) -> None:
    """The pictures are in build/browser/, for inspection."""
    page = opened(examples, width=width, color_scheme=scheme)
    folder = Path(__file__).parents[2] / "build" / "browser"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", full_page=True)
    assert (folder / f"{name}.png").stat().st_size > 10_000


def test_printed_page_has_no_filters_and_a_white_background(opened: Open, examples: Path) -> None:
    page = opened(examples, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("#filters")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert re.match(r"rgb\(\d{1,2}, ", page.evaluate("getComputedStyle(document.body).color"))
