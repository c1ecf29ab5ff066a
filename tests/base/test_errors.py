"""Errors of packages that cannot be imported."""

from __future__ import annotations

import pytest

from geceval.base.errors import MissingExtraError, require_extra
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
