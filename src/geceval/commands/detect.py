"""``geceval detect``: precision, recall and F of error detection (MultiGED)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from geceval.base.arguments import number
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option
from geceval.commands.shared.corpus_options import (
    BlankOption,
    CorpusOptions,
    FileOptions,
    LanguageOptions,
    MisfitsOption,
    TableOptions,
)
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.option_groups import DATA, METRICS
from geceval.commands.shared.options import Digits, TargetOption, written_as
from geceval.commands.shared.output_formats import write_report
from geceval.commands.shared.run_warnings import warn_of_corpus
from geceval.counting.metric_names import make_metric
from geceval.counting.settings import FINITE
from geceval.edits.corpus_edits import Extraction, hypothesis_edits
from geceval.scoring.detection import Labelled, detection_report, of_correction, of_edits, of_m2, read_labelled, score
from geceval.tables.report import FORMATS
from geceval.terminal.messages import note
from geceval.text.blank_texts import UNCHANGED, BlankTexts
from geceval.text.columns import HypothesisLike, is_complete
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


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class DetectRequest:
    """Gold labels, systems, and the weight of recall."""

    gold: Annotated[str | None, Parameter(alias="-g", metavar="FILE")] = None
    """gold labels (FILE.tsv) or gold edits (FILE.m2) (default: the edits of the reference of -i)"""
    systems: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="FILE")] = ()
    """systems: labels (FILE.tsv), edits (FILE.m2) or corrected text, one file per system, FILE or NAME=FILE"""
    blank: BlankOption = None
    table: TableOptions = TableOptions()
    beta: Annotated[float, Parameter(alias="-b", metavar="B", group=METRICS)] = 0.5
    """weight of recall"""
    misfits: MisfitsOption = "error"
    language: LanguageOptions = LanguageOptions()
    output: DetectOutputOptions = DetectOutputOptions()

    def __post_init__(self) -> None:
        number("--beta", self.beta, FINITE)
        self.corpus_options()

    def corpus_options(self) -> CorpusOptions:
        """Return the options of the texts in a table, and of the gold edits."""
        files = FileOptions(gold=self.gold, misfits=self.misfits if self.gold else "error", blank=self.blank)
        return CorpusOptions(files=files, table=self.table, language=self.language)


def detect(*, request: DetectRequest = DetectRequest()) -> None:
    """Write the scores of detection.

    Examples:
      geceval detect -g gold.tsv -c sys1.tsv sys2.tsv
      geceval detect -g gold.tsv -c corrector=corrected.txt --language de
      geceval detect -g gold.m2 -c sys.m2 -f json
      geceval detect -i sheet.xlsx --source-column B --reference-column C --hypothesis-column D

    A TSV file has a token, a tab and c (correct) or i (incorrect) per line, and
    an empty line after each sentence. In an M2 file (FILE.m2) the tokens within
    the edits of the annotator with the smallest number are incorrect, and the
    token to the right of an insertion. Other files are corrected text, from which
    edits are extracted. In a table the edits between source and reference are the
    gold edits, and the hypotheses are corrected text.

    documentation: docs/checkers.md
    """
    inputs = CorpusInputs(request.corpus_options())
    corpus, systems, files = inputs.table_corpus(), systems_of(request.systems), {"gold": request.gold}
    texts = {} if corpus is None else corpus.text_systems
    if not (texts or systems):
        raise UsageError("a system is required", hint=inputs.systems_hint())
    labelled: dict[str, tuple[Labelled, str]] = {}
    gold = _gold(request, inputs, corpus)
    extraction, corrected = Extraction(inputs.language.annotator), dict[str, HypothesisLike](texts)
    for name, path in systems.items():
        if is_m2(path) or has_ending(path, ".tsv"):
            labelled[name] = _labels(path, request.misfits)
        else:
            corrected[name] = _corrected_text(path, gold, request)
    for name, lines in corrected.items():
        labels = of_correction(gold, lines, extraction, systems.get(name, name))
        labelled[name] = labels, extraction.extractor.signature
    warn_of_corpus(Corpus(gold.source, systems=corrected), [make_metric("errant", annotator=inputs.language.annotator)])
    labelled = {name: labelled[name] for name in (*texts, *systems)}
    scores = {name: score(gold, labels, request.beta) for name, (labels, _) in labelled.items()}
    sources = {name: source for name, (_, source) in labelled.items()}
    document = {**files, "systems": systems} | ({"input": request.table.paths} if request.table.input else {})
    write_report(detection_report(scores, sources, document), request.output, request.output.digits)


def _gold(request: DetectRequest, inputs: CorpusInputs, corpus: Corpus | None) -> Labelled:
    """Return the labels of the file, or of the edits between source and reference of the table."""
    if request.gold is not None:
        labels, _ = _labels(request.gold, request.misfits)
        return labels
    if corpus is None or not corpus.references:
        hint = Hint(Option("gold", "FILE"), " or ", Option("table", "TABLE"))
        if corpus is not None:
            hint = inputs.column_hint("reference_column")
        raise UsageError("gold labels are required", hint=hint)
    first = corpus.references[0]
    if len(corpus.references) > 1:
        note("the first reference gives the labels")
    if not is_complete(first):
        raise InputError("the first reference, which gives the labels, is missing in a sentence", hint=UNCHANGED)
    reference = Corpus(corpus.source, systems={"reference": first})
    edits = hypothesis_edits(reference, first, Extraction(inputs.language.annotator))
    return of_edits(list(map(str, corpus.source)), edits, ", ".join(request.table.paths))


def _labels(path: str, misfits: Misfits) -> tuple[Labelled, str]:
    """Return the labels in a file, and their origin."""
    return (of_m2(path, misfits), "m2") if is_m2(path) else (read_labelled(path), "labels")


def _corrected_text(path: str, gold: Labelled, request: DetectRequest) -> Sequence[str]:
    """Return the corrected text of a system."""
    if has_ending(path, *SUGGESTIONS):
        hint = f"geceval m2 convert {path} -s SOURCE --to m2 -o FILE.m2 writes the edits of suggestions"
        raise UsageError(f"{path} is JSON: a system is labels, edits or corrected text", hint=hint)
    lines, blank = read_lines(path), BlankTexts(request.blank)
    texts = blank.read(path, lines, gold.source, is_cell=False, is_system=True, place=lambda row: row + 1)
    blank.check()
    blank.warn()
    return texts
