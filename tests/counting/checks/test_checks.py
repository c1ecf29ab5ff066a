"""Checks of small corpora: the examples, and damaged versions of them."""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, Errant, FalseAlarms, GecevalWarning, Gleu, Green, MaxMatch, check, m2
from geceval._kernel import LINE_MARKS
from geceval.base.errors import InputError
from geceval.counting.checks.check_table import CHECKS, HINTS, LINE_CHECKS
from geceval.counting.checks.corpus_checks import Checks
from geceval.counting.checks.limits import Limits
from geceval.counting.checks.remarks import is_remark
from geceval.counting.checks.text_checks import OutputAccount
from geceval.extending import Finding, length_bands
from geceval.text.languages import SEGMENTED, SEGMENTED_IN
from geceval.text.line_marks import mark_bits
from support.damage import (
    DAMAGES,
    LINE_DAMAGES,
    curly,
    damaged,
    decomposed,
    detokenised,
    lines_of,
    shifted,
    unrelated,
    with_damaged_lines,
)
from support.effort import examples
from support.examples import EXAMPLES

SOURCE = lines_of(EXAMPLES / "source.txt")
REFERENCES = [lines_of(EXAMPLES / f"ref{r}.txt") for r in (0, 1)]
SYSTEMS = {name: lines_of(EXAMPLES / "systems" / f"{name}.txt") for name in ("careful", "eager", "noisy")}
CORPUS = Corpus(SOURCE, REFERENCES, SYSTEMS)
METRICS = [Green(), Errant()]
#: Sentences of a tale, of as many lines.
OTHER = [f"Once upon a time there were {n} kings who had no daughters ." for n in range(len(SOURCE))]


def names(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.check, finding.file) for finding in findings]


def checked(source: list[str], system: list[str]) -> list[Finding]:
    return check(Corpus(source, (), {"it": system}), METRICS)


def test_sound_corpora_are_not_spoken_of() -> None:
    assert check(CORPUS, METRICS) == []


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_versions_are_found(name: str) -> None:
    long = SOURCE * 4  # as long as it takes to hold enough of everything
    hits = 0
    for system in (*SYSTEMS.values(), *REFERENCES):
        versions = dict(damaged(long, system * 4, OTHER * 4))
        if name in versions:
            findings = check(Corpus(versions[name][0], (), {"it": versions[name][1]}), METRICS)
            assert DAMAGES[name].check in [finding.check for finding in findings], findings
            hits += 1
    assert hits or name in ("decomposed", "swapped", "curly quotes")  # there are too few of these: see below


@pytest.mark.parametrize("lines", [5, 40])
@pytest.mark.parametrize("joint", ["; ", " "])
def test_several_corrections_in_a_line_are_named(lines: int, joint: str) -> None:
    both = [joint.join(pair) for pair in zip(*REFERENCES, strict=True)]
    findings = check(Corpus(SOURCE[:lines], (both[:lines],), {"it": SYSTEMS["careful"][:lines]}))
    assert ("several", "reference 0") in names(findings)
    longer = [f"{line} {' '.join(line.split()[:3])}" for line in REFERENCES[0]]
    assert ("several", "reference 0") not in names(check(Corpus(SOURCE, (longer,), SYSTEMS)))


def test_a_shift_is_named() -> None:
    for k in (-6, -3, 1, 4):
        [finding] = checked(SOURCE, shifted(SYSTEMS["careful"], k))
        assert f"; shifted by {k:+d}: its line 11 fits line {11 + k} of the source" in finding.message
    [finding] = checked(SOURCE, OTHER)
    assert finding.message == "most of its lines share few tokens with the source"


def test_a_line_that_is_lost_late_is_found_where_it_is_lost() -> None:
    long = [f"{line} {n}" for n, line in enumerate(SOURCE * 60)]
    [finding] = checked(long, [*long[:900], *long[901:], "x y z ."])
    assert (finding.check, finding.file) == ("overlap", "system it")
    assert "from about line 901 on" in finding.message


@pytest.mark.parametrize("lines", [30, 60, 300, 1000])
@pytest.mark.parametrize("shift", [-2, -1, 1, 3])
def test_a_shift_of_the_last_lines_is_named(lines: int, shift: int) -> None:
    source = [f"{line} {n}" for n, line in enumerate(SOURCE * 25)][:lines]
    late = lines - 10
    system = [*source[:late], *["x y z ."] * -shift, *source[late + max(shift, 0) :], *["x y z ."] * shift][:lines]
    [finding] = [finding for finding in checked(source, system) if finding.check == "overlap"]
    line = lines - max(shift, 0)
    assert finding.message.endswith(f"; shifted by {shift:+d}: its line {line} fits line {line + shift} of the source")


