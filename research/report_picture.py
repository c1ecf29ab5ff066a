"""The picture of a report in docs/: top and sentences of build/demo/report.html, in chromium (run as tests/browser is).

make demo && tools/in_environment.sh browser '.[dev,report] playwright axe-playwright-python' research/report_picture.py
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
#: What is shown: from the top of one element to the bottom of another.
VIEWS = (("body", "main .scroll"), (".charts", ".charts"), ("#sentences h2", "#sentences .legend"), ("#s-5", "#s-6"))
MARGIN = 10


def main() -> None:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.goto((ROOT / "build/demo/report.html").as_uri() + "#sort=number")
        pictures = [picture(page, first, last) for first, last in VIEWS]
        browser.close()
    whole = Image.new("RGB", (WIDTH, sum(one.height for one in pictures)))
    top = 0
    for one in pictures:
        whole.paste(one, (0, top))
        top += one.height
    whole.quantize(48, dither=Image.Dither.NONE).save(ROOT / "docs/report.png", optimize=True)


def picture(page: Page, first: str, last: str) -> Image.Image:
    """The page from the top of one element to the bottom of another."""
    boxes = [page.locator(name).first.bounding_box() for name in (first, last)]
    start, end = boxes
    assert start is not None
    assert end is not None
    top = max(start["y"] - MARGIN, 0)
    clip = {"x": 0, "y": top, "width": WIDTH, "height": end["y"] + end["height"] + MARGIN - top}
    return Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip)))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
