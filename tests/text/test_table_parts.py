"""A folder or a pattern of Parquet parts is one table."""

from __future__ import annotations

from pathlib import Path

import pytest

import geceval
from geceval.base.errors import InputError, UsageError
from text.test_tables import as_parquet

COLUMNS = {
    "source": [f"He go {n} ." for n in range(7)],
    "hypothesis": [f"He goes {n} ." for n in range(7)],
    "reference": [f"He went {n} ." for n in range(7)],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table in three parts, as Spark writes it."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, rows in enumerate((slice(0, 3), slice(3, 4), slice(4, 7))):
        part = {name: values[rows] for name, values in COLUMNS.items()}
        (folder / f"part-{number:05d}.snappy.parquet").write_bytes(as_parquet(part))
    (folder / "_SUCCESS").touch()
    (folder / ".part-00000.parquet").touch()
    return folder


@pytest.mark.parametrize("form", ["{}", "{}/*.parquet", "{}/part-*"])
def test_parts_are_one_table(folder: Path, tmp_path: Path, form: str) -> None:
    (tmp_path / "whole.parquet").write_bytes(as_parquet(COLUMNS))
    whole = geceval.CorpusFiles.of_table(str(tmp_path / "whole.parquet")).open()
    parts = geceval.CorpusFiles.of_table(form.format(folder)).open()
    assert parts.whole() == whole.whole()
    assert parts.sentences == 7
    for size in (1, 2, 5):
        assert [*parts.parts(size)] == [*whole.parts(size)]


def test_errors_name_the_part_and_its_row(folder: Path) -> None:
    columns = {name: values[4:7] for name, values in COLUMNS.items()} | {"hypothesis": ["a", None, "b"]}
    (folder / "part-00002.snappy.parquet").write_bytes(as_parquet(columns))
    with pytest.raises(InputError, match=r"part-00002.snappy.parquet: row 2: hypothesis: a sentence must be text"):
        geceval.read_table(str(folder))


def test_parts_with_other_columns_and_empty_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "part-00003.snappy.parquet").write_bytes(as_parquet({"source": ["a"], "text": ["b"]}))
    with pytest.raises(InputError, match=r"part-00003.snappy.parquet: the columns are source, text; in "):
        geceval.read_table(str(folder))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the folder has no Parquet files"):
        geceval.read_table(str(tmp_path / "empty"))
    with pytest.raises(InputError, match="no file has a name of this pattern"):
        geceval.read_table(str(tmp_path / "none*.parquet"))
    (tmp_path / "a.csv").touch()
    with pytest.raises(UsageError, match="the parts of a table are Parquet files"):
        geceval.read_table(str(tmp_path / "*.csv"))


def test_parts_given_as_tables_have_the_hint_of_the_pattern(folder: Path) -> None:
    parts = sorted(map(str, folder.glob("part-*")))[::2]  # of the same length
    with pytest.raises(InputError, match="the source differs") as error:
        geceval.read_table(parts)
    assert str(error.value.hint) == f'table="{folder}/*.parquet" reads the parts of one table'
    pattern = str(folder / "*.parquet")
    assert len(geceval.read_table(pattern)) == 7


@pytest.mark.parametrize("form", ["{}", "{}/*.parquet"])
def test_parts_are_in_the_order_of_their_numbers(tmp_path: Path, form: str) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    outputs = [f"He goes {number} ." for number in range(12)]
    for number, output in enumerate(outputs):
        columns = {"source": [output], "hypothesis": [output], "reference": [output]}
        (folder / f"part.{number}.parquet").write_bytes(as_parquet(columns))
    corpus = geceval.CorpusFiles.of_table(form.format(folder)).open().whole()
    assert list(corpus.systems["hypothesis"]) == outputs


def test_folder_of_datasets_is_named_with_the_step_that_writes_a_table(tmp_path: Path) -> None:
    (tmp_path / "data-00000-of-00001.arrow").write_bytes(b"")
    with pytest.raises(InputError, match="the folder has no Parquet files") as caught:
        geceval.read_table(str(tmp_path))
    assert f"datasets.load_from_disk({str(tmp_path)!r}).to_parquet" in str(caught.value.hint)
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["test"]}')
    with pytest.raises(InputError) as caught:
        geceval.read_table(str(tmp_path))
    assert "['SPLIT'].to_parquet" in str(caught.value.hint)
