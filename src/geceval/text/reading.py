"""Reading parallel text from files, in parts, so that a corpus of any size needs the memory of one part.

Lines are what Python's text mode calls lines: ``\\n``, ``\\r\\n`` and a lone ``\\r`` end one and nothing else does (not
U+2028, U+0085 or a form feed). Nothing is stripped but the line end; empty lines are kept, since a system may delete
everything. Text is UTF-8, strictly; a byte order mark at the start of a file is not part of its first line.
"""

from __future__ import annotations

import stat
import sys
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Any, Generic, Protocol, TypeVar, cast, get_args

from geceval._kernel import LineCutter, Text
from geceval.arguments import choice
from geceval.errors import InputError, UsageError
from geceval.text.corpus import (
    Corpus,
    Lines,
    MadeTexts,
    TextSource,
    annotator_numbers,
    annotators_of,
    check_lengths,
    types_of,
)
from geceval.text.essays import Essays, has_heads, in_order
from geceval.text.files import PathLike, display_name, open_bytes, reading
from geceval.text.given import path_text, path_texts
from geceval.text.guard import SOURCE
from geceval.text.m2 import Block, Blocks, Dialect, Missing, references
from geceval.text.preparation import NOTHING, Preparation, Role
from geceval.text.truecase import Truecaser

T = TypeVar("T")

#: Bytes read at a time.
_PORTION = 1 << 18
#: Lines counted at a time, where only their number matters.
_MANY = 1 << 14
#: More lines than there can be.
_ALL = sys.maxsize


class _LineReader:
    """The lines of one file, in portions. Raises InputError with line and byte offset for bytes that are no text."""

    def __init__(self, path: PathLike, stream: IO[bytes]) -> None:
        self._path, self._stream = path, stream
        self._cutter, self._ended = LineCutter(), False

    def take(self, most: int) -> Text:
        """The next lines, at most so many."""
        while not self._ended and self._cutter.ready < most:
            with reading(self._path):
                data = self._stream.read(_PORTION)
            self._ended = not data
            fault = self._cutter.push(data) if data else self._cutter.finish()
            if fault is not None:
                raise _not_text(self._path, data, *fault)
        return self._cutter.take(most)


def _not_text(path: PathLike, data: bytes, line: int, offset: int, byte: int, reason: str) -> InputError:
    if reason in ("long", "memory"):
        message = "the line is longer than 1 GiB" if reason == "long" else "not enough memory for the line"
        return InputError(message, path=display_name(path), line=line)
    if reason == "NUL":
        return InputError(f"NUL byte at byte offset {offset}", path=display_name(path), line=line)
    hint = "convert the file, for example with: iconv -f LATIN1 -t UTF-8"
    if offset == 0 and data.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "this looks like UTF-16; convert it with: iconv -f UTF-16 -t UTF-8"
    message = f"not UTF-8: byte 0x{byte:02x} at byte offset {offset} ({reason})"
    return InputError(message, path=display_name(path), line=line, hint=hint)


def read_lines(path: PathLike) -> Lines:
    """The lines of a text file, of a compressed one, or of standard input (``-``), as the kernel's ``Text``.

    Raises InputError with line and byte offset for invalid UTF-8 and for a NUL byte; see also files.open_bytes.
    """
    with open_bytes(path) as stream:
        return cast(Lines, _LineReader(path, stream).take(_ALL))


def line_parts(path: PathLike, size: int) -> Iterator[Text]:
    """The lines of a text, so many at a time. Errors: see read_lines."""
    with open_bytes(path) as stream:
        reader = _LineReader(path, stream)
        while lines := reader.take(size):
            yield lines


def read_text(path: PathLike) -> str:
    """The text of a file with its line ends, without its byte order mark. Errors: see read_lines."""
    with open_bytes(path) as stream:
        data = stream.read()
    cutter = LineCutter()
    fault = cutter.push(data) or cutter.finish()
    if fault is not None:
        raise _not_text(path, data, *fault)
    return data.decode("utf-8-sig")


# --- names ---

#: Endings of the names of compressed files; the content decides how they are read.
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


