"""Human rankings and correlations against the recorded values of ``golden/meta``."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval.agreement.judgments import Judgments, agreeing_groups, find_numbering, line_numbers, read_judgments
from geceval.agreement.people import expand_pairs
from geceval.statistics.correlation import Correlations
from geceval.statistics.rankings import Rules, draw_tallies, expected_wins, ordered_skills, sampled_skills
from geceval.statistics.significance import placings
from support.human import FILES, judgments_of, outputs_in, recorded


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    return recorded(shared)


def counts_of(judgments: Judgments) -> dict[str, int]:
    pairs = expand_pairs(judgments)
    distinct = [a == b for item in judgments.items for a, b in itertools.combinations(item.ranks, 2)]
    return {
        "items": len(judgments.items),
        "pairs_expanded": len(pairs),
        "ties_expanded": int((pairs.outcome == 0).sum()),
        "pairs_unexpanded": len(distinct),
        "ties_unexpanded": sum(distinct),
    }


@pytest.mark.parametrize("name", FILES)
def test_counts_and_expected_wins(shared: Path, golden: dict[str, Any], name: str) -> None:
    human = golden["human"][name]
    judgments = judgments_of(shared, name)
    tally = expand_pairs(judgments).tally()
    assert counts_of(judgments) == human["counts"]
    wins = {
        winner: {
            loser: tally.wins[i, j]
            for j, loser in enumerate(tally.systems)
            if i != j
        }
        for i, winner in enumerate(tally.systems)
    }  # fmt: skip
    assert wins == human["win_counts"]
    ties_as_wins = replace(tally, wins=tally.wins + tally.ties)
    for key, counted in (("ew_exact", tally), ("ew_ties_as_wins", ties_as_wins)):
        found = expected_wins(counted)
        assert dict(zip(tally.systems, found, strict=True)) == pytest.approx(human[key], abs=1e-9)
    exact = dict(zip(tally.systems, expected_wins(tally), strict=True))
    assert exact == pytest.approx(human["published_EW"], abs=0.001)


def test_nspt15(shared: Path, golden: dict[str, Any]) -> None:
    human = golden["human"]["nspt15"]
    folder = shared / "data/meta/nspt15"
    everybody = read_judgments(folder / "all_judgments.xml")
    native = everybody.without("non-native")
    for judgments, suffix in ((everybody, "all"), (native, "without_non_native")):
        assert counts_of(judgments) == human[f"counts_{suffix}"]
        tally = expand_pairs(judgments).tally()
        found = dict(zip(tally.systems, expected_wins(tally), strict=True))
        assert found == pytest.approx(human[f"ew_{suffix}"], abs=1e-9)
    published = expand_pairs(read_judgments(folder / "all_judgments.csv")).tally()
    assert published.systems == tally.systems
    assert (published.wins == tally.wins).all()
    assert (published.ties == tally.ties).all()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("key", ["ts_file_order", "ts_file_order_beta025"])
def test_trueskill_in_file_order(shared: Path, golden: dict[str, Any], name: str, key: str) -> None:
    human = golden["human"][name][key]
    pairs = expand_pairs(judgments_of(shared, name))
    rules = Rules.for_judgments(len(pairs)) if key == "ts_file_order" else Rules(beta=0.25)
    mean, deviation = ordered_skills(pairs, rules)
    assert dict(zip(pairs.systems, mean, strict=True)) == pytest.approx(human["mu"], abs=1e-9)
    assert dict(zip(pairs.systems, deviation, strict=True)) == pytest.approx(human["sigma"], abs=1e-9)


@pytest.mark.parametrize("name", FILES)
def test_sampled_trueskill(shared: Path, golden: dict[str, Any], name: str) -> None:
    """Seeds 1..300; the golden's own runs use another generator, so means agree to the stated 0.003."""
    human = golden["human"][name]
    tally = expand_pairs(judgments_of(shared, name)).tally()
    rules = Rules.for_judgments(human["counts"]["pairs_expanded"])
    assert rules.beta == human["ts_sampled"]["beta"]
    assert rules.draw_margin == pytest.approx(human["ts_sampled"]["draw_margin"], abs=1e-9)
    rows = {row.system: row for row in placings(tally.systems, sampled_skills(tally, runs=300, seed=1))}
    for expected in human["ts_sampled"]["rows"]:
        row = rows[expected["system"]]
        assert row.mean == pytest.approx(expected["mean"], abs=0.003)
        assert row.deviation == pytest.approx(expected["sd"], abs=0.003)
        assert row.best_rank == pytest.approx(expected["range"][0], abs=0 if name == "gjg15" else 1)
        assert row.worst_rank == pytest.approx(expected["range"][1], abs=0 if name == "gjg15" else 1)
        if name == "gjg15":
            assert row.cluster == expected["cluster"]
    means = {system: row.mean for system, row in rows.items()}
    assert means == pytest.approx(human["published_TS"], abs=0.003)


