"""The metrics of a command: settings given with a metric, ``--judge``, and the default metrics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import UsageError
from geceval.base.hints import command_words
from geceval.commands.shared.options import MetricOptions, settings_of_judge
from geceval.counting.metric_names import parse_specs, spec_of
from support.commands import Run

SYSTEMS = ("-c", "systems/careful.txt", "systems/noisy.txt")
TEXTS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
GOLD = ("--gold", "gold.m2")


@given(st.dictionaries(st.sampled_from(["model", "weights", "cache"]), st.text("ab,:=/ .", min_size=1).map(str.strip)))
def test_specification_of_any_value_is_read_back(settings: dict[str, str]) -> None:
    assert parse_specs([spec_of("ptm2", settings)]) == [("ptm2", settings)]


def test_values_may_have_colons_and_quoted_commas() -> None:
    assert parse_specs(['green,llm:server=http://h:8/v1,model="a,b:c",errant:mode=ds', "gleu"]) == [
        ("green", {}),
        ("llm", {"server": "http://h:8/v1", "model": "a,b:c"}),
        ("errant", {"mode": "ds"}),
        ("gleu", {}),
    ]


@pytest.mark.parametrize(
    "spec", ["goto:weights=a,rest.txt", "errant:mode=ds,gren", 'goto:weights="a,b.txt', "mode=ds", "errant:ds"]
)
def test_malformed_specification_is_refused(spec: str, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as error:
        parse_specs([spec])
    assert (error.value.message, error.value.hint and command_words(error.value.hint)) == snapshot


@pytest.mark.parametrize(
    "judge", ["rate=fast", "rate=0", "sever=http://h/v1", "temperature=1", "http://localhost:8000/v1"]
)
def test_invalid_judge_option_is_refused(judge: str, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as error:
        MetricOptions(judge=(judge,))
    assert (error.value.message, error.value.hint and command_words(error.value.hint)) == snapshot


def test_judge_option_is_typed_and_the_last_value_counts() -> None:
    words = ['server=http://h:8000/v1,cache="a,b.jsonl",rate=6', "rate=7", "concurrency=2"]
    assert settings_of_judge(words) == {
        "server": "http://h:8000/v1",
        "cache": "a,b.jsonl",
        "rate": 7.0,
        "concurrency": 2,
    }


@pytest.mark.usefixtures("examples")
def test_value_with_a_comma_names_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "some, more.txt"
    assert run("m2", "weights", *GOLD, "-c", "confident.m2", "-o", path).status == 0
    result = run("score", *GOLD, *SYSTEMS, "-m", f'goto:weights="{path}",beta=2')
    assert result.status == 0
    assert "|beta:2|" in result.out
    assert "|weights:some, more.txt@" in result.out


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("command", ["compare", "rank", "report", "show", "explain --sentence 1", "score"])
def test_judge_without_a_judged_metric_is_refused(command: str, run: Run) -> None:
    refused = run(*command.split(), *TEXTS, *SYSTEMS, "-m", "green", "--judge", "rate=9")
    assert (refused.status, refused.out) == (2, "")
    assert "--judge: none of the metrics uses a judge" in refused.err


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("evidence", "metrics"),
    [
        (TEXTS, ["errant", "green", "gleu"]),
        (GOLD, ["errant", "maxmatch"]),
        ((*TEXTS, *GOLD), ["errant", "maxmatch", "green", "gleu"]),
    ],
)
def test_default_metrics_fit_the_evidence(evidence: tuple[str, ...], metrics: list[str], run: Run) -> None:
    options = (*evidence, *SYSTEMS, "-f", "json")
    results = json.loads(run("score", *options).out)["results"]
    assert list(dict.fromkeys(result["metric"] for result in results)) == metrics
    for command in ("compare", "rank", "show"):
        result = run(command, *options)
        assert (result.status, result.out) == (0, run(command, *options, "-m", *metrics).out)


@pytest.mark.usefixtures("examples")
def test_no_default_metric_without_evidence(run: Run) -> None:
    for command in ("score", "compare", "rank", "report", "show"):
        refused = run(command, "-s", "source.txt", *SYSTEMS)
        assert refused.status == 2
        assert "references, gold edits or metrics are required" in refused.err


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(("evidence", "metrics"), [(TEXTS, ["errant"]), (GOLD, ["errant", "maxmatch"])])
def test_default_metrics_by_type_are_metrics_on_edits(
    command: str, evidence: tuple[str, ...], metrics: list[str], run: Run
) -> None:
    options = (*evidence, *SYSTEMS, "--by", "type", "-f", "json")
    assert run(command, *options).out == run(command, *options, "-m", *metrics).out


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("command", ["score", "compare"])
def test_record_keeps_the_default_metrics(command: str, run: Run, tmp_path: Path) -> None:
    record = tmp_path / "run.json"
    assert run(command, *TEXTS, *SYSTEMS, "--record", record).status == 0
    arguments = json.loads(record.read_text(encoding="utf-8"))["arguments"]
    assert arguments[-3:] == ["--metrics=errant", "--metrics=green", "--metrics=gleu"]
    assert run("reproduce", record, "--allow-outside").status == 0


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("metric", ["errant", "net-benefit", "maxmatch", "cleme", "cleme2"])
def test_file_of_valid_edits_is_refused_with_what_replaces_it(run: Run, metric: str) -> None:
    refused = run("score", *GOLD, *SYSTEMS, "-m", f"{metric}:valid=more edits.m2")
    assert (refused.status, refused.out) == (2, "")
    assert f"{metric} has no setting 'valid'" in refused.err
    assert "add an annotator to the M2 of --gold" in refused.err
