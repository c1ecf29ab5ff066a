"""``cherrant_compare`` on small files; the recorded runs of the public tool are in tests/conformance."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Run

GOLD = """\
S 甲 乙 丙
T0-A0 丁 乙 丙
A 0 1|||S|||丁 戊|||REQUIRED|||-NONE-|||0
T0-A1 丁 乙 丙
A 0 1|||S|||丁 戊|||REQUIRED|||-NONE-|||0
A 1 2|||R|||-NONE-|||REQUIRED|||-NONE-|||0
T1 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1

S 甲 乙
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0

"""
SYSTEM = """\
S 甲 乙 丙
T0-A0 丁戊 乙 丙
A 0 1|||S|||丁戊|||REQUIRED|||-NONE-|||0

S 甲 乙
T0-A0 乙
A 0 1|||R|||-NONE-|||REQUIRED|||-NONE-|||0

"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(GOLD, encoding="utf-8")
    Path("sys.m2").write_text(SYSTEM, encoding="utf-8")


def totals(run: Run, *options: str, hyp: str = "sys.m2", ref: str = "gold.m2") -> list[str]:
    result = run("cherrant_compare", "-hyp", hyp, "-ref", ref, *options)
    assert result.status == 0, result.err
    return result.out.splitlines()[-3].split()


def test_alignments_are_pooled_and_blanks_ignored(run: Run) -> None:
    """An edit of both alignments counts twice; a sentence that cannot be corrected is omitted."""
    assert totals(run) == ["2", "0", "1", "1.0", "0.6667", "0.9091"]
    assert totals(run, "-ds") == ["2", "0", "1", "1.0", "0.6667", "0.9091"]


def test_single_and_multi_are_lengths_of_the_source(run: Run) -> None:
    assert totals(run, "-single") == totals(run)
    # Neither edits remain nor the NA that omits the second sentence.
    assert totals(run, "-multi") == ["0", "0", "0", "1.0", "1.0", "1.0"]


def test_answers_are_selected_by_options(run: Run) -> None:
    assert totals(run, "--max_answer_num", "1") == totals(run)
    assert totals(run, "--max_answer_num", "7") == ["0", "0", "0", "1.0", "1.0", "1.0"]
    assert totals(run, "--reference_num", "2") == totals(run)
    assert totals(run, "--reference_num", "3") == ["0", "0", "0", "1.0", "1.0", "1.0"]
    assert totals(run, "--start", "1", "--end", "2") == ["0", "0", "0", "1.0", "1.0", "1.0"]
    assert totals(run, "--start", "1") == totals(run)  # only both make a slice
    # An NA of the system is a false positive against an answer.
    assert totals(run, hyp="gold.m2", ref="sys.m2")[:3] == ["1", "2", "1"]


def test_option_without_effect_is_noted(run: Run) -> None:
    result = run("cherrant_compare", "-hyp", "sys.m2", "-ref", "gold.m2", "-multi_hyp_avg")
    assert result.err == "note: -multi_hyp_avg has no effect, as with the public tool\n"
    assert result.out.splitlines()[-3].split() == totals(run)


def test_verbose_output_has_every_pair_of_alignments(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("cherrant_compare", "-hyp", "sys.m2", "-ref", "gold.m2", "-v").out == snapshot


def test_files_of_unequal_length_and_contradicting_options_are_refused(run: Run, snapshot: SnapshotAssertion) -> None:
    Path("short.m2").write_text(SYSTEM.partition("\n\n")[0] + "\n\n", encoding="utf-8")
    assert run("cherrant_compare", "-hyp", "short.m2", "-ref", "gold.m2") == snapshot
    assert run("cherrant_compare", "-hyp", "none.m2", "-ref", "gold.m2") == snapshot
    assert run("cherrant_compare", "-hyp", "sys.m2", "-ref", "gold.m2", "-single", "-multi").status == 2


def test_sentence_with_na_twice_is_omitted(run: Run) -> None:
    """The public tool compares the first type of the only edit."""
    line = "A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    Path("twice.m2").write_text(GOLD.replace(line, 2 * line), encoding="utf-8")
    assert totals(run, ref="twice.m2") == totals(run)
