"""M2 as BRAT's stand-off annotations, and back.

Each annotator has a text and annotations that refer to it.

The text has one sentence per line. An edit is a text-bound annotation of its tokens with its type. Its correction, as
M2 contains it, is the annotator's note; an edit without a note is a deletion::

    T1  R-VERB-SVA 3 5  go
    #1  AnnotatorNotes T1  goes

Conventions for what stand-off cannot express:

- Types consist of letters and digits: a colon is written ``-``, any other character ``_`` and its bytes in hexadecimal.
- Spans are not empty: an insertion marks the token after it with an attribute (``A1  Insertion T1 Before``), or at the
  end of a sentence the last token (``After``). Empty spans of other tools are read as insertions.
- An annotator without annotations in a sentence has M2's noop there. An annotator without a line marks the whole
  sentence as ``NoLine``. An edit with the span -1 -1 that is not this noop marks the sentence and is ``Unplaced``.
- The two fields that no scorer reads are a note ``M2Fields`` if their values are unusual.

Offsets count characters. Source: the description of the format on brat.nlplab.org (standoff.html).
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.text.files import path_texts, read_text
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import DELETE, Block, Edit, noop
from geceval.text.m2.faults import misfits_of
from geceval.text.m2.m2_files import is_preserved

NO_LINE, INSERTION, UNPLACED = "NoLine", "Insertion", "Unplaced"
NOTE, FIELDS = "AnnotatorNotes", "M2Fields"
_USUAL = "REQUIRED", DELETE
_PASSED = {"R": "relations", "E": "events", "N": "normalisations", "*": "equivalences"}
_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True)
class Standoff:
    """The annotations of one annotator, as ``NAME.txt`` and ``NAME.ann``."""

    annotator: int
    text: str
    annotations: str


# --- there ---


def to_standoff(blocks: Iterable[Block]) -> list[Standoff]:
    """Return blocks as stand-off annotations.

    GecevalWarnings report what is lost: ``I`` lines, the order of annotators in a block, and annotators without a line
    in a sentence without tokens.

    Args:
        blocks: the blocks.

    Returns:
        The annotations of each annotator, by ascending number.

    Raises:
        InputError: for an edit that does not fit its sentence, an edit of a sentence without tokens, and ChERRANT's
            dialect, whose alignments cannot be expressed.
    """
    blocks = Blocks.of(blocks)
    if blocks.is_cherrant:
        block = blocks[blocks.table.first_target or 0]
        raise block.error("stand-off has no alignments", hint="geceval m2 convert --to errant takes the first of each")
    annotators = blocks.table.annotators or [0]
    rows = list(blocks)
    lost: Counter[str] = Counter()
    for block in rows:
        for fault in misfits_of(block, block.edits):
            raise fault
        lost["I lines are not kept"] += len(block.notes)
        order = [edit.annotator for edit in block.edits]
        lost["times the lines of the annotators are not in order"] += order != sorted(order)
        if not block.tokens:
            absent = {*annotators} - {*order}
            lost["times an annotator has no line in a sentence without tokens, and will have a noop"] += len(absent)
    for what, count in lost.items():
        if count:
            warnings.warn(GecevalWarning(f"stand-off: {count} {what}"), stacklevel=2)
    text = "".join(f"{block.source}\n" for block in rows)
    return [Standoff(who, text, _annotations(rows, who)) for who in annotators]


def _annotations(blocks: Sequence[Block], annotator: int) -> str:
    writer = _StandoffWriter()
    for block in blocks:
        edits = [edit for edit in block.edits if edit.annotator == annotator]
        spans = [found.span() for found in _TOKEN.finditer(block.source)]
        if not edits and spans:
            writer.mark(NO_LINE, block.source, spans[0][0], spans[-1][1])
        for edit in [] if edits == [noop(annotator)] else edits:
            if not spans:
                raise block.error("stand-off has no place for an edit of a sentence without tokens", line=edit.line)
            if not (edit.start == edit.end == -1 or 0 <= edit.start <= edit.end <= len(spans)):
                raise block.error("stand-off has no place for a noop that does not fit its sentence", line=edit.line)
            writer.edit(edit, block.source, spans)
        writer.offset += len(block.source) + 1
    return "".join(writer.lines)


@dataclass
class _StandoffWriter:
    """Numbers annotations and writes them.

    ``offset`` is the start of the sentence in the text.
    """

    offset: int = 0
    lines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def line(self, letter: str, *fields: str) -> str:
        self.counts[letter] += 1
        name = f"{letter}{self.counts[letter]}"
        self.lines.append("\t".join([name, *fields]) + "\n")
        return name

    def mark(self, name: str, source: str, start: int, end: int) -> str:
        return self.line("T", f"{name} {self.offset + start} {self.offset + end}", source[start:end])

    def edit(self, edit: Edit, source: str, spans: Sequence[tuple[int, int]]) -> None:
        first, last, attribute = _marked(edit, len(spans))
        name = self.mark(encoded(edit.type), source, spans[first][0], spans[last][1])
        if attribute:
            self.line("A", attribute.format(name))
        if any(edit.corrections) or len(edit.corrections) > 1:
            self.line("#", f"{NOTE} {name}", "||".join(edit.corrections))
        if (edit.required, edit.comment) != _USUAL:
            self.line("#", f"{FIELDS} {name}", f"{edit.required}|||{edit.comment}")


def _marked(edit: Edit, tokens: int) -> tuple[int, int, str]:
    """Return the first and the last marked token, and the attribute of the mark."""
    if edit.start == edit.end == -1:
        return 0, tokens - 1, f"{UNPLACED} {{}}"
    if edit.start < edit.end:
        return edit.start, edit.end - 1, ""
    if edit.start < tokens:
        return edit.start, edit.start, f"{INSERTION} {{}} Before"
    return tokens - 1, tokens - 1, f"{INSERTION} {{}} After"


def encoded(type_: str) -> str:
    """Return a type in BRAT's characters: ``R:NOUN:NUM`` becomes ``R-NOUN-NUM``."""

    def one(character: str) -> str:
        if character == ":":
            return "-"
        plain = character.isascii() and character.isalnum()
        return character if plain else "".join(f"_{byte:02X}" for byte in character.encode())

    found = "".join(map(one, type_)) or "_"
    return f"_{ord(found[0]):02X}{found[1:]}" if found == NO_LINE else found


