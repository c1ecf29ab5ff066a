"""Parallel text in memory: source, references and systems of the same sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from geceval._kernel import Text
from geceval.base.arguments import COUNT, Bounds, as_sequence, check_choices, check_type, choice, shown, whole
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError, short_traceback
from geceval.text.blank_texts import Blank, check_reading
from geceval.text.building import (
    ColumnNames,
    CorpusColumns,
    check_candidates,
    check_indexes,
    checked_columns,
    columns_of_frame,
    columns_of_lists,
    references_by_owner,
    select_columns,
    sources_by_owner,
    without_headings,
)
from geceval.text.columns import (
    AnswerEnd,
    CompleteText,
    Hypothesis,
    HypothesisLike,
    Lines,
    OwnReferences,
    References,
    as_text,
    check_lengths,
    complete_text,
    other_rows,
    single_blanks,
    system_column,
)
from geceval.text.files import SOURCE
from geceval.text.frames import FrameColumns, index_of, plain_values
from geceval.text.line_rules import CleanedLines, LineRules
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, GoldEdits, Misfits, Missing, Overlaps, used_types
from geceval.text.m2.headings import heading_lines, unedited
from geceval.text.m2.operations import annotators
from geceval.text.preparation import NOTHING, Preparation
from geceval.text.tokenisers import Tokeniser

#: Form in which a metric gets a corpus: texts with single spaces and none at their ends, lines as they are, or lines
#: as they are and systems given as M2 as blocks. The first two have the corrected texts of these systems.
InputForm: TypeAlias = Literal["texts", "lines", "edits"]


class TextSource(ABC):
    """Sentences with references or gold edits, and systems, that are read in parts.

    Attributes:
        gold: M2 blocks of the gold edits; None without them.
        annotators: Numbers of the annotators of the gold edits.
        missing: See Corpus, as the following ones.
        blank: Reading of blank references and outputs, if it was given.
        overlaps: Treatment of overlapping gold edits.
        misfits: Treatment of edits that do not fit their sentence.
        gold_edits: The gold edits of metrics on edits.
        prepared_by: The preparation of the texts.
        skipped: Number of bad rows that were left out.
    """

    gold: Blocks | None
    annotators: tuple[int, ...]
    missing: Missing
    blank: Blank | None
    overlaps: Overlaps | None
    misfits: Misfits | None
    gold_edits: GoldEdits
    prepared_by: Preparation
    skipped: int = 0

    @property
    @abstractmethod
    def system_names(self) -> tuple[str, ...]:
        """Names of the systems, in order."""

    @property
    @abstractmethod
    def m2_systems(self) -> Mapping[str, Blocks]:
        """Blocks of the systems given as edits, by name."""

    @property
    @abstractmethod
    def has_references(self) -> bool:
        """Whether it has reference texts."""

    @property
    @abstractmethod
    def most_references(self) -> int:
        """Largest number of reference texts of a sentence, of all systems together; a table with lists is read."""

    @property
    @abstractmethod
    def systems_with_own_sources(self) -> Collection[str]:
        """Names of the systems that correct their own source, such as an automatic transcript."""

    @property
    @abstractmethod
    def systems_with_own_references(self) -> Collection[str]:
        """Names of the systems that have references that other systems have not."""

    @property
    @abstractmethod
    def sentences(self) -> int | None:
        """Number of sentences; None if unknown before all are read."""

    @abstractmethod
    def numbers_by_system(self) -> Mapping[str, int]:
        """Return the largest number of references of a sentence, by system; empty if all have the same references."""

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
        """Return it with the unchanged source as the last system, unless all references belong to a system.

        Raises InputError if a system has its name.
        """

    def annotator_numbers(self) -> tuple[int, int]:
        """Return the smallest and largest number of annotators of a sentence."""
        if self.gold is None:
            return 0, 0
        numbers = np.diff(self.gold.edits.versions)
        return int(numbers.min(initial=numbers.max(initial=0))), int(numbers.max(initial=0))

    @property
    def edit_types(self) -> frozenset[str]:
        """Types of the gold edits and of the edits of systems."""
        annotations = [blocks for blocks in (self.gold, *self.m2_systems.values()) if blocks is not None]
        return frozenset(type_ for blocks in annotations for type_ in used_types(blocks.edits).values())


#: Raises UsageError unless a value is a corpus.
check_source = partial(
    check_type,
    "corpus",
    type_=TextSource,
    needed="a Corpus",
    hint='use geceval.read_corpus(…), Corpus.of(texts, references, sources) or Corpus.of(table, source="…", …)',
)


def prepared_source(
    corpus: TextSource, tokenise: str | Tokeniser | None, clean: str | Sequence[str] | LineRules
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


class _Values(CorpusColumns, total=False):
    """Values of some fields of a corpus, as a corpus derived from another one gets them."""

    missing: Missing
    skipped: int
    blank: Blank | None
    prepared_by: Preparation
    gold_edits: GoldEdits
    overlaps: Overlaps | None
    misfits: Misfits | None
    first: int
    positions: Sequence[int] | None
    unprepared: Corpus | None
    annotators: tuple[int, ...]
    has_texts_of_gold: bool
    own_references: Mapping[str, tuple[int, ...]]
    common_references: int | None


@dataclass(frozen=True, init=False)
class Corpus(TextSource):
    """S source sentences with references or gold edits, and any number of systems.

    Texts are stored as the kernel's ``Text``, a sequence of strings, and blocks in columns; slices share them. Blocks
    are converted to the form that is scored (see m2.Blocks.as_errant).

    Attributes:
        source: Sentences [S]. As an argument also name of a system -> the sentences that it corrects, such as its
            automatic transcript, with None for the source of gold edits and references: ``{None: source, "A": own}``.
        own_sources: Name of a system -> the sentences [S] that it corrects, where they are not ``source``.
        references: Texts ``[r][s]``; None if a sentence lacks a reference. As an argument also name of a system ->
            its own texts ``[r][s]``, with None for the texts of all systems: ``{None: [common], "A": [own]}``.
        systems: name -> hypotheses [S], as text or as M2 blocks of one annotator.
        gold: M2 blocks [S].
        missing: The text of an annotator without a line in a block: "fallback" (the first annotator's) or "plain".
        overlaps: Treatment of an annotator's gold edits that overlap, see m2.resolve_overlaps, which also sorts them;
            None: they stay as they are, as in the public tools.
        misfits: Treatment of edits, of gold and systems, that do not fit their sentence, see m2.fitting; "drop" leaves
            out sentences that are headings of documents, too.
        labels: Labels [S] to group sentences by, such as the level of the writer.
        prepared_by: The preparation of the texts; ``prepared`` applies one.
        gold_edits: The gold edits of metrics on edits: "as-given", or "reannotated", found in the corrected text of
            each annotator of ``gold`` by the annotator of the metric.

    Raises:
        InputError: If lengths differ (lists all of them) or are 0, if a sentence has no reference, if references are
            nested by sentence, or if the M2 of a system has several annotators (names file and line).
    """

    source: CompleteText
    references: tuple[Text, ...]
    systems: Mapping[str, Hypothesis]
    gold: Blocks | None
    missing: Missing
    labels: Sequence[Any] | None
    prepared_by: Preparation
    gold_edits: GoldEdits
    overlaps: Overlaps | None
    misfits: Misfits | None
    #: Reading of blank references and outputs, if it was given.
    blank: Blank | None = field(default=None, init=False, compare=False)
    #: Number of bad rows of its files that were left out.
    skipped: int = field(default=0, init=False, compare=False)
    #: Number of sentences before it, if it is a part of a corpus.
    first: int = field(default=0, init=False, compare=False)
    #: Indices of its sentences in that part, if they were selected from it.
    positions: Sequence[int] | None = field(default=None, init=False, compare=False)
    #: The corpus before the preparation.
    unprepared: Corpus | None = field(default=None, init=False, compare=False)
    #: The annotators of the gold edits of the whole corpus.
    annotators: tuple[int, ...] = field(default=(), init=False, compare=False)
    #: Index of the sentences in the data frame that contained them.
    index: Sequence[Any] | None = field(default=None, init=False, compare=False)
    #: Whether the references are the corrected texts of the gold edits.
    has_texts_of_gold: bool = field(default=False, init=False, compare=False)
    #: The sources that systems correct in place of the common one, by name of the system.
    own_sources: Mapping[str, CompleteText] = field(default_factory=dict, init=False)
    #: How the answers of systems ended [S] by name, if their files contain it.
    answer_ends: Mapping[str, Sequence[AnswerEnd]] = field(default_factory=dict, init=False, compare=False)
    #: Positions of the references that belong to one system alone, by its name; the others are common to all systems.
    own_references: Mapping[str, tuple[int, ...]] = field(default_factory=dict, init=False)
    #: Number of the references that all systems of the corpus from which this one was derived have, which are the first
    #: ones; None: all references.
    common_references: int | None = field(default=None, init=False, compare=False)

    @short_traceback
    def __init__(
        self,
        source: Lines | Mapping[str | None, Lines],
        references: References | OwnReferences = (),
        systems: Mapping[str, HypothesisLike] = MappingProxyType({}),
        gold: Sequence[Block] | None = None,
        missing: Missing = "fallback",
        labels: Sequence[Any] | None = None,
        prepared_by: Preparation = NOTHING,
        gold_edits: GoldEdits = "as-given",
        overlaps: Overlaps | None = "error",
        misfits: Misfits | None = "error",
    ) -> None:
        self._set(missing=missing, prepared_by=prepared_by, gold_edits=gold_edits, overlaps=overlaps, misfits=misfits)
        check_choices(self)
        check_indexes(source, references, systems)
        texts, own_references = references_by_owner(references)
        common, own_sources = sources_by_owner(source)
        columns = checked_columns(common, texts, systems, gold, labels, overlaps, misfits, own_references, own_sources)
        self._set(annotators=_annotators(columns["gold"]), own_references=own_references)
        self._set(**without_headings(columns) if misfits == "drop" else columns)

    @classmethod
    def of_columns(
        cls,
        columns: CorpusColumns,
        missing: Missing,
        gold_edits: GoldEdits,
        overlaps: Overlaps | None,
        misfits: Misfits | None,
        own_references: Mapping[str, tuple[int, ...]],
        blank: Blank | None,
    ) -> Corpus:
        """Return a corpus of checked columns, without checking them again.

        Args:
            columns: All columns, see building.checked_columns.
            missing: See Corpus, as the following ones.
            gold_edits: The gold edits of metrics on edits.
            overlaps: The treatment by which the overlapping gold edits were resolved.
            misfits: The treatment of edits that do not fit, also for systems that are added.
            own_references: Positions of the references that belong to a system alone.
            blank: The reading of blank texts, if it was given.
        """
        corpus = cls.__new__(cls)
        corpus._set(missing=missing, prepared_by=NOTHING, gold_edits=gold_edits, overlaps=overlaps, misfits=misfits)
        corpus._set(annotators=_annotators(columns["gold"]), own_references=own_references, blank=blank, **columns)
        return corpus

    def _derived(self, **changes: Unpack[_Values]) -> Corpus:
        """Return a corpus with other values, which are not checked again."""
        corpus = type(self).__new__(type(self))
        corpus._set(**{name: getattr(self, name) for name in _FIELDS if name not in changes})
        corpus._set(**changes)
        return corpus

    def _set(self, **values: Unpack[_Values]) -> None:
        """Set fields of a corpus under construction, which is frozen afterwards."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    @short_traceback
    def of(
        cls,
        hypotheses: Any,
        references: Any = (),
        sources: Lines | None = None,
        *,
        source: str | None = None,
        hypothesis: ColumnNames = (),
        per_sentence: Any = None,
        gold: Sequence[Block] | None = None,
        labels: Sequence[Any] | str | None = None,
        gold_edits: GoldEdits = "as-given",
        blank: Blank | None = None,
        tokenise: str | Tokeniser | None = None,
        clean: str | Sequence[str] | LineRules = (),
    ) -> Corpus:
        """Return the corpus of hypotheses, or of the columns of a table with one row per sentence.

        docs/frames.md lists when to use which function.

        Args:
            hypotheses: Corrected sentences [S] of one system, called "hypothesis"; name -> corrected sentences; or,
                with ``source``, a table: a data frame, a mapping of columns or an Arrow stream.
            references: Reference sentences [S], or several [R][S]; None, NaN and NA for a missing reference. In a
                table, the names of columns, in which empty cells are missing references. Also name of a system -> its
                own references, with None for those of all systems.
            sources: Source sentences [S]; by default the sentences of ``gold``.
            source: Name of a table's column with source sentences; ``text.raw`` is a field of a column of structures.
            hypothesis: Names of a table's columns with corrected sentences, which name the systems, or name -> column.
            per_sentence: References of each sentence [S], instead of ``references``; in a table, the name of a column
                with lists.
            gold: M2 blocks [S] of gold edits, instead of or in addition to references.
            labels: Labels [S] to group sentences by, or the name of a table's column with them.
            gold_edits: Gold edits of metrics on edits; see Corpus.
            blank: Reading of empty references and hypotheses next to a sentence: "unchanged", "missing" or "empty"; see
                CorpusFiles. By default more than 1 % of them are an error in the columns of a table.
            tokenise: Tokeniser of all texts, such as "english".
            clean: Rules that remove text around the corrections of systems, such as "llm".

        Returns:
            The corpus.

        Raises:
            UsageError: If a column does not exist, or arguments exclude each other.
            InputError: See Corpus.
        """
        check_reading(blank)
        if isinstance(hypotheses, TextSource):
            raise UsageError("the texts are a corpus already", hint="geceval.evaluate(corpus, metrics) scores it")
        if source is None:
            columns = columns_of_lists(hypotheses, references, sources, per_sentence, gold, blank)
        else:
            columns = columns_of_frame(hypotheses, source, hypothesis, references, per_sentence, blank)
        if isinstance(labels, str):
            if source is None:
                raise UsageError(
                    "the name of a column of labels requires a table", hint="give a list of labels, one per sentence"
                )
            labels = FrameColumns(hypotheses)[labels]
        labels = None if labels is None else list(as_sequence("labels", plain_values(labels), "label"))
        columns.warn_of_written_values()
        index = index_of(hypotheses)
        try:
            corpus = cls(
                columns.source, columns.references, columns.systems, gold=gold, labels=labels, gold_edits=gold_edits
            )
        except InputError as error:
            if index is not None and error.sentence is not None:
                error.message += f", index {shown(index[error.sentence])} of the table"
            raise
        if columns.blank is not None:
            columns.blank.warn()
        corpus = corpus._derived(index=index, blank=blank)
        preparation = Preparation(tokenise, clean=clean)
        return corpus.prepared(preparation) if preparation else corpus

    def __repr__(self) -> str:
        numbers = {"sentences": len(self), "references": 0 if self.has_texts_of_gold else len(self.references)}
        numbers |= {"annotators": len(self.annotators)}
        texts = [f"{noun}: {number}" for noun, number in numbers.items() if number]
        texts += [f"systems: {', '.join(self.systems)}"] if self.systems else []
        texts += [f"{key}: {value}" for key, value in self.prepared_by.signed.items()]
        return f"<Corpus {'; '.join(texts)}>"

    def __len__(self) -> int:
        return len(self.source)

    @property
    def system_names(self) -> tuple[str, ...]:
        return tuple(self.systems)

    @property
    def m2_systems(self) -> dict[str, Blocks]:
        return {name: blocks for name, blocks in self.systems.items() if isinstance(blocks, Blocks)}

    @property
    def text_systems(self) -> dict[str, CompleteText]:
        """Sentences of the systems given as text, by name."""
        return {name: lines for name, lines in self.systems.items() if isinstance(lines, Text)}

    @property
    def has_references(self) -> bool:
        return bool(self.references) and not self.has_texts_of_gold

    @property
    def most_references(self) -> int:
        return len(self.references)

    @property
    def sentences(self) -> int:
        return len(self)

    @property
    def systems_with_own_sources(self) -> Collection[str]:
        return self.own_sources.keys()

    @property
    def systems_with_own_references(self) -> Collection[str]:
        return self.own_references.keys()

    def source_of(self, system: str) -> CompleteText:
        """Return the sentences that a system corrects."""
        return self.own_sources.get(system, self.source)

    def as_edits(self, gold: Blocks, systems: Mapping[str, Blocks]) -> Corpus:
        """Return its sentences with other gold edits and systems, which are checked, in place of all texts."""
        return self._derived(
            own_sources={},
            references=(),
            own_references={},
            gold=gold,
            systems=systems,
            gold_edits="as-given",
            annotators=self.annotators or tuple(range(len(self.references))),
        )

    def numbers_by_system(self) -> dict[str, int]:
        return {name: len(self.references_of(name)) for name in self.systems} if self.own_references else {}

    def references_of(self, system: str | None) -> tuple[int, ...]:
        """Return the positions of the references of a system, of which the common ones are first; None: these alone."""
        owned = frozenset(chain.from_iterable(self.own_references.values()))
        common = (position for position in range(len(self.references)) if position not in owned)
        return (*common, *(() if system is None else self.own_references.get(system, ())))

    @property
    def reference_names(self) -> list[str]:
        """Names of the references: their numbers, or the system to which they belong, with a number if it has more."""
        names = list(map(str, range(len(self.references))))
        for owner, positions in self.own_references.items():
            for number, position in enumerate(positions):
                names[position] = owner if len(positions) == 1 else f"{owner} {number}"
        return names

    def by_references(self) -> Iterator[tuple[Corpus, tuple[int, ...]]]:
        """Yield the systems that have the same references, with these alone and with their positions."""
        if not self.own_references:
            yield self, tuple(range(len(self.references)))
            return
        systems_by_positions: dict[tuple[int, ...], list[str]] = {}
        for name in self.systems:
            systems_by_positions.setdefault(self.references_of(name), []).append(name)
        for positions, names in systems_by_positions.items():
            corpus = self._derived(
                references=tuple([self.references[position] for position in positions]),
                systems={name: self.systems[name] for name in names},
                own_sources={name: text for name, text in self.own_sources.items() if name in names},
                own_references={},
                common_references=len(self.references_of(None)),
            )
            yield corpus, positions

    def by_sources(self) -> Iterator[Corpus]:
        """Yield the systems that correct the common source, if there are any, and each one that does not."""
        common = {name: lines for name, lines in self.systems.items() if name not in self.own_sources}
        if common:
            yield self._derived(systems=common, own_sources={})
        for name, source in self.own_sources.items():
            yield self._derived(systems={name: self.systems[name]}, own_sources={name: source})

    def with_common_references(self) -> Corpus:
        """Return the corpus without the references that belong to its systems alone."""
        if self.common_references is None:
            return self
        return self._derived(references=self.references[: self.common_references], common_references=None)

    def reference_numbers(self, system: str | None = None) -> tuple[int, int]:
        """Return the smallest and largest number of reference texts of a sentence.

        ``system``: also count the references of this system alone.
        """
        texts = [self.references[position] for position in self.references_of(system)]
        numbers = np.full(len(self), sum(text.complete for text in texts))
        for text in texts:
            if not text.complete:
                numbers += [line is not None for line in text]
        return int(numbers.min()), int(numbers.max())

    @cached_property
    def _texts_of_gold(self) -> tuple[Text, ...]:
        """The corrected texts of the gold's annotators, which several metrics may need."""
        return () if self.gold is None else tuple([self.gold.corrected(who, self.missing) for who in self.annotators])

    def with_texts(self) -> Corpus:
        """Return the corpus with references, made from the gold edits if it has none.

        ``missing`` sets the text of annotators without a line in a block. Raises the errors of m2.references.
        """
        if self.references or self.gold is None:
            return self
        return self._derived(references=self._texts_of_gold, has_texts_of_gold=True)

    def prepared(self, preparation: Preparation, ready: Sequence[str] = ()) -> Corpus:
        """Return the corpus with prepared texts; signatures record the preparation.

        Some presets leave out headings of documents (see headings).

        Args:
            preparation: The steps.
            ready: The systems whose edits have the tokens of the prepared source.

        Raises:
            UsageError: For texts that M2 edits refer to, and for a corpus that is already prepared.
        """
        if self.prepared_by:
            raise UsageError(f"the texts were already prepared: {self.prepared_by.signed}")
        headings = self.heading_places() if preparation.drops_headings else []
        if headings and len(headings) < len(self):
            warn(f"left out: lines that are headings, not sentences: {len(headings)}")
            return self.without(headings).prepared(preparation, ready)
        preparation = preparation.of_source(lambda: self.source)
        systems = self.text_systems
        m2 = [name for name in self.m2_systems if name not in ready]
        preparation.check(references=bool(self.references), gold=self.gold is not None, m2_systems=m2)
        references = [preparation.apply("references", reference, self.source) for reference in self.references]
        texts = {name: preparation.apply("systems", lines, self.source_of(name)) for name, lines in systems.items()}
        return self._derived(
            source=complete_text(preparation.apply("source", self.source, self.source)),
            own_sources={
                name: complete_text(preparation.apply("source", text, text)) for name, text in self.own_sources.items()
            },
            references=tuple(references),
            systems={**self.systems, **{name: complete_text(text) for name, text in texts.items()}},
            prepared_by=preparation,
            unprepared=self,
        )

    def cleaned_lines(self) -> dict[str, CleanedLines]:
        """Return the numbers of lines that cleaning changed, by system.

        The lines are cleaned again if further steps changed them.
        """
        unprepared, clean = self.unprepared, self.prepared_by.clean
        if unprepared is None or not isinstance(clean, LineRules):
            return {}
        is_last = [*self.prepared_by.steps] == ["clean"]
        numbers = {}
        for name, lines in unprepared.text_systems.items():
            source = unprepared.source_of(name)
            cleaned = self.text_systems[name] if is_last else clean.apply(lines, source)
            numbers[name] = CleanedLines.of(lines, cleaned, source)
        return numbers

    def adding(self, name: str, hypothesis: HypothesisLike) -> Corpus:
        """Return the corpus with a system added at the end.

        Raises InputError as Corpus does.
        """
        hypothesis = as_sequence(f"system {name}", hypothesis)
        check_lengths([("source", len(self)), (f"system {name}", len(hypothesis))], noun="sentences")
        return self.with_system(name, system_column(name, hypothesis, self.misfits))

    def with_unchanged(self) -> Corpus:
        check_unchanged_name(self.systems)
        if self.own_references and not self.references_of(None):
            return self
        return self.with_system(SOURCE, self.source)

    def with_system(self, name: str, hypothesis: Hypothesis) -> Corpus:
        """Return the corpus with a system added at the end, whose column is checked."""
        if self.own_references:
            check_candidates(self.references, [*self.systems, name], self.own_references)
        return self._derived(systems={**self.systems, name: hypothesis})

    def with_systems(self, systems: Mapping[str, Hypothesis]) -> Corpus:
        """Return the corpus with these systems alone, whose columns are checked."""
        own_sources = {name: text for name, text in self.own_sources.items() if name in systems}
        return self._derived(systems=systems, own_sources=own_sources)

    def with_texts_of(self, names: Collection[str]) -> Corpus:
        """Return the corpus with the texts that the edits of some systems make."""
        if not names:
            return self
        texts = {name: as_text(self.systems[name]) for name in names}
        unprepared = None if self.unprepared is None else self.unprepared.with_texts_of(names)
        return self._derived(systems={**self.systems, **texts}, unprepared=unprepared)

    def in_form(self, form: InputForm) -> Corpus:
        """Return the corpus in the form that a metric takes; raises UsageError for another form."""
        choice("form", form, get_args(InputForm))
        if form == "edits":
            return self
        texts = {name: as_text(hypothesis) for name, hypothesis in self.systems.items()}
        if form == "lines":
            return self._derived(systems=texts) if self.m2_systems else self
        return self._derived(
            source=single_blanks(self.source),
            own_sources={name: single_blanks(text) for name, text in self.own_sources.items()},
            references=tuple([single_blanks(reference) for reference in self.references]),
            systems={name: single_blanks(text) for name, text in texts.items()},
        )

    def parts(self, size: int) -> Iterator[Corpus]:
        size = whole("size", size, _SIZE)
        for start in range(0, len(self), size):
            stop = start + size
            # Selected sentences keep their numbers by their positions.
            yield self._slice(start, stop, self.first if self.positions is not None else self.first + start)

    def as_part(self, first: int, annotators: tuple[int, ...]) -> Corpus:
        """Return the corpus as a part of another one.

        Args:
            first: Number of sentences before it.
            annotators: The annotators of the whole corpus.
        """
        same = (first, annotators) == (self.first, self.annotators)
        return self if same else self._derived(first=first, annotators=annotators)

    def part(self, start: int, stop: int) -> Corpus:
        """Return the sentences from ``start`` up to ``stop``, without copying texts."""
        start, stop = whole("start", start, COUNT), whole("stop", stop, COUNT)
        return self._slice(start, stop, self.first)

    def _slice(self, start: int, stop: int, first: int) -> Corpus:
        """Return consecutive sentences, with ``first`` before them."""
        if start == 0 and stop >= len(self):
            return self
        return self._derived(
            **select_columns(self._columns, slice(start, stop)),
            first=first,
            positions=None if self.positions is None else self.positions[start:stop],
            unprepared=None if self.unprepared is None else self.unprepared.part(start, stop),
        )

    def take(self, places: Sequence[int]) -> Corpus:
        """Return the sentences in these places; they keep their numbers (see ``place``).

        Cost: O(selected text).
        """
        within = Bounds(0, len(self) - 1)
        rows = [whole("a place", row, within) for row in as_sequence("places", places, "place")]
        return self._derived(
            **select_columns(self._columns, rows),
            positions=[self.place(row) - self.first for row in rows],
            unprepared=None if self.unprepared is None else self.unprepared.take(rows),
        )

    @property
    def _columns(self) -> CorpusColumns:
        return {
            "source": self.source,
            "own_sources": self.own_sources,
            "answer_ends": self.answer_ends,
            "references": self.references,
            "systems": self.systems,
            "gold": self.gold,
            "labels": self.labels,
            "index": self.index,
        }

    def heading_places(self) -> list[int]:
        """Return the places of sentences that are headings by their form, and that neither gold nor references edit."""
        places = heading_lines(self.source, self.references)
        is_unedited = None if self.gold is None else unedited(self.gold)
        return places if is_unedited is None else [place for place in places if is_unedited[place]]

    def without(self, places: Collection[int]) -> Corpus:
        """Return the other sentences, numbered anew."""
        return self._derived(**select_columns(self._columns, other_rows(len(self), places)))

    def with_skipped(self, rows: int) -> Corpus:
        """Return the corpus with a number of bad rows that were left out."""
        return self._derived(skipped=rows) if rows else self

    def place(self, sentence: int) -> int:
        """Return the index of a sentence in the whole corpus, counted from 0."""
        return self.first + (sentence if self.positions is None else self.positions[sentence])


_FIELDS = tuple(field.name for field in fields(Corpus))


def _annotators(gold: Blocks | None) -> tuple[int, ...]:
    return () if gold is None else annotators(gold)


def check_unchanged_name(systems: Iterable[str]) -> None:
    """Raise InputError if a system has the name of the unchanged source."""
    if SOURCE in systems:
        raise InputError(f"a system is called {SOURCE}, as the unchanged source is")
