"""Artefacts of one file are named, with a step that removes them; corrections are no artefacts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geceval import Corpus, check
from geceval.base.hints import command_words
from geceval.counting.checks import one_sided_artefacts
from geceval.counting.checks.findings import Finding
from geceval.counting.checks.text_checks import CLEAN_REFERENCES
from geceval.text.artefacts import joined_subwords
from support.commands import Run
from support.effort import examples
from support.written_files import write

NAMES = "Ann Bo Cleo Dan Eve Finn Gus Hal Ida Jo Kai Lea".split()
SOURCE = [f"Yesterday {name} go to the {place} with two friend ." for name in NAMES for place in ("park", "sea")]
CLEAN = [line.replace("go to", "went to").replace("friend", "friends") for line in SOURCE]

Damage = Callable[[int, str], str]
#: Damage of lines, a part of the warning, and the option that removes it (none: no option does).
ARTEFACTS: dict[str, tuple[Damage, str, str]] = {
    "end of sentence": (lambda n, line: f"{line} </s>", 'end with " </s>"', "--clean llm"),
    "end without a blank": (lambda n, line: f"{line}<|im_end|>", 'end with "<|im_end|>"', "--clean llm"),
    "numbers": (lambda n, line: f"{n}. {line}", 'begin with "0. ", with other digits', "--clean llm"),
    "prompt": (lambda n, line: f"gec# {line}", 'begin with "gec# "', "--clean FILE.toml"),
    "quoted prompt": (lambda n, line: f"it's #{n}: {line}", 'begin with "it\'s #0: "', "--clean llm"),
    "score at the end": (lambda n, line: f"{line} ||| {n}.5", 'end with " ||| 0.5"', "--clean FILE.toml"),
    "JSON": (lambda n, line: f'{{"text": "{line}"}}', 'begin with "{"text": ""', "--clean llm"),
    "list": (lambda n, line: str(line.split()), 'begin with "[\'"', "--clean llm"),
    "zero-width space": (lambda n, line: line.replace("the", "the\u200b"), '"theU+200B"', "--normalise whitespace"),
    "soft hyphen": (
        lambda n, line: line.replace("friends", "fri\u00adends"),
        "invisible char",
        "--normalise whitespace",
    ),
    "word joiner": (lambda n, line: f"\u2060{line}", 'begin with "U+2060"', "--normalise whitespace"),
    "BPE": (lambda n, line: line.replace("friends", "fri@@ ends"), 'subword marks such as "fri@@"', "--clean subwords"),
    "WordPiece": (lambda n, line: line.replace("friends", "fri ##ends"), '"##ends"', "--clean subwords"),
    "SentencePiece": (lambda n, line: re.sub("(^| )", r"\1▁", line), 'begin with "▁"', "--clean subwords"),
    "byte-level BPE": (lambda n, line: line.replace(" ", " Ġ"), 'subword marks such as "Ġ', "--clean subwords"),
    "bytes": (lambda n, line: line.replace("two", "<0x74>wo"), '"<0x74>wo"', "--clean subwords"),
    "error codes": (lambda n, line: line.replace("two", "[to]{two}<ga:fm>"), "marked corrections", r"/\1/g"),
    "entities": (lambda n, line: line.replace("two", "tw&#111;"), '"tw&#111;"', "--clean entities"),
    "entities in tokens": (lambda n, line: line.replace("two", "two & quot ;"), "HTML entities", "--clean entities"),
    "escapes": (lambda n, line: line.replace("two", "tw\\u006f"), "escape sequences", "--clean escapes"),
    "unknown words": (lambda n, line: line.replace("friends", "<unk>"), '"<unk>"', ""),
    "sentinels": (lambda n, line: f"<pad> {line}", 'begin with "<pad> "', "--clean llm"),
    "deletions of M2": (lambda n, line: line.replace("two", "-NONE-"), "marks of M2 (", "geceval m2 apply FILE"),
    "alternatives of M2": (lambda n, line: line.replace("two", "two||2"), '"two||2"', "geceval m2 apply FILE"),
    "controls": (lambda n, line: line.replace("two", "two \x96 three"), "CP1252", ""),
    "lost characters": (lambda n, line: line.replace("sea", "s\ufffda"), "replacement characters", ""),
    "misread": (lambda n, line: line.replace("two", "twoâ€™s"), "iconv -f UTF-8 -t CP1252", ""),
    "special tokens": (lambda n, line: f"[CLS] {line} [SEP]", 'begin with "[CLS] "', "--clean llm"),
    "tags": (lambda n, line: f"<corr n='{n}'>{line}</corr>", "begin with \"<corr n='0'>\"", "--clean llm"),
    "struck out": (
        lambda n, line: line.replace("two", "~~to~~ two"),
        'struck-out words such as "~~to~~"',
        "--clean llm",
    ),
    "deleted": (lambda n, line: line.replace("two", "<del>to</del> two"), "struck-out words", "--clean llm"),
    "dashes": (lambda n, line: f"- {line}", 'begin with "- "', "--clean FILE.toml"),
    "addresses": (lambda n, line: line.replace(" ", "%20"), "escape sequences", "--clean escapes"),
    "columns": (lambda n, line: f"{line} x\t{line}", "contain tabs", "cut -f N"),
    "full width": (lambda n, line: line.replace("two", "two！"), 'such as "！"', "--normalise nfkc"),
    "joined words": (lambda n, line: line.replace(" ", "_"), "contain tokens", "FILE.toml"),
    "tokens": (lambda n, line: line.replace("two", "{{two}}"), 'tokens such as "{{two}}"', "FILE.toml"),
    "symbols": (lambda n, line: line.replace("two", "two ♠"), 'tokens such as "♠"', "FILE.toml"),
    "arrows": (lambda n, line: line.replace("went", "go → went"), 'tokens such as "→"', "FILE.toml"),
    "slashes": (lambda n, line: line.replace("went", "go/went"), 'tokens such as "go/went"', "FILE.toml"),
    "parentheses": (lambda n, line: line.replace("went", "go (went)"), 'tokens such as "(went)"', "FILE.toml"),
}
ARTEFACTS["numbers and tabs"] = (
    lambda n, line: f"N-{n}\t-0.{n}\t{line}",
    'begin with "N-0U+0009-0.0U+0009", with other digits',
    "--clean FILE.toml",
)


#: Artefacts that replace text of the correction or add some.
NOT_RESTORED = ("entities in tokens", "full width")


def artefacts(source: list[str], system: list[str], references: tuple[list[str], ...] = ()) -> list[Finding]:
    findings = check(Corpus(source, references, {"it": system}))
    return [finding for finding in findings if finding.check in ("affix", "artefact")]


@pytest.mark.parametrize("name", ARTEFACTS)
def test_artefact_is_named_with_its_lines_and_step(name: str) -> None:
    damage, message, step = ARTEFACTS[name]
    damaged = [damage(n, line) for n, line in enumerate(CLEAN)]
    finding = artefacts(SOURCE, damaged, (CLEAN,))[0]
    number = sum(map(str.__ne__, CLEAN, damaged))
    assert re.fullmatch(f"{number} of its 24 lines .*; no line of the source does", finding.message)
    assert message in str(finding)
    assert step in command_words(finding.hint)
    advice = ("overlap", "swapped", "tokens", "quotes")
    assert not [other for other in check(Corpus(SOURCE, (CLEAN,), {"it": damaged})) if other.check in advice]


@pytest.mark.parametrize(
    "name", [name for name, (_, _, step) in ARTEFACTS.items() if step.startswith("--") and name not in NOT_RESTORED]
)
def test_hint_of_an_artefact_restores_the_score(name: str, run: Run, tmp_path: Path) -> None:
    files = {"source": SOURCE, "ref": CLEAN, "it": [ARTEFACTS[name][0](n, line) for n, line in enumerate(CLEAN)]}
    for file, lines in files.items():
        write(tmp_path / f"{file}.txt", "".join(f"{line}\n" for line in lines))
    words = ["score", "-s", tmp_path / "source.txt", "-r", tmp_path / "ref.txt", "-c", tmp_path / "it.txt"]
    words += ["-m", "green", "-f", "csv"]
    before = run(*words)
    assert before.out != "system,GREEN\nit,100.00\n"
    hints = re.findall(r"does \(hint: (--[a-z]+ \S+) removes it(?: if FILE.toml is: (.*))?\)", before.err)
    options = []
    for number, (option, table) in enumerate(dict(hints).items()):
        file = write(tmp_path / f"{number}.toml", table)
        options += option.replace("FILE.toml", str(file)).split()
    after = run(*words, *options)
    assert after.out == "system,GREEN\nit,100.00\n", (before.err, after.err)


def test_lines_with_numbers_in_another_order_are_sorted() -> None:
    for name in ("", "s", "sent_", "utt-"):
        numbered = [f"{name}{n}\t{line}" for n, line in enumerate(CLEAN)]
        for lines, step in ((numbered, "--clean FILE.toml"), (numbered[::-1], "sort -V FILE | cut -f 2- > SORTED")):
            assert step in command_words(artefacts(SOURCE, lines, (CLEAN,))[0].hint)


#: As redlines writes it.
STRUCK = "<span style='color:red;text-decoration:line-through;'>go </span><span style='color:green;'>went</span>"


@pytest.mark.parametrize("marked", ["~~go~~ went", "~ ~ go ~ ~ went", "<del>go</del> went", STRUCK])
def test_struck_out_words_of_references_are_named_with_a_step(marked: str) -> None:
    reference = [line.replace("went", marked) for line in CLEAN]
    [finding] = [finding for finding in artefacts(SOURCE, CLEAN, (reference,)) if finding.file != "it"]
    assert "contain struck-out words such as" in finding.message
    assert "remove the words between the marks, too" in str(finding.hint)


@pytest.mark.parametrize("lines", [4, 24])
@pytest.mark.parametrize(
    "marked",
    [
        "[-go-] {+went+}",
        "[-go-]{+went+}",
        "[-go -]{+went+}",
        "{~~go~>went~~}",
        "{--go--} {++went++}",
        "{go=>went}",
        "{go|went}",
        r"\\replaced{went}{go}",
        r"\\DIFdel{go} \\DIFadd{went}",
        "<s>go</s> <u>went</u>",
        "g\u0336o\u0336 went",
        "<del>go</del><ins>went</ins>",
    ],
)
def test_marked_corrections_are_named_with_a_step_that_keeps_the_new_words(
    marked: str, lines: int, tmp_path: Path
) -> None:
    damaged = [re.sub("went", marked, line) for line in CLEAN[:lines]]
    findings = check(Corpus(SOURCE[:lines], (damaged,), {"it": CLEAN[:lines]}))
    [finding] = [finding for finding in findings if finding.file == "reference 0"]
    assert re.match(f"{lines} of its {lines} lines contain (marked corrections|struck-out ).* such as", finding.message)
    path = write(tmp_path / "marked.txt", "".join(f"{line}\n" for line in damaged))
    command = re.search("(?:sed|perl) .*", str(finding.hint))
    assert command is not None
    step = subprocess.run(command[0].replace("FILE", str(path)), shell=True, capture_output=True, encoding="utf-8")
    assert step.stdout.splitlines() == CLEAN[:lines], step.stderr


@pytest.mark.parametrize(("sign", "right", "form"), [("\u00b4", "'", "letters"), ("\u00a8", "u", "")])
def test_normal_forms_are_no_step_where_they_write_other_signs(sign: str, right: str, form: str) -> None:
    source = [f"The sea isn{right}t a lake {line}" for line in SOURCE]
    damaged = [line.replace(f"isn{right}t", f"isn{sign}t") for line in source]
    hint = command_words(artefacts(source, damaged, (source,))[0].hint)
    assert (f"--normalise {form} removes it" in hint) if form else "--normalise" not in hint


def test_words_in_capitals_are_named_if_most_lines_have_one_that_the_source_lacks() -> None:
    raised = [line.replace("went", "WENT") for line in CLEAN]
    [finding] = artefacts(SOURCE, raised, (CLEAN,))
    assert 'contain tokens such as "WENT"' in finding.message
    assert artefacts(SOURCE, [*raised[:11], *CLEAN[11:]], (CLEAN,)) == []
    assert artefacts(raised, raised, (raised,)) == []
    assert artefacts(SOURCE, [line.upper() for line in CLEAN], (CLEAN,)) == []


@pytest.mark.parametrize(("mark", "fewest"), [("[go] went", 3), ("go → went", 3), ("WENT", 4)])
@pytest.mark.parametrize("lines", [2, 3, 4, 9])
def test_marks_of_most_lines_of_a_short_file_are_named(mark: str, fewest: int, lines: int) -> None:
    marked = [line.replace("went", mark) for line in CLEAN[:lines]]
    messages = [finding.message for finding in artefacts(SOURCE[:lines], marked, (CLEAN[:lines],))]
    assert len(messages) == (lines >= fewest)
    assert all(message.startswith(f"{lines} of its {lines} lines contain tokens such as") for message in messages)
    some = [*marked[:4], *CLEAN[len(marked[:4]) : 9]]
    assert artefacts(SOURCE[:9], some, (CLEAN[:9],)) == []


@pytest.mark.parametrize(
    ("number", "separator"),
    [
        (3, " ; "),
        (3, " "),
        (2, " ; "),
        (24, " or : "),
        (3, " ||| "),
        (24, " <br> "),
        (24, "\\n"),
        (24, " / "),
        (24, "#"),
    ],
)
def test_lines_with_two_versions_of_the_sentence_are_named(number: int, separator: str) -> None:
    doubled = [f"{line}{separator}{line}" if n < number else line for n, line in enumerate(CLEAN)]
    findings = [finding for finding in check(Corpus(SOURCE, (doubled,), {"it": CLEAN})) if finding.check == "several"]
    message = "24 lines have two versions of the sentence" if number < 24 else "most of its lines are much longer"
    assert [message in finding.message for finding in findings] == [True] * (number > 2)
    lengthened = [f"{line} And then we all had dinner together in the old town hall ." for line in CLEAN]
    assert not [finding for finding in check(Corpus(SOURCE, (), {"it": lengthened})) if finding.check == "several"]


def test_artefact_of_the_source_is_named_once() -> None:
    numbered = [f"{n}. {line}" for n, line in enumerate(SOURCE)]
    findings = check(Corpus(numbered, (CLEAN,), {"it": CLEAN, "that": CLEAN[::-1]}))
    [finding] = [finding for finding in findings if finding.check == "affix"]
    assert (finding.check, finding.file) == ("affix", "source")
    assert str(finding.hint).startswith("geceval prepare --clean FILE.toml TEXT -o NEW removes it if")


INSTRUCTIONS = ("Fix the grammar: ", "Improve the grammar of this text: ", "Correct it's 3 errors: ")


@pytest.mark.parametrize("references", [(CLEAN,), ()])
def test_instructions_before_sentences_are_named_with_a_step(
    run: Run, tmp_path: Path, references: tuple[list[str], ...]
) -> None:
    source = [f"{INSTRUCTIONS[n % 3]}{line}" for n, line in enumerate(SOURCE)]
    [finding] = artefacts(source, CLEAN, references)
    assert (finding.check, finding.file) == ("affix", "source")
    assert finding.message.startswith(
        '24 of its 24 lines begin with "Fix the grammar: " or another instruction; no line'
    )
    table = re.search(r"FILE.toml is: (.*)", str(finding.hint))
    assert table is not None
    rules = write(tmp_path / "rules.toml", table[1])
    path = write(tmp_path / "source.txt", "".join(f"{line}\n" for line in source))
    assert run("prepare", "--clean", rules, path).out.splitlines() == SOURCE


def test_labels_before_sentences_are_named_with_a_step(run: Run, tmp_path: Path) -> None:
    source = [f"{('A1', 'B2', 'C1')[n % 3]} {line}" for n, line in enumerate(SOURCE)]
    [finding] = artefacts(source, CLEAN)
    assert (finding.check, finding.file) == ("affix", "source")
    assert finding.message.startswith('24 of its 24 lines begin with "A1 " or another label; no line')
    table = re.search(r"FILE.toml is: (.*)", str(finding.hint))
    assert table is not None
    rules = write(tmp_path / "rules.toml", table[1])
    path = write(tmp_path / "source.txt", "".join(f"{line}\n" for line in source))
    assert run("prepare", "--clean", rules, path).out.splitlines() == SOURCE
    words = [f"{chr(ord('a') + n)}{n} {line}" for n, line in enumerate(SOURCE)]
    assert artefacts(words, CLEAN) == []


def test_hint_for_a_source_is_followed_without_another_file(run: Run, tmp_path: Path) -> None:
    source = [line.replace("the", "&quot; the &quot;") for line in SOURCE]
    [finding] = artefacts(source, CLEAN)
    assert finding.hint == "geceval prepare --clean entities TEXT -o NEW removes it"
    path = write(tmp_path / "source.txt", "".join(f"{line}\n" for line in source))
    result = run("prepare", "--clean", "entities", path)
    assert (result.status, result.out.splitlines()) == (0, [line.replace("&quot;", '"') for line in source])


@pytest.mark.parametrize("number", [2, 3, 5])
def test_artefacts_of_few_lines_are_named(number: int) -> None:
    for form in ("{} </s>", "7) {}", "&amp; {}"):
        assert artefacts(SOURCE[:number], [form.replace("{}", line) for line in CLEAN[:number]])


@pytest.mark.parametrize(
    ("source", "system"),
    [
        (SOURCE, CLEAN),
        ([line[:-2] for line in SOURCE], CLEAN),  # full stops
        ([line.removeprefix("Yesterday ") for line in CLEAN], CLEAN),  # a word that the references have
        (SOURCE, [f'"{line}"' for line in CLEAN]),  # quotes, which are reported as such
        ([line.lower() for line in SOURCE], CLEAN),
        (SOURCE, [line.replace("two", "one (or two)") if n % 2 else line for n, line in enumerate(CLEAN)]),
        ([f"Note: {line}" if n % 2 else line for n, line in enumerate(SOURCE)], CLEAN),
        (SOURCE, [line.replace("two", "one @ home or two") if n == 3 else line for n, line in enumerate(CLEAN)]),
    ],
)
def test_corrections_are_no_artefacts(source: list[str], system: list[str]) -> None:
    assert artefacts(source, system, (CLEAN,)) == []


def test_what_the_source_has_too_is_no_artefact() -> None:
    marked, system = ([f"<p> {line}" for line in lines] for lines in (SOURCE, CLEAN))
    assert artefacts(marked, system) == artefacts(marked[:1] + SOURCE[1:], system) == []


affixes = st.text(st.sampled_from("ab =|<>/~"), min_size=1, max_size=8).map(lambda text: f"{text}@ ")


@settings(max_examples=examples(60), deadline=None)
@given(affixes, st.booleans())
def test_any_text_before_or_after_all_lines_is_found_whole(affix: str, is_end: bool) -> None:
    affix = affix[::-1] if is_end else affix.lstrip() or "@ "
    affix = affix.rstrip() if is_end else affix
    damaged = [line + affix if is_end else affix + line for line in CLEAN]
    finding = artefacts(SOURCE, damaged)[0]
    assert f'{"end" if is_end else "begin"} with "{affix}"' in finding.message


@pytest.mark.parametrize("mark", ["'", "»"])
def test_a_quote_before_lines_is_named_and_quotes_around_them_are_not(mark: str) -> None:
    [finding] = artefacts(SOURCE, [mark + line for line in SOURCE])
    assert f'begin with "{mark}"' in finding.message
    assert artefacts(SOURCE, [f"{mark}{line}{mark}" for line in SOURCE]) == []


def test_quotes_around_references_are_named_with_the_step_that_removes_them() -> None:
    corpus = Corpus(SOURCE, [[f'"{line}"' for line in SOURCE]], {"it": SOURCE})
    [finding] = [finding for finding in check(corpus) if finding.file == "reference 0"]
    assert finding.message.startswith("24 of its 24 lines are enclosed in quotes or fences")
    assert finding.hint == CLEAN_REFERENCES


lines_alike = st.text(st.sampled_from("aBß .,́ͅก"), max_size=24)


@given(lines_alike, lines_alike, lines_alike)
def test_lines_with_an_equal_first_word_have_nothing_before_it(head: str, first: str, second: str) -> None:
    text = one_sided_artefacts._before(head + first, head + second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_sided_artefacts, "_HEAD", 0)
        assert one_sided_artefacts._before(head + first, head + second) == text


def test_usual_characters_are_not_unusual() -> None:
    usual = list(filter(one_sided_artefacts._USUAL.fullmatch, map(chr, range(0x110000))))
    assert len(usual) > 26
    pairs = "".join(first + second for first in usual for second in usual)
    assert not one_sided_artefacts._UNUSUAL.search(pairs)


def test_tokens_with_rare_marks_are_whole() -> None:
    assert dict(one_sided_artefacts._artefacts("a he/she b (c")) == {one_sided_artefacts.RARE: "he/she"}
    assert dict(one_sided_artefacts._artefacts("字" * 50_000)) == {}


def test_bytes_of_subwords_are_decoded_unless_they_are_no_text() -> None:
    lines = {"caf<0xC3> <0xA9> .": "café .", "caf<0xC3> .": "caf<0xC3> .", "▁a ▁caf <0xC3> <0xA9>": "a café"}
    assert {line: joined_subwords(line, "a cafe .") for line in lines} == lines
    assert joined_subwords("a <0x2E>", "the <0x41>") == "a <0x2E>", "the source has it, too"
