"""The slow and obvious form of kernel/src/tagger/: the model as dicts, features as lists, one token after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate

MASK = (1 << 64) - 1
OUTSIDE = 255
REACH = 8
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
KIND = {tag: ord(kind) for kind, tags in KINDS.items() for tag in tags.split()}

NOUN, VERB, ADJECTIVE, ADVERB = 1, 2, 4, 8
RULES = {
    NOUN: "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    VERB: "s: ies:y es:e es: ed:e ed: ing:e ing:",
    ADJECTIVE: "er: est: er:e est:e",
    ADVERB: "",
}
INFLECTED = {NOUN: "NNS", VERB: "VBD VBG VBN VBZ", ADJECTIVE: "JJR JJS", ADVERB: "RB RBR RBS"}


@dataclass
class Model:
    tags: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    class_tags: list[int] = field(default_factory=list)
    words: dict[str, tuple[int, int]] = field(default_factory=dict)
    bases: dict[str, int] = field(default_factory=dict)
    irregular: dict[str, dict[int, str]] = field(default_factory=dict)
    weights: list[tuple[int, list[int], bytes, bytes]] = field(default_factory=list)


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


def read(data: bytes) -> Model:
    b, model = Bytes(data), Model()
    model.tags = [b.string() for _ in range(b.number(1))]
    model.labels = [b.string() for _ in range(b.number(1))]
    model.class_tags = [b.number(8) for _ in range(b.number(2))]
    words = b.words()
    model.words = {word: (b.number(2), b.number(1)) for word in words}
    bases = b.words()
    model.bases = dict(zip(bases, b.take(len(bases)), strict=True))
    forms = b.words()
    model.irregular = {form: {b.number(1): b.string() for _ in range(b.number(1))} for form in forms}
    for _ in range(2):
        _, bits = b.number(1), b.number(1)
        ends = list(accumulate(b.take(1 << bits)))
        model.weights.append((bits, ends, b.take(ends[-1]), b.take(ends[-1])))
    assert b.at == len(data)
    return model


def fnv(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def mix(value: int, other: int) -> int:
    product = (value ^ other) * 0x9E3779B97F4A7C15 & MASK
    return product ^ product >> 32


def feature(template: int, a: int = 0, b: int = 0, c: int = 0) -> int:
    return mix(mix(mix(mix(template, 0), a), b), c) * 0xD6E8FEB86659FD93 & MASK


def candidates(lower: str, kind: int) -> list[str]:
    out = []
    for rule in RULES[kind].split():
        old, new = rule.split(":")
        if lower.endswith(old) and lower[: len(lower) - len(old)] + new:
            out.append(lower[: len(lower) - len(old)] + new)
    return out


def lemma(model: Model, form: str, tag: str) -> str:
    lower = form.lower()
    if tag in {"NNP", "NNPS"}:
        return form
    kind = next((kind for kind, tags in INFLECTED.items() if tag in tags.split()), None)
    if kind is None:
        return lower
    if kind in model.irregular.get(lower, {}):
        return model.irregular[lower][kind]
    found = candidates(lower, kind)
    listed = [c for c in found if model.bases.get(c, 0) & kind or not alphabetic(c)]
    return [*listed, *found, lower][0]


def alphabetic(text: str) -> bool:
    """For the alphabets the tests draw from, in which Python and Unicode's Alphabetic agree."""
    return all(c.isalpha() for c in text)


def known(model: Model, lower: str) -> int:
    own = model.bases.get(lower, 0)
    bits, usual = own & 15, own >> 4
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
    seen = {tag for i, tag in enumerate(model.tags) if model.class_tags[cls] >> i & 1}
    return Word(
        fnv(text),
        [fnv(text[: n + 1]) for n in range(3)],
        [fnv(text[-n - 1 :]) for n in range(5)],
        fnv(shape(form)),
        cls,
        known(model, lower),
        sure,
        possible(model, lower, seen),
    )


