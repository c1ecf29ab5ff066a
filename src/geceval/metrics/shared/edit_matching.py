"""Comparison of edits: base class of metrics, and matching."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from geceval._kernel import Edits, Text, compare_edits, match_gold
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import HYPOTHESIS, Counts, Evidence
from geceval.counting.metric import ByKind, Metric, P
from geceval.counting.observations import SignatureInputs
from geceval.edits.annotation import UPOS, Annotator
from geceval.edits.corpus_edits import Extraction
from geceval.edits.languages import check_annotator, make_annotator, signed_types
from geceval.text.columns import Lines
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOOP, UNKNOWN, Edit, used_types
from geceval.text.m2.type_selectors import TypeSelectors, near_types

#: Parts of types after the operation: ERRANT's, universal parts of speech, and additions of other languages.
CATEGORIES = (
    UPOS
    | {f"{pos}:INFL" for pos in UPOS}
    | frozenset(
        "ADJ:FORM CONJ CONTR DIACR MORPH NOUN:INFL NOUN:NUM NOUN:POSS ORTH ORTH:CASING ORTH:WSPACE OTHER PREP SPACE"
        " SPELL VERB:FORM VERB:INFL VERB:SVA VERB:TENSE WO WO:SPELL".split()
    )
)


#: Types that edits found in text can have.
TYPES = frozenset({f"{operation}:{category}" for operation in "MRU" for category in CATEGORIES} | {*"MRU", UNKNOWN})


#: Types of ChERRANT: missing, redundant, substitution, word order.
CHERRANT_TYPES = frozenset("MRSW")

#: Meaning of the setting ``types``.
COUNTED = "only types of edits that count, before references are chosen, joined by +: R:VERB:SVA, DET, R, VERB*"


def possible_types(corpus: TextSource) -> tuple[frozenset[str], str]:
    """Return the types that edits of a corpus can have, and a phrase that names ERRANT if its types are among them.

    Edits of another tag set, such as NUCLE's, have no type of ERRANT, if none are extracted from text.
    """
    types = corpus.edit_types - {NOOP}
    if types and types <= CHERRANT_TYPES and not finds_edits(corpus):
        return CHERRANT_TYPES, ""
    if types and not types & TYPES and not finds_edits(corpus):
        return types, ""
    return types | TYPES, "of ERRANT or "


def finds_edits(corpus: TextSource) -> bool:
    """Return whether edits of references or systems are found in text."""
    texts = {*corpus.system_names} - {*corpus.m2_systems, SOURCE}
    return corpus.gold is None or corpus.gold_edits == "reannotated" or bool(texts)


def warn_of_unknown(name: str, corpus: TextSource, hint: str = "") -> list[str]:
    """Return a warning if all gold edits have the type UNK, which does not count."""
    types = corpus.edit_types if corpus.gold is not None else frozenset()
    if UNKNOWN not in types or types - {UNKNOWN, NOOP}:
        return []
    return [f"{name}: no gold edit counts: all have the type UNK, of errors without a correction{hint}"]


class OnEdits(Metric[P]):
    """A metric on edits: gold edits, edits of M2, and edits extracted from text.

    Attributes:
        annotator: Annotator that extracts edits from text, or its name.
    """

    takes_gold: ClassVar[bool] = True
    extracts_edits: ClassVar[bool] = True
    carries_edits: ClassVar[bool] = True
    by_kind: ClassVar[ByKind] = ByKind()
    #: Columns without which a score says nothing of ``types``.
    edit_columns: ClassVar[tuple[str, ...]] = ()

    annotator: Annotator | str
    #: Only types of edits that count, joined by ``+``; None: all.
    types: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_annotator(self.annotator)  # gold edits and M2 alone would not use it

    @cached_property
    def selectors(self) -> TypeSelectors | None:
        """Selectors of ``types``."""
        return None if self.types is None else TypeSelectors.of(self.types)

    @cached_property
    def excluded(self) -> TypeSelectors | None:
        """Selectors of types that do not count."""
        return None

    def restricted(self, edits: Edits) -> Edits:
        """Return the same versions with the edits that ``types`` selects."""
        return edits if self.selectors is None else self.selectors.restricted(edits)

    def check_types(self, corpus: TextSource) -> None:
        """Raise UsageError, with near names, if an edit of a corpus can not have a type of ``types``.

        A single sentence, as of a reward, may lack a type of ERRANT.
        """
        if self.selectors is None:
            return
        types, tag_set = possible_types(corpus)
        if corpus.sentences != 1 and not finds_edits(corpus):
            types, tag_set = corpus.edit_types - {NOOP}, ""
        excluded = TypeSelectors(()) if self.excluded is None else self.excluded
        for pattern in self.selectors.unmatched(types):
            message = f"{self.name}: types names {pattern!r}, which is not a type {tag_set}of any edit here"
            raise UsageError(message, hint=near_types(pattern, types))
        if all(excluded.match(type_) for type_ in types if self.selectors.match(type_)):
            message = f"{self.name}: exclude={excluded} leaves no edit of types={self.selectors}"
            raise UsageError(message, hint="exclude fewer types")

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        self.check_types(corpus)
        return ()

    @property
    def check_sums(self) -> Callable[[Mapping[str, float]], None] | None:
        return self._check_edits if self.selectors is not None and self.edit_columns else None

    def _check_edits(self, sums: Mapping[str, float]) -> None:
        """Raise UsageError if neither references nor systems have an edit of ``types``."""
        if not any(sums[name] for name in self.edit_columns):
            message = f"{self.name}: no edit of references or systems that counts has types={self.selectors}"
            raise UsageError(message, hint=Hint(Option("by", "full"), " shows the types of edits"))

    @property
    def text_annotator(self) -> Annotator | str | None:
        return self.annotator if self.extracts_edits else None

    @property
    def extraction(self) -> Extraction:
        """Extraction of edits from text."""
        return Extraction(self.annotator)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature.

        The annotator is included, with its version, if edits are extracted from text; ``types`` is called ``only``.
        """
        settings = super().signed(inputs)
        # An annotator's tag set is called "types" there.
        settings = {"only" if name == "types" else name: value for name, value in settings.items()}
        extraction = {name: settings.pop(name) for name in ("annotator", "merging", "lev") if name in settings}
        if not self.matches_edits or not inputs.annotated:
            return settings
        annotator = make_annotator(self.annotator)
        return settings | extraction | {"annotator": annotator.name} | signed_types(annotator)


