"""The tokeniser of Moses, as the package sacremoses has it."""

from __future__ import annotations

from typing import Any

from geceval.base.errors import MissingExtraError, UsageError, installing


class Moses:
    """For a language, without escapes for XML and without cutting at hyphens: ``can 't``, ``well-known``, ``"``.

    Raises MissingExtraError with the command that installs sacremoses, and UsageError for a language it has no list
    of abbreviations for.
    """

    def __init__(self, language: str = "en") -> None:
        try:
            from sacremoses import MosesTokenizer
            from sacremoses.corpus import NonbreakingPrefixes
        except ImportError:
            raise MissingExtraError("the tokeniser moses needs sacremoses", hint=installing("moses")) from None
        known = sorted(set(NonbreakingPrefixes().available_langs.values()))
        if language not in known:
            raise UsageError(f"moses has no rules for {language!r}: choose from {', '.join(known)}")
        self.language = language
        self._own: Any = MosesTokenizer(lang=language)

    @property
    def name(self) -> str:
        """``moses-0.2.0``, ``moses:de-0.2.0``: with the version of sacremoses."""
        from importlib.metadata import version

        return f"moses{'' if self.language == 'en' else f':{self.language}'}-{version('sacremoses')}"

    def tokenise(self, text: str) -> list[str]:
        tokens: list[str] = self._own.tokenize(text, escape=False)
        return tokens

    def __reduce__(self) -> Any:
        return type(self), (self.language,)


def moses(language: str = "en") -> Moses:
    """As Moses, English or the language of a code: moses:de (geceval[moses])."""
    return Moses(language)
