"""``errant_parallel``, ``errant_m2`` and ``errant_compare`` as of errant 3.0.2."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from geceval.base.errors import UsageError
from geceval.cli.dropin.comparing import Comparison, asked, check_together, compare_parser
from geceval.cli.output import writing
from geceval.counting.counts import Counts
from geceval.counting.groups.breakdown import grouped
from geceval.counting.groups.groupings import ByType, evidence_of
from geceval.edits.annotated_m2 import edits_of_rows, retype
from geceval.edits.annotation import Annotator
from geceval.edits.extraction import MERGINGS, Extractor
from geceval.edits.languages import ANNOTATORS, language_of, make_annotator
from geceval.text.m2 import Block, Blocks, fitting, noop, write
from geceval.text.reading import read_lines_together
from geceval.text.tokenisers import Tokeniser, make_tokeniser

# --- errant_compare ---


def errant_compare(arguments: Sequence[str], prog: str) -> None:
    """F of the edits of one M2 file against those of another."""
    args = compare_parser(prog).parse_args(arguments)
    metric, matching = asked(args)
    hypotheses, references = Blocks.read(args.hyp), Blocks.read(args.ref)
    for blocks in (hypotheses, references):
        if blocks.is_cherrant:
            raise blocks[0].error("T lines: this is ChERRANT's dialect of M2", hint="cherrant_compare compares it")
    check_together(hypotheses, references, args)
    comparison = Comparison(metric, matching, hypotheses, references, evidence=args.verbose or bool(args.cat))
    if args.verbose:
        _show(comparison)
    comparison.print_results(args.cat)


def _show(comparison: Comparison) -> None:
    """Print every sentence, every pair of annotators, the choice among them and its edits by type."""
    for s, source in enumerate(comparison.sources):
        print(f"{'':-^40}\nOriginal sentence {s}: {source}")
        comparison.print_pairs(s)
        _print_types(comparison, s)


def _print_types(comparison: Comparison, s: int) -> None:
    groups = grouped(_sentence(comparison.counts, s), comparison.choice[s : s + 1], ByType())
    print("Local results:")
    rows = zip(groups.labels, groups.sums[0].tolist(), strict=True)
    table = [["Category", "TP", "FP", "FN"], *([name, *map(str, counts)] for name, counts in rows)]
    widths = [max(map(len, column)) + 3 for column in zip(*table, strict=True)]
    for row in table:
        print("".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


def _sentence(counts: Counts, s: int) -> Counts:
    """One sentence's counts."""
    rows = slice(*np.searchsorted(evidence_of(counts).sentence, (s, s + 1)).tolist())
    return Counts(counts.array[s : s + 1], counts.columns, None, evidence_of(counts).rows(rows, first=s))


# --- errant_parallel and errant_m2 ---


def _add_extraction(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("-lev", action="store_true", help="align by plain Levenshtein distance")
    add("-merge", choices=MERGINGS, default="rules", help="how neighbouring operations are merged (default: rules)")
    add(
        "--annotator",
        default="builtin",
        metavar="NAME",
        help=f"{', '.join(ANNOTATORS.shown)} (default: builtin; the public tool's is spacy:en_core_web_sm)",
    )


def _extractor(args: argparse.Namespace) -> Extractor:
    return Extractor(make_annotator(args.annotator), args.merge, args.lev)


def errant_parallel(arguments: Sequence[str], prog: str) -> None:
    """Parallel text to M2."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Align parallel text and extract and classify the edits.",
        usage="%(prog)s [-h] [options] -orig ORIG -cor COR [COR ...] -out OUT",
    )
    add = parser.add_argument
    add("-orig", required=True, metavar="FILE", help="the original text")
    add("-cor", required=True, nargs="+", metavar="FILE", help="one or more corrected texts")
    add("-out", required=True, metavar="FILE", help="where to write the M2 file")
    add("-tok", action="store_true", help="tokenise the text first (the builtin annotator can, and spacy:NAME)")
    _add_extraction(parser)
    args = parser.parse_args(arguments)
    _say(args, "Loading resources...")
    extractor = _extractor(args)
    _say(args, "Processing parallel files...")
    _write(_parallel(extractor, args), args.out)


def _parallel(extractor: Extractor, args: argparse.Namespace) -> Iterator[Block]:
    """Blocks as the public tool writes them: none for an empty original, and no noop for a correction that differs from
    the original in white space only."""
    tokenise = _tokenise(extractor.annotator) if args.tok else str.split
    texts = [[line.strip() for line in lines] for lines in read_lines_together([args.orig, *args.cor])]
    texts_by_line = [row for row in zip(*texts, strict=True) if row[0]]
    rows = [[tokenise(text) for text in row] for row in texts_by_line]
    for (original, *corrections), (source, *_), edits in zip(
        texts_by_line, rows, edits_of_rows(extractor, rows), strict=True
    ):
        plain = original if args.tok else " ".join(source)
        noops = [[noop(c)] if correction == plain else [] for c, correction in enumerate(corrections)]
        lines = [edit for own, instead in zip(edits, noops, strict=True) for edit in own or instead]
        yield Block(" ".join(source), tuple(lines))


def _tokenise(annotator: Annotator) -> Callable[[str], Sequence[str]]:
    """By the annotator itself, or by the tokeniser of its language."""
    own = language_of(annotator).tokeniser
    if isinstance(annotator, Tokeniser):
        return annotator.tokenise
    if own is None:
        raise UsageError(
            f"the annotator {annotator.name} does not tokenise; tokenise the text, or use builtin or spacy:NAME"
        )
    return make_tokeniser(own).tokenise


def errant_m2(arguments: Sequence[str], prog: str) -> None:
    """M2 to M2: edits extracted anew, or given ones typed."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Extract edits automatically, or type the edits there are, in an M2 file.",
        usage="%(prog)s [-h] (-auto | -gold) [options] m2_file -out OUT",
    )
    add = parser.add_argument
    add("m2_file", metavar="m2_file", help="the M2 file")
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("-auto", action="store_true", help="extract edits automatically")
    kinds.add_argument("-gold", action="store_true", help="keep the edits there are")
    add("-out", required=True, metavar="FILE", help="where to write")
    add("-no_min", action="store_true", help="with -gold: do not minimise edits")
    add("-old_cats", action="store_true", help="with -gold: keep the types there are")
    _add_extraction(parser)
    args = parser.parse_args(arguments)
    blocks = fitting(Blocks.read(args.m2_file).as_errant())
    options = {"auto": args.auto, "minimise": not args.no_min, "keep_types": args.old_cats}
    _say(args, "Loading resources...")
    extractor = _extractor(args)
    _say(args, "Processing M2 file...")
    _write(retype(extractor, blocks, **options), args.out)


def _say(args: argparse.Namespace, text: str) -> None:
    """The public tool's messages, unless standard output is for the M2."""
    if args.out != "-":
        print(text)


def _write(blocks: Iterator[Block], path: str) -> None:
    with writing(path) as out:
        write(blocks, out)
