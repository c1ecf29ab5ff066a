"""Edits and alignments of sentence pairs.

errant has these classes in the modules ``edit`` and ``alignment``. They stand here so that they are the same under
every name of the package, also if a script puts it into ``sys.modules`` as ``errant``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from html import escape
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from geceval._kernel import Text, WordList, indel_distances
from geceval.edits.annotation import Annotator as TokenAnnotator
from geceval.edits.extraction import Extractor
from geceval.errant.documents import Parsed, annotator_of, given_chars, given_text, row_of, words_of
from geceval.text.m2.edit import minimal

#: The word list of the spelling rule.
Words: TypeAlias = frozenset[str] | WordList
#: An operation with start and end in both texts: M, S, I, D, or T and the number of tokens.
Operation: TypeAlias = tuple[str, int, int, int, int]


class Edit:
    """One edit.

    Args:
        orig: Parsed original text.
        cor: Parsed corrected text.
        edit: The offsets ``[o_start, o_end, c_start, c_end]``.
        type: The error type.

    Attributes:
        o_start: First original token.
        o_end: Original token after the last one.
        o_toks: The original tokens.
        o_str: Their text.
        c_start: First corrected token.
        c_end: Corrected token after the last one.
        c_toks: The corrected tokens.
        c_str: Their text.
        type: The error type.
    """

    def __init__(self, orig: Parsed, cor: Parsed, edit: Sequence[int], type: str = "NA") -> None:
        self.o_start, self.o_end, self.c_start, self.c_end = edit[:4]
        self.type = type
        self._set_tokens(orig[self.o_start : self.o_end], cor[self.c_start : self.c_end])

    def _set_tokens(self, o_toks: Any, c_toks: Any) -> None:
        self.o_toks, self.c_toks = o_toks, c_toks
        self.o_str, self.c_str = (toks.text if toks else "" for toks in (o_toks, c_toks))

    o_start_char = property(lambda self: given_chars(self.o_toks)[0], doc="Position of o_toks in the given text.")
    o_end_char = property(lambda self: given_chars(self.o_toks)[1], doc="End of o_toks in the given text.")
    c_start_char = property(lambda self: given_chars(self.c_toks)[0], doc="Position of c_toks in the given text.")
    c_end_char = property(lambda self: given_chars(self.c_toks)[1], doc="End of c_toks in the given text.")

    def minimise(self) -> Edit:
        """Remove equal tokens at the ends of both sides, and return the edit."""
        o, c = self.o_toks, self.c_toks
        start, end, c_start, c_end = minimal(words_of(o), words_of(c), (0, len(o), 0, len(c)))
        self.o_start, self.o_end = self.o_start + start, self.o_end + end - len(o)
        self.c_start, self.c_end = self.c_start + c_start, self.c_end + c_end - len(c)
        self._set_tokens(o[start:end], c[c_start:c_end])
        return self

    def to_m2(self, id: int = 0) -> str:
        """Return the edit as a line of M2.

        Args:
            id: Number of the annotator.
        """
        text = " ".join(words_of(self.c_toks))
        return f"A {self.o_start} {self.o_end}|||{self.type}|||{text}|||REQUIRED|||-NONE-|||{id}"

    def __repr__(self) -> str:
        original, corrected = [self.o_start, self.o_end, self.o_str], [self.c_start, self.c_end, self.c_str]
        return f"Orig: {original}, Cor: {corrected}, Type: {self.type!r}"


class AnnotatedPair(list[Edit]):
    """The edits of a pair of texts, a list that notebooks show as marked text.

    Attributes:
        orig: Parsed original text.
        cor: Parsed corrected text.
    """

    def __init__(self, orig: Parsed, cor: Parsed, edits: Iterable[Edit]) -> None:
        super().__init__(edits)
        self.orig, self.cor = orig, cor

    def _repr_html_(self) -> str:
        text, position, parts = given_text(self.orig), 0, []
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
    """The cheapest alignment of a pair.

    Args:
        orig: Parsed original text.
        cor: Parsed corrected text.
        lev: Whether to align by plain Levenshtein distance.
        annotator: Annotator of the tokens (default: the documents').
        words: Word list of the spelling rule (default: the language's).
    """

    def __init__(
        self,
        orig: Parsed,
        cor: Parsed,
        lev: bool = False,
        annotator: TokenAnnotator | None = None,
        words: Words | None = None,
    ) -> None:
        self.orig, self.cor, self.lev = orig, cor, lev
        self._annotator = annotator or annotator_of(orig, cor)
        self._words = words

    @cached_property
    def align_seq(self) -> list[Operation]:
        """The operations in order."""
        operations: list[Operation] = []
        i = j = 0
        edits = self.edits("all-split")
        for edit in [*edits, Edit(self.orig, self.cor, [len(self.orig)] * 2 + [len(self.cor)] * 2)]:
            operations += [("M", i + k, i + k + 1, j + k, j + k + 1) for k in range(edit.o_start - i)]
            size, i, j = edit.o_end - edit.o_start, edit.o_end, edit.c_end
            kind = "I" if size == 0 else "D" if edit.c_start == j else "S" if size == 1 else f"T{size}"
            operations.append((kind, edit.o_start, i, edit.c_start, j))
        return operations[:-1]

    def edits(self, merging: str) -> AnnotatedPair:
        """Return the typed edits with a merging strategy."""
        return extract(self._annotator, self._words, [(self.orig, self.cor)], 1, self.lev, merging)[0]

    def get_cheapest_align_seq(self) -> list[Operation]:
        """Return a copy of ``align_seq``."""
        return list(self.align_seq)

    def get_all_split_edits(self) -> list[Edit]:
        """Return an edit for each operation."""
        return [Edit(self.orig, self.cor, operation[1:]) for operation in self.align_seq if operation[0] != "M"]

    def get_all_merge_edits(self) -> list[Edit]:
        """Return an edit for each run of operations."""
        return self._edits_of_runs(lambda operation: operation[0] == "M")

    def get_all_equal_edits(self) -> list[Edit]:
        """Return an edit for each run of equal operations."""
        return self._edits_of_runs(itemgetter(0))

    def _edits_of_runs(self, key: Callable[[Operation], Hashable]) -> list[Edit]:
        runs = [list(run) for _, run in groupby(self.align_seq, key)]
        merged = [self.merge_edits(run)[0][1:] for run in runs if run[0][0] != "M"]
        return [Edit(self.orig, self.cor, span) for span in merged]

    def merge_edits(self, seq: Sequence[Operation]) -> list[Operation]:
        """Return a single operation X for a sequence of operations; nothing for none."""
        return [("X", seq[0][1], seq[-1][2], seq[0][3], seq[-1][4])] if seq else []

    cost_matrix = property(lambda self: self._matrices[0], doc="Cost of the first i and j tokens.")
    op_matrix = property(lambda self: self._matrices[1], doc="Last operation of each cost.")

    @cached_property
    def _matrices(self) -> tuple[list[list[float]], list[list[str]]]:
        return self.align(self.lev)

    def align(self, lev: bool) -> tuple[list[list[float]], list[list[str]]]:
        """Return costs and operations of all cells; the kernel computes only the cells that it needs."""
        o, c = list(self.orig), list(self.cor)
        cost = [[float(abs(i - j)) for j in range(len(c) + 1)] for i in range(len(o) + 1)]
        kind = [["O" if i == j else "D" if i > j else "I" for j in range(len(c) + 1)] for i in range(len(o) + 1)]
        for i, a in enumerate(o):
            for j, b in enumerate(c):
                change = cost[i][j] + (1 if lev else self.get_sub_cost(a, b))
                ways = [(change, "S"), (cost[i + 1][j] + 1, "I"), (cost[i][j + 1] + 1, "D")]
                for k in range(1, 0 if lev else min(i, j) + 1):
                    before = cost[i - k][j - k]
                    if cost[i - k + 1][j - k + 1] == before:
                        break
                    if _lowers(o[i - k : i + 1]) == _lowers(c[j - k : j + 1]):
                        ways.insert(0, (before + k, f"T{k + 1}"))
                        break
                best = (cost[i][j], "M") if a.text == b.text else min(ways, key=itemgetter(0))
                cost[i + 1][j + 1], kind[i + 1][j + 1] = best
        return cost, kind

    def get_sub_cost(self, o: Any, c: Any) -> float:
        """Return the cost of a substitution, with the costs of English.

        Source:
            Felice, Bryant and Briscoe (2016): lemma, part of speech and letters.
        """
        if o.lower_ == c.lower_:
            return 0
        parts = {o.pos_, c.pos_}
        pos = 0.0 if len(parts) == 1 else 0.25 if parts <= {"ADJ", "ADV", "NOUN", "VERB"} else 0.5
        letters: int
        [letters] = indel_distances(Text([o.text]), Text([c.text]), 1).tolist()
        return (0.0 if o.lemma_ == c.lemma_ else 0.499) + pos + letters / (len(o.text) + len(c.text))

    def __str__(self) -> str:
        texts = [" ".join([name, *words_of(doc)]) for name, doc in (("Orig:", self.orig), ("Cor:", self.cor))]
        costs = ["Cost Matrix:", *map(str, self.cost_matrix)]
        operations = ["Operation Matrix:", *map(str, self.op_matrix)]
        return "\n".join([*texts, *costs, *operations, f"Best alignment: {[kind for kind, *_ in self.align_seq]}"])


def _lowers(tokens: Iterable[Any]) -> list[str]:
    return sorted(token.lower_ for token in tokens)


def get_rule_edits(alignment: Alignment) -> list[Edit]:
    """Return the edits of an alignment, merged by the rules, with the type ``NA``."""
    edits = alignment.edits("rules")
    for edit in edits:
        edit.type = "NA"
    return edits


def classify(edit: Edit) -> Edit:
    """Set the type of an edit by the annotation of its documents, and return the edit."""
    return classify_with(annotator_of(edit.o_toks.doc, edit.c_toks.doc), None, edit)


def classify_with(annotator: Any, words: Words | None, edit: Edit) -> Edit:
    """Set the type of an edit by an annotator, and return the edit."""
    o, c = edit.o_toks, edit.c_toks
    span = o.start, o.end, c.start, c.end
    [edit.type] = _extractor(annotator, words).classify([(row_of(o.doc), row_of(c.doc), span)])
    return edit


def extract(
    annotator: Any, words: Words | None, pairs: Sequence[Sequence[Parsed]], threads: int, lev: bool, merging: str
) -> list[AnnotatedPair]:
    """Return the typed edits of pairs."""
    rows, targets = [row_of(orig) for orig, _ in pairs], [row_of(cor) for _, cor in pairs]
    [edits] = _extractor(annotator, words, merging, lev).columns_of_tokens(rows, [targets], threads)
    return [
        AnnotatedPair(orig, cor, _edits_of_rows(orig, cor, edits.sentence(s)[0][1]))
        for s, (orig, cor) in enumerate(pairs)
    ]


def _edits_of_rows(orig: Parsed, cor: Parsed, rows: Iterable[tuple[int, int, str, str]]) -> Iterator[Edit]:
    """Yield the edits with start, end, type and text, in order."""
    words, c_end, previous_end = words_of(cor), 0, 0
    for start, end, type_, text in rows:
        c_start = c_end = c_end + start - previous_end
        left = len(text) + 1 if text else 0
        while left > 0:
            left -= len(words[c_end]) + 1
            c_end += 1
        yield Edit(orig, cor, (start, end, c_start, c_end), type_)
        previous_end = end


@lru_cache(maxsize=64)
def _extractor(annotator: Any, words: Words | None, merging: Any = "rules", lev: bool = False) -> Extractor:
    return Extractor(annotator, merging, lev, words)
