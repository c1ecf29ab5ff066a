"""``geceval meta``: levels, formats, plots, and messages."""

from __future__ import annotations

import json
import re
import shutil
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import MissingExtraError
from geceval.commands.meta import AFFECTED
from geceval.tables.pictures import picture_writer
from support.commands import Run

JUDGMENTS = ("--judgments", "judgments.xml")
DATA = (*JUDGMENTS, "--systems", "systems", "--source", "source.txt", "--references", "ref0.txt", "ref1.txt")
pytestmark = pytest.mark.usefixtures("examples")


@pytest.mark.parametrize(
    "options",
    [
        "-m green green:unit=char",
        "-m green --level sentence",
        "-m green --level sentence --pairs outputs -f tsv",
        "-m green --level scores -f csv -d 4",
        "-m green green:unit=char --level test -f tsv",
    ],
)
def test_table_of_a_level(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("meta", *DATA, *options.split()) == snapshot


#: An option that changes the result, if the level uses it.
OPTIONS = {
    "aggregation": "mean",
    "ties": "loss",
    "timings": None,
    "exclude": "eager",
    "only": "careful eager",
    "judged-only": None,
    "human": "trueskill",
    "pairs": "outputs",
    "samples": "50",
    "seed": "2",
    "by": "operation",
    "system-effects": None,
}
#: A command by level, and "stress". JSON of "system" has the figures of the other levels.
COMMANDS = {
    "system": (*DATA, "-m", "green"),
    "edits": (*DATA, "--level", "edits"),
    "human": (*JUDGMENTS, "--level", "human"),
    "stress": ("--stress", "--gold", "gold.m2", "-m", "green"),
}


@pytest.mark.parametrize("level", COMMANDS)
@pytest.mark.parametrize("option", OPTIONS)
def test_option_changes_the_result_or_is_refused(run: Run, option: str, level: str) -> None:
    words = [f"--{option}", *(OPTIONS[option] or "").split()]
    result = run("meta", *COMMANDS[level], "-f", "json", *words)
    if level in AFFECTED[option.replace("-", "_")]:
        assert result.status == 0, result.err
        assert result.out != run("meta", *COMMANDS[level], "-f", "json").out
    else:
        assert (result.status, result.out) == (2, "")
        assert (
            f"error: --{option} has no effect with --{level if level == 'stress' else f'level {level}'}" in result.err
        )
        [name, *_] = AFFECTED[option.replace("-", "_")]
        assert f"use it with --level {name}" in result.err
        assert run("meta", *COMMANDS[name], *words).status == 0


@pytest.mark.parametrize(
    "words",
    [
        "--source source.txt",
        "--references ref0.txt",
        "--gold gold.m2",
        "--systems systems",
        "--id number",
        "--metrics green",
        "--judge rate=6",
        "--language de",
        "--clean llm",
        "--normalise nfc",
        "--misfits drop",
        "--no-checks",
    ],
)
def test_ranking_by_people_refuses_what_scores_need(run: Run, words: str) -> None:
    files = ("--gold", "gold.m2") if words.startswith("--misfits") else ()
    result = run("meta", *JUDGMENTS, "--level", "human", *words.split(), *files)
    assert result.status == 2
    option = "--gold" if files else words.split()[0]
    assert f"error: {option} has no effect with --level human\n  hint: use it with --level system, " in result.err


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("--systems systems", "systems"),
        ("--no-checks", "no-checks"),
        ("--judgments judgments.xml", "judgments"),
        ("--level sentence", "level"),
    ],
)
def test_stress_refuses_what_people_need(run: Run, words: str, option: str) -> None:
    result = run("meta", *COMMANDS["stress"], *words.split())
    assert result.status == 2
    assert f"error: --{option} has no effect with --stress\n" in result.err


