"""``geceval score``: formats, levels, metric specifications, and messages."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from geceval import Green
from geceval.extending import Score
from geceval.text.reading.lines import read_lines
from support.commands import Result, Run

DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt", "systems/noisy.txt")
pytestmark = pytest.mark.usefixtures("examples")

TABLE = """\
system    GREEN
───────────────
careful   62.28
noisy     52.53

GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.3.0.dev0
"""


def test_table(run: Run) -> None:
    result = run("score", *DATA, "-m", "green")
    assert (result.status, result.out, result.err) == (0, TABLE, "")


def test_gold_edits(run: Run) -> None:
    result = run("score", "--gold", "gold.m2", *DATA[5:], "-m", "maxmatch", "--parts")
    assert (result.status, result.err) == (0, "")
    for system, row in (("careful", result.out.splitlines()[2]), ("noisy", result.out.splitlines()[3])):
        lines = run("m2scorer", f"systems/{system}.txt", "gold.m2").out.splitlines()
        figures = [float(line.split(": ")[1]) for line in lines]
        assert row.split()[0] == system
        assert [float(cell) / 100 for cell in row.split()[1:]] == pytest.approx(figures, abs=1e-4)
    assert "MaxMatch|beta:0.5|" in result.out
    document = json.loads(run("score", "--gold", "gold.m2", *DATA[5:], "-m", "maxmatch", "-f", "json").out)
    assert document["gold"] == "gold.m2"
    both = run("score", *DATA, "--gold", "gold.m2", "-m", "green,maxmatch:selection=optimum")
    assert both.status == 0
    assert "|policy:optimum|" in both.out


@pytest.mark.parametrize("metric", ["scribendi:model=FOLDER", "impara", "impara-ged", "some:model=FOLDER"])
def test_metrics_by_networks_say_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch, metric: str) -> None:
    """They need no references; without the packages, one line."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr("pathlib.Path.is_dir", lambda self: True)
    result = run("score", "-s", "source.txt", "-c", "systems/careful.txt", "-m", metric)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: a pretrained model needs torch and transformers (")
    assert result.err.endswith("hint: pip install 'geceval[neural]'\n")


def test_some_says_which_folders_it_needs(run: Run, tmp_path: Path) -> None:
    files = ("-s", "source.txt", "-c", "systems/careful.txt")
    result = run("score", *files, "-m", "some")
    assert result.status == 2
    assert result.err.startswith("error: some needs three models, which have no default\n  hint: model=FOLDER with")
    result = run("score", *files, "-m", f"some:model={tmp_path}")
    assert result.err.startswith(f"error: some: folder {tmp_path / 'grammer'} does not exist\n  hint: ")


def test_a_metric_on_edits_needs_them(run: Run) -> None:
    result = run("score", *DATA, "-m", "maxmatch")
    assert (result.status, result.err) == (
        2,
        "error: MaxMatch needs gold edits\n  hint: an M2 file: --gold FILE, in Python gold=list(m2.read(path))\n",
    )


def test_json_holds_everything(run: Run) -> None:
    document = json.loads(run("score", *DATA, "-m", "green:beta=0.5", "green", "-f", "json").out)
    assert document["schema"] == "geceval/score@1"
    assert [(r["system"], r["settings"]["beta"]) for r in document["results"]] == [
        ("careful", 0.5), ("careful", 2.0), ("noisy", 0.5), ("noisy", 2.0)
    ]  # fmt: skip
    source, *references = (read_lines(name) for name in ("source.txt", "ref0.txt", "ref1.txt"))
    score = Green(beta=2.0).corpus_score(source, read_lines("systems/noisy.txt"), references)
    fields = {key: value for key, value in document["results"][3].items() if key not in ("system", "settings")}
    assert Score(**fields) == score


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_csv_and_tsv(run: Run, delimiter: str) -> None:
    name = {",": "csv", "\t": "tsv"}[delimiter]
    out = run("score", *DATA, "-m", "green,green:unit=char", "-f", name, "-d", "4").out
    rows = list(csv.reader(io.StringIO(out), delimiter=delimiter))
    assert rows[0] == ["system", "GREEN unit=word", "GREEN unit=char"]
    assert rows[1][:2] == ["careful", "62.2786"]


def test_markdown_and_latex(run: Run) -> None:
    markdown = run("score", *DATA, "-m", "green", "-f", "markdown").out.splitlines()
    assert markdown[:3] == ["| system | GREEN |", "| --- | ---: |", "| careful | 62.28 |"]
    latex = run("score", *DATA, "-m", "green", "-f", "latex").out.splitlines()
    assert latex[1:5] == [r"\begin{tabular}{lc}", r"\toprule", r"system & GREEN $F_{2}$ \\", r"\midrule"]
    assert latex[5:7] == [r"careful & \textbf{62.28} \\", r"noisy & 52.53 \\"]


def test_parts(run: Run) -> None:
    head = run("score", *DATA, "-m", "green", "--parts").out.splitlines()[0]
    assert head.split("  ")[1:] == ["", "GREEN precision", " GREEN recall", " GREEN"]


def test_sentence_and_mean_levels(run: Run) -> None:
    out = run("score", *DATA, "-m", "green", "--level", "sentence", "-f", "tsv").out
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0] == ["line", "careful", "noisy"]
    assert len(rows) == 1 + 40
    assert rows[2] == ["2", "100.00", "61.35"]
    mean = json.loads(run("score", *DATA, "-m", "green", "--level", "mean", "-f", "json").out)["results"][0]
    sentences = json.loads(run("score", *DATA, "-m", "green", "--level", "sentence", "-f", "json").out)["results"][0]
    assert sum(sentences["sentence_scores"]) / 40 == pytest.approx(mean["value"])


