"""Records: what two documents differ in."""

from __future__ import annotations

import copy
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from geceval.base.errors import InputError
from geceval.cli.run_records import differences, make_record, read_record, relative

DOCUMENT: dict[str, Any] = {
    "schema": "geceval/score@1",
    "version": "0.1.0",
    "source": "a.txt",
    "results": [
        {"system": "x", "metric": "green", "value": 0.5, "signature": "GREEN|n:4|v:0.1.0", "totals": {"tk": 3}},
        {"system": "y", "metric": "green", "value": None, "signature": "GREEN|n:4|v:0.1.0", "seconds_per_system": 2},
    ],
}


def changed(**values: Any) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    document["results"][0] |= values
    return document


def test_what_is_no_result_does_not_differ() -> None:
    other = changed(signature="GREEN|n:4|v:9.9", value=0.5 + 1e-15)
    other |= {"version": "9.9", "source": "elsewhere.txt"}
    other["results"][1]["seconds_per_system"] = 7
    assert list(differences(DOCUMENT, other)) == []


def test_no_absolute_path_stays_in_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = [tmp_path / "a,b=c", f"x={tmp_path / 'a,b'}", f"m:n=1,file={tmp_path / 'f'},o=2", "a,b"]
    record = make_record(["score", *map(str, words)], [], "{}", str(tmp_path))
    assert record.arguments == ("score", "a,b=c", "x=a,b", "m:n=1,file=f,o=2", "a,b")


@pytest.mark.parametrize(
    ("values", "where", "old", "new"),
    [
        ({"value": 0.6}, "results x green value", 0.5, 0.6),
        ({"value": None}, "results x green value", 0.5, None),
        ({"value": True}, "results x green value", 0.5, True),
        ({"signature": "GREEN|n:5|v:0.1.0"}, "results x green signature", "GREEN|n:4|v:0.1.0", "GREEN|n:5|v:0.1.0"),
        ({"totals": {"tk": 4}}, "results x green totals tk", 3, 4),
        ({"more": 1}, "results x green more", None, 1),
    ],
)
def test_what_differs_is_named(values: dict[str, Any], where: str, old: Any, new: Any) -> None:
    before, after = ("nothing" if value is None else value for value in (old, new))
    assert list(differences(DOCUMENT, changed(**values))) == [f"{where}: {before} → {after}"]


def test_a_row_that_is_not_there() -> None:
    fewer = changed()
    del fewer["results"][1]
    [found] = differences(DOCUMENT, fewer)
    assert found.startswith("results y green: ")
    assert found.endswith(" → nothing")


def test_a_record_has_no_folders_of_a_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / "sub").mkdir()
    path = str(tmp_path / "a.txt")
    arguments = ["score", f"--source={path}", f"--systems=NAME={path}", "--metrics=errant:beta=1"]
    document = f'{{"source": "{tmp_path.as_posix()}/a.txt", "signature": "X|v:1"}}'
    record = make_record(arguments, [path], document, str(tmp_path / "sub"))
    assert record.arguments == ("score", "--source=a.txt", "--systems=NAME=a.txt", "--metrics=errant:beta=1")
    assert (record.folder, list(record.inputs)) == ("..", ["a.txt"])
    assert record.document["source"] == "a.txt"
    assert str(tmp_path) not in str(asdict(record))
    assert relative(str(tmp_path / "a.txt"), tmp_path) == "a.txt"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema": "geceval/score@1"}'])
def test_what_is_no_record(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match="not a reproducibility record"):
        read_record(str(tmp_path / "run.json"))
