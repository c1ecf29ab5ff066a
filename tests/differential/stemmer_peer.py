"""Stems a JSON list of words with errant's copy of NLTK's Lancaster stemmer, in the peer's environment."""

import json
import sys

from errant.en.lancaster import LancasterStemmer

stemmer = LancasterStemmer()
json.dump([stemmer.stem(word) for word in json.load(sys.stdin)], sys.stdout)
