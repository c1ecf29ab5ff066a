"""``cherrant_compare``: the comparison of ChERRANT's M2 files.

It follows compare_m2_for_evaluation.py (MuCGEC, commit 3922193).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from geceval._kernel import Edits, keyed_edits
from geceval.cli.stderr import note
from geceval.dropins.m2_comparison import M2Comparison, check_together, comparison_parser, matching_of
from geceval.metrics.shared.edit_matching import Matching
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOT_ANNOTATABLE, Block

#: Options that the public tool accepts and ignores.
_WITHOUT_EFFECT = ("multi_hyp_avg", "multi_hyp_max")
#: The answers that --max_answer_num can ask for; after any other number no edit is left, as with the public tool.
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
    sentences = _compared(references.edits, matching_of(options), options.reference_num)
    compared = (Blocks.of([blocks[s] for s in sentences]) for blocks in (hypotheses, references))
    comparison = M2Comparison(options, *compared, typed=False, numbers=sentences)
    if options.verbose:
        for at, s in enumerate(sentences):
            comparison.print_pairs(at, f"{'':-^40}\nSENTENCE {s} {hypotheses.source[s]}\n")
    comparison.print_results()


def _blocks(path: str, options: argparse.Namespace) -> Blocks:
    """Return the blocks to compare, without spaces in corrections.

    All alignments of an answer stay: their edits are compared together, as in the public tool.
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


def _compared(references: Edits, matching: Matching, answers: int | None) -> list[int]:
    """Return the sentences to compare."""
    settings = matching.mode, matching.size, sorted(matching.exclude), matching.literal
    keys = keyed_edits(references, settings)
    offsets, names = keys["offsets"], [references.strings[number] for number in keys["type"].tolist()]
    sentences = []
    for s, (first, end) in enumerate(zip(references.versions, references.versions[1:], strict=False)):
        types = names[offsets[first] : offsets[end]]
        refused = end - first == 1 and types == [NOT_ANNOTATABLE]
        if not refused and answers in (None, end - first):
            sentences.append(s)
    return sentences
