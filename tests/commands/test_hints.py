"""Hints followed: each row makes a message, checks its hint and runs what the hint says.

A hint in the package that names a command, an option or a call must be the hint of a row, or be listed in NOT_FOLLOWED
with the reason or the test that follows it.
"""

from __future__ import annotations

import ast
import contextlib
import math
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from openpyxl import Workbook

import geceval
from geceval.base.errors import GecevalError
from geceval.base.hints import Option, command_words, hint_of_template
from geceval.base.package_tables import table_rows
from geceval.counting import run as counting_run
from geceval.counting.groupings import BySentence, evidence_of, given_labels
from geceval.counting.metric_names import metrics_of
from geceval.counting.run_options import RunOptions
from geceval.counting.system_results import kept_counts
from geceval.integrations import spark
from geceval.metrics.judging.judged_metric import BASE_URL
from geceval.text.reading.corpus_files import CorpusFiles
from support.commands import Run, run_main
from support.examples import EXAMPLES

PACKAGE = Path(geceval.__file__).parent
TESTS = Path(__file__).parents[1]


class Row(NamedTuple):
    """A command, its hint and the commands that follow it, one a line; ``output`` is in the output of the last one.

    A command after "! " states what the hint promises in an error.
    """

    command: str
    hint: str
    followed: str
    output: str = ""


