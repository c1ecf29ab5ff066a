"""Copies of sentences with errors of the kind that learners make, for a teacher to annotate.

The teacher annotates the text with its errors, so a noisy copy is words only.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable

Word = tuple[str, str]
"""Form, Penn tag."""

ARTICLES = ("a", "an", "the", "")
PREPOSITIONS = ("in", "on", "at", "of", "to", "for", "with", "by", "from", "about", "into", "")
VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
NOUNS = ("NN", "NNS")
CONFUSED = (
    "their there they're|its it's|then than|your you're|to too two|affect effect|loose lose|were where|quite quiet|"
    "advice advise|this these|that those|much many|few little|less fewer|other another others|some any|who which that|"
    "because since|so such|has have had|is are was were|do does did|every all each|also too|while during|said told|"
    "can could|will would|make do|he she it|his her|him he|me i|they them|good well|more most|be been being"
)
ENDINGS = (("ly", ""), ("", "ly"), ("al", ""), ("ness", ""), ("ful", ""), ("ence", "ent"), ("ent", "ence"))
RATES = (0.05, 0.1, 0.2, 0.3)
"""Shares of the tokens in which an error is tried; each sentence draws one."""


class Forms:
    """The forms of a lemma by tag, the most frequent of each, in lower case."""

    def __init__(self, words: Iterable[tuple[str, str, str]]) -> None:
        """``words``: form, lemma and tag of every verb and noun of a text."""
        counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._lemmas: dict[Word, str] = {}
        for form, lemma, tag in words:
            counts[lemma, tag][form.lower()] += 1
            self._lemmas[form.lower(), tag] = lemma
        self._forms = {key: count.most_common(1)[0][0] for key, count in counts.items()}

    def other(self, form: str, tag: str, wanted: str) -> str:
        """The form with another tag of the same lemma; the form itself if the text has no other."""
        lemma = self._lemmas.get((form.lower(), tag), "")
        return self._forms.get((lemma, wanted), form)


def noised(sentence: list[Word], rng: random.Random, forms: Forms) -> list[str]:
    """Return the words of one noisy copy."""
    out: list[str] = []
    rate = rng.choice(RATES)
    for form, tag in sentence:
        wrong = _wrong(form, tag, rng, forms) if rng.random() < rate else [form]
        if out and rng.random() < rate / 15:
            out[-1:] = [*wrong, out[-1]] if rng.random() < 0.5 else [out[-1] + "".join(wrong)]
        else:
            out += wrong
    return out or [form for form, _ in sentence]


def _wrong(form: str, tag: str, rng: random.Random, forms: Forms) -> list[str]:
    """Return the words in place of one word."""
    draw, lower = rng.random(), form.lower()
    if draw < 0.08:
        return []
    if draw < 0.14:
        return [form, rng.choice((*ARTICLES[:3], *PREPOSITIONS[:-1], "is", "and", "that", ",", lower))]
    if draw < 0.36:
        return [_misspelt(form, rng)]
    if draw < 0.4:
        return [form.lower() if form[0].isupper() else form.capitalize()]
    if not form[0].isalpha():
        return [rng.choice((",", ".", ";"))] if draw < 0.6 else []
    confused = [words for group in CONFUSED.split("|") if lower in (words := group.split())]
    if confused and draw < 0.85:
        return [rng.choice(rng.choice(confused))]
    if lower in ARTICLES:
        return rng.choice(ARTICLES).split()
    if lower in PREPOSITIONS:
        return rng.choice(PREPOSITIONS).split()
    if tag in VERBS:
        helper = rng.choice(("to", "is", "are", "have", "has", "will", "can", "would", "be")) if draw > 0.88 else ""
        return [*helper.split(), forms.other(form, tag, rng.choice(VERBS))]
    if tag in NOUNS and draw < 0.88:
        return [forms.other(form, tag, NOUNS[tag == "NN"])]
    old, new = rng.choice(ENDINGS)
    return [form.removesuffix(old) + new if form.endswith(old) and len(form) > len(old) + 2 else form]


def _misspelt(form: str, rng: random.Random) -> str:
    if len(form) < 4 or not form.isalpha():
        return form
    place = rng.randrange(1, len(form) - 1)
    match rng.randrange(4):
        case 0:
            return form[:place] + form[place + 1 :]
        case 1:
            return form[:place] + form[place] + form[place:]
        case 2:
            return form[:place] + rng.choice("aeiouy" if form[place] in "aeiouy" else "rstlnmdc") + form[place + 1 :]
        case _:
            return form[:place] + form[place + 1] + form[place] + form[place + 2 :]
