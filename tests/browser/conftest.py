"""Pages in chromium, driven by Playwright; messages on the console and requests fail the test."""

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
        # Chromium has no sandbox as root, as in containers of CI.
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
    """A function that opens a file from disk, without a network."""
    contexts, messages = [], []

    def call(
        path: Path, hash_: str = "", *, wait_for: str = "#list article", width: int = 1280, **options: Any
    ) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on(
            "request", lambda request: messages.append(request.url) if not request.url.startswith("file:") else None
        )
        page.goto(path.as_uri() + hash_)
        page.wait_for_selector(wait_for, state="attached")  # the script of a report decompresses the sentences
        return page

    yield call
    for context in contexts:
        context.close()
    assert not [line for line in messages if not line.startswith("blob:")], messages
