"""The bundled suites on their data: published numbers, and altered files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geceval.app.main import main
from geceval.suites.file_locations import LONGEST
from geceval.suites.published_numbers import verify_suite
from geceval.suites.suite_definition import known_files, text_checksum
from geceval.suites.suite_files import bundled, read_suite

#: What each definition must say of the data: numbers that come out, and known ones that do not.
OUTCOMES = {
    "bea19-dev": (2, 0),
    "bea19-dev-errant": (2, 0),
    "conll14": (20, 3),
    "gjg15": (12, 2),
    "jfleg": (2, 0),
    "seeda": (44, 22),
}


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


def test_every_known_file_is_one_of_the_data(data: Path) -> None:
    definitions = "".join(item.read_text(encoding="utf-8") for item in bundled().values())
    checksums = {text_checksum(str(path), LONGEST) for path in data.rglob("*") if path.is_file()}
    for file in known_files().values():
        assert f'"@{file.id}"' in definitions
        assert file.checksum in checksums, file


@pytest.mark.parametrize("name", sorted(OUTCOMES))
def test_published_numbers(name: str, data: Path, tmp_path: Path) -> None:
    verdicts, notes = verify_suite(name, data=_part(data, tmp_path))
    assert notes == []
    values = {
        (verdict.published.of, verdict.metric, verdict.what): (verdict.value, verdict.ours) for verdict in verdicts
    }
    assert [verdict for verdict in verdicts if verdict.outcome in ("different", "missing")] == [], values
    outcomes = [verdict.outcome for verdict in verdicts]
    assert (outcomes.count("equal"), outcomes.count("explained")) == OUTCOMES[name]


def _part(data: Path, folder: Path) -> str:
    """The known files under other names, as a user may have them: links, so that nothing is copied."""
    paths = {text_checksum(str(path), LONGEST): path for path in data.rglob("*") if path.is_file()}
    for at, checksum in enumerate({file.checksum for file in known_files().values()}):
        (folder / f"file{at}").symlink_to(paths[checksum])
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
    assert capsys.readouterr().out == printed.out
    content = (data / "conll14/gold.m2").read_bytes().splitlines(keepends=True)
    gold.write_bytes(b"".join(line for line in content if not line.endswith(b"|||1\n")))
    assert main(["suite", "conll14", "--verify", "--data", folder, "-f", "json"]) == 1
    printed = capsys.readouterr()
    rows = json.loads(printed.out)["published"]
    assert {row["outcome"] for row in rows if row["set"] == "conll14"} == {"missing"}
    assert f"@conll14/gold: not found under {folder} (@conll14/gold is official-2014.combined.m2" in printed.err
    assert f"unused files in {folder}: {gold.name};" in printed.err


def test_only_files_of_systems_in_the_table_are_looked_up(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The data folder has the gold alone."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data/gold").symlink_to(data / "bea19-dev/gold.published.m2")
    for system in ("mine", "T5-Large"):  # the second name is in the definition, too
        (tmp_path / "outputs" / system).mkdir(parents=True)
        (tmp_path / "outputs" / system / "bea19-dev.m2").symlink_to(data / "bea19-dev/errant/T5-Large.m2")
    line = ["suite", "bea19-dev", "--data", str(tmp_path / "data"), "-c", str(tmp_path / "outputs"), "--samples", "20"]
    assert main([*line, "-q"]) == 0
    rows = capsys.readouterr().out.splitlines()[4:6]
    assert [row.split()[:3] for row in rows] == [[name, "=", "56.21"] for name in ("T5-Large", "mine")]  # copies


def test_verification_checks_all_but_the_altered_file(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("gold.published", "errant/GECToR-XLNet"):
        (tmp_path / Path(name).name).symlink_to(data / f"bea19-dev/{name}.m2")
    altered = (data / "bea19-dev/errant/T5-Large.m2").read_text(encoding="utf-8").split("\n")
    altered[205] = altered[205].replace("about", "abuot")
    (tmp_path / "t5").write_text("\n".join(altered), encoding="utf-8")
    assert main(["suite", "bea19-dev", "--data", str(tmp_path), "--verify", "-f", "json"]) == 1
    printed = capsys.readouterr()
    assert [row["outcome"] for row in json.loads(printed.out)["published"]] == ["equal", "missing"]
    assert "@bea19-dev-errant/T5-Large: not found under" in printed.err
    assert f"unused files in {tmp_path}: t5;" in printed.err


def test_agreement_of_a_judged_set(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "gjg15", "--data", _part(data, tmp_path), "--samples", "10", "-f", "json"]) == 0
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
    assert record["arguments"][0] == "suite"
    assert "--data=data" in record["arguments"]
    assert len(record["inputs"]) == 6  # and not all that lies there
    monkeypatch.delenv("GECEVAL_DATA")
    capsys.readouterr()
    assert main(["reproduce", "run.json", "--allow-outside"]) == 0  # the data are links
    assert "reproduced" in capsys.readouterr().out
