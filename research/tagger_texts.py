"""Collect free English texts for the tagger of the builtin annotator: one tokenised sentence per line.

    python research/tagger_texts.py --out DIR [--evaluation PATH]... [--mirror DIR]

The manifest tagger_texts.toml names sources, versions, checksums and licences. The tool obtains and verifies each
source, splits it into sentences and tokens, and writes DIR/NAME.txt. It leaves out sentences that share eight tokens in
a row with a text below --evaluation. The texts are not part of the project. Requires git and, for Debian packages,
apt-get and dpkg-deb.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import gzip
import hashlib
import html
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from geceval.base.errors import InputError
from geceval.text.m2 import m2_files, operations
from geceval.text.tokenisers import tokenise

MANIFEST = Path(__file__).with_suffix(".toml")
WINDOW = 8
SHORTEST, LONGEST = 4, 60
MISSING = "\0"
"""Placeholder of an element without text, such as a formula; its sentence is left out."""


@dataclass(frozen=True)
class Source:
    """An entry of the manifest: a git repository at a commit, or a Debian package of a version."""

    name: str
    licence: str
    reader: str
    files: list[str]
    sha256: str
    git: str = ""
    commit: str = ""
    debian: str = ""
    version: str = ""
    leave_out: list[str] = field(default_factory=list)

    def chosen(self, path: str) -> bool:
        """Whether a file of the repository or package is read."""
        included, excluded = (
            any(fnmatch.fnmatchcase(path, glob) for glob in globs) for globs in (self.files, self.leave_out)
        )
        return included and not excluded


def main() -> None:
    options = arguments()
    manifest = tomllib.loads(MANIFEST.read_text("utf-8"))
    sources = [Source(**entry) for entry in manifest["source"]]
    if unknown := set(options.only) - {source.name for source in sources}:
        sys.exit(f"error: tagger_texts.toml has no source {', '.join(sorted(unknown))}")
    evaluation_hashes, unchecked = evaluation_windows(options.evaluation, manifest["evaluation"])
    options.out.mkdir(parents=True, exist_ok=True)
    print("| source | licence | sentences | tokens | left out |\n|---|---|---|---|---|")
    seen: set[str] = set()
    rows = []
    for source in sources:
        if not options.only or source.name in options.only:
            files = obtain(source, options.mirror)
            if (digest := checksum(files)) != source.sha256:
                sys.exit(f"error: {source.name}: SHA-256 is {digest}, tagger_texts.toml has {source.sha256}")
            lines, left_out = choose(READERS[source.reader](contents(files)), evaluation_hashes, seen)
            part_file = options.out / f"{source.name}.part"
            part_file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
            part_file.rename(part_file.with_suffix(".txt"))
            rows.append((len(lines), sum(line.count(" ") + 1 for line in lines), left_out))
            print("| {} | {} | {:,} | {:,} | {:,} |".format(source.name, source.licence, *rows[-1]), flush=True)
    print("| total | | {:,} | {:,} | {:,} |".format(*map(sum, zip(*rows, strict=True))))
    print(f"\nNot available for the check: {', '.join(unchecked) or 'none'}.")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="directory for one file per source")
    several = {"action": "append", "default": []}
    parser.add_argument("--evaluation", type=Path, metavar="PATH", help="evaluation text or directory", **several)
    parser.add_argument("--mirror", type=Path, metavar="DIR", help="bare repositories OWNER+NAME/repo (default: clone)")
    parser.add_argument("--only", metavar="NAME", help="source to collect (default: all)", **several)
    return parser.parse_args()


# Obtaining


def obtain(source: Source, mirror: Path | None) -> list[tuple[str, bytes]]:
    """Return path and content of the files of a source, by path."""
    with tempfile.TemporaryDirectory() as folder:
        members = debian_members(source, folder) if source.debian else git_members(source, mirror, folder)
        files = sorted((path, gzip.decompress(data) if path.endswith(".gz") else data) for path, data in members)
    if not files:
        sys.exit(f"error: {source.name}: no file matches {', '.join(source.files)}")
    return files


def git_members(source: Source, mirror: Path | None, folder: str) -> Iterator[tuple[str, bytes]]:
    repository = folder if mirror is None else str(mirror / "+".join(source.git.split("/")[-2:]) / "repo")

    def git(*arguments: str, stdin: str = "") -> bytes:
        return run("git", "-C", repository, *arguments, stdin=stdin)

    if mirror is None:
        git("init", "--quiet", "--bare")
        git("remote", "add", "origin", source.git)
        git("fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", source.commit)
    listing = git("ls-tree", "-r", "-z", source.commit).decode().split("\0")
    blobs = {
        path: attributes.split()[2]
        for attributes, _, path in (entry.partition("\t") for entry in listing)
        if attributes
    }
    paths = [path for path in blobs if source.chosen(path)]
    names = "".join(f"{blobs[path]}\n" for path in paths)
    if mirror is None:
        git("fetch", "--quiet", "--filter=blob:none", "--no-write-fetch-head", "--stdin", "origin", stdin=names)
    stream = io.BytesIO(git("cat-file", "--batch", stdin=names))
    for path in paths:
        header = stream.readline().split()
        if header[1] != b"blob":
            sys.exit(f"error: {source.name}: {repository} lacks {path}")
        yield path, stream.read(int(header[2]))
        stream.readline()


def debian_members(source: Source, folder: str) -> Iterator[tuple[str, bytes]]:
    run("apt-get", "--quiet", "--quiet", "download", f"{source.debian}={source.version}", folder=folder)
    [package] = Path(folder).glob("*.deb")
    with tarfile.open(fileobj=io.BytesIO(run("dpkg-deb", "--fsys-tarfile", str(package)))) as archive:
        for member in archive:
            if member.isfile() and source.chosen(member.name) and (content := archive.extractfile(member)):
                yield member.name, content.read()


def run(*command: str, stdin: str = "", folder: str | None = None) -> bytes:
    completed = subprocess.run(command, input=stdin.encode(), cwd=folder, stdout=subprocess.PIPE)
    if completed.returncode:
        sys.exit(f"error: {' '.join(command)}: exit status {completed.returncode}")
    return completed.stdout


def checksum(files: list[tuple[str, bytes]]) -> str:
    """SHA-256 of paths and contents."""
    digest = hashlib.sha256()
    for path, content in files:
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def contents(files: list[tuple[str, bytes]]) -> Iterator[str]:
    """Yield the text of each file, and of each .txt file in zip archives."""
    for path, content in files:
        if path.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                names = sorted(name for name in archive.namelist() if name.endswith(".txt"))
                yield from (archive.read(name).decode("utf-8", "replace") for name in names)
        else:
            yield content.decode("utf-8")


# Readers: from the texts of a source to tokenised sentences


def from_text(texts: Iterable[str]) -> Iterator[str]:
    """Plain text, a paragraph per line."""
    yield from plain(line for text in texts for line in text.split("\n"))


def plain(paragraphs: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of running text, tokenised."""
    yield from tokenise([s for text in paragraphs for s in sentences(text) if is_plain(s)], "english")


