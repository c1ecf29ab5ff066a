"""Reading parallel text: what is accepted, and the message for everything that is not."""

from __future__ import annotations

import bz2
import gc
import gzip
import io
import lzma
import pickle
import re
import sys
import threading
import time
import tracemalloc
import warnings
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, Green, evaluate, m2, read_corpus
from geceval._kernel import LineCutter, Text
from geceval.base.errors import GecevalError, InputError, MissingExtraError, UsageError
from geceval.counting.metric_names import make_metric
from geceval.m2 import Block, Edit
from geceval.text.corpus import as_text, single_blanks
from geceval.text.files import named_systems
from geceval.text.reading.corpus_files import CorpusFiles
from geceval.text.reading.file_columns import FileColumn
from geceval.text.reading.lines import read_lines
from support.golden import split_lines


def write(path: Path, data: bytes | str) -> str:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\r", ["a", "b"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"\n", [""]),
        (b"", []),
        (b" a \n", [" a "]),
        ("a\u2028b\x0bc\x85d\n".encode(), ["a\u2028b\x0bc\x85d"]),
    ],
)
def test_lines(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    assert read_lines(write(tmp_path / "file", data)) == lines


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
def test_lines_are_those_of_pythons_text_mode(text: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    assert split_lines(text) == [line.removesuffix("\n") for line in stream]


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compression_is_told_by_content(tmp_path: Path, compress: object) -> None:
    assert callable(compress)
    assert read_lines(write(tmp_path / "plain_name.txt", compress(b"a\nb\n"))) == ["a", "b"]


def test_zstd_is_read_or_the_package_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "backports", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(MissingExtraError, match=r"geceval\[zst\]"):
        read_lines(write(tmp_path / "file.zst", b"\x28\xb5\x2f\xfd more"))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\nb\n"))))
    assert read_lines("-") == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"good\nb\xe4d\n", r"bad\.txt:2: not UTF-8: byte 0xe4 at byte offset 6"),
        (b"\xef\xbb\xbfgood\r\nb\xe4d\n", r"bad\.txt:2: not UTF-8: byte 0xe4 at byte offset 10"),
        (b"a\x96b\n", r"(?s)bad\.txt:1: not UTF-8: byte 0x96.*iconv -f CP1252 -t UTF-8"),
        (b"\xff\xfea\0\n\0", r"(?s)bad\.txt:1: not UTF-8.*UTF-16"),
        (b"a\nb\0c\n", r"bad\.txt:2: NUL byte at byte offset 3"),
        (gzip.compress(b"a\nb\n" * 99, mtime=0)[:-9], r"bad\.txt: cannot read: .*end-of-stream"),
        (b"\x1f\x8b\x08nonsense", r"bad\.txt: cannot read"),
    ],
)
def test_bad_content_is_located(tmp_path: Path, data: bytes, message: str) -> None:
    path = write(tmp_path / "bad.txt", data)
    with pytest.raises(InputError, match=message):
        read_lines(path)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: cannot read: No such file"):
        read_lines(tmp_path / "nowhere")
    with pytest.raises(InputError, match="cannot read: Is a directory"):
        read_lines(tmp_path)


def test_different_line_counts_name_every_file(tmp_path: Path) -> None:
    source, short = write(tmp_path / "src", "a\nb\n"), write(tmp_path / "sys", "a\n")
    with pytest.raises(InputError) as caught:
        read_corpus(source, [source], [short])
    text = re.sub(r"\S*/", "", str(caught.value))
    assert text == (
        "not the same number of lines\n  source       src  2\n  reference 0  src  2\n  system       sys  1   <- 1 fewer"
        "\n  hint: geceval prepare --align SOURCE FILE -o ALIGNED divides and joins lines"
    )


def test_empty_files_are_refused(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty", "")
    with pytest.raises(InputError, match="there are no lines"):
        read_corpus(empty, [empty], [empty])


def test_a_system_may_delete_everything(tmp_path: Path) -> None:
    source, nothing = (
        write(tmp_path / "src", "a\nb\n"),
        write(tmp_path / "null.txt.gz", gzip.compress(b"\n\n", mtime=0)),
    )
    corpus = read_corpus(source, [source], [nothing])
    assert corpus.systems == {"null": ["", ""]}


def test_names() -> None:
    assert list(named_systems(["x/a.txt", "y/a.txt", "b.txt.gz", "-"])) == ["x/a.txt", "y/a.txt", "b", "stdin"]


def test_path_of_a_system_that_is_a_number_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "source.txt", "a\n")
    with pytest.raises(UsageError, match="a path is text"):
        read_corpus(path, [path], {"a": 1})  # type: ignore[dict-item]


