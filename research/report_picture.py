"""Render docs/report.png: top and sentences of build/demo/report.html in chromium.

make demo && tools/in_environment.sh peers '.[dev,report] playwright axe-playwright-python' research/report_picture.py
"""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
WIDTH = 1280
#: Parts of the page: from the top of the first element to the bottom of the last.
VIEWS = (
    ("body", "main .legend-lines"),
    (".charts", ".charts"),
    ("#sentences h2", "#sentences .legend"),
    ("#s-5", "#s-6"),
)
MARGIN = 10


def main() -> None:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.goto((ROOT / "build/demo/report.html").as_uri() + "#sort=number")
        page.wait_for_selector("#s-6")
        parts = [picture(page, first, last) for first, last in VIEWS]
        browser.close()
    report = Image.new("RGB", (WIDTH, sum(part.height for part in parts)))
    top = 0
    for part in parts:
        report.paste(part, (0, top))
        top += part.height
    report.quantize(96, dither=Image.Dither.NONE).save(ROOT / "docs/report.png", optimize=True)


def picture(page: Page, first: str, last: str) -> Image.Image:
    """Return the page from the top of the first element to the bottom of the last."""
    boxes = [page.locator(name).first.bounding_box() for name in (first, last)]
    start, end = boxes
    assert start is not None
    assert end is not None
    top = max(start["y"] - MARGIN, 0)
    clip = {"x": 0, "y": top, "width": WIDTH, "height": end["y"] + end["height"] + MARGIN - top}
    return Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip)))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
