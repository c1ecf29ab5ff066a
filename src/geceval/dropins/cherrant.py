"""``cherrant_compare``: the comparison of ChERRANT's M2 files.

It follows compare_m2_for_evaluation.py (MuCGEC, commit 3922193).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from geceval._kernel import Edits, keyed_edits
from geceval.base.requests import option
from geceval.cli.parsing import parse
from geceval.cli.stderr import note
from geceval.dropins.m2_comparison import USAGE, CompareM2Request, M2Comparison, check_together
from geceval.metrics.shared.edit_matching import Matching
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOT_ANNOTATABLE, Block

#: Options that the public tool accepts and ignores.
_WITHOUT_EFFECT = ("multi_hyp_avg", "multi_hyp_max")
#: The answers that --max_answer_num can ask for; after any other number no edit is left, as with the public tool.
_MOST_ANSWERS = (1, 2, 3)


class CherrantRequest(CompareM2Request):
    """The options of the public tool."""

    start: int | None = option("--start")
    end: int | None = option("--end")
    max_answer_num: int | None = option("--max_answer_num")
    reference_num: int | None = option("--reference_num")
    multi_hyp_avg: bool = option("-multi_hyp_avg")
    multi_hyp_max: bool = option("-multi_hyp_max")


def cherrant_compare(arguments: Sequence[str], prog: str) -> None:
    """Print F of the edits of one ChERRANT file against another file."""
    description = "F-scores of error detection and correction in Chinese: two files of ChERRANT's M2."
    request = parse(CherrantRequest, arguments, prog, description, USAGE)
    for name in _WITHOUT_EFFECT:
        if getattr(request, name):
            note(f"-{name} has no effect, as with the public tool")
    hypotheses, references = (_blocks(path, request) for path in (request.hyp, request.ref))
    check_together(hypotheses, references, request)
    kept = _kept(references.edits, request.matching, request.reference_num)
    scored = (Blocks.of([blocks[s] for s in kept]) for blocks in (hypotheses, references))
    comparison = M2Comparison(request, *scored, typed=False, numbers=kept)
    if request.verbose:
        for place, s in enumerate(kept):
            comparison.print_pairs(place, f"{'':-^40}\nSENTENCE {s} {hypotheses.source[s]}\n")
    comparison.print_results()


def _blocks(path: str, request: CherrantRequest) -> Blocks:
    """Return the blocks to compare, without spaces in corrections.

    All alignments of an answer stay: their edits are compared together, as in the public tool.
    """
    blocks = Blocks.read(path)
    if request.start is not None and request.end is not None:
        blocks = blocks[request.start : request.end]
    return Blocks.of([_block(block, request.max_answer_num) for block in blocks])


def _block(block: Block, most: int | None) -> Block:
    answers = range(most if most in _MOST_ANSWERS else 0)
    edits = [edit for edit in block.edits if most is None or edit.annotator in answers]
    texts = ["||".join(edit.corrections).replace(" ", "") for edit in edits]
    joined = tuple(replace(edit, corrections=(text,)) for edit, text in zip(edits, texts, strict=True))
    return replace(block, edits=joined, targets=())


def _kept(references: Edits, matching: Matching, answers: int | None) -> list[int]:
    """Return the sentences to compare."""
    settings = matching.mode, matching.size, sorted(matching.exclude), matching.literal
    offsets, _, _, _, types = keyed_edits(references, *settings)
    strings = references.strings
    kept = []
    for s, (first, end) in enumerate(zip(references.versions, references.versions[1:], strict=False)):
        keys = range(offsets[first], offsets[end])
        refused = end - first == 1 and len(keys) == 1 and strings[types[keys[0]]] == NOT_ANNOTATABLE
        if not refused and answers in (None, end - first):
            kept.append(s)
    return kept
