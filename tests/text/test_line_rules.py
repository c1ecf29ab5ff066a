"""Rules that change lines: what language models add goes, and what could be the correction itself stays."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval._kernel import Text
from geceval.text.line_rules import LLM, LineRule, LineRules, make_detokeniser, make_rules, rule_table
from geceval.text.similarity import is_addition
from support.answer_layouts import LAYOUTS, answer
from support.effort import examples
from support.messages import message_of
from support.written_files import write

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
    "bold": ["**{}**", "__{}__", "*{}*", "***{}***"],
    "bullets": ["1. {}", "(1) {}", "[1] {}", "> {}", "• {}", "## {}"],
    "titles": ["It reads better as: {}", "Schritt 3: {}"],
    "tags": ["<answer>{}</answer>", "{}</s>", "<s>{}<|eot_id|>", "[INST] Correct: [] [/INST] {}"],
    "markup": [
        "<p>{}</p>",
        "<b>Text:</b> {}",
        "$$\\boxed{\\text{{}}}$$",
        "~~Him~~ {}",
        "<span style='text-decoration:line-through'>Him </span>{}",
    ],
    "json": ['{"corrected": "{}"}', "[['{}']]", "{'choices': [{'role': 'assistant', 'content': '{}'}]}"],
    "reasoning": ["<think>[]</think>{}", "Is it a verb?</think> {}"],
    "lines": ["{}\n\nAgreement.", "❌ []\n✅ {}", "```diff\n- []\n+ {}\n```", "*[]* → *{}*"],
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


@pytest.mark.parametrize(
    ("line", "correction"),
    [
        ('{"corrected": "He goes home , I', "He goes home , I"),
        ('["He goes home , I', "He goes home , I"),
        ('```json\n{"source": "He go home , I think .", "corrected": "He goes home ,', "He goes home ,"),
        ('{"corrected": "He goes home , \\"I', 'He goes home , "I'),
        ('{"corrected": "He goes home , I think ."', CLEAN),
        ('{"corrected": "He goes home , I think .", "verb', CLEAN),
        ('{"edits": [{"verb": "go, goes"}], "corrected": "He goes home , I think .", "verbs": ["go",', CLEAN),
        ("[He goes home", "[He goes home"),
        ('{"corrected": "He said "yes"."}', '{"corrected": "He said "yes"."}'),
    ],
)
def test_json_that_was_cut_is_read_to_its_end(line: str, correction: str) -> None:
    assert RULES.edit(line, SOURCE) == correction


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
        ("There is two reason : time and money .", "There are two reasons: time and money."),
        ("He say yes .", "- He says yes."),
        ("1 . He go home .", "1. He goes home."),
        ("<b> He go </b> home .", "<b>He goes</b> home."),
        ("He go → home .", "He goes → home."),
        ("Yesterday he go to the park with two friend .", "Yesterday he go → went to the park with two friends ."),
        ("~~ He ~~ go", "~~He~~ goes"),
        ('He say : " yes " .', 'He says: "yes".'),
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
line_words = st.lists(st.sampled_from(PIECES), max_size=12)
lines = line_words.map(" ".join) | line_words.map("".join) | st.text(max_size=40)


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


def test_rules_by_name(snapshot: SnapshotAssertion) -> None:
    assert RULES.name == "llm-4"
    assert make_rules(["quotes", "fences"]).name == make_rules(["fences", "quotes"]).name == "fences+quotes-4"
    assert {rule.name for rule in make_rules("labels").rules} == {"labels"}
    assert make_rules("labels").edit(f'"Corrected: {CLEAN}"', SOURCE) == f'"Corrected: {CLEAN}"'
    assert {rule.name for group, rule in rule_table() if group == LLM} == {*ADDED, "statements"}
    assert pickle.loads(pickle.dumps(RULES)) == RULES
    assert message_of(make_rules, ["llm", "lables"]) == snapshot


def test_signs_are_in_every_line_that_a_rule_changes() -> None:
    for kind, form in CASES:
        line = form.replace("{}", CLEAN).replace("[]", SOURCE)
        for rule in make_rules(kind).rules:
            without = LineRules("x", (rule._replace(signs=""),))
            alone = LineRules("x", (rule,))
            assert alone.edit(line, SOURCE) == without.edit(line, SOURCE)


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
    path = write(tmp_path / "own.toml", CUSTOM)
    rules = make_rules(["llm", str(path)])
    assert rules.name.startswith("llm-4+rules-")
    assert rules.edit("Corrected: I can not</s>", "I can not") == "I cannot"
    assert rules.edit("I can not</s>", "I can not</s>") == "I cannot</s>"
    assert make_rules(str(path)).edit("I can not</s>") == "I cannot</s>"
    changed = write(tmp_path / "other.toml", CUSTOM.replace("cannot", "can't"))
    assert make_rules(str(changed)).name != make_rules(str(path)).name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[rules]]\nname = 'a'\n",
        "[[rules]]\nname = 'a'\npattern = ''\n",
        "[[rules]]\nname = 'a'\npattern = '('\n",
        "[[rules]]\nname = 'a'\npattern = '[[a]'\n",
        "[[rules]]\nname = 'a'\npattern = 'a'\nreplacement = '\\1'\n",
        "[[rules]]\nname = 'a'\npattern = 'a'\nguard = true\n",
        "rule = 1\n",
    ],
)
def test_files_with_errors_are_refused(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "own.toml", text)
    assert message_of(make_rules, str(path)) == snapshot


# --- answers of language models ---


#: Sources and their corrections: a short and a long one.
PAIRS = [
    ("He go home .", "He goes home."),
    (
        "Last week my parents was visiting us , and they has bringed many photo of theirs holiday .",
        "Last week my parents were visiting us, and they brought many photos of their holiday.",
    ),
]


@pytest.mark.parametrize("pair", PAIRS, ids=["short", "long"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_answer_in_a_usual_layout_is_read_as_its_correction(name: str, pair: tuple[str, str]) -> None:
    assert RULES.edit(answer(LAYOUTS[name], *pair), pair[0]) == pair[1]


STATEMENTS = [
    "The sentence is already correct.",
    "No changes needed.",
    "N/A",
    "No corrections necessary.",
    "The sentence is grammatically correct as it is.",
    '"No changes needed."',
    "**No errors found.**",
    "(no changes)",
    "Your sentence is correct as written!",
    "This text does not contain any grammatical errors.",
    "The original sentence is grammatically correct, so no changes are needed.",
    "Sure! The sentence is already correct.",
    "The sentence is already correct. Let me know if you need anything else!",
    "The sentence is already correct.\n\nExplanation: subject and verb agree.",
    "No correction is required. The subject agrees with its verb.",
    "<think>Is it right? Yes.</think>No changes needed.",
    "Der Satz ist bereits korrekt.",
    "Keine Änderungen erforderlich.",
    "La frase es correcta.",
    "句子没有语法错误。",
    "该句子是正确的，无需修改。",
]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("source", ["He goes home .", PAIRS[1][1], "El perro come .", "猫在这里。"])
def test_statement_that_nothing_is_wrong_is_read_as_the_source(statement: str, source: str) -> None:
    assert RULES.edit(statement, source) == source


def test_statement_that_shares_a_word_with_a_long_source_is_read_as_the_source() -> None:
    source = "The weather changes so fast here that nobody can plan a walk for more than one hour ."
    assert RULES.edit("No changes needed.", source) == source


@pytest.mark.parametrize(
    "layout",
    [
        "Original: [] - **Corrected:** {} - **Why:** agreement",
        "Here it is: ```text {} ``` I changed the form of the verb.",
        "I've corrected the sentence: {} Is there anything else I can help you with?",
        "Corrected (British English): {} Confidence: high",
    ],
)
def test_answer_whose_lines_were_joined_by_blanks_is_read_as_its_correction(layout: str) -> None:
    for source, correction in PAIRS:
        assert RULES.edit(answer(layout, source, correction), source) == correction


def test_acknowledgement_is_read_as_the_source() -> None:
    for statement in ("OK", "Perfect!", '{"corrected": null, "explanation": "No errors found."}'):
        assert RULES.edit(statement, PAIRS[1][1]) == PAIRS[1][1]
    assert RULES.edit("Fine .", "Fin .") == "Fine ."


def test_quoted_sentence_in_a_statement_is_the_correction() -> None:
    assert RULES.edit('The sentence "He goes home." is already correct.', "He goes home .") == "He goes home."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("No error was finded .", "No errors were found."),
        ("The sentence are correct .", "The sentence is correct."),
        ("It is corect .", "It is correct."),
        ("There is no mistakes in this text .", "There are no mistakes in this text."),
        ("I likes the tag <think> most .", "I like the tag <think> most."),
        ('{"a": "He go"}', '{"a": "He goes"}'),
        ("✅ Buyed milk", "✅ Bought milk"),
    ],
)
def test_text_that_resembles_its_source_stays(source: str, text: str) -> None:
    assert RULES.edit(text, source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("He came . Note : I has changed it .", "He came.\nNote: I have changed it."),
        ("He come home . Then he sleep .", "He came home.\n\nThen he slept."),
        ("Corrected : the list of name", "Corrected:\nthe list of names"),
    ],
)
def test_lines_of_a_correction_are_joined(source: str, text: str) -> None:
    assert RULES.edit(text, source) == " ".join(text.split())


@pytest.mark.parametrize("cut", ["<think> He go home is", "<think>\nFirst,\n\nHe goes home.", "<cot>a</cot>"])
def test_reasoning_without_a_correction_leaves_an_empty_line(cut: str) -> None:
    assert RULES.edit(cut, "He go home .") == ""


def test_reasoning_after_a_correction_is_removed_to_the_end() -> None:
    assert RULES.edit("He goes home. <think> Is that right", "He go home .") == "He goes home."


words = st.lists(st.sampled_from("a bird can do every few good hats in just kites".split()), min_size=6, max_size=12)


@settings(max_examples=examples(300))
@given(words, st.integers(0, 5), st.sampled_from([*LAYOUTS.values()]))
def test_layouts_are_undone_for_any_words(tokens: list[str], at: int, layout: str) -> None:
    source = " ".join([*tokens, "."])
    correction = " ".join([*tokens[:at], "newer", *tokens[at + 1 :]]) + "."
    assert RULES.edit(answer(layout, source, correction), source) == correction


@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "</think>",
        "< / think",
        "a\n",
        "\n\n",
        "- b\n",
        "No changes. ",
        "Corrected:\n",
        '"',
        "[" * 9,
        "** a",
        "``` ",
        "Sure! ",
        ": ",
        "(note ",
        " -> ",
        '" ',
        "_ ",
        "Input: ",
        ". I changed ",
    ],
)
def test_long_answers_are_cheap(piece: str) -> None:
    """The timeout of a test ends it if the time is quadratic."""
    answer, source = piece * 10_000, "He go home ."
    assert len(RULES.edit(answer, source)) <= max(len(answer), len(source))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("**Here is the corrected sentence: He goes home .**", "He goes home ."),
        ("Sure! Here is the corrected sentence: He goes home .**", "He goes home ."),
        ("Here is the corrected sentence: He goes home . Original: He go home .", "He goes home ."),
        ("Here is the corrected sentence: He goes home .", "He goes home ."),
    ],
)
def test_a_preamble_in_the_line_of_its_version_is_removed_with_all_other_marks(answer: str, text: str) -> None:
    assert make_rules("llm").edit(answer, "He go home .") == text


def edited_by_all_rules(rules: LineRules, line: str, source: str | None) -> str:
    """Apply each rule in turn, whatever its signs, for ten rounds or until each has read the line."""
    last_change, number = -1, len(rules.rules)
    for step, rule in enumerate(rules.rules * 10):
        if step - last_change > number:
            break
        if (source is None or line == source) if rule.guarded else step >= number:
            continue
        one_rule = LineRules("x", (rule,))
        new = one_rule.edit(line, source) if not rule.pattern else once(rule, line, source or "")
        if new != line:
            line, last_change = new, step
    return line


def once(rule: LineRule, line: str, source: str) -> str:
    if not re.search(rule.pattern, line):
        return line
    new = re.sub(rule.pattern, rule.replacement, line)
    if not rule.guarded:
        return new
    return new.strip() if is_addition(line, new.strip(), source) else line


ALL_RULES = (*make_rules("llm").rules, *make_detokeniser("english").rules)
REGULAR = LineRules("regular", tuple(rule for rule in ALL_RULES if rule.pattern))


@given(
    line=st.text(st.sampled_from(list('ab .:!*"`<>[]()#_-→\n')), max_size=30),
    before=st.sampled_from(["", "Sure! ", "Corrected: ", "**", "<s> ", "- ", "Here is it: "]),
    source=st.none() | st.text(st.sampled_from("ab ."), max_size=12),
)
def test_rules_left_out_by_their_signs_change_nothing(line: str, before: str, source: str | None) -> None:
    line = before + line
    assert REGULAR.edit(line, source) == edited_by_all_rules(REGULAR, line, source)


@pytest.mark.parametrize(
    ("answer", "source", "text"),
    [
        ('Sure! Here is the sentence: He likes "Lemon" .', 'He like "Lemon" .', 'He likes "Lemon" .'),
        ("Here is the sentence: I go ( often ) !", "I goes ( often ) !", "I go ( often ) !"),
        # The preamble ends at its colon, not at the one of the source that follows the correction.
        ("Sure! It works ( well ) . Original: It work ( well ) .", "It work ( well ) .", "It works ( well ) ."),
        ("Sure! It works well. Original: It work well.", "It work well.", "It works well."),
        ("Here is the sentence: She went home (corrected)", "She go home (see)", "She went home (corrected)"),
    ],
)
def test_version_with_the_unusual_marks_of_its_source(answer: str, source: str, text: str) -> None:
    assert RULES.edit(answer, source) == text


@pytest.mark.parametrize("layout", ["{}\nOr: {}", "{}\nAlternatively: {}", "1. {}\n2. {}", "- {}\n- {}", "{}\n\n{}"])
def test_the_first_of_several_corrections_is_the_answer(layout: str) -> None:
    source = "He said me that he come tomorrow ."
    first = "He told me that he would come tomorrow ."
    for second in ("He said me that he will come tomorrow .", "He said to me that he come tomorrow ."):
        assert RULES.edit(layout.format(first, second), source) == first
    plural = "She go to the market every Saturdays ."
    singular = "She goes to the market every Saturday ."
    assert RULES.edit(f"{plural} (original)\n{singular}", plural) == singular
    assert RULES.edit(f"He told me that he come tomorrow .\nCorrected: {first}", source) == first
