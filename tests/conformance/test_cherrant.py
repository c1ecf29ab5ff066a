"""ChERRANT's files and numbers: every recorded run of compare_m2_for_evaluation.py, and what its M2 holds."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from geceval import Preparation, m2, read_table
from geceval.app.main import main
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.m2 import stats
from geceval.text.m2.blocks import Blocks
from support.golden import load

PAIRS = ("demo.char", "demo.word", "nlpcc18-half-a.char", "nlpcc18-half-a.word", "mucgec-dev-1-400.char", "fuzz",
         "fuzz-reversed")  # fmt: skip


def printed(pair: Any, options: list[str], shared: Path, capsys: pytest.CaptureFixture[str]) -> str:
    folder = shared / "data" / "languages" / "zh"
    files = ["-hyp", str(folder / pair["hyp"]), "-ref", str(folder / pair["ref"])]
    assert main(["cherrant_compare", *files, *options]) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module", autouse=True)
def _files_are_read_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Blocks, "read", functools.cache(Blocks.read))
        yield


def recorded(shared: Path) -> dict[str, Any]:
    return {pair["name"]: pair for pair in load(shared / "golden" / "languages" / "zh.json")["pairs"]}


def numbers(row: str) -> dict[str, float]:
    cells = row.split()[-6:]
    return dict(zip(("tp", "fp", "fn", "p", "r", "f"), map(float, cells), strict=True))


def test_all_pairs_are_there(shared: Path) -> None:
    assert set(recorded(shared)) >= set(PAIRS)


@pytest.mark.parametrize("name", PAIRS)
def test_every_option(name: str, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = recorded(shared)[name]
    for run in pair["runs"]:
        out = printed(pair, run["options"], shared, capsys)
        if "stdout" in run:
            assert out == run["stdout"], run["options"]
        *above, totals, _, _ = out.splitlines()
        assert numbers(totals) == {key: run[key] for key in ("tp", "fp", "fn", "p", "r", "f")}, run["options"]
        if "categories" in run:
            rows = [line for line in above if re.match(r"\w.*\d$", line) and not line.startswith(("Category", "TP"))]
            assert {row.split()[0]: numbers(row) for row in rows} == run["categories"], run["options"]
    assert len(pair["runs"]) == 27


@pytest.mark.parametrize("name", PAIRS)
def test_who_is_chosen(name: str, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = recorded(shared)[name]
    out = printed(pair, ["-v"], shared, capsys)
    if "verbose_stdout" in pair:
        assert out == pair["verbose_stdout"]
    chosen = [[int(hyp), int(ref)] for hyp, ref in re.findall(r"\^\^ HYP (\d+), REF (\d+) chosen", out)]
    assert chosen == pair["chosen"]  # sentences that nobody could correct are not shown


def test_what_files_hold(shared: Path) -> None:
    """``m2-counts.json``: every M2 file of another language than English."""
    expected = load(shared / "golden" / "languages" / "m2-counts.json")
    for name, counts in expected.items():
        if "estgec" in name:
            continue  # has blocks of several sentences, which are an error
        figures = stats(m2.read(shared / "data" / "languages" / name))
        assert figures.sentences == counts["sentences"], name
        by_annotator = {str(who): {"edits": a.edits, "changed": a.changed} for who, a in figures.annotators.items()}
        assert by_annotator == counts["annotators"], name


@pytest.mark.parametrize("folder", ["cherrant-demo", "nlpcc18", "mucgec-dev"])
def test_sound_files_have_no_faults(folder: str, shared: Path) -> None:
    for path in (shared / "data" / "languages" / "zh" / folder).glob("*.m2"):
        assert m2.check(path).faults == [], path


@pytest.mark.parametrize("unit", ["char", "word"])
def test_text_is_that_of_the_first_alignment(unit: str, shared: Path) -> None:
    blocks = m2.Blocks.read(shared / "data" / "languages" / "zh" / "nlpcc18" / f"ref.{unit}.m2")
    corrected = m2.references(blocks, "plain")
    for s, block in enumerate(blocks):
        for target in block.targets:
            if target.alignment == 0:
                assert "".join(corrected[target.annotator][s].split()) == "".join(target.text.split())


# --- extraction by characters, with an alignment of our own ---


def test_a_system_in_the_dialect_byte_for_byte(shared: Path, tmp_path: Path) -> None:
    """What parallel_to_m2.py made of a system; references, which change more, differ here and there."""
    folder = shared / "data" / "languages" / "zh" / "mucgec-dev"
    rows = [line.split("\t") for line in (folder / "hyp.para.tsv").read_text(encoding="utf-8").splitlines()]
    for name, column in (("source", 1), ("system", 2)):
        (tmp_path / name).write_text("".join(f"{row[column]}\n" for row in rows), encoding="utf-8")
    texts = ["-s", str(tmp_path / "source"), "-c", str(tmp_path / "system")]
    options = ["--language", "zh", "--tokenise", "char", "--dialect", "cherrant"]
    assert main(["annotate", *texts, *options, "-o", str(tmp_path / "out.m2")]) == 0
    assert (tmp_path / "out.m2").read_bytes() == (folder / "hyp.char.m2").read_bytes()


def test_parallel_text_has_the_references_of_its_m2(shared: Path) -> None:
    """MuCGEC's files of parallel text, by characters, are the texts of the M2 that ChERRANT made of them."""
    folder = shared / "data" / "languages" / "zh" / "mucgec-dev"
    steps = Preparation("mucgec")
    different = []
    for name in ("ref", "hyp"):
        para = read_table(str(folder / f"{name}.para.tsv"), format="para", prepare=steps)
        blocks = m2.read(folder / f"{name}.char.m2")
        for block, source, *references in zip(blocks, para.source, *para.references, strict=True):
            texts = {m2.apply(block, who) for who in block.annotators}
            assert block.source == source
            different += {source, *filter(None, references)} ^ {source, *texts}
    # ChERRANT also writes traditional characters as simplified ones.
    assert "".join(different).count("決") == 1
    assert len(different) == 2


@pytest.mark.parametrize(
    ("name", "near", "typed"),
    [
        *(("cherrant-demo/ref.char", 1.0, 0.985), ("nlpcc18/ref.char", 0.993, 0.988)),
        *(("mucgec-dev/ref.char", 0.986, 0.982), ("nlpcc18/ref.word", 0.982, 0.0)),  # by words types have categories
    ],
)
def test_references_are_near(name: str, near: float, typed: float, shared: Path) -> None:
    """F1 of spans and corrections, and of types too, of all answers against alignment 0 of each."""
    extractor = Extractor(make_annotator("zh"))
    blocks = list(m2.read(shared / "data" / "languages" / "zh" / f"{name}.m2"))
    answers = [(block, who) for block in blocks for who in block.annotators if block.edits_of(who)]
    extracted = extractor.extract([(block.source, m2.apply(block, who)) for block, who in answers])
    same, same_typed, total = 0, 0, 0
    for (block, who), edits in zip(answers, extracted, strict=True):
        proposed = {(edit.start, edit.end, edit.correction, m2.cherrant_type(edit.type)) for edit in edits}
        expected = {(edit.start, edit.end, edit.correction, edit.type) for edit in block.edits_of(who)}
        same += len({edit[:3] for edit in proposed} & {edit[:3] for edit in expected})
        same_typed += len(proposed & expected)
        total += len(proposed) + len(expected)
    assert 2 * same / total >= near
    assert 2 * same_typed / total >= typed
