"""``geceval detect``: precision, recall and F of error detection (MultiGED)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import DigitsOption, FormatOption
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.counting.settings import FINITE
from geceval.edits.languages.language_options import LanguageOptions
from geceval.text.files import has_ending, is_m2
from geceval.text.inputs import systems_of

if TYPE_CHECKING:
    from geceval.text.token_labels import Labelled


class DetectRequest(DigitsOption, FormatOption, CommandRequest):
    """Gold labels, systems, and the weight of recall."""

    gold: str = option("-g", "--gold", required=True, reads_file=True)
    systems: tuple[str, ...] = option("-c", "--hyp", "--systems", required=True, reads_file=True)
    beta: float = option("-b", "--beta", bounds=FINITE, default=0.5, metavar="B")
    language: LanguageOptions = LanguageOptions()


def run(request: DetectRequest) -> None:
    """Write the scores of detection."""
    from geceval.scoring.detection import detection_report, score

    language = LanguageChoice(request.language, lambda: first_lines(request.gold))
    gold, systems = _labels(request.gold), systems_of(request.systems)
    labelled = {name: _system(path, gold, language) for name, path in systems.items()}
    found = {name: score(gold, labels, request.beta) for name, (labels, _) in labelled.items()}
    sources = {name: source for name, (_, source) in labelled.items()}
    report = detection_report(found, sources, {"gold": request.gold, "systems": systems})
    write_report(request.target, report, request.written_format, request.digits)


def _labels(path: str) -> Labelled:
    from geceval.scoring.detection import of_m2
    from geceval.text.token_labels import read_labelled

    return of_m2(path) if is_m2(path) else read_labelled(path)


def _system(path: str, gold: Labelled, language: LanguageChoice) -> tuple[Labelled, str]:
    """Return the labels of a system for the gold tokens, and their origin."""
    from geceval.edits.corpus_edits import Extraction
    from geceval.scoring.detection import of_correction
    from geceval.text.reading.lines import read_lines

    if has_ending(path, ".m2", ".tsv"):
        return _labels(path), "m2" if is_m2(path) else "labels"
    extraction = Extraction(language.annotator_or_default)
    return of_correction(gold, read_lines(path), extraction, path), extraction.extractor.signature


COMMAND = Command(DetectRequest, run)