def tag_features(words: list[Word], tags: list[int], quote: bool) -> list[int]:
    i = len(tags) - 2
    w2, w1, w0, n1, n2 = words[i : i + 5]
    t1, t2 = tags[i + 1], tags[i]
    return [
        feature(1),
        feature(2, w0.hash),
        feature(3, w0.hash, t1),
        feature(4, w0.hash, t1, t2),
        feature(5, w1.hash),
        feature(6, n1.hash),
        feature(7, w2.hash),
        feature(8, n2.hash),
        feature(9, w1.hash, w0.hash),
        feature(10, w0.hash, n1.hash),
        feature(11, t1),
        feature(12, t2),
        feature(13, t1, t2),
        feature(14, t1, n1.hash),
        *(feature(20 + n, suffix) for n, suffix in enumerate(w0.suffixes)),
        *(feature(30 + n, prefix) for n, prefix in enumerate(w0.prefixes)),
        feature(35, w0.shape, int(i == 0)),
        feature(36, w0.shape, w1.shape),
        feature(37, w0.suffixes[2], t1),
        feature(38, w1.suffixes[2]),
        feature(39, n1.suffixes[2]),
        feature(40, n1.shape, w0.shape),
        feature(41, w0.cls, t1),
        feature(42, w0.cls, n1.cls),
        feature(43, w0.cls, t1, n1.cls),
        feature(44, n1.cls, t1),
        feature(45, n1.cls, n2.cls, w0.cls),
        feature(46, w0.cls, t1, t2),
        feature(47, w0.lexicon, w0.suffixes[1]),
        feature(48, w0.lexicon, t1),
        feature(49, w0.lexicon, n1.lexicon, t1),
        feature(50, n1.lexicon, n1.suffixes[1], w0.cls),
        feature(51, w0.shape, t1, int(quote)),
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


def context(words: list[Word], tags: list[int], kinds: list[int], i: int) -> Context:
    """``words``, ``tags`` and ``kinds`` of the sentence alone."""
    out = Context()
    left = range(i - 1, max(i - REACH, 0) - 1, -1)
    previous = 0
    for j in left:
        if kinds[j] != previous:
            out.path = mix(out.path, kinds[j])
        previous = kinds[j]
        if chr(kinds[j]) in "pt":
            out.preposition = i - j
        if chr(kinds[j]) in "vmptw.c":
            break
    verbs = [j for j in left if chr(kinds[j]) in "v.w"]
    if verbs and kinds[verbs[0]] == ord("v"):
        out.verb_tag, out.verb_word = tags[verbs[0]] + 1, words[verbs[0]].hash
    following = [j for j in range(i + 1, min(len(tags), i + 1 + REACH)) if chr(kinds[j]) in "vm."]
    if following and chr(kinds[following[0]]) in "vm":
        j = following[0]
        out.next_verb_tag, out.next_verb_word = tags[j] + 1, words[j].hash
        out.passive = int(words[j].hash in {fnv(form) for form in BE})
        for k in range(j + 1, min(len(tags), j + 4)):
            if chr(kinds[k]) not in "rv":
                break
            if chr(kinds[k]) == "v":
                out.passive = out.passive * 256 + tags[k] + 2
    for j in range(i + 1, min(len(tags), i + REACH) + 1):
        kind = kinds[j] if j < len(tags) else ord("$")
        if chr(kind) not in "njdh":
            out.ahead = mix(out.ahead, kind)
            break
        out.ahead = mix(out.ahead, int(kind == ord("n")))
    return out


def label_features(words: list[Word], tags: list[int], i: int, c: Context, l1: int, l2: int) -> list[int]:
    """``words`` and ``tags`` with two outside entries on both sides."""
    w1, w0, n1, n2 = (w.hash for w in words[i + 1 : i + 5])
    t2, t1, t0, u1, u2 = tags[i : i + 5]
    return [
        feature(101, t0),
        feature(102, w0, t0),
        feature(103, t1, t0),
        feature(104, t0, u1),
        feature(105, t1, t0, u1),
        feature(106, t2, t1, t0),
        feature(107, t0, u1, u2),
        feature(108, w1, t0),
        feature(109, t0, n1),
        feature(110, w1, w0),
        feature(111, w0, n1),
        feature(112, w0, t1, u1),
        feature(113, w0, u1, u2),
        feature(114, l1, t0),
        feature(115, l1, l2, t0),
        feature(116, l1, w0),
        feature(117, l1, t0, u1),
        feature(118, w0, n2),
        feature(120, c.verb_tag, c.verb_word, t0),
        feature(121, c.verb_tag, t0, u1),
        feature(122, c.preposition, t0, u1),
        feature(123, c.next_verb_tag, c.next_verb_word, w0),
        feature(124, c.next_verb_tag, t0, u1),
        feature(125, c.path, t0, u1),
        feature(126, c.path, t0, w0),
        feature(127, c.verb_word, w0, t0),
        feature(128, c.passive, c.next_verb_tag, t0),
        feature(129, c.ahead, t0),
        feature(130, c.ahead, w0),
        feature(131, c.path, c.ahead, t0),
        feature(132, words[i + 2].suffixes[2], t0, l1),
    ]


def scores(model: Model, which: int, features: list[int], classes: int) -> list[int]:
    bits, ends, names, values = model.weights[which]
    out = [0] * classes
    for one in features:
        bucket = one >> 64 - bits
        for entry in range(ends[bucket - 1] if bucket else 0, ends[bucket]):
            out[names[entry]] += values[entry] - 256 * (values[entry] > 127)
    return out


def in_quotation(model: Model, tags: list[int]) -> bool:
    marks = [model.tags[tag] for tag in tags if tag != OUTSIDE and model.tags[tag] in {"``", "''"}]
    return bool(marks) and marks[-1] == "``"


def annotate(model: Model, sentence: list[str]) -> list[tuple[str, str, str, str, int]]:
    """Form, lemma, tag, label, head of every token."""
    outside = [Word(), Word()]
    words = [word(model, form) for form in sentence]
    padded = [*outside, *words, *outside]
    tags = [OUTSIDE, OUTSIDE]
    for w in words:
        if w.sure != OUTSIDE:
            tags.append(w.sure)
            continue
        found = scores(model, 0, tag_features(padded, tags, in_quotation(model, tags)), len(model.tags))
        allowed = [i for i, tag in enumerate(model.tags) if tag in w.possible]
        tags.append(max(allowed, key=lambda i: (found[i], -i)))
    inner = tags[2:]
    kinds = [KIND.get(model.tags[tag], ord("x")) for tag in inner]
    tags += [OUTSIDE, OUTSIDE]
    labels = [OUTSIDE, OUTSIDE]
    for i in range(len(words)):
        around = context(words, inner, kinds, i)
        found = scores(model, 1, label_features(padded, tags, i, around, labels[-1], labels[-2]), len(model.labels))
        labels.append(max(range(len(found)), key=lambda i: (found[i], -i)))
    names = [(model.tags[tag], model.labels[label]) for tag, label in zip(inner, labels[2:], strict=True)]
    return [
        (form, lemma(model, form, tag), tag, label, head(names, i))
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
