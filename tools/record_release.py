"""Records the numbers that a release prints, so that the next one can be held to them (tests/releases).

    tools/record_release.py --python /path/to/the/release/bin/python -o tests/releases/0.3.0.json

The release is asked through its commands, which are what all releases have in common: metrics with their settings, at
all levels, from texts, from gold edits and from systems given as M2; tables by type; comparisons and rankings;
detection and false alarms; a suite; agreement with people; the public tools' commands byte by byte. With the corpora
beside the clone (--data) theirs are recorded too. Only numbers are kept, long rows of them as checksums.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
DATA = Path(os.environ.get("GECEVAL_SHARED", ROOT.parent / "shared")) / "data"

#: Metrics on texts, as -m takes them.
NGRAMS = """
green green:beta=0.5 green:beta=1,n=2 green:n=6,unit=char green:unit=grapheme
gleu gleu:n=2 gleu:unit=char gleu:variant=paper gleu:selection=best gleu:selection=mean gleu:seed=7,iterations=50
gleu:variant=paper,selection=best
""".split()
#: Metrics on edits.
EDITS = """
maxmatch maxmatch:beta=1 maxmatch:max_unchanged_words=0 maxmatch:ignore_whitespace_casing=true
maxmatch:selection=optimum
errant errant:beta=1 errant:mode=cse errant:mode=ds errant:mode=dt errant:selection=optimum errant:size=single
errant:size=multi errant:exclude=PUNCT errant:lev=true errant:merging=all-split errant:merging=all-merge
errant:merging=all-equal errant:annotator=builtin:classic
cleme cleme:assumption=independent cleme:weights=none cleme:weights=length-sentence cleme:beta=1 cleme:selection=optimum
cleme:merge_distance=1 cleme:drop_unchanged=true cleme:assumption=independent,weights=none
cleme2 cleme2:assumption=independent cleme2:weights=none cleme2:weights=length-sentence cleme2:factors=sentence
cleme2:factors=class cleme2:merge_distance=1 cleme2:drop_unchanged=true
""".split()
#: Metrics that came with 0.2.0, in cases of their own: releases before it are asked for the others alone.
SINCE_0_2 = """
goto goto:weights=none goto:a=2,b=1,c=1 goto:beta=1 goto:ref_id=1
imeasure imeasure:w=1 imeasure:aspect=detection imeasure:mix=0 imeasure:selection=running imeasure:maximise=i
""".split()
#: Those of NGRAMS and EDITS that are asked of whole corpora.
MAIN = """
green green:beta=0.5 green:n=6,unit=char gleu gleu:variant=paper gleu:selection=best gleu:selection=mean
maxmatch maxmatch:selection=optimum errant errant:mode=cse errant:mode=dt errant:selection=optimum
cleme cleme:assumption=independent cleme2 cleme2:assumption=independent
""".split()
#: Options of the cases of false alarms.
ALARMS = ("-m", "false-alarms", "false-alarms:rule=any", "false-alarms:rule=each", "-f", "json", "-q")
#: The mean is that of the sentences' scores, and stands with them.
LEVELS = ("corpus", "sentence")
#: More numbers than this, such as the scores of sentences, the counts of n-grams or the figures of all types, are kept
#: as a checksum.
LONG = 8
#: What of a document is no number of the release.
NOT_KEPT = {
    *("schema", "version", "source", "references", "gold", "systems", "options", "settings", "judgments", "by"),
    *("seconds_per_system", "notes", "warnings", "deviation", "metric", "level", "sentences"),
}


@dataclass(frozen=True)
class Case:
    """A command line in a folder. Of its output the numbers are recorded, or where it is no JSON a checksum."""

    name: str
    folder: Path
    arguments: tuple[str, ...]
    json: bool = True


def of_examples() -> Iterator[Case]:
    """The cases of our own corpus."""
    systems = ["systems/careful.txt", "systems/eager.txt", "systems/noisy.txt"]
    texts = ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt"]
    gold = ["--gold", "gold.m2"]

    def case(name: str, *arguments: str, json: bool = True) -> Case:
        return Case(f"examples: {name}", EXAMPLES, arguments, json=json)

    for level in LEVELS:
        asked = ["--level", level, "-f", "json", "-q"]
        of_texts = [spec for spec in EDITS if not spec.startswith("maxmatch")]
        yield case(f"texts, {level}", "score", *texts, "-c", *systems, "-m", *NGRAMS, *of_texts, *asked)
        yield case(f"gold, {level}", "score", *gold, "-c", *systems, "-m", "green", "gleu", *EDITS, *asked)
        plain = ["--missing", "plain", "-c", *systems, "-m", "green", "gleu"]
        yield case(f"gold, missing plain, {level}", "score", *gold, *plain, *asked)
        one = ["-s", "source.txt", "-r", "ref0.txt", "-c", *systems, "-m", "green", "gleu", "errant", "cleme", "cleme2"]
        yield case(f"one reference, {level}", "score", *one, *asked)
        yield case(f"texts, since 0.2.0, {level}", "score", *texts, "-c", *systems, "-m", *SINCE_0_2, *asked)
        yield case(f"gold, since 0.2.0, {level}", "score", *gold, "-c", *systems, "-m", *SINCE_0_2, *asked)
    means = ["-m", "green", "gleu", "errant", "cleme", "--level", "mean", "-f", "json", "-q"]
    yield case("texts, mean", "score", *texts, "-c", *systems, *means)
    for tier in ("operation", "type", "full"):
        for given in (texts, gold):
            asked = ["-m", "errant", "errant:mode=dt", "--by", tier, "-f", "json", "-q"]
            yield case(f"{given[0]} by {tier}", "score", *given, "-c", *systems, *asked)
    people = ["meta", "--judgments", "judgments.xml", "-c", "systems", *texts, "-m", "green", "gleu", "errant", "cleme"]
    for aggregation in ("corpus", "mean", "expected-wins", "trueskill"):
        yield case(f"meta, {aggregation}", *people, "--aggregation", aggregation, "-f", "json", "-q")
    yield case("meta, TrueSkill", *people, "--human", "trueskill", "-f", "json", "-q")
    statistics = ["-c", *systems, "--samples", "500", "-f", "json", "-q"]
    for given, metrics in ((texts, ["green", "gleu", "errant", "imeasure"]), (gold, ["maxmatch", "cleme"])):
        yield case(f"{given[0]} compare", "compare", *given, "-m", *metrics, *statistics, "--power")
        yield case(f"{given[0]} rank", "rank", *given, "-m", *metrics, *statistics, "--no-guard")
        asked = ["-m", *metrics, "--intervals", "-f", "json", "-q"]
        yield case(f"{given[0]} intervals", "score", *given, "-c", *systems, *asked)
        yield case(f"{given[0]} false alarms", "score", *given, "-c", *systems, *ALARMS)
    blocks = ["--blocks", "essays.txt", "--baseline", "careful", "--test", "bootstrap", "--interval", "bca"]
    yield case("compare, blocks", "compare", *texts, "-m", "green", "errant", *statistics, *blocks)
    yield case("compare by type", "compare", *texts, "-m", "errant", "--by", "operation", *statistics)
    yield case("compare by length", "compare", *texts, "-m", "green", "--group", "length", *statistics)
    yield case(
        "rank, TrueSkill", "rank", *texts, "-m", "green", "--aggregation", "trueskill", *statistics, "--no-guard"
    )
    yield case("by length", "score", *texts, "-c", *systems, "-m", "green", "errant", "--group", "length", "-f", "json")
    yield case("detect", "detect", "-g", "gold.m2", "-c", *systems, "-f", "json")
    yield case("suite", "suite", "bench.toml", "--samples", "500", "-f", "json", "-q")
    for line in (
        *(f"{tool} {' '.join(texts)} -c {' '.join(systems)}" for tool in ("green", "sgreen", "mgreen")),
        f"green -v -n 3 -b 0.5 2 {' '.join(texts)} -c {' '.join(systems)}",
        f"green -v -l -d 4 {' '.join(texts)} -c {' '.join(systems)}",
        f"sgreen -v -t char {' '.join(texts)} -c {' '.join(systems)}",
        *(f"{tool} -f -d 6 {' '.join(texts)} -o {' '.join(systems)}" for tool in ("gleu", "sgleu", "mgleu")),
        f"gleu -m -v {' '.join(texts)} -o {' '.join(systems)}",
        f"sgleu -m -v -d 4 {' '.join(texts)} -o {' '.join(systems)}",
        *(f"m2scorer {system} gold.m2" for system in systems),
        "m2scorer -v systems/eager.txt gold.m2",
        "m2scorer --very_verbose --beta 1 systems/noisy.txt gold.m2",
        f"errant_parallel -orig source.txt -cor {' '.join(systems)} -out -",
        "errant_m2 -auto gold.m2 -out -",
        "errant_m2 -gold gold.m2 -out -",
        *(f"errant_compare -hyp gold.m2 -ref gold.m2 {flags}" for flags in ("", "-ds -cat 1", "-dt", "-cse -cat 2 -v")),
        "annotate -s source.txt -c systems/eager.txt",
        "annotate -s source.txt -c systems/noisy.txt --annotator builtin:classic",
        "m2 apply gold.m2",
        "m2 stats gold.m2",
    ):
        yield case(line, *line.split(), json=False)
    chunked = ["--gold", "gold.m2", "-c", *systems]
    yield case(f"chunks {' '.join(chunked)}", "annotate", *chunked, "-f", "chunks", json=False)


def of_shared(data: Path) -> Iterator[Case]:
    """The cases of the corpora in a folder."""
    corpora = {
        "conll14": ("conll14", ["--gold", "gold.m2", "-c", "systems/AMU.txt", "systems/CAMB.txt", "systems/IPN.txt"]),
        "conll14, systems as M2": ("conll14-errant", ["--gold", "gold.m2", "-c", "AMU.m2", "CAMB.m2", "INPUT.m2"]),
        "jfleg-dev": (
            "jfleg-dev",
            ["-s", "source.txt", "-r", *(f"ref{r}.txt" for r in range(4)), "-c", "systems/spellchecked.txt"],
        ),
        "bea19-dev": ("bea19-dev", ["--gold", "gold.m2", "-c", "systems/T5-Large.txt", "systems/GECToR-XLNet.txt"]),
        "fuzz": ("fuzz", ["-s", "source.txt", "-r", "ref0.txt", "ref1.txt", "ref2.txt", "-c", "hyp.txt"]),
    }
    for name, (folder, given) in corpora.items():
        for level in LEVELS:
            specs = [
                spec
                for spec in MAIN
                if ("--gold" in given or not spec.startswith("maxmatch"))
                and ("as M2" not in name or spec.startswith(("errant", "cleme")))
            ]
            asked = ["--level", level, "-f", "json", "-q"]
            yield Case(f"{name}, {level}", data / folder, ("score", *given, "-m", *specs, *asked))
            if name == "fuzz":  # conll14 takes a minute
                given_since = ("score", *given, "-m", *SINCE_0_2, *asked)
                yield Case(f"{name}, since 0.2.0, {level}", data / folder, given_since)
    conll = corpora["conll14"][1]
    asked = ["-m", "green", "errant", "--samples", "200", "-f", "json", "-q"]
    for command in ("compare", "rank"):
        yield Case(f"conll14, {command}", data / "conll14", (command, *conll, *asked))
    yield Case("conll14, false alarms", data / "conll14", ("score", *conll, *ALARMS))
    detected = ("detect", "-g", "gold.m2", "-c", *conll[3:], "-f", "json")
    yield Case("conll14, detect", data / "conll14", detected)
    people = ["meta", "--judgments", "../meta/gjg15/judgments.xml", "-c", "systems", "-s", "source.txt"]
    people += ["-r", "ref0.txt", "ref1.txt", "--exclude", "NULL", "--numbering", "auto"]
    for measure in ("expected-wins", "trueskill"):
        asked = ["-m", "green", "gleu", "--human", measure, "--resamples", "100", "-f", "json", "-q"]
        yield Case(f"gjg15, {measure}", data / "conll14", (*people, *asked))


def recorded(case: Case, python: str) -> Any:
    """Return what this Python's geceval prints: the numbers of the document, or a checksum of the bytes."""
    command = [python, "-m", "geceval", *case.arguments]
    run = subprocess.run(command, cwd=case.folder, capture_output=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{case.name}: exit status {run.returncode}: {run.stderr.decode()}")
    return numbers_of(case, run.stdout)


def numbers_of(case: Case, output: bytes) -> Any:
    """Return the numbers of a document, or of other output a checksum."""
    if not case.json:
        return _checksum(output.replace(b"\r\n", b"\n"))
    document = json.loads(output)
    if not all("signature" in result for result in document.get("results", [{}])):
        return kept(document)
    by_signature: dict[str, dict[str, Any]] = {}
    for result in document["results"]:
        own = kept({key: value for key, value in result.items() if key not in ("signature", "system")})
        by_signature.setdefault(result["signature"], {})[result["system"]] = own
    return by_signature


def kept(value: Any) -> Any:
    """A document without what is no number of the release."""
    if isinstance(value, dict):
        value = {key: kept(own) for key, own in value.items() if _is_kept(key, own)}
    elif isinstance(value, list):
        value = value if all(type(one) in (int, float) for one in value) else [kept(one) for one in value]
    many = isinstance(value, dict | list) and len(value) > LONG and _only_numbers(value)
    return _checksum(_compact(value).encode(), "numbers") if many else value


def _is_kept(key: str, own: Any) -> bool:
    if own in ({}, None):
        return False
    scored = key == "systems" and isinstance(own, list) and all(isinstance(one, dict) for one in own)
    return scored or key not in NOT_KEPT


def _only_numbers(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_only_numbers, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float | int) or (isinstance(value, str) and value.startswith("numbers:"))


def _checksum(content: bytes, of: str = "output") -> str:
    return f"{of}:{hashlib.sha256(content).hexdigest()[:16]}"


def record(cases: Sequence[Case], python: str) -> dict[str, Any]:
    """All cases of this Python's geceval, by name."""
    return {case.name: recorded(case, python) for case in cases}


@functools.cache
def made_with(python: str) -> tuple[str, str]:
    """The version of this Python's geceval, and what has a say in the last bits: numpy's logarithms, the machine."""
    command = [python, "-c", _ASKED]
    found = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=True)
    version, numpy, *extensions = found.stdout.split()
    # On processors with AVX-512 numpy has other logarithms.
    wide = " with AVX-512" if {"X86_V4", "AVX512_SKX"} & {*extensions} else ""
    return version, f"numpy {numpy}{wide}, {platform.system()} {platform.machine()}"


#: Prints the version of geceval, that of numpy, and the extensions of the processor that numpy uses.
_ASKED = """
import geceval, numpy
try:
    extensions = numpy.show_config(mode="dicts")["SIMD Extensions"]["found"]
except TypeError:  # before numpy 1.26
    extensions = []
print(geceval.__version__, numpy.__version__, *extensions)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="a Python that has the release (default: this one)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the corpora")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    python = str(Path(args.python).absolute())  # a link into an environment stays one
    cases = [*of_examples(), *(of_shared(args.data.resolve()) if args.data.is_dir() else ())]
    version, where = made_with(python)
    head = {"version": version, "made with": where}
    lines = [f"{json.dumps(name)}: {_compact(found)}" for name, found in record(cases, python).items()]
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text(_compact(head)[:-1] + ',\n"cases": {\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")
    print(f"{args.output}: {len(cases)} cases of geceval {version}")


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