def test_usage_errors(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "a\n")
    with pytest.raises(UsageError, match="only once"):
        read_corpus("-", [path], ["-"])
    with pytest.raises(UsageError, match="given twice"):
        read_corpus(path, [path], [path, path])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], [["a"]], {"x": ["\ud800"]}), r"system x, sentence 0 .*lone surrogate U\+D800"),
        ((["a"], [["a"]], {"x": [1]}), "a string is needed, not int"),
        ((["a"], [[None]], {}), r"sentence 0 .* has no reference"),
        ((["a", "b"], [["a", "b"]], {"x": [Block("a"), "b"]}), "mixes text and M2"),
    ],
)
def test_api_errors(arguments: tuple[list[str], list[list[str]], dict[str, list[str]]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Corpus(*arguments)


def test_m2_hypotheses_are_text_too() -> None:
    block = Block("a b", (Edit(1, 2, "R", ("c",)),))
    assert as_text([block]) == ["a c"]
    assert as_text(["a b"]) == ["a b"]


def test_errors_say_where_and_what_to_try() -> None:
    error = GecevalError("wrong", path="f.m2", line=3, hint="do it right")
    assert str(error) == "f.m2:3: wrong\n  hint: do it right"
    assert str(GecevalError("wrong")) == "wrong"


def test_gold_edits_name_their_sources(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.m2", "S a b\nA 1 2|||X|||c|||R|||N|||0\n\nS d\n\n")
    system, edits = write(tmp_path / "text.txt", "a c\nd\n"), write(tmp_path / "edits.m2", "S a b\n\nS d\n\n")
    corpus = read_corpus(None, [], [system, edits], gold)
    assert corpus.source == ["a b", "d"]
    assert corpus.gold is not None
    assert [len(block.edits) for block in corpus.gold] == [1, 0]
    assert list(corpus.systems) == ["text", "edits"]
    assert as_text(corpus.systems["edits"]) == ["a b", "d"]
    given = read_corpus(write(tmp_path / "source.txt", "a  b \nd\n"), [system], [system], gold)
    assert (given.source, given.references) == (["a  b ", "d"], [["a c", "d"]])


def test_edits_of_other_sentences_are_refused(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.m2", "S a b\n\nS d\n\n")
    source = write(tmp_path / "source.txt", "a b\ne\n")
    with pytest.raises(InputError, match=r"(?s)gold\.m2:3: sentence 2 differs from the source \(1 of 2 .*hint: d\n +e"):
        read_corpus(source, [], [source], gold)
    with pytest.raises(InputError, match=r"(?s)not the same number of sentences\n  gold .* 2\n  system .*<- 1 more"):
        read_corpus(None, [], [write(tmp_path / "long.txt", "a\nb\nc\n")], gold)
    with pytest.raises(UsageError, match="a source is required, or gold"):
        read_corpus(None, [], [source])


def test_references_are_made_from_gold_edits() -> None:
    blocks = [
        Block("a b", (Edit(0, 1, "R", ("x",), annotator=0), Edit(1, 2, "R", ("y",), annotator=1))),
        Block("a b", (Edit(0, 1, "R", ("z",), annotator=0),)),
    ]
    arguments = (["a b", "a b"], ["x b", "z b"])
    for missing, second in (("fallback", ["a y", "z b"]), ("plain", ["a y", "a b"])):
        corpus = Corpus(arguments[0], (), {"it": arguments[1]}, blocks, missing)  # type: ignore[arg-type]
        assert corpus.with_texts().references == [["x b", "z b"], second]
        [tally] = evaluate(corpus, [Green(n=2)])["it"]
        texts = Green(n=2).corpus_score(*arguments, [["x b", "z b"], second])
        assert tally.score().value == texts.value
        assert f"|refs:2({missing})|" in tally.signature()
    score = Green(n=2).corpus_score(*arguments, gold=blocks)
    assert "|refs:2(fallback)|" in score.signature
    assert len(Green(n=2).counts(*arguments, gold=blocks)) == 2


@pytest.mark.parametrize("metric", ["green", "gleu", "maxmatch", "errant", "cleme", "cleme2"])
def test_a_system_given_as_edits_has_one_annotator(tmp_path: Path, metric: str) -> None:
    """Also where text is made of it; which block it is, and of whom, is told."""
    path = tmp_path / "sys.m2"
    lines = [
        "S a b",
        "A 0 1|||X|||c|||R|||N|||0",
        "",
        "S a",
        "A -1 -1|||noop|||-NONE-|||R|||N|||3",
        "A 0 1|||X|||d|||R|||N|||1",
    ]
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    gold = [Block("a b"), Block("a")]
    with pytest.raises(InputError) as raised:
        make_metric(metric).corpus_score(["a b", "a"], m2.Blocks.read(path), [["a b", "a"]], gold=gold)
    assert str(raised.value).startswith(
        f"{path}:4: system hypothesis, sentence 2: the M2 of a system has one annotator, found "
    )
    assert "found 2: 3, 1\n  hint: geceval m2 apply --annotator" in str(raised.value)


@given(
    st.lists(st.sampled_from(["a", " ", "é", "👨", "\n", "\r", "\r\n", "\ufeff"]), max_size=30).map("".join),
    st.lists(st.integers(0, 60)),
    st.integers(1, 4),
)
def test_lines_are_the_same_however_bytes_and_lines_are_portioned(text: str, cuts: list[int], most: int) -> None:
    data, cutter, taken = text.encode(), LineCutter(), []
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for start, stop in pairwise(places):
        assert cutter.push(data[start:stop]) is None
        taken += cutter.take(most)
    assert cutter.finish() is None
    while cutter.ready:
        taken += cutter.take(most)
    stream = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig")
    assert taken == [line.removesuffix("\n") for line in stream]


def test_parts_are_read_in_lockstep_as_often_as_asked(tmp_path: Path) -> None:
    lines = [f"the cat {n} sat é" for n in range(10)]
    text = "\n".join(lines)
    source, reference = write(tmp_path / "source", text), write(tmp_path / "reference.gz", gzip.compress(text.encode()))
    gold = write(
        tmp_path / "gold.m2", "".join(f"S {line}\nA 0 1|||D|||a|||R|||N|||{n % 2}\n\n" for n, line in enumerate(lines))
    )
    whole = read_corpus(source, [reference], [source, gold], gold)
    files = CorpusFiles(source, [reference], [source, gold], gold).open()
    assert (files.system_names, files.gold, files.sentences) == (("source", "gold"), whole.gold, 10)
    assert (files.most_references, files.annotators, list(files.m2_systems)) == (1, (0, 1), ["gold"])
    assert CorpusFiles(source, [reference], [source]).open().sentences is None
    for blocks in (list(files.parts(4)), list(files.parts(4)), list(whole.parts(4))):
        assert [len(block) for block in blocks] == [4, 4, 2]
        assert [line for block in blocks for line in block.source] == lines
        assert [line for block in blocks for line in block.systems["gold"]] == whole.systems["gold"]
        assert [block.references for block in blocks] == [[block.source] for block in blocks]
    assert whole.sentences == 10
    # Who has made edits where is known of the whole, so that texts made from gold do not depend on the parts.
    files = CorpusFiles(source, [], [source], gold, missing="plain").open()
    expected = read_corpus(source, [], [source], gold, missing="plain").with_texts()
    assert (len(expected.references), expected.are_made, expected.has_references) == (2, True, False)
    for block, own in zip(files.parts(1), expected.parts(1), strict=True):
        assert block.with_texts().references == own.references


def test_faults_are_found_in_any_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long, short = write(tmp_path / "long", "a\nb\n" * 5), write(tmp_path / "short", "a\nb\n" * 3)
    with pytest.raises(InputError, match=r"reference 0 .*long +10\n.*short +6   <- 4 fewer"):
        list(CorpusFiles(long, [long], [short]).open().parts(2))
    bad = write(tmp_path / "bad", b"a\nb\n" * 4 + b"a\xff\nb\n")
    read = []
    with pytest.raises(InputError, match=r"bad:9: not UTF-8: byte 0xff at byte offset 17"):
        read.extend(CorpusFiles(long, [bad], []).open().parts(3))
    damaged = write(tmp_path / "damaged.gz", gzip.compress(b"a\nb\n" * 99)[:-9])
    with pytest.raises(InputError, match=r"damaged\.gz: cannot read"):
        list(CorpusFiles(damaged, [long], [long]).open().parts(1))
    other = write(tmp_path / "gold.m2", "S a\n\nS b\n\nS a\n\nS c\n\nS a\n\nS d\n\n")
    with pytest.raises(InputError, match=r"gold\.m2:7: sentence 4 differs from the source \(2 of 6 differ\)"):
        list(CorpusFiles(short, [short], [], other).open().parts(2))
    with pytest.raises(InputError, match="there are no lines"):
        list(CorpusFiles(write(tmp_path / "empty", ""), [], []).open().parts(2))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\nb\n" * 3))))
    twice = CorpusFiles(short, [], ["-"]).open()
    assert [len(part) for _ in range(2) for part in twice.parts(4)] == [4, 2, 4, 2]


def test_parts_are_read_in_the_memory_of_one(tmp_path: Path) -> None:
    path = write(tmp_path / "large", "a few words of a sentence\n" * 200_000)
    tracemalloc.start()
    try:
        assert sum(len(part) for part in CorpusFiles(path, [path], [path]).open().parts(1000)) == 200_000
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_references_nested_by_sentence_are_refused() -> None:
    source = ["The cat sat on the mat .", "A dog barks at night ."]
    references = [
        ["The cats sat on the mat .", "A dog barked at night ."],
        ["The cat sits on the mat .", "Dogs bark at night ."],
    ]
    Corpus(source, references)
    with pytest.raises(InputError, match="nested the wrong way round: references"):
        Corpus(source, list(zip(*references, strict=True)))
    Corpus(["a", "b"], [["a", "a"], ["b", "b"]])  # too little to tell


def test_texts_are_kept_as_the_kernels_and_shared() -> None:
    references = [("x", None, "z"), ["", "y", None]]
    corpus = Corpus(["a", "b", "c"], references, {"it": ["", "b", "é"]}, [Block(line) for line in "abc"])
    assert isinstance(corpus.source, Text)
    assert Corpus(corpus.source, corpus.references, corpus.systems, corpus.gold) == corpus
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    first, second = corpus.parts(2)
    assert (second.source, second.references, second.systems) == (["c"], [["z"], [None]], {"it": ["é"]})
    assert (first.references, first.source[1], len(first)) == ([["x", None], ["", "y"]], "b", 2)


def test_texts_made_from_gold_follow_the_gold() -> None:
    blocks = [Block("a b", (Edit(0, 1, "R", ("x",)),)), Block("a b", (Edit(0, 1, "R", ("z",), annotator=1),))]
    corpus = Corpus(["a b", "a b"], (), {"it": ["a b", "a b"]}, blocks).with_texts()
    assert corpus.references == [["x b", "z b"], ["x b", "z b"]]
    plain = replace(corpus, references=(), missing="plain").with_texts()
    assert plain.references == [["x b", "a b"], ["a b", "z b"]]
    turned = replace(corpus, references=(), gold=blocks[::-1]).with_texts()
    assert turned.references == [["z b", "x b"], ["z b", "x b"]]
    given = replace(corpus, gold=None, references=[["a", "b"]]).with_texts()
    assert (given.references, given.are_made) == ([["a", "b"]], False)


def reading_ahead() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "geceval-reader"]


def test_the_next_part_is_read_ahead(tmp_path: Path) -> None:
    """One part and no more, in a thread that ends with the reading: at the end, when it is given up, and on errors."""
    path = write(tmp_path / "many", "a\n" * 10)
    files = CorpusFiles(path, [path], [path]).open()
    read: list[int] = []
    parts = files.parts(2)
    make = files._part

    def noted(source: Text, systems: Any, rows: Mapping[FileColumn, Any], start: int) -> Corpus:
        read.append(start)
        return make(source, systems, rows, start)

    files._part = noted  # type: ignore[method-assign]
    assert read == []  # nothing is read before the first part is asked for
    next(parts)
    for thread in threading.enumerate():
        if thread.name == "geceval-reader":
            thread.join()
    assert read == [0, 2]
    assert [len(part) for part in parts] == [2] * 4
    assert reading_ahead() == []
    given_up = files.parts(2)
    next(given_up)
    given_up.close()
    assert reading_ahead() == []
    interrupted = files.parts(2)
    next(interrupted)
    with pytest.raises(KeyboardInterrupt):
        interrupted.throw(KeyboardInterrupt)
    assert reading_ahead() == []
    bad = write(tmp_path / "bad", b"a\n" * 7 + b"\xff\n")
    with pytest.raises(InputError, match=r"line 8|:8"):
        list(CorpusFiles(path, [path], [bad]).open().parts(3))
    assert reading_ahead() == []


def test_a_signal_may_come_while_the_next_reader_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "many", "a\n" * 10)
    files = CorpusFiles(path, [path], [path]).open()
    parts, make, start = files.parts(2), files._part, threading.Thread.start

    def slow(*given: Any) -> Corpus:
        time.sleep(0.2)
        return make(*given)

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        time.sleep(0.05)  # it reads by now
        raise KeyboardInterrupt

    files._part = slow  # type: ignore[method-assign]
    next(parts)
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(parts)


def test_files_are_closed_when_reading_is_given_up(tmp_path: Path) -> None:
    path = write(tmp_path / "many", "a\n" * 10)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        parts = CorpusFiles(path, [path], [path]).open().parts(2)
        next(parts)
        parts.close()
        gc.collect()


@given(st.lists(st.none() | st.text("ab é\u3000\u200b\t\x1c\n  "), max_size=5), st.integers(0, 3))
def test_single_blanks_are_those_of_python(lines: list[str | None], start: int) -> None:
    found = single_blanks(Text(lines)[start:])
    assert list(found) == [None if line is None else " ".join(line.split()) for line in lines[start:]]
