"""The definitions that come with geceval, on the data they are about: published numbers, and damaged copies told."""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from geceval.cli.main import main
from geceval.studies.suites.known_files import check_file, check_folder, known_files, recognise
from geceval.studies.suites.published_numbers import verify_suite
from geceval.studies.suites.suite_files import bundled, read_suite
from support.tools_here import tool

#: What each definition must say of the data: numbers that come out, and known ones that do not.
OUTCOMES = {"bea19-dev": (2, 0), "conll14": (20, 3), "gjg15": (12, 2), "jfleg": (2, 0), "seeda": (44, 22)}


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "data"


def test_all_definitions_are_here() -> None:
    assert list(bundled()) == sorted(OUTCOMES)
    for name in bundled():
        suite = read_suite(name)
        assert "https://" in suite.about
        assert suite.published
        for of in (*suite.sets.values(), *suite.judged.values()):
            named = [*of.texts.paths, *of.systems.values()]
            assert all(path.removeprefix("@") in known_files() for path in named)


def test_the_catalogue_is_that_of_the_data(data: Path) -> None:
    tools = tool("fingerprints")
    assert tools.CATALOGUE.read_text(encoding="utf-8") == tools.catalogue(data)
    for entry in tools.entries():
        found = check_file(str(data / entry.path))
        assert found.state == "exact"
        assert found.known is not None
        assert found.known.print == known_files()[entry.id].print


@pytest.mark.parametrize("name", sorted(OUTCOMES))
def test_published_numbers(name: str, data: Path, tmp_path: Path) -> None:
    verdicts, notes = verify_suite(name, data=_part(data, tmp_path))
    assert notes == []
    said = {(one.published.of, one.metric, one.what): (one.value, one.ours) for one in verdicts}
    assert [one for one in verdicts if one.outcome in ("different", "missing")] == [], said
    outcomes = [one.outcome for one in verdicts]
    assert (outcomes.count("equal"), outcomes.count("explained")) == OUTCOMES[name]


def _part(data: Path, folder: Path) -> str:
    """The known files under other names, as a user may have them: links, so that nothing is copied."""
    for at, entry in enumerate(tool("fingerprints").entries()):
        (folder / f"file{at}").symlink_to(data / entry.path)
    return str(folder)


