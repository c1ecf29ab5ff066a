"""The compiled kernel, typed. tests/test_stub.py holds names, arguments and what is yielded against the binary."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "AnnotatedText",
    "BlockTable",
    "ChunkTable",
    "EditError",
    "Edits",
    "Extractor",
    "GoldTable",
    "LineCutter",
    "NgramTable",
    "Sampler",
    "SentenceError",
    "SlotTable",
    "Tagger",
    "Text",
    "WordList",
    "__version__",
    "beyond_ascii",
    "classify_annotated",
    "compare_edits",
    "compare_lines",
    "extract_annotated",
    "in_order",
    "indel_distances",
    "keyed_edits",
    "lancaster_stem",
    "letters",
    "optimal_sums",
    "penn_category",
    "resampled_sums",
    "resampling_weights",
    "rounded_all",
    "running_choices",
    "sampled_references",
    "settled_references",
    "text_letters",
    "text_marks",
    "three_way",
    "tokenised",
    "trueskill_in_order",
    "trueskill_runs",
]

__version__: str

_Ids = NDArray[np.int32]

class _Annotated(Protocol):
    """Annotated sentences in columns, with the attributes of edits.annotation.Annotated."""

    @property
    def strings(self) -> Sequence[str]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def form(self) -> _Ids: ...
    @property
    def lemma(self) -> _Ids: ...
    @property
    def pos(self) -> _Ids: ...
    @property
    def tag(self) -> _Ids: ...
    @property
    def dep(self) -> _Ids: ...
    @property
    def head(self) -> _Ids: ...

class _Block(Protocol):
    """A sentence with its edits, with the attributes of text.m2.Block."""

    @property
    def source(self) -> str: ...

@final
class Text(Sequence[str | None]):
    """Lines of text in one buffer: a sequence of strings, None where a line is missing. Slices share the buffer."""

    def __new__(cls, lines: Iterable[str | None]) -> Text: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, at: int, /) -> str | None: ...
    @overload
    def __getitem__(self, at: slice, /) -> Text: ...
    @property
    def complete(self) -> bool:
        """Whether no line is missing."""
    def differing(self, other: Text) -> list[int]:
        """The places where the words of the lines differ; ValueError unless there are as many lines. O(bytes)."""
    def fingerprint(self) -> int:
        """A number that, all but certainly, only the same lines have (128 bits). O(bytes)."""

def tokenised(text: Text, rules: Literal["english", "treebank", "char", "grapheme"], threads: int = 0) -> Text:
    """The lines with a blank between the tokens that the rules make of them; missing lines stay so. O(bytes).

    ``threads`` 0: all processors; the result does not depend on it. ValueError for other rules.
    """

@final
class LineCutter:
    """Cuts the bytes of a file, pushed in portions, into lines.

    ``push`` and ``finish`` return what is wrong, if anything: (line, byte offset, byte, reason), the reason being
    "NUL", "long" (over 1 GiB), "memory", or why it is not UTF-8.
    """

    def __new__(cls) -> LineCutter: ...
    def push(self, data: bytes) -> tuple[int, int, int, str] | None: ...
    def finish(self) -> tuple[int, int, int, str] | None:
        """There are no more bytes."""
    @property
    def ready(self) -> int:
        """How many lines can be taken."""
    def take(self, most: int) -> Text:
        """The next lines, at most so many, of those that are ready."""

@final
class Edits:
    """The edits of all versions (annotators, references, or one system) of S sentences, in columns.

    Sentence s has the versions ``versions[s]:versions[s + 1]``, version v, by ``annotator[v]``, the edits
    ``offsets[v]:offsets[v + 1]``, in the order they were read or found. Edit e spans the source tokens
    ``start[e]:end[e]``; ``type[e]`` and ``text[e]``, the correction as written, are places in ``strings``.
    ``literal``: the edits were found in text, where ``||`` is a token like others; in M2 it divides alternatives.
    """

    def __new__(
        cls, sentences: Sequence[Sequence[tuple[int, Sequence[tuple[int, int, str, str]]]]], literal: bool = False
    ) -> Edits: ...
    @staticmethod
    def beside(parts: Sequence[Edits]) -> Edits:
        """Versions of the same sentences beside each other; the annotator of a version is its place in ``parts``.

        Raises ValueError unless all have equally many sentences, and all or none were found in text.
        """
    def __len__(self) -> int: ...
    @property
    def literal(self) -> bool: ...
    @property
    def nbytes(self) -> int:
        """The memory it takes, in bytes."""
    def sentence(self, at: int) -> list[tuple[int, list[tuple[int, int, str, str]]]]:
        """The versions of a sentence: (annotator, edits), an edit being (start, end, type, text)."""
    @property
    def versions(self) -> NDArray[np.int64]: ...
    @property
    def annotator(self) -> NDArray[np.int32]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def start(self) -> NDArray[np.int32]: ...
    @property
    def end(self) -> NDArray[np.int32]: ...
    @property
    def type(self) -> NDArray[np.int32]: ...
    @property
    def text(self) -> NDArray[np.int32]: ...
    @property
    def strings(self) -> list[str]: ...

@final
class NgramTable:
    """Sources and references, ready to be compared with hypotheses on n-grams.

    ``keep``: the n-grams of sources and references are numbered once, which pays where several hypotheses come. A
    missing line counts as an empty one. ``threads`` 0 means all processors. Raises ValueError if the counts of a
    system would not fit in 4 GiB, SentenceError for a sentence of too many n-grams.
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
    def count(self, hypotheses: Text, threads: int = 0, *, absent: bool = True) -> NDArray[np.int32]:
        """Counts ``[sentence, reference, order, 8]``: tk td ti od oi ud ui, and ud absent from the reference.

        Without ``absent`` the last one is left out, which saves time.
        """
    def evidence(self, hypotheses: Text, threads: int = 0) -> tuple[list[NDArray[np.int32]], list[str]]:
        """Columns sentence, reference, order (from 1 on), region (of the 8), weight and text, which is a place in the
        strings. Every n-gram of every region has a row; missing references have none."""
    def __len__(self) -> int: ...

