"""Presets of test sets in commands."""

from __future__ import annotations

from pathlib import Path

from geceval.text.reading.lines import read_lines
from support.commands import Run
from support.detokenise import detokenise


def test_a_suite_prepares_the_outputs_of_a_test_set(run: Run, examples: Path, tmp_path: Path) -> None:
    lines = read_lines(examples / "systems" / "careful.txt")
    raw, tokens = tmp_path / "raw.txt", tmp_path / "tokens.txt"
    raw.write_text("".join(f"{detokenise(line)}\n" for line in lines), encoding="utf-8")
    assert run("prepare", "--preset", "conll14", raw, "-o", tokens).status == 0
    texts = f'source = "{examples}/source.txt"\nreferences = ["{examples}/ref0.txt"]\nmetrics = ["green"]\n'
    rows = []
    for system, steps in ((raw, 'tokenise = "conll14"\ntokenise_only = ["systems"]\n'), (tokens, "")):
        suite = tmp_path / "suite.toml"
        suite.write_text(f'title = "T"\n[sets.test]\n{texts}{steps}[sets.test.systems]\nmine = "{system}"\n')
        out = run("suite", suite, "--resamples", "0", "-q").out
        assert ("|tok:conll14-1(systems)|" in out) == bool(steps)
        rows.append(next(line for line in out.splitlines() if line.startswith("mine ")))
    assert rows[0] == rows[1]
