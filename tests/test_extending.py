"""The code of docs/extending.md and docs/new-metric.md uses public names only; tests/docs/ runs it."""

from __future__ import annotations

import ast

import geceval
from geceval import extending
from support.pages import blocks

PAGES = ("docs/extending.md", "docs/new-metric.md")
CODE = "\n\n".join(block.code for page in PAGES for block in blocks(page) if block.kind == "python")


def test_the_code_of_the_page_uses_public_names_only() -> None:
    tree = ast.parse(CODE)
    attributes = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "geceval"
    }
    assert attributes <= set(geceval.__all__)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imports = [node for node in imports if (node.module or "").startswith("geceval")]
    assert {node.module for node in imports} == {"geceval.extending"}
    names = {alias.name for node in imports for alias in node.names}
    assert {"Metric", "FMetric", "OnEdits", "Annotated"} <= names <= set(extending.__all__)