def system_names(paths: Sequence[str]) -> list[str]:
    """A short name for each system file: its base name without endings, or the path where two would be the same."""
    names = [_stem(path) for path in paths]
    return [name if names.count(name) == 1 else path for name, path in zip(names, paths, strict=True)]


def named_systems(paths: Sequence[str], names: Sequence[str | None] | None = None) -> dict[str, str]:
    """Name -> path; a file without a name of its own is named after itself. UsageError if a name is there twice."""
    given = names or [None] * len(paths)
    unnamed = [path for path, name in zip(paths, given, strict=True) if name is None]
    own = iter(system_names(unnamed))
    systems: dict[str, str] = {}
    for path, name in zip(paths, given, strict=True):
        called = next(own) if name is None else name
        if called == SOURCE:
            raise UsageError(f"{SOURCE} is what the unchanged source is called", hint=f"-c NAME={path}")
        if called in systems:
            raise UsageError(f"the system {called} is given twice")
        systems[called] = path
    return systems


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name
    for ending in (*COMPRESSED, ".txt", ".m2", ".tsv", ".md"):
        name = name.removesuffix(ending) or name
    return name


def is_m2(path: str) -> bool:
    """Whether a file is M2, by its name."""
    return has_ending(path, ".m2")


def has_ending(path: str, *endings: str) -> bool:
    """Whether the name of a file, plain or compressed, has one of the endings (``.tsv``)."""
    return Path(path).name.endswith(tuple(f"{ending}{packed}" for ending in endings for packed in ("", *COMPRESSED)))


# --- files that belong together ---


class _Column(Protocol):
    """What a file says, taken in portions: lines of text or M2 blocks."""

    def take(self, most: int) -> Sequence[Any]: ...


class _Held:
    """What is in memory already."""

    def __init__(self, content: Sequence[Any]) -> None:
        self._content, self._at = content, 0

    def take(self, most: int) -> Sequence[Any]:
        start, self._at = self._at, min(len(self._content), self._at + most)
        return self._content[start : self._at]


@dataclass(frozen=True)
class _File:
    """A file of a corpus. What cannot be read twice, or only as a whole, is ``held``."""

    role: str
    path: str
    edits: bool = False
    held: Sequence[Any] | None = None

    @staticmethod
    def of(role: str, path: str, edits: bool = False, dialect: Dialect = "auto") -> _File:
        held: Sequence[Any] | None = None
        if edits:
            held = Blocks.read(path).as_errant(dialect)
        elif path == "-" or is_read_once(path):
            held = read_lines(path)
        return _File(role, path, edits, held)

    def open(self, stack: ExitStack) -> _Column:
        if self.held is not None:
            return _Held(self.held)
        return _LineReader(self.path, stack.enter_context(open_bytes(self.path)))


def is_read_once(path: str) -> bool:
    """Whether a file is a pipe or a device, which cannot be read again."""
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False  # that is said when it is read
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _texts(named: Sequence[tuple[str, str]], references: int = 0, *, with_source: bool = True) -> list[_File]:
    """Texts by role and path: the source, so many references, others; essays (in files named .md) side by side by their
    ids. A reference may lack some.

    Raises UsageError where some are essays and others are lines, or without a source, and InputError as
    essays.in_order.
    """
    essays = [_essays(path) for _, path in named]
    whole = [file for file in essays if file is not None]
    if not whole:
        return [_File.of(role, path) for role, path in named]
    if len(whole) < len(named) or not with_source:
        first = next((path for (_, path), file in zip(named, essays, strict=True) if file is None), None)
        message = f"{first} has none" if first else "there is no source"
        hint = "essays go by their ids: give all texts as .md files with the heads '### essay_id = ID'"
        raise UsageError(f"{whole[0].path} has essays, and {message}", hint=hint)
    texts = in_order(whole[0], whole[1 : 1 + references], whole[1 + references :])
    return [_File(role, path, held=text) for (role, path), text in zip(named, texts, strict=True)]


def _essays(path: str) -> Essays | None:
    """The essays of a Markdown file, None if it has none."""
    if not has_ending(path, ".md") or is_read_once(path):
        return None
    lines = read_lines(path)
    return Essays.of(lines, path) if has_heads(lines) else None


