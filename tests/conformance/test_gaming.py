"""The figures of docs/gaming.md are those of the program."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import ModuleType

import pytest

import geceval
from geceval.tables.file_formats import as_markdown
from support.scripts import import_script

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gaming() -> ModuleType:
    return import_script("research/gaming.py")


def test_the_tables_of_the_page(shared: Path, gaming: ModuleType) -> None:
    page = (ROOT / "docs" / "gaming.md").read_text(encoding="utf-8")
    data = shared / "data" / "conll14"
    references = [str(data / f"ref{r}.txt") for r in range(2)]
    systems = [str(data / "systems" / f"{name}.txt") for name in ("AMU", "CAMB", "IPN")]
    corpus = geceval.read_corpus(str(data / "source.txt"), references, systems, str(data / "gold.m2"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        tables = gaming.gaming_tables(corpus, [gaming.METRICS])
    for table in tables:
        assert as_markdown(table).split("\n\n")[0] in page
    rows, means = (
        {row[0]: dict(zip(table.heads[1:], map(float, row[1:]), strict=True)) for row in table.rows} for table in tables
    )
    # What the page points out.
    assert rows["empty"]["MaxMatch"] > 3 * rows["IPN"]["MaxMatch"]
    assert rows["unchanged"]["GREEN"] > rows["IPN"]["GREEN"]
    assert means["IPN"]["ERRANT"] < means["unchanged"]["ERRANT"] < means["CAMB"]["ERRANT"]


def test_attacks_are_as_long_as_the_source(gaming: ModuleType) -> None:
    source = ["a b c", "", "b", "a b"]
    page = (ROOT / "docs" / "gaming.md").read_text(encoding="utf-8")
    for name, attack in gaming.ATTACKS.items():
        assert len(attack(source)) == len(source)
        assert attack(source) == attack(source)
        assert f"| `{name}` |" in page
    assert gaming.first_half(source) == ["a b", "", "b", "a"]
    assert gaming.frequent(source)[1] == "b a c"
    assert [sorted(line.split()) for line in gaming.shuffled(source)] == [line.split() for line in source]
    assert gaming.twice(source)[0] == "a b c a b c"
    assert gaming.overcorrected(["The cat is in a house"]) == ["The cat was on the house"]
