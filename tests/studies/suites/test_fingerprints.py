"""Fingerprints: what stays the same under which damage."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from geceval.studies.suites.fingerprints import BANDS, Fingerprint, annotators, fingerprint, split_lines
from support.strategies import odd_sentences, sentences

lines = st.lists(st.one_of(sentences, odd_sentences), min_size=1, max_size=8)


def of(text: str) -> Fingerprint:
    found = fingerprint(text.encode())
    assert found is not None
    return found


@given(lines)
def test_ends_of_lines_say_nothing(own: list[str]) -> None:
    text = "\n".join(own) + "\n"
    plain = of(text)
    for damaged in (text.replace("\n", "\r\n"), "\ufeff" + text, text[:-1] if own[-1] else text):
        found = of(damaged)
        assert (found.plain, found.lines, found.sample) == (plain.plain, plain.lines, plain.sample)
        assert replace(found, sha256="", marks=()) == replace(plain, sha256="", marks=())


@given(lines)
def test_bare_is_without_white_space_case_and_forms(own: list[str]) -> None:
    text = "\n".join(own) + "\n"
    plain = of(text)
    assert of("\n".join(f" {line}  " for line in own) + "\n").bare == plain.bare
    for form in ("NFC", "NFKC"):
        assert of(unicodedata.normalize(form, text)).bare == plain.bare


@given(lines, st.data())
def test_another_line_is_another_file(own: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(own) - 1))
    other = [*own[:at], own[at] + "x", *own[at + 1 :]]
    first, second = of("\n".join(own) + "\n"), of("\n".join(other) + "\n")
    assert first.plain != second.plain
    assert first.bare != second.bare


@given(lines, st.data())
def test_first_difference_of_one_altered_line_is_its_number(own: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, 20 * len(own) - 1))
    own = own * 20
    other = [*own[:at], own[at] + "x", *own[at + 1 :]]
    first, second = of("\n".join(own) + "\n"), of("\n".join(other) + "\n")
    assert (first.first_difference(first), first.equal_bands(first)) == (None, BANDS)
    assert second.first_difference(first) == first.first_difference(second) == (at + 1, at + 1)
    assert first.equal_bands(second) == BANDS - 1


@given(lines, st.sets(st.integers(0, 99), min_size=2))
def test_first_difference_of_altered_lines_contains_the_first(own: list[str], places: set[int]) -> None:
    own = (own * 100)[:100]
    other = [f"{line}x" if at in places else line for at, line in enumerate(own)]
    found = of("\n".join(own) + "\n").first_difference(of("\n".join(other) + "\n"))
    assert found is not None
    assert found[0] <= min(places) + 1 <= found[1] < found[0] + 7


def test_lines_are_those_of_corpora() -> None:
    assert split_lines("\ufeffa\r\nb\rc\n\nd") == ["a", "b", "c", "", "d"]
    assert split_lines("") == []
    assert fingerprint(b"\xff") is None


def test_annotators_apart() -> None:
    head = ["S He go .", "A 1 2|||R|||goes|||REQUIRED|||-NONE-|||0", "A 1 2|||R|||went|||REQUIRED|||-NONE-|||1", ""]
    own = annotators(head)
    assert list(own) == [0, 1]
    assert annotators([line for line in head if not line.endswith("|||1")]) == {0: own[0]}
    assert annotators(["He go ."]) == {}
