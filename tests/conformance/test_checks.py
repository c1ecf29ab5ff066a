"""Every corpus there is and its damaged versions: no false alarm, nothing missed. docs/checks.md has a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from geceval import Corpus, Errant, Green, check, m2
from geceval.counting.checks.check_table import LINE_CHECKS
from geceval.counting.checks.findings import Finding
from geceval.text.artefacts import artefacts_in
from support.damage import DAMAGES, LINE_DAMAGES, Parallel, corpora, damaged, detokenised, unrelated, with_damaged_lines

#: What is equal to its source, and what is empty, by name; it is told so.
EQUAL, EMPTY = "INPUT", "NULL"
#: The reference of MuCGEC has 没有错误 ("no error") in place of sentences without errors, and 无法标注 ("cannot be
#: annotated"); it is told so.
STATED = ("zh mucgec", "ref0")
#: T5-Large has ⁇ in place of characters that its vocabulary lacks; it is told so.
UNKNOWN_WORDS = (("bea19-dev", "T5-Large"), ("bea19-dev/errant/T5-Large.m2", "annotator 0"))
#: Lines of this reference hold two corrections with a tab between them; it is told so.
TABS = ("cs", "ref0")
#: It has quotes of the Penn Treebank where the source has ASCII's; it is told so.
PENN = ("jfleg-dev", "spellchecked")
#: Random edits, one of which inserts words into an empty sentence, and some repeat sentences; it is told so.
FILLED = ("fuzz/gold.m2", "fuzz/hyp.m2")
#: Languages without blanks: lines have too few tokens to be compared.
UNSPACED = ("zh",)
#: Languages whose texts are not tokenised.
RAW = ("cs", "ko")


@cache
def everything(shared: Path) -> dict[str, Parallel]:
    return corpora(shared / "data")


def pairs(shared: Path) -> Iterator[tuple[str, str, Parallel, list[str]]]:
    for name, corpus in everything(shared).items():
        for system, text in corpus.texts:
            yield name, system, corpus, text


@cache
def distinct_pairs(shared: Path) -> list[tuple[str, str, Parallel, list[str]]]:
    """Return the pairs without those that equal an earlier one: systems that are text and M2, the sets of SEEDA."""
    by_text = {(tuple(pair[2].source), tuple(pair[3])): pair for pair in reversed(list(pairs(shared)))}
    return list(by_text.values())[::-1]


def third_of(shared: Path, case: int) -> list[tuple[str, str, Parallel, list[str]]]:
    """Return the first distinct pair of each corpus and every third of all, other ones for the next case."""
    all_pairs = distinct_pairs(shared)
    return [pair for at, pair in enumerate(all_pairs) if at % 3 == case % 3 or pair[0] != all_pairs[at - 1][0]]


def told(source: list[str], system: list[str]) -> list[Finding]:
    return check(Corpus(source, (), {"it": system}))


def windows(source: list[str], system: list[str], size: int) -> Iterator[tuple[list[str], list[str]]]:
    for start in range(0, len(source) - size + 1, size):
        yield source[start : start + size], system[start : start + size]


def test_no_false_alarm(shared: Path) -> None:
    seen = 0
    for name, system, corpus, text in pairs(shared):
        expected = {"equal"} if text == corpus.source else {"empty"} if system == EMPTY else set()
        expected |= {"unchanged", "remarks", "outputs"} if (name, system) == STATED else set()
        expected |= {"artefact"} if (name, system) == TABS else set()
        expected |= {"letters"} if (name, system) == PENN else set()
        expected |= {"filled", "outputs", "several"} if name in FILLED else set()
        assert {finding.check for finding in told(corpus.source, text)} <= expected, (name, system)
        seen += 1
    assert seen >= 104


def test_no_false_alarm_in_whole_runs(shared: Path) -> None:
    for name, corpus in everything(shared).items():
        systems = {system: text for system, text in corpus.systems.items() if system not in (EMPTY, EQUAL)}
        findings = check(Corpus(corpus.source, list(corpus.references.values()), systems))
        findings = [finding for finding in findings if (finding.check, name) != ("artefact", TABS[0])]
        findings = [finding for finding in findings if (finding.check, name) != ("letters", PENN[0])]
        stated = ("unchanged", "remarks")
        findings = [finding for finding in findings if name != STATED[0] or finding.check not in stated]
        filled = ("filled", "outputs", "several")
        findings = [finding for finding in findings if name not in FILLED or finding.check not in filled]
        allowed = [finding for finding in findings if finding.check == "equal"]  # JFLEG's system ref0 is reference 0
        assert findings == allowed, name
        assert not allowed or name in ("jfleg-dev", "conll14-errant/INPUT.m2"), findings


@pytest.mark.parametrize("size", [20, 100])
def test_false_alarms_in_windows(shared: Path, size: int) -> None:
    """A window that a system leaves as it is is equal to it, and two sentences that an annotator removes are empty
    lines; all else would be wrong. Not those of Czech: in one file lines hold two corrections with a tab between them,
    and annotators change quotes."""
    alarms = Counter[str]()
    number = 0
    for name, system, corpus, text in pairs(shared):
        if system != EMPTY and corpus.language != "cs" and (name, system) not in (STATED, PENN, *UNKNOWN_WORDS):
            for window in windows(corpus.source, text, size):
                number += 1
                expected = {"blank", "outputs"} if window[1].count("") > 1 else {"equal"}
                expected |= {"filled", "outputs", "several"} if name in FILLED else set()
                alarms.update({finding.check for finding in told(*window)} - expected)
    assert number > 1000
    assert sum(alarms.values()) == 0, alarms


@pytest.mark.parametrize("size", [2, 3, 7, 19])
def test_tokens_of_short_windows_raise_no_false_alarm(shared: Path, size: int) -> None:
    """Every tenth window of tokenised corpora."""
    alarms, number = Counter[str](), 0
    for _, _, corpus, text in distinct_pairs(shared):
        if corpus.language not in (*RAW, *UNSPACED):
            for source, system in list(windows(corpus.source, text, size))[::10]:
                number += 1
                findings = check(Corpus(source, (), {"it": system}), [Green()])
                alarms.update(finding.check for finding in findings if finding.check in ("tokens", "raw", "blanks"))
    assert number > 500
    assert not alarms


@cache
def others(shared: Path, name: str) -> list[str]:
    corpus = everything(shared)[name]
    return unrelated(corpus, everything(shared).values())


def is_seen(name: str, system: str, corpus: Parallel) -> bool:
    """Whether a check can see such damage in such a text."""
    check = DAMAGES[name].check
    if check == "overlap":
        return corpus.language not in UNSPACED and system != EMPTY
    return corpus.language == "en" and system != EMPTY if check == "swapped" else True


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found(shared: Path, name: str) -> None:
    """Damage of the overlap, of nine kinds, is tried on a third of the texts each."""
    number, damage = 0, DAMAGES[name]
    case = list(DAMAGES).index(name)
    for where, system, corpus, text in third_of(shared, case) if damage.check == "overlap" else distinct_pairs(shared):
        if not is_seen(name, system, corpus) or (where, system) == TABS:
            continue
        unrelated = others(shared, where) if name == "another corpus" else []
        for _, version in damaged(corpus.source, text, unrelated, [name]):
            by_check = {finding.check: finding for finding in told(*map(list, version))}
            assert damage.check in by_check, (where, system, by_check)
            if damage.shift:
                assert f"shifted by {damage.shift:+d}:" in by_check["overlap"].message, (where, system)
            number += 1
    assert number >= 20


@pytest.mark.parametrize("name", LINE_DAMAGES)
@pytest.mark.parametrize("step", [1, 20])
def test_damaged_lines_are_found(shared: Path, name: str, step: int) -> None:
    """All lines, and 5 % of them; in the first thousand lines of a third of the texts, so that it takes seconds."""
    damage, number = LINE_DAMAGES[name], 0
    [limits] = [limits for limits in LINE_CHECKS if limits.name == damage.check]
    for where, system_name, corpus, text in third_of(shared, list(LINE_DAMAGES).index(name) + step):
        source, system = corpus.source[:1000], text[:1000]
        lines, seen = with_damaged_lines(source, system, damage, step)
        if system_name == EMPTY or not max(3, limits.least * len(lines)) < 0.85 * len(seen) <= limits.most * len(lines):
            continue
        by_check = {finding.check: finding for finding in told(source, lines)}
        assert damage.check in by_check, (where, system_name, by_check)
        assert "outputs" in by_check
        listed = by_check[damage.check].message.partition("(lines ")[2].rstrip(")").split(", ")[:3]
        assert step == 1 or set(map(int, listed)) & set(seen), (where, system_name, listed)
        number += 1
    assert number >= 20 or limits.most < step == 1


#: Forms of lines ({}, and # for their numbers) and of words.
ARTEFACTS = {
    "end": "{} </s>",
    "number": "#. {}",
    "prompt": "gec= {}",
    "subwords": lambda word: f"{word[:2]}@@ {word[2:]}",
    "entities": lambda word: f"&lt; {word}",
    "invisible": lambda word: f"{word}\u200b",
    "special": lambda word: "<unk>",
}


@pytest.mark.parametrize("name", ARTEFACTS)
def test_artefacts_are_found(shared: Path, name: str) -> None:
    """Artefacts of all lines, or of a word in every tenth line, of a kind that the source lacks."""
    number, form = 0, ARTEFACTS[name]
    for where, system, corpus, text in third_of(shared, list(ARTEFACTS).index(name)):
        in_source = {kind.name for line in corpus.source for kind, _ in artefacts_in(line)}
        if system == EMPTY or name in in_source:
            continue
        if isinstance(form, str):
            lines = [form.replace("{}", line).replace("#", str(at)) for at, line in enumerate(text)]
        else:
            words = ((at, line.rpartition(" ")) for at, line in enumerate(text))
            lines = ["".join([*parts[:2], form(parts[2])]) if at % 10 == 0 else "".join(parts) for at, parts in words]
        assert {"affix", "artefact"} & {finding.check for finding in told(corpus.source, lines)}, (where, system)
        number += 1
    assert number >= 20


def test_raw_corpora_are_found(shared: Path) -> None:
    """Corpora of which all texts are raw, and no others; the same tokenised corpora when all texts are raw."""
    for name, corpus in everything(shared).items():
        system = next(text for system_name, text in corpus.texts if system_name != EMPTY)
        findings = check(Corpus(corpus.source, [system], {"it": system}), [Green()])
        assert ("raw" in {finding.check for finding in findings}) == (name in RAW), name
        if corpus.language == "en" and name.startswith(("conll14", "bea19", "jfleg")):
            texts = [detokenised(corpus.source), detokenised(system)]
            [finding] = [
                finding
                for finding in check(Corpus(texts[0], [texts[1]], {"it": texts[1]}), [Errant(), Green()])
                if finding.check == "raw"
            ]
            assert (finding.file, "ERRANT, GREEN count words" in finding.message) == ("source", True)
            assert "raw" not in {
                finding.check for finding in check(Corpus(texts[0], [texts[1]], {}), [Green(unit="char")])
            }


def test_languages(shared: Path) -> None:
    for name, corpus in everything(shared).items():
        findings = check(Corpus(corpus.source, (), {"it": [f"{line} x" for line in corpus.source]}), [Errant()])
        foreign = any(finding.check == "english" for finding in findings)
        assert foreign == (corpus.language != "en" and len(corpus.source) >= 20), name


@pytest.mark.filterwarnings("ignore:.*dropped.*do not fit their sentence:geceval.GecevalWarning")
def test_types_of_gold(shared: Path) -> None:
    """Those of the official annotation are told, and none that ERRANT made."""
    official = {"conll14/gold.m2", "jfleg-dev/gold.m2"}
    for path in sorted((shared / "data").glob("*/*.m2")):
        blocks = m2.Blocks.parse(path.read_bytes(), str(path), shared=True)
        corpus = Corpus(blocks.source, (), {"it": blocks.source}, blocks, overlaps=None, misfits=None)
        is_found = any(finding.check == "types" for finding in check(corpus, [Errant()]))
        assert is_found == (str(path.relative_to(shared / "data")) in official), path


def test_lines_without_blanks(shared: Path) -> None:
    """Chinese as it is written, and nothing else: no other source, nor Chinese by characters or words."""

    def is_told(source: list[str]) -> bool:
        return "blanks" in {finding.check for finding in check(Corpus(source, (), {}), [Green()])}

    spaced = [corpus.source for corpus in everything(shared).values() if corpus.language not in UNSPACED]
    assert len(spaced) >= 40
    assert not any(map(is_told, spaced))
    paths = sorted((shared / "data" / "languages" / "zh").glob("[!f]*/ref.*.m2"))
    chinese = [[str(line) for line in m2.Blocks.read(path, dialect=None).source] for path in paths]
    assert len(chinese) == 5
    for source in chinese:
        assert not is_told(source)
        assert not any(is_told(source[start : start + 2]) for start in range(0, len(source), 20))
        assert is_told(["".join(line.split()) for line in source])
