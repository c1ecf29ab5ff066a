"""Reading parallel text: what is accepted, and the message for everything that is not."""

from __future__ import annotations

import bz2
import copy
import gc
import gzip
import io
import lzma
import math
import os
import pickle
import subprocess
import sys
import threading
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import Corpus, Green, evaluate, m2, read_corpus, read_table
from geceval._kernel import LineCutter, Text
from geceval.base.arguments import as_sequence
from geceval.base.errors import GecevalError, GecevalWarning, InputError, UsageError
from geceval.counting.metric_names import make_metric
from geceval.edits.corpus_edits import Extraction
from geceval.extending import Metric
from geceval.m2 import Block, Blocks, Edit
from geceval.text.columns import as_text, single_blanks
from geceval.text.files import confined, path_text
from geceval.text.prefetching import prefetched
from geceval.text.reading import lines
from geceval.text.reading.aligned_files import Rows
from geceval.text.reading.corpus_files import CorpusFiles
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.lines import Pipe, read_lines
from geceval.text.system_files import named_systems
from support.golden import split_lines
from support.messages import message_of
from support.written_files import write


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


def test_zstd_is_read_or_the_package_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setitem(sys.modules, "backports", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    assert message_of(read_lines, write(tmp_path / "file.zst", b"\x28\xb5\x2f\xfd more")) == snapshot


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\nb\n"))))
    assert read_lines("-") == ["a", "b"]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"good\nb\xe4d\n", id="latin-1"),
        pytest.param(b"\xef\xbb\xbfgood\r\nb\xe4d\n", id="latin-1 after a byte order mark"),
        pytest.param(b"a\x96b\n", id="cp1252"),
        pytest.param(b"\xff\xfea\0\n\0", id="utf-16"),
        pytest.param(b"a\nb\0c\n", id="nul"),
        pytest.param(gzip.compress(b"a\nb\n" * 99)[:-9], id="truncated gzip"),
        pytest.param(b"\x1f\x8b\x08nonsense", id="no gzip"),
    ],
)
def test_bad_content_is_located(tmp_path: Path, data: bytes, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "bad.txt", data)
    assert message_of(read_lines, path) == snapshot


def test_missing_file_and_directory(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_lines, tmp_path / "nowhere") == snapshot
    assert message_of(read_lines, tmp_path) == snapshot


def test_different_line_counts_name_every_file(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source, short = write(tmp_path / "src", "a\nb\n"), write(tmp_path / "sys", "a\n")
    assert message_of(read_corpus, source, [source], [short]) == snapshot


def test_empty_files_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    empty = write(tmp_path / "empty", "")
    assert message_of(read_corpus, empty, [empty], [empty]) == snapshot


def test_a_system_may_delete_everything(tmp_path: Path) -> None:
    source, nothing = (
        write(tmp_path / "src", "a\nb\n"),
        write(tmp_path / "null.txt.gz", gzip.compress(b"\n\n", mtime=0)),
    )
    corpus = read_corpus(source, [source], [nothing], blank="empty")
    assert corpus.systems == {"null": ["", ""]}


def test_names() -> None:
    assert list(named_systems(["x/a.txt", "y/a.txt", "b.txt.gz", "-"])) == ["x/a.txt", "y/a.txt", "b", "stdin"]


def test_paths_of_a_corpus_that_cannot_be_read_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "a", "a\n")
    assert message_of(read_corpus, path, [path], {"a": 1}) == snapshot
    assert message_of(read_corpus, "-", [path], ["-"]) == snapshot
    assert message_of(read_corpus, path, [path], [path, path]) == snapshot


@pytest.mark.parametrize(
    "arguments",
    [
        (["a"], [["a"]], {"x": ["\ud800"]}),
        (["a"], [["a"]], {"x": [1]}),
        (["a"], [[None]], {}),
        (["a", "b"], [["a", "b"]], {"x": [Block("a"), "b"]}),
    ],
)
def test_api_errors(
    arguments: tuple[list[str], list[list[str]], dict[str, list[str]]], snapshot: SnapshotAssertion
) -> None:
    assert message_of(Corpus, *arguments) == snapshot


