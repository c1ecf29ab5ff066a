"""Types of the compiled kernel; tests/fuzz/test_stub.py compares them with it.

S is a number of sentences, R of references, K of counts. ``threads`` 0 means one per processor, without effect on
results. Missing lines count as empty, except in texts made of texts. Arguments that do not fit each other raise
ValueError.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, Literal, Protocol, TypedDict, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

__all__ = [
    "LINE_MARKS", "BlockTable", "CharacterPairs", "ChunkTable", "Edits", "Extractor", "Form", "KernelError",
    "LineCutter", "NgramCorpus", "Phrases", "ScoreFormula", "SlotTable", "Tagger", "Text", "WordList", "__version__",
    "best_regions", "classify_annotated", "compare_edits", "compare_lines", "divided_lines", "draw_references",
    "extract_annotated", "first_largest", "in_order", "indel_distances", "is_single_threaded", "lancaster_stem",
    "letters", "match_gold", "normalised", "penn_category", "raw_lines", "region_figures",
    "resampling_weights", "rounded_all", "running_choices", "seeded_states", "sums_of_choices", "text_letters",
    "text_marks", "tokenised", "trueskill_in_order", "trueskill_runs", "unlike_runs",
]  # fmt: skip
__version__: str
#: Names of the marks of suspicious lines, in the order of their bits.
LINE_MARKS: tuple[str, ...]

_Bytes = NDArray[np.uint8]
_Ints = NDArray[np.int32]
_Longs = NDArray[np.int64]
_Keys = NDArray[np.uint64]
_Doubles = NDArray[np.float64]
_Bools = NDArray[np.bool_]
#: A line, or None for a missing one; ``str`` in texts without missing lines. ``_Line`` is the one of a function.
_LineT = TypeVar("_LineT", bound=str | None, default=str | None, covariant=True)
_Line = TypeVar("_Line", bound=str | None)

class KernelError(ValueError):
    """A reason why the kernel has no result; its string is for developers, ``base.kernel_errors`` has the words.

    Attributes:
        kind: the kind of the error.
        data: its data by name; sentences, versions, edits and offsets count from 0, lines from 1.
        sentence: the sentence, if the data have one.
        version: the version with an edit that cannot be made, if the data have one.
        line: the line of bytes that are not text, if the data have one.
    """

    kind: str
    data: dict[str, Any]
    sentence: int | None
    version: int | None
    line: int | None

def is_single_threaded() -> bool:
    """Return whether this process starts no threads, as a child of one with threads."""

# --- text ---

@final
class Text(Sequence[_LineT], Generic[_LineT]):
    """Sequence of lines in one buffer, None for missing ones; slices share it."""

    def __new__(cls, lines: Iterable[_LineT]) -> Text[_LineT]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, at: int, /) -> _LineT: ...
    @overload
    def __getitem__(self, at: slice, /) -> Text[_LineT]: ...
    @staticmethod
    def from_arrow(data: _Bytes, offsets: _Longs, valid: _Bools | None) -> Text:
        """Return the lines between offsets in UTF-8; missing ones are not valid."""
    @staticmethod
    def joined(texts: Sequence[Text[_Line]]) -> Text[_Line]:
        """Return the lines of several texts. O(bytes)."""
    def contains_any(self, bytes: Sequence[int]) -> bool:
        """Return whether a line contains one of three ASCII bytes. O(bytes)."""
    def lines_like(self, starts: Sequence[str], lines: Sequence[str]) -> list[int]:
        """Return the indices of lines with one of these starts, or that are one of these, spaces aside. O(bytes)."""
    def short_lines(self, most: int) -> list[int]:
        """Return the indices of lines of at most ``most`` characters. O(lines)."""
    @property
    def complete(self) -> bool:
        """Whether no line is missing."""
    def differing(self, other: Text) -> list[int]:
        """Return the indices of lines whose words differ. O(bytes)."""
    def has_words_of(self, other: Text) -> bool:
        """Return whether both texts have all lines, with the same words; the lengths must be equal. O(bytes)."""
    def fingerprint(self) -> int:
        """Return a 128-bit hash of the lines, which differs between processes: its seeds are random. O(bytes)."""

@final
class LineCutter:
    """Splitter of the bytes of a file, pushed in portions, into lines.

    Raises KernelError for bytes that are not UTF-8, NUL, and lines of more than 1 GiB.
    """

    def __new__(cls) -> LineCutter: ...
    def push(self, data: bytes) -> None: ...
    def finish(self) -> None:
        """Mark the end of the bytes."""
    @property
    def ready(self) -> int:
        """Number of lines that can be taken."""
    def take(self, most: int) -> Text[str]:
        """Return at most ``most`` of the next lines."""

_Tokeniser = Literal["english", "treebank", "char", "grapheme"]
_Form = Literal["nfc", "nfd", "nfkc", "nfkd", "quotes", "dashes", "ellipses", "words", "blanks"]

def tokenised(text: Text[_Line], rules: _Tokeniser, threads: int) -> Text[_Line]:
    """Return the lines with a space between tokens. O(bytes)."""

def normalised(text: Text[_Line], form: _Form, threads: int) -> Text[_Line]:
    """Return the lines in a form. O(bytes).

    The form is one of Unicode, or typographic characters to replace by ASCII, or ``words`` for single spaces between
    words, or ``blanks`` for this without invisible characters.
    """

def indel_distances(left: Text, right: Text, threads: int) -> _Longs:
    """Return the number [S] of inserted and deleted code points between lines."""

class _DividedLines(TypedDict):
    lines: Text
    merged: list[int]
    split: list[int]
    lost: list[int]
    doubtful: list[int]
    word_share: float

def divided_lines(source: Text, text: Text) -> _DividedLines | None:
    """Return a text divided into the lines of a source, or None if too different."""

# --- checks of texts ---

def text_marks(text: Text) -> dict[str, int]:
    """Return numbers of glued and lone marks, curly and straight quotes. O(bytes)."""

def text_letters(text: Text, words: WordList) -> dict[str, int]:
    """Return numbers of letters, of non-Latin ones, and of three kinds of tokens.

    ``tokens`` consist of letters; of these, ``lower`` have at least three and begin in lower case; and of these,
    ``unknown`` are not in the list. O(bytes), and a search for each token.
    """

def compare_lines(source: Text, others: Sequence[tuple[Text, int]], words: WordList) -> list[dict[str, int]]:
    """Return sums over the lines of each text compared with the source.

    Numbers of lines without a word where the source has one (emptied); of lines with at least four tokens on one side
    (comparable); of these, lines whose lower-case tokens have a Dice coefficient below 1/2 (unlike); of tokens that are
    not in the list, removed and added. Only tokens with at least three letters that begin in lower case are looked up,
    up to the number next to each text. O(bytes), a sort of the tokens that differ, and a search for each distinct one.
    """

def unlike_runs(source: Text, text: Text, least: int) -> list[tuple[int, int]]:
    """Return the first line and the end of each run of at least ``least`` lines that are unlike their source.

    See ``compare_lines``. O(bytes).
    """

def raw_lines(text: Text) -> list[int]:
    """Return the indices of lines that end in attached punctuation. O(lines)."""

@final
class CharacterPairs:
    """The multiset of the pairs of characters in a text without blanks.

    Its first and last characters are paired with a blank. O(n log n) for n characters.
    """

    def __new__(cls, text: str) -> CharacterPairs: ...
    def __len__(self) -> int: ...
    def without(self, other: CharacterPairs) -> CharacterPairs:
        """Return the pairs of this text without those of another. O(pairs)."""
    def shared(self, other: CharacterPairs) -> int:
        """Return the number of pairs that both texts have. O(pairs)."""
    def similarity(self, other: CharacterPairs) -> float:
        """Return Dice's coefficient, from 0 to 1; 0 for two empty texts. O(pairs)."""

