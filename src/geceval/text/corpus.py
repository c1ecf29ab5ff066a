"""Parallel text: reading it from files and checking it, once and for the whole tool.

Lines are what Python's text mode calls lines: ``\\n``, ``\\r\\n`` and a lone ``\\r`` end one and nothing else does (not
U+2028, U+0085 or a form feed). Nothing is stripped but the line end; empty lines are kept, since a system may delete
everything. Text is UTF-8, strictly; a byte order mark at the start of a file is not part of its first line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, cast

from geceval.errors import InputError, UsageError
from geceval.text.files import PathLike, display_name, open_bytes
from geceval.text.m2 import Block, Missing, apply, references
from geceval.text.m2 import read as read_m2

Lines: TypeAlias = Sequence[str]
#: ``references[r][s]``; ``None`` where sentence s has no reference r.
References: TypeAlias = Sequence[Sequence[str | None]]
#: What a system made of the source: a sentence each, as text or as an M2 block.
Hypothesis: TypeAlias = Sequence[str] | Sequence[Block]


@dataclass(frozen=True)
class Corpus:
    """S source sentences with R references or gold edits, and any number of systems.

    ``source[s]``; ``references[r][s]`` (``None`` where a sentence lacks that reference); ``gold[s]``, an M2 block;
    ``systems[name][s]``, a hypothesis as text or as an M2 block.
    Raises InputError (a ValueError) with all lengths if they differ, if there is no sentence, or if a sentence has no
    reference at all.
    """

    source: Lines
    references: References = ()
    systems: Mapping[str, Hypothesis] = field(default_factory=dict)
    gold: Sequence[Block] | None = None
    missing: Missing = "fallback"
    #: For signatures: how the references were made from gold edits; empty if they were given.
    made_by: str = field(default="", init=False)

    def __post_init__(self) -> None:
        _check_nesting(self.references)
        check_lengths([(name, len(lines)) for name, lines in self._parts()], noun="sentences")
        check_sentences("source", self.source)
        for r, reference in enumerate(self.references):
            check_sentences(f"reference {r}", reference, optional=True)
        for name, hypothesis in self.systems.items():
            if not has_edits(hypothesis):
                check_sentences(f"system {name}", cast(Lines, hypothesis))
            elif not all(isinstance(block, Block) for block in hypothesis):
                raise InputError(f"system {name} mixes text and M2 blocks")
        if any(None in reference for reference in self.references):
            for s, versions in enumerate(zip(*self.references, strict=True)):
                if all(version is None for version in versions):
                    raise InputError(f"sentence {s} (counted from 0) has no reference")

    def _parts(self) -> list[tuple[str, Sequence[Any]]]:
        parts: list[tuple[str, Sequence[Any]]] = [("source", self.source)]
        parts += [(f"reference {r}", reference) for r, reference in enumerate(self.references)]
        parts += [] if self.gold is None else [("gold", self.gold)]
        parts += [(f"system {name}", lines) for name, lines in self.systems.items()]
        return parts

    def __len__(self) -> int:
        return len(self.source)

    def with_texts(self) -> Corpus:
        """The corpus itself if it has references or no gold; else with the texts that the gold edits make.

        ``missing`` says what an annotator without a line in a block means; errors: see m2.references.
        """
        if self.references or self.gold is None:
            return self
        made = replace(self, references=references(self.gold, self.missing))
        object.__setattr__(made, "made_by", f"({self.missing})")
        return made

    def blocks(self, size: int) -> Iterator[Corpus]:
        """The corpus in consecutive pieces of at most ``size`` sentences, so that memory stays bounded."""
        if len(self) <= size:
            yield self
            return
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            block = copy(self)  # not a new Corpus: the whole was checked already
            object.__setattr__(block, "source", self.source[part])
            object.__setattr__(block, "references", [reference[part] for reference in self.references])
            object.__setattr__(block, "systems", {name: lines[part] for name, lines in self.systems.items()})
            object.__setattr__(block, "gold", None if self.gold is None else self.gold[part])
            yield block


def has_edits(hypothesis: Hypothesis) -> TypeGuard[Sequence[Block]]:
    """Whether a hypothesis is given as M2 blocks, not as text."""
    return len(hypothesis) > 0 and isinstance(hypothesis[0], Block)


def as_text(hypothesis: Hypothesis) -> Lines:
    """A hypothesis as sentences; an M2 block yields its source with the edits of its first annotator applied."""
    if has_edits(hypothesis):
        return [apply(block, block.annotators[0]) for block in hypothesis]
    return cast(Lines, hypothesis)


def _check_nesting(references: References) -> None:
    if isinstance(references, str) or any(isinstance(reference, str) for reference in references):
        raise InputError(
            "references are a list of references, each a list of sentences: references[r][s]",
            hint="for one reference write [reference]",
        )


def check_sentences(name: str, lines: Sequence[str | None], *, optional: bool = False) -> None:
    """Raise InputError unless ``lines`` are strings (or None, if ``optional``) that UTF-8 can encode."""
    for s, line in enumerate(lines):
        if line is None and optional:
            continue
        if not isinstance(line, str):
            kind = type(line).__name__
            raise InputError(f"{name}, sentence {s} (counted from 0): a string is needed, not {kind}")
        if not line.isascii():
            try:
                line.encode()
            except UnicodeEncodeError as error:
                raise InputError(
                    f"{name}, sentence {s} (counted from 0): lone surrogate U+{ord(line[error.start]):04X} "
                    f"at position {error.start} is not text"
                ) from None


def check_lengths(lengths: Sequence[tuple[str, int]], *, noun: str) -> None:
    """Raise InputError that lists every name with its length, the odd ones marked, unless all are equal and not 0."""
    expected = lengths[0][1]
    if any(length != expected for _, length in lengths):
        width = max(len(name) for name, _ in lengths)
        digits = max(len(str(length)) for _, length in lengths)
        rows = []
        for name, length in lengths:
            odd = "" if length == expected else f"   <- {abs(length - expected)} {_than(length, expected)}"
            rows.append(f"\n  {name:<{width}}  {length:>{digits}}{odd}")
        raise InputError(f"not the same number of {noun}" + "".join(rows))
    if expected == 0:
        raise InputError(f"there are no {noun}: {', '.join(name for name, _ in lengths)}")


def _than(length: int, expected: int) -> str:
    return "fewer" if length < expected else "more"


# --- reading ---


def read_text(path: PathLike) -> str:
    """The text of a file (see files.open_bytes) without its byte order mark.

    Raises InputError with line and byte offset for invalid UTF-8 and for a NUL byte.
    """
    name = display_name(path)
    with open_bytes(path) as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offset = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)  # decoded behind the mark
        raise InputError(
            f"not UTF-8: byte 0x{data[offset]:02x} at byte offset {offset} ({error.reason})",
            path=name,
            line=_line_of(data[:offset]),
            hint=_encoding_hint(data),
        ) from None
    if "\0" in text:
        offset = data.index(b"\0")
        raise InputError(f"NUL byte at byte offset {offset}", path=name, line=_line_of(data[:offset]))
    return text


def _line_of(before: bytes) -> int:
    return before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1


def _encoding_hint(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "this looks like UTF-16; convert it with: iconv -f UTF-16 -t UTF-8"
    return "convert the file, for example with: iconv -f LATIN1 -t UTF-8"


def split_lines(text: str) -> list[str]:
    """The lines of a text, without line ends; a missing last newline is accepted."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def read_lines(path: PathLike) -> list[str]:
    """The lines of a text file, of a compressed one, or of standard input (``-``). Errors: see read_text."""
    return split_lines(read_text(path))


