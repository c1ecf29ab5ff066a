"""Rows that are bad in one text: listed together, or left out of all texts."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval.base.errors import GecevalWarning, InputError
from geceval.text.reading.corpus_files import CorpusFiles
from support.commands import Run
from support.examples import EXAMPLES

SOURCE, REFERENCE, *OUTPUTS = (
    (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    for name in ("source.txt", "ref0.txt", "systems/eager.txt", "systems/noisy.txt")
)
OUTPUTS = [[text or source for text, source in zip(output, SOURCE, strict=True)] for output in OUTPUTS]
ROLES = ("source", "reference", "eager", "noisy")
ROWS = [
    {**dict(zip(ROLES, texts, strict=True)), "level": str(number % 3)}
    for number, texts in enumerate(zip(SOURCE, REFERENCE, *OUTPUTS, strict=True))
]
#: Values that are bad in a column.
BAD: dict[str, list[Any]] = {
    "source": [None, 5, "a\nb"],
    "reference": [None, 5, "a\nb", "", []],
    "eager": [None, 5, "a\nb", "", {}],
    "noisy": [None, "a\rb", " "],
}
SYSTEMS = ["eager", "noisy"]


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def damaged(faults: dict[int, tuple[str, Any]]) -> list[dict[str, Any]]:
    return [row | dict([faults[number]] if number in faults else []) for number, row in enumerate(ROWS)]


def read(path: str, **options: Any) -> geceval.Corpus:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GecevalWarning)
        return CorpusFiles.of_table(path, hypothesis=SYSTEMS, labels="level", **options).read()


FAULTS = st.dictionaries(
    st.integers(0, len(ROWS) - 1),
    st.sampled_from([(column, value) for column, values in BAD.items() for value in values]),
    max_size=8,
)


@given(FAULTS, st.integers(1, 50))
def test_other_rows_are_read_as_if_the_bad_ones_did_not_exist(
    tmp_path_factory: pytest.TempPathFactory, faults: dict[int, tuple[str, Any]], size: int
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    path = write(folder / "bad.jsonl", damaged(faults))
    corpus = read(path, skip_bad_rows=True)
    valid = read(write(folder / "valid.jsonl", [row for number, row in enumerate(ROWS) if number not in faults]))
    for name in ("source", "references", "labels", "systems"):
        assert getattr(corpus, name) == getattr(valid, name)
    assert corpus.skipped == len(faults)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GecevalWarning)
        parts = CorpusFiles.of_table(path, hypothesis=SYSTEMS, skip_bad_rows=True).open().parts(size)
        assert [line for part in parts for line in part.source] == list(valid.source)


def test_bad_rows_are_listed_and_the_hint_leaves_them_out(tmp_path: Path, run: Run) -> None:
    faults: dict[int, tuple[str, Any]] = dict.fromkeys(range(4, 17), ("noisy", None))
    path = write(tmp_path / "bad.jsonl", damaged({2: ("eager", 7), **faults}))
    line = ("score", "-i", path, "--hypothesis-column", *SYSTEMS, "-m", "green")
    error = run(*line).err
    assert f"error: {path}:3: eager: a sentence must be text, not 7\n  bad rows: 14, the first 10\n" in error
    assert [f"{path}:{number}: noisy: " in error for number in (5, 13, 14)] == [True, True, False]
    assert error.count(path) == 1 + 10 + error.partition("error")[0].count(path)
    assert "--skip-bad-rows leaves bad rows out of all texts" in error
    skipping = run(*line, "--skip-bad-rows", "-q")
    assert skipping.status == 0
    assert "|skipped:14|" in skipping.out
    assert "warning: left out: 14 of 40 rows, which are bad in one text" in skipping.err
    with pytest.raises(InputError, match="bad rows: 14"):
        geceval.read_table(path, hypothesis=SYSTEMS)


def test_a_single_bad_row_has_its_own_message_and_few_are_a_minor_warning(tmp_path: Path, run: Run) -> None:
    path = write(tmp_path / "bad.jsonl", damaged({30: ("reference", None)}))
    line = ("score", "-i", path, "--hypothesis-column", *SYSTEMS, "-m", "green")
    assert "bad rows" not in run(*line).err
    assert "left out: 1 of 40 rows" in run(*line, "--skip-bad-rows").err
    assert run(*line, "--skip-bad-rows", "-q").err == ""


def test_empty_outputs_in_files_are_left_out_unless_they_have_a_reading(tmp_path: Path, run: Run) -> None:
    lines = ["" if number % 10 == 0 else text for number, text in enumerate(OUTPUTS[0])]
    (tmp_path / "gaps.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    labels = tmp_path / "levels.txt"
    labels.write_text("".join(f"{number % 2}\n" for number in range(40)), encoding="utf-8")
    texts = ("-s", EXAMPLES / "source.txt", "-r", EXAMPLES / "ref0.txt", "-c", tmp_path / "gaps.txt", "-m", "green")
    assert "4 of 40 lines are empty" in run("score", *texts).err
    skipping = run("score", *texts, "--skip-bad-rows", "--group", labels)
    assert "|skipped:4|" in skipping.out
    assert [row.split()[2] for row in skipping.out.splitlines() if row.startswith("gaps")] == ["16", "20", "36"]
    assert "|blank:empty|level" in run("score", *texts, "--skip-bad-rows", "--blank", "empty").out


def test_filter_refuses_to_skip_rows_of_its_table(run: Run) -> None:
    result = run("filter", "-i", "pairs.jsonl", "--skip-bad-rows", "--keep", "green > 1")
    assert (result.status, "unknown option --skip-bad-rows" in result.err) == (2, True)


def test_file_of_bad_rows_only_is_refused(tmp_path: Path, run: Run) -> None:
    path = write(tmp_path / "bad.jsonl", damaged(dict.fromkeys(range(40), ("noisy", None))))
    result = run("score", "-i", path, "--hypothesis-column", *SYSTEMS, "-m", "green", "--skip-bad-rows")
    assert (result.status, "all rows are bad" in result.err) == (2, True)


def test_messages_of_lines_name_file_and_line(tmp_path: Path, run: Run) -> None:
    for name, text in (("source", "a b c\nd e\n"), ("output", "a b\n\n"), ("reference", "a b\n\n")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    source, output, reference = (str(tmp_path / f"{name}.txt") for name in ("source", "output", "reference"))
    missing = run("score", "-s", source, "-c", source, "-r", reference, "-m", "green", "--blank", "missing")
    assert f"error: {reference}:2: the reference is missing\n" in missing.err
    skipped = run("score", "-s", source, "-c", output, "-r", source, "-m", "green", "--skip-bad-rows")
    assert f"{output}:2: empty next to a sentence" in skipped.err


@pytest.mark.parametrize("common", [[], ["reference"]], ids=["own", "own and common"])
def test_rows_without_a_reference_of_one_system_are_left_out(tmp_path: Path, common: list[str]) -> None:
    rows = [row | {"closest": row["reference"] if number % 4 else ""} for number, row in enumerate(ROWS)]
    references = {"eager": "closest", "noisy": "reference"} | ({None: common} if common else {})
    path = write(tmp_path / "own.jsonl", rows)
    corpus = read(path, references=references, skip_bad_rows=True, blank="missing")
    left = rows if common else [row for row in rows if row["closest"]]
    assert (len(corpus), corpus.skipped) == (len(left), len(rows) - len(left))
    assert corpus == read(write(tmp_path / "left.jsonl", left), references=references, blank="missing")


def test_lists_of_references_are_no_bad_rows(tmp_path: Path) -> None:
    rows = [row | {"reference": [row["reference"], row["source"]]} for row in damaged({1: ("eager", None)})]
    corpus = read(write(tmp_path / "t.jsonl", rows), skip_bad_rows=True)
    assert (len(corpus.source), len(corpus.references)) == (len(ROWS) - 1, 2)
    with pytest.raises(InputError) as caught:
        read(write(tmp_path / "t.jsonl", rows))
    assert "bad rows" not in caught.value.message