def from_conllu(texts: Iterable[str]) -> Iterator[str]:
    """The word forms of CoNLL-U."""
    for text in texts:
        for block in re.split(r"\n\s*\n", text):
            rows = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
            yield " ".join(row[1].replace(" ", "") for row in rows if row[0].isdigit())


def from_tagged(texts: Iterable[str]) -> Iterator[str]:
    """Sentences as WORD_TAG, without stage directions and apostrophes as tokens."""
    lines = (line for text in texts for line in text.split("\n") if not re.search(r"[][’‘]", line))
    yield from (" ".join(re.sub(r"_[^_]*$", "", pair) for pair in line.split()) for line in lines)


def from_wikitext(texts: Iterable[str]) -> Iterator[str]:
    """WikiText: tokenised, with @-@ within words and <unk> for rare ones."""
    for text in texts:
        text = re.sub(r" @([.,])@ ", r"\1", text).replace("@-@", "-").replace("<unk>", MISSING)
        lines = [line.strip() for line in text.split("\n") if not line.startswith(" =")]
        yield from (s for line in lines for s in re.split(r"(?<= [.!?]) (?![a-z,;])", line) if is_plain(s))


def from_markup(texts: Iterable[str]) -> Iterator[str]:
    """The paragraphs of HTML, DocBook's HTML and CNXML, without lists, formulas, captions, notes and references."""
    for text in texts:
        text = re.sub(r"<[^>]*/>", MISSING, re.sub(r"<(?:br|newline)\b[^>]*/>", "\n\n", text))
        text = re.sub(r"(?s)<!--.*?-->|<(title|metadata|glossary|footnote|cite)\b.*?</\1>", "", text)
        text = re.sub(r'(?s)<section[^>]*class="[^"]*references?".*?</section>', "", text)
        text = re.sub(r"(?s)<(list|table|figure|media|equation)\b.*?</\1>", "\n\n", text)
        text = re.sub(r"(?s)<(code|pre|sup|tt|m:math)\b.*?</\1>|<link[^>]*></link>", MISSING, text)
        paragraphs = re.findall(r'(?s)<(?:p\b[^>]*|para\b[^>]*|div class="para")>(.*?)</(?:p|para|div)>', text)
        yield from plain(html.unescape(re.sub(r"<[^>]*>", "", paragraph)) for paragraph in paragraphs)


def from_markdown(texts: Iterable[str]) -> Iterator[str]:
    """The paragraphs of Markdown without code, lists, tables and headings."""
    for text in texts:
        text = re.sub(r"(?ms)^(```|~~~).*?^\1|<!--.*?-->", "", text)
        text = re.sub(r"!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])", r"\1", text)
        text = re.sub(r"`[^`]*`", MISSING, text).replace("*", "").replace("_", "")
        yield from plain(block for block in re.split(r"\n\s*\n", text) if re.match(r"[A-Z\"“]", block))


