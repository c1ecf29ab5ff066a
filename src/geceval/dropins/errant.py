"""``errant_parallel``, ``errant_m2`` and ``errant_compare`` as of errant 3.0.2."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from geceval.cli.output import writing
from geceval.counting.counts import Counts
from geceval.counting.groups.breakdown import group_counts
from geceval.counting.groups.groupings import ByType, evidence_of
from geceval.dropins.m2_comparison import M2Comparison, check_together, comparison_parser
from geceval.edits.annotated_m2 import edits_of_rows, retype
from geceval.edits.extraction import MERGINGS, Extractor
from geceval.edits.languages import ANNOTATORS, make_annotator, tokeniser_of
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, noop
from geceval.text.m2.m2_files import write
from geceval.text.reading.file_columns import read_lines_together

# --- errant_compare ---


def errant_compare(arguments: Sequence[str], prog: str) -> None:
    """Print F of the edits of one M2 file against another file."""
    description = "F-scores of error detection and correction: the edits of one M2 file against another file."
    options = comparison_parser(prog, description).parse_args(arguments)
    hypotheses, references = (Blocks.read(path, dialect=None) for path in (options.hyp, options.ref))
    for blocks in (hypotheses, references):
        if blocks.is_cherrant:
            raise blocks[0].error("T lines: this is ChERRANT's dialect of M2", hint="cherrant_compare compares it")
    check_together(hypotheses, references, options)
    comparison = M2Comparison(options, hypotheses, references)
    if options.verbose:
        for s, source in enumerate(hypotheses.source):
            print(f"{'':-^40}\nOriginal sentence {s}: {source}")
            comparison.print_pairs(s)
            _print_types(comparison, s)
    comparison.print_results()


def _print_types(comparison: M2Comparison, s: int) -> None:
    counts, evidence = comparison.counts, evidence_of(comparison.counts)
    rows = slice(*np.searchsorted(evidence.sentence, (s, s + 1)).tolist())
    local_evidence = evidence.picked(rows, sentence=evidence.sentence[rows] - s)
    sentence = Counts(counts.array[s : s + 1], counts.columns, None, local_evidence)
    groups = group_counts(sentence, comparison.choice[s : s + 1], ByType())
    print("Local results:")
    sums = zip(groups.labels, groups.sums[0].tolist(), strict=True)
    table = [["Category", "TP", "FP", "FN"], *([name, *map(str, numbers)] for name, numbers in sums)]
    widths = [max(map(len, column)) + 3 for column in zip(*table, strict=True)]
    for row in table:
        print("".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


# --- errant_parallel and errant_m2 ---


def _extraction_parser(prog: str, description: str, usage: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description=description, usage=usage)
    parser.add_argument("-out", required=True, metavar="FILE", help="where to write the M2 file")
    parser.add_argument("-lev", action="store_true", help="align by plain Levenshtein distance")
    parser.add_argument(
        "-merge",
        choices=MERGINGS,
        default="rules",
        help="how neighbouring operations are merged (default: %(default)s)",
    )
    parser.add_argument(
        "--annotator",
        default="builtin",
        metavar="NAME",
        help=f"{', '.join(ANNOTATORS.shown)} (default: builtin; the public tool's is spacy:en_core_web_sm)",
    )
    return parser


def _write(options: argparse.Namespace, what: str, blocks_of: Callable[[Extractor], Iterator[Block]]) -> None:
    """Write the blocks and the messages of the public tool.

    There are no messages if M2 goes to standard output.
    """
    is_silent = options.out == "-"
    if not is_silent:
        print("Loading resources...")
    extractor = Extractor(make_annotator(options.annotator), options.merge, options.lev)
    if not is_silent:
        print(f"Processing {what}...")
    with writing(options.out, plain=True) as out:
        write(blocks_of(extractor), out)


def errant_parallel(arguments: Sequence[str], prog: str) -> None:
    """Convert parallel text to M2."""
    description = "Align parallel text and extract and classify the edits."
    usage = "%(prog)s [-h] [options] -orig ORIG -cor COR [COR ...] -out OUT"
    parser = _extraction_parser(prog, description, usage)
    parser.add_argument("-orig", required=True, metavar="FILE", help="the original text")
    parser.add_argument("-cor", nargs="+", required=True, metavar="FILE", help="one or more corrected texts")
    parser.add_argument(
        "-tok", action="store_true", help="tokenise the text first (the builtin annotator can, and spacy:NAME)"
    )
    options = parser.parse_args(arguments)
    _write(options, "parallel files", lambda extractor: _parallel(extractor, options))


def _parallel(extractor: Extractor, options: argparse.Namespace) -> Iterator[Block]:
    """Yield blocks as the public tool writes them.

    An empty original has no block, and a correction that differs in white space only has no noop.
    """
    tokenise = tokeniser_of(extractor.annotator) if options.tok else str.split
    texts = [[line.strip() for line in lines] for lines in read_lines_together([options.orig, *options.cor])]
    texts_by_line = [row for row in zip(*texts, strict=True) if row[0]]
    rows = [[tokenise(text) for text in row] for row in texts_by_line]
    for (original, *corrections), (source, *_), edits in zip(
        texts_by_line, rows, edits_of_rows(extractor, rows), strict=True
    ):
        plain = original if options.tok else " ".join(source)
        noops = [[noop(c)] if correction == plain else [] for c, correction in enumerate(corrections)]
        lines = [edit for changes, instead in zip(edits, noops, strict=True) for edit in changes or instead]
        yield Block(" ".join(source), tuple(lines))


def errant_m2(arguments: Sequence[str], prog: str) -> None:
    """Convert M2 to M2: extract edits again, or type the given ones."""
    description = "Extract edits automatically, or type the edits there are, in an M2 file."
    usage = "%(prog)s [-h] (-auto | -gold) [options] m2_file -out OUT"
    parser = _extraction_parser(prog, description, usage)
    parser.add_argument("m2_file", help="the M2 file")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("-auto", action="store_true", help="extract edits automatically")
    source.add_argument("-gold", action="store_true", help="keep the edits there are")
    parser.add_argument("-no_min", action="store_true", help="with -gold: do not minimise edits")
    parser.add_argument("-old_cats", action="store_true", help="with -gold: keep the types there are")
    options = parser.parse_args(arguments)
    blocks = Blocks.read(options.m2_file).fitting()
    settings = {"auto": options.auto, "minimise": not options.no_min, "keep_types": options.old_cats}
    _write(options, "M2 file", lambda extractor: retype(extractor, blocks, **settings))
