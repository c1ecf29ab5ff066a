"""The compiled kernel, typed. A test compares the names here with the binary."""

from collections.abc import Iterable, Sequence
from typing import Literal, final, overload

import numpy as np
from numpy.typing import NDArray

from geceval.edits.annotation import Annotated, Rules

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
    @staticmethod
    def beside(parts: Sequence[Edits]) -> Edits:
        """Versions of the same sentences beside each other; the annotator of a version is its place in ``parts``."""
    def __len__(self) -> int: ...
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

def sampled_sums(
    counts: NDArray[np.int32],
    present: NDArray[np.bool_],
    iterations: int,
    seed: int | None = None,
    threads: int = 0,
) -> NDArray[np.int64]:
    """The sums [iterations, K] of counts [S, R, K] over the references drawn among those ``present`` [S, R]."""

@final
class WordList:
    """The word list of the spelling rule."""

    def __new__(cls, words: Iterable[str]) -> WordList: ...
    def __len__(self) -> int: ...

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

    def __new__(cls, tagger: Tagger, words: WordList, rules: Rules, merging: str, plain: bool) -> Extractor: ...
    def annotate(self, source: Text, threads: int = 0) -> AnnotatedText:
        """Annotate each line."""
    def extract(self, source: AnnotatedText, target: Text, threads: int = 0) -> Edits:
        """The edits from each source to its target: one version a sentence, by annotator 0, none where the target is
        missing. Raises InputError for a pair too long to align."""

def extract_annotated(
    parts: Sequence[tuple[Annotated, Sequence[Sequence[str]]]],
    words: WordList,
    pairs: Sequence[tuple[int, int] | None],
    merging: str,
    plain: bool,
    rules: Rules,
    threads: int = 0,
) -> Edits:
    """Edits of pairs of annotated sentences, one version each; equal numbers: nothing changed; None: no version.

    ``parts`` are annotated sentences, numbered on from part to part, each with the base forms (as a noun, a verb, an
    adjective) of the lower case of its strings where the rules ask for them. Raises InputError for a pair too long to
    align.
    """

def classify_annotated(
    parts: Sequence[tuple[Annotated, Sequence[Sequence[str]]]],
    words: WordList,
    edits: Sequence[Sequence[int]],
    rules: Rules,
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
