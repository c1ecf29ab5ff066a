"""Tables as LaTeX, compiled in an article of two columns: none is too wide."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from geceval.tables.file_formats import ROWS_OF_PAGE, T1_CODE_PAGES
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
#: Systems with names of 28 characters, and the examples that are their outputs.
LONG = {
    "GECToR-XLNet-ensemble_v2.202": "careful",
    "T5-Large-finetuned on_cLang8": "eager",
    "GPT_4o zero-shot&minimal edi": "noisy",
}
ARTICLE = r"""\documentclass[twocolumn]{article}
\usepackage[utf8]{inputenc}
%s
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
    result = run_main(*map(str, line), "-f", "latex")
    assert result.status == 0, result.err
    return result.out


def compiled(folder: Path, tables: list[str], engine: str = "pdflatex") -> str:
    """Return the log of an article with these tables, each in the environment and with the packages that it names."""
    floats, preamble = list[str](), set[str]()
    for at, table in enumerate(tables):
        (folder / f"table{at}.tex").write_text(table, encoding="utf-8")
        environments = re.findall(r"^% in an article of two columns: (table\*?|on pages)", table, re.MULTILINE)
        if "on pages" in environments:
            floats.append(rf"\onecolumn\input{{table{at}}}\twocolumn")
        else:
            environment = environments[-1]
            text = rf"\centering\input{{table{at}}}\caption{{Scores.}}"
            floats.append(rf"\begin{{{environment}}}{text}\end{{{environment}}}")
        preamble |= set(re.findall(r"^%.*preamble: (\\[^(\n]*)", table, re.MULTILINE))
    article = ARTICLE % ("\n".join(preamble), "\\clearpage\n".join(["Text.", *floats]))
    (folder / "article.tex").write_text(article, encoding="utf-8")
    fast = [] if engine == "xelatex" else ["-draftmode"]
    line = [engine, "-interaction=batchmode", "-halt-on-error", *fast, "article.tex"]
    completed = subprocess.run(line, cwd=folder, capture_output=True, check=False)
    log = (folder / "article.log").read_text(encoding="utf-8", errors="replace")
    assert completed.returncode == 0, log
    return log


