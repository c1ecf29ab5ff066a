"""Tables as LaTeX, compiled in an article of two columns: none is too wide."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support.commands import run_main
from support.examples import EXAMPLES

#: Test sets of three suites, each with its title and its lines.
SUITES = {
    "conll": (
        "CoNLL-2014",
        f'gold = "{EXAMPLES}/gold.m2"\nmetrics = ["maxmatch", "errant"]\n\n[sets.conll-errant]\ntitle = "CoNLL-2014"\n'
        f'gold = "{EXAMPLES}/gold.m2"\nmetrics = ["errant"]\noutputs = ["conll"]',
    ),
    "bea": (
        "BEA-2019 dev",
        f'source = "{EXAMPLES}/source.txt"\nreferences = ["{EXAMPLES}/ref0.txt"]\nmetrics = ["errant", "green"]',
    ),
    "jfleg": (
        "JFLEG dev",
        f'source = "{EXAMPLES}/source.txt"\nreferences = ["{EXAMPLES}/ref0.txt", "{EXAMPLES}/ref1.txt"]\n'
        'metrics = ["gleu"]',
    ),
}
#: Systems, and the examples that are their outputs.
SYSTEMS = {"GECToR-XLNet": "careful", "T5-Large": "eager", "GPT_4o & co": "noisy", "50%": "careful"}
SYSTEMS |= {"one": "eager", "two": "noisy"}
ARTICLE = r"""\documentclass[twocolumn]{article}
\usepackage[utf8]{inputenc}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three suites and the outputs of six systems."""
    for name, (title, lines) in SUITES.items():
        text = f'title = "{title}"\n\n[sets.{name}]\ntitle = "{title}"\n{lines}\n'
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        for system, example in SYSTEMS.items():
            path = tmp_path / "outputs" / system / f"{name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(EXAMPLES / f"systems/{example}.txt", path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def latex(*line: str | Path) -> str:
    """Return the output of a command as LaTeX."""
    result = run_main([*map(str, line), "-f", "latex"])
    assert result.status == 0, result.err
    return result.out


def compiled(folder: Path, tables: list[str]) -> str:
    """Return the log of an article with these tables, each in the environment that it names."""
    floats = []
    for at, table in enumerate(tables):
        (folder / f"table{at}.tex").write_text(table, encoding="utf-8")
        environment = "table" if "% in an article of two columns: table\n" in table else "table*"
        floats.append(rf"\begin{{{environment}}}\centering\input{{table{at}}}\caption{{Scores.}}\end{{{environment}}}")
    (folder / "article.tex").write_text(ARTICLE % "\n".join(["Text.", *floats]), encoding="utf-8")
    line = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "-draftmode", "article.tex"]
    completed = subprocess.run(line, cwd=folder, capture_output=True, check=False)
    log = (folder / "article.log").read_text(encoding="latin-1")
    assert completed.returncode == 0, log
    return log


def test_tables_of_three_suites_and_six_systems_fit_their_columns(folder: Path) -> None:
    suites = ("suite", "conll.toml", "bea.toml", "jfleg.toml")
    lines = [
        (*suites, "--parts"),
        suites,
        (*suites, "--whole", "--gold-edits", "reannotated"),
        ("suite", "conll.toml"),
        ("suite", "jfleg.toml"),
    ]
    tables = [latex(*line, "-c", "outputs", "--samples", "400", "-q") for line in lines]
    environments = [table.partition("% in an article of two columns: ")[2].partition("\n")[0] for table in tables]
    assert environments == ["table*", "table*", "table*", "table", "table"]
    assert all(table.count(" \\\\\n") >= 8 for table in tables)  # heads and six systems
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", *sorted(EXAMPLES.glob("systems/*.txt"))]
    tables.append(latex("score", *texts, "--parts", "-m", "errant", "green"))
    tables += latex("compare", *texts, "-m", "errant", "--samples", "400", "-q").split("\n\n")
    assert "Overfull" not in compiled(folder, tables)


def test_table_in_a_column_that_is_too_narrow_is_overfull(folder: Path) -> None:
    line = ("suite", "conll.toml", "bea.toml", "jfleg.toml", "--parts", "-c", "outputs", "--samples", "400", "-q")
    table = latex(*line).replace("columns: table*", "columns: table")
    assert "Overfull" in compiled(folder, [table])
