"""All readers of files and of texts, each with small files that it reads.

Formats come from the registry. A new function ``read_…`` or ``parse_…`` needs an entry in FILES, TEXTS or ELSEWHERE:
tests/fuzz/test_fuzz.py fails without one.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import geceval
from fuzz.damage import damaged
from geceval import m2
from geceval.text.reading.file_columns import Format
from geceval.text.reading.file_kinds import FORMATS
from geceval.text.reading.input_files import InputFile
from support.examples import EXAMPLES

SRC = Path(__file__).parents[2] / "src" / "geceval"
#: The largest corpus of a reader that is kept.
MOST_FILES, LARGEST_KEPT = 300, 8192


def _example(name: str, lines: int = 12) -> bytes:
    return b"".join((EXAMPLES / name).read_bytes().splitlines(keepends=True)[:lines])


TEXT = _example("source.txt", 4)
M2 = _example("gold.m2")
TABLE = b'source,hypothesis,reference 1,id\nHe go .,He goes .,"He, ""went"" .",1\na b,,a c,2\n'
JSON_LINES = (
    b'{"source": "He go .", "references": ["He goes .", null], "id": 3}\n'
    b'{"source": "a", "references": [], "id": null}\n'
)
JUDGMENTS = b"""<?xml version="1.0"?>
<results><result id="x"><ranking-item src-id="0" user="a">
<translation rank="1" system="careful"/><translation rank="2" system="noisy,eager"/></ranking-item>
<ranking-item src-id="1" user="b"><translation rank="1" system="a"/></ranking-item></result></results>
"""
NSPT = (
    b"srclang,trglang,srcIndex,documentId,segmentId,judgeID,"
    b"system1Number,system1Id,system2Number,system2Id,system1rank,system2rank\n"
    b"cor,err,1,d,1,j,1,a,2,b,1,2\ncor,err,2,d,2,k,1,a,2,b c,2,1\n"
)
CONLLU = "".join(
    "\t".join([*fields.split(), *"______"]) + "\n"
    for fields in ("1-2 im _ _", "1 in in ADP", "2 dem der DET", "2.1 x y X", "3 Haus Haus NOUN")
).encode()
LEXICON = b"""geceval-lexicon 1
code xx
version 1
rules generic
types universal
tokeniser moses:de
source s
licence l
[forms]
a NOUN
[suffixes]
gen VERB
[lemmas]
haben VERB haben
[words]
a
""".replace(b" ", b"\t").replace(b"lexicon\t1", b"lexicon 1")
RULES = b"[[rules]]\nname = \"label\"\npattern = '^(\\w+): '\nreplacement = '\\1'\nguarded = false\n"
RECORD = json.dumps({
    "schema": "geceval/record@1", "version": "0.3.0", "folder": ".",
    "arguments": ["score", "--source=a"], "inputs": {"a": "0"}, "document": {"results": []},
}).encode()  # fmt: skip
SUGGESTIONS = b"""{"text": "He go .", "latency": 0.2, "matches": [{"offset": 3, "length": 2,
 "replacements": [{"value": "goes"}], "rule": {"id": "HE_VERB"}, "confidence": 0.9}]}