@pytest.mark.parametrize("name", FILES)
def test_bootstrapped_expected_wins(shared: Path, golden: dict[str, Any], name: str) -> None:
    tally = expand_pairs(judgments_of(shared, name)).tally()
    rows = placings(tally.systems, expected_wins(next(draw_tallies(tally, replicates=1000, seed=1))))
    found = {row.system: row for row in rows}
    for expected in golden["human"][name]["ew_bootstrap"]["rows"]:
        row = found[expected["system"]]
        assert row.mean == pytest.approx(expected["mean"], abs=0.002)
        assert row.deviation == pytest.approx(expected["sd"], abs=0.002)
        assert abs(row.best_rank - expected["range"][0]) <= 1
        assert abs(row.worst_rank - expected["range"][1]) <= 1


def test_sentence_numbers_are_found(shared: Path) -> None:
    systems = outputs_in(shared / "data/conll14/systems")
    gjg15 = judgments_of(shared, "gjg15")
    assert find_numbering(gjg15, systems) == "0"
    agree, checked = agreeing_groups(gjg15, line_numbers(gjg15, "1"), systems)
    assert agree < checked / 2
    assert checked == 2759
    nspt15 = read_judgments(shared / "data/meta/nspt15/all_judgments.xml")
    assert find_numbering(nspt15, systems) == "0"
    for name in ("seeda_edit", "seeda_sent"):
        judgments = judgments_of(shared, name)
        assert find_numbering(judgments, outputs_in(shared / "data/meta/seeda/all")) == "1"
        assert find_numbering(judgments, outputs_in(shared / "data/meta/seeda/subset")) == "judged"


def test_seeda_subset_lines(shared: Path, golden: dict[str, Any]) -> None:
    judgments = judgments_of(shared, "seeda_edit")
    lines = line_numbers(judgments, "1")
    assert sorted(lines.values()) == golden["seeda_subset_line_numbers_0based"]
    whole = outputs_in(shared / "data/meta/seeda/all")
    for name, subset in outputs_in(shared / "data/meta/seeda/subset").items():
        assert [whole[name][line] for line in sorted(lines.values())] == subset


@pytest.mark.parametrize("references", ["gjg15_FREF", "gjg15_REF"])
def test_correlations_of_recorded_scores(golden: dict[str, Any], references: str) -> None:
    """Recorded scores have 8 digits, recorded correlations 6."""
    human = golden["human"]["gjg15"]
    people = {
        "EW_exact": human["ew_exact"],
        "EW_published": human["published_EW"],
        "TS_mean": {row["system"]: row["mean"] for row in human["ts_sampled"]["rows"]},
        "TS_published": human["published_TS"],
    }
    for setting in golden["system_level"][references].values():
        for key, expected in setting["corr"].items():
            measure, size = key.split("/")
            systems = [name for name in setting["scores"] if size == "13" or name != "INPUT"]
            found = Correlations.of(
                np.array([setting["scores"][name] for name in systems]),
                np.array([people[measure][name] for name in systems]),
            )
            # TrueSkill means are recorded with 4 digits only.
            digits = 2e-6 if measure != "TS_mean" else 2e-4
            assert found.n == expected["n"]
            assert found.pearson == pytest.approx(expected["pearson"], abs=digits)
            assert found.spearman == pytest.approx(expected["spearman"], abs=2e-6)
            assert found.kendall == pytest.approx(expected["kendall_b"], abs=2e-6)
