"""Normal forms and blanks in plain Python."""

from __future__ import annotations

import unicodedata

PLAIN = {
    "quotes": dict.fromkeys("“”„‟", '"') | dict.fromkeys("‘’‚‛", "'"),
    "dashes": dict.fromkeys("‐‑‒–−", "-") | dict.fromkeys("—―", "--"),
    "ellipses": {"…": "..."},
}
INVISIBLE = "\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"


def normalised(line: str, form: str) -> str:
    if form in PLAIN:
        return "".join(PLAIN[form].get(c, c) for c in line)
    if form == "blanks":
        return " ".join("".join(c for c in line if c not in INVISIBLE).split())
    return unicodedata.normalize(form.upper(), line)
