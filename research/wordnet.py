"""Read base forms, irregular forms and usual parts of speech from WordNet 3.0."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

KINDS = {"noun": 1, "verb": 2, "adj": 4, "adv": 8}
# Verbs whose past tense or participle is the base form; WordNet's lists leave them out.
INVARIANT = (
    "beat become bet bid broadcast burst bust cast come cost cut fit forecast hit hurt knit let outbid overcome "
    "overrun put quit read reread rerun reset rid run set shed shut slit spit split spread sweat thrust upset wed wet"
)


def bases(directory: Path) -> dict[str, int]:
    """Return the single words of the indexes with the bits of their parts of speech."""
    kinds_by_word: Counter[str] = Counter()
    for name, kind in KINDS.items():
        for line in _lines(directory / f"index.{name}"):
            word = line.split(" ", 1)[0]
            if word and "_" not in word:
                kinds_by_word[word] |= kind
    return kinds_by_word


def irregular(directory: Path) -> dict[str, dict[int, str]]:
    """Return the lemma by part of speech of each irregular form."""
    lemmas_by_form: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for name, kind in KINDS.items():
        for line in _lines(directory / f"{name}.exc"):
            # The last of several lemmas, as spaCy's lemmatiser does.
            form, *_, lemma = line.split()
            if "_" not in form + lemma:
                lemmas_by_form[form].setdefault(kind, lemma)
    for form in INVARIANT.split():
        lemmas_by_form[form].setdefault(KINDS["verb"], form)
    return lemmas_by_form


def usages(directory: Path) -> dict[str, int]:
    """Return the most frequent part of speech in SemCor (bits 0-1: noun verb adj adv) and its share (bits 2-3: 1-3)."""
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for line in _lines(directory / "cntlist.rev"):
        key, _, count = line.split()
        word, sense = key.split("%")
        counts[word][int(sense[0])] += int(count)
    usage_by_word = {}
    for word, by_kind in counts.items():
        # Sense keys number satellite adjectives 5.
        kinds = Counter({0: by_kind[1], 1: by_kind[2], 2: by_kind[3] + by_kind[5], 3: by_kind[4]})
        kind, largest = kinds.most_common(1)[0]
        share = largest / by_kind.total()
        usage_by_word[word] = kind + 4 * (1 + (share >= 0.7) + (share >= 0.95))
    return usage_by_word


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("  ")]