def test_m2_hypotheses_are_text_too() -> None:
    block = Block("a b", (Edit(1, 2, "R", ("c",)),))
    assert as_text(Blocks.of([block])) == ["a c"]
    assert as_text(Text(["a b"])) == ["a b"]


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
    with_source = read_corpus(write(tmp_path / "source.txt", "a  b \nd\n"), [system], [system], gold)
    assert (with_source.source, with_source.references) == (["a  b ", "d"], (["a c", "d"],))


def test_edits_of_other_sentences_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    gold = write(tmp_path / "gold.m2", "S a b\n\nS d\n\n")
    source = write(tmp_path / "source.txt", "a b\ne\n")
    assert message_of(read_corpus, source, [], [source], gold) == snapshot
    assert message_of(read_corpus, None, [], [write(tmp_path / "long.txt", "a\nb\nc\n")], gold) == snapshot
    assert message_of(read_corpus, None, [], [source]) == snapshot


def test_references_are_made_from_gold_edits() -> None:
    blocks = [
        Block("a b", (Edit(0, 1, "R", ("x",), annotator=0), Edit(1, 2, "R", ("y",), annotator=1))),
        Block("a b", (Edit(0, 1, "R", ("z",), annotator=0),)),
    ]
    arguments = (["a b", "a b"], ["x b", "z b"])
    for missing, second in (("fallback", ["a y", "z b"]), ("plain", ["a y", "a b"])):
        corpus = Corpus(arguments[0], (), {"it": arguments[1]}, blocks, missing)  # type: ignore[arg-type]
        assert corpus.with_texts().references == (["x b", "z b"], second)
        [tally] = evaluate(corpus, [Green(n=2)])["it"]
        texts = Green(n=2).corpus_score(*arguments, [["x b", "z b"], second])
        assert tally.score().value == texts.value
        assert f"|refs:2({missing})|" in tally.signature()
    score = Green(n=2).corpus_score(*arguments, gold=blocks)
    assert "|refs:2(fallback)|" in score.signature
    assert len(Green(n=2).counts(*arguments, gold=blocks)) == 2


@pytest.mark.parametrize("metric", ["green", "gleu", "maxmatch", "errant", "cleme", "cleme2"])
def test_a_system_given_as_edits_has_one_annotator(tmp_path: Path, metric: str, snapshot: SnapshotAssertion) -> None:
    """Also where the metric reads its text."""
    lines = ["S a b", "A 0 1|||X|||c|||R|||N|||0", "", "S a", "A -1 -1|||noop|||-NONE-|||R|||N|||3"]
    path = write(tmp_path / "sys.m2", "\n".join([*lines, "A 0 1|||X|||d|||R|||N|||1", "", ""]))
    score, gold = make_metric(metric).corpus_score, [Block("a b"), Block("a")]
    assert message_of(score, ["a b", "a"], m2.Blocks.read(path), [["a b", "a"]], gold=gold) == snapshot(name="message")


@given(
    st.lists(st.sampled_from(["a", " ", "é", "👨", "\n", "\r", "\r\n", "\ufeff"]), max_size=30).map("".join),
    st.lists(st.integers(0, 60)),
    st.integers(1, 4),
)
def test_lines_are_the_same_however_bytes_and_lines_are_portioned(text: str, cuts: list[int], size: int) -> None:
    data, cutter, lines = text.encode(), LineCutter(), []
    bounds = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for start, stop in pairwise(bounds):
        assert cutter.push(data[start:stop]) is None
        lines += cutter.take(size)
    assert cutter.finish() is None
    while cutter.ready:
        lines += cutter.take(size)
    stream = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig")
    assert lines == [line.removesuffix("\n") for line in stream]


