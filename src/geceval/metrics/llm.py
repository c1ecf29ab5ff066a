"""LLM: systems compared by a language model, as LLM-S and LLM-E.

A request contains the source and the distinct corrections of a sentence, and the judge grades each correction. Of two
systems, the one with the higher grade wins the sentence. The wording of the requests is original (judging/templates).

Source: Kobayashi et al., BEA 2024.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import About, Pool, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import Bounds, setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.corpus_edits import Extraction
from geceval.edits.languages import check_annotator, make_annotator
from geceval.edits.versions import system_edits
from geceval.metrics.judging.judge import Question, Request, Template, read_template
from geceval.metrics.judging.judged_metric import JudgedMetric, repeat_marks
from geceval.statistics.aggregation import METRIC_RULES
from geceval.statistics.expected_wins import mean_shares
from geceval.statistics.judged_pairs import PairTally
from geceval.statistics.trueskill import sampled_skills
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus
from geceval.text.files import SOURCE

Criterion: TypeAlias = Literal["overall", "grammaticality", "fluency", "meaning", "difficulty", "impact"]
#: The content of a request for a correction: its text, or its edits as (place, from, to). Equal ones get one grade.
View: TypeAlias = str | tuple[tuple[int, str, str], ...]

#: The grades.
LOWEST, HIGHEST = 1, 5


@dataclass(frozen=True, eq=False)
class JudgedPool:
    """Judgments of the systems of a part.

    Attributes:
        systems: Hypotheses by name.
        wins: 1 at [s, i, a, b] if system a is better than b in repetition i of sentence s.
        ties: 1 at [s, i, a, b] if both are equal. Systems with neither were not compared.
        unread: Number [s] of requests without a readable answer.
    """

    systems: Mapping[str, Hypothesis]
    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    unread: NDArray[np.int64]

    def index(self, hypothesis: Hypothesis) -> int:
        """Return the index of a hypothesis among the systems.

        Raises InputError for a hypothesis that is not one of them.
        """
        systems = list(enumerate(self.systems.values()))
        indices = [index for index, system in systems if system is hypothesis]
        indices = indices or [index for index, system in systems if list(system) == list(hypothesis)]
        if not indices:
            raise InputError("the system was not judged with the others")
        return indices[0]


@dataclass(frozen=True)
class Llm(JudgedMetric):
    """Comparison of the systems of a run by a language model.

    The unchanged source is one of the systems unless ``source`` is no. If a sentence has more than ``most`` distinct
    corrections, the request contains the most frequent ones; of equally frequent ones, the first by code points. The
    shuffled ``order`` depends on the seed, the texts and the repetition. ``aggregation`` is Expected Wins, or TrueSkill
    averaged over ``runs`` random samples of the judgments. JudgedMetric describes the other settings.

    Source: Kobayashi et al., Large Language Models Are State-of-the-Art Evaluator for GEC (BEA 2024).
    """

    name: ClassVar[str] = "llm"
    about: ClassVar[About] = About("systems judged by language models", "model=NAME,prompt=edits")

    prompt: Literal["sentence", "edits"] = setting(
        "sentence", meaning="content of a request: corrected sentences, or their edits"
    )
    criterion: Criterion = setting("overall", meaning="criterion of the judgments")
    most: int = setting(5, bounds=Bounds(2, 100), meaning="largest number of corrections in a request")
    order: Literal["shuffled", "sorted"] = setting("shuffled", meaning="order of the corrections in a request")
    source: bool = setting(True, meaning="whether the unchanged source is judged as well")
    annotator: Annotator | str = setting(
        DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text, for prompt=edits"
    )
    aggregation: Literal["wins", "trueskill"] = setting(
        "wins", "scoring", meaning="aggregation of judgments: Expected Wins or TrueSkill"
    )
    runs: int = setting(100, "scoring", Bounds(1, 100_000), meaning="number of runs of TrueSkill")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_annotator(self.annotator)

    @property
    def extracts_edits(self) -> bool:  # type: ignore[override]
        return self.prompt == "edits"

    @property
    def text_annotator(self) -> Annotator | str | None:
        return self.annotator if self.extracts_edits else None

    @property
    def label(self) -> str:
        return {"sentence": "LLM-S", "edits": "LLM-E"}[self.prompt]

    @property
    def scale(self) -> Scale:  # type: ignore[override]
        return Scale() if self.aggregation == "wins" else Scale(-np.inf, np.inf)

    @property
    def columns(self) -> tuple[str, ...]:
        return count_columns((), self.repeats)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        settings = super().signed(inputs)
        annotator = settings.pop("annotator")
        if self.prompt == "edits" and not inputs.m2:
            settings["annotator"] = make_annotator(annotator).name
        if self.aggregation == "wins":
            settings.pop("runs")
        judged = {*inputs.pool, *([SOURCE] if self.source else [])}
        return settings | {"pool": "+".join(sorted(judged))}

    @property
    def templates(self) -> list[Template]:
        return [read_template(f"{self.prompt}-1")]

    # --- requests ---

    def requests(self, prepared: Corpus, systems: Mapping[str, Hypothesis]) -> Iterator[Request]:
        views = self._views(prepared, self._competing(prepared, systems), 0)
        return (question.request for _, _, question in self._questions(prepared, views))

    def _competing(self, corpus: Corpus, systems: Mapping[str, Hypothesis]) -> dict[str, Hypothesis]:
        """Return the systems by name, in an order independent of the run."""
        competing = {**systems}
        if self.source:
            competing.setdefault(SOURCE, corpus.source)
        if len(competing) < 2:
            raise UsageError("llm compares systems, but there is only one", hint="source=yes adds the unchanged source")
        return dict(sorted(competing.items()))

    def _views(self, corpus: Corpus, systems: Mapping[str, Hypothesis], threads: int) -> dict[str, Sequence[View]]:
        """Return the content of requests for each system, sentence by sentence."""
        if self.prompt == "sentence":
            return {name: [str(line) for line in lines] for name, lines in systems.items()}
        extraction, tokens = Extraction(self.annotator), [line.split() for line in corpus.source]
        return {
            name: [
                tuple((edit.start, " ".join(words[edit.start : edit.end]), edit.correction) for edit in edits)
                for words, edits in zip(tokens, system_edits(corpus, system, extraction, threads), strict=True)
            ]
            for name, system in systems.items()
        }

    def _questions(self, corpus: Corpus, views: Mapping[str, Sequence[View]]) -> Iterator[tuple[int, int, Question]]:
        """Yield sentence, repetition and question."""
        for s, row in enumerate(zip(*views.values(), strict=True)):
            ranked = sorted(Counter(row).items(), key=lambda item: (-item[1], item[0]))
            distinct = sorted(view for view, _ in ranked[: self.most])
            for repetition in range(self.repeats if len(distinct) > 1 else 0):
                yield s, repetition, self._question(str(corpus.source[s]), distinct, repetition)

    def _question(self, source: str, views: list[View], repetition: int) -> Question:
        """Return the question for the grades of views, by view."""
        if self.order == "shuffled":

            def lot(view: View) -> bytes:  # the same in any order and process
                return hashlib.sha256(repr((self.seed, repetition, source, view)).encode()).digest()

            views = sorted(views, key=lot)
        [template] = self.templates
        targets = {f"target_{number}": view for number, view in enumerate(views, 1)}
        data = {"source": source, "targets": {str(number): _as_json(view) for number, view in enumerate(views, 1)}}
        criterion = template.criteria[self.criterion]
        request = self.request(repetition, template, data, list(targets), LOWEST, HIGHEST, criterion=criterion)
        return Question(request, lambda grades: {view: grades[key] for key, view in targets.items()})

    # --- answers ---

    @property
    def pool(self) -> Pool:
        return self.judged

    def judged(self, prepared: Corpus, systems: Mapping[str, Hypothesis], threads: int = 0) -> JudgedPool:
        """Return the judgments of all systems of a part.

        Raises:
            UsageError: If there is only one system.
        """
        systems = self._competing(prepared, systems)
        views = self._views(prepared, systems, threads)
        questions = list(self._questions(prepared, views))
        unread = np.zeros(len(prepared), np.int64)
        # Equal corrections get equal grades without a request.
        rows = zip(*views.values(), strict=True)
        grades: list[list[Mapping[View, int]]] = [[dict.fromkeys(row, 0)] * self.repeats for row in rows]
        replies = self.ask([question for _, _, question in questions])
        for (s, repetition, _), reply in zip(questions, replies, strict=True):
            grades[s][repetition] = reply.meaning or {}
            unread[s] += reply.unreadable is not None
        wins, ties = compare_grades(list(views.values()), grades)
        return JudgedPool(systems, wins, ties, unread)

    # --- counts and scores ---

    def count(
        self, prepared: JudgedPool, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return the judgments of all systems, with an indicator of this one.

        ``count_columns`` names the columns.
        """
        sentences, systems = len(prepared.unread), len(prepared.systems)
        indicator = np.zeros((sentences, systems), np.int64)
        indicator[:, prepared.index(hypothesis)] = 1
        tables = [table.reshape(sentences, -1) for table in (prepared.wins, prepared.ties)]
        columns = count_columns(list(prepared.systems), self.repeats)
        return Counts(np.hstack([prepared.unread[:, np.newaxis], indicator, *tables])[:, np.newaxis], columns)

    def score(self, totals: NDArray[Any]) -> Floats:
        unpacked = JudgmentTables.of(totals, self.repeats)
        return unpacked.counted_score(self._aggregated(unpacked.wins.sum(axis=-3), unpacked.ties.sum(axis=-3)))

    def _aggregated(self, wins: NDArray[Any], ties: NDArray[Any]) -> Floats:
        return win_shares(wins) if self.aggregation == "wins" else trueskill_means(wins, ties, self.runs, self.seed)

    def own_score(self, counts: NDArray[Any]) -> Floats:
        """Return Expected Wins, because a skill requires more than one sentence."""
        unpacked = JudgmentTables.of(counts, self.repeats)
        return unpacked.counted_score(win_shares(unpacked.wins.sum(axis=-3)))

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Return the shares of the system's comparisons and requests.

        The comparisons are ``won``, ``tied``, ``lost`` or not made (``apart``). Requests are ``unread`` if their answer
        is not readable. With repetitions, ``spread`` is the standard deviation of the score over them.
        """
        unpacked = JudgmentTables.of(totals, self.repeats)
        parts = unpacked.shares
        if self.repeats > 1:
            each = self._aggregated(unpacked.wins, unpacked.ties)
            parts["spread"] = unpacked.counted_score(np.moveaxis(each, -2, 0)).std(axis=0)
        return parts

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        return JudgmentTables.of(counts, self.repeats).shares


def count_columns(names: Sequence[str], repeats: int) -> tuple[str, ...]:
    """Return the names of the columns of n systems.

    They are ``unread``, the indicator of the counted system (n), the wins ``a>b`` (n × n) of each repetition, and the
    ties ``a=b`` (n × n, symmetric) of each repetition.
    """
    tables = [f"{a}{sign}{b}{mark}" for sign in ">=" for mark in repeat_marks(repeats) for a in names for b in names]
    return ("unread", *(f"own:{name}" for name in names), *tables)


@dataclass(frozen=True, eq=False)
class JudgmentTables:
    """Counts [..., K] split into tables.

    Attributes:
        unread: Number [...] of requests without a readable answer.
        counted: Number [..., n] of sentences of the counted system, 0 for other systems.
        wins: Wins [..., repetitions, n, n].
        ties: Ties [..., repetitions, n, n].
    """

    unread: Floats
    counted: NDArray[Any]
    wins: NDArray[Any]
    ties: NDArray[Any]

    @staticmethod
    def of(counts: NDArray[Any], repeats: int) -> JudgmentTables:
        """Return the tables of counts; n follows from K = 1 + n + 2 · repetitions · n²."""
        counts = np.asarray(counts)
        width = counts.shape[-1] - 1
        n = round((np.sqrt(1 + 8 * repeats * width) - 1) / (4 * repeats))
        tables = counts[..., 1 + n :].reshape(*counts.shape[:-1], 2, repeats, n, n)
        return JudgmentTables(counts[..., 0], counts[..., 1 : 1 + n], tables[..., 0, :, :, :], tables[..., 1, :, :, :])

    def counted_score(self, scores: Floats) -> Floats:
        """Return the score of the counted system from the scores [..., n] of all.

        It is 0 if there are no systems.
        """
        if not self.counted.shape[-1]:
            return np.zeros(scores.shape[:-1])
        index = np.broadcast_to(self.counted.argmax(axis=-1), scores.shape[:-1])
        return np.take_along_axis(scores, index[..., np.newaxis], axis=-1)[..., 0]

    @property
    def shares(self) -> dict[str, Floats]:
        """The shares of comparisons won, tied, lost and not made, and of unread requests."""
        sentences = self.counted.sum(axis=-1)
        requests = np.maximum(sentences * self.wins.shape[-3], 1)
        games = np.maximum(requests * (self.wins.shape[-1] - 1), 1)
        wins = self.wins.sum(axis=-3)
        tables = (wins, np.swapaxes(wins, -1, -2), self.ties.sum(axis=-3))
        won, lost, tied = (self.counted_score(table.sum(axis=-1)) / games for table in tables)
        apart = np.where(sentences > 0, 1 - (won + lost + tied), 0.0)
        return {"won": won, "tied": tied, "lost": lost, "apart": np.maximum(apart, 0), "unread": self.unread / requests}


def compare_grades(
    views: Sequence[Sequence[View]], grades: Sequence[Sequence[Mapping[View, int]]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return ``wins`` and ``ties`` [S, repetitions, n, n] of graded views.

    Args:
        views: View ``views[n][s]`` of each system and sentence.
        grades: Grades ``grades[s][i]`` of views, by sentence and repetition. A view without a grade is not compared,
            not even with an equal one.
    """
    repeats = len(grades[0])
    wins = np.zeros((len(grades), repeats, len(views), len(views)), np.int64)
    ties = np.zeros_like(wins)
    for s, row in enumerate(zip(*views, strict=True)):
        for i, by_view in enumerate(grades[s]):
            values = np.array([by_view.get(view, -1) for view in row])
            judged = (values >= 0)[:, np.newaxis] & (values >= 0)
            wins[s, i] = judged & (values[:, np.newaxis] > values)
            ties[s, i] = judged & (values[:, np.newaxis] == values)
            np.fill_diagonal(ties[s, i], 0)
    return wins, ties