def divided(lines: list[str], at: int, number: int, shift: int) -> list[str]:
    """Return lines of which some are displaced: one is divided and two are joined later, or the reverse."""
    words = lines[at].split()
    halves = [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
    displaced = lines[at + 1 : at + 1 + number]
    if shift < 0:
        rest = lines[at + 1 + number :]
        return [*lines[:at], *halves, *displaced[:-1], f"{displaced[-1]} {rest[0]}", *rest[1:]]
    joined = f"{lines[at - 2]} {lines[at - 1]}"
    return [*lines[: at - 2], joined, lines[at], *displaced, "more words of a line", *lines[at + 1 + number :]]


LONG = [f"{line} {n}" for n, line in enumerate(SOURCE * 20)]


@pytest.mark.parametrize("shift", [-1, 1])
@pytest.mark.parametrize("at", [9, 61, 444])
def test_displaced_lines_are_named_wherever_they_are(at: int, shift: int) -> None:
    system = divided(LONG, at, 12, shift)
    assert len(system) == len(LONG)
    corpus = Corpus(LONG, (), {"it": system})
    for size in (7, 100, len(LONG)):
        checks = Checks(corpus)
        for part in corpus.parts(size):
            checks.add(part)
        [finding] = [finding for finding in checks.end() if finding.check == "overlap"]
        assert finding.file == "system it"
        match = re.fullmatch(
            rf"(\d+) of its {len(LONG)} lines share few tokens with the source; shifted by {re.escape(f'{shift:+d}')}: "
            r"its line (\d+) fits line (\d+) of the source",
            finding.message,
        )
        assert match is not None
        number, line, place = map(int, match.groups())
        assert 3 <= number <= 14
        assert place == line + shift
        assert at - 2 <= line <= at + 5


def test_two_displaced_lines_are_not_reported() -> None:
    system = [*LONG[:50], LONG[51], LONG[50], *LONG[52:]]
    assert [finding for finding in check(Corpus(LONG, (), {"it": system}), METRICS) if finding.check == "overlap"] == []


def test_last_lines_of_a_reference_that_some_sentences_lack_are_not_shifted() -> None:
    source = [f"{line} {n}" for n, line in enumerate(SOURCE)]
    references = [[line, line] if n < 10 or n > 30 else [line] for n, line in enumerate(source)]
    corpus = Corpus.of({"it": [*source[:-1], "x y z ."]}, (), source, per_sentence=references)
    checks = Checks(corpus)
    for part in corpus.parts(5):
        checks.add(part)
    assert [finding for finding in checks.end() if finding.check != "equal"] == []


def test_text_that_is_not_tokenised_is_told_first_and_alone() -> None:
    system = detokenised(SYSTEMS["careful"])
    assert names(checked(SOURCE, system)) == [("tokens", "system it")]
    assert names(checked(SOURCE, shifted(system, 1))) == [("tokens", "system it")]
    findings = check(Corpus(SOURCE, [detokenised(REFERENCES[0]), REFERENCES[1]], SYSTEMS))
    assert names(findings) == [("tokens", "reference 0")]


@pytest.mark.parametrize(
    ("source", "system", "expected"),
    [
        (["Er geht nach Haus.", "Wir hat Zeit."], ["Er geht nach Hause.", "Wir haben Zeit."], [("raw", "source")]),
        (
            ["Er geht nach Haus .", "Wir hat Zeit ."],
            ["Er geht nach Hause.", "Wir haben Zeit."],
            [("tokens", "system it")],
        ),
        (
            ["Er geht nach Haus.", "Wir hat Zeit."],
            ["Er geht nach Hause .", "Wir haben Zeit ."],
            [("tokens", "system it")],
        ),
        (["Er geht nach Haus .", "Wir hat Zeit ."], ["Er geht nach Hause .", "Wir haben Zeit ."], []),
        (["Er geht nach Haus .", "Wir hat Zeit."], ["Er geht nach Hause.", "Wir haben Zeit ."], []),
        (["Er geht nach Haus."], ["Er geht nach Hause."], []),
        (
            ["昨日友達に映画を見た。", "私は猫を好きです。"],
            ["昨日友達と映画を見た。", "私は猫が好きです。"],
            [("blanks", "source")],
        ),
        (["昨日 友達 に 映画 を 見 た 。"] * 2, ["昨日友達と映画を見た。"] * 2, [("tokens", "system it")]),
        (["昨日 友達 に 映画 を 見 た 。"] * 2, ["昨日 友達 と 映画 を 見 た 。"] * 2, []),
    ],
)
def test_tokens_are_checked_from_two_lines_on(
    source: list[str], system: list[str], expected: list[tuple[str, str]]
) -> None:
    assert names(check(Corpus(source, (), {"it": system}), [Green()])) == expected


def test_where_the_source_is_the_odd_one_it_is_told_once() -> None:
    findings = check(replace(CORPUS, source=detokenised(SOURCE)))
    assert names(findings) == [("tokens", "source")]
    assert findings[0].message == "it is not tokenised; each other file is tokenised"


def test_empty_lines_are_told_and_nothing_else() -> None:
    findings = checked(SOURCE, [""] * len(SOURCE))
    assert names(findings) == [("empty", "system it")]
    assert checked([""] * 30, [""] * 30)[0].check == "equal"


def test_a_single_byte_order_mark_of_joined_files_is_reported() -> None:
    lines = [*LONG[:500], f"\ufeff{LONG[500]}", *LONG[501:]]
    [finding] = [finding for finding in checked(LONG, lines) if finding.check == "artefact"]
    message = f"1 of its {len(LONG)} lines begins with a byte order mark (first line 501)"
    assert (finding.file, finding.message) == ("system it", message)
    assert [finding.file for finding in checked(lines, LONG) if finding.check == "artefact"] == ["source"]


@pytest.mark.parametrize(("number", "is_reported"), [(2, False), (3, True), (30, True)])
def test_empty_lines_of_all_files_are_sentences_that_are_reported(number: int, is_reported: bool) -> None:
    lines = [line for n, line in enumerate(SOURCE) for line in ([line, ""] if n < number else [line])]
    findings = [finding for finding in checked(lines, lines) if finding.check == "blank_source"]
    message = f"source: {number} of its {len(lines)} lines are empty"
    assert [str(finding).partition(" (hint")[0] for finding in findings] == ([message] if is_reported else [])
    assert "blank_source" not in {check for check, _ in names(checked([*LONG, "", "", ""], [*LONG, "", "", ""]))}


def test_quotes_and_accents_on_one_side() -> None:
    quoted = [f"{line} It 's ' so ' ." for line in SOURCE]
    assert names(checked(quoted, curly(quoted))) == [("quotes", "system it")]
    accented = [f"{line} Žluťoučký kůň ." for line in SOURCE]
    assert names(checked(accented, decomposed(accented))) == [("unicode", "system it")]
    assert names(checked(decomposed(accented), accented[1:] + accented[:1])) == [("unicode", "system it")]


def test_roles_that_are_swapped() -> None:
    wrong = [line.replace("the", "teh").replace("and", "adn") for line in SOURCE * 3]
    assert names(checked(SOURCE * 3, wrong)) == [("swapped", "system it")]
    assert names(check(Corpus(SOURCE * 3, [wrong], {"it": REFERENCES[0] * 3}))) == [("swapped", "reference 0")]
    assert check(Corpus(wrong, [SOURCE * 3], {"it": REFERENCES[0] * 3})) == []
    assert checked(wrong, SOURCE * 3) == []
    german = [f"Das ist aber {line.replace('e', 'ö')}" for line in SOURCE]
    assert [finding.check for finding in check(Corpus(german, (), {"it": [*german[:-1], "x y z ."]}))] == []


def test_a_system_that_is_another_file() -> None:
    spaced = [f"{line.replace(' ', chr(0xA0))} " for line in SOURCE]
    findings = check(Corpus(SOURCE, REFERENCES, {"a": spaced, "b": REFERENCES[1], "c": SYSTEMS["eager"]}))
    assert names(findings) == [("equal", "system a"), ("equal", "system b")]
    assert findings[1].message == "it is equal to the reference 1, line by line"


def test_few_lines_are_not_judged() -> None:
    assert check(Corpus(SOURCE[:19], (), {"it": OTHER[:19], "same": SOURCE[:19]}), METRICS) == []
    assert names(check(Corpus(SOURCE[:20], (), {"it": OTHER[:20]}), METRICS)) == [("overlap", "system it")]


def test_a_reference_may_be_missing() -> None:
    first = [line if s % 2 else None for s, line in enumerate(REFERENCES[0])]
    assert check(Corpus(SOURCE, [first, REFERENCES[1]], SYSTEMS)) == []
    moved = shifted([line or "" for line in REFERENCES[0]], 1)
    first = [line if s % 2 else None for s, line in enumerate(moved)]
    assert names(check(Corpus(SOURCE, [first, REFERENCES[1]], SYSTEMS))) == [("overlap", "reference 0")]


def test_a_language_that_the_annotator_cannot_read() -> None:
    german = ["Das ist noch ein ganz anderer Satz , der nicht englisch aussieht ."] * 30
    corpus = Corpus(
        german,
        [[f"{line} ." for line in german]],
        {"it": [f"{'Ja' if n % 2 else 'So'} {line}" for n, line in enumerate(german)]},
    )
    assert names(check(corpus, METRICS)) == [("english", "source")]
    assert check(corpus, [Green()]) == []
    assert names(check(corpus, [FalseAlarms(per="words")])) == [("english", "source")]
    assert check(corpus, [FalseAlarms(per="words", annotator="de"), FalseAlarms()]) == []


GOLD = [m2.Block(line, (m2.Edit(0, 1, "Nn", ("x",)),)) for line in SOURCE]


def test_english_with_foreign_names_is_english() -> None:
    source = [f"{line} Москва" if number % 4 == 0 else line for number, line in enumerate(SOURCE)]
    assert checked(source, [line.replace(" a ", " the ") for line in source]) == []


def test_gold_of_another_kind() -> None:
    corpus = Corpus(SOURCE, (), SYSTEMS, GOLD)
    assert names(check(corpus, [Errant(), MaxMatch()])) == [("types", "gold")]
    assert check(corpus, [MaxMatch(), Green()]) == []
    typed = [replace(block, edits=(replace(block.edits[0], type="R:NOUN"),)) for block in GOLD]
    assert check(replace(corpus, gold=typed), [Errant()]) == []
    assert check(Corpus(SOURCE, (), {"it": GOLD}, GOLD), [Errant()]) == []  # nothing is found in text


def test_gold_edits_and_references_are_both_reported(snapshot: SnapshotAssertion) -> None:
    corpus = Corpus(SOURCE, REFERENCES, SYSTEMS, GOLD)
    assert list(map(str, check(corpus, [Gleu(), Green(), MaxMatch()]))) == snapshot
    assert list(map(str, check(corpus, [Green()]))) == snapshot
    assert check(Corpus(SOURCE, (), SYSTEMS, GOLD).with_texts(), [Green()]) == []


@settings(max_examples=examples(40))
@given(st.integers(1, 400), st.sampled_from(sorted(DAMAGES)))
def test_parts_of_any_size_give_the_same(size: int, name: str) -> None:
    long = [f"{line} {n}" for n, line in enumerate(SOURCE * 20)]
    system = [f"{line} {n}" for n, line in enumerate(SYSTEMS["noisy"] * 20)]
    source, system = dict(damaged(long, system, OTHER * 20)).get(name, (long, system))
    corpus = Corpus(list(source), (), {"it": list(system)})
    checks = Checks(corpus)
    for part in corpus.parts(size):
        checks.add(part)
    assert checks.end() == check(corpus)
    checks.add(corpus)  # a second pass
    assert checks.end() == check(corpus)


def test_what_the_first_lines_tell_is_told_before_the_others_are_read() -> None:
    long = SOURCE * 20
    corpus = Corpus(long, (), {"it": shifted(long, 1)})
    checks = Checks(corpus)
    parts = corpus.parts(100)
    for _ in range(3):
        assert checks.findings == []
        checks.add(next(parts))
    assert names(checks.findings) == [("overlap", "system it")]


def test_evaluate_warns_once_a_file() -> None:
    corpus = Corpus(SOURCE, REFERENCES, {"it": shifted(SYSTEMS["careful"], 2), "same": SOURCE})
    with pytest.warns(GecevalWarning) as caught:
        results = geceval.evaluate(corpus, [Green(), geceval.Cleme()])
    warned = [warning.message for warning in caught if isinstance(warning.message, GecevalWarning)]
    assert [(warning.check, warning.file) for warning in warned] == [("overlap", "system it"), ("equal", "system same")]
    assert str(warned[0]) == f"system it: {warned[0].message} (hint: {warned[0].hint})"
    assert warned[0].to_dict() == {
        "check": "overlap", "file": "system it", "message": warned[0].message, "hint": str(HINTS["overlap"])
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent = geceval.evaluate(corpus, [Green(), geceval.Cleme()], checks=False)
        geceval.evaluate_groups(corpus, [Green()], geceval.BySentence(length_bands), checks=False)
        Green().corpus_score(SOURCE, OTHER, REFERENCES)
    assert silent["it"][0].score() == results["it"][0].score()
    unrelated_corpus = Corpus(SOURCE, REFERENCES, {"it": OTHER})
    with pytest.warns(GecevalWarning, match="share few tokens"):
        geceval.evaluate_groups(unrelated_corpus, [Green()], geceval.BySentence(length_bands))


def test_findings_are_plain() -> None:
    finding = Finding("equal", "system it", "it is equal to the source, line by line")
    assert pickle.loads(pickle.dumps(finding)) == finding
    assert (finding.hint, "\n" in str(finding)) == (HINTS["equal"], False)


def test_unrelated_lines_are_of_the_same_length() -> None:
    from support.damage import Parallel

    first, second = (Parallel("en", lines, {}, {}) for lines in (SOURCE, OTHER[:25]))
    assert len(unrelated(first, [first, second])) == len(SOURCE)
    assert unrelated(first, [first]) == []


CHINESE = ["因为在冰箱里没什么东西也做很好吃的菜。", "这样我们在生活当中没有了跟男生接触的机会 OK 。"] * 20
THAI = ["ผมรักภาษาไทยมากและผมอยากเรียนให้เก่ง", "วันนี้ฉันไปโรงเรียน กับเพื่อน"] * 20


@pytest.mark.parametrize("source", [CHINESE, THAI])
def test_words_in_lines_without_blanks_are_told(source: list[str]) -> None:
    corpus = Corpus(source, (), {"it": [f"{line}{'啊' if n % 2 else '吗'}" for n, line in enumerate(source)]})
    findings = check(corpus, [Green(), Gleu(unit="char"), Errant(annotator="zh")])
    assert [(finding.check, finding.file, finding.message) for finding in findings] == [
        ("blanks", "source", "it has no spaces between words, but GREEN, ERRANT count words")
    ]
    assert check(corpus, [Green(unit="char"), Gleu(unit="grapheme")]) == []


@pytest.mark.parametrize("source", [[" ".join(line) for line in CHINESE], ["나는 학교에 갔어요"] * 60, SOURCE * 4])
def test_text_in_tokens_is_not(source: list[str]) -> None:
    findings = check(Corpus(source, (), {"it": [f"{line} x" for line in source]}), [Green(), Errant(annotator="zh")])
    assert "blanks" not in {finding.check for finding in findings}


# --- checks of all lines of a system and the account of its outputs ---


LEARNER_LINES = [
    f"The {n} cats of John likes to plays in the garden , and they sleeps at the night ." for n in range(60)
]
EDITED_LINES = [line.replace("sleeps at the", "sleep at") for line in LEARNER_LINES]


def found_in(system: list[str], source: list[str] = LEARNER_LINES) -> dict[str, Finding]:
    return {finding.check: finding for finding in check(Corpus(source, (), {"it": system}))}


@pytest.mark.parametrize("name", LINE_DAMAGES)
def test_damage_of_a_tenth_of_the_lines_is_found_with_its_lines(name: str) -> None:
    damage = LINE_DAMAGES[name]
    system, seen = with_damaged_lines(LEARNER_LINES, EDITED_LINES, damage, 10)
    assert seen == [6, 16, 26, 36, 46, 56]
    findings = found_in(system)
    assert {damage.check, "outputs"} <= set(findings)
    assert findings[damage.check].message.startswith("6 of its 60 lines ")
    assert findings[damage.check].message.endswith(" (lines 6, 16, 26, ...)")


@pytest.mark.parametrize("name", LINE_DAMAGES)
def test_what_the_source_has_too_is_no_damage(name: str) -> None:
    damage = LINE_DAMAGES[name]
    source, system = ([damage.do(line) for line in lines] for lines in (LEARNER_LINES, EDITED_LINES))
    findings = found_in(system, source)
    assert damage.check not in findings or findings[damage.check].file == "source"


def test_three_lines_are_in_the_account_only() -> None:
    label = "Corrected: "
    lines = [label + line for line in EDITED_LINES[: Limits.odd]] + EDITED_LINES[Limits.odd :]
    assert found_in(lines) == {}
    assert "chatter" in found_in([label + line for line in EDITED_LINES[: Limits.odd + 1]] + lines[Limits.odd + 1 :])
    corpus = Corpus(LEARNER_LINES, [EDITED_LINES], {"it": lines})
    [result] = geceval.evaluate(corpus, [Green()])["it"]
    assert result.outputs is not None
    assert result.outputs.to_dict() == {
        "lines": 60, "empty": 0, "equal": 0, "refusals": 0, "no_change": 0, "suspicious": 3, "cleaned": 0
    }  # fmt: skip
    again = pickle.loads(pickle.dumps(result))
    assert again.outputs.to_dict() == result.outputs.to_dict()
    [unchecked] = geceval.evaluate(corpus, [Green()], checks=False)["it"]
    assert unchecked.outputs is None


REFUSAL = "I'm sorry, but I cannot do that"


@pytest.mark.parametrize(
    ("check", "line", "lines", "least"),
    [("refusals", REFUSAL, 60, 1), ("refusals", REFUSAL, 5, 1), ("blank", "", 60, 2), ("blank", "", 5, 1)],
)
def test_lines_that_are_no_correction_are_reported_from_the_first_or_second(
    check: str, line: str, lines: int, least: int
) -> None:
    def told(number: int) -> set[str]:
        system = [line] * number + EDITED_LINES[number:lines]
        return {finding.check for finding in geceval.check(Corpus(LEARNER_LINES[:lines], (), {"it": system}))}

    assert check not in told(least - 1)
    assert check in told(least)


LINES = st.sampled_from(
    ["", "A cat .", "a cat .", "A CAT IS A CAT .", "Corrected: A cat .", "**A cat .**", "I'm sorry , no", "A cat."]
)


@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=60), st.integers(1, 60))
def test_an_account_of_parts_is_that_of_the_whole(pairs: list[tuple[str, str]], size: int) -> None:
    source, system = ([pair[at] for pair in pairs] for at in (0, 1))
    corpus = Corpus(source, (), {"it": system})
    complete, parts = Checks(corpus), Checks(corpus)
    complete.add(corpus)
    for part in corpus.parts(size):
        parts.add(part)
    account, account_of_parts = (checks.accounts["system it"] for checks in (complete, parts))
    assert (account.to_dict(), account.failed, account.first_lines) == (
        account_of_parts.to_dict(),
        account_of_parts.failed,
        account_of_parts.first_lines,
    )
    assert account.lines == len(pairs)
    assert account.equal == sum(line.split() == output.split() for line, output in pairs)
    assert account.failed["blank"] == sum(bool(line) and not output for line, output in pairs)
    assert sum(account.to_dict().values()) <= 2 * account.lines
    assert all(len(lines) == min(Limits.odd, account.failed[name]) for name, lines in account.first_lines.items())


