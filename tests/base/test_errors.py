"""Errors for users: packages that cannot be imported, and tracebacks."""

from __future__ import annotations

import inspect
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

import geceval
from geceval.base.errors import GecevalError, MissingExtraError, require_extra, short_traceback
from support.messages import message_of


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (ModuleNotFoundError("No module named 'thai'", name="thai"), ""),
        (ModuleNotFoundError("No module named 'thai.words'", name="thai.words"), ""),
        (ModuleNotFoundError("No module named 'crf'", name="crf"), " (No module named 'crf')"),
        (ImportError("cannot import name 'x'", name="thai"), " (cannot import name 'x')"),
    ],
)
def test_cause_of_an_import_error_is_named_unless_the_package_is_missing(error: ImportError, cause: str) -> None:
    def use() -> None:
        with require_extra("thai", "Thai needs thai"):
            raise error

    message = message_of(use)
    assert f"{MissingExtraError.__name__}: Thai needs thai{cause}\n" in message
    assert "pip install 'geceval[thai]'" in message


@pytest.mark.parametrize(
    "call",
    [
        lambda: geceval.score(["a"], [["a", "b"]], ["a"]),
        lambda: geceval.score(["a"], ["a"], ["a"], ["errnt"]),
        lambda: geceval.score([["a"]], ["a"], ["a"]),
        lambda: geceval.evaluate(geceval.Corpus(["a"], [], {"A": ["a"]}), ["errant"]),
        lambda: geceval.read_corpus("missing.txt"),
        lambda: geceval.Corpus(["a"], [["a", "b"]]),
        lambda: geceval.Scorer("green", ["a"], [["a"]]).score(["a", "b"]),
        lambda: geceval.rewards("green")(completions=["a"]),
        lambda: geceval.Green().corpus_score(["a"], ["a"], []),
    ],
)
def test_traceback_ends_at_the_call_of_the_user(call: Callable[[], object]) -> None:
    with pytest.raises(GecevalError) as caught:
        call()
    files = [Path(frame.filename).name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert files[-2:] == ["test_errors.py", "errors.py"]
    assert files.count("errors.py") == 1
    assert "During handling" not in "".join(traceback.format_exception(caught.value))


def test_cause_of_an_error_stays_in_its_traceback() -> None:
    cause = OSError("no space")

    @short_traceback
    def write() -> None:
        try:
            raise cause
        except OSError as error:
            raise GecevalError("not written") from error

    with pytest.raises(GecevalError) as caught:
        write()
    assert caught.value.__cause__ is cause


def test_development_mode_shows_all_frames() -> None:
    program = "import geceval; geceval.score(['a'], [['a', 'b']], ['a'])"
    lengths = {}
    for mode in ((), ("-X", "dev")):
        result = subprocess.run([sys.executable, *mode, "-c", program], capture_output=True, text=True, check=False)
        lengths[mode] = result.stderr.count("\n  File ")
    assert lengths[()] == 2
    assert lengths["-X", "dev"] > 4


@pytest.mark.parametrize("name", sorted(geceval.__all__))
def test_every_public_function_has_a_short_traceback(name: str) -> None:
    value = getattr(geceval, name)
    if inspect.isfunction(value):
        assert value.__code__.co_qualname == "short_traceback.<locals>.called"
