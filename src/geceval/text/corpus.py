"""Parallel text in memory: source, references and systems of the same sentences, checked once for the whole tool."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeGuard, cast, get_args

import numpy as np

from geceval._kernel import Text
from geceval.base.arguments import choice, shown
from geceval.base.errors import InputError, UsageError
from geceval.text.m2 import Block, Blocks, Missing, references
from geceval.text.preparation import NOTHING, Preparation, prepared
from geceval.text.sequences import as_sequence
from geceval.text.truecase import Truecaser

Lines: TypeAlias = Sequence[str]
#: ``references[r][s]``; ``None`` where sentence s has no reference r.
References: TypeAlias = Sequence[Sequence[str | None]]
#: What a system made of the source: a sentence each, as text or as an M2 block.
Hypothesis: TypeAlias = Sequence[str] | Sequence[Block]


class TextSource(ABC):
    """A corpus that can be read in parts any number of times, in memory or in files; all else is known beforehand."""

    @property
    @abstractmethod
    def system_names(self) -> tuple[str, ...]:
        """The names of the systems, in order."""

    @property
    @abstractmethod
    def sentences(self) -> int | None:
        """The number of sentences; None: not known before all are read."""

    @property
    @abstractmethod
    def has_gold(self) -> bool:
        """Whether there are gold edits."""

    @property
    @abstractmethod
    def made_by(self) -> str:
        """For signatures: how the references were made from gold edits (``missing``); empty if they were given."""

    @property
    def prepared_by(self) -> Preparation:
        """For signatures: what was done to the texts before (tokenised, normalised …)."""
        return NOTHING

    @abstractmethod
    def reference_numbers(self, *, of_gold: bool) -> tuple[int, int]:
        """The smallest and the largest number of references, or of the gold edits' annotators, that a sentence has."""

    @property
    @abstractmethod
    def reference_texts(self) -> int:
        """How many ``references`` its parts have, also where every sentence lacks one of them."""

    @abstractmethod
    def is_m2(self, system: str) -> bool:
        """Whether a system is given as M2."""

    @abstractmethod
    def annotators(self) -> frozenset[int]:
        """Who has a line somewhere in the gold edits."""

    @abstractmethod
    def edit_types(self) -> frozenset[str]:
        """The types of all edits that are given, of gold and of systems as M2."""

    @abstractmethod
    def parts(self, size: int) -> Iterator[Corpus]:
        """Corpora of consecutive sentences, ``size`` each but for the last: memory stays bounded."""

    @abstractmethod
    def with_texts(self) -> TextSource:
        """Itself if it has references or no gold; else with the texts that the gold edits make.

        ``missing`` says what an annotator without a line in a block means; errors: see m2.references.
        """


class MadeTexts(list[Text]):
    """References that gold edits make, in the place of given ones. Corpus makes them anew when it is replaced."""