# --- lines that are empty on one side ---


def emptied(lines: list[str], every: int) -> list[str]:
    """Return lines of which one in ``every`` is empty."""
    return ["" if number % every == 0 else line for number, line in enumerate(lines)]


def deletion(line: str) -> m2.Edit:
    return m2.Edit(0, len(line.split()), "U:OTHER", ("",))


def empty_findings(corpus: Corpus) -> list[tuple[str, str, str]]:
    checks = Checks(corpus, [Green()])
    for part in corpus.parts(7):
        checks.add(part)
    findings = [finding for finding in checks.end() if finding.check in ("blank", "filled")]
    assert findings == [finding for finding in check(corpus, [Green()]) if finding.check in ("blank", "filled")]
    return [(finding.check, finding.file, finding.message) for finding in findings]


def test_empty_lines_of_a_reference_are_reported_from_one_percent_on() -> None:
    corpus = Corpus(LEARNER_LINES, [EDITED_LINES, emptied(EDITED_LINES, 10)], {"it": EDITED_LINES})
    message = "6 of its 60 lines are empty (lines 1, 11, 21, ...)"
    assert empty_findings(corpus) == [("blank", "reference 1", message)]
    [finding] = [finding for finding in check(corpus) if finding.check == "blank"]
    assert "write the sentence" in str(finding.hint)
    one_line = Corpus(LEARNER_LINES, [["", *EDITED_LINES[1:]]], {"it": EDITED_LINES})
    assert empty_findings(one_line) == []
    assert empty_findings(one_line.part(0, 5))[0][2] == "1 of its 5 lines is empty (line 1)"


