"""Kept: occurrences of terms and patterns, what is due, and what is lost, by hand."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, GecevalWarning, compare, evaluate
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric_names import make_metric
from geceval.counting.system_results import kept_counts
from geceval.m2 import Block, Edit, noop
from geceval.metrics.kept import Kept
from geceval.metrics.shared.protected_texts import PATTERNS, ProtectedTexts
from support.commands import Run

#: Case 36: dictation, with the terms that must stay.
SOURCE = [
    "um so the the meeting with Priya is at 15 30 on friday",
    "please update src/main.py and and the Dockerfile",
    "we is using OpenShift in in the EU region",
    "send it to ops@example.org before 5 pm",
]
REFERENCE = [
    "So the meeting with Priya is at 15:30 on Friday .",
    "Please update src/main.py and the Dockerfile .",
    "We are using OpenShift in the EU region .",
    "Send it to ops@example.org before 5 pm .",
]
POLISHED = [
    "So the meeting with Maria is at 5:30 on Friday .",
    "Please update the main Python file and the Dockerfile .",
    "We are using open shift in the EU region .",
    "Send it to ops@example.org before 5 pm .",
]
TERMS = ["1 Priya", "2 src/main.py", "2 Dockerfile", "3 OpenShift", "3 EU", "4 ops@example.org", "4 5 pm"]
BY_LINE = "\n".join(["line\tterm", *(row.replace(" ", "\t", 1) for row in TERMS)]) + "\n"


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def sums(metric: Kept, source: list[str], system: list[str] | list[Block], references: list[list[str]]) -> list[int]:
    """Return the numbers of texts that are kept and lost."""
    corpus = Corpus(source, references, {"system": system})
    return kept_counts(corpus, metric)["system"].array.sum(axis=(0, 1)).tolist()


@pytest.mark.parametrize("references", [[REFERENCE], []])
def test_case_36_has_its_values(tmp_path: Path, references: list[list[str]]) -> None:
    metric = Kept(terms=written(tmp_path / "keep.tsv", BY_LINE))
    assert sums(metric, SOURCE, REFERENCE, references) == [7, 0]
    assert sums(metric, SOURCE, POLISHED, references) == [4, 3]


def test_patterns_are_due_where_no_reference_changes_them() -> None:
    # 15 and 30 become 15:30 in the reference; src/main.py, ops@example.org and 5 pm stay.
    assert sums(Kept(), SOURCE, POLISHED, [REFERENCE]) == [2, 1]
    assert sums(Kept(), SOURCE, REFERENCE, [REFERENCE]) == [3, 0]
    assert sums(Kept(patterns="numbers"), SOURCE, POLISHED, []) == [1, 2]


def test_a_product_glossary_by_hand(tmp_path: Path) -> None:
    terms = written(tmp_path / "glossary.txt", "Acme Cloud\nAcme\nsync engine\n\nC++\n")
    source = [
        "the Acme Cloud use the sync engine from Acme .",
        "acme is wrote in C++ , not in C .",
        "Acme Cloud Acme Cloud",
    ]
    system = [
        "The ACME Cloud uses the sync engines from Acme .",
        "Acme is written in C++ , not in C .",
        "Acme Cloud Cloud",
    ]
    # Line 1: Acme Cloud (case) and sync engine (plural) are lost, Acme stays. Line 2: C++ stays, acme is no term.
    # Line 3: one of two occurrences is deleted.
    assert sums(Kept(terms=terms), source, system, []) == [3, 3]


def test_a_text_with_numbers_and_addresses_by_hand() -> None:
    source = [
        "it cost $20 or 10,000 yen , about 5 % more then in 2019 .",
        "write to jo.doe+x@mail.example.org or see https://example.org/a?b=1 .",
        'he say " we meet 3 times " on 17 May 2024 at 15:30 .',
        "run `make all` in ./build.sh with --fast and my_var .",
        "GPT4 and B2B is no numbers .",
    ]
    kinds = [
        [occurrence.kind for occurrence in ProtectedTexts.of(None, "+".join(PATTERNS)).occurrences(line.split(), 1)]
        for line in source
    ]
    assert kinds == [["numbers"] * 4, ["emails", "urls"], ["quotes", "dates", "dates"], ["code"] * 4, []]
    system = [
        "It cost $20 or 10,000 yen , about 6 % more than in 2019 .",
        "Write to jo.doe+x@mail.example.org or see https://example.org/a .",
        'He says " we met 3 times " on 17 May 2024 at 3:30 pm .',
        "Run `make all` in ./build.sh with --fast and my_variable .",
        "GPT-4 and B2B are no numbers .",
    ]
    assert sums(Kept(), source, system, []) == [3 + 1 + 1 + 3, 1 + 1 + 2 + 1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see 3.5 , 7 and 1.000,50 .", [("numbers", "3.5"), ("numbers", "7"), ("numbers", "1.000,50")]),
        ("the 3rd of -5 € 20 and 5%", [("numbers", "3rd"), ("numbers", "-5"), ("numbers", "€ 20"), ("numbers", "5%")]),
        (
            "on 2024-05-17 , 17.5.2024 or May 17 , 2024",
            [("dates", "2024-05-17"), ("dates", "17.5.2024"), ("dates", "May 17 , 2024")],
        ),
        (
            "am 17. Mai 2024 , le 1er mars , el 3 de enero de 2024 , 5 . března a 12 марта",
            [
                ("dates", "17. Mai 2024"),
                ("dates", "1er mars"),
                ("dates", "3 de enero de 2024"),
                ("dates", "5 . března"),
                ("dates", "12 марта"),
            ],
        ),
        ("他 在 2024年5月17日 来 , 5월 17일 에", [("dates", "2024年5月17日"), ("dates", "5월 17일")]),
        ("I may 5 times at 5 p.m. or 5pm", [("numbers", "5"), ("dates", "5 p.m."), ("dates", "5pm")]),
        ("(www.example.org/a), and/or he/she", [("urls", "(www.example.org/a),")]),
        ("a.b@c.de , call run() in /etc/hosts", [("emails", "a.b@c.de"), ("code", "run()"), ("code", "/etc/hosts")]),
        ("“ a 7 b ” and « c » and ``d''", [("quotes", "“ a 7 b ”"), ("quotes", "« c »"), ("quotes", "``d''")]),
        ('a single " mark', []),
        ("", []),
    ],
)
def test_patterns_find_texts(line: str, expected: list[tuple[str, str]]) -> None:
    tokens = line.split()
    texts = ProtectedTexts.of(None, "+".join(PATTERNS)).occurrences(tokens, 1)
    assert [(kind, " ".join(tokens[start:end])) for start, end, kind in texts] == expected


def test_terms_precede_patterns_and_longer_terms_shorter_ones(tmp_path: Path) -> None:
    terms = written(tmp_path / "terms.txt", "Route\nRoute 66\n")
    texts = ProtectedTexts.of(terms, "numbers")
    assert texts.occurrences("Route 66 is 66 miles , not Routes".split(), 1) == [(0, 2, "terms"), (3, 4, "numbers")]


def test_regular_expressions_of_a_file(tmp_path: Path) -> None:
    patterns = written(tmp_path / "ids.txt", "[A-Z]{2}-\\d+\n\n(?i)ticket \\d+\n")
    assert sums(Kept(patterns=patterns), ["fix AB-12 and Ticket 7"], ["Fix AB-13 and Ticket 7"], []) == [1, 1]


def test_alignment_decides_and_copies_and_case_do_not_count(tmp_path: Path) -> None:
    metric = Kept(terms=written(tmp_path / "terms.txt", "Oslo\nNew York\n"))
    assert sums(metric, ["Oslo is big ."], ["oslo is big ."], []) == [0, 1]
    assert sums(metric, ["Oslo is big ."], ["Bergen is big , like Oslo ."], []) == [0, 1]
    assert sums(metric, ["New York is big ."], ["New old York is big ."], []) == [0, 1]
    assert sums(metric, ["in New York ."], ["in the New York city ."], []) == [1, 0]


def test_edits_of_m2_repeat_unchanged_tokens(tmp_path: Path) -> None:
    metric = Kept(terms=written(tmp_path / "terms.txt", "Oslo\nBergen\n"))
    source = ["we go Oslo and Bergen now"]

    def block(*edits: Edit) -> list[Block]:
        return [Block(source[0], edits or (noop(0),))]

    whole = Edit(1, 5, "R:OTHER", ("went to Oslo and Trondheim",))
    assert sums(metric, source, block(whole), []) == [0, 2]  # between changed tokens of an edit nothing is aligned
    first = Edit(2, 4, "R:OTHER", ("Oslo or",))
    assert sums(metric, source, block(first), []) == [2, 0]
    deleted = Edit(2, 3, "U:NOUN", ("-NONE-",))
    assert sums(metric, source, block(deleted), []) == [1, 1]
    assert sums(metric, source, block(), []) == [2, 0]


def test_alternatives_and_unknown_corrections_of_the_gold(tmp_path: Path) -> None:
    metric = Kept(terms=written(tmp_path / "terms.txt", "Oslo\nBergen\n"))
    gold = [
        Block("Oslo and Bergen", (Edit(0, 1, "R:NOUN", ("Oslo", "Rome")), Edit(2, 3, "UNK", ("Bergen",)))),
    ]
    corpus = Corpus(["Oslo and Bergen"], systems={"system": ["Rome and Rome"]}, gold=gold)
    counts = kept_counts(corpus, metric)["system"]
    assert counts.array.tolist() == [[[0, 1]]]  # Oslo has an alternative and is not due


def test_nothing_due_has_no_score_and_no_test() -> None:
    corpus = Corpus(["a b"] * 20, [["a c"] * 20], {"one": ["a b"] * 20, "two": ["a c"] * 20})
    [result] = evaluate(corpus, [Kept()], checks=False)["one"]
    assert math.isnan(result.score().value)
    assert result.score().parts == {"due": 0}
    [pair] = compare(corpus, [Kept()], samples=100, checks=False).pairs
    assert math.isnan(pair.p)
    assert Kept().sentence_scores(["a b"], ["a c"], [["a b"]]).tolist() == [1.0]


def test_only_a_part_of_the_sentences_may_have_references() -> None:
    source = ["7 days", "8 days"]
    corpus = Corpus(source, [["seven days", None], source], {"system": ["seven days", "eight days"]})
    counts = kept_counts(corpus, Kept())["system"]
    assert counts.array.sum(axis=1).tolist() == [[0, 0], [0, 1]]


def test_tokens_are_those_that_no_reference_changes() -> None:
    source, references = ["he go to home"], [["he goes home"], ["he goes to home"]]
    assert sums(Kept(tokens="unchanged"), source, ["she goes to home"], references) == [1, 1]


def test_evidence_has_the_texts_that_are_lost_by_kind(tmp_path: Path) -> None:
    metric = Kept(terms=written(tmp_path / "keep.tsv", BY_LINE), patterns="dates")
    counts = kept_counts(Corpus(SOURCE, [REFERENCE], {"it": POLISHED}), metric, evidence=True)["it"]
    evidence = counts.evidence
    assert evidence is not None
    assert evidence.text is not None
    assert evidence.type is not None
    lost = [
        (evidence.strings[text], evidence.strings[kind])
        for text, kind, column in zip(evidence.text, evidence.type, evidence.column, strict=True)
        if column == 1
    ]
    assert lost == [("Maria", "terms"), ("the main", "terms"), ("open", "terms")]


WORDS = st.lists(st.sampled_from(["7", "8", "Oslo", "a", "b", "15:30"]), max_size=7).map(" ".join)


@given(WORDS, st.lists(WORDS, max_size=3), WORDS)
def test_kept_and_lost_words_sum_to_those_of_the_source(source: str, references: list[str], system: str) -> None:
    metric, texts = Kept(), [[text] for text in references]
    kept, lost = sums(metric, [source], [system], texts)
    assert kept + lost == sum(sums(metric, [source], [source], texts))
    assert sums(metric, [source], [source], texts)[1] == 0
    for reference in references:
        assert sums(metric, [source], [reference], texts)[1] == 0
    assert kept + lost <= sum(sums(metric, [source], [system], texts[1:]))


def test_signature_has_the_kinds_or_the_checksum_of_the_file(tmp_path: Path) -> None:
    corpus = Corpus(SOURCE, [REFERENCE], {"it": POLISHED})

    def signature(metric: Kept) -> str:
        return evaluate(corpus, [metric], checks=False)["it"][0].signature()

    path = tmp_path / "keep.tsv"
    first = signature(Kept(terms=written(path, BY_LINE)))
    assert "|terms:keep.tsv@" in first
    assert "patterns" not in first
    assert signature(Kept(terms=written(path, BY_LINE + "1\tthe\n"))) != first
    assert "|patterns:urls+emails+code+dates+numbers+quotes|" in signature(Kept())
    assert "|patterns:ids.txt@" in signature(Kept(patterns=written(tmp_path / "ids.txt", "a\n")))
    assert "|tokens:unchanged|" in signature(Kept(tokens="unchanged"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("line\tterm\n2\tPriya\n", r"keep.tsv:2: 'Priya' is not in line 2 of the source"),
        ("line\tterm\n1\tpriya\n", r"keep.tsv:2: 'priya' is not in line 1 of the source"),
        ("line\tterm\n1\tPriya\n5\tEU\n", r"keep.tsv:3: the term of line 5 is beyond the last line of the source, 4"),
        ("line\tterm\nx\tPriya\n", r"keep.tsv:2: not a line number and a term"),
        ("line\tterm\n1\n", r"keep.tsv:2: not a line number and a term"),
        ("\n \n", r"keep.tsv: has no terms"),
    ],
)
def test_terms_that_cannot_be_found_are_refused(tmp_path: Path, text: str, message: str) -> None:
    metric = Kept(terms=written(tmp_path / "keep.tsv", text))
    with pytest.raises(InputError, match=message):
        evaluate(Corpus(SOURCE, [REFERENCE], {"it": POLISHED}), [metric], checks=False)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tokens": "unchanged", "terms": "x"}, "tokens cannot be combined with terms and patterns"),
        ({"tokens": "unchanged", "patterns": "numbers"}, "tokens cannot be combined with terms and patterns"),
        ({"patterns": "numbers+urlz"}, "patterns 'urlz' is neither one of"),
        ({"tokens": "all"}, "tokens must be one of unchanged"),
    ],
)
def test_settings_that_exclude_each_other_are_refused(settings: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_metric("kept", **settings)


def test_a_pattern_that_is_invalid_is_named_with_its_line(tmp_path: Path) -> None:
    metric = Kept(patterns=written(tmp_path / "ids.txt", "a\n(b\n"))
    with pytest.raises(InputError, match=r"ids.txt:2: not a regular expression"):
        metric.sentence_scores(["a"], ["a"])


def test_parts_have_the_numbers_of_their_lines(tmp_path: Path) -> None:
    """A list by line holds for the lines of the whole source, however it is divided."""
    metric = Kept(terms=written(tmp_path / "keep.tsv", BY_LINE))
    corpus = Corpus(SOURCE, [REFERENCE], {"it": POLISHED})
    whole = kept_counts(corpus, metric)["it"].array
    parts = [metric.count(metric.prepare(part), part.systems["it"]).array for part in corpus.parts(1)]
    assert np.concatenate(parts).tolist() == whole.tolist()


@pytest.mark.filterwarnings("ignore:kept. no term:geceval.GecevalWarning")
def test_random_edits_change_what_a_slow_loop_finds(tmp_path: Path) -> None:
    metric = Kept(terms=written(tmp_path / "terms.txt", "a a\nb\n"))
    chance = random.Random(1)
    for _ in range(300):
        tokens = [chance.choice("abc") for _ in range(chance.randrange(1, 7))]
        start = chance.randrange(len(tokens) + 1)
        end = chance.randrange(start, len(tokens) + 1)
        words = [chance.choice("abx") for _ in range(chance.randrange(3) + (start == end))]
        block = Block(" ".join(tokens), (Edit(start, end, "R:OTHER", (" ".join(words),)),))
        removed, added = tokens[start:end], list(words)
        while removed and added and removed[0] == added[0]:
            removed, added, start = removed[1:], added[1:], start + 1
        while removed and added and removed[-1] == added[-1]:
            removed, added, end = removed[:-1], added[:-1], end - 1
        expected = [0, 0]
        for first, last, _ in metric.protected.occurrences(tokens, 1):
            touches = any(first <= token < last for token in range(start, end))
            splits = bool(added) and not removed and first < start < last
            expected[touches or splits] += 1
        assert sums(metric, [" ".join(tokens)], [block], []) == expected


def test_commands_show_what_was_lost_and_gates_fail(run: Run, tmp_path: Path) -> None:
    files = {"s": SOURCE, "r": REFERENCE, "polished": POLISHED, "good": REFERENCE}
    paths = {name: written(tmp_path / f"{name}.txt", "\n".join(lines) + "\n") for name, lines in files.items()}
    terms = written(tmp_path / "keep.tsv", BY_LINE)
    texts = ("-s", paths["s"], "-r", paths["r"], "-c", paths["polished"], paths["good"])
    shown = run("show", *texts, "-m", f"kept:terms={terms}", "--system", "polished", "--outcome", "wrong", "-q").out
    assert "3 of 3 matching sentences, of 4" in shown
    assert "{Priya→Maria ✗}" in shown
    assert run("gate", *texts, "-m", f"kept:terms={terms}", "--fail-under", "kept=99.5", "-q").status == 1
    good = ("-s", paths["s"], "-r", paths["r"], "-c", paths["good"])
    assert run("gate", *good, "--fail-under", "kept=99.5", "-q").status == 0
    rows = json.loads(run("score", *texts, "-m", "kept", "--by", "type", "-q", "-f", "json").out)["results"]
    assert rows[0]["types"]["code"]["kept"] == 0
    assert rows[0]["types"]["code"]["lost"] == 1
    report = tmp_path / "report.md"
    assert run("report", *good, "-m", "green", "-q", "-o", report).status == 0
    expected = "good keeps 3 of the 3 numbers, dates, addresses, codes and quotations that no reference changes."
    assert expected in report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("term", "source", "number"),
    [
        ("Acme, Inc.", "I met Acme , Inc. and Acme , Inc .", 2),
        ("北京", "我 在 北 京 和 北京 。", 2),
        ("New York", "New York , NewYork , New , York", 1),
        ("GPT-4", "GPT-4 and GPT - 4", 2),
    ],
)
def test_terms_are_found_whatever_blanks_are_next_to_their_marks(
    tmp_path: Path, term: str, source: str, number: int
) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text(f"{term}\n", encoding="utf-8")
    protected = ProtectedTexts.of(str(terms), None)
    assert len(protected.occurrences(source.split(), 1)) == number


def test_terms_of_a_line_do_not_overlap(tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("Line\tTerm\n1\tPriya\n1\tPriya Sharma\n", encoding="utf-8")
    occurrences = ProtectedTexts.of(str(terms), None).occurrences("Priya Sharma went .".split(), 1)
    assert [(start, end) for start, end, _ in occurrences] == [(0, 2)]
    terms.write_text("line,term\n1,Priya\n", encoding="utf-8")
    with pytest.raises(InputError, match="separated by a tab"):
        ProtectedTexts.of(str(terms), None)


@pytest.mark.parametrize("text", ["GPT-4", "3.5kg", "COVID-19"])
def test_digits_within_words_are_no_numbers(text: str) -> None:
    assert ProtectedTexts.of(None, "numbers").occurrences([text], 1) == []


def test_terms_that_occur_nowhere_are_warned_of(tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("Köln\n", encoding="utf-8")
    with pytest.warns(GecevalWarning, match=r"no term of .*terms\.txt is due"):
        evaluate(Corpus(["I am in Bonn ."], [], {"A": ["I am in Bonn ."]}), [Kept(terms=str(terms))])
