"""Signatures read back: the settings of a score, and the command that gives it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from geceval._kernel import __version__
from geceval.base.arguments import did_you_mean
from geceval.base.data_files import table_rows
from geceval.base.errors import GecevalError, UsageError
from geceval.counting.catalogue.metric_facts import setting_facts, setting_text
from geceval.counting.contract import Contract
from geceval.counting.counts import LEVELS
from geceval.counting.metric_names import METRICS, make_metric, spec_of
from geceval.counting.settings import role_of, settings_of
from geceval.edits.languages import ANNOTATORS, make_annotator
from geceval.text.tokenisers import TOKENISERS, make_tokeniser

#: Labels that depend on a setting.
LABELS: Mapping[str, str] = {"LLM-S": "llm", "LLM-E": "llm"}
#: Entries that are no settings of a metric, and their meaning.
MEANINGS = dict(table_rows(Path(__file__).with_name("signature_entries.tsv")))
#: Origin of the references, by the word in brackets after their number.
MADE = {
    "": "texts",
    "gold": "gold edits",
    "reannotated": "edits found in the corrected texts of gold edits",
    "fallback": "texts made from gold edits",
    "plain": "texts made from gold edits",
}
#: A name with the fingerprint of the file or the model.
_FINGERPRINT = re.compile(r"(.+)@[0-9a-f]{6,}")
#: A step of preparation with the texts that it is limited to.
_STEP = re.compile(r"(.+?)(?:\(([a-z+]+)\))?")
#: The number of references, and what they were made from.
_REFERENCES = re.compile(r"(?:\d+-)?(\d+)(?:\((\w+)\))?")
#: More reference files than these are written as a pattern.
MANY = 4


@dataclass(frozen=True)
class SignedScore:
    """A score's signature, read back.

    Attributes:
        metric: Name of the metric.
        entries: Key, value and meaning of each entry, in order.
        command: The command that gives the score, with names of files that stand for yours.
        untold: Facts that the signature does not contain.
    """

    metric: str
    entries: Sequence[tuple[str, str, str]]
    command: str
    untold: Sequence[str]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        entries = [{"key": key, "value": value, "meaning": meaning} for key, value, meaning in self.entries]
        return {"metric": self.metric, "entries": entries, "command": self.command, "not_included": list(self.untold)}


def read_signature(text: str) -> SignedScore:
    """Return the settings and the command of a signature.

    Args:
        text: A score's signature, ``GREEN|n:4|beta:2|…|level:corpus|v:0.3.0``.

    Raises:
        UsageError: The text is not a signature of a score, is cut off, or has an unknown entry.
    """
    label, *pieces = text.strip().split("|")
    pairs = [piece.partition(":") for piece in pieces]
    _check(label, pairs)
    entries = {key: value for key, _, value in pairs}
    name = _metric_of(label)
    return _Reader(name, label, METRICS[name], entries).score()


def _check(label: str, pairs: Sequence[tuple[str, str, str]]) -> None:
    hint = "copy the whole line, in quotes: geceval signature 'GREEN|n:4|…|level:corpus|v:…'"
    if label in ("MBR", "RERANK"):
        raise UsageError(f"{label} is a signature of geceval select", hint="give the part from the metric's name on")
    if ":" in label:
        raise UsageError(f"a signature of a score starts with the name of a metric, not with {label!r}", hint=hint)
    for key, colon, _ in pairs:
        if not (key and colon):
            raise UsageError(f"{key!r} is not an entry of a signature, such as beta:0.5", hint=hint)
    keys = [key for key, _, _ in pairs]
    repeated = [key for key in dict.fromkeys(keys) if keys.count(key) > 1]
    if repeated:
        raise UsageError(f"the signature has {repeated[0]} more than once", hint=hint)
    if not pairs:
        raise UsageError(f"{label!r} is not a signature", hint=hint)


def _metric_of(label: str) -> str:
    """Return the metric that a signature starts with; raises UsageError if unknown."""
    labels = {**LABELS, **{METRICS[name].title or name.upper(): name for name in METRICS.names()}}
    if label not in labels:
        message = f"{label} is not a metric of geceval: the signatures start with {', '.join(labels)}"
        raise UsageError(message, hint=did_you_mean(label, labels))
    return labels[label]


@dataclass(frozen=True)
class _Reader:
    """Reads the entries of a signature of a metric."""

    name: str
    label: str
    cls: type[Contract[Any]]
    entries: Mapping[str, str]

    def score(self) -> SignedScore:
        """Return what the entries say."""
        known = [*settings_of(self.cls), *MEANINGS]
        for key in self.entries:
            if key not in known:
                raise UsageError(f"{self.label} has no entry {key!r}", hint=did_you_mean(key, known))
        needed = ["level", "v"] if self.cls.evidence_of == "nothing" else ["refs", "level", "v"]
        missing = [key for key in needed if key not in self.entries]
        if missing:
            raise UsageError(f"the signature is cut off: {' and '.join(missing)} missing", hint="copy the whole line")
        if self.entries["level"] not in LEVELS:
            raise UsageError(f"level is one of {', '.join(LEVELS)}, not {self.entries['level']}")
        references = self.entries.get("refs", "0")
        if not _REFERENCES.fullmatch(references):
            raise UsageError(f"refs is the number of references, not {references!r}")
        spec = spec_of(self.name, self.settings())
        words = [*self.data(), f"-m {_quoted(spec)}", *self.options()]
        return SignedScore(self.name, [*self.explained()], " ".join(["geceval score", *words]), [*self.untold()])

    def explained(self) -> Iterator[tuple[str, str, str]]:
        """Yield key, value and meaning of each entry."""
        meanings = {one.name: one.meaning for one in setting_facts(self.cls)}
        for key, value in self.entries.items():
            meaning = meanings.get(key) or MEANINGS.get(key, "")
            if key == "refs" and (found := _REFERENCES.fullmatch(value)):
                meaning += f": {MADE.get(found[2] or '', found[2])}"
            yield key, value, meaning

    # --- settings ---

    def settings(self) -> dict[str, str]:
        """Return the settings that are not at their defaults, as a command line has them.

        Raises UsageError for a value that the metric refuses.
        """
        counted = [key for key, (field, _) in settings_of(self.cls).items() if role_of(field) != "selecting"]
        found = {key: self._value(key, self.entries[key]) for key in counted if key in self.entries}
        found |= self._policy(found)
        made, default = make_metric(self.name, **found).settings, make_metric(self.name).settings
        return {name: setting_text(made[name]) for name in made if name in found and made[name] != default[name]}

    def _value(self, key: str, text: str) -> str:
        if key == "annotator":
            return _named_as(text, ANNOTATORS.names(), make_annotator) or text
        fingerprint = _FINGERPRINT.fullmatch(text)
        return fingerprint[1] if fingerprint else text

    def _policy(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Return the settings of the policy; raises UsageError if it is unknown."""
        wanted = self.entries.get("policy")
        if wanted is None:
            return {}
        facts = [one for one in setting_facts(self.cls) if role_of(settings_of(self.cls)[one.name][0]) == "selecting"]
        given = ((one.name, self.entries.get(one.name, "")) for one in facts if not one.choices)
        numbers = {name: text for name, text in given if text.isdigit()}
        chosen = [one for one in facts if one.choices]
        for values in product(*(one.choices for one in chosen)):
            found = {**numbers, **dict(zip((one.name for one in chosen), values, strict=True))}
            if make_metric(self.name, **{**settings, **found}).policy.settings["policy"] == wanted:
                return found
        raise UsageError(f"{self.label} has no policy {wanted!r}")

    # --- the command ---

    def data(self) -> Iterator[str]:
        """Yield the options that name the texts."""
        found = _REFERENCES.fullmatch(self.entries.get("refs", ""))
        made = "" if found is None else found[2] or ""
        if made:
            more = {"plain": " --missing plain", "reannotated": " --gold-edits reannotated"}
            overlaps = f" --overlaps {self.entries['overlaps']}" if "overlaps" in self.entries else ""
            yield "--gold gold.m2" + more.get(made, "") + overlaps
        else:
            yield "-s source.txt"
        if found is not None and not made:
            number = int(found[1])
            names = [f"ref{r}.txt" for r in range(number)] if number <= MANY else ["ref*.txt"]
            yield f"-r {' '.join(names)}"
        ending = "m2" if self.entries.get("hyp") == "m2" else "txt"
        pool = [name for name in self.entries.get("pool", "sys").split("+") if name != "(source)"]
        yield f"-c {' '.join(_quoted(f'{name}.{ending}') for name in pool)}"

    def options(self) -> Iterator[str]:
        """Yield the options after ``-m``."""
        only = ""
        for key, option in (("norm", "--normalise"), ("ws", "--whitespace"), ("tok", "--tokenise"), ("case", "")):
            step = _STEP.fullmatch(self.entries.get(key, ""))
            if step is not None:
                value = {"norm": step[1].replace("+", ","), "tok": self._tokeniser(step[1])}.get(key, step[1])
                yield f"{option} {_quoted(value)}" if option else "--truecase"
                only = step[2] or ""
        if only:
            yield f"--tokenise-only {only.replace('+', ' ')}"
        if self.entries["level"] != "corpus":
            yield f"--level {self.entries['level']}"
        if self.cls.asks_judge:
            yield "--judge server=URL"

    @staticmethod
    def _tokeniser(name: str) -> str:
        return _named_as(name, TOKENISERS.names(), make_tokeniser) or name

    def untold(self) -> Iterator[str]:
        """Yield what the signature does not contain."""
        yield "the names and contents of the files"
        if any(_FINGERPRINT.fullmatch(self.entries.get(key, "")) for key in settings_of(self.cls)):
            yield "the folders of files and models: it has their names and fingerprints"
        if self.cls.asks_judge:
            yield "the server of the judge"
        if "-" in self.entries.get("refs", ""):
            yield "which sentences have fewer references"
        if self.entries["v"] != __version__:
            yield f"whether version {__version__}, which is installed, gives the number of {self.entries['v']}"


def _named_as(signed: str, names: Iterable[str], make: Callable[[str], Any]) -> str | None:
    """Return the registered name of an annotator or tokeniser by its signed name."""
    for name in names:
        try:
            if make(name).name == signed:
                return name
        except GecevalError:  # it needs an extra, or more than a name
            continue
    return None


def _quoted(text: str) -> str:
    """Return a word as a shell reads it."""
    from shlex import quote

    return quote(text)
