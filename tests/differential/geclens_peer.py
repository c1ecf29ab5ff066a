"""Answers what geclens 1.0.1 computes; run by the Python of an environment with geclens.

A request has the paths of the source, the gold and the systems, and types; the answer has the measures by type and
system.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict

from geclens.score import score_system
from geclens.stats import compare_systems

request = json.load(sys.stdin)
with tempfile.TemporaryDirectory() as folder:
    scores = {
        type_: {
            name: score_system(name, request["source"], request["gold"], path, type_, cache_dir=folder)
            for name, path in request["systems"].items()
        }
        for type_ in request["types"]
    }
answer = {"scores": {type_: {name: score.metrics for name, score in row.items()} for type_, row in scores.items()}}
if "baseline" in request:
    answer["tests"] = {
        type_: [asdict(row) for row in compare_systems(row, request["measures"], baseline=request["baseline"])]
        for type_, row in scores.items()
    }
json.dump(answer, sys.stdout)
