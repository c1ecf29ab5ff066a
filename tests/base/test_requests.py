"""Requests: checked once, immutable, and the same after a round trip through a JSON document."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest

from geceval.base.arguments import Bounds
from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, from_document, option


class Drawing(OptionGroup, title="drawing"):
    seed: int = option("--seed", bounds=Bounds(0, 9), default=0)
    alpha: float = option("--alpha", default=0.05)
    blocks: str | None = option("--blocks", reads_file=True)

    def check(self) -> None:
        if self.blocks is not None and not self.seed:
            raise UsageError("--blocks needs --seed")


class Asked(CommandRequest):
    texts: tuple[str, ...] = option(nargs="*", metavar="TEXT")
    names: tuple[str, ...] = option("-m", "--names", required=True)
    kind: str = option("--kind", choices=["one", "two"], default="one")
    forms: tuple[str, ...] = option("--forms", choices=["a", "b"], separator=",", repeatable=True)
    checks: bool = option("--no-checks")
    drawing: Drawing = Drawing(seed=3)


def test_lists_become_tuples_and_nothing_changes() -> None:
    asked = Asked(names=["x"], forms=["a"])
    assert (asked.names, asked.forms, asked.texts) == (("x",), ("a",), ())
    with pytest.raises(FrozenInstanceError):
        asked.kind = "two"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del asked.kind


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "--names is required"),
        ({"names": "x"}, "--names takes several values, not 'x'"),
        ({"names": [1]}, "--names is text, not 1"),
        ({"names": ["x"], "kind": "tow"}, "--kind is one of one, two, not tow"),
        ({"names": ["x"], "forms": ["c"]}, "--forms is one of a, b, not c"),
        ({"names": ["x"], "checks": 1}, "--no-checks is true or false, not 1"),
        ({"names": ["x"], "seed": 10}, "--seed is 10; it must be at least 0 and at most 9"),
        ({"names": ["x"], "seed": True}, "--seed takes a whole number, not True"),
        ({"names": ["x"], "alpha": "a"}, "--alpha takes a number, not 'a'"),
        ({"names": ["x"], "seed": 0, "blocks": "f"}, "--blocks needs --seed"),
        ({"names": ["x"], "sede": 0}, "unknown option 'sede'"),
    ],
)
def test_invalid_values_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        from_document(Asked, given)
    assert raised.value.message == message


def test_documents_hold_what_is_not_at_its_default() -> None:
    assert Asked(names=("x",)).to_document() == {"names": ["x"]}
    asked = Asked(names=("x",), checks=False, drawing=Drawing(seed=0, alpha=1))
    assert asked.to_document() == {"names": ["x"], "checks": False, "seed": 0, "alpha": 1.0}
    assert from_document(Asked, json.loads(json.dumps(asked.to_document()))) == asked


def test_arguments_are_read_with_bounds() -> None:
    facts = {name: own for name, own, _ in Asked.all_options()}
    assert facts["seed"].read("7") == 7
    assert facts["forms"].read("a,b") == ("a", "b")
    for name, text in (("seed", "10"), ("seed", "x"), ("forms", "a,c"), ("alpha", "")):
        with pytest.raises(UsageError):
            facts[name].read(text)
    assert max(Counter(name for name, _, _ in Asked.all_options()).values()) == 1
