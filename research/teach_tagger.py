"""Annotate texts and noisy copies of them with a spaCy pipeline: training data of the builtin annotator.

    python research/teach_tagger.py TEXTS... --out teacher.tsv --pipeline en_core_web_sm --copies 1

TEXTS have one tokenised sentence per line, as research/tagger_texts.py writes them. The output has one token per line
(form, Penn tag, dependency label), with a blank line after each sentence. It depends only on the texts, the pipeline
and the seed. Requires spaCy and the pipeline.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import noise
import spacy
from spacy.tokens import Doc

CHUNK = 2000
"""Sentences annotated at a time."""
_pipeline: Any = None
"""The pipeline of a process."""


def main() -> None:
    options = arguments()
    lines = [line for path in sorted(options.texts) for line in path.read_text(encoding="utf-8").splitlines()]
    sentences: list[list[noise.Word]] = []
    workers = ProcessPoolExecutor(options.processes, initializer=load, initargs=(options.pipeline,))
    with options.out.open("w", encoding="utf-8") as out, workers as pool:
        for rows_of_chunk in pool.map(annotate_chunk, chunks([line.split() for line in lines])):
            out.write(rows_of_chunk)
            rows = (
                [row.split("\t")[:2] for row in block.split("\n")] for block in rows_of_chunk.rstrip("\n").split("\n\n")
            )
            sentences += ([(form, tag) for form, tag in words] for words in rows)
        load(options.pipeline)
        forms, rng = noise.Forms(lemmas(sentences)), random.Random(options.seed)
        copies = [noise.noisy_copy(words, rng, forms) for _ in range(options.copies) for words in sentences]
        out.writelines(pool.map(annotate_chunk, chunks(copies)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="+", help="texts with a tokenised sentence a line")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pipeline", default="en_core_web_sm", help="installed pipeline, or the path of one")
    parser.add_argument("--copies", type=int, default=1, help="noisy copies of every sentence")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def chunks(sentences: list[list[str]]) -> Iterator[list[list[str]]]:
    remaining = iter(sentences)
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk


def load(name: str) -> None:
    global _pipeline
    _pipeline = spacy.load(name, disable=["ner"])


def annotate_chunk(sentences: list[list[str]]) -> str:
    """Return the rows of sentences, which are not tokenised again, as ERRANT does."""
    docs = (Doc(_pipeline.vocab, words=words) for words in sentences)
    with _pipeline.select_pipes(disable=["attribute_ruler", "lemmatizer"]):
        rows = ["".join(f"{t.text}\t{t.tag_}\t{t.dep_}\n" for t in doc) for doc in _pipeline.pipe(docs, batch_size=256)]
    return "".join(f"{row}\n" for row in rows)


def lemmas(sentences: list[list[noise.Word]]) -> Iterator[tuple[str, str, str]]:
    """Yield form, lemma and tag of every verb and noun; a word has one lemma as each."""
    inflected = [word for words in sentences for word in words if word[1] in noise.VERBS + noise.NOUNS]
    distinct = sorted({(form.lower(), tag) for form, tag in inflected})
    parts_of_speech = ["NOUN" if tag in noise.NOUNS else "VERB" for _, tag in distinct]
    doc = Doc(
        _pipeline.vocab, words=[form for form, _ in distinct], tags=[tag for _, tag in distinct], pos=parts_of_speech
    )
    lemma_by_word = {
        word: token.lemma_ for word, token in zip(distinct, _pipeline.get_pipe("lemmatizer")(doc), strict=True)
    }
    return ((form, lemma_by_word[form.lower(), tag], tag) for form, tag in inflected)


if __name__ == "__main__":
    main()