def test_parts_are_read_in_lockstep_as_often_as_asked(tmp_path: Path) -> None:
    lines = [f"the cat {n} sat é" for n in range(10)]
    text = "\n".join(lines)
    source, reference = write(tmp_path / "source", text), write(tmp_path / "reference.gz", gzip.compress(text.encode()))
    gold = write(
        tmp_path / "gold.m2", "".join(f"S {line}\nA 0 1|||D|||a|||R|||N|||{n % 2}\n\n" for n, line in enumerate(lines))
    )
    corpus = read_corpus(source, [reference], [source, gold], gold)
    files = CorpusFiles(source, [reference], [source, gold], gold).open()
    assert (files.system_names, files.gold, files.sentences) == (("source", "gold"), corpus.gold, 10)
    assert (files.most_references, files.annotators, list(files.m2_systems)) == (1, (0, 1), ["gold"])
    assert CorpusFiles(source, [reference], [source]).open().sentences is None
    for blocks in (list(files.parts(4)), list(files.parts(4)), list(corpus.parts(4))):
        assert [len(block) for block in blocks] == [4, 4, 2]
        assert [line for block in blocks for line in block.source] == lines
        assert [line for block in blocks for line in block.systems["gold"]] == corpus.systems["gold"]
        assert [block.references for block in blocks] == [(block.source,) for block in blocks]
    assert corpus.sentences == 10
    # Who has made edits where is known of the whole, so that texts made from gold do not depend on the parts.
    files = CorpusFiles(source, [], [source], gold, missing="plain").open()
    expected = read_corpus(source, [], [source], gold, missing="plain").with_texts()
    assert (len(expected.references), expected.has_texts_of_gold, expected.has_references) == (2, True, False)
    for block, part in zip(files.parts(1), expected.parts(1), strict=True):
        assert block.with_texts().references == part.references


def test_faults_are_found_in_any_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    long, short = write(tmp_path / "long", "a\nb\n" * 5), write(tmp_path / "short", "a\nb\n" * 3)
    assert message_of(lambda: CorpusFiles(long, [long], [short]).open().parts(2)) == snapshot
    bad = write(tmp_path / "bad", b"a\nb\n" * 4 + b"a\xff\nb\n")
    read = []
    assert message_of(read.extend, CorpusFiles(long, [bad], []).open().parts(3)) == snapshot
    damaged = write(tmp_path / "damaged.gz", gzip.compress(b"a\nb\n" * 99)[:-9])
    assert message_of(lambda: CorpusFiles(damaged, [long], [long]).open().parts(1)) == snapshot
    gold = write(tmp_path / "gold.m2", "S a\n\nS b\n\nS a\n\nS c\n\nS a\n\nS d\n\n")
    assert message_of(lambda: CorpusFiles(short, [short], [], gold).open().parts(2)) == snapshot
    assert message_of(lambda: CorpusFiles(write(tmp_path / "empty", ""), [], []).open().parts(2)) == snapshot
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


def test_references_nested_by_sentence_are_refused(snapshot: SnapshotAssertion) -> None:
    source = ["The cat sat on the mat .", "A dog barks at night ."]
    references = [
        ["The cats sat on the mat .", "A dog barked at night ."],
        ["The cat sits on the mat .", "Dogs bark at night ."],
    ]
    Corpus(source, references)
    assert message_of(Corpus, source, list(zip(*references, strict=True))) == snapshot
    Corpus(["a", "b"], [["a", "a"], ["b", "b"]])  # too little to tell


def test_texts_are_kept_as_the_kernels_and_shared() -> None:
    references = [("x", None, "z"), ["", "y", None]]
    corpus = Corpus(["a", "b", "c"], references, {"it": ["", "b", "é"]}, [Block(line) for line in "abc"])
    assert isinstance(corpus.source, Text)
    assert Corpus(corpus.source, corpus.references, corpus.systems, corpus.gold) == corpus
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    first, second = corpus.parts(2)
    assert (second.source, second.references, second.systems) == (["c"], (["z"], [None]), {"it": ["é"]})
    assert (first.references, first.source[1], len(first)) == ((["x", None], ["", "y"]), "b", 2)


def test_columns_have_the_same_types_however_they_are_given() -> None:
    blocks = [Block(line) for line in "abc"]
    for make in (list, tuple, iter):
        corpus = Corpus(make("abc"), make([make("xyz")]), {"text": make("abc"), "edits": make(blocks)}, make(blocks))
        for columns in (corpus, *corpus.parts(2), corpus.take([2, 0]), corpus.with_unchanged(), corpus.with_texts()):
            assert (type(columns.source), type(columns.gold)) == (Text, Blocks)
            assert [type(text) for text in columns.references] == [Text]
            assert (list(columns.text_systems)[:1], list(columns.m2_systems)) == (["text"], ["edits"])
        with pytest.raises(FrozenInstanceError):
            corpus.source = corpus.references[0]  # type: ignore[misc]


