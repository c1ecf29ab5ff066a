"""Names for authors of metrics, annotators and formats (docs/extending.md).

The types of results and of suites, and the analysis of single sentences, are here as well.
"""

from geceval.counting.checks.findings import Finding
from geceval.counting.counts import Counts, Evidence
from geceval.counting.figures import F
from geceval.counting.formula_metric import FMetric
from geceval.counting.groupings import length_bands
from geceval.counting.metric import About, ByKind, CorpusConstant, Metric, Outcomes, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import Best, Mean, Optimum, Policy, Running, Sampled
from geceval.counting.scores import Score
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import Annotated, Annotator, Language, Token
from geceval.edits.corpus_edits import hypothesis_edits, reference_edits
from geceval.inspection.examination import examine
from geceval.inspection.explained_sentence import Explanation
from geceval.inspection.explanation import explain_sentence
from geceval.inspection.sentence_selection import Wanted
from geceval.metrics.judging.judge import Answer, Judge, Request
from geceval.metrics.shared.edit_matching import OnEdits
from geceval.resampling.comparison_results import Comparison, MetricComparison
from geceval.results.attribution import Attribution, attribute
from geceval.results.examined_sentences import Examined
from geceval.scoring.evaluation import Results
from geceval.suites.published_numbers import Verdict, verify_suite
from geceval.suites.suite_definition import DataSet, JudgedSet, Published, Suite
from geceval.suites.suite_results import SuiteResults
from geceval.text.reading.file_columns import FileContent, Format
from geceval.text.reading.input_files import InputFile
from geceval.text.tokenisers import Tokeniser

__all__ = [
    "FINITE",
    "About",
    "Annotated",
    "Annotator",
    "Answer",
    "Attribution",
    "Best",
    "Bounds",
    "ByKind",
    "Comparison",
    "CorpusConstant",
    "Counts",
    "DataSet",
    "Evidence",
    "Examined",
    "Explanation",
    "F",
    "FMetric",
    "FileContent",
    "Finding",
    "Format",
    "InputFile",
    "Judge",
    "JudgedSet",
    "Language",
    "Mean",
    "Metric",
    "MetricComparison",
    "OnEdits",
    "Optimum",
    "Outcomes",
    "Policy",
    "Published",
    "Request",
    "Results",
    "Running",
    "Sampled",
    "Scale",
    "Score",
    "SignatureInputs",
    "Suite",
    "SuiteResults",
    "Token",
    "Tokeniser",
    "Verdict",
    "Wanted",
    "attribute",
    "examine",
    "explain_sentence",
    "hypothesis_edits",
    "length_bands",
    "reference_edits",
    "setting",
    "verify_suite",
]
