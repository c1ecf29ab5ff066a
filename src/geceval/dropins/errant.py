"""Commands of ERRANT and ChERRANT.

``errant_parallel``, ``errant_m2`` and ``errant_compare`` as of errant 3.0.2; ``cherrant_compare`` as
compare_m2_for_evaluation.py (MuCGEC, commit 3922193).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from geceval.base.errors import InputError
from geceval.dropins.edit_comparison import (
    ComparedSentence,
    EditsByAnnotator,
    SentenceCounts,
    compare_sentences,
    comparison_parser,
    evaluate_answers,
    evaluate_edits,
    process_edits,
)
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.edits.extraction import MERGINGS, Extractor
from geceval.edits.languages import ANNOTATORS, make_annotator, tokeniser_of
from geceval.edits.m2_annotation import check_corrections, edits_of_rows, retype
from geceval.terminal.messages import note, say
from geceval.terminal.writing import writing
from geceval.text.files import path_text
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOT_ANNOTATABLE, Block, noop
from geceval.text.m2.m2_files import write
from geceval.text.m2.operations import fitting_blocks
from geceval.text.reading.corpus_files import read_lines_together

#: The most tokens that the edits of a sentence may cover when tokens are compared.
_MOST_TOKENS = 1 << 22


def _read_together(options: argparse.Namespace, sentences: slice = slice(None)) -> list[Blocks]:
    """Return the blocks of both files; warn if their sentences differ.

    Raises:
        InputError: If the files have different numbers of sentences.
    """
    paths = options.hyp, options.ref
    hypotheses, references = files = [Blocks.read(path, dialect=None)[sentences] for path in paths]
    if len(hypotheses) != len(references):
        lengths = f"\n  -hyp  {options.hyp}  {len(hypotheses)}\n  -ref  {options.ref}  {len(references)}"
        raise InputError(f"the files have different numbers of sentences{lengths}")
    different = hypotheses.source.differing(references.source)
    if different:
        first = hypotheses[different[0]]
        more = f"  differing sentences, scored as if they were equal: {len(different)}"
        say(f"warning: {first.error('not the sentence of the reference')}\n{more}")
    return files


def _rows(blocks: Blocks, s: int, options: argparse.Namespace) -> list[tuple[Any, ...]]:
    """Return the edits of a sentence: start, end, type, correction and annotator.

    Raises:
        InputError: If tokens are compared, and the edits cover millions of them.
    """
    rows = [(*edit, annotator) for annotator, edits in blocks.edits.sentence(s) for edit in edits]
    if options.dt and sum(end - start for start, end, *_ in rows) > _MOST_TOKENS:
        raise blocks[s].error(f"the edits cover more than {_MOST_TOKENS} tokens")
    return rows


# --- errant_compare ---


def errant_compare(arguments: Sequence[str], prog: str) -> None:
    """Print F of the edits of one M2 file against another file."""
    options = comparison_parser(prog).parse_args(arguments)
    files = _read_together(options)
    for blocks in files:
        if blocks.is_cherrant:
            raise blocks[0].error("T lines: this is ChERRANT's dialect of M2", hint="cherrant_compare compares it")
    several = files[0].with_several_annotators
    if several.size:
        first = files[0][int(several[0])].error("several annotators of -hyp, of which the best is scored")
        say(f"warning: {first}\n  sentences with several: {several.size}")

    def sentences() -> Iterator[ComparedSentence]:
        for s in range(len(files[0])):
            hyp_dict, ref_dict = (process_edits(_rows(blocks, s, options), options) for blocks in files)
            yield s, hyp_dict, ref_dict

    def evaluate(hyp_dict: EditsByAnnotator, ref_dict: EditsByAnnotator, best: Counter[str], s: int) -> SentenceCounts:
        return evaluate_edits(hyp_dict, ref_dict, best, s, files[0].source[s], options)

    compare_sentences(sentences(), options, evaluate)


# --- errant_parallel and errant_m2 ---


def _extraction_parser(prog: str | None, description: str, usage: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description=description, usage=usage)
    parser.add_argument("-out", required=True, metavar="FILE", help="output M2 file")
    parser.add_argument("-lev", action="store_true", help="align by plain Levenshtein distance")
    parser.add_argument(
        "-merge", choices=MERGINGS, default="rules", help="merging of adjacent operations (default: %(default)s)"
    )
    annotators = parser.add_mutually_exclusive_group()
    annotators.add_argument(
        "--annotator",
        default=DEFAULT_ANNOTATOR,
        metavar="NAME",
        help=f"{', '.join(ANNOTATORS.shown)} (default: {DEFAULT_ANNOTATOR}; the public tool's is spacy:en_core_web_sm)",
    )
    annotators.add_argument(
        "-lang",
        dest="annotator",
        type=lambda name: "plain" if name == "xx" else name,  # spaCy's code of any language
        metavar="LANGUAGE",
        help="annotator of a language by its code or name: en, de, Czech, … (as in ERRANT for other languages)",
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
    with writing(path_text(options.out), plain=True) as out:
        write(blocks_of(extractor), out)


def parallel_parser(prog: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of errant_parallel."""
    description = "Align parallel text and extract and classify the edits."
    usage = "%(prog)s [-h] [options] -orig ORIG -cor COR [COR ...] -out OUT"
    parser = _extraction_parser(prog, description, usage)
    parser.add_argument("-orig", required=True, metavar="FILE", help="the original text")
    parser.add_argument("-cor", nargs="+", required=True, metavar="FILE", help="one or more corrected texts")
    parser.add_argument(
        "-tok", action="store_true", help="tokenise the text first (the builtin annotator can, and spacy:NAME)"
    )
    return parser