def test_texts_made_from_gold_follow_the_gold() -> None:
    blocks = [Block("a b", (Edit(0, 1, "R", ("x",)),)), Block("a b", (Edit(0, 1, "R", ("z",), annotator=1),))]
    corpus = Corpus(["a b", "a b"], (), {"it": ["a b", "a b"]}, blocks).with_texts()
    assert corpus.references == (["x b", "z b"], ["x b", "z b"])
    plain = replace(corpus, references=(), missing="plain").with_texts()
    assert plain.references == (["x b", "a b"], ["a b", "z b"])
    reversed_gold = replace(corpus, references=(), gold=blocks[::-1]).with_texts()
    assert reversed_gold.references == (["z b", "x b"], ["z b", "x b"])
    with_references = replace(corpus, gold=None, references=[["a", "b"]]).with_texts()
    assert (with_references.references, with_references.has_texts_of_gold) == ((["a", "b"],), False)


def reader_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("geceval-reader")]


def test_the_next_part_is_read_ahead(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """One part and no more, in a thread that ends with the reading: at the end, when it is given up, and on errors."""
    path = write(tmp_path / "many", "a\n" * 10)
    files = CorpusFiles(path, [path], [path]).open()
    starts: list[int] = []
    second_is_read = threading.Event()
    parts = prefetched(files.parts(2))
    read_part = files._part

    def recorded_part(portion: Rows, first: int, references: Any) -> Corpus:
        starts.append(portion.start)
        if portion.start == 2:
            second_is_read.set()
        return read_part(portion, first, references)

    files._part = recorded_part  # type: ignore[method-assign]
    assert starts == []  # nothing is read before the first part is requested
    next(parts)
    assert second_is_read.wait(10)
    assert starts == [0, 2]
    assert [len(part) for part in parts] == [2] * 4
    assert reader_threads() == []
    closed = prefetched(files.parts(2))
    next(closed)
    closed.close()
    assert reader_threads() == []
    interrupted = prefetched(files.parts(2))
    next(interrupted)
    with pytest.raises(KeyboardInterrupt):
        interrupted.throw(KeyboardInterrupt)
    assert reader_threads() == []
    bad = write(tmp_path / "bad", b"a\n" * 7 + b"\xff\n")
    assert message_of(lambda: prefetched(CorpusFiles(path, [path], [bad]).open().parts(3))) == snapshot
    assert reader_threads() == []


def test_a_signal_may_come_while_the_next_part_is_requested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "many", "a\n" * 10)
    files = CorpusFiles(path, [path], [path]).open()
    parts, make, submit = prefetched(files.parts(2)), files._part, ThreadPoolExecutor.submit

    def slow(*args: Any) -> Corpus:
        time.sleep(0.2)
        return make(*args)

    def interrupted(*args: Any) -> None:
        submit(*args)
        time.sleep(0.05)  # it reads by now
        raise KeyboardInterrupt

    files._part = slow  # type: ignore[method-assign]
    next(parts)
    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(parts)
    assert reader_threads() == []


def test_files_are_closed_when_reading_is_given_up(tmp_path: Path) -> None:
    path = write(tmp_path / "many", "a\n" * 10)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        parts = CorpusFiles(path, [path], [path]).open().parts(2)
        next(parts)
        parts.close()
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


@given(st.lists(st.none() | st.text("ab é\u3000\u200b\t\x1c\n  "), max_size=5), st.integers(0, 3))
def test_single_blanks_are_those_of_python(lines: list[str | None], start: int) -> None:
    repaired = single_blanks(Text(lines)[start:])
    assert list(repaired) == [None if line is None else " ".join(line.split()) for line in lines[start:]]


# --- input that can be read only once ---


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return str(path)  # type: ignore[return-value]


def fed(path: str, data: bytes) -> threading.Thread:
    def feed() -> None:
        Path(path).write_bytes(data)

    thread = threading.Thread(target=feed)
    thread.start()
    return thread


