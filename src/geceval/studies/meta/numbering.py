"""Which line of the system outputs a judgment's sentence number means, settled by the collapsed groups.

Published data sets disagree: GJG15 counts lines from 0, SEEDA from 1, and SEEDA's ``outputs/subset`` holds
only the judged sentences in ascending order. The judgments themselves can tell: systems collapsed into one
group must have the same output on that line; with a wrong numbering most do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from geceval.base.errors import InputError, UsageError
from geceval.studies.meta.judgments import Judgments

NUMBERINGS: Mapping[str, Callable[[Sequence[int]], dict[int, int]]] = {
    "0": lambda ids: {number: number for number in ids},
    "1": lambda ids: {number: number - 1 for number in ids},
    "judged": lambda ids: {number: k for k, number in enumerate(sorted(ids))},
}
"""Name of a numbering -> function from the sentence numbers of a file to 0-based lines.

``judged``: the files hold the judged sentences only, line k the one with the k-th smallest number.
"""


def line_numbers(judgments: Judgments, numbering: str) -> dict[int, int]:
    """The 0-based line of every judged sentence. Raises `UsageError` for an unknown numbering."""
    if numbering not in NUMBERINGS:
        raise UsageError(f"unknown sentence numbering {numbering!r}; there are: {', '.join(NUMBERINGS)}")
    return NUMBERINGS[numbering](judgments.source_ids)


def agreeing_groups(
    judgments: Judgments, lines: Mapping[int, int], outputs: Mapping[str, Sequence[str]]
) -> tuple[int, int]:
    """(collapsed groups whose outputs are the same, collapsed groups checked).

    ``outputs[system][line]``; systems without outputs are left out. White space at the ends of a line is ignored, as it
    was when outputs were collapsed.
    """
    verdicts = []
    for item in judgments.items:
        for group in item.groups:
            known = [outputs[name] for name in group if name in outputs]
            if len(known) > 1:
                line = lines[item.source_id]
                inside = all(0 <= line < len(output) for output in known)
                verdicts.append(inside and len({output[line].strip() for output in known}) == 1)
    return sum(verdicts), len(verdicts)


def find_numbering(judgments: Judgments, outputs: Mapping[str, Sequence[str]]) -> str:
    """The one numbering with which all collapsed groups fit the outputs.

    Raises `InputError` when none fits or several do, with the share of items that fit each.
    """
    counts = {name: agreeing_groups(judgments, line_numbers(judgments, name), outputs) for name in NUMBERINGS}
    fitting = [name for name, (agree, checked) in counts.items() if agree == checked > 0]
    if fitting and all(line_numbers(judgments, name) == line_numbers(judgments, fitting[0]) for name in fitting):
        return fitting[0]
    shares = ", ".join(f"{name}: {agree} of {checked}" for name, (agree, checked) in counts.items())
    if not any(checked for _, checked in counts.values()):
        raise InputError(
            "no numbering fits for certain: no two of these outputs were judged as one, which would tell which line "
            "a sentence number means",
            path=judgments.path,
            hint="--numbering 0 says that lines are counted from 0, as in the CSV of NSPT15; 1 from 1",
        )
    verdict = "several numberings fit" if fitting else "no numbering fits"
    raise InputError(
        f"{verdict} the system outputs (groups that agree: {shares})",
        path=judgments.path,
        hint="are these the outputs that were judged? If you know the numbering, say so: --numbering 0, 1 or judged",
    )
