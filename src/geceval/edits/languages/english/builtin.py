"""The builtin English annotator: nothing to download, about a microsecond a token.

The model is trained by ``tools/train_tagger.py`` on UD English EWT and WordNet (``english.LICENSE`` beside it
names sources and licences); ``docs/annotator-builtin.md`` says how well it does.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from geceval._kernel import Extractor, Tagger, WordList
from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.edits.annotation import Annotated, Rules
from geceval.edits.languages.english import LANGUAGE, profiles
from geceval.text.tokenisers.rules import english as english_rules

HEADER = b"geceval-tagger 1\n"
"""First line of a model file: the version of its layout. The rest is compressed (zlib)."""
_PROFILES = {"builtin": profiles.MODERN, "builtin:classic": profiles.CLASSIC}
VERSION = 1
"""Changes with every change of the model, the rules or the profiles, so that signatures tell."""


class Builtin:
    """Annotates tokenised English; ``profile`` is ``builtin`` or ``builtin:classic``.

    Tags are Penn tags as in OntoNotes, universal POS follows the profile, labels are ClearNLP's as far as ERRANT
    asks for them (``dep`` otherwise), and heads are those of auxiliaries; other tokens are their own heads.
    Raises UsageError for an unknown profile.
    """

    language = LANGUAGE

    def __init__(self, profile: str = "builtin", threads: int = 0) -> None:
        if profile not in _PROFILES:
            raise UsageError(f"unknown profile {profile!r}", hint=f"there are {', '.join(_PROFILES)}")
        self.profile = profile
        self.threads = threads

    @property
    def name(self) -> str:
        return f"{self.profile}-{VERSION}"

    @property
    def rules(self) -> Rules:
        return "errant-2.0" if self.profile == "builtin:classic" else "errant-3"

    def __getstate__(self) -> dict[str, Any]:
        return {"profile": self.profile, "threads": self.threads}

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a line of English, by the tokeniser ``english``."""
        return english_rules().tokenise(text)

    def bases(self, words: Sequence[str]) -> list[list[str]]:
        """What lower-cased words are forms of, as a noun, as a verb, as an adjective (WordNet)."""
        return self.tagger.bases(words)

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        strings, offsets, columns = self.tagger.annotate(sentences, self.threads)
        return Annotated(strings, offsets, *columns)

    def in_kernel(self, words: WordList, merging: str, lev: bool) -> Extractor | None:
        """The kernel's extractor; None for a class made of this one, which may annotate otherwise."""
        if type(self) is not Builtin:
            return None
        return Extractor(self.tagger, words, self.rules, merging, lev)

    @cached_property
    def tagger(self) -> Tagger:
        """The kernel's tagger with the profile, read when it is first used."""
        packed = (files("geceval.edits.languages.english") / "english.model").read_bytes()
        if not packed.startswith(HEADER):
            raise InputError("not a model for this version of geceval", path="english.model", hint="reinstall geceval")
        body = zlib.decompress(packed.removeprefix(HEADER))
        return Tagger(body, _PROFILES[self.profile])


def english(variant: str = "") -> Builtin | None:
    """The builtin annotator, or its variant (``classic``); None if there is none of that name."""
    profile = f"builtin:{variant}" if variant else "builtin"
    return Builtin(profile) if profile in _PROFILES else None
