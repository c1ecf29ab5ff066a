"""Compare the types ``russian`` and ``korean`` with the public tools that define them: figures of docs/languages.md.

    tools/in_environment.sh russian '. ru_errant==2.3.0 spacy python-Levenshtein nltk' \\
        research/feature_types.py russian ru_gsd-ud-dev.conllu ru_gsd-ud-test.conllu
    python research/feature_types.py korean ko_gsd-ud-dev.conllu ko_gsd-ud-test.conllu --recorded output.m2

Russian: each word of the treebank is replaced by another form of its lemma, or by another word of its part of speech.
ru-errant's classifier and geceval type the replacement by the treebank's own annotation. The package of ru-errant lacks
its word lists: here all words of the treebank are spelt correctly.

Korean: the recorded output of KAGAS (``KAGAS/sample_test_data/output.m2`` of soyoung97/Standard_Korean_GEC) is compared
with geceval's edits, annotated by a table of the treebanks.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from geceval.edits.annotation import Annotated, Language, Token
from geceval.edits.extraction import Extractor
from geceval.edits.languages.features import features_of
from geceval.edits.languages.lexicon import Lexicon
from geceval.edits.languages.treebanks import Word, make_table, read_words
from geceval.m2 import Blocks, read

#: Replacements that are drawn of each kind.
DRAWN = 5000


@dataclass(frozen=True)
class Known:
    """An annotator of forms that are words of a treebank: ``word|number``."""

    words: Sequence[Word]
    name: str = "treebank"
    rules: str = "generic"
    language: ClassVar[Language] = Language("ru", types="russian")

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        return Annotated.from_rows([self.token(token) for token in sentence] for sentence in sentences)

    def token(self, text: str) -> Token:
        word = self.words[int(text.rpartition("|")[2])]
        features = features_of("russian", word.features, word.lemma, word.tag)
        return Token(word.form, word.lemma, word.pos, features, "", 0)


def replacements(words: Sequence[Word]) -> Iterator[tuple[str, int, int]]:
    """Yield kind and positions of words: other forms of a lemma, and other words of a part of speech."""
    rng = random.Random(1)
    of_lemma: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    of_pos: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        if word.form.isalpha():
            of_lemma[word.lemma.casefold(), word.pos].append(place)
            of_pos[word.pos].append(place)
    for kind, groups in (("form", of_lemma), ("word", of_pos)):
        usable = [places for places in groups.values() if len({words[place].form.lower() for place in places}) > 1]
        weights = [len(places) for places in usable]
        drawn = 0
        while drawn < DRAWN:
            [places] = rng.choices(usable, weights)
            o, c = rng.sample(places, 2)
            if words[o].form.lower() != words[c].form.lower() and (kind == "form" or words[o].lemma != words[c].lemma):
                drawn += 1
                yield kind, o, c


def ru_errant(words: Sequence[Word]) -> Any:
    """Return the classifier of ru-errant, with the words of the treebank as its word lists."""
    spec = importlib.util.find_spec("errant")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("ru_errant is not installed: see the head of this file")
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(spec.submodule_search_locations[0], folder / "errant")
    (folder / "errant" / "ru" / "resources").mkdir()
    forms = sorted({word.form for word in words})
    (folder / "errant" / "ru" / "resources" / "Russian.dic").write_text("\n".join(forms), "utf-8")
    frequent = json.dumps(dict.fromkeys(form.lower() for form in forms))
    (folder / "errant" / "ru" / "resources" / "freq_dict.json").write_text(frequent, "utf-8")
    sys.path.insert(0, str(folder))
    return importlib.import_module("errant.ru.classifier")


def of_ru_errant(classifier: Any, vocab: Any, words: Sequence[Word], o: int, c: int) -> str:
    """Return the type that ru-errant gives to a replacement."""
    from errant.edit import Edit
    from spacy.tokens import Doc

    docs = [
        Doc(
            vocab,
            words=[word.form],
            lemmas=[word.lemma],
            pos=[word.pos],
            tags=[word.pos],  # spaCy's Russian models
            morphs=["" if word.features == "_" else word.features.replace("Variant=", "StyleVariant=")],
            deps=["dep"],
            heads=[0],
        )
        for word in (words[o], words[c])
    ]
    edit = Edit(docs[0], docs[1], [0, 1, 0, 1])
    return str(classifier.classify(edit).type)


def russian(paths: Sequence[str]) -> None:
    import spacy

    words = list(chain.from_iterable(map(read_words, paths)))
    classifier, vocab = ru_errant(words), spacy.blank("ru").vocab
    extractor = Extractor(Known(words))  # type: ignore[arg-type]
    kinds: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    differences: Counter[tuple[str, str]] = Counter()
    rows = list(replacements(words))
    ours = extractor.classify([([f"{o}|{o}"], [f"{c}|{c}"], (0, 1, 0, 1)) for _, o, c in rows])
    for (kind, o, c), own_type in zip(rows, ours, strict=True):
        theirs = of_ru_errant(classifier, vocab, words, o, c)
        kinds[kind][theirs == own_type] += 1
        if theirs != own_type:
            differences[theirs, own_type] += 1
    for kind, counts in kinds.items():
        print(f"{kind}: {counts[True]} of {counts.total()} types are equal")
    for (theirs, own_type), number in differences.most_common(12):
        print(f"  {number:5} ru-errant {theirs}, geceval {own_type}")


#: KAGAS's names for geceval's.
KAGAS = {"ORTH:WSPACE": "WS"}


def korean(paths: Sequence[str], recorded: str) -> None:
    table = make_table(chain.from_iterable(map(read_words, paths)), "ko", "gsd", types="korean")
    blocks = list(read(recorded))
    targets = Blocks.of(blocks).corrected(0, "plain")
    pairs = [(block.source, str(target)) for block, target in zip(blocks, targets, strict=True)]
    edits = Extractor(Lexicon(table)).extract(pairs)
    spans = shared = equal = 0
    differences: Counter[tuple[str, str]] = Counter()
    for block, found in zip(blocks, edits, strict=True):
        types = {(edit.start, edit.end, edit.correction): edit.type for edit in found}
        for edit in block.edits_of(0):
            spans += 1
            own_type = types.get((edit.start, edit.end, edit.correction))
            if own_type is None:
                continue
            shared += 1
            operation, _, category = own_type.partition(":")
            name = {"M": "INSERTION", "U": "DELETION"}.get(operation, KAGAS.get(category, category))
            equal += name == edit.type
            differences[edit.type, name] += name != edit.type
    print(f"{shared} of {spans} edits of KAGAS are found, {equal} of them with its type")
    for (theirs, name), number in differences.most_common():
        if number:
            print(f"  {number:3} KAGAS {theirs}, geceval {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["russian", "korean"])
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--recorded", help="output of KAGAS")
    arguments = parser.parse_args()
    if arguments.language == "russian":
        russian(arguments.treebanks)
    else:
        korean(arguments.treebanks, arguments.recorded)


if __name__ == "__main__":
    main()
