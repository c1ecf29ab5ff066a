"""The slow and obvious form of kernel/core/src/tagger/: the model as dicts, features as lists, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Profile = tuple[Sequence[Sequence[str]], int]
"""Rules and the release of spaCy, as the kernel's tagger takes them."""
Row = tuple[str, str, str, str, str, int]
"""Form, lemma, universal part of speech, tag, label and head of a token."""

MASK = (1 << 64) - 1
OUTSIDE = 255
TAG_REACH, LABEL_REACH = 3, 4
BE = "be is are was were been being am 's 're 'm get gets got getting".split()

CLOSED = set("CC DT EX IN LS MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB".split())
MARKS = {"$", "''", ",", "-LRB-", "-RRB-", ".", ":", "HYPH", "``"}
KINDS = {
    "v": "VB VBD VBG VBN VBP VBZ",
    "m": "MD",
    "p": "IN",
    "t": "TO",
    "n": "NN NNS NNP NNPS CD GW ADD FW",
    "i": "PRP EX",
    "d": "DT PDT PRP$",
    "s": "POS",
    "j": "JJ JJR JJS AFX",
    "r": "RB RBR RBS",
    "q": "RP",
    "w": "WDT WP WP$ WRB",
    "c": "CC",
    ",": ",",
    ".": ". : -LRB- -RRB- `` '' NFP",
    "h": "HYPH",
}
KIND = {tag: kind for kind, tags in KINDS.items() for tag in tags.split()}

NOUN, VERB, ADJECTIVE, ADVERB = 1, 2, 4, 8
RULES = {
    NOUN: "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    VERB: "s: ies:y es:e es: ed:e ed: ing:e ing:",
    ADJECTIVE: "er: est: er:e est:e",
    ADVERB: "",
}
OPEN = {"NOUN": NOUN, "VERB": VERB, "ADJ": ADJECTIVE, "ADV": ADVERB}
INFLECTED = {NOUN: "NNS", VERB: "VBD VBG VBN VBZ", ADJECTIVE: "JJR JJS", ADVERB: "RB RBR RBS"}


@dataclass
class Model:
    tags: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    class_tags: list[int] = field(default_factory=list)
    words: dict[str, tuple[int, int]] = field(default_factory=dict)
    bases: dict[str, int] = field(default_factory=dict)
    irregular: dict[str, dict[int, str]] = field(default_factory=dict)
    tagging: Weights = field(default_factory=lambda: Weights(0, {}))
    labelling: Weights = field(default_factory=lambda: Weights(0, {}))


@dataclass
class Weights:
    """Weights by class of every bucket that has any, and log2 of the number of buckets."""

    bits: int
    rows: dict[int, dict[int, int]]


