"""``geceval compare`` and ``geceval score --intervals``: from the command line to the core's numbers."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from geceval import Errant, Green, compare, power, read_corpus
from geceval.comparison.comparison_results import Pair, Power, SystemScore
from support.commands import Run

FILES = ("systems/careful.txt", "systems/eager.txt", "systems/noisy.txt")
DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c")
QUICK = ("--samples", "500")
pytestmark = pytest.mark.usefixtures("examples")


def document_of(run: Run, *arguments: object) -> dict[str, Any]:
    result = run("compare", *DATA, *arguments, *QUICK, "-q", "-f", "json")
    assert (result.status, result.err) == (0, "")
    document: dict[str, Any] = json.loads(result.out)
    return document


def test_the_question_is_answered_in_words(run: Run) -> None:
    result = run("compare", *DATA, *FILES[:2], "-m", "green")
    assert (result.status, result.err) == (0, "")
    last = result.out.splitlines()[-1]
    assert re.fullmatch(r"eager is better than careful under GREEN by 30\.51 \[\S+, \S+\], p < \.001\.", last)
    close = run("compare", *DATA, *FILES[:2], "-m", "green:beta=0.5", *QUICK).out.splitlines()[-2]
    assert close.startswith("No difference shown between eager and careful under GREEN: 4.51 [")


def test_json_is_what_python_says(run: Run) -> None:
    document = document_of(run, *FILES, "-m", "green", "errant", "--seed", "3", "--alpha", "0.1")
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], FILES)
    same = compare(corpus, [Green(), Errant()], samples=500, seed=3, alpha=0.1)
    assert document["schema"] == "geceval/comparison@1"
    assert [SystemScore(**score) for score in document["systems"]] == list(same.systems)
    assert [Pair(**pair) for pair in document["pairs"]] == list(same.pairs)
    assert document["signature"] == same.signature
    assert document["signatures"] == same.signatures
    assert document["inputs"]["systems"] == list(FILES)


def test_a_baseline_and_names(run: Run) -> None:
    names = [f"{letter}={path}" for letter, path in zip("ABC", FILES, strict=True)]
    document = document_of(run, *names, "-m", "green", "--baseline", "C")
    assert [(pair["a"], pair["b"]) for pair in document["pairs"]] == [("A", "C"), ("B", "C")]
    text = run("compare", *DATA, *names, "-m", "green", "--baseline", "C", *QUICK).out
    assert "GREEN: differences from C, the baseline" in text
    assert "cluster" not in text  # places need a test of every pair


def test_by_type_and_by_group(run: Run, tmp_path: Path) -> None:
    text = run("compare", *DATA, *FILES[:2], "-m", "errant", "--by", "operation", *QUICK).out
    assert re.search(r"^operation +eager +careful +difference", text, re.M)
    assert "adj:holm+bh" in text
    document = document_of(run, *FILES[:2], "-m", "errant", "--by", "operation")
    kinds = json.loads(run("score", *DATA, *FILES[:2], "-m", "errant", "--by", "operation", "-f", "json").out)
    expected = {(row["system"], kind): of["f"] for row in kinds["results"] for kind, of in row["types"].items()}
    found = {(row["system"], row["group"]): row["value"] for row in document["systems"] if row["group"]}
    assert found == pytest.approx(expected)
    labels = tmp_path / "labels.txt"
    labels.write_text("a\nb\n" * 20, encoding="utf-8")
    by_file = document_of(run, *FILES[:2], "-m", "green", "--group", labels)
    assert [row["group"] for row in by_file["pairs"]] == [None, "a", "b"]
    labels.write_text("\nb\n" * 20, encoding="utf-8")
    unnamed = run("compare", *DATA, *FILES[:2], "-m", "green", "--group", labels, *QUICK).out
    assert re.search(r"^\(none\) +\d", unnamed, re.M)
    by_length = document_of(run, *FILES[:2], "-m", "green", "--group", "length")
    assert [row["group"] for row in by_length["pairs"]] == [None, "1-10", "11-20"]


def test_types_of_other_tag_sets_are_cut_as_score_cuts_them(run: Run, tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    text = Path("gold.m2").read_text("utf-8")
    gold.write_text(re.sub(r"\|\|\|[MRU]:[A-Z:]+\|\|\|", "|||ArtOrDet|||", text), encoding="utf-8")
    files = ("--gold", str(gold), "-c", *FILES[:2], "-m", "errant", "--by", "operation", "-f", "json")
    kinds = json.loads(run("score", *files).out)["results"]
    document = json.loads(run("compare", *files, *QUICK).out)
    groups = {row["group"] for row in document["pairs"] if row["group"]}
    assert "(none)" in groups
    assert groups <= {kind for row in kinds for kind in row["types"]}


def test_blocks_change_what_is_drawn(run: Run, tmp_path: Path) -> None:
    blocks = tmp_path / "essays.txt"
    blocks.write_text("".join(f"{number // 4}\n" for number in range(40)), encoding="utf-8")
    alone = document_of(run, *FILES[:2], "-m", "green")
    together = document_of(run, *FILES[:2], "-m", "green", "--blocks", blocks)
    assert (alone["blocks"], together["blocks"]) == (40, 10)
    assert together["systems"][0]["low"] != alone["systems"][0]["low"]
    result = run("compare", *DATA, *FILES[:2], "-m", "green", "--blocks", blocks, *QUICK)
    assert result.out.startswith("GREEN, 40 sentences in 10 blocks\n")
    assert "unit:block" in result.out
    assert result.err == "warning: only 10 blocks: intervals from fewer than 20 are unreliable\n"
    assert run("compare", *DATA, *FILES[:2], "-m", "green", "--blocks", blocks, *QUICK, "-q").err == ""


def test_power(run: Run) -> None:
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], FILES[:2])
    [row] = power(corpus, [Green()], samples=500)
    document = document_of(run, *FILES[:2], "-m", "green", "--power")
    assert [Power(**own) for own in document["power"]] == [row]
    text = run("compare", *DATA, *FILES[:2], "-m", "green", "--power", *QUICK).out
    assert re.search(r"^GREEN +eager +careful +\+30\.51 +40 +\d+ +\d+\.\d\d$", text, re.M)
    assert f"about {row.needed} sentences" in text.splitlines()[-1]
    grouped = run(
        "compare", *DATA, *FILES, "-m", "errant", "--power", "--by", "operation", "--baseline", "careful", *QUICK
    )
    assert re.search(r"^ERRANT +all +eager +careful +\+14\.52 +40", grouped.out, re.M)
    assert re.search(r"^ERRANT +R +noisy +careful +−", grouped.out, re.M)


def test_adjusting_can_be_left(run: Run) -> None:
    none, holm = (document_of(run, *FILES, "-m", "green", "errant", "--adjust", name) for name in ("none", "holm"))
    assert all(pair["p"] == pair["p_adjusted"] for pair in none["pairs"])
    assert any(pair["p"] < pair["p_adjusted"] for pair in holm["pairs"])
    assert holm == document_of(run, *FILES, "-m", "green", "errant")


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(FILES[1]).read_bytes()
    # A buffered reader, as the real one is.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text))))
    piped = run("compare", *DATA, FILES[0], "eager=-", "-m", "green", *QUICK, "--group", "length")
    assert (piped.status, piped.err) == (0, "")
    assert piped.out == run("compare", *DATA, *FILES[:2], "-m", "green", *QUICK, "--group", "length").out


def test_bootstrap_test_draws_no_labels(run: Run) -> None:
    assert "ar:" not in document_of(run, *FILES[:2], "-m", "green", "--test", "bootstrap")["signature"]


def test_same_bytes_with_any_threads_and_order_of_systems(run: Run) -> None:
    call = ("-m", "green", "errant", *QUICK)
    one = run("compare", *DATA, *FILES, *call, "-j", "1").out
    assert one == run("compare", *DATA, *FILES, *call, "-j", "3").out
    assert one == run("compare", *DATA, *reversed(FILES), *call).out
    assert one != run("compare", *DATA, *FILES, *call, "--seed", "1").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FILES[0], "-m", "green"), "a comparison requires at least two systems, not 1"),
        ((*FILES, "-m", "green", "--baseline", "Eager"), "unknown baseline 'Eager' (available systems: careful"),
        ((*FILES, "-m", "green", "--by", "type"), "GREEN has no types"),
        ((*FILES, "-m", "errant", "--by", "type", "--group", "length"), "--by and --group exclude each other"),
        ((*FILES, "-m", "green", "--blocks", "nowhere"), "nowhere: cannot read"),
        ((*FILES, "-m", "green", "--blocks", "../README.md"), "blocks for"),
        ((*FILES, "-m", "green", "--alpha", "0"), "0; it must be more than 0 and at most 0.999"),
        ((*FILES, "-m", "green", "--samples", "0"), "--samples is 0; it must be at least 1"),
        ((*FILES, "-m", "green", "--test", "t"), "unknown value 't'"),
        ((*FILES, FILES[0], "-m", "green"), "is given twice"),
    ],
)
def test_faults_are_told(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("compare", *DATA, *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


# --- geceval score ---


def test_score_with_intervals(run: Run) -> None:
    text = run("score", *DATA, *FILES, "-m", "green", "--intervals").out
    assert re.search(r"^system +GREEN +95 % interval$", text, re.M)
    document = json.loads(run("score", *DATA, *FILES, "-m", "green", "errant", "--intervals", "-f", "json").out)
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], FILES)
    own = {(score.system, score.metric): score for score in compare(corpus, [Green(), Errant()], pairs="none").systems}
    for row in document["results"]:
        score = own[row["system"], row["metric"]]
        assert row["interval"] == {"low": score.low, "high": score.high, "deviation": score.deviation}
    assert document["intervals"]["alpha"] == 0.05
    for arguments in (("--level", "mean"), ("--group", "length")):
        refused = run("score", *DATA, *FILES, "-m", "green", "--intervals", *arguments)
        assert (refused.status, "--intervals is for the scores of the whole corpus" in refused.err) == (2, True)


def test_score_sorted(run: Run) -> None:
    def order(*arguments: str) -> list[str]:
        out = run("score", *DATA, *FILES, "-m", "green,gleu", *arguments, "-f", "csv").out
        return [line.split(",")[0] for line in out.splitlines()[1:]]

    assert order() == ["careful", "eager", "noisy"]
    assert order("--sort", "green") == order("--sort", "GLEU") == ["eager", "careful", "noisy"]
    reverse = run("score", *DATA, *reversed(FILES), "-m", "green", "--sort", "name", "-f", "csv").out
    assert [line.split(",")[0] for line in reverse.splitlines()[1:]] == ["careful", "eager", "noisy"]
    assert "cannot sort by 'f1'" in run("score", *DATA, *FILES, "-m", "green", "--sort", "f1").err


def test_output_for_a_terminal_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from geceval.cli.output import terminal_width

    assert terminal_width(None) is None
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "72")
    assert terminal_width(None) == 72
    assert terminal_width("file.txt") is None


# --- the page ---

PAGE = Path(__file__).parents[2] / "docs" / "comparison.md"


def test_the_json_of_the_page_has_the_fields_there_are(run: Run) -> None:
    changes, tests = map(json.loads, re.findall(r"^```json\n(.*?)```", PAGE.read_text("utf-8"), re.M | re.S))
    compared, changed = document_of(run, *FILES[:2], "-m", "green"), changes_of(run, "careful", "eager")
    cases = ((tests, compared, ("systems", "pairs")), (changes, changed, ("metrics", "sentences")))
    for example, real, lists in cases:
        assert set(example) == set(real)
        for rows in lists:
            assert set(example[rows][0]) == set(real[rows][0])
    edits = [edit for sentence in changed["sentences"] for edit in sentence["edits"]]
    assert set(changes["sentences"][0]["edits"][0]) == set(edits[0])


# --- changes between two systems ---


def changes_of(run: Run, before: str, after: str, *more: str) -> dict[str, Any]:
    result = run(
        "compare", *DATA, *FILES, "-m", "errant", "green", "--changes", before, after, "-q", "-f", "json", *more
    )
    assert (result.status, result.err) == (0, "")
    document: dict[str, Any] = json.loads(result.out)
    return document


def test_changes_turned_round_are_gains_for_losses(run: Run) -> None:
    there, back = changes_of(run, "careful", "eager"), changes_of(run, "eager", "careful")
    turned = {"gained": "lost", "lost": "gained", "introduced": "removed", "removed": "introduced"}
    turned["rejudged"] = "rejudged"
    for one, other in zip(there["sentences"], back["sentences"], strict=True):
        assert (one["before"], one["after"]) == (other["after"], other["before"])
        changed = [edit | {"change": turned[edit["change"]]} for edit in one["edits"]]
        key = ["start", "end", "change", "correction"]
        assert sorted(changed, key=lambda edit: [edit[name] for name in key]) == sorted(
            other["edits"], key=lambda edit: [edit[name] for name in key]
        )
    assert there["types"].keys() == back["types"].keys()


def test_changes_are_those_of_the_scores(run: Run) -> None:
    found = changes_of(run, "careful", "eager")
    scored = json.loads(run("score", *DATA, *FILES, "-m", "errant", "green", "-f", "json", "-q").out)["results"]
    values = {(row["system"], row["metric"]): row for row in scored}
    for row, name in zip(found["metrics"], ["errant", "green"], strict=True):
        assert row["before"] == values["careful", name]["value"]
        assert row["after"] == values["eager", name]["value"]
        assert row["higher"] + row["equal"] + row["lower"] == found["total"] == 40
    whole = {change: sum(own[change] for own in found["types"].values()) for change in turned_names}
    listed = [edit["change"] for sentence in found["sentences"] for edit in sentence["edits"]]
    assert whole == {change: listed.count(change) for change in turned_names}
    proposed = {name: values[name, "errant"]["totals"] for name in ("careful", "eager")}
    more = sum(proposed["eager"][column] - proposed["careful"][column] for column in ("tp", "fp"))
    assert whole["gained"] - whole["lost"] + whole["introduced"] - whole["removed"] == more


turned_names = ("gained", "lost", "introduced", "removed", "rejudged")


def test_changes_have_tables_and_examples(run: Run) -> None:
    found = run("compare", *DATA, *FILES, "-m", "errant", "--changes", "careful", "eager")
    assert found.status == 0
    assert "From careful to eager: " in found.out
    assert "Largest gains of ERRANT" in found.out
    rows = list(
        csv.DictReader(io.StringIO(run("compare", *DATA, *FILES, "--changes", "careful", "eager", "-f", "csv").out))
    )
    assert rows[0].keys() == {"sentence", "change", "start", "end", "source", "correction", "type"}
    assert run("compare", *DATA, *FILES, "--changes", "careful", "eager", "-f", "latex").status == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--changes", "careful", "careful"), "careful cannot be compared with itself"),
        (("--changes", "careful", "egaer"), "unknown system 'egaer'"),
        (("--changes", "careful", "eager", "--by", "type"), "--by does not apply to --changes"),
    ],
)
def test_changes_that_cannot_be_shown_are_refused(run: Run, more: tuple[str, ...], message: str) -> None:
    found = run("compare", *DATA, *FILES, *more)
    assert found.status == 2
    assert message in found.err


def write_gold(folder: Path, *annotators: Sequence[int]) -> str:
    """Write twelve words and, for each annotator, the places of words with an x in the gold."""
    lines = ["S w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11"]
    for who, places in enumerate(annotators):
        lines += [f"A {at} {at + 1}|||R:OTHER|||x{at}|||REQUIRED|||-NONE-|||{who}" for at in places]
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
        shown = json.loads(run("show", *files, "-m", "errant", "--worse-than", name, "-f", "json", "-q").out)
        assert shown["sentences"] == []


def test_changes_of_an_edit_of_both_systems_have_one_row(run: Run, tmp_path: Path) -> None:
    # w0 is right for the first annotator, by whom the second system is judged, and wrong for the other.
    gold = write_gold(tmp_path, (0, 1, 2), (5, 6, 7))
    files = ("--gold", gold, "-c", write_system(tmp_path, "A", 0, 5, 6, 7), write_system(tmp_path, "B", 0, 1, 2))
    found = run("compare", *files, "-m", "errant", "--changes", "A", "B", "-f", "csv", "-q")
    rows = [(row["start"], row["change"]) for row in csv.DictReader(io.StringIO(found.out))]
    assert rows == [("0", "rejudged"), ("1", "gained"), ("2", "gained"), ("5", "lost"), ("6", "lost"), ("7", "lost")]


# --- repeated runs ---


def test_means_of_runs_are_compared(run: Run) -> None:
    systems = ("A=systems/careful.txt,systems/eager.txt", "B=systems/eager.txt,systems/noisy.txt")
    result = run("compare", *DATA, *systems, "-m", "green", *QUICK)
    assert result.status == 0
    assert result.err.startswith("warning: two runs of A, B: intervals and tests of fewer than 3 runs are unreliable")
    assert [line[:10] for line in result.out.splitlines()[4:6]] == ["A (2 runs)", "B (2 runs)"]
    assert "Intervals and p account for the choice of sentences and of runs (2 of A, 2 of B)." in result.out
    document = document_of(run, *systems, "-m", "green")
    corpus = read_corpus("source.txt", ["ref0.txt", "ref1.txt"], {f"{k}": FILES[k] for k in range(3)})
    values = [score.value for score in compare(corpus, [Green()], samples=500, pairs="none").systems]
    assert document["systems"][0]["runs"] == {"A run 1": values[0], "A run 2": values[1]}
    assert document["pairs"][0]["difference"] == pytest.approx((values[0] - values[2]) / 2)