@pytest.mark.parametrize("in_memory", [4, 1 << 20])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_as_often_as_asked(
    pipe: str, monkeypatch: pytest.MonkeyPatch, in_memory: int, pack: object
) -> None:
    monkeypatch.setattr(lines, "IN_MEMORY", in_memory)
    assert callable(pack)
    data = "source\thypothesis\n" + "".join(f"a {n}\tb {n}\n" for n in range(500))
    thread = fed(pipe, pack(data.encode()))
    files = CorpusFiles.of_table(pipe, format="tsv").open()
    for size in (7, 1000):
        assert [line for part in files.parts(size) for line in part.source] == [f"a {n}" for n in range(500)]
    thread.join()


def test_a_pipe_given_up_is_read_to_its_end_later(pipe: str) -> None:
    thread = fed(pipe, b"a\n" * 200_000)
    files = CorpusFiles(pipe, [], []).open()
    parts = files.parts(10)
    next(parts)
    parts.close()
    assert sum(map(len, files.parts(50_000))) == 200_000
    thread.join()


@given(st.binary(max_size=60), st.lists(st.tuples(st.integers(0, 70), st.integers(1, 20)), max_size=12))
def test_any_place_of_a_pipe_can_be_read(data: bytes, reads: list[tuple[int, int]]) -> None:
    pipe = Pipe("nowhere")
    pipe._stream = io.BytesIO(data)
    with pipe.open() as stream:
        for at, size in reads:
            stream.seek(min(at, len(data)))
            assert stream.read(size) == data[min(at, len(data)) :][:size]
    with pipe.open() as stream:
        assert stream.read() == data
        assert stream.seek(-min(3, len(data)), io.SEEK_END) == max(0, len(data) - 3)


def test_parquet_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"source": ["a", "b"], "hypothesis": ["c", "d"]}), out)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(out.getvalue()))))
    assert read_table("-", format="parquet") == Corpus(["a", "b"], (), {"hypothesis": ["c", "d"]})


def test_a_full_disk_is_told(pipe: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(lines, "SpooledTemporaryFile", lambda max_size: Full())
    thread = fed(pipe, b"a\n")
    assert message_of(lambda: InputFile(pipe).lines(5)) == snapshot
    thread.join()


# --- arguments that become lines ---


SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEM = ["He goes home .", "She has a cats ."]
GOLD = [m2.Block(SOURCE[0], (m2.Edit(1, 2, "R:VERB", ("goes",)),)), m2.Block(SOURCE[1])]


class Sliced:
    """As a slice of a pandas Series: values in order, looked up by labels that do not begin at 0."""

    ndim = 1

    def __init__(self, values: Any) -> None:
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getitem__(self, label: int) -> Any:
        return {place + 7: value for place, value in enumerate(self.values)}[label]


class Opened:
    """As a file of tempfile: no io.IOBase."""

    def readline(self) -> str:
        return ""

    def __iter__(self) -> Iterator[str]:
        return iter(SOURCE)


def series(values: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.Series([None, *values])[1:]


MAKERS: list[Callable[[Any], Any]] = [
    list, tuple, iter, Sliced, series, lambda values: (value for value in values),
    lambda values: np.array(values, dtype=object), lambda values: dict(enumerate(values)).values(),
]  # fmt: skip


@pytest.mark.parametrize("make", MAKERS)
def test_lines_of_any_kind_score_as_lists_do(make: Callable[[Any], Any]) -> None:
    green, expected = geceval.Green(), geceval.Green().corpus_score(SOURCE, SYSTEM, REFERENCES)
    assert green.corpus_score(make(SOURCE), make(SYSTEM), make([make(row) for row in REFERENCES])) == expected
    maxmatch = geceval.MaxMatch()
    assert maxmatch.corpus_score(SOURCE, SYSTEM, gold=make(GOLD)) == maxmatch.corpus_score(SOURCE, SYSTEM, gold=GOLD)
    errant = geceval.Errant()
    assert errant.corpus_score(SOURCE, make(GOLD), REFERENCES) == errant.corpus_score(SOURCE, GOLD, REFERENCES)
    prepared = green.prepare(geceval.Corpus(SOURCE, REFERENCES))
    assert (green.count(prepared, make(SYSTEM)).array == green.count(prepared, SYSTEM).array).all()


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(lambda: "He go home .", id="string"),
        pytest.param(lambda: set(SOURCE), id="set"),
        pytest.param(lambda: io.StringIO("a\nb\n"), id="file"),
        pytest.param(Opened, id="temporary file"),
        pytest.param(lambda: {"a": "b"}, id="mapping"),
        pytest.param(lambda: np.array("a b"), id="array of 0 dimensions"),
        pytest.param(lambda: np.array([[SOURCE, SYSTEM]]), id="array of 3 dimensions"),
        pytest.param(lambda: None, id="None"),
        pytest.param(lambda: 3.5, id="number"),
    ],
)
def test_the_rest_is_an_error_that_names_the_argument(value: Callable[[], Any], snapshot: SnapshotAssertion) -> None:
    score = geceval.Green().corpus_score
    messages = [
        message_of(score, value(), SYSTEM, REFERENCES),
        message_of(score, SOURCE, value(), REFERENCES),
        message_of(score, SOURCE, SYSTEM, value()),
    ]
    if not isinstance(value(), str):  # that is a reference that was not put into a list
        messages.append(message_of(score, SOURCE, SYSTEM, [REFERENCES[0], value()]))
    if value() is not None:
        messages.append(message_of(geceval.MaxMatch().corpus_score, SOURCE, SYSTEM, gold=value()))
    assert messages == snapshot


