"""Other languages: recorded counts and scores, the spans of published M2, and the tables in the package made anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from conformance.test_errant import numbers, table
from geceval._kernel import Text
from geceval.app.main import main
from geceval.base.errors import UsageError
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.languages.lexicon import SHIPPED, SHIPPED_VERSION, guess, lexicon
from geceval.edits.languages.treebanks import fingerprint, make_table
from geceval.m2 import Block, Blocks, Edit
from geceval.text.m2.edit import Dialect
from support.golden import load
from support.language_table import (
    TREEBANKS,
    agreement,
    fitting_blocks,
    knowledge,
    page_table,
    scores_section,
    span_f1_of,
    whole_treebank,
)

#: Where the corpora are, below data/languages; what the published spans are held against, and what is reached at least.
SPANS = [
    ("de/fm-dev/gold.m2", "de", 0.940),
    ("de/fm-dev/jp-errant.m2", "de", 0.983),
    ("cs/geccc/gold.m2", "cs", 0.960),
    ("cs/geccc-small/jp-errant.m2", "cs:generic", 0.955),
    ("uk/ua-gec-train/gold.m2", "plain", 0.910),
    ("de/fm-dev/gold.m2", "plain", 0.862),
    ("cs/geccc/gold.m2", "cs:generic", 0.895),
]
NAMES = {"de": "German", "cs": "Czech"}
SPELLING = [("de", "de/fm-dev/gold.m2", 0.556, 0.688), ("cs", "cs/geccc/gold.m2", 0.652, 0.761)]
PAGE = Path(__file__).parents[2] / "docs" / "languages.md"
#: The tables of support/language_table.py that the page does not have.
RECORDED = Path(__file__).with_name("languages.md")


@pytest.mark.parametrize(("where", "language", "minimum"), SPANS)
def test_spans_of_published_edits(shared: Path, where: str, language: str, minimum: float) -> None:
    assert span_f1_of(shared / "data" / "languages" / where, language) >= minimum


def test_the_rules_for_czech_are_for_czech(shared: Path) -> None:
    """They help where they are meant and harm elsewhere, by more than a point of F1."""
    data = shared / "data" / "languages"
    for where, language, helps in [("cs/geccc/gold.m2", "cs", True), ("de/fm-dev/jp-errant.m2", "de", False)]:
        czech, generic = (span_f1_of(data / where, f"{language}:{rules}") for rules in ("czech", "generic"))
        assert czech > generic + 0.01 if helps else czech < generic - 0.01


@pytest.mark.parametrize("code", SHIPPED)
def test_tables_in_the_package_are_those_of_their_treebanks(shared: Path, code: str) -> None:
    """Whoever changes them changes their version, too."""
    shipped_lexicon = lexicon(code)
    assert shipped_lexicon is not None
    table = shipped_lexicon.table
    assert (table.version, fingerprint(table)) == (SHIPPED_VERSION, {"de": "c5b06ffe", "cs": "6376ff79"}[code])
    data = shared / "data" / "languages"
    settings = {name: getattr(table, name) for name in ("rules", "types", "tokeniser", "source", "licence")}
    assert make_table(whole_treebank(data, TREEBANKS[NAMES[code]]), code, SHIPPED_VERSION, **settings) == table
    assert len("\n".join(table.lines()).encode()) < 1_500_000


@pytest.mark.parametrize(("code", "where", "without", "with_rule"), SPELLING)
def test_the_spelling_rule_makes_types_right_more_often(
    shared: Path, code: str, where: str, without: float, with_rule: float
) -> None:
    """The shares of replaced words with the published type, without the rule and with it: docs/languages.md."""
    blocks = fitting_blocks(shared / "data" / "languages" / where)
    annotator = make_annotator(code)
    shares = [share_of_types(blocks, extractor) for extractor in (Extractor(annotator, words=[]), Extractor(annotator))]
    assert [round(share, 3) for share in shares] == [without, with_rule]
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"{NAMES[code]} {100 * without:.1f} to {100 * with_rule:.1f} %" in page


def share_of_types(blocks: list[Block], extractor: Extractor) -> float:
    """Return the share of replaced words that have the published type, where `FORM` is `INFL`."""
    targets = Blocks.of(blocks).corrected(0, "plain")
    pairs = [(block.source, str(target)) for block, target in zip(blocks, targets, strict=True)]
    equal = []
    for block, edits in zip(blocks, extractor.extract(pairs), strict=True):
        types = {(edit.start, edit.end, edit.correction): edit.type for edit in edits}
        words = [edit for edit in block.edits_of(0) if edit.end - edit.start == len(edit.correction.split()) == 1]
        equal += [
            types[place] == edit.type.replace("FORM", "INFL")
            for edit in words
            if (place := (edit.start, edit.end, edit.correction)) in types
        ]
    return sum(equal) / len(equal)


def test_agreement_of_the_page(shared: Path) -> None:
    assert page_table(agreement(shared / "data" / "languages")) in PAGE.read_text(encoding="utf-8")


def test_accuracy_of_tables_and_scores_equal_the_recorded_ones(shared: Path) -> None:
    data = shared / "data" / "languages"
    tables = f"{page_table(knowledge(data))}\n{scores_section(data)}"
    assert tables == RECORDED.read_text(encoding="utf-8")


@pytest.mark.parametrize("at", range(14))
def test_errant_compare_of_german(shared: Path, at: int, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    folder = shared / "data" / "languages" / "de" / "fm-dev"
    recorded = load(shared / "golden" / "languages" / "de-errant_compare.json")["runs"]
    assert len(recorded) == 14
    run = recorded[at]
    names = [str(folder / run[side]) for side in ("hyp", "ref")]
    assert main(["errant_compare", "-hyp", names[0], "-ref", names[1], *run["options"]]) == 0
    output = capsysbinary.readouterr().out.decode()
    printed = table(output)
    assert printed["totals"] == numbers(run)
    expected = run.get("categories", {})
    if "count" in expected:  # of that many only their number was kept
        _, _, rows = output.partition("\nCategory")
        assert len(rows.split("\n\n")[0].splitlines()[1:]) == expected["count"]
    else:
        assert printed["categories"] == {name: list(map(str, row)) for name, row in expected.items()}


def test_counts_of_published_files(shared: Path) -> None:
    counts = load(shared / "golden" / "languages" / "m2-counts.json")
    files = [name for name in counts if not name.startswith("zh/")]
    assert len(files) == 10
    for name in files:
        assert counted(pooled(published(shared / "data" / "languages" / name))) == counts[name], name


def published(path: Path, dialect: Dialect | None = "auto") -> Blocks:
    """The blocks of a file, read as by the official scorer: the Estonian file lacks empty lines."""
    return Blocks.parse(path.read_bytes(), str(path), shared=True, dialect=dialect)


def pooled(blocks: Iterable[Block]) -> Iterator[list[Edit]]:
    """The edits up to each empty line: the Estonian file has blocks of two sentences."""
    lines: dict[int | None, Edit] = {}
    for block in blocks:
        lines |= {edit.line: edit for edit in block.edits}
        if block.ended:
            yield list(lines.values())
            lines = {}
    if lines:
        yield list(lines.values())


def counted(blocks: Iterator[list[Edit]]) -> dict[str, object]:
    sentences = changed_by_any = 0
    edits, changed = defaultdict(int), defaultdict(int)
    for block in blocks:
        corrections = [edit for edit in block if not edit.is_noop]
        sentences += 1
        changed_by_any += bool(corrections)
        for edit in block:
            edits[edit.annotator] += not edit.is_noop
        for annotator in {edit.annotator for edit in corrections}:
            changed[annotator] += 1
    return {
        "sentences": sentences,
        "changed_by_any": changed_by_any,
        "fraction_changed": round(changed_by_any / sentences, 4),
        "annotators": {str(who): {"edits": edits[who], "changed": changed[who]} for who in sorted(edits)},
    }


def test_languages_are_guessed(shared: Path) -> None:
    """Of a thousand lines, and of every ten lines with enough words: never a wrong language, at worst none."""
    data = shared / "data"
    files = {path: path.parts[-3] for path in sorted((data / "languages").glob("*/*/*.m2"))}
    files |= {data / name / "source.txt": "en" for name in ("conll14", "jfleg-dev", "bea19-dev")}
    for path, code in files.items():
        lines = (
            [block.source for block in published(path, None)] if path.suffix == ".m2" else path.read_text().splitlines()
        )
        expected = code if code in ("en", "zh", *SHIPPED) else "plain"
        assert guess(Text(lines[:1000])).language == expected, path
        tens = [found for at in range(0, 2000, 10) if (found := guessed(lines[at : at + 10])) is not None]
        assert {found for found in tens if found not in (expected, "plain")} == set(), path


def guessed(lines: list[str]) -> str | None:
    try:
        return guess(Text(lines)).language
    except UsageError:
        return None
