"""``geceval detect``: precision, recall and F of error detection (MultiGED)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from geceval.base.arguments import DIGITS, number
from geceval.base.errors import UsageError
from geceval.commands.shared.corpus_options import LanguageOptions, MisfitsOption
from geceval.commands.shared.language_choice import LanguageChoice, first_lines
from geceval.commands.shared.option_groups import DATA, METRICS
from geceval.commands.shared.option_values import check_whole
from geceval.commands.shared.options import Digits, TargetOption, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.commands.shared.run_warnings import warn_of_empty_lines
from geceval.counting.settings import FINITE
from geceval.edits.corpus_edits import Extraction
from geceval.scoring.detection import Labelled, detection_report, of_correction, of_m2, read_labelled, score
from geceval.tables.report import FORMATS
from geceval.text.corpus import Corpus
from geceval.text.files import has_ending, is_m2
from geceval.text.m2.edit import Misfits
from geceval.text.reading.file_kinds import SUGGESTIONS
from geceval.text.reading.lines import read_lines
from geceval.text.system_files import systems_of


@written_as(*FORMATS)
class DetectOutputOptions(TargetOption):
    """Format, file and digits."""

    digits: Digits = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, digits=DIGITS)


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class DetectRequest:
    """Gold labels, systems, and the weight of recall."""

    gold: Annotated[str, Parameter(alias="-g", metavar="FILE")]
    """gold labels (FILE.tsv) or gold edits (FILE.m2)"""
    systems: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="FILE")]
    """systems: labels (FILE.tsv), edits (FILE.m2) or corrected text, one file per system, FILE or NAME=FILE"""
    beta: Annotated[float, Parameter(alias="-b", metavar="B", group=METRICS)] = 0.5
    """weight of recall"""
    misfits: MisfitsOption = "error"
    language: LanguageOptions = LanguageOptions()
    output: DetectOutputOptions = DetectOutputOptions()

    def __post_init__(self) -> None:
        number("--beta", self.beta, FINITE)


def detect(*, request: DetectRequest) -> None:
    """Write the scores of detection.

    Examples:
      geceval detect -g gold.tsv -c sys1.tsv sys2.tsv
      geceval detect -g gold.tsv -c corrector=corrected.txt --language de
      geceval detect -g gold.m2 -c sys.m2 -f json

    A TSV file has a token, a tab and c (correct) or i (incorrect) per line, and
    an empty line after each sentence. In an M2 file (FILE.m2) the tokens within
    the edits of the annotator with the smallest number are incorrect, and the
    token to the right of an insertion. Other files are corrected text, from which
    edits are extracted.

    documentation: docs/checkers.md
    """
    language = LanguageChoice(request.language.language, lambda: first_lines(request.gold))
    gold, systems = _labels(request.gold, request.misfits), systems_of(request.systems)
    labelled = {name: _system(name, path, gold, language, request.misfits) for name, path in systems.items()}
    scores = {name: score(gold, labels, request.beta) for name, (labels, _) in labelled.items()}
    sources = {name: source for name, (_, source) in labelled.items()}
    report = detection_report(scores, sources, {"gold": request.gold, "systems": systems})
    write_report(report, request.output, request.output.digits)


def _labels(path: str, misfits: Misfits) -> Labelled:
    return of_m2(path, misfits) if is_m2(path) else read_labelled(path)


def _system(name: str, path: str, gold: Labelled, language: LanguageChoice, misfits: Misfits) -> tuple[Labelled, str]:
    """Return the labels of a system for the gold tokens, and their origin."""
    if is_m2(path) or has_ending(path, ".tsv"):
        return _labels(path, misfits), "m2" if is_m2(path) else "labels"
    if has_ending(path, *SUGGESTIONS):
        hint = f"geceval m2 convert {path} -s SOURCE --to m2 -o FILE.m2 writes the edits of suggestions"
        raise UsageError(f"{path} is JSON: a system is labels, edits or corrected text", hint=hint)
    extraction, lines = Extraction(language.annotator), read_lines(path)
    labels = of_correction(gold, lines, extraction, path)
    warn_of_empty_lines(Corpus(gold.source, systems={name: lines}))
    return labels, extraction.extractor.signature