def sampled_references(
    present: NDArray[np.bool_], iterations: int, seed: int | None = None, *, randint: bool = False
) -> NDArray[np.uint32]:
    """The references [iterations, S] drawn among those ``present`` [S, R]. Seed None: the original scorer's draws, or
    with ``randint`` those of its code under Python 3, which draws whole numbers in another way."""

_Bytes = NDArray[np.uint8]
_Ints = NDArray[np.int32]
_Longs = NDArray[np.int64]

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
) -> tuple[
    _Longs,
    NDArray[np.bool_] | None,
    tuple[_Longs, _Longs, _Longs, _Bytes, _Ints, _Ints, _Ints, _Ints, list[str]] | None,
]:
    """Every version of the hypothesis compared with every version of the references, as ERRANT compares them.

    Counts [S, pairs, 3] (true positives, false positives, false negatives), where a pair is present [S, pairs] (None:
    everywhere), and the evidence: sentence, pair, column, side, start, end, text, type, and the strings. Settings: see
    metrics.errant. Strings that both tables have appear twice, and once only in columns. Raises SentenceError if
    there are more than 2^22 tokens inside the edits of a version.
    """

def keyed_edits(
    edits: Edits,
    mode: Literal["cs", "cse", "ds", "dt"],
    size: Literal["all", "single", "multi"],
    exclude: Sequence[str],
    literal: bool,
) -> tuple[_Longs, _Ints, _Ints, _Ints, _Ints]:
    """What versions are compared by: of edits that are the same the first one, in order, noops included.

    The offsets of versions [V + 1]; start, end, text, type, the latter places in ``edits.strings``. Errors: see
    compare_edits.
    """

