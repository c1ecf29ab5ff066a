"""Human rankings and correlations against the recorded values of ``golden/meta``."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import m2
from geceval.agreement.human_ranking import people_scores
from geceval.agreement.judgments import Judgments, agreeing_groups, find_numbering, lines_by_sentence, read_judgments
from geceval.agreement.meta_evaluation import evaluate_metrics
from geceval.agreement.metric_agreement import (
    TIE_RULES,
    PreferenceCounts,
    accuracy,
    count_systems,
    total,
    verdicts_by_sentence,
)
from geceval.agreement.people import expand_pairs
from geceval.agreement.study import Study, StudyOptions, make_study
from geceval.agreement.study_results import windows
from geceval.counting.metric_names import make_metric
from geceval.statistics import Floats
from geceval.statistics.correlation import Correlations
from geceval.statistics.expected_wins import expected_wins
from geceval.statistics.judged_pairs import draw_tallies
from geceval.statistics.rank_ranges import placings
from geceval.statistics.trueskill import TrueSkillRules, ordered_skills, sampled_skills
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines
from support.golden import load
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
        shares = expected_wins(counted)
        assert dict(zip(tally.systems, shares, strict=True)) == pytest.approx(human[key], abs=1e-9)
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
        shares = dict(zip(tally.systems, expected_wins(tally), strict=True))
        assert shares == pytest.approx(human[f"ew_{suffix}"], abs=1e-9)
    published = expand_pairs(read_judgments(folder / "all_judgments.csv")).tally()
    assert published.systems == tally.systems
    assert (published.wins == tally.wins).all()
    assert (published.ties == tally.ties).all()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("key", ["ts_file_order", "ts_file_order_beta025"])
def test_trueskill_in_file_order(shared: Path, golden: dict[str, Any], name: str, key: str) -> None:
    human = golden["human"][name][key]
    pairs = expand_pairs(judgments_of(shared, name))
    rules = TrueSkillRules.for_judgments(len(pairs)) if key == "ts_file_order" else TrueSkillRules(beta=0.25)
    mean, deviation = ordered_skills(pairs, rules)
    assert dict(zip(pairs.systems, mean, strict=True)) == pytest.approx(human["mu"], abs=1e-9)
    assert dict(zip(pairs.systems, deviation, strict=True)) == pytest.approx(human["sigma"], abs=1e-9)


@pytest.mark.parametrize("name", FILES)
def test_sampled_trueskill(shared: Path, golden: dict[str, Any], name: str) -> None:
    """Seeds 1..300; the golden's own runs use another generator, so means agree to the stated 0.003."""
    human = golden["human"][name]
    tally = expand_pairs(judgments_of(shared, name)).tally()
    rules = TrueSkillRules.for_judgments(human["counts"]["pairs_expanded"])
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
    by_system = {row.system: row for row in rows}
    for expected in golden["human"][name]["ew_bootstrap"]["rows"]:
        row = by_system[expected["system"]]
        assert row.mean == pytest.approx(expected["mean"], abs=0.002)
        assert row.deviation == pytest.approx(expected["sd"], abs=0.002)
        assert abs(row.best_rank - expected["range"][0]) <= 1
        assert abs(row.worst_rank - expected["range"][1]) <= 1


def test_sentence_numbers_are_found(shared: Path) -> None:
    systems = outputs_in(shared / "data/conll14/systems")
    gjg15 = judgments_of(shared, "gjg15")
    assert find_numbering(gjg15, systems) == "0"
    agree, checked = agreeing_groups(gjg15, lines_by_sentence(gjg15, "1"), systems)
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
    lines = lines_by_sentence(judgments, "1")
    assert sorted(lines.values()) == golden["seeda_subset_line_numbers_0based"]
    outputs = outputs_in(shared / "data/meta/seeda/all")
    for name, subset in outputs_in(shared / "data/meta/seeda/subset").items():
        assert [outputs[name][line] for line in sorted(lines.values())] == subset


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
            correlations = Correlations.of(
                np.array([setting["scores"][name] for name in systems]),
                np.array([people[measure][name] for name in systems]),
            )
            # TrueSkill means are recorded with 4 digits only.
            digits = 2e-6 if measure != "TS_mean" else 2e-4
            assert correlations.n == expected["n"]
            assert correlations.pearson == pytest.approx(expected["pearson"], abs=digits)
            assert correlations.spearman == pytest.approx(expected["spearman"], abs=2e-6)
            assert correlations.kendall == pytest.approx(expected["kendall_b"], abs=2e-6)