#: Endings of the names of compressed files; the content decides how they are read.
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


def system_names(paths: Sequence[str]) -> list[str]:
    """A short name for each system file: its base name without endings, or the path where two would be the same."""
    names = [_stem(path) for path in paths]
    return [name if names.count(name) == 1 else path for name, path in zip(names, paths, strict=True)]


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name
    for ending in (*COMPRESSED, ".txt", ".m2"):
        name = name.removesuffix(ending) or name
    return name


def read_lines_together(paths: Sequence[str], roles: Sequence[str] | None = None) -> list[list[str]]:
    """The lines of files that belong together, sentence by sentence.

    Raises InputError if they differ in their number of lines (all files and counts are listed, with their ``roles``),
    and UsageError if standard input is named twice.
    """
    return _read_together([_File(role, path) for role, path in zip(roles or [""] * len(paths), paths, strict=True)])


@dataclass(frozen=True)
class _File:
    role: str
    path: str
    edits: bool = False

    def read(self) -> list[Any]:
        return list(read_m2(self.path)) if self.edits else read_lines(self.path)


def _read_together(files: Sequence[_File]) -> list[list[Any]]:
    if [file.path for file in files].count("-") > 1:
        raise UsageError("standard input (-) can be given once only")
    contents = [file.read() for file in files]
    width = max(len(file.role) for file in files)
    labels = [f"{file.role:<{width}}  {file.path}".strip() for file in files]
    noun = "sentences" if any(file.edits for file in files) else "lines"
    check_lengths([(label, len(content)) for label, content in zip(labels, contents, strict=True)], noun=noun)
    return contents


