"""The kernel's stub is true: names and arguments by mypy's stubtest, what is yielded by the calls of fuzzing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fuzz import kernel_calls
from geceval import _kernel
from geceval.edits.languages.english import Builtin
from support.kernel_stub import fits, stub
from support.written_files import write

#: Types of other modules decide nothing on names and arguments, and take long to read; `make lint` checks them.
ALONE = """
[mypy]
disable_error_code = valid-type
[mypy-numpy.*,geceval]
follow_imports = skip
follow_imports_for_stubs = true
"""


def test_names_and_arguments_are_the_binary_s(tmp_path: Path) -> None:
    settings = write(tmp_path / "mypy.ini", ALONE)
    words = ["-m", "mypy.stubtest", "--mypy-config-file", str(settings), "geceval._kernel"]
    completed = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.mark.parametrize("name", kernel_calls.targets())
def test_what_calls_with_drawn_arguments_yield_is_what_the_stub_says(name: str) -> None:
    """Each call compares its result with the stub; arguments that are drawn make no tagger."""
    outcomes = {kernel_calls.targets()[name](Random(seed)) for seed in range(100)}
    assert "done" in outcomes or name == "kernel:Tagger.__new__"


def test_values() -> None:
    assert type(_kernel.__version__) is str
    assert issubclass(_kernel.KernelError, ValueError)
    assert type(Builtin().tagger) is _kernel.Tagger


def test_a_wrong_type_would_be_found() -> None:
    array = np.zeros(1, np.int32)
    for value, kind in (
        (array, "NDArray[np.int64]"),
        ([array], "tuple[NDArray[np.int32]]"),
        ((1, 2), "tuple[int, str]"),
        (True, "int"),
        (np.int64(1), "int"),
        (None, "Text | int"),
        (["a", 1], "list[str]"),
    ):
        assert not fits(value, eval(kind, stub())), (value, kind)
    assert fits(array, eval("_Ints | None", stub()))
