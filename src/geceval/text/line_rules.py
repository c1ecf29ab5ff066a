"""Named rules that change lines, such as removing labels and quotes.

A guarded rule removes text around a correction. It leaves a line as it is if a third of the removed words and marks are
in the source, since the line could be the correction itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from geceval._kernel import Text
from geceval.base.arguments import did_you_mean
from geceval.base.cached import cached_property
from geceval.base.errors import UsageError
from geceval.text.files import has_ending
from geceval.text.output_phrases import output_phrases

#: Version of llm_rules for signatures; it changes whenever the output changes.
VERSION = 1
#: Largest number of marks around each other that are removed.
_ROUNDS = 10
#: Marks at the end of a sentence.
_END = "[.!?…。！？\"'“”‘’»」*_`)]"
#: First letter of scripts without blanks between words.
_UNBROKEN = "\u0e00"


class Rule(NamedTuple):
    r"""A regular expression and its replacement.

    Attributes:
        name: its name; several rules may share one.
        pattern: the expression, as in Python's ``re``.
        replacement: the replacement, with ``\1`` for a group.
        guarded: whether a line stays if its source is unknown or has a third of what is removed.
        signs: characters, one of which is in every line that the rule changes; empty: unknown.
    """

    name: str
    pattern: str
    replacement: str = ""
    guarded: bool = True
    signs: str = ""


# --- what language models add ---


def _any_of(*kinds: str) -> str:
    """Return a pattern of the phrases of kinds; see output_phrases.tsv."""
    phrases = sorted((phrase for kind, phrase in output_phrases() if kind in kinds), key=len, reverse=True)
    return "|".join(map(_phrase_pattern, phrases))


def _phrase_pattern(phrase: str) -> str:
    end = r"\b" if phrase[-1].isalpha() and phrase[-1] < _UNBROKEN else ""
    return re.escape(phrase).replace("'", "['’]").replace(":", " ?[:：]") + end


@cache
def llm_rules() -> tuple[Rule, ...]:
    """Return the rules for text around corrections, in order."""
    label, preamble, explanation, prompt = map(_any_of, ("label", "preamble", "explanation", "prompt"))
    label = f"(?:{label})[*_]* ?[:：]"
    quotes = r"""^["“„«»「『](?=\S)([^"“”„«»「」『』]+)(?<=\S)["”“»«」』]$|^['‘](?=\S)(.+)(?<=\S)['’]$"""
    fence = "^`{3,9}(?:(?:(?:plain)?text|txt|markdown|md)(?= ))?|`{3,9}$|^`([^`]+)`$"
    return (
        Rule("fences", fence, r"\1", signs="`"),
        Rule("bold", r"(?<!\w)(\*\*|__)(?=\S)([^*_]+)(?<=\S)\1(?!\w)", r"\2", signs="*_"),
        Rule("prompt", f"(?i)^(?:{prompt})[^:：]{{0,200}}[:：]", signs=":："),
        Rule("labels", f"(?i)^(?:{label})", signs=":："),
        Rule("preambles", f"(?i)^(?:{preamble})[^:：]{{0,200}}[:：]", signs=":："),
        Rule("preambles", f"(?i)^(?:{preamble})[!！]", signs="!！"),
        Rule("prompt", rf"^.+?{_END}\s(?=(?i:{label}))", signs=":："),
        Rule("explanations", rf"({_END})\s[*_]{{0,3}}(?i:{explanation}).*$", r"\1"),
        Rule("prompt", r"^.+?\s(?:->|→|=>|⇒)\s", signs=">→⇒"),
        Rule("quotes", quotes, r"\1\2", signs="\"“„«»「『'‘"),
    )


# --- rules applied to lines ---


@dataclass(frozen=True)
class LineRules:
    """Rules that are applied in order, the guarded ones until nothing changes.

    Attributes:
        name: their name in signatures.
        rules: the rules.
    """

    name: str
    rules: tuple[Rule, ...]

    @cached_property
    def _compiled(self) -> list[tuple[Rule, re.Pattern[str]]]:
        return [(rule, re.compile(rule.pattern)) for rule in self.rules]

    @cached_property
    def _signs(self) -> re.Pattern[str]:
        """A pattern of the signs of all rules."""
        return re.compile(f"[{re.escape(''.join(rule.signs for rule in self.rules)) or chr(0)}]")

    def apply(self, lines: Text, source: Text | None = None) -> Text:
        """Return the changed lines of these sources; None stays None."""
        return Text(None if line is None else self.edit(line, own)[0] for line, own in _pairs(lines, source))

    def edit(self, line: str, source: str | None = None) -> tuple[str, list[str]]:
        """Return a changed line and the names of the rules that changed it.

        Cost: O(characters) per rule and round; there are at most 10 rounds.
        """
        names: list[str] = []
        for turn in range(_ROUNDS):
            before, signs = line, self._signs.search(line)
            for rule, pattern in self._compiled:
                if rule.signs and not (signs and any(map(line.__contains__, rule.signs))):
                    continue
                if (source is None if rule.guarded else turn) or not pattern.search(line):
                    continue  # search is much cheaper than sub
                new = pattern.sub(rule.replacement, line)
                if not rule.guarded or _is_addition(line, new := new.strip(), source or ""):
                    names += [rule.name] * (new != line)
                    line = new
            if line == before:
                break
        return line, names


def _pairs(lines: Text, source: Text | None) -> Iterable[tuple[str | None, str | None]]:
    return ((line, None) for line in lines) if source is None else zip(lines, source, strict=True)


def _is_addition(line: str, new: str, source: str) -> bool:
    """Return whether the source lacks most words and marks that ``new`` lacks."""
    kept = _words(new)
    removed = _words(line) - kept
    return bool(kept) and 3 * (removed & (_words(source) - kept)).total() < removed.total()


def _words(text: str) -> Counter[str]:
    """Return the number of each word and mark; all quotes are equal."""
    text = re.sub("``|''|[“”„«»「」『』]", '"', text).translate({0x2018: "'", 0x2019: "'"})
    return Counter(re.findall(r"\w+|[^\w\s]", text.casefold()))


# --- rules by name ---


def make_rules(names: str | Iterable[str]) -> LineRules:
    """Return rules by name: ``llm``, kinds such as ``labels``, or TOML files.

    Raises:
        UsageError: for an unknown name; lists the available ones.
        InputError: for a file that is not valid; names file, rule and key.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    kinds = list(dict.fromkeys(rule.name for rule in llm_rules()))
    files = [name for name in names if has_ending(name, ".toml")]
    chosen = set(names).difference(files)
    for name in chosen.difference(kinds, ["llm"]):
        message = f"unknown rule {name!r}: choose from llm, {', '.join(kinds)}, or the name of a .toml file"
        raise UsageError(message, hint=did_you_mean(name, kinds))
    own = [rule for rule in llm_rules() if rule.name in chosen or "llm" in chosen]
    signed = ["llm"] if "llm" in chosen else [kind for kind in kinds if kind in chosen]
    signed = [f"{'+'.join(signed)}-{VERSION}"] if signed else []
    for file in files:
        rules = tuple(_read_rules(file))
        own += rules
        signed.append(f"rules-{sha256(repr(rules).encode()).hexdigest()[:8]}")
    return LineRules("+".join(signed), tuple(own))


def _read_rules(path: str) -> Iterator[Rule]:
    """Yield the rules of a TOML file, each ``[[rules]]``."""
    from geceval.text.reading.strict_toml import read_toml

    fields = read_toml(path)
    for row in fields.rows("rules"):
        rule = Rule(row.text("name"), row.text("pattern"), row.text("replacement", ""), row.flag("guarded", True))
        row.end()
        try:
            re.compile(rule.pattern).sub(rule.replacement, "")
        except (re.error, IndexError) as error:
            raise row.error(f"not a regular expression with its replacement: {error}") from None
        yield rule
    fields.end()
    if not fields.rows("rules"):
        raise fields.error("there are no rules", hint="each is a table [[rules]] with name, pattern and replacement")
