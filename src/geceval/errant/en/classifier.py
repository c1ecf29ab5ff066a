"""``errant.en.classifier``."""

from geceval._kernel import WordList
from geceval.errant.pairs import classify

__all__ = ["aux_conts", "classify", "conts", "rare_pos", "spell"]

#: The word list of the spelling rule; ``load`` has the argument ``words`` for another one.
spell = WordList.english()
#: Contracted forms.
conts = {"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"}
#: Auxiliaries before n't, and their full forms.
aux_conts = {"ca": "can", "sha": "shall", "wo": "will"}
#: Parts of speech that are no types.
rare_pos = {"INTJ", "NUM", "SYM", "X"}
