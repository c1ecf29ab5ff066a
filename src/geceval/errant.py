"""ERRANT's Python API: ``import geceval.errant as errant``.

Names, arguments and results are as in errant 3.0.2; docs/errant.md lists the differences.

>>> import geceval.errant as errant
>>> annotator = errant.load("en")
>>> edits = annotator.annotate(annotator.parse("He go home ."), annotator.parse("He goes home ."))
>>> [(e.o_start, e.o_end, e.o_str, e.c_str, e.type) for e in edits]
[(1, 2, 'go', 'goes', 'R:VERB:SVA')]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from operator import itemgetter
from typing import Any, TypeAlias

from geceval._kernel import Text, indel_distances
from geceval.base.arguments import THREADS, is_text, shown, whole
from geceval.base.errors import InputError, UsageError
from geceval.edits.annotation import Annotator as TokenAnnotator
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator, pipelines, tokeniser_of
from geceval.text.m2.edit import minimal

#: A text that ``Annotator.parse`` returned: a Doc, or spaCy's with a pipeline.
Parsed: TypeAlias = Any


def load(lang: str, nlp: Any = None, model_name: str | None = None, words: Collection[str] | None = None) -> Annotator:
    """Return an annotator of edits.

    Args:
        lang: language by code or name: en, German, …, or plain (any other).
        nlp: spaCy pipeline that parses the texts; the edits are errant's with this pipeline.
        model_name: name of another annotator (``builtin:3``, ``spacy:NAME``), without ``nlp``.
        words: word list of the spelling rule (default: the language's).

    Raises:
        UsageError: for an unknown language or annotator; lists the available ones.
        MissingExtraError: if a required package is not installed.
    """
    return Annotator(lang, nlp, model_name, words)


class Span(Sequence["Token"]):
    """Consecutive tokens of a Doc.

    Attributes:
        doc: the Doc.
        start: first token.
        end: token after the last one.
    """

    def __init__(self, doc: Doc, start: int, end: int) -> None:
        self.doc, self.start, self.end = doc, start, end

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return self.doc.tokens[self.start : self.end][key]
        start, end, step = key.indices(len(self))
        if step != 1:
            raise UsageError("a slice of tokens has no step")
        return Span(self.doc, self.start + start, self.start + max(start, end))

    def __repr__(self) -> str:
        return self.text

    start_char = property(lambda self: _span_in_text(self.doc.places, self)[0], doc="Position in ``doc.text``.")
    end_char = property(lambda self: _span_in_text(self.doc.places, self)[1], doc="End in ``doc.text``.")

    @cached_property
    def words(self) -> Sequence[str]:
        """The tokens as strings."""
        return self.doc.words[self.start : self.end]

    @cached_property
    def text(self) -> str:
        """The text of the tokens."""
        return self.doc.text[self.start_char : self.end_char] if self.doc.is_raw else " ".join(self.words)


class Doc(Span):
    """A parsed text. Tokens are annotated when one of them is read.

    Attributes:
        given: the text as given.
        words: the tokens as strings.
        text: the text; a blank follows each token unless it was tokenised here, as in spaCy.
        is_raw: whether it was tokenised here.
    """

    def __init__(self, annotator: TokenAnnotator, given: str, tokenise: bool = False) -> None:
        self.given, self._annotator, self.is_raw = given, annotator, tokenise
        self.words = tokeniser_of(annotator)(given) if tokenise else given.split()
        self.text = given if tokenise else " ".join([*self.words, ""])
        super().__init__(self, 0, len(self.words))

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Start and end of each token in ``text``."""
        return _token_offsets(self.text, self.words)

    @cached_property
    def tokens(self) -> list[Token]:
        """The annotated tokens."""
        rows = self._annotator.annotate([self.words]).sentence(0)
        ends = [*(start for start, _ in self.places[1:]), len(self.text)]
        return [
            Token(row.form, row.form.lower(), row.lemma, row.pos, row.tag, row.dep, i, start, self.text[start:end])
            for i, (row, (start, _), end) in enumerate(zip(rows, self.places, ends, strict=False))
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Token:
    """A token with its annotation, under spaCy's names.

    Attributes:
        text: the token.
        lower_: its lower case.
        lemma_: its lemma.
        pos_: its universal part of speech.
        tag_: its Penn tag; empty in other languages.
        dep_: its ClearNLP label, if ERRANT reads it.
        i: its index in the text.
        idx: its position in the text.
        text_with_ws: the token and the blanks after it.
    """

    text: str
    lower_: str
    lemma_: str
    pos_: str
    tag_: str
    dep_: str
    i: int
    idx: int
    text_with_ws: str

    def __len__(self) -> int:
        return len(self.text)

    def __repr__(self) -> str:
        return self.text


class Edit:
    """One edit.

    Args:
        orig: parsed original text.
        cor: parsed corrected text.
        edit: the offsets ``[o_start, o_end, c_start, c_end]``.
        type: the error type.

    Attributes:
        o_start: first original token.
        o_end: original token after the last one.
        o_toks: the original tokens.
        o_str: their text.
        c_start: first corrected token.
        c_end: corrected token after the last one.
        c_toks: the corrected tokens.
        c_str: their text.
        type: the error type.
    """

    def __init__(self, orig: Parsed, cor: Parsed, edit: Sequence[int], type: str = "NA") -> None:
        self.o_start, self.o_end, self.c_start, self.c_end = edit
        self.type = type
        self._set_tokens(orig[self.o_start : self.o_end], cor[self.c_start : self.c_end])

    def _set_tokens(self, o_toks: Any, c_toks: Any) -> None:
        self.o_toks, self.c_toks = o_toks, c_toks
        self.o_str, self.c_str = (toks.text if toks else "" for toks in (o_toks, c_toks))

    o_start_char = property(lambda self: _given_chars(self.o_toks)[0], doc="Position of o_toks in the given text.")
    o_end_char = property(lambda self: _given_chars(self.o_toks)[1], doc="End of o_toks in the given text.")
    c_start_char = property(lambda self: _given_chars(self.c_toks)[0], doc="Position of c_toks in the given text.")
    c_end_char = property(lambda self: _given_chars(self.c_toks)[1], doc="End of c_toks in the given text.")

    def minimise(self) -> Edit:
        """Remove equal tokens at the ends of both sides, and return the edit."""
        o, c = self.o_toks, self.c_toks
        start, end, c_start, c_end = minimal(_words(o), _words(c), (0, len(o), 0, len(c)))
        self.o_start, self.o_end = self.o_start + start, self.o_end + end - len(o)
        self.c_start, self.c_end = self.c_start + c_start, self.c_end + c_end - len(c)
        self._set_tokens(o[start:end], c[c_start:c_end])
        return self

    def to_m2(self, id: int = 0) -> str:
        """Return the edit as a line of M2.

        Args:
            id: number of the annotator.
        """
        text = " ".join(_words(self.c_toks))
        return f"A {self.o_start} {self.o_end}|||{self.type}|||{text}|||REQUIRED|||-NONE-|||{id}"

    def __repr__(self) -> str:
        original, corrected = [self.o_start, self.o_end, self.o_str], [self.c_start, self.c_end, self.c_str]
        return f"Orig: {original}, Cor: {corrected}, Type: {self.type!r}"


class AnnotatedPair(list[Edit]):
    """The edits of a pair of texts, a list that notebooks show as marked text.

    Attributes:
        orig: parsed original text.
        cor: parsed corrected text.
    """

    def __init__(self, orig: Parsed, cor: Parsed, rows: Iterable[tuple[int, int, str, str]]) -> None:
        self.orig, self.cor = orig, cor
        words, c_end, previous_end = _words(cor), 0, 0
        for start, end, type_, text in rows:
            c_start = c_end = c_end + start - previous_end
            left = len(text) + 1 if text else 0
            while left > 0:
                left -= len(words[c_end]) + 1
                c_end += 1
            self.append(Edit(orig, cor, (start, end, c_start, c_end), type_))
            previous_end = end

    def _repr_html_(self) -> str:
        text, position, parts = _given(self.orig), 0, []
        for edit in self:
            marked = " ".join(
                f'<{name} title="{escape(edit.type)}">{escape(string)}</{name}>'
                for name, string in (("del", edit.o_str), ("ins", edit.c_str))
                if string
            )
            if edit.o_start == edit.o_end:
                marked = f"{marked} " if edit.o_start < len(self.orig) else f" {marked}"
            parts += [escape(text[position : edit.o_start_char]), marked]
            position = edit.o_end_char
        return "".join([*parts, escape(text[position:])])


class Alignment:
    """The cheapest alignment of a pair, as ``Annotator.align`` returns it.

    Attributes:
        orig: parsed original text.
        cor: parsed corrected text.
        lev: whether it uses plain Levenshtein distance.
    """

    def __init__(self, orig: Parsed, cor: Parsed, lev: bool, annotator: Annotator) -> None:
        self.orig, self.cor, self.lev, self._annotator = orig, cor, lev, annotator

    @cached_property
    def align_seq(self) -> list[tuple[str, int, int, int, int]]:
        """The operations with start and end in both texts.

        Operations are M, S, I, D, or T and the number of tokens.
        """
        operations, i, j = [], 0, 0
        edits = self._annotator.annotate(self.orig, self.cor, self.lev, "all-split")
        for edit in [*edits, Edit(self.orig, self.cor, [len(self.orig)] * 2 + [len(self.cor)] * 2)]:
            operations += [("M", i + k, i + k + 1, j + k, j + k + 1) for k in range(edit.o_start - i)]
            size, i, j = edit.o_end - edit.o_start, edit.o_end, edit.c_end
            kind = "I" if size == 0 else "D" if edit.c_start == j else "S" if size == 1 else f"T{size}"
            operations.append((kind, edit.o_start, i, edit.c_start, j))
        return operations[:-1]

    def get_cheapest_align_seq(self) -> list[tuple[str, int, int, int, int]]:
        """Return a copy of ``align_seq``."""
        return list(self.align_seq)

    cost_matrix = property(lambda self: self._matrices[0], doc="Cost of the first i and j tokens.")
    op_matrix = property(lambda self: self._matrices[1], doc="Last operation of each cost.")

    @cached_property
    def _matrices(self) -> tuple[list[list[float]], list[list[str]]]:
        """All cells, with the costs of English; the kernel computes only the cells that it needs."""
        o, c = list(self.orig), list(self.cor)
        cost = [[float(abs(i - j)) for j in range(len(c) + 1)] for i in range(len(o) + 1)]
        kind = [["O" if i == j else "D" if i > j else "I" for j in range(len(c) + 1)] for i in range(len(o) + 1)]
        for i, a in enumerate(o):
            letters = indel_distances(Text([a.text] * len(c)), Text(b.text for b in c), 1).tolist()
            for j, b in enumerate(c):
                change = cost[i][j] + (1 if self.lev else _substitution(a, b, letters[j]))
                ways = [(change, "S"), (cost[i + 1][j] + 1, "I"), (cost[i][j + 1] + 1, "D")]
                for k in range(1, 0 if self.lev else min(i, j) + 1):
                    before = cost[i - k][j - k]
                    if cost[i - k + 1][j - k + 1] == before:
                        break
                    if _lowers(o[i - k : i + 1]) == _lowers(c[j - k : j + 1]):
                        ways.insert(0, (before + k, f"T{k + 1}"))
                        break
                best = (cost[i][j], "M") if a.text == b.text else min(ways, key=itemgetter(0))
                cost[i + 1][j + 1], kind[i + 1][j + 1] = best
        return cost, kind


def _substitution(a: Any, b: Any, letters: int) -> float:
    """Return the cost of a substitution.

    Source:
        Felice, Bryant and Briscoe (2016): lemma, part of speech and letters.
    """
    if a.lower_ == b.lower_:
        return 0.0
    parts = {a.pos_, b.pos_}
    pos = 0.0 if len(parts) == 1 else 0.25 if parts <= {"ADJ", "ADV", "NOUN", "VERB"} else 0.5
    return (0.0 if a.lemma_ == b.lemma_ else 0.499) + pos + letters / (len(a.text) + len(b.text))


def _lowers(tokens: Iterable[Any]) -> list[str]:
    return sorted(token.lower_ for token in tokens)


class Annotator:
    """Parses texts and extracts their edits; ``load`` returns it.

    Attributes:
        lang: the language.
        nlp: the spaCy pipeline; None without one.
    """

    def __init__(self, lang: str, nlp: Any, model_name: str | None, words: Collection[str] | None) -> None:
        self.lang, self.nlp, self._words = lang, nlp, None if words is None else frozenset(words)
        if isinstance(nlp, str):
            raise UsageError("nlp is a spaCy pipeline, not its name", hint=f'load({lang!r}, model_name="spacy:{nlp}")')
        if nlp is not None and model_name is not None:
            raise UsageError("nlp and model_name are two annotators", hint="give one of them")
        self._annotator: Any = make_annotator(model_name or str(lang)) if nlp is None else pipelines.of_pipeline(nlp)

    def parse(self, text: str, tokenise: bool = False) -> Parsed:
        """Return a text with its tokens: a Doc, or spaCy's if ``nlp`` was given.

        Args:
            text: the text.
            tokenise: whether to tokenise it; otherwise blanks separate tokens.

        Raises:
            InputError: for other values than text, and for lone surrogates.
            UsageError: if it is to be tokenised in a language without a tokeniser.
        """
        if not is_text(text):
            raise InputError(f"a text is required, not {shown(text)}")
        return Doc(self._annotator, text, tokenise) if self.nlp is None else self._annotator.parse(text, tokenise)

    def annotate(self, orig: Parsed, cor: Parsed, lev: bool = False, merging: str = "rules") -> AnnotatedPair:
        """Return the typed edits of a pair.

        Args:
            orig: parsed original text.
            cor: parsed corrected text.
            lev: whether to align by plain Levenshtein distance.
            merging: merging of adjacent operations: rules, all-split, all-merge or all-equal.

        Raises:
            UsageError: for an unknown merging strategy.
            InputError: for a pair too long to align.
        """
        return self._extract([(orig, cor)], 1, lev, merging)[0]

    def annotate_many(
        self, pairs: Iterable[Sequence[str | Parsed]], threads: int = 0, lev: bool = False, merging: str = "rules"
    ) -> list[AnnotatedPair]:
        """Return the edits of many pairs, each as ``annotate`` does.

        Args:
            pairs: original and corrected texts, parsed or as strings with blanks between tokens.
            threads: number of threads; 0 means one per processor.
            lev: whether to align by plain Levenshtein distance.
            merging: merging of adjacent operations.

        Raises:
            UsageError: for an unknown merging strategy, and for a negative number of threads.
            InputError: for a pair too long to align.
        """
        whole("threads", threads, THREADS)
        parsed = [[self.parse(text) if isinstance(text, str) else text for text in pair] for pair in pairs]
        return self._extract(parsed, threads, lev, merging)

    def align(self, orig: Parsed, cor: Parsed, lev: bool = False) -> Alignment:
        """Return the alignment of a pair.

        Args:
            orig: parsed original text.
            cor: parsed corrected text.
            lev: whether to align by plain Levenshtein distance.
        """
        return Alignment(orig, cor, lev, self)

    def merge(self, alignment: Alignment, merging: str = "rules") -> AnnotatedPair:
        """Return the edits of an alignment, with the type ``NA``.

        Args:
            alignment: the alignment.
            merging: merging of adjacent operations: rules, all-split, all-merge or all-equal.

        Raises:
            UsageError: for an unknown merging strategy.
        """
        edits = self.annotate(alignment.orig, alignment.cor, alignment.lev, merging)
        for edit in edits:
            edit.type = "NA"
        return edits

    def classify(self, edit: Edit) -> Edit:
        """Set the type of an edit, and return the edit.

        Args:
            edit: the edit.
        """
        o, c = edit.o_toks, edit.c_toks
        span = o.start, o.end, c.start, c.end
        [edit.type] = _extractor(self._annotator, self._words).classify([(_row(o.doc), _row(c.doc), span)])
        return edit

    def import_edit(
        self, orig: Parsed, cor: Parsed, edit: Sequence[Any], min: bool = True, old_cat: bool = False
    ) -> Edit:
        """Return an edit with given offsets.

        Args:
            orig: parsed original text.
            cor: parsed corrected text.
            edit: ``[o_start, o_end, c_start, c_end]``, and optionally the type.
            min: whether to remove equal tokens at the ends.
            old_cat: whether to keep the given type.

        Raises:
            UsageError: for another number of values.
        """
        if len(edit) not in (4, 5):
            raise UsageError(f"an edit is [o_start, o_end, c_start, c_end, (type)], not {list(edit)}")
        imported = Edit(orig, cor, edit[:4], *edit[4:])
        imported = imported.minimise() if min else imported
        return imported if old_cat else self.classify(imported)

    def _extract(self, pairs: Sequence[Sequence[Parsed]], threads: int, lev: bool, merging: str) -> list[AnnotatedPair]:
        rows, targets = [_row(orig) for orig, _ in pairs], [_row(cor) for _, cor in pairs]
        [edits] = _extractor(self._annotator, self._words, merging, lev).columns_of_tokens(rows, [targets], threads)
        return [AnnotatedPair(orig, cor, edits.sentence(s)[0][1]) for s, (orig, cor) in enumerate(pairs)]


@lru_cache(maxsize=64)
def _extractor(annotator: Any, words: frozenset[str] | None, merging: Any = "rules", lev: bool = False) -> Extractor:
    return Extractor(annotator, merging, lev, words)


def _row(doc: Parsed) -> Sequence[str]:
    """Return tokens for annotators; documents of spaCy keep their annotation."""
    if isinstance(doc, str):
        raise UsageError(f"the text {shown(doc)} is not parsed", hint="annotator.parse(text)")
    return doc.words if isinstance(doc, Doc) else pipelines.with_doc(doc)


def _words(span: Any) -> Sequence[str]:
    return span.words if isinstance(span, Span) else [token.text for token in span]


def _given(doc: Parsed) -> str:
    """Return the text that was parsed."""
    return doc.given if isinstance(doc, Doc) else doc.user_data.get("given", doc.text)


def _given_chars(span: Any) -> tuple[int, int]:
    return _span_in_text(_token_offsets(_given(span.doc), _words(span.doc)), span)


def _span_in_text(offsets: Sequence[tuple[int, int]], span: Any) -> tuple[int, int]:
    """Return the position of tokens.

    The position of an empty span is the start of the next token, or the end of the last one.
    """
    inside = offsets[span.start : span.end] or [(start, start) for start, _ in offsets[span.start : span.start + 1]]
    inside = inside or [(end, end) for _, end in offsets[-1:]] or [(0, 0)]
    return inside[0][0], inside[-1][1]


def _token_offsets(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Return start and end of each token in a text."""
    offsets, end = [], 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        offsets.append((start, end))
    return offsets
