"""Recognise published data files by their checksums."""

from __future__ import annotations

import functools
import io
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from geceval.base.data_files import table_rows
from geceval.text.files import has_ending, is_read_once, open_bytes

#: Number of characters that are read at a time.
PART = 1 << 20


@dataclass(frozen=True)
class KnownFile:
    """A file with a checksum.

    Attributes:
        checksum: The ``text_checksum`` of its content.
        id: Name in suites, such as ``@conll14/gold`` without ``@``.
        name: Published file name.
        origin: Place of publication.
        path: Path below the data folder (None: any file with the checksum).
    """

    checksum: str
    id: str
    name: str
    origin: str = ""
    path: str | None = None

    def __str__(self) -> str:
        origin = f", {self.origin}" if self.origin else ""
        return f"@{self.id} is {self.name}, SHA-256 {self.checksum[:16]}…{origin}"

    @property
    def is_m2(self) -> bool:
        """Whether it contains edits; CLEME publishes edits of ERRANT as ``.errant``."""
        return has_ending(self.name, ".m2", ".errant")


@functools.cache
def known_files() -> Mapping[str, KnownFile]:
    """Return the published files by id."""
    files = (KnownFile(*row) for row in table_rows(Path(__file__).with_suffix(".tsv")))
    return {file.id: file for file in files}


def text_checksum(path: str, longest: int | None = None) -> str | None:
    """Return the SHA-256 of a file with LF line ends, without byte order mark.

    The last line has a line end as well. The file may be compressed. None if the text is longer than ``longest``
    characters, the rest of which are not read.

    Raises InputError if the file cannot be read.
    """
    digest, length, last = sha256(), 0, ""
    with (
        open_bytes(path, tracked=False) as stream,
        io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline=None) as text,
    ):
        while part := text.read(PART):
            digest.update(part.encode("utf-8", "surrogateescape"))
            length, last = length + len(part), part[-1]
            if longest is not None and length > longest:
                return None
    if last != "\n":
        digest.update(b"\n")
    return digest.hexdigest()


def files_below(folder: str, refused: Callable[[OSError], None]) -> Iterator[str]:
    """Yield the files in a folder and its subfolders, by path.

    Hidden files, pipes and links to folders are left out. ``refused`` receives errors of folders.
    """
    for root, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = str(Path(root, name))
            if not name.startswith(".") and not is_read_once(path):
                yield path if path != "-" else "./-"  # "-" is standard input
