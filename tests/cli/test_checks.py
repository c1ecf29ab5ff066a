"""Checks on the command line: a line each on stderr, silenced, and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import Run
from support.damage import LINE_DAMAGES, lines_of, shifted, with_damaged_lines

DATA = ("-s", "source.txt", "-r", "ref0.txt")


@pytest.fixture
def late(examples: Path, tmp_path: Path) -> Path:
    """A system whose lines are one too late."""
    path = tmp_path / "late.txt"
    path.write_text("\n".join(shifted(lines_of(examples / "systems" / "careful.txt"), -1)) + "\n", encoding="utf-8")
    return path


WARNING = (
    "warning: system late: most of its lines share few tokens with the source; shifted by -1: its line 11 fits line 10"
    " of the source (hint: check that the files belong together, line by line)\n"
)


def test_a_line_each_unless_silenced(run: Run, late: Path) -> None:
    told = run("score", *DATA, "-c", late, "systems/careful.txt", "-m", "green")
    assert (told.status, told.err) == (0, WARNING)
    for option in ("-q", "--no-checks"):
        silent = run("score", *DATA, "-c", late, "systems/careful.txt", "-m", "green", option)
        assert (silent.status, silent.err, silent.out) == (0, "", told.out)
    assert run("score", *DATA, "-c", late, "-m", "green", "--group", "length").err == WARNING


def test_warnings_in_json(run: Run, late: Path) -> None:
    for more in ([], ["--group", "length"], ["-q"]):
        result = run("score", *DATA, "-c", late, "-m", "green", "-f", "json", *more)
        [warning] = json.loads(result.out)["warnings"]
        assert {key: warning[key] for key in ("check", "file")} == {"check": "overlap", "file": "system late"}
        assert f"warning: {warning['file']}: {warning['message']} (hint: {warning['hint']})\n" == WARNING
    assert json.loads(run("score", *DATA, "-c", late, "-m", "green", "-f", "json", "--no-checks").out)["warnings"] == []


def test_remarks_of_metrics_are_warnings_too(run: Run, examples: Path) -> None:
    result = run(
        "score", *DATA, "-c", "systems/careful.txt", "-m", "errant:exclude=R:NOPE", "-f", "json", "--no-checks"
    )
    [warning] = json.loads(result.out)["warnings"]
    assert warning["check"] == ""
    assert result.err == f"warning: {warning['message']}\n"


def test_annotate_and_meta_check(run: Run, late: Path) -> None:
    assert run("annotate", *DATA, "-c", late, "-f", "chunks", "--sentences", "1").err == WARNING
    assert run("annotate", *DATA, "-c", late, "-f", "chunks", "--sentences", "1", "--no-checks").err == ""
    assert run("annotate", "-s", "source.txt", "-c", late).err == WARNING.replace("system late", "reference 0")
    assert run("annotate", "-s", "source.txt", "-c", late, "--no-checks").err == ""
    meta = ("meta", "--judgments", "judgments.xml", "-c", "systems", *DATA, "-m", "green", "--resamples", "0")
    plain = run(*meta, "-f", "json")
    assert (plain.status, json.loads(plain.out)["warnings"]) == (0, [])
    assert "gold edits and references are both given" in run(*meta, "--gold", "gold.m2").err
    assert "both given" not in run(*meta, "--gold", "gold.m2", "--no-checks").err


def test_missing_is_for_references_made_from_gold(run: Run, examples: Path) -> None:
    for command in (("score", "-c", "systems/careful.txt"), ("show", "-c", "systems/careful.txt")):
        more = ["-m", "green"] if command[0] == "score" else []
        result = run(*command, *DATA, "--gold", "gold.m2", *more, "--missing", "plain")
        assert (result.status, result.out) == (2, "")
        assert "--missing applies to references made from --gold: it cannot be combined with -r" in result.err
        result = run(*command, "-s", "source.txt", *more, "--missing", "fallback")
        assert (result.status, "it requires --gold" in result.err) == (2, True)
    assert (
        run("score", "--gold", "gold.m2", "-c", "systems/careful.txt", "-m", "green", "--missing", "plain").status == 0
    )


def test_gold_of_other_sentences_names_a_system_that_has_them(run: Run, examples: Path) -> None:
    result = run("score", "-s", "systems/careful.txt", "--gold", "gold.m2", "-c", "source.txt", "-m", "errant")
    assert result.status == 2
    assert result.err.endswith("  the file has the sentences of system source: source and system look swapped\n")
    result = run("score", "-s", "systems/careful.txt", "--gold", "gold.m2", "-c", "systems/eager.txt", "-m", "errant")
    assert (result.status, "swapped" in result.err) == (2, False)


@pytest.mark.parametrize("metric", ["errant", "cleme", "cleme2", "maxmatch"])
def test_gold_edits_that_do_not_fit(run: Run, tmp_path: Path, metric: str) -> None:
    gold, system = tmp_path / "gold.m2", tmp_path / "it.txt"
    lines = [f"A {at} {at + 1}|||{kind}|||x|||REQUIRED|||-NONE-|||0" for at, kind in ((0, "R:NOUN"), (5, "R:VERB"))]
    gold.write_text("\n".join(["S a b", *lines, "", ""]), encoding="utf-8")
    system.write_text("x b\n", encoding="utf-8")
    result = run("score", "--gold", gold, "-c", system, "-m", metric)
    assert result.status == 2
    assert f"{gold}:3: the edit spans 5 to 6 but the sentence has 2 tokens" in result.err
    assert "so does misfits=drop" in result.err
    result = run("score", "--gold", gold, "-c", system, "-m", f"{metric}:misfits=drop", "-f", "json")
    [score] = json.loads(result.out)["results"]
    assert (score["parts"].get("recall", 1.0), "misfits:drop" in score["signature"]) == (1.0, True)
    # Metrics on texts make references of the edits: they have no such setting, and none is spoken of.
    result = run("score", "--gold", gold, "-c", system, "-m", "green")
    assert (result.status, "misfits" in result.err) == (2, False)


@pytest.mark.usefixtures("examples")
def test_comparisons_heed_quiet_and_keep_the_warnings(run: Run) -> None:
    data = ("-s", "source.txt", "-r", "ref0.txt", "-c", "source.txt", "systems/eager.txt")
    for command in (("compare", "-m", "green", "--samples", "50"), ("rank", "-m", "green")):
        told = run(*command, *data, "-f", "json")
        assert "it is equal to the source, line by line" in told.err
        quiet = run(*command, *data, "-f", "json", "-q")
        assert quiet.err == ""
        document = json.loads(quiet.out)
        assert [one["check"] for one in document.get("inputs", document)["warnings"]] == ["equal"]
        assert "it is equal" not in run(*command, *data, "--no-checks").err


SOURCE = [f"The {n} cats of John likes to plays in the garden , and they sleeps at night ." for n in range(60)]
KEPT = [line.replace("sleeps", "sleep") for line in SOURCE]


def test_the_account_in_json_and_on_stderr(run: Run, tmp_path: Path) -> None:
    system, _ = with_damaged_lines(SOURCE, KEPT, LINE_DAMAGES["refused"], 10)
    system[:5] = SOURCE[:5]
    for name, lines in (("source", SOURCE), ("ref", KEPT), ("it", system)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    data = (
        "score",
        "-s",
        tmp_path / "source.txt",
        "-r",
        tmp_path / "ref.txt",
        "-c",
        tmp_path / "it.txt",
        "-m",
        "green",
    )
    told = run(*data)
    account = "60 lines, 0 empty, 5 equal to the source, 6 refusals, 0 without a change, 0 suspicious, 0 cleaned"
    assert "warning: system it: 6 of its 60 lines are refusals (lines 6, 16, 26, ...)" in told.err
    assert f"warning: system it: {account} (hint: " in told.err
    for more in ([], ["--group", "length"]):
        document = json.loads(run(*data, *more, "-f", "json", "-q").out)
        assert document["outputs"] == {
            "it": {"lines": 60, "empty": 0, "equal": 5, "refusals": 6, "no_change": 0, "suspicious": 0, "cleaned": 0}
        }
    assert json.loads(run(*data, "-f", "json", "--no-checks").out)["outputs"] == {}


def _sentences(number: int) -> list[str]:
    return [f"The {at} dog bark at the tall postmans ." for at in range(number)]


def _corrected(sentence: str) -> str:
    return sentence.replace("bark", "barks").replace("postmans", "postman")


def test_hint_for_outputs_of_several_lines_in_a_table_works_when_followed(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "answers.jsonl"
    rows = [
        {"source": line, "reference": _corrected(line), "hypothesis": f"{_corrected(line)}\n\nLet me know if it helps!"}
        for line in _sentences(4)
    ]
    rows.append({"source": "All is well .", "reference": "All is well .", "hypothesis": "No changes needed."})
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    refused = run("score", "-i", table, "-m", "errant", "-f", "csv")
    assert (refused.status, refused.out) == (2, "")
    assert f"error: {table}:1: hypothesis: a line break within a sentence\n  hint: --clean llm" in refused.err
    cleaned = run("score", "-i", table, "-m", "errant", "-f", "csv", "--clean", "llm")
    assert cleaned.out == "system,ERRANT\nhypothesis,100.00\n"
    assert "1 of its 5 lines only state that nothing is wrong, and are read as the source" in cleaned.err
    plain = [{**row, "hypothesis": row["reference"] + "\n"} for row in rows]
    table.write_text("".join(json.dumps(row) + "\n" for row in plain), encoding="utf-8")
    assert "hint: --normalise whitespace" in run("score", "-i", table, "-m", "errant").err
    assert run("score", "-i", table, "-m", "errant", "-f", "csv", "--normalise", "whitespace").out == cleaned.out


def test_hint_to_clean_states_how_many_lines_stay_suspicious(run: Run, tmp_path: Path) -> None:
    source = _sentences(30)
    answers = [_corrected(line) for line in source]
    for at in range(8):
        answers[at] += " I changed the form of a verb."
    answers[3:5] = [f"{_corrected(line)[:-2]} explanation: a verb" for line in source[3:5]]
    for name, lines in (("s.txt", source), ("out.txt", answers)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = (
        "-s",
        tmp_path / "s.txt",
        "-r",
        tmp_path / "s.txt",
        "-c",
        tmp_path / "out.txt",
        "-m",
        "green",
        "-f",
        "json",
    )
    before, after = (json.loads(run("score", *files, *more).out) for more in ([], ["--clean", "llm"]))
    [hint] = [warning["hint"] for warning in before["warnings"] if warning["check"] == "explanations"]
    assert hint == "--clean llm removes what is not the correction; 2 of these lines stay suspicious"
    assert [document["outputs"]["out"]["suspicious"] for document in (before, after)] == [8, 2]


@pytest.mark.parametrize(
    ("answer", "check"),
    [
        ("<think>Hm.</think> {}", "reasoning"),
        ("No changes needed.", "unchanged"),
        ("Corrected: {}", "chatter"),
    ],
)
def test_single_answer_of_a_short_file_is_warned_of_with_the_hint_to_clean(
    run: Run, tmp_path: Path, answer: str, check: str
) -> None:
    source = _sentences(3)
    answers = [_corrected(source[0]), answer.replace("{}", source[1]), _corrected(source[2])]
    for name, lines in (("s.txt", source), ("out.txt", answers)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = ("-s", tmp_path / "s.txt", "-r", tmp_path / "s.txt", "-c", tmp_path / "out.txt", "-m", "green")
    warnings = json.loads(run("score", *files, "-f", "json").out)["warnings"]
    [hint] = [warning["hint"] for warning in warnings if warning["check"] == check]
    assert hint.startswith("--clean llm ")
    assert hint.endswith("; none of these lines stays suspicious")
    cleaned = json.loads(run("score", *files, "-f", "json", "--clean", "llm").out)
    assert cleaned["outputs"]["out"]["equal"] == 1
    assert check not in {warning["check"] for warning in cleaned["warnings"]}