def test_items_are_named_too(snapshot: SnapshotAssertion) -> None:
    assert message_of(lambda: geceval.Green().corpus_score(["a", 3], SYSTEM, REFERENCES)) == snapshot
    assert message_of(lambda: geceval.MaxMatch().corpus_score(["a"], ["a"], gold=["gold.m2"])) == snapshot


def test_systems_are_named(snapshot: SnapshotAssertion) -> None:
    assert message_of(geceval.Corpus, SOURCE, REFERENCES, [SYSTEM]) == snapshot
    assert message_of(geceval.Corpus, SOURCE, REFERENCES, {3: SYSTEM}) == snapshot


def test_sequences_are_taken_as_they_are() -> None:
    for values in ([1], (1,), range(3), geceval.Corpus(SOURCE).source, m2.Blocks.of(GOLD)):
        assert as_sequence("values", values) is values


def test_paths(snapshot: SnapshotAssertion) -> None:
    assert path_text(Path("a/b")) == "a/b"
    readers: list[Callable[[Any], Any]] = [
        path_text,
        m2.read,
        m2.check,
        m2.Blocks.read,
        lambda path: geceval.read_corpus(path, ["x"], ["x"], "x"),
        lambda path: geceval.read_corpus("x", [path], ["x"]),
        lambda path: geceval.read_corpus("x", ["x"], [path]),
    ]
    assert [message_of(path_text, path) for path in (b"a", None, 3, "a\0b", "a\ud800")] == snapshot
    assert all(message_of(read, None) for read in readers)
    for path in (b"a", 3, "a\0b", "a\ud800"):
        assert {message_of(read, path) for read in readers} == {message_of(path_text, path)}
    assert message_of(geceval.read_corpus, "source.txt", "ref0.txt", ["sys.txt"]) == snapshot


def test_edits_made_by_hand(snapshot: SnapshotAssertion) -> None:
    for fields in (
        {"corrections": ()},
        {"corrections": None},
        {"corrections": "goes"},
        {"corrections": (None,)},
        {"start": 1.0},
        {"end": True},
        {"type": None},
        {"annotator": "x"},
        {"required": None},
        {"line": "x"},
    ):
        assert message_of(m2.Edit, **{"start": 1, "end": 2, "type": "V", "corrections": ("goes",)} | fields) == snapshot
    for name, value in (
        ("source", None),
        ("edits", ("x",)),
        ("edits", 3),
        ("notes", (3,)),
        ("ended", None),
        ("path", 3),
    ):
        assert message_of(m2.Block, **{"source": "a", name: value}) == snapshot
    edit = m2.Edit(np.int64(1), 2, "V", ["goes", "went"])  # type: ignore[arg-type]
    assert edit == m2.Edit(1, 2, "V", ("goes", "went"))
    assert m2.Block("a b", [edit]).edits == (edit,)  # type: ignore[arg-type]
    assert message_of(m2.Edit, 0, 1, "V", ("\ud800",)) == snapshot


