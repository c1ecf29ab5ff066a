"""M2 as JSON Lines: an object for each sentence, and back without loss.

    {"tokens": ["He", "go", "."],
     "annotators": [{"annotator": 0, "edits": [{"start": 1, "end": 2, "type": "R:VERB:SVA", "correction": "goes",
                                                "required": "REQUIRED", "comment": "-NONE-"}]}]}

(on one line). ``correction`` is what the first alternative makes, empty for a deletion; ``alternatives`` the others, if
there are any. No edits: a noop, as M2 has it. What else an M2 file may say is there only if it does: ``source`` where
it is not the tokens joined by a blank; ``written``, a correction that is written in another way (``-NONE-``);
``notes``, the ``I`` lines; ``targets`` and the ``alignment`` of an edit, of ChERRANT's dialect. An annotator whose
lines do not stand together comes several times.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, TextIO, TypeVar

from geceval.base.arguments import shown
from geceval.base.errors import GecevalError, InputError
from geceval.text.files import PathLike, display_name, open_bytes, path_text
from geceval.text.m2.edit import DELETE, Block, Edit, Target, noop
from geceval.text.m2.m2_files import survives, write_as

T = TypeVar("T")


def write_json_lines(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as JSON Lines to a text stream. :func:`read_json_lines` makes the same blocks of them."""
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


# --- back ---


def read_json_lines(path: PathLike) -> Iterator[Block]:
    """Stream the blocks of a file of JSON Lines, as :func:`write_json_lines` writes them; ``required``, ``comment`` and
    ``written`` may be left out. Plain or compressed, ``-`` for standard input; lines of blanks are passed over.

    Raises InputError with file and line for what is no such object, for keys that M2 has no place for, for texts that
    contradict each other (``source`` and ``tokens``, ``written`` and ``correction``), and for what no M2 file can say,
    such as a line end in a correction.
    """
    name = display_name(path_text(path))
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, 1):
            line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not line.strip():
                continue
            try:
                yield _read_block(_JsonObject(json.loads(line.decode("utf-8")), "a sentence"), name, number)
            except UnicodeDecodeError as error:
                message = f"not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} of the line"
                raise InputError(message, path=name, line=number) from None
            except GecevalError as error:
                raise InputError(error.message, path=name, line=number, hint=error.hint) from None
            except (json.JSONDecodeError, RecursionError) as error:
                what = getattr(error, "msg", "too many brackets")
                raise InputError(f"no JSON: {what}", path=name, line=number) from None
            except (ValueError, OverflowError):
                raise InputError("a number is too large to be read", path=name, line=number) from None


class _JsonObject:
    """An object of JSON, whose keys are taken one by one."""

    def __init__(self, value: Any, what: str) -> None:
        if not isinstance(value, Mapping):
            raise InputError(f"{what} is an object, not {shown(value)}")
        self.values, self.what, self.known = value, what, set[str]()

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        self.known.add(key)
        value = self.values.get(key, default)
        if key not in self.values and default is None:
            raise InputError(f"{self.what} has no {key!r}")
        if not isinstance(value, kind) or isinstance(value, bool):
            names = {str: "text", int: "a whole number", list: "a list"}
            raise InputError(f"{key!r} of {self.what} is {names[kind]}, not {shown(value)}")
        return value

    def end(self) -> None:
        """Raise InputError for a key that was not taken."""
        for key in self.values:
            if key not in self.known:
                known = ", ".join(sorted(self.known))
                raise InputError(f"M2 has no place for {key!r} of {self.what}", hint=f"it may have {known}")


def _texts(found: _JsonObject, key: str) -> list[str]:
    texts = found.get(key, list, [])
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"{key!r} of {found.what} is a list of texts, not {shown(text)}")
    return texts


def _read_block(found: _JsonObject, path: str, line: int) -> Block:
    found.get("tokens", list)
    tokens = _texts(found, "tokens")
    source = found.get("source", str, " ".join(tokens))
    if source.split() != tokens:
        raise InputError("the tokens are not those of the source", hint=f"{tokens}\n  {source.split()}")
    runs = [_JsonObject(run, "an annotator") for run in found.get("annotators", list)]
    edits = tuple(edit for run in runs for edit in _read_run(run))
    targets = [_read_target(_JsonObject(target, "a target")) for target in found.get("targets", list, [])]
    block = Block(source, edits, tuple(_texts(found, "notes")), True, path, line, tuple(targets))
    found.end()
    if not survives(block):
        raise InputError("no M2 file says this: read again it would be something else", hint=str(block).strip())
    return block


def _read_run(run: _JsonObject) -> list[Edit]:
    who = run.get("annotator", int)
    edits = [_read_edit(_JsonObject(edit, "an edit"), who) for edit in run.get("edits", list)]
    run.end()
    return edits or [noop(who)]


def _read_edit(found: _JsonObject, annotator: int) -> Edit:
    correction, others = found.get("correction", str), _texts(found, "alternatives")
    written = found.get("written", str, "||".join([correction, *others]))
    edit = Edit(
        found.get("start", int),
        found.get("end", int),
        found.get("type", str),
        tuple(written.split("||")),
        found.get("required", str, "REQUIRED"),
        found.get("comment", str, DELETE),
        annotator,
        alignment=found.get("alignment", int, 0),
    )
    found.end()
    if "written" in found.values and list(edit.alternatives) != [correction, *others]:
        raise InputError(f"the edit is written {written!r}, which does not make {[correction, *others]}")
    return edit


def _read_target(found: _JsonObject) -> Target:
    alignment = None if found.values.get("alignment", 0) is None else found.get("alignment", int)
    found.known.add("alignment")
    target = Target(found.get("annotator", int), alignment, found.get("text", str))
    found.end()
    return target
