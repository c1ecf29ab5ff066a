"""English: its word list and the builtin annotator.

The word list of the spelling rule has 172,529 words, British with -ise and -ize. It is from SCOWL 2020.12.07 as
packaged by Debian; words-en.LICENSE contains the licence and research/build_words.py the recipe. It is part of the
kernel, which searches it in place: only its pages that are searched are read from the disk.

The builtin English annotator: no download, less than a microsecond per token.

``research/train_tagger.py`` trains the model on the output of a spaCy pipeline; ``english.LICENSE`` names sources and
licences. ``docs/annotation.md`` describes its accuracy.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from geceval._kernel import Extractor as KernelExtractor
from geceval._kernel import Tagger, WordList
from geceval.base.errors import InputError, UsageError
from geceval.base.package_tables import table_rows
from geceval.edits.annotation import DEFAULT_ANNOTATOR, ENGLISH, Annotated, ExtractionSettings, Rules
from geceval.text.tokenisers.builtin import english as english_rules

FILES = Path(__file__).parent
HEADER = b"geceval-tagger 2\n"
"""First line of a model file: the version of its layout.

The size of the vocabulary, the vocabulary compressed by zlib, and the weights follow.
"""
_RELEASES = {"builtin:3": 3, "builtin:2": 2, "builtin:classic": 1}
"""Release of spaCy by name of the profile."""
VERSION = 2
"""Changes whenever the model, the rules or the profiles change; part of signatures."""


class Builtin:
    """An annotator of tokenised English.

    ``profile`` is ``builtin:3`` (ERRANT 3), ``builtin:2`` (ERRANT 2.3) or ``builtin:classic`` (ERRANT 2.0).

    Tags are OntoNotes' Penn tags, and universal POS follow the profile. Labels are ClearNLP's where ERRANT uses them,
    and ``dep`` otherwise. Auxiliaries have heads; other tokens are roots. Raises UsageError for an unknown profile.
    """

    language = ENGLISH

    def __init__(self, profile: str = DEFAULT_ANNOTATOR, threads: int = 0) -> None:
        if profile not in _RELEASES:
            raise UsageError(f"unknown profile {profile!r}", hint=f"choose from {', '.join(_RELEASES)}")
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
        """Return the tokens of a line of English, split by the tokeniser ``english``."""
        return english_rules().tokenise(text)

    def bases(self, words: Sequence[str]) -> list[list[str]]:
        """Return the lemmas of lower-case words as noun, verb and adjective (WordNet)."""
        return self.tagger.bases(words)

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated(**self.tagger.annotate(sentences, self.threads))

    def in_kernel(self, words: WordList, settings: ExtractionSettings) -> KernelExtractor | None:
        """Return the kernel's extractor.

        Returns None for a subclass, which may annotate differently.
        """
        if type(self) is not Builtin:
            return None
        return KernelExtractor(self.tagger, words, settings)

    @cached_property
    def tagger(self) -> Tagger:
        """The kernel's tagger with the profile, read on first use."""
        release, path = _RELEASES[self.profile], FILES / "english.model"
        with path.open("rb") as model:
            if model.readline() != HEADER:
                hint = "reinstall geceval"
                raise InputError("not a model for this version of geceval", path="english.model", hint=hint)
            vocabulary = zlib.decompress(model.read(int.from_bytes(model.read(4), "little")))
            return Tagger(vocabulary, model.read(path.stat().st_size), spacy_rules(release), release)


def spacy_rules(release: int) -> list[list[str]]:
    """Return tags, forms, labels, POS and lemma of each rule of a release of spaCy."""
    rows = table_rows(FILES / "spacy_rules.tsv")
    return [rule for releases, *rule in rows if str(release) in releases.split()]


def english() -> Builtin:
    """Return the default annotator of English."""
    return Builtin()


def builtin(variant: str = "") -> Builtin | None:
    """Return the builtin annotator ``builtin:VARIANT``, or None for an unknown variant.

    Raises:
        UsageError: For ``builtin`` alone, which named ``builtin:2`` up to geceval 0.3 and is the default no longer.
    """
    if not variant:
        hint = f"{DEFAULT_ANNOTATOR} is the default; builtin:2 gives the numbers of geceval 0.3"
        raise UsageError(
            "the annotator builtin has two versions: choose builtin:3 (as errant 3.0.2) or builtin:2 (as errant 2.3)",
            hint=hint,
        )
    profile = f"builtin:{variant}"
    return Builtin(profile) if profile in _RELEASES else None
