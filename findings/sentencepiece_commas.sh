#!/usr/bin/env bash
# SentencePiece reads and writes a full-width comma as an ASCII comma by default, and several blanks as one: a corrector
# can neither keep nor mend them, and the outputs for right Chinese sentences differ from their sources.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sentencepiece==0.2.3
"$folder/venv/bin/python" - <<'PYTHON' "$folder/model"
import sys
from importlib.metadata import version

import sentencepiece

print("sentencepiece", version("sentencepiece"))
sentences = ["我今天去学校，你呢？", "他说：“好！”（真的）…", "He goes  home ."]
for rule in ("nmt_nfkc", "identity"):
    prefix = f"{sys.argv[1]}-{rule}"
    named = {} if rule == "nmt_nfkc" else {"normalization_rule_name": rule}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences * 20), model_prefix=prefix, vocab_size=60, hard_vocab_limit=False,
        character_coverage=1.0, minloglevel=2, **named,
    )
    processor = sentencepiece.SentencePieceProcessor(model_file=f"{prefix}.model")
    decoded = [processor.decode(processor.encode(sentence)) for sentence in sentences]
    print(rule, decoded)
    if rule == "nmt_nfkc":
        assert decoded == ["我今天去学校,你呢?", "他说:“好!”(真的)...", "He goes home ."]
    else:
        assert decoded[:2] == sentences[:2]
PYTHON
