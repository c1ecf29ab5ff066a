"""``geceval suite``, and ``--record`` with ``geceval reproduce``."""

from __future__ import annotations

import gzip
import html
import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import get_args

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.base.errors import UsageError
from geceval.counting.metric_classes import METRICS
from geceval.extending import verify_suite
from geceval.statistics.multiple_tests import Adjustment
from geceval.suites import suite_report
from geceval.suites.methods import bibliography
from support.commands import Run
from support.examples import EXAMPLES
from support.judges import loopback

#: A name that no file can have.
LONG = "a" * 5000

BENCH = """\
title = "Two sets"
metrics = ["green", "errant"]

[sets.mine]
source = "source.txt"
references = ["ref0.txt", "ref1.txt"]
primary = "errant"

[sets.second]
gold = "gold.m2"
metrics = ["maxmatch", "green:unit=char,n=6"]

[sets.second.systems]
old = "outputs/noisy/mine.txt"

[[published]]
of = "second"
metric = "maxmatch"
by = "us"
scores = { old = "45.11" }
"""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a definition and the outputs of three systems, one of which lacks a set."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    (tmp_path / "bench.toml").write_text(BENCH, encoding="utf-8")
    for name in ("source.txt", "ref0.txt", "ref1.txt", "gold.m2"):
        shutil.copy(EXAMPLES / name, tmp_path)
    for name in ("careful", "eager", "noisy"):
        folder = tmp_path / "outputs" / name
        folder.mkdir(parents=True)
        shutil.copy(EXAMPLES / "systems" / f"{name}.txt", folder / "mine.txt")
    (tmp_path / "outputs/eager/second.txt.gz").write_bytes(gzip.compress((EXAMPLES / "systems/eager.txt").read_bytes()))
    shutil.copy(EXAMPLES / "systems/noisy.txt", tmp_path / "outputs/noisy/second.txt")
    (tmp_path / "outputs/notes.txt").write_text("no system\n", encoding="utf-8")
    return tmp_path