class _Form(Protocol):
    """How F is made of counts [K]; each sum is given by its weights [K] and taken from the last column to the first.

    ``of`` sums: F = (1 + b²) hit / (b² gold + proposed); with nothing below the line 1 without a hit, else 0.
    ``of`` ratios: F = (1 + b²) P R / (b² P + R) or 0, where P = hit / proposed, 1 where the sum ``wrong`` is 0, and
    R = hit / gold, 1 where the sum ``missed`` is 0. ``square`` is b². F is rounded to ``digits`` (0 … 22, None: not at
    all); then the sums ``ties`` decide, of the totals or of the sentence's own counts.
    """

    @property
    def hit(self) -> Sequence[float]: ...
    @property
    def proposed(self) -> Sequence[float]: ...
    @property
    def gold(self) -> Sequence[float]: ...
    @property
    def wrong(self) -> Sequence[float]: ...
    @property
    def missed(self) -> Sequence[float]: ...
    @property
    def square(self) -> float: ...
    @property
    def of(self) -> Literal["sums", "ratios"]: ...
    @property
    def digits(self) -> int | None: ...
    @property
    def ties(self) -> Sequence[Sequence[float]]: ...
    @property
    def ties_of(self) -> Literal["totals", "sentence"]: ...

_Count = TypeVar("_Count", np.int64, np.float64)

def running_choices(
    counts: NDArray[_Count], present: NDArray[np.bool_] | None, totals: NDArray[_Count], form: _Form
) -> tuple[NDArray[np.int64], NDArray[_Count]]:
    """For every sentence the reference that makes F of all so far highest, the first among equals; and the new totals.

    ``counts`` [S, R, K], ``present`` [S, R] (None: all), ``totals`` [K] of what came before. O(S · R · K). Raises
    ValueError where a sentence has no reference or shapes do not fit.
    """

_Weights = Literal["poisson", "swap", "labelling"]

def resampling_weights(keys: NDArray[np.uint64], kind: _Weights, seed: int, replicates: int) -> NDArray[np.uint8]:
    """The weights [replicates, S] of sentences, a function of kind, seed, replicate and each one's key alone.

    ``poisson``: how often it is in a bootstrap sample, 0..12; ``swap``: whether labels are swapped, 0 or 1;
    ``labelling``: bit ``key`` of the replicate's number, so that 2^m replicates are all labellings of m sentences.
    O(replicates · S).
    """

def resampled_sums(
    rows: NDArray[np.int64],
    keys: NDArray[np.uint64],
    kind: _Weights,
    seed: int,
    replicates: int,
    threads: int = 0,
) -> NDArray[np.int64]:
    """The sums [replicates, C] of rows [S, C], each times its weight (resampling_weights).

    O(replicates · S · (1 + C / 4)). Raises ValueError where keys and rows differ in length, and for counts so large
    that 12 times the sum of all exceeds 2^63.
    """

def settled_references(
    counts: NDArray[np.int64], present: NDArray[np.bool_], above: Sequence[float], below: Sequence[float]
) -> NDArray[np.int64]:
    """For each sentence the reference that is the best one in optimal_sums whatever the ratio, -1 where it depends.

    ``counts`` [S, R, K], ``present`` [S, R]. O(S · R²). Raises ValueError where shapes do not fit.
    """

_Rows = tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.uint64]]

def optimal_sums(
    base: NDArray[np.int64],
    own: _Rows,
    other: _Rows | None,
    above: Sequence[float],
    below: Sequence[float],
    kind: _Weights,
    seed: int,
    threads: int = 0,
) -> NDArray[np.int64]:
    """Sums [replicates, K] of counts [S, R, K] with the references, of those present [S, R], that make the sum of all
    counts times ``above`` [K] over that times ``below`` [K] largest in each replicate (Dinkelbach's method).

    ``base`` [replicates, K]: the sums of what is settled, to which the others are added. Without ``other`` sentences
    count by their weights (poisson), by their keys [S]; with it (swap, labelling) the other system's sentences of
    weight 1 count and the own ones of weight 0. O(replicates · S · rounds). Raises ValueError where shapes do not fit.
    """

