"""Checks of the input: warnings on stderr, in JSON, and silenced."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval import m2
from support.commands import Run
from support.damage import LINE_DAMAGES, lines_of, shifted, with_damaged_lines

DATA = ("-s", "source.txt", "-r", "ref0.txt")


@pytest.fixture
def late(examples: Path, tmp_path: Path) -> Path:
    """A system whose lines are one line too late."""
    return write_lines(tmp_path / "late.txt", shifted(lines_of(examples / "systems" / "careful.txt"), -1))


WARNING = (
    "warning: system late: most of its lines share few tokens with the source; shifted by -1: its line 11 fits line 10"
    " of the source (hint: check that the files belong together, line by line)\n"
)


def test_warning_that_changes_what_a_number_means_is_printed_without_no_checks(run: Run, late: Path) -> None:
    line = ("score", *DATA, "-c", late, "systems/careful.txt", "-m", "green")
    warned = run(*line)
    assert (warned.status, warned.err) == (0, WARNING)
    assert run(*line, "-q") == warned
    silent = run(*line, "--no-checks")
    assert (silent.status, silent.err, silent.out) == (0, "", warned.out)
    assert run("score", *DATA, "-c", late, "-m", "green", "--group", "length").err == WARNING


def test_json_has_the_printed_warnings(run: Run, late: Path) -> None:
    line = ("score", *DATA, "-c", late, "-m", "green", "-f", "json")
    for options in ([], ["--group", "length"], ["-q"]):
        [warning] = json.loads(run(*line, *options).out)["warnings"]
        assert (warning["check"], warning["file"]) == ("overlap", "system late")
        assert f"warning: {warning['file']}: {warning['message']} (hint: {warning['hint']})\n" == WARNING
    assert json.loads(run(*line, "--no-checks").out)["warnings"] == []


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("options", [["--no-checks"], ["--no-checks", "-q"]])
def test_warning_of_a_metric_is_printed_and_in_json_without_checks(
    run: Run, tmp_path: Path, options: list[str]
) -> None:
    gold = write_lines(tmp_path / "gold.m2", ["S a b", "A 1 2|||UNK|||c|||REQUIRED|||-NONE-|||0", ""])
    text = write_lines(tmp_path / "text.txt", ["a c"])
    result = run("score", "--gold", gold, "-c", text, "-m", "errant", "-f", "json", *options)
    [warning] = json.loads(result.out)["warnings"]
    assert warning["check"] == ""
    assert result.err == f"warning: {warning['message']}\n"


def test_annotate_and_meta_check_their_input(run: Run, late: Path) -> None:
    chunks = ("annotate", *DATA, "-c", late, "-f", "chunks", "--sentences", "1")
    edits = ("annotate", "-s", "source.txt", "-c", late)
    assert run(*chunks).err == WARNING
    assert run(*edits).err == WARNING.replace("system late", str(late))
    assert run(*chunks, "--no-checks").err == run(*edits, "--no-checks").err == ""
    meta = ("meta", "--judgments", "judgments.xml", "-c", "systems", *DATA, "-m", "green", "--samples", "0")
    unwarned = run(*meta, "-f", "json")
    assert (unwarned.status, json.loads(unwarned.out)["warnings"]) == (0, [])
    assert "gold edits and references are both given" in run(*meta, "--gold", "gold.m2").err
    assert "both given" not in run(*meta, "--gold", "gold.m2", "--no-checks").err


EMPTIED = "its 40 lines are empty (lines 1, 6, 11, ...)"
READ = "8 of 40 lines are empty next to a sentence (lines 1, 6, 11, …)\n  hint: --blank unchanged reads"


def test_every_command_warns_of_empty_corrections(run: Run, examples: Path, tmp_path: Path) -> None:
    reference = lines_of(examples / "ref0.txt")
    write_lines(tmp_path / "blank.txt", ["" if n % 5 == 0 else line for n, line in enumerate(reference)])
    blank, system = tmp_path / "blank.txt", "systems/careful.txt"
    pair = ("-s", "source.txt", "-r", blank, "-c", system)
    for command in ("score -m green", "compare -m green", "report -m green", "show"):
        output = ("-o", tmp_path / "report.html") if command.startswith("report") else ()
        systems = ("systems/eager.txt",) if command.startswith("compare") else ()
        line = (*command.split(), *pair, *systems, *output)
        assert run(*line).status == 2
        assert f"blank.txt: {READ}" in run(*line).err
        for reading in ("unchanged", "missing", "empty"):
            result = run(*line, "-r", "ref1.txt", "--blank", reading)
            assert (result.status, "are empty" in result.err) == (0, False)
    select = ("select", "-s", "source.txt", "-c", system, "systems/eager.txt", "-r", blank, "--criterion", "green")
    assert f"blank.txt: {READ}" in run(*select).err
    assert "empty" not in run(*select, "--blank", "empty").err
    annotate = ("annotate", "-s", "source.txt", "-c", blank, "ref1.txt", "-o", tmp_path / "two.m2")
    assert f"blank.txt: {READ}" in run(*annotate).err
    run(*annotate, "--blank", "missing")
    assert {edit.annotator for edit in next(iter(m2.read(tmp_path / "two.m2"))).edits} == {1}
    assert "are empty" not in run(*annotate, "--blank", "empty").err
    sentences = EMPTIED.replace("line", "sentence")
    for line in (("m2", "stats", "two.m2"), ("m2", "check", "two.m2"), ("m2", "diff", "two.m2", "--annotators", "0,1")):
        words = [tmp_path / word if word == "two.m2" else word for word in line]
        assert f"two.m2, annotator 0: 8 of {sentences}" in run(*words).err
    gold = ("--gold", tmp_path / "two.m2", "-c", system)
    assert f"gold, annotator 0: 8 of {sentences}" in run("score", *gold, "-m", "errant").err
    assert f"8 of {sentences}" in run("detect", *gold).err
    detect = ("detect", "--gold", "gold.m2", "-c", blank)
    assert f"blank.txt: {READ}" in run(*detect).err
    assert READ not in run(*detect, "--blank", "empty").err


def test_text_next_to_empty_lines_of_the_source_is_reported_with_its_lines(
    run: Run, examples: Path, tmp_path: Path
) -> None:
    source = ["" if n in (2, 8) else line for n, line in enumerate(lines_of(examples / "source.txt"))]
    write_lines(tmp_path / "s.txt", source)
    result = run("score", "-s", tmp_path / "s.txt", "-r", "ref0.txt", "-c", "systems/careful.txt", "-m", "green")
    message = "2 of its 40 lines contain text, although the source is empty there (lines 3, 9)"
    assert f"reference 0: {message}" in result.err
    assert f"system careful: {message}" in result.err


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("command", ["score -m green", "show"])
def test_missing_applies_to_references_made_from_gold(run: Run, command: str, snapshot: SnapshotAssertion) -> None:
    system = (*command.split(), "-c", "systems/careful.txt")
    assert run(*system, *DATA, "--gold", "gold.m2", "--missing", "plain") == snapshot
    assert run(*system, "-s", "source.txt", "--missing", "fallback") == snapshot
    assert run(*system, "--gold", "gold.m2", "--missing", "plain").status == 0


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("system", ["source", "systems/eager"])
def test_gold_of_other_sentences_names_a_system_that_has_them(
    run: Run, system: str, snapshot: SnapshotAssertion
) -> None:
    line = ("score", "-s", "systems/careful.txt", "--gold", "gold.m2", "-c", f"{system}.txt", "-m", "errant")
    assert run(*line) == snapshot


@pytest.mark.parametrize("metric", ["errant", "cleme", "cleme2", "maxmatch", "spans", "goto", "green", "gleu"])
def test_gold_edit_outside_its_sentence_is_refused_or_dropped(
    run: Run, tmp_path: Path, metric: str, snapshot: SnapshotAssertion
) -> None:
    edits = [f"A {at} {at + 1}|||{kind}|||x|||REQUIRED|||-NONE-|||0" for at, kind in ((0, "R:NOUN"), (5, "R:VERB"))]
    gold = write_lines(tmp_path / "gold.m2", ["S a b", *edits, ""])
    line = ("score", "--gold", gold, "-c", write_lines(tmp_path / "it.txt", ["x b"]), "-m", metric)
    result = run(*line)
    assert result == snapshot(name="gold edit outside its sentence")
    assert "--misfits drop" in result.err
    result = run(*line, "--misfits", "drop", "-f", "json")
    assert f"{gold}:3: dropped: 1 edit that does not fit its sentence" in result.err
    [score] = json.loads(result.out)["results"]
    assert "|misfits:drop|" in score["signature"]
    without = write_lines(tmp_path / "without.m2", ["S a b", edits[0], ""])
    [expected] = json.loads(run(*line[:2], without, *line[3:], "-f", "json").out)["results"]
    assert score["parts"] == expected["parts"]


def test_misfits_need_m2(run: Run, tmp_path: Path) -> None:
    text, m2 = write_lines(tmp_path / "it.txt", ["a b"]), write_lines(tmp_path / "it.m2", ["S a b", ""])
    line = ("score", "-s", text, "-r", text, "--misfits", "drop", "-m", "green", "-c")
    assert run(*line, text).err.startswith("error: --misfits drop requires --gold, or M2 or suggestions of a system")
    assert run(*line, m2).status == run(*line, f"name={m2}").status == 0


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("command", ["compare -m green --samples 50", "rank -m green"])
def test_quiet_comparison_has_its_minor_warnings_in_json_only(run: Run, command: str) -> None:
    line = (*command.split(), "-s", "source.txt", "-r", "ref0.txt", "-c", "source.txt", "systems/eager.txt")
    assert "it is equal to the source, line by line" in run(*line, "-f", "json").err
    quiet = run(*line, "-f", "json", "-q")
    assert quiet.err == ""
    document = json.loads(quiet.out)
    assert [warning["check"] for warning in document.get("inputs", document)["warnings"]] == ["equal"]
    assert "it is equal" not in run(*line, "--no-checks").err


def write_lines(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


SOURCE = [f"The {n} cats of John likes to plays in the garden , and they sleeps at night ." for n in range(60)]
CORRECTED = [line.replace("sleeps", "sleep") for line in SOURCE]


def test_kinds_of_output_lines_are_counted_on_stderr_and_in_json(
    run: Run, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    system, _ = with_damaged_lines(SOURCE, CORRECTED, LINE_DAMAGES["refused"], 10)
    system[:5] = SOURCE[:5]
    names = {"source": SOURCE, "ref": CORRECTED, "it": system}
    source, reference, output = (write_lines(tmp_path / f"{name}.txt", lines) for name, lines in names.items())
    line = ("score", "-s", source, "-r", reference, "-c", output, "-m", "green")
    assert run(*line).err == snapshot
    for options in ([], ["--group", "length"]):
        document = json.loads(run(*line, *options, "-f", "json", "-q").out)
        assert document["outputs"] == {
            "it": {"lines": 60, "empty": 0, "equal": 5, "refusals": 6, "no_change": 0, "suspicious": 0, "cleaned": 0}
        }
    assert json.loads(run(*line, "-f", "json", "--no-checks").out)["outputs"] == {}


def _sentences(number: int) -> list[str]:
    return [f"The {at} dog bark at the tall postmans ." for at in range(number)]


def _corrected(sentence: str) -> str:
    return sentence.replace("bark", "barks").replace("postmans", "postman")


def test_hint_for_outputs_of_several_lines_in_a_table_works_when_followed(
    run: Run, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rows = [
        {"source": line, "reference": _corrected(line), "hypothesis": f"{_corrected(line)}\n\nLet me know if it helps!"}
        for line in _sentences(4)
    ]
    rows.append({"source": "All is well .", "reference": "All is well .", "hypothesis": "No changes needed."})
    table = write_lines(tmp_path / "answers.jsonl", map(json.dumps, rows))
    line = ("score", "-i", table, "-m", "errant", "-f", "csv")
    assert run(*line) == snapshot
    cleaned = run(*line, "--clean", "llm")
    assert cleaned == snapshot
    write_lines(table, (json.dumps({**row, "hypothesis": row["reference"] + "\n"}) for row in rows))
    assert run(*line) == snapshot
    assert run(*line, "--normalise", "whitespace").out == cleaned.out


def test_hint_to_clean_states_how_many_lines_stay_suspicious(run: Run, tmp_path: Path) -> None:
    source = _sentences(30)
    answers = [_corrected(line) for line in source]
    for at in range(8):
        answers[at] += " I changed the form of a verb."
    answers[3:5] = [f"{_corrected(line)[:-2]} explanation: a verb" for line in source[3:5]]
    text, output = write_lines(tmp_path / "s.txt", source), write_lines(tmp_path / "out.txt", answers)
    line = ("score", "-s", text, "-r", text, "-c", output, "-m", "green", "-f", "json")
    before, after = (json.loads(run(*line, *options).out) for options in ([], ["--clean", "llm"]))
    [hint] = [warning["hint"] for warning in before["warnings"] if warning["check"] == "explanations"]
    assert hint == "--clean llm removes what is not the correction; 2 of these lines stay suspicious"
    assert [document["outputs"]["out"]["suspicious"] for document in (before, after)] == [8, 2]


@pytest.mark.parametrize(
    ("answer", "check"),
    [("<think>Hm.</think> {}", "reasoning"), ("No changes needed.", "unchanged"), ("Corrected: {}", "chatter")],
)
def test_single_answer_of_a_short_file_is_a_warning_with_the_hint_to_clean(
    run: Run, tmp_path: Path, answer: str, check: str
) -> None:
    source = _sentences(3)
    answers = [_corrected(source[0]), answer.replace("{}", source[1]), _corrected(source[2])]
    text, output = write_lines(tmp_path / "s.txt", source), write_lines(tmp_path / "out.txt", answers)
    line = ("score", "-s", text, "-r", text, "-c", output, "-m", "green", "-f", "json")
    [hint] = [warning["hint"] for warning in json.loads(run(*line).out)["warnings"] if warning["check"] == check]
    assert hint.startswith("--clean llm ")
    assert hint.endswith("; none of these lines stays suspicious")
    cleaned = json.loads(run(*line, "--clean", "llm").out)
    assert cleaned["outputs"]["out"]["equal"] == 1
    assert check not in {warning["check"] for warning in cleaned["warnings"]}
