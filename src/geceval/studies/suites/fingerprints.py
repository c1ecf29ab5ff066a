"""Compute fingerprints of data files.

A fingerprint contains a checksum of the bytes, and checksums that survive the usual damages of copies, so that near
copies are recognised as well.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from zlib import crc32

#: Number of sampled lines of a file; hexadecimal digits of a derived checksum, and of a line's checksum.
SAMPLED, SHORT, LINE = 16, 16, 6
#: Smallest number of characters of a line that identifies its file.
IDENTIFYING = 20
#: Number of bands of lines, and the modulus of their sums.
BANDS, PRIME = 16, 2**31 - 1

_QUOTES = str.maketrans({**dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‘’‚‛`´", "'")})
_M2 = re.compile(r"^A [^|]*(?:\|\|\|[^\n]*)\|\|\|(\d+)$")


@dataclass(frozen=True)
class Fingerprint:
    """Fingerprint of a file's content.

    Attributes:
        sha256: Checksum of the bytes.
        lines: Number of lines.
        tokens: Number of tokens.
        marks: ``CRLF``, ``BOM`` and ``no newline at the end``, as far as they apply.
        plain: Checksum of the lines without ``marks``.
        bare: Checksum of the lines without white space, case, Unicode compatibility forms and kinds of quotes; for an
            M2 file, of its sentences only.
        annotators: Checksums of an M2 file's sentences with each annotator's edits.
        sample: Checksums of about evenly spaced lines, by index.
        bands: Sums of the checksums of lines without blanks at their ends, in each of BANDS bands: plain, and times the
            number of the line.
    """

    sha256: str
    lines: int
    tokens: int
    marks: tuple[str, ...]
    plain: str
    bare: str
    annotators: tuple[str, ...]
    sample: Mapping[int, str]
    bands: tuple[tuple[int, int], ...]

    def equal_bands(self, other: Fingerprint) -> int:
        """Return the number of equal bands of two files with as many lines, else 0."""
        pairs = zip(self.bands, other.bands, strict=True)
        return sum(own == theirs for own, theirs in pairs) if self.lines == other.lines else 0

    def first_difference(self, other: Fingerprint) -> tuple[int, int] | None:
        """Return the first and the last line between which two files begin to differ.

        Lines are counted from 1, and both files have as many. Both are the same line if no other line of its band
        differs: the difference of the sums with line numbers is then the line's number times the difference of the
        plain sums. None if no line differs but for blanks.
        """
        for band, (own, theirs) in enumerate(zip(self.bands, other.bands, strict=True)):
            if own != theirs:
                plain, numbered = ((ours - known) % PRIME for ours, known in zip(own, theirs, strict=True))
                at = numbered * pow(plain, -1, PRIME) % PRIME if plain else 0
                first, last = _edges(self.lines)[band] + 1, _edges(self.lines)[band + 1]
                return (at, at) if first <= at <= last else (first, last)
        return None


def split_lines(text: str) -> list[str]:
    """Return the lines of a text without byte order mark and line ends."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def fingerprint(data: bytes) -> Fingerprint | None:
    """Return the fingerprint of a text; None if it is not UTF-8."""
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
        checksum(map(bare, sentences(lines) if looks_like_m2(lines) else lines)),
        tuple(annotators(lines).values()),
        {at: line_sum(lines[at]) for at in _sampled_places(lines)},
        _band_sums(lines),
    )


def checksum(lines: Iterable[str]) -> str:
    """Return the short checksum of lines, each ended by a newline."""
    found = sha256()
    for line in lines:
        found.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()[:SHORT]


def line_sum(line: str) -> str:
    """Return the checksum of a line without blanks at its ends."""
    return sha256(line.strip(" \t").encode("utf-8", "surrogatepass")).hexdigest()[:LINE]


def _sampled_places(lines: Sequence[str]) -> list[int]:
    """Return the indices of the sampled lines, which are unique and not short."""
    times = Counter(lines)
    candidates = [at for at, line in enumerate(lines) if len(line) >= IDENTIFYING and times[line] == 1]
    return [candidates[at * len(candidates) // SAMPLED] for at in range(SAMPLED)] if len(candidates) >= SAMPLED else []


def _edges(lines: int) -> list[int]:
    """Return the indices of the lines where bands begin, and the number of lines."""
    return [band * lines // BANDS for band in range(BANDS + 1)]


def _band_sums(lines: Sequence[str]) -> tuple[tuple[int, int], ...]:
    crcs = [crc32(line.strip(" \t").encode("utf-8", "surrogatepass")) for line in lines]
    # Cubes, because the same alteration of several lines would have the sums of one line in the middle.
    sums = [pow(crc + number, 3, PRIME) for number, crc in enumerate(crcs)]
    numbered = [number * own for number, own in enumerate(sums, 1)]
    edges = list(itertools.pairwise(_edges(len(lines))))
    return tuple((sum(sums[a:b]) % PRIME, sum(numbered[a:b]) % PRIME) for a, b in edges)


def bare(line: str) -> str:
    """Return a line without the properties that preparation changes."""
    if line.isascii():
        return "".join(line.replace("`", "'").replace("''", '"').casefold().split())
    line = line.translate(_QUOTES).replace("''", '"')
    return "".join(unicodedata.normalize("NFKC", line).casefold().split())


def looks_like_m2(lines: Sequence[str]) -> bool:
    """Return whether lines have the form of an M2 file."""
    first = next((line for line in lines if line), "")
    return first.startswith("S ") and any(line.startswith("A ") for line in lines)


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """Return the sentences of an M2 file."""
    return (line[2:] for line in lines if line.startswith("S ") or line == "S")


def annotators(lines: Sequence[str]) -> dict[int, str]:
    """Return checksums of the sentences and one annotator's edits, by annotator."""
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
