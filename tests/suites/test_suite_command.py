"""``geceval suite`` and ``--record`` with ``geceval reproduce``, as their users type them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import shutil
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

import geceval
from geceval.extending import verify_suite
from support.commands import Run
from support.examples import EXAMPLES
from support.judges import loopback

#: A name that no file can have.
LONG = "a" * 5000

BENCH = """\
title = "Two sets"
metrics = ["green", "errant"]

[sets.mine]
source = "$EXAMPLES/source.txt"
references = ["$EXAMPLES/ref0.txt", "${EXAMPLES}/ref1.txt"]
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
    monkeypatch.setenv("EXAMPLES", str(EXAMPLES))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bench.toml").write_text(BENCH, encoding="utf-8")
    shutil.copy(EXAMPLES / "gold.m2", tmp_path)
    for name in ("careful", "eager", "noisy"):
        folder = tmp_path / "outputs" / name
        folder.mkdir(parents=True)
        shutil.copy(EXAMPLES / "systems" / f"{name}.txt", folder / "mine.txt")
    (tmp_path / "outputs/eager/second.txt.gz").write_bytes(gzip.compress((EXAMPLES / "systems/eager.txt").read_bytes()))
    shutil.copy(EXAMPLES / "systems/noisy.txt", tmp_path / "outputs/noisy/second.txt")
    (tmp_path / "outputs/notes.txt").write_text("no system\n", encoding="utf-8")
    return tmp_path


def test_the_table(bench: Path, run: Run) -> None:
    result = run("suite", "bench.toml", "-c", "outputs")
    assert (result.status, result.err) == (0, "note: second: no output of careful\n")
    title, _, head, _, *rows = result.out.splitlines()
    assert title == "Two sets"
    assert head.split("   ")[1:3] == [" mine ERRANT", " 95 % interval"]
    assert [one.strip() for one in head.split("   ") if one.strip()][3:5] == ["ranks", "second MaxMatch"]
    assert rows[0].split() == ["careful", "69.77", "[53.57,", "81.08]", "1-3", "—"]
    assert rows[1].split() == ["eager", "84.29", "[74.50,", "92.80]", "1-2", "88.15", "[80.76,", "94.34]", "1-1"]
    assert "second: MaxMatch|beta:0.5" in result.out
    assert "GREEN" not in result.out


def test_judge_of_a_suite_is_an_option(bench: Path, run: Run) -> None:
    refused = run("suite", "bench.toml", "-c", "outputs", "--judge", "rate=6")
    assert (refused.status, refused.err) == (
        2,
        "error: --judge: none of the metrics uses a judge\n  hint: use -m llm:model=NAME\n",
    )
    with loopback() as there:
        judge = f"server={there.base_url},cache={bench / 'answers.sqlite'}"
        result = run("suite", "bench.toml", "-c", "outputs", "-m", "llm:model=m", "--judge", judge, "--sets", "mine")
        assert result.status == 0
        assert "LLM-S" in result.out
        assert there.requests


def test_the_numbers_are_those_of_score_and_compare(bench: Path, run: Run) -> None:
    own = json.loads(run("suite", "bench.toml", "-c", "outputs", "-f", "json", "-q").out)
    texts = ["-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", EXAMPLES / "ref1.txt"]
    systems = [f"outputs/{name}/mine.txt" for name in ("careful", "eager", "noisy")]
    named = [f"{Path(path).parent.name}={path}" for path in systems]
    score = json.loads(run("score", *texts, "-c", *named, "-m", "green", "errant", "-f", "json").out)
    first = own["sets"][0]["comparison"]
    values = {(row["system"], row["metric"]): row["value"] for row in first["systems"]}
    assert values == {(row["system"], row["metric"]): row["value"] for row in score["results"]}
    assert {row["signature"] for row in score["results"]} == set(first["signatures"].values())
    compare = json.loads(run("compare", *texts, "-c", *named, "-m", "errant", "-f", "json", "-q").out)
    errant = [row for row in first["systems"] if row["metric"] == "errant"]
    assert errant == compare["systems"]
    assert first["pairs"] == compare["pairs"]
    assert own["sets"][1]["missing"] == ["careful"]


