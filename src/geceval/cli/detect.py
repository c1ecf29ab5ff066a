"""``geceval detect``: precision, recall and F of the tokens labelled as in need of correction (MultiGED)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from geceval.cli.annotating import add_language_arguments, annotator_or_usual
from geceval.cli.common import add_digits, add_output, number_within, systems_of, write_output
from geceval.counting.settings import FINITE
from geceval.report.report import FORMATS, render

if TYPE_CHECKING:
    from geceval.text.token_labels import Labelled

EXAMPLES = """\
examples:
  geceval detect -g gold.tsv -c sys1.tsv sys2.tsv
  geceval detect -g gold.tsv -c corrector=corrected.txt --language de
  geceval detect -g gold.m2 -c sys.m2 -f json

A TSV file has a token, a tabulator and c (correct) or i (incorrect) in each line, and an empty line after each
sentence. Of an M2 file (FILE.m2) the tokens inside the first annotator's edits are incorrect, and the one to the right
of an insertion. Any other system is corrected text, a sentence a line, in which edits are found first.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("-g", "--gold", required=True, metavar="FILE", help="the gold labels (FILE.tsv), or gold edits (FILE.m2)")
    add(
        *("-c", "--systems"),
        nargs="+",
        required=True,
        metavar="FILE",
        help="a system each: labels (FILE.tsv), edits (FILE.m2) or corrected text; NAME=FILE names it",
    )
    add("-b", "--beta", type=number_within(FINITE), default=0.5, metavar="B", help="weight of recall (default: 0.5)")
    add("-f", "--format", choices=FORMATS, default="table", help="default: table")
    add_output(parser)
    add_digits(parser)
    add_language_arguments(parser)
    parser.set_defaults(source=None, quiet=False)


def run(args: argparse.Namespace) -> None:
    from geceval.report.scores.detection_report import detection_report
    from geceval.studies.detection import score

    gold = _labels(args.gold)
    systems = systems_of(args.systems)
    labelled = {name: _system(path, gold, args) for name, path in systems.items()}
    found = {name: score(gold, labels, args.beta) for name, (labels, _) in labelled.items()}
    sources = {name: source for name, (_, source) in labelled.items()}
    report = detection_report(found, sources, {"gold": args.gold, "systems": systems})
    write_output(args, render(report, args.format, args.digits))


def _labels(path: str) -> Labelled:
    from geceval.studies.detection import of_m2, read
    from geceval.text.reading import is_m2

    return of_m2(path) if is_m2(path) else read(path)


def _system(path: str, gold: Labelled, args: argparse.Namespace) -> tuple[Labelled, str]:
    """What a system says of the gold's tokens, and where that is from: labels, M2, or edits found in text."""
    from geceval.studies.detection import Extraction, of_correction
    from geceval.text.reading import has_ending, is_m2, read_lines

    if has_ending(path, ".m2", ".tsv"):
        return _labels(path), "m2" if is_m2(path) else "labels"
    extraction = Extraction(annotator_or_usual(args))
    return of_correction(gold, read_lines(path), extraction, path), extraction.extractor.signature
