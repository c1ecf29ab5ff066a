"""Every link of the pages leads somewhere: files and anchors as GitHub makes them; of other addresses the form only.

The built site (``make docs``), where it is, too, and that it asks no network for anything.
"""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.pages import PAGES, ROOT

CHECKED = {**PAGES, **{name: ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md")}}
SITE = ROOT / "build" / "site"


def prose(path: Path) -> str:
    """A page without its fences and indented blocks."""
    text = re.sub(r"^( *)```.*?^\1```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^    .*$", "", text, flags=re.MULTILINE)


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a page's heads: lower case, no punctuation, blanks as hyphens, repeated ones numbered."""
    found: list[str] = []
    for head in re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head).replace("`", "").replace("*", "").strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found.append(anchor if anchor not in found else f"{anchor}-{found.count(anchor)}")
    return frozenset(found)


@pytest.mark.parametrize("page", CHECKED)
def test_links_of_pages(page: str) -> None:
    path = CHECKED[page]
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(path))):
        parts = urlsplit(target)
        if parts.scheme:
            assert parts.scheme == "https", target
            assert "." in parts.netloc, target
            continue
        found = path.parent / unquote(parts.path) if parts.path else path
        assert found.exists(), f"{page}: {target}"
        assert ROOT in found.resolve().parents, f"{page}: {target} is outside of the repository"
        if parts.fragment:
            assert parts.fragment in anchors(found.resolve()), f"{page}: {target}"


def nav() -> list[str]:
    """The pages of the site's table of contents."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return re.findall(r"^ *- .*: (\S+\.md)$", text[text.index("\nnav:") :], re.MULTILINE)


def test_every_page_is_in_the_table_of_contents() -> None:
    """A new page of docs/ needs a line in mkdocs.yml."""
    beside = {"changelog.md", "contributing.md", "api.md", "api-extending.md"}
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert len(nav()) == len(set(nav()))
    assert set(nav()) == pages | beside


class Page(HTMLParser):
    """What a page of the site has: identifiers, links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        self.ids |= {own[name] or "" for name in ("id", "name") if name in own}
        if tag == "a" and own.get("href"):
            self.links.append(own["href"] or "")
        elif tag != "a":
            self.loaded += [own[name] or "" for name in ("src", "href") if name in own]


@pytest.fixture(scope="module")
def site() -> dict[Path, Page]:
    if not SITE.is_dir():
        pytest.skip("no site here; make docs builds it")
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(SITE.rglob("*.html"))}


def test_the_site_asks_no_network(site: dict[Path, Page]) -> None:
    assert len(site) > 50
    for path, page in site.items():
        for target in page.loaded:
            assert not urlsplit(target).netloc, f"{path}: {target}"
    for style in SITE.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\([\"']?(https?:)?//", text), style


def test_links_of_the_site(site: dict[Path, Page]) -> None:
    for path, page in site.items():
        if path.name == "404.html":
            continue  # it has absolute links: it is served for any address
        for target in (*page.links, *page.loaded):
            parts = urlsplit(target)
            if parts.scheme or target.startswith("data:"):
                continue
            found = (path.parent / unquote(parts.path)).resolve() if parts.path not in ("", ".") else path
            found = found / "index.html" if found.is_dir() else found
            assert found.exists(), f"{path}: {target}"
            if parts.fragment and found in site:
                assert unquote(parts.fragment) in site[found].ids, f"{path}: {target}"


def test_formulas_are_made_when_the_site_is(site: dict[Path, Page]) -> None:
    text = (SITE / "metrics" / "errant.html").read_text(encoding="utf-8")
    assert "<math" in text
    assert (SITE / "assets" / "iframe-worker.js").is_file()
