"""English: its word list and the builtin annotator.

The word list of the spelling rule has 172,529 words, British with -ise and -ize. It is from SCOWL 2020.12.07 as
packaged by Debian; words-en.LICENSE contains the licence and tools/build_words.py the recipe. The file is
searched without building an index first.
"""

from __future__ import annotations

import functools
from pathlib import Path

from geceval._kernel import WordList
from geceval.edits.annotation import Language


@functools.cache
def word_list() -> WordList:
    """Return the word list; only proper names have capitals.

    The first call takes about a millisecond.
    """
    return WordList.sorted(Path(__file__).with_name("words-en.txt").read_bytes())


#: Properties of English; the rules of the annotator determine the tag set.
LANGUAGE = Language("en", tokeniser="english", words=word_list)
