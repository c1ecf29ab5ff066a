"""Annotation by stanza of any language with models: ``stanza:de``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from geceval.base.errors import InputError, MissingExtraError, require_extra
from geceval.edits.annotation import Annotated, Language, Token


class StanzaAnnotator:
    """An annotator with stanza's models of a language.

    It provides lemmas and universal POS in context, from models that are already downloaded.

    Tokens are not split: stanza would split contractions (im: in dem), and the edits would fit no other file.
    Raises MissingExtraError, with the command that installs it, if a package or model is missing.
    """

    rules = "generic"

    def __init__(self, code: str) -> None:
        self.code = code
        self.language = Language(code, types="universal")
        self._pipeline = _load(code)

    @property
    def name(self) -> str:
        """Language, tagger and version: ``stanza-de_gsd_charlm-1.15.0``."""
        import stanza

        tagger = next(models[0].package for processor, models in self._pipeline.load_list if processor == "pos")
        return f"stanza-{self.code}_{tagger}-{stanza.__version__}"

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """Annotate all sentences in one call. Raises InputError if stanza changes tokens."""
        asked = [list(sentence) for sentence in sentences if sentence]
        tagged = iter(self._pipeline(asked).sentences if asked else [])
        return Annotated.from_rows(self._rows(sentence, next(tagged)) if sentence else [] for sentence in sentences)

    def _rows(self, sentence: Sequence[str], tagged: Any) -> Iterator[Token]:
        if [word.text for word in tagged.words] != list(sentence):
            raise InputError(f"{self.name}: stanza changed the tokens of {' '.join(sentence[:8])!r}")
        for at, word in enumerate(tagged.words):
            yield Token(word.text, (word.lemma or word.text).casefold(), word.upos or "", "", "", at)


def _load(code: str) -> Any:
    with require_extra("stanza", f"stanza:{code} needs stanza"):
        import stanza
    settings = {"processors": "tokenize,pos,lemma", "tokenize_pretokenized": True}
    try:
        return stanza.Pipeline(code, download_method=None, verbose=False, **settings)
    except (FileNotFoundError, ValueError) as error:  # missing models, unknown language
        hint = f"python -c \"import stanza; stanza.download('{code}')\""
        raise MissingExtraError(f"the models of stanza for {code!r} are not installed: {error}", hint=hint) from None


def stanza_annotator(code: str = "") -> StanzaAnnotator | None:
    """Return the annotator of a language by its code; None without one.

    Raises the errors of StanzaAnnotator.
    """
    return StanzaAnnotator(code) if code else None
