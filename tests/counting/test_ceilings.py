"""Ceilings: the gold's own corrected texts, scored where given gold edits meet edits found in text."""

from __future__ import annotations

import json
import pickle
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Cleme, Cleme2, Corpus, Errant, GecevalWarning, Goto, Green, MaxMatch, evaluate
from geceval.comparison.compare import compare
from geceval.comparison.ranking_without_people import rank
from geceval.counting.checks.beside_systems import has_ceiling
from geceval.counting.checks.ceilings import MOST_ANNOTATORS
from geceval.counting.metric_classes import METRICS
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.scores import Score
from geceval.edits.corpus_edits import closest_profile, known_profiles
from geceval.edits.languages.lexicon import shipped
from geceval.m2 import Block, Blocks, Edit
from support.commands import run_main
from support.effort import examples
from support.messages import message_of
from support.written_files import m2_text, write

SOURCE = ["She go to school .", "I has a books there .", "All is well ."]
TEXT = ["She goes to school .", "I have a books there .", "All is well ."]
#: One edit with a span that no annotator finds; the others as ERRANT has them.
EDITS = [(Edit(0, 2, "R:OTHER", ("She goes",)),), (Edit(1, 2, "R:VERB:SVA", ("have",)),), ()]
GOLD = [Block(line, edits) for line, edits in zip(SOURCE, EDITS, strict=True)]
OTHER = (Edit(1, 2, "R:VERB:SVA", ("goes",), annotator=1),)


def corpus(gold: list[Block] = GOLD, overlaps: Any = "error", **systems: Any) -> Corpus:
    return Corpus(SOURCE, (), systems or {"one": TEXT, "two": SOURCE}, gold, overlaps=overlaps)


def test_ceiling_is_the_score_of_the_golds_text() -> None:
    with pytest.warns(GecevalWarning, match="the ceiling of .* is ERRANT 50.00"):
        results = evaluate(corpus(text=TEXT), [Errant()])
    score = results["text"][0].score()
    assert score.value == score.ceiling == score.ceilings["0"] == 0.5
    assert Score(**json.loads(json.dumps(score.to_dict()))) == score


def test_each_annotators_text_is_scored_against_the_whole_gold() -> None:
    gold = [Block(SOURCE[0], EDITS[0] + OTHER), *GOLD[1:]]
    score = evaluate(corpus(gold, text=SOURCE), [Errant()])["text"][0].score()
    # The text of annotator 1 lacks a line in the second sentence, where it has the first annotator's correction.
    assert score.ceilings == {"0": 1.0, "1": 1.0}
    assert (score.value, score.ceiling) == (0.0, 1.0)