def check_standard_input(paths: Sequence[str]) -> None:
    """Raise UsageError where it is to be read twice."""
    if paths.count("-") > 1:
        raise UsageError("standard input (-) can be given once only")


def _together(files: Sequence[_File], size: int) -> Iterator[list[Any]]:
    """What the files say, so many sentences at a time; InputError with all lengths if they differ or there is none."""
    with ExitStack() as stack:
        columns = [file.open(stack) for file in files]
        done = 0
        while True:
            rows = [column.take(size) for column in columns]
            length = len(rows[0])
            if done == 0 == length or any(len(row) != length for row in rows):
                lengths = [done + len(row) + _count(column) for row, column in zip(rows, columns, strict=True)]
                _check_files(files, lengths)
            if length == 0:
                return
            yield rows
            done += length


def _count(column: _Column) -> int:
    """How much a column still has."""
    total = 0
    while portion := len(column.take(_MANY)):
        total += portion
    return total


def _check_files(files: Sequence[_File], lengths: Sequence[int]) -> None:
    width = max(len(file.role) for file in files)
    labels = [f"{file.role:<{width}}  {file.path}".strip() for file in files]
    noun = "sentences" if any(file.edits for file in files) else "lines"
    check_lengths(list(zip(labels, lengths, strict=True)), noun=noun)


def read_lines_together(paths: Sequence[str], roles: Sequence[str] | None = None) -> list[Lines]:
    """The lines of files that belong together, sentence by sentence.

    Raises InputError if they differ in their number of lines (all files and counts are listed, with their ``roles``),
    and UsageError if standard input is named twice.
    """
    paths = path_texts("files", paths)
    check_standard_input(paths)
    files = _texts(list(zip(roles or [""] * len(paths), paths, strict=True)))
    [texts] = _together(files, _ALL)
    return [cast(Lines, text) for text in texts]


# --- reading ahead ---


class _Next(Thread, Generic[T]):
    """The next item of an iterator, made while others are used."""

    def __init__(self, items: Iterator[T]) -> None:
        super().__init__(name="geceval-reader")
        self._items = items
        self._item: T | None = None
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._item = next(self._items, None)
        except BaseException as error:  # it is raised where the item is asked for
            self._error = error

    def item(self) -> T | None:
        """The item once it is there, None at the end; raises what was raised while it was made."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._item


def _ahead(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """The items, none of them None; the next one is made in a thread while the present one is used.

    No thread is left when this ends, is closed or raises; so there are two items in memory at the most.
    """
    upcoming = _Next(items)
    try:
        while (item := upcoming.item()) is not None:
            upcoming = _Next(items)
            yield item
            del item  # before the one after the next is made
    finally:
        upcoming.join()
        items.close()


# --- corpora ---


class _Sources:
    """Whether the sentences of an M2 file are those of the source, part by part."""

    def __init__(self) -> None:
        self.different = self._sentences = 0
        self._first: tuple[int, Block, str] | None = None
        self._meant: dict[str, Text] = {}

    def add(self, blocks: Blocks, source: Text, others: Mapping[str, Text]) -> None:
        """``others``: the systems' texts, one of which may be the source that was meant."""
        different = blocks.source.differing(source)
        if different and self._first is None:
            at = different[0]
            self._first = self._sentences + at + 1, blocks[at], str(source[at])
            self._meant = dict(others) if self._sentences == 0 else {}
        self._meant = {name: others[name] for name in self._meant if not blocks.source.differing(others[name])}
        self.different += len(different)
        self._sentences += len(blocks)

    def end(self) -> None:
        """Raise InputError that shows the first sentence with other tokens than the source, if there is one."""
        if self._first is not None:
            s, block, line = self._first
            message = f"sentence {s} is not that of the source ({self.different} of {self._sentences} differ)"
            hint = f"{block.source}\n        {line}"
            for system in self._meant:
                hint += f"\n  the sentences are those of system {system}: source and system look swapped"
            raise block.error(message, hint=hint)