@dataclass(frozen=True)
class Corpus(TextSource):
    """S source sentences with R references or gold edits, and any number of systems.

    ``source[s]``; ``references[r][s]`` (``None`` where a sentence lacks that reference); ``gold[s]``, an M2 block;
    ``systems[name][s]``, a hypothesis as text or as an M2 block of one annotator; ``labels[s]``, what the sentence may
    be grouped by, such as the writer's level. Blocks are kept as they are scored: m2.Blocks.as_errant. ``prepared_by``
    records what was done to the texts already; ``prepared`` does it. Texts are kept as the kernel's ``Text``, a
    sequence of strings, and blocks in columns; slices share them.
    Raises InputError (a ValueError) with all lengths if they differ, if there is no sentence, if a sentence has no
    reference at all, or if references are plainly nested by sentence, and with file and line if a system's M2 has
    several annotators.
    """

    source: Lines
    references: References = ()
    systems: Mapping[str, Hypothesis] = field(default_factory=dict)
    gold: Sequence[Block] | None = None
    missing: Missing = "fallback"
    labels: Sequence[Any] | None = None
    prepared_by: Preparation = NOTHING
    #: How many sentences stand before it, where it is a part of a corpus that is being counted.
    first: int = field(default=0, init=False, compare=False)
    #: The sentences' places in such a part, where they were picked out of it.
    places: Sequence[int] | None = field(default=None, init=False, compare=False, repr=False)
    #: The texts as they were before they were prepared.
    unprepared: Corpus | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        choice("missing", self.missing, get_args(Missing))
        made = isinstance(self.references, MadeTexts)
        if made:  # by dataclasses.replace, from a corpus whose texts were made: they follow from the gold edits
            self._set(references=())
        self._set(source=as_sequence("source", self.source), references=_rows(self.references))
        self._set(systems={name: as_sequence(f"system {name}", lines) for name, lines in _by_name(self.systems)})
        if self.gold is not None:
            self._set(gold=Blocks.of(self.gold, "gold").as_errant())
        if self.labels is not None:
            self._set(labels=as_sequence("labels", self.labels, "label"))
        check_lengths([(name, len(lines)) for name, lines in self._named()], noun="sentences")
        texts = [text_of(f"reference {r}", lines, optional=True) for r, lines in enumerate(self.references)]
        systems = {name: _hypothesis(name, lines) for name, lines in self.systems.items()}
        self._set(source=text_of("source", self.source), references=texts, systems=systems)
        if not all(text.complete for text in texts):
            for s, versions in enumerate(zip(*self.references, strict=True)):
                if all(version is None for version in versions):
                    raise InputError(f"sentence {s} (counted from 0) has no reference")
        if len(texts) == len(self):
            _check_order(self.source, self.references)
        if made:
            self._set(references=self.with_texts().references)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _named(self) -> list[tuple[str, Sequence[Any]]]:
        named: list[tuple[str, Sequence[Any]]] = [("source", self.source)]
        named += [(f"reference {r}", reference) for r, reference in enumerate(self.references)]
        named += [] if self.gold is None else [("gold", self.gold)]
        named += [(f"system {name}", lines) for name, lines in self.systems.items()]
        named += [] if self.labels is None else [("labels", self.labels)]
        return named

    def __len__(self) -> int:
        return len(self.source)

    @property
    def system_names(self) -> tuple[str, ...]:
        return tuple(self.systems)

    @property
    def sentences(self) -> int:
        return len(self)

    @property
    def has_gold(self) -> bool:
        return self.gold is not None

    @property
    def made_by(self) -> str:
        return self.missing if isinstance(self.references, MadeTexts) else ""

    def reference_numbers(self, *, of_gold: bool) -> tuple[int, int]:
        if of_gold:
            return annotator_numbers(self.gold or ())
        texts = cast(Sequence[Text], self.references)
        if all(text.complete for text in texts):
            return len(texts), len(texts)
        numbers = [sum(text is not None for text in row) for row in zip(*texts, strict=True)]
        return min(numbers), max(numbers)

    @property
    def reference_texts(self) -> int:
        return len(self.references)

    def is_m2(self, system: str) -> bool:
        return has_edits(self.systems[system])

    def annotators(self) -> frozenset[int]:
        return annotators_of(self.gold or ())

    def edit_types(self) -> frozenset[str]:
        return types_of([self.gold or (), *(own for own in self.systems.values() if has_edits(own))])

    def with_texts(self) -> Corpus:
        if self.references or self.gold is None:
            return self
        return self.with_made(MadeTexts(map(Text, references(self.gold, self.missing))))

    def with_made(self, texts: MadeTexts) -> Corpus:
        """The corpus with texts that were made from its gold edits beforehand."""
        made = copy(self)  # not a new Corpus: this one was checked already
        made._set(references=texts)
        return made

    def prepared(self, preparation: Preparation, truecaser: Truecaser | None = None) -> Corpus:
        """The corpus with its texts tokenised, normalised and so on; signatures say so.

        ``truecaser``: learned from the whole corpus of which this is a part (None: from this one). Raises UsageError
        for texts that M2 edits stand for, and for a corpus that was prepared before.
        """
        if self.prepared_by:
            raise UsageError(f"the texts were prepared already: {self.prepared_by.signed}")
        given = () if isinstance(self.references, MadeTexts) else self.references
        own = {name: cast(Lines, lines) for name, lines in self.systems.items() if not has_edits(lines)}
        m2 = [name for name in self.systems if name not in own]
        preparation.check(references=bool(given), gold=self.has_gold, m2_systems=m2)
        texts = prepared(
            preparation, {"source": [self.source], "references": given, "systems": [*own.values()]}, truecaser
        )
        done = copy(self)  # not a new Corpus: the lines are as many as before
        done._set(
            source=texts["source"][0],
            references=texts["references"] if given else self.references,
            systems={**self.systems, **dict(zip(own, texts["systems"], strict=True))},
            prepared_by=preparation,
            unprepared=self,
        )
        return done

    def adding(self, name: str, hypothesis: Hypothesis) -> Corpus:
        """The corpus with one more system, last. Raises InputError as Corpus does."""
        hypothesis = as_sequence(f"system {name}", hypothesis)
        check_lengths([("source", len(self)), (f"system {name}", len(hypothesis))], noun="sentences")
        return self.with_system(name, _hypothesis(name, hypothesis))

    def with_system(self, name: str, lines: Hypothesis) -> Corpus:
        """The corpus with one more system, last, whose lines were checked already."""
        more = copy(self)
        more._set(systems={**self.systems, name: lines})
        return more

    def parts(self, size: int) -> Iterator[Corpus]:
        for start in range(0, len(self), size):
            yield self.part(start, start + size)

    def after(self, sentences: int) -> Corpus:
        """The corpus as a part before which so many sentences stand."""
        if sentences == self.first:
            return self
        part = copy(self)
        part._set(first=sentences)
        return part

    def part(self, start: int, stop: int) -> Corpus:
        """The sentences from ``start`` up to ``stop``. Texts are shared, not copied."""
        if start <= 0 and stop >= len(self):
            return self
        within = slice(start, stop)
        part = copy(self)  # not a new Corpus: the whole was checked already
        part._set(
            source=self.source[within],
            references=type(self.references)(reference[within] for reference in self.references),  # type: ignore[call-arg]
            systems={name: lines[within] for name, lines in self.systems.items()},
            gold=None if self.gold is None else self.gold[within],
            labels=None if self.labels is None else self.labels[within],
            places=None if self.places is None else self.places[within],
            unprepared=None if self.unprepared is None else self.unprepared.part(start, stop),
        )
        return part

    def picked(self, places: Sequence[int]) -> Corpus:
        """The sentences in these places, which keep their numbers (see ``place``). Cost: O(text picked)."""
        picked = copy(self)  # not a new Corpus: the whole was checked already
        picked._set(
            source=text_at(self.source, places),
            references=type(self.references)(text_at(row, places) for row in self.references),  # type: ignore[call-arg]
            systems={name: _at(lines, places) for name, lines in self.systems.items()},
            gold=None if self.gold is None else _at(self.gold, places),
            labels=None if self.labels is None else [self.labels[at] for at in places],
            places=[self.place(at) - self.first for at in places],
            unprepared=None if self.unprepared is None else self.unprepared.picked(places),
        )
        return picked

    def place(self, sentence: int) -> int:
        """Where a sentence stands in the corpus that this is a part of, counted from 0."""
        return self.first + (sentence if self.places is None else self.places[sentence])