def test_share_of_empty_lines_is_of_the_sentences_that_have_the_reference() -> None:
    some = [None if number >= 20 else line for number, line in enumerate(emptied(EDITED_LINES, 10))]
    corpus = Corpus(LEARNER_LINES * 5, [EDITED_LINES * 5, [*some, *[None] * 240]], {})
    assert empty_findings(corpus) == [("blank", "reference 1", "2 of its 20 lines are empty (lines 1, 11)")]


def test_annotators_and_systems_in_m2_that_delete_sentences_are_reported() -> None:
    correct = m2.Edit(0, 1, "R:DET", ("A",))
    gold = [
        m2.Block(
            line, (replace(correct, annotator=0), replace(deletion(line) if n % 10 == 0 else correct, annotator=1))
        )
        for n, line in enumerate(LEARNER_LINES)
    ]
    system = [m2.Block(line, (deletion(line),) if n in (3, 4) else ()) for n, line in enumerate(LEARNER_LINES)]
    assert empty_findings(Corpus(LEARNER_LINES, (), {"it": system}, gold)) == [
        ("blank", "gold, annotator 1", "6 of its 60 sentences are empty (sentences 1, 11, 21, ...)"),
        ("blank", "system it", "2 of its 60 sentences are empty (sentences 4, 5)"),
    ]
    deleted = [m2.Block(line, (deletion(line),)) for line in LEARNER_LINES]
    assert empty_findings(Corpus(LEARNER_LINES, (), {"it": EDITED_LINES}, deleted))[0][:2] == ("blank", "gold")
    word_by_word = tuple(m2.Edit(t, t + 1, "U:OTHER", ("",)) for t in range(len(LEARNER_LINES[0].split())))
    blocks = [m2.Block(LEARNER_LINES[0], word_by_word), m2.Block(LEARNER_LINES[0], word_by_word[1:])]
    assert empty_findings(Corpus(LEARNER_LINES[:1] * 2, (), {}, blocks))[0][2].startswith("1 of its 2")