def test_formats(bench: Path, run: Run) -> None:
    latex = run("suite", "bench.toml", "-c", "outputs", "-f", "latex").out
    head = " & mine & second \\\\\n & ERRANT & MaxMatch \\\\\nsystem & $F_{0.5}$ & $F_{0.5}$ \\\\\n"
    assert head in latex
    assert "careful & 69.77\\rlap{$^{\\dagger}$} & — \\\\" in latex
    assert "\\bottomrule" in latex
    rows = list(csv.DictReader(io.StringIO(run("suite", "bench.toml", "-c", "outputs", "-f", "csv").out)))
    assert len(rows) == 12
    assert [row["value"] for row in rows if row["set"] == "second" and row["system"] == "careful"] == ["", ""]
    whole = run("suite", "bench.toml", "-c", "outputs", "--whole", "-f", "markdown").out
    assert "| second GREEN |" in whole


def test_parts_stand_before_the_score(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "--parts", "-q")
    _, _, head, _, careful, *_ = run(*line).out.splitlines()
    assert head.split()[:6] == ["system", "mine", "ERRANT", "P", "R", "F₀.₅"]
    assert careful.split()[:4] == ["careful", "100.00", "31.58", "69.77"]
    rows = list(csv.DictReader(io.StringIO(run(*line, "-f", "csv").out)))
    assert next((row["precision"], row["recall"]) for row in rows if row["metric"] == "errant") == ("100.00", "31.58")
    score = json.loads(
        run("score", "-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", EXAMPLES / "ref1.txt", "-c",
            "careful=outputs/careful/mine.txt", "-m", "errant", "-f", "json").out
    )  # fmt: skip
    assert (
        json.loads(run(*line, "-f", "json").out)["sets"][0]["parts"]["errant"]["careful"]
        == score["results"][0]["parts"]
    )


def test_bold_and_dagger_are_for_tested_scores_only(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "--whole", "-q")
    latex = run(*line, "-f", "latex").out
    assert latex.count("textbf") == 2  # one for each primary metric
    assert "F_{2}" in latex
    assert "not shown to differ from the best (bold)" in latex
    apart = run(*line, "-f", "latex", "--sets", "second").out  # eager and noisy are shown to differ
    assert "rlap" not in apart
    assert "not shown to differ" not in apart
    alone = run("suite", "bench.toml", "-q", "--sets", "second").out  # one system has no rival
    assert "ranks" not in alone
    assert "ranks: places that paired tests leave open" in run(*line).out


