"""Annotation by installed models: ``spacy:en_core_web_sm`` (a pipeline) and ``stanza:de`` (a language)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from geceval.base.errors import InputError, MissingExtraError, require_extra
from geceval.edits.annotation import ENGLISH, Annotated, Language, Rules, TagSet, Token
from geceval.edits.languages.features import features_of, split_types
from geceval.text.tokenisers.packages import SpacyTokeniser, load


class Spaced(tuple[str, ...]):
    """Tokens and which of them a space follows, or their annotated document.

    Equal to the tokens alone.
    """

    spaces: tuple[bool, ...] | None = None
    doc: Any = None


class SpacyAnnotator(SpacyTokeniser):
    """An installed pipeline or the folder of one, without named entities.

    Its name is the tokeniser's. ``types`` is a tag set that uses the features of tokens.

    Raises MissingExtraError, with the command that installs it, if a package is missing.
    """

    def __init__(self, pipeline: str, nlp: Any = None, types: TagSet | None = None) -> None:
        self.pipeline, self.types = pipeline, types
        self._nlp = nlp or load(pipeline, "annotator")

    @property
    def rules(self) -> Rules:
        return "errant-3" if self._nlp.lang == "en" else "generic"

    @property
    def language(self) -> Language:
        """The language of the pipeline, with its tokeniser.

        English keeps its other properties.
        """
        known = ENGLISH if self._nlp.lang == ENGLISH.code else Language(self._nlp.lang)
        return replace(known, tokeniser=f"spacy:{self.pipeline}", types=self.types)

    def tokenise(self, text: str) -> Sequence[str]:
        """Return the tokens of the pipeline's tokeniser."""
        doc = self._nlp.make_doc(text)
        tokens = Spaced(token.text for token in doc)
        tokens.spaces = tuple(bool(token.whitespace_) for token in doc)
        return tokens

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """Annotate all sentences in batches, each as a document of the given tokens."""
        parsed_before = [getattr(sentence, "doc", None) for sentence in sentences]
        parsed = self._nlp.pipe(
            self._docs(row for row, doc in zip(sentences, parsed_before, strict=True) if doc is None)
        )
        docs = [next(parsed) if doc is None else doc for doc in parsed_before]
        annotated = _columns(docs)
        if self.types is None:
            return annotated
        tokens = chain.from_iterable(docs)
        return annotated.with_tags([features_of(self.types, str(t.morph), t.lemma_, t.tag_) for t in tokens])

    def parse(self, text: str, tokenise: bool) -> Any:
        """Return a document; without ``tokenise``, spaces separate its tokens.

        Its ``user_data["given"]`` is the text.
        """
        from spacy.tokens import Doc

        return self._nlp(text if tokenise else Doc(self._nlp.vocab, text.split(), user_data={"given": text}))

    def _docs(self, sentences: Iterable[Sequence[str]]) -> Iterator[Any]:
        from spacy.tokens import Doc

        for sentence in sentences:
            yield Doc(self._nlp.vocab, words=list(sentence), spaces=getattr(sentence, "spaces", None))


@dataclass(frozen=True)
class Documents:
    """Annotates documents (see with_doc) of any pipeline with their own annotation."""

    rules: Rules
    name: str = "spacy"

    def annotate(self, sentences: Sequence[Any]) -> Annotated:
        """Return the annotation of the documents."""
        return _columns([sentence.doc for sentence in sentences])


def documents(doc: Any) -> Documents:
    """Return the annotator of documents of the language of one of them."""
    return Documents("errant-3" if doc.lang_ == ENGLISH.code else "generic")


def _columns(docs: Sequence[Any]) -> Annotated:
    """Return the annotation of documents, which may be of several pipelines."""
    from spacy.attrs import DEP, HEAD, LEMMA, ORTH, POS, TAG

    attributes = [ORTH, LEMMA, POS, TAG, DEP, HEAD]
    arrays = [doc.to_array(attributes) for doc in docs]
    lengths = [len(array) for array in arrays]
    table = np.concatenate([np.zeros((0, len(attributes)), np.uint64), *arrays])
    values, inverse = np.unique(table[:, :-1], return_inverse=True)
    columns = inverse.reshape(-1, len(attributes) - 1).astype(np.int32).T
    stores = list({id(doc.vocab): doc.vocab.strings for doc in docs}.values())
    strings = [next(store[value] for store in stores if value in store) for value in values.tolist()]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    form, lemma, pos, tag, dep = (np.ascontiguousarray(column) for column in columns)
    return Annotated(strings, offsets, form, lemma, pos, tag, dep, _heads(table[:, -1], offsets))


def _heads(relative: npt.NDArray[np.uint64], offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Return the heads from spaCy's distances of tokens to heads.

    The distances are unsigned numbers that wrap around.
    """
    positions = np.arange(len(relative)) - np.repeat(offsets[:-1], np.diff(offsets))
    return (relative.astype(np.int64) + positions).astype(np.int32)


def of_pipeline(nlp: Any) -> SpacyAnnotator:
    """Return the annotator of a loaded pipeline."""
    return SpacyAnnotator(f"{nlp.lang}_{nlp.meta['name']}", nlp)


def with_doc(doc: Any) -> Spaced:
    """Return the tokens of an annotated document, which stays their annotation."""
    tokens = Spaced(token.text for token in doc)
    tokens.doc = doc
    return tokens


def pipeline(name: str = "") -> SpacyAnnotator | None:
    """Return the annotator of a pipeline, with other types after ``+``; None without a name.

    Raises the errors of SpacyAnnotator and of split_types.
    """
    model, types = split_types(name)
    return SpacyAnnotator(model, types=types) if model else None


class StanzaAnnotator:
    """An annotator with stanza's models of a language.

    It provides lemmas and universal POS in context, from models that are already downloaded.

    Tokens are not split: stanza would split contractions (im: in dem), and the edits would fit no other file.
    Raises MissingExtraError, with the command that installs it, if a package or model is missing.
    """

    rules = "generic"

    def __init__(self, code: str, types: TagSet | None = None) -> None:
        self.code = code
        self.types: TagSet = types or "universal"
        self.language = Language(code, types=self.types)
        self._pipeline = _load(code)

    @property
    def name(self) -> str:
        """Language, tagger and version: ``stanza-de_gsd_charlm-1.15.0``."""
        import stanza

        tagger = next(models[0].package for processor, models in self._pipeline.load_list if processor == "pos")
        return f"stanza-{self.code}_{tagger}-{stanza.__version__}"

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """Annotate all sentences in one call. Raises InputError if stanza changes tokens."""
        nonempty = [list(sentence) for sentence in sentences if sentence]
        tagged = iter(self._pipeline(nonempty).sentences if nonempty else [])
        return Annotated.from_rows(self._rows(sentence, next(tagged)) if sentence else [] for sentence in sentences)

    def _rows(self, sentence: Sequence[str], tagged: Any) -> Iterator[Token]:
        if [word.text for word in tagged.words] != list(sentence):
            raise InputError(f"{self.name}: stanza changed the tokens of {' '.join(sentence[:8])!r}")
        for index, word in enumerate(tagged.words):
            features = features_of(self.types, word.feats or "", word.lemma or "", word.xpos or "")
            yield Token(word.text, (word.lemma or word.text).casefold(), word.upos or "", features, "", index)


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
    """Return the annotator of a language by its code, with other types after ``+``; None without one.

    Raises the errors of StanzaAnnotator and of split_types.
    """
    code, types = split_types(code)
    return StanzaAnnotator(code, types) if code else None
