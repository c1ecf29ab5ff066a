"""Headings of documents are found among sentences, named, and left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import m2
from geceval.base.errors import GecevalWarning, InputError
from geceval.text.corpus import TextSource
from geceval.text.m2.headings import headings_of
from support.commands import run_main
from support.examples import EXAMPLES
from support.written_files import write

NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
EDIT = "A 1 2|||R|||like|||REQUIRED|||-NONE-|||0\n"
#: Two documents of two sentences and of one; only the second sentence needs no change.
SENTENCES = ["We likes tea .", "It is hot .", "They likes rain ."]
FIXED = ["We like tea .", "It is hot .", "They like rain ."]


def block(source: str, edits: str = NOOP) -> str:
    return f"S {source}\n{edits}\n"


def documents(first: str, second: str) -> str:
    return "".join(
        [block(first), block(SENTENCES[0], EDIT), block(SENTENCES[1]), block(second), block(SENTENCES[2], EDIT)]
    )


def places(text: str) -> list[int]:
    return headings_of(m2.Blocks.parse(text.encode()))


HEADINGS = [
    ("# 0007", "# 0011"),
    ("#7", "#11"),
    ("# # 7", "# # 8"),
    ("## doc", "## doc"),
    ("# Document 7", "# Document 8"),
    ("# newdoc id = w-7", "# newdoc id = w-8"),
    ("# sent_id = 3", "# text = It rains ."),
    ("-DOCSTART-", "-DOCSTART- -X- O O"),
    ("- DOCSTART -", "- DOCSTART -"),
    ('<doc id="7">', "</doc>"),
    ("< text id = 7 >", "< / text >"),
    ("=== doc 7 ===", "=== doc 8 ==="),
    ("[ essay 7 ]", "[ essay 8 ]"),
    ("0007", "0011"),
    ("7", "11"),
    ("doc-7", "doc-8"),
    ("essay_id : 7", "essay_id : 8"),
    ("W1_0007.txt", "W1_0008.txt"),
    ("# id : 7", "# id : 8"),
    ("# 7 :", "# 8 :"),
    ("\uff03 7", "\uff03 8"),
    ('<learner n="7" level="B2">', "<learner n='8'>"),
    ("# 7 (B2)", "# 8 (B2)"),
    ("# w_007_b", "# w_008_b"),
    ("[ 7 ]", "[ 8 ]"),
    ("%% 7", "%% 8"),
    ("Topic 7", "Topic 8"),
    ("Essay no. 7", "Essay no. 8"),
    ("id = 7", "id = 8"),
    ("TR7*0100*2000", "TR8*0100*2000"),
    ("§ 7 :", "§ 8 :"),
]


@pytest.mark.parametrize(("first", "second"), HEADINGS)
def test_headings_of_any_form_are_found(first: str, second: str) -> None:
    assert places(documents(first, second)) == [0, 3]


@pytest.mark.parametrize(
    "text",
    [
        "Doc 7 was lost .",
        "# spring",
        "# rain2024 is here .",
        "#covid19",
        "1999",
        "13.03.1999",
        "- first point",
        "< unk >",
        "a < b = c >",
        "# rain = sun",
        "===========",
        "* * *",
        "[ 7 ]",
        "Text 7",
        "# 7 is a lucky number .",
        "Essay",
        "...",
    ],
)
def test_sentences_are_not_headings(text: str) -> None:
    assert places(documents("Hello .", text)) == []
    assert places(documents(text, "Hello .")) == []


@pytest.mark.parametrize(
    "text",
    [
        block("# 0007", "A 0 1|||U||||||REQUIRED|||-NONE-|||0\n") + block("It rains ."),  # edited
        block("7") + block("It rains ."),  # one only
        block("7") + block("It rains .") + block("7") + block("It rains ."),  # equal ones
        block("7") + block("8") + block("It rains ."),  # next to each other
        block("7") + block("It rains .") + block("8"),  # without a sentence
        block("Hello .") + documents("7", "8"),  # not in the first line
        documents("In 1999 .", "In 2001 ."),  # sentences
        documents("In 1999.", "In 2001."),
        documents("# 7 (B2)", "Topic 8"),  # of several forms
        documents("21", "3"),  # neither of one length nor ascending
        documents("7", "11") + block("12", EDIT.replace("1 2", "0 1")),  # another one is edited
    ],
)
def test_identifiers_alone_need_a_series(text: str) -> None:
    assert places(text) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.m2")), ids=lambda path: path.name)
def test_examples_have_no_headings(path: Path) -> None:
    assert headings_of(m2.Blocks.read(path)) == []


# --- named and left out ---

FIRST, SECOND = "# 0007", "# 0011"
SYSTEM = [FIRST, FIXED[0], "It is very hot .", SECOND, SENTENCES[2]]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    gold = write(tmp_path / "gold.m2", documents(FIRST, SECOND))
    return str(gold), str(write(tmp_path / "sys.txt", "\n".join(SYSTEM) + "\n"))


def rates(corpus: TextSource) -> list[float]:
    scores = geceval.evaluate(corpus, ["false-alarms", "maxmatch"])
    return [100 * results[name].score for results in scores.values() for name in results]


@pytest.mark.parametrize("size", [1, 2, 9])
def test_misfits_drop_leaves_out_headings(files: tuple[str, str], size: int) -> None:
    gold, system = files
    reader = geceval.CorpusFiles(gold=gold, systems={"it": system}, misfits="drop")
    with pytest.warns(GecevalWarning, match=r"left out: 2 blocks are headings, not sentences: '# 0007', '# 0011'"):
        opened = reader.open()
    parts = list(opened.parts(size))
    assert [line for part in parts for line in part.source] == SENTENCES
    assert [line for part in parts for line in part.systems["it"]] == [SYSTEM[1], SYSTEM[2], SYSTEM[4]]
    assert [part.place(s) for part in parts for s in range(len(part))] == [0, 1, 2]
    assert opened.sentences in (None, 3)
    lines = [FIRST, *SENTENCES[:2], SECOND, SENTENCES[2]]
    with pytest.warns(GecevalWarning, match="left out: 2 blocks"):
        corpus = geceval.Corpus(lines, [], {"it": SYSTEM}, m2.Blocks.read(gold), misfits="drop")
    assert corpus == opened.whole()


def test_false_alarms_are_of_sentences_only(files: tuple[str, str], snapshot: SnapshotAssertion) -> None:
    gold, system = files
    words = ["score", "--gold", gold, "-c", system, "-m", "false-alarms", "-f", "csv"]
    options: list[list[str]] = [[], ["--misfits", "drop"], ["--tokenise", "ua-gec", "--tokenise-only", "systems"]]
    outputs = [run_main(*words, *more) for more in options]
    folder = str(Path(gold).parent)
    assert [output.out.split() for output in outputs] == snapshot
    assert [output.err.replace(folder, "FOLDER") for output in outputs] == snapshot


def test_preset_of_ua_gec_leaves_out_lines_of_texts(tmp_path: Path, files: tuple[str, str]) -> None:
    source = write(tmp_path / "s.txt", "\n".join([FIRST, *SENTENCES[:2], SECOND, SENTENCES[2]]))
    reference = write(tmp_path / "r.txt", "\n".join([FIRST, *FIXED[:2], SECOND, FIXED[2]]))
    with pytest.warns(GecevalWarning, match="left out: lines that are headings, not sentences: 2"):
        corpus = geceval.read_corpus(
            source, [reference], {"it": files[1]}, prepare=geceval.Preparation(tokenise="ua-gec")
        )
    assert list(corpus.source) == SENTENCES
    other = geceval.read_corpus(source, [reference], {"it": files[1]})
    assert len(other) == 5
    with pytest.warns(GecevalWarning, match="left out"):
        assert other.prepared(geceval.Preparation(tokenise="ua-gec")) == corpus
    assert "headings" in {finding.check for finding in geceval.check(other)}


def test_series_of_headings_in_text_is_reported() -> None:
    sentences = [f"He go {n} ." for n in range(30)]
    source = [
        line for n, text in enumerate(sentences) for line in ([f"Sch\u00fcler {n // 10 + 1}"] * (n % 10 == 0) + [text])
    ]
    corrected = [line.replace("go", "goes") for line in source]

    def headings(source: list[str], reference: list[str]) -> list[str]:
        findings = geceval.check(geceval.Corpus(source, [reference], {}))
        return [finding.message for finding in findings if finding.check == "headings"]

    [message] = headings(source, corrected)
    assert message.endswith("count as correct ones: 'Sch\u00fcler 1', 'Sch\u00fcler 2', 'Sch\u00fcler 3'")
    assert headings(source, [line.replace("ler 2", "ler two") for line in corrected]) == []
    assert headings(source[1:], corrected[1:]) == []


def test_commands_name_headings(files: tuple[str, str], snapshot: SnapshotAssertion) -> None:
    gold, _ = files
    folder = str(Path(gold).parent)
    for words in (["check", gold], ["stats", gold, "-f", "csv"], ["filter", gold, "--misfits", "drop"]):
        result = run_main("m2", *words)
        assert (result.status, f"{result.out}\n{result.err}".replace(folder, "FOLDER")) == snapshot
    series = write(Path(folder) / "series.m2", documents("0007", "0011"))
    assert [(fault.line, fault.message) for fault in m2.check(series).faults] == snapshot


def test_blocks_of_sentences_lose_headings(tmp_path: Path, files: tuple[str, str]) -> None:
    gold, system = files
    same = write(tmp_path / "same.txt", "\n".join([FIRST, *FIXED[:2], SECOND, FIXED[2]]))
    words = ["compare", "--gold", gold, "-c", system, str(same), "-m", "maxmatch", "--misfits", "drop", "-q"]
    outputs = [
        run_main(*words, "--blocks", str(write(tmp_path / f"{len(labels)}.txt", "\n".join(labels))))
        for labels in ("aaabb", "aab")
    ]
    assert outputs[0].status == outputs[1].status == 0
    assert outputs[0].out == outputs[1].out


def test_a_corpus_of_headings_is_refused(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.m2", block("# 0007") + block("# 0008"))
    with pytest.raises(InputError, match="all sentences are headings of documents"), pytest.warns(GecevalWarning):
        geceval.read_corpus(gold=gold, systems={"it": gold}, misfits="drop")