def decoded(name: str) -> str:
    """Return a type of M2 from BRAT's characters.

    ``_`` without digits after it is kept.
    """

    def one(found: re.Match[str]) -> str:
        try:
            return bytes.fromhex(found[0].replace("_", "")).decode()
        except UnicodeDecodeError:
            return found[0]

    return "" if name == "_" else re.sub(r"(?:_[0-9A-F]{2})+", one, name.replace("-", ":"))


# --- back ---


def read_standoff(paths: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks of stand-off files.

    Each annotator has a pair ``NAME.txt`` and ``NAME.ann``.

    Annotators get the numbers of the files (``gold.0.ann``, ``gold.1.ann``) if all have one, else numbers from 0 on.
    GecevalWarnings report what M2 cannot contain, such as relations.

    Args:
        paths: one file of each pair.

    Yields:
        One block per sentence.

    Raises:
        InputError: for annotations that cannot be read or lie within tokens (names file and line), and if the texts
            differ.
    """
    names = [re.sub(r"\.(?:txt|ann)$", "", path) for path in path_texts("paths", paths)]
    if not names or len(set(names)) < len(names):
        raise UsageError("one pair of files for each annotator is required, each once")
    numbers = [int(found[1]) for name in names if (found := re.search(r"\.(\d{1,9})$", name))]
    if len(set(numbers)) < len(names):
        numbers = list(range(len(names)))
    read = sorted({who: _StandoffFile(name) for who, name in zip(numbers, names, strict=True)}.items())
    first = read[0][1]
    for _, other in read[1:]:
        if other.text != first.text:
            raise InputError(f"not the text of {first.path}.txt", path=f"{other.path}.txt")
    for s, source in enumerate(first.lines[:-1] if first.lines[-1] == "" else first.lines):
        edits = tuple(edit for who, annotated in read for edit in annotated.edits(s, who))
        block = Block(source, edits, path=f"{first.path}.txt", line=s + 1)
        if not is_preserved(block):
            raise block.error("not valid in M2: reading it again would give another sentence", hint=str(block).strip())
        yield block


@dataclass
class _Mark:
    """A text-bound annotation, and its notes by kind."""

    type: str
    start: int
    end: int
    line: int
    notes: dict[str, str] = field(default_factory=dict)


class _StandoffFile:
    """A pair of files."""

    def __init__(self, name: str) -> None:
        self.path, self.text = name, read_text(f"{name}.txt")
        self.lines = self.text.split("\n")
        self.begins = list(accumulate((len(line) + 1 for line in self.lines[:-1]), initial=0))
        self.marked: dict[str, _Mark] = {}
        self.by_sentence: dict[int, list[_Mark]] = {}
        self.passed: Counter[str] = Counter()
        cut = [line.removesuffix("\r").split("\t", 2) for line in read_text(f"{name}.ann").split("\n")]
        fields = [(number, own) for number, own in enumerate(cut, 1) if own != [""]]
        for number, own in sorted(fields, key=lambda item: not item[1][0].startswith("T")):
            self.take(number, own)
        for what, count in self.passed.items():
            warnings.warn(GecevalWarning(f"{name}.ann: M2 has no place for {count} {what}"), stacklevel=2)

    def error(self, message: str, line: int, hint: str | None = None) -> InputError:
        return InputError(message, path=f"{self.path}.ann", line=line, hint=hint)

    def take(self, line: int, fields: Sequence[str]) -> None:
        letter, words = fields[0][:1], fields[1].split(" ") if len(fields) > 1 else []
        text = fields[2] if len(fields) > 2 else ""
        if letter == "T":
            self.mark(line, fields, words, text)
        elif letter in ("A", "M") and len(words) > 1:
            self.attribute(line, words)
        elif letter == "#" and len(words) == 2:
            self.note(line, words[0], words[1], text)
        elif letter in _PASSED:
            self.passed[_PASSED[letter]] += 1
        else:
            raise self.error("not an annotation of BRAT's stand-off format", line, hint="\t".join(fields))

    def mark(self, line: int, fields: Sequence[str], words: Sequence[str], text: str) -> None:
        if len(fields) != 3 or len(words) != 3 or not all(re.fullmatch(r"[0-9]{1,12}", place) for place in words[1:]):
            raise self.error("expected a type, one start and one end", line, hint="\t".join(fields))
        start, end = int(words[1]), int(words[2])
        if self.text[start:end] != text or not start <= end <= len(self.text):
            raise self.error(f"the text has {self.text[start:end]!r} at {start} to {end}, not {text!r}", line)
        sentence = bisect_right(self.begins, start) - 1
        spans = [found.span() for found in _TOKEN.finditer(self.lines[sentence])]
        begins, ends = ([self.begins[sentence] + span[side] for span in spans] for side in (0, 1))
        first, last = bisect_left(begins, start), bisect_right(ends, end)
        if start == end and first != last:
            raise self.error("an insertion within a token", line)
        if start < end and not (start in begins and end in ends):
            hint = "an edit consists of whole tokens of one sentence"
            raise self.error(f"{text!r} begins or ends within a token", line, hint=hint)
        if fields[0] in self.marked:
            raise self.error(f"{fields[0]} occurs twice", line)
        mark = self.marked[fields[0]] = _Mark(words[0], first, last, line)
        self.by_sentence.setdefault(sentence, []).append(mark)

    def attribute(self, line: int, words: list[str]) -> None:
        name, about, *values = words
        if name not in (INSERTION, UNPLACED):
            self.passed[f"attributes {name}"] += 1
            return
        if about not in self.marked:
            raise self.error(f"{about} does not exist", line)
        mark = self.marked[about]
        if name == UNPLACED:
            mark.start = mark.end = -1
        elif values == ["Before"]:
            mark.end = mark.start
        elif values == ["After"]:
            mark.start = mark.end
        else:
            raise self.error(f"{INSERTION} is Before or After", line)

    def note(self, line: int, kind: str, name: str, text: str) -> None:
        if kind not in (NOTE, FIELDS):
            self.passed[f"notes {kind}"] += 1
        elif name not in self.marked:
            self.passed[f"{kind} of what is no span"] += 1
        elif kind in self.marked[name].notes:
            raise self.error(f"{name} has two notes {kind}", line)
        else:
            self.marked[name].notes[kind] = text

    def edits(self, sentence: int, annotator: int) -> list[Edit]:
        """Return the annotator's edits in a sentence."""
        marks = self.by_sentence.get(sentence, [])
        if any(mark.type == NO_LINE for mark in marks):
            if len(marks) > 1:
                raise self.error(f"{NO_LINE} and edits", marks[-1].line)
            return []
        return [self._edit(mark, annotator) for mark in marks] or [noop(annotator)]

    def _edit(self, mark: _Mark, annotator: int) -> Edit:
        required, bar, comment = (mark.notes.get(FIELDS) or "|||".join(_USUAL)).partition("|||")
        if not bar:
            raise self.error(f"{FIELDS}: two fields with ||| between them are expected", mark.line)
        corrections = tuple(mark.notes.get(NOTE, "").split("||"))
        return Edit(mark.start, mark.end, decoded(mark.type), corrections, required, comment, annotator)
