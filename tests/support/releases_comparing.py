"""What this version prints beside what a release printed: numbers to the last bit, and what may differ, listed.

Another numpy and another machine have logarithms with other last bits (numpy 1.24 beside 2.4, a processor without
AVX-512 beside one with it: GREEN and GLEU differ by one or two). There numbers are held to a relative 1e-12, and rows
of which only a checksum is kept are not compared.
"""

from __future__ import annotations

import functools
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.commands import run_main
from support.page_files import within
from support.tools_here import tool

RECORDS = sorted((Path(__file__).parents[1] / "releases").glob("*.json"))
recording = tool("record_release")

#: What signatures say otherwise since 0.1.0: (what they said, what they say), and why.
SIGNATURES = [
    (r"refs:(\d+)", r"refs:\1(gold)"),  # references that are gold edits are named
    (r"refs:\d+-(\d+)", r"refs:\1(gold)"),  # also where sentences lack one
    (r"refs:(\d+-\d+)", r"refs:\1(gold)"),
    (r"refs:\d+-(\d+)", r"refs:\1"),  # what was given counts, though CLEME leaves out what deletes everything
    (r"annotator:(builtin|builtin:classic)-1", r"annotator:\1-2"),  # another tagger since 0.3.0
    (r"annotator:\S+", ""),  # named only where text was annotated: not beside systems and gold given as edits
    (r"merging:\S+", ""),
    (r"lev:\S+", ""),
    ("", "hyp:m2"),  # a system given as edits
    ("", "blanks:False"),  # settings of false alarms, which took every blank and every case before 0.3.0
    ("", "casing:True"),
    ("", "per:sentence"),
]
#: Numbers that moved on purpose, as "case signature system …": by characters, since 0.3.0 blanks at the ends of lines
#: and doubled ones do not count, which JFLEG's lines and five of T5-Large have (``blanks=all`` counts them).
MOVED = (
    r"(jfleg-dev|bea19-dev), \w+ +GREEN\|\S*unit:char\S* (spellchecked|T5-Large) |"
    # Another tagger since 0.3.0, here of ERRANT.
    r"examples: (annotate -s|errant_parallel|errant_m2) .*: 'output:|"
    r"conll14, (compare|detect|rank) +(systems|pairs|results)\b|"
    # Bounds of intervals are carried to the official score within the metric's range since 0.3.0, where replicates use
    # other references (the others move in the last bits).
    r"examples: (-s (compare|intervals)|--gold compare|compare by type) .* (low|high): |"
    # Precision has no value since 0.3.0 where nothing is proposed, and recall none where there is nothing to find.
    r".* (precision|recall): is gone|.* sentence_parts (precision|recall): 'numbers:\w+' is now \["
)
#: Numbers of edits found in English text, whose annotator has another tagger since 0.3.0: they may move by this much
#: (in a corpus, in our forty sentences); counts and rows of which only a checksum is kept may be other ones.
ANNOTATED = r"annotator:builtin(:classic)?-2\b"
ANNOTATED_BY = (0.02, 0.1)
#: Means of sentences are exact sums since 0.2.0, rounded once; before, they were off by some last bits.
EXACT_MEANS = ("value", "parts"), r"level:(sentence|mean)"
#: So are the sums of real counts, which CLEME's weights make of its chunks, where no order of the sentences matters.
EXACT_SUMS = ("value", "parts", "totals"), r"CLEME.*\|policy:(best|mean|optimum)"
#: GREEN's logarithms are the kernel's since 0.3.0, with the same bits on every machine; numpy's have those of the
#: processor. They are held to the tolerance of another machine, also in what comparisons and meta-evaluation derive.
OF_LOGARITHMS = r"GREEN\||gjg15, \S+ +metrics \[0\]|^examples: (-s compare|compare by length|compare, blocks|suite) "
LAST_BITS = 1e-14
ELSEWHERE = 1e-12


def names(ours: bool) -> list[Any]:
    """(record, case) of our own corpus or of the others, for parametrize."""
    recorded = [
        (record, name)
        for record in RECORDS
        for name in json.loads(record.read_text(encoding="utf-8"))["cases"]
        if name.startswith("examples:") == ours
    ]
    in_order = sorted(recorded, key=lambda pair: pair[1])  # so that one process has a case of all records
    return [pytest.param(record, name, id=f"{record.stem}: {name}") for record, name in in_order]


