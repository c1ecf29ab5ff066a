"""``geceval compare`` and ``geceval score --intervals``."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import Errant, Green, compare, power, read_corpus
from geceval.base.errors import MissingExtraError
from geceval.resampling.comparison_results import Pair, Power, SystemScore
from geceval.tables.pictures import picture_writer
from support.commands import Run

FILES = ("systems/careful.txt", "systems/eager.txt", "systems/noisy.txt")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c")
QUICK = ("--samples", "500")
pytestmark = pytest.mark.usefixtures("examples")


def document_of(run: Run, *arguments: object, warning: str = "") -> dict[str, Any]:
    result = run("compare", *DATA, *arguments, *QUICK, "-q", "-f", "json")
    assert (result.status, result.err) == (0, warning)
    document: dict[str, Any] = json.loads(result.out)
    return document


@pytest.mark.parametrize(
    "line",
    [
        "FIRST -m green",
        "FIRST -m green:beta=0.5",
        "FIRST -m errant --by operation",
        "FIRST -m green --group length",
        "FIRST -m green --power",
        "FIRST -m green --test bootstrap",
        "FIRST -m green --blocks essays.txt",
        "FIRST -m green --group unnamed.txt",
        "ALL -m errant --power --by operation --baseline careful",
        "ALL -m errant --changes careful eager",
        "ALL -m errant --changes careful eager -f csv",
        "A=systems/careful.txt B=systems/eager.txt C=systems/noisy.txt -m green --baseline C",
        "ALL --type PREP,DET R --baseline careful",
        "FIRST --top 2 -m errant:beta=1 change-rate -f latex",
        "A=systems/careful.txt,systems/eager.txt B=systems/eager.txt,systems/noisy.txt -m green",
    ],
)
def test_tables_and_conclusions(run: Run, line: str, snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    (tmp_path / "essays.txt").write_text("".join(f"{number // 4}\n" for number in range(40)), encoding="utf-8")
    (tmp_path / "unnamed.txt").write_text("\nb\n" * 20, encoding="utf-8")
    line = line.replace("FIRST", " ".join(FILES[:2])).replace("ALL", " ".join(FILES))
    words = [str(tmp_path / word) if (tmp_path / word).is_file() else word for word in line.split()]
    samples = () if "--changes" in line else QUICK
    assert run("compare", *DATA, *words, *samples) == snapshot


def test_json_has_the_comparison_of_python(run: Run) -> None:
    document = document_of(run, *FILES, "-m", "green", "errant", "--seed", "3", "--alpha", "0.1")
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], FILES)
    comparison = compare(corpus, [Green(), Errant()], samples=500, seed=3, alpha=0.1)
    assert document["schema"] == "geceval/comparison@1"
    assert [SystemScore(**score) for score in document["systems"]] == list(comparison.systems)
    assert [Pair(**pair) for pair in document["pairs"]] == list(comparison.pairs)
    assert document["signature"] == comparison.signature
    assert document["signatures"] == comparison.signatures
    assert document["inputs"]["systems"] == list(FILES)


def test_groups_are_kinds_of_edits_labels_or_lengths(run: Run, tmp_path: Path) -> None:
    document = document_of(run, *FILES[:2], "-m", "errant", "--by", "operation")
    scored = json.loads(run("score", *DATA, *FILES[:2], "-m", "errant", "--by", "operation", "-f", "json").out)
    expected = {(row["system"], kind): parts["f"] for row in scored["results"] for kind, parts in row["types"].items()}
    values = {(row["system"], row["group"]): row["value"] for row in document["systems"] if row["group"]}
    assert values == pytest.approx(expected)
    labels = tmp_path / "labels.txt"
    labels.write_text("a\nb\n" * 20, encoding="utf-8")
    for grouping, groups in ((labels, ["a", "b"]), ("length", ["1-10", "11-20"])):
        pairs = document_of(run, *FILES[:2], "-m", "green", "--group", grouping)["pairs"]
        assert [row["group"] for row in pairs] == [None, *groups]


def test_operations_of_other_tag_sets_are_those_of_score(run: Run, tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    text = re.sub(r"\|\|\|[MRU]:[A-Z:]+\|\|\|", "|||ArtOrDet|||", Path("gold.m2").read_text("utf-8"))
    gold.write_text(text, encoding="utf-8")
    line = ("--gold", gold, "-c", *FILES[:2], "-m", "errant", "--by", "operation", "-f", "json")
    scored = json.loads(run("score", *line).out)["results"]
    compared = json.loads(run("compare", *line, *QUICK).out)
    groups = {row["group"] for row in compared["pairs"] if row["group"]}
    assert "(none)" in groups
    assert groups <= {kind for row in scored for kind in row["types"]}


def test_blocks_are_the_units_that_are_drawn(run: Run, tmp_path: Path) -> None:
    blocks = tmp_path / "essays.txt"
    blocks.write_text("".join(f"{number // 4}\n" for number in range(40)), encoding="utf-8")
    unblocked = document_of(run, *FILES[:2], "-m", "green")
    warning = "warning: only 10 blocks: intervals from fewer than 20 are unreliable\n"
    blocked = document_of(run, *FILES[:2], "-m", "green", "--blocks", blocks, warning=warning)
    assert (unblocked["blocks"], blocked["blocks"]) == (40, 10)
    assert blocked["systems"][0]["low"] != unblocked["systems"][0]["low"]


def test_json_of_power_is_that_of_python(run: Run) -> None:
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], FILES[:2])
    document = document_of(run, *FILES[:2], "-m", "green", "--power")
    assert [Power(**row) for row in document["power"]] == list(power(corpus, [Green()], samples=500))


def test_p_values_are_adjusted_unless_switched_off(run: Run) -> None:
    none, holm = (document_of(run, *FILES, "-m", "green", "errant", "--adjust", name) for name in ("none", "holm"))
    assert all(pair["p"] == pair["p_adjusted"] for pair in none["pairs"])
    assert any(pair["p"] < pair["p_adjusted"] for pair in holm["pairs"])
    assert holm == document_of(run, *FILES, "-m", "green", "errant")


def test_system_on_standard_input_is_compared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(FILES[1]).read_bytes()
    # A buffered reader, as the real one is.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text))))
    piped = run("compare", *DATA, FILES[0], "eager=-", "-m", "green", *QUICK, "--group", "length")
    assert (piped.status, piped.err) == (0, "")
    assert piped.out == run("compare", *DATA, *FILES[:2], "-m", "green", *QUICK, "--group", "length").out


def test_threads_and_order_of_systems_do_not_change_the_comparison_and_the_seed_does(run: Run) -> None:
    options = ("-m", "green", "errant", *QUICK)
    single = run("compare", *DATA, *FILES, *options, "-j", "1").out
    assert single == run("compare", *DATA, *FILES, *options, "-j", "3").out
    assert single == run("compare", *DATA, *reversed(FILES), *options).out
    assert single != run("compare", *DATA, *FILES, *options, "--seed", "1").out


@pytest.mark.parametrize(
    "options",
    [
        "--baseline Eager",
        "--by type",
        "-m errant --by type --group length",
        "--blocks nowhere",
        "--blocks gold.m2",
        "--alpha 0",
        "--samples 0",
        "--test t",
        "-c systems/careful.txt",
        "--changes careful careful",
        "--changes careful egaer",
        "--changes careful eager --by type",
    ],
)
def test_invalid_options_are_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    metric = () if "-m" in options else ("-m", "green")
    assert run("compare", *DATA, *FILES, *metric, *options.split()) == snapshot


def test_single_system_is_refused(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("compare", *DATA, FILES[0], "-m", "green") == snapshot


def test_intervals_of_score_are_those_of_compare(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("score", *DATA, *FILES, "-m", "green", "--intervals") == snapshot
    document = json.loads(run("score", *DATA, *FILES, "-m", "green", "errant", "--intervals", "-f", "json").out)
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], FILES)
    comparison = compare(corpus, [Green(), Errant()], pairs="none")
    scores = {(score.system, score.metric): score for score in comparison.systems}
    for row in document["results"]:
        score = scores[row["system"], row["metric"]]
        assert row["interval"] == {"low": score.low, "high": score.high, "deviation": score.deviation}
    assert document["intervals"]["alpha"] == 0.05
    assert run("score", *DATA, *FILES, "-m", "green", "--intervals", "--level", "mean") == snapshot


def test_scores_are_sorted_by_metric_or_name_on_request(run: Run) -> None:
    def order(*arguments: str) -> list[str]:
        out = run("score", *DATA, *FILES, "-m", "green,gleu", *arguments, "-f", "csv").out
        return [line.split(",")[0] for line in out.splitlines()[1:]]

    assert order() == ["careful", "eager", "noisy"]
    assert order("--sort", "green") == order("--sort", "GLEU") == ["eager", "careful", "noisy"]
    reverse = run("score", *DATA, *reversed(FILES), "-m", "green", "--sort", "name", "-f", "csv").out
    assert [line.split(",")[0] for line in reverse.splitlines()[1:]] == ["careful", "eager", "noisy"]
    assert "cannot sort by 'f1'" in run("score", *DATA, *FILES, "-m", "green", "--sort", "f1").err


def test_width_is_that_of_a_terminal_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from geceval.terminal.messages import terminal_width

    assert terminal_width(None) is None
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "72")
    assert terminal_width(None) == 72
    assert terminal_width("file.txt") is None


def test_json_has_systems_pairs_and_their_difference(run: Run) -> None:
    document = document_of(run, *FILES[:2], "-m", "green")
    assert {"systems", "pairs", "by_annotator", "decisions", "signatures", "warnings"} <= set(document)
    [pair] = document["pairs"]
    values = {row["system"]: row["value"] for row in document["systems"]}
    assert pair["difference"] == pytest.approx(values[pair["a"]] - values[pair["b"]])


def changes_of(run: Run, before: str, after: str, *more: str) -> dict[str, Any]:
    result = run(
        "compare", *DATA, *FILES, "-m", "errant", "green", "--changes", before, after, "-q", "-f", "json", *more
    )
    assert (result.status, result.err) == (0, "")
    document: dict[str, Any] = json.loads(result.out)
    return document


def test_changes_in_reverse_are_losses_for_gains(run: Run) -> None:
    forward, backward = changes_of(run, "careful", "eager"), changes_of(run, "eager", "careful")
    reverse = {"gained": "lost", "lost": "gained", "introduced": "removed", "removed": "introduced"}
    reverse["rejudged"] = "rejudged"

    def key(edit: dict[str, Any]) -> list[Any]:
        return [edit[name] for name in ("start", "end", "change", "correction")]

    for first, second in zip(forward["sentences"], backward["sentences"], strict=True):
        assert (first["before"], first["after"]) == (second["after"], second["before"])
        reversed_edits = [edit | {"change": reverse[edit["change"]]} for edit in first["edits"]]
        assert sorted(reversed_edits, key=key) == sorted(second["edits"], key=key)
    assert forward["types"].keys() == backward["types"].keys()


def test_sentences_of_changes_are_code_in_markdown(run: Run) -> None:
    text = run("compare", *DATA, *FILES, "-m", "green", "--changes", "careful", "eager", "-f", "markdown", "-q").out
    _, gains, _, losses, legend = text.split("```")
    assert gains.startswith("text\nLargest gains of GREEN\n")
    assert losses.startswith("text\nLargest losses of GREEN\n")
    assert "\n  careful: " in gains
    assert "○ missed" in legend


def test_changes_add_up_to_the_differences_of_the_scores(run: Run) -> None:
    document = changes_of(run, "careful", "eager")
    scored = json.loads(run("score", *DATA, *FILES, "-m", "errant", "green", "-f", "json", "-q").out)["results"]
    values = {(row["system"], row["metric"]): row for row in scored}
    for row, name in zip(document["metrics"], ["errant", "green"], strict=True):
        assert row["before"] == values["careful", name]["value"]
        assert row["after"] == values["eager", name]["value"]
        assert row["higher"] + row["equal"] + row["lower"] == document["total"] == 40
    changes = ("gained", "lost", "introduced", "removed", "rejudged")
    numbers = {change: sum(row[change] for row in document["types"].values()) for change in changes}
    edits = [edit["change"] for sentence in document["sentences"] for edit in sentence["edits"]]
    assert numbers == {change: edits.count(change) for change in changes}
    totals = {name: values[name, "errant"]["totals"] for name in ("careful", "eager")}
    difference = sum(totals["eager"][column] - totals["careful"][column] for column in ("tp", "fp"))
    assert numbers["gained"] - numbers["lost"] + numbers["introduced"] - numbers["removed"] == difference


def write_gold(folder: Path, *annotators: Sequence[int]) -> str:
    """Write twelve words and, for each annotator, edits that put an x before the words at some positions."""
    lines = ["S w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11"]
    for annotator, places in enumerate(annotators):
        lines += [f"A {at} {at + 1}|||R:OTHER|||x{at}|||REQUIRED|||-NONE-|||{annotator}" for at in places]
    path = folder / "gold.m2"
    path.write_text("\n".join([*lines, "", ""]))
    return str(path)


def write_system(folder: Path, name: str, *places: int) -> str:
    words = [f"x{at}" if at in places else f"w{at}" for at in range(12)]
    path = folder / f"{name}.txt"
    path.write_text(" ".join(words) + "\n")
    return str(path)


def test_scores_that_differ_by_rounding_only_are_equal_sentences(run: Run, tmp_path: Path) -> None:
    # 1 of 1 edits right and 4 missed; 2 of 3 right and 4 missed: F0.5 of both is 5/9.
    gold = write_gold(tmp_path, range(5), range(5, 11))
    files = ("--gold", gold, "-c", write_system(tmp_path, "one", 0), write_system(tmp_path, "two", 5, 6, 11))
    tested = json.loads(run("compare", *files, "-m", "errant", "-f", "json", "-q").out)
    [pair] = tested["pairs"]
    assert tested["systems"][0]["value"] != tested["systems"][1]["value"]
    assert (pair["better"], pair["equal"], pair["worse"]) == (0, 1, 0)
    changes = json.loads(run("compare", *files, "-m", "errant", "--changes", "one", "two", "-f", "json").out)
    [metric] = changes["metrics"]
    assert (metric["higher"], metric["equal"], metric["lower"]) == (0, 1, 0)
    assert run("score", *files, "-m", "errant", "-f", "latex", "-q").out.count("\\textbf{55.56}") == 2
    for name in ("one", "two"):
        document = json.loads(run("show", *files, "-m", "errant", "--worse-than", name, "-f", "json", "-q").out)
        assert document["sentences"] == []


def test_changes_of_an_edit_of_both_systems_have_one_row(run: Run, tmp_path: Path) -> None:
    # w0 is right for the first annotator, by whom the second system is judged, and wrong for the other.
    gold = write_gold(tmp_path, (0, 1, 2), (5, 6, 7))
    files = ("--gold", gold, "-c", write_system(tmp_path, "A", 0, 5, 6, 7), write_system(tmp_path, "B", 0, 1, 2))
    result = run("compare", *files, "-m", "errant", "--changes", "A", "B", "-f", "csv", "-q")
    rows = [(row["start"], row["change"]) for row in csv.DictReader(io.StringIO(result.out))]
    assert rows == [("0", "rejudged"), ("1", "gained"), ("2", "gained"), ("5", "lost"), ("6", "lost"), ("7", "lost")]


def test_baseline_of_another_form_is_a_warning(run: Run, tmp_path: Path) -> None:
    gold = write_gold(tmp_path, (0, 1, 2))
    files = ("--gold", gold, "-c", f"edits={gold}", write_system(tmp_path, "text", 0), "--baseline", "text")
    message = "baseline text and some systems have different forms (text, edits): part of their difference in errant"
    assert message in run("compare", *files, "-m", "errant").err


def test_means_of_runs_are_compared(run: Run) -> None:
    systems = ("A=systems/careful.txt,systems/eager.txt", "B=systems/eager.txt,systems/noisy.txt")
    result = run("compare", *DATA, *systems, "-m", "green", *QUICK, "-q", "-f", "json")
    document = json.loads(result.out)
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], {f"{k}": FILES[k] for k in range(3)})
    values = [score.value for score in compare(corpus, [Green()], samples=500, pairs="none").systems]
    assert document["systems"][0]["runs"] == {"A run 1": values[0], "A run 2": values[1]}
    assert document["pairs"][0]["difference"] == pytest.approx((values[0] - values[2]) / 2)


def test_checks_can_be_left_out(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("nothing of this belongs to the source\n" * 40, encoding="utf-8")
    line = ("compare", *DATA, other, FILES[0], "-m", "green", *QUICK)
    checked, unchecked = run(*line), run(*line, "--no-checks")
    assert "warning: " in checked.err
    assert unchecked.err == ""
    assert unchecked.out == checked.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--type", "DET", "R:VERB*"),
        ("--type", "DET", "--picture", "over-correction"),
        ("-m", "errant"),
        ("-m", "errant", "--picture", "net-benefit", "--size", "page"),
    ],
)
def test_pictures_are_written_by_the_ending_of_the_file(run: Run, tmp_path: Path, arguments: Sequence[str]) -> None:
    path = tmp_path / "types.svg"
    command = ("compare", *DATA, *FILES, *arguments, *QUICK, "-q")
    assert run(*command, "-o", path).status == 0
    document = path.read_text(encoding="utf-8")
    assert document == run(*command, "-f", "svg").out
    assert ElementTree.fromstring(document).tag == "{http://www.w3.org/2000/svg}svg"
    assert all(f">{name}<" in document for name in ("careful", "eager", "noisy"))


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_of_bytes_are_written_unchanged(run: Run, tmp_path: Path, ending: str, start: bytes) -> None:
    try:
        write = picture_writer(ending)
    except MissingExtraError as error:
        pytest.skip(f"{error.message}; they are not installed")
    command = ("compare", *DATA, *FILES, "--type", "DET", *QUICK, "-q")
    path = tmp_path / f"types.{ending}"
    assert run(*command, "-o", path).status == 0
    assert path.read_bytes() == write(run(*command, "-f", "svg").out)
    assert path.read_bytes().startswith(start)


def test_types_are_computed_again_from_a_record(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    types = ("--type", "DET", "R:VERB*", "--top", "1", "--baseline", "careful")
    assert run("compare", *DATA, *FILES, *types, *QUICK, "-q", "--record", record).status == 0
    assert run("reproduce", record, "--allow-outside").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--type DET --by type", "--by does not apply to --type and --top"),
        ("--top 2 --group length", "--group does not apply to --type and --top"),
        ("--type DET --power", "--power does not apply to --type and --top"),
        ("--top 0", "--top is 0; it must be at least 1"),
        ("--type DTE", "errant: types names 'DTE', which is not a type of ERRANT or of any edit here"),
        ("--type WO:SPELL", "errant: no edit of references or systems that counts has types=WO:SPELL"),
        ("--type DET -m green", "no metric of green has the setting types"),
        ("--type DET -m errant:types=PREP", "errant: types=PREP and compared types exclude each other"),
        ("--type DET -f png", "png requires a file"),
    ],
)
def test_types_that_cannot_be_compared_are_refused(run: Run, arguments: str, message: str) -> None:
    result = run("compare", *DATA, *FILES, *arguments.split(), *QUICK, "-q")
    assert result.status == 2
    assert message in result.err


@pytest.mark.parametrize("ending", ["csv", "tsv"])
@pytest.mark.parametrize("options", [(), ("--by", "operation"), ("--power",)])
def test_table_for_programs_is_one_with_a_row_for_each_system_and_pair(
    run: Run, ending: str, options: tuple[str, ...]
) -> None:
    result = run("compare", *DATA, *FILES, "-m", "errant", *options, "--samples", "200", "-f", ending, "-q")
    head, *rows = csv.reader(io.StringIO(result.out), delimiter={"csv": ",", "tsv": "\t"}[ending])
    assert {len(row) for row in rows} == {len(head)}
    kinds = [row[0] for row in rows]
    assert kinds == sorted(kinds, key=["system", "pair", "annotator", "power"].index)
    assert {"system", "pair"} <= set(kinds)
    cells = [dict(zip(head, row, strict=True)) for row in rows]
    assert all(bool(row["system"]) == (row["row"] in ("system", "power")) for row in cells)