def win_shares(wins: NDArray[Any]) -> Floats:
    """Return Expected Wins [..., n] of wins [..., n, n].

    It is the share of decided judgments that a system won against an opponent, averaged over the opponents with a
    decided judgment; 1/2 without one.
    """
    shares = mean_shares(wins)
    return np.where(np.isnan(shares), 0.5, shares)


def trueskill_means(wins: NDArray[Any], ties: NDArray[Any], runs: int, seed: int) -> Floats:
    """Return TrueSkill's means [..., n] of wins and ties [..., n, n].

    They are averaged over runs, each of which samples as many judgments as exist, with replacement. A system without
    comparisons keeps the initial mean 0.
    """
    wins, ties = np.broadcast_arrays(np.asarray(wins), np.asarray(ties))
    n = wins.shape[-1]
    means = [
        _skills(won.astype(np.int64).tobytes(), tied.astype(np.int64).tobytes(), n, runs, seed)
        for won, tied in zip(wins.reshape(-1, n, n), ties.reshape(-1, n, n), strict=True)
    ]
    return np.reshape(means, wins.shape[:-1])


@functools.lru_cache(maxsize=1 << 12)
def _skills(wins: bytes, ties: bytes, n: int, runs: int, seed: int) -> tuple[float, ...]:
    """Return the means of one table, cached because all systems of a run use it."""
    won, tied = (np.frombuffer(table, np.int64).reshape(n, n) for table in (wins, ties))
    met = np.flatnonzero((won + won.T + tied).any(axis=1))
    means = np.zeros(n)
    if len(met):
        tally = PairTally(tuple(map(str, met)), won[np.ix_(met, met)], tied[np.ix_(met, met)])
        means[met] = sampled_skills(tally, runs=runs, seed=seed, rules=METRIC_RULES).mean(axis=0)
    return tuple(means.tolist())


def _as_json(view: View) -> Any:
    return view if isinstance(view, str) else [{"at": start, "from": old, "to": new} for start, old, new in view]
