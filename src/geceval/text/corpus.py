"""Parallel text in memory: source, references and systems of the same sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias, TypeGuard, cast, get_args

import numpy as np

from geceval._kernel import Text, normalised
from geceval.base.arguments import (
    COUNT,
    LISTS_BY_SENTENCE,
    NO_OUTPUT,
    NO_REFERENCE,
    ONE_SENTENCE,
    Bounds,
    as_sequence,
    check_choices,
    check_per_sentence,
    check_type,
    choice,
    lone_surrogate,
    shown,
    transpose_references,
    whole,
)
from geceval.base.errors import InputError, UsageError
from geceval.base.python_hints import warn
from geceval.text.files import SOURCE
from geceval.text.frames import FrameColumns, index_of, is_frame, plain_values
from geceval.text.line_rules import CleanedLines, LineRules
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, GoldEdits, Misfits, Missing, Overlaps, used_types
from geceval.text.m2.headings import described, heading_lines, headings_of, unedited
from geceval.text.m2.operations import annotators, fitting_blocks, resolve_overlaps
from geceval.text.preparation import NOTHING, Preparation, Role, prepared
from geceval.text.tokenisers import Tokeniser

Lines: TypeAlias = Sequence[str]
#: ``references[r][s]``; None if sentence s has no reference r.
References: TypeAlias = Sequence[Sequence[str | None]]
#: A system's corrections, one per sentence, as text or as M2 blocks.
Hypothesis: TypeAlias = Sequence[str] | Sequence[Block]
#: Form in which a metric gets a corpus: texts with single spaces and none at their ends, lines as they are, or lines
#: as they are and systems given as M2 as blocks. The first two have the corrected texts of these systems.
InputForm: TypeAlias = Literal["texts", "lines", "edits"]


class TextSource(ABC):
    """Sentences with references or gold edits, and systems, that are read in parts.

    Attributes:
        gold: M2 blocks of the gold edits; None without them.
        annotators: numbers of the annotators of the gold edits.
        missing: see Corpus, as the following ones.
        overlaps: treatment of overlapping gold edits.
        misfits: treatment of edits that do not fit their sentence.
        gold_edits: the gold edits of metrics on edits.
        prepared_by: the preparation of the texts.
    """

    gold: Sequence[Block] | None
    annotators: tuple[int, ...]
    missing: Missing
    overlaps: Overlaps | None
    misfits: Misfits | None
    gold_edits: GoldEdits
    prepared_by: Preparation

    @property
    @abstractmethod
    def system_names(self) -> tuple[str, ...]:
        """Names of the systems, in order."""

    @property
    @abstractmethod
    def m2_systems(self) -> Mapping[str, Sequence[Block]]:
        """Blocks of the systems given as edits, by name."""

    @property
    @abstractmethod
    def has_references(self) -> bool:
        """Whether it has reference texts."""

    @property
    @abstractmethod
    def most_references(self) -> int:
        """Largest number of reference texts of a sentence; a table with lists is read."""

    @property
    @abstractmethod
    def sentences(self) -> int | None:
        """Number of sentences; None if unknown before all are read."""

    @abstractmethod
    def parts(self, size: int) -> Iterator[Corpus]:
        """Yield corpora of ``size`` consecutive sentences each; the last may be smaller."""

    def narrow_parts(self, size: int) -> Iterator[Corpus]:
        """Yield parts of ``size`` sentences, or fewer if a sentence has very many references or annotators.

        References and counts have a row for each sentence and version, although most sentences have fewer versions.
        """
        for part in self.parts(size):
            versions = max(1, len(part.references), len(part.annotators))
            yield from part.parts(max(1, MOST_VERSIONS // versions))

    @abstractmethod
    def with_unchanged(self) -> TextSource:
        """Return it with the unchanged source as the last system.

        Raises InputError if a system has its name.
        """

    def annotator_numbers(self) -> tuple[int, int]:
        """Return the smallest and largest number of annotators of a sentence."""
        numbers = np.diff(Blocks.of(self.gold or ()).edits.versions)
        return int(numbers.min(initial=numbers.max(initial=0))), int(numbers.max(initial=0))

    @property
    def edit_types(self) -> frozenset[str]:
        """Types of the gold edits and of the edits of systems."""
        annotations = [blocks for blocks in (self.gold, *self.m2_systems.values()) if blocks is not None]
        return frozenset(type_ for blocks in annotations for type_ in used_types(Blocks.of(blocks).edits).values())


#: Raises UsageError unless a value is a corpus.
check_source = partial(
    check_type,
    "corpus",
    type_=TextSource,
    needed="a Corpus",
    hint='use geceval.read_corpus(…), Corpus.of(texts, references, sources) or Corpus.of(table, source="…", …)',
)


def prepared_source(
    corpus: TextSource, tokenise: str | Tokeniser | None = None, clean: str | Sequence[str] | LineRules = ()
) -> TextSource:
    """Return a corpus, whose texts are prepared if a tokeniser or rules are given.

    Raises UsageError for another type, and for files, which are prepared while they are read.
    """
    check_source(corpus)
    preparation = Preparation(tokenise, clean=clean)
    if not preparation:
        return corpus
    if not isinstance(corpus, Corpus):
        hint = "CorpusFiles(…, prepare=geceval.Preparation(tokenise=…, clean=…))"
        raise UsageError("files are prepared while they are read", hint=hint)
    return corpus.prepared(preparation)


_SIZE = Bounds(1)
#: Most sentences times versions in a narrow part; a single sentence may have more.
MOST_VERSIONS = 1 << 18


@dataclass(frozen=True)
class Corpus(TextSource):
    """S source sentences with references or gold edits, and any number of systems.

    Texts are stored as the kernel's ``Text``, a sequence of strings, and blocks in columns; slices share them. Blocks
    are converted to the form that is scored (see m2.Blocks.as_errant).

    Attributes:
        source: sentences [S].
        references: texts ``[r][s]``; None if a sentence lacks a reference.
        systems: name -> hypotheses [S], as text or as M2 blocks of one annotator.
        gold: M2 blocks [S].
        missing: the text of an annotator without a line in a block: "fallback" (the first annotator's) or "plain".
        overlaps: treatment of an annotator's gold edits that overlap, see m2.resolve_overlaps, which also sorts them;
            None: they stay as they are, as in the public tools.
        misfits: treatment of edits, of gold and systems, that do not fit their sentence, see m2.fitting; "drop" leaves
            out sentences that are headings of documents, too.
        labels: labels [S] to group sentences by, such as the level of the writer.
        prepared_by: the preparation of the texts; ``prepared`` applies one.
        gold_edits: the gold edits of metrics on edits: "as-given", or "reannotated", found in the corrected text of
            each annotator of ``gold`` by the annotator of the metric.

    Raises:
        InputError: if lengths differ (lists all of them) or are 0, if a sentence has no reference, if references are
            nested by sentence, or if the M2 of a system has several annotators (names file and line).
    """

    source: Lines
    references: References = ()
    systems: Mapping[str, Hypothesis] = field(default_factory=dict)
    gold: Sequence[Block] | None = None
    missing: Missing = "fallback"
    labels: Sequence[Any] | None = None
    prepared_by: Preparation = NOTHING
    gold_edits: GoldEdits = "as-given"
    overlaps: Overlaps | None = "error"
    misfits: Misfits | None = "error"
    #: Number of sentences before it, if it is a part of a corpus.
    first: int = field(default=0, init=False, compare=False)
    #: Places of its sentences in that part, if they were selected from it.
    places: Sequence[int] | None = field(default=None, init=False, compare=False, repr=False)
    #: The corpus before the preparation.
    unprepared: Corpus | None = field(default=None, init=False, compare=False, repr=False)
    #: The annotators of the gold edits of the whole corpus.
    annotators: tuple[int, ...] = field(default=(), init=False, compare=False, repr=False)
    #: Index of the sentences in the data frame that contained them.
    index: Sequence[Any] | None = field(default=None, init=False, compare=False, repr=False)
    #: Whether the references are texts made from the gold edits.
    are_made: bool = field(default=False, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_choices(self)
        source = as_sequence("source", self.source)
        references = _rows(self.references)
        systems = {name: as_sequence(f"system {name}", lines) for name, lines in _by_name(self.systems)}
        gold = None if self.gold is None else fitting_blocks(Blocks.of(self.gold, "gold"), self.misfits)
        if gold is not None and self.overlaps is not None:
            gold = resolve_overlaps(gold, self.overlaps)
        labels = None if self.labels is None else as_sequence("labels", self.labels, "label")
        lengths = [("source", len(source))]
        lengths += [(f"reference {r}", len(reference)) for r, reference in enumerate(references)]
        lengths += [] if gold is None else [("gold", len(gold))]
        lengths += [(f"system {name}", len(lines)) for name, lines in systems.items()]
        lengths += [] if labels is None else [("labels", len(labels))]
        _check_nesting(len(source), references)
        check_lengths(lengths, noun="sentences")
        texts = [text_of(f"reference {r}", lines, optional=True) for r, lines in enumerate(references)]
        systems = {name: _hypothesis(name, lines, self.misfits) for name, lines in systems.items()}
        source = text_of("source", source)
        if not all(text.complete for text in texts):
            for s, versions in enumerate(zip(*texts, strict=True)):
                if all(version is None for version in versions):
                    raise InputError(f"sentence {s} (counted from 0) has no reference", hint=NO_REFERENCE, sentence=s)
        if len(texts) == len(source):
            _check_order(cast(Lines, source), references)
        vars(self).update(source=source, references=texts, systems=systems, gold=gold, labels=labels)
        if gold is not None:
            vars(self).update(annotators=annotators(gold))
        headings = headings_of(gold) if gold is not None and self.misfits == "drop" else []
        if gold is not None and 0 < len(headings) < len(gold):
            warn(f"left out: {described(gold, headings)}")
            vars(self).update(vars(self.without(headings)))

    @classmethod
    def of(
        cls,
        hypotheses: Any,
        references: Any = (),
        sources: Lines | None = None,
        *,
        source: str | None = None,
        hypothesis: str | Sequence[str] = (),
        per_sentence: Any = None,
        gold: Sequence[Block] | None = None,
        gold_edits: GoldEdits = "as-given",
        tokenise: str | Tokeniser | None = None,
        clean: str | Sequence[str] | LineRules = (),
    ) -> Corpus:
        """Return the corpus of hypotheses, or of the columns of a table with one row per sentence.

        Args:
            hypotheses: Corrected sentences [S] of one system, called "hypothesis"; name -> corrected sentences; or,
                with ``source``, a table: a data frame, a mapping of columns or an Arrow stream.
            references: Reference sentences [S], or several [R][S]; None, NaN and NA for a missing reference. In a
                table, the names of columns, in which empty cells are missing references.
            sources: Source sentences [S]; by default the sentences of ``gold``.
            source: Name of a table's column with source sentences.
            hypothesis: Names of a table's columns with corrected sentences; they name the systems.
            per_sentence: References of each sentence [S], instead of ``references``; in a table, the name of a column
                with lists.
            gold: M2 blocks [S] of gold edits, instead of or in addition to references.
            gold_edits: Gold edits of metrics on edits; see Corpus.
            tokenise: Tokeniser of all texts, such as "english".
            clean: Rules that remove text around the corrections of systems, such as "llm".

        Returns:
            The corpus.

        Raises:
            UsageError: If a column does not exist, or arguments exclude each other.
            InputError: See Corpus.
        """
        columns = _names("hypothesis", hypothesis)
        if is_frame(hypotheses) if source is None else not len(columns):
            raise UsageError("the columns of the table are required", hint='source="…", hypothesis="…", references=[…]')
        frame, index = None if source is None else FrameColumns(hypotheses), index_of(hypotheses)
        if frame is not None:
            sources, hypotheses = frame[source], {name: frame[name] for name in columns}
            names = _names("references", references)
            references = [frame[name] for name in names]
            if per_sentence is not None:
                per_sentence = [plain_values(cell) for cell in frame[per_sentence]]
        if sources is None and gold is None:
            raise UsageError("sources are required", hint="sources=[…], one sentence per hypothesis")
        if sources is None:
            sources = cast(Lines, Blocks.of(gold or (), "gold").source)
        lines = as_sequence("sources", plain_values(sources))
        rows = as_sequence("references", plain_values(references), "reference", dimensions=2)
        rows = [plain_values(row) for row in rows]
        if len(rows) and not all(hasattr(row, "__len__") and not isinstance(row, str) for row in rows):
            rows = [rows]
        if per_sentence is not None:
            if len(rows):
                raise UsageError("references and per_sentence cannot be combined")
            per_sentence = as_sequence("per_sentence", per_sentence, "list", dimensions=2)
            check_per_sentence("per_sentence", per_sentence, len(lines))
            rows = transpose_references(per_sentence)
        if frame is not None:
            cells, rows = rows, [given_references(row, lines) for row in rows]
            for r, (before, after) in enumerate(zip(cells, rows, strict=True)):
                name = f"column {names[r]}" if per_sentence is None else f"reference {r}"
                warn_of_blank_references(name, number_of_blank(before, after), len(lines))
        systems = hypotheses if isinstance(hypotheses, Mapping) else {"hypothesis": hypotheses}
        systems = {name: plain_values(lines) for name, lines in systems.items()}
        try:
            corpus = cls(lines, rows, systems, gold=gold, gold_edits=gold_edits)
        except InputError as error:
            if index is not None and error.sentence is not None:
                error.message += f", index {shown(index[error.sentence])} of the table"
            raise
        vars(corpus).update(index=index)
        return cast(Corpus, prepared_source(corpus, tokenise, clean))

    def __repr__(self) -> str:
        numbers = {"sentences": len(self), "references": 0 if self.are_made else len(self.references)}
        numbers |= {"annotators": len(self.annotators)}
        texts = [f"{noun}: {number}" for noun, number in numbers.items() if number]
        texts += [f"systems: {', '.join(self.systems)}"] if self.systems else []
        texts += [f"{key}: {value}" for key, value in self.prepared_by.signed.items()]
        return f"<Corpus {'; '.join(texts)}>"

    def _derived(self, **values: Any) -> Corpus:
        """Return a corpus with other values, which are not checked again."""
        derived = object.__new__(type(self))
        vars(derived).update(vars(self), **values)
        vars(derived).pop("_texts_of_gold", None)
        return derived

    def __len__(self) -> int:
        return len(self.source)

    @property
    def system_names(self) -> tuple[str, ...]:
        return tuple(self.systems)

    @property
    def m2_systems(self) -> dict[str, Sequence[Block]]:
        return {name: lines for name, lines in self.systems.items() if has_edits(lines)}

    @property
    def has_references(self) -> bool:
        return bool(self.references) and not self.are_made

    @property
    def most_references(self) -> int:
        return len(self.references)

    @property
    def sentences(self) -> int:
        return len(self)

    def reference_numbers(self) -> tuple[int, int]:
        """Return the smallest and largest number of reference texts of a sentence."""
        texts = cast(Sequence[Text], self.references)
        numbers = np.full(len(self), sum(text.complete for text in texts))
        for text in texts:
            if not text.complete:
                numbers += [line is not None for line in text]
        return int(numbers.min()), int(numbers.max())

    @cached_property
    def _texts_of_gold(self) -> list[Text]:
        """The corrected texts of the gold's annotators, which several metrics may need."""
        gold = Blocks.of(self.gold or ())
        return [gold.corrected(annotator, self.missing) for annotator in self.annotators]

    def with_texts(self) -> Corpus:
        """Return the corpus with references, made from the gold edits if it has none.

        ``missing`` sets the text of annotators without a line in a block. Raises the errors of m2.references.
        """
        if self.references or self.gold is None:
            return self
        return self._derived(references=self._texts_of_gold, are_made=True)

    def prepared(self, preparation: Preparation, ready: Sequence[str] = ()) -> Corpus:
        """Return the corpus with prepared texts; signatures record the preparation.

        Some presets leave out headings of documents (see headings).

        Args:
            preparation: the steps.
            ready: the systems whose edits have the tokens of the prepared source.

        Raises:
            UsageError: for texts that M2 edits refer to, and for a corpus that is already prepared.
        """
        if self.prepared_by:
            raise UsageError(f"the texts were already prepared: {self.prepared_by.signed}")
        headings = self.heading_places() if preparation.drops_headings else []
        if headings and len(headings) < len(self):
            warn(f"left out: lines that are headings, not sentences: {len(headings)}")
            return self.without(headings).prepared(preparation, ready)
        preparation = preparation.of_source(lambda: self.source)
        systems = {name: cast(Lines, lines) for name, lines in self.systems.items() if not has_edits(lines)}
        m2 = [name for name in self.systems if name not in (*systems, *ready)]
        preparation.check(references=bool(self.references), gold=self.gold is not None, m2_systems=m2)
        roles: dict[Role, Any] = {"source": [self.source], "references": self.references}
        texts = prepared(preparation, roles | {"systems": [*systems.values()]})
        return self._derived(
            source=texts["source"][0],
            references=texts["references"],
            systems={**self.systems, **dict(zip(systems, texts["systems"], strict=True))},
            prepared_by=preparation,
            unprepared=self,
        )

    def cleaned_lines(self) -> dict[str, CleanedLines]:
        """Return the numbers of lines that cleaning changed, by system.

        The lines are cleaned again.
        """
        unprepared, clean = self.unprepared, self.prepared_by.clean
        if unprepared is None or not isinstance(clean, LineRules):
            return {}
        source = Text(unprepared.source)
        texts = {name: lines for name, lines in unprepared.systems.items() if isinstance(lines, Text)}
        return {name: CleanedLines.of(lines, clean.apply(lines, source), source) for name, lines in texts.items()}

    def adding(self, name: str, hypothesis: Hypothesis) -> Corpus:
        """Return the corpus with a system added at the end.

        Raises InputError as Corpus does.
        """
        hypothesis = as_sequence(f"system {name}", hypothesis)
        check_lengths([("source", len(self)), (f"system {name}", len(hypothesis))], noun="sentences")
        return self.with_system(name, _hypothesis(name, hypothesis, self.misfits))

    def with_unchanged(self) -> Corpus:
        check_unchanged_name(self.systems)
        return self.with_system(SOURCE, self.source)

    def with_system(self, name: str, lines: Hypothesis) -> Corpus:
        """Return the corpus with a system added at the end, whose lines are checked."""
        return self._derived(systems={**self.systems, name: lines})

    def in_form(self, form: InputForm) -> Corpus:
        """Return the corpus in the form that a metric takes; raises UsageError for another form."""
        choice("form", form, get_args(InputForm))
        if form == "edits":
            return self
        m2 = {name: as_text(blocks) for name, blocks in self.systems.items() if isinstance(blocks, Blocks)}
        corpus = self._derived(systems={**self.systems, **m2}) if m2 else self
        if form == "lines":
            return corpus
        return corpus._taken(lambda lines: single_blanks(lines) if isinstance(lines, Text) else lines)

    def parts(self, size: int) -> Iterator[Corpus]:
        size = whole("size", size, _SIZE)
        for start in range(0, len(self), size):
            part = self.part(start, start + size)
            yield part if part.places is not None else part.as_part(self.first + start, self.annotators)

    def as_part(self, first: int, annotators: tuple[int, ...]) -> Corpus:
        """Return the corpus as a part of another one.

        Args:
            first: number of sentences before it.
            annotators: the annotators of the whole corpus.
        """
        same = (first, annotators) == (self.first, self.annotators)
        return self if same else self._derived(first=first, annotators=annotators)

    def part(self, start: int, stop: int) -> Corpus:
        """Return the sentences from ``start`` up to ``stop``, without copying texts."""
        start, stop = whole("start", start, COUNT), whole("stop", stop, COUNT)
        if start == 0 and stop >= len(self):
            return self
        return self._taken(
            lambda lines: lines[start:stop],
            places=None if self.places is None else self.places[start:stop],
            unprepared=None if self.unprepared is None else self.unprepared.part(start, stop),
        )

    def take(self, places: Sequence[int]) -> Corpus:
        """Return the sentences in these places; they keep their numbers (see ``place``).

        Cost: O(selected text).
        """
        within = Bounds(0, len(self) - 1)
        places = [whole("a place", position, within) for position in as_sequence("places", places, "place")]
        return self._taken(
            lambda lines: _lines_at(lines, places),
            places=[self.place(position) - self.first for position in places],
            unprepared=None if self.unprepared is None else self.unprepared.take(places),
        )

    def _taken(self, take: Callable[[Any], Any], **values: Any) -> Corpus:
        """Return a corpus with ``take`` applied to all texts, edits and labels."""
        return self._derived(
            source=take(self.source),
            references=[take(reference) for reference in self.references],
            systems={name: take(lines) for name, lines in self.systems.items()},
            gold=None if self.gold is None else take(self.gold),
            labels=None if self.labels is None else take(self.labels),
            index=None if self.index is None else take(self.index),
            **values,
        )

    def heading_places(self) -> list[int]:
        """Return the places of sentences that are headings by their form, and that neither gold nor references edit."""
        places = heading_lines(Text(self.source), cast(Sequence[Text], self.references))
        is_unedited = None if self.gold is None else unedited(Blocks.of(self.gold))
        return places if is_unedited is None else [place for place in places if is_unedited[place]]

    def without(self, places: Collection[int]) -> Corpus:
        """Return the other sentences, numbered anew."""
        sentences = [sentence for sentence in range(len(self)) if sentence not in places]
        return self._taken(lambda lines: _lines_at(lines, sentences))

    def place(self, sentence: int) -> int:
        """Return the index of a sentence in the whole corpus, counted from 0."""
        return self.first + (sentence if self.places is None else self.places[sentence])


def _lines_at(lines: Sequence[Any], positions: Sequence[int]) -> Sequence[Any]:
    """Return the lines, blocks or labels in these places, as the same type."""
    if isinstance(lines, Blocks):
        return Blocks(lines.table.at(positions))
    picked = [lines[position] for position in positions]
    return Text(picked) if isinstance(lines, Text) else picked


def has_edits(hypothesis: Hypothesis) -> TypeGuard[Sequence[Block]]:
    """Return whether a hypothesis consists of M2 blocks."""
    return len(hypothesis) > 0 and isinstance(hypothesis[0], Block)


def as_text(hypothesis: Hypothesis) -> Lines:
    """Return a hypothesis as sentences, with the edits of M2 blocks applied."""
    if isinstance(hypothesis, Text) and hypothesis.complete:
        return cast(Lines, hypothesis)
    hypothesis = as_sequence("hypothesis", hypothesis)
    if has_edits(hypothesis):
        return cast(Lines, Blocks.of(hypothesis).version(0))
    return cast(Lines, text_of("hypothesis", cast(Lines, hypothesis)))


def leaves_unchanged(source: Lines, hypothesis: Hypothesis) -> bool:
    """Return whether a hypothesis has the words of the source in every sentence.

    M2 does if it has no edits but noops.
    """
    if has_edits(hypothesis):
        return bool((Blocks.of(hypothesis).edits.start < 0).all())
    pairs = zip(source, cast(Lines, hypothesis), strict=True)
    return all(line == text or line.split() == text.split() for line, text in pairs)


def single_blanks(lines: Sequence[str | None]) -> Lines:
    """Return lines with single spaces between words and none at their ends."""
    return cast(Lines, normalised(Text(lines), "words", 1))


def _hypothesis(name: str, hypothesis: Hypothesis, misfits: Misfits | None) -> Hypothesis:
    if not has_edits(hypothesis):
        return cast(Lines, text_of(f"system {name}", cast(Lines, hypothesis)))
    if not isinstance(hypothesis, Blocks) and not all(isinstance(block, Block) for block in hypothesis):
        raise InputError(f"system {name} mixes text and M2 blocks")
    blocks = Blocks.of(hypothesis)
    blocks.check_one_annotator(name)
    return fitting_blocks(blocks, misfits)


# --- checks ---


def check_unchanged_name(systems: Iterable[str]) -> None:
    """Raise InputError if a system has the name of the unchanged source."""
    if SOURCE in systems:
        raise InputError(f"a system is called {SOURCE}, as the unchanged source is")


def text_of(name: str, lines: Sequence[str | None], *, optional: bool = False) -> Text:
    """Return lines in the form that the kernel stores.

    Lines in this form are returned unchanged.

    Raises:
        InputError: for values other than strings (and None, if ``optional``), and for lone surrogates.
    """
    lines = as_sequence(name, lines)
    try:
        text = Text(lines)
    except (TypeError, UnicodeEncodeError):
        if optional and any(map(_is_undefined, lines)):
            return text_of(name, [None if _is_undefined(line) else line for line in lines], optional=True)
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
            nested = isinstance(line, (list, tuple)) and name.startswith("reference")
            message = f"{name}, sentence {s} (counted from 0): expected a string, not {kind}"
            hint = _MISSING_TEXT.get(name.split()[0]) if line is None or _is_undefined(line) else None
            lists = ONE_SENTENCE if len(lines) == 1 else LISTS_BY_SENTENCE
            raise InputError(message, hint=lists if nested else hint, sentence=s)
        if fault := lone_surrogate(line):
            raise InputError(f"{name}, sentence {s} (counted from 0): {fault} is not text", sentence=s)


#: Hints for a missing text, by the first word of the name of its column.
_MISSING_TEXT = {"system": NO_OUTPUT, "source": "leave out sentences, or rows of a table, without a source"}


def _is_undefined(value: Any) -> bool:
    """Return whether a value is NaN, or pandas' NA, whose comparison is neither true nor false."""
    return type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


#: Texts by which libraries write a missing value.
_MISSING = ("", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "None", "null", "NULL")


def is_blank(value: Any) -> bool:
    """Return whether a value is an empty text.

    Blanks, tabs and line ends are empty, and so is a list without tokens.
    """
    return not value.strip(" \t\r\n") if isinstance(value, str) else isinstance(value, list) and not value


def given_references(texts: Sequence[Any], source: Iterable[Any]) -> Sequence[Any]:
    """Return a reference of a table, with None where it is missing.

    It is missing where it is blank and the source is not, or NA and the like next to several words: a table omits a
    reference by an empty cell. A text file cannot omit lines; there an empty one is a correction that deletes the
    sentence.
    """
    candidates = [texts[row] for row in texts.lines_like((), _MISSING)] if isinstance(texts, Text) else texts
    if not any(is_blank(text) or (isinstance(text, str) and text in _MISSING) for text in candidates):
        return texts
    return [None if _is_missing(text, line) else text for text, line in zip(texts, source, strict=False)]


def number_of_blank(cells: Sequence[Any], texts: Sequence[Any]) -> int:
    """Return the number of cells whose text given_references takes for a missing reference."""
    return 0 if texts is cells else sum(text is None is not cell for cell, text in zip(cells, texts, strict=False))


def warn_of_blank_references(column: str, number: int, rows: int) -> None:
    """Warn of the blank cells of a table's column, which are missing references."""
    if number:
        hint = "these sentences lack it; an empty line in -r FILE deletes a whole sentence"
        warn(f"{column} is empty in {number} of {rows} rows", hint)


def _is_missing(text: Any, source: Any) -> bool:
    if is_blank(text):
        return not is_blank(source)
    words = source.split() if isinstance(source, str) else source
    return isinstance(text, str) and text in _MISSING and len(words or ()) > 1


_TURNED = "references = list(zip(*references)) exchanges sentences and references"
_NESTING = "references must be a list of references, each a list of sentences: references[r][s]"


def _rows(references: References) -> Sequence[Any]:
    """Return the references, each with its sentences.

    Raises InputError for other nesting.
    """
    rows = as_sequence("references", references, "reference", dimensions=2)
    if any(isinstance(row, str) for row in rows):
        raise InputError(_NESTING, hint="for one reference write [reference]")
    return [as_sequence(f"reference {r}", row) for r, row in enumerate(rows)]


def _names(argument: str, columns: str | Sequence[str]) -> Sequence[str]:
    return [columns] if isinstance(columns, str) else as_sequence(argument, columns, "column")


def _by_name(systems: Mapping[str, Hypothesis]) -> list[tuple[str, Hypothesis]]:
    """Return the systems with their names.

    A table of columns, such as a DataFrame, is accepted as a mapping.
    """
    if not hasattr(systems, "keys"):
        raise InputError(
            f"systems must be a mapping from names to sentences, not {shown(systems)}", hint='write {"name": sentences}'
        )
    names = list(systems.keys())
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"the name of a system must be text, not {shown(name)}")
        if "\0" in name:
            raise InputError(f"the name of a system must not contain NUL: {shown(name)}")
    return [(name, systems[name]) for name in names]