def errant_parallel(arguments: Sequence[str], prog: str) -> None:
    """Convert parallel text to M2."""
    options = parallel_parser(prog).parse_args(arguments)
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


def m2_parser(prog: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of errant_m2."""
    description = "Extract edits automatically, or classify the existing edits, in an M2 file."
    usage = "%(prog)s [-h] (-auto | -gold) [options] m2_file -out OUT"
    parser = _extraction_parser(prog, description, usage)
    parser.add_argument("m2_file", help="the M2 file")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("-auto", action="store_true", help="extract edits automatically")
    source.add_argument("-gold", action="store_true", help="keep the existing edits")
    parser.add_argument("-no_min", action="store_true", help="with -gold: do not minimise edits")
    parser.add_argument("-old_cats", action="store_true", help="with -gold: keep the existing types")
    return parser


def errant_m2(arguments: Sequence[str], prog: str) -> None:
    """Convert M2 to M2: extract edits again, or type the existing ones."""
    options = m2_parser(prog).parse_args(arguments)
    blocks = fitting_blocks(Blocks.read(options.m2_file), "error")
    settings = {"auto": options.auto, "minimise": not options.no_min, "keep_types": options.old_cats}
    _write(options, "M2 file", lambda extractor: retype(extractor, blocks, **settings))


#: Options that the public tool accepts and ignores.
_WITHOUT_EFFECT = ("multi_hyp_avg", "multi_hyp_max")
#: The values of --max_answer_num; any other number removes all edits, as in the public tool.
_MOST_ANSWERS = (1, 2, 3)


def _parse(arguments: Sequence[str], prog: str) -> argparse.Namespace:
    parser = comparison_parser(prog)
    parser.description = "F-scores of error detection and correction in Chinese: two files of ChERRANT's M2."
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
    has_range = options.start is not None and options.end is not None
    files = _read_together(options, slice(options.start, options.end) if has_range else slice(None))

    def evaluate(hyp_dict: EditsByAnnotator, ref_dict: EditsByAnnotator, best: Counter[str], s: int) -> SentenceCounts:
        head = f"{'':-^40}\nSENTENCE {s} {files[0].source[s]}\n"
        return evaluate_answers(hyp_dict, ref_dict, best, s, options, head=head, typed=False)

    compare_sentences(_compared(files, options), options, evaluate)


def _compared(files: Sequence[Blocks], options: argparse.Namespace) -> Iterator[ComparedSentence]:
    """Yield the sentences to compare, without those whose only answer is that they cannot be annotated."""
    for s in range(len(files[0])):
        hyp_dict, ref_dict = (process_edits(_pooled_rows(blocks, s, options), options) for blocks in files)
        types = [[equal[0] for equal in edits.values()] for edits in ref_dict.values()]
        if types != [[NOT_ANNOTATABLE]] and options.reference_num in (None, len(ref_dict)):
            yield s, hyp_dict, ref_dict


def _pooled_rows(blocks: Blocks, s: int, options: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
    """Yield the edits of all alignments of the answers, without spaces in corrections, as in the public tool."""
    most = options.max_answer_num
    answers = range(most if most in _MOST_ANSWERS else 0)
    for start, end, type_, correction, annotator in _rows(blocks, s, options):
        if most is None or annotator in answers:
            yield start, end, type_, correction.replace(" ", ""), annotator
