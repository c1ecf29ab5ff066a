"""Normal forms, blanks and truecasing in plain Python."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

PLAIN = {
    "quotes": dict.fromkeys("“”„‟", '"') | dict.fromkeys("‘’‚‛", "'"),
    "dashes": dict.fromkeys("‐‑‒–−", "-") | dict.fromkeys("—―", "--"),
    "ellipses": {"…": "..."},
}
INVISIBLE = "\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
ENDS = (".", "!", "?", "...", "…", "。", "！", "？")


def normalised(line: str, form: str) -> str:
    if form in PLAIN:
        return "".join(PLAIN[form].get(c, c) for c in line)
    if form == "blanks":
        return " ".join("".join(c for c in line if c not in INVISIBLE).split())
    return unicodedata.normalize(form.upper(), line)


def beginnings(tokens: Sequence[str]) -> Iterator[int]:
    """The places of the words that begin sentences."""
    awaited = True
    for at, token in enumerate(tokens):
        if token in ENDS:
            awaited = True
        elif awaited and any(map(str.isalpha, token)):
            yield at
            awaited = False


def truecased(learned: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Spellings are counted where no sentence begins; the most frequent counts, of these the first in order."""
    sentences = [line.split() for line in learned]
    counts: Counter[str] = Counter()
    for words in sentences:
        first = {*beginnings(words)}
        counts.update(word for at, word in enumerate(words) if at not in first)
    forms: dict[str, list[str]] = {}
    for word in counts:
        forms.setdefault(word.casefold(), []).append(word)
    found = []
    for line in lines:
        words = line.split(" ")
        for at in beginnings(words):
            known = forms.get(words[at].casefold(), [words[at]])
            words[at] = min(known, key=lambda word: (-counts[word], word))
        found.append(" ".join(words))
    return found
