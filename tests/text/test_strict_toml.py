"""TOML is read strictly: errors name file, table and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import GecevalError
from geceval.suites.suite_files import read_suite
from geceval.text.reading.strict_toml import parse_toml, read_toml
from support.messages import message_of
from support.written_files import write

SET = '[sets.a]\nsource = "s"\nreferences = ["r"]\nmetrics = ["green", "errant:beta=1"]\n'
JUDGED = '[judged.j]\njudgments = "j"\nsource = "s"\nmetrics = ["green"]\n[judged.j.systems]\nA = "a"\n'
PUBLISHED = '[[published]]\nof = "j"\nmetric = "green"\nby = "us"\n[published.scores]\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "titel = 'x'\n" + SET,
        SET + "sorce = 's'",
        SET + "gold = 3",
        SET.replace('["r"]', '["r", 3]'),
        SET.replace('["r"]', '"r"'),
        "average = 1\n" + SET,
        SET.replace('source = "s"\n', ""),
        SET.replace("metrics", "# metrics"),
        SET.replace("green", "gren"),
        SET.replace("beta=1", "beat=1"),
        SET.replace("green", "llm:server=http://x"),
        SET.replace("green", "scribendi:cache=kept.txt"),
        SET + "[judge]\nserver = 'http://x'",
        SET + "[judge]\nrate = 'fast'",
        SET + "[judge]\nconcurrency = 0",
        SET + "[judge]\nrates = 3",
        SET + "judge = 3",
        "judge = 3\n" + SET,
        SET.replace("beta=1", "beta=$HOME"),
        SET + 'primary = "gleu"',
        SET + 'outputs = "../x"',
        SET + 'language = "klingon"',
        SET + 'tokenise = "nobody"',
        SET + 'normalise = ["nfx"]',
        SET + 'missing = "fallbck"',
        SET + 'gold_edits = "found"',
        "sets = 3",
        "[sets]\na = 3",
        "average = true\n" + SET.replace('"green", "errant:beta=1"', '"scribendi"'),
        JUDGED.replace('A = "a"', ""),
        JUDGED + "[sets.j]\nsource = 's'\nmetrics = ['green']",
        JUDGED.replace('judgments = "j"', 'judgments = "j"\nhuman = "me"'),
        JUDGED + PUBLISHED.replace('"j"', '"k"') + 'r = "1"',
        JUDGED + PUBLISHED + 'r = "much"',
        JUDGED + PUBLISHED + 'tau = "0.5"',
        JUDGED + PUBLISHED + 'r = "0.5"\n[published.here]\nr = "0.4"',
        SET + "[files.x]\npath = 'x'",
        SET + "[files.x]\nsha256 = 'x'",
        SET + "[files.x]\npath = 'x'\nsha256 = 'x'",
        SET + "[files.'conll14/gold']\npath = '../x'",
        SET + "[files.'conll14/gold']\npath = '/x'",
        "published = 3\n" + JUDGED,
    ],
)
def test_what_cannot_be_is_named(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_suite, write(tmp_path / "bench.toml", text)) == snapshot


@pytest.mark.parametrize("text", ["b = 3\na = \nc = 4\n", "x = [[[[\n\n"])
def test_faults_of_toml_are_reported(tmp_path: Path, text: str) -> None:
    """The words of the parser depend on the version of Python."""
    assert "bench.toml: not valid TOML" in message_of(read_suite, write(tmp_path / "bench.toml", text))


def test_judge_section_sets_the_metrics_that_ask_a_judge(tmp_path: Path) -> None:
    path = write(tmp_path / "bench.toml", SET.replace('"green"', '"llm:model=m", "green"') + "[judge]\nrate = 6\n")
    suite = read_suite(path)
    llm, green, _ = suite.sets["a"].make_metrics()
    assert (llm.settings["rate"], green.settings["n"]) == (6, 4)
    [llm, *_] = suite.with_judge({"rate": 7.0, "concurrency": 2}).sets["a"].make_metrics()
    assert (llm.settings["rate"], llm.settings["concurrency"]) == (7.0, 2)


def test_a_suite_has_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    top = 'title = "T"\naverage = true\nunit = "char"\nlanguage = "de"\nmetrics = ["gleu"]\n'
    second = '[sets.b]\ngold = "g"\nprimary = "GLEU"\noutputs = "a"\nunit = "word"\n'
    path.write_text(top + SET.replace("errant", "green:n=2,green") + second, encoding="utf-8")
    suite = read_suite(str(path))
    assert (suite.title, suite.average, list(suite.sets)) == ("T", True, ["a", "b"])
    a, b = suite.sets.values()
    assert a.metrics == ("green", "green:n=2", "green:beta=1")
    assert (a.primary, a.outputs, b.primary, b.outputs) == ("green", ("a",), "gleu", ("a",))
    units = [metric.settings["unit"] for metric in (*a.make_metrics(), *b.make_metrics())]
    assert units == ["char", "char", "char", "word"]
    assert b.annotator == "de"


def test_a_file_that_is_no_text(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    assert message_of(read_toml, tmp_path / "x.toml") == snapshot
    assert message_of(read_suite, tmp_path / "none.toml") == snapshot


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        fields = parse_toml(text, "x")
        fields.text("a", None)
        fields.end()
    except GecevalError:
        pass