def ragged_counts(
    references: ArrayLike, cells: NDArray[Any], columns: tuple[str, ...], evidence: Evidence | None
) -> Counts:
    """Return the counts of sentences with ``references`` [S] references each.

    ``cells``: in order, [*, K].
    """
    lengths = np.asarray(references)
    present = np.arange(lengths.max()) < lengths[:, np.newaxis]
    array = np.zeros((*present.shape, len(columns)), cells.dtype)
    array[present] = cells
    return Counts(array, columns, None if present.all() else present, evidence)


def counted_edits(edits: Edits, selectors: TypeSelectors | None = None) -> NDArray[np.bool_]:
    """Return which edits [E] are no noops and have one of the types (None: any)."""
    selectors = TypeSelectors.of("*") if selectors is None else selectors
    return np.asarray(selectors.mask(edits) & (edits.start >= 0))


def version_indices(edits: Edits) -> NDArray[np.int64]:
    """Return the index of the version of each edit [E]."""
    lengths = np.diff(edits.offsets)
    return np.repeat(np.arange(len(lengths)), lengths)


def sentences_of(edits: Edits) -> NDArray[np.int64]:
    """Return the index of the sentence of each edit [E]."""
    return np.repeat(np.arange(len(edits)), np.diff(edits.offsets[edits.versions]))


def evidence_without_edits(array: NDArray[Any]) -> Evidence:
    """Return evidence of counts [S, R, K] that are no edits: a row for each cell that is not 0."""
    sentence, reference, column = np.nonzero(array)
    rows = len(sentence)
    no_edit = dict.fromkeys(("start", "end", "text", "type"), np.zeros(rows, np.int32))
    weight, side = array[sentence, reference, column].astype(np.float64), np.full(rows, HYPOTHESIS, np.uint8)
    return Evidence(sentence, reference, column, weight, side, **no_edit, strings=("",))


class EvidenceRows:
    """Evidence to which edits are added one by one.

    ``partners``: whether it contains the edit that an edit counts for. ``text_of`` returns the text of an edit.
    """

    def __init__(self, *, partners: bool = False, text_of: Callable[[Edit], str] = attrgetter("correction")) -> None:
        self._partners, self._text_of = partners, text_of
        self._index: dict[str, int] = {}
        self._rows: list[tuple[float, ...]] = []

    def add(self, cell: tuple[int, int, int], weight: float, side: int, edit: Edit, partner: int = -1) -> None:
        """Add an edit to the cell (sentence, reference, column) of the counts."""
        strings = (self._text_of(edit), edit.type)
        text, type_ = (self._index.setdefault(string, len(self._index)) for string in strings)
        self._rows.append((*cell, weight, side, edit.start, edit.end, text, type_, partner))

    def evidence(self) -> Evidence:
        """Return the rows as columns."""
        table = np.array(self._rows, dtype=np.float64).reshape(-1, 10).T
        sentence, reference, column = table[:3].astype(np.int64)
        start, end, text, type_, partner = table[5:].astype(np.int32)
        side, strings = table[4].astype(np.uint8), list(self._index)
        partners = partner if self._partners else None
        return Evidence(
            sentence, reference, column, table[3], side, start, end, text, type_, strings=strings, partner=partners
        )


#: The criterion of equal edits: span and correction (cs), and type (cse); span (ds); token (dt).
Mode: TypeAlias = Literal["cs", "cse", "ds", "dt"]
#: Only edits of at most one token on either side, only others, or all.
Size: TypeAlias = Literal["all", "single", "multi"]

COLUMNS = ("tp", "fp", "fn")


