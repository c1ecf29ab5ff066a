#!/usr/bin/env bash
# BERT's tokenizer of transformers decodes "it , it 's" as "it, it ' s": blanks before punctuation are removed, those
# within the source's tokens are added, so an unchanged sentence is neither the tokenised source nor plain text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check transformers==5.24.0
"$folder/venv/bin/python" - <<'PYTHON' "$folder/vocab.txt"
import sys
from importlib.metadata import version

from transformers import BertTokenizerFast

print("transformers", version("transformers"))
tokens = "[PAD] [UNK] [CLS] [SEP] [MASK] He does n t like it s new , . '"
with open(sys.argv[1], "w") as file:
    file.write("\n".join(tokens.split()))
tokenizer = BertTokenizerFast(sys.argv[1], do_lower_case=False)
source = "He does n't like it , it 's new ."
decoded = tokenizer.decode(tokenizer(source)["input_ids"], skip_special_tokens=True)
print(source, "->", decoded)
assert decoded == "He does n ' t like it, it ' s new."
PYTHON
