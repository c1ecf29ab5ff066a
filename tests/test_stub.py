"""The kernel's stub is true: names and arguments by mypy's stubtest, what is yielded by a call of everything."""

from __future__ import annotations

import subprocess
import sys
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

from geceval import _kernel, m2
from geceval._kernel import (
    BlockTable,
    ChunkTable,
    EditError,
    Edits,
    Extractor,
    Form,
    GoldTable,
    LineCutter,
    NgramTable,
    Phrases,
    SlotTable,
    Tagger,
    Text,
    WordList,
)
from geceval.edits.annotation import Annotated, Token
from geceval.edits.languages.english.builtin import Builtin
from support.kernel_stub import function_of, hints, members, stub

#: Types of other modules decide nothing on names and arguments, and take long to read; `make lint` checks them.
ALONE = """
[mypy]
disable_error_code = valid-type
[mypy-numpy.*,geceval]
follow_imports = skip
follow_imports_for_stubs = true
"""


def test_names_and_arguments_are_the_binary_s(tmp_path: Path) -> None:
    settings = tmp_path / "mypy.ini"
    settings.write_text(ALONE, encoding="utf-8")
    words = ["-m", "mypy.stubtest", "--mypy-config-file", str(settings), "geceval._kernel"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# --- the stub ---


def callables() -> Iterator[tuple[str, list[Any]]]:
    """Everything that can be called or read, with the types it may yield."""
    for name, member in members():
        if isinstance(member, (types.FunctionType, property, staticmethod)):
            function = function_of(member)
            yield name, [hints(one)["return"] for one in getattr(function, "before", [function])]
        else:
            yield name, list(typing.get_args(member))


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type as the stub writes it."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return True
    if kind is None or kind is type(None):
        return value is None
    if isinstance(kind, typing.TypeVar):
        return any(fits(value, one) for one in kind.__constraints__)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in arguments)
    if origin is Literal:
        return value in arguments
    if origin is np.ndarray:
        [element] = typing.get_args(arguments[1])
        elements = element.__constraints__ if isinstance(element, typing.TypeVar) else (element,)
        return isinstance(value, np.ndarray) and (Any in elements or value.dtype in map(np.dtype, elements))
    if origin is tuple:
        return type(value) is tuple and len(value) == len(arguments) and all(map(fits, value, arguments))
    if origin is list:
        return type(value) is list and all(fits(one, arguments[0]) for one in value)
    assert origin is None, f"{kind} is a type that this test does not know"
    return type(value) is (getattr(_kernel, kind.__name__) if kind.__module__ == "stub" else kind)


def dimensions(value: Any) -> list[int]:
    """The dimensions of the arrays in a value, in order."""
    if isinstance(value, np.ndarray):
        return [value.ndim]
    return [ndim for one in value for ndim in dimensions(one)] if isinstance(value, (tuple, list)) else []


# --- a call of everything ---


class Call(NamedTuple):
    """An example; ``ndim`` are the dimensions of the arrays it yields, in order."""

    make: Callable[[], Any]
    ndim: Sequence[int] = ()


BUILTIN = Builtin()
TEXT, OTHER = Text(["a b", "he go"]), Text(["a c", "he goes"])
GIVEN = [[(0, [(1, 2, "R:X", "c")]), (1, [(-1, -1, "noop", "-NONE-")])], [(0, [])]]
EDITS = Edits(GIVEN)
ONE = Edits([[(0, [(1, 2, "R:X", "c")])], [(0, [])]])
BLOCKS = BlockTable([m2.Block("a b", (m2.Edit(1, 2, "R:X", ("c",)),)), m2.Block("he go")])
M2 = b"S a b\nA 1 2|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"
PRESENT = np.ones((2, 2), dtype=np.bool_)
COUNTS = np.ones((2, 2, 3), dtype=np.int64)
REGIONS = np.ones((2, 2, 14), dtype=np.int32)
FORM = Form([1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 1], 0.25, "ratios", 4, [], "totals")
KEYS = np.arange(2, dtype=np.uint64)
ANNOTATED = Annotated.from_rows([[Token(form, form, "NOUN", "NN", "dep", 0)] for form in ("cat", "cats")])
GAMES = [np.array([0, 1], np.uint32), np.array([1, 0], np.uint32), np.array([1, 0], np.int8)]
RULES = types.SimpleNamespace(sigma=0.5, beta=1.0, draw_margin=0.1)
WINS = np.array([[0, 2], [1, 0]], np.uint64)
COMPARED: Any = (ONE, EDITS, "cs", "all", [], False)
CLASSIFY: Any = ([(ANNOTATED, [])], WordList(["cat"]))
MATCH: Any = (OTHER, 2, False)


def cutter() -> LineCutter:
    made = LineCutter()
    made.push(b"a\nb\n")
    return made


