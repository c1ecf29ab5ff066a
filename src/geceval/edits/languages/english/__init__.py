"""English: the builtin annotator and what it is made of."""

from geceval.edits.annotation import Language
from geceval.edits.languages.english.words import word_list

#: What is known of English; the tag set is ERRANT's, by the annotator's rules.
LANGUAGE = Language("en", tokeniser="english", words=word_list)
