"""``geceval score`` with a judge: a local server, cached answers, and a row of the source."""

from __future__ import annotations

import json

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run
from support.judges import KEY, Loopback, Reaction, answered

SYSTEMS = ("systems/careful.txt", "systems/eager.txt", "systems/noisy.txt")
DATA = ("-s", "source.txt", "-c", *SYSTEMS)


def judged(there: Loopback, *options: object) -> tuple[object, ...]:
    return ("score", *DATA, "-m", "llm:model=m", "--judge", f"server={there.base_url}", *options)


def test_table_has_a_row_of_the_source_and_answers_are_cached(there: Loopback, run: Run) -> None:
    result = run(*judged(there))
    assert (result.status, result.err) == (0, "")
    rows = [line.split() for line in result.out.splitlines()]
    assert [row[0] for row in rows[2:6]] == ["careful", "eager", "noisy", "(source)"]
    assert "(source): score of the uncorrected text; not a system" in result.out
    assert "|pool:(source)+careful+eager+noisy|" in result.out
    assert KEY not in result.out
    repeated = run(*judged(there))
    assert repeated.out == result.out
    assert len(there.requests) == 40  # all of them in the first run


def test_source_is_scored_in_every_format_unless_switched_off(there: Loopback, run: Run) -> None:
    for output in ("csv", "tsv", "markdown", "latex"):
        assert "(source)" in run(*judged(there, "-f", output)).out
    streamed = [("--level", "sentence", "-f", output) for output in ("tsv", "csv", "jsonl")]
    for options in (("--level", "sentence"), *streamed, ("--level", "mean"), ("--group", "length"), ("-v",)):
        assert "(source)" in run(*judged(there, *options)).out
    results = json.loads(run(*judged(there, "-f", "json")).out)["results"]
    assert [(result["system"], result.get("guard", False)) for result in results] == [
        ("careful", False),
        ("eager", False),
        ("noisy", False),
        ("(source)", True),
    ]
    unguarded = json.loads(run(*judged(there, "-f", "json", "--no-guard")).out)["results"]
    assert unguarded == results[:3]
    assert len(there.requests) == 40
    assert "(source)" not in run("score", *DATA, "-r", "ref0.txt", "-m", "green").out
    mixed = run("score", *DATA, "-r", "ref0.txt", "-m", "green", f"llm:model=m,server={there.base_url}")
    assert "(source)" in mixed.out


