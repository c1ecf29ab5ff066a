"""Records of runs: their content, and the differences between two documents."""

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


def test_versions_paths_times_and_rounding_are_not_differences() -> None:
    document = changed(signature="GREEN|n:4|v:9.9", value=0.5 + 1e-15)
    document |= {"version": "9.9", "source": "elsewhere.txt"}
    document["results"][1]["seconds_per_system"] = 7
    assert list(differences(DOCUMENT, document)) == []


def test_arguments_of_a_record_have_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = [tmp_path / "a,b=c", f"x={tmp_path / 'a,b'}", f"m:n=1,file={tmp_path / 'f'},o=2", "a,b"]
    record = make_record(["score", *map(str, words)], [], "{}", str(tmp_path))
    assert record.arguments == ("score", "a,b=c", "x=a,b", "m:n=1,file=f,o=2", "a,b")


@pytest.mark.parametrize(
    ("values", "field", "old", "new"),
    [
        ({"value": 0.6}, "results x green value", 0.5, 0.6),
        ({"value": None}, "results x green value", 0.5, None),
        ({"value": True}, "results x green value", 0.5, True),
        ({"signature": "GREEN|n:5|v:0.1.0"}, "results x green signature", "GREEN|n:4|v:0.1.0", "GREEN|n:5|v:0.1.0"),
        ({"totals": {"tk": 4}}, "results x green totals tk", 3, 4),
        ({"more": 1}, "results x green more", None, 1),
    ],
)
def test_difference_names_field_and_values(values: dict[str, Any], field: str, old: Any, new: Any) -> None:
    before, after = ("nothing" if value is None else value for value in (old, new))
    assert list(differences(DOCUMENT, changed(**values))) == [f"{field}: {before} → {after}"]


def test_missing_row_is_a_difference() -> None:
    document = changed()
    del document["results"][1]
    [difference] = differences(DOCUMENT, document)
    assert difference.startswith("results y green: ")
    assert difference.endswith(" → nothing")


def test_record_has_no_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_file_that_is_not_a_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match="not a reproducibility record"):
        read_record(str(tmp_path / "run.json"))
