"""Small inputs made after public reports: each gives the right number, or a message with the cause and a step."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import Run

LISTS = ("-i", "jfleg.csv", "--source-column", "sentence", "--reference-column", "corrections")
SCORE = ("-m", "errant", "-f", "csv", "-q")
TEXTS = ("score", "-s", "source.txt", "-r", "ref.txt")


@pytest.mark.parametrize(
    ("case", "command", "output"),
    [
        ("11", ("score", *LISTS, *SCORE), "100.00"),
        ("14", ("m2", "convert", "wi.json", "--to", "m2", "--tokenise", "english"), "A 5 6|||R|||day|||"),
        ("14", ("m2", "convert", "hf.jsonl", "--to", "m2"), "A 1 2|||R|||goes|||"),
        ("14", ("m2", "convert", "fce.json", "--to", "m2", "--tokenise", "english"), "A 1 2|||AGV|||goes|||"),
        ("15", ("m2", "convert", "doc.ann", "--to", "m2", "--tokenise", "ua-gec"), "A 1 2|||Spelling|||"),
        ("18", (*TEXTS, "-c", "sys.txt", *SCORE, "--encoding", "cp1252"), "sys,88.24"),
        ("19", ("score", "-i", "sep.csv", *SCORE), "hypothesis,90.91"),
        ("19", ("score", "-i", "q.tsv", *SCORE), "hypothesis,90.91"),
        ("20", ("score", "-i", "pairs.tsv", *SCORE), "hypothesis,"),
        ("24", (*TEXTS, "-c", "u16.txt", *SCORE, "--encoding", "utf-16-le"), "u16,90.91"),
    ],
)  # fmt: skip
def test_input_is_read_as_it_is_meant(
    run: Run, shared: Path, monkeypatch: pytest.MonkeyPatch, case: str, command: tuple[str, ...], output: str
) -> None:
    monkeypatch.chdir(shared / "cases" / case)
    result = run(*command)
    assert output in result.out, result.err


@pytest.mark.parametrize(
    ("case", "command", "form"),
    [
        ("14", ("score", "--gold", "wi.json", "-c", "wi.json"), "W&I+LOCNESS"),
        ("16", ("m2", "convert", "c.ann", "--to", "m2"), "BRAT"),
        ("24", (*TEXTS, "-c", "u16.txt"), "UTF-16"),
        ("24", ("score", "--gold", "gold.zip", "-c", "ref.txt"), "zip archive"),
        ("24", ("score", "-i", "x.csv"), "zip archive (or a damaged office file)"),
        ("25", ("m2", "convert", "fce.xml", "--to", "m2"), "(FCE)"),
        ("25", ("m2", "convert", "nucle.sgml", "--to", "m2"), "NUCLE"),
        ("25", ("score", "-i", "fcgec.json", "-m", "errant"), "FCGEC"),
        ("25", ("annotate", "-s", "gitTypo.jsonl", "-c", "gitTypo.jsonl"), "GitHub Typo Corpus"),
        ("25", ("m2", "convert", "prodigy.jsonl", "--to", "m2"), "Prodigy"),
        ("25", ("m2", "convert", "labelstudio.json", "--to", "m2"), "Label Studio"),
        ("25", ("m2", "convert", "inception.tsv", "--to", "m2"), "WebAnno"),
    ],
)
def test_form_is_named_with_a_step(
    run: Run, shared: Path, monkeypatch: pytest.MonkeyPatch, case: str, command: tuple[str, ...], form: str
) -> None:
    monkeypatch.chdir(shared / "cases" / case)
    result = run(*command)
    assert result.status == 2
    assert form in result.err
    assert "hint: " in result.err


@pytest.mark.parametrize(
    ("case", "command", "status", "text"),
    [
        (
            "02",
            ("score", "--gold", "clash.m2", "-c", "sys4.txt", *SCORE),
            2,
            "clash.m2:4: a second S line in one block",
        ),
        ("03", ("m2", "check", "unsorted.m2"), 1, "unsorted.m2:3: annotator 0: edits out of order"),
        ("03", ("score", "--gold", "unsorted.m2", "-c", "sys.txt", "-m", "maxmatch", "-f", "csv"), 0, "sys,100.00"),
        ("04", ("annotate", "-s", "source.txt", "-c", "ref.txt"), 2, "ref.txt:1: M2 cannot contain"),
        ("04", ("m2", "check", "gold.m2"), 1, "gold.m2:2: a bar next to a separator"),
        ("04", ("m2", "check", "gold.m2"), 1, "gold.m2:5: expected 6 fields, found 7"),
        ("26", ("m2", "check", "f7.m2"), 1, "f7.m2:2: expected 6 fields, found 7"),
        ("26", ("m2", "check", "f4p.m2"), 1, "f4p.m2:2: a bar next to a separator"),
        ("26", ("score", "--gold", "neg.m2", "-c", "neg.m2"), 2, "must be an integer from 0 to 999999999"),
        ("27", ("m2", "apply", "neg.m2"), 2, "--misfits drop leaves out such edits"),
        ("27", ("m2", "apply", "neg.m2", "--misfits", "drop"), 0, "a b c .\nShe goes .\n"),
        (
            "27",
            ("m2", "filter", "neg.m2", "--misfits", "drop"),
            0,
            "neg.m2:2: dropped: 1 edit that does not fit its sentence",
        ),
        ("27", ("score", "--gold", "neg.m2", "-c", "negsys.txt", "-m", "errant", "--misfits", "drop"), 0, "100.00"),
    ],
)
def test_m2_is_read_as_it_is_meant_or_refused(
    run: Run, shared: Path, monkeypatch: pytest.MonkeyPatch, case: str, command: tuple[str, ...], status: int, text: str
) -> None:
    monkeypatch.chdir(shared / "cases" / case)
    result = run(*command)
    assert (result.status, text in result.out + result.err) == (status, True), result