def from_wordnet(texts: Iterable[str]) -> Iterator[str]:
    """Example sentences of WordNet's glosses."""
    quotations = [quoted for text in texts for quoted in re.findall(r'"([^"]+)"', text)]
    yield from tokenise([quoted for quoted in quotations if quoted[:1].isupper() or quoted[-1:] in ".!?"], "english")


READERS: dict[str, Callable[[Iterable[str]], Iterator[str]]] = {
    name.removeprefix("from_"): value for name, value in list(globals().items()) if name.startswith("from_")
}

# Sentences

STRAIGHT = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
UNREADABLE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ufffd]")
ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'])(?:[A-Z]|[A-Za-z]\.[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Sen|Rep|Gov|Capt|Col|Lt|Rev|vs?|No|"
    r"cf|al|eds?|vol|pp|[Ff]ig|Inc|Ltd|Co|Jan|Feb|Aug|Sept|Oct|Nov|Dec|Mt|approx)\.$"
)
BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph, with straight quotes; an empty line ends a sentence."""
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph = " ".join(INVISIBLE.sub("", paragraph.translate(STRAIGHT)).split())
        start = 0
        for boundary in BOUNDARY.finditer(paragraph):
            if not ABBREVIATION.search(paragraph[start : boundary.start()]):
                yield balanced(paragraph[start : boundary.end()].strip())
                start = boundary.end()
        yield balanced(paragraph[start:].strip())


def balanced(sentence: str) -> str:
    """The sentence without a quote at one end whose partner is in another sentence."""
    if sentence.count('"') % 2 == 0:
        return sentence
    return sentence[1:] if sentence.startswith('"') else sentence.removesuffix('"')


def is_plain(sentence: str) -> bool:
    """Whether a sentence is running text: begins and ends like one, with few capitals, digits and signs."""
    words = sentence.split()
    return (
        re.match(r"[\"'(\[]*[A-Z0-9]", sentence) is not None
        and re.search(r"[.!?][\"')\]]*(?: [\"'])?$", sentence) is not None
        and not re.search(r"[\0{}|<>=\\^~#_@]|https?:|www\.|doi:|\.\.\.\.", sentence)
        and sum(c.isascii() and c.isalpha() for c in sentence) >= 0.75 * len("".join(words))
        and sum(word[0].isupper() for word in words[1:]) <= 0.4 * len(words)
        and sentence.count('"') % 2 == 0
    )


def choose(lines: Iterable[str], evaluation_hashes: set[int], seen: set[str]) -> tuple[list[str], int]:
    """Return new sentences of suitable length without evaluation text, and the number with evaluation text."""
    fitting = (line for line in lines if SHORTEST <= line.count(" ") + 1 <= LONGEST and not UNREADABLE.search(line))
    new = list(dict.fromkeys(line for line in fitting if line not in seen))
    seen.update(new)
    chosen = [line for line in new if evaluation_hashes.isdisjoint(windows(line))]
    return chosen, len(new) - len(chosen)


# Evaluation texts


def windows(line: str) -> Iterator[int]:
    """Yield a hash of each eight lower-cased tokens in a row; of a shorter line, the hash of all its tokens."""
    tokens = line.lower().split()
    return (hash(tuple(tokens[i : i + WINDOW])) for i in range(max(1, len(tokens) - WINDOW + 1)))


def evaluation_windows(paths: list[Path], corpora: dict[str, str]) -> tuple[set[int], list[str]]:
    """Return the windows of all evaluation texts, and the corpora of the manifest that are not among them."""
    for missing in (path for path in paths if not path.exists()):
        sys.exit(f"error: {missing} does not exist")
    files = [f for path in paths for f in (sorted(path.rglob("*")) if path.is_dir() else [path]) if f.is_file()]
    evaluation_hashes: set[int] = set()
    for path in files:
        lines = list(evaluation_lines(path))
        for line in [*lines, *tokenise(lines, "english")]:
            evaluation_hashes.update(windows(line))
    print(f"{len(files)} evaluation files, {len(evaluation_hashes):,} windows of {WINDOW} tokens", file=sys.stderr)
    return evaluation_hashes, [name for name, glob in corpora.items() if not fnmatch.filter(map(str, files), glob)]


def evaluation_lines(path: Path) -> Iterator[str]:
    """Yield the sentences of a file; of M2 the source and the text of each annotator."""
    if path.suffix == ".m2":
        for block in operations.fitting(m2_files.read(path), "drop"):
            yield block.source
            for annotator in operations.annotators([block]):
                with contextlib.suppress(InputError):  # overlapping edits have no corrected text
                    yield operations.apply(block, annotator)
        return
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace")
    if ".conllu" in path.suffixes:
        yield from from_conllu([text])
    else:
        yield from (html.unescape(re.sub(r"<[^>]*>", " ", line)) for line in text.split("\n"))


if __name__ == "__main__":
    main()
