"""Copies of sentences with errors of the kind that learners make, tags and labels kept, so that the tagger has seen some."""

from __future__ import annotations

import random

Row = tuple[str, str, str]
ARTICLES = ("a", "an", "the")


def noised(sentence: list[Row], rng: random.Random, forms: dict[str, list[str]]) -> list[Row]:
    """One noisy copy: articles dropped, letters swapped, lost or doubled, capitals lost, number of verbs and nouns mixed up.

    ``forms`` lists for each form its other forms with the same lemma and kind, of which one may take its place
    with the tag that form has most often.
    """
    out: list[Row] = []
    for form, tag, label in sentence:
        draw = rng.random()
        if form.lower() in ARTICLES:
            if draw < 0.10:
                continue
            if draw < 0.13:
                form = rng.choice(ARTICLES)
        elif draw < 0.02 and len(form) > 4 and form.isalpha():
            form = _misspelt(form, rng)
        elif draw < 0.03 and form[:1].isupper() and not tag.startswith("NNP"):
            form = form.lower()
        out.append((form, tag, label))
    return out or sentence


def _misspelt(form: str, rng: random.Random) -> str:
    place = rng.randrange(1, len(form) - 1)
    match rng.randrange(3):
        case 0:
            return form[:place] + form[place + 1 :]
        case 1:
            return form[:place] + form[place] + form[place:]
        case _:
            return form[:place] + form[place + 1] + form[place] + form[place + 2 :]
