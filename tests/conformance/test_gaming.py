"""The figures of research/gaming.md are those of the program."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import ModuleType

import pytest

import geceval
from geceval.agreement.stress import PARTIAL, partial_corrections, stress
from geceval.tables.file_formats import as_markdown
from support.scripts import import_script

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gaming() -> ModuleType:
    return import_script("research/gaming.py")


def test_the_rewards_of_the_page(shared: Path, gaming: ModuleType) -> None:
    page = (ROOT / "research" / "gaming.md").read_text(encoding="utf-8")
    data = shared / "data" / "conll14"
    systems = [str(data / "systems" / f"{name}.txt") for name in ("CAMB", "AMU", "IPN")]
    corpus = geceval.read_corpus(str(data / "source.txt"), [str(data / f"ref{r}.txt") for r in range(2)], systems)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        table = gaming.rewards_table(corpus)
    assert as_markdown(table) in page
    rewards = {row[0]: list(map(float, row[1:])) for row in table.rows}
    for name in gaming.UNCORRECTED.keys() - {"unchanged"}:
        assert all(reward < real for reward, real in zip(rewards[name], rewards["IPN"], strict=True))


def test_the_tables_of_the_page(shared: Path, gaming: ModuleType) -> None:
    page = (ROOT / "research" / "gaming.md").read_text(encoding="utf-8")
    data = shared / "data" / "conll14"
    references = [str(data / f"ref{r}.txt") for r in range(2)]
    systems = [str(data / "systems" / f"{name}.txt") for name in ("CAMB", "IPN")]
    corpus = geceval.read_corpus(str(data / "source.txt"), references, systems, str(data / "gold.m2"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        tables = gaming.gaming_tables(corpus, [gaming.METRICS])
    assert as_markdown(tables[0]).split("\n\n")[0] in page
    rows, means = (
        {row[0]: dict(zip(table.heads[1:], map(float, row[1:]), strict=True)) for row in table.rows} for table in tables
    )
    # What the page points out.
    assert rows["empty"]["MaxMatch"] > 3 * rows["IPN"]["MaxMatch"]
    assert rows["unchanged"]["GREEN"] > rows["IPN"]["GREEN"]
    text = " ".join(page.split())
    source, best, worst = (means[name] for name in ("unchanged", "CAMB", "IPN"))
    errant = [f"{row['ERRANT']:.2f}" for row in (source, best, worst)]
    assert "ERRANT's mean is {} for the source, {} for CAMB and {} for IPN".format(*errant) in text
    whole = [f"{row[metric]:.2f}" for row in (source, best) for metric in ("GREEN", "GLEU")]
    assert "GREEN and GLEU of the source are {} and {}, of CAMB {} and {}".format(*whole) in text
    empty, fluent = (f"{means[name]['MaxMatch']:.2f}" for name in ("empty", "fluent"))
    assert f"MaxMatch gives {empty} to `empty` and {fluent} to `fluent`" in text
    lowered = [rows[name] for name in ("frequent words", "twice", "command")]
    assert all(row[metric] <= rows["unchanged"][metric] for row in lowered for metric in row if metric != "MaxMatch")
    above = {metric for metric in rows["IPN"] if rows["over-corrected"][metric] > rows["IPN"][metric]}
    assert above == {"MaxMatch", "GoTo"}


def test_the_table_of_stress(shared: Path, gaming: ModuleType) -> None:
    page = (ROOT / "research" / "gaming.md").read_text(encoding="utf-8")
    names = {"CoNLL-2014": "conll14", "BEA-2019 dev": "bea19-dev"}
    corpora = {name: gaming.read_gold(str(shared / "data" / folder / "gold.m2")) for name, folder in names.items()}
    written = page.split("<!-- begin: stress -->\n")[1].split("<!-- end: stress -->")[0]
    assert written == as_markdown(gaming.stress_table(corpora))
    chains = [partial_corrections(corpus) for corpus in corpora.values()]
    edits = [len(texts.types) - len(texts) for texts in chains]
    assert "5,598 edits of CoNLL-2014 and 7,555 of BEA-2019 dev (gold by ERRANT 2.0)" in " ".join(page.split())
    assert edits == [5598, 7555]
    data = shared / "data" / "conll14"
    given = geceval.read_corpus(gold=str(data / "gold.m2"))
    references = geceval.read_corpus(str(data / "source.txt"), [str(data / f"ref{r}.txt") for r in range(2)])
    [with_spans] = stress(partial_corrections(given), ["errant"])
    errant, cleme = stress(partial_corrections(references), ["errant", "cleme"])
    errant_lowers, spans_lower, cleme_lowers = (
        f"{100 * result.share('lowered'):.1f} %" for result in (errant, with_spans, cleme)
    )
    text = " ".join(page.split())
    assert (
        f"(`-r` for `--gold`) it lowers {errant_lowers}, with the annotators' spans (`as-given`) {spans_lower}" in text
    )
    assert f"CLEME joins adjacent edits, and lowers {cleme_lowers} of these" in text


@pytest.mark.parametrize("name", ["conll14", "bea19-dev"])
def test_partial_corrections_are_those_of_the_lines_of_the_file(shared: Path, name: str) -> None:
    """The texts are made anew from the file, and GREEN scores each alone."""
    path = shared / "data" / name / "gold.m2"
    expected: list[list[str]] = []
    for block in path.read_text("utf-8").split("\n\n"):
        tokens: list[str] = []
        edits: dict[str, list[tuple[int, int, str]]] = {}
        for line in block.splitlines():
            if line.startswith("S"):
                tokens = line.split()[1:]
                continue
            span, type_, text, _, _, annotator = line[2:].split("|||")
            start, end = map(int, span.split())
            if type_ not in ("noop", "UNK"):
                correction = text.split("||")[0]
                edits.setdefault(annotator, []).append((start, end, "" if correction == "-NONE-" else correction))
        for version in edits.values():
            version = sorted(version, key=lambda edit: edit[:2])
            chain = []
            for count in range(len(version) + 1):
                words = list(tokens)
                for start, end, correction in reversed(version[:count]):
                    words[start:end] = correction.split()
                chain.append(" ".join(words))
            expected.append(chain)
    chains = partial_corrections(geceval.read_corpus(gold=str(path)))
    texts = [*chains.corpus.systems[PARTIAL]]
    assert texts == [text for chain in expected for text in chain]
    [result] = stress(chains, ["green"])
    sample = [(chain, k) for chain in expected for k in range(1, len(chain))][::25]
    green = geceval.Green()
    lowered = [
        green.sentence_score(chain[0], chain[k], [chain[-1]])
        < green.sentence_score(chain[0], chain[k - 1], [chain[-1]]) - 1e-9
        for chain, k in sample
    ]
    assert sum(lowered) <= result.edits["all"]["lowered"]
    assert sum(result.edits["all"].values()) == sum(len(chain) - 1 for chain in expected)


def test_attacks_are_as_long_as_the_source(gaming: ModuleType) -> None:
    source = ["a b c", "", "b", "a b"]
    page = (ROOT / "research" / "gaming.md").read_text(encoding="utf-8")
    for name, attack in gaming.ATTACKS.items():
        assert len(attack(source)) == len(source)
        assert attack(source) == attack(source)
        assert f"| {name} |" in page
    assert gaming.first_half(source) == ["a b", "", "b", "a"]
    assert gaming.frequent(source)[1] == "b a c"
    assert [sorted(line.split()) for line in gaming.shuffled(source)] == [line.split() for line in source]
    assert gaming.twice(source)[0] == "a b c a b c"
    assert gaming.command_alone(source)[1] == gaming.COMMAND
    assert gaming.likelier_word(["a b", "a b", "a c d", "c"]) == ["a b", "a b", "a b d", "c"]
    assert gaming.neighbour(["a b c", "a b d", "e f"]) == ["a b d", "a b c", "a b c"]
    assert gaming.overcorrected(["The cat is in a house"]) == ["The cat was on the house"]
