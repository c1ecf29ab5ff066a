"""``geceval meta``: levels, formats, plots, and messages."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from geceval.agreement.meta_plots import plot_writers
from geceval.base.errors import MissingExtraError
from support.commands import Run

JUDGMENTS = ("--judgments", "judgments.xml")
DATA = (*JUDGMENTS, "--systems", "systems", "--source", "source.txt", "--references", "ref0.txt", "ref1.txt")
pytestmark = pytest.mark.usefixtures("examples")

SYSTEM = """\
metric                r        r systems      r sentences       ρ        ρ systems      ρ sentences
───────────────────────────────────────────────────────────────────────────────────────────────────
GREEN unit=word   0.963   0.963 to 1.000   0.701 to 1.000   1.000   1.000 to 1.000   0.500 to 1.000
GREEN unit=char   0.959   0.959 to 1.000   0.699 to 1.000   1.000   1.000 to 1.000   0.500 to 1.000

GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.3.0.dev0
GREEN|n:4|beta:2|unit:char|policy:best|refs:2|level:corpus|v:0.3.0.dev0
people: Expected Wins, 3 systems, 30 of 40 sentences
95 % intervals: 1000 resamples of systems or of sentences, seed 1
"""

SENTENCE = """\
metric   accuracy             95 %     tau   right   wrong   tied
─────────────────────────────────────────────────────────────────
GREEN       0.890   0.795 to 0.974   0.780      96      11      2

metric ties: half; accuracy over pairs of outputs that people did not tie
GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:sentence|v:0.3.0.dev0
people: Expected Wins, 3 systems, 30 of 40 sentences
95 % intervals: 1000 resamples of systems or of sentences, seed 1
"""

HUMAN = """\
system    Expected Wins   deviation   ranks   cluster
─────────────────────────────────────────────────────
eager             0.742       0.052     1-1         1
careful           0.496       0.055     2-2         2
noisy             0.262       0.052     3-3         3

