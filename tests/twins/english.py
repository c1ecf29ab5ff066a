"""Slow and obvious: English cut as spaCy's rules do.

Punctuation, hyphens and clitics become tokens of their own; addresses, numbers, faces and abbreviations stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LETTER = r"[^\W\d_]"

#: Never cut: abbreviations, initials, faces, addresses, clitics by themselves.
ABBREVIATIONS = """
a.m. adm. apr. aug. ave. bros. co. corp. dec. dr. e.g. etc. feb. gen. gov. i.e. inc. jan. jr. jul. jun. ltd. mar.
messrs. mr. mrs. ms. mt. nov. oct. p.m. ph.d. prof. rep. rev. sen. sep. sept. sr. st. vs.
""".split()
_CLITICS = "n['’]t|['’](?:s|m|d|ll|re|ve)"
_WHOLE = re.compile(
    rf"""(?i:{"|".join(map(re.escape, ABBREVIATIONS))})
    | {_LETTER}\. | (?:{_LETTER}\.){{2,}}
    | [:;=8xX][-o*']?[()\[\]dDpPoO/\\|*] | <3 | \^_+\^ | -_+-
    | (?:https?|ftp)://\S+ | www\.\S+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | [\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|uk)(?:/\S*)? | (?i:{_CLITICS})""",
    re.VERBOSE,
)
_PREFIX = re.compile(r"""\.\.+|…|--+|[-–—](?=\D)|''|``|[,:;!?¿¡()\[\]{}<>_#*&"'“”„‘’‚«»`´$£€¥%=+~§|/]""")
_SUFFIX = re.compile(
    rf"""(?:\.\.+|…|--+|[–—]|''|``|[,:;!?()\[\]{{}}<>_#*&"'“”„‘’‚«»`´$£€¥%=~|/]|(?<=\d)\+|-
    |(?<=[\da-z%²\-+)\]"'”’])\.|(?<=[A-Z]{{2}})\.|(?<={_LETTER})\.)$""",
    re.VERBOSE,
)
_INFIX = re.compile(
    r"""\.\.+|…|(?<=\d)[+*^-](?=[\d-])|(?<=[a-z"'”’])\.(?=[A-Z"'“‘])|(?<=[^\W\d_]),(?=[^\W\d_])"""
    r"""|(?<=[^\W_])(?:--+|[-–—~])(?=[^\W\d_])|(?<=[^\W_])[:<>=/](?=[^\W\d_])|["“”]"""
)
#: Tokens of their own at the end of a word; and words fused in writing, with the place of the cut.
_CLITIC = re.compile(rf"(?i)(?<=\w)(?:{_CLITICS})$")
_FUSED = {"cannot": 3, "gonna": 3, "gotta": 3, **dict.fromkeys("dont doesnt didnt isnt arent wasnt werent".split(), -2)}
_FUSED |= dict.fromkeys("cant wont couldnt wouldnt shouldnt havent hasnt hadnt".split(), -2)


#: What is longer without a blank is no word, and the rules below would take its length squared.
_LONGEST = 500


def tokenise(text: str) -> list[str]:
    """The tokens of a line of English."""
    return [token for chunk in text.split() for token in _cut(chunk)]


def _cut(chunk: str) -> Iterator[str]:
    """Punctuation off both ends, then the rest at hyphens and clitics."""
    if len(chunk) > _LONGEST:
        yield from [chunk] if _WHOLE.fullmatch(chunk) else re.findall(r"[^\W_]+|[\W_]", chunk)
        return
    ends: list[str] = []
    while chunk and not _WHOLE.fullmatch(chunk):
        if prefix := _PREFIX.match(chunk):
            yield chunk[: prefix.end()]
            chunk = chunk[prefix.end() :]
        elif (suffix := _SUFFIX.search(chunk)) and suffix.start() > 0:
            ends.append(chunk[suffix.start() :])
            chunk = chunk[: suffix.start()]
        elif clitic := _CLITIC.search(chunk):
            ends.append(clitic[0])
            chunk = chunk[: clitic.start()]
        else:
            break
    if chunk:
        yield from [chunk] if _WHOLE.fullmatch(chunk) else _inside(chunk)
    yield from reversed(ends)


def _inside(word: str) -> Iterator[str]:
    end = 0
    for infix in _INFIX.finditer(word):
        yield from _fused(word[end : infix.start()])
        yield infix[0]
        end = infix.end()
    yield from _fused(word[end:])


def _fused(word: str) -> Iterator[str]:
    at = _FUSED.get(word.lower())
    yield from filter(None, [word] if at is None else [word[:at], word[at:]])
