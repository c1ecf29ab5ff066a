#!/usr/bin/env bash
# TrueSkill ranks a system that wins 40 of 60 judgments last, and with confidence, if its wins are read first, as from a
# file sorted by winner or annotator: each judgment is weighed against the skills so far. tau=0 makes no difference.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check trueskill==0.4.5
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from trueskill import TrueSkill

print("trueskill", version("trueskill"))
judgments = [("A", "B")] * 40 + [("B", "A")] * 20
environments = {
    "default": TrueSkill(),
    "tau=0": TrueSkill(tau=0, draw_probability=0),
    # The constants that papers on grammatical error correction use.
    "GEC": TrueSkill(mu=0, sigma=0.5, beta=0.25, tau=0, draw_probability=0.25),
}
for name, environment in environments.items():
    for order, rows in {"wins first": judgments, "wins last": judgments[::-1]}.items():
        skills = {"A": environment.create_rating(), "B": environment.create_rating()}
        for winner, loser in rows:
            skills[winner], skills[loser] = environment.rate_1vs1(skills[winner], skills[loser])
        print(f"{name}, {order}:", *(f"{system} {skill.mu:.2f} ± {skill.sigma:.2f}" for system, skill in skills.items()))
        # The two intervals of two sigma do not overlap.
        better, worse = (skills[system] for system in ("BA" if order == "wins first" else "AB"))
        assert better.mu - 2 * better.sigma > worse.mu + 2 * worse.sigma, "the behaviour changed"
PYTHON
