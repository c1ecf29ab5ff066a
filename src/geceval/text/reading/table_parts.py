"""Tables in parts: the Parquet files in a folder or of a pattern are one table."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from geceval.base.errors import InputError, UsageError
from geceval.text.files import by_numbers, display_name, is_file, is_folder, path_text
from geceval.text.reading.file_columns import FileContent, Format, Portion
from geceval.text.reading.input_files import InputFile

#: Ending of parts, and first characters of names of files that are none, such as _SUCCESS of Spark.
PARQUET = ".parquet"
_HIDDEN = (".", "_")


def parts_of(path: str) -> list[str]:
    """Return the Parquet files in a folder or of a pattern, by name, with numbers by value; empty for one file.

    Raises InputError without any.
    """
    path = path_text(path)
    if is_folder(path):
        candidates = sorted(map(str, Path(path).rglob(f"*{PARQUET}")), key=by_numbers)
    elif glob.has_magic(path) and not is_file(path):
        candidates = sorted(glob.glob(path, recursive=True), key=by_numbers)  # noqa: PTH207, the pattern has its folder
    else:
        return []
    parts = [part for part in candidates if is_file(part) and not Path(part).name.startswith(_HIDDEN)]
    if not parts:
        message = "the folder has no Parquet files" if is_folder(path) else "no file has a name of this pattern"
        hint = "the parts of a table are named *.parquet"
        if is_folder(path) and any(Path(path).rglob("*.arrow")):  # datasets.Dataset.save_to_disk
            split = "['SPLIT']" if (Path(path) / "dataset_dict.json").exists() else ""
            hint = f"datasets.load_from_disk({path!r}){split}.to_parquet('FILE.parquet') writes a table"
        raise InputError(message, path=display_name(path), hint=hint)
    if foreign := [part for part in parts if not part.endswith(PARQUET)]:
        raise UsageError(f"{display_name(foreign[0])}: the parts of a table are Parquet files")
    return parts


def open_parts(path: str, parts: Sequence[str], format: Format) -> FileContent:
    """Return the content of a table in parts.

    Args:
        path: The folder or pattern, which names the table.
        parts: The files.
        format: Opens a part.

    Raises:
        InputError: If a part has other columns than the first one.
    """
    contents = [format(InputFile(part)) for part in parts]
    names = contents[0].names
    for content in contents:
        if list(content.names) != list(names):
            message = f"the columns are {', '.join(content.names)}; in {contents[0].file.name}: {', '.join(names)}"
            raise content.file.error(message)

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        for content in contents:
            yield from content.read(columns, size)

    def read_cells(size: int) -> Iterator[Portion]:
        for content in contents:
            cells: Callable[[int], Iterator[Portion]] | None = content.read_cells
            yield from content.read(range(len(names)), size) if cells is None else cells(size)

    rows = sum(content.rows or 0 for content in contents)
    return FileContent(InputFile(path), names, read, read_cells=read_cells, rows=rows, parts=contents)
