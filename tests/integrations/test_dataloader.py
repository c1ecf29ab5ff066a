"""Workers of PyTorch's DataLoader score with a Scorer and a reward, however they are started."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

#: Workers score while a thread of the parent scores, as in training; results are compared with the parent's.
SCRIPT = """
import sys, threading
from torch.utils.data import DataLoader, Dataset
import geceval
from geceval.integrations.rewards import rewards

SOURCE = ["She go to school .", "I like cat .", "He is here ."]
REFERENCE = ["She goes to school .", "I like cats .", "He is here ."]

class Scored(Dataset):
    def __init__(self):
        self.scorer = geceval.Scorer(["green", "errant", "cleme"], SOURCE, [REFERENCE], checks=False)
        self.reward = rewards("errant")
        self.errant = geceval.Errant()

    def __len__(self):
        return 60

    def __getitem__(self, number):
        lines = [line.replace(" .", f" x{number % 7} .") if number % 3 else line for line in REFERENCE]
        scores = [score.value for score in self.scorer.score(lines).values()]
        rows = [[line] for line in REFERENCE]
        alone = self.errant.sentence_score(SOURCE[0], lines[0], rows[0])
        return [*scores, *self.reward(completions=lines, source=SOURCE, references=rows), alone]

def main(way):
    data = Scored()
    expected = [data[number] for number in range(len(data))]
    over = threading.Event()
    def work():
        while not over.is_set():
            data[1]
    thread = threading.Thread(target=work)
    thread.start()
    try:
        loader = DataLoader(data, batch_size=4, num_workers=2, multiprocessing_context=way, collate_fn=list)
        for epoch in range(2):
            assert [row for batch in loader for row in batch] == expected
    finally:
        over.set()
        thread.join()
    print("equal")

if __name__ == "__main__":
    main(sys.argv[1])
"""

#: A thread of a DataLoader's queue, for which nobody waits at exit, may have removed a semaphore and not yet said so.
IGNORED = ("-W", "ignore::DeprecationWarning", "-W", "ignore:resource_tracker:UserWarning")


@pytest.mark.parametrize("way", multiprocessing.get_all_start_methods())
def test_workers_give_the_scores_of_the_parent(way: str, tmp_path: Path) -> None:
    script = tmp_path / "training.py"
    script.write_text(SCRIPT)
    command = [sys.executable, *IGNORED, str(script), way]
    result = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert (result.stdout, result.stderr) == ("equal\n", "")