def test_output_file_and_threads(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "table.txt"
    result = run("score", *DATA, "-m", "green", "-o", target, "-j", "2", "--quiet")
    assert (result.status, result.out) == (0, "")
    assert target.read_text(encoding="utf-8") == TABLE
    assert run("score", *DATA, "-m", "green", "-o", tmp_path / "no" / "where").status == 2


def test_output_into_devices_and_links(run: Run, tmp_path: Path) -> None:
    assert run("score", *DATA, "-m", "green", "-o", "/dev/null") == Result(0, "", "")
    assert Path("/dev/null").is_char_device()
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    assert run("score", *DATA, "-m", "green", "-o", link).status == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == TABLE
    assert run("score", *DATA, "-m", "green", "-o", tmp_path).status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "target.txt"]


def test_an_infinite_beta_has_json(run: Run) -> None:
    result = run("score", *DATA, "-m", "green:beta=inf", "-f", "json")
    assert (result.status, result.err) == (0, "")
    assert [entry["settings"]["beta"] for entry in json.loads(result.out)["results"]] == ["inf", "inf"]


def test_output_does_not_depend_on_the_locale(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("score", *DATA, "-m", "green").out == TABLE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "green:q=1"), "green has no setting 'q': choose from n, beta, unit"),
        (("-m", "green:n=x"), "green: n takes a whole number, not 'x'"),
        (("-m", "green:n=0"), "n is 0"),
        (("-m", "green", "-c", "nowhere"), "nowhere: cannot read: No such file"),
        (("-m", "green", "-c", "../README.md"), "not the same number of lines"),
        (("-m", "green", "-r"), "-r takes one or more values"),
    ],
)
def test_bad_usage_is_told_in_a_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("score", *DATA, *arguments)
    assert result.status == 2
    assert result.out == ""
    assert message in result.err
    assert "Traceback" not in result.err


def test_references_are_needed(run: Run) -> None:
    result = run("score", "-s", "source.txt", "-c", "source.txt", "-m", "green")
    assert (result.status, result.err[:42]) == (2, "error: the n-gram metrics need references:")


def test_completion_and_help(run: Run) -> None:
    assert "complete" in run("completion", "bash").out
    assert "--metrics" in run("completion", "zsh").out
    assert "examples:" in run("score", "--help").out
    assert "green sgreen mgreen" in run().out


def test_latex_of_parts_has_heads_in_rows(run: Run) -> None:
    latex = run("score", *DATA, "-m", "errant", "green", "--parts", "-f", "latex").out
    assert " & \\multicolumn{3}{c}{ERRANT} & \\multicolumn{3}{c}{GREEN} \\\\\n" in latex
    assert "system & P & R & $F_{0.5}$ & P & R & $F_{2}$ \\\\\n" in latex


# --- repeated runs ---

RUNS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "A=systems/careful.txt,systems/eager.txt")


def test_runs_of_a_system_are_one_row_with_their_deviation(run: Run) -> None:
    result = run("score", *RUNS, "systems/noisy.txt", "-m", "green", "--sort", "green")
    assert (result.status, result.err) == (0, "")
    head, _, *rows = result.out.splitlines()
    assert head.split() == ["system", "GREEN", "±", "between", "runs"]
    assert [row.split() for row in rows[:2]] == [["A", "(2", "runs)", "77.53", "21.58"], ["noisy", "52.53"]]
    document = json.loads(run("score", *RUNS, "systems/noisy.txt", "-m", "green", "--intervals", "-f", "json").out)
    own, other = document["results"]
    assert [one["system"] for one in own["runs"]] == ["A run 1", "A run 2"]
    values = [one["value"] for one in own["runs"]]
    assert own["value"] == pytest.approx(sum(values) / 2)
    assert own["deviation"] == pytest.approx(abs(values[0] - values[1]) / 2**0.5)
    assert own["interval"]["low"] < min(values) < max(values) < own["interval"]["high"]
    assert "runs" not in other
    assert list(document["outputs"]) == ["A run 1", "A run 2", "noisy"]


def test_file_of_a_run_with_a_comma_is_quoted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x,1.txt"
    path.write_bytes(Path("systems/eager.txt").read_bytes())
    known = run("score", *RUNS, "-m", "green", "-q").out
    assert run("score", *RUNS[:-1], f'A=systems/careful.txt,"{path}"', "-m", "green", "-q").out == known
    assert "(2 runs)" not in run("score", *RUNS[:-1], f"A={path}", "-m", "green", "-q").out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("show", *RUNS), "A has 2 runs; one can be used here\n  hint: name one run: -c A=systems/careful.txt"),
        (("explain", *RUNS, "--sentence", "1"), "A has 2 runs"),
        (("gate", *RUNS, "--fail-under", "green=1"), "A has 2 runs"),
        (("report", *RUNS, "-o", "x.html"), "A has 2 runs"),
        (("score", *RUNS, "--level", "sentence"), "A has 2 runs"),
        (("score", *RUNS, "--group", "length"), "A has 2 runs"),
        (("compare", *RUNS, "systems/noisy.txt", "--power"), "--power is for systems with one run"),
        (("score", *RUNS, "A=systems/noisy.txt"), "the system A is given twice"),
        (("score", *RUNS[:-1], "A=systems/careful.txt,no.txt"), "no.txt: cannot read"),
        (
            ("score", *RUNS[:-1], "(source)=systems/careful.txt,ref0.txt"),
            "(source) is the name of the unchanged source",
        ),
    ],
)
def test_runs_are_refused_where_one_is_taken(run: Run, command: tuple[str, ...], message: str) -> None:
    result = run(*command)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {message}")