PREPARED: list[Metric[Any]] = [
    geceval.Green(),
    geceval.Gleu(),
    geceval.MaxMatch(),
    geceval.Errant(),
    geceval.Cleme(x0=1.0),
    geceval.Cleme2(x0=1.0),
]


@pytest.mark.parametrize("metric", PREPARED, ids=lambda metric: metric.name)
def test_what_is_prepared_can_be_pickled_and_copied(metric: Metric[Any]) -> None:
    misfit = m2.Block(SOURCE[1], (m2.Edit(3, 2, "V", ("x",)),)) if metric.name == "maxmatch" else GOLD[1]
    corpus = geceval.Corpus(SOURCE, REFERENCES, {"it": SYSTEM}, [GOLD[0], misfit], misfits=None)
    prepared = metric.prepare(corpus)
    expected = metric.count(prepared, corpus.systems["it"], evidence=True)
    for again in (pickle.loads(pickle.dumps(prepared)), copy.deepcopy(prepared), copy.copy(prepared)):
        counts = metric.count(again, corpus.systems["it"], evidence=True)
        assert (counts.array == expected.array).all()


def test_missing_values_of_a_data_frame_have_hints() -> None:
    with pytest.raises(InputError, match=r"sentence 1 \(counted from 0\) has no reference\n  hint: write the source"):
        Corpus(["a", "b"], [["a", math.nan]], {"x": ["a", "b"]})  # type: ignore[list-item]
    with pytest.raises(InputError, match=r'sentence 1 .*, not float\n  hint: write "" for a failed request'):
        Corpus(["a", "b"], [["a", "b"]], {"x": ["a", math.nan]})  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("source", "other", "swapped"),
    [
        ("ref0.txt", "source.txt", True),
        ("out/model.txt", "dev.src.gz", True),
        ("gold.txt", "test-original-2.txt", True),
        ("source.txt", "source.txt", False),
        ("fce.orig.txt", "fce.src.txt", False),
        ("model.txt", "resources.txt", False),
        ("a.txt", "b.txt", False),
    ],
)
@pytest.mark.parametrize("role", ["references", "systems"])
def test_names_that_look_swapped_are_warned_of(
    tmp_path: Path, source: str, other: str, swapped: bool, role: str
) -> None:
    paths = [tmp_path / source, tmp_path / other]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        content = b"He go .\n"
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GecevalWarning)
        CorpusFiles(str(paths[0]), **{role: [str(paths[1])]}).read()
    assert ["look swapped" in str(warning.message) for warning in caught] == [True] * swapped


def test_columns_that_look_swapped_are_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("original,corrected,model\na b,a c,a d\n")
    with pytest.warns(GecevalWarning, match="^corrected is the source, original is not"):
        read_table(str(path), source="corrected", references="original", hypothesis="model")


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda **value: Corpus(["a"], [["b"]], **value), ("missing", "overlaps", "misfits", "gold_edits")),
        (CorpusFiles, ("missing", "overlaps", "misfits", "gold_edits", "dialect", "offsets")),
        (Extraction, ("merging",)),
    ],
)
def test_unknown_value_is_refused_with_the_accepted_ones(make: Callable[..., Any], names: tuple[str, ...]) -> None:
    for name in names:
        with pytest.raises(UsageError, match=f"{name} must be one of [a-z-]+, .*, not dropp"):
            make(**{name: "dropp"})
        with pytest.raises(UsageError, match=f"{name} must be one of"):
            make(**{name: 3})