@final
class Phrases:
    """Phrases of raw output of language models.

    ``rows`` are pairs of a kind, see text/output_phrases.tsv, and phrases separated by ``|``.
    """

    def __new__(cls, rows: Sequence[tuple[str, str]]) -> Phrases: ...
    def odd_lines(self, source: Text, text: Text) -> tuple[int, list[tuple[int, int]]]:
        """Return the number of equal lines, and indices and bits of odd ones. O(bytes).

        The bits are those of ``LINE_MARKS``. Missing lines are left out.
        """
    def after_statement(self, source: str, line: str) -> str | None:
        """Return the text after a statement that nothing is wrong.

        The statement begins the line. None without one, and if the source says the same.
        """

# --- n-grams ---

class _NgramColumns(TypedDict):
    sentence: _Ints
    reference: _Ints
    order: _Ints
    region: _Ints
    weight: _Ints
    text: _Ints
    strings: list[str]

@final
class NgramCorpus:
    """Sources and references whose n-grams can be compared with those of hypotheses."""

    def __new__(
        cls, source: Text, references: Sequence[Text], n: int, unit: Literal["word", "char", "grapheme"]
    ) -> NgramCorpus: ...
    def count(self, hypotheses: Sequence[Text], threads: int, absent: bool) -> list[_Ints]:
        """Return counts [S, R, n, 8] of each hypothesis: tk td ti od oi ud ui, absent ones of ud.

        The last count, of n-grams that the reference lacks, takes time and is omitted without ``absent``. Raises
        KernelError if the counts of a hypothesis exceed 4 GiB, or a sentence has too many n-grams.
        """
    def best_sums(self, hypotheses: Sequence[Text], beta: float, threads: int) -> list[_Longs]:
        """Return the sums [7n] of the counts of each hypothesis with the best references, see best_regions.

        Raises the errors of count, and KernelError for a sentence without references.
        """
    def evidence(self, hypothesis: Text, threads: int, longest: int | None = None) -> _NgramColumns:
        """Return the counted n-grams, except in missing references; orders from 1.

        ``longest``: only n-grams up to this order that source, reference and hypothesis do not share.
        """