def test_text_next_to_an_empty_line_of_the_source_is_reported_from_the_first_line_on() -> None:
    source = emptied(LEARNER_LINES, 50)
    corpus = Corpus(source, [emptied(EDITED_LINES, 50)], {"it": EDITED_LINES, "other": source})
    message = "2 of its 60 lines contain text, although the source is empty there (lines 1, 51)"
    assert empty_findings(corpus) == [("filled", "system it", message)]
    assert empty_findings(Corpus(source, [EDITED_LINES], {}))[0][1] == "reference 0"
    inserted = [m2.Block(line, () if line else (m2.Edit(0, 0, "M:OTHER", ("Cats sleep",)),)) for line in source]
    assert empty_findings(Corpus(source, (), {"it": inserted}))[0][:2] == ("filled", "system it")


def test_missing_references_of_a_data_frame_are_reported() -> None:
    table = {"learner": LEARNER_LINES, "first": EDITED_LINES, "second": emptied(EDITED_LINES, 10), "it": EDITED_LINES}
    with pytest.raises(InputError, match="column second: 6 of 60 rows are empty next to a sentence"):
        Corpus.of(table, ["first", "second"], source="learner", hypothesis="it")
    corpus = Corpus.of(table, ["first", "second"], source="learner", hypothesis="it", blank="missing")
    assert [*corpus.references[1]].count(None) == 6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Corpus.of(table, "first", source="learner", hypothesis="it")


