"""Rows are matched by identifiers, or checked to be in one order; a table may have a row per system and sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, GecevalError, read_corpus, read_table
from geceval.base.errors import GecevalWarning
from geceval.text.reading.corpus_files import CorpusFiles, read_lines_together
from geceval.text.reading.key_columns import numbers_in
from geceval.text.reading.row_keys import line_numbers
from support.commands import run_main
from support.messages import message_of
from support.written_files import write

SOURCE = ["He go home .", "I has it .", "She like tea .", "We was here ."]
FIXED = ["He goes home .", "I have it .", "She likes tea .", "We were here ."]
OUTPUTS = [{"source": line, "reference": text, "hypothesis": line} for line, text in zip(SOURCE, FIXED, strict=True)]
ORDERS = st.permutations(range(len(SOURCE)))
Rows = Sequence[dict[str, Any]]


def rows(texts: Sequence[str], column: str, key: str = "id", prefix: str = "s", first: int = 3) -> list[dict[str, Any]]:
    return [{key: f"{prefix}{number}", column: text} for number, text in enumerate(texts, first)]


def table(path: Path, values: Rows, order: Sequence[int] = ()) -> str:
    chosen = [values[row] for row in order] if order else values
    return str(write(path, "".join(json.dumps(row) + "\n" for row in chosen)))


def written(path: Path, values: Rows) -> str:
    """Write a table in the format of its ending and return its path."""
    cells = [[*values[0]], *([str(value) for value in row.values()] for row in values)]
    if path.suffix == ".parquet":
        arrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(list(values)), path)
    elif path.suffix == ".xlsx":
        book = pytest.importorskip("openpyxl").Workbook()
        for row in cells:
            book.active.append(row)
        book.save(path)
    elif path.suffix == ".jsonl":
        return table(path, values)
    else:
        write(path, "".join(("\t" if path.suffix == ".tsv" else ",").join(row) + "\n" for row in cells))
    return str(path)


def lines(path: Path, texts: Sequence[str]) -> str:
    return str(write(path, "".join(f"{text}\n" for text in texts)))


@pytest.mark.parametrize("numbers", [[1, 2, 2, 4], [0, 1, 1, 3], [1, 2, 2, 3], [1, 2, 3, 3]])
def test_identifiers_that_number_most_lines_and_occur_twice_are_refused(tmp_path: Path, numbers: list[int]) -> None:
    source = lines(tmp_path / "s.txt", SOURCE)
    values = [{"id": f"s{number}", "output": text} for number, text in zip(numbers, FIXED, strict=True)]
    files = CorpusFiles(source, [], {"o": table(tmp_path / "o.jsonl", values)})
    with pytest.raises(GecevalError, match=r"found the identifier s[0-9], which another row has"):
        files.read()
    assert len(CorpusFiles(source, [], {"o": table(tmp_path / "o.jsonl", values)}, id="none").read()) == 4
    parts = [{"id": f"s{number}", "output": text} for number, text in zip([7, 7, 8, 8], FIXED, strict=True)]
    assert len(CorpusFiles(source, [], {"o": table(tmp_path / "o.jsonl", parts)}).read()) == 4


@given(first=ORDERS, second=ORDERS, prefix=st.sampled_from(["s", "request-", ""]), size=st.integers(1, 5))
def test_rows_in_any_order_are_matched_by_identifier(
    tmp_path_factory: pytest.TempPathFactory, first: list[int], second: list[int], prefix: str, size: int
) -> None:
    folder = tmp_path_factory.mktemp("keys")
    source = table(folder / "s.jsonl", rows(SOURCE, "source"), first)
    output = table(folder / "o.jsonl", rows(FIXED, "output", "custom_id", prefix), second)
    expected = Corpus([SOURCE[row] for row in first], [], {"o": [FIXED[row] for row in first]})
    files = CorpusFiles.of_table({"s": source, "o": output}, id=["custom_id", "id"])
    assert files.read() == expected
    assert [*files.open().parts(size)] == [*expected.parts(size)]
    # Without id=, another order is an error, and the same order is read.
    files = CorpusFiles.of_table({"s": source, "o": output})
    if first == second:
        assert files.read() == expected
    else:
        with pytest.raises(GecevalError, match="id="):
            list(files.open().parts(size))


@given(order=ORDERS, first=st.sampled_from([0, 1, 2]), size=st.integers(1, 5))
def test_numbers_of_lines_are_places_in_plain_text(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], first: int, size: int
) -> None:
    folder = tmp_path_factory.mktemp("numbers")
    source = lines(folder / "s.txt", SOURCE)
    path = table(folder / "o.jsonl", rows(FIXED, "output", "custom_id", "request-", first), order)
    files = CorpusFiles(source, [], {"o": path}, id="custom_id")
    if first == 2:
        with pytest.raises(GecevalError, match="do not number its lines"):
            files.read()
        return
    assert files.read() == Corpus(SOURCE, [], {"o": FIXED})
    unkeyed = CorpusFiles(source, [], {"o": path})
    if order == sorted(order):
        assert [*unkeyed.open().parts(size)] == [*files.read().parts(size)]
    else:
        with pytest.raises(GecevalError, match="not in line order"):
            list(unkeyed.open().parts(size))


def test_batch_file_in_another_order_is_scored_as_the_hint_says(tmp_path: Path) -> None:
    answers = [
        {"custom_id": f"q-{number}", "response": {"body": {"choices": [{"message": {"content": text}}]}}}
        for number, text in enumerate(FIXED)
    ]
    source, reference = lines(tmp_path / "s.txt", SOURCE), lines(tmp_path / "r.txt", FIXED)
    words = ["score", "-s", source, "-r", reference, "-i", table(tmp_path / "b.jsonl", answers, [2, 0, 3, 1])]
    words += ["-m", "green", "-f", "csv", "-q"]
    refused = run_main(*words)
    assert (refused.status, refused.out) == (2, "")
    hint = refused.err.partition("hint: ")[2].partition(" matches")[0].split()
    assert hint == ["--id", "custom_id"]
    assert run_main(*words, *hint).out == "system,GREEN\nb,100.00\n"


def test_hint_names_columns_so_that_each_table_is_matched_by_its_own(tmp_path: Path) -> None:
    data = table(tmp_path / "d.jsonl", rows(SOURCE, "source"))
    values = [row | {"id": f"batch_{number}"} for number, row in enumerate(rows(FIXED, "output", "custom_id"))]
    output = table(tmp_path / "o.jsonl", values, [1, 0, 2, 3])
    assert 'hint: id=["custom_id", "id"] matches' in message_of(read_table, [data, output])
    assert read_table([data, output], id=["custom_id", "id"]) == Corpus(SOURCE, [], {"output": FIXED})


def test_parallel_text_is_matched_by_its_identifiers(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    pairs = [f"{name}\t{source}\t{fixed}\n" for name, source, fixed in zip("abcd", SOURCE, FIXED, strict=True)]
    first = str(write(tmp_path / "1.para", "".join(pairs)))
    second = str(write(tmp_path / "2.para", "".join(pairs[::-1])))
    assert read_corpus(first, [first], [second], id="id") == Corpus(SOURCE, [FIXED], {"2": FIXED})
    assert message_of(read_corpus, first, [first], [second]) == snapshot
    assert message_of(read_lines_together, [first, second], ["source", "system"]) == snapshot


def test_other_identifiers_are_errors_that_name_them(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source = table(tmp_path / "s.jsonl", rows(SOURCE, "source"))
    outputs = rows(FIXED, "output")

    def message(values: Rows, **options: Any) -> str:
        return message_of(read_table, [source, table(tmp_path / "o.jsonl", values)], **options)

    assert message(outputs[1:], id="id") == snapshot
    assert message([*outputs, {"id": "s9", "output": "a"}], id="id") == snapshot
    assert message([*outputs, outputs[1]], id="id") == snapshot
    assert message([*outputs[1:], {"id": None, "output": "a b"}], id="id") == snapshot
    assert message([{"id": "s8", "output": "a"}, *outputs[1:]]) == snapshot
    assert message(outputs[1:] + outputs[:1]) == snapshot
    assert message(outputs[:3]) == snapshot
    assert message(outputs, id="custom_id") == snapshot
    lost = table(tmp_path / "p.jsonl", rows(FIXED, "output", prefix="r-", first=0)[::3])
    assert message_of(read_corpus, lines(tmp_path / "s.txt", SOURCE), [], [lost], id="id") == snapshot


def test_identifiers_without_a_relation_are_ignored(tmp_path: Path) -> None:
    source = table(tmp_path / "s.jsonl", rows(SOURCE, "source"))
    output = table(tmp_path / "o.jsonl", rows(FIXED, "output", prefix="chatcmpl-a", first=80), [1, 0, 2, 3])
    expected = Corpus(SOURCE, [], {"o": [FIXED[row] for row in (1, 0, 2, 3)]})
    assert read_table({"s": source, "o": output}) == expected
    shuffled = table(tmp_path / "o.jsonl", rows(FIXED, "output"), [1, 0, 2, 3])
    assert read_table({"s": source, "o": shuffled}, id="none") == expected
    unnumbered = [{"custom_id": name, "output": text} for name, text in zip("zxyw", FIXED, strict=True)]
    with pytest.warns(GecevalWarning, match="matched by position"):
        read_corpus(lines(tmp_path / "s.txt", SOURCE), [], [table(tmp_path / "u.jsonl", unnumbered)])


@given(order=st.permutations(range(2 * len(SOURCE))))
def test_a_row_per_system_and_sentence_is_a_corpus(tmp_path_factory: pytest.TempPathFactory, order: list[int]) -> None:
    values = [
        {"model": model, "n": number, "source": source, "reference": fixed, "hypothesis": text}
        for model, texts in (("A", FIXED), ("B", SOURCE))
        for number, (source, fixed, text) in enumerate(zip(SOURCE, FIXED, texts, strict=True))
    ]
    path = table(tmp_path_factory.mktemp("long") / "t.jsonl", values, order)
    corpus = read_table(path, system="model", id="n")
    places = [row % 4 for row in order if values[row]["model"] == values[order[0]]["model"]]
    texts = {"A": [FIXED[place] for place in places], "B": [SOURCE[place] for place in places]}
    assert list(corpus.systems) == list(dict.fromkeys(values[row]["model"] for row in order))
    assert corpus == Corpus(
        [SOURCE[place] for place in places],
        [[FIXED[place] for place in places]],
        {name: texts[name] for name in corpus.systems},
    )


def test_long_tables_are_warned_of_and_checked(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    values = [
        {"model": model, "source": source, "hypothesis": text}
        for model in "AB"
        for source, text in zip(SOURCE, FIXED, strict=True)
    ]
    path = table(tmp_path / "t.jsonl", values)
    with pytest.warns(GecevalWarning, match='rows of A, B are scored as one system .hint: system="model".'):
        read_table(path)
    assert read_table(path, system="model").systems == {"A": FIXED, "B": FIXED}
    assert read_table(path, labels="model").labels == ["A"] * 4 + ["B"] * 4
    turned = table(tmp_path / "t.jsonl", values, [0, 1, 2, 3, 5, 4, 6, 7])
    assert message_of(read_table, turned, system="model") == snapshot
    assert read_table(turned, system="model", id="source").systems == {"A": FIXED, "B": FIXED}
    assert message_of(read_table, turned, system="modell") == snapshot
    assert message_of(read_table, table(tmp_path / "t.jsonl", values[:-1]), system="model") == snapshot


@pytest.mark.parametrize(
    ("identifiers", "numbers", "places"),
    [
        (["r-1", "r-0"], [1, 0], [1, 0]),
        (["2", "1"], [2, 1], [1, 0]),
        (["d1-s01.a", "d1-s02.a"], [1, 2], [0, 1]),
        (["2", "4"], [2, 4], []),
        (["d1-s1", "d2-s1"], [], []),
        (["a", "b"], [], []),
        ([], [], []),
    ],
)
def test_numbers_in_identifiers(identifiers: list[str], numbers: list[int], places: list[int]) -> None:
    assert (numbers_in(identifiers), line_numbers(identifiers)) == (numbers, places)


def test_sources_are_identifiers_where_they_contradict_the_order(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source = lines(tmp_path / "s.txt", SOURCE)
    values = [{"source": text, "output": fixed} for text, fixed in zip(SOURCE, FIXED, strict=True)]
    output = table(tmp_path / "o.jsonl", values, [1, 0, 2, 3])
    expected = Corpus(SOURCE, [], {"o": FIXED})
    assert message_of(read_corpus, source, [], [output]) == snapshot
    assert read_corpus(source, [], [output], id="source") == expected
    reference = lines(tmp_path / "r.txt", FIXED)
    words = ["score", "-s", source, "-r", reference, "-i", output, "-m", "green", "-q", "-f", "csv"]
    assert run_main(*words).status == 2
    assert run_main(*words, "--id", "source").out == "system,GREEN\noutput,100.00\n"
    # Another spelling of the source is not another order.
    spelt = table(tmp_path / "o.jsonl", [row | {"source": row["source"].lower()} for row in values])
    assert read_corpus(source, [], [spelt]) == expected


def test_identifiers_without_a_table_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    source = lines(tmp_path / "s.txt", SOURCE)
    assert message_of(read_corpus, source, [], [source], id="id") == snapshot


# --- several rows of one identifier ---


def answers(*runs: tuple[str, Sequence[int]], key: str = "doc_id", column: str = "prompt") -> list[dict[str, Any]]:
    """Return rows of several answers to each sentence, each run in an order of its sentences."""
    return [
        {key: row, "time": 7 * number + row, column: run, "source": SOURCE[row], "reference": FIXED[row]}
        | {"output": FIXED[row] if number else SOURCE[row]}
        for number, (run, order) in enumerate(runs)
        for row in order
    ]


@pytest.mark.parametrize("key", ["id", "ID", "doc_id", "idx", "sample_id", "meta.id"])
@pytest.mark.parametrize("ending", ["jsonl", "tsv", "csv", "parquet", "xlsx"])
def test_several_rows_of_one_identifier_are_refused_with_the_column_that_differs(
    tmp_path: Path, key: str, ending: str
) -> None:
    values = answers(("short", range(4)), ("long", range(4)), key=key)
    path = str(tmp_path / f"t.{ending}")
    if ending == "jsonl" and "." in key:
        name = key.rpartition(".")[2]
        values = [row | {"meta": {name: row.pop(key)}} for row in values]
    written(Path(path), values)
    with pytest.raises(
        GecevalError, match=r"the identifier 0 occurs twice, first in row 1; the rows differ in prompt"
    ) as caught:
        read_table(path)
    assert str(caught.value.hint) == 'system="prompt" scores the rows of each prompt as a system'
    assert read_table(path, system="prompt").systems == {"short": SOURCE, "long": FIXED}


def test_hint_on_several_rows_of_one_identifier_matches_other_orders(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = table(tmp_path / "t.jsonl", answers(("short", [2, 0, 3, 1]), ("long", range(4))))
    assert message_of(read_table, path) == snapshot
    assert message_of(read_table, path, id="doc_id") == snapshot
    words = f"score -i {path} -m green -q --system-column prompt --id doc_id".split()
    assert run_main(*words).status == 0


def test_repeated_rows_of_a_system_are_refused_with_it(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    values = answers(("short", range(4)), ("long", range(4)))
    path = table(tmp_path / "t.jsonl", [*values, values[5] | {"output": "I has ."}])
    assert message_of(read_table, path, system="prompt") == snapshot
    assert len(read_table(path, id="none")) == 9


@pytest.mark.filterwarnings("error")
def test_identifiers_of_essays_have_several_sentences(tmp_path: Path) -> None:
    values = [{"id": row // 2, "source": text, "output": text} for row, text in enumerate([*SOURCE, SOURCE[3]])]
    values += [
        {"source": "Rows without one .", "output": "Rows ."},
        {"id": None, "source": "Rows .", "output": "Rows ."},
    ]
    assert len(read_table(table(tmp_path / "t.jsonl", values))) == 7


def test_pairs_may_have_one_identifier(tmp_path: Path) -> None:
    path = table(tmp_path / "t.jsonl", answers(("short", range(4)), ("long", range(4))))
    kept = str(tmp_path / "kept.jsonl")
    assert run_main("filter", "-i", path, "--keep", "edits > 0", "-o", kept, "-q").status == 0
    assert len(Path(kept).read_text(encoding="utf-8").splitlines()) == 4


@pytest.mark.parametrize(
    "name", ["index", "line", "row_id", "docId", "qid", "sentence_number", "no", "#", "Unnamed: 0", "item"]
)
@pytest.mark.parametrize("ending", ["tsv", "jsonl", "parquet"])
def test_identifiers_with_other_names_may_not_repeat(tmp_path: Path, name: str, ending: str) -> None:
    values = [
        {name: row, "try": number, "source": SOURCE[row], "reference": FIXED[row], "hypothesis": texts[row]}
        for row, number, texts in [(2, "x", SOURCE), (0, "y", FIXED), (0, "x", SOURCE), (2, "y", FIXED)]
    ]
    path = written(tmp_path / f"t.{ending}", values)
    with pytest.raises(GecevalError, match="the identifier 0 occurs twice, first in row 2; the rows differ in try"):
        read_table(path)
    assert len(read_table(path, system="try", id=name).systems) == 2


@pytest.mark.parametrize(
    ("name", "numbers"), [("essay_id", [1, 1, 2, 2]), ("line", [7, 7, 7, 7]), ("num", [0, 1, 0, 0])]
)
def test_numbers_of_several_sources_are_not_identifiers(tmp_path: Path, name: str, numbers: list[int]) -> None:
    path = table(tmp_path / "t.jsonl", [row | {name: number} for row, number in zip(OUTPUTS, numbers, strict=True)])
    assert len(read_table(path)) == len(SOURCE)


@pytest.mark.parametrize("name", ["run", "epoch", "prompt", "seed"])
def test_rows_of_several_runs_without_identifiers_are_named(tmp_path: Path, name: str) -> None:
    values = [row | {name: number} for number in (1, 2) for row in OUTPUTS]
    with pytest.warns(GecevalWarning, match="rows of 1, 2 are scored as one system"):
        read_table(table(tmp_path / "t.jsonl", values))
    read_table(table(tmp_path / "other.jsonl", [row | {name: number % 2} for number, row in enumerate(OUTPUTS)]))


# --- references in several tables ---

OTHER = ["He is going home .", "I have it .", "She likes tea .", "We were in it ."]


def outputs(texts: Sequence[Any], column: str = "reference", **more: Any) -> list[dict[str, Any]]:
    pairs = enumerate(zip(SOURCE, texts, strict=True))
    return [{"id": row, "source": line, column: text, "hypothesis": line, **more} for row, (line, text) in pairs]


@pytest.mark.parametrize(
    ("ending", "name"),
    [
        *((ending, "target") for ending in ("tsv", "csv", "jsonl", "parquet", "xlsx")),
        *(("jsonl", name) for name in ("reference", "references", "gold", "closest_reference", "ref minimal")),
    ],
)
def test_references_of_tables_are_those_of_their_systems_if_they_differ(tmp_path: Path, ending: str, name: str) -> None:
    first = written(tmp_path / f"a.{ending}", outputs(FIXED))
    second = written(tmp_path / f"b.{ending}", outputs([*FIXED[:3], OTHER[3]], name))
    same = written(tmp_path / f"c.{ending}", outputs([f" {text.replace(' ', '  ')}" for text in FIXED], name))
    for tables in ([first, second], [second, first]):
        for size in (1, 3, 9):
            reader = CorpusFiles.of_table(tables).open()
            with pytest.warns(GecevalWarning, match="differ from those of .* in 1 of 4 rows: each system is scored"):
                parts = list(reader.parts(size))
            assert {len(part.references) for part in parts} == {2}
            assert reader.numbers_by_system() == parts[0].numbers_by_system()
            assert list(reader.numbers_by_system().values()) == [1, 1]
            stem = "" if ending != "xlsx" else ".xlsx"
            for system, texts in {f"a{stem}": FIXED, f"b{stem}": [*FIXED[:3], OTHER[3]]}.items():
                own = [part.references[position] for part in parts for position in part.references_of(system)]
                assert [line for text in own for line in text] == texts
    assert read_table([first, same]).references == (FIXED,)
    assert not read_table([first, same]).own_references
    if name != "reference":  # the named columns only
        assert read_table([first, second], references="reference").references == (FIXED,)


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl", "parquet", "xlsx"])
def test_references_that_differ_in_few_rows_are_refused(tmp_path: Path, ending: str) -> None:
    rows = [
        {"source": f"{line} {row}", "reference": f"{text} {row}", "hypothesis": f"{line} {row}"}
        for row in range(20)
        for line, text in zip(SOURCE, FIXED, strict=True)
    ]
    changed = [{**row, "reference": OTHER[0]} if index in (3, 30) else row for index, row in enumerate(rows)]
    first, second = written(tmp_path / f"a.{ending}", rows), written(tmp_path / f"b.{ending}", changed)
    with pytest.raises(
        GecevalError, match=r"the reference differs from the one of .*2 of 80 rows differ; also"
    ) as caught:
        read_table([first, second])
    lines_of_rows = {"tsv": (5, 32), "csv": (5, 32), "jsonl": (4, 31)}.get(ending)
    if lines_of_rows is not None:
        assert f":{lines_of_rows[0]}: " in str(caught.value)
        assert f"also line {lines_of_rows[1]}" in str(caught.value)


def test_references_that_differ_in_few_rows_are_read_from_files_following_the_hint(tmp_path: Path) -> None:
    rows = [row for _ in range(10) for row in outputs(FIXED)]
    changed = [{**row, "reference": OTHER[0]} if index == 3 else row for index, row in enumerate(rows)]
    first, second = table(tmp_path / "a.jsonl", rows), table(tmp_path / "b.jsonl", changed)
    files = [
        f"{n}={lines(tmp_path / f'{n}.txt', [row['reference'] for row in t])}"
        for n, t in zip("ab", (rows, changed), strict=True)
    ]
    words = ["score", "-i", first, second, "-m", "green", "-q", "--id", "none"]
    result = run_main(*words)
    assert (result.status, "or each against its own: -r NAME=FILE" in result.err) == (2, True)
    assert "refs:own(1)" in run_main(*words, "-r", *files).out


def test_references_of_a_table_without_a_system_must_be_the_same(tmp_path: Path) -> None:
    data = table(tmp_path / "data.jsonl", [{"source": a, "reference": b} for a, b in zip(SOURCE, FIXED, strict=True)])
    with pytest.raises(GecevalError, match="the reference differs from the one of"):
        read_table([data, table(tmp_path / "a.jsonl", outputs(OTHER)), table(tmp_path / "b.jsonl", outputs(FIXED))])


def test_references_that_differ_between_systems_of_a_table_are_their_own(tmp_path: Path) -> None:
    path = table(tmp_path / "t.jsonl", [*outputs(FIXED, model="A"), *outputs(OTHER, model="B")])
    with pytest.warns(GecevalWarning, match=r"t\.jsonl \(B\) differ from those of .*t\.jsonl \(A\) in 2 of 4 rows"):
        corpus = read_table(path, system="model")
    assert corpus.references == (FIXED, OTHER)
    assert corpus.own_references == {"A": (0,), "B": (1,)}
    words = ["score", "-i", path, "--system-column", "model", "-m", "green", "-q"]
    result = run_main(*words)
    assert (result.status, "refs:own(1)" in result.out, "each system is scored against" in result.err) == (
        0,
        True,
        True,
    )
    references = lines(tmp_path / "r.txt", FIXED)
    assert "refs:1" in run_main(*words, "-r", references).out
    same = table(tmp_path / "same.jsonl", [*outputs(FIXED, model="A"), *outputs(FIXED, model="B")])
    assert read_table(same, system="model").references == (FIXED,)


def test_lists_of_references_are_compared_with_columns(tmp_path: Path) -> None:
    first = table(
        tmp_path / "a.jsonl",
        [
            {"source": line, "hypothesis": line, "references": list(pair)}
            for line, *pair in zip(SOURCE, FIXED, OTHER, strict=True)
        ],
    )
    second = table(
        tmp_path / "b.jsonl", [row | {"reference 2": text} for row, text in zip(outputs(OTHER), FIXED, strict=True)]
    )
    assert len(read_table([first, second]).references) == 2
    third = table(tmp_path / "c.jsonl", outputs([*FIXED[:3], "We were here again ."]))
    with pytest.warns(GecevalWarning, match=r"c\.jsonl differ from those of .* in 1 of 4 rows"):
        assert read_table([first, third]).own_references == {"a": (0, 1), "c": (2,)}


def test_references_of_tables_in_other_orders_are_compared_by_identifier(tmp_path: Path) -> None:
    values = outputs(FIXED)
    first, second = table(tmp_path / "a.jsonl", values), table(tmp_path / "b.jsonl", values[::-1])
    assert read_table([first, second], id="id").references == (FIXED,)
    changed = table(tmp_path / "c.jsonl", outputs(OTHER)[::-1])
    with pytest.warns(GecevalWarning, match=r"c\.jsonl differ from those of .* in 2 of 4 rows"):
        assert read_table([first, changed], id="id").references == (FIXED, OTHER)


def test_references_may_be_missing_in_further_tables(tmp_path: Path) -> None:
    first = table(tmp_path / "a.jsonl", outputs(FIXED))
    second = table(tmp_path / "b.jsonl", outputs(["", None, FIXED[2], " "]))
    assert read_table([first, second]).references == (FIXED,)


@pytest.mark.parametrize(("rows_before", "rows_after"), [(16_384, 0), (17_000, 1_000)])
def test_a_repeated_identifier_after_many_rows_is_named_with_its_rows(
    tmp_path: Path, rows_before: int, rows_after: int
) -> None:
    """Tables are read some 16,384 rows at a time."""
    names = [*range(rows_before), rows_before - 1, *range(rows_before, rows_before + rows_after)]
    lines = [f"{name},He go {name} .,He went {name} .,He goes {name} ." for name in names]
    lines[rows_before] = lines[rows_before].replace("went", "goes")
    path = write(tmp_path / "many.csv", "\n".join(["id,source,hypothesis,reference", *lines]) + "\n")
    with pytest.raises(GecevalError) as caught:
        read_table(str(path))
    assert f"the identifier {rows_before - 1} occurs twice, first in row {rows_before}" in str(caught.value)
    assert caught.value.line == rows_before + 2


def shuffled_answers(name: str, request: str) -> Rows:
    order = [2, 0, 3, 1]
    return [{name: request.format(SOURCE[row]), "output": FIXED[row]} for row in order]


@pytest.mark.parametrize(
    ("name", "request_text"), [("prompt", "Correct the sentence: {}"), ("question", "{}\n"), ("input", "{}")]
)
@pytest.mark.parametrize("option", ["-i", "-c"])
def test_answers_in_another_order_than_their_requests_are_refused(
    tmp_path: Path, name: str, request_text: str, option: str
) -> None:
    answers = table(tmp_path / "answers.jsonl", shuffled_answers(name, request_text))
    source, fixed = lines(tmp_path / "source.txt", SOURCE), lines(tmp_path / "fixed.txt", FIXED)
    arguments = ["score", "-s", source, "-r", fixed, option, answers, "-m", "errant", "-f", "csv"]
    result = run_main(*arguments)
    assert result.status == 2
    assert f"answers.jsonl:1: {name}: the request has sentence 3 of the source, not 1" in result.err
    assert run_main(*arguments, "--id", "none").status == 0
    if name == "input":
        assert run_main(*arguments, "--id", "input").out.endswith(",100.00\n")


@pytest.mark.parametrize("order", [[*range(150), *range(299, 149, -1)], [*range(250), 251, 250, *range(252, 300)]])
def test_answers_that_change_their_order_later_are_refused(tmp_path: Path, order: list[int]) -> None:
    """As of requests that were resumed, or ended at about the same time."""
    source = [f"He go home {number} times ." for number in range(300)]
    answers = [{"prompt": f"Correct: {source[row]}", "output": source[row].replace("go", "goes")} for row in order]
    texts = ["-s", lines(tmp_path / "source.txt", source), "-r", lines(tmp_path / "fixed.txt", source)]
    refused = run_main("score", *texts, "-i", table(tmp_path / "a.jsonl", answers), "-m", "errant")
    row = next(row for row, place in enumerate(order) if row != place)
    message = f"a.jsonl:{row + 1}: prompt: the request has sentence {order[row] + 1} of the source, not {row + 1}"
    assert message in refused.err


def test_requests_without_their_sentence_are_in_order(tmp_path: Path) -> None:
    """Escapes hide some sentences, and an example is one of the source."""
    source = [f"He go home & away {number} times ." for number in range(300)]
    prompts = [f"{source[7]} -> … {text if row % 3 else text.replace('&', '&amp;')}" for row, text in enumerate(source)]
    answers = [{"prompt": prompt, "output": text} for prompt, text in zip(prompts, source, strict=True)]
    texts = ["-s", lines(tmp_path / "source.txt", source), "-r", lines(tmp_path / "fixed.txt", source)]
    assert run_main("score", *texts, "-i", table(tmp_path / "a.jsonl", answers), "-m", "errant").status == 0


def test_requests_with_examples_and_own_sentences_are_in_order(tmp_path: Path) -> None:
    examples = f"He go . -> He goes .\n{SOURCE[1]} -> {FIXED[1]}\nCorrect: "
    answers = [{"prompt": examples + line, "output": text} for line, text in zip(SOURCE, FIXED, strict=True)]
    texts = ["-s", lines(tmp_path / "source.txt", SOURCE), "-r", lines(tmp_path / "fixed.txt", FIXED)]
    assert (
        run_main("gate", *texts, "-i", table(tmp_path / "a.jsonl", answers), "--fail-under", "errant=100").status == 0
    )


def test_rows_of_a_sentence_that_occurs_twice_are_matched_in_their_order(tmp_path: Path) -> None:
    source, fixed = [SOURCE[0], SOURCE[1], SOURCE[0]], [FIXED[0], FIXED[1], "He went home ."]
    rows_of = [{"source": source[row], "output": fixed[row]} for row in (1, 0, 2)]
    answers = table(tmp_path / "answers.jsonl", rows_of)
    arguments = ["-s", lines(tmp_path / "s.txt", source), "-r", lines(tmp_path / "r.txt", fixed), "-i", answers]
    assert run_main("gate", *arguments, "--id", "source", "--fail-under", "errant=100").status == 0


# --- a row per reference ---

REFERENCES = [FIXED, ["He went home .", "I had it .", "She liked tea .", "We are here ."]]


@pytest.mark.parametrize("by_sentence", [True, False], ids=["by sentence", "by annotator"])
@pytest.mark.parametrize("key", ["sent_id", None])
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_a_row_per_reference_is_refused_and_read_as_the_hint_says(
    tmp_path: Path, by_sentence: bool, key: str | None, ending: str
) -> None:
    cells = [(place, annotator) for place in range(len(SOURCE)) for annotator in range(2)]
    values: list[dict[str, Any]] = [
        {"sent_id": place, "annotator": "AB"[annotator], "source": SOURCE[place]}
        | {"reference": REFERENCES[annotator][place], "hypothesis": REFERENCES[place % 2][place]}
        for place, annotator in (cells if by_sentence else sorted(cells, key=lambda cell: cell[1]))
    ]
    if key is None:
        for row in values:
            del row["sent_id"]
    path = written(tmp_path / f"long.{ending}", values)
    arguments = ["score", "-i", path, "-m", "errant", "-f", "csv"]
    result = run_main(*arguments)
    assert result.status == 2
    name = key or "source"
    assert f"--id {name} reads" in result.err
    assert run_main(*arguments, "--id", name).out == "system,ERRANT\nhypothesis,100.00\n"
    assert run_main(*arguments, "--id", "none").out != "system,ERRANT\nhypothesis,100.00\n"


@pytest.mark.parametrize("key", ["sent_id", "source"])
def test_a_row_per_reference_and_system_is_refused_and_read_as_the_hint_says(tmp_path: Path, key: str) -> None:
    values = [
        {"sent_id": place, "source": SOURCE[place], "reference": reference[place], "system": system, "hypothesis": text}
        for system, texts in (("A", FIXED), ("B", SOURCE))
        for place, text in enumerate(texts)
        for reference in REFERENCES[:: 1 if system == "A" else -1]
    ]
    rows = values if key == "sent_id" else [{name: row[name] for name in row if name != "sent_id"} for row in values]
    path = table(tmp_path / "long.jsonl", rows)
    arguments = ["score", "-i", path, "--system-column", "system", "-m", "gleu", "-f", "csv"]
    refused = run_main(*arguments)
    assert refused.status == 2
    assert f"--id {key} reads" in refused.err
    texts = {name: lines(tmp_path / f"{name}.txt", values) for name, values in (("s", SOURCE), ("A", FIXED))}
    texts |= {f"r{number}": lines(tmp_path / f"r{number}.txt", values) for number, values in enumerate(REFERENCES)}
    files = ["score", "-s", texts["s"], "-r", texts["r0"], texts["r1"], "-c", texts["A"], f"B={texts['s']}"]
    assert run_main(*arguments, "--id", key).out == run_main(*files, "-m", "gleu", "-f", "csv").out


@pytest.mark.parametrize(
    ("name", "decisions"), [("answer", ["accept", "ignore"]), ("responses.status", ["submitted", "discarded"])]
)
def test_references_that_nobody_accepted_are_warned_of(tmp_path: Path, name: str, decisions: list[str]) -> None:
    values = [{"source": line, "reference": line, name: decisions[place % 2]} for place, line in enumerate(SOURCE)]
    number = len(SOURCE) // 2
    with pytest.warns(
        match=f"a.jsonl: {number} of {len(SOURCE)} rows have {name} {decisions[1]}, and their references"
    ):
        read_table(table(tmp_path / "a.jsonl", values))
    read_table(table(tmp_path / "b.jsonl", [row | {name: decisions[0]} for row in values]))


def test_cancelled_annotations_are_warned_of(tmp_path: Path) -> None:
    values = [{"source": line, "reference": line, "was_cancelled": line == SOURCE[0]} for line in SOURCE]
    with pytest.warns(match=f"1 of {len(SOURCE)} rows have was_cancelled true"):
        read_table(table(tmp_path / "a.jsonl", values))


def test_repeated_sentences_with_one_reference_are_sentences(tmp_path: Path) -> None:
    values = [{"source": SOURCE[0], "reference": FIXED[0], "hypothesis": FIXED[0]} for _ in range(6)]
    assert len(read_table(table(tmp_path / "a.jsonl", values)).source) == 6


def test_parts_of_a_batch_are_named_as_one_table(tmp_path: Path) -> None:
    answers = [{"custom_id": f"r-{number}", "output": text} for number, text in enumerate(FIXED)]
    parts = [table(tmp_path / f"{name}.jsonl", rows) for name, rows in (("a", answers[:2]), ("b", answers[2:]))]
    texts = ["-s", lines(tmp_path / "s.txt", SOURCE), "-r", lines(tmp_path / "r.txt", FIXED), "--id", "custom_id"]
    refused = run_main("score", *texts, "-i", *parts, "-m", "errant")
    assert refused.status == 2
    assert "b.jsonl: their identifiers together number the lines of" in refused.err
    joined = table(tmp_path / "all.jsonl", answers[::-1])
    assert run_main("gate", *texts, "-i", joined, "--fail-under", "errant=100").status == 0