def test_ranks_of_a_suite_agree_with_the_marks_of_its_paper_table(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q")
    [own] = json.loads(run(*line, "-f", "json").out)["sets"]
    pairs = [pair for pair in own["comparison"]["pairs"] if pair["metric"] == "errant"]
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
    score = run(*line).out
    assert "INPUT & 100.00" in score
    assert score.count("textbf") == 1


def test_equal_best_systems_are_marked_alike(bench: Path, run: Run) -> None:
    shutil.copytree(bench / "outputs/eager", bench / "outputs/again")
    rows = run("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q", "-f", "latex").out.splitlines()
    again, eager = (next(row for row in rows if row.startswith(f"{name} & ")) for name in ("again", "eager"))
    assert again.replace("again", "eager") == eager
    assert ("textbf" in eager, "dagger" in eager) == (True, False)


def test_samples_too_few_for_the_correction_are_refused_and_the_hint_works(bench: Path, run: Run) -> None:
    texts = ("-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt")
    for line in (
        ("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q"),
        ("compare", *texts, "-c", *(f"{name}=outputs/{name}/mine.txt" for name in ("careful", "eager", "noisy")),
         "-m", "errant", "-q"),
        ("report", *texts, "-c", *(f"{name}=outputs/{name}/mine.txt" for name in ("careful", "eager", "noisy")),
         "-m", "errant", "-q", "-o", "page.html"),
    ):  # fmt: skip
        refused = run(*line, "--samples", "59")
        assert (refused.status, refused.out) == (2, "")
        assert "59 samples are too few for 3 tests corrected by holm at alpha=0.05" in refused.err
        assert "(--samples 60)" in refused.err
        assert run(*line, "--samples", "60").status == 0
    assert "boot:60000|" in run("suite", "bench.toml", "-c", "outputs", "--alpha", "0.0001", "-q").out


def test_several_suites_are_one_table(bench: Path, run: Run) -> None:
    elsewhere = bench / "elsewhere"
    elsewhere.mkdir()
    text = '[sets.mine2]\ngold = "../gold.m2"\nmetrics = ["errant"]\noutputs = "mine"\n'
    (elsewhere / "more.toml").write_text(text, encoding="utf-8")
    result = run("suite", "bench.toml", "elsewhere/more.toml", "-c", "outputs", "--record", "run.json")
    head = result.out.splitlines()[2]
    assert ("mine ERRANT" in head, "second MaxMatch" in head, "mine2 ERRANT" in head) == (True, True, True)
    assert result.out.splitlines()[0] == "Two sets, more"
    assert run("reproduce", "run.json").status == 0
    only = run("suite", "bench.toml", "elsewhere/more.toml", "-c", "outputs", "--sets", "mine2", "-q")
    assert "mine ERRANT" not in only.out
    twice = run("suite", "bench.toml", "bench.toml", "-c", "outputs")
    assert (twice.status, twice.err) == (2, "error: mine is a set of bench.toml and of bench.toml\n")


def test_titles_are_heads_of_a_paper_where_they_distinguish_columns(bench: Path, run: Run) -> None:
    titled = BENCH.replace("[sets.mine]", '[sets.mine]\ntitle = "A set"').replace(
        "[sets.second]", '[sets.second]\ntitle = "A set"'
    )
    (bench / "bench.toml").write_text(titled, encoding="utf-8")
    line = ("suite", "bench.toml", "-c", "outputs", "-q", "-f", "latex")
    assert " & \\multicolumn{2}{c}{A set} \\\\\n" in run(*line).out
    assert " & mine & second \\\\\n" in run(*line, "-m", "green").out
    (bench / "bench.toml").write_text(BENCH.replace("[sets.mine]", '[sets.mine]\ntitle = "A set"'), encoding="utf-8")
    assert " & A set & second \\\\\n" in run(*line).out  # a set without a title has its name


def test_files_of_the_command_line_replace_those_of_the_definition(bench: Path, run: Run) -> None:
    line = ("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-q", "-f", "json")
    references = ["--set", f"mine.references={EXAMPLES}/ref1.txt", "--set", f"mine.references={EXAMPLES}/ref0.txt"]
    result = run(*line, *references, "--record", "run.json")
    [own] = json.loads(result.out)["sets"]
    assert own["files"]["references"] == [str(EXAMPLES / "ref1.txt"), str(EXAMPLES / "ref0.txt")]
    assert str(bench) not in Path("run.json").read_text(encoding="utf-8")
    assert run("reproduce", "run.json").status == 0
    shutil.copy(EXAMPLES / "source.txt", bench / "here.txt")
    assert run(*line, "--set", "mine.source=here.txt").status == 0  # relative to the working directory


OBJECTIVES = '[objectives]\nprecision = "errant"\nrecall = "green"\n\n[sets.mine]'


def test_objectives_of_a_suite_are_columns(bench: Path, run: Run) -> None:
    (bench / "bench.toml").write_text(BENCH.replace("[sets.mine]", OBJECTIVES), encoding="utf-8")
    out = run("suite", "bench.toml", "-c", "outputs", "--sets", "mine").out
    assert ("mine ERRANT" in out, "mine GREEN" in out) == (True, True)
    assert "precision-oriented (ERRANT): rewards" in out
    assert "recall-oriented (GREEN): rewards" in out
    for old, new, message in (
        ("recall", "recal", "objectives: an objective is one of precision, recall, reference-free, not recal"),
        ('"green"', '"gleu"', "objectives: 'gleu' is not one of green, errant, maxmatch"),
    ):
        text = BENCH.replace("[sets.mine]", OBJECTIVES.replace(old, new))
        (bench / "bench.toml").write_text(text, encoding="utf-8")
        refused = run("suite", "bench.toml", "-c", "outputs")
        assert (refused.status, message in refused.err) == (2, True), refused.err


def test_objectives_of_several_suites_are_those_of_their_sets(bench: Path, run: Run) -> None:
    (bench / "bench.toml").write_text(BENCH.replace("[sets.mine]", OBJECTIVES), encoding="utf-8")
    other = '[objectives]\nprecision = "green"\n\n[sets.third]\ngold = "gold.m2"\nmetrics = ["errant", "green"]\n'
    (bench / "other.toml").write_text(other + 'outputs = "mine"\n', encoding="utf-8")
    out = run("suite", "bench.toml", "other.toml", "-c", "outputs", "--samples", "60", "-q").out
    assert ("third GREEN" in out, "second GREEN" in out) == (True, False)
    assert "precision-oriented (ERRANT, GREEN): rewards" in out


def test_the_average_is_there_if_asked(bench: Path, run: Run) -> None:
    (bench / "bench.toml").write_text(f"average = true\n{BENCH}", encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs")
    careful, eager, *_ = result.out.splitlines()[4:]
    assert (careful.split()[-1], eager.split()[-1]) == ("—", "86.22")
    assert "average: mean of mine ERRANT, second MaxMatch" in result.out


def test_other_metrics_and_some_sets(bench: Path, run: Run) -> None:
    result = run("suite", "bench.toml", "-c", "outputs", "--sets", "mine", "-m", "green:n=2", "-q", "-f", "csv")
    assert [line.split(",")[:3] for line in result.out.splitlines()[1:]] == [
        ["mine", "green", name] for name in ("careful", "eager", "noisy")
    ]
    assert "did you mean mine?" in run("suite", "bench.toml", "-c", "outputs", "--sets", "mien").err
    assert "unknown metric 'gren'" in run("suite", "bench.toml", "-c", "outputs", "-m", "gren").err
    assert "mine: " in run("suite", "bench.toml", "-c", "outputs", "-m", "maxmatch").err
    (bench / "bench.toml").write_text(BENCH.replace('gold = "gold.m2"', 'gold = "gold.m2"\noutputs = ["x", "mine"]'))
    (bench / "outputs/careful/mine.txt").rename(bench / "outputs/careful/x.txt")
    result = run("suite", "bench.toml", "-c", "outputs", "--sets", "second", "-q")
    assert "—" not in result.out


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


@pytest.mark.parametrize("quiet", [(), ("-q",)])
def test_altered_or_missing_known_file_of_a_suite_is_an_error(
    known_bench: Path, run: Run, quiet: Sequence[str]
) -> None:
    line = ("suite", "bench.toml", "--data", "data", "--sets", "second", *quiet)
    assert run(*line).status == run(*line, "--verify").status == 0
    for name in (*(f"{number}.txt" for number in range(11)), "eager.txt"):
        (known_bench / "data" / name).write_text("something else\n", encoding="utf-8")
    path = known_bench / "data/eager"
    path.write_text(path.read_text(encoding="utf-8").replace("market", "narket", 1), encoding="utf-8")
    for more, status in (((), 2), (("--verify",), 1)):
        refused = run(*line, *more)
        assert refused.status == status
        assert "second: @eager: not found under data (@eager is eager.txt, SHA-256 " in refused.err
        assert "unused files in data: eager.txt, 0.txt, 1.txt, 10.txt, 2.txt, 3.txt, 4.txt," in refused.err
        assert " 7.txt and 3 more;" in refused.err


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
    assert "@eager: not found under data" in run(*KNOWN).err


def test_file_at_the_path_of_the_definition_is_read_and_a_difference_is_an_error(known_bench: Path, run: Run) -> None:
    printed = run(*KNOWN).out
    definition = (known_bench / "bench.toml").read_text(encoding="utf-8")
    content = (EXAMPLES / "systems/eager.txt").read_bytes()
    checksum = sha256(content).hexdigest()
    listed = f'{definition}\n[files.eager]\npath = "mine/best.txt"\nsha256 = "{checksum}"\n'
    (known_bench / "bench.toml").write_text(listed, encoding="utf-8")
    refused = run(*KNOWN)
    assert (refused.status, "@eager: not found at data/mine/best.txt" in refused.err) == (2, True)
    path = known_bench / "data/mine/best.txt"
    path.parent.mkdir()
    path.write_bytes(content.replace(b"\n", b"\r\n"))
    (known_bench / "data/eager").unlink()
    assert run(*KNOWN).out == printed
    path.write_bytes(content + b"x")
    for more, status in (((), 2), (("--verify",), 1)):
        refused = run(*KNOWN, *more)
        expected = f"the SHA-256 is {sha256(content + b'x' + bytes([10])).hexdigest()}, expected {checksum}"
        assert (refused.status, f"data/mine/best.txt: differs from @eager: {expected}" in refused.err) == (status, True)


def test_longer_files_than_known_ones_are_read_to_the_limit_only(tmp_path: Path) -> None:
    from geceval.suites.suite_definition import PART, text_checksum

    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(bytes(3 * PART)))
    assert text_checksum(str(path), 2 * PART) is None
    assert text_checksum(str(path)) == sha256(bytes(3 * PART) + b"\n").hexdigest()


def test_known_m2_file_is_edits_under_any_name(bench: Path, run: Run) -> None:
    """Published files are called otherwise than .m2."""
    (bench / "data").mkdir()
    content = (EXAMPLES / "gold.m2").read_bytes()
    (bench / "data/perfect.errant").write_bytes(content)
    head = BENCH.partition("[sets.second.systems]")[0]
    listed = f'[files.edits]\npath = "perfect.errant"\nsha256 = "{sha256(content).hexdigest()}"\n'
    (bench / "bench.toml").write_text(f'{head}[sets.second.systems]\nperfect = "@edits"\n{listed}', encoding="utf-8")
    result = run("suite", "bench.toml", "--data", "data", "--sets", "second", "-m", "errant")
    assert (result.status, result.out) == (2, "")
    assert "system perfect, sentence 1: the M2 of a system has one annotator, found 2: 0, 1" in result.err


def test_known_files_of_systems_that_are_not_asked_for_are_not_needed(known_bench: Path, run: Run) -> None:
    (known_bench / "data/eager").unlink()
    line = ("suite", "bench.toml", "--data", "data", "-c", "outputs", "-q")
    assert run(*line).status == 0
    assert run(*line, "--beside").status == 0  # outputs/eager takes the place of the missing file
    assert run("suite", "bench.toml", "--data", "data", "--sets", "mine", "-c", "outputs", "-q").status == 0


def test_output_under_another_name_is_named_with_the_expected_name(bench: Path, run: Run) -> None:
    (bench / "outputs/late").mkdir()
    shutil.copy(EXAMPLES / "systems/noisy.txt", bench / "outputs/late/my.txt")
    refused = run("suite", "bench.toml", "-c", "outputs", "-q")
    assert refused.status == 2
    assert "no output of late: my.txt is not read" in refused.err
    assert "mine.txt or mine.m2 and second.txt or second.m2" in refused.err
    (bench / "outputs/late/my.txt").rename(bench / "outputs/late/mine.txt")
    assert run("suite", "bench.toml", "-c", "outputs", "-q").status == 0
    (bench / "outputs/late/2nd.txt").write_text("x\n", encoding="utf-8")
    noted = run("suite", "bench.toml", "-c", "outputs")
    assert (noted.status, "2nd.txt ignored; expected second.txt or second.m2" in noted.err) == (0, True)


def test_systems_of_the_definition(bench: Path, run: Run) -> None:
    beside = run("suite", "bench.toml", "-c", "outputs", "--beside", "-q").out
    assert [line.split()[0] for line in beside.splitlines()[4:8]] == ["careful", "eager", "noisy", "old"]
    alone = run("suite", "bench.toml", "-q").out
    (bench / "outputs/noisy/mine.txt").rename(bench / "elsewhere")
    assert "file not found" in run("suite", "bench.toml", "--sets", "second").err
    (bench / "elsewhere").rename(bench / "outputs/noisy/mine.txt")
    assert alone.splitlines()[4].split()[:3] == ["old", "—", "45.11"]
    assert run("suite", "bench.toml", "--beside").status == 2


def test_verify(bench: Path, run: Run) -> None:
    result = run("suite", "bench.toml", "--verify")
    assert (result.status, result.err) == (0, "")
    assert result.out.endswith("your second files give old 45.11 as published\n1 as published\n")
    path = bench / "outputs/noisy/mine.txt"
    shutil.copy(EXAMPLES / "systems/eager.txt", path)
    result = run("suite", "bench.toml", "--verify")
    assert (result.status, result.err) == (1, "error: of 1 published numbers 1 differ\n")
    assert "DIFFERENT" in result.out
    path.unlink()
    result = run("suite", "bench.toml", "--verify", "-f", "json")
    assert result.status == 1
    assert "1 not checked" in result.err
    [row] = json.loads(result.out)["published"]
    assert (row["here"], row["outcome"]) == (None, "missing")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("suite", "a suite is required"),
        ("suite bench.toml -c nowhere", "nowhere: is not a folder"),
        ("suite bench.toml -c outputs/careful", "no folders of systems found"),
        ("suite benc -c outputs", "no file or suite benc"),
        ("suite conll -c outputs", "did you mean conll14?"),
        ("suite conll14 -c outputs", "CoNLL-2014 test requires a folder with its data files"),
        ("suite conll14 -c outputs --data nowhere", "nowhere is not a folder"),
        ("suite conll14 -c outputs --data outputs", "@conll14/gold: not found under outputs"),
        ("suite gjg15 -c outputs --data outputs", "measures agreement with people"),
        ("suite bench.toml --verify -c outputs", "not with -c"),
        ("suite --list --record run.json", "--record and --list exclude each other"),
        ("suite --list conll14 --whole", "--list excludes --whole"),
        ("suite bench.toml --verify --samples 5 --beside", "--verify excludes --samples, --beside"),
        ("suite bench.toml --systems=", "the name of the folder is empty"),
        ("suite bench.toml --set mine.source", "a set, a role and a file are required"),
        ("suite bench.toml --set mien.source=x", "did you mean mine?"),
        ("suite bench.toml --set mine.gould=x", "did you mean gold?"),
        ("suite bench.toml --set mine.judgments=x", "a file of mine is one of source, references, gold"),
        ("suite --set mine.source=x --set mine.source=y bench.toml", "mine.source is one file, not 2"),
        ("suite bench.toml -c outputs --set mine.source=x", "file not found"),
        ("suite bench.toml -c outputs --set second.source=@jfleg/source", "did you mean @jfleg-dev/source?"),
        ("suite bench.toml -c nowhere --set second.source=@jfleg/source", "did you mean @jfleg-dev/source?"),
        (f"suite conll14 -c outputs --data {LONG}", "is not a folder"),
        (f"suite {LONG}", "no file or suite aaa"),
        (f"suite bench.toml -c {LONG}", "is not a folder"),
        ("reproduce bench.toml", "bench.toml: not a reproducibility record"),
        ("reproduce nothing.json", "nothing.json: cannot read"),
    ],
)
def test_what_cannot_be(bench: Path, run: Run, line: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GECEVAL_DATA", raising=False)
    result = run(*line.split())
    assert result.status == 2
    assert message in result.err


def test_files_that_are_not_there(bench: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXAMPLES")
    assert (
        "bench.toml: mine: $EXAMPLES is not set in the environment" in run("suite", "bench.toml", "-c", "outputs").err
    )
    monkeypatch.setenv("EXAMPLES", str(bench))
    assert "bench.toml: mine: file not found" in run("suite", "bench.toml", "-c", "outputs").err
    monkeypatch.setenv("EXAMPLES", str(EXAMPLES))
    shutil.copy(EXAMPLES / "gold.m2", bench / "outputs/eager/second.m2")
    assert "more than one output of eager for second" in run("suite", "bench.toml", "-c", "outputs").err
    (bench / "outputs/eager/second.m2").unlink()
    (bench / "outputs/noisy/mine.txt").write_text("one line\n", encoding="utf-8")
    assert "lines" in run("suite", "bench.toml", "-c", "outputs").err


def test_an_empty_output_is_scored_and_refused_for_its_length(bench: Path, run: Run) -> None:
    (bench / "outputs/noisy/mine.txt").write_text("", encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs")
    assert result.status == 2
    assert "outputs/noisy/mine.txt" in result.err


def test_from_python(bench: Path) -> None:
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


# --- records ---


@pytest.mark.parametrize(
    ("source", "message"),
    [("~nosuchuser/x", "no home folder found for ~nosuchuser"), (LONG, "file not found")],
)
def test_sources_that_cannot_be(bench: Path, run: Run, source: str, message: str) -> None:
    text = BENCH.replace("$EXAMPLES/source.txt", source)
    (bench / "bench.toml").write_text(text, encoding="utf-8")
    result = run("suite", "bench.toml", "-c", "outputs")
    assert result.status == 2
    assert message in result.err


def test_what_cannot_be_read_is_passed_over(bench: Path, run: Run) -> None:
    (bench / "cut.gz").write_bytes(gzip.compress(b"a line of text\n" * 50)[:-20])
    verified = run("suite", "conll14", "--data", ".", "--verify")
    assert verified.status == 1
    assert "cut.gz: cannot read: " in verified.err
    assert "ignored" in verified.err


def test_records_with_what_cannot_be(texts: Path, run: Run) -> None:
    run(*SCORE, "--record", "run.json")
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    edited(inputs={LONG: ""})
    assert "inputs are missing" in run("reproduce", "run.json").err
    document = record["document"]
    document["results"][0]["scores"] = 10**400
    edited(inputs=record["inputs"], document=document)
    assert run("reproduce", "run.json").status == 1


SCORE = ("score", "-s", "source.txt", "-r", "ref0.txt", "-c", "eager.txt", "-m", "green", "errant")


def test_record_in_a_deleted_folder_is_refused_before_scoring(texts: Path, run: Run, tmp_path: Path) -> None:
    line = [str(texts / word) if word.endswith(".txt") else word for word in SCORE]
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    recorded = run(*line, "--record", tmp_path / "run.json")
    assert (recorded.status, recorded.out, (tmp_path / "run.json").exists()) == (2, "", False)
    assert recorded.err == "error: the working directory no longer exists\n  hint: change to an existing folder\n"
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
         "-m", "green", "--resamples", "20"),
        ("meta", "--judgments", "judgments.xml", "--level", "human", "--resamples", "20"),
    ],
)  # fmt: skip
def test_a_record_is_reproduced(texts: Path, run: Run, line: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run(*line)
    recorded = run(*line, "--record", "run.json", "-o", "out.txt")
    assert recorded.status == plain.status
    if line[0] != "meta":  # which says how long it took
        assert Path("out.txt").read_text(encoding="utf-8") == plain.out
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    named = {word for word in line if (texts / word).is_file()}
    assert set(record["inputs"]) == named
    before = {path: path.read_bytes() for path in texts.iterdir()}
    monkeypatch.chdir(texts.parent)
    again = run("reproduce", "run/run.json")
    assert (again.status, again.err) == (0, "")
    assert again.out.startswith("reproduced: ")
    assert {path: path.read_bytes() for path in texts.iterdir()} == before


def test_a_record_destroys_nothing(texts: Path, run: Run) -> None:
    before = Path("ref0.txt").read_bytes()
    result = run(*SCORE, "--record", texts / "ref0.txt")
    assert (result.status, result.out) == (2, "")
    assert "ref0.txt is an input file" in result.err
    assert Path("ref0.txt").read_bytes() == before
    assert "are one file" in run(*SCORE, "-o", "out.txt", "--record", "./out.txt").err
    assert not Path("out.txt").exists()


def test_how_a_record_has_its_command(texts: Path, run: Run) -> None:
    assert run("score", "-s", "source.txt", f"-r{texts / 'ref0.txt'}", *SCORE[5:], "--record", "run.json").status == 0
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    files = ["--source=source.txt", "--references=ref0.txt", "--systems=eager.txt"]
    assert record["arguments"] == ["score", *files, "--metrics=green", "--metrics=errant"]
    assert run("reproduce", "run.json").status == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--metrics=llm:model=x,server=http://localhost:1"], "llm asks a judge"),
        (["-m", "scribendi:cache=kept.txt"], "keeps values in a file"),
        (["--judge=cache=kept.txt", "--metrics=llm:model=x"], "--judge cannot be recorded"),
        (["--nonsense=1"], "unknown option --nonsense"),
        (["--metrics"], "--metrics takes one or more values"),
        (["--digits=100"], "--digits is 100; it must be at least 0 and at most 20"),
        (["--output=out.txt"], "--output cannot be recorded"),
        (["-o", "out.txt"], "--output cannot be recorded"),
        (["-oout.txt"], "--output cannot be recorded"),
        (["--record", "other.json"], "--record cannot be recorded"),
        (["--systems=eager=-"], "reads standard input"),
        (["-c", "-"], "reads standard input"),
        (["-c-"], "reads standard input"),
        (["--metrics=llm:model=x"], "llm asks a judge"),
        (["--level=sentence", "--format=tsv", "--signatures=kept.json"], "--signatures cannot be recorded"),
        (["--help"], "cannot be reproduced"),
        (["--", "eager.txt"], "unexpected argument"),
    ],
)
def test_no_other_options_are_run(texts: Path, run: Run, more: list[str], message: str) -> None:
    run(*SCORE, "--record", "run.json")
    before = sorted(path.name for path in texts.iterdir())
    recorded = json.loads(Path("run.json").read_text(encoding="utf-8"))["arguments"]
    edited(arguments=recorded + more)
    result = run("reproduce", "run.json")
    assert result.status == 2
    assert message in result.err
    assert sorted(path.name for path in texts.iterdir()) == before


