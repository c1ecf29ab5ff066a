"""Train the model of the builtin annotator.

    python research/train_tagger.py --teacher teacher.tsv --dev dev.tsv --wordnet /usr/share/wordnet

The annotated sentences come from research/teach_tagger.py, WordNet 3.0 from Debian's package wordnet-base. Prints
accuracies on the sentences of --dev. The result depends on the data, the options and the seed only.
"""

from __future__ import annotations

import argparse
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import wordnet

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "src/geceval/edits/languages/english/english.model"
HEADER = b"geceval-tagger 2\n"
NO_TAG = 255
# Labels that ERRANT's rules or the tables of parts of speech read; all other labels become "dep".
LABELS = (
    "dep acomp advmod amod aux auxpass det dobj expl mark nsubj nsubjpass pobj poss prep prt punct quantmod ROOT"
).split()
BE = ("is", "are", "was", "were", "'s", "'re")
CLAUSES = ("advcl", "ccomp", "conj", "relcl", "xcomp")
Row = tuple[str, str, str]
"""Form, Penn tag, label."""
CLOSED = set("CC DT EX IN LS MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB".split())


def main() -> None:
    options = arguments()
    train = [sentence for path in options.teacher for sentence in read(path)]
    dev = list(read(options.dev))
    tags = sorted({tag for sentence in (*train, *dev) for _, tag, _ in sentence})
    head = b"".join([names(tags), names(LABELS), dictionary(train, tags, options), lexicon(options.wordnet)])
    packed = zlib.compress(head, 9)
    weights = perceptrons(head, train, dev, options)
    size = options.out.write_bytes(HEADER + struct.pack("<I", len(packed)) + packed + weights)
    print(f"{options.out}: {size} bytes", file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", type=Path, nargs="+", required=True, help="annotated sentences to learn")
    parser.add_argument("--dev", type=Path, required=True, help="annotated sentences on which accuracy is printed")
    parser.add_argument("--wordnet", type=Path, required=True, help="directory of WordNet 3.0's index and .exc files")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--bits", type=int, default=20, help="log2 of the number of feature buckets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--margin", type=float, default=5.0, help="by how much the right class has to win")
    parser.add_argument("--drop", type=float, default=0.1, help="share of features lost in training")
    parser.add_argument("--clamp", type=float, default=0.995, help="share of the weights that are not clamped")
    parser.add_argument("--weights", type=int, nargs=2, default=[1_000_000, 600_000], help="kept of tags and of labels")
    parser.add_argument("--sure", type=int, default=30, help="occurrences from which one tag counts as certain")
    parser.add_argument("--least", type=int, default=6, help="occurrences from which a word is in the dictionary")
    return parser.parse_args()


def read(path: Path) -> Iterator[list[Row]]:
    """Yield sentences of (form, tag, label) from a file of research/teach_tagger.py."""
    sentence: list[Row] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line == "\n":
                yield sentence
                sentence = []
            else:
                form, tag, label = line.rstrip("\n").split("\t")
                sentence.append((form, tag, label_of(form, label, sentence[-1:])))


def label_of(form: str, label: str, previous: list[Row]) -> str:
    """Return the label to learn; "is" after an expletive gets its label, because spaCy's tables make it a verb."""
    if previous and previous[0][2] == "expl" and form.lower() in BE:
        return "expl"
    return label if label in LABELS else "ROOT" if label in CLAUSES else "dep"


def names(values: Sequence[str]) -> bytes:
    return bytes([len(values)]) + b"".join(string(value) for value in values)


def string(value: str) -> bytes:
    encoded = value.encode()
    return bytes([len(encoded)]) + encoded


def words(sorted_words: Iterable[str]) -> bytes:
    """Return a front-coded table of words, which must be sorted by their UTF-8 bytes."""
    entries, previous = [], b""
    for word in sorted_words:
        encoded = word.encode()
        shared = 0
        while shared < min(len(previous), len(encoded), 255) and previous[shared] == encoded[shared]:
            shared += 1
        entries.append(bytes([shared, len(encoded) - shared]) + encoded[shared:])
        previous = encoded
    return struct.pack("<I", len(entries)) + b"".join(entries)


def normal(form: str) -> str:
    return "".join("0" if c in "0123456789" else c for c in form.lower())


def dictionary(rows: list[list[Row]], tags: list[str], options: argparse.Namespace) -> bytes:
    """Return a table of frequent words with their ambiguity class and, if they have only one, their tag."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in rows:
        for form, tag, _ in sentence:
            counts[normal(form)][tag] += 1
    classes: dict[tuple[str, ...], int] = {}
    entries = []
    frequent = sorted(
        (w for w, c in counts.items() if c.total() >= options.least and len(w.encode()) < 256), key=str.encode
    )
    for word in frequent:
        count = counts[word]
        possible = tuple(sorted(plausible(count), key=lambda tag: (-count[tag], tag)))
        top, count_of_top = count.most_common(1)[0]
        sure = count.total() >= options.sure and count_of_top >= 0.999 * count.total()
        entries.append(
            struct.pack("<HB", classes.setdefault(possible, len(classes) + 1), tags.index(top) if sure else NO_TAG)
        )
    print(f"{len(frequent)} words, {len(classes)} classes", file=sys.stderr)
    sets = [(), *classes]
    bits = b"".join(struct.pack("<Q", sum(1 << tags.index(tag) for tag in set_)) for set_ in sets)
    return struct.pack("<H", len(sets)) + bits + words(frequent) + b"".join(entries)


def plausible(count: Counter[str]) -> list[str]:
    """Return the tags of a word without the teacher's mistakes: rare tags, and more so closed-class tags."""
    total, (top, _) = count.total(), count.most_common(1)[0]
    smallest_share = {tag: 0.05 if tag in CLOSED and top not in CLOSED else 0.01 for tag in count}
    return [tag for tag, n in count.items() if n >= smallest_share[tag] * total and (n > 1 or total < 10)]


def lexicon(directory: Path) -> bytes:
    """Return base forms with their parts of speech, and irregular forms with their lemmas."""
    bases, usual, irregular = wordnet.bases(directory), wordnet.usages(directory), wordnet.irregular(directory)
    base_forms, forms = sorted(bases, key=str.encode), sorted(irregular, key=str.encode)
    kinds = bytes(bases[word] | usual.get(word, 0) << 4 for word in base_forms)
    exceptions = b"".join(
        bytes([len(irregular[form])])
        + b"".join(bytes([kind]) + string(lemma) for kind, lemma in sorted(irregular[form].items()))
        for form in forms
    )
    return words(base_forms) + kinds + words(forms) + exceptions


def perceptrons(head: bytes, training: list[list[Row]], dev: list[list[Row]], options: argparse.Namespace) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        paths = [Path(directory) / name for name in ("head", "train", "dev", "weights")]
        paths[0].write_bytes(head)
        for path, sentences in zip(paths[1:3], (training, dev), strict=True):
            text = "".join("".join("\t".join(row) + "\n" for row in sentence) + "\n" for sentence in sentences)
            path.write_text(text, encoding="utf-8")
        numbers = [options.epochs, options.bits, options.seed, options.margin]
        numbers += [options.drop, options.clamp, *options.weights]
        command = [
            "cargo",
            "run",
            "--quiet",
            "--release",
            "--example",
            "train_tagger",
            "--manifest-path",
            str(ROOT / "kernel/core/Cargo.toml"),
            "--",
            *map(str, paths),
            *map(str, numbers),
        ]
        subprocess.run(command, check=True)
        return paths[3].read_bytes()


if __name__ == "__main__":
    main()
