"""Commands of ERRANT and ChERRANT.

``errant_parallel``, ``errant_m2`` and ``errant_compare`` as of errant 3.0.2; ``cherrant_compare`` as
compare_m2_for_evaluation.py (MuCGEC, commit 3922193).
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from geceval._kernel import Edits, keyed_edits
from geceval.base.errors import InputError
from geceval.cli.output import note, say, writing
from geceval.counting.breakdown import ByType, cut_as_errant, evidence_of, group_counts
from geceval.counting.counts import Counts
from geceval.counting.metric_names import make_metric
from geceval.edits.extraction import MERGINGS, Extractor, check_corrections, edits_of_rows, retype
from geceval.edits.languages import ANNOTATORS, make_annotator, tokeniser_of
from geceval.metrics.shared.edit_matching import Matching, Mode
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOT_ANNOTATABLE, Block, Tier, noop
from geceval.text.m2.m2_files import write
from geceval.text.m2.operations import fitting_blocks
from geceval.text.reading.corpus_files import read_lines_together

#: An annotator, and the edits of the annotator.
_Version: TypeAlias = tuple[int, list[tuple[object, ...]]]

TITLES: dict[Mode, str] = {
    "dt": " Token-Based Detection ",
    "ds": " Span-Based Detection ",
    "cse": " Span-Based Correction + Classification ",
    "cs": " Span-Based Correction ",
}
TIERS: dict[int, Tier] = {1: "operation", 2: "type", 3: "full"}


def comparison_parser(prog: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of errant_compare, to which cherrant_compare adds options."""
    usage = "%(prog)s [options] -hyp HYP -ref REF"
    parser = argparse.ArgumentParser(prog=prog, description=description, usage=usage)
    parser.add_argument("-hyp", required=True, metavar="FILE", help="M2 file with the system's edits")
    parser.add_argument("-ref", required=True, metavar="FILE", help="M2 file with the annotators' edits")
    parser.add_argument("-b", "--beta", type=float, default=0.5, help="weight of recall (default: %(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every sentence with its counts")
    modes = {
        "dt": "detection: tokens",
        "ds": "detection: spans",
        "cs": "correction: spans and corrections (default)",
        "cse": "correction: spans, corrections and types",
    }
    group = parser.add_mutually_exclusive_group()
    for mode, text in modes.items():
        group.add_argument(f"-{mode}", action="store_const", dest="mode", const=mode, default="cs", help=text)
    sizes = {
        "single": "only edits of at most one token on either side",
        "multi": "only edits of two or more tokens on some side",
    }
    group = parser.add_mutually_exclusive_group()
    for size, text in sizes.items():
        group.add_argument(f"-{size}", action="store_const", dest="size", const=size, default="all", help=text)
    parser.add_argument("-filt", nargs="+", default=[], metavar="TYPE", help="error types that do not count")
    parser.add_argument("-cat", type=int, choices=TIERS, metavar="N", help="scores by 1: operation, 2: type, 3: both")
    return parser


def matching_of(options: argparse.Namespace) -> Matching:
    """Return the edits that count, and the criterion by which two are equal."""
    return Matching(options.mode, options.size, frozenset(options.filt), literal=True)


def check_together(hypotheses: Blocks, references: Blocks, options: argparse.Namespace) -> None:
    """Warn if sentences differ.

    Raises:
        InputError: If the files have different numbers of sentences.
    """
    if len(hypotheses) != len(references):
        lengths = f"\n  -hyp  {options.hyp}  {len(hypotheses)}\n  -ref  {options.ref}  {len(references)}"
        raise InputError(f"the files have different numbers of sentences{lengths}")
    different = hypotheses.source.differing(references.source)
    if different:
        first = hypotheses[different[0]]
        more = f"  {len(different)} sentences differ; scored as if they did not"
        say(f"warning: {first.error('not the sentence of the reference')}\n{more}")


