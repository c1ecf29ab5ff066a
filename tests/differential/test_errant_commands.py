"""errant_parallel, errant_m2 and errant_compare write the same bytes as errant's, given the same annotation."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import geceval.dropins.errant as dropin
from differential.pseudo import PseudoAnnotator
from differential.test_errant import HERE, PEER, SHARED, VOCABULARY, noisy
from geceval.app.main import main
from geceval.edits.annotation import Annotated
from geceval.m2 import Block, Edit, noop
from support.words import PATH

OPTIONS = [[], ["-lev"], ["-merge", "all-split"], ["-merge", "all-merge"], ["-merge", "all-equal"]]


class Recording(PseudoAnnotator):
    """Remembers all sentences that were annotated."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[tuple[str, ...], list[list[object]]] = {}

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        annotated = super().annotate(sentences)
        for s, sentence in enumerate(sentences):
            self.said[tuple(sentence)] = [list(token) for token in annotated.sentence(s)]
        return annotated


def check(command: str, arguments: list[str], out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both write the same file and print the same."""
    annotator = Recording()
    monkeypatch.setattr(dropin, "make_annotator", lambda name: annotator)
    modules = {"errant_parallel": "parallel_to_m2", "errant_m2": "m2_to_m2"}
    assert main([command, *arguments, "-out", str(out)]) == 0
    ours = out.read_text(encoding="utf-8")
    request = {
        "command": modules[command],
        "arguments": [*arguments, "-out", str(out)],
        "words": str(PATH),
        "sentences": list(annotator.said.values()),
    }
    command_line = [PEER, str(HERE / "errant_commands_peer.py")]
    completed = subprocess.run(command_line, input=json.dumps(request), capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
    expected = out.read_text(encoding="utf-8")
    for block, expected_block in zip(ours.split("\n\n"), expected.split("\n\n"), strict=True):
        assert block == expected_block
    assert ours == expected


def sentences(seed: int, count: int) -> list[list[str]]:
    chance = random.Random(seed)
    return [chance.choices(VOCABULARY, k=chance.randrange(12)) for _ in range(count)]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_parallel(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    originals = sentences(1, 300)
    texts = [originals, *([noisy(words, chance) for words in originals] for _ in range(3))]
    names = [str(tmp_path / f"{at}.txt") for at in range(4)]
    for name, text in zip(names, texts, strict=True):
        # Blanks at the ends and doubled blanks are what real files have.
        lines = [chance.choice([" ", " ", "  "]).join(words) + chance.choice(["", " "]) for words in text]
        Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    check("errant_parallel", ["-orig", names[0], "-cor", *names[1:], *options], tmp_path / "out.m2", monkeypatch)


def gold(seed: int, count: int, edits_seed: int = 0) -> list[Block]:
    """Blocks with all that occurs in real files: detection edits, alternatives, noops, several annotators."""
    chance = random.Random(edits_seed)
    blocks = []
    for words in filter(None, sentences(seed, count)):
        edits = []
        for annotator in chance.sample([0, 1, 2, 10], chance.randrange(4)):
            at, own = 0, []
            while (at := at + chance.randrange(3)) <= len(words) and chance.random() < 0.7:
                end = min(at + chance.randrange(3), len(words))
                type_ = chance.choice(["Wci", "Um", "UNK", "R:NOUN", "Mec"])
                correction = chance.choices(VOCABULARY, k=chance.randrange(3))
                correction = chance.choice([correction, words[at:end], [*words[at:end], *correction]])
                text = chance.choice([" ".join(correction)] * 8 + ["on||upon", "-NONE-"])
                own.append(Edit(at, end, type_, tuple(text.split("||")), annotator=annotator))
                at = end
            edits += own or [noop(annotator)]
        blocks.append(Block(" ".join(words), tuple(edits)))
    return blocks


GOLD_OPTIONS = [["-gold"], ["-gold", "-no_min"], ["-gold", "-old_cats"], ["-auto"], ["-auto", "-old_cats", "-lev"]]


@pytest.mark.parametrize("options", GOLD_OPTIONS, ids=" ".join)
def test_m2(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "gold.m2"
    path.write_text("".join(f"{block}\n" for block in gold(7, 300)), encoding="utf-8")
    check("errant_m2", [str(path), *options], tmp_path / "out.m2", monkeypatch)


@pytest.mark.parametrize("options", [["-gold"], ["-auto"]], ids=" ".join)
@pytest.mark.timeout(3600)
def test_m2_of_conll14(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = SHARED / "conll14" / "gold.m2"
    if not path.exists():
        pytest.skip(f"no corpora at {SHARED}")
    check("errant_m2", [str(path), *options], tmp_path / "out.m2", monkeypatch)


COMPARE_OPTIONS = [
    ["-v"],
    ["-cse", "-cat", "3"],
    ["-ds", "-v", "-cat", "1"],
    ["-dt", "-v", "-cat", "2", "-b", "1"],
    ["-single", "-cat", "3"],
    ["-multi", "-cat", "3", "-b", "2"],
    ["-filt", "R:NOUN", "Wci", "-v"],
]


@pytest.mark.parametrize("options", COMPARE_OPTIONS, ids=" ".join)
def test_compare(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = []
    for seed, option in enumerate(("-hyp", "-ref")):
        path = tmp_path / f"{seed}.m2"
        path.write_text("".join(f"{block}\n" for block in gold(5, 400, seed)), encoding="utf-8")
        arguments += [option, str(path)]
    assert main(["errant_compare", *arguments, *options]) == 0
    command = [PEER, "-m", "errant.commands.compare_m2", *arguments, *options]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert capsys.readouterr().out == expected