""".replace(b",\n", b",")
SWEEP = json.dumps({"schema": "geceval/sweep@1", "fingerprint": "x", "results": [{
    "system": "a", "metric": "errant", "settings": {}, "best": {"threshold": 0.5}}]}).encode()  # fmt: skip


@dataclass(frozen=True)
class Reader:
    """A reader: files that it reads, the ending of their names, and the call with a path or a text."""

    seeds: Sequence[bytes]
    call: Callable[[Any], Any]
    ending: str = ""
    #: Whether reading works with other files beside the damaged one, by name.
    beside: Sequence[tuple[str, bytes]] = ()


def _all(rows: Iterable[Any]) -> None:
    for _ in rows:
        pass


def _whole_table(path: str, format_: Format) -> None:
    """Read all columns of a file in portions, without the items of lists, which a row may lack."""
    content = format_(InputFile(path))
    indices = [index for index, name in enumerate(content.names) if not re.search(r"\.\d", name)]
    rows = 0
    for portion in content.read(indices, 3) if indices else ():
        [size] = {len(column) for column in portion}
        rows += size
    if rows:
        content.line(rows - 1)


def _corpus(path: str) -> None:
    corpus = geceval.read_table(path)
    for part in corpus.parts(2):
        len(part)


def _m2(path: str) -> None:
    """Read M2 in all ways, which must agree; write it, and read that. An error is one of the faults of a check."""
    faults = m2.check(path).faults
    try:
        blocks = m2.Blocks.read(path, dialect=None)
        m2.references(m2.fitting(blocks))
    except geceval.GecevalError as error:
        if not faults or error.line is None:
            raise RuntimeError("a check finds no such fault") from error
        raise
    assert list(m2.read(path)) == list(blocks)
    again = Path(path).with_suffix(".again")
    with again.open("w", encoding="utf-8", newline="\n") as out:
        m2.write(blocks, out)
    assert list(m2.read(again)) == list(blocks)
    m2.stats(blocks)


def _regexes(path: str) -> Any:
    return _function("geceval.text.line_rules", "make_rules")(path).edit("Corrected: He goes.", "He go.")


@cache
def _function(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def _call(place: str, *more: Any) -> Callable[[Any], Any]:
    """Return the call of ``module:function`` with a path, which reads all that is yielded."""
    module, _, name = place.partition(":")

    def call(path: Any) -> None:
        value = _function(f"geceval.{module}", name)(path, *more)
        if isinstance(value, Iterator):
            _all(value)

    return call


def _file(place: str, *seeds: bytes, ending: str = "") -> tuple[str, Reader]:
    return place, Reader(seeds, _call(place), ending)


FILES: dict[str, Reader] = dict([
    _file("text.reading.lines:read_lines", TEXT),
    _file("text.files:read_text", TEXT),
    _file("selection.candidate_files:read_candidates", b"1\ta b\t0.5\n1\ta\t-1\n2\t\tinf\n",
          b"0 ||| a b ||| F0= -1.5 ||| -1.5\n0 ||| a ||| 0-0 ||| F0= -2 ||| -2\n",
          b"S-0\ta\nH-0\t-0.5\ta b\nD-0\t-1e-3\t\n"),
    _file("scoring.detection:read_labelled", b"He\tc\ngo\ti\n\n.\tc\n"),
    _file("text.m2.m2_files:read", M2),
    _file("text.m2.m2_json:read_json_lines", b""),
    _file("edits.languages.treebanks:read_words", CONLLU),
    _file("edits.languages.treebanks:read_word_list", b"Haus\nhaben\n\nx\n"),
    _file("edits.languages.lexicon:read_lexicon", LEXICON),
    _file("metrics.goto:read_weights", b""),
    _file("metrics.shared.protected_texts:read_terms", b"Acme, Inc.\nPriya\n", b"line\tterm\n1\tPriya\n2\tEU\n"),
    _file("metrics.shared.protected_texts:read_patterns", b"[A-Z]+-\\d+\n(?i)dr\\. \\w+\n"),
    ("selection.post_editing:read_post_edits", Reader(
        [b"line,system,source,hypothesis,reference\n1,A,He go .,He goes .,He goes .\n2,A,a b,a c,a d\n"],
        lambda path: _post_edits(path), ".csv")),
    _file("suites.suite_files:read_suite", (EXAMPLES / "bench.toml").read_bytes(), ending=".toml"),
    _file("commands.shared.run_records:read_record", RECORD),
    _file("reporting.swept_systems:read_thresholds", SWEEP),
    _file("agreement.judgments:read_judgments", JUDGMENTS, NSPT),
    _file("agreement.judgments:read_ratings", _example("ratings.csv", 5)),
    _file("text.reading.strict_toml:read_toml", RULES, (EXAMPLES / "bench.toml").read_bytes()),
    ("text.reading.corpus_files:read_table", Reader([TABLE], _corpus, ".csv")),
    ("text.line_rules:make_rules", Reader([RULES], _regexes, ".toml")),
    ("text.m2:all", Reader([M2, b"S a b\nT0-A0 a c\nA 1 2|||S|||c|||REQUIRED|||-NONE-|||0\n"], _m2, ".m2")),
    ("text.essays:Essays", Reader([b"### essay_id = 1\nHe go .\n\n### essay_id = 2\na b\nc\n"],
        lambda path: _essays(path))),
])  # fmt: skip


def _post_edits(path: str) -> None:
    source, systems = ["He go .", "a b"], {"A": ["He goes .", "a c"]}
    _function("geceval.selection.post_editing", "read_post_edits")(path, source, systems)


def _essays(path: str) -> None:
    lines = _function("geceval.text.reading.lines", "read_lines")(path)
    _function("geceval.text.essays", "Essays").of(lines, path)


def _judged(text: str) -> None:
    from geceval.metrics.judging.judge import Request, UnreadableError, read_numbers

    try:
        read_numbers(text, Request("s", "u", ("a", "b"), 1, 5, None, 0, 9, "no"))
    except UnreadableError as error:
        str(error).encode()


TEXTS: dict[str, Reader] = {
    "text.reading.strict_toml:parse_toml": Reader([RULES], _call("text.reading.strict_toml:parse_toml", "name")),
    "text.written_values:parse_list": Reader(
        [b"['a', \"b'c\"]", b'["a", null]'], _call("text.written_values:parse_list")
    ),
    "text.reading.delimited:read_rows": Reader([TABLE], _call("text.reading.delimited:read_rows", "name")),
    "text.m2.spelling_reports:parse_ispell": Reader(
        [b"@(#) International Ispell\n*\n& teh 2 4: the, tea\n# xqz 9\n\n"],
        _call("text.m2.spelling_reports:parse_ispell"),
    ),
    "text.m2.spelling_reports:parse_codespell": Reader(
        [b"a.txt:1: teh ==> the, tea | a reason\n"], _call("text.m2.spelling_reports:parse_codespell")
    ),
    "selection.conditions:parse_condition": Reader(
        [b"edits > 0 and not duplicate or (edits <= 3 and not changed)"],
            _call("selection.conditions:parse_condition")
    ),
    "counting.metric_names:parse_specs": Reader(
        [b'green:unit=char,beta=2', b'errant,llm:server="http://a,b"'],
            lambda text: _call("counting.metric_names:parse_specs")([text])
    ),
    "scoring.expenses:parse_prices": Reader(
        [b"price_prompt=0.15,price_answer=0.6", b"A: B:price_answer=2,price_prompt=1e-3"],
            lambda text: _call("scoring.expenses:parse_prices")([text])
    ),
    "metrics.judging.server:parse_address": Reader([b"http://localhost:8000/v1", b"https://[::1]:9/x"],
        _call("metrics.judging.server:parse_address")),
    "metrics.judging.server:read_retry_after": Reader([b"3", b"0.4"], _call("metrics.judging.server:read_retry_after")),
    "metrics.judging.server:read_response": Reader(
        [b'{"choices": [{"message": {"content": "{}"}}], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}'],
            lambda text: _call("metrics.judging.server:read_response", "secretkey")(text.encode())
    ),
    "metrics.judging.judge:read_numbers": Reader([b'```json\n{"a": 1, "b": 5}\n```', b'{"a": 1, "b": 2}'], _judged),
}  # fmt: skip
#: Functions that are read through others, or read nothing from outside.
ELSEWHERE: dict[str, str] = {
    "text.reading.corpus_files:read_corpus": "formats, commands",
    "commands.shared.command_line:parse": "commands",
    "commands.m2.m2_options:read_examined": "text.m2:all, commands",
    "commands.shared.corrected_texts:read_corrections": "read_lines, commands",
    "text.reading.corpus_files:read_lines_together": "read_lines, commands",
    "text.files:read_errors": "open files",
    "text.m2.suggestions:read_suggestions": "text.m2.m2_json:read_json_lines",
    "text.m2.m2_files:parse_portions": "text.m2:all",
    "metrics.judging.server:read_key": "environment",
    "metrics.judging.judge:read_template": "files of the package",
    "suites.suite_run:read_files": "formats",
    **{f"errant.commands.{name}:parse_args": "arguments" for name in ("compare_m2", "m2_to_m2", "parallel_to_m2")},
}


#: Entries that are no function.
MORE = (
    "text.m2:all",
    "text.essays:Essays",
    "text.line_rules:make_rules",
)


def functions() -> set[str]:
    """The functions of the package that read or parse, as ``module:function``."""
    called = set()
    for path in SRC.rglob("*.py"):
        module = ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")
        if module.split(".")[0] != "integrations":
            names = re.findall(r"^def ((?:read|parse)(?:_\w+)?)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
            called |= {f"{module}:{name}" for name in names}
    return called


def _seeds_of(name: str) -> list[bytes]:
    """Files of a format; for one without an entry here, those of all others."""
    known = {"text": [TEXT], "m2": [M2], "csv": [TABLE],
        "tsv": [b"source\thypothesis\tid\nHe go .\tHe goes .\t1\na\t\t2\n"], "jsonl": [JSON_LINES],
             "para": [b"1\tHe go .\tHe goes .\n2\ta\tb\n"], "parquet": _parquets(), "xlsx": [_workbook()]}  # fmt: skip
    return known.get(name, [seed for seeds in known.values() for seed in seeds])


@cache
def _workbook() -> bytes:
    import openpyxl

    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (["source", "hypothesis", "n"], ["He go .", "He goes .", 1], [], ["a", None, 2.5]):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


@cache
def _document() -> bytes:
    import docx

    document, out = docx.Document(), io.BytesIO()
    document.add_paragraph("He go .")
    document.save(out)
    return out.getvalue()


@cache
def _parquets() -> list[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [
        pa.table({"source": ["He go .", "a"], "references": [["b", None], []]}),
        pa.table({"source": ["a"] * 5, "n": range(5)}),
    ]
    contents = []
    for table in tables:
        out = io.BytesIO()
        pq.write_table(table, out, compression="none")
        contents.append(out.getvalue())
    return contents


def _formats() -> Iterator[tuple[str, Reader]]:
    for name in FORMATS.builtin:

        def call(path: str, name: str = name) -> None:
            _whole_table(path, FORMATS[name])

        yield f"format:{name}", Reader(_seeds_of(name), call, f".{name}")


def _weights() -> Reader:
    """Weights of two systems, as geceval m2 weights writes them."""
    from geceval.metrics import goto

    return Reader([f"{goto.HEAD}2\n1 2\n0\n".encode()], _call("metrics.goto:read_weights"))


def _json_lines() -> Reader:
    out = io.StringIO()
    m2.write_json_lines([m2.Block("a b", (m2.Edit(0, 1, "R", ("c", "d")), m2.noop(1)))], out)
    return Reader([out.getvalue().encode(), SUGGESTIONS], _call("text.m2.m2_json:read_json_lines"))


def attempt(reader: Reader, path: Path, corpus: Path | None, r: Random, seeds: list[bytes], known: set[str]) -> str:
    """Read a damaged file; returns the kind of the outcome, without places and values.

    Files with new outcomes become seeds, and are kept in the corpus.
    """
    data = damaged(r, seeds)
    path.write_bytes(data)
    outcome = "done"
    try:
        reader.call(str(path))
    except geceval.GecevalError as error:
        str(error).encode()
        outcome = re.sub(r"'[^']*'|\"[^\"]*\"|[^\x20-\x7e]+|\d+", "", f"{type(error).__name__} {error.message}")[:60]
    if outcome not in known and len(known) < MOST_FILES:
        known.add(outcome)
        if len(data) < LARGEST_KEPT:
            seeds.append(data)
            if corpus is not None:
                (corpus / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)
    return outcome.split(" ")[0]


def readers() -> dict[str, Reader]:
    """All readers by name."""
    by_name = {
        **FILES,
        "metrics.goto:read_weights": _weights(),
        "text.office:open_archive": Reader([_document()], _call("text.reading.lines:read_lines"), ".docx"),
        "text.m2.m2_json:read_json_lines": _json_lines(),
    }
    return {**{f"read:{name}": reader for name, reader in by_name.items()}, **dict(_formats())}


def targets(folder: Path, corpus: Path | None) -> dict[str, Callable[[Random], str]]:
    """All readers by name; each writes its file in a folder of its own."""
    attempts: dict[str, Callable[[Random], str]] = {}
    for name, reader in readers().items():
        attempts[name] = _target(name, reader, folder, corpus)
    for name, reader in TEXTS.items():
        attempts[f"text:{name}"] = _target(f"text:{name}", _decoded(reader), folder, corpus)
    return attempts


def _decoded(reader: Reader) -> Reader:
    """A reader of texts, which may have lone surrogates where a server or an argument brings them."""
    return Reader(reader.seeds, lambda path: reader.call(Path(path).read_bytes().decode(errors="replace")))


def _target(name: str, reader: Reader, folder: Path, corpus: Path | None) -> Callable[[Random], str]:
    path, known = folder / f"input{reader.ending}", set[str]()
    state: list[list[bytes]] = []

    def call(r: Random) -> str:
        kept_folder = corpus and corpus / re.sub(r"\W", "_", name)
        if not state:
            for file_name, content in reader.beside:
                (folder / file_name).write_bytes(content)
            if kept_folder:
                kept_folder.mkdir(parents=True, exist_ok=True)
            state.append(
                [*reader.seeds, *(seed_file.read_bytes() for seed_file in sorted(kept_folder.iterdir()) if kept_folder)]
                if kept_folder
                else [*reader.seeds]
            )
        return attempt(reader, path, kept_folder, r, state[0], known)

    return call
