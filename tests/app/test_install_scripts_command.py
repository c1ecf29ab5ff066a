"""geceval install-scripts: launchers of the public tools' commands that never take another's place unasked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from geceval.app.install_scripts_command import install, launcher
from geceval.base.errors import UsageError
from geceval.dropins import DROPINS
from support.commands import Result, Run

GREEN = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt")
POSIX = pytest.mark.skipif(os.name == "nt", reason="scripts of the shell")


def output(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.usefixtures("examples")
def test_the_commands_run_under_their_names(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "of mine" / "bin"
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    result = run("install-scripts", folder)
    assert (result.status, result.out) == (0, "")
    assert result.err == f"{folder}: {', '.join(DROPINS)}\n"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(DROPINS)
    ending = ".cmd" if os.name == "nt" else ""
    for name, arguments in (("green", GREEN), ("m2scorer", ("systems/eager.txt", "gold.m2"))):
        done = output(folder / f"{name}{ending}", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, run(name, *arguments).out, "")
    refused = output(folder / f"errant_compare{ending}", "-hyp", "gold.m2")
    assert refused.returncode == 2
    assert refused.stderr.startswith("usage: errant_compare [options]")
    assert run("install-scripts", folder, "-q") == Result(0, "", "")  # again, over its own


def test_a_folder_of_that_name_and_no_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / f"gleu{'.cmd' if os.name == 'nt' else ''}").mkdir()
    for more in ((), ("--force",)):
        result = run("install-scripts", tmp_path, *more)
        assert result.status == 2
        assert "is a folder" in result.err
        assert len([*tmp_path.iterdir()]) == 1
    assert "the name of the folder is empty" in run("install-scripts", "").err


def test_what_is_not_ours_stays(run: Run, tmp_path: Path) -> None:
    other = tmp_path / ("gleu.cmd" if os.name == "nt" else "gleu")
    other.write_text("#!/bin/sh\necho theirs\n", encoding="utf-8")
    result = run("install-scripts", tmp_path)
    assert result.status == 2
    assert result.err.startswith(f"error: {other}: exists already and is not a script of geceval\n  hint: ")
    assert [*tmp_path.iterdir()] == [other]  # none is written where one cannot be
    assert run("install-scripts", tmp_path, "-q", "--only", "green", "sgreen", "green").status == 0
    assert len([*tmp_path.iterdir()]) == 3
    assert other.read_text(encoding="utf-8").endswith("theirs\n")
    assert run("install-scripts", tmp_path, "-q", "--force").status == 0
    assert "geceval" in other.read_text(encoding="utf-8")
    assert len([*tmp_path.iterdir()]) == len(DROPINS)  # nothing half written is left


@POSIX
def test_a_link_is_replaced_and_not_what_it_points_to(run: Run, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs", encoding="utf-8")
    (tmp_path / "green").symlink_to(tmp_path / "theirs")
    (tmp_path / "gleu").symlink_to(tmp_path / "nowhere")
    for name in ("green", "gleu"):
        assert run("install-scripts", tmp_path, "-q", "--only", name).status == 2
        assert run("install-scripts", tmp_path, "-q", "--only", name, "--force").status == 0
        assert not (tmp_path / name).is_symlink()
    assert (tmp_path / "theirs").read_text(encoding="utf-8") == "theirs"
    assert not (tmp_path / "nowhere").exists()


def test_what_cannot_be_written_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    result = run("install-scripts", tmp_path / "file")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {tmp_path / 'file'}: cannot write: ")
    (tmp_path / "bin" / ("green.cmd" if os.name == "nt" else "green")).mkdir(parents=True)
    forced = run("install-scripts", tmp_path / "bin", "--only", "green", "--force")
    assert forced.status == 2
    assert "green: is a folder" in forced.err or "green.cmd: is a folder" in forced.err
    assert len([*(tmp_path / "bin").iterdir()]) == 1
    assert "did you mean gleu?" in run("install-scripts", tmp_path, "--only", "glue").err


def test_where_the_shell_would_find_another(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, first = tmp_path / "mine", tmp_path / "first"
    result = run("install-scripts", mine, "--only", "green")
    assert f"warning: {mine} is not on the PATH" in result.err
    install(first, ["green"])
    monkeypatch.setenv("PATH", os.pathsep.join([str(first), str(mine)]))
    result = run("install-scripts", mine, "--only", "green", "gleu")
    [line] = [line for line in result.err.splitlines() if line.startswith("warning: ")]
    assert line.startswith("warning: green: ")
    assert str(first) in line


@POSIX
@pytest.mark.parametrize("folder", ["plain", "with blanks", "it's $HOME `ls`", 'né"', "x" * 120])
def test_any_path_of_the_interpreter(tmp_path: Path, folder: str) -> None:
    python = tmp_path / folder / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    script = tmp_path / "green"
    script.write_text(launcher("green", str(python), windows=False), encoding="utf-8")
    script.chmod(0o755)
    assert output(script, "--help").stdout.startswith("usage: green [-h]")


@pytest.mark.parametrize(
    ("python", "windows"), [("", False), ("/a\\b/python", False), ("/a\nb", False), ("C:\\50%\\py", True)]
)
def test_a_path_that_cannot_stand_in_a_script(python: str, windows: bool) -> None:
    with pytest.raises(UsageError, match="is not valid in a script"):
        launcher("green", python, windows)


@pytest.mark.usefixtures("examples")
def test_a_launcher_of_windows_is_read_by_python_from_its_second_line_on(tmp_path: Path) -> None:
    path = tmp_path / "green.cmd"
    path.write_text(launcher("green", sys.executable, windows=True), encoding="utf-8")
    first, _ = path.read_text(encoding="utf-8").split("\n", 1)
    assert first == f'@"{sys.executable}" -x "%~f0" %* & exit /b'
    done = output(sys.executable, "-x", path, *GREEN)  # what that line does
    assert (done.returncode, done.stderr) == (0, "")
    assert "systems/careful.txt" in done.stdout
