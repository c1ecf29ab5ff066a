"""``geceval mbr``: of each sentence's candidates the one that is nearest to all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geceval.base.errors import InputError, UsageError
from geceval.base.requests import OptionGroup, option
from geceval.cli.candidate_options import CandidateRequest, write_ranked
from geceval.cli.parsing import Command

if TYPE_CHECKING:
    from geceval.counting.counts import Floats

EXAMPLES = """\
examples:
  geceval mbr -s source.txt -n samples.txt -k 16 -m green -o chosen.txt
  geceval mbr -s source.txt -n nbest.tsv -m errant --weights log -f tsv

Minimum Bayes risk: each candidate in turn is the only reference, and the candidate with the highest mean score is
taken. A text that was sampled twice counts twice. docs/mbr.md has the file formats.
"""


class RiskOptions(OptionGroup, title="choice"):
    """The metric, and how much each candidate counts as a reference."""

    metric_spec: tuple[str, ...] = option(
        *("-m", "--metric"), nargs=1, required=True, metavar="METRIC", help="such as green, errant:beta=1, gleu"
    )
    weights: str = option(
        "--weights",
        choices=("equal", "given", "log"),
        default="equal",
        help="how much a candidate counts as a reference: all the same (default), its score in the file, or e to the "
        "power of it, where scores are logarithms of probabilities",
    )


class MbrRequest(CandidateRequest):
    """Candidates, and how the one nearest to all is chosen."""

    choice: RiskOptions = RiskOptions()


def run(request: MbrRequest) -> None:
    """Write the candidates of minimum Bayes risk."""
    import numpy as np

    from geceval.counting.scoring.candidate_choice import mbr

    metric = request.metric(*request.choice.metric_spec)
    candidates = request.read_candidates()
    weights = None
    if request.choice.weights != "equal":
        if candidates.scores is None:
            raise UsageError(f"--weights {request.choice.weights}: the candidates have no scores")
        weights = candidates.scores
        if request.choice.weights == "log":
            weights = [_shares(s, np.array(own)) for s, own in enumerate(weights, 1)]
    source = request.read_source(candidates)
    write_ranked(request, mbr(candidates.texts, metric, source, weights=weights, threads=request.output.threads))


def _shares(number: int, logarithms: Floats) -> list[float]:
    """What the candidates of a sentence weigh. Their sum does not matter, and the highest is 1: none is too small to be
    told from 0."""
    import numpy as np

    highest = logarithms.max()
    if not np.isfinite(highest):
        raise InputError(f"sentence {number}: logarithms of probabilities are below infinity, and one is a number")
    shares: list[float] = np.exp(logarithms - highest).tolist()
    return shares


COMMAND = Command(MbrRequest, run, EXAMPLES)
