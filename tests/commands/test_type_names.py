"""``--type-names`` of the commands with tables by type."""

from __future__ import annotations

from pathlib import Path

from support.commands import Run


def test_score_and_m2_stats_name_types_in_words_for_readers_only(examples: Path, run: Run) -> None:
    stats = ("m2", "stats", "gold.m2", "--type-names")
    assert "subject-verb agreement" in run(*stats, "words").out
    assert "R:VERB:SVA" in run(*stats, "words", "-f", "csv").out
    score = ("score", "--gold", "gold.m2", "-c", "systems/eager.txt", "-m", "errant", "--by", "full", "-q")
    rows = {name: run(*score, "--type-names", name).out.splitlines() for name in ("codes", "german")}
    assert any(row.startswith("eager    fehlt: Artikel ") for row in rows["german"])
    assert [row.split()[-5:] for row in rows["german"][2:8]] == [row.split()[-5:] for row in rows["codes"][2:8]]
    assert "M:DET" in run(*score, "--type-names", "german", "-f", "csv").out
    refused = run(*score[:-3], "--type-names", "words")
    assert "error: --type-names words requires --by type or full" in refused.err
