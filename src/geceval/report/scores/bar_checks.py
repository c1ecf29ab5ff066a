"""Checks of scores against bars: lines for a terminal, Markdown for a summary, GitHub's annotations."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from geceval.report.formats.markdown import as_markdown
from geceval.report.numbers import round_half_up
from geceval.report.table import plain_table
from geceval.studies.comparison.bars import Check

#: GitHub shows so many annotations of a kind for a step.
MOST_ANNOTATIONS = 10
#: Decimals at most: more tell no doubles apart.
MOST_DIGITS = 17


def line(check: Check, digits: int) -> str:
    """``sys: ERRANT 39.12 < 40 (ERRANT|mode:cs|…)``, or how much worse it is than before."""
    value, against = figure(check.value, digits, check.against), plain(check.against)
    if check.allowed is None:
        sign = ("≥" if check.kept else "<") if check.higher_is_better else ("≤" if check.kept else ">")
        found = f"{value} {sign} {against}"
    else:
        before = figure(check.against, digits, check.value)
        found = f"{value}, before {before}: {_worse(check, digits)}, allowed {plain(check.allowed)}"
    return f"{check.system}: {check.metric} {found} ({check.signature})"


def _worse(check: Check, digits: int) -> str:
    if check.value.is_nan():
        return "no value"
    loss = check.loss
    return f"{figure(abs(loss), digits, check.allowed or Decimal(0))} {'worse' if loss > 0 else 'better'}"


def figure(number: Decimal, digits: int, other: Decimal) -> str:
    """A number with so many decimals, or as many as keep it on its side of another one."""
    for more in range(digits, MOST_DIGITS):
        text = round_half_up(float(number), more)
        same_side = Decimal(text).compare(other) == number.compare(other)
        if number.is_nan() or other.is_nan() or number == other or same_side:
            return text
    return plain(number)


def plain(number: Decimal) -> str:
    """A number as somebody wrote it, without exponent."""
    return f"{number:f}"


def lines(checks: Sequence[Check], digits: int) -> str:
    """The failed checks, a line each."""
    return "\n".join(f"  {line(check, digits)}" for check in checks if not check.kept)


def markdown(checks: Sequence[Check], digits: int) -> str:
    """A table of all checks, what was not kept first, with the signatures under it."""
    ordered = sorted(checks, key=lambda check: check.kept)
    rows = [[check.system, check.metric, *_cells(check, digits)] for check in ordered]
    below = sum(not check.kept for check in checks)
    title = f"geceval: {below} of {len(checks)} checks failed" if below else f"geceval: {len(checks)} checks passed"
    notes = list(dict.fromkeys(check.signature for check in ordered))
    return as_markdown(plain_table(["system", "metric", "score", "asked", ""], rows, notes, [2], title=title))


def _cells(check: Check, digits: int) -> list[str]:
    sign = "≥" if check.higher_is_better else "≤"
    asked = f"{sign} {plain(check.against)}"
    if check.allowed is not None:
        before = figure(check.against, digits, check.value)
        asked = f"at most {plain(check.allowed)} worse than {before} ({_worse(check, digits)})"
    return [figure(check.value, digits, check.against), asked, "passed" if check.kept else "**failed**"]


def workflow_commands(checks: Sequence[Check], digits: int) -> str:
    """GitHub's workflow commands: an error for each check that failed, the last one for all that GitHub would not show;
    a notice where none did."""
    failed = [check for check in checks if not check.kept]
    if not failed:
        return f"::notice title=geceval::{len(checks)} checks passed\n"
    told = failed if len(failed) <= MOST_ANNOTATIONS else failed[: MOST_ANNOTATIONS - 1]
    found = [(f"{check.metric} is not kept", line(check, digits)) for check in told]
    if len(failed) > len(told):
        rest = failed[len(told) :]
        found.append((f"{len(rest)} more", "\n".join(line(check, digits) for check in rest)))
    return "".join(f"::error title={_property(title)}::{_message(text)}\n" for title, text in found)


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
