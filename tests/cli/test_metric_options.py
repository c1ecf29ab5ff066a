"""The metrics of a command: settings given with a metric, ``--judge``, and the default metrics."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.base.errors import UsageError
from geceval.cli.options import MetricOptions, settings_of_judge
from geceval.counting.metric_names import parse_specs, spec_of
from support.commands import Run

SYSTEMS = ("-c", "systems/careful.txt", "systems/noisy.txt")
TEXTS = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt")
GOLD = ("--gold", "gold.m2")


@given(st.dictionaries(st.sampled_from(["model", "valid", "cache"]), st.text("ab,:=/ .", min_size=1).map(str.strip)))
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
    ("spec", "message", "hint"),
    [
        ("errant:valid=a,rest.txt", "unknown metric 'rest.txt'", "stands between double quotes"),
        ("errant:mode=ds,gren", "unknown metric 'gren'", "did you mean green?"),
        ('errant:valid="a,b.m2', "has a double quote that is not closed", "between double quotes"),
        ("mode=ds", "must follow a metric", None),
        ("errant:ds", "'errant:ds' is not a metric with settings", None),
    ],
)
def test_malformed_specification_is_refused(spec: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageError, match=message) as refusal:
        parse_specs([spec])
    assert hint is None or hint in str(refusal.value.hint)


@pytest.mark.parametrize(
    ("judge", "message", "hint"),
    [
        ("rate=fast", "--judge: rate takes a number or none, not 'fast'", None),
        ("rate=0", "--judge: rate is 0.0; it must be at least 0.001", None),
        ("sever=http://h/v1", "--judge has no 'sever': choose from server, cache", "did you mean server?"),
        ("temperature=1", "--judge has no 'temperature'", "settings of a metric: -m llm:temperature="),
        ("http://localhost:8000/v1", "--judge takes KEY=VALUE", "--judge server="),
    ],
)
def test_judge_option_is_checked(judge: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as refusal:
        MetricOptions(judge=(judge,))
    assert refusal.value.message.startswith(message)
    assert hint is None or hint in str(refusal.value.hint)


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
    named = tmp_path / "accepted, more.m2"
    shutil.copy("gold.m2", named)
    found = run("score", *GOLD, *SYSTEMS, "-m", f'errant:valid="{named}",beta=2')
    assert found.status == 0
    assert "|beta:2|" in found.out
    assert "|valid:accepted, more.m2@" in found.out


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("command", ["compare", "rank", "report", "show", "explain", "score"])
def test_judge_without_a_judged_metric_is_refused(command: str, run: Run) -> None:
    more = ("--sentence", "1") if command == "explain" else ()
    refused = run(command, *TEXTS, *SYSTEMS, *more, "-m", "green", "--judge", "rate=9")
    assert (refused.status, refused.out) == (2, "")
    assert "--judge: none of the metrics uses a judge" in refused.err


# --- default metrics ---


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
    scored = json.loads(run("score", *evidence, *SYSTEMS, "-f", "json").out)
    assert list(dict.fromkeys(result["metric"] for result in scored["results"])) == metrics
    for command in ("compare", "rank", "show"):
        found = run(command, *evidence, *SYSTEMS, "-f", "json")
        assert found.out == run(command, *evidence, *SYSTEMS, "-f", "json", "-m", *metrics).out
        assert found.status == 0


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
    assert run("reproduce", record).status == 0


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("command", ["score", "compare", "rank", "explain --sentence 1", "show"])
def test_accepted_edits_are_a_setting_of_the_metric_in_every_command(run: Run, command: str) -> None:
    name, *more = command.split()
    found = run(name, *GOLD, *SYSTEMS, "-m", "errant", "errant:valid=gold.m2", "-q", *more)
    assert found.status == 0, found.err
    assert "ERRANT valid=gold.m2" in found.out


@pytest.mark.usefixtures("examples")
def test_a_bar_is_about_the_score_with_accepted_edits(run: Run) -> None:
    bar = ("gate", *GOLD, "-c", "systems/eager.txt", "--fail-under", "errant:valid=gold.m2=0")
    assert run(*bar).out.count("|valid:gold.m2@") == 1
