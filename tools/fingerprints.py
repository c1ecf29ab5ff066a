"""The catalogue of known data files, src/geceval/studies/suites/bundled/known.toml, out of the data.

    python tools/fingerprints.py [--data ../shared/data] [--check]

``--check``: exit status 1 unless the catalogue is that of the data.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from geceval.studies.suites.fingerprints import fingerprint

CATALOGUE = Path(__file__).parents[1] / "src/geceval/studies/suites/bundled/known.toml"
HEAD = """# Data files that geceval knows by their checksums; nothing of them is here. Made by tools/fingerprints.py.
"""
CONLL = "https://www.comp.nus.edu.sg/~nlp/conll14st.html"
CLEME = "https://github.com/THUKElab/CLEME"
ESC = "https://github.com/nusnlp/esc"
JFLEG = "https://github.com/keisks/jfleg"
SEEDA = "https://github.com/tmu-nlp/SEEDA"
GJG15 = "https://github.com/grammatical/evaluation"
NSPT15 = "https://github.com/cnap/gec-ranking"
SYSTEMS = ("AMU", "CAMB", "CUUI", "IITB", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC")
SEEDA_SYSTEMS = (
    *("BART", "BERT-fuse", "GECToR-BERT", "GECToR-ens", "GPT-3.5", "INPUT", "LM-Critic", "PIE", "REF-F", "REF-M"),
    *("Riken-Tohoku", "T5", "TemplateGEC", "TransGEC", "UEDIN-MS"),
)
FALLBACK = "where an annotator has no edits, the other one's text"
PLAIN = "where an annotator has no edits, the source"


@dataclass(frozen=True)
class Entry:
    """A file: its id, its path in the data, and what is said of it."""

    id: str
    path: str
    name: str
    what: str
    origin: str


def entries() -> Iterator[Entry]:
    conll = "CoNLL-2014 test"
    gold = "official gold edits, two annotators"
    yield Entry("conll14/gold", "conll14/gold.m2", "official-2014.combined.m2", f"{conll}, {gold}", CONLL)
    made = "made from @conll14/gold:"
    how = f"{made} sed -n 's/^S //p' official-2014.combined.m2"
    yield Entry("conll14/source", "conll14/source.txt", "source.txt", f"{conll}, source, tokenised by NLTK", how)
    for r in (0, 1):
        what, how = f"{conll}, reference {r}", f"{made} geceval m2 apply -a {r} official-2014.combined.m2"
        yield Entry(f"conll14/ref{r}", f"conll14/ref{r}.txt", f"ref{r}.txt", f"{what} ({FALLBACK})", how)
    how += " --missing plain"
    yield Entry("conll14/ref1-plain", "conll14/ref1_plain.txt", "ref1_plain.txt", f"{what} ({PLAIN})", how)
    for name in SYSTEMS:
        yield Entry(f"conll14/{name}", f"conll14/systems/{name}.txt", name, f"{conll}, output of {name}", CONLL)
    what = f"{conll}, both references' edits by ERRANT 2.3.3"
    yield Entry("conll14-errant/gold", "conll14-errant/gold.m2", "conll14.errant", what, CLEME)
    for name in (*SYSTEMS, "INPUT"):
        what = f"{conll}, output of {name}, edits by ERRANT 2.3.3"
        yield Entry(f"conll14-errant/{name}", f"conll14-errant/{name}.m2", f"conll14-{name}.errant", what, CLEME)
    bea = "BEA-2019 dev (W&I+LOCNESS)"
    yield Entry("bea19-dev/gold", "bea19-dev/gold.m2", "target.m2", f"{bea}, gold, edits by ERRANT", ESC)
    yield Entry("bea19-dev/source", "bea19-dev/source.txt", "source.txt", f"{bea}, source, tokenised by spaCy", ESC)
    yield Entry("bea19-dev/ref0", "bea19-dev/ref0.txt", "target.txt", f"{bea}, reference", ESC)
    for name in ("GECToR-XLNet", "T5-Large"):
        yield Entry(f"bea19-dev/{name}", f"bea19-dev/systems/{name}.txt", name, f"{bea}, output of {name}", ESC)
        yield Entry(f"bea19-dev-errant/{name}", f"bea19-dev/errant/{name}.m2", f"{name}.m2",
                    f"{bea}, output of {name}, edits by ERRANT", ESC)  # fmt: skip
    jfleg = "JFLEG dev"
    yield Entry("jfleg-dev/source", "jfleg-dev/source.txt", "dev.src", f"{jfleg}, source", JFLEG)
    for r in range(4):
        yield Entry(f"jfleg-dev/ref{r}", f"jfleg-dev/ref{r}.txt", f"dev.ref{r}", f"{jfleg}, reference {r}", JFLEG)
    yield Entry("jfleg-dev/spellchecked", "jfleg-dev/systems/spellchecked.txt", "dev.spellchecked.src",
                f"{jfleg}, source, spelling checked by enchant", JFLEG)  # fmt: skip
    yield Entry("jfleg-dev/gold", "jfleg-dev/gold.m2", "dev.ref.m2", f"{jfleg}, four references as edits", JFLEG)
    yield Entry("gjg15/judgments", "meta/gjg15/judgments.xml", "judgments.xml", "GJG15, people's rankings", GJG15)
    for kind in ("edit", "sent"):
        name = f"judgments_{kind}.xml"
        what = f"SEEDA-{kind[0].upper()}, people's rankings"
        yield Entry(f"seeda/judgments-{kind}", f"meta/seeda/{name}", name, what, SEEDA)
    for part, which in (("all", "all 1312 sentences"), ("subset", "the 391 judged sentences")):
        for name in SEEDA_SYSTEMS:
            yield Entry(f"seeda/{part}/{name}", f"meta/seeda/{part}/{name}.txt", f"{name}.txt",
                        f"SEEDA, output of {name} on {which} of {conll}", SEEDA)  # fmt: skip
    for ending in ("xml", "csv"):
        yield Entry(f"nspt15/judgments-{ending}", f"meta/nspt15/all_judgments.{ending}", f"all_judgments.{ending}",
                    "NSPT15, people's rankings", NSPT15)  # fmt: skip


def catalogue(data: Path) -> str:
    """The catalogue of the data."""
    parts = [HEAD]
    for entry in entries():
        content = (data / entry.path).read_bytes()
        found = fingerprint(content)
        assert found is not None, entry.path
        said = {name: getattr(entry, name) for name in ("name", "what", "origin")}
        said |= {"size": len(content)} | {name: value for name, value in vars(found).items() if value not in ((), "")}
        said["sample"] = " ".join(f"{at}:{one}" for at, one in found.sample.items())
        said["bands"] = " ".join(f"{plain:08x}{numbered:08x}" for plain, numbered in found.bands)
        lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in said.items()]
        parts.append("\n".join([f'[files."{entry.id}"]', *lines, ""]))
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), metavar="FOLDER")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text = catalogue(args.data)
    if args.check:
        return int(CATALOGUE.read_text(encoding="utf-8") != text)
    CATALOGUE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
