"""A BERT with random weights and a vocabulary of its own, in a folder, as transformers saves them."""

from __future__ import annotations

import atexit
import shutil
import string
import tempfile
from functools import cache
from pathlib import Path

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = string.ascii_lowercase + string.digits + ".,"


@cache
def tiny_bert(seed: int = 0) -> str:
    """The folder, made once for each seed and removed when the process ends: 3 layers of 16 dimensions."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = Path(tempfile.mkdtemp(prefix="tiny-bert-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    vocabulary = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS), "the", "cat", "he", "home"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt"), vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(folder)
    return str(folder)
