"""Universal parts of speech and lemmas by Penn tag and form.

They are the output of two generations of spaCy.

ERRANT 2.2 and later read tags through spaCy 2.2 or later (``MODERN``); ERRANT 2.0, the release of the BEA-2019 shared
task, through spaCy 1.9 (``CLASSIC``). Edit spans depend on these tables more than on the tagger.
"""

from __future__ import annotations

Rule = tuple[str, str, str, str]
"""Penn tag, lower-case form ("" for all), universal POS, lemma ("" for the lexicon's)."""

_SHARED = {
    "ADJ": "AFX JJ JJR JJS",
    "ADP": "IN",
    "ADV": "RB RBR RBS WRB",
    "DET": "DT",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD",
    "PART": "POS TO",
    "PRON": "PRP",
    "PROPN": "NNP NNPS",
    "PUNCT": ". , -LRB- -RRB- `` '' : HYPH",
    "SYM": "$ # SYM",
    "VERB": "VB VBD VBG VBN VBP VBZ",
    "X": "ADD FW GW LS XX",
}
_MODERN = {
    "ADP": "RP",
    "CCONJ": "CC",
    "DET": "PDT PRP$ WDT WP$",
    "PRON": "EX WP",
    "PUNCT": "NFP",
    "VERB": "MD",
}
_CLASSIC = {
    "ADJ": "PDT PRP$ WDT WP$",
    "ADV": "EX",
    "CONJ": "CC",
    "NOUN": "WP",
    "PART": "RP",
    "VERB": "MD",
    "X": "NFP",
}
_PERSONAL = (
    "i me you he him she her it we us they them mine his hers its ours yours theirs myself yourself himself herself "
    "itself ourselves themselves"
)
_POSSESSIVE = "my your his her its our their"


def _by_tag(*tables: dict[str, str]) -> tuple[Rule, ...]:
    return tuple((tag, "", pos, "") for table in tables for pos, tags in table.items() for tag in tags.split())


def _by_form(tags: str, forms: str, pos: str, lemma: str = "") -> tuple[Rule, ...]:
    return tuple((tag, form, pos, lemma) for tag in tags.split() for form in forms.split())


_AUXILIARIES = (
    *_by_form("VB VBD VBP VBZ", "have has had 've", "AUX", "have"),
    *_by_form("VB VBD VBP VBZ", "do does did", "AUX", "do"),
    *_by_form("VB VBD VBG VBN VBP VBZ", "be am is are was were been being 'm 're", "AUX", "be"),
    *_by_form("VBZ", "'s", "AUX", "be"),
    *_by_form("VBD VBP", "'d", "AUX"),
    *_by_form("VB", "get", "AUX"),
)
_BE = _by_form("VB VBD VBG VBN VBP VBZ", "be am is are was were been being 'm 're", "VERB", "be")
_NEGATION = _by_form("RB", "not n't nt n’t", "PART")
_CONJUNCTIONS = _by_form(
    "IN",
    "that if as because although though while whilst whether since unless once than despite whereas so like",
    "SCONJ",
)
_INDEFINITE = _by_form(
    "NN",
    "something anyone anything nothing someone everything everyone everybody nobody somebody anybody",
    "PRON",
)


def _pronouns(possessive: str) -> tuple[Rule, ...]:
    """Return rules for pronouns, which had one lemma before spaCy 3."""
    return (*_by_form("PRP", _PERSONAL, "PRON", "-PRON-"), *_by_form("PRP$", _POSSESSIVE, possessive, "-PRON-"))


MODERN = (
    *_by_tag(_SHARED, _MODERN),
    *_AUXILIARIES,
    *_NEGATION,
    *_CONJUNCTIONS,
    *_INDEFINITE,
    *_pronouns("DET"),
)
CLASSIC = (*_by_tag(_SHARED, _CLASSIC), *_BE, *_pronouns("ADJ"))
