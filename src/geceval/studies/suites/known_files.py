"""Recognise published data files, and their near copies with the differences."""

from __future__ import annotations

import functools
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeAlias

from geceval.base.errors import GecevalError, UsageError
from geceval.studies.suites.fingerprints import (
    BANDS,
    Fingerprint,
    annotators,
    checksum,
    fingerprint,
    line_sum,
    split_lines,
)
from geceval.text.files import is_folder, open_bytes
from geceval.text.reading.strict_toml import parse_toml

#: exact: the published bytes; same: read identically; off: a near copy; like: known sentences with other edits;
#: unknown; unreadable: could not be examined.
State: TypeAlias = Literal["exact", "same", "off", "like", "unknown", "unreadable"]

#: Files longer than this multiple of the longest known file are not read.
TIMES_LONGEST = 2
#: Smallest share of sampled lines in a near copy with other lines.
COPY = 0.75
#: Smallest number of sampled lines that identify a truncated file, and of equal bands that identify an altered one.
#: Different outputs on one test set have at most one equal band.
FEW = 4


@dataclass(frozen=True)
class KnownFile:
    """A published file.

    Attributes:
        id: Name in suites, such as ``@conll14/gold`` without ``@``.
        name: Published file name.
        what: Description of the content and its preparation.
        origin: Place of publication.
        size: Size in bytes.
        print: Fingerprint of the content.
    """

    id: str
    name: str
    what: str
    origin: str
    size: int
    print: Fingerprint


