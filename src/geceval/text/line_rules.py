"""Named rules that change lines, such as removing labels and quotes.

A guarded rule removes text around a correction. It leaves a line as it is if more than a third of the removed words
and marks are in the source and not in the rest, since the line could be the correction itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import repeat
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple, get_args

from geceval._kernel import Text
from geceval.base.arguments import choice, compiled_pattern
from geceval.base.package_tables import table_rows
from geceval.text.files import has_ending
from geceval.text.phrases import PhraseKind, phrase_pattern
from geceval.text.similarity import is_addition

#: Versions of the rules for cleaning and for joining tokens in signatures; they change whenever the output of a rule
#: changes.
VERSION, JOINING_VERSION = 4, 1
#: The set of rules for what language models write around a correction.
LLM = "llm"
#: The set of rules for artefacts of pipelines, which change lines also if their source is unknown.
REPAIR = "repair"
#: Largest number of sets of signs whose rules are kept.
_MOST_SIGNS = 4096
#: Functions of an answer and its source, by the name of their rule; imported on first use.
_FUNCTIONS = {
    "subwords": "artefacts:joined_subwords",
    "entities": "artefacts:unescaped_entities",
    "escapes": "artefacts:decoded_escapes",
    "reasoning": "answer_marks:without_reasoning",
    "json": "answer_json:text_of_json",
    "markup": "answer_marks:without_markup",
    "preambles": "answers:without_preamble",
    "lines": "answers:correction_in_lines",
    "bullets": "answer_marks:without_bullet",
    "quotes": "answer_marks:without_quotes",
    "titles": "answers:without_title",
    "statements": "answers:source_for_statement",
}
#: Function that reads JSON without its end, as the rule "json" does if an answer has no other.
_CUT_JSON = "answer_json:text_of_cut_json"


@cache
def _function(place: str) -> Callable[[str, str], str]:
    """Return the function at a place in this package."""
    function: Callable[[str, str], str] = resolve_name(f"geceval.text.{place}")
    return function


class LineRule(NamedTuple):
    r"""A regular expression and its replacement.

    Attributes:
        name: Its name; several rules may share one.
        pattern: The expression, as in Python's ``re``; empty for a rule that is a function.
        replacement: The replacement, with ``\1`` for a group.
        guarded: Whether a line stays if its source is unknown or has more than a third of what is removed.
        signs: Characters, one of which is in every line that the rule changes; empty: unknown.
        is_final: Whether no guarded rule changes the lines that it changed.
    """

    name: str
    pattern: str
    replacement: str = ""
    guarded: bool = True
    signs: str = ""
    is_final: bool = False


@cache
def rule_table() -> tuple[tuple[str, LineRule], ...]:
    """Return the rules of line_rules.tsv with the name of their set, in order."""
    patterns = {f"<{kind}>": phrase_pattern(kind) for kind in get_args(PhraseKind)}
    table = []
    for sets, name, signs, pattern, replacement in table_rows(Path(__file__).with_suffix(".tsv")):
        pattern = re.sub("|".join(patterns), lambda match: patterns[match[0]], pattern)
        signs = signs.replace("\\n", "\n").replace("\\r", "\r")
        is_final = not pattern and replacement == "final"
        for set_name in sets.split(","):
            table.append((set_name, LineRule(name, pattern, replacement, set_name == LLM, signs, is_final)))
    return tuple(table)


# --- rules applied to lines ---


@dataclass(frozen=True)
class LineRules:
    """Rules that are applied in order, the guarded ones until nothing changes.

    Attributes:
        name: Their name in signatures.
        rules: The rules.
    """

    name: str
    rules: tuple[LineRule, ...]

    @cached_property
    def _compiled(self) -> list[tuple[LineRule, re.Pattern[str], frozenset[str]]]:
        """The rules with their patterns and signs."""
        return [(rule, re.compile(rule.pattern), frozenset(rule.signs)) for rule in self.rules]

    @cached_property
    def _signs(self) -> frozenset[str]:
        """The signs of all rules."""
        return frozenset().union(*(signs for _, _, signs in self._compiled))

    @cached_property
    def _has_unguarded(self) -> bool:
        """Whether a rule changes lines that are their source."""
        return not all(rule.guarded for rule in self.rules)

    @cached_property
    def _by_signs(self) -> dict[frozenset[str], list[int]]:
        """The indices of the rules that lines with some signs may need, for signs that occurred."""
        return {}

    def _rules_for(self, line: str) -> list[int]:
        """Return the indices of the rules that may change a line by its signs."""
        present = self._signs.intersection(line)
        indices = self._by_signs.get(present)
        if indices is None:
            rules = enumerate(self._compiled)
            indices = [index for index, (_, _, signs) in rules if not signs or not signs.isdisjoint(present)]
            if len(self._by_signs) >= _MOST_SIGNS:
                self._by_signs.clear()
            self._by_signs[present] = indices
        return indices

    @property
    def joins_lines(self) -> bool:
        """Whether an answer of several lines becomes one line."""
        return any(rule.name == "lines" for rule in self.rules)

    def apply(self, lines: Text, source: Text | None = None) -> Text:
        """Return the changed lines of these sources; None stays None."""
        pairs = zip(lines, repeat(None)) if source is None else zip(lines, source, strict=True)
        return Text(None if line is None else self.edit(line, sentence) for line, sentence in pairs)

    def edit(self, line: str, source: str | None = None) -> str:
        """Return a changed line.

        Cost: O(characters) per rule and round; there are at most 10 rounds.
        """
        rules, number, has_unguarded = self._compiled, len(self.rules), self._has_unguarded
        position, first_step, last_change = 0, 0, -1
        may_change = source is not None and line != source
        indices = self._rules_for(line) if may_change or has_unguarded else []
        while first_step < 10 * number and (may_change or has_unguarded):
            if position == len(indices):  # the next round
                position, first_step = 0, first_step + number
                continue
            step = first_step + indices[position]
            if step - last_change > number:  # each rule has read this line
                break
            rule, pattern, _ = rules[indices[position]]
            position += 1
            if not may_change if rule.guarded else first_step:
                continue
            before = line
            if not rule.pattern:
                line = _function(_FUNCTIONS[rule.name])(line, source or "")
            elif pattern.search(line):  # search is much cheaper than sub
                new = pattern.sub(rule.replacement, line)
                if not rule.guarded or is_addition(line, new := new.strip(), source or ""):
                    line = new
            if line != before:
                may_change, last_change = source not in (None, line) and not rule.is_final, step
                indices = self._rules_for(line) if may_change or has_unguarded else []
                position = bisect_right(indices, step - first_step)
        return line


class CleanedLines(NamedTuple):
    """Numbers of lines that rules changed.

    Attributes:
        changed: Lines that were changed.
        as_source: Lines without a sentence that state that nothing is wrong; they were replaced by the source.
        emptied: Lines of which nothing remained, such as reasoning that was cut.
        cut: Lines with JSON that was cut, and of which the rest was taken.
    """

    changed: int = 0
    as_source: int = 0
    emptied: int = 0
    cut: int = 0

    def __add__(self, other: CleanedLines) -> CleanedLines:  # type: ignore[override]
        return CleanedLines(*map(sum, zip(self, other, strict=True)))

    def messages(self, total: str) -> tuple[str, str, str]:
        """Return the messages on lines that became the source, on emptied ones, and on cut JSON.

        A message is empty without lines. ``total`` is the number of all lines.
        """
        as_source = f"{self.as_source} of {total} lines only state that nothing is wrong, and are read as the source"
        emptied = f"{self.emptied} of {total} lines contain no correction but reasoning, and are read as empty"
        cut = f"{self.cut} of {total} lines are JSON that was cut, and are read up to there"
        return as_source if self.as_source else "", emptied if self.emptied else "", cut if self.cut else ""

    @staticmethod
    def of(lines: Text, cleaned: Text, source: Text) -> CleanedLines:
        """Return the numbers of lines before and after cleaning."""
        rows = zip(map(str, lines), map(str, cleaned), map(str, source), strict=True)
        changed = [row for row in rows if row[0] != row[1]]
        as_source = sum(
            new == sentence and "".join(sentence.split()) not in "".join(line.split())
            for line, new, sentence in changed
        )
        in_json = [(line, sentence) for line, _, sentence in changed if "{" in line or "[" in line]
        cut = sum(_function(_CUT_JSON)(line, sentence) != line for line, sentence in in_json)
        return CleanedLines(len(changed), as_source, sum(not new for _, new, _ in changed), cut)


# --- rules by name ---


def make_rules(names: str | Iterable[str] | LineRules) -> LineRules:
    """Return rules by name: ``llm``, kinds such as ``labels``, or TOML files.

    Rules are returned unchanged.

    Raises:
        UsageError: For an unknown name; lists the available ones.
        InputError: For a file that is not valid; names file, rule and key.
    """
    if isinstance(names, LineRules):
        return names
    names = (names,) if isinstance(names, str) else tuple(names)
    known = [(set_name, rule) for set_name, rule in rule_table() if set_name in (LLM, REPAIR)]
    kinds = dict.fromkeys([LLM, *(rule.name for _, rule in known)])
    of_llm = {rule.name for set_name, rule in known if set_name == LLM and LLM in names}
    chosen = [kind for kind in kinds if kind in names and kind not in of_llm]
    rules = [rule for _, rule in known if rule.name in chosen or rule.name in of_llm]
    files = [name for name in names if has_ending(name, ".toml")]
    for name in set(names).difference(files):
        choice("clean", name, [*kinds, "FILE.toml"])
    file_rules = [rule for file in files for rule in _read_rules(file)]
    rules = [rule._replace(is_final=rule.is_final and not files) for rule in rules]
    signed = [f"{'+'.join(chosen)}-{VERSION}"] * bool(chosen) + [_digest(file_rules)] * bool(file_rules)
    return LineRules("+".join(signed), (*rules, *file_rules))


def _digest(rules: object) -> str:
    from hashlib import sha256  # takes 3 ms and is rarely needed

    return f"rules-{sha256(repr(rules).encode()).hexdigest()[:8]}"


def make_detokeniser(tokeniser: str | LineRules) -> LineRules:
    """Return rules that join tokens, by the name of their tokeniser.

    Rules are returned unchanged. Raises UsageError for an unknown name; lists the available ones.
    """
    if isinstance(tokeniser, LineRules):
        return tokeniser
    kind = tokeniser.partition(":")[0]
    known = dict.fromkeys(set_name for set_name, _ in rule_table() if set_name not in (LLM, REPAIR))
    choice("detokenise", kind if kind in ("moses", "sudachi") else tokeniser, known)
    rules = tuple(rule for set_name, rule in rule_table() if set_name == kind)
    return LineRules(f"{tokeniser}-{JOINING_VERSION}", rules)


def _read_rules(path: str) -> Iterator[LineRule]:
    """Yield the rules of a TOML file, each ``[[rules]]``."""
    from geceval.text.reading.strict_toml import read_toml  # most runs read no TOML

    fields = read_toml(path)
    for row in fields.rows("rules"):
        rule = LineRule(row.text("name"), row.text("pattern"), row.text("replacement", ""), row.flag("guarded", True))
        row.end()
        if not rule.pattern:
            raise row.error("the pattern is empty")
        try:
            compiled_pattern(rule.pattern).sub(rule.replacement, "")
        except (ValueError, re.error, IndexError) as error:
            raise row.error(f"invalid regular expression or replacement: {error}") from None
        yield rule
    fields.end()
    if not fields.rows("rules"):
        raise fields.error("the file has no rules", hint="add tables [[rules]] with name, pattern and replacement")
