"""The metric of docs/new-metric.md, registered as on the page, works in commands and laws without any other change."""

from __future__ import annotations

import re

import pytest

from support.pages import blocks
from support.tree_copy import TreeCopy

PAGE = "docs/new-metric.md"
CLASS = "src/geceval/metrics/exact.py"
DATA = "-s examples/source.txt -r examples/ref0.txt -c examples/systems/careful.txt examples/systems/eager.txt"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> TreeCopy:
    """A copy of the tree with the class, its registration and its section on a page."""
    tree = TreeCopy.make(tmp_path_factory.mktemp("new_metric"))
    page_blocks = blocks(PAGE)
    tree.write(CLASS, next(block.code for block in page_blocks if block.language == "python"))
    for block in page_blocks:
        if block.language == "diff":
            tree.apply(block)
    tree.write(CLASS, re.sub(r"(?<!from )\bgeceval\.", "", tree.read(CLASS)))
    return tree


def test_registered_metric_is_known_to_commands(tree: TreeCopy) -> None:
    for command in (
        f"score {DATA} -m exact exact:case=no green",
        f"score {DATA} -m exact --level sentence",
        f"compare {DATA} -m exact --samples 100",
        f"explain {DATA} -m exact --sentence 1",
    ):
        completed = tree.run(".venv/bin/geceval", *command.split())
        assert completed.returncode == 0, f"{command}\n{completed.stderr}"
        assert "EXACT" in completed.stdout, f"{command}\n{completed.stdout}"


def test_registered_metric_is_described_by_its_page(tree: TreeCopy) -> None:
    files = ("tests/docs/test_metric_pages.py", "tests/commands/test_metrics.py")
    completed = tree.run(".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "exact", *files)
    assert completed.returncode == 0, completed.stdout


def test_registered_metric_obeys_the_laws(tree: TreeCopy) -> None:
    """The laws of this metric only, with few examples, and the order of the rooms."""
    for file, before, after in (
        ("tests/support/instances.py", "for name in METRICS.builtin:", 'for name in ("exact",):'),
        ("tests/test_contract.py", "ANY = [*ALL, *VARIANTS, *TOYS]", "ANY = ALL"),
        ("tests/test_contract.py", "max_examples=examples(40)", "max_examples=5"),
    ):
        text = tree.read(file)
        assert text.count(before) == 1, f"{file}: {before}"
        tree.write(file, text.replace(before, after))
    laws = ("tests/test_contract.py", "tests/test_rooms.py::test_arrows_point_down")
    completed = tree.run(".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *laws)
    assert completed.returncode == 0, completed.stdout
    assert "skipped" not in completed.stdout
