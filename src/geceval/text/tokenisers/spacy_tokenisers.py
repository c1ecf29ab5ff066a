"""Tokenisers of spaCy: pipelines (``spacy:NAME``) and languages (``spacy:de``)."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from geceval.base.errors import MissingExtraError, require_extra

#: Components that change neither tokens nor the annotations that ERRANT's rules read.
UNUSED = ["ner"]

_LANGUAGE = re.compile(r"[a-z]{2,3}")


class SpacyTokeniser:
    """The tokeniser of an installed pipeline, of a folder, or of a language.

    A language needs no pipeline.

    Raises:
        MissingExtraError: if a package is missing; contains the command that installs it.
    """

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self._nlp = load(pipeline, "tokeniser")

    @property
    def name(self) -> str:
        """``spacy-en_core_web_sm-3.8.0``, or ``spacy-de-3.8.18`` for a language.

        The version is the pipeline's, or spaCy's for a language.
        """
        if _LANGUAGE.fullmatch(self.pipeline):
            import spacy

            return f"spacy-{self.pipeline}-{spacy.__version__}"
        meta = self._nlp.meta
        return f"spacy-{meta['lang']}_{meta['name']}-{meta['version']}"

    def tokenise(self, text: str) -> Sequence[str]:
        """Return the tokens of a line without white space."""
        return [token.text for token in self._nlp.make_doc(text) if not token.is_space]

    def __reduce__(self) -> Any:
        return type(self), (self.pipeline,)


@functools.cache
def load(pipeline: str, what: str) -> Any:
    """Load a pipeline, once per process.

    Args:
        pipeline: name or folder of a pipeline; for a tokeniser also the code of a language.
        what: the object that needs it, "tokeniser" or "annotator", for the error.
    """
    with require_extra("spacy", f"the {what} spacy:{pipeline} needs spaCy"):
        import spacy
    if what == "tokeniser" and _LANGUAGE.fullmatch(pipeline):
        try:
            return spacy.blank(pipeline)
        except ImportError as error:  # an unknown language, or a missing package of it
            [first, *_] = str(error).splitlines()
            raise MissingExtraError(f"spaCy cannot tokenise the language {pipeline}: {first}") from None
    try:
        return spacy.load(pipeline, exclude=UNUSED)
    except OSError:
        raise MissingExtraError(
            f"the spaCy pipeline {pipeline} is not installed", hint=f"python -m spacy download {pipeline}"
        ) from None


def pipeline(name: str = "") -> SpacyTokeniser | None:
    """Split with a spaCy pipeline, or a language of it: spacy:de (geceval[spacy])."""
    return SpacyTokeniser(name) if name else None
