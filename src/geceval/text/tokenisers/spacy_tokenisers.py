"""spaCy's tokenisers: those of installed pipelines (``spacy:en_core_web_sm``) or of languages (``spacy:de``)."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from geceval.base.errors import MissingExtraError, require_extra

#: Components that say nothing about tokens or about what ERRANT's rules read.
UNUSED = ["ner"]

_LANGUAGE = re.compile(r"[a-z]{2,3}")


class SpacyTokeniser:
    """The tokeniser of a pipeline (or a folder), or of a language by its code, for which no pipeline is needed.

    Raises MissingExtraError with the command that installs what is missing.
    """

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self._nlp = load(pipeline, "tokeniser")

    @property
    def name(self) -> str:
        """``spacy-en_core_web_sm-3.8.0``; of a language ``spacy-de-3.8.18``, with the version of spaCy."""
        if _LANGUAGE.fullmatch(self.pipeline):
            import spacy

            return f"spacy-{self.pipeline}-{spacy.__version__}"
        meta = self._nlp.meta
        return f"spacy-{meta['lang']}_{meta['name']}-{meta['version']}"

    def tokenise(self, text: str) -> Sequence[str]:
        """The tokens but those of white space."""
        return [token.text for token in self._nlp.make_doc(text) if not token.is_space]

    def __reduce__(self) -> Any:
        return type(self), (self.pipeline,)


@functools.cache
def load(pipeline: str, what: str) -> Any:
    """The pipeline, loaded once; ``what`` it is needed for stands in the message of the error. A tokeniser may be that
    of a language."""
    with require_extra("spacy", f"the {what} spacy:{pipeline} needs spaCy"):
        import spacy
    if what == "tokeniser" and _LANGUAGE.fullmatch(pipeline):
        try:
            return spacy.blank(pipeline)
        except ImportError as error:  # of an unknown language, or of a package that it needs
            [first, *_] = str(error).splitlines()
            raise MissingExtraError(f"spaCy cannot tokenise the language {pipeline}: {first}") from None
    try:
        return spacy.load(pipeline, exclude=UNUSED)
    except OSError:
        raise MissingExtraError(
            f"the spaCy pipeline {pipeline} is not installed", hint=f"python -m spacy download {pipeline}"
        ) from None


def pipeline(name: str = "") -> SpacyTokeniser | None:
    """That of a spaCy pipeline or of a language by its code: spacy:de (geceval[spacy])."""
    return SpacyTokeniser(name) if name else None