# --- agreement of metrics ---


@cache
def conll14(shared: Path) -> dict[str, Any]:
    folder = shared / "data/conll14"
    return {
        "source": read_lines(folder / "source.txt"),
        "FREF": [read_lines(folder / f"ref{r}.txt") for r in (0, 1)],
        "REF": [read_lines(folder / f"ref{r}_plain.txt") for r in (0, 1)],
        "gold": list(m2.read(folder / "gold.m2")),
        "systems": outputs_in(folder / "systems"),
    }


@cache
def gjg15_study(shared: Path, references: str = "FREF", exclude: tuple[str, ...] = ()) -> Study:
    data = conll14(shared)
    corpus = Corpus(data["source"], data[references], data["systems"], data["gold"])
    return make_study(judgments_of(shared, "gjg15"), corpus, exclude=exclude)


@cache
def seeda_study(shared: Path, name: str, systems: str) -> Study:
    data = conll14(shared)
    corpus = Corpus(data["source"], data["FREF"], outputs_in(shared / "data/meta/seeda/all"), data["gold"])
    return make_study(judgments_of(shared, name), corpus, exclude=SEEDA_SETS[systems], judged_only=True)


#: Set of systems -> what it leaves out of all fifteen.
SEEDA_SETS = {
    "base": ["INPUT", "REF-F", "GPT-3.5"],
    "+INPUT": ["REF-F", "GPT-3.5"],
    "+REF-F_GPT-3.5": ["INPUT"],
    "all": [],
}

#: Golden key -> metric, and how a system's score comes from its sentences.
SYSTEM_LEVEL = {
    "M2_f0.5": ("maxmatch", {"beta": 0.5}, "corpus"),
    "GREEN_word_n4_b0.5": ("green", {"beta": 0.5}, "corpus"),
    "GREEN_word_n4_b1.0": ("green", {"beta": 1.0}, "corpus"),
    "GREEN_word_n4_b2.0": ("green", {"beta": 2.0}, "corpus"),
    "GREEN_word_n4_b2.0_sentmean": ("green", {"beta": 2.0}, "mean"),
    "GREEN_char_n6_b2.0_raw": ("green", {"beta": 2.0, "n": 6, "unit": "char"}, "corpus"),
    "GREEN_char_n6_b2.0_strip": ("green", {"beta": 2.0, "n": 6, "unit": "char"}, "corpus"),
    "GLEU_word_n4_official_sample500": ("gleu", {}, "corpus"),
    "GLEU_word_n4_official_refmean": ("gleu", {"selection": "mean"}, "corpus"),
    "GLEU_word_n4_official_sentmean": ("gleu", {}, "mean"),
    "GLEU_word_n4_paper_sample500": ("gleu", {"variant": "paper"}, "corpus"),
    "GLEU_word_n4_paper_refmean": ("gleu", {"variant": "paper", "selection": "mean"}, "corpus"),
    "GLEU_char_n6_official_sample500_raw": ("gleu", {"n": 6, "unit": "char"}, "corpus"),
    "GLEU_char_n6_official_sample500_strip": ("gleu", {"n": 6, "unit": "char"}, "corpus"),
    "GLEU_char_n6_paper_sample500_raw": ("gleu", {"n": 6, "unit": "char", "variant": "paper"}, "corpus"),
    "GLEU_char_n6_paper_sample500_strip": ("gleu", {"n": 6, "unit": "char", "variant": "paper"}, "corpus"),
}
BY_SCORE_ALONE = {"GLEU_word_n4_official_max", "GLEU_word_n4_paper_max"}


