"""The folder that the code of the pages runs in: a copy of examples/, and the files that pages name beside those."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

from geceval import m2
from geceval.app.main import main
from support.examples import EXAMPLES

#: Names that pages give to the files of examples/: "your own system".
ALIASES = {
    "sys.txt": "systems/careful.txt",
    "sys1.txt": "systems/careful.txt",
    "sys2.txt": "systems/eager.txt",
    "sys3.txt": "systems/noisy.txt",
    "new.txt": "systems/noisy.txt",
    "system.txt": "systems/careful.txt",
    "corrected.txt": "systems/eager.txt",
    "raw.txt": "systems/careful.txt",
    "ref.txt": "ref0.txt",
    "outputs/ours/learners.txt": "systems/careful.txt",
    "outputs/ours/edits.txt": "systems/careful.txt",
    # Other languages by their names only: what is tried is the command.
    "quelle.txt": "source.txt",
    "zdroj.txt": "source.txt",
    "oprava.txt": "ref0.txt",
}


def several(folder: Path) -> str:
    """Sixteen candidates for each sentence."""
    lines = [path.read_text("utf-8").splitlines() for path in sorted((folder / "systems").iterdir())]
    return "".join(f"{row[k % len(row)]}\n" for row in zip(*lines, strict=True) for k in range(16))


def closest(folder: Path) -> str:
    """References of one system."""
    return (folder / "ref0.txt").read_text("utf-8")


def labelled(folder: Path) -> str:
    """MultiGED's file: each first token of a sentence is in need of correction."""
    sentences = (folder / "source.txt").read_text("utf-8").splitlines()
    return "".join(
        "".join(f"{word}\t{'ic'[min(k, 1)]}\n" for k, word in enumerate(line.split())) + "\n" for line in sentences
    )


def essays(name: str) -> Callable[[Path], str]:
    """A file of examples/ as MultiGEC's Markdown, ten sentences an essay."""

    def made(folder: Path) -> str:
        lines = (folder / name).read_text("utf-8").splitlines()
        starts = range(0, len(lines), 10)
        return "\n".join(
            f"### essay_id = {at}\n" + "".join(f"{line}\n" for line in lines[at : at + 10]) for at in starts
        )

    return made


def parallel(*names: str) -> Callable[[Path], str]:
    """Texts of examples/ as ChERRANT's parallel text."""

    def made(folder: Path) -> str:
        texts = [(folder / name).read_text("utf-8").splitlines() for name in names]
        return "".join("\t".join((str(number), *row)) + "\n" for number, row in enumerate(zip(*texts, strict=True), 1))

    return made


#: What is written from them.
WRITTEN: dict[str, Callable[[Path], str]] = {
    "samples.txt": several,
    "levels.txt": lambda _: "A2\nB1\n" * 20,
    "gold.tsv": labelled,
    "sys1.tsv": labelled,
    "sys2.tsv": labelled,
    **dict.fromkeys(["sv-orig-dev.md", "orig.md"], essays("source.txt")),
    **dict.fromkeys(["sv-ref1-dev.md", "ref1.md"], essays("ref0.txt")),
    **dict.fromkeys(["sv-ref2-dev.md", "ref2.md"], essays("ref1.txt")),
    "ref.para": parallel("source.txt", "ref0.txt", "ref1.txt"),
    "eager.para": parallel("source.txt", "systems/eager.txt"),
    "sys.md": essays("systems/careful.txt"),
    "heard.txt": lambda folder: (folder / "source.txt").read_text("utf-8"),
    **dict.fromkeys(["a.closest.txt", "b.closest.txt", "anna.txt", "ben.txt", "common.txt"], closest),
    "small.conllu": lambda _: "1\thuset\thus\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
}

#: What pages name that a command makes of them, in order.
MADE = {
    "sv.lexicon": "language make --conllu small.conllu --code sv",
    "sys.m2": "annotate -s source.txt -c systems/careful.txt",
    "sys1.m2": "annotate -s source.txt -c systems/careful.txt",
    "sys2.m2": "annotate -s source.txt -c systems/eager.txt",
    "sys3.m2": "annotate -s source.txt -c systems/noisy.txt",
    "anna.m2": "annotate -s source.txt -c ref0.txt",
    "ben.m2": "annotate -s source.txt -c ref1.txt",
    "ref.char.m2": "annotate -s source.txt -c ref.txt --language zh --tokenise char --dialect cherrant",
}


def made_folder(folder: Path) -> Path:
    """A copy of examples/ with all of the above."""
    shutil.copytree(EXAMPLES, folder)
    for name, original in ALIASES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / original, folder / name)
    for name, make in WRITTEN.items():
        (folder / name).write_text(make(folder), encoding="utf-8")
    with chdir(folder):
        for name, command in MADE.items():
            assert main([*command.split(), "-o", name]) == 0
    return folder


def networks(folder: Path) -> None:
    """Tiny networks under the names that pages give to large ones; names of a hub are folders here, too."""
    from support import stand_ins

    deep = stand_ins.encoder(layers=10)
    folders = {
        "my-bert": deep,
        "bert-base-uncased": deep,
        "bert-base-cased": stand_ins.encoder(),
        "folder-of-an-encoder": stand_ins.encoder(),
        "FOLDER": stand_ins.encoder(),
        "gpt2": stand_ins.language_model(),
        "my-model": stand_ins.language_model(1024),
        "my-t5": stand_ins.sequence_to_sequence(),
        "llama": stand_ins.language_model(),
        "gfm-models": stand_ins.raters(),
        "grammar": stand_ins.rater(2),
        "fluency": stand_ins.rater(3),
        "meaning": stand_ins.rater(4),
        "impara-qe": stand_ins.rater(),
        "impara-ged": stand_ins.modern_rater("mean"),
        "gotutiyan/IMPARA-QE": stand_ins.rater(),
        "naist-nlp/IMPARA-GED": stand_ins.modern_rater("mean"),
    }
    for name, network in folders.items():
        shutil.copytree(network, folder / name)


def names() -> dict[str, Any]:
    """What the Python of the pages takes for granted: the texts of examples/."""

    def lines(name: str) -> list[str]:
        return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()

    return {
        "source": lines("source.txt"),
        "hypothesis": lines("systems/careful.txt"),
        "references": [lines("ref0.txt"), lines("ref1.txt")],
        "gold": list(m2.read(str(EXAMPLES / "gold.m2"))),
    }
