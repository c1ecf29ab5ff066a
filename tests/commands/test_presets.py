"""Presets of test sets in commands."""

from __future__ import annotations

from pathlib import Path

from geceval.text.reading.lines import read_lines
from support.commands import Run
from support.detokenise import detokenise


def test_suite_tokenises_the_outputs_of_its_systems_only(run: Run, examples: Path, tmp_path: Path) -> None:
    lines = read_lines(examples / "systems" / "careful.txt")
    raw, tokens = tmp_path / "raw.txt", tmp_path / "tokens.txt"
    raw.write_text("".join(f"{detokenise(line)}\n" for line in lines), encoding="utf-8")
    assert run("prepare", "--preset", "conll14", raw, "-o", tokens).status == 0
    texts = f'source = "{examples}/source.txt"\nreferences = ["{examples}/ref0.txt"]\nmetrics = ["green"]\n'
    rows = []
    for system, steps in ((raw, 'tokenise = "conll14"\ntokenise_only = ["systems"]\n'), (tokens, "")):
        suite = tmp_path / "suite.toml"
        suite.write_text(f'title = "T"\n[sets.test]\n{texts}{steps}[sets.test.systems]\nmine = "{system}"\n')
        out = run("suite", suite, "--allow-outside", "--samples", "100", "-q").out
        assert ("|tok:conll14-1(systems)|" in out) == bool(steps)
        rows.append(next(line for line in out.splitlines() if line.startswith("mine ")))
    assert rows[0] == rows[1]


PARA = "1\t他来到北京。\t他来了北京。\n2\t我好。\t没有错误\n"


def test_parallel_text_is_prepared_and_annotated(run: Run, tmp_path: Path) -> None:
    system = tmp_path / "mine.para"
    system.write_text(PARA, encoding="utf-8")
    tokens = "他 来 了 北 京 。\n我 好 。\n"
    assert run("prepare", "--preset", "mucgec", system).out == tokens
    assert run("prepare", "--preset", "mucgec", system, "-s", system).out == tokens
    result = run("prepare", "--preset", "mucgec", "--detokenise", "plain", system)
    assert (result.status, result.out) == (0, tokens)
    options = ("--language", "zh", "--preset", "mucgec", "--dialect", "cherrant")
    result = run("annotate", "-s", system, "-c", system, *options)
    assert result.status == 0
    assert "A 2 3|||S|||了|||REQUIRED|||-NONE-|||0" in result.out


def test_parallel_text_with_several_corrections_is_refused_as_output_of_a_system(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ref.para"
    path.write_text("1\ta\tb\tc\n", encoding="utf-8")
    result = run("prepare", "--preset", "mucgec", path)
    assert (result.status, result.out) == (2, "")
    assert "ref.para:1: 4 cells: a line has an id, the source and one correction" in result.err
    assert run("annotate", "-s", path, "-c", path).out.count("\nA 0 1|||") == 2  # of two annotators