# --- figures ---

_Sum = Sequence[float]

@final
class Form:
    """The form of F for counts [K].

    The sums hit, proposed, gold, wrong and missed have ``weights`` [K] each, in this order, and run from the last
    column to the first. Precision P is hit / proposed, or 1 if wrong is 0; recall R is hit / gold, or 1 if missed is
    0. F = (1 + b²) P R / (b² P + R) or 0, where ``square`` is b². References are compared by this F (``of`` ratios),
    or by (1 + b²) hit / (b² gold + proposed) (sums), which is 1 without a hit and 0 else if the denominator is 0,
    rounded to ``digits`` (0 … 22; None: not rounded). The sums ``ties`` of totals, or of the sentence's own counts,
    decide between equal values.
    """

    def __new__(
        cls,
        weights: tuple[_Sum, _Sum, _Sum, _Sum, _Sum],
        square: float,
        of: Literal["sums", "ratios"],
        digits: int | None,
        ties: Sequence[_Sum],
        ties_of: Literal["totals", "sentence"],
    ) -> Form: ...
    def ranks(self, counts: NDArray[Any]) -> _Doubles:
        """Return the compared F and the sums that break ties, [..., 1 + T]."""

@final
class ScoreFormula:
    """The formula of a score of sums of counts [K]."""

    @staticmethod
    def f(form: Form) -> ScoreFormula:
        """Return F of this form; its parts are precision and recall."""
    @staticmethod
    def regions(*, n: int, beta: float) -> ScoreFormula:
        """Return F of geometric means of precision and recall over the orders of n-gram regions [7n].

        The parts are these means.
        """
    @staticmethod
    def gleu(n: int) -> ScoreFormula:
        """Return GLEU of match, penalty and total of n orders, then the lengths of reference and hypothesis.

        The parts are the logarithms of the precisions of the orders, then of the brevity penalty. Logarithms and
        exponentials are the platform's, as in Python's ``math``; a difference of 1 in the last bit between platforms
        is possible.
        """
    @staticmethod
    def rates(factors: tuple[float, float, float, float]) -> ScoreFormula:
        """Return the sum of factors times hit, 1 - wrong, 1 - under- and 1 - over-correction of CLEME2.0.

        The counts are hits, necessary, unnecessary, missed and true negative chunks; the parts are the four rates.
        """
    def scores(self, totals: NDArray[Any]) -> _Doubles:
        """Return the scores [...] of totals [..., K]."""
    def parts(self, totals: NDArray[Any]) -> _Doubles:
        """Return the parts [..., P] of the scores of totals [..., K]."""
    def running_choices(
        self, counts: NDArray[Any], present: _Bools | None, totals: NDArray[Any], ties: Sequence[_Sum]
    ) -> tuple[_Longs, _Doubles]:
        """Return the references [S] with the highest score of all sentences so far, and the new totals [K].

        Equal scores are compared by the sums of the sentence's counts with the weights ``ties``, in this order; see
        the function ``running_choices``.
        """
    def count_extreme(
        self,
        sums: NDArray[Any],
        exchanged: NDArray[Any],
        first: _Longs,
        second: _Longs,
        observed: _Doubles,
        tolerance: float,
    ) -> _Longs:
        """Return the number of replicates [P] whose difference of scores is as far from 0 as the observed one.

        The systems ``first`` [P] and ``second`` [P] of each pair exchange the sums ``exchanged`` [B, n, m · K] in their
        ``sums`` [n, m · K]; a score is the mean over the m choices of references. Differences may be nearer to 0 than
        those ``observed`` [P] by the tolerance. The result is that of ``scores``. O(B · P · m · K).
        """