def test_server_is_an_option_a_setting_or_of_the_environment(
    there: Loopback, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_option = run(*judged(there))
    by_setting = run("score", *DATA, "-m", f"llm:model=m,server={there.base_url}")
    server_first = run("score", *DATA, "-m", f"llm:server={there.base_url},model=m")
    monkeypatch.setenv("GECEVAL_BASE_URL", there.base_url)
    by_environment = run("score", *DATA, "-m", "llm:model=m")
    assert by_option.out == by_setting.out == server_first.out == by_environment.out
    assert len(there.requests) == 40


def test_dry_run_counts_the_remaining_requests_and_sends_none(there: Loopback, run: Run) -> None:
    prices = ("--judge", "price_prompt=0.15,price_answer=0.6")
    [plan] = json.loads(run("score", *DATA, "-m", "llm:model=m", "--dry-run", "-f", "json", *prices).out)["plans"]
    assert (plan["questions"], plan["kept"], plan["answer_tokens"]) == (40, 0, 40 * 300)
    assert plan["counted_by"] == "upper bound: number of bytes"
    assert plan["cost"] == pytest.approx((plan["prompt_tokens"] * 0.15 + 12_000 * 0.6) / 1e6)
    assert not there.requests
    run(*judged(there))
    sent = sum(len(message["content"].encode()) for request in there.requests for message in request["messages"])
    assert plan["prompt_tokens"] == sent + 40 * 32
    table = run(*judged(there, "--dry-run", *prices, "-m", "llm:model=m,prompt=edits")).out
    assert [line.split()[:4] for line in table.splitlines()[2:4]] == [
        ["LLM-S", "m", "40", "40"],
        ["LLM-E", "m", "40", "0"],
    ]
    assert "nothing was sent" in table
    assert len(there.requests) == 40
    refused = run("score", *DATA, "-r", "ref0.txt", "-m", "green", "--dry-run")
    assert refused.status == 2
    assert "none of the metrics uses a judge" in refused.err


def test_run_stops_before_it_exceeds_its_maximal_cost(there: Loopback, run: Run) -> None:
    there.react = lambda number, request: Reaction(body=None)
    prices = ("--judge", "price_prompt=100,price_answer=100")
    result = run(*judged(there, *prices, "--judge", "max_cost=0.5,concurrency=1"))
    assert result.status == 2
    assert "the next request may cost 0.1" in result.err
    assert result.out == ""
    plan = run(*judged(there, *prices, "--dry-run")).out
    spent = len(there.requests)
    assert plan.splitlines()[2].split()[3] == str(spent)
    assert 0 < spent < 40
    assert spent * 110 * 100 / 1e6 <= 0.5
    result = run(*judged(there, "--judge", "price_prompt=100,price_answer=200,max_cost=50"))
    assert f"{40 - spent} answers for {(40 - spent) * (100 * 100 + 10 * 200) / 1e6:.4f}" in result.err
    assert len(there.requests) == 40
    assert run(*judged(there, "--judge", "max_cost=1")).status == 2


def test_unreadable_answers_are_a_warning_or_refused(there: Loopback, run: Run) -> None:
    there.react = lambda number, request: Reaction(body=answered("I cannot grade that."))
    result = run(*judged(there, "-v"))
    assert result.status == 0
    assert "warning: 40 of 40 questions have no readable answer after 3 tries each" in result.err
    assert "not JSON: I cannot grade that." in result.err
    assert "100.00" in result.out  # unread
    assert len(there.requests) == 120
    refused = run("score", *DATA, "-m", f"llm:refuse_unread=yes,model=m,server={there.base_url}")
    assert refused.status == 2
    assert len(there.requests) == 120


@pytest.mark.parametrize(
    "options", ["-m llm", "-m llm:model=m", "-m llm:model=m,server=localhost:80", "-m llm:prompt=word"]
)
def test_judge_without_a_valid_model_or_server_is_refused(
    there: Loopback, run: Run, options: str, snapshot: SnapshotAssertion
) -> None:
    assert run("score", *DATA, *options.split()) == snapshot


def test_errors_of_cache_and_server_do_not_contain_the_key(there: Loopback, run: Run) -> None:
    refused = run(*judged(there, "--judge", "cache=source.txt"))
    assert (refused.status, "source.txt: not a cache file (SQLite)" in refused.err) == (2, True)
    there.react = lambda number, request: Reaction(401, body=f'{{"error": "wrong key {KEY}"}}')
    refused = run(*judged(there))
    assert refused.status == 2
    assert "status 401" in refused.err
    assert "GECEVAL_API_KEY" in refused.err
    assert KEY not in refused.err


def test_dsgram_scores_are_not_in_percent(there: Loopback, run: Run) -> None:
    result = run("score", *DATA, "-m", f"dsgram:model=m,server={there.base_url}", "-d", "1")
    rows = {line.split()[0]: float(line.split()[1]) for line in result.out.splitlines()[2:6]}
    assert set(rows) == {"careful", "eager", "noisy", "(source)"}
    assert all(1 <= value <= 10 for value in rows.values())


def test_scores_of_a_comparison_by_a_judge_are_those_of_score(there: Loopback, run: Run) -> None:
    options = ("-m", "llm:model=m", "--judge", f"server={there.base_url}")
    scored = json.loads(run("score", *DATA, *options, "-f", "json").out)["results"]
    result = run("compare", *DATA, *options, "--test", "bootstrap", "--samples", "60", "-f", "json")
    assert result.status == 0
    compared = json.loads(result.out)["systems"]
    assert {row["system"]: row["value"] for row in compared} == {row["system"]: row["value"] for row in scored}
