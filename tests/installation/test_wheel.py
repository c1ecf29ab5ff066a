"""The content of sdist and wheel, and the wheel in an environment without Rust."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from email.parser import Parser
from pathlib import Path

import pytest

import geceval
from geceval.dropins import DROPINS
from support.environments import ROOT, Environment
from support.pages import agrees, blocks, commands
from support.scripts import import_script

#: Largest size of the wheel; indexes take 100 MB.
MEGABYTES = 8
#: glibc of manylinux_2_17.
GLIBC = (2, 17)
#: The oldest numpy that pyproject.toml allows, and the only supported Python that has wheels of it.
OLDEST = "numpy==1.24.*"
OLD_PYTHON = "3.11"
#: The commands of the tour, with what the page shows.
TOUR = [command for block in blocks("docs/tour.md") if block.kind == "typed" for command in commands(block)]
STEPS = [command for command in TOUR if command.line.startswith("geceval ")]


def members(wheel: Path) -> dict[str, int]:
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: entry.file_size for entry in archive.infolist()}


def metadata(wheel: Path, name: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        [path] = [path for path in archive.namelist() if path.endswith(f".dist-info/{name}")]
        return archive.read(path).decode()


def files_of_the_package() -> set[str]:
    """Return the files of the package in the checkout."""
    paths = (path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT / "src").as_posix() for path in paths if not path.name.endswith((".so", ".pyd"))}


def test_one_wheel_is_for_all_pythons(wheel: Path) -> None:
    name, version, python, abi, platforms = wheel.stem.split("-")
    assert (name, version, python, abi) == ("geceval", geceval.__version__, "cp311", "abi3")
    if sys.platform == "linux":
        assert re.fullmatch(r"manylinux2014_\w+\.manylinux_2_17_\w+|manylinux_2_17_\w+\.manylinux2014_\w+", platforms)


@pytest.mark.skipif(sys.platform != "linux", reason="no glibc here")
def test_kernel_requires_an_old_glibc(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        kernel = archive.read("geceval/_kernel.abi3.so")
    versions = {(int(major), int(minor)) for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", kernel)}
    assert versions
    assert max(versions) <= GLIBC
    libraries = set(re.findall(rb"lib[a-z_+-]+\.so(?:\.\d+)*", kernel))
    assert libraries <= {b"libc.so.6", b"libm.so.6", b"libdl.so.2", b"libpthread.so.0", b"libgcc_s.so.1", b"librt.so.1"}


def test_wheel_has_the_files_of_the_package_and_nothing_else(wheel: Path) -> None:
    entries = members(wheel)
    info = f"geceval-{geceval.__version__}.dist-info"
    package = {name for name in entries if not name.startswith(f"{info}/") and not name.endswith("/")}
    kernel = {name for name in package if name.startswith("geceval/_kernel.") and not name.endswith(".pyi")}
    assert len(kernel) == 1
    assert package - kernel == files_of_the_package()
    for file in ("english/english.model", "german/de.lexicon", "czech/cs.lexicon"):
        assert entries[f"geceval/edits/languages/{file}"] > 100_000
    licences = {name.rpartition("/")[2] for name in entries if name.startswith(f"{info}/licenses/")}
    assert licences == {"LICENSE", "english.LICENSE", "words-en.LICENSE", "de.LICENSE", "cs.LICENSE"}
    assert wheel.stat().st_size < MEGABYTES * 1e6


def test_wheel_requires_few_packages_and_has_one_command(wheel: Path) -> None:
    requirements = Parser().parsestr(metadata(wheel, "METADATA")).get_all("Requires-Dist") or []
    core = {re.split(r"[^\w-]", requirement)[0] for requirement in requirements if "extra ==" not in requirement}
    assert core == {"cyclopts", "lazy-loader", "numpy", "rich"}
    assert metadata(wheel, "entry_points.txt").split() == ["[console_scripts]", "geceval=geceval.__main__:main"]


def test_sdist_has_the_sources_and_nothing_else(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "Cargo.lock", "kernel/core/src/lib.rs", "kernel/python/src/lib.rs", "LICENSE"} <= names
    assert {f"src/{name}" for name in files_of_the_package()} <= names
    not_shipped = ("tests/", "benchmarks/", "research/", "tools/", ".git")
    assert not [name for name in names if name.startswith(not_shipped) or name.endswith(".so")]


def test_environment_has_only_the_required_packages(installed: Environment) -> None:
    of_cyclopts = {"cyclopts", "attrs", "docstring_parser", "rich-rst"}
    of_others = {"lazy-loader", "packaging", "numpy", "rich", "markdown-it-py", "mdurl", "pygments"}
    assert installed.packages - {"pip", "setuptools", "wheel"} == {"geceval"} | of_cyclopts | of_others
    programs = {path.stem for path in installed.bin.iterdir()}
    assert "geceval" in programs
    assert not programs & set(DROPINS)


def test_tour_runs(installed: Environment, tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder)
    bash = shutil.which("bash")
    assert bash is not None
    for command in STEPS:  # a step reads what the steps before have written
        completed = installed.run(bash, "-c", command.line, cwd=folder)
        if command.line.startswith("geceval report"):  # requires an extra, which its hint names
            assert (completed.returncode, completed.stdout) == (2, "")
            [hint] = re.findall(r"hint: pip install ('geceval\[\w+\]')$", completed.stderr, re.MULTILINE)
            installed.pip("install", "--quiet", "--only-binary", ":all:", hint.strip("'"))
            completed = installed.run(bash, "-c", command.line, cwd=folder)
            assert (folder / "report.html").stat().st_size > 100_000
        assert completed.returncode == 0, (command.line, completed.stderr)
        outputs = (completed.stdout, completed.stderr + completed.stdout)
        assert not command.shown or any(agrees(command.shown, output) for output in outputs), command.line


def test_extra_of_a_hint_is_installed(installed: Environment) -> None:
    line = ("geceval", "score", "-s", "absent", "-r", "absent", "-c", "absent", "-o", "scores.csv.zst")
    refused = installed.run(*line)
    assert refused.returncode == 2
    assert refused.stderr == "error: zstd files need backports.zstd\n  hint: pip install 'geceval[zst]'\n"
    installed.pip("install", "--quiet", "geceval[zst]")
    assert "absent: cannot read" in installed.run(*line).stderr


def test_installed_scripts_run_the_public_tools_commands(installed: Environment, tmp_path: Path) -> None:
    completed = installed.run("geceval", "install-scripts", str(tmp_path / "bin"), "-q")
    assert (completed.returncode, completed.stderr) == (0, "")
    arguments = ("-s", "source.txt", "-r", "ref0.txt", "-c", "systems/eager.txt")
    green, subcommand = (
        installed.run(str(tmp_path / "bin" / "green"), *arguments),
        installed.run("geceval", "green", *arguments),
    )
    assert (green.returncode, green.stdout) == (0, subcommand.stdout)


@pytest.mark.timeout(1200)
def test_oldest_numpy_gives_the_recorded_numbers(environment: Callable[..., Environment], wheel: Path) -> None:
    oldest = environment("oldest", [interpreter(OLD_PYTHON)])
    oldest.pip("install", "--quiet", "--only-binary", ":all:", str(wheel), OLDEST, "rich==14.0.*")
    assert oldest.run(oldest.python, "-c", "import numpy; print(numpy.__version__)").stdout.startswith("1.24.")
    recording = import_script("tools/record_numbers.py")
    for recorded in recording.read_record():
        if recorded.folder == "examples" and "--level sentence" in recorded.command:
            printed = oldest.run(oldest.python, "-m", "geceval", *recorded.arguments, cwd=recorded.path)
            assert recording.shortened(printed.stdout) == recorded.output, recorded.command


@pytest.mark.parametrize("writer", [0, 1])
def test_pickles_of_one_python_are_read_by_another(
    environment: Callable[..., Environment], wheel: Path, tmp_path: Path, writer: int
) -> None:
    environments = [environment(f"pickles-{version}", [interpreter(version)]) for version in (OLD_PYTHON, "3.12")]
    for each in environments:
        each.pip("install", "--quiet", "--only-binary", ":all:", str(wheel))
    pickles = str(tmp_path / "pickles")
    for each, way in ((environments[writer], "write"), (environments[1 - writer], "read")):
        completed = each.run(each.python, "-m", "support.pickled", way, pickles, cwd=ROOT / "tests")
        assert completed.returncode == 0, completed.stderr
    assert completed.stdout == "10 objects\n"


def interpreter(version: str) -> str:
    """Return an interpreter of a version, or skip the test."""
    installed = [str(path) for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    python = next((path for name in (*installed, f"python{version}") if (path := _works(name))), None)
    if python is None:
        pytest.skip(f"no Python {version} here")
    return python


def _works(name: str) -> str | None:
    """Return an interpreter of that name if it starts; some of pyenv do not."""
    path = shutil.which(name)
    return path if path and subprocess.run([path, "-V"], capture_output=True, check=False).returncode == 0 else None


@pytest.mark.timeout(1200)
def test_sdist_is_built_and_installed(
    environment: Callable[[str], Environment], sdist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "CARGO_TARGET_DIR", str(sdist.parent.parent / "target")
    )  # dependencies are compiled once, the kernel here and now
    packages = ["--package", "geceval-core", "--package", "geceval-python"]
    subprocess.run(["cargo", "clean", "--quiet", "--release", *packages], cwd=ROOT, check=True)
    built = environment("sdist")
    built.pip("install", "--quiet", str(sdist), rust=True)
    completed = built.run(
        "geceval", "score", "--gold", "gold.m2", "-c", "systems/eager.txt", "-m", "errant", "-f", "csv"
    )
    assert (completed.returncode, completed.stdout.splitlines()[0]) == (0, "system,ERRANT")
