"""Rules that change lines: what language models add goes, and what could be the correction itself stays."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval._kernel import Text
from geceval.base.errors import InputError, UsageError
from geceval.text.line_rules import LLM, LineRules, make_rules, rule_table
from support.effort import examples

SOURCE = "He go home , I think ."
CLEAN = "He goes home , I think ."
RULES = make_rules("llm")

#: Additions by kind of rule; {} is the correction and [] the source.
ADDED = {
    "preambles": [
        "Sure! Here is the corrected sentence: {}",
        "Here's the corrected version of your sentence:\t{}",
        "The revised version of it is: {}",
        "Certainly! {}",
        "Hier ist der korrigierte Satz: {}",
        "好的，以下是修改后的句子：{}",
        "Ось виправлений варіант: {}",
    ],
    "labels": ["Corrected: {}", "Output : {}", "Opravená věta: {}", "修改后：{}", "Исправленное предложение: {}"],
    "quotes": ['"{}"', "“{}”", "„{}“", "»{}«", "「{}」", "'{}'"],
    "fences": ["```{}```", "``` {} ```", "```text {} ```", "`{}`"],
    "bold": ["**{}**", "__{}__"],
    "explanations": [
        "{} (Note: I changed 'go' to 'goes'.)",
        "{} Explanation: the verb must agree.",
        "{} I corrected the verb.",
        "{} Let me know if you need more!",
        "{} **Changes:** go → goes",
    ],
    "prompt": [
        "Input: [] Output: {}",
        "Correct the grammatical errors in the following sentence: [] Corrected: {}",
        "[] -> {}",
        "Original sentence: [] Correction: {}",
    ],
}
CASES = [(kind, form) for kind, forms in ADDED.items() for form in forms]


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_additions_are_removed_by_their_rule(kind: str, form: str) -> None:
    line = form.replace("{}", CLEAN).replace("[]", SOURCE)
    assert RULES.edit(line, SOURCE) == CLEAN
    assert make_rules(kind).edit(line, SOURCE) != line


def test_several_additions_are_removed() -> None:
    line = f'Sure! Here is the corrected sentence: **"{CLEAN}"** (Note: a verb was wrong.)'
    assert RULES.edit(line, SOURCE) == CLEAN


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('" I am here , " he say .', '" I am here , " he says .'),
        ("`` I am here ''", '"I am here."'),
        ('" I am here .', '" I am here . "'),
        ("I am here .", '" I am here . "'),
        ("Note : I has changed it .", "Note : I have changed it ."),
        ("He came . I has changed it .", "He came . I have changed it ."),
        ("Answer : it are true", "Answer : it is true"),
        ("Sure ! He come .", "Sure! He comes."),
        ("The **best** of all", "The **best** of them all"),
        ("a -> b", "an a -> b"),
        ("Here is the correct text : a", "Here is the correct text: a."),
        ("a `", "a `"),
        ("a", "an `a"),
        ("x", '""'),
        ("x", "Corrected:"),
        ("snake_case and _private_ name", "snake_case and _private_ names"),
    ],
)
def test_a_line_that_could_be_the_correction_stays(source: str, line: str) -> None:
    assert RULES.edit(line, source) == line


def test_without_a_source_nothing_is_removed() -> None:
    line = f"Corrected: **{CLEAN}**"
    assert RULES.edit(line) == line
    assert list(RULES.apply(Text([line, None]))) == [line, None]
    assert list(RULES.apply(Text([line, None]), Text([SOURCE, SOURCE]))) == [CLEAN, None]


PIECES = ["He", "goes", ".", '"', "'", "**", "I", "changed", "Note:", "Sure!", "->", "``", "He goes home.", "\n"]
PIECES += ["\n\n", "<think>", "</think>", "Corrected:", "No changes needed.", "- ", "{"]
words = st.lists(st.sampled_from(PIECES), max_size=12)
lines = words.map(" ".join) | words.map("".join) | st.text(max_size=40)


@settings(max_examples=examples(300))
@given(lines, lines, st.lists(st.sampled_from([form for _, form in CASES]), max_size=3))
def test_cleaning_twice_is_cleaning_once(source: str, line: str, forms: list[str]) -> None:
    for form in forms:
        line = form.replace("{}", line).replace("[]", source)
    once = RULES.edit(line, source)
    assert RULES.edit(once, source) == once
    assert RULES.edit(source, source) == source
    if "\n" not in source:
        assert "\n" not in once


plain_words = st.lists(st.sampled_from("a b c d e f g h".split()), min_size=6, max_size=12)


@settings(max_examples=examples(300))
@given(plain_words, st.integers(0, 5), st.sampled_from(CASES))
def test_damage_is_undone(tokens: list[str], at: int, case: tuple[str, str]) -> None:
    source = " ".join([*tokens, "."])
    clean = " ".join([*tokens[:at], "new", *tokens[at + 1 :], "."])
    damaged = case[1].replace("{}", clean).replace("[]", source)
    assert RULES.edit(damaged, source) == clean


# --- by name and from files ---


def test_rules_by_name() -> None:
    assert RULES.name == "llm-2"
    assert make_rules(["quotes", "fences"]).name == make_rules(["fences", "quotes"]).name == "fences+quotes-2"
    assert {rule.name for rule in make_rules("labels").rules} == {"labels"}
    assert make_rules("labels").edit(f'"Corrected: {CLEAN}"', SOURCE) == f'"Corrected: {CLEAN}"'
    assert {rule.name for own, rule in rule_table() if own == LLM and rule.pattern} == {*ADDED, "tags"}
    assert pickle.loads(pickle.dumps(RULES)) == RULES
    with pytest.raises(UsageError, match=r"clean is one of llm, reasoning, json, .*, FILE\.toml, not lables") as caught:
        make_rules(["llm", "lables"])
    assert caught.value.hint == "did you mean labels?"


def test_signs_are_in_every_line_that_a_rule_changes() -> None:
    for kind, form in CASES:
        line = form.replace("{}", CLEAN).replace("[]", SOURCE)
        for rule in make_rules(kind).rules:
            without = LineRules("x", (rule._replace(signs=""),))
            own = LineRules("x", (rule,))
            assert own.edit(line, SOURCE) == without.edit(line, SOURCE)


CUSTOM = """\
[[rules]]
name = "end"
pattern = '</s>$'

