"""Judgments between systems and their TrueSkill as gec-metrics recorded them, and DSGram's weights."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import geceval
from geceval import DsGram, GecevalWarning, Llm
from geceval.extending import Request
from geceval.metrics.dsgram import GRADES, PAIRS, is_consistent
from geceval.metrics.llm import compare_grades
from geceval.statistics.aggregation import METRIC_RULES, by_expected_wins, by_trueskill
from geceval.statistics.judged_pairs import Pairs
from geceval.statistics.trueskill import ordered_skills
from support.golden import load
from support.judges import Scripted, data_of


def cases(shared: Path) -> list[Any]:
    recorded: list[Any] = load(shared / "golden" / "learned" / "ranking.json")["llm"]
    return recorded


def grades_of(case: Any, s: int) -> dict[str, int]:
    answer = json.loads(case["answers"][s])
    return {text: answer[f"target_score{number}"] for number, text in enumerate(case["asked"][s], 1)}


def test_pairs_and_trueskill_from_the_recorded_answers(shared: Path) -> None:
    for case in cases(shared):
        sentences, systems = len(case["sources"]), len(case["hypotheses"])
        wins, ties = compare_grades(case["hypotheses"], [[grades_of(case, s)] for s in range(sentences)])
        rows = []
        for s in range(sentences):
            for a in range(systems):
                for b in range(systems):
                    expected = case["pairwise"][s][a][b]
                    if a != b:
                        difference = int(wins[s, 0, a, b]) - int(wins[s, 0, b, a])
                        met = difference or ties[s, 0, a, b]
                        assert (difference if met else None) == expected, (s, a, b)
                    if a < b and expected is not None:
                        rows.append((s, a, b, expected))
        source, first, second, outcome = np.array(rows).T
        names = tuple(map(str, range(systems)))
        pairs = Pairs(names, source, first.astype(np.uint32), second.astype(np.uint32), outcome.astype(np.int8))
        means, _ = ordered_skills(pairs, METRIC_RULES)
        # The recording library's own erfc is good to 1e-7; ours to the last digit.
        np.testing.assert_allclose(means, case["trueskill"], rtol=0, atol=2e-7)


def test_what_is_asked(shared: Path) -> None:
    """Ours asks about the five most frequent corrections in the order of their text (order=sorted). The public code
    asks about the same ones, except that it takes equally frequent ones by the order of systems, and we by their text.
    """
    sizes = set()
    for case in cases(shared):
        judge = Scripted(lambda request: json.dumps(dict.fromkeys(request.keys, 3)))
        systems = {f"{k:02}": list(lines) for k, lines in enumerate(case["hypotheses"])}
        metric = Llm(model=judge, order="sorted", source=False, concurrency=1)
        geceval.evaluate(geceval.Corpus(case["sources"], (), systems), [metric])
        prompts = {
            data_of(request.user)["source"]: list(data_of(request.user)["targets"].values()) for request in judge.asked
        }
        for s, source in enumerate(case["sources"]):
            expected = case["asked"][s]
            row = [lines[s] for lines in case["hypotheses"]]
            if len(expected) == 1:
                assert source not in prompts  # nothing to compare: nothing to pay for
                continue
            ranked = sorted(set(row), key=lambda text: (-row.count(text), text))
            ours = sorted(ranked[:5])
            assert prompts[source] == ours
            assert sorted(map(row.count, ours)) == sorted(map(row.count, expected))
            if len(ranked) <= 5:
                assert ours == expected
            sizes.add(len(ranked) <= 5)
    assert sizes == {True, False}  # both rules are met


@pytest.mark.parametrize("case", range(3))
def test_rankings_by_sentence_scores(case: int, shared: Path) -> None:
    recorded = load(shared / "golden" / "learned" / "ranking.json")["rank_systems"][case]
    scores = np.array(recorded["scores"])
    systems = tuple(map(str, range(len(scores))))
    assert by_expected_wins(systems, scores) == pytest.approx(recorded["expected_wins"], abs=1e-12)
    skills = np.array(recorded["trueskill"])
    # The recording library's own erfc is good to 1e-7.
    assert by_trueskill(systems, scores) == pytest.approx(skills - skills.mean(), abs=2e-7)


def test_the_recorded_answers_through_the_metric(shared: Path) -> None:
    """Wins over decided comparisons, their mean over opponents; the recorded figures count undecided ones for both."""
    for case in cases(shared):
        decided = {source: grades_of(case, s) for s, source in enumerate(case["sources"])}

        def answer(request: Request, decided: dict[str, dict[str, int]] = decided) -> str:
            data = data_of(request.user)
            grades = decided[data["source"]]
            return json.dumps({f"target_{n}": grades.get(text, 1) for n, text in data["targets"].items()})

        systems = {f"{k:02}": list(lines) for k, lines in enumerate(case["hypotheses"])}
        if any(len({lines[s] for lines in case["hypotheses"]}) > 5 for s in range(len(case["sources"]))):
            continue
        metric = Llm(model=Scripted(answer), source=False)
        results = geceval.evaluate(geceval.Corpus(case["sources"], (), systems), [metric])
        values = [row[0].score().value for row in results.values()]
        outcomes = np.array(case["pairwise"], float)
        wins = (outcomes > 0).sum(axis=0)
        shares = []
        for a in range(len(systems)):
            won = [wins[a, b] / (wins[a, b] + wins[b, a]) for b in range(len(systems)) if wins[a, b] + wins[b, a]]
            shares.append(np.mean(won) if won else 0.5)
        assert values == pytest.approx(shares, abs=1e-12)


def comparison(ratio: float) -> int:
    return round(ratio) if ratio >= 1 else -round(1 / ratio)


def test_weights_of_dsgram(shared: Path) -> None:
    reciprocal = 0
    for case in load(shared / "golden" / "learned" / "dsgram.json")["cases"]:
        matrix = np.array(case["matrix"])
        if np.abs(matrix * matrix.T - 1).max() > 0.05:  # the public code accepts it; an answer cannot say it
            assert not is_consistent(matrix)
            continue
        reciprocal += 1
        answers = {
            **dict(zip(GRADES, case["scores"], strict=True)),
            **dict(zip(PAIRS, map(comparison, matrix[np.triu_indices(3, 1)]), strict=True)),
        }
        judge = Scripted(lambda request, own=answers: json.dumps({key: own[key] for key in request.keys}))  # type: ignore[misc]
        rejected = case["consistency_ratio_with_0.58"] >= 0.1
        with pytest.warns(GecevalWarning, match="contradict") if rejected else nullcontext():
            [result] = geceval.evaluate(geceval.Corpus(["a"], (), {"it": ["b"]}), [DsGram(model=judge, tries=1)])["it"]
        assert result.score().value == pytest.approx(case["score"], abs=1e-9)
        assert result.score().parts["inconsistent"] == rejected
    assert reciprocal == 6