def test_all_files_raw_matters_to_metrics_that_count_words() -> None:
    corpus = Corpus(detokenised(LEARNER_LINES), [detokenised(EDITED_LINES)], {"it": detokenised(EDITED_LINES)})
    [finding] = [candidate for candidate in check(corpus, [Green()]) if candidate.check == "raw"]
    assert str(finding).startswith("source: it is not tokenised, nor are the other files, but GREEN counts words")
    assert "raw" not in {candidate.check for candidate in check(corpus, [Green(unit="char")])}
    assert "raw" not in {candidate.check for candidate in check(corpus)}


def test_some_lines_of_all_files_raw() -> None:
    source, system = ([*detokenised(lines[:5]), *lines[5:]] for lines in (LEARNER_LINES, EDITED_LINES))
    findings = check(Corpus(source, [system], {"it": system}))
    assert [(finding.check, finding.file) for finding in findings] == [("equal", "system it"), ("raw", "source")]
    assert findings[1].message == "5 of its 60 lines are not tokenised (lines 1, 2, 3, ...)"


def test_each_mark_of_the_kernel_has_a_check_of_lines() -> None:
    assert tuple(name for name, row in CHECKS.items() if "most" in row.thresholds) == LINE_MARKS
    with pytest.raises(KeyError):
        mark_bits("chatter", "applause")


