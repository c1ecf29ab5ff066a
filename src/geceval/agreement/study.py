"""Studies: human judgments or ratings, matched with the judged outputs, and the options of their evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from geceval.agreement.judgments import (
    Judgments,
    Ratings,
    agreeing_groups,
    find_numbering,
    lines_by_sentence,
    rankings_of,
)
from geceval.agreement.metric_agreement import AGGREGATIONS, TIE_RULES
from geceval.agreement.people import MEASURES, People, expand_pairs
from geceval.base.arguments import RESAMPLES, SEEDS, THREADS, choice, choices, did_you_mean, whole
from geceval.base.errors import InputError, UsageError
from geceval.statistics.judged_pairs import Pairs
from geceval.text.columns import Hypothesis, as_text
from geceval.text.corpus import Corpus


@dataclass(frozen=True)
class Study:
    """Judgments and the judged outputs.

    Attributes:
        pairs: Judgments of *all* systems. Human scores of a system depend on the systems it was compared with, so a
            study of some systems restricts the scores and does not recompute them.
        corpus: Systems under study, and the sentences that metrics score.
        lines: Line of the corpus by sentence number of the judgments.
        notes: Remarks on systems that are left out and on the numbering.
        ratings: Ratings that the pairs come from, if any.
    """

    pairs: Pairs
    corpus: Corpus
    lines: Mapping[int, int]
    notes: tuple[str, ...] = ()
    ratings: Ratings | None = None

    @cached_property
    def people(self) -> People:
        """Judgments and ratings of all systems."""
        return People(self.pairs, self.lines, self.ratings)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems under study, in order."""
        return tuple(self.corpus.systems)

    @property
    def judged(self) -> int:
        """Number of judged sentences."""
        return len(set(self.lines.values()))

    @property
    def indices(self) -> list[int]:
        """Indices of the systems under study among all judged systems."""
        return [self.pairs.systems.index(name) for name in self.systems]


def note_of_unjudged(systems: Sequence[str]) -> str:
    """Return the note on systems that are left out."""
    return f"ignored systems without judgments: {', '.join(systems)}"


def make_study(
    human: Judgments | Ratings,
    corpus: Corpus,
    *,
    numbering: str = "auto",
    exclude: Sequence[str] = (),
    only: Sequence[str] | None = None,
    judged_only: bool = False,
) -> Study:
    """Match judgments or ratings with outputs.

    Systems without judgments are left out, with a note.

    Args:
        human: Judgments, or ratings whose row k is of line k.
        corpus: Source, systems, and references or gold edits.
        numbering: Numbering of the judged sentences: "0", "1", "judged" (see the module ``judgments``) or
            "auto", which detects it.
        exclude: Names of systems to exclude.
        only: Names of the only systems to include (None: all).
        judged_only: Keep only sentences with judgments.

    Returns:
        The study, for ``evaluate_metrics``.

    Raises:
        InputError: If no numbering fits the outputs, a sentence is outside of them, or the number of rows differs from
            the number of lines.
        UsageError: If a named system does not exist or fewer than two systems are left.
    """
    rated = human if isinstance(human, Ratings) else None
    judgments = rankings_of(human)
    pairs = expand_pairs(judgments)
    notes: list[str] = []
    systems = list(corpus.systems)
    with_judged = list(dict.fromkeys([*systems, *pairs.systems]))
    for names, known in ((exclude, with_judged), (only or (), systems)):
        for name in names:
            if name not in known:
                message = f"unknown system {name}: choose from {choices(known)}"
                raise UsageError(message, hint=did_you_mean(name, known))
    selected = set(corpus.systems if only is None else only) - set(exclude)
    unjudged = [name for name in corpus.systems if name not in pairs.systems and name in selected]
    missing = [name for name in pairs.systems if name not in (*corpus.systems, *exclude)]
    if unjudged:
        notes.append(note_of_unjudged(unjudged))
    if missing:
        notes.append(f"ignored judged systems without an output: {', '.join(missing)}")
    outputs = {name: lines for name, lines in corpus.systems.items() if name in pairs.systems}
    chosen = {name: outputs[name] for name in sorted(outputs) if name in selected}
    if len(chosen) < 2:
        hint = f"judged systems: {', '.join(pairs.systems)}"
        raise UsageError(f"a meta-evaluation requires at least two systems, not {len(chosen)}", hint=hint)
    if rated is None:
        lines = _judged_lines(judgments, outputs, numbering, notes)
    else:
        lines = _rated_lines(rated, judgments, len(corpus))
    sentences = sorted(set(lines.values())) if judged_only else range(len(corpus))
    index = {line: k for k, line in enumerate(sentences)}
    part = corpus.with_systems(chosen).take(sentences)
    ratings = None if rated is None else rated.of(sentences)
    return Study(pairs, part, {number: index[line] for number, line in lines.items()}, tuple(notes), ratings)


