"""The options and the output that ``geceval mbr`` and ``geceval rerank`` share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from geceval.base.arguments import Bounds
from geceval.base.errors import InputError, UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import TargetOption, ThreadsOption
from geceval.cli.output import write_text
from geceval.counting.metric_names import metrics_of_specs
from geceval.edits.languages.language_options import LanguageOptions
from geceval.report.documents import as_json
from geceval.text.files import check_standard_input

if TYPE_CHECKING:
    from geceval.counting.metric import Metric
    from geceval.counting.scoring.candidate_choice import Ranked
    from geceval.text.candidate_files import Candidates

#: Candidates of a sentence, or lines: what memory holds.
EACH = Bounds(1, 1 << 20)


class CandidateFiles(
    OptionGroup, title="data", about="tokenised text, UTF-8; .gz, .xz, .bz2 and .zst are read; - is stdin"
):
    """The source and the candidates."""

    source: str | None = option(*("-s", "--source"), help="the sentences with errors, one a line", reads_file=True)
    candidates: str = option(
        *("-n", "--candidates"),
        required=True,
        help="number of the sentence (from 1 on), tab, candidate, and if there is one tab, score; or lines, with -k",
        reads_file=True,
    )
    k: int | None = option("-k", bounds=EACH, help="the candidates are plain lines, N for each sentence")


class CandidateOutput(ThreadsOption, TargetOption, title="output"):
    """How the best candidates are written."""

    format: str = option(
        *("-f", "--format"),
        choices=("text", "tsv", "json"),
        default="text",
        help="the best of each sentence, a line each (text, the default), or all candidates, the best first, with "
        "their scores: a file of candidates again (tsv), or all there is to know (json)",
        effect="files",
    )
    quiet: bool = option(*("-q", "--quiet"), help="do not print the signature on stderr", effect="none")


class CandidateRequest(CommandRequest):
    """Candidates for each sentence, of which the best is chosen."""

    files: CandidateFiles = CandidateFiles()
    language: LanguageOptions = LanguageOptions()
    output: CandidateOutput = CandidateOutput()

    def metric(self, spec: str) -> Metric[Any]:
        """Return the one metric of a specification, in the language of the texts."""
        from geceval.counting.scoring.scorer import only

        choice = LanguageChoice(self.language, lambda: first_lines(self.files.source), quiet=self.output.quiet)
        return only(metrics_of_specs([spec], {"annotator": choice.annotator}))

    def read_candidates(self, references: Sequence[str] = ()) -> Candidates:
        """Return the candidates. Raises InputError if there are none."""
        from geceval.text.candidate_files import read_candidates

        check_standard_input([self.files.source or "", self.files.candidates, *references])
        found = read_candidates(self.files.candidates, self.files.k)
        if not len(found):
            raise InputError("there are no candidates", path=self.files.candidates)
        return found

    def read_source(self, candidates: Candidates) -> Sequence[str]:
        """Return the lines of the source. Raises UsageError without one, and InputError if the candidates are of
        another number of sentences."""
        from geceval.text.corpus import check_lengths
        from geceval.text.reading.lines import read_lines

        path = self.files.source
        if path is None:
            raise UsageError("the metric needs the source: -s FILE")
        source = read_lines(path)
        named = [(f"source      {path}", len(source)), (f"candidates  {self.files.candidates}", len(candidates))]
        check_lengths(named, noun="sentences")
        return source


def write_ranked(request: CandidateRequest, ranked: Ranked) -> None:
    """Write the best candidates, or all of them."""
    from geceval.text.candidate_files import candidate_lines

    output = request.output
    if not output.quiet and output.format != "json":
        print(ranked.signature, file=sys.stderr)
    orders = [ranked.order(s) for s in range(len(ranked))]
    if output.format == "json":
        rows = [
            {"choice": order[0], "candidates": texts, "scores": scores.tolist()}
            for order, texts, scores in zip(orders, ranked.candidates, ranked.scores, strict=True)
        ]
        for row, table in zip(rows, ranked.utilities, strict=False):  # none but of minimum Bayes risk
            row["utilities"] = table.tolist()
        files = {"source": request.files.source, "candidates": request.files.candidates}
        text = as_json("geceval/candidates@1", {**files, "signature": ranked.signature, "sentences": rows})
    else:
        texts = [[own[c] for c in order] for own, order in zip(ranked.candidates, orders, strict=True)]
        scores = [own[order].tolist() for own, order in zip(ranked.scores, orders, strict=True)]
        lines = candidate_lines(texts, scores) if output.format == "tsv" else (own[0] for own in texts)
        text = "".join(f"{line}\n" for line in lines)
    write_text(output.target, text)
