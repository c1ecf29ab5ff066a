"""GoToScorer: accuracy and F of chunks weighted by their difficulty.

A chunk weighs as much as it is difficult for the systems of the run, as in the authors' program.

Source: Gotou, Nagata, Mita and Hanawa, COLING 2020.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits, SlotTable
from geceval.base.errors import InputError, UsageError
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, Floats, sentences_from
from geceval.counting.figures import f_score, ratio
from geceval.counting.metric import About, ByKind, Outcomes, Pool, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.chunks import Booleans, Integers
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.edits.m2_annotation import DETECTION
from geceval.metrics.shared.edit_matching import OnEdits, warn_of_unknown
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import file_state
from geceval.text.m2.blocks import Blocks, explain_faults
from geceval.text.m2.edit import correction_of
from geceval.text.reading.lines import read_lines

#: Values of ``weights`` that are not a file.
POOL, NONE = "pool", "none"


@dataclass(frozen=True, eq=False)
class PreparedGoto:
    """Sentences, divided into chunks by the reference's edits.

    ``weight``: weights [C] of the chunks, if they are known.
    """

    corpus: Corpus
    gold: Edits
    table: SlotTable
    weight: Floats | None = None

    @property
    def sentence(self) -> NDArray[np.int64]:
        """Sentences [C] of the chunks."""
        return np.repeat(np.arange(len(self.table)), np.diff(self.table.offsets))

    def digests(self) -> list[str]:
        """Return eight hexadecimal digits that identify each sentence and its chunks."""
        offsets, edit = self.table.offsets, self.table.edit
        spans = zip(self.table.start.tolist(), self.table.end.tolist(), edit.tolist(), strict=True)
        strings, texts = self.gold.strings, self.gold.text.tolist()
        literal = self.gold.literal
        changes = [(a, b, correction_of(strings[texts[e]], literal)) for a, b, e in spans if e >= 0]
        ends = np.cumsum(edit >= 0)[offsets[1:] - 1].tolist()
        starts = [0, *ends[:-1]]
        lines = zip(self.corpus.source, starts, ends, strict=True)
        return [f"{zlib.crc32(repr((line.split(), changes[first:last])).encode()):08x}" for line, first, last in lines]


@dataclass(frozen=True)
class Goto(OnEdits[PreparedGoto]):
    """F over the chunks of one reference, weighted by the systems of the run.

    ``ref_id`` is the number of the annotator in gold edits, or the index of the reference text. The weight of a chunk
    that n of N systems correct is a - (n + b) / (N + c). ``weights`` is "pool" for the run's systems, a file written by
    ``geceval m2 weights`` from other systems, or "none" if all weights are 1.

    Source: Gotou, Nagata, Mita and Hanawa, Taking the Correction Difficulty into Account (COLING 2020).
    """

    name: ClassVar[str] = "goto"
    about: ClassVar[About] = About("chunks weighted by difficulty", "weights=none", title="GoTo")
    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn", "tn", "all")
    scale: ClassVar[Scale] = Scale(conventions={"precision": 0.0, "recall": 0.0})
    outcomes: ClassVar[Outcomes] = Outcomes({"tp": "correct", "fp": "wrong", "fn": "missed"})
    #: A rightly unchanged chunk has no edit.
    by_kind: ClassVar[ByKind] = ByKind(dict.fromkeys(("tn", "all"), "(unchanged)"), frozenset({"accuracy"}))

    ref_id: int = setting(0, bounds=Bounds(0), meaning="number of the reference, from 0")
    a: float = setting(1.0, bounds=Bounds(0, 1e9), meaning="constant a of a chunk's weight, a - (n + b) / (N + c)")
    b: float = setting(0.0, bounds=Bounds(0, 1e9), meaning="constant b of a chunk's weight")
    c: float = setting(0.0, bounds=Bounds(0, 1e9), meaning="constant c of a chunk's weight")
    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    weights: str = setting(POOL, meaning="source of the weights: pool (systems of the run), none (all 1), or a file")
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text")

    @property
    def pool(self) -> Pool | None:
        return self.weighted_by if self.weights == POOL else None

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the entries of the signature, a file of weights with its digest."""
        settings = super().signed(inputs)
        if self.weights == NONE:
            return {name: value for name, value in settings.items() if name not in ("a", "b", "c")}
        if self.weights == POOL:
            return settings
        return settings | {"weights": f"{Path(self.weights).name}@{read_weights(self.weights).digest}"}

    def reference_names(self, names: Sequence[str], positions: Sequence[int]) -> Sequence[str]:
        return [str(self.ref_id)]

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        """Check the reference and the weights against a corpus.

        Raises UsageError without the reference, and InputError for weights of other sentences.
        """
        references = range(corpus.most_references) if corpus.gold is None else corpus.annotators
        if self.ref_id not in references:
            available = ", ".join(map(str, references))
            raise UsageError(f"goto: reference {self.ref_id} does not exist: choose from {available}")
        if self.weights not in (POOL, NONE):
            file = read_weights(self.weights)
            if corpus.sentences not in (None, len(file.rows)):
                raise InputError(f"weights of {len(file.rows)} sentences for {corpus.sentences}", path=file.path)
        return warn_of_unknown(self.name, corpus)

    def prepare(self, corpus: Corpus, threads: int = 0) -> PreparedGoto:
        """Return the chunks of the reference ``ref_id``.

        An annotator without a line in a block of M2 changes nothing. Raises InputError if a sentence lacks the
        reference text, and for a file of weights of other sentences.
        """
        gold = reference_edits(corpus, self.extraction, threads)
        versions = np.full(len(corpus), -1)
        chosen_versions = np.flatnonzero(gold.annotator == self.ref_id)
        versions[np.searchsorted(gold.versions, chosen_versions, side="right") - 1] = chosen_versions
        if corpus.gold is None and (versions < 0).any():
            sentence = int(np.flatnonzero(versions < 0)[0])
            raise InputError(f"sentence {sentence + 1} has no reference {self.ref_id}", sentence=sentence)
        with explain_faults(corpus.gold):
            table = SlotTable(corpus.source, gold, versions, sorted(DETECTION), threads)
        prepared = PreparedGoto(corpus, gold, table)
        if self.weights == POOL:
            return prepared
        if self.weights == NONE:
            return replace(prepared, weight=np.ones(len(table.start)))
        file = read_weights(self.weights)
        return replace(prepared, weight=self.chunk_weights(file.right(prepared), file.systems))

    def weighted_by(self, prepared: PreparedGoto, systems: Mapping[str, Hypothesis], threads: int = 0) -> PreparedGoto:
        """Return the preparation with the weights of chunks that systems determine."""
        right = self.right(prepared, systems, threads)
        return replace(prepared, weight=self.chunk_weights(right, len(systems)))

    def right(self, prepared: PreparedGoto, systems: Mapping[str, Hypothesis], threads: int = 0) -> NDArray[np.int64]:
        """Return the number of systems that correct each chunk."""
        right: Integers = np.zeros(len(prepared.table.start), np.int64)
        for hypothesis in systems.values():
            right += self.verdicts(prepared, hypothesis, threads)[1]
        return right

    def weight_lines(self, corpus: TextSource, threads: int = 0) -> Iterable[str]:
        """Yield the lines of a file of weights, with the systems as the pool."""
        yield f"{HEAD}{len(corpus.system_names)}"
        metric = replace(self, weights=POOL)
        metric.remarks(corpus)
        for part in corpus.parts(metric.block):
            with sentences_from(part.first):
                prepared = metric.prepare(part, threads)
                right = metric.right(prepared, part.systems, threads).tolist()
            offsets = prepared.table.offsets.tolist()
            for s, digest in enumerate(prepared.digests()):
                yield f"{digest}\t{' '.join(map(str, right[offsets[s] : offsets[s + 1]]))}"

    def chunk_weights(self, right: NDArray[np.int64], systems: int) -> Floats:
        """Return the weights of chunks by the number of systems that have them right.

        Raises UsageError for weights below 0.
        """
        if systems + self.c == 0 or self.a * (systems + self.c) < systems + self.b:
            message = f"goto: a chunk that all {systems} systems correct would have a weight below 0"
            raise UsageError(message, hint="a - (n + b) / (N + c) with n = N; a 1 and b up to c are safe")
        return np.asarray(self.a - (right + self.b) / (systems + self.c), dtype=np.float64)

    def verdicts(
        self, prepared: PreparedGoto, hypothesis: Hypothesis, threads: int = 0
    ) -> tuple[Edits, Booleans, Integers]:
        """Return a system's edits, and for each chunk [C] whether it is right and its edit.

        The edit that touches a chunk is an index of the edits, or -1.
        """
        edits = hypothesis_edits(prepared.corpus, hypothesis, self.extraction, threads)
        with explain_faults(hypothesis if isinstance(hypothesis, Blocks) else None):
            return edits, *prepared.table.verdicts(edits, threads)

    def count(
        self, prepared: PreparedGoto, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return counts ``array[s, 0, k]``, the weights of the chunks."""
        if prepared.weight is None:
            raise UsageError("goto weighs chunks by the systems of a run", hint="call pool, or set weights")
        edits, right, edit = self.verdicts(prepared, hypothesis, threads)
        chunk, column = list_cells(right, edit >= 0, prepared.table.edit >= 0)
        sentence, weight = prepared.sentence[chunk], prepared.weight[chunk]
        width = len(self.columns)
        sums = np.bincount(sentence * width + column, weight, minlength=len(prepared.table) * width)
        chunk_evidence = self.evidence(prepared, edits, edit[chunk], chunk, column) if evidence else None
        return Counts(sums.reshape(-1, 1, width), self.columns, evidence=chunk_evidence)

    def evidence(
        self, prepared: PreparedGoto, edits: Edits, system_edit: Integers, chunk: Integers, column: Integers
    ) -> Evidence:
        """Return the chunks of each cell, by the gold edit or the edit that touches it."""
        assert prepared.weight is not None
        gold, table = prepared.gold, prepared.table
        gold_edit = table.edit[chunk]
        in_gold = gold_edit >= 0
        in_system = ~in_gold & (system_edit >= 0)
        strings = ["", *gold.strings, *edits.strings]
        text, kind = np.zeros(len(chunk), np.int32), np.zeros(len(chunk), np.int32)
        for selected, edit, columns, offset in (
            (in_gold, gold_edit, gold, 1),
            (in_system, system_edit, edits, 1 + len(gold.strings)),
        ):
            text[selected] = columns.text[edit[selected]] + offset
            kind[selected] = columns.type[edit[selected]] + offset
        side = np.where(in_gold, REFERENCE, HYPOTHESIS).astype(np.uint8)
        spans = table.start[chunk], table.end[chunk]
        sentence, reference, weight = prepared.sentence[chunk], np.zeros(len(chunk), np.int64), prepared.weight[chunk]
        return Evidence(sentence, reference, column, weight, side, *spans, text, kind, strings=strings)

    def score(self, totals: NDArray[Any]) -> Floats:
        """Return F; precision and recall are 0 if nothing is proposed, or if the gold has no edits."""
        tp, fp, fn, _, _ = np.moveaxis(totals, -1, 0)
        return f_score(ratio(tp, tp + fp, 0.0), ratio(tp, tp + fn, 0.0), self.beta)

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        tp, fp, fn, tn, chunks = np.moveaxis(totals, -1, 0)
        return {
            "precision": ratio(tp, tp + fp, np.nan),
            "recall": ratio(tp, tp + fn, np.nan),
            "accuracy": ratio(tp + tn, chunks, 0.0),
        }


def list_cells(right: Booleans, has_edit: Booleans, has_gold_edit: Booleans) -> tuple[Integers, Integers]:
    """Return the chunk and the column of each counted cell.

    A wrong edit of a chunk with a gold edit is also a miss.
    """
    tp, fp, fn, tn = right & has_edit, ~right & has_edit, ~right & (has_gold_edit | ~has_edit), right & ~has_edit
    column, chunk = np.nonzero([tp, fp, fn, tn, np.ones_like(right)])
    return chunk, column


# --- weights in a file ---

HEAD = "# geceval goto weights, systems:"


@dataclass(frozen=True, eq=False)
class WeightFile:
    """File of weights.

    Attributes:
        path: Path of the file.
        systems: Number of systems.
        rows: Digest of each sentence, and the number of systems that have each of its chunks right.
        digest: Digest of the file.
    """

    path: str
    systems: int
    rows: Sequence[str]
    digest: str

    def right(self, prepared: PreparedGoto) -> NDArray[np.int64]:
        """Return the number of systems that have each chunk of a part right.

        Raises InputError, with the line, for other sentences.
        """
        offsets = prepared.table.offsets
        all_right: list[int] = []
        for s, digest in enumerate(prepared.digests()):
            sentence = prepared.corpus.place(s)
            line = sentence + 2
            if sentence >= len(self.rows):
                raise InputError(f"no weights for line {sentence + 1}", path=self.path, line=line)
            file_digest, _, numbers = self.rows[sentence].partition("\t")
            right = self._numbers(numbers, line)
            if file_digest != digest or len(right) != offsets[s + 1] - offsets[s]:
                message = f"these weights belong to another text or other gold edits than line {sentence + 1}"
                raise InputError(message, path=self.path, line=line, hint="geceval m2 weights writes a new file")
            all_right += right
        return np.array(all_right, np.int64)

    def _numbers(self, text: str, line: int) -> list[int]:
        try:
            numbers = [int(number) for number in text.split()]
        except ValueError:
            raise InputError(f"expected integers, found {text!r}", path=self.path, line=line) from None
        if any(not 0 <= number <= self.systems for number in numbers):
            raise InputError(f"numbers from 0 to {self.systems} are expected", path=self.path, line=line)
        return numbers


def read_weights(path: str) -> WeightFile:
    """Return a file of weights. Raises InputError for another file."""
    return _read(path, *file_state(path, "weights is pool, none, or a file written by geceval m2 weights"))


@lru_cache(maxsize=4)
def _read(path: str, changed: int, size: int) -> WeightFile:
    lines = list(read_lines(path)) or [""]
    head, rows = lines[0], lines[1:]
    systems = head.removeprefix(HEAD)
    if systems == head or not systems.strip().isdecimal() or len(systems) > 9 or int(systems) == 0:
        raise InputError("not a file of weights", path=path, line=1, hint="geceval m2 weights writes one")
    digest = zlib.crc32("\n".join(lines).encode())
    return WeightFile(path, int(systems), rows, f"{digest:08x}")
