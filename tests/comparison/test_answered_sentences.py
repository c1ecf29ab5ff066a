"""Comparisons on the sentences that all systems answered."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import geceval
from geceval.base.errors import UsageError
from geceval.comparison.answered_sentences import AnsweredSentences
from geceval.comparison.comparison_report import ShownComparison
from geceval.counting.counts import Counts
from geceval.m2 import read
from geceval.metrics.errant import Errant
from support.commands import Run
from support.examples import EXAMPLES
from support.provider_answers import Answer, write_answers

NAMES = ("source.txt", "ref0.txt", "systems/careful.txt", "systems/noisy.txt")
SOURCE, REFERENCE, CAREFUL, NOISY = ((EXAMPLES / name).read_text("utf-8").splitlines() for name in NAMES)
REFUSAL = "I'm sorry, but I can't help with that."


def failing(lines: list[str], empty: list[int], refused: list[int]) -> list[str]:
    return [
        "" if number in empty else REFUSAL if number in refused else line for number, line in enumerate(lines)
    ]  # fmt: skip


def answered_of(corpus: geceval.Corpus, blocks: list[str] | None = None) -> AnsweredSentences:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of empty lines
        comparison = geceval.compare(corpus, ["errant", "green"], samples=200, blocks=blocks, without_failed=True)
    assert comparison.answered is not None
    return comparison.answered


@pytest.mark.parametrize("blocks", [None, [f"essay {number // 2}" for number in range(40)]])
def test_result_is_that_of_the_other_sentences(blocks: list[str] | None) -> None:
    systems = {"a": failing(CAREFUL, [3, 8], [20]), "b": failing(NOISY, [8], [0, 39])}
    answered = answered_of(geceval.Corpus(SOURCE, [REFERENCE], systems), blocks)
    assert answered.failures == {"a": {"empty": 2, "refusals": 1}, "b": {"empty": 2, "refusals": 2}}
    assert (answered.left_out, answered.sentences) == (6, 40)
    rows = [row for row in range(40) if row not in (0, 3, 8, 20, 37, 39)]
    source, reference = ([lines[row] for row in rows] for lines in (SOURCE, REFERENCE))
    left_systems = {name: [lines[row] for row in rows] for name, lines in systems.items()}
    corpus = geceval.Corpus(source, [reference], left_systems)
    left = None if blocks is None else [blocks[row] for row in rows]
    expected = geceval.compare(corpus, ["errant", "green"], samples=200, blocks=left, checks=False)
    assert answered.comparison is not None
    assert answered.comparison.systems == expected.systems
    assert answered.comparison.pairs == expected.pairs


def test_failure_of_one_system_changes_no_result_of_answers_alone() -> None:
    """A system that fails in more sentences has the same score on those that it answered, where the other is equal."""
    [first, second] = [
        answered_of(geceval.Corpus(SOURCE, [REFERENCE], {"a": failing(CAREFUL, empty, []), "b": NOISY}))
        for empty in ([3, 8], [8, 3])
    ]
    assert first.comparison == second.comparison


def test_answered_sentences_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[int] = []
    count = Errant.count

    def noted(self: Errant, prepared: Any, hypothesis: Any, *args: Any, **kwargs: Any) -> Counts:
        lines.append(len(hypothesis))
        return count(self, prepared, hypothesis, *args, **kwargs)

    monkeypatch.setattr(Errant, "count", noted)
    corpus = geceval.Corpus(SOURCE, [REFERENCE], {"a": failing(CAREFUL, [3], []), "b": NOISY})
    assert answered_of(corpus).comparison is not None
    assert sum(lines) == 2 * 40


def test_comparison_of_answered_sentences_prints_and_has_frames() -> None:
    corpus = geceval.Corpus(SOURCE, [REFERENCE], {"a": failing(CAREFUL, [3], []), "b": NOISY})
    comparison = geceval.compare(corpus, ["green"], samples=200, without_failed=True)
    assert "Without the 2 of 40 sentences that a system did not answer (a: 1 empty; b: 1 empty):" in repr(comparison)
    assert comparison.answered is not None
    answered = comparison.answered.comparison
    assert isinstance(answered, ShownComparison)
    assert answered.columns("systems")["value"] == [score.value for score in answered.systems]
    assert geceval.compare(corpus, ["green"], samples=200, checks=False).answered is None


def test_sentences_that_no_system_answered_leave_none() -> None:
    corpus = geceval.Corpus(SOURCE, [REFERENCE], {"a": [""] * 40, "b": NOISY})
    answered = answered_of(corpus)
    assert (answered.comparison, answered.left_out) == (None, 40)
    assert list(answered.verdicts(2, [])) == [
        "No sentence is left without the 40 of 40 sentences that a system did not answer (a: 40 empty; b: 1 empty)."
    ]


def test_systems_as_edits_have_no_lines_without_an_answer() -> None:
    gold = read(EXAMPLES / "gold.m2")
    systems = {name: read(EXAMPLES / "confident.m2") for name in "ab"}
    corpus = geceval.Corpus(SOURCE, [], systems, gold=gold)
    with pytest.raises(UsageError, match="no system is text"):
        geceval.compare(corpus, ["errant"], samples=200, without_failed=True)
    with pytest.raises(UsageError, match="without_failed requires checks"):
        geceval.compare(corpus, ["errant"], samples=200, without_failed=True, checks=False)


@pytest.mark.usefixtures("examples")
def test_command_adds_the_result_to_words_and_json(run: Run, tmp_path: Path) -> None:
    failed = {5: Answer("", "cut"), 6: Answer(CAREFUL[6], "cut")}
    careful = [failed.get(number, Answer(text)) for number, text in enumerate(CAREFUL)]
    files = [
        str(write_answers(tmp_path / "careful.jsonl", careful)),
        str(write_answers(tmp_path / "noisy.jsonl", map(Answer, NOISY), "Messages")),
    ]
    line = ("compare", "-s", "source.txt", "-r", "ref0.txt", "-i", *files, "--id", "custom_id", "-m", "green")
    line += ("--samples", "500", "--without-failed", "-q")
    result = run(*line)
    about = "Without the 3 of 40 sentences that a system did not answer (careful: 1 empty, 2 cut; noisy: 1 empty):\n"
    assert (result.status, about in result.out) == (0, True), result.out
    answered = json.loads(run(*line, "-f", "json").out)["answered"]
    assert answered["failures"]["noisy"] == {"empty": 1, "refusals": 0, "cut": 0}
    assert answered["comparison"]["sentences"] == 37
    assert "answered" not in json.loads(run(*line[:-2], "-q", "-f", "json").out)
