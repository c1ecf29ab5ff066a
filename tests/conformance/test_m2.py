"""M2 files of the field: byte for byte round trips, and references equal to the published ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from geceval.text import m2

#: No M2 as ours writes it, by folder: what `check` says of it.
ODD = {"estgec-dev": "a second S line in one block"}


def files(data: Path) -> list[Path]:
    return [*sorted(data.rglob("*.m2")), data / "m2scorer-example" / "source_gold"]


def test_every_file_comes_out_byte_for_byte(shared: Path) -> None:
    """But for line ends of DOS, which some files have and which are not kept."""
    found = files(shared / "data")
    assert len(found) > 5
    for path in found:
        odd = next((message for folder, message in ODD.items() if folder in path.parts), None)
        if odd:
            assert any(fault.message.startswith(odd) for fault in m2.check(path)), path
            continue
        out = io.StringIO()
        m2.write(m2.read(path), out)
        assert out.getvalue().encode() == path.read_bytes().replace(b"\r\n", b"\n"), path


@pytest.mark.parametrize(("missing", "suffix"), [("fallback", ""), ("plain", "_plain")])
def test_references_of_conll14(shared: Path, missing: m2.Missing, suffix: str) -> None:
    folder = shared / "data" / "conll14"
    references = m2.references(m2.read(folder / "gold.m2"), missing)
    for annotator, lines in enumerate(references):
        expected = (folder / f"ref{annotator}{suffix}.txt").read_text(encoding="utf-8")
        assert "".join(line + "\n" for line in lines) == expected


def test_the_faults_of_a_published_file_are_found(shared: Path) -> None:
    faults = m2.check(shared / "data" / "jfleg-dev" / "gold.m2")
    assert faults
    assert all("tokens" in fault.message for fault in faults)
