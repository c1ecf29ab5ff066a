"""Read UD English EWT and map its relations to the ClearNLP labels of ERRANT's rules."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Relations whose label does not depend on the context.
PLAIN = {
    "aux": "aux",
    "aux:pass": "auxpass",
    "nsubj": "nsubj",
    "nsubj:outer": "nsubj",
    "nsubj:pass": "nsubjpass",
    "obj": "dobj",
    "det": "det",
    "amod": "amod",
    "compound:prt": "prt",
    "punct": "punct",
}
NEGATIONS = {"not", "n't", "nt", "n’t", "never"}
# Conjunctions that open a participle clause; other words before a gerund are prepositions.
CONJUNCTIONS = {"while", "whilst", "if", "though", "although", "unless", "once", "whether", "because", "that"}
# Plural in the Penn treebank, often singular here.
PLURALS = {"media", "data"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a tree; ``head`` is the 0-based index of its head, -1 for the root."""

    form: str
    lemma: str
    tag: str
    head: int
    relation: str


def read(path: Path) -> Iterator[list[Word]]:
    """Yield the trees of a CoNLL-U file (gzip) without multiword ranges and empty nodes."""
    tree: list[Word] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if fields == [""]:
                yield tree
                tree = []
            elif len(fields) == 10 and fields[0].isdigit():
                _, form, lemma, _, tag, _, head, relation, _, _ = fields
                tag = "NNS" if tag == "NN" and form.lower() in PLURALS else tag
                tree.append(Word(form, lemma, tag, int(head) - 1, relation))


def labels(tree: list[Word]) -> list[str]:
    """Return the ClearNLP label of each word of a tree."""
    children: list[list[Word]] = [[] for _ in tree]
    for word in tree:
        if word.head >= 0:
            children[word.head].append(word)
    return [_label(word, tree, children[i]) for i, word in enumerate(tree)]


def _label(word: Word, tree: list[Word], children: list[Word]) -> str:
    head = tree[word.head] if word.head >= 0 else None
    relation, child_relations = word.relation, {child.relation for child in children}
    base = relation.split(":")[0]
    if base == "case":
        return _case(word, head, tree)
    if base == "mark":
        return _mark(word, head)
    if relation == "fixed":
        return "prep" if word.form.lower() == "as" and head and head.form.lower() == "such" else "dep"
    if base == "advmod":
        return "dep" if word.form.lower() in NEGATIONS - {"never"} else "advmod"
    if relation == "nmod:poss":
        return "poss"
    if relation == "expl" and word.tag == "PRP":
        return "nsubj"
    if relation == "det:predet":
        return "dep"
    if _is_prepositional(children):
        return "pobj"
    if "cop" in child_relations and base not in {"conj", "amod"}:
        return "acomp" if word.tag.startswith(("JJ", "VBN", "VBG")) else "dep"
    if relation == "xcomp" and word.tag.startswith("JJ") and head and not _has_object(head, tree):
        return "acomp"
    return PLAIN.get(relation, "dep")


def _is_prepositional(children: list[Word]) -> bool:
    return any(c.relation == "case" and c.tag in {"IN", "TO", "RP", "VBG", "JJ"} for c in children)


def _has_object(verb: Word, tree: list[Word]) -> bool:
    return any(w.relation == "obj" and w.head >= 0 and tree[w.head] is verb for w in tree)


def _case(word: Word, head: Word | None, tree: list[Word]) -> str:
    if word.tag == "POS":
        return "dep"
    if head is not None and head.relation == "obl:agent":
        return "dep"
    if word.form.lower() == "such":
        return "amod"
    if head is not None and head.relation == "conj":
        governor = tree[head.head]
        has_shared_case = any(w.relation == "case" and w.head == head.head for w in tree)
        return "dep" if has_shared_case and governor.head >= 0 else "prep"
    return "prep"


def _mark(word: Word, head: Word | None) -> str:
    if word.tag == "TO":
        return "aux"
    marks_gerund = head is not None and head.tag == "VBG"
    return "prep" if marks_gerund and word.tag == "IN" and word.form.lower() not in CONJUNCTIONS else "dep"
