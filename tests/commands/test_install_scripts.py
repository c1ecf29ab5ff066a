"""``geceval install-scripts``: launchers of the public tools' commands, which replace no other file without --force."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.base.errors import UsageError
from geceval.commands.install_scripts import install, launcher
from geceval.dropins import DROPINS
from support.commands import Result, Run

GREEN = ("-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "-c", "systems/careful.txt")
ENDING = ".cmd" if os.name == "nt" else ""
POSIX = pytest.mark.skipif(os.name == "nt", reason="scripts of the shell")


def output(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.usefixtures("examples")
def test_commands_run_under_their_names(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my scripts" / "bin"
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    result = run("install-scripts", folder)
    assert (result.status, result.out) == (0, "")
    assert result.err == f"{folder}: {', '.join(DROPINS)}\n"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(DROPINS)
    for name, arguments in (("green", GREEN), ("m2scorer", ("systems/eager.txt", "gold.m2"))):
        completed = output(folder / f"{name}{ENDING}", *arguments)
        assert (completed.returncode, completed.stdout, completed.stderr) == (0, run(name, *arguments).out, "")
    refused = output(folder / f"errant_compare{ENDING}", "-hyp", "gold.m2")
    assert refused.returncode == 2
    assert refused.stderr.startswith("usage: errant_compare [options]")
    assert run("install-scripts", folder, "-q") == Result(0, "", "")  # replaces scripts of geceval


def test_file_of_another_program_is_replaced_only_with_force(
    run: Run, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    script = tmp_path / f"gleu{ENDING}"
    script.write_text("#!/bin/sh\necho theirs\n", encoding="utf-8")
    assert run("install-scripts", tmp_path) == snapshot
    assert [*tmp_path.iterdir()] == [script]  # no other script is written either
    assert run("install-scripts", tmp_path, "-q", "--only", "green", "sgreen", "green").status == 0
    assert len([*tmp_path.iterdir()]) == 3
    assert script.read_text(encoding="utf-8").endswith("theirs\n")
    assert run("install-scripts", tmp_path, "-q", "--force").status == 0
    assert "geceval" in script.read_text(encoding="utf-8")
    assert len([*tmp_path.iterdir()]) == len(DROPINS)  # no temporary file is left


@POSIX
def test_link_is_replaced_and_its_target_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs", encoding="utf-8")
    (tmp_path / "green").symlink_to(tmp_path / "theirs")
    (tmp_path / "gleu").symlink_to(tmp_path / "nowhere")
    for name in ("green", "gleu"):
        assert run("install-scripts", tmp_path, "-q", "--only", name).status == 2
        assert run("install-scripts", tmp_path, "-q", "--only", name, "--force").status == 0
        assert not (tmp_path / name).is_symlink()
    assert (tmp_path / "theirs").read_text(encoding="utf-8") == "theirs"
    assert not (tmp_path / "nowhere").exists()


@POSIX
@pytest.mark.parametrize(
    "line", ["FOLDER/file", "FOLDER", "FOLDER --force", "FOLDER --only green --force", "FOLDER --only glue", ""]
)
def test_folder_or_name_that_cannot_be_written_is_refused(
    run: Run, tmp_path: Path, line: str, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    (tmp_path / "green").mkdir()
    assert run("install-scripts", *(line.replace("FOLDER", str(tmp_path)).split() or [""])) == snapshot
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "green"]


@POSIX
def test_script_that_the_shell_would_not_find_is_a_warning(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    folder, earlier = tmp_path / "folder", tmp_path / "earlier"
    assert run("install-scripts", folder, "--only", "green") == snapshot
    install(earlier, ["green"])
    monkeypatch.setenv("PATH", os.pathsep.join([str(earlier), str(folder)]))
    assert run("install-scripts", folder, "--only", "green", "gleu") == snapshot


@POSIX
@pytest.mark.parametrize("folder", ["plain", "with blanks", "it's $HOME `ls`", 'né"', "x" * 120])
def test_script_runs_for_any_path_of_the_interpreter(tmp_path: Path, folder: str) -> None:
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
def test_path_of_the_interpreter_that_no_script_can_have_is_refused(python: str, windows: bool) -> None:
    with pytest.raises(UsageError, match="is not valid in a script"):
        launcher("green", python, windows)


@pytest.mark.usefixtures("examples")
def test_script_for_windows_runs_python_on_its_second_line_onwards(tmp_path: Path) -> None:
    path = tmp_path / "green.cmd"
    path.write_text(launcher("green", sys.executable, windows=True), encoding="utf-8")
    first, _ = path.read_text(encoding="utf-8").split("\n", 1)
    assert first == f'@"{sys.executable}" -x "%~f0" %* & exit /b'
    completed = output(sys.executable, "-x", path, *GREEN)  # the command of that line
    assert (completed.returncode, completed.stderr) == (0, "")
    assert "systems/careful.txt" in completed.stdout