@dataclass(frozen=True)
class Matching:
    """The edits that count, and the criterion by which two are the same.

    An error without a correction (UNK) counts in detection only (ds, dt). ``exclude``: types that do not count;
    ``types``: the only ones that count.
    """

    mode: Mode = "cs"
    size: Size = "all"
    exclude: TypeSelectors | None = None
    types: TypeSelectors | None = None

    def compare(self, hypothesis: Edits, references: Edits, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return true positives, false positives and false negatives ``array[s, r, k]``.

        r runs over the pairs (version of the hypothesis, version of the references), the latter faster. A match counts
        once for each reference edit that is the same, under its type; a miss once for each edit. Evidence in that
        order: matches and false positives as the hypothesis has them, then misses; start and end in mode dt are the
        token's. Raises KernelError for millions of tokens inside edits.
        """
        excluded = set[str]()
        if self.exclude is not None or self.types is not None:
            for edits in (hypothesis, references):
                excluded.update(type_ for type_ in used_types(edits).values() if not self._counts(type_))
        settings = self.mode, self.size, sorted(excluded)
        array, present, columns = compare_edits(hypothesis, references, settings, threads, evidence)
        return Counts(array, COLUMNS, present, None if columns is None else Evidence(**columns))

    def _counts(self, type_: str) -> bool:
        is_selected = self.types is None or self.types.match(type_)
        return is_selected and not (self.exclude is not None and self.exclude.match(type_))


GOLD_COLUMNS = ("correct", "proposed", "gold")
CORRECT, PROPOSED, GOLD = range(3)
#: The kernel's column with the state of a sentence, and its values.
_STATE = 3
_LATE, _TOO_LONG = 1, 2


def matched_by_kind(*proposed: str) -> ByKind:
    """Return how edits found by MaxMatch have kinds: the recall only.

    An edit that matches no gold edit has no type, and may contain unchanged words, so that its length is not
    meaningful; there is no precision of a kind. ``proposed``: the columns of proposed edits.
    """
    return ByKind(dict.fromkeys(proposed, "(unmatched)"), frozenset({"precision", "score"}))


class Gold:
    """Gold blocks whose edits fit their sentences; see Corpus."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks

    def matched(
        self,
        hypothesis: Lines,
        max_unchanged: int,
        ignore_whitespace_casing: bool = False,
        timeout: float | None = None,
        threads: int = 0,
        *,
        evidence: bool = False,
    ) -> Counts:
        """Return ``array[s, a]`` of correct, proposed and gold edits of a hypothesis.

        The edits of the hypothesis are chosen to match the gold edits of each annotator. A sentence that exceeds the
        time proposes nothing. Evidence: edits proposed, with the tokens of the hypothesis as text and the type of the
        gold edit they match ("" if none); correct ones, a row for each gold edit matched; gold edits as written,
        alternatives joined by ``||``. Cost: see kernel/core/src/lattice. Raises InputError for a sentence too long for
        its lattice (4 · 10^7 token pairs, or degenerate text).
        """
        text = Text(hypothesis)
        settings = max_unchanged, ignore_whitespace_casing, timeout
        counts, columns = match_gold(self.blocks.source, self.blocks.edits, text, settings, threads, evidence)
        rows = None if columns is None else Evidence(**columns)
        state = counts[..., _STATE].max(axis=1, initial=0)
        self._check(state == _TOO_LONG, text)
        late = state == _LATE if (state == _LATE).any() else None
        return Counts(counts[..., :_STATE].astype(np.int64), GOLD_COLUMNS, self.blocks.present, rows, given_up=late)

    def _check(self, too_long: NDArray[np.bool_], text: Text) -> None:
        for s in np.flatnonzero(too_long).tolist():
            block, line = self.blocks[s], str(text[s])
            lengths = f"{len(block.tokens)} and {len(line.split())} tokens"
            beginning = " ".join(line[:500].split()[:8])
            message = f"sentence {s + 1}, of {lengths}, is too long to be matched: {beginning} ..."
            raise block.error(message, hint="is a line end missing?", sentence=s)


def edits_by_cell(evidence: Evidence) -> dict[tuple[int, int, int], list[Edit]]:
    """Return the edits of every (sentence, annotator, column) with edits, in order."""
    if evidence.start is None or evidence.end is None or evidence.text is None or evidence.type is None:
        raise InputError("this evidence is not made of edits")
    cells: dict[tuple[int, int, int], list[Edit]] = {}
    cells_of = evidence.sentence, evidence.reference, evidence.column
    edits = evidence.start, evidence.end, evidence.text, evidence.type
    for s, r, k, start, end, text, kind in zip(*(column.tolist() for column in (*cells_of, *edits)), strict=True):
        written = evidence.strings[text]
        # A gold edit has alternatives; the edits of a system are tokens of its text.
        corrections = tuple(written.split("||")) if k == GOLD else (written,)
        cells.setdefault((s, r, k), []).append(Edit(start, end, evidence.strings[kind], corrections))
    return cells
