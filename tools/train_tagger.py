"""Train the model of the builtin annotator.

    python tools/train_tagger.py --treebank EWT --wordnet /usr/share/wordnet

EWT: directory with train, dev and test.conllu.gz of UD English EWT. WordNet 3.0: Debian's package wordnet-base.
Prints accuracies on the development part; the result depends on the data and the seed only.
"""

from __future__ import annotations

import argparse
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import noise
import treebank
import wordnet

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "src/geceval/edits/languages/english/english.model"
HEADER = b"geceval-tagger 1\n"
NO_TAG = 255
MOST_COPIES = 5
CLOSED = set("CC DT EX IN LS MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB".split())


def main() -> None:
    options = arguments()
    trees = list(treebank.read(options.treebank / "train.conllu.gz"))
    dev = [to_rows(tree) for tree in treebank.read(options.treebank / "dev.conllu.gz")]
    rows = [to_rows(tree) for tree in trees]
    tags = sorted({tag for sentence in rows for _, tag, _ in sentence})
    head = b"".join([names(tags), names(treebank.LABELS), dictionary(rows, tags, options), lexicon(options.wordnet)])
    body = head + perceptrons(head, training(trees, rows, options), dev, options)
    packed = HEADER + zlib.compress(body, 9)
    options.out.write_bytes(packed)
    print(f"{options.out}: {len(packed) / 1e6:.2f} MB, {len(body) / 1e6:.2f} MB unpacked", file=sys.stderr)


def training(
    trees: list[list[treebank.Word]], rows: list[list[noise.Row]], options: argparse.Namespace
) -> list[list[noise.Row]]:
    """The treebank as it is, with compounds in one word, with plural possessives, and with errors."""
    rng = random.Random(options.seed)
    forms = noise.Forms((w.form, w.lemma, w.tag) for tree in trees for w in tree)
    joined = (treebank.joined(tree, treebank.labels(tree)) for tree in trees)
    compounds = [new for new, row in zip(joined, rows, strict=True) if len(new) < len(row)]
    plurals = [new for row in rows if (new := noise.plural_possessives(row, forms)) != row]
    copies = [row for _ in range(MOST_COPIES) for row in rows if rng.random() < options.noise / MOST_COPIES]
    return rows + compounds + plurals + [noise.noised(row, rng, forms) for row in copies]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebank", type=Path, required=True, help="directory of UD English EWT")
    parser.add_argument("--wordnet", type=Path, required=True, help="directory of WordNet 3.0's index and .exc files")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--bits", type=int, default=20, help="log2 of the number of feature buckets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=4.0, help=f"noisy copies a sentence, up to {MOST_COPIES}")
    parser.add_argument("--no-examples", dest="examples", action="store_false", help="do without WordNet's sentences")
    parser.add_argument("--margin", type=float, default=5.0, help="by how much the right class has to win")
    parser.add_argument("--drop", type=float, default=0.3, help="share of features lost in training")
    parser.add_argument("--floor", type=float, default=0.6, help="smallest weight that is kept")
    parser.add_argument("--sure", type=int, default=30, help="occurrences from which one tag counts as certain")
    return parser.parse_args()


def to_rows(tree: list[treebank.Word]) -> list[noise.Row]:
    return [(w.form, w.tag, label) for w, label in zip(tree, treebank.labels(tree), strict=True)]


def names(values: Sequence[str]) -> bytes:
    return bytes([len(values)]) + b"".join(string(value) for value in values)


def string(value: str) -> bytes:
    encoded = value.encode()
    return bytes([len(encoded)]) + encoded


def words(sorted_words: Iterable[str]) -> bytes:
    """A front-coded table; the words must be sorted by their UTF-8 bytes."""
    out, before = [], b""
    for word in sorted_words:
        encoded = word.encode()
        shared = 0
        while shared < min(len(before), len(encoded), 255) and before[shared] == encoded[shared]:
            shared += 1
        out.append(bytes([shared, len(encoded) - shared]) + encoded[shared:])
        before = encoded
    return struct.pack("<I", len(out)) + b"".join(out)


def normal(form: str) -> str:
    return "".join("0" if c in "0123456789" else c for c in form.lower())


def dictionary(rows: list[list[noise.Row]], tags: list[str], options: argparse.Namespace) -> bytes:
    """Frequent words with their ambiguity class and, if there is only one, their certain tag."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in rows:
        for form, tag, _ in sentence:
            counts[normal(form)][tag] += 1
    classes: dict[tuple[str, ...], int] = {}
    entries = []
    kept = sorted((w for w, c in counts.items() if c.total() >= 3 and len(w.encode()) < 256), key=str.encode)
    for word in kept:
        count = counts[word]
        possible = tuple(sorted(plausible(count), key=lambda tag: (-count[tag], tag)))
        top, n = count.most_common(1)[0]
        sure = count.total() >= options.sure and n >= 0.999 * count.total()
        entries.append(
            struct.pack("<HB", classes.setdefault(possible, len(classes) + 1), tags.index(top) if sure else NO_TAG)
        )
    print(f"{len(kept)} words, {len(classes)} classes", file=sys.stderr)
    sets = [(), *classes]
    bits = b"".join(struct.pack("<Q", sum(1 << tags.index(tag) for tag in set_)) for set_ in sets)
    return struct.pack("<H", len(sets)) + bits + words(kept) + b"".join(entries)


def plausible(count: Counter[str]) -> list[str]:
    """The tags of a word that are no slips; a closed class must be more than a rare use of an open one."""
    total, (top, _) = count.total(), count.most_common(1)[0]
    least = {tag: 0.05 if tag in CLOSED and top not in CLOSED else 0.01 for tag in count}
    return [tag for tag, n in count.items() if n >= least[tag] * total and (n > 1 or total < 10)]


def lexicon(directory: Path) -> bytes:
    """Base forms with their kinds, irregular forms with their lemmas."""
    bases, usual, irregular = wordnet.bases(directory), wordnet.usages(directory), wordnet.irregular(directory)
    known, forms = sorted(bases, key=str.encode), sorted(irregular, key=str.encode)
    kinds = bytes(bases[word] | usual.get(word, 0) << 4 for word in known)
    exceptions = b"".join(
        bytes([len(irregular[form])])
        + b"".join(bytes([kind]) + string(lemma) for kind, lemma in sorted(irregular[form].items()))
        for form in forms
    )
    return words(known) + kinds + words(forms) + exceptions


def perceptrons(
    head: bytes, training: list[list[noise.Row]], dev: list[list[noise.Row]], options: argparse.Namespace
) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        places = [Path(directory) / name for name in ("head", "train", "dev", "examples", "weights")]
        places[0].write_bytes(head)
        for place, sentences in zip(places[1:3], (training, dev), strict=True):
            text = "".join("".join("\t".join(row) + "\n" for row in sentence) + "\n" for sentence in sentences)
            place.write_text(text, encoding="utf-8")
        examples = wordnet.examples(options.wordnet) if options.examples else []
        lines = ("".join(f"{token}\t{kind}\n" for token, kind in example) + "\n" for example in examples)
        places[3].write_text("".join(lines), encoding="utf-8")
        numbers = [options.epochs, options.bits, options.seed, options.margin, options.floor, options.drop]
        command = [
            "cargo",
            "run",
            "--quiet",
            "--release",
            "--example",
            "train_tagger",
            "--manifest-path",
            str(ROOT / "kernel/Cargo.toml"),
            "--",
            *map(str, places),
            *map(str, numbers),
        ]
        subprocess.run(command, check=True)
        return places[4].read_bytes()


if __name__ == "__main__":
    main()