def test_a_recorded_suite_asks_no_judge(bench: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("suite", "bench.toml", "-c", "outputs", "--record", "run.json", "-q").status == 0
    recorded = json.loads(Path("run.json").read_text(encoding="utf-8"))["arguments"]
    edited(arguments=[*recorded, "--judge=server=http://localhost:1/v1"])
    assert "--judge cannot be recorded" in run("reproduce", "run.json").err
    monkeypatch.setenv("GECEVAL_BASE_URL", "http://localhost:1/v1")
    text = (bench / "bench.toml").read_text(encoding="utf-8")
    (bench / "bench.toml").write_text(text.replace('"maxmatch",', '"maxmatch", "llm:model=x",'), encoding="utf-8")
    edited(arguments=recorded)
    refused = run("reproduce", "run.json")
    assert (refused.status, "no server is given" in refused.err) == (2, True)
    assert os.environ["GECEVAL_BASE_URL"] == "http://localhost:1/v1"


def test_what_changed_is_said(texts: Path, run: Run) -> None:
    run(*SCORE, "--record", "run.json")
    shutil.copy("noisy.txt", "eager.txt")
    result = run("reproduce", "run.json")
    assert result.status == 1
    lines = result.out.splitlines()
    assert lines[0] == "input changed: eager.txt"
    assert any(line.startswith("results eager green value: 0.86") and " → 0.5" in line for line in lines)
    assert "numbers or signatures differ" in result.err
    Path("eager.txt").unlink()
    result = run("reproduce", "run.json")
    assert (result.status, result.out) == (2, "")
    assert "inputs are missing: eager.txt" in result.err


def edited(**values: object) -> None:
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    Path("run.json").write_text(json.dumps(record | values), encoding="utf-8")


def test_versions_are_told(texts: Path, run: Run) -> None:
    run(*SCORE, "--record", "run.json")
    edited(version="0.0.9")
    result = run("reproduce", "run.json")
    assert result.status == 0
    assert result.out.startswith(f"geceval: 0.0.9 → {geceval.__version__}\nreproduced: ")


@pytest.mark.parametrize("command", ["annotate", "green", "reproduce"])
def test_record_of_another_command_is_refused(texts: Path, run: Run, command: str) -> None:
    run(*SCORE, "--record", "run.json")
    edited(arguments=[command, "source.txt"])
    result = run("reproduce", "run.json")
    assert (result.status, result.out) == (2, "")
    assert f"records of '{command}' cannot be reproduced" in result.err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--level", "sentence"], "--record keeps scores of whole corpora"),
        (["--record", "-"], "--record takes a file"),
        (["--record", "no/such/folder/run.json"], "run.json: cannot write"),
    ],
)
def test_what_no_record_can_be_of(texts: Path, run: Run, more: list[str], message: str) -> None:
    result = run(*SCORE, *more, *([] if "--record" in more else ["--record", "run.json"]))
    assert result.status == 2
    assert message in result.err
    assert not Path("run.json").exists()


