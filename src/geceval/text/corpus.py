"""Parallel text in memory: source, references and systems of the same sentences, checked once for the whole tool."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeGuard, cast, get_args

import numpy as np

from geceval._kernel import Text
from geceval.base.arguments import as_sequence, choice, shown
from geceval.base.errors import InputError, UsageError
from geceval.text.files import SOURCE
from geceval.text.m2 import Block, Blocks, Missing, references
from geceval.text.preparation import NOTHING, Preparation, prepared
from geceval.text.truecase import Truecaser

Lines: TypeAlias = Sequence[str]
#: ``references[r][s]``; ``None`` where sentence s has no reference r.
References: TypeAlias = Sequence[Sequence[str | None]]
#: What a system made of the source: a sentence each, as text or as an M2 block.
Hypothesis: TypeAlias = Sequence[str] | Sequence[Block]


@dataclass(frozen=True)
class SourceFacts:
    """What is known of a source of text before its parts are read; functions find out what may take reading.

    ``sentences``: None: not known before all are read. ``m2_systems``: those given as M2. ``made_by``: how references
    were made from gold edits (``missing``), empty if they were given. ``prepared_by``: what was done to the texts.
    ``references``, ``gold_versions``: the fewest and the most references, or annotators of the gold edits, of a
    sentence. ``reference_texts``: the number of ``references`` that the parts have, also where every sentence lacks one
    of them. ``annotators``: those with a line somewhere in the gold edits. ``edit_types``: of all edits that are given,
    gold ones and systems'.
    """

    system_names: tuple[str, ...]
    sentences: Callable[[], int | None]
    m2_systems: frozenset[str]
    has_gold: bool
    made_by: str
    prepared_by: Preparation
    references: Callable[[], tuple[int, int]]
    reference_texts: Callable[[], int]
    gold_versions: Callable[[], tuple[int, int]]
    annotators: Callable[[], frozenset[int]]
    edit_types: Callable[[], frozenset[str]]


class TextSource(ABC):
    """A corpus that can be read in parts any number of times, in memory or in files."""

    @property
    @abstractmethod
    def facts(self) -> SourceFacts:
        """What is known of it before it is read."""

    @abstractmethod
    def parts(self, size: int) -> Iterator[Corpus]:
        """Yield corpora of consecutive sentences, ``size`` each but for the last: memory stays bounded."""

    @abstractmethod
    def with_texts(self) -> TextSource:
        """Return itself if it has references or no gold; else with the texts that the gold edits make.

        ``missing`` says what an annotator without a line in a block means; errors: see m2.references.
        """

    @property
    def system_names(self) -> tuple[str, ...]:
        """The names of the systems, in order."""
        return self.facts.system_names

    @property
    def sentences(self) -> int | None:
        """The number of sentences; None: not known before all are read."""
        return self.facts.sentences()

    @property
    def has_gold(self) -> bool:
        """Whether there are gold edits."""
        return self.facts.has_gold

    @property
    def made_by(self) -> str:
        """How the references were made from gold edits (``missing``); empty if they were given."""
        return self.facts.made_by

    def reference_numbers(self, *, of_gold: bool) -> tuple[int, int]:
        """Return the fewest and the most references, or annotators of the gold edits, that a sentence has."""
        return self.facts.gold_versions() if of_gold else self.facts.references()

    @property
    def reference_texts(self) -> int:
        """The number of ``references`` that the parts have."""
        return self.facts.reference_texts()

    def annotators(self) -> frozenset[int]:
        """Return who has a line somewhere in the gold edits."""
        return self.facts.annotators()

    def edit_types(self) -> frozenset[str]:
        """Return the types of all edits that are given, of gold and of systems as M2."""
        return self.facts.edit_types()

    def is_m2(self, system: str) -> bool:
        """Return whether a system is given as M2."""
        return system in self.facts.m2_systems


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
        source = as_sequence("source", self.source)
        # By dataclasses.replace, from a corpus whose texts were made: they follow from the gold edits.
        references = [] if made else _rows(self.references)
        systems = {name: as_sequence(f"system {name}", lines) for name, lines in _by_name(self.systems)}
        gold = None if self.gold is None else Blocks.of(self.gold, "gold").as_errant()
        labels = None if self.labels is None else as_sequence("labels", self.labels, "label")
        lengths = [("source", len(source))]
        lengths += [(f"reference {r}", len(reference)) for r, reference in enumerate(references)]
        lengths += [] if gold is None else [("gold", len(gold))]
        lengths += [(f"system {name}", len(lines)) for name, lines in systems.items()]
        lengths += [] if labels is None else [("labels", len(labels))]
        check_lengths(lengths, noun="sentences")
        texts = [text_of(f"reference {r}", lines, optional=True) for r, lines in enumerate(references)]
        systems = {name: _hypothesis(name, lines) for name, lines in systems.items()}
        source = text_of("source", source)
        if not all(text.complete for text in texts):
            for s, versions in enumerate(zip(*references, strict=True)):
                if all(version is None for version in versions):
                    raise InputError(f"sentence {s} (counted from 0) has no reference")
        if len(texts) == len(source):
            _check_order(cast(Lines, source), references)
        vars(self).update(source=source, references=texts, systems=systems, gold=gold, labels=labels)
        if made:
            vars(self).update(references=self.with_texts().references)

    def _derived(self, **values: Any) -> Corpus:
        """Return a corpus with other values, which were checked already."""
        derived = object.__new__(type(self))
        vars(derived).update(vars(self), **values)
        return derived

    def __len__(self) -> int:
        return len(self.source)

    @property
    def facts(self) -> SourceFacts:
        gold = self.gold or ()
        m2 = {name: blocks for name, blocks in self.systems.items() if has_edits(blocks)}
        return SourceFacts(
            system_names=tuple(self.systems),
            sentences=lambda: len(self),
            m2_systems=frozenset(m2),
            has_gold=self.gold is not None,
            made_by=self.missing if isinstance(self.references, MadeTexts) else "",
            prepared_by=self.prepared_by,
            references=lambda: _numbers_of(cast(Sequence[Text], self.references)),
            reference_texts=lambda: len(self.references),
            gold_versions=lambda: annotator_numbers(gold),
            annotators=lambda: annotators_of(gold),
            edit_types=lambda: types_of([gold, *m2.values()]),
        )

    def with_texts(self) -> Corpus:
        if self.references or self.gold is None:
            return self
        return self.with_made(MadeTexts(map(Text, references(self.gold, self.missing))))

    def with_made(self, texts: MadeTexts) -> Corpus:
        """Return the corpus with texts that were made from its gold edits beforehand."""
        return self._derived(references=texts)

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
        return self._derived(
            source=texts["source"][0],
            references=texts["references"] if given else self.references,
            systems={**self.systems, **dict(zip(own, texts["systems"], strict=True))},
            prepared_by=preparation,
            unprepared=self,
        )

    def adding(self, name: str, hypothesis: Hypothesis) -> Corpus:
        """The corpus with one more system, last. Raises InputError as Corpus does."""
        hypothesis = as_sequence(f"system {name}", hypothesis)
        check_lengths([("source", len(self)), (f"system {name}", len(hypothesis))], noun="sentences")
        return self.with_system(name, _hypothesis(name, hypothesis))

    def with_system(self, name: str, lines: Hypothesis) -> Corpus:
        """The corpus with one more system, last, whose lines were checked already."""
        return self._derived(systems={**self.systems, name: lines})

    def parts(self, size: int) -> Iterator[Corpus]:
        for start in range(0, len(self), size):
            yield self.part(start, start + size)

    def after(self, sentences: int) -> Corpus:
        """Return the corpus as a part before which ``sentences`` stand."""
        return self if sentences == self.first else self._derived(first=sentences)

    def part(self, start: int, stop: int) -> Corpus:
        """Return the sentences from ``start`` up to ``stop``. Texts are shared, not copied."""
        if start <= 0 and stop >= len(self):
            return self
        return self._taken(
            lambda lines: lines[start:stop],
            places=None if self.places is None else self.places[start:stop],
            unprepared=None if self.unprepared is None else self.unprepared.part(start, stop),
        )

    def picked(self, places: Sequence[int]) -> Corpus:
        """Return the sentences in these places, which keep their numbers (see ``place``). Cost: O(text picked)."""
        return self._taken(
            lambda lines: _at(lines, places),
            places=[self.place(at) - self.first for at in places],
            unprepared=None if self.unprepared is None else self.unprepared.picked(places),
        )

    def _taken(self, take: Callable[[Any], Any], **values: Any) -> Corpus:
        """Return what ``take`` takes of all texts, edits and labels."""
        texts = map(take, self.references)
        return self._derived(
            source=take(self.source),
            references=MadeTexts(texts) if isinstance(self.references, MadeTexts) else list(texts),
            systems={name: take(lines) for name, lines in self.systems.items()},
            gold=None if self.gold is None else take(self.gold),
            labels=None if self.labels is None else take(self.labels),
            **values,
        )

    def place(self, sentence: int) -> int:
        """Where a sentence stands in the corpus that this is a part of, counted from 0."""
        return self.first + (sentence if self.places is None else self.places[sentence])


@dataclass(frozen=True)
class WithSource(TextSource):
    """A corpus whose last system is its own source. Raises InputError if one of its systems has that name."""

    corpus: TextSource

    def __post_init__(self) -> None:
        if SOURCE in self.corpus.system_names:
            raise InputError(f"a system is called {SOURCE}, as the unchanged source is")

    @property
    def facts(self) -> SourceFacts:
        facts = self.corpus.facts
        return replace(facts, system_names=(*facts.system_names, SOURCE))

    def parts(self, size: int) -> Iterator[Corpus]:
        for part in self.corpus.parts(size):
            yield part.with_system(SOURCE, part.source)

    def with_texts(self) -> WithSource:
        return WithSource(self.corpus.with_texts())


def _at(lines: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
    """Return the lines, blocks or labels in these places, kept as they are."""
    found = [lines[at] for at in places]
    if isinstance(lines, Blocks):
        return Blocks.of(found)
    return Text(found) if isinstance(lines, Text) else found


def _numbers_of(references: Sequence[Text]) -> tuple[int, int]:
    """Return the smallest and the largest number of references that a sentence has."""
    if all(text.complete for text in references):
        return len(references), len(references)
    numbers = [sum(text is not None for text in row) for row in zip(*references, strict=True)]
    return min(numbers), max(numbers)


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
            than = "fewer" if length < expected else "more"
            odd = "" if length == expected else f"   <- {abs(length - expected)} {than}"
            rows.append(f"\n  {name:<{width}}  {length:>{digits}}{odd}")
        raise InputError(f"not the same number of {noun}" + "".join(rows))
    if expected == 0:
        raise InputError(f"there are no {noun}: {', '.join(name for name, _ in lengths)}")
