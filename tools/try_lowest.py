"""Try geceval with the lowest versions that pyproject.toml allows (make test-lowest).

The versions must be installed: the script fails if a package has another one than its bound.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Extras with packages that install within seconds.
EXTRAS = ("arrow", "judge", "office", "plots", "pythainlp", "report", "stats")
INPUTS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
SYSTEMS = ("-c", "systems/careful.txt", "systems/noisy.txt")
#: Command lines in a folder with the examples; several write files that later ones read.
COMMANDS = (
    ("score", *INPUTS, *SYSTEMS),
    ("score", *INPUTS, *SYSTEMS, "--level", "sentence", "-o", "{out}/scores.parquet"),
    ("score", *INPUTS, *SYSTEMS, "-o", "{out}/scores.xlsx"),
    ("compare", *INPUTS, *SYSTEMS, "--samples", "200"),
    ("report", *INPUTS, *SYSTEMS, "-o", "{out}/report.html"),
    ("filter", "-s", "source.txt", "-c", "ref0.txt", "--keep", "edits > 0", "-o", "{out}/pairs.parquet"),
    ("score", "-i", "{out}/pairs.parquet", "-r", "{out}/kept.txt", "-m", "green"),
    ("score", *INPUTS, *SYSTEMS, "--tokenise", "pythainlp", "-m", "green", "-q"),
)


def main() -> None:
    """Check the versions, import all public names, and run the command lines."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"]]
    for extra in EXTRAS:
        requirements += project["optional-dependencies"][extra]
    for requirement in requirements:
        check_version(requirement)
    import geceval

    names = [name for name in geceval.__all__ if getattr(geceval, name, None) is None and not name.startswith("__")]
    assert not names, f"names that cannot be imported: {names}"
    with tempfile.TemporaryDirectory() as folder:
        geceval.score(["He goes ."], ["He goes ."], ["He go ."], "errant").save(Path(folder) / "scores.pdf")
        for words in COMMANDS:
            run([word.format(out=folder) for word in words], Path(folder))
    print(f"{len(requirements)} bounds and {len(COMMANDS)} commands work")


def check_version(requirement: str) -> None:
    """Raise AssertionError if the installed version of a package is not its lower bound."""
    match = re.match(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", requirement)
    assert match is not None, requirement
    installed = importlib.metadata.version(match[1])
    bound = [int(number) for number in match[2].split(".")]
    numbers = [int(number) for number in re.findall(r"\d+", installed)]
    assert numbers[: len(bound)] == bound, f"{match[1]} {installed} is installed, not {match[2]}"


def run(words: list[str], folder: Path) -> None:
    """Run a command line in examples; raises AssertionError if it fails or prints escape sequences into a pipe."""
    if any("kept.txt" in word for word in words):
        from pyarrow import parquet

        kept = parquet.read_table(folder / "pairs.parquet")["hypothesis"].to_pylist()
        (folder / "kept.txt").write_text("".join(f"{text}\n" for text in kept), encoding="utf-8")
    command = [sys.executable, "-m", "geceval", *words]
    environment = os.environ | {"FORCE_COLOR": ""}
    completed = subprocess.run(
        command, cwd=ROOT / "examples", env=environment, capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, f"{' '.join(words)}\n{completed.stderr}"
    assert "\x1b" not in completed.stdout + completed.stderr, f"escape sequences: {' '.join(words)}"


if __name__ == "__main__":
    main()
