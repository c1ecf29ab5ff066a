"""M2 files of the field: byte for byte round trips, and references equal to the published ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from geceval import m2
from geceval.app.main import main
from geceval.text.m2.edit import EditColumns, Missing

#: No M2 as ours writes it, by folder: what `check` says of it.
ODD = {"estgec-dev": "a second S line in one block"}
#: Number of blocks of each file for the conversions that take a second per thousand.
FIRST = 300


def files(data: Path) -> list[Path]:
    return [*sorted(data.rglob("*.m2")), data / "m2scorer-example" / "source_gold"]


def blocks_of(path: Path) -> m2.Blocks:
    """All blocks of a file; the odd ones are read as by the official scorer."""
    shared = not ODD.keys().isdisjoint(path.parts)
    return m2.Blocks.parse(path.read_bytes(), str(path), shared=shared, dialect=None)


def test_every_file_comes_out_byte_for_byte(shared: Path) -> None:
    """But for line ends of DOS, which some files have and which are not kept."""
    paths = files(shared / "data")
    assert len(paths) > 5
    for path in paths:
        odd = next((message for folder, message in ODD.items() if folder in path.parts), None)
        if odd:
            assert any(fault.message.startswith(odd) for fault in m2.check(path).faults), path
            continue
        out = io.StringIO()
        m2.write(m2.read(path), out)
        assert out.getvalue().encode() == path.read_bytes().replace(b"\r\n", b"\n"), path


@pytest.mark.parametrize(("missing", "suffix"), [("fallback", ""), ("plain", "_plain")])
def test_references_of_conll14(shared: Path, missing: Missing, suffix: str) -> None:
    folder = shared / "data" / "conll14"
    references = m2.references(m2.read(folder / "gold.m2"), missing)
    for annotator, lines in enumerate(references):
        expected = (folder / f"ref{annotator}{suffix}.txt").read_text(encoding="utf-8")
        assert "".join(line + "\n" for line in lines) == expected


def test_the_faults_of_a_published_file_are_found(shared: Path) -> None:
    faults = m2.check(shared / "data" / "jfleg-dev" / "gold.m2").faults
    assert faults
    assert all("tokens" in fault.message for fault in faults)


def test_every_file_is_written_from_columns_and_comes_back_from_json_lines(shared: Path, tmp_path: Path) -> None:
    """JSON lines have the first blocks of each file, so that the test takes seconds."""
    for path in files(shared / "data"):
        blocks = blocks_of(path)
        out, objects = io.StringIO(), io.StringIO()
        m2.write(iter(blocks), out)
        assert blocks.table.written() == out.getvalue(), path
        blocks = blocks[:FIRST]
        m2.write_json_lines(blocks, objects)
        (tmp_path / "x.jsonl").write_text(objects.getvalue(), encoding="utf-8", newline="\n")
        assert list(m2.read_json_lines(tmp_path / "x.jsonl")) == blocks, path


def test_operations_of_types_and_of_edits(shared: Path) -> None:
    """Of ERRANT's files the letter of the type decides; by what edits do it would be the same for all but a few, such
    as M:PUNCT of "although" made ". Although"."""
    total = different = 0
    for path in [*sorted((shared / "data" / "conll14-errant").glob("*.m2")), shared / "data" / "bea19-dev" / "gold.m2"]:
        columns = EditColumns(m2.Blocks.read(path).edits)
        operations = columns.operations()
        for operation in "MRU":
            typed = columns.are_of_type(lambda name, letter=operation: name.startswith(f"{letter}:"))
            assert (typed == (operations == operation)).all(), path
            total += int(typed.sum())
        different += int(((columns.start == columns.end) & columns.is_edit & (operations != "M")).sum())
        different += int(((columns.start != columns.end) & (operations == "M")).sum())
    assert total > 20_000
    assert 0 < different < 200


def test_diff_counts_as_errant_compare_does(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hypothesis, reference = (str(shared / "data" / "conll14-errant" / f"{name}.m2") for name in ("AMU", "CAMB"))
    difference = m2.diff(m2.Blocks.read(hypothesis), m2.Blocks.read(reference))
    assert main(["errant_compare", "-hyp", hypothesis, "-ref", reference]) == 0
    counts = next(line for line in capsys.readouterr().out.splitlines() if line[:1].isdigit()).split()[:3]
    first, second, both = *difference.edits, difference.shared
    assert [int(count) for count in counts] == [both, first - both, second - both]


def test_what_was_dropped_is_what_was_asked(shared: Path) -> None:
    """On CoNLL-2014: filtering by a type and by all others share out the edits, and no sentence and nobody is lost."""
    blocks = m2.Blocks.read(shared / "data" / "conll14" / "gold.m2")
    before = m2.stats(blocks)
    parts = [m2.stats(m2.filter(blocks, types=["ArtOrDet", "Prep"], invert=invert)) for invert in (False, True)]
    assert parts[0].types + parts[1].types == before.types
    assert set(parts[0].types) == {"ArtOrDet", "Prep"}
    for part in parts:
        assert {who: counts.sentences for who, counts in part.annotators.items()} == {
            who: counts.sentences for who, counts in before.annotators.items()
        }
