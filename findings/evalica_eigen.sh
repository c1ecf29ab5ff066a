#!/usr/bin/env bash
# eigen() of evalica ranks systems upside down (A beats B and C, B beats C: C is first), pagerank() puts a system with
# few judgments last although it beats the others, and newman() gives two systems 1.0 each where one wins 40 of 60.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check evalica==0.4.2
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import evalica
from evalica import Winner

print("evalica", version("evalica"))


def rankings(title, wins):
    """Print and return the scores by method, for wins of the first and of the second system of each pair."""
    pairs = [(*pair, winner) for pair, counts in wins.items() for winner, n in zip((Winner.X, Winner.Y), counts)
             for _ in range(n)]
    scores = {}
    for method in ("bradley_terry", "average_win_rate", "newman", "pagerank", "eigen"):
        scores[method] = getattr(evalica, method)(*zip(*pairs)).scores.sort_index().round(2).to_dict()
        print(f"{title}: {method} {scores[method]}")
    return scores


def order(scores):
    """Return the systems, the best first."""
    return "".join(sorted(scores, key=scores.get, reverse=True))


scores = rankings("equal numbers", {"AB": (30, 10), "AC": (35, 5), "BC": (30, 10)})
orders = {method: order(values) for method, values in scores.items()}
assert orders == {**dict.fromkeys(scores, "ABC"), "eigen": "CBA"}, "the behaviour changed"
scores = rankings("few judgments of A", {"AB": (30, 10), "AC": (9, 1), "BC": (160, 40)})
assert order(scores["bradley_terry"]) == "ABC" and order(scores["pagerank"]) == "BCA", "the behaviour changed"
scores = rankings("two systems", {"AB": (40, 20)})
assert order(scores["bradley_terry"]) == "AB", "the behaviour changed"
for method in ("newman", "pagerank", "eigen"):
    assert scores[method]["A"] == scores[method]["B"], "the behaviour changed"
PYTHON
