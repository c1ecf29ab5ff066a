"""English: its word list and the builtin annotator.

The word list of the spelling rule has 172,529 words, British with -ise and -ize. It is from SCOWL 2020.12.07 as
packaged by Debian; words-en.LICENSE contains the licence and research/build_words.py the recipe. It is part of the
kernel, which searches it in place: only its pages that are searched are read from the disk.
"""

from __future__ import annotations

from geceval._kernel import WordList
from geceval.edits.annotation import Language

#: Properties of English; the rules of the annotator determine the tag set.
LANGUAGE = Language("en", tokeniser="english", words=WordList.english)
