"""The most frequent wrong and missed substitutions of the whole corpus, in bounded memory."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval.counting.comparison_options import Options
from geceval.m2 import Block, Edit
from geceval.reporting.overview import overview
from geceval.reporting.substitutions import Frequency, Substitution, SubstitutionCounts
from support.commands import Run

SOURCE = ["it rain a lot", "we rain check", "they goes"] + ["he like tea"] * 60
REFERENCE = ["it rains a lot", "we rain check", "they go"] + ["he likes tea"] * 60
SYSTEMS = {
    "eager": ["it rained a lot", "we rained check", "they go"] + ["he liked tea"] * 20 + ["he likes tea"] * 40,
    "shy": ["it rains a lot", "we rain check", "they goes"] + ["he like tea"] * 60,
}


def frequencies(corpus: geceval.Corpus, metric: Any = None, **options: Any) -> dict[str, dict[str, list[int]]]:
    """Return the numbers of the systems by outcome and shown substitution."""
    names = corpus.system_names
    made = overview(
        corpus,
        [metric or geceval.Errant()],
        Options(samples=100, pairs="none"),
        **{"sentences": 4, "checks": False} | options,
    )
    assert made.substitutions is not None
    assert made.substitutions.systems == tuple(names)
    rows = {outcome: counts.most_frequent(100)[0] for outcome, counts in made.substitutions.of_outcome.items()}
    return {
        outcome: {row.substitution.shown: list(row.by_system) for row in of_outcome}
        for outcome, of_outcome in rows.items()
    }


def test_edits_of_all_sentences_are_counted_by_system() -> None:
    """The page has four of the sentences."""
    found = frequencies(geceval.Corpus(SOURCE, [REFERENCE], SYSTEMS))
    assert found["wrong"] == {"like → liked": [20, 0], "rain → rained": [2, 0]}
    assert found["missed"] == {"like → likes": [20, 60], "goes → go": [0, 1], "rain → rains": [1, 0]}


def test_unchanged_source_is_not_counted() -> None:
    corpus = geceval.Corpus(SOURCE, [REFERENCE], SYSTEMS)
    assert frequencies(corpus, geceval.FalseAlarms())["missed"]["like → likes"] == [20, 60]


def test_alternatives_of_m2_are_cut_and_bars_of_text_are_kept() -> None:
    gold = [Block("so be it", (Edit(0, 1, "R:X", ("thus", "hence")),)), Block("a b", ())]
    corpus = geceval.Corpus([block.source for block in gold], (), {"it": ["so be it", "a || b"]}, gold)
    found = frequencies(corpus)
    assert found["missed"] == {"so → thus": [1]}
    assert found["wrong"] == {"∅ → ||": [1]}


@pytest.mark.parametrize("metric", [geceval.Cleme(), geceval.Spans(), geceval.MaxMatch()], ids=lambda m: m.name)
def test_judges_count_their_edits(metric: Any) -> None:
    gold = [Block("he like tea", (Edit(1, 2, "R:VERB", ("likes",)),))] * 30
    corpus = geceval.Corpus([block.source for block in gold], (), {"it": ["he liked tea"] * 30}, gold)
    found = frequencies(corpus, metric)
    # A changed chunk that should be another one is no missed chunk of CLEME.
    assert found["missed"] == ({} if metric.name == "cleme" else {"like → likes": [30]})
    assert found["wrong"] == {"like → liked": [30]}


# --- memory ---


def substitution(number: int) -> Substitution:
    return Substitution("a", str(number), "R")


@given(st.lists(st.lists(st.integers(0, 9), max_size=30), max_size=12))
def test_numbers_are_bounded_from_both_sides(parts: list[list[int]]) -> None:
    counts, exact = SubstitutionCounts(1, most=4), Counter[int]()
    for part in parts:
        exact.update(part)
        counts.add(0, Counter(map(substitution, part)))
    rows, lacking = counts.most_frequent(3)
    for row in rows:
        true = exact[int(row.substitution.text)]
        assert row.total <= true <= row.total + counts.lacking
    if not lacking:
        assert [row.total for row in rows] == [number for _, number in exact.most_common(3)]


def test_frequent_substitutions_are_exact_beside_many_rare_ones() -> None:
    counts = SubstitutionCounts(2, most=100)
    for part in range(50):
        rare = {substitution(1000 + 60 * part + k): 1 for k in range(60)}
        counts.add(part % 2, {substitution(1): 3, substitution(2): 2} | rare)
    rows, lacking = counts.most_frequent(2)
    assert rows == [Frequency(substitution(1), [75, 75]), Frequency(substitution(2), [50, 50])]
    assert lacking == 0
    assert counts.lacking > 0


# --- page ---


def test_page_has_the_numbers_of_the_corpus(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"s": SOURCE, "r": REFERENCE, **SYSTEMS}.items():
        Path(f"{name}.txt").write_text("\n".join(lines) + "\n")
    words = ["report", "-s", "s.txt", "-r", "r.txt", "-c", "eager.txt", "shy.txt", "-m", "errant", "--limit", "4"]
    assert run(*words, "-o", "page.html").status == 0
    text = re.sub(r"<[^>]+>", " ", Path("page.html").read_text())
    tables = {outcome: text.split(f"frequent {outcome} substitutions")[-1].split() for outcome in ("wrong", "missed")}
    assert tables["wrong"][tables["wrong"].index("liked") + 2 :][:3] == ["20", "20", "0"]
    assert tables["missed"][tables["missed"].index("likes") + 2 :][:3] == ["80", "20", "60"]
