"""Old names of commands and options of geceval 0.2.

Using one of them fails with a hint that names the new one.
"""

from __future__ import annotations

#: Old command -> the hint.
COMMANDS = {
    "tokenise": "geceval prepare --tokenise NAME",
    "mbr": "geceval select --by mbr -m METRIC",
    "rerank": "geceval select --by METRIC",
    "chunks": "geceval annotate -f chunks",
    "weights": "geceval m2 weights",
    "false-alarms": "geceval score -m false-alarms; geceval show --outcome false-alarm lists the sentences",
}

_JUDGE = {
    f"--{name}": f"--judge {name.replace('-', '_')}=VALUE"
    for name in ("concurrency", "rate", "price-prompt", "price-answer", "max-cost")
}
_JUDGE["--base-url"] = "--judge server=VALUE"
_SETTINGS = {
    f"--{name}": f"-m {metric}:{name}=VALUE (geceval metrics {metric} lists the settings)"
    for metric, names in {
        "errant": ("mode",),
        "gleu": ("selection", "iterations", "seed"),
        "cleme": ("assumption",),
        "scribendi": ("model", "device", "batch"),
        "ptm2": ("layer",),
        "llm": ("prompt", "temperature", "repeats"),
    }.items()
    for name in names
}
_SETTINGS["--cache"] = "--judge cache=FILE, or -m ptm2:cache=FILE"
_BARS = {
    "--fail-under": "geceval gate --fail-under METRIC=POINTS",
    "--fail-over": "geceval gate --fail-over METRIC=POINTS",
    "--baseline": "geceval gate --earlier FILE",
    "--max-drop": "geceval gate --earlier FILE --max-drop POINTS",
    "--summary": "geceval gate --summary FILE",
}
_FILTER = {
    "--keep": "geceval filter --keep CONDITION",
    "--keep-out": "geceval filter --keep CONDITION --keep-out SOURCE HYPOTHESIS",
}

#: Hints for options that users may expect of a command with metrics.
_OF_METRICS = {**_SETTINGS, **_JUDGE, **_BARS, **_FILTER, "--parts": "geceval score --parts"}
_WITH_METRICS = ("compare", "rank", "report", "show", "explain", "gate", "filter")
#: Command -> old option -> the hint.
OPTIONS = {
    "score": {**_SETTINGS, **_JUDGE, **_BARS, **_FILTER},
    "show": {"-n": "--limit N", "--number": "--limit N"},
    "explain": {"-n": "--sentence N"},
    "m2 head": {"-n": "--limit N"},
    "select": {"-n": "--candidates FILE", "-k": "--per-sentence N"},
    "prepare": {"--with": "--tokenise NAME"},
}


def renamed_option(prog: str, flag: str) -> str | None:
    """Return the hint for an old option of ``geceval COMMAND``; None for others."""
    command = prog.partition(" ")[2]
    usual = _OF_METRICS if command in _WITH_METRICS else {}
    return OPTIONS.get(command, {}).get(flag) or usual.get(flag)
