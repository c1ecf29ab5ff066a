"""A change of a setting changes score and signature, or neither; an unsigned one changes neither."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from geceval import Cleme, Corpus, evaluate, m2
from geceval.base.errors import InputError
from geceval.counting.settings import settings_of
from geceval.extending import Metric
from support.instances import HAS_ENCODER, instances
from test_contract import gold_block, other_values, uses_encoder

WORDS = "He go goes went to school the a cat cats is are on in mat . , yesterday".split()
#: Source, two references and two systems: blanks, case, marks on letters, long edits, unchanged and empty lines, and
#: edits that annotators bound differently.
ODD = [
    ["He  go home .", "He goes home .", "He  goes home .", "He  goes home .", "He goes  home ."],
    ["He  stays at home .", "He  stays at home .", "He  stays at home .", "He stays at home .", "He stays at  home ."],
    ["He goes .", "He goes .", "He goes .", "he goes .", "He goes"],
    ["i was in new york .", "I was in New York .", "i was in new york .", "i was in new york", "I was in NewYork ."],
    ["Un e\u0301te\u0301 .", "Une e\u0301te\u0301 .", "Un ete\u0301 .", "Une ete .", "Un e\u0301te ."],
    ["a b c d e f g", "x b c d e y g", "a b c d e f h", "x b c d e y g", "a b c d e f g"],
    ["", "", "", "", "a"],
    ["She  sings .", "She sings .", "She sings .", "He  sings .", "She sings ."],
    ["yesterday on to , He", *["yesterday in . He"] * 4],
    ["are goes goes to mat cat", "are goes to mat cat", "are goes to mat cat", "are yesterday goes is the", "are goes"],
    ["goes , is go", "mat , go is go go", "are , goes school go", "goes , , is in go", "goes , a go"],
    ["He go .", "He is .", "He is .", "He goes .", "He goes ."],
]  # fmt: skip
#: Last rows, on which the choices of references of earlier ones do not depend: edits that annotators bound differently,
#: quotation marks, and words that are joined and split.
LAST = [
    ["a are are to", "the goes went to", "the goes went to", "the goes went to to", "the goes went to to"],
    ["' \u201c a b \u201d", "' \u201c a b \u201d", "' \u201c a b \u201d", "' \" a b \"", "' `` a b ''"],
    ["may be a b", "may be a b", "may be a b", "maybe a b", "may be ab"],
]  # fmt: skip
#: One system's two edits are all of the first reference and part of the second one: the total decides which is better.
FEW, MANY = {0: "v0", 4: "v4"}, {place: f"v{place}" for place in range(0, 44, 4)}


def replaced(words: Mapping[int, str]) -> str:
    return " ".join(words.get(place, f"w{place}") for place in range(44))


def changed_words(words: list[str], chance: random.Random) -> list[str]:
    """Return words of which some are deleted, replaced, or followed by another one."""
    changed: list[str] = []
    for word in words:
        kind = chance.random()
        changed += [] if kind < 0.15 else [chance.choice(WORDS)] if kind < 0.35 else [word]
        changed += [chance.choice(WORDS)] if kind > 0.85 else []
    return changed


def random_rows(sentences: int) -> list[list[str]]:
    chance = random.Random(1)
    rows = []
    for row in range(sentences):
        source = chance.choices(WORDS, k=chance.randrange(3, 8))
        texts = [changed_words(source, chance) for _ in range(4)]
        if row % 4 == 0:
            texts[:2] = [source, source]
        rows.append([" ".join(words) for words in (source, *texts)])
    return rows


ROWS = [list(map(replaced, ({}, {0: "v0"}, MANY, FEW, FEW))), *ODD, *random_rows(60), *LAST]
SOURCE, *TEXTS = map(list, zip(*ROWS, strict=True))
REFERENCES: list[list[str | None]] = [*TEXTS[:2]]
SYSTEMS = {"first": TEXTS[2], "second": TEXTS[3]}


def with_other_types(block: m2.Block) -> m2.Block:
    """Return the block with types of the second annotator that no annotator of text gives."""
    edits = (replace(edit, type="OTHER") if edit.annotator and edit.start >= 0 else edit for edit in block.edits)
    return m2.Block(block.source, tuple(edits))


def with_suggestions(block: m2.Block) -> m2.Block:
    """Return the block with a second suggestion in each edit."""
    edits = (replace(edit, corrections=(*edit.corrections, "is")) if edit.start >= 0 else edit for edit in block.edits)
    return m2.Block(block.source, tuple(edits))


@cache
def forms() -> Mapping[str, Corpus]:
    """The sentences with references and systems in each form."""
    gold = [
        with_other_types(gold_block(source, list(texts))) for source, *texts in zip(SOURCE, *REFERENCES, strict=True)
    ]
    blocks = {name: list(map(gold_block, SOURCE, ([line] for line in lines))) for name, lines in SYSTEMS.items()}
    blocks["second"] = list(map(with_suggestions, blocks["second"]))
    return {
        "texts": Corpus(SOURCE, REFERENCES, SYSTEMS),
        "gold": Corpus(SOURCE, (), SYSTEMS, gold),
        "texts, m2": Corpus(SOURCE, REFERENCES, blocks),
        "gold, m2": Corpus(SOURCE, (), blocks, gold),
    }


#: Settings that are changed first, without which another one cannot be changed.
BASES: dict[str, dict[str, Any]] = {
    "type-detection": {"types": "OTHER"},
    "goto": {"a": 2.0},
    "llm": {"price_prompt": 1.0, "price_answer": 1.0},
    "dsgram": {"price_prompt": 1.0, "price_answer": 1.0},
}
#: Values of settings that are text, and large ones of limits.
VALUES: dict[str, Any] = {
    "annotator": "plain",
    "device": "cpu",
    "exclude": "R:OTHER+M:OTHER",
    "max_cost": 1e9,
    "model": "tiny",
    "rate": 1e6,
    "types": "R:VERB*+M",
    "weights": "none",
}
#: Settings of a request and of a network, which the judge of the tests does not read: test_contract.py.
OF_A_MODEL = frozenset(
    "criterion layer max_tokens model order pooling repeats seed send_seed server structured temperature tries".split()
)
#: Files of terms, which are the first and another value of a setting, and of regular expressions.
FILES = {"terms": WORDS[:12], "others": WORDS[8:], "expressions": ["[.,]"]}
#: Settings that exclude those that are changed first: tests/metrics/test_kept.py.
EXCLUSIVE = {("kept", "tokens")}
#: Values that signatures name in forms in which sentences, the number of systems or a judge decide whether they matter.
NAMED_IN_CASE: dict[tuple[str, Any], set[str]] = {
    ("mode", "cse"): {"texts", "texts, m2"},
    ("most", 6): {"texts", "gold", "texts, m2", "gold, m2"},
    ("weights", "equal"): {"texts", "gold", "texts, m2", "gold, m2"},
}


def changes(metric: Metric, tmp_path: Path) -> Iterator[tuple[str, Any, Metric]]:
    """Yield each setting with another value, and the metric that has it."""
    files = {"cache": "cache", "patterns": "expressions", "terms": "others"}
    values = VALUES | {name: str(tmp_path / file) for name, file in files.items()}
    for name, (field, kind) in settings_of(type(metric)).items():
        if (
            name == "timeout"
            or (metric.name, name) in EXCLUSIVE
            or (name in OF_A_MODEL and (metric.judging is not None or uses_encoder(metric)))
        ):
            continue
        values_of_setting = [] if name in ("max_cost", "rate") else other_values(field, kind, getattr(metric, name))
        for value in values_of_setting or [values[name]]:
            changed = replace(metric, **{name: value})  # type: ignore[type-var]
            if not uses_encoder(changed) or HAS_ENCODER:
                yield name, value, changed


def outcome(metric: Metric, corpus: Corpus) -> tuple[Any, Any]:
    """Return scores and signatures of the systems; for refused input its error, twice."""
    try:
        results = [result for [result] in evaluate(corpus, [metric], checks=False).values()]
    except InputError as error:
        return str(error), str(error)
    scores = [(result.score().value, result.score("mean").value, result.score().parts) for result in results]
    return repr(scores), [result.signature() for result in results]


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
@pytest.mark.parametrize("metric", [*instances().values(), Cleme(weights="none")], ids=lambda metric: metric.name)
def test_setting_changes_score_and_signature_or_neither(metric: Metric, tmp_path: Path) -> None:
    for name, lines in FILES.items():
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    bases = BASES | {"kept": {"tokens": None, "terms": str(tmp_path / "terms")}}
    metric = replace(metric, **bases.get(metric.name, {}))  # type: ignore[type-var]
    before = {form: outcome(metric, corpus) for form, corpus in forms().items()}
    for name, value, changed in changes(metric, tmp_path):
        role = settings_of(type(metric))[name][0].metadata.get("role")
        effects = set()
        for form, corpus in forms().items():
            (score, signature), (other_score, other_signature) = before[form], outcome(changed, corpus)
            if form in NAMED_IN_CASE.get((name, value), ()):
                assert score == other_score, (name, value, form)
                continue
            assert (score != other_score) == (signature != other_signature), (name, value, form)
            effects.add(score != other_score)
        assert role != "unsigned" or effects == {False}, (name, value)