def rounded_all(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """Numbers [N] rounded to so many decimals, at most 22, as Python's ``round`` does."""

@final
class Sampler:
    """Sums over references that are drawn for each sentence, ``iterations`` times, as counts come in part by part.

    Iteration i draws from MT19937, seeded with i * 101 (seed None) or with the array (low and high half of the seed,
    i); each sentence takes the place int(random() * R) among its R references, or with ``randint`` and no seed the
    place randint(0, R - 1) of Python 3. Parts after each other draw as the whole does. Memory: iterations × (2.5 KB and
    the columns). Can be pickled.
    """

    def __new__(
        cls,
        iterations: int,
        seed: int | None = None,
        state: tuple[bool, bytes] | None = None,
        randint: bool = False,
    ) -> Sampler: ...
    def add(
        self,
        counts: NDArray[np.int32] | NDArray[np.int64] | NDArray[np.float64],
        present: NDArray[np.bool_] | None = None,
        threads: int = 0,
    ) -> None:
        """Take in counts [S, R, K] of whole numbers or of doubles, of the references ``present`` [S, R] (None: all).

        Raises ValueError where a sentence has no reference, or a part does not fit those before.
        """
    @property
    def sums(self) -> NDArray[Any]:
        """[iterations, K], or [1, K] as long as all are the same; ValueError if nothing was taken in."""
    @property
    def all_single(self) -> bool:
        """Whether no sentence has more than one reference so far, so that all iterations have the same sums."""

@final
class WordList:
    """The word list of the spelling rule."""

    def __new__(cls, words: Iterable[str]) -> WordList: ...
    @staticmethod
    def sorted(data: bytes) -> WordList:
        """The lines of a text, UTF-8, which must be in the order of their bytes. O(1): they are kept."""
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class AnnotatedText:
    """Sentences that the builtin annotator annotated: the text, and two bytes a token."""

    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int:
        """The memory it takes, in bytes."""

@final
class Extractor:
    """Text in, edits out, by the builtin annotator; ``plain``: Levenshtein alignment. ``threads`` 0: all processors."""

    def __new__(cls, tagger: Tagger, words: WordList, rules: str, merging: str, plain: bool) -> Extractor: ...
    def annotate(self, source: Text, threads: int = 0) -> AnnotatedText:
        """Annotate each line."""
    def extract(self, source: AnnotatedText, target: Text, threads: int = 0) -> Edits:
        """The edits from each source to its target: one version a sentence, by annotator 0, none where the target is
        missing. Raises SentenceError for a pair too long to align."""

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
    """Edits of pairs of annotated sentences, one version each; equal numbers: nothing changed; None: no version.

    ``parts`` are annotated sentences, numbered on from part to part, each with the base forms (as a noun, a verb, an
    adjective) of the lower case of its strings where the types ask for them. ``rules`` (alignment and merging) and
    ``types`` are those of edits.annotation. Raises SentenceError for a pair too long to align.
    """

def classify_annotated(
    parts: Sequence[tuple[_Annotated, Sequence[Sequence[str]]]],
    words: WordList,
    edits: Sequence[Sequence[int]],
    types: str,
) -> list[str]:
    """Types of edits [E][6]: source sentence, target sentence, start, end, target start, target end."""

def letters(text: str) -> tuple[bool, bool, str]:
    """Whether a string is all letters, whether it begins with a capital, its lower case: as Python's str says."""

def penn_category(tag: str) -> str | None:
    """The ERRANT category of a Penn tag; None if it is not one."""

def lancaster_stem(word: str) -> str:
    """The Lancaster stem (Paice 1990) of a lower-case word."""

@final
class Tagger:
    """A tagging model with a profile: the body of a model file, and rules (tag, form, universal POS, lemma).

    A rule with form "" holds for all forms with that tag, one with a lower-case form only for it; lemma ""
    leaves the lemma to the lexicon. Raises ValueError if the model is damaged.
    """

    def __new__(cls, model: bytes, rules: Sequence[tuple[str, str, str, str]]) -> Tagger: ...
    def bases(self, words: Sequence[str]) -> list[list[str]]:
        """What lower-cased words are forms of, as a noun, as a verb, as an adjective."""
    def annotate(
        self, sentences: Sequence[Sequence[str]], threads: int = 0
    ) -> tuple[list[str], NDArray[np.int64], list[NDArray[np.int32]]]:
        """Strings, offsets, and the columns form, lemma, pos, tag, dep, head. ``threads`` 0: all processors."""

@final
class BlockTable:
    """M2 blocks in columns: what m2.Blocks holds. Made of blocks, any objects with the attributes of m2.Block.

    Raises TypeError for what the columns cannot hold.
    """

    def __new__(cls, blocks: Iterable[_Block]) -> BlockTable: ...
    @staticmethod
    def parse(
        data: bytes, path: str | None, line: int, last: bool
    ) -> tuple[BlockTable, list[tuple[int, int, str, int, int, str]]]:
        """The blocks of a piece of a file that begins with line ``line``, and the faults in line order. O(bytes).

        A piece begins and ends between two blocks; nothing follows the ``last``. A fault is (line, blocks complete
        before its block, kind, two numbers, text); the line is passed over.
        """
    def __len__(self) -> int: ...
    def block(
        self, at: int
    ) -> tuple[
        str,
        list[tuple[int, int, str, str, str, str, int, int | None, int]],
        list[str],
        bool,
        str | None,
        int | None,
        list[tuple[int, int | None, str]],
    ]:
        """Source, edits in file order, notes, ended, path, line, targets; an edit being (start, end, type, text,
        required, comment, annotator, line, alignment), a target (annotator, alignment, text)."""
    def slice(self, start: int, stop: int) -> BlockTable:
        """The blocks ``start:stop``, which must be there, in columns of their own. O(their edits)."""
    @property
    def first_target(self) -> int | None:
        """The first block with ``T`` lines, as ChERRANT writes them. O(blocks)."""
    @property
    def unended(self) -> list[int]:
        """The blocks that no empty line follows. O(blocks)."""
    def first_misfit(self) -> int | None:
        """The first block with an edit that does not fit its sentence. O(bytes)."""
    def without_misfits(self) -> BlockTable:
        """The blocks without the edits that lie outside their sentences (those that end before they start stay); an
        annotator who loses all of them keeps a noop. O(bytes)."""
    def at(self, places: Sequence[int]) -> BlockTable:
        """The blocks at these places, in this order; IndexError unless they are there. O(their bytes)."""
    def of_annotators(self, annotators: Sequence[int]) -> BlockTable:
        """The blocks with the lines of these annotators only. O(edits)."""
    def kept(self, keep: NDArray[np.bool_]) -> BlockTable:
        """The blocks with the edits that ``keep`` says, by their places in the columns ``edits``, and all noops; an
        annotator who loses all keeps a noop. Raises ValueError unless it says so of each. O(edits)."""
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each sentence has. O(bytes)."""
    def written(self) -> str:
        """The blocks as M2, an empty line between two, and one at the end if one follows the last. O(bytes)."""
    def corrected(self, annotator: int, fallback: bool) -> Text | int:
        """The sentences as an annotator corrects them; where absent, as the block's first one does (``fallback``), or
        as they are. A number is that of the block whose edits overlap or do not fit. O(bytes)."""
    def version(self, place: int) -> Text | int:
        """As ``corrected``, by the annotator in that place of each block; None where there are fewer."""
    @property
    def annotators(self) -> list[int]:
        """Everyone who has a line somewhere, ascending."""
    @property
    def source(self) -> Text: ...
    @property
    def edits(self) -> Edits:
        """A version for each annotator of a block, noops included."""

@final
class GoldTable:
    """Sources and the gold edits of their annotators, ready to be compared with hypotheses (MaxMatch).

    The versions of ``gold`` are the annotators; noops are passed over, alternatives separated by ``||``, and ``-NONE-``
    or nothing deletes. Raises ValueError if the lengths differ.
    """

    def __new__(cls, source: Text, gold: Edits) -> GoldTable: ...
    def count(
        self,
        hypothesis: Text,
        max_unchanged: int,
        ignore_whitespace_casing: bool,
        timeout: float | None = None,
        method: Literal["auto", "exact", "search"] = "auto",
        threads: int = 0,
    ) -> NDArray[np.int32]:
        """Counts ``[sentence, annotator, 4]``: correct, proposed, gold, and 1 where ``timeout`` seconds ran out, 2
        where the sentence is too long. ``threads`` 0 means all processors."""
    def evidence(
        self,
        hypothesis: Text,
        max_unchanged: int,
        ignore_whitespace_casing: bool,
        timeout: float | None = None,
        method: Literal["auto", "exact", "search"] = "auto",
        threads: int = 0,
    ) -> tuple[
        NDArray[np.int32],
        tuple[
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.uint8],
            list[NDArray[np.int32]],
            list[str],
        ],
    ]:
        """The counts, and a row for everything counted: sentence, reference, column, side, then start, end, text and
        type, then the strings that text and type are places of. Rows come by sentence, annotator, and column; where
        a sentence has the state 1 or 2 there are gold edits alone."""
    def __len__(self) -> int: ...

def trueskill_in_order(
    players: int,
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    outcome: NDArray[np.int8],
    sigma: float,
    beta: float,
    draw_margin: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(means, variances) of the players' skills after games ``first[g]`` against ``second[g]``, in order.

    ``outcome[g]`` > 0: the first won; < 0: the second won; 0: a draw.
    """

def trueskill_runs(
    wins: NDArray[np.uint64],
    draws: NDArray[np.uint64],
    updates: int,
    sigma: float,
    beta: float,
    draw_margin: float,
    seed: int,
    runs: int,
    threads: int = 0,
) -> NDArray[np.float64]:
    """Skill means [runs, players] of runs over games drawn from ``wins[i, j]`` and ``draws[i, j]``.

    Run k is seeded with ``seed + k``. ``threads`` 0 means all processors.
    """

class EditError(ValueError):
    """An edit that cannot be made. ``args``: sentence, version, edit (each from 0), and "outside" or "overlap"."""

class SentenceError(ValueError):
    """A sentence that is too long. ``args``: the message, and the sentence's place from 0."""

def in_order(source: Text, edits: Edits, threads: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(offsets [V + 1], places): version v has the edits ``places[offsets[v]:offsets[v + 1]]``.

    They are sorted by span, noops left out; edits of equal span stay in the order in which they were read. Raises
    EditError for the first edit that lies outside its sentence, ends before it starts, or overlaps one of the same
    version. Cost: O(bytes + E log E) for the E edits of a version.
    """

def indel_distances(left: Text, right: Text, threads: int = 0) -> NDArray[np.int64]:
    """[S]: the insertions and deletions of code points that turn each line into the other text's.

    A line that is missing is empty. Raises ValueError unless there are as many lines. Cost: O(len · ⌈len / 64⌉) a line.
    """

def three_way(
    source: Text,
    hypothesis: Text,
    candidates: Text,
    offsets: NDArray[np.int64],
    most: int,
    threads: int = 0,
    *,
    evidence: bool = False,
) -> tuple[NDArray[np.uint32], list[NDArray[np.int64]] | None]:
    """Source, hypothesis and each candidate ``offsets[s]:offsets[s + 1]`` of a sentence aligned all three at once.

    Columns of the alignment [candidates, 10]: all agree; the candidate, the hypothesis, the source differs from the two
    others; all differ; and the same with the source as hypothesis. ``evidence``: every column: candidate, whether of
    the latter kind, which of the five, source token at which it begins, and the places of the three tokens (-1: none).
    O(product of the lengths) time and bytes. Raises ValueError (sentence, lengths) for more than ``most`` cells.
    """

@final
class SlotTable:
    """Sources cut into chunks by one version of the gold each (GoToScorer), ready to be compared with hypotheses.

    Sentence s is cut by the version ``versions[s]`` of ``gold``, or by none where that is below 0; edits of the types
    ``exclude`` do not count, of the gold nor of hypotheses. It has the chunks ``offsets[s]:offsets[s + 1]``: each edit,
    each token outside them, and an empty slot before each of these and at the end unless an insertion stands there.
    Raises EditError as in_order, ValueError for another number of sentences.
    """

    def __new__(
        cls, source: Text, gold: Edits, versions: NDArray[np.int64], exclude: Sequence[str], threads: int = 0
    ) -> SlotTable: ...
    def __len__(self) -> int: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def start(self) -> NDArray[np.int32]: ...
    @property
    def end(self) -> NDArray[np.int32]: ...
    @property
    def edit(self) -> NDArray[np.int64]:
        """The chunk's edit in the columns of the gold, or -1."""
    def verdicts(self, hypothesis: Edits, threads: int = 0) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Of every chunk, whether a hypothesis (one version a sentence) has it right, and its first edit that touches
        the chunk, or -1. O(tokens), but for insertions that pile up at one point. Errors: as above."""

@final
class ChunkTable:
    """Sources and their references in order, ready to be cut into chunks with any hypothesis (CLEME).

    A reference that deletes everything is left out, and with ``drop_unchanged`` one that leaves the source as it is,
    unless none would remain. Edits up to ``merge_distance`` unchanged tokens apart share a chunk. Raises EditError as
    in_order, ValueError for another number of sentences. ``threads`` 0 means all processors.
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
    def present(self) -> NDArray[np.bool_]:
        """[S, R]: whether sentence s has a reference r that counts."""
    def partition(
        self, hypothesis: Edits, threads: int = 0
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.bool_],
        NDArray[np.int32],
        NDArray[np.bool_],
    ]:
        """offsets [S + 1], start [C], end [C], changed [C, 1 + R], length [C, 1 + R], same [C, R].

        Cells: hypothesis, then references; one that does not count is as the source. ``same``: the hypothesis has the
        reference's text. Raises EditError as in_order, ValueError unless each sentence has one hypothesis, MemoryError
        if there is no room.
        """
    def texts(
        self, hypothesis: Edits, threads: int = 0
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], list[str]]:
        """Of the chunks of ``partition``: source [C], text [C, 1 + R], type [C, 1 + R], as places in strings.

        The type of a cell is that of its edits, joined by ``+``. Errors: see partition.
        """

def text_marks(text: Text) -> tuple[int, int, int, int]:
    """Tokens with a mark of punctuation glued to them, and marks alone; typographic quotes and apostrophes, and plain
    ones: sums over the lines, see kernel/src/checks/marks.rs. O(bytes)."""

def beyond_ascii(text: Text) -> list[int]:
    """The places of lines with something beyond ASCII. O(bytes)."""

def text_letters(text: Text, words: WordList) -> tuple[int, int, int, int, int]:
    """Letters, letters of other scripts than Latin; tokens of letters only, of these those of three letters or more
    that begin in lower case, of these those that are not in the list. O(bytes), and a search for each token."""

def compare_lines(
    source: Text, others: Sequence[tuple[Text, int]], words: WordList
) -> list[tuple[int, int, int, int, int]]:
    """Of each text beside the source, sums over the lines: those without a word where the source has some; those with
    four tokens or more on one of the sides, and of these those whose lower-cased tokens have a Dice coefficient below
    1/2; tokens that are not in the list and that are removed from the source, and such that are added.

    Only tokens of three letters or more that begin in lower case are looked up, and none once as many were counted as
    stand beside the text. ValueError for another number of lines. O(bytes), a sort of the tokens that differ, and a
    search for each distinct one.
    """
