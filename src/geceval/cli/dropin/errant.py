"""``errant_parallel``, ``errant_m2`` and ``errant_compare`` as of errant 3.0.2."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from geceval._kernel import Edits, keyed_edits
from geceval.cli.common import writing
from geceval.counting.breakdown import ByType, Groups, Tier, cut_as_errant, evidence_of, grouped
from geceval.counting.counts import Counts
from geceval.edits.annotation import Annotator
from geceval.edits.extract import MERGINGS, Extractor
from geceval.edits.languages import ANNOTATORS, language_of, make_annotator
from geceval.edits.m2files import edits_of_rows, retype
from geceval.errors import InputError, UsageError
from geceval.metrics.errant import Errant, Matching, Mode, Size
from geceval.text.m2 import Block, Blocks, fitting, noop, read, write
from geceval.text.reading import read_lines_together
from geceval.text.tokenisers import Tokeniser, make_tokeniser

TITLES: dict[Mode, str] = {
    "dt": " Token-Based Detection ",
    "ds": " Span-Based Detection ",
    "cse": " Span-Based Correction + Classification ",
    "cs": " Span-Based Correction ",
}
TIERS: dict[int, Tier] = {1: "operation", 2: "type", 3: "full"}


# --- errant_compare ---


def errant_compare(arguments: Sequence[str], prog: str) -> None:
    """F of the edits of one M2 file against those of another."""
    args = _compare_parser(prog).parse_args(arguments)
    if args.single and args.multi:
        raise UsageError("-single and -multi exclude each other: together they leave no edit")
    mode: Mode = next((mode for mode in TITLES if getattr(args, mode)), "cs")
    size: Size = "single" if args.single else "multi" if args.multi else "all"
    matching = Matching(mode, size, frozenset(args.filt), literal=True)
    metric = Errant(mode=mode, beta=args.beta)
    hypotheses, references = _blocks_together(args.hyp, args.ref)
    comparison = Comparison(metric, matching, hypotheses, references, evidence=args.verbose or bool(args.cat))
    if args.verbose:
        comparison.show()
    if args.cat:
        groups = grouped(comparison.counts, comparison.choice, ByType(TIERS[args.cat], cut_as_errant)).sorted()
        _print_categories(TITLES[mode], groups, metric)
    _print_totals(TITLES[mode], comparison.chosen.sum(axis=0).tolist(), metric)


def _compare_parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="F-scores of error detection and correction: the edits of one M2 file against those of another.",
        usage="%(prog)s [options] -hyp HYP -ref REF",
    )
    add = parser.add_argument
    add("-hyp", required=True, metavar="FILE", help="M2 file with the system's edits")
    add("-ref", required=True, metavar="FILE", help="M2 file with the annotators' edits")
    add("-b", "--beta", type=float, default=0.5, help="weight of recall (default: 0.5)")
    add("-v", "--verbose", action="store_true", help="print every sentence with its counts")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("-dt", action="store_true", help="detection: tokens")
    modes.add_argument("-ds", action="store_true", help="detection: spans")
    modes.add_argument("-cs", action="store_true", help="correction: spans and corrections (default)")
    modes.add_argument("-cse", action="store_true", help="correction: spans, corrections and types")
    add("-single", action="store_true", help="only edits of at most one token on either side")
    add("-multi", action="store_true", help="only edits of two or more tokens on some side")
    add("-filt", nargs="+", default=[], metavar="TYPE", help="error types that do not count")
    add("-cat", type=int, choices=TIERS, help="scores by 1: operation, 2: type, 3: both")
    return parser


def _blocks_together(hyp: str, ref: str) -> tuple[Blocks, Blocks]:
    hypotheses, references = Blocks.read(hyp), Blocks.read(ref)
    if len(hypotheses) != len(references):
        raise InputError(
            f"not the same number of sentences\n  -hyp  {hyp}  {len(hypotheses)}\n  -ref  {ref}  {len(references)}"
        )
    different = hypotheses.source.differing(references.source)
    if different:
        first = hypotheses[different[0]]
        print(f"warning: {first.error('not the sentence of the reference')}", file=sys.stderr)
        print(f"  {len(different)} sentences differ; scored as if they did not", file=sys.stderr)
    return hypotheses, references


class Comparison:
    """Two M2 files compared, and for each sentence the pair of annotators that is best for the score so far.

    The public tool pairs every annotator of one file with every one of the other, while a system of the stream has one
    version of a sentence: so edits are compared here directly.
    """

    def __init__(
        self, metric: Errant, matching: Matching, hypotheses: Blocks, references: Blocks, *, evidence: bool
    ) -> None:
        self.metric, self.matching, self.sources = metric, matching, hypotheses.source
        self.hypotheses, self.references = hypotheses.edits, references.edits
        try:
            self.counts = matching.compare(self.hypotheses, self.references, evidence=evidence)
        except ValueError as error:
            message, s = error.args
            raise references[s].error(message) from error
        [self.choice] = metric.choices(self.counts)
        self.chosen = self.counts.chosen(self.choice)

    def show(self) -> None:
        """Print every sentence, every pair of annotators and the choice among them."""
        mine, theirs = (_Listed(edits, self.matching) for edits in (self.hypotheses, self.references))
        before = np.cumsum(self.chosen, axis=0) - self.chosen
        for s, source in enumerate(self.sources):
            print(f"{'':-^40}\nOriginal sentence {s}: {source}")
            pairs = [(one, other) for one in mine.of(s) for other in theirs.of(s)]
            for r, (one, other) in enumerate(pairs):
                print(f"{'':-^40}\nSENTENCE {s} - HYP {one[0]} - REF {other[0]}")
                print("HYPOTHESIS EDITS :", one[1])
                print("REFERENCE EDITS  :", other[1])
                counts = self.counts.array[s, r]
                self._print_counts("Local", counts.tolist())
                self._print_counts("Global", (before[s] + counts).tolist())
            one, other = pairs[self.choice[s]]
            print(f"{'':-^40}\n^^ HYP {one[0]}, REF {other[0]} chosen for sentence {s}")
            self._print_types(s)

    def _print_counts(self, name: str, counts: Sequence[int]) -> None:
        print(f"{name} TP/FP/FN".ljust(17) + ":", *counts)
        print(f"{name} P/R/F{self.metric.beta}  :", *_rounded(self.metric, counts))

    def _print_types(self, s: int) -> None:
        groups = grouped(_sentence(self.counts, s), self.choice[s : s + 1], ByType())
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


class _Listed:
    """The edits of each annotator as errant_compare prints them."""

    def __init__(self, edits: Edits, matching: Matching) -> None:
        settings = matching.mode, matching.size, sorted(matching.exclude), matching.literal
        offsets, start, end, text, types = (column.tolist() for column in keyed_edits(edits, *settings))
        strings = edits.strings
        self.versions, self.annotators = edits.versions.tolist(), edits.annotator.tolist()
        self.offsets = offsets
        columns: list[Sequence[object]] = [start, end]
        if matching.mode == "cse":
            columns.append([strings[place] for place in types])
        if matching.mode in ("cs", "cse"):
            columns.append([strings[place] for place in text])
        self.rows = list(zip(*columns, [strings[place] for place in types], strict=True))

    def of(self, s: int) -> list[tuple[int, list[tuple[object, ...]]]]:
        """(annotator, edits) of a sentence; no edits where there is a noop."""
        versions = range(self.versions[s], self.versions[s + 1])
        return [(self.annotators[version], self._edits(version)) for version in versions]

    def _edits(self, version: int) -> list[tuple[object, ...]]:
        edits = sorted(self.rows[self.offsets[version] : self.offsets[version + 1]])
        return [] if edits and edits[0][0] == -1 else edits


def _rounded(metric: Errant, counts: Sequence[int]) -> list[float]:
    totals = np.array(counts)
    return [round(float(value), 4) for value in (*metric.precision_recall(totals), metric.score(totals))]


def _print_categories(title: str, groups: Groups, metric: Errant) -> None:
    print(f"\n{title:=^66}")
    heads = ["TP", "FP", "FN", "P", "R"]
    print("Category".ljust(14), *(head.ljust(8) for head in heads), f"F{metric.beta}")
    for name, counts in zip(groups.labels, groups.sums[0].tolist(), strict=True):
        precision, recall, f = _rounded(metric, counts)
        print(name.ljust(14), *(str(cell).ljust(8) for cell in (*counts, precision, recall)), f)


def _print_totals(title: str, totals: Sequence[int], metric: Errant) -> None:
    print(f"\n{title:=^46}")
    print("TP", "FP", "FN", "Prec", "Rec", f"F{metric.beta}", sep="\t")
    print(*totals, *_rounded(metric, totals), sep="\t")
    print(f"{'':=^46}\n")


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
    blocks = fitting(read(args.m2_file))
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
