"""A make-believe annotator: annotations that are wrong but lively, and the same for the same sentence.

Tags come from a few closed-class words, endings and a hash of the word and its neighbours, so that all rules are
reached, also those a good tagger seldom reaches.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from geceval.edits.annotation import Annotated, Rules, Token

TAGS = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "JJ": "ADJ", "JJR": "ADJ", "RB": "ADV", "VB": "VERB", "VBD": "VERB",
    "VBG": "VERB", "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "MD": "AUX", "TO": "PART", "RP": "ADP", "IN": "ADP",
    "DT": "DET", "PDT": "DET", "WDT": "PRON", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON", "WP$": "PRON",
    "WRB": "ADV", "EX": "PRON", "CC": "CCONJ", "CD": "NUM", "UH": "INTJ", "POS": "PART", ".": "PUNCT", ",": "PUNCT",
    ":": "PUNCT", "HYPH": "PUNCT", "``": "PUNCT", "''": "PUNCT", "-LRB-": "PUNCT", "-RRB-": "PUNCT", "$": "SYM",
    "SYM": "SYM", "FW": "X", "LS": "X", "XX": "X", "ADD": "X", "NFP": "PUNCT", "AFX": "ADJ", "_SP": "SPACE",
}  # fmt: skip
DEPS = (
    "nsubj nsubjpass dobj pobj poss aux aux auxpass auxiliary acomp amod advmod det prep prt punct ROOT conj cc "
    "compound ccomp"
).split()
CLOSED = {
    "the": "DT", "a": "DT", "an": "DT", "this": "DT", "that": "WDT", "which": "WDT", "to": "TO", "of": "IN",
    "in": "IN", "on": "IN", "at": "IN", "for": "IN", "up": "RP", "out": "RP", "and": "CC", "he": "PRP", "it": "PRP",
    "they": "PRP", "their": "PRP$", "its": "PRP$", "'s": "POS", "'": "POS", "is": "VBZ", "are": "VBP", "was": "VBD",
    "were": "VBD", "be": "VB", "been": "VBN", "has": "VBZ", "have": "VBP", "can": "MD", "will": "MD", "not": "RB",
    "there": "EX", "more": "JJR", "most": "RB", ",": ",", ".": ".", ";": ":", "-": "HYPH", "one": "CD",
}  # fmt: skip
ENDINGS = (
    ("ing", "VBG", "ing"),
    ("ed", "VBD", "ed"),
    ("ly", "RB", ""),
    ("ies", "NNS", "ies"),
    ("s", "NNS", "s"),
    ("er", "JJR", "er"),
    ("al", "JJ", ""),
    ("ic", "JJ", ""),
)
AUXILIARIES = set("is are was were be been has have can will to do did".split())


def _hash(*values: object) -> int:
    return zlib.crc32(repr(values).encode())


def token(tokens: Sequence[str], t: int, noise: int) -> Token:
    """One token of ``tokens``; every ``noise``-th hash takes a random tag or label."""
    form, lower = tokens[t], tokens[t].lower()
    seed = _hash(lower, tokens[t - 1 : t + 2])
    tag, lemma = CLOSED.get(lower, ""), lower
    if not tag:
        for ending, ending_tag, cut in ENDINGS:
            if lower.endswith(ending):
                tag = ending_tag
                lemma = lower[: len(lower) - len(cut)] or lower
                break
        else:
            tag = ("NN", "VB", "NN", "JJ", "NNP", "VBP")[_hash(lower) % 6]
    if seed % noise == 0:
        tag = list(TAGS)[seed // noise % len(TAGS)]
    pos = TAGS[tag]
    if seed % 7 == 0 and pos == "VERB":
        pos = "AUX"
    if seed % 2:
        lemma = lower[:2]
    dep = "aux" if lower in AUXILIARIES and seed % 3 else DEPS[seed // 5 % len(DEPS)]
    # Heads point to the left or to the token itself, mostly near by: always a forest.
    head = max(0, t - seed // 11 % 4)
    return Token(form, lemma, pos, tag, dep, head)


class PseudoAnnotator:
    """See the module."""

    name = "pseudo"

    def __init__(self, rules: Rules = "errant-3", noise: int = 6) -> None:
        self.rules = rules
        self.noise = noise

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """Annotate every token by itself and its neighbours."""
        return Annotated.from_rows([token(s, t, self.noise) for t in range(len(s))] for s in sentences)


class Counting(PseudoAnnotator):
    """Notes every sentence it is asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, ...]] = []

    def annotate(self, sentences: list[tuple[str, ...]]) -> Annotated:
        self.seen += sentences
        return super().annotate(sentences)
