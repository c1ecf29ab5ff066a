"""Reports in chromium, driven by Playwright; whatever a page says on its console fails the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from conftest import CHROMIUM
from support.reports import example_page, hostile_page

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # As root, as in containers of CI, chromium has no sandbox; the pages are ours.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "examples.html"
    path.write_text(example_page(), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "hostile.html"
    path.write_text(hostile_page(), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Opens a file, from disk and without network."""
    contexts, said = [], []

    def call(path: Path, hash_: str = "", *, width: int = 1280, **how: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **how)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
        page.goto(path.as_uri() + hash_)
        return page

    yield call
    for context in contexts:
        context.close()
    assert not [line for line in said if not line.startswith("blob:")], said
