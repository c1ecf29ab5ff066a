"""Corrections of a request, prepared, as references of a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from geceval._kernel import Text
from geceval.commands.shared.inputs import CorpusInputs
from geceval.commands.shared.run_warnings import findings_in, note_cleaned
from geceval.counting.checks.check_table import CHECKS
from geceval.counting.metric_names import make_metric
from geceval.edits.extraction import Extractor
from geceval.terminal.messages import note
from geceval.text.columns import CompleteText, complete_text
from geceval.text.corpus import Corpus
from geceval.text.line_rules import CleanedLines, LineRules
from geceval.text.m2.edit import NO_ANSWER, NO_ERROR, is_statement


def read_corrections(inputs: CorpusInputs, extractor: Extractor) -> tuple[Corpus, list[str]]:
    """Return the prepared source, with its prepared corrections as references, and their names.

    Args:
        inputs: The texts.
        extractor: Extractor of edits; with Chinese rules a statement that nothing is corrected is the source.
    """
    source, corrections, names = inputs.corrections()
    preparation = inputs.preparation().of_source(lambda: source)
    texts = []
    for lines in corrections:
        if extractor.annotator.rules == "chinese":
            lines = _without_statements(source, lines)
        if isinstance(preparation.clean, LineRules):
            cleaned = preparation.clean.apply(lines, source)
            note_cleaned(CleanedLines.of(lines, cleaned, source), len(lines))
            lines = cleaned
        texts.append(preparation.apply("references", lines, source))
    return Corpus(complete_text(preparation.apply("source", source, source)), texts), list(names)


def warn_of_corrections(inputs: CorpusInputs, corpus: Corpus, names: Sequence[str]) -> None:
    """Issue the warnings of the input checks of corrections, without those of empty lines with a requested reading.

    Args:
        inputs: The texts.
        corpus: The source, with the corrections as references.
        names: Names of the columns or files of the corrections.
    """
    files = {f"reference {number}": name for number, name in enumerate(names)}
    metric = make_metric("errant", annotator=inputs.language.annotator)
    for finding in findings_in(corpus, [metric], inputs.options.files.blank):
        advice = finding.advice or CHECKS[finding.check].hint_without_metrics
        finding._replace(file=files.get(finding.file, finding.file), advice=advice).warn()


def _without_statements(source: CompleteText, corrections: Text) -> Text:
    """Return corrections in which ChERRANT's statements that nothing is corrected are the source."""
    lines = list(zip(source, corrections, strict=True))
    statements = [is_statement(correction or "") for _, correction in lines]
    if any(statements):
        note(f"{sum(statements)} of {len(lines)} corrections are {NO_ERROR} or {NO_ANSWER}: read as the source")
    return Text([pair[not statement] for pair, statement in zip(lines, statements, strict=True)])
