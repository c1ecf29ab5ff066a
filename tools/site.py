"""The documentation as a site that needs no network: ``make docs``.

    python tools/site.py

Lays the pages out (docs/, the API reference, CHANGELOG.md and CONTRIBUTING.md, their links turned to the new places;
files that pages link to stand under files/), and has Zensical build them, where every warning is an error.
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
#: Pages that stand beside docs/, and where the site has them.
BESIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "build/api.md": "api.md",  # written by tools/api.py
    "build/api-extending.md": "api-extending.md",
}
#: A link to a file: its text's end, its target, its anchor.
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")


def places() -> dict[str, str]:
    """Where the site has each file of docs/ and the pages beside it, by their paths from the root."""
    own = {str(path.relative_to(ROOT)): str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.*")}
    return {**own, **BESIDE}


def turned(text: str, page: str, known: Mapping[str, str], others: set[str]) -> str:
    """A page with its links turned to where the site has what they are to; ``others`` collects what is no page."""

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), found[1]))
        if target not in known and (ROOT / target).is_file():
            others.add(target)
        place = known.get(target, f"files/{target}")
        return posixpath.relpath(place, posixpath.dirname(known[page]) or ".") + (found[2] or "")

    return LINK.sub(link, text)


def lay_out(folder: Path) -> None:
    """All pages and what they link to, in a folder made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    known, others = places(), set[str]()
    (folder / "assets").mkdir(parents=True)
    for origin, place in known.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if origin.endswith(".md"):
            target.write_text(
                turned((ROOT / origin).read_text(encoding="utf-8"), origin, known, others), encoding="utf-8"
            )
        else:
            shutil.copy(ROOT / origin, target)
    for name in ("iframe-worker.js", "site.css"):
        shutil.copy(ROOT / "tools" / name, folder / "assets" / name)
    for origin in others:
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