class CorpusFiles(TextSource):
    """A corpus in files. Each reading opens them anew and takes the memory of one part.

    Only M2 files, standard input and pipes, which cannot be read twice, are held. Made by ``corpus_files``.
    """

    def __init__(
        self,
        source: _File | None,
        gold: _File | None,
        references: Sequence[_File],
        systems: Mapping[str, _File],
        missing: Missing,
        labels: _File | None = None,
        made: MadeTexts | None = None,
        preparation: Preparation = NOTHING,
    ) -> None:
        self._source, self._gold, self._references, self._systems = source, gold, references, systems
        self._missing, self._labels, self._made = missing, labels, made
        self._preparation = preparation
        self._truecaser: Truecaser | None = None
        m2 = [name for name, file in systems.items() if file.edits]
        preparation.check(references=bool(references), gold=gold is not None, m2_systems=m2)

    @property
    def prepared_by(self) -> Preparation:
        return self._preparation

    @property
    def system_names(self) -> tuple[str, ...]:
        return tuple(self._systems)

    @property
    def sentences(self) -> int | None:
        held = (file.held for file in (self._source, self._gold) if file is not None)
        return next((len(content) for content in held if content is not None), None)

    @property
    def has_gold(self) -> bool:
        return self._gold is not None

    @property
    def made_by(self) -> str:
        return "" if self._made is None else self._missing

    def reference_numbers(self, *, of_gold: bool) -> tuple[int, int]:
        if of_gold:
            return annotator_numbers([] if self._gold is None else cast(Blocks, self._gold.held))
        number = len(self._references if self._made is None else self._made)
        return number, number

    def is_m2(self, system: str) -> bool:
        return self._systems[system].edits

    def annotators(self) -> frozenset[int]:
        return annotators_of([] if self._gold is None else cast(Blocks, self._gold.held))

    def edit_types(self) -> frozenset[str]:
        files = [self._gold, *self._systems.values()]
        return types_of(cast(Blocks, file.held) for file in files if file is not None and file.edits)

    def parts(self, size: int) -> Generator[Corpus, None, None]:
        """The next part is read while the present one is used: there are two in memory. Raises
        InputError, when that place is read, for what read_lines refuses, for files that differ in their number of
        lines (all are listed with their counts) and for an M2 file that is about other sentences."""
        return _ahead(self._parts(size))

    def _parts(self, size: int) -> Generator[Corpus, None, None]:
        own = [file for file in (self._source, self._gold) if file is not None]
        files = [*own, *self._references, *self._systems.values(), *([] if self._labels is None else [self._labels])]
        sources = [_Sources() if file.edits else None for file in files]
        start = 0
        self._learn_case()
        first = len(own) + len(self._references)
        for rows in _together(files, size):
            lines = Text(rows[0] if self._source is not None else rows[0].source)
            systems = zip(self._systems.items(), rows[first:], strict=False)  # labels may follow
            texts = {name: Text(row) for (name, file), row in systems if not file.edits}
            for row, check in zip(rows, sources, strict=True):
                if check is not None:
                    check.add(row, lines, texts)
            if not any(check.different for check in sources if check):  # else they are only counted from here on
                yield self._corpus(lines, rows, start)
            start += len(lines)
        for check in sources:
            if check is not None:
                check.end()

    def whole(self) -> Corpus:
        """The corpus in memory."""
        [corpus] = self._parts(_ALL)
        return corpus

    def _corpus(self, source: Text, rows: Sequence[Any], start: int) -> Corpus:
        rest = iter(rows if self._source is None else rows[1:])
        gold = None if self._gold is None else next(rest)
        references = [next(rest) for _ in self._references]
        systems = {name: next(rest) for name in self._systems}
        corpus = Corpus(cast(Lines, source), references, systems, gold, self._missing, next(rest, None))
        if self._preparation:
            corpus = corpus.prepared(self._preparation, self._truecaser)
        if self._made is None:
            return corpus
        return corpus.with_made(MadeTexts(text[start : start + len(source)] for text in self._made))

    def _learn_case(self) -> None:
        """What truecasing needs of the whole: a pass over the references, or over the source if there are none."""
        if not self._preparation.truecase or self._truecaser is not None:
            return
        truecaser = Truecaser()
        learned: list[tuple[Role, _File]] = [("references", file) for file in self._references]
        source = cast(_File, self._source or self._gold)
        for role, file in learned or [("source", source)]:
            with ExitStack() as stack:
                column = file.open(stack)
                while portion := column.take(_MANY):
                    lines = portion.source if isinstance(portion, Blocks) else cast(Text, portion)
                    truecaser.learn(self._preparation.cleaned(role, lines))
        self._truecaser = truecaser

    def with_texts(self) -> CorpusFiles:
        if self._references or self._made is not None or self._gold is None:
            return self
        made = MadeTexts(map(Text, references(cast(Blocks, self._gold.held), self._missing)))
        return CorpusFiles(
            self._source, self._gold, (), self._systems, self._missing, self._labels, made, self._preparation
        )