def test_every_recorded_setting_is_tested(golden: dict[str, Any]) -> None:
    for settings in golden["system_level"].values():
        assert set(settings) == SYSTEM_LEVEL.keys() | BY_SCORE_ALONE
    for settings in golden["sentence_level"].values():
        assert set(settings) - {"length_chars", "GREEN_word_n4_b2.0_meanref"} == SENTENCE_LEVEL.keys()
    assert golden["rank_aggregation"]["gjg15_13"].keys() <= SENTENCE_LEVEL.keys()


POINT = StudyOptions(resamples=0)


@pytest.mark.parametrize("references", ["FREF", "REF"])
@pytest.mark.parametrize("key", SYSTEM_LEVEL)
def test_system_level(shared: Path, golden: dict[str, Any], references: str, key: str) -> None:
    name, settings, aggregation = SYSTEM_LEVEL[key]
    settings = {**settings, "blanks": "all"} if key.endswith("_raw") else settings
    recorded = golden["system_level"][f"gjg15_{references}"][key]
    study = gjg15_study(shared, references)
    options = StudyOptions(aggregation=aggregation, resamples=0)
    results = evaluate_metrics(study, [make_metric(name, **settings)], options)
    check_system_level(results.metrics[0].scores.values, study, results.people, recorded)


def check_system_level(values: Floats, study: Study, people: Floats, recorded: dict[str, Any]) -> None:
    assert dict(zip(study.systems, values, strict=True)) == pytest.approx(recorded["scores"], abs=1e-8)
    twelve = [k for k, name in enumerate(study.systems) if name != "INPUT"]
    for key, columns in (("EW_exact/13", list(range(13))), ("EW_exact/12", twelve)):
        agreement, expected = Correlations.of(values[columns], people[columns]), recorded["corr"][key]
        assert agreement.n == expected["n"]
        assert agreement.pearson == pytest.approx(expected["pearson"], abs=1e-6)
        assert agreement.spearman == pytest.approx(expected["spearman"], abs=1e-6)
        assert agreement.kendall == pytest.approx(expected["kendall_b"], abs=1e-6)


@pytest.mark.parametrize("references", ["FREF", "REF"])
@pytest.mark.parametrize("variant", ["official", "paper"])
def test_references_chosen_by_score_alone(shared: Path, golden: dict[str, Any], references: str, variant: str) -> None:
    """Recorded so: of references with equal scores the first. The released tool, and our ``best``, compare on."""
    metric = make_metric("gleu", variant={"official": "source", "paper": "paper"}[variant])
    study = gjg15_study(shared, references)
    [counted] = count_systems(study.corpus, [metric])
    choices = [metric.score(counts.array).argmax(axis=1) for counts in counted.counts]
    totals = [counts.chosen(choice).sum(axis=0) for counts, choice in zip(counted.counts, choices, strict=True)]
    recorded = golden["system_level"][f"gjg15_{references}"][f"GLEU_word_n4_{variant}_max"]
    check_system_level(metric.score(np.stack(totals)), study, people_scores(study, POINT), recorded)


def test_the_poster_correlations(shared: Path, golden: dict[str, Any]) -> None:
    study = gjg15_study(shared)
    char = {"n": 6, "unit": "char", "blanks": "all"}
    for key, name, settings in (
        ("M2", "maxmatch", {"beta": 0.5}),
        ("wordGREEN", "green", {"beta": 2.0}),
        ("charGREEN", "green", {"beta": 2.0, **char}),
        ("wordGLEU", "gleu", {"variant": "paper"}),
        ("charGLEU", "gleu", {"variant": "paper", **char}),
    ):
        recorded = golden["poster_match"][key]
        [result] = evaluate_metrics(study, [make_metric(name, **settings)], POINT).metrics
        figures = [result.agreement.pearson, result.agreement.spearman]
        assert figures == pytest.approx([recorded["ours"]["pearson"], recorded["ours"]["spearman"]], abs=1e-6)
        assert figures == pytest.approx(recorded["poster"], abs=0.0005)