def text_at(lines: Sequence[str | None], places: Sequence[int]) -> Text:
    """Some of the lines."""
    return Text([lines[at] for at in places])


def _at(hypothesis: Hypothesis, places: Sequence[int]) -> Hypothesis:
    if has_edits(hypothesis):
        return Blocks.of([hypothesis[at] for at in places])
    return cast(Lines, text_at(cast(Lines, hypothesis), places))


def annotator_numbers(gold: Sequence[Block]) -> tuple[int, int]:
    """The smallest and the largest number of annotators that a sentence has."""
    numbers = np.diff(Blocks.of(gold).edits.versions)
    return int(numbers.min(initial=numbers.max(initial=0))), int(numbers.max(initial=0))


def annotators_of(gold: Sequence[Block]) -> frozenset[int]:
    """The numbers of those who annotated; a block without any line is annotator 0's."""
    return frozenset(np.unique(Blocks.of(gold).edits.annotator).tolist())


def types_of(given: Iterable[Sequence[Block]]) -> frozenset[str]:
    """The types of the edits."""
    edits = [Blocks.of(blocks).edits for blocks in given]
    return frozenset(own.strings[place] for own in edits for place in np.unique(own.type).tolist())


def has_edits(hypothesis: Hypothesis) -> TypeGuard[Sequence[Block]]:
    """Whether a hypothesis is given as M2 blocks, not as text."""
    return len(hypothesis) > 0 and isinstance(hypothesis[0], Block)


def as_text(hypothesis: Hypothesis) -> Lines:
    """A hypothesis as sentences; an M2 block yields its source with the edits of its annotator applied."""
    if isinstance(hypothesis, Text) and hypothesis.complete:
        return cast(Lines, hypothesis)
    hypothesis = as_sequence("hypothesis", hypothesis)
    if has_edits(hypothesis):
        return cast(Lines, Blocks.of(hypothesis).as_errant().version(0))
    return cast(Lines, text_of("hypothesis", cast(Lines, hypothesis)))


