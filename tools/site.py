"""Build the documentation as a site that needs no network: ``make docs``.

    python tools/site.py

Copies the pages (docs/ and EXTRA_PAGES) with adjusted links, and linked files to files/. Builds the site with
Zensical; every warning is an error.
"""

from __future__ import annotations

import argparse
import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Pages outside docs/ and their paths in the site.
EXTRA_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "build/api.md": "api.md",  # written by tools/api.py
    "build/api-extending.md": "api-extending.md",
    "research/choosing-evidence.md": "choosing-evidence.md",
    "research/gaming.md": "gaming.md",
    "research/simulations.md": "simulations.md",
}
#: Target and anchor of a link to a file.
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")


def site_paths() -> dict[str, str]:
    """Return the path in the site of each file of docs/ and of the extra pages, by path from the root."""
    pages = {str(path.relative_to(ROOT)): str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.*")}
    return {**pages, **EXTRA_PAGES}


def relink(text: str, page: str, site_path: Mapping[str, str], linked_files: set[str]) -> str:
    """Return a page with links to the paths in the site; adds targets that are not pages to ``linked_files``."""

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), match[1]))
        if target not in site_path and (ROOT / target).is_file():
            linked_files.add(target)
        path = site_path.get(target, f"files/{target}")
        return posixpath.relpath(path, posixpath.dirname(site_path[page]) or ".") + (match[2] or "")

    return LINK.sub(link, text)


def text_of(origin: str) -> str:
    """Return a page; pages of metrics as tools/metric_pages.py filled them."""
    filled = ROOT / "build" / origin
    return (filled if filled.is_file() else ROOT / origin).read_text(encoding="utf-8")


def lay_out(folder: Path) -> None:
    """Write all pages and the files that they link to into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    site_path, linked_files = site_paths(), set[str]()
    (folder / "assets").mkdir(parents=True)
    for origin, path in site_path.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if origin.endswith(".md"):
            target.write_text(relink(text_of(origin), origin, site_path, linked_files), encoding="utf-8")
        else:
            shutil.copy(ROOT / origin, target)
    for name in ("iframe-worker.js", "site.css"):
        shutil.copy(ROOT / "tools" / name, folder / "assets" / name)
    for origin in linked_files:
        target = folder / "files" / origin
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / origin, target)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    lay_out(ROOT / "build" / "pages")
    # Formulas come from tools/mathml.py.
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    status = subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode
    if status == 0:
        print("build/site/index.html: the documentation; open it in a browser")
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