def test_json_does_not_depend_on_threads_and_has_times_on_request(run: Run) -> None:
    line = ("meta", *DATA, "-m", "green")
    single, parallel, timed = (
        run(*line, "-f", "json", *options) for options in (("-j", "1"), ("-j", "2"), ("--timings",))
    )
    assert single.out == parallel.out
    assert json.loads(timed.out)["metrics"][0].pop("seconds_per_system") > 0
    assert "s/system" in run(*line, "--timings").out


def test_ranking_by_people_needs_judgments_only(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("meta", *JUDGMENTS, "--level", "human") == snapshot
    document = json.loads(run("meta", *JUDGMENTS, "--level", "human", "-f", "json", "--human", "trueskill").out)
    assert [row["system"] for row in document["people"]["systems"]] == ["eager", "careful", "noisy"]
    assert document["people"]["measure"] == "trueskill"


def test_single_test_has_no_correction_and_three_systems_no_williams(run: Run) -> None:
    out = run("meta", *DATA, "-m", "green", "green:unit=char", "--level", "test", "-f", "tsv").out
    _, williams, *permuted = [line.split("\t") for line in out.splitlines()[:5]]
    assert williams[-3:] == ["Williams", "nan", "nan"]
    assert [row[2] for row in permuted] == ["r of means", "SPA of means", "acc_eq"]
    assert all(0 < float(row[-2]) == float(row[-1]) <= 1 for row in permuted)


def test_soft_accuracy_of_scores_that_depend_on_all_systems_is_undefined(run: Run) -> None:
    out = run("meta", *DATA, "-m", "goto", "green").out
    assert re.search(r"^GoTo .* –$", out, re.MULTILINE)
    assert "SPA is undefined for GoTo: the score of a system depends on all systems" in out
    assert "SPA is undefined" not in run("meta", *DATA, "-m", "goto", "green", "--aggregation", "mean").out


def test_json_has_all_levels(run: Run) -> None:
    document = json.loads(run("meta", *DATA, "-m", "green", "-f", "json", "--ties", "loss").out)
    assert document["schema"] == "geceval/meta@1"
    assert document["options"] == {
        "measure": "expected-wins", "aggregation": "corpus", "ties": "loss", "pairs": "systems",
        "resamples": 1000, "seed": 1, "tests": False,
    }  # fmt: skip
    [metric] = document["metrics"]
    assert metric["agreement"]["n"] == 3
    assert metric["agreement"]["pearson"] == pytest.approx(0.9628139, abs=1e-6)
    correlations = {"pearson", "spearman", "kendall"}
    assert set(metric["intervals"]["systems"]) == correlations
    assert set(metric["intervals"]["sentences"]) == correlations | {"accuracy", "tie_calibrated", "one_person"}
    assert metric["sentence_level"]["agree"] == 96
    assert metric["sentence_level"]["accuracy"]["loss"] == pytest.approx(96 / 109)


@pytest.mark.parametrize("aggregation", ["mean", "expected-wins", "trueskill"])
def test_aggregations_have_the_same_best_system(run: Run, aggregation: str) -> None:
    out = run("meta", *DATA, "-m", "green", "--aggregation", aggregation, "-f", "json", "--samples", "20").out
    [metric] = json.loads(out)["metrics"]
    assert max(metric["scores"], key=metric["scores"].get) == "eager"
    assert metric["intervals"]["sentences"]["pearson"]["undefined"] == 0


def test_systems_and_sentences_are_selected_by_options(run: Run) -> None:
    out = run("meta", *DATA, "-m", "green", "--exclude", "noisy", "-f", "json", "--judged-only").out
    assert json.loads(out)["systems"] == ["careful", "eager"]
    assert json.loads(out)["sentences"] == 30  # nobody judged every fourth sentence
    out = run("meta", *DATA, "-m", "green", "--only", "noisy", "eager", "-f", "json").out
    assert json.loads(out)["systems"] == ["eager", "noisy"]


def test_output_without_judgments_is_noted(run: Run, tmp_path: Path) -> None:
    unjudged = shutil.copy("source.txt", tmp_path / "other.txt")
    line = ("meta", *DATA[:4], unjudged, *DATA[4:], "-m", "green", "--samples", "0")
    result = run(*line)
    assert (result.status, result.err) == (0, "note: ignored systems without judgments: other\n")
    quiet = run(*line, "--quiet")
    assert (quiet.status, quiet.err) == (0, "")


def test_plot_has_the_systems_and_does_not_change(run: Run, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.svg", "two.SVG")]
    for path in paths:
        command = ("meta", *DATA, "-m", "green", "green:unit=char", "-o", path)
        result = run(*command, "--samples", "0")
        assert (result.status, result.err) == (0, "")
    assert sorted(tmp_path.iterdir()) == paths
    document, again = (path.read_bytes() for path in paths)
    assert document == again
    assert document.startswith(b"<?xml")
    assert ElementTree.fromstring(document).tag == "{http://www.w3.org/2000/svg}svg"
    assert b"var(" not in document  # other programs than browsers do not know variables
    assert all(f">{name}<".encode() in document for name in ("careful", "eager", "noisy"))


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_plot_as_pdf_or_png_does_not_change(run: Run, tmp_path: Path, ending: str, start: bytes) -> None:
    try:
        picture_writer("pdf")
    except MissingExtraError as error:
        pytest.skip(f"{error.message}; they are not installed")
    command = ("meta", *DATA, "-m", "green", "--samples", "0", "-q", "-o")
    paths = [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for path in paths:
        assert run(*command, path).status == 0
        time.sleep(1)  # a PDF may contain the second
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].read_bytes().startswith(start)


@pytest.mark.parametrize("error", ["ImportError", "OSError"])  # without the package, without the library
def test_plot_as_pdf_without_cairo_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: str, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "cairocffi.py").write_text(f"raise {error}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cairocffi", raising=False)
    line = ("meta", *DATA, "-m", "green", "--samples", "0", "-o")
    assert run(*line, tmp_path / "people.svg").status == 0
    assert run(*line, tmp_path / "people.pdf") == snapshot


@pytest.mark.parametrize(
    "line",
    [
        "--judgments none.xml TEXTS -m green",
        "--judgments ref0.txt TEXTS -m green",
        "JUDGMENTS TEXTS -m green -o people.jpg",
        "JUDGMENTS --level human -o people.svg",
        "JUDGMENTS TEXTS -m green --exclude Noisy",
        "JUDGMENTS TEXTS -m green --only noisy",
        "JUDGMENTS TEXTS -m green --level test",
        "JUDGMENTS TEXTS -m gren",
        "JUDGMENTS TEXTS",
        "JUDGMENTS -m green",
        "JUDGMENTS TEXTS -m green --numbering 1",
        "JUDGMENTS TEXTS -m green --without-annotator bob",
        "JUDGMENTS --systems . -s none.txt -m green",
        "JUDGMENTS TEXTS --systems systems/noisy.txt -m green",
        "JUDGMENTS TEXTS -m green --human trueskill --pairs outputs",
        "JUDGMENTS TEXTS -m green --human mean-rating",
        "--ratings ratings.csv TEXTS -m green --numbering 1",
        "--ratings ratings.csv TEXTS -m green --without-annotator x",
        "--ratings ratings.csv JUDGMENTS TEXTS -m green",
        "--ratings ratings.csv TEXTS -m green --pairs outputs",
        "--ratings none.csv TEXTS -m green",
        "--ratings source.txt TEXTS -m green",
    ],
)
def test_invalid_files_or_options_are_refused(run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    line = line.replace("JUDGMENTS", " ".join(JUDGMENTS)).replace("TEXTS", " ".join(DATA[2:]))
    assert run("meta", *line.split()) == snapshot


def test_folder_without_outputs_and_output_of_another_length_are_refused(run: Run, tmp_path: Path) -> None:
    result = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green")
    assert (result.status, result.out) == (2, "")
    assert f"{tmp_path}: the folder has no outputs" in result.err
    (tmp_path / "eager.txt").write_text("one line\n", encoding="utf-8")
    result = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green")
    assert (result.status, result.out) == (2, "")
    assert re.search(r"eager\.txt +1 +<- 39 fewer", result.err)


def test_outputs_in_a_folder_of_each_system_have_its_name_and_excluded_ones_are_not_read(
    run: Run, tmp_path: Path
) -> None:
    for name in ("careful", "eager", "noisy", "late", "later"):
        (tmp_path / name).mkdir()
        text = Path(f"systems/{name}.txt").read_bytes() if not name.startswith("late") else b"one line\n"
        (tmp_path / name / "test.txt").write_bytes(text)
    outputs = sorted(tmp_path.glob("*/test.txt"))
    line = ("meta", *JUDGMENTS, *DATA[4:], "-m", "green", "-q", "-f", "csv")
    expected = run(*line, "--systems", "systems")
    assert run(*line, "--systems", *outputs).out == expected.out
    assert run(*line[:-3], "--systems", *outputs).err == "note: ignored systems without judgments: late, later\n"
    expected = run(*line, "--systems", "systems", "--exclude", "noisy")
    (tmp_path / "noisy/test.txt").write_bytes("x\n".encode("utf-16"))
    result = run(*line, "--systems", *outputs, "--exclude", "noisy")
    assert (result.out, result.err) == (expected.out, expected.err)


def test_outputs_of_another_test_set_are_refused(run: Run, tmp_path: Path) -> None:
    for name in ("careful", "eager", "noisy"):
        lines = [f"{name} {k}\n" for k in range(40)]
        (tmp_path / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
    result = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green")
    assert result.status == 2
    assert "no numbering fits the system outputs (groups that agree: 0: 0 of" in result.err
    stated = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green", "--numbering", "0")
    assert stated.status == 0
    assert "note: only 0 of" in stated.err


RATINGS = ("--ratings", "ratings.csv", *DATA[2:])


def test_sentence_level_of_ratings(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("meta", *RATINGS, "-m", "green", "--level", "sentence", "--samples", "100") == snapshot


def test_json_of_ratings_has_segments(run: Run) -> None:
    document = json.loads(run("meta", *RATINGS, "-m", "green", "-f", "json", "--samples", "10").out)
    assert document["ratings"] == "ratings.csv"
    assert "judgments" not in document
    assert document["options"]["measure"] == "mean-rating"
    metric = document["metrics"][0]
    assert metric["segment_level"]["n"] == 110


def test_judgments_without_groups_name_the_option(run: Run, tmp_path: Path) -> None:
    rows = ["srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank"]
    rows += [f"{s},one,{first},1,{second},2" for s in range(40) for first, second in [("eager", "noisy")]]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = ("--judgments", path, *DATA[2:], "-m", "green", "--samples", "0")
    result = run("meta", *data)
    assert result.status == 2
    assert "hint: --numbering 0 counts lines from 0, as in the CSV of NSPT15" in result.err
    assert run("meta", *data, "--numbering", "0").status == 0


def test_outputs_of_the_judged_sentences_only_are_refused_with_a_hint(run: Run, tmp_path: Path) -> None:
    for path in Path("systems").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / path.name).write_text("".join(lines[:30]), encoding="utf-8")
    result = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green")
    assert result.status == 2
    assert "hint: the outputs have the 30 judged sentences only, as in SEEDA's outputs/subset" in result.err


def test_many_resamples_are_computed_in_parts(run: Run) -> None:
    """Resamples are computed in several parts."""
    result = run("meta", *DATA, "-m", "green", "--samples", "2500", "-f", "json")
    assert result.status == 0
    [metric] = json.loads(result.out)["metrics"]
    assert metric["intervals"]["sentences"]["pearson"]["undefined"] <= 2500
    assert run("meta", *JUDGMENTS, "--level", "human", "--samples", "25000").status == 0
