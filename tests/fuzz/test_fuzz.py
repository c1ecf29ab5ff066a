"""Fuzzing of all readers for a moment, and the faults it found; ``make fuzz`` goes on for longer."""

from __future__ import annotations

import json
import shlex
import warnings
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import geceval
from fuzz import commands, readers, run
from geceval import _kernel, m2
from geceval.edits.annotation import Annotated, Token
from geceval.metrics import goto
from geceval.reporting.swept_systems import read_thresholds
from support.messages import message_of
from support.written_files import write


def test_every_reader_is_fuzzed() -> None:
    fuzzed = {*readers.FILES, *readers.TEXTS, *readers.ELSEWHERE} - set(readers.MORE)
    assert readers.functions() == fuzzed, "a new reader needs an entry in tests/fuzz/readers.py"


def test_readers_read_their_files_and_damaged_ones(tmp_path: Path) -> None:
    by_name = {**readers.readers(), **{f"text:{name}": reader for name, reader in readers.TEXTS.items()}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        for at, (name, reader) in enumerate(by_name.items()):
            folder = tmp_path / str(at)
            folder.mkdir()
            attempt = readers.targets(folder, None)[name]
            outcomes = {attempt(Random(seed)) for seed in range(20)}
            assert outcomes <= {"done", "InputError", "UsageError", "MissingExtraError"}, name
            for seed in reader.seeds:
                (folder / f"input{reader.ending}").write_bytes(seed)
                path = str(folder / f"input{reader.ending}")
                reader.call(seed.decode() if name.startswith("text:") else path)


def test_a_command_with_a_damaged_file(tmp_path: Path) -> None:
    attempts = commands.targets(tmp_path)
    assert len(attempts) > 30
    assert attempts["command:m2 check gold.m2"](Random(1)).startswith("status")


def test_failure_of_a_target_is_named_by_words_that_repeat_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def call(random: Random) -> str:
        if random.random() < 0.3:
            raise RuntimeError("a fault")
        return "done"

    monkeypatch.setattr(run, "targets", lambda folder, corpus: {"a:b.c[1]": call, "a:b.c[1]2": call})
    assert run.main(["--inputs", "30", "--jobs", "1"]) == 1
    [first, *_] = [line for line in capfd.readouterr().out.splitlines() if line.startswith("FAILED")]
    assert run.main(shlex.split(first.removeprefix("FAILED "))) == 1
    assert "1 targets, 1 inputs, 1 failures" in capfd.readouterr().out


# --- what fuzzing has found ---

ANNOTATED = Annotated.from_rows([[Token("a", "a", "X", "", "", 0)], []])


def test_columns_that_do_not_fit_are_refused() -> None:
    changes: dict[str, list[list[int]]] = {
        "offsets": [[0, 2, 1], [1, 1, 1], [0, 1, 9], []], "form": [[9], [-1]], "pos": [[]], "head": [[1], [-1]]
    }  # fmt: skip
    for name, values in changes.items():
        for wrong in values:
            columns = replace(ANNOTATED, **{name: np.array(wrong, getattr(ANNOTATED, name).dtype)})
            message = message_of(_kernel.classify_annotated, [(columns, [])], _kernel.WordList([]), [], "errant-3")
            assert "the columns of an annotator are inconsistent" in message


@pytest.mark.parametrize("edit", [(0, 1, 0, 2, 0, 0), (0, 1, 1, 0, 0, 0), (0, 1, 0, 1, 0, 1), (0, 2, 0, 1, 0, 0)])
def test_spans_that_do_not_fit_are_refused(edit: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="does not fit its sentences"):
        _kernel.classify_annotated([(ANNOTATED, [])], _kernel.WordList([]), [edit], "errant-3")


def test_hypotheses_of_another_sentence_are_refused() -> None:
    source, version = _kernel.Text(["a", "a b c"]), (0, [(0, 1, "X", "b")])
    gold = _kernel.Edits([[version], [version]])
    table = _kernel.SlotTable(source, gold, np.array([0, 1]), [], 1)
    with pytest.raises(ValueError, match="each of 2 sentences requires one hypothesis"):
        table.verdicts(_kernel.Edits([[], [version, version]]), 1)


def test_weights_of_too_many_systems_are_refused(tmp_path: Path) -> None:
    weights = write(tmp_path / "weights", f"{goto.HEAD}{'9' * 5000}\n1\n")
    assert "not a file of weights" in message_of(goto.read_weights, str(weights))


def test_m2_of_answers_without_edits_is_read_again() -> None:
    edits = (m2.Edit(0, 1, "R", ("b",), annotator=1, alignment=1),)
    block = m2.Block("a", edits, targets=(m2.Target(1, 1, "b"),))
    written = m2.Blocks.of([block], dialect=None).table.kept(np.array([False])).written()
    assert written == "S a\nT1-A1 b\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    again, faults = _kernel.BlockTable.parse(written.encode(), None, 1, True)
    assert (again.written(), faults) == (written, [])


@pytest.mark.parametrize("data", [b"S \0\xb0  ", b"S a\0b\nA 0 1|||X|||\0|||R\0|||N|||0\nI \0\n", b"S a\nA \0"])
def test_m2_of_damaged_bytes_is_written_without_them(data: bytes) -> None:
    blocks, faults = _kernel.BlockTable.parse(data, None, 1, True)
    assert faults
    again, faults = _kernel.BlockTable.parse(blocks.written().encode(), None, 1, True)
    assert (again.written(), faults) == (blocks.written(), [])


ROW = {"system": "a", "metric": "errant", "settings": {}, "best": {"threshold": 10**400}}


@pytest.mark.parametrize(
    "results", ["[{}]", "3", "[" * 100_000, json.dumps([ROW])], ids=["row", "3", "nested", "large"]
)
def test_incomplete_reports_of_sweeps_are_refused(results: str, tmp_path: Path) -> None:
    text = f'{{"schema": "geceval/sweep@1", "fingerprint": "x", "results": {results}}}'
    assert "is not a report of geceval sweep" in message_of(read_thresholds, str(write(tmp_path / "sweep.json", text)))
