"""Runs a command of errant with a stand-in for its spaCy pipeline. Started with the peer environment's Python.

Reads a JSON object {command, arguments, words, sentences} from standard input; a sentence that is not among the
annotated ones (one that the command parses but does not look at) has tokens without annotation.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

import errant
import spacy
from errant.en import classifier
from spacy.tokens import Doc


class Pipeline:
    """Looks up what the other side's annotator said."""

    def __init__(self, sentences):
        self.vocab = spacy.blank("en").vocab
        self.sentences = {tuple(row[0] for row in rows): rows for rows in sentences}

    def __call__(self, doc):
        rows = self.sentences.get(tuple(token.text for token in doc))
        if not rows:
            return doc
        forms, lemmas, pos, tags, deps, heads = map(list, zip(*rows, strict=True))
        return Doc(self.vocab, words=forms, lemmas=lemmas, pos=pos, tags=tags, deps=deps, heads=heads)


def main():
    request = json.load(sys.stdin)
    annotator = errant.load("en", Pipeline(request["sentences"]))
    classifier.spell = set(Path(request["words"]).read_text(encoding="utf-8").split())
    errant.load = lambda language: annotator
    sys.argv = [request["command"], *request["arguments"]]
    import_module("errant.commands." + request["command"]).main()


main()
