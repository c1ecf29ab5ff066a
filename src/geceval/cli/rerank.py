"""``geceval rerank``: of each sentence's candidates the one with the highest score."""

from __future__ import annotations

from geceval.base.errors import UsageError
from geceval.base.requests import OptionGroup, option
from geceval.cli.candidate_options import CandidateRequest, write_ranked
from geceval.cli.parsing import Command

EXAMPLES = """\
examples:
  geceval rerank -s source.txt -n nbest.tsv -m impara -o chosen.txt
  geceval rerank -n nbest.tsv --scores -o chosen.txt
  geceval rerank -s source.txt -n nbest.tsv -m errant -r ref0.txt ref1.txt -o oracle.txt

By a metric without references, by the scores in the file, or (an oracle, the best of
each sentence) by a metric with references. With no metric of these at hand: geceval mbr. docs/mbr.md has the formats.
"""


class ScoreChoiceOptions(OptionGroup, title="choice"):
    """By which scores the best candidate is chosen."""

    metric_spec: tuple[str, ...] = option(
        *("-m", "--metric"), nargs=1, metavar="METRIC", help="one without references, or with -r any"
    )
    scores: bool = option("--scores", help="by the scores in the file of candidates")


class RerankRequest(CandidateRequest):
    """Candidates, and by which scores the best is chosen."""

    choice: ScoreChoiceOptions = ScoreChoiceOptions()
    references: tuple[str, ...] = option(
        *("-r", "--references"),
        nargs="+",
        help="corrected sentences: the best candidate by the references is chosen",
        reads_file=True,
    )

    def check(self) -> None:
        if self.choice.metric_spec and self.choice.scores:
            raise UsageError("-m/--metric and --scores exclude each other")
        if not (self.choice.metric_spec or self.choice.scores):
            raise UsageError("one of the arguments -m/--metric --scores is required")


def run(request: RerankRequest) -> None:
    """Write the candidates with the highest scores."""
    from geceval.counting.scoring.candidate_choice import by_scores, rerank
    from geceval.text.corpus import check_lengths
    from geceval.text.reading.file_columns import read_lines_together

    metric = None if request.choice.scores else request.metric(*request.choice.metric_spec)
    candidates = request.read_candidates(request.references)
    if metric is None:
        if candidates.scores is None:
            raise UsageError("--scores: the candidates have no scores")
        if request.references:
            raise UsageError("--scores looks at no references")
        write_ranked(request, by_scores(candidates.texts, candidates.scores))
        return
    source = request.read_source(candidates)
    per_sentence = None
    if request.references:
        first = request.references[0]
        rows = read_lines_together(request.references, request.references)
        named = [(f"source      {request.files.source}", len(source)), (f"references  {first}", len(rows[0]))]
        check_lengths(named, noun="sentences")
        per_sentence = [list(map(str, row)) for row in zip(*rows, strict=True)]
    threads = request.output.threads
    write_ranked(request, rerank(candidates.texts, metric, source, per_sentence=per_sentence, threads=threads))


COMMAND = Command(RerankRequest, run, EXAMPLES)
