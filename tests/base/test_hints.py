"""Hints: options on the command line, arguments in Python."""

from __future__ import annotations

import pickle
import re

import pytest

from geceval.base.errors import InputError, UsageError
from geceval.base.hints import (
    AnyHint,
    Hint,
    Option,
    Step,
    command_words,
    hint_of_template,
    named_option,
    table_step,
)
from geceval.counting.checks.check_table import HINTS


@pytest.mark.parametrize(
    ("part", "command", "python"),
    [
        (Option("clean", "llm"), "--clean llm", 'clean="llm"'),
        (Option("clean", "subwords,entities"), "--clean subwords,entities", 'clean="subwords,entities"'),
        (Option("tokenise", "auto"), "--tokenise auto", 'tokenise="english"'),
        (Option("tokenise", "NAME"), "--tokenise NAME", 'tokenise="NAME"'),
        (Option("normalise", "nfc"), "--normalise nfc", 'corpus.prepared(geceval.Preparation(normalise="nfc"))'),
        (Option("tokenise_only", "systems"), "--tokenise-only systems", 'geceval.Preparation(only=["systems"])'),
        (Option("gold_edits", "reannotated"), "--gold-edits reannotated", 'gold_edits="reannotated"'),
        (Option("input_format", "'xlsx:A B'"), "--input-format 'xlsx:A B'", 'format="xlsx:A B"'),
        (Option("input_format"), "--input-format", "format"),
        (Option("system_column", "who"), "--system-column who", 'system="who"'),
        (Option("id", "a b"), "--id a b", 'id=["a", "b"]'),
        (Option("references", "FILE"), "-r FILE", 'references=["FILE"]'),
        (Option("systems", "A=x.txt"), "-c A=x.txt", 'systems={"A": "x.txt"}'),
        (Option("systems"), "-c", "systems"),
        (Option("metrics", "green"), "-m green", '"green"'),
        (Option("metrics", "errant green"), "-m errant green", '["errant", "green"]'),
        (Option("metrics"), "-m", "metrics"),
        (Option("judge", "server=URL"), "--judge server=URL", 'server="URL"'),
        (Option("steps", "N"), "--steps N", "steps=N"),
        (Option("allow_outside"), "--allow-outside", "allow_outside=True"),
        (Option("per_sentence"), "--per-sentence", "per_sentence"),
        (Option("gold", "Bob's.m2"), "--gold Bob's.m2", 'gold="Bob\'s.m2"'),
        (named_option("samples", "9"), "samples=9 (--samples 9)", "samples=9"),
        (named_option("test", "bootstrap"), "test=bootstrap (--test bootstrap)", 'test="bootstrap"'),
        (
            table_step("t.csv", "hypothesis_column", "x"),
            "-i t.csv --hypothesis-column x",
            'geceval.read_table("t.csv", hypothesis="x")',
        ),
        ("no option", "no option", "no option"),
    ],
)
def test_command_has_options_and_python_has_arguments(part: str | Option | Step, command: str, python: str) -> None:
    hint = Hint("use ", part, " here")
    assert (hint.for_command(), str(hint)) == (f"use {command} here", f"use {python} here")
    assert pickle.loads(pickle.dumps(hint)) == hint


@pytest.mark.parametrize(
    ("template", "command", "python"),
    [
        ("no option", "no option", "no option"),
        ("[[clean llm]] or [[gold]] of it", "--clean llm or --gold of it", 'clean="llm" or gold of it'),
        ("as [[tokenise auto|split]]", "as --tokenise auto", "as split"),
        ("[[table F; input_format csv|read(F)]]", "-i F --input-format csv", "read(F)"),
    ],
)
def test_hint_of_a_table_is_read(template: str, command: str, python: str) -> None:
    hint = hint_of_template(template)
    assert (command_words(hint), str(hint)) == (command, python)


def test_first_option_is_the_one_that_the_hint_begins_with() -> None:
    option = Option("clean", "llm")
    assert Hint("", option, " removes it").first_option == option
    assert Hint(Step(Hint(option), "other words")).first_option == option
    assert Hint("use ", option).first_option is None
    assert Hint().first_option is None


def test_alternatives_of_other_commands_are_left_out_of_the_hint() -> None:
    gold, clean = Hint(Option("gold", "FILE"), " has edits"), Hint(Option("clean", "llm"), " removes it")
    both = Hint(gold, "; ", clean)
    assert both.of_flags(["--gold", "--clean"]) == both
    assert both.of_flags(["--clean"]) == clean
    assert Hint("write it", "; ", clean).of_flags([]) == Hint("write it")
    assert both.of_flags([]).for_command() == "geceval score --gold FILE has edits; --clean llm removes it"


def test_error_has_the_words_of_python_and_of_the_command() -> None:
    error = UsageError("it is wrong", path="f", hint=Hint(Option("clean", "llm"), " removes it"))
    assert str(error) == 'f: it is wrong\n  hint: clean="llm" removes it'
    assert error.for_command() == "f: it is wrong\n  hint: --clean llm removes it"
    assert str(InputError("wrong", hint="plain")) == InputError("wrong", hint="plain").for_command()
    assert str(UsageError("wrong")) == UsageError("wrong").for_command() == "wrong"
    relocated = InputError("wrong", hint=Hint(Option("gold"))).relocate(3, "in a part")
    assert relocated.for_command().endswith("hint: --gold")


@pytest.mark.parametrize("hint", HINTS.values(), ids=HINTS)
def test_hint_of_a_check_has_no_option_in_python(hint: AnyHint) -> None:
    assert not re.search(r"(?<![\w-])--?[a-z]", re.sub(r"geceval [^;,)]*", "", str(hint)))