#: Options of most commands.
TEXTS, EDITS = "-s source.txt -r ref0.txt", "--gold gold.m2"
REFERENCES = f"{TEXTS} ref1.txt"
ONE, TWO = "-c systems/eager.txt", "-c systems/eager.txt systems/noisy.txt"
SCORE, COMPARE = f"score {TEXTS} {ONE}", f"compare {TEXTS} {TWO} --samples 200 -q"
SELECT, META = "select -s source.txt -c nbest.tsv", f"meta --judgments judgments.xml --systems systems {TEXTS}"
UNTIED, TURNED = (META.replace("judgments.xml", f"{name}.xml") for name in ("untied", "other"))
CHECKER = "-s checker/source.txt -r checker/reference.txt -c checker/checker.jsonl -m spans"
CHECKERS = (
    "-s checker/source.txt -r checker/reference.txt -c checker/checker.jsonl old=checker/checker.jsonl "
    "--offsets utf-16 --tokenise english -q"
)
SERVER = "server=http://localhost:8000/v1"
FILES = {
    "cut.txt": "Fine .\n",
    "checked.txt": "Fine .\nI saw teh cat .\n",
    "beyond.jsonl": '{"line_num": 2, "byte_offset": 6, "typo": "teh", "corrections": ["the"]}\n',
    "suggested.csv": 'source,reference,checker\na b,a c,"[{""start"": 2, ""end"": 3, ""fix"": ""c""}]"\n',
    "suggestions.jsonl": '[{"start": 2, "end": 3, "replacement": "c"}]\n',
    "nocolumns.json": '{"runs": [{"results": [{"locations": [{"physicalLocation": {"region": {"startLine": 1}}}]}]}]}',
    "broken.csv": 'source,reference,hypothesis\nx,"y\nz",y z\n',
    "answer.csv": 'source,reference,hypothesis\nHe go home .,He goes home .,"Corrected: He goes home .\n\nI did."\n',
    "answered.txt": "".join(
        f"Sure! Here is the corrected sentence: {line}\n" for line in (EXAMPLES / "ref0.txt").read_text().splitlines()
    ),
    "noref.csv": "source,reference,hypothesis\nx,,z\ny,y,y\n",
    "some.csv": "source,reference1,reference2,hypothesis\nx,y,,z\na,b,c,d\n",
    "blanks.csv": "source,reference1,reference2,hypothesis\nx,y,,z\na,b,,d\n",
    "long.csv": "source,annotator,reference\nhe go,1,he goes\nshe go,1,she goes\nhe go,2,he went\nshe go,2,she went\n",
    "titled.csv": "Course B1\n\nsource,reference,hypothesis\nx,y,z\n",
    "blanks.txt": "x\na\n",
    "blank.txt": "\n\n",
    "names.csv": "before,after,system\nx,y,z\n",
    "untitled.csv": "reference,hypothesis\nx,y\n",
    "table.xyz": "source,reference,hypothesis\nx,y,z\n",
    "keys.csv": "source,reference,hypothesis,number\nx,y,z,1\n",
    "one.txt": "x y\n",
    "chat.jsonl": '{"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}\n' * 2,
    "pair.txt": "x y\nx y\n",
    "first/t.csv": "source,reference,hyp\nHe go .,He goes .,He goes .\n",
    "second/t.csv": "source,reference,hyp\nHe go .,He goes .,He goes .\n",
    "ids.jsonl": '{"custom_id":"b","source":"a b","hypothesis":"a c"}\n',
    "failed.jsonl": '{"custom_id":"r-0","response":{"body":{"choices":[{"message":{"content":"x y"}}]}}}\n'
    '{"custom_id":"r-1","response":null}\n',
    "lacking.jsonl": '{"custom_id":"r-0","response":{"body":{"choices":[{"message":{"content":"x y"}}]}}}\n'
    '{"custom_id":"r-1","model":"m"}\n',
    "repeated.jsonl": '{"custom_id":"r-0","response":{"body":{"choices":[{"message":{"content":"x y"}}]}}}\n'
    '{"custom_id": "r-1", "response": {"body": {"choices": [{"message": {"content": ""}}]}}}\n',
    "ends.jsonl": '{"output":"a b","finish_reason":"stop"}\n' * 2,
    "usage.jsonl": '{"output":"a b","usage":{"prompt_tokens":600,"completion_tokens":0}}\n' * 2,
    "gap.jsonl": '{"custom_id":"r-0","output":"a b"}\n{"custom_id":"r-2","output":"a b"}\n',
    "full.jsonl": '{"custom_id":"r-0","output":"a b"}\n{"custom_id":"r-2","output":"a b"}\n'
    '{"custom_id":"r-1","output":""}\n',
    "three.txt": "a b\n" * 3,
    "refs.jsonl": '{"custom_id":"b","reference":"a c"}\n',
    "types.jsonl": '{"source":"a b","hypothesis":"a c","reference":"a c","n":1}\n'
    '{"source":"a d","hypothesis":"a e","reference":"a e","n":"x"}\n',
    "failures.jsonl": '{"source":"a b","target":"a c"}\n{"source":"a d","target":null}\n' * 2,
    "answered.jsonl": '{"source":"a b","target":"a c"}\n{"source":"a d","target":""}\n' * 2,
    "pairs.json": '[{"a": "a b", "b": "a c"}]',
    "two.txt": "a b\n",
    "two.m2": "S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||d|||REQUIRED|||-NONE-|||1\n\n",
    "three.m2": "S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||d|||REQUIRED|||-NONE-|||1\n"
    "A 1 2|||R|||e|||REQUIRED|||-NONE-|||2\n\n",
    "cells.tsv": "1\ta\tb\tc\n",
    "nbest.txt": "a b\na c\n",
    "columns.jsonl": '{"x": ["a b"], "y": ["a b"]}\n' * 2,
    "lists.jsonl": '{"source": "a b c", "samples": ["a candidate", "another one"]}\n' * 2,
    "samples.jsonl": '{"samples": ["a candidate", "another one"]}\n' * 2,
    "control.txt": "x \x01 y\n",
    "taken/errant_compare": "x",
    "taken_folder/errant_compare/x": "",
    "nothing/x": "",
    "empty/x.xyz": "",
    "outputs/A/learners.txt": "",
    "ids.csv": "id,source,reference\n1,a,b\n2,c,d\n",
    "fewer.csv": "id,hypothesis\n1,a\n",
    "bars.txt": "x || y\n",
    "headless.tsv": "He go home .\tHe goes home .\tHe went home .\nI has it .\tI have it .\tI had it .\n",
    "commas.tsv": "source,reference,hypothesis\nx,y,z\n",
    "quoted.tsv": 'source\treference\thypothesis\nx\t"he said ""y"" z"\tz\n',
    "bare.lexicon": "geceval-lexicon 1\ncode\txx\nversion\t1\n[forms]\na\tNOUN\n",
    "foreign.toml": 'title = "x"\n[sets.a]\nsource="source.txt"\n'
    'references=["ref0.txt"]\nmetrics=["green"]\nlanguage="zz"\n',
    "commented.m2": "# text = a b\nS a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\n",
    "joined.csv": "source,reference,hypothesis\nx,y,z\nsource,reference,hypothesis\nx,y,y\n",
    "sources.toml": '[sets.a]\nsource=["source.txt", "a=ref0.txt"]\nreferences=["ref0.txt"]\nmetrics=["green"]\n',
    "texts.toml": 'title = "x"\n[sets.a]\nsource="source.txt"\nreferences=["ref0.txt"]\nmetrics=["green"]\n',
    "spaced.txt": "a , b\n",
    "untokenised.jsonl": '{"text": "a, b", "suggestions": [{"start": 0, "end": 1, "replacements": ["c"]}]}\n',
    "sv.conllu": "1\thus\thus\tNOUN\t_\t_\t_\t_\t_\t_\n",
    "posless.conllu": "1\thus\thus\t_\t_\t_\t_\t_\t_\t_\n",
}
ROWS = [
    Row(
        "score -s source.txt -r answered.txt -c ref0.txt -m green",
        "geceval prepare --clean llm -s SOURCE REFERENCE > FILE writes the corrections alone",
        "prepare --clean llm -s source.txt answered.txt -o x.txt\nscore -s source.txt -r x.txt -c ref0.txt -m green",
        "100.00",
    ),
    Row(f"{SCORE} -m errant:types=U:CONTR", "--by full shows the types of edits", f"{SCORE} -m errant --by full"),
    Row("metrics errant --check green", "--check errant", "metrics --check errant"),
    Row(f"{SELECT} --by mbr -m green", "did you mean --criterion?", f"{SELECT} --criterion mbr -m green"),
    Row(
        f"{SELECT} --criterion mbr --metric green",
        "did you mean --metrics?",
        f"{SELECT} --criterion mbr --metrics green",
    ),
    Row(f"{SCORE} --annotator builtin:2", "did you mean --language?", f"{SCORE} --language builtin:2 -m errant"),
    Row(
        "m2 filter gold.m2 --annotator 0",
        "--language NAME where edits are extracted, --annotators ID in geceval m2 filter and m2 diff",
        f"{SCORE} --language builtin:2 -m errant\nm2 filter gold.m2 --annotators 0",
    ),
    Row(
        f"report {TEXTS} {TWO} -m green --samples 20 --sentences 5 -o -",
        "did you mean --limit?",
        f"report {TEXTS} {TWO} -m green --samples 20 --limit 5 -o -",
    ),
    Row(
        "m2 diff three.m2 --annotators 0,1 --summary",
        "did you mean --totals?",
        "m2 diff three.m2 --annotators 0,1 --totals",
    ),
    Row(
        "m2 diff three.m2 --annotators 0,1 --types",
        "did you mean --show-types?",
        "m2 diff three.m2 --annotators 0,1 --show-types",
    ),
    Row(f"show {TEXTS} {ONE} --types", "did you mean --show-types?", f"show {TEXTS} {ONE} --show-types"),
    Row(f"show {TEXTS} {ONE} --seed 1", "add --sort random", f"show {TEXTS} {ONE} --seed 1 --sort random"),
    Row(
        "suite texts.toml -c runs --intervals",
        "did you mean --latex-intervals?",
        "suite texts.toml -c runs --latex-intervals -q",
    ),
    Row(
        "language make --conllu sv.conllu --code sv --source Talbanken",
        "did you mean --origin?",
        "language make --conllu sv.conllu --code sv --origin Talbanken",
    ),
    Row(f"{META} -m green --resamples 9", "did you mean --samples?", f"{META} -m green --samples 9 -q"),
    Row(f"meta --systems systems {TEXTS} -m green", "geceval meta --help", "meta --help"),
    Row(
        f"{META.replace('judgments.xml', 'ratings.csv')} -m green",
        "--ratings FILE reads ratings, a column per system",
        f"{META.replace('--judgments judgments.xml', '--ratings ratings.csv')} -m green -q",
    ),
    Row(f"{META} --level edits -m green", "-m errant", f"{META} --level edits -m errant --samples 9"),
    Row("meta --stress -m green", "--gold FILE", "meta --stress -m green --gold gold.m2", "GREEN"),
    Row(f"{META} -m green --level test", "-m green errant", f"{META} -m green errant --level test -q"),
    Row(
        "meta --judgments judgments.xml -m green",
        "--level human ranks systems without metrics",
        "meta --judgments judgments.xml --level human",
    ),
    Row(
        f"{META} -m green --human trueskill --pairs outputs",
        "use measure=expected-wins (--human expected-wins)",
        f"{META} -m green --human expected-wins --pairs outputs -q",
    ),
    Row(
        f"{META.replace('--judgments judgments.xml', '--ratings ratings.csv')} -m green --pairs outputs",
        "use pairs=systems (--pairs systems)",
        f"{META.replace('--judgments judgments.xml', '--ratings ratings.csv')} -m green --pairs systems -q",
    ),
    Row(
        f"score {TEXTS} -c a=systems/eager.txt a=systems/noisy.txt -m green",
        "NAME=FILE names a system",
        f"score {TEXTS} -c a=systems/eager.txt b=systems/noisy.txt -m green",
    ),
    Row(
        "score -s pair.txt -r pair.txt -c chat.jsonl -m green",
        "-i FILE --hypothesis-column messages.1.content reads the second message of each chat",
        "score -i chat.jsonl -s pair.txt -r pair.txt --hypothesis-column messages.1.content -m green",
    ),
    Row(
        "select -s source.txt -c systems/eager.txt --per-sentence 2 --criterion mbr -m green",
        "--per-sentence 1",
        "select -s source.txt -c systems/eager.txt --per-sentence 1 --criterion mbr -m green",
    ),
    Row("errant", "geceval score -m errant", f"{SCORE} -m errant"),
    Row(
        "errant_parallel -orig source.txt -cor gold.m2 -out edits.m2",
        "geceval score --gold gold.m2, or -c gold.m2 for a system; geceval m2 apply gold.m2 > FILE.txt writes its"
        " corrected text",
        f"score --gold gold.m2 {ONE}\nm2 apply gold.m2 -o gold.txt\n"
        "errant_parallel -orig source.txt -cor gold.txt -out edits.m2",
    ),
    Row(
        "select -s source.txt -r gold.m2 -c nbest.tsv --criterion green",
        "geceval score --gold gold.m2, or -c gold.m2 for a system; geceval m2 apply gold.m2 > FILE.txt writes its"
        " corrected text",
        f"m2 apply gold.m2 -o gold.txt\n{SELECT} --criterion green -r gold.txt",
    ),
    Row(
        "gleu -s source.txt -r cp1252.txt -o systems/eager.txt",
        "geceval score --encoding cp1252 (Western European), or cp1250 (Central European), cp1257 (Baltic), cp1254"
        " (Turkish); or convert the file: iconv -f CP1252 -t UTF-8 cp1252.txt > FILE",
        f"score -s source.txt -r cp1252.txt {ONE} -m green --no-checks --encoding cp1252",
    ),
    Row(
        f"gate {TEXTS} {ONE} --fail-below errant=1",
        "did you mean --fail-over or --fail-under?",
        f"gate {TEXTS} {ONE} --fail-over false-alarms=100\ngate {TEXTS} {ONE} --fail-under errant=1",
    ),
    Row(
        "install-scripts taken_folder",
        "another folder, or --only for some of the commands",
        "install-scripts taken_folder --only m2scorer\ninstall-scripts other",
    ),
    Row(
        "install-scripts taken",
        "another folder, --only for some of the commands, or --force to overwrite it",
        "install-scripts taken --only m2scorer\ninstall-scripts taken --force",
    ),
    Row("reproduce moved.json --folder nowhere", "--folder DIR", "reproduce moved.json --folder ."),
    Row("reproduce far/moved.json --folder nothing", "--folder DIR", "reproduce far/moved.json --folder ."),
    Row(
        "reproduce source.txt",
        "write a record: geceval score … --record FILE",
        f"{SCORE} -m green --record new.json -o score.txt\nreproduce new.json",
    ),
    Row(
        f"{SCORE} --tokenise-only source",
        "add --tokenise NAME, --detokenise NAME or --normalise FORM",
        f"{SCORE} -m green --tokenise-only source --normalise nfc",
    ),
    Row(
        f"score -s source.txt -r gold.m2 {ONE}",
        "--gold gold.m2, or -c gold.m2 for a system; geceval m2 apply gold.m2 > FILE.txt writes its corrected text",
        f"score -s source.txt {EDITS} {ONE} -m errant\nm2 apply gold.m2",
    ),
    Row(
        f"score -s source.txt {ONE}",
        "-r FILE or --gold FILE; or a metric without references (geceval metrics lists them)",
        f"{SCORE}\nscore {EDITS} {ONE}\nmetrics",
    ),
    Row(
        "score -i names.csv -m green",
        "--source-column COL, one of before, after, system",
        "score -i names.csv -m green --source-column before --reference-column after --hypothesis-column system",
    ),
    Row(
        "score -i untitled.csv --language auto -m green", "--language NAME", "language list\nprepare --list", "english"
    ),
    Row(f"score -s - -r ref0.txt {ONE} --language auto", "--language NAME", f"{SCORE} --language en -m green"),
    Row(f"{SCORE} --judge server", f"--judge {SERVER}", f"{SCORE} -m llm:model=x --judge {SERVER} --dry-run"),
    Row(
        f"{COMPARE} --changes eager noisy --power",
        "run geceval compare twice",
        f"compare {TEXTS} {TWO} --changes eager noisy\n{COMPARE} --power -m green",
    ),
    Row(f"{COMPARE} --top 2 --power", "use -m errant:types=DET --power", f"{COMPARE} -m errant:types=DET --power"),
    Row(f"{COMPARE} -m green --type DET", "use for example -m errant", f"{COMPARE} -m errant --type DET"),
    Row(f"{COMPARE} --type DET -f pdf", "-o FILE.pdf", f"{COMPARE} --type DET -o drawn.svg"),
    Row(f"{SCORE} -m green --size page", "-o FILE.svg, .pdf or .png", f"{SCORE} -m green --size page -o sized.svg"),
    Row(
        f"{SCORE} -m green --level sentence -o lines.svg",
        "--level corpus or --level mean",
        f"{SCORE} -m green --level mean -o means.svg",
    ),
    Row(
        f"compare {TEXTS} {TWO} --changes eager noisy -m green -o changed.svg",
        "omit --changes",
        f"{COMPARE} -m green -o changed.svg",
    ),
    Row(
        "meta --judgments judgments.xml --level human -o people.svg",
        "--level system",
        f"{META} -m green --samples 0 --level system -o agreement.svg",
    ),
    Row(
        f"{META} -m green --plot people.svg",
        "score, compare, sweep and meta write a picture: -o FILE.svg, .pdf or .png",
        f"{META} -m green --samples 0 -o person.svg",
    ),
    Row(
        f"rank {TEXTS} -c confident.m2 systems/noisy.txt -m errant",
        "give both in one form: geceval m2 apply FILE writes the text of M2",
        f"m2 apply confident.m2 -o confident.txt\nrank {TEXTS} -c confident.txt systems/noisy.txt -m errant -q",
    ),
    Row(
        f"annotate {EDITS} {ONE} -f chunks --tokenise english",
        "--tokenise-only corrections",
        f"annotate {EDITS} {ONE} -f chunks --tokenise english --tokenise-only corrections",
    ),
    Row(
        "annotate -s source.txt -c confident.m2 -f chunks",
        "-r or --gold compares M2 with references",
        "annotate -s source.txt -c confident.m2 -f chunks -r ref0.txt\n"
        f"annotate -s source.txt -c confident.m2 -f chunks {EDITS}",
    ),
    Row(
        "annotate -s source.txt -c ref0.txt ref1.txt -f spans",
        "-f m2 for several",
        "annotate -s source.txt -c ref0.txt ref1.txt -f m2",
    ),
    Row("annotate -c ref0.txt", "-s FILE or -i TABLE", "annotate -s source.txt -c ref0.txt\nannotate -i some.csv"),
    Row("m2 diff three.m2", "--annotators ID,ID", "m2 diff three.m2 --annotators 0,1"),
    Row(
        "m2 filter gold.m2",
        "--type, --operation, --shortest, --longest, --annotators, --changed or --misfits drop",
        "m2 filter gold.m2 --type R:VERB\nm2 filter gold.m2 --operation M\nm2 filter gold.m2 --shortest 2\n"
        "m2 filter gold.m2 --longest 1\nm2 filter gold.m2 --annotators 0\nm2 filter gold.m2 --changed\n"
        "m2 filter gold.m2 --misfits drop",
    ),
    Row(
        "prepare source.txt -o x.txt",
        "--clean llm, --tokenise NAME, --normalise FORM, …",
        "prepare source.txt -o x.txt --tokenise english\nprepare source.txt -o x.txt --normalise nfc\n"
        "prepare systems/eager.txt -s source.txt -o x.txt --clean llm",
    ),
    Row(
        "prepare gold.m2 --tokenise plain -o x.txt",
        "geceval m2 source and geceval m2 apply print its text",
        "m2 source gold.m2 -o gold.txt\nm2 apply gold.m2 -o gold.txt\nprepare gold.txt --tokenise plain -o x.txt",
    ),
    Row(
        "prepare systems/eager.txt --clean llm -o x.txt",
        "-s FILE",
        "prepare systems/eager.txt --clean llm -s source.txt -o x.txt",
    ),
    Row(f"{SELECT} --criterion mbr", "-m green", f"{SELECT} --criterion mbr -m green"),
    Row(
        f"select -s source.txt {TWO} --criterion mbr -m green --per-sentence 2",
        "omit --per-sentence",
        f"select -s source.txt {TWO} --criterion mbr -m green",
    ),
    Row(
        "select -s pair.txt -c samples.jsonl --criterion mbr -m green --per-sentence 2",
        "omit --per-sentence",
        "select -s pair.txt -c samples.jsonl --criterion mbr -m green",
    ),
    Row(
        "select -s pair.txt -c columns.jsonl --criterion mbr -m green",
        '{"samples": ["a candidate", "another one"]}, one object per sentence',
        "select -s pair.txt -c samples.jsonl --criterion mbr -m green",
    ),
    Row(
        "select -c samples.jsonl --criterion mbr -m green --clean llm",
        "-s FILE",
        "select -s pair.txt -c samples.jsonl --criterion mbr -m green --clean llm",
    ),
    Row(
        f"{SELECT} --criterion green",
        "-r FILE …; without references: --criterion mbr -m green, or a metric such as impara",
        f"{SELECT} --criterion green -r ref0.txt\n{SELECT} --criterion mbr -m green",
    ),
    Row(
        f"{SELECT} --criterion mbr -m impara",
        "--criterion impara, or a metric such as -m green",
        f"{SELECT} --criterion mbr -m green",
    ),
    Row(
        "select -s one.txt -c cells.tsv --criterion mbr -m green",
        "sentence number, tab, candidate, optionally tab and score; or plain lines with --per-sentence N",
        "select -s one.txt -c nbest.txt --criterion mbr -m green --per-sentence 2",
    ),
    Row(
        f"{SELECT} --criterion mbr -m green -r ref0.txt",
        "--criterion green -r … selects by references",
        f"{SELECT} --criterion green -r ref0.txt",
    ),
    Row(
        f"{SELECT} --criterion green -m green -r ref0.txt",
        "--criterion mbr -m green, or --criterion green",
        f"{SELECT} --criterion mbr -m green\n{SELECT} --criterion green -r ref0.txt",
    ),
    Row(f"{SELECT} --criterion scores --judge {SERVER}", "omit --judge", f"{SELECT} --criterion scores"),
    Row(
        f"{SELECT} --criterion scores -r ref0.txt",
        "--criterion METRIC -r … selects by references",
        f"{SELECT} --criterion green -r ref0.txt",
    ),
    Row("select -c nbest.tsv --criterion green -r ref0.txt", "-s FILE", f"{SELECT} --criterion green -r ref0.txt"),
    Row(f"{SELECT} --criterion impara -r ref0.txt", "omit -r", f"{SELECT} --criterion impara --help"),
    Row(
        "select -s two-lines.txt -c negative.tsv --criterion mbr -m green --weights given",
        "log-probabilities: --weights log",
        "select -s two-lines.txt -c negative.tsv --criterion mbr -m green --weights log",
    ),
    Row(
        f"{SCORE} -m errant --by rule",
        "-m spans",
        f"score {CHECKER} --offsets utf-16 --tokenise english --by rule",
    ),
    Row(
        f"{SCORE} -m maxmatch",
        "an M2 file: --gold FILE, in Python gold=list(m2.read(path))",
        f"score {EDITS} {ONE} -m maxmatch",
    ),
    Row(
        f"{SCORE} -m llm",
        "-m llm:model=NAME --judge server=URL, or -m llm:model=FOLDER",
        f"{SCORE} -m llm:model=x --judge {SERVER} --dry-run",
    ),
    Row(f"{SCORE} --judge {SERVER}", "use -m llm:model=NAME", f"{SCORE} -m llm:model=x --judge {SERVER} --dry-run"),
    Row(
        f"{SCORE} -m green --judge temperature=1",
        "settings of a metric: -m llm:temperature=…",
        f"{SCORE} -m llm:model=x,temperature=1 --judge {SERVER} --dry-run",
    ),
    Row(
        f"{SCORE} -m llm:model=x",
        f"--judge {SERVER} (or {BASE_URL} in the environment)",
        f"{SCORE} -m llm:model=x --judge {SERVER} --dry-run",
    ),
    Row(
        f"{SCORE} -m goto:weights=source.txt",
        "geceval m2 weights writes one",
        f"m2 weights --gold gold.m2 -c confident.m2 -o weights.txt\nscore {EDITS} {ONE} -m goto:weights=weights.txt",
    ),
    Row(
        f"show {TEXTS} {TWO} systems/careful.txt --against noisy",
        "--system NAME",
        f"show {TEXTS} {TWO} systems/careful.txt --against noisy --system eager",
    ),
    Row(f"explain {TEXTS} {ONE}", "--sentence N, from 1", f"explain {TEXTS} {ONE} --sentence 1"),
    Row(
        f"sweep {EDITS} -c confident.m2 --tuned source.txt",
        "geceval sweep … -o dev.json",
        f"sweep {EDITS} -c confident.m2 -q -o dev.json\nsweep {EDITS} -c confident.m2 --tuned dev.json -q",
    ),
    Row(
        f"sweep {EDITS} -c confident.m2 --tuned tuned.json",
        "it has the systems other; -c NAME=FILE names a system",
        f"sweep {EDITS} -c other=confident.m2 --tuned tuned.json -q",
    ),
    Row(
        f"sweep {EDITS} -c confident.m2 -m cleme",
        "-m errant maxmatch green",
        f"sweep {EDITS} -c confident.m2 -m errant maxmatch green -q",
    ),
    Row(
        f"sweep {TEXTS} -c confident.m2 -m green --calibration 5",
        "-m errant or maxmatch",
        f"sweep {EDITS} -c confident.m2 -m errant maxmatch --calibration 5 -q",
    ),
    Row(
        f"gate {TEXTS} {ONE} -m errant",
        "--fail-under errant=40 or --not-worse-than FILE",
        f"gate {TEXTS} {ONE} --fail-under errant=40\ngate {TEXTS} {ONE} -m errant --not-worse-than systems/noisy.txt",
    ),
    Row(
        f"{COMPARE} -m green --without-failed --no-checks",
        "omit --no-checks",
        f"{COMPARE} -m green --without-failed",
        "a system did not answer (noisy: 1 empty)",
    ),
    Row(
        f"{COMPARE} -m errant --without-failed --top 1",
        "run geceval compare twice",
        f"{COMPARE} -m green --without-failed\n{COMPARE} -m errant --top 1",
    ),
    Row(f"gate {TEXTS} {ONE} --fail-over empty=101", "empty=1", f"gate {TEXTS} {ONE} --fail-over empty=1"),
    Row(
        f"gate {TEXTS} {ONE} --fail-under empty=2",
        "--fail-over empty=1",
        f"gate {TEXTS} {ONE} --fail-over empty=1",
        "≤ 1",
    ),
    Row(
        f"gate {TEXTS} {ONE} --fail-over empty=1 --no-checks",
        "omit --no-checks",
        f"gate {TEXTS} {ONE} --fail-over empty=1",
    ),
    Row(
        "gate -s pair.txt -c pair.txt --fail-over cut=1",
        "-i FILE with finish_reason, stop_reason or incomplete_details next to the answers",
        "gate -s pair.txt -i ends.jsonl --fail-over cut=1",
    ),
    Row(f"gate {TEXTS} {ONE} --fail-under errant=0.4", "errant=40", f"gate {TEXTS} {ONE} --fail-under errant=40"),
    Row(
        f"gate {TEXTS} {ONE} --fail-under errant:beta=1",
        "add the threshold: errant:beta=1=40",
        f"gate {TEXTS} {ONE} --fail-under errant:beta=1=40",
    ),
    Row(
        f"gate {TEXTS} {ONE} --not-worse-than systems/noisy.txt -m goto",
        "leave the metric to another run of geceval gate",
        f"gate {TEXTS} {ONE} --fail-under goto=1\ngate {TEXTS} {ONE} --not-worse-than systems/noisy.txt -m errant",
    ),
    Row(
        "score -i suggested.csv -c two.txt --reference-column checker",
        'write a row of JSON for each sentence in FILE.jsonl, such as [{"start": 3, "end": 5, '
        '"replacements": ["goes"]}], and geceval m2 convert FILE.jsonl -s SOURCE --to m2 > FILE.m2',
        "m2 convert suggestions.jsonl -s two.txt --to m2",
    ),
    Row(
        "score -s one.txt -r one.txt -c nocolumns.json",
        "--misfits drop leaves out such findings",
        "score -s one.txt -r one.txt -c nocolumns.json --misfits drop",
    ),
    Row(
        f"compare {CHECKERS} --by rule",
        "the precision of rules: -m spans:beta=0",
        f"compare {CHECKERS} --by rule -m spans:beta=0",
    ),
    Row(
        f"{SCORE} -f jsonl",
        "--level sentence, or --format json",
        f"{SCORE} -f jsonl --level sentence\n{SCORE} --format json",
    ),
    Row(
        f"{SCORE} -f csv --level sentence --sort ERRANT",
        "--sort name, or -f table or json, which hold all in memory",
        f"{SCORE} -f csv --level sentence --sort name\n{SCORE} -f table --level sentence --sort ERRANT\n"
        f"{SCORE} -f json --level sentence --sort ERRANT",
    ),
    Row("suite nowhere.toml --lst", "did you mean --list?", "suite --list"),
    Row(
        "suite conll14",
        "use --data FOLDER, or set GECEVAL_DATA in the environment",
        "suite --list",
    ),
    Row(
        "suite bench.toml -c systems --set x",
        "--set conll14.gold=gold.m2",
        "suite bench.toml --set edits.gold=gold.m2 -q",
    ),
    Row(
        "score -s source.txt -r ref0.txt -c (source).txt",
        "-c NAME=(source).txt",
        "score -s source.txt -r ref0.txt -c NAME=(source).txt",
    ),
    Row(
        "score -s one.txt -r one.txt -c empty",
        "use -c FILE for a file with another ending",
        "score -s one.txt -r one.txt -c odd/output.xyz -m green",
    ),
    Row(
        f"report {TEXTS} -c systems -m green --changes eager noisy -o out.md",
        "geceval compare --changes A B -f markdown, geceval score --group FILE -f markdown",
        f"compare {TEXTS} -c systems -m green --changes eager noisy -f markdown",
    ),
    Row(
        "annotate -i long.csv",
        "--id source reads the rows of a sentence as its references, --id none every row as a sentence",
        "annotate -i long.csv --id none\nannotate -i long.csv --id source",
        "R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1",
    ),
    Row(
        f"score {TEXTS} -c systems -m errant --by type --group length",
        "--group with -m errant:types=SPELL errant:types=DET has a column for each type",
        f"score {TEXTS} -c systems --group length -m errant:types=SPELL errant:types=DET",
        "ERRANT types=DET",
    ),
    Row(
        f"score {TEXTS} -c runs -m green",
        "its folders have outputs: -c runs/*/a.txt",
        f"score {TEXTS} -c runs/A/a.txt -m green",
    ),
    Row(
        f"show {TEXTS} -c A=systems/eager.txt,systems/noisy.txt",
        "use one run: -c A=systems/eager.txt; compare and corpus scores accept several",
        f"show {TEXTS} -c A=systems/eager.txt\nscore {TEXTS} -c A=systems/eager.txt,systems/noisy.txt -m green",
    ),
    Row(
        "m2 convert two.m2 --to spans",
        "geceval m2 filter --annotators ID, or m2 convert --to errant",
        "m2 filter two.m2 --annotators 0 -o first.m2\nm2 convert first.m2 --to spans\nm2 convert two.m2 --to errant",
    ),
    Row(
        "score -s two.txt -r two.txt -c two.m2 -m errant",
        "geceval m2 apply --annotator ID writes the text of one, m2 filter --annotators ID its edits",
        "m2 apply two.m2 --annotator 1 -o second.txt\nm2 filter two.m2 --annotators 1 -o second.m2\n"
        "score -s two.txt -r two.txt -c second.txt second.m2 -m green",
    ),
    Row(
        "annotate -s one.txt -c control.txt -o edits.xlsx --no-checks",
        "-o FILE.csv",
        "annotate -s one.txt -c control.txt -o edits.csv --no-checks",
    ),
    Row(
        "score -s source.txt --gold gold.m2 -r careful=ref0.txt noisy=ref1.txt -c systems --no-checks",
        "geceval m2 apply, or geceval.m2.references, makes references from gold edits",
        "m2 apply gold.m2 --annotator 0 -o first.txt\n"
        "score -s source.txt -r first.txt careful=ref0.txt noisy=ref1.txt -c systems",
    ),
    Row(
        "show -s source.txt eager=ref0.txt -r ref0.txt -c systems/eager.txt -m errant",
        "-s FILE: the source of the system alone",
        "show -s ref0.txt -r ref0.txt -c systems/eager.txt -m errant",
    ),
    Row(
        "score -s source.txt eager=source.txt -r ref0.txt -c systems/eager.txt -m green",
        "use metrics on edits: -m errant cleme",
        "score -s source.txt eager=source.txt -r ref0.txt -c systems/eager.txt -m errant cleme",
    ),
    Row(
        "score -s source.txt ref0.txt -r ref0.txt -c systems/eager.txt -m errant",
        "NAME=FILE is the source of a system",
        "score -s source.txt eager=source.txt -r ref0.txt -c systems/eager.txt -m errant",
    ),
    Row(
        "post-edit -s source.txt -c systems/eager.txt systems/careful.txt --system eager -o eager.closest.txt",
        "--edited SHEET",
        "post-edit -s source.txt -c systems/eager.txt -o sheet.csv\n"
        "post-edit -s source.txt -c systems/eager.txt --edited sheet.csv --system eager -o eager.closest.txt",
    ),
    Row(
        "post-edit -s source.txt -c systems/eager.txt systems/careful.txt --edited sheet.csv --system eager",
        "--system NAME -o FILE.txt",
        "post-edit -s source.txt -c systems/eager.txt -o sheet.csv\n"
        "post-edit -s source.txt -c systems/eager.txt --edited sheet.csv --system eager -o eager.closest.txt",
    ),
    Row(
        f"score {EDITS} -c confident.m2 --tokenise english --tokenise-only systems",
        "give the edits as text",
        f"m2 apply confident.m2 -o confident.txt\n"
        f"score {EDITS} -c confident.txt --tokenise english --tokenise-only systems -m errant",
    ),
    Row(
        f"score -s source.txt -r short.txt {ONE}",
        "geceval prepare --align SOURCE FILE -o ALIGNED divides and joins lines",
        "prepare --align source.txt short.txt -o aligned.txt\n"
        f"score -s source.txt -r aligned.txt {ONE} -m green --blank empty",
    ),
    Row(
        "score -i table.xyz -m errant",
        "give it with --input-format: tsv, csv, para, jsonl, xlsx, parquet",
        "score -i table.xyz -m errant --input-format csv",
    ),
    Row(
        "score -i source.txt -m errant",
        "-s, -r and -c take text, one sentence per line, and --gold and -c take M2",
        f"{SCORE}\nscore {EDITS} -c confident.m2",
    ),
    Row(
        "score -i keys.csv --id key -m errant",
        "--id key COL: a table is matched by the first of the columns that it has",
        "score -i keys.csv --id key number -m errant",
    ),
    Row(f"{SCORE} --id id", "-i FILE names a table", "score -i keys.csv --id number -m green"),
    Row(
        "score -i noref.csv -m errant",
        "--blank unchanged reads empty texts as correct sentences; leave out other sentences without a reference",
        "score -i noref.csv -m green --blank unchanged",
    ),
    Row(
        "score -i broken.csv -m green",
        "--normalise whitespace replaces line breaks by spaces, and removes them at the end",
        "score -i broken.csv -m green --normalise whitespace",
        "ws:repair",
    ),
    Row(
        "score -i answer.csv -m green",
        "--clean llm takes the correction from an answer of a language model",
        "score -i answer.csv -m green --clean llm",
        "100.00",
    ),
    Row(
        f"score {CHECKER}",
        "--offsets utf-16, which LanguageTool and m2 convert count, or characters, as the checker counts",
        f"score {CHECKER} --offsets utf-16 --tokenise english",
        "70.97",
    ),
    Row(
        f"{SCORE} --language source.txt",
        "geceval language make makes a table from a treebank",
        f"language make --conllu sv.conllu --code sv\nscore {TEXTS} {ONE} --language sv.lexicon --no-checks -m errant",
    ),
    Row(
        "score -s one.txt -r one.txt -c two.txt --language auto",
        "name it: --language en, de, cs, zh, plain or a table",
        "score -s one.txt -r one.txt -c two.txt --language plain -m errant --no-checks",
    ),
    Row(
        f"{COMPARE.replace('--samples 200', '--samples 5')} -m green errant",
        "use samples=40 (--samples 40) or more",
        f"{COMPARE.replace('--samples 200', '--samples 40')} -m green errant",
    ),
    Row(
        "annotate -s source.txt -c ref0.txt --ci",
        "geceval score --intervals shows confidence intervals, geceval compare always does",
        f"{SCORE} --intervals -m green -q\n{COMPARE} -m green",
    ),
    Row(
        "m2 diff three.m2 gold.m2 --tokenise auto",
        "it applies to two corrections in a table: -i TABLE",
        "m2 diff three.m2 --annotators 0,1",
    ),
    Row("m2 diff three.m2 --annotators 0", "--annotators 0,1", "m2 diff three.m2 --annotators 0,1"),
    Row(
        "score -i ids.csv fewer.csv -m green",
        "--id id names the missing rows",
        "! score -i ids.csv fewer.csv -m green --id id",
        "fewer.csv has no row for 2",
    ),
    Row(
        f"gate {TEXTS} {ONE} --fail-under errant=40 --alpha 0.1",
        "--not-worse-than FILE names another system",
        f"gate {TEXTS} {ONE} -m errant --alpha 0.1 --not-worse-than systems/noisy.txt",
    ),
    Row(
        f"gate {TEXTS} {ONE} --fail-under errant=400",
        "thresholds use the 0-100 scale, such as errant=40",
        f"gate {TEXTS} {ONE} --fail-under errant=40",
    ),
    Row(
        f"{UNTIED} -m green",
        "--numbering 0 counts lines from 0, as in the CSV of NSPT15; --numbering 1 from 1",
        f"{UNTIED} -m green --numbering 0 -q\n! {UNTIED} -m green --numbering 1 -q",
        "sentence 0 is outside the 40 lines",
    ),
    Row(
        f"{TURNED} -m green",
        "check that these outputs were judged, or set the numbering: --numbering 0, 1 or judged",
        f"{TURNED} -m green --numbering 0 -q",
    ),
    Row(
        f"show {TEXTS} {TWO} systems/careful.txt --disagree",
        "--system NAME --against NAME",
        f"show {TEXTS} {TWO} systems/careful.txt --disagree --system eager --against noisy",
    ),
    Row("suite bench.toml -c ''", "-c . is the current folder", "! suite bench.toml -c .", "no output of"),
    Row(
        f"filter {TEXTS} {ONE} --keep 'xyz > 1' -o kept.csv",
        "choose from edits, edits.TYPE, length_ratio, identical, duplicate and the metrics "
        "(geceval metrics lists them)",
        f"filter {TEXTS} {ONE} --keep 'identical' -o kept.csv\nmetrics",
        "green",
    ),
    Row(
        f"filter {TEXTS} {TWO} --keep 'edits < 5' -o kept.csv",
        "-c FILE or --hypothesis-column COL selects it",
        f"filter {TEXTS} {ONE} --keep 'edits < 5' -o kept.csv\n"
        f"filter -i keys.csv --hypothesis-column hypothesis --keep 'edits < 5' -o kept.csv",
    ),
    Row(
        "select -i lists.jsonl --hypothesis-column samples --criterion mbr -m green",
        "-s lists.jsonl -c lists.jsonl reads JSON with a list of candidates in each row",
        "select -s lists.jsonl -c lists.jsonl --criterion mbr -m green",
    ),
    Row(
        "filter -i failures.jsonl --keep 'edits > 0' -o kept.csv",
        'write "" for a failed request, and the source for a sentence without correction',
        "filter -i answered.jsonl --blank empty --keep 'edits > 0' -o kept.csv",
    ),
    Row(
        "select -i failures.jsonl --hypothesis-column target --criterion mbr -m green",
        'write "" for a failed request, and the source for a sentence without correction',
        "select -i answered.jsonl --hypothesis-column target --blank empty --criterion mbr -m green",
    ),
    Row(
        "filter -i failures.jsonl --skip-bad-rows --keep 'edits > 0' -o kept.csv",
        "geceval filter --blank empty --keep 'length_ratio > 0' leaves out pairs without a correction (empty or null)",
        "filter -i failures.jsonl --blank empty --keep 'length_ratio > 0' -o kept.csv",
        "kept 2 of 4 pairs",
    ),
    Row(
        f"{SCORE} --level sentence --signatures signatures.json",
        "-f tsv, csv, jsonl or parquet",
        f"{SCORE} --level sentence -f tsv --signatures signatures.json",
    ),
    Row(
        f"{COMPARE} -m green --group-by essays.txt",
        "geceval compare --blocks FILE resamples sentences by group, --group FILE tabulates scores by group",
        f"{COMPARE} -m green --blocks essays.txt\n{COMPARE} -m green --group essays.txt",
    ),
    Row(
        f"{SCORE} -m errant --blocks essays.txt",
        "add --intervals",
        f"{SCORE} -m errant --blocks essays.txt --intervals",
    ),
    Row(
        f"gate {TEXTS} {ONE} --fail-under errant=40 --blocks essays.txt",
        "--not-worse-than FILE names another system",
        f"gate {TEXTS} {ONE} -m errant --blocks essays.txt --not-worse-than systems/noisy.txt",
    ),
    Row(
        "score systems/eager.txt -r ref0.txt",
        "-i FILE reads a table; -s, -r and -c FILE read one sentence per line",
        f"{SCORE} -m green\nscore -i keys.csv -m green",
    ),
    Row(
        f"score {ONE} -r ref0.txt -m green",
        "-s FILE reads one sentence per line; -i FILE reads a table",
        f"{SCORE} -m green\nscore -i keys.csv -m green",
    ),
    Row(
        f"{SCORE} -m 'GREEN|n:4|beta:1'",
        "-m green:n=4,beta=1 has its settings",
        f"{SCORE} -m green:n=4,beta=1",
    ),
    Row(
        f"{SCORE} --signatures signatures.json",
        "--level sentence",
        f"{SCORE} --level sentence -f csv --signatures signatures.json",
    ),
    Row(
        "annotate -s one.txt -c bars.txt",
        "geceval annotate -f spans writes JSON Lines, which can",
        "annotate -s one.txt -c bars.txt -f spans",
    ),
    Row(
        f"score {TEXTS} -c line=systems/eager.txt --level sentence -f csv -m errant",
        "-c NAME=FILE gives a system another name",
        f"score {TEXTS} -c eager=systems/eager.txt --level sentence -f csv -m errant",
    ),
    Row(
        "score -i first/t.csv second/t.csv --hypothesis-column X=hyp -m errant",
        "-i NAME=FILE names the system of a file; --hypothesis-column hyp",
        "score -i first/t.csv second/t.csv --hypothesis-column hyp -m errant\n"
        "score -i A=first/t.csv B=second/t.csv -m errant",
    ),
    Row(
        "score -i ids.jsonl -r two.txt -m errant",
        "give the other texts in tables with this column, and --id",
        "score -i ids.jsonl refs.jsonl --id custom_id -m errant",
        "100.00",
    ),
    Row(
        "score -s pair.txt -r pair.txt -c failed.jsonl -m green",
        "repeat the request; --blank empty reads it as empty",
        "score -s pair.txt -r pair.txt -c failed.jsonl -m green --blank empty",
    ),
    Row(
        "score -s pair.txt -r pair.txt -i lacking.jsonl --id custom_id -m green",
        'repeat the request, or write an empty text: {"custom_id": "r-1", "response": {"body": {"choices": '
        '[{"message": {"content": ""}}]}}}',
        "score -s pair.txt -r pair.txt -i repeated.jsonl --id custom_id -m green",
    ),
    Row(
        "score -s three.txt -r three.txt -c full.jsonl --hypothesis-column output -m green",
        "-i full.jsonl in place of -c full.jsonl",
        "score -s three.txt -r three.txt -i full.jsonl --hypothesis-column output -m green --id none",
    ),
    Row(
        f"score -s source.txt -r ref0.txt,ref1.txt {ONE} -m green",
        "separate files by spaces: ref0.txt ref1.txt",
        f"score -s source.txt -r ref0.txt ref1.txt {ONE} -m green",
    ),
    Row(
        "score -s pair.txt -r pair.txt -i usage.jsonl -m green --prices price_prompt=1,price_answer=2",
        "add --expenses",
        "score -s pair.txt -r pair.txt -i usage.jsonl -m green --expenses --prices price_prompt=1,price_answer=2",
        "0.0012",
    ),
    Row(
        "score -s pair.txt -r pair.txt -i usage.jsonl -m green --expenses --prices price_prompt=1",
        "price_prompt=0.15,price_answer=0.6",
        "score -s pair.txt -r pair.txt -i usage.jsonl -m green --expenses --prices price_prompt=0.15,price_answer=0.6",
        "0.00018",
    ),
    Row(
        "report -s pair.txt -r pair.txt -c pair.txt -m green --prices price_prompt=1,price_answer=2 -o page.md",
        "-i FILE with usage next to the answers, one system in each file",
        "report -s pair.txt -r pair.txt -i usage.jsonl -m green --prices price_prompt=1,price_answer=2 -o page.md",
    ),
    Row(
        "score -s pair.txt -r pair.txt -c pair.txt -m green --expenses",
        "-i FILE with usage, cost or latency next to the answers, one system in each file",
        "score -s pair.txt -r pair.txt -i usage.jsonl -m green --expenses",
        "1200",
    ),
    Row(
        "score -s pair.txt -r pair.txt -i usage.jsonl -m green --expenses --level sentence",
        "omit --by, --group and --level",
        "score -s pair.txt -r pair.txt -i usage.jsonl -m green --expenses",
    ),
    Row(
        "score -s three.txt -r three.txt -i gap.jsonl --id custom_id -m green",
        'repeat the requests and add their rows; the text of a failed request is ""',
        "score -s three.txt -r three.txt -i full.jsonl --id custom_id -m green",
    ),
    Row(
        "score -s pairs.json -r two.txt -c two.txt -m errant",
        "-i pairs.json --source-column COL, one of a, b",
        "score -i pairs.json --source-column a -r two.txt -c two.txt -m errant",
    ),
    Row(f"{SCORE} -m llm --dry-run", "-m llm:model=NAME", f"{SCORE} -m llm:model=x --judge {SERVER} --dry-run"),
    Row(f"{SCORE} -m green --dry-run", "-m llm:model=NAME", f"{SCORE} -m llm:model=x --judge {SERVER} --dry-run"),
    Row(
        f"sweep {TEXTS} ref1.txt -c confident.m2 -m gleu",
        "-m gleu:selection=mean",
        f"sweep {TEXTS} ref1.txt -c confident.m2 -m gleu:selection=mean -q",
    ),
    Row(
        "prepare --submission bea19 systems/eager.txt -o x.txt",
        "-o FILE.zip",
        "! prepare --submission bea19 systems/eager.txt -o x.zip",
    ),
    Row("zzzzzz", "geceval --help", "--help"),
    Row(
        "explain",
        'geceval explain "source" "correction" "reference", or -s, -r, -c and --sentence',
        f'explain "I has it ." "I have it ." "I have it ."\nexplain {TEXTS} {ONE} --sentence 1',
    ),
    Row(
        "score --gold other.m2 -c systems/eager.txt -m goto:weights=gold-weights.txt",
        "geceval m2 weights writes a new file",
        "m2 weights --gold other.m2 -c systems/eager.txt -o weights.txt\n"
        "score --gold other.m2 -c systems/eager.txt -m goto:weights=weights.txt",
    ),
    Row(
        f"compare {REFERENCES} -c A=systems/eager.txt,systems/noisy.txt B=systems/careful.txt -m green --power",
        "omit --power",
        f"compare {REFERENCES} -c A=systems/eager.txt,systems/noisy.txt B=systems/careful.txt -m green -q",
    ),
    Row("suite", "geceval suite --list", "suite --list", "conll14"),
    Row(
        "prepare --tokenise auto --language bare.lexicon source.txt -o x.txt",
        "use --tokenise NAME: plain splits punctuation from words (geceval prepare --list)",
        "prepare --tokenise plain source.txt -o x.txt\nprepare --list",
    ),
    Row(
        "prepare --align source.txt ref0.txt -s source.txt -o x.txt",
        "omit -s",
        "prepare --align source.txt ref0.txt -o x.txt",
    ),
    Row(
        f"score {TEXTS} -c confident.m2 --tokenise plain -m errant",
        "prepare other texts only: --tokenise-only references",
        f"score {TEXTS} -c confident.m2 --tokenise plain --tokenise-only references -m errant",
    ),
    Row(
        "score --gold commented.m2 -c two.txt",
        "grep -v '^#' FILE.m2 > OTHER.m2 removes the lines that start with #",
        "score --gold two.m2 -c two.txt -m errant",
    ),
    Row("score -i joined.csv", "remove this row", "score -i keys.csv"),
    Row(
        "suite sources.toml",
        "geceval score and compare take sources of single systems: -s source.txt NAME=heard.txt",
        "score -s source.txt careful=ref1.txt -r ref0.txt -c systems/careful.txt -m errant",
    ),
    Row(
        f"{SCORE} -m errant --language en_core_web_sm",
        "spacy:en_core_web_sm is the pipeline of spaCy; en needs none",
        f"{SCORE} -m errant --language en",
    ),
    Row("suite foreign.toml", "see: geceval language list", "language list"),
    Row("suite texts.toml", "use -c OUTPUTS, a folder with one folder per system", "suite texts.toml -c runs -q"),
    Row(
        "score -i commas.tsv -m green",
        "the table has one column only: --input-format csv detects the separator of cells",
        "score -i commas.tsv -m green --input-format csv",
    ),
    Row(
        "score -i headless.tsv -m green",
        "--no-header reads the first row, whose columns are numbers: --source-column 1",
        "score -i headless.tsv -m green --no-header --source-column 1 --reference-column 2 --hypothesis-column 3",
    ),
    Row(
        f"{SCORE} --language qqqqqq",
        "use plain for any space-separated language; geceval language make builds a table from a treebank",
        f"{SCORE} --language plain -m errant\nlanguage make --conllu sv.conllu --code sv",
    ),
    Row(
        f"compare {TEXTS} {TWO} -m goto --test randomisation",
        "use test=bootstrap (--test bootstrap)",
        f"compare {TEXTS} {TWO} -m goto --test bootstrap --samples 200 -q",
    ),
    Row(
        f"compare {TEXTS} -c A=systems/eager.txt,systems/noisy.txt B=systems/careful.txt --test randomisation -m green",
        "omit test= (--test)",
        f"compare {TEXTS} -c A=systems/eager.txt,systems/noisy.txt B=systems/careful.txt -m green --samples 200 -q",
    ),
    Row(
        f"score {EDITS} {ONE} -m errant:valid=accepted.m2",
        "add an annotator to the M2 of --gold: all edits of one gold annotator, with the accepted edits in place of"
        " those that they replace (an annotator with the accepted edits alone would mean that all else is correct)",
        f"annotate -s source.txt {ONE} -o accepted.m2\nm2 merge gold.m2 accepted.m2 -o merged.m2\n"
        f"score --gold merged.m2 {ONE} -m errant",
        "100.00",
    ),
    Row(
        "m2 convert untokenised.jsonl -s spaced.txt --to m2",
        "--tokenise NAME for text that is not tokenised",
        "m2 convert untokenised.jsonl -s spaced.txt --to m2 --tokenise english",
        "A 0 1|||",
    ),
    Row(
        "score -s cut.txt -r cut.txt -c beyond.jsonl -m errant",
        "give the text that was checked: -s SOURCE",
        "score -s checked.txt -r checked.txt -c beyond.jsonl -m errant",
    ),
    Row(
        f"score {CHECKER} --offsets utf-16",
        "--suggestions as-text scores the text",
        f"score {CHECKER} --offsets utf-16 --suggestions as-text",
        "70.49",
    ),
    Row(
        "score -i quoted.tsv -m green",
        "--input-format csv:tab reads the quoted cells of spreadsheets and pandas",
        "score -i quoted.tsv -m green --input-format csv:tab",
    ),
    Row(
        "score -i sheets.xlsx -m green",
        "--input-format 'xlsx:Sheet'",
        "score -i sheets.xlsx -m green --input-format 'xlsx:Sheet'",
    ),
    Row(
        "score -i some.csv -m green",
        "these sentences lack it; --blank unchanged reads empty texts as correct sentences",
        "score -i some.csv -m green --blank unchanged",
    ),
    Row(
        "score -i blanks.csv -m green",
        "--blank unchanged reads empty texts as correct sentences, --blank missing as ones that nobody corrected, "
        "--blank empty as deleted ones",
        "score -i blanks.csv -m green --blank unchanged\nscore -i blanks.csv -m green --blank missing\n"
        "score -i blanks.csv -m green --blank empty",
    ),
    Row(
        "score -s blanks.txt -r blanks.txt -c blank.txt -m green",
        "--blank unchanged reads empty texts as correct sentences, --blank empty as deleted ones",
        "score -s blanks.txt -r blanks.txt -c blank.txt -m green --blank unchanged\n"
        "score -s blanks.txt -r blanks.txt -c blank.txt -m green --blank empty",
    ),
    Row(
        "detect -c systems/eager.txt",
        "--gold FILE or -i TABLE",
        f"detect --gold gold.m2 {ONE}\ndetect -i some.csv"
    ),
    Row(
        "select -i some.csv -c nbest.tsv --criterion green",
        "omit -c or -i",
        "select -i some.csv --criterion green --hypothesis-column hypothesis --blank unchanged",
    ),
    Row(
        "score -i titled.csv -m green",
        "--skip-rows 2 reads it: source, reference, hypothesis",
        "score -i titled.csv -m green --skip-rows 2",
    ),
    Row(
        "m2 diff",
        "two M2 files, or -i TABLE with two corrections",
        "m2 diff gold.m2 gold.m2\nm2 diff -i some.csv --reference-column 2 4",
    ),
    Row(
        "m2 diff -i some.csv --reference-column 2",
        "--reference-column COL COL, two of source, reference1, reference2, hypothesis",
        "m2 diff -i some.csv --reference-column 2 4",
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def files_of_rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the examples with the files of the rows."""
    folder = tmp_path_factory.mktemp("hints") / "examples"
    shutil.copytree(EXAMPLES, folder)
    lines = {name: (folder / name).read_text("utf-8").splitlines() for name in ("source.txt", "ref0.txt")}
    candidates = enumerate(zip(*lines.values(), strict=True), 1)
    judgments = (folder / "judgments.xml").read_text("utf-8")
    files = FILES | {
        "nbest.tsv": "".join(f"{s}\t{text}\t{score}\n" for s, pair in candidates for score, text in enumerate(pair, 1)),
        "negative.tsv": "1\tx\t-1\n1\ty\t-2\n2\tz\t-1\n",
        "two-lines.txt": "x\nz\n",
        "short.txt": "".join(f"{line}\n" for line in lines["ref0.txt"][:-3]),
        "(source).txt": (folder / "systems/eager.txt").read_text("utf-8"),
        "other.m2": (folder / "confident.m2").read_text("utf-8"),
        "odd/output.xyz": FILES["one.txt"],
        "runs/A/a.txt": (folder / "systems/eager.txt").read_text("utf-8"),
        "untied.xml": re.sub(r'system="(\w+) [^"]*"', r'system="\1"', judgments),
        "other.xml": re.sub(r'system="careful eager"(.*\n.*)"noisy"', r'system="careful noisy"\1"eager"', judgments),
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with contextlib.chdir(folder):
        assert run_main(*shlex.split(f"sweep {EDITS} -c other=confident.m2 -q -o tuned.json")).status == 0
        assert run_main(*shlex.split(f"{SCORE} -m green -q --record moved.json -o moved.txt")).status == 0
        assert run_main(*shlex.split(f"m2 weights {EDITS} -c confident.m2 -o gold-weights.txt")).status == 0
    (folder / "cp1252.txt").write_text("".join(f"{line} é\n" for line in lines["ref0.txt"]), encoding="cp1252")
    book = Workbook()
    for sheet in (book.active, book.create_sheet("B")):
        for row in (["source", "reference", "hypothesis"], ["x", "y", "z"]):
            sheet.append(row)
    book.save(folder / "sheets.xlsx")
    (folder / "far").mkdir()
    shutil.copy(folder / "moved.json", folder / "far/moved.json")
    return folder


@pytest.fixture
def folder(files_of_rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of these files, made the working directory."""
    shutil.copytree(files_of_rows, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hint_in(error: str) -> str:
    """Return the hint of a message."""
    return error.partition("hint: ")[2].partition("\n")[0]


def assert_hint_works(row: Row, run: Run) -> None:
    """Check the message of a command, and follow its hint."""
    message = run(*shlex.split(row.command))
    if message.status == 0:
        assert f"(hint: {row.hint})" in message.err
    else:
        assert (message.status, hint_in(message.err)) == (2, row.hint), message.err
    for command in row.followed.splitlines():
        result = run(*shlex.split(command.removeprefix("! ")))
        assert (result.status == 2) == command.startswith("! "), f"{command}: {result.err}"
    assert row.output in result.out + result.err


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.command[:60])
def test_hint_works_when_followed(row: Row, run: Run, folder: Path) -> None:
    assert_hint_works(row, run)


# --- limits ---


class Limited(NamedTuple):
    """A row whose message requires a smaller limit."""

    limit: str
    value: int
    row: Row


LIMITED = [
    Limited(
        "geceval.comparison.ranking_without_people.MOST_VERDICTS",
        1000,
        Row(
            f"rank {TEXTS} {TWO} -m errant --aggregation trueskill --samples 200 -q",
            "use samples=25 (--samples 25) or aggregation=expected-wins (--aggregation expected-wins)",
            f"rank {TEXTS} {TWO} -m errant --aggregation trueskill --samples 25 -q\n"
            f"rank {TEXTS} {TWO} -m errant --aggregation expected-wins --samples 200 -q",
        ),
    ),
    Limited(
        "geceval.reporting.confident_systems.MOST_EDITS",
        200,
        Row(
            f"sweep {EDITS} -c confident.m2 -q",
            "--steps N for fewer thresholds",
            f"sweep {EDITS} -c confident.m2 -q --steps 2",
        ),
    ),
]


def test_hint_of_rows_that_parquet_cannot_hold_works_when_followed(run: Run, folder: Path) -> None:
    pytest.importorskip("pyarrow")
    command = "filter -i types.jsonl --keep 'errant > 0' -f {} -o kept.{}"
    row = Row(command.format(*["parquet"] * 2), "-f jsonl can hold it", command.format(*["jsonl"] * 2), "kept 2 of 2")
    assert_hint_works(row, run)


@pytest.mark.parametrize("limited", LIMITED, ids=lambda limited: limited.limit)
def test_hint_at_a_limit_works_when_followed(
    limited: Limited, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited.limit, limited.value)
    assert_hint_works(limited.row, run)


# --- Python ---

SENTENCES = geceval.Corpus(["a b"], [["a c"]], {"s": ["a c"]})


TEXT_FILES = [str(EXAMPLES / "source.txt"), [str(EXAMPLES / "ref0.txt")], [str(EXAMPLES / "systems/eager.txt")]]


ROWS_OF_TEXT: Any = {"s": ["a b"], "h": ["a c"], "r": ["a c"]}


def merged(metric: Any) -> Any:
    """Return the result of two parts of a corpus."""
    first, second = (geceval.evaluate(SENTENCES, [metric], checks=False)["s"][0] for _ in range(2))
    return first.merged(second).score()


def counts_of(*, labels: bool) -> Any:
    """Return the counts of a system, with the labels of the sentences if they are requested."""
    corpus = geceval.Corpus(["a b"], [["a c"]], {"s": ["a c"]}, labels=["short"])
    run = counting_run.Run(corpus, [geceval.Errant()], RunOptions(labels=given_labels if labels else None))
    return next(counts for *_, counts in run.stream())


class Table(dict[str, list[str]]):
    """A mapping of columns that has their names, as data frames do."""

    @property
    def columns(self) -> list[str]:
        return [*self]


class LazyFrame(Table):
    """A frame that is read by a method, as in polars."""

    def collect(self) -> Table:
        return Table(self)


class Call(NamedTuple):
    """A call that raises an error, its hint, and the call that follows it."""

    wrong: Callable[[], object]
    hint: str
    followed: Callable[[], object]


COLUMNS_OF_TEXT: Any = {"source": "s", "hypothesis": "h", "references": ["r"]}
#: A column of lists of references.
TWO_ROWS = {"s": ["a b", "b"], "h": ["a c", "b"], "r": [["a c"], ["b"]]}
#: A corpus of two systems.
TWO_SYSTEMS = geceval.Corpus(["a b"] * 20, [["a c"] * 20], {"A": ["a c", *["a b"] * 19], "B": ["a d", *["a b"] * 19]})


CALLS = [
    Call(
        lambda: geceval.evaluate(cast(Any, "x"), [geceval.Green()]),
        'use geceval.read_corpus(…), Corpus.of(texts, references, sources) or Corpus.of(table, source="…", …)',
        lambda: geceval.evaluate(geceval.Corpus.of(["a"], ["a"], ["a"]), [geceval.Green()]),
    ),
    Call(
        lambda: geceval.score(TWO_ROWS, source="s", hypothesis="h", references="r"),
        "Corpus.of and geceval.score take lists of references, or their column, as per_sentence=…",
        lambda: geceval.score(TWO_ROWS, source="s", hypothesis="h", per_sentence="r"),
    ),
    Call(
        lambda: geceval.score(["a"], ["a"]),
        "sources=[…], one sentence per hypothesis",
        lambda: geceval.score(["a"], ["a"], sources=["a"]),
    ),
    Call(
        lambda: geceval.score(geceval.Corpus(["a"], [["a"]], {"A": ["a"]})),
        "geceval.evaluate(corpus, metrics) scores it",
        lambda: geceval.evaluate(geceval.Corpus(["a"], [["a"]], {"A": ["a"]}), "green"),
    ),
    Call(
        lambda: geceval.score(["a"], [["a"]], ["a"], labels=["x"]),
        "geceval.score(…, groups=…)",
        lambda: geceval.score(["a"], [["a"]], ["a"], groups=["x"], checks=False),
    ),
    Call(
        lambda: geceval.compare(TWO_SYSTEMS, "green", samples=100, without_failed=True, checks=False),
        "omit checks=False",
        lambda: geceval.compare(TWO_SYSTEMS, "green", samples=100, without_failed=True),
    ),
    Call(
        lambda: geceval.score(Table(a=["a"]), "a"),
        'source="…", hypothesis="…", references=[…]',
        lambda: geceval.score(Table(a=["a"]), source="a", hypothesis="a", references=["a"]),
    ),
    Call(
        lambda: geceval.score(LazyFrame(ROWS_OF_TEXT), source="s", hypothesis="h", references=["r"]),
        "give table.collect() of polars, or table.toPandas() of Spark",
        lambda: geceval.score(
            LazyFrame(ROWS_OF_TEXT).collect(), source="s", hypothesis="h", references=["r"], checks=False
        ),
    ),
    Call(
        lambda: geceval.score({"s": ["a b", math.nan], "h": ["a", "b"], "r": ["a", "b"]}, **COLUMNS_OF_TEXT),
        "leave out sentences, or rows of a table, without a source",
        lambda: geceval.score({"s": ["a b"], "h": ["a"], "r": ["a"]}, checks=False, **COLUMNS_OF_TEXT),
    ),
    Call(
        lambda: geceval.evaluate(CorpusFiles(*TEXT_FILES).open(), "errant", clean="llm"),
        "CorpusFiles(…, prepare=geceval.Preparation(tokenise=…, clean=…))",
        lambda: geceval.evaluate(
            CorpusFiles(*TEXT_FILES, prepare=geceval.Preparation(clean="llm")).open(), "errant", checks=False
        ),
    ),
    Call(
        lambda: merged(geceval.Errant()),
        "use selection=optimum, or selection=mean for GLEU",
        lambda: (merged(geceval.Errant(selection="optimum")), merged(geceval.Gleu(selection="mean"))),
    ),
    Call(
        lambda: BySentence().coded(counts_of(labels=False)),
        "use labels=given_labels",
        lambda: BySentence().coded(counts_of(labels=True)),
    ),
    Call(
        lambda: spark.corpus_scores(ROWS_OF_TEXT, source="s", hypothesis="h", references=["r"]),
        "use geceval.score",
        lambda: geceval.score(ROWS_OF_TEXT, source="s", hypothesis="h", references=["r"], checks=False),
    ),
    Call(
        lambda: metrics_of([]),
        'use for example ["green", geceval.Errant()]',
        lambda: metrics_of(["green", geceval.Errant()]),
    ),
    Call(
        lambda: metrics_of([cast(Any, 1)]),
        'use a name, such as "green", or geceval.Green()',
        lambda: metrics_of(["green", geceval.Green()]),
    ),
    Call(
        lambda: geceval.Corpus(["a"], gold=cast(Any, ["x"])),
        "geceval.m2.read(path) reads them",
        lambda: geceval.Corpus(
            (EXAMPLES / "source.txt").read_text("utf-8").splitlines(), gold=geceval.m2.read(EXAMPLES / "gold.m2")
        ),
    ),
    Call(
        lambda: given_labels(SENTENCES),
        "use Corpus.of(…, labels=…)",
        lambda: given_labels(geceval.Corpus(["a b"], [["a c"]], {"s": ["a c"]}, labels=["short"])),
    ),
    Call(
        lambda: evidence_of(next(iter(kept_counts(SENTENCES, geceval.Errant()).values()))),
        "use evidence=True",
        lambda: evidence_of(next(iter(kept_counts(SENTENCES, geceval.Errant(), evidence=True).values()))),
    ),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.hint)
def test_hint_of_a_call_works_when_followed(call: Call) -> None:
    with pytest.raises(GecevalError) as error:
        call.wrong()
    assert str(error.value.hint) == call.hint
    assert call.followed()


# --- hints of the package ---

#: Hints that other tests follow: a test file, and a part of the line that follows.
FOLLOWED_ELSEWHERE = {
    "use compute_metrics(…, sources=[…])": ("integrations/test_trainer.py", '"sources False", "sources True"'),
    "add a field with the number of each document: process_results(…, number=NAME)": (
        "integrations/test_lm_eval.py",
        "number=field",
    ),
    "use compute_metrics(…, sources=[…]) or batch_eval_metrics=False": (
        "integrations/test_trainer.py",
        '"sources False", "sources True"',
    ),
    "--offsets characters,document for the whole text, characters,text for one each": (
        "text/test_checkers.py",
        'source[:2], offsets="characters,document"',
    ),
    "--offsets characters,document if they are all those of the whole text": (
        "text/test_checkers.py",
        'source, offsets="characters,document"',
    ),
    "use adjust=bh or a larger alpha": ("comparison/test_options.py", 'adjust="bh"'),
    "{}-r FILE, or each against its own: {}\n  {}\n  {}": ("text/test_row_keys.py", "following_the_hint"),
    "--allow-outside, if you trust {}": ("fuzz/test_untrusted_files.py", '"--allow-outside"'),
    "-m FILE.py:CLASS needs a file: geceval metrics lists the builtin metrics": (
        "counting/test_metric_in_file.py",
        "-m FILE.py:CLASS",
    ),
    "derive it from geceval.extending.Metric: see docs/new-metric.md": ("commands/test_metrics.py", "docs/new-metric"),
    "write @dataclass(frozen=True) above class {}": ("counting/test_metric_in_file.py", "write @dataclass(frozen"),
    "-m {} on the command line": ("counting/test_metric_in_file.py", '"-m", "metric.py:EditRate"'),
    "{}, or --tokenise plain, which gives other scores": ("commands/test_language.py", '"--tokenise", "plain"'),
    'load({}, model_name="{}")': ("integrations/test_errant_drop_in.py", 'load("en", model_name="builtin:3")'),
    "-f jsonl can hold it": ("commands/test_hints.py", '"-f jsonl can hold it", command.format'),
    "{}; if it has corrections: --hypothesis-column {}": ("text/test_m2_json.py", '"--hypothesis-column", "text"'),
    "--misfits drop leaves it out; geceval m2 filter FILE --misfits drop writes a file without it": (
        "text/test_headings.py",
        '["filter", gold, "--misfits", "drop"]',
    ),
    "--system-column {}{} scores the rows of each {} as a system": (
        "text/test_row_keys.py",
        "--system-column prompt --id doc_id",
    ),
    "geceval m2 convert {} -s SOURCE --to m2 -o FILE.m2 writes the edits of suggestions": (
        "scoring/test_detection.py",
        "-s SOURCE --to m2 -o FILE.m2",
    ),
    "{}, or --language {}": ("conformance/test_ceilings.py", "the annotator that agrees most with it"),
    "--id {} matches rows by it\n  {}\n  {}": (
        "text/test_row_keys.py",
        "test_sources_are_identifiers_where_they_contradict_the_order",
    ),
    "-s SOURCE, or text in each row": ("text/test_m2_json.py", "test_faulty_rows_are_refused_with_their_line"),
    "use it with --level {}": ("commands/test_meta.py", "use it with --level"),
    "--gold-edits reannotated": ("counting/test_ceilings.py", '"--gold-edits", "reannotated"'),
    "answers are cached: a larger --judge max_cost=… sends only the remaining requests": (
        "metrics/judging/test_judge_client.py",
        "larger max_cost=",
    ),
    "pip install {}": ("installation/test_wheel.py", "pip"),
    "set pooling=mean or pooling=cls": ("metrics/neural/test_impara.py", "set pooling=mean or pooling=cls"),
    "threshold=none disables this comparison": ("metrics/neural/test_impara.py", "threshold=none"),
    "length={} cuts longer texts and is in the signature": ("metrics/neural/test_scribendi.py", "length=12"),
    'use malformed="none"': ("integrations/test_rewards.py", 'malformed="none"'),
    "name the column of the {}: geceval.rewards(…, {}=NAME)": ("integrations/test_rewards.py", 'references="refs"'),
    "use ragged=True if sentences may have different numbers of references": (
        "integrations/test_rows.py",
        "ragged=True",
    ),
    "use Seq2SeqTrainingArguments(predict_with_generate=True)": (
        "integrations/test_trainer.py",
        "predict_with_generate=True",
    ),
    'use TrainingArguments(include_for_metrics=["inputs"]) or compute_metrics(…, sources=[…])': (
        "integrations/test_trainer.py",
        'include_for_metrics=["inputs"]',
    ),
    'use {}level="mean", the mean of the sentence scores': ("integrations/spark/test_spark.py", 'level="mean"'),
    "use geceval.evaluate(corpus, metrics)": ("integrations/spark/test_spark.py", "geceval.evaluate(CORPUS"),
    'use --metadata \'{"{}": "…"}\'': ("integrations/test_lm_eval.py", '"--metadata"'),
    'use one reference, or a metric that chooses by sentence: "green", "gleu:selection=best"': (
        "integrations/test_torchmetrics.py",
        "gleu:selection=best",
    ),
}
#: Hints that no test follows, with the reason.
NOT_FOLLOWED = {
    "python -m spacy download {}": "downloads",
    "python -c \"import stanza; stanza.download('{}')\"": "downloads",
    "{}, and -c OUTPUTS your systems only": "needs the files of a public test set",
    "pip install geceval=={}": "installs another version",
    "lines that begin with a sign such as - or * are commands;"
    " sed 's/^/^/' SOURCE | hunspell -a > FILE.txt checks them, too": "needs hunspell",
    "omit -c": "needs the files of a public study",
    "-o FILE": "needs a terminal",
    "-r FILE or --gold FILE": "a metric without references stops before",
    "for corrected texts use -m ptm2:base=errant": "needs torch",
    "set the layer, for example -m ptm2:layer=9 (bert-base-uncased: layer 9 of 12)": "needs torch",
    "source=yes adds the unchanged source": "needs a language model",
    "try without unsupported parameters: structured=object or no, temperature=none, send_seed=no": "needs a server",
    "keep the texts and score them at the end by geceval.Scorer": "needs torchmetrics",
    "set the number of references: references=N": "needs torchmetrics",
    "use compute_metrics(…, references=[…])": "needs transformers",
}


#: What a hint that must be followed contains: an option, a command, an argument or a call.
NAMES = re.compile(r"(?<![\w-])--?[a-zA-Z]|\bgeceval [a-z]|geceval\.\w|\b[a-z_]+=[^ ]|pip install")
#: Placeholder of a value in an f-string.
VALUE = "\0"


def literals(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression can have on the command line, with VALUE for values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from literals(value)
    elif isinstance(node, ast.Call):
        yield from literals_of_call(node)


def literals_of_call(call: ast.Call) -> Iterator[str]:
    """Yield the texts of a hint, an option or a step."""
    arguments = [next(literals(argument), "") or VALUE for argument in call.args]
    match ast.unparse(call.func):
        case "Option":
            name, *values = arguments
            flag = VALUE if VALUE in name else Option(name).flag
            yield " ".join([flag, *values])
        case "named_option":
            yield f"{arguments[0]}={arguments[1]} ({Option(arguments[0]).flag} {arguments[1]})"
        case "table_step":
            yield f"{Option('table').flag} {arguments[0]} {Option(arguments[1]).flag} {arguments[2]}"
        case "Step":
            yield arguments[0]
        case "Hint":
            yield "".join(arguments)
        case "hint_of_template":
            yield command_words(hint_of_template(arguments[0]))


def hints_of_module(path: Path) -> Iterator[str]:
    """Yield the hints in a module: of arguments hint= and of variables called hint."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (isinstance(node, ast.keyword) and node.arg == "hint") or (
            isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == "hint" for target in node.targets)
        ):
            yield from literals(node.value)


def texts_of_module(path: Path) -> set[str]:
    """Return all texts in a module with a letter or a digit."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    kinds = ast.Constant | ast.JoinedStr | ast.Call
    texts = (text for node in nodes if isinstance(node, kinds) for text in literals(node))
    return {text for text in texts if text.strip(VALUE + " .")}


def hints_of_package() -> set[str]:
    """Return the hints in modules of the package."""
    hints = {hint for path in PACKAGE.rglob("*.py") for hint in hints_of_module(path)}
    return {hint for hint in hints if NAMES.search(hint)}


#: Tables whose hints other tests follow, all of them.
TABLES = {
    "commands/shared/option_hints.tsv": "commands/test_other_words.py::test_options_of_other_programs_are_hinted_at",
    "text/reading/file_kinds.tsv": "text/test_file_kinds.py::test_messages_name_the_kind_and_the_step",
    "text/artefacts.tsv": "counting/checks/test_one_sided_artefacts.py::test_hint_of_an_artefact_restores_the_score",
    "counting/checks/checks.tsv": "counting/checks/test_checks.py::test_every_check_is_in_one_row",
}


def is_hint(literal: str, hint: str) -> bool:
    """Return whether a printed hint has the form of a literal."""
    first_line = literal.partition("\n")[0]
    return re.fullmatch(".+".join(map(re.escape, first_line.split(VALUE))), hint, re.DOTALL) is not None


def test_no_hint_is_left_without_a_test() -> None:
    printed = [followed.hint for followed in (*ROWS, *(limited.row for limited in LIMITED), *CALLS)]
    left = [hint for hint in hints_of_package() if not any(is_hint(hint, text) for text in printed)]
    listed = {hint.replace("{}", VALUE) for hint in (*FOLLOWED_ELSEWHERE, *NOT_FOLLOWED)}
    assert sorted(set(left) - listed) == []
    assert sorted(listed - set(left)) == []


@pytest.mark.parametrize("test", [*TABLES.values()])
def test_tests_that_follow_tables_exist(test: str) -> None:
    path, _, name = test.partition("::")
    assert f"def {name}(" in (TESTS / path).read_text("utf-8")


def test_every_row_is_a_text_of_the_package() -> None:
    texts = {text for path in PACKAGE.rglob("*.py") for text in texts_of_module(path)}
    texts |= {hint for _, _, hint in table_rows(PACKAGE / "commands/shared/option_hints.tsv")} | {
        f"did you mean {VALUE}?",
        f"geceval score {VALUE}",
        f"{VALUE}={VALUE}",
    }
    assert [row.hint for row in ROWS if not any(is_hint(text, row.hint) for text in texts)] == []


@pytest.mark.parametrize(("path", "snippet"), [*FOLLOWED_ELSEWHERE.values()])
def test_tests_that_follow_hints_exist(path: str, snippet: str) -> None:
    assert snippet in (TESTS / path).read_text("utf-8")
