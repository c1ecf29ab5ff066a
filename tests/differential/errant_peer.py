"""Runs errant on annotated sentence pairs. Started by the differential test with the peer environment's Python.

Reads from standard input a JSON object {words: path of a word list, sentences: [[token row]], jobs: [{lev, merging,
pairs: [[source, target]]}]}, a row being form, lemma, pos, tag, dep, head; writes for every job and pair the list of
[start, end, target start, target end, type]. With --time the seconds that takes go to standard error. Nothing of
geceval is imported here.
"""

import json
import sys
import time
from pathlib import Path

import errant
import spacy
from errant.en import classifier
from spacy.tokens import Doc


def docs(nlp, sentences):
    for rows in sentences:
        forms, lemmas, pos, tags, deps, heads = zip(*rows, strict=True) if rows else ([],) * 6
        yield Doc(
            nlp.vocab,
            words=list(forms),
            lemmas=list(lemmas),
            pos=list(pos),
            tags=list(tags),
            deps=list(deps),
            heads=list(heads),
        )


def main():
    request = json.load(sys.stdin)
    nlp = spacy.blank("en")
    annotator = errant.load("en", nlp)
    classifier.spell = set(Path(request["words"]).read_text(encoding="utf-8").split())
    parsed = list(docs(nlp, request["sentences"]))
    answers = []
    start = time.perf_counter()
    for job in request["jobs"]:
        answer = []
        for source, target in job["pairs"]:
            edits = annotator.annotate(parsed[source], parsed[target], job["lev"], job["merging"])
            answer.append([[e.o_start, e.o_end, e.c_start, e.c_end, e.type] for e in edits])
        answers.append(answer)
    if "--time" in sys.argv:
        sys.stderr.write(f"{time.perf_counter() - start}\n")
    json.dump(answers, sys.stdout)


main()
