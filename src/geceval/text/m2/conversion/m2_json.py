"""M2 as JSON Lines: one object per sentence, without loss.

An object, on one line::

    {"tokens": ["He", "go", "."],
     "annotators": [{"annotator": 0, "edits": [{"start": 1, "end": 2, "type": "R:VERB:SVA", "correction": "goes",
                                                "required": "REQUIRED", "comment": "-NONE-"}]}]}

``correction`` is the first alternative, empty for a deletion; ``alternatives`` contains others. An empty list of edits
is a noop of M2. Other keys are present only if they are needed: ``source`` if it is not the tokens joined by a blank;
``written`` for a correction that M2 spells differently (``-NONE-``); ``notes`` for ``I`` lines; ``targets`` and the
``alignment`` of an edit in ChERRANT's dialect. An annotator whose lines are not consecutive occurs several times.

A second form, spans, has positions in characters. An edit replaces ``source[start:end]``, and all edits together make
``corrected``::

    {"source": "He go .", "corrected": "He goes .",
     "edits": [{"start": 3, "end": 5, "replacement": "goes", "type": "R:VERB:SVA"}]}
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import Any, TextIO

from geceval.base.arguments import shown
from geceval.base.errors import GecevalError, GecevalWarning, InputError
from geceval.text.files import PathLike, display_name, open_bytes, path_text
from geceval.text.m2.edit import DELETE, Block, Edit, Target, noop
from geceval.text.m2.faults import ordered
from geceval.text.m2.m2_files import is_preserved, write_as

#: Keys whose values are numbers, lists of texts, and lists of objects; all others are text.
_NUMBERS = ("start", "end", "annotator", "alignment")
_TEXTS, _OBJECTS = ("tokens", "alternatives", "notes"), ("annotators", "edits", "targets")


def write_json_lines(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as JSON Lines; :func:`read_json_lines` returns the same blocks.

    Args:
        blocks: the blocks.
        out: a text stream.
    """
    write_as(blocks, out, lambda _, block: json.dumps(_object(block), ensure_ascii=False) + "\n")


def _object(block: Block) -> dict[str, Any]:
    tokens = block.tokens
    found: dict[str, Any] = {"tokens": tokens}
    if " ".join(tokens) != block.source:
        found["source"] = block.source
    runs = [(who, list(run)) for who, run in groupby(block.edits, lambda edit: edit.annotator)]
    found["annotators"] = [
        {"annotator": who, "edits": [] if run == [noop(who)] else list(map(_edit, run))} for who, run in runs
    ]
    if block.notes:
        found["notes"] = list(block.notes)
    if block.targets:
        found["targets"] = [
            {"annotator": target.annotator, "alignment": target.alignment, "text": target.text}
            for target in block.targets
        ]
    return found


def _edit(edit: Edit) -> dict[str, Any]:
    first, *others = edit.alternatives
    found: dict[str, Any] = {"start": edit.start, "end": edit.end, "type": edit.type, "correction": first}
    if others:
        found["alternatives"] = others
    written = "||".join(edit.corrections)
    if written != "||".join(edit.alternatives):
        found["written"] = written
    found |= {"required": edit.required, "comment": edit.comment}
    return found | ({"alignment": edit.alignment} if edit.alignment else {})


