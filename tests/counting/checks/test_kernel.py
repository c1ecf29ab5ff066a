"""The kernel's sums against slow twins."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval._kernel import Text, WordList, compare_lines, text_letters, text_marks
from geceval.counting.checks.text_properties import LineSpan
from support.messages import message_of
from support.words import english_words
from twins import checks as twin

#: Few tokens, so that lines have many in common; marks, quotes, capitals, other scripts and odd spaces among them.
TOKENS = "a the The teh huose house b, , . é. x1 1! “q” it's кіт žluť ? (".split()
LINES = st.lists(
    st.tuples(st.sampled_from(TOKENS), st.sampled_from([" ", " ", " ", "  ", "\u3000", "\t"])), max_size=9
).map(lambda pairs: "".join(token + space for token, space in pairs))
KNOWN = ("a", "the", "house")


@given(st.lists(LINES))
def test_marks_and_letters(lines: list[str]) -> None:
    assert tuple(text_marks(Text(lines)).values()) == twin.marks(lines)
    assert tuple(text_letters(Text(lines), WordList(KNOWN)).values()) == twin.letters(lines, KNOWN)


LISTED = WordList(KNOWN)


@given(st.lists(st.tuples(LINES, LINES, LINES), max_size=6), st.integers(0, 4))
def test_compared_lines_are_those_of_the_twin(rows: list[tuple[str, str, str]], limit: int) -> None:
    source, *systems = ([row[at] for row in rows] for at in range(3))
    pairs = [(Text(systems[0]), limit), (Text(systems[1]), 99)]
    expected = [twin.compare(source, systems[0], KNOWN, limit), twin.compare(source, systems[1], KNOWN, 99)]
    assert [tuple(sums.values()) for sums in compare_lines(Text(source), pairs, LISTED)] == expected


@given(LINES, LINES, LINES, LINES)
def test_lines_with_common_ends_compared(front: str, old: str, new: str, back: str) -> None:
    source, system = [f"{front} {old} {back}"], [f"{front} {new} {back}"]
    [sums] = compare_lines(Text(source), [(Text(system), 99)], LISTED)
    assert tuple(sums.values()) == twin.compare(source, system, KNOWN, 99)


@given(st.lists(st.tuples(LINES, st.none() | LINES, st.booleans()), max_size=4))
def test_texts_have_the_same_words(rows: list[tuple[str, str | None, bool]]) -> None:
    first, second = [line for line, _, _ in rows], [line if is_equal else other for line, other, is_equal in rows]
    expected = all(b is not None and a.split() == b.split() for a, b in zip(first, second, strict=True))
    assert Text(first).has_words_of(Text(second)) == Text(second).has_words_of(Text(first)) == expected


def test_texts_of_another_length_are_refused(snapshot: SnapshotAssertion) -> None:
    assert message_of(compare_lines, Text(["a"]), [(Text([]), 0)], LISTED) == snapshot


def test_all_english_words_are_found() -> None:
    words, listed = english_words(), WordList.english()
    assert len(words) == 172_529
    assert all(word in listed for word in words)
    assert not any(f"{word}q" in listed for word in list(words)[::97] if f"{word}q" not in words)


@given(st.lists(st.text(alphabet="ab\u00e9c", max_size=3)))
def test_words_in_a_list(words: list[str]) -> None:
    listed = WordList(words)
    for word in ("", "a", "ab", "\u00e9", "bca"):
        assert (word in listed) == (word in words)


@given(st.lists(st.integers(1, 900), max_size=9))
def test_spans_do_not_depend_on_the_parts(sizes: list[int]) -> None:
    positions: list[int] = []
    span, start = LineSpan(), 0
    for size in sizes:
        stop = start + size
        positions += range(start, stop)[span.examined_lines(start, stop)]
        while span.stop <= stop:
            span = span.next()
            positions += range(start, stop)[span.examined_lines(start, stop)]
        start = stop
    assert positions == twin.looked_at(start)
