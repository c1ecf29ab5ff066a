"""Answer with the measures of geclens 1.0.1; run by the Python of an environment that has it.

The request has the paths of source, gold, systems and, for systems that are texts, their edits as M2 (which geclens
finds with a model of spaCy), and types; the answer has the measures by type and system.
"""

from __future__ import annotations

import json
import sys
import tempfile

from geclens import score

request = json.load(sys.stdin)
score.hypothesis_m2 = lambda source, hypothesis, **options: request["edits"].get(hypothesis, hypothesis)
with tempfile.TemporaryDirectory() as folder:
    answer = {
        type_: {
            name: score.score_system(name, request["source"], request["gold"], path, type_, cache_dir=folder).metrics
            for name, path in request["systems"].items()
        }
        for type_ in request["types"]
    }
json.dump(answer, sys.stdout)
