"""Parsed texts, spans and tokens, with the names of spaCy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from geceval.base.arguments import is_text, shown
from geceval.base.errors import InputError, UsageError
from geceval.edits.annotation import Annotator as TokenAnnotator
from geceval.edits.annotation import Token as AnnotatedToken
from geceval.edits.languages import language_of, pipelines, tokeniser_of
from geceval.edits.languages.english import Builtin

#: A text that ``Annotator.parse`` returned: a Doc, or spaCy's with a pipeline.
Parsed: TypeAlias = Any


class Span(Sequence["Token"]):
    """Consecutive tokens of a Doc.

    Attributes:
        doc: The Doc.
        start: First token.
        end: Token after the last one.
    """

    doc: Doc

    def __init__(self, doc: Doc, start: int, end: int) -> None:
        self.doc, self.start, self.end = doc, start, end

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return self.doc.token(range(self.start, self.end)[key])
        start, end, step = key.indices(len(self))
        if step != 1:
            raise UsageError("a slice of tokens has no step")
        return Span(self.doc, self.start + start, self.start + max(start, end))

    def __iter__(self) -> Iterator[Token]:
        return map(self.doc.token, range(self.start, self.end))

    def __repr__(self) -> str:
        return self.text

    start_char = property(lambda self: span_in_text(self.doc.places, self)[0], doc="Position in ``doc.text``.")
    end_char = property(lambda self: span_in_text(self.doc.places, self)[1], doc="End in ``doc.text``.")

    @cached_property
    def words(self) -> Sequence[str]:
        """The tokens as strings."""
        return self.doc.words[self.start : self.end]

    @cached_property
    def text(self) -> str:
        """The text of the tokens."""
        return self.doc.text[self.start_char : self.end_char] if self.doc.is_raw else " ".join(self.words)


class Doc(Span):
    """A parsed text. A token is annotated when its annotation is read.

    Attributes:
        given: The text as given.
        words: The tokens as strings.
        text: The text; a space follows each token unless it was tokenised here, as in spaCy.
        is_raw: Whether it was tokenised here.
        annotator: The annotator of its tokens.
    """

    doc = property(lambda self: self)

    def __init__(self, annotator: TokenAnnotator, given: str, tokenise: bool = False) -> None:
        self.given, self.annotator, self.is_raw = given, annotator, tokenise
        self.words = tokeniser_of(annotator)(given) if tokenise else given.split()
        self.start, self.end = 0, len(self.words)
        self._tokens: dict[int, Token] = {}

    @cached_property
    def text(self) -> str:
        return self.given if self.is_raw else " ".join([*self.words, ""])

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Start and end of each token in ``text``."""
        return token_offsets(self.text, self.words)

    def token(self, index: int) -> Token:
        """Return the token with an index; always the same object."""
        if index not in self._tokens:
            self._tokens[index] = Token(self, index)
        return self._tokens[index]

    def annotation(self, index: int) -> tuple[str, str, str]:
        """Return lemma, universal part of speech and tag of a token."""
        if type(self.annotator) is Builtin:  # annotates single tokens
            return self.annotator.tagger.token(self.words, index)
        row = self.rows[index]
        return row.lemma, row.pos, row.tag

    @cached_property
    def rows(self) -> list[AnnotatedToken]:
        """The annotation of all tokens: form, lemma, part of speech, tag, label and head."""
        return self.annotator.annotate([self.words]).sentence(0)


