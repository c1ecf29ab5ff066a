"""``errant.en.lancaster``."""

from geceval._kernel import lancaster_stem

__all__ = ["LancasterStemmer"]


class LancasterStemmer:
    """The Lancaster stemmer."""

    def stem(self, word: str) -> str:
        """Return the stem of a word, which is lower-cased."""
        return lancaster_stem(word.lower())
