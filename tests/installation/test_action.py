"""The steps of action.yml, and the app of examples/, with the wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.environments import ROOT, Environment

TEXTS = {"SOURCE": "source.txt", "REFERENCES": "ref0.txt ref1.txt"}


def run_action(wheel: Path, folder: Path, **inputs: str) -> tuple[int, str]:
    """Return the exit status of the action's step and the summary that it writes."""
    names = ("SOURCE", "REFERENCES", "GOLD", "FAIL_UNDER", "FAIL_OVER", "NOT_WORSE_THAN", "OPTIONS")
    files = {"GITHUB_OUTPUT": folder / "output", "GITHUB_STEP_SUMMARY": folder / "summary"}
    environment = {
        **dict.fromkeys(names, ""),
        **{name: str(path) for name, path in files.items()},
        "RUNNER_TEMP": str(folder),
        "GITHUB_ACTION_PATH": str(ROOT),
        "PACKAGE": str(wheel),
        "METRICS": "errant",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        **inputs,
    }
    completed = subprocess.run(
        ["bash", str(ROOT / "tools/action.sh")],
        env=environment,
        cwd=ROOT / "examples",
        capture_output=True,
        check=False,
    )
    output = files["GITHUB_OUTPUT"]
    if not output.exists():
        return completed.returncode, ""
    summary = Path(output.read_text(encoding="utf-8").removeprefix("summary=").rstrip("\n"))
    text = summary.read_text(encoding="utf-8")
    assert files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8") == text
    return completed.returncode, text


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("inputs", "status", "shown"),
    [
        ({"FAIL_UNDER": "errant=40", "FAIL_OVER": "false-alarms=5", **TEXTS}, 0, "2 checks passed"),
        ({"FAIL_UNDER": "errant=90", "GOLD": "gold.m2"}, 1, "1 of 1 check failed"),
        (
            {
                "FAIL_UNDER": "errant=40\nerrant.recall=90\n",
                "SOURCE": "source.txt\n",
                "REFERENCES": "ref0.txt\nref[1-9].txt\n",
            },
            1,
            "refs:2|",
        ),
        ({"NOT_WORSE_THAN": "last=systems/noisy.txt", **TEXTS}, 0, "is better than last"),
        ({"FAIL_UNDER": "errant=40", "SOURCE": "absent.txt", "REFERENCES": "ref0.txt"}, 2, ""),
    ],
)
def test_action_holds_thresholds_and_writes_the_verdict(
    wheel: Path, tmp_path: Path, inputs: dict[str, str], status: int, shown: str
) -> None:
    returned, summary = run_action(wheel, tmp_path, SYSTEM="checker=systems/careful.txt", **inputs)
    assert returned == status
    assert shown in summary
    assert bool(summary) == bool(shown)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_action_used_twice_does_not_repeat_the_first_summary(wheel: Path, tmp_path: Path) -> None:
    folders = tmp_path / "first", tmp_path / "second"
    for folder, threshold in zip(folders, ("errant=40", "absent=40"), strict=True):
        folder.mkdir()
        environment_of_job = {"RUNNER_TEMP": str(tmp_path), "FAIL_UNDER": threshold, **TEXTS}
        run_action(wheel, folder, SYSTEM="checker=systems/careful.txt", **environment_of_job)
    assert (folders[0] / "output").exists()
    assert not (folders[1] / "output").exists()


#: A stand-in for GitHub's program: it stores comments as files, with the arguments of the requests it got.
GH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>"$COMMENTS/requests"
case "$*" in
*--paginate*)
    marker=$(sed 's/.*startswith("\\(.*\\)")).*/\\1/' <<<"$*")
    grep -lF -- "$marker" "$COMMENTS"/*.md | xargs -r -n 1 basename -s .md ;;
*PATCH*) cp "${7#body=@}" "$COMMENTS/$(basename "$5").md" ;;
*POST*) cp "${7#body=@}" "$COMMENTS/$(ls "$COMMENTS" | wc -l).md" ;;
esac
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_comment_replaces_the_last_one_on_the_same_files_only(tmp_path: Path) -> None:
    comments, programs = tmp_path / "comments", tmp_path / "bin"
    comments.mkdir()
    programs.mkdir()
    (programs / "gh").write_text(GH, encoding="utf-8")
    (programs / "gh").chmod(0o755)
    (comments / "99.md").write_text("coverage: 80 %", encoding="utf-8")
    for system, verdict in [("a=a.txt", "first"), ("b=b.txt", "of b"), ("a=a.txt", "second")]:
        summary = tmp_path / "summary.md"
        summary.write_text(verdict, encoding="utf-8")
        names = {"SYSTEM": system, "SOURCE": "s.txt", "REFERENCES": "r.txt", "GOLD": "", "SUMMARY": str(summary)}
        github = {"GITHUB_REPOSITORY": "owner/name", "PULL_REQUEST": "7", "RUNNER_TEMP": str(tmp_path)}
        paths = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "COMMENTS": str(comments)}
        subprocess.run(["bash", str(ROOT / "tools/comment.sh")], env={**names, **github, **paths}, check=True)
    texts = sorted(path.read_text(encoding="utf-8").splitlines()[-1] for path in comments.glob("*.md"))
    assert texts == ["coverage: 80 %", "of b", "second"]
    requests = (comments / "requests").read_text(encoding="utf-8")
    assert requests.count("issues/7/comments?per_page=100") == 3
    assert requests.count("POST repos/owner/name/issues/7/comments ") == 2
    assert requests.count("PATCH repos/owner/name/issues/comments/") == 1


def test_app_returns_scores_verdict_and_report(environment: Callable[[str], Environment], wheel: Path) -> None:
    installed = environment("app")
    installed.pip("install", "--quiet", "--only-binary", ":all:", f"{wheel}[report]")
    code = (
        "import app; rows, verdict, warnings, report = app.evaluate('source.txt', ['ref0.txt', 'ref1.txt'], "
        "['systems/careful.txt', 'systems/eager.txt'], ['errant'], 'en'); print(rows); print(verdict); "
        "print(warnings, len(report) > 100000)"
    )
    folder = ROOT / "examples"
    completed = installed.run(
        installed.python, "-c", f"import sys; sys.path.insert(0, {str(folder / 'app')!r}); {code}", cwd=folder
    )
    assert completed.returncode == 0, completed.stderr
    rows, verdict, *_, last = completed.stdout.splitlines()
    assert rows == "[['system', 'ERRANT'], ['careful', '69.77'], ['eager', '84.29']]"
    assert verdict.startswith("No difference shown between eager and careful under ERRANT")
    assert last == " True"
