"""The word breaks of ICU, with dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese (package icu4py)."""

from __future__ import annotations

from typing import Any

from geceval.base.errors import MissingExtraError, installing


class Icu:
    """By the rules of the root locale (UAX #29 and dictionaries). The tokens are the segments but white space.

    Raises MissingExtraError with the command that installs icu4py.
    """

    def __init__(self) -> None:
        try:
            import icu4py
            from icu4py.breakers import WordBreaker
        except ImportError:
            hint = f"{installing('icu')} (Python 3.11 or newer)"
            raise MissingExtraError("the tokeniser icu needs icu4py", hint=hint) from None
        self._breaker = WordBreaker
        self.name = f"icu-{icu4py.icu_version}"

    def tokenise(self, text: str) -> list[str]:
        return [token for segment in self._breaker(text, "root") for token in segment.split()]

    def __reduce__(self) -> Any:
        return type(self), ()


def icu() -> Icu:
    """The word breaks of ICU, with dictionaries for scripts without blanks (geceval[icu])."""
    return Icu()