def test_tables_of_three_suites_and_six_systems_fit_their_columns(folder: Path) -> None:
    suites = ("suite", "--allow-outside", "conll.toml", "bea.toml", "jfleg.toml")
    lines = [
        (*suites, "--parts"),
        suites,
        (*suites, "--whole", "--gold-edits", "reannotated"),
        ("suite", "--allow-outside", "conll.toml"),
        ("suite", "--allow-outside", "jfleg.toml"),
    ]
    tables = [latex(*line, "-c", "outputs", "--samples", "400", "-q") for line in lines]
    environments = [table.partition("% in an article of two columns: ")[2].partition("\n")[0] for table in tables]
    assert environments == ["table*", "table*", "table*", "table", "table"]
    assert all(table.count(" \\\\\n") >= 8 for table in tables)  # heads and six systems
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", *sorted(EXAMPLES.glob("systems/*.txt"))]
    tables.append(latex("score", *texts, "--parts", "-m", "errant", "green"))
    tables += latex("compare", *texts, "-m", "errant", "--samples", "400", "-q").split("\n\n")
    assert "Overfull" not in compiled(folder, tables)


def test_table_longer_than_a_page_is_broken_over_pages(tmp_path: Path) -> None:
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", *sorted(EXAMPLES.glob("systems/*.txt"))]
    table = latex("score", *texts, "-m", "errant", "--by", "full", "-q")
    assert table.count(r" \\") > 2 * ROWS_OF_PAGE
    assert table.count(r"\begin{longtable}") == table.count(r"\endhead") == 1
    log = compiled(tmp_path, [table])
    assert "Overfull" not in log
    assert len(re.findall(r"\[\d+\s*\]", log)) >= 3  # pages


def test_differences_of_many_types_are_broken_over_pages(tmp_path: Path) -> None:
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt"]
    systems = [f"GECToR-XLNet-{name}={EXAMPLES}/systems/{name}.txt" for name in ("careful", "eager", "noisy")]
    tables = latex("compare", *texts, "-c", *systems, "-m", "errant", "--by", "type", *FEW).split("\n\n")
    assert [table.count(r"\begin{longtable}") for table in tables][-1] == 1
    assert "Overfull" not in compiled(tmp_path, tables)


def test_table_in_a_column_that_is_too_narrow_is_overfull(folder: Path) -> None:
    table = latex(
        "suite", "--allow-outside", "conll.toml", "bea.toml", "jfleg.toml", "-c", "outputs", "--samples", "400", "-q"
    )
    table = table.replace("columns: table*\n", "columns: table\n")
    assert "Overfull" in compiled(folder, [table])


TEXTS = ("-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", EXAMPLES / "ref1.txt")
FEW = ("--samples", "400", "-q")
THREE = [f"{name}={EXAMPLES}/systems/{example}.txt" for name, example in LONG.items()]
CAREFUL, EAGER, NOISY = (EXAMPLES / f"systems/{name}.txt" for name in ("careful", "eager", "noisy"))
FIRST, SECOND, _ = LONG
RUNS = ["-c", f"{FIRST}={CAREFUL},{EAGER}", f"{SECOND}={NOISY},{CAREFUL}", "-m", "errant", "green", "gleu"]
MEASURED = ("--gold", EXAMPLES / "gold.m2", "-c", f"{FIRST}={EXAMPLES}/confident.m2", "-m", "errant", "maxmatch")
COMMANDS = {
    "parts": ("score", *TEXTS, "-c", *THREE, "-m", "gleu", "green", "errant", "cleme", "--parts"),
    "one metric": ("score", *TEXTS, "-c", *THREE, "-m", "gleu", "--parts"),
    "intervals": ("score", *TEXTS, "-c", *THREE, "-m", "errant", "green", "--intervals", "-q"),
    "groups": ("score", *TEXTS, "-c", *THREE, "-m", "errant", "green", "gleu", "--group", "length", "--parts"),
    "types": ("score", "--gold", EXAMPLES / "gold.m2", "-c", *THREE, "-m", "errant", "maxmatch", "--by", "type"),
    "comparison": ("compare", *TEXTS, "-c", *THREE, "-m", "errant", "green", *FEW),
    "compared groups": ("compare", *TEXTS, "-c", *THREE, "-m", "errant", "--group", "length", *FEW),
    "compared types": ("compare", *TEXTS, "-c", *THREE[:2], "-m", "errant", "--by", "type", *FEW),
    "power": ("compare", *TEXTS, "-c", *THREE, "-m", "errant", "green", "--power", *FEW),
    "runs": ("score", *TEXTS, *RUNS),
    "compared runs": ("compare", *TEXTS, *RUNS, *FEW),
    "rank": ("rank", *TEXTS, "-c", *THREE, "-m", "errant", *FEW),
    "sweep": ("sweep", *MEASURED, "-q"),
    "calibration": ("sweep", *MEASURED, "--calibration", "5", "--intervals", "-q"),
    "sentences": ("score", *TEXTS, "-c", *THREE, "-m", "errant", "green", "--parts", "--level", "sentence"),
}


def test_tables_of_systems_with_long_names_fit_the_environment_that_they_name(tmp_path: Path) -> None:
    tables = [table for line in COMMANDS.values() for table in latex(*line).split("\n\n")]
    heads = [line for table in tables for line in table.partition(r"\midrule")[0].splitlines() if "&" in line]
    assert not any(r"brevity\_penalty" in line or r"precision\_" in line for line in heads)
    assert "Overfull" not in compiled(tmp_path, tables)


@pytest.mark.parametrize("level", ["human", "system", "sentence", "test", "scores"])
def test_tables_of_agreement_with_long_names_fit(tmp_path: Path, level: str) -> None:
    (tmp_path / "systems").mkdir()
    judgments = (EXAMPLES / "judgments.xml").read_text(encoding="utf-8")
    for name, example in LONG.items():
        name = name.replace("&", "+").replace(" ", "-")
        shutil.copy(EXAMPLES / f"systems/{example}.txt", tmp_path / f"systems/{name}.txt")
        judgments = re.sub(rf"\b{example}\b", name, judgments)
    (tmp_path / "judgments.xml").write_text(judgments, encoding="utf-8")
    texts = (*TEXTS, "--systems", tmp_path / "systems", "-m", "green", "errant", "gleu", "cleme")
    line = ("--judgments", tmp_path / "judgments.xml", "--level", level, "-q", *(() if level == "human" else texts))
    tables = latex("meta", *line).rstrip("\n").split("\n\n")
    assert "Overfull" not in compiled(tmp_path, tables)


def named(*names: str) -> list[str]:
    """Return the tables of a comparison of systems with these names."""
    systems = [f"{name}={EXAMPLES}/systems/careful.txt" for name in names]
    return latex("compare", *TEXTS, "-c", *systems, "-m", "errant", *FEW).rstrip("\n").split("\n\n")


@pytest.mark.parametrize(
    ("names", "package"),
    [
        (["λ-GEC", "Δ ± 2 → ∞"], r"% preamble: \usepackage{booktabs}"),
        (["“a” – b — c… ‘d’", "{x} ~ 50 % #1 $\\"], r"% preamble: \usepackage{booktabs}"),
        (["é ł ő ř ąę", "ñßœ€ğ", "e\u0301cole"], r"% preamble: \usepackage{booktabs} \usepackage[T1]{fontenc}"),
    ],
)
def test_names_with_signs_and_accents_compile_with_pdflatex(tmp_path: Path, names: list[str], package: str) -> None:
    tables = named(*names)
    assert package in tables[0].splitlines()
    assert "Missing character" not in compiled(tmp_path, tables)


@pytest.mark.parametrize("page", T1_CODE_PAGES)
def test_letters_of_code_pages_compile_with_pdflatex(tmp_path: Path, page: str) -> None:
    letters = "".join(
        sign for code in range(0x80, 0x100) if (sign := bytes([code]).decode(page, "ignore")) and sign.isalpha()
    )
    assert "Missing character" not in compiled(tmp_path, named(letters[:40], letters[40:] + "x"))


@pytest.mark.skipif(shutil.which("xelatex") is None, reason="xelatex is missing: apt-get install texlive-xetex")
def test_names_in_other_scripts_compile_with_the_engine_and_font_that_are_named(tmp_path: Path) -> None:
    tables = named("система", "نظام", "מערכת", "प्रणाली", "tiếng Việt", "Σύστημα")
    assert "% compile with xelatex; preamble:" in tables[0]
    assert "Missing character" not in compiled(tmp_path, tables, "xelatex")
    assert "xelatex or lualatex" in named("система", "б")[0]
    assert r"\setmainfont{Noto Serif CJK SC}" in named("系统", "x")[0]
