"""Cleaning restores damaged outputs and changes no line of the data; detokenised text has its tokens again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from geceval import Preparation
from geceval._kernel import Text
from geceval.m2 import Blocks, references, resolve_overlaps
from geceval.text.line_rules import make_rules
from geceval.text.reading.lines import read_lines
from geceval.text.tokenisers import make_tokeniser, tokenised
from support.answer_layouts import LAYOUTS, answer

FOLDERS = {
    "conll14/source.txt": "conll14/*/*.txt conll14/ref?.txt",
    "bea19-dev/source.txt": "bea19-dev/*/*.txt bea19-dev/ref0.txt",
    "jfleg-dev/source.txt": "jfleg-dev/*/*.txt jfleg-dev/ref?.txt",
    "meta/seeda/all/INPUT.txt": "meta/seeda/all/*.txt",
    "meta/seeda/subset/INPUT.txt": "meta/seeda/subset/*.txt",
    "fuzz/source.txt": "fuzz/*.txt",
    "languages/de/fm-dev/source.txt": "languages/de/fm-dev/*.txt",
    "languages/cs/geccc-small/input.txt": "languages/cs/geccc-small/*.txt",
    "languages/zh/cherrant-demo/input.txt": "languages/zh/cherrant-demo/*.txt",
}


def corrections(data: Path) -> Iterator[tuple[str, Text, Text]]:
    """Name, source and corrected text of all systems and references."""
    for source, patterns in FOLDERS.items():
        for pattern in patterns.split():
            for path in sorted(data.glob(pattern)):
                yield str(path), Text(read_lines(data / source)), Text(read_lines(path))
    for path in sorted(data.rglob("*.m2")):
        if path != data / "jfleg-dev" / "gold.m2":  # it has edits outside its sentences
            blocks = resolve_overlaps(Blocks.parse(path.read_bytes(), str(path), shared=True), "skip")
            for text in references(blocks, "plain"):
                yield str(path), Text(blocks.source), Text(text)


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
def test_no_line_of_the_data_is_changed(shared: Path) -> None:
    rules, lines = make_rules("llm"), 0
    for name, source, text in corrections(shared / "data"):
        cleaned = rules.apply(text, source)
        assert [pair for pair in zip(text, cleaned, strict=True) if pair[0] != pair[1]] == [], name
        lines += len(text)
    assert lines > 150_000


def test_answers_are_restored_exactly(shared: Path) -> None:
    rules, restored, failures = make_rules("llm"), 0, []
    for folder, system in {"conll14": "systems/CAMB", "bea19-dev": "ref0", "jfleg-dev": "ref1"}.items():
        texts = [read_lines(shared / "data" / folder / f"{name}.txt") for name in ("source", system)]
        pairs = [(source.strip(), line.strip()) for source, line in zip(*texts, strict=True)]
        pairs = [pair for pair in pairs if 4 < len(pair[1].split()) < 80][:20]
        for name, layout in LAYOUTS.items():
            for source, correction in pairs:
                is_restored = rules.edit(answer(layout, source, correction), source) == correction
                restored += is_restored
                failures += [] if is_restored else [(name, source)]
    assert restored > 3000
    assert restored >= 0.99 * (restored + len(failures)), failures


@pytest.mark.parametrize(
    ("name", "path", "share"),
    [
        ("treebank", "conll14/source.txt", 0.98),
        ("treebank", "jfleg-dev/source.txt", 0.97),
        ("english", "bea19-dev/source.txt", 0.97),
    ],
)
def test_detokenised_text_has_its_tokens_again(shared: Path, name: str, path: str, share: float) -> None:
    tokens = Text(read_lines(shared / "data" / path))
    plain = Preparation(detokenise=name).apply("systems", tokens)
    lost = tokenised(plain, make_tokeniser(name)).differing(tokens)
    assert len(lost) <= (1 - share) * len(tokens)
    assert sum(map(str.__ne__, map(str, plain), map(str, tokens))) > 0.9 * len(tokens)
