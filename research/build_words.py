"""Build the English word list of the spelling rules from Debian's SCOWL lists.

    apt-get download wbritish-large wamerican-large      # version 2020.12.07
    for deb in *.deb; do dpkg -x $deb words; done
    python research/build_words.py words/usr/share/dict kernel/core/src/edits/english/words-en.txt

British English with both -ise and -ize: the British list, every American word with -iz- whose counterpart with -is- is
British, and words with accents also without them. Other American spellings stay out, as in the list errant uses, so
that color -> colour is a spelling error. The licence is that of SCOWL (words-en.LICENSE, the packages' own).
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from pathlib import Path


def without_accents(word: str) -> str:
    """The word with its combining marks removed."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def oxford(american: set[str], british: set[str]) -> set[str]:
    """American words with -iz- that British spells with -is-."""
    return {
        word
        for word in american - british
        if any(f"{word[: m.start()]}is{word[m.end() :]}" in british for m in re.finditer("iz", word))
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", type=Path, help="folder with british-english-large and american-english-large")
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    british, american = (
        set((args.lists / f"{name}-english-large").read_text(encoding="utf-8").split())
        for name in ("british", "american")
    )
    words = british | oxford(american, british)
    words |= {without_accents(word) for word in words if not word.isascii()}
    text = "".join(f"{word}\n" for word in sorted(words))
    args.out.write_text(text, encoding="utf-8", newline="\n")  # in the order of its bytes: it is searched as it lies
    print(f"{len(words)} words")


if __name__ == "__main__":
    main()
