"""Fingerprints of data files: the checksum of the bytes, and cheap ones of what is left when a copy is damaged in the
usual ways, so that a near copy is known, too."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

#: Lines that are sampled of a file, evenly; hexadecimal digits of a derived checksum, and of that of a line.
SAMPLED, SHORT, LINE = 16, 16, 6
#: Characters of a line that tells of what file it is.
TELLING = 20

_QUOTES = str.maketrans({**dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‘’‚‛`´", "'")})
_M2 = re.compile(r"^A [^|]*(?:\|\|\|[^\n]*)\|\|\|(\d+)$")


@dataclass(frozen=True)
class Fingerprint:
    """What is known of a file's content.

    ``marks``: how its lines end and what stands before the first (``CRLF``, ``BOM``, ``no newline at the end``).
    ``plain`` is of the lines without that, ``stripped`` without blanks at their ends, ``bare`` without any white space,
    case, compatibility forms of Unicode or kind of quotes; of an M2 file, of its sentences alone. ``annotators``: of an
    M2 file, its sentences with each annotator's edits. ``sample``: checksums of some lines that stand about evenly
    apart, by their place from 0 on.
    """

    sha256: str
    lines: int
    tokens: int
    marks: tuple[str, ...]
    plain: str
    stripped: str
    bare: str
    annotators: tuple[str, ...]
    sample: Mapping[int, str]


def split_lines(text: str) -> list[str]:
    """Its lines as corpora have them: a byte order mark, the kind of line end and that of the last line say nothing."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def fingerprint(data: bytes) -> Fingerprint | None:
    """The fingerprint of a text; None for what is not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    lines = split_lines(text)
    return Fingerprint(
        sha256(data).hexdigest(),
        len(lines),
        sum(len(line.split()) for line in lines),
        _find_marks(text),
        checksum(lines),
        checksum(line.strip(" \t") for line in lines),
        checksum(map(bare, sentences(lines) if looks_like_m2(lines) else lines)),
        tuple(annotators(lines).values()),
        {at: line_sum(lines[at]) for at in _sampled_places(lines)},
    )


def checksum(lines: Iterable[str]) -> str:
    """Of lines that end in ``\\n``."""
    found = sha256()
    for line in lines:
        found.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()[:SHORT]


def line_sum(line: str) -> str:
    """Of a line, without blanks at its ends."""
    return sha256(line.strip(" \t").encode("utf-8", "surrogatepass")).hexdigest()[:LINE]


def _sampled_places(lines: Sequence[str]) -> list[int]:
    """Where the sampled lines of a file stand: lines that say something and are there once."""
    times = Counter(lines)
    telling = [at for at, line in enumerate(lines) if len(line) >= TELLING and times[line] == 1]
    return [telling[at * len(telling) // SAMPLED] for at in range(SAMPLED)] if len(telling) >= SAMPLED else []


def bare(line: str) -> str:
    """A line without what preparation changes."""
    if line.isascii():
        return "".join(line.replace("`", "'").replace("''", '"').casefold().split())
    line = line.translate(_QUOTES).replace("''", '"')
    return "".join(unicodedata.normalize("NFKC", line).casefold().split())


def looks_like_m2(lines: Sequence[str]) -> bool:
    """Whether lines are those of an M2 file."""
    first = next((line for line in lines if line), "")
    return first.startswith("S ") and any(line.startswith("A ") for line in lines)


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """The sentences of an M2 file."""
    return (line[2:] for line in lines if line.startswith("S ") or line == "S")


def annotators(lines: Sequence[str]) -> dict[int, str]:
    """Annotator -> checksum of an M2 file's sentences with the edits of that annotator alone."""
    if not looks_like_m2(lines):
        return {}
    edits: dict[int, list[str]] = {}
    number = 0
    for line in lines:
        number += line.startswith("S ")
        if found := _M2.match(line):
            edits.setdefault(int(found[1]), []).append(f"{number} {line.rpartition('|||')[0]}")
    source = list(sentences(lines))
    return {annotator: checksum([*source, *edits[annotator]]) for annotator in sorted(edits)}


def _find_marks(text: str) -> tuple[str, ...]:
    unended = text != "" and not text.endswith(("\n", "\r"))
    marks = {"BOM": text.startswith("\ufeff"), "CRLF": "\r\n" in text, "no newline at the end": unended}
    return tuple(mark for mark, found in marks.items() if found)
