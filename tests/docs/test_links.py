"""Links of the pages, and of the site if ``make docs`` has built it.

Links within the repository lead to files and anchors, as GitHub names them; of other addresses, the form is checked.
"""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.pages import PAGES, ROOT

#: Evidence that pages cite; the site has it, too.
RESEARCH = ("research/choosing-evidence.md", "research/gaming.md", "research/simulations.md")
CHECKED = {**PAGES, **{name: ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", *RESEARCH)}}
SITE = ROOT / "build" / "site"
#: Lines that cannot wrap: tables, headings, HTML, and lists of links.
UNWRAPPED = re.compile(r" *\||#|<| *(?:[-*] )?(?:\[[^]\n]*\]\(\S*\)\W*)+$")


def prose(path: Path) -> str:
    """Return a page without its fences and indented blocks."""
    text = re.sub(r"^( *)```.*?^\1```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^    .*$", "", text, flags=re.MULTILINE)


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return the anchors of headings: lower case, hyphens for blanks, no other punctuation, repeated ones numbered."""
    names: list[str] = []
    for heading in re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        names.append(anchor if anchor not in names else f"{anchor}-{names.count(anchor)}")
    return frozenset(names)


@pytest.mark.parametrize("page", CHECKED)
def test_links_of_pages_lead_to_files_and_anchors(page: str) -> None:
    path = CHECKED[page]
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(path))):
        parts = urlsplit(target)
        if parts.scheme:
            assert parts.scheme == "https", target
            assert "." in parts.netloc, target
            continue
        file = path.parent / unquote(parts.path) if parts.path else path
        assert file.exists(), f"{page}: {target}"
        assert ROOT in file.resolve().parents, f"{page}: {target} is outside of the repository"
        if parts.fragment:
            assert parts.fragment in anchors(file.resolve()), f"{page}: {target}"


@pytest.mark.parametrize("page", CHECKED)
def test_lines_of_pages_are_at_most_100_characters(page: str) -> None:
    text = prose(CHECKED[page]).partition("\n## 0.2.0")[0]  # releases until then are not wrapped
    assert [line for line in text.splitlines() if len(line) > 100 and not UNWRAPPED.match(line)] == []


def nav() -> list[str]:
    """Return the pages of the site's table of contents."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return re.findall(r"^ *- .*: (\S+\.md)$", text[text.index("\nnav:") :], re.MULTILINE)


def test_every_page_is_in_the_table_of_contents() -> None:
    """A new page of docs/ needs a line in mkdocs.yml."""
    others = {
        "index.md",
        "changelog.md",
        "contributing.md",
        "api.md",
        "api-extending.md",
        *(Path(page).name for page in RESEARCH),
    }
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert len(nav()) == len(set(nav()))
    assert set(nav()) == pages | others


class Page(HTMLParser):
    """Identifiers and links of a page of the site, and the files it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag != "a":
            self.loaded += [values[name] for name in ("src", "href") if name in values]


@pytest.fixture(scope="module")
def site() -> dict[Path, Page]:
    if not SITE.is_dir():
        pytest.skip("no site here; make docs builds it")
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(SITE.rglob("*.html"))}


def test_site_loads_nothing_from_a_network(site: dict[Path, Page]) -> None:
    assert len(site) > 35
    for path, page in site.items():
        for target in page.loaded:
            assert not urlsplit(target).netloc, f"{path}: {target}"
    for style in SITE.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\([\"']?(https?:)?//", text), style


def test_links_of_the_site_lead_to_files_and_identifiers(site: dict[Path, Page]) -> None:
    for path, page in site.items():
        if path.name == "404.html":
            continue  # served for any address, so its links are absolute
        for target in (*page.links, *page.loaded):
            parts = urlsplit(target)
            if parts.scheme or target.startswith("data:"):
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path not in ("", ".") else path
            file = file / "index.html" if file.is_dir() else file
            assert file.exists(), f"{path}: {target}"
            if parts.fragment and file in site:
                assert unquote(parts.fragment) in site[file].ids, f"{path}: {target}"


def test_site_has_formulas_as_mathml(site: dict[Path, Page]) -> None:
    text = (SITE / "metrics" / "edits.html").read_text(encoding="utf-8")
    assert "<math" in text
    assert (SITE / "assets" / "iframe-worker.js").is_file()
