"""Every number that a release printed for the examples is printed today; records: tools/record_release.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.releases_comparing import RECORDS, check, differences, names, recording


@pytest.mark.parametrize(("record", "name"), names(ours=True))
def test_no_number_has_moved(record: Path, name: str) -> None:
    check(record, name)


def test_there_is_a_record_of_each_release_and_that_of_the_last_is_of_all_cases() -> None:
    assert [record.stem for record in RECORDS] == ["0.1.0", "0.2.0"]
    recorded = {name for record, name in (param.values for param in names(ours=True)) if record == RECORDS[-1]}
    assert recorded == {case.name for case in recording.of_examples()}


SIGNATURE = "ERRANT|mode:cs|annotator:builtin-1|refs:{}|level:{}|v:{}"


def scores(value: float, rows: str = "numbers:1", refs: str = "2", level: str = "corpus", version: str = "1") -> object:
    return {SIGNATURE.format(refs, level, version): {"A": {"value": value, "rows": rows}}}


def test_what_moves_is_told() -> None:
    same = scores(0.5)
    assert not [*differences(same, scores(0.5, version="2"))]
    assert not [*differences(same, scores(0.5, refs="2(gold)"))]
    assert [*differences(same, scores(0.5 + 1e-16 * 2))] == [
        f" {SIGNATURE.format('2', 'corpus', '1')} A value: 0.5 is now 0.5000000000000002"
    ]
    assert "numbers:1" in next(differences(same, scores(0.5, rows="numbers:2")))
    assert "does not say refs:2" in next(differences(same, scores(0.5, refs="3")))
    assert "is gone" in next(differences(same, {}))
    assert next(differences({"output": "output:1"}, {"output": "output:2"}, exact=False))


def test_means_of_sentences_may_differ_in_the_last_bits_only() -> None:
    old = scores(0.5, level="sentence")
    assert not [*differences(old, scores(0.5 + 1e-16 * 2, level="sentence"))]
    assert [*differences(old, scores(0.5 + 1e-13, level="sentence"))]


def test_another_machine_may_have_other_last_bits() -> None:
    assert not [*differences(scores(0.5), scores(0.5 + 1e-14, rows="numbers:2"), exact=False)]
    assert [*differences(scores(0.5), scores(0.5 + 1e-10), exact=False)]
