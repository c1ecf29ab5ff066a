"""Tiny networks that stand in for published ones: weights drawn by numpy from their names, so that every release of
torch and transformers has the same, and tokenizers of letters and a few words. Made once a process, in a folder."""

from __future__ import annotations

import atexit
import json
import shutil
import string
import tempfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = string.ascii_letters + string.digits + ".,"
WORDS = ["the", "cat", "sat", "mat", "he", "home", "go", "##s", "##es"]


@cache
def folder() -> Path:
    created = Path(tempfile.mkdtemp(prefix="stand-ins-"))
    atexit.register(shutil.rmtree, created, ignore_errors=True)
    return created


def fill(network: Any, seed: int) -> None:
    """Normal weights, but for the layer norms, which are as they are made: ones and zeros."""
    import torch

    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if "norm" not in name.lower() and ".ln_" not in name:
                draw = np.random.RandomState(zlib.crc32(f"{seed} {name}".encode()))
                values = draw.normal(0.0, 0.35 if parameter.dim() > 1 else 0.1, tuple(parameter.shape))
                parameter.copy_(torch.from_numpy(values.astype(np.float32)))


def save(network: Any, seed: int, target: Path) -> str:
    fill(network.eval(), seed)
    network.save_pretrained(target)
    return str(target)


def word_pieces(target: Path) -> int:
    """BERT's tokenizer over the vocabulary above; its size."""
    from transformers import BertTokenizerFast

    target.mkdir(parents=True, exist_ok=True)
    vocabulary = list(dict.fromkeys([*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS), *WORDS]))
    path = target / "vocab.txt"
    path.write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    BertTokenizerFast(vocab=str(path), vocab_file=str(path), do_lower_case=False).save_pretrained(target)
    return len(vocabulary)


def sizes(**settings: Any) -> dict[str, Any]:
    return {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 512,
        **settings,
    }


@cache
def rater(seed: int = 0, labels: int = 1) -> str:
    """A BERT that has one number for a text or a pair."""
    from transformers import BertConfig, BertForSequenceClassification

    target = folder() / f"rater-{seed}-{labels}"
    config = BertConfig(vocab_size=word_pieces(target), num_labels=labels, **sizes())
    return save(BertForSequenceClassification(config), seed, target)


@cache
def modern_rater(pooling: str) -> str:
    """A ModernBERT that has one number for a text."""
    from transformers import ModernBertConfig, ModernBertForSequenceClassification

    target = folder() / f"modern-{pooling}"
    tokens = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3}
    config = ModernBertConfig(
        vocab_size=word_pieces(target), num_labels=1, classifier_pooling=pooling, **tokens, **sizes()
    )
    return save(ModernBertForSequenceClassification(config), 5, target)


@cache
def encoder(seed: int = 1, layers: int = 2) -> str:
    """A BERT without a head; its weights lack the pooler's, which nobody uses."""
    from transformers import BertConfig, BertModel

    target = folder() / f"encoder-{seed}-{layers}"
    config = BertConfig(vocab_size=word_pieces(target), **sizes(num_hidden_layers=layers))
    return save(BertModel(config, add_pooling_layer=False), seed, target)


@cache
def bidirectional() -> str:
    """A BERT that predicts pieces and looks at what follows; its tokenizer names a beginning."""
    from transformers import AutoTokenizer, BertConfig, BertLMHeadModel

    target = folder() / "bidirectional"
    config = BertConfig(vocab_size=word_pieces(target), **sizes())
    AutoTokenizer.from_pretrained(target, bos_token="[CLS]").save_pretrained(target)
    return save(BertLMHeadModel(config), 8, target)


@cache
def raters() -> str:
    """A folder with SOME's three."""
    target = folder() / "some"
    for seed, name in enumerate(("grammer", "fluency", "meaning"), 2):
        shutil.copytree(rater(seed), target / name)
    return str(target)


@cache
def language_model(positions: int = 256) -> str:
    """A GPT-2 over bytes."""
    from transformers import GPT2Config, GPT2LMHeadModel, GPT2TokenizerFast

    target = folder() / f"gpt2-{positions}"
    target.mkdir()
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    codes = iter(range(256, 512))
    symbols = [chr(byte if byte in printable else next(codes)) for byte in range(256)]
    vocabulary = {symbol: place for place, symbol in enumerate([*symbols, "he", "<|endoftext|>"])}
    (target / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    (target / "merges.txt").write_text("#version: 0.2\nh e\n", encoding="utf-8")
    tokenizer = GPT2TokenizerFast(
        vocab=str(target / "vocab.json"),
        merges=str(target / "merges.txt"),
        vocab_file=str(target / "vocab.json"),
        merges_file=str(target / "merges.txt"),
    )
    tokenizer.save_pretrained(target)
    end = vocabulary["<|endoftext|>"]
    ends = {"bos_token_id": end, "eos_token_id": end}
    config = GPT2Config(vocab_size=len(vocabulary), n_positions=positions, n_embd=16, n_layer=2, n_head=2, **ends)
    return save(GPT2LMHeadModel(config), 6, target)


@cache
def sequence_to_sequence() -> str:
    """A T5 that writes a few words."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    target = folder() / "t5"
    vocabulary = {word: place for place, word in enumerate("<pad> </s> <unk> He She go goes home .".split())}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=words, **special).save_pretrained(target)
    size = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    ends = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    return save(T5ForConditionalGeneration(T5Config(vocab_size=len(vocabulary), **ends, **size)), 9, target)
