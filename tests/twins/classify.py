"""Slow and obvious Python of the kernel's classify.rs, replacement.rs and stemmer.rs: ERRANT's types, rule by rule."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from geceval.edits.annotation import Token
from twins.alignment import indel, similarity

CATEGORIES = {
    "ADJ": "JJ JJR JJS AFX",
    "ADV": "RB RBR RBS WRB",
    "CONJ": "CC",
    "DET": "DT PDT PRP$ WDT WP$",
    "INTJ": "UH",
    "NOUN": "NN NNS NNP NNPS",
    "NUM": "CD",
    "PART": "POS RP TO",
    "PREP": "IN",
    "PRON": "PRP EX WP",
    "PUNCT": "'' `` \"\" , . : -LRB- -RRB- HYPH",
    "SPACE": "SP _SP",
    "SYM": "# $ SYM",
    "VERB": "MD VB VBD VBG VBN VBP VBZ BES HVS",
    "X": "ADD FW GW LS NFP NIL XX",
}
CATEGORY = {tag: category for category, tags in CATEGORIES.items() for tag in tags.split()}
LABELS = {
    "acomp": "ADJ",
    "amod": "ADJ",
    "advmod": "ADV",
    "det": "DET",
    "prep": "PREP",
    "prt": "PART",
    "punct": "PUNCT",
}
RARE = {"INTJ", "NUM", "SYM", "X"}
OPEN = {"ADJ", "ADV", "NOUN", "VERB"}
CONTRACTIONS = {"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"}
FULL = {"ca": "can", "sha": "shall", "wo": "will"}
AUXILIARY = {"aux", "auxpass"}
Words = Collection[str]
Sentence = Sequence[Token]


#: Lower-cased words to what they are forms of; given, the rules are those of ERRANT 2.0.
Bases = Mapping[str, Collection[str]] | None


def classify(
    source: Sentence, target: Sentence, span: tuple[int, int, int, int], words: Words, bases: Bases = None
) -> str:
    a, b, c, d = span
    if [t.form for t in source[a:b]] == [t.form for t in target[c:d]]:
        return "UNK"
    while b > a and d > c and (b - a > 1 or d - c > 1) and low(source[b - 1]) == low(target[d - 1]):
        b, d = b - 1, d - 1
    if a == b:
        return "M:" + one_sided(target[c:d])
    if c == d:
        return "U:" + one_sided(source[a:b])
    old, new = source[a:b], target[c:d]
    if "".join(map(low, old)) == "".join(map(low, new)):
        return "R:ORTH"
    if sorted(map(low, old)) == sorted(map(low, new)):
        return "R:WO"
    if len(old) == len(new) == 1:
        decided = one_by_one(source, a, target, c, words, bases)
        if decided:
            return "R:" + decided
    return "R:" + several(old, new, bases)


def same_lemma(o: Token, c: Token, bases: Bases) -> bool:
    if bases is None:
        return o.lemma == c.lemma
    return o.lemma == c.lemma or bool({low(o), *bases[low(o)]} & {low(c), *bases[low(c)]})


def low(token: Token) -> str:
    return token.form.lower()


def one_sided(tokens: Sentence) -> str:
    categories, labels = {CATEGORY[t.tag] for t in tokens}, {t.dep for t in tokens}
    if len(tokens) == 1:
        [token] = tokens
        if token.tag == "POS":
            return "NOUN:POSS"
        if low(token) in CONTRACTIONS:
            return "CONTR"
        if low(token) == "to" and token.pos == "PART" and token.dep != "prep":
            return "VERB:FORM"
    if labels <= AUXILIARY:
        return "VERB:TENSE"
    if len(categories) == 1 and not categories <= RARE:
        return min(categories)
    if len(labels) == 1 and labels <= set(LABELS):
        return LABELS[min(labels)]
    return "VERB" if categories == {"PART", "VERB"} else "OTHER"


def several(old: Sentence, new: Sentence, bases: Bases) -> str:
    categories, labels = {CATEGORY[t.tag] for t in (*old, *new)}, {t.dep for t in (*old, *new)}
    same_end = same_lemma(old[-1], new[-1], bases)
    if labels <= AUXILIARY:
        return "VERB:TENSE"
    if categories == {"VERB"} and same_end:
        return "VERB:TENSE"
    if len(categories) == 1 and not categories <= RARE:
        return min(categories)
    if len(labels) == 1 and labels <= set(LABELS):
        return LABELS[min(labels)]
    if categories == {"PART", "VERB"}:
        return "VERB:FORM" if same_end else "VERB"
    possessive = ["NOUN", "PART"] in ([CATEGORY[t.tag] for t in side] for side in (old, new))
    if possessive and same_lemma(old[0], new[0], bases):
        return "NOUN:POSS"
    if {low(old[0]), low(new[0])} & {"most", "more"} and same_end and max(len(old), len(new)) <= 2:
        return "ADJ:FORM"
    return "OTHER"


def one_by_one(source: Sentence, s: int, target: Sentence, t: int, words: Words, bases: Bases) -> str | None:
    """The category, if a rule for one word replaced by one word decides it."""
    o, c = source[s], target[t]
    a, b = low(o), low(c)
    category_o, category_c = CATEGORY[o.tag], CATEGORY[c.tag]
    both, tags, labels = {category_o, category_c}, {o.tag, c.tag}, {o.dep, c.dep}
    telling = None if category_c in RARE else category_c
    auxiliaries = o.dep.startswith("aux") and c.dep.startswith("aux")
    if "POS" in tags:
        return "NOUN:POSS"
    if {a, b} & CONTRACTIONS and category_o == category_c:
        return "CONTR"
    if bases is None and (FULL.get(a) == b or FULL.get(b) == a):
        return "CONTR"
    if a in FULL or b in FULL:
        return "VERB:TENSE"
    if {a, b} == {"was", "were"}:
        return "VERB:SVA"
    if o.form.isalpha() and o.form not in words and a not in words:
        if same_lemma(o, c, bases):
            return f"{category_o}:INFL" if category_o == category_c and category_o in ("NOUN", "VERB") else "MORPH"
        if bases is not None:
            category = telling if category_o == category_c else None
            return "SPELL" if 1.0 - indel(o.form, c.form) > 0.5 else category or "OTHER"
        alike = similarity(a, b)
        short = len(o.form) <= 4 and len(c.form) <= 4
        if alike > 0.55 or (short and (alike == 0.5 or round(alike, 3) == 0.333)):
            return "SPELL"
        return telling or "OTHER"
    if both <= OPEN:
        if same_lemma(o, c, bases):
            return inflection(source, s, target, t)
        if stem(a) == stem(b):
            return "MORPH"
    if auxiliaries:
        return "VERB:TENSE"
    if category_o == category_c and category_o not in RARE:
        return category_o
    if o.dep == c.dep and o.dep in LABELS:
        return LABELS[o.dep]
    if both == {"PART", "PREP"} or labels == {"prt", "prep"}:
        return "PART"
    if both == {"DET", "PRON"} and c.dep in {"nsubj", "nsubjpass", "dobj", "pobj"}:
        return "PRON"
    if both == {"DET", "PRON"} and c.dep == "poss":
        return "DET"
    if bases is not None:
        return None if both == {"DET", "PRON"} else "OTHER"
    if both == {"NUM", "DET"} or {a, b} == {"other", "another"}:
        return "DET"
    if (a, b) == ("your", "yours"):
        return "PRON"
    if {a, b} == {"no", "not"}:
        return "OTHER"
    if not (o.form.isalpha() and c.form.isalpha()):
        return "OTHER"
    return by_length(o.form, c.form, telling)


def by_length(o: str, c: str, telling: str | None) -> str | None:
    a, b = o.lower(), c.lower()
    n, m, alike = len(o), len(c), similarity(a, b)
    rules = [
        (n == 1 and m == 2 and alike == 0.5, "SPELL"),
        (n == 2 and m in (2, 3) and alike >= 0.5, "SPELL"),
        (n == 3 and (a, b) in {("the", "that"), ("all", "everything")}, "PRON"),
        (n == 3 and m in (2, 3, 4) and alike >= 0.5, "SPELL"),
        (n == 4 and {a, b} == {"that", "what"}, "PRON"),
        (n == 4 and {a, b} == {"good", "well"}, telling),
        (n == 4 and m == 3 and alike > 0.5, "SPELL"),
        (n == 4 and m == 4 and alike >= 0.5, "SPELL"),
        (n == 4 and m == 5 and alike == 0.8, "SPELL"),
        (n == 4 and m > 5 and alike > 0.5, telling),
        (n == 5 and {a, b} == {"after", "later"}, telling),
        (n == 5 and m == 4 and alike == 0.8, "SPELL"),
        (n == 5 and m == 5 and alike >= 0.6, "SPELL"),
        (n == 5 and m > 5, telling),
        (n > 5 and m > 5 and ((a, b) == ("therefor", "therefore") or {a, b} == {"though", "thought"}), "SPELL"),
        (n > 5 and m > 5 and (o.startswith(c) or c.startswith(o)) and alike >= 0.66, "MORPH"),
        (n > 5 and m > 5 and alike > 0.8, "SPELL"),
        (n > 5 and m > 5 and alike < 0.55, telling),
    ]
    return next((category for holds, category in rules if holds and category), None)


def inflection(source: Sentence, s: int, target: Sentence, t: int) -> str:
    """Two forms of one lemma, both of an open class."""
    o, c = source[s], target[t]
    category_o, category_c = CATEGORY[o.tag], CATEGORY[c.tag]
    if category_o == category_c:
        if category_o in ("ADJ", "NOUN"):
            return {"ADJ": "ADJ:FORM", "NOUN": "NOUN:NUM"}[category_o]
        if category_o == "VERB":
            if preceded_by_auxiliary(source, s, target, t) or {o.tag, c.tag} & {"VBG", "VBN"}:
                return "VERB:FORM"
            if "VBD" in (o.tag, c.tag):
                return "VERB:TENSE"
            if "VBZ" in (o.tag, c.tag):
                return "VERB:SVA"
            if o.dep.startswith("aux") and c.dep.startswith("aux"):
                return "VERB:TENSE"
    if {o.dep, c.dep} <= {"acomp", "amod"}:
        return "ADJ:FORM"
    if category_o == "ADJ" and c.tag == "NNS":
        return "NOUN:NUM"
    return {"VBG": "VERB:FORM", "VBN": "VERB:FORM", "VBD": "VERB:TENSE", "VBZ": "VERB:SVA"}.get(c.tag, "MORPH")


def preceded_by_auxiliary(source: Sentence, s: int, target: Sentence, t: int) -> bool:
    """Neither auxiliary is the first of its verb; or both verbs have one."""

    def children(sentence: Sentence, head: int) -> list[Token]:
        return [token for at, token in enumerate(sentence) if token.head == head and at != head]

    answers = []
    both = source[s].dep.startswith("aux") and target[t].dep.startswith("aux")
    for sentence, at in ((source, s), (target, t)):
        if both:
            siblings = [token for token in children(sentence, sentence[at].head) if token.dep.startswith("aux")]
            answers.append(bool(siblings) and siblings[0].form != sentence[at].form)
        else:
            answers.append(bool({token.dep for token in children(sentence, at)} & AUXILIARY))
    return all(answers)


#: The rules of Paice (1990), in his notation: the ending reversed, * for intact words only, the number of letters to
#: remove, letters to append, > to go on and . to stop.
PAICE = """
ai*2. a*1. bb1. city3s. ci2> cn1t> dd1. dei3y> deec2ss. dee1. de2> dooh4> e1> feil1v. fi2> gni3> gai3y. ga2> gg1. ht*2.
hsiug5ct. hsi3> i*1. i1y> ji1d. juf1s. ju1d. jo1d. jeh1r. jrev1t. jsim2t. jn1d. j1s. lbaifi6. lbai4y. lba3> lbi3. lib2l>
lc1. lufi4y. luf3> lu2. lai3> lau3> la2> ll1. mui3. mu*2. msi3> mm1. nois4j> noix4ct. noi3> nai3> na2> nee0. ne2> nn1.
pihs4> pp1. re2> rae0. ra2. ro2> ru2> rr1. rt1> rei3y> sei3y> sis2. si2> ssen4> ss0. suo3> su*2. s*1> s0. tacilp4y. ta2>
tnem4> tne3> tna3> tpir2b. tpro2b. tcud1. tpmus2. tpec2iv. tulo2v. tsis0. tsi3> tt1. uqi3. ugo1. vis3j> vie0. vi2> ylb1>
yli3y> ylp0. yl2> ygo1. yhp1. ymo1. ypo1. yti3> yte3> ytl2. yrtsi5. yra3> yro3> yfi3. ycn2t> yca3> zi2> zy1s.
""".split()


def stem(word: str) -> str:
    original = word
    while word and word[len(word) - 1] == last_letter(word):
        for rule in PAICE:
            ending = rule[: next(i for i, c in enumerate(rule) if not c.isalpha())]
            digit = next(i for i, c in enumerate(rule) if c.isdigit())
            left = len(word) - int(rule[digit])
            acceptable = left >= 2 if word[0] in "aeiouy" else left >= 3 and bool(set(word[1:3]) & set("aeiouy"))
            intact = "*" not in rule or word == original
            if word.endswith(ending[::-1]) and acceptable and intact:
                word = word[:left] + rule[digit + 1 : -1]
                break
        else:
            return word
        if rule[-1] == ".":
            return word
    return word


def last_letter(word: str) -> str:
    """The last letter of the run of letters that the word begins with."""
    length = next((at for at, character in enumerate(word) if not character.isalpha()), len(word))
    return word[length - 1] if length else ""
