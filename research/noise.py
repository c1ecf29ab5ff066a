"""Generate copies of sentences with errors that learners make, for a spaCy pipeline to annotate.

A copy has words only: the pipeline annotates the text with its errors.
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
"""Shares of tokens with an error; each sentence draws one share."""


class Forms:
    """Most frequent form of each lemma by tag, lower-cased."""

    def __init__(self, words: Iterable[tuple[str, str, str]]) -> None:
        """``words``: form, lemma and tag of every verb and noun of a text."""
        counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._lemmas: dict[Word, str] = {}
        for form, lemma, tag in words:
            counts[lemma, tag][form.lower()] += 1
            self._lemmas[form.lower(), tag] = lemma
        self._forms = {key: count.most_common(1)[0][0] for key, count in counts.items()}

    def with_tag(self, form: str, tag: str, other_tag: str) -> str:
        """Return the lemma's form with another tag; the form itself if the text has none."""
        lemma = self._lemmas.get((form.lower(), tag), "")
        return self._forms.get((lemma, other_tag), form)


def noisy_copy(sentence: list[Word], rng: random.Random, forms: Forms) -> list[str]:
    """Return the words of one noisy copy."""
    words: list[str] = []
    rate = rng.choice(RATES)
    for form, tag in sentence:
        replacement = _errors_for(form, tag, rng, forms) if rng.random() < rate else [form]
        if words and rng.random() < rate / 15:
            words[-1:] = [*replacement, words[-1]] if rng.random() < 0.5 else [words[-1] + "".join(replacement)]
        else:
            words += replacement
    return words or [form for form, _ in sentence]


def _errors_for(form: str, tag: str, rng: random.Random, forms: Forms) -> list[str]:
    """Return the words in place of one word."""
    draw, lower_cased = rng.random(), form.lower()
    if draw < 0.08:
        return []
    if draw < 0.14:
        return [form, rng.choice((*ARTICLES[:3], *PREPOSITIONS[:-1], "is", "and", "that", ",", lower_cased))]
    if draw < 0.36:
        return [_misspell(form, rng)]
    if draw < 0.4:
        return [form.lower() if form[0].isupper() else form.capitalize()]
    if not form[0].isalpha():
        return [rng.choice((",", ".", ";"))] if draw < 0.6 else []
    confused = [words for group in CONFUSED.split("|") if lower_cased in (words := group.split())]
    if confused and draw < 0.85:
        return [rng.choice(rng.choice(confused))]
    if lower_cased in ARTICLES:
        return rng.choice(ARTICLES).split()
    if lower_cased in PREPOSITIONS:
        return rng.choice(PREPOSITIONS).split()
    if tag in VERBS:
        helper = rng.choice(("to", "is", "are", "have", "has", "will", "can", "would", "be")) if draw > 0.88 else ""
        return [*helper.split(), forms.with_tag(form, tag, rng.choice(VERBS))]
    if tag in NOUNS and draw < 0.88:
        return [forms.with_tag(form, tag, NOUNS[tag == "NN"])]
    old, new = rng.choice(ENDINGS)
    return [form.removesuffix(old) + new if form.endswith(old) and len(form) > len(old) + 2 else form]


def _misspell(form: str, rng: random.Random) -> str:
    if len(form) < 4 or not form.isalpha():
        return form
    position = rng.randrange(1, len(form) - 1)
    match rng.randrange(4):
        case 0:
            return form[:position] + form[position + 1 :]
        case 1:
            return form[:position] + form[position] + form[position:]
        case 2:
            return (
                form[:position]
                + rng.choice("aeiouy" if form[position] in "aeiouy" else "rstlnmdc")
                + form[position + 1 :]
            )
        case _:
            return form[:position] + form[position + 1] + form[position] + form[position + 2 :]