class M2Comparison:
    """Two M2 files, with the best pair of annotators for each sentence.

    The best pair depends on the sentences before. The public tools pair every annotator of one file with every
    annotator of the other, while a system of a corpus has one version of a sentence. Edits are compared here directly.

    Attributes:
        typed: Whether edits are listed with their types.
        numbers: The numbers of the sentences (default: from 0).
    """

    def __init__(
        self,
        options: argparse.Namespace,
        hypotheses: Blocks,
        references: Blocks,
        *,
        typed: bool = True,
        numbers: Sequence[int] | None = None,
    ) -> None:
        self._matching, self._tier, self._typed = matching_of(options), options.cat, typed
        self._metric: Any = make_metric("errant", mode=self._matching.mode, beta=options.beta)
        self._numbers = range(len(hypotheses)) if numbers is None else numbers
        self._edits = hypotheses.edits, references.edits
        try:
            self.counts = self._matching.compare(*self._edits, evidence=options.verbose or self._tier is not None)
        except ValueError as error:
            message, s = error.args
            raise references[s].error(message) from error
        [self.choice] = self._metric.choices(self.counts)
        self._chosen = self.counts.chosen(self.choice)
        self._before = np.cumsum(self._chosen, axis=0) - self._chosen  # the counts before each sentence

    @cached_property
    def _printed(self) -> list[list[list[_Version]]]:
        """The versions of each sentence on either side."""
        return [_printed_edits(edits, self._matching, self._typed) for edits in self._edits]

    def print_pairs(self, s: int, head: str = "") -> None:
        """Print every pair of annotators of a sentence, and the chosen one."""
        number, pairs = self._numbers[s], list(itertools.product(*(versions[s] for versions in self._printed)))
        for r, (hypothesis, reference) in enumerate(pairs):
            print(f"{head}{'':-^40}\nSENTENCE {number} - HYP {hypothesis[0]} - REF {reference[0]}")
            print("HYPOTHESIS EDITS :", hypothesis[1])
            print("REFERENCE EDITS  :", reference[1])
            counts = self.counts.array[s, r]
            self._print_counts("Local", counts.tolist())
            self._print_counts("Global", (self._before[s] + counts).tolist())
        hypothesis, reference = pairs[self.choice[s]]
        print(f"{'':-^40}\n^^ HYP {hypothesis[0]}, REF {reference[0]} chosen for sentence {number}")

    def _print_counts(self, name: str, counts: Sequence[int]) -> None:
        print(f"{name} TP/FP/FN".ljust(17) + ":", *counts)
        print(f"{name} P/R/F{self._metric.beta}  :", *self._rounded(counts))

    def print_results(self) -> None:
        """Print the scores by category, then the scores."""
        title, f_name = TITLES[self._matching.mode], f"F{self._metric.beta}"
        if self._tier is not None:
            groups = group_counts(self.counts, self.choice, ByType(TIERS[self._tier], cut_as_errant)).sorted()
            print(f"\n{title:=^66}")
            print("Category".ljust(14), *(head.ljust(8) for head in ("TP", "FP", "FN", "P", "R")), f_name)
            for name, counts in zip(groups.labels, groups.sums[0].tolist(), strict=True):
                precision, recall, f = self._rounded(counts)
                print(name.ljust(14), *(str(cell).ljust(8) for cell in (*counts, precision, recall)), f)
        totals = self._chosen.sum(axis=0).tolist()
        print(f"\n{title:=^46}")
        print("TP", "FP", "FN", "Prec", "Rec", f_name, sep="\t")
        print(*totals, *self._rounded(totals), sep="\t")
        print(f"{'':=^46}\n")

    def _rounded(self, counts: Sequence[int]) -> list[float]:
        totals = np.array(counts)
        figures = (*self._metric.precision_recall(totals), self._metric.score(totals))
        return [round(float(figure), 4) for figure in figures]


def _printed_edits(edits: Edits, matching: Matching, typed: bool) -> list[list[_Version]]:
    """Return the annotators of each sentence with their printed edits, without noops."""
    settings = matching.mode, matching.size, sorted(matching.exclude), matching.literal
    keys = keyed_edits(edits, settings)
    strings = edits.strings
    corrections, names = ([strings[number] for number in column.tolist()] for column in (keys["text"], keys["type"]))
    columns: list[Sequence[object]] = [keys["start"].tolist(), keys["end"].tolist()]
    if matching.mode == "cse":
        columns.append(names)
    if matching.mode in ("cs", "cse"):
        columns.append(corrections)
    if typed:
        columns.append(names)
    rows = list(zip(*columns, strict=True))
    sorted_rows = [sorted(rows[first:last]) for first, last in itertools.pairwise(keys["offsets"].tolist())]
    printed = [[] if version and version[0][0] == -1 else version for version in sorted_rows]
    versions = list(zip(edits.annotator.tolist(), printed, strict=True))
    return [versions[first:last] for first, last in itertools.pairwise(edits.versions.tolist())]


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
    local_evidence = evidence.take(rows, sentence=evidence.sentence[rows] - s)
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
    texts_by_line = {s: row for s, row in enumerate(zip(*texts, strict=True)) if row[0]}
    rows = [[tokenise(text) for text in row] for row in texts_by_line.values()]
    for (s, (original, *corrections)), (source, *_), edits in zip(
        texts_by_line.items(), rows, edits_of_rows(extractor, rows), strict=True
    ):
        plain = original if options.tok else " ".join(source)
        noops = [[noop(c)] if correction == plain else [] for c, correction in enumerate(corrections)]
        lines = [edit for changes, no_change in zip(edits, noops, strict=True) for edit in changes or no_change]
        yield check_corrections(Block(" ".join(source), tuple(lines)), s, options.cor, bars=False)