def test_an_account_counts_each_mark() -> None:
    assert len(LINE_CHECKS) == 15
    account = OutputAccount()
    account.add(0, [(at, 1 << at) for at in range(len(LINE_CHECKS))], 15)
    assert account.to_dict() == {
        "lines": 15, "empty": 1, "equal": 0, "refusals": 1, "no_change": 1, "suspicious": 12, "cleaned": 0
    }  # fmt: skip
    assert account.failed == dict.fromkeys((line_check.name for line_check in LINE_CHECKS), 1)


@pytest.mark.parametrize("remark", ["s.o.", "ok", "OK .", "?", "-", "siehe oben", "✓", "同上"])
@pytest.mark.parametrize("role", ["system it", "reference 0"])
def test_a_remark_in_place_of_a_correction_is_named_with_its_line(remark: str, role: str) -> None:
    texts = [*EDITED_LINES[:16], remark, *EDITED_LINES[17:]]
    corpus = Corpus(
        LEARNER_LINES, [texts] if role == "reference 0" else (), {} if role == "reference 0" else {"it": texts}
    )
    [finding] = [finding for finding in check(corpus) if finding.check == "remarks"]
    message = f"1 of its 60 lines is a remark in place of a correction, such as {remark!r} (line 17)"
    assert (finding.file, finding.message) == (role, message)


