"""``m2 vote``: edits that enough of several files have."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import m2
from geceval.app.main import main
from geceval.base.errors import InputError
from geceval.m2 import Block, Edit, noop, ordered
from geceval.text.m2.blocks import BlockStream
from support.strategies_edits import LINE, odd_blocks, versions
from twins import merging as twin


def block(*edits: tuple[int, int, str], source: str = "a b c d") -> Block:
    return Block(source, tuple(Edit(start, end, "X", (text,)) for start, end, text in edits) or (noop(0),))


def voted(least: int, *blocks: Block) -> list[tuple[int, int, str]]:
    [found] = m2.vote([[one] for one in blocks], least)
    return [(edit.start, edit.end, edit.correction) for edit in found.edits if not edit.is_noop]


def test_edits_of_enough_files() -> None:
    files = block((0, 1, "x"), (2, 3, "z")), block((0, 1, "x")), block((0, 1, "y"), (2, 3, "z"))
    assert voted(1, *files) == [(0, 1, "x"), (2, 3, "z")]
    assert voted(2, *files) == [(0, 1, "x"), (2, 3, "z")]
    assert voted(3, *files) == []


def test_of_edits_that_exclude_each_other_the_one_of_more_files() -> None:
    assert voted(1, block((0, 2, "x")), block((1, 3, "y")), block((1, 3, "y"))) == [(1, 3, "y")]
    assert voted(1, block((0, 2, "x")), block((1, 3, "y"))) == [(0, 2, "x")]
    assert voted(1, block((1, 1, "x")), block((1, 1, "y"))) == [(1, 1, "x")]
    assert voted(1, block((1, 1, "x")), block((1, 2, "y"))) == [(1, 1, "x"), (1, 2, "y")]
    assert voted(1, block((1, 1, "x")), block((0, 2, "y")), block((0, 2, "y"))) == [(0, 2, "y")]


@st.composite
def systems(draw: st.DrawFn) -> list[Block]:
    line = " ".join(draw(LINE))
    number = draw(st.integers(1, 5))
    return [Block(line, tuple(draw(versions(len(line.split()), 0)))) for _ in range(number)]


def keys(own: Block) -> set[tuple[int, int, str]]:
    return {(edit.start, edit.end, edit.correction) for edit in ordered(own, 0)}


@given(systems(), st.integers(1, 5))
def test_what_is_kept_had_the_votes_and_can_be_made(own: list[Block], least: int) -> None:
    [found] = m2.vote([[one] for one in own], least)
    m2.apply(found, 0)
    votes = {key: sum(key in keys(one) for one in own) for key in set().union(*map(keys, own))}
    assert keys(found) <= {key for key, count in votes.items() if count >= least}
    if 2 * least > len(own):  # two edits that exclude each other cannot both have more than half
        assert keys(found) == {key for key, count in votes.items() if count >= least}
    assert keys(next(m2.vote([[one] for one in own], len(own)))) == set.intersection(*map(keys, own))


@st.composite
def files(draw: st.DrawFn) -> list[list[Block]]:
    """Files of the same sentences; most edits fit, and most blocks have one annotator."""
    sources = draw(st.lists(odd_blocks.map(lambda own: own.source), max_size=4))
    return [[draw(one_voter(source)) for source in sources] for _ in range(draw(st.integers(1, 4)))]


@functools.cache
def one_voter(source: str) -> st.SearchStrategy[Block]:
    """A block of this sentence: fitting edits of annotator 0, rarely any edits; spans without alternatives repeat."""
    fitting = versions(len(source.split()), 0).map(lambda edits: Block(source, tuple(edits)))
    return st.one_of(*[fitting] * 12, odd_blocks.map(lambda own: replace(own, source=source)))


def until_error(blocks: Iterator[Block]) -> tuple[list[Block], str]:
    """The blocks up to the first error, and its message."""
    found = []
    try:
        for own in blocks:
            found.append(own)
    except InputError as error:
        return found, str(error)
    return found, ""


@given(files(), st.integers(1, 4))
def test_votes_are_those_of_the_twin(own: list[list[Block]], least: int) -> None:
    assert until_error(m2.vote(own, least)) == until_error(twin.vote(own, least))


@given(files(), st.integers(0, 2))
def test_pieces_of_any_size_give_the_same_votes(own: list[list[Block]], cut: int) -> None:
    pieces = [[m2.Blocks.of(file[:place]), m2.Blocks.of(file[place:])] for place, file in enumerate(own, cut)]
    assert until_error(m2.vote([BlockStream(iter(file)) for file in pieces], 1)) == until_error(m2.vote(own, 1))


answers = st.lists(
    st.builds(m2.Target, st.integers(0, 3), st.sampled_from([None, 0, 1]), st.just("a")), max_size=2
).map(tuple)


@given(files(), st.data())
def test_merged_files_are_those_of_the_twin(own: list[list[Block]], data: st.DataObject) -> None:
    own = [[replace(block, targets=data.draw(answers)) for block in file] for file in own]
    ids = [m2.annotators(file) for file in own]
    assert list(m2.merge(own, ids)) == list(twin.merge(own, ids))


def test_files_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="this sentence is missing in file 2"):
        list(m2.vote([[block(), block()], [block()]], 1))
    with pytest.raises(InputError, match="not the same sentence"):
        list(m2.vote([[block()], [block(source="other")]], 1))
    several = Block("a", (noop(0), noop(1)))
    with pytest.raises(InputError, match="a file that votes has one annotator, found 2"):
        list(m2.vote([[several]], 1))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for k, one in enumerate([block((0, 1, "x"), (2, 3, "z")), block((0, 1, "x")), block((3, 3, "q"))]):
        path = tmp_path / f"{k}.m2"
        path.write_text(f"{one}\n")
        paths.append(str(path))
    assert main(["m2", "vote", *paths]) == 0
    assert capsys.readouterr().out == "S a b c d\nA 0 1|||X|||x|||REQUIRED|||-NONE-|||0\n\n"
    assert main(["m2", "vote", *paths, "-k", "1", "--text"]) == 0
    assert capsys.readouterr().out == "x b z q d\n"
    assert main(["m2", "vote", *paths, "-k", "4"]) == 2
    assert "1 to 3, the number of files, not 4" in capsys.readouterr().err
