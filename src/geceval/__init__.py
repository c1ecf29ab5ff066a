"""geceval: evaluate grammatical error correction.

>>> import geceval
>>> green = geceval.Green(n=4, beta=2.0, unit="word")
>>> score = green.corpus_score(["He go home ."], ["He goes home ."], [["He goes home ."]])
>>> score.value
1.0
>>> score.signature
'GREEN|n:4|beta:2|unit:word|policy:best|refs:1|level:corpus|v:0.2.0'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geceval._kernel import __version__ as __version__
    from geceval.base.errors import GecevalError as GecevalError
    from geceval.base.errors import GecevalWarning as GecevalWarning
    from geceval.counting.checks.corpus_check import check as check
    from geceval.counting.checks.findings import Finding as Finding
    from geceval.counting.contract import ByKind as ByKind
    from geceval.counting.contract import EvidenceOf as EvidenceOf
    from geceval.counting.contract import Given as Given
    from geceval.counting.contract import Outcomes as Outcomes
    from geceval.counting.counts import Counts as Counts
    from geceval.counting.counts import Evidence as Evidence
    from geceval.counting.counts import Score as Score
    from geceval.counting.edit_metric import OnEdits as OnEdits
    from geceval.counting.figures import F as F
    from geceval.counting.groups.breakdown import evaluate_groups as evaluate_groups
    from geceval.counting.groups.groupings import ByLength as ByLength
    from geceval.counting.groups.groupings import BySentence as BySentence
    from geceval.counting.groups.groupings import ByType as ByType
    from geceval.counting.groups.groupings import length_bands as length_bands
    from geceval.counting.metric import FMetric as FMetric
    from geceval.counting.metric import Metric as Metric
    from geceval.counting.metric_names import make_metric as make_metric
    from geceval.counting.policies import Best as Best
    from geceval.counting.policies import Mean as Mean
    from geceval.counting.policies import Optimum as Optimum
    from geceval.counting.policies import Policy as Policy
    from geceval.counting.policies import Running as Running
    from geceval.counting.policies import Sampled as Sampled
    from geceval.counting.scoring.candidate_choice import mbr as mbr
    from geceval.counting.scoring.candidate_choice import rerank as rerank
    from geceval.counting.scoring.scorer import Scorer as Scorer
    from geceval.counting.settings import FINITE as FINITE
    from geceval.counting.settings import Bounds as Bounds
    from geceval.counting.settings import setting as setting
    from geceval.edits.annotation import Annotated as Annotated
    from geceval.edits.annotation import Annotator as Annotator
    from geceval.edits.annotation import Language as Language
    from geceval.edits.annotation import Token as Token
    from geceval.edits.corpus_edits import hypothesis_edits as hypothesis_edits
    from geceval.edits.corpus_edits import reference_edits as reference_edits
    from geceval.integrations.evaluation import Results as Results
    from geceval.integrations.evaluation import evaluate as evaluate
    from geceval.integrations.frames import score_table as score_table
    from geceval.integrations.rewards import rewards as rewards
    from geceval.metrics.cleme import Cleme as Cleme
    from geceval.metrics.cleme import Cleme2 as Cleme2
    from geceval.metrics.dsgram import DsGram as DsGram
    from geceval.metrics.errant import Errant as Errant
    from geceval.metrics.gleu import Gleu as Gleu
    from geceval.metrics.goto import Goto as Goto
    from geceval.metrics.green import Green as Green
    from geceval.metrics.imeasure import IMeasure as IMeasure
    from geceval.metrics.impara import Impara as Impara
    from geceval.metrics.impara import ImparaGed as ImparaGed
    from geceval.metrics.judging.requests import Answer as Answer
    from geceval.metrics.judging.requests import Judge as Judge
    from geceval.metrics.judging.requests import Request as Request
    from geceval.metrics.llm import Llm as Llm
    from geceval.metrics.maxmatch import MaxMatch as MaxMatch
    from geceval.metrics.ptm2 import PtErrant as PtErrant
    from geceval.metrics.ptm2 import PtM2 as PtM2
    from geceval.metrics.scribendi import Scribendi as Scribendi
    from geceval.metrics.some import Some as Some
    from geceval.metrics.uot import UotErrant as UotErrant
    from geceval.studies.comparison.compare import compare as compare
    from geceval.studies.comparison.compare import intervals as intervals
    from geceval.studies.comparison.comparison_results import Comparison as Comparison
    from geceval.studies.comparison.power import power as power
    from geceval.studies.comparison.ranking_without_people import rank as rank
    from geceval.studies.explaining.attribution import Attribution as Attribution
    from geceval.studies.explaining.attribution import attribute as attribute
    from geceval.studies.explaining.examination import examine as examine
    from geceval.studies.explaining.examined_sentences import Examined as Examined
    from geceval.studies.explaining.explanation import Explanation as Explanation
    from geceval.studies.explaining.explanation import explain as explain
    from geceval.studies.explaining.explanation import explain_sentence as explain_sentence
    from geceval.studies.explaining.sentence_selection import Wanted as Wanted
    from geceval.studies.suites.published_numbers import Verdict as Verdict
    from geceval.studies.suites.published_numbers import verify_suite as verify_suite
    from geceval.studies.suites.suite_definition import DataSet as DataSet
    from geceval.studies.suites.suite_definition import JudgedSet as JudgedSet
    from geceval.studies.suites.suite_definition import Published as Published
    from geceval.studies.suites.suite_definition import Suite as Suite
    from geceval.studies.suites.suite_files import read_suite as read_suite
    from geceval.studies.suites.suite_run import SuiteResults as SuiteResults
    from geceval.studies.suites.suite_run import evaluate_suite as evaluate_suite
    from geceval.text.corpus import Corpus as Corpus
    from geceval.text.inputs import Texts as Texts
    from geceval.text.preparation import Preparation as Preparation
    from geceval.text.reading import Format as Format
    from geceval.text.reading import InputFile as InputFile
    from geceval.text.reading import corpus_files as corpus_files
    from geceval.text.reading import read_corpus as read_corpus
    from geceval.text.reading import read_table as read_table
    from geceval.text.reading import table_files as table_files
    from geceval.text.tokenisers import Tokeniser as Tokeniser
    from geceval.text.tokenisers import tokenise as tokenise

#: Public name -> the module it lives in, imported when the name is first used.
_PUBLIC = {
    "Answer": "geceval.metrics.judging.requests",
    "Annotated": "geceval.edits.annotation",
    "Annotator": "geceval.edits.annotation",
    "Attribution": "geceval.studies.explaining.attribution",
    "Best": "geceval.counting.policies",
    "Bounds": "geceval.counting.settings",
    "ByKind": "geceval.counting.contract",
    "ByLength": "geceval.counting.groups.groupings",
    "BySentence": "geceval.counting.groups.groupings",
    "ByType": "geceval.counting.groups.groupings",
    "Cleme": "geceval.metrics.cleme",
    "Cleme2": "geceval.metrics.cleme",
    "Comparison": "geceval.studies.comparison.comparison_results",
    "Corpus": "geceval.text.corpus",
    "Counts": "geceval.counting.counts",
    "DataSet": "geceval.studies.suites.suite_definition",
    "DsGram": "geceval.metrics.dsgram",
    "Errant": "geceval.metrics.errant",
    "Evidence": "geceval.counting.counts",
    "EvidenceOf": "geceval.counting.contract",
    "Examined": "geceval.studies.explaining.examined_sentences",
    "Explanation": "geceval.studies.explaining.explanation",
    "F": "geceval.counting.figures",
    "FINITE": "geceval.counting.settings",
    "Finding": "geceval.counting.checks.findings",
    "FMetric": "geceval.counting.metric",
    "Format": "geceval.text.reading",
    "GecevalError": "geceval.base.errors",
    "GecevalWarning": "geceval.base.errors",
    "Given": "geceval.counting.contract",
    "Gleu": "geceval.metrics.gleu",
    "Goto": "geceval.metrics.goto",
    "Green": "geceval.metrics.green",
    "IMeasure": "geceval.metrics.imeasure",
    "Impara": "geceval.metrics.impara",
    "ImparaGed": "geceval.metrics.impara",
    "InputFile": "geceval.text.reading",
    "Judge": "geceval.metrics.judging.requests",
    "JudgedSet": "geceval.studies.suites.suite_definition",
    "Language": "geceval.edits.annotation",
    "Llm": "geceval.metrics.llm",
    "MaxMatch": "geceval.metrics.maxmatch",
    "Mean": "geceval.counting.policies",
    "Metric": "geceval.counting.metric",
    "OnEdits": "geceval.counting.edit_metric",
    "Optimum": "geceval.counting.policies",
    "Outcomes": "geceval.counting.contract",
    "Policy": "geceval.counting.policies",
    "Preparation": "geceval.text.preparation",
    "PtErrant": "geceval.metrics.ptm2",
    "PtM2": "geceval.metrics.ptm2",
    "Published": "geceval.studies.suites.suite_definition",
    "Request": "geceval.metrics.judging.requests",
    "Results": "geceval.integrations.evaluation",
    "Running": "geceval.counting.policies",
    "Sampled": "geceval.counting.policies",
    "Score": "geceval.counting.counts",
    "Scorer": "geceval.counting.scoring.scorer",
    "Scribendi": "geceval.metrics.scribendi",
    "Some": "geceval.metrics.some",
    "Suite": "geceval.studies.suites.suite_definition",
    "SuiteResults": "geceval.studies.suites.suite_run",
    "Texts": "geceval.text.inputs",
    "Token": "geceval.edits.annotation",
    "Tokeniser": "geceval.text.tokenisers",
    "UotErrant": "geceval.metrics.uot",
    "Verdict": "geceval.studies.suites.published_numbers",
    "Wanted": "geceval.studies.explaining.sentence_selection",
    "__version__": "geceval._kernel",
    "attribute": "geceval.studies.explaining.attribution",
    "check": "geceval.counting.checks.corpus_check",
    "compare": "geceval.studies.comparison.compare",
    "corpus_files": "geceval.text.reading",
    "evaluate": "geceval.integrations.evaluation",
    "evaluate_groups": "geceval.counting.groups.breakdown",
    "evaluate_suite": "geceval.studies.suites.suite_run",
    "examine": "geceval.studies.explaining.examination",
    "explain": "geceval.studies.explaining.explanation",
    "explain_sentence": "geceval.studies.explaining.explanation",
    "hypothesis_edits": "geceval.edits.corpus_edits",
    "intervals": "geceval.studies.comparison.compare",
    "length_bands": "geceval.counting.groups.groupings",
    "make_metric": "geceval.counting.metric_names",
    "mbr": "geceval.counting.scoring.candidate_choice",
    "power": "geceval.studies.comparison.power",
    "rank": "geceval.studies.comparison.ranking_without_people",
    "read_corpus": "geceval.text.reading",
    "read_suite": "geceval.studies.suites.suite_files",
    "read_table": "geceval.text.reading",
    "reference_edits": "geceval.edits.corpus_edits",
    "rerank": "geceval.counting.scoring.candidate_choice",
    "rewards": "geceval.integrations.rewards",
    "score_table": "geceval.integrations.frames",
    "setting": "geceval.counting.settings",
    "table_files": "geceval.text.reading",
    "tokenise": "geceval.text.tokenisers",
    "verify_suite": "geceval.studies.suites.published_numbers",
}

#: Modules with a public name at the top.
_MODULES = {
    "detection": "geceval.studies.detection",
    "m2": "geceval.text.m2",
    "metaeval": "geceval.studies.meta",
}

__all__ = [*_PUBLIC]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    if name not in _PUBLIC:
        raise AttributeError(f"module 'geceval' has no attribute {name!r}")
    value = getattr(importlib.import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
