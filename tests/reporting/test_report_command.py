"""``geceval report``: pages from files, and refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run

DATA = ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/eager.txt"]
QUICK = ["--samples", "100"]


def test_report_is_a_page_with_its_title(run: Run, examples: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run("report", *DATA, "-m", "green", "errant", "--title", "A & B", *QUICK, "-o", path)
    assert result.status == 0
    assert result.err.endswith("MB; open it in a browser\n")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<title>A &amp; B</title>" in page
    assert "All 40 sentences. ERRANT classifies edits as correct, wrong or missed." in page


def test_page_depends_on_files_and_seed_only(run: Run, examples: Path) -> None:
    line = ["report", *DATA, "-m", "green", *QUICK, "--sentences", 10, "-o", "-"]
    page = run(*line).out
    assert page == run(*line, "-j", 1).out
    assert page != run(*line, "--seed", 1).out
    assert "10 of 40 sentences" in page


def test_page_has_groups_and_warnings(run: Run, examples: Path) -> None:
    page = run("report", *DATA, "--gold", "gold.m2", "--group", "essays.txt", "-m", "green", *QUICK, "-o", "-").out
    assert 'id="groups"' in page
    page = run("report", *DATA, "--gold", "gold.m2", "-m", "green", "errant", *QUICK, "-o", "-").out
    assert "gold edits and references are both given" in page


def test_report_of_one_system_has_no_differences(run: Run, examples: Path) -> None:
    result = run("report", *DATA[:-1], "-m", "green", *QUICK, "-q", "-o", "-")
    assert (result.status, result.err) == (0, "")
    assert "differences" not in result.out.split("<main>")[1].split('<section id="scores"')[0]


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    "options",
    [
        "-m green --samples 100 -o no/report.html",
        "-m green --sentences -1",
        "-m green --baseline nobody -o -",
        "--gold gold.m2 -m goto -o -",
        "--changes careful egaer",
        "--changes careful careful",
        "--changes careful eager --sentences 0",
    ],
)
def test_report_with_invalid_options_is_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("report", *DATA, *options.split()) == snapshot


def test_changes_between_two_systems_are_a_section(run: Run, examples: Path, tmp_path: Path) -> None:
    options = ["-m", "green", "errant", *QUICK, "-o", "-"]
    page = run("report", *DATA, *options, "--changes", "careful", "eager").out
    assert 'id="changes"' in page
    assert "From careful to eager: 37 of 40 sentences change" in page
    assert re.search(r'<a href="#s=\d+&amp;system=careful&amp;system=eager">', page)
    assert 'id="changes"' not in run("report", *DATA, *options).out
