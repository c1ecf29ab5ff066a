"""Whole corpora through geceval.errant, and their edits as spans and back."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from geceval import errant, m2
from support.commands import run_main
from support.golden import lines


@pytest.mark.parametrize(("corpus", "target"), [("conll14", "systems/AMU"), ("jfleg-dev", "ref0"), ("fuzz", "hyp")])
def test_edits_of_a_corpus(shared: Path, tmp_path: Path, corpus: str, target: str) -> None:
    files = [str(shared / "data" / corpus / f"{name}.txt") for name in ("source", target)]
    out = tmp_path / "edits.m2"
    assert run_main(["annotate", "-s", files[0], "-c", files[1], "-o", str(out)]).status == 0
    blocks = list(m2.read(out))
    pairs = list(zip(*(lines(Path(path)) for path in files), strict=True))
    annotator = errant.load("en")
    for block, (source, corrected), edits in zip(blocks, pairs, annotator.annotate_many(pairs), strict=True):
        assert [edit.to_m2() for edit in edits] == [str(edit) for edit in block.edits if not edit.is_noop]
        for edit in edits:
            assert source[edit.o_start_char : edit.o_end_char].split() == edit.o_str.split()
            assert corrected[edit.c_start_char : edit.c_end_char].split() == edit.c_str.split()
    spans = tmp_path / "spans.jsonl"
    text = io.StringIO()
    m2.write_spans(blocks, text)
    spans.write_text(text.getvalue(), encoding="utf-8")
    assert list(m2.read_json_lines(spans)) == blocks
