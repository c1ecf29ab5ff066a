"""``geceval m2 propose`` with a judge on a local server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from geceval import m2
from support.commands import Run
from support.judges import KEY, Loopback, Reaction, answered, data_of

DATA = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/eager.txt", "systems/noisy.txt")


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, examples: Path) -> None:
    """A copy of the examples, to write into."""
    monkeypatch.chdir(shutil.copytree(examples, tmp_path / "examples"))


def propose(there: Loopback, *options: object) -> tuple[object, ...]:
    return ("m2", "propose", *DATA, "--model", "m", "--judge", f"server={there.base_url}", *options)


def precision(run: Run, *metrics: object) -> list[float]:
    """Return the precision of ERRANT for each system and column."""
    result = run("score", *DATA, "-m", "errant", *metrics, "-f", "json", "-q")
    return [row["parts"]["precision"] for row in json.loads(result.out)["results"]]


def test_false_positives_alone_are_judged_with_the_references_in_view(there: Loopback, run: Run) -> None:
    result = run(*propose(there, "--least", "0", "-o", "all.m2"))
    assert result.status == 0
    assert KEY not in result.err
    references = list(
        zip(*(Path(name).read_text("utf-8").splitlines() for name in ("ref0.txt", "ref1.txt")), strict=True)
    )
    sources = Path("source.txt").read_text("utf-8").splitlines()
    judged = 0
    for request in there.requests:
        data = data_of(request["messages"][1]["content"])
        assert set(data["references"]) == set(references[sources.index(data["source"])])
        changes = [change for key, change in data.items() if key.startswith("change_")]
        assert all(change["sentence"] not in data["references"] for change in changes)
        judged += len(changes)
    scored = json.loads(run("score", *DATA, "-m", "errant", "-f", "json", "-q").out)["results"]
    assert judged <= sum(row["totals"]["fp"] for row in scored)
    assert f"{judged} of {judged} false positives have a confidence of 0 or more, by m@" in result.err
    assert precision(run, "errant:valid=all.m2")[1::2] == [1.0, 1.0]


def test_written_edits_have_their_confidence_and_are_marked_as_proposed(there: Loopback, run: Run) -> None:
    assert run(*propose(there, "--least", "60", "-o", "proposed.m2")).status == 0
    edits = [edit for block in m2.read("proposed.m2") for edit in block.edits]
    assert edits
    assert all(edit.required == "PROPOSED" and 0.6 <= float(edit.comment) <= 1 for edit in edits)
    with_all = precision(run, "errant:valid=proposed.m2")
    assert all(before < after < 1 for before, after in zip(with_all[::2], with_all[1::2], strict=True))
    assert run(*propose(there, "-o", "proposed.m2")).status == 0  # proposals may be made again
    Path("people.m2").write_text(Path("gold.m2").read_text("utf-8"))
    refused = run(*propose(there, "-o", "people.m2"))
    assert refused.status == 2
    assert "people.m2 has edits that no judge proposed" in refused.err


def test_repeated_run_and_dry_run_send_no_request(there: Loopback, run: Run) -> None:
    planned = run(*propose(there, "--dry-run", "--judge", "price_prompt=1,price_answer=1"))
    assert planned.status == 0
    assert not there.requests
    [row] = [line.split() for line in planned.out.splitlines() if line.startswith("m2 propose")]
    first = run(*propose(there))
    assert int(row[3]) == len(there.requests)
    assert run(*propose(there)).out == first.out
    assert int(row[3]) == len(there.requests)
    limited = run(*propose(there, "--judge", "price_prompt=100,price_answer=100,max_cost=0.0001,cache=new.jsonl"))
    assert limited.status == 2
    assert "max_cost=0.0001 is spent" in limited.err


def test_edits_that_people_accepted_are_not_judged_again(there: Loopback, run: Run) -> None:
    assert run(*propose(there, "--least", "0", "-o", "all.m2")).status == 0
    number = len(there.requests)
    repeated = run(*propose(there, "--valid", "all.m2"))
    assert (repeated.status, repeated.out, len(there.requests)) == (0, "", number)


@pytest.mark.parametrize("text", ['{"change_1": 101}', '{"change_1": "yes"}', "valid", '{"change_2": 50}'])
def test_unreadable_answers_propose_nothing(there: Loopback, run: Run, text: str) -> None:
    there.react = lambda number, request: Reaction(body=answered(text))
    result = run(*propose(there, "--least", "0"))
    assert (result.status, result.out) == (0, "")
    assert "have no readable answer after 3 tries each; their edits are not proposed" in result.err


def test_settings_of_requests_follow_the_model(there: Loopback, run: Run) -> None:
    line: list[Any] = ["m2", "propose", *DATA, "--judge", f"server={there.base_url}", "--model"]
    assert run(*line, "a/b:7b,structured=no,temperature=1").status == 0
    assert (there.requests[0]["model"], there.requests[0]["temperature"]) == ("a/b:7b", 1)
    assert "response_format" not in there.requests[0]
    assert "llm has no setting 'structure'" in run(*line, "m,structure=no").err
