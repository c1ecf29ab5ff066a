r"""Labelled tokens in the format of MultiGED-2023.

A line is ``token TAB label``, and an empty line ends a sentence. The label is ``c`` (correct) or ``i`` (incorrect).
Double quotes may be escaped (``\"``), as in the files of the task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from geceval.base.errors import InputError
from geceval.text.files import PathLike, display_name
from geceval.text.reading.lines import read_lines

CORRECT, INCORRECT = "c", "i"
_LAYOUT = "token, tabulator, c or i; an empty line after each sentence"


@dataclass(frozen=True)
class Labelled:
    """S sentences of tokens, with a label per token.

    Attributes:
        tokens: ``tokens[s][t]``.
        wrong: ``wrong[s][t]``, whether the token needs correction.
        path: the file; ignored by comparisons, as ``lines`` is.
        lines: ``lines[s]``, the line of the first token.
    """

    tokens: Sequence[Sequence[str]]
    wrong: Sequence[Sequence[bool]]
    path: str | None = field(default=None, compare=False)
    lines: Sequence[int] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if list(map(len, self.tokens)) != list(map(len, self.wrong)):
            raise InputError("there must be as many labels as tokens in each sentence", path=self.path)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def source(self) -> list[str]:
        """The sentences, with blanks between tokens."""
        return [" ".join(tokens) for tokens in self.tokens]

    def place(self, s: int, t: int) -> str:
        """Return the place of token t of sentence s for messages.

        This is file and line or, without a file, the numbers of both, counted from 1.
        """
        if self.lines is None:
            where = f"sentence {s + 1}, token {t + 1}"
            return f"{self.path}, {where}" if self.path else where
        return f"{self.path}:{self.lines[s] + t}"

    def __str__(self) -> str:
        rows = (zip(*sentence, strict=True) for sentence in zip(self.tokens, self.wrong, strict=True))
        sentences = ("".join(f"{token}\t{INCORRECT if wrong else CORRECT}\n" for token, wrong in row) for row in rows)
        return "".join(f"{sentence}\n" for sentence in sentences)


def read_labelled(path: PathLike) -> Labelled:
    """Return the sentences of a file.

    Args:
        path: the file, plain or compressed; ``-`` is standard input.

    Returns:
        Tokens and labels of the sentences.

    Raises:
        InputError: for a malformed line (names file and line), and for a file without tokens.
    """
    name = display_name(path)
    groups = groupby(enumerate(read_lines(path), 1), lambda numbered: bool(numbered[1].strip()))
    sentences = [list(own) for has_text, own in groups if has_text]
    if not sentences:
        raise InputError("there is no token", path=name, hint=_LAYOUT)
    rows = [[_row(line, name, number) for number, line in own] for own in sentences]
    tokens = tuple([token for token, _ in own] for own in rows)
    wrong = tuple([label == INCORRECT for _, label in own] for own in rows)
    return Labelled(tokens, wrong, name, [own[0][0] for own in sentences])


def _row(line: str, path: str, number: int) -> tuple[str, str]:
    token, *labels = line.split("\t")
    if len(labels) != 1:
        found = f"one token and one label are expected, found {line[:60]!r}"
        raise InputError(found, path=path, line=number, hint=_LAYOUT)
    if token.split() != [token]:
        raise InputError(f"a token holds no white space and is not empty: {token!r}", path=path, line=number)
    if labels[0] not in (CORRECT, INCORRECT):
        raise InputError(f"the label is c or i, not {labels[0]!r}", path=path, line=number, hint=_LAYOUT)
    return token.replace('\\"', '"'), labels[0]