def slots() -> SlotTable:
    return SlotTable(TEXT, EDITS, np.array([0, 2]), ["UNK"])


def extractor() -> Extractor:
    return Extractor(BUILTIN.tagger, WordList(["cat"]), "errant-3", "rules", False)


#: Examples of everything, several where what is yielded may be of several types.
CALLS: dict[str, list[Call]] = {
    "Text.__new__": [Call(lambda: Text(["a", None]))],
    "Text.__len__": [Call(lambda: len(TEXT))],
    "Text.__getitem__": [Call(lambda: TEXT[0]), Call(lambda: Text([None])[0]), Call(lambda: TEXT[:1])],
    "Text.complete": [Call(lambda: TEXT.complete)],
    "Text.differing": [Call(lambda: TEXT.differing(OTHER))],
    "Text.fingerprint": [Call(lambda: TEXT.fingerprint())],
    "normalised": [Call(lambda: _kernel.normalised(TEXT, "nfc", 1))],
    "Text.from_arrow": [
        Call(lambda: Text.from_arrow(np.array([97], np.uint8), np.array([0, 1]), np.array([True]))),
    ],
    "Text.joined": [Call(lambda: Text.joined([TEXT, OTHER]))],
    "Text.contains_any": [Call(lambda: TEXT.contains_any(b"\0\r\n"))],
    "tokenised": [Call(lambda r=rules: _kernel.tokenised(TEXT, r, 1)) for rules in ("english", "treebank", "char")],
    "LineCutter.__new__": [Call(LineCutter)],
    "LineCutter.push": [Call(lambda: LineCutter().push(b"a")), Call(lambda: LineCutter().push(b"a\0\n"))],
    "LineCutter.finish": [Call(lambda: LineCutter().finish()), Call(lambda: _cut_short().finish())],
    "LineCutter.ready": [Call(lambda: cutter().ready)],
    "LineCutter.take": [Call(lambda: cutter().take(2))],
    "Edits.__new__": [Call(lambda: Edits(GIVEN)), Call(lambda: Edits(GIVEN, literal=True))],
    "Edits.beside": [Call(lambda: Edits.beside([ONE, ONE]))],
    "Edits.__len__": [Call(lambda: len(EDITS))],
    "Edits.literal": [Call(lambda: EDITS.literal)],
    "Edits.nbytes": [Call(lambda: EDITS.nbytes)],
    "Edits.sentence": [Call(lambda: EDITS.sentence(0))],
    "Edits.versions": [Call(lambda: EDITS.versions, [1])],
    "Edits.annotator": [Call(lambda: EDITS.annotator, [1])],
    "Edits.offsets": [Call(lambda: EDITS.offsets, [1])],
    "Edits.start": [Call(lambda: EDITS.start, [1])],
    "Edits.end": [Call(lambda: EDITS.end, [1])],
    "Edits.type": [Call(lambda: EDITS.type, [1])],
    "Edits.text": [Call(lambda: EDITS.text, [1])],
    "Edits.strings": [Call(lambda: EDITS.strings)],
    "NgramTable.__new__": [Call(lambda: NgramTable(TEXT, [OTHER], 2, "word"))],
    "NgramTable.__len__": [Call(lambda: len(NgramTable(TEXT, [OTHER], 2, "char")))],
    "NgramTable.count": [Call(lambda: NgramTable(TEXT, [OTHER], 2, "word").count(TEXT), [4])],
    "NgramTable.evidence": [Call(lambda: NgramTable(TEXT, [OTHER], 2, "grapheme").evidence(TEXT), [1] * 6)],
    "compare_edits": [
        Call(lambda: _kernel.compare_edits(*COMPARED), [3, 2]),
        Call(lambda: _kernel.compare_edits(ONE, ONE, "dt", "all", [], False, evidence=True), [3, *[1] * 8]),
    ],
    "keyed_edits": [Call(lambda: _kernel.keyed_edits(EDITS, "cs", "all", [], False), [1] * 5)],
    "running_choices": [
        Call(lambda: _kernel.running_choices(COUNTS, PRESENT, np.zeros(3, np.int64), FORM), [1, 1]),
        Call(lambda: _kernel.running_choices(COUNTS * 0.5, None, np.zeros(3), FORM), [1, 1]),
    ],
    "Form.__new__": [Call(lambda: FORM)],
    "Form.precision_recall": [Call(lambda: FORM.precision_recall(COUNTS), [3])],
    "Form.scores": [Call(lambda: FORM.scores(COUNTS), [2])],
    "Form.ranks": [Call(lambda: FORM.ranks(COUNTS), [3])],
    "first_largest": [Call(lambda: _kernel.first_largest(COUNTS, PRESENT), [1])],
    "region_scores": [Call(lambda: _kernel.region_scores(REGIONS, 2, 2.0), [2])],
    "region_figures": [Call(lambda: _kernel.region_figures(REGIONS, 2, 2.0), [4])],
    "best_regions": [Call(lambda: _kernel.best_regions(REGIONS, None, 2.0), [1])],
    "resampling_weights": [Call(lambda: _kernel.resampling_weights(KEYS, "poisson", 0, 3), [2])],
    "resampled_sums": [Call(lambda: _kernel.resampled_sums(COUNTS[:, 0], KEYS, "swap", 0, 3), [2])],
    "is_alone": [Call(lambda: _kernel.is_alone())],
    "rounded_all": [Call(lambda: _kernel.rounded_all(np.array([0.125]), 2), [1])],
    "WordList.__new__": [Call(lambda: WordList(["cat"]))],
    "WordList.english": [Call(WordList.english)],
    "WordList.__len__": [Call(lambda: len(WordList(["cat"])))],
    "Extractor.__new__": [Call(extractor)],
    "Extractor.extract": [Call(lambda: extractor().extract(TEXT, [OTHER]))],
    "extract_annotated": [
        Call(lambda: _kernel.extract_annotated(*CLASSIFY, [(0, 1), None], "rules", False, "errant-3", "errant-3"))
    ],
    "classify_annotated": [Call(lambda: _kernel.classify_annotated(*CLASSIFY, [[0, 1, 0, 1, 0, 1]], "errant-3"))],
    "letters": [Call(lambda: _kernel.letters("Ab"))],
    "penn_category": [Call(lambda: _kernel.penn_category("NN")), Call(lambda: _kernel.penn_category("?"))],
    "Tagger.__new__": [Call(lambda: BUILTIN.tagger)],
    "Tagger.bases": [Call(lambda: BUILTIN.tagger.bases(["cats"]))],
    "Tagger.annotate": [Call(lambda: BUILTIN.tagger.annotate([["a", "cat"]]), [1] * 7)],
    "BlockTable.__new__": [Call(lambda: BlockTable([m2.Block("a")]))],
    "BlockTable.parse": [
        Call(lambda: BlockTable.parse(M2, None, 1, True)),
        Call(lambda: BlockTable.parse(b"S a\nA 0 x|||\n\n", "file", 1, True)),
    ],
    "BlockTable.sorted": [
        Call(lambda: BLOCKS.sorted()),
        Call(lambda: BlockTable([m2.Block("a b", (m2.Edit(1, 2, "X", ("b",)), m2.Edit(0, 1, "X", ("b",))))]).sorted()),
    ],
    "BlockTable.merged": [Call(lambda: BlockTable.merged([BLOCKS, BLOCKS], [[(0, 0)], [(0, 1)]]))],
    "BlockTable.voted": [Call(lambda: BlockTable.voted([BLOCKS, BLOCKS], 1))],
    "BlockTable.__len__": [Call(lambda: len(BLOCKS))],
    "BlockTable.block": [
        Call(lambda: BLOCKS.block(0)),
        Call(lambda: BlockTable.parse(M2, "file", 1, True)[0].block(0)),
    ],
    "BlockTable.at": [Call(lambda: BLOCKS.at([1, 0]))],
    "BlockTable.of_annotators": [Call(lambda: BLOCKS.of_annotators([0]))],
    "BlockTable.kept": [Call(lambda: BLOCKS.kept(np.array([False, True])[: len(BLOCKS.edits.start)]))],
    "BlockTable.notes": [Call(lambda: BLOCKS.notes)],
    "BlockTable.unended": [Call(lambda: BLOCKS.unended)],
    "BlockTable.lengths": [Call(lambda: BLOCKS.lengths(), ndim=[1])],
    "BlockTable.written": [Call(lambda: BLOCKS.written())],
    "BlockTable.slice": [Call(lambda: BLOCKS.slice(0, 1))],
    "BlockTable.first_target": [
        Call(lambda: BLOCKS.first_target),
        Call(lambda: BlockTable([m2.Block("a", targets=(m2.Target(0, None, "-"),))]).first_target),
    ],
    "BlockTable.first_misfit": [
        Call(lambda: BLOCKS.first_misfit()),
        Call(lambda: BlockTable([m2.Block("a", (m2.Edit(3, 4, "X", ("b",)),))]).first_misfit()),
    ],
    "BlockTable.without_misfits": [Call(lambda: BLOCKS.without_misfits())],
    "BlockTable.corrected": [
        Call(lambda: BLOCKS.corrected(0, True)),
        Call(lambda: BlockTable([m2.Block("a", (m2.Edit(3, 4, "X", ("b",)),))]).corrected(0, True)),
    ],
    "BlockTable.version": [Call(lambda: BLOCKS.version(0))],
    "BlockTable.annotators": [Call(lambda: BLOCKS.annotators)],
    "BlockTable.source": [Call(lambda: BLOCKS.source)],
    "BlockTable.edits": [Call(lambda: BLOCKS.edits)],
    "GoldTable.__new__": [Call(lambda: GoldTable(TEXT, EDITS))],
    "GoldTable.__len__": [Call(lambda: len(GoldTable(TEXT, EDITS)))],
    "GoldTable.count": [
        Call(lambda: GoldTable(TEXT, EDITS).count(*MATCH), [3]),
        Call(lambda: GoldTable(TEXT, EDITS).count(*MATCH, evidence=True), [3, *[1] * 8]),
    ],
    "trueskill_in_order": [Call(lambda: _kernel.trueskill_in_order(2, *GAMES, RULES), [1, 1])],
    "trueskill_runs": [Call(lambda: _kernel.trueskill_runs(WINS, WINS, 9, RULES, 0, 3), [2])],
    "text_marks": [Call(lambda: _kernel.text_marks(TEXT))],
    "beyond_ascii": [Call(lambda: _kernel.beyond_ascii(Text(["a", "é"])))],
    "raw_lines": [Call(lambda: _kernel.raw_lines(Text(["a.", "a ."])))],
    "Phrases.__new__": [Call(lambda: Phrases([("label", "corrected")]))],
    "Phrases.after_statement": [
        Call(lambda: Phrases([("fine", "correct")]).after_statement("a", "Correct. b")),
        Call(lambda: Phrases([("fine", "correct")]).after_statement("a", "b")),
    ],
    "Phrases.odd_lines": [
        Call(lambda: Phrases([("label", "corrected")]).odd_lines(Text(["a"]), Text(["Corrected: a"])))
    ],
    "text_letters": [Call(lambda: _kernel.text_letters(TEXT, WordList(["cat"])))],
    "divided_lines": [Call(lambda: _kernel.divided_lines(TEXT, OTHER))],
    "compare_lines": [Call(lambda: _kernel.compare_lines(TEXT, [(OTHER, 9)], WordList(["cat"])))],
    "in_order": [Call(lambda: _kernel.in_order(TEXT, EDITS), [1, 1])],
    "indel_distances": [Call(lambda: _kernel.indel_distances(TEXT, OTHER), [1])],
    "SlotTable.__new__": [Call(lambda: slots())],
    "SlotTable.__len__": [Call(lambda: len(slots()))],
    "SlotTable.offsets": [Call(lambda: slots().offsets, [1])],
    "SlotTable.start": [Call(lambda: slots().start, [1])],
    "SlotTable.end": [Call(lambda: slots().end, [1])],
    "SlotTable.edit": [Call(lambda: slots().edit, [1])],
    "SlotTable.verdicts": [Call(lambda: slots().verdicts(ONE), [1, 1])],
    "ChunkTable.__new__": [Call(lambda: ChunkTable(TEXT, EDITS))],
    "ChunkTable.__len__": [Call(lambda: len(ChunkTable(TEXT, EDITS)))],
    "ChunkTable.present": [Call(lambda: ChunkTable(TEXT, EDITS).present, [2])],
    "ChunkTable.partition": [Call(lambda: ChunkTable(TEXT, EDITS).partition(ONE), [1, 1, 1, 2, 2, 2])],
    "ChunkTable.texts": [Call(lambda: ChunkTable(TEXT, EDITS).texts(ONE), [1, 2, 2])],
}