def test_data_of_the_environment_are_recorded_as_an_option(
    bench: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GECEVAL_DATA", str(bench / "outputs"))
    line = ("suite", "-c", "outputs", "--samples", "60", "--record", "run.json", "--", "bench.toml")
    assert run(*line).status == 0
    monkeypatch.delenv("GECEVAL_DATA")
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    assert "--data=outputs" in record["arguments"]
    assert run("reproduce", "run.json").status == 0


def test_a_suite_is_recorded(bench: Path, run: Run) -> None:
    assert run("suite", "bench.toml", "-c", "outputs", "--record", "run.json", "-q").status == 0
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    names = {Path(path).name for path in record["inputs"]}
    assert names == {"bench.toml", "source.txt", "ref0.txt", "ref1.txt", "gold.m2", "mine.txt", "second.txt",
                     "second.txt.gz"}  # fmt: skip
    assert str(bench) not in Path("run.json").read_text(encoding="utf-8")
    assert run("reproduce", "run.json").status == 0


def test_folders_of_runs_are_averaged(bench: Path, run: Run) -> None:
    for number, name in enumerate(("careful", "noisy"), 1):
        (bench / f"outputs/seeds/{number}").mkdir(parents=True)
        shutil.copy(EXAMPLES / f"systems/{name}.txt", bench / f"outputs/seeds/{number}/mine.txt")
    result = run("suite", "bench.toml", "-c", "outputs", "--parts", "--sets", "mine", "-f", "json")
    [own] = json.loads(result.out)["sets"]
    scores = {row["system"]: row for row in own["comparison"]["systems"] if row["metric"] == "errant"}
    assert list(scores) == ["careful", "eager", "noisy", "seeds"]
    assert scores["seeds"]["runs"] == {"seeds 1": scores["careful"]["value"], "seeds 2": scores["noisy"]["value"]}
    assert scores["seeds"]["value"] == pytest.approx((scores["careful"]["value"] + scores["noisy"]["value"]) / 2)
    recall = {name: parts["recall"] for name, parts in own["parts"]["errant"].items()}
    assert recall["seeds"] == pytest.approx((recall["careful"] + recall["noisy"]) / 2)
    table = run("suite", "bench.toml", "-c", "outputs")
    heads = [head.strip() for head in table.out.splitlines()[2].split("   ") if head.strip()]
    assert heads[1:5] == ["mine ERRANT", "95 % interval", "± between runs", "ranks"]
    assert "second: no output of careful, seeds 1, seeds 2" in table.err
