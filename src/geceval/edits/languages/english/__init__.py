"""English: its word list, and the builtin annotator with what it is made of.

The word list behind the spelling rule has 172,529 words, British with -ise and -ize. It is from SCOWL 2020.12.07 as
packaged by Debian; the licence stands in words-en.LICENSE, the recipe in tools/build_words.py. It is searched as it
lies in the file, so that nothing has to be built first.
"""

from __future__ import annotations

import functools
from pathlib import Path

from geceval._kernel import WordList
from geceval.edits.annotation import Language


@functools.cache
def word_list() -> WordList:
    """The word list: proper names have a capital, all else is lower case. Read once, about a millisecond."""
    return WordList.sorted(Path(__file__).with_name("words-en.txt").read_bytes())


#: What is known of English; the tag set is ERRANT's, by the annotator's rules.
LANGUAGE = Language("en", tokeniser="english", words=word_list)
