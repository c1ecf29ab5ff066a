"""People's rankings and a whole meta-evaluation; TrueSkill against the PyPI package `trueskill`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from geceval.agreement.judgments import read_judgments
from geceval.agreement.meta_evaluation import evaluate_metrics
from geceval.agreement.people import expand_pairs
from geceval.agreement.study import StudyOptions, make_study
from geceval.counting.metric_names import make_metric
from geceval.statistics.judged_pairs import Pairs
from geceval.statistics.trueskill import TrueSkillRules, ordered_skills, sampled_skills
from geceval.text.reading.corpus_files import read_corpus
from harness import ROOT, Files, Options, Row, corpus_files, run_checked, seconds, side_by_side

#: Number of games of the peer.
GAMES = 5000

PEER = """
import json, sys, time
import trueskill
games = json.load(open(sys.argv[1]))
trueskill.setup(mu=0, sigma=0.5, beta=games["beta"], tau=0, draw_probability=0.25)
start = time.perf_counter()
skills = [trueskill.Rating() for _ in range(games["players"])]
for a, b, outcome in games["games"]:
    if outcome < 0:
        a, b = b, a
    skills[a], skills[b] = trueskill.rate_1vs1(skills[a], skills[b], drawn=outcome == 0)
print(json.dumps({"seconds": time.perf_counter() - start}))
"""


def rows(options: Options) -> Iterator[Row]:
    files = corpus_files(options)
    judgments = read_judgments(judgment_file(options))
    pairs = expand_pairs(judgments)
    rules = TrueSkillRules.for_judgments(len(pairs))
    first = Pairs(
        pairs.systems, *(column[:GAMES] for column in (pairs.source_id, pairs.first, pairs.second, pairs.outcome))
    )
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder) / "games.json"
        played = zip(first.first.tolist(), first.second.tolist(), first.outcome.tolist(), strict=True)
        games.write_text(json.dumps({"players": len(pairs.systems), "beta": rules.beta, "games": list(played)}))

        def peer() -> float:
            command = [str(options.peer_python), "-c", PEER, str(games)]
            return float(json.loads(run_checked(command, options).output)["seconds"])

        has_peer = options.has_peer("trueskill")
        ours, peer_time = side_by_side(
            lambda: seconds(lambda: ordered_skills(first, rules)), peer if has_peer else None, options.runs
        )
        yield Row(f"TrueSkill, {len(first):,} games in order", ours, peer_time, None if options.smoke else 1000)
    tally = pairs.tally()
    updates = f"{len(pairs) + 1:,} updates a run"
    yield Row("TrueSkill, 1000 runs", seconds(lambda: sampled_skills(tally)), note=updates)
    yield Row("reading and expanding judgments", seconds(lambda: expand_pairs(read_judgments(judgment_file(options)))))
    yield Row(
        "meta-evaluation of GREEN, 1000 resamples", seconds(lambda: meta_evaluate(files, options)), note=files.name
    )


def judgment_file(options: Options) -> Path:
    shared = options.shared / "data/meta/gjg15/judgments.xml"
    return shared if shared.is_file() and not options.smoke else ROOT / "examples/judgments.xml"


def meta_evaluate(files: Files, options: Options) -> None:
    study = make_study(
        read_judgments(judgment_file(options)), read_corpus(files.source, files.references, files.systems)
    )
    evaluate_metrics(study, [make_metric("green")], StudyOptions())
