"""Kept: terms, numbers, addresses and other texts that a system leaves unchanged. Higher is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits
from geceval.base.errors import InputError, UsageError
from geceval.counting.counts import HYPOTHESIS, Counts, Evidence, Floats
from geceval.counting.figures import ratio
from geceval.counting.metric import About, ByKind, Outcomes, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.metrics.shared.edit_matching import EvidenceRows, OnEdits, sentences_of
from geceval.metrics.shared.protected_texts import (
    PATTERNS,
    Occurrence,
    ProtectedTexts,
    pattern_names,
    read_patterns,
    read_terms,
    signed_file,
)
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.m2.edit import DELETE, UNKNOWN, Edit

COLUMNS = ("kept", "lost")
#: Kind of a token that no reference changes.
TOKEN = "tokens"


@dataclass(frozen=True, eq=False)
class PreparedKept:
    """A corpus and the occurrences in its source that are due.

    Attributes:
        corpus: The corpus.
        tokens: Source tokens of each sentence.
        sentence: Sentence of each occurrence [U].
        occurrences: The occurrences [U], by sentence.
    """

    corpus: Corpus
    tokens: Sequence[Sequence[str]]
    sentence: NDArray[np.int64]
    occurrences: Sequence[Occurrence]

    def changed(self, edits: Edits) -> NDArray[np.bool_]:
        """Return whether a version of each sentence changes the tokens of an occurrence [U], or inserts among them."""
        lengths = [len(tokens) + 1 for tokens in self.tokens]
        begins = np.array([0, *accumulate(lengths)], np.int64)
        touched, inserted = (np.zeros(begins[-1] + 1, np.int64) for _ in range(2))
        for sentence, start, end in changed_spans(edits, self.tokens):
            begin = begins[sentence]
            if start == end:
                inserted[begin + start] += 1
            else:
                touched[begin + start] += 1
                touched[begin + end] -= 1
        tokens_before = np.concatenate([[0], np.cumsum(np.cumsum(touched) > 0)])
        gaps_before = np.concatenate([[0], np.cumsum(inserted > 0)])
        spans = np.array([(start, end) for start, end, _ in self.occurrences], np.int64).reshape(-1, 2)
        first, last = begins[self.sentence] + spans.T
        changes = tokens_before[last] - tokens_before[first] + gaps_before[last] - gaps_before[first + 1]
        return np.asarray(changes > 0)


def changed_spans(edits: Edits, sentences: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, int]]:
    """Yield sentence, start and end of the tokens that each edit changes; an insertion is empty.

    Tokens at both ends that an edit repeats are unchanged, and so are those of an edit of type UNK, which corrects
    nothing. An edit with alternatives has the spans of each.
    """
    strings, unknown = edits.strings, UNKNOWN
    columns = (sentences_of(edits), edits.start, edits.end, edits.text, edits.type)
    for sentence, start, end, text, type_ in zip(*(column.tolist() for column in columns), strict=True):
        if start < 0 or strings[type_] == unknown:
            continue
        correction = strings[text]
        for alternative in [correction] if edits.literal else correction.split("||"):
            words = [] if alternative.strip() == DELETE else alternative.split()
            source = sentences[sentence][start:end]
            before = _common(source, words)
            after = _common(source[before:][::-1], words[before:][::-1])
            if before + after < max(len(source), len(words)):
                yield sentence, start + before, end - after


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the number of tokens at the beginning that two texts share."""
    return next(
        (index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )


@dataclass(frozen=True)
class Kept(OnEdits[PreparedKept]):
    """Share of the texts that must stay which a system leaves unchanged.

    A text is an occurrence in the source of a term (``terms``) or of a pattern (``patterns``), or each token
    (``tokens``). It is due if no reference that all systems have changes its tokens; without references all are. It is
    kept if the aligned tokens are the same: case counts, and a copy elsewhere does not. A corpus without a text that is
    due scores nan, and a sentence without one scores 1.
    """

    name: ClassVar[str] = "kept"
    about: ClassVar[About] = About("terms and numbers that stay", "patterns=numbers+urls")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    carries_edits: ClassVar[bool] = False
    references_together: ClassVar[bool] = True
    scale: ClassVar[Scale] = Scale(plain_parts=frozenset({"due"}))
    outcomes: ClassVar[Outcomes] = Outcomes({"kept": "correct", "lost": "wrong"})
    by_kind: ClassVar[ByKind] = ByKind(unknown=frozenset({"due"}), adds=True)

    terms: str | None = setting(
        None, "preparing", meaning="file of terms that must stay: one a line, or a table of line and term"
    )
    patterns: str | None = setting(
        None,
        "preparing",
        meaning=f"texts that must stay, joined by +: {', '.join(PATTERNS)} (without terms and tokens all); or a file "
        "of regular expressions",
    )
    tokens: Literal["unchanged"] | None = setting(
        None, "preparing", meaning="every token that no reference changes, instead of terms and patterns"
    )
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, "preparing", meaning="annotator that finds edits in text")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokens is not None and (self.terms, self.patterns) != (None, None):
            raise UsageError("kept: tokens cannot be combined with terms and patterns", hint="use two metrics")
        if self.used_patterns is not None:
            pattern_names(self.used_patterns)

    @property
    def used_patterns(self) -> str | None:
        """The patterns: all kinds, if neither terms nor tokens are given."""
        is_default = (self.terms, self.patterns, self.tokens) == (None, None, None)
        return "+".join(PATTERNS) if is_default else self.patterns

    @cached_property
    def protected(self) -> ProtectedTexts:
        """The terms and patterns."""
        return ProtectedTexts.of(self.terms, self.used_patterns)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature, files with their checksums."""
        settings = super().signed(inputs)
        if self.used_patterns is not None:
            settings["patterns"] = self.used_patterns
        if self.terms is not None:
            settings["terms"] = signed_file(self.terms, read_terms(self.terms).digest)
        if self.patterns is not None and pattern_names(self.patterns) is None:
            settings["patterns"] = signed_file(self.patterns, read_patterns(self.patterns).digest)
        return settings

    @property
    def final_remarks(self) -> Callable[[Mapping[str, float]], Sequence[str]] | None:
        return None if self.terms is None or self.used_patterns is not None else self._remark_on_absent_terms

    def _remark_on_absent_terms(self, sums: Mapping[str, float]) -> Sequence[str]:
        is_absent = not any(sums.values())
        return [f"kept: no term of {self.terms} is due: case and accents count"] if is_absent else []

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        """Raise InputError if terms are listed for lines that the source lacks."""
        terms = self.protected.terms
        if terms is not None and terms.by_line:
            last = max(terms.by_line)
            lines = sum(map(len, corpus.parts(self.block))) if corpus.sentences is None else corpus.sentences
            if last > lines:
                message = f"the term of line {last} is beyond the last line of the source, {lines}"
                raise InputError(message, path=terms.path, line=terms.by_line[last][0][1])
        return super().remarks(corpus)

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedKept:
        tokens = [str(line).split() for line in corpus.source]
        by_sentence = [self._occurrences(words, corpus.place(s) + 1) for s, words in enumerate(tokens)]
        sentence = np.repeat(np.arange(len(corpus)), [len(occurrences) for occurrences in by_sentence])
        everything = PreparedKept(corpus, tokens, sentence, [span for spans in by_sentence for span in spans])
        common = corpus.with_common_references()
        if common.gold is None and not common.references:
            return everything
        is_due = ~everything.changed(reference_edits(common, self.extraction, threads))
        due = [everything.occurrences[index] for index in np.flatnonzero(is_due).tolist()]
        return PreparedKept(corpus, tokens, sentence[is_due], due)

    def _occurrences(self, tokens: Sequence[str], number: int) -> list[Occurrence]:
        if self.tokens is not None:
            return [Occurrence(index, index + 1, TOKEN) for index in range(len(tokens))]
        return self.protected.occurrences(tokens, number)

    def count(
        self, prepared: PreparedKept, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return the numbers of texts that are kept and lost, ``array[s, 0, k]``."""
        corpus = prepared.corpus
        edits = hypothesis_edits(corpus, hypothesis, self.extraction, threads)
        column = prepared.changed(edits).astype(np.int64)
        array = np.zeros((len(corpus), 1, len(COLUMNS)), np.int64)
        np.add.at(array, (prepared.sentence, np.zeros_like(column), column), 1)
        return Counts(array, COLUMNS, None, _evidence(prepared, edits, column) if evidence else None)

    def reference_names(self, names: Sequence[str], positions: Sequence[int]) -> Sequence[str]:
        """Return the name of all references, of which none may change a text that is due."""
        return ["all"]

    def score(self, totals: NDArray[Any]) -> Floats:
        kept, lost = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        return ratio(kept, kept + lost, np.nan)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        return {"due": np.asarray(totals, np.float64).sum(-1)}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        return np.nan_to_num(self.score(counts), nan=1.0)


def _evidence(prepared: PreparedKept, edits: Edits, column: NDArray[np.int64]) -> Evidence:
    """Return a row for each occurrence: its tokens, and the text that the system has in their place."""
    rows = EvidenceRows(text_of=lambda edit: edit.corrections[0])
    for s, (start, end, kind), k in zip(prepared.sentence.tolist(), prepared.occurrences, column.tolist(), strict=True):
        tokens = prepared.tokens[s]
        text = _text_of(tokens, start, end, edits.sentence(s)[0][1]) if k else " ".join(tokens[start:end])
        rows.add((s, 0, k), 1.0, HYPOTHESIS, Edit(start, end, kind, (text,)))
    return rows.evidence()


def _text_of(tokens: Sequence[str], start: int, end: int, edits: Sequence[tuple[int, int, str, str]]) -> str:
    """Return the text of a system in place of source tokens, with the whole corrections of edits at them."""
    words: list[str] = []
    position = start
    for first, last, _, correction in sorted(edit for edit in edits if edit[0] >= 0):
        if (first < end and last > start) or start < first == last < end:
            words += tokens[position:first]
            words += [] if correction.strip() == DELETE else correction.split()
            position = max(position, last)
    return " ".join([*words, *tokens[position:end]])
