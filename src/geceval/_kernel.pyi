"""Types of the compiled kernel.

``tests/test_stub.py`` compares names, arguments and results with the binary.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, Protocol, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BlockTable",
    "ChunkTable",
    "EditError",
    "Edits",
    "Extractor",
    "Form",
    "GoldTable",
    "LineCutter",
    "NgramTable",
    "Phrases",
    "SentenceError",
    "SlotTable",
    "Tagger",
    "Text",
    "WordList",
    "__version__",
    "best_regions",
    "beyond_ascii",
    "classify_annotated",
    "compare_edits",
    "compare_lines",
    "divided_lines",
    "extract_annotated",
    "first_largest",
    "in_order",
    "indel_distances",
    "is_alone",
    "keyed_edits",
    "letters",
    "normalised",
    "penn_category",
    "raw_lines",
    "region_figures",
    "region_scores",
    "resampled_sums",
    "resampling_weights",
    "rounded_all",
    "running_choices",
    "text_letters",
    "text_marks",
    "tokenised",
    "trueskill_in_order",
    "trueskill_runs",
]

__version__: str

_Bytes = NDArray[np.uint8]
_Ints = NDArray[np.int32]
_Longs = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_EditRow = tuple[int, int, str, str, str, str, int, int | None, int]
_TargetRow = tuple[int, int | None, str]
_BlockRow = tuple[str, list[_EditRow], list[str], bool, str | None, int | None, list[_TargetRow]]

class _Annotated(Protocol):
    """Annotated sentences in columns, like edits.annotation.Annotated."""

    @property
    def strings(self) -> Sequence[str]: ...
    @property
    def offsets(self) -> _Longs: ...
    @property
    def form(self) -> _Ints: ...
    @property
    def lemma(self) -> _Ints: ...
    @property
    def pos(self) -> _Ints: ...
    @property
    def tag(self) -> _Ints: ...
    @property
    def dep(self) -> _Ints: ...
    @property
    def head(self) -> _Ints: ...

class _Block(Protocol):
    """A sentence with its edits, with the attributes of text.m2.Block."""

    @property
    def source(self) -> str: ...

@final
class Text(Sequence[str | None]):
    """Sequence of lines of text in one buffer, with None for missing lines.

    Slices share the buffer.
    """

    def __new__(cls, lines: Iterable[str | None]) -> Text: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, at: int, /) -> str | None: ...
    @overload
    def __getitem__(self, at: slice, /) -> Text: ...
    @staticmethod
    def from_arrow(data: _Bytes, offsets: _Longs, valid: _Bools | None = None) -> Text:
        """Return the lines between offsets in UTF-8. O(bytes).

        Args:
            data: Bytes, from the first offset to the last one or more.
            offsets: [lines + 1], ascending.
            valid: [lines], False for missing lines; None if no line is missing.

        Raises:
            ValueError: If the bytes are not UTF-8, or an offset is outside or within a character.
        """
    @staticmethod
    def joined(texts: Sequence[Text]) -> Text:
        """Return the lines of several texts. O(bytes)."""
    def contains_any(self, bytes: Sequence[int]) -> bool:
        """Return whether a line contains one of three ASCII bytes. O(bytes)."""
    @property
    def complete(self) -> bool:
        """Whether no line is missing."""
    def differing(self, other: Text) -> list[int]:
        """Return the places where the words of the lines differ. O(bytes).

        Raises ValueError unless both have the same length.
        """
    def fingerprint(self) -> int:
        """Return a 128-bit hash of the lines. O(bytes)."""

def is_alone() -> bool:
    """Return whether this process starts no threads, as a child of one with threads."""

def tokenised(text: Text, rules: Literal["english", "treebank", "char", "grapheme"], threads: int = 0) -> Text:
    """Return the lines, tokenised by the rules, with a space between tokens.

    Missing lines stay missing. O(bytes).

    Args:
        text: Lines.
        rules: Name of the rules.
        threads: Number of threads; 0 means one per processor. The result does not depend on it.

    Raises:
        ValueError: If the rules do not exist.
    """

def normalised(
    text: Text,
    form: Literal["nfc", "nfd", "nfkc", "nfkd", "quotes", "dashes", "ellipses", "words", "blanks"],
    threads: int = 0,
) -> Text:
    """Return the lines in a form.

    Missing lines stay missing. O(bytes).

    Args:
        text: Lines.
        form: Unicode form, or typographic characters to replace by ASCII, or ``words`` for single blanks between words,
            or ``blanks`` for this without invisible characters.
        threads: Number of threads; 0 means one per processor. The result does not depend on it.

    Raises:
        ValueError: If the form does not exist.
    """

@final
class LineCutter:
    """Splitter of the bytes of a file, pushed in portions, into lines.

    ``push`` and ``finish`` return None or a fault: (line, byte offset, byte, reason). The reason is "NUL", "long"
    (a line of more than 1 GiB), "memory", or a fault of UTF-8.
    """

    def __new__(cls) -> LineCutter: ...
    def push(self, data: bytes) -> tuple[int, int, int, str] | None: ...
    def finish(self) -> tuple[int, int, int, str] | None:
        """Mark the end of the bytes."""
    @property
    def ready(self) -> int:
        """Number of lines that can be taken."""
    def take(self, most: int) -> Text:
        """Return at most ``most`` of the next lines."""

@final
class Edits:
    """Edits of all versions of S sentences, in columns.

    A version belongs to an annotator, a reference or a system. Sentence s has the versions
    ``versions[s]:versions[s + 1]``. Version v belongs to ``annotator[v]`` and has the edits
    ``offsets[v]:offsets[v + 1]``, in the order of reading or extraction. Edit e replaces the source tokens
    ``start[e]:end[e]``; ``type[e]`` and ``text[e]``, the correction as written, are indices of ``strings``.
    ``literal`` is whether the edits were extracted from text, where ``||`` is a token; in M2 it separates
    alternatives.
    """

    def __new__(
        cls, sentences: Sequence[Sequence[tuple[int, Sequence[tuple[int, int, str, str]]]]], literal: bool = False
    ) -> Edits: ...
    @staticmethod
    def beside(parts: Sequence[Edits]) -> Edits:
        """Return one table of the edits in several tables of the same sentences.

        The annotator of a version is its index in ``parts``.

        Raises:
            ValueError: If the number of sentences or ``literal`` differs between the tables.
        """
    def __len__(self) -> int: ...
    literal: Final[bool]
    @property
    def nbytes(self) -> int:
        """Size in bytes."""
    def sentence(self, at: int) -> list[tuple[int, list[tuple[int, int, str, str]]]]:
        """Return the versions of a sentence: (annotator, edits).

        An edit is (start, end, type, text).
        """
    versions: Final[_Longs]
    annotator: Final[_Ints]
    offsets: Final[_Longs]
    start: Final[_Ints]
    end: Final[_Ints]
    type: Final[_Ints]
    text: Final[_Ints]
    strings: Final[list[str]]

@final
class NgramTable:
    """Sources and references that can be compared with hypotheses by n-grams.

    With ``keep`` the n-grams of sources and references are numbered once, which saves time for several hypotheses. A
    missing line counts as empty. ``threads`` 0 means one per processor. Raises ValueError if the counts of a system
    exceed 4 GiB, SentenceError for a sentence with too many n-grams.
    """

    def __new__(
        cls,
        source: Text,
        references: Sequence[Text],
        n: int,
        unit: Literal["word", "char", "grapheme"],
        threads: int = 0,
        *,
        keep: bool = True,
    ) -> NgramTable: ...
    def count(self, hypotheses: Text, threads: int = 0, *, absent: bool = True) -> _Ints:
        """Return counts ``[sentence, reference, order, 8]`` of n-grams.

        The 8 counts are tk td ti od oi ud ui, and the n-grams of ud that the reference lacks. The last count takes
        time and is omitted without ``absent``.
        """
    def evidence(self, hypotheses: Text, threads: int = 0) -> tuple[list[_Ints], list[str]]:
        """Return the counted n-grams in columns, and their strings.

        The columns are sentence, reference, order (from 1), region (of the 8), weight and text. Texts are indices of
        the strings. Each n-gram of each region has a row, except in missing references.
        """
    def __len__(self) -> int: ...

def compare_edits(
    hypothesis: Edits,
    references: Edits,
    mode: Literal["cs", "cse", "ds", "dt"],
    size: Literal["all", "single", "multi"],
    exclude: Sequence[str],
    literal: bool,
    threads: int = 0,
    *,
    evidence: bool = False,
) -> tuple[_Longs, _Bools | None, tuple[_Longs, _Longs, _Longs, _Bytes, _Ints, _Ints, _Ints, _Ints, list[str]] | None]:
    """Compare all versions of the hypothesis and the references as ERRANT does.

    metrics.errant describes the settings.

    Returns:
        Counts [S, pairs, 3] of true positives, false positives and false negatives; the present pairs [S, pairs]
        (None: all); and the evidence: sentence, pair, column, side, start, end, text, type, and the strings.
        Strings of both tables occur twice, strings only in columns once.

    Raises:
        SentenceError: If the edits of a version contain more than 2^22 tokens.
    """

def keyed_edits(
    edits: Edits,
    mode: Literal["cs", "cse", "ds", "dt"],
    size: Literal["all", "single", "multi"],
    exclude: Sequence[str],
    literal: bool,
) -> tuple[_Longs, _Ints, _Ints, _Ints, _Ints]:
    """Return the keys by which versions are compared.

    Of equal edits, only the first one counts. Noops are included.

    Returns:
        Offsets of versions [V + 1], start, end, text and type. The last two are indices of ``edits.strings``.

    Raises the errors of compare_edits.
    """

@final
class Form:
    """The form of F for counts [K].

    Sums have weights [K] and run from the last column to the first. Precision P is hit / proposed, or 1 if the sum
    ``wrong`` is 0; recall R is hit / gold, or 1 if the sum ``missed`` is 0. F = (1 + b²) P R / (b² P + R) or 0, where
    ``square`` is b².

    References are compared by this F (``of`` ratios), or (``of`` sums) by (1 + b²) hit / (b² gold + proposed), which is
    1 without a hit and 0 else if the denominator is 0. It is rounded to ``digits`` (0 … 22; None: not rounded). The
    sums ``ties``, of the totals or of the sentence's own counts, decide between equal values. Raises ValueError for
    other values.
    """

    def __new__(
        cls,
        hit: Sequence[float],
        proposed: Sequence[float],
        gold: Sequence[float],
        wrong: Sequence[float],
        missed: Sequence[float],
        square: float,
        of: Literal["sums", "ratios"],
        digits: int | None,
        ties: Sequence[Sequence[float]],
        ties_of: Literal["totals", "sentence"],
    ) -> Form: ...
    def precision_recall(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Return precision and recall [..., 2] of counts [..., K].

        Counts are 32-bit or 64-bit integers or doubles. Raises ValueError for another K.
        """

    def scores(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Return F [...] of counts [..., K]."""

    def ranks(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Return the compared F and the sums that break ties, [..., 1 + T]."""

def first_largest(ranks: NDArray[Any], present: _Bools | None) -> _Longs:
    """Return the references [S] with the largest ranks [S, R, T].

    Ranks are compared in lexicographic order. Of equal ranks the first wins; references that are not ``present``
    [S, R] are ignored. O(S · R · T). Raises ValueError if the shapes do not match.
    """

def region_scores(counts: NDArray[Any], n: int, beta: float) -> NDArray[np.float64]:
    """Return F [...] of the n-gram regions [..., 7n] over all orders."""

def region_figures(counts: NDArray[Any], n: int, beta: float) -> NDArray[np.float64]:
    """Return precision, recall and F of each order and of the orders up to it.

    O(n²) for each row.

    Args:
        counts: Regions [..., 7n].
        n: Number of orders.
        beta: Weight of recall.

    Returns:
        Figures [..., n, 6].
    """

def best_regions(counts: NDArray[Any], present: _Bools | None, beta: float) -> _Longs:
    """Return the references [S] with the largest F of their regions [S, R, 7n].

    Equal ones are compared by F over fewer and fewer orders; of equal ones the first wins.
    """

_Count = TypeVar("_Count", np.int64, np.float64)

def running_choices(
    counts: NDArray[_Count], present: _Bools | None, totals: NDArray[_Count], form: Form
) -> tuple[_Longs, NDArray[_Count]]:
    """Return the reference with the highest running F of each sentence, and totals.

    The running F includes all sentences up to this one. Of equal references, the first one is chosen.
    O(S · R · K).

    Args:
        counts: Counts [S, R, K].
        present: References that exist [S, R]. None: all.
        totals: Sums [K] of previous sentences.
        form: Form of F.

    Raises:
        ValueError: If a sentence has no reference or the shapes do not match.
    """

_Weights = Literal["poisson", "swap", "labelling"]

def resampling_weights(keys: NDArray[np.uint64], kind: _Weights, seed: int, replicates: int) -> _Bytes:
    """Return the weights [replicates, S] of sentences.

    They are a pure function of kind, seed, replicate and key. ``poisson``: frequency in a bootstrap sample,
    0..12. ``swap``: whether labels are swapped, 0 or 1. ``labelling``: bit ``key`` of the replicate's number, so
    that 2^m replicates are all labellings of m sentences. O(replicates · S).
    """

def resampled_sums(
    rows: _Longs,
    keys: NDArray[np.uint64],
    kind: _Weights,
    seed: int,
    replicates: int,
    threads: int = 0,
    first: int = 0,
) -> _Longs:
    """Return the sums [replicates, C] of rows [S, C] times their weights.

    The weights are the ones of resampling_weights, from replicate number ``first`` on. O(replicates · S · (1 + C / 4)).

    Raises:
        ValueError: If keys and rows differ in length, or if 12 times the sum of all counts exceeds 2^63.
    """

def rounded_all(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """Return numbers [N] rounded to at most 22 decimals, as Python's ``round`` does."""

@final
class WordList:
    """The word list of the spelling rule."""

    def __new__(cls, words: Iterable[str]) -> WordList: ...
    @staticmethod
    def english() -> WordList:
        """Return the English words of the kernel; only proper names have capitals. O(1)."""
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class Extractor:
    """Extractor of edits from text with the builtin annotator.

    ``plain`` selects Levenshtein alignment. ``threads`` 0 means one per processor.
    """

    def __new__(cls, tagger: Tagger, words: WordList, rules: str, merging: str, plain: bool) -> Extractor: ...
    def extract(self, source: Text, targets: Sequence[Text], threads: int = 0) -> list[Edits]:
        """Return the edits from each source to each of its targets.

        A sentence has one version, by annotator 0, or none if the target is missing. Raises SentenceError for a pair
        too long to align, ValueError for a missing line of the source and for texts of other lengths.
        """

def extract_annotated(
    parts: Sequence[tuple[_Annotated, Sequence[Sequence[str]]]],
    words: WordList,
    pairs: Sequence[tuple[int, int] | None],
    merging: str,
    plain: bool,
    rules: str,
    types: str,
    threads: int = 0,
) -> Edits:
    """Return the edits of pairs of annotated sentences, one version each.

    A pair of equal numbers has no edits, and None has no version. ``parts`` are annotated sentences, numbered
    consecutively, with the lemmas (as a noun, a verb, an adjective) of their lower-case strings if the types require
    them. edits.annotation describes ``rules`` (alignment and merging) and ``types``. Raises SentenceError for a pair
    too long to align.
    """

def classify_annotated(
    parts: Sequence[tuple[_Annotated, Sequence[Sequence[str]]]],
    words: WordList,
    edits: Sequence[Sequence[int]],
    types: str,
) -> list[str]:
    """Return the types of edits [E][6].

    An edit consists of source and target sentence, start, end, target start and target end.
    """

def letters(text: str) -> tuple[bool, bool, str]:
    """Return whether a string is alphabetic and capitalised, and its lower case."""

def penn_category(tag: str) -> str | None:
    """Return the ERRANT category of a Penn tag; None for other tags."""

@final
class Tagger:
    """Tagging model with the rules of a profile.

    Vocabulary and weights are the parts of a model file. A rule has tags, lower-case forms, labels (each separated by
    blanks, "" for all), universal POS and lemma ("" for no change); a later rule overrules earlier ones. ``spacy`` is
    the release whose lemmatiser is followed.

    Raises:
        ValueError: If the model is damaged.
    """

    def __new__(cls, vocabulary: bytes, weights: bytes, rules: Sequence[Sequence[str]], spacy: int) -> Tagger: ...
    def bases(self, words: Sequence[str]) -> list[list[str]]:
        """Return the lemmas of lower-case words as a noun, a verb and an adjective."""
    def annotate(self, sentences: Sequence[Sequence[str]], threads: int = 0) -> tuple[list[str], _Longs, list[_Ints]]:
        """Return strings, offsets, and the columns form, lemma, pos, tag, dep, head.

        ``threads`` 0 means one per processor.
        """

@final
class BlockTable:
    """M2 blocks in columns, as m2.Blocks stores them.

    The blocks have the attributes of m2.Block.

    Raises:
        TypeError: If the columns cannot store a value.
    """

    def __new__(cls, blocks: Iterable[_Block]) -> BlockTable: ...
    @staticmethod
    def parse(
        data: bytes, path: str | None, line: int, last: bool, shared: bool = False
    ) -> tuple[BlockTable, list[tuple[int, int, str, int, int, str]]]:
        """Return the blocks of a part of a file, and faults in the order of lines.

        A part starts and ends between two blocks, and its first line is ``line``; nothing follows the ``last`` one. A
        fault is (line, number of complete blocks before its block, kind, two numbers, text). Its line is skipped,
        except for a second ``S`` line in a block, which begins a block. If ``shared``, it is no fault: the sentences of
        the block share its edits, as in the official scorer. O(bytes).
        """
    @staticmethod
    def merged(tables: Sequence[BlockTable], numbers: Sequence[Sequence[tuple[int, int]]]) -> BlockTable:
        """Return the lines of all tables of the same sentences.

        ``numbers[t]`` are pairs of an annotator of table t and its number in the result. An annotator without a line in
        a block gets a noop. ``T`` lines stay in blocks that have them in all tables. O(edits · annotators of a table).

        Raises:
            ValueError: If there is no table, tables differ in the number of blocks, or ``numbers`` has another length.
        """
    @staticmethod
    def voted(tables: Sequence[BlockTable], least: int) -> BlockTable:
        """Return the edits that at least ``least`` tables have, as :func:`m2.vote` does.

        The blocks end before the first one that has several annotators in a table, or edits that overlap or do not fit.
        O(bytes + edits · log edits), and O(edits²) of a block. Raises the errors of ``merged``.
        """
    def __len__(self) -> int: ...
    def block(self, at: int) -> _BlockRow:
        """Return source, edits in file order, notes, ended, path, line, targets.

        An edit is (start, end, type, text, required, comment, annotator, line, alignment), a target (annotator,
        alignment, text).
        """
    def slice(self, start: int, stop: int) -> BlockTable:
        """Return copies of the existing blocks ``start:stop``. O(their edits)."""
    @property
    def notes(self) -> list[str]:
        """The ``I`` lines of all blocks, in the order of the blocks. O(their bytes)."""
    @property
    def first_target(self) -> int | None:
        """The first block with ``T`` lines, as ChERRANT writes them. O(blocks)."""
    def at(self, places: Sequence[int]) -> BlockTable:
        """Return the blocks at these places, in this order.

        Cost: O(their bytes). Raises IndexError for other places.
        """
    def of_annotators(self, annotators: Sequence[int]) -> BlockTable:
        """Return the blocks with only the lines of these annotators. O(edits)."""
    def sorted(self) -> BlockTable:
        """Return the blocks with the edits of each annotator sorted by position.

        Edits of equal span stay in file order. O(edits · log edits).
        """
    def kept(self, keep: _Bools) -> BlockTable:
        """Return the blocks with all noops and the edits that ``keep`` [E] selects.

        ``keep`` refers to the column ``edits``. An annotator whose edits are all removed gets a noop. O(edits).

        Raises:
            ValueError: If ``keep`` has another length.
        """
    def lengths(self) -> _Longs:
        """Return the number of tokens of each sentence. O(bytes)."""
    def written(self) -> str:
        """Return the blocks as M2. O(bytes).

        An empty line separates blocks, and ends the text if one follows the last block.
        """
    def corrected(self, annotator: int, missing: str, alignment: int = 0) -> Text:
        """Return the sentences corrected by an annotator, by the edits of one alignment.

        Sentences without a line of the annotator are corrected by the first annotator of the block (``missing``
        "fallback"), unchanged ("plain") or None. O(bytes).

        Raises:
            EditError: For edits that overlap or are outside the sentence.
        """
    def version(self, place: int) -> Text:
        """Return ``corrected`` for the annotator at an index of each block.

        Blocks with fewer annotators have None.
        """
    source: Final[Text]
    @property
    def edits(self) -> Edits:
        """A version for each annotator of a block, including noops."""

@final
class GoldTable:
    """Sources and gold edits that can be compared with hypotheses (MaxMatch).

    The versions of ``gold`` are the annotators. Noops are skipped, ``||`` separates alternatives, and ``-NONE-`` or
    nothing deletes. Raises ValueError if the lengths differ.
    """

    def __new__(cls, source: Text, gold: Edits) -> GoldTable: ...
    def count(
        self,
        hypothesis: Text,
        max_unchanged: int,
        ignore_whitespace_casing: bool,
        timeout: float | None = None,
        threads: int = 0,
        *,
        evidence: bool = False,
    ) -> tuple[_Ints, tuple[_Longs, _Longs, _Longs, _Bytes, list[_Ints], list[str]] | None]:
        """Return counts ``[sentence, annotator, 4]`` of edits, and evidence.

        The counts are correct, proposed and gold edits, and a state: 1 after ``timeout`` seconds, 2 for a sentence
        that is too long, otherwise 0. ``threads`` 0 means one per processor.

        Evidence has a row for each counted edit, with the columns sentence, reference, column, side, start, end, text
        and type. The strings, of which text and type are indices, follow. Rows are sorted by sentence, annotator and
        column. A sentence with the state 1 or 2 has only gold edits.
        """
    def __len__(self) -> int: ...

class _Rules(Protocol):
    """Constants of TrueSkill."""

    @property
    def sigma(self) -> float: ...
    @property
    def beta(self) -> float: ...
    @property
    def draw_margin(self) -> float: ...

def trueskill_in_order(
    players: int,
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    outcome: NDArray[np.int8],
    rules: _Rules,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (means, variances) of the players' skills after games in order.

    Game g is ``first[g]`` against ``second[g]``. ``outcome[g]`` is positive if the first player won, negative if
    the second one won, and 0 for a draw.
    """

def trueskill_runs(
    wins: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    updates: int,
    rules: _Rules,
    seed: int,
    runs: int,
    threads: int = 0,
) -> NDArray[np.float64]:
    """Return skill means [runs, players] of runs over randomly drawn games.

    The games are drawn from ``wins[i, j]`` and ``draws[i, j]``. The seed of run k is ``seed + k``. ``threads`` 0
    means one per processor.
    """

class EditError(ValueError):
    """An edit that cannot be made.

    ``args``: sentence, version, edit (each from 0), and "outside" or "overlap".
    """

class SentenceError(ValueError):
    """A sentence that is too long.

    ``args``: the message, the index of the sentence, and a hint in some cases.
    """

def in_order(source: Text, edits: Edits, threads: int = 0) -> tuple[_Longs, _Longs]:
    """Return the order of the edits of each version: (offsets [V + 1], places).

    Version v has the edits ``places[offsets[v]:offsets[v + 1]]``. They are sorted by span, without noops; edits
    of equal span keep their order. O(bytes + E log E) for the E edits of a version.

    Raises:
        EditError: If an edit is outside its sentence, ends before it starts, or overlaps another one of its
            version.
    """

def divided_lines(source: Text, text: Text) -> tuple[Text, list[list[int]], float] | None:
    """Return lines, [merged, split, lost, doubtful] and the share of words found."""

def indel_distances(left: Text, right: Text, threads: int = 0) -> _Longs:
    """Return the number [S] of inserted and deleted code points between lines.

    A missing line is empty. Raises ValueError unless both have the same length. O(len · ⌈len / 64⌉) per line.
    """

@final
class SlotTable:
    """Sources split into chunks by one version of the gold edits each (GoToScorer).

    Version ``versions[s]`` of ``gold`` splits sentence s; a negative number selects none. Edits of the types
    ``exclude`` do not count, neither in the gold nor in hypotheses. The chunks ``offsets[s]:offsets[s + 1]`` are
    each edit, each token outside edits, and an empty slot before each of these and at the end, unless there is an
    insertion.

    Raises:
        EditError: As in_order.
        ValueError: If the number of sentences differs, or a version belongs to another sentence.
    """

    def __new__(
        cls, source: Text, gold: Edits, versions: _Longs, exclude: Sequence[str], threads: int = 0
    ) -> SlotTable: ...
    def __len__(self) -> int: ...
    offsets: Final[_Longs]
    start: Final[_Ints]
    end: Final[_Ints]
    @property
    def edit(self) -> _Longs:
        """The edit of the chunk in the columns of the gold, or -1."""
    def verdicts(self, hypothesis: Edits, threads: int = 0) -> tuple[_Bools, _Longs]:
        """Return whether a hypothesis is right in each chunk, and its first edit there.

        The hypothesis has one version per sentence. The edit is -1 if none touches the chunk. O(tokens), except for
        many insertions at one point. Raises the errors of SlotTable.
        """

@final
class ChunkTable:
    """Sources and ordered references that any hypothesis splits into chunks (CLEME).

    A reference that deletes everything is dropped, and with ``drop_unchanged`` also an unchanged one, unless no
    reference would remain. Edits at most ``merge_distance`` unchanged tokens apart share a chunk. Raises EditError as
    in_order, ValueError for another number of sentences. ``threads`` 0 means one per processor.
    """

    def __new__(
        cls,
        source: Text,
        references: Edits,
        merge_distance: int = 0,
        drop_unchanged: bool = False,
        threads: int = 0,
    ) -> ChunkTable: ...
    def __len__(self) -> int: ...
    @property
    def present(self) -> _Bools:
        """[S, R]: whether sentence s has a reference r that counts."""
    def partition(self, hypothesis: Edits, threads: int = 0) -> tuple[_Longs, _Ints, _Ints, _Bools, _Ints, _Bools]:
        """Return the chunks of a hypothesis in columns.

        Returns:
            Offsets [S + 1], start [C], end [C], changed [C, 1 + R], length [C, 1 + R] and same [C, R]. Cells [1 + R]
            are the hypothesis, then the references. A reference that does not count equals the source. ``same`` is
            whether hypothesis and reference have the same text.

        Raises:
            EditError: As in_order.
            ValueError: If a sentence does not have one hypothesis.
            MemoryError: If memory is exhausted.
        """
    def texts(self, hypothesis: Edits, threads: int = 0) -> tuple[_Ints, _Ints, _Ints, list[str]]:
        """Return the texts of the chunks of ``partition``, and the strings.

        The columns are source [C], text [C, 1 + R] and type [C, 1 + R], all indices of the strings. The type of a
        cell is the types of its edits, joined by ``+``. Raises the errors of ``partition``.
        """

def text_marks(text: Text) -> tuple[int, int, int, int]:
    """Return numbers of attached and separate marks, typographic and plain quotes.

    Tokens with attached punctuation count as attached marks. The numbers are sums over the lines. O(bytes).
    """

def beyond_ascii(text: Text) -> list[int]:
    """Return the places of lines with characters outside ASCII. O(bytes)."""

def text_letters(text: Text, words: WordList) -> tuple[int, int, int, int, int]:
    """Return numbers of letters, of non-Latin letters, and of three kinds of tokens.

    The tokens consist of letters only; of these, the ones with at least three letters that begin in lower case;
    and of these, the ones that are not in the list. O(bytes), and a search for each token.
    """

def raw_lines(text: Text) -> list[int]:
    """Return the places of lines that end in attached punctuation. O(lines)."""

@final
class Phrases:
    """Phrases of raw output of language models.

    ``rows`` contains pairs of a kind, see text/output_phrases.tsv, and phrases separated by ``|``.
    """

    def __new__(cls, rows: Sequence[tuple[str, str]]) -> Phrases: ...
    def odd_lines(self, source: Text, text: Text) -> tuple[int, list[tuple[int, int]]]:
        """Return the number of equal lines, and the places and bits of odd lines.

        Bits from the lowest on: chatter, refusal, explanation, prompt, wrapped, Markdown, capitals, lower case,
        truncated, long, raw, empty, reasoning, no change. O(bytes).

        Raises:
            ValueError: If the number of lines differs.
        """

    def after_statement(self, source: str, line: str) -> str | None:
        """Return the text after a statement that nothing is wrong.

        The statement begins the line. None without one, and if the source says the same. O(bytes).
        """

def compare_lines(
    source: Text, others: Sequence[tuple[Text, int]], words: WordList
) -> list[tuple[int, int, int, int, int]]:
    """Return sums over the lines of each text compared with the source.

    Only tokens with at least three letters that begin in lower case are looked up, up to the number next to each
    text. O(bytes), a sort of the tokens that differ, and a search for each distinct one.

    Returns:
        Numbers of lines without a word where the source has one; of lines with at least four tokens on one side;
        of lines among these whose lower-case tokens have a Dice coefficient below 1/2; of removed tokens that are
        not in the list; of added ones.

    Raises:
        ValueError: If the number of lines differs.
    """