def test_table_has_primary_metrics_intervals_and_ranks(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("suite", "bench.toml", "-c", "outputs") == snapshot


@pytest.mark.parametrize("size", [2, 4])
def test_json_of_a_judged_set_has_windows_that_fit(
    bench: Path, run: Run, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(suite_report, "WINDOW", size)
    shutil.copy(EXAMPLES / "judgments.xml", bench)
    systems = "".join(f'{name} = "outputs/{name}/mine.txt"\n' for name in ("careful", "eager", "noisy"))
    texts = 'source = "source.txt"\nreferences = ["ref0.txt"]\njudgments = "judgments.xml"\nmetrics = ["green"]\n'
    Path("people.toml").write_text(f"[judged.people]\n{texts}[judged.people.systems]\n{systems}", encoding="utf-8")
    [judged] = json.loads(run("suite", "people.toml", "-f", "json").out)["judged"]
    [metric] = judged["metrics"]
    assert [window["systems"] for window in metric["windows"]] == (
        [["eager", "careful"], ["careful", "noisy"]] if size == 2 else []
    )


def test_judge_of_a_suite_is_an_option(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("suite", "bench.toml", "-c", "outputs", "--judge", "rate=6") == snapshot
    with loopback() as server:
        judge = f"server={server.base_url},cache={bench / 'answers.sqlite'}"
        result = run("suite", "bench.toml", "-c", "outputs", "-m", "llm:model=m", "--judge", judge, "--sets", "mine")
        assert result.status == 0
        assert "LLM-S" in result.out
        assert server.requests


def test_numbers_are_those_of_score_and_compare(bench: Path, run: Run) -> None:
    suite = json.loads(run("suite", "bench.toml", "-c", "outputs", "--parts", "-f", "json", "-q").out)["sets"]
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", EXAMPLES / "ref1.txt"]
    systems = [f"{name}=outputs/{name}/mine.txt" for name in ("careful", "eager", "noisy")]
    scores = json.loads(run("score", *texts, "-c", *systems, "-m", "green", "errant", "-f", "json").out)["results"]
    comparison = suite[0]["comparison"]
    values = {(row["system"], row["metric"]): row["value"] for row in comparison["systems"]}
    assert values == {(row["system"], row["metric"]): row["value"] for row in scores}
    assert {row["signature"] for row in scores} == set(comparison["signatures"].values())
    parts = {row["system"]: row["parts"] for row in scores if row["metric"] == "errant"}
    assert suite[0]["parts"]["errant"] == parts
    compared = json.loads(run("compare", *texts, "-c", *systems, "-m", "errant", "-f", "json", "-q").out)
    assert [row for row in comparison["systems"] if row["metric"] == "errant"] == compared["systems"]
    assert comparison["pairs"] == compared["pairs"]
    assert suite[1]["missing"] == ["careful"]


@pytest.mark.parametrize("options", ["-f latex", "-f csv", "--parts -f csv", "--parts", "--whole -f markdown"])
def test_formats_and_columns_of_the_table(bench: Path, run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("suite", "bench.toml", "-c", "outputs", "-q", *options.split()).out == snapshot


def test_bold_and_dagger_are_for_tested_scores_only(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "--whole", "-q")
    latex = run(*line, "-f", "latex").out
    assert latex.count("textbf") == 2  # one for each primary metric
    assert "F_{2}" in latex
    assert "not shown to differ from the best (bold)" in latex
    separated = run(*line, "-f", "latex", "--sets", "second").out  # eager and noisy are shown to differ
    assert "rlap" not in separated
    assert "not shown to differ" not in separated
    single = run("suite", "bench.toml", "-q", "--sets", "second").out  # one system has no rival
    assert "ranks" not in single
    assert "ranks: range of ranks consistent with the paired tests" in run(*line).out


def test_ranks_of_a_suite_agree_with_the_marks_of_its_paper_table(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q")
    [mine] = json.loads(run(*line, "-f", "json").out)["sets"]
    pairs = [pair for pair in mine["comparison"]["pairs"] if pair["metric"] == "errant"]
    beaten = {pair["b"] if pair["difference"] > 0 else pair["a"] for pair in pairs if pair["p_adjusted"] < 0.05}
    latex = {row.split(" & ")[0]: row for row in run(*line, "-f", "latex").out.splitlines() if " & " in row}
    markdown = {row.split(" | ")[0][2:]: row for row in run(*line, "-f", "markdown").out.splitlines() if " | " in row}
    for system in ("careful", "eager", "noisy"):
        assert ("dagger" in latex[system]) == (system not in beaten | {"eager"})
        assert ("| 1-" in markdown[system]) == (system not in beaten)


def test_uncorrected_source_as_a_system_has_no_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    # Four sentences, of which no test shows a difference: all systems but the best one have a dagger.
    source = (EXAMPLES / "source.txt").read_text(encoding="utf-8").splitlines()[:4]
    systems = {"eager": "systems/eager.txt", "noisy": "systems/noisy.txt", "INPUT": "source.txt"}
    for name, path in {"source": "source.txt", "ref0": "ref0.txt", **systems}.items():
        lines = (EXAMPLES / path).read_text(encoding="utf-8").splitlines()[:4]
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    Path("UNEDITED.m2").write_text("".join(f"S {line}\n\n" for line in source), encoding="utf-8")
    suite = '[sets.four]\nsource = "source.txt"\nreferences = ["ref0.txt"]\nmetrics = ["gleu"]\n[sets.four.systems]\n'
    Path("four.toml").write_text(suite + "".join(f'{name} = "{name}.txt"\n' for name in systems), encoding="utf-8")
    texts = ("-s", "source.txt", "-r", "ref0.txt", "-c", "eager.txt", "noisy.txt")
    for line in (
        ("suite", "four.toml", "-f", "latex"),
        ("compare", *texts, "INPUT.txt", "UNEDITED.m2", "-m", "gleu", "-f", "latex"),
        ("compare", *texts, "INPUT.txt", "UNEDITED.m2", "-m", "gleu", "--baseline", "eager", "-f", "latex"),
    ):
        rows = [row for row in run(*line, "-q").out.splitlines() if row.count(" & ") == 1]
        assert "baseline" in str(line) or any("dagger" in row for row in rows if row.startswith("noisy"))
        assert not [row for row in rows if row.startswith(("INPUT", "UNEDITED")) and ("rlap" in row or "textbf" in row)]
    line = ("score", "-s", "source.txt", "-r", "source.txt", *texts[4:], "INPUT.txt", "-m", "gleu", "-f", "latex")
    for intervals in ([], ["--intervals"]):
        score = run(*line, *intervals).out
        assert "INPUT & 100.00" in score
        assert score.count("textbf") == 1


def test_equal_best_systems_are_marked_alike(bench: Path, run: Run) -> None:
    shutil.copytree(bench / "outputs/eager", bench / "outputs/copied")
    rows = run("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q", "-f", "latex").out.splitlines()
    copied, eager = (next(row for row in rows if row.startswith(f"{name} & ")) for name in ("copied", "eager"))
    assert copied.replace("copied", "eager") == eager
    assert ("textbf" in eager, "dagger" in eager) == (True, False)


def test_samples_too_few_for_the_correction_are_refused_and_the_hint_works(
    bench: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    texts = ("-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-m", "errant", "-q", "-c")
    systems = [f"{name}=outputs/{name}/mine.txt" for name in ("careful", "eager", "noisy")]
    for line in (
        ("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q"),
        ("compare", *texts, *systems),
        ("report", *texts, *systems, "-o", "page.html"),
    ):
        assert run(*line, "--samples", "59") == snapshot
        assert run(*line, "--samples", "60").status == 0
    assert "ar:60000|boot:20000|" in run("suite", "bench.toml", "-c", "outputs", "--alpha", "0.0001", "-q").out


def test_several_suites_are_one_table(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    (bench / "elsewhere").mkdir()
    text = '[sets.mine2]\ngold = "../gold.m2"\nmetrics = ["errant"]\noutputs = "mine"\n'
    (bench / "elsewhere/more.toml").write_text(text, encoding="utf-8")
    line = ("suite", "bench.toml", "elsewhere/more.toml", "-c", "outputs")
    assert "hint: --allow-outside" in run(*line).err
    line = (*line, "--allow-outside")
    assert run(*line, "--record", "run.json") == snapshot
    assert "hint: --allow-outside" in run("reproduce", "run.json").err
    assert run("reproduce", "run.json", "--allow-outside").status == 0
    assert "mine ERRANT" not in run(*line, "--sets", "mine2", "-q").out
    assert run("suite", "bench.toml", "bench.toml", "-c", "outputs") == snapshot


def test_titles_are_heads_of_a_paper_where_they_distinguish_columns(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "-q", "-f", "latex")
    titled = BENCH.replace("[sets.mine]", '[sets.mine]\ntitle = "A set"')
    (bench / "bench.toml").write_text(titled, encoding="utf-8")
    assert " & A set & second \\\\\n" in run(*line).out  # a set without a title has its name
    both_titled = titled.replace("[sets.second]", '[sets.second]\ntitle = "A set"')
    (bench / "bench.toml").write_text(both_titled, encoding="utf-8")
    assert " & \\multicolumn{2}{c}{A set} \\\\\n" in run(*line).out
    assert " & mine & second \\\\\n" in run(*line, "-m", "green").out


def test_files_of_the_command_line_replace_those_of_the_definition(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q", "-f", "json")
    references = [str(EXAMPLES / "ref1.txt"), str(EXAMPLES / "ref0.txt")]
    options = [option for path in references for option in ("--set", f"mine.references={path}")]
    result = run(*line, *options, "--record", "run.json")
    assert json.loads(result.out)["sets"][0]["files"]["references"] == references
    assert str(bench) not in Path("run.json").read_text(encoding="utf-8")
    outside = run("reproduce", "run.json")
    assert (outside.status, "hint: --allow-outside" in outside.err) == (2, True)
    assert run("reproduce", "run.json", "--allow-outside").status == 0
    shutil.copy(EXAMPLES / "source.txt", bench / "here.txt")
    assert run(*line, "--set", "mine.source=here.txt").status == 0  # relative to the working directory


OBJECTIVES = '[objectives]\nprecision = "errant"\nrecall = "green"\n\n[sets.mine]'


def test_objectives_of_a_suite_are_columns(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    for objectives in (
        OBJECTIVES,
        OBJECTIVES.replace("recall", "recal"),
        OBJECTIVES.replace('"green"', '"gleu"'),
    ):
        (bench / "bench.toml").write_text(BENCH.replace("[sets.mine]", objectives), encoding="utf-8")
        assert run("suite", "bench.toml", "-c", "outputs", "--sets", "mine") == snapshot


def test_objectives_of_several_suites_are_those_of_their_sets(
    bench: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    (bench / "bench.toml").write_text(BENCH.replace("[sets.mine]", OBJECTIVES), encoding="utf-8")
    third = '[objectives]\nprecision = "green"\n\n[sets.third]\ngold = "gold.m2"\nmetrics = ["errant", "green"]\n'
    (bench / "other.toml").write_text(third + 'outputs = "mine"\n', encoding="utf-8")
    assert run("suite", "bench.toml", "other.toml", "-c", "outputs", "--samples", "60", "-q").out == snapshot


def test_average_of_the_sets_is_a_column_on_request(bench: Path, run: Run) -> None:
    (bench / "bench.toml").write_text(f"average = true\n{BENCH}", encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs")
    careful, eager, *_ = result.out.splitlines()[4:]
    assert (careful.split()[-1], eager.split()[-1]) == ("—", "86.22")  # of 84.29 and 88.15
    assert "average: mean of mine ERRANT, second MaxMatch" in result.out


def test_sets_and_metrics_of_the_command_line_replace_those_of_the_definition(bench: Path, run: Run) -> None:
    result = run("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-m", "green:n=2", "-q", "-f", "csv")
    assert [line.split(",")[:3] for line in result.out.splitlines()[1:]] == [
        ["mine", "green", name] for name in ("careful", "eager", "noisy")
    ]


def test_set_with_several_names_of_outputs_reads_any_of_them(bench: Path, run: Run) -> None:
    named = BENCH.replace('gold = "gold.m2"', 'gold = "gold.m2"\noutputs = ["x", "mine"]')
    (bench / "bench.toml").write_text(named, encoding="utf-8")
    (bench / "outputs/careful/mine.txt").rename(bench / "outputs/careful/x.txt")
    assert "—" not in run("suite", "bench.toml", "-c", "outputs", "--sets", "second", "-q").out


@pytest.fixture
def known_bench(bench: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite with systems that are known by checksum, in the folder data."""
    from geceval.suites import file_locations
    from geceval.suites.suite_definition import KnownFile, text_checksum

    files = {}
    (bench / "data").mkdir()
    for name in ("careful", "eager", "noisy"):
        path = shutil.copy(EXAMPLES / f"systems/{name}.txt", bench / "data" / name)
        files[name] = KnownFile(str(text_checksum(path)), name, f"{name}.txt", "here")
    monkeypatch.setattr(file_locations, "known_files", lambda: files)
    definition = BENCH.partition("[sets.second.systems]")[0] + '[sets.second.systems]\ncareful = "@careful"\n'
    published = '\n[[published]]\nof = "second"\nmetric = "maxmatch"\nby = "a paper"\nscores = { careful = "69.77" }\n'
    (bench / "bench.toml").write_text(f'{definition}eager = "@eager"\n{published}', encoding="utf-8")
    return bench


KNOWN = ("suite", "bench.toml", "--data", "data", "--sets", "second", "-q")


@pytest.mark.parametrize("options", [(), ("-q",)])
def test_altered_or_missing_known_file_of_a_suite_is_an_error(
    known_bench: Path, run: Run, options: Sequence[str], snapshot: SnapshotAssertion
) -> None:
    line = ("suite", "bench.toml", "--data", "data", "--sets", "second", *options)
    assert run(*line).status == run(*line, "--verify").status == 0
    for name in (*(f"{number}.txt" for number in range(11)), "eager.txt"):
        (known_bench / "data" / name).write_text("something else\n", encoding="utf-8")
    path = known_bench / "data/eager"
    path.write_text(path.read_text(encoding="utf-8").replace("market", "narket", 1), encoding="utf-8")
    assert run(*line) == snapshot
    assert run(*line, "--verify") == snapshot


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(b"\n", b"\r\n"), lambda content: content.replace(b"\n", b"\r"),
        lambda content: b"\xef\xbb\xbf" + content, lambda content: content.removesuffix(b"\n"), gzip.compress,
    ],
    ids=["crlf", "cr", "bom", "no last line end", "gzip"],
)  # fmt: skip
def test_copy_with_other_line_ends_is_the_known_file(
    known_bench: Path, run: Run, change: Callable[[bytes], bytes]
) -> None:
    printed = run(*KNOWN).out
    path = known_bench / "data/eager"
    path.write_bytes(change(path.read_bytes()))
    assert run(*KNOWN).out == printed


@pytest.mark.parametrize("change", [lambda text: text + "\n", lambda text: text.replace("\n", " \n", 1), str.lower])
def test_copy_with_other_characters_is_not_the_known_file(
    known_bench: Path, run: Run, change: Callable[[str], str]
) -> None:
    path = known_bench / "data/eager"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    message = "@eager: not found under data; eager has its name, but other contents (@eager is eager.txt"
    assert message in run(*KNOWN).err
    path.rename(path.with_name("eagre.out"))
    assert "; eagre.out has the nearest name, but other contents" in run(*KNOWN).err


def test_misfits_of_a_set_are_dropped_with_a_warning(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "--sets", "second", "-f", "csv")
    expected = run(*line)
    gold = (EXAMPLES / "gold.m2").read_text(encoding="utf-8")
    (bench / "bad.m2").write_text(gold.replace("\nA ", "\nA 900 901|||R|||x|||R|||N|||0\nA ", 1), encoding="utf-8")
    stopped = run(*line, "--set", "second.gold=bad.m2")
    assert "bad.m2:2: second: the edit spans 900 to 901" in stopped.err
    assert stopped.status == 2
    definition = BENCH.replace("[sets.second]", '[sets.second]\nmisfits = "drop"')
    (bench / "bench.toml").write_text(definition, encoding="utf-8")
    dropped = run(*line, "--set", "second.gold=bad.m2")
    assert "bad.m2:2: dropped: 1 edit that does not fit its sentence" in dropped.err
    assert dropped.out == expected.out


def test_file_at_the_path_of_the_definition_is_read_and_a_difference_is_an_error(
    known_bench: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    printed = run(*KNOWN).out
    content = (EXAMPLES / "systems/eager.txt").read_bytes()
    listed = f'\n[files.eager]\npath = "mine/best.txt"\nsha256 = "{sha256(content).hexdigest()}"\n'
    with (known_bench / "bench.toml").open("a", encoding="utf-8") as definition:
        definition.write(listed)
    assert run(*KNOWN) == snapshot
    path = known_bench / "data/mine/best.txt"
    path.parent.mkdir()
    path.write_bytes(content.replace(b"\n", b"\r\n"))
    (known_bench / "data/eager").unlink()
    assert run(*KNOWN).out == printed
    path.write_bytes(content + b"x")
    assert run(*KNOWN) == snapshot
    assert run(*KNOWN, "--verify") == snapshot


def test_longer_files_than_known_ones_are_read_to_the_limit_only(tmp_path: Path) -> None:
    from geceval.suites.suite_definition import CHARACTERS_PER_READ, text_checksum

    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(bytes(3 * CHARACTERS_PER_READ)))
    assert text_checksum(str(path), 2 * CHARACTERS_PER_READ) is None
    assert text_checksum(str(path)) == sha256(bytes(3 * CHARACTERS_PER_READ) + b"\n").hexdigest()


def test_known_m2_file_is_edits_under_any_name(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    """Published files do not end in .m2."""
    (bench / "data").mkdir()
    content = (EXAMPLES / "gold.m2").read_bytes()
    (bench / "data/perfect.errant").write_bytes(content)
    head = BENCH.partition("[sets.second.systems]")[0]
    listed = f'[files.edits]\npath = "perfect.errant"\nsha256 = "{sha256(content).hexdigest()}"\n'
    (bench / "bench.toml").write_text(f'{head}[sets.second.systems]\nperfect = "@edits"\n{listed}', encoding="utf-8")
    assert run("suite", "bench.toml", "--data", "data", "--sets", "second", "-m", "errant") == snapshot


def test_known_files_of_other_systems_are_not_required(known_bench: Path, run: Run) -> None:
    (known_bench / "data/eager").unlink()
    line = ("suite", "bench.toml", "--data", "data", "-c", "outputs", "-q")
    assert run(*line).status == 0
    assert run(*line, "--beside").status == 0  # outputs/eager takes the place of the missing file
    assert run(*line, "--sets", "mine").status == 0


def test_output_under_another_name_is_reported_with_the_expected_name(
    bench: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    (bench / "outputs/late").mkdir()
    shutil.copy(EXAMPLES / "systems/noisy.txt", bench / "outputs/late/my.txt")
    result = run("suite", "bench.toml", "-c", "outputs", "-q")
    assert (result.status, result.err) == (2, snapshot)
    assert "careful" in result.out
    assert run("suite", "bench.toml", "-c", "outputs", "-q", "--baseline", "late").out == ""
    alone = bench / "alone"
    shutil.copytree(bench / "outputs/late", alone / "late")
    assert run("suite", "bench.toml", "-c", str(alone), "-q").out == ""
    (bench / "outputs/late/my.txt").rename(bench / "outputs/late/mine.txt")
    (bench / "outputs/late/2nd.txt").write_text("x\n", encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs")
    assert (result.status, result.err) == (0, snapshot)


def test_archives_beside_the_folders_are_named(bench: Path, run: Run) -> None:
    with zipfile.ZipFile(bench / "outputs/late.zip", "w") as archive:
        archive.writestr("mine.txt", "He goes .\n")
    note = "note: outputs: late.zip ignored: unpack it, SYSTEM/SET.txt\n"
    assert note in run("suite", "bench.toml", "-c", "outputs").err


def test_systems_of_the_definition_are_scored_alone_or_beside_others(bench: Path, run: Run) -> None:
    beside = run("suite", "bench.toml", "-c", "outputs", "--beside", "-q").out
    assert [line.split()[0] for line in beside.splitlines()[4:8]] == ["careful", "eager", "noisy", "old"]
    alone = run("suite", "bench.toml", "-q").out
    assert alone.splitlines()[4].split()[:3] == ["old", "—", "45.11"]
    assert run("suite", "bench.toml", "--beside").status == 2
    (bench / "outputs/noisy/mine.txt").unlink()
    assert "file not found" in run("suite", "bench.toml", "--sets", "second").err


def test_verify_compares_published_numbers_with_those_of_the_files(
    bench: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    assert run("suite", "bench.toml", "--verify") == snapshot
    path = bench / "outputs/noisy/mine.txt"
    shutil.copy(EXAMPLES / "systems/eager.txt", path)
    assert run("suite", "bench.toml", "--verify") == snapshot
    path.unlink()
    assert run("suite", "bench.toml", "--verify", "-f", "json") == snapshot


@pytest.mark.parametrize(
    "line",
    [
        "suite",
        "suite bench.toml -c nowhere",
        "suite bench.toml -c outputs/careful",
        "suite benc -c outputs",
        "suite conll -c outputs",
        "suite conll14 -c outputs",
        "suite conll14 -c outputs --data nowhere",
        "suite conll14 -c outputs --data outputs",
        "suite gjg15 -c outputs --data outputs",
        "suite bench.toml -c outputs --sets mien",
        "suite bench.toml -c outputs -m gren",
        "suite bench.toml -c outputs -m maxmatch",
        "suite bench.toml --verify -c outputs",
        "suite --list --record run.json",
        "suite --list conll14 --whole",
        "suite bench.toml --verify --samples 5 --beside",
        "suite bench.toml --systems=",
        "suite bench.toml --set mine.source",
        "suite bench.toml --set mien.source=x",
        "suite bench.toml --set mine.gould=x",
        "suite bench.toml --set mine.judgments=x",
        "suite --set mine.source=x --set mine.source=y bench.toml",
        "suite bench.toml -c outputs --set mine.source=x",
        "suite bench.toml -c outputs --set mine.source=~nosuchuser/x",
        "suite bench.toml -c outputs --set second.source=@jfleg/source",
        "suite bench.toml -c nowhere --set second.source=@jfleg/source",
        "reproduce bench.toml",
        "reproduce nothing.json",
    ],
)
def test_refusal_names_the_mistake(
    bench: Path, run: Run, line: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.delenv("GECEVAL_DATA", raising=False)
    assert run(*line.split()) == snapshot


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("suite conll14 -c outputs --data", "is not a folder"),
        ("suite", "no file or suite aaa"),
        ("suite bench.toml -c", "is not a folder"),
        ("suite bench.toml -c outputs --set", "file not found"),
    ],
)
def test_name_that_no_file_can_have_is_refused(bench: Path, run: Run, line: str, message: str) -> None:
    name = f"mine.source={LONG}" if line.endswith("--set") else LONG
    result = run(*line.split(), name)
    assert (result.status, message in result.err) == (2, True)


def test_missing_or_ambiguous_file_of_a_set_is_named(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    line = ("suite", "bench.toml", "-c", "outputs")
    for name in ("$EXAMPLES/source.txt", "~/source.txt", "missing.txt"):
        (bench / "bench.toml").write_text(BENCH.replace("source.txt", name), encoding="utf-8")
        assert run(*line) == snapshot
    (bench / "bench.toml").write_text(BENCH, encoding="utf-8")
    shutil.copy(EXAMPLES / "gold.m2", bench / "outputs/eager/second.m2")
    assert run(*line) == snapshot


@pytest.mark.parametrize("content", ["one line\n", ""])
def test_output_of_another_length_is_refused(bench: Path, run: Run, content: str) -> None:
    (bench / "outputs/noisy/mine.txt").write_text(content, encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs")
    assert result.status == 2
    assert "outputs/noisy/mine.txt" in result.err
    assert "lines" in result.err


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("mine.txt", b"one line\n", "mine, late: not the same number of lines"),
        ("mine.txt", b"caf\xe9\n" * 40, "mine, late: outputs/late/mine.txt:1: not UTF-8"),
        ("second.m2", b"S another sentence\n\n" * 40, "second, late: outputs/late/second.m2:1: sentence 1 differs"),
    ],
)
def test_outputs_that_cannot_be_read_are_listed_after_the_table_of_the_others(
    bench: Path, run: Run, name: str, content: bytes, reason: str
) -> None:
    line = ("suite", "bench.toml", "-c", "outputs")
    expected = run(*line, "-q").out
    late = bench / "outputs/late"
    late.mkdir()
    for valid in ("mine.txt", "second.txt"):
        if valid.partition(".")[0] != name.partition(".")[0]:
            shutil.copy(EXAMPLES / "systems/careful.txt", late / valid)
    (late / name).write_bytes(content)
    result = run(*line, "-o", "board.json")
    assert (result.status, "error: outputs that were not scored: 1" in result.err) == (2, True)
    assert reason in result.err
    sets = json.loads((bench / "board.json").read_text(encoding="utf-8"))["sets"]
    of_set = {scored["set"]: scored for scored in sets} if "set" in sets[0] else {row["name"]: row for row in sets}
    stem = name.partition(".")[0]
    assert [row["system"] for row in of_set[stem]["rejected"]] == ["late"]
    assert "late" in of_set[stem]["missing"]
    careful = next(line for line in expected.splitlines() if line.startswith("careful"))
    assert careful.split()[1] in run(*line, "-q").out


def test_hints_name_the_keys_of_the_definition(bench: Path, run: Run) -> None:
    gold = re.sub(r"[MRU]:[A-Z:]+", "ArtOrDet", (EXAMPLES / "gold.m2").read_text(encoding="utf-8"))
    (bench / "gold.m2").write_text(gold, encoding="utf-8")
    line = ("suite", "bench.toml", "-c", "outputs", "--sets", "second", "-m", "errant")
    warned = run(*line)
    assert "--gold-edits reannotated (in the definition, the key gold_edits of [sets.second])" in warned.err
    (bench / "bench.toml").write_text(
        BENCH.replace("[sets.second]", '[sets.second]\ngold_edits = "reannotated"'), encoding="utf-8"
    )
    assert "hint" not in run(*line).err


def test_empty_lines_of_an_output_are_read_as_the_definition_or_an_option_states(bench: Path, run: Run) -> None:
    lines = (bench / "outputs/careful/mine.txt").read_text(encoding="utf-8").splitlines()
    (bench / "outputs/careful/mine.txt").write_text(
        "".join(f"{line if number % 8 else ''}\n" for number, line in enumerate(lines)), encoding="utf-8"
    )
    line = ("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-f", "json")
    refused = run(*line)
    assert "outputs/careful/mine.txt: 5 of 40 lines are empty next to a sentence (lines 1, 9, 17, …)" in refused.err
    assert "--blank empty as deleted ones (in the definition, the key blank of [sets.mine])" in refused.err
    scores = {}
    for reading in ("unchanged", "empty"):
        by_option = run(*line, "--blank", reading)
        text = BENCH.replace("[sets.mine]", f'[sets.mine]\nblank = "{reading}"')
        (bench / "bench.toml").write_text(text, encoding="utf-8")
        by_key = run(*line)
        (bench / "bench.toml").write_text(BENCH, encoding="utf-8")
        assert (by_option.status, by_key.out) == (0, by_option.out)
        [mine] = json.loads(by_key.out)["sets"]
        assert f"|blank:{reading}|" in mine["comparison"]["signatures"]["errant"]
        scores[reading] = mine["comparison"]["systems"]
    assert scores["unchanged"] != scores["empty"]
    # Warnings name the set, whose systems have the same names in all sets.
    assert "system careful: mine: 5 of its 40 lines are empty" in by_option.err
    with pytest.raises(UsageError, match="blank must be one of"):
        geceval.evaluate_suite("bench.toml", "outputs", blank="none")


@pytest.fixture
def task(bench: Path) -> Path:
    """A shared task of two hidden sets: one team copied another, some files cannot be scored, one is missing."""
    (bench / "task.toml").write_text(
        'title = "Task 2027"\nmetrics = ["green"]\naverage = true\n'
        '[sets.mine]\ntitle = "Learners"\nsource = "source.txt"\nreferences = ["ref0.txt", "ref1.txt"]\n'
        '[sets.second]\ntitle = "Experts"\ngold = "gold.m2"\nmetrics = ["errant"]\n',
        encoding="utf-8",
    )
    shutil.copy(EXAMPLES / "systems/careful.txt", bench / "outputs/careful/second.txt")
    shutil.copytree(bench / "outputs/eager", bench / "outputs/zzz")
    (bench / "outputs/zzz/mine.txt").write_bytes((bench / "outputs/zzz/mine.txt").read_bytes().replace(b"\n", b"\r\n"))
    for name, files in {
        "short": {"mine.txt": b"one line\n", "second.txt": b"\n" * 40},
        "bytes": {"mine.txt": b"caf\xe9\n" * 40, "second.m2": b"S another sentence\n\n" * 40},
        "late": {"mine.txt": (EXAMPLES / "ref1.txt").read_bytes()},
    }.items():
        (bench / "outputs" / name).mkdir()
        for file, content in files.items():
            (bench / "outputs" / name / file).write_bytes(content)
    return bench


def test_board_has_titles_mean_ranks_copies_date_and_rejected_files(
    task: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    result = run("suite", "task.toml", "-c", "outputs", "--sort", "rank", "-o", "board.md", "-q")
    assert result.status == 2
    board = (task / "board.md").read_text(encoding="utf-8")
    assert board == snapshot
    table, unscored = board.split("**Not scored**")
    assert "2027-01-15" in table
    assert "= same outputs: eager, zzz (Learners, Experts)" in table
    ranks = [row.split(" | ")[1] for row in table.splitlines() if re.match(r"\| (?!system|---)", row)]
    assert ranks == sorted(ranks, key=lambda rank: float(rank.replace("—", "inf")))
    assert "| short | Experts | outputs/short/second.txt | 40 of 40 lines are empty" in unscored
    assert "| bytes | Learners | outputs/bytes/mine.txt:1 | not UTF-8" in unscored
    assert "| late | Experts |  | no output |" in unscored


def test_mean_rank_is_the_mean_of_the_middles_of_ranges(task: Path, run: Run) -> None:
    document = json.loads(run("suite", "task.toml", "-c", "outputs", "-f", "json", "-q").out)
    for system, mean in document["mean_ranks"].items():
        scores = (
            score
            for scored in document["sets"]
            for score in scored["comparison"]["systems"]
            if (score["system"], score["metric"]) == (system, scored["primary"])
        )
        middles = [(score["rank_low"] + score["rank_high"]) / 2 for score in scores]
        assert mean == (sum(middles) / 2 if len(middles) == 2 else None)
    assert document["sets"][0]["copies"] == [["eager", "zzz"]]
    # Against a baseline there are no ranks.
    against = json.loads(run("suite", "task.toml", "-c", "outputs", "--baseline", "eager", "-f", "json", "-q").out)
    assert set(against["mean_ranks"].values()) == {None}


@pytest.mark.parametrize("format", ["html", "json", "markdown", "csv"])
def test_board_has_no_sentence_of_a_hidden_reference(task: Path, run: Run, format: str) -> None:
    texts = {name: (task / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("ref0", "ref1")}
    hidden = {line for lines in texts.values() for line in lines} - {
        *(task / "source.txt").read_text(encoding="utf-8").splitlines()
    }
    text = run("suite", "task.toml", "-c", "outputs", "--whole", "-f", format).out
    assert len(hidden) > 20
    assert [line for line in hidden if line in text or json.dumps(line)[1:-1] in text] == []


@pytest.mark.parametrize("format", ["html", "markdown"])
@pytest.mark.parametrize("outside", [False, True])
def test_board_names_no_file_of_the_references(task: Path, run: Run, format: str, outside: bool) -> None:
    hidden = "hidden/expected" if not outside else str(task / "hidden/expected")
    shutil.copytree(task, task / "hidden")
    for name, copy in (("ref0.txt", "expected.txt"), ("gold.m2", "expected.m2")):
        shutil.copy(task / name, task / "hidden" / copy)
    text = (task / "task.toml").read_text(encoding="utf-8")
    text = text.replace('"ref0.txt"', f'"{hidden}.txt"').replace('"gold.m2"', f'"{hidden}.m2"')
    (task / "task.toml").write_text(text, encoding="utf-8")
    for output in ("mine", "second"):
        (task / f"outputs/short/{output}.txt").write_text("one line\n", encoding="utf-8")
    result = run("suite", "task.toml", "-c", "outputs", "-f", format, *["--allow-outside"] * outside)
    assert "hidden/expected.txt" in result.err
    assert "hidden/expected.m2" in result.err
    assert "expected" not in result.out
    for output in ("mine", "second"):
        assert re.search(
            rf"not the same number of \w+; system outputs/short/{output}.txt 1 (<|&lt;)- 39 fewer", result.out
        )


def test_page_of_a_board_is_complete_and_loads_nothing(task: Path, run: Run) -> None:
    line = ("suite", "task.toml", "-c", "outputs", "--sort", "rank", "-q")
    assert run(*line, "-o", "board.html").status == 2
    page = (task / "board.html").read_text(encoding="utf-8")
    assert run(*line, "-f", "html").out == page
    shown = html.unescape(re.sub("<style>.*?</style>|<script.*?</script>|<[^>]*>", "\n", page, flags=re.DOTALL))
    rows = [row for row in run(*line, "-f", "markdown").out.splitlines() if row.startswith("| ")]
    for cell in {cell.strip("| ") for row in rows for cell in row.split(" | ") if not row.startswith("| ---")}:
        assert cell.replace("\\", "") in shown
    assert page.count("data-sortable") == 2 + page.split("<script>")[1].count("data-sortable")
    assert not re.search(r"(?:src|href)=\"(?!#)|https?://(?!www\.w3\.org)", page)
    document = json.loads(re.search(r'id="board">(.*?)</script>', page, re.DOTALL)[1])
    assert not re.search("ref0|gold.m2|warnings.*blank", json.dumps(document["sets"]))
    assert document["mean_ranks"]["careful"] is not None


@pytest.mark.parametrize(
    ("sort", "first"),
    [("name", "bytes"), ("given", "bytes"), ("rank", "eager"), ("average", "eager"), ("mine", "late"),
     ("learners", "late"), ("Experts ERRANT", "eager"), ("second", "eager")],
)  # fmt: skip
def test_systems_of_a_suite_are_sorted(task: Path, run: Run, sort: str, first: str) -> None:
    line = ("suite", "task.toml", "-c", "outputs", "-q", "-f", "json", "--sort")
    document = json.loads(run(*line, sort).out)
    assert document["systems"][0] == first
    assert sorted(document["systems"]) == ["bytes", "careful", "eager", "late", "noisy", "short", "zzz"]


def test_order_by_an_unknown_column_is_refused_before_scoring(task: Path, run: Run) -> None:
    result = run("suite", "task.toml", "-c", "nowhere", "--sort", "third")
    assert result.err == "error: cannot sort by 'third': choose from given, name, rank, average, mine, second\n"
    assert "rank, second" in run("suite", "bench.toml", "--sets", "second", "--sort", "mine").err


def test_rejected_baseline_ends_the_run(bench: Path, run: Run) -> None:
    (bench / "outputs/careful/mine.txt").write_text("one line\n", encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs", "--baseline", "careful", "--sets", "mine")
    assert (result.status, result.out) == (2, "")


def test_suite_from_python_has_scores_and_verdicts(bench: Path) -> None:
    suite = geceval.read_suite("bench.toml")
    results = geceval.evaluate_suite(suite, "outputs", samples=60, checks=False)
    mine, second = results.sets
    assert results.systems == ("careful", "eager", "noisy")
    score = mine.score("eager")
    assert score is not None
    assert round(100 * score.value, 2) == 84.29
    assert second.score("careful") is None
    assert second.missing == ("careful",)
    [verdict], notes = verify_suite(suite)
    assert (verdict.outcome, notes) == ("equal", [])


def test_unreadable_file_of_the_data_folder_is_ignored_with_a_warning(bench: Path, run: Run) -> None:
    (bench / "cut.gz").write_bytes(gzip.compress(b"a line of text\n" * 50)[:-20])
    result = run("suite", "conll14", "--data", ".", "--verify")
    assert result.status == 1
    assert "cut.gz: cannot read: " in result.err
    assert "ignored" in result.err


@pytest.mark.parametrize("options", [(), ("--language", "en"), ("-m", "errant:annotator=builtin:2")])
def test_record_of_geceval_0_3_is_reproduced_with_its_annotator(
    texts: Path, run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """There ``builtin:2`` was called ``builtin``, and was the default of English."""
    line = ["score", "-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", EXAMPLES / "systems/eager.txt"]
    named = options if "-m" in options else ("-m", "errant", "--language", "builtin:2")
    assert run(*line, *named, "--by", "full", "--record", tmp_path / "run.json").status == 0
    text = (tmp_path / "run.json").read_text()
    record = json.loads(text.replace("builtin:2-2", "builtin-2").replace("annotator=builtin:2", "annotator=builtin"))
    arguments = [argument for argument in record["arguments"] if argument != "--language=builtin:2"]
    record["arguments"] = arguments + ["--language=en"] * ("--language" in options)
    record["version"] = "0.3.0"
    (tmp_path / "old.json").write_text(json.dumps(record))
    result = run("reproduce", tmp_path / "old.json", "--allow-outside")
    assert (result.status, result.out.splitlines()[-1]) == (0, "reproduced: all signatures and numbers are equal")


def test_record_with_impossible_values_is_not_reproduced(texts: Path, run: Run) -> None:
    run(*SCORE, "--record", "run.json")
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    edit_record(inputs={LONG: ""})
    assert "inputs are missing" in run("reproduce", "run.json").err
    document = record["document"]
    document["results"][0]["scores"] = 10**400
    edit_record(inputs=record["inputs"], document=document)
    assert run("reproduce", "run.json").status == 1


SCORE = ("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "eager.txt", "-m", "green", "errant")


def test_record_in_a_deleted_folder_is_refused_before_scoring(
    texts: Path, run: Run, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    line = [str(texts / word) if word.endswith(".txt") else word for word in SCORE]
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert run(*line, "--record", tmp_path / "run.json") == snapshot
    assert not (tmp_path / "run.json").exists()
    assert run(*line).status == 0
    os.chdir(tmp_path)
    assert run(*line, "--record", tmp_path / "run.json").status == 0
    os.chdir(texts)
    assert run("reproduce", tmp_path / "run.json").status == 0


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("source.txt", "ref0.txt", "ref1.txt", "systems/eager.txt", "systems/noisy.txt", "judgments.xml"):
        shutil.copy(EXAMPLES / name, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    "line",
    [
        SCORE,
        (*SCORE, "--intervals"),
        (*SCORE, "--level", "mean", "-f", "json"),
        (*SCORE[:-1], "--group", "length"),
        ("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "eager.txt", "-m", "errant", "--by", "type", "-f", "tsv"),
        ("compare", *SCORE[1:5], "-c", "eager.txt", "noisy.txt", "-m", "green", "--samples", "50"),
        ("meta", "--numbering", "0", "--judgments", "judgments.xml", "-c", "eager.txt", "noisy.txt", *SCORE[1:5],
         "-m", "green", "--samples", "20"),
        ("meta", "--judgments", "judgments.xml", "--level", "human", "--samples", "20"),
    ],
)  # fmt: skip
def test_record_is_reproduced_from_any_folder(
    texts: Path, run: Run, line: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = run(*line)
    recorded = run(*line, "--record", "run.json", "-o", "out.txt")
    assert recorded.status == printed.status
    if line[0] != "meta":  # which prints its time
        assert Path("out.txt").read_text(encoding="utf-8") == printed.out
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    assert set(record["inputs"]) == {word for word in line if (texts / word).is_file()}
    before = {path: path.read_bytes() for path in texts.iterdir()}
    monkeypatch.chdir(texts.parent)
    reproduced = run("reproduce", "run/run.json")
    assert (reproduced.status, reproduced.err) == (0, "")
    assert reproduced.out.startswith("reproduced: ")
    assert {path: path.read_bytes() for path in texts.iterdir()} == before


def test_record_does_not_replace_an_input_or_the_output(texts: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    before = Path("ref0.txt").read_bytes()
    assert run(*SCORE, "--record", texts / "ref0.txt") == snapshot
    assert Path("ref0.txt").read_bytes() == before
    assert run(*SCORE, "-o", "out.txt", "--record", "./out.txt") == snapshot
    assert not Path("out.txt").exists()


def test_record_has_the_long_names_of_options_and_relative_paths(texts: Path, run: Run) -> None:
    assert run("score", "-s", "source.txt", f"-r{texts / 'ref0.txt'}", *SCORE[5:], "--record", "run.json").status == 0
    files = ["--source=source.txt", "--references=ref0.txt", "--systems=eager.txt"]
    assert recorded_arguments() == ["score", *files, "--metrics=green", "--metrics=errant"]
    assert run("reproduce", "run.json").status == 0


@pytest.mark.parametrize(
    "line",
    [
        "--metrics=llm:model=x,server=http://localhost:1",
        "-m scribendi:cache=kept.txt",
        "--judge=cache=kept.txt --metrics=llm:model=x",
        "--nonsense=1",
        "--metrics",
        "--digits=100",
        "--output=out.txt",
        "-o out.txt",
        "-oout.txt",
        "--record other.json",
        "--systems=eager=-",
        "-c -",
        "-c-",
        "--metrics=llm:model=x",
        "--level=sentence --format=tsv --signatures=kept.json",
        "--help",
        "-- eager.txt",
    ],
)
def test_record_with_options_that_write_or_connect_is_not_run(
    texts: Path, run: Run, line: str, snapshot: SnapshotAssertion
) -> None:
    run(*SCORE, "--record", "run.json")
    before = sorted(path.name for path in texts.iterdir())
    edit_record(arguments=recorded_arguments() + line.split())
    assert run("reproduce", "run.json") == snapshot
    assert sorted(path.name for path in texts.iterdir()) == before


def test_recorded_suite_does_not_connect_to_a_judge(bench: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("suite", "bench.toml", "-c", "outputs", "--record", "run.json", "-q").status == 0
    arguments = recorded_arguments()
    edit_record(arguments=[*arguments, "--judge=server=http://localhost:1/v1"])
    assert "--judge cannot be recorded" in run("reproduce", "run.json").err
    monkeypatch.setenv("GECEVAL_BASE_URL", "http://localhost:1/v1")
    text = (bench / "bench.toml").read_text(encoding="utf-8")
    (bench / "bench.toml").write_text(text.replace('"maxmatch",', '"maxmatch", "llm:model=x",'), encoding="utf-8")
    edit_record(arguments=arguments)
    refused = run("reproduce", "run.json")
    assert (refused.status, "no server is given" in refused.err) == (2, True)
    assert os.environ["GECEVAL_BASE_URL"] == "http://localhost:1/v1"


def test_changed_and_missing_inputs_of_a_record_are_reported(
    texts: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    run(*SCORE, "--record", "run.json")
    shutil.copy("noisy.txt", "eager.txt")
    assert run("reproduce", "run.json") == snapshot
    Path("eager.txt").unlink()
    assert run("reproduce", "run.json") == snapshot


def recorded_arguments() -> list[str]:
    arguments: list[str] = json.loads(Path("run.json").read_text(encoding="utf-8"))["arguments"]
    return arguments


def edit_record(**values: object) -> None:
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    Path("run.json").write_text(json.dumps(record | values), encoding="utf-8")


def test_other_version_of_a_record_is_reported(texts: Path, run: Run) -> None:
    run(*SCORE, "--record", "run.json")
    edit_record(version="0.0.9")
    result = run("reproduce", "run.json")
    assert result.status == 0
    assert result.out.startswith(f"geceval: 0.0.9 → {geceval.__version__}\nreproduced: ")


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("--bundle=public", "has no option --bundle"),
        ("--old --no-older", "has no option --old and option --no-older"),
        ("--metrics=green:old=1,errant", "has no setting old of green"),
        ("--metrics=formerly", "does not accept its options: unknown metric 'formerly': choose from "),
        ("--level=window", "does not accept its options: --level: unknown value 'window': choose from "),
    ],
)
def test_record_with_an_option_that_no_longer_exists_names_its_version(
    texts: Path, run: Run, words: str, missing: str
) -> None:
    run(*SCORE, "--record", "run.json")
    edit_record(version="0.0.9", arguments=[*recorded_arguments(), *words.split()])
    result = run("reproduce", "run.json")
    about = f"error: the record was written by geceval 0.0.9, and geceval {geceval.__version__} {missing}"
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(about)
    assert result.err.endswith("\n  hint: pip install geceval==0.0.9\n")
    edit_record(version=geceval.__version__)
    assert "pip install" not in run("reproduce", "run.json").err


def test_version_of_a_record_is_a_version_number(texts: Path, run: Run) -> None:
    run(*SCORE, "--record", "run.json")
    edit_record(version="1; rm x", arguments=[*recorded_arguments(), "--old"])
    result = run("reproduce", "run.json")
    assert (result.status, "not a reproducibility record" in result.err) == (2, True)


@pytest.mark.parametrize("command", ["annotate", "green", "reproduce"])
def test_record_of_another_command_is_refused(texts: Path, run: Run, command: str, snapshot: SnapshotAssertion) -> None:
    run(*SCORE, "--record", "run.json")
    edit_record(arguments=[command, "source.txt"])
    assert run("reproduce", "run.json") == snapshot


@pytest.mark.parametrize("line", ["--level sentence --record run.json", "--record -", "--record no/folder/run.json"])
def test_run_that_cannot_be_recorded_is_refused(texts: Path, run: Run, line: str, snapshot: SnapshotAssertion) -> None:
    assert run(*SCORE, *line.split()) == snapshot
    assert not Path("run.json").exists()


def test_data_folder_of_the_environment_is_recorded_as_an_option(
    bench: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GECEVAL_DATA", str(bench / "outputs"))
    line = ("suite", "-c", "outputs", "--samples", "60", "--record", "run.json", "--", "bench.toml")
    assert run(*line).status == 0
    monkeypatch.delenv("GECEVAL_DATA")
    assert "--data=outputs" in recorded_arguments()
    assert run("reproduce", "run.json").status == 0


def test_record_of_a_suite_names_all_its_files(bench: Path, run: Run) -> None:
    assert run("suite", "bench.toml", "-c", "outputs", "--record", "run.json", "-q").status == 0
    record = Path("run.json").read_text(encoding="utf-8")
    names = {Path(path).name for path in json.loads(record)["inputs"]}
    assert names == set("bench.toml source.txt ref0.txt ref1.txt gold.m2 mine.txt second.txt second.txt.gz".split())
    assert str(bench) not in record
    assert run("reproduce", "run.json").status == 0


def test_folders_of_runs_are_averaged(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    for number, name in enumerate(("careful", "noisy"), 1):
        (bench / f"outputs/seeds/{number}").mkdir(parents=True)
        shutil.copy(EXAMPLES / f"systems/{name}.txt", bench / f"outputs/seeds/{number}/mine.txt")
    result = run("suite", "bench.toml", "-c", "outputs", "--parts", "--sets", "mine", "-f", "json")
    [mine] = json.loads(result.out)["sets"]
    scores = {row["system"]: row for row in mine["comparison"]["systems"] if row["metric"] == "errant"}
    assert list(scores) == ["careful", "eager", "noisy", "seeds"]
    assert scores["seeds"]["runs"] == {"seeds 1": scores["careful"]["value"], "seeds 2": scores["noisy"]["value"]}
    assert scores["seeds"]["value"] == pytest.approx((scores["careful"]["value"] + scores["noisy"]["value"]) / 2)
    recall = {name: parts["recall"] for name, parts in mine["parts"]["errant"].items()}
    assert recall["seeds"] == pytest.approx((recall["careful"] + recall["noisy"]) / 2)
    assert run("suite", "bench.toml", "-c", "outputs") == snapshot


# --- tables of papers ---


def test_baseline_is_compared_where_it_has_an_output(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    result = run("suite", "bench.toml", "-c", "outputs", "--baseline", "careful")
    assert result == snapshot
    assert "second: no output of careful; not compared with careful" in result.err
    for scored in geceval.evaluate_suite("bench.toml", "outputs", baseline="eager").sets:
        assert scored.comparison is not None
        assert {pair.b for pair in scored.comparison.pairs} == {"eager"}
    records = run("suite", "bench.toml", "-c", "outputs", "--baseline", "eager", "-f", "csv").out
    assert all(line.endswith(",,,") for line in records.splitlines()[1:])


def test_unknown_baseline_is_refused(bench: Path, run: Run) -> None:
    result = run("suite", "bench.toml", "-c", "outputs", "--baseline", "carefull")
    assert result.status == 2
    assert "did you mean careful?" in result.err
    assert run("suite", "bench.toml", "--verify", "--baseline", "old").status == 2


def test_marks_agree_with_the_tests_of_compare(bench: Path, run: Run) -> None:
    """Neither table says that systems of one cluster are not shown to differ: marks come from the tests themselves."""
    for options in ((), ("--baseline", "noisy")):
        suite = json.loads(run("suite", "bench.toml", "-c", "outputs", *options, "-f", "json").out)
        latex = run("suite", "bench.toml", "-c", "outputs", "--sets", "mine", *options, "-q", "-f", "latex").out
        comparison = suite["sets"][0]["comparison"]
        best = max(comparison["systems"], key=lambda row: row["value"] * (row["metric"] == "errant"))["system"]
        against = "noisy" if options else best
        for pair in comparison["pairs"]:
            if against in (pair["a"], pair["b"]):
                name = pair["a"] if pair["b"] == against else pair["b"]
                [row] = [line for line in latex.splitlines() if line.startswith(f"{name} & ")]
                assert ("rlap" in row) == ((pair["p_adjusted"] < 0.05) == bool(options)), (row, pair)


def test_too_few_samples_for_the_correction_are_an_error(bench: Path, run: Run) -> None:
    result = run("suite", "bench.toml", "-c", "outputs", "--samples", "20", "-q")
    assert (result.status, result.out) == (2, "")
    assert "20 samples are too few for 3 tests corrected by holm at alpha=0.05" in result.err


def test_latex_has_intervals_and_methods_as_comments(bench: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "-q", "-f", "latex")
    assert run(*line, "--latex-intervals", "--methods") == snapshot
    assert "interval" not in run(*line).out
    assert "@inproceedings" not in run(*line).out


def test_methods_state_what_was_computed(bench: Path, run: Run) -> None:
    document = json.loads(run("suite", "bench.toml", "-c", "outputs", "--methods", "--seed", "5", "-f", "json").out)
    methods, comparison = document["methods"], document["sets"][0]["comparison"]
    assert f"ERRANT F₀.₅ on mine ({comparison['sentences']} sentences, 3 systems)" in methods
    assert "bootstrap samples of sentences (seed 5)" in methods
    assert "paired randomisation tests (10,000 samples, two-sided) at level 0.05" in methods
    assert "Holm's method for the 3 and 1 pairs of each test set" in methods
    for key in ("bryant-etal-2017", "dahlmeier-ng-2012", "koyama-etal-2024", "koehn-2004", "noreen-1989", "holm-1979"):
        assert f"{{{key}" in document["bibtex"]
    for key in ("benjamini", "napoles", "efron"):
        assert key not in document["bibtex"]
    against = run("suite", "bench.toml", "-c", "outputs", "--methods", "--baseline", "eager").out
    assert "We compare every system with eager by paired randomisation tests" in against
    assert "Ranks are" not in against


def test_methods_name_runs_and_blocks(bench: Path, run: Run) -> None:
    for name, system in (("a", "eager"), ("b", "noisy"), ("c", "careful")):
        shutil.copytree(bench / "outputs" / system, bench / "runs/many" / name)
    shutil.copytree(bench / "outputs/noisy", bench / "runs/noisy")
    labels = "".join(f"essay {s // 4}\n" for s in range(40))
    (bench / "essays.txt").write_text(labels, encoding="utf-8")
    text = BENCH.replace('primary = "errant"', 'primary = "errant"\nblocks = "essays.txt"')
    (bench / "bench.toml").write_text(text, encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "runs", "--sets", "mine", "--methods")
    assert "intervals are those of Student's t with Satterthwaite's degrees of freedom" in result.out
    assert "bootstrap samples of blocks of sentences (seed 0)" in result.out
    assert "t-tests of the same model" in result.out
    assert "paired bootstrap tests" not in result.out
    assert "satterthwaite-1946" in result.out


def test_every_metric_and_correction_has_a_publication() -> None:
    names = {name for names in bibliography().values() for name in names}
    methods = {"intervals", "randomisation", "bootstrap", "satterthwaite", *get_args(Adjustment)} - {"none"}
    # Their pages define them.
    assert {*METRICS.builtin, *methods} - names == {
        *("spans", "false-alarms", "success", "type-detection", "change-rate", "kept")
    }
    assert names <= {*METRICS.builtin, *methods}
    keys = [re.match(r"@\w+\{([\w-]+),", entry) for entry in bibliography()]
    assert len({key[1] for key in keys if key}) == len(keys)


def test_blocks_of_a_set_are_drawn_as_by_compare(bench: Path, run: Run) -> None:
    shutil.copy(EXAMPLES / "essays.txt", bench)
    text = BENCH.replace('primary = "errant"', 'primary = "errant"\nblocks = "essays.txt"')
    (bench / "bench.toml").write_text(text, encoding="utf-8")
    document = json.loads(run("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-f", "json").out)
    [scored] = document["sets"]
    assert scored["files"]["blocks"].endswith("essays.txt")
    systems = [str(EXAMPLES / "systems" / f"{name}.txt") for name in ("careful", "eager", "noisy")]
    texts = ["-s", str(EXAMPLES / "source.txt"), "-r", *(str(EXAMPLES / f"ref{r}.txt") for r in range(2))]
    line = ["compare", *texts, "-c", *systems, "-m", "errant", "--blocks", str(EXAMPLES / "essays.txt"), "-f", "json"]
    compared = json.loads(run(*line).out)
    rows = [row for row in scored["comparison"]["systems"] if row["metric"] == "errant"]
    bounds = [{name: row[name] for name in ("system", "low", "high")} for row in rows]
    assert bounds == [{name: row[name] for name in ("system", "low", "high")} for row in compared["systems"]]
    (bench / "few.txt").write_text("a\n" * 39, encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "--set", "mine.blocks=few.txt")
    assert result.status == 2
    assert "mine: 39 blocks for" in result.err


def test_folder_of_an_archive_of_macos_is_no_system(bench: Path, run: Run) -> None:
    expected = run("suite", "bench.toml", "-c", "outputs", "-f", "csv")
    (bench / "outputs/__MACOSX/eager").mkdir(parents=True)
    (bench / "outputs/__MACOSX/eager/._mine.txt").write_text("x", encoding="utf-8")
    (bench / "outputs/eager/__MACOSX").mkdir()
    assert run("suite", "bench.toml", "-c", "outputs", "-f", "csv") == expected
