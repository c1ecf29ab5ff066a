"""The compiled kernel, typed. A test compares the names here with the binary."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from geceval.edits.annotation import Annotated, Rules
from geceval.edits.extract import Lexicon

__version__: str

@final
class Text(Sequence[str | None]):
    """Lines of text in one buffer: a sequence of strings, None where a line is missing. Slices share the buffer."""

    def __new__(cls, lines: Iterable[str | None]) -> Text: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, at: int) -> str | None: ...
    @overload
    def __getitem__(self, at: slice) -> Text: ...
    @property
    def complete(self) -> bool:
        """Whether no line is missing."""
    def fingerprint(self) -> int:
        """A number that, all but certainly, only the same lines have (128 bits). O(bytes)."""

@final
class Edits:
    """The edits of all versions (annotators, references, or one system) of S sentences, in columns.

    Sentence s has the versions ``versions[s]:versions[s + 1]``, version v, by ``annotator[v]``, the edits
    ``offsets[v]:offsets[v + 1]``, in the order they were read or found. Edit e spans the source tokens
    ``start[e]:end[e]``; ``type[e]`` and ``text[e]``, the correction as written, are places in ``strings``.
    """

    def __new__(cls, sentences: Sequence[Sequence[tuple[int, Sequence[tuple[int, int, str, str]]]]]) -> Edits: ...
    def __len__(self) -> int: ...
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
    """The n-grams of sources and references, ready to be compared with hypotheses.

    ``texts[s]`` is the source of sentence s followed by its R references. ``threads`` 0 means all processors.
    """

    def __new__(
        cls,
        texts: Sequence[Sequence[str]],
        n: int,
        unit: Literal["word", "char", "grapheme"],
        threads: int = 0,
    ) -> NgramTable: ...
    def count(self, hypotheses: Sequence[str], threads: int = 0) -> NDArray[np.int32]:
        """Counts ``[sentence, reference, order, 8]``: tk td ti od oi ud ui, and ud absent from the reference."""
    def __len__(self) -> int: ...

def sampled_references(present: NDArray[np.bool_], iterations: int, seed: int | None = None) -> NDArray[np.uint32]:
    """The references [iterations, S] drawn among those ``present`` [S, R]. Seed None: the original scorer's draws."""

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
    metrics.errant. Strings that both tables have appear twice, and once only in columns. Raises ValueError (message,
    sentence) if there are more than 2^22 tokens inside the edits of a version.
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

def rounded_all(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """Numbers [N] rounded to so many decimals, at most 22, as Python's ``round`` does."""

@final
class Sampler:
    """Sums over references that are drawn for each sentence, ``iterations`` times, as counts come in part by part.

    Iteration i draws from MT19937, seeded with i * 101 (seed None) or with the array (low and high half of the seed,
    i); each sentence takes the place int(random() * R) among its R references. Parts after each other draw as the whole
    does. Memory: iterations × (2.5 KB and the columns). Can be pickled.
    """

    def __new__(cls, iterations: int, seed: int | None = None, state: tuple[bool, bytes] | None = None) -> Sampler: ...
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

def extract_edits(
    annotated: Annotated,
    lexicon: Lexicon,
    pairs: Sequence[tuple[int, int]],
    merging: str,
    plain: bool,
    rules: Rules,
    threads: int = 0,
) -> tuple[list[int], NDArray[np.int32], list[str]]:
    """Edits of pairs of sentences of the batch: how many each pair has (-1: too long to align), then over all edits
    their spans [E, 4] (start, end, target start, target end) and their types."""

def classify_edits(annotated: Annotated, lexicon: Lexicon, edits: Sequence[Sequence[int]], rules: Rules) -> list[str]:
    """Types of edits [E][6]: source sentence, target sentence, start, end, target start, target end."""

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
class GoldTable:
    """Sources and the gold edits of their annotators, ready to be compared with hypotheses (MaxMatch).

    ``gold[s][a]`` are the edits (start, end, alternatives) of annotator a of sentence s, in file order.
    """

    def __new__(
        cls,
        sources: Sequence[str],
        gold: Sequence[Sequence[Sequence[tuple[int, int, Sequence[str]]]]],
    ) -> GoldTable: ...
    def count(
        self,
        hypotheses: Sequence[str],
        max_unchanged: int,
        ignore_whitespace_casing: bool,
        timeout: float | None = None,
        method: Literal["auto", "exact", "search"] = "auto",
        threads: int = 0,
    ) -> NDArray[np.int32]:
        """Counts ``[sentence, annotator, 4]``: correct, proposed, gold, and 1 where ``timeout`` seconds ran out."""
    def views(
        self,
        sentence: int,
        hypothesis: str,
        max_unchanged: int,
        ignore_whitespace_casing: bool,
        timeout: float | None = None,
        method: Literal["auto", "exact", "search"] = "auto",
    ) -> list[tuple[list[tuple[int, int, int, int]], list[tuple[int, int]]]] | None:
        """Every annotator's (edits, matches); None if the time ran out.

        An edit (start, end, from, to) turns source tokens start..end into hypothesis tokens from..to; a match is the
        place of an edit and that of a gold edit.
        """
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

_Integers = NDArray[np.int64]
_Tokens = tuple[_Integers, NDArray[np.int32]]
_Edits = tuple[int, _Integers, NDArray[np.int32], NDArray[np.int32], _Tokens]

def partition(
    source: _Tokens, hypothesis: _Edits, references: _Edits, distance: int
) -> tuple[_Integers, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_], NDArray[np.int32], NDArray[np.bool_]]:
    """CLEME's chunks: offsets [S + 1], start [C], end [C], changed [C, 1 + R], length [C, 1 + R], same [C, R].

    ``source`` is (offsets [S + 1], tokens). Edits are (R, offsets [S * R + 1], start [E], end [E], (offsets [E + 1],
    tokens)), in order and without overlap; the hypothesis's R is 1. Cells: hypothesis, then references. ``same``: the
    hypothesis has the reference's text. Raises ValueError for columns that do not fit each other.
    """