def test_ceiling_of_very_many_annotators_is_unknown() -> None:
    """The text of each annotator would be compared with the edits of all."""
    edits = tuple(Edit(1, 2, "R:VERB:SVA", ("goes",), annotator=number) for number in range(MOST_ANNOTATORS + 1))
    gold = [Block(SOURCE[0], edits), *GOLD[1:]]
    message = "the ceiling of ERRANT is unknown, since the gold has 101 annotators, more than 100"
    with pytest.warns(GecevalWarning, match=message) as caught:
        score = evaluate(corpus(gold, text=TEXT), [Errant(), Green()])["text"][0].score()
    assert score.ceiling is None
    assert [str(warning.message.hint) for warning in caught if message in str(warning.message)] == [
        'gold_edits="reannotated"'
    ]
    fewer = [Block(SOURCE[0], edits[:-1]), *GOLD[1:]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert evaluate(corpus(fewer, text=TEXT), [Errant()])["text"][0].score().ceiling is not None


@pytest.mark.filterwarnings("ignore:the ceiling of")
def test_every_metric_on_edits_has_it() -> None:
    """Of the package or of another: the contract says that it compares edits."""
    kinds = [METRICS[name] for name in METRICS.names() if METRICS[name].about.extra is None]
    metrics = [metric for metric in (kind() for kind in kinds) if metric.matches_edits]
    assert {metric.name for metric in metrics} >= {"errant", "cleme", "cleme2", "goto"}
    for metric in metrics:
        for score in (result.score() for result in (row[0] for row in evaluate(corpus(), [metric]).values())):
            assert score.ceiling is not None, metric
            assert list(score.ceilings) == ["0"]


@pytest.mark.parametrize("metric", [Green(), MaxMatch()])
def test_metrics_that_find_no_edits_in_text_have_none(metric: Green | MaxMatch) -> None:
    score = evaluate(corpus(), [metric])["one"][0].score()
    assert score.ceiling is None
    assert "ceiling" not in score.to_dict()


def test_systems_given_as_edits_have_none() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = evaluate(corpus(edits=GOLD), [Errant()])
    assert results["edits"][0].score().value == 1.0
    assert results["edits"][0].score().ceiling is None
    assert not has_ceiling(corpus(edits=GOLD), Errant(), "edits")


def test_no_checks_leave_it_out() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evaluate(corpus(), [Errant()], checks=False)["one"][0].score().ceiling is None


@pytest.mark.parametrize("block", [None, 1])
def test_overlapping_gold_edits_have_an_unknown_ceiling(block: int | None) -> None:
    """Also if they are in a later part, after others were counted."""
    gold = [*GOLD[:2], Block(SOURCE[2], (Edit(0, 2, "R:OTHER", ("He",)), Edit(1, 2, "R:OTHER", ("went",))))]
    with pytest.warns(GecevalWarning, match="the ceiling of ERRANT is unknown.*overlaps"):
        assert evaluate(corpus(gold, None), [Errant()], block=block)["one"][0].score().ceiling is None
    with pytest.warns(GecevalWarning, match="the ceiling of .* is ERRANT"):
        assert evaluate(corpus(gold, "first"), [Errant()], block=block)["one"][0].score().ceiling


@pytest.mark.filterwarnings("ignore:the ceiling of")
@settings(max_examples=examples(20))
@given(
    st.lists(st.sampled_from(SOURCE + TEXT), min_size=3, max_size=3),
    st.sampled_from([None, 1, 2]),
    st.permutations([Errant(), Cleme(), Goto(), Green(), Errant(beta=1)]),
)
def test_no_score_depends_on_the_ceiling(lines: list[str], block: int | None, metrics: list[Any]) -> None:
    """The pool of GoTo, the constant of CLEME and the order of the metrics are the systems' alone."""
    two_systems = corpus(one=TEXT, two=lines)
    checked, unchecked = (evaluate(two_systems, metrics, block=block, checks=checks) for checks in (True, False))
    for name, row in unchecked.items():
        for result, expected in zip(checked[name], row, strict=True):
            assert result.score().value == expected.score().value
            assert result.signature() == expected.signature()
    at_once = evaluate(two_systems, metrics, checks=True)
    for result, expected in zip(checked["one"], at_once["one"], strict=True):
        assert result.score().ceilings == pytest.approx(expected.score().ceilings)


def test_stream_and_progress_are_of_the_systems_alone() -> None:
    steps: list[int] = []
    run = Run(corpus(), [Errant(), Cleme()], RunOptions(progress=steps.append, checks=True))
    with pytest.warns(GecevalWarning, match="ceiling"):
        rows = list(run.stream())
    assert {name for _, name, _, _ in rows} == {"one", "two"}
    assert sum(steps) == run.work
    assert {metric.name for metric in run.ceilings} == {"errant", "cleme"}
    assert pickle.loads(pickle.dumps(run.ceilings[Errant()]["0"])).score().value == 0.5


@pytest.mark.filterwarnings("ignore:the ceiling of", "ignore:only 3 sentences")
def test_comparisons_and_rankings_have_it() -> None:
    compared = compare(corpus(one=TEXT, two=SOURCE, edits=GOLD, same=GOLD), [Errant()], samples=200)
    assert compared["errant"].ceiling == 0.5
    assert [score.ceiling for score in compared.systems] == [0.5, 0.5, None, None]
    ranked = rank(corpus(), [Errant()], samples=50)
    assert ranked.ceilings == {"errant": {"0": 0.5}}


# --- gold edits that are found again ---


def test_reannotated_gold_is_the_text_of_each_annotator() -> None:
    """A sentence without a line of an annotator lacks this reference."""
    gold = [Block(SOURCE[0], EDITS[0] + OTHER), Block(SOURCE[1], (replace(EDITS[1][0], annotator=2),)), *GOLD[2:]]
    texts = [[TEXT[0], None, TEXT[2]], [TEXT[0], None, None], [None, TEXT[1], None]]
    systems: dict[str, Any] = {"one": TEXT, "two": SOURCE}
    reannotated = Corpus(SOURCE, (), systems, gold, gold_edits="reannotated")
    same = Corpus(SOURCE, texts, systems)
    metrics = [Errant(), Errant(beta=1), Cleme(), Cleme2(), Goto(weights="none", ref_id=2)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = evaluate(reannotated, [*metrics, MaxMatch(), Green()])
    for name, row in evaluate(same, metrics[:-1]).items():
        for result, result_of_gold in zip(row, results[name], strict=False):
            assert result_of_gold.score().value == result.score().value
            assert result_of_gold.score().ceiling is None
            assert "|refs:1-2(reannotated)|" in result_of_gold.signature()
    assert results["one"][4].score().parts["recall"] == 1
    assert "|refs:1-2(gold)|" in results["one"][5].signature()
    assert "|refs:3(fallback)|" in results["one"][6].signature()


def test_gold_edits_are_as_given_or_reannotated(snapshot: SnapshotAssertion) -> None:
    assert message_of(Corpus, SOURCE, (), {}, GOLD, gold_edits="found") == snapshot


def test_edits_given_beside_found_gold_edits_are_warned_of() -> None:
    with pytest.warns(GecevalWarning, match="its edits are found in its text, but edits are given as M2"):
        evaluate(replace(corpus(edits=GOLD), gold_edits="reannotated"), [Errant()])


def test_commands_and_signatures_have_the_option(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    gold, system = write(tmp_path / "gold.m2", m2_text(GOLD)), write(tmp_path / "one.txt", "\n".join(TEXT) + "\n")
    files = ["--gold", str(gold), "-c", str(system)]
    completed = run_main("score", *files, "-m", "errant", "--gold-edits", "reannotated")
    assert (completed.status, completed.err) == (0, "")
    assert "one      100.00" in completed.out
    signature = next(line for line in completed.out.split("\n") if line.startswith("ERRANT|"))
    assert "|refs:1(reannotated)|" in signature
    assert run_main(*["score", *files[2:], "--gold-edits", "reannotated"]).err == snapshot
    chunks = run_main("annotate", *files, "-f", "chunks", "--gold-edits", "reannotated").out
    assert "goes" in chunks
    assert "She goes" not in chunks.replace(" ", "  ")


# --- systems given as M2 and as text ---


@pytest.mark.filterwarnings("ignore:the ceiling of", "ignore:only 3 sentences")
def test_forms_are_ranked_apart() -> None:
    mixed = corpus(one=TEXT, two=SOURCE, edits=GOLD, same=GOLD)
    compared = compare(mixed, [Errant(), Green()], samples=240)
    assert compared["errant"].forms == {"one": "text", "two": "text", "edits": "M2", "same": "M2"}
    assert compared["green"].forms == {}
    tested = {frozenset((pair.a, pair.b)) for pair in compared["errant"].pairs}
    assert tested == {frozenset(("one", "two")), frozenset(("edits", "same"))}
    assert len(compared["green"].pairs) == 6
    assert [score.system for score in compared["errant"].best_first] == ["edits", "same", "one", "two"]
    against = compare(mixed, [Errant()], baseline="edits", samples=200)
    assert len(against.pairs) == 3
    assert any(text.startswith("baseline edits and some systems have different forms") for text in against.warnings)
    ranked = rank(mixed, [Green()], samples=50)
    assert ranked.forms == {}


@pytest.fixture
def mixed(tmp_path: Path) -> list[str]:
    """Return the options of a run with two systems given as M2 and two as text."""
    for name, lines in (("one", TEXT), ("two", SOURCE)):
        write(tmp_path / f"{name}.txt", "\n".join(lines) + "\n")
    for name, blocks in (("gold", GOLD), ("edits", GOLD), ("none", [Block(line, ()) for line in SOURCE])):
        write(tmp_path / f"{name}.m2", m2_text(blocks))
    systems = [str(tmp_path / name) for name in ("one.txt", "edits.m2", "two.txt", "none.m2")]
    return ["--gold", str(tmp_path / "gold.m2"), "-m", "errant", "green", "-c", *systems]


MIXED = "given as M2: edits, none; as text: one, two; ranked separately for ERRANT"
CEILING = "ceiling (corrected text of the gold, of the best annotator): ERRANT 50.00"


def test_a_record_names_no_file_of_the_package(mixed: list[str], tmp_path: Path) -> None:
    """The annotators that are compared read tables of languages."""
    record = tmp_path / "run.json"
    shipped.cache_clear()
    assert run_main("score", *mixed, "--language", "de", "--record", str(record), "-q").status == 0
    paths = [Path(path).name for path in json.loads(record.read_text("utf-8"))["inputs"]]
    assert sorted(paths) == sorted(Path(path).name for path in [mixed[1], *mixed[-4:]])


def test_tables_say_and_mark_the_best_of_each_form(mixed: list[str]) -> None:
    latex = run_main("score", *mixed, "-f", "latex").out
    assert r"one & \phantom{0}\textbf{50.00} & \textbf{" in latex
    assert r"edits & \textbf{100.00} & \textbf{" in latex
    assert r"two & \phantom{00}0.00 &" in latex
    for command in ("score", "compare", "rank"):
        table = run_main(command, *mixed)
        assert MIXED in table.out.partition("50.00")[0]
        assert CEILING in table.out
        assert "warning: the ceiling of text against these gold edits is ERRANT 50.00" in table.err


def test_the_only_ones_of_their_form_are_not_ranked(mixed: list[str]) -> None:
    pair = run_main(*["rank", *mixed[:-2]])
    assert pair.status == 2
    assert "ERRANT ranks systems with M2 and text separately" in pair.err
    three = run_main(*["rank", *mixed[:-1]]).out
    assert "given as M2: edits; as text: one, two; ranked separately for ERRANT (edits: not ranked" in three
    assert "edits" not in three.partition("system ")[2].partition("ceiling")[0]


def test_suites_rank_each_form_apart(mixed: list[str], tmp_path: Path) -> None:
    for path in map(Path, mixed[-4:]):
        (tmp_path / "out" / path.stem).mkdir(parents=True)
        path.rename(tmp_path / "out" / path.stem / f"set{path.suffix}")
    suite = write(tmp_path / "suite.toml", '[sets.set]\ngold = "gold.m2"\nmetrics = ["errant"]\n')
    command = ["suite", str(suite), "-c", str(tmp_path / "out")]
    table = run_main(*command)
    assert f"set: {MIXED}" in table.out.partition("50.00")[0]
    assert f"set: {CEILING}" in table.out
    [result] = json.loads(run_main(*command, "--gold-edits", "reannotated", "-f", "json").out)["sets"]
    assert result["comparison"]["ceilings"] == {}
    assert "refs:1(reannotated)" in result["comparison"]["signatures"]["errant"]


def test_the_page_of_a_report_says_both(mixed: list[str], tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    assert run_main("report", *mixed, "-o", str(tmp_path / "page.html"), "-q").status == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert MIXED in page.partition("<table")[0]
    assert CEILING in page


# --- suggestions ---

#: One suggestion for two edits of the annotator, and one that is an edit of it.
SUGGESTIONS = [
    {"start": 3, "end": 7, "replacement": "likes to", "rule": "SVA"},
    {"start": 4, "end": 8, "replacement": "has", "rule": "SVA"},
]


@pytest.fixture
def suggested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "source.txt", "He like play tennis .\nShe have time .\n")
    write(tmp_path / "ref.txt", "He likes to play tennis .\nShe has time .\n")
    write(tmp_path / "it.jsonl", "".join(json.dumps({"suggestions": [row]}) + "\n" for row in SUGGESTIONS))
    return ["score", "-s", "source.txt", "-r", "ref.txt", "-m", "errant", "green", "-f", "csv"]


def test_suggestions_with_the_text_of_the_reference_are_warned_of(suggested: list[str]) -> None:
    result = run_main(*suggested, "-c", "it.jsonl")
    assert result.out == "system,ERRANT,GREEN\nit,45.45,100.00\n"
    assert result.err.startswith(
        "warning: system it: ERRANT 45.45 as suggestions, 100.00 as text: the suggestions have"
    )
    assert "--suggestions as-text scores the text" in result.err
    hinted = run_main(*suggested, "-c", "it.jsonl", "--suggestions", "as-text")
    assert (hinted.out, hinted.err) == ("system,ERRANT,GREEN\nit,100.00,100.00\n", "")


@pytest.mark.parametrize("options", ["-c text.txt", "-c it.m2", "-c it.jsonl --no-checks", "-c right.jsonl"])
def test_others_are_not(suggested: list[str], options: str) -> None:
    run_main("m2", "convert", "it.jsonl", "-s", "source.txt", "-o", "it.m2")
    write(Path("text.txt"), run_main("m2", "apply", "it.m2").out)
    write(Path("right.jsonl"), json.dumps({"suggestions": []}) + "\n" + json.dumps({"suggestions": SUGGESTIONS[1:]}))
    assert run_main(*suggested, *options.split()).err == ""


# --- which annotator made the gold ---


def test_the_annotator_that_made_the_gold_is_named() -> None:
    many = [block for block in GOLD[1:] for _ in range(3)]
    profile = closest_profile(Blocks.of(many))
    assert profile is not None
    assert (profile.annotator, profile.spans, profile.types) == ("builtin:3", 1.0, 1.0)
    assert closest_profile(Blocks.of([Block(line, ()) for line in SOURCE])) is None


def test_profiles_are_those_of_the_language() -> None:
    english = known_profiles(Blocks.of(GOLD).source)
    assert {"builtin:3", "builtin:2", "builtin:classic", "plain"} <= set(english)
    assert not {"de", "zh", "spacy:NAME"} & set(english)
    chinese = Blocks.of([Block("他 来 了 北 京 好 的 的", ())])
    assert known_profiles(chinese.source) == ["zh", "plain"]


def test_systems_may_have_the_names_of_ceilings() -> None:
    named = {"(gold) 0": TEXT, "(suggested) one": SOURCE}
    with pytest.warns(GecevalWarning, match="the ceiling of"):
        results = evaluate(corpus(**named), [Errant()])
    with pytest.warns(GecevalWarning, match="the ceiling of"):
        expected = evaluate(corpus(a=TEXT, b=SOURCE), [Errant()])
    values = [results[name][0].score() for name in named]
    assert [(score.value, score.ceilings) for score in values] == [
        (expected[name][0].score().value, expected[name][0].score().ceilings) for name in ("a", "b")
    ]
    assert values[0].value == 0.5
    assert "must not contain NUL" in message_of(Corpus, SOURCE, [TEXT], {"\0gold 0": TEXT})


def test_second_use_of_a_run_has_its_observations_only() -> None:
    run = Run(Corpus(SOURCE, [TEXT], {"one": [*SOURCE[:1], *TEXT[1:]]}), [Green()], RunOptions(threads=1, block=1))
    stream = run.stream()
    next(stream)  # the first sentence is unchanged
    stream.close()
    assert run.observed.uncorrected == {"one"}
    references = [TEXT, [None, TEXT[1], TEXT[2]]]
    object.__setattr__(run, "source", Corpus(SOURCE, references, {"one": TEXT}))
    for _ in run.stream():
        pass
    assert (run.observed.uncorrected, run.observed.texts) == (frozenset(), (1, 2))
    object.__setattr__(run, "source", Corpus(SOURCE, [TEXT], {"one": SOURCE}))
    for _ in run.stream():
        pass
    assert (set(run.observed.uncorrected), run.observed.texts) == ({"one"}, (1, 1))
