#!/usr/bin/env bash
# In a task of lm-eval whose target is a list of references, any metric but exact_match is 1 for each answer that scores
# more than 0: an F of 0.51 against one reference is 1.00 as soon as there are two, without a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check lm-eval==0.4.13 datasets==5.2.0
export HF_HOME="$folder/hub" HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 TQDM_DISABLE=1 LMEVAL_LOG_LEVEL=ERROR
cat > "$folder/test.jsonl" <<'JSONL'
{"source": "He go home .", "references": ["He goes home .", "He went home ."]}
{"source": "I has two dog .", "references": ["I have two dogs .", "I had two dogs ."]}
{"source": "She like it .", "references": ["She likes it .", "She liked it ."]}
JSONL
cd "$folder"
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import lm_eval
from lm_eval.api.model import LM

print("lm-eval", version("lm-eval"))


class Corrector(LM):
    """A poor corrector."""

    def generate_until(self, requests, disable_tqdm=False):
        return ["He home home home .", "I dog", "She"]

    def loglikelihood(self, requests):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def f1_of_words(references, predictions):
    """Return F1 of the words of a text."""
    reference, prediction = set(references[0].split()), set(predictions[0].split())
    return 2 * len(reference & prediction) / (len(reference) + len(prediction))


means = {}
for target in ("{{references[0]}}", "references"):
    task = {
        "task": "gec",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": "test.jsonl"}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{source}}",
        "doc_to_target": target,
        "generation_kwargs": {"until": ["\n"]},
        "metric_list": [{"metric": f1_of_words, "aggregation": "mean", "higher_is_better": True}],
    }
    results = lm_eval.simple_evaluate(model=Corrector(), tasks=[task], bootstrap_iters=0)
    means[target] = results["results"]["gec"]["f1_of_words,none"]
    print(f"doc_to_target {target}: F1 {means[target]:.2f}")
assert round(means["{{references[0]}}"], 2) == 0.51 and means["references"] == 1, "the behaviour changed"
PYTHON