def running_choices(
    counts: NDArray[Any], present: _Bools | None, totals: NDArray[Any], form: Form
) -> tuple[_Longs, _Doubles]:
    """Return the references [S] with the highest running F, and the new totals [K].

    The running F of counts [S, R, K] includes the totals and all sentences up to this one. References that are not
    ``present`` [S, R] are ignored, and of equal ones the first is chosen. Integers are exact below 2^53. O(S · R · K).
    Raises KernelError if a sentence has no reference.
    """

def first_largest(ranks: NDArray[Any], present: _Bools | None) -> _Longs:
    """Return the (first) references [S] with the largest ranks [S, R, T]."""

def rounded_all(values: _Doubles, digits: int) -> _Doubles:
    """Return numbers [N] rounded to at most 22 decimals, as Python's ``round`` does."""

def region_figures(counts: NDArray[Any], n: int, beta: float) -> _Doubles:
    """Return P, R and F of each order and of the orders up to it, [..., n, 6]."""

def best_regions(counts: NDArray[Any], present: _Bools | None, beta: float) -> _Longs:
    """Return the (first) references [S] with the largest F of regions [S, R, 7n].

    Equal ones are compared by F over fewer and fewer orders.
    """

# --- resampling and skills ---

_Weights = Literal["poisson", "swap", "labelling"]

def resampling_weights(keys: _Keys, kind: _Weights, seed: int, replicates: int, first: int = 0) -> _Bytes:
    """Return the weights [replicates, S] of the sentences with these keys, from replicate number ``first`` on.

    ``poisson``: frequency in a bootstrap sample, 0..12. ``swap``: whether labels are swapped. ``labelling``: bit
    ``key`` of the replicate's number, so that 2^m replicates are all labellings of m sentences.
    """

_References = NDArray[np.uint32]