def read_corpus(
    source: str | None, references: Sequence[str], systems: Sequence[str], gold: str | None = None
) -> Corpus:
    """Read source, references and systems, a sentence a line, and gold edits; systems are named after their files.

    ``gold`` is an M2 file, and so are systems whose names end in ``.m2``. Without ``source`` the sentences are those of
    ``gold``. Errors: see read_lines_together; InputError also if an M2 file is about other sentences, UsageError if
    a system is given twice or there is neither source nor gold.
    """
    names = system_names(systems)
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the system {name} is given twice")
    if source is None and gold is None:
        raise UsageError("a source is needed, or gold edits, which name their sources")
    files = [
        *([] if source is None else [_File("source", source)]),
        *([] if gold is None else [_File("gold", gold, edits=True)]),
        *(_File(f"reference {r}", path) for r, path in enumerate(references)),
        *(_File("system", path, _is_m2(path)) for path in systems),
    ]
    contents = _read_together(files)
    first = contents[0]
    lines: Lines = first if source is not None else [block.source for block in first]
    for file, content in zip(files, contents, strict=True):
        if file.edits:
            _check_sources(content, lines)
    rest = iter(contents[0 if source is None else 1 :])
    blocks = None if gold is None else next(rest)
    texts = [next(rest) for _ in references]
    return Corpus(lines, texts, dict(zip(names, rest, strict=True)), blocks)


def read_numbered(source: str, references: Sequence[str], systems: Sequence[str]) -> Corpus:
    """As read_corpus, but systems are named "0", "1", …: a file may be given, and is scored, more than once."""
    texts = read_lines_together([source, *references, *systems])
    split = 1 + len(references)
    return Corpus(texts[0], texts[1:split], {str(at): lines for at, lines in enumerate(texts[split:])})


def _is_m2(path: str) -> bool:
    name = Path(path).name
    return any(name.endswith(f".m2{ending}") for ending in ("", *COMPRESSED))


def _check_sources(blocks: Sequence[Block], source: Lines) -> None:
    """Raise InputError that shows the first sentence of an M2 file whose tokens are not those of the source."""
    different = [s for s, (block, line) in enumerate(zip(blocks, source, strict=True)) if block.tokens != line.split()]
    if different:
        first = different[0]
        hint = f"{blocks[first].source}\n        {source[first]}"
        message = f"sentence {first + 1} is not that of the source ({len(different)} of {len(blocks)} differ)"
        raise blocks[first].error(message, hint=hint)
