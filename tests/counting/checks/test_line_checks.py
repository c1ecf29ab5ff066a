"""Checks of all lines of a system, and the account of its outputs."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geceval
from geceval import Corpus, Green, check
from geceval.counting.checks.corpus_checks import Checks
from geceval.counting.checks.text_checks import LINE_CHECKS, Finding, Limits, OutputAccount
from support.damage import LINE_DAMAGES, detokenised, with_damaged_lines

SOURCE = [f"The {n} cats of John likes to plays in the garden , and they sleeps at the night ." for n in range(60)]
KEPT = [line.replace("sleeps at the", "sleep at") for line in SOURCE]


def found_in(system: list[str], source: list[str] = SOURCE) -> dict[str, Finding]:
    return {finding.check: finding for finding in check(Corpus(source, (), {"it": system}))}


@pytest.mark.parametrize("name", LINE_DAMAGES)
def test_damage_of_a_tenth_of_the_lines_is_found_with_its_lines(name: str) -> None:
    damage = LINE_DAMAGES[name]
    system, seen = with_damaged_lines(SOURCE, KEPT, damage, 10)
    assert seen == [6, 16, 26, 36, 46, 56]
    found = found_in(system)
    assert {damage.check, "outputs"} <= set(found)
    assert found[damage.check].message.startswith("6 of its 60 lines ")
    assert found[damage.check].message.endswith(" (lines 6, 16, 26, ...)")


@pytest.mark.parametrize("name", LINE_DAMAGES)
def test_what_the_source_has_too_is_no_damage(name: str) -> None:
    damage = LINE_DAMAGES[name]
    source, system = ([damage.do(line) for line in lines] for lines in (SOURCE, KEPT))
    found = found_in(system, source)
    assert damage.check not in found or found[damage.check].file == "source"


def test_three_lines_are_in_the_account_only() -> None:
    refusal = "I'm sorry, but I cannot do that"
    lines = [refusal] * Limits.odd + KEPT[Limits.odd :]
    assert found_in(lines) == {}
    assert "refusals" in found_in([refusal] * (Limits.odd + 1) + KEPT[Limits.odd + 1 :])
    corpus = Corpus(SOURCE, [KEPT], {"it": lines})
    [result] = geceval.evaluate(corpus, [Green()])["it"]
    assert result.outputs is not None
    assert result.outputs.to_dict() == {
        "lines": 60, "empty": 0, "equal": 0, "refusals": 3, "no_change": 0, "suspicious": 0, "cleaned": 0
    }  # fmt: skip
    again = pickle.loads(pickle.dumps(result))
    assert again.outputs.to_dict() == result.outputs.to_dict()
    [unchecked] = geceval.evaluate(corpus, [Green()], checks=False)["it"]
    assert unchecked.outputs is None


LINES = st.sampled_from(
    ["", "A cat .", "a cat .", "A CAT IS A CAT .", "Corrected: A cat .", "**A cat .**", "I'm sorry , no", "A cat."]
)


@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=60), st.integers(1, 60))
def test_an_account_of_parts_is_that_of_the_whole(pairs: list[tuple[str, str]], size: int) -> None:
    source, system = ([pair[at] for pair in pairs] for at in (0, 1))
    corpus = Corpus(source, (), {"it": system})
    whole, parts = Checks(corpus), Checks(corpus)
    whole.add(corpus)
    for part in corpus.parts(size):
        parts.add(part)
    one, other = (checks.accounts["system it"] for checks in (whole, parts))
    assert (one.to_dict(), one.found, one.first) == (other.to_dict(), other.found, other.first)
    assert one.lines == len(pairs)
    assert one.equal == sum(own.split() == other.split() for own, other in pairs)
    assert one.found["blank"] == sum(bool(own) and not other for own, other in pairs)
    assert sum(one.to_dict().values()) <= 2 * one.lines
    assert all(len(lines) == min(Limits.odd, one.found[name]) for name, lines in one.first.items())


def test_all_files_raw_matters_to_metrics_that_count_words() -> None:
    corpus = Corpus(detokenised(SOURCE), [detokenised(KEPT)], {"it": detokenised(KEPT)})
    [finding] = [own for own in check(corpus, [Green()]) if own.check == "raw"]
    assert str(finding).startswith("source: it is not tokenised, nor are the other files, but GREEN counts words")
    assert "raw" not in {own.check for own in check(corpus, [Green(unit="char")])}
    assert "raw" not in {own.check for own in check(corpus)}


def test_some_lines_of_all_files_raw() -> None:
    source, kept = ([*detokenised(lines[:5]), *lines[5:]] for lines in (SOURCE, KEPT))
    found = check(Corpus(source, [kept], {"it": kept}))
    assert [(own.check, own.file) for own in found] == [("equal", "system it"), ("raw", "source")]
    assert found[1].message == "5 of its 60 lines are not tokenised (lines 1, 2, 3, ...)"


def test_each_bit_of_the_kernel_has_a_check() -> None:
    assert len(LINE_CHECKS) == 14
    account = OutputAccount()
    account.add(0, [(at, 1 << at) for at in range(len(LINE_CHECKS))], 14)
    assert account.to_dict() == {
        "lines": 14, "empty": 1, "equal": 0, "refusals": 1, "no_change": 1, "suspicious": 12, "cleaned": 0
    }  # fmt: skip
    assert account.found == dict.fromkeys((own.name for own in LINE_CHECKS), 1)
