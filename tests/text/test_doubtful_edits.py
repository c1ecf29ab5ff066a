"""Edits of M2 at the token next to the right one, missing values as corrections, and places in characters."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from geceval import m2, read_corpus
from geceval.base.errors import InputError
from support.commands import run_main
from support.written_files import write

WORDS = [("go", "goes"), ("see", "sees"), ("like", "likes"), ("run", "runs")]


def gold(path: Path, start: int, end: int, corrections: list[str] | None = None) -> Path:
    """Write a file whose sentences have an edit with these ends."""
    blocks = [
        f"S Now he {wrong} to us .\nA {start} {end}|||R|||{right}|||REQUIRED|||-NONE-|||0\n"
        for wrong, right in zip(
            [wrong for wrong, _ in WORDS], corrections or [right for _, right in WORDS], strict=True
        )
    ]
    return write(path, "\n".join(blocks))


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (3, 4, "4 of 4 corrections resemble the words before those that they replace: 'goes' replaces 'to'"),
        (1, 2, "4 of 4 corrections resemble the words after those that they replace: 'goes' replaces 'he'"),
        (2, 2, "all 4 edits insert, most before a word like the correction: 'goes' before 'go'"),
        (3, 3, "all 4 edits insert, most after a word like the correction: 'goes' after 'go'"),
    ],
)
def test_edits_next_to_the_word_that_they_correct_are_reported(
    tmp_path: Path, start: int, end: int, message: str
) -> None:
    path = gold(tmp_path / "gold.m2", start, end)
    with pytest.warns(match=message):
        read_corpus(gold=path)
    checked = run_main("m2", "check", path)
    assert (checked.status, checked.out.count(message)) == (1, 1)
    assert [fault.message.startswith(message) for fault in m2.check(path).faults] == [True]


@pytest.mark.parametrize("action", ["stats", "apply", "diff", "filter --type R", "merge", "vote"])
def test_actions_that_use_edits_warn_of_doubtful_ones(tmp_path: Path, action: str) -> None:
    path = gold(tmp_path / "gold.m2", 3, 4)
    name, *options = action.split()
    files = [path, write(tmp_path / "right.m2", gold(tmp_path / "r.m2", 2, 3).read_text("utf-8"))]
    result = run_main("m2", name, *(files if name in {"diff", "merge", "vote"} else files[:1]), *options)
    assert result.err.count("4 of 4 corrections resemble the words before those") == 1
    assert str(path) in result.err
    assert "right.m2" not in result.err


def test_a_filter_does_not_warn_of_edits_that_it_leaves_out(tmp_path: Path) -> None:
    mark = "S a b c\nA 0 1|||UNK|||-NONE-|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||d|||REQUIRED|||-NONE-|||0\n\n"
    path = write(tmp_path / "gold.m2", mark)
    assert "1 edit of type UNK" in run_main("m2", "filter", path, "--type", "UNK").err
    assert run_main("m2", "filter", path, "--type", "UNK", "--not").err == ""


def test_edits_of_the_right_words_are_no_fault(tmp_path: Path) -> None:
    path = gold(tmp_path / "gold.m2", 2, 3)
    read_corpus(gold=path)
    assert run_main("m2", "check", path).status == 0


def test_inclusive_ends_and_corrections_in_quotes_are_reported(tmp_path: Path) -> None:
    right = "".join(
        f"S Now he {wrong} to us .\nA 2 3|||R:VERB|||{word}|||REQUIRED|||-NONE-|||0\n\n" for wrong, word in WORDS
    )
    # An insertion, so that not all edits have an empty span.
    right += "S He go to school long .\nA 1 1|||M:ADV|||never|||REQUIRED|||-NONE-|||0\n"
    right += "A 3 5|||R:NOUN|||bed|||REQUIRED|||-NONE-|||0\n"
    assert m2.check(write(tmp_path / "right.m2", right)).faults == []
    for wrong, message in (
        (right.replace("A 2 3", "A 2 2").replace("A 3 5", "A 3 4"), "4 of 5 edits of types R: and U:, which replace"),
        (re.sub(r"(\|\|\|[RM]:\w+\|\|\|)(\w+)", r'\1"\2"', right), '6 of 6 corrections are in quotes, such as "goes"'),
    ):
        path = write(tmp_path / "wrong.m2", wrong)
        assert [fault.message.startswith(message) for fault in m2.check(path).faults] == [True]
        with pytest.warns(match=message):
            read_corpus(gold=path)


def test_noops_of_another_type_are_reported(tmp_path: Path) -> None:
    lines = ["S He go .", "A -1 -1|||None|||-NONE-|||REQUIRED|||-NONE-|||0"]
    path = write(tmp_path / "gold.m2", "\n".join([*lines, "", *lines, ""]))
    with pytest.warns(match="the type of 2 edits with the span -1 -1 is None, not noop"):
        read_corpus(gold=path)
    assert run_main("m2", "check", path).status == 1
    read_corpus(gold=write(tmp_path / "sound.m2", "\n".join([*lines, ""]).replace("|None|", "|noop|")))


def test_marks_that_delete_are_reported_with_a_command_that_keeps_their_words(tmp_path: Path) -> None:
    lines = ["S He & I go .", "A 1 4|||UNK|||-NONE-|||REQUIRED|||-NONE-|||0", ""]
    path = write(tmp_path / "gold.m2", "\n".join(lines))
    with pytest.warns(match="1 edit of type UNK, an error without a correction, with -NONE-: text made of"):
        read_corpus(gold=path)
    [fault] = m2.check(path).faults
    command = str(fault.hint).split(" > OTHER.m2")[0].replace("FILE.m2", "gold.m2")
    kept = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert kept.stdout == path.read_text("utf-8").replace("|-NONE-|||REQ", "|& I go|||REQ")
    read_corpus(gold=write(tmp_path / "kept.m2", kept.stdout))


@pytest.mark.parametrize("value", ["None", "nan", "NULL", "<NA>", "∅", "-DEL-"])
def test_missing_values_as_corrections_are_reported(tmp_path: Path, value: str) -> None:
    path = gold(tmp_path / "gold.m2", 2, 3, ["goes", value, value, value])
    with pytest.warns(match=f"3 corrections are {value!r}, which programs write for a missing value"):
        read_corpus(gold=path)
    assert run_main("m2", "check", path).status == 1
    read_corpus(gold=gold(tmp_path / "few.m2", 2, 3, ["goes", "sees", value, value]))
    text = path.read_text("utf-8").replace("to us", f"to {value}")
    read_corpus(gold=write(tmp_path / "word.m2", text))


def test_places_in_characters_are_named_as_their_cause(tmp_path: Path) -> None:
    sentences = ["S 我喜欢吃平果\nA 4 6|||S|||苹果|||REQUIRED|||-NONE-|||0\n"] * 3
    with pytest.raises(InputError) as error:
        read_corpus(gold=write(tmp_path / "gold.m2", "\n".join(sentences)))
    assert "most places fit the characters of their sentences" in str(error.value.hint)
    beyond = [*sentences, "S 我\nA 4 6|||S|||苹果|||REQUIRED|||-NONE-|||0\n"]
    with pytest.raises(InputError) as error:
        read_corpus(gold=write(tmp_path / "gold.m2", "\n".join(beyond)))
    assert "misfits" in str(error.value.hint)
