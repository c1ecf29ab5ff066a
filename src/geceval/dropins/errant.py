"""``errant_parallel``, ``errant_m2`` and ``errant_compare`` as of errant 3.0.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.output import writing
from geceval.cli.parsing import parse
from geceval.counting.counts import Counts
from geceval.counting.groups.breakdown import group_counts
from geceval.counting.groups.groupings import ByType, evidence_of
from geceval.dropins.m2_comparison import USAGE, CompareM2Request, M2Comparison, check_together
from geceval.edits.annotated_m2 import edits_of_rows, retype
from geceval.edits.extraction import MERGINGS, Extractor, Merging
from geceval.edits.languages import ANNOTATORS, make_annotator, tokeniser_of
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, noop
from geceval.text.m2.m2_files import write
from geceval.text.m2.merging import fitting
from geceval.text.reading.file_columns import read_lines_together

# --- errant_compare ---


def errant_compare(arguments: Sequence[str], prog: str) -> None:
    """Print F of the edits of one M2 file against another file."""
    description = "F-scores of error detection and correction: the edits of one M2 file against another file."
    request = parse(CompareM2Request, arguments, prog, description, USAGE)
    hypotheses, references = Blocks.read(request.hyp), Blocks.read(request.ref)
    for blocks in (hypotheses, references):
        if blocks.is_cherrant:
            raise blocks[0].error("T lines: this is ChERRANT's dialect of M2", hint="cherrant_compare compares it")
    check_together(hypotheses, references, request)
    comparison = M2Comparison(request, hypotheses, references)
    if request.verbose:
        for s, source in enumerate(hypotheses.source):
            print(f"{'':-^40}\nOriginal sentence {s}: {source}")
            comparison.print_pairs(s)
            _print_types(comparison, s)
    comparison.print_results()


def _print_types(comparison: M2Comparison, s: int) -> None:
    counts, evidence = comparison.counts, evidence_of(comparison.counts)
    rows = slice(*np.searchsorted(evidence.sentence, (s, s + 1)).tolist())
    own = evidence.picked(rows, sentence=evidence.sentence[rows] - s)
    sentence = Counts(counts.array[s : s + 1], counts.columns, None, own)
    groups = group_counts(sentence, comparison.choice[s : s + 1], ByType())
    print("Local results:")
    sums = zip(groups.labels, groups.sums[0].tolist(), strict=True)
    table = [["Category", "TP", "FP", "FN"], *([name, *map(str, own)] for name, own in sums)]
    widths = [max(map(len, column)) + 3 for column in zip(*table, strict=True)]
    for row in table:
        print("".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


# --- errant_parallel and errant_m2 ---


class ExtractionRequest(CommandRequest):
    """Options of the extraction and the output."""

    out: str = option("-out", required=True, metavar="FILE")
    lev: bool = option("-lev")
    merge: Merging = option("-merge", choices=MERGINGS, default="rules")
    annotator: str = option("--annotator", known=ANNOTATORS.shown, default="builtin", metavar="NAME")

    def write(self, what: str, blocks_of: Callable[[Extractor], Iterator[Block]]) -> None:
        """Write the blocks and the messages of the public tool.

        There are no messages if M2 goes to standard output.
        """
        is_silent = self.out == "-"
        if not is_silent:
            print("Loading resources...")
        extractor = Extractor(make_annotator(self.annotator), self.merge, self.lev)
        if not is_silent:
            print(f"Processing {what}...")
        with writing(self.out, plain=True) as out:
            write(blocks_of(extractor), out)


class ParallelRequest(ExtractionRequest):
    """The options of errant_parallel."""

    orig: str = option("-orig", required=True, metavar="FILE")
    cor: tuple[str, ...] = option("-cor", required=True, metavar="FILE")
    tok: bool = option("-tok")


def errant_parallel(arguments: Sequence[str], prog: str) -> None:
    """Convert parallel text to M2."""
    description = "Align parallel text and extract and classify the edits."
    usage = "%(prog)s [-h] [options] -orig ORIG -cor COR [COR ...] -out OUT"
    request = parse(ParallelRequest, arguments, prog, description, usage)
    request.write("parallel files", lambda extractor: _parallel(extractor, request))


def _parallel(extractor: Extractor, request: ParallelRequest) -> Iterator[Block]:
    """Yield blocks as the public tool writes them.

    An empty original has no block, and a correction that differs in white space only has no noop.
    """
    tokenise = tokeniser_of(extractor.annotator) if request.tok else str.split
    texts = [[line.strip() for line in lines] for lines in read_lines_together([request.orig, *request.cor])]
    texts_by_line = [row for row in zip(*texts, strict=True) if row[0]]
    rows = [[tokenise(text) for text in row] for row in texts_by_line]
    for (original, *corrections), (source, *_), edits in zip(
        texts_by_line, rows, edits_of_rows(extractor, rows), strict=True
    ):
        plain = original if request.tok else " ".join(source)
        noops = [[noop(c)] if correction == plain else [] for c, correction in enumerate(corrections)]
        lines = [edit for own, instead in zip(edits, noops, strict=True) for edit in own or instead]
        yield Block(" ".join(source), tuple(lines))


class M2Request(ExtractionRequest):
    """The options of errant_m2."""

    m2_file: str = option(required=True, metavar="m2_file")
    auto: bool = option("-auto")
    gold: bool = option("-gold")
    no_min: bool = option("-no_min")
    old_cats: bool = option("-old_cats")

    def check(self) -> None:
        if self.auto == self.gold:
            raise UsageError("one of the arguments -auto -gold is required, and not both")


def errant_m2(arguments: Sequence[str], prog: str) -> None:
    """Convert M2 to M2: extract edits again, or type the given ones."""
    description = "Extract edits automatically, or type the edits there are, in an M2 file."
    usage = "%(prog)s [-h] (-auto | -gold) [options] m2_file -out OUT"
    request = parse(M2Request, arguments, prog, description, usage)
    blocks = fitting(Blocks.read(request.m2_file).as_errant())
    how = {"auto": request.auto, "minimise": not request.no_min, "keep_types": request.old_cats}
    request.write("M2 file", lambda extractor: retype(extractor, blocks, **how))
