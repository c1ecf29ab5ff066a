"""``geceval filter``: pairs that meet a condition, in all formats."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from support.commands import Result, Run

HAS_ARROW = importlib.util.find_spec("pyarrow") is not None
FILES = ("-s", "source.txt", "-c", "systems/noisy.txt")
TEXTS = (*FILES, "-r", "ref0.txt", "ref1.txt")
needs_arrow = pytest.mark.skipif(not HAS_ARROW, reason="no pyarrow here")
pytestmark = pytest.mark.usefixtures("examples")


def lines_of(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").splitlines()


def is_above_30(precision: float | None) -> bool:
    """Conditions take the precision of no edits as 1."""
    return precision is None or precision > 0.3


@pytest.mark.usefixtures("small_parts")
def test_pairs_that_pass_are_written_in_all_formats(run: Run, tmp_path: Path) -> None:
    scores = run("score", *TEXTS, "-m", "green,errant", "--level", "sentence", "-f", "jsonl", "--parts").out
    rows = [json.loads(text) for text in scores.splitlines()]
    passing = [
        row["line"]
        for row in rows
        if 0.6 <= row["scores"]["noisy"]["green"] < 1 and is_above_30(row["parts"]["noisy"]["errant"]["precision"])
    ]
    assert 0 < len(passing) < 40
    texts = [lines_of(name) for name in ("source.txt", "systems/noisy.txt", "ref0.txt", "ref1.txt")]
    expected = [[str(at), *(text[at - 1] for text in texts)] for at in passing]
    note = f"note: kept {len(passing)} of 40 pairs ({len(passing) / 0.4:.2f} %)\n"
    line = ("filter", *TEXTS, "--keep", "green >= 60 and errant.precision > 30 and GREEN < 100")
    for form, delimiter in (("tsv", "\t"), ("csv", ",")):
        target = tmp_path / f"kept.{form}"
        assert run(*line, "-o", target) == Result(0, "", note)
        with target.open(encoding="utf-8", newline="") as file:
            head, *rows_of_pairs = csv.reader(file, delimiter=delimiter)
        assert head == ["line", "source", "hypothesis", "reference0", "reference1", "GREEN", "ERRANT"]
        assert [row[:5] for row in rows_of_pairs] == expected
    assert run(*line).out == (tmp_path / "kept.tsv").read_text(encoding="utf-8")
    kept = list(map(json.loads, run(*line, "-f", "jsonl", "-q").out.splitlines()))
    assert [row["line"] for row in kept] == passing
    assert kept[0]["references"] == expected[0][3:]
    assert kept[0]["scores"] == rows[passing[0] - 1]["scores"]["noisy"]
    assert "parts" not in kept[0]
    pair = tmp_path / "kept.src", tmp_path / "kept.hyp"
    assert run(*line, "--keep-out", *pair) == Result(0, "", note)
    assert [lines_of(str(path)) for path in pair] == [[row[at] for row in expected] for at in (1, 2)]


def test_features_need_no_references_and_no_metric(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "pairs.jsonl"
    pairs = [("He go .", "He goes ."), ("Fine .", "Fine ."), ("He go .", "He goes ."), ("a", "a b c d")]
    table.write_text("".join(json.dumps({"source": source, "hypothesis": text}) + "\n" for source, text in pairs))
    for condition, expected in (
        ("not identical", [1, 3, 4]),
        ("edits > 0 and not duplicate", [1, 4]),
        ("edits.R:VERB:SVA == 1 or duplicate", [1, 3]),
        ("length_ratio < 2", [1, 2, 3]),
    ):
        result = run("filter", "-i", table, "--keep", condition, "-q")
        assert result.status == 0
        head, *rows = [row.split("\t") for row in result.out.splitlines()]
        assert head == ["line", "source", "hypothesis"]
        assert [int(row[0]) for row in rows] == expected
        assert [tuple(row[1:]) for row in rows] == [pairs[at - 1] for at in expected]


def test_metrics_of_options_and_condition_are_written_with_parts(run: Run) -> None:
    result = run("filter", *TEXTS, "--keep", "errant >= 50", "-m", "green:beta=0.5", "gleu", "--parts", "-f", "jsonl")
    row = json.loads(result.out.splitlines()[0])
    assert list(row["scores"]) == ["green", "gleu", "errant"]
    assert list(row["parts"]["errant"]) == ["precision", "recall"]


def test_metric_of_the_run_is_found_by_its_name(run: Run) -> None:
    line = ("filter", *TEXTS, "-m", "green:beta=0.5", "green:beta=2", "-f", "jsonl", "-q", "--keep")
    outputs = {run(*line, f"{name} >= 70").out for name in ("green:beta=0.5", "GREEN beta=0.5", "Green:beta=.50")}
    assert len(outputs) == 1
    assert outputs != {run(*line, "green:beta=2 >= 70").out}


@needs_arrow
def test_parquet_has_the_rows_of_json_lines(run: Run, tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    line = ("filter", *TEXTS, "--keep", "green > 50")
    assert run(*line, "-o", tmp_path / "kept.parquet").status == 0
    rows = parquet.read_table(tmp_path / "kept.parquet").to_pylist()
    kept = list(map(json.loads, run(*line, "-f", "jsonl").out.splitlines()))
    assert [{"scores": {"green": row.pop("GREEN")}, **row} for row in rows] == kept


def test_texts_are_written_without_their_preparation(run: Run, tmp_path: Path) -> None:
    for name, text in (("source", "He go.\n"), ("hypothesis", "He goes,  now.\n"), ("reference", "He goes now.\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ("-s", tmp_path / "source", "-r", tmp_path / "reference", "-c", tmp_path / "hypothesis")
    line = ("filter", *files, "--tokenise", "english", "--normalise", "nfkc", "-q", "-f", "jsonl")
    row = json.loads(run(*line, "--keep", "green <= 99 and length_ratio > 1.6").out)
    assert (row["source"], row["hypothesis"], row["references"]) == ("He go.", "He goes,  now.", ["He goes now."])


def test_system_of_edits_is_written_as_text(run: Run, tmp_path: Path) -> None:
    edits = tmp_path / "noisy.m2"
    assert run("annotate", "-s", "source.txt", "-c", "systems/noisy.txt", "-o", edits).status == 0
    line = ("filter", "--gold", "gold.m2", "-c", edits, "--keep", "errant >= 50 and edits < 3")
    rows = list(map(json.loads, run(*line, "-f", "jsonl", "-q").out.splitlines()))
    texts = lines_of("systems/noisy.txt")
    assert rows
    assert all((row["hypothesis"], row["references"]) == (texts[row["line"] - 1], []) for row in rows)


def test_missing_references_are_null_or_refused(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "ragged.jsonl"
    table.write_text(
        '{"source": "a", "references": ["b", null], "hypothesis": "c"}\n'
        '{"source": "a", "references": [null, "b", null], "hypothesis": "c"}\n'
    )
    line = ("filter", "-i", table, "--keep", "green <= 99", "-f")
    references = [json.loads(row)["references"] for row in run(*line, "jsonl").out.splitlines()]
    assert references == [["b", None], [None, "b", None]]
    again = tmp_path / "again.tsv"
    again.write_text(run(*line, "tsv").out, encoding="utf-8")
    assert '["b",null]' in again.read_text(encoding="utf-8")
    assert run("score", "-i", again, "-m", "green", "-q").out == run("score", "-i", table, "-m", "green", "-q").out
    source = tmp_path / "source.txt"
    source.write_text("a\n", encoding="utf-8")
    files = ("-s", source, "-c", source, "--reference-column", "references")
    one = tmp_path / "one.jsonl"
    one.write_text('{"references": [null, "b"]}\n', encoding="utf-8")
    refused = run("filter", "-i", one, *files, "--keep", "green <= 101", "-f", "tsv")
    assert refused.out == 'line\treferences\tGREEN\n1\t[null,"b"]\t0.00\n'


def test_text_with_a_tab_is_refused_in_tsv(run: Run, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for name in ("source", "hypothesis"):
        (tmp_path / name).write_text('a "b" c .\n" a\tb\n', encoding="utf-8")
    files = ("-s", tmp_path / "source", "-c", tmp_path / "hypothesis", "--no-checks")
    line = ("filter", *files, "--keep", "length_ratio < 2", "-q")
    assert run(*line, "-o", tmp_path / "kept.tsv") == snapshot
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("kept")]
    rows = list(csv.reader(run(*line, "-f", "csv").out.splitlines()))
    assert [row[1] for row in rows[1:]] == ['a "b" c .', '" a\tb']


@pytest.mark.parametrize("name", ["tgt", "target", "reference", "corrected"])
def test_only_correction_of_a_table_is_the_system(run: Run, tmp_path: Path, name: str) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text(f"src\t{name}\nHe go .\tHe goes .\nFine .\tFine .\n", encoding="utf-8")
    note = f"note: {table}: source: src; systems: {name}\nnote: kept 1 of 2 pairs (50.00 %)\n"
    rows = f"line\tsrc\t{name}\n1\tHe go .\tHe goes .\n"
    assert run("filter", "-i", table, "--keep", "edits > 0") == Result(0, rows, note)
    refused = run("filter", "-i", table, "--keep", "green > 0")
    hint = f"--reference-column COL, one of src, {name}; or -r FILE or --gold FILE"
    assert refused == Result(2, "", f"error: GREEN needs references\n  hint: {hint}\n")


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--keep=",
        "--keep green>50 -f table",
        "--keep green>50 -o x.md",
        "--keep green>50 -c ref0.txt ref1.txt",
        "--keep green>50 --keep-out a -",
        "--keep green>50 --keep-out a a",
        "--keep green>50 --keep-out a b --signatures b",
        "--keep green>50 --keep-out a ref0.txt",
        "--keep green>50 --keep-out a b -o -",
        "--keep green>50 --judge rate=60",
        "--keep green>=70 -m green:beta=0.5 green:beta=2",
    ],
)
def test_invalid_condition_or_options_are_refused(run: Run, options: str, snapshot: SnapshotAssertion) -> None:
    assert run("filter", *TEXTS, *options.split()) == snapshot
    assert not list(Path().glob("x.*"))


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    ("condition", "is_warned"),
    [("green >= 50", True), ("green:orders=present >= 50", False), ("errant >= 50", False), ("edits < 2", False)],
)
def test_short_sentences_that_cannot_pass_are_warned_of(
    run: Run, tmp_path: Path, condition: str, is_warned: bool
) -> None:
    source, target = (tmp_path / name for name in ("source.txt", "target.txt"))
    source.write_text("He go home now .\n" * 30 + "Go !\n", encoding="utf-8")
    target.write_text("He goes home .\n" * 30 + "Go !\n", encoding="utf-8")
    completed = run("filter", "-s", source, "-r", target, "-c", target, "--keep", condition)
    message = "GREEN: a perfect correction of fewer than 4 tokens has the lowest score: leave them out"
    assert (message in completed.err) is is_warned


def test_type_that_no_edit_has_is_a_warning(run: Run, snapshot: SnapshotAssertion) -> None:
    line = ("filter", *TEXTS, "--keep", "green <= 100 or edits.VREB > 0", "-f", "jsonl")
    result = run(*line)
    assert (result.status, result.err) == (0, snapshot)
    assert run(*line, "-q").err == result.err.splitlines(keepends=True)[0]


def test_input_of_unequal_length_writes_no_file(run: Run, tmp_path: Path) -> None:
    for name, number in (("source", 3), ("hypothesis", 2)):
        (tmp_path / name).write_text("a\n" * number, encoding="utf-8")
    files = ("-s", tmp_path / "source", "-c", tmp_path / "hypothesis")
    assert run("filter", *files, "--keep", "not duplicate", "-o", tmp_path / "kept.tsv").status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hypothesis", "source"]


# --- columns of the user's table ---

ROWS = [
    {"id": "a", "gen": "m1", "source": "Tom sing .", "hypothesis": "Tom sings .", "score": 0.7, "tags": ["x"]},
    {"id": "b", "gen": "m2", "source": "We was .", "hypothesis": "We was .", "score": None, "tags": []},
    {"id": "c", "gen": "m1", "source": "I has it .", "hypothesis": "I have it .", "score": 0.2, "tags": None},
]


@pytest.fixture
def rows_file(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ('gen == "m1"', "ac"),
        ("gen != 'm1'", "b"),
        ('not gen == "m1"', "b"),
        ("score > 0.5", "a"),
        ("not score > 0.5", "c"),
        ('gen == "m1" and (score < 0.5 or identical)', "c"),
        ('tags == ""', "c"),
    ],
)
def test_columns_are_conditions_and_are_kept(
    run: Run, tmp_path: Path, rows_file: str, condition: str, ids: str
) -> None:
    assert "".join(json.loads(line)["id"] for line in kept(run, rows_file, condition, "jsonl").splitlines()) == ids
    rows = [{"line": number, **row} for number, row in enumerate(ROWS, 1) if row["id"] in ids]
    assert [json.loads(line) for line in kept(run, rows_file, condition, "jsonl").splitlines()] == rows
    lines = kept(run, rows_file, condition, "csv").splitlines()
    assert lines[0] == "line,id,gen,source,hypothesis,score,tags"
    again = tmp_path / "again.csv"
    again.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert kept(run, str(again), condition, "csv").splitlines() == lines  # the column line is kept, too


def test_items_of_lists_are_no_columns(run: Run, tmp_path: Path, rows_file: str) -> None:
    result = run("filter", "-i", rows_file, "--keep", 'tags.0 == "x"')
    assert (result.status, result.err.startswith("error: unknown name 'tags.0'")) == (2, True), result.err


def kept(run: Run, path: str, condition: str, format: str) -> str:
    result = run("filter", "-i", path, "--keep", condition, "-f", format)
    assert result.status == 0, result.err
    return result.out


def test_columns_are_kept_in_parquet_with_their_types(run: Run, tmp_path: Path, rows_file: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "kept.parquet"
    run("filter", "-i", rows_file, "--keep", "edits >= 0", "-o", str(target))
    table = parquet.read_table(target)
    assert table.to_pylist() == [{"line": number, **row} for number, row in enumerate(ROWS, 1)]
    assert str(table.schema.field("score").type) == "double"
    run("filter", "-i", rows_file, "--keep", 'gen == "none"', "-o", str(target))
    assert parquet.read_table(target).num_rows == 0


def test_columns_of_parquet_keep_their_types_across_row_groups(run: Run, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    path, target = tmp_path / "rows.parquet", tmp_path / "kept.parquet"
    level = arrow.array(["A1", None, "B2"] * 10).dictionary_encode()
    columns = {
        "source": arrow.array(["a b", "c d", "e f"] * 10),
        "hypothesis": arrow.array(["a b", "c", "e g"] * 10, arrow.large_string()),
        "level": level,
        "year": arrow.array([2020, 2021, None] * 10, arrow.int16()),
        "day": arrow.array(list(range(30)), arrow.date32()),
        "tags": arrow.array([["x"], [], None] * 10),
    }
    table = arrow.table(columns)
    parquet.write_table(table, path, row_group_size=7)
    assert run("filter", "-i", path, "--keep", 'not identical and level != "A1"', "-o", target).status == 0
    kept_rows = parquet.read_table(target)
    assert kept_rows.drop_columns(["line"]).schema.equals(table.schema)
    assert kept_rows.drop_columns(["line"]).to_pylist() == [row for n, row in enumerate(table.to_pylist()) if n % 3]
    rows = kept(run, str(path), "year >= 2021", "csv").splitlines()
    assert rows[1] == "2,c d,c,,2021,1970-01-02,[]"


@pytest.mark.usefixtures("small_parts")
def test_columns_stay_with_their_rows_next_to_a_row_with_many_references(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geceval.text.reading.corpus_files.MOST_VERSIONS", 4)
    monkeypatch.setattr("geceval.text.corpus.MOST_VERSIONS", 4)
    numbers = [2, 3, *[1] * 9, 9, 1]
    rows = [
        {"source": f"a {n}", "hypothesis": f"b {n}", "references": [f"b {n} {r}" for r in range(number)], "id": f"i{n}"}
        for n, number in enumerate(numbers)
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    written = map(json.loads, kept(run, str(path), 'green >= 0 and id != "i3"', "jsonl").splitlines())
    others = [row for row in rows if row["id"] != "i3"]
    columns = ("source", "hypothesis", "id")
    assert [[row[name] for name in columns] for row in written] == [[row[name] for name in columns] for row in others]


def test_bad_utf8_in_another_column_of_parquet_is_reported(run: Run, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    note = arrow.array([b"ok", b"\xff"]).view(arrow.string())
    path = tmp_path / "rows.parquet"
    parquet.write_table(arrow.table({"source": ["a", "b"], "hypothesis": ["a", "b"], "note": note}), path)
    result = run("filter", "-i", path, "--keep", "identical", "-o", tmp_path / "kept.parquet")
    assert (result.status, "rows.parquet: cannot be read as Parquet: " in result.err) == (2, True), result.err


def test_rows_may_lack_columns_and_scores_have_names_of_their_own(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"source": "a", "hypothesis": "b", "edits of b": 1}, {"source": "a", "hypothesis": "b"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert kept(run, str(path), "edits of b == 1", "csv").splitlines()[1:] == ["1,a,b,1"]
    table = tmp_path / "t.csv"
    table.write_text("source,reference,hypothesis,GREEN\na b,a c,a c,7\n", encoding="utf-8")
    head, row = kept(run, str(table), "green >= 0", "csv").splitlines()
    assert (head, row) == ("line,source,reference,hypothesis,GREEN,GREEN 2", "1,a b,a c,a c,7,0.00")


@pytest.mark.parametrize("condition", ["gen == m1", 'gen > "m1"', "gen > 3", "gen", 'edits == "m1"', 'gem == "m1"'])
def test_conditions_on_columns_that_are_refused(
    run: Run, rows_file: str, condition: str, snapshot: SnapshotAssertion
) -> None:
    result = run("filter", "-i", rows_file, "-q", "--keep", condition)
    assert (result.status, result.err) == snapshot


@pytest.mark.usefixtures("small_parts")
def test_cell_that_is_not_a_number_leaves_the_rows_of_the_parts_before(run: Run, tmp_path: Path) -> None:
    cells = [*map(str, range(30)), "thirty", *map(str, range(31, 40))]
    rows = [f"a {number}\tb {number}\t{cell}\n" for number, cell in enumerate(cells)]
    table, partial = tmp_path / "in.tsv", tmp_path / "out.tsv.partial"
    table.write_text("".join(["source\thypothesis\tscore\n", *rows]), encoding="utf-8")
    kept = []
    for threads in ("1", "2"):
        line = ("filter", "-i", table, "--keep", "score >= 0", "-o", tmp_path / "out.tsv", "-j", threads, "-q")
        result = run(*line)
        assert result.status == 2
        assert "sentence 31: score is not a number: 'thirty'" in result.err
        kept.append(partial.read_text(encoding="utf-8").splitlines())
        partial.unlink()
    assert kept[0] == kept[1]
    assert 10 < len(kept[0]) <= 31


@pytest.mark.parametrize("rows", [0, 39, 40, 41])
def test_table_without_a_text_has_a_row_for_each_pair(rows: int, tmp_path: Path, run: Run, examples: Path) -> None:
    table = tmp_path / "levels.csv"
    table.write_text("id,level\n" + "".join(f"{row},B1\n" for row in range(rows)), encoding="utf-8")
    output, texts = tmp_path / "kept.tsv", ["-s", "source.txt", "-c", "systems/eager.txt"]
    result = run("filter", *texts, "-i", table, "--keep", "edits > 0", "-o", output)
    assert result.status == (0 if rows == 40 else 2), result.err
    assert output.exists() == (rows == 40)
    assert rows == 40 or f"error: {table} has " in result.err


def test_unnamed_column_is_kept_with_the_others(tmp_path: Path, run: Run) -> None:
    table = tmp_path / "t.csv"
    table.write_text("source,hypothesis,\na b,a c,note\n", encoding="utf-8")
    result = run("filter", "-i", table, "--keep", "edits > 0", "-f", "csv", "-q")
    assert (result.status, result.out.splitlines()[-1]) == (0, "1,a b,a c,note"), result.err
