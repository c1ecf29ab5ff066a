r"""Token-level error detection as in MultiGED-2023: precision, recall and F.

A line of a file is ``token TAB label``, and an empty line ends a sentence. The label is ``c`` (correct) or ``i``
(incorrect). Double quotes may be escaped (``\"``), as in the files of the task.

The scores are defined as in MultiGED-2023 (Volodina et al., NLP4CALL 2023). As in errant_compare, F takes precision as
1 without false positives, and recall as 1 without false negatives. Labels are read from files or derived from edits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any

import numpy as np

from geceval._kernel import Edits
from geceval.base.arguments import counted, number
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, short_traceback
from geceval.counting.checks.blank_corrections import warn_of_blocks
from geceval.counting.figures import F
from geceval.counting.settings import FINITE
from geceval.edits.corpus_edits import Extraction, hypothesis_edits
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn, TableRow, table_columns
from geceval.text.columns import HypothesisLike
from geceval.text.corpus import Corpus
from geceval.text.files import PathLike, display_name
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOOP, UNKNOWN, Misfits
from geceval.text.m2.operations import fitting_blocks
from geceval.text.reading.lines import read_lines

CORRECT, INCORRECT = "c", "i"
_LAYOUT = "write a token, a tab and c or i per line, and an empty line after each sentence"


@dataclass(frozen=True)
class Labelled:
    """S sentences of tokens, with a label per token.

    Attributes:
        tokens: ``tokens[s][t]``.
        wrong: ``wrong[s][t]``, whether the token needs correction.
        path: The file; ignored by comparisons, as ``lines`` is.
        lines: ``lines[s]``, the line of the first token.
    """

    tokens: Sequence[Sequence[str]]
    wrong: Sequence[Sequence[bool]]
    path: str | None = field(default=None, compare=False)
    lines: Sequence[int] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if list(map(len, self.tokens)) != list(map(len, self.wrong)):
            raise InputError("each sentence must have one label per token", path=self.path)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def source(self) -> list[str]:
        """The sentences, with spaces between tokens."""
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


@short_traceback
def read_labelled(path: PathLike) -> Labelled:
    """Return the sentences of a file.

    Args:
        path: The file, plain or compressed; ``-`` is standard input.

    Returns:
        Tokens and labels of the sentences.

    Raises:
        InputError: For a malformed line (names file and line), and for a file without tokens.
    """
    name = display_name(path)
    groups = groupby(enumerate(read_lines(path), 1), lambda numbered: bool(numbered[1].strip()))
    sentences = [list(sentence) for has_text, sentence in groups if has_text]
    if not sentences:
        raise InputError("the file has no tokens", path=name, hint=_LAYOUT)
    rows = [[_row(line, name, number) for number, line in sentence] for sentence in sentences]
    tokens = tuple([token for token, _ in sentence] for sentence in rows)
    wrong = tuple([label == INCORRECT for _, label in sentence] for sentence in rows)
    return Labelled(tokens, wrong, name, [sentence[0][0] for sentence in sentences])


def _row(line: str, path: str, number: int) -> tuple[str, str]:
    token, *labels = line.split("\t")
    if len(labels) != 1:
        message = f"expected one token and one label, found {line[:60]!r}"
        raise InputError(message, path=path, line=number, hint=_LAYOUT)
    if token.split() != [token]:
        raise InputError(f"a token must not be empty or contain white space: {token!r}", path=path, line=number)
    if labels[0] not in (CORRECT, INCORRECT):
        raise InputError(f"the label must be c or i, not {labels[0]!r}", path=path, line=number, hint=_LAYOUT)
    return token.replace('\\"', '"'), labels[0]


@dataclass(frozen=True)
class Detection:
    """Counts and scores of a detection.

    Attributes:
        tp: Number of incorrect tokens that are labelled incorrect.
        fp: Number of correct tokens that are labelled incorrect.
        fn: Number of incorrect tokens that are labelled correct.
        tokens: Number of all tokens.
        beta: Weight of recall in F, from 0.
    """

    tp: int
    fp: int
    fn: int
    tokens: int
    beta: float = 0.5

    @property
    def precision(self) -> float:
        """Precision in [0, 1]; NaN if no token is labelled incorrect."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else math.nan

    @property
    def recall(self) -> float:
        """Recall in [0, 1]; NaN if no token is incorrect."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else math.nan

    @property
    def f(self) -> float:
        """F-score in [0, 1], which takes an undefined precision or recall as 1."""
        tp, fp, fn = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        figure = F(self.beta, tp, (1.0, 1.0, 0.0), (1.0, 0.0, 1.0), fp, fn, ())
        return float(figure.formula.scores(np.array([self.tp, self.fp, self.fn])))

    def to_dict(self) -> dict[str, float]:
        """Return counts and scores by name."""
        counts = {name: getattr(self, name) for name in ("tokens", "tp", "fp", "fn")}
        return {**counts, "precision": self.precision, "recall": self.recall, "f": self.f}


@short_traceback
def score(gold: Labelled, system: Labelled, beta: float = 0.5) -> Detection:
    """Score the labels of a system against gold labels.

    Args:
        gold: Gold labels.
        system: Labels of the system, for the same tokens.
        beta: Weight of recall in F, from 0; below 1 precision weighs more.

    Returns:
        Counts, precision, recall and F in [0, 1].

    Raises:
        InputError: If the tokens differ; names file and line.
        UsageError: If ``beta`` is not a finite number from 0.

    Source:
        MultiGED-2023: Volodina et al. (NLP4CALL 2023).
    """
    beta = number("beta", beta, FINITE)
    _check_tokens(gold, system)
    right = np.fromiter((label for labels in gold.wrong for label in labels), bool)
    labelled = np.fromiter((label for labels in system.wrong for label in labels), bool)
    tp, fp, fn = (int(np.count_nonzero(both)) for both in (labelled & right, labelled & ~right, right & ~labelled))
    return Detection(tp, fp, fn, len(right), beta)


def _check_tokens(gold: Labelled, system: Labelled) -> None:
    for s, (expected, actual) in enumerate(zip(gold.tokens, system.tokens, strict=False)):
        for t, (gold_token, token) in enumerate(zip(expected, actual, strict=False)):
            if gold_token != token:
                raise InputError(f"{system.place(s, t)} has the token {token!r}, {gold.place(s, t)} has {gold_token!r}")
        if len(expected) != len(actual):
            lengths = f"{len(actual)} tokens, but {len(expected)} in {gold.place(s, 0)}"
            raise InputError(f"{system.place(s, 0)}: the sentence has {lengths}")
    _check_number(gold, len(system), system.path)


def _check_number(gold: Labelled, sentences: int, path: str | None) -> None:
    if len(gold) != sentences:
        lengths = f"\n  gold    {gold.path or ''}  {len(gold)}\n  system  {path or ''}  {sentences}"
        raise InputError(f"not the same number of sentences{lengths}")


def _check_no_labels(gold: Labelled, corrected: HypothesisLike, path: str | None) -> None:
    """Raise InputError for lines of two or three labels, one for each token of the source."""
    if isinstance(corrected, Blocks):
        return
    rows = [str(line or "").split() for line in corrected]
    labels = set(chain.from_iterable(rows))
    is_one_per_token = list(map(len, rows)) == list(map(len, gold.tokens))
    are_repeated = 1 < len(labels) <= 3 and 3 * len(labels) <= sum(map(len, rows))
    if is_one_per_token and are_repeated and labels.isdisjoint(chain.from_iterable(gold.tokens)):
        raise InputError(f"labels ({', '.join(sorted(labels))}), not corrected text", path=path, hint=_LAYOUT)


@short_traceback
def of_edits(source: Sequence[str], edits: Edits, path: str | None = None) -> Labelled:
    """Label the tokens that edits change as incorrect.

    The tokens inside an edit are incorrect, and so is the token to the right of an insertion. Edits without a
    correction (UNK) and noops are ignored. Of several annotators, the one with the smallest number is used in all
    sentences; a sentence in which only others have a line is correct, with a warning. The organisers' script converts
    M2 to labels in the same way; docs/checkers.md compares the result with the labels of their files.

    Args:
        source: Sentences [S] of tokens separated by spaces.
        edits: Edits of the sentences.
        path: Path that errors name.

    Returns:
        A label for each token.
    """
    tokens = [sentence.split() for sentence in source]
    wrong = [[False] * len(row) for row in tokens]
    # A sentence without a line has a version without edits, of annotator 0.
    annotator = min(edits.annotator[np.diff(edits.offsets) > 0].tolist(), default=0)
    lacking = []
    for s, labels in enumerate(wrong):
        versions = {number: rows for number, rows in edits.sentence(s) if rows}
        if versions and annotator not in versions:
            lacking.append(s + 1)
        for start, end, type_, _ in versions.get(annotator, ()):
            if start < 0 or type_ in (NOOP, UNKNOWN):
                continue
            for t in range(start, min(max(end, start + 1), len(labels))):
                labels[t] = True
    if lacking:
        sentences = f"{counted(len(lacking), 'sentence')} {'has' if len(lacking) == 1 else 'have'}"
        warn(
            f"{sentences} no line of annotator {annotator}, whose edits are used, but lines of others: "
            f"without an error here, such as sentence {lacking[0]}",
            "geceval m2 filter --annotators N selects another annotator",
            file=path or "",
        )
    return Labelled(tokens, wrong, path)


@short_traceback
def of_m2(path: PathLike, misfits: Misfits = "error") -> Labelled:
    """Label the tokens that the annotator with the smallest number in an M2 file changes; see ``of_edits``.

    Args:
        path: Path of the M2 file.
        misfits: Treatment of edits that do not fit their sentence; see m2.fitting.

    Returns:
        A label for each token.

    Raises:
        InputError: If the file cannot be read or is empty; see ``misfits``.
    """
    blocks = fitting_blocks(Blocks.read(path), misfits)
    warn_of_blocks(blocks, display_name(path))
    if not len(blocks):
        raise InputError("the file has no sentences", path=display_name(path))
    return of_edits([str(line) for line in blocks.source], blocks.edits, display_name(path))


@short_traceback
def of_correction(
    gold: Labelled, corrected: HypothesisLike, extraction: Extraction, path: str | None = None
) -> Labelled:
    """Label the tokens that a system corrects, by ``of_edits``.

    Args:
        gold: Gold labels, whose tokens are labelled.
        corrected: Corrected sentences [S] as text or M2 blocks.
        extraction: Extraction of edits from text.
        path: Path that errors name.

    Returns:
        A label for each token of ``gold``.

    Raises:
        InputError: If the number of sentences differs, or M2 blocks are of other sentences.
    """
    _check_number(gold, len(corrected), path)
    _check_no_labels(gold, corrected, path)
    corpus = Corpus(gold.source, systems={"system": corrected})
    edits = hypothesis_edits(corpus, corpus.systems["system"], extraction)
    return of_edits(gold.source, edits, path)


def detection_report(scores: Mapping[str, Detection], sources: Mapping[str, str], inputs: Mapping[str, Any]) -> Report:
    """Return the detection scores of each system.

    ``sources`` contains the origin of each system's labels. The notes contain the annotators of edits.
    """
    return Report(
        "geceval/detection@1",
        lambda: {**inputs, "results": [_document(name, result, sources[name]) for name, result in scores.items()]},
        lambda: [_table(scores, sources)],
    )


def _document(name: str, result: Detection, source: str) -> dict[str, Any]:
    return {"system": name, "from": source, "beta": result.beta, **result.to_dict()}


def _table(scores: Mapping[str, Detection], sources: Mapping[str, str]) -> ReportTable:
    beta = next(iter(scores.values())).beta
    columns = [
        TableColumn("system"),
        *table_columns("score", "P", "R", f"F{beta:g}", percent=True, undefined=True),
        *table_columns("count", "TP", "FP", "FN", "tokens"),
    ]
    rows: list[TableRow] = []
    for name, score in scores.items():
        rows.append([name, score.precision, score.recall, score.f, score.tp, score.fp, score.fn, score.tokens])
    return ReportTable(columns, rows, list(dict.fromkeys(source for source in sources.values() if ":" in source)))
