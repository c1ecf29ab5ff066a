"""Whole essays in Markdown, as MultiGEC-2025 has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.app.main import main
from geceval.base.errors import GecevalWarning
from geceval.text.essays import BREAK, Essays, has_heads
from geceval.text.reading.corpus_files import read_lines_together
from support.commands import Run
from support.messages import message_of
from support.written_files import write

SOURCE = "### essay_id = 7\nHe go home .\n\nHe sleep .\n\n### essay_id = b 1\nShe is here .\n\n"
FIXED = "### essay_id = b 1\nShe is here .\n\n### essay_id = 7\nHe goes home .\n\nHe sleeps .\n\n\n"


def files(tmp_path: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    return [str(tmp_path / f"{name}.md") for name in texts]


def test_essays_go_by_their_ids(tmp_path: Path) -> None:
    source, reference, system = files(tmp_path, source=SOURCE, ref=FIXED, sys=SOURCE)
    corpus = geceval.read_corpus(source, [reference], [system])
    assert list(corpus.source) == ["He go home .\t\tHe sleep .", "She is here ."]
    assert list(corpus.references[0]) == ["He goes home .\t\tHe sleeps .", "She is here ."]
    assert corpus.system_names == ("sys",)
    files_in_parts = geceval.CorpusFiles(source, [reference], [system]).open()
    assert [len(part) for part in files_in_parts.parts(1)] == [1, 1]


def test_scores_are_those_of_lines(tmp_path: Path) -> None:
    """An essay is a text like any other; a line break is white space."""
    source, reference, system = files(tmp_path, source=SOURCE, ref=FIXED, sys=FIXED.replace("sleeps", "sleep"))
    lines = [["He go home . He sleep .", "She is here ."], ["He goes home . He sleeps .", "She is here ."]]
    plain = geceval.Corpus(lines[0], [lines[1]], {"sys": ["He goes home . He sleep .", "She is here ."]})
    metrics = [geceval.Gleu(), geceval.Green(), geceval.Errant()]
    for result, expected in zip(
        geceval.evaluate(geceval.read_corpus(source, [reference], [system]), metrics)["sys"],
        geceval.evaluate(plain, metrics)["sys"],
        strict=True,
    ):
        assert (result.score().value, result.score().signature) == (expected.score().value, expected.score().signature)


def test_a_reference_may_lack_essays(tmp_path: Path) -> None:
    """Its first reference is used instead, as in the task's scripts, with a warning."""
    source, complete, incomplete = files(tmp_path, source=SOURCE, one=FIXED, two="### essay_id = 7\nHe went home .\n")
    with pytest.warns(GecevalWarning, match=r"two\.md lacks 1 of 2 essays: their first reference is used instead"):
        corpus = geceval.read_corpus(source, [incomplete, complete], [])
    assert [list(text) for text in corpus.references] == [
        ["He went home .", "She is here ."],
        ["He goes home .\t\tHe sleeps .", "She is here ."],
    ]


@pytest.mark.parametrize(
    "text",
    [
        FIXED.replace("b 1", "c"),
        FIXED.replace("b 1", "c").replace("= 7", "= d"),
        FIXED.partition("### essay_id = 7")[0],
        FIXED + "### essay_id = 7\n",
        FIXED.replace("### essay_id = b 1", "## essay_id b 1"),
        f"Title\n{FIXED}",
    ],
    ids=["unknown", "unknown first", "missing", "duplicate", "malformed", "no heading"],
)
def test_faults_say_where_they_are(tmp_path: Path, text: str, run: Run, snapshot: SnapshotAssertion) -> None:
    source, system = files(tmp_path, source=SOURCE, sys=text)
    assert message_of(geceval.read_corpus, source, [], [system]) == snapshot
    assert run("score", "-s", source, "-r", source, "-c", system, "-m", "gleu") == snapshot


def test_an_essay_that_no_reference_has_is_missing(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source, reference = files(tmp_path, source=SOURCE, ref="### essay_id = 7\nHe went .\n")
    assert message_of(geceval.read_corpus, source, [reference], []) == snapshot


def test_only_references_of_a_corpus_may_lack_essays(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """However a file is called that errors name by its path."""
    source, reference = files(tmp_path, source=SOURCE, reference="### essay_id = 7\nHe went .\n")
    assert message_of(read_lines_together, [source, reference], ["source", "reference.md"]) == snapshot


def test_essays_and_lines_are_not_mixed(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source, system = files(tmp_path, source=SOURCE, sys="He goes .\nShe is here .\n")
    assert message_of(geceval.read_corpus, source, [], [system]) == snapshot
    gold = write(tmp_path / "gold.m2", "S He go home .\n\nS She is here .\n\n")
    assert message_of(geceval.read_corpus, None, [], [source], str(gold)) == snapshot
    assert list(geceval.read_corpus(system, [], []).source) == ["He goes .", "She is here ."]


def test_annotate_takes_essays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, fixed = files(tmp_path, source=SOURCE, fixed=FIXED)
    assert main(["annotate", "-s", source, "-c", fixed]) == 0
    out = capsys.readouterr().out
    assert out.startswith("S He go home . He sleep .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n")


LINES = st.lists(st.sampled_from(["a b", "", "# no head", "é\t."]), min_size=1, max_size=4)


@given(st.dictionaries(st.sampled_from("abcd"), LINES, min_size=1))
def test_what_is_written_is_read(essays: dict[str, list[str]]) -> None:
    """As the task writes it: the head, the text, an empty line."""
    lines = [line for name, body in essays.items() for line in (f"### essay_id = {name}", *body, "")]
    assert has_heads(lines)
    read = Essays.of(lines, "some.md").essays
    assert list(read) == list(essays)
    for name, body in essays.items():
        assert read[name].text.split(BREAK) == "\n".join(body).strip("\n").replace("\t", "\n").split("\n")
        assert lines[read[name].line - 1] == f"### essay_id = {name}"
