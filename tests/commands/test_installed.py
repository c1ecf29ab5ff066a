"""A metric of another package on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import Run
from support.installed import install


@pytest.mark.usefixtures("examples")
def test_installed_metric_is_scored_like_a_built_in_one(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(tmp_path, monkeypatch, {"geceval.metrics": {"shortening": "support.toys:Shortening"}})
    result = run("score", "-s", "source.txt", "-c", "source.txt", "-m", "shortening:most=0.5", "--format", "csv")
    assert (result.status, result.err.count("\n")) == (0, 1)
    assert result.err.startswith("warning: system source: it is equal to the source, line by line")
    assert result.out.splitlines() == ["system,SHORTENING", "source,50.00", "(source),50.00"]
