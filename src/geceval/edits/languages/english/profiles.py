"""Universal parts of speech and lemmas by Penn tag, form and dependency label.

They are the output of three generations of spaCy. ERRANT 3 reads tags through spaCy 3 (``LATEST``), ERRANT 2.2 and
2.3 through spaCy 2.2 or 2.3 (``MODERN``), ERRANT 2.0, the release of the BEA-2019 shared task, through spaCy 1.9
(``CLASSIC``). Edit spans depend on these tables more than on the tagger.
"""

from __future__ import annotations

Rule = tuple[str, str, str, str, str]
"""Penn tags, lower-case forms and labels, separated by blanks ("" for all); universal POS and lemma ("" for no change).

A later rule overrules earlier ones.
"""

_SHARED: tuple[Rule, ...] = (
    ("AFX JJ JJR JJS", "", "", "ADJ", ""),
    ("IN", "", "", "ADP", ""),
    ("RB RBR RBS WRB", "", "", "ADV", ""),
    ("DT", "", "", "DET", ""),
    ("UH", "", "", "INTJ", ""),
    ("NN NNS", "", "", "NOUN", ""),
    ("CD", "", "", "NUM", ""),
    ("POS TO", "", "", "PART", ""),
    ("PRP", "", "", "PRON", ""),
    ("NNP NNPS", "", "", "PROPN", ""),
    (". , -LRB- -RRB- `` '' : HYPH", "", "", "PUNCT", ""),
    ("$ # SYM", "", "", "SYM", ""),
    ("MD VB VBD VBG VBN VBP VBZ", "", "", "VERB", ""),
    ("ADD FW GW LS XX", "", "", "X", ""),
)
_RECENT: tuple[Rule, ...] = (
    ("RP", "", "", "ADP", ""),
    ("CC", "", "", "CCONJ", ""),
    ("PDT PRP$ WDT WP$", "", "", "DET", ""),
    ("EX WP", "", "", "PRON", ""),
    ("NFP", "", "", "PUNCT", ""),
    ("RB", "not n't nt n’t", "", "PART", ""),
    (
        "NN",
        "something anyone anything nothing someone everything everyone everybody nobody somebody anybody",
        "",
        "PRON",
        "",
    ),
)
_BE = "be am is are was were been being 'm 're"
_VERBS = "VB VBD VBG VBN VBP VBZ"
_PERSONAL = (
    "i me you he him she her it we us they them mine his hers its ours yours theirs myself yourself himself herself "
    "itself ourselves themselves"
)
#: Pronouns had one lemma before spaCy 3.
_PRONOUNS: tuple[Rule, ...] = (
    ("PRP", _PERSONAL, "", "", "-PRON-"),
    ("PRP$", "my your his her its our their", "", "", "-PRON-"),
)

MODERN: tuple[Rule, ...] = (
    *_SHARED,
    *_RECENT,
    ("VB VBD VBP VBZ", "have has had 've", "", "AUX", "have"),
    ("VB VBD VBP VBZ", "do does did", "", "AUX", "do"),
    (_VERBS, _BE, "", "AUX", "be"),
    ("VBZ", "'s", "", "AUX", "be"),
    ("VBD VBP", "'d", "", "AUX", ""),
    ("VB", "get", "", "AUX", ""),
    (
        "IN",
        "that if as because although though while whilst whether since unless once than despite whereas so like",
        "",
        "SCONJ",
        "",
    ),
    *_PRONOUNS,
)

CLASSIC: tuple[Rule, ...] = (
    *_SHARED,
    ("PDT PRP$ WDT WP$", "", "", "ADJ", ""),
    ("EX", "", "", "ADV", ""),
    ("CC", "", "", "CONJ", ""),
    ("WP", "", "", "NOUN", ""),
    ("RP", "", "", "PART", ""),
    ("NFP", "", "", "X", ""),
    (_VERBS, _BE, "", "", "be"),
    *_PRONOUNS,
)

LATEST: tuple[Rule, ...] = (
    *_SHARED,
    *_RECENT,
    ("MD", "", "", "AUX", ""),
    ("PRP$", "", "", "PRON", ""),
    ("WRB", "", "", "SCONJ", ""),
    ("CC", "but", "advmod", "ADV", ""),
    ("WDT", "that", "", "PRON", ""),
    (
        "IN",
        "that if because while since so whether although though unless once cause upon till whereas whilst except "
        "despite but albeit save besides til tho",
        "",
        "SCONJ",
        "",
    ),
    ("PRP", "i me", "", "", "I"),
    ("PRP", "him", "", "", "he"),
    ("PRP", "her", "", "", "she"),
    ("PRP", "us", "", "", "we"),
    ("PRP", "them", "", "", "they"),
    ("RB", "not n't nt n’t", "", "", "not"),
    ("MD", "'ll wo", "", "", "will"),
    ("MD", "'d", "", "", "would"),
    ("MD", "ca", "", "", "can"),
    ("MD", "sha", "", "", "shall"),
    ("VB", "be do have of 've", "", "AUX", ""),
    ("VBG VBN", "been being", "", "AUX", "be"),
    ("VBZ", "is 's", "", "AUX", "be"),
    ("VBP", "are 're am 'm", "", "AUX", "be"),
    ("VBP", "'s", "", "AUX", ""),
    ("VBD", "was were", "", "AUX", "be"),
    ("VBP VBZ", "has have 've", "", "AUX", "have"),
    ("VBD VBN", "had", "", "AUX", "have"),
    ("VBD", "'d", "", "AUX", "have"),
    ("VBP", "do", "", "AUX", ""),
    ("VBD VBZ", "did does", "", "AUX", "do"),
    ("VBD VBZ", "got gets", "", "", "get"),
    (_VERBS, "", "aux auxpass", "AUX", ""),
    ("", "do does did 'd have has had", "ROOT", "VERB", ""),
    ("IN", "", "mark", "SCONJ", ""),
    (
        "DT WDT",
        "",
        "dep acomp advmod amod aux auxpass dobj expl mark nsubj nsubjpass pobj poss prep prt punct ROOT",
        "PRON",
        "",
    ),
    # After "there", the training labels it so.
    ("", "is are was were 's 're", "expl", "VERB", ""),
)
"""A form of "be" after an expletive has the label ``expl`` here, and spaCy's own label else."""
