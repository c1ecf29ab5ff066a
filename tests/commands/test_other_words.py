"""What people try first: folders, edits for spreadsheets, empty last lines, names of other programs."""

from __future__ import annotations

import csv
import shlex
import subprocess
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import UsageError
from geceval.base.hints import command_words
from geceval.base.package_tables import table_rows
from geceval.commands.shared import command_line
from geceval.counting.metric_names import make_metric
from support.commands import Run

pytestmark = pytest.mark.usefixtures("examples")
TEXTS = ("-s", "source.txt", "-r", "ref0.txt")


def test_folder_is_a_system_per_file_or_the_runs_of_a_name(run: Run, tmp_path: Path) -> None:
    outputs = tmp_path / "outputs"
    (outputs / "inner").mkdir(parents=True)
    names = sorted(Path("systems").glob("*.txt"))
    for path in names:
        (outputs / path.name).write_bytes(path.read_bytes())
    for name in ("README.txt", "run.log", ".hidden"):
        (outputs / name).write_text("x\n", encoding="utf-8")
    line = ("score", *TEXTS, "-m", "errant", "-f", "csv")
    result = run(*line, "-c", str(outputs))
    assert result.out == run(*line, "-c", *map(str, names)).out
    assert "not read: README.txt, inner, run.log;" in result.err
    assert run(*line, "-q", "-c", str(outputs)).err == ""
    assert run(*line, "-c", f"N={outputs}").out == run(*line, "-c", f"N={','.join(map(str, names))}").out
    assert "has no outputs" in run(*line, "-c", str(outputs / "inner")).err


def test_edits_are_written_as_rows(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "edits.csv"
    assert run("annotate", *TEXTS[:2], "-c", "systems/careful.txt", "-o", str(target)).status == 0
    head, first, *_ = csv.reader(target.read_text(encoding="utf-8").splitlines())
    assert head == ["sentence", "start", "end", "original", "correction", "type", "annotator"]
    assert first[3:] == ["go", "goes", "R:VERB:SVA", "0"]
    edits = sum(line.startswith("A") and "noop" not in line for line in Path("gold.m2").read_text("utf-8").splitlines())
    assert len(run("m2", "convert", "gold.m2", "--to", "tsv").out.splitlines()) == edits + 1


@pytest.mark.parametrize(("lines", "words"), [(1, "last line of sys.txt is"), (2, "last 2 lines of sys.txt are")])
def test_empty_end_of_a_file_is_named_with_a_command_that_drops_it(
    run: Run, tmp_path: Path, lines: int, words: str
) -> None:
    system, shorter = tmp_path / "sys.txt", tmp_path / "shorter.txt"
    system.write_bytes(Path("systems/careful.txt").read_bytes() + b"\n" * lines)
    error = run("score", *TEXTS, "-c", str(system), "-m", "errant").err
    assert f"hint: the {words.replace('sys.txt', str(system))} empty: head -n 40" in error
    subprocess.run(error.partition("empty: ")[2].replace("FILE", str(shorter)).strip(), shell=True, check=True)
    assert run("score", *TEXTS, "-c", str(shorter), "-m", "errant").status == 0


@pytest.mark.parametrize(
    "name",
    [
        "f0.5",
        "F1",
        "f_2",
        "f05",
        "f",
        "f-score",
        "F-measure",
        "precision",
        "recall",
        "P",
        "tp",
        "accuracy",
        "gleuofficial",
        "m2scorer",
    ],
)
def test_figures_asked_for_as_metrics_are_hinted_at(name: str, snapshot: SnapshotAssertion, run: Run) -> None:
    with pytest.raises(UsageError) as error:
        make_metric(name)
    assert command_words(error.value.hint or "") == snapshot
    words = shlex.split(command_words(error.value.hint or "").partition(" is ")[0].partition(" shows ")[0])
    if words[0] == "-m":
        assert run("score", *TEXTS, "--gold", "gold.m2", "-c", "systems/careful.txt", *words).status == 0


def test_options_of_other_programs_are_hinted_at(run: Run, snapshot: SnapshotAssertion) -> None:
    rows = table_rows(Path(command_line.__file__).with_name("option_hints.tsv"))
    words = [word for names, _, _ in rows for word in names.split()]
    assert len(set(words)) == len(words)
    hints = {
        f"{command} --{word}": run(command, f"--{word}").err.partition("hint: ")[2].strip()
        for command in ("score", "compare")
        for names, _, _ in rows
        for word in names.split()[:2]
    }
    assert hints == snapshot


@pytest.mark.parametrize(
    ("words", "hint", "followed"),
    [
        ("-cat 3", "--by operation, type or full", "--by full"),
        ("-single", "-m errant:size=single or multi", "-m errant:size=single"),
        ("-dt", "-m errant:mode=dt, ds, cs or cse", "-m errant:mode=dt"),
        ("-b 1", "-m errant:beta=1", "-m errant:beta=1"),
        ("-mgreen", "did you mean -m green?", "-m green"),
        ("-digits 1", "did you mean --digits?", "--digits 1"),
    ],
)
def test_one_dash_and_several_letters_is_an_unknown_option(run: Run, words: str, hint: str, followed: str) -> None:
    line = ("score", *TEXTS, "-c", "systems/careful.txt", "-q")
    error = run(*line, "-m", "errant", *words.split())
    assert (error.status, f"error: unknown option {words.split()[0]}\n" in error.err) == (2, True), error.err
    assert hint in error.err
    assert run(*line, *followed.split()).status == 0
    if "errant_compare" in error.err:
        command = ("errant_compare", "-hyp", "confident.m2", "-ref", "confident.m2")
        assert run(*command, *words.split()).status == 0


@pytest.mark.parametrize("words", ["-vq", "-vq -j2", "-d1", "-qj 2"])
def test_flags_are_grouped_and_numbers_follow_a_flag(run: Run, words: str) -> None:
    assert run("score", *TEXTS, "-c", "systems/careful.txt", "-m", "green", *words.split()).status == 0
