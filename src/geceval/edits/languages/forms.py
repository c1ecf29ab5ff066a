"""Annotation of forms by themselves, without their context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from geceval.edits.annotation import Annotated


def by_form(sentences: Sequence[Sequence[str]], lemma_and_pos: Callable[[str], tuple[str, str]]) -> Annotated:
    """Each distinct form is asked about once. No tags and labels; every token is its own head.

    Cost: a look into a table for each token, and the function for each distinct form.
    """
    lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    ids: dict[str, int] = {"": 0}
    forms = dict.fromkeys(chain.from_iterable(sentences))
    rows = np.zeros((3, len(forms)), np.int32)
    for place, text in enumerate(forms):
        rows[:, place] = [ids.setdefault(said, len(ids)) for said in (text, *lemma_and_pos(text))]
    places = dict(zip(forms, range(len(forms)), strict=True))
    tokens = np.fromiter(map(places.__getitem__, chain.from_iterable(sentences)), np.int64, int(offsets[-1]))
    form, lemma, pos = (np.ascontiguousarray(row) for row in rows[:, tokens])
    nothing = np.zeros(len(tokens), np.int32)
    head = (np.arange(len(tokens)) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
    return Annotated(list(ids), offsets, form, lemma, pos, nothing, nothing, head)