@dataclass(frozen=True)
class FoundFile:
    """A file of a folder, with the nearest known file and the differences from it."""

    path: str
    state: State
    known: KnownFile | None = None
    problems: tuple[str, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether it reads like the published file."""
        return self.state in ("exact", "same")


@functools.cache
def known_files() -> Mapping[str, KnownFile]:
    """Return all known files by id."""
    name = "known.toml"
    text = resources.files("geceval.studies.suites").joinpath("bundled", name).read_text(encoding="utf-8")
    return {id: _known(id, fields.values) for id, fields in parse_toml(text, name).tables("files").items()}


def _known(id: str, values: Mapping[str, Any]) -> KnownFile:
    about = {key: values[key] for key in ("name", "what", "origin", "size")}
    found: dict[str, Any] = {key: value for key, value in values.items() if key not in about}
    found |= {key: tuple(values.get(key, ())) for key in ("marks", "annotators")}
    found["sample"] = {int(at): one for at, _, one in (pair.partition(":") for pair in values["sample"].split())}
    found["bands"] = tuple((int(pair[:8], 16), int(pair[8:], 16)) for pair in values["bands"].split())
    return KnownFile(id, **about, print=Fingerprint(**found))


# --- folders ---


def check_folder(folder: str) -> list[FoundFile]:
    """Recognise all files in a folder and its subfolders, by path.

    Hidden files and links to folders are ignored; files that cannot be read are unreadable. Raises UsageError if the
    folder does not exist.
    """
    if not is_folder(folder):
        raise UsageError(f"{folder} is not a folder", hint="use the folder that contains the data files")
    closed: list[OSError] = []
    found = [_check_readable(path) for path in _files(folder, closed.append)]
    return [
        *found,
        *(FoundFile(error.filename, "unreadable", None, (f"cannot read: {error.strerror}",)) for error in closed),
    ]


def _check_readable(path: str) -> FoundFile:
    try:
        return check_file(path)
    except GecevalError as error:
        return FoundFile(path, "unreadable", None, (error.message,))


def _files(folder: str, refused: Callable[[OSError], None]) -> Iterator[str]:
    """Yield the files below a folder; ``refused`` receives errors of folders."""
    for root, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(root, name)
            if not name.startswith(".") and _may_be_file(path):
                yield str(path) if str(path) != "-" else "./-"  # "-" is standard input


def _may_be_file(path: Path) -> bool:
    # A path that cannot be examined is read, which reports why.
    try:
        return path.is_file()
    except OSError:
        return True


def check_file(path: str) -> FoundFile:
    """Recognise a file, compressed or not; raises InputError if it cannot be read."""
    longest = TIMES_LONGEST * max(known.size for known in known_files().values())
    with open_bytes(path, tracked=False) as stream:
        data = stream.read(longest + 1)
    if len(data) > longest:
        return FoundFile(path, "unknown")
    state, known, problems = recognise(data)
    return FoundFile(path, state, known, tuple(problems))


def best_copies(files: Iterable[FoundFile]) -> dict[str, FoundFile]:
    """Return the best copy of each known file, by id; exact copies are the best."""
    order: Sequence[State] = ("exact", "same", "off")
    best: dict[str, FoundFile] = {}
    for found in files:
        if found.known is not None and found.state in order:
            # Files with the same content have several ids.
            for known in known_files().values():
                same = known.id == found.known.id or (found.usable and known.print.plain == found.known.print.plain)
                before = best.get(known.id)
                if same and (before is None or order.index(found.state) < order.index(before.state)):
                    best[known.id] = found
    return best


# --- recognising ---


def recognise(data: bytes) -> tuple[State, KnownFile | None, list[str]]:
    """Return the state of content, the nearest known file and the differences."""
    whole = sha256(data).hexdigest()
    for known in known_files().values():
        if known.print.sha256 == whole:
            return "exact", known, []
    own = fingerprint(data)
    if own is None:
        return "unknown", None, []
    for known in known_files().values():
        if known.print.plain == own.plain:
            return "same", known, list(_mark_problems(own, known.print))
    text = data.decode("utf-8")
    lines = split_lines(text)
    for known in known_files().values():
        if own.equal_bands(known.print) == BANDS:
            return "off", known, ["other blanks at the ends of lines; metrics on characters count them"]
    found = _find_same_characters(text, own) or _find_altered_lines(own)
    return found or _find_same_sentences(lines, own) or _find_same_lines(lines, own) or ("unknown", None, [])


_Recognised: TypeAlias = "tuple[State, KnownFile | None, list[str]]"


def _mark_problems(own: Fingerprint, known: Fingerprint) -> Iterator[str]:
    has = {"BOM": "a byte order mark at the start", "CRLF": "CRLF line ends", "no newline at the end": ""}
    for mark, what in has.items():
        if mark in own.marks and mark not in known.marks:
            yield what or "the newline at the end is missing"
        elif mark in known.marks and mark not in own.marks:
            yield f"published with {what}, here without" if what else "published without a newline at the end"


def _find_same_characters(text: str, own: Fingerprint) -> _Recognised | None:
    """Recognise a file that differs in white space, case, quotes or Unicode form."""
    candidates = [known for known in known_files().values() if known.print.bare == own.bare]
    candidates = [known for known in candidates if bool(known.print.annotators) == bool(own.annotators)]
    if own.annotators or not candidates:
        return None
    known = max(candidates, key=lambda known: known.print.tokens == own.tokens)
    for form in ("NFC", "NFD", "NFKC"):
        made = fingerprint(unicodedata.normalize(form, text).encode())
        if made is not None and made.equal_bands(known.print) == BANDS:
            return "off", known, [f"another Unicode normal form; {form} makes it the published one"]
    if text == text.lower():
        return "off", known, ["lower-cased"]
    few = known.print.tokens - own.tokens
    if not few:
        return "off", known, ["other quotes, case or similar characters", *_place(own, known)]
    how = "not tokenised, or detokenised" if few > 0 else "tokenised differently"
    return "off", known, [f"{how}: {own.tokens} tokens, published {known.print.tokens}"]


def _find_altered_lines(own: Fingerprint) -> _Recognised | None:
    """Recognise a file with some altered lines."""
    known = max(known_files().values(), key=lambda known: own.equal_bands(known.print))
    return ("off", known, _place(own, known)) if own.equal_bands(known.print) >= FEW else None


def _place(own: Fingerprint, known: KnownFile) -> list[str]:
    """Return the place of the first differing line in words.

    The list is empty if the numbers of lines differ.
    """
    found = own.first_difference(known.print) if own.lines == known.print.lines else None
    if found is None:
        return []
    first, last = found
    return [f"the first differing line is {first if first == last else f'between {first} and {last}'}"]


def _find_same_sentences(lines: Sequence[str], own: Fingerprint) -> _Recognised | None:
    """Recognise an M2 file with the sentences of a known one and other annotators."""
    if not own.annotators:
        return None
    same = [known for known in known_files().values() if known.print.annotators and known.print.bare == own.bare]
    if not same:
        return None

    def shared(known: KnownFile) -> int:
        return len(set(known.print.annotators) & set(own.annotators))

    known = max(same, key=shared)
    if not shared(known):
        texts = ", ".join(dict.fromkeys(other.what for other in same[:1]))
        return "like", known, [f"the sentences of {texts}, with unknown edits"]
    theirs, ours = known.print.annotators, annotators(lines)
    lost = [at for at, sum in enumerate(theirs) if sum not in ours.values()]
    new = [at for at, sum in ours.items() if sum not in theirs]
    problems = [f"annotator {at} has other edits" if at in new else f"annotator {at} is missing" for at in lost]
    problems += [f"annotator {at} is unknown" for at in new if at not in lost]
    if not problems and known.print.plain in _other_empty_lines(lines):
        return "same", known, ["other empty lines"]
    return "off", known, problems or ["the order of the edits differs"]


def _other_empty_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield checksums with one empty line between blocks, and none or one at the end."""
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    while kept and not kept[-1]:
        kept.pop()
    yield from (checksum(kept), checksum([*kept, ""]))


def _find_same_lines(lines: Sequence[str], own: Fingerprint) -> _Recognised | None:
    """Recognise a file with most of the lines of a known one."""
    where: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        where.setdefault(line_sum(line), []).append(at)

    def share(known: KnownFile) -> float:
        sample = known.print.sample.values()
        return sum(one in where for one in sample) / len(sample) if sample else 0.0

    for known in known_files().values():
        first = [one for at, one in known.print.sample.items() if at < own.lines]
        if FEW <= len(first) < len(known.print.sample) and all(one in where for one in first):
            return "off", known, [f"truncated: the first {own.lines} of {known.print.lines} lines"]
    known = max(known_files().values(), key=lambda known: (share(known), -abs(known.print.lines - own.lines)))
    differ = own.lines - known.print.lines
    if share(known) < COPY or not differ:
        return None
    number = f"{abs(differ)} line{'s' if abs(differ) > 1 else ''} {'missing' if differ < 0 else 'too many'}"
    place = _where_lines_differ(where, known.print)
    return "off", known, [f"{number}{place}: {own.lines}, published {known.print.lines}"]


def _where_lines_differ(where: Mapping[str, Sequence[int]], known: Fingerprint) -> str:
    """Return the position in the published file from which lines are shifted."""
    last = 0
    for at, one in known.sample.items():
        if one not in where:
            continue
        if at not in where[one]:
            return f" between lines {last} and {at + 1}" if last else f" before line {at + 1}"
        last = at + 1
    return f" after line {last}"