class Token:
    """A token with its annotation, under spaCy's names.

    Attributes:
        doc: The Doc.
        i: Its index in the text.
        text: The token.
    """

    def __init__(self, doc: Doc, i: int) -> None:
        self.doc, self.i, self.text = doc, i, doc.words[i]

    @cached_property
    def _annotation(self) -> tuple[str, str, str]:
        return self.doc.annotation(self.i)

    lower_ = property(lambda self: self.text.lower(), doc="Its lower case.")
    lemma_ = property(lambda self: self._annotation[0], doc="Its lemma.")
    pos_ = property(lambda self: self._annotation[1], doc="Its universal part of speech.")
    tag_ = property(lambda self: self._annotation[2], doc="Its Penn tag; empty in other languages.")
    dep_ = property(lambda self: self.doc.rows[self.i].dep, doc="Its ClearNLP label, if ERRANT reads it.")
    idx = property(lambda self: self.doc.places[self.i][0], doc="Its position in the text.")

    @property
    def text_with_ws(self) -> str:
        """The token and the spaces after it."""
        starts = [start for start, _ in self.doc.places[self.i + 1 : self.i + 2]]
        return self.doc.text[self.idx : starts[0] if starts else len(self.doc.text)]

    @property
    def whitespace_(self) -> str:
        """The blanks after the token."""
        return self.text_with_ws[len(self.text) :]

    def __len__(self) -> int:
        return len(self.text)

    def __repr__(self) -> str:
        return self.text


class Pipeline:
    """An annotator that is called like a pipeline of spaCy.

    Attributes:
        annotator: Annotates the tokens.
        lang: Code of the language.
    """

    def __init__(self, annotator: TokenAnnotator) -> None:
        self.annotator, self.lang = annotator, language_of(annotator).code

    def __call__(self, text: str | Doc) -> Doc:
        """Return a text with its tokens; it is tokenised."""
        return text if isinstance(text, Doc) else self.parse(text, tokenise=True)

    def pipe(
        self, texts: Iterable[Any], *, as_tuples: bool = False, batch_size: int | None = None, n_process: int = 1
    ) -> Iterator[Any]:
        """Yield each text as :meth:`__call__` returns it.

        Args:
            texts: The texts, or pairs of a text and anything.
            as_tuples: Whether ``texts`` are pairs; yields pairs, too.
            batch_size: No effect.
            n_process: No effect.
        """
        yield from ((self(text), context) for text, context in texts) if as_tuples else map(self, texts)

    def parse(self, text: str, tokenise: bool = False) -> Doc:
        """Return a text with its tokens; without ``tokenise``, spaces separate them.

        Raises:
            InputError: For other values than text, and for lone surrogates.
            UsageError: If it is to be tokenised in a language without a tokeniser.
        """
        if not is_text(text):
            raise InputError(f"a text is required, not {shown(text)}")
        return Doc(self.annotator, text, tokenise)


def annotator_of(*docs: Parsed) -> TokenAnnotator:
    """Return the annotator of documents; those of spaCy have their own annotation."""
    annotators = [doc.annotator for doc in docs if isinstance(doc, Doc)]
    return annotators[0] if annotators else pipelines.documents(docs[0])


def row_of(doc: Parsed) -> Sequence[str]:
    """Return tokens for annotators; documents of spaCy keep their annotation."""
    if isinstance(doc, str):
        raise UsageError(f"the text {shown(doc)} is not parsed", hint="annotator.parse(text)")
    return doc.words if isinstance(doc, Doc) else pipelines.with_doc(doc)


def words_of(span: Any) -> Sequence[str]:
    """Return the tokens of a span as strings."""
    return span.words if isinstance(span, Span) else [token.text for token in span]


def given_text(doc: Parsed) -> str:
    """Return the text that was parsed."""
    return doc.given if isinstance(doc, Doc) else doc.user_data.get("given", doc.text)


def given_chars(span: Any) -> tuple[int, int]:
    """Return start and end of a span in the text that was parsed."""
    return span_in_text(token_offsets(given_text(span.doc), words_of(span.doc)), span)


def span_in_text(offsets: Sequence[tuple[int, int]], span: Any) -> tuple[int, int]:
    """Return the position of tokens.

    The position of an empty span is the start of the next token, or the end of the last one.
    """
    inside = offsets[span.start : span.end] or [(start, start) for start, _ in offsets[span.start : span.start + 1]]
    inside = inside or [(end, end) for _, end in offsets[-1:]] or [(0, 0)]
    return inside[0][0], inside[-1][1]


def token_offsets(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Return start and end of each token in a text."""
    offsets, end = [], 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        offsets.append((start, end))
    return offsets