def check(record: Path, name: str, data: Path | None = None, python: str = sys.executable) -> None:
    """Fails where a number is not that of the release, with all that moved. ``data``: the folder of the corpora."""
    document = json.loads(record.read_text(encoding="utf-8"))
    cases = recording.of_examples() if data is None else recording.of_shared(data)
    case = {case.name: case for case in cases}[name]
    exact = document["made with"] == recording.made_with(python)[1]
    found = recorded_here(case) if python == sys.executable else recording.recorded(case, python)
    moved = list(differences(as_scores(document["cases"][name]), found, name, exact=exact))
    moved = [told for told in moved if not re.match(MOVED, told) and not of_annotator(told, name)]
    if moved:
        told = "\n".join(moved[:20])
        since = f"{name}: {len(moved)} numbers moved since {document['version']}"
        pytest.fail(f"{since}; where that is meant, CHANGELOG.md says so and why:\n{told}")


def of_annotator(told: str, name: str) -> bool:
    """Whether a number moved because another tagger annotated the text."""
    old, _, new = told.rpartition(": ")[2].replace("'", "").partition(" is now ")
    if old.replace("-1", "-2") == new and re.match(ANNOTATED, new):
        return True
    if not re.search(ANNOTATED, told) or not re.fullmatch(r"numbers:\w+|[\d.e-]+|None", old):
        return False
    if old.startswith("numbers:") or old.isdigit() or "None" in (old, new):
        return True
    return math.isclose(float(old), float(new), rel_tol=0.05, abs_tol=ANNOTATED_BY["examples" in name])


def as_scores(recorded: Any) -> Any:
    """Return a record of the former command false-alarms as score writes it, and any other one as it is."""
    if not isinstance(recorded, dict) or not all(key.startswith("FALSE-ALARMS|") for key in recorded):
        return recorded
    return {
        signature: {
            system: {
                "value": own["rate"],
                "parts": {"edits_per_sentence": own["edits_per_sentence"]},
                "totals": {"changed": own["changed"], "edits": own["edits"]},
            }
            for system, own in systems.items()
        }
        for signature, systems in recorded.items()
    }


@functools.cache
def recorded_here(case: recording.Case) -> Any:
    """Return what this version prints, for all records run once and in this process."""
    with within(case.folder):
        found = run_main(case.arguments)
    assert found.status == 0, f"{case.name}: {found.err}"
    return recording.numbers_of(case, found.out.encode())


def differences(old: Any, new: Any, where: str = "", *, exact: bool = True, mean: bool = False) -> Iterator[str]:
    """The numbers that are other ones, or gone; new ones beside them are welcome. ``exact``: to the last bit."""
    exact = exact and not re.search(OF_LOGARITHMS, where)
    if isinstance(old, dict) and isinstance(new, dict):
        renamed = dict(zip(old, new, strict=False)) if any("|" in key for key in old) else {}
        for key, own in old.items():
            other = renamed.get(key, key)
            at = f"{where} {other}"
            if other not in new:
                yield f"{at}: is gone"
                continue
            if "|" in key:
                yield from of_signatures(key, other)
            is_sum = any(key in keys and re.search(signed, where) for keys, signed in (EXACT_MEANS, EXACT_SUMS))
            yield from differences(own, new[other], at, exact=exact, mean=mean or is_sum)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{where} [{i}]", exact=exact, mean=mean)
    elif isinstance(old, str) and isinstance(new, str) and "|" in old:
        yield from of_signatures(old, new)
    elif not exact and str(old).startswith("numbers:") and str(new).startswith("numbers:"):
        return  # a checksum does not forgive last bits
    elif old != new and not (
        (mean or not exact)
        and isinstance(old, float)
        and isinstance(new, float)
        and math.isclose(old, new, rel_tol=LAST_BITS if exact else ELSEWHERE)
    ):
        yield f"{where}: {old!r} is now {new!r}"


def of_signatures(old: str, new: str) -> Iterator[str]:
    """What two signatures say that is neither the same nor listed; versions aside."""
    before, after = ([part for part in signature.split("|") if not part.startswith("v:")] for signature in (old, new))
    gone, come = [part for part in before if part not in after], [part for part in after if part not in before]
    for part in gone:
        pairs = [(was, now) for was, now in SIGNATURES if was and re.fullmatch(was, part)]
        written = [re.sub(was, now, part) for was, now in pairs]
        taken = next((now for now in written if now in come or now == ""), None)
        if taken is None:
            yield f"{new}: does not say {part}"
        elif taken:
            come.remove(taken)
    for part in come:
        if ("", part) not in SIGNATURES:
            yield f"{new}: says {part}, which {old} did not"
