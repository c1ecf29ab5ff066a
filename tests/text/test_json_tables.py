"""JSON tables: every form of the same rows is the same corpus, and columns are found where people write them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from geceval import Corpus, CorpusFiles, GecevalWarning, read_corpus, read_table
from support.commands import run_main
from support.messages import message_of
from support.strategies import sentences
from support.written_files import write

Rows = Sequence[dict[str, Any]]


def as_columns(rows: Rows) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def by_place(values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(map(str, range(len(values))), values, strict=True))


def in_lines(values: Sequence[Any]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


#: Forms of rows: JSON Lines, arrays, objects over several lines, datasets, and the frames of pandas.
FORMS: dict[str, Callable[[Rows], str]] = {
    "lines": in_lines,
    "lines with commas": lambda rows: "".join(json.dumps(row) + ",\n" for row in rows),
    "lines with empty ones at the end": lambda rows: in_lines(rows) + "\n \r\n\n",
    "array": json.dumps,
    "array over lines": lambda rows: json.dumps(rows, indent=2, ensure_ascii=False),
    "array of lines": lambda rows: "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n",
    "objects over lines": lambda rows: "\n".join(json.dumps(row, indent=1) for row in rows),
    "dataset": lambda rows: json.dumps({"data": rows, "version": 2}),
    "only list": lambda rows: json.dumps({"my_rows": rows}),
    "orient table": lambda rows: json.dumps({"schema": {"fields": [{"name": "index"}]}, "data": rows}),
    "rows in an object": lambda rows: json.dumps({"id": "x", "results": {"version": 3, "results": rows}}),
    "orient list": lambda rows: json.dumps(as_columns(rows), indent=4),
    "orient columns": lambda rows: json.dumps({name: by_place(cells) for name, cells in as_columns(rows).items()}),
    "orient index": lambda rows: json.dumps(by_place(rows)),
    "orient split": lambda rows: json.dumps(
        {"columns": list(rows[0]), "index": list(range(len(rows))), "data": [list(row.values()) for row in rows]}
    ),
}


@pytest.mark.parametrize("form", FORMS)
@given(texts=st.lists(st.tuples(sentences, sentences), min_size=2, max_size=5))
def test_rows_in_every_form_are_the_same_corpus(
    tmp_path_factory: pytest.TempPathFactory, form: str, texts: list[tuple[str, str]]
) -> None:
    rows = [{"source": source, "hypothesis": text} for source, text in texts]
    path = write(tmp_path_factory.mktemp("form") / "t.json", FORMS[form](rows))
    expected = Corpus([row["source"] for row in rows], [], {"hypothesis": [row["hypothesis"] for row in rows]})
    files = CorpusFiles.of_table(path, blank="empty")
    assert files.read() == expected
    assert [*files.open().parts(2)] == [*expected.parts(2)]


def test_rows_by_key_have_the_key_in_a_column(tmp_path: Path) -> None:
    rows = {"s7": {"source": "a b", "output": "a c"}, "s3": {"source": "d e", "output": "f g"}}
    path = write(tmp_path / "t.json", json.dumps(rows))
    assert read_table(path, labels="id").labels == ["s7", "s3"]
    columns = {name: {key: row[name] for key, row in rows.items()} for name in ("source", "output")}
    path = write(tmp_path / "u.json", json.dumps(columns))
    assert read_table(path, labels="id").labels == ["s7", "s3"]


SOURCE = ["He go home .", "I has it ."]
FIXED = ["He goes home .", "I have it ."]
#: Rows of the outputs of libraries and services, without the sentences.
ANSWERS: dict[str, Callable[[str], Any]] = {
    "strings": lambda text: text,
    "objects": lambda text: {"output": text},
    "any field": lambda text: {"my_fix": text, "seconds": 0.2},
    "openai": lambda text: {
        "custom_id": "r-0", "response": {"body": {"choices": [{"message": {"role": "assistant", "content": text}}]}}
    },
    "anthropic": lambda text: {
        "custom_id": "r-0", "result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": text}]}}
    },
    "responses": lambda text: {"response": {"body": {"output": [{"content": [{"type": "text", "text": text}]}]}}},
    "gemini": lambda text: {
        "request": {"contents": [{"parts": [{"text": "Correct: …"}]}]},
        "response": {"candidates": [{"content": {"parts": [{"text": text}]}}]},
    },
    "bedrock": lambda text: {
        "recordId": "r0",
        "modelInput": {"messages": [{"content": [{"type": "text", "text": "Correct: …"}]}]},
        "modelOutput": {"content": [{"type": "text", "text": text}]},
    },
    "vllm": lambda text: {"prompt": "Correct: …", "outputs": [{"index": 0, "text": text}]},
    "ollama": lambda text: {"model": "m", "message": {"role": "assistant", "content": text}},
    "harness": lambda text: {"doc_id": 0, "target": "…", "resps": [[text]], "filtered_resps": [text]},
}  # fmt: skip


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("kind", ANSWERS)
def test_answers_are_a_system_by_table_and_by_file(tmp_path: Path, kind: str, ending: str) -> None:
    rows = [ANSWERS[kind](text) for text in FIXED]
    rows = rows[:1] + [json.loads(json.dumps(row).replace("r-0", "r-1").replace("r0", "r1")) for row in rows[1:]]
    path = write(tmp_path / f"m.{ending}", json.dumps(rows, indent=1) if ending == "json" else in_lines(rows))
    source = write(tmp_path / "s.txt", "".join(f"{line}\n" for line in SOURCE))
    assert read_corpus(source, [], [path]).systems == {"m": FIXED}
    if kind not in ("strings", "any field"):
        reference = write(tmp_path / "r.txt", "".join(f"{line}\n" for line in FIXED))
        words = ["score", "-s", source, "-r", reference, "-i", path, "-m", "green", "-q", "-f", "csv"]
        assert run_main(*map(str, words)).out.endswith(",100.00\n")


def test_paths_lead_through_lists(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    rows = [{"source": source, "n": [{"t": "x"}, {"t": [text]}]} for source, text in zip(SOURCE, FIXED, strict=True)]
    path = write(tmp_path / "t.jsonl", in_lines(rows))
    for name in ("n.1.t.0", "n[1].t[0]", "$.n[1].t[0]"):
        assert read_table(path, hypothesis=name).systems == {"n.1.t.0": FIXED}
    assert message_of(read_table, path, hypothesis="n.7.t") == snapshot
    path = write(tmp_path / "u.jsonl", in_lines([*rows, {"source": "a", "n": [{"t": "x"}]}]))
    assert message_of(read_table, path, hypothesis="n[1].t.0") == snapshot
    path = write(tmp_path / "v.jsonl", in_lines([*rows, {"source": "a", "n": [{"t": "x"}, {"t": "text"}]}]))
    assert message_of(read_table, path, hypothesis="n[1].t.0") == snapshot
    path = write(tmp_path / "w.jsonl", in_lines([{"source": "a", "n": None}, *rows]))
    assert message_of(read_table, path, hypothesis="n[1].t.0") == snapshot


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (["input", "output"], "source: input; systems: output"),
        (["translation.src", "translation.tgt", "hypothesis"],
         "source: translation.src; references: translation.tgt; systems: hypothesis"),
        (["input", "output", "prediction"], "source: input; references: output; systems: prediction"),
        (["original", "corrected", "output"], "source: original; references: corrected; systems: output"),
        (["source", "reference", "corrected"], "source: source; references: reference; systems: corrected"),
        (["src", "tgt", "hyp"], "source: src; references: tgt; systems: hyp"),
        (["incorrect", "correct", "pred"], "source: incorrect; references: correct; systems: pred"),
        (["Input", "Target 1", "Target 2", "Response"],
         "source: Input; references: Target 1, Target 2; systems: Response"),
        (["source", "hypothesis", "target", "output"], "source: source; references: target; systems: hypothesis"),
    ],
)  # fmt: skip
def test_less_usual_names_have_the_role_that_is_left(tmp_path: Path, names: list[str], roles: str) -> None:
    path = write(tmp_path / "t.jsonl", in_lines([dict.fromkeys(names, "a b")]))
    reference = ["-r", write(tmp_path / "r.txt", "a b\n")] if "references" not in roles else []
    table = run_main(*[*map(str, ["score", "-i", path, "-m", "green", *reference])])
    assert table.err.splitlines()[0] == f"note: {path}: {roles}"


def test_output_of_a_data_set_is_a_reference_beside_files_of_outputs(tmp_path: Path) -> None:
    rows = [{"input": line, "output": text} for line, text in zip(SOURCE, FIXED, strict=True)]
    data = write(tmp_path / "d.jsonl", in_lines(rows))
    outputs = write(tmp_path / "o.jsonl", in_lines([{"output": text} for text in SOURCE]))
    assert read_table([data, outputs]) == Corpus(SOURCE, [FIXED], {"output": SOURCE})
    both = write(tmp_path / "b.jsonl", data.read_bytes())
    assert [*read_table([data, both]).systems] == ["d", "b"]


def test_items_of_a_column_with_a_role_have_none(tmp_path: Path) -> None:
    rows = [{"text": source, "corrections": [text]} for source, text in zip(SOURCE, FIXED, strict=True)]
    corpus = read_table(write(tmp_path / "t.jsonl", in_lines(rows)))
    assert (corpus.references, corpus.systems) == ((FIXED,), {})


def test_answer_that_is_missing_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    failed = {"custom_id": "r-0", "result": {"type": "errored", "error": {"type": "x"}}}
    answer = ANSWERS["anthropic"](FIXED[1])
    path = write(tmp_path / "t.jsonl", in_lines([failed, answer]))
    source = write(tmp_path / "s.txt", "".join(f"{line}\n" for line in SOURCE))
    assert message_of(read_corpus, source, [], [path]) == snapshot
    path = write(tmp_path / "t.jsonl", in_lines([{"custom_id": "r-0", "created": 1}, answer, *[failed] * 6]))
    assert message_of(read_corpus, source, [], [path]) == snapshot


@pytest.mark.parametrize(
    "failed",
    [
        {"response": None, "error": {"code": "batch_expired"}},
        {"response": {"status_code": 500, "body": None}},
        {"response": {"status_code": 400, "body": {"error": {"message": "x"}}}},
        {"error": "timeout"},
        {"response": {"body": {"choices": [{"message": {"content": None}}]}}},
    ],
)
def test_failed_requests_are_blank(tmp_path: Path, failed: dict[str, Any]) -> None:
    answer = {"response": {"body": {"choices": [{"message": {"content": FIXED[0]}}]}}}
    path = write(tmp_path / "t.jsonl", in_lines([answer, failed]))
    source = write(tmp_path / "s.txt", "".join(f"{line}\n" for line in SOURCE))
    assert "t.jsonl:2: " in message_of(read_corpus, source, [], [path])
    assert read_corpus(source, [], [path], blank="empty").systems["t"] == [FIXED[0], ""]
    with pytest.warns(GecevalWarning, match="left out: 1 of 2 rows"):
        skipped = read_corpus(source, [], [path], skip_bad_rows=True)
    assert skipped.systems["t"] == [FIXED[0]]


def test_nan_is_missing(tmp_path: Path) -> None:
    row = {"source": "a b", "hypothesis": "c", "reference": math.nan, "reference 2": "d"}
    for text in (in_lines([row, row]), json.dumps([row, row])):
        assert read_table(write(tmp_path / "t.json", text)).references == ([None, None], ["d", "d"])


@pytest.mark.parametrize("value", ["NA", "nan", "None", "null", " "])
def test_words_for_missing_values_are_no_references(tmp_path: Path, value: str) -> None:
    path = write(
        tmp_path / "t.csv", f"source,hypothesis,reference 1,reference 2\na b,c,d e,{value}\n{value},c,d,{value}\n"
    )
    corpus = read_table(path, blank="missing")
    assert corpus.references == (["d e", "d"], [None, value])


def test_less_usual_names_need_sentences_and_no_gold(tmp_path: Path) -> None:
    row = {"source": "a b", "hypothesis": "a b", "label": "B1", "correct": True}
    assert read_table(write(tmp_path / "t.jsonl", in_lines([row]))).references == ()
    path = write(tmp_path / "u.jsonl", in_lines([row | {"label": "a b"}]))
    assert read_table(path).references == (["a b"],)
    gold = write(tmp_path / "g.m2", "S a b\n\n")
    assert read_table(path, gold=gold).references == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"source": ["a b", "c"], "hypothesis": ["a b"]}',
        '[{"source": "a b", "hypothesis": "c"}, 3]',
        '[\n{"source": "a b", "hypothesis": "c"},\n{"source": "a b", "hypothesis": 3}\n]',
        '[\n{"source": "a b", "hypothesis": "c"},\n{"source": "a b" "hypothesis": "c"}\n]',
        '[{"source": "a b", "hypothesis": "c"}',
        "[]",
        "\n\n",
        "3",
        '{"source": {"0": "a b"}, "hypothesis": {"0": null}}',
        '{"columns": ["source", "hypothesis"], "data": [["a b", "c"], ["a b", "c", "d"]]}',
        '{"columns": ["source", "hypothesis"], "data": [1]}',
        '{"columns": ["source", "source"], "data": [["a b", "c"]]}',
        '{"columns": ["source", ["hypothesis"]], "data": [["a b", "c"]]}',
    ],
)
def test_faults_are_located(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_table, write(tmp_path / "t.json", text)) == snapshot


def test_texts_in_several_columns_are_refused_with_a_hint_that_works(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rows = [{"first": text, "second": text} for text in FIXED]
    path, source = write(tmp_path / "m.json", json.dumps(rows)), write(tmp_path / "s.txt", "\n".join(SOURCE))
    assert message_of(read_corpus, source, [], [path]) == snapshot
    assert message_of(read_corpus, source, [path]) == snapshot
    assert message_of(read_corpus, path) == snapshot
    words = ["score", "-s", source, "-r", source, "-i", path, "--hypothesis-column", "first", "-m", "green", "-q"]
    assert run_main(*map(str, words)).status == 0


@pytest.mark.parametrize(
    "text", ['{"output": "a b"}\n\n{"output": "c"}\n', "[1, 2]", "He goes .\nI go .\n", "{'output': 'a'}\n"]
)
def test_texts_that_are_damaged_are_no_suggestions(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    source = write(tmp_path / "s.txt", "\n".join(SOURCE))
    assert message_of(read_corpus, source, [], [write(tmp_path / "m.jsonl", text)]) == snapshot


def test_a_chat_is_no_table_of_its_messages(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    chat = {"messages": [{"role": "user", "content": "a b"}, {"role": "assistant", "content": "a c"}]}
    path, source = write(tmp_path / "chat.jsonl", in_lines([chat])), write(tmp_path / "s.txt", "a b\nd\n")
    assert message_of(read_corpus, source, [], [path]) == snapshot
    table = read_table(path, source="messages.0.content", hypothesis="messages.1.content")
    assert table.systems == {"messages.1.content": ["a c"]}


def test_references_without_another_column_in_use_are_compared_by_their_lines(tmp_path: Path) -> None:
    """No row has a text to compare with those of other rows."""
    path = write(tmp_path / "edits.jsonl", '{"source": "a b", "edits": {}}\n')
    source, system = (write(tmp_path / name, "a b\n") for name in ("source.txt", "it.txt"))
    result = run_main("score", "-s", source, "-r", path, "-c", system, "-m", "green")
    assert (result.status in (0, 2), "Traceback" in result.err) == (True, False), result.err
