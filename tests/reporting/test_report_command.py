"""geceval report, from files to a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.commands import Run

DATA = ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/eager.txt"]
QUICK = ["--samples", "100"]


def test_a_report(run: Run, examples: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done = run("report", *DATA, "-m", "green", "errant", "--title", "A & B", *QUICK, "-o", path)
    assert done.status == 0
    assert done.err.endswith("MB; open it in a browser\n")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<title>A &amp; B</title>" in page
    assert "All 40 sentences. ERRANT classifies edits as correct, wrong or missed." in page


def test_its_files_and_seed_decide_its_bytes(run: Run, examples: Path) -> None:
    command = ["report", *DATA, "-m", "green", *QUICK, "--sentences", 10, "-o", "-"]
    first, again, other = run(*command), run(*command, "-j", 1), run(*command, "--seed", 1)
    assert first.out == again.out
    assert first.out != other.out
    assert "10 of 40 sentences" in first.out


def test_groups_and_warnings_stand_in_it(run: Run, examples: Path) -> None:
    done = run("report", *DATA, "--gold", "gold.m2", "--group", "essays.txt", "-m", "green", *QUICK, "-o", "-")
    assert 'id="groups"' in done.out
    assert run("report", *DATA, "--gold", "gold.m2", "-m", "green", "errant", *QUICK, "-o", "-").out.count(
        "gold edits and references are both given"
    )


def test_one_system(run: Run, examples: Path) -> None:
    """It cannot be compared, and has a report all the same."""
    done = run("report", *DATA[:-1], "-m", "green", *QUICK, "-q", "-o", "-")
    assert (done.status, done.err) == (0, "")
    assert "differences" not in done.out.split("<main>")[1].split('<section id="scores"')[0]


def test_what_cannot_be(run: Run, examples: Path, tmp_path: Path) -> None:
    missing = run("report", *DATA, "-m", "green", "-o", tmp_path / "no" / "report.html", *QUICK)
    assert missing.status == 2
    assert "cannot write" in missing.err
    wrong = run("report", *DATA, "-m", "green", "--sentences", "-1")
    assert wrong.status == 2
    assert "--sentences" in wrong.err
    baseline = run("report", *DATA, "-m", "green", "--baseline", "nobody", "-o", "-")
    assert baseline.status == 2
    assert "nobody" in baseline.err
    pooled = run("report", *DATA, "--gold", "gold.m2", "-m", "goto", "-o", "-")
    assert "test=bootstrap" in pooled.err


def test_changes_between_two_systems_are_a_section(run: Run, examples: Path, tmp_path: Path) -> None:
    more = ["-m", "green", "errant", *QUICK, "-o", "-"]
    page = run("report", *DATA, *more, "--changes", "careful", "eager").out
    assert 'id="changes"' in page
    assert "From careful to eager: 37 of 40 sentences change" in page
    assert re.search(r'<a href="#s=\d+&amp;system=careful&amp;system=eager">', page)
    assert 'id="changes"' not in run("report", *DATA, *more).out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["careful", "egaer"], "unknown system 'egaer'"),
        (["careful", "careful"], "careful cannot be compared with itself"),
        (["careful", "eager", "--sentences", 0], "--changes needs sentences"),
    ],
)
def test_changes_of_no_two_systems_are_refused(run: Run, examples: Path, more: list[object], message: str) -> None:
    refused = run("report", *DATA, "--changes", *more)
    assert refused.status == 2
    assert message in refused.err