1000 replicates, seed 1
"""

WINDOWS = """\
metric   places       r       ρ    span   systems
───────────────────────────────────────────────────────
GREEN    1-2      1.000   1.000   0.246   eager careful
GREEN    2-3      1.000   1.000   0.233   careful noisy
"""


def test_system_level(run: Run) -> None:
    result = run("meta", *DATA, "-m", "green", "green:unit=char")
    assert (result.status, result.out, result.err) == (0, SYSTEM, "")


def test_json_is_equal_from_run_to_run(run: Run) -> None:
    line = ("meta", *DATA, "-m", "green", "--format", "json")
    one, other, timed = (run(*line, *more) for more in (("-j", "1"), ("-j", "2"), ("--timings",)))
    assert one.out == other.out
    assert json.loads(timed.out)["metrics"][0].pop("seconds_per_system") > 0
    table = run("meta", *DATA, "-m", "green", "--timings").out
    assert "s/system" in table


def test_sentence_level(run: Run) -> None:
    result = run("meta", *DATA, "-m", "green", "--level", "sentence")
    assert (result.status, result.out, result.err) == (0, SENTENCE, "")


def test_people_alone(run: Run) -> None:
    result = run("meta", *JUDGMENTS, "--level", "human")
    assert (result.status, result.out, result.err) == (0, HUMAN, "")
    document = json.loads(run("meta", *JUDGMENTS, "--level", "human", "-f", "json", "--human", "trueskill").out)
    assert [row["system"] for row in document["people"]["systems"]] == ["eager", "careful", "noisy"]
    assert document["people"]["measure"] == "trueskill"


def test_windows(run: Run) -> None:
    result = run("meta", *DATA, "-m", "green", "--level", "window", "--window", "2")
    assert result.out.startswith(WINDOWS)


def test_left_out_and_scores(run: Run) -> None:
    rows = run("meta", *DATA, "-m", "green", "--level", "left-out", "-f", "tsv").out.splitlines()
    assert rows[:2] == ["without\tGREEN r\tGREEN ρ", "(nothing)\t0.963\t1.000"]
    assert [row.split("\t")[0] for row in rows[2:]] == ["careful", "eager", "noisy"]
    rows = run("meta", *DATA, "-m", "green", "--level", "scores", "-f", "csv", "-d", "4").out.splitlines()
    assert rows == [
        "system,Expected Wins,GREEN",
        "eager,0.7420,0.9279",
        "careful,0.4956,0.6228",
        "noisy,0.2624,0.5253",
    ]


def test_tests_of_two_metrics(run: Run) -> None:
    rows = run("meta", *DATA, "-m", "green", "green:unit=char", "--level", "test", "-f", "tsv").out.splitlines()
    heads = ["metric", "other", "r", "other r", "Williams p", "adjusted", "mean r", "other mean r", "PERM-BOTH p"]
    assert rows[0].split("\t") == [*heads, "PERM-BOTH adjusted"]
    cells = rows[1].split("\t")
    assert cells[:5] == ["GREEN unit=word", "GREEN unit=char", "0.963", "0.959", "nan"]  # three systems: no Williams
    assert 0 < float(cells[8]) == float(cells[9]) <= 1  # one test: nothing to correct


def test_json_holds_all_levels(run: Run) -> None:
    document = json.loads(run("meta", *DATA, "-m", "green", "-f", "json", "--window", "2", "--ties", "loss").out)
    assert document["schema"] == "geceval/meta@1"
    assert document["options"] == {
        "measure": "expected-wins", "aggregation": "corpus", "ties": "loss", "resamples": 1000, "seed": 1,
        "tests": False,
    }  # fmt: skip
    [metric] = document["metrics"]
    assert metric["agreement"]["n"] == 3
    assert metric["agreement"]["pearson"] == pytest.approx(0.9628139, abs=1e-6)
    assert set(metric["intervals"]) == {"systems", "sentences", "accuracy"}
    assert [window["systems"] for window in metric["windows"]] == [["eager", "careful"], ["careful", "noisy"]]
    assert metric["sentence_level"]["agree"] == 96
    assert metric["sentence_level"]["accuracy"]["loss"] == pytest.approx(96 / 109)


@pytest.mark.parametrize("aggregation", ["mean", "expected-wins", "trueskill"])
def test_other_aggregations(run: Run, aggregation: str) -> None:
    out = run("meta", *DATA, "-m", "green", "--aggregation", aggregation, "-f", "json", "--resamples", "20").out
    [metric] = json.loads(out)["metrics"]
    assert max(metric["scores"], key=metric["scores"].get) == "eager"
    assert metric["intervals"]["sentences"]["pearson"]["undefined"] == 0


def test_exclude_only_and_judged_only(run: Run) -> None:
    out = run("meta", *DATA, "-m", "green", "--exclude", "noisy", "-f", "json", "--judged-only").out
    assert json.loads(out)["systems"] == ["careful", "eager"]
    assert json.loads(out)["sentences"] == 30  # nobody judged every fourth sentence
    out = run("meta", *DATA, "-m", "green", "--only", "noisy", "eager", "-f", "json").out
    assert json.loads(out)["systems"] == ["eager", "noisy"]


def test_an_output_nobody_judged_is_noted(run: Run, tmp_path: Path) -> None:
    extra = tmp_path / "other.txt"
    extra.write_text(Path("source.txt").read_text(encoding="utf-8"), encoding="utf-8")
    result = run("meta", *DATA[:4], extra, *DATA[4:], "-m", "green", "--resamples", "0")
    assert result.status == 0
    assert result.err == "note: systems without judgments, left out: other\n"
    quiet = run("meta", *DATA[:4], extra, *DATA[4:], "-m", "green", "--resamples", "0", "--quiet")
    assert (quiet.status, quiet.err) == (0, "")


def test_plots_are_written_and_do_not_change(run: Run, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        command = ("meta", *DATA, "-m", "green", "green:unit=char", "--plot", tmp_path / folder, "--window", "2")
        result = run(*command, "--resamples", "0")
        assert result.status == 0
        assert result.err.count("note: written: ") == 3
    for name in ("correlation", "windows", "ranks"):
        document = (tmp_path / "one" / f"{name}.svg").read_bytes()
        assert document == (tmp_path / "two" / f"{name}.svg").read_bytes()
        assert document.startswith(b"<?xml")
        assert ElementTree.fromstring(document).tag == "{http://www.w3.org/2000/svg}svg"
        assert b"var(" not in document  # other programs than browsers do not know variables
    drawing = (tmp_path / "one/correlation.svg").read_text(encoding="utf-8")
    assert all(f">{name}<" in drawing for name in ("careful", "eager", "noisy"))
    ranks = (tmp_path / "one/ranks.svg").read_text(encoding="utf-8")
    # For each of two metrics: no output is better than rank 1, none is worse than rank 3.
    assert [len(re.findall(f"<text[^>]*>{rank}<", ranks)) for rank in (1, 2, 3)] == [2, 4, 2]


def test_plots_as_pdf_and_png_do_not_change(run: Run, tmp_path: Path) -> None:
    try:
        plot_writers(["pdf"])
    except MissingExtraError as error:
        pytest.skip(f"{error.message}; they are not installed")
    command = ("meta", *DATA, "-m", "green", "--resamples", "0", "-q", "--plot-formats", "pdf", "png", "--plot")
    for folder in ("one", "two"):
        assert run(*command, tmp_path / folder).status == 0
        time.sleep(1)  # a PDF may contain the second
    names = ("correlation.pdf", "correlation.png", "ranks.pdf", "ranks.png")
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [*names]
    for name in names:
        content = (tmp_path / "one" / name).read_bytes()
        assert content == (tmp_path / "two" / name).read_bytes()
        assert content.startswith(b"\x89PNG" if name.endswith("png") else b"%PDF")


@pytest.mark.parametrize("error", ["ImportError", "OSError"])  # without the package, without the library
def test_without_cairo_one_line_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: str
) -> None:
    (tmp_path / "cairocffi.py").write_text(f"raise {error}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cairocffi", raising=False)
    command = ("meta", *DATA, "-m", "green", "--resamples", "0", "--plot", tmp_path / "figures", "--plot-formats")
    assert run(*command, "svg").status == 0
    result = run(*command, "svg", "pdf")
    assert result.status == 2
    message = "error: plots as PDF and PNG need CairoSVG and the library cairo\n"
    assert result.err == f"{message}  hint: pip install 'geceval[plots]'\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judgments", "none.xml", *DATA[2:], "-m", "green"), "none.xml: cannot read"),
        ((*DATA, "-m", "green", "--plot-formats", "pdf"), "--plot-formats requires --plot"),
        (("--judgments", "ref0.txt", *DATA[2:], "-m", "green"), "ref0.txt:1: neither Appraise XML nor a CSV"),
        (
            (*DATA, "-m", "green", "--exclude", "Noisy"),
            "unknown system Noisy (available: careful, eager, noisy)\n  hint: did",
        ),
        ((*DATA, "-m", "green", "--only", "noisy"), "a meta-evaluation requires at least two systems, not 1"),
        ((*DATA, "-m", "green", "--level", "window"), "a window must have 2 to 3 systems, not 4"),
        ((*DATA, "-m", "gren"), "unknown metric 'gren'"),
        (DATA, "--metrics is required"),
        ((*JUDGMENTS, "-m", "green"), "--systems is required"),
        ((*DATA, "-m", "green", "--numbering", "1"), "judgments.xml:5: sentence 0 is outside the 40 lines"),
        ((*DATA, "-m", "green", "--without-annotator", "bob"), "unknown annotator 'bob' (available: ann1, ann2)"),
        ((*JUDGMENTS, "--systems", ".", "-s", "none.txt", "-m", "green"), "none.txt: cannot read"),
        ((*DATA[:4], "systems/noisy.txt", *DATA[4:], "-m", "green"), "the system noisy is given twice"),
    ],
)
def test_faults_end_with_status_2(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("meta", *arguments)
    assert result.status == 2
    assert result.out == ""
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_folder_without_outputs_and_unequal_files(run: Run, tmp_path: Path) -> None:
    result = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green")
    assert (result.status, result.out) == (2, "")
    assert f"{tmp_path}: the folder has no *.txt or *.m2 files" in result.err
    (tmp_path / "eager.txt").write_text("one line\n", encoding="utf-8")
    result = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green")
    assert (result.status, result.out) == (2, "")
    assert re.search(r"eager\.txt +1 +<- 39 fewer", result.err)


def test_outputs_of_another_test_set_are_noticed(run: Run, tmp_path: Path) -> None:
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


def test_ratings_at_segment_level(run: Run) -> None:
    result = run("meta", *RATINGS, "-m", "green", "--level", "segment", "--resamples", "100")
    assert result.status == 0
    assert result.out.splitlines()[0].split() == ["metric", "r", "95", "%", "ρ", "95", "%", "τ_b", "accuracy", "pairs"]
    assert "r, ρ, τ_b over 110 rated sentences of systems" in result.out
    assert "people: mean rating, 3 systems" in result.out


def test_accuracy_by_ranks(run: Run) -> None:
    result = run("meta", *DATA, "-m", "green", "--level", "ranks", "--resamples", "0", "-f", "csv")
    rows = [line.split(",") for line in result.out.splitlines()]
    assert rows[0] == ["better", "worse", "pairs", "GREEN"]
    assert sum(int(row[2]) for row in rows[1:]) == 109  # as many as at level sentence
    assert all(int(row[0]) < int(row[1]) for row in rows[1:])


def test_json_has_segments_and_pairs_of_ranks(run: Run) -> None:
    document = json.loads(run("meta", *RATINGS, "-m", "green", "-f", "json", "--resamples", "10").out)
    assert document["ratings"] == "ratings.csv"
    assert "judgments" not in document
    assert document["options"]["measure"] == "mean-rating"
    metric = document["metrics"][0]
    assert metric["segment_level"]["agreement"]["n"] == 110
    assert [(cell["better"], cell["worse"]) for cell in metric["rank_pairs"]] == [(1, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*DATA, "-m", "green", "--level", "segment"), "the level segment requires ratings"),
        ((*DATA, "-m", "green", "--human", "mean-rating"), "mean-rating requires ratings"),
        ((*RATINGS, "-m", "green", "--numbering", "1"), "--numbering requires --judgments"),
        ((*RATINGS, "-m", "green", "--without-annotator", "x"), "--without-annotator requires --judgments"),
        ((*RATINGS, *JUDGMENTS, "-m", "green"), "--judgments and --ratings exclude each other"),
        (("--ratings", "none.csv", *DATA[2:], "-m", "green"), "none.csv: cannot read"),
        (("--ratings", "source.txt", *DATA[2:], "-m", "green"), "source.txt"),
    ],
)
def test_ratings_asked_for_wrongly(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("meta", *arguments)
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_one_metric_cannot_be_tested(run: Run) -> None:
    result = run("meta", *DATA, "-m", "green", "--level", "test")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: --level test requires two or more metrics")


def test_heat_map_of_ties_alone_is_empty(run: Run, tmp_path: Path) -> None:
    ties = re.sub(r'rank="\d+"', 'rank="1"', Path("judgments.xml").read_text(encoding="utf-8"))
    Path(tmp_path / "ties.xml").write_text(ties, encoding="utf-8")
    result = run("meta", "--judgments", tmp_path / "ties.xml", *DATA[2:], "-m", "green", "--plot", tmp_path, "-q")
    assert result.status == 0
    assert "no pairs of different ranks" in (tmp_path / "ranks.svg").read_text(encoding="utf-8")


def test_plots_without_a_window(run: Run, tmp_path: Path) -> None:
    result = run("meta", *DATA, "-m", "green", "--plot", tmp_path)
    assert result.status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["correlation.svg", "ranks.svg"]
    assert "note: no window analysis: 3 systems are fewer than a window of 4 (--window)" in result.err


def test_judgments_without_groups_name_the_option(run: Run, tmp_path: Path) -> None:
    rows = ["srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank"]
    rows += [f"{s},one,{first},1,{second},2" for s in range(40) for first, second in [("eager", "noisy")]]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = ("--judgments", path, *DATA[2:], "-m", "green", "--resamples", "0")
    result = run("meta", *data)
    assert result.status == 2
    assert "hint: --numbering 0 counts lines from 0, as in the CSV of NSPT15" in result.err
    assert run("meta", *data, "--numbering", "0").status == 0


def test_outputs_of_the_judged_sentences_only(run: Run, tmp_path: Path) -> None:
    """As in SEEDA's outputs/subset."""
    for path in Path("systems").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / path.name).write_text("".join(lines[:30]), encoding="utf-8")
    result = run("meta", *JUDGMENTS, "--systems", tmp_path, *DATA[4:], "-m", "green")
    assert result.status == 2
    assert "hint: the outputs have the 30 judged sentences only, as in SEEDA's outputs/subset" in result.err


def test_many_resamples_part_by_part(run: Run) -> None:
    """As many as are in several parts; the first thousand are those of a smaller run."""
    result = run("meta", *DATA, "-m", "green", "--resamples", "2500", "-f", "json")
    assert result.status == 0
    [metric] = json.loads(result.out)["metrics"]
    assert metric["intervals"]["sentences"]["pearson"]["undefined"] <= 2500
    assert run("meta", *JUDGMENTS, "--level", "human", "--resamples", "25000").status == 0