#: Answers of language models to a sentence and its correction, with the check that names them.
ANSWERS: dict[str, Callable[[str], str]] = {
    "chatter": lambda line: f"Sure ! Here is the corrected sentence : {line}",
    "explanations": lambda line: f"{line} ( I changed the verb form . )",
    "refusals": lambda line: "I 'm sorry , but I can not help with that .",
    "reasoning": lambda line: f"<think> They go. </think> {line}",
    "wrapped": lambda line: f'" {line} "',
    "markdown": lambda line: f"**{line}**",
    "unchanged": lambda line: "This sentence is correct .",
    "capitals": str.upper,
    "lowercase": str.lower,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_lines_of_references_are_checked_as_those_of_systems(name: str) -> None:
    texts = [ANSWERS[name](line) if n % 4 == 3 else line for n, line in enumerate(EDITED_LINES)]
    as_reference = check(Corpus(LEARNER_LINES, [texts]))
    as_system = check(Corpus(LEARNER_LINES, (), {"it": texts}))
    messages = {finding.check: finding.message for finding in as_system}
    assert {finding.check: finding.message for finding in as_reference}[name] == messages[name]


def test_lines_that_a_reference_lacks_are_not_checked() -> None:
    texts = [None if n % 4 == 3 else line for n, line in enumerate(EDITED_LINES)]
    assert check(Corpus(LEARNER_LINES, [texts, EDITED_LINES])) == []


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("He go home now .", "He goes ."),
        ("He go home now .", "."),
        ("Yes .", "No !"),
        ("我昨天去学校了。", "去了。"),
        ("", "ok"),
        ("I has a very long sentence .", "A whole other sentence is no remark"),
    ],
)
def test_short_corrections_are_no_remarks(sentence: str, text: str) -> None:
    assert not is_remark(text, sentence)


# --- docs/checks.md has a row for every check ---


PAGE = (Path(__file__).parents[3] / "docs" / "checks.md").read_text(encoding="utf-8")


def test_every_check_is_in_one_row() -> None:
    cells = re.findall(r"^\| (`.*?) \|", PAGE.partition("## Account of outputs")[0], re.MULTILINE)
    names = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(names) == sorted(HINTS)


@pytest.mark.parametrize(
    "sentence",
    [
        f"Files of fewer than {Limits.least} lines",
        f"more than {Limits.unlike:.0%} of the lines share less than half",
        f"of the changed misspelt English words less than {Limits.corrected:.0%} are removed",
        f"examine the first {Limits.leading} lines, then stretches of {Limits.stretch}: one line in {Limits.one_in}",
        f"more than {SEGMENTED_IN['zh']} letters to a token in Chinese and Japanese, {SEGMENTED} in others",
        f"warn if more than {Limits.odd} lines, and more than",
    ],
)
def test_the_page_has_the_thresholds_of_the_code(sentence: str) -> None:
    assert sentence in PAGE.replace("\n", " ").replace(" %", "%")


def test_the_page_has_the_range_of_shares_of_the_checks_of_lines() -> None:
    [(first, last, least, most)] = re.findall(
        r"from `(\w+)` to `(\w+)` compare each line .*? more than ([\d.]+) to ([\d.]+) % of the lines",
        PAGE.replace("\n", " "),
    )
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    names = re.findall(r"`(\w+)`", " ".join(rows))
    names = names[names.index(first) : names.index(last) + 1]
    shares = {line_check.name: 100 * line_check.least for line_check in LINE_CHECKS}
    assert {line_check.name for line_check in LINE_CHECKS} - {*names} == {"raw", "blank", "filled"}
    assert sorted({share for name in names if (share := shares[name])}) == [float(least), 0.5, 1.0, float(most)]


def test_an_account_has_a_row_for_each_number() -> None:
    table = PAGE.partition("## Account of outputs")[2].partition("\n## ")[0]
    account = OutputAccount()
    account.add(0, [], 0, ends=[])
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [*account.to_dict()][1:]


@pytest.mark.parametrize("by_annotator", [False, True])
def test_sentences_that_occur_again_with_other_references_are_reported(by_annotator: bool) -> None:
    rows = [(f"He go {n} .", f"He {verb} {n} .", f"He goes {n} .") for n in range(6) for verb in ("goes", "went")]
    rows = sorted(rows, key=lambda row: "went" in row[1]) if by_annotator else rows
    source, reference, output = (list(column) for column in zip(*rows, strict=True))
    [finding] = [found for found in check(Corpus(source, [reference], {"it": output})) if found.check == "repeated"]
    assert finding.message.startswith("12 of 12 lines have the sentence and the outputs of another one")
    runs = {"it": [f"{text} {number}" for number, text in enumerate(output)]}
    for corpus in (Corpus(source, [output], {"it": output}), Corpus(source, [reference], runs)):
        assert [found for found in check(corpus) if found.check == "repeated"] == []