def errant_m2(arguments: Sequence[str], prog: str) -> None:
    """Convert M2 to M2: extract edits again, or type the existing ones."""
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
    blocks = fitting_blocks(Blocks.read(options.m2_file), "error")
    settings = {"auto": options.auto, "minimise": not options.no_min, "keep_types": options.old_cats}
    _write(options, "M2 file", lambda extractor: retype(extractor, blocks, **settings))


#: Options that the public tool accepts and ignores.
_WITHOUT_EFFECT = ("multi_hyp_avg", "multi_hyp_max")
#: The values of --max_answer_num; any other number removes all edits, as in the public tool.
_MOST_ANSWERS = (1, 2, 3)


def _parse(arguments: Sequence[str], prog: str) -> argparse.Namespace:
    description = "F-scores of error detection and correction in Chinese: two files of ChERRANT's M2."
    parser = comparison_parser(prog, description)
    parser.add_argument(
        "--start", type=int, metavar="N", help="with --end: only the sentences from N on, counted from 0"
    )
    parser.add_argument("--end", type=int, metavar="N", help="with --start: only the sentences before N")
    parser.add_argument(
        "--max_answer_num", type=int, metavar="N", help="only the first N answers, 1 to 3, of either file"
    )
    parser.add_argument("--reference_num", type=int, metavar="N", help="only sentences with N answers in REF")
    for name in _WITHOUT_EFFECT:
        parser.add_argument(f"-{name}", action="store_true", help="no effect, as in the public tool")
    return parser.parse_args(arguments)


def cherrant_compare(arguments: Sequence[str], prog: str) -> None:
    """Print F of the edits of one ChERRANT file against another file."""
    options = _parse(arguments, prog)
    for name in _WITHOUT_EFFECT:
        if getattr(options, name):
            note(f"-{name} has no effect, as with the public tool")
    hypotheses, references = (_blocks(path, options) for path in (options.hyp, options.ref))
    check_together(hypotheses, references, options)
    sentences = _compared_sentences(references.edits, matching_of(options), options.reference_num)
    selected = (Blocks.of([blocks[s] for s in sentences]) for blocks in (hypotheses, references))
    comparison = M2Comparison(options, *selected, typed=False, numbers=sentences)
    if options.verbose:
        for row, s in enumerate(sentences):
            comparison.print_pairs(row, f"{'':-^40}\nSENTENCE {s} {hypotheses.source[s]}\n")
    comparison.print_results()


def _blocks(path: str, options: argparse.Namespace) -> Blocks:
    """Return the blocks to compare, without spaces in corrections.

    The edits of all alignments of an answer are compared together, as in the public tool.
    """
    blocks = Blocks.read(path, dialect=None)
    if options.start is not None and options.end is not None:
        blocks = blocks[options.start : options.end]
    return Blocks.of([_block(block, options.max_answer_num) for block in blocks])


def _block(block: Block, most: int | None) -> Block:
    answers = range(most if most in _MOST_ANSWERS else 0)
    edits = [edit for edit in block.edits if most is None or edit.annotator in answers]
    texts = ["||".join(edit.corrections).replace(" ", "") for edit in edits]
    joined = tuple(replace(edit, corrections=(text,)) for edit, text in zip(edits, texts, strict=True))
    return replace(block, edits=joined, targets=())


def _compared_sentences(references: Edits, matching: Matching, answers: int | None) -> list[int]:
    """Return the sentences to compare."""
    settings = matching.mode, matching.size, sorted(matching.exclude), matching.literal
    keys = keyed_edits(references, settings)
    offsets, names = keys["offsets"], [references.strings[number] for number in keys["type"].tolist()]
    sentences = []
    for s, (first, end) in enumerate(zip(references.versions, references.versions[1:], strict=False)):
        types = names[offsets[first] : offsets[end]]
        is_not_annotatable = end - first == 1 and types == [NOT_ANNOTATABLE]
        if not is_not_annotatable and answers in (None, end - first):
            sentences.append(s)
    return sentences
