"""TOML is read strictly: errors name file, table and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.base.errors import GecevalError, InputError
from geceval.suites.suite_files import read_suite
from geceval.text.reading.strict_toml import parse_toml, read_toml

SET = '[sets.a]\nsource = "s"\nreferences = ["r"]\nmetrics = ["green", "errant:beta=1"]\n'
JUDGED = '[judged.j]\njudgments = "j"\nsource = "s"\nmetrics = ["green"]\n[judged.j.systems]\nA = "a"\n'
PUBLISHED = '[[published]]\nof = "j"\nmetric = "green"\nby = "us"\n[published.scores]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b = 3\na = \nc = 4\n", r"bench.toml: not valid TOML: Invalid value \(at line 2, column 5\)"),
        ("x = [[[[\n\n", "bench.toml: not valid TOML"),
        ("", "the suite has no set"),
        ("titel = 'x'\n" + SET, "unknown key 'titel'.*did you mean title"),
        (SET + "sorce = 's'", r"\[sets.a\] unknown key 'sorce'.*did you mean source"),
        (SET + "gold = 3", r"\[sets.a\] gold must be a string, not 3"),
        (SET.replace('["r"]', '["r", 3]'), r"references must be a list of strings, but contains 3"),
        (SET.replace('["r"]', '"r"'), r"references must be a list of strings, not 'r'"),
        ("average = 1\n" + SET, "average must be true or false, not 1"),
        (SET.replace('source = "s"\n', ""), "source is missing, or gold"),
        (SET.replace("metrics", "# metrics"), "metrics is missing"),
        (SET.replace("green", "gren"), r"\[sets.a\] metrics: unknown metric 'gren'.*did you mean"),
        (SET.replace("beta=1", "beat=1"), "errant has no setting 'beat'"),
        (SET.replace("green", "llm:server=http://x"), "a suite may not set the server that your key is sent to"),
        (SET.replace("green", "scribendi:cache=kept.txt"), "scribendi: cache: a suite may not set a file"),
        (SET + "[judge]\nserver = 'http://x'", r"\[judge\] server: a suite may not set the server"),
        (SET + "[judge]\nrate = 'fast'", r"\[judge\] rate must be a number"),
        (SET + "[judge]\nconcurrency = 0", r"\[judge\]: concurrency is 0; it must be at least 1"),
        (SET + "[judge]\nrates = 3", r"\[judge\] has no 'rates'.*did you mean rate"),
        (SET + "judge = 3", r"unknown key 'judge'"),
        ("judge = 3\n" + SET, r"judge must be a table, \[judge\], not 3"),
        (SET.replace("beta=1", "beta=$HOME"), r"beta.*\$HOME"),
        (SET + 'primary = "gleu"', "primary: 'gleu' is not one of green, errant:beta=1"),
        (SET + 'outputs = "../x"', "without folders"),
        (SET + 'language = "klingon"', "unknown language 'klingon'"),
        (SET + 'tokenise = "nobody"', "tokenise, normalise, …: .*nobody"),
        (SET + 'normalise = ["nfx"]', "tokenise, normalise, …: unknown value 'nfx'"),
        (SET + 'missing = "fallbck"', "missing: missing is one of fallback, plain.*did you mean fallback"),
        (SET + 'gold_edits = "found"', "gold_edits: gold_edits is one of as-given, reannotated"),
        ("sets = 3", r"sets must be tables, each \[sets.NAME\], not 3"),
        ("[sets]\na = 3", "but contains 3"),
        ("average = true\n" + SET.replace('"green", "errant:beta=1"', '"scribendi"'), "not in per cent"),
        (JUDGED.replace('A = "a"', ""), "systems is missing"),
        (JUDGED + "[sets.j]\nsource = 's'\nmetrics = ['green']", "the name of a test set and of a judged set"),
        (JUDGED.replace('judgments = "j"', 'judgments = "j"\nhuman = "me"'), "human: human is one of"),
        (JUDGED + PUBLISHED.replace('"j"', '"k"') + 'r = "1"', "of: of is one of j"),
        (JUDGED + PUBLISHED + 'r = "much"', "scores.r must be a number as printed"),
        (JUDGED + PUBLISHED + 'tau = "0.5"', "a key is one of r, ρ"),
        (JUDGED + PUBLISHED + 'r = "0.5"\n[published.here]\nr = "0.4"', "here.r differs from scores.r: why must give"),
        (SET + "[files.x]\npath = 'x'", r"\[files.x\] sha256 is missing"),
        (SET + "[files.x]\nsha256 = 'x'", r"\[files.x\] path is missing"),
        (SET + "[files.x]\npath = 'x'\nsha256 = 'x'", "sha256 must be 64 lower-case hexadecimal digits, not 'x'"),
        (SET + "[files.'conll14/gold']\npath = '../x'", "path must be relative to the data folder, and below it"),
        (SET + "[files.'conll14/gold']\npath = '/x'", "path must be relative to the data folder, and below it"),
        ("published = 3\n" + JUDGED, r"published must be tables, each \[\[published\]\]"),
    ],
)
def test_what_cannot_be_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bench.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_suite(path)
    assert str(raised.value).startswith(str(path))
    assert raised.match(f"(?s){message}")


def test_judge_section_sets_the_metrics_that_ask_a_judge(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text(SET.replace('"green"', '"llm:model=m", "green"') + "[judge]\nrate = 6\n", encoding="utf-8")
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


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_toml(tmp_path / "x.toml")
    with pytest.raises(InputError, match="cannot read"):
        read_suite(tmp_path / "none.toml")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        fields = parse_toml(text, "x")
        fields.text("a", None)
        fields.end()
    except GecevalError:
        pass
