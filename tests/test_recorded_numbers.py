"""No number of a recorded command has moved."""

from __future__ import annotations

import contextlib

import pytest

from conftest import REQUIRED
from support.commands import run_main
from support.scripts import import_script

recording = import_script("tools/record_numbers.py")
COMMANDS = list(recording.read_record())


@pytest.mark.parametrize("recorded", COMMANDS, ids=lambda recorded: f"{recorded.folder}: {recorded.command}")
def test_recorded_command_prints_the_same_numbers(recorded: recording.RecordedCommand) -> None:
    if not recorded.path.is_dir() and not REQUIRED:
        pytest.skip("the corpora are not available")
    with contextlib.chdir(recorded.path):
        result = run_main(*recorded.arguments)
    assert result.status == 0
    assert recording.shortened(result.out) == recorded.output, "run tools/record_numbers.py; CHANGELOG.md says why"
