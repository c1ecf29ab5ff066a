"""``geceval report``: pages from files, and refusals."""

from __future__ import annotations

import json
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
    line = ["report", *DATA, "-m", "green", *QUICK, "--limit", 10, "-o", "-"]
    page = run(*line).out
    assert page == run(*line, "-j", 1).out
    assert page != run(*line, "--seed", 1).out
    assert "10 of 40 sentences" in page


def test_page_has_groups_and_warnings(run: Run, examples: Path) -> None:
    page = run("report", *DATA, "--gold", "gold.m2", "--group", "essays.txt", "-m", "green", *QUICK, "-o", "-").out
    assert 'id="groups"' in page
    page = run("report", *DATA, "--gold", "gold.m2", "-m", "green", "errant", *QUICK, "-o", "-").out
    assert "gold edits and references are both given" in page
    assert "without --gold" not in page, "a warning says what is wrong, not which option to type"


def test_page_has_groups_of_lengths_as_compare(run: Run, examples: Path) -> None:
    page = run("report", *DATA, "-m", "green", "--group", "length", *QUICK, "-o", "-").out
    compared = run("compare", *DATA, "-m", "green", "--group", "length", *QUICK, "-q", "-f", "json").out
    groups = {score["group"] for score in json.loads(compared)["systems"] if score["group"] is not None}
    assert groups
    assert all(f">{group}<" in page for group in groups)


def test_report_of_one_system_has_no_differences(run: Run, examples: Path) -> None:
    result = run("report", *DATA[:-1], "-m", "green", *QUICK, "-q", "-o", "-")
    assert (result.status, result.err) == (0, "")
    assert "differences" not in result.out.split("<main>")[1].split('<section id="scores"')[0]


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    "options",
    [
        "-m green --samples 100 -o no/report.html",
        "-m green --limit -1",
        "-m green --baseline nobody -o -",
        "--gold gold.m2 -m goto -o -",
        "--changes careful egaer",
        "--changes careful careful",
        "--changes careful eager --limit 0",
        "--changes careful eager -o summary.md",
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


def test_summary_in_markdown_has_the_verdict_and_the_tables(run: Run, examples: Path, tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    result = run("report", *DATA, "-m", "errant", "green", "--title", "A | B", *QUICK, "-o", path)
    assert result.status == 0
    title, headline, *blocks = path.read_text(encoding="utf-8").split("\n\n")
    assert (title, headline[:14]) == ("# A | B", "ERRANT: eager ")
    tables = [block for block in blocks if block.startswith("| system |")]
    assert [table.split("\n")[2].split(" | ")[0] for table in tables] == ["| eager", "| eager"]
    assert "precision | recall | false alarms | unchanged | empty | refused |" in tables[0]
    assert blocks[-1].startswith("- ")


def test_sentence_has_the_same_address_in_a_report_of_other_systems(run: Run, examples: Path) -> None:
    pages = [run("report", *data, "-m", "errant", *QUICK, "-q", "-o", "-").out for data in (DATA, DATA[:-1])]
    pattern = r'<a href="(#s=\d+)[^"]*">#\d+</a>.*?<span dir="auto">([^<]*)'
    addresses = [dict(re.findall(pattern, page)) for page in pages]
    common = addresses[0].keys() & addresses[1]
    assert common
    assert all(addresses[0][address] == addresses[1][address] for address in common)


def test_means_of_cost_and_latency_are_columns_of_the_summary(run: Run, examples: Path, tmp_path: Path) -> None:
    names = ("source.txt", "ref0.txt", "systems/careful.txt", "systems/eager.txt")
    source, reference, *systems = (Path(name).read_text("utf-8").splitlines() for name in names)
    for name, lines, first in zip(("first", "second"), systems, (0.25, None), strict=True):
        costs = [first, *[0.75] * (len(lines) - 1)]
        rows = [
            {"source": text, "reference": corrected, "hypothesis": line, "cost": cost, "latency": len(name)}
            for text, corrected, line, cost in zip(source, reference, lines, costs, strict=True)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    options = ["--reference-column", "reference", "-m", "green", *QUICK, "-o", tmp_path / "summary.md"]
    result = run("report", "-i", tmp_path / "first.jsonl", tmp_path / "second.jsonl", *options)
    assert result.status == 0, result.err
    rows_of = [line.split(" | ") for line in (tmp_path / "summary.md").read_text("utf-8").splitlines()]
    cells = {row[0].removeprefix("| "): [row[-2], row[-1].removesuffix(" |")] for row in rows_of if len(row) > 5}
    assert cells["system"] == ["cost", "latency"]
    assert cells["first"] == [f"{(0.25 + 0.75 * 39) / 40:.6g}", "5"]
    assert cells["second"] == ["0.75", "6"]
    assert cells["(source)"] == ["–", "–"]
    (tmp_path / "first.jsonl").write_text((tmp_path / "first.jsonl").read_text("utf-8").replace("0.25", '"x"'), "utf-8")
    result = run("report", "-i", tmp_path / "first.jsonl", tmp_path / "second.jsonl", *options)
    assert (result.status, "first.jsonl:1: cost: 'x' is not a number" in result.err) == (2, True)


def test_prices_make_the_cost_of_tokens(run: Run, examples: Path, tmp_path: Path) -> None:
    data = ("-s", "source.txt", "-r", "ref0.txt", "--id", "custom_id", "--blank", "empty", "--clean", "llm")
    files = ("prompts/short.jsonl", "prompts/detailed.jsonl")
    tokens = {"short": (1255, 295), "detailed": (8775, 376)}
    prices = ("--prices", "price_prompt=0.15,price_answer=0.6", "short:price_prompt=1,price_answer=2")
    line = ("report", *data, "-i", *files, "-m", "green", *QUICK, *prices, "-o", tmp_path / "summary.md")
    assert run(*line).status == 0
    rows = [row.split(" | ") for row in (tmp_path / "summary.md").read_text("utf-8").splitlines()]
    costs = {row[0].removeprefix("| "): row[-2] for row in rows if len(row) > 5}
    for name, (first, second) in {"detailed": (0.15, 0.6), "short": (1, 2)}.items():
        prompts, answers = tokens[name]
        assert costs[name] == f"{(prompts * first + answers * second) / 1e6 / 40:.6g}"