def _hypothesis(name: str, hypothesis: Hypothesis) -> Hypothesis:
    if not has_edits(hypothesis):
        return cast(Lines, text_of(f"system {name}", cast(Lines, hypothesis)))
    if not all(isinstance(block, Block) for block in hypothesis):
        raise InputError(f"system {name} mixes text and M2 blocks")
    blocks = Blocks.of(hypothesis).as_errant()
    blocks.check_one_annotator(name)
    return blocks


# --- checks ---


def text_of(name: str, lines: Sequence[str | None], *, optional: bool = False) -> Text:
    """The lines as the kernel keeps them; free if they are kept so already.

    Raises InputError unless they are strings (or None, if ``optional``) that UTF-8 can encode.
    """
    lines = as_sequence(name, lines)
    try:
        text = Text(lines)
    except (TypeError, UnicodeEncodeError):
        _check_sentences(name, lines, optional)
        raise
    if not (optional or text.complete):
        _check_sentences(name, text, optional)
    return text


def _check_sentences(name: str, lines: Sequence[str | None], optional: bool) -> None:
    for s, line in enumerate(lines):
        if line is None and optional:
            continue
        if not isinstance(line, str):
            kind = type(line).__name__
            raise InputError(f"{name}, sentence {s} (counted from 0): a string is needed, not {kind}")
        try:
            line.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{name}, sentence {s} (counted from 0): lone surrogate U+{ord(line[error.start]):04X} "
                f"at position {error.start} is not text"
            ) from None


_NESTING = "references are a list of references, each a list of sentences: references[r][s]"


def _rows(references: References) -> Sequence[Any]:
    """The references, each with its sentences. Raises InputError where that is not what is given."""
    rows = as_sequence("references", references, "reference", dimensions=2)
    if any(isinstance(row, str) for row in rows):
        raise InputError(_NESTING, hint="for one reference write [reference]")
    return [as_sequence(f"reference {r}", row) for r, row in enumerate(rows)]


def _by_name(systems: Mapping[str, Hypothesis]) -> list[tuple[str, Hypothesis]]:
    """The systems with their names; a table of columns, such as a DataFrame, is one, too."""
    if not hasattr(systems, "keys"):
        raise InputError(
            f"systems are a mapping from names to sentences, not {shown(systems)}", hint='write {"name": sentences}'
        )
    names = list(systems.keys())
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"the name of a system is text, not {shown(name)}")
    return [(name, systems[name]) for name in names]


def _check_order(source: Lines, references: References) -> None:
    """Raise InputError where as many references as sentences are plainly given as references[s][r].

    Only the words tell: read that way, every reference has four words or more of its sentence, and at least half of
    them; read as given, they share no more than a quarter as many.
    """
    words = [frozenset(line.split()) for line in source]
    pairs = [(s, r) for s in range(len(words)) for r in range(len(words)) if s != r]
    given = turned = 0
    for s, r in pairs:
        other = words[s].intersection((references[s][r] or "").split())
        if len(other) < max(4, len(words[s]) / 2):
            return
        turned += len(other)
        given += len(words[s].intersection((references[r][s] or "").split()))
    if pairs and 4 * given <= turned:
        raise InputError(
            f"{_NESTING}; here references[s][r] resemble the sentences",
            hint="turn them around: references = list(zip(*references))",
        )


def check_lengths(lengths: Sequence[tuple[str, int]], *, noun: str) -> None:
    """Raise InputError that lists every name with its length, the odd ones marked, unless all are equal and not 0."""
    expected = lengths[0][1]
    if any(length != expected for _, length in lengths):
        width = max(len(name) for name, _ in lengths)
        digits = max(len(str(length)) for _, length in lengths)
        rows = []
        for name, length in lengths:
            odd = "" if length == expected else f"   <- {abs(length - expected)} {_than(length, expected)}"
            rows.append(f"\n  {name:<{width}}  {length:>{digits}}{odd}")
        raise InputError(f"not the same number of {noun}" + "".join(rows))
    if expected == 0:
        raise InputError(f"there are no {noun}: {', '.join(name for name, _ in lengths)}")


def _than(length: int, expected: int) -> str:
    return "fewer" if length < expected else "more"