def seeded_states(seeds: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the states [M, 625] of MT19937 with seeds [M, W], as numpy's RandomState and Python's random make them."""

def draw_references(states: NDArray[np.uint32], present: _Bools, integers: bool) -> _References:
    """Return references [M, S], drawn among those that are present [S, R], and continue M states of MT19937.

    A state [625] is that of numpy's RandomState, with the position after the words. A sentence with R references draws
    int(random() * R), or with ``integers`` randint(0, R - 1), as Python does. Each sentence has a reference.
    """

def sums_of_choices(counts: _Longs, choices: _References) -> _Longs:
    """Return the sums [M, K] of counts [S, R, K] for choices [M, S] of references."""

#: Standard deviations of skills and of performances, and the margin of a draw.
_Constants = tuple[float, float, float]
_Outcomes = NDArray[np.int8]
_Players = NDArray[np.uint32]

def trueskill_in_order(
    players: int, first: _Players, second: _Players, outcome: _Outcomes, constants: _Constants
) -> tuple[_Doubles, _Doubles]:
    """Return means and variances of the players' skills after games in order.

    An outcome is positive if the first player won, negative if the second one won, and 0 for a draw.
    """

def trueskill_runs(
    wins: _Keys, draws: _Keys, updates: int, constants: _Constants, seed: int, runs: int, threads: int
) -> _Doubles:
    """Return skill means [runs, players] of runs over randomly drawn games.

    They are drawn from ``wins[i, j]`` and ``draws[i, j]``. The seed of run k is ``seed + k``.
    """

# --- edits ---

_Versions = list[tuple[int, list[tuple[int, int, str, str]]]]

@final
class Edits:
    """Edits of all versions of S sentences, in columns.

    A version belongs to an annotator, a reference or a system. Sentence s has the versions
    ``versions[s]:versions[s + 1]``. Version v belongs to ``annotator[v]`` and has the edits
    ``offsets[v]:offsets[v + 1]``, in the order of reading or extraction. Edit e replaces the source tokens
    ``start[e]:end[e]``; ``type[e]`` and ``text[e]``, the correction as written, are indices of ``strings``.
    ``literal``: the edits were extracted from text, where ``||`` is a token; in M2 it separates alternatives.
    """

    def __new__(
        cls, sentences: Sequence[Sequence[tuple[int, Sequence[tuple[int, int, str, str]]]]], literal: bool = False
    ) -> Edits: ...
    @staticmethod
    def merged_versions(parts: Sequence[Edits]) -> Edits:
        """Return all edits of the same sentences; annotators are indices of parts."""
    def kept(self, keep: _Bools) -> Edits:
        """Return the same versions with the edits that ``keep`` [E] selects."""
    def __len__(self) -> int: ...
    literal: Final[bool]
    nbytes: Final[int]
    def sentence(self, at: int) -> _Versions:
        """Return annotator and edits (start, end, type, text) of each version."""
    versions: Final[_Longs]
    annotator: Final[_Ints]
    offsets: Final[_Longs]
    start: Final[_Ints]
    end: Final[_Ints]
    type: Final[_Ints]
    text: Final[_Ints]
    strings: Final[list[str]]

def in_order(source: Text, edits: Edits, threads: int) -> tuple[_Longs, _Longs]:
    """Return the edits of each version in order: offsets [V + 1], indices of edits.

    They are sorted by span, without noops; edits of equal span keep their order. O(bytes + E log E) for the E edits of
    a version. Raises KernelError if an edit lies outside its sentence or overlaps another one of its version.
    """

class _EvidenceRows(TypedDict):
    sentence: _Longs
    reference: _Longs
    column: _Longs
    weight: _Doubles
    side: _Bytes
    start: _Ints
    end: _Ints
    text: _Ints
    type: _Ints
    strings: list[str]

#: Mode, size and excluded types; metrics.errant describes them.
_Matching = tuple[Literal["cs", "cse", "ds", "dt"], Literal["all", "single", "multi"], Sequence[str]]

def compare_edits(
    hypothesis: Edits, references: Edits, settings: _Matching, threads: int, evidence: bool
) -> tuple[_Longs, _Bools | None, _EvidenceRows | None]:
    """Compare all versions of the hypothesis and the references as ERRANT does.

    Returns true positives, false positives and false negatives [S, pairs, 3],
    the present pairs [S, pairs] (None: all), and the evidence; strings of both tables occur twice. Raises KernelError
    if the edits of a version contain more than 2^22 tokens.
    """

def match_gold(
    source: Text, gold: Edits, hypothesis: Text, settings: tuple[int, bool, float | None], threads: int, evidence: bool
) -> tuple[_Ints, _EvidenceRows | None]:
    """Return counts [S, A, 4] of edits that agree most with gold edits, and evidence.

    The settings are max_unchanged, ignore_whitespace_casing and timeout of metrics.maxmatch. The counts are correct,
    proposed and gold edits, and a state: 1 after the timeout in seconds, 2 for a sentence that is too long, otherwise
    0. Noops are skipped, ``||`` separates alternatives, ``-NONE-`` or nothing deletes. Evidence has a row for each
    counted edit; a sentence with the state 1 or 2 has only gold edits.
    """

@final
class SlotTable:
    """Sources split into chunks by one version of the gold edits each (GoToScorer).

    Version ``versions[s]`` of ``gold`` splits sentence s; a negative number selects none. Edits of the types
    ``exclude`` do not count, neither in the gold nor in hypotheses. The chunks ``offsets[s]:offsets[s + 1]`` are each
    edit, each token outside edits, and an empty slot before each of these and at the end, unless there is an insertion;
    ``edit`` is the index of the gold edit, or -1. Raises KernelError as in_order.
    """

    def __new__(
        cls, source: Text, gold: Edits, versions: _Longs, exclude: Sequence[str], threads: int
    ) -> SlotTable: ...
    def __len__(self) -> int: ...
    offsets: Final[_Longs]
    start: Final[_Ints]
    end: Final[_Ints]
    edit: Final[_Longs]
    def verdicts(self, hypothesis: Edits, threads: int) -> tuple[_Bools, _Longs]:
        """Return whether a hypothesis is right in each chunk, and its first edit or -1."""

class _ChunkColumns(TypedDict):
    offsets: _Longs
    start: _Ints
    end: _Ints
    changed: _Bools
    length: _Ints
    same: _Bools

class _ChunkTexts(TypedDict):
    source: _Ints
    text: _Ints
    type: _Ints
    strings: list[str]

@final
class ChunkTable:
    """Sources and ordered references that any hypothesis splits into chunks (CLEME).

    A reference that deletes everything is dropped, and with ``drop_unchanged`` also an unchanged one, unless no
    reference would remain. Edits at most ``merge_distance`` unchanged tokens apart share a chunk. Raises KernelError as
    in_order, MemoryError if memory is exhausted.
    """

    def __new__(
        cls, source: Text, references: Edits, merge_distance: int, drop_unchanged: bool, threads: int
    ) -> ChunkTable: ...
    @property
    def present(self) -> _Bools:
        """References that count, [S, R]."""
    def partition(self, hypothesis: Edits, threads: int) -> _ChunkColumns:
        """Return the chunks of a hypothesis, see edits.chunks.Chunks."""
    def texts(self, hypothesis: Edits, threads: int) -> _ChunkTexts:
        """Return the texts of these chunks, see edits.chunks.ChunkTexts."""

# --- extraction ---

@final
class WordList:
    """The word list of the spelling rule."""

    def __new__(cls, words: Iterable[str]) -> WordList: ...
    @staticmethod
    def partial(words: Iterable[str]) -> WordList:
        """Return a list of some of the words of a language. O(words · log words)."""
    @staticmethod
    def english() -> WordList:
        """Return the English words of the kernel; only proper names have capitals. O(1)."""
    def __contains__(self, key: str, /) -> bool: ...

class _Annotated(Protocol):
    """Annotated sentences in columns, as edits.annotation.Annotated."""

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

class _AnnotatedColumns(TypedDict):
    strings: list[str]
    offsets: _Longs
    form: _Ints
    lemma: _Ints
    pos: _Ints
    tag: _Ints
    dep: _Ints
    head: _Ints

_Merging = Literal["rules", "all-split", "all-merge", "all-equal"]
_RuleSet = Literal["errant-3", "errant-2.0", "generic", "czech", "chinese"]
_TagSet = Literal["errant-3", "errant-2.0", "generic", "universal", "operation", "russian", "korean"]
#: Merging, plain alignment, rules and types, see edits.annotation.
_Settings = tuple[_Merging, bool, _RuleSet, _TagSet]
_Parts = Sequence[tuple[_Annotated, Sequence[Sequence[str]]]]

@final
class Tagger:
    """Tagging model with the rules of a profile.

    Vocabulary and weights are the parts of a model file. A rule has tags, lower-case forms, labels (each separated by
    blanks, "" for all), universal POS and lemma ("" for no change); a later rule overrules earlier ones. ``spacy`` is
    the release whose lemmatiser is followed. Raises ValueError if the model is damaged.
    """

    def __new__(cls, vocabulary: bytes, weights: bytes, rules: Sequence[Sequence[str]], spacy: int) -> Tagger: ...
    def bases(self, words: Sequence[str]) -> list[list[str]]:
        """Return the lemmas of lower-case words as a noun, a verb and an adjective."""
    def token(self, tokens: Sequence[str], index: int) -> tuple[str, str, str]:
        """Return lemma, universal POS and tag of a token, as :meth:`annotate`; the other tokens are not annotated."""
    def annotate(self, sentences: Sequence[Sequence[str]], threads: int) -> _AnnotatedColumns:
        """Return the tokens of sentences, see edits.annotation.Annotated."""

@final
class Extractor:
    """Extractor of edits from text with the builtin annotator."""

    def __new__(cls, tagger: Tagger, words: WordList, settings: _Settings) -> Extractor: ...
    def extract(self, source: Text, targets: Sequence[Text], threads: int) -> list[Edits]:
        """Return the edits from each source to each of its targets.

        A sentence has one version, by annotator 0, or none if the target is missing. Raises KernelError for a pair too
        long to align.
        """

def extract_annotated(
    parts: _Parts,
    words: WordList,
    pairs: Sequence[Sequence[tuple[int, int] | None]],
    settings: _Settings,
    threads: int,
) -> list[Edits]:
    """Return the edits of each row of pairs of annotated sentences, one version each.

    A pair of equal numbers has no edits, and None has no version. ``parts`` are annotated sentences, numbered
    consecutively, with the lemmas (as a noun, a verb, an adjective) of their lower-case strings if the types require
    them. Raises KernelError for a pair too long to align.
    """

def classify_annotated(parts: _Parts, words: WordList, edits: Sequence[Sequence[int]], types: _TagSet) -> list[str]:
    """Return the types of edits (source, target, start, end, target start and end)."""

def letters(text: str) -> tuple[bool, bool, str]:
    """Return whether a string is alphabetic and capitalised, and its lower case."""

def lancaster_stem(word: str) -> str:
    """Return the Lancaster stem of a lower-case word."""

def penn_category(tag: str) -> str | None:
    """Return the ERRANT category of a Penn tag; None for other tags."""

# --- M2 ---

_EditRow = tuple[int, int, str, str, str, str, int, int | None, int]
_TargetRow = tuple[int, int | None, str]
_BlockRow = tuple[str, list[_EditRow], list[str], bool, str | None, int | None, list[_TargetRow]]

class _LineFault(TypedDict):
    line: int
    blocks: int
    kind: str
    first: int
    second: int
    text: str

@final
class BlockTable:
    """M2 blocks in columns, made from objects with the attributes of m2.Block."""

    def __new__(cls, blocks: Iterable[object]) -> BlockTable: ...
    @staticmethod
    def parse(
        data: bytes, path: str | None, line: int, last: bool, shared: bool = False
    ) -> tuple[BlockTable, list[_LineFault]]:
        """Return the blocks of a part of a file, and faults in the order of lines.

        A part starts and ends between two blocks, and its first line is ``line``; nothing follows the ``last`` one. The
        line of a fault is skipped; ``blocks`` are complete before its block, and faults.tsv explains kind, numbers and
        text. A second ``S`` line in a block begins a block; if ``shared``, it is no fault, and the sentences of the
        block share its edits, as in the official scorer.
        """
    @staticmethod
    def merged(tables: Sequence[BlockTable], numbers: Sequence[Sequence[tuple[int, int]]]) -> BlockTable:
        """Return the lines of all tables of the same sentences.

        ``numbers[t]`` are pairs of an annotator of table t and its number in the result. An annotator without a line in
        a block gets a noop. ``T`` lines stay in blocks that have them in all tables.
        """
    @staticmethod
    def voted(tables: Sequence[BlockTable], least: int) -> BlockTable:
        """Return the edits that at least ``least`` tables have, as m2.vote does.

        The blocks end before the first one that has several annotators in a table, or edits that overlap or do not fit.
        """
    def __len__(self) -> int: ...
    def block(self, number: int) -> _BlockRow:
        """Return source, edits in file order, notes, ended, path, line, targets.

        An edit is (start, end, type, text, required, comment, annotator, line, alignment), a target (annotator,
        alignment, text).
        """
    source: Final[Text[str]]
    @property
    def edits(self) -> Edits:
        """A version for each annotator of a block, including noops."""
    @property
    def notes(self) -> list[str]:
        """The ``I`` lines of all blocks, in the order of the blocks."""
    @property
    def first_target(self) -> int | None:
        """The first block with ``T`` lines, as ChERRANT writes them."""
    def at(self, places: Sequence[int]) -> BlockTable:
        """Return the blocks at these places, in this order. O(their bytes)."""
    def of_annotators(self, annotators: Sequence[int]) -> BlockTable:
        """Return the blocks with only the lines of these annotators. O(edits)."""
    def sorted(self) -> BlockTable:
        """Return the blocks with the edits of each annotator sorted by span."""
    def kept(self, keep: _Bools) -> BlockTable:
        """Return the blocks with all noops and the edits that ``keep`` [E] selects.

        An annotator whose edits are all removed gets a noop.
        """
    def lengths(self) -> _Longs:
        """Return the number of tokens of each sentence. O(bytes)."""
    def written(self) -> str:
        """Return the blocks as M2. O(bytes)."""
    def json_lines(self) -> str:
        """Return the blocks as JSON Lines, see geceval.text.m2.m2_json. O(bytes)."""
    def first_altered(self) -> int | None:
        """Return the first block that is another one after it is written and read. O(bytes + edits · log edits)."""
    @overload
    def corrected(self, annotator: int, missing: Literal["fallback", "plain"], alignment: int = 0) -> Text[str]: ...
    @overload
    def corrected(self, annotator: int, missing: Literal["absent"], alignment: int = 0) -> Text:
        """Return the sentences corrected by an annotator, by edits of one alignment.

        Sentences without a line of the annotator are corrected by the first annotator of the block (``fallback``),
        unchanged (``plain``) or None. Raises KernelError as in_order.
        """
    @overload
    def version(self, place: Literal[0]) -> Text[str]: ...
    @overload
    def version(self, place: int) -> Text:
        """Return the sentences corrected by the annotator at an index, or None; each block has one at 0."""
