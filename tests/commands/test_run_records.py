"""Records of runs: their content, and the differences between two documents."""

from __future__ import annotations

import copy
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from geceval.base.errors import InputError
from geceval.commands.shared.option_values import GivenOption
from geceval.commands.shared.run_records import differences, make_record, read_record, relative
from support.commands import Run

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
    (tmp_path / "f").touch()
    files = GivenOption("systems", (f"{tmp_path / 'a,b=c'}", f"x={tmp_path / 'a,b'}", "a,b"), "all")
    metrics = GivenOption("metrics", (f"m:n=1,file={tmp_path / 'f'},o=2",), "some")
    record = make_record("score", [files, metrics], [], {}, str(tmp_path))
    systems = ("--systems=a,b=c", "--systems=x=a,b", "--systems=a,b")
    assert record.arguments == ("score", *systems, "--metrics=m:n=1,file=f,o=2")


@pytest.mark.parametrize("text", ["/r/a", "/^a.*=/b", "https://example.org/a", "file:///r/a", "/r/a=/r/b,/r/c"])
def test_texts_that_are_no_files_stay_in_records(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = [GivenOption("baseline", text, "none"), GivenOption("group", text, "some")]
    document = {"groups": {text: [{"group": text, "note": text, "value": 0.5}]}}
    record = make_record("score", options, [], document, str(tmp_path))
    assert record.arguments == ("score", f"--baseline={text}", f"--group={text}")
    assert record.document == document


def test_name_of_a_system_that_looks_like_a_path_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "a.txt")
    (tmp_path / "a.txt").touch()
    document = {"systems": {path: path}, "results": [{"system": path, "file": path}]}
    record = make_record("score", [GivenOption("systems", (path,), "all")], [path], document, str(tmp_path))
    assert record.document == {"systems": {path: "a.txt"}, "results": [{"system": path, "file": "a.txt"}]}


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
    options = [
        GivenOption("source", path, "all"),
        GivenOption("systems", (f"NAME={path}",), "all"),
        GivenOption("metrics", ("errant:beta=1",), "some"),
    ]
    document = {"source": path, "signature": "X|v:1"}
    record = make_record("score", options, [path], document, str(tmp_path / "sub"))
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


LABELS = ["/r/a", "https://example.org/b", "^/c.*=d$", "C:\\e"]


def test_labels_that_look_like_paths_are_reproduced(
    run: Run, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    labels = [LABELS[n % len(LABELS)] for n in range(40)]
    (tmp_path / "labels.txt").write_text("".join(f"{label}\n" for label in labels), encoding="utf-8")
    files = ("-s", examples / "source.txt", "-r", examples / "ref0.txt", "-c", examples / "systems" / "eager.txt")
    group = ("--group", tmp_path / "labels.txt")
    assert run("score", *files, "-m", "green", *group, "--record", "run.json").status == 0
    record = read_record("run.json")
    assert str(tmp_path) not in str(asdict(record))
    assert all(label in str(record.document) for label in map(repr, LABELS))
    result = run("reproduce", "run.json", "--allow-outside")
    assert (result.status, result.out) == (0, "reproduced: all signatures and numbers are equal\n")


def test_table_with_a_column_that_looks_like_a_path_is_reproduced(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.tsv").write_text("source\treference\t/r/sys\t/r/group\nHe go .\tHe goes .\tHe goes .\tx\n")
    table = ("-i", tmp_path / "in.tsv", "--hypothesis-column", "/r/sys", "--group", "/r/group")
    assert run("score", *table, "-m", "green", "--record", "run.json").status == 0
    assert {"--input=in.tsv", "--hypothesis-column=/r/sys", "--group=/r/group"} <= set(
        read_record("run.json").arguments
    )
    assert run("reproduce", "run.json").status == 0