class Bytes:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, n: int) -> bytes:
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, n: int) -> int:
        return int.from_bytes(self.take(n), "little")

    def string(self) -> str:
        return self.take(self.number(1)).decode()

    def words(self) -> list[str]:
        out, before = [], b""
        for _ in range(self.number(4)):
            shared = self.number(1)
            before = before[:shared] + self.take(self.number(1))
            out.append(before.decode())
        return out

    def weights(self, classes: int) -> Weights:
        number_of_classes, bits = self.number(1), self.number(1)
        present = self.number(1 << bits - 3)
        total = self.number(4)
        packed = self.take((total + 1) // 2 * 3)
        pairs = (int.from_bytes(packed[i : i + 3], "little") for i in range(0, len(packed), 3))
        entries = [entry for pair in pairs for entry in (pair & 0xFFF, pair >> 12)][:total]
        buckets = iter(place for place, bit in enumerate(reversed(f"{present:b}")) if bit == "1")
        rows: dict[int, dict[int, int]] = {}
        row: dict[int, int] = {}
        for entry in entries:
            row[entry & 63] = (entry >> 6 & 31) - 16
            if entry >> 11:
                rows[next(buckets)], row = row, {}
        assert (number_of_classes, row, next(buckets, None)) == (classes, {}, None)
        return Weights(bits, rows)


def read(vocabulary: bytes, weights: bytes) -> Model:
    b, model = Bytes(vocabulary), Model()
    model.tags = [b.string() for _ in range(b.number(1))]
    model.labels = [b.string() for _ in range(b.number(1))]
    model.class_tags = [b.number(8) for _ in range(b.number(2))]
    words = b.words()
    model.words = {word: (b.number(2), b.number(1)) for word in words}
    bases = b.words()
    model.bases = dict(zip(bases, b.take(len(bases)), strict=True))
    forms = b.words()
    model.irregular = {form: {b.number(1): b.string() for _ in range(b.number(1))} for form in forms}
    assert b.at == len(vocabulary)
    b = Bytes(weights)
    model.tagging, model.labelling = b.weights(len(model.tags)), b.weights(len(model.labels))
    assert b.at == len(weights)
    return model


def fnv(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def mix(value: int, word: int) -> int:
    product = (value ^ word) * 0x9E3779B97F4A7C15 & MASK
    return product ^ product >> 32


def feature(template: int, a: int = 0, b: int = 0, c: int = 0) -> int:
    return mix(mix(mix(template, a), b), c) * 0xD6E8FEB86659FD93 & MASK


def candidates(lower: str, kind: int) -> list[str]:
    out = []
    for rule in RULES[kind].split():
        old, new = rule.split(":")
        if lower.endswith(old) and lower[: len(lower) - len(old)] + new:
            out.append(lower[: len(lower) - len(old)] + new)
    return out


def lemma(model: Model, form: str, tag: str) -> str:
    """The lemma as spaCy 2 finds it: by the tag; of several results of rules the first base form."""
    lower = form.lower()
    if tag in {"NNP", "NNPS"}:
        return form
    kind = next((kind for kind, tags in INFLECTED.items() if tag in tags.split()), None)
    if kind is None:
        return lower
    if kind in model.irregular.get(lower, {}):
        return model.irregular[lower][kind]
    lemmas = candidates(lower, kind)
    listed = [c for c in lemmas if model.bases.get(c, 0) & kind or not alphabetic(c)]
    return [*listed, *lemmas, lower][0]


def lemma_by_pos(model: Model, form: str, tag: str, pos: str) -> str:
    """The lemma as spaCy 3 finds it: by the part of speech; the last base form that a rule gives, or an exception."""
    lower = form.lower()
    if pos == "PROPN":
        return form
    if pos not in OPEN or tag in {"NN", "VB", "VBP", "JJ"}:
        return lower
    kind = OPEN[pos]
    lemmas = candidates(lower, kind)
    listed = [c for c in lemmas if model.bases.get(c, 0) & kind]
    odd = [c for c in lemmas if not alphabetic(c)]
    exception = model.irregular.get(lower, {}).get(kind)
    if exception is not None and exception not in listed:
        return exception
    if kind == ADVERB:
        stems = [lower.removesuffix(end) for end in ("er", "est") if lower.endswith(end) and tag in {"RBR", "RBS"}]
        return [*(stem for stem in stems if model.bases.get(stem, 0) & ADVERB), lower][0]
    return [*reversed(listed), *odd, *lemmas, form][0]


def reading(model: Model, profile: Profile, form: str, tag: str, label: str) -> tuple[str, str]:
    """Lemma and universal part of speech."""
    rules, spacy = profile
    pos = prescribed = ""
    for tags, forms, labels, new_pos, new_lemma in rules:
        wanted = ((tags, tag), (forms, form.lower()), (labels, label))
        if all(not names or name in names.split(" ") for names, name in wanted):
            pos, prescribed = new_pos or pos, new_lemma or prescribed
    lemma_form = lemma_by_pos(model, form, tag, pos) if spacy >= 3 else lemma(model, form, tag)
    return prescribed or lemma_form, pos


def alphabetic(text: str) -> bool:
    """For the alphabets the tests draw from, in which Python and Unicode's Alphabetic agree."""
    return all(c.isalpha() for c in text)


def known(model: Model, lower: str) -> int:
    bases = model.bases.get(lower, 0)
    bits, usual = bases & 15, bases >> 4
    for place, kind in enumerate((NOUN, VERB, ADJECTIVE)):
        irregular = model.irregular.get(lower, {}).get(kind)
        if irregular is not None:
            base = model.bases.get(irregular, 0) | kind
        else:
            base = next((model.bases[c] for c in candidates(lower, kind) if model.bases.get(c, 0) & kind), 0)
        if base & kind:
            bits |= 16 << place
            usual = usual or base >> 4
    return bits | usual << 8


def possible(model: Model, lower: str, seen: set[str]) -> set[str]:
    everything = set(model.tags)
    if seen and seen <= CLOSED | MARKS:
        return seen
    if not any(c.isalnum() for c in lower):
        return (MARKS | {"NFP", "SYM"}) & everything | seen
    bits = known(model, lower) & 127
    base, inflected = bits & 15, bits >> 4
    noun, verb, adjective = (inflected & 1, inflected & 2, inflected & 4)
    rest = everything - MARKS - (CLOSED if bits or seen else set())
    ends = lower.endswith
    rules = {
        "NN": not bits or base & NOUN or ends("ing"),
        "NNS": noun or ((not bits or base & NOUN) and ends("s")),
        "NNPS": noun or ends("s"),
        "VB VBP": base & VERB or (not bits and not ends("ing")),
        "VBZ": ends("s") and (verb or not bits),
        "VBG": ends(("ing", "in")) and (verb or not bits),
        "VBD VBN": (verb and not ends(("ing", "s"))) or (not bits and ends(("d", "t", "n"))),
        "JJ": not bits or base & ADJECTIVE or (verb and not ends("s")),
        "JJR RBR": ends("r") and (adjective or not bits),
        "JJS RBS": ends("st") and (adjective or not bits),
        "RB": not bits or base & ADVERB or ends("ly"),
    }
    for tags, allowed in rules.items():
        if not allowed:
            rest -= set(tags.split())
    return rest | seen


@dataclass
class Word:
    hash: int = 1
    prefixes: list[int] = field(default_factory=lambda: [0] * 3)
    suffixes: list[int] = field(default_factory=lambda: [0] * 5)
    shape: int = 0
    cls: int = 0xFFFF
    lexicon: int = 0
    sure: int = OUTSIDE
    possible: set[str] = field(default_factory=set)
    be: bool = False


def shape(form: str) -> str:
    out = ""
    for c in form:
        if c in "0123456789":
            kind = "0"
        elif c.isupper():
            kind = "X"
        elif c.islower():
            kind = "x"
        else:
            kind = c if c.isascii() else "*"
        if not out.endswith(kind * 2):
            out += kind
    return out


def normal(form: str) -> str:
    return "".join("0" if c in "0123456789" else c for c in form.lower())


def word(model: Model, form: str) -> Word:
    parts = form.split("/")
    if normal(form) not in model.words and all(part.isalpha() for part in parts):
        form = parts[-1]
    lower, text = form.lower(), normal(form)
    cls, sure = model.words.get(text, (0, OUTSIDE))
    allowed = possible(model, lower, {tag for i, tag in enumerate(model.tags) if model.class_tags[cls] >> i & 1})
    bits = sum(1 << i for i, tag in enumerate(model.tags) if tag in allowed)
    return Word(
        fnv(text),
        [fnv(text[: n + 1]) for n in range(3)],
        [fnv(text[-n - 1 :]) for n in range(5)],
        fnv(shape(form)),
        cls or mix(bits, int(form[:1].isupper())),
        known(model, lower),
        sure,
        allowed,
        text in BE,
    )


def tag_features(window: list[Word]) -> list[int]:
    """The features for the tag of the middle one of seven words."""
    features = []
    for place, word in enumerate(window):
        values = [(1, word.hash)]
        if place == TAG_REACH:
            values += [(5, 0)]
            values += [(20 + n, suffix) for n, suffix in enumerate(word.suffixes)]
            values += [(30 + n, prefix) for n, prefix in enumerate(word.prefixes)]
            values += [
                (6, word.shape),
                (7, mix(word.hash, word.shape)),
                (8, mix(word.lexicon, word.suffixes[1])),
                (9, word.cls),
                (10, mix(word.cls, word.suffixes[2])),
            ]
        else:
            values += [(2, word.cls)]
        if abs(place - TAG_REACH) == 1:
            values += [(3, word.suffixes[2]), (4, word.shape)]
        features += [feature(template * 16 + place, value) for template, value in values]
    before, own, after = window[2:5]
    w1, w0, n1 = before.hash, own.hash, after.hash
    c2, c1, c0, d1, d2 = (word.cls for word in window[1:6])
    return [
        *features,
        feature(900, w1, w0),
        feature(901, w0, n1),
        feature(902, c1, w0),
        feature(903, w0, d1),
        feature(904, w1, c0),
        feature(905, c0, n1),
        feature(906, c1, c0),
        feature(907, c0, d1),
        feature(908, c1, c0, d1),
        feature(909, c2, c1, c0),
        feature(910, c0, d1, d2),
        feature(911, own.shape, int(not before.possible)),
        feature(912, own.shape, before.shape, after.shape),
    ]


@dataclass
class Context:
    verb_tag: int = 0
    verb_word: int = 0
    preposition: int = 0
    path: int = 7
    next_verb_tag: int = 0
    next_verb_word: int = 0
    passive: int = 0
    ahead: int = 9


def context(words: list[Word], tags: list[int], kinds: str) -> Context:
    """Of the middle token of a window; ``kinds`` has a letter a tag, "$" outside the sentence."""
    out, i = Context(), LABEL_REACH
    left, right = range(i - 1, -1, -1), range(i + 1, len(tags))
    before = ""
    for j in left:
        if kinds[j] != before:
            out.path = mix(out.path, ord(kinds[j]))
        before = kinds[j]
        if kinds[j] in "pt":
            out.preposition = i - j
        if kinds[j] in "vmptw.c":
            break
    verb = next((j for j in left if kinds[j] in "v.w"), i)
    if kinds[verb] == "v" and verb < i:
        out.verb_tag, out.verb_word = tags[verb] + 1, words[verb].hash
    verb = next((j for j in right if kinds[j] in "vm."), i)
    if kinds[verb] in "vm" and verb > i:
        out.next_verb_tag, out.next_verb_word = tags[verb] + 1, words[verb].hash
        out.passive = int(words[verb].be)
        for j in [j for j in right if verb < j < verb + 4]:
            if kinds[j] not in "rv":
                break
            if kinds[j] == "v":
                out.passive = out.passive * 256 + tags[j] + 2
    for kind in kinds[i + 1 :] + "$":
        if kind not in "njdh":
            out.ahead = mix(out.ahead, ord(kind))
            break
        out.ahead = mix(out.ahead, int(kind == "n"))
    return out


def label_features(words: list[Word], tags: list[int], c: Context) -> list[int]:
    """The features for the label of the middle one of nine words."""
    w1, w0, n1 = (word.hash for word in words[3:6])
    t3, t2, t1, t0, u1, u2, u3 = tags[1:8]
    return [
        feature(1001, t0),
        feature(1002, w0, t0),
        feature(1003, t1, t0),
        feature(1004, t0, u1),
        feature(1005, t1, t0, u1),
        feature(1006, t2, t1, t0),
        feature(1007, t0, u1, u2),
        feature(1008, w1, t0),
        feature(1009, t0, n1),
        feature(1010, w1, w0),
        feature(1011, w0, n1),
        feature(1012, w0, t1, u1),
        feature(1013, w0, u1, u2),
        feature(1014, w0, t1, t2),
        feature(1015, t3, t2 << 8 | t1, t0),
        feature(1016, t0, u1 << 8 | u2, u3),
        feature(1017, t2 << 8 | t1, t0, u1),
        feature(1018, t1, t0, u1 << 8 | u2),
        feature(1019, w1, t0, u1),
        feature(1020, words[LABEL_REACH].suffixes[2], t0, t1),
        feature(1030, c.verb_tag, c.verb_word, t0),
        feature(1031, c.verb_tag, t0, u1),
        feature(1032, c.preposition, t0, u1),
        feature(1033, c.next_verb_tag, c.next_verb_word, w0),
        feature(1034, c.next_verb_tag, t0, u1),
        feature(1035, c.path, t0, u1),
        feature(1036, c.path, t0, w0),
        feature(1037, c.verb_word, w0, t0),
        feature(1038, c.passive, c.next_verb_tag, t0),
        feature(1039, c.ahead, t0),
        feature(1040, c.ahead, w0),
        feature(1041, c.path, c.ahead, t0),
        feature(1042, c.path, c.next_verb_tag, t0),
    ]


def best(weights: Weights, features: list[int], classes: list[int]) -> int:
    """The class with the largest sum of weights, the first of equals."""
    rows = [weights.rows.get(feature >> 64 - weights.bits, {}) for feature in features]
    return max(classes, key=lambda class_: (sum(row.get(class_, 0) for row in rows), -class_))


def tag_of(model: Model, window: list[Word]) -> int:
    token = window[TAG_REACH]
    allowed = [i for i, tag in enumerate(model.tags) if tag in token.possible]
    return token.sure if token.sure != OUTSIDE else best(model.tagging, tag_features(window), allowed)


def label_of(model: Model, words: list[Word], tags: list[int]) -> int:
    kinds = "".join("$" if tag == OUTSIDE else KIND.get(model.tags[tag], "x") for tag in tags)
    features = label_features(words, tags, context(words, tags, kinds))
    tag = model.tags[tags[LABEL_REACH]]
    helps = tag.startswith("VB") or tag in {"MD", "TO"}
    allowed = [i for i, label in enumerate(model.labels) if helps or not label.startswith("aux")]
    return best(model.labelling, features, allowed)


def annotate(model: Model, profile: Profile, sentence: list[str]) -> list[Row]:
    outside, nothing = [Word()] * LABEL_REACH, [OUTSIDE] * LABEL_REACH
    words = [*outside, *(word(model, form) for form in sentence), *outside]
    middle = range(LABEL_REACH, LABEL_REACH + len(sentence))
    tags_of = [tag_of(model, words[t - TAG_REACH : t + TAG_REACH + 1]) for t in middle]
    tags = [*nothing, *tags_of, *nothing]
    around = [slice(t - LABEL_REACH, t + LABEL_REACH + 1) for t in middle]
    labels = [label_of(model, words[window], tags[window]) for window in around]
    names = [(model.tags[tag], model.labels[label]) for tag, label in zip(tags_of, labels, strict=True)]
    return [
        (form, *reading(model, profile, form, tag, label), tag, label, head(names, i))
        for i, (form, (tag, label)) in enumerate(zip(sentence, names, strict=True))
    ]


def head(names: list[tuple[str, str]], i: int) -> int:
    """The next verb that is no auxiliary for an auxiliary; itself for any other token."""
    if not names[i][1].startswith("aux"):
        return i
    verbs = (
        j for j, (tag, label) in enumerate(names) if j > i and tag.startswith("VB") and not label.startswith("aux")
    )
    return next(verbs, i)
