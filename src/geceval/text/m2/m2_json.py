"""M2 as JSON Lines: one object per sentence, without loss.

An object, on one line::

    {"tokens": ["He", "go", "."],
     "annotators": [{"annotator": 0, "edits": [{"start": 1, "end": 2, "type": "R:VERB:SVA", "correction": "goes",
                                                "required": "REQUIRED", "comment": "-NONE-"}]}]}

``correction`` is the first alternative, empty for a deletion; ``alternatives`` contains others. An empty list of edits
is a noop of M2. Other keys are present only if they are needed: ``source`` if it is not the tokens joined by a space;
``written`` for a correction that M2 spells differently (``-NONE-``); ``notes`` for ``I`` lines; ``targets`` and the
``alignment`` of an edit in ChERRANT's dialect. An annotator whose lines are not consecutive occurs several times.

A second form, spans, has positions in characters. An edit replaces ``source[start:end]``, and all edits together make
``corrected``. ``replacements`` are several alternatives::

    {"source": "He go .", "corrected": "He goes .",
     "edits": [{"start": 3, "end": 5, "replacement": "goes", "type": "R:VERB:SVA"}]}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, Literal, TextIO

from geceval.base.arguments import choice, shown
from geceval.base.caller_warnings import warn
from geceval.base.errors import GecevalError, InputError
from geceval.text.files import PathLike, display_name, kind_of, path_text, read_text
from geceval.text.json_values import json_values
from geceval.text.m2.blocks import check_blocks, ordered, portions_of
from geceval.text.m2.edit import DELETE, UNKNOWN, Block, Edit, Misfits, Target, as_written, noop
from geceval.text.m2.learner_corpora import essay_of_markup
from geceval.text.m2.m2_files import check_preserved, check_stream, write_edit_rows
from geceval.text.m2.spelling_reports import check_reported_lines, parse_codespell, parse_ispell
from geceval.text.m2.suggestion_rows import LISTS, latency_of
from geceval.text.m2.suggestions import Split, read_suggestions
from geceval.text.reading.file_kinds import EDIT_KINDS

#: Keys whose values are numbers, lists of texts, and lists of objects; all others are text.
_NUMBERS = ("start", "end", "annotator", "alignment")
_TEXTS, _OBJECTS = ("tokens", "alternatives", "notes"), ("annotators", "edits", "targets")


def write_json_lines(blocks: Iterable[Block], out: TextIO) -> None:
    """Write blocks as JSON Lines; :func:`read_json_lines` returns the same blocks.

    Args:
        blocks: The blocks.
        out: A text stream.

    Raises:
        UsageError: If ``out`` is not a text stream.
        InputError: For values that are not blocks, and for a correction with ``||``.
    """
    check_stream(out)
    for portion in portions_of(blocks):
        out.write(portion.table.json_lines())


def write_spans(blocks: Iterable[Block], out: TextIO, form: Literal["spans", "languagetool"] = "spans") -> None:
    """Write blocks as spans; :func:`read_json_lines` reads them.

    GecevalWarnings report what is lost: ``I`` lines except the latency, and unusual values of the fields that no scorer
    reads, except a comment that is a number (``confidence``).

    Args:
        blocks: The blocks.
        out: A text stream.
        form: ``spans``, or ``languagetool``: an object with ``matches``, whose offsets count UTF-16 units.

    Raises:
        InputError: For several annotators of a sentence, ChERRANT's dialect, and edits that overlap or do not fit
            their sentence.
        UsageError: For another form.
    """
    choice("form", form, ("spans", "languagetool"))
    lost: Counter[str] = Counter()
    in_form = _matches if form == "languagetool" else dict
    check_stream(out)
    for block in check_blocks(blocks):
        out.write(json.dumps(in_form(_spans(block, lost)), ensure_ascii=False) + "\n")
    for what, count in (+lost).items():
        warn(f"spans cannot represent {what}: {count} ignored")


#: Format -> the function that writes blocks in it.
WRITERS: dict[str, Callable[[Iterable[Block], TextIO], None]] = {
    "jsonl": write_json_lines,
    "spans": write_spans,
    "languagetool": partial(write_spans, form="languagetool"),
    "csv": write_edit_rows,
    "tsv": partial(write_edit_rows, delimiter="\t"),
}


def _spans(block: Block, lost: Counter[str]) -> dict[str, Any]:
    """Return a sentence as spans.

    An insertion or a deletion includes the space before it; at the start of the text, the space after it.
    """
    if len(block.annotators) > 1 or block.targets:
        hint = "geceval m2 filter --annotators ID, or m2 convert --to errant"
        raise block.error("spans must have one annotator and no alignments", hint=hint)
    source, position, is_start = " ".join(block.tokens), 0, True
    starts = list(accumulate((len(token) + 1 for token in block.tokens), initial=0))
    rows, parts = [], []
    for edit in ordered(block, block.annotators[0]):
        confidence = edit.confidence
        lost["fields"] += edit.required != "REQUIRED" or (confidence is None and edit.comment != DELETE)
        texts = [" ".join(text.split()) for text in edit.alternatives]
        copied, end = position, starts[edit.end] - 1
        if edit.start > 0 and starts[edit.start] - 1 > position:
            position, is_start = starts[edit.start] - 1, False
        if texts[0] and edit.start < edit.end:
            position, is_start = starts[edit.start], False
        elif is_start and edit.end < len(block.tokens):
            texts, end = [text and f"{text} " for text in texts], starts[edit.end]
        else:
            texts, end, is_start = [text and " " * (not is_start) + text for text in texts], max(position, end), False
        row = {"start": position, "end": end, "replacement": texts[0], "type": edit.type}
        row |= {"replacements": texts} if len(texts) > 1 else {}
        rows.append(row | ({} if confidence is None else {"confidence": confidence}))
        parts += [source[copied:position], texts[0]]
        position = end
    sentence: dict[str, Any] = {"source": source, "corrected": "".join([*parts, source[position:]]), "edits": rows}
    for note in block.notes:
        latency = latency_of(note)
        lost["I lines"] += latency is None
        sentence |= {} if latency is None else {"latency": latency}
    return sentence


def _matches(sentence: dict[str, Any]) -> dict[str, Any]:
    """Return spans as LanguageTool's object."""
    text = sentence.pop("source")
    matches = []
    for edit in sentence.pop("edits"):
        offset, end = (len(text[: edit[side]].encode("utf-16-le")) // 2 for side in ("start", "end"))
        values = [] if edit["type"] == UNKNOWN else edit.get("replacements", [edit["replacement"]])
        match = {"offset": offset, "length": end - offset, "replacements": [{"value": value} for value in values]}
        match |= {"rule": {"id": edit["type"]}, "context": {"text": text, "offset": offset, "length": end - offset}}
        matches.append(match | ({"confidence": edit["confidence"]} if "confidence" in edit else {}))
    del sentence["corrected"]
    return {"text": text, **sentence, "matches": matches}


# --- back ---


def read_json_lines(
    path: PathLike,
    source: Sequence[str] | None = None,
    *,
    tokens: Sequence[str] | None = None,
    offsets: str = "auto",
    split: Split | None = None,
    normalise: Callable[[str], str] | None = None,
    misfits: Misfits = "error",
) -> Iterator[Block]:
    """Yield the blocks of a file of JSON Lines or JSON.

    The rows are sentences in one of these forms, or suggestions. ``required``, ``comment`` and ``written`` are
    optional. Blank lines are ignored. Memory holds all rows of other files than M2 in this form.

    Args:
        path: The file, plain or compressed; ``-`` is standard input.
        source: The sentences to which the offsets of suggestions refer; by default the file contains them.
        tokens: The sentences with spaces between tokens, if the source is not tokenised.
        offsets: How the places of suggestions are read, such as utf-16 or characters,from-1,inclusive; auto: detected.
        split: The tokeniser of replacements, for texts that are not tokenised.
        normalise: The normalisation of the tokens, for texts that lack it.
        misfits: Treatment of suggestions without offsets whose quoted text does not occur once in the sentence.

    Yields:
        Blocks in file order.

    Raises:
        InputError: For a row that is not of one of these forms, texts that contradict each other (``source`` and
            ``tokens``, ``written`` and ``correction``, ``edits`` and ``corrected``), offsets that do not fit or are
            ambiguous, and values that M2 cannot contain, such as a line end in a correction. Names file and line.
    """
    try:
        options = {"tokens": tokens, "offsets": offsets, "split": split, "normalise": normalise, "misfits": misfits}
        yield from _read_rows(path, display_name(path_text(path)), source, **options)
    except InputError as error:
        kind = kind_of(path_text(path), EDIT_KINDS)
        raise error if kind is None else kind.error(display_name(path), "edits in a form that can be read") from None


#: Kinds that are not JSON: function that returns the rows of their text, with their lines.
_READERS: Mapping[str, Callable[[str], list[tuple[int, Any]]]] = {
    "ua-gec": lambda text: [(1, essay_of_markup(text))],
    "ispell": parse_ispell,
    "codespell": parse_codespell,
}


def _read_rows(path: PathLike, name: str, source: Sequence[str] | None, **options: Any) -> Iterator[Block]:
    text = read_text(path)
    kind = kind_of(path_text(path))
    read = _READERS.get("" if kind is None else kind.key)
    rows = list(json_values(text, name)) if read is None else read(text)
    if read is parse_ispell and source is not None:
        check_reported_lines(rows, len(source), name)
    if rows and not (isinstance(rows[0][1], Mapping) and "tokens" in rows[0][1] and not {*LISTS} & {*rows[0][1]}):
        yield from read_suggestions(rows, name, source, **options)
        return
    for number, row in rows:
        try:
            yield _read_block(row, name, number)
        except GecevalError as error:
            raise InputError(error.message, path=name, line=number, hint=error.hint) from None


def _read_block(sentence: Any, path: str, line: int) -> Block:
    _check_object("a sentence", sentence, ["tokens", "annotators"], ["source", "notes", "targets"])
    tokens = sentence["tokens"]
    source = sentence.get("source", " ".join(tokens))
    if source.split() != tokens:
        raise InputError("the tokens are not the tokens of the source", hint=f"{tokens}\n  {source.split()}")
    edits = tuple(edit for run in sentence["annotators"] for edit in _read_run(run))
    targets = tuple(map(_read_target, sentence.get("targets", [])))
    block = Block(source, edits, tuple(sentence.get("notes", [])), True, path, line, targets)
    check_preserved(block)
    return block


def _read_run(run: Any) -> list[Edit]:
    _check_object("an annotator", run, ["annotator", "edits"])
    who = run["annotator"]
    return [_read_edit(edit, who) for edit in run["edits"]] or [noop(who)]


def _read_edit(row: Any, annotator: int) -> Edit:
    optional = ["alternatives", "written", "required", "comment", "alignment"]
    _check_object("an edit", row, ["start", "end", "type", "correction"], optional)
    corrections = [row["correction"], *row.get("alternatives", [])]
    written = row.get("written", "||".join(as_written(corrections)))
    edit = Edit(
        row["start"],
        row["end"],
        row["type"],
        tuple(written.split("||")),
        row.get("required", "REQUIRED"),
        row.get("comment", DELETE),
        annotator,
        alignment=row.get("alignment", 0),
    )
    if list(edit.alternatives) != [" ".join(text.split()) for text in corrections]:
        raise InputError(f"the edit is written {written!r}, which does not make {corrections}")
    return edit


def _read_target(target: Any) -> Target:
    _check_object("a target", target, ["annotator", "alignment", "text"])
    return Target(target["annotator"], target["alignment"], target["text"])


def _check_object(what: str, value: Any, required: Sequence[str], optional: Sequence[str] = ()) -> None:
    """Raise InputError unless a value is an object with these keys and types.

    Edits and targets check their numbers.
    """
    if not isinstance(value, Mapping):
        raise InputError(f"{what} must be an object, not {shown(value)}")
    for key in (*required, *value):
        if key not in value:
            raise InputError(f"{what} has no {key!r}")
        item_value = value[key]
        if key not in (*required, *optional):
            known = ", ".join(sorted([*required, *optional]))
            raise InputError(f"unknown key {key!r} of {what}", hint=f"choose from {known}")
        is_list = key in (*_TEXTS, *_OBJECTS)
        if key not in _NUMBERS and not isinstance(item_value, list if is_list else str):
            raise InputError(f"{key!r} of {what} is {'a list' if is_list else 'text'}, not {shown(item_value)}")
        if key in _TEXTS:
            for item in item_value:
                if not isinstance(item, str):
                    raise InputError(f"{key!r} of {what} is a list of texts, not {shown(item)}")