def write_spans(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as spans; :func:`read_json_lines` reads them.

    GecevalWarnings report what is lost: alternatives after the first, ``I`` lines, and unusual values of the fields
    that no scorer reads.

    Args:
        blocks: the blocks.
        out: a text stream.

    Raises:
        InputError: for several annotators of a sentence, ChERRANT's dialect, and edits that overlap or do not fit
            their sentence.
    """
    lost: Counter[str] = Counter()
    write_as(blocks, out, lambda _, block: json.dumps(_spans(block, lost), ensure_ascii=False) + "\n")
    for what, count in lost.items():
        if count:
            warnings.warn(GecevalWarning(f"spans: {count} {what} left out"), stacklevel=2)


def _spans(block: Block, lost: Counter[str]) -> dict[str, Any]:
    """Return a sentence as spans.

    An insertion or a deletion includes the blank before it; at the start of the text, the blank after it.
    """
    if len(block.annotators) > 1 or block.targets:
        hint = "geceval m2 split --by-annotator, or m2 convert --to errant"
        raise block.error("spans have one annotator and no alignments", hint=hint)
    source, at, is_start = " ".join(block.tokens), 0, True
    starts = list(accumulate((len(token) + 1 for token in block.tokens), initial=0))
    found, parts = [], []
    lost["I lines"] += len(block.notes)
    for edit in ordered(block, block.annotators[0]):
        lost["alternatives"] += len(edit.corrections) - 1
        lost["fields"] += (edit.required, edit.comment) != ("REQUIRED", DELETE)
        text = " ".join(edit.correction.split())
        done, end = at, starts[edit.end] - 1
        if edit.start > 0 and starts[edit.start] - 1 > at:
            at, is_start = starts[edit.start] - 1, False
        if text and edit.start < edit.end:
            at, is_start = starts[edit.start], False
        elif is_start and edit.end < len(block.tokens):
            text, end = text and f"{text} ", starts[edit.end]
        else:
            text, end, is_start = text and " " * (not is_start) + text, max(at, end), False
        found.append({"start": at, "end": end, "replacement": text, "type": edit.type})
        parts += [source[done:at], text]
        at = end
    return {"source": source, "corrected": "".join([*parts, source[at:]]), "edits": found}


# --- back ---


def read_json_lines(path: PathLike) -> Iterator[Block]:
    """Yield the blocks of a file of JSON Lines, also of one with spans.

    ``required``, ``comment`` and ``written`` are optional, as is ``corrected``. Blank lines are ignored.

    Args:
        path: the file, plain or compressed; ``-`` is standard input.

    Yields:
        Blocks in file order.

    Raises:
        InputError: for a line that is not an object of this form, unknown keys, texts that contradict each other
            (``source`` and ``tokens``, ``written`` and ``correction``, ``edits`` and ``corrected``), and values that M2
            cannot contain, such as a line end in a correction. Names file and line.
    """
    name = display_name(path_text(path))
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, 1):
            line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not line.strip():
                continue
            try:
                yield _read_block(json.loads(line.decode("utf-8")), name, number)
            except UnicodeDecodeError as error:
                message = f"not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} of the line"
                raise InputError(message, path=name, line=number) from None
            except GecevalError as error:
                raise InputError(error.message, path=name, line=number, hint=error.hint) from None
            except (json.JSONDecodeError, RecursionError) as error:
                what = getattr(error, "msg", "too many brackets")
                raise InputError(f"not JSON: {what}", path=name, line=number) from None
            except (ValueError, OverflowError):
                raise InputError("a number is too large to be read", path=name, line=number) from None


def _read_block(sentence: Any, path: str, line: int) -> Block:
    if isinstance(sentence, Mapping) and "edits" in sentence:
        spans = tuple(_read_spans(sentence)) or (noop(0),)
        return _valid(Block(sentence["source"], spans, path=path, line=line))
    _check_object("a sentence", sentence, ["tokens", "annotators"], ["source", "notes", "targets"])
    tokens = sentence["tokens"]
    source = sentence.get("source", " ".join(tokens))
    if source.split() != tokens:
        raise InputError("the tokens are not the tokens of the source", hint=f"{tokens}\n  {source.split()}")
    edits = tuple(edit for run in sentence["annotators"] for edit in _read_run(run))
    targets = tuple(map(_read_target, sentence.get("targets", [])))
    return _valid(Block(source, edits, tuple(sentence.get("notes", [])), True, path, line, targets))


def _valid(block: Block) -> Block:
    if not is_preserved(block):
        raise InputError("not valid in M2: reading it again would give another sentence", hint=str(block).strip())
    return block


def _read_spans(sentence: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edits of spans. An edit within a token replaces the token."""
    _check_object("a sentence", sentence, ["source", "edits"], ["corrected"])
    source, made, done, at = sentence["source"], "", 0, 0
    for found in sentence["edits"]:
        _check_object("an edit", found, ["start", "end", "replacement", "type"])
        start, end, text = found["start"], found["end"], found["replacement"]
        if not 0 <= start <= end <= len(source):
            raise InputError(f"the edit {start} {end} is outside the source of {len(source)} characters")
        before, after = source[:start], source[end:]
        is_cut = _is_within(before, source[start:]) or _is_within(before, text + after)
        first = start - len(before.rsplit(None, 1)[-1]) if is_cut else start
        is_cut = _is_within(source[:end], after) or _is_within(before + text, after)
        last = end + len(after.split(None, 1)[0]) if is_cut else end
        if min(start, first) < done:
            raise InputError(f"the edit {start} {end} overlaps the one before it, or changes the same token")
        words = (source[first:start] + text + source[end:last]).split()
        tokens = len(source[:first].split()), len(source[:last].split())
        yield Edit(*tokens, found["type"], (" ".join(words),))
        made, done, at = made + source[at:start] + text, last, end
    made += source[at:]
    if sentence.get("corrected", made).split() != made.split():
        raise InputError("the edits do not make the corrected text", hint=made)


def _is_within(left: str, right: str) -> bool:
    """Return whether the border of two texts is within a token."""
    return bool(left and right) and not (left[-1].isspace() or right[0].isspace())


def _read_run(run: Any) -> list[Edit]:
    _check_object("an annotator", run, ["annotator", "edits"])
    who = run["annotator"]
    return [_read_edit(edit, who) for edit in run["edits"]] or [noop(who)]


def _read_edit(found: Any, annotator: int) -> Edit:
    optional = ["alternatives", "written", "required", "comment", "alignment"]
    _check_object("an edit", found, ["start", "end", "type", "correction"], optional)
    corrections = [found["correction"], *found.get("alternatives", [])]
    written = found.get("written", "||".join(corrections))
    edit = Edit(
        found["start"],
        found["end"],
        found["type"],
        tuple(written.split("||")),
        found.get("required", "REQUIRED"),
        found.get("comment", DELETE),
        annotator,
        alignment=found.get("alignment", 0),
    )
    if "written" in found and list(edit.alternatives) != corrections:
        raise InputError(f"the edit is written {written!r}, which does not make {corrections}")
    return edit


def _read_target(target: Any) -> Target:
    _check_object("a target", target, ["annotator", "alignment", "text"], null="alignment")
    return Target(target["annotator"], target["alignment"], target["text"])


def _check_object(what: str, found: Any, required: Sequence[str], optional: Sequence[str] = (), null: str = "") -> None:
    """Raise InputError unless ``found`` is an object with these keys and types.

    The value of the key ``null`` may be None.
    """
    if not isinstance(found, Mapping):
        raise InputError(f"{what} is an object, not {shown(found)}")
    for key in (*required, *found):
        if key not in found:
            raise InputError(f"{what} has no {key!r}")
        value = found[key]
        if key not in (*required, *optional):
            known = ", ".join(sorted([*required, *optional]))
            raise InputError(f"unknown key {key!r} of {what}", hint=f"available: {known}")
        if key in _NUMBERS:
            _check_type(f"{key!r} of {what} is a whole number", value, int if key != null else (int, type(None)))
        elif key not in (*_TEXTS, *_OBJECTS):
            _check_type(f"{key!r} of {what} is text", value, str)
        else:
            _check_type(f"{key!r} of {what} is a list", value, list)
            for item in value if key in _TEXTS else ():
                _check_type(f"{key!r} of {what} is a list of texts", item, str)


def _check_type(rule: str, value: Any, kind: type | tuple[type, ...]) -> None:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{rule}, not {shown(value)}")
