"""Map the sentence numbers of judgments to lines of the system outputs.

Published data sets differ: GJG15 counts lines from 0, SEEDA from 1, and SEEDA's ``outputs/subset`` contains only the
judged sentences in ascending order. The numbering is detected from the judgments: systems collapsed into one group
must have the same output on their line, which is rare with a wrong numbering.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from geceval.agreement.judgments import Judgments
from geceval.base.errors import InputError, UsageError

NUMBERINGS: Mapping[str, Callable[[Sequence[int]], dict[int, int]]] = {
    "0": lambda ids: {number: number for number in ids},
    "1": lambda ids: {number: number - 1 for number in ids},
    "judged": lambda ids: {number: k for k, number in enumerate(sorted(ids))},
}
"""Functions from the sentence numbers of a file to 0-based lines, by name.

``judged``: the outputs contain only the judged sentences, in ascending order of their numbers.
"""


def line_numbers(judgments: Judgments, numbering: str) -> dict[int, int]:
    """Return the 0-based line of each judged sentence.

    Raises UsageError if the numbering is unknown.
    """
    if numbering not in NUMBERINGS:
        raise UsageError(f"unknown sentence numbering {numbering!r} (available: {', '.join(NUMBERINGS)})")
    return NUMBERINGS[numbering](judgments.source_ids)


def agreeing_groups(
    judgments: Judgments, lines: Mapping[int, int], outputs: Mapping[str, Sequence[str]]
) -> tuple[int, int]:
    """Return the number of collapsed groups with equal outputs, and of those checked.

    ``outputs`` are lines by system; systems without outputs are ignored. White space at the ends of a line is ignored,
    as it was when outputs were collapsed.
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
    """Return the numbering with which all collapsed groups have equal outputs.

    Raises InputError, with the number of fitting groups by numbering, if none or several fit.
    """
    counts = {name: agreeing_groups(judgments, line_numbers(judgments, name), outputs) for name in NUMBERINGS}
    fitting = [name for name, (agree, checked) in counts.items() if agree == checked > 0]
    if fitting and all(line_numbers(judgments, name) == line_numbers(judgments, fitting[0]) for name in fitting):
        return fitting[0]
    shares = ", ".join(f"{name}: {agree} of {checked}" for name, (agree, checked) in counts.items())
    if not any(checked for _, checked in counts.values()):
        raise InputError(
            "no numbering fits with certainty: it cannot be detected, since no two of the outputs were judged as one",
            path=judgments.path,
            hint="--numbering 0 counts lines from 0, as in the CSV of NSPT15; --numbering 1 from 1",
        )
    verdict = "several numberings fit" if fitting else "no numbering fits"
    hint = "check that these outputs were judged, or set the numbering: --numbering 0, 1 or judged"
    raise InputError(f"{verdict} the system outputs (groups that agree: {shares})", path=judgments.path, hint=hint)