def test_verify_in_words(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = _part(data, tmp_path)
    assert main(["suite", "conll14", "--verify", "--data", folder]) == 0
    printed = capsys.readouterr()
    assert "your CoNLL-2014 files give AMU 35.01 as published\n20 as published, 3 known to differ\n" in printed.out
    gold = next(path for path in tmp_path.iterdir() if path.resolve() == (data / "conll14/gold.m2").resolve())
    gold.unlink()
    gold.write_bytes((data / "conll14/gold.m2").read_bytes().replace(b"\n", b"\r\n"))
    assert main(["suite", "conll14", "--verify", "--data", folder]) == 0  # they are read alike
    assert "CRLF line ends; read as CoNLL-2014 test, official gold" in capsys.readouterr().err
    gold.write_bytes(_without_annotator((data / "conll14/gold.m2").read_bytes()))
    assert main(["suite", "conll14", "--verify", "--data", folder, "-f", "json"]) == 1
    printed = capsys.readouterr()
    rows = json.loads(printed.out)["published"]
    assert {row["outcome"] for row in rows if row["set"] == "conll14"} == {"missing"}
    assert "annotator 1 is missing; nearly CoNLL-2014 test, official gold" in printed.err


def test_only_files_of_systems_in_the_table_are_looked_up(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The data folder has the gold alone."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data/gold").symlink_to(data / "bea19-dev/gold.m2")
    for system in ("mine", "T5-Large"):  # the second name is in the definition, too
        (tmp_path / "outputs" / system).mkdir(parents=True)
        (tmp_path / "outputs" / system / "bea19-dev.m2").symlink_to(data / "bea19-dev/errant/T5-Large.m2")
    line = ["suite", "bea19-dev", "--data", str(tmp_path / "data"), "-c", str(tmp_path / "outputs"), "--samples", "20"]
    assert main([*line, "-q"]) == 0
    assert [row.split()[1] for row in capsys.readouterr().out.splitlines()[4:6]] == ["60.11", "60.11"]


def test_verification_checks_all_but_the_altered_file(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("gold", "errant/GECToR-XLNet"):
        (tmp_path / Path(name).name).symlink_to(data / f"bea19-dev/{name}.m2")
    altered = (data / "bea19-dev/errant/T5-Large.m2").read_text(encoding="utf-8").split("\n")
    altered[205] = altered[205].replace("about", "abuot")
    (tmp_path / "t5").write_text("\n".join(altered), encoding="utf-8")
    assert main(["suite", "bea19-dev", "--data", str(tmp_path), "--verify", "-f", "json"]) == 1
    printed = capsys.readouterr()
    assert [row["outcome"] for row in json.loads(printed.out)["published"]] == ["equal", "missing"]
    assert "t5: the first differing line is 206; nearly BEA-2019 dev (W&I+LOCNESS), output of T5-Large" in printed.err
    assert main(["data", "check", str(tmp_path)]) == 1
    assert "OFF" in capsys.readouterr().out


def test_agreement_of_a_judged_set(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "gjg15", "--data", _part(data, tmp_path), "--resamples", "0", "-f", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    [texts, _] = document["judged"]
    green = next(row for row in texts["metrics"] if row["signature"].startswith("GREEN|n:4"))
    assert round(green["agreement"]["pearson"], 3) == 0.741


def test_a_record_of_known_files(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("GECEVAL_DATA", _part(data, folder))
    monkeypatch.chdir(tmp_path)
    assert main(["suite", "jfleg", "--samples", "50", "-q", "--record", "run.json"]) == 0
    record = json.loads(Path("run.json").read_text(encoding="utf-8"))
    assert (record["command"], record["options"]["data"]) == ("suite", "data")
    assert len(record["inputs"]) == 6  # and not all that lies there
    monkeypatch.delenv("GECEVAL_DATA")
    capsys.readouterr()
    assert main(["reproduce", "run.json"]) == 0
    assert "reproduced" in capsys.readouterr().out


def _without_annotator(content: bytes) -> bytes:
    return b"".join(line for line in content.splitlines(keepends=True) if not line.endswith(b"|||1\n"))


def _text(change: Callable[[str], str]) -> Callable[[bytes], bytes]:
    return lambda content: change(content.decode()).encode()


DAMAGE: dict[str, tuple[str, Callable[[bytes], bytes], str, str]] = {
    "crlf": ("conll14/gold", lambda own: own.replace(b"\n", b"\r\n"), "same", "CRLF line ends"),
    "bom": ("jfleg-dev/ref2", lambda own: b"\xef\xbb\xbf" + own, "same", "a byte order mark at the start"),
    "newline": ("bea19-dev/ref0", lambda own: own[:-1], "same", "the newline at the end is missing"),
    "lf": ("conll14/IITB", lambda own: own.replace(b"\r\n", b"\n"), "same", "published with CRLF line ends"),
    "blanks": ("jfleg-dev/ref1", lambda own: own.replace(b" \n", b"\n"), "off", "other blanks at the ends of lines"),
    "annotator": ("conll14/gold", _without_annotator, "off", "annotator 1 is missing"),
    "an edit": (
        "conll14/gold", lambda own: re.sub(rb"\nA [^\n]*\|\|\|0\n", b"\n", own, count=1), "off",
        "annotator 0 has other edits",
    ),
    "a letter": (
        "conll14/AMU", lambda own: own.replace(b"genetic", b"geentic", 1), "off", "the first differing line is 2",
    ),
    "letters": (
        "conll14/AMU", lambda own: own.replace(b"genetic test", b"gentic test"), "off",
        "the first differing line is 26",
    ),
    "case of a letter": (
        "conll14/AMU", lambda own: own.replace(b"genetic", b"Genetic", 1), "off", "the first differing line is 2",
    ),
    "a type": (
        "bea19-dev/gold", lambda own: own.replace(b"R:VERB|||", b"R:NOUN|||", 1), "off", "the first differing line is",
    ),
    "empty line": ("conll14/gold", lambda own: own.replace(b"\n\nS ", b"\n\n\nS ", 1), "same", "other empty lines"),
    "line": (
        "conll14/AMU", lambda own: b"".join(own.splitlines(keepends=True)[:700] + own.splitlines(keepends=True)[701:]),
        "off", "1 line missing between lines",
    ),
    "more": ("bea19-dev/source", lambda own: b"one more line\n" + own, "off", "1 line too many"),
    "cut": ("conll14/CAMB", lambda own: b"".join(own.splitlines(keepends=True)[:600]), "off", "truncated: the first"),
    "detokenised": ("bea19-dev/source", _text(lambda own: own.replace(" .", ".")), "off", "not tokenised"),
    "tokenised": ("bea19-dev/ref0", _text(lambda own: own.replace("n't", "n 't")), "off", "tokenised differently"),
    "lower": ("conll14/AMU", _text(str.lower), "off", "lower-cased"),
    "nfd": ("bea19-dev/source", _text(lambda own: unicodedata.normalize("NFD", own)), "off", "normal form; NFC"),
    "quotes": ("conll14/source", _text(lambda own: own.replace("'", "’")), "off", "other quotes"),
    "edits": (
        "bea19-dev/gold", _text(lambda own: own.replace("R:PREP", "R:OTHER")), "like", "with unknown edits",
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_off_is_named(damage: str, data: Path) -> None:
    id, change, state, problem = DAMAGE[damage]
    path = next(entry.path for entry in tool("fingerprints").entries() if entry.id == id)
    found, known, problems = recognise(change((data / path).read_bytes()))
    assert known is not None
    assert (found, known.id) == (state, id)
    assert problem in "; ".join(problems)


def test_no_other_file_is_taken_for_a_known_one(data: Path) -> None:
    """Corpora in other languages, treebanks, other systems' outputs."""
    known = {str(data / entry.path) for entry in tool("fingerprints").entries()}
    for folder in ("languages", "ewt", "fuzz", "m2scorer-example", "conll14", "meta"):
        for found in check_folder(str(data / folder)):
            if found.path not in known:
                assert found.state in ("exact", "unknown", "like"), found  # exact: ref0_plain is ref0, INPUT the source


def test_a_folder_with_a_damaged_file_is_status_1(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(data / "jfleg-dev/source.txt", tmp_path / "whatever")
    assert main(["data", "check", str(tmp_path)]) == 0
    (tmp_path / "whatever").write_bytes((data / "jfleg-dev/source.txt").read_bytes().replace(b"\n", b"\r\n"))
    assert main(["data", "check", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "@jfleg-dev/source" in printed.out
    assert printed.err == "error: 1 known file is not as published\n"