def test_forms_and_roles_are_refused_if_unknown() -> None:
    steps = geceval.Preparation(whitespace=True)
    calls: list[Callable[[], object]] = [
        lambda: Corpus(["a"], [["b"]]).in_form("dropp"),  # type: ignore[arg-type]
        lambda: steps.apply("dropp", Text(["a"])),  # type: ignore[arg-type]
        lambda: steps.joins_lines("dropp"),  # type: ignore[arg-type]
        lambda: m2.write_spans([Block("a")], io.StringIO(), "dropp"),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(UsageError, match=r"must be one of .*, not dropp"):
            call()


def test_fingerprints_of_texts_are_seeded_in_each_process() -> None:
    code = "from geceval._kernel import Text; print(Text(['a b', None]).fingerprint())"
    prints = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in "ab"
    }
    assert len(prints) == 2
    assert Text(["a b", None]).fingerprint() == Text(["x", "a b", None])[1:].fingerprint()
    texts = [["a", "b"], ["ab", ""], ["", "ab"], ["ab"], ["a", None], ["a"], ["a", ""], []]
    assert len({Text(lines).fingerprint() for lines in texts}) == len(texts)


def test_confinement_of_a_thread_is_not_lifted_by_another_one(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b")]
    for path in paths:
        path.mkdir()
        (path / "text.txt").write_text("x\n")
    entered, left = threading.Barrier(2), threading.Event()

    def leave_first() -> None:
        with confined(str(paths[1]), "record 1"):
            entered.wait(10)
        left.set()

    def read_later() -> None:
        with confined(str(paths[0]), "record 0"):
            entered.wait(10)
            assert left.wait(10)
            assert read_corpus(paths[0] / "text.txt", [paths[0] / "text.txt"]).source == ["x"]
            with pytest.raises(InputError, match="is outside the folder of record 0"):
                read_corpus(paths[0] / "text.txt", [paths[1] / "text.txt"])

    with ThreadPoolExecutor(2) as pool:
        for call in (pool.submit(read_later), pool.submit(leave_first)):
            call.result(20)
    assert read_corpus(paths[0] / "text.txt", [paths[1] / "text.txt"]).source == ["x"]


def test_columns_of_pandas_in_several_orders_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["a b", "c d", "e f"], "fixed": ["a", "c", "e"]})
    turned = frame[::-1]
    for source, references, output in (
        (frame["source"], [frame["fixed"]], turned["fixed"]),
        (frame["source"], [turned["fixed"]], frame["fixed"].to_list()),
        (turned["source"], frame["fixed"], turned["fixed"]),
    ):
        with pytest.raises(InputError, match="has the index of source in another order"):
            Corpus.of(output, references, source)
    assert len(Corpus.of(turned["fixed"].to_list(), [frame["fixed"].to_list()], frame["source"])) == 3
    other = frame["fixed"].set_axis([7, 8, 9])
    assert len(Corpus.of(other, [frame["fixed"]], frame["source"])) == 3
    columns = {"source": frame["source"], "fixed": frame["fixed"], "output": turned["fixed"]}
    names = {"source": "source", "hypothesis": "output", "references": ["fixed"]}
    with pytest.raises(InputError, match="output has the index of source in another order"):
        Corpus.of(columns, **names)
    assert len(Corpus.of(columns | {"output": frame["fixed"]}, **names)) == 3


def test_references_may_be_generators_and_none_next_to_lists_by_sentence() -> None:
    source, fixed = ["a b", "c d"], ["a", "c"]
    assert list(Corpus.of(fixed, [iter(fixed)], source).references[0]) == fixed
    table = {"source": source, "output": fixed, "lists": [["a"], ["c"]]}
    corpus = Corpus.of(table, source="source", hypothesis="output", references=None, per_sentence="lists")
    assert list(corpus.references[0]) == fixed


@pytest.mark.parametrize("metric", ["errant", "maxmatch", "gleu"])
def test_empty_gold_edits_are_named(tmp_path: Path, metric: str, snapshot: SnapshotAssertion) -> None:
    gold, output = write(tmp_path / "gold.m2", ""), write(tmp_path / "it.txt", "a b\n")
    files = CorpusFiles(gold=str(gold), systems={"it": str(output)})
    assert message_of(lambda: evaluate(files.open(), [make_metric(metric)])) == snapshot
    write(tmp_path / "it.txt", "")
    assert message_of(lambda: evaluate(files.open(), [make_metric(metric)])) == snapshot
