"""Tokenisations of test sets: their table, and the laws that hold for all of them."""

from __future__ import annotations

import pickle
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Preparation, tokenise
from geceval._kernel import Text
from geceval.text.reading.strict_toml import parse_toml
from geceval.text.tokenisers import make_tokeniser
from support.tokeniser_names import tokeniser_names

TABLE = parse_toml(
    (resources.files("geceval.text.tokenisers") / "presets.toml").read_text(encoding="utf-8"), "presets.toml"
)
TOKENISERS_BY_RULES = ("english", "treebank", "char", "grapheme")
PRESETS = [name for name in tokeniser_names("builtin") if name not in TOKENISERS_BY_RULES]
#: Those that need no other package.
OWN = [name for name in PRESETS if name != "multigec"]


def test_the_table_has_these_presets_and_uses_all_of_its_rules() -> None:
    presets = TABLE.tables("presets")
    assert sorted(presets) == sorted(PRESETS)
    used = [rule for own in presets.values() for key in ("before", "after") for rule in own.texts(key, ())]
    assert set(used) == set(TABLE.table("rules").values)
    for own in presets.values():
        for key in ("about", "version", "normalise", "before", "tokenise", "after"):
            own.values.get(key)
            own._get(key, object, "", None)
        own.end()


@pytest.mark.parametrize(
    ("name", "raw", "tokens"),
    [
        ("conll14", "I can't, he cannot: it's 'weird' etc.", "I ca n't , he can not : it 's 'weird ' etc ."),
        ("conll14", "ago,when 2,500 Dr. Lee left. However—80%…", "ago,when 2,500 Dr. Lee left . However -- 80 % ..."),
        ("conll14", 'the well-known/old U.S. one. "', 'the well-known/old U.S. one . "'),
        ("jfleg", "It cannot be gonna &raspsquo; ``so''.", "It cannot be gonna &raspsquo; `` so '' ."),
        ("bea19", "I haven't 80% of a well-known 20-year", "I haven't 80% of a well - known 20-year"),
        ("bea19", "w/ it, etc.", "w/ it , etc ."),
        ("bea19", "He didn’t see 15 % of them?.", "He did n't see 15 % of them ? ."),
        ("mucgec", "他有10个[缺失成分]。", "他 有 1 0 个 [缺失成分] 。"),
        ("ua-gec", "(https://a.ua/b?c=1 з’явилося 3,5 «так»...", "( https://a.ua/b?c=1 з’явилося 3,5 « так » ..."),
        ("ua-gec", "по-перше, це рис. 2. Чому?! @хтось :))", "по-перше , це рис . 2 . Чому ?! @хтось :))"),
    ],
)  # fmt: skip
def test_raw_text_becomes_official_tokens(name: str, raw: str, tokens: str) -> None:
    assert tokenise(raw, name) == tokens


def test_the_name_in_signatures_has_versions_and_the_tokeniser() -> None:
    names = {name: make_tokeniser(name).name for name in OWN}
    assert all(re.fullmatch(rf"{name}-[0-9]+(\+[a-z]+-[0-9]+)?", signed) for name, signed in names.items())
    assert Preparation("bea19", only=["systems"]).signed == {"tok": "bea19-1+english-1(systems)"}


@pytest.mark.parametrize("name", OWN)
def test_presets_can_be_compared_and_pickled(name: str) -> None:
    preset = make_tokeniser(name)
    assert pickle.loads(pickle.dumps(preset)) == preset
    assert list(tokenise(["1!", None], name))[1] is None  # type: ignore[list-item]


@pytest.mark.parametrize("name", OWN)
def test_tokens_of_a_preset_can_be_joined_again(name: str) -> None:
    raw = "Це (так), «добре»!" if name == "ua-gec" else "他来了。" if name == "mucgec" else 'I can\'t (say "no").'
    joined = Preparation(detokenise=name).apply("systems", Text([tokenise(raw, name)]))
    assert list(joined) == [raw]


LINES = st.text("aA1 .,'\"?!()-–—/%…“”’他я\u200b ", max_size=30)


@given(st.lists(LINES, min_size=1, max_size=4), st.sampled_from(OWN), st.integers(1, 2))
def test_presets_move_blanks_only(lines: list[str], name: str, threads: int) -> None:
    """But for the normalisation of marks; and lines do not depend on each other."""
    form = TABLE.tables("presets")[name].texts("normalise", ())
    plain = Preparation(normalise=form, whitespace=True).apply("systems", Text(lines))
    preset = make_tokeniser(name)
    done = preset.tokenise_lines(Text(lines), threads)  # type: ignore[attr-defined]
    for line, own, result in zip(lines, plain, done, strict=True):
        assert own is not None
        assert "".join(own.split()) == "".join(result.split())
        assert result == " ".join(preset.tokenise(line))
