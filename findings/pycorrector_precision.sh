#!/usr/bin/env bash
# In the evaluation of pycorrector a wrong correction of a sentence with an error is a false negative, not a false
# positive: changing 4 of 4 such sentences with 1 right has precision 1.00, like changing only that one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
# The evaluation needs none of the dependencies (torch); its module is loaded without the package.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps pycorrector==1.1.4
printf '他去学效\t他去学校\n我门走\t我们走\n在见\t再见\n平果\t苹果\n你好\t你好\n' > "$folder/pairs.tsv"
"$folder/venv/bin/python" - "$folder/pairs.tsv" <<'PYTHON'
import sys
from importlib.metadata import distribution
from importlib.util import module_from_spec, spec_from_file_location

package = distribution("pycorrector")
spec = spec_from_file_location("evaluate_utils", package.locate_file("pycorrector/utils/evaluate_utils.py"))
evaluate_utils = module_from_spec(spec)
spec.loader.exec_module(evaluate_utils)
print("pycorrector", package.version)
outputs = {
    "careful": ["他去学校", "我门走", "在见", "平果", "你好"],
    "wild": ["他去学校", "我的走", "在家", "平安", "你好"],
}
scores = {}
for system, texts in outputs.items():
    scores[system] = evaluate_utils.eval_model_batch(lambda sources, texts=texts: texts, sys.argv[1], verbose=False)
    print(system, "accuracy, precision, recall, F1:", scores[system])
assert scores["careful"] == scores["wild"] == (0.4, 1.0, 0.25, 0.4), "the behaviour changed"
PYTHON
