"""Artefacts that pipelines leave in text: subword marks, entities, escape sequences and others.

artefacts.tsv has the kinds. Those with a function here are repaired by ``--clean NAME``. Corrections keep the artefacts
that their source has, too.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from geceval.base.package_tables import table_rows


class ArtefactKind(NamedTuple):
    """A kind of artefact.

    Attributes:
        name: Name, which is a rule of ``--clean`` if a function repairs it.
        description: Plural noun for messages.
        pattern: Regular expression that finds it.
        step: Action of a person that removes it.
    """

    name: str
    description: str
    pattern: re.Pattern[str]
    step: str


@cache
def artefact_kinds() -> Mapping[str, ArtefactKind]:
    """Return the kinds of artefacts by name."""
    rows = table_rows(Path(__file__).with_suffix(".tsv"))
    return {row[0]: ArtefactKind(row[0], row[1], re.compile(row[2]), row[3]) for row in rows}


@cache
def _any_artefact() -> re.Pattern[str]:
    """Return a pattern of all kinds, with a group for each."""
    return re.compile("|".join(f"(?P<{name}>{kind.pattern.pattern})" for name, kind in artefact_kinds().items()))


def artefacts_in(line: str) -> Iterator[tuple[ArtefactKind, str]]:
    """Yield the artefacts in a line: kind, which is the first one of the table that matches, and token."""
    for match in _any_artefact().finditer(line):
        start, end = line.rfind(" ", 0, match.start()) + 1, line.find(" ", match.end())
        yield artefact_kinds()[str(match.lastgroup)], line[start:] if end < 0 else line[start:end]


def _has(name: str, text: str) -> bool:
    return artefact_kinds()[name].pattern.search(text) is not None


#: A run of bytes that a SentencePiece model writes for a character that it lacks; blanks are between tokens.
_BYTES = re.compile(r"<0x[\dA-F]{2}>(?: ?<0x[\dA-F]{2}>)*")


def _decoded_bytes(match: re.Match[str]) -> str:
    """Return the characters of a run of bytes; the run if they are not UTF-8."""
    try:
        return bytes.fromhex(re.sub(r"[<>]|0x", "", match[0])).decode()
    except UnicodeDecodeError:
        return match[0]


def joined_subwords(line: str, source: str) -> str:
    """Return a line with its subwords joined; the marks are those of common tokenizers."""
    if _has("subwords", source):
        return line
    line = _BYTES.sub(_decoded_bytes, line)
    for mark in "▁Ġ":  # SentencePiece and byte-level BPE mark the space before a word
        if mark in line:
            line = line.replace(" ", "").replace(mark, " ").strip()
    if "</w>" in line:
        line = line.replace(" ", "").replace("</w>", " ").strip()
    line = re.sub(r" ?@([-/])@ ?", r"\1", re.sub(r"@@(?: |$)", "", line))
    return re.sub(r" ?￭ ?| ##(?=[^\W_])", "", line)


_ENTITY = re.compile(r"& ?(#? ?\w+) ?;")


def unescaped_entities(line: str, source: str) -> str:
    """Return a line with HTML entities replaced, also those that a tokeniser divided."""
    if _has("entities", source):
        return line
    return _ENTITY.sub(lambda match: html.unescape(f"&{match[1].replace(' ', '')};"), line)


_ADDRESS = re.compile(r"\S%[2-7][\dA-F]\S")
_ESCAPE = re.compile(r"(?:\\u[\da-fA-F]{4})+|\\[\"'\\/nrt]")


def decoded_escapes(line: str, source: str) -> str:
    """Return a line with the escape sequences of JSON and of addresses decoded; line breaks and tabs become spaces."""
    if _has("escapes", source):
        return line
    decoded = _ESCAPE.sub(lambda match: json.loads(f'"{match[0]}"') if match[0] != r"\'" else "'", line)
    return re.sub(r"[\n\r\t]", " ", unquote(decoded) if _ADDRESS.search(decoded) else decoded)
