"""Outputs of decoders, with the number of each sentence: fairseq's, and n-best lists of Marian and Moses.

Their lines may be in another order than the sentences, and several may be corrections of one sentence, the best first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from geceval.base.caller_warnings import warn
from geceval.base.hints import Hint, Step
from geceval.text.reading.file_columns import FileContent
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.lines import ALL

#: A number as decoders write it.
_NUMBER = r"-?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|inf)"
#: A correction in fairseq's output: as the model's tokens (H), and decoded (D).
_FAIRSEQ = re.compile(rf"([HD])-(\d+)\t({_NUMBER})\t(.*)")
#: A correction in an n-best list, without the cells after it, of which the last number is its score.
_NBEST = re.compile(r"(\d+) \|\|\| (.*?) ?\|\|\| (.*)")


class Correction(NamedTuple):
    """A correction of a sentence.

    Attributes:
        line: Line of the file, from 1.
        text: The correction.
        score: The score that the decoder gave it.
    """

    line: int
    text: str
    score: float


@dataclass(frozen=True)
class _Line:
    sentence: int
    correction: Correction
    is_decoded: bool = True


def corrections_in(file: InputFile, kind: str) -> list[list[Correction]]:
    """Return the corrections of each sentence, in the order of the sentences and of the file.

    Args:
        file: The output of a decoder.
        kind: The key of its kind, one of DECODER_KINDS.

    Raises:
        InputError: If a line of an n-best list is none, or a sentence has no correction.
    """
    numbered = enumerate(chain.from_iterable(file.lines(ALL)), 1)
    lines = list(_fairseq_lines(numbered) if kind == "fairseq" else _nbest_lines(file, numbered))
    if any(line.is_decoded for line in lines):
        lines = [line for line in lines if line.is_decoded]
    corrections: dict[int, list[Correction]] = {}
    for line in lines:
        corrections.setdefault(line.sentence, []).append(line.correction)
    missing = next((number for number in range(len(corrections)) if number not in corrections), None)
    if missing is not None:
        hint = "decode again without a limit of length: each sentence needs a correction"
        raise file.error(f"no correction of sentence {missing + 1}, whose number is {missing}", hint=hint)
    return [corrections[number] for number in range(len(corrections))]


def _fairseq_lines(numbered: Iterable[tuple[int, str]]) -> Iterator[_Line]:
    """Yield the corrections; other lines have sources, references, times and probabilities."""
    for line, text in numbered:
        match = _FAIRSEQ.fullmatch(str(text))
        if match is not None:
            kind, number, score, correction = match.groups()
            yield _Line(int(number), Correction(line, correction, float(score)), kind == "D")


def _nbest_lines(file: InputFile, numbered: Iterable[tuple[int, str]]) -> Iterator[_Line]:
    for line, text in numbered:
        match = _NBEST.fullmatch(str(text))
        cells = [] if match is None else match[3].split(" ||| ")
        scores = [cell for cell in map(str.strip, cells) if re.fullmatch(_NUMBER, cell)]
        if match is None or not scores:
            hint = "sentence number, correction, features and score, separated by |||"
            raise file.error("this is no line of an n-best list", line, hint)
        yield _Line(int(match[1]), Correction(line, match[2], float(scores[-1])))


def open_first_corrections(file: InputFile, kind: str) -> FileContent:
    """Return the first correction of each sentence as the only column; see corrections_in."""
    corrections = corrections_in(file, kind)
    most = max(map(len, corrections), default=0)
    if most > 1:
        choice = Step("geceval select -c FILE chooses", "geceval.rerank and geceval.mbr choose")
        message = f"{file.name}: sentences have up to {most} corrections, of which the first is scored"
        warn(message, Hint(choice, " by another criterion"))
    first = [row[0] for row in corrections]
    return FileContent.of_values(file, [best.text for best in first], "text", lambda row: first[row].line)