#: Golden key -> metric whose sentence scores it is about.
SENTENCE_LEVEL = {
    "GREEN_word_n4_b2.0": ("green", {"beta": 2.0}),
    "GLEU_word_n4_official_mean": ("gleu", {}),
    "GLEU_word_n4_paper_mean": ("gleu", {"variant": "paper"}),
    "GLEU_word_n4_official_max": ("gleu", {"selection": "best"}),
    "M2_f0.5": ("maxmatch", {"beta": 0.5}),
}


def check_verdicts(verdicts: PreferenceCounts, expected: dict[str, Any]) -> None:
    counts = {
        "agree": verdicts.agree,
        "disagree": verdicts.disagree,
        "metric_tie": verdicts.tied,
        "metric_tie_second_preferred": verdicts.tied_second,
    }
    assert counts == {name: expected["counts"].get(name, 0) for name in counts}
    assert verdicts.decided == expected["decided"]
    for rule in TIE_RULES:
        recorded = expected["seeda" if rule == "seeda" else f"tie_{'is_' * (rule != 'skipped')}{rule}"]
        assert accuracy(verdicts, ties=rule) == pytest.approx(recorded["accuracy"], abs=1e-9)
        assert 2 * accuracy(verdicts, ties=rule) - 1 == pytest.approx(recorded["tau"], abs=1e-9)


@pytest.mark.parametrize("key", SENTENCE_LEVEL)
def test_sentence_level(shared: Path, golden: dict[str, Any], key: str) -> None:
    name, settings = SENTENCE_LEVEL[key]
    metric = make_metric(name, **settings)
    recorded = golden["sentence_level"]["gjg15_FREF"][key]
    for size, exclude in (("13", ()), ("12", ("INPUT",))):
        study = gjg15_study(shared, exclude=exclude)
        [result] = evaluate_metrics(study, [metric], POINT).metrics
        check_verdicts(result.verdicts, recorded[f"{size} alphabetical"])
    study = gjg15_study(shared)
    best_first = [study.systems[k] for k in np.argsort(-people_scores(study, POINT))]
    [result] = evaluate_metrics(study, [metric], POINT).metrics
    scores = result.scores.sentences[[study.systems.index(name) for name in best_first]]
    verdicts = verdicts_by_sentence(study.pairs.among(best_first), study.lines, scores)
    check_verdicts(total(verdicts), recorded["13 gec-metrics order (EW descending)"])


@pytest.mark.parametrize("key", SENTENCE_LEVEL)
@pytest.mark.parametrize("systems", SEEDA_SETS)
def test_sentence_level_on_seeda(shared: Path, golden: dict[str, Any], key: str, systems: str) -> None:
    name, settings = SENTENCE_LEVEL[key]
    study = seeda_study(shared, "seeda_edit", systems)
    [result] = evaluate_metrics(study, [make_metric(name, **settings)], POINT).metrics
    check_verdicts(result.verdicts, golden["sentence_level"]["seeda_edit_FREF"][key][systems])


def test_green_as_a_mean_over_references(shared: Path, golden: dict[str, Any]) -> None:
    metric = make_metric("green", beta=2.0)
    for systems, expected in golden["sentence_level"]["seeda_edit_FREF"]["GREEN_word_n4_b2.0_meanref"].items():
        study = seeda_study(shared, "seeda_edit", systems)
        [counted] = count_systems(study.corpus, [metric])
        scores = np.stack([metric.own_score(counts.array).mean(axis=1) for counts in counted.counts])
        check_verdicts(total(verdicts_by_sentence(study.pairs.among(study.systems), study.lines, scores)), expected)


