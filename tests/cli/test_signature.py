"""``geceval signature``: the settings of a score, and the command that gives it."""

from __future__ import annotations

import contextlib
import json
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval._kernel import __version__
from geceval.base.errors import UsageError
from geceval.counting.catalogue.signatures import read_signature
from geceval.counting.contract import Given
from support.commands import Run
from support.instances import instances

TEXTS = "-s source.txt -r ref0.txt ref1.txt"
GOLD = "--gold gold.m2"
GREEN = f"GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:{__version__}"


@pytest.fixture
def here(tmp_path: Path, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the files that the commands of signatures name."""
    for path in examples.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "sys.txt").symlink_to(examples / "systems" / "careful.txt")
    (tmp_path / "sys.m2").symlink_to(examples / "gold.m2")
    for path in (examples / "systems").iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "line",
    [
        f"{TEXTS} -c sys.txt -m green:unit=char,n=6,beta=inf",
        f"{TEXTS} -c sys.txt -m gleu --level mean",
        f"{TEXTS} -c sys.txt -m gleu:selection=sampled,iterations=20,seed=3",
        f"{TEXTS} -c sys.txt -m gleu:cut=none,selection=best",
        f"{TEXTS} -c sys.txt -m gleu:selection=mean --level sentence",
        f"{TEXTS} -c sys.txt -m errant:mode=ds,lev=yes,annotator=builtin:classic,exclude=R:SPELL",
        f"{TEXTS} -c sys.txt -m errant:annotator=de",
        f"{GOLD} -c sys.txt -m errant:misfits=drop,selection=optimum,size=single",
        f"{GOLD} -c sys.txt -m errant:valid=gold.m2",
        f"{GOLD} -c sys.txt -m green",
        f"{GOLD} --missing plain -c sys.txt -m gleu",
        f"{GOLD} --overlaps longest -c sys.txt -m errant",
        f"{GOLD} -c sys.txt -m maxmatch:max_unchanged_words=1,timeout=100,ignore_whitespace_casing=yes",
        f"{GOLD} -c sys.txt -m cleme:assumption=independent,x0=2.5",
        f"{GOLD} -c sys.txt -m cleme2:weights=none,factors=class",
        f"{TEXTS} -c careful.txt noisy.txt -m goto:a=2",
        f"{TEXTS} -c sys.txt -m goto:weights=none,ref_id=1",
        f"{TEXTS} -c sys.txt -m imeasure:selection=running,maximise=i,mix=0",
        f"{TEXTS} -c sys.txt -m green --tokenise english --tokenise-only systems --normalise nfc,quotes --truecase",
        f"{TEXTS} -c sys.txt -m green --whitespace repair",
    ],
)
def test_command_of_a_signature_gives_the_score(line: str, run: Run) -> None:
    def scored(words: str) -> tuple[object, ...]:
        found = json.loads(run(*shlex.split(f"score -f json {words}")).out)["results"][0]
        return found["signature"], found.get("value"), found.get("mean")

    signature = str(scored(line)[0])
    result = run("signature", signature)
    assert (result.status, result.err) == (0, "")
    assert all(len(line) <= 80 for line in result.out.splitlines())
    command = json.loads(run("signature", signature, "-f", "json").out)["command"]
    assert scored(command.removeprefix("geceval score ")) == scored(line)


@pytest.mark.parametrize("metric", instances().values(), ids=lambda metric: metric.name)
def test_default_settings_are_left_out_of_the_command(metric) -> None:  # type: ignore[no-untyped-def]
    facts = Given("2", pool=("a", "b"))
    score = read_signature(metric.signature(facts))
    assert score.metric == metric.name
    assert all(meaning for _, _, meaning in score.entries)
    if metric.extra is None and not metric.asks_judge and metric.name != "gleu":
        assert score.command.endswith(f" -m {metric.name}")


@given(st.data())
def test_any_change_of_a_signature_is_read_or_refused(data: st.DataObject) -> None:
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(GREEN))] * 2)))
    changed = GREEN[:start] + data.draw(st.text("|:@+()-.29aGn ", max_size=6)) + GREEN[stop:]
    with contextlib.suppress(UsageError):
        assert read_signature(changed).command.startswith("geceval score ")


def test_what_a_signature_does_not_contain_is_listed(run: Run) -> None:
    out = run("signature", GREEN.replace(f"v:{__version__}", "v:0.1.0").replace("refs:2", "refs:1-2")).out
    assert "-r ref0.txt ref1.txt" in out
    told = " ".join(out[out.index("not in the signature") :].split())
    assert "the names and contents of the files" in told
    assert "which sentences have fewer references" in told
    assert f"whether version {__version__}, which is installed, gives the number of 0.1.0" in told


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("GREEN", "'GREEN' is not a signature"),
        ("", "is not a signature"),
        ("GREEN|n:4|beta:2|unit:word", "the signature is cut off: refs and level and v missing"),
        ("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0", "BLEU is not a metric of geceval"),
        ("ar:10000|boot:10000|seed:0|v:0.3.0", "starts with the name of a metric, not with 'ar:10000'"),
        (f"RERANK|{GREEN}", "RERANK is a signature of geceval select"),
        (GREEN.replace("beta:2", "beta"), "'beta' is not an entry of a signature"),
        (GREEN.replace("beta:2", "beta:two"), "green: beta takes a number, not 'two'"),
        (GREEN.replace("beta:2", "beat:2"), "GREEN has no entry 'beat'"),
        (GREEN.replace("unit:word", "n:4"), "the signature has n more than once"),
        (GREEN.replace("policy:best", "policy:running"), "GREEN has no policy 'running'"),
        (GREEN.replace("level:corpus", "level:book"), "level is one of corpus, sentence, mean, not book"),
        (GREEN.replace("refs:2", "refs:two"), "refs is the number of references, not 'two'"),
    ],
)
def test_malformed_signature_is_refused(signature: str, message: str, run: Run) -> None:
    with pytest.raises(UsageError) as refusal:
        read_signature(signature)
    assert message in str(refusal.value)
    refused = run("signature", signature)
    assert (refused.status, refused.out) == (2, "")
    assert len(refused.err.splitlines()) <= 2