[[rules]]
name = "not"
pattern = '\\bcan not\\b'
replacement = "cannot"
guarded = false
"""


def test_rules_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(CUSTOM, encoding="utf-8")
    rules = make_rules(["llm", str(path)])
    assert rules.name.startswith("llm-2+rules-")
    assert rules.edit("Corrected: I can not</s>", "I can not") == "I cannot"
    assert rules.edit("I can not</s>", "I can not</s>") == "I cannot</s>"
    assert make_rules(str(path)).edit("I can not</s>") == "I cannot</s>"
    other = tmp_path / "other.toml"
    other.write_text(CUSTOM.replace("cannot", "can't"), encoding="utf-8")
    assert make_rules(str(other)).name != make_rules(str(path)).name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "own.toml: there are no rules"),
        ("[[rules]]\nname = 'a'\n", r"own.toml: \[rules 1\] pattern is missing: it must be a string"),
        (
            "[[rules]]\nname = 'a'\npattern = '('\n",
            r"\[rules 1\] not a regular expression with its replacement: missing \)",
        ),
        ("[[rules]]\nname = 'a'\npattern = 'a'\nreplacement = '\\1'\n", r"\[rules 1\] .*invalid group reference"),
        ("[[rules]]\nname = 'a'\npattern = 'a'\nguard = true\n", "unknown key 'guard'.*"),
        ("rule = 1\n", "unknown key 'rule'"),
    ],
)
def test_files_with_errors_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        make_rules(str(path))