def test_length_as_a_metric(shared: Path, golden: dict[str, Any]) -> None:
    for systems, expected in golden["sentence_level"]["seeda_edit_FREF"]["length_chars"].items():
        study = seeda_study(shared, "seeda_edit", systems)
        lengths = np.array([[float(len(line)) for line in output] for output in study.corpus.systems.values()])
        verdicts = verdicts_by_sentence(study.pairs.among(study.systems), study.lines, lengths)
        check_verdicts(total(verdicts), expected)


@pytest.mark.parametrize(("key", "people"), [("edit", "EW_edit"), ("sent", "EW_sent"), ("edit", "TS_edit")])
def test_windows(shared: Path, golden: dict[str, Any], key: str, people: str) -> None:
    study = seeda_study(shared, f"seeda_{key}", "base")
    [result] = evaluate_metrics(study, [make_metric("green", beta=2.0)], POINT).metrics
    published = golden["human"][f"seeda_{key}"][f"published_{people[:2]}"]
    human = [published[name] for name in study.systems]
    computed = windows(study.systems, result.scores.values, human, size=4)
    recorded = golden["window_4"]["GREEN_word_n4_b2.0"][people]
    assert len(computed) == len(recorded)
    for window, expected in zip(computed, recorded, strict=True):
        assert [window.first, window.last] == expected["ranks"]
        assert list(window.systems) == expected["systems"]
        assert window.agreement.pearson == pytest.approx(expected["pearson"], abs=1e-6)
        assert window.agreement.spearman == pytest.approx(expected["spearman"], abs=1e-6)
        assert window.agreement.kendall == pytest.approx(expected["kendall_b"], abs=1e-6)


@pytest.mark.parametrize("key", ["GREEN_word_n4_b2.0", "GLEU_word_n4_official_mean"])
def test_rank_aggregation(shared: Path, golden: dict[str, Any], key: str) -> None:
    name, settings = SENTENCE_LEVEL[key]
    study = gjg15_study(shared)
    recorded = golden["rank_aggregation"]["gjg15_13"][key]
    for aggregation, short in (("expected-wins", "ew"), ("trueskill", "ts")):
        options = StudyOptions(aggregation=aggregation, resamples=0)
        [result] = evaluate_metrics(study, [make_metric(name, **settings)], options).metrics
        expected = np.array([recorded[aggregation.replace("-", "_")][system] for system in study.systems])
        level = expected.mean() if aggregation == "trueskill" else 0.0  # recorded values are not centred
        digits = 1e-6 if aggregation == "trueskill" else 1e-8  # as recorded
        assert result.scores.values == pytest.approx(expected - level, abs=digits)
        correlation = recorded["corr"][f"{short}~EW_exact"]
        assert result.agreement.pearson == pytest.approx(correlation["pearson"], abs=2e-6)
        assert result.agreement.spearman == pytest.approx(correlation["spearman"], abs=2e-6)
        assert result.agreement.kendall == pytest.approx(correlation["kendall_b"], abs=2e-6)


# --- ratings ---


SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "source", "transformer")


@pytest.mark.parametrize("metric", ["green", "gleu", "errant"])
@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_system_level_follows_from_the_scores(domain: str, metric: str, shared: Path) -> None:
    golden: Any = load(shared / "golden/learned/gmeg.json")[domain]
    figures = golden["metrics"][metric]
    for key, systems in (
        ("system_level_7", SYSTEMS),
        ("system_level_6_without_source", tuple(name for name in SYSTEMS if name != "source")),
    ):
        correlations = Correlations.of(
            [figures["corpus"][name] for name in systems], [golden["human_corpus"][s] for s in systems]
        )
        expected = figures[key]
        assert (correlations.pearson, correlations.spearman, correlations.kendall) == pytest.approx(
            (expected["pearson"], expected["spearman"], expected["kendall_b"]), abs=1e-9
        )