def _cut_short() -> LineCutter:
    made = LineCutter()
    made.push(b"\xc3")
    return made


def test_everything_is_called() -> None:
    assert set(CALLS) == {name for name, _ in callables()}


@pytest.mark.parametrize(("name", "kinds"), list(callables()), ids=lambda value: value if type(value) is str else "")
def test_what_a_call_yields_is_what_the_stub_says(name: str, kinds: list[Any]) -> None:
    for call in CALLS[name]:
        value = call.make()
        assert any(fits(value, kind) for kind in kinds), (value, kinds)
        assert dimensions(value) == list(call.ndim)


def test_values() -> None:
    assert type(_kernel.__version__) is str
    assert issubclass(EditError, ValueError)
    assert type(Tagger) is type


def test_a_wrong_type_would_be_found() -> None:
    one = np.zeros(1, np.int32)
    for value, kind in (
        (one, "NDArray[np.int64]"),
        ([one], "tuple[NDArray[np.int32]]"),
        ((1, 2), "tuple[int, str]"),
        (True, "int"),
        (np.int64(1), "int"),
        (None, "Text | int"),
        (["a", 1], "list[str]"),
    ):
        assert not fits(value, eval(kind, stub())), (value, kind)
    assert fits(one, eval("_Ints | None", stub()))
