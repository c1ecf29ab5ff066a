"""Checks of the lines of a text: numbers of odd lines, such as empty ones and refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, TypeAlias

from geceval.base.hints import AnyHint, Hint, Option
from geceval.counting.checks.check_table import CLEANABLE, HINTS, LINE_CHECKS, LineCheck
from geceval.counting.checks.findings import Finding
from geceval.counting.checks.limits import Limits
from geceval.text.columns import AnswerEnd
from geceval.text.line_marks import mark_bits, mark_names
from geceval.text.line_rules import CleanedLines

#: Hints for empty lines of texts and of edits that are not a system's.
EMPTY_CORRECTIONS = {
    "text": "an empty line deletes its sentence; where nothing is to be corrected, write the sentence",
    "edits": "the edits delete all words; where nothing is to be corrected, leave out the edits",
}


#: Hint for lines of a reference that ``--clean`` would change in a system.
CLEAN_REFERENCES = "geceval prepare --clean llm -s SOURCE REFERENCE > FILE writes the corrections alone"

#: Checks of faults that are no correction.
_CERTAIN = frozenset(check.name for check in LINE_CHECKS if check.certain is not None)
#: Checks whose lines are suspicious after cleaning, too.
_SUSPICIOUS = CLEANABLE | {"long", "blank", "refusals"}
#: Kinds of lines of a system without an answer: empty lines, refusals, and answers that were cut.
FAILURES = ("empty", "refusals", "cut")
#: Bits of the marks of lines without an answer, and of lines that look cut.
_FAILURE_BITS, _TRUNCATED = {"empty": mark_bits("blank"), "refusals": mark_bits("refusals")}, mark_bits("truncated")

#: Form of checked lines: the output of a system, a source or reference, or corrections given as edits.
AccountForm: TypeAlias = Literal["output", "text", "edits"]


class OutputAccount:
    """Numbers of lines of a system, or of the source, a reference or an annotator.

    Attributes:
        form: Form of the lines.
        lines: All lines.
        absent: Lines that a reference or an annotator lacks.
        equal: Lines with the words of the source.
        suspicious: Lines that a check of lines counts, except empty ones and refusals.
        cleaned: Numbers of lines that the preparation of raw output changed.
        failed: Numbers of lines by the check of lines that they fail.
        first_lines: First lines of each check, counted from 1.
        failures: Indices of lines without an answer by kind, in order: "empty", "refusals", "cut".
        has_ends: Whether the file contains how answers ended.
        tried: Numbers of lines that were cleaned, by check of lines.
        still_suspicious: Numbers of these lines that are suspicious after cleaning, too.
    """

    def __init__(self, form: AccountForm = "output") -> None:
        self.form = form
        self.lines = self.absent = self.equal = self.suspicious = 0
        self.cleaned = CleanedLines()
        self.failed: Counter[str] = Counter()
        self.first_lines: dict[str, list[int]] = {}
        self.failures: dict[str, list[int]] = {kind: [] for kind in FAILURES}
        self.has_ends = False
        self.tried: Counter[str] = Counter()
        self.still_suspicious: Counter[str] = Counter()

    def add(
        self,
        equal: int,
        odd: Sequence[tuple[int, int]],
        lines: int,
        absent: int = 0,
        ends: Sequence[AnswerEnd] | None = None,
    ) -> None:
        """Add the next lines.

        Args:
            equal: Number of lines equal to the source.
            odd: Indices and bits of odd lines.
            lines: Number of all lines.
            absent: Number of lines that are missing.
            ends: How the answers ended, which replaces guesses from their texts (None: unknown).
        """
        if ends is not None:
            odd, self.has_ends = _with_ends(odd, ends), True
            self.failures["cut"] += [self.lines + index for index, end in enumerate(ends) if end == "cut"]
        if self.form == "output":
            for kind, bit in _FAILURE_BITS.items():
                self.failures[kind] += [self.lines + index for index, bits in odd if bits & bit]
        for bits, number in Counter(bits for _, bits in odd).items():
            names = mark_names(bits)
            self.failed.update(dict.fromkeys(names, number))
            self.suspicious += number * bool({*names} - _CERTAIN)
            lines_with_bits = (self.lines + index + 1 for index, line_bits in odd if line_bits == bits)
            first = list(islice(lines_with_bits, Limits.odd))
            for name in names:
                self.first_lines[name] = sorted([*self.first_lines.get(name, []), *first])[: Limits.odd]
        self.lines += lines
        self.absent += absent
        self.equal += equal

    @property
    def present(self) -> int:
        """Number of lines that are not missing."""
        return self.lines - self.absent

    def add_tried(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Add lines that were cleaned: their bits before and after cleaning."""
        for before, after in pairs:
            names = CLEANABLE.intersection(mark_names(before))
            self.tried.update(names)
            if _SUSPICIOUS.intersection(mark_names(after)):
                self.still_suspicious.update(names)

    def reported(self) -> list[LineCheck]:
        """Return the checks that enough lines fail."""
        return [check for check in LINE_CHECKS if self._limit(check) < self.failed[check.name] <= self._most(check)]

    def _limit(self, check: LineCheck) -> float:
        """Return the number of lines that a check exceeds to be reported."""
        if check.certain is not None:
            return max(check.certain if self.present >= Limits.least else 0, check.least * self.present)
        if check.name not in CLEANABLE:
            return max(Limits.odd, check.least * self.present) if self.present >= Limits.least else self.present
        odd = min(Limits.odd, self.present // Limits.one_in) if check.least else 0
        return max(odd, check.least * self.present)

    def _most(self, check: LineCheck) -> float:
        """Return the largest number of lines that a check reports; in long texts another one reports more."""
        is_long_text = self.form != "edits" and self.present >= Limits.least
        return check.most * self.present if is_long_text else self.present

    def findings(self, file: str, checks: Sequence[LineCheck]) -> Iterator[Finding]:
        """Yield the findings of checks of lines, and the numbers of a system."""
        noun = "sentence" if self.form == "edits" else "line"
        for name, _, messages, _, _ in checks:
            number = self.failed[name]
            message = f"{number} of its {self.present} {noun}s {messages[number == 1]}"
            examples = _examples(noun, self.first_lines[name], number)
            yield Finding(name, file, f"{message} ({examples})", self._advice(name))
        if number := len(self.failures["cut"]):
            verb = "were" if number > 1 else "was"
            message = f"{number} of its {self.present} answers {verb} cut at the limit of tokens"
            examples = _examples("line", [index + 1 for index in self.failures["cut"][: Limits.odd]], number)
            yield Finding("cut", file, f"{message} ({examples})")
        if self.form == "output" and (checks or self.failures["cut"]):
            numbers = ", ".join(f"{number} {name}" for name, number in self.to_dict().items())
            numbers = numbers.replace("equal", "equal to the source").replace(
                "no_change", "statements that nothing is wrong"
            )
            yield Finding("outputs", file, numbers)

    def _advice(self, name: str) -> AnyHint:
        """Return the hint to clean lines, with the number of lines that stay suspicious; empty for the usual hint."""
        if name == "blank" and self.form != "output":
            return EMPTY_CORRECTIONS[self.form]
        if name not in CLEANABLE:
            return ""
        if self.form != "output":
            return CLEAN_REFERENCES
        tried, suspicious = self.tried[name], self.still_suspicious[name]
        if suspicious == tried:
            lines = "these lines" if tried == self.failed[name] else f"the first {tried} of these lines"
            more = f" leaves {lines} suspicious; correct them, or add rules: "
            return Hint(Option("clean", "llm"), more, Option("clean", "llm,FILE.toml"))
        lines = "these lines" if tried == self.failed[name] else f"the first {tried} lines"
        stay = "stay" if suspicious > 1 else "stays"
        return Hint(HINTS[name], f"; {suspicious or 'none'} of {lines} {stay} suspicious")

    def cleaned_findings(self, file: str) -> Iterator[Finding]:
        """Yield the lines that cleaning replaced by their sources, emptied, or read from JSON that was cut."""
        messages = self.cleaned.messages(f"its {self.lines}")
        for check, message in zip(("replaced", "unanswered", "cut"), messages, strict=True):
            if message:
                yield Finding(check, file, message)

    def to_dict(self) -> dict[str, int]:
        """Return the numbers of the account as JSON values."""
        return {
            "lines": self.lines,
            "empty": self.failed["blank"],
            "equal": self.equal,
            "refusals": self.failed["refusals"],
            **({"cut": len(self.failures["cut"])} if self.has_ends else {}),
            "no_change": self.failed["unchanged"] + self.cleaned.as_source,
            "suspicious": self.suspicious,
            "cleaned": self.cleaned.changed,
        }


def _examples(noun: str, first: Sequence[int], number: int) -> str:
    """Return the first of a number of lines or sentences for a message."""
    more = ", ..." if number > Limits.odd else ""
    return f"{noun}{'' if number == 1 else 's'} {', '.join(map(str, first))}{more}"


def _with_ends(odd: Sequence[tuple[int, int]], ends: Sequence[AnswerEnd]) -> list[tuple[int, int]]:
    """Return odd lines with the refusals of a provider, and without cut lines that were guessed from their texts."""
    bits_of = Counter({index: bits & ~_TRUNCATED for index, bits in odd})
    for index, end in enumerate(ends):
        if end == "refusals":
            bits_of[index] |= _FAILURE_BITS["refusals"]
    return sorted((index, bits) for index, bits in bits_of.items() if bits)