def _rated_lines(ratings: Ratings, judgments: Judgments, length: int) -> dict[int, int]:
    rows = ratings.values.shape[1]
    if rows != length:
        message = f"{rows} rows of ratings, but {length} lines of source"
        hint = "ratings have one row per sentence, in the order of the outputs"
        raise InputError(message, path=ratings.path, hint=hint)
    return lines_by_sentence(judgments, "0")


def _judged_lines(
    judgments: Judgments, outputs: Mapping[str, Hypothesis], numbering: str, notes: list[str]
) -> dict[int, int]:
    texts = {name: as_text(output) for name, output in outputs.items()}
    if numbering == "auto":
        return lines_by_sentence(judgments, find_numbering(judgments, texts))
    lines = lines_by_sentence(judgments, numbering)
    agree, checked = agreeing_groups(judgments, lines, texts)
    if agree < checked:
        notes.append(f"only {agree} of {checked} collapsed groups have the same output: check --numbering {numbering}")
    length = min(map(len, texts.values()), default=0)
    for item in judgments.items:
        if item.groups and not 0 <= lines[item.source_id] < length:
            message = f"sentence {item.source_id} is outside the {length} lines of the outputs"
            raise InputError(message, path=judgments.path, line=item.line)
    return lines


#: Ways to count a verdict on two outputs that several systems share.
PAIRS = ("systems", "outputs")


@dataclass(frozen=True)
class StudyOptions:
    """Options of a meta-evaluation.

    Args:
        measure: Aggregation of judgments: "expected-wins", "trueskill" or "mean-rating" (None: "mean-rating" for
            ratings, else "expected-wins").
        aggregation: Aggregation of metric scores: "corpus", "mean", "expected-wins" or "trueskill".
        ties: Rule for ties: "half", "loss", "skipped" or "seeda".
        pairs: "systems" counts a verdict on two outputs for each pair of systems with these outputs; "outputs" counts
            it once.
        resamples: Number of replicates, at most 1,000,000; 0 computes no intervals.
        seed: Seed of the replicates, from 0 to 2**32 - 1.
        threads: Number of threads (0: one per processor).
        tests: Test all pairs of metrics.

    Raises:
        UsageError: If an option has an unsupported value.
    """

    measure: str | None = None
    aggregation: str = "corpus"
    ties: str = "half"
    pairs: str = "systems"
    resamples: int = 1000
    seed: int = 1
    threads: int = 0
    tests: bool = False

    def __post_init__(self) -> None:
        if self.measure is not None:
            choice("measure", self.measure, MEASURES)
        choice("aggregation", self.aggregation, AGGREGATIONS)
        choice("ties", self.ties, TIE_RULES)
        choice("pairs", self.pairs, PAIRS)
        whole("resamples", self.resamples, RESAMPLES)
        whole("seed", self.seed, SEEDS)
        whole("threads", self.threads, THREADS)


#: The default options.
DEFAULTS = StudyOptions()