def corpus_files(
    source: str | None,
    references: Sequence[str],
    systems: Sequence[str] | Mapping[str, str],
    gold: str | None = None,
    *,
    missing: Missing = "fallback",
    labels: str | None = None,
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
    m2_systems: Collection[str] = (),
) -> CorpusFiles:
    """Source, references and systems, a sentence a line, and gold edits, to be read in parts.

    ``gold`` is an M2 file, and so are systems whose names end in ``.m2``. Without ``source`` the sentences are those of
    ``gold``. Systems are named after their files, or given as name -> file; ``missing``: see Corpus; ``labels``: a file
    with a label a line, by which sentences may be grouped; ``prepare``: what is done to the texts, part by part;
    ``dialect``: of the M2 files, told by their ``T`` lines, or "cherrant" (m2.Blocks.as_errant); ``m2_systems``: names
    of systems that are M2 whatever their files are called. Raises UsageError if a
    system or standard input is given twice, if there is neither source nor gold, and for what cannot be prepared.
    """
    files = systems if isinstance(systems, Mapping) else named_systems(path_texts("systems", systems))
    return _files(source, references, files, gold, missing, labels, prepare, dialect, m2_systems)


def _files(
    source: str | None,
    references: Sequence[str],
    systems: Mapping[str, str],
    gold: str | None,
    missing: Missing = "fallback",
    labels: str | None = None,
    preparation: Preparation = NOTHING,
    dialect: Dialect = "auto",
    m2_systems: Collection[str] = (),
) -> CorpusFiles:
    if source is None and gold is None:
        raise UsageError("a source is needed, or gold edits, which name their sources")
    choice("missing", missing, get_args(Missing))
    source, gold, labels = (None if path is None else path_text(path) for path in (source, gold, labels))
    references = path_texts("references", references)
    paths = (source, gold, *references, *systems.values(), labels)
    check_standard_input([path for path in paths if path is not None])
    m2 = {name: path for name, path in systems.items() if name in m2_systems or is_m2(path)}
    named = [] if source is None else [("source", source)]
    named += [(f"reference {r}", path) for r, path in enumerate(references)]
    named += [("system", path) for name, path in systems.items() if name not in m2]
    texts = iter(_texts(named, len(references), with_source=source is not None))
    return CorpusFiles(
        None if source is None else next(texts),
        None if gold is None else _File.of("gold", gold, edits=True, dialect=dialect),
        [next(texts) for _ in references],
        {
            name: _File.of("system", path, True, dialect) if name in m2 else next(texts)
            for name, path in systems.items()
        },
        missing,
        None if labels is None else _File.of("labels", labels),
        preparation=preparation,
    )


def read_corpus(
    source: str | None,
    references: Sequence[str],
    systems: Sequence[str] | Mapping[str, str],
    gold: str | None = None,
    *,
    missing: Missing = "fallback",
    labels: str | None = None,
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
) -> Corpus:
    """As corpus_files, in memory. Errors: see CorpusFiles.parts."""
    options: dict[str, Any] = {"missing": missing, "labels": labels, "prepare": prepare, "dialect": dialect}
    return corpus_files(source, references, systems, gold, **options).whole()


def numbered_files(source: str, references: Sequence[str], systems: Sequence[str]) -> CorpusFiles:
    """As corpus_files, of texts only, but systems are named "0", "1", …: a file may be given more than once."""
    named = {str(at): path for at, path in enumerate(path_texts("systems", systems))}
    return _files(source, references, named, None)
