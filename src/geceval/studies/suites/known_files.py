"""Known data files: which published file a file is, or nearly is, and what is off with it."""

from __future__ import annotations

import functools
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeAlias

from geceval.base.errors import GecevalError, UsageError
from geceval.studies.suites.fingerprints import Fingerprint, annotators, checksum, fingerprint, line_sum, split_lines
from geceval.studies.suites.strict_toml import parse_toml
from geceval.text.files import is_folder, open_bytes

#: exact: the published bytes; same: what is read of it is the same; off: nearly it; like: many of its lines; unknown;
#: unreadable, which says nothing of what it is.
State: TypeAlias = Literal["exact", "same", "off", "like", "unknown", "unreadable"]

#: Files longer than this many times the longest known one are not read.
TIMES_LONGEST = 2
#: The share of sampled lines that makes a file with other lines a copy of the known one.
COPY = 0.75
#: So many sampled lines tell of what file the beginning is.
FEW = 4


@dataclass(frozen=True)
class KnownFile:
    """A published file. ``id`` is what suites call it (``@conll14/gold``), ``name`` what it is called where it is
    published (``origin``), ``what`` says which preparation it is; ``size`` in bytes."""

    id: str
    name: str
    what: str
    origin: str
    size: int
    print: Fingerprint


@dataclass(frozen=True)
class FoundFile:
    """What a file of a folder is: ``known`` is what it is or is nearest to, ``problems`` what is off with it."""

    path: str
    state: State
    known: KnownFile | None = None
    problems: tuple[str, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether reading it gives what reading the published file does."""
        return self.state in ("exact", "same")


@functools.cache
def known_files() -> Mapping[str, KnownFile]:
    """All known files by their id."""
    name = "known.toml"
    text = resources.files("geceval.studies.suites").joinpath("bundled", name).read_text(encoding="utf-8")
    return {id: _known(id, fields.values) for id, fields in parse_toml(text, name).tables("files").items()}


def _known(id: str, values: Mapping[str, Any]) -> KnownFile:
    about = {key: values[key] for key in ("name", "what", "origin", "size")}
    found: dict[str, Any] = {key: value for key, value in values.items() if key not in about}
    found |= {key: tuple(values.get(key, ())) for key in ("marks", "annotators")}
    found["sample"] = {int(at): one for at, _, one in (pair.partition(":") for pair in values["sample"].split())}
    return KnownFile(id, **about, print=Fingerprint(**found))


# --- folders ---


def check_folder(folder: str) -> list[FoundFile]:
    """What every file in a folder and those below is, by path; hidden ones and links to folders are left out.
    What cannot be read is there, too, as unreadable.

    Raises UsageError where there is no such folder.
    """
    if not is_folder(folder):
        raise UsageError(f"{folder} is not a folder", hint="name the folder in which the data are")
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
    """The files below; ``refused`` is told of folders that cannot be read."""
    for root, folders, names in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(root, name)
            if not name.startswith(".") and _may_be_file(path):
                yield str(path)


def _may_be_file(path: Path) -> bool:
    """Whether it is a file, or cannot be asked, which reading it then says."""
    try:
        return path.is_file()
    except OSError:
        return True


def check_file(path: str) -> FoundFile:
    """What a file is, packed or not. Raises InputError if it cannot be read."""
    longest = TIMES_LONGEST * max(known.size for known in known_files().values())
    with open_bytes(path, tracked=False) as stream:
        data = stream.read(longest + 1)
    if len(data) > longest:
        return FoundFile(path, "unknown")
    state, known, problems = recognise(data)
    return FoundFile(path, state, known, tuple(problems))


def best_copies(files: Iterable[FoundFile]) -> dict[str, FoundFile]:
    """Id -> the one of the files that is the known one, an exact copy rather than another; those that are off only
    where there is no better one."""
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
    """What content is: the known file, and what is off with it."""
    own = fingerprint(data)
    if own is None:
        return "unknown", None, []
    for known in known_files().values():
        if known.print.sha256 == own.sha256:
            return "exact", known, []
    for known in known_files().values():
        if known.print.plain == own.plain:
            return "same", known, list(_mark_problems(own, known.print))
    text = data.decode("utf-8")
    lines = split_lines(text)
    for known in known_files().values():
        if known.print.stripped == own.stripped:
            return "off", known, ["other blanks at the ends of lines; metrics on characters count them"]
    found = _find_same_characters(text, own) or _find_same_sentences(lines, own) or _find_same_lines(lines, own)
    return found or ("unknown", None, [])


_Recognised: TypeAlias = "tuple[State, KnownFile | None, list[str]]"


def _mark_problems(own: Fingerprint, known: Fingerprint) -> Iterator[str]:
    has = {"BOM": "a byte order mark at the start", "CRLF": "CRLF line ends", "no newline at the end": ""}
    for mark, what in has.items():
        if mark in own.marks and mark not in known.marks:
            yield what or "the newline at the end is missing"
        elif mark in known.marks and mark not in own.marks:
            yield f"published with {what}, here without" if what else "published without a newline at the end"


def _find_same_characters(text: str, own: Fingerprint) -> _Recognised | None:
    """The same characters but for white space, case, quotes and Unicode forms."""
    candidates = [known for known in known_files().values() if known.print.bare == own.bare]
    candidates = [known for known in candidates if bool(known.print.annotators) == bool(own.annotators)]
    if own.annotators or not candidates:
        return None
    known = max(candidates, key=lambda known: known.print.tokens == own.tokens)
    for form in ("NFC", "NFD", "NFKC"):
        made = fingerprint(unicodedata.normalize(form, text).encode())
        if made is not None and made.stripped == known.print.stripped:
            return "off", known, [f"another Unicode normal form; {form} makes it the published one"]
    if text == text.lower():
        return "off", known, ["lower-cased"]
    few = known.print.tokens - own.tokens
    if not few:
        return "off", known, ["other quotes, case or characters that look alike"]
    how = "not tokenised, or detokenised" if few > 0 else "tokenised otherwise"
    return "off", known, [f"{how}: {own.tokens} tokens, published {known.print.tokens}"]


def _find_same_sentences(lines: Sequence[str], own: Fingerprint) -> _Recognised | None:
    """The sentences of a known M2 file, with other annotators."""
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
        return "like", known, [f"the sentences of {texts}, with edits that are not known"]
    theirs, ours = known.print.annotators, annotators(lines)
    lost = [at for at, sum in enumerate(theirs) if sum not in ours.values()]
    new = [at for at, sum in ours.items() if sum not in theirs]
    problems = [f"the edits of annotator {at} are others" if at in new else f"annotator {at} is missing" for at in lost]
    problems += [f"annotator {at} is not known" for at in new if at not in lost]
    if not problems and known.print.plain in _other_empty_lines(lines):
        return "same", known, ["other empty lines"]
    return "off", known, problems or ["the edits stand in another order"]


def _other_empty_lines(lines: Sequence[str]) -> Iterator[str]:
    """Checksums of the lines with one empty line between blocks, and with one, or none, at the end."""
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    while kept and not kept[-1]:
        kept.pop()
    yield from (checksum(kept), checksum([*kept, ""]))


def _find_same_lines(lines: Sequence[str], own: Fingerprint) -> _Recognised | None:
    """Most of the lines of a known file."""
    where: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        where.setdefault(line_sum(line), []).append(at)

    def share(known: KnownFile) -> float:
        sample = known.print.sample.values()
        return sum(one in where for one in sample) / len(sample) if sample else 0.0

    for known in known_files().values():
        first = [one for at, one in known.print.sample.items() if at < own.lines]
        if FEW <= len(first) < len(known.print.sample) and all(one in where for one in first):
            return "off", known, [f"cut: the first {own.lines} of {known.print.lines} lines"]
    known = max(known_files().values(), key=lambda known: (share(known), -abs(known.print.lines - own.lines)))
    if share(known) < COPY:
        return None
    differ = own.lines - known.print.lines
    if differ:
        number = f"{abs(differ)} line{'s' if abs(differ) > 1 else ''} {'missing' if differ < 0 else 'too many'}"
        place = _where_lines_differ(where, known.print)
        return "off", known, [f"{number}{place}: {own.lines}, published {known.print.lines}"]
    return ("like", known, ["some lines differ"]) if share(known) == 1 else None


def _where_lines_differ(where: Mapping[str, Sequence[int]], known: Fingerprint) -> str:
    """Between which lines of the published file the lines are no longer in step."""
    last = 0
    for at, one in known.sample.items():
        if one not in where:
            continue
        if at not in where[one]:
            return f" between lines {last} and {at + 1}" if last else f" before line {at + 1}"
        last = at + 1
    return f" after line {last}"
