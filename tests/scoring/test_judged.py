"""``geceval score`` with a judge: a server on this machine, what is paid for kept, the source beside the systems."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.commands import Run
from support.judges import KEY, Loopback, Reaction, answered

SYSTEMS = ("systems/careful.txt", "systems/eager.txt", "systems/noisy.txt")
DATA = ("-s", "source.txt", "-c", *SYSTEMS)


def asked(there: Loopback, *more: object) -> tuple[object, ...]:
    return ("score", *DATA, "-m", "llm:model=m", "--judge", f"server={there.base_url}", *more)


def test_a_table_with_the_source_beside_the_systems(there: Loopback, run: Run) -> None:
    found = run(*asked(there))
    assert (found.status, found.err) == (0, "")
    rows = [line.split() for line in found.out.splitlines()]
    assert [row[0] for row in rows[2:6]] == ["careful", "eager", "noisy", "(source)"]
    assert "(source): score of the uncorrected text; not a system" in found.out
    assert "|pool:(source)+careful+eager+noisy|" in found.out
    assert KEY not in found.out
    again = run(*asked(there))
    assert again.out == found.out
    assert len(there.requests) == 40  # all of them in the first run


def test_the_guard_stands_in_every_format_and_can_be_turned_off(there: Loopback, run: Run) -> None:
    for output in ("csv", "tsv", "markdown", "latex"):
        assert "(source)" in run(*asked(there, "-f", output)).out
    streamed = [("--level", "sentence", "-f", output) for output in ("tsv", "csv", "jsonl")]
    for more in (("--level", "sentence"), *streamed, ("--level", "mean"), ("--group", "length"), ("-v",)):
        assert "(source)" in run(*asked(there, *more)).out
    results = json.loads(run(*asked(there, "-f", "json")).out)["results"]
    assert [(result["system"], result.get("guard", False)) for result in results] == [
        ("careful", False),
        ("eager", False),
        ("noisy", False),
        ("(source)", True),
    ]
    without = json.loads(run(*asked(there, "-f", "json", "--no-guard")).out)["results"]
    assert without == results[:3]
    assert len(there.requests) == 40
    assert "(source)" not in run("score", *DATA, "-r", "ref0.txt", "-m", "green").out
    beside = run("score", *DATA, "-r", "ref0.txt", "-m", "green", f"llm:model=m,server={there.base_url}")
    assert "(source)" in beside.out


def test_settings_name_the_server_too(there: Loopback, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run(*asked(there))
    one = run("score", *DATA, "-m", f"llm:model=m,server={there.base_url}")
    other = run("score", *DATA, "-m", f"llm:server={there.base_url},model=m")
    monkeypatch.setenv("GECEVAL_BASE_URL", there.base_url)
    third = run("score", *DATA, "-m", "llm:model=m")
    assert plain.out == one.out == other.out == third.out
    assert len(there.requests) == 40


def test_a_dry_run_sends_nothing_and_counts_what_is_left(there: Loopback, run: Run) -> None:
    prices = ("--judge", "price_prompt=0.15,price_answer=0.6")
    [plan] = json.loads(run("score", *DATA, "-m", "llm:model=m", "--dry-run", "-f", "json", *prices).out)["plans"]
    assert (plan["questions"], plan["kept"], plan["answer_tokens"]) == (40, 0, 40 * 300)
    assert plan["counted_by"] == "upper bound: number of bytes"
    assert plan["cost"] == pytest.approx((plan["prompt_tokens"] * 0.15 + 12_000 * 0.6) / 1e6)
    assert not there.requests
    run(*asked(there))
    sent = sum(len(message["content"].encode()) for request in there.requests for message in request["messages"])
    assert plan["prompt_tokens"] == sent + 40 * 32
    table = run(*asked(there, "--dry-run", *prices, "-m", "llm:model=m,prompt=edits")).out
    assert [line.split()[:4] for line in table.splitlines()[2:4]] == [
        ["LLM-S", "m", "40", "40"],
        ["LLM-E", "m", "40", "0"],
    ]
    assert "nothing was sent" in table
    assert len(there.requests) == 40
    refused = run("score", *DATA, "-r", "ref0.txt", "-m", "green", "--dry-run")
    assert refused.status == 2
    assert "none of the metrics uses a judge" in refused.err


def test_no_more_than_allowed_is_spent(there: Loopback, run: Run) -> None:
    there.react = lambda number, request: Reaction(body=None)
    prices = ("--judge", "price_prompt=100,price_answer=100")
    found = run(*asked(there, *prices, "--judge", "max_cost=0.5,concurrency=1"))
    assert found.status == 2
    assert "the next request may cost 0.1" in found.err
    assert found.out == ""
    plan = run(*asked(there, *prices, "--dry-run")).out
    spent = len(there.requests)
    assert plan.splitlines()[2].split()[3] == str(spent)
    assert 0 < spent < 40
    assert spent * 110 * 100 / 1e6 <= 0.5
    found = run(*asked(there, "--judge", "price_prompt=100,price_answer=200,max_cost=50"))
    assert f"{40 - spent} answers for {(40 - spent) * (100 * 100 + 10 * 200) / 1e6:.4f}" in found.err
    assert len(there.requests) == 40
    assert run(*asked(there, "--judge", "max_cost=1")).status == 2


def test_unread_answers_are_told_of(there: Loopback, run: Run) -> None:
    there.react = lambda number, request: Reaction(body=answered("I cannot grade that."))
    found = run(*asked(there, "-v"))
    assert found.status == 0
    assert "warning: 40 of 40 questions have no readable answer after 3 tries each" in found.err
    assert "not JSON: I cannot grade that." in found.err
    assert "100.00" in found.out  # unread
    assert len(there.requests) == 120
    refused = run("score", *DATA, "-m", f"llm:refuse_unread=yes,model=m,server={there.base_url}")
    assert refused.status == 2
    assert len(there.requests) == 120


@pytest.mark.parametrize(("number", "lost"), [(signal.SIGINT, 0), (signal.SIGKILL, 2)])
def test_an_interrupted_run_sends_only_the_remaining_requests_when_repeated(
    there: Loopback, run: Run, tmp_path: Path, number: int, lost: int
) -> None:
    for name, verb in {"source": "go", "corrected": "goes"}.items():
        (tmp_path / name).write_text("".join(f"He {verb} home {line} .\n" for line in range(200)))
    there.react = lambda number, request: Reaction(delay=0.02)

    def asked_with(cache: Path) -> tuple[object, ...]:
        data = ("-s", tmp_path / "source", "-c", tmp_path / "corrected", "-m", "llm:model=m")
        return ("score", *data, "--judge", f"server={there.base_url},cache={cache},concurrency=2")

    path = tmp_path / "own.sqlite"
    command = [sys.executable, "-m", "geceval", *map(str, asked_with(path))]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while len(there.requests) < 60 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(number)
        _, err = process.communicate()
    assert b"Traceback" not in err
    time.sleep(0.1)
    sent = len(there.requests)
    connection = sqlite3.connect(path)
    [(stored,)] = connection.execute("SELECT count(*) FROM answers")
    connection.close()
    assert 50 < sent - lost <= stored <= sent < 200
    found = run(*asked_with(path))
    assert found.status == 0
    assert len(there.requests) == sent + 200 - stored
    assert found.out == run(*asked_with(tmp_path / "other.sqlite")).out
    assert KEY.encode() not in path.read_bytes()


def test_errors_are_for_people(there: Loopback, run: Run, tmp_path: Path) -> None:
    for arguments, message in [
        (("score", *DATA, "-m", "llm"), "llm needs a language model"),
        (("score", *DATA, "-m", "llm:model=m"), "llm: m is not a folder, and no server is given"),
        (("score", *DATA, "-m", "llm:model=m,server=localhost:80"), "the server is not a valid address"),
        (("score", *DATA, "-m", "llm:prompt=word"), "prompt is one of sentence, edits"),
        (asked(there, "--judge", "cache=source.txt"), "source.txt: not a cache file (SQLite)"),
    ]:
        found = run(*arguments)
        assert found.status == 2
        assert message in found.err
        assert "Traceback" not in found.err
    there.react = lambda number, request: Reaction(401, body=f'{{"error": "wrong key {KEY}"}}')
    found = run(*asked(there))
    assert found.status == 2
    assert "status 401" in found.err
    assert "GECEVAL_API_KEY" in found.err
    assert KEY not in found.err


def test_dsgram_is_shown_as_it_is(there: Loopback, run: Run) -> None:
    found = run("score", *DATA, "-m", f"dsgram:model=m,server={there.base_url}", "-d", "1")
    rows = {line.split()[0]: float(line.split()[1]) for line in found.out.splitlines()[2:6]}
    assert set(rows) == {"careful", "eager", "noisy", "(source)"}
    assert all(1 <= value <= 10 for value in rows.values())


def test_systems_are_compared_by_a_judge(there: Loopback, run: Run) -> None:
    asked_there = ("-m", "llm:model=m", "--judge", f"server={there.base_url}")
    scored = json.loads(run("score", *DATA, *asked_there, "-f", "json").out)["results"]
    found = run("compare", *DATA, *asked_there, "--test", "bootstrap", "--samples", "60", "-f", "json")
    assert found.status == 0
    compared = json.loads(found.out)["systems"]
    assert {one["system"]: one["value"] for one in compared} == {one["system"]: one["value"] for one in scored}
