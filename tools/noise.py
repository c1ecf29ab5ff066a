"""Copies of sentences with errors of the kind that learners make, so that the tagger has seen some.

A changed form brings its own tag along ("can used" stays a past form); labels are kept.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable

Row = tuple[str, str, str]
"""Form, Penn tag, label."""

ARTICLES = ("a", "an", "the")
VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
FINITE = ("VBD", "VBP", "VBZ")
NOUNS = {"NN": "NNS", "NNS": "NN"}


class Forms:
    """The forms of a lemma by tag, the most frequent of each, in lower case."""

    def __init__(self, words: Iterable[tuple[str, str, str]]) -> None:
        """``words``: form, lemma and tag of every word of a treebank."""
        counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        lemmas: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for form, lemma, tag in words:
            if tag in VERBS or tag in NOUNS:
                counts[lemma, tag][form.lower()] += 1
                lemmas[form.lower(), tag][lemma] += 1
        self._forms = {key: count.most_common(1)[0][0] for key, count in counts.items()}
        self._lemmas = {key: count.most_common(1)[0][0] for key, count in lemmas.items()}

    def other(self, form: str, tag: str, wanted: str) -> str | None:
        """The form with another tag of the same lemma, if the treebank has it."""
        lemma = self._lemmas.get((form.lower(), tag))
        return None if lemma is None else self._forms.get((lemma, wanted))


def noised(sentence: list[Row], rng: random.Random, forms: Forms) -> list[Row]:
    """One noisy copy: articles lost or mixed up, verbs and nouns in another form, letters lost, doubled or swapped."""
    out: list[Row] = []
    for form, tag, label in sentence:
        draw = rng.random()
        if form.lower() in ARTICLES and draw < 0.10:
            continue
        if form.lower() in ARTICLES and draw < 0.13:
            form = rng.choice(ARTICLES)
        elif tag in FINITE and 0.02 < draw < 0.10:
            form, tag = _inflected(form, tag, rng.choice(FINITE), forms, out)
        elif tag in VERBS and draw < 0.02:
            form, tag = _inflected(form, tag, rng.choice(VERBS), forms, out)
        elif tag in NOUNS and draw < 0.05:
            other = forms.other(form, tag, NOUNS[tag])
            form, tag = (form, tag) if other is None else (other, NOUNS[tag])
        elif draw > 0.985 and len(form) > 4 and form.isalpha():
            form = _misspelt(form, rng)
        out.append((form, tag, label))
    return out or sentence


def plural_possessives(sentence: list[Row], forms: Forms) -> list[Row]:
    """The sentence with its possessors in the plural: "the girl 's" becomes "the girls '"."""
    out: list[Row] = []
    for form, tag, label in sentence:
        before = out[-1] if out else ("", "", "")
        plural = forms.other(before[0], "NN", "NNS") if tag == "POS" and before[1] == "NN" else None
        if plural is not None and plural.endswith("s"):
            out[-1] = (plural, "NNS", before[2])
            form = "'"
        out.append((form, tag, label))
    return out


def _inflected(form: str, tag: str, wanted: str, forms: Forms, before: list[Row]) -> tuple[str, str]:
    other = forms.other(form, tag, wanted)
    governed = bool(before) and before[-1][1] in {"TO", "MD"}
    # "to" before a gerund is a preposition, so its tag would be wrong.
    if other is None or other == form.lower() or (governed and wanted == "VBG"):
        return form, tag
    perfect = bool(before) and before[-1][0].lower() in {"have", "has", "had", "be", "is", "are", "was", "were", "been"}
    match wanted:
        case "VB" | "VBP":
            return other, "VB" if governed else "VBP"
        case "VBD" | "VBN" if forms.other(form, tag, "VBD") == forms.other(form, tag, "VBN"):
            return other, "VBN" if governed or perfect else "VBD"
        case _:
            return other, wanted


def _misspelt(form: str, rng: random.Random) -> str:
    place = rng.randrange(1, len(form) - 1)
    match rng.randrange(3):
        case 0:
            return form[:place] + form[place + 1 :]
        case 1:
            return form[:place] + form[place] + form[place:]
        case _:
            return form[:place] + form[place + 1] + form[place] + form[place + 2 :]
