"""``geceval mbr``: of each sentence's candidates the one that is nearest to all of them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from geceval.base.errors import InputError, UsageError
from geceval.cli.choosing import add_choosing_arguments, asked_metric, given_candidates, given_source, write_ranked

if TYPE_CHECKING:
    from geceval.counting.counts import Floats

EXAMPLES = """\
examples:
  geceval mbr -s source.txt -n samples.txt -k 16 -m green -o chosen.txt
  geceval mbr -s source.txt -n nbest.tsv -m errant --weights log -f tsv

Minimum Bayes risk: each candidate in turn is the only reference, and the candidate with the highest mean score is
taken. A text that was sampled twice counts twice. docs/mbr.md has the file formats.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add_choosing_arguments(parser)
    group = parser.add_argument_group("choice")
    group.add_argument(
        *("-m", "--metric"),
        dest="metrics",
        nargs=1,
        required=True,
        metavar="METRIC",
        help="such as green, errant:beta=1, gleu",
    )
    group.add_argument(
        "--weights",
        choices=("equal", "given", "log"),
        default="equal",
        help="how much a candidate counts as a reference: all the same (default), its score in the file, or e to the "
        "power of it, where scores are logarithms of probabilities",
    )


def run(args: argparse.Namespace) -> None:
    import numpy as np

    from geceval.counting.scoring.candidate_choice import mbr

    metric = asked_metric(args)
    candidates = given_candidates(args)
    weights = None
    if args.weights != "equal":
        if candidates.scores is None:
            raise UsageError(f"--weights {args.weights}: the candidates have no scores")
        weights = candidates.scores
        if args.weights == "log":
            weights = [_shares(s, np.array(own)) for s, own in enumerate(weights, 1)]
    source = given_source(args, candidates)
    write_ranked(args, mbr(candidates.texts, metric, source, weights=weights, threads=args.threads))


def _shares(number: int, logarithms: Floats) -> list[float]:
    """What the candidates of a sentence weigh. Their sum does not matter, and the highest is 1: none is too small to be
    told from 0."""
    import numpy as np

    highest = logarithms.max()
    if not np.isfinite(highest):
        raise InputError(f"sentence {number}: logarithms of probabilities are below infinity, and one is a number")
    shares: list[float] = np.exp(logarithms - highest).tolist()
    return shares
