"""Corrections in the outputs of decoders, as fairseq 0.12.3, Marian 1.12.42 and Moses write them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval.selection.candidate_files import read_candidates
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.nbest import corrections_in
from support.commands import Run
from support.messages import message_of
from support.written_files import write

SOURCE = "Tom sing .\nWe was there .\nI .\n"
#: In the order of batches, with pieces of words, and without those.
FAIRSEQ = """\
2026-11-30 15:03:33 | INFO | fairseq_cli.generate | loading model(s) from checkpoint_best.pt
S-2\tI .
T-2\tI .
H-2\t-0.25\tI .
D-2\t-0.25\tI .
P-2\t-0.2 -0.3
S-1\tWe was there .
T-1\tWe were <<unk>> .
H-1\t-0.5\tWe w@@ ere there .
D-1\t-0.5\tWe were there .
P-1\t-0.5 -0.5 -0.5 -0.5
S-0\tTom sing .
T-0\tTom sings .
H-0\t-1.0\tTom sing@@ s .
D-0\t-1.0\tTom sings .
P-0\t-1.0 -1.0 -1.0
Generate test with beam=2: BLEU4 = 0.00, 0.0/0.0/0.0/0.0 (BP=0.047, ratio=0.246, syslen=200, reflen=812)
"""
INTERACTIVE = "S-0\tTom sing .\nW-0\t0.086\tseconds\nH-0\t-6.8\tTom sings .\nD-0\t-6.8\tTom sings .\nP-0\t-6.2 -6.1\n"
MARIAN = """\
0 ||| Tom sings . ||| F0= -4.5 ||| -4.5
0 ||| Tom sing . ||| F0= -5 ||| -5
1 ||| We were there . ||| F0= -1.5 ||| -1.5
1 ||| We was there . ||| F0= -1e1 ||| -1e1
2 |||  ||| F0= -6.84096 ||| 0
"""
WITH_ALIGNMENT = "0 ||| Tom sings . ||| 0-0 1-1 ||| WordScores= -1 -2 -3 ||| F0= -4.5 ||| -4.5\n"
MOSES = "0 ||| Tom sings . ||| LM0= -3 TranslationModel0= -1 0 ||| -4.5 ||| 0-0 1-1 2-2\n"
CORRECTED = ["Tom sings .", "We were there .", "I ."]


def test_fairseq_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    write(tmp_path / "source.txt", SOURCE)
    system = write(tmp_path / "generate-test.txt", FAIRSEQ)
    corpus = geceval.read_corpus(str(tmp_path / "source.txt"), [], [str(system)])
    assert list(corpus.systems["generate-test"]) == CORRECTED


def test_without_decoded_lines_the_tokens_are_read(tmp_path: Path) -> None:
    lines = "".join(f"{line}\n" for line in FAIRSEQ.splitlines() if line.startswith("H-"))
    candidates = read_candidates(write(tmp_path / "hypotheses.txt", lines))
    assert candidates.texts == [["Tom sing@@ s ."], ["We w@@ ere there ."], ["I ."]]
    assert candidates.scores == [[-1.0], [-0.5], [-0.25]]


@pytest.mark.parametrize("text", [INTERACTIVE, WITH_ALIGNMENT, MOSES])
def test_outputs_of_one_sentence(tmp_path: Path, text: str) -> None:
    candidates = read_candidates(write(tmp_path / "out.txt", text))
    assert candidates.texts == [["Tom sings ."]]
    assert candidates.scores == [[-6.8 if text is INTERACTIVE else -4.5]]


def test_all_corrections_are_candidates(tmp_path: Path) -> None:
    candidates = read_candidates(write(tmp_path / "out.nbest", MARIAN))
    assert candidates.texts == [["Tom sings .", "Tom sing ."], ["We were there .", "We was there ."], [""]]
    assert candidates.scores == [[-4.5, -5], [-1.5, -10], [0]]


def test_the_first_correction_is_scored_with_a_warning(
    tmp_path: Path, run: Run, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, system = write(tmp_path / "source.txt", SOURCE), write(tmp_path / "out.txt", MARIAN)
    reference = write(tmp_path / "reference.txt", "\n".join([*CORRECTED[:2], "", ""]))
    monkeypatch.chdir(tmp_path)
    files = ["-s", source.name, "-r", reference.name, "-c", system.name]
    finished = run("score", *files, "-m", "errant", "--blank", "empty")
    assert finished.status == 0
    assert finished.out.splitlines()[2].split() == ["out", "100.00"]
    assert finished.err == snapshot
    chosen = run("select", "-s", source.name, "-c", system.name, "--criterion", "scores", "-q")
    assert chosen.out.splitlines() == [*CORRECTED[:2], ""]


@pytest.mark.parametrize(
    "text",
    [
        FAIRSEQ.replace("-1\t", "-9\t"),
        MARIAN.replace("1 |||", "9 |||"),
        MARIAN + "We are\n",
        MARIAN + "3 ||| We are ||| F0= x ||| x\n",
    ],
)
def test_outputs_that_are_not_complete(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    path = write(tmp_path / "out.txt", text)
    assert message_of(read_candidates, path) == snapshot
    source = str(write(tmp_path / "source.txt", SOURCE))
    assert message_of(geceval.read_corpus, source, [], [str(path)]) == snapshot


@pytest.mark.parametrize("role", ["source", "reference"])
def test_other_texts_are_refused(tmp_path: Path, role: str, snapshot: SnapshotAssertion) -> None:
    source, output = write(tmp_path / "source.txt", SOURCE), write(tmp_path / "out.txt", FAIRSEQ)
    files = (output, [source]) if role == "source" else (source, [output])
    assert message_of(geceval.read_corpus, *files, [source]) == snapshot


texts = st.lists(st.text("ab@| ,é").map(str.strip).filter(lambda text: "|||" not in text), min_size=1, max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(texts, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_any_order_gives_the_same_corrections(tmp_path: Path, rows: list[list[str]], random: Random) -> None:
    numbered = list(enumerate(rows))
    random.shuffle(numbered)
    pairs = [(number, text) for number, row in numbered for text in row]
    nbest = "".join(f"{number} ||| {text} ||| F0= -1 ||| -1\n" for number, text in pairs)
    fairseq = "".join(f"H-{number}\t-1\t{text}\n" for number, text in pairs)
    for kind, content in (("nbest", nbest), ("fairseq", fairseq)):
        file = InputFile(str(write(tmp_path / f"out.{kind}", content)))
        assert [[item.text for item in row] for row in corrections_in(file, kind)] == rows
