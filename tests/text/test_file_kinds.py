"""Files are recognised by their content, and messages name the kind and a step that works."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import geceval
from geceval import m2
from geceval.base.errors import InputError, UsageError
from geceval.text.files import is_m2, kind_of
from geceval.text.reading.file_kinds import KINDS, kind_of_content
from support.commands import Run
from support.written_files import write

SOURCE, CORRECTED = "Tom sing well .\nWe was there .\n", "Tom sings well .\nWe were there .\n"
M2 = (
    "S Tom sing well .\nA 1 2|||R:VERB:SVA|||sings|||REQUIRED|||-NONE-|||0\n\n"
    "S We was there .\nA 1 2|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0\n\n"
)
LEARNER = {"text": "Tom sing well.\n\nWe was on a the café.", "edits": [[0, [[4, 8, "sings", "V"], [19, 22, "were"]]]]}


def archive(kind: str) -> bytes:
    out = io.BytesIO()
    if kind == "tar":
        with tarfile.open(fileobj=out, mode="w") as files:
            info = tarfile.TarInfo("gold.m2")
            info.size = len(M2)
            files.addfile(info, io.BytesIO(M2.encode()))
    else:
        with zipfile.ZipFile(out, "w") as files:
            files.writestr("gold.m2", M2)
    return out.getvalue()


CONTENTS = {
    "m2": M2.encode(),
    "m2 without edits": b"S Tom sings .\n\nS We sing .\n\n",
    "utf-16": SOURCE.encode("utf-16"),
    "utf-16-le": SOURCE.encode("utf-16-le"),
    "utf-16-be": SOURCE.encode("utf-16-be"),
    "utf-16-le Chinese": "他去学校 。\n我喜欢苹果 。\n".encode("utf-16-le"),
    "utf-16-be Russian": "Он пошёл домой .\n".encode("utf-16-be"),
    "utf-32-le": SOURCE.encode("utf-32-le"),
    "utf-32": SOURCE.encode("utf-32"),
    "zip": archive("zip"),
    "tar": archive("tar"),
    "gzip": gzip.compress(gzip.compress(SOURCE.encode())),
    "learner-json": json.dumps(LEARNER).encode(),
    "learner-json of lists": b'{"id": "1", "edits": {"start": [4], "end": [8], "text": ["sings"]}, "text": "Tom sing"}',
    "chat": b"@UTF8\n@Begin\n@Languages:\teng\n*STU:\the goed [: went] [*] home .\n@End\n",
    "nuspell": b"Enter some text: * OK\n& Wrong: teh. How about: the, tea\n\n",
    "gramadoir": b'<?xml version="1.0"?>\n<!DOCTYPE matches SYSTEM "x">\n<matches>\n</matches>\n',
    "ua-gec": b"Tom {sing=>sings:::error_type=G/Verb} well .\n",
    "fce-xml": b'<?xml version="1.0"?>\n<learner><text><p>Tom <NS type="AGV"><i>sing</i></NS></p></text></learner>',
    "nucle": b'<DOC nid="7">\n<TEXT>\n<P>\nTom sing well .\n</P>\n</TEXT>\n</DOC>',
    "webanno": b"#FORMAT=WebAnno TSV 3.2\n\n#Text=Tom sing\n1-1\t0-3\tTom\t_\n",
    "label-studio": b'[{"id": 7, "data": {"text": "Tom"}, "annotations": [{"id": 1, "result": [{"value": {}}]}]}]',
    "prodigy": b'{"text": "Tom sing", "_input_hash": -3, "spans": [{"start": 4, "end": 8, "label": "V"}]}\n',
    "github-typo": b'{"edits": [{"src": {"text": "Tom sing"}, "tgt": {"text": "Tom sings"}, "is_typo": true}]}\n',
    "fcgec": b'{"1": {"sentence": "x", "error_flag": 1, "operation": "[{}]", "version": "FCGEC"}}',
    "brat": b"T1\tVerb 4 8\tsing\n#1\tAnnotatorNotes T1\tsings\n",
    "multiged": b"He\tc\ngo\ti\nhome\tc\n.\tc\n\n",
    "conllu": b"# sent_id = 1\n# text = Tom sings\n1\tTom\tTom\tPROPN\t_\t_\t2\tnsubj\t_\t_\n",
    "fairseq": b"INFO:fairseq_cli.generate:x\nS-1\tWe was .\nT-1\tWe were .\nH-1\t-0.1\tWe were .\nS-0\tTom sing .\n",
    "fairseq of one role": b"H-1\t-0.25\tWe were .\nH-0\t-1e-05\tTom sings .\n",
    "nbest": b"0 ||| Tom sings . ||| F0= -1.5 ||| -1.5\n0 ||| Tom sing . ||| F0= -2 ||| -2\n",
    "nbest of an empty line": b"0 |||  ||| F0= -6.84096 ||| 0\n",
    "para": b"1\tTom sing .\tTom sings .\n2\tWe was .\tWe were .\tWe are .\n",
    "candidates": b"1\tTom sings .\t0.75\n1\tTom sing .\t-1e-05\n2\tWe was .\t0.5\n",
    "results": b'{\n "schema": "geceval/candidates@1",\n "sentences": []\n}\n',
    "html-table": b"<table><tr><th>source</th></tr></table>\n",
    "subtitles": b"1\n00:00:01,000 --> 00:00:02,500\nTom sings .\n\n",
    "diff": b"--- a.txt\n+++ b.txt\n@@ -1 +1 @@\n-Tom sing .\n+Tom sings .\n",
    "diff of git": b"diff --git a/a.txt b/b.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-Tom\n",
    "opennmt": b"\nSENT 1: ['Tom', 'sing', '.']\nPRED 1: Tom sings .\nPRED SCORE: -0.1\n",
    "sgm": b'<refset setid="x"><doc>\n<seg id="1"> Tom sings . </seg>\n</doc></refset>\n',
    "markdown-table": b"| source | reference |\n|:---|---|\n| Tom sing . | Tom sings . |\n",
    "stata": b"<stata_dta><header><release>118</release>",
    "orc": b"ORC\n\x0b",
    "avro": b"Obj\x01\x04\x14avro.codec",
    "rtf": b"{\\rtf1\\ansi\nTom sings .\\par\n}\n",
    "flat-opendocument": b'<?xml version="1.0"?>\n<office:document><office:body/></office:document>\n',
    "excel-xml": b'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>\n',
    "html": b"<!DOCTYPE html>\n<html><body>Tom</body></html>",
    "tmx": b'<?xml version="1.0"?>\n<tmx version="1.4"><body/></tmx>',
    "xliff": b'<?xml version="1.0"?>\n<xliff version="1.2"><file/></xliff>',
    "ctm": b"".join(b"utt1 1 0.%d 0.10 word 0.9\n" % n for n in range(5)),
    "trn": b"".join(b"Tom sings . (s1-%03d)\n" % n for n in range(5)),
    "xml": b'<?xml version="1.0"?>\n<essays/>',
    "json": b'[\n  "Tom sings .",\n  "We were ."\n]\n',
    "json of one line": b'["Tom sings .", "We were ."]',
    "json of objects": b'[{"source": "Tom sing ."}]',
    "suggestions": b'{"software": {}, "matches": [{"offset": 0, "length": 3, "replacements": []}]}',
    "pdf": b"%PDF-1.7\n",
    "office-97": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
    "arrow-stream": b"\xff\xff\xff\xff\xd0\0\0\0\x10\0\0\0\0\0\n\0",
    "parquet": b"PAR1\x15\x04",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_content_is_recognised_under_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes(CONTENTS[name])
    kind = kind_of(str(path))
    assert kind is not None
    assert kind.key == name.split()[0]
    if name == "suggestions":
        return
    with pytest.raises(InputError) as error:
        geceval.read_corpus(str(path), [str(path)], {"a": str(path)})
    assert kind.description in error.value.message
    assert error.value.hint
    assert "{path}" not in str(error.value.hint)


def test_suggestions_are_read_under_any_name(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("source.txt").write_text(SOURCE, encoding="utf-8")
    Path("ref.txt").write_text(CORRECTED, encoding="utf-8")
    match = {"offset": 4, "length": 4, "replacements": [{"value": "sings"}], "rule": {"id": "VERB"}}
    Path("answer.txt").write_text(json.dumps({"matches": [match]}), encoding="utf-8")
    score = run(
        "score", "-s", "source.txt", "-r", "ref.txt", "-c", "answer.txt", "-m", "errant", "--parts", "-f", "csv"
    )
    assert score.out.splitlines()[1].startswith("answer,1")
    hint = run("score", "--gold", "answer.txt", "-c", "ref.txt").err.partition("; ")[2].partition(" > ")[0]
    assert "|||VERB|||sings|||" in run(*hint.replace("SOURCE", "source.txt").split()[1:]).out


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="{}<>[]\0\n\r\t"), min_size=1), min_size=1))
def test_sentences_have_no_kind(sentences: list[str]) -> None:
    text = "\n".join(["Tom sings .", *sentences])
    assert kind_of_content(text.encode()) is None


@pytest.mark.parametrize("name", ["sys.txt", "sys.errant", "sys.json", "sys"])
def test_m2_is_read_under_any_name(tmp_path: Path, run: Run, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(M2, encoding="utf-8")
    Path(name).write_text(M2, encoding="utf-8")
    assert is_m2(name)
    expected = run("score", "--gold", "gold.m2", "-c", "sys=gold.m2", "-m", "errant").out
    assert run("score", "--gold", name, "-c", f"sys={name}", "-m", "errant").out == expected
    assert "is an M2 file" in run("score", "-s", name, "-r", name, "-c", name).err
    assert run("m2", "convert", name, "--to", "spans").out == run("m2", "convert", "gold.m2", "--to", "spans").out


def test_output_of_select_is_refused_as_text_with_the_step_that_writes_it(tmp_path: Path, run: Run) -> None:
    source, first, second = tmp_path / "s.txt", tmp_path / "a.txt", tmp_path / "b.txt"
    for path, text in ((source, SOURCE), (first, SOURCE), (second, CORRECTED)):
        path.write_text(text, encoding="utf-8")
    words = ["select", "-s", str(source), "-c", str(first), str(second), "-r", str(second), "--criterion", "green"]
    for ending, message in (("tsv", "a table of candidates"), ("json", "the JSON output of a geceval command")):
        path = tmp_path / f"chosen.{ending}"
        run(*words, "-o", str(path))
        error = run("score", "-s", str(source), "-r", str(second), "-c", str(path)).err
        assert f"this is {message}" in error
    chosen = ["select", "-c", str(tmp_path / "chosen.tsv"), "--criterion", "scores"]
    assert run(*chosen).out == CORRECTED


@pytest.mark.parametrize("name", ["empty.json", "empty.m2"])
def test_empty_file_of_edits_has_no_sentences(tmp_path: Path, name: str) -> None:
    source, path = tmp_path / "s.txt", tmp_path / name
    source.write_text(SOURCE, encoding="utf-8")
    path.write_bytes(b"")
    with pytest.raises(InputError, match="not the same number of sentences"):
        geceval.read_corpus(str(source), [str(source)], {"a": str(path)})


def test_messages_name_the_kind_and_the_step(
    tmp_path: Path, run: Run, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    messages = []
    for name, content in CONTENTS.items():
        path = Path(f"{name.replace(' ', '-')}.tsv")
        path.write_bytes(content)
        messages += [run("m2", "check", str(path)).err, run("score", "-i", str(path)).err]
    assert "\n".join(messages) == snapshot


# --- learner corpora ---


@pytest.mark.parametrize("name", ["label-studio", "prodigy"])
def test_json_of_annotation_tools_is_no_reference(tmp_path: Path, name: str) -> None:
    """Its only texts are the sources, and decisions of annotators, such as "accept"."""
    path = tmp_path / "export.json"
    path.write_bytes(CONTENTS[name])
    source = write(tmp_path / "source.txt", "Tom sing\n")
    with pytest.raises(InputError, match=KINDS[name].description):
        geceval.read_corpus(str(source), [str(path)], {})


def converted(tmp_path: Path, content: bytes, **options: str) -> str:
    path = tmp_path / "essays.json"
    path.write_bytes(content)
    out = io.StringIO()
    m2.write(m2.read_json_lines(path, **options), out)
    return out.getvalue()


def test_essay_with_edits_becomes_a_block_per_line(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "essays.json"
    path.write_text(json.dumps(LEARNER), encoding="utf-8")
    assert run("m2", "convert", str(path), "--to", "m2", "--tokenise", "english").out == (
        "S Tom sing well .\nA 1 2|||V|||sings|||REQUIRED|||-NONE-|||0\n\n"
        "S We was on a the café .\nA 1 2|||R|||were|||REQUIRED|||-NONE-|||0\n\n"
    )


def test_edit_without_correction_marks_an_error_and_annotators_stay(tmp_path: Path) -> None:
    essay = {"text": "Tom sing .", "edits": [[0, [[4, 8, None]]], [3, [[0, 3, ""], [4, 8, "sings"]]], [5, []]]}
    assert converted(tmp_path, json.dumps(essay).encode()) == (
        "S Tom sing .\n"
        "A 1 2|||UNK|||sing|||REQUIRED|||-NONE-|||0\n"
        "A 0 1|||U||||||REQUIRED|||-NONE-|||3\n"
        "A 1 2|||R|||sings|||REQUIRED|||-NONE-|||3\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||5\n\n"
    )


def test_edit_of_a_word_keeps_the_punctuation_beside_it(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "essays.json"
    path.write_text(json.dumps({"text": "(We was.)", "edits": [[0, [[4, 7, "were"]]]]}), encoding="utf-8")
    lines = run("m2", "convert", str(path), "--to", "m2", "--tokenise", "english").out.splitlines()
    assert lines[1] == "A 2 3|||R|||were|||REQUIRED|||-NONE-|||0"


def test_markup_is_converted(tmp_path: Path) -> None:
    text = "Tom {sing=>sings:::error_type=G/Verb}{=> very:::error_type=F} well {now=>} .\nWe sing ."
    assert converted(tmp_path, text.encode()) == (
        "S Tom sing well now .\n"
        "A 1 2|||G/Verb|||sings|||REQUIRED|||-NONE-|||0\n"
        "A 2 2|||F|||very|||REQUIRED|||-NONE-|||0\n"
        "A 3 4|||U||||||REQUIRED|||-NONE-|||0\n\n"
        "S We sing .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )


def test_edits_of_several_lines_are_warned_of_and_other_forms_are_errors(tmp_path: Path) -> None:
    with pytest.warns(geceval.GecevalWarning, match="ignored edits that span several lines: 1"):
        converted(tmp_path, b'{"text": "a b\\nc d", "edits": [[0, [[2, 5, "x"]]]]}')
    lists = '{"start": [0], "end": [1, 3], "text": ["x"]}'
    for edits in ("[[0, 1]]", '[[0, [["a", 1, "x"]]]]', "[[[1, 2]]]", lists, lists.replace("[0]", "0")):
        with pytest.raises(InputError):
            converted(tmp_path, f'{{"text": "a b", "edits": {edits}}}'.encode())


# --- encodings ---


@pytest.fixture
def encoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("source.txt").write_text("She go to the café – daily .\n", encoding="utf-8")
    Path("sys.txt").write_text("She goes to the café – daily .\n", encoding="cp1252")


SCORE = ("score", "-s", "source.txt", "-r", "sys.txt", "-c", "sys.txt", "-m", "errant", "-f", "csv")


def test_hint_on_the_encoding_works(encoded: None, run: Run) -> None:
    error = run(*SCORE).err
    assert "hint: --encoding cp1252" in error
    assert run(*SCORE, "--encoding", "cp1252").out == "system,ERRANT\nsys,100.00\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "cp1250", "iso2022_jp", "utf-8", "utf-7"])
def test_any_encoding_is_read(encoded: None, encoding: str) -> None:
    text = "Sie geht ins Kaffee" if encoding in ("iso2022_jp", "utf-7") else "Sie geht ins Café"
    Path("sys.txt").write_text(text + "\n", encoding=encoding)
    assert list(geceval.read_corpus("source.txt", (), {"a": "sys.txt"}, encoding=encoding).systems["a"]) == [text]


def test_encoding_is_checked_and_recorded(encoded: None, run: Run) -> None:
    assert "did you mean cp1252?" in run(*SCORE, "--encoding=cp12522").err
    assert "did you mean" not in run(*SCORE, "--encoding=hex").err
    assert "--encoding is given twice" in run(*SCORE, "--encoding=cp1252", "--encoding", "cp1250").err
    assert "--encoding takes a value" in run(*SCORE, "--encoding").err
    assert "neither UTF-8 nor utf-16" in run(*SCORE, "--encoding", "utf-16").err
    with pytest.raises(UsageError, match="unknown encoding"):
        geceval.read_corpus("source.txt", (), {"a": "sys.txt"}, encoding="rot13")
    assert run(*SCORE, "--encoding", "cp1252", "--record", "run.json").status == 0
    assert run("reproduce", "run.json").status == 0


def test_tables_and_pipes_are_decoded(encoded: None, run: Run) -> None:
    rows = "source,reference,hypothesis\nShe go – .,She goes – .,She goes – .\n".encode("cp1252")
    Path("table.csv").write_bytes(rows)
    score = ("-m", "errant", "-f", "csv", "--encoding", "cp1252")
    assert run("score", "-i", "table.csv", *score).out == "system,ERRANT\nhypothesis,100.00\n"
    assert list(geceval.read_table("table.csv", encoding="cp1252").source) == ["She go – ."]
