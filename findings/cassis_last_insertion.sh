#!/usr/bin/env bash
# select_covered() of cassis, the reader of INCEpTION's files, leaves out a missing full stop, an annotation without
# text at the end of its sentence, although select_covering() finds the sentence: where no blank follows, the full stop
# belongs to the next sentence; words missing elsewhere are found.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check dkpro-cassis==0.12.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from cassis import Cas, TypeSystem

print("dkpro-cassis", version("dkpro-cassis"))
types = TypeSystem()
sentence_type = types.create_type("Sentence", "uima.tcas.Annotation")
edit_type = types.create_type("Edit", "uima.tcas.Annotation")
types.create_feature(edit_type, "replacement", "uima.cas.String")


def edits_by_sentence(text, spans, edits):
    cas = Cas(types)
    cas.sofa_string = text
    sentences = [sentence_type(begin=begin, end=end) for begin, end in spans]
    cas.add_all(sentences)
    cas.add_all(edit_type(begin=begin, end=end, replacement=word) for begin, end, word in edits)
    covering = {edit.replacement: [part.get_covered_text() for part in cas.select_covering("Sentence", edit)]
                for edit in cas.select("Edit")}
    print("sentences of each edit:", covering)
    covered = [[edit.replacement for edit in cas.select_covered("Edit", sentence)] for sentence in sentences]
    for sentence, replacements in zip(sentences, covered):
        print(f"edits of {sentence.get_covered_text()!r}: {replacements}")
    return covered


edits = [(4, 6, "goes"), (11, 11, "."), (19, 19, "the ")]
covered = edits_by_sentence("She go home I like cat.", [(0, 11), (12, 23)], edits)
assert covered == [["goes"], ["the "]], "the behaviour changed"
covered = edits_by_sentence("She goes homeI like it.", [(0, 13), (13, 23)], [(13, 13, ". ")])
assert covered == [[], [". "]], "the behaviour changed"
PYTHON
