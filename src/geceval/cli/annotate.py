"""``geceval annotate``: parallel text to M2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import ChecksOption, TargetOption, ThreadsOption
from geceval.cli.output import writing
from geceval.cli.parsing import Command
from geceval.cli.stderr import warn_of
from geceval.counting.metric_names import make_metric
from geceval.edits.languages import make_annotator
from geceval.edits.languages.language_options import LanguageOptions
from geceval.text.inputs import RawTextOptions, tokenise_only_option
from geceval.text.m2 import cherrant_blocks, write
from geceval.text.preparation import prepared

if TYPE_CHECKING:
    from geceval.edits.extraction import Merging

EXAMPLES = """\
examples:
  geceval annotate -s source.txt -c ref0.txt ref1.txt -o gold.m2
  geceval annotate -s source.txt -c system.txt --annotator spacy:en_core_web_sm -o system.m2
  geceval annotate -s quelle.txt -c korrigiert.txt --language de -o gold.m2
  geceval annotate -s raw.txt -c corrected.txt --tokenise english -o edits.m2
  geceval annotate -s zh.txt -c zh-ref.txt --annotator zh --tokenise char --dialect cherrant -o zh.m2
"""


class SourceAndCorrectionsOptions(RawTextOptions):
    """How the source and the corrections are prepared."""

    tokenise_only: tuple[str, ...] = tokenise_only_option("source", "corrections")


class AnnotateRequest(ChecksOption, ThreadsOption, TargetOption, CommandRequest):
    """The texts, how their edits are extracted, and how they are written."""

    source: str = option(
        *("-s", "--source"), required=True, help="the sentences with errors, one a line", reads_file=True
    )
    corrections: tuple[str, ...] = option(
        *("-c", "--corrections"), nargs="+", required=True, help="file c becomes annotator c", reads_file=True
    )
    merging: Merging = option(
        "--merging",
        default="rules",
        metavar="NAME",
        help="how neighbouring operations become edits: rules, all-split, all-merge or all-equal (default: rules)",
    )
    lev: bool = option("--lev", help="align by plain Levenshtein distance")
    dialect: Literal["errant", "cherrant"] = option(
        "--dialect",
        choices=["errant", "cherrant"],
        default="errant",
        help="dialect of the output: cherrant, with T lines and the types M, R, S, W (default: errant)",
    )
    raw: SourceAndCorrectionsOptions = SourceAndCorrectionsOptions()
    language: LanguageOptions = LanguageOptions()


def run(request: AnnotateRequest) -> None:
    """Write the edits as M2."""
    from geceval.edits.annotated_m2 import annotate
    from geceval.edits.extraction import Extractor
    from geceval.text.corpus import Corpus, Lines
    from geceval.text.reading.file_columns import read_lines_together

    language = LanguageChoice(request.language, lambda: first_lines(request.source))
    annotator = language.annotator_or_default
    extractor = Extractor(make_annotator(annotator), request.merging, request.lev)
    roles = ["source", *(f"correction {c}" for c in range(len(request.corrections)))]
    source, *corrections = read_lines_together([request.source, *request.corrections], roles)
    preparation = request.raw.preparation(language.tokeniser(request.raw.tokenise), request.threads)
    texts = prepared(preparation, {"source": [source], "references": corrections})
    if request.checks:
        corpus = Corpus(cast(Lines, texts["source"][0]), texts["references"], {})
        warn_of(corpus, [make_metric("errant", annotator=annotator)])
    together = zip(*texts["source"], *texts["references"], strict=True)
    rows = [[str(line).split() for line in row] for row in together]
    blocks = annotate(extractor, rows, request.threads)
    with writing(request.target) as out:
        write(cherrant_blocks(blocks) if request.dialect == "cherrant" else blocks, out)


COMMAND = Command(AnnotateRequest, run, EXAMPLES)