def _check_nesting(sentences: int, references: References) -> None:
    """Raise InputError if the lengths of references show ``references[s][r]``."""
    if len(references) == sentences and all(len(row) != sentences for row in references):
        message = "references must be nested by reference, references[r][s], not by sentence, references[s][r]"
        raise InputError(message, hint=_TURNED)


def _check_order(source: Lines, references: References) -> None:
    """Raise InputError if references are given as references[s][r].

    Only a corpus with as many references as sentences is ambiguous. Its words decide: transposed, every reference
    shares four words and at least half of the words with its sentence; as given, they share at most a quarter as many.
    """
    words = [frozenset(line.split()) for line in source]
    pairs = [(s, r) for s in range(len(words)) for r in range(len(words)) if s != r]
    same = transposed = 0
    for s, r in pairs:
        words_in_common = words[s].intersection((references[s][r] or "").split())
        if len(words_in_common) < max(4, len(words[s]) / 2):
            return
        transposed += len(words_in_common)
        same += len(words[s].intersection((references[r][s] or "").split()))
    if pairs and 4 * same <= transposed:
        message = "references are nested the wrong way round: references[s][r] resemble the sentences s, not r"
        raise InputError(message, hint=_TURNED)


def check_lengths(lengths: Sequence[tuple[str, int]], *, noun: str, hint: str | None = None) -> None:
    """Raise InputError unless all lengths are equal and positive.

    The message lists all lengths and marks the different ones.
    """
    expected = lengths[0][1]
    if any(length != expected for _, length in lengths):
        width = max(len(name) for name, _ in lengths)
        digits = max(len(str(length)) for _, length in lengths)
        rows = []
        for name, length in lengths:
            than = "fewer" if length < expected else "more"
            odd = "" if length == expected else f"   <- {abs(length - expected)} {than}"
            rows.append(f"\n  {name:<{width}}  {length:>{digits}}{odd}")
        raise InputError(f"not the same number of {noun}" + "".join(rows), hint=hint)
    if expected == 0:
        raise InputError(f"there are no {noun}: {', '.join(name for name, _ in lengths)}")
